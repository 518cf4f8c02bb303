// SPDX-License-Identifier: Apache-2.0
/// Names in expressions: variables with primes and indices, constants, calls.
#include <stdio.h>
#include <string.h>

#include "expr/integer.h"
#include "expr/parse_impl.h"

#define MAX_INDICES 8
#define PI          3.14159265358979323846

static bool is(const amo_parser *p, const amo_token *tok, const char *text)
{
  return strlen(text) == tok->length && memcmp(p->t.text + tok->offset, text, tok->length) == 0;
}

static char peek(const amo_parser *p)
{
  return p->t.pos < p->t.length ? p->t.text[p->t.pos] : '\0';
}

bool amo_bound_integer(void *parser, const char *text, size_t length, long *value)
{
  const amo_parser *p = parser;
  for (size_t i = p->loops; i-- > 0;) {
    const amo_loop *l = &p->loop[i];
    if (l->name_length != length || memcmp(p->t.text + l->name, text, length) != 0) continue;
    *value = l->i;
    return true;
  }
  return p->scope && p->scope->integer && p->scope->integer(p->scope, text, length, value);
}

static bool loop_variable(const amo_parser *p, const amo_token *tok, long *value)
{
  for (size_t i = p->loops; i-- > 0;) {
    const amo_loop *l = &p->loop[i];
    if (l->name_length != tok->length ||
        memcmp(p->t.text + l->name, p->t.text + tok->offset, tok->length) != 0)
      continue;
    *value = l->i;
    return true;
  }
  return false;
}

// ---- suggestions ----

static const char *scope_known(void *ctx, size_t i)
{
  const amo_scope *const *scope = ctx;
  return (*scope)->known(*scope, i);
}

static const char *function_known(void *ctx, size_t i)
{
  (void)ctx;
  return amo_function_name(i);
}

static void unknown_function(amo_parser *p, const amo_token *tok)
{
  char hint[96];
  const char *near = amo_nearest(p->t.text + tok->offset, tok->length, function_known, NULL);
  if (near) snprintf(hint, sizeof hint, "did you mean '%s'?", near);
  amo_parser_error(p, tok, near ? hint : NULL, "unknown function '%.*s'", amo_shown(tok->length),
                   p->t.text + tok->offset);
}

static void unknown_name(amo_parser *p, const amo_token *tok)
{
  char hint[160];
  const char *text = p->t.text + tok->offset, *near = NULL;
  if (is(p, tok, "inf") || is(p, tok, "nan") || is(p, tok, "infinity")) {
    amo_parser_error(p, tok, is(p, tok, "nan") ? "values are finite numbers" : "write a large finite number",
                     "'%.*s' is not a value here", (int)tok->length, text);
    return;
  }
  if (is(p, tok, "e")) {
    amo_parser_error(p, tok, "write exp(1), or exp(x) for e^x", "unknown name 'e'");
    return;
  }
  if (amo_function_find(text, tok->length) || is(p, tok, "sum") || is(p, tok, "product")) {
    amo_parser_error(p, tok, NULL, "function '%.*s' needs arguments in parentheses", (int)tok->length, text);
    return;
  }
  if (p->scope && p->scope->known && amo_diags_count(p->t.diags) < AMO_DIAGS_KEPT)
    near = amo_nearest(text, tok->length, scope_known, &p->scope);
  if (near) snprintf(hint, sizeof hint, "did you mean '%.100s'?", near);
  amo_parser_error(p, tok, near ? hint : NULL, "unknown name '%.*s'", amo_shown(tok->length), text);
}

// ---- variables ----

static int read_primes(amo_parser *p)
{
  int n = 0;
  for (; peek(p) == '\''; p->t.pos++) n++;
  return n;
}

// x[i+1, j]: false: reported.
static bool read_indices(amo_parser *p, long *index, int *count)
{
  const amo_integers names = {.ctx = p, .lookup = amo_bound_integer};
  amo_token tok = {0};
  p->t.pos++;  // '['
  for (*count = 0;;) {
    if (!amo_read_integer(&p->t, &names, &index[(*count)++])) return false;
    amo_lex(&p->t, &tok);
    if (tok.kind == AMO_T_UNINDEX) return true;
    if (tok.kind != AMO_T_COMMA) {
      if (tok.kind != AMO_T_BAD) amo_parser_error(p, &tok, NULL, "missing ']' after the index");
      return false;
    }
    if (*count == MAX_INDICES) {
      amo_parser_error(p, &tok, NULL, "more than %d indices", MAX_INDICES);
      return false;
    }
  }
}

static amo_node resolve(amo_parser *p, const amo_name *name, bool *reported)
{
  const amo_scope *s = p->scope;
  return s && s->resolve ? s->resolve(s, p->d, name, reported) : AMO_NODE_NONE;
}

static void variable(amo_parser *p, amo_token tok)
{
  long index[MAX_INDICES] = {0};
  const amo_token base = tok;
  amo_name name = {.text = p->t.text + tok.offset, .length = tok.length, .index = index};
  name.primes = read_primes(p);
  if (!p->t.paths && peek(p) == '[') {
    if (!read_indices(p, index, &name.indices)) {
      p->stop = true;
      return;
    }
    name.primes += read_primes(p);
  }
  tok.length = p->t.pos - tok.offset;
  name.at = amo_source_at(&p->t, tok.offset, tok.length);
  long bound = 0;
  bool reported = false;
  amo_node n = AMO_NODE_NONE;
  const bool plain = name.primes == 0 && name.indices == 0;
  if (plain && loop_variable(p, &base, &bound))
    n = amo_const(p->d, (double)bound);
  else if (plain && is(p, &base, "pi"))
    n = amo_const(p->d, PI);
  else
    n = resolve(p, &name, &reported);
  if (n == AMO_NODE_NONE && amo_dag_status(p->d) == AMO_OK) {
    if (reported)
      p->t.reports++;
    else
      unknown_name(p, plain ? &base : &tok);
  }
  amo_push_value(p, n, n == AMO_NODE_NONE);
  amo_next(p);
}

// ---- calls ----

// x(…) where x is a variable: most likely a product without its sign.
static bool is_variable(const amo_parser *p, const amo_token *tok)
{
  long bound = 0;
  if (!p->scope || !p->scope->known) return loop_variable(p, tok, &bound);
  for (size_t i = 0; i < 10000; i++) {
    const char *known = p->scope->known(p->scope, i);
    if (!known) break;
    if (is(p, tok, known)) return true;
  }
  return loop_variable(p, tok, &bound);
}

static void call(amo_parser *p, const amo_token *tok)
{
  const char *text = p->t.text + tok->offset;
  const amo_function *f = amo_function_find(text, tok->length);
  if (!f) {
    if (is_variable(p, tok))
      amo_parser_error(p, tok, "products are written with '*'", "'%.*s' is not a function",
                       amo_shown(tok->length), text);
    else
      unknown_function(p, tok);
  }
  amo_push_frame(p, (amo_frame){.kind = AMO_F_CALL, .tok = *tok, .function = f, .base = p->values});
  if (!p->stop) amo_next(p);
}

void amo_parse_name(amo_parser *p)
{
  const amo_token tok = p->tok;
  amo_token next;
  const size_t after = p->t.pos;
  if (peek(p) != '\'' && peek(p) != '[') {
    amo_lex(&p->t, &next);
    if (next.kind == AMO_T_OPEN) {
      if (is(p, &tok, "sum") || is(p, &tok, "product"))
        amo_loop_open(p, &tok, is(p, &tok, "product"));
      else
        call(p, &tok);
      return;
    }
    if (next.kind == AMO_T_BAD) {
      p->stop = true;
      return;
    }
    p->t.pos = after;
  }
  variable(p, tok);
}
