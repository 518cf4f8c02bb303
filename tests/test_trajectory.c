// SPDX-License-Identifier: Apache-2.0
// Recording and statistics against closed forms: an oscillator x = cos(w t), and a block that slides to
// rest under Coulomb friction.
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "explore/statistics.h"
#include "explore/trajectory.h"
#include "result/h5_library.h"
#include "support/motion.h"
#include "support/near.h"

#define PI 3.14159265358979323846

static const char *const oscillator =
    "amontons: 1\nname: oscillator\nparameters: {w: 2}\ncoordinates: {x: {unit: m}}\n"
    "particles: {b: {mass: 1, at: [x, 0]}}\nenergy: {potential: w^2/2*x^2}\n"
    "initial: {x: 1, x': 0}\noutputs: {square: x^2}\n";

static const char *const slider =
    "amontons: 1\nname: slider\nparameters: {mu: 0.5}\ncoordinates: [x]\n"
    "particles: {b: {mass: 1, at: [x, 0]}}\n"
    "contacts: {floor: {pressed: 2, slip: x', law: {type: coulomb, mu: mu}}}\ninitial: {x: 0, x': 3}\n";

typedef struct recording {
  amo_model *m;
  amo_sim *s;
  amo_trajectory *t;
  amo_recorder r;
  amo_statistics *st;
  double end;
} recording;

static int on_step(void *ctx, amo_sim *s)
{
  recording *c = ctx;
  assert_int_equal(amo_recorder_step(&c->r, s, c->end), AMO_OK);
  assert_int_equal(amo_statistics_step(c->st), AMO_OK);
  return 0;
}

static recording record(const char *text, double end, int points, double after)
{
  recording c = {.m = motion_model(text), .end = end};
  amo_sim_opts o = amo_sim_opts_default();
  o.tol = 1e-12;
  assert_non_null(c.m);
  assert_int_equal(amo_trajectory_new(c.m, true, &c.t), AMO_OK);
  assert_int_equal(amo_sim_new(c.m, &o, NULL, &c.s), AMO_OK);
  assert_int_equal(amo_statistics_new(c.s, after, &c.st), AMO_OK);
  c.r = (amo_recorder){.trajectory = c.t, .rows = true, .dt = end / points};
  assert_int_equal(amo_sample_new(c.m, &c.r.sample), AMO_OK);
  assert_int_equal(amo_sim_run(c.s, end, on_step, &c), AMO_OK);
  return c;
}

static void release(recording *c)
{
  amo_sample_free(c->r.sample);
  amo_statistics_free(c->st);
  amo_sim_free(c->s);
  amo_trajectory_free(c->t);
  amo_model_free(c->m);
}

static void grid_is_uniform(void **state)
{
  (void)state;
  recording c = record(oscillator, 7.0, 140, -INFINITY);
  const amo_column *t = amo_trajectory_column(c.t, "t"), *x = amo_trajectory_column(c.t, "x");
  const amo_column *a = amo_trajectory_column(c.t, "x''");
  assert_int_equal(c.t->rows, 141);
  assert_string_equal(x->unit, "m");
  assert_string_equal(a->unit, "m/s^2");
  assert_null(amo_trajectory_column(c.t, "nothing"));
  for (size_t i = 0; i < c.t->rows; i++) {
    assert_near(t->value[i], 0.05 * (double)i, 1e-13);
    assert_near(x->value[i], cos(2 * t->value[i]), 1e-10);
    assert_near(a->value[i], -4 * cos(2 * t->value[i]), 1e-9);
  }
  release(&c);
}

/// x = cos 2t on [0, 3 pi]: mean 0, rms 1/sqrt 2, extrema +-1 and +-2; x^2: mean 1/2, rms sqrt(3/8).
static void statistics_are_exact(void **state)
{
  (void)state;
  recording c = record(oscillator, 3 * PI, 10, -INFINITY);
  char name[64];
  assert_int_equal(c.st->columns, 3);
  assert_string_equal(amo_statistics_name(c.st, 2, name, sizeof name), "square");
  assert_near(c.st->max[0].value, 1, 1e-11);
  assert_near(c.st->min[0].value, -1, 1e-11);
  assert_near(fmod(c.st->min[0].t, PI), PI / 2, 1e-9);
  assert_near(c.st->max[1].value, 2, 1e-11);
  assert_near(c.st->min[1].value, -2, 1e-11);
  assert_near(c.st->min[2].value, 0, 1e-11);
  assert_near(c.st->max[2].value, 1, 1e-11);
  assert_near(c.st->sum[0] / c.st->duration, 0, 1e-11);
  assert_near(sqrt(c.st->sum_square[0] / c.st->duration), sqrt(0.5), 1e-11);
  assert_near(c.st->sum[2] / c.st->duration, 0.5, 1e-11);
  assert_near(sqrt(c.st->sum_square[2] / c.st->duration), sqrt(0.375), 1e-11);
  release(&c);
}

/// Only [pi/8, pi/4] counts: there cos 2t falls from 1/sqrt 2 to 0.
static void window_is_respected(void **state)
{
  (void)state;
  recording c = record(oscillator, PI / 4, 10, PI / 8);
  assert_near(c.st->duration, PI / 8, 1e-14);
  assert_near(c.st->max[0].value, sqrt(0.5), 1e-11);
  assert_near(c.st->min[0].value, 0, 1e-11);
  assert_near(c.st->sum[0], 0.5 * (1 - sqrt(0.5)), 1e-11);
  release(&c);
}

/// Deceleration mu*N = 1 from speed 3: rest at t = 3, x = 4.5, and the event's rows come twice.
static void event_points_twice(void **state)
{
  (void)state;
  recording c = record(slider, 5.0, 4, -INFINITY);
  const amo_column *t = amo_trajectory_column(c.t, "t"), *mode = amo_trajectory_column(c.t, "floor.mode");
  const amo_column *force = amo_trajectory_column(c.t, "floor.force");
  assert_int_equal(c.t->events, 1);
  assert_int_equal(c.t->initial_mode[0], 1);
  assert_near(c.t->event[0].t, 3, 1e-12);
  assert_near(c.t->event_state[0], 4.5, 1e-12);
  assert_int_equal(c.t->rows, 7);  // 5 on the grid, 2 at the event
  size_t k = 0;
  while (k + 1 < c.t->rows && t->value[k] != t->value[k + 1]) k++;
  assert_near(t->value[k], 3, 1e-12);
  assert_true(mode->value[k] == 1 && mode->value[k + 1] == 0);
  assert_near(force->value[k], -1, 1e-12);
  assert_near(force->value[k + 1], 0, 1e-12);
  assert_near(c.st->stick[0], 2, 1e-12);
  assert_near(c.st->max[0].value, 4.5, 1e-12);
  release(&c);
}

static void expressions_of_columns(void **state)
{
  (void)state;
  recording c = record(slider, 5.0, 4, -INFINITY);
  double *v = calloc(c.t->rows, sizeof *v);
  const amo_column *x = amo_trajectory_column(c.t, "x"), *f = amo_trajectory_column(c.t, "floor.force");
  assert_int_equal(
      amo_trajectory_eval(c.t, amo_model_values(c.m), "2*x - floor.force/mu + t*0 + x''*0", NULL, v), AMO_OK);
  for (size_t i = 0; i < c.t->rows; i++) assert_near(v[i], 2 * x->value[i] - f->value[i] / 0.5, 1e-13);
  amo_diags *d = amo_diags_new();
  assert_int_equal(amo_trajectory_eval(c.t, amo_model_values(c.m), "floor.farce + y", d, v), AMO_EINPUT);
  assert_int_equal(amo_diags_errors(d), 2);
  amo_diags_free(d);
  free(v);
  release(&c);
}

static void csv_reads_back(void **state)
{
  (void)state;
  char path[] = "/tmp/amo-csv-XXXXXX", *text = NULL;
  size_t size = 0;
  int fd = mkstemp(path);
  assert_true(fd >= 0);
  close(fd);
  recording c = record(oscillator, 1.0, 3, -INFINITY);
  assert_int_equal(amo_trajectory_csv(c.t, path, NULL), AMO_OK);
  assert_int_equal(amo_file_read(path, 1 << 20, NULL, &text, &size), AMO_OK);
  char *line = strchr(text, '\n');
  assert_non_null(line);
  *line = '\0';
  assert_string_equal(text, "t [s],x [m],x' [m/s],x'' [m/s^2],square,energy [J]");
  for (size_t r = 0; r < c.t->rows; r++)
    for (size_t k = 0; k < c.t->columns; k++) assert_true(strtod(line + 1, &line) == c.t->column[k].value[r]);
  free(text);
  unlink(path);
  release(&c);
}

/// HDF5 is loaded when it is needed: where there is none the message says which library was looked for.
static void missing_hdf5_is_said(void **state)
{
  (void)state;
  amo_h5_library h;
  amo_diags *d = amo_diags_new();
  assert_int_equal(amo_h5_load("libhdf5-of-nobody.so.0", &h, d), AMO_EUNSUPPORTED);
  assert_int_equal(amo_h5_load("libm.so.6", &h, d), AMO_EUNSUPPORTED);  // a library, but not this one
  char *text = amo_diags_render(d);
  assert_non_null(strstr(text, "HDF5 cannot be loaded: libhdf5-of-nobody.so.0"));
  assert_non_null(strstr(text, "libm.so.6: it lacks functions"));
  free(text);
  amo_diags_free(d);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(grid_is_uniform),        cmocka_unit_test(statistics_are_exact),
      cmocka_unit_test(window_is_respected),    cmocka_unit_test(event_points_twice),
      cmocka_unit_test(expressions_of_columns), cmocka_unit_test(csv_reads_back),
      cmocka_unit_test(missing_hdf5_is_said)};
  return cmocka_run_group_tests_name("trajectory", tests, NULL, NULL);
}
