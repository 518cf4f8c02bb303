// SPDX-License-Identifier: Apache-2.0
// Limits of a load that enters linearly. Every quantity that decides a verdict of the contact problem (reactions,
// friction against its bound, the beginning of slips, in every combination of modes) is affine in it: verdicts can
// change at their zeros and nowhere else. Between two neighbouring zeros one look is enough.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "contact/linear.h"
#include "explore/limits/limits_impl.h"
#include "explore/rest/rest_state.h"

typedef struct zeros {
  const amo_axis *axis;
  double *x;
  size_t count, capacity;
  double t, *state;  // where the contact problem is looked at: must not move with the parameter
} zeros;

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

/// The state that is looked at, for the parameters that the probe was last read at.
static amo_status state_now(const amo_probe *p, const amo_values *v, double *state)
{
  memcpy(state, v->initial, amo_model_states(v->model) * sizeof *state);
  return p->at_rest ? amo_rest_state(v, v->t0, state) : AMO_OK;
}

static amo_status find_zeros(search *s, zeros *z)
{
  const amo_probe *p = s->p;
  const amo_values *v = p->place(p->ctx);
  const amo_model *m;
  amo_model *own;
  const char *why = "";
  const size_t param = p->axis[0].index;
  amo_linear *l = NULL;
  amo_point *point = NULL;
  amo_status st = amo_model_held(v->model, &own, &m);
  if (st == AMO_OK && !p->at_rest) m = v->model;
  if (st == AMO_OK) st = amo_linear_new(m, &param, 1, false, &why, &l);
  if (st == AMO_OK) st = amo_point_new(m, &point);
  if (st == AMO_OK) {
    amo_limits_look(s, 0.5 * (z->axis->from + z->axis->to));  // brings the probe's parameters and state there
    v = p->place(p->ctx);
    st = state_now(p, v, z->state);
    z->t = v->t0;
    amo_point_parameters(point, v->param);
  }
  if (st == AMO_OK) st = amo_linear_visit(l, point, z->t, z->state, &why, collect, z);
  if (z->count) qsort(z->x, z->count, sizeof *z->x, ascending);
  amo_point_free(point);
  amo_linear_free(l);
  amo_held_free(own);
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

/// A look that must find the same state (initial values and --at may depend on the parameter) and an answer.
static amo_status look(search *s, const zeros *z, double x, sample *out)
{
  const size_t n = amo_model_states(s->p->place(s->p->ctx)->model);
  double *state = amo_zalloc(n, sizeof *state);
  if (!state) return AMO_ENOMEM;
  *out = amo_limits_look(s, x);
  const amo_values *v = s->p->place(s->p->ctx);
  amo_status st = amo_limits_interrupted(s) ? AMO_EINTR : state_now(s->p, v, state);
  if (st == AMO_OK && (out->r.kind == AMO_READ_FAILED || v->t0 != z->t)) st = AMO_ENOANSWER;
  for (size_t i = 0; st == AMO_OK && i < n; i++)
    if (state[i] != z->state[i]) st = AMO_ENOANSWER;
  free(state);
  return st;
}

/// Looks at every zero and between: grid[2 i] lies before zero i, grid[2 i + 1] on it.
static amo_status look_around(search *s, const zeros *z)
{
  double before = z->axis->from;
  amo_status st = AMO_OK;
  for (size_t i = 0; st == AMO_OK && i <= z->count; i++) {
    double at = i < z->count ? z->x[i] : z->axis->to;
    sample between, on;
    st = look(s, z, 0.5 * (before + at), &between);
    if (st == AMO_OK) st = look(s, z, at, &on);
    if (st == AMO_OK && !AMO_ROOM(s->grid, s->count + 1, s->capacity)) st = AMO_ENOMEM;
    if (st != AMO_OK) break;
    s->grid[s->count++] = between;
    s->grid[s->count++] = on;
    s->out->by_sign |= between.r.measured || on.r.measured;
    before = at;
  }
  for (size_t i = 0; i < s->count; i++) amo_limits_name(s, &s->grid[i]);
  return st;
}

/// The structure says what to expect elsewhere, too. Where a look finds something else, it was not the whole story.
static amo_status check_structure(search *s, const zeros *z)
{
  static const double place[] = {0.07, 0.31, 0.83};
  amo_status st = AMO_OK;
  double before = z->axis->from;
  for (size_t i = 0; st == AMO_OK && i <= z->count; i++) {
    const double at = i < z->count ? z->x[i] : z->axis->to;
    const bool wide = at - before > 1e-9 * fmax(fabs(at), z->axis->to - z->axis->from);
    for (size_t k = 0; wide && st == AMO_OK && k < sizeof place / sizeof *place; k++) {
      sample a;
      st = look(s, z, before + place[k] * (at - before), &a);
      if (st == AMO_OK && strcmp(a.verdict, s->grid[2 * i].verdict) != 0) st = AMO_ENOANSWER;
    }
    before = at;
  }
  return st;
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
  if (z.axis->kind != AMO_AXIS_PARAMETER || !s->p->decided || !s->p->place) return AMO_ENOANSWER;
  if (amo_limits_refused(s)) return AMO_ENOANSWER;
  z.state = amo_zalloc(amo_model_states(s->p->place(s->p->ctx)->model), sizeof *z.state);
  amo_status st = z.state ? find_zeros(s, &z) : AMO_ENOMEM;
  if (st == AMO_OK) {
    merge(&z);
    st = look_around(s, &z);
  }
  if (st == AMO_OK) st = check_structure(s, &z);
  if (st == AMO_OK) {
    memcpy(s->out->first, s->grid[0].verdict, sizeof s->out->first);
    record_changes(s, &z);
    s->out->exact = true;
    if (s->failed) st = AMO_ENOMEM;
  }
  free(z.x);
  free(z.state);
  free(s->grid);
  s->grid = NULL;
  s->count = s->capacity = 0;
  if (st == AMO_ENOANSWER || st == AMO_EINTR) s->out->by_sign = false;
  return st;
}
