// SPDX-License-Identifier: Apache-2.0
/// Labels of axes: a name with its unit, where the model says one.
#ifndef AMO_PLOT_AXIS_LABEL_H
#define AMO_PLOT_AXIS_LABEL_H

#include <stddef.h>

#include "amontons/amontons.h"

/// Unit of a parameter, a state or an output of this name, or of the time `t`; "" if it has none.
const char *amo_label_unit(const amo_model *m, const char *name);
/// "before name [unit]", or without brackets.
void amo_label(const amo_model *m, const char *before, const char *name, char *out, size_t size);

#endif
