// SPDX-License-Identifier: Apache-2.0
#include "flow/step_lanes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/balance.h"
#include "contact/balance_cache.h"
#include "expr/bounds.h"
#include "base/clones.h"
#include "flow/flow.h"

enum { N = AMO_STEP_POINTS, L = AMO_LANES };

bool amo_step_lanes_make(amo_step_samples *p, const amo_model *m)
{
  const uint32_t registers = amo_prog_registers(m->step) + 1u;
  AMO_TAKE(&p->memory, double, (size_t)registers *L, &p->step_register, &p->error);
  AMO_TAKE(&p->memory, double, (amo_prog_registers(m->report.prog) + 1u) * L, &p->report_register);
  AMO_TAKE(&p->memory, signed char, (amo_prog_switches(m->step) + 1u) * L, &p->branch);
  AMO_TAKE(&p->memory, signed char, 2u * m->nc + 1u, &p->prepared_mode);
  p->steady = amo_balance_cache_applies(m);
  return !p->memory.failed && (m->plain || amo_balance_new(m, &p->balance) == AMO_OK);
}

static double *lanes_of(double *reg, uint32_t r)
{
  return reg + (size_t)r * L;
}

static void spread(double *reg, uint32_t leaf, double value)
{
  for (int i = 0; i < L; i++) lanes_of(reg, leaf)[i] = value;
}

static void place(double *reg, uint32_t leaf, const double *value)
{
  memcpy(lanes_of(reg, leaf), value, L * sizeof *reg);
}

static amo_span lane(const amo_step_samples *p, int i)
{
  return (amo_span){p->step_register + i, L, 0};
}

static bool is_prepared(const amo_step_samples *p, const amo_model *m, const amo_lane *l)
{
  return p->prepared && memcmp(p->prepared_mode, l->step_mode, m->nc) == 0 &&
         memcmp(p->prepared_mode + m->nc, l->step_reaction_sign, m->nc) == 0;
}

/// Parameters, modes and what follows from them alone. False if the balance cannot be factored.
static bool prepare(const amo_sim *s, amo_step_samples *p, const amo_lane *l)
{
  const amo_model *m = s->m;
  if (is_prepared(p, m, l)) return true;
  double *const reg[2] = {p->step_register, p->report_register};
  for (int k = 0; k < 2; k++) {
    for (uint32_t i = 0; i < m->np; i++) spread(reg[k], m->leaf.param + i, s->param[i]);
    for (uint32_t c = 0; c < m->nc; c++) spread(reg[k], m->leaf.sigma + c, amo_sigma(l->step_mode[c]));
    spread(reg[k], m->leaf.eps, s->opt.eps);
  }
  amo_prog_prepare8(m->step, p->step_register);
  amo_prog_prepare8(m->report.prog, p->report_register);
  memcpy(p->prepared_mode, l->step_mode, m->nc);
  memcpy(p->prepared_mode + m->nc, l->step_reaction_sign, m->nc);
  if (p->balance != NULL) amo_balance_arrange(p->balance, l->step_mode, l->step_reaction_sign);
  p->prepared = p->balance == NULL || !p->steady ||
                (amo_balance_factor(p->balance, lane(p, 0)) == AMO_OK && !amo_balance_is_open(p->balance));
  return p->prepared;
}

static void place_state(const amo_model *m, double *reg, const amo_step_samples *p, int first)
{
  place(reg, m->leaf.t, p->t + first);
  for (uint32_t k = 0; k < 2u * m->nq + m->nz; k++)
    place(reg, amo_state_leaf(m, k), amo_step_row(p->state, k) + first);
}

// ---- accelerations and forces ----

/// Plain models have them among the registers.
static void take_plain(const amo_model *m, amo_step_samples *p, const signed char *mode, int first)
{
  for (uint32_t q = 0; q < m->nq; q++)
    memcpy(amo_step_row(p->acceleration, q) + first, lanes_of(p->step_register, m->r_acc[q]),
           L * sizeof(double));
  for (uint32_t c = 0; c < m->nc; c++)
    if (mode[c] == 0)
      memcpy(amo_step_row(p->force, c) + first, lanes_of(p->step_register, m->contact[c].r_stick),
             L * sizeof(double));
}

/// The others solve for them, point by point.
static bool solve(const amo_model *m, amo_step_samples *p, const signed char *mode, int first)
{
  amo_balance *b = p->balance;
  for (uint32_t c = 0; c < m->nc; c++) {
    if (!amo_has_gap(&m->contact[c]) || mode[c] == 0) continue;
    memset(amo_step_row(p->force, c) + first, 0, L * sizeof(double));
    if (mode[c] == AMO_MODE_OPEN) memset(amo_step_row(p->normal, c) + first, 0, L * sizeof(double));
  }
  for (int i = 0; i < L; i++) {
    const amo_result r = {p->acceleration + first + i,
                          p->force + first + i,
                          p->multiplier + first + i,
                          p->normal + first + i,
                          NULL,
                          N,
                          0,
                          NULL,
                          NULL,
                          NULL};
    if (!p->steady && (amo_balance_factor(b, lane(p, i)) != AMO_OK || amo_balance_is_open(b))) return false;
    amo_balance_solve(b, lane(p, i), r, 0);
  }
  return true;
}

// ---- what amo_instant_take does of one contact ----

/// moved = row . u - rate: minus the speed at which a tie is moved from outside. size: of its terms.
CLONES static void take_moved(const double *reg, uint32_t u, const amo_entry *row, uint32_t n, uint32_t rate,
                              double *moved, double *size)
{
  for (int i = 0; i < L; i++) moved[i] = -reg[(size_t)rate * L + (size_t)i], size[i] = 0.0;
  for (uint32_t e = 0; e < n; e++) {
    const double *w = reg + (size_t)row[e].reg * L, *v = reg + (size_t)(u + row[e].col) * L;
    for (int i = 0; i < L; i++) moved[i] += w[i] * v[i], size[i] += fabs(w[i] * v[i]);
  }
  for (int i = 0; i < L; i++) size[i] += fabs(moved[i]);
}

CLONES static void add_products(double *sum, const double *a, const double *b)
{
  for (int i = 0; i < L; i++) sum[i] += a[i] * b[i];
}

CLONES static void scaled(double *to, const double *from, double factor)
{
  for (int i = 0; i < L; i++) to[i] = factor * from[i];
}

/// What rounding may have made of the registers of eight points.
static double *rounding_of(const amo_model *m, amo_step_samples *p)
{
  if (p->bounded) return p->error;
  for (uint32_t r = 0; r < m->leaf.count; r++)
    for (size_t i = 0; i < L; i++) p->error[r * L + i] = 4.0 * amo_given_error(p->step_register[r * L + i]);
  amo_bound_prepare8(m->step, p->step_register, p->error);
  amo_bound8(m->step, p->step_register, p->error);
  p->bounded = true;
  return p->error;
}

/// A gap that is only the rounding of its terms is none.
static void round_gap(const amo_model *m, amo_step_samples *p, const amo_contact *k, bool open, double *gap)
{
  for (int i = 0; amo_can_open(k) && i < L; i++) {
    if (gap[i] == 0.0 || (open && gap[i] > 0.0)) continue;
    if (fabs(gap[i]) <= AMO_FULFILLED * lanes_of(rounding_of(m, p), k->r_gap)[i]) gap[i] = 0.0;
  }
}

/// Gap, its size, and the power of a support or guide that moves.
static void take_gap(const amo_model *m, amo_step_samples *p, uint32_t c, bool open, int first)
{
  const amo_contact *k = &m->contact[c];
  const double *reg = p->step_register;
  const size_t at = c * (size_t)N + (size_t)first;
  double *gap = p->gap + at, *reach = p->reach + at, lift[L], size[L];
  memcpy(gap, reg + (size_t)k->r_gap * L, L * sizeof *gap);
  round_gap(m, p, k, open, gap);
  for (int i = 0; i < L; i++) reach[i] = fabs(gap[i]);
  for (int i = 0; open && i < L; i++)
    if (!amo_is_within(k, reg + i, L)) gap[i] = reach[i];  // beside its surface it penetrates nothing
  for (uint32_t e = 0; e < k->nn; e++) {
    const double *n = reg + (size_t)k->n[e].reg * L, *q = reg + (size_t)(m->leaf.q + k->n[e].col) * L;
    for (int i = 0; i < L; i++) reach[i] += fabs(n[i] * q[i]);
  }
  if (open) return;
  take_moved(reg, m->leaf.u, k->n, k->nn, k->r_gap_rate, lift, size);
  add_products(p->supplied + first, p->normal + at, lift);
}

static void take_contact(amo_sim *s, amo_step_samples *p, uint32_t c, int first)
{
  const amo_contact *k = &s->m->contact[c];
  const double *reg = p->step_register;
  const int mode = s->step_mode[c];
  const size_t at = c * (size_t)N + (size_t)first;
  double *force = p->force + at, *bound = p->bound + at, *normal = p->normal + at, carry[L];
  memcpy(p->slip + at, reg + (size_t)k->r_slip * L, L * sizeof *reg);
  memcpy(bound, reg + (size_t)k->r_bound * L, L * sizeof *reg);
  if (amo_has_gap(k)) {
    take_gap(s->m, p, c, mode == AMO_MODE_OPEN, first);
    for (int i = 0; i < L; i++) bound[i] *= fabs(normal[i]);
  } else {
    memcpy(normal, reg + (size_t)k->r_reaction * L, L * sizeof *reg);
    if (mode != 0) scaled(force, reg + (size_t)k->r_kinetic * L, -amo_sigma((signed char)mode));
  }
  take_moved(reg, s->m->leaf.u, k->w, k->nw, k->r_slip, carry, p->speed + at);
  add_products(p->supplied + first, force, carry);
  if (k->r_spare == AMO_NO_REGISTER || mode != 0) return;
  for (int i = 0; i < L; i++)
    amo_audit_note_held(s, c, p->t[first + i],
                        reg[(size_t)k->r_spare * L + (size_t)i] * (amo_has_gap(k) ? fabs(normal[i]) : 1.0),
                        force[i], bound[i]);
}

static void take_ties(const amo_model *m, amo_step_samples *p, int first)
{
  double moved[L], size[L];
  for (uint32_t g = 0; g < m->ng; g++) {
    const amo_constraint *k = &m->constraint[g];
    take_moved(p->step_register, m->leaf.u, k->g, k->ng, k->r_rate, moved, size);
    add_products(p->supplied + first, amo_step_row(p->multiplier, g) + first, moved);
  }
}

// ---- the report ----

/// Branches of eight points of the report, that of an end as at the point beside it. False if they were so anyway.
static bool end_switches(const amo_prog *report, amo_step_samples *p, int first)
{
  const int end = first == 0 ? 0 : L - 1, inner = first == 0 ? 1 : L - 2;
  bool other = false;
  for (uint32_t k = 0; k < amo_prog_switches(report); k++) {
    const double *x = p->report_register + (size_t)amo_prog_switch_register(report, k) * L;
    signed char *side = p->side + (size_t)k * L;
    for (int i = 0; i < L; i++) side[i] = amo_sign_of(x[i]);
    other |= side[end] != side[inner];
    side[end] = side[inner];
  }
  return other;
}

/// Outputs, energies and the power supplied.
static void take_report(const amo_sim *s, amo_step_samples *p, int first)
{
  const amo_model *m = s->m;
  double *reg = p->report_register;
  place_state(m, reg, p, first);
  for (uint32_t q = 0; q < m->nq; q++) place(reg, m->leaf.acc + q, amo_step_row(p->acceleration, q) + first);
  for (uint32_t c = 0; c < m->nc; c++) {
    place(reg, m->leaf.lambda + c, amo_step_row(p->force, c) + first);
    place(reg, m->leaf.reaction + c, amo_step_row(p->normal, c) + first);
  }
  for (uint32_t g = 0; g < m->ng; g++)
    place(reg, m->leaf.multiplier + g, amo_step_row(p->multiplier, g) + first);
  amo_prog_eval8(m->report.prog, reg, NULL);
  if (end_switches(m->report.prog, p, first)) amo_prog_eval8(m->report.prog, reg, p->side);
  for (uint32_t k = 0; k < m->nout; k++)
    memcpy(amo_step_row(p->output, k) + first, reg + (size_t)m->report.r_output[k] * L, L * sizeof *reg);
  memcpy(p->kinetic + first, reg + (size_t)m->report.r_kinetic * L, L * sizeof *reg);
  memcpy(p->potential + first, reg + (size_t)m->report.r_potential * L, L * sizeof *reg);
  const double *power = reg + (size_t)m->report.r_supplied * L;
  for (int i = 0; i < L; i++) p->supplied[first + i] += power[i];
}

static bool take_eight(amo_sim *s, amo_step_samples *p, const amo_lane *l, int first)
{
  const amo_model *m = s->m;
  double *reg = p->step_register, sum = 0.0;
  place_state(m, reg, p, first);
  amo_prog_eval8(m->step, reg, p->branch);
  p->bounded = false;
  for (int i = 0; i < L; i++) p->supplied[first + i] = 0.0;
  if (p->balance == NULL)
    take_plain(m, p, l->step_mode, first);
  else if (!solve(m, p, l->step_mode, first))
    return false;
  for (uint32_t c = 0; c < m->nc; c++) take_contact(s, p, c, first);
  take_ties(m, p, first);
  for (uint32_t k = 0; k < m->nz; k++)
    memcpy(amo_step_row(p->rate, k) + first, reg + (size_t)m->extra[k].r_rate * L, L * sizeof *reg);
  take_report(s, p, first);
  for (uint32_t q = 0; q < m->nq; q++)
    for (int i = 0; i < L; i++) sum += amo_step_row(p->acceleration, q)[first + i];
  for (int i = 0; i < L; i++) sum += p->supplied[first + i];
  return isfinite(sum);  // otherwise a law was read beside its range: the single point knows how to
}

bool amo_step_lanes_take(amo_sim *s, amo_step_samples *p)
{
  const amo_flow *f = amo_sim_flow(s);
  const amo_lane *l = &f->lane[0];
  if (!prepare(s, p, l)) return false;
  for (uint32_t i = 0; i < f->nsw; i++) memset(p->branch + i * L, l->step_branch[i], L);
  for (int first = 0; first < p->points; first += L)
    if (!take_eight(s, p, l, first)) return false;
  return true;
}

double amo_step_force_size(const amo_step_samples *p, uint32_t c)
{
  return p->balance != NULL ? amo_balance_force_size(p->balance, lane(p, L - 1), NULL, c) : 0.0;
}
