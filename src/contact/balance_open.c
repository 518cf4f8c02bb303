// SPDX-License-Identifier: Apache-2.0
/// Forces along ties that depend on others. They are taken back by the others and move nothing, unless what they press
/// on slips with friction of its own.
#include "contact/balance_open.h"

#include <math.h>
#include <stdlib.h>

#include "contact/springs.h"

static const double nothing = 1e-9;  // of a unit force along a scaled tie

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
  const size_t work = amo_room_work(most, n), basis = amo_room_basis(most, n);
  const size_t equations = 2 * k * k + amo_springs_work(n);
  if (!grow(&s->store, &s->store_size,
            (n * rows * o + most * (n + 1u) + (k + n) * o + equations + work) * sizeof(double)))
    return false;
  if (!grow(&s->lists, &s->lists_size,
            most * sizeof *s->item + (2 * k + basis) * sizeof *s->active + (n + rows) * sizeof *s->tie +
                rows * sizeof *s->one_sided))
    return false;
  s->orders = orders;
  s->change = s->store;
  s->a = s->change + n * rows * o;
  s->b = s->a + most * n;
  s->y = s->b + most;
  s->matrix = s->y + (k + n) * o;
  s->room.work = s->matrix + equations;
  s->item = s->lists;
  s->active = (size_t *)(s->item + most);
  s->kept_active = s->active + k;
  s->room.basis = s->kept_active + k;
  s->tie = (uint32_t *)(s->room.basis + basis);
  s->taking = s->tie + n;
  s->one_sided = (bool *)(s->taking + rows);
  return true;
}

static bool fixed(const amo_balance *b, const amo_entry *e, uint32_t n)
{
  for (uint32_t i = 0; i < n; i++)
    if (!amo_prog_is_fixed(b->m->step, e[i].reg)) return false;
  return true;
}

static bool still(const amo_balance *b, const block *bl)
{
  for (uint32_t i = 0; i < bl->rows; i++) {
    const row *ro = &b->rowlist[bl->row + i];
    if (!fixed(b, ro->entry, ro->entries)) return false;
  }
  return true;
}

/// Does the friction that a slipping contact's reaction brings stay the same combination of forces?
static bool even(const amo_balance *b, const row *ro)
{
  const amo_contact *c = &b->m->contact[ro->item];
  return amo_prog_is_fixed(b->m->step, c->r_kinetic) && fixed(b, c->w, c->nw) &&
         fixed(b, ro->entry, ro->entries);
}

/// A unit force along a tie, with the friction that it brings.
static void load_unit(const amo_balance *b, const block *bl, amo_span v, uint32_t tie, double *x)
{
  const row *ro = &b->rowlist[bl->row + tie];
  for (uint32_t e = 0; e < ro->entries; e++)
    x[bl->rows + b->local[ro->entry[e].col]] += v.base[ro->entry[e].reg * v.reg];
  if (ro->sign == 0.0) return;
  const amo_contact *c = &b->m->contact[ro->item];
  for (uint32_t e = 0; e < c->nw; e++)
    x[bl->rows + b->local[c->w[e].col]] -=
        ro->sign * v.base[c->r_kinetic * v.reg] * v.base[c->w[e].reg * v.reg];
}

/// Coefficient j of the changes by open tie k.
static void solve_change(amo_balance *b, const block *bl, amo_span v, uint32_t k, int j)
{
  const amo_sharing *s = b->sharing;
  double *x = b->rhs;
  for (uint32_t i = 0; i < bl->rows + bl->coords; i++) x[i] = 0.0;
  if (j == 0) load_unit(b, bl, v, s->tie[k], x);
  for (uint32_t i = 0; j > 0 && i < bl->rows; i++) {
    const row *ro = &b->rowlist[bl->row + i];
    const double *c = amo_open_change(s, bl, k, i);
    for (uint32_t e = 0; e < ro->entries; e++)
      for (int m = 1; m <= j; m++)
        x[bl->rows + b->local[ro->entry[e].col]] +=
            amo_open_coefficient(b, v, ro->entry[e].reg, m) * c[j - m];
  }
  amo_balance_substitute(b, bl, x, x);
  for (uint32_t i = 0; i < bl->rows; i++) amo_open_change(s, bl, k, i)[j] = x[bl->coords + i];
  if (j == 0) amo_open_change(s, bl, k, s->tie[k])[0] = 1.0;
}

/// Does a force along the tie move something, now or later?
static bool moves(const amo_balance *b, const block *bl, uint32_t k)
{
  const amo_sharing *s = b->sharing;
  const double unit = b->tie_scale[bl->row + s->tie[k]];
  for (uint32_t i = 0; i < bl->coords; i++)
    if (fabs(b->rhs[i]) * unit > nothing * b->coord_scale[b->order[bl->coord + i]]) return true;
  for (uint32_t i = 0; i < bl->rows; i++) {
    const row *ro = &b->rowlist[bl->row + i];
    if (ro->sign != 0.0 && !even(b, ro) &&
        fabs(amo_open_change(s, bl, k, i)[0]) * unit > nothing * b->tie_scale[bl->row + i])
      return true;
  }
  return false;
}

amo_status amo_open_find(amo_balance *b, const block *bl, amo_span v, tie_kind kind, int orders)
{
  const uint32_t n = bl->coords + bl->rows, *rp = b->perm + bl->perm;
  uint32_t count = 0;
  for (uint32_t i = bl->rank_rows; i < n; i++) count += b->rowlist[bl->row + rp[i]].kind == kind;
  if (b->sharing == NULL) b->sharing = calloc(1, sizeof *b->sharing);
  amo_sharing *s = b->sharing;
  if (s == NULL || !reserve(s, bl, count, orders)) return AMO_ENOMEM;
  s->n = 0;
  const bool constant = count > 0 && still(b, bl);
  for (uint32_t i = bl->rank_rows; i < n; i++) {
    if (b->rowlist[bl->row + rp[i]].kind != kind) continue;
    s->tie[s->n] = rp[i];
    solve_change(b, bl, v, s->n, 0);
    if (moves(b, bl, s->n)) continue;
    for (int j = 1; j < s->orders; j++)
      if (constant)
        for (uint32_t t = 0; t < bl->rows; t++) amo_open_change(s, bl, s->n, t)[j] = 0.0;
      else
        solve_change(b, bl, v, s->n, j);
    s->n++;
  }
  return AMO_OK;
}

bool amo_open_changes(const amo_sharing *s, const block *bl, long tie)
{
  for (uint32_t k = 0; tie >= 0 && k < s->n; k++)
    if (fabs(amo_open_change(s, bl, k, (uint32_t)tie)[0]) > 1e-12) return true;
  return false;
}

void amo_open_apply(const amo_balance *b, const block *bl, amo_span v, amo_result r)
{
  const amo_sharing *s = b->sharing;
  for (uint32_t i = 0; i < bl->rows; i++) {
    const row *ro = &b->rowlist[bl->row + i];
    double *f = amo_balance_force(ro, r);
    for (int j = 0; j < s->orders; j++) {
      double more = 0.0;
      for (uint32_t k = 0; k < s->n; k++) {
        const double *c = amo_open_change(s, bl, k, i), *y = s->y + (size_t)k * (size_t)s->orders;
        for (int m = 0; m <= j; m++) more += s->size * c[m] * y[j - m];
      }
      f[(size_t)j * r.ord] += more;
      if (ro->sign != 0.0)
        r.lambda[ro->item * r.item + (size_t)j * r.ord] -=
            ro->sign * v.base[b->m->contact[ro->item].r_kinetic * v.reg] * more;
    }
  }
}
