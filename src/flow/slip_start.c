// SPDX-License-Identifier: Apache-2.0
#include "flow/slip_start.h"

#include <math.h>
#include <string.h>

#include "flow/direction.h"
#include "flow/trial.h"
#include "num/bracket.h"
#include "num/newton.h"
#include "num/solve.h"

enum { SAMPLES = 64 };

/// What a direction of sliding leads to: slip accelerations at order 0 or, where the reaction begins with zero, 1.
typedef struct slide {
  double x, y, reaction;
} slide;

static slide outcome_of(amo_flow *tr, uint32_t c, int order, double angle)
{
  const amo_contact *k = &tr->m->contact[c];
  amo_lane *l = &tr->lane[0];
  double rate[2];
  l->xi[k->xi] = cos(angle);
  l->xi[k->xi + 1] = sin(angle);
  l->rearrange = true;
  amo_flow_expand_to(tr, order + 1);
  amo_direction_rate(tr, c, order, rate);
  return (slide){rate[0], rate[1], tr->reaction[c * amo_flow_item(tr) + (size_t)order]};
}

static double across(slide o, double angle)
{
  return cos(angle) * o.y - sin(angle) * o.x;
}

static double ahead(slide o, double angle)
{
  return cos(angle) * o.x + sin(angle) * o.y;
}

/// Zero of `across` between two angles with different signs.
static double bisect(amo_flow *tr, uint32_t c, int order, double a, double fa, double b)
{
  amo_bracket k = {a, b, 0};
  for (double x; amo_bracket_next(&k, &x);)
    *((across(outcome_of(tr, c, order, x), x) > 0.0) == (fa > 0.0) ? &k.a : &k.b) = x;
  return k.b;
}

/// All directions around; the one with the largest slip acceleration ahead. The guess lies inside an interval, since
/// it often is the answer.
static bool search(amo_flow *tr, uint32_t c, int order, double guess, double *found)
{
  const double step = 2.0 * acos(-1.0) / SAMPLES, first = guess - 0.5 * step;
  const bool support = amo_can_open(&tr->m->contact[c]);
  double best = 0.0, before = first, f_before = across(outcome_of(tr, c, order, first), first);
  for (int i = 1; i <= SAMPLES; i++) {
    const double angle = first + i * step, f = across(outcome_of(tr, c, order, angle), angle);
    if ((f > 0.0) != (f_before > 0.0)) {
      const double root = bisect(tr, c, order, before, f_before, angle);
      const slide o = outcome_of(tr, c, order, root);
      if (ahead(o, root) > best && (!support || o.reaction > 0.0)) {
        best = ahead(o, root);
        *found = root;
      }
    }
    before = angle;
    f_before = f;
  }
  return best > 0.0;
}

/// Can the slip go this way? Where others hold it to a line, friction changes its acceleration along that line only.
static bool is_free(amo_flow *tr, uint32_t c, double angle, slide o)
{
  const slide back = outcome_of(tr, c, 0, angle + acos(-1.0)),
              side = outcome_of(tr, c, 0, angle + 0.5 * acos(-1.0));
  const double x = back.x - o.x, y = back.y - o.y, z = side.x - o.x, w = side.y - o.y;
  const double size = hypot(x, y) + hypot(z, w);
  if (fabs(x * w - y * z) > AMO_ROUGH * size * size) return true;
  const double way = cos(angle) * y - sin(angle) * x, other = cos(angle) * w - sin(angle) * z;
  return hypot(way, other) <= AMO_ROUGH * size;
}

/// Stick would need this force: its reverse is where the slip goes when friction gives way without a jump. How well that is met
/// depends on how well the time of it is known: soft contacts change their force by its own size in no time.
static bool along_the_limit(amo_flow *tr, uint32_t c, double angle)
{
  const slide change = outcome_of(tr, c, 1, angle), o = outcome_of(tr, c, 0, angle);
  const double size = amo_direction_scale(tr, c);
  return size > 0.0 &&
         hypot(o.x, o.y) <= AMO_SAME * size + amo_trial_time_error(tr) * hypot(change.x, change.y) &&
         is_free(tr, c, angle, o);
}

bool amo_slip_start_direction(amo_flow *tr, uint32_t c)
{
  const amo_contact *k = &tr->m->contact[c];
  amo_lane *l = &tr->lane[0];
  // in stick: the force, and whether there is a reaction at all
  l->mode[c] = 0;
  l->rearrange = true;
  amo_flow_expand_to(tr, 2);
  const double *x = tr->traction + k->xi * amo_flow_item(tr), *y = x + amo_flow_item(tr);
  const double *r = tr->reaction + c * amo_flow_item(tr);
  const double pace = l->pace > 0.0 ? l->pace : 1.0;
  const bool unloaded = amo_has_gap(k) && fabs(r[0]) <= AMO_NOTHING * fabs(r[1]) * pace;
  const double guess = unloaded ? atan2(-y[1], -x[1]) : atan2(-y[0], -x[0]);
  double found = guess;
  l->mode[c] = 1;
  const bool limit = !unloaded && along_the_limit(tr, c, guess);
  const bool there = limit || search(tr, c, unloaded ? 1 : 0, guess, &found);
  tr->starting[c].at_limit = limit;
  l->xi[k->xi] = cos(found);
  l->xi[k->xi + 1] = sin(found);
  l->reaction_fresh[c] = unloaded;
  l->rearrange = true;
  return there;
}

// ---- several contacts of one mechanism ----

/// What directions of sliding lead to, for all of them.
static void outcomes(amo_flow *tr, const uint32_t *contact, uint32_t n, const double *angle, slide *out)
{
  amo_lane *l = &tr->lane[0];
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t xi = tr->m->contact[contact[i]].xi;
    l->xi[xi] = cos(angle[i]);
    l->xi[xi + 1] = sin(angle[i]);
  }
  l->rearrange = true;
  amo_flow_expand_to(tr, 1);
  for (uint32_t i = 0; i < n; i++) {
    double rate[2];
    amo_direction_rate(tr, contact[i], 0, rate);
    out[i] = (slide){rate[0], rate[1], tr->reaction[contact[i] * amo_flow_item(tr)]};
  }
}

/// Directions against the forces that stick would need, in the best share of them.
static bool against_stick(amo_flow *f, const uint32_t *contact, uint32_t n, double *angle)
{
  const amo_lane *l = &f->trial->lane[0];
  signed char *mode = f->point->mirrored;
  memcpy(mode, l->mode, f->m->nc);
  for (uint32_t i = 0; i < n; i++) mode[contact[i]] = 0;
  amo_point_registers(f->point, l->t, l->y, mode);
  if (amo_point_solve(f->point, mode, NULL) != AMO_OK) return false;
  for (uint32_t i = 0; i < n; i++) {
    const double *force = f->point->traction + f->m->contact[contact[i]].xi;
    angle[i] = atan2(-force[1], -force[0]);
  }
  return true;
}

static double most_across(const slide *o, const double *angle, uint32_t n)
{
  double most = 0.0;
  for (uint32_t i = 0; i < n; i++) most = fmax(most, fabs(across(o[i], angle[i])));
  return most;
}

typedef struct direction_search {  // of slips that run along their directions
  amo_flow *tr;
  const uint32_t *contact;
  uint32_t n;
  slide *o;  // [n] at the directions looked at last
} direction_search;

static amo_status look(void *ctx, const double *angle, double *size)
{
  const direction_search *s = ctx;
  outcomes(s->tr, s->contact, s->n, angle, s->o);
  *size = most_across(s->o, angle, s->n);
  return AMO_OK;
}

/// Newton's, from differences of outcomes.
static amo_status step(void *ctx, const double *angle, double *move, double *length, double *size)
{
  const direction_search *s = ctx;
  const uint32_t n = s->n;
  const double turn = AMO_ROUGH;
  double matrix[AMO_MOST_TOGETHER * AMO_MOST_TOGETHER], to[AMO_MOST_TOGETHER];
  slide there[AMO_MOST_TOGETHER];
  (void)length, (void)size;
  memcpy(to, angle, n * sizeof *to);
  for (uint32_t j = 0; j < n; j++) {
    to[j] = angle[j] + turn;
    outcomes(s->tr, s->contact, n, to, there);
    for (uint32_t i = 0; i < n; i++)
      matrix[i * n + j] = (across(there[i], to[i]) - across(s->o[i], angle[i])) / turn;
    to[j] = angle[j];
  }
  for (uint32_t i = 0; i < n; i++) move[i] = -across(s->o[i], angle[i]);
  return amo_solve(matrix, n, move, 1);
}

/// Each in turn takes the direction that suits it, the others held.
static void relax(amo_flow *tr, const uint32_t *contact, uint32_t n, double *angle)
{
  for (int sweep = 0; sweep < 24; sweep++) {
    double change = 0.0;
    for (uint32_t i = 0; i < n; i++) {
      double found = angle[i];
      (void)search(tr, contact[i], 0, angle[i], &found);
      change = fmax(change, fabs(remainder(found - angle[i], 2.0 * acos(-1.0))));
      angle[i] = found;
      tr->lane[0].xi[tr->m->contact[contact[i]].xi] = cos(found);
      tr->lane[0].xi[tr->m->contact[contact[i]].xi + 1] = sin(found);
    }
    if (change <= 1e-3) return;
  }
}

bool amo_slip_start_directions(amo_flow *f, const uint32_t *contact, uint32_t n)
{
  amo_flow *tr = f->trial;
  double angle[AMO_MOST_TOGETHER] = {0}, work[2 * AMO_MOST_TOGETHER], size = 0.0, most = 0.0, left;
  slide o[AMO_MOST_TOGETHER];
  direction_search s = {tr, contact, n, o};
  amo_newton p = {look, step, &s, .n = n, .move = work, .trial = work + n, .most = 50, .halvings = 26};
  if (!against_stick(f, contact, n, angle)) return false;
  outcomes(tr, contact, n, angle, o);
  for (uint32_t i = 0; i < n; i++) {
    size = fmax(size, amo_direction_scale(tr, contact[i]));
    most = fmax(most, hypot(o[i].x, o[i].y));
  }
  const bool limit = most <= AMO_ROUGH * size;
  for (uint32_t i = 0; i < n; i++) tr->starting[contact[i]].at_limit = limit;
  if (limit) return true;
  p.enough = AMO_ROUNDED * size;
  for (int round = 0; round < 2; round++) {
    (void)amo_newton_solve(&p, angle);
    (void)look(&s, angle, &left);  // at the best directions
    bool good = left <= AMO_NOTHING * size;
    for (uint32_t i = 0; i < n; i++) good &= ahead(o[i], angle[i]) > 0.0;
    if (good) return true;
    if (round == 0) relax(tr, contact, n, angle);
  }
  return false;
}
