// SPDX-License-Identifier: Apache-2.0
#include "peer_valve.h"

#include <math.h>

#include <arkode/arkode_erkstep.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>

static int rates(realtype t, N_Vector y, N_Vector dy, void *user)
{
  (void)t;
  const valve *v = user;
  const double *s = NV_DATA_S(y);
  double *d = NV_DATA_S(dy);
  d[0] = s[1];
  d[1] = -v->kappa * s[1] - (s[0] + v->delta) + s[2];
  d[2] = v->beta * (v->q - s[0] * sqrt(s[2]));
  return 0;
}

static int seat(realtype t, N_Vector y, realtype *g, void *user)
{
  (void)t, (void)user;
  g[0] = NV_Ith_S(y, 0);
  return 0;
}

static int configure(void *erk, const valve *v, int order, double tol)
{
  int falling = -1;
  int bad = ERKStepSetTableNum(erk, order == 5 ? ARKODE_DORMAND_PRINCE_7_4_5 : ARKODE_FEHLBERG_13_7_8);
  bad |= ERKStepSStolerances(erk, tol, tol);
  bad |= ERKStepSetUserData(erk, (void *)v);
  bad |= ERKStepSetMaxNumSteps(erk, 1000000);
  bad |= ERKStepSetMaxFirstGrowth(erk, 1e4);
  bad |= ERKStepSetInterpolantDegree(erk, 5);
  bad |= ERKStepRootInit(erk, 1, seat);
  bad |= ERKStepSetRootDirection(erk, &falling);
  bad |= ERKStepSetNoInactiveRootWarn(erk);
  return bad;
}

long peer_valve_run(const valve *v, int order, double tol, double t_end, double *state)
{
  SUNContext ctx = NULL;
  N_Vector y = NULL;
  void *erk = NULL;
  long strikes = -1;
  if (SUNContext_Create(NULL, &ctx) == 0) y = N_VNew_Serial(3, ctx);
  if (y != NULL) {
    for (int i = 0; i < 3; i++) NV_Ith_S(y, i) = state[i];
    erk = ERKStepCreate(rates, 0.0, y, ctx);
  }
  if (erk != NULL && configure(erk, v, order, tol) == 0) {
    realtype t = 0.0;
    int flag = 0;
    ERKStepSetStopTime(erk, t_end);
    for (strikes = 0; t < t_end && flag >= 0;) {
      flag = ERKStepEvolve(erk, t_end, y, &t, ARK_NORMAL);
      if (flag != ARK_ROOT_RETURN) continue;
      strikes++;
      NV_Ith_S(y, 0) = 0.0;
      NV_Ith_S(y, 1) *= -v->r;
      if (ERKStepReset(erk, t, y) != 0) flag = -1;
      ERKStepSetStopTime(erk, t_end);
    }
    if (flag < 0) strikes = -1;
    for (int i = 0; i < 3; i++) state[i] = NV_Ith_S(y, i);
  }
  if (erk != NULL) ERKStepFree(&erk);
  if (y != NULL) N_VDestroy(y);
  if (ctx != NULL) SUNContext_Free(&ctx);
  return strikes;
}
