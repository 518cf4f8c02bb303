// SPDX-License-Identifier: Apache-2.0
/// The verb fit: parameters from records. What gives the residuals (a motion of a model, a relation of columns) is a source; options,
/// the search, JSON, CSV and the report are the same for all.
#ifndef AMO_ASK_FIT_FIT_H
#define AMO_ASK_FIT_FIT_H

#include "fit/least_squares.h"
#include "ask/verb.h"

/// Rows of a source that belong together: one measured column of one record.
typedef struct amo_fit_series {
  const char *record;           // file
  const char *name, *unit;      // what was measured; unit "" if not said
  const char *x_name, *x_unit;  // what it is drawn over: time, or the first column of a relation
  const double *x;              // [count]
  size_t first, count;          // rows of the source
  size_t gaps;                  // rows of the record that were skipped: no number there
} amo_fit_series;

typedef struct amo_fit_source amo_fit_source;
struct amo_fit_source {
  amo_residuals of;              // names, weights, measured values (must be there), residuals and derivatives
  amo_fit_parameter *parameter;  // [of.n]
  const char *const *unit;       // [of.n] "" if not said
  const amo_fit_series *series;  // [nseries]
  size_t nseries;
  const char *model;  // name of the model, or the relation as text
  /// The search, where a source knows better than amo_fit_solve from the start that is given (long motions); NULL: that.
  amo_status (*solve)(amo_fit_source *s, const amo_fit_opts *o, amo_diags *d, amo_fit **out);
  /// More about this outcome into the result (what it predicts, warnings about this kind of source); NULL: nothing.
  amo_status (*tell)(amo_fit_source *s, const amo_fit *f, cJSON *result, amo_diags *d);
  void (*free)(amo_fit_source *s);  // of everything, s included
  void *own;
};

/// Do the residuals of a series hang together (fit/judge.h)?
double amo_fit_source_runs(const amo_fit_source *s, const amo_fit *f, size_t series);

/// Sources by the options of the verb; mistakes are reported.
amo_status amo_fit_motion(const amo_call *call, amo_fit_source **out);    // fit_motion.c
amo_status amo_fit_relation(const amo_call *call, amo_fit_source **out);  // fit_relation.c

// ---- options that all sources have (fit_options.c) ----

/// One entry of --vary: NAME, NAME=START, NAME:LOW..HIGH, NAME=START:LOW..HIGH. Numbers may be expressions of parameters.
typedef struct amo_vary_entry {
  char name[128];
  amo_fit_parameter parameter;  // start NaN: not given
} amo_vary_entry;

/// Entries of --vary, with those of --prior ("k=2 +- 0.1"); a prior of a name that is not varied is a mistake. The list is the caller's.
amo_status amo_fit_read_vary(const amo_call *call, amo_vary_entry **out, size_t *count);
amo_status amo_fit_read_opts(const amo_call *call, amo_fit_opts *out);

// ---- results (fit_json.c, fit_words.c, fit_report.c) ----

cJSON *amo_fit_json(const amo_fit_source *s, const amo_fit *f, const amo_fit_opts *o);
/// What a reader should know of the outcome goes into diags as warnings: bounds, what is open, weakly determined or correlated.
void amo_fit_warn(const amo_fit_source *s, const amo_fit *f, amo_diags *d);
/// record,name,x,measured,model,residual,weight
amo_status amo_fit_csv(const amo_fit_source *s, const amo_fit *f, const char *path, amo_diags *d);
/// One HTML page: the table, records and model, residuals over x, their distribution, correlations.
amo_status amo_fit_report(const amo_fit_source *s, const amo_fit *f, const cJSON *result, const char *path,
                          amo_diags *d);

/// What fits of relations add to the result: predictions, the comparison of several (fit_compare.c).
void amo_fit_print_relations(const cJSON *result, FILE *out);

extern const amo_verb amo_verb_fit;

#endif
