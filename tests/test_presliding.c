// SPDX-License-Identifier: Apache-2.0
// Laws that give way before they slide (Dahl, LuGre, Bouc-Wen): motions through zero speed against another integration, closed forms of
// driven contacts, what holds at rest, and the same contact pressed, guided and supported.
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
#include "amontons/ask.h"
#include "support/motion.h"
#include "support/near.h"
#include "support/split_ode.h"

// ---- a block on a rough place, shaken, under a normal force that varies ----

typedef struct law {
  const char *text;  // as the model has it
  long double (*rate)(const struct law *law, long double v, long double z, const int *sign);
  long double (*friction)(const struct law *law, long double v, long double z, long double rate,
                          const int *sign);
  long double p[6];
} law;

enum { V, Z, R };  // signs: of the velocity, of the deflection, of what is left of the way to the level

static long double stribeck(const law *l, long double s)
{
  return l->p[2] + (l->p[3] - l->p[2]) * expl(-powl(s / l->p[4], 2));
}

static long double lugre_rate(const law *l, long double v, long double z, const int *sign)
{
  return v - l->p[0] * sign[V] * v * z / stribeck(l, sign[V] * v);
}

static long double lugre_friction(const law *l, long double v, long double z, long double rate,
                                  const int *sign)
{
  (void)sign;
  return l->p[0] * z + l->p[1] * expl(-powl(v / l->p[5], 2)) * rate + 0.05L * v;
}

/// Elasto-plastic: signs Z and R are those of the deflection along the slip less z_ba, and less the steady one.
static long double along(const law *l, int i, long double v, long double z, const int *sign)
{
  return sign[V] * z - (i == Z ? 0.005L : stribeck(l, sign[V] * v) / l->p[0]);
}

static long double elasto_plastic_rate(const law *l, long double v, long double z, const int *sign)
{
  const long double most = stribeck(l, sign[V] * v) / l->p[0], pi = acosl(-1.0L);
  const long double turn = pi * (sign[V] * z - (most + 0.005L) / 2) / (most - 0.005L);
  const long double alpha = sign[Z] < 0 ? 0 : sign[R] > 0 ? 1 : (1 + sinl(turn)) / 2;
  return v * (1 - alpha * sign[V] * z / most);
}

static long double dahl_left(const law *l, long double z, const int *sign)
{
  return 1 - l->p[0] * z * sign[V] / l->p[1];
}

static long double dahl_rate(const law *l, long double v, long double z, const int *sign)
{
  const long double left = sign[R] * dahl_left(l, z, sign);
  return left <= 0 ? 0 : v * sign[R] * powl(left, l->p[2]);
}

static long double spring(const law *l, long double v, long double z, long double rate, const int *sign)
{
  (void)v, (void)rate, (void)sign;
  return l->p[0] * z;
}

static long double bouc_wen_rate(const law *l, long double v, long double z, const int *sign)
{
  const long double power = l->p[3] == 1 ? sign[Z] * z : powl(fabsl(z), l->p[3]);
  return l->p[4] * v - l->p[1] * sign[V] * v * power * sign[Z] - l->p[2] * v * power;
}

static void block_rates(const void *ctx, long double t, const long double *y, const int *sign,
                        long double *rate)
{
  const law *l = ctx;
  const long double slip = y[1] - 0.1L, N = 2 + 0.5L * sinl(t) - 0.3L * y[0];
  rate[2] = l->rate(l, slip, y[2], sign);
  rate[0] = y[1];
  rate[1] = -y[0] + cosl(1.3L * t) - N * l->friction(l, slip, y[2], rate[2], sign);
}

static long double block_quantity(const void *ctx, int i, long double t, const long double *y,
                                  const int *sign)
{
  const law *l = ctx;
  (void)t;
  if (i == V) return y[1] - 0.1L;
  if (l->rate == elasto_plastic_rate) return along(l, i, y[1] - 0.1L, y[2], sign);
  return i == Z ? y[2] : l->rate == dahl_rate ? dahl_left(l, y[2], sign) : 1.0L;
}

static const char text_of_block[] =
    "amontons: 1\ncoordinates: [x%s]\nparticles: {b: {mass: 1, at: [x, %s]}}\nsprings: {s: {along: x, "
    "stiffness: 1}}\nforces: {x: cos(1.3*t)%s}\ncontacts: {c: {%s, slip: \"x' - 0.1\", law: {%s}}}\ninitial: "
    "{x: 0.7, x': 0.9, c.z: 0.004}\n";

static const law laws[] = {
    {"type: lugre, sigma0: 20, sigma1: 0.7*exp(-(s/0.4)^2), sigma2: 0.05, kinetic: 0.2, static: 0.3, speed: "
     "0.3",
     lugre_rate,
     lugre_friction,
     {20, 0.7L, 0.2L, 0.3L, 0.3L, 0.4L}},
    {"type: lugre, sigma0: 20, sigma1: 0.7*exp(-(s/0.4)^2), sigma2: 0.05, kinetic: 0.2 + 0.1*exp(-(s/0.3)^2)",
     lugre_rate,
     lugre_friction,
     {20, 0.7L, 0.2L, 0.3L, 0.3L, 0.4L}},
    {"type: elasto-plastic, sigma0: 20, sigma1: 0.7*exp(-(s/0.4)^2), sigma2: 0.05, kinetic: 0.2, static: "
     "0.3, "
     "speed: 0.3, breakaway: 0.005",
     elasto_plastic_rate,
     lugre_friction,
     {20, 0.7L, 0.2L, 0.3L, 0.3L, 0.4L}},
    {"type: dahl, stiffness: 20, mu: 0.25", dahl_rate, spring, {20, 0.25L, 1}},
    {"type: dahl, stiffness: 20, mu: 0.25, exponent: 2", dahl_rate, spring, {20, 0.25L, 2}},
    {"type: dahl, stiffness: 20, mu: 0.25, exponent: 1.7", dahl_rate, spring, {20, 0.25L, 1.7L}},
    {"type: bouc-wen, stiffness: 20, beta: 60, gamma: 30", bouc_wen_rate, spring, {20, 60, 30, 1, 1}},
    {"type: bouc-wen, stiffness: 20, beta: 60, gamma: -30, n: 2, A: 0.8",
     bouc_wen_rate,
     spring,
     {20, 60, -30, 2, 0.8L}},
    {"type: bouc-wen, stiffness: 20, beta: 60, gamma: 30, n: 1.5",
     bouc_wen_rate,
     spring,
     {20, 60, 30, 1.5L, 1}},
    {"type: bouc-wen, stiffness: 20, beta: 60, gamma: 30, n: 1.2",
     bouc_wen_rate,
     spring,
     {20, 60, 30, 1.2L, 1}},
};

/// Given, found by a guide or by a support.
static const char *const gap[][4] = {{"", "0", "", "pressed: 2 + 0.5*sin(t) - 0.3*x"},
                                     {", y", "y", ", y: -2 - 0.5*sin(t) + 0.3*x", "guide: y"},
                                     {", y", "y", ", y: -2 - 0.5*sin(t) + 0.3*x", "support: y"}};

static void motions(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
    const split_ode ode = {3, 3, block_rates, block_quantity, &laws[i]};
    long double y[SPLIT_STATES] = {0.7L, 0.9L, 0.004L};
    int sign[SPLIT_SIGNS] = {1, 1, 1};
    split_ode_run(&ode, y, sign, 0, 12, 0.02L);
    for (size_t g = 0; g < 3; g++) {
      char text[2048];
      snprintf(text, sizeof text, text_of_block, gap[g][0], gap[g][1], gap[g][2], gap[g][3], laws[i].text);
      amo_model *m = motion_model(text);
      assert_non_null(m);
      amo_sim *s = motion_sim(m, 1e-12);
      assert_int_equal(motion_advance(s, 12.0), AMO_OK);
      assert_true(motion_audit(s));
      const size_t n = g == 0 ? 1 : 2;
      assert_near(amo_sim_state(s)[0], (double)y[0], 1e-9);
      assert_near(amo_sim_state(s)[n], (double)y[1], 1e-9);
      assert_near(amo_sim_state(s)[2 * n], (double)y[2], 1e-10);
      amo_sim_free(s);
      amo_model_free(m);
    }
  }
}

// ---- driven contacts, closed forms ----

/// A surface drawn past a block by a given displacement; an idle mass makes it a model. Returns the law's state.
static double deflection_after(const char *law_text, const char *drive, double t)
{
  char text[2048];
  snprintf(text, sizeof text,
           "amontons: 1\ncoordinates: [x, X]\nprescribed: {X: \"%s\"}\nparticles: {b: {mass: 1, at: [x, "
           "0]}}\ncontacts: {c: {pressed: 3, slip: X', law: {%s}}}\n",
           drive, law_text);
  amo_model *m = motion_model(text);
  assert_non_null(m);
  amo_sim *s = motion_sim(m, 1e-12);
  assert_int_equal(motion_advance(s, t), AMO_OK);
  assert_true(motion_audit(s));
  const double z = amo_sim_state(s)[2];
  amo_sim_free(s);
  amo_model_free(m);
  return z;
}

/// What is left of the way to the level, 1 - F/mu, after a displacement d along it.
static double dahl_after(double left, double d, double n)
{
  if (n == 1.0) return left * exp(-d);
  const double w = pow(left, 1.0 - n) - (1.0 - n) * d;
  return n < 1.0 && w <= 0.0 ? 0.0 : pow(w, 1.0 / (1.0 - n));
}

/// To and fro: 0.05 forth, 0.1 back, 0.1 forth.
static void dahl_loops(void **state)
{
  (void)state;
  static const double exponent[] = {0.3, 0.5, 1, 1.5, 2, 3.3}, k = 17.31, mu = 0.2133;
  for (size_t i = 0; i < 6; i++) {
    char law_text[200];
    const double n = exponent[i], unit = k / mu;
    snprintf(law_text, sizeof law_text, "type: dahl, stiffness: %.17g, mu: %.17g, exponent: %.17g", k, mu, n);
    double left = dahl_after(1.0, 0.05 * unit, n);  // forth
    assert_near(deflection_after(law_text, "0.05*sin(t)", 1.5707963267948966), (1 - left) / unit, 1e-12);
    left = dahl_after(2.0 - left, 0.1 * unit, n);  // back
    assert_near(deflection_after(law_text, "0.05*sin(t)", 4.71238898038469), (left - 1) / unit, 1e-12);
    left = dahl_after(2.0 - left, 0.1 * unit, n);
    assert_near(deflection_after(law_text, "0.05*sin(t)", 7.853981633974483), (1 - left) / unit, 1e-12);
  }
}

/// Displacement that takes the deflection of Bouc and Wen from `from` to `to` (one sign, or one end zero) in slip of the sign v:
/// the integral of 1/(A - (beta sgn(v z) + gamma) |z|^n), with z = w^2 so that |z|^1.5 is smooth. Simpson's rule.
static double displacement(double from, double to, double v, double beta, double gamma, double n)
{
  enum { PARTS = 20000 };
  const double sign = from + to > 0.0 ? 1.0 : -1.0, factor = beta * v * sign + gamma;
  const double a = sqrt(fabs(from)), h = (sqrt(fabs(to)) - a) / PARTS;
  double sum = 0.0;
  for (int i = 0; i <= PARTS; i++) {
    const double w = a + i * h, weight = i == 0 || i == PARTS ? 1.0 : i % 2 ? 4.0 : 2.0;
    sum += weight * 2.0 * w / (1.0 - factor * pow(w, 2.0 * n));
  }
  return sign * sum * h / 3.0;
}

/// Forth to z1, back through zero to -z2, forth again through zero to z3.
static void bouc_wen_paths(void **state)
{
  (void)state;
  static const double exponent[] = {1, 1.5, 2, 2.7}, gamma[] = {30, -30, 0};
  for (size_t i = 0; i < 12; i++) {
    char law_text[200], drive[400];
    const double n = exponent[i % 4], beta = 60, g = gamma[i / 4], top = pow(1 / (beta + g), 1 / n);
    const double z1 = 0.8 * top, z2 = -0.6 * top, z3 = 0.9 * top;
    const double forth = displacement(0, z1, 1, beta, g, n);
    const double back = displacement(z1, 0, -1, beta, g, n) + displacement(0, z2, -1, beta, g, n);
    const double again = displacement(z2, 0, 1, beta, g, n) + displacement(0, z3, 1, beta, g, n);
    snprintf(law_text, sizeof law_text, "type: bouc-wen, stiffness: 5, beta: 60, gamma: %g, n: %g", g, n);
    snprintf(drive, sizeof drive, "%.17g*min(t, 1) + %.17g*clamp(t - 1, 0, 1) + %.17g*max(t - 2, 0)", forth,
             back, again);
    assert_near(deflection_after(law_text, drive, 1), z1, 1e-11 * top);
    assert_near(deflection_after(law_text, drive, 2), z2, 1e-11 * top);
    assert_near(deflection_after(law_text, drive, 3), z3, 1e-11 * top);
  }
}

/// Where a block stands after ten and after twenty turns of a load below the friction, which is not symmetric.
static double drift(const char *law_text)
{
  char text[1024];
  double x[2];
  snprintf(text, sizeof text,
           "amontons: 1\ncoordinates: [x]\nparticles: {b: {mass: 1, at: [x, 0]}}\nforces: {x: (0.3 + "
           "0.3*sin(2*pi*t))*(1 - exp(-t))}\ncontacts: {c: {pressed: 1, slip: x', law: {%s, sigma0: 1000, "
           "sigma1: 60, kinetic: 1, in: force}}}\n",
           law_text);
  amo_model *m = motion_model(text);
  assert_non_null(m);
  amo_sim *s = motion_sim(m, 1e-12);
  for (int i = 0; i < 2; i++) {
    assert_int_equal(motion_advance(s, 40.0 + 10.0 * i), AMO_OK);
    x[i] = amo_sim_state(s)[0];
  }
  assert_true(motion_audit(s));
  amo_sim_free(s);
  amo_model_free(m);
  return x[1] - x[0];
}

static void creep_under_load(void **state)
{
  (void)state;
  assert_true(drift("type: lugre") > 1e-4);
  assert_near(drift("type: elasto-plastic, breakaway: 0.0008"), 0.0, 1e-12);
}

/// The force at which a block breaks away falls with the rate at which it is drawn (LuGre).
static void breakaway_falls_with_rate(void **state)
{
  (void)state;
  static const double rate[] = {0.2, 2, 20};
  double before = INFINITY;
  for (size_t i = 0; i < 3; i++) {
    char text[1024];
    snprintf(text, sizeof text,
             "amontons: 1\ncoordinates: [x]\nparticles: {b: {mass: 1, at: [x, 0]}}\nforces: {x: %g*t}\n"
             "contacts: {c: {pressed: 1, slip: x', law: {type: lugre, sigma0: 1e5, sigma1: 316, sigma2: 0.4, "
             "kinetic: 1, static: 1.5, speed: 0.001, in: force}}}\n",
             rate[i]);
    amo_model *m = motion_model(text);
    assert_non_null(m);
    amo_sim *s = motion_sim(m, 1e-10);
    amo_sample *p = NULL;
    double most = 0.0;
    assert_int_equal(amo_sample_new(m, &p), AMO_OK);
    while (amo_sim_time(s) < 2.0 / rate[i]) {
      assert_int_equal(amo_sim_step(s, 2.0 / rate[i]), AMO_OK);
      assert_int_equal(amo_sim_sample(s, amo_sim_time(s), true, p), AMO_OK);
      if (amo_sim_state(s)[1] < 0.01) most = fmax(most, -p->force[0]);
    }
    assert_true(motion_audit(s));
    assert_true(most > 1.0 && most < 1.5 && most < before);
    before = most;
    amo_sample_free(p);
    amo_sim_free(s);
    amo_model_free(m);
  }
}

static amo_answer *asked(const char *text, const char *options)
{
  amo_model *m = motion_model(text);
  amo_answer *a = NULL;
  amo_ask_opts o = amo_ask_opts_default();
  o.record = true;
  assert_int_equal(amo_ask(m, NULL, "simulate", options, &o, NULL, &a), AMO_OK);
  amo_model_free(m);
  return a;
}

/// How long a contact gives way before it slides. Dahl on a surface that is moved by -a cos(t): from the end of the loop on, where friction is
/// mu tanh(k a/mu) the other way, the deflection bends until friction is half of its level.
static void gives_way_by_dahl(void **state)
{
  (void)state;
  static const double k = 1000, a = 2e-3;
  amo_answer *r = asked("amontons: 1\ncoordinates: [x, X]\nprescribed: {X: -2e-3*cos(t)}\n"
                        "particles: {held: {mass: 1, at: [x, 0]}}\n"
                        "contacts: {c: {pressed: 1, slip: X', law: {type: dahl, mu: 1, stiffness: 1000}}}\n",
                        "{until: 81.68140899333463, after: 56.548667764616276}");  // 26 pi, 18 pi
  const double way = log(2 * (1 + tanh(k * a))) / k;
  const double part = acos(1 - way / a) / acos(-1.0);
  assert_near(amo_answer_number(r, "presliding.c"), part, 1e-9);
  assert_near(amo_answer_number(r, "presliding_phases.c"), 8, 0);  // twice a period
  assert_near(amo_answer_number(r, "stick_fraction.c"), 0, 0);
  amo_answer_free(r);
}

static const double *column(const amo_answer *a, const char *name, size_t *rows)
{
  for (size_t i = 0; i < amo_answer_columns(a); i++) {
    const amo_answer_column c = amo_answer_column_at(a, i);
    if (!strcmp(c.name, name)) return *rows = c.rows, c.value;
  }
  fail_msg("no column %s", name);
  return NULL;
}

/// LuGre in stick-slip: until the deflection has reached half of that of steady sliding, by a fine record of the motion; the phases are the stops.
static void gives_way_by_lugre(void **state)
{
  (void)state;
  amo_answer *r =
      asked("amontons: 1\ncoordinates: [x, X]\nprescribed: {X: 0.1*t}\n"
            "particles: {b: {mass: 1, at: [x, 0]}}\nsprings: {s: {along: X - x, stiffness: 2}}\n"
            "contacts: {c: {pressed: 1, slip: x', law: {type: lugre, sigma0: 1e4, sigma1: 100, sigma2: 0.4, "
            "static: 1.5, kinetic: 1, speed: 0.001, in: force}}}\n",
            "{until: 40, dt: 1e-3}");
  size_t rows = 0;
  const double *t = column(r, "t", &rows), *v = column(r, "c.slip", &rows), *z = column(r, "c.z", &rows);
  double sum = 0;
  for (size_t i = 0; i + 1 < rows; i++) {
    const double speed = 0.5 * fabs(v[i] + v[i + 1]), along = v[i] + v[i + 1] < 0 ? -0.5 : 0.5;
    const double level = 1 + 0.5 * exp(-(speed / 0.001) * (speed / 0.001));
    if (1e4 * along * (z[i] + z[i + 1]) < 0.5 * level) sum += t[i + 1] - t[i];
  }
  const double part = amo_answer_number(r, "presliding.c");
  if (fabs(part - sum / 40) > 1e-3) fail_msg("%.6g is not %.6g", part, sum / 40);
  assert_true(part > 0.05 && part < 0.9);
  amo_answer_free(r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(motions),
                                     cmocka_unit_test(dahl_loops),
                                     cmocka_unit_test(bouc_wen_paths),
                                     cmocka_unit_test(creep_under_load),
                                     cmocka_unit_test(breakaway_falls_with_rate),
                                     cmocka_unit_test(gives_way_by_dahl),
                                     cmocka_unit_test(gives_way_by_lugre)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
