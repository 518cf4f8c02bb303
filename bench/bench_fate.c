// SPDX-License-Identifier: Apache-2.0
/// Final states over a plane of initial velocities: Klarbring's mass in the range of three quasi-static states (Cho and
/// Barber 1998, figure 6). The program's map, one thread, against the same question written by hand for this one mass on
/// SUNDIALS (CVODE, Adams, rootfinding), with the same proofs that a state is final. The peer does every STRIDE-th
/// point of each row and column; rates are per trajectory and core.
///
///   bench_fate [SIDE]
#define _DEFAULT_SOURCE
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "timing.h"

enum { STRIDE = 16, MOST_CHANGES = 10000 };
static const double k11 = 1.0, k12 = 1.0, k22 = 2.0, mu = 1.25, C1 = -0.7451280178851305,
                    C2 = -0.6669214623646301;
static const double latest = 1000.0;

typedef enum mode { STICK, SLIP, OPEN } mode;

typedef struct peer {
  SUNContext ctx;
  N_Vector y;  // u1, u2, v1, v2
  void *cvode;
  SUNNonlinearSolver solver;
  mode mode;
  double sigma;
} peer;

static int rates(realtype t, N_Vector y, N_Vector d, void *user)
{
  const peer *p = user;
  const realtype *Y = NV_DATA_S(y);
  realtype *D = NV_DATA_S(d);
  double R2 = p->mode == OPEN ? 0.0 : k12 * Y[0] - C2 * t;
  D[0] = Y[2];
  D[1] = p->mode == OPEN ? Y[3] : 0.0;
  D[2] = C1 * t - k11 * Y[0] - k12 * Y[1] - p->sigma * mu * R2;
  D[3] = p->mode == OPEN ? C2 * t - k12 * Y[0] - k22 * Y[1] : 0.0;
  return 0;
}

static int roots(realtype t, N_Vector y, realtype *g, void *user)
{
  const peer *p = user;
  const realtype *Y = NV_DATA_S(y);
  g[0] = p->mode == OPEN ? Y[1] : p->sigma * Y[2];
  g[1] = p->mode == OPEN ? 1.0 : k12 * Y[0] - C2 * t;
  return 0;
}

static void silent(int code, const char *module, const char *function, char *msg, void *data)
{
  (void)code, (void)module, (void)function, (void)msg, (void)data;
}

static bool make(peer *p)
{
  int down[2] = {-1, -1};
  if (SUNContext_Create(NULL, &p->ctx) != 0) return false;
  p->y = N_VNew_Serial(4, p->ctx);
  p->cvode = CVodeCreate(CV_ADAMS, p->ctx);
  p->solver = p->y ? SUNNonlinSol_FixedPoint(p->y, 0, p->ctx) : NULL;
  if (!p->y || !p->cvode || !p->solver) return false;
  int bad = CVodeInit(p->cvode, rates, 0.0, p->y);
  bad |= CVodeSetErrHandlerFn(p->cvode, silent, NULL);
  bad |= CVodeSStolerances(p->cvode, 1e-9, 1e-11);
  bad |= CVodeSetUserData(p->cvode, p);
  bad |= CVodeSetNonlinearSolver(p->cvode, p->solver);
  bad |= CVodeSetMaxNumSteps(p->cvode, 1000000);
  bad |= CVodeRootInit(p->cvode, 2, roots);
  bad |= CVodeSetRootDirection(p->cvode, down);
  bad |= CVodeSetNoInactiveRootWarn(p->cvode);
  return bad == 0;
}

/// Mode of a closed contact; the load must have begun (t > 0) or the rates of the load decide.
static void decide(peer *p, double t)
{
  realtype *Y = NV_DATA_S(p->y);
  double R2 = k12 * Y[0] - C2 * t, R1 = k11 * Y[0] - C1 * t, v = Y[2];
  if (t == 0.0 && v == 0.0) R2 = -C2, R1 = -C1;
  Y[1] = Y[3] = 0.0;
  p->sigma = v != 0.0 ? copysign(1.0, v) : -copysign(1.0, R1);
  p->mode = R2 < 0.0 || (R2 == 0.0 && k12 * v - C2 < 0.0) ? OPEN
            : v == 0.0 && fabs(R1) <= mu * R2             ? STICK
                                                          : SLIP;
  if (p->mode == OPEN) p->sigma = 0.0;
  if (p->mode == STICK) Y[2] = 0.0;
}

/// Inelastic impact with Coulomb friction; the mass is the same in both directions.
static void strike(peer *p)
{
  realtype *Y = NV_DATA_S(p->y);
  double most = mu * fmax(-Y[3], 0.0);
  Y[2] = fabs(Y[2]) <= most ? 0.0 : Y[2] - copysign(most, Y[2]);
  Y[1] = Y[3] = 0.0;
}

/// The quasi-static gap grows; does the energy of the deviation from it ever suffice to close it again?
static bool open_for_ever(const peer *p, double t)
{
  const realtype *Y = NV_DATA_S(p->y);
  const double det = k11 * k22 - k12 * k12, q1 = (k22 * C1 - k12 * C2) / det,
               q2 = (k11 * C2 - k12 * C1) / det;
  const double w1 = Y[0] - q1 * t, w2 = Y[1] - q2 * t, d1 = Y[2] - q1, d2 = Y[3] - q2;
  const double energy = 0.5 * (d1 * d1 + d2 * d2 + k11 * w1 * w1 + 2.0 * k12 * w1 * w2 + k22 * w2 * w2);
  return q2 > 0.0 && q2 * t > 0.0 && q2 * t * q2 * t > 2.0 * energy * k11 / det;
}

/// 0: stick, 1: open, 2: undecided
static int fate(peer *p, double v1, double v2)
{
  realtype *Y = NV_DATA_S(p->y), t = 0.0;
  Y[0] = Y[1] = 0.0;
  Y[2] = v1;
  Y[3] = v2;
  p->mode = OPEN;
  p->sigma = 0.0;
  if (!(v2 > 0.0)) decide(p, 0.0);
  for (int i = 0; i < MOST_CHANGES && t < latest; i++) {
    if (p->mode == STICK) return fabs(C1) <= -mu * C2 ? 0 : 2;  // the load moves into its cone
    if (CVodeReInit(p->cvode, t, p->y) != 0) return 2;
    for (;;) {
      int flag = CVode(p->cvode, latest, p->y, &t, CV_ONE_STEP);
      if (flag < 0) return 2;
      if (p->mode == OPEN && open_for_ever(p, t)) return 1;
      if (flag == CV_ROOT_RETURN || t >= latest) break;
    }
    int hit[2] = {0, 0};
    CVodeGetRootInfo(p->cvode, hit);
    if (p->mode == OPEN) {
      strike(p);
    } else if (hit[0]) {
      Y[2] = 0.0;
    }
    if (p->mode == SLIP && hit[1] && !hit[0]) {
      p->mode = OPEN;
      p->sigma = 0.0;
    } else {
      decide(p, t);
    }
  }
  return 2;
}

/// Processor time of all programs run so far, as that of the peer is measured.
static double spent(void)
{
  struct rusage r;
  if (getrusage(RUSAGE_CHILDREN, &r) != 0) return NAN;
  return (double)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) +
         1e-6 * (double)(r.ru_utime.tv_usec + r.ru_stime.tv_usec);
}

static double run_program(int side, long count[3])
{
  char command[1024], line[256];
  snprintf(
      command, sizeof command,
      "exec build/amontons map models/klarbring-mass.yaml --set mu=1.25 C1=%.17g C2=%.17g --x \"u1'=-24:8\" "
      "--y \"u2'=0:8\" --of simulate.long_time --with settle=true until=1000 --size %dx%d --threads 1 --json",
      C1, C2, side, side);
  const double before = spent();
  FILE *f = popen(command, "r");
  if (!f) return NAN;
  while (fgets(line, sizeof line, f)) {
    if (!strstr(line, "\"counts\"")) continue;
    const char *open = strstr(line, "\"open\":"), *stick = strstr(line, "\"stick\":");
    if (open) count[1] = strtol(open + 7, NULL, 10);
    if (stick) count[0] = strtol(stick + 8, NULL, 10);
  }
  if (pclose(f) != 0) return NAN;
  return spent() - before;
}

int main(int argc, char **argv)
{
  const int side = argc > 1 ? atoi(argv[1]) : 1000;
  long ours[3] = {0}, theirs[3] = {0}, points = 0;
  peer p = {0};
  char machine[512];
  if (side < 2 || !make(&p)) return fprintf(stderr, "bench_fate: cannot begin\n"), 1;
  bench_machine(machine, sizeof machine);
  const double first = run_program(side, ours), again = run_program(side, ours);
  double seconds = fmin(first, again), start = bench_now();  // the first may have called the compiler
  for (int j = 0; j < side; j += STRIDE)
    for (int i = 0; i < side; i += STRIDE, points++)
      theirs[fate(&p, -24.0 + 32.0 * i / (side - 1), 8.0 * j / (side - 1))]++;
  double peer_seconds = bench_now() - start, n = (double)side * side;
  printf("final states of Klarbring's mass, %d x %d\n%s\n", side, side, machine);
  printf("Amontons, one thread: %.2f s (the first time %.2f s), %.0f trajectories per second; stick %.4f "
         "open %.4f of all\n",
         seconds, first, n / seconds, (double)ours[0] / n, (double)ours[1] / n);
  printf("by hand on SUNDIALS:  %.0f trajectories per second; stick %.4f open %.4f undecided %.4f\n",
         (double)points / peer_seconds, (double)theirs[0] / (double)points,
         (double)theirs[1] / (double)points, (double)theirs[2] / (double)points);
  printf("ratio %.1f\n", n / seconds * peer_seconds / (double)points);
  return seconds > 0.0 ? 0 : 1;
}
