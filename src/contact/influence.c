// SPDX-License-Identifier: Apache-2.0
#include "contact/influence.h"

#include <math.h>
#include <string.h>

/// Reaction of guide c when `force` acts besides what acts anyway.
static amo_status reaction(amo_point *p, const signed char *mode, const double *force, uint32_t c, double *R)
{
  amo_status st = amo_point_solve(p, mode, force);
  *R = p->reaction[c];
  return st;
}

/// Sum of the magnitudes of what each force contributes to R0.
static amo_status term_size(amo_point *p, const signed char *mode, uint32_t c, double *force,
                            amo_influence *f)
{
  const amo_model *m = p->m;
  double rest = f->R0, R = 0.0;
  amo_status st = AMO_OK;
  memset(force, 0, m->nq * sizeof *force);
  f->R0_size = 0.0;
  for (uint32_t i = 0; st == AMO_OK && i < m->nq; i++) {
    force[i] = p->reg[m->r_h[i]];
    if (force[i] == 0.0) continue;
    st = reaction(p, mode, force, c, &R);
    f->R0_size += fabs(R - f->R0);
    rest -= R - f->R0;
    force[i] = 0.0;
  }
  f->R0_size += fabs(rest);  // of the velocities
  return st;
}

amo_status amo_influence_kept(amo_point *p, const signed char *mode, uint32_t c, bool moving, double *scratch,
                              amo_influence *f)
{
  const amo_contact *k = &p->m->contact[c];
  double *force = scratch, R = 0.0;
  memset(p->press, 0, p->m->nc);
  amo_status st = reaction(p, mode, NULL, c, &f->R0);
  if (st != AMO_OK) return st;
  double before = amo_point_slip_acceleration(p, c);
  memset(force, 0, p->m->nq * sizeof *force);
  for (uint32_t e = 0; e < k->nw; e++) force[k->w[e].col] += p->reg[k->w[e].reg];
  st = reaction(p, mode, force, c, &R);
  if (st != AMO_OK) return st;
  double gained = amo_point_slip_acceleration(p, c) - before;
  f->L = R - f->R0;
  f->mu = p->reg[k->r_kinetic];
  if (moving && gained > 0.0) {  // instant stop: impulses that take the slip away and leave the gap closed
    f->impulse_tangent = -p->reg[k->r_slip] / gained;
    f->impulse_normal = f->L * f->impulse_tangent;
  }
  return term_size(p, mode, c, force, f);
}
