// SPDX-License-Identifier: Apache-2.0
// limits and map from C: the bits of the verbs, and functions of the caller's own.
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

#include "amontons/amontons.h"

static amo_model *load(const char *name)
{
  char path[512];
  amo_model *m = NULL;
  snprintf(path, sizeof path, "%s/models/%s.yaml", AMO_SOURCE_DIR, name);
  assert_int_equal(amo_model_load(path, NULL, 0, NULL, &m), AMO_OK);
  return m;
}

static void same(double a, double b)
{
  if (!(a == b || (isnan(a) && isnan(b)))) fail_msg("%.17g is not %.17g", a, b);
}

static double number(const amo_answer *a, const char *list, size_t i, const char *key)
{
  char path[128];
  snprintf(path, sizeof path, "%s[%zu].%s", list, i, key);
  return amo_answer_number(a, path);
}

static const char *text(const amo_answer *a, const char *list, size_t i, const char *key)
{
  char path[128];
  snprintf(path, sizeof path, "%s[%zu].%s", list, i, key);
  return amo_answer_text(a, path);
}

// ---- limits ----

static const struct {
  const char *model, *name;
  double from, to;
  const char *of, *options, *ask;
  bool extrema;
} line[] = {
    {"painleve-klein", "mu", 0.2, 3, "contact.class", "at: {q': 1}",
     "{vary: {mu: [0.2, 3]}, of: contact.class, at: {q': 1}}", false},
    {"painleve-klein", "P1", -2, 2, "rest.verdict", NULL, "{vary: {P1: [-2, 2]}, of: rest.verdict}", false},
    {"block-on-belt", "x", -2, 2, "rest.margin", NULL, "{vary: {x: [-2, 2]}, of: rest.margin, extrema: true}",
     true},
};

static void limits_are_those_of_the_verb(void **unused)
{
  (void)unused;
  for (size_t k = 0; k < sizeof line / sizeof *line; k++) {
    amo_model *m = load(line[k].model);
    amo_axis axis;
    amo_probe p;
    amo_limits l;
    amo_answer *a = NULL;
    amo_limits_opts o = amo_limits_opts_default();
    o.extrema = line[k].extrema;
    assert_int_equal(amo_axis_of(m, line[k].name, line[k].from, line[k].to, NULL, &axis), AMO_OK);
    assert_int_equal(amo_probe_of(m, NULL, line[k].of, line[k].options, &axis, 1, true, NULL, &p), AMO_OK);
    assert_int_equal(amo_limits_find(&p, &o, NULL, &l), AMO_OK);
    assert_int_equal(amo_ask(m, NULL, "limits", line[k].ask, NULL, NULL, &a), AMO_OK);
    assert_int_equal(l.count, (size_t)amo_answer_number(a, "count"));
    assert_int_equal(l.evaluations, (size_t)amo_answer_number(a, "evaluations"));
    assert_string_equal(l.exact ? "exact" : "bracketed", amo_answer_text(a, "how"));
    assert_string_equal(l.first, amo_answer_text(a, "first"));
    for (size_t i = 0; i < l.count; i++) {
      same(l.item[i].at, number(a, "values", i, "at"));
      assert_string_equal(l.item[i].from, text(a, "values", i, "from"));
      assert_string_equal(l.item[i].to, text(a, "values", i, "to"));
    }
    assert_int_equal(l.extrema, amo_answer_count(a, "extrema"));
    for (size_t i = 0; i < l.extrema; i++) same(l.extremum[i].at, number(a, "extrema", i, "at"));
    assert_true(l.count + l.extrema > 0);
    amo_answer_free(a);
    amo_limits_free(&l);
    amo_probe_free(&p);
    amo_model_free(m);
  }
}

/// Positive between sqrt(2) and 3, and zero at its ends; least at 1.
static void parabola(void *ctx, const double *at, amo_diags *diags, amo_reading *out)
{
  (void)diags;
  ++*(int *)ctx;
  out->kind = AMO_READ_NUMBER;
  out->measured = true;
  out->number = (at[0] * at[0] - 2.0) * (3.0 - at[0]);
}

static int give_up(void *ctx, double fraction)
{
  (void)ctx;
  return fraction > 0.3;
}

static void limits_of_a_function(void **unused)
{
  (void)unused;
  int calls = 0;
  amo_probe p = {.of = "parabola", .axes = 1, .ctx = &calls, .read = parabola};
  p.axis[0] = (amo_axis){.name = "x", .from = 0.0, .to = 4.0, .kind = AMO_AXIS_OWN};
  amo_limits l;
  assert_int_equal(amo_limits_find(&p, NULL, NULL, &l), AMO_OK);
  assert_int_equal(l.count, 2);
  assert_true(l.by_sign && !l.exact && l.evaluations == (size_t)calls - 1);  // one look comes before
  assert_float_equal(l.item[0].at, sqrt(2.0), 1e-12);
  assert_float_equal(l.item[1].at, 3.0, 1e-12);
  assert_string_equal(l.item[0].from, "negative");
  amo_limits_free(&l);

  amo_limits_opts o = amo_limits_opts_default();
  o.progress = give_up;
  assert_int_equal(amo_limits_find(&p, &o, NULL, &l), AMO_EINTR);
  assert_true(l.reached > 1.5 && l.reached < 2.5 && l.item[0].open);
  amo_limits_free(&l);
  o.points = 1;
  assert_int_equal(amo_limits_find(&p, &o, NULL, &l), AMO_ERANGE);
  p.axes = 2;
  assert_int_equal(amo_limits_find(&p, NULL, NULL, &l), AMO_ERANGE);
}

// ---- maps ----

static void maps_are_those_of_the_verb(void **unused)
{
  (void)unused;
  amo_model *m = load("trammel");
  amo_axis axis[2];
  amo_answer *a = NULL;
  assert_int_equal(amo_axis_of(m, "theta", 0, 1.57, NULL, &axis[0]), AMO_OK);
  assert_int_equal(amo_axis_of(m, "theta'", -3, 3, NULL, &axis[1]), AMO_OK);
  assert_int_equal(
      amo_ask(m, NULL, "map",
              "{x: {theta: [0, 1.57]}, y: {theta': [-3, 3]}, of: contact.class, size: 24x16, contours: all}",
              NULL, NULL, &a),
      AMO_OK);
  amo_plane *first = NULL;
  for (int threads = 1; threads <= 3; threads += 2) {
    amo_probe p;
    amo_plane *plane = NULL;
    amo_contours c;
    amo_plane_opts o = amo_plane_opts_default();
    o.nx = 24, o.ny = 16, o.threads = threads;
    assert_int_equal(amo_probe_of(m, NULL, "contact.class", NULL, axis, 2, false, NULL, &p), AMO_OK);
    assert_int_equal(amo_plane_run(&p, &o, NULL, &plane), AMO_OK);
    for (size_t w = 0; w < plane->nwords; w++) {
      char path[64];
      size_t n = 0;
      for (size_t i = 0; i < o.nx * o.ny; i++) n += plane->word[i] == (int)w;
      snprintf(path, sizeof path, "counts.%s", plane->words[w]);
      assert_int_equal(n, (size_t)amo_answer_number(a, path));
    }
    if (first) assert_memory_equal(first->word, plane->word, o.nx * o.ny * sizeof *plane->word);
    const size_t index[] = {0, 1, 2};
    assert_int_equal(plane->nwords, 3);
    assert_int_equal(amo_contours_of_words(plane, &p, index, 3, NULL, &c), AMO_OK);
    assert_int_equal(c.count, amo_answer_count(a, "contours"));
    for (size_t i = 0; i < c.count; i++)
      for (size_t k = 0; k < c.item[i].points; k++) {
        char path[64];
        snprintf(path, sizeof path, "contours[%zu].points[%zu][1]", i, k);
        same(c.item[i].y[k], amo_answer_number(a, path));
      }
    amo_contours_free(&c);
    amo_probe_free(&p);
    amo_plane_free(first);
    first = plane;
  }
  amo_plane_free(first);
  amo_answer_free(a);
  amo_model_free(m);
}

static void height(void *ctx, const double *at, amo_diags *diags, amo_reading *out)
{
  (void)ctx, (void)diags;
  out->kind = AMO_READ_NUMBER;
  out->number = at[0] * at[0] + at[1] * at[1];
}

static amo_probe hill(void)
{
  amo_probe p = {.of = "height", .axes = 2, .read = height, .identity = 1};
  p.axis[0] = (amo_axis){.name = "x", .from = -2, .to = 2, .kind = AMO_AXIS_OWN};
  p.axis[1] = (amo_axis){.name = "y", .from = -2, .to = 2, .kind = AMO_AXIS_OWN};
  return p;
}

static void a_map_of_a_function(void **unused)
{
  (void)unused;
  const amo_probe p = hill();
  amo_plane_opts o = amo_plane_opts_default();
  amo_plane *m = NULL;
  amo_contours c;
  const double level = 1.0;
  o.nx = o.ny = 20;
  assert_int_equal(amo_plane_run(&p, &o, NULL, &m), AMO_OK);
  for (size_t i = 0; i < 400; i++) {
    const double x = amo_axis_value(&m->x, i % 20, 20), y = amo_axis_value(&m->y, i / 20, 20);
    same(m->number[i], x * x + y * y);
  }
  assert_int_equal(amo_contours_of_numbers(m, &p, &level, 1, NULL, &c), AMO_OK);
  assert_int_equal(c.count, 1);
  assert_true(c.item[0].closed && c.item[0].points > 20);
  for (size_t i = 0; i < c.item[0].points; i++)
    assert_float_equal(hypot(c.item[0].x[i], c.item[0].y[i]), 1.0, 1e-12);
  amo_contours_free(&c);
  amo_plane_free(m);
  o.nx = 1;
  assert_int_equal(amo_plane_run(&p, &o, NULL, &m), AMO_ERANGE);
  assert_null(m);
}

static void an_interrupted_map_goes_on(void **unused)
{
  (void)unused;
  amo_probe p = hill();
  amo_plane_opts o = amo_plane_opts_default();
  amo_plane *m = NULL;
  o.nx = o.ny = 20;
  o.threads = 1;
  o.part = "hill.part";
  o.progress = give_up;
  remove(o.part);
  assert_int_equal(amo_plane_run(&p, &o, NULL, &m), AMO_EINTR);
  assert_int_equal(m->cells, 121);  // each is a tile here: the first beyond 0.3 of 400
  assert_int_equal(m->rows, 6);
  assert_int_equal(m->word[19 * 20], AMO_CELL_OPEN);
  amo_plane_free(m);
  o.progress = NULL;
  assert_int_equal(amo_plane_run(&p, &o, NULL, &m), AMO_OK);
  assert_int_equal(m->resumed, 121);
  assert_true(m->whole && m->rows == 20 && m->cells == 400);
  amo_plane_free(m);
  remove(o.part);
  p.identity = 0;  // nobody could tell whose rows they are
  assert_int_equal(amo_plane_run(&p, &o, NULL, &m), AMO_ERANGE);
}

static void what_cannot_be_asked(void **unused)
{
  (void)unused;
  amo_model *m = load("block-on-belt");
  amo_diags *d = amo_diags_new();
  amo_axis axis;
  amo_probe p;
  assert_int_equal(amo_axis_of(m, "vv", 0, 1, d, &axis), AMO_EINPUT);
  assert_int_equal(amo_axis_of(m, "v", 1, 0, d, &axis), AMO_EINPUT);
  assert_int_equal(amo_axis_of(m, "v", 0, 1, d, &axis), AMO_OK);
  assert_int_equal(amo_probe_of(m, NULL, "contact", "until: 3", &axis, 1, false, d, &p), AMO_EINPUT);
  assert_int_equal(amo_probe_of(m, NULL, "contact", "nx: 3", &axis, 1, false, d, &p), AMO_EINPUT);
  assert_int_equal(amo_probe_of(m, NULL, "nothing.at_all", NULL, &axis, 1, false, d, &p), AMO_EINPUT);
  assert_int_equal(amo_probe_of(m, NULL, "contact", NULL, &axis, 3, false, d, &p), AMO_ERANGE);
  assert_int_equal(amo_diags_errors(d), 5);
  amo_diags_free(d);
  amo_model_free(m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(limits_are_those_of_the_verb), cmocka_unit_test(limits_of_a_function),
      cmocka_unit_test(maps_are_those_of_the_verb),   cmocka_unit_test(a_map_of_a_function),
      cmocka_unit_test(an_interrupted_map_goes_on),   cmocka_unit_test(what_cannot_be_asked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
