// SPDX-License-Identifier: Apache-2.0
/// The balance of forces of an expansion: that of the contacts (contact/balance.h), order by order.
#include <math.h>
#include <string.h>

#include "contact/expansion.h"

static amo_span registers(const amo_expansion *x, int lane)
{
  return (amo_span){x->jet + lane, amo_width(x) * x->lanes, x->lanes};
}

amo_result amo_expansion_results(const amo_expansion *x, bool shared)
{
  const amo_model *m = x->m;
  const size_t w = amo_width(x);
  amo_result r = {.acc = x->unknown[shared], .item = w, .ord = 1};
  r.lambda = r.acc + m->nq * w;
  r.reaction = r.lambda + m->nc * w;
  r.multiplier = r.reaction + m->nc * w;
  r.traction = r.multiplier + m->ng * w;
  return r;
}

void amo_expansion_arrange(amo_expansion *x, const signed char *mode, const signed char *reaction_sign)
{
  memset(x->unknown[0], 0, x->unknowns * sizeof *x->unknown[0]);  // open contacts have no forces
  amo_balance_arrange(x->balance, mode, reaction_sign);
}

amo_status amo_expansion_factor(amo_expansion *x)
{
  return amo_balance_factor(x->balance, registers(x, 0));
}

void amo_expansion_solve(amo_expansion *x, int lane, int k, const amo_rates *jump)
{
  amo_result r = amo_expansion_results(x, false);
  r.jump = jump;
  amo_balance_solve(x->balance, registers(x, lane), r, k);
}

amo_status amo_expansion_share(amo_expansion *x, int lane, int order)
{
  memcpy(x->unknown[1], x->unknown[0], x->unknowns * sizeof *x->unknown[0]);
  if (!amo_balance_is_open(x->balance)) return AMO_OK;
  return amo_balance_share_out(x->balance, registers(x, lane), amo_expansion_results(x, true), order + 1,
                               NULL);
}

/// Does a row that others hold already hold as well?
static bool row_holds(const amo_expansion *x, const amo_entry *row, uint32_t n, uint32_t zeta)
{
  double sum = amo_expansion_register(x, zeta, 0), size = fabs(sum);
  for (uint32_t e = 0; e < n; e++) {
    const double term =
        amo_expansion_register(x, row[e].reg, 0) * amo_expansion_rate(x, x->m->nq + row[e].col, 0, 0);
    sum += term;
    size += fabs(term);
  }
  return fabs(sum) <= 1e-7 * size;
}

static bool consistent(const amo_expansion *x)
{
  const amo_model *m = x->m;
  bool good = true;
  for (uint32_t c = 0; good && c < m->nc; c++) {
    const amo_contact *k = &m->contact[c];
    if (amo_is_tied(k, x->mode[c])) good = row_holds(x, k->n, k->nn, k->r_gap_zeta);
    for (uint32_t a = 0; x->mode[c] == 0 && k->nw > 0 && a < amo_slip_rows(k); a++) {
      const amo_slip_axis s = amo_slip_row(k, a);
      good &= row_holds(x, s.w, s.nw, s.r_zeta);
    }
  }
  for (uint32_t g = 0; good && g < m->ng; g++)
    good = row_holds(x, m->constraint[g].g, m->constraint[g].ng, m->constraint[g].r_zeta);
  return good;
}

static amo_status balance(amo_expansion *x)
{
  amo_expansion_arrange(x, x->mode, x->reaction_sign);
  amo_status st = amo_expansion_factor(x);
  if (st != AMO_OK) return st;
  amo_expansion_solve(x, 0, 0, NULL);
  st = amo_expansion_share(x, 0, 0);
  return st == AMO_OK && amo_balance_is_open(x->balance) && !consistent(x) ? AMO_ENOANSWER : st;
}

/// A slipping guide rubs with |R|: its sign is assumed, then looked at.
static bool signs_agree(amo_expansion *x)
{
  bool agree = true;
  for (uint32_t c = 0; c < x->m->nc; c++) {
    if (!amo_is_two_sided(&x->m->contact[c]) || x->mode[c] == 0) continue;
    if (x->reaction_sign[c] * amo_expansion_reaction(x, c, 0) >= 0.0) continue;
    x->reaction_sign[c] = (signed char)-x->reaction_sign[c];
    agree = false;
  }
  return agree;
}

amo_status amo_expansion_at(amo_expansion *x, double t, const double *state, const signed char *mode)
{
  amo_expansion_registers(x, t, state, mode);
  amo_status st = AMO_OK;
  for (uint32_t round = 0; round < 4; round++) {
    st = balance(x);
    if (st != AMO_OK || signs_agree(x)) break;
  }
  return st;
}

void amo_expansion_along(amo_expansion *x, const double *dir, double dt, int order)
{
  amo_expansion_registers_along(x, dir, dt, order);
  for (int k = 1; k <= order; k++) amo_expansion_solve(x, 0, k, NULL);
  (void)amo_expansion_share(x, 0, order);
}

// ---- reading ----

double amo_expansion_rate(const amo_expansion *x, uint32_t i, int k, int lane)
{
  const amo_model *m = x->m;
  if (!m->plain && i >= m->nq && i < 2 * m->nq) return x->unknown[0][(i - m->nq) * amo_width(x) + (size_t)k];
  return amo_coefficient(x, amo_rate_register(m, i), k, lane);
}

double amo_expansion_reaction(const amo_expansion *x, uint32_t c, int k)
{
  const amo_contact *t = &x->m->contact[c];
  if (!amo_has_gap(t)) return amo_expansion_register(x, t->r_reaction, k);
  return amo_expansion_results(x, true).reaction[c * amo_width(x) + (size_t)k];
}

double amo_expansion_friction(const amo_expansion *x, uint32_t c, uint32_t axis, int k)
{
  const amo_contact *t = &x->m->contact[c];
  const signed char mode = x->mode[c];
  if (mode == AMO_MODE_OPEN) return 0.0;
  if (mode == 0 && amo_is_massless(t)) return amo_expansion_register(x, t->r_stick, k);
  const amo_result r = amo_expansion_results(x, true);
  if (mode == 0 && amo_turns(t)) return r.traction[(t->xi + axis) * r.item + (size_t)k];
  if (mode == 0) return axis == 0 ? r.lambda[c * r.item + (size_t)k] : 0.0;
  double sum = 0.0;  // -sigma mu |R| xi, by products of series
  for (int j = 0; j <= k; j++)
    for (int i = 0; i + j <= k; i++) {
      double R = amo_has_gap(t) ? x->reaction_sign[c] * amo_expansion_reaction(x, c, i) : i == 0 ? 1.0 : 0.0;
      double d = amo_turns(t) ? x->jet[(x->m->leaf.xi + t->xi + axis) * amo_width(x) + (size_t)(k - i - j)]
                 : i + j == k ? 1.0
                              : 0.0;
      sum -= mode * amo_expansion_register(x, t->r_kinetic, j) * R * d;
    }
  return sum;
}
