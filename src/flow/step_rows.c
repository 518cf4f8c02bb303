// SPDX-License-Identifier: Apache-2.0
#include "flow/step_rows.h"

#include <limits.h>

#include "base/clones.h"
#include "expr/program.h"

enum { N = AMO_STEP_POINTS };

typedef double quad __attribute__((vector_size(32)));
typedef double quad_any __attribute__((vector_size(32), aligned(8), may_alias));
typedef long long bits __attribute__((vector_size(32)));
#define AT(p)     (*(const quad_any *)(p))
#define SET(p)    (*(quad_any *)(p))
#define SIZE(x)   ((quad)((bits)(x)&LLONG_MAX))  // all but the sign
#define TOTAL(q)  (((q)[0] + (q)[1]) + ((q)[2] + (q)[3]))
#define EVERY4(i) for (int i = 0; i < N; i += 4)

CLONES void amo_row_series(const double *c, const double *h, const double *power, int order, double *value)
{
  double scaled[AMO_MAX_ORDER + 4];
  quad a = {0}, b = {0}, d = {0}, e = {0};
  while (order > 0 && c[order] == 0.0) order--;  // polynomial motion
  for (int k = 0; k <= order; k += 4) SET(scaled + k) = AT(c + k) * AT(h + k);
  for (int k = order; k >= 0; k--) {
    const double t = scaled[k], *p = power + k * N;
    a += t * AT(p), b += t * AT(p + 4), d += t * AT(p + 8), e += t * AT(p + 12);
  }
  SET(value) = a, SET(value + 4) = b, SET(value + 8) = d, SET(value + 12) = e;
}

CLONES void amo_row_moments(const double *w, const double *x, double *sum, double *square)
{
  quad s = {0}, q = {0};
  EVERY4(i)
  {
    const quad term = AT(w + i) * AT(x + i);
    s += term;
    q += term * AT(x + i);
  }
  *sum = TOTAL(s);
  *square = TOTAL(q);
}

CLONES double amo_row_sum(const double *w, const double *x)
{
  quad s = {0};
  EVERY4(i) s += AT(w + i) * AT(x + i);
  return TOTAL(s);
}

CLONES double amo_row_sum2(const double *w, const double *x, const double *y)
{
  quad s = {0};
  EVERY4(i) s += AT(w + i) * AT(x + i) * AT(y + i);
  return TOTAL(s);
}

CLONES double amo_row_sum_sizes(const double *w, const double *x)
{
  quad s = {0};
  EVERY4(i) s += AT(w + i) * SIZE(AT(x + i));
  return TOTAL(s);
}

static inline __attribute__((always_inline)) void raise(quad *most, const quad *x)
{
  const bits keep = *most > *x;
  *most = (quad)((keep & (bits)*most) | (~keep & (bits)*x));
}

static double largest(const double most[4])
{
  const double a = most[0] > most[1] ? most[0] : most[1], b = most[2] > most[3] ? most[2] : most[3];
  return a > b ? a : b;
}

CLONES double amo_row_largest_energy(const double *a, double a0, const double *b, double b0, int n)
{
  quad most = {0};
  for (int i = 0; i < n; i += 4) {
    const quad e = SIZE(AT(a + i)) + SIZE(AT(b + i) - b0) + SIZE(AT(a + i) - a0);
    raise(&most, &e);
  }
  return largest((double *)&most);
}

CLONES double amo_row_between(const double *row, const double *place, const double *weight, double x)
{
  quad top = {0}, bottom = {0};
  bits met = {0};
  EVERY4(i)
  {
    const quad d = x - AT(place + i), w = AT(weight + i) / d;
    met |= d == 0.0;
    top += w * AT(row + i);
    bottom += w;
  }
  if (met[0] | met[1] | met[2] | met[3])
    for (int i = 0; i < N; i++)
      if (place[i] == x) return row[i];
  return TOTAL(top) / TOTAL(bottom);
}

CLONES void amo_row_slopes(const double *row, const double *matrix, double *slope)
{
  quad a = {0}, b = {0}, d = {0}, e = {0};
  for (int k = 0; k < N; k++, matrix += N) {
    const double t = row[k];
    a += t * AT(matrix), b += t * AT(matrix + 4), d += t * AT(matrix + 8), e += t * AT(matrix + 12);
  }
  SET(slope) = a, SET(slope + 4) = b, SET(slope + 8) = d, SET(slope + 12) = e;
}

CLONES bool amo_row_is_monotone(const double *x)
{
  bits up = {-1, -1, -1, -1}, down = up;
  for (int i = 0; i < N - 4; i += 4) {
    const quad d = AT(x + i + 1) - AT(x + i);
    up &= d >= 0.0;
    down &= d <= 0.0;
  }
  const quad d = AT(x + N - 4) - AT(x + N - 5);
  up &= d >= 0.0;
  down &= d <= 0.0;
  return (up[0] & up[1] & up[2] & up[3]) | (down[0] & down[1] & down[2] & down[3]);
}
