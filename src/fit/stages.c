// SPDX-License-Identifier: Apache-2.0
/// Fits of long motions, a piece at a time.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fit/motion.h"
#include "num/random.h"

static const double shortest = 1.0 / 64;  // of the records, to begin with
static const double coarse = 0.1;         // of the size of a signal: what residuals of pieces are measured by
static const double lost = 0.5;  // of it: residuals in the mean beyond which the model does not follow

static const double spread = 0.3;  // of other starts, where the model does not follow from the one given
static const double reach = 5.0;   // factor by which pieces may change parameters
enum { MOST_TRIES = 16 };

typedef struct stages {
  amo_motion *x;
  const amo_residuals *whole;
  const amo_fit_parameter *parameter;
  amo_residuals piece;
  amo_fit_parameter *from;         // [n] where the present piece starts
  double *weight;                  // [rows] of the piece
  double *size;                    // [groups] of the signals
  double *r;                       // [rows]
  double *values, *middle, *best;  // [n]
  amo_random random;
  long evaluations, jacobians;
} stages;

static size_t group_of(const amo_residuals *s, size_t i)
{
  return s->group && s->groups > 1 ? s->group[i] : 0;
}

static size_t groups_of(const amo_residuals *s)
{
  return s->group && s->groups > 1 ? s->groups : 1;
}

/// Standard deviations of what was measured.
static void measure_signals(stages *s)
{
  const amo_residuals *w = s->whole;
  for (size_t g = 0; g < groups_of(w); g++) {
    double n = 0.0, mean = 0.0, sum = 0.0;
    for (size_t i = 0; i < w->rows; i++) {
      if (group_of(w, i) != g) continue;
      const double off = w->measured[i] - mean;
      mean += off / ++n;
      sum += off * (w->measured[i] - mean);
    }
    s->size[g] = sum > 0.0 ? sqrt(sum / n) : 1.0;
  }
}

/// Rows within the horizon count by the size of their signal.
static void set_piece(stages *s, double horizon)
{
  const amo_residuals *w = s->whole;
  amo_motion_horizon(s->x, horizon);
  amo_motion_inside(s->x, s->weight);
  for (size_t i = 0; i < w->rows; i++)
    s->weight[i] *= w->weight && w->weight[i] == 0.0 ? 0.0 : 1.0 / (coarse * s->size[group_of(w, i)]);
}

/// Parameters of a piece stay within some factor of their start: what a short piece says of them is not to be trusted further.
static void set_bounds(stages *s)
{
  for (size_t i = 0; i < s->whole->n; i++) {
    const amo_fit_parameter *q = &s->parameter[i];
    if (amo_motion_is_state(s->x, i) || q->start == 0.0) continue;
    const double a = q->start / reach, b = q->start * reach;
    s->from[i].low = fmax(q->low, fmin(a, b));
    s->from[i].high = fmin(q->high, fmax(a, b));
  }
}

/// A piece may not know all parameters: it moves them only as far as it must.
static amo_status fit_piece(stages *s, double horizon, const amo_fit_opts *opts)
{
  amo_fit_opts o = *opts;
  amo_fit *f = NULL;
  o.loss = AMO_LOSS_SQUARES;
  o.known = true;
  o.tol = 1e-3;
  o.most = 60;
  set_piece(s, horizon);
  for (size_t i = 0; i < s->whole->n; i++) {
    const amo_fit_parameter *q = &s->parameter[i];
    if (q->sigma > 0.0) continue;
    s->from[i].prior = q->start;
    s->from[i].sigma = fabs(q->start);
  }
  amo_status st = amo_fit_solve(&s->piece, s->from, &o, &f);
  for (size_t i = 0; f && i < s->whole->n; i++) s->from[i].start = f->value[i];
  if (f) {
    s->evaluations += f->evaluations;
    s->jacobians += f->jacobians;
  }
  amo_fit_free(f);
  return st == AMO_EINTR || st == AMO_ENOMEM ? st : AMO_OK;
}

/// The part of the records, as far as `horizon`, that the model follows with the present values; 1 beyond.
static double followed(stages *s, double horizon)
{
  for (size_t i = 0; i < s->whole->n; i++) s->values[i] = s->from[i].start;
  amo_motion_horizon(s->x, horizon);
  s->evaluations++;
  if (s->whole->at(s->whole->ctx, s->values, s->r, NULL) != AMO_OK) return 0.0;
  for (size_t i = 0; i < s->whole->rows; i++) s->r[i] /= s->size[group_of(s->whole, i)];
  return amo_motion_followed(s->x, s->r, lost);
}

/// Another start, some way off `middle`.
static void scatter(stages *s, const double *middle)
{
  for (size_t i = 0; i < s->whole->n; i++) {
    const double x = middle[i] * exp(spread * amo_random_normal(&s->random));
    s->from[i].start = fmin(fmax(x, s->from[i].low), s->from[i].high);
  }
}

/// A piece, from the present values and, where the model does not follow it from there, from others around them. The best stays.
static amo_status hold_piece(stages *s, double horizon, const amo_fit_opts *opts)
{
  const size_t n = s->whole->n;
  double most = -1.0;
  amo_status st = AMO_OK;
  for (size_t i = 0; i < n; i++) s->middle[i] = s->from[i].start;
  for (int tries = 0; st == AMO_OK && most < 1.0 && tries < MOST_TRIES; tries++) {
    if (tries > 0) scatter(s, s->middle);
    st = fit_piece(s, horizon, opts);
    const double reached = st == AMO_OK ? followed(s, horizon) : 0.0;
    if (reached > most)
      for (size_t i = 0; i < n; i++) s->best[i] = s->from[i].start;
    most = fmax(most, reached);
  }
  for (size_t i = 0; i < n; i++) s->from[i].start = s->best[i];
  return st;
}

/// The first piece has several times as many numbers as there are unknowns.
static double first_piece(const stages *s)
{
  const double wanted = 8.0 * (double)s->whole->n + 20.0, part = wanted / (double)s->whole->rows;
  return fmax(shortest, part);
}

static amo_status climb(stages *s, const amo_fit_opts *opts)
{
  amo_status st = AMO_OK;
  double reached = followed(s, 1.0), horizon = first_piece(s);
  while (st == AMO_OK && reached < 1.0 && horizon < 1.0) {
    st = hold_piece(s, horizon, opts);
    reached = st == AMO_OK ? followed(s, 1.0) : 0.0;
    horizon = fmax(2.0 * horizon, reached);
  }
  return st;
}

amo_status amo_motion_solve(amo_motion *x, const amo_residuals *source, const amo_fit_parameter *parameter,
                            const amo_fit_opts *opts, amo_fit **out)
{
  const size_t n = source->n, rows = source->rows;
  amo_arena memory = {0};
  stages s = {.x = x, .whole = source, .parameter = parameter, .piece = *source};
  *out = NULL;
  AMO_TAKE(&memory, double, rows + 1, &s.weight, &s.r);
  AMO_TAKE(&memory, double, groups_of(source), &s.size);
  AMO_TAKE(&memory, double, n + 1, &s.values, &s.middle, &s.best);
  AMO_TAKE(&memory, amo_fit_parameter, n + 1, &s.from);
  amo_status st = memory.failed ? AMO_ENOMEM : AMO_OK;
  if (st == AMO_OK) {
    memcpy(s.from, parameter, n * sizeof *s.from);
    s.piece.weight = s.weight;
    s.piece.group = NULL;
    set_bounds(&s);
    measure_signals(&s);
    st = climb(&s, opts);
  }
  for (size_t i = 0; st == AMO_OK && i < n; i++) {
    const double start = s.from[i].start;
    s.from[i] = parameter[i];
    s.from[i].start = start;
  }
  amo_motion_horizon(x, 1.0);
  if (st == AMO_OK) st = amo_fit_solve(source, s.from, opts, out);
  if (*out) {
    (*out)->evaluations += s.evaluations;
    (*out)->jacobians += s.jacobians;
  }
  amo_arena_free(&memory);
  return st;
}
