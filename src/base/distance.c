// SPDX-License-Identifier: Apache-2.0
#include "base/distance.h"

#include <string.h>

#define MAX_LENGTH 64

static size_t least(size_t a, size_t b)
{
  return a < b ? a : b;
}

size_t amo_edit_distance(const char *a, size_t na, const char *b, size_t nb, size_t limit)
{
  size_t row[3][MAX_LENGTH + 1];
  if (na > MAX_LENGTH || nb > MAX_LENGTH) return limit + 1;
  if ((na > nb ? na - nb : nb - na) > limit) return limit + 1;
  size_t *before = row[0], *last = row[1], *now = row[2];
  for (size_t j = 0; j <= nb; j++) last[j] = j;
  memcpy(before, last, sizeof row[0]);
  for (size_t i = 1; i <= na; i++) {
    now[0] = i;
    for (size_t j = 1; j <= nb; j++) {
      size_t cost = a[i - 1] != b[j - 1];
      size_t d = least(last[j - 1] + cost, least(last[j], now[j - 1]) + 1);
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) d = least(d, before[j - 2] + 1);
      now[j] = d;
    }
    size_t *spare = before;
    before = last;
    last = now;
    now = spare;
  }
  return last[nb] > limit ? limit + 1 : last[nb];
}
