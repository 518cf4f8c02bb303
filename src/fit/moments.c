// SPDX-License-Identifier: Apache-2.0
#include "amontons/moments.h"

#include <math.h>
#include <stdbool.h>

#include "num/distribution.h"

amo_status amo_moments_of(const double *x, const double *weight, size_t n, double size, double width,
                          double level, amo_moments *out)
{
  amo_moments m = {.least = INFINITY, .largest = -INFINITY};
  if (n == 0 || !(level > 0 && level < 1) || !(width >= 0) || !(size >= 0)) return AMO_ERANGE;
  for (size_t i = 0; i < n; i++) {
    const double w = weight ? weight[i] : 1;
    if (!(w >= 0 && isfinite(w) && isfinite(x[i]))) return AMO_ERANGE;
    m.sum += w;
    if (w > 0) m.least = fmin(m.least, x[i]), m.largest = fmax(m.largest, x[i]);
  }
  if (!(m.sum > 0)) return AMO_ERANGE;
  m.n = size > 0 ? size : m.sum;
  for (size_t i = 0; i < n; i++) m.mean += (weight ? weight[i] : 1) * (x[i] - x[0]) / m.sum;
  m.mean += x[0];
  for (size_t i = 0; i < n; i++)
    m.population += (weight ? weight[i] : 1) * (x[i] - m.mean) * (x[i] - m.mean) / m.sum;
  const bool several = m.n > 1;
  m.variance = several ? m.population * m.n / (m.n - 1) : NAN;
  m.deviation = sqrt(m.variance);
  m.sheppard = m.variance - width * width / 12;
  m.of_mean = m.variance / m.n;
  m.se = sqrt(m.of_mean);
  const double t = several ? amo_student_quantile(m.n - 1, 0.5 + 0.5 * level) : NAN,
               z = amo_normal_quantile(0.5 + 0.5 * level);
  m.low = m.mean - t * m.se, m.high = m.mean + t * m.se;
  m.normal_low = m.mean - z * m.se, m.normal_high = m.mean + z * m.se;
  *out = m;
  return AMO_OK;
}

/// Jonckheere's count of pairs in order, ties half, less its expectation, over its deviation (ties among values and groups allowed for).
static double jonckheere(const double *group, const double *x, size_t n)
{
  double ordered = 0, a = 0, b = 0,
         c = 0;  // sums over groups: m^2, m^2(2m+3); ties are rare enough to count as half
  const double total = (double)n;
  for (size_t i = 0; i < n; i++)
    for (size_t j = i + 1; j < n; j++)
      if (group[j] > group[i]) ordered += x[j] > x[i] ? 1 : x[j] == x[i] ? 0.5 : 0;
  for (size_t i = 0, j; i < n; i = j) {
    for (j = i; j < n && group[j] == group[i]; j++) continue;
    const double m = (double)(j - i);
    a += m * m;
    b += m * (m - 1) * (2 * m + 5);
    c += m * (m - 1);
  }
  // ties of values (Hollander and Wolfe): how many share each value
  double tb = 0, tc = 0, td = 0, gd = 0;
  for (size_t i = 0; i < n; i++) {
    double same = 0;
    for (size_t j = 0; j < n; j++) same += x[j] == x[i];
    tb += (same - 1) * (2 * same + 5);
    tc += same - 1;
    td += (same - 1) * (same - 2);
  }
  for (size_t i = 0, j; i < n; i = j) {
    for (j = i; j < n && group[j] == group[i]; j++) continue;
    const double m = (double)(j - i);
    gd += m * (m - 1) * (m - 2);
  }
  double variance = (total * (total - 1) * (2 * total + 5) - b - tb) / 72;
  if (n > 2) variance += gd * td / (36 * total * (total - 1) * (total - 2));
  variance += c * tc / (8 * total * (total - 1));
  return variance > 0 ? (ordered - (total * total - a) / 4) / sqrt(variance) : 0;
}

amo_status amo_groups_test(const double *group, const double *x, size_t n, amo_group_test *out)
{
  amo_group_test g = {0};
  double whole = 0;
  if (!group || !x || !out) return AMO_ERANGE;
  for (size_t i = 0; i < n; i++) {
    if (i > 0 && !(group[i] >= group[i - 1])) return AMO_ERANGE;
    whole += x[i] / (double)n;
  }
  for (size_t i = 0, j; i < n; i = j) {
    double mean = 0;
    for (j = i; j < n && group[j] == group[i]; j++) mean += x[j];
    mean /= (double)(j - i);
    for (size_t k = i; k < j; k++) g.within += (x[k] - mean) * (x[k] - mean);
    g.between += (double)(j - i) * (mean - whole) * (mean - whole);
    g.groups++;
  }
  if (g.groups < 2) return AMO_ERANGE;
  const double up = (double)g.groups - 1, down = (double)(n - g.groups);
  g.fisher = down > 0 ? g.between / up / (g.within / down) : NAN;
  g.fisher_p = down > 0 ? amo_fisher_above(up, down, g.fisher) : NAN;
  g.trend = jonckheere(group, x, n);
  g.trend_p = 2 * amo_normal_below(-fabs(g.trend));
  *out = g;
  return AMO_OK;
}

amo_status amo_proportion_of(double k, double n, double level, amo_proportion *out)
{
  if (!(n >= 1 && k >= 0 && k <= n && level > 0 && level < 1)) return AMO_ERANGE;
  const double z = amo_normal_quantile(0.5 + 0.5 * level), p = k / n, tail = 0.5 - 0.5 * level;
  const double middle = (p + z * z / (2 * n)) / (1 + z * z / n);
  const double half = z / (1 + z * z / n) * sqrt(p * (1 - p) / n + z * z / (4 * n * n));
  out->p = p;
  out->wilson[0] = k == 0 ? 0 : middle - half;
  out->wilson[1] = k == n ? 1 : middle + half;
  out->clopper_pearson[0] = k == 0 ? 0 : amo_beta_quantile(k, n - k + 1, tail);
  out->clopper_pearson[1] = k == n ? 1 : amo_beta_quantile(k + 1, n - k, 1 - tail);
  return AMO_OK;
}
