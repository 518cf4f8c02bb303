// SPDX-License-Identifier: Apache-2.0
/// The share where friction has two axes (the feet of a table that is pushed in its plane). Cones are round, so the conditions of a
/// share are no linear programme. The least sum of squares of friction, each by what it can hold, is linear; where some contact is too near
/// to its limit in it, contacts are weighed, so that in the end all that count use the same part of their limits: that is the share in which the
/// one nearest to its limit has the most room. The sum itself bounds what any share can do, which says when to end and whether there is one.
#include <math.h>
#include <string.h>

#include "contact/share.h"
#include "num/rounding.h"
#include "num/solve.h"

enum { ROUNDS = 500 };  // at most; none where there is room

static double force_with(const amo_sharing *s, long tie, const double *y)
{
  double F = s->force[(size_t)tie * (size_t)s->orders + (size_t)s->first];
  for (size_t k = 0; k < s->n; k++) F += y[k] * amo_share_change(s, k, (size_t)tie)[0];
  return F;
}

double amo_share_limit(const amo_sharing *s, const amo_share_contact *c, const double *y)
{
  const int j = c->normal < 0 ? s->first : 0;
  const double bound = j > 0 && c->ord == 0 ? 0.0 : c->bound[(size_t)j * c->ord];
  if (c->normal < 0) return bound;
  const double R = force_with(s, c->normal, y);
  return bound * (c->keeps != 0 ? c->keeps * R : fabs(R));
}

static bool takes_part(const amo_share_contact *c)
{
  return c->carried && c->friction >= 0;
}

/// Friction over what contact c can hold, which is at least s->size times rounding.
static double used(const amo_sharing *s, const amo_share_contact *c, const double *y)
{
  const double across = c->across >= 0 ? force_with(s, c->across, y) : 0.0;
  return hypot(force_with(s, c->friction, y), across) / fmax(amo_share_limit(s, c, y), AMO_SAME * s->size);
}

/// Coefficient j of the force along a tie, with what lower orders of the share bring.
static double force_of_order(const amo_sharing *s, long tie, int j)
{
  const size_t o = (size_t)s->orders;
  double F = s->force[(size_t)tie * o + (size_t)j];
  for (size_t k = 0; k < s->n; k++)
    for (int m = 1; m <= j; m++) F += amo_share_change(s, k, (size_t)tie)[m] * s->y[k * o + (size_t)(j - m)];
  return F;
}

/// Q of the sum of squares, contacts weighed and measured by what they hold with the open forces in s->trial; into s->b.
static void measure(const amo_sharing *s)
{
  const size_t n = s->n;
  double most = 0.0;
  memset(s->q, 0, n * n * sizeof *s->q);
  for (size_t i = 0; i < s->contacts; i++) {
    const amo_share_contact *c = &s->contact[i];
    if (!takes_part(c)) continue;
    const double limit = fmax(amo_share_limit(s, c, s->trial), AMO_SAME * s->size);
    s->b[i] = s->weight[i] / (limit * limit);
    for (int axis = 0; axis < (c->across >= 0 ? 2 : 1); axis++)
      for (size_t k = 0; k < n; k++)
        for (size_t l = 0; l < n; l++) {
          const size_t tie = (size_t)(axis == 0 ? c->friction : c->across);
          s->q[k * n + l] += s->b[i] * amo_share_change(s, k, tie)[0] * amo_share_change(s, l, tie)[0];
        }
  }
  for (size_t k = 0; k < n; k++) most = fmax(most, s->q[k * n + k]);
  for (size_t k = 0; k < n; k++)
    s->q[k * n + k] += AMO_ROUNDED * most;  // what no friction feels stays as it is
}

/// The share that is least at order j, into x [n].
static void solve(const amo_sharing *s, int j, double *x)
{
  const size_t n = s->n;
  for (size_t k = 0; k < n; k++) x[k] = 0.0;
  for (size_t i = 0; i < s->contacts; i++) {
    const amo_share_contact *c = &s->contact[i];
    for (int axis = 0; takes_part(c) && axis < (c->across >= 0 ? 2 : 1); axis++) {
      const long tie = axis == 0 ? c->friction : c->across;
      const double F = force_of_order(s, tie, j);
      for (size_t k = 0; k < n; k++) x[k] -= s->b[i] * amo_share_change(s, k, (size_t)tie)[0] * F;
    }
  }
  memcpy(s->inverse, s->q, n * n * sizeof *s->q);
  if (amo_solve(s->inverse, n, x, 1) != AMO_OK) memset(x, 0, n * sizeof *x);
}

/// What the share at hand uses of each contact, squared, into s->dual [contacts]; returns the sum by weights, of which no share
/// has less. Has it room enough, or is it as near to the best as that can be told?
static double weighed_use(amo_sharing *s, bool *enough)
{
  double sum = 0.0, most = 0.0;
  for (size_t i = 0; i < s->contacts; i++) {
    if (!takes_part(&s->contact[i])) continue;
    const double part = used(s, &s->contact[i], s->trial);
    s->dual[i] = part * part;
    sum += s->weight[i] * s->dual[i];
    most = fmax(most, part);
  }
  s->room = 1.0 - most;
  *enough = most - sqrt(sum) <= fmax(s->best ? 0.0 : 0.5 * fabs(1.0 - sqrt(sum)), AMO_FAINT);
  return sum;
}

/// Gradients of the squares by the open forces, into s->a, and what they do to them, 1/2 Q^-1 of that, behind.
static void find_gradients(const amo_sharing *s)
{
  const size_t n = s->n;
  double *a = s->a, *z = s->a + s->contacts * n;
  memset(a, 0, s->contacts * n * sizeof *a);
  for (size_t i = 0; i < s->contacts; i++) {
    const amo_share_contact *c = &s->contact[i];
    if (!takes_part(c)) continue;
    const double limit = fmax(amo_share_limit(s, c, s->trial), AMO_SAME * s->size);
    for (int axis = 0; axis < (c->across >= 0 ? 2 : 1); axis++) {
      const long tie = axis == 0 ? c->friction : c->across;
      const double F = 2.0 * force_with(s, tie, s->trial) / (limit * limit);
      for (size_t k = 0; k < n; k++) a[i * n + k] += F * amo_share_change(s, k, (size_t)tie)[0];
    }
  }
  for (size_t i = 0; i < s->contacts * n; i++) z[i] = 0.5 * a[i];
  memcpy(s->inverse, s->q, n * n * sizeof *s->q);
  if (amo_solve(s->inverse, n, z, s->contacts) != AMO_OK) memset(z, 0, s->contacts * n * sizeof *z);
}

/// May the weight of contact i change? The least ones do not get less.
static bool is_free(const amo_sharing *s, size_t i, double sum)
{
  return takes_part(&s->contact[i]) && (s->weight[i] > 2.0 * AMO_FAINT || s->dual[i] > sum);
}

/// One step of Newton's method towards weights with which all that have one use the same: the sum, as a function of weights, is concave, and
/// its slopes are the squares. Into step [contacts]; false: there is none.
static bool find_step(amo_sharing *s, double sum, double *step)
{
  const size_t n = s->n;
  const double *a = s->a, *z = s->a + s->contacts * n;
  size_t count = 0, free = 0;
  for (size_t i = 0; i < s->contacts; i++) free += is_free(s, i, sum);
  const size_t all = free + 1;
  double *matrix = s->dual + 2 * s->contacts, *row = matrix, scale = 0.0;
  find_gradients(s);
  for (size_t i = 0; i < s->contacts; i++) {
    if (!is_free(s, i, sum)) continue;
    size_t l = 0;
    for (size_t j = 0; j < s->contacts; j++) {
      if (!is_free(s, j, sum)) continue;
      row[l] = 0.0;
      for (size_t k = 0; k < n; k++) row[l] -= a[i * n + k] * z[j * n + k];
      l++;
    }
    row[free] = -1.0;
    step[count] = sum - s->dual[i];
    scale = fmax(scale, fabs(row[count++]));
    row += all;
  }
  for (size_t l = 0; l < free; l++) {
    row[l] = 1.0;
    matrix[l * all + l] -= AMO_CANCELLED * scale;
  }
  row[free] = step[free] = 0.0;
  if (free < 2 || amo_solve(matrix, all, step, 1) != AMO_OK) return false;
  for (size_t i = s->contacts; i-- > 0;) step[i] = is_free(s, i, sum) ? step[--count] : 0.0;
  return true;
}

/// Weights from + part * step, none below what keeps the equations regular, and the share that is least with them; the sum, as weighed_use.
static double move(amo_sharing *s, const double *from, const double *step, double part, bool *enough)
{
  double total = 0.0;
  for (size_t i = 0; i < s->contacts; i++)
    if (takes_part(&s->contact[i])) total += s->weight[i] = fmax(from[i] + part * step[i], AMO_FAINT);
  for (size_t i = 0; i < s->contacts; i++) s->weight[i] /= total;
  measure(s);
  solve(s, s->first, s->trial);
  return weighed_use(s, enough);
}

/// Weights with which the share has the most room, as far as that matters.
static void weigh(amo_sharing *s)
{
  size_t count = 0;
  bool enough;
  double *from = s->work, *step = from + s->contacts + 1, *squares = s->dual + s->contacts;
  memset(s->trial, 0, s->n * sizeof *s->trial);
  memset(step, 0, s->contacts * sizeof *step);
  for (size_t i = 0; i < s->contacts; i++) count += takes_part(&s->contact[i]);
  for (size_t i = 0; i < s->contacts; i++) from[i] = takes_part(&s->contact[i]) ? 1.0 / (double)count : 0.0;
  double sum = move(s, from, step, 0.0, &enough);
  for (int round = 0; !enough && round < ROUNDS; round++) {
    memcpy(from, s->weight, s->contacts * sizeof *from);
    memcpy(squares, s->dual, s->contacts * sizeof *squares);
    double next = sum;
    const bool there = find_step(s, sum, step);
    for (double part = 1.0; there && !enough && !(next > sum) && part > 0.01; part *= 0.25)
      next = move(s, from, step, part, &enough);
    if (!enough && !(next > sum)) {  // Lawson's step: slow, but never back
      for (size_t i = 0; i < s->contacts; i++)
        step[i] = takes_part(&s->contact[i]) ? fmax(from[i], AMO_FAINT) * sqrt(squares[i]) - from[i] : 0.0;
      next = move(s, from, step, 1.0, &enough);
    }
    sum = next;
  }
}

/// A contact that is left without a load carries no friction at all, and no load as long as nothing else asks for it. True: there is one
/// more.
static bool set_idle(amo_sharing *s)
{
  const size_t before = s->n;
  for (size_t i = 0; i < s->contacts && s->n > 0; i++) {
    const amo_share_contact *c = &s->contact[i];
    if (!takes_part(c) || amo_share_limit(s, c, s->trial) > AMO_SAME * s->size) continue;
    const long tie[] = {c->friction, c->across, c->keeps != 0 ? c->normal : -1};
    for (int k = 0; k < 3; k++)
      if (amo_share_changes(s, tie[k])) amo_share_free_tie(s, (size_t)tie[k]);
    if (s->n < before) return true;
  }
  return false;
}

void amo_share_round(amo_sharing *s)
{
  const size_t o = (size_t)s->orders;
  do {
    memset(s->y, 0, s->n * o * sizeof *s->y);
    weigh(s);
  } while (set_idle(s));
  for (int j = s->first; j < s->orders; j++) {
    solve(s, j, s->c);
    for (size_t k = 0; k < s->n; k++) s->y[k * o + (size_t)j] = s->c[k];
  }
}
