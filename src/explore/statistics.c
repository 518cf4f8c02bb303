// SPDX-License-Identifier: Apache-2.0
#include "explore/statistics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "num/rounding.h"

const char *amo_statistics_name(const amo_statistics *s, size_t column, char *name, size_t size)
{
  if (column < s->states) return amo_model_state(s->model, column).name;
  column -= s->states;
  if (column < s->outputs) return amo_model_output(s->model, column).name;
  column -= s->outputs;
  snprintf(name, size, "%s.%s", amo_model_contact(s->model, column / 2).name, column % 2 ? "force" : "slip");
  return name;
}

static double column_of(const amo_statistics *s, size_t c)
{
  const amo_sample *p = s->sample;
  if (c < s->states) return p->state[c];
  c -= s->states;
  if (c < s->outputs) return p->output[c];
  c -= s->outputs;
  return c % 2 ? p->force[c / 2] : p->slip[c / 2];
}

const char *amo_statistics_reason(const amo_statistics *s, size_t column, char *text, size_t size)
{
  const amo_flaw *f = &s->flaw[column];
  if (f->kind == AMO_FLAW_NONE) return "";
  snprintf(text, size,
           f->kind == AMO_FLAW_POLE ? "it grows beyond all bounds near t = %.9g"
                                    : "not a finite number at t = %.9g",
           f->t);
  return text;
}

double amo_statistics_look(amo_statistics *s, size_t column, double t)
{
  return amo_sim_sample(s->sim, t, false, s->sample) == AMO_OK ? column_of(s, column) : NAN;
}

/// A column of the whole at the points of the step; its exact slope, where that is at hand.
static void point_at(amo_statistics *s, size_t c)
{
  const amo_step_samples *p = s->samples;
  const size_t nq = s->coordinates;
  s->slope = NULL;
  if (c < s->states) {
    s->row = amo_step_row(p->state, c);
    if (c < 2 * nq)
      s->slope = c < nq ? amo_step_row(p->state, nq + c) : amo_step_row(p->acceleration, c - nq);
    return;
  }
  c -= s->states;
  if (c < s->outputs) {
    s->row = amo_step_row(p->output, c);
    return;
  }
  c -= s->outputs;
  s->row = amo_step_row(c % 2 ? p->force : p->slip, c / 2);
}

/// Legendre polynomial of degree n at x in [-1, 1].
static double legendre(int n, double x)
{
  double before = 1, p = x;
  for (int k = 1; k < n; k++) {
    const double next = ((2 * k + 1) * x * p - k * before) / (k + 1);
    before = p, p = next;
  }
  return p;
}

/// Slopes of the polynomial through the points, per step: matrix[k][i] is what value k adds at point i.
static void set_slopes(amo_statistics *s)
{
  const amo_step_samples *p = s->samples;
  for (int i = 0; i < p->points; i++) {
    double own = 0;
    for (int k = 0; k < p->points; k++) {
      if (k == i) continue;
      const double d = p->place[i] - p->place[k];
      s->differentiation[k][i] = s->barycentric[k] / s->barycentric[i] / d;
      own += 1 / d;
    }
    s->differentiation[i][i] = own;
  }
}

static void set_weights(amo_statistics *s)
{
  const amo_step_samples *p = s->samples;
  for (int i = 0; i < p->points; i++) {
    s->barycentric[i] = 1;
    for (int k = 0; k < p->points; k++)
      if (k != i) s->barycentric[i] /= 4 * (p->place[i] - p->place[k]);  // 4: all of about one size
    for (int d = 0; d < 2; d++) {
      const int degree = p->points - 2 + d;
      s->last[d][i] = (2 * degree + 1) * p->weight[i] * legendre(degree, 2 * p->place[i] - 1);
    }
  }
  set_slopes(s);
}

static amo_status look_at_part(void *ctx, const amo_stretch *x);

amo_status amo_statistics_new(amo_sim *sim, double after, amo_statistics **out)
{
  amo_statistics *s = amo_zalloc(1, sizeof *s);
  const amo_model *m = sim->m;
  *out = NULL;
  if (!s) return AMO_ENOMEM;
  s->model = m;
  s->sim = sim;
  s->after = after;
  s->states = amo_model_states(m);
  s->coordinates = amo_model_coordinates(m);
  s->outputs = amo_model_outputs(m);
  s->contacts = amo_model_contacts(m);
  s->columns = s->states + s->outputs + 2 * s->contacts;
  s->min = amo_zalloc(s->columns, sizeof *s->min);
  s->max = amo_zalloc(s->columns, sizeof *s->max);
  s->sum = amo_zalloc(s->columns, sizeof *s->sum);
  s->sum_square = amo_zalloc(s->columns, sizeof *s->sum_square);
  s->stick = amo_zalloc(s->contacts, sizeof *s->stick);
  s->open = amo_zalloc(s->contacts, sizeof *s->open);
  s->holds = amo_zalloc(s->contacts, sizeof *s->holds);
  s->flaw = amo_zalloc(s->columns, sizeof *s->flaw);
  s->rough = amo_zalloc(s->columns, sizeof *s->rough);
  if (!s->min || !s->max || !s->sum || !s->sum_square || !s->stick || !s->open || !s->holds || !s->flaw ||
      !s->rough || amo_sample_new(m, &s->sample) != AMO_OK || amo_presliding_new(s) != AMO_OK) {
    amo_statistics_free(s);
    return AMO_ENOMEM;
  }
  for (size_t c = 0; c < s->columns; c++) {
    s->min[c] = (amo_extremum){INFINITY, NAN};
    s->max[c] = (amo_extremum){-INFINITY, NAN};
  }
  if (amo_sim_in_parts(sim)) amo_sim_tell_stretches(sim, look_at_part, s);
  *out = s;
  return AMO_OK;
}

void amo_statistics_free(amo_statistics *s)
{
  if (!s) return;
  amo_sample_free(s->sample);
  free(s->min);
  free(s->max);
  free(s->sum);
  free(s->sum_square);
  free(s->stick);
  free(s->open);
  free(s->holds);
  free(s->giving);
  free(s->flaw);
  free(s->rough);
  free(s);
}

/// Integrals of one column over the step; a value that is no number is a flaw.
static void integrate(amo_statistics *s, size_t c)
{
  const amo_step_samples *p = s->samples;
  const double *row = s->row;
  double sum, square;
  amo_row_moments(p->weight, row, &sum, &square);
  for (int k = 0; !isfinite(square) && !s->flaw[c].kind && k < p->points; k++)
    if (!isfinite(row[k])) s->flaw[c] = (amo_flaw){AMO_FLAW_UNDEFINED, p->t[k]};
  s->sum[c] += p->length * sum;
  s->sum_square[c] += p->length * square;
}

static void take_column(amo_statistics *s, size_t c)
{
  integrate(s, c);
  amo_statistics_extrema(s, c);
}

bool amo_statistics_is_rounding(const amo_statistics *s, size_t c, double value)
{
  const double most = fmax(fabs(s->min[c].value), fabs(s->max[c].value));  // infinite at first
  return isfinite(most) && value <= AMO_CANCELLED * most;
}

/// Outputs are any formula, and steps follow the motion: over a long step an output may turn more often than the samples
/// show, or jump. Then the highest coefficients of its polynomial are not small.
static bool resolved(const amo_statistics *s, size_t output)
{
  const double *row = amo_step_row(s->samples->output, output);
  const double rest = fabs(amo_row_sum(s->last[0], row)) + fabs(amo_row_sum(s->last[1], row));
  const double size = amo_row_sum_sizes(s->samples->weight, row);
  return amo_statistics_is_rounding(s, s->states + output, size) ||
         !(rest > 1e-10 * size);  // NaN is a flaw, not a matter of points
}

static bool all_resolved(const amo_statistics *s)
{
  for (size_t i = 0, c = s->states; i < s->outputs; i++, c++)
    if (!s->flaw[c].kind && !s->rough[c] && !resolved(s, i)) return false;
  return true;
}

enum { LOOKS = 128 };  // enough to follow a jump down to the rounding of the step's times

/// Everything between two times of the last step, in halves where samples do not resolve it.
static amo_status look_between(amo_statistics *s, double from, double to)
{
  amo_status st = amo_step_samples_take(s->sim, from, to);
  if (st != AMO_OK) return st;
  const double middle = 0.5 * (from + to);
  if (middle - from > 1e-15 * fabs(middle) && !all_resolved(s)) {
    if (s->looks-- > 0) {
      st = look_between(s, from, middle);
      return st == AMO_OK ? look_between(s, middle, to) : st;
    }
    for (size_t i = 0; i < s->outputs; i++) s->rough[s->states + i] |= !resolved(s, i);
  }
  for (size_t c = s->from_column; c < s->to_column; c++) {
    point_at(s, c);
    take_column(s, c);
  }
  if (s->to_column == s->columns) amo_presliding_take(s, s->sim, NULL);
  return AMO_OK;
}

/// Time in stick, of a contact or some element of it, and time open. numbers: of the contacts of a part; NULL: it is the whole.
static void take_modes(amo_statistics *s, const amo_sim *sim, const uint32_t *numbers, double length)
{
  const amo_model *m = sim->m;
  for (uint32_t c = m->nc; c-- > 0;) {  // elements come after the contact that they are of
    const uint32_t whole = m->contact[c].part_of;
    s->holds[c] |= sim->step_mode[c] == AMO_STICK;
    if (whole > 0) s->holds[whole - 1u] |= sim->step_mode[c] == AMO_STICK;
  }
  for (uint32_t c = 0; c < m->nc; c++) {
    const uint32_t i = numbers != NULL ? numbers[c] : c;
    if (s->giving[i].kind == AMO_GIVES_BY_ELEMENTS)
      amo_presliding_note(&s->giving[i], s->holds[c], amo_sim_time(sim), length);
    else if (s->holds[c])
      s->stick[i] += length;
    if (sim->step_mode[c] == AMO_OPEN) s->open[i] += length;
    s->holds[c] = false;
  }
}

static void take_samples(amo_statistics *s, const amo_step_samples *samples)
{
  const bool first = s->samples == NULL;
  s->samples = samples;
  if (first) set_weights(s);
}

/// All columns of a part but outputs, which may be of several.
static amo_status look_at_part(void *ctx, const amo_stretch *x)
{
  amo_statistics *s = ctx;
  const double from = fmax(x->from, s->after);
  if (!(x->sim->t > from)) return AMO_OK;
  const amo_status st = amo_step_samples_take(x->sim, from, x->sim->t);
  if (st != AMO_OK) return st;
  const amo_step_samples *p = x->sim->samples;
  const size_t nq = x->sim->m->nq;
  take_samples(s, p);
  for (size_t i = 0; i < x->states; i++) {
    s->row = amo_step_row(p->state, i);
    s->slope = i < nq       ? amo_step_row(p->state, nq + i)
               : i < 2 * nq ? amo_step_row(p->acceleration, i - nq)
                            : NULL;
    take_column(s, x->state[i]);
  }
  s->slope = NULL;
  for (size_t i = 0; i < x->contacts; i++) {
    const size_t c = s->states + s->outputs + 2 * (size_t)x->contact[i];
    s->row = amo_step_row(p->slip, i);
    take_column(s, c);
    s->row = amo_step_row(p->force, i);
    take_column(s, c + 1);
  }
  amo_presliding_take(s, x->sim, x);
  take_modes(s, x->sim, x->contact, x->sim->t - from);
  return AMO_OK;
}

amo_status amo_statistics_step(amo_statistics *s)
{
  amo_sim *sim = s->sim;
  const double end = amo_sim_time(sim), start = fmax(amo_sim_step_start(sim), s->after);
  const bool in_parts = amo_sim_in_parts(sim);
  if (!(end > start)) return AMO_OK;
  s->duration += end - start;
  if (in_parts && s->outputs == 0) return AMO_OK;
  take_samples(s, sim->samples);
  if (!in_parts) take_modes(s, sim, NULL, end - start);
  s->from_column = in_parts ? s->states : 0;
  s->to_column = in_parts ? s->states + s->outputs : s->columns;
  s->looks = LOOKS;
  return look_between(s, start, end);
}
