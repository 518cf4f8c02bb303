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

/// A contact that gives way before it slides (presliding.c).
typedef enum amo_giving_kind {
  AMO_GIVES_NOT,
  AMO_GIVES_BY_ELEMENTS,  // until all of them slip
  AMO_GIVES_BY_BRISTLES,  // as long as most of the slip bends them
  AMO_GIVES_SOMEHOW       // its law has no border
} amo_giving_kind;

typedef struct amo_giving {
  amo_giving_kind kind;
  size_t deflection;  // bristles: number among the further states
  double time;        // in which it gives way and does not slide
  long phases;        // of these, begun
  bool now;
} amo_giving;

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
  amo_giving *giving;        // [contacts]
  bool *rough;               // [columns] an output that halving a step does not resolve: noise, not motion
  int looks;                 // left for the present step
  amo_flaw *flaw;            // [columns] what is wrong with an output, if anything
  amo_sim *sim;              // whose motion it is
  bool *holds;               // [contacts] scratch
} amo_statistics;

/// Inside: contacts that give way (presliding.c).
amo_status amo_presliding_new(amo_statistics *s);
/// It gave way, or slid, for a duration up to t; what is shorter than times are known is none.
void amo_presliding_note(amo_giving *g, bool gives, double t, double duration);
/// Those of bristles, over what was sampled of the step: of a part, or of the whole (NULL).
void amo_presliding_take(amo_statistics *s, const amo_sim *sim, const amo_stretch *part);

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
