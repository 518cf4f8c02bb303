// SPDX-License-Identifier: Apache-2.0
/// Slow walks along a parameter: at each value the motion goes on from where the last one left it, settles, and is
/// looked at in a section. Up and down again shows hysteresis.
#ifndef AMONTONS_SWEEP_H
#define AMONTONS_SWEEP_H

#include "amontons/section.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct amo_sweep_opts {
  size_t size;       // sizeof(amo_sweep_opts), set by amo_sweep_opts_init
  size_t parameter;  // number of a parameter that is not computed from others
  double transient;  // time to settle at each value
  double duration;   // time to look at it, at most
  size_t returns;    // passes to look at, at most
  double tol;        // passes are the same when they differ by less, relative to the size of the motion
  size_t turns;      // longest period looked for, in passes
  const amo_section *section;                    // as it is before a run
  double (*of)(void *ctx, const amo_sample *p);  // the quantity that is noted
  void *of_ctx;                                  // of `of`
  /// After every step; nonzero stops (AMO_EINTR). May be NULL.
  int (*on_step)(void *ctx, amo_sim *s);
  void *ctx;
  bool
      of_state;  // `of` reads nothing of a sample but t and state: forces and outputs need not be found for its range
} amo_sweep_opts;
AMO_API void amo_sweep_opts_init(amo_sweep_opts *o, size_t size);
static inline amo_sweep_opts amo_sweep_opts_default(void)
{
  amo_sweep_opts o;
  amo_sweep_opts_init(&o, sizeof o);
  return o;
}

typedef struct amo_sweep_point {
  double at;         // value of the parameter
  size_t passes;     // of the section
  double *value;     // [passes] of the quantity there
  size_t turns;      // passes per period; 0: none found
  double period;     // NaN: none found
  double low, high;  // range of the quantity in all the time looked at
  bool still;        // nothing moves
  amo_audit audit;   // of the motion at this value
} amo_sweep_point;

/// One value: continue from `state` [states] at the simulation's time, which both move on. point->value is the
/// caller's (amo_sweep_point_free).
AMO_API amo_status amo_sweep_visit(amo_sim *s, const amo_sweep_opts *o, double at, double *state,
                                   amo_sweep_point *point);
AMO_API void amo_sweep_point_free(amo_sweep_point *p);
/// How far apart two visits are: by the ends of their ranges, and, where both are cycles, by the largest distance of a
/// pass of one to the nearest of the other.
AMO_API double amo_sweep_distance(const amo_sweep_point *a, const amo_sweep_point *b);

#ifdef __cplusplus
}
#endif
#endif
