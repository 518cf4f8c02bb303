// SPDX-License-Identifier: Apache-2.0
/// Numbers about a run, from its dense output: extrema, mean and rms of every state, output, slip and
/// friction force; time in stick. Within a step the motion is smooth, so the samples that the audit has taken give
/// integrals and brackets of extrema to the accuracy of the step itself.
#ifndef AMO_EXPLORE_STATISTICS_H
#define AMO_EXPLORE_STATISTICS_H

#include "flow/step_samples.h"
#include "flow/stretch.h"

typedef struct amo_extremum {
  double value, t;
} amo_extremum;

/// An output that is not a number everywhere has no extrema and no mean.
typedef enum amo_flaw_kind { AMO_FLAW_NONE, AMO_FLAW_UNDEFINED, AMO_FLAW_POLE } amo_flaw_kind;
typedef struct amo_flaw {
  amo_flaw_kind kind;
  double t;
} amo_flaw;

typedef struct amo_statistics {
  const amo_model *model;
  amo_sample *sample;                   // scratch
  const amo_step_samples *samples;      // the step under way: of the whole, or of a part
  const double *row, *slope;            // of the column under way; slope: exact, NULL where it is not at hand
  double barycentric[AMO_STEP_POINTS];  // weights of the polynomial through its points
  double last[2][AMO_STEP_POINTS];      // weights of its two highest Legendre coefficients
  double differentiation[AMO_STEP_POINTS]
                        [AMO_STEP_POINTS];  // its slopes at the points, per step: see amo_row_slopes
  size_t columns, states, coordinates, outputs, contacts;
  size_t from_column, to_column;  // those that steps of the whole tell
  double after;                   // statistics from here on
  double duration;
  amo_extremum *min, *max;   // [columns]: states, outputs, slip and force of each contact
  double *sum, *sum_square;  // [columns] integrals
  double *stick, *open;      // [contacts] time in stick; time open
  bool *rough;               // [columns] an output that halving a step does not resolve: noise, not motion
  int looks;                 // left for the present step
  amo_flaw *flaw;            // [columns] what is wrong with an output, if anything
  amo_sim *sim;              // whose motion it is
  bool *holds;               // [contacts] scratch
} amo_statistics;

/// Is this nothing, against the largest value of a column so far (the gap of a closed contact)?
bool amo_statistics_is_rounding(const amo_statistics *s, size_t column, double value);

/// Of the motion of a simulation that has not begun to move.
amo_status amo_statistics_new(amo_sim *sim, double after, amo_statistics **out);
void amo_statistics_free(amo_statistics *s);  // accepts NULL
/// Call after every step. Where parts of the model move on their own, all of them are known up to now after amo_sim_audit.
amo_status amo_statistics_step(amo_statistics *s);
/// "not a number at t = 2.5", or "" when all is well; `text` is the caller's buffer.
const char *amo_statistics_reason(const amo_statistics *s, size_t column, char *text, size_t size);
/// The value of a column by the model itself, not by the polynomial of the step.
double amo_statistics_look(amo_statistics *s, size_t column, double t);
/// Extrema of one column over the last step (extrema.c).
void amo_statistics_extrema(amo_statistics *s, size_t column);
/// "x", "x'", output name, "belt.slip", "belt.force"; `name` is the caller's buffer.
const char *amo_statistics_name(const amo_statistics *s, size_t column, char *name, size_t size);

#endif
