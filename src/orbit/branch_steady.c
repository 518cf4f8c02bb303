// SPDX-License-Identifier: Apache-2.0
/// Branches of steady sliding: rates zero in a fixed direction of every slip. Unknowns: the state, the parameter.
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "flow/derivative.h"
#include "flow/flow.h"
#include "orbit/branch_impl.h"

static amo_status look(void *ctx, const double *x, double *f, double *jacobian)
{
  amo_follower *w = ctx;
  amo_derivative *d = w->derivative;
  const size_t ns = d->ns;
  amo_shooter_set(w->shooter, (uint32_t)w->o->parameter, x[ns]);
  amo_derivative_parameters(d, w->shooter->param);
  const amo_place at = {w->t0, x, w->mode, w->press, w->switches};
  amo_status st = amo_derivative_conditions(d, &at);
  if (st != AMO_OK) return st;
  // a rate times a second has the size of its state
  memcpy(f, d->f, ns * sizeof *f);
  memcpy(jacobian, d->df, ns * ns * sizeof *f);
  memcpy(jacobian + ns * ns, d->df + ns * ns, ns * sizeof *f);
  return AMO_OK;
}

static amo_status eigenvalues(const amo_derivative *d, amo_multiplier *out)
{
  const lapack_int n = (lapack_int)d->ns;
  double *a = amo_zalloc((size_t)d->ns * (d->ns + 2), sizeof *a);
  if (!a) return AMO_ENOMEM;
  double *re = a + (size_t)d->ns * d->ns, *im = re + d->ns;
  memcpy(a, d->df, (size_t)d->ns * d->ns * sizeof *a);
  const int bad = LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'N', n, a, n, re, im, NULL, 1, NULL, 1);
  for (uint32_t i = 0; !bad && i < d->ns; i++) out[i] = (amo_multiplier){re[i], im[i], hypot(re[i], im[i])};
  free(a);
  return bad ? AMO_ENOANSWER : AMO_OK;
}

static amo_status judge(amo_follower *w, const double *x, amo_branch_point *out, amo_signs *s)
{
  const amo_derivative *d = w->derivative;
  amo_status st = eigenvalues(d, out->multiplier);
  if (st != AMO_OK) return st;
  *s = (amo_signs){.flip = 1.0};
  out->multipliers = d->ns;
  out->stable = true;
  for (uint32_t i = 0; i < d->ns; i++) {
    const amo_multiplier *e = &out->multiplier[i];
    out->stable &= e->re < 0.0;
    s->pluses += e->im == 0.0 && e->re > 0.0;
    s->pairs += e->im != 0.0 && e->re > 0.0;
  }
  out->value = x[d->ns];
  out->period = 0.0;
  memcpy(out->state, x, d->ns * sizeof *x);
  memcpy(out->low, x, w->m->nq * sizeof *x);
  memcpy(out->high, x, w->m->nq * sizeof *x);
  free(out->signature);
  out->signature = amo_zalloc(w->m->nc + 1u, 1);
  for (uint32_t c = 0; out->signature && c < w->m->nc;
       c++)  // where a slip has turned, the branch is no longer real
    out->signature[c] = d->slip[c].value > 0.0 ? '+' : d->slip[c].value < 0.0 ? '-' : '0';
  return out->signature ? AMO_OK : AMO_ENOMEM;
}

const amo_problem amo_problem_steady = {{look}, judge, NULL};

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
    memcpy(w->press, f->lane[0].press, w->m->nc);
    memcpy(w->switches, f->lane[0].branch, f->nsw);
  }
  amo_flow_free(f);
  for (uint32_t c = 0; st == AMO_OK && c < w->m->nc; c++)
    if (w->mode[c] == 0)
      return amo_error(w->diags, (amo_at){0}, "start where everything slides",
                       "contact %s sticks at the start: steady states are followed in sliding only",
                       w->m->contact[c].sym.name);
  return st;
}

amo_status amo_steady_begin(amo_follower *w, const double *start)
{
  const uint32_t which = (uint32_t)w->o->parameter;
  const size_t ns = w->shooter->ns, nc = w->m->nc + 1u, nsw = amo_prog_switches(w->m->step) + 1u;
  w->mode = amo_zalloc(2 * nc + nsw, 1);
  if (!w->mode) return AMO_ENOMEM;
  w->press = w->mode + nc;
  w->switches = w->press + nc;
  w->autonomous = false;
  amo_status st = amo_derivative_new(w->m, &which, 1, &w->derivative);
  if (st == AMO_OK) st = amo_follower_unfold(w);
  if (st != AMO_OK) return st;
  if (start)
    memcpy(w->here.x, start, ns * sizeof *start);
  else
    amo_model_start(w->m, w->shooter->param, w->here.x);
  st = first_modes(w, w->here.x);
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
      const char slip = w->here.point.signature[c];
      const signed char mode = (signed char)(slip == '+' ? 1 : slip == '-' ? -1 : 0);
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
