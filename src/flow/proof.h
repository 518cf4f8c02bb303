// SPDX-License-Identifier: Apache-2.0
/// A proof for a step: the exact motion in the modes of the step, from the computed state at its start, exists up to its end,
/// differs from what the step says (its polynomial, and the state at its end) by less than a proven bound, and every
/// condition that holds the mode keeps its sign until the event that ends the step, where it has a single simple zero.
///
/// The step is covered by pieces, the whole step if that works. On each piece [s0, s1], from a box that contains the motion
/// at s0, the power series of order N with interval coefficients
///   y(s) in sum_{k<N} Y_k(box at s0) (s-s0)^k + Y_N(B) (s-s0)^N
/// holds if what it says stays within B (high-order enclosure; Corliss and Rihm, Nedialkov). B is the range of the
/// polynomial plus the tolerance. Conditions are bounded by their own series in the same way. A piece that fails is halved.
///
/// It is a statement about each step by itself: errors that steps inherit from those before are not followed, and what is
/// decided at events is not part of it.
#ifndef AMO_FLOW_PROOF_H
#define AMO_FLOW_PROOF_H

#include "flow/flow.h"

typedef struct amo_prover amo_prover;  // workspace and what has been found; one per trajectory

/// For series of order P.
amo_status amo_prover_new(const amo_model *m, int P, amo_prover **out);
void amo_prover_free(amo_prover *p);
/// Forget what has been found: a new run.
void amo_prover_reset(amo_prover *p);
/// Prove the step just taken by a lane, before its events change the state and before its flags of fresh conditions are
/// cleared: start, h, step_mode, step_reaction_sign, step_branch, hits, the series, y at the end. True if it is proven.
bool amo_prover_step(amo_prover *p, const amo_flow *f, int lane);
const amo_proof *amo_prover_found(const amo_prover *p);

#endif
