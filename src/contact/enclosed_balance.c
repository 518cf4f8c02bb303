// SPDX-License-Identifier: Apache-2.0
#include "contact/enclosed_balance.h"

#include <stdlib.h>
#include <string.h>

#include "contact/balance_impl.h"
#include "num/solve.h"

#define ADD amo_interval_add
#define SUB amo_interval_sub
#define MUL amo_interval_mul

static const amo_interval none = {0.0, 0.0};

struct amo_enclosed_balance {
  amo_arena memory;  // of what does not grow
  const amo_model *m;
  amo_balance *plan;       // blocks, rows and scales
  double *middle;          // [registers] of the intervals
  amo_interval *matrix;    // one block at a time
  double *inverse, *miss;  // all blocks: R, and bounds of |I - R A|
  double *gain;            // [blocks] |I - R A| in the largest norm
  double *work;            // [n n] of one block
  amo_interval *rhs, *y;   // [unknowns] of one block
  size_t capacity;         // doubles in inverse
};

void amo_enclosed_balance_free(amo_enclosed_balance *b)
{
  if (b == NULL) return;
  amo_balance_free(b->plan);
  free(b->matrix);
  free(b->inverse);
  free(b->miss);
  free(b->work);
  amo_arena_free(&b->memory);
  free(b);
}

amo_status amo_enclosed_balance_new(const amo_model *m, amo_enclosed_balance **out)
{
  *out = NULL;
  amo_enclosed_balance *b = calloc(1, sizeof *b);
  if (b == NULL) return AMO_ENOMEM;
  const size_t unknowns = m->nq + 3u * (size_t)m->nc + m->ng + 1u;
  b->m = m;
  AMO_TAKE(&b->memory, double, amo_prog_registers(m->step) + 1u, &b->middle);
  AMO_TAKE(&b->memory, double, m->nq + 1u, &b->gain);
  AMO_TAKE(&b->memory, amo_interval, unknowns, &b->rhs);
  AMO_TAKE(&b->memory, amo_interval, 2 * unknowns, &b->y);
  amo_status st = amo_balance_new(m, &b->plan);
  if (b->memory.failed) st = AMO_ENOMEM;
  if (st != AMO_OK) {
    amo_enclosed_balance_free(b);
    return st;
  }
  *out = b;
  return AMO_OK;
}

/// Grows a few times in a run.
static amo_status reserve(amo_enclosed_balance *b)
{
  size_t need = 0;
  for (uint32_t k = 0; k < b->plan->nblocks; k++) {
    const size_t n = b->plan->blocks[k].coords + b->plan->blocks[k].rows;
    need += n * n;
  }
  if (need <= b->capacity) return AMO_OK;
  double *inverse = realloc(b->inverse, need * sizeof *inverse);
  if (inverse) b->inverse = inverse;
  double *miss = realloc(b->miss, need * sizeof *miss);
  if (miss) b->miss = miss;
  double *work = realloc(b->work, need * sizeof *work);
  if (work) b->work = work;
  amo_interval *matrix = realloc(b->matrix, need * sizeof *matrix);
  if (matrix) b->matrix = matrix;
  if (!inverse || !miss || !work || !matrix) return AMO_ENOMEM;
  b->capacity = need;
  return AMO_OK;
}

amo_status amo_enclosed_balance_arrange(amo_enclosed_balance *b, const signed char *mode,
                                        const signed char *reaction_sign)
{
  amo_balance_arrange(b->plan, mode, reaction_sign);
  return b->plan->failed ? AMO_ENOMEM : reserve(b);
}

// ---- factors ----

static amo_interval entry(const amo_enclosed_series *x, uint32_t reg, double scale)
{
  return MUL(x->jet[reg * x->stride], amo_interval_of(scale));
}

static double reciprocal_power(double x)
{
  return x > 0.0 && isfinite(x) ? ldexp(1.0, -ilogb(x)) : 1.0;
}

static double largest_tie(const amo_enclosed_balance *b, const block *bl, uint32_t q)
{
  double size = 0.0;
  for (uint32_t r = 0; r < bl->rows; r++) {
    const row *ro = &b->plan->rowlist[bl->row + r];
    for (uint32_t e = 0; e < ro->entries; e++)
      if (ro->entry[e].col == q) size = fmax(size, fabs(b->middle[ro->entry[e].reg]));
  }
  return size;
}

/// Powers of two that bring masses and ties to size 1. A coordinate without inertia is measured by the largest of its ties: one
/// of them may be zero but for rounding (a cam's normal across its tangent).
static void choose_scales(amo_enclosed_balance *b, const block *bl)
{
  amo_balance *p = b->plan;
  for (uint32_t i = 0; i < bl->coords; i++) {
    const uint32_t q = p->order[bl->coord + i];
    double size = 0.0;
    for (uint32_t e = p->mass_first[q]; e < p->mass_first[q + 1]; e++) {
      const amo_entry *me = &b->m->mass[p->mass_entry[e]];
      if (me->row == me->col) size = sqrt(fmax(b->middle[me->reg], 0.0));
    }
    p->coord_scale[q] = reciprocal_power(size > 0.0 ? size : largest_tie(b, bl, q));
  }
  for (uint32_t r = 0; r < bl->rows; r++) {
    const row *ro = &p->rowlist[bl->row + r];
    double size = 0.0;
    for (uint32_t e = 0; e < ro->entries; e++)
      size = fmax(size, fabs(b->middle[ro->entry[e].reg]) * p->coord_scale[ro->entry[e].col]);
    p->tie_scale[bl->row + r] = reciprocal_power(size);
  }
}

/// The same system as that of balance_factor.c.
static void load(amo_enclosed_balance *b, const block *bl, const amo_enclosed_series *x, size_t n)
{
  const amo_balance *p = b->plan;
  amo_interval *a = b->matrix;
  memset(a, 0, n * n * sizeof *a);
  for (uint32_t r = 0; r < bl->rows; r++) {
    const row *ro = &p->rowlist[bl->row + r];
    const double scale = p->tie_scale[bl->row + r];
    for (uint32_t e = 0; e < ro->entries; e++) {
      const size_t j = p->local[ro->entry[e].col];
      const amo_interval w = entry(x, ro->entry[e].reg, scale * p->coord_scale[ro->entry[e].col]);
      a[r * n + j] = w;
      a[(bl->rows + j) * n + bl->coords + r] = amo_interval_neg(w);
    }
    if (ro->sign == 0.0) continue;
    const amo_contact *k = &b->m->contact[ro->item];
    const amo_interval f = entry(x, k->r_kinetic, ro->sign * scale);
    for (uint32_t e = 0; e < k->nw; e++) {
      amo_interval *to = &a[(bl->rows + p->local[k->w[e].col]) * n + bl->coords + r];
      *to = ADD(*to, MUL(f, entry(x, k->w[e].reg, p->coord_scale[k->w[e].col])));
    }
  }
  for (uint32_t i = 0; i < bl->coords; i++) {
    const uint32_t q = p->order[bl->coord + i];
    for (uint32_t e = p->mass_first[q]; e < p->mass_first[q + 1]; e++) {
      const amo_entry *me = &b->m->mass[p->mass_entry[e]];
      const uint32_t other = me->row == q ? me->col : me->row;
      a[(bl->rows + i) * n + p->local[other]] = entry(x, me->reg, p->coord_scale[q] * p->coord_scale[other]);
    }
  }
}

/// Approximate inverse R of the middle of the matrix, from the transpose: R A is to be near the unit matrix. False if there is none.
static bool invert(const amo_interval *matrix, double *a, double *r, size_t n)
{
  for (size_t i = 0; i < n * n; i++) a[i] = 0.5 * matrix[i].lo + 0.5 * matrix[i].hi;
  amo_transpose(a, n);
  const bool ok = amo_invert(a, n, r) == AMO_OK;
  amo_transpose(r, n);
  return ok;
}

/// Bounds of |I - R A|; returns its largest row sum.
static double measure(const amo_interval *a, const double *r, double *miss, size_t n)
{
  double worst = 0.0;
  for (size_t i = 0; i < n; i++) {
    double total = 0.0;
    for (size_t j = 0; j < n; j++) {
      amo_interval sum = amo_interval_of(i == j);
      for (size_t k = 0; k < n; k++)
        if (r[i * n + k] != 0.0) sum = SUB(sum, MUL(amo_interval_of(r[i * n + k]), a[k * n + j]));
      miss[i * n + j] = amo_interval_size(sum);
      total += miss[i * n + j];
    }
    if (!(total <= worst)) worst = total;  // NaN goes on
  }
  return worst * (1.0 + AMO_FAINT);  // more than the rounding of the sums
}

const char *amo_enclosed_balance_factor(amo_enclosed_balance *b, const amo_enclosed_series *x)
{
  amo_balance *p = b->plan;
  const uint32_t registers = amo_prog_registers(b->m->step);
  for (uint32_t r = 0; r < registers; r++) {
    const amo_interval v = x->jet[r * x->stride];
    b->middle[r] = amo_interval_finite(v) ? 0.5 * v.lo + 0.5 * v.hi : 0.0;
  }
  if (amo_balance_factor(p, (amo_span){b->middle, 1, 1}) != AMO_OK) return "the masses may be singular";
  size_t at = 0;
  for (uint32_t k = 0; k < p->nblocks; k++) {
    const block *bl = &p->blocks[k];
    const size_t n = bl->coords + bl->rows;
    if (n > 1 && bl->rank_rows < n) return "the balance does not determine all forces";
    if (n == 1 || b->m->light) choose_scales(b, bl);  // otherwise the plan has good ones
    load(b, bl, x, n);
    if (!invert(b->matrix, b->work, b->inverse + at, n)) return "the masses may be singular";
    b->gain[k] = measure(b->matrix, b->inverse + at, b->miss + at, n);
    if (!(b->gain[k] < 1.0)) return "the masses may be singular";
    at += n * n;
  }
  return NULL;
}

// ---- unknowns, as in balance_solve.c ----

static amo_interval coefficient(const amo_enclosed_balance *b, const amo_enclosed_series *x, uint32_t reg,
                                int k)
{
  if (k > 0 && amo_prog_is_fixed(b->m->step, reg)) return none;
  return x->jet[reg * x->stride + (size_t)k];
}

/// What the coefficients j >= 1 of a register bring with those k - j of an unknown.
static amo_interval history(const amo_enclosed_balance *b, const amo_enclosed_series *x, uint32_t reg,
                            const amo_interval *unknown, int k)
{
  amo_interval sum = none;
  if (amo_prog_is_fixed(b->m->step, reg)) return sum;
  for (int j = 1; j <= k; j++) sum = ADD(sum, MUL(x->jet[reg * x->stride + (size_t)j], unknown[k - j]));
  return sum;
}

static amo_interval *force_of(const row *ro, const amo_enclosed_series *x)
{
  return (ro->kind == TIE_STICK   ? x->lambda
          : ro->kind == TIE_GUIDE ? x->reaction
                                  : x->multiplier) +
         ro->item * x->stride;
}

static amo_interval friction_history(const amo_enclosed_balance *b, const row *ro,
                                     const amo_enclosed_series *x, int k)
{
  const amo_interval late =
      history(b, x, b->m->contact[ro->item].r_kinetic, x->reaction + ro->item * x->stride, k);
  return MUL(amo_interval_of(-ro->sign), late);
}

static void load_ties(const amo_enclosed_balance *b, const block *bl, const amo_enclosed_series *x, int k)
{
  const amo_balance *p = b->plan;
  for (uint32_t i = 0; i < bl->rows; i++) {
    const row *ro = &p->rowlist[bl->row + i];
    b->rhs[i] = amo_interval_neg(coefficient(b, x, ro->zeta, k));
    for (uint32_t e = 0; e < ro->entries; e++) {
      const amo_entry *w = &ro->entry[e];
      amo_interval *to = &b->rhs[bl->rows + p->local[w->col]];
      b->rhs[i] = SUB(b->rhs[i], history(b, x, w->reg, x->acc + w->col * x->stride, k));
      *to = ADD(*to, history(b, x, w->reg, force_of(ro, x), k));
    }
    if (ro->sign == 0.0 || k == 0) continue;
    const amo_contact *c = &b->m->contact[ro->item];
    const amo_interval late = friction_history(b, ro, x, k);
    for (uint32_t e = 0; e < c->nw; e++) {
      amo_interval *to = &b->rhs[bl->rows + p->local[c->w[e].col]];
      *to = ADD(*to, MUL(late, x->jet[c->w[e].reg * x->stride]));
      *to = ADD(*to, history(b, x, c->w[e].reg, x->lambda + ro->item * x->stride, k));
    }
  }
}

static void load_forces(const amo_enclosed_balance *b, const block *bl, const amo_enclosed_series *x, int k)
{
  const amo_balance *p = b->plan;
  for (uint32_t i = 0; i < bl->coords; i++) {
    const uint32_t q = p->order[bl->coord + i];
    amo_interval sum = coefficient(b, x, b->m->r_h[q], k);
    for (uint32_t e = p->mass_first[q]; e < p->mass_first[q + 1]; e++) {
      const amo_entry *me = &b->m->mass[p->mass_entry[e]];
      const uint32_t other = me->row == q ? me->col : me->row;
      sum = SUB(sum, history(b, x, me->reg, x->acc + other * x->stride, k));
    }
    b->rhs[bl->rows + i] = sum;
  }
}

static amo_interval meet(amo_interval a, amo_interval b)
{
  const double lo = a.lo > b.lo ? a.lo : b.lo, hi = a.hi < b.hi ? a.hi : b.hi;
  return lo <= hi ? (amo_interval){lo, hi} : a;
}

/// y = R b, then y + (I - R A) y within what the norm allows.
static void substitute(const amo_enclosed_balance *b, const block *bl, size_t at, double gain)
{
  const amo_balance *p = b->plan;
  const size_t n = bl->coords + bl->rows;
  const double *r = b->inverse + at, *miss = b->miss + at;
  amo_interval *y = b->y, *direct = b->y + n;
  double size = 0.0;
  for (size_t i = 0; i < n; i++) {
    const double scale =
        i < bl->rows ? p->tie_scale[bl->row + i] : p->coord_scale[p->order[bl->coord + i - bl->rows]];
    b->rhs[i] = MUL(b->rhs[i], amo_interval_of(scale));
  }
  for (size_t i = 0; i < n; i++) {
    amo_interval sum = none;
    for (size_t j = 0; j < n; j++)
      if (r[i * n + j] != 0.0) sum = ADD(sum, MUL(amo_interval_of(r[i * n + j]), b->rhs[j]));
    direct[i] = sum;
    size = fmax(size, amo_interval_size(sum));
  }
  const double ball = size / (1.0 - gain) * gain * (1.0 + AMO_FAINT);
  for (size_t i = 0; i < n; i++) y[i] = ADD(direct[i], amo_interval_between(-ball, ball));
  for (int pass = 0; pass < 3; pass++)
    for (size_t i = 0; i < n; i++) {
      amo_interval sum = direct[i];
      for (size_t j = 0; j < n; j++) {
        const double m = miss[i * n + j];
        if (m > 0.0) sum = ADD(sum, MUL((amo_interval){-m, m}, y[j]));
      }
      y[i] = meet(y[i], sum);
    }
}

/// From the scaled unknowns to those of the model.
static void hand_out(const amo_enclosed_balance *b, const block *bl, const amo_enclosed_series *x, int k)
{
  const amo_balance *p = b->plan;
  for (uint32_t i = 0; i < bl->coords; i++) {
    const uint32_t q = p->order[bl->coord + i];
    x->acc[q * x->stride + (size_t)k] = MUL(b->y[i], amo_interval_of(p->coord_scale[q]));
  }
  for (uint32_t i = 0; i < bl->rows; i++) {
    const row *ro = &p->rowlist[bl->row + i];
    const amo_interval value = MUL(b->y[bl->coords + i], amo_interval_of(p->tie_scale[bl->row + i]));
    force_of(ro, x)[k] = value;
    if (ro->sign == 0.0) continue;
    const amo_interval now =
        MUL(amo_interval_of(-ro->sign), entry(x, b->m->contact[ro->item].r_kinetic, 1.0));
    x->lambda[ro->item * x->stride + (size_t)k] = ADD(MUL(now, value), friction_history(b, ro, x, k));
  }
}

void amo_enclosed_balance_solve(const amo_enclosed_balance *b, const amo_enclosed_series *x, int k)
{
  size_t at = 0;
  for (uint32_t i = 0; i < b->plan->nblocks; i++) {
    const block *bl = &b->plan->blocks[i];
    const size_t n = bl->coords + bl->rows;
    load_forces(b, bl, x, k);
    load_ties(b, bl, x, k);
    substitute(b, bl, at, b->gain[i]);
    hand_out(b, bl, x, k);
    at += n * n;
  }
}
