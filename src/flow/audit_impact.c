// SPDX-License-Identifier: Apache-2.0
#include "flow/audit_impact.h"

#include <math.h>
#include <string.h>

#include "flow/decide.h"

/// What the judgement reads: registers at the state before, the change of velocities, the impulses.
typedef struct court {
  const amo_model *m;
  const amo_point *p;
  const amo_lane *l;
  const double *before, *after;  // velocities
  const double *normal, *tangent, *axis, *multiplier;
  double violation;
  double push;  // the largest normal impulse
  amo_impact_sizes *sizes;
} court;

/// The rate of a row after the impact, from that before.
static double after(const court *j, const amo_entry *row, uint32_t n, uint32_t rate)
{
  return j->p->reg[rate] + amo_along(j->p, row, n, j->after) - amo_along(j->p, row, n, j->before);
}

/// What rounding of the velocities leaves of a row's rate: all that can be said of an impact much slower than they are.
static double blur(const court *j, const amo_entry *row, uint32_t n)
{
  double sum = 0.0;
  for (uint32_t e = 0; e < n; e++)
    sum += fabs(j->p->reg[row[e].reg]) * (fabs(j->before[row[e].col]) + fabs(j->after[row[e].col]));
  return AMO_LAST_DIGITS * sum;
}

static void blame(court *j, double by, double size)
{
  if (by > 0.0) j->violation = fmax(j->violation, by / fmax(size, 1e-300));
  if (isnan(by)) j->violation = INFINITY;
}

/// Newton's law; and a support pushes.
static void judge_normal(court *j, uint32_t c)
{
  const amo_contact *k = &j->m->contact[c];
  const double speed = j->p->reg[k->r_gap_rate], rate = after(j, k->n, k->nn, k->r_gap_rate),
               P = j->normal[c];
  double target = 0.0;
  if (amo_can_open(k) && speed < 0.0 && !j->l->accumulated[c]) target = -j->p->reg[k->r_restitution] * speed;
  if (amo_can_open(k)) blame(j, -P, j->push);
  const double known = blur(j, k->n, k->nn);
  blame(j, target - rate - known, j->sizes->speed);
  if (P != 0.0) blame(j, (rate - target - known) * fabs(P) / j->push, j->sizes->speed);
}

/// Impulse of friction along row a of the slip.
static double impulse_of(const court *j, uint32_t c, uint32_t a)
{
  const amo_contact *k = &j->m->contact[c];
  return amo_turns(k) ? j->axis[k->xi + a] : j->tangent[c];
}

/// Friction within its cone, at its edge and against the slip where there is one.
static void judge_friction(court *j, uint32_t c)
{
  const amo_contact *k = &j->m->contact[c];
  const double P = fabs(j->normal[c]), kinetic = j->p->reg[k->r_kinetic] * P;
  double slip[2] = {0}, Q[2] = {0}, known = 0.0;
  for (uint32_t a = 0; a < amo_slip_rows(k); a++) {
    const amo_slip_axis x = amo_slip_row(k, a);
    slip[a] = after(j, x.w, x.nw, x.r_slip);
    Q[a] = impulse_of(j, c, a);
    known += blur(j, x.w, x.nw);
  }
  const double speed = hypot(slip[0], slip[1]), size = hypot(Q[0], Q[1]);
  blame(j, size - fmax(j->p->reg[k->r_bound] * P, kinetic), j->push);
  if (j->l->impact_mode[c] == 0) {
    blame(j, speed - known, j->sizes->speed);
    return;
  }
  const double along = Q[0] * slip[0] + Q[1] * slip[1] - size * known;
  blame(j, along / fmax(j->push, 1e-300), j->sizes->speed);
}

/// Impulse of one row on the momentum that is left.
static void take(const court *j, const amo_entry *row, uint32_t n, double impulse, double *left)
{
  for (uint32_t e = 0; impulse != 0.0 && e < n; e++) left[row[e].col] -= j->p->reg[row[e].reg] * impulse;
}

/// Root of a mass: momenta by it are of one kind.
static double root_of(const court *j, uint32_t i)
{
  return sqrt(fabs(j->p->reg[j->p->diagonal[i]]));
}

/// What rounding of the velocities leaves of a momentum.
static double momentum_blur(const court *j)
{
  double known = 0.0;
  for (uint32_t i = 0; i < j->m->nq; i++)
    known = hypot(known, root_of(j, i) * AMO_LAST_DIGITS * (fabs(j->before[i]) + fabs(j->after[i])));
  return known;
}

/// What is stilled after the impact has no impulse: gaps that opened too slowly to be told. Where there are none the motion goes on
/// with what the impulses left.
static void judge_stilled(court *j, const double *state)
{
  const double known = momentum_blur(j);
  for (uint32_t i = 0; j->l->stilled <= AMO_NOTHING * j->sizes->speed && i < j->m->nq; i++)
    blame(j, root_of(j, i) * fabs(state[i] - j->after[i]) - known, j->sizes->momentum);
  for (uint32_t c = 0; c < j->m->nc; c++) {
    const amo_contact *k = &j->m->contact[c];
    if (!amo_has_gap(k) || j->l->mode[c] == AMO_MODE_OPEN) continue;
    const double change = amo_along(j->p, k->n, k->nn, state) - amo_along(j->p, k->n, k->nn, j->after);
    blame(j, fabs(change) - j->l->stilled - blur(j, k->n, k->nn), j->sizes->speed);
  }
}

/// M du is what the impulses give.
static void judge_balance(court *j, double *left)
{
  const amo_model *m = j->m;
  memset(left, 0, m->nq * sizeof *left);
  for (uint32_t e = 0; e < m->nmass; e++) {
    const uint32_t a = m->mass[e].row, b = m->mass[e].col;
    const double mass = j->p->reg[m->mass[e].reg];
    left[a] += mass * (j->after[b] - j->before[b]);
    if (a != b) left[b] += mass * (j->after[a] - j->before[a]);
  }
  for (uint32_t i = 0; i < m->nq; i++)
    if (root_of(j, i) > 0.0) j->sizes->momentum = fmax(j->sizes->momentum, fabs(left[i]) / root_of(j, i));
  for (uint32_t c = 0; c < m->nc; c++) {
    const amo_contact *k = &m->contact[c];
    if (!amo_has_gap(k)) continue;
    take(j, k->n, k->nn, j->normal[c], left);
    for (uint32_t a = 0; a < amo_slip_rows(k); a++)
      take(j, amo_slip_row(k, a).w, amo_slip_row(k, a).nw, impulse_of(j, c, a), left);
  }
  for (uint32_t g = 0; g < m->ng; g++)
    take(j, m->constraint[g].g, m->constraint[g].ng, j->multiplier[g], left);
  const double known = momentum_blur(j);
  for (uint32_t i = 0; i < m->nq; i++)
    if (root_of(j, i) > 0.0) blame(j, fabs(left[i]) / root_of(j, i) - known, j->sizes->momentum);
}

static double kinetic(const court *j, const double *u)
{
  double sum = 0.0;
  for (uint32_t e = 0; e < j->m->nmass; e++) {
    const amo_entry *x = &j->m->mass[e];
    sum += (x->row == x->col ? 0.5 : 1.0) * j->p->reg[x->reg] * u[x->row] * u[x->col];
  }
  return sum;
}

/// Impulse of a row times the speed of its surface, which is what the velocities alone do not make up of its rate.
static double work_of(const court *j, double impulse, const amo_entry *row, uint32_t n, uint32_t rate)
{
  return impulse != 0.0 ? impulse * (amo_along(j->p, row, n, j->before) - j->p->reg[rate]) : 0.0;
}

/// Work of surfaces and constraints that move.
static double work_given(const court *j)
{
  double work = 0.0;
  for (uint32_t c = 0; c < j->m->nc; c++) {
    const amo_contact *k = &j->m->contact[c];
    if (!amo_has_gap(k)) continue;
    work += work_of(j, j->normal[c], k->n, k->nn, k->r_gap_rate);
    for (uint32_t a = 0; a < amo_slip_rows(k); a++) {
      const amo_slip_axis x = amo_slip_row(k, a);
      work += work_of(j, impulse_of(j, c, a), x.w, x.nw, x.r_slip);
    }
  }
  for (uint32_t g = 0; g < j->m->ng; g++) {
    const amo_constraint *x = &j->m->constraint[g];
    work += work_of(j, j->multiplier[g], x->g, x->ng, x->r_rate);
  }
  return work;
}

amo_impact_verdict amo_impact_judge(amo_flow *f, int lane, const double *before, const double *state,
                                    amo_impact_sizes *sizes)
{
  amo_point *p = amo_decide_impact_point(f);
  const amo_model *m = p->m;
  const amo_lane *l = &f->lane[lane];
  court j = {m, p, l, before + m->nq, l->impact_u, .normal = l->impulse, .sizes = sizes};
  signed char *sense = p->mirrored;
  j.tangent = j.normal + m->nc;
  j.axis = j.tangent + m->nc;
  j.multiplier = j.axis + m->nxi;
  memset(sense, 1, m->nc);
  p->branch = l->branch;
  memcpy(p->xi, l->impact_xi, m->nxi * sizeof *l->impact_xi);
  amo_point_registers(p, l->t, before, sense);
  for (uint32_t c = 0; c < m->nc; c++)  // friction is that of the speed that comes in
    sense[c] = amo_mode_of(&m->contact[c], p->reg[m->contact[c].r_slip], false);
  amo_point_registers(p, l->t, before, sense);
  for (uint32_t c = 0; c < m->nc; c++) {
    if (!amo_has_gap(&m->contact[c]) || l->impact_mode[c] == AMO_MODE_OPEN) continue;
    j.push = fmax(j.push, fabs(l->impulse[c]));
    sizes->speed = fmax(sizes->speed, fabs(p->reg[m->contact[c].r_gap_rate]));
    sizes->speed = fmax(sizes->speed, fabs(p->reg[m->contact[c].r_slip]));
  }
  judge_balance(&j, p->extra);
  judge_stilled(&j, state + m->nq);
  for (uint32_t c = 0; c < m->nc; c++) {
    const bool took_part = l->impact_mode[c] != AMO_MODE_OPEN || l->impulse[c] != 0.0;
    if (!amo_has_gap(&m->contact[c]) || !took_part || m->contact[c].nn == 0) continue;
    judge_normal(&j, c);
    if (l->impulse[c] != 0.0) judge_friction(&j, c);
  }
  sizes->energy = fmax(sizes->energy, kinetic(&j, j.before));
  const double work = work_given(&j), gain = kinetic(&j, state + m->nq) - kinetic(&j, j.before) - work;
  return (amo_impact_verdict){j.violation, work, sizes->energy > 0.0 ? fmax(gain / sizes->energy, 0.0) : 0.0};
}
