// SPDX-License-Identifier: Apache-2.0
#include "num/poly.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/clones.h"
#include "num/bracket.h"
#include "num/rounding.h"

enum { DEPTH = 52 };   // halvings until an interval is as narrow as rounding
enum { LEADING = 7 };  // degree that settles most cases

/// By Lagrange's polynomials: the inverse of Vandermonde's matrix.
void amo_poly_through(const double *node, int count, int first, double *out)
{
  for (int i = first; i < count; i++) {
    double p[AMO_POLY_MAX + 1] = {1.0};
    int degree = 0;
    for (int j = first; j < count; j++) {
      if (j == i) continue;
      const double d = node[i] - node[j];
      for (int k = ++degree; k >= 0; k--) p[k] = ((k > 0 ? p[k - 1] : 0.0) - node[j] * p[k]) / d;
    }
    for (int k = 0; k < count; k++) out[k * count + i] = p[k];
  }
}

double amo_poly_slope(const double *c, size_t stride, int degree, double x)
{
  double s = 0.0;
  for (int k = degree; k > 0; k--) s = s * x + k * c[(size_t)k * stride];
  return s;
}

void amo_poly_scale(double *a, int degree, double h)
{
  double power = 1.0;
  for (int k = 0; k <= degree; k++, power *= h) a[k] *= power;
}

double amo_poly_value(const double *c, size_t stride, int degree, double x)
{
  double s = c[(size_t)degree * stride];
  for (int k = degree - 1; k >= 0; k--) s = s * x + c[(size_t)k * stride];
  return s;
}

/// As amo_poly_value does it, eight places at a time.
CLONES void amo_poly_values(const double *c, size_t stride, int degree, const double *x, size_t count,
                            double *out, size_t apart)
{
  enum { TOGETHER = 8 };
  typedef double places __attribute__((vector_size(TOGETHER * sizeof(double))));
  size_t i = 0;
  for (; i + TOGETHER <= count; i += TOGETHER) {
    places at, s = c[(size_t)degree * stride] - (places){0.0};
    memcpy(&at, x + i, sizeof at);
    for (int k = degree - 1; k >= 0; k--) s = s * at + c[(size_t)k * stride];
    for (size_t l = 0; l < TOGETHER; l++) out[(i + l) * apart] = s[l];
  }
  for (; i < count; i++) out[i * apart] = amo_poly_value(c, stride, degree, x[i]);
}

/// Surely positive on [0,1]: a lower bound by nested multiplication, the cheap way out.
static bool plainly_positive(const double *a, int n)
{
  double low = a[n];
  for (int k = n - 1; k >= 0; k--) low = a[k] + (low < 0.0 ? low : 0.0);
  return low > 0.0;
}

/// Bernstein coefficients b_j = sum_k C(j,k)/C(n,k) a_k by differences: in place, n^2/2 additions.
static void to_bernstein(const double *a, int n, double *b)
{
  double binomial = 1.0;
  for (int k = 0; k <= n; k++) {
    b[k] = a[k] / binomial;
    binomial = binomial * (n - k) / (k + 1);
  }
  for (int level = 1; level <= n; level++)
    for (int j = n; j >= level; j--) b[j] += b[j - 1];
}

static int sign_changes(const double *b, int n)
{
  int changes = 0, last = 0;
  for (int j = 0; j <= n; j++) {
    int s = (b[j] > 0.0) - (b[j] < 0.0);
    if (s == 0) continue;
    changes += last != 0 && s != last;
    last = s;
  }
  return changes;
}

/// de Casteljau at 1/2: b becomes the left half, `right` the right half.
static void halve(double *b, int n, double *right)
{
  for (int level = 1; level <= n; level++) {
    right[n - level + 1] = b[n];
    for (int j = n; j >= level; j--) b[j] = 0.5 * (b[j] + b[j - 1]);
  }
  right[0] = b[n];
}

/// Value and slope together: two chains that the processor runs side by side.
static double value_and_slope(const double *a, int n, double x, double *slope)
{
  double p = a[n], d = 0.0;
  for (int k = n - 1; k >= 0; k--) {
    d = d * x + p;
    p = p * x + a[k];
  }
  *slope = d;
  return p;
}

/// The one root of p in [lo, hi], p(lo) > 0 >= p(hi), near x: Newton kept inside the shrinking bracket. Each
/// step of Newton's has the ratio of the last two squared, so the one that would not count is not taken.
/// Returns the side on which the condition has ended, so that what follows really follows.
static double refine(const double *a, int n, double lo, double hi, double x)
{
  const double rounding = 1e-16 + 2e-16 * x;
  double before = 0.0;  // length of Newton's last step; 0: none
  for (int i = 0; i < 100; i++) {
    double d, p = value_and_slope(a, n, x, &d);
    if (p > 0.0)
      lo = x;
    else
      hi = x;
    if (p == 0.0) break;  // there: the next step would be none, and look like one out of the bracket
    double next = x - p / d;
    const bool newton = next > lo && next < hi;
    if (!newton) next = 0.5 * (lo + hi);
    const double step = fabs(next - x), ratio = step / before;
    before = newton ? step : 0.0;
    x = next;
    if (step <= rounding || (newton && ratio < 0.1 && step * ratio * ratio < 0.1 * rounding)) break;
  }
  for (double step = rounding; x < hi && amo_poly_value(a, 1, n, x) > 0.0; step *= 2) x += step;
  return x < hi ? x : hi;
}

/// Where a root in [lo, lo + width] should lie: by the straight line between the ends, then by the leading
/// coefficients, which cost less than all of them.
static double guess(const double *a, int n, const double *b, int m, double lo, double width)
{
  double x = lo + width * (b[0] / (b[0] - b[m]));
  for (int i = 0; i < 3 && n > LEADING; i++) {
    double d, p = value_and_slope(a, LEADING, x, &d), next = x - p / d;
    if (!(next > lo && next < lo + width)) break;
    x = next;
  }
  return x;
}

// ---- the search ----

enum { NONE = 2, UNDECIDED = -1 };

/// Coefficients in Bernstein form of what is searched: p itself, or a lower bound of it of less degree, p's
/// leading part minus the size of the rest.
typedef struct exit_search {
  const double *a;    // p
  int n;              // its degree
  int m;              // degree in Bernstein form
  double rest_slope;  // slopes of p and of its bound differ by no more
  double b[DEPTH + 2][AMO_POLY_MAX];
} exit_search;

/// Does p fall throughout the interval? Then one sign change of the bound is one of p, or none.
static bool falls(const exit_search *s, const double *b, double width)
{
  const double least = s->rest_slope * width / s->m;
  for (int j = 0; j < s->m; j++)
    if (!(b[j] - b[j + 1] > least)) return false;
  return true;
}

/// The root of p where its bound changes sign once. UNDECIDED: the bound does not tell.
static double crossing(const exit_search *s, const double *b, double lo, double width)
{
  const double hi = lo + width;
  if (s->rest_slope > 0.0 && (!falls(s, b, width) || amo_poly_value(s->a, 1, s->n, hi) > 0.0))
    return UNDECIDED;
  return refine(s->a, s->n, lo, hi, guess(s->a, s->n, b, s->m, lo, width));
}

/// Halve intervals, the leftmost first, until it is excluded or holds one crossing.
static double first_exit(exit_search *s, int depth)
{
  double lo[DEPTH + 2], width[DEPTH + 2];
  int top = 0;
  lo[0] = 0.0;
  width[0] = 1.0;
  while (top >= 0) {
    double *b = s->b[top], l = lo[top], w = width[top];
    int changes = sign_changes(b, s->m);
    if (changes == 0 && b[0] > 0.0) {
      top--;
      continue;
    }
    if (changes == 1 && b[0] > 0.0 && b[s->m] < 0.0) {
      double x = crossing(s, b, l, w);
      if (x != UNDECIDED) return x;
    }
    if (b[0] <= 0.0 || w < AMO_LAST_DIGITS || top > depth) return s->rest_slope > 0.0 ? UNDECIDED : l;
    // left half on top, right half below it
    memcpy(s->b[top + 1], b, (size_t)(s->m + 1) * sizeof *b);
    halve(s->b[top + 1], s->m, s->b[top]);
    lo[top] = l + 0.5 * w;
    lo[top + 1] = l;
    width[top] = width[top + 1] = 0.5 * w;
    top++;
  }
  return NONE;
}

/// The leading part settles most cases, for a fraction of the work.
static double exit_of_leading_part(exit_search *s)
{
  enum { HALVINGS = 4 };
  double rest = 0.0;
  if (s->n <= LEADING + 2) return UNDECIDED;
  s->m = LEADING;
  s->rest_slope = DBL_MIN;
  for (int k = LEADING + 1; k <= s->n; k++) {
    rest += fabs(s->a[k]);
    s->rest_slope += k * fabs(s->a[k]);
  }
  to_bernstein(s->a, LEADING, s->b[0]);
  for (int j = 0; j <= LEADING; j++) s->b[0][j] -= rest;
  return first_exit(s, HALVINGS);
}

double amo_poly_first_exit(const double *a, int n)
{
  if (!(a[0] > 0.0)) return 0.0;
  while (n > 0 && a[n] == 0.0) n--;
  if (plainly_positive(a, n)) return NONE;
  exit_search s;
  s.a = a;
  s.n = n;
  double x = exit_of_leading_part(&s);
  if (x != UNDECIDED) return x;
  s.m = n;
  s.rest_slope = 0.0;
  to_bernstein(a, n, s.b[0]);
  return first_exit(&s, DEPTH);
}

double amo_poly_last_exit(const double *a, int n, double to)
{
  double d, p = value_and_slope(a, n, to, &d), near = d < 0.0 ? to - p / d : to;
  double step = fmax(1.5 * (to - near), 1e-16), lo = to - step;
  while (lo > 0.0 && amo_poly_value(a, 1, n, lo) <= 0.0) lo = to - (step *= 2.0);
  if (!(lo > 0.0)) {
    if (!(a[0] > 0.0)) return 0.0;
    lo = 0.0;
  }
  return refine(a, n, lo, to, near > lo && near < to ? near : 0.5 * (lo + to));
}

/// Between the zeros of its derivative a polynomial has one zero at most.
size_t amo_poly_zeros(const double *p, int n, double *out)
{
  double slope[AMO_POLY_MAX] = {0}, edge[AMO_POLY_MAX + 1] = {-1.0}, rounding = 0.0;
  if (n == 0) return 0;
  for (int i = 0; i <= n; i++) rounding += 32.0 * DBL_EPSILON * fabs(p[i]);
  for (int i = 1; i <= n; i++) slope[i - 1] = i * p[i];
  size_t edges = 1 + amo_poly_zeros(slope, n - 1, edge + 1), found = 0;
  edge[edges] = 1.0;
  for (size_t i = 0; rounding > 0.0 && i <= edges && found < (size_t)n; i++) {
    const double a = amo_poly_value(p, 1, n, edge[i]),
                 b = i < edges ? amo_poly_value(p, 1, n, edge[i + 1]) : a;
    if (fabs(a) <= rounding) {
      if (found == 0 || edge[i] - out[found - 1] > AMO_ROUGH) out[found++] = edge[i];
    } else if ((a > 0.0) != (b > 0.0) && fabs(b) > rounding) {
      amo_bracket k = {edge[i], edge[i + 1], 0};
      for (double x; amo_bracket_next(&k, &x);)
        *((amo_poly_value(p, 1, n, x) > 0.0) == (a > 0.0) ? &k.a : &k.b) = x;
      out[found++] = k.a;
    }
  }
  return found;
}

void amo_series_divide(double *a, const double *c, int orders)
{
  for (int j = 0; j < orders; j++) {
    for (int m = 1; m <= j; m++) a[j] -= c[m] * a[j - m];
    a[j] /= c[0];
  }
}

void amo_series_add_product(double *to, const double *a, const double *c, double factor, int orders)
{
  for (int j = 0; j < orders; j++)
    for (int m = 0; m <= j; m++) to[j] += factor * a[m] * c[j - m];
}
