// SPDX-License-Identifier: Apache-2.0
/// Reactions that depend on each other (a table on more feet than it needs, a body between two walls): as the balance sees them only
/// sums of them are determined. They are shared as by equal springs: R = N z for some small motion z, that is c . R = 0 for every
/// combination c of normals that vanishes, c N = 0. That is the least sum of squares, it does not know in which order contacts stand, and it
/// determines the motion too where contacts slip and their friction depends on the share. Constraints give way to nothing. Springs
/// do not pull: a support that would carries nothing, its spring parts by `slack`.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/balance_open.h"
#include "num/solve.h"

enum { MOST_IDLE = 64 };

static double *combination(const amo_balance *b, const block *bl, int order, uint32_t s)
{
  return b->spring + bl->spring + ((size_t)order * bl->springs + s) * bl->rows;
}

static bool reserve(amo_balance *b, block *bl)
{
  const size_t each = (AMO_MAX_ORDER + 2u) * (size_t)bl->rows + bl->coords;
  const size_t need = b->spring_used + each * bl->springs;
  bl->spring = b->spring_used;
  b->spring_used = need;
  return AMO_ROOM(b->spring, need - 1u, b->spring_capacity);
}

/// The combination of the independent ties that is a row g of the block's coordinates, scaled like them; by tie, into c.
static void combine(const amo_balance *b, const block *bl, double *g, double *c)
{
  const uint32_t n = bl->coords + bl->rows, *rp = b->perm + bl->perm, *cp = rp + n;
  const double *a = b->lu + bl->lu;
  double *y = g + bl->coords;
  for (uint32_t s = 0; s < bl->held; s++) {
    y[s] = g[cp[s]];
    for (uint32_t i = 0; i < s; i++) y[s] -= y[i] * a[(size_t)i * n + s];
    y[s] /= a[(size_t)s * n + s];
  }
  for (uint32_t s = bl->held; s-- > 0;) {
    for (uint32_t i = s + 1; i < bl->held; i++) y[s] -= a[(size_t)i * n + s] * y[i];
    c[rp[s]] = y[s] * b->tie_scale[bl->row + rp[s]];
  }
}

/// Coefficient `order` of how spring s depends on the other ties.
static void follow_rows(const amo_balance *b, const block *bl, amo_span v, uint32_t s, int order)
{
  double *c = combination(b, bl, order, s), *g = b->rhs + b->m->nq + 3 * b->m->nc + b->m->ng + 2;
  memset(c, 0, bl->rows * sizeof *c);
  memset(g, 0, bl->coords * sizeof *g);
  if (order == 0) {
    const uint32_t tie = b->spring_tie[bl->row + s];
    c[tie] = b->tie_scale[bl->row + tie];
  }
  for (uint32_t i = 0; i < bl->rows; i++) {
    const row *ro = &b->rowlist[bl->row + i];
    for (int m = 0; m <= order; m++) {
      const double by = combination(b, bl, order - m, s)[i];
      for (uint32_t e = 0; by != 0.0 && e < ro->entries; e++) {
        const uint32_t q = ro->entry[e].col;
        g[b->local[q]] -= by * amo_open_coefficient(b, v, ro->entry[e].reg, m) * b->coord_scale[q];
      }
    }
  }
  combine(b, bl, g, c);
}

/// Does the spring of tie i belong to those that share with s?
static double share_of(const amo_balance *b, const block *bl, uint32_t s, uint32_t i)
{
  return b->rowlist[bl->row + i].kind == TIE_GUIDE ? combination(b, bl, 0, s)[i] : 0.0;
}

bool amo_springs_place(amo_balance *b, block *bl, amo_span v, double *a, uint32_t n)
{
  uint32_t *rp = b->perm + bl->perm, *cp = rp + n;
  if (!reserve(b, bl)) return false;
  bl->still = amo_open_is_still(b, bl);
  for (uint32_t s = 0; s < bl->springs; s++) {
    uint32_t at = bl->held;
    follow_rows(b, bl, v, s, 0);
    while (rp[at] != b->spring_tie[bl->row + s]) at++;
    double *to = a + (size_t)at * n, *c = combination(b, bl, 0, s), most = 0.0;
    for (uint32_t i = 0; i < bl->rows; i++) most = fmax(most, fabs(c[i] * b->tie_scale[bl->row + i]));
    for (uint32_t i = 0; i < bl->rows; i++)
      if (fabs(c[i] * b->tie_scale[bl->row + i]) < AMO_NOTHING * most) c[i] = 0.0;
    const double scale = ldexp(1.0, -ilogb(most));
    for (uint32_t i = 0; i < bl->rows; i++) c[i] *= scale;
    for (uint32_t j = 0; j < n; j++)
      to[j] = cp[j] < bl->coords
                  ? 0.0
                  : share_of(b, bl, s, cp[j] - bl->coords) * b->tie_scale[bl->row + cp[j] - bl->coords];
  }
  return true;
}

static double *slack_of(const amo_balance *b, amo_result r, uint32_t c, int k)
{
  return r.slack ? r.slack + c * r.item + (size_t)k * r.ord : b->slack + c * (AMO_MAX_ORDER + 1u) + (size_t)k;
}

void amo_springs_rhs(const amo_balance *b, const block *bl, amo_span v, amo_result r, int k, double *rhs)
{
  for (uint32_t s = 0; s < bl->springs; s++) {
    const uint32_t tie = b->spring_tie[bl->row + s];
    rhs[tie] = 0.0;
    if (k > 0 && !bl->still) follow_rows(b, bl, v, s, k);
    for (int m = 1; m <= k && !bl->still; m++)
      for (uint32_t i = 0; i < bl->rows; i++) {
        const row *ro = &b->rowlist[bl->row + i];
        if (ro->kind == TIE_GUIDE)
          rhs[tie] -= combination(b, bl, m, s)[i] *
                      (amo_open_force(b, bl, r, i, k - m) + *slack_of(b, r, ro->item, k - m));
      }
    rhs[tie] /= b->tie_scale[bl->row + tie];
  }
}

void amo_springs_change(const amo_balance *b, const block *bl, const double *change, int orders, int k,
                        double *rhs)
{
  for (uint32_t s = 0; s < bl->springs && !bl->still; s++) {
    const uint32_t tie = b->spring_tie[bl->row + s];
    for (int m = 1; m <= k; m++)
      for (uint32_t i = 0; i < bl->rows; i++)
        if (b->rowlist[bl->row + i].kind == TIE_GUIDE)
          rhs[tie] -= combination(b, bl, m, s)[i] * change[i * (size_t)orders + (size_t)(k - m)] /
                      b->tie_scale[bl->row + tie];
  }
}

// ---- supports that carry nothing ----

typedef struct idle_set {
  uint32_t n, tie[MOST_IDLE];
  double slack[MOST_IDLE];
  double *by;  // [n][size] solutions by a unit of the slack of each
} idle_set;

/// The slacks at which none of the set carries anything. False: there are none.
static bool part(const block *bl, idle_set *idle, const double *x)
{
  double a[MOST_IDLE * MOST_IDLE];
  const size_t size = bl->coords + bl->rows;
  for (uint32_t e = 0; e < idle->n; e++) {
    idle->slack[e] = -x[bl->coords + idle->tie[e]];
    for (uint32_t f = 0; f < idle->n; f++)
      a[e * idle->n + f] = idle->by[f * size + bl->coords + idle->tie[e]];
  }
  return amo_solve(a, idle->n, idle->slack, 1) == AMO_OK;
}

static double with_slack(const block *bl, const idle_set *idle, const double *x, uint32_t at)
{
  double sum = x[at];
  for (uint32_t e = 0; e < idle->n; e++) sum += idle->slack[e] * idle->by[e * (bl->coords + bl->rows) + at];
  return sum;
}

static bool takes_part(const amo_balance *b, const block *bl, uint32_t i)
{
  bool any = false;
  for (uint32_t s = 0; s < bl->springs; s++) any |= share_of(b, bl, s, i) != 0.0;
  return any;
}

/// May tie i be without reaction? It may not be loaded at a lower order; *parted: it has been without one there.
static bool may_idle(const amo_balance *b, const block *bl, amo_result r, uint32_t i, int k, bool *parted)
{
  const row *ro = &b->rowlist[bl->row + i];
  *parted = false;
  if (!takes_part(b, bl, i) || !amo_can_open(&b->m->contact[ro->item])) return false;
  for (int j = 0; j < k; j++) {
    double most = 0.0;
    for (uint32_t l = 0; l < bl->rows; l++)
      if (takes_part(b, bl, l)) most = fmax(most, fabs(amo_open_force(b, bl, r, l, j)));
    if (*slack_of(b, r, ro->item, j) < 0.0) return *parted = true;
    if (fabs(amo_open_force(b, bl, r, i, j)) > AMO_NOTHING * most) return false;
  }
  return true;
}

/// One more, with the solution that a unit of its slack makes.
static void add_idle(const amo_balance *b, const block *bl, idle_set *idle, uint32_t i)
{
  const size_t size = bl->coords + bl->rows;
  if (idle->n == bl->springs || idle->n == MOST_IDLE) return;
  double *x = memset(idle->by + idle->n * size, 0, size * sizeof *x);
  for (uint32_t s = 0; s < bl->springs; s++) {
    const uint32_t tie = b->spring_tie[bl->row + s];
    x[tie] = -share_of(b, bl, s, i) / b->tie_scale[bl->row + tie];
  }
  amo_balance_substitute(b, bl, x, x);
  idle->tie[idle->n++] = i;
}

static void remove_idle(const block *bl, idle_set *idle, uint32_t e)
{
  const size_t size = bl->coords + bl->rows;
  idle->tie[e] = idle->tie[--idle->n];
  memcpy(idle->by + e * size, idle->by + idle->n * size, size * sizeof *idle->by);
}

static long place_of(const idle_set *idle, uint32_t i)
{
  for (uint32_t e = 0; e < idle->n; e++)
    if (idle->tie[e] == i) return (long)e;
  return -1;
}

/// One support more that carries nothing because it would pull, or one less because its spring would be pressed; the worst first.
static bool improve(const amo_balance *b, const block *bl, amo_result r, int k, const double *x,
                    idle_set *idle)
{
  double most = 0.0, worst = 0.0;
  uint32_t which = bl->rows;
  for (uint32_t i = 0; i < bl->rows; i++) {
    bool parted;
    if (!takes_part(b, bl, i)) continue;
    const long e = place_of(idle, i);
    const double R = e < 0 ? with_slack(bl, idle, x, bl->coords + i) : -idle->slack[e];
    most = fmax(most, fabs(R));
    if (!(R < worst) || !may_idle(b, bl, r, i, k, &parted) || parted) continue;
    worst = R;
    which = i;
  }
  if (!(worst < -AMO_NOTHING * most)) return false;
  const long e = place_of(idle, which);
  const uint32_t before = idle->n;
  if (e >= 0)
    remove_idle(bl, idle, (uint32_t)e);
  else
    add_idle(b, bl, idle, which);
  return idle->n != before && (idle->n == 0 || part(bl, idle, x));
}

/// Those whose springs have parted at orders below k.
static idle_set parted_before(const amo_balance *b, const block *bl, amo_result r, int k)
{
  idle_set idle = {.by = b->spring + bl->spring + (AMO_MAX_ORDER + 1u) * (size_t)bl->springs * bl->rows};
  bool parted;
  for (uint32_t i = 0; k > 0 && i < bl->rows; i++)
    if (may_idle(b, bl, r, i, k, &parted) && parted) add_idle(b, bl, &idle, i);
  return idle;
}

static bool apply(const block *bl, idle_set *idle, double *x)
{
  if (idle->n == 0 || !part(bl, idle, x)) return false;
  for (uint32_t i = 0; i < bl->coords + bl->rows; i++) x[i] = with_slack(bl, idle, x, i);
  for (uint32_t e = 0; e < idle->n; e++) x[bl->coords + idle->tie[e]] = 0.0;
  return true;
}

void amo_springs_keep(const amo_balance *b, const block *bl, amo_result r, int k, double *x)
{
  idle_set idle = parted_before(b, bl, r, k);
  (void)apply(bl, &idle, x);
}

bool amo_springs_have_parted(const amo_balance *b, const block *bl, amo_result r, int orders)
{
  return r.jump == NULL && parted_before(b, bl, r, orders).n > 0;
}

void amo_springs_release(const amo_balance *b, const block *bl, amo_result r, int k, bool parts, double *x)
{
  if (r.jump != NULL && r.extra != NULL) return;  // what a unit of a force does
  for (uint32_t i = 0; i < bl->rows; i++)
    if (takes_part(b, bl, i)) *slack_of(b, r, b->rowlist[bl->row + i].item, k) = 0.0;
  if (!parts) return;
  idle_set idle = parted_before(b, bl, r, k);
  bool good = idle.n == 0 || part(bl, &idle, x);
  for (uint32_t pass = 0; good && pass < 4 * bl->rows && improve(b, bl, r, k, x, &idle); pass++) {}
  if (!apply(bl, &idle, x)) return;
  for (uint32_t e = 0; e < idle.n; e++)
    *slack_of(b, r, b->rowlist[bl->row + idle.tie[e]].item, k) = idle.slack[e];
}
