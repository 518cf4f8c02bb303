// SPDX-License-Identifier: Apache-2.0
#include "expr/lanes.h"

#include <math.h>

#include "base/clones.h"
#include "expr/program.h"

#define INLINE static inline __attribute__((always_inline))

// One vector holds four coefficients of one lane, or one coefficient of four lanes.
typedef double quad __attribute__((vector_size(32)));
typedef double quad_any __attribute__((vector_size(32), aligned(8), may_alias));
typedef long long bits __attribute__((vector_size(32)));
typedef unsigned long long unsigned_bits __attribute__((vector_size(32)));
#define AT(p)  (*(const quad_any *)(p))
#define SET(p) (*(quad_any *)(p))

/// Sum over k = 1..order. Terms beyond the order are masked, because what lies there may be NaN.
INLINE double sum1(const double *c, const double *power, int order)
{
  static const bits mask[4] = {{-1, -1, -1, -1}, {-1, 0, 0, 0}, {-1, -1, 0, 0}, {-1, -1, -1, 0}};
  int k = (order - 1) / 4 * 4 + 1;
  quad s = {0};
  s += (quad)((bits)AT(c + k) & mask[order & 3]) * AT(power + k);
  for (k -= 4; k > 0; k -= 4) s += AT(c + k) * AT(power + k);
  return (s[0] + s[1]) + (s[2] + s[3]);
}

/// The same for four of the lanes. Vectors go by address: as arguments they would be passed differently with and without AVX.
INLINE void sum4(quad *out, const double *c, const double *power, int order)
{
  quad s[4] = {{0}};
  int k = (order - 1) / 4 * 4 + 1;
  for (int j = 0; j < 4 && k + j <= order; j++)
    s[j] += AT(c + (k + j) * AMO_LANES) * AT(power + (k + j) * AMO_LANES);
  for (k -= 4; k > 0; k -= 4)
    for (int j = 0; j < 4; j++) s[j] += AT(c + (k + j) * AMO_LANES) * AT(power + (k + j) * AMO_LANES);
  *out = (s[0] + s[1]) + (s[2] + s[3]);
}

CLONES void amo_lanes_powers(double *power, const double *h, int order, int W)
{
  if (W == 1) {
    const double x = *h, x2 = x * x, x4 = x2 * x2;
    quad p = {x, x2, x2 * x, x4};
    power[0] = 1.0;
    for (int k = 1; k <= order; k += 4, p *= x4) SET(power + k) = p;
    return;
  }
  for (int g = 0; g < AMO_LANES; g += 4) {
    const quad x = AT(h + g), x2 = x * x, x4 = x2 * x2;
    quad p[4] = {x, x2, x2 * x, x4};
    SET(power + g) = x - x + 1.0;
    for (int k = 1; k <= order; k += 4)
      for (int j = 0; j < 4; j++) {
        if (k + j <= order) SET(power + (k + j) * AMO_LANES + g) = p[j];
        p[j] *= x4;
      }
  }
}

CLONES void amo_lanes_value(const double *c, const double *power, int order, int W, double *value)
{
  if (W == 1) {
    *value = sum1(c, power, order) + c[0];
    return;
  }
  for (int g = 0; g < AMO_LANES; g += 4) {
    quad s;
    sum4(&s, c + g, power + g, order);
    SET(value + g) = s + AT(c + g);
  }
}

/// 0, 1, 2, ... as factors of slopes, and room to read beyond.
static const double number[AMO_MAX_ORDER + 1 + AMO_LANES_PADDING] = {
    0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20,
    21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40};

/// The derivative of a series of one lane, number by number as the series that it is: coefficient k is (k + 1) c_(k+1).
INLINE double slope1(const double *c, const double *power, int order)
{
  static const bits mask[4] = {{-1, -1, -1, -1}, {-1, 0, 0, 0}, {-1, -1, 0, 0}, {-1, -1, -1, 0}};
  quad s = {0};
  int k = (order - 2) / 4 * 4 + 1;
  s += (quad)((bits)AT(c + k + 1) & mask[(order - 1) & 3]) * AT(number + k + 1) * AT(power + k);
  for (k -= 4; k > 0; k -= 4) s += AT(c + k + 1) * AT(number + k + 1) * AT(power + k);
  return (s[0] + s[1]) + (s[2] + s[3]);
}

/// The same of four of the lanes.
INLINE void slope4(quad *out, const double *c, const double *power, int order)
{
  quad s[4] = {{0}};
  for (int k = (order - 2) / 4 * 4 + 1; k > 0; k -= 4)
    for (int j = 0; j < 4 && k + j < order; j++)
      s[j] += AT(c + (k + j + 1) * AMO_LANES) * number[k + j + 1] * AT(power + (k + j) * AMO_LANES);
  *out = (s[0] + s[1]) + (s[2] + s[3]);
}

CLONES void amo_lanes_slope(const double *c, const double *power, int order, int W, double *slope)
{
  if (W == 1) {
    *slope = slope1(c, power, order) + c[1];
    return;
  }
  for (int g = 0; g < AMO_LANES; g += 4) {
    quad s;
    slope4(&s, c + g, power + g, order);
    SET(slope + g) = s + AT(c + AMO_LANES + g);
  }
}

/// More than AMO_LANES_BEYOND to the power of AMO_MAX_ORDER.
static const double beyond = 1.05;

/// The terms that are not surely upwards: a NaN is none that is.
INLINE void keep_down(quad *x)
{
  *x = (quad)(~(bits)(*x >= 0.0) & (bits)*x);
}

INLINE double least1(const double *c, const double *power, int order, double sign)
{
  static const bits mask[4] = {{-1, -1, -1, -1}, {-1, 0, 0, 0}, {-1, -1, 0, 0}, {-1, -1, -1, 0}};
  int k = (order - 1) / 4 * 4 + 1;
  quad x = sign * (quad)((bits)AT(c + k) & mask[order & 3]) * AT(power + k), s;
  keep_down(&x);
  s = x;
  for (k -= 4; k > 0; k -= 4) {
    x = sign * AT(c + k) * AT(power + k);
    keep_down(&x);
    s += x;
  }
  return (s[0] + s[1]) + (s[2] + s[3]);
}

CLONES double amo_lanes_least(const double *c, const double *power, int order, int W, double sign)
{
  double down = 0.0;
  if (W == 1)
    down = least1(c, power, order, sign);
  else
    for (int k = order; k > 0; k--) {
      const double x = sign * c[k * AMO_LANES] * power[k * AMO_LANES];
      if (!(x >= 0.0)) down += x;
    }
  return sign * c[0] + beyond * down;
}

// ---- another start ----

/// Row n: binomial coefficients of n + k over n.
void amo_lanes_shift_table(double *table, int order)
{
  const size_t row = (size_t)order + 1u;
  for (size_t n = 0; n < row; n++)
    for (size_t k = 0; k < row; k++)
      table[n * row + k] = n == 0 || k == 0 ? 1.0 : table[(n - 1u) * row + k] + table[n * row + k - 1u];
}

CLONES void amo_lanes_shift(double *restrict to, const double *restrict from, const double *restrict table,
                            const double *restrict power, int order)
{
  for (int k = 0; k <= order; k++) to[k] = from[k];
  for (int n = 1; n <= order; n++)
    for (int k = 0; k <= order - n; k++) to[k] += power[n] * table[n * (order + 1) + k] * from[k + n];
}

// ---- lengths ----

INLINE void larger(quad *a, const quad *b)
{
  const bits keep = *a > *b;
  *a = (quad)((keep & (bits)*a) | (~keep & (bits)*b));
}

CLONES void amo_lanes_range(const double *value, int n, double *low, double *high)
{
  quad most = AT(value), least = -most;
  for (int i = 4; i < n; i += 4) {
    const quad x = AT(value + i), y = -x;
    larger(&most, &x);
    larger(&least, &y);
  }
  const double a = most[0] > most[1] ? most[0] : most[1], b = most[2] > most[3] ? most[2] : most[3];
  const double c = least[0] > least[1] ? least[0] : least[1], d = least[2] > least[3] ? least[2] : least[3];
  *high = a > b ? a : b;
  *low = -(c > d ? c : d);
}

CLONES void amo_lanes_tail(const double *c, const double *weight, int order, double *size, double *sum)
{
  for (int g = 0; g < AMO_LANES; g += 4) {
    const quad w = AT(weight + g);
    quad s = AT(sum + g);
    for (int j = 0; j < AMO_LANES_TAIL; j++) {
      quad x = (quad)((bits)AT(c + (order - j) * AMO_LANES + g) & 0x7fffffffffffffffLL) * w;
      quad most = AT(size + j * AMO_LANES + g);
      larger(&most, &x);
      SET(size + j * AMO_LANES + g) = most;
      s += x;
    }
    SET(sum + g) = s;
  }
}

static const double two52 = 4503599627370496.0;  // its last bits hold whole numbers

/// Logarithm and power of two to a percent: enough for a step length, and much cheaper than the real ones.
INLINE void rough_log2(quad *x)
{
  const long long fraction = (1LL << 52) - 1, one = 1023LL << 52;
  const bits b = (bits)*x;
  const quad e =
      (quad)((bits)((unsigned_bits)b >> 52) | (bits)(quad){two52, two52, two52, two52}) - (two52 + 1023.0);
  const quad f = (quad)((b & fraction) | one);  // x = f 2^e, 1 <= f < 2
  *x = e - 5.0 / 3.0 + f * (2.0 - f / 3.0);
}

INLINE void rough_exp2(quad *y)
{
  const quad up = *y + 1024.0;
  quad whole = (up + two52) - two52;
  whole -= (quad)((bits)(whole > up) & (bits)(quad){1.0, 1.0, 1.0, 1.0});  // rounds down
  whole -= 1024.0;
  const quad part = *y - whole, f = (quad)((bits)(whole + (two52 + 1023.0)) << 52);
  *y = f * (1.0 + part * (0.66 + 0.34 * part));
}

static const quad nothing = {1e-290, 1e-290, 1e-290, 1e-290};  // zero, as far as lengths go

/// Binary logarithms of 1/radius of convergence by the root test on one coefficient.
INLINE void root_test(quad *size, const quad *order)
{
  quad x = nothing;
  larger(&x, size);
  rough_log2(&x);
  *size = x / *order;
}

/// From the root tests of three pairs, the last in front, and the largest of the coefficients.
INLINE void length_of(quad *out, const quad *last, const quad *before, const quad *first, const quad *peak,
                      int order, double tol)
{
  const quad least = {-1000.0, -1000.0, -1000.0, -1000.0};
  const bits falls = *before<*first, any = *peak> nothing;
  const quad trend = *before - (quad)(falls & (bits)(*first - *before)), slow = *first - 8.0 / order;
  quad rate = *last, y = {0.1 * tol, 0.1 * tol, 0.1 * tol, 0.1 * tol};
  larger(&rate, &trend);
  larger(&rate, &slow);
  rough_log2(&y);
  y = y / order - rate;
  larger(&y, &least);
  y = -y;
  larger(&y, &least);
  y = -y;
  rough_exp2(&y);
  *out = (quad)((any & (bits)y) | (~any & (bits)(quad){INFINITY, INFINITY, INFINITY, INFINITY}));
}

/// One lane: the tests side by side.
INLINE double length1(const double *size, int order, double tol)
{
  const double p = order;
  quad a = AT(size), b = {size[4], size[5], size[4], size[5]}, h;
  quad pa = {p, p - 1.0, p - 2.0, p - 3.0}, pb = {p - 4.0, p - 5.0, p - 4.0, p - 5.0};
  quad peak = a;
  larger(&peak, &b);
  quad other = __builtin_shufflevector(peak, peak, 2, 3, 0, 1);
  larger(&peak, &other);
  other = __builtin_shufflevector(peak, peak, 1, 0, 3, 2);
  larger(&peak, &other);
  root_test(&a, &pa);
  root_test(&b, &pb);
  other = __builtin_shufflevector(a, a, 1, 0, 3, 2);
  larger(&a, &other);
  other = __builtin_shufflevector(b, b, 1, 0, 3, 2);
  larger(&b, &other);
  const quad before = __builtin_shufflevector(a, a, 2, 3, 2, 3);
  length_of(&h, &a, &before, &b, &peak, order, tol);
  return h[0];
}

INLINE void length4(quad *out, const double *size, int order, double tol)
{
  quad rate[AMO_LANES_TAIL], peak = {0};
  for (int j = 0; j < AMO_LANES_TAIL; j++) {
    const double p = order - j;
    const quad at = {p, p, p, p};
    rate[j] = AT(size + j * AMO_LANES);
    larger(&peak, &rate[j]);
    root_test(&rate[j], &at);
  }
  for (int j = 0; j < AMO_LANES_TAIL; j += 2) larger(&rate[j], &rate[j + 1]);
  length_of(out, &rate[0], &rate[2], &rate[4], &peak, order, tol);
}

CLONES void amo_lanes_length(const double *size, int order, double tol, int W, double *length)
{
  if (W == 1) {
    *length = length1(size, order, tol);
    return;
  }
  for (int g = 0; g < AMO_LANES; g += 4) {
    quad h;
    length4(&h, size + g, order, tol);
    SET(length + g) = h;
  }
}

// ---- linear systems ----

/// One lane: a vector holds four unknowns. Each row: states, then unknowns, room for a vector more, and a zero.
INLINE void linear1(const amo_lanes_system *s, int order)
{
  double row[2][AMO_SYSTEM_ZERO + 1];
  const int rows = s->rows, states = s->states, padded = (rows + 3) / 4 * 4;
  row[0][AMO_SYSTEM_ZERO] = row[1][AMO_SYSTEM_ZERO] = 0.0;
  for (int i = 0; i < states; i++) row[1][i] = s->y[i][1];
  for (int k = 1; k < order; k++) {
    const double inverse = 1.0 / (k + 1);
    double *now = row[k & 1], *next = row[~k & 1];
    for (int r = 0; r < padded; r += 4) {
      const double *a = s->matrix + r;
      quad sum = {0};
      for (int c = 0; c < states; c++, a += padded) sum += AT(a) * now[c];
      if (k == 1) sum += AT(a);
      SET(now + states + r) = sum;
    }
    for (int r = 0; r < rows; r++) s->x[r][k] = now[states + r];
    for (int i = 0; i < states; i++) s->y[i][k + 1] = next[i] = now[s->integral[i]] * inverse;
  }
}

/// Four of many lanes.
INLINE void linear4(const amo_lanes_system *s, int order, int lane)
{
  const int rows = s->rows, states = s->states;
  quad row[2][AMO_SYSTEM_ZERO + 1];
  row[0][AMO_SYSTEM_ZERO] = row[1][AMO_SYSTEM_ZERO] = (quad){0};
  for (int i = 0; i < states; i++) row[1][i] = AT(s->y[i] + AMO_LANES + lane);
  for (int k = 1; k < order; k++) {
    const double inverse = 1.0 / (k + 1);
    const ptrdiff_t at = k * AMO_LANES + lane;
    quad *now = row[k & 1], *next = row[~k & 1];
    for (int r = 0; r < rows; r++) {
      const double *a = s->matrix + r * AMO_LANES + lane;
      quad sum = {0};
      for (int c = 0; c < states; c++, a += rows * AMO_LANES) sum += AT(a) * now[c];
      if (k == 1) sum += AT(a);
      now[states + r] = sum;
      SET(s->x[r] + at) = sum;
    }
    for (int i = 0; i < states; i++) {
      next[i] = now[s->integral[i]] * inverse;
      SET(s->y[i] + at + AMO_LANES) = next[i];
    }
  }
}

CLONES void amo_lanes_linear(const amo_lanes_system *s, int order, int W)
{
  if (W == 1)
    linear1(s, order);
  else
    for (int g = 0; g < AMO_LANES; g += 4) linear4(s, order, g);
}
