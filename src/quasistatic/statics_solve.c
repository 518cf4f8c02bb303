// SPDX-License-Identifier: Apache-2.0
/// The rows solved: rates, Newton's step, and what rounding may do to either.
#include <float.h>
#include <math.h>
#include <string.h>

#include "num/newton.h"
#include "num/solve.h"
#include "quasistatic/statics.h"

enum { STEPS = 39 };

double amo_statics_rounding(const amo_statics *s)
{
  return 8.0 * DBL_EPSILON * s->ny;
}

double amo_statics_force(const amo_statics *s)
{
  double stiff = 0.0;
  for (size_t i = 0; i < (size_t)s->nq * s->nq; i++) stiff = fmax(stiff, fabs(s->K[i]));
  return stiff > 0.0 ? ldexp(1.0, ilogb(stiff)) : 1.0;
}

/// out = |inverse| size, or without magnitudes inverse right.
static void apply(const amo_statics *s, const double *right, bool magnitudes, double *out)
{
  for (size_t i = 0; i < s->ny; i++) {
    out[i] = 0.0;
    for (size_t j = 0; j < s->ny; j++) {
      const double x = s->inverse[i * s->ny + j] * right[j];
      out[i] += magnitudes ? fabs(x) : x;
    }
  }
}

void amo_statics_scales(amo_statics *s)
{
  const double force = amo_statics_force(s);
  double most = 0.0;
  apply(s, s->size, true, s->scale);
  for (size_t i = 0; i < s->ny; i++) most = fmax(most, s->scale[i] / (i < s->nq ? 1.0 : force));
  for (size_t i = 0; i < s->ny; i++)  // elimination leaves rounding of the largest in all
    s->scale[i] += amo_statics_rounding(s) * most * (i < s->nq ? 1.0 : force);
}

amo_status amo_statics_arrange(amo_statics *s, const double *y, const amo_qs_mode *mode, const bool *in)
{
  const size_t n = s->ny;
  amo_statics_rows(s, y, NULL, mode);
  for (size_t i = 0; in && i < n; i++)
    for (size_t j = 0; !in[i] && j <= n; j++) {
      if (j < n) s->still[i * n + j] = i == j, s->move[i * n + j] = 0.0;
      s->drift[i] = s->rest[i] = s->size[i] = 0.0;
    }
  const double force = amo_statics_force(s);
  for (size_t i = 0; i < n * n; i++) s->work[i] = (s->still[i] + s->move[i]) * (i % n < s->nq ? 1.0 : force);
  amo_status st = amo_invert(s->work, n, s->inverse);
  for (size_t i = s->nq * n; i < n * n; i++) s->inverse[i] *= force;
  if (st == AMO_OK) amo_statics_scales(s);
  return st;
}

void amo_statics_rates(amo_statics *s, double *rate, double *error)
{
  const size_t n = s->ny;
  double *left = s->work, *size = left + n, *more = size + n;
  memset(rate, 0, n * sizeof *rate);
  for (int pass = 0; pass < 2; pass++) {  // the second removes what the first left
    for (size_t i = 0; i < n; i++) {
      left[i] = s->drift[i], size[i] = fabs(left[i]);
      for (size_t j = 0; j < n; j++) {
        const double x = (s->still[i * n + j] + s->move[i * n + j]) * rate[j];
        left[i] -= x, size[i] += fabs(x);
      }
    }
    apply(s, left, false, more);
    for (size_t i = 0; i < n; i++) rate[i] += more[i];
  }
  apply(s, size, true, error);
  for (size_t i = 0; i < n; i++) error[i] *= amo_statics_rounding(s);
}

typedef struct settling {  // of the unknowns in these modes, at time t
  amo_statics *s;
  double t;
  const amo_qs_mode *mode;
  double *by;  // [ny] what the rows ask for
} settling;

static amo_status look(void *ctx, const double *y, double *size)
{
  const settling *k = ctx;
  amo_statics *s = k->s;
  amo_status st = amo_statics_at(s, k->t, y);
  if (st == AMO_OK) st = amo_statics_arrange(s, y, k->mode, NULL);
  if (st != AMO_OK) return st;
  apply(s, s->rest, false, k->by);
  *size = 0.0;
  for (size_t i = 0; i < s->ny; i++) {
    const double part = k->by[i] == 0.0 ? 0.0 : fabs(k->by[i]) / (amo_statics_rounding(s) * s->scale[i]);
    *size = isnan(part) ? NAN : fmax(*size, part);
  }
  return AMO_OK;
}

static amo_status step(void *ctx, const double *y, double *move, double *length, double *size)
{
  const settling *k = ctx;
  (void)y, (void)length, (void)size;
  for (size_t i = 0; i < k->s->ny; i++) move[i] = -k->by[i];
  return AMO_OK;
}

amo_status amo_statics_settle(amo_statics *s, double t, double *y, const amo_qs_mode *mode)
{
  const size_t n = s->ny;
  settling k = {s, t, mode, s->work + n * n};
  amo_newton p = {look, step, &k, .n = n, .move = s->work, .trial = k.by + n, .enough = 1.0, .most = STEPS};
  amo_status st = amo_newton_solve(&p, y);
  for (size_t i = 0; st == AMO_OK && i < n; i++) y[i] -= k.by[i];
  return st == AMO_OK ? amo_statics_at(s, t, y) : st;
}
