// SPDX-License-Identifier: Apache-2.0
/// The size of a motion: how large each state has been, and how far it has moved. Differences of states are judged
/// against them.
#ifndef AMO_ORBIT_SCALE_H
#define AMO_ORBIT_SCALE_H

#include "amontons/sim.h"
#include "orbit/drift.h"

typedef struct amo_scale {
  const amo_model *m;
  double *size;            // [states] largest magnitude met
  double *span;            // [states] half the distance of largest and least value
  double *low, *high;      // [states]
  double *state;           // scratch
  const amo_drift *drift;  // shifts that do not count; NULL: all do
  bool autonomous;         // with them
  double from;             // [s] start of the motion
} amo_scale;

amo_status amo_scale_make(amo_scale *s, const amo_model *m);
void amo_scale_forget(amo_scale *s);  // begin anew
void amo_scale_free(amo_scale *s);
/// After every step. A state that hardly moves is given a thousandth of the largest of its kind (coordinates,
/// velocities), so that rounding does not count.
void amo_scale_step(amo_scale *s, const amo_sim *sim);

#endif
