// SPDX-License-Identifier: Apache-2.0
/// The linear system of rates and of Newton's steps.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "num/solve.h"
#include "quasistatic/statics_impl.h"

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
    row[n + c] += s->mu[c] * amo_pressing(s, y, c);
    put(row, s->mu_q + c * n, n, fabs(y[n + c]));
  } else {
    put(row, s->mu_q + c * n, n, 1.0);
  }
}

bool amo_statics_frictionless(const amo_statics *s, uint32_t c)
{
  bool none = s->mu[c] == 0.0 && s->mu_t[c] == 0.0;
  for (uint32_t i = 0; none && i < s->nq; i++) none = s->mu_q[c * s->nq + i] == 0.0;
  return none;
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
  if (mode->kind == AMO_QS_OPEN || (mode->kind == AMO_QS_SLIP && amo_statics_frictionless(s, c))) {
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

void amo_statics_assemble(amo_statics *s, const double *y, const amo_qs_mode *mode, bool correct)
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
  amo_statics_assemble(s, y, mode, false);
  amo_status st = amo_solve(s->matrix, s->ny, s->rhs, 1);
  if (st == AMO_OK) memcpy(out, s->rhs, s->ny * sizeof *out);
  return st;
}

amo_status amo_statics_correction(amo_statics *s, const double *y, const amo_qs_mode *mode, double *out)
{
  amo_statics_assemble(s, y, mode, true);
  amo_status st = amo_solve(s->matrix, s->ny, s->rhs, 1);
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
  double bound = s->mu_t[c] * R + (gap ? s->mu[c] * amo_pressing(s, y, c) * rate[n + c] : 0.0);
  for (size_t i = 0; i < n; i++) bound += s->mu_q[c * n + i] * rate[i] * R;
  return bound + d[0] * rate[n + s->nc + 2 * c] + d[1] * rate[n + s->nc + 2 * c + 1];
}
