// SPDX-License-Identifier: Apache-2.0
/// Small helpers over cJSON, and the printer for --json.
#ifndef AMO_RESULT_JSON_H
#define AMO_RESULT_JSON_H

#include <cjson/cJSON.h>
#include <stdbool.h>

#include "amontons/amontons.h"
#include "base/text.h"

/// A number for JSON: 17 significant digits; NaN and infinities become null.
cJSON *amo_json_number(double x);

/// The value as text with a final newline; every number reads back to the same double. Caller frees;
/// NULL on out of memory.
char *amo_json_print(const cJSON *v);

/// Numbers made by amo_json_number are measured: they lie on a continuous scale. Counts, signs and codes, which are
/// verdicts, are made by cJSON itself; that tells them apart, never whether a value happens to be whole.
cJSON *amo_json_pair(double a, double b);                      // a list of two
bool amo_json_is_measured(const cJSON *v);                     // also of its null
void amo_json_add(cJSON *object, const char *name, double x);  // the same, into an object
/// The same, with "<name>_reason" beside a null.
void amo_json_add_or(cJSON *object, const char *name, double x, const char *reason);
/// A mode of a contact: the sign of its slip, 0 in stick, "open".
void amo_json_add_mode(cJSON *object, const char *name, int mode);
/// What happened, in a word.
const char *amo_json_event_kind(const amo_model *m, const amo_event *e);
/// {t, contact, from, to, kind}; t less `t0`.
cJSON *amo_json_event(const amo_model *m, const amo_event *e, double t0);
/// Add under a key that is a constant and is not copied: of what there may be a million, as of events.
void amo_json_put(cJSON *object, const char *constant, cJSON *value);
/// What counts as one number: a group of a single number (of the only contact), a complex number that is real.
/// v itself otherwise.
const cJSON *amo_json_single(const cJSON *v);
double amo_json_get(const cJSON *object, const char *name);  // NaN if absent or null
/// The same of objects with the same keys that are read side by side: sought from the place *at (at first the object's child)
/// on, which then is the one after it.
double amo_json_next(const cJSON **at, const char *name);
const char *amo_json_text(const cJSON *object, const char *name);  // "" if absent

#endif
