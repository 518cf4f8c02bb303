// SPDX-License-Identifier: Apache-2.0
/// What was measured, as expressions of the model: coordinates, velocities, further states, accelerations (x''), outputs,
/// CONTACT.slip, CONTACT.force, CONTACT.normal, parameters and t. Values along a motion, with exact derivatives along changes of
/// states and parameters.
#ifndef AMO_FIT_QUANTITY_H
#define AMO_FIT_QUANTITY_H

#include "amontons/diag.h"
#include "contact/derivative.h"

typedef struct amo_quantities {
  amo_arena memory;
  const amo_model *m;
  amo_dag *dag;
  amo_prog *prog;
  size_t count;
  bool forces;     // accelerations or forces are among what they need
  uint32_t *leaf;  // [leaves] that the program reads
  uint32_t leaves;
  double *jet;          // [registers][2]
  signed char *branch;  // [switches]
} amo_quantities;

/// `option` stands for the texts in messages. AMO_EUNSUPPORTED (reported): derivatives of something in them are not known.
amo_status amo_quantities_new(const amo_model *m, const char *option, const char *const *text, size_t count,
                              amo_diags *diags, amo_quantities **out);
void amo_quantities_free(amo_quantities *q);

/// An instant of a motion, with changes.
typedef struct amo_instant_of {
  double t;
  const double *state;       // [ns]
  const double *param;       // [np of the model] derived ones too
  const signed char *mode;   // [nc]
  const amo_derivative *at;  // where q->forces: conditions have just been taken there
  size_t changes;            // directions
  const double *column;      // [changes][ns] of states
  const double *direction;   // [changes][at->np] of the parameters that `at` varies
  const double *rate;        // [changes][np of the model] of all parameters
} amo_instant_of;

/// value [count]; slope [changes][count].
void amo_quantities_at(amo_quantities *q, const amo_instant_of *x, double *value, double *slope);
/// Does the model have a quantity of this name?
bool amo_quantity_known(const amo_model *m, const char *name);

#endif
