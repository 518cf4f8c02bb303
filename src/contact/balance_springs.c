// SPDX-License-Identifier: Apache-2.0
/// Reactions that depend on each other, as series: equal springs at every order, the same ones idle as at the first order
/// at which there is a reaction. Where the motion depends on the share, through the friction of what slips, the
/// dependent ones carry nothing.
#include <math.h>
#include <string.h>

#include "contact/balance_open.h"
#include "contact/springs.h"

/// The reactions that take part, and the springs between them.
static amo_springs gather(const amo_balance *b, const block *bl)
{
  amo_sharing *s = b->sharing;
  amo_springs g = {.n = s->n, .c = s->a, .one_sided = s->one_sided, .matrix = s->matrix, .idle = s->active};
  for (uint32_t i = 0; i < bl->rows; i++) {
    const row *ro = &b->rowlist[bl->row + i];
    if (ro->kind != TIE_GUIDE || !amo_open_changes(s, bl, i)) continue;
    s->one_sided[g.rows] = b->m->contact[ro->item].kind == AMO_SUPPORT;
    s->taking[g.rows++] = i;
  }
  for (uint32_t k = 0; k < s->n; k++)
    for (size_t i = 0; i < g.rows; i++) s->a[k * g.rows + i] = amo_open_change(s, bl, k, s->taking[i])[0];
  return g;
}

/// Reaction of row i at order j with the y found so far; of y_j itself only if `whole`.
static double reaction(const amo_balance *b, const block *bl, amo_result r, size_t i, int j, bool whole)
{
  const amo_sharing *s = b->sharing;
  double R = amo_open_force(b, bl, r, s->taking[i], j);
  for (uint32_t k = 0; k < s->n; k++)
    for (int m = whole ? 0 : 1; m <= j; m++)
      R += amo_open_change(s, bl, k, s->taking[i])[m] * s->y[(size_t)k * (size_t)s->orders + (size_t)(j - m)];
  return R;
}

/// All orders of y; who is idle is decided at the first one with a reaction, unless it is known. False: no answer.
static bool follow(const amo_balance *b, const block *bl, amo_result r, amo_springs *g, bool known)
{
  const amo_sharing *s = b->sharing;
  double *R = s->b, *y = s->y + (size_t)s->n * (size_t)s->orders;
  memset(s->y, 0, (size_t)s->n * (size_t)s->orders * sizeof *s->y);
  for (int j = 0; j < s->orders; j++) {
    bool any = false;
    for (size_t i = 0; i < g->rows; i++) {
      R[i] = reaction(b, bl, r, i, j, false);
      any |= R[i] != 0.0;
    }
    if (!any) continue;
    if (known)
      amo_springs_solve(g, R, y);
    else if (!amo_springs_fit(g, R, y))
      return false;
    known = true;
    for (uint32_t k = 0; k < s->n; k++) s->y[(size_t)k * (size_t)s->orders + (size_t)j] = y[k];
  }
  return known;
}

static bool is_idle(const amo_springs *g, size_t i)
{
  for (size_t e = 0; e < g->idles; e++)
    if (g->idle[e] == i) return true;
  return false;
}

/// Sign of a reaction right after now: that of its first coefficient that is more than rounding of the others'.
static int leading(const amo_balance *b, const block *bl, amo_result r, const amo_springs *g, size_t i)
{
  for (int j = 0; j < b->sharing->orders; j++) {
    double most = 0.0;
    for (size_t k = 0; k < g->rows; k++) most = fmax(most, fabs(reaction(b, bl, r, k, j, true)));
    const double R = reaction(b, bl, r, i, j, true);
    if (fabs(R) > AMO_NOTHING * most) return R > 0.0 ? 1 : -1;
  }
  return 0;
}

/// A support that has just lost its reaction, and would pull next.
static size_t next_idle(const amo_balance *b, const block *bl, amo_result r, const amo_springs *g)
{
  for (size_t i = 0; i < g->rows; i++)
    if (g->one_sided[i] && !is_idle(g, i) && leading(b, bl, r, g, i) < 0) return i;
  return g->rows;
}

amo_status amo_balance_springs(amo_balance *b, const block *bl, amo_span v, amo_result r, int orders)
{
  amo_status st = amo_open_find(b, bl, v, TIE_GUIDE, orders);
  amo_sharing *s = b->sharing;
  if (st != AMO_OK || s->n == 0) return st;
  amo_springs g = gather(b, bl);
  s->size = 1.0;
  if (!follow(b, bl, r, &g, false)) return AMO_OK;
  for (size_t i = next_idle(b, bl, r, &g); i < g.rows && g.idles < s->n; i = next_idle(b, bl, r, &g)) {
    g.idle[g.idles++] = i;
    if (!amo_springs_prepare(&g) || !follow(b, bl, r, &g, true)) return AMO_OK;
  }
  amo_open_apply(b, bl, v, r);
  for (size_t e = 0; e < g.idles; e++)
    for (int j = 0; j < orders; j++)
      amo_balance_force(&b->rowlist[bl->row + s->taking[g.idle[e]]], r)[(size_t)j * r.ord] = 0.0;
  return AMO_OK;
}
