// SPDX-License-Identifier: Apache-2.0
#include "contact/springs.h"
#include "num/rounding.h"

#include <math.h>

#include "num/solve.h"

size_t amo_springs_work(size_t n)
{
  return 8 * n * n + 1;
}

/// Equations for y and for what holds the idle reactions at zero: [C^T C, C_idle^T; C_idle, 0].
bool amo_springs_prepare(const amo_springs *s)
{
  const size_t n = s->n, size = n + s->idles;
  for (size_t i = 0; i < size * size; i++) s->matrix[i] = 0.0;
  for (size_t k = 0; k < n; k++)
    for (size_t l = 0; l < n; l++)
      for (size_t i = 0; i < s->rows; i++)
        s->matrix[k * size + l] += s->c[k * s->rows + i] * s->c[l * s->rows + i];
  for (size_t e = 0; e < s->idles; e++)
    for (size_t k = 0; k < n; k++)
      s->matrix[k * size + n + e] = s->matrix[(n + e) * size + k] = s->c[k * s->rows + s->idle[e]];
  return amo_invert(s->matrix, size, s->matrix + size * size) == AMO_OK;
}

void amo_springs_solve(const amo_springs *s, const double *R0, double *y)
{
  const size_t n = s->n, size = n + s->idles;
  const double *inverse = s->matrix + size * size;
  for (size_t k = 0; k < n; k++) y[k] = 0.0;
  for (size_t e = 0; e < size; e++) {
    double x = e < n ? 0.0 : -R0[s->idle[e - n]];
    for (size_t i = 0; e < n && i < s->rows; i++) x -= s->c[e * s->rows + i] * R0[i];
    for (size_t k = 0; k < n; k++) y[k] += inverse[k * size + e] * x;
  }
}

/// The support that would pull hardest; `rows` if there is none.
static size_t pulling(const amo_springs *s, const double *R0, const double *y)
{
  double most = 0.0, least = 0.0;
  size_t worst = s->rows;
  for (size_t i = 0; i < s->rows; i++) {
    double R = R0[i];
    for (size_t k = 0; k < s->n; k++) R += s->c[k * s->rows + i] * y[k];
    most = fmax(most, fabs(R));
    if (!s->one_sided[i] || !(R < least)) continue;
    least = R;
    worst = i;
  }
  return least < -AMO_NOTHING * most ? worst : s->rows;
}

bool amo_springs_fit(amo_springs *s, const double *R0, double *y)
{
  s->idles = 0;
  for (;;) {
    if (!amo_springs_prepare(s)) return false;
    amo_springs_solve(s, R0, y);
    const size_t next = pulling(s, R0, y);
    if (next == s->rows || s->idles == s->n) return true;
    s->idle[s->idles++] = next;
  }
}
