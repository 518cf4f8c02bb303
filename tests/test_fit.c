// SPDX-License-Identifier: Apache-2.0
// Least squares against certified values (NIST's reference datasets Misra1a and BoxBOD), closed forms and what must hold at bounds,
// with priors and with outliers; distributions against finite sums.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "fit/least_squares.h"
#include "fit/resample.h"
#include "num/distribution.h"

enum { MOST = 200 };

static void near(double a, double b, double relative)
{
  if (!(fabs(a - b) <= relative * fabs(b))) fail_msg("%.17g is not %.17g within %g of it", a, b, relative);
}

// ---- distributions ----

/// Student's distribution of an even number of degrees of freedom as a finite sum (Abramowitz and Stegun 26.7.4).
static double student_sum(int freedom, double t)
{
  const double angle = atan(t / sqrt(freedom)), c2 = cos(angle) * cos(angle);
  double term = 1.0, sum = 1.0;
  for (int k = 1; k < freedom / 2; k++) {
    term *= c2 * (2 * k - 1) / (2 * k);
    sum += term;
  }
  return 0.5 - 0.5 * sin(angle) * sum;
}

static void student_by_closed_forms(void **state)
{
  (void)state;
  const double pi = 3.14159265358979323846;
  const double p[] = {0.6, 0.9, 0.975, 0.995, 0.99999};
  for (size_t i = 0; i < sizeof p / sizeof *p; i++) {
    const double u = 2 * p[i] - 1;
    near(amo_student_quantile(1, p[i]), tan(pi * (p[i] - 0.5)), 1e-12 + 1e-16 / (1 - p[i]));
    near(amo_student_quantile(2, p[i]), u * sqrt(2 / (1 - u * u)), 1e-12);
    near(amo_student_quantile(2, 1 - p[i]), -u * sqrt(2 / (1 - u * u)), 1e-12);
    for (int n = 4; n <= 4000; n *= 10) {
      const double t = amo_student_quantile(n, p[i]);
      near(student_sum(n, t), 1 - p[i], 1e-12 + 1e-14 / (1 - p[i]));
      near(amo_student_above(n, t), 1 - p[i], 1e-12);
    }
  }
  near(student_sum(10, amo_student_quantile(10, 0.975)), 0.025, 1e-13);
  near(amo_student_quantile(1e9, 0.975), 1.9599639845400545 + 2.3722712379e-9, 1e-12);
  near(amo_student_quantile(INFINITY, 0.975), 1.9599639845400545, 1e-14);
  near(amo_normal_quantile(1e-20), -9.2623400897984075, 1e-13);
}

static void fisher_and_beta_by_closed_forms(void **state)
{
  (void)state;
  for (double p = 0.05; p < 1.0; p += 0.09) {
    for (double m = 1; m < 1e5; m *= 7) {
      near(amo_fisher_quantile(2, m, p), m / 2 * expm1(-2 / m * log1p(-p)), 1e-12);
      near(amo_fisher_quantile(m, 2, p), 2 / (m * expm1(-2 / m * log(p))), 1e-12);
      near(amo_beta_quantile(m, 1, p), pow(p, 1 / m), 1e-12);
      near(amo_fisher_quantile(1, m, p), pow(amo_student_quantile(m, 0.5 + 0.5 * p), 2), 1e-11);
    }
    near(amo_beta_quantile(1, 5, p), 1 - pow(1 - p, 0.2), 1e-12);
    near(amo_gamma_below(1, p), -expm1(-p), 1e-14);
    near(amo_gamma_above(0.5, p), erfc(sqrt(p)), 1e-13);
    near(amo_gamma_above(3, 20 * p), exp(-20 * p) * (1 + 20 * p + 200 * p * p), 1e-13);
  }
  near(amo_fisher_above(3, INFINITY, 2.0), amo_gamma_above(1.5, 3.0), 1e-14);
}

// ---- a source of residuals ----

typedef struct data {
  size_t rows, n;
  double x[MOST], y[MOST], weight[MOST];
  double (*model)(const double *p, double x, double *d);
  long looks;
} data;

static amo_status look(void *ctx, const double *p, double *r, double *j)
{
  data *t = ctx;
  double d[8] = {0};
  t->looks++;
  for (size_t i = 0; i < t->rows; i++) {
    r[i] = t->model(p, t->x[i], d) - t->y[i];
    for (size_t k = 0; j && k < t->n; k++) j[k * t->rows + i] = d[k];
  }
  return AMO_OK;
}

static amo_residuals source_of(data *t)
{
  return (amo_residuals){.n = t->n, .rows = t->rows, .measured = t->y, .at = look, .ctx = t};
}

static double saturating(const double *p, double x, double *d)
{
  d[0] = -expm1(-p[1] * x);
  d[1] = p[0] * x * exp(-p[1] * x);
  return p[0] * d[0];
}

static double line(const double *p, double x, double *d)
{
  d[0] = 1.0;
  d[1] = x;
  return p[0] + p[1] * x;
}

/// Only the sum of the last two counts.
static double overdone(const double *p, double x, double *d)
{
  d[0] = 1.0;
  d[1] = d[2] = x;
  return p[0] + (p[1] + p[2]) * x;
}

static amo_fit_parameter free_from(double start)
{
  return (amo_fit_parameter){.start = start, .low = -INFINITY, .high = INFINITY};
}

// ---- certified values ----

static void certified_misra(void **state)
{
  (void)state;
  data t = {
      .rows = 14,
      .n = 2,
      .model = saturating,
      .x = {77.6, 114.9, 141.1, 190.8, 239.9, 289.0, 332.8, 378.4, 434.8, 477.3, 536.8, 593.1, 689.1, 760.0},
      .y = {10.07, 14.73, 17.94, 23.93, 29.61, 35.18, 40.02, 44.82, 50.76, 55.05, 61.01, 66.40, 75.47,
            81.78}};
  const amo_residuals source = source_of(&t);
  const double start[2][2] = {{500, 1e-4}, {250, 5e-4}};
  for (int i = 0; i < 2; i++) {
    const amo_fit_parameter q[] = {free_from(start[i][0]), free_from(start[i][1])};
    amo_fit *f = NULL;
    assert_int_equal(amo_fit_solve(&source, q, NULL, &f), AMO_OK);
    near(f->value[0], 2.3894212918E+02, 1e-9);
    near(f->value[1], 5.5015643181E-04, 1e-9);
    near(f->se[0], 2.7070075241E+00, 1e-8);
    near(f->se[1], 7.2668688436E-06, 1e-8);
    near(f->sum, 1.2455138894E-01, 1e-9);
    near(f->deviation, 1.0187876330E-01, 1e-9);
    near(f->high[0] - f->value[0], amo_student_quantile(12, 0.975) * f->se[0], 1e-12);
    near(f->correlation[1], f->covariance[1] / (f->se[0] * f->se[1]), 1e-12);
    assert_true(f->fisher > 1e4 && f->fisher_p < 1e-15 && f->rank == 2 && f->correlation[1] < -0.99);
    near(f->aicc, 14 * log(f->sum / 14) + 6 + 24.0 / 10, 1e-12);
    amo_fit_free(f);
  }
}

static void certified_boxbod(void **state)
{
  (void)state;
  data t = {
      .rows = 6, .n = 2, .model = saturating, .x = {1, 2, 3, 5, 7, 10}, .y = {109, 149, 149, 191, 213, 224}};
  const amo_residuals source = source_of(&t);
  const amo_fit_parameter q[] = {free_from(100), free_from(0.75)};
  amo_fit *f = NULL;
  assert_int_equal(amo_fit_solve(&source, q, NULL, &f), AMO_OK);
  near(f->value[0], 2.1380940889E+02, 1e-8);
  near(f->value[1], 5.4723748542E-01, 1e-8);
  near(f->se[0], 1.2354515176E+01, 1e-8);
  near(f->se[1], 1.0455993237E-01, 1e-8);
  near(f->deviation, 1.7088072423E+01, 1e-9);
  amo_fit_free(f);
}

// ---- bounds, priors, losses, what is open ----

static data straight(void)
{
  data t = {.rows = 40, .n = 2, .model = line};
  for (size_t i = 0; i < t.rows; i++) {
    t.x[i] = 0.25 * (double)i;
    t.y[i] = 3.0 + 2.0 * t.x[i] + 0.1 * sin(7.0 * (double)(i * i));
  }
  return t;
}

static void bounds_hold_and_let_go(void **state)
{
  (void)state;
  data t = straight();
  const amo_residuals source = source_of(&t);
  amo_fit_parameter q[] = {free_from(0), free_from(0)};
  q[1].high = 1.5;  // below what the data say
  amo_fit *f = NULL;
  assert_int_equal(amo_fit_solve(&source, q, NULL, &f), AMO_OK);
  assert_true(f->value[1] == 1.5 && f->at_bound[1] == 1 && f->at_bound[0] == 0 && isnan(f->se[1]) &&
              f->se[0] > 0);
  double mean = 0.0;
  for (size_t i = 0; i < t.rows; i++) mean += (t.y[i] - 1.5 * t.x[i]) / (double)t.rows;
  near(f->value[0], mean, 1e-12);
  amo_fit_free(f);
  // a start at a bound that the sum wants to leave, and the other beyond where it ends
  q[1] = (amo_fit_parameter){.start = 0.0, .low = 0.0, .high = 10.0};
  q[0] = (amo_fit_parameter){.start = 20.0, .low = 0.0, .high = 20.0};
  assert_int_equal(amo_fit_solve(&source, q, NULL, &f), AMO_OK);
  assert_true(f->at_bound[0] == 0 && f->at_bound[1] == 0);
  near(f->value[1], 2.0, 0.02);
  amo_fit_free(f);
  q[1].low = q[1].high = q[1].start = 1.9;  // given
  assert_int_equal(amo_fit_solve(&source, q, NULL, &f), AMO_OK);
  assert_true(f->value[1] == 1.9 && f->free == 1);
  amo_fit_free(f);
  q[1].start = 5.0;
  assert_int_equal(amo_fit_solve(&source, q, NULL, &f), AMO_ERANGE);
}

/// A prior is one more measurement of the parameter: for one parameter the answer is the mean weighted by both variances.
static void priors_are_measurements(void **state)
{
  (void)state;
  data t = straight();
  for (size_t i = 0; i < t.rows; i++) t.weight[i] = 10.0;  // sigma 0.1, known
  amo_residuals source = source_of(&t);
  source.weight = t.weight;
  amo_fit_parameter q[] = {{.start = 3, .low = 3, .high = 3}, free_from(1)};
  amo_fit_opts o = amo_fit_opts_default();
  o.known = true;
  amo_fit *alone = NULL, *both = NULL;
  assert_int_equal(amo_fit_solve(&source, q, &o, &alone), AMO_OK);
  q[1].prior = 2.1;
  q[1].sigma = 0.004;
  assert_int_equal(amo_fit_solve(&source, q, &o, &both), AMO_OK);
  const double a = 1 / (alone->se[1] * alone->se[1]), b = 1 / (0.004 * 0.004);
  near(both->value[1], (a * alone->value[1] + b * 2.1) / (a + b), 1e-10);
  near(both->se[1], sqrt(1 / (a + b)), 1e-10);
  amo_fit_free(both);
  // unknown noise: the prior counts against the noise that is found
  o.known = false;
  source.weight = NULL;
  assert_int_equal(amo_fit_solve(&source, q, &o, &both), AMO_OK);
  const double c = a * 0.01 / (both->deviation * both->deviation);
  near(both->value[1], (c * alone->value[1] + b * 2.1) / (c + b), 1e-8);
  amo_fit_free(alone);
  amo_fit_free(both);
}

static void outliers_are_forgiven(void **state)
{
  (void)state;
  data t = straight();
  const amo_residuals source = source_of(&t);
  const amo_fit_parameter q[] = {free_from(0), free_from(0)};
  amo_fit *clean = NULL, *f = NULL;
  assert_int_equal(amo_fit_solve(&source, q, NULL, &clean), AMO_OK);
  for (size_t i = 2; i < t.rows; i += 6) t.y[i] += 30.0;
  amo_fit_opts o = amo_fit_opts_default();
  const double within[] = {0, 0.06, 0.03, 0.02};
  for (int loss = AMO_LOSS_SQUARES; loss <= AMO_LOSS_TUKEY; loss++) {
    o.loss = (amo_loss)loss;
    assert_int_equal(amo_fit_solve(&source, q, &o, &f), AMO_OK);
    const double off = fabs(f->value[0] - 3.0);
    if (loss == AMO_LOSS_SQUARES)
      assert_true(off > 3.0);
    else if (off > within[loss] * 3 || !(f->se[0] < 4 * clean->se[0] && f->se[0] > 0.5 * clean->se[0]))
      fail_msg("loss %d: off by %g, se %g instead of %g", loss, off, f->se[0], clean->se[0]);
    if (loss == AMO_LOSS_TUKEY) assert_true(f->loss_weight[2] == 0.0 && f->loss_weight[3] > 0.5);
    amo_fit_free(f);
  }
  amo_fit_free(clean);
}

static void open_combinations_are_named(void **state)
{
  (void)state;
  data t = straight();
  t.model = overdone;
  t.n = 3;
  const amo_residuals source = source_of(&t);
  amo_fit_parameter q[] = {free_from(0), free_from(0), free_from(1)};
  amo_fit *f = NULL;
  assert_int_equal(amo_fit_solve(&source, q, NULL, &f), AMO_OK);
  assert_true(f->rank == 2 && !f->open[0] && f->open[1] && f->open[2] && isinf(f->se[1]) && f->se[0] > 0);
  near(f->combination[2 * 3 + 1], -f->combination[2 * 3 + 2], 1e-9);
  near(f->value[1] + f->value[2], 2.0, 0.02);
  amo_fit_free(f);
  q[2].prior = 1.0, q[2].sigma = 0.1;  // what is known of one tells the other
  assert_int_equal(amo_fit_solve(&source, q, NULL, &f), AMO_OK);
  assert_true(f->rank == 3);
  near(f->se[1], 0.1, 0.02);
  amo_fit_free(f);
}

/// Nothing depends on the last but rounding, and it is large: the others are found all the same.
static double with_rounding(const double *p, double x, double *d)
{
  d[0] = 1.0;
  d[1] = x;
  d[2] = 1e-25 * sin(1e3 * x);
  return p[0] + p[1] * x;
}

static void rounding_is_no_influence(void **state)
{
  (void)state;
  data t = straight();
  const amo_residuals two = source_of(&t);
  const amo_fit_parameter q[] = {free_from(20), free_from(7), free_from(5e6)};
  amo_fit *f = NULL, *g = NULL;
  assert_int_equal(amo_fit_solve(&two, q, NULL, &f), AMO_OK);
  t.model = with_rounding;
  t.n = 3;
  const amo_residuals three = source_of(&t);
  assert_int_equal(amo_fit_solve(&three, q, NULL, &g), AMO_OK);
  assert_true(g->rank == 2 && g->open[2] && !g->open[0] && g->value[2] == 5e6);
  near(g->value[0], f->value[0], 1e-9);
  near(g->value[1], f->value[1], 1e-9);
  amo_fit_free(f);
  amo_fit_free(g);
}

// ---- many fits ----

/// Bootstrap errors of a straight line come near those of the linear formula, and are the same every time.
static void bootstrap_agrees(void **state)
{
  (void)state;
  data t = straight();
  const amo_residuals source = source_of(&t);
  const amo_fit_parameter q[] = {free_from(0), free_from(0)};
  const amo_fit_opts o = amo_fit_opts_default();
  amo_fit *f = NULL;
  amo_bootstrap b = {0}, again = {0};
  assert_int_equal(amo_fit_solve(&source, q, &o, &f), AMO_OK);
  for (int cases = 0; cases < 2; cases++) {
    assert_int_equal(amo_fit_bootstrap(&source, q, &o, f, cases, 400, 5, NULL, NULL, &b), AMO_OK);
    assert_int_equal(amo_fit_bootstrap(&source, q, &o, f, cases, 400, 5, NULL, NULL, &again), AMO_OK);
    assert_int_equal(b.count, 400);
    for (int i = 0; i < 2; i++) {
      near(b.se[i], f->se[i], 0.2);
      near(b.high[i] - b.low[i], f->high[i] - f->low[i], 0.2);
      assert_true(b.se[i] == again.se[i] && b.low[i] < f->value[i] && f->value[i] < b.high[i]);
    }
    amo_bootstrap_free(&b);
    amo_bootstrap_free(&again);
  }
  amo_fit_free(f);
}

static double wave(const double *p, double x, double *d)
{
  d[0] = x * cos(p[0] * x);
  return sin(p[0] * x);
}

/// A frequency has many valleys: from one start the search ends in the wrong one, from many between bounds it does not.
static void several_starts(void **state)
{
  (void)state;
  data t = {.rows = 60, .n = 1, .model = wave};
  for (size_t i = 0; i < t.rows; i++) t.x[i] = 0.2 * (double)i, t.y[i] = sin(3.0 * t.x[i]);
  const amo_residuals source = source_of(&t);
  const amo_fit_parameter q[] = {{.start = 1.0, .low = 0.5, .high = 6.0}};
  const amo_fit_opts o = amo_fit_opts_default();
  amo_fit *f = NULL;
  assert_int_equal(amo_fit_starts(&source, q, &o, 1, 1, NULL, NULL, &f), AMO_OK);
  assert_true(f->sum > 1.0);
  amo_fit_free(f);
  assert_int_equal(amo_fit_starts(&source, q, &o, 40, 1, NULL, NULL, &f), AMO_OK);
  near(f->value[0], 3.0, 1e-9);
  amo_fit_free(f);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(student_by_closed_forms),
                                     cmocka_unit_test(fisher_and_beta_by_closed_forms),
                                     cmocka_unit_test(certified_misra),
                                     cmocka_unit_test(certified_boxbod),
                                     cmocka_unit_test(bounds_hold_and_let_go),
                                     cmocka_unit_test(priors_are_measurements),
                                     cmocka_unit_test(outliers_are_forgiven),
                                     cmocka_unit_test(open_combinations_are_named),
                                     cmocka_unit_test(rounding_is_no_influence),
                                     cmocka_unit_test(bootstrap_agrees),
                                     cmocka_unit_test(several_starts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
