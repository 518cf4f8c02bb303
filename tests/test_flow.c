// SPDX-License-Identifier: Apache-2.0
/// The event-driven engine through its public interface: known periods, hard events, two steppers,
/// many lanes. Expected values: 40-digit series of the block on the belt, closed forms otherwise.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/near.h"

#include "amontons/amontons.h"

static const char block_text[] =
    "amontons: 1\nname: block\nparameters: {m: 1, k: 1, Fs: 1, delta: 3, v: 0.2}\ncoordinates: [x]\n"
    "particles: {block: {mass: m, at: [x, 0]}}\nenergy: {potential: k/2*x^2}\n"
    "contacts: {belt: {pressed: 1, slip: x' - v, law: {type: curve, static: Fs, kinetic: Fs/(1 + "
    "delta*s)}}}\n"
    "initial: {x: 1, x': 0.2}\n";

static amo_model *load(const char *text)
{
  amo_diags *d = amo_diags_new();
  amo_model *m = NULL;
  amo_status st = amo_model_parse("test.yaml", text, strlen(text), NULL, 0, d, &m);
  if (st != AMO_OK) {
    char *say = amo_diags_render(d);
    fail_msg("%s", say);
    free(say);
  }
  amo_diags_free(d);
  return m;
}

static amo_sim *simulate(const amo_model *m, const amo_sim_opts *o)
{
  amo_diags *d = amo_diags_new();
  amo_sim *s = NULL;
  amo_status st = amo_sim_new(m, o, d, &s);
  if (st != AMO_OK) {
    char *say = amo_diags_render(d);
    fail_msg("%s", say);
    free(say);
  }
  amo_diags_free(d);
  return s;
}

/// Runs until the n-th mode event (counted from 1) and returns its time; -1 if t_end comes first.
static double nth_event(amo_sim *s, int n, double t_end, amo_event *e)
{
  int seen = 0;
  while (amo_sim_time(s) < t_end) {
    if (amo_sim_step(s, t_end) != AMO_OK) fail_msg("%s", amo_sim_message(s));
    for (size_t i = 0; i < amo_sim_new_events(s); i++) {
      const amo_event *k = amo_sim_new_event(s, i);
      if (k->kind == AMO_EVENT_MODE && ++seen == n) {
        *e = *k;
        return k->t;
      }
    }
  }
  return -1.0;
}

static const double period = 12.001031294830578647, slip_time = 4.2959995254801548834;

static void period_of_the_block(void **unused)
{
  (void)unused;
  amo_model *m = load(block_text);
  const struct {
    amo_stepper stepper;
    double tol, error;
  } row[] = {
      {AMO_STEPPER_TAYLOR, 1e-12, 1e-11}, {AMO_STEPPER_TAYLOR, 1e-8, 1e-7}, {AMO_STEPPER_RK8, 1e-11, 1e-8}};
  for (int i = 0; i < 3; i++) {
    amo_sim_opts o = amo_sim_opts_default();
    o.stepper = row[i].stepper;
    o.tol = row[i].tol;
    amo_sim *s = simulate(m, &o);
    amo_event e;
    assert_near(nth_event(s, 1, 1e-9, &e), 0.0, 1e-12);  // starts at the limit of stick: leaves at once
    assert_int_equal(e.to, -1);
    assert_near(nth_event(s, 1, 20, &e), slip_time, row[i].error);
    assert_int_equal(e.to, 0);
    assert_near(nth_event(s, 1, 20, &e), period, row[i].error);
    assert_true(amo_sim_audit(s)->ok);
    assert_true(amo_sim_audit(s)->energy_error < fmax(1e-10, 10 * row[i].tol));
    amo_sim_free(s);
  }
  amo_model_free(m);
}

static void velocity_in_stick_is_exact(void **unused)
{
  (void)unused;
  amo_model *m = load(block_text);
  amo_sim *s = simulate(m, NULL);
  amo_event e;
  nth_event(s, 2, 20, &e);
  assert_int_equal(e.to, 0);
  amo_sample *p;
  assert_int_equal(amo_sample_new(m, &p), AMO_OK);
  assert_int_equal(amo_sim_step(s, 8.0), AMO_OK);
  for (int i = 0; i <= 10; i++) {
    amo_sim_sample(s, amo_sim_step_start(s) + 0.1 * i * (8.0 - amo_sim_step_start(s)), false, p);
    assert_true(p->state[1] == 0.2);
    assert_true(p->slip[0] == 0.0);
  }
  amo_sample_free(p);
  amo_sim_free(s);
  amo_model_free(m);
}

/// Many lanes, many parameters: bit for bit what one lane computes.
static void lanes_change_nothing(void **unused)
{
  (void)unused;
  enum { N = 37 };
  amo_model *m = load(block_text);
  size_t np = amo_model_parameters(m);
  double param[N][8], state[N][2], final[N][2];
  long events[N];
  for (int i = 0; i < N; i++) {
    memcpy(param[i], amo_model_parameter_values(m), np * sizeof(double));
    param[i][4] = 0.05 + 0.03 * i;  // v
    state[i][0] = 1.5 - 0.1 * i;
    state[i][1] = 0.1 * (i % 5);
  }
  double flat[N * 8];
  for (int i = 0; i < N; i++) memcpy(flat + (size_t)i * np, param[i], np * sizeof(double));
  amo_ensemble e = {.count = N,
                    .state = &state[0][0],
                    .parameter = flat,
                    .t_end = 40,
                    .final_state = &final[0][0],
                    .events = events};
  assert_int_equal(amo_ensemble_run(m, NULL, &e), AMO_OK);
  amo_sim_opts o = amo_sim_opts_default();
  o.audit = false;
  amo_sim *s = simulate(m, &o);
  for (int i = 0; i < N; i++) {
    assert_int_equal(amo_sim_parameter(s, 4, param[i][4]), AMO_OK);
    assert_int_equal(amo_sim_start(s, 0.0, state[i]), AMO_OK);
    assert_int_equal(amo_sim_run(s, 40, NULL, NULL), AMO_OK);
    assert_memory_equal(amo_sim_state(s), final[i], sizeof final[i]);
    assert_int_equal(amo_sim_stats(s)->events, events[i]);
  }
  amo_sim_free(s);
  amo_model_free(m);
}

/// Three equal blocks, coupled, started alike: all events are simultaneous, all blocks stay alike.
static void simultaneous_events(void **unused)
{
  (void)unused;
  amo_model *m = load(
      "amontons: 1\nname: three\ncoordinates: [a, b, c]\nparameters: {v: 0.2}\n"
      "energy: {kinetic: (a'^2 + b'^2 + c'^2)/2, potential: (a^2+b^2+c^2)/2 + 0.35*((a-b)^2 + (b-c)^2)}\n"
      "contacts:\n  A: {pressed: 1, slip: a' - v, law: {type: curve, static: 1, kinetic: 1/(1+3*s)}}\n"
      "  B: {pressed: 1, slip: b' - v, law: {type: curve, static: 1, kinetic: 1/(1+3*s)}}\n"
      "  C: {pressed: 1, slip: c' - v, law: {type: curve, static: 1, kinetic: 1/(1+3*s)}}\n"
      "initial: {a: 1.1, b: 1.1, c: 1.1}\n");
  amo_sim *s = simulate(m, NULL);
  amo_event e;
  double t1 = nth_event(s, 1, 50, &e);
  assert_near(t1, 3.365032613388592, 1e-9);
  assert_int_equal(amo_sim_new_events(s), 3);
  assert_near(nth_event(s, 1, 50, &e), 10.82040227648313, 1e-9);
  assert_int_equal(amo_sim_new_events(s), 3);
  for (int c = 0; c < 3; c++) assert_int_equal(amo_sim_mode(s, (size_t)c), -1);
  amo_sim_free(s);
  amo_model_free(m);
}

/// A belt that starts, then reverses, by a programme in time: jumps are events, not smeared over steps.
static void a_driven_surface_jumps(void **unused)
{
  (void)unused;
  amo_model *m = load("amontons: 1\nname: jump\ncoordinates: [x]\nparticles: {p: {mass: 1, at: [x, 0]}}\n"
                      "contacts: {belt: {pressed: 10, slip: \"x' - if(t < 1, 0, t < 3, 2, -1)\", law: {type: "
                      "coulomb, mu: 0.1}}}\n");
  amo_sim *s = simulate(m, NULL);
  assert_int_equal(amo_sim_run(s, 1.5, NULL, NULL), AMO_OK);  // pulled with mu*N/m = 1 since t = 1
  assert_near(amo_sim_state(s)[1], 0.5, 1e-12);
  assert_int_equal(amo_sim_mode(s, 0), -1);
  assert_int_equal(amo_sim_run(s, 3.0 + 1e-9, NULL, NULL),
                   AMO_OK);  // reaches 2 at t = 3 exactly when the belt reverses
  assert_int_equal(amo_sim_run(s, 4.0, NULL, NULL), AMO_OK);
  assert_near(amo_sim_state(s)[1], 1.0, 1e-9);
  assert_int_equal(amo_sim_run(s, 10.0, NULL, NULL), AMO_OK);  // -1 reached at t = 6, then carried
  assert_true(amo_sim_state(s)[1] == -1.0);
  assert_int_equal(amo_sim_mode(s, 0), 0);
  assert_true(amo_sim_audit(s)->ok);
  amo_sim_free(s);
  amo_model_free(m);
}

/// x = sin t imposed on a body with friction: slip reverses at every turn, nothing is singular.
static void imposed_motion(void **unused)
{
  (void)unused;
  amo_model *m = load("amontons: 1\nname: imposed\ncoordinates: [x, y]\nprescribed: {x: sin(t)}\n"
                      "particles: {slider: {mass: 2, at: [x, 0]}, bob: {mass: 1, at: [y, 0]}}\n"
                      "energy: {potential: 4*(y - x)^2/2}\n"
                      "contacts: {floor: {pressed: 5, slip: x', law: {type: coulomb, mu: 0.2}}}\n");
  amo_sim *s = simulate(m, NULL);
  amo_event e;
  for (int i = 0; i < 4; i++) assert_near(nth_event(s, 1, 20, &e), (0.5 + i) * acos(-1.0), 1e-10);
  // y'' = -4 (y - sin t), y(0) = y'(0) = 0: y = (4 sin t - 2 sin 2t)/3
  double t = amo_sim_time(s);
  assert_near(amo_sim_state(s)[0], (4 * sin(t) - 2 * sin(2 * t)) / 3, 1e-9);
  assert_int_equal(amo_sim_run(s, 30, NULL, NULL), AMO_OK);
  assert_true(amo_sim_audit(s)->ok);
  assert_true(amo_sim_audit(s)->energy_error < 1e-9);
  amo_sim_free(s);
  amo_model_free(m);
}

/// A friction curve with a root at zero speed has no power series there; the other stepper takes over.
static void a_curve_without_series(void **unused)
{
  (void)unused;
  amo_model *m = load("amontons: 1\nname: root\ncoordinates: [x]\nparticles: {p: {mass: 1, at: [x, 0]}}\n"
                      "energy: {potential: x^2/2}\n"
                      "contacts: {belt: {pressed: 1, slip: x' - 0.2, law: {type: curve, static: 1, kinetic: "
                      "1/(1+sqrt(s))}}}\n"
                      "initial: {x: 0, x': 0.2}\n");
  double last[2];
  for (int i = 0; i < 2; i++) {
    amo_sim_opts o = amo_sim_opts_default();
    o.stepper = i == 0 ? AMO_STEPPER_TAYLOR : AMO_STEPPER_RK8;
    amo_sim *s = simulate(m, &o);
    amo_event e;
    assert_near(nth_event(s, 1, 50, &e), 5.0, 1e-9);
    assert_true(nth_event(s, 1, 50, &e) > 5.0);
    last[i] = nth_event(s, 1, 50, &e);
    assert_true(amo_sim_audit(s)->contact_violation < 1e-7);
    amo_sim_free(s);
  }
  assert_near(last[0], last[1], 1e-6);
  amo_model_free(m);
}

static void friction_by_hand_holds(void **unused)
{
  (void)unused;
  amo_model *m = load("amontons: 1\nname: hand\ncoordinates: [x]\nparticles: {p: {mass: 1, at: [x, 0]}}\n"
                      "forces: {x: -sign(x')}\ninitial: {x: 0, x': 1}\n");
  amo_sim *s = simulate(m, NULL);
  assert_int_equal(amo_sim_run(s, 5, NULL, NULL), AMO_OK);
  assert_near(amo_sim_state(s)[0], 0.5, 1e-12);
  assert_near(amo_sim_state(s)[1], 0.0, 1e-12);
  amo_sim_free(s);
  amo_model_free(m);
}

static void a_mass_that_vanishes(void **unused)
{
  (void)unused;
  amo_model *m =
      load("amontons: 1\nname: melt\ncoordinates: [x]\nenergy: {kinetic: (1 - t)*x'^2/2}\nforces: {x: 1}\n");
  amo_sim *s = simulate(m, NULL);
  amo_status st = amo_sim_run(s, 2, NULL, NULL);
  assert_int_equal(st, AMO_ENOANSWER);
  assert_true(amo_sim_time(s) <= 1.0 && amo_sim_time(s) > 0.9);
  assert_true(strlen(amo_sim_message(s)) > 10);
  amo_sim_free(s);
  amo_model_free(m);
}

static void options_out_of_range(void **unused)
{
  (void)unused;
  amo_model *m = load(block_text);
  amo_sim_opts bad[6];
  for (int i = 0; i < 6; i++) bad[i] = amo_sim_opts_default();
  bad[0].tol = 0.0;
  bad[1].tol = NAN;
  bad[2].order = 3;
  bad[3].method = AMO_METHOD_SWITCH;
  bad[3].eta = -1;
  bad[4].method = AMO_METHOD_SMOOTH;
  bad[4].eps = 0;
  bad[5].max_step = 0;
  for (int i = 0; i < 6; i++) {
    amo_diags *d = amo_diags_new();
    amo_sim *s;
    assert_int_equal(amo_sim_new(m, &bad[i], d, &s), AMO_EINPUT);
    assert_null(s);
    assert_int_equal(amo_diags_errors(d), 1);
    amo_diags_free(d);
  }
  amo_model_free(m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(period_of_the_block),    cmocka_unit_test(velocity_in_stick_is_exact),
      cmocka_unit_test(lanes_change_nothing),   cmocka_unit_test(simultaneous_events),
      cmocka_unit_test(a_driven_surface_jumps), cmocka_unit_test(imposed_motion),
      cmocka_unit_test(a_curve_without_series), cmocka_unit_test(friction_by_hand_holds),
      cmocka_unit_test(a_mass_that_vanishes),   cmocka_unit_test(options_out_of_range),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
