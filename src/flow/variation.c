// SPDX-License-Identifier: Apache-2.0
/// Columns along a smooth stretch of the motion. df/dy and df/dp are taken at Gauss's points of the dense output and become polynomials
/// in time; the columns then follow as power series. What the polynomials miss is orthogonal to all of lower degree, so the columns at the
/// end of the stretch know it only as far as they themselves are no such polynomials: few points are enough. A stretch over which they
/// are not, or which is long against the derivatives, is halved. Directions of spatial slips turn without bound where a slip begins or
/// ends, and in implicit steps something decays faster than the motion goes on; there the columns are collocated.
#include "flow/variation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "num/collocation.h"
#include "num/finite.h"

enum {
  NODES = AMO_GAUSS_POINTS,
  MOST_POINTS = AMO_COLLOCATION_POINTS,
  ORDERS = AMO_GAUSS_ORDERS,
  DEEPEST = 40
};
enum {
  DEEP = 16,
  MOST_STRETCHES = 400,
  MOST_GROWTH = 2
};  // that many of a step may be this deep: its length alone never is

static size_t entries(const amo_variation *g)
{
  return (size_t)(g->ns + g->np) * g->ns;
}

// ---- making ----

static amo_status allocate(amo_variation *g, const uint32_t *param)
{
  const size_t ns = g->ns, nc = g->m->nc + 1u, nsw = amo_prog_switches(g->m->step) + 1u;
  amo_status st = amo_derivative_new(g->m, param, g->np, &g->at);
  if (st == AMO_OK) st = amo_derivative_new(g->m, param, g->np, &g->to);
  if (st != AMO_OK) return st;
  AMO_TAKE(&g->memory, double, (size_t)g->columns *ns + 1, &g->y, &g->y_before);
  AMO_TAKE(&g->memory, double, (size_t)g->columns * g->np + 1, &g->direction);
  AMO_TAKE(&g->memory, double, MOST_POINTS *entries(g) + 1, &g->node);
  AMO_TAKE(&g->memory, amo_gauss_fit, 1, &g->fit);
  amo_column_series_take(&g->series, &g->memory, ns, g->np, g->columns, NODES);
  AMO_TAKE(&g->memory, double, ns + 1, &g->old, &g->sum, &g->reach);
  AMO_TAKE(&g->memory, double, ns + g->np + 1, &g->size);
  AMO_TAKE(&g->memory, double, entries(g) + 1, &g->whole);
  AMO_TAKE(&g->memory, double, ns + 1, &g->before, &g->after);
  AMO_TAKE(&g->memory, double, MOST_POINTS *(ns + 1), &g->state);
  AMO_TAKE(&g->memory, double, g->at->n + 1u, &g->gradient);
  AMO_TAKE(&g->memory, signed char, nc, &g->mode, &g->reaction_sign, &g->next_mode, &g->next_reaction_sign,
           &g->bare, &g->struck);
  AMO_TAKE(&g->memory, signed char, nsw, &g->branch, &g->next_branch);
  AMO_TAKE(&g->memory, bool, nc, &g->bounces);
  if (g->memory.failed) return AMO_ENOMEM;
  amo_gauss_fit_make(g->fit);
  return AMO_OK;
}

amo_status amo_variation_new(const amo_model *m, const uint32_t *param, size_t np, amo_variation **out)
{
  *out = NULL;
  amo_variation *g = calloc(1, sizeof *g);
  if (!g) return AMO_ENOMEM;
  g->m = m;
  g->ns = 2 * m->nq + m->nz;
  g->np = (uint32_t)np;
  g->columns = g->ns + g->np;
  const amo_status st = allocate(g, param);
  if (st != AMO_OK) amo_variation_free(g);
  if (st == AMO_OK) *out = g;
  return st;
}

void amo_variation_free(amo_variation *g)
{
  if (!g) return;
  amo_derivative_free(g->at);
  amo_derivative_free(g->to);
  amo_collocation_free(g->collocation);
  amo_arena_free(&g->memory);
  free(g);
}

void amo_variation_attach(amo_variation *g, const amo_flow *f, int lane)
{
  double *value = g->at->value;
  for (uint32_t i = 0; i < g->m->np; i++) value[i] = f->param[i * (uint32_t)f->W + (uint32_t)lane];
  amo_derivative_parameters(g->to, value);
  amo_derivative_parameters(g->at, g->to->value);
}

void amo_variation_begin(amo_variation *g, const amo_flow *f, int lane)
{
  amo_variation_attach(g, f, lane);
  memset(g->y, 0, (size_t)g->columns * g->ns * sizeof *g->y);
  memset(g->direction, 0, (size_t)g->columns * g->np * sizeof *g->direction);
  for (uint32_t i = 0; i < g->ns; i++) g->y[(size_t)i * g->ns + i] = 1.0;
  for (uint32_t i = 0; i < g->np; i++) g->direction[(size_t)(g->ns + i) * g->np + i] = 1.0;
  g->rank = g->ns;
  g->grazing = g->one_sided = g->together = false;
  g->points = 0;
  g->message[0] = '\0';
}

// ---- a stretch ----

/// Directions of spatial slips may turn without bound at an end of the step, or something decays faster than the motion goes on.
static bool is_collocated(const amo_variation *g, const amo_lane *l)
{
  return g->m->nxi > 0 || l->implicit;
}

/// Derivatives of the rates at the n points x of [s, s + h] of the step, on the step's own side of all switches: where it has come to rest
/// velocities are rounding of either sign. A side that has no value a rounding beyond its seam is that of the place.
static amo_status sample(amo_variation *g, const amo_flow *f, int lane, double s, double h, size_t n,
                         const double *x)
{
  const amo_lane *l = &f->lane[lane];
  double *t = g->state + n * g->ns;
  amo_place common = {.mode = l->step_mode, .reaction_sign = l->step_reaction_sign, .branch = l->step_branch};
  for (size_t i = 0; i < n; i++) t[i] = s + h * x[i];
  amo_flow_dense_along(f, lane, t, n, g->state);
  for (size_t i = 0; i < n; i++) t[i] += l->start;
  amo_status st = amo_derivative_rates_along(g->at, &common, n, t, g->state, g->node);
  if (st == AMO_OK && !amo_all_finite(g->node, n * entries(g))) {
    common.own_side = true;
    st = amo_derivative_rates_along(g->at, &common, n, t, g->state, g->node);
  }
  g->blur = g->at->blur;
  g->points += (long)n;
  return st;
}

/// Size of a state: the largest met so far, never much less than that of the others of its kind. A coordinate that moves
/// only by rounding has none of its own.
static void take_sizes(amo_variation *g, const amo_lane *l)
{
  const size_t nq = g->m->nq, ns = g->ns;
  double most[2] = {0.0, 0.0};
  for (size_t i = 0; i < 2 * nq; i++) most[i / nq] = fmax(most[i / nq], l->scale[i]);
  for (size_t i = 0; i < ns; i++) g->size[i] = fmax(l->scale[i], i < 2 * nq ? AMO_ROUGH * most[i / nq] : 0.0);
  for (size_t p = 0; p < g->np; p++) {
    const double value = fabs(g->at->value[g->at->vary->param[p]]);
    g->size[ns + p] = value > 0.0 ? value : 1.0;
  }
}

/// What effects on the states are measured by: their sizes, or (where one has none yet) what its rate depends on most.
static void take_reach(amo_variation *g, double h)
{
  const size_t ns = g->ns;
  memcpy(g->reach, g->size, ns * sizeof *g->reach);
  for (size_t j = 0; j < ns + g->np; j++)
    for (size_t i = 0; i < ns; i++)
      g->reach[i] = fmax(g->reach[i], fabs(g->node[j * ns + i]) * g->size[j] * h);
}

/// What an error x of an entry does to the columns over h. A state that has not moved has no size: then by what the entry does in the
/// whole step.
static double effect(const amo_variation *g, size_t row, size_t column, double h, double x)
{
  const double from = g->size[column], to = g->reach[row];
  if (to > 0.0 && from > 0.0) return x * h * from / to;
  const double whole = g->whole[column * g->ns + row];
  return x == 0.0 ? 0.0 : whole > 0.0 ? x * h / whole : INFINITY;
}

/// What the entries at the points do over the whole step, at most.
static void note_whole(amo_variation *g, double h)
{
  const size_t n = entries(g);
  for (size_t e = 0; e < n; e++) {
    g->whole[e] = 0.0;
    for (size_t i = 0; i < NODES; i++) g->whole[e] = fmax(g->whole[e], fabs(g->node[i * n + e]) * h);
  }
}

static bool is_constant(const amo_variation *g, size_t e)
{
  const size_t n = entries(g);
  bool same = true;
  for (size_t i = 1; same && i < NODES; i++) same = g->node[i * n + e] == g->node[e];
  return same;
}

/// One entry as a polynomial: Legendre coefficients without their rounding, then powers. Returns what the polynomial leaves out does to
/// the columns: its coefficients fall on as the last ones do.
static double add_entry(amo_variation *g, size_t row, size_t column, double h, double noise, double *folded)
{
  const double *value = g->node + column * g->ns + row;
  double c[NODES], power[NODES], size = 0.0;
  size_t degree = 0;
  amo_gauss_fit_legendre(g->fit, value, entries(g), c);
  for (size_t k = 0; k < NODES; k++) size = fabs(c[k]) <= size ? size : fabs(c[k]);  // NaN stays
  const double last = fmax(fabs(c[NODES - 1]), fabs(c[NODES - 2]));
  const double before = fmax(fabs(c[NODES - 3]), fabs(c[NODES - 4]));
  if (!isfinite(size)) return INFINITY;
  if (last > noise * size && effect(g, row, column, h, size) <= AMO_LAST_DIGITS)
    return 0.0;  // rounding, of no effect
  for (size_t k = 0; k < NODES; k++)
    if (fabs(c[k]) > AMO_LAST_DIGITS * size)
      degree = k;
    else
      c[k] = 0.0;
  amo_gauss_fit_powers(g->fit, c, degree + 1, h, power);
  amo_column_series_add(&g->series, column, power, degree + 1);
  if (last <= noise * size) return 0.0;
  const double fall = fmin(1.0, last / before);
  *folded = fmax(*folded, effect(g, row, column, h, last * pow(fall, NODES / 2)));
  return effect(g, row, column, h, last * fall);
}

/// All entries; the largest effect of what the polynomials leave out. `folded`: of degrees so high that at Gauss's points they look like
/// low ones, to which the columns are not orthogonal (they count beside a root, whose coefficients fall slowly).
static double add_entries(amo_variation *g, double h, int depth, double *folded)
{
  // halving makes the rest of a smooth entry hundreds of times smaller: what is left after some is noise
  const double noise = fmin(ldexp(AMO_CANCELLED, 2 * depth), AMO_ROUGH);
  const size_t ns = g->ns;
  double rest = *folded = 0.0;
  amo_column_series_clear(&g->series);
  take_reach(g, h);
  for (size_t row = 0; rest < INFINITY && row < ns; row++) {
    for (size_t column = 0; column < ns + g->np; column++) {
      const double x = h * g->node[column * ns + row];
      if (!is_constant(g, column * ns + row))
        rest = fmax(rest, add_entry(g, row, column, h, noise, folded));
      else if (x != 0.0)
        amo_column_series_add(&g->series, column, &x, 1);
    }
    amo_column_series_end_row(&g->series);
  }
  return rest;
}

/// What derivatives of the rates in the middle of the stretch can add to a state over h: the root of |A|^2.
static double rate_over(const amo_variation *g, double h)
{
  const size_t ns = g->ns;
  const double *a = g->node + NODES / 2 * entries(g);
  double most = 0.0;
  for (size_t i = 0; i < ns; i++) {
    double twice = 0.0;
    for (size_t j = 0; j < ns; j++)
      for (size_t k = 0; a[j * ns + i] != 0.0 && k < ns; k++)
        twice += fabs(a[j * ns + i] * a[k * ns + j]) * g->size[k];
    if (twice > 0.0) most = fmax(most, twice / g->size[i]);
  }
  return h * sqrt(most);
}

/// What the columns at the end of the stretch know of the first polynomial that was left out: the integral of it over it times a column
/// times an adjoint one, whose terms fall as those of the columns do; of few columns, as those of exp(rate x).
static double share_of_rest(const amo_variation *g, double h)
{
  const amo_column_series *s = &g->series;
  const bool few = s->columns < s->ns;
  const double rate = few ? rate_over(g, h) : 0.0;
  const int orders = s->degree + 1 < ORDERS ? s->degree + 1 : ORDERS;
  double term[ORDERS] = {0.0}, share = 0.0, of_rate = 1.0;
  for (int k = 0; few && k < orders; of_rate *= rate / ++k) term[k] = of_rate;
  for (size_t r = 0; r < s->ns; r++) {
    const double unit = 1.0 / s->peak[r], *size = s->size + r;
    for (int k = 0; k < orders; k++, size += s->ns)
      if (*size * unit > term[k]) term[k] = *size * unit;
  }
  for (int k = NODES; k < ORDERS; k++) {
    double product = 0.0;
    for (int i = 0; 2 * i < k; i++) product += 2.0 * term[i] * term[k - i];
    if (k % 2 == 0) product += term[k / 2] * term[k / 2];
    share += g->fit->beyond[k] * product;
  }
  return fmin(share, 1.0);
}

/// The columns by power series. False: the stretch is too long for them, or for the polynomials. Inside it they are as good as the
/// polynomials.
static bool follow_series(amo_variation *g, double h, int depth)
{
  double folded;
  const double rest = add_entries(g, h, depth, &folded);
  const bool short_enough = rest <= AMO_ROUNDED;
  if (!(rest <= (g->along ? AMO_BORDER : AMO_ROUGH * 100)) || (!short_enough && folded > AMO_ROUNDED) ||
      !amo_column_series_run(&g->series, g->columns, g->y, g->direction))
    return false;
  if (!short_enough && rest * share_of_rest(g, h) > AMO_ROUNDED) return false;
  amo_column_series_last(&g->series, g->y);
  return true;
}

/// Directions of slips that turn are known to `blur` only.
static bool collocate(amo_variation *g, const double *scale, double h)
{
  const amo_column_problem p = {g->node, g->direction, g->columns,
                                h,       scale,        fmax(AMO_BORDER, 100.0 * g->blur)};
  return amo_collocate(g->collocation, &p, &g->series, g->y);
}

static amo_status stretch(amo_variation *g, const amo_flow *f, int lane, double s, double h, int depth)
{
  const bool collocated = is_collocated(g, &f->lane[lane]);
  amo_status st =
      collocated ? sample(g, f, lane, s, h, AMO_COLLOCATION_POINTS, amo_collocation_points(g->collocation))
                 : sample(g, f, lane, s, h, NODES, g->fit->x);
  if (st != AMO_OK) return st;
  if (depth == 0) note_whole(g, h);
  if (collocated ? collocate(g, f->lane[lane].scale, h) : follow_series(g, h, depth)) {
    if (g->along) g->along(g->ctx, s, h);
    return AMO_OK;
  }
  if (depth >= DEEPEST || (depth >= DEEP && ++g->stretches > MOST_STRETCHES)) {
    snprintf(g->message, sizeof g->message, "the linearised motion is singular near t = %.9g",
             f->lane[lane].t);
    return AMO_ENOANSWER;
  }
  st = stretch(g, f, lane, s, h / 2, depth + 1);
  return st == AMO_OK ? stretch(g, f, lane, s + h / 2, h / 2, depth + 1) : st;
}

amo_status amo_variation_follow(amo_variation *g, const amo_flow *f, int lane)
{
  const amo_lane *l = &f->lane[lane];
  amo_status st = AMO_OK;
  g->stretches = 0;
  take_sizes(g, l);
  g->grazing |= l->touched;
  if (is_collocated(g, l) && !g->collocation)
    st = amo_collocation_new(g->ns, g->np, g->ns + g->np, g->m->nxi > 0, &g->collocation);
  if (st == AMO_OK && l->h > 0.0) st = stretch(g, f, lane, 0.0, l->h, 0);
  if (l->events > 0) memcpy(g->y_before, g->y, (size_t)g->columns * g->ns * sizeof *g->y);
  if (st == AMO_OK) st = amo_variation_jump(g, f, lane);
  if (st != AMO_OK || amo_all_finite(g->y, (size_t)g->columns * g->ns)) return st;
  snprintf(g->message, sizeof g->message, "an expression of the model has no derivative near t = %.9g", l->t);
  return AMO_ENOANSWER;
}

amo_status amo_variation_rates(amo_variation *g, const amo_flow *f, int lane, double *rates)
{
  const amo_lane *l = &f->lane[lane];
  amo_place at = {l->t, l->y, l->mode, l->reaction_sign, l->branch, l->fresh, l->xi, true};
  amo_status st = amo_derivative_rates(g->to, &at);
  if (st == AMO_OK) memcpy(rates, g->to->f, g->ns * sizeof *rates);
  return st;
}
