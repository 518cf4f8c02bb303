// SPDX-License-Identifier: Apache-2.0
/// Expressions of a compiled model as a person reads them.
#ifndef AMO_STUDY_MODEL_TEXT_H
#define AMO_STUDY_MODEL_TEXT_H

#include "model/compiled.h"

/// Infix text with the model's own names; x'' for accelerations, belt.force for friction forces,
/// belt.sign for the sign of the slip velocity. "" for NONE. Caller frees; NULL on out of memory.
char *amo_model_text(const amo_model *m, amo_node n, size_t max_chars);

/// The model's name; without one, that of its file without folder and ending. Caller frees.
char *amo_model_label(const amo_model *m, const char *path);

/// Equation of coordinate i: "m*x'' = -k*x + belt.force".
char *amo_model_equation(const amo_model *m, uint32_t i, size_t max_chars);

#endif
