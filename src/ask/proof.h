// SPDX-License-Identifier: Apache-2.0
/// The proof of the steps of a run (simulate --certify), told as part of its audit.
#ifndef AMO_ASK_PROOF_H
#define AMO_ASK_PROOF_H

#include <stdio.h>

#include "amontons/sim.h"
#include "ask/verb.h"

/// Adds `proven` and `proof` to the audit. proof may be NULL: nothing was asked for, nothing is added.
void amo_proof_add(cJSON *audit, const amo_model *m, const amo_proof *proof);
/// The line "proof  every step: ...", or what is not proven; nothing where there is no proof.
void amo_proof_print(const cJSON *audit, FILE *out);

#endif
