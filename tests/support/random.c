// SPDX-License-Identifier: Apache-2.0
#include "support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "num/random.h"

double random_uniform(uint64_t *seed, double lo, double hi)
{
  amo_random r = {.state = *seed};
  const double u = amo_random_uniform(&r);
  *seed = r.state;
  return lo + (hi - lo) * u;
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
