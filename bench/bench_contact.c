// SPDX-License-Identifier: Apache-2.0
/// Complete contact classifications per second and core: all solutions of the trammel over a grid of angle and rate
/// across both bands of its paradoxes, one state after the other.
///
///   bench_contact [--json FILE]
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <amontons/amontons.h>

#include "contact/batch.h"
#include "timing.h"

enum { SIDE = 256 };  // of the grid

typedef struct grid {
  const amo_model *m;
  amo_batch *b;
  long kind[4];  // met: unique, several, none, degenerate
  double sum;    // of all reactions: the same run must give the same bits
  amo_status status;
} grid;

static void classify_all(void *ctx)
{
  grid *g = ctx;
  memset(g->kind, 0, sizeof g->kind);
  g->sum = 0.0;
  for (int i = 0; i < SIDE; i++)
    for (int j = 0; j < SIDE; j += AMO_LANES) {
      for (int l = 0; l < AMO_LANES; l++) {
        // theta, h, theta', h'; no grid point has theta' = 0 except by intention: one row in eight is at rest
        const double state[4] = {1.57 * (i + 0.5) / SIDE, 0.0,
                                 (j + l) % 8 == 0 ? 0.0 : 6.0 * (j + l + 0.5) / SIDE - 3.0, 0.0};
        amo_batch_put(g->b, (size_t)l, 0.0, amo_model_parameter_values(g->m), state);
      }
      amo_batch_evaluate(g->b, AMO_LANES);
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

static int report(const grid *g, const bench_time *t, const char *json_path)
{
  const double n = (double)SIDE * SIDE, rate = n / t->median, best = n / t->best;
  char machine[512], quoted[600];
  bench_machine(machine, sizeof machine);
  printf("contact: all solutions of the trammel at %d x %d states\n%s\n\n", SIDE, SIDE, machine);
  printf("unique %ld, several %ld, none %ld, degenerate %ld; sum of reactions %.17g\n", g->kind[AMO_UNIQUE],
         g->kind[AMO_SEVERAL], g->kind[AMO_NONE], g->kind[AMO_DEGENERATE], g->sum);
  printf("%.3g classifications per second and core (median; best %.3g), %.0f ns each\n", rate, best,
         1e9 * t->median / n);
  FILE *f = fopen(json_path, "w");
  if (!f) return fprintf(stderr, "bench_contact: cannot write %s\n", json_path), 1;
  fprintf(f, "{\"bench\":\"contact\",\"machine\":%s,\"side\":%d}\n",
          bench_json_string(machine, quoted, sizeof quoted), SIDE);
  fprintf(
      f,
      "{\"per_second\":%.6g,\"best_per_second\":%.6g,\"ns\":%.6g,\"unique\":%ld,\"several\":%ld,\"none\":%ld,"
      "\"degenerate\":%ld,\"sum_of_reactions\":%.17g}\n",
      rate, best, 1e9 * t->median / n, g->kind[AMO_UNIQUE], g->kind[AMO_SEVERAL], g->kind[AMO_NONE],
      g->kind[AMO_DEGENERATE], g->sum);
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
    if (g.status == AMO_OK)
      rc = report(&g, &t, json_path);
    else
      fprintf(stderr, "bench_contact: %s\n", amo_status_name(g.status));
  }
  amo_batch_free(g.b);
  amo_model_free(m);
  return rc;
}
