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
/// The same matrix with the residuals on the right is Newton's step back to equilibrium.
#ifndef AMO_QUASISTATIC_STATICS_H
#define AMO_QUASISTATIC_STATICS_H

#include "steady/expansion.h"

/// How a contact moves.
typedef enum amo_qs_kind { AMO_QS_STICK, AMO_QS_SLIP, AMO_QS_OPEN } amo_qs_kind;

typedef struct amo_qs_mode {
  amo_qs_kind kind;
  double d[2];  // slip: direction, a unit vector; planar: (+1 or -1, 0); zero: without friction and at rest
} amo_qs_mode;

typedef struct amo_statics {
  amo_expansion *x;
  const amo_model *m;  // expanded
  uint32_t nq, nc, ng, ny;
  double t, *state;          // [states] q, zero velocities, the model's further states
  double *K, *p, *f;         // [nq][nq], [nq], residual [nq]
  double *size;              // [nq] sum of magnitudes behind the residual
  double *n, *w, *g;         // [nc][nq], [2 nc][nq], [ng][nq]
  double *gap, *gap_t, *c;   // [nc], [nc], [2 nc]
  double *tie, *tie_t;       // [ng]
  double *mu, *mu_q, *mu_t;  // [nc], [nc][nq], [nc]: coefficient, or the bound itself of pressed contacts
  double *matrix, *rhs;      // [ny][ny], [ny]
  double *rate, *rate_t;     // scratch [ny]
} amo_statics;

amo_status amo_statics_new(const amo_model *m, amo_statics **out);
void amo_statics_free(amo_statics *s);
/// Everything at time t and state y [ny]. AMO_ENOANSWER: an expression has no value.
amo_status amo_statics_at(amo_statics *s, double t, const double *y);
/// Rates y' in these modes; `extra` [nq] is added to p (NULL: none). AMO_ENOANSWER: singular.
amo_status amo_statics_rates(amo_statics *s, const double *y, const amo_qs_mode *mode, double *out);
/// Newton's step towards equilibrium in these modes.
amo_status amo_statics_correction(amo_statics *s, const double *y, const amo_qs_mode *mode, double *out);
/// Newton to equilibrium at time t. AMO_ENOANSWER: not reached.
amo_status amo_statics_settle(amo_statics *s, double t, double *y, const amo_qs_mode *mode);

/// Rates of contact c when its slip velocity is prescribed to be v, as functions of v:
///   L' = force0 + force v,   R' = normal0 + normal v,
/// the other contacts in their modes; and X(d) = d.force.d + mu normal.d (planar: one component).
typedef struct amo_slip_response {
  double force0[2], force[4], normal0, normal[2], mu;
  int axes;
} amo_slip_response;

amo_status amo_statics_response(amo_statics *s, const double *y, const amo_qs_mode *mode, uint32_t c,
                                amo_slip_response *out);
double amo_slip_along(const amo_slip_response *r, const double d[2]);  // X
double amo_slip_across(const amo_slip_response *r,
                       const double d[2]);  // e.force.d with e = d turned by 90 degrees
/// Least X over all directions, and least D = det(force + mu d normal'); *angle of the first [rad].
double amo_slip_least(const amo_slip_response *r, double *angle, double *least_det);

/// Has contact c no friction, here and nearby? Then it neither sticks nor has a direction of slip to keep.
bool amo_statics_frictionless(const amo_statics *s, uint32_t c);
double amo_statics_bound(const amo_statics *s, const double *y, uint32_t c);  // mu R, or the bound
double amo_statics_speed(const amo_statics *s, const double *rate, uint32_t c, const double d[2]);
/// Rate of (bound - d.L reversed): how fast a contact at its bound towards d moves into the cone.
double amo_statics_inward(const amo_statics *s, const double *y, const double *rate, uint32_t c,
                          const double d[2]);

/// Least eigenvalue of the symmetric part of K on what guides and constraints leave free; infinity if nothing.
amo_status amo_statics_least_stiffness(const amo_statics *s, double *least);
/// AMO_ENOANSWER and a message where it is negative.
amo_status amo_statics_require_stable(const amo_statics *s, amo_diags *diags);

#endif
