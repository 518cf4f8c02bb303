// SPDX-License-Identifier: Apache-2.0
/// Modes on trial: the motion that would follow in given modes, as power series, held against the conditions of these
/// modes. Every condition is decided by its first coefficient that is not zero, so what begins at its limit (a load
/// that grows from nothing, a gap that opens with t^3) is decided as well as what does not.
#ifndef AMO_FLOW_TRIAL_H
#define AMO_FLOW_TRIAL_H

#include "flow/flow.h"

/// What is known of each contact at the instant of a decision.
typedef struct amo_footing {
  bool closed;   // gap and gap rate are zero: may stay closed or open (always so without a gap)
  bool at_rest;  // slip velocity is zero
  bool rested;   // and was before: static friction holds it as long as it can
} amo_footing;

typedef enum amo_orders { AMO_FIRST_ORDERS, AMO_ALL_ORDERS } amo_orders;

/// Expand the motion of `lane` from its present state in modes `mode` with `reaction_sign` on a trial of f. `footing` [nc].
amo_status amo_trial_run(amo_flow *f, int lane, const signed char *mode, const signed char *reaction_sign,
                         const amo_footing *footing, amo_orders orders);

typedef enum amo_verdict { AMO_HOLDS, AMO_FAILS, AMO_UNTOLD } amo_verdict;  // untold: by the first orders

/// Does the trial bear out the mode of contact c? If not, *better is the mode to try instead.
amo_verdict amo_trial_judge(const amo_flow *f, uint32_t c, const amo_footing *footing, signed char *better);

/// How far the time of the event that a trial begins at may be from the true one: the rounding of time, and of the step in which
/// it was found.
double amo_trial_time_error(const amo_flow *tr);
/// Friction of a sticking contact over what it can hold.
double amo_trial_excess(const amo_flow *f, uint32_t c);
/// Sign of the reaction of contact c right after the start; 0: there is none.
int amo_trial_reaction_sign(const amo_flow *f, uint32_t c);
/// Does a slip that begins from rest seem to be accelerated backwards at first, by no more than is known of it?
bool amo_trial_slips_late(const amo_flow *f, uint32_t c);
/// How many coefficients of the gap of contact c are zero, which opens: gap and gap rate are, and maybe more.
int amo_trial_gap_zeros(const amo_flow *f, uint32_t c);
/// The reaction of contact c begins at zero.
bool amo_trial_unloaded(const amo_flow *f, uint32_t c);

#endif
