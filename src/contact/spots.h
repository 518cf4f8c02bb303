// SPDX-License-Identifier: Apache-2.0
/// Material points: where they are and how they move with the coordinates. Points of parts, of axes without
/// mass, or free expressions; derivatives are exact. They live in a DAG of their own: the model stays frozen.
#ifndef AMO_CONTACT_SPOTS_H
#define AMO_CONTACT_SPOTS_H

#include "model/compiled.h"

typedef struct amo_spot {
  const char *name;                       // borrowed
  int dims;                               // 2 or 3
  bool turns;                             // carries axes at `angle`; `at` is in these axes
  double at[2];                           // of the point, in the axes
  amo_node r[3];                          // origin
  amo_node angle;                         // NONE: no axes
  double place[3];                        // evaluated
  double *jacobian;                       // [3][nq] evaluated: displacement per unit of each coordinate
  double origin[3], turned, *origin_row;  // of the axes; origin_row: [4][nq], the angle last
} amo_spot;

typedef struct amo_spots {
  const amo_model *m;
  amo_dag *dag;
  amo_spot *spot;
  size_t count, capacity;
  amo_prog *prog;
  double *reg;
} amo_spots;

amo_status amo_spots_new(const amo_model *m, amo_spots **out);
void amo_spots_free(amo_spots *s);  // accepts NULL
/// Material i of the model; at: a point in its axes, NULL: its origin.
amo_status amo_spots_add_material(amo_spots *s, const char *name, uint32_t i, const double *at);
/// A point by expressions in s->dag (leaves as in the model).
amo_status amo_spots_add(amo_spots *s, const char *name, int dims, const amo_node r[3]);
/// Compile once all are added, then evaluate as often as wanted.
amo_status amo_spots_compile(amo_spots *s);
void amo_spots_evaluate(amo_spots *s, const double *param, double t, const double *state);
/// Place and derivatives of another point `at` of the axes of an evaluated spot; jacobian: [3][nq].
void amo_spot_point(const amo_spots *s, const amo_spot *x, const double at[2], double place[3],
                    double *jacobian);

#endif
