// SPDX-License-Identifier: Apache-2.0
/// Explicit systems as power series: the program bound to one order and width, so that the innermost loop
/// finds its operands without arithmetic and runs through all orders without returning.
#include <stdlib.h>
#include <string.h>

#include "expr/program_impl.h"

struct amo_series {
  const amo_prog *p;
  int order, lanes;
  size_t stride;      // doubles between registers
  amo_list code;      // operands are offsets
  amo_list integral;  // dst, a: offsets
  amo_list still;     // states whose rate is constant in time: their series ends at order 1
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

static bool copy_code(amo_series *s)
{
  s->code.count = s->p->jet.count;
  s->code.item = malloc((s->code.count + 1) * sizeof *s->code.item);
  if (!s->code.item) return false;
  if (s->code.count > 0) memcpy(s->code.item, s->p->jet.item, s->code.count * sizeof *s->code.item);
  for (size_t i = 0; i < s->code.count; i++) bind(&s->code.item[i], (uint32_t)s->stride);
  return true;
}

static bool copy_integrals(amo_series *s, const amo_integral *integral, size_t n)
{
  s->integral.item = malloc((n + 1) * sizeof *s->integral.item);
  s->still.item = malloc((n + 1) * sizeof *s->still.item);
  if (!s->integral.item || !s->still.item) return false;
  for (size_t i = 0; i < n; i++) {
    amo_instr in = {.op = AMO_J_INTEGRAL, .dst = integral[i].leaf, .a = integral[i].rate};
    bind(&in, (uint32_t)s->stride);
    amo_list *list = s->p->kind[integral[i].rate] == AMO_VARYING ? &s->integral : &s->still;
    list->item[list->count++] = in;
  }
  return true;
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
  if (st == AMO_OK && !(copy_code(s) && copy_integrals(s, integral, n))) st = AMO_ENOMEM;
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
  free(s->code.item);
  free(s->integral.item);
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
  if (s->lanes == 1) amo_jet_eval1(p, jet, s->order, 0, branch);
  else amo_jet_eval8(p, jet, s->order, 0, branch);
  still_states(s, jet);
  if (s->lanes == 1) amo_kernel_series1(&s->code, &s->integral, jet, s->stride, s->order, branch);
  else amo_kernel_series8(&s->code, &s->integral, jet, s->stride, s->order, branch);
  if (p->tail_reads_jet) {
    if (s->lanes == 1) amo_jet_eval1(p, jet, s->order, s->order, branch);
    else amo_jet_eval8(p, jet, s->order, s->order, branch);
  }
  if (s->lanes == 1) amo_jet_finish1(p, jet, s->order, branch);
  else amo_jet_finish8(p, jet, s->order, branch);
}
