// SPDX-License-Identifier: Apache-2.0
/// The modes of all contacts at an instant, block by block: the present ones with as few changes as will do.
#ifndef AMO_FLOW_MODES_H
#define AMO_FLOW_MODES_H

#include "flow/flow.h"
#include "flow/trial.h"

typedef struct amo_modes amo_modes;  // workspace

amo_status amo_modes_new(const amo_model *m, amo_modes **out);
void amo_modes_free(amo_modes *w);

/// In: a first guess; out: modes whose conditions hold, the trial of f run in them, the lane's `press` with it.
/// AMO_ENOANSWER: there are none. AMO_ELIMIT: a block has too many combinations to try them all.
amo_status amo_modes_find(amo_modes *w, amo_flow *f, int lane, const amo_footing *footing, signed char *mode);
/// After AMO_ENOANSWER: does contact c belong to the block for which there are no modes?
bool amo_modes_missing(const amo_modes *w, uint32_t c);

#endif
