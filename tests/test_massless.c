// SPDX-License-Identifier: Apache-2.0
// Coordinates without mass: creeping sliders against closed forms, another integration and the limit of small masses; sliders that stick and
// slip against closed loops; what the loader refuses.
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

static const double pi = 3.14159265358979323846;

static amo_model *load(const char *name, const amo_setting *set, size_t n)
{
  char path[512];
  amo_model *m = NULL;
  snprintf(path, sizeof path, "%s/models/%s.yaml", AMO_SOURCE_DIR, name);
  assert_int_equal(amo_model_load(path, set, n, NULL, &m), AMO_OK);
  return m;
}

static size_t column(const amo_model *m, const char *name)
{
  for (size_t i = 0; i < amo_model_outputs(m); i++)
    if (!strcmp(amo_model_output(m, i).name, name)) return i;
  fail_msg("no output %s", name);
  return 0;
}

/// An output of a simulation where it stands.
static double output(amo_sim *s, const amo_model *m, const char *name)
{
  amo_sample *p = NULL;
  assert_int_equal(amo_sample_new(m, &p), AMO_OK);
  assert_int_equal(amo_sim_sample(s, amo_sim_time(s), true, p), AMO_OK);
  const double x = p->output[column(m, name)];
  amo_sample_free(p);
  return x;
}

// ---- rate and state ----

/// Steady sliding: eigenvalues x of x^2 + x (kappa P - beta)/A + kappa N/A = 0 in units of v0/L, and none grows at the critical stiffness.
static void critical_stiffness(void **state)
{
  (void)state;
  static const char *const angle[] = {"1", "0", "-1"}, *const ratio[] = {"3", "1.001", "0.999"};
  for (size_t i = 0; i < 3; i++)
    for (size_t j = 0; j < 3; j++) {
      const amo_setting set[] = {{"T", angle[i]}, {"ratio", ratio[j]}, {"g0", "0.001"}};
      amo_model *m = load("db-slider", set, 3);
      amo_steady *s = NULL;
      assert_int_equal(amo_steady_find(m, NULL, NULL, &s), AMO_OK);
      const double A = 0.0145, B = 0.016, T = atof(angle[i]), N = 1 + 0.7 * T, P = 1 + 0.14 * T;
      const double kappa = atof(ratio[j]) * (B - A) / P, sum = (kappa * P - (B - A)) / A,
                   product = kappa * N / A;
      assert_int_equal(s->order, 2);
      assert_near(s->re[0], -0.5 * sum, 1e-9);
      assert_near(s->im[0], sqrt(product - 0.25 * sum * sum), 1e-9);
      assert_int_equal(s->stable, atof(ratio[j]) > 1);
      amo_steady_free(s);
      amo_model_free(m);
    }
}

typedef struct pair {
  double g, phi;
} pair;

/// (9) of Dupont and Bapna: the same motion in other variables, T = 1.
static pair rate(pair y)
{
  const double A = 0.0145, beta = 0.0015, N = 1.7, u = 1 - y.g, kappa = 3 * beta / 1.14;
  const double P = (N / u - 0.56) / u, e = exp(y.phi);
  return (pair){kappa * (1 - e), (kappa * (1 - e) * P + e * (N * y.g / u + beta * y.phi)) / A};
}

static pair plus(pair a, double h, pair b)
{
  return (pair){a.g + h * b.g, a.phi + h * b.phi};
}

static void quasi_static_motion(void **state)
{
  (void)state;
  static const amo_setting set = {"g0", "0.01"};
  amo_model *m = load("db-slider", &set, 1);
  amo_sim *s = motion_sim(m, 1e-12);
  pair y = {0.01, 0.0};
  const int steps = 100000;
  const double h = 5.0 / steps;
  for (int i = 0; i < steps; i++) {
    const pair a = rate(y), b = rate(plus(y, h / 2, a)), c = rate(plus(y, h / 2, b)), d = rate(plus(y, h, c));
    y = plus(plus(plus(plus(y, h / 6, a), h / 3, b), h / 3, c), h / 6, d);
  }
  assert_int_equal(motion_advance(s, 5.0), AMO_OK);
  assert_true(motion_audit(s));
  assert_near(output(s, m, "g"), y.g, 1e-10);
  assert_near(output(s, m, "phi"), y.phi, 1e-8);
  amo_sim_free(s);
  amo_model_free(m);
}

/// Load point stopped for 10^6 L/v0, and stopped, moved and started again: ten digits of other programs.
static void holds(void **state)
{
  (void)state;
  static const amo_setting hold[] = {{"g0", "0"}, {"t1", "0"}, {"t2", "1e9"}},
                           again[] = {{"g0", "0"}, {"t1", "0"}, {"t2", "100"}, {"jump", "0.02*sigma/k"}};
  amo_model *m = load("db-slider-programme", hold, 3);
  amo_sim *s = motion_sim(m, 1e-12);
  assert_int_equal(motion_advance(s, 1e6), AMO_OK);
  assert_near(output(s, m, "g"), -0.02595038334, 1e-11);
  assert_near(output(s, m, "phi"), -15.34952092, 1e-8);
  amo_sim_free(s);
  amo_model_free(m);
  m = load("db-slider-programme", again, 4);
  s = motion_sim(m, 1e-12);
  assert_int_equal(motion_advance(s, 100.0), AMO_OK);
  assert_near(output(s, m, "phi"), -5.431819757, 1e-8);
  assert_int_equal(motion_advance(s, 106.739136169), AMO_OK);
  assert_near(output(s, m, "phi"), 19.24024839, 1e-3);
  assert_true(motion_audit(s));
  amo_sim_free(s);
  amo_model_free(m);
}

/// Speeds far from that of the load point are finite, both ways.
static void far_speeds(void **state)
{
  (void)state;
  static const char *const phi[] = {"700", "-700"};
  for (int i = 0; i < 2; i++) {
    const amo_setting set = {"phi0", phi[i]};
    amo_model *m = load("db-slider", &set, 1);
    amo_sim *s = motion_sim(m, 1e-12);
    assert_near(output(s, m, "phi"), atof(phi[i]), 1e-9);
    amo_sim_free(s);
    amo_model_free(m);
  }
}

/// The quasi-static motion is the limit of small masses: what is left falls with the mass.
static void small_masses(void **state)
{
  (void)state;
  static const char *const mass[] = {"2e6", "1e6", "5e5"};  // M = m v0^2/(sigma L) = 4e-7 ...
  const amo_setting still = {"g0", "0.003"};
  amo_model *m = load("db-slider", &still, 1);
  amo_sim *s = motion_sim(m, 1e-12);
  assert_int_equal(motion_advance(s, 2.0), AMO_OK);
  const double g = output(s, m, "g"), phi = output(s, m, "phi");
  amo_sim_free(s);
  amo_model_free(m);
  double left[3];
  for (int i = 0; i < 3; i++) {
    const amo_setting set[] = {{"m", mass[i]},
                               {"v0", "1e-6"},
                               {"ratio", "3"},
                               {"f0", "0.003"},
                               {"theta0", "(1 + mu*T)*f0/(1 - T*f0)/B"}};
    m = load("db-slider-inertia", set, 5);
    s = motion_sim(m, 1e-12);
    assert_int_equal(motion_advance(s, 2.0), AMO_OK);
    left[i] = output(s, m, "phi") - phi;
    assert_near(output(s, m, "f"), g, 1e-5);
    amo_sim_free(s);
    amo_model_free(m);
  }
  for (int i = 0; i < 2; i++) assert_near(left[i] / left[i + 1], 2.0, 0.02);
}

// ---- Coulomb ----

/// Force of a spring in series with a slider, moved by a sin t, on its closed loop.
static double loop(double t, double k, double F, double a)
{
  const double turn = 2 * F / k, X = a * sin(t);
  if (t < asin(F / k / a)) return k * X;
  double phase = fmod(t - pi / 2, 2 * pi);
  if (phase < 0) return F;
  const bool down = phase < pi;
  const double from = down ? a - X : X + a;
  return (down ? 1 : -1) * (from < turn ? F - k * from : -F);
}

static void jenkins(void **state)
{
  (void)state;
  amo_model *m = load("jenkins", NULL, 0);
  amo_sim *s = motion_sim(m, 1e-12);
  for (int i = 1; i <= 1000; i++) {
    assert_int_equal(motion_advance(s, 0.0317 * i), AMO_OK);
    assert_near(output(s, m, "force"), loop(0.0317 * i, 2, 1, 1.5), 1e-12);
  }
  assert_true(motion_audit(s));
  const double before = amo_sim_audit(s)->dissipated;
  const double whole = amo_sim_time(s) + 2 * pi;
  assert_int_equal(motion_advance(s, whole), AMO_OK);
  assert_near(amo_sim_audit(s)->dissipated - before, 4 * (1.5 - 0.5), 1e-11);
  amo_sim_free(s);
  amo_model_free(m);
}

/// Sliders on springs of their own, moved together: each as if it were alone, whatever their number.
static void bed(void **state)
{
  (void)state;
  static const char text[] =
      "amontons: 1\nsizes: {N: 50}\ncoordinates: {X: {}, \"x[1..N]\": {}}\nprescribed: {X: 2*sin(t)}\n"
      "springs: {\"s[i=1..N]\": {along: \"X - x[i]\", stiffness: 2}}\n"
      "contacts: {\"f[i=1..N]\": {pressed: i, slip: \"x[i]'\", law: {type: coulomb, mu: 1/20}}}\n"
      "outputs: {force: \"2*sum(i=1..N, X - x[i])\"}\n";
  amo_model *m = motion_model(text);
  amo_sim *s = motion_sim(m, 1e-12);
  for (int i = 1; i <= 40; i++) {
    double want = 0.0;
    for (int k = 1; k <= 50; k++) want += loop(0.5 * i, 2, k / 20.0, 2);
    assert_int_equal(motion_advance(s, 0.5 * i), AMO_OK);
    assert_near(output(s, m, "force"), want, 1e-11);
  }
  assert_true(motion_audit(s));
  amo_sim_free(s);
  amo_model_free(m);
}

/// Two sliders in a row, pulled slowly one way: by hand. The second begins where the spring between them carries its friction.
static void row_of_two(void **state)
{
  (void)state;
  static const char text[] = "amontons: 1\ncoordinates: [x, y, X]\nprescribed: {X: t}\n"
                             "springs: {a: {along: X - x, stiffness: 1}, b: {along: x - y, stiffness: 2}}\n"
                             "contacts:\n  p: {pressed: 1, slip: x', law: {type: coulomb, mu: 0.3}}\n"
                             "  q: {pressed: 1, slip: y', law: {type: coulomb, mu: 0.2}}\n";
  amo_model *m = motion_model(text);
  amo_sim *s = motion_sim(m, 1e-12);
  assert_int_equal(motion_advance(s, 0.5), AMO_OK);  // p slips from 0.3: t - x - 2 x = 0.3
  assert_near(amo_sim_state(s)[0], 0.2 / 3, 1e-13);
  assert_int_equal(motion_advance(s, 2.0), AMO_OK);  // q slips from x = 0.1, t = 0.6; then all moves as one
  assert_near(amo_sim_state(s)[0], 1.5, 1e-12);
  assert_near(amo_sim_state(s)[1], 1.4, 1e-12);
  assert_true(motion_audit(s));
  amo_sim_free(s);
  amo_model_free(m);
}

/// Loads that turn or jump: the slider holds, or is at once where its friction can hold it.
static void sudden_loads(void **state)
{
  (void)state;
  static const char text[] = "amontons: 1\ncoordinates: [x, X]\nprescribed: {X: \"if(t < 1, t, t < 2, 2 - t, "
                             "t < 3, 5, 5 + (t - 3))\"}\n"
                             "springs: {a: {along: X - x, stiffness: 1}}\n"
                             "contacts: {p: {pressed: 1, slip: x', law: {type: coulomb, mu: 0.3}}}\n";
  static const double at[][2] = {{0.9, 0.6}, {1.5, 0.7}, {1.9, 0.4}, {2.5, 4.7}, {3.5, 5.2}};
  amo_model *m = motion_model(text);
  amo_sim *s = motion_sim(m, 1e-12);
  for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
    assert_int_equal(motion_advance(s, at[i][0]), AMO_OK);
    assert_near(amo_sim_state(s)[0], at[i][1], 1e-12);
  }
  amo_sim_free(s);
  amo_model_free(m);
}

/// Static friction above kinetic friction: it jumps to where its slip can hold it, and slips on, through a drive that quickens, until
/// the drive turns. What the spring loses in the jump is lost in the contact: the audit counts it.
static void jumps_as_it_breaks_away(void **state)
{
  (void)state;
  static const char text[] =
      "amontons: 1\ncoordinates: [x, X]\nprescribed: {X: \"if(t < 2, t, t < 3, 2 + 2*(t - 2), 4 - (t - "
      "3))\"}\n"
      "springs: {a: {along: X - x, stiffness: 2}}\n"
      "contacts: {p: {pressed: 1, slip: x', law: {type: stiction, static: 1, kinetic: 0.6}}}\n";
  // elongation at break-away 0.5, in slip 0.3; the drive turns at X = 4, the slider at 3.7 breaks away at X = 3.2 to X + 0.3
  static const double at[][2] = {{0.4, 0.0}, {0.6, 0.3}, {1.9, 1.6}, {2.5, 2.7},
                                 {2.9, 3.5}, {3.6, 3.7}, {4.0, 3.3}};
  amo_model *m = motion_model(text);
  amo_sim *s = motion_sim(m, 1e-12);
  for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
    assert_int_equal(motion_advance(s, at[i][0]), AMO_OK);
    assert_near(amo_sim_state(s)[0], at[i][1], 1e-12);
  }
  assert_true(motion_audit(s));
  assert_near(amo_sim_audit(s)->dissipated, 0.16 + 0.6 * 3.5 + 0.16 + 0.6 * 0.2, 1e-11);
  amo_sim_free(s);
  amo_model_free(m);
}

// ---- what is refused ----

static void refused(void **state)
{
  (void)state;
  static const char *const model[][2] = {
      {"coordinates: [x, y]\nparticles: {b: {mass: 1, at: [y, 0]}}\nsprings: {a: {along: x - y, stiffness: "
       "1}}\n",
       "coordinate x has no inertia"},
      {"coordinates: [x, y]\ncontacts: {p: {pressed: 1, slip: \"x' - y'\", law: {type: coulomb, mu: 0.3}}}\n",
       "both without mass"},
      {"coordinates: [x, X]\nprescribed: {X: t}\ncontacts:\n  p: {pressed: 1, slip: x', law: {type: coulomb, "
       "mu: 0.3}}\n"
       "  q: {pressed: 1, slip: x' - 1, law: {type: coulomb, mu: 0.3}}\n",
       "more than one contact"},
      {"coordinates: [x, y, X]\nprescribed: {X: t}\nsprings: {a: {along: X - x, stiffness: 1}, b: {along: x "
       "- y, "
       "stiffness: 1}}\ncontacts: {p: {pressed: 1, slip: x', law: {type: stiction, static: 0.4, kinetic: "
       "0.3}}, q: "
       "{pressed: 1, slip: y', law: {type: coulomb, mu: 0.3}}}\n",
       "it would jump"},
      {"coordinates: [x, X]\nprescribed: {X: t}\nsprings: {a: {along: X - x, stiffness: 1}}\n"
       "contacts: {p: {pressed: 1, slip: x', law: {type: curve, static: 0.4, kinetic: 0.4/(1 + s)}}}\n",
       "coordinate x has no mass"}};
  for (size_t i = 0; i < sizeof model / sizeof *model; i++) {
    char text[1024];
    amo_model *m = NULL;
    amo_diags *d = amo_diags_new();
    snprintf(text, sizeof text, "amontons: 1\n%s", model[i][0]);
    assert_int_equal(amo_model_parse("m.yaml", text, strlen(text), NULL, 0, d, &m), AMO_EINPUT);
    char *told = amo_diags_render(d);
    if (!strstr(told, model[i][1])) fail_msg("expected '%s', got: %s", model[i][1], told);
    free(told);
    amo_diags_free(d);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(critical_stiffness),
                                     cmocka_unit_test(quasi_static_motion),
                                     cmocka_unit_test(holds),
                                     cmocka_unit_test(far_speeds),
                                     cmocka_unit_test(small_masses),
                                     cmocka_unit_test(jenkins),
                                     cmocka_unit_test(bed),
                                     cmocka_unit_test(row_of_two),
                                     cmocka_unit_test(sudden_loads),
                                     cmocka_unit_test(jumps_as_it_breaks_away),
                                     cmocka_unit_test(refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
