// SPDX-License-Identifier: Apache-2.0
#include "flow/rk8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "flow/dop853_table.h"

enum { DEGREE = 7, NODES = DEGREE + 1 };

struct amo_rk8 {
  const amo_model *m;
  uint32_t ns;
  double *k;              // [DOP_ALL][ns] stages
  double *y, *next;       // [ns]
  double *dense;          // [ns][NODES] monomials on [0,1]
  double *sample;         // [NODES][conditions]
  double monomial[NODES][NODES];  // values at the nodes to monomials
  double node[NODES];
};

/// Inverse of the Vandermonde matrix of Chebyshev-Lobatto nodes on [0,1], by Lagrange polynomials.
static void prepare_interpolation(amo_rk8 *r)
{
  const double pi = acos(-1.0);
  for (int i = 0; i < NODES; i++) r->node[i] = 0.5 * (1.0 - cos(pi * i / DEGREE));
  for (int i = 0; i < NODES; i++) {
    double p[NODES + 1] = {1.0};
    int degree = 0;
    for (int j = 0; j < NODES; j++) {
      if (j == i) continue;
      double d = r->node[i] - r->node[j];
      for (int k = ++degree; k >= 0; k--) p[k] = ((k > 0 ? p[k - 1] : 0.0) - r->node[j] * p[k]) / d;
    }
    for (int k = 0; k < NODES; k++) r->monomial[k][i] = p[k];
  }
}

amo_status amo_rk8_new(const amo_model *m, amo_rk8 **out)
{
  amo_rk8 *r = calloc(1, sizeof *r);
  *out = r;
  if (r == NULL) return AMO_ENOMEM;
  r->m = m;
  r->ns = 2 * m->nq + m->nz;
  size_t ns = r->ns + 1u, conditions = 3u * m->nc + amo_prog_switches(m->step) + 1u;
  r->k = calloc(DOP_ALL * ns, sizeof *r->k);
  r->y = calloc(ns, sizeof *r->y);
  r->next = calloc(ns, sizeof *r->next);
  r->dense = calloc(ns * NODES, sizeof *r->dense);
  r->sample = calloc(NODES * conditions, sizeof *r->sample);
  prepare_interpolation(r);
  return r->k && r->y && r->next && r->dense && r->sample ? AMO_OK : AMO_ENOMEM;
}

void amo_rk8_free(amo_rk8 *r)
{
  if (r == NULL) return;
  free(r->k); free(r->y); free(r->next); free(r->dense); free(r->sample);
  free(r);
}

static amo_status rates(amo_rk8 *r, amo_flow *f, amo_lane *l, double t, const double *y, double *dy)
{
  const amo_model *m = r->m;
  amo_status st = amo_point_evaluate(f->point, t, y, l->mode);
  if (st != AMO_OK) return st;
  memcpy(dy, y + m->nq, m->nq * sizeof *dy);
  memcpy(dy + m->nq, f->point->acc, m->nq * sizeof *dy);
  for (uint32_t i = 0; i < m->nz; i++) dy[2 * m->nq + i] = f->point->reg[m->extra[i].r_rate];
  l->stats.rhs++;
  return AMO_OK;
}

static amo_status stage(amo_rk8 *r, amo_flow *f, amo_lane *l, double h, int s, double *y)
{
  for (uint32_t i = 0; i < r->ns; i++) {
    double sum = 0.0;
    for (int j = 0; j < s; j++) sum += dop_a[s][j] * r->k[(size_t)j * r->ns + i];
    y[i] = l->y[i] + h * sum;
  }
  return rates(r, f, l, l->t + dop_c[s] * h, y, r->k + (size_t)s * r->ns);
}

static double error_norm(const amo_rk8 *r, const amo_flow *f, const amo_lane *l, double h)
{
  double e5 = 0.0, e3 = 0.0;
  for (uint32_t i = 0; i < r->ns; i++) {
    double scale = fmax(fmax(l->scale[i], fabs(r->next[i])), 1e-300) * f->opt.tol, a = 0.0, b = 0.0;
    for (int s = 0; s <= DOP_STAGES; s++) {
      a += dop_e5[s] * r->k[(size_t)s * r->ns + i];
      b += dop_e3[s] * r->k[(size_t)s * r->ns + i];
    }
    e5 += (a / scale) * (a / scale);
    e3 += (b / scale) * (b / scale);
  }
  double both = e5 + 0.01 * e3;
  if (!isfinite(both)) return INFINITY;  // a stage left the domain of some function: shorter
  return both > 0.0 ? h * e5 / sqrt(both * r->ns) : 0.0;
}

/// y0 + x(F0 + (1-x)(F1 + x(F2 + (1-x)(F3 + ...)))) expanded into monomials of x.
static amo_status build_dense(amo_rk8 *r, amo_flow *f, amo_lane *l, double h)
{
  for (int s = DOP_STAGES + 1; s < DOP_ALL; s++) {
    amo_status st = stage(r, f, l, h, s, r->y);
    if (st != AMO_OK) return st;
  }
  for (uint32_t i = 0; i < r->ns; i++) {
    const double *k = r->k + i;
    double F[DEGREE];
    F[0] = r->next[i] - l->y[i];
    F[1] = h * k[0] - F[0];
    F[2] = 2 * F[0] - h * (k[(size_t)DOP_STAGES * r->ns] + k[0]);
    for (int d = 0; d < DEGREE - 3; d++) {
      F[3 + d] = 0.0;
      for (int s = 0; s < DOP_ALL; s++) F[3 + d] += h * dop_d[d][s] * k[(size_t)s * r->ns];
    }
    double *p = r->dense + (size_t)i * NODES;
    memset(p, 0, NODES * sizeof *p);
    for (int j = DEGREE - 1; j >= 0; j--) {
      p[0] += F[j];
      bool by_x = (DEGREE - 1 - j) % 2 == 0;
      for (int c = DEGREE; c >= 0; c--) {
        double below = c > 0 ? p[c - 1] : 0.0;
        p[c] = by_x ? below : p[c] - below;
      }
    }
    p[0] = l->y[i];
  }
  return AMO_OK;
}

static void write_series(const amo_flow *f, double *series, const double *monomial, double h)
{
  double power = 1.0;
  for (int k = 0; k <= f->P; k++) {
    series[(size_t)k * (size_t)f->W] = k < NODES ? monomial[k] * power : 0.0;
    power /= h;
  }
}

static double *series(amo_flow *f, int lane, uint32_t reg)
{
  return f->jet + (size_t)reg * (size_t)(f->P + 1) * (size_t)f->W + (size_t)lane;
}

/// Conditions along the step: evaluated at the nodes, then as polynomials.
static amo_status sample_conditions(amo_rk8 *r, amo_flow *f, amo_lane *l, double h)
{
  const amo_model *m = r->m;
  size_t n = 3u * m->nc + f->nsw;
  for (int i = 0; i < NODES; i++) {
    for (uint32_t j = 0; j < r->ns; j++)
      r->y[j] = amo_poly_value(r->dense + (size_t)j * NODES, 1, DEGREE, r->node[i]);
    amo_status st = amo_point_evaluate(f->point, l->t + r->node[i] * h, r->y, l->mode);
    if (st != AMO_OK) return st;
    double *s = r->sample + (size_t)i * n;
    for (uint32_t c = 0; c < m->nc; c++) {
      s[3 * c] = f->point->reg[m->contact[c].r_slip];
      s[3 * c + 1] = f->point->reg[m->contact[c].r_bound];
      s[3 * c + 2] = f->point->lambda[c];
    }
    for (uint32_t k = 0; k < f->nsw; k++)
      s[3 * m->nc + k] = f->point->reg[amo_prog_switch_register(m->step, k)];
  }
  return AMO_OK;
}

static void write_conditions(amo_rk8 *r, amo_flow *f, int lane, double h)
{
  const amo_model *m = r->m;
  size_t n = 3u * m->nc + f->nsw;
  for (uint32_t q = 0; q < n; q++) {
    double p[NODES];
    for (int k = 0; k < NODES; k++) {
      p[k] = 0.0;
      for (int i = 0; i < NODES; i++) p[k] += r->monomial[k][i] * r->sample[(size_t)i * n + q];
    }
    p[0] = r->sample[q];
    uint32_t c = q / 3;
    double *to;
    bool fixed;
    if (q >= 3 * m->nc) to = series(f, lane, amo_prog_switch_register(m->step, q - 3 * m->nc));
    else if (q % 3 == 2) to = amo_flow_stick_force(f, lane, c, &fixed);
    else to = series(f, lane, q % 3 == 0 ? m->contact[c].r_slip : m->contact[c].r_bound);
    write_series(f, to, p, h);
  }
}

/// First length: the change in the state over a hundredth of its size, or the last step.
static double first_length(const amo_rk8 *r, const amo_lane *l, double limit)
{
  if (l->rhythm > 0.0) return fmin(l->rhythm, limit);
  double h = limit;
  for (uint32_t i = 0; i < r->ns; i++) {
    double rate = fabs(r->k[i]), size = fmax(l->scale[i], 1e-3 * rate);
    if (rate > 0.0) h = fmin(h, 0.01 * size / rate);
  }
  return h;
}

amo_status amo_rk8_expand(amo_rk8 *r, amo_flow *f, int lane, double t_end, double *length)
{
  amo_lane *l = &f->lane[lane];
  f->point->branch = l->branch;
  for (uint32_t i = 0; i < r->m->np; i++)
    f->point->reg[r->m->leaf.param + i] = f->param[i * (uint32_t)f->W + (uint32_t)lane];
  amo_status st = rates(r, f, l, l->t, l->y, r->k);
  double limit = fmin(f->opt.max_step, t_end - l->t), h = first_length(r, l, limit);
  while (st == AMO_OK) {
    h = fmin(h, limit);
    for (int s = 1; s <= DOP_STAGES && st == AMO_OK; s++) st = stage(r, f, l, h, s, r->next);
    if (st != AMO_OK) return st;
    double e = error_norm(r, f, l, h);
    double factor = isfinite(e) ? fmin(5.0, fmax(0.2, 0.9 * pow(fmax(e, 1e-12), -1.0 / 8))) : 0.2;
    if (e <= 1.0) {
      l->rhythm = h * factor;
      break;
    }
    l->stats.rejected++;
    h *= factor;
    if (h < 1e-15 * fmax(fabs(l->t), limit)) return AMO_ENOANSWER;
  }
  if (st == AMO_OK) st = build_dense(r, f, l, h);
  if (st == AMO_OK) st = sample_conditions(r, f, l, h);
  if (st != AMO_OK) return st;
  write_conditions(r, f, lane, h);
  for (uint32_t i = 0; i < r->ns; i++)  // last: a slip may be a state itself
    write_series(f, series(f, lane, amo_flow_state_register(r->m, i)), r->dense + (size_t)i * NODES, h);
  *length = h;
  return AMO_OK;
}
