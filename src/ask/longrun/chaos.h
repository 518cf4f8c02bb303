// SPDX-License-Identifier: Apache-2.0
/// Verbs about what motions tend to, and how they part.
#ifndef AMO_ASK_LONGRUN_CHAOS_H
#define AMO_ASK_LONGRUN_CHAOS_H

#include "ask/verb.h"

extern const amo_verb amo_verb_spectrum, amo_verb_poincare, amo_verb_lyapunov, amo_verb_attractor,
    amo_verb_sweep;

#endif
