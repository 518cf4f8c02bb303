// SPDX-License-Identifier: Apache-2.0
/// Any bytes as a measured record: columns by name, by number, all that the head names. Nothing may crash, hang or leak; a refusal must
/// come with a message, and what is read once is read the same in blocks of another size.
#define _XOPEN_SOURCE 700
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/record.h"

static size_t rows_of(const char *path, const char *const *want, size_t columns, bool gaps, size_t most)
{
  double value[2 * 64];
  size_t rows = 0, all = 0;
  amo_record_stream *s = NULL;
  amo_diags *d = amo_diags_new();
  const amo_record_opts o = {.gaps = gaps, .units = true};
  amo_status st = amo_record_open(path, want, columns, (amo_at){0}, &o, d, &s);
  const char *name;
  for (size_t i = 0; s && i < 100 && amo_record_name(s, i, &name); i++)
    if (amo_record_has(s, name) == false && *name) abort();
  do {
    if (st == AMO_OK) st = amo_record_next(s, value, most, NULL, &rows);
    if (st == AMO_OK) all += rows;
  } while (st == AMO_OK && rows > 0);
  if (st == AMO_EINPUT && d && !amo_diags_errors(d)) abort();
  amo_record_close(s);
  free(amo_diags_render(d));
  amo_diags_free(d);
  return st == AMO_OK ? all : SIZE_MAX;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char path[] = "/tmp/amontons-fuzz-record-XXXXXX";
  const int file = mkstemp(path);
  if (file < 0) return 0;
  const bool written = write(file, data, size) == (ssize_t)size;
  close(file);
  static const char *const by_name[] = {"t", "F"}, *const by_number[] = {"2", "1"};
  for (int gaps = 0; written && gaps < 2; gaps++) {
    if (rows_of(path, by_name, 2, gaps, 64) != rows_of(path, by_name, 2, gaps, 3)) abort();
    (void)rows_of(path, by_number, 2, gaps, 1);
  }
  remove(path);
  return 0;
}
