// SPDX-License-Identifier: Apache-2.0
#include "quasistatic/statics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "num/finite.h"

enum { LEAD = 4 };  // coefficients in time that are looked at for the first that drives

amo_status amo_statics_new(const amo_values *v, amo_statics **out)
{
  const amo_model *m = v->model;
  amo_statics *s = *out = amo_zalloc(1, sizeof *s);
  if (!s) return AMO_ENOMEM;
  const size_t q = s->nq = m->nq, c = s->nc = m->nc, g = s->ng = m->ng, y = s->ny = m->nq + 3 * m->nc + m->ng;
  AMO_TAKE(&s->memory, double, 2 * q + m->nz, &s->state, &s->dir);
  AMO_TAKE(&s->memory, double, q, &s->p, &s->f);
  AMO_TAKE(&s->memory, double, c, &s->gap, &s->gap_t, &s->mu, &s->mu_t);
  AMO_TAKE(&s->memory, double, g, &s->tie, &s->tie_t);
  AMO_TAKE(&s->memory, double, q *q, &s->K);
  AMO_TAKE(&s->memory, double, c *q, &s->n, &s->mu_q);
  AMO_TAKE(&s->memory, double, 2 * c * q, &s->w);
  AMO_TAKE(&s->memory, double, g *q, &s->g);
  AMO_TAKE(&s->memory, double, 2 * c, &s->c);
  AMO_TAKE(&s->memory, double, y *y, &s->still, &s->move, &s->inverse);
  AMO_TAKE(&s->memory, double, y, &s->rest, &s->drift, &s->size, &s->scale);
  AMO_TAKE(&s->memory, double, y *y + 3 * y, &s->work);
  AMO_TAKE(&s->memory, signed char, c, &s->rest_mode);
  amo_status st = s->memory.failed ? AMO_ENOMEM : amo_expansion_new(m, LEAD, &s->x);
  if (st == AMO_OK) {
    s->m = s->x->m;
    amo_expansion_parameters(s->x, v->param);
    memcpy(s->state + 2 * q, v->initial + 2 * q, m->nz * sizeof *s->state);
    return AMO_OK;
  }
  amo_statics_free(s);
  *out = NULL;
  return st;
}

void amo_statics_free(amo_statics *s)
{
  if (!s) return;
  amo_arena_free(&s->memory);
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
    for (uint32_t a = 0; a < amo_slip_rows(t); a++)
      add_row(s, amo_slip_row(t, a).w, amo_slip_row(t, a).nw, L[2 * c + a], k, sign, to, step);
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
  for (uint32_t c = 0; c < s->nc; c++) {
    const amo_contact *t = &m->contact[c];
    fill_row(s, t->n, t->nn, s->n + c * s->nq);
    s->gap[c] = coefficient(s, t->r_gap, 0);
    s->mu[c] = coefficient(s, t->r_bound, 0);
    memset(s->w + (2 * c + 1) * s->nq, 0, s->nq * sizeof *s->w);
    for (uint32_t a = 0; a < amo_slip_rows(t); a++)
      fill_row(s, amo_slip_row(t, a).w, amo_slip_row(t, a).nw, s->w + (2 * c + a) * s->nq);
  }
  for (uint32_t g = 0; g < s->ng; g++) {
    fill_row(s, m->constraint[g].g, m->constraint[g].ng, s->g + g * s->nq);
    s->tie[g] = m->constraint[g].velocity_level ? 0.0 : coefficient(s, m->constraint[g].r_residual, 0);
  }
}

/// What drives in time: coefficient k of the loads, of gaps, of slips and constraints that are prescribed, of friction.
static bool take_drive(amo_statics *s, const double *y, int k)
{
  const amo_model *m = s->m;
  double most = 0.0;
  memset(s->p, 0, s->nq * sizeof *s->p);
  add_forces(s, y, k, 1.0, s->p, 1);
  for (uint32_t i = 0; i < s->nq; i++) most = fmax(most, fabs(s->p[i]));
  for (uint32_t c = 0; c < s->nc; c++) {
    const amo_contact *t = &m->contact[c];
    s->mu_t[c] = coefficient(s, t->r_bound, k);
    s->gap_t[c] = coefficient(s, t->r_gap_rate, k - 1) / k;
    for (uint32_t a = 0; a < amo_slip_rows(t); a++)
      s->c[2 * c + a] = coefficient(s, amo_slip_row(t, a).r_slip, k - 1) / k;
    most = fmax(most, fmax(fabs(s->mu_t[c]), fabs(s->gap_t[c])));
    most = fmax(most, fmax(fabs(s->c[2 * c]), fabs(s->c[2 * c + 1])));
  }
  for (uint32_t g = 0; g < s->ng; g++) {
    s->tie_t[g] = coefficient(s, m->constraint[g].r_rate, k - 1) / k;
    most = fmax(most, fabs(s->tie_t[g]));
  }
  return most > 0.0 || isnan(most);
}

static void take_derivatives(amo_statics *s, const double *y)
{
  const size_t n = s->nq;
  memset(s->K, 0, n * n * sizeof *s->K);
  for (uint32_t j = 0; j < n; j++) {
    s->dir[j] = 1.0;
    amo_expansion_registers_along(s->x, s->dir, 0.0, 1);
    s->dir[j] = 0.0;
    add_forces(s, y, 1, -1.0, s->K + j, n);
    for (uint32_t c = 0; c < s->nc; c++) s->mu_q[c * n + j] = coefficient(s, s->m->contact[c].r_bound, 1);
  }
  bool drives = false;
  for (s->lead = 1; !drives && s->lead <= LEAD; s->lead += !drives) {
    amo_expansion_registers_along(s->x, s->dir, 1.0, s->lead);
    drives = take_drive(s, y, s->lead);
  }
  if (!drives) s->lead = 1;
}

amo_status amo_statics_at(amo_statics *s, double t, const double *y)
{
  s->t = t;
  memcpy(s->state, y, s->nq * sizeof *s->state);
  amo_expansion_registers(s->x, t, s->state, s->rest_mode);
  take_values(s, y);
  take_derivatives(s, y);
  const bool good = amo_all_finite(s->f, s->nq) && amo_all_finite(s->p, s->nq) &&
                    amo_all_finite(s->K, (size_t)s->nq * s->nq);
  return good ? AMO_OK : AMO_ENOANSWER;
}
