// SPDX-License-Identifier: Apache-2.0
#include "fit/motion.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "flow/variation.h"
#include "orbit/consistent.h"
#include "orbit/start_slopes.h"

enum { MOST_STEPS = 1000000 };  // of one motion
static const long patience =
    20;  // a motion of more than so many times the steps of the first is not followed

struct amo_motion {
  amo_arena memory;
  const amo_model *m;
  amo_quantities *q;
  const amo_motion_record *record;
  const amo_unknown *unknown;
  size_t records, nu, slots, rows;
  uint32_t ns, np;    // states; parameters that are varied
  uint32_t *varied;   // [np] their numbers
  size_t *column_of;  // [nu] of a parameter: its number among the varied ones
  long *row;          // [sum of records: quantities * rows] number of the residual, -1: no number there
  size_t *first_row;  // [records] where a record begins in `row`
  size_t *first;      // [records][quantities] first residual
  double horizon;
  amo_flow *flow;
  amo_variation *g;
  amo_consistent *consistent;  // NULL: nothing ties the motion
  amo_start_slopes *start;
  double *state, *value, *slope, *column, *direction, *rate, *work;
  long steps, most_steps;  // of the motion under way; allowed
  char message[256];
  // the residuals being taken
  size_t now, next;  // record; its next sample
  double *r, *j;
};

static const amo_motion_record *record_of(const amo_motion *x)
{
  return &x->record[x->now];
}

/// Time up to which a record is looked at.
static double end_of(const amo_motion *x, size_t record)
{
  const amo_motion_record *d = &x->record[record];
  const double end = d->t[d->rows - 1];
  return x->horizon >= 1.0 ? end : d->t[0] + x->horizon * (end - d->t[0]);
}

// ---- making ----

static amo_status number_rows(amo_motion *x)
{
  size_t all = 0;
  AMO_TAKE(&x->memory, size_t, x->records + 1, &x->first_row);
  AMO_TAKE(&x->memory, size_t, x->records * x->q->count + 1, &x->first);
  if (x->memory.failed) return AMO_ENOMEM;
  for (size_t k = 0; k < x->records; k++) {
    x->first_row[k] = all;
    all += x->record[k].rows * x->q->count;
  }
  AMO_TAKE(&x->memory, long, all + 1, &x->row);
  if (x->memory.failed) return AMO_ENOMEM;
  for (size_t k = 0; k < x->records; k++)
    for (size_t i = 0; i < x->q->count; i++) {
      const size_t rows = x->record[k].rows;
      x->first[k * x->q->count + i] = x->rows;
      for (size_t n = 0; n < rows; n++)
        x->row[x->first_row[k] + i * rows + n] =
            isnan(x->record[k].measured[i * rows + n]) ? -1 : (long)x->rows++;
    }
  return AMO_OK;
}

static amo_status number_unknowns(amo_motion *x)
{
  AMO_TAKE(&x->memory, uint32_t, x->nu + 1, &x->varied);
  AMO_TAKE(&x->memory, size_t, x->nu + 1, &x->column_of);
  if (x->memory.failed) return AMO_ENOMEM;
  for (size_t u = 0; u < x->nu; u++) {
    x->slots += x->unknown[u].each ? x->records : 1;
    x->column_of[u] = x->np;
    if (!x->unknown[u].is_state) x->varied[x->np++] = x->unknown[u].index;
  }
  return AMO_OK;
}

size_t amo_motion_slot(const amo_motion *x, size_t u, size_t r)
{
  size_t n = 0;
  for (size_t i = 0; i < u; i++) n += x->unknown[i].each ? x->records : 1;
  return n + (x->unknown[u].each ? r : 0);
}

bool amo_motion_is_state(const amo_motion *x, size_t slot)
{
  size_t u = 0;
  while (u + 1 < x->nu && amo_motion_slot(x, u + 1, 0) <= slot) u++;
  return x->unknown[u].is_state;
}

size_t amo_motion_slots(const amo_motion *x)
{
  return x->slots;
}
size_t amo_motion_rows(const amo_motion *x)
{
  return x->rows;
}
size_t amo_motion_first(const amo_motion *x, size_t record, size_t quantity)
{
  return x->first[record * x->q->count + quantity];
}
void amo_motion_horizon(amo_motion *x, double horizon)
{
  x->horizon = horizon;
}
const char *amo_motion_message(const amo_motion *x)
{
  return x->message;
}

static void sample_stretch(void *ctx, double s, double h);

static amo_status build(amo_motion *x, const amo_sim_opts *opt)
{
  const amo_model *m = x->m;
  amo_status st = number_rows(x);
  if (st == AMO_OK) st = number_unknowns(x);
  if (st == AMO_OK) st = amo_flow_new(m, opt, 1, &x->flow);
  if (st == AMO_OK) st = amo_variation_new(m, x->varied, x->np, &x->g);
  if (st == AMO_OK) st = amo_consistent_new(x->g->at, &x->consistent);
  if (st == AMO_OK) st = amo_start_slopes_new(m, &x->start);
  if (st != AMO_OK) return st;
  x->g->along = sample_stretch;
  x->g->ctx = x;
  const size_t full = (size_t)x->ns + x->np;
  AMO_TAKE(&x->memory, double, x->ns + 1u, &x->state);
  AMO_TAKE(&x->memory, double, x->q->count + 1, &x->value);
  AMO_TAKE(&x->memory, double, x->q->count * x->nu + 1, &x->slope);
  AMO_TAKE(&x->memory, double, full *(x->ns + x->nu) + 1, &x->column);
  AMO_TAKE(&x->memory, double, full *(x->np + 1), &x->direction);
  AMO_TAKE(&x->memory, double, (size_t)m->np *(x->nu + 1) + 1, &x->rate);
  AMO_TAKE(&x->memory, double, amo_vary_work(x->g->at->vary) + 1, &x->work);
  return x->memory.failed ? AMO_ENOMEM : AMO_OK;
}

amo_status amo_motion_new(const amo_model *m, const amo_sim_opts *opt, amo_quantities *quantity,
                          const amo_motion_record *record, size_t records, const amo_unknown *unknown,
                          size_t unknowns, amo_motion **out)
{
  *out = NULL;
  amo_motion *x = calloc(1, sizeof *x);
  if (!x) return AMO_ENOMEM;
  *x = (amo_motion){.m = m,
                    .q = quantity,
                    .record = record,
                    .records = records,
                    .unknown = unknown,
                    .nu = unknowns,
                    .ns = 2 * m->nq + m->nz,
                    .horizon = 1.0,
                    .most_steps = MOST_STEPS};
  const amo_status st = build(x, opt);
  if (st == AMO_OK)
    *out = x;
  else
    amo_motion_free(x);
  return st;
}

void amo_motion_free(amo_motion *x)
{
  if (!x) return;
  amo_start_slopes_free(x->start);
  amo_consistent_free(x->consistent);
  amo_variation_free(x->g);
  amo_flow_free(x->flow);
  amo_arena_free(&x->memory);
  free(x);
}

// ---- the start of a record ----

/// Settings of the record with the unknowns in their places.
static bool place(amo_motion *x, const double *p)
{
  const amo_motion_record *d = record_of(x);
  amo_values *v = d->values;
  for (size_t u = 0; u < x->nu; u++)
    if (!x->unknown[u].is_state) v->param[x->unknown[u].index] = p[amo_motion_slot(x, u, x->now)];
  for (uint32_t i = 0; i < x->ns; i++) x->state[i] = v->initial[i];
  const bool allowed = amo_values_follow(v);
  for (uint32_t i = 0; d->given && i < x->ns; i++)
    if (d->given[i]) v->initial[i] = x->state[i];
  for (size_t u = 0; u < x->nu; u++)
    if (x->unknown[u].is_state) v->initial[x->unknown[u].index] = p[amo_motion_slot(x, u, x->now)];
  return allowed;
}

/// Does the initial value of a state follow from parameters, in this record?
static bool follows(const amo_motion *x, uint32_t i)
{
  for (size_t u = 0; u < x->nu; u++)
    if (x->unknown[u].is_state && x->unknown[u].index == i) return false;
  return !record_of(x)->given || !record_of(x)->given[i];
}

/// d(initial state) along the rates of all parameters: into x->state.
static void initial_slopes(amo_motion *x, const double *rate)
{
  amo_start_slopes_along(x->start, record_of(x)->values->param, rate, NULL, x->state);
  for (uint32_t i = 0; i < x->ns; i++)
    if (!follows(x, i)) x->state[i] = 0.0;
}

/// From columns of all states and parameters to those of the unknowns.
static void choose_columns(amo_motion *x)
{
  amo_variation *g = x->g;
  const uint32_t ns = x->ns, np = x->np;
  double *column = x->column;
  memset(column, 0, x->nu * ns * sizeof *column);
  memset(x->direction, 0, x->nu * (np + 1) * sizeof *x->direction);
  memset(x->rate, 0, x->nu * x->m->np * sizeof *x->rate);
  for (size_t u = 0; u < x->nu; u++) {
    double *to = column + u * ns;
    if (x->unknown[u].is_state) {
      memcpy(to, g->y + (size_t)x->unknown[u].index * ns, ns * sizeof *to);
      continue;
    }
    const size_t k = x->column_of[u];
    double *rate = x->rate + u * x->m->np;
    amo_vary_direction(g->at->vary, record_of(x)->values->param, (uint32_t)k, x->work, rate);
    initial_slopes(x, rate);
    memcpy(to, g->y + (ns + k) * ns, ns * sizeof *to);
    for (uint32_t i = 0; i < ns; i++)
      for (uint32_t n = 0; x->state[i] != 0.0 && n < ns; n++) to[n] += x->state[i] * g->y[(size_t)i * ns + n];
    x->direction[u * np + k] = 1.0;
  }
  g->columns = (uint32_t)x->nu;
  memcpy(g->y, column, x->nu * ns * sizeof *column);
  memcpy(g->direction, x->direction, x->nu * np * sizeof *x->direction);
}

static amo_status start_variation(amo_motion *x, const amo_values *v)
{
  const amo_lane *l = &x->flow->lane[0];
  amo_variation *g = x->g;
  amo_status st = AMO_OK;
  g->columns = x->ns + x->np;
  amo_variation_begin(g, x->flow, 0);
  if (x->consistent) {
    const amo_place at = {v->t0, v->initial, l->mode, l->reaction_sign, l->branch, l->fresh, l->xi, true};
    st = amo_consistent_find(x->consistent, g->at, &at, v->initial);
    if (st == AMO_OK) amo_consistent_begin(x->consistent, g);
    if (st == AMO_OK) st = amo_flow_start(x->flow, 0, v->t0, x->consistent->y);
  }
  if (st == AMO_OK && x->j) st = amo_variation_hold(g, x->flow, 0);
  if (st == AMO_OK) choose_columns(x);
  return st;
}

// ---- samples ----

/// Quantities at x->state, columns in x->column.
static amo_status take_sample(amo_motion *x, size_t i)
{
  const amo_motion_record *d = record_of(x);
  const amo_lane *l = &x->flow->lane[0];
  const size_t n = x->q->count;
  amo_instant_of at = {.t = d->t[i],
                       .state = x->state,
                       .param = d->values->param,
                       .mode = l->step_mode,
                       .at = x->g->at,
                       .changes = x->nu,
                       .column = x->column,
                       .direction = x->g->direction,
                       .rate = x->rate};
  if (x->q->forces) {
    const amo_place p = {d->t[i],        x->state, l->step_mode, l->step_reaction_sign,
                         l->step_branch, NULL,     l->xi,        true};
    const amo_status st = amo_derivative_conditions(x->g->at, &p);
    if (st != AMO_OK) return st;
  }
  amo_quantities_at(x->q, &at, x->value, x->j ? x->slope : NULL);
  for (size_t k = 0; k < n; k++) {
    const long row = x->row[x->first_row[x->now] + k * d->rows + i];
    if (row < 0) continue;
    x->r[row] = x->value[k] - d->measured[k * d->rows + i];
    for (size_t u = 0; x->j && u < x->nu; u++)
      x->j[amo_motion_slot(x, u, x->now) * x->rows + (size_t)row] = x->slope[u * n + k];
  }
  return AMO_OK;
}

static double last_time(const amo_motion *x, double s, double h)
{
  const amo_lane *l = &x->flow->lane[0];
  return s + h >= l->h * (1.0 - AMO_NOTHING) ? l->t : l->start + s + h;
}

/// All samples in a stretch of the step.
static void sample_stretch(void *ctx, double s, double h)
{
  amo_motion *x = ctx;
  const amo_motion_record *d = record_of(x);
  const amo_lane *l = &x->flow->lane[0];
  const double end = last_time(x, s, h);
  for (; x->next < d->rows && d->t[x->next] <= end; x->next++) {
    const double at = d->t[x->next] - l->start;
    amo_flow_dense(x->flow, 0, at, x->state);
    amo_column_series_at(&x->g->series, (at - s) / h, x->column);
    if (take_sample(x, x->next) != AMO_OK) x->next = d->rows;  // noticed by the caller: time is not up
  }
}

/// The same without derivatives.
static amo_status sample_step(amo_motion *x)
{
  const amo_motion_record *d = record_of(x);
  const amo_lane *l = &x->flow->lane[0];
  amo_status st = AMO_OK;
  for (; st == AMO_OK && x->next < d->rows && d->t[x->next] <= l->t; x->next++) {
    amo_flow_dense(x->flow, 0, d->t[x->next] - l->start, x->state);
    st = take_sample(x, x->next);
  }
  return st;
}

// ---- motions ----

static amo_status follow(amo_motion *x, double until)
{
  const amo_motion_record *d = record_of(x);
  const amo_lane *l = &x->flow->lane[0];
  amo_status st = AMO_OK;
  while (st == AMO_OK && x->next < d->rows && d->t[x->next] <= until) {
    amo_flow_prepare(x->flow);
    amo_flow_advance(x->flow, until);
    st = l->status;
    if (st == AMO_OK && ++x->steps > x->most_steps) st = AMO_ENOANSWER;
    if (st == AMO_OK && x->j) st = amo_variation_follow(x->g, x->flow, 0);
    if (st == AMO_OK && !x->j) st = sample_step(x);
    if (st == AMO_OK && l->t >= until && x->next < d->rows && d->t[x->next] <= until) st = sample_step(x);
  }
  return st;
}

static amo_status one_record(amo_motion *x, const double *p)
{
  const amo_values *v = record_of(x)->values;
  x->next = 0;
  if (!place(x, p)) return AMO_ENOANSWER;
  amo_flow_parameters(x->flow, 0, v->param);
  amo_status st = amo_flow_start(x->flow, 0, v->t0, v->initial);
  if (st == AMO_OK && (x->j || x->q->forces || x->consistent)) st = start_variation(x, v);
  if (st == AMO_OK) st = follow(x, end_of(x, x->now));
  return st;
}

/// Expressions may have values without having derivatives (a power at zero).
static amo_status check_derivatives(amo_motion *x)
{
  for (size_t i = 0; i < x->slots * x->rows; i++)
    if (!isfinite(x->j[i])) {
      snprintf(x->message, sizeof x->message,
               "the motion has no derivative by unknown %zu: an expression of the model has none",
               i / x->rows + 1);
      return AMO_ENOANSWER;
    }
  return AMO_OK;
}

amo_status amo_motion_at(void *motion, const double *p, double *r, double *j)
{
  amo_motion *x = motion;
  amo_status st = AMO_OK;
  memset(r, 0, x->rows * sizeof *r);
  if (j) memset(j, 0, x->slots * x->rows * sizeof *j);
  x->r = r;
  x->j = j;
  x->steps = 0;
  x->message[0] = '\0';
  for (x->now = 0; st == AMO_OK && x->now < x->records; x->now++) st = one_record(x, p);
  if (st == AMO_OK && x->horizon >= 1.0 && x->most_steps == MOST_STEPS)
    x->most_steps = patience * (x->steps + 100);
  if (st == AMO_OK && j) return check_derivatives(x);
  if (st == AMO_OK || st == AMO_ENOMEM || st == AMO_EINTR) return st;
  snprintf(x->message, sizeof x->message, "%s", x->g->message[0] ? x->g->message : x->flow->lane[0].message);
  return AMO_ENOANSWER;
}

amo_status amo_motion_predict(amo_motion *x, const double *p, amo_quantities *what, double *value,
                              double *slope)
{
  const amo_motion_record *d = x->record;
  if (what->forces) return AMO_EUNSUPPORTED;
  x->now = 0;
  if (!place(x, p)) return AMO_ENOANSWER;
  amo_derivative_parameters(x->g->at, d->values->param);
  memset(x->column, 0, x->nu * x->ns * sizeof *x->column);
  memset(x->rate, 0, x->nu * x->m->np * sizeof *x->rate);
  memset(slope, 0, x->slots * sizeof *slope);
  for (size_t u = 0; u < x->nu; u++)
    if (x->unknown[u].is_state)
      x->column[u * x->ns + x->unknown[u].index] = 1.0;
    else
      amo_vary_direction(x->g->at->vary, d->values->param, (uint32_t)x->column_of[u], x->work,
                         x->rate + u * x->m->np);
  const amo_instant_of at = {.t = d->values->t0,
                             .state = d->values->initial,
                             .param = d->values->param,
                             .mode = x->flow->lane[0].mode,
                             .at = x->g->at,
                             .changes = x->nu,
                             .column = x->column,
                             .direction = x->g->direction,
                             .rate = x->rate};
  amo_quantities_at(what, &at, value, x->slope);
  for (size_t u = 0; u < x->nu; u++) slope[amo_motion_slot(x, u, 0)] = x->slope[u];
  return AMO_OK;
}

// ---- horizons ----

void amo_motion_inside(const amo_motion *x, double *weight)
{
  for (size_t k = 0; k < x->records; k++)
    for (size_t i = 0; i < x->q->count * x->record[k].rows; i++) {
      const long row = x->row[x->first_row[k] + i];
      if (row >= 0) weight[row] = x->record[k].t[i % x->record[k].rows] <= end_of(x, k);
    }
}

/// Of one column of one record.
static double followed(const amo_motion *x, size_t record, size_t quantity, const double *r, double lost)
{
  const amo_motion_record *d = &x->record[record];
  const long *row = x->row + x->first_row[record] + quantity * d->rows;
  const size_t window = d->rows / 100 + 4;
  double sum = 0.0, count = 0.0;
  for (size_t i = 0; i < d->rows; i++) {
    if (row[i] >= 0) sum += fabs(r[row[i]]), count += 1.0;
    if (i >= window && row[i - window] >= 0) sum -= fabs(r[row[i - window]]), count -= 1.0;
    if (i >= window && sum > lost * count)
      return (d->t[i - window] - d->t[0]) / (d->t[d->rows - 1] - d->t[0]);
  }
  return 1.0;
}

double amo_motion_followed(const amo_motion *x, const double *r, double lost)
{
  double part = 1.0;
  for (size_t k = 0; k < x->records; k++)
    for (size_t i = 0; i < x->q->count; i++) part = fmin(part, followed(x, k, i, r, lost));
  return part;
}
