// SPDX-License-Identifier: Apache-2.0
/// What all slips of a record have in common: their frequency, how fast they decay, which way they go.
#ifndef AMO_FIT_ARCS_H
#define AMO_FIT_ARCS_H

#include "fit/oscillogram.h"

/// One pass. Fills omega, kappa and their errors in b; *dir 1: slips are falls, -1: rises; *half: half a period; *local: one arc does not
/// fit a whole slip. AMO_ENOANSWER (reported): there are no slips.
amo_status amo_arcs_find(amo_oscillogram *o, amo_breakdowns *b, double *dir, double *half, bool *local);

#endif
