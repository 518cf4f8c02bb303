// SPDX-License-Identifier: Apache-2.0
/// The size of a motion: how large each state has been. Differences of states are judged against it.
#ifndef AMO_ORBIT_SCALE_H
#define AMO_ORBIT_SCALE_H

#include "amontons/sim.h"

typedef struct amo_scale {
  const amo_model *m;
  double *size;  // [states] never far below the largest of its kind (coordinates, velocities)
  double *most;  // [states] largest magnitude met
} amo_scale;

amo_status amo_scale_make(amo_scale *s, const amo_model *m);
void amo_scale_free(amo_scale *s);
void amo_scale_reset(amo_scale *s);
void amo_scale_step(amo_scale *s, const amo_sim *sim);  // after every step

#endif
