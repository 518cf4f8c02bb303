// SPDX-License-Identifier: Apache-2.0
/// Every key of a study file, with what may stand there; names of questions and their options come on top of it (ask/verb.h).
/// The loader knows its keys from here, and so does the JSON Schema for editors.
#ifndef AMO_STUDY_KEYS_H
#define AMO_STUDY_KEYS_H

#include <cjson/cJSON.h>

#include "base/field.h"

extern const amo_field amo_study_keys[];
extern const amo_field amo_figure_keys[];  // at "figure", "panel" and "drawn": the kinds of figures

/// Is it a key of that place: "" for a study, "runs.NAME" for a run?
bool amo_study_has_key(const char *place, const char *word);

/// JSON Schema (draft 7) of a study file. Caller deletes.
cJSON *amo_study_schema(void);

#endif
