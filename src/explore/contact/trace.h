// SPDX-License-Identifier: Apache-2.0
/// The search for all solutions at a state, recorded, so that it can be done again at many states side by side (num/retrace.h).
#ifndef AMO_EXPLORE_CONTACT_TRACE_H
#define AMO_EXPLORE_CONTACT_TRACE_H

#include "contact/search.h"
#include "num/retrace.h"

typedef struct amo_traced_work amo_traced_work;  // scratch; *w NULL at first

/// From registers and their bounds, `stride` apart, as amo_solutions_lane: how many solutions there are. The results of the tape are
/// AMO_TRACED for each contact, of amo_influence. False: some sign could not be told, or something was looked at that is not recorded.
enum { AMO_TRACED_L, AMO_TRACED_MU, AMO_TRACED_R0, AMO_TRACED };
bool amo_trace(amo_solutions *s, amo_traced_work **w, const double *reg, const double *err, size_t stride,
               amo_retrace *t, size_t *count);
void amo_traced_free(amo_traced_work *w);  // accepts NULL

#endif
