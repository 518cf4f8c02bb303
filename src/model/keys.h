// SPDX-License-Identifier: Apache-2.0
/// Every key of a model file, with what may stand there. The loader knows its keys from here, and so does the JSON Schema for
/// editors. Fields of laws are in the tables of the laws (law/law.h).
#ifndef AMO_MODEL_KEYS_H
#define AMO_MODEL_KEYS_H

#include "base/field.h"

extern const amo_field amo_model_keys[];
extern const amo_field amo_law_state_keys[];    // of the mapping `states` of a law that names its own
extern const amo_field amo_law_element_keys[];  // of its mapping `elements`, of a law made of such

#endif
