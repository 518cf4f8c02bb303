// SPDX-License-Identifier: Apache-2.0
/// Implicit steps by collocation at Radau's points (Radau IIA): a polynomial that obeys the equations at points of the step, its
/// end among them. Stable for every decay however fast, which it damps; and the polynomial is the motion within the step.
/// States are coordinates q, their velocities u and further states z: of these u' and z' at the points are the unknowns.
#ifndef AMO_NUM_RADAU_H
#define AMO_NUM_RADAU_H

#include "base/mem.h"
#include "num/solve.h"

/// Rates f [ns] at (t, y), and where df is not NULL their derivatives df [ns + 1][ns] along each state and along time.
typedef struct amo_radau_system {
  amo_status (*rates)(void *context, double t, const double *y, double *f, double *df);
  void *context;
} amo_radau_system;

typedef struct amo_radau {
  amo_arena memory;
  size_t stages, nq, nr, ns;  // points; coordinates; unknown rates nq + nz; states 2 nq + nz
  double *x;                  // [stages] points on (0, 1]
  double *integral,
      *twice;        // [stages][stages] from values at the points to integrals from 0 to each, once and twice
  double *legendre;  // [stages][stages] from values at the points to coefficients of Legendre's polynomials
  double *power;     // [stages][stages] power[k][j]: coefficient of x^k in the shifted polynomial j
  double *rate;      // [stages][nr] u', z' at the points
  double *state;     // [stages][ns]
  double *f, *df;    // [ns], [stages][ns + 1][ns]
  double *in_time;   // [nr] largest derivative of a rate along time
  double *change;    // [stages][nr] residuals, then what Newton's method changes
  double *trend;     // [stages][nr] coefficients of the rates of the last step
  amo_lu matrix;     // [stages nr][stages nr]
  double length;     // of the last step; 0: there is none to go on from
  long rhs, jacobians;  // work done so far
} amo_radau;

amo_status amo_radau_make(amo_radau *r, size_t stages, size_t nq, size_t nz);
void amo_radau_free(amo_radau *r);
/// Rates and states at the points of a step of length h from (t, y), to `tol` in units of 1/weight [ns]. `after`: how far behind the
/// start of the last step it begins. False: Newton's method does not get there.
bool amo_radau_solve(amo_radau *r, const amo_radau_system *system, double t, const double *y, double h,
                     double after, const double *weight, double tol);
/// The step just solved is the one to go on from.
void amo_radau_keep(amo_radau *r, double h);
/// out [stages]: powers of x in [0, 1] of the polynomial through the values at the points, `stride` apart. `below`
/// positive: without rounding, which would speak of the length of the next step. `least`: what is rounding in a coefficient besides that of the
/// values; so are the last four where all are below `below`.
void amo_radau_powers(const amo_radau *r, const double *value, size_t stride, double least, double below,
                      double *out);

#endif
