// SPDX-License-Identifier: Apache-2.0
/// Pages that need nothing but themselves: their style, text made safe, figures as inline SVG.
#ifndef AMO_RESULT_HTML_H
#define AMO_RESULT_HTML_H

#include <stdio.h>

#include "amontons/diag.h"

extern const char amo_html_style[];
/// Text, also within a quoted attribute; control characters are shown, not obeyed.
void amo_html_text(FILE *f, const char *s);
/// The drawing in a file; `number` makes its ids unique on the page.
amo_status amo_html_svg(FILE *f, const char *path, int number, amo_diags *d);

#endif
