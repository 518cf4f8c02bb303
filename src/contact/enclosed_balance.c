// SPDX-License-Identifier: Apache-2.0
#include "contact/enclosed_balance.h"

#include <stdlib.h>
#include <string.h>

#include "contact/balance_impl.h"
#include "num/solve.h"

/// As amo_span and amo_result.
typedef struct enclosed_span {
  const amo_interval *base;
  size_t reg, ord;
} enclosed_span;

typedef struct enclosed_result {
  amo_interval *acc, *lambda, *reaction, *multiplier, *traction;
  size_t item, ord;
} enclosed_result;

#define num    amo_interval
#define span   enclosed_span
#define result enclosed_result
#define ADD    amo_interval_add
#define SUB    amo_interval_sub
#define MUL    amo_interval_mul
#define NEG    amo_interval_neg
#define OF     amo_interval_of
#include "contact/balance_terms.inc"

struct amo_enclosed_balance {
  amo_arena memory, factors;  // factors grow
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
  amo_arena_free(&b->factors);
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
  amo_arena_free(&b->factors);
  AMO_TAKE(&b->factors, double, need, &b->inverse, &b->miss, &b->work);
  AMO_TAKE(&b->factors, amo_interval, need, &b->matrix);
  b->capacity = b->factors.failed ? 0 : need;
  return b->factors.failed ? AMO_ENOMEM : AMO_OK;
}

amo_status amo_enclosed_balance_arrange(amo_enclosed_balance *b, const signed char *mode,
                                        const signed char *reaction_sign)
{
  amo_balance_arrange(b->plan, mode, reaction_sign);
  return b->plan->failed ? AMO_ENOMEM : reserve(b);
}

// ---- factors ----

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

static enclosed_span registers(const amo_enclosed_series *x)
{
  return (enclosed_span){x->jet, x->stride, 1};
}

const char *amo_enclosed_balance_factor(amo_enclosed_balance *b, const amo_enclosed_series *x)
{
  amo_balance *p = b->plan;
  const uint32_t count = amo_prog_registers(b->m->step);
  for (uint32_t r = 0; r < count; r++) {
    const amo_interval v = x->jet[r * x->stride];
    b->middle[r] = amo_interval_finite(v) ? 0.5 * v.lo + 0.5 * v.hi : 0.0;
  }
  const amo_span middle = {b->middle, 1, 1};
  if (amo_balance_factor(p, middle) != AMO_OK) return "the masses may be singular";
  size_t at = 0;
  for (uint32_t k = 0; k < p->nblocks; k++) {
    const block *bl = &p->blocks[k];
    const size_t n = bl->coords + bl->rows;
    if (n > 1 && (bl->rank_rows < n || bl->springs > 0)) return "the balance does not determine all forces";
    if (n == 1) amo_balance_scale(p, bl, middle);  // the plan did without
    load_block(p, bl, registers(x), b->matrix, n);
    if (!invert(b->matrix, b->work, b->inverse + at, n)) return "the masses may be singular";
    b->gain[k] = measure(b->matrix, b->inverse + at, b->miss + at, n);
    if (!(b->gain[k] < 1.0)) return "the masses may be singular";
    at += n * n;
  }
  return NULL;
}

// ---- unknowns ----

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
    amo_interval sum = OF(0.0);
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

void amo_enclosed_balance_solve(const amo_enclosed_balance *b, const amo_enclosed_series *x, int k)
{
  const amo_balance *p = b->plan;
  const enclosed_span v = registers(x);
  const enclosed_result r = {x->acc, x->lambda, x->reaction, x->multiplier, NULL, x->stride, 1};
  size_t at = 0;
  for (uint32_t i = 0; i < p->nblocks; i++) {
    const block *bl = &p->blocks[i];
    const size_t n = bl->coords + bl->rows;
    for (uint32_t j = 0; j < bl->rows; j++) {
      const row *ro = &p->rowlist[bl->row + j];
      b->rhs[j] = tie_rhs(p, ro, v, r, k, amo_interval_neg(register_at(p, v, ro->zeta, k)));
    }
    for (uint32_t j = 0; j < bl->coords; j++) {
      const uint32_t q = p->order[bl->coord + j];
      b->rhs[bl->rows + j] = force_rhs(p, q, v, r, k, register_at(p, v, b->m->r_h[q], k));
    }
    if (k > 0) add_tie_history(p, bl, v, r, k, b->rhs);
    substitute(b, bl, at, b->gain[i]);
    for (uint32_t j = 0; j < n; j++)  // from the scaled unknowns to those of the model
      b->y[j] = MUL(b->y[j], OF(j < bl->coords ? p->coord_scale[p->order[bl->coord + j]]
                                               : p->tie_scale[bl->row + j - bl->coords]));
    hand_out(p, bl, v, r, k, b->y);
    at += n * n;
  }
}
