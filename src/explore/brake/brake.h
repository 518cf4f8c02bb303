// SPDX-License-Identifier: Apache-2.0
/// The motion that each rough contact holds, and its lift: what brake.c finds from the engine's own rows.
#ifndef AMO_EXPLORE_BRAKE_H
#define AMO_EXPLORE_BRAKE_H

#include "base/mem.h"
#include "amontons/brake.h"
#include "contact/solutions.h"
#include "explore/moving_points.h"

#define AMO_PI 3.14159265358979323846

typedef struct amo_held {  // one rough contact, the other rough ones sticking
  uint32_t contact;
  amo_rough rough;
  double bound;    // pressed contacts: largest friction force
  double *motion;  // [nq] admissible motion, per unit of coordinate `per`
  double *lift;    // [nq] off the guide by a unit, without slip; zeros for pressed contacts
  uint32_t per;
} amo_held;

struct amo_brake {
  amo_arena memory;
  const amo_model *m;
  amo_point *point;
  amo_solutions *solutions;
  amo_held *held;  // [count]
  uint32_t count;
  signed char *mode;    // [nc] rough ones stick, smooth ones slip
  double *base, *unit;  // [nq], [nq]
  double *zero, *gap;   // [nc + ng]
  double *state;        // [2 nq + nz] at rest
  double *param;        // [np]
  double t;
  const char *why;
};

/// Displacements per unit of motion and of lift of a point with this jacobian [3][nq].
void amo_brake_vectors(const amo_brake *b, const amo_held *h, const double *jacobian, double a[3],
                       double lift[3]);
/// One point against all rough contacts; out: [count]. size: of displacements in this mechanism.
void amo_brake_point(const amo_brake *b, const double *jacobian, double tol, double size, amo_braking *out);
/// The verdict of all contacts together: friction must hold at each.
amo_brake_class amo_brake_together(const amo_braking *x, size_t n, bool source);
/// Stagnation angle of all contacts together for forces in the plane; x: [n].
double amo_brake_angle(const amo_braking *x, size_t n);

#endif
