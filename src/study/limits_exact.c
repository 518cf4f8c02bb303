// SPDX-License-Identifier: Apache-2.0
// Limits of a load that enters linearly. Every quantity that decides a verdict of the contact problem (reactions,
// friction against its bound, the beginning of slips, in every combination of modes) is affine in it: verdicts can
// change at their zeros and nowhere else. Between two neighbouring zeros one look is enough.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "contact/linear.h"
#include "study/limits_impl.h"

typedef struct zeros {
  const amo_axis *axis;
  double *x;
  size_t count, capacity;
} zeros;

/// Verdicts that follow from the set of solutions.
static bool is_decided(const amo_probe *p)
{
  static const char *const rest[] = {"verdict", "direction", "margin", NULL};
  static const char *const contact[] = {"class", "count", "chosen", "border", "zero_reaction", NULL};
  const char *const *known = !strcmp(p->verb->name, "rest")      ? rest
                             : !strcmp(p->verb->name, "contact") ? contact
                                                                 : NULL;
  for (size_t i = 0; known && known[i]; i++)
    if (!strcmp(known[i], p->path)) return true;
  return false;
}

static amo_status collect(void *ctx, const amo_piece *piece)
{
  zeros *z = ctx;
  if (!piece->held) return AMO_ENOANSWER;
  for (size_t i = 0; i < piece->faces; i++) {
    const double *c = piece->face[i].c, at = -c[0] / c[1] + 0.0;
    if (c[1] == 0.0 || !(at >= z->axis->from && at <= z->axis->to)) continue;
    if (!AMO_ROOM(z->x, z->count, z->capacity)) return AMO_ENOMEM;
    z->x[z->count++] = at;
  }
  return AMO_OK;
}

static int ascending(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static amo_status find_zeros(search *s, zeros *z)
{
  amo_probe *p = s->p;
  const amo_model *m = p->call->model;
  const char *why = "";
  const amo_setting *at = NULL;
  const size_t ns = amo_model_states(m), param = p->axis[0].index;
  amo_linear *l = NULL;
  amo_point *point = NULL;
  double *state = amo_zalloc(ns, sizeof *state);
  bool started = amo_opt_settings(p->call->opt, "at", &at) < m->nq;
  amo_status st = state ? amo_linear_new(m, &param, 1, started, &why, &l) : AMO_ENOMEM;
  if (st == AMO_OK) st = amo_point_new(m, &point);
  if (st == AMO_OK) {
    amo_limits_look(s, 0.5 * (z->axis->from + z->axis->to));  // brings the probe's parameters and state there
    memcpy(state, p->whole, ns * sizeof *state);
    if (!strcmp(p->verb->name, "rest")) memset(state + m->nq, 0, m->nq * sizeof *state);
    amo_point_parameters(point, p->param);
  }
  if (st == AMO_OK) st = amo_linear_visit(l, point, p->t, state, &why, collect, z);
  if (z->count) qsort(z->x, z->count, sizeof *z->x, ascending);
  amo_point_free(point);
  amo_linear_free(l);
  free(state);
  return st == AMO_ELIMIT ? AMO_ENOANSWER : st;
}

/// Zeros within rounding of each other are one.
static void merge(zeros *z)
{
  size_t n = 0;
  for (size_t i = 0; i < z->count; i++)
    if (n == 0 || z->x[i] - z->x[n - 1] > 1e-13 * fmax(fabs(z->x[i]), 1e-3 * (z->axis->to - z->axis->from)))
      z->x[n++] = z->x[i];
  z->count = n;
}

/// Looks at every zero and between: grid[2 i] lies before zero i, grid[2 i + 1] on it.
static amo_status look_around(search *s, const zeros *z)
{
  double before = z->axis->from;
  for (size_t i = 0; i <= z->count; i++) {
    double at = i < z->count ? z->x[i] : z->axis->to;
    if (s->p->call->interrupted && *s->p->call->interrupted) return AMO_EINTR;
    sample between = amo_limits_look(s, 0.5 * (before + at)), on = amo_limits_look(s, at);
    if (!AMO_ROOM(s->grid, s->count + 1, s->capacity)) return AMO_ENOMEM;
    s->grid[s->count++] = between;
    s->grid[s->count++] = on;
    before = at;
  }
  for (size_t i = 0; i < s->count; i++)
    s->out->by_sign |=
        s->grid[i].r.kind == AMO_READ_NUMBER && s->grid[i].r.number != floor(s->grid[i].r.number);
  for (size_t i = 0; i < s->count; i++) amo_limits_name(s, &s->grid[i]);
  return AMO_OK;
}

static void record_changes(search *s, const zeros *z)
{
  for (size_t i = 0; i < z->count && !s->failed; i++) {
    const sample *a = &s->grid[2 * i], *on = a + 1, *b = a + 2;
    if (z->x[i] <= z->axis->from || z->x[i] >= z->axis->to) continue;
    bool change = strcmp(a->verdict, b->verdict) != 0;
    bool own = strcmp(on->verdict, a->verdict) != 0 && strcmp(on->verdict, b->verdict) != 0;
    if (change && s->out->by_sign) own = false;  // a sign that changes is zero on the way
    if (!change && !own) continue;
    amo_limit *x = amo_limits_record(s, z->x[i], a, b);
    if (own && x) memcpy(x->on, on->verdict, sizeof on->verdict);
  }
}

amo_status amo_limits_exact(search *s)
{
  zeros z = {.axis = &s->p->axis[0]};
  if (s->p->axes != 1 || z.axis->kind != AMO_AXIS_PARAMETER || !is_decided(s->p)) return AMO_ENOANSWER;
  amo_status st = find_zeros(s, &z);
  if (st == AMO_OK) {
    merge(&z);
    st = look_around(s, &z);
  }
  for (size_t i = 0; st == AMO_OK && i < s->count; i++)
    if (s->grid[i].r.kind == AMO_READ_FAILED) st = AMO_ENOANSWER;
  if (st == AMO_OK) {
    memcpy(s->out->first, s->grid[0].verdict, sizeof s->out->first);
    record_changes(s, &z);
    s->out->exact = true;
    if (s->failed) st = AMO_ENOMEM;
  }
  free(z.x);
  free(s->grid);
  s->grid = NULL;
  s->count = s->capacity = 0;
  if (st == AMO_ENOANSWER) s->out->by_sign = false;
  return st;
}
