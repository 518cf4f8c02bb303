// SPDX-License-Identifier: Apache-2.0
/// Material points: where they are and how they move with the coordinates. Points of parts, of axes without
/// mass, or free expressions; derivatives are exact. They live in a DAG of their own: the model stays frozen.
#ifndef AMO_EXPLORE_MOVING_POINTS_H
#define AMO_EXPLORE_MOVING_POINTS_H

#include "model/compiled.h"

typedef struct amo_moving_point {
  const char *name;                       // borrowed
  int dims;                               // 2 or 3
  bool turns;                             // carries axes at `angle`; `at` is in these axes
  double at[2];                           // of the point, in the axes
  amo_node r[3];                          // origin
  amo_node angle;                         // NONE: no axes
  double place[3];                        // evaluated
  double *jacobian;                       // [3][nq] evaluated: displacement per unit of each coordinate
  double origin[3], turned, *origin_row;  // of the axes; origin_row: [4][nq], the angle last
} amo_moving_point;

typedef struct amo_moving_points {
  const amo_model *m;
  amo_dag *dag;
  amo_moving_point *spot;
  size_t count, capacity;
  amo_prog *prog;
  double *reg;
} amo_moving_points;

amo_status amo_moving_points_new(const amo_model *m, amo_moving_points **out);
void amo_moving_points_free(amo_moving_points *s);  // accepts NULL
/// Material i of the model; at: a point in its axes, NULL: its origin.
amo_status amo_moving_points_add_material(amo_moving_points *s, const char *name, uint32_t i,
                                          const double *at);
/// A point by expressions in s->dag (leaves as in the model).
amo_status amo_moving_points_add(amo_moving_points *s, const char *name, int dims, const amo_node r[3]);
/// Compile once all are added, then evaluate as often as wanted.
amo_status amo_moving_points_compile(amo_moving_points *s);
void amo_moving_points_evaluate(amo_moving_points *s, const double *param, double t, const double *state);
/// Place and derivatives of another point `at` of the axes of an evaluated spot; jacobian: [3][nq].
void amo_moving_point_point(const amo_moving_points *s, const amo_moving_point *x, const double at[2],
                            double place[3], double *jacobian);

#endif
