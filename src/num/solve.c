// SPDX-License-Identifier: Apache-2.0
#include "num/solve.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "num/rounding.h"

enum { SMALL = 64 };  // rows for which there is room on the stack

typedef struct room {
  double scale[SMALL];
  size_t swap[SMALL];
} room;

amo_status amo_lu_make(amo_lu *f, size_t n)
{
  *f = (amo_lu){n, amo_zalloc(n * n, sizeof *f->a), amo_zalloc(n, sizeof *f->scale),
                amo_zalloc(n, sizeof *f->swap)};
  return f->a && f->scale && f->swap ? AMO_OK : AMO_ENOMEM;
}

void amo_lu_free(amo_lu *f)
{
  free(f->a);
  free(f->scale);
  free(f->swap);
  *f = (amo_lu){0};
}

static void scale_rows(amo_lu *f)
{
  const size_t n = f->n;
  for (size_t i = 0; i < n; i++) {
    double *row = f->a + i * n, size = 0.0;
    int power = 0;
    for (size_t j = 0; j < n; j++) size = fmax(size, fabs(row[j]));
    if (size > 0.0 && isfinite(size)) frexp(size, &power);
    f->scale[i] = ldexp(1.0, 1 - power);
    for (size_t j = 0; j < n; j++) row[j] *= f->scale[i];
  }
}

static void swap_rows(double *a, double *b, size_t n)
{
  for (size_t j = 0; j < n; j++) {
    const double x = a[j];
    a[j] = b[j];
    b[j] = x;
  }
}

/// All steps are taken, whatever the pivots, unless there is none.
bool amo_lu_factor(amo_lu *f)
{
  const size_t n = f->n;
  bool good = true;
  scale_rows(f);
  for (size_t k = 0; k < n; k++) {
    double *own = f->a + k * n;
    size_t best = k;
    for (size_t i = k + 1; i < n; i++)
      if (fabs(f->a[i * n + k]) > fabs(f->a[best * n + k])) best = i;
    f->swap[k] = best;
    if (best != k) swap_rows(own, f->a + best * n, n);
    good &= fabs(own[k]) > AMO_CANCELLED;
    if (own[k] == 0.0) continue;
    for (size_t i = k + 1; i < n; i++) {
      double *row = f->a + i * n;
      const double factor = row[k] /= own[k];
      if (factor == 0.0) continue;
      for (size_t j = k + 1; j < n; j++) row[j] -= factor * own[j];
    }
  }
  return good;
}

void amo_lu_solve(const amo_lu *f, double *x)
{
  const size_t n = f->n;
  for (size_t i = 0; i < n; i++) x[i] *= f->scale[i];
  for (size_t k = 0; k < n; k++) {
    const double y = x[k];
    x[k] = x[f->swap[k]];
    x[f->swap[k]] = y;
  }
  for (size_t i = 1; i < n; i++)
    for (size_t j = 0; j < i; j++) x[i] -= f->a[i * n + j] * x[j];
  for (size_t i = n; i-- > 0;) {
    for (size_t j = i + 1; j < n; j++) x[i] -= f->a[i * n + j] * x[j];
    x[i] /= f->a[i * n + i];
  }
}

/// Factors in the place of a, their lists on the stack if they are short. False: no memory.
static bool begin(amo_lu *f, double *a, size_t n, room *r)
{
  *f = (amo_lu){n, a, r->scale, r->swap};
  if (n <= SMALL) return true;
  f->scale = amo_zalloc(n, sizeof *f->scale + sizeof *f->swap);
  f->swap = (size_t *)(f->scale + n);
  return f->scale != NULL;
}

static void end(amo_lu *f)
{
  if (f->n > SMALL) free(f->scale);
}

void amo_transpose(double *a, size_t n)
{
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < i; j++) {
      const double x = a[i * n + j];
      a[i * n + j] = a[j * n + i];
      a[j * n + i] = x;
    }
}

amo_status amo_solve(double *a, size_t n, double *x, size_t columns)
{
  amo_lu f;
  room r;
  if (!begin(&f, a, n, &r)) return AMO_ENOMEM;
  bool good = amo_lu_factor(&f);
  for (size_t c = 0; good && c < columns; c++) amo_lu_solve(&f, x + c * n);
  end(&f);
  for (size_t i = 0; good && i < n * columns; i++) good = isfinite(x[i]);
  return good ? AMO_OK : AMO_ENOANSWER;
}

amo_status amo_invert(double *a, size_t n, double *out)
{
  for (size_t i = 0; i < n * n; i++) out[i] = i / n == i % n;
  const amo_status st = amo_solve(a, n, out, n);
  amo_transpose(out, n);
  return st;
}

void amo_release(double *a, size_t rows, size_t width, size_t prefer, size_t at, size_t n, bool *used)
{
  bool *found = used + rows;
  for (size_t step = 0; step < n; step++) {
    size_t row = 0, column = 0;
    double most = 0.0;
    for (int all = 0; all < 2 && !(most > AMO_CANCELLED); all++)
      for (size_t i = 0; i < (all ? rows : prefer); i++)
        for (size_t j = 0; !used[i] && j < n; j++) {
          const double x = fabs(a[i * width + at + j]);
          if (found[j] || !(x > most)) continue;
          most = x;
          row = i;
          column = j;
        }
    if (!(most > 0.0)) return;
    used[row] = found[column] = true;
    const double *from = a + row * width;
    for (size_t i = 0; i < rows; i++) {
      const double f = used[i] ? 0.0 : a[i * width + at + column] / from[at + column];
      for (size_t j = 0; f != 0.0 && j < width; j++) a[i * width + j] -= f * from[j];
    }
  }
}

double amo_determinant(double *a, size_t n, double *size)
{
  amo_lu f;
  room r;
  double det = 1.0, sum = 0.0;
  if (!begin(&f, a, n, &r)) return NAN;
  if (!amo_lu_factor(&f)) sum = -INFINITY;
  for (size_t k = 0; k < n; k++) {
    const double pivot = a[k * n + k] / f.scale[f.swap[k]];
    if (f.swap[k] != k) {  // scales move with their rows
      f.scale[f.swap[k]] = f.scale[k];
      det = -det;
    }
    det *= pivot;
    if (sum > -INFINITY) sum += log(fabs(pivot));
  }
  end(&f);
  if (size) *size = sum;
  return det;
}

size_t amo_cholesky(double *a, size_t n, double least)
{
  for (size_t j = 0; j < n; j++) {
    double *own = a + j * n, d = own[j];
    for (size_t k = 0; k < j; k++) d -= own[k] * own[k];
    if (!(d > least)) return j;
    own[j] = d = sqrt(d);
    for (size_t i = j + 1; i < n; i++) {
      double *row = a + i * n, x = row[j];
      for (size_t k = 0; k < j; k++) x -= row[k] * own[k];
      row[j] = x / d;
    }
  }
  return n;
}
