// SPDX-License-Identifier: Apache-2.0
/// Texts of models, studies and the command line on their way to a person: nothing in them may steer a terminal.
#ifndef AMO_RESULT_SHOW_H
#define AMO_RESULT_SHOW_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "base/text.h"

/// Write a text with its control characters escaped (amo_text_safe); line breaks and tabs become blanks.
void amo_show_text(const char *text, FILE *out);
/// The same as a field of a CSV line, quoted where it must be.
void amo_show_field(const char *text, FILE *out);
void amo_show_field_text(const char *text, amo_text *out);
/// The same for every string and key of a result, in place, before a verb prints it.
void amo_show_json(cJSON *v);

#endif
