// SPDX-License-Identifier: Apache-2.0
/// What callers see of a program: its registers, and the kernels behind one interface per width.
#include <stdlib.h>
#include <string.h>

#include "base/join.h"
#include "expr/program_impl.h"

void amo_prog_free(amo_prog *p)
{
  if (!p) return;
  free(p->constant);
  free(p->fixed.item);
  free(p->value.item);
  free(p->seed.item);
  free(p->jet.item);
  free(p->tail.item);
  free(p->root);
  free(p->switch_register);
  free(p->switch_node);
  free(p->switch_kind);
  free(p->kind);
  free(p);
}

uint32_t amo_prog_registers(const amo_prog *p)
{
  return p->registers;
}
uint32_t amo_prog_root(const amo_prog *p, size_t i)
{
  return p->root[i];
}
static bool only_linear(const amo_list *list)
{
  for (size_t i = 0; i < list->count; i++) {
    switch (list->item[i].op) {
      case AMO_J_ZERO:
      case AMO_J_COPY:
      case AMO_J_NEG:
      case AMO_J_ADD:
      case AMO_J_SUB:
      case AMO_J_SINCOS:
      case AMO_J_ABS:
      case AMO_J_SELECT:
      case AMO_J_LINEAR1:
      case AMO_J_LINEAR2:
      case AMO_J_LINEAR3: break;
      default: return false;
    }
  }
  return true;
}
bool amo_prog_multiplies(const amo_prog *p)
{
  return !only_linear(&p->jet) || !only_linear(&p->tail);
}
bool amo_prog_is_fixed(const amo_prog *p, uint32_t reg)
{
  return p->kind[reg] == AMO_FIXED;
}
size_t amo_prog_instructions(const amo_prog *p)
{
  return p->instructions;
}

/// Operands of a value instruction. Those for hidden registers have others than the operations: all fields count there, which
/// may say too much, never too little.
static int operands_of(const amo_instr *in, uint32_t operand[6])
{
#define AMO_OP_ARITY(name, arity, text) arity,
  static const int operands[] = {AMO_OP_LIST(AMO_OP_ARITY)};
#undef AMO_OP_ARITY
  memcpy(operand, (const uint32_t[]){in->a, in->b, in->h, in->x, in->y, in->z}, 6 * sizeof *operand);
  return in->op < sizeof operands / sizeof *operands ? operands[in->op] : 6;
}

static bool list_reads(const amo_list *code, uint32_t reg, uint32_t regs)
{
  uint32_t operand[6];
  for (size_t i = 0; i < code->count; i++) {
    const int n = operands_of(&code->item[i], operand);
    for (int k = 0; k < n; k++)
      if (operand[k] - reg < regs) return true;  // wraps around below
  }
  return false;
}

void amo_prog_join(const amo_prog *p, uint32_t *parent, bool *moves)
{
  uint32_t operand[6];
  for (size_t i = 0; i < p->value.count; i++) {
    const amo_instr *in = &p->value.item[i];
    const int n = operands_of(in, operand);
    for (int k = 0; k < n; k++) {
      if (operand[k] >= p->registers || !moves[operand[k]]) continue;
      moves[in->dst] = true;
      amo_join(parent, in->dst, operand[k]);
    }
  }
}

bool amo_prog_reads(const amo_prog *p, uint32_t leaf, uint32_t leaves)
{
  for (size_t i = 0; i < p->roots; i++)
    if (p->root[i] - leaf < leaves) return true;
  return list_reads(&p->fixed, leaf, leaves) || list_reads(&p->value, leaf, leaves);
}

uint32_t amo_prog_switches(const amo_prog *p)
{
  return p->switches;
}
uint32_t amo_prog_switch_register(const amo_prog *p, uint32_t i)
{
  return p->switch_register[i];
}
int amo_prog_switch_kind(const amo_prog *p, uint32_t i)
{
  return p->switch_kind[i];
}
amo_node amo_prog_switch_node(const amo_prog *p, uint32_t i)
{
  return p->switch_node[i];
}

// ---- compiled code ----

bool amo_prog_use_code(amo_prog *p, const amo_code *code)
{
  for (int i = 0; i < AMO_CODES; i++) {
    const amo_code *none = NULL;
    if (atomic_compare_exchange_strong(&p->code[i], &none, code)) return true;
  }
  return false;
}

const amo_code *amo_prog_code(const amo_prog *p, int order, int lanes)
{
  for (int i = 0; i < AMO_CODES; i++) {
    const amo_code *c = atomic_load_explicit(&p->code[i], memory_order_acquire);
    if (c == NULL || (c->lanes == lanes && (order == 0 || c->order == order))) return c;
  }
  return NULL;
}

// ---- evaluation: by compiled code where there is some, otherwise by the kernels ----

static void fill_constants(const amo_prog *p, double *reg, size_t stride, size_t lanes)
{
  for (size_t i = 0; i < p->constants; i++)
    for (size_t l = 0; l < lanes; l++) reg[(p->nleaf + i) * stride + l] = p->constant[i];
}

static void prepare1(const amo_prog *p, double *reg, size_t stride)
{
  const amo_code *c = amo_prog_code(p, 0, 1);
  fill_constants(p, reg, stride, 1);
  if (c != NULL && c->prepare != NULL)
    c->prepare(reg, stride);
  else
    amo_kernel_values1(&p->fixed, reg, stride, NULL);
}

static void prepare8(const amo_prog *p, double *reg, size_t stride)
{
  const amo_code *c = amo_prog_code(p, 0, AMO_LANES);
  fill_constants(p, reg, stride, AMO_LANES);
  if (c != NULL && c->prepare != NULL)
    c->prepare(reg, stride);
  else
    amo_kernel_values8(&p->fixed, reg, stride, NULL);
}

void amo_prog_prepare1(const amo_prog *p, double *reg)
{
  prepare1(p, reg, 1);
}

void amo_prog_prepare8(const amo_prog *p, double *reg)
{
  prepare8(p, reg, AMO_LANES);
}

void amo_prog_eval1(const amo_prog *p, double *reg, const signed char *branch)
{
  const amo_code *c = amo_prog_code(p, 0, 1);
  if (c != NULL)
    c->values(reg, branch);
  else
    amo_kernel_values1(&p->value, reg, 1, branch);
}

void amo_prog_eval8(const amo_prog *p, double *reg, const signed char *branch)
{
  const amo_code *c = amo_prog_code(p, 0, AMO_LANES);
  if (c != NULL)
    c->values(reg, branch);
  else
    amo_kernel_values8(&p->value, reg, AMO_LANES, branch);
}

void amo_jet_prepare1(const amo_prog *p, double *jet, int order)
{
  prepare1(p, jet, (size_t)order + 1);
}

void amo_jet_prepare8(const amo_prog *p, double *jet, int order)
{
  prepare8(p, jet, ((size_t)order + 1) * AMO_LANES);
}

void amo_jet_eval1(const amo_prog *p, double *jet, int order, int k, const signed char *branch)
{
  const size_t stride = (size_t)order + 1;
  const amo_code *c = amo_prog_code(p, order, 1);
  if (c != NULL) {
    if (k > 0)
      c->coefficients(jet, k, branch);
    else
      c->start(jet, branch);
    return;
  }
  if (k > 0) {
    amo_kernel_jets1(&p->jet, jet, stride, k, branch);
    return;
  }
  amo_kernel_values1(&p->value, jet, stride, branch);
  amo_kernel_values1(&p->seed, jet, stride, branch);
}

bool amo_jet_read_branches(const amo_prog *p, const double *jet, size_t stride, signed char *branch)
{
  bool changed = false;
  for (uint32_t i = 0; i < p->switches; i++) {
    const double d = jet[p->switch_register[i] * stride];
    const signed char sign = (signed char)((d > 0.0) - (d < 0.0));
    changed |= sign != branch[i];
    branch[i] = sign;
  }
  return changed;
}

void amo_jet_take_branches1(const amo_prog *p, double *jet, int order, signed char *branch)
{
  uint32_t rounds = p->switches + 1;
  do amo_jet_eval1(p, jet, order, 0, branch);
  while (amo_jet_read_branches(p, jet, (size_t)order + 1, branch) && rounds-- > 0);
}

void amo_jet_eval8(const amo_prog *p, double *jet, int order, int k, const signed char *branch)
{
  const size_t stride = ((size_t)order + 1) * AMO_LANES;
  const amo_code *c = amo_prog_code(p, order, AMO_LANES);
  if (c != NULL) {
    if (k > 0)
      c->coefficients(jet, k, branch);
    else
      c->start(jet, branch);
    return;
  }
  if (k > 0) {
    amo_kernel_jets8(&p->jet, jet, stride, k, branch);
    return;
  }
  amo_kernel_values8(&p->value, jet, stride, branch);
  amo_kernel_values8(&p->seed, jet, stride, branch);
}

bool amo_jet_is_linear(const amo_prog *p)
{
  for (size_t i = 0; i < p->jet.count; i++) {
    const uint32_t op = p->jet.item[i].op;
    if (!(op <= AMO_J_SUB || (op >= AMO_J_LINEAR1 && op <= AMO_J_LINEAR3))) return false;
  }
  return true;
}

bool amo_jet_finish_needs_order(const amo_prog *p)
{
  return p->tail_reads_jet;
}

void amo_jet_finish1(const amo_prog *p, double *jet, int order, const signed char *branch)
{
  const amo_code *c = amo_prog_code(p, order, 1);
  if (c != NULL)
    c->finish(jet, branch);
  else
    amo_kernel_tail1(&p->tail, jet, (size_t)order + 1, order, branch);
}

void amo_jet_finish8(const amo_prog *p, double *jet, int order, const signed char *branch)
{
  const amo_code *c = amo_prog_code(p, order, AMO_LANES);
  if (c != NULL)
    c->finish(jet, branch);
  else
    amo_kernel_tail8(&p->tail, jet, ((size_t)order + 1) * AMO_LANES, order, branch);
}
