// SPDX-License-Identifier: Apache-2.0
#include "orbit/window.h"

#include <math.h>

#include "num/bracket.h"
#include "num/rounding.h"

static const double pi = 3.14159265358979323846;

enum { TERMS = 5 };

static const struct {
  int terms;
  double a[TERMS];
} table[] = {
    [AMO_WINDOW_RECTANGULAR] = {1, {1}},
    [AMO_WINDOW_HANN] = {2, {0.5, 0.5}},
    [AMO_WINDOW_HAMMING] = {2, {0.54, 0.46}},
    [AMO_WINDOW_BLACKMAN] = {3, {0.42, 0.5, 0.08}},
    [AMO_WINDOW_BLACKMAN_HARRIS] = {4, {0.35875, 0.48829, 0.14128, 0.01168}},
    [AMO_WINDOW_FLAT_TOP] = {5, {0.21557895, 0.41663158, 0.277263158, 0.083578947, 0.006947368}},
};

double amo_window_value(amo_taper w, double t)
{
  double sum = 0.0;
  for (int m = 0; m < table[w].terms; m++)
    sum += (m % 2 ? -1.0 : 1.0) * table[w].a[m] * cos(2.0 * pi * m * t);
  return sum;
}

int amo_window_terms(amo_taper w)
{
  return table[w].terms;
}

double amo_window_lobe(amo_taper w, double x)
{
  const double nearest = nearbyint(x);
  if (fabs(x - nearest) < AMO_SAME) {  // on a bin: one term only
    const int m = (int)fabs(nearest);
    return m >= table[w].terms ? 0.0 : m == 0 ? table[w].a[0] : 0.5 * table[w].a[m];
  }
  double sum = 0.0;
  for (int m = 0; m < table[w].terms; m++)
    sum += (m % 2 ? -1.0 : 1.0) * table[w].a[m] * x / (x * x - (double)m * m);
  return fabs(sin(pi * x) / pi * sum);
}

double amo_window_place(amo_taper w, double ratio)
{
  amo_bracket k = {0.0, 1.0, 0};  // the ratio grows with the place
  if (!(ratio > 0.0)) return 0.0;
  for (double x; amo_bracket_next(&k, &x);)
    *(amo_window_lobe(w, 1.0 - x) > ratio * amo_window_lobe(w, x) ? &k.b : &k.a) = x;
  return 0.5 * (k.a + k.b);
}
