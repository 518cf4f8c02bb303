// SPDX-License-Identifier: Apache-2.0
/// Every value of a parameter, initial state or time at which a verdict changes. Where a parameter enters the loads only, and
/// linearly, verdicts of the contact problem change at zeros of straight lines, and these are found; otherwise samples, then
/// every zero of the watched quantities between them (where a verdict may change and change back), then bisection.
///
///   amo_axis mu;
///   amo_probe p = {0};
///   amo_limits l = {0};
///   amo_status st = amo_axis_of(model, "mu", 0.2, 3, NULL, &mu);
///   if (st == AMO_OK) st = amo_probe_of(model, NULL, "contact.class", "at: {q': 1}", &mu, 1, true, NULL, &p);
///   if (st == AMO_OK) st = amo_limits_find(&p, NULL, NULL, &l);
///   for (size_t i = 0; i < l.count; i++) printf("%s %.17g %s\n", l.item[i].from, l.item[i].at, l.item[i].to);
///   amo_limits_free(&l);
///   amo_probe_free(&p);
///
/// Threads: one question is asked on the thread that asks; many may ask at once, each with a probe of its own.
#ifndef AMONTONS_LIMITS_H
#define AMONTONS_LIMITS_H

#include "amontons/probe.h"

#ifdef __cplusplus
extern "C" {
#endif

/// One change. Verdicts are texts; numbers appear with all their digits, or as "negative", "zero", "positive" (by_sign).
typedef struct amo_limit {
  double at;                                      // the value at which it changes
  char from[AMO_PROBE_TEXT], to[AMO_PROBE_TEXT];  // the verdicts below and above
  char on[AMO_PROBE_TEXT];  // the verdict at the limit itself where it is neither; else ""
  bool open;                // interrupted before it was narrowed down
  bool unsettled;           // between low and high verdicts come and go: no single value is the limit
  double low, high;         // where it lies, if open or unsettled; else 0
} amo_limit;

/// A stretch of the axis.
typedef struct amo_limit_span {
  double low, high;  // values of the axis
} amo_limit_span;

typedef struct amo_limits_extremum {
  double at, value;  // where on the axis, and the number there
  double width;      // how well `at` is known
  bool least;        // a minimum; else a maximum
} amo_limits_extremum;

typedef struct amo_limits {
  amo_limit *item;             // [count] ascending in `at`
  size_t count, capacity;      // capacity: of the array
  size_t evaluations;          // readings taken
  size_t unsound;              // of them whose motion fails its audit,
  double first_unsound;        // and where that was met first
  char first[AMO_PROBE_TEXT];  // verdict at the beginning of the range
  bool exact;                  // found by structure; else bracketed by samples
  bool by_sign;                // the value is a continuous number: its sign is the verdict
  double reached;              // samples go as far as this, if interrupted; NaN: none was taken
  bool tired;                  // not all that might happen between samples was looked at
  amo_limit_span
      *unsettled;  // [unsettleds] where verdicts come and go, as far as looks tell; both sides agree
  size_t unsettleds, unsettled_capacity;  // how many; of the array
  amo_limits_extremum *extremum;          // [extrema] ascending in `at`
  size_t extrema, extremum_capacity;      // how many; of the array
} amo_limits;

/// How it is asked. Get it from amo_limits_opts_default() and change what you need; later versions may add fields at the end.
typedef struct amo_limits_opts {
  size_t size;          // sizeof(amo_limits_opts), set by amo_limits_opts_init
  size_t points;        // samples before refinement, at least 2
  double tol;           // relative width of the final brackets, 1e-16 to 1e-2
  const double *level;  // numbers count by whether they lie above or below it; NULL: by sign if measured
  bool extrema;         // also look for the values at which the number is least or largest
  volatile int
      *stop;  // may be NULL: set it to nonzero (from another thread or a signal) to end with AMO_EINTR
  int (*progress)(void *ctx, double fraction);  // may be NULL; told the part that is done; nonzero ends it
  void *ctx;                                    // of progress
} amo_limits_opts;

AMO_API void amo_limits_opts_init(amo_limits_opts *o, size_t size);
static inline amo_limits_opts amo_limits_opts_default(void)
{
  amo_limits_opts o;
  amo_limits_opts_init(&o, sizeof o);
  return o;
}

/// All changes along the axis of a probe with one axis. opts: NULL for defaults.
/// @return AMO_OK; AMO_ENOANSWER or AMO_EINPUT: no answer anywhere (diags says why); AMO_EINTR: interrupted, *out holds the
///         changes that are known, not narrowed down where they are open; AMO_ERANGE: options or axes out of range. *out is
///         to be freed with amo_limits_free in any case.
AMO_API amo_status amo_limits_find(const amo_probe *p, const amo_limits_opts *opts, amo_diags *diags,
                                   amo_limits *out);
AMO_API void amo_limits_free(amo_limits *l);  // accepts NULL

#ifdef __cplusplus
}
#endif
#endif
