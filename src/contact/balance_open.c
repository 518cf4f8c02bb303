// SPDX-License-Identifier: Apache-2.0
/// Forces along ties that depend on others. They are taken back by the others and move nothing, unless what they press
/// on slips with friction of its own.
#include "contact/balance_open.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/springs.h"

static const double nothing = AMO_SAME;  // of a unit force along a scaled tie

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
            (n * rows * o + most * (n + 1u) + (k + n + 1u) * o + equations + work) * sizeof(double)))
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
  s->line = s->y + (k + n) * o;
  s->matrix = s->line + o;
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

/// Do all ties, and the friction that comes with some, stay the same combinations of coordinates?
static bool still(const amo_balance *b, const block *bl)
{
  for (uint32_t i = 0; i < bl->rows; i++) {
    const row *ro = &b->rowlist[bl->row + i];
    if (!amo_row_is_fixed(b->m, ro->entry, ro->entries)) return false;
    if (ro->sign == 0.0) continue;
    const amo_contact *c = &b->m->contact[ro->item];
    if (!amo_prog_is_fixed(b->m->step, c->r_kinetic) || !amo_row_is_fixed(b->m, c->w, c->nw)) return false;
  }
  return true;
}

/// Generalised force along entries, into the block's right side; returns the largest term, scaled.
static double push(const amo_balance *b, const block *bl, amo_span v, const amo_entry *entry,
                   uint32_t entries, int m, double force, double *x)
{
  double most = 0.0;
  for (uint32_t e = 0; force != 0.0 && e < entries; e++) {
    const double term = amo_open_coefficient(b, v, entry[e].reg, m) * force;
    x[bl->rows + b->local[entry[e].col]] += term;
    most = fmax(most, fabs(term) * b->coord_scale[entry[e].col]);
  }
  return most;
}

/// Coefficient j of the friction that a series of reactions R brings; `known`: without that of R_j.
static double friction(const amo_balance *b, const row *ro, amo_span v, const double *R, int j, bool known)
{
  double sum = 0.0;
  for (int m = known ? 1 : 0; m <= j; m++)
    sum -= ro->sign * amo_open_coefficient(b, v, b->m->contact[ro->item].r_kinetic, m) * R[j - m];
  return sum;
}

/// What the lower orders of a force along tie i, and a unit of it at order 0 if it is the open one, do at order j.
static double push_tie(const amo_balance *b, const block *bl, amo_span v, uint32_t i, const double *R, int j,
                       bool unit, double *x)
{
  const row *ro = &b->rowlist[bl->row + i];
  const amo_contact *c = &b->m->contact[ro->item];
  double most = unit ? push(b, bl, v, ro->entry, ro->entries, 0, 1.0, x) : 0.0;
  for (int m = 1; m <= j; m++) most = fmax(most, push(b, bl, v, ro->entry, ro->entries, m, R[j - m], x));
  if (ro->sign == 0.0) return most;
  const double one = 1.0, now = unit ? friction(b, ro, v, &one, 0, false) : friction(b, ro, v, R, j, true);
  most = fmax(most, push(b, bl, v, c->w, c->nw, 0, now, x));
  for (int m = 1; m <= j; m++)
    most = fmax(most, push(b, bl, v, c->w, c->nw, m, friction(b, ro, v, R, j - m, false), x));
  return most;
}

/// Coefficient j of the changes by open tie k. False if something moves, through the friction of what slips. *most: largest
/// push so far; ties that turn by the rounding of a motion only do not move anything.
static bool solve_change(amo_balance *b, const block *bl, amo_span v, uint32_t k, int j, double *most)
{
  const amo_sharing *s = b->sharing;
  const double power = pow(b->length, j);
  double *x = b->rhs, size = *most / power;
  for (uint32_t i = 0; i < bl->rows + bl->coords; i++) x[i] = 0.0;
  for (uint32_t i = 0; i < bl->rows; i++)
    size = fmax(size, push_tie(b, bl, v, i, amo_open_change(s, bl, k, i), j, j == 0 && i == s->tie[k], x));
  *most = size * power;
  amo_balance_substitute(b, bl, x, x);
  for (uint32_t i = 0; i < bl->rows; i++) amo_open_change(s, bl, k, i)[j] = x[bl->coords + i];
  if (j == 0) amo_open_change(s, bl, k, s->tie[k])[0] = 1.0;
  for (uint32_t i = 0; i < bl->coords; i++)
    if (fabs(x[i]) > nothing * size * b->coord_scale[b->order[bl->coord + i]]) return false;
  return true;
}

/// All changes by the tie; false if it moves something.
static bool solve_changes(amo_balance *b, const block *bl, amo_span v, uint32_t k, bool constant)
{
  const amo_sharing *s = b->sharing;
  double most = 0.0;
  if (!solve_change(b, bl, v, k, 0, &most)) return false;
  for (int j = 1; j < s->orders; j++)
    if (constant)
      for (uint32_t t = 0; t < bl->rows; t++) amo_open_change(s, bl, k, t)[j] = 0.0;
    else if (!solve_change(b, bl, v, k, j, &most))
      return false;
  return true;
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
    if (solve_changes(b, bl, v, s->n, constant)) s->n++;
  }
  return AMO_OK;
}

bool amo_open_changes(const amo_sharing *s, const block *bl, long tie)
{
  for (uint32_t k = 0; tie >= 0 && k < s->n; k++)
    if (fabs(amo_open_change(s, bl, k, (uint32_t)tie)[0]) > AMO_NOTHING) return true;
  return false;
}

/// q = a / c, series with c[0] not zero; a is used up.
static void divide(double *a, const double *c, int orders)
{
  for (int j = 0; j < orders; j++) {
    for (int m = 1; m <= j; m++) a[j] -= c[m] * a[j - m];
    a[j] /= c[0];
  }
}

void amo_open_free_tie(amo_balance *b, const block *bl, amo_span v, amo_result r, uint32_t tie)
{
  amo_sharing *s = b->sharing;
  const size_t o = (size_t)s->orders;
  uint32_t best = 0;
  for (uint32_t k = 1; k < s->n; k++)
    if (fabs(amo_open_change(s, bl, k, tie)[0]) > fabs(amo_open_change(s, bl, best, tie)[0])) best = k;
  double *own = amo_open_change(s, bl, best, 0);
  for (size_t j = 0; j < s->n * o; j++) s->y[j] = 0.0;
  for (int j = 0; j < s->orders; j++) s->y[best * o + (size_t)j] = -amo_open_force(b, bl, r, tie, j);
  divide(s->y + best * o, own + tie * o, s->orders);
  s->size = 1.0;
  amo_open_apply(b, bl, v, r);
  for (int j = 0; j < s->orders; j++)
    amo_balance_force(&b->rowlist[bl->row + tie], r)[(size_t)j * r.ord] = 0.0;
  for (uint32_t k = 0; k < s->n; k++) {
    if (k == best) continue;
    double *q = s->y, *change = amo_open_change(s, bl, k, 0);
    memcpy(q, change + tie * o, o * sizeof *q);
    divide(q, own + tie * o, s->orders);
    for (uint32_t i = 0; i < bl->rows; i++)
      for (int j = 0; j < s->orders; j++)
        for (int m = 0; m <= j; m++) change[i * o + (size_t)j] -= own[i * o + (size_t)m] * q[j - m];
    for (size_t j = 0; j < o; j++) change[tie * o + j] = 0.0;
  }
  s->n--;
  if (best != s->n) memcpy(own, amo_open_change(s, bl, s->n, 0), bl->rows * o * sizeof *own);
  if (best != s->n) s->tie[best] = s->tie[s->n];
}

/// Coefficient j of what open force k, a series y, does along tie i.
static double more_of(const amo_sharing *s, const block *bl, uint32_t k, uint32_t i, const double *y, int j)
{
  const double *c = amo_open_change(s, bl, k, i);
  double sum = 0.0;
  for (int m = 0; m <= j; m++) sum += s->size * c[m] * y[j - m];
  return sum;
}

void amo_open_apply(const amo_balance *b, const block *bl, amo_span v, amo_result r)
{
  const amo_sharing *s = b->sharing;
  for (uint32_t i = 0; i < bl->rows; i++) {
    const row *ro = &b->rowlist[bl->row + i];
    double *f = amo_balance_force(ro, r), *more = s->line;
    for (int j = 0; j < s->orders; j++) {
      more[j] = 0.0;
      for (uint32_t k = 0; k < s->n; k++)
        more[j] += more_of(s, bl, k, i, s->y + (size_t)k * (size_t)s->orders, j);
      f[(size_t)j * r.ord] += more[j];
      if (ro->sign != 0.0)
        r.lambda[ro->item * r.item + (size_t)j * r.ord] += friction(b, ro, v, more, j, false);
    }
  }
}
