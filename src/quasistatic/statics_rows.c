// SPDX-License-Identifier: Apache-2.0
/// The rows of an equilibrium in given modes: what is said of the state and of its rates.
#include <math.h>
#include <string.h>

#include "quasistatic/statics.h"

static void put(double *row, const double *from, size_t n, double factor)
{
  for (size_t i = 0; i < n; i++) row[i] += factor * from[i];
}

double amo_statics_dot(const double *a, const double *b, size_t n, bool magnitudes)
{
  double sum = 0.0;
  for (size_t i = 0; i < n; i++) sum += magnitudes ? fabs(a[i] * b[i]) : a[i] * b[i];
  return sum;
}

bool amo_statics_frictionless(const amo_statics *s, uint32_t c)
{
  bool none = s->mu[c] == 0.0 && s->mu_t[c] == 0.0;
  for (uint32_t i = 0; none && i < s->nq; i++) none = s->mu_q[c * s->nq + i] == 0.0;
  return none;
}

double amo_statics_bound(const amo_statics *s, const double *y, uint32_t c)
{
  return s->mu[c] * (amo_has_gap(&s->m->contact[c]) ? fabs(y[s->nq + c]) : 1.0);
}

double amo_statics_speed(const amo_statics *s, const double *velocity, uint32_t c, const double d[2])
{
  const double *w = s->w + 2 * c * s->nq, *v = s->c + 2 * c;
  return d[0] * (v[0] + amo_statics_dot(w, velocity, s->nq, false)) +
         d[1] * (v[1] + amo_statics_dot(w + s->nq, velocity, s->nq, false));
}

/// Unknown k is zero.
static void nothing(amo_statics *s, const double *y, size_t k)
{
  s->still[k * s->ny + k] = 1.0;
  s->rest[k] = y[k];
  s->size[k] = fabs(y[k]);
}

/// No slip of contact c along a.
static void no_slip(amo_statics *s, const double *y, const double *velocity, uint32_t c, const double a[2],
                    size_t k)
{
  const size_t n = s->nq;
  double *row = s->move + k * s->ny;
  for (size_t i = 0; i < 2; i++) put(row, s->w + (2 * c + i) * n, n, a[i]);
  s->drift[k] = -(a[0] * s->c[2 * c] + a[1] * s->c[2 * c + 1]);
  s->rest[k] = velocity ? amo_statics_dot(row, velocity, n, false) - (s->lead == 1 ? s->drift[k] : 0.0) : 0.0;
  s->size[k] = amo_statics_dot(row, y, n, true);
}

/// Friction at its bound against d, and no slip across d. With velocities d is along the friction, on the side of the mode's:
/// this goes on smoothly where slip stops and turns back, and where the reaction comes to zero and would pull.
static void slip_rows(amo_statics *s, const double *y, const double *velocity, uint32_t c,
                      const amo_qs_mode *mode)
{
  const size_t n = s->nq, N = s->ny, k = n + s->nc + 2 * c;
  const amo_contact *t = &s->m->contact[c];
  const double *L = y + k, force = hypot(L[0], L[1]),
               R = amo_has_gap(t) ? mode->reaction_sign * y[n + c] : 1.0;
  const bool turns = velocity && amo_turns(t) && force > 0.0;
  const double length = L[0] * mode->d[0] + L[1] * mode->d[1] > 0.0 ? force : -force;
  const double d[2] = {turns ? L[0] / length : mode->d[0], turns ? L[1] / length : mode->d[1]};
  const double e[2] = {-d[1], d[0]};
  double *row = s->still + k * N;
  row[k] = d[0], row[k + 1] = d[1];
  put(row, s->mu_q + c * n, n, R);
  if (amo_has_gap(t)) row[n + c] = s->mu[c] * mode->reaction_sign;
  s->rest[k] = d[0] * L[0] + d[1] * L[1] + s->mu[c] * R;
  s->drift[k] = -s->mu_t[c] * R;
  s->size[k] = force + fabs(s->mu[c] * R);
  if (!amo_turns(t)) return;
  no_slip(s, y, velocity, c, e, k + 1);
  for (int a = 0; turns && a < 2; a++)
    s->still[(k + 1) * N + k + (size_t)a] =
        -e[a] / length *
        (amo_statics_speed(s, velocity, c, d) -
         (s->lead == 1 ? 0.0 : d[0] * s->c[2 * c] + d[1] * s->c[2 * c + 1]));
}

static void contact_rows(amo_statics *s, const double *y, const double *velocity, uint32_t c,
                         const amo_qs_mode *mode)
{
  const size_t n = s->nq, k = n + s->nc + 2 * c;
  const amo_contact *t = &s->m->contact[c];
  const bool open = mode->kind == AMO_QS_OPEN;
  if (amo_has_gap(t) && !open) {
    put(s->still + (n + c) * s->ny, s->n + c * n, n, 1.0);
    s->rest[n + c] = s->gap[c];
    s->drift[n + c] = -s->gap_t[c];
    s->size[n + c] = fabs(s->gap[c]) + amo_statics_dot(s->n + c * n, y, n, true);
  } else {
    nothing(s, y, n + c);
  }
  if (open || (mode->kind == AMO_QS_SLIP && amo_statics_frictionless(s, c))) {
    nothing(s, y, k);
    nothing(s, y, k + 1);
    return;
  }
  if (!amo_turns(t)) nothing(s, y, k + 1);
  if (mode->kind == AMO_QS_SLIP)
    slip_rows(s, y, velocity, c, mode);
  else
    for (size_t a = 0; a < amo_slip_rows(t); a++)
      no_slip(s, y, velocity, c, (double[2]){a == 0, a == 1}, k + a);
}

static void equilibrium_row(amo_statics *s, const double *y, size_t i)
{
  const size_t n = s->nq, nc = s->nc;
  double *row = s->still + i * s->ny;
  memcpy(row, s->K + i * n, n * sizeof *row);
  for (size_t c = 0; c < nc; c++) row[n + c] = -s->n[c * n + i];
  for (size_t c = 0; c < 2 * nc; c++) row[n + nc + c] = -s->w[c * n + i];
  for (size_t g = 0; g < s->ng; g++) row[n + 3 * nc + g] = -s->g[g * n + i];
  s->rest[i] = -s->f[i];
  s->drift[i] = s->p[i];
  s->size[i] = fabs(amo_expansion_register(s->x, s->m->r_h[i], 0)) + amo_statics_dot(row, y, s->ny, true);
}

void amo_statics_rows(amo_statics *s, const double *y, const double *velocity, const amo_qs_mode *mode)
{
  const size_t n = s->nq, N = s->ny;
  memset(s->still, 0, N * N * sizeof *s->still);
  memset(s->move, 0, N * N * sizeof *s->move);
  memset(s->drift, 0, N * sizeof *s->drift);
  for (size_t i = 0; i < n; i++) equilibrium_row(s, y, i);
  for (uint32_t c = 0; c < s->nc; c++) contact_rows(s, y, velocity, c, &mode[c]);
  for (size_t g = 0; g < s->ng; g++) {
    const size_t k = n + 3 * s->nc + g;
    const bool rolls = s->m->constraint[g].velocity_level;
    double *row = (rolls ? s->move : s->still) + k * N;
    put(row, s->g + g * n, n, 1.0);
    s->drift[k] = -s->tie_t[g];
    s->rest[k] = !rolls     ? s->tie[g]
                 : velocity ? amo_statics_dot(row, velocity, n, false) - (s->lead == 1 ? s->drift[k] : 0.0)
                            : 0.0;
    s->size[k] = fabs(s->tie[g]) + amo_statics_dot(row, y, n, true);
  }
}
