// SPDX-License-Identifier: Apache-2.0
#include "contact/balance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// A row of the system that ties accelerations: a sticking contact, a guide or a constraint.
typedef enum tie_kind { TIE_STICK, TIE_GUIDE, TIE_CONSTRAINT } tie_kind;

typedef struct row {
  tie_kind kind;
  const amo_entry *entry;
  uint32_t entries, zeta;
  uint32_t item;     // contact or constraint number
  double sign;       // slipping guide: sigma*eps, its friction is -sign*mu*R along the slip; else 0
} row;

typedef struct block {
  uint32_t coord, coords;  // slice of order[]
  uint32_t row, rows;      // slice of rowlist[]
  size_t lu;               // offset into lu[]
  uint32_t perm;           // offset into perm[]
  uint32_t rank_rows;      // rows that are independent
} block;

struct amo_balance {
  const amo_model *m;
  uint32_t *parent;        // [nq] union-find over coordinates
  uint32_t *order;         // [nq] coordinates grouped by block
  uint32_t *local;         // [nq] position of a coordinate within its block
  row *rowlist;            // [2 nc + ng] grouped by block
  uint32_t rows;
  block *blocks;           // [nq]
  uint32_t nblocks;
  double *lu;              // dense factors of all blocks
  size_t lu_capacity;
  uint32_t *perm;          // row and column permutations
  double *rhs;             // [nq + nc + ng] one block at a time
  uint32_t *block_of;      // [nq]
  bool *loose;             // [nc] stick force not determined
  long *share;             // [nc] redundant sticking contact: the parallel one whose force it shares, or -1
  double *ratio;           // [nc] its row over that one's row
  double *coord_scale;     // [nq] powers of two that bring M and the ties to size 1
  double *tie_scale;       // [2 nc + ng]
  double *peak;            // [nc] largest row of the slip met so far: a row may vanish (a point at its turn)
  bool *mass_fixed;        // [nmass]
  uint32_t *mass_first;    // [nq+1] entries of both triangles by row (CSR)
  uint32_t *mass_entry;    // [2*nmass]
  long singular;
  bool failed;             // out of memory while arranging
};

static void build_mass_index(amo_balance *b)
{
  const amo_model *m = b->m;
  for (uint32_t e = 0; e < m->nmass; e++) {
    b->mass_fixed[e] = amo_prog_is_fixed(m->step, m->mass[e].reg);
    b->mass_first[m->mass[e].row + 1]++;
    if (m->mass[e].row != m->mass[e].col) b->mass_first[m->mass[e].col + 1]++;
  }
  for (uint32_t i = 0; i < m->nq; i++) b->mass_first[i + 1] += b->mass_first[i];
  uint32_t *fill = b->order;  // scratch before the first arrange
  for (uint32_t i = 0; i < m->nq; i++) fill[i] = b->mass_first[i];
  for (uint32_t e = 0; e < m->nmass; e++) {
    b->mass_entry[fill[m->mass[e].row]++] = e;
    if (m->mass[e].row != m->mass[e].col) b->mass_entry[fill[m->mass[e].col]++] = e;
  }
}

amo_status amo_balance_new(const amo_model *m, amo_balance **out)
{
  *out = NULL;
  amo_balance *b = calloc(1, sizeof *b);
  if (b == NULL) return AMO_ENOMEM;
  size_t nq = m->nq + 1u, nr = 2u * (size_t)m->nc + m->ng + 1u;
  b->m = m;
  b->singular = -1;
  b->parent = calloc(nq, sizeof *b->parent);
  b->order = calloc(nq, sizeof *b->order);
  b->local = calloc(nq, sizeof *b->local);
  b->rowlist = calloc(nr, sizeof *b->rowlist);
  b->blocks = calloc(nq, sizeof *b->blocks);
  b->perm = calloc(2 * (nq + nr), sizeof *b->perm);
  b->rhs = calloc(2 * (nq + nr), sizeof *b->rhs);
  b->block_of = calloc(nq, sizeof *b->block_of);
  b->loose = calloc(nr, sizeof *b->loose);
  b->share = calloc(nr, sizeof *b->share);
  b->ratio = calloc(nr, sizeof *b->ratio);
  b->coord_scale = calloc(nq, sizeof *b->coord_scale);
  b->tie_scale = calloc(nr, sizeof *b->tie_scale);
  b->peak = calloc(nr, sizeof *b->peak);
  b->mass_fixed = calloc(m->nmass + 1u, sizeof *b->mass_fixed);
  b->mass_first = calloc(nq + 1u, sizeof *b->mass_first);
  b->mass_entry = calloc(2u * m->nmass + 1u, sizeof *b->mass_entry);
  if (!b->parent || !b->order || !b->local || !b->rowlist || !b->blocks || !b->perm || !b->rhs ||
      !b->block_of || !b->loose || !b->share || !b->ratio || !b->coord_scale || !b->tie_scale || !b->peak || !b->mass_fixed || !b->mass_first || !b->mass_entry) {
    amo_balance_free(b);
    return AMO_ENOMEM;
  }
  build_mass_index(b);
  *out = b;
  return AMO_OK;
}

void amo_balance_free(amo_balance *b)
{
  if (b == NULL) return;
  free(b->parent); free(b->order); free(b->local); free(b->rowlist); free(b->blocks); free(b->perm);
  free(b->rhs); free(b->block_of); free(b->loose); free(b->share); free(b->ratio); free(b->coord_scale);
  free(b->tie_scale); free(b->peak); free(b->mass_fixed); free(b->mass_first);
  free(b->mass_entry); free(b->lu);
  free(b);
}

long amo_balance_singular(const amo_balance *b) { return b->singular; }
bool amo_balance_indeterminate(const amo_balance *b, uint32_t c) { return b->loose[c] && b->share[c] < 0; }

long amo_balance_share(const amo_balance *b, uint32_t c, double *ratio)
{
  *ratio = b->ratio[c];
  return b->share[c];
}

// ---- arranging ----

static uint32_t find(uint32_t *parent, uint32_t i)
{
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

static void join(uint32_t *parent, uint32_t a, uint32_t b)
{
  uint32_t ra = find(parent, a), rb = find(parent, b);
  if (ra < rb) parent[rb] = ra;
  else parent[ra] = rb;
}

static void join_row(amo_balance *b, const amo_entry *e, uint32_t n)
{
  for (uint32_t k = 1; k < n; k++) join(b->parent, e[0].col, e[k].col);
}

static void number_blocks(amo_balance *b)
{
  uint32_t nq = b->m->nq;
  b->nblocks = 0;
  for (uint32_t i = 0; i < nq; i++)
    if (find(b->parent, i) == i) {
      b->block_of[i] = b->nblocks;
      b->blocks[b->nblocks++] = (block){0};
    }
  for (uint32_t i = 0; i < nq; i++) {
    b->block_of[i] = b->block_of[find(b->parent, i)];
    b->blocks[b->block_of[i]].coords++;
  }
}

static void place_coordinates(amo_balance *b)
{
  uint32_t at = 0;
  for (uint32_t k = 0; k < b->nblocks; k++) {
    b->blocks[k].coord = at;
    at += b->blocks[k].coords;
    b->blocks[k].coords = 0;
  }
  for (uint32_t i = 0; i < b->m->nq; i++) {
    block *bl = &b->blocks[b->block_of[i]];
    b->local[i] = bl->coords;
    b->order[bl->coord + bl->coords++] = i;
  }
}

/// The i-th possible tie in these modes: stick rows, guide rows, constraint rows. False if it is not there.
static bool tie_at(const amo_balance *b, uint32_t i, const signed char *mode, const signed char *press, row *r)
{
  const amo_model *m = b->m;
  uint32_t c = i % (m->nc > 0 ? m->nc : 1);
  if (i < m->nc) {
    const amo_contact *k = &m->contact[c];
    *r = (row){TIE_STICK, k->w, k->nw, k->r_zeta, c, 0.0};
    return mode[c] == 0 && k->nw > 0;
  }
  if (i < 2 * m->nc) {
    const amo_contact *k = &m->contact[c];
    if (k->kind != AMO_GUIDE) return false;
    *r = (row){TIE_GUIDE, k->n, k->nn, k->r_gap_zeta, c, mode[c] == 0 ? 0.0 : (double)(mode[c] * press[c])};
    return k->nn > 0 && press[c] != AMO_FREED;
  }
  const amo_constraint *g = &m->constraint[i - 2 * m->nc];
  *r = (row){TIE_CONSTRAINT, g->g, g->ng, g->r_zeta, i - 2 * m->nc, 0.0};
  return g->ng > 0;
}

static void place_rows(amo_balance *b, const signed char *mode, const signed char *press)
{
  uint32_t all = 2 * b->m->nc + b->m->ng;
  for (int pass = 0; pass < 2; pass++) {  // count, then fill
    uint32_t at = 0;
    if (pass == 1)
      for (uint32_t k = 0; k < b->nblocks; k++) {
        b->blocks[k].row = at;
        at += b->blocks[k].rows;
        b->blocks[k].rows = 0;
      }
    for (uint32_t i = 0; i < all; i++) {
      row r;
      if (!tie_at(b, i, mode, press, &r)) continue;
      block *bl = &b->blocks[b->block_of[r.entry[0].col]];
      if (pass == 1) b->rowlist[bl->row + bl->rows] = r;
      bl->rows++;
    }
  }
}

static void reserve_factors(amo_balance *b)
{
  size_t need = 0;
  uint32_t perm = 0;
  for (uint32_t k = 0; k < b->nblocks; k++) {
    uint32_t n = b->blocks[k].coords + b->blocks[k].rows;
    b->blocks[k].lu = need;
    b->blocks[k].perm = perm;
    need += (size_t)n * n;
    perm += 2 * n;
  }
  if (need > b->lu_capacity) {  // grows a few times in a run, never inside the order loop
    double *lu = realloc(b->lu, need * sizeof *lu);
    b->failed = lu == NULL;
    if (b->failed) return;
    b->lu = lu;
    b->lu_capacity = need;
  }
}

void amo_balance_arrange(amo_balance *b, const signed char *mode, const signed char *press)
{
  const amo_model *m = b->m;
  for (uint32_t i = 0; i < m->nq; i++) b->parent[i] = i;
  for (uint32_t e = 0; e < m->nmass; e++) join(b->parent, m->mass[e].row, m->mass[e].col);
  for (uint32_t c = 0; c < m->nc; c++) {
    const amo_contact *k = &m->contact[c];
    b->loose[c] = mode[c] == 0 && k->nw == 0;
    b->share[c] = -1;
    if (mode[c] == 0 || k->kind == AMO_GUIDE) join_row(b, k->w, k->nw);
    if (k->kind != AMO_GUIDE) continue;
    join_row(b, k->n, k->nn);
    if (k->nn > 0 && k->nw > 0) join(b->parent, k->n[0].col, k->w[0].col);
  }
  for (uint32_t g = 0; g < m->ng; g++) join_row(b, m->constraint[g].g, m->constraint[g].ng);
  number_blocks(b);
  place_coordinates(b);
  place_rows(b, mode, press);
  reserve_factors(b);
}

// ---- factoring ----

/// Power of two near 1/x: scaling by it is exact.
static double reciprocal_power(double x)
{
  int e;
  if (!(x > 0.0) || !isfinite(x)) return 1.0;
  frexp(x, &e);
  return ldexp(1.0, -e);
}

/// Units must not decide what counts as singular: scale M to a unit diagonal, then each tie to size 1.
static void choose_scales(amo_balance *b, const block *bl, amo_span v)
{
  const amo_model *m = b->m;
  for (uint32_t i = 0; i < bl->coords; i++) {
    uint32_t q = b->order[bl->coord + i];
    b->coord_scale[q] = 1.0;
    for (uint32_t e = b->mass_first[q]; e < b->mass_first[q + 1]; e++) {
      const amo_entry *me = &m->mass[b->mass_entry[e]];
      if (me->row == me->col) b->coord_scale[q] = reciprocal_power(sqrt(fabs(v.base[me->reg * v.reg])));
    }
  }
  for (uint32_t r = 0; r < bl->rows; r++) {
    const row *ro = &b->rowlist[bl->row + r];
    double size = 0.0;
    for (uint32_t e = 0; e < ro->entries; e++)
      size = fmax(size, fabs(v.base[ro->entry[e].reg * v.reg]) * b->coord_scale[ro->entry[e].col]);
    // a row that has vanished is measured by what it was, or rounding would be taken for a row
    if (ro->kind == TIE_STICK && size < 1e-12 * b->peak[ro->item]) size = b->peak[ro->item];
    b->tie_scale[bl->row + r] = reciprocal_power(size);
  }
}

static void load_masses(const amo_balance *b, const block *bl, amo_span v, double *a, uint32_t n, uint32_t first)
{
  const amo_model *m = b->m;
  for (uint32_t i = 0; i < bl->coords; i++) {
    uint32_t q = b->order[bl->coord + i];
    for (uint32_t e = b->mass_first[q]; e < b->mass_first[q + 1]; e++) {
      const amo_entry *me = &m->mass[b->mass_entry[e]];
      uint32_t other = me->row == q ? me->col : me->row;
      a[(size_t)(first + i) * n + b->local[other]] =
          v.base[me->reg * v.reg] * b->coord_scale[q] * b->coord_scale[other];
    }
  }
}

static void load_block(amo_balance *b, const block *bl, amo_span v, double *a, uint32_t n)
{
  const amo_model *m = b->m;
  memset(a, 0, (size_t)n * n * sizeof *a);
  for (uint32_t r = 0; r < bl->rows; r++) {  // tie rows first
    const row *ro = &b->rowlist[bl->row + r];
    double scale = b->tie_scale[bl->row + r];
    for (uint32_t e = 0; e < ro->entries; e++) {
      double w = v.base[ro->entry[e].reg * v.reg] * scale * b->coord_scale[ro->entry[e].col];
      uint32_t j = b->local[ro->entry[e].col];
      a[(size_t)r * n + j] = w;
      a[(size_t)(bl->rows + j) * n + bl->coords + r] = -w;
    }
    if (ro->sign == 0.0) continue;
    const amo_contact *k = &m->contact[ro->item];  // friction that the reaction brings with it
    double f = ro->sign * v.base[k->r_kinetic * v.reg] * scale;
    for (uint32_t e = 0; e < k->nw; e++)
      a[(size_t)(bl->rows + b->local[k->w[e].col]) * n + bl->coords + r] +=
          f * v.base[k->w[e].reg * v.reg] * b->coord_scale[k->w[e].col];
  }
  load_masses(b, bl, v, a, n, bl->rows);
}

/// Cholesky's test on the scaled masses of a block (in the space of its factors).
static bool positive_definite(const amo_balance *b, const block *bl, amo_span v, double *a)
{
  uint32_t n = bl->coords;
  memset(a, 0, (size_t)n * n * sizeof *a);
  load_masses(b, bl, v, a, n, 0);
  for (uint32_t j = 0; j < n; j++) {
    double d = a[(size_t)j * n + j];
    for (uint32_t k = 0; k < j; k++) d -= a[(size_t)j * n + k] * a[(size_t)j * n + k];
    if (!(d > 1e-14)) return false;
    d = sqrt(d);
    a[(size_t)j * n + j] = d;
    for (uint32_t i = j + 1; i < n; i++) {
      double x = a[(size_t)i * n + j];
      for (uint32_t k = 0; k < j; k++) x -= a[(size_t)i * n + k] * a[(size_t)j * n + k];
      a[(size_t)i * n + j] = x / d;
    }
  }
  return true;
}

static void swap_rows(double *a, uint32_t n, uint32_t *rp, uint32_t i, uint32_t j)
{
  if (i == j) return;
  uint32_t t = rp[i];
  rp[i] = rp[j];
  rp[j] = t;
  for (uint32_t k = 0; k < n; k++) {
    double x = a[(size_t)i * n + k];
    a[(size_t)i * n + k] = a[(size_t)j * n + k];
    a[(size_t)j * n + k] = x;
  }
}

static void swap_columns(double *a, uint32_t n, uint32_t *cp, uint32_t i, uint32_t j)
{
  if (i == j) return;
  uint32_t t = cp[i];
  cp[i] = cp[j];
  cp[j] = t;
  for (uint32_t k = 0; k < n; k++) {
    double x = a[(size_t)k * n + i];
    a[(size_t)k * n + i] = a[(size_t)k * n + j];
    a[(size_t)k * n + j] = x;
  }
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

/// Are two rows multiples of each other? *ratio = first over second.
static bool parallel(const row *x, const row *y, amo_span v, double *ratio)
{
  if (x->kind != TIE_STICK || y->kind != TIE_STICK || x->entries != y->entries) return false;
  *ratio = 0.0;
  for (uint32_t e = 0; e < x->entries; e++) {
    double a = v.base[x->entry[e].reg * v.reg], c = v.base[y->entry[e].reg * v.reg];
    if (x->entry[e].col != y->entry[e].col || c == 0.0) return false;
    if (e > 0 && fabs(a - *ratio * c) > 1e-12 * fabs(a)) return false;
    if (e == 0) *ratio = a / c;
  }
  return *ratio != 0.0;
}

/// A dependent row: its force is not determined. Parallel contacts share the load of the one that stays.
static void note_redundant(amo_balance *b, const block *bl, uint32_t tie, amo_span v)
{
  const row *ro = &b->rowlist[bl->row + tie];
  if (ro->kind == TIE_CONSTRAINT) return;
  b->loose[ro->item] = true;
  for (uint32_t i = 0; i < bl->rows; i++) {
    const row *other = &b->rowlist[bl->row + i];
    double ratio;
    if (i == tie || other->kind != TIE_STICK || b->loose[other->item]) continue;
    if (!parallel(ro, other, v, &ratio)) continue;
    b->share[ro->item] = (long)other->item;
    b->ratio[ro->item] = ratio;
    return;
  }
}

/// Eliminate the tie rows; dependent ones move to the end and drop out with their forces.
static void factor_ties(amo_balance *b, block *bl, amo_span v, double *a, uint32_t n, uint32_t *ties, uint32_t *live)
{
  uint32_t *rp = b->perm + bl->perm, *cp = rp + n;
  *live = n;
  *ties = bl->rows;
  for (uint32_t s = 0; s < *ties;) {
    uint32_t pi = s, pj = s;
    if (pick_pivot(a, n, s, s + 1, bl->coords, &pi, &pj) > 1e-12) {
      swap_columns(a, n, cp, s, pj);
      eliminate(a, n, s);
      s++;
      continue;
    }
    uint32_t tie = rp[s], column = 0;
    (*ties)--;
    (*live)--;
    swap_rows(a, n, rp, s, *ties);
    swap_rows(a, n, rp, *ties, *live);
    for (uint32_t j = 0; j <= *live; j++)
      if (cp[j] == bl->coords + tie) column = j;
    swap_columns(a, n, cp, column, *live);
    note_redundant(b, bl, tie, v);
  }
}

static amo_status factor_block(amo_balance *b, block *bl, amo_span v)
{
  uint32_t n = bl->coords + bl->rows, ties = 0, live = 0;
  double *a = b->lu + bl->lu;
  uint32_t *rp = b->perm + bl->perm, *cp = rp + n;
  choose_scales(b, bl, v);
  bool good = positive_definite(b, bl, v, a);
  load_block(b, bl, v, a, n);
  for (uint32_t i = 0; i < n; i++) rp[i] = cp[i] = i;
  if (good) factor_ties(b, bl, v, a, n, &ties, &live);
  for (uint32_t s = good ? ties : 0; good && s < live; s++) {
    uint32_t pi = s, pj = s;
    good = pick_pivot(a, n, s, live, live, &pi, &pj) > 1e-14;
    swap_rows(a, n, rp, s, pi);
    swap_columns(a, n, cp, s, pj);
    eliminate(a, n, s);
  }
  if (!good) b->singular = (long)b->order[bl->coord];
  bl->rank_rows = good ? live : 0;
  return good ? AMO_OK : AMO_ENOANSWER;
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

// ---- solving ----

static double convolve(amo_span v, uint32_t reg, const double *x, size_t ord, int k)
{
  const double *a = v.base + reg * v.reg;
  double sum = 0.0;
  for (int j = 1; j <= k; j++) sum += a[(size_t)j * v.ord] * x[(size_t)(k - j) * ord];
  return sum;
}

static double tie_rhs(const amo_balance *b, const row *ro, amo_span v, amo_result r, int k)
{
  bool fixed = amo_prog_is_fixed(b->m->step, ro->zeta);
  double x = fixed ? (k == 0 ? -v.base[ro->zeta * v.reg] : 0.0) : -v.base[ro->zeta * v.reg + (size_t)k * v.ord];
  for (uint32_t e = 0; k > 0 && e < ro->entries; e++)
    if (!amo_prog_is_fixed(b->m->step, ro->entry[e].reg))
      x -= convolve(v, ro->entry[e].reg, r.acc + ro->entry[e].col * r.item, r.ord, k);
  return x;
}

static double force_rhs(const amo_balance *b, uint32_t q, amo_span v, amo_result r, int k)
{
  const amo_model *m = b->m;
  bool fixed = amo_prog_is_fixed(m->step, m->r_h[q]);
  double x = fixed ? (k == 0 ? v.base[m->r_h[q] * v.reg] : 0.0)
                   : v.base[m->r_h[q] * v.reg + (size_t)k * v.ord];
  if (k == 0) return r.extra != NULL ? x + r.extra[q] : x;
  for (uint32_t e = b->mass_first[q]; e < b->mass_first[q + 1]; e++) {
    const amo_entry *me = &m->mass[b->mass_entry[e]];
    uint32_t other = me->row == q ? me->col : me->row;
    if (!b->mass_fixed[b->mass_entry[e]]) x -= convolve(v, me->reg, r.acc + other * r.item, r.ord, k);
  }
  return x;
}

static double *force_of(const row *ro, amo_result r)
{
  double *f = ro->kind == TIE_STICK ? r.lambda : ro->kind == TIE_GUIDE ? r.reaction : r.multiplier;
  return f + ro->item * r.item;
}

static bool varies(const amo_balance *b, uint32_t reg) { return !amo_prog_is_fixed(b->m->step, reg); }

/// Friction of a slipping guide that lower orders of R bring at order k: -sum_{j>=1} f_j R_{k-j}.
static double friction_history(const amo_balance *b, const row *ro, amo_span v, amo_result r, int k)
{
  uint32_t mu = b->m->contact[ro->item].r_kinetic;
  return varies(b, mu) ? -ro->sign * convolve(v, mu, r.reaction + ro->item * r.item, r.ord, k) : 0.0;
}

/// Force terms of lower order, for ties whose rows or coefficients change in time.
static void add_tie_history(const amo_balance *b, const block *bl, amo_span v, amo_result r, int k, double *rhs)
{
  for (uint32_t i = 0; i < bl->rows; i++) {
    const row *ro = &b->rowlist[bl->row + i];
    for (uint32_t e = 0; e < ro->entries; e++)
      if (varies(b, ro->entry[e].reg))
        rhs[bl->rows + b->local[ro->entry[e].col]] += convolve(v, ro->entry[e].reg, force_of(ro, r), r.ord, k);
    if (ro->sign == 0.0) continue;
    const amo_contact *c = &b->m->contact[ro->item];
    double late = friction_history(b, ro, v, r, k);
    for (uint32_t e = 0; e < c->nw; e++) {
      double *to = &rhs[bl->rows + b->local[c->w[e].col]];
      *to += late * v.base[c->w[e].reg * v.reg];
      if (varies(b, c->w[e].reg)) *to += convolve(v, c->w[e].reg, r.lambda + ro->item * r.item, r.ord, k);
    }
  }
}

/// Solve with the factors of a block; x in the block's own order (coordinates, then forces).
static void back_substitute(const amo_balance *b, const block *bl, const double *rhs, double *x)
{
  uint32_t n = bl->coords + bl->rows, live = bl->rank_rows;
  const double *a = b->lu + bl->lu;
  const uint32_t *rp = b->perm + bl->perm, *cp = rp + n;
  double *y = b->rhs + b->m->nq + 2 * b->m->nc + b->m->ng + 2;
  for (uint32_t i = 0; i < live; i++) {
    uint32_t r = rp[i];
    double s = rhs[r] * (r < bl->rows ? b->tie_scale[bl->row + r] : b->coord_scale[b->order[bl->coord + r - bl->rows]]);
    for (uint32_t j = 0; j < i; j++) s -= a[(size_t)i * n + j] * y[j];
    y[i] = s;
  }
  for (uint32_t i = 0; i < n; i++) x[i] = 0.0;
  for (uint32_t i = live; i-- > 0;) {
    double s = y[i];
    for (uint32_t j = i + 1; j < live; j++) s -= a[(size_t)i * n + j] * y[j];
    y[i] = s / a[(size_t)i * n + i];
    uint32_t c = cp[i];
    x[c] = y[i] * (c < bl->coords ? b->coord_scale[b->order[bl->coord + c]] : b->tie_scale[bl->row + c - bl->coords]);
  }
}

static void solve_block(const amo_balance *b, const block *bl, amo_span v, amo_result r, int k)
{
  double *rhs = b->rhs, *x = b->rhs;  // solved in place: rhs is read before x is written
  for (uint32_t i = 0; i < bl->rows; i++) rhs[i] = tie_rhs(b, &b->rowlist[bl->row + i], v, r, k);
  for (uint32_t i = 0; i < bl->coords; i++)
    rhs[bl->rows + i] = force_rhs(b, b->order[bl->coord + i], v, r, k);
  if (k > 0) add_tie_history(b, bl, v, r, k, rhs);
  back_substitute(b, bl, rhs, x);
  for (uint32_t i = 0; i < bl->coords; i++)
    r.acc[b->order[bl->coord + i] * r.item + (size_t)k * r.ord] = x[i];
  for (uint32_t i = 0; i < bl->rows; i++) {
    const row *ro = &b->rowlist[bl->row + i];
    double *f = force_of(ro, r), value = x[bl->coords + i];
    f[(size_t)k * r.ord] = value;
    if (ro->sign == 0.0) continue;
    double mu = v.base[b->m->contact[ro->item].r_kinetic * v.reg];
    r.lambda[ro->item * r.item + (size_t)k * r.ord] =
        -ro->sign * mu * value + (k > 0 ? friction_history(b, ro, v, r, k) : 0.0);
  }
}

void amo_balance_solve(const amo_balance *b, amo_span v, amo_result r, int k)
{
  for (uint32_t i = 0; i < b->nblocks; i++) {
    const block *bl = &b->blocks[i];
    if (bl->coords == 1 && bl->rows == 0) {
      uint32_t q = b->order[bl->coord];
      r.acc[q * r.item + (size_t)k * r.ord] = force_rhs(b, q, v, r, k) / b->lu[bl->lu];
    } else {
      solve_block(b, bl, v, r, k);
    }
  }
  for (uint32_t c = 0; c < b->m->nc; c++)
    if (b->loose[c]) r.lambda[c * r.item + (size_t)k * r.ord] = 0.0;
}

void amo_balance_project(const amo_balance *b, const double *slip, const double *constraint, const double *gap,
                         double *du)
{
  for (uint32_t i = 0; i < b->nblocks; i++) {
    const block *bl = &b->blocks[i];
    for (uint32_t j = 0; j < bl->coords; j++) du[b->order[bl->coord + j]] = 0.0;
    if (bl->rows == 0) continue;
    for (uint32_t j = 0; j < bl->rows; j++) {
      const row *ro = &b->rowlist[bl->row + j];
      b->rhs[j] = -(ro->kind == TIE_STICK ? slip : ro->kind == TIE_GUIDE ? gap : constraint)[ro->item];
    }
    for (uint32_t j = 0; j < bl->coords; j++) b->rhs[bl->rows + j] = 0.0;
    back_substitute(b, bl, b->rhs, b->rhs);
    for (uint32_t j = 0; j < bl->coords; j++) du[b->order[bl->coord + j]] = b->rhs[j];
  }
}
