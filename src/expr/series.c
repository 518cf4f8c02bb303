// SPDX-License-Identifier: Apache-2.0
/// Explicit systems as power series: the program bound to one order and width, so that the innermost loop
/// finds its operands without arithmetic and runs through all orders without returning.
#include <stdlib.h>
#include <string.h>

#include "expr/program_impl.h"

struct amo_series {
  const amo_prog *p;
  int order, lanes;
  size_t stride;  // doubles between registers
  amo_bound bound;
  amo_list still;  // states whose rate is constant in time: their series ends at order 1
};

// Which operands of an instruction are registers; the others are switches or not used.
static void bind(amo_instr *in, uint32_t stride)
{
  in->dst *= stride;
  in->a *= stride;
  in->b *= stride;
  if (in->op != AMO_J_ABS && in->h != AMO_NO_SLOT) in->h *= stride;
  in->x *= stride;
  in->y *= stride;
  in->z *= stride;
}

// Value instructions: the third operand is a register only where a choice is made.
static bool copy_start(amo_series *s)
{
  const amo_list *from[2] = {&s->p->value, &s->p->seed};
  amo_list *start = &s->bound.start;
  const uint32_t stride = (uint32_t)s->stride;
  start->item = malloc((from[0]->count + from[1]->count + 1) * sizeof *start->item);
  if (!start->item) return false;
  for (int l = 0; l < 2; l++)
    for (size_t i = 0; i < from[l]->count; i++) {
      amo_instr in = from[l]->item[i];
      in.dst *= stride;
      in.a *= stride;
      in.b *= stride;
      if (in.op == AMO_OP_SELECT) in.h *= stride;
      start->item[start->count++] = in;
    }
  return true;
}

static bool copy_integrals(amo_series *s, const amo_integral *integral, size_t n)
{
  amo_list *moving = &s->bound.integral;
  moving->item = malloc((n + 1) * sizeof *moving->item);
  s->still.item = malloc((n + 1) * sizeof *s->still.item);
  if (!moving->item || !s->still.item) return false;
  for (size_t i = 0; i < n; i++) {
    amo_instr in = {.op = AMO_J_INTEGRAL, .dst = integral[i].leaf, .a = integral[i].rate};
    bind(&in, (uint32_t)s->stride);
    amo_list *list = s->p->kind[integral[i].rate] == AMO_VARYING ? moving : &s->still;
    list->item[list->count++] = in;
  }
  return true;
}

// Integrals by the register of their rate: the first of each, and the next with the same.
typedef struct by_rate {
  uint32_t *first, *next;
} by_rate;

static bool sort_integrals(const amo_series *s, by_rate *r)
{
  const amo_list *list = &s->bound.integral;
  r->first = malloc(s->p->registers * sizeof *r->first + 1);
  r->next = malloc((list->count + 1) * sizeof *r->next);
  if (!r->first || !r->next) return false;
  for (uint32_t i = 0; i < s->p->registers; i++) r->first[i] = AMO_NO_SLOT;
  for (uint32_t i = (uint32_t)list->count; i-- > 0;) {
    uint32_t *first = &r->first[list->item[i].a / s->stride];
    r->next[i] = *first;
    *first = i;
  }
  return true;
}

static void append_integrals(amo_series *s, by_rate *r, uint32_t rate)
{
  amo_list *code = &s->bound.code;
  for (uint32_t i = r->first[rate]; i != AMO_NO_SLOT; i = r->next[i])
    code->item[code->count++] = s->bound.integral.item[i];
  r->first[rate] = AMO_NO_SLOT;
}

// Turn an instruction that uses `last` into the variant that takes it from the machine's register. Sums of
// two terms may be swapped without changing a bit.
static void take_last(amo_instr *in, uint32_t last)
{
  if (in->op == AMO_J_LINEAR2 && in->h == last && in->a != last) {
    const uint32_t a = in->a, b = in->b;
    in->a = in->h, in->b = in->x, in->h = a, in->x = b;
  }
  if (in->op == AMO_J_INTEGRAL && in->a == last)
    in->op = AMO_J_INTEGRAL_LAST;
  else if (in->op == AMO_J_LINEAR1 && in->a == last)
    in->op = AMO_J_LINEAR1_LAST;
  else if (in->op == AMO_J_LINEAR2 && in->a == last)
    in->op = AMO_J_LINEAR2_LAST;
  else if (in->op == AMO_J_RECIPROCAL && in->b == last)
    in->op = AMO_J_RECIPROCAL_LAST;
}

// Which result does each instruction find just before it? A plain integral leaves it in place; a chained one
// replaces it by a coefficient of the next order, which only that order can use.
static void chain_results(amo_bound *b)
{
  uint32_t last = AMO_NO_SLOT, carried = AMO_NO_SLOT;
  for (size_t i = 0; i < b->code.count; i++) {
    amo_instr *in = &b->code.item[i];
    take_last(in, last);
    if (in->op == AMO_J_INTEGRAL) continue;
    const bool ahead = in->op == AMO_J_INTEGRAL_LAST;
    last = ahead ? AMO_NO_SLOT : in->dst;
    carried = ahead ? in->dst : AMO_NO_SLOT;
  }
  if (carried == AMO_NO_SLOT) return;
  b->carried = carried;
  size_t i = 0;
  while (b->code.item[i].op == AMO_J_INTEGRAL) i++;
  take_last(&b->code.item[i], carried);
}

// One lane: integrals of states first, the others behind what produces their rate (or at the end: the second
// result of an instruction).
static void weave(amo_series *s, by_rate *r)
{
  const amo_list *jet = &s->p->jet;
  amo_list *code = &s->bound.code;
  for (uint32_t i = 0; s->lanes == 1 && i < s->p->nleaf; i++) append_integrals(s, r, i);
  for (size_t i = 0; i < jet->count; i++) {
    amo_instr in = jet->item[i];
    bind(&in, (uint32_t)s->stride);
    code->item[code->count++] = in;
    if (s->lanes == 1) append_integrals(s, r, jet->item[i].dst);
  }
  for (uint32_t i = 0; s->lanes == 1 && i < s->p->registers; i++) append_integrals(s, r, i);
  if (s->lanes == 1) chain_results(&s->bound);
}

static bool copy_code(amo_series *s)
{
  by_rate r = {0};
  amo_list *code = &s->bound.code;
  code->item = malloc((s->p->jet.count + s->bound.integral.count + 1) * sizeof *code->item);
  const bool ok = code->item && sort_integrals(s, &r);
  if (ok) weave(s, &r);
  free(r.first);
  free(r.next);
  return ok;
}

amo_status amo_series_new(const amo_prog *p, const amo_integral *integral, size_t n, int order, int lanes,
                          amo_series **out)
{
  *out = NULL;
  amo_series *s = calloc(1, sizeof *s);
  if (!s) return AMO_ENOMEM;
  s->p = p;
  s->order = order;
  s->lanes = lanes;
  s->stride = (size_t)(order + 1) * (size_t)lanes;
  amo_status st = s->stride * p->registers < UINT32_MAX ? AMO_OK : AMO_ELIMIT;
  if (st == AMO_OK && !(copy_start(s) && copy_integrals(s, integral, n) && copy_code(s))) st = AMO_ENOMEM;
  if (st != AMO_OK) {
    amo_series_free(s);
    return st;
  }
  *out = s;
  return AMO_OK;
}

void amo_series_free(amo_series *s)
{
  if (!s) return;
  free(s->bound.start.item);
  free(s->bound.code.item);
  free(s->bound.integral.item);
  free(s->still.item);
  free(s);
}

static void still_states(const amo_series *s, double *jet)
{
  const size_t lanes = (size_t)s->lanes;
  for (size_t i = 0; i < s->still.count; i++) {
    double *d = jet + s->still.item[i].dst;
    memcpy(d + lanes, jet + s->still.item[i].a, lanes * sizeof *d);
    memset(d + 2 * lanes, 0, ((size_t)s->order - 1) * lanes * sizeof *d);
  }
}

void amo_series_run(const amo_series *s, double *jet, const signed char *branch)
{
  const amo_prog *p = s->p;
  const amo_code *c = amo_prog_code(p, s->order, s->lanes);
  if (c != NULL && c->series != NULL) {
    c->series(jet, branch);
    return;
  }
  if (s->lanes == 1)
    amo_kernel_start1(&s->bound, jet, s->stride, branch);
  else
    amo_kernel_start8(&s->bound, jet, s->stride, branch);
  still_states(s, jet);
  if (s->lanes == 1)
    amo_kernel_series1(&s->bound, jet, s->stride, s->order, branch);
  else
    amo_kernel_series8(&s->bound, jet, s->stride, s->order, branch);
  if (p->tail_reads_jet) {
    if (s->lanes == 1)
      amo_jet_eval1(p, jet, s->order, s->order, branch);
    else
      amo_jet_eval8(p, jet, s->order, s->order, branch);
  }
  if (s->lanes == 1)
    amo_jet_finish1(p, jet, s->order, branch);
  else
    amo_jet_finish8(p, jet, s->order, branch);
}
