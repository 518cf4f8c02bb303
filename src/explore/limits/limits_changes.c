// SPDX-License-Identifier: Apache-2.0
// From samples to limits. The grid falls into runs of equal verdicts. Borders between runs are bisected; then every run
// is asked again at places of its own: where it answers otherwise, something was missed, and the grid grows. What is
// still not of one mind after some rounds is no limit but noise, or finer than the samples can tell: said so.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "explore/limits/limits_impl.h"

#define DEEPEST    24     // changes inside a bracket of a change
#define BAND       1e-10  // relative
#define ROUNDS     4      // of asking again
#define MOST_RUNS  2000   // beyond it nothing is narrowed down any more
#define NEIGHBOURS 12     // settled runs between two unsettled ones that are taken for luck

typedef struct stretch {  // consecutive samples of one verdict: grid[first..last]
  size_t first, last;
  bool settled;
} stretch;

double amo_limits_band(const search *s, double x)
{
  return fmax(BAND, 4.0 * s->tol) * fmax(fabs(x), 1e-3 * s->range);
}

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

static bool same(const sample *a, const sample *b)
{
  return strcmp(a->verdict, b->verdict) == 0;
}

// ---- narrowing down ----

static bool narrow(const search *s, const sample *a, const sample *b)
{
  const double x = 0.5 * (a->x + b->x);
  return x <= a->x || x >= b->x || b->x - a->x <= amo_limits_finest(s, a->x, b->x);
}

/// Keeps both sides of every change between a and b. Interrupted: nothing, and the bracket stays wide.
static void bisect(search *s, sample a, sample b, int depth)
{
  while (!same(&a, &b) && !narrow(s, &a, &b) && depth <= DEEPEST) {
    sample m = amo_limits_look(s, 0.5 * (a.x + b.x));
    if (amo_limits_interrupted(s)) return;
    if (same(&m, &a)) {
      a = m;
    } else if (same(&m, &b)) {
      b = m;
    } else {
      amo_limits_keep(s, &m);
      bisect(s, a, m, ++depth);
      a = m;
    }
  }
  amo_limits_keep(s, &a);
  amo_limits_keep(s, &b);
}

static void bisect_all(search *s)
{
  const size_t n = s->count;
  for (size_t i = 0; i + 1 < n && !s->failed && !amo_limits_interrupted(s); i++) {
    sample a = s->grid[i], b = s->grid[i + 1];
    if (!same(&a, &b) && !narrow(s, &a, &b)) bisect(s, a, b, 0);
  }
  amo_limits_sort(s);
}

// ---- runs ----

/// Runs of the grid; *count of them. NULL: out of memory.
static stretch *runs_of(search *s, size_t *count)
{
  stretch *run = NULL;
  size_t n = 0, capacity = 0;
  for (size_t i = 0; i < s->count; i++) {
    if (n && same(&s->grid[i], &s->grid[run[n - 1].first])) {
      run[n - 1].last = i;
      continue;
    }
    if (!AMO_ROOM(run, n, capacity)) {
      free(run);
      s->failed = true;
      return NULL;
    }
    run[n++] = (stretch){i, i, true};
  }
  *count = n;
  return run;
}

/// Does the run answer alike at places where it was not asked? What differs is kept.
static bool ask_again(search *s, const stretch *run)
{
  const sample a = s->grid[run->first], b = s->grid[run->last];
  const double width = b.x - a.x, edge = 16.0 * amo_limits_band(s, fmax(fabs(a.x), fabs(b.x)));
  const double place[] = {a.x + edge, a.x + 0.2931 * width, a.x + 0.5417 * width, a.x + 0.7683 * width,
                          b.x - edge};
  bool alike = true;
  if (width <= 4.0 * edge) return true;  // nothing to see between borders that rounding joins
  for (size_t i = 0; i < sizeof place / sizeof *place && !amo_limits_interrupted(s); i++) {
    sample m = amo_limits_look(s, place[i]);
    if (amo_limits_interrupted(s) || same(&m, &a)) continue;
    amo_limits_keep(s, &m);
    alike = false;
  }
  return alike;
}

/// One round: every run is asked. True: all answer alike.
static bool ask_all(search *s, stretch *run, size_t n)
{
  bool alike = true;
  for (size_t i = 0; i < n && n > 1 && n < MOST_RUNS && !s->failed; i++) {
    run[i].settled = ask_again(s, &run[i]);
    alike &= run[i].settled;
  }
  return alike && n < MOST_RUNS;
}

// ---- telling ----

/// The last run of the cluster of unsettled ones that begins at run i.
static size_t end_of_cluster(const stretch *run, size_t n, size_t i)
{
  size_t last = i;
  for (size_t k = i + 1; k < n && k - last <= NEIGHBOURS; k++)
    if (!run[k].settled) last = k;
  return last;
}

/// Runs first..last are not of one mind: one limit between what lies before and after, or none where these agree.
static void tell_cluster(search *s, const stretch *run, size_t n, size_t first, size_t last)
{
  const sample *lo = &s->grid[run[first].first], *hi = &s->grid[run[last].last];
  const sample *before = first > 0 ? lo - 1 : lo, *after = last + 1 < n ? hi + 1 : hi;
  amo_limits *l = s->out;
  if (!same(before, after)) {
    amo_limit *x = amo_limits_record(s, 0.5 * (lo->x + hi->x), before, after);
    if (x) x->unsettled = true, x->low = before->x, x->high = after->x;
  } else if (!AMO_ROOM(l->unsettled, l->unsettleds, l->unsettled_capacity)) {
    s->failed = true;
  } else {
    l->unsettled[l->unsettleds++] = (amo_limit_span){before->x, after->x};
  }
}

static void tell_border(search *s, const sample *a, const sample *b)
{
  amo_limit *x = amo_limits_record(s, 0.5 * (a->x + b->x), a, b);
  if (x && !narrow(s, a, b)) x->open = true, x->low = a->x, x->high = b->x;
}

static void tell(search *s, const stretch *run, size_t n)
{
  for (size_t i = 0; i < n && !s->failed; i++) {
    const size_t last = run[i].settled ? i : end_of_cluster(run, n, i);
    if (!run[i].settled && n > 1) tell_cluster(s, run, n, i, last);
    i = last;
    if (i + 1 < n && run[i].settled && run[i + 1].settled)
      tell_border(s, &s->grid[run[i].last], &s->grid[run[i + 1].first]);
  }
}

/// Changes that lie within rounding of each other are one; what is between them is the verdict on it.
static void merge(search *s)
{
  amo_limits *l = s->out;
  size_t n = 0;
  for (size_t i = 0; i < l->count; i++) {
    amo_limit *x = &l->item[i];
    amo_limit *y = n ? &l->item[n - 1] : NULL;
    if (y && !x->unsettled && !y->unsettled && !x->open && !y->open &&
        x->at - y->at <= amo_limits_band(s, x->at)) {
      if (strcmp(y->to, x->to) != 0 || !y->on[0]) memcpy(y->on, y->to, sizeof y->on);
      memcpy(y->to, x->to, sizeof y->to);
      y->at = 0.5 * (y->at + x->at);
    } else {
      l->item[n++] = *x;
    }
  }
  l->count = n;
}

/// A single value without an answer, with the same verdict on both sides, changes nothing.
static void drop_gaps(amo_limits *l)
{
  size_t n = 0;
  for (size_t i = 0; i < l->count; i++) {
    const amo_limit *x = &l->item[i];
    const bool gap = !x->open && !x->unsettled && !strcmp(x->from, x->to) &&
                     (!x->on[0] || !strcmp(x->on, x->from) || !strcmp(x->on, "no answer"));
    if (!gap) l->item[n++] = *x;
  }
  l->count = n;
}

/// Rounds of asking and narrowing down until all runs answer alike; the runs as they are then. Noise costs more looks in
/// every round than it tells: it ends.
static stretch *settle(search *s, size_t *n)
{
  stretch *run = NULL;
  bool done = false;
  for (int round = 1; !done; round++) {
    bisect_all(s);
    free(run);
    run = runs_of(s, n);
    if (!run || amo_limits_interrupted(s)) return run;
    const size_t before = s->count;
    done = ask_all(s, run, *n) || round == ROUNDS || s->out->evaluations > 4 * s->explore;
    if (done) s->count = before;  // what the last round found belongs to the runs it was found in
    amo_limits_sort(s);
  }
  for (size_t i = 0; *n >= MOST_RUNS && i < *n; i++) run[i].settled = false;
  return run;
}

amo_status amo_limits_changes(search *s)
{
  size_t n = 0;
  stretch *run = settle(s, &n);
  if (run) tell(s, run, n);
  free(run);
  if (s->failed) return AMO_ENOMEM;
  merge(s);
  for (size_t i = 0; i < s->out->count && !amo_limits_interrupted(s); i++)
    if (!s->out->item[i].open && !s->out->item[i].unsettled) amo_limits_polish(s, &s->out->item[i]);
  if (amo_limits_interrupted(s)) return AMO_EINTR;
  drop_gaps(s->out);
  return s->failed ? AMO_ENOMEM : AMO_OK;
}
