// SPDX-License-Identifier: Apache-2.0
#include "num/bdf.h"

#include <sunlinsol/sunlinsol_dense.h>

amo_status amo_bdf_make(amo_bdf *b, size_t n)
{
  const sunindextype size = (sunindextype)n;
  if (SUNContext_Create(NULL, &b->context) != 0) return AMO_ENOMEM;
  b->y = N_VNew_Serial(size, b->context);
  b->atol = N_VNew_Serial(size, b->context);
  b->matrix = SUNDenseMatrix(size, size, b->context);
  if (b->y == NULL || b->atol == NULL || b->matrix == NULL) return AMO_ENOMEM;
  b->solver = SUNLinSol_Dense(b->y, b->matrix, b->context);
  return b->solver != NULL ? AMO_OK : AMO_ENOMEM;
}

void amo_bdf_free(amo_bdf *b)
{
  if (b->cvode != NULL) CVodeFree(&b->cvode);
  if (b->solver != NULL) SUNLinSolFree(b->solver);
  if (b->matrix != NULL) SUNMatDestroy(b->matrix);
  if (b->y != NULL) N_VDestroy(b->y);
  if (b->atol != NULL) N_VDestroy(b->atol);
  if (b->context != NULL) SUNContext_Free(&b->context);
  *b = (amo_bdf){0};
}

bool amo_bdf_start(amo_bdf *b, double t, double tol, const amo_bdf_calls *calls)
{
  if (b->cvode != NULL) return CVodeReInit(b->cvode, t, b->y) == 0;
  b->cvode = CVodeCreate(CV_BDF, b->context);
  if (b->cvode == NULL) return false;
  int bad = CVodeInit(b->cvode, calls->rates, t, b->y);
  bad |= CVodeSetErrHandlerFn(b->cvode, calls->error, calls->user);
  bad |= CVodeSVtolerances(b->cvode, tol, b->atol);
  bad |= CVodeSetUserData(b->cvode, calls->user);
  bad |= CVodeSetLinearSolver(b->cvode, b->solver, b->matrix);
  bad |= CVodeSetJacFn(b->cvode, calls->jacobian);
  bad |= CVodeSetMaxNumSteps(b->cvode, -1);
  bad |= CVodeSetMaxErrTestFails(b->cvode, 100);  // entering stick, the step must shrink by many decades
  bad |= CVodeSetMaxConvFails(b->cvode, 100);
  return bad == 0;
}

amo_bdf_counts amo_bdf_count(const amo_bdf *b)
{
  amo_bdf_counts n = {0};
  CVodeGetNumSteps(b->cvode, &n.steps);
  CVodeGetNumRhsEvals(b->cvode, &n.rhs);
  CVodeGetNumErrTestFails(b->cvode, &n.rejected);
  CVodeGetNumJacEvals(b->cvode, &n.jacobians);
  CVodeGetNumLinSolvSetups(b->cvode, &n.factorisations);
  return n;
}
