// SPDX-License-Identifier: Apache-2.0
#include "flow/step_samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "flow/flow.h"
#include "flow/step_lanes.h"
#include "num/legendre.h"

enum { N = AMO_STEP_POINTS, L = AMO_LANES };

// ---- making ----

/// Gauss's rule on [0, 1], and the ends with no weight: forces there may be about to change, directions may be none.
static void make_points(amo_step_samples *p, int points)
{
  p->points = points;
  amo_gauss_points((size_t)points - 2, p->place + 1, p->weight + 1);
  p->place[points - 1] = 1.0;
  for (int i = points; i < N; i++) p->place[i] = 2.0;
}

static void make_powers(amo_step_samples *p, int order)
{
  AMO_TAKE(&p->memory, double, (size_t)(order + 1) * N, &p->power);
  for (int i = 0; p->power != NULL && i < p->points; i++) {
    double x = 1.0;
    for (int k = 0; k <= order; k++, x *= p->place[i]) amo_step_row(p->power, (size_t)k)[i] = x;
  }
}

amo_status amo_step_samples_new(const amo_sim *s, amo_step_samples **out)
{
  const amo_model *m = s->m;
  const bool long_steps = s->opt.method == AMO_METHOD_EVENT && s->opt.stepper != AMO_STEPPER_RK8;
  const amo_flow *f = amo_sim_flow((amo_sim *)s);
  *out = NULL;
  amo_step_samples *p = calloc(1, sizeof *p);
  if (p == NULL) return AMO_ENOMEM;
  make_points(p, long_steps ? N : 8);
  AMO_TAKE(&p->memory, double, (2u * (size_t)m->nq + m->nz) * N, &p->state);
  AMO_TAKE(&p->memory, double, m->nq *N, &p->acceleration);
  AMO_TAKE(&p->memory, double, m->nz *N, &p->rate);
  AMO_TAKE(&p->memory, double, m->nc *N, &p->slip, &p->force, &p->bound, &p->normal, &p->gap, &p->speed,
           &p->reach);
  AMO_TAKE(&p->memory, double, m->nout *N, &p->output);
  AMO_TAKE(&p->memory, double, m->ng *N, &p->multiplier);
  AMO_TAKE(&p->memory, double, N, &p->kinetic, &p->potential, &p->supplied, &p->blur);
  AMO_TAKE(&p->memory, signed char, (amo_prog_switches(m->report.prog) + 1u) * L, &p->side);
  if (f != NULL) make_powers(p, f->P);
  const bool on_lanes = f != NULL && m->nxi == 0 && m->njoint == 0 && long_steps;
  if ((on_lanes && !amo_step_lanes_make(p, m)) || p->memory.failed) {
    amo_step_samples_free(p);
    return AMO_ENOMEM;
  }
  amo_step_samples_reset(p);
  *out = p;
  return AMO_OK;
}

void amo_step_samples_free(amo_step_samples *p)
{
  if (p == NULL) return;
  amo_balance_free(p->balance);
  amo_arena_free(&p->memory);
  free(p);
}

void amo_step_samples_reset(amo_step_samples *p)
{
  p->prepared = false;
  p->from = NAN;
}

// ---- states ----

/// The end of a step may lie a rounding beside the zero of a root: it is taken as the step has seen it (flow/leading.c).
static void take_last(const amo_flow *f, amo_step_samples *p, double h, double *state)
{
  amo_flow_dense(f, 0, h, state);
  for (uint32_t k = 0; k < f->ns; k++) amo_step_row(p->state, k)[p->points - 1] = state[k];
}

/// States at the points of a step, from series where there are any: they do not know the rounding of its times.
static void take_states(const amo_sim *s, amo_step_samples *p, bool whole)
{
  const amo_model *m = s->m;
  const amo_flow *f = amo_sim_flow((amo_sim *)s);
  const size_t ns = 2u * m->nq + m->nz;
  const double h = f != NULL ? f->lane[0].h : 0.0;
  if (whole && f != NULL && ilogb(h) * f->P < 600) {
    for (size_t k = 0; k < ns; k++)
      amo_row_series(f->state[k], f->power, p->power, f->P, amo_step_row(p->state, k));
    if (f->vanish != NULL) take_last(f, p, h, s->probe->state);
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
  double power = s->carried + s->tie_power + s->report[m->report.r_supplied];
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

/// An end of the step, where a programme of the report may be about to switch: as seen from the point beside it, just taken.
static amo_status take_end(amo_sim *s, amo_step_samples *p, int i)
{
  const amo_prog *report = s->m->report.prog;
  for (uint32_t k = 0; k < amo_prog_switches(report); k++)
    p->side[k] = amo_sign_of(s->report[amo_prog_switch_register(report, k)]);
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
  if (p->step_register != NULL && amo_step_lanes_take(s, p)) return AMO_OK;
  return take_singly(s, p);
}
