// SPDX-License-Identifier: Apache-2.0
/// How a motion changes with its start and with parameters: the derivative of the state at the end with respect to the state
/// at the start (the fundamental matrix) and to parameters, exact through slip, stick and every event.
///
///   amo_sensitivity_opts o = amo_sensitivity_opts_default();
///   const size_t k = (size_t)amo_model_find_parameter(model, "k");
///   o.until = 8;
///   o.parameter = &k, o.parameters = 1;
///   amo_sensitivity *s = NULL;
///   if (amo_sensitivity_find(model, &o, NULL, &s) == AMO_OK) printf("d x / d k = %g\n", s->end.parameter[0]);
///   amo_sensitivity_free(s);
///
/// One question is one thread's business; many threads may ask of one model.
#ifndef AMONTONS_SENSITIVITY_H
#define AMONTONS_SENSITIVITY_H

#include "amontons/orbit.h"
#include "amontons/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How it is asked. Get it from amo_sensitivity_opts_default() and change what you need; later versions may add fields.
typedef struct amo_sensitivity_opts {
  size_t size;              // sizeof(amo_sensitivity_opts), set by amo_sensitivity_opts_init
  double until;             // time at the end [s]; the start is the time of the values
  const double *start;      // [states] a fixed start; NULL: the values' initial state, as parameters make it
  const size_t *parameter;  // [parameters] plain parameters for which there are derivatives; event method
  size_t parameters;        // at most AMO_SENSITIVITY_PARAMETERS
  size_t samples;           // also at so many equal times; event method. 0: none
  double differences;       // step of central differences to compare with; 0: none
  double perturbation;      // switch: absolute change of states for derivatives
  const amo_sim_opts *sim;  // method, tolerance, values; NULL for defaults
  volatile int
      *stop;  // may be NULL: set it to nonzero (from another thread or a signal) to end with AMO_EINTR
} amo_sensitivity_opts;

enum { AMO_SENSITIVITY_PARAMETERS = 64 };  // most parameters of one question

AMO_API void amo_sensitivity_opts_init(amo_sensitivity_opts *o, size_t size);
static inline amo_sensitivity_opts amo_sensitivity_opts_default(void)
{
  amo_sensitivity_opts o;
  amo_sensitivity_opts_init(&o, sizeof o);
  return o;
}

/// Derivatives at one time.
typedef struct amo_sensitivity_at {
  double t;              // [s]
  const double *state;   // [states]
  const double *matrix;  // [states][states] by columns: matrix[j*states + i] = d state i / d start j
  const double
      *parameter;  // [parameters][states] by columns: d state i / d parameter k; NULL without parameters
} amo_sensitivity_at;

/// One event; those of one instant share their derivatives.
typedef struct amo_sensitivity_event {
  amo_event event;                   // what happened
  amo_sensitivity_at before, after;  // it; the state is that after it
} amo_sensitivity_event;

typedef struct amo_sensitivity {
  size_t states, parameters;           // of the matrices
  amo_sensitivity_at end;              // at the end
  size_t events, samples;              // how many
  const amo_sensitivity_event *event;  // [events] event method
  const amo_sensitivity_at *sample;    // [samples + 1 asked for, the start included]; count is `samples`
  size_t rank;                         // bound on the rank of the matrix: stick takes ranks away
  bool grazing;                        // an event is touched without being crossed: one side only
  bool one_sided;  // that, or the start lies on a border of modes: changes to the other side differ
  bool together;   // several events at once: the derivative depends on their order, one was taken
  const amo_multiplier *eigenvalue;  // [states] of the matrix; NULL: not found
  const double *differences;  // [states][states] as matrix, by central differences; NULL: not asked for
} amo_sensitivity;

/// AMO_EINPUT: a parameter that follows from others, or is named twice; AMO_ERANGE; AMO_EUNSUPPORTED, AMO_ENOANSWER: no
/// derivative through some event, or no motion (diags says why); AMO_EINTR. *out = NULL then. Warnings about derivatives
/// that hold to one side go to diags, too.
AMO_API amo_status amo_sensitivity_find(const amo_model *m, const amo_sensitivity_opts *opts,
                                        amo_diags *diags, amo_sensitivity **out);
AMO_API void amo_sensitivity_free(amo_sensitivity *s);  // accepts NULL

#ifdef __cplusplus
}
#endif
#endif
