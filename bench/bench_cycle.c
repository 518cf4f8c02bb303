// SPDX-License-Identifier: Apache-2.0
/// The limit cycle of the block from the guess of Leine et al. (1998), x0 = (1.1, 0), T0 = 12, to a defect of 1e-10, and a
/// branch of 200 cycles. See README.md.
///
///   bench_cycle [MODEL.yaml] [--seconds S] [--json FILE]
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <amontons/amontons.h>

#include "peer_cycle.h"
#include "timing.h"

typedef struct entry {
  const char *name;
  const amo_model *m;
  amo_cycle_opts o;
  peer_cycle *peer;
  double error, defect;
  long rhs, steps;
} entry;

static void run(void *ctx)
{
  entry *e = ctx;
  if (e->peer) {
    e->error = peer_cycle_find(e->peer, 1.1, 12.0, 1e-10) - BLOCK_P1_PERIOD;
    e->rhs = peer_cycle_rhs(e->peer);
    e->defect = peer_cycle_defect(e->peer);
    return;
  }
  amo_cycle *c = NULL;
  const double start[] = {1.1, 0.0};
  e->error = NAN;
  if (amo_cycle_find(e->m, &e->o, start, NULL, &c) != AMO_OK) return;
  e->error = c->period - BLOCK_P1_PERIOD;
  e->rhs = c->effort.rhs;
  e->steps = c->effort.steps;
  e->defect = c->residual;
  amo_cycle_free(c);
}

static void branch(void *ctx)
{
  const amo_model *m = ((entry *)ctx)->m;
  amo_branch_opts o = amo_branch_opts_default();
  amo_branch *b = NULL;
  o.parameter = (size_t)amo_model_find_parameter(m, "v");
  o.from = 0.2;
  o.to = 4.2;
  o.step = o.max_step = 0.025;
  o.points = 200;
  if (amo_branch_follow(m, &o, NULL, NULL, &b) == AMO_OK) ((entry *)ctx)->steps = (long)b->points;
  amo_branch_free(b);
}

int main(int argc, char **argv)
{
  const char *model = AMO_SOURCE_DIR "/models/block-on-belt.yaml", *json = NULL;
  double seconds = 0.5;
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--seconds") && i + 1 < argc)
      seconds = atof(argv[++i]);
    else if (!strcmp(argv[i], "--json") && i + 1 < argc)
      json = argv[++i];
    else
      model = argv[i];
  }
  amo_model *m = NULL;
  if (amo_model_load(model, NULL, 0, NULL, &m) != AMO_OK)
    return fprintf(stderr, "cannot load %s\n", model), 2;
  entry e[4] = {{.name = "Amontons, exact modes"},
                {.name = "Amontons, switch model"},
                {.name = "Amontons, smoothing"},
                {.name = "by hand on SUNDIALS (Adams, saltation)"}};
  for (int i = 0; i < 3; i++) {
    e[i].m = m;
    e[i].o = amo_cycle_opts_default();
    e[i].o.period = 12.0;
  }
  amo_sim_opts how[2] = {amo_sim_opts_default(), amo_sim_opts_default()};
  e[1].o.sim = &how[0];
  e[2].o.sim = &how[1];
  how[0].method = AMO_METHOD_SWITCH;  // eta^1.5 and the noise of differences must both be small enough
  how[0].stepper = AMO_STEPPER_RKF45;
  how[0].tol = 1e-13;
  e[1].o.perturbation = 1e-5;
  how[1].method = AMO_METHOD_SMOOTH;
  how[1].stepper = AMO_STEPPER_BDF;
  how[1].tol = 1e-12;
  e[3].peer = peer_cycle_new(&BLOCK_P1, 1e-12);
  bench_contest c[4];
  for (int i = 0; i < 4; i++) c[i] = (bench_contest){.run = run, .ctx = &e[i]};
  bench_rounds(c, 4, 20e-3, 4 * seconds);
  char machine[256], path[512], text[512];
  bench_machine(machine, sizeof machine);
  printf("%s\n%-40s %10s %9s %10s %10s %8s\n", machine, "", "ms", "rhs", "defect", "error T", "ratio");
  for (int i = 0; i < 4; i++)
    printf("%-40s %10.3f %9ld %10.1e %10.1e %8.1f\n", e[i].name, 1e3 * c[i].time.median, e[i].rhs,
           e[i].defect, e[i].error, c[i].time.median / c[0].time.median);
  entry b = {.m = m};
  bench_time t = bench_measure(branch, &b, 0.2, 2 * seconds);
  printf("branch of %ld cycles over v from 0.2, special points located: %.3f s\n", b.steps, t.median);
  if (!json) bench_result_path("cycle", path, sizeof path);
  FILE *out = fopen(json ? json : path, "w");
  for (int i = 0; out && i < 4; i++)
    fprintf(out,
            "{\"machine\": %s, \"entry\": \"%s\", \"ms\": %.4f, \"rhs\": %ld, \"defect\": %.2e, \"error\": "
            "%.2e}\n",
            bench_json_string(machine, text, sizeof text), e[i].name, 1e3 * c[i].time.median, e[i].rhs,
            e[i].defect, e[i].error);
  if (out) fprintf(out, "{\"entry\": \"branch\", \"points\": %ld, \"s\": %.4f}\n", b.steps, t.median);
  if (out) fclose(out);
  peer_cycle_free(e[3].peer);
  amo_model_free(m);
  return 0;
}
