// SPDX-License-Identifier: Apache-2.0
/// Special points between two neighbours on a branch, found by what differs between them and located by bracketing
/// along the chord: smooth test functions by false position, changes of what happens during a period by halving.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "orbit/branch_impl.h"

/// Sign tells the side, size (where it is not 1) how far.
typedef double (*test)(const amo_stop *s, const amo_stop *first);

static double test_signature(const amo_stop *s, const amo_stop *first)
{
  return strcmp(s->point.signature, first->point.signature) == 0 ? 1.0 : -1.0;
}
static double test_fold(const amo_stop *s, const amo_stop *first)
{
  return s->signs.along * (first->signs.along > 0.0 ? 1.0 : -1.0);
}
static double test_flip(const amo_stop *s, const amo_stop *first)
{
  return s->signs.flip * (first->signs.flip > 0.0 ? 1.0 : -1.0);
}
static double test_flips(const amo_stop *s, const amo_stop *first)
{
  return s->signs.flips == first->signs.flips ? 1.0 : -1.0;
}
static double test_pairs(const amo_stop *s, const amo_stop *first)
{
  return s->signs.pairs == first->signs.pairs ? 1.0 : -1.0;
}
static double test_pluses(const amo_stop *s, const amo_stop *first)
{
  return s->signs.pluses == first->signs.pluses ? 1.0 : -1.0;
}

/// A stop at x_a + part (x_b - x_a), solved in the plane normal to the chord.
static amo_status between(amo_follower *w, const amo_stop *a, const amo_stop *b, double part, amo_stop *out)
{
  const size_t n = w->curve->n;
  double *x = amo_zalloc(2 * (n + 1), sizeof *x), *chord = x + n + 1, size = 0.0;
  int steps;
  if (!x) return AMO_ENOMEM;
  for (size_t i = 0; i <= n; i++) {
    x[i] = a->x[i] + part * (b->x[i] - a->x[i]);
    chord[i] = (b->x[i] - a->x[i]) / w->curve->scale[i];
    size += chord[i] * chord[i];
  }
  for (size_t i = 0; i <= n; i++) chord[i] /= sqrt(size);
  amo_status st = amo_follower_solve(w, x, chord, out, &steps);
  free(x);
  return st;
}

/// Shrink [a, b] until the parameter is known: into w->left and w->right.
static amo_status bracket(amo_follower *w, const amo_stop *a, const amo_stop *b, test g)
{
  double lo = 0.0, hi = 1.0, g_lo = g(a, a), g_hi = g(b, a);
  const double range = fabs(w->o->to - w->o->from);
  amo_status st = amo_stop_copy(w, a, &w->left);
  if (st == AMO_OK) st = amo_stop_copy(w, b, &w->right);
  for (int i = 0; st == AMO_OK && i < 60; i++) {
    if (hi - lo < 1e-13) break;
    if (i > 3 && fabs(w->left.point.value - w->right.point.value) < 1e-12 * range && hi - lo < 1e-9) break;
    double part = 0.5 * (lo + hi);
    if (i % 3 != 2 && g_lo - g_hi != 2.0) {  // smooth: false position, kept off the ends
      part = lo + (hi - lo) * g_lo / (g_lo - g_hi);
      part = fmin(fmax(part, lo + 1e-3 * (hi - lo)), hi - 1e-3 * (hi - lo));
    }
    if (between(w, a, b, part, &w->trial) != AMO_OK) break;  // good enough as it is
    const double value = g(&w->trial, a);
    if (value > 0.0) {
      lo = part, g_lo = value;
      st = amo_stop_copy(w, &w->trial, &w->left);
    } else {
      hi = part, g_hi = value;
      st = amo_stop_copy(w, &w->trial, &w->right);
    }
    if (fabs(value) < 1e-13) break;
  }
  return st;
}

static int occurrences(const char *text, const char *what)
{
  int n = 0;
  for (const char *p = text; (p = strstr(p, what)) != NULL; p++) n++;
  return n;
}

/// What has changed in what happens during a period?
static amo_special_type kind_of(const amo_follower *w, const char *before, const char *after)
{
  if (w->o->kind == AMO_BRANCH_STEADY) return AMO_SPECIAL_BORDER;
  const int sticks = occurrences(after, "0-") + occurrences(after, "0+") - occurrences(before, "0-") -
                     occurrences(before, "0+");
  const int crossings = occurrences(after, "-+") + occurrences(after, "+-") - occurrences(before, "-+") -
                        occurrences(before, "+-");
  return sticks > 0       ? AMO_SPECIAL_STICK
         : sticks < 0     ? AMO_SPECIAL_NO_STICK
         : crossings != 0 ? AMO_SPECIAL_CROSSING
                          : AMO_SPECIAL_BORDER;
}

static amo_status record(amo_follower *w, amo_special_type type, const amo_stop *at, const amo_stop *other)
{
  amo_branch *b = w->out;
  if (!AMO_ROOM(b->special, b->specials, b->special_capacity)) return AMO_ENOMEM;
  amo_special *s = &b->special[b->specials];
  *s = (amo_special){.type = type, .width = fabs(at->point.value - other->point.value)};
  amo_status st = amo_point_new_copy(w, &at->point, &s->at);
  s->after = amo_strdup(other->point.signature);
  s->at.branch = w->branch;
  if (st == AMO_OK && s->after) b->specials++;
  return s->after ? st : AMO_ENOMEM;
}

static amo_status find(amo_follower *w, const amo_stop *a, const amo_stop *b, test g, amo_special_type type)
{
  amo_status st = bracket(w, a, b, g);
  if (st != AMO_OK) return st;
  if (strcmp(w->left.point.signature, w->right.point.signature) != 0) return AMO_OK;  // belongs to a border
  const bool before = fabs(g(&w->left, a)) <= fabs(g(&w->right, a));
  const amo_stop *at = before ? &w->left : &w->right, *other = before ? &w->right : &w->left;
  st = record(w, type, at, other);
  return st == AMO_OK && w->o->branches ? amo_follower_seed(w, type, at) : st;
}

static amo_status smooth(amo_follower *w, const amo_stop *a, const amo_stop *b)
{
  const amo_signs *p = &a->signs, *q = &b->signs;
  const bool steady = w->o->kind == AMO_BRANCH_STEADY, folds = p->along * q->along < 0.0;
  amo_status st = AMO_OK;
  if (folds) st = find(w, a, b, test_fold, AMO_SPECIAL_FOLD);
  if (st == AMO_OK && p->flips != q->flips)
    st = find(w, a, b, p->flip * q->flip < 0.0 ? test_flip : test_flips, AMO_SPECIAL_FLIP);
  if (st == AMO_OK && p->pairs != q->pairs && p->flips == q->flips && p->pluses == q->pluses)
    st = find(w, a, b, test_pairs, steady ? AMO_SPECIAL_HOPF : AMO_SPECIAL_TORUS);
  if (st == AMO_OK && p->pluses != q->pluses && !folds && p->pairs == q->pairs)
    st = find(w, a, b, test_pluses, AMO_SPECIAL_BRANCH);
  return st;
}

/// Stops that outlive the next search.
static amo_status keep(amo_follower *w, const amo_stop *from, amo_stop *to)
{
  amo_status st = amo_stop_new(w, to);
  return st == AMO_OK ? amo_stop_copy(w, from, to) : st;
}

amo_status amo_follower_locate(amo_follower *w, const amo_stop *a, const amo_stop *b, int depth)
{
  if (strcmp(a->point.signature, b->point.signature) == 0 || depth > 6) return smooth(w, a, b);
  amo_stop left = {0}, right = {0};
  amo_status st = bracket(w, a, b, test_signature);
  if (st == AMO_OK) st = keep(w, &w->left, &left);
  if (st == AMO_OK) st = keep(w, &w->right, &right);
  if (st == AMO_OK) st = amo_follower_locate(w, a, &left, depth + 1);
  if (st == AMO_OK) st = record(w, kind_of(w, left.point.signature, right.point.signature), &left, &right);
  if (st == AMO_OK) st = amo_follower_locate(w, &right, b, depth + 1);
  amo_stop_free(&left);
  amo_stop_free(&right);
  return st;
}

const char *amo_special_name(amo_special_type type)
{
  static const char *const name[] = {"fold",  "period-doubling", "neimark-sacker", "branch-point",
                                     "hopf",  "stick-begins",    "stick-ends",     "crossing",
                                     "border"};
  return name[type];
}
