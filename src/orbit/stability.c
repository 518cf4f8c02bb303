// SPDX-License-Identifier: Apache-2.0
#include "orbit/stability.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "num/eigen.h"
#include "num/orthogonal.h"
#include "orbit/floquet.h"

const char *amo_stability_name(amo_stability s)
{
  static const char *const name[] = {"stable", "neutral", "unstable"};
  return name[s];
}

double amo_shooter_noise(const amo_shooter *s)
{
  const double tol = s->opt.tol, xi = fabs(s->xi);
  if (s->opt.method == AMO_METHOD_SWITCH) return fmax(xi, tol / xi);  // differences: curvature, rounding
  return s->opt.method == AMO_METHOD_SMOOTH ? fmax(100.0 * tol, AMO_NOTHING)
                                            : fmax(10.0 * tol, AMO_CANCELLED);
}

/// The matrix with the kept directions first, in blocks.
typedef struct blocks {
  size_t n, kept;
  double *a;                       // [n][n] scaled, then turned
  double *known;                   // [kept][n] kept directions
  double *rest;                    // [n-kept][n-kept] what is left
  double *left, *right, *re, *im;  // its eigenvectors and eigenvalues
  double size, error;              // of the matrix
} blocks;

static void take_scaled(const amo_monodromy *m, double *a)
{
  for (size_t j = 0; j < m->ns; j++)
    for (size_t i = 0; i < m->ns; i++)
      a[i * m->ns + j] = m->matrix[j * m->ns + i] * m->scale[j] / m->scale[i];
}

/// Shifts first, the flow last. A flow that vanishes, or lies among the shifts (uniform rotation), keeps nothing more.
static void take_known(const amo_monodromy *m, blocks *b)
{
  const amo_drift *d = m->drift;
  double all = 0.0, own = 0.0;
  for (size_t k = 0; k < d->frees * b->n; k++) b->known[k] = d->along[k] / m->scale[k % b->n];
  b->kept = d->frees;
  if (!m->flow) return;
  double *flow = b->known + b->kept * b->n;
  for (size_t i = 0; i < b->n; i++) {
    flow[i] = m->flow[i] - d->velocity[i];
    all += flow[i] * flow[i] / (m->scale[i] * m->scale[i]);
  }
  amo_drift_project(d, false, 0, flow);
  for (size_t i = 0; i < b->n; i++) {
    flow[i] /= m->scale[i];
    own += flow[i] * flow[i];
  }
  if (own > 1e-20 * all) b->kept++;
}

/// What should be the unit matrix over nothing, and is not, is an error of the matrix that was met.
static void take_error(const amo_monodromy *m, blocks *b)
{
  double size = 0.0, met = 0.0;
  for (size_t j = 0; j < b->n; j++)
    for (size_t i = 0; i < b->n; i++) {
      const double x = b->a[i * b->n + j];
      size += x * x;
      if (j < b->kept) met += (x - (i == j)) * (x - (i == j));
    }
  b->size = sqrt(size);
  b->error = m->noise * b->size + sqrt(met);
}

static bool solve(blocks *b)
{
  const size_t r = b->n - b->kept;
  for (size_t j = 0; j < r; j++)
    memcpy(b->rest + j * r, b->a + (b->kept + j) * b->n + b->kept, r * sizeof *b->rest);
  return amo_eigen(b->rest, r, b->re, b->im, b->left, b->right) == AMO_OK;
}

/// |y'x| of eigenvalue i; the vectors of a pair stand in columns i and i+1 as real and imaginary part.
static double condition(const blocks *b, size_t i)
{
  const size_t r = b->n - b->kept;
  if (b->im[i] < 0.0) i--;
  const double *x = b->right + i * r, *y = b->left + i * r;
  double re = 0.0, im = 0.0;
  for (size_t k = 0; k < r; k++) {
    re += x[k] * y[k];
    if (b->im[i] == 0.0) continue;
    re += x[r + k] * y[r + k];
    im += x[r + k] * y[k] - x[k] * y[r + k];
  }
  return hypot(re, im);
}

/// By its condition; where k eigenvalues are nearly one, at most the k-th root of the error.
static double error_of(const blocks *b, size_t i)
{
  const size_t r = b->n - b->kept;
  const double relative = fmin(1.0, b->error / b->size), near = b->size * cbrt(relative);
  double together = 0.0;
  for (size_t k = 0; k < r; k++) together += hypot(b->re[k] - b->re[i], b->im[k] - b->im[i]) <= near;
  const double root = b->size * pow(relative, 1.0 / fmax(2.0, together)), s = condition(b, i);
  return s > 0.0 ? fmin(b->error / s, root) : root;
}

static void report(const amo_monodromy *m, const blocks *b, amo_multiplier *out)
{
  const size_t n = b->n, rank = amo_floquet_rank(m->matrix, m->scale, m->ns, m->rank);
  for (size_t i = 0; i < b->kept; i++)
    out[i] = (amo_multiplier){.re = b->a[i * n + i],
                              .abs = fabs(b->a[i * n + i]),
                              .error = b->error,
                              .kind = i < m->drift->frees ? AMO_MULTIPLIER_SHIFT : AMO_MULTIPLIER_PHASE};
  for (size_t i = 0; i < n - b->kept; i++)
    out[b->kept + i] = (amo_multiplier){
        .re = b->re[i], .im = b->im[i], .abs = hypot(b->re[i], b->im[i]), .error = error_of(b, i)};
  qsort(out, n, sizeof *out, amo_multiplier_descending);
  for (size_t i = rank; i < n; i++) out[i] = (amo_multiplier){0};
}

static amo_stability verdict_of(const amo_multiplier *mu, size_t n)
{
  amo_stability worst = AMO_STABLE;
  for (size_t i = 0; i < n; i++) {
    if (mu[i].kind != AMO_MULTIPLIER_OWN) continue;
    if (mu[i].abs > 1.0 + mu[i].error) return AMO_UNSTABLE;
    if (!(mu[i].abs < 1.0 - mu[i].error)) worst = AMO_NEUTRAL;
  }
  return worst;
}

amo_status amo_monodromy_judge(const amo_monodromy *m, amo_multiplier *out, amo_stability *verdict)
{
  const size_t n = m->ns, shifts = m->drift->frees;
  for (size_t i = 0; i < n * n; i++)
    if (!isfinite(m->matrix[i])) return AMO_ENOANSWER;
  double *room = amo_zalloc(5 * n * n + 5 * n + shifts * n, sizeof *room);
  if (!room) return AMO_ENOMEM;
  blocks b = {.n = n, .a = room, .rest = room + n * n, .left = room + 2 * n * n, .right = room + 3 * n * n};
  b.re = room + 4 * n * n;
  b.im = b.re + n;
  b.known = b.im + n;
  take_scaled(m, b.a);
  take_known(m, &b);
  const bool ok = amo_turn(b.a, n, b.known, b.kept) == AMO_OK;
  if (ok) take_error(m, &b);
  amo_status st = ok && solve(&b) ? AMO_OK : AMO_ENOANSWER;
  if (st == AMO_OK) {
    report(m, &b, out);
    *verdict = verdict_of(out, n - m->ties);
  }
  free(room);
  return st;
}

size_t amo_monodromy_phase(const amo_multiplier *mu, size_t n)
{
  size_t i = 0;
  while (i < n && mu[i].kind != AMO_MULTIPLIER_PHASE) i++;
  return i;
}
