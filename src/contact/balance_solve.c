// SPDX-License-Identifier: Apache-2.0
/// Unknowns of the balance, order by order.
#include "contact/balance_impl.h"

static double convolve(amo_span v, uint32_t reg, const double *x, size_t ord, int k)
{
  const double *a = v.base + reg * v.reg;
  double sum = 0.0;
  for (int j = 1; j <= k; j++) sum += a[(size_t)j * v.ord] * x[(size_t)(k - j) * ord];
  return sum;
}

static double violation_of(const row *ro, const amo_rates *v)
{
  return (ro->kind == TIE_STICK   ? v->slip
          : ro->kind == TIE_AXIS  ? v->axis
          : ro->kind == TIE_GUIDE ? v->gap
                                  : v->constraint)[ro->item];
}

/// Coefficient k of a register, which has only the first if it is fixed.
static double coefficient(const amo_balance *b, amo_span v, uint32_t reg, int k)
{
  if (k > 0 && amo_prog_is_fixed(b->m->step, reg)) return 0.0;
  return v.base[reg * v.reg + (size_t)k * v.ord];
}

static double tie_rhs(const amo_balance *b, const row *ro, amo_span v, amo_result r, int k)
{
  double x = r.jump ? -violation_of(ro, r.jump) : -coefficient(b, v, ro->zeta, k);
  for (uint32_t e = 0; k > 0 && e < ro->entries; e++)
    if (!amo_prog_is_fixed(b->m->step, ro->entry[e].reg))
      x -= convolve(v, ro->entry[e].reg, r.acc + ro->entry[e].col * r.item, r.ord, k);
  return x;
}

static double force_rhs(const amo_balance *b, uint32_t q, amo_span v, amo_result r, int k)
{
  const amo_model *m = b->m;
  double x = r.jump ? 0.0 : coefficient(b, v, m->r_h[q], k);
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
  double *f = ro->kind == TIE_STICK   ? r.lambda
              : ro->kind == TIE_AXIS  ? r.traction
              : ro->kind == TIE_GUIDE ? r.reaction
                                      : r.multiplier;
  return f + ro->item * r.item;
}

static bool varies(const amo_balance *b, uint32_t reg)
{
  return !amo_prog_is_fixed(b->m->step, reg);
}

/// Friction of a slipping guide that lower orders of R bring at order k: -sum_{j>=1} f_j R_{k-j}.
static double friction_history(const amo_balance *b, const row *ro, amo_span v, amo_result r, int k)
{
  uint32_t mu = b->m->contact[ro->item].r_kinetic;
  return varies(b, mu) ? -ro->sign * convolve(v, mu, r.reaction + ro->item * r.item, r.ord, k) : 0.0;
}

/// Force terms of lower order, for ties whose rows or coefficients change in time.
static void add_tie_history(const amo_balance *b, const block *bl, amo_span v, amo_result r, int k,
                            double *rhs)
{
  for (uint32_t i = 0; i < bl->rows; i++) {
    const row *ro = &b->rowlist[bl->row + i];
    for (uint32_t e = 0; e < ro->entries; e++)
      if (varies(b, ro->entry[e].reg))
        rhs[bl->rows + b->local[ro->entry[e].col]] +=
            convolve(v, ro->entry[e].reg, force_of(ro, r), r.ord, k);
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
  double *y = b->rhs + b->m->nq + 3 * b->m->nc + b->m->ng + 2;
  for (uint32_t i = 0; i < live; i++) {
    uint32_t r = rp[i];
    double s = rhs[r] * (r < bl->rows ? b->tie_scale[bl->row + r]
                                      : b->coord_scale[b->order[bl->coord + r - bl->rows]]);
    for (uint32_t j = 0; j < i; j++) s -= a[(size_t)i * n + j] * y[j];
    y[i] = s;
  }
  for (uint32_t i = 0; i < n; i++) x[i] = 0.0;
  for (uint32_t i = live; i-- > 0;) {
    double s = y[i];
    for (uint32_t j = i + 1; j < live; j++) s -= a[(size_t)i * n + j] * y[j];
    y[i] = s / a[(size_t)i * n + i];
    uint32_t c = cp[i];
    x[c] = y[i] * (c < bl->coords ? b->coord_scale[b->order[bl->coord + c]]
                                  : b->tie_scale[bl->row + c - bl->coords]);
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
