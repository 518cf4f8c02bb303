// SPDX-License-Identifier: Apache-2.0
#include "flow/poly.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { DEPTH = 52 };  // halvings until an interval is as narrow as rounding

double amo_poly_value(const double *c, size_t stride, int degree, double x)
{
  double s = c[(size_t)degree * stride];
  for (int k = degree - 1; k >= 0; k--) s = s * x + c[(size_t)k * stride];
  return s;
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

static double slope(const double *a, int n, double x)
{
  double s = (double)n * a[n];
  for (int k = n - 1; k >= 1; k--) s = s * x + (double)k * a[k];
  return s;
}

/// The one root of p in [lo, hi], p(lo) > 0 >= p(hi): Newton kept inside the shrinking bracket. Returns the
/// side on which the condition has ended, so that what follows really follows.
static double refine(const double *a, int n, double lo, double hi)
{
  double x = 0.5 * (lo + hi);
  for (int i = 0; i < 100; i++) {
    double p = amo_poly_value(a, 1, n, x);
    if (p > 0.0) lo = x;
    else hi = x;
    double d = slope(a, n, x), next = x - p / d;
    if (!(next > lo && next < hi)) next = 0.5 * (lo + hi);
    if (fabs(next - x) <= 1e-16 + 2e-16 * x) break;
    x = next;
  }
  for (double step = 1e-16 + 2e-16 * x; x < hi && amo_poly_value(a, 1, n, x) > 0.0; step *= 2) x += step;
  return fmin(x, hi);
}

/// The low-degree part settles most cases: its Bernstein coefficients against the size of the rest.
static bool mostly_positive(const double *a, int n)
{
  enum { LOW = 6 };
  if (n <= LOW) return false;
  double b[LOW + 1], rest = 0.0;
  for (int k = LOW + 1; k <= n; k++) rest += fabs(a[k]);
  to_bernstein(a, LOW, b);
  for (int j = 0; j <= LOW; j++)
    if (!(b[j] > rest)) return false;
  return true;
}

double amo_poly_first_exit(const double *a, int n)
{
  if (!(a[0] > 0.0)) return 0.0;
  if (n == 0 || plainly_positive(a, n) || mostly_positive(a, n)) return 2.0;
  double stack[DEPTH + 2][AMO_POLY_MAX];
  double lo[DEPTH + 2], width[DEPTH + 2];
  int top = 0;
  to_bernstein(a, n, stack[0]);
  lo[0] = 0.0;
  width[0] = 1.0;
  while (top >= 0) {
    double *b = stack[top];
    int changes = sign_changes(b, n);
    if (changes == 0 && b[0] > 0.0) {
      top--;
      continue;
    }
    double l = lo[top], w = width[top];
    if (changes == 1 && b[0] > 0.0 && b[n] < 0.0) return refine(a, n, l, l + w);
    if (b[0] <= 0.0 || w < 4e-16 || top > DEPTH) return l;
    // left half on top, right half below it
    memcpy(stack[top + 1], b, (size_t)(n + 1) * sizeof *b);
    halve(stack[top + 1], n, stack[top]);
    lo[top] = l + 0.5 * w;
    lo[top + 1] = l;
    width[top] = width[top + 1] = 0.5 * w;
    top++;
  }
  return 2.0;
}
