// SPDX-License-Identifier: Apache-2.0
#include "study/statistics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"

#define PI 3.14159265358979323846

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

/// Time derivative of a column where the sample has it exactly; false otherwise.
static bool slope_of(const amo_statistics *s, size_t c, double *slope)
{
  if (c < s->coordinates)
    *slope = s->sample->state[s->coordinates + c];
  else if (c < 2 * s->coordinates)
    *slope = s->sample->acceleration[c - s->coordinates];
  else
    return false;
  return true;
}

/// Clenshaw-Curtis weights on the points cos(k pi/n), n even; they sum to 2.
static void set_weights(double *w, int n)
{
  for (int k = 0; k <= n; k++) {
    double sum = 0;
    for (int j = 0; j <= n / 2; j++) {
      double b = j == 0 || j == n / 2 ? 1.0 : 2.0;
      sum += b / (1.0 - 4.0 * j * j) * cos(2.0 * j * k * PI / n);
    }
    w[k] = (k == 0 || k == n ? 1.0 : 2.0) * sum / n;
  }
}

amo_status amo_statistics_new(const amo_model *m, const amo_sim_opts *o, double after, amo_statistics **out)
{
  amo_statistics *s = amo_zalloc(1, sizeof *s);
  *out = NULL;
  if (!s) return AMO_ENOMEM;
  s->model = m;
  s->after = after;
  // a Taylor step spans a good part of a period, and squares are averaged too; others are short
  s->intervals = o->method != AMO_METHOD_EVENT ? 4 : o->stepper == AMO_STEPPER_RK8 ? 8 : 16;
  s->states = amo_model_states(m);
  s->coordinates = amo_model_coordinates(m);
  s->outputs = amo_model_outputs(m);
  s->contacts = amo_model_contacts(m);
  s->columns = s->states + s->outputs + 2 * s->contacts;
  size_t points = (size_t)s->intervals + 1;
  s->weight = amo_zalloc(points, sizeof *s->weight);
  s->table = amo_zalloc(points * s->columns, sizeof *s->table);
  s->slope = amo_zalloc(points * 2 * s->coordinates, sizeof *s->slope);
  s->time = amo_zalloc(points, sizeof *s->time);
  s->min = amo_zalloc(s->columns, sizeof *s->min);
  s->max = amo_zalloc(s->columns, sizeof *s->max);
  s->sum = amo_zalloc(s->columns, sizeof *s->sum);
  s->sum_square = amo_zalloc(s->columns, sizeof *s->sum_square);
  s->stick = amo_zalloc(s->contacts, sizeof *s->stick);
  s->open = amo_zalloc(s->contacts, sizeof *s->open);
  s->flaw = amo_zalloc(s->columns, sizeof *s->flaw);
  if (!s->weight || !s->table || !s->slope || !s->time || !s->min || !s->max || !s->sum || !s->sum_square ||
      !s->stick || !s->open || !s->flaw || amo_sample_new(m, &s->sample) != AMO_OK) {
    amo_statistics_free(s);
    return AMO_ENOMEM;
  }
  set_weights(s->weight, s->intervals);
  for (size_t c = 0; c < s->columns; c++) {
    s->min[c] = (amo_extremum){INFINITY, NAN};
    s->max[c] = (amo_extremum){-INFINITY, NAN};
  }
  *out = s;
  return AMO_OK;
}

void amo_statistics_free(amo_statistics *s)
{
  if (!s) return;
  amo_sample_free(s->sample);
  free(s->weight);
  free(s->table);
  free(s->slope);
  free(s->time);
  free(s->min);
  free(s->max);
  free(s->sum);
  free(s->sum_square);
  free(s->stick);
  free(s->open);
  free(s->flaw);
  free(s);
}

amo_status amo_statistics_step(amo_statistics *s, amo_sim *sim)
{
  double end = amo_sim_time(sim), start = fmax(amo_sim_step_start(sim), s->after), half = 0.5 * (end - start);
  amo_status st = AMO_OK;
  if (!(half > 0)) return AMO_OK;
  s->sim = sim;
  for (int k = 0; k <= s->intervals; k++) {
    double t = k == 0 ? start : k == s->intervals ? end : start + half * (1 - cos(k * PI / s->intervals));
    if ((st = amo_sim_sample(sim, t, false, s->sample)) != AMO_OK) return st;
    s->time[k] = t;
    for (size_t c = 0; c < s->columns; c++) {
      double x = column_of(s, c);
      if (!isfinite(x) && !s->flaw[c].kind) s->flaw[c] = (amo_flaw){AMO_FLAW_UNDEFINED, t};
      s->table[(size_t)k * s->columns + c] = x;
      s->sum[c] += half * s->weight[k] * x;
      s->sum_square[c] += half * s->weight[k] * x * x;
    }
    for (size_t c = 0; c < 2 * s->coordinates; c++)
      slope_of(s, c, &s->slope[(size_t)k * 2 * s->coordinates + c]);
    for (size_t i = 0; k == s->intervals / 2 && i < s->contacts; i++) {
      if (s->sample->mode[i] == AMO_STICK) s->stick[i] += end - start;
      if (s->sample->mode[i] == AMO_OPEN) s->open[i] += end - start;
    }
  }
  s->duration += end - start;
  for (size_t c = 0; c < s->columns; c++) amo_statistics_extrema(s, c);
  return st;
}
