// SPDX-License-Identifier: Apache-2.0
/// All changes of a verdict along one axis: samples, then every zero of the watched quantities between
/// them (where a verdict may change and change back), then bisection of each change.
#ifndef AMO_STUDY_LIMITS_H
#define AMO_STUDY_LIMITS_H

#include "study/map_probe.h"

typedef struct amo_limit {
  double at;
  char from[96], to[96];
  char on[96];       // the verdict at the limit itself where it is neither; else ""
  bool open;         // interrupted before it was narrowed down
  bool unsettled;    // between low and high verdicts come and go: no single value is the limit
  double low, high;  // where it lies, if open or unsettled
} amo_limit;

typedef struct amo_limit_span {
  double low, high;
} amo_limit_span;

typedef struct amo_limits_extremum {
  double at, value;
  double width;  // how well `at` is known
  bool least;    // a minimum
} amo_limits_extremum;

typedef struct amo_limits {
  amo_limit *item;
  size_t count, capacity;
  size_t evaluations;
  size_t unsound;             // of them whose motion fails its audit,
  double first_unsound;       // and where that was met first
  char first[96];             // verdict at the beginning of the range
  bool exact;                 // found by structure; else bracketed by samples
  bool by_sign;               // the value is a continuous number: its sign is the verdict
  double reached;             // samples go as far as this, if interrupted
  bool tired;                 // not all that might happen between samples was looked at
  amo_limit_span *unsettled;  // where verdicts come and go, as far as looks tell; both sides agree
  size_t unsettleds, unsettled_capacity;
  amo_limits_extremum *extremum;
  size_t extrema, extremum_capacity;
} amo_limits;

typedef struct amo_limits_opts {
  size_t points;        // samples before refinement
  double tol;           // relative width of the final brackets
  const double *level;  // numbers count by whether they lie above or below it; NULL: not asked for
  bool extrema;         // look for the values at which the number is least or largest, too
} amo_limits_opts;

/// AMO_ENOANSWER: no answer anywhere; AMO_EINTR: interrupted; out holds the changes that are known, not narrowed
/// down where they are open.
amo_status amo_limits_find(amo_probe *p, const amo_limits_opts *opts, amo_limits *out);
void amo_limits_free(amo_limits *l);

#endif
