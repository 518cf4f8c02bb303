// SPDX-License-Identifier: Apache-2.0
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

#include "amontons/diag.h"
#include "base/distance.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/text.h"

static void status_names(void **state)
{
  (void)state;
  assert_string_equal(amo_status_name(AMO_OK), "AMO_OK");
  assert_string_equal(amo_status_name(AMO_EUNSUPPORTED), "AMO_EUNSUPPORTED");
  assert_string_equal(amo_status_name((amo_status)99), "AMO_?");
  assert_non_null(strstr(amo_status_text(AMO_ENOMEM), "memory"));
  assert_string_equal(amo_status_text((amo_status)-1), "unknown status");
}

static void distances(void **state)
{
  static const struct {
    const char *a, *b;
    size_t limit, d;
  } row[] = {
      {"theta", "thta", 3, 1},     {"theta", "tehta", 3, 1}, {"", "ab", 3, 2},
      {"abc", "abc", 0, 0},        {"abc", "xyz", 2, 3},     {"abc", "xyz", 3, 3},
      {"kitten", "sitting", 5, 3},
  };
  (void)state;
  for (size_t i = 0; i < sizeof row / sizeof *row; i++)
    assert_int_equal(amo_edit_distance(row[i].a, strlen(row[i].a), row[i].b, strlen(row[i].b), row[i].limit),
                     row[i].d);
}

static void texts(void **state)
{
  (void)state;
  amo_text t = {0};
  amo_text_printf(&t, "%d-%s", 7, "x");
  amo_text_fill(&t, '~', 3);
  amo_text_safe(&t, "a\x1b\xff\xc3\xa9\n", 6);
  char *s = amo_text_take(&t);
  assert_string_equal(s, "7-x~~~a\\x1B\\xFF\xc3\xa9\\x0A");
  free(s);
  assert_int_equal(amo_utf8_length("\xc0\x80", 2), 0);      // overlong
  assert_int_equal(amo_utf8_length("\xed\xa0\x80", 3), 0);  // surrogate
  assert_int_equal(amo_utf8_length("\xe2\x82\xac", 3), 3);
  assert_int_equal(amo_utf8_length("\xe2\x82", 2), 0);          // cut off
  assert_int_equal(amo_utf8_length("\xf4\x90\x80\x80", 4), 0);  // beyond U+10FFFF
}

static void arenas(void **state)
{
  (void)state;
  amo_arena a = {0};
  char *first = amo_arena_str(&a, "abc", 3);
  for (int i = 0; i < 10000; i++) assert_non_null(amo_arena_alloc(&a, 100));
  assert_non_null(amo_arena_alloc(&a, 1000000));
  assert_string_equal(first, "abc");
  assert_string_equal(amo_arena_printf(&a, "%s-%d", "n", 5), "n-5");
  assert_null(amo_arena_alloc(&a, SIZE_MAX));
  amo_arena_free(&a);
  size_t cap = 0;
  int *v = NULL;
  for (size_t n = 0; n < 1000; n++) {
    assert_true(AMO_ROOM(v, n, cap));
    v[n] = (int)n;
  }
  assert_int_equal(v[999], 999);
  assert_null(amo_grow(v, &cap, SIZE_MAX / 2, 16));  // overflow is refused, the array stays
  assert_int_equal(v[999], 999);
  free(v);
}

static void rendering(void **state)
{
  (void)state;
  const char text[] = "a: 1\n  mu: 0.3*(1 + 0.1*thta)\n\tx\x01y: 2\n";
  amo_diags *d = amo_diags_new();
  const char *file = amo_diags_source(d, "rod.yaml", text, sizeof text - 1);
  assert_ptr_equal(file, amo_diags_source(d, "rod.yaml", NULL, 0));
  amo_warn(d, (amo_at){file, 3, 2, 2}, NULL, "odd");
  assert_int_equal(amo_error(d, (amo_at){file, 2, 20, 4}, "look again", "unknown name '%s'", "thta"),
                   AMO_EINPUT);
  amo_error(d, (amo_at){0}, NULL, "no place");
  assert_int_equal(amo_diags_count(d), 3);
  assert_int_equal(amo_diags_errors(d), 2);
  assert_null(amo_diags_get(d, 3));
  char *s = amo_diags_render(d);
  assert_string_equal(s, "rod.yaml:2:20: error: unknown name 'thta'\n"
                         "    2 |   mu: 0.3*(1 + 0.1*thta)\n"
                         "      |                    ^~~~\n"
                         "      hint: look again\n"
                         "rod.yaml:3:2: warning: odd\n"
                         "    3 |  x?y: 2\n"
                         "      |  ^~\n"
                         "error: no place\n");
  free(s);
  amo_diags_free(d);
  amo_diags_free(NULL);
  assert_int_equal(amo_error(NULL, (amo_at){0}, NULL, "dropped"), AMO_EINPUT);
}

static void rendering_long_lines(void **state)
{
  (void)state;
  char text[5000];
  memset(text, 'x', sizeof text);
  memcpy(text + 3000, "HERE", 4);
  amo_diags *d = amo_diags_new();
  const char *file = amo_diags_source(d, "long.yaml", text, sizeof text);
  amo_error(d, (amo_at){file, 1, 3001, 4}, NULL, "m");
  amo_error(d, (amo_at){file, 1, 4999, 400}, NULL, "near the end");
  amo_error(d, (amo_at){file, 1, 99999, 1}, NULL, "beyond");
  amo_error(d, (amo_at){file, 77, 1, 1}, NULL, "no such line");
  char *s = amo_diags_render(d), *line = strstr(s, "HERE"), *caret = strstr(s, "^~~~");
  assert_non_null(line);
  const char *bar1 = strstr(s, "1 | "), *bar2 = strstr(s, "  | ");
  assert_int_equal(line - bar1, caret - bar2);  // the caret stands below the word
  assert_true(strlen(s) < 1000);
  free(s);
  for (int i = 0; i < 1000; i++) amo_error(d, (amo_at){0}, NULL, "again");
  assert_int_equal(amo_diags_errors(d), 1004);
  assert_true(amo_diags_count(d) <= 200);
  s = amo_diags_render(d);
  assert_non_null(strstr(s, "804 more messages"));
  free(s);
  amo_diags_free(d);
}

static void expect_failure(const char *path, size_t limit, amo_status want, const char *message)
{
  amo_diags *d = amo_diags_new();
  char *text = NULL;
  size_t size = 0;
  assert_int_equal(amo_file_read(path, limit, d, &text, &size), want);
  assert_null(text);
  assert_int_equal(amo_diags_errors(d), 1);
  assert_non_null(strstr(amo_diags_get(d, 0)->message, message));
  amo_diags_free(d);
}

static void files(void **state)
{
  (void)state;
  char dir[] = "/tmp/amo-test-XXXXXX", path[64];
  assert_non_null(mkdtemp(dir));
  snprintf(path, sizeof path, "%s/a.txt", dir);
  expect_failure(path, 100, AMO_EIO, "No such file");
  expect_failure(dir, 100, AMO_EIO, "directory");
  expect_failure("/dev/zero", (size_t)1 << 20, AMO_ELIMIT, "larger than 1 MB");
  amo_file_writer w;
  assert_int_equal(amo_file_write_begin(path, NULL, &w), AMO_OK);
  fputs("hello", w.stream);
  assert_int_not_equal(access(path, F_OK), 0);  // nothing to see before the commit
  assert_int_equal(amo_file_write_commit(&w, NULL), AMO_OK);
  assert_int_equal(amo_file_write_begin(path, NULL, &w), AMO_OK);
  fputs("half", w.stream);
  amo_file_write_abort(&w);
  amo_file_write_abort(&w);
  char *text = NULL;
  size_t size = 0;
  assert_int_equal(amo_file_read(path, 5, NULL, &text, &size), AMO_OK);
  assert_int_equal(size, 5);
  assert_string_equal(text, "hello");
  free(text);
  expect_failure(path, 4, AMO_ELIMIT, "larger than");
  assert_int_equal(unlink(path), 0);
  assert_int_equal(rmdir(dir), 0);  // no temporary file was left behind
  assert_int_equal(amo_file_write_begin("/nonexistent/x", NULL, &w), AMO_EIO);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(status_names), cmocka_unit_test(distances), cmocka_unit_test(texts),
      cmocka_unit_test(arenas),       cmocka_unit_test(rendering), cmocka_unit_test(rendering_long_lines),
      cmocka_unit_test(files),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
