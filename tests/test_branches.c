// SPDX-License-Identifier: Apache-2.0
// Functions with more than one value keep to their principal one: asin, acos, atan2, and roots that turn. A state integrates
// f(g(w t + p)); the integral is known by hand as sums over straight or cosine-shaped pieces.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "support/motion.h"
#include "support/random.h"

static const double PI = 3.14159265358979323846;

/// Integrals from 0 to x of the principal values, by the period and the piece that x lies in.
static double saw(double x)  // atan2(sin x, cos x): (x - 2 pi n)^2/2
{
  const double n = floor(x / (2 * PI) + 0.5), r = x - 2 * PI * n;
  return r * r / 2;
}

static double tent(double x)  // acos(cos x) = |x - 2 pi n|
{
  const double n = floor(x / (2 * PI) + 0.5), r = x - 2 * PI * n;
  return n * PI * PI + r * fabs(r) / 2;
}

static double zigzag(double x)  // asin(sin x) = pi/2 - acos(cos(x - pi/2 + pi)) ...
{
  return tent(x + PI / 2) - tent(PI / 2) - PI / 2 * x;
}

static double humps(double x)  // sqrt(1 - cos(x)^2) = |sin x|
{
  const double n = floor(x / PI), r = x - PI * n;
  return 2 * n + 1 - cos(r);
}

static double arches(double x)  // (1 - cos x)^1.5 = 2^1.5 |sin(x/2)|^3; int sin^3 = cos^3/3 - cos
{
  const double n = floor(x / (2 * PI)), r = x / 2 - PI * n, c = cos(r);
  return 2 * sqrt(8) * (n * 4.0 / 3 + c * c * c / 3 - c + 2.0 / 3);
}

static const struct {
  const char *rate;
  double (*integral)(double);
} kind[] = {{"asin(sin(w*t + p))", zigzag},
            {"acos(cos(w*t + p))", tent},
            {"atan2(sin(w*t + p), cos(w*t + p))", saw},
            {"sqrt(1 - cos(w*t + p)^2)", humps},
            {"(1 - cos(w*t + p))^1.5", arches},
            {"-acos(-cos(y))", NULL},
            {"atan2(-sin(y), -cos(y))", NULL}};

/// The same of a coordinate that turns at the rate w: y = w t + p.
static double by_hand(size_t k, double w, double p, double T)
{
  const double a = p, b = w * T + p;
  if (kind[k].integral) return (kind[k].integral(b) - kind[k].integral(a)) / w;
  if (k == 5) return (tent(b + PI) - tent(a + PI)) / -w;
  return (saw(b + PI) - saw(a + PI)) / w;
}

static void check(size_t k, double w, double p, double tol)
{
  char model[1024];
  const double T = 20.0;
  snprintf(model, sizeof model,
           "amontons: 1\nname: branches\nparameters: {w: %.17g, p: %.17g}\ncoordinates: [x, y]\n"
           "particles: {b: {mass: 1, at: [x, y]}}\nstates: {z: {rate: \"%s\", initial: 0}}\n"
           "initial: {y: p, y': w}\n",
           w, p, kind[k].rate);
  amo_model *m = motion_model(model);
  amo_sim *s = m ? motion_sim(m, tol) : NULL;
  assert_non_null(s);
  assert_int_equal(motion_advance(s, T), AMO_OK);
  assert_true(motion_audit(s));
  const double z = amo_sim_state(s)[4], want = by_hand(k, w, p, T);
  if (!(fabs(z - want) <= fmax(1e-10, 100 * tol) * fmax(1.0, fabs(want))))
    fail_msg("%s, w = %.17g, p = %.17g, tol %g: %.15g, not %.15g", kind[k].rate, w, p, tol, z, want);
  amo_sim_free(s);
  amo_model_free(m);
}

static void principal_values(void **state)
{
  uint64_t seed = 11;
  (void)state;
  for (size_t k = 0; k < sizeof kind / sizeof kind[0]; k++)
    for (int i = 0; i < 12; i++) {
      const double w = random_uniform(&seed, 0.2, 5.0), p = random_uniform(&seed, 0.1, 1.4);
      check(k, w, p, i % 3 == 0 ? 1e-8 : i % 3 == 1 ? 1e-12 : 1e-14);
    }
}

/// The cut of atan2 is an event, its positive axis and the change of half planes are none; so is each fold of acos.
static void events_at_the_cut(void **state)
{
  static const struct {
    const char *rate;
    long events;
  } row[] = {{"atan2(sin(t), cos(t))", 3}, {"acos(cos(t + 0.1))", 6}, {"atan2(sin(t), 2 + cos(t))", 0}};
  (void)state;
  for (size_t i = 0; i < 3; i++) {
    char model[512];
    snprintf(model, sizeof model,
             "amontons: 1\nname: cut\ncoordinates: [x]\nparticles: {b: {mass: 1, at: [x, 0]}}\n"
             "states: {z: {rate: \"%s\", initial: 0}}\n",
             row[i].rate);
    amo_model *m = motion_model(model);
    amo_sim *s = m ? motion_sim(m, 1e-12) : NULL;
    assert_non_null(s);
    assert_int_equal(motion_advance(s, 20.0), AMO_OK);
    if (amo_sim_stats(s)->events != row[i].events)
      fail_msg("%s: %ld events, not %ld", row[i].rate, amo_sim_stats(s)->events, row[i].events);
    amo_sim_free(s);
    amo_model_free(m);
  }
}

/// Beyond the end of a domain there is nothing, and that is said.
static void ends_are_told(void **state)
{
  static const char *const rate[] = {"asin(t/2)", "acos(t/2)", "sqrt(2 - t)", "log(2 - t)",
                                     "1/(t - 2)", "tan(t)",    "(2 - t)^0.3", "(2 - t)^1.5"};
  (void)state;
  for (size_t i = 0; i < sizeof rate / sizeof rate[0]; i++) {
    char model[512];
    snprintf(model, sizeof model,
             "amontons: 1\nname: end\ncoordinates: [x]\nparticles: {b: {mass: 1, at: [x, 0]}}\n"
             "states: {z: {rate: \"%s\", initial: 0}}\n",
             rate[i]);
    amo_model *m = motion_model(model);
    amo_sim *s = m ? motion_sim(m, 1e-12) : NULL;
    assert_non_null(s);
    amo_status st = amo_sim_run(s, 5.0, NULL, NULL);
    if (st == AMO_OK) fail_msg("%s goes on to t = %g", rate[i], amo_sim_time(s));
    assert_true(amo_sim_time(s) < 2.001 && amo_sim_message(s)[0] != '\0');
    amo_sim_free(s);
    amo_model_free(m);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(principal_values), cmocka_unit_test(events_at_the_cut),
                                     cmocka_unit_test(ends_are_told)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
