// SPDX-License-Identifier: Apache-2.0
/// DAG to register program: which nodes are needed, how each changes in time, registers, switches.
#include <stdlib.h>

#include "expr/compile_impl.h"

// ---- growing lists ----

void amo_emit(amo_compiler *c, amo_list *list, amo_instr in)
{
  if (list->count == list->capacity) {
    const size_t capacity = list->capacity ? 2 * list->capacity : 16;
    amo_instr *item = realloc(list->item, capacity * sizeof *item);
    if (!item) {
      c->status = AMO_ENOMEM;
      return;
    }
    list->item = item;
    list->capacity = capacity;
  }
  list->item[list->count++] = in;
}

uint32_t amo_new_register(amo_compiler *c, int kind)
{
  amo_prog *p = c->p;
  if (p->registers >= p->kind_capacity) {
    const size_t capacity = p->kind_capacity ? 2 * p->kind_capacity : 64;
    unsigned char *k = realloc(p->kind, capacity);
    if (!k) {
      c->status = AMO_ENOMEM;
      return 0;
    }
    p->kind = k;
    p->kind_capacity = capacity;
  }
  p->kind[p->registers] = (unsigned char)kind;
  return p->registers++;
}

// ---- which nodes, and how they change ----

// Arguments have smaller numbers than their users: one downward sweep marks all that is reachable.
static void mark(amo_compiler *c, const amo_node *roots, size_t nroots)
{
  for (size_t i = 0; i < nroots; i++) c->used[roots[i]] = true;
  for (amo_node n = c->last; n > 0; n--) {
    if (c->used[n]) c->used[amo_root_beside(c->d, n)] = true;
    for (int i = 0; c->used[n] && i < amo_op_arity(amo_node_op(c->d, n)); i++)
      c->used[amo_node_arg(c->d, n, i)] = true;
  }
}

static int node_kind(const amo_compiler *c, const bool *fixed, amo_node n)
{
  const amo_cell *x = &c->d->cell[n];
  const int arity = amo_op_arity((amo_op)x->op);
  int kind = AMO_FIXED;
  if (x->op == AMO_OP_LEAF) return fixed[x->u.leaf] ? AMO_FIXED : AMO_VARYING;
  for (int i = 0; i < arity; i++) {
    int k = c->kind[x->u.arg[i]];
    const bool choice = (amo_is_switch(x->op) && x->op != AMO_OP_ABS) || (x->op == AMO_OP_SELECT && i == 0);
    if (choice && k == AMO_VARYING) k = AMO_STEADY;  // the result only jumps with this argument
    if (k > kind) kind = k;
  }
  return kind;
}

static void classify(amo_compiler *c, const bool *fixed, uint32_t nleaf)
{
  for (amo_node n = 1; n <= c->last && c->status == AMO_OK; n++) {
    uint32_t leaf = 0;
    if (!c->used[n]) continue;
    if (amo_node_leaf(c->d, n, &leaf) && leaf >= nleaf)
      c->status = AMO_ERANGE;
    else
      c->kind[n] = (unsigned char)node_kind(c, fixed, n);
  }
}

// ---- registers ----

static void give_constants(amo_compiler *c)
{
  amo_prog *p = c->p;
  uint32_t count = 0;
  for (amo_node n = 1; n <= c->last; n++) count += c->used[n] && amo_node_op(c->d, n) == AMO_OP_CONST;
  p->constant = malloc((count + 1u) * sizeof *p->constant);
  if (!p->constant) {
    c->status = AMO_ENOMEM;
    return;
  }
  for (amo_node n = 1; n <= c->last; n++) {
    if (!c->used[n] || !amo_node_const(c->d, n, &p->constant[p->constants])) continue;
    p->constants++;
    c->reg[n] = amo_new_register(c, AMO_FIXED);
  }
}

static void give_registers(amo_compiler *c, const bool *fixed, uint32_t nleaf)
{
  for (uint32_t l = 0; l < nleaf && c->status == AMO_OK; l++)
    amo_new_register(c, fixed[l] ? AMO_FIXED : AMO_VARYING);
  give_constants(c);
  for (int pass = 0; pass < 2; pass++) {
    c->first_varying = c->p->registers;
    for (amo_node n = 1; n <= c->last && c->status == AMO_OK; n++) {
      uint32_t leaf = 0;
      if (!c->used[n] || (pass == 0) != (c->kind[n] == AMO_FIXED)) continue;
      if (amo_node_const(c->d, n, NULL)) continue;
      if (amo_node_leaf(c->d, n, &leaf))
        c->reg[n] = leaf;
      else
        c->reg[n] = amo_new_register(c, c->kind[n]);
    }
  }
  c->form = calloc(c->p->registers - c->first_varying + 1u, sizeof *c->form);
  if (!c->form) c->status = AMO_ENOMEM;
}

static void add_switch(amo_compiler *c, amo_node n, int kind)
{
  amo_prog *p = c->p;
  p->switch_node[p->switches] = n;
  p->switch_kind[p->switches] = (unsigned char)kind;
  p->switch_register[p->switches++] = c->reg[n];
}

// One switch per distinct argument that can change sign during a run; then the folds of square roots.
static void give_switches(amo_compiler *c)
{
  amo_prog *p = c->p;
  size_t most = 1;
  for (amo_node n = 1; n <= c->last; n++)
    most += c->used[n] && (amo_is_switch(c->d->cell[n].op) || c->d->cell[n].op == AMO_OP_SQRT);
  p->switch_register = malloc(most * sizeof *p->switch_register);
  p->switch_node = malloc(most * sizeof *p->switch_node);
  p->switch_kind = malloc(most);
  if (!p->switch_register || !p->switch_node || !p->switch_kind) {
    c->status = AMO_ENOMEM;
    return;
  }
  for (amo_node n = 1; n <= c->last; n++) {
    const amo_node a = amo_node_arg(c->d, n, 0);
    if (!c->used[n] || !amo_is_switch(amo_node_op(c->d, n)) || c->kind[a] == AMO_FIXED) continue;
    const int kind = amo_node_op(c->d, n) == AMO_OP_SEAM ? AMO_SWITCH_SEAM : AMO_SWITCH_CHOICE;
    if (c->slot[a] == 0) {
      c->slot[a] = p->switches + 1u;
      add_switch(c, a, kind);
    } else if (kind == AMO_SWITCH_CHOICE) {
      p->switch_kind[c->slot[a] - 1u] = AMO_SWITCH_CHOICE;
    }
  }
  for (amo_node n = 1; n <= c->last; n++)
    if (c->used[n] && amo_node_op(c->d, n) == AMO_OP_SQRT && c->kind[n] == AMO_VARYING)
      add_switch(c, n, AMO_SWITCH_FOLD);
}

// ---- code ----

static void emit_value(amo_compiler *c, amo_node n)
{
  const amo_cell *x = &c->d->cell[n];
  const int arity = amo_op_arity((amo_op)x->op);
  if (arity == 0) return;
  amo_instr in = {.op = x->op, .dst = c->reg[n], .a = c->reg[x->u.arg[0]]};
  if (arity > 1) in.b = c->reg[x->u.arg[1]];
  if (arity > 2) in.h = c->reg[x->u.arg[2]];
  if (amo_is_switch(x->op)) in.h = c->slot[x->u.arg[0]] - 1u;  // 0: AMO_NO_SLOT
  amo_emit(c, c->kind[n] == AMO_FIXED ? &c->p->fixed : &c->p->value, in);
}

static void emit_values(amo_compiler *c)
{
  for (amo_node n = 1; n <= c->last && c->status == AMO_OK; n++)
    if (c->used[n]) emit_value(c, n);
  c->p->instructions = c->p->value.count;
}

// ---- which series are needed, and when ----

static void need(amo_compiler *c, amo_node n, unsigned char stage)
{
  if (n != AMO_NODE_NONE && c->stage[n] < stage) c->stage[n] = stage;
}

// sin and cos advance together, so both are due when one is.
static void need_partner(amo_compiler *c, amo_node n)
{
  static const amo_op partner[AMO_OP_COUNT] = {[AMO_OP_SIN] = AMO_OP_COS,
                                               [AMO_OP_COS] = AMO_OP_SIN,
                                               [AMO_OP_SINH] = AMO_OP_COSH,
                                               [AMO_OP_COSH] = AMO_OP_SINH};
  const amo_op other = partner[amo_node_op(c->d, n)];
  if (other == 0) return;
  const amo_node p = amo_dag_find(c->d, other, amo_node_arg(c->d, n, 0));
  if (p != AMO_NODE_NONE && p <= c->last && c->used[p]) need(c, p, c->stage[n]);
}

static void use(amo_compiler *c, amo_node user, amo_node n)
{
  need(c, n, c->stage[user]);
  c->p->tail_reads_jet |= c->stage[user] < c->stage[n] && amo_op_arity(amo_node_op(c->d, n)) > 0;
}

// Users have larger numbers than what they use; partners share their arguments, so two sweeps settle it.
static void spread_needs(amo_compiler *c)
{
  for (int sweep = 0; sweep < 2; sweep++)
    for (amo_node n = c->last; n > 0; n--) {
      if (c->stage[n] == 0 || c->kind[n] != AMO_VARYING) continue;
      need_partner(c, n);
      const amo_form f = amo_form_at(c, n);
      for (uint32_t i = 0; i < f.terms; i++) use(c, n, f.base[i]);
      for (int i = 0; f.terms == 0 && i < amo_op_arity(amo_node_op(c->d, n)); i++)
        use(c, n, amo_node_arg(c->d, n, i));
    }
}

static void find_needs(amo_compiler *c, const amo_node *roots, const unsigned char *stage, size_t nroots)
{
  for (size_t i = 0; i < nroots; i++) need(c, roots[i], stage ? stage[i] : AMO_STAGE_ORDER);
  for (uint32_t i = 0; i < c->p->switches; i++) need(c, c->p->switch_node[i], AMO_STAGE_FINISH);
  spread_needs(c);
}

// Everything due at every order first: the rest may use its hidden registers, not the other way round.
static void emit_series(amo_compiler *c)
{
  for (int stage = AMO_STAGE_ORDER; stage >= AMO_STAGE_FINISH; stage--) {
    c->out = stage == AMO_STAGE_ORDER ? &c->p->jet : &c->p->tail;
    for (amo_node n = 1; n <= c->last && c->status == AMO_OK; n++)
      if (c->used[n] && c->kind[n] == AMO_VARYING && c->stage[n] == stage) amo_compile_jet(c, n);
  }
}

// Callers read all coefficients of roots and switching arguments, also where they do not vary.
static void emit_zeros(amo_compiler *c)
{
  amo_prog *p = c->p;
  const size_t total = p->roots + p->switches;
  for (size_t i = 0; i < total && c->status == AMO_OK; i++) {
    const uint32_t r = i < p->roots ? p->root[i] : p->switch_register[i - p->roots];
    if (p->kind[r] == AMO_STEADY) amo_emit(c, &p->jet, (amo_instr){.op = AMO_J_ZERO, .dst = r});
  }
}

static void record_roots(amo_compiler *c, const amo_node *roots, size_t nroots)
{
  c->p->root = malloc((nroots + 1) * sizeof *c->p->root);
  if (!c->p->root) {
    c->status = AMO_ENOMEM;
    return;
  }
  c->p->roots = nroots;
  for (size_t i = 0; i < nroots; i++) c->p->root[i] = c->reg[roots[i]];
}

static void find_last(amo_compiler *c, const amo_node *roots, size_t nroots)
{
  for (size_t i = 0; i < nroots; i++) {
    if (roots[i] == AMO_NODE_NONE || roots[i] >= c->d->size) c->status = AMO_ERANGE;
    if (roots[i] > c->last) c->last = roots[i];
  }
}

static bool allocate(amo_compiler *c)
{
  const size_t n = (size_t)c->last + 1u;
  c->used = calloc(n, sizeof *c->used);
  c->kind = calloc(n, sizeof *c->kind);
  c->reg = calloc(n, sizeof *c->reg);
  c->slot = calloc(n, sizeof *c->slot);
  c->stage = calloc(n, sizeof *c->stage);
  c->p = calloc(1, sizeof *c->p);
  if (!c->used || !c->kind || !c->reg || !c->slot || !c->stage || !c->p) return false;
  return true;
}

static void release(amo_compiler *c)
{
  free(c->used);
  free(c->kind);
  free(c->reg);
  free(c->slot);
  free(c->stage);
  free(c->form);
  for (size_t i = 0; i < AMO_HIDDEN_KINDS; i++) amo_map_free(&c->hidden[i]);
  amo_map_free(&c->factors);
}

static void build(amo_compiler *c, const amo_node *roots, const unsigned char *stage, size_t nroots,
                  const bool *fixed, uint32_t nleaf)
{
  if (c->status == AMO_OK) find_last(c, roots, nroots);
  if (c->status == AMO_OK && !allocate(c)) c->status = AMO_ENOMEM;
  if (c->status == AMO_OK) mark(c, roots, nroots);
  if (c->status == AMO_OK) classify(c, fixed, nleaf);
  if (c->status == AMO_OK) c->p->nleaf = nleaf;
  if (c->status == AMO_OK) give_registers(c, fixed, nleaf);
  if (c->status == AMO_OK) give_switches(c);
  if (c->status == AMO_OK) record_roots(c, roots, nroots);
  if (c->status == AMO_OK) emit_values(c);
  if (c->status == AMO_OK) amo_find_forms(c);
  if (c->status == AMO_OK) find_needs(c, roots, stage, nroots);
  if (c->status == AMO_OK) emit_series(c);
  if (c->status == AMO_OK) emit_zeros(c);
}

amo_status amo_prog_compile_staged(const amo_dag *d, const amo_node *roots, const unsigned char *stage,
                                   size_t nroots, const bool *fixed, uint32_t nleaf, amo_prog **out)
{
  amo_compiler c = {.d = d, .status = amo_dag_status(d)};
  *out = NULL;
  build(&c, roots, stage, nroots, fixed, nleaf);
  release(&c);
  if (c.status == AMO_OK)
    *out = c.p;
  else
    amo_prog_free(c.p);
  return c.status;
}

amo_status amo_prog_compile(const amo_dag *d, const amo_node *roots, size_t nroots, const bool *fixed,
                            uint32_t nleaf, amo_prog **out)
{
  return amo_prog_compile_staged(d, roots, NULL, nroots, fixed, nleaf, out);
}
