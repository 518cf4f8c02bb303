// SPDX-License-Identifier: Apache-2.0
#include "flow/promise.h"

void amo_promise_read(amo_promise *g, const amo_flow *f, const double *series, int lane, bool fixed,
                      double factor)
{
  const size_t W = (size_t)f->W;
  g->a[0] = factor * series[lane];
  for (int k = 1; k <= g->degree; k++) g->a[k] = fixed ? 0.0 : factor * series[(size_t)k * W + (size_t)lane];
}

static const double *reaction_of(const amo_flow *f, int lane, uint32_t c)
{
  return f->reaction + c * amo_flow_item(f) + (size_t)lane;
}

double amo_promise_bound(const amo_flow *f, int lane, uint32_t c)
{
  const double bound = f->watch[c].bound[lane];
  return amo_has_gap(&f->m->contact[c]) ? bound * fabs(*reaction_of(f, lane, c)) : bound;
}

/// g += what friction can hold: given, or coefficient times reaction.
static void add_bound(amo_promise *g, const amo_flow *f, int lane, uint32_t c, double sign)
{
  const amo_watch *w = &f->watch[c];
  const size_t W = (size_t)f->W;
  const double *bound = w->bound + lane, *r = reaction_of(f, lane, c);
  const bool gap = amo_has_gap(&f->m->contact[c]);
  const int last = w->bound_fixed ? 0 : g->degree;
  for (int k = 0; !gap && k <= last; k++) g->a[k] += bound[(size_t)k * W];
  for (int k = 0; gap && k <= g->degree; k++)
    for (int j = 0; j <= (k < last ? k : last); j++)
      g->a[k] += sign * bound[(size_t)j * W] * r[(size_t)(k - j) * W];
}

static void add_cone(amo_promise *g, const amo_flow *f, int lane, uint32_t c, double sign)
{
  amo_promise part = {.degree = g->degree};
  *g = part;
  add_bound(&part, f, lane, c, sign);
  amo_series_add_product(g->a, part.a, part.a, 1.0, g->degree + 1);
  for (uint32_t a = 0; a < 2; a++) {
    amo_promise_read(&part, f, f->traction + (f->m->contact[c].xi + a) * amo_flow_item(f), lane, false, 1.0);
    amo_series_add_product(g->a, part.a, part.a, -1.0, g->degree + 1);
  }
}

amo_promise amo_promise_with(const amo_flow *f, int lane, const amo_condition *x, double reaction_sign)
{
  const amo_prog *step = f->m->step;
  const uint32_t c = x->index;
  const double *const reaction = f->reaction + c * amo_flow_item(f);
  const bool force = amo_is_room(x) || x->what == AMO_IS_REACTION || x->what == AMO_IS_PRESSING;
  amo_promise g;
  g.degree = force ? f->P - 1 : f->P;
  uint32_t reg = AMO_NO_REGISTER;
  switch (x->what) {
    case AMO_IS_SLIP: reg = f->m->contact[c].r_slip; break;
    case AMO_IS_GAP: reg = f->m->contact[c].r_gap; break;
    case AMO_IS_PRESSING: reg = f->m->leaf.reaction + c; break;
    case AMO_IS_SWITCH: reg = amo_prog_switch_register(step, c); break;
    case AMO_IS_REACTION: amo_promise_read(&g, f, reaction, lane, false, x->side); break;
    case AMO_IS_CONE: add_cone(&g, f, lane, c, reaction_sign); break;
    case AMO_IS_MARGIN:
      amo_promise_read(&g, f, f->watch[c].stick, lane, f->watch[c].stick_fixed, -x->side);
      add_bound(&g, f, lane, c, reaction_sign);
  }
  if (reg != AMO_NO_REGISTER)
    amo_promise_read(&g, f, amo_flow_series(f, 0, reg), lane,
                     x->what != AMO_IS_PRESSING && x->what != AMO_IS_SWITCH && amo_prog_is_fixed(step, reg),
                     x->side);
  return g;
}

amo_promise amo_promise_of(const amo_flow *f, int lane, const amo_condition *x)
{
  const bool room = amo_is_room(x) && amo_has_gap(&f->m->contact[x->index]);
  return amo_promise_with(f, lane, x, room && *reaction_of(f, lane, x->index) < 0.0 ? -1.0 : 1.0);
}
