// SPDX-License-Identifier: Apache-2.0
/// One stick-slip period of the block on the belt at period error <= 1e-9: Amontons from the YAML model, on one
/// lane and on many, beside hand-written C on SUNDIALS. See README.md for the rules of the comparison.
///
///   bench_block [MODEL.yaml] [--json FILE] [--seconds S]
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <amontons/amontons.h>

#include "block.h"
#include "peer.h"
#include "timing.h"

enum { TRAJECTORIES = 4096, ENTRIES_MAX = 32 };
static const double ENSEMBLE_END = 27.0;  // two periods and a bit for every belt speed of the ensemble

typedef struct entry {
  const char *name;
  char setting[96];
  void (*run)(void *ctx);
  void *ctx;
  double periods;    // done by one run
  bench_time time;   // per period
  double rhs;        // per period; Taylor: coefficients of the whole system
  double error;      // of the period
  const char *kind;  // "peer", "peer, by luck", "amontons", "yardstick"
} entry;

typedef struct table {
  entry row[ENTRIES_MAX];
  int count;
} table;

static void say(const entry *e)
{
  printf("%-36s %-13s %9.2f  %8.2f ..%8.2f %8.0f %10.1e  %s\n", e->name, e->kind, 1e6 * e->time.median,
         1e6 * e->time.lower, 1e6 * e->time.upper, e->rhs, e->error, e->setting);
  fflush(stdout);
}

static void add(table *t, entry e)
{
  if (t->count < ENTRIES_MAX) t->row[t->count++] = e;
}

// All entries in turn, a short batch each, many rounds: a slow spell of the machine hits all alike.
static void time_all(table *t, double seconds)
{
  bench_contest c[ENTRIES_MAX];
  for (int i = 0; i < t->count; i++) c[i] = (bench_contest){.run = t->row[i].run, .ctx = t->row[i].ctx};
  bench_rounds(c, t->count, 5e-3, seconds);
  for (int i = 0; i < t->count; i++) {
    bench_time *d = &t->row[i].time;
    const double p = t->row[i].periods;
    *d = c[i].time;
    d->median /= p, d->lower /= p, d->upper /= p, d->best /= p;
    say(&t->row[i]);
  }
}

// ---- peers ----------------------------------------------------------------------------------------------

static void run_peer(void *ctx)
{
  volatile double t = peer_period(ctx);
  (void)t;
}

static void add_peer(table *t, const peer_options *o, const char *kind)
{
  static const char *const controller[] = {"PID", "PI", "I", "Gustafsson"};
  peer *p = peer_new(&BLOCK_P1, o);
  if (!p) return;
  entry e = {.name = peer_name(o->solver, o->event), .kind = kind, .run = run_peer, .ctx = p, .periods = 1.0};
  e.error = fabs(peer_period(p) - BLOCK_P1_PERIOD);
  e.rhs = (double)peer_rhs(p);
  if (o->solver == PEER_ADAMS)
    snprintf(e.setting, sizeof e.setting, "rtol %.1e atol %.1e h0 %g conv %g", o->rtol, o->atol,
             o->first_step, o->conv_coef);
  else
    snprintf(e.setting, sizeof e.setting, "rtol %.1e atol %.1e h0 %g %s degree %d", o->rtol, o->atol,
             o->first_step, controller[o->controller], o->degree);
  add(t, e);
}

static void choose_peers(table *t)
{
  for (int s = 0; s < PEER_SOLVERS; s++)
    for (int ev = 0; ev < PEER_EVENTS; ev++) {
      peer_options reliable, any;
      int tried;
      if (peer_scan(&BLOCK_P1, (peer_solver)s, (peer_event)ev, BLOCK_P1_PERIOD, BLOCK_PERIOD_ERROR, &reliable,
                    &any, &tried) != 0) {
        printf("%-36s no setting of %d reaches %g\n", peer_name((peer_solver)s, (peer_event)ev), tried,
               BLOCK_PERIOD_ERROR);
        continue;
      }
      add_peer(t, &reliable, "peer");
      add_peer(t, &any, "peer, by luck");
    }
}

// ---- the yardstick --------------------------------------------------------------------------------------

typedef struct by_hand {
  int order;
  double tol;
  long coefficients;
} by_hand;

static void run_by_hand(void *ctx)
{
  by_hand *h = ctx;
  volatile double t = block_period_by_hand(&BLOCK_P1, h->order, h->tol, &h->coefficients);
  (void)t;
}

static void choose_by_hand(table *t)
{
  static by_hand best = {0, 0.0, 0};
  double least = HUGE_VAL;
  for (int order = 8; order <= 32; order += 2)
    for (int i = 36; i >= 0; i--) {
      by_hand h = {order, pow(10.0, -5.0 - 0.25 * i), 0};
      if (!(fabs(block_period_by_hand(&BLOCK_P1, h.order, h.tol, &h.coefficients) - BLOCK_P1_PERIOD) <=
            BLOCK_PERIOD_ERROR))
        break;
      const double time = bench_measure(run_by_hand, &h, 2e-4, 3e-3).best;
      if (time < least) {
        least = time;
        best = h;
      }
    }
  if (!best.order) return;
  entry e = {.name = "Taylor series, written for this block",
             .kind = "yardstick",
             .run = run_by_hand,
             .ctx = &best,
             .periods = 1.0};
  best.coefficients = 0;
  e.error = fabs(block_period_by_hand(&BLOCK_P1, best.order, best.tol, &best.coefficients) - BLOCK_P1_PERIOD);
  e.rhs = (double)best.coefficients;
  snprintf(e.setting, sizeof e.setting, "tol %.1e order %d", best.tol, best.order);
  add(t, e);
}

// ---- Amontons, one lane ---------------------------------------------------------------------------------

typedef struct lane {
  amo_sim *sim;
  double state[2];
  double period;  // NAN when the run failed
} lane;

// The start is the breakaway point itself: the force equals the bound, the contact sticks, and breaks away at once. That
// event belongs to the start.
static const double AFTER_START = 0.5;

static double next_breakaway(amo_sim *s, double t_end)
{
  while (amo_sim_time(s) < t_end && amo_sim_step(s, t_end) == AMO_OK)
    for (size_t i = 0, n = amo_sim_new_events(s); i < n; i++) {
      const amo_event *e = amo_sim_new_event(s, i);
      if (e->kind == AMO_EVENT_MODE && e->from == AMO_STICK && e->t > AFTER_START) return e->t;
    }
  return NAN;
}

static void run_lane(void *ctx)
{
  lane *l = ctx;
  l->period = amo_sim_start(l->sim, 0.0, l->state) == AMO_OK ? next_breakaway(l->sim, 100.0) : NAN;
}

/// Settings are chosen without a compiler, which would serve orders that are not taken; entries wait for it.
static amo_sim_opts lane_opts(double tol, int order, amo_compile compile)
{
  amo_sim_opts o = amo_sim_opts_default();
  o.tol = tol;
  o.order = order;
  o.audit = false;
  o.compile = compile;
  return o;
}

static lane make_lane(const amo_model *m, double tol, int order, amo_compile compile)
{
  const amo_sim_opts o = lane_opts(tol, order, compile);
  lane l = {NULL, {BLOCK_P1.Fs / BLOCK_P1.k, BLOCK_P1.v}, NAN};
  if (amo_sim_new(m, &o, NULL, &l.sim) != AMO_OK) l.sim = NULL;
  return l;
}

static const int ORDERS[] = {0, 8, 10, 12, 14, 16, 18, 20, 24, 28};  // 0: chosen from tol

static bool scan_lane(const amo_model *m, double *tol, int *order)
{
  double least = HUGE_VAL;
  for (size_t q = 0; q < sizeof ORDERS / sizeof *ORDERS; q++)
    for (int i = 36; i >= 0; i--) {  // from tight to loose until the first miss: reliable settings only
      const double at = pow(10.0, -5.0 - 0.25 * i);
      lane l = make_lane(m, at, ORDERS[q], AMO_COMPILE_NEVER);
      if (l.sim) run_lane(&l);
      const bool good = l.sim && fabs(l.period - BLOCK_P1_PERIOD) <= BLOCK_PERIOD_ERROR;
      if (good) {
        const double time = bench_measure(run_lane, &l, 2e-4, 5e-3).best;
        if (time < least) {
          least = time;
          *tol = at;
          *order = ORDERS[q];
        }
      }
      amo_sim_free(l.sim);
      if (!good) break;
    }
  return isfinite(least);
}

static void add_lane(table *t, const amo_model *m, lane *l, const char *name, double tol, int order)
{
  *l = make_lane(m, tol, order, AMO_COMPILE_WAIT);
  if (!l->sim) return;
  run_lane(l);
  entry e = {.name = name, .kind = "amontons", .run = run_lane, .ctx = l, .periods = 1.0};
  e.error = fabs(l->period - BLOCK_P1_PERIOD);
  amo_sim_start(l->sim, 0.0, l->state);
  const long before = amo_sim_stats(l->sim)->rhs;
  (void)next_breakaway(l->sim, 100.0);
  e.rhs = (double)(amo_sim_stats(l->sim)->rhs - before);
  snprintf(e.setting, sizeof e.setting, "tol %.1e order %d", tol, order);
  add(t, e);
}

// ---- Amontons, many lanes -------------------------------------------------------------------------------

typedef struct many {
  const amo_model *model;
  amo_sim_opts opts;
  amo_ensemble ensemble;
  double *state, *parameter, *exact, *first;  // exact period; time of the first breakaway
  double periods;                             // run by one call, over all trajectories
  bool ok;
} many;

static void on_event(void *ctx, size_t trajectory, const amo_event *e, const double *state)
{
  (void)state;
  many *a = ctx;
  if (e->kind != AMO_EVENT_MODE || e->from != AMO_STICK || e->t < AFTER_START) return;
  if (isnan(a->first[trajectory])) a->first[trajectory] = e->t;
}

static void run_many(void *ctx)
{
  many *a = ctx;
  for (size_t i = 0; i < a->ensemble.count; i++) a->first[i] = NAN;
  a->ok = amo_ensemble_run(a->model, &a->opts, &a->ensemble) == AMO_OK;
}

static double worst_error(const many *a)
{
  double worst = a->ok ? 0.0 : HUGE_VAL;
  for (size_t i = 0; i < a->ensemble.count; i++) {
    const double d = fabs(a->first[i] - a->exact[i]);
    if (!(d <= worst)) worst = isnan(d) ? HUGE_VAL : d;
  }
  return worst;
}

static long parameter_index(const amo_model *m, const char *name)
{
  for (size_t i = 0; i < amo_model_parameters(m); i++)
    if (!strcmp(amo_model_parameter(m, i).name, name)) return (long)i;
  return -1;
}

static bool make_many(many *a, const amo_model *m)
{
  const size_t n = TRAJECTORIES, np = amo_model_parameters(m), ns = amo_model_states(m);
  const long iv = parameter_index(m, "v");
  *a = (many){.model = m};
  a->state = malloc(n * ns * sizeof(double));
  a->parameter = malloc(n * np * sizeof(double));
  a->exact = malloc(n * sizeof(double));
  a->first = malloc(n * sizeof(double));
  if (!a->state || !a->parameter || !a->exact || !a->first || iv < 0 || ns != 2) return false;
  for (size_t i = 0; i < n; i++) {  // belt speeds from 0.18 to 0.22: every trajectory its own period
    block b = BLOCK_P1;
    b.v = 0.18 + 0.04 * (double)i / (double)(n - 1);
    memcpy(a->parameter + i * np, amo_model_parameter_values(m), np * sizeof(double));
    a->parameter[i * np + (size_t)iv] = b.v;
    a->state[i * ns] = b.Fs / b.k;
    a->state[i * ns + 1] = b.v;
    a->exact[i] = block_period_reference(&b);
    a->periods += ENSEMBLE_END / a->exact[i];
  }
  a->ensemble = (amo_ensemble){.count = n,
                               .state = a->state,
                               .parameter = a->parameter,
                               .t0 = 0.0,
                               .t_end = ENSEMBLE_END,
                               .on_event = on_event,
                               .ctx = a};
  return true;
}

static void free_many(many *a)
{
  free(a->state);
  free(a->parameter);
  free(a->exact);
  free(a->first);
}

/// By the engine of single motions, or by a program of the model's own, which is compiled before.
static void choose_many(table *t, const amo_model *m, amo_engine engine, const char *name, many *a)
{
  double least = HUGE_VAL, tol = 0.0;
  int order = 0;
  const bool made = make_many(a, m);
  for (size_t q = 0; made && q < sizeof ORDERS / sizeof *ORDERS; q++)
    for (int i = 36; i >= 0; i -= 2) {
      a->opts = lane_opts(pow(10.0, -5.0 - 0.25 * i), ORDERS[q], AMO_COMPILE_NEVER);
      a->opts.engine = engine;
      double time = HUGE_VAL;
      for (int rep = 0; rep < 3; rep++) {
        const double t0 = bench_now();
        run_many(a);
        time = fmin(time, bench_now() - t0);
      }
      if (!(worst_error(a) <= BLOCK_PERIOD_ERROR)) break;
      if (time < least) {
        least = time;
        tol = a->opts.tol;
        order = ORDERS[q];
      }
    }
  if (!isfinite(least)) {
    printf("%-36s no setting reaches %g on all trajectories\n", name, BLOCK_PERIOD_ERROR);
    return;
  }
  a->opts = lane_opts(tol, order, AMO_COMPILE_WAIT);
  a->opts.engine = engine;
  entry e = {.name = name, .kind = "amontons", .run = run_many, .ctx = a, .periods = a->periods};
  run_many(a);
  e.error = worst_error(a);
  snprintf(e.setting, sizeof e.setting, "tol %.1e order %d, %d trajectories, worst error of all", tol, order,
           TRAJECTORIES);
  add(t, e);
}

// ---- report ---------------------------------------------------------------------------------------------

static const entry *cheapest(const table *t, const char *kind, const char *name)
{
  const entry *best = NULL;
  for (int i = 0; i < t->count; i++) {
    const entry *e = &t->row[i];
    if (strcmp(e->kind, kind) != 0 || (name && strncmp(e->name, name, strlen(name)) != 0)) continue;
    if (!best || e->time.median < best->time.median) best = e;
  }
  return best;
}

static void ratio(FILE *json, const char *what, const entry *slow, const entry *fast)
{
  char s[160];
  if (!slow || !fast) return;
  const double r = slow->time.median / fast->time.median;
  printf("%-44s %6.1f\n", what, r);
  if (json) fprintf(json, "{\"ratio\":%s,\"value\":%.17g}\n", bench_json_string(what, s, sizeof s), r);
}

static void write_entries(FILE *json, const table *t, const char *machine)
{
  char a[512], b[160], c[64];
  fprintf(json, "{\"bench\":\"block\",\"machine\":%s,\"period_error_bound\":%g}\n",
          bench_json_string(machine, a, sizeof a), BLOCK_PERIOD_ERROR);
  for (int i = 0; i < t->count; i++) {
    const entry *e = &t->row[i];
    fprintf(
        json,
        "{\"entry\":%s,\"kind\":%s,\"us_per_period\":%.17g,\"lower_quartile\":%.17g,\"upper_quartile\":%.17g,"
        "\"rhs\":%.17g,\"period_error\":%.17g,\"setting\":%s}\n",
        bench_json_string(e->name, a, sizeof a), bench_json_string(e->kind, c, sizeof c),
        1e6 * e->time.median, 1e6 * e->time.lower, 1e6 * e->time.upper, e->rhs, e->error,
        bench_json_string(e->setting, b, sizeof b));
  }
}

static amo_model *load(const char *path)
{
  static const amo_setting p1[] = {{"m", "1"}, {"k", "1"}, {"Fs", "1"}, {"delta", "3"}, {"v", "0.2"}};
  amo_diags *d = amo_diags_new();
  amo_model *m = NULL;
  if (amo_model_load(path, p1, sizeof p1 / sizeof *p1, d, &m) != AMO_OK) {
    char *text = amo_diags_render(d);
    fprintf(stderr, "%s", text ? text : "out of memory\n");
    free(text);
  }
  amo_diags_free(d);
  return m;
}

int main(int argc, char **argv)
{
  const char *path = AMO_SOURCE_DIR "/models/block-on-belt.yaml", *json_path = NULL;
  char results[512];
  double seconds = 0.5;
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--json") && i + 1 < argc)
      json_path = argv[++i];
    else if (!strcmp(argv[i], "--seconds") && i + 1 < argc)
      seconds = strtod(argv[++i], NULL);
    else if (argv[i][0] != '-')
      path = argv[i];
    else
      return fprintf(stderr, "usage: bench_block [MODEL.yaml] [--json FILE] [--seconds S]\n"), 2;
  }
  static table t;
  if (!json_path) {
    bench_result_path("block", results, sizeof results);
    json_path = results;
  }
  char machine[512];
  amo_model *m = load(path);
  if (!m) return 2;
  bench_machine(machine, sizeof machine);
  printf("one stick-slip period of the block, period error <= %g\n%s\n\n", BLOCK_PERIOD_ERROR, machine);
  printf("%-36s %-13s %9s  %18s %8s %10s  %s\n", "", "", "us/period", "quartiles", "rhs", "error", "setting");
  static lane one_lane, default_lane;
  static many lanes_many, lanes_program;
  double tol = 0.0;
  int order = 0;
  choose_peers(&t);
  choose_by_hand(&t);
  if (scan_lane(m, &tol, &order))
    add_lane(&t, m, &one_lane, "Amontons, one lane", tol, order);
  else
    printf("%-36s no setting reaches %g\n", "Amontons, one lane", BLOCK_PERIOD_ERROR);
  add_lane(&t, m, &default_lane, "Amontons, default tolerance", amo_sim_opts_default().tol, 0);
  choose_many(&t, m, AMO_ENGINE_STEPS, "Amontons, many lanes, one thread", &lanes_many);
  choose_many(&t, m, AMO_ENGINE_PROGRAM, "Amontons, own program, one thread", &lanes_program);
  time_all(&t, seconds);
  printf("\n");

  FILE *json = fopen(json_path, "w");
  if (!json) fprintf(stderr, "bench_block: cannot write %s\n", json_path);
  if (json) write_entries(json, &t, machine);
  const entry *peer_best = cheapest(&t, "peer", NULL), *luck = cheapest(&t, "peer, by luck", NULL);
  const entry *one = cheapest(&t, "amontons", "Amontons, one lane");
  const entry *lanes = cheapest(&t, "amontons", "Amontons, many lanes"),
              *hand = cheapest(&t, "yardstick", NULL);
  ratio(json, "best peer / Amontons one lane", peer_best, one);
  ratio(json, "best peer by luck / Amontons one lane", luck, one);
  ratio(json, "Amontons one lane / many lanes", one, lanes);
  ratio(json, "best peer / Amontons many lanes", peer_best, lanes);
  ratio(json, "best peer / Amontons own program", peer_best,
        cheapest(&t, "amontons", "Amontons, own program"));
  ratio(json, "Amontons one lane / written for this block", one, hand);
  int rc = one && lanes ? 0 : 1;
  if (json && fclose(json) != 0) rc = 1;
  for (int i = 0; i < t.count; i++)
    if (t.row[i].run == run_peer) peer_free(t.row[i].ctx);
  amo_sim_free(one_lane.sim);
  amo_sim_free(default_lane.sim);
  free_many(&lanes_many);
  free_many(&lanes_program);
  amo_model_free(m);
  return rc;
}
