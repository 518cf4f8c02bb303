// SPDX-License-Identifier: Apache-2.0
#include "contact/conditions.h"

#include <math.h>

static int add(amo_condition *out, int n, amo_quantity what, uint32_t c, int side, int to)
{
  out[n] = (amo_condition){what, c, (signed char)side, (signed char)to};
  return n + 1;
}

static int conditions_of_stick(const amo_contact *k, uint32_t c, amo_hold hold, amo_condition *out, int n)
{
  if (amo_turns(k)) return add(out, n, AMO_IS_CONE, c, 1, 1);
  if (amo_is_loose(k)) hold = AMO_HELD_BY_OTHERS;
  for (int side = -1; hold != AMO_HELD_BY_FRICTION && side <= 1; side += 2)
    n = add(out, n, AMO_IS_SLIP, c, side, -side);
  for (int side = 1; hold != AMO_HELD_BY_OTHERS && side >= -1; side -= 2)
    n = add(out, n, AMO_IS_MARGIN, c, side, -side);
  return n;
}

int amo_conditions(const amo_contact *k, uint32_t c, signed char mode, signed char reaction_sign,
                   amo_hold hold, amo_condition *out)
{
  if (mode == AMO_MODE_OPEN) return amo_has_gap(k) ? add(out, 0, AMO_IS_GAP, c, 1, 0) : 0;
  int n = 0;
  if (amo_can_open(k))
    n = add(out, n, AMO_IS_REACTION, c, 1, AMO_MODE_OPEN);
  else if (amo_has_gap(k) && mode != 0)
    n = add(out, n, AMO_IS_REACTION, c, reaction_sign, k->rest == AMO_STICKS ? 0 : mode);
  if (k->npressing > 0) n = add(out, n, AMO_IS_PRESSING, c, 1, mode);
  if (mode != 0 && amo_never_sticks(k)) return n;
  return mode != 0 ? add(out, n, AMO_IS_SLIP, c, mode, 0) : conditions_of_stick(k, c, hold, out, n);
}

double amo_condition_value(const amo_point *p, const amo_condition *x)
{
  const amo_contact *k = &p->m->contact[x->index];
  const double bound = amo_point_bound(p, x->index), friction = p->lambda[x->index];
  switch (x->what) {
    case AMO_IS_SLIP: return x->side * p->reg[k->r_slip];
    case AMO_IS_MARGIN: return bound - x->side * friction;
    case AMO_IS_CONE: return bound * bound - friction * friction;
    case AMO_IS_PRESSING:
    case AMO_IS_REACTION: return x->side * p->reaction[x->index];
    case AMO_IS_GAP: return p->reg[k->r_gap];
    default: return NAN;
  }
}
