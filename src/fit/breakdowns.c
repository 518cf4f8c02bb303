// SPDX-License-Identifier: Apache-2.0
/// Cycles of a record: the last pass. Slips are falls (where the drive goes backwards: rises, read upside down) that last half a period.
#include "amontons/breakdowns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/options.h"
#include "fit/arc.h"
#include "fit/arcs.h"
#include "fit/onset.h"
#include "fit/oscillogram.h"
#include "fit/stick.h"
#include "num/bracket.h"

enum { LEAST_ARC = 6 };     // samples between the extrema of a slip that make an arc
#define STICK_PERIODS 20.0  // of stick beside a slip that are looked at

typedef struct slip_state {
  bool open;    // its set-up is still to be found
  bool found;   // its break-down was
  double dir;   // 1: a fall, the drive goes forwards
  size_t D, E;  // samples of largest and smallest force
  amo_arc arc;
  amo_arc low;  // the arc near its end, where one arc does not fit the whole
  double turn_D, turn_E;
  amo_breakdown cycle;
} slip_state;

enum { TOPS = 48, LONGEST = 256 };  // beginnings of slips kept; samples of one
typedef struct onset_pool {
  double t[TOPS][LONGEST], x[TOPS][LONGEST];
  double from[TOPS], to[TOPS];  // where the break-down is sought
  size_t length[TOPS], n;
} onset_pool;

typedef struct cycle_finder {
  amo_oscillogram *o;
  amo_breakdowns *out;
  size_t capacity;
  double dir;   // of slips where no drive is known
  double half;  // half a period, s
  bool local;   // arcs of both ends apart
  bool onset;   // slips begin as onset.h has it
  double kappa_onset;
  amo_spread top;    // misfit of line and arc where slips begin, in sizes of the noise
  onset_pool *tops;  // samples around the beginnings of some slips
  slip_state last;
  bool begun;  // there was a slip
  amo_spread misfit;
  double *t, *x;  // samples of an arc, turned upright
  size_t room;
} cycle_finder;

AMO_OPTS_INIT(amo_breakdown_opts, .time = "t", .force = "F", .speed = NAN, .stiffness = NAN, .mass = NAN)

void amo_breakdowns_free(amo_breakdowns *b)
{
  if (b == NULL) return;
  free(b->cycle);
  free(b);
}

bool amo_forces_from_extrema(double c, double m, double largest, double smallest, double v,
                             amo_extrema_forces *out)
{
  const double half = 0.5 * (largest - smallest), middle = 0.5 * (largest + smallest);
  const double root = half * half - c * m * v * v;  // (c v/omega)^2 = c m v^2
  if (!(root >= 0)) return false;
  const double jump = sqrt(root), bias = c * m * v * v / (half + jump);
  *out = (amo_extrema_forces){.F_plus = middle + jump,
                              .F_minus = middle - jump,
                              .bias_plus = bias,
                              .bias_minus = -bias,
                              .first_plus = c * m * v * v / (2 * half),
                              .first_minus = -c * m * v * v / (2 * half)};
  return true;
}

// ---- one slip ----

/// Samples from t0 to t1, upright.
static amo_status gather(cycle_finder *f, double dir, double t0, double t1, size_t lo, size_t hi, size_t *n)
{
  const amo_trace *w = &f->o->trace;
  const size_t a = amo_trace_find(w, t0, lo, hi), b = amo_trace_find(w, t1, a, hi);
  *n = b - a;
  if (*n > f->room) {
    double *const nt = realloc(f->t, *n * sizeof *nt);
    if (nt) f->t = nt;
    double *const nx = realloc(f->x, *n * sizeof *nx);
    if (nx) f->x = nx;
    if (!nt || !nx) return AMO_ENOMEM;
    f->room = *n;
  }
  for (size_t k = a; k < b; k++) f->t[k - a] = amo_trace_t(w, k), f->x[k - a] = dir * amo_trace_x(w, k);
  return AMO_OK;
}

/// The arc between D and E, from the steep middle of the slip on. Its own extrema say, better than samples, where it begins and ends: in
/// a slow stick the largest sample may lie far before the slip.
static amo_status fit_arc(cycle_finder *f, slip_state *s, bool *good)
{
  const amo_trace *w = &f->o->trace;
  size_t a, b, n;
  *good = false;
  (void)amo_trace_core(w, s->D, s->E, &a, &b);
  if (b < a + 2) return AMO_OK;
  double from = amo_trace_t(w, a), to = amo_trace_t(w, b - 1) + 0.5 * f->o->survey.interval;
  const double middle = 0.5 * (from + to);
  for (int round = 0; round < 3; round++) {
    amo_status st = gather(f, s->dir, from, to, w->first, amo_trace_end(w), &n);
    if (st != AMO_OK) return st;
    if (n < (round ? LEAST_ARC : LEAST_ARC - 2) ||
        !amo_arc_fit(f->t, f->x, n, f->out->omega, f->out->kappa, &s->arc))
      return AMO_OK;
    s->turn_D = amo_arc_turn(&s->arc, middle - 0.5 * f->half);
    s->turn_E = amo_arc_turn(&s->arc, middle + 0.5 * f->half);
    if (!(s->turn_E - s->turn_D > 0.5 * f->half) ||
        fabs(middle - s->turn_D - 0.5 * f->half) > 0.4 * f->half ||
        fabs(s->turn_E - middle - 0.5 * f->half) > 0.4 * f->half)
      return AMO_OK;
    from = s->turn_D, to = s->turn_E;
  }
  s->D = amo_trace_find(w, s->turn_D, w->first, s->E);
  s->E = amo_trace_find(w, s->turn_E, s->D, amo_trace_end(w) - 1);
  *good = true;
  s->low = s->arc;
  if (f->o->survey.noise > 0)
    amo_spread_add(&f->misfit, sqrt(s->arc.sum / (double)(s->arc.n - 3)) / f->o->survey.noise);
  return AMO_OK;
}

/// Where one arc does not fit the whole slip (friction that depends on the speed), each end has its own.
static amo_status fit_ends(cycle_finder *f, slip_state *s)
{
  const double part = 0.4 * f->half;
  size_t n;
  amo_arc top, low;
  amo_status st =
      gather(f, s->dir, s->turn_D - 0.1 * f->half, s->turn_D + part, f->o->trace.first, s->E + 1, &n);
  if (st != AMO_OK || n < LEAST_ARC || !amo_arc_fit(f->t, f->x, n, f->out->omega, 0, &top)) return st;
  st = gather(f, s->dir, s->turn_E - part, s->turn_E + 0.1 * f->half, s->D, amo_trace_end(&f->o->trace), &n);
  if (st != AMO_OK || n < LEAST_ARC || !amo_arc_fit(f->t, f->x, n, f->out->omega, 0, &low)) return st;
  s->arc = top, s->low = low;
  s->turn_D = amo_arc_turn(&top, s->turn_D);
  s->turn_E = amo_arc_turn(&low, s->turn_E);
  return AMO_OK;
}

// ---- speed of the drive beside a slip ----

/// Speed of the drive beside t (upright): the mean of four samples, the next one where they differ by more than noise; NAN: not known.
static double drive_at(const cycle_finder *f, double dir, double t, int side, double *acceleration)
{
  const amo_trace *w = &f->o->trace;
  const size_t end = amo_trace_end(w), k = amo_trace_find(w, t, w->first, end);
  double sum = 0, next = NAN, low = INFINITY, high = -INFINITY;
  int n = 0;
  *acceleration = 0;
  for (size_t i = 0; i < 4; i++) {
    const size_t j = side < 0 ? k - 1 - i : k + i;
    if (j < w->first || j >= end) break;
    const double v = dir * w->v[j - w->first];
    if (n++ == 0) next = v;
    sum += v, low = fmin(low, v), high = fmax(high, v);
  }
  const size_t a = amo_trace_find(w, t - 0.5 * f->half, w->first, k),
               b = amo_trace_find(w, t + 0.5 * f->half, k, end);
  if (f->o->opts->drive && b > a + 1) {
    const double first = w->v[a - w->first], last = w->v[b - 1 - w->first],
                 middle = w->v[(a + b) / 2 - w->first];
    const bool ramp = fabs(middle - 0.5 * (first + last)) < 0.25 * fabs(last - first);  // no jump
    if (ramp) *acceleration = dir * (last - first) / (amo_trace_t(w, b - 1) - amo_trace_t(w, a));
  }
  return high - low > 0.05 * fabs(next) ? next : sum / n;
}

typedef struct stick_end {
  double slope, slope_se;  // of the force beside the slip, N/s; NAN: not known
  double v;                // of the drive
  bool of_drive;           // slope is c v
  double acceleration;     // of the drive
} stick_end;

/// How fast the force changes in the stick beside a slip: side -1 before break-down at t, +1 behind set-up.
static void look_at_stick(const cycle_finder *f, double dir, double t, int side, size_t lo, size_t hi,
                          stick_end *out)
{
  const amo_trace *w = &f->o->trace;
  const double c = f->o->opts->stiffness, reach = STICK_PERIODS * 2 * f->half;
  const double margin = 1.5 * f->o->survey.interval;
  const size_t a = amo_trace_find(w, side < 0 ? t - reach : t + margin, lo, hi);
  const size_t b = amo_trace_find(w, side < 0 ? t - margin : t + reach, a, hi);
  amo_stick_line line;
  const double noise = fmax(f->o->survey.noise, 1e-9 * (f->o->survey.high.value - f->o->survey.low.value));
  double acceleration;
  const double v = drive_at(f, dir, t, side, &acceleration);
  const bool seen = amo_stick_line_fit(w, a, b, side < 0, dir * v, noise, &line);
  *out = (stick_end){.slope = seen ? dir * line.slope : NAN,
                     .slope_se = seen ? line.slope_se : NAN,
                     .v = v,
                     .acceleration = acceleration};
  if (!isfinite(out->v)) {
    out->v = out->slope / c;
    return;
  }
  out->of_drive = !seen || !(fabs(out->slope - c * out->v) > 4 * line.slope_se + 1e-3 * fabs(c * out->v));
  if (out->of_drive) out->slope = c * out->v, out->slope_se = 0;
}

/// The instant where the arc has the slope of the stick beside it; the stick is looked at up to there.
static bool find_end(const cycle_finder *f, const amo_arc *arc, double dir, double turn, int side, size_t lo,
                     size_t hi, double *t, stick_end *stick)
{
  *t = turn + side * 0.6 * f->half;
  for (int round = 0; round < 3; round++) {
    look_at_stick(f, dir, *t, side, lo, hi, stick);
    if (!isfinite(stick->slope) && round == 0) {  // a short stick: a first guess from the arc itself
      *t = turn + side * 0.2 * f->half;
      look_at_stick(f, dir, *t, side, lo, hi, stick);
    }
    if (!isfinite(stick->slope)) return false;
    if (!amo_arc_slope_is(arc, turn, side, stick->slope, t)) return stick->slope = INFINITY, false;
  }
  return true;
}

// ---- cycles ----

static void reject(cycle_finder *f, amo_breakdown_flaw why)
{
  f->out->rejected[why]++;
}

static amo_status emit(cycle_finder *f)
{
  slip_state *s = &f->last;
  if (!s->open) return AMO_OK;
  s->open = false;
  if (!s->found) return AMO_OK;
  amo_breakdowns *b = f->out;
  if (!AMO_ROOM(b->cycle, b->cycles, f->capacity)) return AMO_ENOMEM;
  b->cycle[b->cycles++] = s->cycle;
  return AMO_OK;
}

/// Inertia and damping beside the spring, as parts of the contact force.
static double beside_spring(const cycle_finder *f, const stick_end *e)
{
  const amo_breakdown_opts *o = f->o->opts;
  const double mass = o->stiffness / (f->out->omega * f->out->omega);
  return o->damping * e->v + (o->moving_guide ? mass * e->acceleration : 0);
}

/// The set-up of the last slip, from samples up to `hi`.
static amo_status finish_set_up(cycle_finder *f, size_t hi)
{
  slip_state *s = &f->last;
  amo_breakdown *c = &s->cycle;
  stick_end e;
  double t;
  if (!s->open) return AMO_OK;
  c->t_set_up = c->F_minus = c->F_minus_se = c->v_set_up = NAN;
  if (s->found && !c->coarse && find_end(f, &s->low, s->dir, s->turn_E, 1, s->E, hi, &t, &e)) {
    c->t_set_up = t;
    c->F_minus = s->dir * (amo_arc_value(&s->low, t) + beside_spring(f, &e));
    c->F_minus_se = amo_arc_error(&s->low, t, f->o->survey.noise, e.slope_se);
    c->v_set_up = s->dir * e.v;
  } else if (s->found && c->coarse) {
    look_at_stick(f, s->dir, amo_trace_t(&f->o->trace, s->E), 1, s->E, hi, &e);
    const double late = 0.5 * f->o->survey.interval;  // set-up lies between two samples
    c->t_set_up = amo_trace_t(&f->o->trace, s->E) - late;
    c->F_minus = amo_trace_x(&f->o->trace, s->E) - s->dir * e.slope * late;
    c->F_minus_se = hypot(f->o->survey.noise, fabs(e.slope) * late / sqrt(3));
    c->v_set_up = s->dir * e.v;
  }
  return emit(f);
}

static void coarse_break_down(cycle_finder *f, slip_state *s, size_t lo)
{
  const amo_trace *w = &f->o->trace;
  const double early = 0.5 * f->o->survey.interval;
  stick_end e;
  look_at_stick(f, s->dir, amo_trace_t(w, s->D) + 2 * f->o->survey.interval, -1, lo, s->D + 1, &e);
  if (!isfinite(e.slope)) {
    reject(f, AMO_FLAW_NO_STICK);
    return;
  }
  amo_breakdown *c = &s->cycle;
  c->coarse = s->found = true;
  c->t = amo_trace_t(w, s->D) + early;
  c->F_plus = amo_trace_x(w, s->D) + s->dir * e.slope * early + s->dir * beside_spring(f, &e);
  c->F_plus_se = hypot(f->o->survey.noise, fabs(e.slope) * early / sqrt(3));
  c->rate = s->dir * e.slope, c->rate_se = e.slope_se, c->rate_of_drive = e.of_drive;
  c->v = s->dir * e.v;
  c->sliding = c->amplitude = NAN;
}

/// Samples around the beginning of a slip: stick of half a period at most, and the first of the slip.
static amo_status gather_top(cycle_finder *f, const slip_state *s, size_t lo, size_t *n, double *from)
{
  *from = s->turn_D - f->half;
  if (f->begun)
    *from = fmax(*from, f->last.found && isfinite(f->last.cycle.t_set_up) ? f->last.cycle.t_set_up
                                                                          : f->last.turn_E + 0.5 * f->half);
  return gather(f, s->dir, *from, s->turn_D + 0.15 * f->half, lo, s->E + 1, n);
}

static amo_status keep_top(cycle_finder *f, const slip_state *s, size_t lo)
{
  onset_pool *p = f->tops;
  size_t n;
  double from;
  if (f->onset || p->n == TOPS) return AMO_OK;
  amo_status st = gather_top(f, s, lo, &n, &from);
  if (st != AMO_OK || n < 8) return st;
  const size_t every = (n + LONGEST - 1) / LONGEST, k = p->n++;
  for (size_t i = 0; i < n; i += every) p->t[k][p->length[k]] = f->t[i], p->x[k][p->length[k]++] = f->x[i];
  p->from[k] = from + 0.1 * (s->turn_D - from), p->to[k] = s->turn_D;
  return AMO_OK;
}

/// Sum of squares of all beginnings.
static double tops_sum(const cycle_finder *f, double kappa)
{
  const onset_pool *p = f->tops;
  double sum = 0;
  amo_onset o;
  for (size_t k = 0; k < p->n; k++)
    if (amo_onset_fit(p->t[k], p->x[k], p->length[k], f->out->omega, kappa, p->from[k], p->to[k], &o))
      sum += o.sum;
  return sum;
}

static double tops_kappa(const cycle_finder *f)
{
  const double w = f->out->omega;
  double best = INFINITY, at = 0, x;
  for (int k = -7; k <= 2; k++) {  // falling friction first: kappa from -1.75 omega on
    const double sum = tops_sum(f, 0.25 * k * w);
    if (sum < best) best = sum, at = 0.25 * k * w;
  }
  amo_valley v = amo_valley_of(at - 0.24 * w, at + 0.24 * w, at, best, 1e-3 * w);
  for (int i = 0; i < 20 && amo_valley_next(&v, &x); i++) amo_valley_take(&v, x, tops_sum(f, x));
  return v.best.x;
}

/// How well the line before break-down at t and the arc behind it describe the samples up to the largest.
static void judge_top(cycle_finder *f, const slip_state *s, double t, double slope, size_t lo)
{
  const amo_trace *w = &f->o->trace;
  const double value = amo_arc_value(&s->arc, t);
  const size_t a = amo_trace_find(w, t - 0.25 * f->half, lo, s->D), b = amo_trace_find(w, s->turn_D, a, s->E);
  double sum = 0;
  for (size_t k = a; k < b; k++) {
    const double time = amo_trace_t(w, k), is = s->dir * amo_trace_x(w, k);
    const double off = is - (time < t ? value + slope * (time - t) : amo_arc_value(&s->arc, time));
    sum += off * off;
  }
  if (b > a && f->o->survey.noise > 0)
    amo_spread_add(&f->top, sqrt(sum / (double)(b - a)) / f->o->survey.noise);
}

/// Did the slip before simply go on? Then the arc describes the rise before its maximum too; or a drive that is known outruns it.
static bool went_on(const cycle_finder *f, const slip_state *s, size_t lo)
{
  const amo_trace *w = &f->o->trace;
  const double fastest = 0.5 * fabs(s->cycle.naive_plus - s->cycle.naive_minus) * s->arc.omega;
  double sum = 0, acceleration;
  const double v = drive_at(f, s->dir, s->turn_D, -1, &acceleration);
  if (fastest < f->o->opts->stiffness * v) return true;
  if (!f->begun || amo_trace_t(w, s->D) - amo_trace_t(w, lo) > 1.5 * f->half) return false;
  for (size_t k = lo; k <= s->D; k++) {
    const double off = s->dir * amo_trace_x(w, k) - amo_arc_value(&s->arc, amo_trace_t(w, k));
    sum += off * off / (double)(s->D - lo + 1);
  }
  return sqrt(sum) < 3 * f->o->survey.noise + 1e-3 * amo_arc_size(&s->arc);
}

/// Does the drive change its speed so near to t that samples do not tell which of both the break-down has seen?
static bool changes_speed(const cycle_finder *f, double t)
{
  const amo_trace *w = &f->o->trace;
  const double near = fmin(0.25 * f->half, 3 * f->o->survey.interval);
  const size_t a = amo_trace_find(w, t - near, w->first, amo_trace_end(w)),
               b = amo_trace_find(w, t + near, a, amo_trace_end(w));
  double low = INFINITY, high = -INFINITY;
  for (size_t k = a; k < b; k++) low = fmin(low, w->v[k - w->first]), high = fmax(high, w->v[k - w->first]);
  return f->o->opts->drive && high - low > 0.05 * fmax(fabs(low), fabs(high));
}

static void take_break_down(const cycle_finder *f, slip_state *s, double t, double force, double se,
                            const stick_end *e)
{
  amo_breakdown *c = &s->cycle;
  const double mass = f->o->opts->stiffness / (f->out->omega * f->out->omega);
  s->found = true;
  c->t = t;
  c->F_plus = s->dir * (force + beside_spring(f, e));
  c->F_plus_se = se;
  c->rate = s->dir * e->slope, c->rate_se = e->slope_se, c->rate_of_drive = e->of_drive;
  if (changes_speed(f, t)) c->rate = c->rate_se = NAN;
  c->v = s->dir * e->v;
  c->sliding = s->dir * (0.5 * (s->arc.level + s->low.level) -
                         (f->o->opts->moving_guide ? 0 : mass * e->acceleration));
  c->amplitude = amo_arc_size(&s->arc) / f->o->opts->stiffness;
}

/// Where the slip begins without a corner.
static amo_status break_down_onset(cycle_finder *f, slip_state *s, size_t lo)
{
  size_t n;
  double from;
  amo_onset o;
  stick_end e;
  amo_status st = gather_top(f, s, lo, &n, &from);
  if (st != AMO_OK) return st;
  if (!amo_onset_fit(f->t, f->x, n, f->out->omega, f->kappa_onset, from + 0.1 * (s->turn_D - from), s->turn_D,
                     &o)) {
    reject(f, AMO_FLAW_SHAPE);
    return AMO_OK;
  }
  look_at_stick(f, s->dir, o.t, -1, lo, s->D + 1, &e);
  if (!isfinite(e.slope)) e.slope = o.slope, e.v = o.slope / f->o->opts->stiffness;
  take_break_down(f, s, o.t, o.level, f->o->survey.noise * o.level_se, &e);
  return AMO_OK;
}

static amo_status break_down(cycle_finder *f, slip_state *s, size_t lo)
{
  stick_end e;
  double t;
  if (went_on(f, s, lo)) {
    reject(f, AMO_FLAW_NO_STOP);
    return AMO_OK;
  }
  if (f->onset) return break_down_onset(f, s, lo);
  amo_status st = keep_top(f, s, lo);
  if (!find_end(f, &s->arc, s->dir, s->turn_D, -1, lo, s->D + 1, &t, &e)) {
    reject(f, e.slope == INFINITY ? AMO_FLAW_NO_STOP : AMO_FLAW_NO_STICK);
    return st;
  }
  judge_top(f, s, t, e.slope, lo);
  take_break_down(f, s, t, amo_arc_value(&s->arc, t),
                  amo_arc_error(&s->arc, t, f->o->survey.noise, e.slope_se), &e);
  return st;
}

/// Is a step between samples of the slip so long that something may be hidden in it?
static bool is_cut(const cycle_finder *f, size_t D, size_t E)
{
  const amo_trace *w = &f->o->trace;
  for (size_t k = D; k < E; k++)
    if (amo_trace_t(w, k + 1) - amo_trace_t(w, k) > fmax(1.5 * f->o->survey.interval, 0.25 * f->half))
      return true;
  return false;
}

static amo_status on_slip(cycle_finder *f, size_t D, size_t E, double dir)
{
  const amo_trace *w = &f->o->trace;
  // the stick before it: rounded ends of both slips are no part of it
  amo_status st = finish_set_up(f, amo_trace_find(w, amo_trace_t(w, D) - 0.25 * f->half, w->first, D + 1));
  size_t before = f->begun ? f->last.E : w->first;
  if (f->begun && f->last.found && isfinite(f->last.cycle.t_set_up))
    before = amo_trace_find(w, f->last.cycle.t_set_up + 1.5 * f->o->survey.interval, before, D);
  slip_state s = {.open = true, .dir = dir, .D = D, .E = E};
  bool arc = false;
  const size_t samples = E - D + 1;
  if (st == AMO_OK && samples >= LEAST_ARC) st = fit_arc(f, &s, &arc);
  if (st == AMO_OK && arc && f->local) st = fit_ends(f, &s);
  if (st != AMO_OK) return st;
  s.cycle = (amo_breakdown){.samples = samples,
                            .line = w->line[D - w->first],
                            .naive_plus = amo_trace_x(w, D),
                            .naive_minus = amo_trace_x(w, E)};
  if (is_cut(f, D, E))
    reject(f, AMO_FLAW_CUT);
  else if (samples < LEAST_ARC)
    coarse_break_down(f, &s, before);
  else if (!arc)
    reject(f, AMO_FLAW_SHAPE);
  else
    st = break_down(f, &s, before);
  s.cycle.contact = f->begun && f->last.found ? s.cycle.t - f->last.cycle.t_set_up : NAN;
  f->last = s;
  f->begun = true;
  return st;
}

static amo_status on_stretch(void *ctx, const amo_oscillogram *o, size_t from, size_t to, bool falling)
{
  cycle_finder *f = ctx;
  const amo_trace *w = &o->trace;
  double dir = f->dir;
  if (o->opts->drive || isfinite(o->opts->speed)) dir = w->v[from - w->first] < 0 ? -1 : 1;
  size_t a, b;
  const double lasts = amo_trace_core(w, from, to, &a, &b);
  const bool slips = falling == (dir > 0) && from > 0 && lasts < 1.7 * f->half + 2 * o->survey.interval;
  return slips ? on_slip(f, from, to, dir) : AMO_OK;
}

/// After each block: a set-up whose stick is long enough is finished, and what lies behind is forgotten.
static amo_status on_block(void *ctx)
{
  cycle_finder *f = ctx;
  amo_oscillogram *o = f->o;
  const amo_trace *w = &o->trace;
  const double reach = (STICK_PERIODS + 1) * 2 * f->half;
  amo_status st = AMO_OK;
  if (w->n == 0) return st;
  const size_t end = amo_trace_end(w);
  const double now = amo_trace_t(w, end - 1);
  if (f->last.open && now - amo_trace_t(w, f->last.E) > reach) st = finish_set_up(f, end);
  o->keep = amo_trace_find(w, now - reach, w->first, end);
  if (f->last.open && f->last.D < o->keep) o->keep = f->last.D;
  if (f->begun && f->last.E < o->keep && !f->last.open) f->last.E = o->keep;  // the stick goes on
  return st;
}

// ---- the whole ----

static amo_status check_options(const amo_breakdown_opts *o, amo_diags *d)
{
  if (!(o->stiffness > 0 && isfinite(o->stiffness)))
    return amo_error(d, (amo_at){0}, "--stiffness, in N/m",
                     "the stiffness of the spring must be known and greater than zero");
  if (!isnan(o->mass) && !(o->mass > 0 && isfinite(o->mass)))
    return amo_error(d, (amo_at){0}, NULL, "the mass must be greater than zero, got %g", o->mass);
  if (!(o->damping >= 0))
    return amo_error(d, (amo_at){0}, NULL, "the damping must not be negative, got %g", o->damping);
  if ((o->force != NULL) == (o->stretch != NULL))
    return amo_error(d, (amo_at){0}, NULL, "one column is the force or the stretch of the spring, not both");
  return AMO_OK;
}

static void summarise(cycle_finder *f)
{
  amo_breakdowns *b = f->out;
  size_t plus = 0, minus = 0;
  b->misfit = amo_spread_median(&f->misfit);
  for (size_t i = 0; i < b->cycles; i++) {
    const amo_breakdown *c = &b->cycle[i];
    if (isfinite(c->F_plus)) b->bias_plus += c->naive_plus - c->F_plus, plus++;
    if (isfinite(c->F_minus)) b->bias_minus += c->naive_minus - c->F_minus, minus++;
  }
  b->bias_plus = plus ? b->bias_plus / (double)plus : NAN;
  b->bias_minus = minus ? b->bias_minus / (double)minus : NAN;
}

static amo_status pass(cycle_finder *f)
{
  amo_status st = amo_oscillogram_pass(f->o, on_stretch, on_block, f);
  return st == AMO_OK && f->begun ? finish_set_up(f, amo_trace_end(&f->o->trace)) : st;
}

/// Slips do not begin with a corner: once more, with beginnings that friction falling with the speed makes.
static amo_status pass_again(cycle_finder *f)
{
  f->kappa_onset = tops_kappa(f);
  f->onset = true;
  f->begun = false;
  f->last = (slip_state){0};
  f->misfit.n = f->misfit.seen = f->misfit.stride = 0;
  f->out->cycles = 0;
  memset(f->out->rejected, 0, sizeof f->out->rejected);
  return pass(f);
}

static amo_status find_cycles(amo_oscillogram *o, amo_breakdowns *b)
{
  cycle_finder *f = amo_zalloc(1, sizeof *f);
  if (f == NULL) return AMO_ENOMEM;
  f->o = o, f->out = b;
  f->tops = amo_zalloc(1, sizeof *f->tops);
  amo_status st = f->tops ? amo_arcs_find(o, b, &f->dir, &f->half, &f->local) : AMO_ENOMEM;
  if (st == AMO_OK) st = pass(f);
  b->corner = amo_spread_median(&f->top);
  const bool rounded =
      b->corner > 1.5 && b->corner * o->survey.noise > 1e-4 * (o->survey.high.value - o->survey.low.value);
  const bool none = b->cycles == 0;  // arcs that never have the slope of the stick: no corner either
  if (st == AMO_OK && (f->local || rounded || none) && f->tops->n > 0) st = pass_again(f);
  b->gradual = f->onset;
  if (st == AMO_OK) summarise(f);
  free(f->tops), free(f->t), free(f->x);
  free(f);
  return st;
}

amo_status amo_breakdowns_read(const char *path, const amo_breakdown_opts *opts, amo_diags *diags,
                               amo_breakdowns **out)
{
  if (out) *out = NULL;
  if (!path || !opts || !out) return AMO_ERANGE;
  amo_breakdown_opts all = amo_breakdown_opts_default();
  amo_status st = amo_opts_take(&all, sizeof all, opts);
  if (st == AMO_OK) st = check_options(&all, diags);
  if (st != AMO_OK) return st;
  amo_oscillogram *o = amo_zalloc(1, sizeof *o);
  amo_breakdowns *b = amo_zalloc(1, sizeof *b);
  if (o == NULL || b == NULL) st = AMO_ENOMEM;
  if (st == AMO_OK) {
    *o = (amo_oscillogram){.path = path, .opts = &all, .diags = diags};
    st = amo_oscillogram_survey(o);
  }
  if (st == AMO_OK) {
    const amo_survey *s = &o->survey;
    b->rows = s->rows, b->missing = s->missing, b->from = s->from, b->to = s->to;
    b->interval = s->interval, b->noise = s->noise, b->least_fall = o->least;
    st = find_cycles(o, b);
  }
  if (o) amo_oscillogram_free(o);
  free(o);
  if (st == AMO_OK)
    *out = b;
  else
    amo_breakdowns_free(b);
  return st;
}
