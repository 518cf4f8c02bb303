// SPDX-License-Identifier: Apache-2.0
/// Rates as functions of a prescribed slip of one contact, and the stiffness X and D against slip.
#include <float.h>
#include <math.h>

#include "num/bracket.h"
#include "quasistatic/statics.h"

amo_status amo_statics_response(amo_statics *s, const double *y, amo_qs_mode *mode, uint32_t c,
                                const bool *in, amo_slip_response *out)
{
  const amo_contact *t = &s->m->contact[c];
  const size_t n = s->ny, R = s->nq + c, L = s->nq + s->nc + 2 * c;
  const amo_qs_mode as = mode[c];
  *out = (amo_slip_response){.axes = (int)amo_slip_rows(t),
                             .mu = amo_has_gap(t) ? s->mu[c] * as.reaction_sign : 0.0};
  mode[c].kind = AMO_QS_STICK;
  amo_status st = amo_statics_arrange(s, y, mode, in);
  mode[c] = as;
  if (st != AMO_OK) return st;
  for (size_t k = 0; k < n; k++) {
    out->normal0 += s->inverse[R * n + k] * s->drift[k];
    for (int i = 0; i < out->axes; i++) out->force0[i] += s->inverse[(L + (size_t)i) * n + k] * s->drift[k];
  }
  for (size_t j = 0; j < (size_t)out->axes; j++) {  // beyond those of no slip
    out->normal[j] = s->inverse[R * n + L + j];
    for (size_t i = 0; i < (size_t)out->axes; i++) out->force[2 * i + j] = s->inverse[(L + i) * n + L + j];
  }
  return AMO_OK;
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
  const double turn = 2.0 * acos(-1.0);
  const int looks = r->axes == 1 ? 2 : 72;  // two waves in a turn at most
  double best = INFINITY;
  for (int i = 0; i < looks; i++) {
    const double at = i * turn / looks, x = along_angle(r, at);
    if (x < best) best = x, *angle = at;
  }
  *least_det = best;
  if (r->axes == 1) return best;
  const double *F = r->force, det = F[0] * F[3] - F[1] * F[2];
  *least_det = det - r->mu * hypot(r->normal[0] * F[3] - r->normal[1] * F[2],
                                   r->normal[1] * F[0] - r->normal[0] * F[1]);
  amo_valley v = amo_valley_of(*angle - turn / looks, *angle + turn / looks, *angle, best, sqrt(DBL_EPSILON));
  for (double x; amo_valley_next(&v, &x);) amo_valley_take(&v, x, along_angle(r, x));
  *angle = v.best.x;
  return v.best.f;
}
