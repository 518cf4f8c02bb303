// SPDX-License-Identifier: Apache-2.0
#include "orbit/predictor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { NODES = 2 * AMO_PREDICTOR_POINTS };
enum { LEAST = 3, MOST = 4 };  // matrices that tell how they go on, and that do not add noise

amo_status amo_predictor_make(amo_predictor *p, size_t n)
{
  const size_t each = 2 * n + (n - 1) * n;
  *p = (amo_predictor){.n = n, .room = amo_zalloc(AMO_PREDICTOR_POINTS * each + NODES * n, sizeof(double))};
  if (!p->room) return AMO_ENOMEM;
  for (size_t i = 0; i < AMO_PREDICTOR_POINTS; i++) {
    double *x = p->room + i * each;
    p->point[i] = (amo_predictor_point){x, x + n, x + 2 * n};
  }
  p->term = p->room + AMO_PREDICTOR_POINTS * each;
  return AMO_OK;
}

void amo_predictor_free(amo_predictor *p)
{
  free(p->room);
  *p = (amo_predictor){0};
}

void amo_predictor_forget(amo_predictor *p)
{
  p->points = p->matrices = 0;
}

void amo_predictor_keep(amo_predictor *p, const double *x, const double *tangent, const double *scale,
                        const double *matrix)
{
  const amo_predictor_point now = p->point[AMO_PREDICTOR_POINTS - 1];
  memmove(p->point + 1, p->point, (AMO_PREDICTOR_POINTS - 1) * sizeof *p->point);
  p->point[0] = now;
  memcpy(now.x, x, p->n * sizeof *x);
  for (size_t i = 0; i < p->n; i++) now.along[i] = tangent[i] * scale[i];
  if (matrix) memcpy(now.matrix, matrix, (p->n - 1) * p->n * sizeof *matrix);
  p->matrices = !matrix ? 0 : p->matrices < AMO_PREDICTOR_POINTS ? p->matrices + 1 : p->matrices;
  if (p->points < AMO_PREDICTOR_POINTS) p->points++;
}

/// Component of d along the direction at the last point.
static double component(const amo_predictor *p, const double *scale, const double *d)
{
  double sum = 0.0, size = 0.0;
  for (size_t i = 0; i < p->n; i++) {
    const double a = p->point[0].along[i] / scale[i];
    sum += d[i] / scale[i] * a;
    size += a * a;
  }
  return sum / sqrt(size);
}

/// Places of the points along the direction at the last one, and how fast the curve moves along it there; how many are of use: the
/// curve goes one way. work [n].
static size_t take_places(const amo_predictor *p, const double *scale, double *work, double *at, double *rate)
{
  size_t n = 0;
  for (size_t k = 0; k < p->points; k++) {
    for (size_t i = 0; i < p->n; i++) work[i] = p->point[k].x[i] - p->point[0].x[i];
    const double place = k == 0 ? 0.0 : component(p, scale, work),
                 speed = component(p, scale, p->point[k].along);
    if (!(speed > 0.0) || (k > 0 && !(place < at[k - 1]))) break;
    at[k] = place;
    rate[k] = speed;
    n++;
  }
  return n;
}

/// Newton's form of Hermite's polynomial of unknown i, every node twice: its terms at s.
static void take_terms(const amo_predictor *p, size_t i, const double *at, const double *rate, size_t n,
                       double s)
{
  double c[NODES], node[NODES], product = 1.0;
  for (size_t k = 0; k < n; k++) {
    node[2 * k] = node[2 * k + 1] = at[k];
    c[2 * k] = c[2 * k + 1] = p->point[k].x[i];
  }
  for (size_t order = 1; order < 2 * n; order++)
    for (size_t k = 2 * n - 1; k >= order; k--)
      c[k] = node[k] == node[k - order] ? p->point[k / 2].along[i] / rate[k / 2]
                                        : (c[k] - c[k - 1]) / (node[k] - node[k - order]);
  for (size_t k = 0; k < 2 * n; product *= s - node[k++]) p->term[k * p->n + i] = c[k] * product;
}

/// Points up to the one that adds least, of n.
static size_t points_of_use(const amo_predictor *p, const double *scale, size_t n)
{
  double least = INFINITY;
  size_t best = 1;
  for (size_t k = 1; k < n; k++) {
    double most = 0.0;
    for (size_t i = 0; i < 2 * p->n; i++)
      most = fmax(most, fabs(p->term[2 * k * p->n + i]) / scale[i % p->n]);
    if (!(most < least)) continue;
    least = most;
    best = k + 1;
  }
  return best;
}

amo_status amo_predictor_next(const amo_predictor *p, const double *scale, double ds, double *x)
{
  double at[AMO_PREDICTOR_POINTS], rate[AMO_PREDICTOR_POINTS];
  const size_t n = take_places(p, scale, x, at, rate);
  if (n == 0) return AMO_ENOANSWER;
  for (size_t i = 0; i < p->n; i++) take_terms(p, i, at, rate, n, ds);
  const size_t used = points_of_use(p, scale, n);
  for (size_t i = 0; i < p->n; i++) {
    x[i] = 0.0;
    for (size_t k = 2 * used; k-- > 0;) x[i] += p->term[k * p->n + i];
  }
  return AMO_OK;
}

bool amo_predictor_matrix(const amo_predictor *p, const double *scale, double ds, double *work,
                          double *matrix)
{
  double at[AMO_PREDICTOR_POINTS], rate[AMO_PREDICTOR_POINTS];
  const size_t size = (p->n - 1) * p->n;
  size_t n = take_places(p, scale, work, at, rate);
  n = p->matrices < n ? p->matrices : n;
  n = n < MOST ? n : MOST;
  if (n < LEAST) return false;
  memset(matrix, 0, size * sizeof *matrix);
  for (size_t k = 0; k < n; k++) {
    double share = 1.0;  // Lagrange's
    for (size_t j = 0; j < n; j++)
      if (j != k) share *= (ds - at[j]) / (at[k] - at[j]);
    for (size_t i = 0; i < size; i++) matrix[i] += share * p->point[k].matrix[i];
  }
  return true;
}
