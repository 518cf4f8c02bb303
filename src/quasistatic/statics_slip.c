// SPDX-License-Identifier: Apache-2.0
/// Rates as functions of a prescribed slip of one contact, and the stiffness X and D against slip.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "num/bracket.h"
#include "num/solve.h"
#include "quasistatic/statics_impl.h"

amo_status amo_statics_response(amo_statics *s, const double *y, const amo_qs_mode *mode, uint32_t c,
                                amo_slip_response *out)
{
  amo_qs_mode held[64];
  const amo_contact *k = &s->m->contact[c];
  if (s->nc > 64) return AMO_ELIMIT;
  memcpy(held, mode, s->nc * sizeof *held);
  held[c].kind = AMO_QS_STICK;
  *out = (amo_slip_response){.axes = k->spatial ? 2 : 1,
                             .mu = amo_has_gap(k) ? s->mu[c] * amo_pressing(s, y, c) : 0.0};
  const size_t rR = s->nq + c, rL = s->nq + s->nc + 2 * c;
  amo_status st = AMO_OK;
  for (int j = -1; st == AMO_OK && j < out->axes; j++) {
    amo_statics_assemble(s, y, held, false);
    if (j >= 0) {  // rates beyond those of no slip
      memset(s->rhs, 0, s->ny * sizeof *s->rhs);
      s->rhs[rL + (size_t)j] = 1.0;
    } else {  // slip velocity zero, whatever the surfaces do
      for (int i = 0; i < out->axes; i++) s->rhs[rL + (size_t)i] = -s->c[2 * c + (uint32_t)i];
    }
    st = amo_solve(s->matrix, s->ny, s->rhs, 1);
    if (st != AMO_OK) break;
    for (int i = 0; i < out->axes; i++)
      *(j < 0 ? &out->force0[i] : &out->force[2 * i + j]) = s->rhs[rL + (size_t)i];
    *(j < 0 ? &out->normal0 : &out->normal[j]) = s->rhs[rR];
  }
  return st;
}

double amo_slip_along(const amo_slip_response *r, const double d[2])
{
  double sum = r->mu * (r->normal[0] * d[0] + r->normal[1] * d[1]);
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) sum += d[i] * r->force[2 * i + j] * d[j];
  return sum;
}

double amo_slip_across(const amo_slip_response *r, const double d[2])
{
  const double e[2] = {-d[1], d[0]};
  double sum = 0.0;
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) sum += e[i] * r->force[2 * i + j] * d[j];
  return sum;
}

static double along_angle(const amo_slip_response *r, double angle)
{
  const double d[2] = {cos(angle), sin(angle)};
  return amo_slip_along(r, d);
}

double amo_slip_least(const amo_slip_response *r, double *angle, double *least_det)
{
  if (r->axes == 1) {
    double d[2] = {1.0, 0.0}, a = amo_slip_along(r, d);
    d[0] = -1.0;
    double b = amo_slip_along(r, d);
    *angle = b < a ? acos(-1.0) : 0.0;
    *least_det = fmin(a, b);
    return fmin(a, b);
  }
  const double *F = r->force, det = F[0] * F[3] - F[1] * F[2];
  *least_det = det - r->mu * hypot(r->normal[0] * F[3] - r->normal[1] * F[2],
                                   r->normal[1] * F[0] - r->normal[0] * F[1]);
  double best = INFINITY, step = acos(-1.0) / 36.0;  // two waves in a turn at most
  for (int i = 0; i < 72; i++) {
    double x = along_angle(r, i * step);
    if (x < best) best = x, *angle = i * step;
  }
  amo_valley v = amo_valley_of(*angle - step, *angle + step, *angle, best, 1e-9);
  for (double x; amo_valley_next(&v, &x);) amo_valley_take(&v, x, along_angle(r, x));
  *angle = v.best.x;
  return v.best.f;
}
