// SPDX-License-Identifier: Apache-2.0
/// All points of a rigid part at once: which of them are self-braking. Displacements are affine in the place, so that everything but the grid
/// is exact: a and b are parallel on one straight line (through the poles of both), and on it classes change at the poles of a + mu p b,
/// a - mu p b and, with paradoxes, a - sigma p b/|L|.
#ifndef AMO_EXPLORE_BRAKE_FIELD_H
#define AMO_EXPLORE_BRAKE_FIELD_H

#include "explore/brake/brake.h"

/// A place of the part, in space and in its own axes; not `there`: at infinity.
typedef struct amo_brake_place {
  bool there;
  double at[2], in_part[2];
} amo_brake_place;

/// The points that stay where they are as the part is displaced by these; b: lift; A: a +- mu p b; B: a - sigma p b/|L|.
typedef enum amo_brake_pole {
  AMO_POLE_A,
  AMO_POLE_B,
  AMO_POLE_PLUS,
  AMO_POLE_MINUS,
  AMO_POLE_PARADOX,
  AMO_BRAKE_POLES
} amo_brake_pole;

/// A piece of the line on which a and b are parallel. Ends that are not `there` are at infinity.
typedef struct amo_brake_interval {
  amo_brake_place from, to;
  amo_brake_class kind, source;  // by Coulomb's inequality; as printed
} amo_brake_interval;

typedef enum amo_brake_parallel {
  AMO_PARALLEL_LINE,
  AMO_PARALLEL_EVERYWHERE,
  AMO_PARALLEL_NOWHERE
} amo_brake_parallel;

enum { AMO_BRAKE_INTERVALS = 4 };  // at most: three borders

/// Structure of the field of one rough contact.
typedef struct amo_brake_lines {
  amo_brake_place pole[AMO_BRAKE_POLES];
  amo_brake_parallel parallel;
  amo_brake_class kind, source;  // of all points, where a and b are not parallel on a line
  amo_brake_place through;       // a point of the line
  double along[2];               // its direction
  amo_brake_interval interval[AMO_BRAKE_INTERVALS];
  size_t intervals;
  amo_brake_place
      centre;  // of the circle on which the stagnation angle is a right one; not there: it is a straight line
  double radius;  // NaN: no such point
} amo_brake_lines;

/// Points n[0] x n[1] between these places in the axes of the part.
typedef struct amo_brake_grid {
  size_t n[2];
  double from[2], to[2];
} amo_brake_grid;

typedef struct amo_brake_field {
  amo_brake_grid grid;
  double *psi;            // [n[1]][n[0]] stagnation angles
  amo_brake_class *kind;  // [n[1]][n[0]]
  size_t counts[4];       // of each class
  double least, most;     // of the angles
  bool structured;        // one rough contact: lines are known
  amo_brake_lines lines;
} amo_brake_field;

/// What counts as zero is measured against this: a ten-thousandth of the largest displacement per unit of motion among all points, so that,
/// with the usual tol, displacements below 1e-14 of it are none.
double amo_brake_size(const amo_brake *b, const amo_moving_points *spots);
/// A range around all known points, with room on every side.
void amo_brake_range(const amo_moving_points *spots, const amo_moving_point *part, amo_brake_grid *g);
/// The field of a part that has axes, both brake and points evaluated. AMO_ENOMEM.
amo_status amo_brake_field_find(const amo_brake *b, const amo_moving_points *spots,
                                const amo_moving_point *part, const amo_brake_grid *g, double tol,
                                double size, amo_brake_field *out);
void amo_brake_field_free(amo_brake_field *f);  // of what is in it

#endif
