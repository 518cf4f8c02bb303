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

// ---- the linear system ----

/// Elimination with row scaling and partial pivoting; a and b are destroyed, b becomes the solution.
static amo_status solve(double *a, size_t n, double *b)
{
  for (size_t i = 0; i < n; i++) {
    double size = 0.0;
    for (size_t j = 0; j < n; j++) size = fmax(size, fabs(a[i * n + j]));
    if (!(size > 0.0)) return AMO_ENOANSWER;
    for (size_t j = 0; j < n; j++) a[i * n + j] /= size;
    b[i] /= size;
  }
  for (size_t c = 0; c < n; c++) {
    size_t best = c;
    for (size_t i = c + 1; i < n; i++)
      if (fabs(a[i * n + c]) > fabs(a[best * n + c])) best = i;
    if (!(fabs(a[best * n + c]) > 1e-13)) return AMO_ENOANSWER;
    for (size_t j = c; best != c && j < n; j++) {
      double x = a[c * n + j];
      a[c * n + j] = a[best * n + j], a[best * n + j] = x;
    }
    double x = b[c];
    b[c] = b[best], b[best] = x;
    for (size_t i = c + 1; i < n; i++) {
      double f = a[i * n + c] / a[c * n + c];
      for (size_t j = c; f != 0.0 && j < n; j++) a[i * n + j] -= f * a[c * n + j];
      b[i] -= f * b[c];
    }
  }
  for (size_t i = n; i-- > 0;) {
    for (size_t j = i + 1; j < n; j++) b[i] -= a[i * n + j] * b[j];
    b[i] /= a[i * n + i];
  }
  return AMO_OK;
}

/// The bound of a guide goes with |R|.
static double pressing(const amo_statics *s, const double *y, uint32_t c)
{
  return s->m->contact[c].kind == AMO_GUIDE && y[s->nq + c] < 0.0 ? -1.0 : 1.0;
}

static void put(double *row, const double *from, size_t n, double factor)
{
  for (size_t i = 0; i < n; i++) row[i] += factor * from[i];
}

/// Row that says d.L' + (mu R)' = 0, or the same of the forces themselves.
static void bound_row(const amo_statics *s, const double *y, uint32_t c, const double d[2], double *row)
{
  const size_t n = s->nq;
  row[n + s->nc + 2 * c] += d[0];
  row[n + s->nc + 2 * c + 1] += d[1];
  if (amo_has_gap(&s->m->contact[c])) {
    row[n + c] += s->mu[c] * pressing(s, y, c);
    put(row, s->mu_q + c * n, n, fabs(y[n + c]));
  } else {
    put(row, s->mu_q + c * n, n, 1.0);
  }
}

static void contact_rows(amo_statics *s, const double *y, uint32_t c, const amo_qs_mode *mode, bool correct)
{
  const size_t n = s->nq, N = s->ny, rR = n + c, rL = n + s->nc + 2 * c;
  double *a = s->matrix, *b = s->rhs, e[2] = {-mode->d[1], mode->d[0]};
  const amo_contact *k = &s->m->contact[c];
  const double *L = y + n + s->nc + 2 * c;
  if (amo_has_gap(k) && mode->kind != AMO_QS_OPEN) {
    put(a + rR * N, s->n + c * n, n, 1.0);
    b[rR] = correct ? -s->gap[c] : -s->gap_t[c];
  } else {
    a[rR * N + rR] = 1.0;
    b[rR] = correct ? -y[rR] : 0.0;
  }
  if (mode->kind == AMO_QS_OPEN) {
    for (int i = 0; i < 2; i++) {
      a[(rL + (size_t)i) * N + rL + (size_t)i] = 1.0;
      b[rL + (size_t)i] = correct ? -L[i] : 0.0;
    }
    return;
  }
  if (mode->kind == AMO_QS_STICK)
    for (int i = 0; i < (k->spatial ? 2 : 1); i++) {
      put(a + (rL + (size_t)i) * N, s->w + (2 * c + (uint32_t)i) * n, n, 1.0);
      b[rL + (size_t)i] = correct ? 0.0 : -s->c[2 * c + (uint32_t)i];
    }
  else {
    bound_row(s, y, c, mode->d, a + rL * N);
    const double mu_t = s->mu_t[c] * (amo_has_gap(k) ? fabs(y[rR]) : 1.0);
    b[rL] = correct ? -(mode->d[0] * L[0] + mode->d[1] * L[1] + amo_statics_bound(s, y, c)) : -mu_t;
    if (k->spatial) {
      put(a + (rL + 1) * N, s->w + 2 * c * n, n, e[0]);
      put(a + (rL + 1) * N, s->w + (2 * c + 1) * n, n, e[1]);
      b[rL + 1] = correct ? 0.0 : -(e[0] * s->c[2 * c] + e[1] * s->c[2 * c + 1]);
    }
  }
  if (!k->spatial) {
    a[(rL + 1) * N + rL + 1] = 1.0;
    b[rL + 1] = 0.0;
  }
}

static void assemble(amo_statics *s, const double *y, const amo_qs_mode *mode, bool correct)
{
  const size_t n = s->nq, N = s->ny;
  double *a = s->matrix;
  memset(a, 0, N * N * sizeof *a);
  memset(s->rhs, 0, N * sizeof *s->rhs);
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++) a[i * N + j] = s->K[i * n + j];
    for (size_t c = 0; c < s->nc; c++) {
      a[i * N + n + c] = -s->n[c * n + i];
      a[i * N + n + s->nc + 2 * c] = -s->w[2 * c * n + i];
      a[i * N + n + s->nc + 2 * c + 1] = -s->w[(2 * c + 1) * n + i];
    }
    for (size_t g = 0; g < s->ng; g++) a[i * N + n + 3 * s->nc + g] = -s->g[g * n + i];
    s->rhs[i] = correct ? s->f[i] : s->p[i];
  }
  for (uint32_t c = 0; c < s->nc; c++) contact_rows(s, y, c, &mode[c], correct);
  for (size_t g = 0; g < s->ng; g++) {
    put(a + (n + 3 * s->nc + g) * N, s->g + g * n, n, 1.0);
    s->rhs[n + 3 * s->nc + g] = correct ? -s->tie[g] : -s->tie_t[g];
  }
}

amo_status amo_statics_rates(amo_statics *s, const double *y, const amo_qs_mode *mode, double *out)
{
  assemble(s, y, mode, false);
  amo_status st = solve(s->matrix, s->ny, s->rhs);
  if (st == AMO_OK) memcpy(out, s->rhs, s->ny * sizeof *out);
  return st;
}

amo_status amo_statics_correction(amo_statics *s, const double *y, const amo_qs_mode *mode, double *out)
{
  assemble(s, y, mode, true);
  amo_status st = solve(s->matrix, s->ny, s->rhs);
  if (st == AMO_OK) memcpy(out, s->rhs, s->ny * sizeof *out);
  return st;
}

amo_status amo_statics_settle(amo_statics *s, double t, double *y, const amo_qs_mode *mode)
{
  double last = INFINITY;
  for (int i = 0; i < 40; i++) {
    amo_status st = amo_statics_at(s, t, y);
    if (st == AMO_OK) st = amo_statics_correction(s, y, mode, s->rate);
    if (st != AMO_OK) return st;
    double moved = 0.0, size = 1e-300;
    for (size_t k = 0; k < s->ny; k++) {
      y[k] += s->rate[k];
      moved = fmax(moved, fabs(s->rate[k]));
      size = fmax(size, fabs(y[k]));
    }
    if (moved <= 1e-15 * size || (moved <= 1e-10 * size && moved >= last)) return amo_statics_at(s, t, y);
    last = moved;
  }
  return AMO_ENOANSWER;
}

// ---- reading ----

double amo_statics_bound(const amo_statics *s, const double *y, uint32_t c)
{
  return s->mu[c] * (amo_has_gap(&s->m->contact[c]) ? fabs(y[s->nq + c]) : 1.0);
}

double amo_statics_speed(const amo_statics *s, const double *rate, uint32_t c, const double d[2])
{
  double v[2] = {s->c[2 * c], s->c[2 * c + 1]};
  for (int a = 0; a < 2; a++)
    for (uint32_t i = 0; i < s->nq; i++) v[a] += s->w[(2 * c + (uint32_t)a) * s->nq + i] * rate[i];
  return v[0] * d[0] + v[1] * d[1];
}

double amo_statics_inward(const amo_statics *s, const double *y, const double *rate, uint32_t c,
                          const double d[2])
{
  const size_t n = s->nq;
  const bool gap = amo_has_gap(&s->m->contact[c]);
  double R = gap ? fabs(y[n + c]) : 1.0;
  double bound = s->mu_t[c] * R + (gap ? s->mu[c] * pressing(s, y, c) * rate[n + c] : 0.0);
  for (size_t i = 0; i < n; i++) bound += s->mu_q[c * n + i] * rate[i] * R;
  return bound + d[0] * rate[n + s->nc + 2 * c] + d[1] * rate[n + s->nc + 2 * c + 1];
}

// ---- response to a prescribed slip ----

amo_status amo_statics_response(amo_statics *s, const double *y, const amo_qs_mode *mode, uint32_t c,
                                amo_slip_response *out)
{
  amo_qs_mode held[64];
  const amo_contact *k = &s->m->contact[c];
  if (s->nc > 64) return AMO_ELIMIT;
  memcpy(held, mode, s->nc * sizeof *held);
  held[c].kind = AMO_QS_STICK;
  *out = (amo_slip_response){.axes = k->spatial ? 2 : 1,
                             .mu = amo_has_gap(k) ? s->mu[c] * pressing(s, y, c) : 0.0};
  const size_t rR = s->nq + c, rL = s->nq + s->nc + 2 * c;
  amo_status st = AMO_OK;
  for (int j = -1; st == AMO_OK && j < out->axes; j++) {
    assemble(s, y, held, false);
    if (j >= 0) {  // rates beyond those of no slip
      memset(s->rhs, 0, s->ny * sizeof *s->rhs);
      s->rhs[rL + (size_t)j] = 1.0;
    } else {  // slip velocity zero, whatever the surfaces do
      for (int i = 0; i < out->axes; i++) s->rhs[rL + (size_t)i] = -s->c[2 * c + (uint32_t)i];
    }
    st = solve(s->matrix, s->ny, s->rhs);
    if (st != AMO_OK) break;
    for (int i = 0; i < out->axes; i++)
      *(j < 0 ? &out->force0[i] : &out->force[2 * i + j]) = s->rhs[rL + (size_t)i];
    *(j < 0 ? &out->normal0 : &out->normal[j]) = s->rhs[rR];
  }
  return st;
}

double amo_slip_along(const amo_slip_response *r, const double d[2])
{
  double sum = r->mu * (r->normal[0] * d[0] + r->normal[1] * d[1]);
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) sum += d[i] * r->force[2 * i + j] * d[j];
  return sum;
}

double amo_slip_across(const amo_slip_response *r, const double d[2])
{
  const double e[2] = {-d[1], d[0]};
  double sum = 0.0;
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) sum += e[i] * r->force[2 * i + j] * d[j];
  return sum;
}

double amo_slip_least(const amo_slip_response *r, double *angle, double *least_det)
{
  if (r->axes == 1) {
    double d[2] = {1.0, 0.0}, a = amo_slip_along(r, d);
    d[0] = -1.0;
    double b = amo_slip_along(r, d);
    *angle = b < a ? acos(-1.0) : 0.0;
    *least_det = fmin(a, b);
    return fmin(a, b);
  }
  const double *F = r->force, det = F[0] * F[3] - F[1] * F[2];
  *least_det = det - r->mu * hypot(r->normal[0] * F[3] - r->normal[1] * F[2],
                                   r->normal[1] * F[0] - r->normal[0] * F[1]);
  double best = INFINITY, step = acos(-1.0) / 360.0, lo, hi;
  for (int i = 0; i < 720; i++) {
    double d[2] = {cos(i * step), sin(i * step)}, x = amo_slip_along(r, d);
    if (x < best) best = x, *angle = i * step;
  }
  lo = *angle - step, hi = *angle + step;
  for (int i = 0; i < 90; i++) {  // golden section
    double a = lo + 0.38196601125010515 * (hi - lo), b = hi - 0.38196601125010515 * (hi - lo);
    double da[2] = {cos(a), sin(a)}, db[2] = {cos(b), sin(b)};
    if (amo_slip_along(r, da) < amo_slip_along(r, db))
      hi = b;
    else
      lo = a;
  }
  double d[2] = {cos(0.5 * (lo + hi)), sin(0.5 * (lo + hi))};
  *angle = 0.5 * (lo + hi);
  return fmin(best, amo_slip_along(r, d));
}
