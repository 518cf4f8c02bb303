// SPDX-License-Identifier: Apache-2.0
#include "contact/share.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "num/poly.h"
#include "num/programme.h"
#include "num/rounding.h"
#include "num/solve.h"

enum { MOST_SIGNS = 6 };

void amo_share_free(amo_sharing *s)
{
  free(s->store);
  free(s->lists);
}

bool amo_share_reserve(amo_sharing *s, size_t ties, size_t contacts, size_t n, int orders)
{
  const size_t o = (size_t)orders, rows = 3 * contacts, all = 2 * n + 2;
  const size_t basis = amo_room_basis(rows, n) + n + 1, work = amo_best_work(rows, n);
  const size_t need = (n + 1) * ties * o + rows * (n + 1) + n * n + n + 2 * all * o + 2 * all * all + work +
                      ties + (contacts + 3) * (contacts + 1);
  double *store = amo_grow(s->store, &s->store_size, need, sizeof *store);
  if (store) s->store = store;
  void *lists = amo_grow(
      s->lists, &s->lists_size,
      contacts * sizeof *s->contact + rows * sizeof *s->demand + (n + 1 + basis) * sizeof *s->basis, 1);
  if (lists) s->lists = lists;
  if (!store || !lists) return false;
  s->ties = ties, s->contacts = contacts, s->n = n, s->orders = orders;
  s->force = s->store;
  s->change = s->force + ties * o;
  s->a = s->change + n * ties * o;
  s->b = s->a + rows * n;
  s->q = s->b + rows;
  s->c = s->q + n * n;
  s->y = s->c + n;
  s->trial = s->y + all * o;
  s->inverse = s->trial + all * o;
  s->weight = s->inverse + 2 * all * all;
  s->work = s->weight + ties;
  s->dual = s->work + work;
  s->contact = s->lists;
  s->demand = (amo_share_demand *)(s->contact + contacts);
  s->equation = (size_t *)(s->demand + rows);
  s->basis = s->equation + n + 1;
  return true;
}

double *amo_share_change(const amo_sharing *s, size_t k, size_t tie)
{
  return s->change + (k * s->ties + tie) * (size_t)s->orders;
}

static double *force_of(const amo_sharing *s, size_t tie)
{
  return s->force + tie * (size_t)s->orders;
}

bool amo_share_changes(const amo_sharing *s, long tie)
{
  for (size_t k = 0; tie >= 0 && k < s->n; k++)
    if (fabs(amo_share_change(s, k, (size_t)tie)[0]) > AMO_NOTHING) return true;
  return false;
}

static double bound_of(const amo_share_contact *c, int j)
{
  return j > 0 && c->ord == 0 ? 0.0 : c->bound[(size_t)j * c->ord];
}

// ---- what contacts can hold ----

/// Loads may grow from nothing: the first order at which a force that the share changes, or a bound, is not zero.
static int first_order(const amo_sharing *s)
{
  for (int j = 0; j < s->orders; j++) {
    for (size_t i = 0; i < s->ties; i++)
      if (amo_share_changes(s, (long)i) && force_of(s, i)[j] != 0.0) return j;
    for (size_t i = 0; i < s->contacts; i++)
      if (s->contact[i].normal < 0 && amo_share_changes(s, s->contact[i].friction) &&
          bound_of(&s->contact[i], j) != 0.0)
        return j;
  }
  return 0;
}

/// What a contact can hold, where the share does not change that; infinite where it does.
static double given_limit(const amo_sharing *s, const amo_share_contact *c)
{
  if (c->normal < 0) return fmax(bound_of(c, s->first), 0.0);
  if (amo_share_changes(s, c->normal)) return bound_of(c, 0) > 0.0 ? INFINITY : 0.0;
  return fmax(bound_of(c, 0) * fabs(force_of(s, (size_t)c->normal)[s->first]), 0.0);
}

void amo_share_free_tie(amo_sharing *s, size_t tie)
{
  const size_t o = (size_t)s->orders;
  size_t best = 0;
  for (size_t k = 1; k < s->n; k++)
    if (fabs(amo_share_change(s, k, tie)[0]) > fabs(amo_share_change(s, best, tie)[0])) best = k;
  double *own = amo_share_change(s, best, 0), *q = s->y;
  for (size_t k = 0; k <= s->n; k++) {  // the forces, then what the other open ones change
    if (k == best + 1) continue;
    double *of = k == 0 ? s->force : amo_share_change(s, k - 1, 0);
    memcpy(q, of + tie * o, o * sizeof *q);
    amo_series_divide(q, own + tie * o, s->orders);
    for (size_t i = 0; i < s->ties; i++) amo_series_add_product(of + i * o, own + i * o, q, -1.0, s->orders);
    memset(of + tie * o, 0, o * sizeof *of);
  }
  s->n--;
  double *last = amo_share_change(s, s->n, 0);
  if (best != s->n) memcpy(own, last, s->ties * o * sizeof *own);
  memset(last, 0, s->ties * o * sizeof *last);
}

// ---- conditions ----

/// Least sum of squares of friction, each by its weight: Q and c.
static void measure(const amo_sharing *s)
{
  const size_t n = s->n;
  for (size_t k = 0; k < n; k++) {
    s->c[k] = 0.0;
    for (size_t l = 0; l < n; l++) s->q[k * n + l] = 0.0;
    for (size_t i = 0; i < s->ties; i++) {
      const double by = amo_share_change(s, k, i)[0] * s->weight[i];
      s->c[k] += by * force_of(s, i)[s->first] / s->size;
      for (size_t l = 0; l < n; l++) s->q[k * n + l] += by * amo_share_change(s, l, i)[0];
    }
  }
}

/// Size of the forces that the share changes, where they are least.
static double least_size(amo_sharing *s)
{
  double size = 0.0;
  size_t none = 0;
  s->size = 1.0;
  for (size_t i = 0; i < s->ties; i++) s->weight[i] = 1.0;
  measure(s);
  if (!amo_least_point(&(amo_least){0, s->n, s->a, s->b, s->q, s->c, s->work}, s->trial, NULL, &none))
    return 0.0;
  for (size_t i = 0; i < s->ties; i++) {
    double F = force_of(s, i)[s->first];
    for (size_t k = 0; k < s->n; k++) F += s->trial[k] * amo_share_change(s, k, i)[0];
    if (amo_share_changes(s, (long)i)) size = fmax(size, fabs(F));
  }
  return size;
}

/// A contact that can hold next to nothing carries nothing, and does not tell how much room there is.
static void set_aside(amo_sharing *s)
{
  double most = 0.0;
  for (int pass = 0; pass < 2; pass++)
    for (size_t i = 0; i < s->contacts; i++) {
      amo_share_contact *c = &s->contact[i];
      const double limit = given_limit(s, c);
      for (int axis = 0; axis < 2; axis++) {
        const long tie = axis == 0 ? c->friction : c->across;
        if (!amo_share_changes(s, tie)) continue;
        if (pass == 0)
          most = fmax(most, isinf(limit) ? bound_of(c, 0) * least_size(s) : limit);
        else if (!(limit > AMO_SAME * most))
          amo_share_free_tie(s, (size_t)tie), c->smooth = true;
      }
    }
}

static void list_demands(amo_sharing *s)
{
  const double size = least_size(s);
  s->demands = 0;
  s->size = 0.0;
  for (size_t i = 0; i < s->contacts; i++) {
    const amo_share_contact *c = &s->contact[i];
    const bool open = amo_share_changes(s, c->normal);
    if (c->keeps != 0 && open) s->demand[s->demands++] = (amo_share_demand){i, 0.0, c->keeps, size};
    if (c->friction < 0 || c->smooth || !(open || amo_share_changes(s, c->friction))) continue;
    const double limit = open ? bound_of(c, 0) * size : given_limit(s, c);
    const bool pulls = c->normal >= 0 && c->keeps == 0 && force_of(s, (size_t)c->normal)[s->first] < 0.0;
    for (int side = 1; side >= -1; side -= 2)
      s->demand[s->demands++] = (amo_share_demand){i, side, pulls ? -1.0 : 1.0, limit};
  }
  for (size_t i = 0; i < s->demands; i++) s->size = fmax(s->size, s->demand[i].weight);
  if (!(s->size > 0.0)) s->size = 1.0;
  for (size_t i = 0; i < s->ties; i++)
    s->weight[i] = AMO_FAINT;  // bodies that are wedged: the least stress, too
  for (size_t i = 0; i < s->demands; i++) {
    amo_share_demand *d = &s->demand[i];
    const amo_share_contact *c = &s->contact[d->contact];
    d->weight = fmax(d->weight, AMO_SAME * s->size);
    if (c->friction >= 0 && d->side > 0.0) s->weight[c->friction] = s->size / d->weight;
  }
}

/// [bound R]_j
static double product(const amo_share_contact *c, const double *R, int j)
{
  double sum = 0.0;
  for (int m = 0; m <= j; m++) sum += bound_of(c, m) * R[j - m];
  return sum;
}

/// Coefficient j of the condition without a share, by its weight.
static double given(const amo_sharing *s, const amo_share_demand *d, int j)
{
  const amo_share_contact *c = &s->contact[d->contact];
  if (d->side == 0.0) return d->sign * force_of(s, (size_t)c->normal)[j] / d->weight;
  const double bound =
      c->normal < 0 ? bound_of(c, j) : d->sign * product(c, force_of(s, (size_t)c->normal), j);
  return (bound - d->side * force_of(s, (size_t)c->friction)[j]) / d->weight;
}

/// Coefficient j of what a unit of open force k takes of it.
static double taken(const amo_sharing *s, const amo_share_demand *d, size_t k, int j)
{
  const amo_share_contact *c = &s->contact[d->contact];
  const double unit = s->size / d->weight,
               *R = c->normal < 0 ? NULL : amo_share_change(s, k, (size_t)c->normal);
  if (d->side == 0.0) return -unit * d->sign * R[j];
  const double x = d->side * amo_share_change(s, k, (size_t)c->friction)[j];
  return unit * (R == NULL ? x : x - d->sign * product(c, R, j));
}

// ---- the best share ----

/// Guides that stick may push either way where the share changes their reaction.
static size_t free_signs(const amo_sharing *s, size_t which[MOST_SIGNS])
{
  size_t n = 0;
  for (size_t i = 0; i < s->demands && n < MOST_SIGNS; i++) {
    const amo_share_contact *c = &s->contact[s->demand[i].contact];
    if (s->demand[i].side > 0.0 && c->keeps == 0 && amo_share_changes(s, c->normal))
      which[n++] = s->demand[i].contact;
  }
  return n;
}

static void set_signs(amo_sharing *s, const size_t *which, size_t n, unsigned pattern)
{
  for (size_t j = 0; j < n; j++)
    for (size_t i = 0; i < s->demands; i++)
      if (s->demand[i].contact == which[j]) s->demand[i].sign = pattern >> j & 1u ? -1.0 : 1.0;
}

/// Most room, and of what has it the least; into trial. Returns the room, *least: sum of squares.
static double try_signs(amo_sharing *s, double *least)
{
  const size_t n = s->n;
  size_t tight = 0;
  for (size_t i = 0; i < s->demands; i++) {
    for (size_t k = 0; k < n; k++) s->a[i * n + k] = taken(s, &s->demand[i], k, 0);
    s->b[i] = given(s, &s->demand[i], s->first);
  }
  const double room =
      amo_best_point(&(amo_best){{s->demands, n, s->a, s->b, 1.0, s->work, s->basis, NULL}, s->q, s->c},
                     s->trial, least, s->equation, &s->equations, &tight);
  for (size_t i = 0; i < s->contacts; i++)
    if (s->contact[i].carried) s->contact[i].side = 0;
  for (size_t i = 0; i < tight; i++) {
    const amo_share_demand *d = &s->demand[s->equation[i]];
    if (s->equation[i] == s->demands || d->side == 0.0) continue;
    amo_share_contact *c = &s->contact[d->contact];
    c->side = (signed char)(c->side != 0 ? 2 : d->side);
  }
  return room;
}

/// The best share over all signs of the reactions, with its equations.
static void choose(amo_sharing *s)
{
  size_t which[MOST_SIGNS];
  const size_t n = free_signs(s, which);
  unsigned best = 0;
  double least = INFINITY, square;
  s->room = -INFINITY;
  measure(s);
  for (unsigned pattern = 0; pattern < 1u << n; pattern++) {
    set_signs(s, which, n, pattern);
    const double room = try_signs(s, &square);
    if (room < s->room - AMO_SAME || (room < s->room + AMO_SAME && !(square < least))) continue;
    s->room = room;
    least = square;
    best = pattern;
  }
  set_signs(s, which, n, best);
  if (n > 0) s->room = try_signs(s, &square);
}

/// Contacts that no share can load (a disc that only touches a wall) leave no room to themselves; that of the others is found without
/// them. Is there any such?
static bool drop_unloaded(amo_sharing *s)
{
  const size_t before = s->n;
  if (!(fabs(s->room) <= AMO_FAINT)) return false;
  for (size_t i = 0; i < s->contacts && s->n > 0; i++) {
    amo_share_contact *c = &s->contact[i];
    if (c->keeps == 0 || c->smooth || !amo_share_changes(s, c->normal)) continue;
    double R = force_of(s, (size_t)c->normal)[s->first];
    for (size_t k = 0; k < before; k++)
      R += s->trial[k] * s->size * amo_share_change(s, k, (size_t)c->normal)[0];
    if (fabs(R) > AMO_NOTHING * s->size) continue;
    amo_share_free_tie(s, (size_t)c->normal);
    if (amo_share_changes(s, c->friction)) amo_share_free_tie(s, (size_t)c->friction);
    c->smooth = true;
    return true;  // the others are known anew
  }
  return false;
}

// ---- the share in time ----

/// Coefficient j of entry (e, k) of the equations: how much less the forces could be, the room that every condition that decides has;
/// for open forces [n], the room, and what it costs to keep the conditions.
static double entry(const amo_sharing *s, size_t e, size_t k, int j)
{
  const size_t n = s->n;
  if (e < n && k < n) return j == 0 ? s->q[e * n + k] : 0.0;
  if (e < n + 1 && k > n) return j == 0 ? entry(s, k, e, 0) : 0.0;
  if (e < n + 1 || k > n) return 0.0;
  const size_t i = s->equation[e - n - 1];
  if (k == n) return j == 0 ? 1.0 : 0.0;
  return i == s->demands ? 0.0 : taken(s, &s->demand[i], k, j);
}

/// Coefficient j of the right side of equation e, from lower orders of y.
static double right_side(const amo_sharing *s, size_t e, int j)
{
  const size_t n = s->n, o = (size_t)s->orders;
  double x = 0.0;
  if (e == n) return 0.0;
  if (e > n) {
    const size_t i = s->equation[e - n - 1];
    x = i < s->demands ? given(s, &s->demand[i], j) : j == s->first ? 1.0 : 0.0;
    for (int m = 1; m <= j; m++)
      for (size_t k = 0; k <= n; k++) x -= entry(s, e, k, m) * s->y[k * o + (size_t)(j - m)];
    return x;
  }
  for (size_t i = 0; i < s->ties; i++) {
    double F = force_of(s, i)[j] / s->size;
    for (size_t k = 0; k < n; k++)
      for (int m = 1; m <= j; m++) F += amo_share_change(s, k, i)[m] * s->y[k * o + (size_t)(j - m)];
    x -= s->weight[i] * amo_share_change(s, e, i)[0] * F;
  }
  return x;
}

/// The least room that a share y [n], `step` apart, leaves at the first order.
static double least_room(const amo_sharing *s, const double *y, size_t step)
{
  double least = INFINITY;
  for (size_t i = 0; i < s->demands; i++) {
    double left = given(s, &s->demand[i], s->first);
    for (size_t k = 0; k < s->n; k++) left -= taken(s, &s->demand[i], k, 0) * y[k * step];
    least = fmin(least, left);
  }
  return least;
}

/// The share as it changes in time; that of the programme, kept constant, where the equations are nearly dependent and leave less room.
static void follow(amo_sharing *s)
{
  const size_t all = s->n + 1 + s->equations, o = (size_t)s->orders;
  double *matrix = s->inverse + all * all;
  memset(s->y, 0, all * o * sizeof *s->y);
  for (size_t e = 0; e < all; e++)
    for (size_t k = 0; k < all; k++) matrix[e * all + k] = entry(s, e, k, 0);
  const bool solved = amo_invert(matrix, all, s->inverse) == AMO_OK;
  for (int j = 0; solved && j < s->orders; j++) {
    for (size_t e = 0; e < all; e++) {
      const double x = right_side(s, e, j);
      for (size_t k = 0; k <= s->n; k++) s->y[k * o + (size_t)j] += s->inverse[k * all + e] * x;
    }
  }
  if (solved && !(least_room(s, s->trial, 1) > least_room(s, s->y + s->first, o) + AMO_ROUGH)) return;
  memset(s->y, 0, all * o * sizeof *s->y);
  for (size_t k = 0; k < s->n; k++) s->y[k * o + (size_t)s->first] = s->trial[k];
}

bool amo_share_suits(amo_sharing *s, bool all)
{
  double size = 0.0;
  s->first = all ? 0 : first_order(s);
  for (size_t i = 0; i < s->ties; i++) {
    const double *F = force_of(s, i);
    size = fmax(size, fabs(F[s->first]));
    for (int j = 1; all && F[0] == 0.0 && j < s->orders; j++)
      if (F[j] != 0.0) return false;  // not there from the beginning
  }
  for (size_t i = 0; i < s->contacts; i++) {
    const amo_share_contact *c = &s->contact[i];
    const long tie[] = {c->normal, c->friction, c->across};
    double F[3] = {0.0};
    bool carried = all;
    for (int k = 0; k < 3; k++) {
      if (tie[k] >= 0) F[k] = force_of(s, (size_t)tie[k])[s->first];
      carried |= amo_share_changes(s, tie[k]);
    }
    const double limit = c->normal < 0 ? bound_of(c, s->first) : bound_of(c, 0) * fabs(F[0]);
    const double room = fmax(limit * (1.0 - AMO_FAINT), AMO_CANCELLED * size);
    if (carried && (c->keeps * F[0] < -AMO_CANCELLED * size || hypot(F[1], F[2]) > room)) return false;
  }
  return true;
}

// ---- open forces that act on contacts in common ----

static bool touches(const amo_sharing *s, size_t k, const amo_share_contact *c)
{
  const long tie[] = {c->normal, c->friction, c->across};
  for (int i = 0; i < 3; i++)
    if (tie[i] >= 0 && fabs(amo_share_change(s, k, (size_t)tie[i])[0]) > AMO_NOTHING) return true;
  return false;
}

/// Does open force k act on a contact of the group?
static bool belongs(const amo_sharing *s, size_t k)
{
  for (size_t i = 0; i < s->contacts; i++)
    if (s->contact[i].carried && touches(s, k, &s->contact[i])) return true;
  return false;
}

static void admit(amo_sharing *s, size_t k, size_t to)
{
  double *a = amo_share_change(s, k, 0), *b = amo_share_change(s, to, 0);
  for (size_t i = 0; i < s->contacts; i++) s->contact[i].carried |= touches(s, k, &s->contact[i]);
  for (size_t i = 0; k != to && i < s->ties * (size_t)s->orders; i++) {
    const double x = a[i];
    a[i] = b[i];
    b[i] = x;
  }
}

/// A group of the open forces comes first: those that act on contacts in common, directly or through others. Returns how many.
static size_t gather(amo_sharing *s, size_t rest)
{
  size_t n = 1;
  for (size_t i = 0; i < s->contacts; i++) s->contact[i].carried = false;
  admit(s, 0, 0);
  for (size_t k = 1; k < rest; k++) {
    if (!belongs(s, k)) continue;
    admit(s, k, n);
    k = n++;  // those passed over may belong now
  }
  return n;
}

/// One group, whose contacts are carried.
static void share_group(amo_sharing *s)
{
  const size_t o = (size_t)s->orders;
  bool round = false;
  s->demands = 0;
  s->room = 1.0;
  s->size = 0.0;
  s->first = first_order(s);
  for (size_t i = 0; i < s->contacts; i++) {
    amo_share_contact *c = &s->contact[i];
    round |= c->carried && c->across >= 0;
    if (c->carried && c->friction >= 0 && isfinite(given_limit(s, c)))
      s->size = fmax(s->size, given_limit(s, c));
  }
  set_aside(s);
  if (round) {
    amo_share_round(s);
  } else {
    if (s->n > 0) list_demands(s);
    if (s->demands == 0) return;
    choose(s);
    while (drop_unloaded(s)) {
      list_demands(s);
      if (s->demands == 0 || s->n == 0) return;
      choose(s);
    }
    follow(s);
  }
  const double unit = round ? 1.0 : s->size;
  for (size_t k = 0; k < s->n; k++)
    for (size_t i = 0; i < s->ties; i++)
      amo_series_add_product(force_of(s, i), amo_share_change(s, k, i), s->y + k * o, unit, s->orders);
}

void amo_share_out(amo_sharing *s)
{
  const size_t all = s->n, each = s->ties * (size_t)s->orders;
  double *change = s->change, room = 1.0;
  for (size_t i = 0; i < s->contacts; i++)
    s->contact[i].side = 0, s->contact[i].size = NAN, s->contact[i].leader = -1;
  for (size_t done = 0, n; done < all; done += n) {
    long leader = -1;
    s->change = change + done * each;
    s->n = n = gather(s, all - done);
    share_group(s);
    room = fmin(room, s->room);
    for (size_t i = 0; i < s->contacts; i++) {
      amo_share_contact *c = &s->contact[i];
      if (c->carried) c->size = s->size;
      if (c->carried && abs(c->side) == 1) c->leader = leader = leader < 0 ? (long)c->id : leader;
    }
  }
  s->change = change;
  s->n = all;
  s->room = room;
  for (size_t i = 0; i < s->contacts; i++) s->contact[i].carried = !isnan(s->contact[i].size);
}
