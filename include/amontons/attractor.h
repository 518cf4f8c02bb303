// SPDX-License-Identifier: Apache-2.0
/// What a motion tends to: rest, steady sliding, a cycle, chaos.
#ifndef AMONTONS_ATTRACTOR_H
#define AMONTONS_ATTRACTOR_H

#include "amontons/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum amo_attractor_kind {
  AMO_ATTRACTOR_UNDECIDED,  // `why` says what was seen
  AMO_ATTRACTOR_REST,       // nothing moves and no contact slips
  AMO_ATTRACTOR_SLIDING,    // the state stands still, or moves on steadily, while a contact slips
  AMO_ATTRACTOR_CYCLE,      // it repeats
  AMO_ATTRACTOR_CHAOS,      // no period, and neighbours part exponentially
  AMO_ATTRACTOR_STEADY      // it moves on steadily, and no contact slips
} amo_attractor_kind;

AMO_API const char *amo_attractor_name(amo_attractor_kind kind);  // "rest", "sliding", ...

typedef struct amo_attractor_opts {
  size_t size;     // sizeof(amo_attractor_opts), set by amo_attractor_opts_init
  double until;    // time by which the motion must have settled
  double tol;      // states are the same when they differ by less, relative to the size of the motion
  size_t turns;    // longest period looked for, in turning points of the first coordinate or in events
  bool exponents;  // if nothing repeats, follow neighbours for as long again (method event, no guides)
  /// After every step; nonzero stops (AMO_EINTR). May be NULL.
  int (*on_step)(void *ctx, amo_sim *s);
  void *ctx;
} amo_attractor_opts;
AMO_API void amo_attractor_opts_init(amo_attractor_opts *o, size_t size);
static inline amo_attractor_opts amo_attractor_opts_default(void)
{
  amo_attractor_opts o;
  amo_attractor_opts_init(&o, sizeof o);
  return o;
}

typedef struct amo_attractor {
  amo_attractor_kind kind;  // what it tends to
  double settled;           // time at which it was recognised
  double period;            // cycle; NaN otherwise
  double
      drift;  // cycle: by how much the first coordinate moves on in a period; steady motion: its speed; 0: it stays
  size_t turns;            // cycle: turning points of the first coordinate per period, 0: known by its events
  size_t sticks, events;   // cycle: begun phases of stick, changes of mode, per period
  double exponent, error;  // largest Lyapunov exponent where it was computed; NaN otherwise
  double low, high;  // range of the first coordinate on the attractor, or over a tenth of the time afterwards
  char why[160];     // undecided
} amo_attractor;

/// Drives the simulation from where it has been started. AMO_OK also when undecided; failures of the motion are
/// passed on (amo_sim_message).
AMO_API amo_status amo_attractor_find(amo_sim *s, const amo_attractor_opts *o, amo_attractor *out);

#ifdef __cplusplus
}
#endif
#endif
