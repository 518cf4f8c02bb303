// SPDX-License-Identifier: Apache-2.0
/// Motion that comes back up to a shift: a carriage that walks, a rotor that turns, a pendulum that goes over. The
/// directions in which states may be shifted without any change of the equations:
///
///   free   by any amount: nothing depends on q along d              f(q + c d) = f(q)
///   turn   by whole turns: q enters through sines and cosines only  f(q + n P d) = f(q)
///   time   f(t + s, q + s w) = f(t, q): what is driven at constant speed w, seen along with the drive
///
/// Read off the expressions, for given parameters: sums of coordinates with constant coefficients are followed through
/// them to where something else than a sum takes them up; that must not change along d (or be a sine, a cosine).
/// Every direction has a state of its own, in which it is 1 and all others are 0: the amount of the shift.
#ifndef AMO_ORBIT_DRIFT_H
#define AMO_ORBIT_DRIFT_H

#include "model/compiled.h"

typedef struct amo_drift {
  uint32_t ns, nq;
  size_t frees, turns;
  double *along;     // [frees + turns][ns] directions, free ones first
  uint32_t *pivot;   // [frees + turns] the state that is a direction's own
  double *period;    // [frees + turns] of a turn; 0: free
  bool steady;       // the equations depend on time only as one that moves along does
  double *velocity;  // [ns] w; all 0 where nothing depends on time
} amo_drift;

amo_status amo_drift_find(const amo_model *m, const double *param, amo_drift **out);
void amo_drift_free(amo_drift *d);  // accepts NULL
/// Take the shifts out of the difference r [ns] of two states `time` apart; what was taken out goes to drift [ns] (or
/// NULL). Drives count where the motion itself is `autonomous`.
void amo_drift_remove(const amo_drift *d, bool autonomous, double time, double *r, double *drift);
/// The same of a state `time` after the start of the motion, but for turns: what is left neither walks nor is driven.
void amo_drift_straighten(const amo_drift *d, bool autonomous, double time, double *y);
/// And its turns lie within half a turn of 0.
void amo_drift_fold(const amo_drift *d, bool autonomous, double time, double *y);
/// Take shifts along free directions out of rates, or of velocities with `first` = nq.
void amo_drift_project(const amo_drift *d, bool autonomous, uint32_t first, double *rate);

#endif
