// SPDX-License-Identifier: Apache-2.0
#include "explore/brake/field.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

/// Displacements of a rigid part: v(s) = v + turn k x (s - origin).
typedef struct flow {
  double v[2], turn;
} flow;

typedef struct moving_part {
  const amo_brake *brake;
  const amo_moving_point *part;
  flow a, b;
  double reach;  // length that matters
  double tol, size;
} moving_part;

static flow combine(const flow *a, double f, const flow *b)
{
  return (flow){{a->v[0] + f * b->v[0], a->v[1] + f * b->v[1]}, a->turn + f * b->turn};
}

static double dot(const double *u, const double *v)
{
  return u[0] * v[0] + u[1] * v[1];
}

/// From the origin to the point that stays; false: it is at infinity.
static bool pole(const moving_part *f, const flow *x, double out[2])
{
  double size = fabs(f->a.turn) + fabs(f->b.turn);
  if (fabs(x->turn) <= 1e-13 * size || x->turn == 0.0) return false;
  out[0] = -x->v[1] / x->turn;
  out[1] = x->v[0] / x->turn;
  return true;
}

/// A place from the origin.
static amo_brake_place place_of(const moving_part *f, const double *arm)
{
  const double c = cos(f->part->turned), s = sin(f->part->turned);
  return (amo_brake_place){.there = true,
                           .at = {f->part->origin[0] + arm[0], f->part->origin[1] + arm[1]},
                           .in_part = {c * arm[0] + s * arm[1], -s * arm[0] + c * arm[1]}};
}

static amo_brake_place pole_place(const moving_part *f, flow x)
{
  double arm[2];
  return pole(f, &x, arm) ? place_of(f, arm) : (amo_brake_place){0};
}

static amo_braking braking_at(const moving_part *f, const double *arm)
{
  const double a[3] = {f->a.v[0] - f->a.turn * arm[1], f->a.v[1] + f->a.turn * arm[0], 0.0};
  const double b[3] = {f->b.v[0] - f->b.turn * arm[1], f->b.v[1] + f->b.turn * arm[0], 0.0};
  return amo_braking_of(a, b, f->brake->held[0].rough, f->tol, f->size);
}

// ---- the line on which a and b are parallel ----

static int ascending(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/// Where classes may change, along the line from its foot.
static int borders(const moving_part *f, const double *foot, const double *along, double s[3])
{
  const amo_rough *r = &f->brake->held[0].rough;
  const double mp = r->mu * r->p;
  flow border[3] = {combine(&f->a, mp, &f->b), combine(&f->a, -mp, &f->b)};
  int n = 2, count = 0;
  if (r->mu_kinetic * fabs(r->L) > 1.0) border[n++] = combine(&f->a, -r->p / r->L, &f->b);
  for (int i = 0; i < n; i++) {
    double arm[2];
    if (!pole(f, &border[i], arm)) continue;
    arm[0] -= foot[0];
    arm[1] -= foot[1];
    s[count++] = dot(arm, along);
  }
  qsort(s, (size_t)count, sizeof *s, ascending);
  return count;
}

static void cut_line(const moving_part *f, const double *foot, const double *along, amo_brake_lines *o)
{
  double s[3];
  const int count = borders(f, foot, along, s);
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
    const amo_braking x = braking_at(f, at);
    o->interval[o->intervals++] =
        (amo_brake_interval){.from = i ? place_of(f, from) : (amo_brake_place){0},
                             .to = i < count ? place_of(f, to) : (amo_brake_place){0},
                             .kind = x.kind,
                             .source = x.source};
  }
}

/// a x b = v_a x v_b + (turn_b v_a - turn_a v_b).s is linear in s: the square terms cancel.
static void find_parallel(const moving_part *f, amo_brake_lines *o)
{
  const double n[2] = {f->b.turn * f->a.v[0] - f->a.turn * f->b.v[0],
                       f->b.turn * f->a.v[1] - f->a.turn * f->b.v[1]};
  const double c = f->a.v[0] * f->b.v[1] - f->a.v[1] * f->b.v[0], length = sqrt(dot(n, n));
  const double la = hypot(f->a.v[0], f->a.v[1]) + fabs(f->a.turn) * f->reach;
  const double lb = hypot(f->b.v[0], f->b.v[1]) + fabs(f->b.turn) * f->reach;
  if (length * f->reach <= f->tol * la * lb) {
    const double far[2] = {0.618 * f->reach, 0.382 * f->reach};
    const amo_braking x = braking_at(f, far);
    o->parallel = fabs(c) <= f->tol * la * lb ? AMO_PARALLEL_EVERYWHERE : AMO_PARALLEL_NOWHERE;
    o->kind = x.kind;
    o->source = x.source;
    return;
  }
  const double foot[2] = {-c * n[0] / (length * length), -c * n[1] / (length * length)};
  o->parallel = AMO_PARALLEL_LINE;
  o->through = place_of(f, foot);
  o->along[0] = -n[1] / length;
  o->along[1] = n[0] / length;
  cut_line(f, foot, o->along, o);
}

/// Where the stagnation angle is a right one: |a| = mu p |b|, a circle (Apollonius), or a line.
static void find_circle(const moving_part *f, amo_brake_lines *o)
{
  const amo_rough *r = &f->brake->held[0].rough;
  const double m = r->mu * r->p, k = f->a.turn * f->a.turn - m * m * f->b.turn * f->b.turn;
  o->radius = NAN;
  if (fabs(k) <= 1e-13 * (f->a.turn * f->a.turn + m * m * f->b.turn * f->b.turn) || k == 0.0) return;
  // |v + w k x s|^2 = |v|^2 + 2 w (v_y s_x - v_x s_y) + w^2 |s|^2
  const double centre[2] = {-(f->a.turn * f->a.v[1] - m * m * f->b.turn * f->b.v[1]) / k,
                            (f->a.turn * f->a.v[0] - m * m * f->b.turn * f->b.v[0]) / k};
  const double square = dot(centre, centre) - (dot(f->a.v, f->a.v) - m * m * dot(f->b.v, f->b.v)) / k;
  o->centre = place_of(f, centre);
  if (square >= 0.0) o->radius = sqrt(square);
}

static void find_lines(moving_part *f, amo_brake_lines *o)
{
  const amo_held *h = &f->brake->held[0];
  const uint32_t nq = f->brake->m->nq;
  for (uint32_t q = 0; q < nq; q++) {
    for (size_t k = 0; k < 2; k++) {
      f->a.v[k] += f->part->origin_row[k * nq + q] * h->motion[q];
      f->b.v[k] += f->part->origin_row[k * nq + q] * h->lift[q];
    }
    f->a.turn += f->part->origin_row[3u * (size_t)nq + q] * h->motion[q];
    f->b.turn += f->part->origin_row[3u * (size_t)nq + q] * h->lift[q];
  }
  const double m = h->rough.mu * h->rough.p;
  *o = (amo_brake_lines){.pole = {[AMO_POLE_A] = pole_place(f, f->a),
                                  [AMO_POLE_B] = pole_place(f, f->b),
                                  [AMO_POLE_PLUS] = pole_place(f, combine(&f->a, m, &f->b)),
                                  [AMO_POLE_MINUS] = pole_place(f, combine(&f->a, -m, &f->b))}};
  if (h->rough.L != 0.0)
    o->pole[AMO_POLE_PARADOX] = pole_place(f, combine(&f->a, -h->rough.p / h->rough.L, &f->b));
  find_parallel(f, o);
  find_circle(f, o);
}

// ---- the grid ----

double amo_brake_size(const amo_brake *b, const amo_moving_points *spots)
{
  double size = 0.0;
  for (uint32_t i = 0; i < b->count; i++)
    for (size_t k = 0; k < spots->count; k++) {
      double a[3], lift[3];
      amo_brake_vectors(b, &b->held[i], spots->spot[k].jacobian, a, lift);
      size = fmax(size, sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]));
    }
  return 1e-4 * size;
}

void amo_brake_range(const amo_moving_points *spots, const amo_moving_point *part, amo_brake_grid *g)
{
  const double c = cos(part->turned), s = sin(part->turned);
  double lo[2] = {INFINITY, INFINITY}, hi[2] = {-INFINITY, -INFINITY};
  for (size_t i = 0; i < spots->count; i++) {
    const double *p = spots->spot[i].place, arm[2] = {p[0] - part->origin[0], p[1] - part->origin[1]};
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

static amo_status fill_grid(const moving_part *f, const amo_moving_points *spots, amo_brake_field *out)
{
  const amo_brake_grid *g = &out->grid;
  const uint32_t n = f->brake->count;
  double *jacobian = amo_zalloc(3u * (size_t)f->brake->m->nq, sizeof *jacobian);
  amo_braking *x = amo_zalloc(n, sizeof *x);
  for (size_t j = 0; jacobian && x && j < g->n[1]; j++)
    for (size_t i = 0; i < g->n[0]; i++) {
      const double at[2] = {g->from[0] + (g->to[0] - g->from[0]) * (double)i / (double)(g->n[0] - 1),
                            g->from[1] + (g->to[1] - g->from[1]) * (double)j / (double)(g->n[1] - 1)};
      const size_t cell = j * g->n[0] + i;
      double place[3];
      amo_moving_point_point(spots, f->part, at, place, jacobian);
      amo_brake_point(f->brake, jacobian, f->tol, f->size, x);
      out->kind[cell] = amo_brake_together(x, n, false);
      out->psi[cell] = amo_brake_angle(x, n);
      out->counts[out->kind[cell]]++;
      out->least = fmin(out->least, out->psi[cell]);
      out->most = fmax(out->most, out->psi[cell]);
    }
  const amo_status st = jacobian && x ? AMO_OK : AMO_ENOMEM;
  free(jacobian);
  free(x);
  return st;
}

amo_status amo_brake_field_find(const amo_brake *b, const amo_moving_points *spots,
                                const amo_moving_point *part, const amo_brake_grid *g, double tol,
                                double size, amo_brake_field *out)
{
  moving_part f = {.brake = b,
                   .part = part,
                   .reach = fmax(g->to[0] - g->from[0], g->to[1] - g->from[1]),
                   .tol = tol,
                   .size = size};
  *out = (amo_brake_field){.grid = *g, .least = INFINITY, .most = -INFINITY, .structured = b->count == 1};
  out->psi = amo_zalloc(g->n[0] * g->n[1], sizeof *out->psi);
  out->kind = amo_zalloc(g->n[0] * g->n[1], sizeof *out->kind);
  if (out->structured) find_lines(&f, &out->lines);
  const amo_status st = out->psi && out->kind ? fill_grid(&f, spots, out) : AMO_ENOMEM;
  if (st != AMO_OK) amo_brake_field_free(out);
  return st;
}

void amo_brake_field_free(amo_brake_field *f)
{
  free(f->psi);
  free(f->kind);
  f->psi = NULL;
  f->kind = NULL;
}
