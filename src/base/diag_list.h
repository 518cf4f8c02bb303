// SPDX-License-Identifier: Apache-2.0
/// Inside of amo_diags, shared by reporting (diag.c) and rendering (diag_render.c).
#ifndef AMO_BASE_DIAG_LIST_H
#define AMO_BASE_DIAG_LIST_H

#include "amontons/diag.h"
#include "base/mem.h"

typedef struct amo_source_text amo_source_text;
struct amo_source_text {
  amo_source_text *next;
  const char *file;
  const char *text;  // NULL: only the name is known
  size_t size;
  int order;  // of registration
};

struct amo_diags {
  amo_arena arena;  // messages, hints, names, texts
  amo_source_text *source;
  int sources;
  amo_diag *item;
  size_t count, cap, errors;
  size_t dropped;  // reported beyond the limit
};

#endif
