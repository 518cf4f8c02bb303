// SPDX-License-Identifier: Apache-2.0
/// Forces along ties that depend on others. They are taken back by the others and move nothing, unless what they press
/// on slips with friction of its own.
#include "contact/balance_open.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double nothing = AMO_SAME;  // of a unit force along a scaled tie

bool amo_open_is_still(const amo_balance *b, const block *bl)
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

/// Coefficient j of the generalised force that a force brings along entries, by the coefficients from..j of these and j-from..0 of the
/// force, into the block's right side; returns the largest term, scaled.
static double push(const amo_balance *b, const block *bl, amo_span v, const amo_entry *entry,
                   uint32_t entries, int from, int j, const double *force, double *x)
{
  double most = 0.0;
  for (uint32_t e = 0; e < entries; e++) {
    const double *a = v.base + entry[e].reg * v.reg, scale = b->coord_scale[entry[e].col];
    const int last = amo_prog_is_fixed(b->m->step, entry[e].reg) ? 0 : j;
    for (int m = from; m <= last; m++) {
      if (force[j - m] == 0.0) continue;
      const double term = a[(size_t)m * v.ord] * force[j - m], size = fabs(term) * scale;
      x[bl->rows + b->local[entry[e].col]] += term;
      most = size > most ? size : most;
    }
  }
  return most;
}

/// Coefficient j of the friction that a series of reactions R brings; `known`: without that of R_j.
double amo_open_friction(const amo_balance *b, const row *ro, amo_span v, const double *R, int j, bool known)
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
  const double one = 1.0, *force = unit ? &one : R;
  const double most = push(b, bl, v, ro->entry, ro->entries, !unit, j, force, x);
  if (ro->sign == 0.0) return most;
  double friction[AMO_MAX_ORDER + 1];
  for (int m = 0; m <= j; m++) friction[m] = amo_open_friction(b, ro, v, force, m, !unit && m == j);
  return fmax(most, push(b, bl, v, c->w, c->nw, 0, j, friction, x));
}

/// What is open: the force along a tie, or a stress inside that no spring makes.
typedef struct opening {
  uint32_t tie;
  bool spring;    // the spring in the place of this tie
  bool stressed;  // others may be: supports that springs would have parted carry something
} opening;

/// Coefficient j of the changes by one more open force. False if something moves, through the friction of what slips. *most: largest
/// push so far; ties that turn by the rounding of a motion only do not move anything.
static bool solve_change(amo_balance *b, const block *bl, amo_span v, amo_result r, opening o, int j,
                         double *most)
{
  const amo_sharing *s = b->sharing;
  const double power = pow(b->length, j);
  const bool unit = j == 0 && !o.spring;
  double *x = b->rhs, size = *most / power;
  for (uint32_t i = 0; i < bl->rows + bl->coords; i++) x[i] = 0.0;
  for (uint32_t i = 0; i < bl->rows; i++)
    size = fmax(size, push_tie(b, bl, v, i, amo_share_change(s, s->n, i), j, unit && i == o.tie, x));
  if (j == 0 && o.spring) x[o.tie] = size = 1.0;
  *most = size * power;
  if (bl->springs > 0) amo_springs_change(b, bl, amo_share_change(s, s->n, 0), s->orders, j, x);
  amo_balance_substitute(b, bl, x, x);
  if (bl->springs > 0 && !o.stressed) amo_springs_keep(b, bl, r, s->orders, x);
  for (uint32_t i = 0; i < bl->rows; i++) amo_share_change(s, s->n, i)[j] = x[bl->coords + i];
  if (unit) amo_share_change(s, s->n, o.tie)[0] = 1.0;
  for (uint32_t i = 0; i < bl->coords; i++)
    if (fabs(x[i]) > nothing * size * b->coord_scale[b->order[bl->coord + i]]) return false;
  return true;
}

/// All changes by what is open; false if it moves something.
static bool solve_changes(amo_balance *b, const block *bl, amo_span v, amo_result r, opening o, bool constant)
{
  const amo_sharing *s = b->sharing;
  double most = 0.0;
  if (!solve_change(b, bl, v, r, o, 0, &most)) return false;
  for (int j = 1; j < s->orders; j++)
    if (constant)
      for (uint32_t t = 0; t < bl->rows; t++) amo_share_change(s, s->n, t)[j] = 0.0;
    else if (!solve_change(b, bl, v, r, o, j, &most))
      return false;
  return true;
}

amo_status amo_open_find(amo_balance *b, const block *bl, amo_span v, amo_result r, int orders, bool stressed)
{
  const uint32_t springs = stressed ? bl->springs : 0;
  const uint32_t *open = b->perm + bl->perm + bl->coords + bl->rows + bl->rank_rows;
  if (b->sharing == NULL) b->sharing = calloc(1, sizeof *b->sharing);
  amo_sharing *s = b->sharing;
  if (s == NULL || !amo_share_reserve(s, bl->rows, bl->rows, bl->open + springs, orders)) return AMO_ENOMEM;
  s->n = 0;
  const bool constant = amo_open_is_still(b, bl);
  for (uint32_t i = 0; i < bl->open; i++)
    s->n += solve_changes(b, bl, v, r, (opening){open[i] - bl->coords, false, stressed}, constant);
  for (uint32_t i = 0; i < springs; i++)
    s->n += solve_changes(b, bl, v, r, (opening){b->spring_tie[bl->row + i], true, true}, constant);
  return AMO_OK;
}
