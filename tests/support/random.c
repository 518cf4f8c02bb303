// SPDX-License-Identifier: Apache-2.0
#include "support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

double random_uniform(uint64_t *seed, double lo, double hi)
{
  uint64_t z = (*seed += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  return lo + (hi - lo) * ((double)(z >> 11) / 9007199254740992.0);
}

void put(text *t, const char *fmt, ...)
{
  va_list ap;
  va_start(ap, fmt);
  const int n = vsnprintf(t->at + t->n, sizeof t->at - t->n, fmt, ap);
  va_end(ap);
  assert_true(n >= 0 && (size_t)n < sizeof t->at - t->n);
  t->n += (size_t)n;
}
