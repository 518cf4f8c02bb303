// SPDX-License-Identifier: Apache-2.0
/// An option that says what is varied: NAME=FROM:TO.
#ifndef AMO_ASK_AXIS_OPTION_H
#define AMO_ASK_AXIS_OPTION_H

#include "amontons/probe.h"
#include "ask/verb.h"

/// "M=-2000:2000"; `option` is named in messages.
amo_status amo_axis_read(const amo_call *call, const char *option, const char *text, amo_axis *out);

#endif
