// SPDX-License-Identifier: Apache-2.0
/// Verdicts of earlier runs, kept beside the figures as verdicts.json, so that a list of results can
/// show their status without computing them again.
#ifndef AMO_STUDY_VERDICTS_H
#define AMO_STUDY_VERDICTS_H

#include <cjson/cJSON.h>

#include "amontons/diag.h"

/// {id: verdict} of DIR/verdicts.json; an empty object if there is none. NULL on out of memory.
cJSON *amo_verdicts_read(const char *dir);
/// Put the verdicts of `entries` (amo_study_json objects) into the file; others in it stay.
amo_status amo_verdicts_write(const char *dir, const cJSON *entries, amo_diags *diags);

#endif
