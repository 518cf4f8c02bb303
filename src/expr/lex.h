// SPDX-License-Identifier: Apache-2.0
/// Characters to tokens, and reports that point into the text of an expression.
#ifndef AMO_EXPR_LEX_H
#define AMO_EXPR_LEX_H

#include "amontons/diag.h"

#define AMO_MAX_TEXT    ((size_t)1 << 20)  // bytes of one expression
#define AMO_MAX_REPORTS 20                 // mistakes reported for one expression
#define AMO_MAX_TOKENS  30000000L          // tokens read in all, with repeated bodies of sums

typedef enum amo_token_kind {
  AMO_T_END,
  AMO_T_BAD,  // BAD: already reported
  AMO_T_NUMBER,
  AMO_T_NAME,
  AMO_T_PLUS,
  AMO_T_MINUS,
  AMO_T_TIMES,
  AMO_T_OVER,
  AMO_T_CARET,
  AMO_T_LT,
  AMO_T_LE,
  AMO_T_GT,
  AMO_T_GE,
  AMO_T_EQ,
  AMO_T_NE,
  AMO_T_ASSIGN,
  AMO_T_AND,
  AMO_T_OR,
  AMO_T_NOT,
  AMO_T_OPEN,
  AMO_T_CLOSE,
  AMO_T_INDEX,
  AMO_T_UNINDEX,
  AMO_T_COMMA,
  AMO_T_RANGE
} amo_token_kind;

typedef struct amo_token {
  amo_token_kind kind;
  size_t offset, length;
  double value;  // NUMBER
} amo_token;

typedef struct amo_source {
  const char *text;
  size_t length, pos;  // pos: the next character to read
  amo_at at;           // of text[0]
  amo_diags *diags;
  int reports;
  long tokens;
  size_t newline;  // offset of the first line break, `length` if none
  bool paths;      // names may contain indices and inner primes
} amo_source;

/// The text [0, length) with its first character at `at`.
amo_source amo_source_open(const char *text, size_t length, amo_at at, amo_diags *diags);
void amo_lex(amo_source *t, amo_token *out);
/// Position of a piece of the text, for diagnostics.
amo_at amo_source_at(amo_source *t, size_t offset, size_t length);
/// Report a mistake; counts it. After AMO_MAX_REPORTS they are dropped.
void amo_source_error(amo_source *t, size_t offset, size_t length, const char *hint, const char *fmt, ...)
    AMO_PRINTF(5, 6);
/// Length to show of a name in a message: a hostile one is a megabyte long.
int amo_shown(size_t length);

#endif
