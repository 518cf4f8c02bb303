// SPDX-License-Identifier: Apache-2.0
// The one door: every verb from memory to memory, with the bits of the command line.
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

static amo_model *load(const char *name)
{
  char path[512];
  amo_model *m = NULL;
  snprintf(path, sizeof path, "%s/models/%s.yaml", AMO_SOURCE_DIR, name);
  assert_int_equal(amo_model_load(path, NULL, 0, NULL, &m), AMO_OK);
  return m;
}

/// What the program prints.
static char *told(const char *command)
{
  char line[1024];
  static char text[4 << 20];
  snprintf(line, sizeof line, "%s %s --json --quiet", AMO_PROGRAM, command);
  FILE *f = popen(line, "r");
  assert_non_null(f);
  size_t n = fread(text, 1, sizeof text - 1, f);
  text[n] = '\0';
  pclose(f);
  return text;
}

static void the_same_bits_as_the_program(void **unused)
{
  (void)unused;
  static const struct {
    const char *model, *verb, *options, *argv;
  } door[] = {
      {"block-on-belt", "simulate", "until: 20\nset: {v: 0.3}", "--until 20 --set v=0.3"},
      {"painleve-klein", "contact", "{at: {q': 1}, set: {mu: 1, phi: 1.3}}",
       "--at \"q'=1\" --set mu=1 phi=1.3"},
      {"block-on-belt", "cycle", NULL, ""},
      {"block-on-belt", "limits", "{vary: {v: [0.1, 2]}, of: cycle.stable}",
       "--vary v=0.1:2 --of cycle.stable"},
      {"trammel", "rest", NULL, ""},
      {"trammel", "evaluate", NULL, ""},
      {"duffing", "describe", NULL, ""},
  };
  for (size_t i = 0; i < sizeof door / sizeof *door; i++) {
    char command[512];
    amo_model *m = load(door[i].model);
    amo_answer *a = NULL;
    snprintf(command, sizeof command, "%s %s/models/%s.yaml %s", door[i].verb, AMO_SOURCE_DIR, door[i].model,
             door[i].argv);
    amo_status st = amo_ask(m, NULL, door[i].verb, door[i].options, NULL, NULL, &a);
    if (st != AMO_OK && st != AMO_ENOANSWER) fail_msg("%s: %s", command, amo_status_name(st));
    assert_string_equal(amo_answer_json(a), told(command));
    amo_answer_free(a);
    amo_model_free(m);
  }
}

static void values_and_columns(void **unused)
{
  (void)unused;
  amo_model *m = load("block-on-belt");
  amo_answer *a = NULL;
  amo_values *v = NULL;
  const double *t = NULL;
  size_t n = 0;
  amo_ask_opts opts = amo_ask_opts_default();
  opts.record = true;
  assert_int_equal(amo_values_new(m, &v), AMO_OK);
  assert_int_equal(amo_values_set(v, (size_t)amo_model_find_parameter(m, "v"), 0.3), AMO_OK);
  assert_int_equal(amo_ask(m, v, "simulate", "until: 20", &opts, NULL, &a), AMO_OK);
  assert_true(amo_answer_count(a, "events") > 2);
  assert_int_equal(amo_answer_numbers(a, "events[*].t", &t, &n), AMO_OK);
  assert_int_equal(n, amo_answer_count(a, "events"));
  assert_true(t[1] == amo_answer_number(a, "events[1].t"));
  assert_string_equal(amo_answer_text(a, "audit.ok"), "true");
  assert_true(isnan(amo_answer_number(a, "no.such.value")) && !amo_answer_text(a, "events"));
  assert_int_equal(amo_answer_numbers(a, "events[*].kind", &t, &n), AMO_ENOANSWER);
  assert_true(amo_answer_columns(a) > 3);
  const amo_answer_column first = amo_answer_column_at(a, 0);
  assert_string_equal(first.name, "t");
  assert_true(first.rows > 10 && first.value[first.rows - 1] == 20.0);
  assert_null(amo_answer_column_at(a, 1000).name);
  char *person = amo_answer_print(a, 80);
  assert_non_null(strstr(person, "events"));
  free(person);
  amo_answer_free(a);
  amo_values_free(v);
  amo_model_free(m);
}

static int stop_at_once(void *ctx, double fraction)
{
  (void)fraction;
  *(int *)ctx += 1;
  return 1;
}

static void mistakes_are_told(void **unused)
{
  (void)unused;
  static const struct {
    const char *verb, *options, *message;
  } bad[] = {
      {"simulat", NULL, "did you mean 'simulate'"}, {"simulate", "{until: [}", "options:1:"},
      {"simulate", "untill: 3", "untill"},          {"simulate", "set: {nothing: 3}", "nothing"},
      {"simulate", "csv: out.csv", "command line"},
  };
  amo_model *m = load("block-on-belt");
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    amo_diags *d = amo_diags_new();
    amo_answer *a = NULL;
    assert_int_equal(amo_ask(m, NULL, bad[i].verb, bad[i].options, NULL, d, &a), AMO_EINPUT);
    assert_null(a);
    char *text = amo_diags_render(d);
    if (!strstr(text, bad[i].message)) fail_msg("'%s' not in: %s", bad[i].message, text);
    free(text);
    amo_diags_free(d);
  }
  amo_answer *a = NULL;
  assert_int_equal(amo_ask(NULL, NULL, "simulate", NULL, NULL, NULL, &a), AMO_EINPUT);
  assert_int_equal(amo_ask(m, NULL, NULL, NULL, NULL, NULL, &a), AMO_ERANGE);
  int calls = 0, stop = 1;
  amo_ask_opts opts = amo_ask_opts_default();
  opts.progress = stop_at_once;
  opts.ctx = &calls;
  assert_int_equal(amo_ask(m, NULL, "map",
                           "{x: {v: [0.1, 1]}, y: {Fs: [1, 2]}, of: rest.verdict, size: 40x40}", &opts, NULL,
                           &a),
                   AMO_EINTR);
  assert_true(calls > 0);
  amo_answer_free(a);
  opts = amo_ask_opts_default();
  opts.stop = &stop;
  assert_int_equal(amo_ask(m, NULL, "simulate", "until: 1e6", &opts, NULL, &a), AMO_EINTR);
  amo_answer_free(a);
  amo_model_free(m);
}

static void tables_of_all_verbs(void **unused)
{
  (void)unused;
  char *text = amo_verbs_json();
  static const char *const some[] = {"\"simulate\"", "\"until\"", "\"statistics\"", "\"choices\"", "\"set\""};
  for (size_t i = 0; i < sizeof some / sizeof *some; i++) assert_non_null(strstr(text, some[i]));
  free(text);
}

static void names_that_can_be_set(void **unused)
{
  (void)unused;
  amo_model *m = load("chain-on-guides");
  static const char *const yes[] = {"m", "mu", "mu[2]", "q", "q'", "h'", "h[1]'", "tan_phi[3]"};
  static const char *const no[] = {"", "until", "mu[9]", "h[1", "[", "q''", "I"};
  for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
    if (!amo_model_settable(m, yes[i])) fail_msg("'%s' can be set", yes[i]);
  for (size_t i = 0; i < sizeof no / sizeof *no; i++)
    if (amo_model_settable(m, no[i])) fail_msg("'%s' cannot be set", no[i]);
  assert_false(amo_model_settable(NULL, "m") || amo_model_settable(m, NULL));
  amo_model_free(m);
}

static void what_is_printed_steers_no_terminal(void **unused)
{
  (void)unused;
  static const char text[] =
      "amontons: 1\nname: \"a\\e[31mb\"\ncoordinates: [x]\nparticles: {p: {mass: 1, at: [x, 0]}}\n";
  amo_model *m = NULL;
  amo_answer *a = NULL;
  assert_int_equal(amo_model_parse("m", text, strlen(text), NULL, 0, NULL, &m), AMO_OK);
  assert_int_equal(amo_ask(m, NULL, "describe", NULL, NULL, NULL, &a), AMO_OK);
  char *person = amo_answer_print(a, 0);
  assert_non_null(strstr(person, "[31mb"));
  assert_null(strchr(person, '\033'));
  assert_non_null(strchr(amo_answer_text(a, "name"), '\033'));
  free(person);
  amo_answer_free(a);
  amo_model_free(m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_that_can_be_set),
      cmocka_unit_test(what_is_printed_steers_no_terminal),
      cmocka_unit_test(the_same_bits_as_the_program),
      cmocka_unit_test(values_and_columns),
      cmocka_unit_test(mistakes_are_told),
      cmocka_unit_test(tables_of_all_verbs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
