// SPDX-License-Identifier: Apache-2.0
/// "did you mean": the known name nearest to a misspelt one.
#include <ctype.h>
#include <string.h>

#include "base/distance.h"
#include "expr/parse.h"

#define MAX_KNOWN 10000  // names looked at

static bool same_but_case(const char *a, const char *b, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (tolower((unsigned char)a[i]) != tolower((unsigned char)b[i])) return false;
  return true;
}

const char *amo_nearest(const char *text, size_t length, const char *(*known)(void *, size_t), void *ctx)
{
  const char *best = NULL;
  if (!known || length == 0) return NULL;
  size_t limit = length < 6 ? 1 : length / 3;
  for (size_t i = 0; i < MAX_KNOWN; i++) {
    const char *name = known(ctx, i);
    if (!name) break;
    const size_t n = strlen(name);
    if (n == 0) continue;
    if (n == length && same_but_case(text, name, n)) return name;
    const size_t distance = amo_edit_distance(text, length, name, n, limit);
    // Nothing in common is not near: one letter is not a misspelling of any other letter.
    if (distance > limit || distance >= (n < length ? n : length)) continue;
    best = name;
    if (distance == 0) break;
    limit = distance - 1;
  }
  return best;
}
