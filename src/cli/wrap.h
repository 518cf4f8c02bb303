// SPDX-License-Identifier: Apache-2.0
#ifndef AMO_CLI_WRAP_H
#define AMO_CLI_WRAP_H

#include <stdio.h>

/// Print `text` broken at blanks so that lines end before `width`; the cursor stands at `column`, further
/// lines begin with `indent` blanks. "\n\n" starts a paragraph. Ends with a newline.
void amo_wrap(FILE *out, const char *text, int column, int indent, int width);

#endif
