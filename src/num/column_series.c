// SPDX-License-Identifier: Apache-2.0
#include "num/column_series.h"

#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "num/rounding.h"

enum { TERMS = 64, QUAD = 4 };

typedef double quad __attribute__((vector_size(32)));
typedef double quad_any __attribute__((vector_size(32), aligned(8), may_alias));
typedef long long bits __attribute__((vector_size(32)));
#define AT(p)  (*(quad_any *)(p))
#define INLINE static inline __attribute__((always_inline))

void amo_column_series_take(amo_column_series *s, amo_arena *memory, size_t ns, size_t np, size_t columns,
                            size_t count)
{
  const size_t wide = (columns + QUAD - 1) / QUAD * QUAD, entries = (ns + np) * ns;
  s->ns = ns;
  s->np = np;
  AMO_TAKE(memory, double, TERMS *ns *wide + 1, &s->term);
  AMO_TAKE(memory, double, ns *wide + 1, &s->sum);
  AMO_TAKE(memory, double, np *wide + 1, &s->start);
  AMO_TAKE(memory, double, TERMS *ns + 1, &s->size);
  AMO_TAKE(memory, double, ns + 1, &s->peak);
  AMO_TAKE(memory, amo_column_entry, entries + 1, &s->entry);
  AMO_TAKE(memory, size_t, ns + 1, &s->row);
  AMO_TAKE(memory, double, entries *count + 1, &s->power);
}

void amo_column_series_clear(amo_column_series *s)
{
  s->rows = s->powers = 0;
  s->row[0] = s->row[1] = 0;
}

void amo_column_series_add(amo_column_series *s, size_t column, const double *power, size_t count)
{
  s->entry[s->row[s->rows + 1]++] = (amo_column_entry){column, s->powers, count};
  memcpy(s->power + s->powers, power, count * sizeof *power);
  s->powers += count;
}

void amo_column_series_end_row(amo_column_series *s)
{
  if (++s->rows < s->ns) s->row[s->rows + 1] = s->row[s->rows];
}

void amo_column_series_begin(amo_column_series *s, size_t columns, const double *y, const double *direction)
{
  const size_t ns = s->ns, wide = (columns + QUAD - 1) / QUAD * QUAD;
  s->columns = columns;
  s->wide = wide;
  memset(s->term, 0, ns * wide * sizeof *s->term);
  memset(s->start, 0, s->np * wide * sizeof *s->start);
  for (size_t c = 0; c < s->columns; c++) {
    for (size_t r = 0; r < ns; r++) s->term[r * wide + c] = y[c * ns + r];
    for (size_t p = 0; p < s->np; p++) s->start[p * wide + c] = direction[c * s->np + p];
  }
  memcpy(s->sum, s->term, ns * wide * sizeof *s->sum);
}

/// One row of a term, four columns: sum_j A_j term_{k-j} + B_k D.
INLINE void add_rate(quad *sum, const amo_column_entry *e, const amo_column_entry *end, const double *power,
                     size_t k, size_t ns, const double *last, size_t wide, size_t size, const double *start)
{
  quad x = {0.0};
  for (; e < end; e++) {
    const double *p = power + e->first, *y = last + e->column * wide;
    const size_t count = e->count <= k ? e->count : k + 1;
    if (e->column < ns)
      for (size_t j = 0; j < count; j++, y -= size) x += p[j] * AT(y);
    else if (k < e->count)
      x += p[k] * AT(start + (e->column - ns) * wide);
  }
  *sum = x;
}

/// term_k+1 = (sum_j A_j term_{k-j} + B_k D) / (k+1), all columns at once, added to the sums. Does it count?
CLONES static bool add_term(amo_column_series *s, size_t k)
{
  const size_t ns = s->ns, wide = s->wide, size = ns * wide, *const row = s->row;
  const amo_column_entry *const entry = s->entry;
  const double *const power = s->power, *const start = s->start;
  double *const last = s->term + k * size, *const sum = s->sum, *const peak = s->peak,
                *const sizes = s->size + (k + 1) * ns;
  const double part = 1.0 / (double)(k + 1);
  bool counts = false;
  for (size_t r = 0; r < ns; r++) {
    quad most = {0.0};
    for (size_t c = 0; c < wide; c += QUAD) {
      quad x;
      add_rate(&x, entry + row[r], entry + row[r + 1], power, k, ns, last + c, wide, size, start + c);
      x *= part;
      AT(last + size + r * wide + c) = x;
      AT(sum + r * wide + c) += x;
      x = (quad)((bits)x & 0x7fffffffffffffffLL);
      const bits more = x > most;
      most = (quad)(((bits)x & more) | ((bits)most & ~more));
    }
    const double a = most[0] > most[1] ? most[0] : most[1], b = most[2] > most[3] ? most[2] : most[3];
    sizes[r] = a > b ? a : b;
    if (sizes[r] > peak[r]) peak[r] = sizes[r];
    counts |= sizes[r] > 1e-17 * peak[r];
  }
  return counts;
}

/// Terms until several in a row do not count. False: they do not end.
static bool sum_terms(amo_column_series *s)
{
  int quiet = 0;
  for (int k = 0; k + 1 < TERMS && quiet < 4; s->degree = ++k) quiet = add_term(s, (size_t)k) ? 0 : quiet + 1;
  return quiet >= 4;
}

/// The largest term of the rate of row r: where its terms cancel, a column is rounding of them.
static double largest_term(const amo_column_series *s, size_t r)
{
  double most = 0.0;
  for (size_t i = s->row[r]; i < s->row[r + 1]; i++) {
    const amo_column_entry *e = &s->entry[i];
    const double *y =
        e->column < s->ns ? s->term + e->column * s->wide : s->start + (e->column - s->ns) * s->wide;
    for (size_t j = 0; j < e->count; j++)
      for (size_t c = 0; c < s->columns; c++) most = fmax(most, fabs(s->power[e->first + j] * y[c]));
  }
  return most;
}

bool amo_column_series_run(amo_column_series *s, size_t columns, const double *y, const double *direction)
{
  amo_column_series_begin(s, columns, y, direction);
  for (size_t r = 0; r < s->ns; r++) {
    s->size[r] = 0.0;
    for (size_t c = 0; c < columns; c++) s->size[r] = fmax(s->size[r], fabs(s->term[r * s->wide + c]));
    s->peak[r] = s->size[r];
  }
  bool ok = sum_terms(s);
  for (size_t r = 0; ok && r < s->ns; r++) {
    double size = s->size[r];
    for (size_t c = 0; c < columns; c++) size = fmax(size, fabs(s->sum[r * s->wide + c]));
    ok = s->peak[r] <= 1e3 * size || s->peak[r] <= AMO_ROUGH * largest_term(s, r);
  }
  return ok;
}

void amo_column_series_at(const amo_column_series *s, double x, double *y)
{
  const size_t size = s->ns * s->wide;
  for (size_t c = 0; c < s->columns; c++)
    for (size_t r = 0; r < s->ns; r++) {
      const double *term = s->term + r * s->wide + c;
      double sum = term[(size_t)s->degree * size];
      for (int k = s->degree - 1; k >= 0; k--) sum = sum * x + term[(size_t)k * size];
      y[c * s->ns + r] = sum;
    }
}

void amo_column_series_last(const amo_column_series *s, double *y)
{
  for (size_t c = 0; c < s->columns; c++)
    for (size_t r = 0; r < s->ns; r++) y[c * s->ns + r] = s->sum[r * s->wide + c];
}
