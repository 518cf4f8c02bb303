// SPDX-License-Identifier: Apache-2.0
#include "peer.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include <arkode/arkode_erkstep.h>
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "timing.h"

struct peer {
  block b;
  peer_options o;
  double inv_m;
  long rhs;
  SUNContext ctx;
  N_Vector y, z;  // (x, x') and, for Henon's step, (t, x)
  void *cvode, *erk, *back;
  SUNNonlinearSolver fixed_point;
};

static const double HORIZON = 1e3;  // far beyond any slip phase

const char *peer_name(peer_solver s, peer_event e)
{
  static const char *const name[PEER_SOLVERS][PEER_EVENTS] = {
      {"CVODE Adams, root", "CVODE Adams, Henon"},
      {"ERKStep Dormand-Prince 5(4), root", "ERKStep Dormand-Prince 5(4), Henon"},
      {"ERKStep Fehlberg 8(7), root", "ERKStep Fehlberg 8(7), Henon"},
  };
  return name[s][e];
}

// Slip with x' < v: the mode is known, so the hand-written right-hand side has no branch.
static int slip(realtype t, N_Vector y, N_Vector dy, void *user)
{
  (void)t;
  peer *p = user;
  const realtype *Y = NV_DATA_S(y);
  realtype *D = NV_DATA_S(dy);
  p->rhs++;
  D[0] = Y[1];
  D[1] = (p->b.Fs / (1.0 + p->b.delta * (p->b.v - Y[1])) - p->b.k * Y[0]) * p->inv_m;
  return 0;
}

static int slip_velocity(realtype t, N_Vector y, realtype *g, void *user)
{
  (void)t;
  g[0] = NV_DATA_S(y)[1] - ((peer *)user)->b.v;
  return 0;
}

// Henon (1982): the same motion with x' as independent variable, y = (t, x).
static int slip_by_velocity(realtype u, N_Vector z, N_Vector dz, void *user)
{
  peer *p = user;
  const realtype *Z = NV_DATA_S(z);
  realtype *D = NV_DATA_S(dz);
  p->rhs++;
  const realtype a = (p->b.Fs / (1.0 + p->b.delta * (p->b.v - u)) - p->b.k * Z[1]) * p->inv_m;
  D[0] = 1.0 / a;
  D[1] = u * D[0];
  return 0;
}

static void silent(int code, const char *module, const char *function, char *msg, void *data)
{
  (void)code, (void)module, (void)function, (void)msg, (void)data;
}

static int make_adams(peer *p)
{
  int bad = 0;
  p->cvode = CVodeCreate(CV_ADAMS, p->ctx);
  p->fixed_point = SUNNonlinSol_FixedPoint(p->y, 0, p->ctx);
  if (!p->cvode || !p->fixed_point) return -1;
  bad |= CVodeInit(p->cvode, slip, 0.0, p->y);
  bad |= CVodeSetErrHandlerFn(p->cvode, silent, NULL);
  bad |= CVodeSStolerances(p->cvode, p->o.rtol, p->o.atol);
  bad |= CVodeSetUserData(p->cvode, p);
  bad |= CVodeSetNonlinearSolver(p->cvode, p->fixed_point);
  bad |= CVodeSetMaxNumSteps(p->cvode, 100000);
  bad |= CVodeSetInitStep(p->cvode, p->o.first_step);
  if (p->o.conv_coef > 0.0) bad |= CVodeSetNonlinConvCoef(p->cvode, p->o.conv_coef);
  if (p->o.event == PEER_ROOT) {
    int up = 1;
    bad |= CVodeRootInit(p->cvode, 1, slip_velocity);
    bad |= CVodeSetRootDirection(p->cvode, &up);
    bad |= CVodeSetNoInactiveRootWarn(p->cvode);
  }
  return bad;
}

static int make_erk(peer *p, void **mem, ARKRhsFn f, N_Vector y)
{
  static const ARKODE_ERKTableID table[PEER_SOLVERS] = {
      [PEER_DP5] = ARKODE_DORMAND_PRINCE_7_4_5,
      [PEER_FEHLBERG8] = ARKODE_FEHLBERG_13_7_8,
  };
  static const int controller[] = {ARK_ADAPT_PID, ARK_ADAPT_PI, ARK_ADAPT_I, ARK_ADAPT_EXP_GUS};
  int bad = 0;
  void *m = *mem = ERKStepCreate(f, 0.0, y, p->ctx);
  if (!m) return -1;
  bad |= ERKStepSetErrHandlerFn(m, silent, NULL);
  bad |= ERKStepSetTableNum(m, p->o.solver == PEER_ADAMS ? ARKODE_FEHLBERG_13_7_8 : table[p->o.solver]);
  bad |= ERKStepSStolerances(m, p->o.rtol, p->o.atol);
  bad |= ERKStepSetUserData(m, p);
  bad |= ERKStepSetMaxNumSteps(m, 100000);
  bad |= ERKStepSetInitStep(m, p->o.first_step);
  bad |= ERKStepSetAdaptivityMethod(m, controller[p->o.controller], 1, 0, NULL);
  bad |= ERKStepSetMaxFirstGrowth(m, 1e4);
  return bad;
}

peer *peer_new(const block *b, const peer_options *o)
{
  peer *p = calloc(1, sizeof *p);
  if (!p) return NULL;
  p->b = *b;
  p->o = *o;
  p->inv_m = 1.0 / b->m;
  int bad = SUNContext_Create(NULL, &p->ctx);
  if (!bad) {
    p->y = N_VNew_Serial(2, p->ctx);
    p->z = N_VNew_Serial(2, p->ctx);
    bad = !p->y || !p->z;
  }
  if (!bad) {
    N_VEnableFusedOps_Serial(p->y, SUNTRUE);  // one call per linear combination instead of one per vector
    N_VEnableFusedOps_Serial(p->z, SUNTRUE);
    NV_DATA_S(p->y)[0] = b->Fs / b->k;
    NV_DATA_S(p->y)[1] = b->v;
    NV_DATA_S(p->z)[0] = 0.0;
    NV_DATA_S(p->z)[1] = 0.0;
    bad = o->solver == PEER_ADAMS ? make_adams(p) : make_erk(p, &p->erk, slip, p->y);
  }
  if (!bad && o->solver != PEER_ADAMS && o->event == PEER_ROOT) {
    int up = 1;
    bad |= ERKStepSetInterpolantDegree(p->erk, o->degree);
    bad |= ERKStepRootInit(p->erk, 1, slip_velocity);
    bad |= ERKStepSetRootDirection(p->erk, &up);
    bad |= ERKStepSetNoInactiveRootWarn(p->erk);
  }
  if (!bad && o->event == PEER_HENON) bad = make_erk(p, &p->back, slip_by_velocity, p->z);
  if (bad) {
    peer_free(p);
    return NULL;
  }
  return p;
}

void peer_free(peer *p)
{
  if (!p) return;
  if (p->cvode) CVodeFree(&p->cvode);
  if (p->fixed_point) SUNNonlinSolFree(p->fixed_point);
  if (p->erk) ERKStepFree(&p->erk);
  if (p->back) ERKStepFree(&p->back);
  if (p->y) N_VDestroy(p->y);
  if (p->z) N_VDestroy(p->z);
  if (p->ctx) SUNContext_Free(&p->ctx);
  free(p);
}

long peer_rhs(const peer *p)
{
  return p->rhs;
}

// The root function is zero, with zero slope, where slip begins. SUNDIALS takes a root function that
// vanishes at the start out of the search until it is seen nonzero, so no expansion is needed;
// the direction (+) excludes the start for good.
static int slip_to_root(peer *p, double *t)
{
  if (p->o.solver == PEER_ADAMS) {
    if (CVodeReInit(p->cvode, 0.0, p->y) != 0) return -1;
    return CVode(p->cvode, HORIZON, p->y, t, CV_NORMAL) == CV_ROOT_RETURN ? 0 : -1;
  }
  if (ERKStepReInit(p->erk, slip, 0.0, p->y) != 0) return -1;
  return ERKStepEvolve(p->erk, HORIZON, p->y, t, ARK_NORMAL) == ARK_ROOT_RETURN ? 0 : -1;
}

static int slip_by_steps(peer *p, double *t)
{
  realtype *Y = NV_DATA_S(p->y), *Z = NV_DATA_S(p->z);
  const int adams = p->o.solver == PEER_ADAMS;
  int bad = adams ? CVodeReInit(p->cvode, 0.0, p->y) : ERKStepReInit(p->erk, slip, 0.0, p->y);
  do {
    bad |= adams ? CVode(p->cvode, HORIZON, p->y, t, CV_ONE_STEP)
                 : ERKStepEvolve(p->erk, HORIZON, p->y, t, ARK_ONE_STEP);
  } while (bad == 0 && Y[1] < p->b.v);
  if (bad != 0) return -1;
  if (Y[1] == p->b.v) return 0;
  const double u = Y[1];
  double at = u;
  Z[0] = *t;
  Z[1] = Y[0];
  bad |= ERKStepReInit(p->back, slip_by_velocity, u, p->z);
  bad |= ERKStepSetInitStep(p->back, p->b.v - u);
  bad |= ERKStepSetStopTime(p->back, p->b.v);
  const int flag = ERKStepEvolve(p->back, p->b.v, p->z, &at, ARK_NORMAL);
  if (bad != 0 || flag < 0) return -1;
  *t = Z[0];
  Y[0] = Z[1];
  return 0;
}

double peer_period(peer *p)
{
  const double breakaway = p->b.Fs / p->b.k;
  realtype *Y = NV_DATA_S(p->y);
  double t = 0.0;
  Y[0] = breakaway;
  Y[1] = p->b.v;
  p->rhs = 0;
  if ((p->o.event == PEER_ROOT ? slip_to_root(p, &t) : slip_by_steps(p, &t)) != 0) return NAN;
  return t + (breakaway - Y[0]) / p->b.v;  // stick in closed form
}

// ---- the scan -------------------------------------------------------------------------------------------

enum { KEEP = 8, TOLERANCES = 33 };  // rtol 1e-5 ... 1e-13, four to the decade

typedef struct candidate {
  peer_options o;
  double cost;
} candidate;

typedef struct shortlist {
  candidate item[KEEP];  // sorted by cost
  int count;
  long least_rhs;
} shortlist;

static void run_period(void *ctx)
{
  volatile double t = peer_period(ctx);
  (void)t;
}

static void keep(shortlist *l, const peer_options *o, double cost)
{
  if (l->count == KEEP && cost >= l->item[KEEP - 1].cost) return;
  int i = l->count < KEEP ? l->count++ : KEEP - 1;
  for (; i > 0 && l->item[i - 1].cost > cost; i--) l->item[i] = l->item[i - 1];
  l->item[i] = (candidate){*o, cost};
}

// A brief time ranks a setting; those with far more right-hand sides than the best are not timed at all.
static void rank(shortlist *l, const peer_options *o, peer *p)
{
  if (l->count && p->rhs > 2 * l->least_rhs) return;
  if (!l->count || p->rhs < l->least_rhs) l->least_rhs = p->rhs;
  double best = HUGE_VAL;
  for (int rep = 0; rep < 5; rep++) {
    const double t0 = bench_now();
    for (int i = 0; i < 3; i++) run_period(p);
    best = fmin(best, bench_now() - t0);
  }
  keep(l, o, best);
}

// All tolerances of one combination, from tight to loose: reliable until the first that misses the bound.
static void scan_tolerances(const block *b, peer_options o, double atol_ratio, double exact, double bound,
                            shortlist *reliable, shortlist *any, int *tried)
{
  bool held = true;
  for (int i = TOLERANCES - 1; i >= 0; i--) {
    o.rtol = pow(10.0, -5.0 - 0.25 * i);
    o.atol = o.rtol * atol_ratio;
    peer *p = peer_new(b, &o);
    ++*tried;
    if (p && fabs(peer_period(p) - exact) <= bound) {
      if (held) rank(reliable, &o, p);
      rank(any, &o, p);
    } else {
      held = false;
    }
    peer_free(p);
  }
}

static int choose(const block *b, const shortlist *l, peer_options *best)
{
  double least = HUGE_VAL;
  for (int i = 0; i < l->count; i++) {  // the brief times ranked; careful ones decide
    peer *p = peer_new(b, &l->item[i].o);
    if (!p) continue;
    const double t = bench_measure(run_period, p, 1e-3, 0.04).best;
    if (t < least) {
      least = t;
      *best = l->item[i].o;
    }
    peer_free(p);
  }
  return isfinite(least) ? 0 : -1;
}

int peer_scan(const block *b, peer_solver s, peer_event e, double exact, double bound, peer_options *reliable,
              peer_options *any, int *tried)
{
  static const double first[] = {0.0, 1e-2, 0.1, 0.3};
  static const double coef[] = {0.0, 0.3, 1.0};
  static const double ratio[] = {10.0, 1.0, 0.1};
  shortlist r = {0}, a = {0};
  *tried = 0;
  for (size_t q = 0; q < sizeof ratio / sizeof *ratio; q++)
    for (size_t f = 0; f < sizeof first / sizeof *first; f++) {
      peer_options o = {.solver = s, .event = e, .first_step = first[f]};
      if (s == PEER_ADAMS) {
        for (size_t c = 0; c < sizeof coef / sizeof *coef; c++) {
          o.conv_coef = coef[c];
          scan_tolerances(b, o, ratio[q], exact, bound, &r, &a, tried);
        }
        continue;
      }
      for (o.controller = 0; o.controller < 4; o.controller++)
        for (o.degree = e == PEER_ROOT ? 3 : 5; o.degree <= 5; o.degree++)
          scan_tolerances(b, o, ratio[q], exact, bound, &r, &a, tried);
    }
  return choose(b, &r, reliable) | choose(b, &a, any);
}
