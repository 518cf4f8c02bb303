// SPDX-License-Identifier: Apache-2.0
/// Friction of sticking contacts that the balance leaves open. Among all shares the one is taken in which the contact nearest to its limit has the most
/// room, measured by what it can hold: a linear programme at the first order at which there is a load at all. The
/// conditions that decide it are equations which the share then follows in time.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/balance_open.h"
#include "num/solve.h"

enum { MOST_SIGNS = 6 };

// ---- conditions ----

static long row_of(const amo_balance *b, const block *bl, tie_kind kind, uint32_t c)
{
  for (uint32_t i = 0; i < bl->rows; i++)
    if (b->rowlist[bl->row + i].kind == kind && b->rowlist[bl->row + i].item == c) return (long)i;
  return -1;
}

static double bound_of(const amo_balance *b, amo_span v, uint32_t c, int j)
{
  return amo_open_coefficient(b, v, b->m->contact[c].r_bound, j);
}

/// Size of the reactions that the share changes.
static double reaction_size(const amo_balance *b, const block *bl, amo_result r)
{
  double size = 0.0;
  for (uint32_t i = 0; i < bl->rows; i++)
    if (b->rowlist[bl->row + i].kind == TIE_GUIDE && amo_open_changes(b->sharing, bl, i))
      size = fmax(size, fabs(amo_open_force(b, bl, r, i, b->sharing->first)));
  return size;
}

/// Loads may grow from nothing: the first order at which a force that the share changes, or a bound, is not zero.
static int first_order(const amo_balance *b, const block *bl, amo_span v, amo_result r)
{
  const amo_sharing *s = b->sharing;
  for (int j = 0; j < s->orders; j++)
    for (uint32_t i = 0; i < bl->rows; i++) {
      const row *ro = &b->rowlist[bl->row + i];
      if (!amo_open_changes(s, bl, i)) continue;
      if (amo_open_force(b, bl, r, i, j) != 0.0) return j;
      const bool given = ro->kind == TIE_STICK && !amo_has_gap(&b->m->contact[ro->item]);
      if (given && bound_of(b, v, ro->item, j) != 0.0) return j;
    }
  return 0;
}

/// What a contact can hold, where the share does not change that; infinite where it does.
static double given_limit(const amo_balance *b, const block *bl, amo_span v, amo_result r, uint32_t c)
{
  const long normal = row_of(b, bl, TIE_GUIDE, c);
  const int first = b->sharing->first;
  if (normal < 0) return fmax(bound_of(b, v, c, first), 0.0);
  if (amo_open_changes(b->sharing, bl, normal)) return INFINITY;
  return fmax(bound_of(b, v, c, 0) * fabs(amo_open_force(b, bl, r, normal, first)), 0.0);
}

/// A contact that can hold next to nothing carries nothing, and does not tell how much room there is.
static void set_aside(amo_balance *b, const block *bl, amo_span v, amo_result r)
{
  amo_sharing *s = b->sharing;
  double most = 0.0;
  for (int pass = 0; pass < 2; pass++)
    for (uint32_t i = 0; i < bl->rows && s->n > 0; i++) {
      const row *ro = &b->rowlist[bl->row + i];
      if (ro->kind != TIE_STICK || !amo_open_changes(s, bl, i)) continue;
      const double limit = given_limit(b, bl, v, r, ro->item);
      if (isinf(limit)) continue;
      if (pass == 0)
        most = fmax(most, limit);
      else if (!(limit > AMO_SAME * most))
        amo_open_free_tie(b, bl, v, r, i);
    }
}

static void put(amo_sharing *s, amo_share_demand d)
{
  s->item[s->demands++] = d;
}

static void list_demands(amo_balance *b, const block *bl, amo_span v, amo_result r)
{
  amo_sharing *s = b->sharing;
  const double size = reaction_size(b, bl, r);
  s->demands = 0;
  s->size = 0.0;
  for (uint32_t i = 0; i < bl->rows; i++) {
    const row *ro = &b->rowlist[bl->row + i];
    const uint32_t c = ro->item;
    const bool tied = ro->kind == TIE_GUIDE && amo_open_changes(s, bl, i);
    if (tied && b->m->contact[c].kind == AMO_SUPPORT) put(s, (amo_share_demand){c, -1, i, 0.0, 1.0, size});
    if (ro->kind != TIE_STICK) continue;
    const long normal = row_of(b, bl, TIE_GUIDE, c);
    if (!amo_open_changes(s, bl, i) && !amo_open_changes(s, bl, normal)) continue;
    const double R = normal < 0 ? 1.0 : amo_open_force(b, bl, r, normal, s->first);
    const double bound = bound_of(b, v, c, normal < 0 ? s->first : 0);
    const bool pulls = R < 0.0 && b->m->contact[c].kind == AMO_GUIDE;
    amo_share_demand d = {c, i, normal, 1.0, pulls ? -1.0 : 1.0, fmax(bound, 0.0) * fabs(R)};
    if (amo_open_changes(s, bl, normal)) d.weight = bound * size;
    put(s, d);
    d.side = -1.0;
    put(s, d);
  }
  for (size_t i = 0; i < s->demands; i++) s->size = fmax(s->size, s->item[i].weight);
  if (!(s->size > 0.0)) s->size = 1.0;
  for (size_t i = 0; i < s->demands; i++) s->item[i].weight = fmax(s->item[i].weight, AMO_SAME * s->size);
}

/// [bound R]_j, R a series `stride` apart.
static double product(const amo_balance *b, amo_span v, uint32_t c, const double *R, size_t stride, int j)
{
  double sum = 0.0;
  for (int m = 0; m <= j; m++) sum += bound_of(b, v, c, m) * R[(size_t)(j - m) * stride];
  return sum;
}

/// Coefficient j of the condition without a share, by its weight.
static double given(const amo_balance *b, const block *bl, amo_span v, amo_result r,
                    const amo_share_demand *d, int j)
{
  const row *rows = b->rowlist + bl->row;
  if (d->friction < 0) return d->sign * amo_open_force(b, bl, r, d->normal, j) / d->weight;
  const double bound =
      d->normal < 0 ? bound_of(b, v, d->contact, j)
                    : d->sign * product(b, v, d->contact, amo_balance_force(&rows[d->normal], r), r.ord, j);
  return (bound - d->side * amo_open_force(b, bl, r, d->friction, j)) / d->weight;
}

/// Coefficient j of what a unit of open force k takes of it.
static double taken(const amo_balance *b, const block *bl, amo_span v, const amo_share_demand *d, uint32_t k,
                    int j)
{
  const amo_sharing *s = b->sharing;
  const double unit = s->size / d->weight;
  const double *R = d->normal < 0 ? NULL : amo_open_change(s, bl, k, (uint32_t)d->normal);
  if (d->friction < 0) return -unit * d->sign * R[j];
  double x = d->side * amo_open_change(s, bl, k, (uint32_t)d->friction)[j];
  if (R != NULL) x -= d->sign * product(b, v, d->contact, R, 1, j);
  return unit * x;
}

// ---- the best share ----

/// Guides that stick may push either way where the share changes their reaction.
static size_t free_signs(const amo_balance *b, const block *bl, uint32_t which[MOST_SIGNS])
{
  const amo_sharing *s = b->sharing;
  size_t n = 0;
  for (size_t i = 0; i < s->demands && n < MOST_SIGNS; i++) {
    const amo_share_demand *d = &s->item[i];
    if (d->side > 0.0 && b->m->contact[d->contact].kind == AMO_GUIDE && amo_open_changes(s, bl, d->normal))
      which[n++] = d->contact;
  }
  return n;
}

static double solve_programme(amo_balance *b, const block *bl, amo_span v, amo_result r, double *y)
{
  amo_sharing *s = b->sharing;
  for (size_t i = 0; i < s->demands; i++) {
    for (uint32_t k = 0; k < s->n; k++) s->a[i * s->n + k] = taken(b, bl, v, &s->item[i], k, 0);
    s->b[i] = given(b, bl, v, r, &s->item[i], s->first);
  }
  s->room.rows = s->demands;
  s->room.n = s->n;
  s->room.a = s->a;
  s->room.b = s->b;
  s->room.most = 1.0;
  return amo_most_room(&s->room, y, s->active);
}

static void set_signs(amo_sharing *s, const uint32_t *which, size_t n, unsigned pattern)
{
  for (size_t j = 0; j < n; j++)
    for (size_t i = 0; i < s->demands; i++)
      if (s->item[i].contact == which[j]) s->item[i].sign = pattern >> j & 1u ? -1.0 : 1.0;
}

/// The best share over all signs of the reactions, its equations in `kept_active`.
static void choose(amo_balance *b, const block *bl, amo_span v, amo_result r)
{
  amo_sharing *s = b->sharing;
  uint32_t which[MOST_SIGNS];
  const size_t n = free_signs(b, bl, which), o = (size_t)s->orders;
  double best = -INFINITY;
  unsigned taken_pattern = 0;
  for (unsigned pattern = 0; pattern < 1u << n; pattern++) {
    set_signs(s, which, n, pattern);
    const double room = solve_programme(b, bl, v, r, s->matrix);
    if (!(room > best)) continue;
    best = room;
    taken_pattern = pattern;
    memcpy(s->kept_active, s->active, (s->n + 1u) * sizeof *s->active);
    for (uint32_t k = 0; k < s->n; k++) s->y[k * o + (size_t)s->first] = s->matrix[k];
  }
  set_signs(s, which, n, taken_pattern);
}

// ---- the share in time ----

/// Coefficient j of entry k of active equation e: open forces, then the room.
static double entry(const amo_balance *b, const block *bl, amo_span v, size_t e, uint32_t k, int j)
{
  const amo_sharing *s = b->sharing;
  const size_t i = s->kept_active[e];
  if (i > s->demands) return j == 0 && k == i - s->demands - 1 ? 1.0 : 0.0;  // y_k = 0
  if (k == s->n) return j == 0 ? 1.0 : 0.0;
  return i == s->demands ? 0.0 : taken(b, bl, v, &s->item[i], k, j);
}

static void follow(amo_balance *b, const block *bl, amo_span v, amo_result r)
{
  amo_sharing *s = b->sharing;
  const size_t n = s->n + 1u;
  const size_t o = (size_t)s->orders;
  for (uint32_t k = 0; k < n; k++)
    for (size_t j = 0; j < o; j++)
      if (j != (size_t)s->first) s->y[k * o + j] = 0.0;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = 0; k < n; k++) s->matrix[i * n + k] = entry(b, bl, v, i, k, 0);
  double *inverse = s->matrix + n * n;
  if (amo_invert(s->matrix, n, inverse) != AMO_OK) return;  // the share of the programme, kept constant
  for (int j = 0; j < s->orders; j++) {
    for (uint32_t k = 0; k < n; k++) s->y[k * o + (size_t)j] = 0.0;
    for (uint32_t e = 0; e < n; e++) {
      const size_t i = s->kept_active[e];
      double x = i < s->demands                     ? given(b, bl, v, r, &s->item[i], j)
                 : i == s->demands && j == s->first ? 1.0
                                                    : 0.0;
      for (int m = 1; m <= j; m++)
        for (uint32_t k = 0; k < n; k++) x -= entry(b, bl, v, e, k, m) * s->y[k * o + (size_t)(j - m)];
      for (uint32_t k = 0; k < n; k++) s->y[k * o + (size_t)j] += inverse[k * n + e] * x;
    }
  }
}

/// Who leaves together when there is no room left: the first of them speaks for all.
static void note_group(amo_balance *b)
{
  const amo_sharing *s = b->sharing;
  long leader = -1;
  for (size_t i = 0; i < s->demands; i++) {
    b->carried[s->item[i].contact] = true;
    b->reach[s->item[i].contact] = s->size;
  }
  for (uint32_t e = 0; e <= s->n; e++) {
    if (s->kept_active[e] >= s->demands) continue;
    const amo_share_demand *d = &s->item[s->kept_active[e]];
    if (d->side == 0.0) continue;
    const bool both = b->limit[d->contact] != 0;
    b->limit[d->contact] = (signed char)(both ? 2 : d->side);
  }
  for (size_t i = 0; i < s->demands; i++) {
    const uint32_t c = s->item[i].contact;
    if (abs(b->limit[c]) != 1) continue;
    if (leader < 0) leader = (long)c;
    b->leader[c] = leader;
  }
}

static amo_status share_block(amo_balance *b, const block *bl, amo_span v, amo_result r, int orders)
{
  amo_status st = amo_open_find(b, bl, v, TIE_STICK, orders);
  if (st != AMO_OK || b->sharing->n == 0) return st;
  b->sharing->first = first_order(b, bl, v, r);
  set_aside(b, bl, v, r);
  list_demands(b, bl, v, r);
  if (b->sharing->n == 0 || b->sharing->demands == 0) return AMO_OK;
  choose(b, bl, v, r);
  follow(b, bl, v, r);
  amo_open_apply(b, bl, v, r);
  note_group(b);
  return AMO_OK;
}

static bool is_determined(const block *bl)
{
  return bl->rows == 0 || bl->rank_rows == bl->coords + bl->rows;
}

bool amo_balance_is_open(const amo_balance *b)
{
  for (uint32_t i = 0; i < b->nblocks; i++)
    if (!is_determined(&b->blocks[i])) return true;
  return false;
}

amo_status amo_balance_share_out(amo_balance *b, amo_span v, amo_result r, int orders)
{
  amo_status st = AMO_OK;
  amo_balance_forget_shares(b);
  for (uint32_t i = 0; st == AMO_OK && i < b->nblocks; i++) {
    const block *bl = &b->blocks[i];
    if (is_determined(bl)) continue;
    st = amo_balance_springs(b, bl, v, r, orders);
    if (st == AMO_OK) st = share_block(b, bl, v, r, orders);
  }
  return st;
}
