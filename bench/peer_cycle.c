// SPDX-License-Identifier: Apache-2.0
#include "peer_cycle.h"

#include <cvode/cvode.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdlib.h>
#include <string.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

struct peer_cycle {
  block b;
  double tol, side;  // side: sign of the slip
  SUNContext context;
  void *cvode;
  N_Vector y;  // x, v, then the columns of the fundamental matrix
  SUNNonlinearSolver solver;
  long rhs;
  double defect;
};

static int rates(realtype t, N_Vector y, N_Vector dy, void *user)
{
  peer_cycle *p = user;
  const block *b = &p->b;
  const double *x = N_VGetArrayPointer(y);
  double *d = N_VGetArrayPointer(dy);
  const double s = x[1] - b->v, D = 1.0 + b->delta * p->side * s, F = -p->side * b->Fs / D;
  const double slope = b->Fs * b->delta / (D * D);
  (void)t;
  d[0] = x[1];
  d[1] = (F - b->k * x[0]) / b->m;
  for (int c = 2; c < 6; c += 2) {
    d[c] = x[c + 1];
    d[c + 1] = (slope * x[c + 1] - b->k * x[c]) / b->m;
  }
  p->rhs++;
  return 0;
}

static int slip(realtype t, N_Vector y, realtype *g, void *user)
{
  (void)t;
  *g = N_VGetArrayPointer(y)[1] - ((peer_cycle *)user)->b.v;
  return 0;
}

peer_cycle *peer_cycle_new(const block *b, double tol)
{
  peer_cycle *p = calloc(1, sizeof *p);
  if (!p) return NULL;
  p->b = *b;
  p->tol = tol;
  int bad = SUNContext_Create(NULL, &p->context) != 0;
  if (!bad) p->y = N_VNew_Serial(6, p->context);
  if (!bad) p->cvode = CVodeCreate(CV_ADAMS, p->context);
  if (bad || !p->y || !p->cvode) return peer_cycle_free(p), NULL;
  N_VConst(0.0, p->y);
  p->solver = SUNNonlinSol_FixedPoint(p->y, 0, p->context);
  bad = !p->solver || CVodeInit(p->cvode, rates, 0.0, p->y);
  bad |= CVodeSetNonlinearSolver(p->cvode, p->solver);
  bad |= CVodeSStolerances(p->cvode, tol, tol);
  bad |= CVodeSetUserData(p->cvode, p);
  bad |= CVodeRootInit(p->cvode, 1, slip);
  bad |= CVodeSetNoInactiveRootWarn(p->cvode);
  bad |= CVodeSetMaxNumSteps(p->cvode, 1000000);
  if (bad) return peer_cycle_free(p), NULL;
  return p;
}

void peer_cycle_free(peer_cycle *p)
{
  if (!p) return;
  if (p->cvode) CVodeFree(&p->cvode);
  if (p->solver) SUNNonlinSolFree(p->solver);
  if (p->y) N_VDestroy(p->y);
  if (p->context) SUNContext_Free(&p->context);
  free(p);
}

/// Motion over `length` from y (6 numbers, in place). Slip with x' < v, stick, slip again, as often as it takes.
static int flow(peer_cycle *p, double *y, double length)
{
  const block *b = &p->b;
  double t = 0.0;
  p->side = -1.0;
  while (t < length) {
    const int stuck = fabs(y[1] - b->v) < 1e-13 && fabs(b->k * y[0]) < b->Fs * (1.0 - 1e-13);
    if (stuck) {  // a straight line; the jump back to slip is the identity
      const double stick = fmin((b->Fs / b->k - y[0]) / b->v, length - t);
      y[0] += b->v * stick;
      t += stick;
      if (t >= length) return 0;
      y[0] = b->Fs / b->k;
      continue;
    }
    memcpy(N_VGetArrayPointer(p->y), y, 6 * sizeof *y);
    CVodeReInit(p->cvode, t, p->y);
    CVodeSetStopTime(p->cvode, length);
    const int flag = CVode(p->cvode, length, p->y, &t, CV_NORMAL);
    memcpy(y, N_VGetArrayPointer(p->y), 6 * sizeof *y);
    if (flag < 0) return -1;
    if (flag != CV_ROOT_RETURN) return 0;
    y[1] = b->v;
    if (fabs(b->k * y[0]) < b->Fs)
      y[3] = y[5] = 0.0;  // stick begins: the velocity is forgotten
    else
      return -1;
  }
  return 0;
}

double peer_cycle_find(peer_cycle *p, double x, double period, double accuracy)
{
  const block *b = &p->b;
  p->rhs = 0;
  for (int i = 0; i < 20; i++) {
    double y[6] = {x, 0.0, 1.0, 0.0, 0.0, 1.0};
    if (flow(p, y, period) != 0) return NAN;
    const double h0 = y[0] - x, h1 = y[1];
    p->defect = fmax(fabs(h0), fabs(h1));
    if (p->defect <= accuracy) return period;
    // x' stays 0: unknowns x and T
    const double s = y[1] - b->v, F = b->Fs / (1.0 - b->delta * s);
    const double f0 = y[1], f1 = fabs(s) < 1e-13 ? 0.0 : (F - b->k * y[0]) / b->m;
    const double a00 = y[2] - 1.0, a10 = y[3], det = a00 * f1 - f0 * a10;
    x += (-h0 * f1 + f0 * h1) / det;
    period += (-a00 * h1 + a10 * h0) / det;
  }
  return NAN;
}

long peer_cycle_rhs(const peer_cycle *p)
{
  return p->rhs;
}
double peer_cycle_defect(const peer_cycle *p)
{
  return p->defect;
}
