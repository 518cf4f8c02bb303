// SPDX-License-Identifier: Apache-2.0
/// Steady sliding and its stability: motions q = q0 + V t in which nothing changes (a block that rests in its spring
/// while the belt slips under it, a mass dragged at constant speed by a load that grows), linearised with exact
/// derivatives in the modes they have: sticking contacts stay sticking, slipping ones slip.
///
///   amo_steady *s;
///   if (amo_steady_find(model, NULL, NULL, &s) == AMO_OK) printf("%g\n", s->growth);
///   amo_steady_free(s);
#ifndef AMONTONS_STEADY_H
#define AMONTONS_STEADY_H

#include <stdbool.h>
#include <stddef.h>

#include "amontons/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct amo_steady_opts {
  size_t size;               // sizeof(amo_steady_opts), set by amo_steady_opts_init
  double t;                  // time at which the state is taken; NaN: that of the values
  const double *start;       // [states] where the search begins; NULL: the initial state of the values
  const int *mode;           // [contacts] modes to look in; NULL: those of the start, then all others
  const amo_values *values;  // what the model is asked with; NULL: amo_model_values
} amo_steady_opts;

AMO_API void amo_steady_opts_init(amo_steady_opts *o, size_t size);
static inline amo_steady_opts amo_steady_opts_default(void)
{
  amo_steady_opts o;
  amo_steady_opts_init(&o, sizeof o);
  return o;
}

/// Stiffness of one slipping contact against its own slip, quasi-statically: with S the 2 x 2 (planar: 1 x 1)
/// matrix of the force needed for a unit slip, the friction keeping its direction xi, eta across it,
///   X = xi.S.xi   Y = eta.S.eta   D = det S   G = X Y - D
/// X < 0: no continuous quasi-static slip. D < 0: quasi-static answers are not unique. Planar: X = D, Y and G are NaN.
typedef struct amo_slip_stiffness {
  double X, Y, G, D;  // as above
} amo_slip_stiffness;

typedef struct amo_steady {
  double t;                       // time at which the state is taken
  size_t states, contacts;        // of the model
  double *state;                  // [states]
  int *mode;                      // [contacts] 0 stick, +1/-1 slip, 2 apart
  double *slip;                   // [contacts] velocity (spatial: speed)
  double *angle;                  // [contacts] direction of spatial slip [rad], NaN for the others
  double *normal;                 // [contacts] normal force
  double *friction;               // [contacts] along the slip
  amo_slip_stiffness *stiffness;  // [contacts] NaN where it does not slip
  double residual;                // largest equation of the steady state relative to its terms
  double drift;                   // what changes along the motion all the same, relative
  bool frozen;       // the linearisation itself changes along the motion: eigenvalues of this instant
  size_t order;      // of the characteristic polynomial
  double *re, *im;   // [order] eigenvalues, by descending real part; a real part within its error is zero
  double *error;     // [order] what rounding may have done to each
  size_t neutral;    // positions that nothing depends on, left out
  size_t locked;     // coordinates that sticking contacts hold, left out
  double *matrix;    // [order][order] whose eigenvalues they are
  double *a, *H;     // [order] coefficients and Hurwitz determinants; H NULL for large orders
  bool stable;       // every eigenvalue to the left of the axis
  double growth;     // largest real part
  double frequency;  // of that eigenvalue [rad/s]
} amo_steady;

/// AMO_ENOANSWER: no steady state was found (the reason goes to diags).
AMO_API amo_status amo_steady_find(const amo_model *m, const amo_steady_opts *opts, amo_diags *diags,
                                   amo_steady **out);
AMO_API void amo_steady_free(amo_steady *s);

#ifdef __cplusplus
}
#endif

#endif
