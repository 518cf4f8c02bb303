// SPDX-License-Identifier: Apache-2.0
#include "quasistatic/statics.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

amo_status amo_statics_new(const amo_model *m, amo_statics **out)
{
  amo_statics *s = *out = amo_zalloc(1, sizeof *s);
  if (!s) return AMO_ENOMEM;
  const size_t q = s->nq = m->nq, c = s->nc = m->nc, g = s->ng = m->ng, y = s->ny = m->nq + 3 * m->nc + m->ng;
  struct {
    double **at;
    size_t count;
  } all[] = {{&s->state, 2 * q + m->nz},
             {&s->K, q * q},
             {&s->p, q},
             {&s->f, q},
             {&s->size, q},
             {&s->n, c * q},
             {&s->w, 2 * c * q},
             {&s->g, g * q},
             {&s->gap, c},
             {&s->gap_t, c},
             {&s->c, 2 * c},
             {&s->tie, g},
             {&s->tie_t, g},
             {&s->mu, c},
             {&s->mu_q, c * q},
             {&s->mu_t, c},
             {&s->matrix, y * y},
             {&s->rhs, y},
             {&s->rate, y},
             {&s->rate_t, y}};
  amo_status st = amo_expansion_new(m, 1, &s->x);
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    *all[i].at = amo_zalloc(all[i].count, sizeof(double));
    if (!*all[i].at) st = AMO_ENOMEM;
  }
  if (st != AMO_OK) {
    amo_statics_free(s);
    *out = NULL;
    return st;
  }
  s->m = s->x->m;
  amo_expansion_parameters(s->x, m->param_value);
  for (uint32_t i = 0; i < m->nz; i++) s->state[2 * q + i] = m->initial[2 * q + i];
  return AMO_OK;
}

void amo_statics_free(amo_statics *s)
{
  if (!s) return;
  double *const all[] = {s->state, s->K,    s->p,      s->f,   s->size, s->n,     s->w,
                         s->g,     s->gap,  s->gap_t,  s->c,   s->tie,  s->tie_t, s->mu,
                         s->mu_q,  s->mu_t, s->matrix, s->rhs, s->rate, s->rate_t};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
  amo_expansion_free(s->x);
  free(s);
}

// ---- values and derivatives ----

static double coefficient(const amo_statics *s, uint32_t reg, int k)
{
  return amo_expansion_register(s->x, reg, k);
}

/// Add force*row, coefficient k of the row, to `to` with its sign.
static void add_row(const amo_statics *s, const amo_entry *e, uint32_t n, double force, int k, double sign,
                    double *to, size_t step)
{
  for (uint32_t i = 0; force != 0.0 && i < n; i++)
    to[e[i].col * step] += sign * force * coefficient(s, e[i].reg, k);
}

/// Coefficient k of f + n R + w L + g G with the forces held: into to[i*step].
static void add_forces(const amo_statics *s, const double *y, int k, double sign, double *to, size_t step)
{
  const amo_model *m = s->m;
  const double *R = y + s->nq, *L = R + s->nc, *G = L + 2 * s->nc;
  for (uint32_t i = 0; i < s->nq; i++) to[i * step] += sign * coefficient(s, m->r_h[i], k);
  for (uint32_t c = 0; c < s->nc; c++) {
    const amo_contact *t = &m->contact[c];
    if (amo_has_gap(t)) add_row(s, t->n, t->nn, R[c], k, sign, to, step);
    if (!t->spatial) add_row(s, t->w, t->nw, L[2 * c], k, sign, to, step);
    for (uint32_t a = 0; t->spatial && a < 2; a++)
      add_row(s, t->axis[a].w, t->axis[a].nw, L[2 * c + a], k, sign, to, step);
  }
  for (uint32_t g = 0; g < s->ng; g++)
    add_row(s, m->constraint[g].g, m->constraint[g].ng, G[g], k, sign, to, step);
}

static void fill_row(const amo_statics *s, const amo_entry *e, uint32_t n, double *to)
{
  memset(to, 0, s->nq * sizeof *to);
  for (uint32_t i = 0; i < n; i++) to[e[i].col] = coefficient(s, e[i].reg, 0);
}

static void take_values(amo_statics *s, const double *y)
{
  const amo_model *m = s->m;
  memset(s->f, 0, s->nq * sizeof *s->f);
  add_forces(s, y, 0, 1.0, s->f, 1);
  for (uint32_t i = 0; i < s->nq; i++) s->size[i] = fabs(coefficient(s, m->r_h[i], 0));
  for (uint32_t c = 0; c < s->nc; c++) {
    const amo_contact *t = &m->contact[c];
    fill_row(s, t->n, t->nn, s->n + c * s->nq);
    s->gap[c] = coefficient(s, t->r_gap, 0);
    s->gap_t[c] = coefficient(s, t->r_gap_rate, 0);
    s->mu[c] = coefficient(s, t->r_bound, 0);
    memset(s->w + (2 * c + 1) * s->nq, 0, s->nq * sizeof *s->w);
    s->c[2 * c + 1] = 0.0;
    if (!t->spatial) {
      fill_row(s, t->w, t->nw, s->w + 2 * c * s->nq);
      s->c[2 * c] = coefficient(s, t->r_slip, 0);
    }
    for (uint32_t a = 0; t->spatial && a < 2; a++) {
      fill_row(s, t->axis[a].w, t->axis[a].nw, s->w + (2 * c + a) * s->nq);
      s->c[2 * c + a] = coefficient(s, t->axis[a].r_slip, 0);
    }
    for (uint32_t i = 0; i < s->nq; i++)
      s->size[i] += fabs(s->n[c * s->nq + i] * y[s->nq + c]) +
                    fabs(s->w[2 * c * s->nq + i] * y[s->nq + s->nc + 2 * c]) +
                    fabs(s->w[(2 * c + 1) * s->nq + i] * y[s->nq + s->nc + 2 * c + 1]);
  }
  for (uint32_t g = 0; g < s->ng; g++) {
    fill_row(s, m->constraint[g].g, m->constraint[g].ng, s->g + g * s->nq);
    s->tie[g] = m->constraint[g].velocity_level ? 0.0 : coefficient(s, m->constraint[g].r_residual, 0);
    s->tie_t[g] = coefficient(s, m->constraint[g].r_rate, 0);
  }
}

static void take_derivatives(amo_statics *s, const double *y)
{
  const size_t n = s->nq;
  double *dir = amo_zalloc(2 * n + s->m->nz, sizeof *dir);
  memset(s->K, 0, n * n * sizeof *s->K);
  memset(s->p, 0, n * sizeof *s->p);
  for (uint32_t j = 0; dir && j <= n; j++) {  // the last one is time
    if (j < n) dir[j] = 1.0;
    amo_expansion_registers_along(s->x, dir, j < n ? 0.0 : 1.0, 1);
    if (j < n)
      add_forces(s, y, 1, -1.0, s->K + j, n);
    else
      add_forces(s, y, 1, 1.0, s->p, 1);
    for (uint32_t c = 0; c < s->nc; c++)
      *(j < n ? &s->mu_q[c * n + j] : &s->mu_t[c]) = coefficient(s, s->m->contact[c].r_bound, 1);
    if (j < n) dir[j] = 0.0;
  }
  free(dir);
  for (uint32_t i = 0; i < n; i++)  // springs and loads may cancel
    for (uint32_t j = 0; j < n; j++) s->size[i] += fabs(s->K[i * n + j] * y[j]);
}

amo_status amo_statics_at(amo_statics *s, double t, const double *y)
{
  signed char stick[64] = {0};
  if (s->nc > sizeof stick) return AMO_ELIMIT;
  s->t = t;
  memcpy(s->state, y, s->nq * sizeof *s->state);
  amo_expansion_registers(s->x, t, s->state, stick);
  take_values(s, y);
  take_derivatives(s, y);
  for (size_t i = 0; i < s->nq; i++)
    if (!isfinite(s->f[i]) || !isfinite(s->p[i])) return AMO_ENOANSWER;
  for (size_t i = 0; i < (size_t)s->nq * s->nq; i++)
    if (!isfinite(s->K[i])) return AMO_ENOANSWER;
  return AMO_OK;
}
