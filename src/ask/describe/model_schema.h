// SPDX-License-Identifier: Apache-2.0
#ifndef AMO_ASK_DESCRIBE_MODEL_SCHEMA_H
#define AMO_ASK_DESCRIBE_MODEL_SCHEMA_H

#include <cjson/cJSON.h>

/// JSON Schema (draft 7) of a model file. Caller deletes.
cJSON *amo_model_schema(void);

#endif
