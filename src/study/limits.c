// SPDX-License-Identifier: Apache-2.0
#include "study/limits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "study/json.h"
#include "study/limits_impl.h"

#define MOST_EXPLORED 6000   // evaluations spent on what might happen between samples
#define DEEPEST       24     // changes inside a bracket of a change
#define BAND          1e-10  // verdicts at a border reach this far: rounding of decisions, relative

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

sample amo_limits_look(search *s, double x)
{
  sample a = {.x = x};
  amo_probe_read(s->p, &x, NULL, &a.r);
  if (a.r.kind == AMO_READ_NUMBER) a.r.number -= s->level;
  amo_limits_name(s, &a);
  s->out->evaluations++;
  if (a.r.unsound && s->out->unsound++ == 0) s->out->first_unsound = x;
  return a;
}

static void keep(search *s, const sample *a)
{
  if (!AMO_ROOM(s->grid, s->count, s->capacity))
    s->failed = true;
  else
    s->grid[s->count++] = *a;
}

static bool interrupted(const search *s)
{
  return s->p->call->interrupted && *s->p->call->interrupted;
}

static double finest(const search *s, double a, double b)
{
  return fmax(s->tol * fmax(fabs(a), fabs(b)), 1e-18 * s->range);
}

// ---- zeros of watched quantities ----

static double watched(const sample *a, size_t w)
{
  return w < a->r.watched ? a->r.watch[w] : NAN;
}

static bool crosses(double u, double v)
{
  return (u < 0.0 && v > 0.0) || (u > 0.0 && v < 0.0);
}

/// Bisect quantity w, whose sign differs at a and b. A jump through infinity ends here as well.
static sample zero_between(search *s, sample a, sample b, size_t w)
{
  for (int i = 0; i < 200; i++) {
    double x = 0.5 * (a.x + b.x);
    if (x <= a.x || x >= b.x || b.x - a.x <= 0.01 * finest(s, a.x, b.x)) break;
    sample m = amo_limits_look(s, x);
    double f = watched(&m, w);
    if (f == 0.0 || isnan(f)) return m;
    if (crosses(watched(&a, w), f))
      b = m;
    else
      a = m;
  }
  return fabs(watched(&a, w)) < fabs(watched(&b, w)) ? a : b;
}

static void zeros_between(search *s, const sample *a, const sample *b)
{
  for (size_t w = 0; w < a->r.watched && w < b->r.watched; w++) {
    if (!crosses(watched(a, w), watched(b, w))) continue;
    sample z = zero_between(s, *a, *b, w);
    if (z.x > a->x && z.x < b->x) keep(s, &z);
  }
}

/// |w| has a least value near b: does it reach zero between the samples a and c? Golden section.
static void touch_between(search *s, const sample *a, const sample *b, const sample *c, size_t w)
{
  const double golden = 0.5 * (3.0 - sqrt(5.0));
  double lo = a->x, hi = c->x, size = fmax(fabs(watched(a, w)), fabs(watched(c, w)));
  sample best = *b;
  for (int i = 0; i < 80 && hi - lo > 1e-9 * (c->x - a->x); i++) {
    bool right = hi - best.x > best.x - lo;
    sample m = amo_limits_look(s, right ? best.x + golden * (hi - best.x) : best.x - golden * (best.x - lo));
    double f = watched(&m, w);
    if (isnan(f)) return;
    if (f == 0.0 || crosses(f, watched(b, w))) {
      keep(s, &m);
      return;
    }
    bool better = fabs(f) < fabs(watched(&best, w));
    if (better) {
      if (right)
        lo = best.x;
      else
        hi = best.x;
      best = m;
    } else if (right) {
      hi = m.x;
    } else {
      lo = m.x;
    }
  }
  if (fabs(watched(&best, w)) < 1e-6 * size) keep(s, &best);
}

static int by_x(const void *a, const void *b)
{
  double x = ((const sample *)a)->x, y = ((const sample *)b)->x;
  return (x > y) - (x < y);
}

static void sort_grid(search *s)
{
  if (s->count) qsort(s->grid, s->count, sizeof *s->grid, by_x);
}

/// May a watched quantity reach zero between a and b although it has the same sign at both? Judged by its second
/// difference: a parabola through the three points whose turn lies inside comes at most that much nearer.
static bool may_touch(const sample *a, const sample *m, const sample *b)
{
  for (size_t w = 0; w < a->r.watched && w < b->r.watched && w < m->r.watched; w++) {
    double u = watched(a, w), v = watched(b, w), f = watched(m, w), bend = u - 2.0 * f + v;
    double least = fmin(fabs(f), fmin(fabs(u), fabs(v)));
    if (u * v > 0.0 && fabs(bend) > least && fabs(bend) > 1e-9 * (fabs(u) + fabs(v))) return true;
  }
  return false;
}

/// Watched quantities that jump or are noisy (a load shared out anew at each value) bend everywhere: enough is enough.
static bool tired(const search *s)
{
  return s->out->evaluations > MOST_EXPLORED;
}

static void bend_between(search *s, const sample *a, const sample *b, int depth)
{
  if (depth > 12 || tired(s) || s->failed || interrupted(s) || b->x - a->x <= 1e6 * finest(s, a->x, b->x))
    return;
  sample m = amo_limits_look(s, 0.5 * (a->x + b->x));
  keep(s, &m);
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
  sort_grid(s);
}

static void add_touches(search *s)
{
  size_t n = s->count;
  for (size_t i = 1; i + 1 < n && !s->failed && !interrupted(s) && !tired(s); i++)
    for (size_t w = 0; w < s->grid[i].r.watched; w++) {
      sample a = s->grid[i - 1], b = s->grid[i], c = s->grid[i + 1];
      double f = fabs(watched(&b, w)) * (1.0 + 1e-9);
      if (f < fabs(watched(&a, w)) && f < fabs(watched(&c, w)) && !crosses(watched(&a, w), watched(&b, w)) &&
          !crosses(watched(&b, w), watched(&c, w)))
        touch_between(s, &a, &b, &c, w);
    }
  sort_grid(s);
}

static void add_zeros(search *s)
{
  size_t n = s->count;
  for (size_t i = 0; i + 1 < n && !s->failed && !interrupted(s); i++) {
    sample a = s->grid[i], b = s->grid[i + 1];
    if (!tired(s)) zeros_between(s, &a, &b);
  }
  sort_grid(s);
  // between two zeros a verdict may differ from that at either
  n = s->count;
  for (size_t i = 0; i + 1 < n && !s->failed && !interrupted(s); i++) {
    double a = s->grid[i].x, b = s->grid[i + 1].x;
    if (b - a <= 4.0 * finest(s, a, b)) continue;
    sample m = amo_limits_look(s, 0.5 * (a + b));
    keep(s, &m);
  }
  sort_grid(s);
}

// ---- changes ----

amo_limit *amo_limits_record(search *s, double at, const sample *a, const sample *b)
{
  amo_limits *l = s->out;
  if (!AMO_ROOM(l->item, l->count, l->capacity)) {
    s->failed = true;
    return NULL;
  }
  amo_limit *x = &l->item[l->count++];
  *x = (amo_limit){.at = at};
  memcpy(x->from, a->verdict, sizeof x->from);
  memcpy(x->to, b->verdict, sizeof x->to);
  return x;
}

static void record_open(search *s, const sample *a, const sample *b)
{
  amo_limit *x = amo_limits_record(s, 0.5 * (a->x + b->x), a, b);
  if (!x) return;
  x->open = true;
  x->low = a->x;
  x->high = b->x;
}

static void bisect(search *s, sample a, sample b, int depth)
{
  while (strcmp(a.verdict, b.verdict) != 0) {
    double x = 0.5 * (a.x + b.x);
    if (x <= a.x || x >= b.x || b.x - a.x <= finest(s, a.x, b.x) || depth > DEEPEST) {
      amo_limits_record(s, x, &a, &b);
      return;
    }
    sample m = amo_limits_look(s, x);
    if (interrupted(s)) {  // what was looked at last may not be an answer
      record_open(s, &a, &b);
      return;
    }
    if (!strcmp(m.verdict, a.verdict)) {
      a = m;
    } else if (!strcmp(m.verdict, b.verdict)) {
      b = m;
    } else {
      bisect(s, a, m, depth + 1);
      a = m;
      depth++;
    }
  }
}

static double band(const search *s, double x)
{
  return fmax(BAND, 4.0 * s->tol) * fmax(fabs(x), 1e-3 * s->range);
}

/// Changes that lie within rounding of each other are one; what is between them is the verdict on it.
static void merge(search *s)
{
  amo_limits *l = s->out;
  size_t n = 0;
  for (size_t i = 0; i < l->count; i++) {
    amo_limit *x = &l->item[i];
    amo_limit *y = n ? &l->item[n - 1] : NULL;
    if (y && x->at - y->at <= band(s, x->at)) {
      if (strcmp(y->to, x->to) != 0 || !y->on[0]) memcpy(y->on, y->to, sizeof y->on);
      memcpy(y->to, x->to, sizeof y->to);
      y->at = 0.5 * (y->at + x->at);
    } else {
      l->item[n++] = *x;
    }
  }
  l->count = n;
}

/// The zero, next to `at`, of a quantity of a solution that exists on one side only (side = -1, +1).
static void extrapolate(search *s, double at, double side, double *best, double *zero)
{
  const amo_axis *axis = &s->p->axis[0];
  double h = side * 1e-7 * fmax(fabs(at), 1e-3 * s->range);
  if (at + 2.0 * h < axis->from || at + 2.0 * h > axis->to) return;
  sample a = amo_limits_look(s, at + h), b = amo_limits_look(s, at + 2.0 * h);
  if (strcmp(a.verdict, b.verdict) != 0) return;
  for (size_t w = 0; w < a.r.branches && w < b.r.branches; w++) {
    double f = a.r.branch[w], g = b.r.branch[w], z = a.x - f * (b.x - a.x) / (g - f);
    if (g == f || !(fabs(z - at) < fmin(*best, band(s, at)))) continue;
    *best = fabs(z - at);
    *zero = z;
  }
}

/// Decisions allow for rounding; the quantity behind the decision tells the limit more exactly.
static void polish(search *s, amo_limit *x)
{
  double h = band(s, x->at), best = INFINITY, at = x->at;
  double lo = fmax(x->at - h, s->p->axis[0].from), hi = fmin(x->at + h, s->p->axis[0].to);
  sample a = amo_limits_look(s, lo), b = amo_limits_look(s, hi);
  for (size_t w = 0; w < a.r.watched && w < b.r.watched; w++) {
    if (!crosses(watched(&a, w), watched(&b, w))) continue;
    if (fabs(watched(&a, w)) > 1e6 && fabs(watched(&b, w)) > 1e6) continue;  // a pole
    sample z = zero_between(s, a, b, w);
    if (fabs(z.x - x->at) < best) {
      best = fabs(z.x - x->at);
      at = z.x;
    }
  }
  if (best == INFINITY) {
    extrapolate(s, x->at, -1.0, &best, &at);
    extrapolate(s, x->at, 1.0, &best, &at);
  }
  if (fabs(at) < 1e-15 * s->range) at = 0.0;
  x->at = at;
  sample on = amo_limits_look(s, at);
  if (strcmp(x->from, x->to) == 0 && !strcmp(on.verdict, x->from)) return;  // a point that rounding hides
  x->on[0] = '\0';
  if (strcmp(on.verdict, x->from) != 0 && strcmp(on.verdict, x->to) != 0)
    memcpy(x->on, on.verdict, sizeof x->on);
}

static amo_status find_changes(search *s)
{
  for (size_t i = 0; i + 1 < s->count && !s->failed; i++) bisect(s, s->grid[i], s->grid[i + 1], 0);
  if (interrupted(s)) return s->failed ? AMO_ENOMEM : AMO_EINTR;
  merge(s);
  for (size_t i = 0; i < s->out->count; i++) polish(s, &s->out->item[i]);
  return s->failed ? AMO_ENOMEM : AMO_OK;
}

static amo_status take_samples(search *s, size_t points)
{
  const amo_axis *a = &s->p->axis[0];
  bool any = false;
  for (size_t i = 0; i < points && !s->failed; i++) {
    sample x = amo_limits_look(s, amo_axis_value(a, i, points));
    if (interrupted(s)) break;  // the answer may be missing for that reason
    s->out->reached = x.x;
    any |= x.r.kind != AMO_READ_FAILED;
    s->out->by_sign |= x.r.kind == AMO_READ_NUMBER && x.r.number != floor(x.r.number);
    keep(s, &x);
    if (s->p->call->progress)
      s->p->call->progress(s->p->call->progress_ctx, 0.6 * (double)(i + 1) / (double)points);
  }
  if (a->from < 0.0 && a->to > 0.0 && !interrupted(s)) {  // verdicts often change at zero, and only there
    sample x = amo_limits_look(s, 0.0);
    keep(s, &x);
    sort_grid(s);
  }
  if (s->failed) return AMO_ENOMEM;
  for (size_t i = 0; i < s->count; i++) amo_limits_name(s, &s->grid[i]);
  if (any || interrupted(s)) return AMO_OK;
  amo_reading r;
  size_t before = amo_diags_errors(s->p->call->diags);
  amo_probe_read(s->p, &a->from, s->p->call->diags, &r);  // says why
  return amo_diags_errors(s->p->call->diags) > before ? AMO_EINPUT : AMO_ENOANSWER;
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
    if (!r.missing || strchr(s->p->path, '[')) return AMO_OK;
  }
  amo_probe_read(s->p, &a->from, s->p->call->diags, &r);  // says why
  return AMO_EINPUT;
}

/// Levels and extrema are those of numbers.
static amo_status want_number(const search *s)
{
  for (size_t i = 0; i < s->count; i++)
    if (s->grid[i].r.kind == AMO_READ_NUMBER) return AMO_OK;
  return amo_error(s->p->call->diags, (amo_at){0}, "leave --level and --extrema out, or ask for a number",
                   "'%s' is no number anywhere in the range, it is '%s'", s->p->path, s->grid[0].verdict);
}

amo_status amo_limits_find(amo_probe *p, const amo_limits_opts *opts, amo_limits *out)
{
  search s = {.p = p, .out = out, .tol = opts->tol, .range = p->axis[0].to - p->axis[0].from};
  *out = (amo_limits){.by_sign = opts->level != NULL, .reached = NAN};
  if (opts->level) s.level = *opts->level;
  amo_status st = opts->level || opts->extrema ? AMO_ENOANSWER : amo_limits_exact(&s);
  if (st != AMO_ENOANSWER) return st;
  st = ask_first(&s);
  if (st == AMO_OK) st = take_samples(&s, opts->points);
  if (st == AMO_OK && (opts->level || opts->extrema) && !interrupted(&s)) st = want_number(&s);
  if (st == AMO_OK && opts->extrema && !interrupted(&s)) st = amo_limits_extrema(&s);
  if (st == AMO_OK) {
    add_bends(&s);
    add_touches(&s);
    add_zeros(&s);
    if (s.count) memcpy(out->first, s.grid[0].verdict, sizeof out->first);
    st = find_changes(&s);
  }
  free(s.grid);
  return st;
}

void amo_limits_free(amo_limits *l)
{
  free(l->item);
  free(l->extremum);
  *l = (amo_limits){0};
}
