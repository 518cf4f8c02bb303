// SPDX-License-Identifier: Apache-2.0
/// Columns along a smooth stretch of the motion. df/dy and df/dp are taken at Chebyshev points of the dense output and become polynomials
/// in time; the columns then follow as power series. A stretch over which the polynomials do not resolve the derivatives, or which is long
/// against them, is halved. Directions of spatial slips turn without bound where a slip begins or ends; there the columns are collocated.
#include "flow/variation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "flow/collocation.h"

enum { NODES = 14, TERMS = 64, DEEPEST = 40 };
enum { DEEP = 16, MOST_STRETCHES = 400 };  // that many of a step may be this deep: its length alone never is

/// Points on [0,1], and the matrices from values there to Chebyshev coefficients and to powers.
typedef struct basis {
  double x[NODES], chebyshev[NODES][NODES], power[NODES][NODES];
} basis;

/// power[k][j]: coefficient of x^k in the shifted polynomial T_j(2x - 1).
static void fill_powers(basis *b)
{
  memset(b->power, 0, sizeof b->power);
  b->power[0][0] = 1.0;
  b->power[0][1] = -1.0;
  b->power[1][1] = 2.0;
  for (int j = 2; j < NODES; j++)
    for (int k = 0; k <= j; k++)
      b->power[k][j] =
          (k > 0 ? 4.0 * b->power[k - 1][j - 1] : 0.0) - 2.0 * b->power[k][j - 1] - b->power[k][j - 2];
}

static void fill_basis(basis *b)
{
  const double pi = 3.14159265358979323846;
  for (int i = 0; i < NODES; i++) {
    b->x[i] = 0.5 - 0.5 * cos(pi * (i + 0.5) / NODES);
    for (int k = 0; k < NODES; k++)
      b->chebyshev[k][i] = (k == 0 ? 1.0 : 2.0) / NODES * cos(k * (pi - pi * (i + 0.5) / NODES));
  }
  fill_powers(b);
}

static size_t entries(const amo_variation *g)
{
  return (size_t)(g->ns + g->np) * g->ns;
}

/// Room for the values at the points, or for the columns at the end of a stretch.
static size_t nodes(const amo_variation *g)
{
  const size_t columns = (size_t)g->columns * g->ns;
  return NODES * entries(g) > columns ? NODES * entries(g) : columns;
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
  AMO_TAKE(&g->memory, double, nodes(g) + sizeof(basis) / sizeof(double), &g->node);
  AMO_TAKE(&g->memory, amo_variation_term, NODES * entries(g) + 1, &g->term);
  AMO_TAKE(&g->memory, double, (size_t)TERMS * g->columns * ns + 1, &g->series);
  AMO_TAKE(&g->memory, double, 2 * ns + 1, &g->sum);
  AMO_TAKE(&g->memory, double, ns + 1, &g->state, &g->before, &g->after);
  AMO_TAKE(&g->memory, double, g->at->n + 1u, &g->gradient);
  AMO_TAKE(&g->memory, signed char, nc, &g->mode, &g->reaction_sign, &g->next_mode, &g->next_reaction_sign,
           &g->bare, &g->struck);
  AMO_TAKE(&g->memory, signed char, nsw, &g->branch, &g->next_branch);
  AMO_TAKE(&g->memory, bool, nc, &g->bounces);
  if (g->memory.failed) return AMO_ENOMEM;
  basis b;
  fill_basis(&b);
  memcpy(g->node + nodes(g), &b, sizeof b);
  return g->m->nxi > 0 ? amo_collocation_new(g->ns, g->columns, NODES, b.x, &g->collocation) : AMO_OK;
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

/// Derivatives of the rates at the points of [s, s + h] of the step.
static amo_status sample(amo_variation *g, const amo_flow *f, int lane, double s, double h, const basis *b)
{
  const amo_lane *l = &f->lane[lane];
  amo_place at = {
      .y = g->state, .mode = l->step_mode, .reaction_sign = l->step_reaction_sign, .branch = l->step_branch};
  for (int i = 0; i < NODES; i++) {
    const double x = s + h * b->x[i];
    amo_flow_dense(f, lane, x, g->state);
    at.t = l->start + x;
    amo_status st = amo_derivative_rates(g->at, &at);
    if (st != AMO_OK) return st;
    memcpy(g->node + (size_t)i * entries(g), g->at->df, entries(g) * sizeof *g->node);
    g->blur = i == 0 ? g->at->blur : fmax(g->blur, g->at->blur);
    g->points++;
  }
  return AMO_OK;
}

/// Size of a state: the largest met so far, never much less than that of the others of its kind. A coordinate that moves
/// only by rounding has none of its own.
static double size_of(const amo_variation *g, const amo_lane *l, size_t i)
{
  const size_t nq = g->m->nq, first = i < nq ? 0 : i < 2 * nq ? nq : i;
  double size = l->scale[i], most = 0.0;
  for (size_t k = first; i < 2 * nq && k < first + nq; k++) most = fmax(most, l->scale[k]);
  return fmax(size, AMO_ROUGH * most);
}

/// What an error x of an entry does to the columns over h, measured by the sizes of states and parameters, or (where `to` has none yet) by
/// what its rate depends on most.
static double effect(const amo_variation *g, const amo_lane *l, size_t e, double h, double x)
{
  const size_t i = e % g->ns;
  double from = 0.0, most = 0.0;
  for (size_t j = 0; j < (size_t)g->ns + g->np; j++) {
    const double value = j < g->ns ? 0.0 : fabs(g->at->value[g->at->vary->param[j - g->ns]]);
    const double size = j < g->ns ? size_of(g, l, j) : value > 0.0 ? value : 1.0;
    most = fmax(most, fabs(g->node[j * g->ns + i]) * size * h);
    if (j == e / g->ns) from = size;
  }
  const double to = fmax(size_of(g, l, i), most);
  return to > 0.0 && from > 0.0 ? x * h * from / to : x > 0.0 ? INFINITY : 0.0;
}

/// One entry as a polynomial: Chebyshev coefficients without their rounding, then powers, into the list of terms. False: not resolved.
static bool add_entry(amo_variation *g, const amo_lane *l, size_t e, double h, const basis *b, double noise)
{
  const size_t n = entries(g);
  const double *value = g->node + e;
  double c[NODES], size = 0.0;
  int degree = -1;
  for (int k = 0; k < NODES; k++) {
    c[k] = 0.0;
    for (int i = 0; i < NODES; i++) c[k] += b->chebyshev[k][i] * value[(size_t)i * n];
    size = fmax(size, fabs(c[k]));
  }
  const double last = fmax(fabs(c[NODES - 1]), fabs(c[NODES - 2]));
  if (!isfinite(size) || (last > noise * size && effect(g, l, e, h, last) > 1e-15)) return false;
  if (last > AMO_ROUGH * size) return true;  // nothing but rounding, of no effect
  for (int k = 0; k < NODES; k++)
    if (fabs(c[k]) > AMO_LAST_DIGITS * size)
      degree = k;
    else
      c[k] = 0.0;
  for (int k = 0; k <= degree; k++) {
    double p = 0.0;
    for (int j = degree; j >= k; j--) p += b->power[k][j] * c[j];
    if (p != 0.0)
      g->term[g->terms++] = (amo_variation_term){k, (uint32_t)(e % g->ns), (uint32_t)(e / g->ns), h * p};
  }
  return true;
}

static bool fill_terms(amo_variation *g, const amo_lane *l, double h, const basis *b, int depth)
{
  // halving makes the rest of a smooth entry thousands of times smaller: what is left after some is noise
  const double noise = fmin(ldexp(AMO_CANCELLED, 2 * depth), AMO_ROUGH);
  bool ok = true;
  g->terms = 0;
  for (size_t e = 0; ok && e < entries(g); e++) ok = add_entry(g, l, e, h, b, noise);
  return ok;
}

/// series_k+1 = (sum_j A_j series_{k-j} + B_k D) / (k+1), all columns at once.
static void next_term(const amo_variation *g, int k)
{
  const size_t ns = g->ns, n = g->columns;
  double *out = g->series + (size_t)(k + 1) * ns * n;
  memset(out, 0, ns * n * sizeof *out);
  for (size_t i = 0; i < g->terms; i++) {
    const amo_variation_term *t = &g->term[i];
    double *restrict to = out + t->row * n;
    if (t->power > k) continue;
    if (t->column < ns) {
      const double *restrict y = g->series + ((size_t)(k - t->power) * ns + t->column) * n;
      for (size_t c = 0; c < n; c++) to[c] += t->value * y[c];
    } else if (t->power == k) {
      for (size_t c = 0; c < n; c++) to[c] += t->value * g->direction[c * g->np + t->column - ns];
    }
  }
  for (size_t i = 0; i < ns * n; i++) out[i] /= k + 1;
}

/// Add the terms of the series until several in a row do not count. peak[r]: the largest term of each row. False: it does not end.
static bool sum_series(amo_variation *g, double *sum, double *peak)
{
  const size_t ns = g->ns, n = g->columns;
  int quiet = 0;
  for (int k = 0; k + 1 < TERMS && quiet < 4; g->degree = ++k) {
    const double *term = g->series + (size_t)(k + 1) * ns * n;
    bool counts = false;
    next_term(g, k);
    for (size_t r = 0; r < ns; r++)
      for (size_t c = 0; c < n; c++) {
        const double x = fabs(term[r * n + c]);
        sum[r * n + c] += term[r * n + c];
        peak[r] = x > peak[r] ? x : peak[r];
        counts |= x > 1e-17 * peak[r];
      }
    quiet = counts ? 0 : quiet + 1;
  }
  return quiet >= 4;
}

/// The largest term of the rate of row r: where its terms cancel, a column is rounding of them.
static double largest_term(const amo_variation *g, size_t r)
{
  double most = 0.0;
  for (size_t i = 0; i < g->terms; i++)
    for (size_t c = 0, k = g->term[i].column; g->term[i].row == r && c < g->columns; c++)
      most = fmax(most, fabs(g->term[i].value * (k < g->ns ? g->series[k * g->columns + c]
                                                           : g->direction[c * g->np + k - g->ns])));
  return most;
}

/// All columns over the stretch. False: too long, terms cancel or do not end.
static bool advance(amo_variation *g)
{
  const size_t ns = g->ns, n = g->columns;
  double *sum = g->node, *peak = g->sum;  // values at the points are no longer needed
  memset(peak, 0, ns * sizeof *peak);
  for (size_t c = 0; c < n; c++)
    for (size_t r = 0; r < ns; r++) {
      g->series[r * n + c] = sum[r * n + c] = g->y[c * ns + r];
      peak[r] = fmax(peak[r], fabs(g->y[c * ns + r]));
    }
  bool ok = sum_series(g, sum, peak);
  for (size_t r = 0; ok && r < ns; r++) {
    double size = 0.0;
    for (size_t c = 0; c < n; c++) size = fmax(size, fmax(fabs(sum[r * n + c]), fabs(g->series[r * n + c])));
    ok = peak[r] <= 1e3 * size || peak[r] <= AMO_ROUGH * largest_term(g, r);
  }
  for (size_t c = 0; ok && c < n; c++)
    for (size_t r = 0; r < ns; r++) g->y[c * ns + r] = sum[r * n + c];
  return ok;
}

static amo_status stretch(amo_variation *g, const amo_flow *f, int lane, double s, double h, int depth)
{
  const basis *b = (const basis *)(const void *)(g->node + nodes(g));
  amo_status st = sample(g, f, lane, s, h, b);
  if (st != AMO_OK) return st;
  if (g->collocation ? amo_collocate(g->collocation, g, f->lane[lane].scale, h)
                     : fill_terms(g, &f->lane[lane], h, b, depth) && advance(g)) {
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
  g->stretches = 0;
  g->grazing |= l->touched;
  amo_status st = l->h > 0.0 ? stretch(g, f, lane, 0.0, l->h, 0) : AMO_OK;
  if (l->events > 0) memcpy(g->y_before, g->y, (size_t)g->columns * g->ns * sizeof *g->y);
  return st == AMO_OK ? amo_variation_jump(g, f, lane) : st;
}

amo_status amo_variation_rates(amo_variation *g, const amo_flow *f, int lane, double *rates)
{
  const amo_lane *l = &f->lane[lane];
  amo_place at = {l->t, l->y, l->mode, l->reaction_sign, l->branch, l->fresh, l->xi};
  amo_status st = amo_derivative_rates(g->to, &at);
  if (st == AMO_OK) memcpy(rates, g->to->f, g->ns * sizeof *rates);
  return st;
}
