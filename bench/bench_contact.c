// SPDX-License-Identifier: Apache-2.0
/// Complete contact classifications per second and core: all solutions of the trammel over a grid of angle and rate
/// across both bands of its paradoxes, eight states at a time as a map does it. Beside it the same list of solutions
/// written by hand for this one mechanism from the formulas of the book (Le xuan Anh, (2.59)-(2.63)), in plain doubles
/// without any bounds: what is left to gain. Classes and counts alone, as maps ask for them. Then the paradox map of the link mechanism,
/// 1000 x 1000 points, by the program with its CSV file, two threads: wall and processor time.
///
///   bench_contact [--json FILE]
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include <amontons/amontons.h>

#include "explore/contact/batch.h"
#include "timing.h"

enum { SIDE = 256 };  // of the grid

typedef struct grid {
  const amo_model *m;
  amo_batch *b;
  long kind[4];  // met: unique, several, none, degenerate
  double sum;    // of all reactions: the same run must give the same bits
  amo_status status;
} grid;

static void put_states(grid *g, int i, int j)
{
  for (int l = 0; l < AMO_LANES; l++) {
    // theta, h, theta', h'; no grid point has theta' = 0 except by intention: one row in eight is at rest
    const double state[4] = {1.57 * (i + 0.5) / SIDE, 0.0,
                             (j + l) % 8 == 0 ? 0.0 : 6.0 * (j + l + 0.5) / SIDE - 3.0, 0.0};
    amo_batch_put(g->b, (size_t)l, 0.0, amo_model_parameter_values(g->m), state);
  }
  amo_batch_evaluate(g->b, AMO_LANES);
}

static void classify_all(void *ctx)
{
  grid *g = ctx;
  memset(g->kind, 0, sizeof g->kind);
  g->sum = 0.0;
  for (int i = 0; i < SIDE; i++)
    for (int j = 0; j < SIDE; j += AMO_LANES) {
      put_states(g, i, j);
      for (size_t l = 0; l < AMO_LANES; l++) {
        const amo_solutions *s = NULL;
        const amo_status st = amo_batch_solutions(g->b, l, &s);
        if (st != AMO_OK) {
          g->status = st;
          return;
        }
        g->kind[s->kind]++;
        for (size_t k = 0; k < s->count; k++) g->sum += s->item[k].reaction[0];
      }
    }
}

/// The same without lists of solutions; the counts of classes must be those of the lists.
static void give_verdicts(void *ctx)
{
  grid *g = ctx;
  memset(g->kind, 0, sizeof g->kind);
  for (int i = 0; i < SIDE; i++)
    for (int j = 0; j < SIDE; j += AMO_LANES) {
      amo_lane_verdict v[AMO_LANES];
      put_states(g, i, j);
      amo_batch_verdicts(g->b, (1u << AMO_LANES) - 1u, 0, v);
      for (size_t l = 0; l < AMO_LANES; l++) {
        if (v[l].status != AMO_OK) g->status = v[l].status;
        g->kind[v[l].kind]++;
      }
    }
}

// ---- the trammel by hand ----

typedef struct by_hand {
  long kind[4];
  double sum;
} by_hand;

static int sign(double x)
{
  return (x > 0.0) - (x < 0.0);
}

/// Number of solutions; the sum of their reactions is added to *sum.
static int trammel_solutions(double theta, double rate, double *sum)
{
  const double m1 = 0.05, m2 = 1.0, l = 1.0, g = 9.81, mu = 0.6;
  const double s = sin(theta), c = cos(theta);
  const double A = l * l * (m1 * s * s + m2 * c * c), hdA = l * l * (m1 - m2) * s * c;
  const double A12 = m2 * l * c, B = -m2 * l * s, Q1 = -m2 * g * l * c, Q2 = -(m1 + m2) * g, p = l * fabs(s);
  const double X = Q1 - hdA * rate * rate, Y = Q2 - B * rate * rate, L = p * A12 / A, R0 = A12 / A * X - Y;
  int n = 0;
  if (rate == 0.0 && fabs(Q1) <= mu * p * fabs(Q2)) {
    *sum -= Q2;
    n++;
  }
  for (int direction = -1; direction <= 1; direction += 2) {
    if (rate != 0.0 && sign(rate) != direction) continue;
    for (int reaction_sign = -1; reaction_sign <= 1; reaction_sign += 2) {
      const double k = 1.0 + direction * reaction_sign * mu * L, R = R0 / k;
      const double acc = (X + direction * reaction_sign * mu * p * Y) / (k * A);
      if (sign(R) != reaction_sign || (rate == 0.0 && sign(acc) != direction)) continue;
      *sum += R;
      n++;
    }
  }
  return n;
}

static void classify_by_hand(void *ctx)
{
  by_hand *h = ctx;
  memset(h, 0, sizeof *h);
  for (int i = 0; i < SIDE; i++)
    for (int j = 0; j < SIDE; j++) {
      const double rate = j % 8 == 0 ? 0.0 : 6.0 * (j + 0.5) / SIDE - 3.0;
      const int n = trammel_solutions(1.57 * (i + 0.5) / SIDE, rate, &h->sum);
      h->kind[n == 0 ? AMO_NONE : n == 1 ? AMO_UNIQUE : AMO_SEVERAL]++;
    }
}

// ---- the map of the link mechanism ----

static double wall(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct spent {
  double wall, processor;  // s; negative: the program failed
} spent;

static double children(void)
{
  struct rusage u;
  getrusage(RUSAGE_CHILDREN, &u);
  return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
         1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

static spent link_map(void)
{
  static const char *const command =
      "exec build/amontons map models/link-mechanism.yaml --x phi0=0:2*pi --y mu=0.05:1.05 --set w0=1 "
      "--size 1000x1000 --threads 2 --csv build/bench-link.csv >/dev/null";
  const double t = wall(), p = children();
  if (system(command) != 0) return (spent){-1.0, -1.0};  // NOLINT: a benchmark of the program itself
  return (spent){wall() - t, children() - p};
}

static amo_model *load(void)
{
  amo_diags *d = amo_diags_new();
  amo_model *m = NULL;
  if (amo_model_load(AMO_SOURCE_DIR "/models/trammel.yaml", NULL, 0, d, &m) != AMO_OK) {
    char *text = amo_diags_render(d);
    fprintf(stderr, "%s", text ? text : "out of memory\n");
    free(text);
  }
  amo_diags_free(d);
  return m;
}

static int report(const grid *g, const bench_time *t, const bench_time *verdicts, const by_hand *h,
                  const bench_time *peer, spent link, const char *json_path)
{
  const double n = (double)SIDE * SIDE, rate = n / t->median, best = n / t->best;
  char machine[512], quoted[600];
  bench_machine(machine, sizeof machine);
  printf("contact: all solutions of the trammel at %d x %d states\n%s\n\n", SIDE, SIDE, machine);
  printf("unique %ld, several %ld, none %ld, degenerate %ld; sum of reactions %.17g\n", g->kind[AMO_UNIQUE],
         g->kind[AMO_SEVERAL], g->kind[AMO_NONE], g->kind[AMO_DEGENERATE], g->sum);
  printf("%.3g classifications per second and core (median; best %.3g), %.0f ns each\n", rate, best,
         1e9 * t->median / n);
  printf("classes and counts alone: %.3g per second and core, %.0f ns each\n", n / verdicts->median,
         1e9 * verdicts->median / n);
  printf("by hand for this mechanism: %.3g, %.0f ns each; unique %ld, several %ld, none %ld, sum %.17g\n",
         n / peer->median, 1e9 * peer->median / n, h->kind[AMO_UNIQUE], h->kind[AMO_SEVERAL],
         h->kind[AMO_NONE], h->sum);
  printf("link mechanism, 1000 x 1000 points with CSV, two threads: %.2f s, %.2f s of processor time\n",
         link.wall, link.processor);
  FILE *f = fopen(json_path, "w");
  if (!f) return fprintf(stderr, "bench_contact: cannot write %s\n", json_path), 1;
  fprintf(f, "{\"bench\":\"contact\",\"machine\":%s,\"side\":%d}\n",
          bench_json_string(machine, quoted, sizeof quoted), SIDE);
  fprintf(
      f,
      "{\"per_second\":%.6g,\"best_per_second\":%.6g,\"ns\":%.6g,\"unique\":%ld,\"several\":%ld,\"none\":%ld,"
      "\"degenerate\":%ld,\"sum_of_reactions\":%.17g,\"by_hand_per_second\":%.6g,\"verdicts_per_second\":%."
      "6g,\"link_map_s\":%.4g,"
      "\"link_map_processor_s\":%.4g}\n",
      rate, best, 1e9 * t->median / n, g->kind[AMO_UNIQUE], g->kind[AMO_SEVERAL], g->kind[AMO_NONE],
      g->kind[AMO_DEGENERATE], g->sum, n / peer->median, n / verdicts->median, link.wall, link.processor);
  return fclose(f) == 0 ? 0 : 1;
}

int main(int argc, char **argv)
{
  char results[512];
  const char *json_path = results;
  bench_result_path("contact", results, sizeof results);
  if (argc == 3 && !strcmp(argv[1], "--json"))
    json_path = argv[2];
  else if (argc != 1)
    return fprintf(stderr, "usage: bench_contact [--json FILE]\n"), 2;
  amo_model *m = load();
  if (!m) return 1;
  grid g = {.m = m, .status = AMO_OK};
  int rc = 1;
  if (amo_batch_new(m, &g.b) == AMO_OK) {
    const bench_time t = bench_measure(classify_all, &g, 0.2, 2.0);
    by_hand h = {0};
    const bench_time peer = bench_measure(classify_by_hand, &h, 0.1, 0.5);
    const grid listed = g;
    const bench_time verdicts = bench_measure(give_verdicts, &g, 0.2, 1.0);
    if (g.status == AMO_OK && memcmp(g.kind, listed.kind, sizeof g.kind) != 0)
      fprintf(stderr, "bench_contact: verdicts are not those of the lists\n");
    else if (g.status == AMO_OK)
      rc = report(&listed, &t, &verdicts, &h, &peer, link_map(), json_path);
    else
      fprintf(stderr, "bench_contact: %s\n", amo_status_name(g.status));
  }
  amo_batch_free(g.b);
  amo_model_free(m);
  return rc;
}
