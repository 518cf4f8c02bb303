// SPDX-License-Identifier: Apache-2.0
/// The series of the conditions that a motion is held against, one at a time: each recurrence that only conditions read is written where
/// a condition reads it, so that one that does not count costs nothing.
#include <stdio.h>
#include <stdlib.h>

#include "swarm/write_impl.h"

static bool is_fixed(const amo_writer *w, uint32_t reg)
{
  return w->p->kind[reg] == AMO_FIXED;
}

/// The friction that contact c holds.
static void friction(const amo_writer *w, uint32_t c, char out[96])
{
  if (w->unknowns > 0)
    snprintf(out, 96, "a[%ld][k]", w->tangent[c]);
  else
    amo_swarm_coefficient(w, w->m->contact[c].r_stick, out);
}

static void write_coefficient(const amo_writer *w, uint32_t j)
{
  const amo_swarm_condition *x = &w->condition[j];
  const amo_contact *k = &w->m->contact[x->index];
  const uint32_t c = x->index;
  char v[96], f[96];
  amo_text *t = w->to;
  amo_text_printf(t, "        g[k] = ");
  switch (x->what) {
    case AMO_SWARM_SLIPS:
      amo_swarm_coefficient(w, k->r_slip, v);
      amo_text_printf(t, "L->sigma[%u] * %s;\n", c, v);
      break;
    case AMO_SWARM_HOLDS_UP:
    case AMO_SWARM_HOLDS_DOWN:
      friction(w, c, f);
      amo_swarm_coefficient(w, k->r_bound, v);
      amo_text_str(t, "k == P ? S(0.0) : ");
      if (w->normal[c] < 0) {
        amo_text_str(t, v);
      } else if (is_fixed(w, k->r_bound)) {
        amo_swarm_value(w, k->r_bound, v);
        amo_text_printf(t, "N(sign_of)(a[%ld][0]) * %s * a[%ld][k]", w->normal[c], v, w->normal[c]);
      } else {
        amo_swarm_series_name(w, k->r_bound, v);
        amo_text_printf(t, "N(sign_of)(a[%ld][0]) * N(conv)(%s, a[%ld], k, 0, k)", w->normal[c], v,
                        w->normal[c]);
      }
      amo_text_printf(t, " %c %s;\n", x->what == AMO_SWARM_HOLDS_UP ? '-' : '+', f);
      break;
    case AMO_SWARM_PRESSES:
      amo_text_printf(t, "k == P ? S(0.0) : L->side[%u] * a[%ld][k];\n", c, w->normal[c]);
      break;
    case AMO_SWARM_APART:
      amo_swarm_coefficient(w, k->r_gap, v);
      amo_text_printf(t, "%s;\n", v);
      break;
    case AMO_SWARM_BRANCH:
      amo_swarm_coefficient(w, w->p->switch_register[c], v);
      amo_text_printf(t, "L->b[%u] * %s;\n", c, v);
      break;
  }
}

// ---- what a condition needs ----

/// Not a leaf, not a constant, and not a place that an instruction leaves unused.
static bool is_made(const amo_writer *w, uint32_t reg)
{
  return reg >= w->p->nleaf + w->p->constants && reg < w->p->registers;
}

static void need(const amo_writer *w, bool *needed, uint32_t reg)
{
  if (is_made(w, reg)) needed[reg] = true;
}

/// Registers that condition j reads.
static void need_roots(const amo_writer *w, uint32_t j, bool *needed)
{
  const amo_swarm_condition *x = &w->condition[j];
  const amo_contact *k = &w->m->contact[x->index];
  switch (x->what) {
    case AMO_SWARM_SLIPS: need(w, needed, k->r_slip); break;
    case AMO_SWARM_HOLDS_UP:
    case AMO_SWARM_HOLDS_DOWN: need(w, needed, k->r_bound), need(w, needed, k->r_stick); break;
    case AMO_SWARM_PRESSES: break;
    case AMO_SWARM_APART: need(w, needed, k->r_gap); break;
    case AMO_SWARM_BRANCH: need(w, needed, w->p->switch_register[x->index]); break;
  }
}

/// The series that an instruction makes besides its own: the cosine of a sine, the derivative of an arc.
static uint32_t companion(const amo_instr *in)
{
  switch (in->op) {
    case AMO_J_SINCOS:
    case AMO_J_SINHCOSH: return in->b;
    case AMO_J_TAN:
    case AMO_J_TANH:
    case AMO_J_ASIN:
    case AMO_J_ACOS:
    case AMO_J_ASINH:
    case AMO_J_ATAN:
    case AMO_J_ATAN2: return in->h;
    default: return in->dst;
  }
}

static bool is_read(const bool *needed, const amo_instr *in)
{
  return needed[in->dst] || needed[companion(in)];
}

/// Back from there through the tail of the program.
static void need_tail(const amo_writer *w, bool *needed)
{
  for (size_t i = w->p->tail.count; i-- > 0;) {
    const amo_instr *in = &w->p->tail.item[i];
    const uint32_t all[] = {in->dst, in->a, in->b, in->h, in->x, in->y, in->z};
    if (!is_read(needed, in)) continue;
    for (size_t n = 0; n < sizeof all / sizeof *all; n++) need(w, needed, all[n]);
  }
}

static void write_condition(const amo_writer *w, uint32_t j, bool *needed)
{
  amo_text *t = w->to;
  const amo_prog *p = w->p;
  for (uint32_t r = 0; r < p->registers; r++) needed[r] = false;
  need_roots(w, j, needed);
  need_tail(w, needed);
  amo_text_printf(t, "    case %u: {\n", j);
  for (uint32_t r = p->nleaf + p->constants; r < p->registers; r++) {
    if (!needed[r]) continue;
    if (p->kind[r] == AMO_STEADY) amo_text_printf(t, "      const V s%u = m->s%u;\n", r, r);
    if (p->kind[r] != AMO_VARYING) continue;
    if (amo_swarm_is_series(w, r))
      amo_text_printf(t, "      const V *const r%u = m->r%u;\n", r, r);
    else
      amo_text_printf(t, "      V r%u[P + 1];\n      r%u[0] = m->r%u[0];\n", r, r, r);
  }
  amo_text_str(t, "      ORDERS for (int k = 0; k <= P; k++) {\n");
  for (size_t i = 0; i < p->tail.count; i++)
    if (is_read(needed, &p->tail.item[i])) amo_swarm_write_jet(w, &p->tail.item[i], "        if (k > 0) ");
  write_coefficient(w, j);
  amo_text_str(t, "      }\n      break;\n    }\n");
}

void amo_swarm_write_conditions(const amo_writer *w)
{
  amo_text *t = w->to;
  bool *needed = malloc(w->p->registers + 1u);
  if (!needed) {
    t->failed = true;
    return;
  }
  amo_text_str(
      t,
      "/// Series of condition j.\nFN void N(condition)(const lane *L, const N(motion) *m, int j, V *g)\n{\n"
      "  const V(*const c)[P + 1] = m->c, *const tt = m->tt;\n");
  if (w->unknowns > 0) amo_text_str(t, "  const V(*const a)[P + 1] = m->a;\n");
  amo_text_str(t, "  switch (j) {\n");
  for (uint32_t j = 0; j < w->conditions; j++) write_condition(w, j, needed);
  amo_text_str(t, "  }\n  (void)c, (void)tt, (void)L, (void)g;\n}\n\n");
  free(needed);
}
