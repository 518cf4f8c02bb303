// SPDX-License-Identifier: Apache-2.0
/// Unknowns of the balance, order by order.
#include "contact/balance_numbers.h"

static double violation_of(const row *ro, const amo_rates *v)
{
  return (ro->kind == TIE_STICK   ? v->slip
          : ro->kind == TIE_AXIS  ? v->axis
          : ro->kind == TIE_GUIDE ? v->gap
                                  : v->constraint)[ro->item];
}

/// The rate that a tie is to change by at order k, and the force on a coordinate.
static double given_rate(const amo_balance *b, const row *ro, amo_span v, amo_result r, int k)
{
  return r.jump ? -violation_of(ro, r.jump) : -register_at(b, v, ro->zeta, k);
}

static double given_force(const amo_balance *b, uint32_t q, amo_span v, amo_result r, int k)
{
  const double x = r.jump ? 0.0 : register_at(b, v, b->m->r_h[q], k);
  return k == 0 && r.extra != NULL ? x + r.extra[q] : x;
}

double *amo_balance_force(const row *ro, amo_result r)
{
  return force_of(ro, r);
}

void amo_balance_substitute(const amo_balance *b, const block *bl, const double *rhs, double *x)
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

/// parts: supports whose springs would pull carry nothing.
static void solve_block(const amo_balance *b, const block *bl, amo_span v, amo_result r, int k, bool parts)
{
  double *rhs = b->rhs, *x = b->rhs;  // solved in place: rhs is read before x is written
  for (uint32_t i = 0; i < bl->rows; i++) {
    const row *ro = &b->rowlist[bl->row + i];
    rhs[i] = tie_rhs(b, ro, v, r, k, given_rate(b, ro, v, r, k));
  }
  for (uint32_t i = 0; i < bl->coords; i++) {
    const uint32_t q = b->order[bl->coord + i];
    rhs[bl->rows + i] = force_rhs(b, q, v, r, k, given_force(b, q, v, r, k));
  }
  if (k > 0) add_tie_history(b, bl, v, r, k, rhs);
  if (bl->springs > 0) amo_springs_rhs(b, bl, v, r, k, rhs);
  amo_balance_substitute(b, bl, rhs, x);
  if (bl->springs > 0) amo_springs_release(b, bl, r, k, parts, x);
  hand_out(b, bl, v, r, k, x);
}

void amo_balance_solve_tied(const amo_balance *b, const block *bl, amo_span v, amo_result r, int orders)
{
  for (int k = 0; k < orders; k++) solve_block(b, bl, v, r, k, false);
}

void amo_balance_solve(const amo_balance *b, amo_span v, amo_result r, int k)
{
  for (uint32_t i = 0; i < b->nblocks; i++) {
    const block *bl = &b->blocks[i];
    if (bl->coords == 1 && bl->rows == 0) {
      uint32_t q = b->order[bl->coord];
      r.acc[q * r.item + (size_t)k * r.ord] =
          force_rhs(b, q, v, r, k, given_force(b, q, v, r, k)) / b->lu[bl->lu];
    } else {
      solve_block(b, bl, v, r, k, true);
    }
  }
  for (uint32_t c = 0; c < b->m->nc; c++)
    if (b->loose[c] && b->m->contact[c].nw == 0) r.lambda[c * r.item + (size_t)k * r.ord] = 0.0;
}
