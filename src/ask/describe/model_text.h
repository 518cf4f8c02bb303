// SPDX-License-Identifier: Apache-2.0
/// Expressions of a compiled model as a person reads them.
#ifndef AMO_ASK_DESCRIBE_MODEL_TEXT_H
#define AMO_ASK_DESCRIBE_MODEL_TEXT_H

#include <cjson/cJSON.h>

#include "model/compiled.h"

/// Infix text with the model's own names; x'' for accelerations, belt.force for friction forces,
/// belt.sign for the sign of the slip velocity. "" for NONE. Caller frees; NULL on out of memory.
char *amo_model_text(const amo_model *m, amo_node n, size_t max_chars);

/// The model's name; without one, that of its file without folder and ending. Caller frees.
char *amo_model_label(const amo_model *m);

/// The equation of each coordinate, by its name: "m*x'' = -k*x + belt.force".
amo_status amo_model_equations(const amo_model *m, size_t max_chars, cJSON *out);

#endif
