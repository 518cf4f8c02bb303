// SPDX-License-Identifier: Apache-2.0
#include "flow/proof.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "flow/proof_impl.h"

enum {
  LEVELS = 14,    // a step is cut into pieces of at least h / 2^LEVELS
  ATTEMPTS = 600  // pieces tried for one step
};
/// A step is proven if its error is surely below this many times the tolerance.
static const double allowed = 10.0;

// ---- memory ----

static void make_series(amo_prover *p, amo_enclosed_series *x)
{
  const amo_model *m = p->m;
  x->stride = p->stride;
  AMO_TAKE(&p->memory, amo_interval, amo_prog_registers(m->step) * p->stride, &x->jet);
  AMO_TAKE(&p->memory, amo_interval, m->nq * p->stride, &x->acc);
  AMO_TAKE(&p->memory, amo_interval, m->nc * p->stride, &x->lambda, &x->reaction);
  AMO_TAKE(&p->memory, amo_interval, m->ng * p->stride, &x->multiplier);
}

void amo_prover_free(amo_prover *p)
{
  if (p == NULL) return;
  amo_enclosed_balance_free(p->balance);
  amo_arena_free(&p->memory);
  free(p);
}

amo_status amo_prover_new(const amo_model *m, int P, amo_prover **out)
{
  *out = NULL;
  amo_prover *p = calloc(1, sizeof *p);
  if (p == NULL) return AMO_ENOMEM;
  p->m = m;
  p->P = P;
  p->N = P + 1;
  p->stride = (size_t)p->N + 1;
  p->ns = 2 * m->nq + m->nz;
  p->nsw = amo_prog_switches(m->step);
  AMO_TAKE(&p->memory, amo_interval, p->ns, &p->start, &p->end, &p->whole);
  AMO_TAKE(&p->memory, amo_interval, p->stride, &p->shifted, &p->sum, &p->part);
  AMO_TAKE(&p->memory, double, p->ns, &p->size, &p->error);
  AMO_TAKE(&p->memory, signed char, 2u * m->nc + 1u, &p->arranged);
  make_series(p, &p->point);
  make_series(p, &p->box);
  amo_status st = m->plain ? AMO_OK : amo_enclosed_balance_new(m, &p->balance);
  if (p->memory.failed) st = AMO_ENOMEM;
  if (st != AMO_OK) {
    amo_prover_free(p);
    return st;
  }
  amo_prover_reset(p);
  *out = p;
  return AMO_OK;
}

void amo_prover_reset(amo_prover *p)
{
  memset(p->arranged, 99, 2u * p->m->nc + 1u);  // not a mode
  p->found = (amo_proof){.state = -1};
}

const amo_proof *amo_prover_found(const amo_prover *p)
{
  return &p->found;
}

bool amo_prover_fails(amo_prover *p, const char *fmt, ...)
{
  va_list args;
  va_start(args, fmt);
  vsnprintf(p->why, sizeof p->why, fmt, args);
  va_end(args);
  return false;
}

// ---- one piece ----

static const double *series_of(const amo_prover *p, uint32_t i)
{
  return p->f->state[i] + p->lane;
}

static amo_interval *state_series(const amo_prover *p, const amo_enclosed_series *x, uint32_t i)
{
  return x->jet + amo_state_leaf(p->m, i) * x->stride;
}

static amo_interval time_at(const amo_prover *p, double s)
{
  return amo_interval_add(amo_interval_of(p->l->start), amo_interval_of(s));
}

/// s1 - s0, which need not be a number.
static amo_interval piece_length(const amo_prover *p)
{
  return amo_interval_sub(amo_interval_of(p->s1), amo_interval_of(p->s0));
}

/// Range of the polynomial of order N - 1 on the piece: the hull over a few parts of it.
static amo_interval polynomial_range(const amo_prover *p, const amo_interval *c)
{
  enum { PARTS = 8 };
  amo_interval all = c[0];
  for (int i = 0; i < PARTS; i++)
    all = amo_interval_hull(
        all, amo_interval_poly_range(c, p->N - 1, p->length * i / PARTS, p->length * (i + 1) / PARTS));
  return all;
}

static amo_interval power(amo_interval x, int n)
{
  return amo_interval_pow(x, amo_interval_of(n));
}

/// The candidate: the polynomial, and the tolerance around it.
static void guess_box(amo_prover *p)
{
  for (uint32_t i = 0; i < p->ns; i++) {
    const double margin = p->f->opt.tol * p->size[i];
    p->whole[i] =
        amo_interval_add(polynomial_range(p, state_series(p, &p->point, i)), (amo_interval){-margin, margin});
  }
}

/// Does the remainder stay within the tolerance that the box allows it? Then the motion stays in the box.
static bool box_holds(amo_prover *p)
{
  const amo_interval length = piece_length(p), top = power(length, p->N);
  const amo_interval t = amo_interval_hull(time_at(p, p->s0), time_at(p, p->s1));
  guess_box(p);
  if (!amo_prover_expand(p, &p->box, p->whole, t)) return false;
  for (uint32_t i = 0; i < p->ns; i++) {
    const double margin = p->f->opt.tol * p->size[i];
    const amo_interval rest = amo_interval_mul(state_series(p, &p->box, i)[p->N], top);
    if (!(amo_interval_size(rest) <= margin))
      return amo_prover_fails(p, "the remainder of %s is not below the tolerance",
                              amo_model_state(p->m, i).name);
  }
  return true;
}

/// Coefficients of the step's polynomial about s0: repeated synthetic division.
static void shift(amo_prover *p, uint32_t i)
{
  const double *c = series_of(p, i);
  const amo_interval s = amo_interval_of(p->s0);
  for (int k = 0; k <= p->P; k++) p->shifted[k] = amo_interval_of(c[(size_t)k * (size_t)p->f->W]);
  p->shifted[p->N] = (amo_interval){0.0, 0.0};
  if (p->s0 == 0.0) return;
  for (int j = 0; j < p->P; j++)
    for (int k = p->P - 1; k >= j; k--)
      p->shifted[k] = amo_interval_add(p->shifted[k], amo_interval_mul(s, p->shifted[k + 1]));
}

/// How far can the exact motion be from the polynomial on the piece? And where does it end?
static void take_errors(amo_prover *p)
{
  const amo_interval length = piece_length(p), all = {0.0, p->length};
  for (uint32_t i = 0; i < p->ns; i++) {
    amo_interval *c = p->sum;
    memcpy(c, state_series(p, &p->point, i), (size_t)p->N * sizeof *c);
    c[p->N] = state_series(p, &p->box, i)[p->N];
    p->end[i] = amo_interval_poly(c, p->N, length);
    shift(p, i);
    for (int k = 0; k <= p->N; k++) c[k] = amo_interval_sub(c[k], p->shifted[k]);
    double error = amo_interval_size(amo_interval_poly(c, p->N, all));
    if (p->last)
      error = fmax(error, amo_interval_size(amo_interval_sub(p->end[i], amo_interval_of(p->l->y[i]))));
    p->error[i] = fmax(p->error[i], error);
  }
}

// ---- the step ----

/// Sizes of the states: the largest met so far and on this step, and not less than a thousandth of the largest of their kind,
/// whose rounding reaches them through the forces.
static void take_sizes(amo_prover *p)
{
  const uint32_t nq = p->m->nq;
  double most_q = 0.0, most_u = 0.0;
  for (uint32_t i = 0; i < p->ns; i++) {
    const double *c = series_of(p, i);
    double reach = 0.0, s = 1.0;  // a series from rest has its size from where it goes
    for (int k = 0; k <= 3 && k <= p->P; k++, s *= p->l->h)
      reach = fmax(reach, fabs(c[(size_t)k * (size_t)p->f->W]) * s);
    p->size[i] = fmax(fmax(p->l->scale[i], fabs(p->l->y[i])), p->l->scale[i] > 0.0 ? 0.0 : reach);
    if (i < nq) most_q = fmax(most_q, p->size[i]);
    if (i >= nq && i < 2 * nq) most_u = fmax(most_u, p->size[i]);
    p->error[i] = 0.0;
    p->start[i] = amo_interval_of(*c);
  }
  for (uint32_t i = 0; i < 2 * nq; i++) p->size[i] = fmax(p->size[i], 1e-3 * (i < nq ? most_q : most_u));
}

/// Pieces from the start to the end; a piece that fails is halved, after one that does not the next may be longer.
static bool cover(amo_prover *p)
{
  const double h = p->l->h;
  unsigned at = 0, level = 0;
  bool expanded = false;
  for (int tried = 0; tried < ATTEMPTS; tried++) {
    p->s0 = at == 0 ? 0.0 : ldexp(h * at, -(int)level);
    p->s1 = at + 1 == 1u << level ? h : ldexp(h * (at + 1), -(int)level);
    p->last = at + 1 == 1u << level;
    p->length = piece_length(p).hi;
    if (!expanded && !amo_prover_expand(p, &p->point, p->start, time_at(p, p->s0))) return false;
    expanded = true;
    if (box_holds(p) && amo_prover_conditions(p)) {
      take_errors(p);
      if (p->last) return true;
      memcpy(p->start, p->end, p->ns * sizeof *p->start);
      expanded = false;
      at++;
      if (at % 2 == 0 && level > 0) {
        at /= 2;
        level--;
      }
      continue;
    }
    if (level == LEVELS) return false;
    at *= 2;
    level++;
  }
  return false;
}

/// Is what has been proven as good as the step claims?
static bool errors_small(amo_prover *p)
{
  const double tol = fmax(p->f->opt.tol, 16.0 * DBL_EPSILON);
  for (uint32_t i = 0; i < p->ns; i++)
    if (!(p->error[i] <= allowed * tol * p->size[i]))
      return amo_prover_fails(p, "the error of %s is only known to be below %.2g",
                              amo_model_state(p->m, i).name, p->error[i]);
  return true;
}

static void note_errors(amo_prover *p)
{
  amo_proof *r = &p->found;
  r->event_error = fmax(r->event_error, p->event_error);
  for (uint32_t i = 0; i < p->ns; i++) {
    if (!(p->error[i] > r->error * p->size[i])) continue;
    r->error = p->error[i] / p->size[i];
    r->error_absolute = p->error[i];
    r->state = (int)i;
    r->error_time = p->l->start;
  }
}

static void note_failure(amo_prover *p)
{
  amo_proof *r = &p->found;
  if (r->told == AMO_UNPROVEN_TOLD) return;
  amo_unproven *u = &r->unproven[r->told++];
  u->t = p->l->start + p->s0;
  u->h = p->l->h;
  memcpy(u->why, p->why, sizeof u->why);
}

bool amo_prover_step(amo_prover *p, const amo_flow *f, int lane)
{
  p->f = f;
  p->lane = lane;
  p->l = &f->lane[lane];
  p->s0 = p->event_error = 0.0;
  if (!(p->l->h > 0.0)) return true;  // no time passes
  p->found.steps++;
  take_sizes(p);
  const bool proven = amo_prover_begin(p) && cover(p) && errors_small(p);
  if (proven) {
    p->found.proven++;
    note_errors(p);
  } else {
    note_failure(p);
  }
  return proven;
}
