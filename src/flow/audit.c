// SPDX-License-Identifier: Apache-2.0
/// Every run checks itself, by quantities the integrator does not use: forces are solved anew from the
/// dense output at points of every step, held against the friction conditions, and their power
/// integrated into the energy balance  T+V - (T+V)_0 = supplied - dissipated.
#include <float.h>
#include <math.h>
#include <string.h>

#include "expr/lanes.h"
#include "flow/sim.h"
#include "flow/step_samples.h"

enum { N = AMO_STEP_POINTS };
enum { BESIDE = 16 };  // roundings of time by which a moment is surely before or after an event

/// How much a method may miss the exact friction conditions and still be judged right.
static double contact_limit(const amo_sim *s)
{
  return s->opt.method == AMO_METHOD_EVENT ? fmax(AMO_ROUGH, 1e3 * s->opt.tol) : INFINITY;
}

static double energy_limit(const amo_sim *s)
{
  if (s->opt.method == AMO_METHOD_EVENT) return fmax(AMO_SAME, 1e2 * s->opt.tol);
  if (s->opt.method == AMO_METHOD_EULER) return INFINITY;  // reported, not judged: the scheme is what it is
  return fmax(1e-3, 1e5 * s->opt.tol);                     // they approximate the law, not only the motion
}

/// Times this close cannot be told apart.
static double time_rounding(const amo_sim *s)
{
  return DBL_EPSILON * fmax(fabs(s->start), fabs(s->t));
}

/// The largest size among the points of a step.
static double largest(const double *x, int n)
{
  double low, high;
  amo_lanes_range(x, n, &low, &high);
  return high > -low ? high : -low;
}

static void raise_to(double *scale, double size)
{
  if (size > *scale) *scale = size;
}

/// What a quantity changes by while time cannot be told: late in a run it is not known better.
static double change_in_rounding(const amo_sim *s, const amo_step_samples *p, const double *x)
{
  const double share = 4.0 * time_rounding(s) / p->length;  // of the step
  if (!(share > AMO_NOTHING)) return 0.0;
  double least, most;
  amo_lanes_range(x, p->points, &least, &most);
  return share * (most - least);
}

/// How well the quantities of a contact are known over a step, for the rounding of time; forces, which come out of one
/// balance with all loads, also as well as modes are decided by those (a load next to that at which a foot lifts).
typedef struct doubt {
  double
      slip;  // speed; a slip that is none is made of terms that move, in a mechanism whose velocities round together
  double force;   // of friction, and of its bound
  double gap;     // length
  double normal;  // force
} doubt;

/// Of the mechanism that contact c is part of.
static double *pace_of(const amo_sim *s, uint32_t c)
{
  const amo_slip_axis x = amo_slip_row(&s->m->contact[c], 0);
  return &s->ledger.pace[x.nw > 0 ? s->m->mechanism[x.w[0].col] : s->m->nq];
}

static doubt doubt_of(const amo_sim *s, const amo_step_samples *p, uint32_t c)
{
  const double force = AMO_BORDER * fmax(s->ledger.normal_scale[c], amo_step_force_size(p, c));
  return (doubt){.slip = change_in_rounding(s, p, amo_step_row(p->slip, c)) +
                         change_in_rounding(s, p, amo_step_row(p->speed, c)) + AMO_SAME * *pace_of(s, c),
                 .force = change_in_rounding(s, p, amo_step_row(p->force, c)) +
                          change_in_rounding(s, p, amo_step_row(p->bound, c)) + force,
                 .gap = change_in_rounding(s, p, amo_step_row(p->gap, c)) +
                        change_in_rounding(s, p, amo_step_row(p->reach, c)),
                 .normal = change_in_rounding(s, p, amo_step_row(p->normal, c)) + force};
}

/// Violation of the conditions of a support at point i: penetration or, while it should be closed, a gap, relative to the
/// lengths that make it up; a reaction that pulls.
static double support_violation(const amo_sim *s, const amo_step_samples *p, uint32_t c, int i,
                                const doubt *b)
{
  const double reach = s->ledger.gap_scale[c], normal = amo_step_row(p->normal, c)[i];
  const double gap = reach > 0.0 ? amo_step_row(p->gap, c)[i] / reach : 0.0;
  const double less = reach > 0.0 ? b->gap / reach : 0.0;
  const bool under = amo_has_ends(&s->m->contact[c]) && amo_step_row(p->gap, c)[0] < -b->gap;
  if (s->step_mode[c] == AMO_OPEN) return fmax(under ? 0.0 : -gap - less, normal != 0.0 ? 1.0 : 0.0);
  return fmax(fabs(gap) - less,
              normal < 0.0 ? -(normal + b->normal) / fmax(s->ledger.normal_scale[c], 1e-300) : 0.0);
}

/// The same of a contact that never sticks, at point i: friction that pushes along the slip, over the normal force. (The logarithm
/// may push at speeds next to none.)
static double creep_violation(const amo_sim *s, const amo_step_samples *p, uint32_t c, int i, const doubt *b)
{
  const double slip = amo_step_row(p->slip, c)[i], force = amo_step_row(p->force, c)[i];
  if (s->m->contact[c].rest == AMO_YIELDS && isfinite(force)) return 0.0;  // what bends springs back
  if (s->m->contact[c].rest == AMO_UNKNOWN) return s->step_mode[c] * slip > 0.0 ? 0.0 : 1.0;
  return slip * force <= 0.0 ? 0.0 : (fabs(force) - b->force) / fmax(s->ledger.normal_scale[c], 1e-300);
}

/// Violation of the friction conditions at point i: slip of a sticking contact and slip against its sign,
/// relative to the speeds that make it up; force beyond the bound, or pushing along the slip.
static double violation(const amo_sim *s, const amo_step_samples *p, uint32_t c, int i, const doubt *b)
{
  const int mode = s->step_mode[c];
  const double slip = amo_step_row(p->slip, c)[i], force = amo_step_row(p->force, c)[i],
               limit = amo_step_row(p->bound, c)[i];
  const double speed = s->ledger.slip_scale[c], bound = limit > 1e-300 ? limit : 1e-300;
  double v = 0.0;
  if (limit < 0.0) return 1.0;  // a surface that pulls
  if (!amo_may_stick(&s->m->contact[c])) return creep_violation(s, p, c, i, b);
  if (mode == 0) {
    if (speed > 0.0) v = (fabs(slip) - b->slip) / speed;
    return fmax(v, (fabs(force) - b->force) / bound - 1.0);
  }
  if (speed > 0.0) v = (-mode * slip - b->slip) / speed;
  if (!(force * mode > 0.0)) return v;
  // friction of slip is its bound: along the slip by a reaction that pulls, and is measured as that is
  return fmax(v, (fabs(force) - b->force) / fmax(bound, s->ledger.normal_scale[c]));
}

static void check_contact(amo_sim *s, const amo_step_samples *p, uint32_t c)
{
  const bool support = amo_can_open(&s->m->contact[c]), open = s->step_mode[c] == AMO_OPEN;
  amo_ledger *l = &s->ledger;
  if (support) raise_to(&l->gap_scale[c], largest(amo_step_row(p->reach, c), p->points));
  if (support) raise_to(&l->slip_scale[c], l->impact.speed);  // impulses leave their rounding in all speeds
  raise_to(&l->normal_scale[c], largest(amo_step_row(p->normal, c), p->points));
  const doubt b = doubt_of(s, p, c);
  for (int i = 1; i + 1 < p->points; i++) {  // at the ends forces and their bounds may vanish together
    double v = open ? 0.0 : violation(s, p, c, i, &b);
    if (support) v = fmax(v, support_violation(s, p, c, i, &b));
    if (v <= s->audit.contact_violation) continue;  // false for NaN, which must not pass
    s->audit.contact_violation = isnan(v) ? INFINITY : v;
    s->audit.worst_time = p->t[i];
  }
}

/// Work over the step: of friction, of all else, and what rounding leaves open: where reactions point on surfaces that move, where slips turn.
static void take_work(amo_sim *s, const amo_step_samples *p)
{
  double dissipated = 0.0, astray = 0.0;
  for (uint32_t c = 0; c < s->m->nc; c++) {
    const amo_contact *k = &s->m->contact[c];
    if (amo_has_gap(k)) astray += AMO_LAST_DIGITS * s->ledger.normal_scale[c] * *pace_of(s, c);
    if (amo_is_on_nothing(k)) continue;
    dissipated -= amo_row_sum2(p->weight, amo_step_row(p->force, c), amo_step_row(p->slip, c));
  }
  s->audit.dissipated += p->length * dissipated;
  s->audit.supplied += p->length * amo_row_sum(p->weight, p->supplied);
  if (s->m->nxi > 0) astray += amo_row_sum(p->weight, p->blur);
  // a state is that after the length of the step, loads are those of its time, which is rounded
  s->ledger.blur += p->length * astray + 2.0 * time_rounding(s) * largest(p->supplied, p->points);
}

static double energy_size(const amo_sim *s, double kinetic, double potential)
{
  return fabs(kinetic) + fabs(potential - s->ledger.potential0) + fabs(kinetic - s->ledger.kinetic0);
}

void amo_audit_note_held(amo_sim *s, uint32_t contact, double t, double spare, double force, double bound)
{
  if (s->audit.held >= 0 || !(spare < 0.0 && fabs(force) > bound + spare)) return;
  s->audit.held = (int)contact;
  s->audit.held_time = t;
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
  if (!(lost > AMO_SAME * fabs(given))) return;  // less is the rounding of velocities that were made to fit
  s->audit.dissipated = lost;
  s->ledger.energy0 = given;
  s->ledger.size += lost;
}

void amo_ledger_make(amo_ledger *l, const amo_model *m, amo_arena *memory)
{
  l->scales = m->nq + 1u + 3u * m->nc + 2u * m->nz;
  AMO_TAKE(memory, double, l->scales, &l->pace);
  if (l->pace == NULL) return;
  l->slip_scale = l->pace + m->nq + 1u;
  l->gap_scale = l->slip_scale + m->nc;
  l->normal_scale = l->gap_scale + m->nc;
  l->state_scale = l->normal_scale + m->nc;
  l->state_worst = l->state_scale + m->nz;
}

void amo_ledger_open(amo_ledger *l)
{
  const amo_ledger was = *l;
  memset(l->pace, 0, l->scales * sizeof *l->pace);
  *l = (amo_ledger){.scales = was.scales,
                    .pace = was.pace,
                    .slip_scale = was.slip_scale,
                    .gap_scale = was.gap_scale,
                    .normal_scale = was.normal_scale,
                    .state_scale = was.state_scale,
                    .state_worst = was.state_worst};
}

amo_status amo_audit_open(amo_sim *s)
{
  s->audit = (amo_audit){.ok = true, .held = -1};
  amo_ledger_open(&s->ledger);
  amo_status st = amo_sim_sample(s, s->t, true, s->probe);
  if (st != AMO_OK) return st;
  s->ledger.kinetic0 = s->probe->kinetic;
  s->ledger.potential0 = s->probe->potential;
  s->audit.energy = s->ledger.energy0 = s->probe->kinetic + s->probe->potential;
  s->ledger.size = energy_size(s, s->probe->kinetic, s->probe->potential);
  return AMO_OK;
}

/// Energy of the probe a few roundings before (-1) or after (1) now, where a programme in time is surely the old
/// or the new one.
static double energy_beside(amo_sim *s, int side)
{
  s->probe->t = s->t + side * BESIDE * DBL_EPSILON * fabs(s->t);
  amo_sample_report(s, s->probe);
  return s->probe->kinetic + s->probe->potential;
}

/// Energy at the end of the step. A drive that jumps in speed does work at once (and a surface that takes along the
/// last of a spatial slip, whose direction means nothing any more): what the energy jumps by at a
/// switch is its work; what it loses when a slip stops at once, in an impact, or as a slider without mass jumps, is lost in the contact,
/// beside what surfaces that move have given.
static amo_status take_energy(amo_sim *s, bool struck, double given)
{
  bool switched = false, stopped = struck, settled = false;
  for (size_t i = 0; i < s->events; i++) {
    const amo_event *e = &s->event[i];
    const amo_contact *k = e->kind == AMO_EVENT_MODE ? &s->m->contact[e->contact] : NULL;
    settled |= k && e->to == AMO_STICK && amo_turns(k);
    switched |= e->kind == AMO_EVENT_SWITCH;
    stopped |= e->kind == AMO_EVENT_IMPACT || e->kind == AMO_EVENT_JAM || e->impulse != 0.0;
    stopped |= k && amo_is_slider(k);  // it may have jumped
  }
  s->audit.energy = energy_beside(s, switched ? 1 : -1);
  if (!stopped && !settled && (!switched || s->m->prescribed.count == 0)) return AMO_OK;
  amo_status st = amo_sim_sample(s, s->t, false, s->probe);
  if (st != AMO_OK) return st;
  const double jump = s->audit.energy - energy_beside(s, -1);
  s->audit.supplied += given;
  if (stopped)
    s->audit.dissipated -= jump - given;
  else
    s->audit.supplied += jump;
  return AMO_OK;
}

/// A root may be undefined a rounding beyond the end of the step, which has no weight; and within a step over which its state does not
/// change by more than nothing (`none`).
static double weighed_sum(const amo_step_samples *p, const double *row, double none)
{
  double sum = amo_row_sum(p->weight, row), known = 0.0, most = 0.0;
  if (!isnan(sum)) return sum;
  sum = 0.0;
  for (int i = 0; i < p->points; i++) {
    if (p->weight[i] != 0.0) sum += p->weight[i] * row[i];
    if (isnan(row[i])) continue;
    known += p->weight[i] * row[i];
    most = fmax(most, fabs(row[i]));
  }
  return isnan(sum) && p->length * most <= none ? known : sum;
}

/// The change of every further state over the step is the integral of its rate. Only the event method is exact enough to be
/// judged by it. In an implicit step an error of the state shows in its rate times its decay: it is the error that counts.
static void check_states(amo_sim *s, const amo_step_samples *p)
{
  const int last = p->points - 1;
  for (uint32_t k = 0; k < s->m->nz && s->opt.method == AMO_METHOD_EVENT; k++) {
    if (s->m->extra[k].given) continue;
    const double *z = amo_step_row(p->state, 2u * s->m->nq + k), *rate = amo_step_row(p->rate, k);
    double *scale = &s->ledger.state_scale[k];
    const double sum = weighed_sum(p, rate, s->opt.tol * *scale), fastest = largest(rate, p->points);
    raise_to(scale, fabs(z[0]));
    raise_to(scale, fabs(z[last]));
    raise_to(scale, p->length * fastest);
    const double blurred = p->length * change_in_rounding(s, p, rate) + time_rounding(s) * fastest;
    const amo_lane *l = &amo_sim_flow(s)->lane[0];
    const double slack = l->interpolated ? 1.0 + p->length * l->decay[2u * s->m->nq + k] : 1.0;
    const double miss = fabs(z[last] - z[0] - p->length * sum) / slack, defect = miss <= blurred ? 0.0 : miss;
    raise_to(&s->ledger.state_worst[k], isnan(defect) ? INFINITY : defect);
  }
}

/// The worst of it, relative to the largest values met: like the energy, a state that is still next to nothing is not known
/// better than that.
static double state_error(const amo_sim *s)
{
  double error = 0.0;
  for (uint32_t k = 0; k < s->m->nz; k++)
    if (s->ledger.state_worst[k] > 0.0)
      error = fmax(error, s->ledger.state_worst[k] / s->ledger.state_scale[k]);
  return error;
}

void amo_audit_close(amo_sim *s)
{
  amo_audit *a = &s->audit;
  double defect = fabs(a->energy - s->ledger.energy0 - a->supplied + a->dissipated);
  // a large energy that hardly changes (a loaded spring at rest) is known to its rounding only, that of an event to
  // what is supplied beside it
  const double rounding = 16 * DBL_EPSILON * fmax(fabs(a->energy), fabs(s->ledger.energy0)) + s->ledger.blur;
  if (defect > rounding && defect > s->ledger.worst_energy &&
      defect > rounding + BESIDE * time_rounding(s) * largest(s->samples->supplied, s->samples->points))
    s->ledger.worst_energy = defect;
  // relative to the energies met and the work done; a system without any has no error either
  double size = fmax(s->ledger.size, fabs(a->dissipated));
  a->energy_error = size > 0.0 ? s->ledger.worst_energy / size : 0.0;
  a->state_error = state_error(s);
  a->ok = a->contact_violation <= contact_limit(s) && a->impact_violation <= contact_limit(s) &&
          a->energy_error <= energy_limit(s) && a->constraint_violation <= AMO_ROUGH &&
          a->state_error <= energy_limit(s);
}

/// Velocities that have jumped at the end of the step did so by the laws of impact. Stops of guides have no impulses of their own. *given:
/// work of surfaces that move. False: there is none.
static bool check_impact(amo_sim *s, double *given)
{
  amo_flow *f = s->opt.method == AMO_METHOD_EVENT ? amo_sim_flow(s) : NULL;
  bool judged = f != NULL && s->events > 0 && f->lane[0].struck;
  for (size_t i = 0; i < s->events; i++)
    judged &= s->event[i].kind != AMO_EVENT_IMPACT && s->event[i].kind != AMO_EVENT_JAM;
  if (!judged) return false;
  s->ops->dense(s, s->t, f->within);
  const amo_impact_verdict v = amo_impact_judge(f, 0, f->within, s->y, &s->ledger.impact);
  s->audit.impacts++;
  s->audit.impact_gain = fmax(s->audit.impact_gain, v.gain);
  *given = v.work;
  if (v.violation <= s->audit.impact_violation) return true;
  s->audit.impact_violation = v.violation;
  if (v.violation > s->audit.contact_violation) s->audit.worst_time = s->t;
  return true;
}

static void check_points(amo_sim *s, const amo_step_samples *p)
{
  // what rounding leaves of a motion that has stopped is no measure of a slip that is none
  const bool stands = largest(p->kinetic, p->points) <= AMO_ROUNDED * AMO_ROUNDED * s->ledger.size;
  for (uint32_t c = 0; c < s->m->nc; c++) {
    double *scale = &s->ledger.slip_scale[c];
    if (stands && s->step_mode[c] == 0) continue;
    raise_to(scale, largest(amo_step_row(p->slip, c), p->points));
    raise_to(scale, largest(amo_step_row(p->speed, c), p->points));
    raise_to(pace_of(s, c), *scale);
  }
  for (uint32_t c = 0; c < s->m->nc; c++) check_contact(s, p, c);
  take_work(s, p);
  check_states(s, p);
  raise_to(&s->ledger.size, amo_row_largest_energy(p->kinetic, s->ledger.kinetic0, p->potential,
                                                   s->ledger.potential0, p->points));
}

amo_status amo_audit_look(amo_sim *s, double from)
{
  const amo_step_samples *p = s->samples;
  const bool moved = s->t > from;
  amo_status st = moved ? amo_step_samples_take(s, from, s->t) : AMO_OK;
  if (st != AMO_OK) return st;
  if (moved) check_points(s, p);
  if (moved && s->events == 0 && s->m->plain &&
      s->opt.method == AMO_METHOD_EVENT) {  // the last point is the state
    s->audit.energy = p->kinetic[p->points - 1] + p->potential[p->points - 1];
    return AMO_OK;
  }
  double given = 0.0;
  const bool struck = check_impact(s, &given);
  st = amo_sim_sample(s, s->t, true, s->probe);
  if (st != AMO_OK) return st;
  s->audit.constraint_violation = fmax(s->audit.constraint_violation, s->constraint_residual);
  for (size_t i = 0; !struck && i < s->events; i++)
    if (s->event[i].contact >= 0) given += s->event[i].impulse * s->lift[s->event[i].contact];
  return take_energy(s, struck, given);
}

amo_status amo_audit_step(amo_sim *s)
{
  const amo_status st = amo_audit_look(s, s->start);
  if (st == AMO_OK) amo_audit_close(s);
  return st;
}
