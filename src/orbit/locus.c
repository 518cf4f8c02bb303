// SPDX-License-Identifier: Apache-2.0
/// Loci of special points in two parameters: at each value of the second one a short piece of the branch around where
/// the point should be, in which it is located like any other.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "amontons/orbit.h"
#include "base/mem.h"
#include "model/compiled.h"

typedef struct walker {
  const amo_model *m;
  const amo_branch_opts *o;
  amo_special_type type;
  size_t other;
  double *values;  // [np]
  double *state;   // [states] of the last point found
  double period;
} walker;

/// The special point of our type in the piece [p - reach, p + reach] of the branch. NAN: none there.
static amo_status look(walker *k, double p, double reach, double *at)
{
  amo_branch_opts o = *k->o;
  amo_branch *b = NULL;
  *at = NAN;
  o.values = k->values;
  o.branches = false;
  o.from = p - reach;
  o.to = p + reach;
  o.step = o.max_step = 0.3;
  o.points = 40;
  o.cycle.period = k->period;
  amo_status st = amo_branch_follow(k->m, &o, k->state, NULL, &b);
  if (st == AMO_EINTR || st == AMO_ENOMEM) return st;
  double best = INFINITY;
  for (size_t i = 0; st == AMO_OK && i < b->specials; i++) {
    const amo_special *s = &b->special[i];
    if (s->type != k->type || fabs(s->at.value - p) >= best) continue;
    best = fabs(s->at.value - p);
    *at = s->at.value;
    memcpy(k->state, s->at.state, b->states * sizeof *k->state);
    if (s->at.period > 0.0) k->period = s->at.period;
  }
  amo_branch_free(b);
  return AMO_OK;
}

static amo_status walk(walker *k, double to, int points, amo_locus *l)
{
  const double q0 = k->values[k->other], range = fabs(k->o->to - k->o->from);
  amo_status st = AMO_OK;
  for (int i = 1; st == AMO_OK && i <= points; i++) {
    const size_t n = l->points;
    const double q = q0 + (to - q0) * i / points;
    const double step = n > 1 ? l->value[n - 1] - l->value[n - 2] : 0.0, p = l->value[n - 1] + step;
    double at = NAN, reach = fmax(2.0 * fabs(step), 0.02 * range);
    k->values[k->other] = q;
    amo_model_derive(k->m, k->values);
    for (int tries = 0; st == AMO_OK && isnan(at) && tries < 5; tries++, reach *= 3.0)
      st = look(k, p, reach, &at);
    if (st != AMO_OK || isnan(at)) {
      snprintf(l->ended, sizeof l->ended, "the point was not found again at %.9g", q);
      return st;
    }
    l->value[n] = at;
    l->other[n] = q;
    l->points++;
  }
  return st;
}

amo_status amo_locus_follow(const amo_model *m, const amo_branch_opts *o, const amo_special *from,
                            size_t other, double to, int points, amo_locus **out)
{
  *out = NULL;
  if (other >= m->np || other == o->parameter || m->param[other].expr != AMO_NODE_NONE || points < 1)
    return AMO_ERANGE;
  const size_t ns = 2u * m->nq + m->nz;
  walker k = {.m = m, .o = o, .type = from->type, .other = other, .period = from->at.period};
  amo_locus *l = amo_zalloc(1, sizeof *l);
  k.values = amo_zalloc(m->np, sizeof *k.values);
  k.state = amo_zalloc(ns, sizeof *k.state);
  if (l) l->value = amo_zalloc(2 * ((size_t)points + 1), sizeof *l->value);
  amo_status st = l && l->value && k.values && k.state ? AMO_OK : AMO_ENOMEM;
  if (st == AMO_OK) {
    l->other = l->value + points + 1;
    memcpy(k.values, o->values ? o->values : m->param_value, m->np * sizeof *k.values);
    memcpy(k.state, from->at.state, ns * sizeof *k.state);
    l->value[0] = from->at.value;
    l->other[0] = k.values[other];
    l->points = 1;
    st = walk(&k, to, points, l);
  }
  free(k.values);
  free(k.state);
  if (st == AMO_OK)
    *out = l;
  else
    amo_locus_free(l);
  return st;
}

void amo_locus_free(amo_locus *l)
{
  if (!l) return;
  free(l->value);
  free(l);
}
