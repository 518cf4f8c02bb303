// SPDX-License-Identifier: Apache-2.0
/// The inside of limits: one search, shared by the exact way (limits_exact.c) and the bracketing one (limits.c).
#ifndef AMO_EXPLORE_LIMITS_LIMITS_IMPL_H
#define AMO_EXPLORE_LIMITS_LIMITS_IMPL_H

#include "amontons/limits.h"

typedef struct sample {
  double x;
  amo_reading r;
  char verdict[AMO_PROBE_TEXT];
} sample;

typedef struct search {
  const amo_probe *p;
  const amo_limits_opts *opts;
  amo_diags *diags;
  amo_limits *out;
  double tol, range;
  double *param;   // [parameters] scratch; NULL: no value is refused
  double level;    // subtracted from numbers
  size_t explore;  // evaluations after which nothing more is looked for between samples
  sample *grid;    // ascending in x
  size_t count, capacity;
  bool failed;  // out of memory
  bool ended;   // by the one who is told of progress
} search;

/// The verdict at x. Interrupted: an empty sample at once; ask amo_limits_interrupted before it is used.
sample amo_limits_look(search *s, double x);
bool amo_limits_interrupted(const search *s);
void amo_limits_keep(search *s, const sample *a);  // into the grid, at its end
void amo_limits_sort(search *s);
/// Width at which a bracket of a change between a and b is narrow enough.
double amo_limits_finest(const search *s, double a, double b);
/// Does the model refuse some values of the parameter (`require`)?
bool amo_limits_refused(search *s);
/// All changes of the verdict along the grid, narrowed down and confirmed, into out.
amo_status amo_limits_changes(search *s);
/// The limit told by the zero of a quantity behind the decision, and the verdict on it.
void amo_limits_polish(search *s, amo_limit *x);
/// Bisect watched quantity w, whose sign differs at a and b. A jump through infinity ends here as well.
sample amo_limits_zero(search *s, sample a, sample b, size_t w);
double amo_limits_watched(const sample *a, size_t w);  // NaN: unknown
bool amo_limits_crosses(double u, double v);
/// Verdicts at a border reach this far: rounding of decisions.
double amo_limits_band(const search *s, double x);
void amo_limits_name(const search *s, sample *a);  // the verdict of a reading
/// NULL: out of memory (s->failed).
amo_limit *amo_limits_record(search *s, double at, const sample *a, const sample *b);
/// By the structure of the contact problem, where the parameter enters the loads only, and linearly. AMO_ENOANSWER:
/// it does not, or the verdict is not one of the contact problem: bracket instead.
amo_status amo_limits_exact(search *s);

/// Where the number is least or largest between samples.
amo_status amo_limits_extrema(search *s);

#endif
