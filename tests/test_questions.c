// SPDX-License-Identifier: Apache-2.0
// Questions with typed functions: the bits of the verbs, on models of many kinds.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "amontons/amontons.h"

static const char *const models[] = {
    "painleve-klein", "trammel",        "block-on-belt", "link-mechanism",     "machine-slider", "table",
    "ladder",         "rough-four-bar", "two-blocks",    "painleve-two-pairs", "spatial-mass",   "stacker"};

static amo_model *load(const char *name)
{
  char path[512];
  amo_model *m = NULL;
  snprintf(path, sizeof path, "%s/models/%s.yaml", AMO_SOURCE_DIR, name);
  return amo_model_load(path, NULL, 0, NULL, &m) == AMO_OK ? m : NULL;
}

/// JSON has no infinity: null there.
static void same(double x, const amo_answer *a, const char *fmt, ...)
{
  char path[256];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(path, sizeof path, fmt, ap);
  va_end(ap);
  const double y = amo_answer_number(a, path);
  if (!(x == y || (!isfinite(x) && isnan(y)))) fail_msg("%s: %.17g is not %.17g", path, x, y);
}

static void contact_of(const amo_model *m)
{
  amo_contact_search *s = NULL;
  const amo_contact_answer *c = NULL;
  amo_answer *a = NULL;
  amo_contact_opts o = amo_contact_opts_default();
  o.assess = true;
  const amo_status asked = amo_ask(m, NULL, "contact", NULL, NULL, NULL, &a);
  assert_int_equal(amo_contact_search_new(m, &o, &s), AMO_OK);
  for (int again = 0; again < 2; again++) {
    const amo_status st =
        amo_contact_search_at(s, NULL, amo_model_values(m)->t0, amo_model_initial(m), NULL, &c);
    assert_int_equal(st, asked);
    if (st != AMO_OK) break;
    assert_string_equal(amo_class_name(c->kind), amo_answer_text(a, "class"));
    assert_int_equal(c->count, amo_answer_count(a, "solutions"));
    same(c->chosen < 0 ? NAN : (double)c->chosen, a, "chosen");
    for (size_t i = 0; i < c->count; i++) {
      const amo_contact_solution *x = &c->solution[i];
      for (size_t k = 0; k < c->contacts; k++) {
        const char *name = amo_model_contact(m, k).name;
        same(x->reaction[k], a, "solutions[%zu].reactions.%s", i, name);
        same(x->friction[k], a, "solutions[%zu].friction.%s", i, name);
      }
      for (size_t k = 0; k < c->coordinates; k++)
        same(x->acceleration[k], a, "solutions[%zu].accelerations.%s''", i, amo_model_state(m, k).name);
    }
  }
  amo_contact_search_free(s);
  amo_answer_free(a);
}

static void rest_of(const amo_model *m)
{
  amo_rest *r = NULL;
  amo_answer *a = NULL;
  const amo_status asked = amo_ask(m, NULL, "rest", NULL, NULL, NULL, &a);
  assert_int_equal(amo_rest_find(m, NULL, NULL, &r), asked);
  if (r) {
    assert_string_equal(amo_rest_verdict_name(r->verdict), amo_answer_text(a, "verdict"));
    same(r->direction, a, "direction");
    same(r->margin, a, "margin");
    assert_int_equal(r->all->count, amo_answer_count(a, "solutions"));
    assert_int_equal(r->shares, amo_answer_count(a, "shares"));
    for (size_t k = 0; k < r->contacts; k++)
      same(r->contact[k].needed, a, "contacts.%s.needed", amo_model_contact(m, k).name);
  }
  amo_rest_free(r);
  amo_answer_free(a);
}

static void evaluation_of(const amo_model *m)
{
  amo_evaluation *e = NULL;
  amo_answer *a = NULL;
  const amo_status asked = amo_ask(m, NULL, "evaluate", NULL, NULL, NULL, &a);
  assert_int_equal(amo_evaluation_new(m, &e), AMO_OK);
  for (int again = 0; again < 2; again++) {
    const amo_status st = amo_evaluate(m, NULL, amo_model_values(m)->t0, NULL, e, NULL);
    assert_int_equal(st, asked);
    if (st != AMO_OK) break;
    for (size_t i = 0; i < amo_model_states(m); i++)
      same(e->rates[i], a, "rates.%s", amo_model_state(m, i).name);
    for (size_t k = 0; k < amo_model_contacts(m); k++)
      same(e->needed[k], a, "contacts.%s.needed", amo_model_contact(m, k).name);
  }
  amo_evaluation_free(e);
  amo_answer_free(a);
}

static void the_bits_of_the_verbs(void **unused)
{
  (void)unused;
  size_t asked = 0;
  for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
    amo_model *m = load(models[i]);
    if (!m) fail_msg("no model %s", models[i]);
    contact_of(m);
    rest_of(m);
    evaluation_of(m);
    amo_model_free(m);
    asked++;
  }
  assert_true(asked >= 10);
}

static void a_region_of_loads(void **unused)
{
  (void)unused;
  amo_model *m = load("link-mechanism");
  amo_axis axis[2];
  amo_region *r = NULL;
  amo_answer *a = NULL;
  assert_int_equal(amo_axis_of(m, "M", -100, 100, NULL, &axis[0]), AMO_OK);
  assert_int_equal(amo_axis_of(m, "P", -400, 400, NULL, &axis[1]), AMO_OK);
  assert_int_equal(amo_ask(m, NULL, "rest", "region: {M: [-100, 100], P: [-400, 400]}", NULL, NULL, &a),
                   AMO_OK);
  assert_int_equal(amo_region_find(m, NULL, axis, 2, NULL, &r), AMO_OK);
  same(r->share, a, "region.share");
  assert_true(r->share > 0.0 && r->pieces > 0 && r->lines > 0);
  assert_int_equal(r->lines, amo_answer_count(a, "region.lines"));
  assert_int_equal(r->vertices, amo_answer_count(a, "region.vertices"));
  assert_int_equal(r->severals, amo_answer_count(a, "region.several"));
  assert_int_equal(r->pieces, amo_answer_count(a, "region.solutions"));
  for (size_t i = 0; i < r->pieces; i++)
    for (size_t k = 0; k < r->piece[i].area.corners; k++)
      same(r->piece[i].area.y[k], a, "region.solutions[%zu].polygon[%zu][1]", i, k);
  amo_region_free(r);
  axis[0].kind = AMO_AXIS_STATE;
  assert_int_equal(amo_region_find(m, NULL, axis, 2, NULL, &r), AMO_ERANGE);
  amo_answer_free(a);
  amo_model_free(m);
}

static void a_state_that_fits(void **unused)
{
  (void)unused;
  amo_model *m = load("trammel");
  const size_t n = amo_model_states(m), at = (size_t)amo_model_find_state(m, "theta");
  double *state = calloc(n, sizeof *state);
  bool *given = calloc(n, sizeof *given);
  amo_answer *a = NULL;
  memcpy(state, amo_model_initial(m), n * sizeof *state);
  state[at] = 0.4, given[at] = true;
  assert_int_equal(amo_values_complete(amo_model_values(m), 0.0, given, NULL, state), AMO_OK);
  assert_int_equal(amo_ask(m, NULL, "contact", "at: {theta: 0.4}", NULL, NULL, &a), AMO_OK);
  for (size_t i = 0; i < n; i++) same(state[i], a, "state.%s", amo_model_state(m, i).name);
  amo_answer_free(a);
  free(state);
  free(given);
  amo_model_free(m);
}

static void sensitivity_of_a_motion(void **unused)
{
  (void)unused;
  amo_model *m = load("block-on-belt");
  amo_sensitivity_opts o = amo_sensitivity_opts_default();
  amo_sensitivity *s = NULL;
  amo_answer *a = NULL;
  const size_t param[] = {(size_t)amo_model_find_parameter(m, "k"), (size_t)amo_model_find_parameter(m, "v")};
  o.until = 8, o.samples = 3, o.differences = 1e-5;
  o.parameter = param, o.parameters = 2;
  assert_int_equal(amo_sensitivity_find(m, &o, NULL, &s), AMO_OK);
  assert_int_equal(amo_ask(m, NULL, "sensitivity", "{until: 8, for: \"k, v\", samples: 3, differences: 1e-5}",
                           NULL, NULL, &a),
                   AMO_OK);
  assert_int_equal(s->events, amo_answer_count(a, "events"));
  assert_int_equal(s->samples, amo_answer_count(a, "samples"));
  assert_true(s->events > 0 && s->samples == 4);
  same((double)s->rank, a, "rank");
  for (size_t i = 0; i < s->states; i++) {
    const char *name = amo_model_state(m, i).name;
    same(s->end.state[i], a, "state.%s", name);
    same(s->end.parameter[i], a, "parameters.k.%s", name);
    same(s->end.parameter[s->states + i], a, "parameters.v.%s", name);
    for (size_t k = 0; k < s->states; k++) {
      same(s->end.matrix[k * s->states + i], a, "matrix[%zu][%zu]", i, k);
      same(s->event[0].before.matrix[k * s->states + i], a, "events[0].before.matrix[%zu][%zu]", i, k);
      same(s->sample[1].matrix[k * s->states + i], a, "samples[1].matrix[%zu][%zu]", i, k);
      same(s->differences[k * s->states + i], a, "differences[%zu][%zu]", i, k);
    }
    same(s->eigenvalue[i].re, a, "eigenvalues[%zu].re", i);
  }
  amo_sensitivity_free(s);
  const size_t twice[] = {param[0], param[0]};
  o.parameter = twice;
  assert_int_equal(amo_sensitivity_find(m, &o, NULL, &s), AMO_EINPUT);
  o.until = -1.0;
  assert_int_equal(amo_sensitivity_find(m, &o, NULL, &s), AMO_ERANGE);
  assert_null(s);
  amo_answer_free(a);
  amo_model_free(m);
}

static void a_drawing(void **unused)
{
  (void)unused;
  for (size_t i = 0; i < 4; i++) {
    amo_model *m = load(models[i]);
    amo_answer *a = NULL;
    char *svg = NULL;
    assert_int_equal(amo_ask(m, NULL, "draw", NULL, NULL, NULL, &a), AMO_OK);
    assert_int_equal(amo_draw(m, NULL, NULL, &svg), AMO_OK);
    assert_string_equal(svg, amo_answer_text(a, "svg"));
    free(svg);
    amo_answer_free(a);
    amo_draw_opts o = amo_draw_opts_default();
    const double empty[4] = {1, 0, 0, 1};
    o.window = empty;
    assert_int_equal(amo_draw(m, &o, NULL, &svg), AMO_ERANGE);
    amo_model_free(m);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_bits_of_the_verbs),
                                     cmocka_unit_test(a_region_of_loads), cmocka_unit_test(a_state_that_fits),
                                     cmocka_unit_test(sensitivity_of_a_motion), cmocka_unit_test(a_drawing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
