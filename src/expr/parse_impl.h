// SPDX-License-Identifier: Apache-2.0
/// The state of one parse, shared by the parser's files.
#ifndef AMO_EXPR_PARSE_IMPL_H
#define AMO_EXPR_PARSE_IMPL_H

#include "expr/function.h"
#include "expr/lex.h"
#include "expr/parse.h"

#define AMO_MAX_NESTING   1000             // brackets, signs and powers inside one another
#define AMO_MAX_DERIVED   ((size_t)20000)  // operations that diff() and rate() may add, and so many more ...
#define AMO_DERIVED_SHARE ((size_t)16)     // ... for each operation that was written
#define AMO_MAX_TERMS     1000000L         // terms of all sums of an expression

typedef enum amo_frame_kind {
  AMO_F_PAREN,
  AMO_F_CALL,
  AMO_F_LOOP,  // brackets; the rest are operators
  AMO_F_OR,
  AMO_F_AND,
  AMO_F_NOT,
  AMO_F_COMPARE,
  AMO_F_SUM,
  AMO_F_PRODUCT,
  AMO_F_SIGN,
  AMO_F_POWER
} amo_frame_kind;

/// An operator or bracket that waits for its operands.
typedef struct amo_frame {
  amo_frame_kind kind;
  amo_token tok;
  const amo_function *function;  // CALL; NULL: unknown (reported)
  size_t base;                   // CALL, LOOP: number of values below its arguments
  size_t arguments;              // CALL: commas seen
} amo_frame;

/// sum(i=lo..hi, body): the body is read again for every i, with i bound.
typedef struct amo_loop {
  size_t name, name_length;  // of the variable, in the text
  long i, hi;
  size_t body;  // offset to read again from
  amo_node acc;
  bool product;
  int reports;  // at the start: a mistake in the body ends the loop
} amo_loop;

typedef struct amo_parser {
  amo_dag *d;
  amo_source t;
  amo_token tok;  // the current one
  const amo_scope *scope;
  amo_value *value;
  size_t values, value_capacity;
  amo_frame *frame;
  size_t frames, frame_capacity;
  int nesting;
  amo_loop *loop;
  size_t loops, loop_capacity;
  long terms;
  bool stop;  // a mistake after which nothing sensible can be read
  bool no_memory;
} amo_parser;

void amo_parser_error(amo_parser *p, const amo_token *tok, const char *hint, const char *fmt, ...)
    AMO_PRINTF(4, 5);
void amo_push_value(amo_parser *p, amo_node node, bool truth);
void amo_push_frame(amo_parser *p, amo_frame f);
void amo_next(amo_parser *p);

/// A name in operand position: variable, constant, call or loop.
void amo_parse_name(amo_parser *p);
/// The head "i=lo..hi," after "sum(" or "product(".
void amo_loop_open(amo_parser *p, const amo_token *name, bool product);
/// The closing bracket of a loop: true if the body is to be read again.
bool amo_loop_close(amo_parser *p);
/// Value of a loop variable or size.
bool amo_bound_integer(void *parser, const char *text, size_t length, long *value);

#endif
