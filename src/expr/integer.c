// SPDX-License-Identifier: Apache-2.0
/// Operator precedence on small fixed stacks; every overflow is an error.
#include "expr/integer.h"

#include <limits.h>
#include <math.h>

#include "expr/parse.h"

#define DEPTH 64

typedef struct ints {
  amo_source *t;
  const amo_integers *names;
  long value[DEPTH];
  amo_token op[DEPTH];  // MINUS with value 1: the sign of a number
  int nvalue, nop;
  int open;
} ints;

static int binding(const amo_token *op)
{
  if (op->kind == AMO_T_OPEN) return 0;
  if (op->kind == AMO_T_MINUS && op->value == 1.0) return 3;
  return op->kind == AMO_T_TIMES || op->kind == AMO_T_OVER ? 2 : 1;
}

static bool apply(ints *s)
{
  const amo_token op = s->op[--s->nop];
  long *a = &s->value[s->nvalue - 1];
  bool overflow = false;
  if (binding(&op) == 3) {
    overflow = __builtin_sub_overflow(0L, *a, a);
  } else {
    const long b = *a--;
    s->nvalue--;
    if (op.kind == AMO_T_PLUS)
      overflow = __builtin_add_overflow(*a, b, a);
    else if (op.kind == AMO_T_MINUS)
      overflow = __builtin_sub_overflow(*a, b, a);
    else if (op.kind == AMO_T_TIMES)
      overflow = __builtin_mul_overflow(*a, b, a);
    else if (b == 0 || (b == -1 && *a == LONG_MIN) || *a % b != 0) {
      amo_source_error(s->t, op.offset, op.length, NULL, "%ld/%ld is not a whole number", *a, b);
      return false;
    } else
      *a /= b;
  }
  if (overflow) amo_source_error(s->t, op.offset, op.length, NULL, "whole number is too large");
  return !overflow;
}

static bool push_op(ints *s, const amo_token *tok)
{
  if (s->nop < DEPTH) {
    s->op[s->nop++] = *tok;
    return true;
  }
  amo_source_error(s->t, tok->offset, tok->length, NULL, "index nested deeper than %d levels", DEPTH);
  return false;
}

static bool literal(ints *s, const amo_token *tok, long *out)
{
  if (tok->value == floor(tok->value) && fabs(tok->value) <= 9007199254740992.0) {
    *out = (long)tok->value;
    return true;
  }
  amo_source_error(s->t, tok->offset, tok->length, NULL, "expected a whole number, found '%.*s'",
                   amo_shown(tok->length), s->t->text + tok->offset);
  return false;
}

static bool operand(ints *s, amo_token *tok, bool *want)
{
  const char *text = s->t->text + tok->offset;
  long v = 0;
  switch (tok->kind) {
    case AMO_T_PLUS: return true;
    case AMO_T_MINUS: tok->value = 1.0; return push_op(s, tok);
    case AMO_T_OPEN: s->open++; return push_op(s, tok);
    case AMO_T_BAD: return false;
    case AMO_T_NUMBER:
      if (!literal(s, tok, &v)) return false;
      break;
    case AMO_T_NAME:
      if (s->names && s->names->lookup(s->names->ctx, text, tok->length, &v)) break;
      amo_source_error(s->t, tok->offset, tok->length,
                       "indices are made of whole numbers, sizes and the variables of sums",
                       "'%.*s' is not a known whole number", amo_shown(tok->length), text);
      return false;
    default:
      amo_source_error(s->t, tok->offset, tok->length, NULL, "expected a whole number here");
      return false;
  }
  if (s->nvalue == DEPTH) {
    amo_source_error(s->t, tok->offset, tok->length, NULL, "index nested deeper than %d levels", DEPTH);
    return false;
  }
  s->value[s->nvalue++] = v;
  *want = false;
  return true;
}

static bool reduce(ints *s, int level)
{
  while (s->nop > 0 && s->op[s->nop - 1].kind != AMO_T_OPEN && binding(&s->op[s->nop - 1]) >= level)
    if (!apply(s)) return false;
  return true;
}

// True while the expression goes on; *ok false: reported.
static bool operation(ints *s, const amo_token *tok, bool *want, bool *ok)
{
  switch (tok->kind) {
    case AMO_T_PLUS:
    case AMO_T_MINUS:
    case AMO_T_TIMES:
    case AMO_T_OVER:
      *ok = reduce(s, binding(tok)) && push_op(s, tok);
      *want = true;
      return *ok;
    case AMO_T_CLOSE:
      if (s->open == 0) return false;
      *ok = reduce(s, 1);
      if (*ok) s->nop--;
      s->open--;
      return *ok;
    case AMO_T_BAD: *ok = false; return false;
    default: return false;
  }
}

bool amo_read_integer(amo_source *t, const amo_integers *names, long *out)
{
  ints s = {.t = t, .names = names};
  amo_token tok;
  bool want = true, ok = true, more = true;
  while (ok && more) {
    amo_lex(t, &tok);
    if (want)
      ok = operand(&s, &tok, &want);
    else
      more = operation(&s, &tok, &want, &ok);
  }
  if (!ok) return false;
  t->pos = tok.offset;  // whatever ended the number is for the caller
  if (s.open > 0) {
    amo_source_error(t, tok.offset, tok.length, NULL, "missing ')'");
    return false;
  }
  if (!reduce(&s, 1)) return false;
  *out = s.value[0];
  return true;
}

static bool scope_integer(void *ctx, const char *text, size_t length, long *value)
{
  const amo_scope *scope = ctx;
  return scope && scope->integer && scope->integer(scope, text, length, value);
}

amo_status amo_parse_integer(const char *text, size_t length, amo_at at, const amo_scope *scope,
                             amo_diags *diags, long *out)
{
  amo_source t = amo_source_open(text, length, at, diags);
  union {
    const amo_scope *in;
    void *out;
  } scope_ctx = {.in = scope};
  const amo_integers names = {.ctx = scope_ctx.out, .lookup = scope_integer};
  amo_token tok;
  long v = 0;
  if (length > AMO_MAX_TEXT) {
    amo_source_error(&t, 0, 1, NULL, "expression longer than %zu bytes", AMO_MAX_TEXT);
    return AMO_EINPUT;
  }
  if (!amo_read_integer(&t, &names, &v)) return AMO_EINPUT;
  amo_lex(&t, &tok);
  if (tok.kind != AMO_T_END) {
    if (tok.kind != AMO_T_BAD)
      amo_source_error(&t, tok.offset, tok.length, NULL, "unexpected '%.*s' after a whole number",
                       amo_shown(tok.length), text + tok.offset);
    return AMO_EINPUT;
  }
  *out = v;
  return AMO_OK;
}
