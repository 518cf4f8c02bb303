// SPDX-License-Identifier: Apache-2.0
/// Equilibrium without inertia, and its rates. State y: coordinates q, normal forces R, friction forces L (two a
/// contact, the second only of spatial ones), multipliers G of constraints:
///
///   f(q,t) + n R + w L + g G = 0
///
/// With K = -d/dq and p = d/dt of the left side (forces held, all derivatives exact) the rates in given modes solve
///
///   K q' - n R' - w L' - g G' = p      gap closed: n q' = -gap_t      stick: w q' = -c
///   slip along d: d.L' = -(mu R)', across d no slip                   open: R' = L' = 0
///   without friction (mu and its derivatives are zero): L' = 0, and slip goes where it goes
///
/// One set of rows says this: `still` what is said of y, `move` what is said of q'. Rates, Newton's step back to
/// equilibrium and the steps of a path are made of it. Rounding is known here alone: see amo_statics_arrange.
#ifndef AMO_QUASISTATIC_STATICS_H
#define AMO_QUASISTATIC_STATICS_H

#include "base/mem.h"
#include "contact/expansion.h"

/// How a contact moves.
typedef enum amo_qs_kind { AMO_QS_STICK, AMO_QS_SLIP, AMO_QS_OPEN } amo_qs_kind;

typedef struct amo_qs_mode {
  amo_qs_kind kind;
  double reaction_sign;  // slip: sign of the reaction that friction is written for; 1 unless a guide pulls
  double d[2];  // slip: direction, a unit vector; planar: (+1 or -1, 0); zero: without friction and at rest
} amo_qs_mode;

typedef struct amo_statics {
  amo_arena memory;  // of all arrays
  amo_expansion *x;
  const amo_model *m;  // expanded
  uint32_t nq, nc, ng, ny;
  double t, *state, *dir;    // [states] q, zero velocities, the model's further states; a direction in them
  signed char *rest_mode;    // [nc] zeros
  double *K, *p, *f;         // [nq][nq], [nq], residual [nq]
  double *n, *w, *g;         // [nc][nq], [2 nc][nq], [ng][nq]
  double *gap, *gap_t, *c;   // [nc], [nc], [2 nc]
  double *tie, *tie_t;       // [ng]
  double *mu, *mu_q, *mu_t;  // [nc], [nc][nq], [nc]: coefficient, or the bound itself of pressed contacts
  int lead;              // order of the first coefficient in time of what drives; the rates are of that order
  double *still, *move;  // [ny][ny] rows: of y, of its rates
  double *rest, *drift;  // [ny] residual; right-hand side of the rates
  double *size;          // [ny] sum of magnitudes behind the residual
  double *inverse;       // [ny][ny] of still + move
  double *scale;         // [ny] natural magnitude of each unknown: what the sizes of all rows can do to it
  double *work;          // [ny^2 + 3 ny] scratch
} amo_statics;

amo_status amo_statics_new(const amo_values *v, amo_statics **out);
void amo_statics_free(amo_statics *s);
/// Everything at time t and state y [ny]. AMO_ENOANSWER: an expression has no value.
amo_status amo_statics_at(amo_statics *s, double t, const double *y);
/// The rows in these modes at the state of the last amo_statics_at. velocity [nq]: rows of slip have their residual there,
/// and spatial slip is against its friction; NULL: slip keeps the direction of its mode, and the residual is zero.
void amo_statics_rows(amo_statics *s, const double *y, const double *velocity, const amo_qs_mode *mode);
/// The rows, their inverse and scales. in [ny]: unknowns that take part, the others are held (NULL: all).
/// AMO_ENOANSWER: singular, no digit of the inverse is known.
amo_status amo_statics_arrange(amo_statics *s, const double *y, const amo_qs_mode *mode, const bool *in);
/// The scales again, for the sizes of the rows at hand and the inverse that was arranged.
void amo_statics_scales(amo_statics *s);
/// What rounding may do to an unknown, of its scale.
double amo_statics_rounding(const amo_statics *s);
/// Rates y' as arranged, and what rounding may have done to each.
void amo_statics_rates(amo_statics *s, double *rate, double *error);
/// Newton to equilibrium at time t. AMO_ENOANSWER: not reached.
amo_status amo_statics_settle(amo_statics *s, double t, double *y, const amo_qs_mode *mode);
/// A unit of forces in which stiffness is of size 1: rows of systems are scaled where they are solved, forces here.
double amo_statics_force(const amo_statics *s);

/// Rates of contact c when its slip velocity is prescribed to be v, as functions of v:
///   L' = force0 + force v,   R' = normal0 + normal v,
/// the other contacts in their modes; and X(d) = d.force.d + mu normal.d (planar: one component).
typedef struct amo_slip_response {
  double force0[2], force[4], normal0, normal[2], mu;
  int axes;
} amo_slip_response;

amo_status amo_statics_response(amo_statics *s, const double *y, amo_qs_mode *mode, uint32_t c,
                                const bool *in, amo_slip_response *out);
double amo_slip_along(const amo_slip_response *r, const double d[2]);  // X
double amo_slip_across(const amo_slip_response *r,
                       const double d[2]);  // e.force.d with e = d turned by 90 degrees
/// Least X over all directions, and least D = det(force + mu d normal'); *angle of the first [rad].
double amo_slip_least(const amo_slip_response *r, double *angle, double *least_det);

/// a.b, or the sum of the magnitudes of its terms.
double amo_statics_dot(const double *a, const double *b, size_t n, bool magnitudes);
/// Has contact c no friction, here and nearby? Then it neither sticks nor has a direction of slip to keep.
bool amo_statics_frictionless(const amo_statics *s, uint32_t c);
double amo_statics_bound(const amo_statics *s, const double *y, uint32_t c);  // mu |R|, or the bound
double amo_statics_speed(const amo_statics *s, const double *velocity, uint32_t c, const double d[2]);

/// AMO_ENOANSWER and a message where the stiffness is negative on what guides and constraints leave free.
amo_status amo_statics_require_stable(const amo_statics *s, amo_diags *diags);

#endif
