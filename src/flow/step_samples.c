// SPDX-License-Identifier: Apache-2.0
#include "flow/step_samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "expr/clones.h"
#include "flow/flow.h"

enum { N = AMO_STEP_POINTS, L = AMO_LANES };

// Gauss rules on [0, 1], and the ends with no weight: forces there may be about to change, directions may be none.
static const double place8[8] = {0,
                                 0.033765242898423989,
                                 0.16939530676686773,
                                 0.38069040695840156,
                                 0.61930959304159849,
                                 0.83060469323313224,
                                 0.96623475710157603,
                                 1};
static const double weight8[8] = {0,
                                  0.085662246189585178,
                                  0.1803807865240693,
                                  0.23395696728634552,
                                  0.23395696728634552,
                                  0.1803807865240693,
                                  0.085662246189585178,
                                  0};
static const double place16[16] = {0,
                                   0.0068580956515938308,
                                   0.035782558168213241,
                                   0.086399342465117504,
                                   0.15635354759415726,
                                   0.24237568182092295,
                                   0.34044381553605513,
                                   0.44597252564632817,
                                   0.55402747435367183,
                                   0.65955618446394493,
                                   0.75762431817907705,
                                   0.84364645240584268,
                                   0.91360065753488251,
                                   0.9642174418317867,
                                   0.99314190434840621,
                                   1};
static const double weight16[16] = {0,
                                    0.01755973016587593,
                                    0.040079043579880104,
                                    0.060759285343951593,
                                    0.078601583579096773,
                                    0.092769198738968911,
                                    0.1025992318606478,
                                    0.1076319267315789,
                                    0.1076319267315789,
                                    0.1025992318606478,
                                    0.092769198738968911,
                                    0.078601583579096773,
                                    0.060759285343951593,
                                    0.040079043579880104,
                                    0.01755973016587593,
                                    0};

// ---- making ----

/// The arrays, one behind the other in `memory`.
static void lay_out(amo_step_samples *p, const amo_model *m)
{
  double *next = p->memory;
  const size_t ns = 2u * m->nq + m->nz;
  const struct {
    double **array;
    size_t items;
  } part[] = {{&p->state, ns},    {&p->acceleration, m->nq}, {&p->slip, m->nc},     {&p->force, m->nc},
              {&p->bound, m->nc}, {&p->normal, m->nc},       {&p->gap, m->nc},      {&p->speed, m->nc},
              {&p->reach, m->nc}, {&p->kinetic, 1},          {&p->potential, 1},    {&p->supplied, 1},
              {&p->blur, 1},      {&p->constraint, 1},       {&p->output, m->nout}, {&p->rate, m->nz}};
  for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
    *part[i].array = next;
    next += part[i].items * N;
  }
}

static bool make_lanes(amo_step_samples *p, const amo_model *m)
{
  p->step_register = calloc((amo_prog_registers(m->step) + 1u) * L, sizeof *p->step_register);
  p->report_register = calloc((amo_prog_registers(m->report) + 1u) * L, sizeof *p->report_register);
  p->branch = calloc((amo_prog_switches(m->step) + 1u) * L, 1);
  p->prepared_mode = calloc(m->nc + 1u, 1);
  return p->step_register && p->report_register && p->branch && p->prepared_mode;
}

static bool make_powers(amo_step_samples *p, int order)
{
  p->power = calloc((size_t)(order + 1) * N, sizeof *p->power);
  if (p->power == NULL) return false;
  for (int i = 0; i < p->points; i++) {
    double x = 1.0;
    for (int k = 0; k <= order; k++, x *= p->place[i]) amo_step_row(p->power, (size_t)k)[i] = x;
  }
  return true;
}

amo_status amo_step_samples_new(const amo_sim *s, amo_step_samples **out)
{
  const amo_model *m = s->m;
  const bool long_steps = s->opt.method == AMO_METHOD_EVENT && s->opt.stepper != AMO_STEPPER_RK8;
  const amo_flow *f = amo_sim_flow((amo_sim *)s);
  *out = NULL;
  amo_step_samples *p = calloc(1, sizeof *p);
  if (p == NULL) return AMO_ENOMEM;
  p->points = long_steps ? N : 8;
  p->place = long_steps ? place16 : place8;
  p->weight = long_steps ? weight16 : weight8;
  const size_t items = 3u * m->nq + 2u * m->nz + 7u * m->nc + m->nout + 5u;
  p->memory = calloc(items * N, sizeof *p->memory);
  p->side = calloc((amo_prog_switches(m->report) + 1u) * L, 1);
  if (p->memory == NULL || p->side == NULL || (f != NULL && !make_powers(p, f->P)) ||
      (f != NULL && m->plain && long_steps && !make_lanes(p, m))) {
    amo_step_samples_free(p);
    return AMO_ENOMEM;
  }
  lay_out(p, m);
  amo_step_samples_reset(p);
  *out = p;
  return AMO_OK;
}

void amo_step_samples_free(amo_step_samples *p)
{
  if (p == NULL) return;
  free(p->memory);
  free(p->side);
  free(p->step_register);
  free(p->report_register);
  free(p->power);
  free(p->branch);
  free(p->prepared_mode);
  free(p);
}

void amo_step_samples_reset(amo_step_samples *p)
{
  p->prepared = false;
  p->from = NAN;
}

// ---- states ----

/// value[i] = sum over k of c[k] h^k power[k][i], small terms first.
CLONES static void at_places(const double *c, double h, const double *power, int order, double *value)
{
  double term[AMO_MAX_ORDER + 1], sum[N] = {0.0}, scale = 1.0;
  for (int k = 0; k <= order; k++, scale *= h) term[k] = c[k] * scale;
  for (int k = order; k >= 0; k--)
    for (int i = 0; i < N; i++) sum[i] += term[k] * power[k * N + i];
  memcpy(value, sum, sizeof sum);
}

/// States at the points of a step, from series where there are any: they do not know the rounding of its times.
static void take_states(const amo_sim *s, amo_step_samples *p, bool whole)
{
  const amo_model *m = s->m;
  const amo_flow *f = amo_sim_flow((amo_sim *)s);
  const size_t ns = 2u * m->nq + m->nz;
  const double h = f != NULL ? f->lane[0].h : 0.0;
  if (whole && f != NULL && ilogb(h) * f->P < 600) {
    for (size_t k = 0; k < ns; k++) at_places(f->state[k], h, p->power, f->P, amo_step_row(p->state, k));
    return;
  }
  for (int i = 0; i < p->points; i++) {
    amo_sim_dense(s, p->t[i], s->probe->state);
    for (size_t k = 0; k < ns; k++) amo_step_row(p->state, k)[i] = s->probe->state[k];
  }
}

// ---- one point at a time: any method, any model ----

static void keep(const amo_sim *s, amo_step_samples *p, const amo_sample *x, int i)
{
  const amo_model *m = s->m;
  for (uint32_t k = 0; k < m->nq; k++) amo_step_row(p->acceleration, k)[i] = x->acceleration[k];
  for (uint32_t k = 0; k < m->nz; k++) amo_step_row(p->rate, k)[i] = s->rate[k];
  double power = s->carried + s->tie_power + s->report[m->r_supplied_power];
  for (uint32_t c = 0; c < m->nc; c++) {
    amo_step_row(p->slip, c)[i] = x->slip[c];
    amo_step_row(p->force, c)[i] = x->force[c];
    amo_step_row(p->bound, c)[i] = x->bound[c];
    amo_step_row(p->normal, c)[i] = x->normal[c];
    amo_step_row(p->gap, c)[i] = x->gap[c];
    amo_step_row(p->speed, c)[i] = s->speed[c];
    amo_step_row(p->reach, c)[i] = s->reach[c];
    power += x->force[c] * s->carry[c];
  }
  for (uint32_t k = 0; k < m->nout; k++) amo_step_row(p->output, k)[i] = x->output[k];
  p->kinetic[i] = x->kinetic;
  p->potential[i] = x->potential;
  p->supplied[i] = power;
  p->blur[i] = s->blur;
  p->constraint[i] = s->constraint_residual;
}

static amo_status take_point(amo_sim *s, amo_step_samples *p, int i)
{
  const size_t ns = 2u * s->m->nq + s->m->nz;
  s->probe->t = p->t[i];
  for (size_t k = 0; k < ns; k++) s->probe->state[k] = amo_step_row(p->state, k)[i];
  amo_status st = amo_sample_complete(s, false, s->probe);
  if (st == AMO_OK) keep(s, p, s->probe, i);
  return st;
}

static signed char sign_of(double x)
{
  return (signed char)((x > 0.0) - (x < 0.0));
}

/// An end of the step, where a programme of the report may be about to switch: as seen from the point beside it, just taken.
static amo_status take_end(amo_sim *s, amo_step_samples *p, int i)
{
  const amo_prog *report = s->m->report;
  for (uint32_t k = 0; k < amo_prog_switches(report); k++)
    p->side[k] = sign_of(s->report[amo_prog_switch_register(report, k)]);
  s->report_branch = p->side;
  amo_status st = take_point(s, p, i);
  s->report_branch = NULL;
  return st;
}

static amo_status take_singly(amo_sim *s, amo_step_samples *p)
{
  const int last = p->points - 1;
  amo_status st = take_point(s, p, 1);
  if (st == AMO_OK) st = take_end(s, p, 0);
  for (int i = 2; i < last && st == AMO_OK; i++) st = take_point(s, p, i);
  return st == AMO_OK ? take_end(s, p, last) : st;
}

// ---- eight points at a time: plain models, whose forces are among the registers ----

static void spread(double *reg, uint32_t leaf, double value)
{
  for (int i = 0; i < L; i++) reg[(size_t)leaf * L + (size_t)i] = value;
}

static void place(double *reg, uint32_t leaf, const double *value)
{
  memcpy(reg + (size_t)leaf * L, value, L * sizeof *reg);
}

/// Parameters, modes and what follows from them alone.
static void prepare(const amo_sim *s, amo_step_samples *p)
{
  const amo_model *m = s->m;
  if (p->prepared && memcmp(p->prepared_mode, s->step_mode, m->nc) == 0) return;
  double *const reg[2] = {p->step_register, p->report_register};
  for (int k = 0; k < 2; k++) {
    for (uint32_t i = 0; i < m->np; i++) spread(reg[k], m->leaf.param + i, s->param[i]);
    for (uint32_t c = 0; c < m->nc; c++) spread(reg[k], m->leaf.sigma + c, amo_sigma(s->step_mode[c]));
    spread(reg[k], m->leaf.eps, s->opt.eps);
  }
  amo_prog_prepare8(m->step, p->step_register);
  amo_prog_prepare8(m->report, p->report_register);
  memcpy(p->prepared_mode, s->step_mode, m->nc);
  p->prepared = true;
}

static void place_state(const amo_model *m, double *reg, const amo_step_samples *p, int first)
{
  place(reg, m->leaf.t, p->t + first);
  for (uint32_t k = 0; k < 2u * m->nq + m->nz; k++)
    place(reg, amo_flow_state_register(m, k), amo_step_row(p->state, k) + first);
}

/// What amo_instant_take does of one contact, for eight points.
static void take_contact(amo_sim *s, amo_step_samples *p, uint32_t c, int first)
{
  const amo_contact *k = &s->m->contact[c];
  const double *reg = p->step_register;
  const int mode = s->step_mode[c];
  const size_t at = c * (size_t)N + (size_t)first;
  double *slip = p->slip + at, *force = p->force + at, *speed = p->speed + at, carry[L];
  memcpy(slip, reg + (size_t)k->r_slip * L, L * sizeof *slip);
  memcpy(p->bound + at, reg + (size_t)k->r_bound * L, L * sizeof *reg);
  memcpy(p->normal + at, reg + (size_t)k->r_normal * L, L * sizeof *reg);
  const double *own = reg + (size_t)(mode == 0 ? k->r_stick : k->r_kinetic) * L;
  const double sign = mode == 0 ? 1.0 : -mode;
  for (int i = 0; i < L; i++) force[i] = sign * own[i], carry[i] = -slip[i], speed[i] = 0.0;
  for (uint32_t e = 0; e < k->nw; e++) {
    const double *w = reg + (size_t)k->w[e].reg * L, *u = reg + (size_t)(s->m->leaf.u + k->w[e].col) * L;
    for (int i = 0; i < L; i++) carry[i] += w[i] * u[i], speed[i] += fabs(w[i] * u[i]);
  }
  for (int i = 0; i < L; i++) speed[i] += fabs(carry[i]), p->supplied[first + i] += force[i] * carry[i];
  if (k->r_spare == AMO_NO_REGISTER || mode != 0) return;
  for (int i = 0; i < L; i++)
    amo_audit_note_held(s, c, p->t[first + i], reg[(size_t)k->r_spare * L + (size_t)i], force[i],
                        p->bound[at + (size_t)i]);
}

/// Branches of eight points of the report, that of an end as at the point beside it. False if they were so anyway.
static bool end_switches(const amo_prog *report, amo_step_samples *p, int first)
{
  const int end = first == 0 ? 0 : L - 1, inner = first == 0 ? 1 : L - 2;
  bool other = false;
  for (uint32_t k = 0; k < amo_prog_switches(report); k++) {
    const double *x = p->report_register + (size_t)amo_prog_switch_register(report, k) * L;
    signed char *side = p->side + (size_t)k * L;
    for (int i = 0; i < L; i++) side[i] = sign_of(x[i]);
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
  amo_prog_eval8(m->report, reg, NULL);
  if (end_switches(m->report, p, first)) amo_prog_eval8(m->report, reg, p->side);
  for (uint32_t k = 0; k < m->nout; k++)
    memcpy(amo_step_row(p->output, k) + first, reg + (size_t)m->r_output[k] * L, L * sizeof *reg);
  memcpy(p->kinetic + first, reg + (size_t)m->r_kinetic_energy * L, L * sizeof *reg);
  memcpy(p->potential + first, reg + (size_t)m->r_potential_energy * L, L * sizeof *reg);
  const double *power = reg + (size_t)m->r_supplied_power * L;
  for (int i = 0; i < L; i++) p->supplied[first + i] += power[i];
}

static bool take_eight(amo_sim *s, amo_step_samples *p, int first)
{
  const amo_model *m = s->m;
  double *reg = p->step_register, sum = 0.0;
  place_state(m, reg, p, first);
  amo_prog_eval8(m->step, reg, p->branch);
  for (int i = 0; i < L; i++) p->supplied[first + i] = 0.0;
  for (uint32_t c = 0; c < m->nc; c++) take_contact(s, p, c, first);
  for (uint32_t q = 0; q < m->nq; q++) {
    double *a = amo_step_row(p->acceleration, q) + first;
    memcpy(a, reg + (size_t)m->r_acc[q] * L, L * sizeof *a);
    for (int i = 0; i < L; i++) sum += a[i];
  }
  for (uint32_t k = 0; k < m->nz; k++)
    memcpy(amo_step_row(p->rate, k) + first, reg + (size_t)m->extra[k].r_rate * L, L * sizeof *reg);
  take_report(s, p, first);
  for (int i = 0; i < L; i++) sum += p->supplied[first + i];
  return isfinite(sum);  // otherwise a law was read beside its range: the single point knows how to
}

static bool take_lanes(amo_sim *s, amo_step_samples *p)
{
  const amo_flow *f = amo_sim_flow(s);
  const amo_lane *l = &f->lane[0];
  prepare(s, p);
  for (uint32_t i = 0; i < f->nsw; i++) memset(p->branch + i * L, l->step_branch[i], L);
  for (int first = 0; first < p->points; first += L)
    if (!take_eight(s, p, first)) return false;
  return true;
}

amo_status amo_step_samples_take(amo_sim *s, double from, double to)
{
  amo_step_samples *p = s->samples;
  const bool whole = !(from > s->start) && !(to < s->t);
  if (from < s->start) from = s->start;
  if (to > s->t) to = s->t;
  if (p->from == from && p->t[p->points - 1] == to) return AMO_OK;
  p->from = from;
  p->length = whole && amo_sim_flow(s) != NULL ? amo_sim_flow(s)->lane[0].h
                                               : to - from;  // without the rounding of times
  for (int i = 0; i < p->points; i++) p->t[i] = from + p->place[i] * p->length;
  p->t[p->points - 1] = to;
  take_states(s, p, whole);
  if (p->step_register != NULL && take_lanes(s, p)) return AMO_OK;
  return take_singly(s, p);
}
