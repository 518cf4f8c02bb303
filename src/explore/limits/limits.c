// SPDX-License-Identifier: Apache-2.0
#include "explore/limits/limits_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/options.h"
#include "model/compiled.h"
#include "num/bracket.h"

#define MOST_EXPLORED 6000  // evaluations beyond the samples spent on what might happen between them
#define REFUSALS      4096  // values of a parameter at which requirements are looked at: cheap

void amo_limits_name(const search *s, sample *a)
{
  double x = a->r.number;
  if (a->r.kind != AMO_READ_NUMBER)
    memcpy(a->verdict, a->r.text, sizeof a->verdict);
  else if (!s->out->by_sign)
    amo_number_text(x, a->verdict);
  else
    strcpy(a->verdict, x > 0 ? "positive" : x < 0 ? "negative" : "zero");
}

bool amo_limits_interrupted(const search *s)
{
  return s->ended || (s->opts->stop && *s->opts->stop);
}

sample amo_limits_look(search *s, double x)
{
  sample a = {.x = x};
  if (amo_limits_interrupted(s)) return a;  // nobody waits for it any more
  amo_probe_read(s->p, &x, NULL, &a.r);
  if (a.r.kind == AMO_READ_NUMBER) {
    a.r.number -= s->level;
    if (a.r.watched > AMO_WATCH_NUMBER) a.r.watch[AMO_WATCH_NUMBER] -= s->level;
  }
  amo_limits_name(s, &a);
  s->out->evaluations++;
  if (a.r.unsound && s->out->unsound++ == 0) s->out->first_unsound = x;
  return a;
}

void amo_limits_keep(search *s, const sample *a)
{
  if (!AMO_ROOM(s->grid, s->count, s->capacity))
    s->failed = true;
  else
    s->grid[s->count++] = *a;
}

double amo_limits_finest(const search *s, double a, double b)
{
  return fmax(s->tol * fmax(fabs(a), fabs(b)), 1e-18 * s->range);
}

// ---- zeros of watched quantities ----

double amo_limits_watched(const sample *a, size_t w)
{
  return w < a->r.watched ? a->r.watch[w] : NAN;
}

bool amo_limits_crosses(double u, double v)
{
  return (u < 0.0 && v > 0.0) || (u > 0.0 && v < 0.0);
}

sample amo_limits_zero(search *s, sample a, sample b, size_t w)
{
  amo_zero z = {.a = a.x, .b = b.x, .fa = amo_limits_watched(&a, w), .fb = amo_limits_watched(&b, w)};
  for (double x; b.x - a.x > 0.01 * amo_limits_finest(s, a.x, b.x) && amo_zero_next(&z, &x);) {
    sample m = amo_limits_look(s, x);
    double f = amo_limits_watched(&m, w);
    if (f == 0.0 || isnan(f)) return m;
    amo_zero_take(&z, x, f);
    *(z.b == x ? &b : &a) = m;
  }
  return fabs(amo_limits_watched(&a, w)) < fabs(amo_limits_watched(&b, w)) ? a : b;
}

static void zeros_between(search *s, const sample *a, const sample *b)
{
  for (size_t w = 0; w < a->r.watched && w < b->r.watched; w++) {
    if (!amo_limits_crosses(amo_limits_watched(a, w), amo_limits_watched(b, w))) continue;
    sample z = amo_limits_zero(s, *a, *b, w);
    if (z.x > a->x && z.x < b->x) amo_limits_keep(s, &z);
  }
}

/// |w| has a least value near b: does it reach zero between the samples a and c?
static void touch_between(search *s, const sample *a, const sample *b, const sample *c, size_t w)
{
  const double fine = 1e-10 * (c->x - a->x),
               size = fmax(fabs(amo_limits_watched(a, w)), fabs(amo_limits_watched(c, w)));
  amo_valley v = amo_valley_of(a->x, c->x, b->x, fabs(amo_limits_watched(b, w)), fine);
  sample best = *b;
  for (double x; amo_valley_next(&v, &x);) {
    sample m = amo_limits_look(s, x);
    double f = amo_limits_watched(&m, w);
    if (isnan(f)) return;
    if (f == 0.0 || amo_limits_crosses(f, amo_limits_watched(b, w))) {
      amo_limits_keep(s, &m);
      return;
    }
    if (fabs(f) <= v.best.f) best = m;
    amo_valley_take(&v, x, fabs(f));
  }
  if (v.best.f < 1e-6 * size) amo_limits_keep(s, &best);
}

static int by_x(const void *a, const void *b)
{
  double x = ((const sample *)a)->x, y = ((const sample *)b)->x;
  return (x > y) - (x < y);
}

void amo_limits_sort(search *s)
{
  if (s->count) qsort(s->grid, s->count, sizeof *s->grid, by_x);
}

/// May a watched quantity reach zero between a and b although it has the same sign at both? Judged by its second
/// difference: a parabola through the three points whose turn lies inside comes at most that much nearer.
static bool may_touch(const sample *a, const sample *m, const sample *b)
{
  for (size_t w = 0; w < a->r.watched && w < b->r.watched && w < m->r.watched; w++) {
    double u = amo_limits_watched(a, w), v = amo_limits_watched(b, w), f = amo_limits_watched(m, w),
           bend = u - 2.0 * f + v;
    double least = fmin(fabs(f), fmin(fabs(u), fabs(v)));
    if (u * v > 0.0 && fabs(bend) > least && fabs(bend) > 1e-9 * (fabs(u) + fabs(v))) return true;
  }
  return false;
}

/// Watched quantities that jump or are noisy (a load shared out anew at each value) bend everywhere: enough is enough.
static bool tired(search *s)
{
  s->out->tired |= s->out->evaluations > s->explore;
  return s->out->tired;
}

static void bend_between(search *s, const sample *a, const sample *b, int depth)
{
  if (depth > 12 || tired(s) || s->failed || amo_limits_interrupted(s) ||
      b->x - a->x <= 1e6 * amo_limits_finest(s, a->x, b->x))
    return;
  sample m = amo_limits_look(s, 0.5 * (a->x + b->x));
  amo_limits_keep(s, &m);
  if (!may_touch(a, &m, b)) return;
  bend_between(s, a, &m, depth + 1);
  bend_between(s, &m, b, depth + 1);
}

/// Finer samples where a quantity that decides verdicts bends towards zero.
static void add_bends(search *s)
{
  size_t n = s->count;
  for (size_t i = 1; i + 1 < n; i++) {
    sample a = s->grid[i - 1], m = s->grid[i], b = s->grid[i + 1];
    if (!may_touch(&a, &m, &b)) continue;
    bend_between(s, &a, &m, 0);
    bend_between(s, &m, &b, 0);
  }
  amo_limits_sort(s);
}

static void add_touches(search *s)
{
  size_t n = s->count;
  for (size_t i = 1; i + 1 < n && !s->failed && !amo_limits_interrupted(s) && !tired(s); i++)
    for (size_t w = 0; w < s->grid[i].r.watched; w++) {
      sample a = s->grid[i - 1], b = s->grid[i], c = s->grid[i + 1];
      double f = fabs(amo_limits_watched(&b, w)) * (1.0 + 1e-9);
      if (f < fabs(amo_limits_watched(&a, w)) && f < fabs(amo_limits_watched(&c, w)) &&
          !amo_limits_crosses(amo_limits_watched(&a, w), amo_limits_watched(&b, w)) &&
          !amo_limits_crosses(amo_limits_watched(&b, w), amo_limits_watched(&c, w)))
        touch_between(s, &a, &b, &c, w);
    }
  amo_limits_sort(s);
}

static void add_zeros(search *s)
{
  size_t n = s->count;
  for (size_t i = 0; i + 1 < n && !s->failed && !amo_limits_interrupted(s); i++) {
    sample a = s->grid[i], b = s->grid[i + 1];
    if (!tired(s)) zeros_between(s, &a, &b);
  }
  amo_limits_sort(s);
  // between two zeros a verdict may differ from that at either
  n = s->count;
  for (size_t i = 0; i + 1 < n && !s->failed && !amo_limits_interrupted(s); i++) {
    double a = s->grid[i].x, b = s->grid[i + 1].x;
    if (b - a <= 4.0 * amo_limits_finest(s, a, b)) continue;
    sample m = amo_limits_look(s, 0.5 * (a + b));
    amo_limits_keep(s, &m);
  }
  amo_limits_sort(s);
}

// ---- samples ----

static bool refused_at(search *s, double x)
{
  const amo_values *v = s->p->place(s->p->ctx);
  memcpy(s->param, v->param, v->model->np * sizeof *s->param);
  s->param[s->p->axis[0].index] = x;
  return !amo_values_follow(&(amo_values){v->model, s->param, NULL, 0.0});
}

bool amo_limits_refused(search *s)
{
  for (size_t i = 0; s->param && i < REFUSALS; i++)
    if (refused_at(s, amo_axis_value(&s->p->axis[0], i, REFUSALS))) return true;
  return false;
}

/// Both sides of every value at which the model begins or ceases to refuse.
static void add_refusals(search *s)
{
  const amo_axis *a = &s->p->axis[0];
  if (!amo_limits_refused(s)) return;
  bool before = refused_at(s, a->from);
  for (size_t i = 1; i < REFUSALS; i++) {
    double lo = amo_axis_value(a, i - 1, REFUSALS), hi = amo_axis_value(a, i, REFUSALS);
    const bool now = refused_at(s, hi);
    if (now == before) continue;
    amo_bracket k = {lo, hi, 0};
    for (double x; amo_bracket_next(&k, &x);) *(refused_at(s, x) == before ? &k.a : &k.b) = x;
    sample both[2] = {amo_limits_look(s, k.a), amo_limits_look(s, k.b)};
    amo_limits_keep(s, &both[0]);
    amo_limits_keep(s, &both[1]);
    before = now;
  }
}

static amo_status take_samples(search *s, size_t points)
{
  const amo_axis *a = &s->p->axis[0];
  bool any = false;
  for (size_t i = 0; i < points && !s->failed; i++) {
    sample x = amo_limits_look(s, amo_axis_value(a, i, points));
    if (amo_limits_interrupted(s)) break;  // the answer may be missing for that reason
    s->out->reached = x.x;
    any |= x.r.kind != AMO_READ_FAILED;
    s->out->by_sign |= x.r.measured;
    amo_limits_keep(s, &x);
    if (s->opts->progress && s->opts->progress(s->opts->ctx, 0.6 * (double)(i + 1) / (double)points))
      s->ended = true;
  }
  if (a->from < 0.0 && a->to > 0.0 &&
      !amo_limits_interrupted(s)) {  // verdicts often change at zero, and only there
    sample x = amo_limits_look(s, 0.0);
    amo_limits_keep(s, &x);
  }
  add_refusals(s);
  amo_limits_sort(s);
  if (s->failed) return AMO_ENOMEM;
  for (size_t i = 0; i < s->count; i++) amo_limits_name(s, &s->grid[i]);
  if (any || amo_limits_interrupted(s)) return AMO_OK;
  amo_reading r;
  size_t before = amo_diags_errors(s->diags);
  amo_probe_read(s->p, &a->from, s->diags, &r);  // says why
  return amo_diags_errors(s->diags) > before ? AMO_EINPUT : AMO_ENOANSWER;
}

/// A value that results have nowhere, by three looks, is told before all samples are taken. (Elements of lists may
/// come and go along the range, so that a search for them goes on.)
static amo_status ask_first(search *s)
{
  const amo_axis *a = &s->p->axis[0];
  amo_reading r;
  for (size_t i = 0; i < 3; i++) {
    const double x = amo_axis_value(a, i, 3);
    amo_probe_read(s->p, &x, NULL, &r);
    if (!r.missing || strchr(s->p->of, '[')) return AMO_OK;
  }
  amo_probe_read(s->p, &a->from, s->diags, &r);  // says why
  return AMO_EINPUT;
}

/// The value alone: "margin" of "rest.margin".
static const char *path(const char *of)
{
  const char *dot = strchr(of, '.');
  return dot && dot[1] ? dot + 1 : of;
}

/// Levels and extrema are those of numbers.
static amo_status want_number(const search *s)
{
  for (size_t i = 0; i < s->count; i++)
    if (s->grid[i].r.kind == AMO_READ_NUMBER) return AMO_OK;
  return amo_error(s->diags, (amo_at){0}, "leave --level and --extrema out, or ask for a number",
                   "'%s' is no number anywhere in the range, it is '%s'", path(s->p->of), s->grid[0].verdict);
}

static amo_status by_samples(search *s)
{
  const bool number = s->opts->level || s->opts->extrema;
  amo_status st = ask_first(s);
  if (st == AMO_OK) st = take_samples(s, s->opts->points);
  if (st == AMO_OK && number && !amo_limits_interrupted(s)) st = want_number(s);
  if (st == AMO_OK && s->opts->extrema && !amo_limits_interrupted(s)) st = amo_limits_extrema(s);
  if (st != AMO_OK) return st;
  add_bends(s);
  add_touches(s);
  add_zeros(s);
  if (s->count) memcpy(s->out->first, s->grid[0].verdict, sizeof s->out->first);
  return amo_limits_changes(s);
}

/// Parameters of a model that refuses some: scratch for asking which.
static amo_status make_param(search *s)
{
  const amo_values *v = s->p->place ? s->p->place(s->p->ctx) : NULL;
  if (!v || s->p->axis[0].kind != AMO_AXIS_PARAMETER || !v->model->start.nrequire) return AMO_OK;
  s->param = amo_zalloc(v->model->np, sizeof *s->param);
  return s->param ? AMO_OK : AMO_ENOMEM;
}

AMO_OPTS_INIT(amo_limits_opts, .points = 400, .tol = 1e-13)

amo_status amo_limits_find(const amo_probe *p, const amo_limits_opts *opts, amo_diags *diags, amo_limits *out)
{
  if (!out) return AMO_ERANGE;
  *out = (amo_limits){.reached = NAN};
  amo_limits_opts all = amo_limits_opts_default();
  const amo_status taken = amo_opts_take(&all, sizeof all, opts);
  if (taken != AMO_OK) return taken;
  if (!p || !p->read || !p->of || p->axes != 1 || !(p->axis[0].from < p->axis[0].to) || all.points < 2 ||
      !(all.tol >= 1e-16 && all.tol <= 1e-2))
    return AMO_ERANGE;
  search s = {.p = p, .out = out, .opts = &all, .tol = all.tol, .range = p->axis[0].to - p->axis[0].from};
  amo_diags *own = diags ? NULL : amo_diags_new();  // whether a reason was given is asked
  s.diags = diags ? diags : own;
  s.explore = all.points + MOST_EXPLORED;
  out->by_sign = all.level != NULL;
  if (all.level) s.level = *all.level;
  amo_status st = s.diags ? make_param(&s) : AMO_ENOMEM;
  if (st == AMO_OK) st = all.level || all.extrema ? AMO_ENOANSWER : amo_limits_exact(&s);
  if (st == AMO_ENOANSWER) st = by_samples(&s);
  free(s.param);
  free(s.grid);
  amo_diags_free(own);
  return st;
}

void amo_limits_free(amo_limits *l)
{
  if (!l) return;
  free(l->item);
  free(l->extremum);
  free(l->unsettled);
  *l = (amo_limits){0};
}
