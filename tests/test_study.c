// SPDX-License-Identifier: Apache-2.0
/// Study files: what the loader accepts and refuses, paths, values, tolerances, failures.
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "result/json_path.h"
#include "study/study.h"

/// A study beside which "block" stands for the project's model.
static const char head[] = "model: " AMO_SOURCE_DIR "/models/block-on-belt.yaml\n";

static void write_study(const char *path, const char *start, const char *body)
{
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fputs(start, f);
  fputs(body, f);
  fclose(f);
}

/// Load a faulty study; the rendered diagnostics must contain `part`.
static void check_refused(const char *body, const char *part)
{
  amo_diags *d = amo_diags_new();
  amo_study *s = NULL;
  write_study("refused.yaml", head, body);
  amo_status st = amo_study_load("refused.yaml", d, &s);
  char *text = amo_diags_render(d);
  if (st == AMO_OK || !strstr(text, part)) {
    print_error("study:\n%s\nexpected: %s\ngot (%s): %s\n", body, part, amo_status_name(st), text);
    fail();
  }
  assert_null(s);
  free(text);
  amo_diags_free(d);
}

static void run_study(const char *start, const char *body, amo_study_result *r, amo_study **s)
{
  amo_diags *d = amo_diags_new();
  amo_study_opts o = {0};
  write_study("study.yaml", start, body);
  amo_status st = amo_study_load("study.yaml", d, s);
  if (st == AMO_OK) st = amo_study_execute(*s, &o, d, r);
  if (st != AMO_OK) {
    char *text = amo_diags_render(d);
    print_error("%s\n", text);
    free(text);
  }
  assert_int_equal(st, AMO_OK);
  amo_diags_free(d);
}

/// Run a study: so many checks hold, so many do not.
static void check_counts(const char *start, const char *body, size_t passed, size_t failed)
{
  amo_study *s = NULL;
  amo_study_result r = {0};
  run_study(start, body, &r, &s);
  if (r.passed != passed || r.failed != failed) {
    amo_study_print(s, &r, stderr, true);
    print_error("expected %zu passed, %zu failed; got %zu, %zu\n", passed, failed, r.passed, r.failed);
    fail();
  }
  amo_study_result_free(&r);
  amo_study_free(s);
}

// ---- paths ----

static void check_path(const cJSON *root, cJSON *scratch, const char *text, const char *expected)
{
  amo_json_path p = {.root = root, .scratch = scratch};
  const cJSON *v = NULL;
  size_t used = 0;
  assert_int_equal(amo_json_path_follow(&p, text, (amo_at){0}, NULL, &used, &v), AMO_OK);
  assert_int_equal(used, strlen(text));
  char *got = cJSON_PrintUnformatted(v);
  assert_string_equal(got, expected);
  cJSON_free(got);
}

static void paths_lead_to_values(void **state)
{
  (void)state;
  cJSON *root =
      cJSON_Parse("{\"run\":{\"events\":[{\"t\":1,\"kind\":\"a\",\"to\":0},{\"t\":2,\"kind\":\"b\",\"to\":1},"
                  "{\"t\":4,\"kind\":\"a\",\"to\":0}],\"state\":{\"x\":5,\"x'\":6,\"x[2]\":7,\"x[2]'\":8,"
                  "\"belt.t_stick\":9,\"a key\":10}},\"slow-belt\":{\"x\":11}}");
  cJSON *scratch = cJSON_CreateArray();
  assert_non_null(root);
  check_path(root, scratch, "run.events[1].t", "2");
  check_path(root, scratch, "run.events[-1].t", "4");
  check_path(root, scratch, "run.events[*].t", "[1,2,4]");
  check_path(root, scratch, "run.events[1:3].t", "[2,4]");
  check_path(root, scratch, "run.events[kind=a].t", "[1,4]");
  check_path(root, scratch, "run.events[kind=a][1].t", "4");
  check_path(root, scratch, "run.events[to=1][0].kind", "\"b\"");
  check_path(root, scratch, "run.state.x", "5");
  check_path(root, scratch, "run.state.x'", "6");
  check_path(root, scratch, "run.state.x[2]", "7");
  check_path(root, scratch, "run.state.x[2]'", "8");
  check_path(root, scratch, "run.state.belt.t_stick", "9");
  check_path(root, scratch, "run.state.\"a key\"", "10");
  check_path(root, scratch, "slow-belt.x", "11");
  cJSON_Delete(scratch);
  cJSON_Delete(root);
}

// ---- loading ----

static void mistakes_have_positions(void **state)
{
  (void)state;
  check_refused("simulat: {until: 1}\n",
                "refused.yaml:2:1: error: unknown key 'simulat' in a study; did you mean 'simulate'?");
  check_refused("simulate: {untill: 1}\n", "until");
  check_refused("title: nothing to do\n", "runs nothing");
  check_refused("runs: {a: {until: 1}}\n", "does not say what to do");
  check_refused("runs: [{simulate: {until: 1}}, {simulate: {}}]\n", "two runs named 'simulate'");
  check_refused("verb: simulat\n", "did you mean 'simulate'");
  check_refused("simulate: {}\nid: a b\n", "refused.yaml:3:5: error: 'a b' cannot be an id");
  check_refused("simulate: {}\nid: ../a\n", "cannot be an id");
  check_refused("simulate: {}\nid: .a\n", "cannot be an id");
  check_refused("contact: {}\noptions: {until: 3}\n", "no run of the study has the option 'until'");
  check_refused("simulate: {}\nexpect: [{equals: 1}]\n", "no value");
  check_refused("simulate: {}\nexpect:\n  - value: simulate.x\n    equal_to: 1\n", "unknown key 'equal_to'");
  check_refused("simulate: {}\nexpect:\n  - value: simulate.x\n    between: [1]\n", "between");
  check_refused("simulate: {}\nexpect:\n  - value: simulate.x\n    tolerance: -1\n", ">= 0");
  check_refused("simulate: {csv: out.csv}\n", "csv");
}

static void nothing_to_compare_with(void **state)
{
  (void)state;
  const char *part = "nothing to compare with";
  check_refused("simulate: {}\nexpect: {simulate.final.state.x: {}}\n", part);
  check_refused("simulate: {}\nexpect: {simulate.final.state.x: }\n", part);
  check_refused("simulate: {}\nexpect: {simulate.final.state.x: {tolerance: 1e-9}}\n", part);
  check_refused("simulate: {}\nexpect: [{value: simulate.final.state.x, tolerance: 1e-9}]\n", part);
  check_refused("simulate: {}\nexpect: {simulate.final.t: {value: 1, equals: 1}}\n", "both");
  check_refused("simulate: {}\nexpect: {simulate.final.t: {is: 1, equals: 1}}\n", "mean the same");
  check_counts(head,
               "simulate: {until: 1}\nexpect:\n  - simulate.final.state.x: {value: 999, tolerance: 1e-9}\n"
               "  - simulate.final.state.x\n  - {value: simulate.final.state.x}\n  - 1 < 2\n"
               "  - {value: 0.5, equals: 0.50}\n  - final.modes.belt: stick\n  - final.state.x: stick\n"
               "  - not audit.ok\n",
               0, 8);
}

/// One wrong key is one message.
static void one_mistake_one_message(void **state)
{
  (void)state;
  amo_diags *d = amo_diags_new();
  amo_study *s = NULL;
  write_study("one.yaml", head, "simulat: {until: 1}\n");
  assert_int_equal(amo_study_load("one.yaml", d, &s), AMO_EINPUT);
  assert_int_equal(amo_diags_errors(d), 1);
  amo_diags_free(d);
}

static void all_mistakes_come_at_once(void **state)
{
  (void)state;
  amo_diags *d = amo_diags_new();
  amo_study *s = NULL;
  write_study("many.yaml", head,
              "simulat: {}\nsimulate: {tol: x y}\ntitel: t\nexpect:\n  - {valu: 1, equals: 2}\n");
  assert_int_not_equal(amo_study_load("many.yaml", d, &s), AMO_OK);
  if (amo_diags_errors(d) < 3) {
    char *text = amo_diags_render(d);
    print_error("%s\n", text);
    free(text);
  }
  assert_true(amo_diags_errors(d) >= 3);
  amo_diags_free(d);
}

static void missing_file_is_an_error(void **state)
{
  (void)state;
  amo_diags *d = amo_diags_new();
  amo_study *s = NULL;
  assert_int_equal(amo_study_load("no-such-study.yaml", d, &s), AMO_EIO);
  assert_true(amo_diags_errors(d) > 0);
  amo_diags_free(d);
}

// ---- running ----

static void spellings_of_runs(void **state)
{
  (void)state;
  check_counts(head, "simulate: {until: 1}\nexpect: {simulate.final.t: 1}\n", 1, 0);
  check_counts(head,
               "runs:\n  a: {verb: simulate, until: 1}\n  b: {simulate: {until: 2}, set: {v: 0.5}}\n"
               "  c: simulate\nexpect:\n  - a.final.t: 1\n  - b.final.t: 2\n  - b.parameters.v: 0.5\n"
               "  - a.parameters.v: 0.2\n  - c.final.t == 10\n",
               5, 0);
  check_counts(
      head, "runs:\n  - {name: a, evaluate: {}}\nexpect:\n  - value: a.contacts.belt.slip\n    equals: -v\n",
      1, 0);
}

static void inline_models(void **state)
{
  (void)state;
  const char *block = "model:\n  amontons: 1\n  name: free\n  parameters: {m: 2}\n  coordinates: [x]\n"
                      "  particles: {p: {mass: m, at: [x, 0]}}\n  initial: {x: 0, x': 3}\n"
                      "simulate: {until: 2}\nexpect: {simulate.final.state.x: 6}\n";
  check_counts("", block, 1, 0);
  const char *flow = "model: {amontons: 1, name: free, parameters: {m: 2}, coordinates: [x], "
                     "particles: {p: {mass: m, at: [x, 0]}}, initial: {x: 0, \"x'\": 3}}\n"
                     "simulate: {until: 2}\nexpect: {simulate.final.state.x: 6}\n";
  check_counts("", flow, 1, 0);
}

static void faults_of_inline_models_have_positions(void **state)
{
  (void)state;
  amo_diags *d = amo_diags_new();
  amo_study *s = NULL;
  amo_study_result r = {0};
  amo_study_opts o = {0};
  write_study("inline.yaml", "",
              "title: t\nmodel:\n  amontons: 1\n  name: f\n  coordinates: [x]\n"
              "  particles: {p: {mass: mm, at: [x, 0]}}\nsimulate: {until: 1}\n");
  assert_int_equal(amo_study_load("inline.yaml", d, &s), AMO_OK);
  assert_int_equal(amo_study_execute(s, &o, d, &r), AMO_OK);
  assert_true(r.bad_input);
  char *text = amo_diags_render(d);
  assert_non_null(strstr(text, "inline.yaml:6:25: error"));
  free(text);
  amo_study_result_free(&r);
  amo_study_free(s);
  amo_diags_free(d);
}

static void sweeps(void **state)
{
  (void)state;
  check_counts(head,
               "evaluate: {}\nover: {x: [0, 1, 2], v: [1, 2, 3]}\nexpect:\n  - length(evaluate): 3\n"
               "  - value: evaluate[*].parameters.v\n    equals: [1, 2, 3]\n"
               "  - value: evaluate[2].over.x\n    equals: 2\n",
               3, 0);
  check_counts(head,
               "runs: {a: {evaluate: {}, over: {v: {from: 1, to: 100, count: 3, log: true}}}}\n"
               "expect:\n  - value: a[*].parameters.v\n    equals: [1, 10, 100]\n",
               1, 0);
  check_counts(head,
               "runs: {a: {evaluate: {}, over: [{v: 1}, {v: 2, m: 3}]}}\n"
               "expect:\n  - value: a[*].parameters.m\n    equals: [1, 3]\n",
               1, 0);
}

// ---- judging ----

static void values_and_conditions(void **state)
{
  (void)state;
  check_counts(
      head,
      "simulate: {until: 20}\ndefine: {n: length(simulate.events)}\nexpect:\n"
      "  - n: 3\n  - simulate.events[0].kind: slip-stick\n"
      "  - {value: \"simulate.events[*].to\", equals: [0, -1, 0]}\n"
      "  - {value: simulate.audit.ok, equals: true}\n  - {value: simulate.audit.ok, equals: false}\n"
      "  - {value: n, between: [3, 4]}\n  - {value: n, above: 3}\n  - {value: n, at_least: 3, below: 4}\n"
      "  - {value: n, not: 3}\n  - {value: n, not: 4}\n  - {value: simulate.model, contains: belt}\n"
      "  - {value: simulate.final.state, equals: {\"x'\": v}}\n"
      "  - {value: \"min(2*n, sqrt(64))\", equals: 6}\n  - {value: \"max(simulate.events[*].t) > 10\"}\n"
      "  - {value: no.such.thing, equals: 1}\n  - n > 2\n  - simulate.events[0].kind == slip-stick\n  - n != "
      "3\n",
      13, 5);
}

static void tolerances(void **state)
{
  (void)state;
  const char *one = "evaluate: {}\nset: {x: 100, \"x'\": 0}\nexpect:\n";
  char body[1024];
  static const struct {
    const char *text;
    bool ok;
  } row[] = {
      {"equals: 100.0000009", true},  // default 1e-8 of the expected value
      {"equals: 100.00001", false},
      {"equals: 100.5, tolerance: 0.01", true},  // relative
      {"equals: 100.5, tolerance: 0.01, absolute: true", false},
      {"equals: 100.5, abs: 0.6", true},
      {"equals: 100.5, abs: 0.4", false},
      {"equals: 100.5, rel: 0.001, abs: 0.6", true},  // the larger one counts
      {"equals: 100, tolerance: 0", true},
      {"equals: 100.00000000000001, tolerance: 0", false},
  };
  for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
    snprintf(body, sizeof body, "%s  - {value: evaluate.state.x, %s}\n", one, row[i].text);
    check_counts(head, body, row[i].ok, !row[i].ok);
  }
  // A zero has no relative distance: the tolerance is absolute then.
  check_counts(head, "evaluate: {}\nset: {x: 1e-9, \"x'\": 0}\nexpect: {evaluate.state.x: 0}\n", 1, 0);
  check_counts(head, "evaluate: {}\nset: {x: 1e-7, \"x'\": 0}\nexpect: {evaluate.state.x: 0}\n", 0, 1);
}

static void failures_on_purpose(void **state)
{
  (void)state;
  check_counts(head,
               "runs:\n  a: {simulate: {until: 1}, set: {m: -1}, fails: true}\n"
               "  b: {simulate: {until: 1}, set: {m: -1}, error: no such words}\n"
               "  c: {simulate: {until: 1}, fails: true}\n"
               "  d: {simulate: {until: 1}, set: {m: -1}, exit: 2}\n"
               "  e: {simulate: {until: 1}, set: {m: -1}, exit: 1}\n"
               "  f: {simulate: {until: 1}, set: {m: -1}, fails: allowed}\nexpect: [f.exit == 2]\n",
               3, 3);
  check_counts(head, "simulate: {until: 1}\nset: {m: -1}\n", 0, 1);
}

/// A run that fails is one failed check; what looks at it is neither right nor wrong.
static void failed_run_is_said_once(void **state)
{
  (void)state;
  static const char sweep[] =
      "simulate: {until: 1}\nover: {m: [1, -1]}\nexpect: [\"simulate[0].final.t == 1\", "
      "\"simulate[1].final.t == 1\", \"simulate[0].final.t == 2\"]\n";
  static const struct {
    const char *body;
    size_t passed, failed, unjudged;
  } row[] = {
      {"runs:\n  a: {simulate: {until: 1}}\n  b: {simulate: {until: 1}, set: {m: -1}}\n"
       "define: {twice: 2*b.final.t, plain: 2*a.final.t}\n"
       "expect: [b.final.t == 1, a.final.t == b.final.t, length(b.events) == 0, twice == 2, twice + 1 > 2,"
       " plain == 2, a.final.t == 1, a.final.t == 2]\n",
       2, 2, 5},
      {"simulate: {until: 1}\nset: {m: -1}\nexpect: [final.t == 1, simulate.final.t == 1]\n", 0, 1, 2},
      {"simulate: {until: 1}\nset: {m: -1}\n", 0, 1, 0},
      {sweep, 1, 2, 1}};
  for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
    amo_study *s = NULL;
    amo_study_result r = {0};
    run_study(head, row[i].body, &r, &s);
    if (r.unjudged != row[i].unjudged || r.failed != row[i].failed) amo_study_print(s, &r, stderr, true);
    assert_int_equal(r.passed, row[i].passed);
    assert_int_equal(r.failed, row[i].failed);
    assert_int_equal(r.unjudged, row[i].unjudged);
    assert_string_equal(amo_study_verdict(&r), "failed");
    amo_study_result_free(&r);
    amo_study_free(s);
  }
}

static void own_model_starts_afresh(void **state)
{
  (void)state;
  check_counts(head,
               "set: {v: 0.7}\nruns:\n  a: {evaluate: {}}\n"
               "  b: {evaluate: {}, model: " AMO_SOURCE_DIR "/models/pid.yaml}\n"
               "expect: [a.parameters.v == 0.7, b.parameters.Kp == 4]\n",
               2, 0);
}

/// Every part of a statement is asked.
static void statements_fail(void **state)
{
  (void)state;
  check_counts(head, "evaluate: {}\nexpect: [0.9 < evaluate.t < 2]\n", 1, 1);
  check_counts(head, "evaluate: {}\nexpect: [evaluate.t >= 0 and evaluate.t > 1]\n", 1, 1);
  check_counts(head, "evaluate: {}\nexpect: [evaluate.t < 0 or evaluate.t > 1]\n", 0, 1);
  check_counts(head, "evaluate: {}\nexpect: [\"evaluate.t in [1, 2]\"]\n", 0, 1);
  check_counts(head, "evaluate: {}\nexpect: {evaluate.t: \"> 0.5\"}\n", 0, 1);
}

static void byte_order_mark(void **state)
{
  (void)state;
  check_counts("\xEF\xBB\xBF",
               "model: {amontons: 1, name: free, parameters: {m: 2}, coordinates: [x], "
               "particles: {p: {mass: m, at: [x, 0]}}, initial: {x: 0, \"x'\": 3}}\n"
               "simulate: {until: 2}\nexpect: {simulate.final.state.x: 6}\n",
               1, 0);
}

/// A setting that may be an option or a parameter of the model has no clear meaning.
static void mixed_settings(void **state)
{
  (void)state;
  check_counts("model: {amontons: 1, name: f, parameters: {eps: 2}, coordinates: [x], "
               "particles: {p: {mass: eps, at: [x, 0]}}}\n",
               "analysis: simulate\nsettings: {until: 1, eps: 3}\n", 0, 1);
}

// ---- examples of the manual ----

/// Run all studies of a file; none may fail.
static void check_file(const char *path)
{
  amo_diags *d = amo_diags_new();
  amo_study *all = NULL;
  amo_study_opts o = {0};
  amo_status st = amo_study_load_all(path, d, &all);
  for (const amo_study *s = all; s && st == AMO_OK; s = s->next) {
    amo_study_result r = {0};
    st = amo_study_execute(s, &o, d, &r);
    if (r.failed) {
      amo_study_print(s, &r, stderr, true);
      fail_msg("%s: %s", path, s->id[0]);
    }
    amo_study_result_free(&r);
  }
  char *text = amo_diags_render(d);
  if (st != AMO_OK) print_error("%s\n%s\n", path, text);
  assert_int_equal(st, AMO_OK);
  free(text);
  amo_study_free(all);
  amo_diags_free(d);
}

/// An example of docs/study.md as a file of its own; models are found from the working directory then.
static void write_example(const char *path, const char *from, const char *to)
{
  FILE *f = fopen(path, "w");
  const char *model = "model: ../models/";
  assert_non_null(f);
  const char *at = strstr(from, model);
  if (at && at < to) {
    fwrite(from, 1, (size_t)(at - from), f);
    fputs("model: " AMO_SOURCE_DIR "/models/", f);
    from = at + strlen(model);
  } else {
    fputs(head, f);
  }
  fwrite(from, 1, (size_t)(to - from), f);
  fclose(f);
}

static void examples_of_the_manual(void **state)
{
  (void)state;
  static char text[200000];
  FILE *f = fopen(AMO_SOURCE_DIR "/docs/study.md", "r");
  assert_non_null(f);
  text[fread(text, 1, sizeof text - 1, f)] = 0;
  fclose(f);
  size_t count = 0;
  for (const char *p = strstr(text, "```yaml\n"); p; p = strstr(p, "```yaml\n")) {
    const char *end = strstr(p + 8, "```");
    assert_non_null(end);
    write_example("example.yaml", p + 8, end);
    check_file("example.yaml");
    p = end + 3;
    count++;
  }
  assert_true(count >= 6);
}

int main(void)
{
  char scratch[] = "/tmp/amontons-study-XXXXXX";  // the studies of these tests are written here
  if (mkdtemp(scratch) == NULL || chdir(scratch) != 0) return 1;

  const struct CMUnitTest tests[] = {
      cmocka_unit_test(paths_lead_to_values),
      cmocka_unit_test(mistakes_have_positions),
      cmocka_unit_test(nothing_to_compare_with),
      cmocka_unit_test(one_mistake_one_message),
      cmocka_unit_test(all_mistakes_come_at_once),
      cmocka_unit_test(statements_fail),
      cmocka_unit_test(byte_order_mark),
      cmocka_unit_test(mixed_settings),
      cmocka_unit_test(examples_of_the_manual),
      cmocka_unit_test(missing_file_is_an_error),
      cmocka_unit_test(spellings_of_runs),
      cmocka_unit_test(inline_models),
      cmocka_unit_test(faults_of_inline_models_have_positions),
      cmocka_unit_test(sweeps),
      cmocka_unit_test(values_and_conditions),
      cmocka_unit_test(tolerances),
      cmocka_unit_test(failures_on_purpose),
      cmocka_unit_test(failed_run_is_said_once),
      cmocka_unit_test(own_model_starts_afresh),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  char command[64];
  snprintf(command, sizeof command, "rm -rf %s", scratch);
  return chdir("/") == 0 && system(command) == 0 ? failed : 1;
}
