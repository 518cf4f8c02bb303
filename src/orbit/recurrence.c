// SPDX-License-Identifier: Apache-2.0
#include "orbit/recurrence.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "num/bracket.h"
#include "orbit/course.h"

enum { KEPT = 2048, LOOK_BACK = 24, MOST_MARKS = 8000, MOST_IDLE = 4000 };

/// A state at which the motion can be compared with itself: an event, a turning point, a beat of the forcing.
typedef struct mark {
  int key;
  double t;
} mark;

struct amo_recurrence {
  amo_flow *f;
  const amo_drift *drift;
  uint32_t ns;
  double forcing, beat;  // beat: time of the next comparison of a forced motion
  mark *mark;            // [KEPT] ring
  double *state;         // [KEPT][ns]
  long marks, checked;   // marks so far; of them when it was last asked whether the motion dies out
  double *low, *high;    // [ns] range of the motion
  double *recent_low, *recent_high;  // of the last marks
  double *span;                      // [ns] how far states move: over the marks before the last
  double *y;
  double *plain;  // [ns] a state, or a difference of two, without shifts
  double start;   // [s] of the motion
  long idle;      // steps since the last mark
  char message[160];
};

amo_status amo_recurrence_new(const amo_model *m, const amo_sim_opts *o, const double *param,
                              const amo_drift *drift, double forcing, amo_recurrence **out)
{
  amo_recurrence *r = *out = amo_zalloc(1, sizeof *r);
  if (!r) return AMO_ENOMEM;
  amo_sim_opts opt = amo_sim_opts_default();
  opt.max_steps = o->max_steps;
  opt.max_events = o->max_events;
  opt.audit = false;
  amo_status st = amo_flow_new(m, &opt, 1, &r->f);
  if (st == AMO_OK) {
    amo_flow_parameters(r->f, 0, param);
    r->ns = r->f->ns;
    r->drift = drift;
    r->forcing = forcing;
    r->mark = amo_zalloc(KEPT, sizeof *r->mark);
    r->state = amo_zalloc((size_t)KEPT * r->ns, sizeof *r->state);
    r->low = amo_zalloc(7 * (size_t)r->ns, sizeof *r->low);
  }
  if (st == AMO_OK && (!r->mark || !r->state || !r->low)) st = AMO_ENOMEM;
  if (st != AMO_OK) {
    amo_recurrence_free(r);
    *out = NULL;
    return st;
  }
  r->high = r->low + r->ns;
  r->recent_low = r->high + r->ns;
  r->recent_high = r->recent_low + r->ns;
  r->span = r->recent_high + r->ns;
  r->y = r->span + r->ns;
  r->plain = r->y + r->ns;
  return AMO_OK;
}

void amo_recurrence_free(amo_recurrence *r)
{
  if (!r) return;
  amo_flow_free(r->f);
  free(r->mark);
  free(r->state);
  free(r->low);
  free(r);
}

const char *amo_recurrence_message(const amo_recurrence *r)
{
  return r->message[0] ? r->message : r->f->lane[0].message;
}

/// Where the motion is, without shifts.
static void look(amo_recurrence *r)
{
  memcpy(r->plain, r->f->lane[0].y, r->ns * sizeof *r->plain);
  amo_drift_fold(r->drift, r->forcing == 0.0, r->f->lane[0].t - r->start, r->plain);
}

static void forget(amo_recurrence *r, double *low, double *high)
{
  look(r);
  for (uint32_t i = 0; i < r->ns; i++) low[i] = high[i] = r->plain[i];
}

amo_status amo_recurrence_start(amo_recurrence *r, double t, const double *state)
{
  amo_status st = amo_flow_start(r->f, 0, t, state);
  r->marks = r->checked = r->idle = 0;
  r->beat = t + r->forcing;
  r->start = t;
  r->message[0] = '\0';
  memset(r->span, 0, r->ns * sizeof *r->span);
  if (st == AMO_OK) forget(r, r->low, r->high), forget(r, r->recent_low, r->recent_high);
  return st;
}

static void widen(double *low, double *high, const double *y, uint32_t ns)
{
  for (uint32_t i = 0; i < ns; i++) {
    low[i] = fmin(low[i], y[i]);
    high[i] = fmax(high[i], y[i]);
  }
}

static amo_status step(amo_recurrence *r, double t_end)
{
  amo_flow_expand(r->f);
  amo_flow_advance(r->f, t_end);
  const amo_lane *l = &r->f->lane[0];
  if (l->status == AMO_OK) {
    look(r);
    widen(r->low, r->high, r->plain, r->ns);
    widen(r->recent_low, r->recent_high, r->plain, r->ns);
  }
  return l->status;
}

amo_status amo_recurrence_skip(amo_recurrence *r, double time, volatile int *stop)
{
  const double end = r->f->lane[0].t + time;
  while (r->f->lane[0].t < end) {
    amo_status st = step(r, end);
    if (st != AMO_OK) return st;
    if (stop && *stop) return AMO_EINTR;
  }
  r->beat = end + r->forcing;
  forget(r, r->low, r->high);
  return AMO_OK;
}

// ---- comparing ----

static double distance(amo_recurrence *r, double time, const double *a, const double *b)
{
  double most = 0.0;
  for (uint32_t i = 0; i < r->ns; i++) r->plain[i] = a[i] - b[i];
  amo_drift_remove(r->drift, r->forcing == 0.0, time, r->plain, NULL);
  for (uint32_t i = 0; i < r->ns; i++) {
    const double range = r->span[i] > 0.0 ? r->span[i] : r->high[i] - r->low[i];
    if (range > 0.0) most = fmax(most, fabs(r->plain[i]) / range);
  }
  return most;
}

/// Compare with earlier marks of the same kind, nearest in time first; keep the mark.
static bool compare(amo_recurrence *r, int key, double t, const double *y, double within, amo_return *out)
{
  const size_t slot = (size_t)(r->marks % KEPT);
  double *mine = r->state + slot * r->ns;
  int looked = 0;
  bool found = false;
  for (long k = r->marks - 1; !found && k >= 0 && k > r->marks - KEPT && looked < LOOK_BACK; k--) {
    const mark *m = &r->mark[k % KEPT];
    if (m->key != key) continue;
    looked++;
    const double d = distance(r, t - m->t, y, r->state + (size_t)(k % KEPT) * r->ns);
    if (!(d <= within) || !(t > m->t)) continue;
    *out = (amo_return){t, mine, t - m->t, d};
    found = true;
  }
  r->mark[slot] = (mark){key, t};
  memcpy(mine, y, r->ns * sizeof *y);
  r->marks++;
  r->idle = 0;
  return found;
}

/// What passes zero at mark k: the rate of a place (for coordinates the velocity), from positive to negative, without
/// that of free shifts (of which each is seen in its own coordinate); for turns the cosine, which small swings do not let
/// pass. Of the last step, s after its start, where the state is y.
static double marker(amo_recurrence *r, uint32_t k, double s, const double *y)
{
  const uint32_t nq = r->f->m->nq, places = amo_places(r->f->m);
  const amo_drift *d = r->drift;
  const double t = r->f->lane[0].start + s;
  memcpy(r->plain, y, r->ns * sizeof *y);
  if (k >= places) {
    const size_t turn = d->frees + k - places;
    amo_drift_straighten(d, r->forcing == 0.0, t - r->start, r->plain);
    return cos(6.283185307179586477 * r->plain[d->pivot[turn]] / d->period[turn]);
  }
  for (uint32_t i = 0; nq == 0 && i < places; i++) r->plain[i] = amo_course_rate(r->f, i, s);
  for (size_t i = 0; i < d->frees; i++)
    if (d->pivot[i] == k) return r->plain[nq + k];
  amo_drift_project(d, r->forcing == 0.0, nq, r->plain);
  return r->plain[nq + k];
}

/// Where the marker turns from positive to negative in the last step.
static double turning_point(amo_recurrence *r, uint32_t k)
{
  const amo_lane *l = &r->f->lane[0];
  amo_bracket b = {0.0, l->h, 0};
  for (double x; amo_bracket_next(&b, &x);) {
    amo_flow_dense(r->f, 0, x, r->y);
    *(marker(r, k, x, r->y) > 0.0 ? &b.a : &b.b) = x;
  }
  amo_flow_dense(r->f, 0, b.b, r->y);
  return l->start + b.b;
}

static bool at_marks(amo_recurrence *r, double within, amo_return *out)
{
  const amo_lane *l = &r->f->lane[0];
  bool found = false;
  if (r->forcing > 0.0) {
    if (l->t < r->beat) return false;
    r->beat += r->forcing;
    return compare(r, 0, l->t, l->y, within, out);
  }
  for (uint32_t k = 0; !found && l->h > 0.0 && k < amo_places(r->f->m) + r->drift->turns; k++) {
    amo_flow_dense(r->f, 0, 0.0, r->y);
    if (!(marker(r, k, 0.0, r->y) > 0.0) || marker(r, k, l->h, l->y) > 0.0) continue;
    const double t = turning_point(r, k);
    found = compare(r, -1 - (int)k, t, r->y, within, out);
  }
  for (size_t i = 0; !found && i < l->events; i++)
    if (l->event[i].kind == AMO_EVENT_MODE || l->event[i].kind == AMO_EVENT_TOUCH)
      found = compare(r, l->event[i].contact * 16 + (l->event[i].from + 1) * 4 + l->event[i].to + 1, l->t,
                      l->y, within, out);
  return found;
}

/// Motion that dies out: over the last marks hardly anything moves, compared to what moved before or, for coordinates, to
/// what their rounding can show (a start at the steady state itself has no before).
static bool dying(amo_recurrence *r)
{
  const uint32_t nq = r->f->m->nq;
  double most = 0.0, still = 0.0, size = 0.0;
  for (uint32_t i = 0; i < nq; i++) size = fmax(size, fmax(fabs(r->low[i]), fabs(r->high[i])));
  for (uint32_t i = 0; i < r->ns; i++) {
    const double range = r->high[i] - r->low[i];
    r->span[i] = r->recent_high[i] - r->recent_low[i];
    if (range > 0.0) most = fmax(most, r->span[i] / range);
    if (i < nq) still = fmax(still, r->span[i]);
    if (i >= 2 * nq && range > 0.0) still = fmax(still, size * r->span[i] / range);
  }
  forget(r, r->recent_low, r->recent_high);
  return most < 1e-6 || (nq > 0 && still <= AMO_FAINT * size);
}

static amo_status none(amo_recurrence *r, const char *why)
{
  snprintf(r->message, sizeof r->message, "%s (t = %.6g)", why, r->f->lane[0].t);
  return AMO_ENOANSWER;
}

amo_status amo_recurrence_next(amo_recurrence *r, double within, volatile int *stop, amo_return *out)
{
  while (r->marks < MOST_MARKS) {
    amo_status st = step(r, r->forcing > 0.0 ? r->beat : INFINITY);
    if (st != AMO_OK) return st;
    if (stop && *stop) return AMO_EINTR;
    if (at_marks(r, within, out)) return AMO_OK;
    if (++r->idle > MOST_IDLE || !isfinite(r->f->lane[0].t) || r->f->lane[0].t > 1e12)
      return none(r, r->drift->frees > 0 ? "the motion comes to rest, or moves on steadily: there is no cycle"
                                         : "the motion comes to rest: there is no cycle");
    if (r->marks >= r->checked + 40) {
      if (dying(r)) return none(r, "the motion dies out: it tends to a steady state, not to a cycle");
      r->checked = r->marks;
    }
  }
  return none(r, "the motion does not repeat: not periodic, or not within the limits of the search");
}
