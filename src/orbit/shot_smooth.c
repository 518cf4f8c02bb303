// SPDX-License-Identifier: Apache-2.0
/// Arcs of the smoothed system with its variational equation, (y, Y)' = (f, J Y), by SUNDIALS' CVODE (BDF). The
/// Newton matrix of the integrator is taken block-diagonal: J for y and for every column.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "num/bdf.h"
#include "flow/smooth_system.h"
#include "orbit/shot.h"

typedef struct blunt {
  amo_bdf bdf;
  amo_smooth *system;
  double *jacobian;  // [ns][ns]
} blunt;

static int rhs(realtype t, N_Vector y, N_Vector dy, void *user)
{
  amo_shooter *s = user;
  blunt *b = s->impl;
  const size_t n = s->ns;
  const double *x = N_VGetArrayPointer(y);
  double *d = N_VGetArrayPointer(dy);
  if (amo_smooth_rates(b->system, t, x, d) != AMO_OK) return -1;
  if (amo_smooth_jacobian(b->system, t, x, b->jacobian) != AMO_OK) return -1;
  memset(d + n, 0, n * n * sizeof *d);
  for (size_t c = 0; c < n; c++)
    for (size_t k = 0; k < n; k++)
      for (size_t i = 0; i < n; i++) d[n + c * n + i] += b->jacobian[k * n + i] * x[n + c * n + k];
  return 0;
}

static int jacobian(realtype t, N_Vector y, N_Vector fy, SUNMatrix j, void *user, N_Vector a, N_Vector c,
                    N_Vector d)
{
  (void)fy, (void)a, (void)c, (void)d;
  amo_shooter *s = user;
  blunt *b = s->impl;
  const size_t n = s->ns, all = n + n * n;
  if (amo_smooth_jacobian(b->system, t, N_VGetArrayPointer(y), b->jacobian) != AMO_OK) return -1;
  double *m = SUNDenseMatrix_Data(j);
  memset(m, 0, all * all * sizeof *m);
  for (size_t block = 0; block <= n; block++)
    for (size_t k = 0; k < n; k++)
      memcpy(m + (block * n + k) * all + block * n, b->jacobian + k * n, n * sizeof *m);
  return 0;
}

static void silent(int code, const char *module, const char *function, char *message, void *user)
{
  (void)code, (void)module, (void)function;
  amo_shooter_fail(user, AMO_ENOANSWER, "CVODE: %.200s", message);
}

static amo_status make(amo_shooter *s)
{
  blunt *b = s->impl = calloc(1, sizeof *b);
  if (!b) return AMO_ENOMEM;
  if (s->np > 0)
    return amo_shooter_fail(s, AMO_EUNSUPPORTED, "method smooth has no sensitivities to parameters");
  for (uint32_t c = 0; c < s->m->nc; c++)
    if (amo_has_gap(&s->m->contact[c]))
      return amo_shooter_fail(s, AMO_EUNSUPPORTED, "method smooth knows pressed contacts only");
  amo_status st = amo_smooth_new(s->m, &b->system);
  if (st != AMO_OK)
    return amo_shooter_fail(s, st, "method smooth does not know this model: %s", amo_status_text(st));
  b->jacobian = calloc((size_t)s->ns * s->ns + 1, sizeof *b->jacobian);
  return b->jacobian ? amo_bdf_make(&b->bdf, (size_t)s->ns * (s->ns + 1)) : AMO_ENOMEM;
}

static void destroy(amo_shooter *s)
{
  blunt *b = s->impl;
  amo_bdf_free(&b->bdf);
  amo_smooth_free(b->system);
  free(b->jacobian);
  free(b);
}

static void count(amo_shooter *s)
{
  blunt *b = s->impl;
  const amo_bdf_counts n = amo_bdf_count(&b->bdf);
  s->last = (amo_effort){1, n.steps, n.rejected, n.rhs, n.jacobians, n.factorisations, 0};
}

static void begin(amo_shooter *s, const double *y0, amo_shot *out, double t0)
{
  blunt *b = s->impl;
  const size_t n = s->ns;
  double *y = N_VGetArrayPointer(b->bdf.y), *atol = N_VGetArrayPointer(b->bdf.atol);
  amo_smooth_parameters(b->system, s->param, s->opt.eps);
  memset(y, 0, n * (n + 1) * sizeof *y);
  memcpy(y, y0, n * sizeof *y);
  for (size_t i = 0; i < n; i++) y[n + i * n + i] = 1.0;
  for (size_t i = 0; i < n * (n + 1); i++) atol[i] = s->opt.tol;
  (void)amo_smooth_rates(b->system, t0, y0, out->leave);
}

static amo_status run(amo_shooter *s, double t0, const double *y0, double duration, bool derivatives,
                      amo_shot *out)
{
  blunt *b = s->impl;
  const size_t n = s->ns;
  double t = t0, *y = N_VGetArrayPointer(b->bdf.y);
  (void)derivatives;
  begin(s, y0, out, t0);
  if (!amo_bdf_start(&b->bdf, t0, s->opt.tol, &(amo_bdf_calls){rhs, jacobian, silent, s}))
    return amo_shooter_fail(s, AMO_ENOMEM, "CVODE could not be set up");
  CVodeSetStopTime(b->bdf.cvode, t0 + duration);
  while (t < t0 + duration) {
    if (CVode(b->bdf.cvode, t0 + duration, b->bdf.y, &t, CV_ONE_STEP) < 0) {
      count(s);
      return AMO_ENOANSWER;
    }
    bool near = false;
    for (uint32_t c = 0; c < s->m->nc; c++) near |= fabs(amo_smooth_slip(b->system, c)) < 1e-3;
    out->points += near;
    for (size_t i = 0; i < n; i++) out->size[i] = fmax(out->size[i], fabs(y[i]));
    if (s->stop && *s->stop) return amo_shooter_fail(s, AMO_EINTR, "interrupted");
  }
  count(s);
  memcpy(out->end, y, n * sizeof *y);
  memcpy(out->matrix, y + n, n * n * sizeof *y);
  return amo_smooth_rates(b->system, t0 + duration, out->end, out->arrive);
}

const amo_shooter_ops amo_shoot_smooth = {make, destroy, run};
