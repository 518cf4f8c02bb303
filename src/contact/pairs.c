// SPDX-License-Identifier: Apache-2.0
#include "contact/pairs.h"

#include <stdlib.h>
#include <string.h>

#include "contact/pairs_impl.h"
#include "num/eigen.h"
#include "num/rounding.h"

num amo_pattern_entry(const amo_pairs_problem *p, size_t pattern, size_t i, size_t j)
{
  const size_t at = i * p->n + j;
  if (is_back(pattern, j) && p->one_sided[j]) return i == j ? known(p->normal, at) : exactly(0);
  const num rubbed = mul(known(p->mu, j), known(p->tangent, at));
  const bool against = (p->slip[j] > 0) == !is_back(pattern, j);  // the slip and the side that presses
  return against ? sub(known(p->normal, at), rubbed) : add(known(p->normal, at), rubbed);
}

/// The same without friction.
static num smooth_entry(const amo_pairs_problem *p, size_t pattern, size_t i, size_t j)
{
  const bool apart = is_back(pattern, j) && p->one_sided[j];
  return apart && i != j ? exactly(0) : known(p->normal, i * p->n + j);
}

/// Gauss on a [n][n], right sides b [columns][n] alongside; returns the determinant, 0 as soon as it may vanish.
static num eliminate(num *a, size_t n, num *b, size_t columns)
{
  num det = exactly(1);
  for (size_t k = 0; k < n; k++) {
    size_t best = k;
    for (size_t i = k + 1; i < n; i++)
      if (magnitude(a[i * n + k].v) - a[i * n + k].e > magnitude(a[best * n + k].v) - a[best * n + k].e)
        best = i;
    if (told(a[best * n + k]) == 0) return exactly(0);
    for (size_t j = 0; j < n; j++) exchange(&a[k * n + j], &a[best * n + j]);
    for (size_t c = 0; c < columns; c++) exchange(&b[c * n + k], &b[c * n + best]);
    det = mul(det, best == k ? a[k * n + k] : negative(a[k * n + k]));
    for (size_t i = k + 1; i < n; i++) {
      if (is_nothing(a[i * n + k])) continue;
      const num f = quotient(a[i * n + k], a[k * n + k]);
      for (size_t j = k + 1; j < n; j++) a[i * n + j] = less_product(a[i * n + j], f, a[k * n + j]);
      for (size_t c = 0; c < columns; c++) b[c * n + i] = less_product(b[c * n + i], f, b[c * n + k]);
    }
  }
  for (size_t c = 0; c < columns; c++)
    for (size_t k = n; k-- > 0;) {
      for (size_t j = k + 1; j < n; j++)
        b[c * n + k] = less_product(b[c * n + k], a[k * n + j], b[c * n + j]);
      b[c * n + k] = quotient(b[c * n + k], a[k * n + k]);
    }
  return det;
}

typedef num (*entry_of)(const amo_pairs_problem *, size_t, size_t, size_t);

static void load(const amo_pairs_problem *p, size_t pattern, entry_of entry, num *a)
{
  for (size_t i = 0; i < p->n; i++)
    for (size_t j = 0; j < p->n; j++) a[i * p->n + j] = entry(p, pattern, i, j);
}

/// Influence, inertia and reactions without friction: one elimination.
static amo_status smooth(const amo_pairs_problem *p, amo_pairs *out)
{
  const size_t n = p->n;
  num a[MOST * MOST], b[(2 * MOST + 1) * MOST];
  load(p, 0, smooth_entry, a);
  for (size_t j = 0; j < n; j++)
    for (size_t i = 0; i < n; i++) {
      b[j * n + i] = negative(known(p->tangent, i * n + j));
      b[(n + j) * n + i] = exactly(i == j);
      b[2 * n * n + i] = negative(known(p->open, i));
    }
  if (told(eliminate(a, n, b, 2 * n + 1)) == 0) return AMO_ENOANSWER;
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++) {
      out->influence[i * n + j] = shown(b[j * n + i]);
      out->inertia[i * n + j] = shown(b[(n + j) * n + i]);
    }
    out->frictionless[i] = shown(b[2 * n * n + i]);
  }
  return AMO_OK;
}

static void find_determinants(const amo_pairs_problem *p, amo_pairs *out)
{
  num a[MOST * MOST];
  out->unique = out->has_degree = true;
  for (size_t pattern = 0; pattern < (size_t)1 << p->n; pattern++) {
    load(p, pattern, amo_pattern_entry, a);
    const num with = eliminate(a, p->n, NULL, 0);
    load(p, pattern, smooth_entry, a);
    const num without = eliminate(a, p->n, NULL, 0);
    out->determinant[pattern] = shown(with.v == 0 ? with : quotient(with, without));
    out->unique &= out->determinant[pattern] > 0.0;
    out->has_degree &= out->determinant[pattern] != 0.0;
  }
}

/// Does x, in terms of reactions (of a gap where the support is open), belong to the pattern? False in *sure: on its border.
static bool belongs(const amo_pairs_problem *p, size_t pattern, const num *x, bool *sure)
{
  for (size_t j = 0; j < p->n; j++) {
    const int s = told(x[j]);
    *sure &= s != 0;
    if (s != (is_back(pattern, j) ? -1 : 1)) return false;
  }
  return true;
}

/// Solutions for a load that is not on any border, with the signs of their determinants; which load does not matter.
static void find_degree(const amo_pairs_problem *p, amo_pairs *out)
{
  const size_t n = p->n;
  for (int attempt = 1; out->has_degree; attempt++) {
    bool sure = true;
    out->degree = 0;
    for (size_t pattern = 0; pattern < (size_t)1 << n; pattern++) {
      num a[MOST * MOST], x[MOST];
      load(p, pattern, amo_pattern_entry, a);
      for (size_t i = 0; i < n; i++) x[i] = exactly(cos((double)attempt + (double)(i * i)));
      eliminate(a, n, x, 1);
      if (belongs(p, pattern, x, &sure)) out->degree += out->determinant[pattern] > 0.0 ? 1 : -1;
    }
    if (sure) return;
    out->has_degree = attempt < 8;
  }
}

/// Determinants of a pattern are those of 1 + factor L mu: the least positive factor at which that is singular.
static amo_status find_critical(const amo_pairs_problem *p, amo_pairs *out)
{
  const size_t n = p->n;
  out->critical = INFINITY;
  for (size_t pattern = 0; pattern < (size_t)1 << n; pattern++) {
    num a[MOST * MOST], b[MOST * MOST];
    double rubbed[MOST * MOST], re[MOST], im[MOST];
    load(p, pattern, smooth_entry, a);
    for (size_t j = 0; j < n; j++)
      for (size_t i = 0; i < n; i++)
        b[j * n + i] = sub(amo_pattern_entry(p, pattern, i, j), smooth_entry(p, pattern, i, j));
    if (told(eliminate(a, n, b, n)) == 0) continue;
    for (size_t i = 0; i < n; i++)
      for (size_t j = 0; j < n; j++) rubbed[i * n + j] = b[j * n + i].v;
    amo_status st = amo_eigen(rubbed, n, re, im, NULL, NULL);
    if (st != AMO_OK) return st;
    double largest = 0.0;
    for (size_t i = 0; i < n; i++) largest = fmax(largest, hypot(re[i], im[i]));
    for (size_t i = 0; i < n; i++) {
      if (!(re[i] < -AMO_ROUGH * largest) || fabs(im[i]) > AMO_ROUGH * largest) continue;
      if (!(-1.0 / re[i] < out->critical)) continue;
      out->critical = -1.0 / re[i];
      out->critical_pattern = pattern;
    }
  }
  return AMO_OK;
}

static amo_status make(size_t n, amo_pairs *out)
{
  *out = (amo_pairs){.n = n};
  AMO_TAKE(&out->memory, uint32_t, n, &out->contact);
  AMO_TAKE(&out->memory, signed char, n, &out->slip);
  AMO_TAKE(&out->memory, bool, n, &out->one_sided);
  AMO_TAKE(&out->memory, double, n *n, &out->influence, &out->inertia);
  AMO_TAKE(&out->memory, double, n, &out->frictionless);
  AMO_TAKE(&out->memory, double, (size_t)1 << n, &out->determinant);
  return out->memory.failed ? AMO_ENOMEM : AMO_OK;
}

amo_status amo_pairs_assess(const amo_pairs_problem *p, amo_pairs *out)
{
  *out = (amo_pairs){0};
  if (p->n > AMO_MOST_PAIRS) return AMO_ELIMIT;
  amo_status st = make(p->n, out);
  if (st == AMO_OK) st = smooth(p, out);
  if (st == AMO_OK) {
    memcpy(out->slip, p->slip, p->n * sizeof *out->slip);
    memcpy(out->one_sided, p->one_sided, p->n * sizeof *out->one_sided);
    find_determinants(p, out);
    find_degree(p, out);
    st = find_critical(p, out);
  }
  for (size_t pattern = 0; st == AMO_OK && pattern < (size_t)1 << p->n; pattern++)
    if (out->determinant[pattern] == 0.0) st = amo_pairs_continuum(p, pattern, out);
  if (st != AMO_OK) amo_pairs_free(out);
  return st;
}

void amo_pairs_free(amo_pairs *p)
{
  for (size_t i = 0; i < p->continua; i++) free(p->continuum[i].at);
  free(p->continuum);
  amo_arena_free(&p->memory);
  *p = (amo_pairs){0};
}
