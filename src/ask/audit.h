// SPDX-License-Identifier: Apache-2.0
/// The audit of the motions a result rests on, told in one way by every verb: as "audit" in the JSON result, as a line of
/// the text, and, where it fails, as an error that goes with exit status 1.
#ifndef AMO_ASK_AUDIT_H
#define AMO_ASK_AUDIT_H

#include <stdio.h>

#include "amontons/sim.h"
#include "ask/verb.h"

/// An audit that no motion has spoilt yet: what amo_audit_worst starts from.
amo_audit amo_audit_none(void);
/// Worst violations and sums of works of both; `ok` only if both are.
void amo_audit_worst(amo_audit *all, const amo_audit *one);

cJSON *amo_audit_json(const amo_audit *a);
/// AMO_OK; AMO_EAUDIT with the reason in `diags` where it fails. what: "the motion", "the cycle at v = 0.2".
amo_status amo_audit_tell(const amo_audit *a, const char *what, amo_diags *diags);
/// The line "audit passed: ..." or "audit FAILED: ..." from result.audit; nothing where there is none.
void amo_audit_print(const cJSON *result, FILE *out);

#endif
