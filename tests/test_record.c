// SPDX-License-Identifier: Apache-2.0
// Records as instruments and spreadsheets write them: every spelling gives the same numbers, every mistake has its place.
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

#include "base/record.h"
#include "base/record_number.h"
#include "base/unit.h"

static char path[] = "/tmp/amontons-record-XXXXXX";

static void write_file(const char *text)
{
  FILE *f = fopen(path, "wb");
  assert_non_null(f);
  assert_int_equal(fwrite(text, 1, strlen(text), f), strlen(text));
  fclose(f);
}

/// Rows of columns t and F; messages in *said (caller frees).
static amo_status take(const char *text, bool gaps, amo_record *r, char **said)
{
  static const char *const want[] = {"t", "F"};
  amo_diags *d = amo_diags_new();
  const amo_record_opts o = {.gaps = gaps, .units = true};
  write_file(text);
  amo_status st = amo_record_read(path, want, 2, (amo_at){0}, &o, d, r);
  *said = amo_diags_render(d);
  amo_diags_free(d);
  return st;
}

static void spellings(void **state)
{
  static const char *const text[] = {
      "t,F\n0,1500\n0.5,-2\n",
      "t [s];F [kN]\n0;1,5\n0,5;-0,002\n",
      "\xef\xbb\xbf\"t [ms]\"\t\"F (kN)\"\r\n0\t1.5\r\n500\t-2e-3\r\n",
      "# rig 3\n#t F\n0 1.5e3\n 5e-1   -2.000\n",
      "F_N, skipped, t_s\n1500, abc, 0\n-2, 7, 0.5\n",
      "rig 3\nmeasured in May\nt;F\nms;kN\n0;1,5\n500;-0,002\n",
      "t,\"note, with comma\",F\n0,\"a, b\",1500\n0.5,,-2\n",
      "t\tF\t\n0\t1500\t\n0,5\t-2\t\n",
      "% Matlab\nt,F\n\n0,1500\n# a remark between\n0.5,-2",
      "t [s]   F [kN]\n0 1.5\n0,5 -0.002\n",
      "t [s],F [kN]\n0,1.5\n.5,-0.00200000000000000000000\n",
  };
  (void)state;
  for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
    amo_record r;
    char *said = NULL;
    amo_status st = take(text[i], false, &r, &said);
    if (st != AMO_OK) fail_msg("%zu: %s", i, said);
    assert_int_equal(r.rows, 2);
    const double want[4] = {0, 0.5, 1500, -2};
    for (int k = 0; k < 4; k++)
      if (fabs(r.value[k] - want[k]) > 1e-12) fail_msg("%zu: value %d is %.17g", i, k, r.value[k]);
    assert_string_equal(r.column[0].name, "t");
    amo_record_free(&r);
    free(said);
  }
}

static void mistakes(void **state)
{
  static const struct {
    const char *text, *says;
    bool gaps;
  } row[] = {
      {"t,F\n0,1\n1,abc\n", ":3:3: error: 'abc' is not a number of column 'F'", false},
      {"t,F\n0,1\n1,abc\n", ":3:3: error: 'abc' is not a number of column 'F'", true},
      {"t,F\n0,1\n1,nan\n", "'nan' is not a number", false},
      {"t,F\n0,1\n1,1e999\n", "'1e999' is not a number", true},
      {"t,F\n0,1\n1\n2,2\n", ":3:2: error: the line has only 1 columns", true},
      {"t,F\n0,0,1,5\n0,5,1,7\n", "names 2 columns, and its first row has 4", false},
      {"t,F\n0,1\n0,5,1,7\n", ":3:8: error: the line has more than the 2 columns", false},
      {"t,G\n0,1\n", "has no column 'F'", false},
      {"t,F,F\n0,1,2\n", "two columns 'F'", false},
      {"", "has no column 't'", false},
      {"\xff\xfet\n", "UTF-16", false},
  };
  (void)state;
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    amo_record r;
    char *said = NULL;
    amo_status st = take(row[i].text, row[i].gaps, &r, &said);
    assert_int_equal(st, AMO_EINPUT);
    if (!said || !strstr(said, row[i].says)) fail_msg("%zu: %s", i, said ? said : "");
    free(said);
  }
}

static void gaps(void **state)
{
  amo_record r;
  char *said = NULL;
  (void)state;
  assert_int_equal(take("t,F\n0,1\n1,\n2,NaN\n3,N/A\n4,5\n5", true, &r, &said), AMO_OK);
  assert_int_equal(r.rows, 5);
  assert_true(isnan(r.value[5 + 1]) && isnan(r.value[5 + 2]) && isnan(r.value[5 + 3]));
  assert_int_equal(r.column[1].gaps, 3);
  assert_int_equal(r.column[1].first_gap, 3);
  assert_non_null(strstr(said, "the last line (7) is cut off and was left out"));
  amo_record_free(&r);
  free(said);
  assert_int_equal(take("t,F\n0,\n1,2\n", true, &r, &said), AMO_OK);  // a gap in the first row, at its end
  assert_int_equal(r.rows, 2);
  assert_true(isnan(r.value[2]) && r.value[3] == 2);
  amo_record_free(&r);
  free(said);
}

/// Blocks and a long file: the same rows whatever the size of a block.
static void streams(void **state)
{
  enum { ROWS = 200000 };
  static const char *const want[] = {"2", "1"};
  FILE *f = fopen(path, "wb");
  (void)state;
  for (int i = 0; i < ROWS; i++) fprintf(f, "%d.25;%d\n", i, 3 * i);
  fclose(f);
  amo_record_stream *s = NULL;
  assert_int_equal(amo_record_open(path, want, 2, (amo_at){0}, NULL, NULL, &s), AMO_OK);
  double value[2 * 777];
  size_t line[777];
  size_t rows, all = 0;
  do {
    assert_int_equal(amo_record_next(s, value, 777, line, &rows), AMO_OK);
    for (size_t i = 0; i < rows; i++, all++)
      if (value[i] != 3.0 * (double)all || value[777 + i] != (double)all + 0.25 || line[i] != all + 1)
        fail_msg("row %zu", all);
  } while (rows > 0);
  assert_int_equal(all, ROWS);
  assert_int_equal(amo_record_line(s), ROWS);
  amo_record_close(s);
}

/// Every number as the library reads it, to the last bit.
static void numbers(void **state)
{
  static const char *const text[] = {"0",
                                     "-0.0",
                                     "1",
                                     "0.1",
                                     "123456789012345678",
                                     "3.141592653589793238",
                                     "1e22",
                                     "1e-22",
                                     "1e23",
                                     "4.9e-324",
                                     "1.7976931348623157e308",
                                     ".5",
                                     "5.",
                                     "-12.75E+2",
                                     "9007199254740993",
                                     "0.000000000000000000000000000001",
                                     "00012.500"};
  (void)state;
  for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
    const char *p = text[i], *end = p + strlen(p);
    double x = 0;
    assert_true(amo_record_number(&p, end, false, &x));
    assert_ptr_equal(p, end);
    const double y = strtod(text[i], NULL);
    if (memcmp(&x, &y, sizeof x) != 0) fail_msg("%s: %.17g, not %.17g", text[i], x, y);
  }
  uint64_t seed = 1;
  for (int i = 0; i < 100000; i++) {
    char number[64];
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    snprintf(number, sizeof number, "%.*g", 1 + (int)(seed >> 60),
             ldexp((double)(int64_t)seed, (int)(seed >> 20) % 90 - 60));
    const char *p = number;
    double x;
    assert_true(amo_record_number(&p, number + strlen(number), true, &x));
    if (x != strtod(number, NULL)) fail_msg("%s: %.17g", number, x);
  }
  const char *bad[] = {"", "-", "e5", ".", "+"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    const char *p = bad[i];
    double x;
    assert_false(amo_record_number(&p, p + strlen(p), false, &x));
  }
}

static void units(void **state)
{
  static const struct {
    const char *text, *si;
    double factor;
  } row[] = {
      {"kN", "N", 1e3},      {"mm/s", "m/s", 1e-3},      {"\xc2\xb5m", "m", 1e-6}, {"N*s/m", "N*s/m", 1},
      {"m/s^2", "m/s^2", 1}, {"1/s", "1/s", 1},          {"g", "kg", 1e-3},        {"kg", "kg", 1},
      {"mm^2", "m^2", 1e-6}, {"MPa", "Pa", 1e6},         {"mps", "m/s", 1},        {"min", "s", 60},
      {"N/mm", "N/m", 1e3},  {"m/s\xc2\xb2", "m/s^2", 1}};
  double factor;
  char si[32];
  (void)state;
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    if (!amo_unit_si(row[i].text, strlen(row[i].text), &factor, si, sizeof si)) fail_msg("%s", row[i].text);
    assert_string_equal(si, row[i].si);
    if (fabs(factor / row[i].factor - 1) > 1e-15) fail_msg("%s: %g", row[i].text, factor);
  }
  assert_false(amo_unit_si("furlong", 7, &factor, si, sizeof si));
  assert_false(amo_unit_si("", 0, &factor, si, sizeof si));
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(spellings), cmocka_unit_test(mistakes),
                                     cmocka_unit_test(gaps),      cmocka_unit_test(streams),
                                     cmocka_unit_test(numbers),   cmocka_unit_test(units)};
  const int f = mkstemp(path);
  if (f < 0) return 1;
  close(f);
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  remove(path);
  return failed;
}
