// SPDX-License-Identifier: Apache-2.0
#include "num/random.h"

#include <math.h>

#define TWO_PI 6.28318530717958647693

uint64_t amo_random_next(amo_random *r)
{
  uint64_t z = (r->state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

double amo_random_uniform(amo_random *r)
{
  return ldexp((double)(amo_random_next(r) >> 11), -53);
}

double amo_random_normal(amo_random *r)
{
  r->has_kept = !r->has_kept;
  if (!r->has_kept) return r->kept;
  const double size = sqrt(-2.0 * log1p(-amo_random_uniform(r)));
  const double angle = TWO_PI * amo_random_uniform(r);
  r->kept = size * sin(angle);
  return size * cos(angle);
}
