// SPDX-License-Identifier: Apache-2.0
/// What a person runs: `amontons simulate` from the command line, with audit, extrema and means, beside the bare step loop
/// of the library, and for the valve that strikes its seat beside hand-written C on SUNDIALS.
///
///   bench_program [--json FILE]
///
/// The program is timed by the processor time of its process at two lengths of the run; the difference leaves start and loading
/// out. Best of several, in turns.
#define _DEFAULT_SOURCE  // wait4
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <amontons/amontons.h>

#include "peer_valve.h"
#include "timing.h"

enum { ROUNDS = 7 };

typedef struct job {
  const char *name, *model;
  double unit;  // simulated time per counted thing: a period, or a return to the seat
  double shorter, longer;
  double bare, program;  // s per unit
} job;

static amo_model *load(const char *path)
{
  amo_diags *d = amo_diags_new();
  amo_model *m = NULL;
  if (amo_model_load(path, NULL, 0, d, &m) != AMO_OK) fprintf(stderr, "%s does not load\n", path);
  amo_diags_free(d);
  return m;
}

/// Processor seconds of `amontons simulate MODEL --until T`; negative on failure.
static double run_program(const char *model, double until)
{
  char text[32];
  struct rusage use;
  int status = 0;
  snprintf(text, sizeof text, "%.17g", until);
  fflush(stdout);  // not twice
  const pid_t child = fork();
  if (child == 0) {
    if (freopen("/dev/null", "w", stdout) == NULL) _exit(126);
    execl(AMO_PROGRAM, "amontons", "simulate", model, "--until", text, (char *)NULL);
    _exit(127);
  }
  if (child < 0 || wait4(child, &status, 0, &use) != child || status != 0) return -1.0;
  return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
         1e-6 * (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec);
}

static double run_bare(const amo_model *m, double tol, double until, double *state)
{
  amo_sim_opts o = amo_sim_opts_default();
  amo_sim *s = NULL;
  o.audit = false;
  o.tol = tol;
  if (amo_sim_new(m, &o, NULL, &s) != AMO_OK) return -1.0;
  const double start = bench_now();
  const bool ok = amo_sim_run(s, until, NULL, NULL) == AMO_OK;
  const double taken = bench_now() - start;
  if (state != NULL) memcpy(state, amo_sim_state(s), amo_model_states(m) * sizeof *state);
  amo_sim_free(s);
  return ok ? taken : -1.0;
}

static bool measure(job *j)
{
  amo_model *m = load(j->model);
  double bare = HUGE_VAL, brief = HUGE_VAL, whole = HUGE_VAL;
  for (int i = 0; m != NULL && i < ROUNDS; i++) {
    const double a = run_bare(m, 1e-12, j->longer, NULL), b = run_program(j->model, j->shorter),
                 c = run_program(j->model, j->longer);
    if (a < 0 || b < 0 || c < 0) return false;
    bare = fmin(bare, a), brief = fmin(brief, b), whole = fmin(whole, c);
  }
  j->bare = bare / j->longer * j->unit;
  j->program = (whole - brief) / (j->longer - j->shorter) * j->unit;
  amo_model_free(m);
  return m != NULL;
}

/// Many valves side by side by a program of their own (docs/swarm.md), loads q from 0.2 to 9.8: seconds per return, one thread.
static double run_valves(const amo_model *m)
{
  enum { COUNT = 64, STATES = 3, PARAMETERS = 5 };
  static double state[COUNT][STATES], parameter[COUNT][PARAMETERS];
  long events[COUNT], returns = 0;
  amo_sim_opts o = amo_sim_opts_default();
  o.tol = 1e-10, o.engine = AMO_ENGINE_PROGRAM;
  for (int i = 0; i < COUNT; i++) {
    memcpy(state[i], (const double[]){0.2, 0.0, 10.5}, sizeof state[i]);
    memcpy(parameter[i], (const double[]){0.2 + 9.6 * i / (COUNT - 1), 1.25, 20, 10, 0.8},
           sizeof parameter[i]);
  }
  const amo_ensemble e = {
      .count = COUNT, .state = state[0], .parameter = parameter[0], .t_end = 1800.0, .events = events};
  double least = HUGE_VAL;
  for (int i = 0; i < ROUNDS; i++) {
    const double start = bench_now();
    if (amo_ensemble_run(m, &o, &e) != AMO_OK) return NAN;
    least = fmin(least, bench_now() - start);
  }
  for (int i = 0; i < COUNT; i++) returns += events[i];
  return least / (double)returns;
}

static double distance(const double *a, const double *b)
{
  return fmax(fabs(a[0] - b[0]), fmax(fabs(a[1] - b[1]), fabs(a[2] - b[2])));
}

/// The cheapest of both orders whose final state is good to 1e-9: seconds per run.
static double best_peer(const valve *v, double until, const double *exact, int *order, double *tol)
{
  double best = HUGE_VAL;
  for (int p = 5; p <= 8; p += 3)
    for (int i = 0; i <= 10; i++) {
      const double at = pow(10.0, -8.0 - 0.5 * i);
      double least = HUGE_VAL, y[3];
      for (int round = 0; round < 3; round++) {
        const double start = bench_now();
        memcpy(y, (const double[3]){0.2, 0.0, 10.5}, sizeof y);
        if (peer_valve_run(v, p, at, until, y) < 0) y[0] = NAN;
        least = fmin(least, bench_now() - start);
      }
      if (distance(y, exact) <= 1e-9 && least < best) best = least, *order = p, *tol = at;
    }
  return best;
}

int main(int argc, char **argv)
{
  char machine[256], quoted[512], results[512];
  const char *json_path = argc == 3 && !strcmp(argv[1], "--json") ? argv[2] : NULL;
  if (argc != 1 && json_path == NULL) return fprintf(stderr, "usage: bench_program [--json FILE]\n"), 2;
  if (json_path == NULL) bench_result_path("program", results, sizeof results), json_path = results;
  job jobs[] = {
      {"block on the belt, a period", AMO_SOURCE_DIR "/models/block-on-belt.yaml", 12.001031294830579, 6e3,
       6e4, 0, 0},
      {"relief valve, a return", AMO_SOURCE_DIR "/models/relief-valve.yaml", 1.7168295549, 1e3, 1e4, 0, 0}};
  FILE *json = fopen(json_path, "w");
  bench_machine(machine, sizeof machine);
  printf("%s\n\n%-32s %12s %12s %8s\n", machine, "", "bare [us]", "program [us]", "ratio");
  if (json) fprintf(json, "{\"machine\":%s}\n", bench_json_string(machine, quoted, sizeof quoted));
  for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
    job *j = &jobs[i];
    if (!measure(j)) return fprintf(stderr, "%s: failed\n", j->name), 1;
    printf("%-32s %12.2f %12.2f %8.2f\n", j->name, 1e6 * j->bare, 1e6 * j->program, j->program / j->bare);
    if (json)
      fprintf(json, "{\"job\":\"%s\",\"bare_us\":%.6g,\"program_us\":%.6g}\n", j->name, 1e6 * j->bare,
              1e6 * j->program);
  }
  amo_model *m = load(jobs[1].model);
  const valve v = {1.25, 10.0, 20.0, 3.0, 0.8};
  const double until = 100.0;
  double exact[3], tol = NAN;
  int order = 0;
  if (m == NULL || run_bare(m, 1e-15, until, exact) < 0) return 1;
  const double peer = best_peer(&v, until, exact, &order, &tol) / until * jobs[1].unit;
  printf("\nrelief valve: %.0f returns per second by the library, %.0f by the program, %.0f by ERKStep of "
         "order %d at %.0e\n"
         "(state after %g good to 1e-9): %.1f and %.1f times as many\n",
         1.0 / jobs[1].bare, 1.0 / jobs[1].program, 1.0 / peer, order, tol, until, peer / jobs[1].bare,
         peer / jobs[1].program);
  const double many = run_valves(m);
  printf("many valves by a program of their own: %.2f us a return, %.0f returns per second and core\n",
         1e6 * many, 1.0 / many);
  if (json) {
    fprintf(json, "{\"job\":\"many relief valves by their own program, a return\",\"us\":%.6g}\n",
            1e6 * many);
    fprintf(json, "{\"peer\":\"ERKStep order %d\",\"tol\":%.3g,\"peer_us\":%.6g}\n", order, tol, 1e6 * peer);
    fclose(json);
  }
  amo_model_free(m);
  return 0;
}
