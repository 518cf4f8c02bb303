// SPDX-License-Identifier: Apache-2.0
/// Series of powers a^r where r does not change in time.
#include <math.h>

#include "expr/program_impl.h"

#define MAX_WHOLE 64.0

bool amo_power_is_whole(double exponent)
{
  return exponent >= 0.0 && exponent <= MAX_WHOLE && exponent == floor(exponent);
}

// a_0 = 0. With a = t^m (a_m + ...), a^r starts at t^(rm): zero before, and without a series after.
static double at_zero(const double *a, double r, int k, size_t step)
{
  int m = 1;
  while (m <= k && a[(size_t)m * step] == 0.0) m++;
  if (!(r > 0.0)) return NAN;
  return m > k || (double)k < r * (double)m ? 0.0 : NAN;
}

double amo_power_coefficient(const double *a, const double *d, double exponent, int k, size_t step)
{
  double sum = 0.0;
  const double order = (double)k;
  if (a[0] == 0.0) return at_zero(a, exponent, k, step);
  for (int j = 1; j <= k; j++)
    sum += ((exponent + 1.0) * (double)j - order) * a[(size_t)j * step] * d[(size_t)(k - j) * step];
  return sum / (order * a[0]);
}

static double product(const double *a, const double *b, int k, size_t step)
{
  double sum = 0.0;
  for (int j = 0; j <= k; j++) sum += a[(size_t)j * step] * b[(size_t)(k - j) * step];
  return sum;
}

// h: AMO_LADDER registers a^2, a^4, ..., then AMO_LADDER partial products, one per later bit set.
double amo_power_ladder(const double *a, double *h, double exponent, int k, size_t step, size_t stride)
{
  const size_t at = (size_t)k * step;
  unsigned n = (unsigned)exponent;
  const double *square = a, *result = NULL;
  if (n == 0) return k == 0 ? 1.0 : 0.0;
  for (size_t i = 0;; i++) {
    if (n & 1u) {
      double *partial = h + (AMO_LADDER + i - 1) * stride;
      if (result) partial[at] = product(result, square, k, step);
      result = result ? partial : square;
    }
    n >>= 1;
    if (n == 0) return result[at];
    double *next = h + i * stride;
    next[at] = product(square, square, k, step);
    square = next;
  }
}

size_t amo_prog_broken(const amo_prog *p, amo_broken *list, size_t most)
{
  size_t n = 0;
  for (size_t i = 0; i < p->value.count; i++) {
    const amo_instr *in = &p->value.item[i];
    const bool root = in->op == AMO_OP_SQRT, power = in->op == AMO_OP_POW && p->kind[in->b] == AMO_FIXED;
    if ((!root && !power) || p->kind[in->a] != AMO_VARYING) continue;
    if (n < most) list[n] = (amo_broken){in->dst, in->a, root ? AMO_NO_EXPONENT : in->b};
    n++;
  }
  return n;
}
