// SPDX-License-Identifier: Apache-2.0
/// Poincaré sections: where a motion passes an event, a zero of a quantity, or the ticks of a clock; and whether the
/// passes repeat.
///
///   static int on_hit(void *ctx, const amo_sample *p) { return printf("%g\n", p->t) < 0; }
///
///   amo_section s = {.kind = AMO_SECTION_EVENT, .contact = -1, .from = AMO_MODE_SLIPS, .to = AMO_MODE_STICKS};
///   amo_sim *sim = NULL;
///   amo_sample *sample = NULL;
///   amo_status st = amo_sim_new(model, NULL, NULL, &sim);
///   if (st == AMO_OK) st = amo_sample_new(model, &sample);
///   while (st == AMO_OK && amo_sim_time(sim) < 50) {
///     st = amo_sim_step(sim, 50);
///     if (st == AMO_OK) st = amo_section_step(&s, sim, sample, on_hit, NULL);
///   }
///   amo_sample_free(sample);
///   amo_sim_free(sim);
#ifndef AMONTONS_SECTION_H
#define AMONTONS_SECTION_H

#include "amontons/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum amo_section_kind {
  AMO_SECTION_EVENT,  // a contact changes its mode
  AMO_SECTION_ZERO,   // of any quantity of a sample
  AMO_SECTION_STATE,  // of a state: the same, and much cheaper
  AMO_SECTION_CLOCK   // equal times
} amo_section_kind;

/// What a mode before or after an event may be.
typedef enum amo_mode_class {
  AMO_MODE_ANY,     // any mode
  AMO_MODE_STICKS,  // stick
  AMO_MODE_SLIPS,   // slip, either way
  AMO_MODE_APART,   // open
  AMO_MODE_CLOSED   // stick or slip
} amo_mode_class;

typedef struct amo_section {
  amo_section_kind kind;    // what a pass is
  int contact;              // event: its number, -1 = any
  amo_mode_class from, to;  // event
  /// zero: the quantity. Coming to zero and staying there is a pass, leaving it again is none.
  double (*value)(void *ctx, const amo_sample *p);
  void *ctx;
  size_t state;          // state: its number
  int direction;         // zero, state: 1 rising, -1 falling, 0 both
  double phase, period;  // clock: t = phase + k * period
  // state between steps; begin with zeros
  double scale;
  double ticks;
  int side;
  bool begun;
} amo_section;

/// Find the passes within the last step, in order of time; `hit` sees the sample of each (after the event, for
/// events) and may return nonzero to stop. `p` is scratch of the same model. AMO_EINTR: stopped.
AMO_API amo_status amo_section_step(amo_section *s, amo_sim *sim, amo_sample *p,
                                    int (*hit)(void *ctx, const amo_sample *p), void *ctx);

/// Passes that are kept.
typedef struct amo_returns {
  size_t states;                    // of one pass
  size_t count;                     // passes
  size_t capacity, state_capacity;  // of the arrays
  double *t;                        // [count]
  double *state;                    // [count][states]
} amo_returns;

AMO_API amo_status amo_returns_add(amo_returns *r, double t,
                                   const double *state);  // a copy of the state; AMO_ENOMEM
AMO_API void amo_returns_free(amo_returns *r);

/// The least number of turns after which the last passes repeat: each of the last two periods agrees with the one
/// before it within tol * scale[state]. 0: none up to `most`, or too few passes. Passes that agree only every p-th time so
/// far, but tend to agree more often, have the shorter period, or none yet. *period: the time it takes; NaN: none.
AMO_API size_t amo_returns_turns(const amo_returns *r, const double *scale, double tol, size_t most,
                                 double *period);

#ifdef __cplusplus
}
#endif
#endif
