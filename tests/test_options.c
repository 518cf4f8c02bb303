// SPDX-License-Identifier: Apache-2.0
// Options: the two readers agree, all mistakes come at once, defaults are those of the library.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "result/json.h"
#include "ask/options.h"
#include "ask/sim_options.h"
#include "ask/motion/simulate.h"
#include "support/motion.h"

static const char *const text = "{amontons: 1, name: slider, parameters: {k: 4, m: 1}, coordinates: [x],"
                                " particles: {b: {mass: m, at: [x, 0]}}, energy: {potential: k/2*x^2},"
                                " initial: {x: 1, x': 0}}";

static amo_options *from_words(int argc, char *const *argv, amo_diags *d, amo_status want)
{
  const char *word[32];
  size_t words = 0;
  amo_options *o = NULL;
  assert_int_equal(amo_options_from_argv(amo_verb_simulate.opts, argc, argv, d, word, &words, &o), want);
  return o;
}

static amo_options *from_yaml(const char *yaml, amo_diags *d, amo_status want)
{
  amo_yaml_doc *doc = NULL;
  amo_options *o = NULL;
  assert_int_equal(amo_yaml_parse("study.yaml", yaml, strlen(yaml), d, &doc), AMO_OK);
  assert_int_equal(amo_options_from_yaml(&amo_verb_simulate, amo_yaml_root(doc), d, &o), want);
  amo_yaml_free(doc);
  return o;
}

static void check_values(amo_options *o)
{
  const amo_setting *set = NULL;
  amo_model *m = motion_model(text);
  assert_non_null(m);
  assert_int_equal(amo_options_resolve(o, amo_model_values(m), NULL), AMO_OK);
  assert_true(amo_opt_number(o, "until") == 8.0);  // 2*k
  assert_int_equal(amo_opt_integer(o, "points"), 50);
  assert_true(amo_opt_flag(o, "samples"));
  assert_false(amo_opt_flag(o, "steps"));
  assert_string_equal(amo_opt_text(o, "method"), "switch");
  assert_null(amo_opt_text(o, "csv"));
  assert_true(amo_opt_given(o, "until"));
  assert_false(amo_opt_given(o, "tol"));
  assert_true(amo_opt_number(o, "tol") == 1e-12);
  assert_int_equal(amo_opt_settings(o, "set", &set), 2);
  assert_string_equal(set[0].name, "k");
  assert_string_equal(set[1].text, "f(1, 2)");
  assert_int_equal(amo_opt_settings(o, "at", &set), 1);
  assert_string_equal(set[0].name, "x'");
  amo_model_free(m);
}

static void both_readers_agree(void **state)
{
  (void)state;
  char *argv[] = {"--until", "2*k",   "--points=50",    "--samples", "--method",
                  "switch",  "--set", "k=4, g=f(1, 2)", "--at",      "x'=0.5"};
  amo_options *o = from_words(10, argv, NULL, AMO_OK);
  check_values(o);
  amo_options_free(o);
  o = from_yaml(
      "{until: 2*k, points: 50, samples: true, method: switch, set: {k: 4, g: 'f(1, 2)'}, at: {x': 0.5}}",
      NULL, AMO_OK);
  check_values(o);
  amo_options_free(o);
}

static void all_mistakes_at_once(void **state)
{
  (void)state;
  amo_diags *d = amo_diags_new();
  char *argv[] = {"--untill", "5", "--points", "0", "--method", "x", "--tol", "nan", "--dt"};
  assert_null(from_words(9, argv, d, AMO_EINPUT));
  assert_int_equal(amo_diags_errors(d), 5);
  amo_diags_free(d);
  d = amo_diags_new();
  assert_null(from_yaml("{untill: 5, points: 0, method: x, csv: a.csv, set: [1], dt: }", d, AMO_EINPUT));
  assert_int_equal(amo_diags_errors(d), 6);
  const amo_diag *first = amo_diags_get(d, 0);
  assert_int_equal(first->at.line, 1);
  assert_int_equal(first->at.column, 2);
  amo_diags_free(d);
}

static void ranges_hold_for_expressions(void **state)
{
  (void)state;
  amo_model *m = motion_model(text);
  amo_diags *d = amo_diags_new();
  char *argv[] = {"--points", "k - 4", "--until", "nope", "--max-steps", "k/8"};
  amo_options *o = from_words(6, argv, d, AMO_OK);
  assert_int_equal(amo_options_resolve(o, amo_model_values(m), d), AMO_EINPUT);
  assert_int_equal(amo_diags_errors(d), 3);
  amo_options_free(o);
  amo_diags_free(d);
  amo_model_free(m);
}

static void defaults_are_the_library_s(void **state)
{
  (void)state;
  amo_sim_opts lib = amo_sim_opts_default();
  amo_options *o = from_words(0, NULL, NULL, AMO_OK);
  assert_int_equal(amo_options_resolve(o, NULL, NULL), AMO_OK);
  assert_true(amo_opt_number(o, "tol") == lib.tol);
  assert_true(amo_opt_number(o, "eta") == lib.eta);
  assert_true(amo_opt_number(o, "eps") == lib.eps);
  assert_true(amo_opt_number(o, "kappa") == lib.kappa);
  assert_int_equal(amo_opt_integer(o, "order"), lib.order);
  assert_int_equal(lib.method, AMO_METHOD_EVENT);
  amo_options_free(o);
}

static void json_numbers_read_back(void **state)
{
  (void)state;
  static const double row[] = {0.1, 1.0 / 3, 12.001031294830579, 5e-324, 1.7976931348623157e308, -0.0, 3};
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    char out[32];
    amo_number_text(row[i], out);
    assert_true(strtod(out, NULL) == row[i]);
  }
  cJSON *o = cJSON_CreateObject();
  amo_json_add_or(o, "gap", INFINITY, "fewer than two");
  amo_json_add(o, "x", 0.1);
  cJSON_AddStringToObject(o, "s", "a\"\\\n\x01\xff");
  char *text_out = amo_json_print(o);
  assert_non_null(strstr(text_out, "\"gap\": null"));
  assert_non_null(strstr(text_out, "\"gap_reason\": \"fewer than two\""));
  assert_non_null(strstr(text_out, "\"x\": 0.1"));
  assert_non_null(strstr(text_out, "a\\\"\\\\\\n\\u0001\\ufffd"));
  cJSON *again = cJSON_Parse(text_out);
  assert_non_null(again);
  cJSON_Delete(again);
  free(text_out);
  cJSON_Delete(o);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(both_readers_agree), cmocka_unit_test(all_mistakes_at_once),
      cmocka_unit_test(ranges_hold_for_expressions), cmocka_unit_test(defaults_are_the_library_s),
      cmocka_unit_test(json_numbers_read_back)};
  return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
