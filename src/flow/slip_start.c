// SPDX-License-Identifier: Apache-2.0
#include "flow/slip_start.h"

#include <math.h>
#include <string.h>

#include "flow/direction.h"
#include "flow/trial.h"
#include "num/bracket.h"

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
  const bool support = tr->m->contact[c].kind == AMO_SUPPORT;
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

/// Stick would need this force: its reverse is where the slip goes when friction gives way without a jump. How well that is met
/// depends on how well the time of it is known: soft contacts change their force by its own size in no time.
static bool along_the_limit(amo_flow *tr, uint32_t c, double angle)
{
  const slide change = outcome_of(tr, c, 1, angle), o = outcome_of(tr, c, 0, angle);
  const double size = amo_direction_scale(tr, c);
  return size > 0.0 &&
         hypot(o.x, o.y) <= AMO_SAME * size + amo_trial_time_error(tr) * hypot(change.x, change.y);
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
  const bool there =
      (!unloaded && along_the_limit(tr, c, guess)) || search(tr, c, unloaded ? 1 : 0, guess, &found);
  l->xi[k->xi] = cos(found);
  l->xi[k->xi + 1] = sin(found);
  l->reaction_fresh[c] = unloaded;
  l->rearrange = true;
  return there;
}
