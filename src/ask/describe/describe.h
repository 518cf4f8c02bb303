// SPDX-License-Identifier: Apache-2.0
#ifndef AMO_ASK_DESCRIBE_DESCRIBE_H
#define AMO_ASK_DESCRIBE_DESCRIBE_H

#include "ask/verb.h"

/// The result of `describe` for a person.
void amo_describe_print(const cJSON *result, FILE *out, int wide);

#endif
