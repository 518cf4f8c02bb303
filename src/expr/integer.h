// SPDX-License-Identifier: Apache-2.0
/// Integer expressions: indices and ranges.
#ifndef AMO_EXPR_INTEGER_H
#define AMO_EXPR_INTEGER_H

#include "expr/lex.h"

typedef struct amo_integers {
  void *ctx;
  bool (*lookup)(void *ctx, const char *text, size_t length, long *value);
} amo_integers;

/// Read an integer expression from t->pos up to the first token that cannot continue it, which is
/// left unread. False: reported.
bool amo_read_integer(amo_source *t, const amo_integers *names, long *out);

#endif
