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
  // an event step is as long as a series converges well, so 8 intervals leave no error to speak of;
  // steps of the other methods are short
  s->intervals = o->method == AMO_METHOD_EVENT ? 8 : 4;
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
  if (!s->weight || !s->table || !s->slope || !s->time || !s->min || !s->max || !s->sum || !s->sum_square ||
      !s->stick || amo_sample_new(m, &s->sample) != AMO_OK) {
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
  free(s);
}

static void consider(amo_statistics *s, size_t c, double x, double t)
{
  if (x < s->min[c].value) s->min[c] = (amo_extremum){x, t};
  if (x > s->max[c].value) s->max[c] = (amo_extremum){x, t};
}

/// Root of the exact slope in [a, b] by bisection with secant steps (Illinois).
static amo_status refine_root(amo_statistics *s, amo_sim *sim, size_t c, double a, double b)
{
  double fa = 0, fb = 0, f = 0, t = a;
  amo_status st = amo_sim_sample(sim, a, false, s->sample);
  if (st == AMO_OK) slope_of(s, c, &fa), st = amo_sim_sample(sim, b, false, s->sample);
  if (st == AMO_OK) slope_of(s, c, &fb);
  if (st != AMO_OK || fa == 0 || fb == 0 || (fa < 0) == (fb < 0)) return st;
  for (int i = 0; i < 60 && b - a > 4e-16 * fmax(fabs(a), fabs(b)); i++) {
    t = (a * fb - b * fa) / (fb - fa);
    if (!(t > a && t < b)) t = 0.5 * (a + b);
    if ((st = amo_sim_sample(sim, t, false, s->sample)) != AMO_OK) return st;
    slope_of(s, c, &f);
    consider(s, c, column_of(s, c), t);
    if (f == 0) break;
    if ((f < 0) == (fb < 0))
      b = t, fb = f, fa *= 0.5;
    else
      a = t, fa = f, fb *= 0.5;
  }
  return st;
}

/// Golden section for columns whose slope is not at hand; `sign` 1 looks for a maximum.
static amo_status refine_golden(amo_statistics *s, amo_sim *sim, size_t c, double a, double b, double sign)
{
  const double g = 0.61803398874989485;
  double x[2] = {b - g * (b - a), a + g * (b - a)}, f[2] = {0, 0};
  amo_status st = AMO_OK;
  for (int k = 0; k < 2; k++) {
    if ((st = amo_sim_sample(sim, x[k], false, s->sample)) != AMO_OK) return st;
    f[k] = sign * column_of(s, c);
  }
  for (int i = 0; i < 45; i++) {  // 0.618^45 = 4e-10 of the bracket: value exact to its square
    int k = f[0] > f[1] ? 0 : 1;  // the new point goes on the better side
    if (k == 0)
      b = x[1], x[1] = x[0], f[1] = f[0], x[0] = b - g * (b - a);
    else
      a = x[0], x[0] = x[1], f[0] = f[1], x[1] = a + g * (b - a);
    if ((st = amo_sim_sample(sim, x[k], false, s->sample)) != AMO_OK) return st;
    f[k] = sign * column_of(s, c);
    consider(s, c, column_of(s, c), x[k]);
  }
  return st;
}

static double at(const amo_statistics *s, int k, size_t c)
{
  return s->table[(size_t)k * s->columns + c];
}

static double slope_at(const amo_statistics *s, int k, size_t c)
{
  return s->slope[(size_t)k * 2 * s->coordinates + c];
}

/// Columns with an exact slope: every change of its sign that could set a record.
static amo_status extrema_by_slope(amo_statistics *s, amo_sim *sim, size_t c)
{
  amo_status st = AMO_OK;
  for (int k = 0; st == AMO_OK && k < s->intervals; k++) {
    double l = slope_at(s, k, c), r = slope_at(s, k + 1, c);
    if (!(l < 0 ? r > 0 : l > 0 && r < 0)) continue;
    double over = fmax(fabs(l), fabs(r)) * (s->time[k + 1] - s->time[k]);
    if (l > 0 ? fmax(at(s, k, c), at(s, k + 1, c)) + over > s->max[c].value
              : fmin(at(s, k, c), at(s, k + 1, c)) - over < s->min[c].value)
      st = refine_root(s, sim, c, s->time[k], s->time[k + 1]);
  }
  return st;
}

/// The others: a point above (below) its neighbours brackets an extremum.
static amo_status extrema_by_value(amo_statistics *s, amo_sim *sim, size_t c)
{
  amo_status st = AMO_OK;
  for (int k = 1; st == AMO_OK && k < s->intervals; k++) {
    double l = at(s, k - 1, c), m = at(s, k, c), r = at(s, k + 1, c), over = fmax(fabs(m - l), fabs(m - r));
    bool high = m >= l && m >= r && m + over > s->max[c].value;
    bool low = m <= l && m <= r && m - over < s->min[c].value;
    if (high || low) st = refine_golden(s, sim, c, s->time[k - 1], s->time[k + 1], high ? 1 : -1);
  }
  return st;
}

/// An extremum between the first (or last) two points hides behind the end of the step; a point close
/// to the end tells.
static amo_status extremum_at_edge(amo_statistics *s, amo_sim *sim, size_t c, int end, int inner)
{
  double f = at(s, end, c), t = s->time[end], d = s->time[inner] - t;
  bool high = f == s->max[c].value && f > at(s, inner, c), low = f == s->min[c].value && f < at(s, inner, c);
  if (!high && !low) return AMO_OK;
  amo_status st = amo_sim_sample(sim, t + 1e-4 * d, false, s->sample);
  if (st != AMO_OK) return st;
  double near = column_of(s, c);
  if (!(high ? near > f : near < f)) return AMO_OK;
  return refine_golden(s, sim, c, fmin(t, t + d), fmax(t, t + d), high ? 1 : -1);
}

static amo_status find_extrema(amo_statistics *s, amo_sim *sim, size_t c)
{
  int n = s->intervals;
  for (int k = 0; k <= n; k++) consider(s, c, at(s, k, c), s->time[k]);
  if (c < 2 * s->coordinates) return extrema_by_slope(s, sim, c);
  amo_status st = extrema_by_value(s, sim, c);
  if (st == AMO_OK) st = extremum_at_edge(s, sim, c, 0, 1);
  if (st == AMO_OK) st = extremum_at_edge(s, sim, c, n, n - 1);
  return st;
}

amo_status amo_statistics_step(amo_statistics *s, amo_sim *sim)
{
  double end = amo_sim_time(sim), start = fmax(amo_sim_step_start(sim), s->after), half = 0.5 * (end - start);
  amo_status st = AMO_OK;
  if (!(half > 0)) return AMO_OK;
  for (int k = 0; k <= s->intervals; k++) {
    double t = k == 0 ? start : k == s->intervals ? end : start + half * (1 - cos(k * PI / s->intervals));
    if ((st = amo_sim_sample(sim, t, false, s->sample)) != AMO_OK) return st;
    s->time[k] = t;
    for (size_t c = 0; c < s->columns; c++) {
      double x = column_of(s, c);
      s->table[(size_t)k * s->columns + c] = x;
      s->sum[c] += half * s->weight[k] * x;
      s->sum_square[c] += half * s->weight[k] * x * x;
    }
    for (size_t c = 0; c < 2 * s->coordinates; c++)
      slope_of(s, c, &s->slope[(size_t)k * 2 * s->coordinates + c]);
    if (k == s->intervals / 2)
      for (size_t i = 0; i < s->contacts; i++)
        if (s->sample->mode[i] == AMO_STICK) s->stick[i] += end - start;
  }
  s->duration += end - start;
  for (size_t c = 0; st == AMO_OK && c < s->columns; c++) st = find_extrema(s, sim, c);
  return st;
}
