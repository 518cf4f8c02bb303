// SPDX-License-Identifier: Apache-2.0
// Solutions of a pattern whose matrix is singular: the affine set of all, cut by the sides on which its contacts press. Being
// within one orthant it holds no line: its corners and the directions in which it goes on for ever describe it.
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "contact/pairs_impl.h"
#include "num/orthogonal.h"
#include "num/rounding.h"
#include "num/solve.h"

/// Reactions times scale are at + along z; along is orthonormal. Scaled, all gaps weigh the same, whatever their units.
typedef struct flat {
  size_t n, free;
  size_t pattern;
  double scale[MOST];
  double at[MOST], along[MOST * MOST];  // [n], [free][n]
} flat;

/// False: the equations contradict each other.
static amo_status solve_flat(const amo_pairs_problem *p, size_t pattern, flat *s, bool *solved)
{
  const size_t n = p->n;
  double a[MOST * MOST], kept[MOST * MOST], z[MOST * MOST], size = 0.0, off = 0.0;
  size_t rank = 0;
  *s = (flat){.n = n, .pattern = pattern};
  for (size_t i = 0; i < n; i++) s->scale[i] = sqrt(p->normal[i * n + i].value);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      a[i * n + j] = kept[i * n + j] = amo_pattern_entry(p, pattern, i, j).v / (s->scale[i] * s->scale[j]);
  for (size_t i = 0; i < n; i++) s->at[i] = -p->open[i].value / s->scale[i];
  amo_status st = amo_null_space(a, n, n, AMO_BORDER, z, &rank);
  if (st == AMO_OK) st = amo_least_squares(kept, n, n, AMO_BORDER, s->at, 1);
  if (st != AMO_OK) return st;
  s->free = n - rank;
  for (size_t k = 0; k < s->free; k++)
    for (size_t i = 0; i < n; i++) s->along[k * n + i] = z[i * n + rank + k];
  for (size_t i = 0; i < n; i++) {
    double rest = p->open[i].value / s->scale[i];
    size = fmax(size, fabs(rest));
    for (size_t j = 0; j < n; j++) {
      rest += kept[i * n + j] * s->at[j];
      size = fmax(size, fabs(kept[i * n + j] * s->at[j]));
    }
    off = fmax(off, fabs(rest));
  }
  *solved = off <= AMO_BORDER * size;
  return AMO_OK;
}

/// The next `count` of n in the order of their numbers; false after the last.
static bool next_choice(size_t *which, size_t count, size_t n)
{
  for (size_t k = count; k-- > 0;) {
    if (which[k] + (count - k) >= n) continue;
    which[k]++;
    for (size_t l = k + 1; l < count; l++) which[l] = which[l - 1] + 1;
    return true;
  }
  return false;
}

static bool on_side(const flat *s, const double *x, double size)
{
  for (size_t i = 0; i < s->n; i++)
    if ((is_back(s->pattern, i) ? -x[i] : x[i]) < -AMO_BORDER * size) return false;
  return true;
}

static double largest(const double *x, size_t n)
{
  double size = 0.0;
  for (size_t i = 0; i < n; i++) size = fmax(size, fabs(x[i]));
  return size;
}

/// One more corner or ray, unless it is there; what is rounding is zero.
static amo_status put(amo_continuum *c, size_t n, size_t first, size_t *count, double *x, double size)
{
  for (size_t i = 0; i < n; i++)
    if (fabs(x[i]) <= AMO_BORDER * size) x[i] = 0.0;
  for (size_t k = first; k < first + *count; k++) {
    double off = 0.0;
    for (size_t i = 0; i < n; i++) off = fmax(off, fabs(c->at[k * n + i] - x[i]));
    if (off <= AMO_SAME * size) return AMO_OK;
  }
  double *at = realloc(c->at, (first + *count + 1) * n * sizeof *at);
  if (at == NULL) return AMO_ENOMEM;
  c->at = at;
  memcpy(at + (first + (*count)++) * n, x, n * sizeof *x);
  return AMO_OK;
}

/// Where the chosen coordinates vanish.
static amo_status try_corner(const flat *s, const size_t *which, amo_continuum *c)
{
  double a[MOST * MOST], z[MOST], x[MOST];
  for (size_t i = 0; i < s->free; i++) {
    z[i] = -s->at[which[i]];
    for (size_t k = 0; k < s->free; k++) a[i * s->free + k] = s->along[k * s->n + which[i]];
  }
  if (amo_solve(a, s->free, z, 1) != AMO_OK) return AMO_OK;
  memcpy(x, s->at, sizeof x);
  for (size_t i = 0; i < s->n; i++)
    for (size_t k = 0; k < s->free; k++) x[i] += z[k] * s->along[k * s->n + i];
  const double size = fmax(largest(x, s->n), largest(s->at, s->n));
  return on_side(s, x, size) ? put(c, s->n, 0, &c->vertices, x, size) : AMO_OK;
}

/// The direction in which the chosen coordinates do not change, one fewer than are free.
static amo_status try_ray(const flat *s, const size_t *which, amo_continuum *c)
{
  double a[MOST * MOST] = {0}, z[MOST * MOST], x[MOST] = {0};
  size_t rank = 0;
  for (size_t i = 0; i + 1 < s->free; i++)
    for (size_t k = 0; k < s->free; k++) a[i * s->free + k] = s->along[k * s->n + which[i]];
  amo_status st = amo_null_space(a, s->free, s->free, AMO_BORDER, z, &rank);
  if (st != AMO_OK || rank + 1 != s->free) return st;
  for (size_t i = 0; i < s->n; i++)
    for (size_t k = 0; k < s->free; k++) x[i] += z[k * s->free + rank] * s->along[k * s->n + i];
  const double size = largest(x, s->n);
  for (int way = 1; st == AMO_OK && way >= -1; way -= 2) {
    for (size_t i = 0; i < s->n; i++) x[i] /= way > 0 ? size : -1.0;
    if (on_side(s, x, 1.0)) st = put(c, s->n, c->vertices, &c->rays, x, 1.0);
  }
  return st;
}

static amo_status describe(const flat *s, amo_continuum *c)
{
  size_t which[MOST];
  amo_status st = AMO_OK;
  for (size_t i = 0; i < s->free; i++) which[i] = i;
  do st = try_corner(s, which, c);
  while (st == AMO_OK && next_choice(which, s->free, s->n));
  for (size_t i = 0; i < s->free; i++) which[i] = i;
  if (st != AMO_OK || c->vertices == 0) return st;
  do st = try_ray(s, which, c);
  while (st == AMO_OK && next_choice(which, s->free - 1, s->n));
  return st;
}

amo_status amo_pairs_continuum(const amo_pairs_problem *p, size_t pattern, amo_pairs *out)
{
  flat s;
  bool solved = false;
  amo_continuum c = {.pattern = pattern};
  amo_status st = solve_flat(p, pattern, &s, &solved);
  if (st == AMO_OK && solved && s.free > 0) st = describe(&s, &c);
  for (size_t i = 0; i < (c.vertices + c.rays) * p->n; i++) c.at[i] /= s.scale[i % p->n];
  for (size_t k = c.vertices; k < c.vertices + c.rays; k++) {
    const double size = largest(c.at + k * p->n, p->n);
    for (size_t i = 0; i < p->n; i++) c.at[k * p->n + i] /= size;
  }
  if (st == AMO_OK && c.vertices + c.rays > 1) {
    amo_continuum *all = realloc(out->continuum, (out->continua + 1) * sizeof *all);
    if (all != NULL) {
      out->continuum = all;
      all[out->continua++] = c;
      return AMO_OK;
    }
    st = AMO_ENOMEM;
  }
  free(c.at);
  return st;
}
