// SPDX-License-Identifier: Apache-2.0
/// Parameters and initial values of a model from records of its motion: least squares with exact derivatives through stick, slip and
/// every event, with standard errors and intervals.
///
///   const char *what[] = {"x"};
///   const double t[] = {0, 0.1, 0.2}, samples[] = {1, 0.98, 0.91}, *x = samples;
///   amo_fit_data data = {.rows = 3, .t = t, .value = &x};
///   amo_fit_unknown unknown[] = {amo_fit_unknown_free("k"), amo_fit_unknown_free("Fs")};
///   amo_fit_outcome *f = NULL;
///   if (amo_fit_model(model, what, 1, &data, 1, unknown, 2, NULL, diags, &f) == AMO_OK)
///     printf("%s = %g +- %g\n", f->name[0], f->value[0], f->se[0]);
///   amo_fit_outcome_free(f);
#ifndef AMONTONS_FIT_H
#define AMONTONS_FIT_H

#include <stdbool.h>
#include <stddef.h>

#include "amontons/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/// One record.
typedef struct amo_fit_data {
  const amo_values *values;    // settings and initial state of this record; NULL: amo_model_values
  size_t rows;                 // of the record
  const double *t;             // [rows] ascending, from the time of the initial state on
  const double *const *value;  // [quantities] columns of [rows]; NaN: no number there
  const double *
      sigma;  // [quantities] known standard deviations of the noise; NULL: not known (of all records or of none)
} amo_fit_data;

/// Something to be found: a parameter that does not follow from others, or the initial value of a state.
typedef struct amo_fit_unknown {
  const char *name;     // of the parameter or state
  double start;         // NaN: that of the values
  double low, high;     // bounds; -INFINITY, INFINITY: none but those of the model
  double prior, sigma;  // it is prior +- sigma; sigma = 0: nothing is known beforehand
  bool each;            // every record has its own
} amo_fit_unknown;

/// Without start, bounds and prior.
AMO_API amo_fit_unknown amo_fit_unknown_free(const char *name);

/// The plain sum of squares; linear, logarithmic, bounded beyond a few standard deviations.
typedef enum amo_fit_loss { AMO_FIT_SQUARES, AMO_FIT_HUBER, AMO_FIT_CAUCHY, AMO_FIT_TUKEY } amo_fit_loss;

typedef struct amo_fit_settings {
  size_t size;        // sizeof(amo_fit_settings), set by amo_fit_settings_init
  amo_fit_loss loss;  // how residuals count; all but squares forgive outliers
  double level;       // of the intervals, 0.95
  double tol;         // of motions: relative accuracy per step
  size_t starts;      // searches: from the starts given, and from others around them; the best counts
} amo_fit_settings;

AMO_API void amo_fit_settings_init(amo_fit_settings *o, size_t size);
static inline amo_fit_settings amo_fit_settings_default(void)
{
  amo_fit_settings o;
  amo_fit_settings_init(&o, sizeof o);
  return o;
}

typedef struct amo_fit_outcome {
  size_t n;                 // unknowns, those of each record counted
  const char *const *name;  // [n] "k", or "x#2" of the second record
  double *value, *se;       // [n]; se NaN: at a bound; INFINITY: the records do not determine it
  double *low, *high;       // [n] Student's intervals
  double *covariance;       // [n][n]
  double residual;       // standard deviation of residuals (of several quantities: in units of their noise)
  double aicc;           // Akaike's criterion, corrected
  size_t numbers, rank;  // numbers used; independent combinations of unknowns that are determined
  long motions;          // computed
} amo_fit_outcome;

/// @param quantity  [quantities] what was measured: "x", "x'", an output, "belt.force", an expression of them
/// AMO_EINPUT: a name that the model does not have, times that go backwards (reported). AMO_ERANGE: too few numbers, a start outside
/// its bounds, bad settings. AMO_ENOANSWER: the model does not move from the start (reported). AMO_ELIMIT: the search has not come to an
/// end; *out is the best so far.
AMO_API amo_status amo_fit_model(const amo_model *m, const char *const *quantity, size_t quantities,
                                 const amo_fit_data *data, size_t records, const amo_fit_unknown *unknown,
                                 size_t unknowns, const amo_fit_settings *settings, amo_diags *diags,
                                 amo_fit_outcome **out);
AMO_API void amo_fit_outcome_free(amo_fit_outcome *f);  // accepts NULL

#ifdef __cplusplus
}
#endif

#endif
