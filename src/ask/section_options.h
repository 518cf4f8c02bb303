// SPDX-License-Identifier: Apache-2.0
/// Options that say where a motion is looked at: `poincare` and `sweep` share them.
#ifndef AMO_ASK_SECTION_OPTIONS_H
#define AMO_ASK_SECTION_OPTIONS_H

#include "ask/watched_run.h"
#include "explore/signal.h"

// clang-format off
#define AMO_SECTION_OPTS                                                                                             \
  {"section", AMO_OPT_TEXT, "WHERE", "stick", NULL,                                                                  \
   "events: stick (a contact begins to stick), slip (it begins to slip), crossing (slip to slip), closing and opening (of a support), event (any of them); " \
   "forcing (once in a period of the excitation); or an equation as \"x' = 0\"", 0, 0},                               \
  {"contact", AMO_OPT_TEXT, "NAME", NULL, NULL, "events of this contact only", 0, 0},                                \
  {"direction", AMO_OPT_CHOICE, "WAY", "up", "up|down|both", "an equation: left minus right side rises, falls", 0, 0}, \
  {"every", AMO_OPT_NUMBER, "T", NULL, NULL, "look at even times instead, as the period of an excitation", 1e-300, INFINITY}, \
  {"of", AMO_OPT_TEXT, "EXPR", NULL, NULL, "the quantity of the return map; the first coordinate if absent", 0, 0}
// clang-format on

typedef struct amo_where {
  amo_section section;
  bool forcing;      // even times, a period of the forcing apart: see amo_where_forcing
  amo_signal *zero;  // of an equation
  amo_signal *of;
  const char *of_text;
  char text[160];  // the section in words
} amo_where;

/// amo_where_free is needed in any case.
amo_status amo_where_read(const amo_call *call, amo_where *w);
/// The section of a model that is forced, for these values [parameters]: the period is that of the forcing.
amo_status amo_where_forcing(amo_where *w, const amo_call *call, const amo_values *v);
void amo_where_free(amo_where *w);

#endif
