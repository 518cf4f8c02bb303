// SPDX-License-Identifier: Apache-2.0
#include "num/sizes.h"

#include <float.h>
#include <math.h>

#include "num/rounding.h"
#include "num/solve.h"

static double dot(const double *a, const double *b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double norm(const double *a)
{
  return sqrt(dot(a, a));
}

static const double *unit_of(const amo_sizes *s, uint32_t i, uint32_t k)
{
  return s->unit + (size_t)(i * s->n + k) * AMO_AXES;
}

static bool acts(const amo_sizes *s, uint32_t i, uint32_t k)
{
  return dot(unit_of(s, i, k), unit_of(s, i, k)) > 0.0;
}

static bool is_aimed(const amo_sizes *s, uint32_t i)
{
  return s->aimed != NULL && s->aimed[i];
}

/// |a + b N| = N: (b.b - 1) N^2 + 2 a.b N + a.a = 0. The first root is the one that begins as |a| where b is nothing.
static bool solve_one(const double *a, const double *b, bool other, double *N)
{
  const double lead = dot(b, b) - 1.0, half = dot(a, b), square = dot(a, a);
  const double root = sqrt(half * half - lead * square), sum = root - half;
  if (square == 0.0 && !other) {
    *N = 0.0;
    return lead < 0.0;
  }
  *N = other ? sum / lead : square / sum;
  return isfinite(*N) && *N >= 0.0 && (!other || lead > 0.0);
}

/// Residual of joint i at N, `part` of all friction, and the way its reaction points.
static double residual(const amo_sizes *s, uint32_t i, const double *N, double part, double aim[AMO_AXES])
{
  double x[AMO_AXES];
  for (int a = 0; a < AMO_AXES; a++) {
    x[a] = s->alone[i * AMO_AXES + (uint32_t)a];
    for (uint32_t k = 0; k < s->n; k++) x[a] += part * unit_of(s, i, k)[a] * N[k];
  }
  const double size = norm(x);
  for (int a = 0; a < AMO_AXES; a++)
    aim[a] = is_aimed(s, i) ? s->aim[i * AMO_AXES + (uint32_t)a] : size > 0.0 ? x[a] / size : 0.0;
  return is_aimed(s, i) ? dot(aim, x) + s->more[i] - N[i] : size - N[i];
}

/// Newton's method for the joints of one group, from N.
static bool newton(const amo_sizes *s, uint32_t group, double part, double *N)
{
  double *matrix = s->work, *step = s->work + (size_t)s->n * s->n;
  for (int pass = 0; pass < 30; pass++) {
    uint32_t n = 0, r = 0;
    for (uint32_t i = 0; i < s->n; i++) n += s->group[i] == group;
    for (uint32_t i = 0; i < s->n; i++) {
      double aim[AMO_AXES];
      if (s->group[i] != group) continue;
      step[r] = -residual(s, i, N, part, aim);
      for (uint32_t k = 0, c = 0; k < s->n; k++)
        if (s->group[k] == group) matrix[r * n + c++] = part * dot(aim, unit_of(s, i, k)) - (k == i);
      r++;
    }
    if (amo_solve(matrix, n, step, 1) != AMO_OK) return false;
    double change = 0.0, size = 0.0;
    bool linear = true;
    r = 0;
    for (uint32_t i = 0; i < s->n; i++) {
      if (s->group[i] != group) continue;
      linear &= is_aimed(s, i);
      N[i] += step[r];
      change = fmax(change, fabs(step[r++]));
      size = fmax(size, fabs(N[i]) + norm(s->alone + i * AMO_AXES));
    }
    if (linear || !(change > AMO_ROUNDED * size)) break;
    if (pass == 29) return false;
  }
  for (uint32_t i = 0; i < s->n; i++)
    if (s->group[i] == group && !is_aimed(s, i) && !(N[i] >= 0.0)) return false;
  return true;
}

/// Where Newton's method begins: the reactions without friction, or the other root of each joint by itself.
static bool start(const amo_sizes *s, uint32_t group, const bool *other, double *N)
{
  for (uint32_t i = 0; i < s->n; i++) {
    if (s->group[i] != group) continue;
    N[i] = norm(s->alone + i * AMO_AXES);
    if (other != NULL && other[i] && !solve_one(s->alone + i * AMO_AXES, unit_of(s, i, i), true, &N[i]))
      return false;
  }
  return true;
}

static bool solve_group(const amo_sizes *s, uint32_t group, const bool *other, double *N)
{
  enum { PARTS = 20 };
  uint32_t n = 0, one = 0;
  for (uint32_t i = 0; i < s->n; i++)
    if (s->group[i] == group) {
      n++;
      one = i;
    }
  if (n == 0) return true;
  if (n == 1 && !is_aimed(s, one))
    return solve_one(s->alone + one * AMO_AXES, unit_of(s, one, one), other != NULL && other[one], &N[one]);
  if (!start(s, group, other, N)) return false;
  if (newton(s, group, 1.0, N)) return true;
  if (!start(s, group, NULL, N)) return false;
  for (int k = 1; k <= PARTS; k++)
    if (!newton(s, group, (double)k / PARTS, N)) return false;
  return true;
}

bool amo_sizes_solve(const amo_sizes *s, const bool *other, double *N)
{
  for (uint32_t i = 0; i < s->n; i++) s->group[i] = i;
  for (uint32_t i = 0; i < s->n; i++)
    for (uint32_t k = 0; k < s->n; k++) {
      const uint32_t from = s->group[k], to = s->group[i];
      if (from == to || !(acts(s, i, k) || acts(s, k, i))) continue;
      for (uint32_t j = 0; j < s->n; j++)
        if (s->group[j] == from) s->group[j] = to;
    }
  for (uint32_t g = 0; g < s->n; g++)
    if (!solve_group(s, g, other, N)) return false;
  return true;
}

bool amo_sizes_unique(const amo_sizes *s)
{
  for (uint32_t i = 0; i < s->n; i++) {
    double sum = 0.0;
    for (uint32_t k = 0; k < s->n; k++) sum += norm(unit_of(s, i, k));
    if (!(sum < 1.0)) return false;
  }
  return true;
}
