// SPDX-License-Identifier: Apache-2.0
/// Arcs of the smoothed system with its variational equation, (y, Y)' = (f, J Y), by SUNDIALS' CVODE (BDF). The
/// Newton matrix of the integrator is taken block-diagonal: J for y and for every column.
#include <cvode/cvode.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "flow/smooth_system.h"
#include "orbit/shot.h"

typedef struct blunt {
  SUNContext context;
  void *cvode;
  N_Vector y, atol;
  SUNMatrix matrix;
  SUNLinearSolver solver;
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
  const sunindextype all = (sunindextype)(s->ns * (s->ns + 1));
  b->jacobian = calloc((size_t)s->ns * s->ns + 1, sizeof *b->jacobian);
  if (!b->jacobian || SUNContext_Create(NULL, &b->context) != 0) return AMO_ENOMEM;
  b->y = N_VNew_Serial(all, b->context);
  b->atol = N_VNew_Serial(all, b->context);
  b->matrix = SUNDenseMatrix(all, all, b->context);
  if (!b->y || !b->atol || !b->matrix) return AMO_ENOMEM;
  b->solver = SUNLinSol_Dense(b->y, b->matrix, b->context);
  return b->solver ? AMO_OK : AMO_ENOMEM;
}

static void destroy(amo_shooter *s)
{
  blunt *b = s->impl;
  if (b->cvode) CVodeFree(&b->cvode);
  if (b->solver) SUNLinSolFree(b->solver);
  if (b->matrix) SUNMatDestroy(b->matrix);
  if (b->y) N_VDestroy(b->y);
  if (b->atol) N_VDestroy(b->atol);
  if (b->context) SUNContext_Free(&b->context);
  amo_smooth_free(b->system);
  free(b->jacobian);
  free(b);
}

static bool set_up(amo_shooter *s, double t0)
{
  blunt *b = s->impl;
  if (b->cvode) return CVodeReInit(b->cvode, t0, b->y) == 0;
  b->cvode = CVodeCreate(CV_BDF, b->context);
  if (!b->cvode) return false;
  int bad = CVodeInit(b->cvode, rhs, t0, b->y);
  bad |= CVodeSetErrHandlerFn(b->cvode, silent, s);
  bad |= CVodeSVtolerances(b->cvode, s->opt.tol, b->atol);
  bad |= CVodeSetUserData(b->cvode, s);
  bad |= CVodeSetLinearSolver(b->cvode, b->solver, b->matrix);
  bad |= CVodeSetJacFn(b->cvode, jacobian);
  bad |= CVodeSetMaxNumSteps(b->cvode, -1);
  bad |= CVodeSetMaxErrTestFails(b->cvode, 100);  // entering stick, the step must shrink by many decades
  bad |= CVodeSetMaxConvFails(b->cvode, 100);
  return bad == 0;
}

static void count(amo_shooter *s)
{
  blunt *b = s->impl;
  long steps = 0, evaluations = 0, failed = 0, jacobians = 0, setups = 0;
  CVodeGetNumSteps(b->cvode, &steps);
  CVodeGetNumRhsEvals(b->cvode, &evaluations);
  CVodeGetNumErrTestFails(b->cvode, &failed);
  CVodeGetNumJacEvals(b->cvode, &jacobians);
  CVodeGetNumLinSolvSetups(b->cvode, &setups);
  s->last = (amo_effort){1, steps, failed, evaluations, jacobians, setups, 0};
}

static void begin(amo_shooter *s, const double *y0, amo_shot *out, double t0)
{
  blunt *b = s->impl;
  const size_t n = s->ns;
  double *y = N_VGetArrayPointer(b->y), *atol = N_VGetArrayPointer(b->atol);
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
  double t = t0, *y = N_VGetArrayPointer(b->y);
  (void)derivatives;
  begin(s, y0, out, t0);
  if (!set_up(s, t0)) return amo_shooter_fail(s, AMO_ENOMEM, "CVODE could not be set up");
  CVodeSetStopTime(b->cvode, t0 + duration);
  while (t < t0 + duration) {
    if (CVode(b->cvode, t0 + duration, b->y, &t, CV_ONE_STEP) < 0) {
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
