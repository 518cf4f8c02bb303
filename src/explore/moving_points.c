// SPDX-License-Identifier: Apache-2.0
#include "explore/moving_points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

amo_status amo_moving_points_new(const amo_model *m, amo_moving_points **out)
{
  amo_moving_points *s = *out = amo_zalloc(1, sizeof *s);
  if (!s) return AMO_ENOMEM;
  s->m = m;
  s->dag = amo_dag_new(0);
  if (s->dag) return AMO_OK;
  amo_moving_points_free(s);
  *out = NULL;
  return AMO_ENOMEM;
}

void amo_moving_points_free(amo_moving_points *s)
{
  if (!s) return;
  for (size_t i = 0; i < s->count; i++) free(s->spot[i].jacobian);
  free(s->spot);
  amo_prog_free(s->prog);
  amo_dag_free(s->dag);
  free(s->reg);
  free(s);
}

static amo_status append(amo_moving_points *s, amo_moving_point x)
{
  if (!AMO_ROOM(s->spot, s->count, s->capacity)) return AMO_ENOMEM;
  x.jacobian = amo_zalloc(7u * (size_t)s->m->nq, sizeof *x.jacobian);
  if (!x.jacobian) return AMO_ENOMEM;
  x.origin_row = x.jacobian + 3u * (size_t)s->m->nq;
  s->spot[s->count++] = x;
  return AMO_OK;
}

amo_status amo_moving_points_add_material(amo_moving_points *s, const char *name, uint32_t i,
                                          const double *at)
{
  const amo_material *x = &s->m->materials.item[i];
  amo_node root[4] = {x->r[0], x->r[1], x->r[2], x->angle}, copy[4];
  amo_status st = amo_dag_copy(s->dag, s->m->dag, root, 4, copy);
  if (st != AMO_OK) return st;
  amo_moving_point spot = {.name = name, .dims = x->dims, .turns = x->turns, .angle = copy[3]};
  memcpy(spot.r, copy, sizeof spot.r);
  if (at) memcpy(spot.at, at, sizeof spot.at);
  return append(s, spot);
}

amo_status amo_moving_points_add(amo_moving_points *s, const char *name, int dims, const amo_node r[3])
{
  amo_moving_point spot = {.name = name, .dims = dims};
  memcpy(spot.r, r, sizeof spot.r);
  return append(s, spot);
}

// ---- one program for all: per spot r[3], angle, then their derivatives ----

static size_t roots_each(const amo_moving_points *s)
{
  return 4u * (1u + (size_t)s->m->nq);
}

amo_status amo_moving_points_compile(amo_moving_points *s)
{
  const amo_model *m = s->m;
  size_t each = roots_each(s), n = 0;
  amo_node *root = amo_zalloc(each * s->count, sizeof *root), zero = amo_const(s->dag, 0.0);
  if (!root) return AMO_ENOMEM;
  for (size_t i = 0; i < s->count; i++) {
    const amo_moving_point *x = &s->spot[i];
    amo_node part[4] = {x->r[0], x->r[1], x->r[2], x->turns ? x->angle : zero};
    for (int k = 0; k < 4; k++) root[n++] = part[k];
    for (int k = 0; k < 4; k++)
      for (uint32_t q = 0; q < m->nq; q++) root[n++] = amo_diff(s->dag, part[k], m->leaf.q + q);
  }
  amo_status st = amo_dag_status(s->dag);
  if (st == AMO_OK) st = amo_prog_compile(s->dag, root, n, m->fixed, m->leaf.count, &s->prog);
  if (st == AMO_OK && !(s->reg = amo_zalloc(amo_prog_registers(s->prog), sizeof *s->reg))) st = AMO_ENOMEM;
  free(root);
  return st;
}

void amo_moving_point_point(const amo_moving_points *s, const amo_moving_point *x, const double at[2],
                            double place[3], double *jacobian)
{
  const uint32_t nq = s->m->nq;
  const double c = cos(x->turned), n = sin(x->turned);
  const double arm[3] = {x->turns ? c * at[0] - n * at[1] : 0.0, x->turns ? n * at[0] + c * at[1] : 0.0, 0.0};
  const double turn[3] = {-arm[1], arm[0], 0.0};
  for (int k = 0; k < 3; k++) {
    place[k] = x->origin[k] + arm[k];
    for (uint32_t q = 0; q < nq; q++)
      jacobian[(size_t)k * nq + q] =
          x->origin_row[(size_t)k * nq + q] + turn[k] * x->origin_row[3u * (size_t)nq + q];
  }
}

void amo_moving_points_evaluate(amo_moving_points *s, const double *param, double t, const double *state)
{
  const amo_model *m = s->m;
  const size_t nq = m->nq;
  amo_load_leaves(m, s->reg, 1, param, t, state);
  amo_prog_prepare1(s->prog, s->reg);
  amo_prog_eval1(s->prog, s->reg, NULL);
  for (size_t i = 0; i < s->count; i++) {
    amo_moving_point *x = &s->spot[i];
    size_t first = i * roots_each(s);
    for (size_t k = 0; k < 3; k++) x->origin[k] = s->reg[amo_prog_root(s->prog, first + k)];
    x->turned = s->reg[amo_prog_root(s->prog, first + 3)];
    for (size_t k = 0; k < 4 * nq; k++) x->origin_row[k] = s->reg[amo_prog_root(s->prog, first + 4 + k)];
    amo_moving_point_point(s, x, x->at, x->place, x->jacobian);
  }
}
