// SPDX-License-Identifier: Apache-2.0
#include "peer_chain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <arkode/arkode_erkstep.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>

struct peer_chain {
  chain c;
  long events, rhs;
  SUNContext ctx;
  N_Vector y;
  void *erk;
  int *mode, *root, *direction;  // [n]
};

// Force of the springs on block i: what friction must carry in stick.
static double spring(const chain *c, const double *x, int i)
{
  double f = -c->k * x[i];
  if (i + 1 < c->n) f += c->c * (x[i + 1] - x[i]);
  if (i > 0) f -= c->c * (x[i] - x[i - 1]);
  return f;
}

static int rates(realtype t, N_Vector y, N_Vector dy, void *user)
{
  (void)t;
  peer_chain *p = user;
  const chain *c = &p->c;
  const int n = c->n;
  const double *x = NV_DATA_S(y), *u = x + n, im = 1.0 / c->m;
  double *dx = NV_DATA_S(dy), *du = dx + n;
  p->rhs++;
  for (int i = 0; i < n; i++) {
    dx[i] = u[i];
    if (p->mode[i] == 0) {
      du[i] = 0.0;
      continue;
    }
    const double sigma = p->mode[i];
    du[i] = im * (spring(c, x, i) - sigma * c->Fs / (1.0 + c->delta * sigma * (u[i] - c->v)));
  }
  return 0;
}

static int roots(realtype t, N_Vector y, realtype *g, void *user)
{
  (void)t;
  const peer_chain *p = user;
  const chain *c = &p->c;
  const double *x = NV_DATA_S(y), *u = x + c->n;
  for (int i = 0; i < c->n; i++) g[i] = p->mode[i] ? u[i] - c->v : c->Fs - fabs(spring(c, x, i));
  return 0;
}

static void silent(int code, const char *module, const char *function, char *msg, void *data)
{
  (void)code, (void)module, (void)function, (void)msg, (void)data;
}

peer_chain *peer_chain_new(const chain *c, int order, double tol)
{
  peer_chain *p = calloc(1, sizeof *p);
  if (!p) return NULL;
  const size_t n = (size_t)c->n;
  p->c = *c;
  p->mode = calloc(3 * n, sizeof *p->mode);
  p->root = p->mode ? p->mode + n : NULL;
  p->direction = p->mode ? p->mode + 2 * n : NULL;
  int bad = !p->mode || SUNContext_Create(NULL, &p->ctx);
  if (!bad) bad = !(p->y = N_VNew_Serial(2 * c->n, p->ctx));
  if (!bad) {
    N_VConst(0.0, p->y);
    N_VEnableFusedOps_Serial(p->y, SUNTRUE);
    bad = !(p->erk = ERKStepCreate(rates, 0.0, p->y, p->ctx));
  }
  if (!bad) {
    bad |= ERKStepSetErrHandlerFn(p->erk, silent, NULL);
    bad |= ERKStepSetTableNum(p->erk, order == 5 ? ARKODE_DORMAND_PRINCE_7_4_5 : ARKODE_FEHLBERG_13_7_8);
    bad |= ERKStepSStolerances(p->erk, tol, tol);
    bad |= ERKStepSetUserData(p->erk, p);
    bad |= ERKStepSetMaxNumSteps(p->erk, 1000000);
    bad |= ERKStepSetMaxFirstGrowth(p->erk, 1e4);
    bad |= ERKStepSetInterpolantDegree(p->erk, 5);
    bad |= ERKStepRootInit(p->erk, c->n, roots);
    bad |= ERKStepSetNoInactiveRootWarn(p->erk);
  }
  if (!bad) return p;
  peer_chain_free(p);
  return NULL;
}

void peer_chain_free(peer_chain *p)
{
  if (!p) return;
  if (p->erk) ERKStepFree(&p->erk);
  if (p->y) N_VDestroy(p->y);
  if (p->ctx) SUNContext_Free(&p->ctx);
  free(p->mode);
  free(p);
}

static int side(double a)
{
  return (a > 0.0) - (a < 0.0);
}

static void after_roots(peer_chain *p)
{
  const chain *c = &p->c;
  double *x = NV_DATA_S(p->y), *u = x + c->n;
  for (int i = 0; i < c->n; i++) {
    if (!p->root[i]) continue;
    const double f = spring(c, x, i);
    u[i] = c->v;
    p->mode[i] = p->mode[i] && fabs(f) <= c->Fs ? 0 : side(f);
    p->events++;
  }
}

int peer_chain_run(peer_chain *p, double t_end, double *state)
{
  const chain *c = &p->c;
  double *x = NV_DATA_S(p->y), t = 0.0;
  memcpy(x, state, sizeof(double) * 2 * (size_t)c->n);
  p->events = p->rhs = 0;
  for (int i = 0; i < c->n; i++) {
    const double s = x[c->n + i] - c->v, f = spring(c, x, i);
    p->mode[i] = s != 0.0 ? side(s) : fabs(f) <= c->Fs ? 0 : side(f);
  }
  for (;;) {
    // slip: towards zero from its own side; stick: the margin falls to zero
    for (int i = 0; i < c->n; i++) p->direction[i] = p->mode[i] == -1 ? 1 : -1;
    int bad = ERKStepReInit(p->erk, rates, t, p->y);
    bad |= ERKStepSetRootDirection(p->erk, p->direction);
    bad |= ERKStepSetStopTime(p->erk, t_end);
    if (bad) return -1;
    const int flag = ERKStepEvolve(p->erk, t_end, p->y, &t, ARK_NORMAL);
    if (flag < 0) return -1;
    if (flag != ARK_ROOT_RETURN) break;
    if (ERKStepGetRootInfo(p->erk, p->root) != 0) return -1;
    after_roots(p);
  }
  memcpy(state, x, sizeof(double) * 2 * (size_t)c->n);
  return 0;
}

long peer_chain_events(const peer_chain *p)
{
  return p->events;
}
long peer_chain_rhs(const peer_chain *p)
{
  return p->rhs;
}
