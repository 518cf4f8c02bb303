// SPDX-License-Identifier: Apache-2.0
/// The text a model was made from, and its settings. It is read again where a setting changes more than a number: sizes of
/// families, an expression in the place of a number, bounds that only the loader knows.
#ifndef AMO_MODEL_SOURCE_H
#define AMO_MODEL_SOURCE_H

#include "amontons/model.h"

typedef struct amo_model_source {
  char *name;  // of the file, or what stands for it
  char *text;
  size_t size;
  amo_setting *set;  // [nset] its own texts
  size_t nset;
} amo_model_source;

/// Copies everything. What was copied is freed by amo_source_free also when memory ran out.
amo_status amo_source_keep(amo_model_source *s, const char *name, const char *text, size_t size,
                           const amo_setting *set, size_t nset);
void amo_source_free(amo_model_source *s);

#endif
