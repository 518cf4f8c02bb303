// SPDX-License-Identifier: Apache-2.0
// All points of a rigid part at once. Displacements are affine in the place, so that everything is exact: a and b
// are parallel on one straight line (through the poles of both), and on it classes change at the poles of
// a + mu p b, a - mu p b and, with paradoxes, a - sigma p b/|L|.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "ask/rest/brake_json.h"
#include "ask/rest/brake_points.h"
#include "result/json.h"
#include "ask/number.h"

/// Displacements of a rigid part: v(s) = v + turn k x (s - origin).
typedef struct flow {
  double v[2], turn;
} flow;

typedef struct field {
  const amo_brake_run *r;
  const amo_moving_point *part;
  flow a, b;
  double reach;  // length that matters
} field;

static flow combine(const flow *a, double f, const flow *b)
{
  return (flow){{a->v[0] + f * b->v[0], a->v[1] + f * b->v[1]}, a->turn + f * b->turn};
}

static double dot(const double *u, const double *v)
{
  return u[0] * v[0] + u[1] * v[1];
}

/// From the origin to the point that stays; false: it is at infinity.
static bool pole(const field *f, const flow *x, double out[2])
{
  double size = fabs(f->a.turn) + fabs(f->b.turn);
  if (fabs(x->turn) <= 1e-13 * size || x->turn == 0.0) return false;
  out[0] = -x->v[1] / x->turn;
  out[1] = x->v[0] / x->turn;
  return true;
}

/// A place from the origin: in space, and in the axes of the part.
static cJSON *place_json(const field *f, const double *arm)
{
  const double c = cos(f->part->turned), s = sin(f->part->turned);
  const double space[2] = {f->part->origin[0] + arm[0], f->part->origin[1] + arm[1]};
  const double own[2] = {c * arm[0] + s * arm[1], -s * arm[0] + c * arm[1]};
  cJSON *o = cJSON_CreateObject();
  cJSON_AddItemToObject(o, "at", amo_vector_json(space, 2));
  cJSON_AddItemToObject(o, "in_part", amo_vector_json(own, 2));
  return o;
}

static void pole_json(const field *f, const char *name, flow x, cJSON *o)
{
  double arm[2];
  if (pole(f, &x, arm))
    cJSON_AddItemToObject(o, name, place_json(f, arm));
  else
    cJSON_AddNullToObject(o, name);
}

static amo_braking braking_at(const field *f, const double *arm)
{
  const double a[3] = {f->a.v[0] - f->a.turn * arm[1], f->a.v[1] + f->a.turn * arm[0], 0.0};
  const double b[3] = {f->b.v[0] - f->b.turn * arm[1], f->b.v[1] + f->b.turn * arm[0], 0.0};
  return amo_braking_of(a, b, f->r->brake->held[0].rough, f->r->tol, f->r->size);
}

static void class_json(const amo_braking *x, cJSON *o)
{
  cJSON_AddStringToObject(o, "class", amo_brake_class_name(x->kind));
  cJSON_AddStringToObject(o, "source", amo_brake_class_name(x->source));
}

// ---- the line on which a and b are parallel ----

static int ascending(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void intervals_json(const field *f, const double *foot, const double *along, cJSON *list)
{
  const amo_rough *r = &f->r->brake->held[0].rough;
  const double mp = r->mu * r->p;
  flow border[3] = {combine(&f->a, mp, &f->b), combine(&f->a, -mp, &f->b)};
  int n = 2, count = 0;
  double s[5];
  if (r->mu_kinetic * fabs(r->L) > 1.0) border[n++] = combine(&f->a, -r->p / r->L, &f->b);
  for (int i = 0; i < n; i++) {
    double arm[2];
    if (!pole(f, &border[i], arm)) continue;
    arm[0] -= foot[0];
    arm[1] -= foot[1];
    s[count++] = dot(arm, along);
  }
  qsort(s, (size_t)count, sizeof *s, ascending);
  for (int i = 0; i <= count; i++) {
    const double lo = i ? s[i - 1] : -INFINITY, hi = i < count ? s[i] : INFINITY;
    const double middle = count == 0   ? 0.0
                          : i == 0     ? hi - f->reach
                          : i == count ? lo + f->reach
                                       : 0.5 * (lo + hi);
    const double at[2] = {foot[0] + middle * along[0], foot[1] + middle * along[1]};
    const double from[2] = {foot[0] + lo * along[0], foot[1] + lo * along[1]};
    const double to[2] = {foot[0] + hi * along[0], foot[1] + hi * along[1]};
    if (hi - lo <= 1e-12 * f->reach) continue;
    amo_braking x = braking_at(f, at);
    cJSON *o = cJSON_CreateObject();
    cJSON_AddItemToObject(o, "from", i ? place_json(f, from) : cJSON_CreateNull());
    cJSON_AddItemToObject(o, "to", i < count ? place_json(f, to) : cJSON_CreateNull());
    class_json(&x, o);
    cJSON_AddItemToArray(list, o);
  }
}

/// a x b = v_a x v_b + (turn_b v_a - turn_a v_b).s is linear in s: the square terms cancel.
static void parallel_json(const field *f, cJSON *o)
{
  const double n[2] = {f->b.turn * f->a.v[0] - f->a.turn * f->b.v[0],
                       f->b.turn * f->a.v[1] - f->a.turn * f->b.v[1]};
  const double c = f->a.v[0] * f->b.v[1] - f->a.v[1] * f->b.v[0], length = sqrt(dot(n, n));
  const double la = hypot(f->a.v[0], f->a.v[1]) + fabs(f->a.turn) * f->reach;
  const double lb = hypot(f->b.v[0], f->b.v[1]) + fabs(f->b.turn) * f->reach;
  if (length * f->reach <= f->r->tol * la * lb) {
    const double far[2] = {0.618 * f->reach, 0.382 * f->reach};
    amo_braking x = braking_at(f, far);
    cJSON_AddStringToObject(o, "parallel", fabs(c) <= f->r->tol * la * lb ? "everywhere" : "nowhere");
    class_json(&x, o);
    return;
  }
  const double foot[2] = {-c * n[0] / (length * length), -c * n[1] / (length * length)};
  const double along[2] = {-n[1] / length, n[0] / length};
  cJSON *line = cJSON_CreateObject();
  cJSON_AddStringToObject(o, "parallel", "line");
  cJSON_AddItemToObject(line, "through", place_json(f, foot));
  cJSON_AddItemToObject(line, "along", amo_vector_json(along, 2));
  intervals_json(f, foot, along, cJSON_AddArrayToObject(line, "intervals"));
  cJSON_AddItemToObject(o, "line", line);
}

/// Where the stagnation angle is a right one: |a| = mu p |b|, a circle (Apollonius), or a line: then null.
static void circle_json(const field *f, cJSON *o)
{
  const amo_rough *r = &f->r->brake->held[0].rough;
  const double m = r->mu * r->p, k = f->a.turn * f->a.turn - m * m * f->b.turn * f->b.turn;
  if (fabs(k) <= 1e-13 * (f->a.turn * f->a.turn + m * m * f->b.turn * f->b.turn) || k == 0.0) {
    cJSON_AddNullToObject(o, "right_angle");
    return;
  }
  // |v + w k x s|^2 = |v|^2 + 2 w (v_y s_x - v_x s_y) + w^2 |s|^2
  const double centre[2] = {-(f->a.turn * f->a.v[1] - m * m * f->b.turn * f->b.v[1]) / k,
                            (f->a.turn * f->a.v[0] - m * m * f->b.turn * f->b.v[0]) / k};
  const double square = dot(centre, centre) - (dot(f->a.v, f->a.v) - m * m * dot(f->b.v, f->b.v)) / k;
  cJSON *c = cJSON_CreateObject();
  cJSON_AddItemToObject(c, "centre", place_json(f, centre));
  amo_json_add(c, "radius", square >= 0.0 ? sqrt(square) : NAN);
  cJSON_AddItemToObject(o, "right_angle", c);
}

static void structure_json(const field *f, cJSON *o)
{
  const amo_rough *r = &f->r->brake->held[0].rough;
  const double m = r->mu * r->p;
  cJSON *poles = cJSON_CreateObject();
  pole_json(f, "a", f->a, poles);
  pole_json(f, "b", f->b, poles);
  pole_json(f, "A_plus", combine(&f->a, m, &f->b), poles);
  pole_json(f, "A_minus", combine(&f->a, -m, &f->b), poles);
  if (r->L != 0.0)
    pole_json(f, "B", combine(&f->a, -r->p / r->L, &f->b), poles);
  else
    cJSON_AddNullToObject(poles, "B");
  cJSON_AddItemToObject(o, "poles", poles);
  parallel_json(f, o);
  circle_json(f, o);
}

// ---- the grid ----

typedef struct grid {
  long n[2];
  double from[2], to[2];
} grid;

static amo_status read_size(const amo_call *call, grid *g)
{
  const char *text = amo_opt_text(call->opt, "size");
  char *end = NULL;
  g->n[0] = strtol(text, &end, 10);
  g->n[1] = *end == 'x' ? strtol(end + 1, &end, 10) : 0;
  if (*end || g->n[0] < 2 || g->n[1] < 2 || g->n[0] > 1000 || g->n[1] > 1000)
    return amo_error(call->diags, (amo_at){0}, NULL, "--size needs NxM, each from 2 to 1000, got '%s'", text);
  return AMO_OK;
}

static amo_status read_range(const amo_call *call, grid *g)
{
  const char *text = amo_opt_text(call->opt, "range");
  char part[4][128];
  if (!text) return AMO_OK;
  if (sscanf(text, " %127[^:,]:%127[^:,],%127[^:,]:%127[^:,]", part[0], part[1], part[2], part[3]) != 4)
    return amo_error(call->diags, (amo_at){0}, NULL,
                     "--range needs X0:X1,Y0:Y1 in the axes of the part, got '%s'", text);
  for (int k = 0; k < 4; k++) {
    amo_status st = amo_number_eval(part[k], (amo_at){0}, call->values, call->diags,
                                    k % 2 ? &g->to[k / 2] : &g->from[k / 2]);
    if (st != AMO_OK) return st;
  }
  for (int k = 0; k < 2; k++)
    if (!(g->from[k] < g->to[k]))
      return amo_error(call->diags, (amo_at){0}, NULL, "--range must ascend, got '%s'", text);
  return AMO_OK;
}

/// Around all known points, with room on every side.
static void default_range(const amo_brake_run *r, const amo_moving_point *part, grid *g)
{
  const double c = cos(part->turned), s = sin(part->turned);
  double lo[2] = {INFINITY, INFINITY}, hi[2] = {-INFINITY, -INFINITY};
  for (size_t i = 0; i < r->spots->count; i++) {
    const double *p = r->spots->spot[i].place, arm[2] = {p[0] - part->origin[0], p[1] - part->origin[1]};
    const double own[2] = {c * arm[0] + s * arm[1], -s * arm[0] + c * arm[1]};
    for (int k = 0; k < 2; k++) lo[k] = fmin(lo[k], own[k]), hi[k] = fmax(hi[k], own[k]);
  }
  double size = fmax(hi[0] - lo[0], hi[1] - lo[1]);
  if (!(size > 0.0)) size = 1.0;
  for (int k = 0; k < 2; k++) {
    double room = 0.75 * size;
    g->from[k] = 0.5 * (lo[k] + hi[k]) - room;
    g->to[k] = 0.5 * (lo[k] + hi[k]) + room;
  }
}

static amo_status grid_json(const amo_brake_run *r, const amo_moving_point *part, const grid *g, cJSON *o)
{
  const uint32_t nq = r->call->model->nq, n = r->brake->count;
  size_t counts[4] = {0};
  double *jacobian = amo_zalloc(3u * (size_t)nq, sizeof *jacobian), least = INFINITY, most = -INFINITY;
  amo_braking *x = amo_zalloc(n, sizeof *x);
  cJSON *psi = cJSON_CreateArray(), *kind = cJSON_CreateArray(), *box = cJSON_CreateArray(), *count;
  for (long j = 0; jacobian && x && j < g->n[1]; j++) {
    cJSON *row = cJSON_CreateArray(), *words = cJSON_CreateArray();
    for (long i = 0; i < g->n[0]; i++) {
      const double at[2] = {g->from[0] + (g->to[0] - g->from[0]) * (double)i / (double)(g->n[0] - 1),
                            g->from[1] + (g->to[1] - g->from[1]) * (double)j / (double)(g->n[1] - 1)};
      double place[3];
      amo_moving_point_point(r->spots, part, at, place, jacobian);
      amo_brake_point(r->brake, jacobian, r->tol, r->size, x);
      amo_brake_class k = amo_brake_together(x, n, false);
      double angle = amo_brake_angle(x, n);
      counts[k]++;
      least = fmin(least, angle);
      most = fmax(most, angle);
      cJSON_AddItemToArray(row, amo_json_number(angle));
      cJSON_AddItemToArray(words, cJSON_CreateString(amo_brake_class_name(k)));
    }
    cJSON_AddItemToArray(psi, row);
    cJSON_AddItemToArray(kind, words);
  }
  for (int k = 0; k < 2; k++) {
    const double range[2] = {g->from[k], g->to[k]};
    cJSON_AddItemToArray(box, amo_vector_json(range, 2));
  }
  cJSON_AddItemToObject(o, "range", box);
  const double size[2] = {(double)g->n[0], (double)g->n[1]};
  cJSON_AddItemToObject(o, "size", amo_vector_json(size, 2));
  count = cJSON_AddObjectToObject(o, "counts");
  for (int k = 0; k < 3; k++)
    cJSON_AddNumberToObject(count, amo_brake_class_name((amo_brake_class)k), (double)counts[k]);
  amo_json_add(o, "psi_min", least);
  amo_json_add(o, "psi_max", most);
  cJSON_AddItemToObject(o, "psi", psi);
  cJSON_AddItemToObject(o, "classes", kind);
  amo_status st = jacobian && x ? AMO_OK : AMO_ENOMEM;
  free(jacobian);
  free(x);
  return st;
}

amo_status amo_brake_field_json(const amo_brake_run *r, cJSON *result)
{
  const amo_call *call = r->call;
  const char *name = amo_opt_text(call->opt, "field");
  grid g = {{0}, {0}, {0}};
  const amo_moving_point *part = NULL;
  if (amo_material_find(call, "field", name, strlen(name)) < 0) return AMO_EINPUT;
  for (size_t i = 0; i < r->spots->count && !part; i++)
    if (!strcmp(r->spots->spot[i].name, name)) part = &r->spots->spot[i];
  if (!part || !part->turns)
    return amo_error(call->diags, (amo_at){0}, "a body, or a point with an angle",
                     "--field: '%s' has no axes of its own: a field needs a part that turns or may turn",
                     name);
  amo_status st = read_size(call, &g);
  default_range(r, part, &g);
  if (st == AMO_OK) st = read_range(call, &g);
  if (st != AMO_OK) return st;
  cJSON *o = cJSON_AddObjectToObject(result, "field");
  cJSON_AddStringToObject(o, "part", name);
  cJSON_AddItemToObject(o, "origin", amo_vector_json(part->origin, 2));
  amo_json_add(o, "angle", part->turned);
  if (r->brake->count == 1) {
    const uint32_t nq = call->model->nq;
    const amo_held *h = &r->brake->held[0];
    field f = {.r = r, .part = part, .reach = fmax(g.to[0] - g.from[0], g.to[1] - g.from[1])};
    for (uint32_t q = 0; q < nq; q++) {
      for (size_t k = 0; k < 2; k++) {
        f.a.v[k] += part->origin_row[k * nq + q] * h->motion[q];
        f.b.v[k] += part->origin_row[k * nq + q] * h->lift[q];
      }
      f.a.turn += part->origin_row[3u * (size_t)nq + q] * h->motion[q];
      f.b.turn += part->origin_row[3u * (size_t)nq + q] * h->lift[q];
    }
    structure_json(&f, o);
  }
  return grid_json(r, part, &g, o);
}
