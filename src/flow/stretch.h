// SPDX-License-Identifier: Apache-2.0
/// What is looked at of a motion where parts of the model go on their own (flow/clusters.h): not all of the model after every step,
/// which would cost as much as the model is large, but each part over what it did, when it has been audited.
#ifndef AMO_FLOW_STRETCH_H
#define AMO_FLOW_STRETCH_H

#include "flow/sim.h"

typedef struct amo_stretch {
  amo_sim *
      sim;  // a simulation of the part alone that has just come to its t; further states of others are its last ones
  double from;              // what lies before has been seen
  size_t states, contacts;  // of its own
  const uint32_t *state;    // [states] their numbers in the model
  const uint32_t *contact;  // [contacts]
} amo_stretch;

typedef amo_status (*amo_stretch_look)(void *ctx, const amo_stretch *x);

/// Does the model move part by part, and is it audited? This may end: from then on steps are those of the whole, and parts have been
/// told up to there.
bool amo_sim_in_parts(const amo_sim *s);
/// Tell every stretch, in any order; up to now after amo_sim_audit. For simulations in parts.
void amo_sim_tell_stretches(amo_sim *s, amo_stretch_look look, void *ctx);
/// Slip and friction of a contact now, after all events: what it costs depends on its part alone. For simulations in parts.
amo_status amo_sim_part_contact(amo_sim *s, size_t contact, double *slip, double *force);

#endif
