// SPDX-License-Identifier: Apache-2.0
/// Rows of contacts and constraints: what multiplies the accelerations.
#include <stdlib.h>

#include "model/rows.h"

/// True when no coefficient depends on a velocity, i.e. the expression is affine in the velocities.
static bool affine(amo_loader *ld, const amo_node *value, uint32_t n)
{
  const amo_leaves *l = &ld->m->leaf;
  for (uint32_t i = 0; i < n; i++) {
    if (ld->m->nq && amo_node_depends(ld->dag, value[i], l->u, ld->m->nq)) return false;
    if (ld->coords.given && amo_node_depends(ld->dag, value[i], ld->inner.u, ld->coords.given)) return false;
  }
  return true;
}

amo_status amo_row_make(amo_loader *ld, amo_node velocity, amo_at at, const char *what, bool needs_free,
                        amo_row *out)
{
  amo_status st = amo_mech_gradient(&ld->mech, velocity, true, &out->coord, &out->value, &out->count);
  if (st != AMO_OK) return st;
  if (!affine(ld, out->value, out->count))
    return amo_error(ld->diags, at, "only terms like R*phi' are possible",
                     "%s must be linear in the velocities", what);
  bool moves = false;
  for (uint32_t i = 0; i < out->count; i++)
    moves |= !needs_free || !amo_is_given(&ld->coords.item[out->coord[i]]);
  if (!moves)
    return amo_error(ld->diags, at, NULL, "%s does not depend on the velocity of any %scoordinate", what,
                     needs_free ? "free " : "");
  out->zeta = amo_total(ld->dag, velocity, ld->rules.zeta, ld->inner.count);
  return AMO_OK;
}

amo_status amo_row_of_position(amo_loader *ld, amo_node e, amo_at at, const char *what, amo_node *rate,
                               amo_row *out)
{
  *rate = amo_total(ld->dag, e, ld->rules.time, ld->inner.count);
  return amo_row_make(ld, *rate, at, what, true, out);
}

void amo_row_free(amo_row *r)
{
  free(r->coord);
  free(r->value);
  *r = (amo_row){0};
}
