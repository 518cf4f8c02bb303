// SPDX-License-Identifier: Apache-2.0
/// Residuals of motions: a model beside records of what it did, with exact derivatives by parameters and initial values, through stick,
/// slip and every event.
#ifndef AMO_FIT_MOTION_H
#define AMO_FIT_MOTION_H

#include "amontons/sim.h"
#include "fit/least_squares.h"
#include "fit/quantity.h"

/// Something to be found: a plain parameter, or the initial value of a state.
typedef struct amo_unknown {
  bool is_state;
  uint32_t index;  // of the parameter or state
  bool each;       // every record has its own
} amo_unknown;

/// A record of the motion that begins with its values.
typedef struct amo_motion_record {
  amo_values *values;  // settings of this record; changed while residuals are taken
  const bool *given;   // [states] initial values of `values` that do not follow from parameters; NULL: none
  size_t rows;
  const double *t;         // [rows] ascending, from values->t0 on
  const double *measured;  // [quantities][rows]; NaN: no number
} amo_motion_record;

typedef struct amo_motion amo_motion;

/// @param unknown  [unknowns]; parameter k of the residuals is number amo_motion_slot(...). Everything must outlive the result.
/// AMO_ERANGE: an unknown that is computed from others.
amo_status amo_motion_new(const amo_model *m, const amo_sim_opts *opt, amo_quantities *quantity,
                          const amo_motion_record *record, size_t records, const amo_unknown *unknown,
                          size_t unknowns, amo_motion **out);
void amo_motion_free(amo_motion *x);
size_t amo_motion_slots(const amo_motion *x);
/// Which parameter of the residuals is unknown u of record r?
size_t amo_motion_slot(const amo_motion *x, size_t u, size_t r);
/// Is this slot an initial value, which may well change its sign?
bool amo_motion_is_state(const amo_motion *x, size_t slot);
/// Rows of residuals: records one after the other, in each quantity after quantity, in each the times with numbers.
size_t amo_motion_rows(const amo_motion *x);
size_t amo_motion_first(const amo_motion *x, size_t record, size_t quantity);  // first row
/// Residuals for amo_fit_solve; `horizon` limits them: the part of each record, from 0 to 1, that is looked at; beyond, they are zero.
void amo_motion_horizon(amo_motion *x, double horizon);
amo_status amo_motion_at(void *motion, const double *p, double *r, double *j);
const char *amo_motion_message(const amo_motion *x);  // why the last call failed
/// What follows from parameters alone, with the values p of the first record: value and slope [slots]. AMO_EUNSUPPORTED: it needs forces.
amo_status amo_motion_predict(amo_motion *x, const double *p, amo_quantities *what, double *value,
                              double *slope);
/// weight [rows] := 1 of rows within the horizon, 0 beyond.
void amo_motion_inside(const amo_motion *x, double *weight);
/// The part of the records, from 0 to 1, up to which the mean of |r| over a hundredth of a record stays below `lost`.
double amo_motion_followed(const amo_motion *x, const double *r, double lost);

/// The whole fit of motions that may be long: the sum of squares of a long oscillation has a valley for every period by which model and
/// record may be shifted. So a short beginning of the records is fitted first, and then as much of them as the model follows, until it
/// is all. `source` is made of the motion.
amo_status amo_motion_solve(amo_motion *x, const amo_residuals *source, const amo_fit_parameter *parameter,
                            const amo_fit_opts *opts, amo_fit **out);

#endif
