// SPDX-License-Identifier: Apache-2.0
/// Drawings that go to a file of the user's choice.
#ifndef AMO_ASK_SVG_FILE_H
#define AMO_ASK_SVG_FILE_H

#include "ask/verb.h"

/// Is it a name for a drawing (.svg, or - for standard output)?
amo_status amo_svg_path_check(const amo_call *call, const char *option, const char *path);

#endif
