// SPDX-License-Identifier: Apache-2.0
// Figures: the three files appear, names and texts cannot break out of the script, faults are messages.
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
#include "plot/figure.h"

static char folder[] = "/tmp/amo-figure-XXXXXX";

static int make_folder(void **state)
{
  (void)state;
  return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
  (void)state;
  char command[64];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  return system(command);
}

static const char *in_folder(const char *name)
{
  static char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

static amo_figure *sample(const char *title)
{
  double x[50], y[50];
  for (int i = 0; i < 50; i++) {
    x[i] = i * 0.1;
    y[i] = i == 20 ? NAN : sin(x[i]);
  }
  amo_figure *f = amo_figure_new(title);
  amo_panel *p = amo_figure_panel(f, "", "t [s]", "x");
  assert_non_null(amo_panel_series(p, AMO_STYLE_LINE, "it's", x, y, 50));
  amo_panel_band(p, 1, 2);
  amo_panel_rule(p, true, 3, "edge");
  amo_panel_mark(p, 0.5, 0.5, "here");
  return f;
}

static void writes_three_files(void **state)
{
  (void)state;
  static const char *const name[] = {"a.svg", "b.png", "c.pdf", "it's $(touch pwned) `x`.svg", "-e.svg"};
  for (int i = 0; i < 5; i++) {
    amo_diags *d = amo_diags_new();
    amo_figure *f = sample("A title with 'quotes', \"more\" and \\ `touch pwned`\nnewline");
    amo_status st = amo_figure_write(f, in_folder(name[i]), d);
    char *said = amo_diags_render(d);
    if (st != AMO_OK) print_message("%s\n", said);
    assert_int_equal(st, AMO_OK);
    assert_int_equal(access(in_folder(name[i]), R_OK), 0);
    free(said);
    amo_figure_free(f);
    amo_diags_free(d);
  }
  assert_int_equal(access(in_folder("a.gp"), R_OK), 0);
  assert_int_equal(access(in_folder("a.dat"), R_OK), 0);
  assert_int_not_equal(access(in_folder("pwned"), R_OK), 0);
}

static void data_reads_back(void **state)
{
  (void)state;
  char *text = NULL;
  size_t size = 0;
  amo_figure *f = sample("");
  assert_int_equal(amo_figure_write(f, in_folder("back.svg"), NULL), AMO_OK);
  amo_figure_free(f);
  assert_int_equal(amo_file_read(in_folder("back.dat"), 1 << 20, NULL, &text, &size), AMO_OK);
  double x = 0, y = 0;
  int rows = 0;
  for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
    if (sscanf(line, "%lf %lf", &x, &y) == 2 && isfinite(x)) {
      assert_true(y == sin(x));  // 17 digits: the same double
      rows++;
    }
  assert_int_equal(rows, 49);
  free(text);
}

static int count_of(const char *text, const char *word)
{
  int n = 0;
  for (const char *at = text; (at = strstr(at, word)) != NULL; at++) n++;
  return n;
}

/// A picture of x = 2..4, y = 5..7 (times a unit) with no rules, those inside, or all.
static char *with_rules(int rules, double unit, bool log_scale, bool limits)
{
  const double x[] = {2 * unit, 3 * unit, 4 * unit}, y[] = {5 * unit, 7 * unit, 6 * unit};
  char *text = NULL;
  size_t size = 0;
  amo_figure *f = amo_figure_new("");
  amo_panel *p = amo_figure_panel(f, "", "x", "y");
  amo_panel_series(p, AMO_STYLE_LINE, "", x, y, 3);
  p->x_log = p->y_log = log_scale;
  if (limits) p->x_min = 2.2 * unit, p->x_max = 3.8 * unit, p->y_min = 5.2 * unit, p->y_max = 6.8 * unit;
  if (rules > 0) {
    amo_panel_rule(p, true, 3.5 * unit, "upright it's $1 `touch pwned`");
    amo_panel_rule(p, false, 6.5 * unit, "lying");
  }
  if (rules > 1) {
    amo_panel_rule(p, true, -1000 * unit, "left of it");
    amo_panel_rule(p, true, 1000 * unit, "right of it");
    amo_panel_rule(p, false, 1e6 * unit, "above it");
    amo_panel_rule(p, false, -7 * unit, "below it");
  }
  assert_int_equal(amo_figure_write(f, in_folder("rules.svg"), NULL), AMO_OK);
  amo_figure_free(f);
  assert_int_equal(amo_file_read(in_folder("rules.svg"), 1 << 20, NULL, &text, &size), AMO_OK);
  return text;
}

static void rules_end_at_the_axes(void **state)
{
  (void)state;
  for (int k = 0; k < 8; k++) {
    const double unit = k & 4 ? 1e-9 : 1.0;
    char *none = with_rules(0, unit, k & 1, k & 2), *in = with_rules(1, unit, k & 1, k & 2),
         *all = with_rules(2, unit, k & 1, k & 2);
    assert_int_equal(count_of(in, " L"), count_of(none, " L") + 2);
    assert_int_equal(count_of(all, " L"), count_of(in, " L"));
    assert_int_equal(count_of(all, " of it") + count_of(all, "above it") + count_of(all, "below it"), 0);
    assert_int_equal(count_of(in, "upright it's $1 `touch pwned`") + count_of(all, "lying"), 2);
    free(none);
    free(in);
    free(all);
  }
  assert_int_not_equal(access(in_folder("pwned"), R_OK), 0);
}

static void faults_are_messages(void **state)
{
  (void)state;
  static const struct {
    const char *path;
    amo_status st;
    const char *say;
  } row[] = {{"/tmp/x.jpg", AMO_EINPUT, ".svg"},
             {"/tmp/noending", AMO_EINPUT, ".svg"},
             {"/no/such/folder/x.svg", AMO_EIO, "cannot write"},
             {"/tmp/.svg", AMO_EINPUT, ".svg"}};
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    amo_diags *d = amo_diags_new();
    amo_figure *f = sample("");
    assert_int_equal(amo_figure_write(f, row[i].path, d), row[i].st);
    char *said = amo_diags_render(d);
    assert_non_null(strstr(said, row[i].say));
    free(said);
    amo_figure_free(f);
    amo_diags_free(d);
  }
}

static void empty_is_refused(void **state)
{
  (void)state;
  double bad[2] = {NAN, INFINITY};
  amo_figure *f = amo_figure_new("empty");
  assert_int_equal(amo_figure_write(f, in_folder("empty.svg"), NULL), AMO_EINPUT);
  amo_panel *p = amo_figure_panel(f, "", "x", "y");
  amo_panel_series(p, AMO_STYLE_LINE, "", bad, bad, 2);
  assert_int_equal(amo_figure_write(f, in_folder("empty.svg"), NULL), AMO_EINPUT);
  assert_int_not_equal(access(in_folder("empty.gp"), R_OK), 0);
  amo_figure_free(f);
}

static void missing_gnuplot_keeps_script(void **state)
{
  (void)state;
  char *path = getenv("PATH"), *old = path ? strdup(path) : NULL;
  amo_diags *d = amo_diags_new();
  amo_figure *f = sample("");
  setenv("PATH", "/nonexistent", 1);
  assert_int_equal(amo_figure_write(f, in_folder("missing.svg"), d), AMO_EUNSUPPORTED);
  if (old) setenv("PATH", old, 1);
  char *said = amo_diags_render(d);
  assert_non_null(strstr(said, "gnuplot was not found"));
  assert_int_equal(access(in_folder("missing.gp"), R_OK), 0);
  assert_int_equal(access(in_folder("missing.dat"), R_OK), 0);
  assert_int_not_equal(access(in_folder("missing.svg"), R_OK), 0);
  free(said);
  free(old);
  amo_figure_free(f);
  amo_diags_free(d);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(writes_three_files),    cmocka_unit_test(data_reads_back),
      cmocka_unit_test(rules_end_at_the_axes), cmocka_unit_test(faults_are_messages),
      cmocka_unit_test(empty_is_refused),      cmocka_unit_test(missing_gnuplot_keeps_script)};
  return cmocka_run_group_tests_name("figure", tests, make_folder, remove_folder);
}
