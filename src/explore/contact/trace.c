// SPDX-License-Identifier: Apache-2.0
#include "explore/contact/trace.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/search.h"

#define TRACED      "explore/contact/untraced.inc"
#define real        double
#define EPS         DBL_EPSILON
#define WORK        amo_traced_work
#define VALUE(w, r) read_register((w)->tape, (w)->reg, (w)->err, (w)->stride, r)
#define NAME(x)     traced_##x

static amo_traced read_register(amo_retrace *t, const double *reg, const double *err, size_t stride,
                                uint32_t r)
{
  return amo_retrace_given(t, r, reg[r * stride], err[r * stride]);
}

#include "contact/search.inc"

/// What goes before the search: do loads and friction have values, and which contacts act?
static bool begin(const amo_model *m, amo_retrace *t, const double *reg, const double *err, size_t stride,
                  bool *acts)
{
  bool all = true;
  for (uint32_t i = 0; i < m->nq; i++) all &= is_finite(read_register(t, reg, err, stride, m->r_h[i]));
  for (uint32_t c = 0; c < m->nc; c++) {
    const amo_contact *k = &m->contact[c];
    all &= is_finite(read_register(t, reg, err, stride, amo_bound_register(k)));
    acts[c] = !amo_can_open(k) ||
              (side(widened(read_register(t, reg, err, stride, k->r_gap), AMO_FULFILLED), 1) <= 0 &&
               side(widened(read_register(t, reg, err, stride, k->r_gap_rate), AMO_FULFILLED), 1) <= 0);
  }
  return all;
}

/// Might a solution be left out for another, in which a contact stays that could slip?
static bool may_hold_back(const amo_search *q, const work *w)
{
  const amo_solution *item = q->s->some.item + q->first;
  const size_t count = q->s->some.count - q->first;
  for (uint32_t c = 0; c < q->m->nc; c++) {
    bool sticks = false, slips = false;
    for (size_t i = 0; i < count; i++) {
      sticks |= item[i].mode[c] == 0;
      slips |= item[i].mode[c] != 0 && item[i].mode[c] != AMO_MODE_OPEN;
    }
    const amo_contact *k = &q->m->contact[c];
    const num kinetic = value(w, amo_kinetic_register(k));
    if (sticks && slips && above(value(w, amo_bound_register(k)), mul(kinetic, exactly(1.0 + AMO_NOTHING))))
      return true;
  }
  return false;
}

/// One part; true: it is certain, and can be done again.
static bool search_part(amo_search *q, amo_traced_work **space, amo_retrace *t, const double *reg,
                        const double *err, size_t stride)
{
  work *w = take(space, q->m, reg, err, stride);
  if (w == NULL) return false;
  w->tape = t;
  return search_all(q, w) == AMO_OK && !q->unsure && !q->share_open && !may_hold_back(q, w);
}

bool amo_trace(amo_solutions *s, amo_traced_work **space, const double *reg, const double *err, size_t stride,
               amo_retrace *t, size_t *count)
{
  double total = 1.0;
  amo_solutions_clear(s);
  bool sure = begin(s->m, t, reg, err, stride, s->acts);
  if (sure) amo_islands_divide(&s->islands, s->acts);
  for (uint32_t b = 0; sure && b < s->islands.count; b++) {
    const amo_island m = amo_islands_at(&s->islands, b);
    amo_search q = amo_search_begin(s, &m);
    sure = search_part(&q, space, t, reg, err, stride);
    total *= (double)(s->some.count - q.first);
  }
  *count = (size_t)total;
  return sure && total <= AMO_MOST_SOLUTIONS;
}

void amo_traced_free(amo_traced_work *w)
{
  traced_free(w);
}
