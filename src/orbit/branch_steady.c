// SPDX-License-Identifier: Apache-2.0
/// Branches of steady sliding: rates zero in a fixed direction of every slip. Unknowns: the state, the parameter.
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "flow/derivative.h"
#include "orbit/branch_impl.h"

static amo_status look(void *ctx, const double *x, double *f, double *jacobian)
{
  amo_follower *w = ctx;
  amo_derivative *d = w->derivative;
  const size_t ns = d->ns;
  amo_shooter_set(w->shooter, (uint32_t)w->o->parameter, x[ns]);
  amo_derivative_parameters(d, w->shooter->param);
  const amo_place at = {.t = w->t0, .y = x, .mode = w->mode, .press = w->press, .branch = w->switches};
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
  w->out->multipliers = d->ns;
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
