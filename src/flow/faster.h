// SPDX-License-Identifier: Apache-2.0
/// Compiled code for the engine (room emit): when a run asks for it. Its answers are the interpreter's, bit for bit.
#ifndef AMO_FLOW_FASTER_H
#define AMO_FLOW_FASTER_H

#include "flow/flow.h"

/// d(state)/dt = rate of a plain model, of all states; list[ns].
void amo_flow_integrals(const amo_model *m, amo_integral *list);
/// A new engine, which waits for code if its options say so.
void amo_faster_begin(const amo_flow *f);
/// After an expansion: enough has been interpreted to have it compiled?
void amo_faster_count(amo_flow *f);
/// The end of an engine: what it has not told yet.
void amo_faster_end(amo_flow *f);

#endif
