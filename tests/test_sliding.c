// SPDX-License-Identifier: Apache-2.0
// Switches written by hand whose two sides point at them: relays, thermostats and sliding mode control against closed forms.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "amontons/amontons.h"
#include "support/motion.h"
#include "support/near.h"
#include "support/random.h"

static motion log_;

/// Run a model to the end; its events are in log_. The caller frees both.
static amo_sim *run(const char *model_text, double end, amo_model **m)
{
  *m = motion_model(model_text);
  assert_non_null(*m);
  amo_sim *s = motion_sim(*m, 1e-12);
  memset(&log_, 0, sizeof log_);
  assert_int_equal(motion_run(s, amo_model_states(*m), end, &log_), AMO_OK);
  assert_true(motion_audit(s));
  return s;
}

static void done(amo_sim *s, amo_model *m)
{
  amo_sim_free(s);
  amo_model_free(m);
}

/// x' = sin(t)/2 + 0.8 t - 1.2 sign(x): reaches zero, rests there while |sin(t)/2 + 0.8 t| <= 1.2, leaves.
static void relay_of_first_order(void **state)
{
  (void)state;
  amo_model *m;
  amo_sim *s =
      run("amontons: 1\nstates: {x: {rate: \"0.5*sin(t) + 0.8*t - 1.2*sign(x)\", initial: 0.2}}\n", 2.0, &m);
  assert_int_equal(log_.events, 2);
  const double t1 = log_.event[0].t, t2 = log_.event[1].t;
  assert_near(0.2 + 0.5 * (1 - cos(t1)) + 0.4 * t1 * t1 - 1.2 * t1, 0.0, 1e-13);
  assert_near(0.5 * sin(t2) + 0.8 * t2, 1.2, 1e-12);
  const double grown = 0.5 * (cos(t2) - cos(2.0)) + 0.4 * (4 - t2 * t2) - 1.2 * (2 - t2);
  assert_near(amo_sim_state(s)[0], grown, 1e-12);
  assert_int_equal(log_.event[0].to, 0);
  assert_int_equal(log_.event[1].to, 1);
  done(s, m);
}

/// x'' = 0.7 sin(t) - K sign(x' + c x): on the switch x decays as exp(-c t), whatever the load.
static void sliding_mode_control(void **state)
{
  (void)state;
  static const char *const model_text[] = {
      "amontons: 1\ncoordinates: [x]\nparticles: {b: {mass: 2, at: [x, 0]}}\nforces: {x: \"1.4*sin(t) - "
      "4*sign(x' + 1.5*x)\"}\ninitial: {x: 1}\n",
      // the same with the choice written out, and beside a contact of its own
      "amontons: 1\ncoordinates: [x]\nparticles: {b: {mass: 2, at: [x, 0]}}\nforces: {x: \"1.4*sin(t) + "
      "if(x' + 1.5*x > 0, -4, 4)\"}\ncontacts: {c: {pressed: 1, slip: x', law: {type: coulomb, mu: 0.1}}}\n"
      "initial: {x: 1}\n"};
  for (size_t i = 0; i < 2; i++) {
    amo_model *m;
    amo_sim *s = run(model_text[i], 4.0, &m);
    const motion_event *e = &log_.event[log_.events - 1];
    assert_int_equal(e->to, 0);
    assert_near(e->state[1] + 1.5 * e->state[0], 0.0, 1e-12);
    assert_near(amo_sim_state(s)[0], e->state[0] * exp(-1.5 * (4.0 - e->t)), 1e-11);
    assert_near(amo_sim_state(s)[1], -1.5 * amo_sim_state(s)[0], 1e-11);
    done(s, m);
  }
}

/// Two arms whose masses hang together, each with a switch of its own.
static void two_coupled_controllers(void **state)
{
  (void)state;
  amo_model *m;
  amo_sim *s =
      run("amontons: 1\ncoordinates: [p, q]\nenergy: {kinetic: \"1/2*(3 + 2*cos(q))*p'^2 + 1/2*q'^2 + (1 + "
          "cos(q))*p'*q'\"}\nforces: {p: \"-20*sign(p' + p)\", q: \"-15*sign(q' + 2*q) - 1\"}\ninitial: {p: "
          "0.5, q: -0.4}\n",
          5.0, &m);
  const motion_event *e = &log_.event[log_.events - 1];
  const double *y = amo_sim_state(s), past = 5.0 - e->t;
  assert_near(y[0], e->state[0] * exp(-past), 1e-10);
  assert_near(y[1], e->state[1] * exp(-2 * past), 1e-10);
  done(s, m);
}

/// A thermostat holds its temperature until it is as warm outside; the heater's share follows from the balance.
static void thermostat(void **state)
{
  (void)state;
  amo_model *m;
  amo_sim *s = run(
      "amontons: 1\nparameters: {P: 30, tau: 5}\ndefinitions: {out: 10 + 0.5*t}\nstates: {T: {rate: \"(out "
      "- T + if(T < 20, P, 0))/tau\", initial: 12}, used: {rate: \"if(T < 20, P, 0)\", initial: 0}}\n",
      30.0, &m);
  assert_int_equal(log_.events, 2);
  assert_near(log_.event[1].t, 20.0, 1e-11);
  assert_int_equal(log_.event[1].to, 1);
  // while it is held the heater brings 20 - out: the integral of 10 - t/2
  const double t1 = log_.event[0].t;
  assert_near(amo_sim_state(s)[1], 30 * t1 + 10 * (20 - t1) - 0.25 * (400 - t1 * t1), 1e-10);
  const double u = 10.0;  // T' = (out - T)/5 from 20 at t = 20
  assert_near(amo_sim_state(s)[0], 10 + 0.5 * 30 - 2.5 + 2.5 * exp(-u / 5), 1e-11);
  done(s, m);
}

/// Where both switches are zero each has its share: x' = 0.3 - s, y' = -0.2 + 0.5 s - r, z' = s + 2 r.
static void crossing_switches(void **state)
{
  (void)state;
  amo_model *m;
  amo_sim *s =
      run("amontons: 1\nstates: {x: {rate: 0.3 - sign(x), initial: 1}, y: {rate: -0.2 + 0.5*sign(x) - "
          "sign(y), initial: -1}, z: {rate: sign(x) + 2*sign(y), initial: 0}}\n",
          4.0, &m);
  assert_int_equal(log_.events, 2);
  const double t1 = log_.event[0].t, z1 = log_.event[1].state[2], t2 = log_.event[1].t;
  assert_near(t1 < t2 ? t1 : t2, 1.0 / 1.3, 1e-13);
  assert_near(amo_sim_state(s)[2], z1 + (4.0 - t2) * (0.3 + 2 * (-0.2 + 0.15)), 1e-11);
  done(s, m);
}

/// What is passed, what is a kink and what points away are no contacts.
static void others(void **state)
{
  (void)state;
  static const char *const rate[] = {"-2 + sign(x)", "-max(x, 0)",  "-clamp(3*x, -1, 1)",   "x + sign(x)",
                                     "-abs(x)",      "sign(t - 1)", "-sqrt(abs(x))*sign(x)"};
  for (size_t i = 0; i < sizeof rate / sizeof *rate; i++) {
    char model_text[200];
    amo_model *m;
    snprintf(model_text, sizeof model_text, "amontons: 1\nstates: {x: {rate: \"%s\", initial: 0.5}}\n",
             rate[i]);
    amo_sim *s = run(model_text, 3.0, &m);
    assert_int_equal(amo_model_contacts(m), 0);
    done(s, m);
  }
}

/// A relay that drives its argument through zero has an event, and does not rest.
static void passing(void **state)
{
  (void)state;
  amo_model *m;
  amo_sim *s = run("amontons: 1\nstates: {x: {rate: \"-2 - sign(x)\", initial: 3}}\n", 2.0, &m);
  assert_int_equal(log_.events, 1);
  assert_near(log_.event[0].t, 1.0, 1e-14);
  assert_near(amo_sim_state(s)[0], -1.0, 1e-13);
  done(s, m);
}

/// The same by another stepper.
static void other_stepper(void **state)
{
  (void)state;
  amo_model *m = motion_model(
      "amontons: 1\ncoordinates: [x]\nparticles: {b: {mass: 2, at: [x, 0]}}\nforces: {x: \"1.4*sin(t) "
      "- 4*sign(x' + 1.5*x)\"}\ninitial: {x: 1}\n");
  amo_sim_opts o = amo_sim_opts_default();
  double x[2];
  for (int i = 0; i < 2; i++) {
    amo_sim *s = NULL;
    o.stepper = i ? AMO_STEPPER_RK8 : AMO_STEPPER_TAYLOR;
    assert_int_equal(amo_sim_new(m, &o, NULL, &s), AMO_OK);
    assert_int_equal(amo_sim_run(s, 3.0, NULL, NULL), AMO_OK);
    x[i] = amo_sim_state(s)[0];
    amo_sim_free(s);
  }
  assert_near(x[1], x[0], 1e-9);
  amo_model_free(m);
}

enum { SWITCHES = 3 };

/// Shares s in the given modes (0 rests): rates of those that rest vanish. rate_i = c_i - sum_j B_ij s_j.
static bool shares_of(const double *c, double B[SWITCHES][SWITCHES], const int *mode, double *s)
{
  double a[SWITCHES][SWITCHES + 1];
  for (int i = 0; i < SWITCHES; i++) {
    for (int j = 0; j < SWITCHES; j++) a[i][j] = mode[i] == 0 ? B[i][j] : (double)(i == j);
    a[i][SWITCHES] = mode[i] == 0 ? c[i] : mode[i];
  }
  for (int k = 0; k < SWITCHES; k++)  // the matrix is dominated by its diagonal
    for (int i = 0; i < SWITCHES; i++)
      for (int j = SWITCHES; i != k && j >= k; j--) a[i][j] -= a[i][k] / a[k][k] * a[k][j];
  for (int i = 0; i < SWITCHES; i++) s[i] = a[i][SWITCHES] / a[i][i];
  for (int i = 0; i < SWITCHES; i++) {
    double rate = c[i];
    for (int j = 0; j < SWITCHES; j++) rate -= B[i][j] * s[j];
    if (mode[i] == 0 ? fabs(s[i]) > 1.0 : mode[i] * rate <= 0.0) return false;
  }
  return true;
}

/// All switches at zero at once: `contact` tells which of them rest, as all combinations tried by hand do; `steady` finds the state where
/// all rest if they can, and nothing else that is on its way.
static void questions_at_switches(void **state)
{
  (void)state;
  uint64_t seed = 5;
  int rested = 0, left = 0;
  for (int trial = 0; trial < 200; trial++) {
    double c[SWITCHES], B[SWITCHES][SWITCHES], s[SWITCHES];
    text model = {0};
    put(&model, "amontons: 1\nstates:\n");
    for (int i = 0; i < SWITCHES; i++) {
      c[i] = 3.0 * random_uniform(&seed, -1, 1);
      put(&model, "  x%d: {initial: 0, rate: \"%.17g", i, c[i]);
      for (int j = 0; j < SWITCHES; j++) {
        B[i][j] = i == j ? 1.0 + random_uniform(&seed, 0, 1) : 0.45 * random_uniform(&seed, -1, 1);
        put(&model, " - (%.17g)*sign(x%d)", B[i][j], j);
      }
      put(&model, "\"}\n");
    }
    int code = 0, found = -1, mode[SWITCHES];
    for (; code < 27; code++) {
      for (int i = 0, n = code; i < SWITCHES; i++, n /= 3) mode[i] = n % 3 - 1;
      if (shares_of(c, B, mode, s)) found = code;
    }
    assert_true(found >= 0);
    amo_model *m = motion_model(model.at);
    assert_non_null(m);
    amo_contact_search *q = NULL;
    const amo_contact_answer *a = NULL;
    assert_int_equal(amo_contact_search_new(m, NULL, &q), AMO_OK);
    assert_int_equal(amo_contact_search_at(q, NULL, 0.0, amo_model_initial(m), NULL, &a), AMO_OK);
    assert_int_equal(a->count, 1);
    bool all = true;
    for (int i = 0, n = found; i < SWITCHES; i++, n /= 3) {
      assert_int_equal(a->solution[0].mode[i], n % 3 - 1);
      rested += n % 3 == 1;
      left += n % 3 != 1;
      all &= n % 3 == 1;
    }
    amo_steady *steady = NULL;
    assert_int_equal(amo_steady_find(m, NULL, NULL, &steady), all ? AMO_OK : AMO_ENOANSWER);
    amo_steady_free(steady);
    amo_contact_search_free(q);
    amo_model_free(m);
  }
  assert_true(rested > 50 && left > 50);
}

/// Two switches that multiply each other have no shares where both would rest: the run ends there. It went on, off its switches.
static void products_end(void **state)
{
  (void)state;
  amo_model *m =
      motion_model("amontons: 1\nstates:\n  x: {rate: \"if(x > 0, if(y > 0, -1, -2), 1)\", initial: 1}\n"
                   "  y: {rate: \"if(y > 0, -0.5, 0.5 + 0.2*sign(x))\", initial: 0.7}\n");
  assert_non_null(m);
  amo_sim *s = motion_sim(m, 1e-12);
  amo_status st = AMO_OK;
  while (st == AMO_OK && amo_sim_time(s) < 5.0) st = amo_sim_step(s, 5.0);
  assert_int_equal(st, AMO_ENOANSWER);
  assert_near(amo_sim_time(s), 1.4, 1e-12);
  for (int i = 0; i < 2; i++) assert_near(amo_sim_state(s)[i], 0.0, 1e-12);
  done(s, m);
}

/// What a switch compares must not change where nothing else does: x + y falls, so that this is no steady motion.
static void nothing_steady_on_the_way(void **state)
{
  (void)state;
  amo_model *m = motion_model("amontons: 1\nstates:\n  x: {rate: \"-sign(x + y) + 0.3\", initial: 1}\n"
                              "  y: {rate: \"-sign(y)\", initial: 0.7}\n");
  amo_steady *s = NULL;
  assert_non_null(m);
  assert_int_equal(amo_steady_find(m, NULL, NULL, &s), AMO_OK);
  for (int i = 0; i < 2; i++) assert_int_equal(s->mode[i], 0);
  amo_steady_free(s);
  amo_model_free(m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(relay_of_first_order),
                                     cmocka_unit_test(sliding_mode_control),
                                     cmocka_unit_test(two_coupled_controllers),
                                     cmocka_unit_test(thermostat),
                                     cmocka_unit_test(crossing_switches),
                                     cmocka_unit_test(others),
                                     cmocka_unit_test(passing),
                                     cmocka_unit_test(other_stepper),
                                     cmocka_unit_test(questions_at_switches),
                                     cmocka_unit_test(nothing_steady_on_the_way),
                                     cmocka_unit_test(products_end)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
