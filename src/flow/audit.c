// SPDX-License-Identifier: Apache-2.0
/// Every run checks itself, by quantities the integrator does not use: forces are solved anew from the
/// dense output at ten Gauss points of every step, held against the friction conditions, and their power
/// integrated into the energy balance  T+V - (T+V)_0 = supplied - dissipated.
#include <float.h>
#include <math.h>
#include <string.h>

#include "flow/sim.h"

enum { NODES = 10 };  // exact to degree 19, as long as the steps of the default order
static const double gauss_x[NODES] = {
    0.01304673574141414, 0.067468316655507746, 0.16029521585048781, 0.28330230293537639, 0.42556283050918442,
    0.57443716949081558, 0.71669769706462361,  0.83970478414951222, 0.93253168334449221, 0.98695326425858587};
static const double gauss_w[NODES] = {0.033335672154344069, 0.074725674575290293, 0.10954318125799102,
                                      0.13463335965499817,  0.14776211235737644,  0.14776211235737644,
                                      0.13463335965499817,  0.10954318125799102,  0.074725674575290293,
                                      0.033335672154344069};

/// How much a method may miss the exact friction conditions and still be judged right.
static double contact_limit(const amo_sim *s)
{
  return s->opt.method == AMO_METHOD_EVENT ? fmax(1e-8, 1e3 * s->opt.tol) : INFINITY;
}

static double energy_limit(const amo_sim *s)
{
  if (s->opt.method == AMO_METHOD_EVENT) return fmax(1e-9, 1e2 * s->opt.tol);
  if (s->opt.method == AMO_METHOD_EULER) return INFINITY;  // reported, not judged: the scheme is what it is
  return fmax(1e-3, 1e5 * s->opt.tol);                     // they approximate the law, not only the motion
}

/// Violation of the conditions of a support: penetration or, while it should be closed, a gap, relative to the lengths
/// that make it up; a reaction that pulls.
static double support_violation(const amo_sim *s, const amo_sample *p, uint32_t c)
{
  double reach = s->ledger.gap_scale[c];
  double gap = reach > 0.0 ? p->gap[c] / reach : 0.0;
  if (p->mode[c] == AMO_OPEN) return fmax(-gap, p->normal[c] != 0.0 ? 1.0 : 0.0);
  double pull = p->normal[c] < 0.0 ? -p->normal[c] / fmax(s->ledger.normal_scale[c], 1e-300) : 0.0;
  return fmax(fabs(gap), pull);
}

/// Violation of the friction conditions at a sample: slip of a sticking contact and slip against its sign,
/// relative to the speeds that make it up; force beyond the bound, or pushing along the slip.
static double violation(const amo_sim *s, const amo_sample *p, uint32_t c)
{
  double speed = s->ledger.slip_scale[c], bound = fmax(fabs(p->bound[c]), 1e-300), v = 0.0;
  if (p->bound[c] < 0.0) return 1.0;  // a surface that pulls
  if (p->mode[c] == 0) {
    if (speed > 0.0) v = fabs(p->slip[c]) / speed;
    return fmax(v, fabs(p->force[c]) / bound - 1.0);
  }
  if (speed > 0.0) v = -p->mode[c] * p->slip[c] / speed;
  return p->force[c] * p->mode[c] > 0.0 ? fmax(v, fabs(p->force[c]) / bound) : v;
}

static void check_contact(amo_sim *s, const amo_sample *p, uint32_t c)
{
  double *speed = &s->ledger.slip_scale[c];
  *speed = fmax(*speed, fmax(fabs(p->slip[c]), s->speed[c]));
  double v = p->mode[c] == AMO_OPEN ? 0.0 : violation(s, p, c);
  if (s->m->contact[c].kind == AMO_SUPPORT) {
    s->ledger.gap_scale[c] = fmax(s->ledger.gap_scale[c], s->reach[c]);
    s->ledger.normal_scale[c] = fmax(s->ledger.normal_scale[c], fabs(p->normal[c]));
    v = fmax(v, support_violation(s, p, c));
  }
  if (v <= s->audit.contact_violation) return;  // false for NaN, which must not pass
  s->audit.contact_violation = isnan(v) ? INFINITY : v;
  s->audit.worst_time = p->t;
}

/// Power of the contacts on the bodies (lambda * W.u): what friction takes, what moving surfaces bring.
static void contact_power(const amo_sim *s, const amo_sample *p, double *dissipated, double *carried)
{
  *dissipated = 0.0;
  *carried = s->carried;
  for (uint32_t c = 0; c < s->m->nc; c++) {
    *dissipated -= p->force[c] * p->slip[c];
    *carried += p->force[c] * s->carry[c];
  }
}

static double energy_size(const amo_sim *s, const amo_sample *p)
{
  return fabs(p->kinetic) + fabs(p->potential - s->ledger.potential0) + fabs(p->kinetic - s->ledger.kinetic0);
}

double amo_audit_given_energy(amo_sim *s)
{
  amo_sample *p = s->probe;
  p->t = s->t;
  memcpy(p->state, s->y, (2u * s->m->nq + s->m->nz) * sizeof *p->state);
  amo_sample_report(s, p);
  return p->kinetic + p->potential;
}

void amo_audit_start_loss(amo_sim *s, double given)
{
  double lost = given - s->ledger.energy0;
  if (!(lost > 1e-9 * fabs(given))) return;  // less is the rounding of velocities that were made to fit
  s->audit.dissipated = lost;
  s->ledger.energy0 = given;
  s->ledger.size += lost;
}

amo_status amo_audit_open(amo_sim *s)
{
  s->audit = (amo_audit){.ok = true, .held = -1};
  amo_ledger *l = &s->ledger;
  *l = (amo_ledger){.slip_scale = l->slip_scale, .gap_scale = l->gap_scale, .normal_scale = l->normal_scale};
  for (uint32_t c = 0; c < s->m->nc; c++) l->slip_scale[c] = l->gap_scale[c] = l->normal_scale[c] = 0.0;
  amo_status st = amo_sim_sample(s, s->t, true, s->probe);
  if (st != AMO_OK) return st;
  s->ledger.kinetic0 = s->probe->kinetic;
  s->ledger.potential0 = s->probe->potential;
  s->audit.energy = s->ledger.energy0 = s->probe->kinetic + s->probe->potential;
  s->ledger.size = energy_size(s, s->probe);
  return AMO_OK;
}

/// Energy of the probe a few roundings before (-1) or after (1) now, where a programme in time is surely the old
/// or the new one.
static double energy_beside(amo_sim *s, int side)
{
  s->probe->t = s->t + side * 16 * DBL_EPSILON * fabs(s->t);
  amo_sample_report(s, s->probe);
  return s->probe->kinetic + s->probe->potential;
}

/// Energy at the end of the step. A drive that jumps in speed does work at once (and a surface that takes along the
/// last of a spatial slip, whose direction means nothing any more): what the energy jumps by at a
/// switch is its work; what it loses when a slip stops at once, or in an impact, is lost in the contact.
static amo_status take_energy(amo_sim *s)
{
  bool switched = false, stopped = false, settled = false;
  for (size_t i = 0; i < s->events; i++) {
    settled |= s->event[i].kind == AMO_EVENT_MODE && s->event[i].to == AMO_STICK &&
               s->m->contact[s->event[i].contact].spatial;
    switched |= s->event[i].kind == AMO_EVENT_SWITCH;
    stopped |= s->event[i].kind == AMO_EVENT_IMPACT || s->event[i].kind == AMO_EVENT_JAM ||
               s->event[i].impulse != 0.0;
  }
  s->audit.energy = energy_beside(s, switched ? 1 : -1);
  if (!stopped && !settled && (!switched || s->m->nprescribed == 0)) return AMO_OK;
  amo_status st = amo_sim_sample(s, s->t, false, s->probe);
  if (st != AMO_OK) return st;
  double jump = s->audit.energy - energy_beside(s, -1), given = 0.0;
  for (size_t i = 0; i < s->events; i++)
    if (s->event[i].contact >= 0) given += s->event[i].impulse * s->lift[s->event[i].contact];
  s->audit.supplied += given;  // by supports that move
  if (stopped)
    s->audit.dissipated -= jump - given;
  else
    s->audit.supplied += jump;
  return AMO_OK;
}

static void close_step(amo_sim *s)
{
  amo_audit *a = &s->audit;
  double defect = fabs(a->energy - s->ledger.energy0 - a->supplied + a->dissipated);
  // a large energy that hardly changes (a loaded spring at rest) is known to its rounding only
  if (defect > 16 * DBL_EPSILON * fmax(fabs(a->energy), fabs(s->ledger.energy0)) + s->ledger.blur)
    s->ledger.worst_energy = fmax(s->ledger.worst_energy, defect);
  // relative to the energies met and the work done; a system without any has no error either
  double size = fmax(s->ledger.size, fabs(a->dissipated));
  a->energy_error = size > 0.0 ? s->ledger.worst_energy / size : 0.0;
  a->ok = a->contact_violation <= contact_limit(s) && a->energy_error <= energy_limit(s) &&
          a->constraint_violation <= 1e-8;
}

amo_status amo_audit_step(amo_sim *s)
{
  const amo_model *m = s->m;
  amo_audit *a = &s->audit;
  double h = s->t - s->start;
  if (h > 0.0) {
    for (int i = 0; i < NODES; i++) {
      amo_status st = amo_sim_sample(s, s->start + gauss_x[i] * h, false, s->probe);
      if (st != AMO_OK) return st;
      for (uint32_t c = 0; c < m->nc; c++) check_contact(s, s->probe, c);
      double lost, carried;
      contact_power(s, s->probe, &lost, &carried);
      a->dissipated += gauss_w[i] * h * lost;
      s->ledger.blur += gauss_w[i] * h * s->blur;
      a->supplied += gauss_w[i] * h * (carried + s->tie_power + s->report[m->r_supplied_power]);
      s->ledger.size = fmax(s->ledger.size, energy_size(s, s->probe));
    }
  }
  amo_status st = amo_sim_sample(s, s->t, true, s->probe);
  if (st != AMO_OK) return st;
  a->constraint_violation = fmax(a->constraint_violation, s->constraint_residual);
  st = take_energy(s);
  close_step(s);
  return st;
}
