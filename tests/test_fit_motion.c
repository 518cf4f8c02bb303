// SPDX-License-Identifier: Apache-2.0
// Fits of motions: derivatives against differences, in every kind of quantity and start; known parameters found again.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fit/motion.h"
#include "num/random.h"

enum { ROWS = 200, MOST = 8 };

typedef struct setup {
  amo_model *m;
  amo_quantities *q;
  amo_motion *x;
  amo_motion_record record[2];
  amo_unknown unknown[MOST];
  size_t unknowns;
  double t[ROWS], measured[2 * ROWS], start[2 * MOST];
} setup;

static void load(setup *s, const char *file, const char *const *quantity, size_t quantities,
                 const char *const *vary, double until, size_t records)
{
  char path[512];
  amo_diags *d = amo_diags_new();
  snprintf(path, sizeof path, AMO_SOURCE_DIR "/models/%s", file);
  memset(s, 0, sizeof *s);
  assert_int_equal(amo_model_load(path, NULL, 0, d, &s->m), AMO_OK);
  assert_int_equal(amo_quantities_new(s->m, "test", quantity, quantities, d, &s->q), AMO_OK);
  for (int i = 0; i < ROWS; i++) s->t[i] = until * (i + 1) / ROWS;
  for (size_t k = 0; k < records; k++) {
    s->record[k] = (amo_motion_record){.rows = ROWS, .t = s->t, .measured = s->measured};
    assert_int_equal(amo_values_new(s->m, &s->record[k].values), AMO_OK);
  }
  for (; vary[s->unknowns]; s->unknowns++) {
    const char *name = vary[s->unknowns] + (*vary[s->unknowns] == '#');
    const long p = amo_model_find_parameter(s->m, name), i = p >= 0 ? p : amo_model_find_state(s->m, name);
    assert_true(i >= 0);
    s->unknown[s->unknowns] = (amo_unknown){p < 0, (uint32_t)i, name != vary[s->unknowns]};
  }
  const amo_sim_opts o = amo_sim_opts_default();
  assert_int_equal(amo_motion_new(s->m, &o, s->q, s->record, records, s->unknown, s->unknowns, &s->x),
                   AMO_OK);
  for (size_t u = 0; u < s->unknowns; u++)
    for (size_t k = 0; k < records; k++)
      s->start[amo_motion_slot(s->x, u, k)] = s->unknown[u].is_state
                                                  ? s->record[k].values->initial[s->unknown[u].index]
                                                  : s->record[k].values->param[s->unknown[u].index];
  amo_diags_free(d);
}

static void release(setup *s)
{
  amo_motion_free(s->x);
  amo_quantities_free(s->q);
  for (int k = 0; k < 2; k++) amo_values_free(s->record[k].values);
  amo_model_free(s->m);
}

/// Largest difference between the derivative and central differences, of the size of the column; beside events, where a sample
/// jumps over one, differences say nothing: the worst few are left out.
static void compare(setup *s, double h, double within)
{
  const size_t rows = amo_motion_rows(s->x), n = amo_motion_slots(s->x);
  double *r = calloc(rows, sizeof *r), *j = calloc(n * rows, sizeof *j), *up = calloc(rows, sizeof *up),
         *down = calloc(rows, sizeof *down), p[2 * MOST];
  assert_int_equal(amo_motion_at(s->x, s->start, r, j), AMO_OK);
  assert_int_equal(amo_motion_at(s->x, s->start, up, NULL), AMO_OK);
  for (size_t i = 0; i < rows; i++)
    if (!(fabs(up[i] - r[i]) <= 1e-9 * (1.0 + fabs(r[i]))))
      fail_msg("row %zu: %g with, %g without derivatives", i, r[i], up[i]);
  for (size_t k = 0; k < n; k++) {
    double size = 0.0;
    size_t off = 0;
    const double step = h * fmax(fabs(s->start[k]), 1e-2);
    memcpy(p, s->start, sizeof p);
    p[k] = s->start[k] + step;
    assert_int_equal(amo_motion_at(s->x, p, up, NULL), AMO_OK);
    p[k] = s->start[k] - step;
    assert_int_equal(amo_motion_at(s->x, p, down, NULL), AMO_OK);
    for (size_t i = 0; i < rows; i++) size = fmax(size, fabs(j[k * rows + i]));
    for (size_t i = 0; i < rows; i++) {
      const double difference = (up[i] - down[i]) / (2 * step);
      off += !(fabs(difference - j[k * rows + i]) <= within * size);
    }
    if (off > 2 || !(size > 0.0))
      fail_msg("unknown %zu: %zu of %zu derivatives differ, largest %g", k, off, rows, size);
  }
  free(r), free(j), free(up), free(down);
}

static void derivatives_of_stick_slip(void **state)
{
  (void)state;
  setup s;
  const char *quantity[] = {"x", "x' - v"};
  const char *vary[] = {"k", "Fs", "delta", "v", "x", "x'", NULL};
  load(&s, "block-on-belt.yaml", quantity, 2, vary, 30.0, 1);
  compare(&s, 1e-6, 1e-4);
  release(&s);
}

static void derivatives_of_forces(void **state)
{
  (void)state;
  setup s;
  const char *quantity[] = {"belt.force + k*x", "m*x''"};
  const char *vary[] = {"k", "Fs", "delta", "m", NULL};
  load(&s, "block-on-belt.yaml", quantity, 2, vary, 30.0, 1);
  compare(&s, 1e-6, 1e-4);
  release(&s);
}

/// The state of the law begins with its steady value at the initial speed, which depends on parameters.
static void derivatives_of_states_that_follow(void **state)
{
  (void)state;
  setup s;
  const char *quantity[] = {"x"};
  const char *vary[] = {"#k", "Fs", NULL};
  load(&s, "block-on-belt.yaml", quantity, 1, vary, 20.0, 2);
  assert_int_equal(amo_motion_slots(s.x), 3);
  compare(&s, 1e-6, 1e-4);
  release(&s);
}

/// Steady sliding depends on no parameter of the law: what derivatives there are is rounding, until the first step of the speed.
static void derivatives_of_rate_and_state(void **state)
{
  (void)state;
  setup s;
  const char *quantity[] = {"stress"};
  const char *all[] = {"a", "b", "L", "alpha", "mu", NULL}, *one[] = {"L", NULL};
  load(&s, "velocity-steps.yaml", quantity, 1, all, 100.0, 1);
  compare(&s, 1e-6, 1e-4);
  release(&s);
  load(&s, "velocity-steps.yaml", quantity, 1, one, 100.0, 1);
  compare(&s, 1e-6, 1e-4);
  release(&s);
}

/// Starts that are 25 % off, noise of 1 % of the motion, eight periods: the answer is within four standard errors.
static void known_parameters_are_found(void **state)
{
  (void)state;
  setup s;
  const char *quantity[] = {"x"};
  const char *vary[] = {"k", "Fs", "delta", "v", NULL};
  const double off[] = {1.25, 0.8, 0.75, 1.2};
  double zero[ROWS], weight[ROWS];
  amo_random random = {.state = 7};
  amo_fit_parameter parameter[4];
  load(&s, "block-on-belt.yaml", quantity, 1, vary, 100.0, 1);
  assert_int_equal(amo_motion_at(s.x, s.start, zero, NULL), AMO_OK);
  for (int i = 0; i < ROWS; i++) {
    s.measured[i] = zero[i] + 0.01 * amo_random_normal(&random);
    weight[i] = 1.0;
  }
  for (int i = 0; i < 4; i++)
    parameter[i] = (amo_fit_parameter){.start = s.start[i] * off[i], .low = 0.0, .high = INFINITY};
  const amo_residuals source = {
      .n = 4, .rows = ROWS, .weight = weight, .measured = s.measured, .at = amo_motion_at, .ctx = s.x};
  amo_fit_opts o = amo_fit_opts_default();
  amo_fit *f = NULL;
  o.tol = 1e-6;
  assert_int_equal(amo_motion_solve(s.x, &source, parameter, &o, &f), AMO_OK);
  for (int i = 0; i < 4; i++)
    if (!(fabs(f->value[i] - s.start[i]) <= 4 * f->se[i] && f->se[i] < 0.05 * s.start[i]))
      fail_msg("%s = %g +- %g, not %g", vary[i], f->value[i], f->se[i], s.start[i]);
  assert_true(fabs(f->deviation - 0.01) < 0.002);
  amo_fit_free(f);
  release(&s);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(derivatives_of_stick_slip), cmocka_unit_test(derivatives_of_forces),
      cmocka_unit_test(derivatives_of_states_that_follow), cmocka_unit_test(derivatives_of_rate_and_state),
      cmocka_unit_test(known_parameters_are_found)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
