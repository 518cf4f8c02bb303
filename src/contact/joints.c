// SPDX-License-Identifier: Apache-2.0
#include "contact/joints.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "num/sizes.h"

struct amo_joints {
  amo_arena memory;
  const amo_model *m;
  uint32_t n;
  uint32_t *contact;  // [n]
  int *first;         // [n] order of the first coefficient that is not zero; -1: none yet
  bool *aimed;        // [n]
  double *aim;        // [n][3] direction of the reaction there
  double *alone, *more, *found;
  double *unit;     // [n][n][3]
  double *push;     // [nq] force of a unit of a normal force
  amo_rates still;  // nothing to be removed
  double *none;     // zeros, enough for each of them
  amo_result by_unit;
  amo_sizes sizes;
};

amo_status amo_joints_new(const amo_model *m, amo_joints **out)
{
  *out = NULL;
  if (m->njoint == 0) return AMO_OK;
  amo_joints *j = *out = calloc(1, sizeof *j);
  if (j == NULL) return AMO_ENOMEM;
  const size_t n = j->n = m->njoint;
  amo_result *r = &j->by_unit;
  j->m = m;
  AMO_TAKE(&j->memory, uint32_t, n, &j->contact, &j->sizes.group);
  AMO_TAKE(&j->memory, int, n, &j->first);
  AMO_TAKE(&j->memory, bool, n, &j->aimed);
  AMO_TAKE(&j->memory, double, n *AMO_AXES, &j->aim, &j->alone);
  AMO_TAKE(&j->memory, double, n, &j->more, &j->found);
  AMO_TAKE(&j->memory, double, n *n *AMO_AXES, &j->unit);
  AMO_TAKE(&j->memory, double, n *(n + 2), &j->sizes.work);
  AMO_TAKE(&j->memory, double, m->nq, &j->push, &r->acc);
  AMO_TAKE(&j->memory, double, m->nc, &r->lambda, &r->reaction);
  AMO_TAKE(&j->memory, double, m->nxi, &r->traction);
  AMO_TAKE(&j->memory, double, m->ng, &r->multiplier);
  AMO_TAKE(&j->memory, double, 2u * (size_t)m->nc + m->nxi + m->ng, &j->none);
  if (j->memory.failed) {
    amo_joints_free(j);
    *out = NULL;
    return AMO_ENOMEM;
  }
  j->still = (amo_rates){j->none, j->none, j->none, j->none};
  r->item = 1, r->extra = j->push, r->jump = &j->still;
  j->sizes.n = m->njoint, j->sizes.alone = j->alone, j->sizes.unit = j->unit;
  j->sizes.aimed = j->aimed, j->sizes.aim = j->aim, j->sizes.more = j->more;
  for (uint32_t c = 0, i = 0; c < m->nc; c++)
    if (m->contact[c].npressing > 0) j->contact[i++] = c;
  return AMO_OK;
}

void amo_joints_free(amo_joints *j)
{
  if (j == NULL) return;
  amo_arena_free(&j->memory);
  free(j);
}

static size_t place(const amo_model *m, amo_span v, uint32_t c, int k)
{
  return (m->leaf.reaction + c) * v.reg + (size_t)k * v.ord;
}

void amo_joints_clear(const amo_model *m, double *value, amo_span v, int k)
{
  for (uint32_t c = 0; m->njoint > 0 && c < m->nc; c++)
    if (m->contact[c].npressing > 0) value[place(m, v, c, k)] = 0.0;
}

/// Coefficient k of the reactions that press joint i; none where a support is open.
static void read_reactions(const amo_joints *j, uint32_t i, amo_result r, const signed char *mode, int k,
                           double x[AMO_AXES])
{
  const amo_contact *c = &j->m->contact[j->contact[i]];
  for (uint32_t a = 0; a < AMO_AXES; a++) {
    const amo_presser *p = &c->pressing[a];
    const bool none = a >= c->npressing || (p->of_contact && mode[p->item] == AMO_MODE_OPEN);
    x[a] = none ? 0.0 : (p->of_contact ? r.reaction : r.multiplier)[p->item * r.item + (size_t)k * r.ord];
  }
}

static double dot(const double *a, const double *b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// What a unit of each normal force does to all reactions.
static void find_units(amo_joints *j, const amo_balance *b, amo_span v, const signed char *mode)
{
  const amo_model *m = j->m;
  memset(j->unit, 0, (size_t)j->n * j->n * AMO_AXES * sizeof *j->unit);
  for (uint32_t k = 0; k < j->n; k++) {
    const amo_contact *c = &m->contact[j->contact[k]];
    const double friction = -amo_sigma(mode[j->contact[k]]) * v.base[c->r_kinetic_by * v.reg];
    if (friction == 0.0) continue;
    memset(j->push, 0, m->nq * sizeof *j->push);
    for (uint32_t e = 0; e < c->nw; e++) j->push[c->w[e].col] += friction * v.base[c->w[e].reg * v.reg];
    amo_balance_solve(b, v, j->by_unit, 0);
    for (uint32_t i = 0; i < j->n; i++)
      read_reactions(j, i, j->by_unit, mode, 0, j->unit + (size_t)(i * j->n + k) * AMO_AXES);
  }
}

/// sum_{0<i<k} (Lambda_i . Lambda_{k-i} - N_i N_{k-i}) / (2 N_0), counted from the first order with a reaction.
static double from_lower_orders(const amo_joints *j, uint32_t i, amo_span v, amo_result r,
                                const signed char *mode, int k)
{
  const int s = j->first[i];
  const double *N = v.base + place(j->m, v, j->contact[i], 0);
  double sum = 0.0, x[AMO_AXES], y[AMO_AXES];
  for (int a = 1; a < k - s; a++) {
    read_reactions(j, i, r, mode, s + a, x);
    read_reactions(j, i, r, mode, k - a, y);
    sum += dot(x, y) - N[(size_t)(s + a) * v.ord] * N[(size_t)(k - a) * v.ord];
  }
  return sum / (2.0 * N[(size_t)s * v.ord]);
}

/// Less is what the rounding of the loads makes of the reactions of joint i.
static double rounding_of(const amo_joints *j, uint32_t i, const amo_balance *b, amo_span v)
{
  const amo_contact *c = &j->m->contact[j->contact[i]];
  double size = 0.0;
  for (uint32_t a = 0; a < c->npressing; a++)
    size = fmax(size, amo_balance_reaction_size(b, v, c->pressing[a].of_contact, c->pressing[a].item));
  return amo_balance_rounding * size;
}

/// The direction of a reaction that is there now for the first time.
static void take_aim(amo_joints *j, uint32_t i, int k)
{
  double *aim = j->aim + i * AMO_AXES, size;
  for (uint32_t a = 0; a < AMO_AXES; a++) {
    aim[a] = j->alone[i * AMO_AXES + a];
    for (uint32_t l = 0; l < j->n; l++)
      aim[a] += j->unit[(size_t)(i * j->n + l) * AMO_AXES + a] * j->found[l];
  }
  size = sqrt(dot(aim, aim));
  for (uint32_t a = 0; a < AMO_AXES; a++) aim[a] /= size;
  j->aimed[i] = true;
  j->first[i] = k;
}

amo_status amo_joints_find(amo_joints *j, amo_balance *b, double *value, amo_span v, amo_result r,
                           const signed char *mode, const bool *zero, int k)
{
  if (k == 0) {
    memset(j->aimed, 0, j->n * sizeof *j->aimed);
    find_units(j, b, v, mode);
  }
  for (uint32_t i = 0; i < j->n; i++) {
    read_reactions(j, i, r, mode, k, j->alone + i * AMO_AXES);
    j->more[i] = j->aimed[i] ? from_lower_orders(j, i, v, r, mode, k) : 0.0;
  }
  if (!amo_sizes_solve(&j->sizes, NULL, j->found)) return AMO_ENOANSWER;
  for (uint32_t i = 0; i < j->n; i++) {
    const bool none = (zero != NULL && zero[j->contact[i]]) || j->found[i] <= rounding_of(j, i, b, v);
    if (k == 0 && none) j->found[i] = 0.0;
    if (!j->aimed[i] && j->found[i] > 0.0) take_aim(j, i, k);
    value[place(j->m, v, j->contact[i], k)] = j->found[i];
  }
  return AMO_OK;
}

double amo_joints_follow(amo_joints *j, const amo_balance *b, double *value, amo_span v, amo_result r,
                         const signed char *mode, int orders)
{
  double change = 0.0, x[AMO_AXES];
  for (uint32_t i = 0; i < j->n; i++) {
    if (mode[j->contact[i]] != 0) continue;
    j->aimed[i] = false;
    for (int k = 0; k < orders; k++) {
      double *N = &value[place(j->m, v, j->contact[i], k)], before = *N;
      read_reactions(j, i, r, mode, k, x);
      *N = j->aimed[i] ? dot(j->aim + i * AMO_AXES, x) + from_lower_orders(j, i, v, r, mode, k)
                       : sqrt(dot(x, x));
      if (k == 0 && *N <= rounding_of(j, i, b, v)) *N = 0.0;
      if (j->aimed[i] || !(*N > 0.0)) continue;
      change = fmax(change, fabs(*N - before) / *N);
      for (uint32_t a = 0; a < AMO_AXES; a++) j->aim[i * AMO_AXES + a] = x[a] / *N;
      j->aimed[i] = true;
      j->first[i] = k;
    }
  }
  return change;
}
