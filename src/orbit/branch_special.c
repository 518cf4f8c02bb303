// SPDX-License-Identifier: Apache-2.0
/// Special points between two neighbours on a branch, found by what differs between them and located by bracketing
/// along the chord: smooth test functions by false position, changes of what happens during a period by halving.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "num/bracket.h"
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
static double test_plus(const amo_stop *s, const amo_stop *first)
{
  return s->signs.plus * (first->signs.plus > 0.0 ? 1.0 : -1.0);
}
static double test_pair(const amo_stop *s, const amo_stop *first)
{
  return s->signs.pair * (first->signs.pair > 0.0 ? 1.0 : -1.0);
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

static double test_unstable(const amo_stop *s, const amo_stop *first)
{
  return s->signs.unstable == first->signs.unstable ? 1.0 : -1.0;
}

/// From the chord to the cubic with the directions of both stops, in the same plane normal to it; where the branch does not go one way
/// along it, or is not smooth, nothing. size: of the chord, squared.
static void bend(const amo_follower *w, const amo_stop *a, const amo_stop *b, double part, double size,
                 double *x)
{
  const size_t n = w->curve->n;
  const double *scale = w->curve->scale;
  double along[2] = {0.0, 0.0};
  for (size_t i = 0; i <= n; i++) {
    along[0] += a->tangent[i] * (b->x[i] - a->x[i]) / scale[i];
    along[1] += b->tangent[i] * (b->x[i] - a->x[i]) / scale[i];
  }
  const double least = 0.1 * sqrt(size), rest = 1.0 - part;
  if (fmin(fabs(along[0]), fabs(along[1])) < least || strcmp(a->point.signature, b->point.signature) != 0)
    return;
  for (size_t i = 0; i <= n; i++) {
    const double straight = b->x[i] - a->x[i];
    const double first = a->tangent[i] * scale[i] * size / along[0] - straight,
                 last = b->tangent[i] * scale[i] * size / along[1] - straight;
    x[i] += part * rest * (rest * first - part * last);
  }
}

/// A stop at x_a + part (x_b - x_a), solved in the plane normal to the chord; where that does not meet the branch, which
/// may have a corner, at constant parameter, if `corner`.
static amo_status between(amo_follower *w, const amo_stop *a, const amo_stop *b, double part, bool corner,
                          amo_stop *out)
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
  bend(w, a, b, part, size, x);
  for (size_t i = 0; i <= n; i++) chord[i] /= sqrt(size);
  amo_status st = amo_follower_solve(w, x, chord, out, &steps);
  if (st == AMO_ENOANSWER && corner && b->x[n] != a->x[n]) {
    memset(chord, 0, n * sizeof *chord);
    chord[n] = b->x[n] > a->x[n] ? 1.0 : -1.0;
    st = amo_follower_solve(w, x, chord, out, &steps);
  }
  free(x);
  return st;
}

/// Let the tangent point the way `like` goes.
static void orient(const amo_follower *w, amo_stop *s, const amo_stop *like)
{
  const size_t n = w->curve->n;
  double dot = 0.0;
  for (size_t i = 0; i <= n; i++) dot += s->tangent[i] * like->tangent[i];
  for (size_t i = 0; dot < 0.0 && i <= n; i++) s->tangent[i] = -s->tangent[i];
  s->signs.along = s->tangent[n];
}

/// As far along the tangent (side 1) or against it (-1) as the branch goes on as it is at s: to a corner from which
/// it turns back, some `reach` away. s becomes the last such stop.
static amo_status approach(amo_follower *w, amo_stop *s, int side, double reach)
{
  const size_t all = w->curve->n + 1;
  double *x = amo_zalloc(2 * all, sizeof *x), *direction = x + all;
  amo_status st = x ? AMO_OK : AMO_ENOMEM;
  int steps;
  bool met = false;
  for (double step = reach; st == AMO_OK && step > AMO_NOTHING && step < 1.0; step *= met ? 0.5 : 2.0) {
    for (size_t i = 0; i < all; i++) {
      direction[i] = side * s->tangent[i];
      x[i] = s->x[i] + step * direction[i] * w->curve->scale[i];
    }
    const amo_status one = amo_follower_solve(w, x, direction, &w->trial, &steps);
    if (one == AMO_ENOMEM || one == AMO_EINTR) st = one;
    if (one != AMO_OK || test_signature(&w->trial, s) < 0.0) {
      met = true;
      continue;
    }
    orient(w, &w->trial, s);
    st = amo_stop_copy(w, &w->trial, s);
  }
  free(x);
  return st;
}

static double gap(const amo_follower *w, const amo_stop *a, const amo_stop *b)
{
  double sum = 0.0;
  for (size_t i = 0; i <= w->curve->n; i++) {
    const double d = (a->x[i] - b->x[i]) / w->curve->scale[i];
    sum += d * d;
  }
  return sqrt(sum);
}

/// What follows at a corner, if it is near: found at constant parameter a little beyond, or before, and followed back. Into
/// w->right.
static amo_status neighbour(amo_follower *w, bool *found)
{
  const size_t n = w->curve->n;
  double *x = amo_zalloc(2 * (n + 1), sizeof *x), *direction = x + n + 1;
  amo_status st = x ? AMO_OK : AMO_ENOMEM;
  int steps;
  *found = false;
  for (int k = 0; st == AMO_OK && !*found && k < 8; k++) {
    const double side = (w->left.tangent[n] > 0.0) == (k % 2 == 0) ? 1.0 : -1.0, step = pow(10.0, -6 + k / 2);
    memcpy(x, w->left.x, (n + 1) * sizeof *x);
    x[n] += side * step * w->curve->scale[n];
    direction[n] = side;
    const amo_status one = amo_follower_solve(w, x, direction, &w->trial, &steps);
    if (one == AMO_ENOMEM || one == AMO_EINTR) st = one;
    *found = one == AMO_OK && test_signature(&w->trial, &w->left) < 0.0 &&
             gap(w, &w->trial, &w->left) < 20.0 * sqrt(step);
  }
  free(x);
  if (st == AMO_OK && *found) st = amo_stop_copy(w, &w->trial, &w->right);
  return st == AMO_OK && *found ? approach(w, &w->right, -1, gap(w, &w->left, &w->right)) : st;
}

/// Shrink [a, b] until the parameter is known: into w->left and w->right.
static amo_status bracket(amo_follower *w, const amo_stop *a, const amo_stop *b, test g)
{
  amo_zero z = {.a = 0.0, .b = 1.0, .fa = g(a, a), .fb = g(b, a)};
  const bool signs = z.fa - z.fb == 2.0;  // that is all the test tells
  int failures = 0;
  const double range = fabs(w->o->to - w->o->from);
  amo_status st = amo_stop_copy(w, a, &w->left);
  if (st == AMO_OK) st = amo_stop_copy(w, b, &w->right);
  for (int i = 0; st == AMO_OK && i < 60; i++) {
    double part;
    if (i > 3 && fabs(w->left.point.value - w->right.point.value) < AMO_NOTHING * range &&
        z.b - z.a < AMO_SAME)
      break;
    if (z.b - z.a < AMO_CANCELLED || !amo_zero_next(&z, &part)) break;
    if (failures > 0) part = z.a + (z.b - z.a) * (failures % 2 ? 0.25 : 0.75);
    const amo_status one = between(w, a, b, part, z.b - z.a > 1e-6, &w->trial);
    if (one == AMO_ENOANSWER && g == test_plus && failures++ < 4)
      continue;                // at the crossing: beside it, then
    if (one != AMO_OK) break;  // good enough as it is
    failures = 0;
    const double value = g(&w->trial, a);
    st = amo_stop_copy(w, &w->trial, value > 0.0 ? &w->left : &w->right);
    if (signs) z.kept = 0;
    amo_zero_take(&z, part, value > 0.0 ? value : -fmax(-value, DBL_MIN));
    if (fabs(value) < AMO_CANCELLED) break;
  }
  if (st != AMO_OK || g != test_signature) return st;
  orient(w, &w->left, a);
  orient(w, &w->right, b);
  const double reach = gap(w, &w->left, &w->right);
  if (reach < 1e-4 && fabs(w->left.point.value - w->right.point.value) < AMO_SAME * range) return AMO_OK;
  // the planes have jumped over a corner, or stopped before it
  bool found = false;
  st = approach(w, &w->left, 1, reach);
  if (st == AMO_OK) st = neighbour(w, &found);
  return st == AMO_OK && !found ? approach(w, &w->right, -1, reach) : st;
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
  if (w->problem == &amo_problem_steady) return AMO_SPECIAL_BORDER;
  const int sticks = occurrences(after, "0-") + occurrences(after, "0+") - occurrences(before, "0-") -
                     occurrences(before, "0+");
  const int crossings = occurrences(after, "-+") + occurrences(after, "+-") - occurrences(before, "-+") -
                        occurrences(before, "+-");
  return sticks > 0       ? AMO_SPECIAL_STICK
         : sticks < 0     ? AMO_SPECIAL_NO_STICK
         : crossings != 0 ? AMO_SPECIAL_CROSSING
                          : AMO_SPECIAL_BORDER;
}

static amo_status record(amo_follower *w, amo_special_type type, const amo_stop *at, const amo_stop *other,
                         double width)
{
  amo_branch *b = w->out;
  if (!AMO_ROOM(b->special, b->specials, b->special_capacity)) return AMO_ENOMEM;
  amo_special *s = &b->special[b->specials];
  *s = (amo_special){.type = type, .width = width, .lyapunov = NAN};
  amo_status st = amo_point_new_copy(w, &at->point, &s->at);
  s->after = amo_strdup(other->point.signature);
  s->at.branch = w->branch;
  if (st == AMO_OK && s->after) b->specials++;
  return s->after ? st : AMO_ENOMEM;
}

/// Where branches cross the equations are singular, and the bracket stays open: the zero between its ends.
static void refine(amo_follower *w, double left, double right)
{
  const double from = w->left.point.value, to = w->right.point.value;
  if (left > 0.0 && right < 0.0)
    w->out->special[w->out->specials - 1].at.value = from + (to - from) * left / (left - right);
}

static amo_status find(amo_follower *w, const amo_stop *a, const amo_stop *b, test g, amo_special_type type)
{
  amo_status st = bracket(w, a, b, g);
  if (st != AMO_OK) return st;
  if (strcmp(w->left.point.signature, w->right.point.signature) != 0) return AMO_OK;  // belongs to a border
  if (g == test_fold && fmin(gap(w, &w->left, a), gap(w, &w->right, b)) < 1e-7) return AMO_OK;  // to a corner
  const bool before = fabs(g(&w->left, a)) <= fabs(g(&w->right, a));
  const amo_stop *at = before ? &w->left : &w->right, *other = before ? &w->right : &w->left;
  st = record(w, type, at, other, fabs(at->point.value - other->point.value));
  if (st == AMO_OK && g == test_plus) refine(w, g(&w->left, a), g(&w->right, a));
  if (st == AMO_OK && type == AMO_SPECIAL_HOPF) return amo_hopf_note(w, at, other);
  return st == AMO_OK && w->o->branches ? amo_follower_seed(w, type, at) : st;
}

/// Does the parameter turn back? On an upright branch it does not move at all.
static bool turns(const amo_stop *a, const amo_stop *b)
{
  return a->signs.along * b->signs.along < 0.0 && fmax(fabs(a->signs.along), fabs(b->signs.along)) > AMO_SAME;
}

/// Eigenvalues pass the axis one at a time through zero, or as a pair; pairs that become real are nothing special.
static amo_status smooth_steady(amo_follower *w, const amo_stop *a, const amo_stop *b)
{
  const int change = b->signs.unstable - a->signs.unstable;
  const bool folds = turns(a, b);
  amo_status st = folds ? find(w, a, b, test_fold, AMO_SPECIAL_FOLD) : AMO_OK;
  if (st != AMO_OK || change == 0 || (folds && abs(change) == 1)) return st;
  const bool meet = abs(b->signs.neutral - a->signs.neutral) >= 4;  // two pairs leave the axis to both sides
  return find(w, a, b, test_unstable,
              change % 2 != 0 ? AMO_SPECIAL_BRANCH
              : meet          ? AMO_SPECIAL_FLUTTER
                              : AMO_SPECIAL_HOPF);
}

static amo_status smooth(amo_follower *w, const amo_stop *a, const amo_stop *b)
{
  const amo_signs *p = &a->signs, *q = &b->signs;
  if (w->problem == &amo_problem_steady) return smooth_steady(w, a, b);
  const bool folds = turns(a, b);
  amo_status st = AMO_OK;
  if (folds) st = find(w, a, b, test_fold, AMO_SPECIAL_FOLD);
  if (st == AMO_OK && p->flips != q->flips)
    st = find(w, a, b, p->flip * q->flip < 0.0 ? test_flip : test_flips, AMO_SPECIAL_FLIP);
  if (st == AMO_OK && p->pairs != q->pairs && p->flips == q->flips && p->pluses == q->pluses)
    st = find(w, a, b, p->pair * q->pair < 0.0 ? test_pair : test_pairs, AMO_SPECIAL_TORUS);
  if (st == AMO_OK && p->pluses != q->pluses && !folds && p->pairs == q->pairs)
    st = find(w, a, b, p->plus * q->plus < 0.0 ? test_plus : test_pluses, AMO_SPECIAL_BRANCH);
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
  if (st == AMO_OK && !w->broken) {
    const bool apart = gap(w, &left, &right) > 1e-3;  // each ends in its own corner
    const double width =
        apart ? AMO_NOTHING * w->curve->scale[w->curve->n] : fabs(left.point.value - right.point.value);
    w->broken |= apart;
    st = record(w, kind_of(w, left.point.signature, right.point.signature), &left, &right, width);
  }
  if (st == AMO_OK && !w->broken) st = amo_follower_locate(w, &right, b, depth + 1);
  amo_stop_free(&left);
  amo_stop_free(&right);
  return st;
}

amo_status amo_follower_lost(amo_follower *w)
{
  const size_t n = w->curve->n;
  if (w->problem != &amo_problem_cycles) return AMO_OK;
  amo_status st = amo_stop_copy(w, &w->here, &w->left);
  if (st == AMO_OK) st = approach(w, &w->left, 1, 1e-7);
  if (st != AMO_OK) return st;
  double *x = w->trial.x;
  for (size_t i = 0; i <= n; i++) x[i] = w->left.x[i] + AMO_SAME * w->left.tangent[i] * w->curve->scale[i];
  if (amo_curve_look(w->curve, x) != AMO_OK) return AMO_OK;
  char *beyond = amo_cycles_signature(w, w->left.point.period);
  if (!beyond) return AMO_ENOMEM;
  free(w->trial.point.signature);
  w->trial.point.signature = beyond;
  w->broken = strcmp(beyond, w->left.point.signature) != 0;
  if (!w->broken) return AMO_OK;
  return record(w, kind_of(w, w->left.point.signature, beyond), &w->left, &w->trial,
                AMO_SAME * w->curve->scale[n]);
}

const char *amo_special_name(amo_special_type type)
{
  static const char *const name[] = {"fold",   "period-doubling", "neimark-sacker", "branch-point",
                                     "hopf",   "stick-begins",    "stick-ends",     "crossing",
                                     "border", "flutter"};
  return (unsigned)type < sizeof name / sizeof *name ? name[type] : "?";
}
