// SPDX-License-Identifier: Apache-2.0
#include "steady/guess.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static bool stands(const amo_expansion *x, uint32_t c)
{
  const amo_contact *k = &x->m->contact[c];
  return amo_turns(k) && amo_expansion_register(x, k->axis[0].r_slip, 0) == 0.0 &&
         amo_expansion_register(x, k->axis[1].r_slip, 0) == 0.0;
}

/// Direction against the force that would hold contact c, or against its change in time. False: neither.
static bool against_friction(amo_expansion *x, uint32_t c, const double *still, double d[2])
{
  for (int k = 0; k < 2; k++) {
    if (k == 1) amo_expansion_along(x, still, 1.0, 1);
    double f[2] = {amo_expansion_friction(x, c, 0, k), amo_expansion_friction(x, c, 1, k)},
           size = hypot(f[0], f[1]);
    if (!(size > AMO_NOTHING * (1.0 + fabs(amo_expansion_reaction(x, c, k))))) continue;
    d[0] = -f[0] / size;
    d[1] = -f[1] / size;
    return true;
  }
  return false;
}

/// Acceleration of contact c along d, coefficient 1.
static double along(const amo_expansion *x, uint32_t c, const double d[2])
{
  const amo_contact *k = &x->m->contact[c];
  double sum = 0.0;
  for (int a = 0; a < 2; a++)
    for (uint32_t e = 0; e < k->axis[a].nw; e++)
      sum += d[a] * amo_expansion_register(x, k->axis[a].w[e].reg, 0) *
             amo_expansion_rate(x, x->m->nq + k->axis[a].w[e].col, 1, 0);
  return sum;
}

/// Velocities [nq] that slide contact c along d at unit speed, by its own coordinates.
static void unit_slip(const amo_expansion *x, uint32_t c, const double d[2], double *v)
{
  const amo_contact *k = &x->m->contact[c];
  memset(v, 0, x->m->nq * sizeof *v);
  for (int a = 0; a < 2; a++) {
    double size = 0.0;
    for (uint32_t e = 0; e < k->axis[a].nw; e++)
      size += pow(amo_expansion_register(x, k->axis[a].w[e].reg, 0), 2);
    for (uint32_t e = 0; size > 0.0 && e < k->axis[a].nw; e++)
      v[k->axis[a].w[e].col] += d[a] * amo_expansion_register(x, k->axis[a].w[e].reg, 0) / size;
  }
}

static amo_status guess(amo_expansion *x, double t, double *state, const signed char *mode, uint32_t c,
                        double *work)
{
  const uint32_t nq = x->m->nq, n = 2 * nq + x->m->nz;
  double *still = work, *v = work + n, d[2];
  signed char *held = (signed char *)(work + 2 * (size_t)n);
  memcpy(held, mode, x->m->nc);
  held[c] = 0;
  amo_status st = amo_expansion_at(x, t, state, held);
  if (st != AMO_OK || !stands(x, c) || !against_friction(x, c, still, d)) return st;
  x->xi[x->m->contact[c].xi] = d[0];
  x->xi[x->m->contact[c].xi + 1] = d[1];
  st = amo_expansion_at(x, t, state, mode);
  if (st != AMO_OK) return st;
  memset(v, 0, n * sizeof *v);
  unit_slip(x, c, d, v);
  amo_expansion_along(x, v, 0.0, 1);
  double stiff = along(x, c, d);
  amo_expansion_along(x, still, 1.0, 1);
  double speed = -along(x, c, d) / stiff;  // springs and loads change alike
  for (uint32_t i = 0; isfinite(speed) && i < nq; i++) state[nq + i] += fabs(speed) * v[i];
  return AMO_OK;
}

amo_status amo_guess_slip(amo_expansion *x, double t, double *state, const signed char *mode)
{
  const size_t n = 2u * x->m->nq + x->m->nz;
  double *work = amo_zalloc(2 * n + x->m->nc, sizeof *work);
  amo_status st = work ? AMO_OK : AMO_ENOMEM;
  for (uint32_t c = 0; st == AMO_OK && c < x->m->nc; c++)
    if (amo_turns(&x->m->contact[c]) && mode[c] == 1) {
      memset(work, 0, (2 * n + x->m->nc) * sizeof *work);
      st = guess(x, t, state, mode, c, work);
      if (st == AMO_ENOANSWER) st = AMO_OK;  // begin as it is
    }
  free(work);
  return st;
}
