// SPDX-License-Identifier: Apache-2.0
/// Factors of each block: ties first, then the masses with complete pivoting.
#include <math.h>

#include "contact/balance_numbers.h"
#include "num/solve.h"

/// Power of two near 1/x: scaling by it is exact.
static double reciprocal_power(double x)
{
  int e;
  if (!(x > 0.0) || !isfinite(x)) return 1.0;
  frexp(x, &e);
  return ldexp(1.0, -e);
}

/// Root of the inertia of a coordinate by itself; 0: it has none.
static double inertia(const amo_balance *b, uint32_t q, amo_span v)
{
  for (uint32_t e = b->mass_first[q]; e < b->mass_first[q + 1]; e++) {
    const amo_entry *me = &b->m->mass[b->mass_entry[e]];
    if (me->row == me->col) return sqrt(fabs(v.base[me->reg * v.reg]));
  }
  return 0.0;
}

/// What the others are let do by the tie that holds most of a coordinate without inertia: others may hold but rounding of it (a cam's normal
/// across its tangent).
static double largest_tie(const amo_balance *b, const block *bl, amo_span v, uint32_t q)
{
  double most = 0.0;
  for (uint32_t r = 0; r < bl->rows; r++) {
    const row *ro = &b->rowlist[bl->row + r];
    double own = 0.0, size = 0.0;
    for (uint32_t e = 0; e < ro->entries; e++) {
      const uint32_t col = ro->entry[e].col;
      const double x = fabs(v.base[ro->entry[e].reg * v.reg]), mass = inertia(b, col, v);
      if (col == q) own = x;
      if (mass > 0.0) size = fmax(size, x * reciprocal_power(mass));
    }
    most = fmax(most, size > 0.0 ? own / size : own);
  }
  return most;
}

void amo_balance_scale(amo_balance *b, const block *bl, amo_span v)
{
  for (uint32_t i = 0; i < bl->coords; i++) {
    const uint32_t q = b->order[bl->coord + i];
    const double size = inertia(b, q, v);
    b->coord_scale[q] = reciprocal_power(size > 0.0 ? size : largest_tie(b, bl, v, q));
  }
  for (uint32_t r = 0; r < bl->rows; r++) {
    const row *ro = &b->rowlist[bl->row + r];
    double size = 0.0;
    for (uint32_t e = 0; e < ro->entries; e++)
      size = fmax(size, fabs(v.base[ro->entry[e].reg * v.reg]) * b->coord_scale[ro->entry[e].col]);
    // a row that has vanished is measured by what it was, or rounding would be taken for a row
    if (ro->kind == TIE_STICK && size < AMO_NOTHING * b->peak[ro->item]) size = b->peak[ro->item];
    b->tie_scale[bl->row + r] = reciprocal_power(size);
  }
}

/// M + N^T N with the ties N: positive definite if they determine every motion without inertia.
static void add_ties(const amo_balance *b, const block *bl, amo_span v, double *a, uint32_t n)
{
  for (uint32_t r = 0; r < bl->rows; r++) {
    const row *ro = &b->rowlist[bl->row + r];
    double scale = b->tie_scale[bl->row + r];
    for (uint32_t i = 0; i < ro->entries; i++) {
      double x = v.base[ro->entry[i].reg * v.reg] * scale * b->coord_scale[ro->entry[i].col];
      for (uint32_t j = 0; j < ro->entries; j++)
        a[(size_t)b->local[ro->entry[i].col] * n + b->local[ro->entry[j].col]] +=
            x * v.base[ro->entry[j].reg * v.reg] * scale * b->coord_scale[ro->entry[j].col];
    }
  }
}

/// Cholesky's test on the scaled masses of a block (in the space of its factors).
static bool positive_definite(const amo_balance *b, const block *bl, amo_span v, double *a)
{
  uint32_t n = bl->coords;
  memset(a, 0, (size_t)n * n * sizeof *a);
  load_masses(b, bl, v, a, n, 0);
  if (b->m->light) add_ties(b, bl, v, a, n);
  return amo_cholesky(a, n, AMO_ROUNDED) == n;
}

/// Exchange two lines of a matrix of n, whose entries lie `along` apart, with their numbers.
static void swap(double *a, uint32_t n, uint32_t *number, size_t i, size_t j, size_t across, size_t along)
{
  if (i == j) return;
  const uint32_t t = number[i];
  number[i] = number[j];
  number[j] = t;
  for (size_t k = 0; k < n; k++) {
    const double x = a[i * across + k * along];
    a[i * across + k * along] = a[j * across + k * along];
    a[j * across + k * along] = x;
  }
}

static void swap_rows(double *a, uint32_t n, uint32_t *rp, uint32_t i, uint32_t j)
{
  swap(a, n, rp, i, j, n, 1);
}

static void swap_columns(double *a, uint32_t n, uint32_t *cp, uint32_t i, uint32_t j)
{
  swap(a, n, cp, i, j, 1, n);
}

/// Pivot for step s: a tie row offers its largest column; afterwards complete pivoting.
static double pick_pivot(const double *a, uint32_t n, uint32_t s, uint32_t last_row, uint32_t cols,
                         uint32_t *pi, uint32_t *pj)
{
  double best = 0.0;
  for (uint32_t i = s; i < last_row; i++)
    for (uint32_t j = s; j < cols; j++)
      if (fabs(a[(size_t)i * n + j]) > best) {
        best = fabs(a[(size_t)i * n + j]);
        *pi = i;
        *pj = j;
      }
  return best;
}

static void eliminate(double *a, uint32_t n, uint32_t s)
{
  for (uint32_t i = s + 1; i < n; i++) {
    double f = a[(size_t)i * n + s];
    if (f == 0.0) continue;
    f /= a[(size_t)s * n + s];
    a[(size_t)i * n + s] = f;
    for (uint32_t j = s + 1; j < n; j++) a[(size_t)i * n + j] -= f * a[(size_t)s * n + j];
  }
}

/// Eliminate the tie rows, in their order or (by_size) the largest left of them each time. Dependent ones move behind them (guides: springs
/// come there) or to the end, and drop out; in order with their forces, those of slips last. Returns the least pivot of reactions.
static double factor_ties(amo_balance *b, block *bl, double *a, uint32_t n, bool by_size)
{
  uint32_t *rp = b->perm + bl->perm, *cp = rp + n, ties = bl->rows, live = n, columns = n;
  double least = 1.0;
  for (uint32_t s = 0; s < ties;) {
    uint32_t pi = s, pj = s;
    const double pivot = pick_pivot(a, n, s, by_size ? ties : s + 1, bl->coords, &pi, &pj);
    const uint32_t tie = rp[s];
    const row *ro = &b->rowlist[bl->row + tie];
    if (pivot > (ro->kind == TIE_GUIDE ? AMO_SAME : AMO_NOTHING)) {
      if (ro->kind == TIE_GUIDE) least = fmin(least, pivot);
      swap_rows(a, n, rp, s, pi);
      swap_columns(a, n, cp, s, pj);
      eliminate(a, n, s);
      s++;
      continue;
    }
    ties--;
    if (ro->kind == TIE_STICK && !by_size) b->loose[ro->item] = true;
    if (ro->kind == TIE_GUIDE && !by_size) {  // slips still come after all of these
      b->spare[ro->item] = true;
      for (uint32_t i = s; i < ties; i++) swap_rows(a, n, rp, i, i + 1);
      b->spring_tie[bl->row + bl->springs++] = tie;
      continue;
    }
    live--;
    swap_rows(a, n, rp, s, ties);
    swap_rows(a, n, rp, ties, live);
    if (ro->kind == TIE_CONSTRAINT) columns = live;
    for (uint32_t j = by_size ? n : 0; j < live; j++)
      if (cp[j] == bl->coords + tie) swap_columns(a, n, cp, j, live);
  }
  bl->held = ties;
  bl->rank_rows = live;
  bl->open = columns - live;
  return least;
}

/// The matrix of a block as it is before its elimination.
static void load_anew(amo_balance *b, const block *bl, amo_span v, double *a, uint32_t n)
{
  uint32_t *rp = b->perm + bl->perm, *cp = rp + n;
  load_block(b, bl, v, a, n);
  for (uint32_t i = 0; i < n; i++) rp[i] = cp[i] = i;
}

/// Where forces are open, lines that are nearly parallel must not give them: then ties find their directions, and forces their equations, by size.
static amo_status factor_block(amo_balance *b, block *bl, amo_span v)
{
  const uint32_t n = bl->coords + bl->rows;
  double *a = b->lu + bl->lu;
  uint32_t *rp = b->perm + bl->perm, *cp = rp + n;
  bl->springs = bl->held = bl->open = bl->rank_rows = 0;
  amo_balance_scale(b, bl, v);
  bool good = positive_definite(b, bl, v, a);
  load_anew(b, bl, v, a, n);
  const double least = good ? factor_ties(b, bl, a, n, false) : 1.0;
  const bool by_size =
      least * least <= AMO_ROUGH && bl->springs == 0 && bl->rank_rows + bl->open == n && bl->open > 0;
  if (by_size) {
    load_anew(b, bl, v, a, n);
    (void)factor_ties(b, bl, a, n, true);
    bl->open = n - bl->rank_rows;
  }
  if (bl->springs > 0 && !amo_springs_place(b, bl, v, a, n)) return AMO_ENOMEM;
  for (uint32_t s = bl->held; good && s < bl->rank_rows; s++) {
    uint32_t pi = s, pj = s;
    const uint32_t columns = !by_size ? bl->rank_rows : s < bl->coords ? bl->coords : n;
    good = pick_pivot(a, n, s, bl->rank_rows, columns, &pi, &pj) > AMO_ROUNDED;
    swap_rows(a, n, rp, s, pi);
    swap_columns(a, n, cp, s, pj);
    eliminate(a, n, s);
  }
  if (good) return AMO_OK;
  b->singular = (long)b->order[bl->coord];
  bl->rank_rows = bl->open = 0;
  return AMO_ENOANSWER;
}

/// Largest rows of the slips met so far.
static void note_peaks(amo_balance *b, amo_span v)
{
  for (uint32_t c = 0; c < b->m->nc; c++) {
    const amo_contact *k = &b->m->contact[c];
    for (uint32_t e = 0; e < k->nw; e++) b->peak[c] = fmax(b->peak[c], fabs(v.base[k->w[e].reg * v.reg]));
  }
}

amo_status amo_balance_factor(amo_balance *b, amo_span v)
{
  if (b->failed) return AMO_ENOMEM;
  b->singular = -1;
  b->spring_used = 0;
  note_peaks(b, v);
  for (uint32_t k = 0; k < b->nblocks; k++) {
    block *bl = &b->blocks[k];
    if (bl->coords == 1 && bl->rows == 0) {  // the common case: one free coordinate
      const amo_entry *me = &b->m->mass[b->mass_entry[b->mass_first[b->order[bl->coord]]]];
      double mass = v.base[me->reg * v.reg];
      b->lu[bl->lu] = mass;
      if (!(mass > 0.0)) {
        b->singular = (long)b->order[bl->coord];
        return AMO_ENOANSWER;
      }
      continue;
    }
    amo_status st = factor_block(b, bl, v);
    if (st != AMO_OK) return st;
  }
  return AMO_OK;
}
