// SPDX-License-Identifier: Apache-2.0
/// What names mean in the expressions of a model.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/loader.h"

typedef struct context {
  amo_loader *ld;
  const amo_expr_in *in;
} context;

/// Where mistakes go: nowhere when the same text was read before.
static amo_diags *talk(const context *c)
{
  return c->in->quiet ? NULL : c->ld->diags;
}

uint32_t amo_leaf_q(const amo_loader *ld, uint32_t c)
{
  const amo_coord *k = &ld->coords.item[c];
  return (amo_is_given(k) ? ld->inner.q : ld->m->leaf.q) + k->number;
}

uint32_t amo_leaf_u(const amo_loader *ld, uint32_t c)
{
  const amo_coord *k = &ld->coords.item[c];
  return (amo_is_given(k) ? ld->inner.u : ld->m->leaf.u) + k->number;
}

uint32_t amo_leaf_acc(const amo_loader *ld, uint32_t c)
{
  const amo_coord *k = &ld->coords.item[c];
  return (amo_is_given(k) ? ld->inner.acc : ld->m->leaf.acc) + k->number;
}

amo_node amo_load_motion(amo_loader *ld, uint32_t c, int primes)
{
  uint32_t leaf = primes == 0 ? amo_leaf_q(ld, c) : primes == 1 ? amo_leaf_u(ld, c) : amo_leaf_acc(ld, c);
  return amo_leaf(ld->dag, leaf);
}

// ---- lazily parsed expressions ----

static void report_cycle(amo_loader *ld, const amo_lazy *l)
{
  amo_text path = {0};
  int k = ld->asking.depth;
  while (k > 0 && ld->asking.chain[k - 1] != l) k--;
  for (k = k ? k - 1 : 0; k < ld->asking.depth; k++)
    amo_text_printf(&path, "%s -> ", ld->asking.chain[k]->name);
  amo_text_str(&path, l->name);
  amo_error(ld->diags, l->at, NULL, "%s depends on itself: %s", l->name, path.data ? path.data : "");
  amo_text_free(&path);
  amo_load_fail(ld, AMO_EINPUT);
}

amo_node amo_lazy_value(amo_loader *ld, amo_lazy *l)
{
  if (l->stage == 2) return l->value;
  if (l->stage == 3) return AMO_NODE_NONE;
  if (l->stage == 1) {
    report_cycle(ld, l);
    l->stage = 3;
    return AMO_NODE_NONE;
  }
  if (ld->asking.depth >= AMO_LAZY_DEPTH) {
    amo_error(ld->diags, l->at, NULL, "expressions use one another more than %d levels deep", AMO_LAZY_DEPTH);
    amo_load_fail(ld, AMO_EINPUT);
    l->stage = 3;
    return AMO_NODE_NONE;
  }
  bool param = ld->params.count && l >= ld->params.item && l < ld->params.item + ld->params.count;
  amo_expr_in in = {.what = param ? "a parameter" : "a definition",
                    .on = param ? 0 : AMO_ON_STATE,
                    .index = l->index,
                    .i = l->i};
  l->stage = 1;
  ld->asking.chain[ld->asking.depth++] = l;
  amo_node v = amo_load_text(ld, l->text, l->length, l->at, &in);
  ld->asking.depth--;
  const amo_yaml *table = param ? NULL : amo_yaml_get(l->bounds, "table");
  if (table && v != AMO_NODE_NONE) v = amo_load_table(ld, table, v);
  if (l->stage == 3) return AMO_NODE_NONE;  // part of a cycle
  l->value = v;
  l->stage = v != AMO_NODE_NONE ? 2 : 3;
  return v;
}

// ---- resolving ----

/// A parameter is its leaf; among parameters a derived one is replaced by its expression, so that
/// every derived parameter is a function of plain numbers only.
static amo_node parameter(context *c, uint32_t k, bool *reported)
{
  amo_loader *ld = c->ld;
  bool inside = ld->asking.depth > 0 && ld->asking.chain[ld->asking.depth - 1] >= ld->params.item &&
                ld->asking.chain[ld->asking.depth - 1] < ld->params.item + ld->params.count;
  amo_node own = amo_leaf(ld->dag, ld->m->leaf.param + k);
  if (!inside) return own;
  amo_node v = amo_lazy_value(ld, &ld->params.item[k]);
  double number;
  *reported = v == AMO_NODE_NONE;
  if (v == AMO_NODE_NONE) return v;
  return amo_node_const(ld->dag, v, &number) ? own : v;
}

static amo_node of_kind(context *c, const amo_entry_name *e, uint32_t k, const amo_name *name, int primes,
                        bool *reported)
{
  amo_loader *ld = c->ld;
  int most = e->kind == AMO_NAME_COORDINATE ? 2 : e->kind == AMO_NAME_STATE ? 1 : 0;
  if (primes > most) {
    *reported = true;
    amo_error(talk(c), name->at, NULL,
              most ? "'%s' has no derivative of this order here"
                   : "'%s' is neither a coordinate nor a state: it has no rate",
              e->name);
    return AMO_NODE_NONE;
  }
  switch (e->kind) {
    case AMO_NAME_SIZE: return amo_const(ld->dag, (double)ld->sizes.item[k]);
    case AMO_NAME_PARAMETER: return parameter(c, k, reported);
    case AMO_NAME_COORDINATE: return amo_load_motion(ld, k, primes);
    case AMO_NAME_STATE:
      if (!primes) return amo_leaf(ld->dag, ld->m->leaf.z + k);
      if (ld->m->extra[k].rate != AMO_NODE_NONE) return ld->m->extra[k].rate;
      *reported = true;
      amo_error(talk(c), name->at, NULL, "the rate of '%s' cannot be used here", e->name);
      return AMO_NODE_NONE;
    case AMO_NAME_DEFINITION: break;
  }
  amo_node v = amo_lazy_value(ld, &ld->defs.item[k]);
  *reported = v == AMO_NODE_NONE;
  return v;
}

static amo_node declared(context *c, const amo_entry_name *e, const amo_name *name, const long *index,
                         int primes, bool *reported)
{
  long last = e->lo + e->count - 1;
  if (e->indexed && !index) {
    amo_error(talk(c), name->at, NULL, "'%s' is a family: write %s[%ld] .. %s[%ld]", e->name, e->name, e->lo,
              e->name, last);
  } else if (!e->indexed && index) {
    amo_error(talk(c), name->at, NULL, "'%s' is a single value and takes no index", e->name);
  } else if (index && (*index < e->lo || *index > last)) {
    amo_error(talk(c), name->at, NULL, "index %ld of '%s' is outside %ld..%ld", *index, e->name, e->lo, last);
  } else {
    return of_kind(c, e, e->first + (uint32_t)(index ? *index - e->lo : 0), name, primes, reported);
  }
  *reported = true;
  return AMO_NODE_NONE;
}

/// Sliding speed of a spatial contact, without its direction leaves.
static amo_node speed_of(amo_dag *d, const amo_contact *k)
{
  amo_node a = k->axis[0].slip, b = k->axis[1].slip;
  return amo_op1(d, AMO_OP_SQRT, amo_add(d, amo_op1(d, AMO_OP_SQR, a), amo_op1(d, AMO_OP_SQR, b)));
}

/// Components along the axes of a spatial contact: slip1, slip2, force1, force2.
static amo_node axis_quantity(amo_loader *ld, const amo_contact *k, const char *word)
{
  const size_t n = strlen(word);
  const int a = n > 0 && word[n - 1] == '2';
  if (strncmp(word, "slip", 4) == 0 && n == 5 && (a || word[4] == '1')) return k->axis[a].slip;
  if (strncmp(word, "force", 5) == 0 && n == 6 && (a || word[5] == '1'))
    return amo_leaf(ld->dag, ld->m->leaf.traction + k->xi + (uint32_t)a);
  return strcmp(word, "slip") == 0 || strcmp(word, "speed") == 0 ? speed_of(ld->dag, k) : AMO_NODE_NONE;
}

/// Quantities of contact i. The normal force of a guide is a result, and so is the bound that follows from it.
static amo_node contact_quantity(amo_loader *ld, uint32_t i, const char *word)
{
  const amo_model *m = ld->m;
  const amo_contact *k = &m->contact[i];
  bool guide = amo_has_gap(k);
  amo_node along = amo_turns(k) ? axis_quantity(ld, k, word) : AMO_NODE_NONE;
  if (along != AMO_NODE_NONE) return along;
  amo_node reaction = guide ? amo_leaf(ld->dag, m->leaf.reaction + i) : k->reaction;
  if (strcmp(word, "slip") == 0) return k->slip;
  if (strcmp(word, "gap") == 0) return k->gap;
  if (strcmp(word, "normal") == 0 || strcmp(word, "reaction") == 0) return reaction;
  if (strcmp(word, "bound") == 0)
    return guide ? amo_mul(ld->dag, k->bound, amo_op1(ld->dag, AMO_OP_ABS, reaction)) : k->bound;
  if (strcmp(word, "force") == 0) return amo_leaf(ld->dag, m->leaf.lambda + i);
  if (strcmp(word, "sigma") == 0) return amo_leaf(ld->dag, m->leaf.sigma + i);
  for (int t = 0; t < AMO_LAW_TOLD && k->told[t].name; t++)
    if (strcmp(word, k->told[t].name) == 0) return k->told[t].value;
  return AMO_NODE_NONE;
}

/// `part.word` in outputs: quantities of contacts, constraints, drives and energies.
static amo_node quantity(context *c, const char *part, const char *word)
{
  amo_loader *ld = c->ld;
  amo_model *m = ld->m;
  for (uint32_t i = 0; i < m->nc; i++) {
    amo_node n = strcmp(m->contact[i].sym.name, part) == 0 ? contact_quantity(ld, i, word) : AMO_NODE_NONE;
    if (n != AMO_NODE_NONE) return n;
  }
  for (uint32_t i = 0; i < m->ng; i++)
    if (strcmp(m->constraint[i].sym.name, part) == 0 && strcmp(word, "force") == 0)
      return amo_leaf(ld->dag, m->leaf.multiplier + i);
  for (uint32_t i = 0; i < m->prescribed.count; i++)
    if (strcmp(m->prescribed.item[i].sym.name, part) == 0 && strcmp(word, "drive") == 0)
      return m->prescribed.item[i].drive;
  if (strcmp(part, "energy") == 0) {
    if (strcmp(word, "kinetic") == 0) return m->report.kinetic;
    if (strcmp(word, "potential") == 0) return m->report.potential;
    if (strcmp(word, "total") == 0) return amo_add(ld->dag, m->report.kinetic, m->report.potential);
  }
  return AMO_NODE_NONE;
}

static amo_node dotted(context *c, const char *base, const char *dot, const long *index)
{
  amo_loader *ld = c->ld;
  char part[128], full[160];
  int n = (int)(dot - base);
  if (index)
    snprintf(part, sizeof part, "%.*s[%ld]", n, base, *index);
  else
    snprintf(part, sizeof part, "%.*s", n, base);
  snprintf(full, sizeof full, "%s.%s", part, dot + 1);
  for (uint32_t i = 0; i < ld->m->nz; i++)  // memory of a law
    if (strcmp(ld->m->extra[i].sym.name, full) == 0) return amo_leaf(ld->dag, ld->m->leaf.z + i);
  return quantity(c, part, dot + 1);
}

static bool bound_integer(const amo_scope *s, const char *text, size_t length, long *value)
{
  const context *c = s->ctx;
  const amo_expr_in *in = c->in;
  if (in->index && strlen(in->index) == length && memcmp(in->index, text, length) == 0) {
    *value = in->i;
    c->ld->texts.own++;
    return true;
  }
  const amo_entry_name *e = amo_names_find(&c->ld->names, text, length);
  if (!e || e->kind != AMO_NAME_SIZE) return false;
  *value = c->ld->sizes.item[e->first];
  return true;
}

/// In a path the index stays in the text ("belt[2].slip"): cut it out.
static bool cut_index(const amo_scope *s, const amo_name *name, char *text, size_t size, long *index,
                      bool *has)
{
  const context *c = s->ctx;
  if (name->length >= size) return false;
  memcpy(text, name->text, name->length);
  text[name->length] = '\0';
  *has = name->indices == 1;
  if (*has) *index = name->index[0];
  char *open = strchr(text, '['), *close = open ? strchr(open, ']') : NULL;
  if (!close) return true;
  if (amo_parse_integer(open + 1, (size_t)(close - open - 1), name->at, s, talk(c), index) != AMO_OK)
    return false;
  *has = true;
  memmove(open, close + 1, strlen(close + 1) + 1);
  return true;
}

static amo_node resolve(const amo_scope *s, amo_dag *d, const amo_name *name, bool *reported)
{
  context *c = s->ctx;
  char text[128];
  long index = 0, number = 0;
  bool has = false;
  if (!cut_index(s, name, text, sizeof text, &index, &has)) return AMO_NODE_NONE;
  if (name->indices > 1) {
    *reported = true;
    amo_error(talk(c), name->at, NULL, "families have one index");
    return AMO_NODE_NONE;
  }
  bool plain = !has && !name->primes;
  for (size_t i = 0; plain && i < c->in->locals; i++) {
    if (strcmp(c->in->local[i].name, text) != 0) continue;
    c->ld->texts.own += i > 0;
    return c->in->local[i].node;
  }
  if (plain && c->in->index && strcmp(c->in->index, text) == 0 &&
      bound_integer(s, text, strlen(text), &number))
    return amo_const(d, (double)number);
  if (plain && strcmp(text, "t") == 0) return amo_leaf(d, c->ld->m->leaf.t);
  const char *dot = strchr(text, '.');
  if (dot && c->ld->outputs && !name->primes) return dotted(c, text, dot, has ? &index : NULL);
  const amo_entry_name *e = amo_names_find(&c->ld->names, text, strlen(text));
  if (!e) return AMO_NODE_NONE;
  return declared(c, e, name, has ? &index : NULL, name->primes, reported);
}

static const char *known(const amo_scope *s, size_t i)
{
  const context *c = s->ctx;
  if (i < c->in->locals) return c->in->local[i].name;
  i -= c->in->locals;
  if (i < c->ld->names.count) return c->ld->names.item[i].name;
  return i == c->ld->names.count ? "t" : NULL;
}

// ---- rates ----

/// d/dt along the motion: of positions it has velocities, of velocities accelerations.
static amo_node rate(const amo_scope *s, amo_dag *d, amo_node n, const char **why)
{
  const context *c = s->ctx;
  amo_loader *ld = c->ld;
  const amo_leaves *l = &ld->m->leaf;
  *why = "time does not enter here";
  if (!ld->rules.full) return AMO_NODE_NONE;
  *why = "accelerations and forces have no rate";
  if (amo_node_depends(d, n, l->acc, l->count - l->acc)) return AMO_NODE_NONE;
  *why = "it has a state whose rate is not known here";
  for (uint32_t i = 0; i < ld->m->nz; i++)
    if (ld->rules.full[l->z + i] == AMO_NODE_NONE && amo_node_depends(d, n, l->z + i, 1))
      return AMO_NODE_NONE;
  return amo_total(d, n, ld->rules.full, ld->inner.count);
}

/// By a parameter, and by what is derived from it: b = a^2 changes with a.
static amo_node derivative(const amo_scope *s, amo_dag *d, amo_node n, uint32_t leaf)
{
  const context *c = s->ctx;
  amo_loader *ld = c->ld;
  const uint32_t first = ld->m->leaf.param, beyond = first + (uint32_t)ld->params.count;
  if (leaf < first || leaf >= beyond) return amo_diff(d, n, leaf);
  amo_node *rate = amo_zalloc(beyond, sizeof *rate);
  if (!rate) {
    amo_load_fail(ld, AMO_ENOMEM);
    return AMO_NODE_NONE;
  }
  for (uint32_t k = 0; k < ld->params.count; k++) {
    if (first + k == leaf || !amo_node_depends(d, n, first + k, 1)) continue;
    amo_node v = amo_lazy_value(ld, &ld->params.item[k]);
    if (v != AMO_NODE_NONE && amo_node_depends(d, v, leaf, 1)) rate[first + k] = amo_diff(d, v, leaf);
  }
  rate[leaf] = amo_const(d, 1.0);
  amo_node total = amo_total(d, n, rate, beyond);
  free(rate);
  return total;
}

// ---- parsing ----

static bool touches(amo_loader *ld, amo_node n, uint32_t a, uint32_t na, uint32_t b, uint32_t nb)
{
  return (na && amo_node_depends(ld->dag, n, a, na)) || (nb && amo_node_depends(ld->dag, n, b, nb));
}

/// Positions must not depend on velocities, and so on. Checked on the result, so that it also holds
/// for what definitions bring in.
static bool check_dependence(amo_loader *ld, amo_node n, amo_at at, const amo_expr_in *in)
{
  const amo_leaves *l = &ld->m->leaf;
  uint32_t nq = ld->m->nq, np = ld->coords.given, results = ld->m->leaf.count - l->acc;
  const char *bad = NULL;
  if (!l->count) return true;
  if (!(in->on & AMO_ON_RESULTS) && touches(ld, n, l->acc, results, ld->inner.acc, np))
    bad = "accelerations";
  else if (!(in->on & AMO_ON_U) && touches(ld, n, l->u, nq, ld->inner.u, np))
    bad = "velocities";
  else if (!(in->on & AMO_ON_Q) && touches(ld, n, l->q, nq, ld->inner.q, np))
    bad = "coordinates";
  else if (!(in->on & AMO_ON_Z) && touches(ld, n, l->z, ld->m->nz, 0, 0))
    bad = "states";
  else if (!(in->on & AMO_ON_T) && touches(ld, n, l->t, 1, 0, 0))
    bad = "time";
  if (!bad) return true;
  amo_error(in->quiet ? NULL : ld->diags, at, NULL, "%s must not depend on %s", in->what, bad);
  return false;
}

amo_node amo_load_text(amo_loader *ld, const char *text, size_t length, amo_at at, const amo_expr_in *in)
{
  context c = {ld, in};
  amo_scope scope = {.ctx = &c,
                     .resolve = resolve,
                     .known = known,
                     .integer = bound_integer,
                     .rate = rate,
                     .diff = derivative};
  scope.paths = ld->outputs && strstr(text, "].") != NULL;
  amo_node n = AMO_NODE_NONE;
  amo_status st = amo_parse(ld->dag, text, length, at, &scope, in->quiet ? NULL : ld->diags, &n);
  if (st == AMO_OK && !check_dependence(ld, n, at, in)) st = AMO_EINPUT;
  if (st == AMO_OK) st = amo_dag_status(ld->dag);
  if (st == AMO_OK) return n;
  amo_load_fail(ld, st);
  return AMO_NODE_NONE;
}

/// A text that reads neither the index of its family nor what only this member has, but for the first local name, means the same for
/// all members: it is read once.
static amo_node load_once(amo_loader *ld, const amo_yaml *n, const amo_expr_in *in)
{
  const amo_read text = {n, in->on, in->locals > 0 ? in->local[0].node : AMO_NODE_NONE, AMO_NODE_NONE};
  uint64_t key = amo_mix64(amo_mix64((uint64_t)(uintptr_t)n) + ((uint64_t)text.on << 32 | text.local)) | 1u;
  uint32_t i;
  for (; amo_map_get(&ld->texts.known, key, &i); key += 2) {
    const amo_read *r = &ld->texts.item[i];
    if (r->node == n && r->on == text.on && r->local == text.local) return r->value;
  }
  const size_t own = ld->texts.own;
  const amo_node value = amo_load_text(ld, n->text, n->length, n->at, in);
  if (value == AMO_NODE_NONE || ld->texts.own > own) return value;
  if (AMO_ROOM(ld->texts.item, ld->texts.count, ld->texts.cap) &&
      amo_map_put(&ld->texts.known, key, (uint32_t)ld->texts.count)) {
    ld->texts.item[ld->texts.count] = text;
    ld->texts.item[ld->texts.count++].value = value;
  }
  return value;
}

amo_node amo_load_expr(amo_loader *ld, const amo_yaml *n, const amo_expr_in *in)
{
  amo_status st = amo_yaml_expect(n, AMO_YAML_SCALAR, in->what, ld->diags);
  if (st == AMO_OK) return load_once(ld, n, in);
  amo_load_fail(ld, st);
  return AMO_NODE_NONE;
}

amo_status amo_load_integer(amo_loader *ld, const char *text, size_t length, amo_at at, long *out)
{
  amo_expr_in in = {.what = "index"};
  context c = {ld, &in};
  amo_scope scope = {.ctx = &c, .resolve = resolve, .known = known, .integer = bound_integer};
  return amo_parse_integer(text, length, at, &scope, ld->diags, out);
}

amo_expr_in amo_item_scope(const amo_item *it, const char *what, unsigned on)
{
  return (amo_expr_in){.what = what, .on = on, .index = it ? it->index : NULL, .i = it ? it->i : 0};
}
