// SPDX-License-Identifier: Apache-2.0
/// Branches of steady sliding: rates zero in a fixed direction of every slip. Unknowns: the state, the parameter.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "amontons/steady.h"
#include "base/mem.h"
#include "contact/derivative.h"
#include "flow/flow.h"
#include "num/eigen.h"
#include "num/orthogonal.h"
#include "num/solve.h"
#include "orbit/branch_impl.h"
#include "orbit/forcing.h"
#include "steady/linear_motion.h"

/// Rates say nothing about states that constraints and guides exclude: the way back to the allowed ones is added.
static void tie(const amo_follower *w, const amo_gradient *g, double *f, double *jacobian)
{
  const size_t ns = w->derivative->ns;
  const double *scale = w->state_scale;
  double size = 0.0;
  for (size_t i = 0; i < ns; i++) size += g->d[i] * scale[i] * g->d[i] * scale[i];
  if (size == 0.0) return;
  for (size_t i = 0; i < ns; i++) {
    const double back = g->d[i] * scale[i] * scale[i] / size;
    f[i] += back * g->value;
    for (size_t j = 0; j <= ns; j++) jacobian[j * ns + i] += back * g->d[j];
  }
}

/// Along idle directions the motion goes on and on (a disc that turns, two that turn together, a clock): it is held there
/// where the branch began, in the place of the equation that the rate along it is zero.
static void hold_idle(const amo_follower *w, const double *x, double *f, double *jacobian)
{
  const size_t ns = w->derivative->ns;
  for (size_t k = 0; k < w->idles; k++) {
    const double *e = w->idle + k * ns;
    double along = 0.0;
    for (size_t i = 0; i < ns; i++) along += e[i] * (f[i] - (x[i] - w->idle_at[i]));
    for (size_t i = 0; i < ns; i++) f[i] -= e[i] * along;
    for (size_t j = 0; j <= ns; j++) {
      double *column = jacobian + j * ns;
      along = j < ns ? -e[j] : 0.0;
      for (size_t i = 0; i < ns; i++) along += e[i] * column[i];
      for (size_t i = 0; i < ns; i++) column[i] -= e[i] * along;
    }
  }
}

static amo_status look(void *ctx, const double *x, double *f, double *jacobian)
{
  amo_follower *w = ctx;
  amo_derivative *d = w->derivative;
  const size_t ns = d->ns;
  amo_shooter_set(w->shooter, (uint32_t)w->o->parameter, x[ns]);
  amo_derivative_parameters(d, w->shooter->param);
  const amo_place at = {
      .t = w->t0, .y = x, .mode = w->mode, .reaction_sign = w->reaction_sign, .branch = w->switches};
  amo_status st = amo_derivative_conditions(d, &at);
  if (st != AMO_OK) return st;
  // a rate times a second has the size of its state
  memcpy(f, d->f, ns * sizeof *f);
  memcpy(jacobian, d->df, ns * ns * sizeof *f);
  memcpy(jacobian + ns * ns, d->df + ns * ns, ns * sizeof *f);
  for (uint32_t k = 0; k < d->ties; k++) tie(w, &d->tie[k], f, jacobian);
  hold_idle(w, x, f, jacobian);
  return AMO_OK;
}

/// Eigenvalues; real parts that are rounding are zero.
static amo_status eigenvalues(const amo_follower *w, amo_multiplier *out, size_t *n)
{
  const amo_derivative *d = w->derivative;
  amo_linear_motion *t = NULL;
  double *re = amo_zalloc(3 * d->ns, sizeof *re), *im = re + d->ns, *error = im + d->ns;
  amo_status st = re ? amo_linear_motion_of(d, &t) : AMO_ENOMEM;
  if (st == AMO_OK) st = amo_eigenvalues_judged(t->reduced, t->terms, *n = t->order, re, im, error);
  for (size_t i = 0; st == AMO_OK && i < *n; i++)
    out[i] = (amo_multiplier){.re = re[i], .im = im[i], .abs = hypot(re[i], im[i])};
  amo_linear_motion_free(t);
  free(re);
  return st;
}

static amo_status judge(amo_follower *w, const double *x, amo_branch_point *out, amo_signs *s)
{
  const amo_derivative *d = w->derivative;
  amo_status st = eigenvalues(w, out->multiplier, &out->multipliers);
  if (st != AMO_OK) return st;
  *s = (amo_signs){.flip = 1.0};
  out->stable = true;
  for (size_t i = 0; i < out->multipliers; i++) {
    out->stable &= out->multiplier[i].re < 0.0;
    s->unstable += out->multiplier[i].re > 0.0;
    s->neutral += out->multiplier[i].re == 0.0;
  }
  out->value = x[d->ns];
  out->period = 0.0;
  memcpy(out->state, x, d->ns * sizeof *x);
  memcpy(out->low, x, amo_places(w->m) * sizeof *x);
  memcpy(out->high, x, amo_places(w->m) * sizeof *x);
  free(out->signature);
  out->signature = amo_zalloc(w->m->nc + 1u, 1);
  for (uint32_t c = 0; out->signature && c < w->m->nc;
       c++)  // where a slip has turned, the branch is no longer real
    out->signature[c] = d->slip[c].value > 0.0 ? '+' : d->slip[c].value < 0.0 ? '-' : '0';
  return out->signature ? AMO_OK : AMO_ENOMEM;
}

const amo_problem amo_problem_steady = {{look, NULL}, judge, NULL};

// ---- the first one ----

/// Modes of a steady state: those of the slips at the start.
static amo_status first_modes(amo_follower *w, const double *y)
{
  amo_flow *f = NULL;
  amo_status st = amo_flow_new(w->m, &w->shooter->opt, 1, &f);
  if (st == AMO_OK) amo_flow_parameters(f, 0, w->shooter->param);
  if (st == AMO_OK) st = amo_flow_start(f, 0, w->t0, y);
  if (st == AMO_OK) {
    memcpy(w->mode, f->lane[0].mode, w->m->nc);
    memcpy(w->reaction_sign, f->lane[0].reaction_sign, w->m->nc);
    memcpy(w->switches, f->lane[0].branch, f->nsw);
  }
  amo_flow_free(f);
  for (uint32_t c = 0; st == AMO_OK && c < w->m->nc; c++)
    if (w->mode[c] == 0 && !amo_is_loose(&w->m->contact[c]))
      return amo_error(w->diags, (amo_at){0}, "start where everything slides",
                       "contact %s sticks at the start: steady states are followed in sliding only",
                       w->m->contact[c].sym.name);
  return st;
}

/// Where nothing was said about the start: the steady state that `steady` finds, if it slides.
static void better_start(const amo_follower *w, double *y)
{
  amo_steady_opts o = amo_steady_opts_default();
  amo_steady *s = NULL;
  o.values = &w->shooter->values;
  if (amo_steady_find(w->m, &o, NULL, &s) != AMO_OK) return;
  bool good = true;
  for (size_t c = 0; c < s->contacts; c++)
    good &= s->mode[c] == 1 || s->mode[c] == -1 || amo_is_loose(&w->m->contact[c]);
  if (good) memcpy(y, s->state, s->states * sizeof *y);
  amo_steady_free(s);
}

/// One row of what may depend on positions and further states, of size 1.
static void place_row(const amo_follower *w, const double *from, size_t stride, double *row)
{
  const size_t nq = w->m->nq, ns = w->derivative->ns;
  double size = 0.0;
  for (size_t i = 0; i < ns; i++) row[i] = i >= nq && i < 2 * nq ? 0.0 : from[i * stride];
  for (size_t i = 0; i < ns; i++) size = hypot(size, row[i]);
  for (size_t i = 0; size > 0.0 && i < ns; i++) row[i] /= size;
}

/// The idle directions: of positions and further states, on which no rate and no tie depends in the mode of the start.
static amo_status find_idle(amo_follower *w)
{
  const amo_derivative *d = w->derivative;
  const size_t ns = d->ns, nq = w->m->nq;
  amo_derivative_parameters(w->derivative, w->shooter->param);
  const amo_place at = {
      .t = w->t0, .y = w->here.x, .mode = w->mode, .reaction_sign = w->reaction_sign, .branch = w->switches};
  amo_status st = amo_derivative_conditions(w->derivative, &at);
  const size_t rows = ns + d->ties + nq;  // ties are known by now
  double *a = amo_zalloc((rows + ns) * ns, sizeof *a), *z = a + rows * ns;
  size_t rank = 0;
  if (st == AMO_OK && !a) st = AMO_ENOMEM;
  for (size_t i = 0; st == AMO_OK && i < ns; i++) place_row(w, d->df + i, ns, a + i * ns);
  for (size_t k = 0; st == AMO_OK && k < d->ties; k++) place_row(w, d->tie[k].d, 1, a + (ns + k) * ns);
  for (size_t q = 0; st == AMO_OK && q < nq; q++) a[(ns + d->ties + q) * ns + nq + q] = 1.0;
  if (st == AMO_OK) st = amo_null_space(a, rows, ns, AMO_FAINT, z, &rank);
  for (size_t k = rank; st == AMO_OK && k < ns; k++, w->idles++)
    for (size_t i = 0; i < ns; i++) w->idle[w->idles * ns + i] = z[i * ns + k];
  memcpy(w->idle_at, w->here.x, ns * sizeof *w->idle_at);
  free(a);
  return st;
}

static amo_status refuse_forcing(const amo_follower *w)
{
  amo_forcing kind;
  double period;
  amo_status st = amo_forcing_of(&w->shooter->values, &kind, &period);
  if (st != AMO_OK || kind == AMO_AUTONOMOUS) return st;
  return amo_error(w->diags, (amo_at){0}, "follow its cycles",
                   "the model depends on time: it has no steady states");
}

amo_status amo_steady_begin(amo_follower *w, const double *start)
{
  const uint32_t which = (uint32_t)w->o->parameter;
  const size_t ns = w->shooter->ns, nc = w->m->nc + 1u, nsw = amo_prog_switches(w->m->step) + 1u;
  w->mode = amo_zalloc(2 * nc + nsw, 1);
  if (!w->mode) return AMO_ENOMEM;
  w->reaction_sign = w->mode + nc;
  w->switches = w->reaction_sign + nc;
  w->idle = amo_zalloc(ns * ns, sizeof *w->idle);
  w->idle_at = amo_zalloc(ns, sizeof *w->idle_at);
  if (!w->idle || !w->idle_at) return AMO_ENOMEM;
  w->autonomous = false;
  amo_status st = refuse_forcing(w);
  if (st == AMO_OK) st = amo_derivative_new(w->m, &which, 1, &w->derivative);
  if (st == AMO_OK) st = amo_follower_unfold(w);
  if (st != AMO_OK) return st;
  st = amo_follower_start(w, start, w->here.x);
  if (st == AMO_OK && !start) better_start(w, w->here.x);
  if (st == AMO_OK) st = first_modes(w, w->here.x);
  if (st == AMO_OK) st = find_idle(w);
  w->here.x[ns] = w->o->from;
  for (size_t i = 0; i < ns; i++) w->curve->scale[i] = w->state_scale[i] = fmax(1.0, fabs(w->here.x[i]));
  w->curve->scale[ns] = fabs(w->o->to - w->o->from);
  w->here.tangent[ns] = w->o->to > w->o->from ? 1.0 : -1.0;
  return st;
}

amo_status amo_steady_agree(amo_follower *w, const double *direction)
{
  int steps;
  for (int pass = 0; pass < 2; pass++) {
    bool same = true;
    for (uint32_t c = 0; c < w->m->nc; c++) {
      if (amo_is_loose(&w->m->contact[c])) continue;
      const char slip = w->here.point.signature[c];
      const double way = slip == '+' ? 1.0 : slip == '-' ? -1.0 : 0.0;
      const signed char mode = amo_mode_of(&w->m->contact[c], way, way == 0.0);
      same &= mode == w->mode[c];
      w->mode[c] = mode;
    }
    if (same) return AMO_OK;
    amo_status st =
        pass == 0 ? amo_follower_solve(w, w->trial.x, direction, &w->here, &steps) : AMO_ENOANSWER;
    if (st != AMO_OK) return st;
  }
  return AMO_ENOANSWER;
}
