// SPDX-License-Identifier: Apache-2.0
// Events that are easily missed, doubled or put at a wrong time: models of a review, each against a value by hand or
// against a run with short steps. Every test runs once per stepper.
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
#include "support/near.h"

static const double PI = 3.14159265358979323846;

typedef struct seen {
  double t[1024];
  amo_event event[1024];
  int n, switches;  // mode events kept; switches counted
  double at_switch[64];
  double x[1024];  // first state at the mode events
} seen;

static amo_sim *begin(const amo_model *m, amo_stepper stepper, double max_step)
{
  amo_sim_opts o = amo_sim_opts_default();
  amo_sim *s = NULL;
  o.stepper = stepper;
  o.tol = stepper == AMO_STEPPER_TAYLOR ? 1e-12 : 1e-11;
  o.max_step = max_step;
  o.audit = true;
  o.max_steps = 200000;  // a stepper that stalls must fail, not hang
  assert_int_equal(amo_sim_new(m, &o, NULL, &s), AMO_OK);
  return s;
}

// Runs until t, aiming at t_end (the same unless t_end is far away), and keeps the events.
static void watch(amo_sim *s, double t, double t_end, seen *k)
{
  memset(k, 0, sizeof *k);
  while (amo_sim_time(s) < t) {
    if (amo_sim_step(s, t_end) != AMO_OK) fail_msg("t = %.17g: %s", amo_sim_time(s), amo_sim_message(s));
    for (size_t i = 0; i < amo_sim_new_events(s); i++) {
      const amo_event *e = amo_sim_new_event(s, i);
      if (e->kind == AMO_EVENT_SWITCH && k->switches < 64) k->at_switch[k->switches++] = e->t;
      if (e->kind != AMO_EVENT_MODE || k->n == 1024) continue;
      k->t[k->n] = e->t;
      k->x[k->n] = amo_sim_state(s)[0];
      k->event[k->n++] = *e;
    }
  }
}

static amo_model *load(const char *text)
{
  amo_model *m = motion_model(text);
  assert_non_null(m);
  return m;
}

static amo_stepper stepper_of(void **state)
{
  return *(const amo_stepper *)*state;
}

// How well times of events are known: the interpolant of Runge-Kutta is less exact than its steps.
static double sharp(amo_stepper k, double taylor)
{
  return k == AMO_STEPPER_TAYLOR ? taylor : fmax(taylor, 1e-8);
}

/// Friction 3 from a plate that swings: no step may jump over two reversals.
static void swinging_plate(void **state)
{
  const amo_stepper stepper = stepper_of(state);
  static const double row[][2] = {{2, 5}, {1, 20}, {0.5, 10}, {3, 1.7}, {10, 2}};  // a, w
  for (int i = 0; i < 5; i++) {
    char text[512];
    static seen free_run, dense;
    double v[2];
    snprintf(text, sizeof text,
             "amontons: 1\nname: plate\ncoordinates: [x]\nparticles: {p: {mass: 1, at: [x, 0]}}\n"
             "contacts: {plate: {pressed: 10, slip: x' - %g*sin(%g*t), law: {type: coulomb, mu: 0.3}}}\n",
             row[i][0], row[i][1]);
    amo_model *m = load(text);
    amo_sim *s = begin(m, AMO_STEPPER_TAYLOR, 0.05);
    watch(s, 60, 60, &dense);
    v[0] = amo_sim_state(s)[1];
    amo_sim_free(s);
    // pure slip (a w well above 3): two reversals per turn of the plate
    if (row[i][0] * row[i][1] > 9)
      assert_in_range(dense.n, (int)(60 * row[i][1] / PI) - 2, (int)(60 * row[i][1] / PI) + 3);
    s = begin(m, stepper, INFINITY);
    watch(s, 60, 60, &free_run);
    v[1] = amo_sim_state(s)[1];
    if (free_run.n != dense.n)
      fail_msg("a = %g, w = %g: %d events, short steps %d", row[i][0], row[i][1], free_run.n, dense.n);
    for (int k = 0; k < dense.n; k++) assert_near(free_run.t[k], dense.t[k], 1e-8);
    assert_near(v[1], v[0], 1e-8);
    assert_true(motion_audit(s));
    amo_sim_free(s);
    amo_model_free(m);
  }
}

/// A force that is switched on while sin(t) >= 0.3: every switch, at its time.
static void switched_force(void **state)
{
  const amo_stepper stepper = stepper_of(state);
  amo_model *m = load("amontons: 1\nname: switched\ncoordinates: [x]\nparticles: {p: {mass: 1, at: [x, 0]}}\n"
                      "forces: {x: \"if(sin(t) < 0.3, 0, 1)\"}\n");
  const double a = asin(0.3);
  double want[64], v = 0.0;
  int n = 0;
  for (int k = 0; 2 * PI * k < 60; k++) {
    if (2 * PI * k + a < 60) want[n++] = 2 * PI * k + a;
    if (2 * PI * k + PI - a < 60) want[n++] = 2 * PI * k + PI - a;
  }
  for (int i = 0; i < n; i += 2) v += (i + 1 < n ? want[i + 1] : 60) - want[i];
  assert_int_equal(n, 20);  // 60 = 9.55 turns: ten times on, ten times off
  static seen k;
  amo_sim *s = begin(m, stepper, INFINITY);
  watch(s, 60, 60, &k);
  assert_int_equal(k.switches, n);
  for (int i = 0; i < n; i++) assert_near(k.at_switch[i], want[i], sharp(stepper, 1e-10));
  assert_near(amo_sim_state(s)[1], v, 10 * sharp(stepper, 1e-10));
  assert_true(motion_audit(s));
  amo_sim_free(s);
  amo_model_free(m);
}

/// x'' = -t^2 x: the first coefficients of the series at t = 0 are zero; steps must not take that for a constant.
static void stiffening_spring(void **state)
{
  const amo_stepper stepper = stepper_of(state);
  amo_model *m = load("amontons: 1\nname: airy\ncoordinates: [x]\nparticles: {p: {mass: 1, at: [x, 0]}}\n"
                      "forces: {x: -t^2*x}\ninitial: {x: 1}\n");
  double want = 0.0, term = 1.0;  // a_(n+4) = -a_n/((n+4)(n+3))
  for (int n = 0; n < 200; n += 4) {
    want += term;
    term *= -81.0 / ((n + 4.0) * (n + 3.0));
  }
  assert_near(want, -0.32978, 1e-5);
  for (int j = 0; j < 2; j++) {
    amo_sim *s = begin(m, stepper, j == 0 ? INFINITY : 0.1);
    assert_int_equal(motion_advance(s, 3.0), AMO_OK);
    if (!(fabs(amo_sim_state(s)[0] - want) <= 1e-9))
      fail_msg("run %d: %.12g, series %.12g", j, amo_sim_state(s)[0], want);
    assert_true(motion_audit(s));
    amo_sim_free(s);
  }
  amo_model_free(m);
}

/// Where the run is to end must not matter to when things happen.
static void far_ends(void **state)
{
  const amo_stepper stepper = stepper_of(state);
  amo_model *m =
      load("amontons: 1\nname: two\ncoordinates: [a, b]\nparticles: {A: {mass: 1, at: [a, 0]}, B: {mass: 1, "
           "at: [b, 0]}}\n"
           "energy: {potential: (a^2 + b^2)/2 + 1.2*(b - a)^2/2}\n"
           "contacts:\n  A: {pressed: 1, slip: a' - 0.2, law: {type: curve, static: 1, kinetic: 1/(1+3*s)}}\n"
           "  B: {pressed: 1, slip: b' - 0.2, law: {type: curve, static: 1.3, kinetic: 1.3/(1+3*s)}}\n");
  static const double want[] = {0.20141009701, 0.26145877036, 5.1792205014,
                                6.1855887931,  9.5828734151,  10.203812944};
  static const double ends[] = {11, 100, 1e6, 1e9, 1e15};
  for (int i = 0; i < 5; i++) {
    static seen k;
    amo_sim *s = begin(m, stepper, INFINITY);
    watch(s, 10.21, ends[i], &k);
    if (k.n < 6) fail_msg("until %g: %d events", ends[i], k.n);
    for (int e = 0; e < 6; e++)
      if (!(fabs(k.t[e] - want[e]) <= sharp(stepper, 1e-9) * want[e]))
        fail_msg("until %g: event %d at %.12g, want %.12g", ends[i], e, k.t[e], want[e]);
    amo_sim_free(s);
  }
  amo_model_free(m);
}

/// Where v^2 = 0 again: d(v^2)/dx = 2 (-x + mu) + 2 c v^2 on the way down from x0, solved in closed form.
static double first_turn(double x0, double mu, double c)
{
  const double a = 1 / c, b = (1 / c - 2 * mu) / (2 * c);
  double lo = -x0, hi = mu;  // v^2 is positive at mu and negative at -x0
  for (int i = 0; i < 200; i++) {
    const double x = 0.5 * (lo + hi), w = a * x + b - (a * x0 + b) * exp(2 * c * (x - x0));
    if (w > 0)
      hi = x;
    else
      lo = x;
  }
  return 0.5 * (lo + hi);
}

/// Drag c x' |x'| has its corner where the slip is zero: both happen at once at the turning point.
static void turning_with_drag(void **state)
{
  const amo_stepper stepper = stepper_of(state);
  static const double start[] = {2.3, 2.6, 2.9}, drag[] = {0.1, 0.3, 0.8};
  int sticks = 0, turns = 0;
  for (int i = 0; i < 9; i++) {
    char text[512];
    const double x0 = start[i % 3], c = drag[i / 3], x1 = first_turn(x0, 0.3, c);
    snprintf(text, sizeof text,
             "amontons: 1\nname: drag\ncoordinates: [x]\nparticles: {p: {mass: 1, at: [x, 0]}}\n"
             "energy: {potential: x^2/2}\nforces: {x: -%g*x'*abs(x')}\n"
             "contacts: {floor: {pressed: 1, slip: x', law: {type: stiction, static: 1, kinetic: 0.3}}}\n"
             "initial: {x: %g}\n",
             c, x0);
    amo_model *m = load(text);
    static seen k;
    amo_sim *s = begin(m, stepper, INFINITY);
    assert_int_equal(amo_sim_mode(s, 0), -1);
    watch(s, 20, 20, &k);
    int e = k.n > 0 && k.event[0].from == 0 ? 1 : 0;  // a start that is reported as an event
    if (k.n <= e) fail_msg("x0 = %g, c = %g: no turn", x0, c);
    assert_near(k.x[e], x1, sharp(stepper, 1e-9));
    assert_int_equal(k.event[e].from, -1);
    if (k.event[e].to != (fabs(x1) < 1 ? 0 : 1))
      fail_msg("x0 = %g, c = %g: turns at %.9g with mode %d", x0, c, x1, k.event[e].to);
    if (fabs(x1) < 1) {  // rests there for good
      sticks++;
      assert_int_equal(k.n, e + 1);
      assert_near(amo_sim_state(s)[0], x1, sharp(stepper, 1e-9));
      assert_true(amo_sim_state(s)[1] == 0.0);
    } else
      turns++;
    assert_true(motion_audit(s));
    amo_sim_free(s);
    amo_model_free(m);
  }
  assert_true(sticks > 0 && turns > 0);
}

/// A switch while a contact sticks: the load jumps, within static friction, above kinetic friction.
static void switch_in_stick(void **state)
{
  const amo_stepper stepper = stepper_of(state);
  amo_model *m =
      load("amontons: 1\nname: held\ncoordinates: [x]\nparticles: {p: {mass: 1, at: [x, 0]}}\n"
           "forces: {x: \"if(t < 1, 0.2, t < 2, 0.8, t < 3, -0.9, 0.5) - abs(x')\"}\n"
           "contacts: {floor: {pressed: 1, slip: x', law: {type: stiction, static: 1, kinetic: 0.3}}}\n");
  static seen k;
  amo_sim *s = begin(m, stepper, INFINITY);
  watch(s, 10, 10, &k);
  assert_int_equal(k.n, 0);
  assert_int_equal(amo_sim_mode(s, 0), 0);
  assert_true(amo_sim_state(s)[0] == 0.0 && amo_sim_state(s)[1] == 0.0);
  assert_true(motion_audit(s));
  amo_sim_free(s);
  amo_model_free(m);
}

/// Two contacts on one body hold together; they let go at once when the sum of what they can hold is reached.
static void parallel_contacts(void **state)
{
  const amo_stepper stepper = stepper_of(state);
  static const struct {
    const char *slip;
    double first, second, t;  // bounds; breakaway by hand
    int to;                   // of the second contact
  } row[] = {{"x'", 1, 1, 20, 1},
             {"x'", 1, 2, 30, 1},
             {"x'", 2, 1, 30, 1},
             {"-x'", 1, 2, 30, -1},
             {"2*x'", 1, 2, 50, 1}};
  for (int i = 0; i < 5; i++) {
    char text[512];
    snprintf(text, sizeof text,
             "amontons: 1\nname: pads\ncoordinates: [x]\nparticles: {p: {mass: 1, at: [x, 0]}}\nforces: {x: "
             "0.1*t}\n"
             "contacts:\n  A: {pressed: %g, slip: x', law: {type: coulomb, mu: 1}}\n"
             "  B: {pressed: %g, slip: %s, law: {type: coulomb, mu: 1}}\n",
             row[i].first, row[i].second, row[i].slip);
    amo_model *m = load(text);
    static seen k;
    amo_sim *s = begin(m, stepper, INFINITY);
    assert_int_equal(amo_sim_mode(s, 0), 0);
    assert_int_equal(amo_sim_mode(s, 1), 0);
    watch(s, row[i].t + 5, row[i].t + 5, &k);
    if (k.n != 2) fail_msg("row %d: %d events, the first at %.12g", i, k.n, k.n ? k.t[0] : 0.0);
    assert_near(k.t[0], row[i].t, 1e-8);
    assert_true(k.t[0] == k.t[1]);
    assert_int_equal(amo_sim_mode(s, 0), 1);
    assert_int_equal(amo_sim_mode(s, 1), row[i].to);
    assert_near(amo_sim_state(s)[1], 0.05 * 25, 1e-8);  // 0.1/2 (t - t0)^2
    assert_true(motion_audit(s));
    amo_sim_free(s);
    amo_model_free(m);
  }
}

/// Parallel contacts with unequal rows and drops: after the break each has its own kinetic friction.
static void parallel_contacts_drop(void **state)
{
  const amo_stepper stepper = stepper_of(state);
  amo_model *m = load("amontons: 1\nname: pads\ncoordinates: [x]\nparticles: {p: {mass: 1, at: [x, 0]}}\n"
                      "forces: {x: 0.1*t}\ncontacts:\n"
                      "  A: {pressed: 1, slip: x', law: {type: stiction, static: 1, kinetic: 0.5}}\n"
                      "  B: {pressed: 2, slip: x', law: {type: stiction, static: 1, kinetic: 0.75}}\n");
  static seen k;
  amo_sim *s = begin(m, stepper, INFINITY);
  watch(s, 32, 32, &k);
  if (k.n != 2) fail_msg("%d events, the first at %.12g", k.n, k.n ? k.t[0] : 0.0);
  assert_near(k.t[0], 30, 1e-8);
  assert_true(k.t[0] == k.t[1]);
  assert_near(amo_sim_state(s)[1], 0.05 * 4 + 2 * (3 - 2), 1e-8);  // 0.1/2 (t-30)^2 + (3 - 0.5 - 1.5)(t-30)
  assert_true(motion_audit(s));
  amo_sim_free(s);
  amo_model_free(m);
}

/// A surface that would have to pull lets go: no friction, of either sign.
static void negative_normal_force(void **state)
{
  const amo_stepper stepper = stepper_of(state);
  static const struct {
    const char *force, *initial;
    double v;
  } row[] = {{"0", "5", 4.75},     // slows by 0.5 (1 - t) until t = 1
             {"0.2", "0", 0.44}};  // held until 0.5 (1 - t) = 0.2, at t = 0.6; 0.04 at t = 1; free after
  for (int i = 0; i < 2; i++) {
    char text[512];
    snprintf(
        text, sizeof text,
        "amontons: 1\nname: parting\ncoordinates: [x]\nparticles: {p: {mass: 1, at: [x, 0]}}\nforces: {x: "
        "%s}\n"
        "contacts: {floor: {pressed: 1 - t, slip: x', law: {type: coulomb, mu: 0.5}}}\ninitial: {x': %s}\n",
        row[i].force, row[i].initial);
    amo_model *m = load(text);
    amo_sim *s = begin(m, stepper, INFINITY);
    assert_int_equal(motion_advance(s, 3.0), AMO_OK);
    assert_near(amo_sim_state(s)[1], row[i].v, 1e-9);
    assert_true(motion_audit(s));
    amo_sim_free(s);
    amo_model_free(m);
  }
}

static void driven_with_jumps(amo_stepper stepper, const char *table)
{
  char text[640];
  snprintf(text, sizeof text,
           "amontons: 1\nname: driven\ncoordinates: [X, x]\nprescribed: {X: \"if(t < 1, t, t < 2.5, 1 - "
           "0.5*(t - 1), "
           "0.25)\"}\nparticles: {%sp: {mass: 1, at: [x, 0]}}\n"
           "contacts: {table: {pressed: 1, slip: x' - X', law: {type: coulomb, mu: 0.5}}}\n",
           table);
  amo_model *m = load(text);
  static seen k;
  amo_sim *s = begin(m, stepper, INFINITY);
  watch(s, 5, 5, &k);
  // velocity: +0.5 t to 0.5 at 1; -0.5 to -0.25 at 2.5; back to 0 at 3, held there
  assert_near(amo_sim_state(s)[0], 0.375, 1e-9);
  assert_near(amo_sim_state(s)[1], 0.0, 1e-12);
  assert_int_equal(amo_sim_mode(s, 0), 0);
  assert_near(k.t[k.n - 1], 3.0, 1e-9);
  assert_true(motion_audit(s));
  amo_sim_free(s);
  amo_model_free(m);
}

/// A velocity programme with jumps for a driven surface.
static void driven_surface_jumps(void **state)
{
  driven_with_jumps(stepper_of(state), "");
}

/// The same with mass of its own: at every jump the drive does the work m/2 (v_after^2 - v_before^2) in a blow.
static void driven_mass_jumps(void **state)
{
  driven_with_jumps(stepper_of(state), "table: {mass: 2, at: [X, 0]}, ");
}

/// Mass 1 - t: nothing can be said from t = 1 on, whether the contact sticks or slips there.
static void mass_through_zero(void **state)
{
  const amo_stepper stepper = stepper_of(state);
  static const char *const force[] = {"0.1", "2",
                                      "-x'"};  // sticks; slips; slips with x' = 1, no acceleration
  for (int i = 0; i < 3; i++) {
    char text[512];
    snprintf(
        text, sizeof text,
        "amontons: 1\nname: melt\ncoordinates: [x]\nenergy: {kinetic: (1 - t)*x'^2/2}\nforces: {x: \"%s\"}\n"
        "contacts: {floor: {pressed: %s, slip: x', law: {type: coulomb, mu: 0.2}}}\ninitial: {x': %s}\n",
        force[i], i == 2 ? "1e-3" : "1", i == 2 ? "1" : "0");
    amo_model *m = load(text);
    amo_sim *s = begin(m, stepper, INFINITY);
    const amo_status st = amo_sim_run(s, 2, NULL, NULL);
    if (st != AMO_ENOANSWER || !(fabs(amo_sim_time(s) - 1) < 1e-6) || strlen(amo_sim_message(s)) < 10)
      fail_msg("force %s: status %d at t = %.12g: '%s'", force[i], (int)st, amo_sim_time(s),
               amo_sim_message(s));
    amo_sim_free(s);
    amo_model_free(m);
  }
}

int main(void)
{
  static amo_stepper taylor = AMO_STEPPER_TAYLOR, rk8 = AMO_STEPPER_RK8;
#define BOTH(f)                            \
  {#f ", taylor", f, NULL, NULL, &taylor}, \
  {                                        \
#f ", rk8", f, NULL, NULL, &rk8        \
  }
  const struct CMUnitTest tests[] = {
      BOTH(swinging_plate),        BOTH(switched_force),
      BOTH(stiffening_spring),     BOTH(far_ends),
      BOTH(turning_with_drag),     BOTH(switch_in_stick),
      BOTH(parallel_contacts),     BOTH(parallel_contacts_drop),
      BOTH(negative_normal_force), BOTH(driven_surface_jumps),
      BOTH(driven_mass_jumps),     BOTH(mass_through_zero),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
