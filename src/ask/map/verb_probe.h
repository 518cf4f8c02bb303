// SPDX-License-Identifier: Apache-2.0
/// One value of any verb's result as a function of parameters, initial states and time.
#ifndef AMO_ASK_MAP_VERB_PROBE_H
#define AMO_ASK_MAP_VERB_PROBE_H

#include "amontons/probe.h"
#include "ask/verb.h"

/// `of` = "contact.class", options of that verb from the call's --with, its state from --at. Call and texts must outlive the
/// probe. `watch`: fill amo_reading.watch.
amo_status amo_verb_probe(const amo_call *call, const char *of, const amo_axis *axis, size_t axes, bool watch,
                          amo_diags *diags, amo_probe *out);

#endif
