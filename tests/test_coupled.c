// SPDX-License-Identifier: Apache-2.0
// Contacts that share coordinates: random systems with a full mass matrix and slips that are combinations of
// velocities, against brute force (support/oracle_coupled.h): same modes at the start, same sequence of modes of
// every contact, event times and final state within the brute force's own error estimate. Both steppers.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/motion.h"
#include "support/oracle_coupled.h"
#include "support/random.h"

enum { SYSTEMS = 24, DROPPING = 12 };
static const double T_END = 12.0, STEP = 1e-3;  // the oracle's coarsest step; its finest is a quarter

static uint64_t seed = 20240301;

static double uniform(double lo, double hi)
{
  return random_uniform(&seed, lo, hi);
}

static bool chance(double p)
{
  return uniform(0.0, 1.0) < p;
}

// Symmetric, positive definite: A A^T + d 1.
static void definite(int n, double d, double out[COUPLED_N][COUPLED_N])
{
  double a[COUPLED_N][COUPLED_N];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) a[i][j] = uniform(-0.7, 0.7);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      out[i][j] = i == j ? d : 0.0;
      for (int k = 0; k < n; k++) out[i][j] += a[i][k] * a[j][k];
    }
}

// A row with one to three velocities, not nearly parallel to the ones before.
static void slip_row(coupled *c, int k)
{
  for (;;) {
    int terms = 1 + (int)uniform(0.0, 3.0);
    double size = 0.0, worst = 0.0;
    for (int i = 0; i < c->n; i++) c->W[k][i] = 0.0;
    while (terms-- > 0) c->W[k][(int)uniform(0.0, c->n)] = (chance(0.5) ? 1 : -1) * uniform(0.4, 1.2);
    for (int i = 0; i < c->n; i++) size += c->W[k][i] * c->W[k][i];
    for (int j = 0; j < k; j++) {
      double dot = 0.0, other = 0.0;
      for (int i = 0; i < c->n; i++) {
        dot += c->W[k][i] * c->W[j][i];
        other += c->W[j][i] * c->W[j][i];
      }
      worst = fmax(worst, fabs(dot) / sqrt(size * other));
    }
    if (worst < 0.9) return;
  }
}

static coupled random_system(int n, bool drops)
{
  coupled c = {.n = n, .nc = n == 2 ? 2 : 2 + (int)chance(0.7)};
  const bool at_rest = chance(0.3);
  definite(n, 0.6, c.M);
  definite(n, 0.5, c.K);
  for (int k = 0; k < c.nc; k++) {
    slip_row(&c, k);
    c.belt[k] = chance(0.6) ? uniform(-0.5, 0.5) : 0.0;
    c.hold[k] = uniform(0.3, 1.0);
    c.kinetic[k] = drops ? c.hold[k] * uniform(0.6, 0.9) : c.hold[k];
    c.delta[k] = chance(0.4) ? 0.0 : uniform(0.3, 2.0);
  }
  for (int i = 0; i < n; i++) {
    c.x[i] = uniform(-1.5, 1.5);
    c.u[i] = at_rest ? 0.0 : uniform(-1.0, 1.0);
  }
  return c;
}

static void put_form(text *t, int n, const double a[COUPLED_N][COUPLED_N], const char *prime)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      put(t, "%s(%.17g)/2*x%d%s*x%d%s", i + j ? " + " : "", a[i][j], i, prime, j, prime);
}

static void write_model(const coupled *c, text *t)
{
  put(t, "amontons: 1\nname: coupled\ncoordinates: [");
  for (int i = 0; i < c->n; i++) put(t, "%sx%d", i ? ", " : "", i);
  put(t, "]\nenergy:\n  kinetic: ");
  put_form(t, c->n, c->M, "'");
  put(t, "\n  potential: ");
  put_form(t, c->n, c->K, "");
  put(t, "\ncontacts:\n");
  for (int k = 0; k < c->nc; k++) {
    put(t, "  c%d:\n    pressed: 2.5\n    slip: -(%.17g)", k, c->belt[k]);
    for (int i = 0; i < c->n; i++)
      if (c->W[k][i] != 0.0) put(t, " + (%.17g)*x%d'", c->W[k][i], i);
    if (c->delta[k] != 0.0)
      put(t, "\n    law: {type: curve, in: force, static: %.17g, kinetic: %.17g/(1 + %.17g*s)}\n", c->hold[k],
          c->kinetic[k], c->delta[k]);
    else if (c->hold[k] > c->kinetic[k])
      put(t, "\n    law: {type: stiction, in: force, static: %.17g, kinetic: %.17g}\n", c->hold[k],
          c->kinetic[k]);
    else
      put(t, "\n    law: {type: coulomb, in: force, mu: %.17g}\n", c->hold[k]);
  }
}

static int mistakes, rk8_stops;

// Says what is wrong and goes on, so that one run shows all systems that differ.
__attribute__((format(printf, 1, 2))) static void wrong(const char *fmt, ...)
{
  va_list ap;
  char line[512];
  va_start(ap, fmt);
  vsnprintf(line, sizeof line, fmt, ap);
  va_end(ap);
  print_error("%s\n", line);
  mistakes++;
}

// The last digits that double precision leaves to the engine itself.
static double own(double tol, double scale)
{
  return fmax(1e-11, 100 * tol) * fmax(1.0, fabs(scale));
}

typedef struct tally {
  int compared, events, crossings, together, cascades, shortened;
  double horizon, worst_state, worst_time, order[SYSTEMS];
} tally;

static void compare_events(const char *k, const coupled *c, const coupled_result *r, const motion *m,
                           double tol, tally *sum)
{
  for (int b = 0; b < c->nc; b++) {
    size_t j = 0;
    for (int i = 0; i < r->run.events; i++) {
      const coupled_event *o = &r->run.event[i];
      if (o->contact != b) continue;
      while (j < m->events && m->event[j].contact != b) j++;
      if (j == m->events) {
        wrong("%s contact %d: brute force has %d -> %d at %.10g, engine has no more events", k, b, o->from,
              o->to, o->t);
        return;
      }
      const motion_event *e = &m->event[j++];
      const double d = fabs(e->t - o->t),
                   allowed = r->time_error + own(tol, o->t) + 1e-8;  // 1e-8: STILL in the oracle
      if (e->from != o->from || e->to != o->to || !(d <= allowed)) {
        wrong("%s contact %d: brute force %d -> %d at %.12g +- %.1e, engine %d -> %d at %.12g", k, b, o->from,
              o->to, o->t, allowed, e->from, e->to, e->t);
        return;
      }
      sum->worst_time = fmax(sum->worst_time, d / allowed);
      sum->events++;
      sum->crossings += o->from * o->to < 0;
      sum->together += i > 0 && o->t == r->run.event[i - 1].t;
    }
    while (j < m->events && m->event[j].contact != b) j++;
    if (j < m->events)
      wrong("%s contact %d: engine has %d -> %d at %.12g, brute force has no more events", k, b,
            m->event[j].from, m->event[j].to, m->event[j].t);
  }
}

static void compare_stepper(int system, const coupled *c, const coupled_result *r, const amo_model *m,
                            amo_stepper stepper, tally *sum)
{
  static motion got;
  char k[64];
  snprintf(k, sizeof k, "system %d, %s:", system, stepper == AMO_STEPPER_TAYLOR ? "taylor" : "rk8");
  double start[2 * COUPLED_N];
  amo_sim_opts o = amo_sim_opts_default();
  amo_sim *s = NULL;
  o.stepper = stepper;
  o.tol = stepper == AMO_STEPPER_TAYLOR ? 1e-12 : 1e-11;
  o.audit = true;
  o.max_steps = 200000;  // a stepper that stalls must fail, not hang
  assert_int_equal(amo_sim_new(m, &o, NULL, &s), AMO_OK);
  memcpy(start, c->x, sizeof(double) * (size_t)c->n);
  memcpy(start + c->n, c->u, sizeof(double) * (size_t)c->n);
  assert_int_equal(amo_sim_start(s, 0.0, start), AMO_OK);
  for (int i = 0; i < c->nc; i++)
    if (amo_sim_mode(s, (size_t)i) != r->run.start[i])
      wrong("%s contact %d begins as %d, brute force as %d", k, i, amo_sim_mode(s, (size_t)i),
            r->run.start[i]);
  if (motion_run(s, 2 * (size_t)c->n, r->t_end, &got) != AMO_OK) {
    // rk8 locates events on an interpolant and may stop, saying so, where two of them nearly coincide; it must
    // not do so often, and never be wrong. The default stepper must go through.
    if (stepper == AMO_STEPPER_TAYLOR || ++rk8_stops > 1) wrong("%s stopped, brute force goes on", k);
    amo_sim_free(s);
    return;
  }
  compare_events(k, c, r, &got, o.tol, sum);
  const double *end = amo_sim_state(s);
  for (int i = 0; i < 2 * c->n; i++) {
    const double want = i < c->n ? r->run.x[i] : r->run.u[i - c->n], d = fabs(end[i] - want);
    const double allowed = r->state_error + own(o.tol, want) + 1e-8;
    if (!(d <= allowed))
      wrong("%s state %d at t = %g: brute force %.12g +- %.1e, engine %.12g", k, i, r->t_end, want, allowed,
            end[i]);
    sum->worst_state = fmax(sum->worst_state, d / allowed);
  }
  if (!motion_audit(s)) wrong("%s audit", k);
  amo_sim_free(s);
}

// COUPLED_DUMP=7 prints system 7 as a model file, what the brute force found as remarks.
static void dump(const coupled *c, const coupled_result *r, const char *model)
{
  printf("%sinitial: {", model);
  for (int i = 0; i < c->n; i++) printf("%sx%d: %.17g, x%d': %.17g", i ? ", " : "", i, c->x[i], i, c->u[i]);
  printf("}\n");
  for (int i = 0; i < r->run.events; i++)
    printf("# %.12f contact %d: %d -> %d\n", r->run.event[i].t, r->run.event[i].contact, r->run.event[i].from,
           r->run.event[i].to);
}

static int by_size(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void compare_systems(bool drops, int systems, tally *sum)
{
  static coupled_result r;
  static text t;
  mistakes = 0;
  for (int k = 0; k < systems; k++) {
    const coupled c = random_system(2 + k % 3, drops);
    oracle_coupled_solve(&c, T_END, STEP, &r);
    sum->cascades += r.cascade;
    sum->shortened += r.t_end < T_END;
    if (r.t_end == 0.0) continue;
    sum->order[sum->compared++] = r.order;
    sum->horizon += r.t_end;
    t.n = 0;
    write_model(&c, &t);
    amo_model *m = motion_model(t.at);
    assert_non_null(m);
    if (getenv("COUPLED_DUMP") && atoi(getenv("COUPLED_DUMP")) == k) dump(&c, &r, t.at);
    compare_stepper(k, &c, &r, m, AMO_STEPPER_TAYLOR, sum);
    compare_stepper(k, &c, &r, m, AMO_STEPPER_RK8, sum);
    amo_model_free(m);
  }
  qsort(sum->order, (size_t)sum->compared, sizeof *sum->order, by_size);
  print_message(
      "%d of %d systems compared (%d shortened, %d of them at a cascade), %.1f %% of the time; %d events, "
      "%d slip-slip, %d together; oracle's order (median) %.2f; largest difference / estimate: state %.2f, "
      "event time %.2f\n",
      sum->compared, systems, sum->shortened, sum->cascades, 100.0 * sum->horizon / (systems * T_END),
      sum->events / 2, sum->crossings / 2, sum->together / 2, sum->order[sum->compared / 2], sum->worst_state,
      sum->worst_time);
  if (mistakes) fail_msg("%d differences", mistakes);
}

static void random_systems_agree_with_brute_force(void **state)
{
  (void)state;
  tally sum = {0};
  compare_systems(false, SYSTEMS, &sum);
  assert_int_equal(sum.compared, SYSTEMS);
  assert_int_equal(sum.cascades, 0);
  assert_true(sum.horizon > 0.9 * SYSTEMS * T_END);  // the oracle's own doubts must stay rare
  assert_true(sum.events / 2 > 6 * SYSTEMS);
  assert_true(sum.crossings / 2 > SYSTEMS / 2);
  assert_true(sum.order[sum.compared / 2] > 1.7 && sum.order[sum.compared / 2] < 2.3);
}

static void static_above_kinetic_agrees_too(void **state)
{
  (void)state;
  tally sum = {0};
  compare_systems(true, DROPPING, &sum);
  assert_true(sum.compared >= DROPPING - 2);  // where it compares nothing at all: a minority
  assert_true(sum.cascades < DROPPING / 2);
  assert_true(sum.horizon > 0.6 * DROPPING * T_END);
  assert_true(sum.events / 2 > 4 * DROPPING);
}

// The oracle itself: two parallel contacts on one body hold together, by hand: x'' = -x + friction 1, from x = 3 at rest:
// to x = -1 at t = pi, then holds.
static void oracle_knows_the_block(void **state)
{
  (void)state;
  static coupled_result r;
  const coupled c = {.n = 1,
                     .nc = 2,
                     .M = {{1}},
                     .K = {{1}},
                     .W = {{1}, {1}},
                     .hold = {0.4, 0.6},
                     .kinetic = {0.4, 0.6},
                     .x = {3.0}};
  oracle_coupled_solve(&c, 5.0, STEP, &r);
  assert_true(r.t_end == 5.0);
  assert_int_equal(r.run.start[0], -1);
  assert_int_equal(r.run.start[1], -1);
  assert_true(fabs(r.run.x[0] + 1.0) <= r.state_error + 1e-9);
  assert_true(r.state_error < 1e-6);
  assert_int_equal(r.run.end[0], 0);
  assert_int_equal(r.run.end[1], 0);
}

static const char lanes_text[] =
    "amontons: 1\nname: lanes\nparameters: {v: 0.2, c: 0.3, F: 0.8}\ncoordinates: [x, y, z]\n"
    "energy:\n  kinetic: (x'^2 + 1.5*y'^2 + 0.8*z'^2)/2 + c*x'*y' + 0.2*y'*z'\n"
    "  potential: (x^2 + y^2 + 1.3*z^2)/2 + 0.4*(x - y)^2 + 0.2*x*z\n"
    "contacts:\n"
    "  A: {pressed: 1, slip: x' + 0.5*y' - v, law: {type: curve, static: F, kinetic: F/(1 + 2*s)}}\n"
    "  B: {pressed: 1, slip: y' - z', law: {type: coulomb, mu: 0.4}}\n"
    "  C: {pressed: 2, slip: z' + 0.3*x' + v, law: {type: stiction, static: 0.3, kinetic: 0.2}}\n"
    "initial: {x: 1, y: -0.5, z: 0.2}\n";

/// Many lanes, coupled contacts: bit for bit what one lane computes.
static void lanes_change_nothing(void **state)
{
  (void)state;
  enum { N = 29, P = 3, S = 6 };
  amo_model *m = motion_model(lanes_text);
  assert_non_null(m);
  assert_int_equal(amo_model_parameters(m), P);
  double param[N][P], start[N][S], final[N][S];
  signed char mode[N][3];
  long events[N], all = 0;
  for (int i = 0; i < N; i++) {
    param[i][0] = 0.05 + 0.02 * i;
    param[i][1] = 0.5 - 0.03 * i;
    param[i][2] = 0.5 + 0.02 * i;
    for (int j = 0; j < 3; j++) {
      start[i][j] = uniform(-1.5, 1.5);
      start[i][3 + j] = i % 4 ? uniform(-1.0, 1.0) : 0.0;
    }
  }
  amo_ensemble e = {.count = N,
                    .state = &start[0][0],
                    .parameter = &param[0][0],
                    .t_end = 40,
                    .final_state = &final[0][0],
                    .final_mode = &mode[0][0],
                    .events = events};
  assert_int_equal(amo_ensemble_run(m, NULL, &e), AMO_OK);
  amo_sim_opts o = amo_sim_opts_default();
  o.audit = false;
  amo_sim *s = NULL;
  assert_int_equal(amo_sim_new(m, &o, NULL, &s), AMO_OK);
  for (int i = 0; i < N; i++) {
    for (size_t j = 0; j < P; j++) assert_int_equal(amo_sim_parameter(s, j, param[i][j]), AMO_OK);
    assert_int_equal(amo_sim_start(s, 0.0, start[i]), AMO_OK);
    assert_int_equal(amo_sim_run(s, 40, NULL, NULL), AMO_OK);
    assert_memory_equal(amo_sim_state(s), final[i], sizeof final[i]);
    assert_int_equal(amo_sim_stats(s)->events, events[i]);
    for (size_t c = 0; c < 3; c++) assert_int_equal(amo_sim_mode(s, c), mode[i][c]);
    all += events[i];
  }
  assert_true(all > 10 * N);
  amo_sim_free(s);
  amo_model_free(m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(oracle_knows_the_block),
      cmocka_unit_test(random_systems_agree_with_brute_force),
      cmocka_unit_test(static_above_kinetic_agrees_too),
      cmocka_unit_test(lanes_change_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
