// SPDX-License-Identifier: Apache-2.0
/// The first Lyapunov coefficient by the projection of Kuznetsov: with A q = i w q, A^T p = -i w p, <p,q> = <q,q> = 1,
///
///   l1 = Re( <p, C(q,q,q')> - 2 <p, B(q, A^-1 B(q,q'))> + <p, B(q', (2iw - A)^-1 B(q,q))> ) / (2w)
///
/// B and C from power series of the rates along real directions, so that no derivative is differenced.
#include "orbit/hopf.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "num/eigen.h"
#include "num/solve.h"
#include "contact/expansion.h"

typedef amo_complex number;

// ---- the pair ----

static void take_unit(const number *v, size_t ns, amo_hopf *h)
{
  double size = 0.0;
  for (size_t i = 0; i < ns; i++) size += creal(v[i]) * creal(v[i]) + cimag(v[i]) * cimag(v[i]);
  for (size_t i = 0; i < ns; i++) {
    h->re[i] = creal(v[i]) / sqrt(size);
    h->im[i] = cimag(v[i]) / sqrt(size);
  }
}

void amo_hopf_turn(amo_hopf *h, const double *scale, size_t ns)
{
  double difference = 0.0, product = 0.0;
  for (size_t i = 0; i < ns; i++) {
    const double a = h->re[i] / scale[i], b = h->im[i] / scale[i];
    difference += a * a - b * b;
    product += 2.0 * a * b;
  }
  const number turn = cexp(-0.5 * I * atan2(product, difference));
  for (size_t i = 0; i < ns; i++) {
    const number v = turn * (h->re[i] + I * h->im[i]);
    h->re[i] = creal(v);
    h->im[i] = cimag(v);
  }
}

/// Right or left vector of the eigenvalue that oscillates and is nearest to the axis, or to i frequency if that is known.
static amo_status find_pair(const amo_derivative *d, bool left, double *frequency, number *vector)
{
  const size_t ns = d->ns;
  double *a = amo_zalloc(2 * ns * ns + 2 * ns, sizeof *a), nearest = INFINITY;
  if (!a) return AMO_ENOMEM;
  double *v = a + ns * ns, *re = v + ns * ns, *im = re + ns, wanted = *frequency;
  memcpy(a, d->df, ns * ns * sizeof *a);
  amo_transpose(a, ns);
  const amo_status st = amo_eigen(a, ns, re, im, left ? v : NULL, left ? NULL : v);
  for (size_t k = 0; st == AMO_OK && k < ns; k++) {
    const double distance = isnan(wanted) ? fabs(re[k]) : hypot(re[k], im[k] - wanted);
    if (!(im[k] > 0.0) || !(distance < nearest)) continue;
    nearest = distance;
    *frequency = im[k];
    for (size_t i = 0; i < ns; i++) vector[i] = v[k * ns + i] + I * v[(k + 1) * ns + i];
  }
  free(a);
  return st == AMO_OK && isinf(nearest) ? AMO_ENOANSWER : st;
}

amo_status amo_hopf_find(const amo_derivative *d, amo_hopf *out)
{
  const size_t ns = d->ns;
  *out = (amo_hopf){.lyapunov = NAN, .frequency = NAN, .re = amo_zalloc(2 * ns, sizeof *out->re)};
  number *vector = amo_zalloc(ns, sizeof *vector);
  amo_status st = vector && out->re ? find_pair(d, false, &out->frequency, vector) : AMO_ENOMEM;
  if (st == AMO_OK) {
    out->im = out->re + ns;
    take_unit(vector, ns, out);
  }
  free(vector);
  if (st != AMO_OK) amo_hopf_release(out);
  return st;
}

void amo_hopf_release(amo_hopf *h)
{
  free(h->re);
  h->re = h->im = NULL;
}

// ---- derivatives of higher order ----

typedef struct forms {
  amo_expansion *x;
  size_t ns;
  double *dir, *second, *third;  // [ns]
} forms;

/// B(u,u) and C(u,u,u) of a real direction, into f->second and f->third.
static void along(forms *f)
{
  amo_expansion_along(f->x, f->dir, 0.0, 3);
  for (uint32_t i = 0; i < f->ns; i++) {
    f->second[i] = 2.0 * amo_expansion_rate(f->x, i, 2, 0);
    f->third[i] = 6.0 * amo_expansion_rate(f->x, i, 3, 0);
  }
}

/// out += factor B(u,v) for real u and v.
static void add_mixed(forms *f, const double *u, const double *v, number factor, number *out)
{
  for (int side = 1; side >= -1; side -= 2) {
    for (size_t i = 0; i < f->ns; i++) f->dir[i] = u[i] + side * v[i];
    along(f);
    for (size_t i = 0; i < f->ns; i++) out[i] += 0.25 * side * factor * f->second[i];
  }
}

/// B(u,v) for complex ones, given by their parts [2][ns].
static void mixed(forms *f, const double *u, const double *v, number *out)
{
  const size_t ns = f->ns;
  memset(out, 0, ns * sizeof *out);
  add_mixed(f, u, v, 1.0, out);
  add_mixed(f, u + ns, v + ns, -1.0, out);
  add_mixed(f, u, v + ns, I, out);
  add_mixed(f, u + ns, v, I, out);
}

/// C(q,q,q') for q = a + ib: C(aaa) + C(abb) + i (C(aab) + C(bbb)).
static void cubic(forms *f, const double *q, number *out)
{
  const size_t ns = f->ns;
  const double *a = q, *b = q + ns;
  const struct {
    double a, b;
    number factor;
  } line[] = {{1, 0, 2.0 / 3.0}, {0, 1, 2.0 * I / 3.0}, {1, 1, (1.0 + I) / 6.0}, {1, -1, (1.0 - I) / 6.0}};
  memset(out, 0, ns * sizeof *out);
  for (size_t k = 0; k < sizeof line / sizeof *line; k++) {
    for (size_t i = 0; i < ns; i++) f->dir[i] = line[k].a * a[i] + line[k].b * b[i];
    along(f);
    for (size_t i = 0; i < ns; i++) out[i] += line[k].factor * f->third[i];
  }
}

// ---- the coefficient ----

/// x := (shift - A)^-1 x, by parts into `parts` [2][ns].
static bool resolvent(const double *a, size_t ns, number shift, number *x, double *parts)
{
  if (amo_solve_shifted(a, ns, shift, false, x) != AMO_OK) return false;
  for (size_t i = 0; i < ns; i++) {
    parts[i] = -creal(x[i]);
    parts[ns + i] = -cimag(x[i]);
  }
  return true;
}

/// Left vector with <p,q> = 1.
static bool adjoint(const amo_derivative *d, const amo_hopf *h, number *p)
{
  number product = 0.0;
  double frequency = h->frequency;
  if (find_pair(d, true, &frequency, p) != AMO_OK) return false;
  for (size_t i = 0; i < d->ns; i++) product += conj(p[i]) * (h->re[i] + I * h->im[i]);
  for (size_t i = 0; i < d->ns; i++) p[i] /= conj(product);
  return cabs(product) > 0.0;
}

static double project(const number *p, const number *x, size_t ns)
{
  number sum = 0.0;
  for (size_t i = 0; i < ns; i++) sum += conj(p[i]) * x[i];
  return creal(sum);
}

static amo_status coefficient(const amo_derivative *d, forms *f, amo_hopf *h)
{
  const size_t ns = f->ns;
  number *p = amo_zalloc(2 * ns, sizeof *p), *x = p + ns;
  double *q = amo_zalloc(6 * ns + ns * ns, sizeof *q);
  const amo_status st = p && q ? AMO_OK : AMO_ENOMEM;
  if (st == AMO_OK) {
    double *conjugate = q + 2 * ns, *answer = conjugate + 2 * ns, *a = answer + 2 * ns, sum, size;
    memcpy(a, d->df, ns * ns * sizeof *a);
    amo_transpose(a, ns);
    for (size_t i = 0; i < ns; i++) {
      q[i] = conjugate[i] = h->re[i];
      q[ns + i] = h->im[i];
      conjugate[ns + i] = -h->im[i];
    }
    bool ok = adjoint(d, h, p);
    cubic(f, q, x);
    sum = project(p, x, ns);
    size = fabs(sum);
    mixed(f, q, conjugate, x);
    ok = ok && resolvent(a, ns, 0.0, x, answer);  // -A^-1 B
    mixed(f, q, answer, x);
    sum += 2.0 * project(p, x, ns);
    size += fabs(2.0 * project(p, x, ns));
    mixed(f, q, q, x);
    ok = ok && resolvent(a, ns, 2.0 * I * h->frequency, x, answer);
    mixed(f, conjugate, answer, x);
    sum += project(p, x, ns);
    size += fabs(project(p, x, ns));
    h->lyapunov = !ok ? NAN : fabs(sum) <= AMO_BORDER * size ? 0.0 : sum / (2.0 * h->frequency);
  }
  free(p);
  free(q);
  return st;
}

amo_status amo_hopf_judge(const amo_model *m, const amo_derivative *d, const double *param,
                          const amo_place *at, amo_hopf *h)
{
  forms f = {.ns = d->ns};
  if (d->ties > 0) return AMO_OK;
  amo_status st = amo_expansion_new(m, 3, &f.x);
  f.dir = amo_zalloc(3 * f.ns, sizeof *f.dir);
  if (st == AMO_OK && !f.dir) st = AMO_ENOMEM;
  if (st == AMO_OK) {
    f.second = f.dir + f.ns;
    f.third = f.second + f.ns;
    amo_expansion_parameters(f.x, param);
    st = amo_expansion_at(f.x, at->t, at->y, at->mode);
    st = st == AMO_OK ? coefficient(d, &f, h) : st == AMO_ENOANSWER ? AMO_OK : st;
  }
  amo_expansion_free(f.x);
  free(f.dir);
  return st;
}
