// SPDX-License-Identifier: Apache-2.0
/// Chains of N blocks on the belt: cost per step and block, cost per event, load time, growth with N.
///
///   bench_chain [MODEL.yaml] [--json FILE] [--until T] [N ...]
///
/// A time unit has events ~ N. The sound measure is the cost of one event, which must not grow with N: it touches some blocks beside it.
/// (A step is one of a block where the model is stepped cluster by cluster, one of all where it is not: N below some 24.)
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <amontons/amontons.h>

#include "peer_chain.h"
#include "timing.h"

enum { SIZES_MAX = 16 };

typedef struct chain_row {
  int n;
  double load;   // s, best of three
  double run;    // s, median of the repeats
  double until;  // simulated time
  long steps, events;
  double final_check;  // sum of the final positions: the same run must give the same bits
} chain_row;

// The same unequal start for every size and machine: x in (-0.9, 0.9) from a fixed recurrence, blocks at rest.
static void start_state(double *state, int n)
{
  unsigned long long r = 0x9e3779b97f4a7c15ULL;
  for (int i = 0; i < n; i++) {
    r = r * 6364136223846793005ULL + 1442695040888963407ULL;
    state[i] = 1.8 * ((double)(r >> 11) / 9007199254740992.0) - 0.9;
    state[n + i] = 0.0;
  }
}

static amo_model *load(const char *path, int n, bool talk)
{
  char size[16];
  snprintf(size, sizeof size, "%d", n);
  const amo_setting set[] = {{"N", size}};
  amo_diags *d = amo_diags_new();
  amo_model *m = NULL;
  if (amo_model_load(path, set, 1, d, &m) != AMO_OK && talk) {
    char *text = amo_diags_render(d);
    fprintf(stderr, "%s", text ? text : "out of memory\n");
    free(text);
  }
  amo_diags_free(d);
  return m;
}

static bool run_once(amo_sim *s, const double *state, chain_row *row, double *seconds)
{
  if (amo_sim_start(s, 0.0, state) != AMO_OK) return false;
  const long steps = amo_sim_stats(s)->steps, events = amo_sim_stats(s)->events;
  const double t0 = bench_now();
  const amo_status st = amo_sim_run(s, row->until, NULL, NULL);
  *seconds = bench_now() - t0;
  if (st != AMO_OK) {
    fprintf(stderr, "N = %d: %s at t = %g: %s\n", row->n, amo_status_name(st), amo_sim_time(s),
            amo_sim_message(s));
    return false;
  }
  row->steps = amo_sim_stats(s)->steps - steps;
  row->events = amo_sim_stats(s)->events - events;
  return true;
}

static int by_value(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static bool measure(const char *path, chain_row *row)
{
  amo_model *m = NULL;
  row->load = HUGE_VAL;
  for (int i = 0; i < 3; i++) {
    amo_model_free(m);
    const double t0 = bench_now();
    m = load(path, row->n, i == 0);
    row->load = fmin(row->load, bench_now() - t0);
    if (!m) return false;
  }
  amo_sim_opts o = amo_sim_opts_default();
  o.audit = false;
  amo_sim *s = NULL;
  double *state = calloc(amo_model_states(m), sizeof *state), time[31];
  bool ok = state && amo_model_coordinates(m) == (size_t)row->n && amo_sim_new(m, &o, NULL, &s) == AMO_OK;
  int count = 0;
  if (ok) start_state(state, row->n);
  for (double total = 0.0; ok && count < 31 && (count < 3 || total < 0.3); total += time[count++])
    ok = run_once(s, state, row, &time[count]);
  if (ok) {
    qsort(time, (size_t)count, sizeof *time, by_value);
    row->run = time[count / 2];
    row->final_check = 0.0;
    for (int i = 0; i < row->n; i++) row->final_check += amo_sim_state(s)[i];
  }
  amo_sim_free(s);
  free(state);
  amo_model_free(m);
  return ok;
}

// ---- the smallest chain beside hand-written ERKStep ------------------------------------------------------

static double parameter(const amo_model *m, const char *name)
{
  for (size_t i = 0; i < amo_model_parameters(m); i++)
    if (!strcmp(amo_model_parameter(m, i).name, name)) return amo_model_parameter_values(m)[i];
  return NAN;
}

static double distance(const double *a, const double *b, int n)
{
  double d = 0.0;
  for (int i = 0; i < n; i++) d = fmax(d, fabs(a[i] - b[i]));
  return d;
}

// Best of five runs [s]; the final state; negative on failure.
static double time_peer(const chain *c, int order, double tol, double until, double *state, long *events)
{
  double best = HUGE_VAL;
  peer_chain *p = peer_chain_new(c, order, tol);
  for (int rep = 0; p && rep < 5; rep++) {
    start_state(state, c->n);
    const double t0 = bench_now();
    const int bad = peer_chain_run(p, until, state);
    best = bad ? -1.0 : fmin(best, bench_now() - t0);
    if (bad) break;
  }
  *events = p ? peer_chain_events(p) : 0;
  if (!p) best = -1.0;
  peer_chain_free(p);
  return best;
}

// Default tolerance here; there the cheapest of both orders with the same error, or 1e-9, against their own tightest run.
static int beside_peer(const char *path, int n, double until, FILE *json)
{
  amo_model *m = load(path, n, false);
  if (!m) return 1;
  const chain c = {n,
                   parameter(m, "m"),
                   parameter(m, "k"),
                   parameter(m, "kc"),
                   parameter(m, "Fs"),
                   parameter(m, "delta"),
                   parameter(m, "v")};
  amo_sim_opts o = amo_sim_opts_default();
  o.audit = false;
  amo_sim *s = NULL;
  double *start = calloc(6 * (size_t)n, sizeof *start), *ref = start + 2 * n, *got = ref + 2 * n,
         ours = HUGE_VAL, t;
  chain_row row = {.n = n, .until = until};
  bool ok = start && amo_sim_new(m, &o, NULL, &s) == AMO_OK;
  long events = 0;
  if (ok) start_state(start, n);
  for (int rep = 0; ok && rep < 5; rep++) {
    ok = run_once(s, start, &row, &t);
    ours = fmin(ours, t);
  }
  ok = ok && time_peer(&c, 5, 1e-14, until, ref, &events) > 0.0;
  if (ok) {
    const double error = distance(amo_sim_state(s), ref, 2 * n);
    double least = HUGE_VAL, at = 0.0, its = 0.0;
    int which = 0;
    for (int order = 5; order <= 8; order += 3)
      for (int i = 0; i <= 16; i++) {
        const double tol = pow(10.0, -6.0 - 0.5 * i);
        t = time_peer(&c, order, tol, until, got, &events);
        const double d = distance(got, ref, 2 * n);
        if (t > 0.0 && t < least && d <= fmax(error, 1e-9)) least = t, which = order, at = tol, its = d;
      }
    printf("\nN = %d: Amontons %.3f ms (final state error %.1e, %ld events); ERKStep order %d at tol %.0e "
           "%.3f ms (%.1e, %ld "
           "events); ratio %.1f\n",
           n, 1e3 * ours, error, row.events, which, at, 1e3 * least, its, events, least / ours);
    if (json && isfinite(least))
      fprintf(
          json,
          "{\"peer_N\":%d,\"amontons_ms\":%.6g,\"amontons_error\":%.3g,\"peer_order\":%d,\"peer_tol\":%.3g,"
          "\"peer_ms\":%.6g,\"peer_error\":%.3g,\"ratio\":%.6g}\n",
          n, 1e3 * ours, error, which, at, 1e3 * least, its, least / ours);
  }
  amo_sim_free(s);
  free(start);
  amo_model_free(m);
  return ok ? 0 : 1;
}

static double exponent(double a, double b, int na, int nb)
{
  return log(b / a) / log((double)nb / (double)na);
}

int main(int argc, char **argv)
{
  const char *path = AMO_SOURCE_DIR "/models/chain.yaml", *json_path = NULL;
  char results[512];
  int size[SIZES_MAX], sizes = 0;
  double until = 12.0;
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--json") && i + 1 < argc)
      json_path = argv[++i];
    else if (!strcmp(argv[i], "--until") && i + 1 < argc)
      until = strtod(argv[++i], NULL);
    else if (atoi(argv[i]) > 0 && sizes < SIZES_MAX)
      size[sizes++] = atoi(argv[i]);
    else if (argv[i][0] != '-')
      path = argv[i];
    else
      return fprintf(stderr, "usage: bench_chain [MODEL.yaml] [--json FILE] [--until T] [N ...]\n"), 2;
  }
  if (!sizes) {
    size[0] = 10, size[1] = 100, size[2] = 1000;
    sizes = 3;
  }
  if (!json_path) {
    bench_result_path("chain", results, sizeof results);
    json_path = results;
  }
  char machine[512], quoted[600];
  bench_machine(machine, sizeof machine);
  printf("chain of N blocks on the belt, %g time units from a fixed uneven start\n%s\n\n", until, machine);
  printf("%6s %9s %9s %8s %8s %12s %15s %12s %8s %8s\n", "N", "load ms", "run ms", "steps", "events",
         "us/step", "ns/step/block", "us/event", "growth", "load gr.");
  FILE *json = fopen(json_path, "w");
  if (!json) fprintf(stderr, "bench_chain: cannot write %s\n", json_path);
  if (json)
    fprintf(json, "{\"bench\":\"chain\",\"machine\":%s,\"until\":%g}\n",
            bench_json_string(machine, quoted, sizeof quoted), until);
  chain_row last = {0};
  int rc = 0;
  for (int i = 0; i < sizes && rc == 0; i++) {
    chain_row r = {.n = size[i], .until = until};
    if (!measure(path, &r)) {
      rc = 1;
      break;
    }
    const double step = r.run / (double)r.steps, event = r.run / (double)(r.events ? r.events : 1);
    const double g =
        i ? exponent(last.run / (double)(last.events ? last.events : 1), event, last.n, r.n) : NAN;
    const double gl = i ? exponent(last.load, r.load, last.n, r.n) : NAN;
    printf("%6d %9.2f %9.2f %8ld %8ld %12.3f %15.2f %12.3f", r.n, 1e3 * r.load, 1e3 * r.run, r.steps,
           r.events, 1e6 * step, 1e9 * step / r.n, 1e6 * event);
    if (i)
      printf(" %8.2f %8.2f\n", g, gl);
    else
      printf("\n");
    if (json) {
      fprintf(json,
              "{\"N\":%d,\"load_ms\":%.6g,\"run_ms\":%.6g,\"steps\":%ld,\"events\":%ld,\"us_per_step\":%.6g,"
              "\"ns_per_step_and_block\":%.6g,\"us_per_event\":%.6g,\"sum_of_positions\":%.17g",
              r.n, 1e3 * r.load, 1e3 * r.run, r.steps, r.events, 1e6 * step, 1e9 * step / r.n, 1e6 * event,
              r.final_check);
      if (i) fprintf(json, ",\"event_growth_exponent\":%.4g,\"load_growth_exponent\":%.4g", g, gl);
      fprintf(json, "}\n");
    }
    fflush(stdout);
    last = r;
  }
  if (rc == 0) rc = beside_peer(path, size[0], until, json);
  if (json && fclose(json) != 0) rc = 1;
  return rc;
}
