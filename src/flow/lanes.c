// SPDX-License-Identifier: Apache-2.0
#include "flow/lanes.h"

#include "expr/clones.h"
#include "expr/program.h"

#define INLINE static inline __attribute__((always_inline))

// One vector holds four coefficients of one lane, or one coefficient of four lanes.
typedef double quad __attribute__((vector_size(32)));
typedef double quad_any __attribute__((vector_size(32), aligned(8), may_alias));
typedef long long bits __attribute__((vector_size(32)));
#define AT(p)  (*(const quad_any *)(p))
#define SET(p) (*(quad_any *)(p))

/// What a term contributes to a sum.
enum { VALUE, DOWN, SIZE };

// Vectors go by address: as arguments they would be passed differently with and without AVX.
INLINE void term(quad *s, const quad *c, const double *power, const quad *sign, int what)
{
  quad t = *c * AT(power);
  if (what == DOWN) t *= *sign, t = (quad)(~(bits)(t >= 0.0) & (bits)t);  // NaN stays
  if (what == SIZE) t = (quad)((bits)t & 0x7fffffffffffffffLL);
  *s += t;
}

/// Sum over k = 1..order. Terms beyond the order are masked, because what lies there may be NaN.
INLINE double sum1(const double *c, const double *power, double sign, int order, int what)
{
  static const bits mask[4] = {{-1, -1, -1, -1}, {-1, 0, 0, 0}, {-1, -1, 0, 0}, {-1, -1, -1, 0}};
  const quad f = {sign, sign, sign, sign};
  quad s = {0};
  int k = (order - 1) / 4 * 4 + 1;
  quad x = (quad)((bits)AT(c + k) & mask[order & 3]);
  term(&s, &x, power + k, &f, what);
  for (k -= 4; k > 0; k -= 4) x = AT(c + k), term(&s, &x, power + k, &f, what);
  return (s[0] + s[1]) + (s[2] + s[3]);
}

/// The same for four of the lanes.
INLINE void sum4(quad *out, const double *c, const double *power, const quad *sign, int order, int what)
{
  quad s[4] = {{0}}, x;
  int k = (order - 1) / 4 * 4 + 1;
  for (int j = 0; j < 4 && k + j <= order; j++)
    x = AT(c + (k + j) * AMO_LANES), term(&s[j], &x, power + (k + j) * AMO_LANES, sign, what);
  for (k -= 4; k > 0; k -= 4)
    for (int j = 0; j < 4; j++)
      x = AT(c + (k + j) * AMO_LANES), term(&s[j], &x, power + (k + j) * AMO_LANES, sign, what);
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
    *value = sum1(c, power, 1.0, order, VALUE) + c[0];
    return;
  }
  for (int g = 0; g < AMO_LANES; g += 4) {
    quad s = {0}, none = {0};
    sum4(&s, c + g, power + g, &none, order, VALUE);
    SET(value + g) = s + AT(c + g);
  }
}

CLONES void amo_lanes_low(const double *c, const double *power, const double *sign, int order, int W,
                          double *low)
{
  if (W == 1) {
    *low = sum1(c, power, *sign, order, DOWN) + *sign * c[0];
    return;
  }
  for (int g = 0; g < AMO_LANES; g += 4) {
    quad s = {0}, f = AT(sign + g);
    sum4(&s, c + g, power + g, &f, order, DOWN);
    SET(low + g) = s + f * AT(c + g);
  }
}

CLONES void amo_lanes_swing(const double *c, const double *power, int order, int W, double *high)
{
  if (W == 1) {
    *high = sum1(c, power, 1.0, order, SIZE);
    return;
  }
  for (int g = 0; g < AMO_LANES; g += 4) {
    quad s = {0}, none = {0};
    sum4(&s, c + g, power + g, &none, order, SIZE);
    SET(high + g) = s;
  }
}

/// One lane: a vector holds four unknowns.
INLINE void linear1(const amo_lanes_system *s, int order)
{
  double now[2 * AMO_SYSTEM_MAX + 3], *x = now + s->states;  // states, then unknowns
  const int padded = (s->rows + 3) / 4 * 4;
  for (int i = 0; i < s->states; i++) now[i] = s->y[i][1];
  for (int k = 1; k < order; k++) {
    const double inverse = 1.0 / (k + 1);
    for (int r = 0; r < padded; r += 4) {
      const double *a = s->matrix + r;
      quad sum = {0};
      for (int c = 0; c < s->states; c++, a += padded) sum += AT(a) * now[c];
      if (k == 1) sum += AT(a);
      SET(x + r) = sum;
    }
    double next[AMO_SYSTEM_MAX];
    for (int r = 0; r < s->rows; r++) s->x[r][k] = x[r];
    for (int i = 0; i < s->states; i++)
      s->y[i][k + 1] = next[i] = s->integral[i] >= 0 ? now[s->integral[i]] * inverse : 0.0;
    for (int i = 0; i < s->states; i++) now[i] = next[i];
  }
}

/// Four of many lanes.
INLINE void linear4(const amo_lanes_system *s, int order, int lane)
{
  quad now[2 * AMO_SYSTEM_MAX], next[AMO_SYSTEM_MAX], *x = now + s->states;
  for (int i = 0; i < s->states; i++) now[i] = AT(s->y[i] + AMO_LANES + lane);
  for (int k = 1; k < order; k++) {
    const double inverse = 1.0 / (k + 1);
    const ptrdiff_t at = k * AMO_LANES + lane;
    for (int r = 0; r < s->rows; r++) {
      const double *a = s->matrix + r * AMO_LANES + lane;
      quad sum = {0};
      for (int c = 0; c < s->states; c++, a += s->rows * AMO_LANES) sum += AT(a) * now[c];
      if (k == 1) sum += AT(a);
      x[r] = sum;
      SET(s->x[r] + at) = sum;
    }
    for (int i = 0; i < s->states; i++) {
      next[i] = (quad){0};
      if (s->integral[i] >= 0) next[i] = now[s->integral[i]] * inverse;
      SET(s->y[i] + at + AMO_LANES) = next[i];
    }
    for (int i = 0; i < s->states; i++) now[i] = next[i];
  }
}

CLONES void amo_lanes_linear(const amo_lanes_system *s, int order, int W)
{
  if (W == 1)
    linear1(s, order);
  else
    for (int g = 0; g < AMO_LANES; g += 4) linear4(s, order, g);
}
