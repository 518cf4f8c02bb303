// SPDX-License-Identifier: Apache-2.0
/// Forces of sticking contacts that the balance leaves open. A force along a tie that was dropped is taken back by the
/// others and moves nothing. Among all shares the one is taken in which the contact nearest to its limit has the most
/// room, measured by what it can hold: a linear programme at the first order at which there is a load at all. The
/// conditions that decide it are equations which the share then follows in time.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/balance_impl.h"
#include "contact/share.h"

enum { MOST_SIGNS = 6 };
static const double nothing = 1e-9;  // of a unit force along a scaled tie

/// bound - side*lambda >= 0, or (side 0) sign*R >= 0.
typedef struct demand {
  uint32_t contact;
  long friction, normal;  // rows of the block; -1: none
  double side, sign;      // sign: of the reaction
  double weight;          // what counts as all the room there can be
} demand;

struct amo_sharing {
  double *store;
  size_t store_size;
  void *lists;
  size_t lists_size;
  uint32_t n;  // open ties
  uint32_t *tie;
  int orders, first;  // first: order of the programme
  double *change;     // [n][rows][orders] forces of all ties by a unit of each open one
  demand *item;
  size_t demands;
  double size;     // unit of the open forces
  double *a, *b;   // conditions of the programme
  double *y;       // [n + 1][orders] open forces in that unit, then the room
  double *matrix;  // [n + 1][2 (n + 1)] equations, then their inverse
  size_t *active, *kept_active;
  amo_room room;
};

void amo_sharing_free(amo_sharing *s)
{
  if (s == NULL) return;
  free(s->store);
  free(s->lists);
  free(s);
}

static bool grow(void *pointer, size_t *size, size_t need)
{
  void **p = pointer;
  if (need <= *size) return true;
  void *more = realloc(*p, need);
  if (more == NULL) return false;
  *p = more;
  *size = need;
  return true;
}

/// Room for a block; grows a few times in a run.
static bool reserve(amo_sharing *s, const block *bl, uint32_t n, int orders)
{
  const size_t rows = bl->rows, most = 2 * rows, k = n + 1u, o = (size_t)orders;
  const size_t work = amo_room_work(most, n);
  if (!grow(&s->store, &s->store_size,
            (n * rows * o + most * (n + 1u) + k * o + 2 * k * k + work) * sizeof(double)))
    return false;
  const size_t basis = amo_room_basis(most, n);
  if (!grow(&s->lists, &s->lists_size,
            most * sizeof(demand) + (2 * k + basis) * sizeof(size_t) + n * sizeof(uint32_t)))
    return false;
  s->orders = orders;
  s->change = s->store;
  s->a = s->change + n * rows * o;
  s->b = s->a + most * n;
  s->y = s->b + most;
  s->matrix = s->y + k * o;
  s->room.work = s->matrix + 2 * k * k;
  s->item = s->lists;
  s->active = (size_t *)(s->item + most);
  s->kept_active = s->active + k;
  s->room.basis = s->kept_active + k;
  s->tie = (uint32_t *)(s->room.basis + basis);
  return true;
}

// ---- what a unit of an open force changes ----

static double *change_of(const amo_sharing *s, const block *bl, uint32_t k, uint32_t tie)
{
  return s->change + ((size_t)k * bl->rows + tie) * (size_t)s->orders;
}

static double coefficient(const amo_balance *b, amo_span v, uint32_t reg, int k)
{
  return k > 0 && amo_prog_is_fixed(b->m->step, reg) ? 0.0 : v.base[reg * v.reg + (size_t)k * v.ord];
}

static bool still(const amo_balance *b, const block *bl)
{
  for (uint32_t i = 0; i < bl->rows; i++) {
    const row *ro = &b->rowlist[bl->row + i];
    for (uint32_t e = 0; e < ro->entries; e++)
      if (!amo_prog_is_fixed(b->m->step, ro->entry[e].reg)) return false;
  }
  return true;
}

/// Coefficient j of the changes by open tie k.
static void solve_change(amo_balance *b, const block *bl, amo_span v, uint32_t k, int j)
{
  const amo_sharing *s = b->sharing;
  double *x = b->rhs;
  for (uint32_t i = 0; i < bl->rows + bl->coords; i++) x[i] = 0.0;
  for (uint32_t i = 0; i < bl->rows; i++) {
    const row *ro = &b->rowlist[bl->row + i];
    const double *c = change_of(s, bl, k, i);
    for (uint32_t e = 0; e < ro->entries; e++) {
      double *to = &x[bl->rows + b->local[ro->entry[e].col]];
      if (j == 0 && i == s->tie[k]) *to += v.base[ro->entry[e].reg * v.reg];
      for (int m = 1; m <= j; m++) *to += coefficient(b, v, ro->entry[e].reg, m) * c[j - m];
    }
  }
  amo_balance_substitute(b, bl, x, x);
  for (uint32_t i = 0; i < bl->rows; i++) change_of(s, bl, k, i)[j] = x[bl->coords + i];
  if (j == 0) change_of(s, bl, k, s->tie[k])[0] = 1.0;
}

/// Does a force along the tie move something, itself or through the friction of what slips?
static bool moves(const amo_balance *b, const block *bl, uint32_t k)
{
  const amo_sharing *s = b->sharing;
  const double unit = b->tie_scale[bl->row + s->tie[k]];
  for (uint32_t i = 0; i < bl->coords; i++)
    if (fabs(b->rhs[i]) * unit > nothing * b->coord_scale[b->order[bl->coord + i]]) return true;
  for (uint32_t i = 0; i < bl->rows; i++)
    if (b->rowlist[bl->row + i].sign != 0.0 &&
        fabs(change_of(s, bl, k, i)[0]) * unit > nothing * b->tie_scale[bl->row + i])
      return true;
  return false;
}

static bool can_open(const row *ro)
{
  return ro->kind == TIE_STICK || (ro->kind == TIE_GUIDE && ro->sign == 0.0);
}

static void find_open(amo_balance *b, const block *bl, amo_span v)
{
  amo_sharing *s = b->sharing;
  const uint32_t n = bl->coords + bl->rows, *rp = b->perm + bl->perm;
  const bool fixed = still(b, bl);
  s->n = 0;
  for (uint32_t i = bl->rank_rows; i < n; i++) {
    if (!can_open(&b->rowlist[bl->row + rp[i]])) continue;
    s->tie[s->n] = rp[i];
    solve_change(b, bl, v, s->n, 0);
    if (moves(b, bl, s->n)) continue;
    for (int j = 1; j < s->orders; j++)
      if (fixed)
        for (uint32_t r = 0; r < bl->rows; r++) change_of(s, bl, s->n, r)[j] = 0.0;
      else
        solve_change(b, bl, v, s->n, j);
    s->n++;
  }
}

// ---- conditions ----

static bool changes(const amo_sharing *s, const block *bl, long tie)
{
  for (uint32_t k = 0; tie >= 0 && k < s->n; k++)
    if (fabs(change_of(s, bl, k, (uint32_t)tie)[0]) > 1e-12) return true;
  return false;
}

static long row_of(const amo_balance *b, const block *bl, tie_kind kind, uint32_t c)
{
  for (uint32_t i = 0; i < bl->rows; i++)
    if (b->rowlist[bl->row + i].kind == kind && b->rowlist[bl->row + i].item == c) return (long)i;
  return -1;
}

static double force_at(const amo_balance *b, const block *bl, amo_result r, long tie, int j)
{
  return amo_balance_force(&b->rowlist[bl->row + (size_t)tie], r)[(size_t)j * r.ord];
}

static double bound_of(const amo_balance *b, amo_span v, uint32_t c, int j)
{
  return coefficient(b, v, b->m->contact[c].r_bound, j);
}

/// Size of the reactions that the share changes.
static double reaction_size(const amo_balance *b, const block *bl, amo_result r)
{
  double size = 0.0;
  for (uint32_t i = 0; i < bl->rows; i++)
    if (b->rowlist[bl->row + i].kind == TIE_GUIDE && changes(b->sharing, bl, i))
      size = fmax(size, fabs(force_at(b, bl, r, i, b->sharing->first)));
  return size;
}

/// Loads may grow from nothing: the first order at which a force that the share changes, or a bound, is not zero.
static int first_order(const amo_balance *b, const block *bl, amo_span v, amo_result r)
{
  const amo_sharing *s = b->sharing;
  for (int j = 0; j < s->orders; j++)
    for (uint32_t i = 0; i < bl->rows; i++) {
      const row *ro = &b->rowlist[bl->row + i];
      if (!changes(s, bl, i)) continue;
      if (force_at(b, bl, r, i, j) != 0.0) return j;
      const bool given = ro->kind == TIE_STICK && !amo_has_gap(&b->m->contact[ro->item]);
      if (given && bound_of(b, v, ro->item, j) != 0.0) return j;
    }
  return 0;
}

static void put(amo_sharing *s, demand d)
{
  s->item[s->demands++] = d;
}

static void list_demands(amo_balance *b, const block *bl, amo_span v, amo_result r)
{
  amo_sharing *s = b->sharing;
  s->first = first_order(b, bl, v, r);
  const double size = reaction_size(b, bl, r);
  s->demands = 0;
  s->size = 0.0;
  for (uint32_t i = 0; i < bl->rows; i++) {
    const row *ro = &b->rowlist[bl->row + i];
    const uint32_t c = ro->item;
    const bool tied = ro->kind == TIE_GUIDE && changes(s, bl, i);
    if (tied && b->m->contact[c].kind == AMO_SUPPORT) put(s, (demand){c, -1, i, 0.0, 1.0, size});
    if (ro->kind != TIE_STICK) continue;
    const long normal = row_of(b, bl, TIE_GUIDE, c);
    if (!changes(s, bl, i) && !changes(s, bl, normal)) continue;
    const double R = normal < 0 ? 1.0 : force_at(b, bl, r, normal, s->first);
    const double bound = bound_of(b, v, c, normal < 0 ? s->first : 0);
    demand d = {c, i, normal, 1.0, R < 0.0 ? -1.0 : 1.0, fmax(bound, 0.0) * fabs(R)};
    if (changes(s, bl, normal)) d.weight = bound * size;
    put(s, d);
    d.side = -1.0;
    put(s, d);
  }
  for (size_t i = 0; i < s->demands; i++) s->size = fmax(s->size, s->item[i].weight);
  if (!(s->size > 0.0)) s->size = 1.0;
  for (size_t i = 0; i < s->demands; i++) s->item[i].weight = fmax(s->item[i].weight, 1e-9 * s->size);
}

/// [bound R]_j, R a series `stride` apart.
static double product(const amo_balance *b, amo_span v, uint32_t c, const double *R, size_t stride, int j)
{
  double sum = 0.0;
  for (int m = 0; m <= j; m++) sum += bound_of(b, v, c, m) * R[(size_t)(j - m) * stride];
  return sum;
}

/// Coefficient j of the condition without a share, by its weight.
static double given(const amo_balance *b, const block *bl, amo_span v, amo_result r, const demand *d, int j)
{
  const row *rows = b->rowlist + bl->row;
  if (d->friction < 0) return d->sign * force_at(b, bl, r, d->normal, j) / d->weight;
  const double bound =
      d->normal < 0 ? bound_of(b, v, d->contact, j)
                    : d->sign * product(b, v, d->contact, amo_balance_force(&rows[d->normal], r), r.ord, j);
  return (bound - d->side * force_at(b, bl, r, d->friction, j)) / d->weight;
}

/// Coefficient j of what a unit of open force k takes of it.
static double taken(const amo_balance *b, const block *bl, amo_span v, const demand *d, uint32_t k, int j)
{
  const amo_sharing *s = b->sharing;
  const double unit = s->size / d->weight;
  const double *R = d->normal < 0 ? NULL : change_of(s, bl, k, (uint32_t)d->normal);
  if (d->friction < 0) return -unit * d->sign * R[j];
  double x = d->side * change_of(s, bl, k, (uint32_t)d->friction)[j];
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
    const demand *d = &s->item[i];
    if (d->side > 0.0 && b->m->contact[d->contact].kind == AMO_GUIDE && changes(s, bl, d->normal))
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

static bool invert(double *m, uint32_t n)
{
  const uint32_t width = 2 * n;
  for (uint32_t c = 0; c < n; c++) {
    uint32_t best = c;
    for (uint32_t i = c + 1; i < n; i++)
      if (fabs(m[i * width + c]) > fabs(m[best * width + c])) best = i;
    if (!(fabs(m[best * width + c]) > 1e-13)) return false;
    for (uint32_t j = 0; j < width; j++) {
      const double x = m[c * width + j];
      m[c * width + j] = m[best * width + j];
      m[best * width + j] = x;
    }
    const double p = m[c * width + c];
    for (uint32_t j = 0; j < width; j++) m[c * width + j] /= p;
    for (uint32_t i = 0; i < n; i++) {
      const double f = m[i * width + c];
      for (uint32_t j = 0; i != c && j < width; j++) m[i * width + j] -= f * m[c * width + j];
    }
  }
  return true;
}

static void follow(amo_balance *b, const block *bl, amo_span v, amo_result r)
{
  amo_sharing *s = b->sharing;
  const uint32_t n = s->n + 1;
  const size_t o = (size_t)s->orders;
  for (uint32_t k = 0; k < n; k++)
    for (size_t j = 0; j < o; j++)
      if (j != (size_t)s->first) s->y[k * o + j] = 0.0;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = 0; k < 2 * n; k++)
      s->matrix[i * 2 * n + k] = k < n ? entry(b, bl, v, i, k, 0) : k - n == i ? 1.0 : 0.0;
  if (!invert(s->matrix, n)) return;  // the share of the programme, kept constant
  for (int j = 0; j < s->orders; j++) {
    for (uint32_t k = 0; k < n; k++) s->y[k * o + (size_t)j] = 0.0;
    for (uint32_t e = 0; e < n; e++) {
      const size_t i = s->kept_active[e];
      double x = i < s->demands                     ? given(b, bl, v, r, &s->item[i], j)
                 : i == s->demands && j == s->first ? 1.0
                                                    : 0.0;
      for (int m = 1; m <= j; m++)
        for (uint32_t k = 0; k < n; k++) x -= entry(b, bl, v, e, k, m) * s->y[k * o + (size_t)(j - m)];
      for (uint32_t k = 0; k < n; k++) s->y[k * o + (size_t)j] += s->matrix[k * 2 * n + n + e] * x;
    }
  }
}

static void apply(const amo_balance *b, const block *bl, amo_result r)
{
  const amo_sharing *s = b->sharing;
  for (uint32_t i = 0; i < bl->rows; i++) {
    double *f = amo_balance_force(&b->rowlist[bl->row + i], r);
    for (uint32_t k = 0; k < s->n; k++) {
      const double *c = change_of(s, bl, k, i), *y = s->y + (size_t)k * (size_t)s->orders;
      for (int j = 0; j < s->orders; j++)
        for (int m = 0; m <= j; m++) f[(size_t)j * r.ord] += s->size * c[m] * y[j - m];
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
    const demand *d = &s->item[s->kept_active[e]];
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

static bool has_open(const amo_balance *b, const block *bl, uint32_t *count)
{
  const uint32_t n = bl->coords + bl->rows, *rp = b->perm + bl->perm;
  *count = 0;
  if (bl->rows == 0) return false;
  for (uint32_t i = bl->rank_rows; i < n; i++) *count += can_open(&b->rowlist[bl->row + rp[i]]);
  return *count > 0;
}

amo_status amo_balance_share_out(amo_balance *b, amo_span v, amo_result r, int orders)
{
  amo_balance_forget_shares(b);
  for (uint32_t i = 0; i < b->nblocks; i++) {
    const block *bl = &b->blocks[i];
    uint32_t count;
    if (!has_open(b, bl, &count)) continue;
    if (b->sharing == NULL) b->sharing = calloc(1, sizeof *b->sharing);
    if (b->sharing == NULL || !reserve(b->sharing, bl, count, orders)) return AMO_ENOMEM;
    find_open(b, bl, v);
    list_demands(b, bl, v, r);
    if (b->sharing->n == 0 || b->sharing->demands == 0) continue;
    choose(b, bl, v, r);
    follow(b, bl, v, r);
    apply(b, bl, r);
    note_group(b);
  }
  return AMO_OK;
}
