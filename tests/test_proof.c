// SPDX-License-Identifier: Apache-2.0
/// Proofs of steps. What is proven is true: the bound holds against tiny steps of another run. What is false is not proven: a
/// coefficient, an end or a mode that is wrong, a pulse that was stepped over, an event that was missed.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "amontons/amontons.h"
#include "flow/proof_impl.h"
#include "flow/sim.h"

static amo_model *checked(amo_status st, amo_diags *d, amo_model *m)
{
  if (st != AMO_OK) fail_msg("%s", amo_diags_render(d));
  amo_diags_free(d);
  return m;
}

static amo_model *parse(const char *text)
{
  amo_diags *d = amo_diags_new();
  amo_model *m = NULL;
  const amo_status st = amo_model_parse("test.yaml", text, strlen(text), NULL, 0, d, &m);
  return checked(st, d, m);
}

static amo_model *load(const char *name)
{
  char path[512];
  amo_diags *d = amo_diags_new();
  amo_model *m = NULL;
  snprintf(path, sizeof path, "%s/models/%s.yaml", AMO_SOURCE_DIR, name);
  const amo_status st = amo_model_load(path, NULL, 0, d, &m);
  return checked(st, d, m);
}

static amo_sim *simulate(const amo_model *m, double tol, double max_step, bool certify)
{
  amo_sim_opts o = amo_sim_opts_default();
  amo_diags *d = amo_diags_new();
  amo_sim *s = NULL;
  o.tol = tol;
  o.max_step = max_step;
  o.certify = certify;
  o.audit = false;
  if (amo_sim_new(m, &o, d, &s) != AMO_OK) fail_msg("%s", amo_diags_render(d));
  amo_diags_free(d);
  return s;
}

static void walk(amo_sim *s, double t_end)
{
  while (amo_sim_time(s) < t_end)
    if (amo_sim_step(s, t_end) != AMO_OK) fail_msg("%s", amo_sim_message(s));
}

// ---- what should be proven is ----

static void whole_runs(void **state)
{
  static const struct {
    const char *name;
    double until;
  } row[] = {{"block-on-belt", 60},
             {"duffing", 20},
             {"hump", 20},
             {"chain", 10},
             {"two-blocks", 10},
             {"bouncing-table", 10},
             {"particle-on-curve", 10},
             {"lecornu-disc", 10},
             {"pendulum-constraint", 5},
             {"geared-eccentric-disc", 5},
             {"prescribed-slider", 3},
             {"block-aging", 10},
             {"drive-spring-slider", 10},
             {"trammel", 2},
             {"klarbring-mass", 10},
             {"forced-coulomb", 20},
             {"cam-follower", 1},
             {"bouncing-ball", 10},
             {"epicyclic-pair", 10},
             {"rolling-disc", 10}};
  (void)state;
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    amo_model *m = load(row[i].name);
    amo_sim *s = simulate(m, 1e-12, INFINITY, true);
    walk(s, row[i].until);
    const amo_proof *p = amo_sim_proof(s);
    if (p->proven != p->steps || p->steps == 0)
      fail_msg("%s: %ld of %ld steps proven; t = %g: %s", row[i].name, p->proven, p->steps, p->unproven[0].t,
               p->unproven[0].why);
    assert_true(p->error < 1e-11);
    amo_sim_free(s);
    amo_model_free(m);
  }
}

// ---- what is proven is true ----

static uint64_t seed = 7;

static double uniform(double lo, double hi)
{
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return lo + (hi - lo) * (double)(seed >> 11) * 0x1p-53;
}

static amo_model *random_model(void)
{
  static const char *const law[] = {"{type: coulomb, mu: 0.3}",
                                    "{type: curve, static: 0.5, kinetic: 0.5/(1 + 3*s)}",
                                    "{type: curve, static: 0.4, kinetic: 0.3 + 0.1*exp(-s^2/0.3)}",
                                    "{type: curve, static: 0.4, kinetic: 0.4 - 0.1*tanh(3*s)}"};
  static const char *const load[] = {"cos(w*t)", "exp(-(t-3)^2)", "tanh(t-2)*x", "sin(w*t)^3", "x/(1+y^2)"};
  char text[2000];
  const int n = (int)uniform(0, 3.999), f = (int)uniform(0, 4.999);
  snprintf(
      text, sizeof text,
      "amontons: 1\nname: random\nparameters: {m: %.3f, k: %.3f, c: %.3f, j: %.3f, w: %.3f, F: %.3f, v: "
      "%.3f}\n"
      "coordinates: [x, y]\nenergy: {kinetic: m/2*x'^2 + 1/2*y'^2 + j*x'*y'*cos(y), potential: k/2*x^2 + "
      "(x-y)^2/2 + cos(y)}\n"
      "forces: {x: \"F*%s - c*x'\", y: -c*y'}\n"
      "contacts: {a: {pressed: 1, slip: x' - v, law: \"%s\"}}\ninitial: {x: %.3f, y: %.3f, x': %.3f}\n",
      uniform(1, 3), uniform(0.5, 4), uniform(0, 0.2), uniform(0, 0.4), uniform(0.3, 3), uniform(0, 2),
      uniform(-0.5, 0.5), load[f], "LAW", uniform(-1, 1), uniform(-1, 1), uniform(-1, 1));
  char *at = strstr(text, "\"LAW\""), rest[400];
  snprintf(rest, sizeof rest, "%s%s", law[n], at + 5);
  strcpy(at, rest);
  return parse(text);
}

/// The motion of the step once more, in pieces that are far too short; modes cannot change within a proven step.
static void retrace(amo_sim *fine, double t, const double *y, double h, double *end)
{
  if (amo_sim_start(fine, t, y) != AMO_OK) fail_msg("%s", amo_sim_message(fine));
  walk(fine, t + h);
  memcpy(end, amo_sim_state(fine), 4 * sizeof *end);
}

static void bounds_hold(void **state)
{
  long compared = 0;
  double sharpest = 0.0;
  (void)state;
  for (int model = 0; model < 60; model++) {
    amo_model *m = random_model();
    const double tol = pow(10.0, -uniform(4, 9));
    amo_sim *s = simulate(m, tol, INFINITY, true), *fine = simulate(m, 1e-15, 0.02, false);
    const amo_prover *p = amo_sim_flow(s)->prover;
    while (amo_sim_time(s) < 8.0) {
      double from[4], end[4], t = amo_sim_time(s);
      memcpy(from, amo_sim_state(s), sizeof from);
      const long before = p->found.proven;
      if (amo_sim_step(s, 8.0) != AMO_OK) break;
      const double h = amo_sim_flow(s)->lane[0].h;
      if (p->found.proven == before || !(h > 0.0) || amo_sim_new_events(s) > 0) continue;
      retrace(fine, t, from, h, end);
      for (int i = 0; i < 4; i++) {
        const double error = fabs(end[i] - amo_sim_state(s)[i]), rounding = 1e-14 * (1.0 + fabs(end[i]));
        if (!(error <= p->error[i] + rounding))
          fail_msg("model %d, state %d from t = %g over %g: error %g, proven %g", model, i, t, h, error,
                   p->error[i]);
        if (p->error[i] > 1e-12) sharpest = fmax(sharpest, error / p->error[i]);
        compared++;
      }
    }
    amo_sim_free(s);
    amo_sim_free(fine);
    amo_model_free(m);
  }
  print_message("%ld bounds compared, the closest at %.2g of the bound\n", compared, sharpest);
  assert_true(compared > 2000);
  assert_true(sharpest > 0.01);  // not vacuous
}

// ---- what is false is not proven ----

typedef struct stage {
  amo_model *m;
  amo_sim *s;
  amo_flow *f;
  amo_lane *l;
  amo_prover *p;
} stage;

/// A step of length h from where the simulation is, as the engine would take it, without events.
static stage raise(amo_model *m, double h)
{
  stage x = {.m = m, .s = simulate(m, 1e-12, INFINITY, false)};
  x.f = amo_sim_flow(x.s);
  x.l = x.f->lane;
  assert_int_equal(amo_prover_new(m, x.f->P, &x.p), AMO_OK);
  amo_flow_expand(x.f);
  x.l->start = x.l->t;
  x.l->h = h;
  x.l->hits = 0;
  memcpy(x.l->step_mode, x.l->mode, 2u * (m->nc + 1u) + x.f->nsw);
  amo_flow_dense(x.f, 0, h, x.l->y);
  return x;
}

static void lower(stage *x)
{
  amo_prover_free(x->p);
  amo_sim_free(x->s);
  amo_model_free(x->m);
}

static bool proven(const stage *x)
{
  amo_prover_reset(x->p);
  return amo_prover_step(x->p, x->f, 0);
}

static void wrong_numbers(void **state)
{
  static const char *const name[] = {"duffing", "pendulum-constraint", "chain"};
  (void)state;
  for (size_t i = 0; i < 3; i++) {
    stage x = raise(load(name[i]), 0.1);
    if (!proven(&x)) fail_msg("%s: %s", name[i], x.p->why);
    for (uint32_t q = 0; q < x.f->ns; q++) {
      double *end = &x.l->y[q];
      const double was = *end;
      *end += 1e-9 * x.p->size[q];
      assert_false(proven(&x));
      *end = was;
      for (int k = 0; k <= 5; k++) {
        double *c = &x.f->state[q][k];
        const double old = *c;
        *c += 1e-6 * x.p->size[q] / pow(0.1, k);
        if (proven(&x)) fail_msg("%s: wrong coefficient %d of state %u", name[i], k, q);
        *c = old;
      }
    }
    assert_true(proven(&x));
    lower(&x);
  }
}

static void pulse_not_stepped_over(void **state)
{
  (void)state;
  static const char text[] =
      "amontons: 1\nname: pulse\ncoordinates: [x]\nparticles: {m: {mass: 1, at: [x, 0]}}\n"
      "energy: {potential: x^2/8}\nforces: {x: exp(-(t-50)^2)}\ninitial: {x: 0.1}\n";
  stage x = raise(parse(text), 100.0);
  for (uint32_t i = 0; i < 2; i++)  // the motion as it would be without the pulse
    for (int k = 0; k <= x.f->P; k++)
      x.f->state[i][k] = 0.1 * pow(0.5, k) / tgamma(k + 1.0) * (i == 0 ? cos(k * acos(0.0)) : 0.0);
  for (int k = 0; k < x.f->P; k++) x.f->state[1][k] = (k + 1) * x.f->state[0][k + 1];
  x.l->h = 2.0;
  amo_flow_dense(x.f, 0, 2.0, x.l->y);
  assert_true(proven(&x));  // far from the pulse that is the motion
  x.l->h = 100.0;
  assert_false(proven(&x));
  lower(&x);
  // a body at rest until the pulse comes: the polynomial 0 is right for long, and wrong at the end
  stage rest =
      raise(parse("amontons: 1\nname: pulse\ncoordinates: [x]\nparticles: {m: {mass: 1, at: [x, 0]}}\n"
                  "forces: {x: exp(-(t-50)^2)}\ninitial: {x: 0}\n"),
            100.0);
  for (uint32_t i = 0; i < 2; i++)
    for (int k = 0; k <= rest.f->P; k++) rest.f->state[i][k] = 0.0;
  rest.l->y[0] = rest.l->y[1] = 0.0;
  rest.l->scale[0] = rest.l->scale[1] = 1.0;
  assert_false(proven(&rest));
  rest.l->h = 40.0;
  assert_true(proven(&rest));
  lower(&rest);
}

// The block stops on its slope before the end of the step, sticks beyond its limit, meets the floor: nobody noticed.
static void missed_events(void **state)
{
  static const struct {
    const char *text;
    double good, bad;  // lengths of the step without and with an event inside
  } row[] = {
      {"amontons: 1\nname: a\ncoordinates: [x]\nparticles: {m: {mass: 1, at: [x, 0]}}\n"
       "contacts: {c: {pressed: 1, slip: x', law: {type: coulomb, mu: 0.5}}}\ninitial: {x': 1}\n",
       1.99, 2.01},
      {"amontons: 1\nname: b\ncoordinates: [x]\nparticles: {m: {mass: 1, at: [x, 0]}}\nforces: {x: t}\n"
       "contacts: {c: {pressed: 1, slip: x', law: {type: coulomb, mu: 0.5}}}\ninitial: {x': 0}\n",
       0.49, 0.51},
      {"amontons: 1\nname: c\ncoordinates: [x, y]\nparticles: {m: {mass: 1, at: [x, y]}}\nforces: {y: -2}\n"
       "contacts: {c: {support: y, slip: x', restitution: 0.5, law: {type: coulomb, mu: 0}}}\ninitial: {y: "
       "1}\n",
       0.99, 1.01},
      {"amontons: 1\nname: d\ncoordinates: [x]\nparticles: {m: {mass: 1, at: [x, 0]}}\nforces: {x: abs(x)}\n"
       "initial: {x: 1, x': -2}\n",
       0.54, 0.56}};
  (void)state;
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    stage x = raise(parse(row[i].text), row[i].good);
    if (!proven(&x)) fail_msg("row %zu: %s", i, x.p->why);
    x.l->h = row[i].bad;
    amo_flow_dense(x.f, 0, row[i].bad, x.l->y);
    if (proven(&x)) fail_msg("row %zu: an event was not seen", i);
    lower(&x);
  }
}

// An event that is told at the wrong time: its condition has a zero, but elsewhere.
static void misplaced_event(void **state)
{
  (void)state;
  stage x =
      raise(parse("amontons: 1\nname: a\ncoordinates: [x]\nparticles: {m: {mass: 1, at: [x, 0]}}\n"
                  "contacts: {c: {pressed: 1, slip: x', law: {type: coulomb, mu: 0.5}}}\ninitial: {x': 1}\n"),
            2.0);
  x.l->hit[0] = (amo_condition){.what = AMO_IS_SLIP, .index = 0};
  x.l->hits = 1;
  assert_true(proven(&x));
  assert_true(x.p->event_error < 1e-14);
  for (int i = 0; i < 2; i++) {
    x.l->h = i == 0 ? 2.0 + 1e-7 : 2.3;
    amo_flow_dense(x.f, 0, x.l->h, x.l->y);
    assert_false(proven(&x));
  }
  lower(&x);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(whole_runs),    cmocka_unit_test(bounds_hold),
      cmocka_unit_test(wrong_numbers), cmocka_unit_test(pulse_not_stepped_over),
      cmocka_unit_test(missed_events), cmocka_unit_test(misplaced_event),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
