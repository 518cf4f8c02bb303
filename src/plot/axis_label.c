// SPDX-License-Identifier: Apache-2.0
#include "plot/axis_label.h"

#include <stdio.h>
#include <string.h>

static const char *unit_of(const amo_symbol *s)
{
  return s->unit ? s->unit : "";
}

/// A model that gives no units has none, time included.
static const char *time_unit(const amo_model *m)
{
  for (size_t i = 0; i < amo_model_parameters(m); i++) {
    const amo_symbol s = amo_model_parameter(m, i);
    if (*unit_of(&s)) return "s";
  }
  for (size_t i = 0; i < amo_model_states(m); i++) {
    const amo_symbol s = amo_model_state(m, i);
    if (*unit_of(&s)) return "s";
  }
  return "";
}

const char *amo_label_unit(const amo_model *m, const char *name)
{
  if (!strcmp(name, "t")) return time_unit(m);
  for (size_t i = 0; i < amo_model_parameters(m); i++) {
    const amo_symbol s = amo_model_parameter(m, i);
    if (!strcmp(s.name, name)) return unit_of(&s);
  }
  for (size_t i = 0; i < amo_model_states(m); i++) {
    const amo_symbol s = amo_model_state(m, i);
    if (!strcmp(s.name, name)) return unit_of(&s);
  }
  for (size_t i = 0; i < amo_model_outputs(m); i++) {
    const amo_symbol s = amo_model_output(m, i);
    if (!strcmp(s.name, name)) return unit_of(&s);
  }
  return "";
}

void amo_label(const amo_model *m, const char *before, const char *name, char *out, size_t size)
{
  const char *unit = amo_label_unit(m, name);
  snprintf(out, size, *unit ? "%s%s [%s]" : "%s%s", before, name, unit);
}
