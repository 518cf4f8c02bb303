// SPDX-License-Identifier: Apache-2.0
/// Statements: the one-line expectations. The grammar, loosest first:
///
///   statement   = either { "or" either }
///   either      = part { "and" part }
///   part        = "not" part | "(" statement ")" | comparison
///   comparison  = value { op value } | value "in" "[" low "," high "]" | value "is" ["not"] value | value
///
/// A value is what value.c reads. Every comparison is judged with its tolerance, wherever it stands.
#include <ctype.h>
#include <string.h>

#include "study/expect_load.h"
#include "study/statement.h"

#define MAX_DEPTH 32  // of brackets and words, one inside another

static amo_status parse(amo_study *s, const amo_yaml *n, int depth, amo_diags *d, amo_expectation *e);

const amo_yaml *amo_expect_part(amo_arena *a, const amo_yaml *n, const char *from, const char *to)
{
  while (from < to && isspace((unsigned char)*from)) from++;
  while (to > from && isspace((unsigned char)to[-1])) to--;
  bool quoted = to - from >= 2 && (*from == '"' || *from == '\'') && to[-1] == *from;
  if (quoted) from++, to--;
  amo_yaml *part = amo_arena_alloc(a, sizeof *part);
  if (!part) return NULL;
  *part = *n;
  part->length = (size_t)(to - from);
  part->text = amo_arena_str(a, from, part->length);
  part->at.column += (int)(from - n->text);
  part->at.length = (int)part->length;
  part->quoted = quoted;
  part->key = part->next = NULL;
  return part->text ? part : NULL;
}

static const amo_yaml *word_node(amo_arena *a, const amo_yaml *like, const char *text)
{
  amo_yaml *n = amo_arena_alloc(a, sizeof *n);
  if (!n) return NULL;
  *n = (amo_yaml){.kind = AMO_YAML_SCALAR, .text = text, .length = strlen(text), .at = like->at};
  return n;
}

static void set_condition(amo_expectation *e, const char *op, const amo_yaml *other)
{
  if (*op == '=')
    e->equals = other;
  else if (*op == '!')
    e->differs = other;
  else if (*op == '<')
    *(op[1] == '=' ? &e->at_most : &e->below) = other;
  else
    *(op[1] == '=' ? &e->at_least : &e->above) = other;
}

// ---- comparisons ----

static amo_status need_both(const amo_yaml *n, const amo_yaml *a, const amo_yaml *b, const char *op,
                            size_t length, amo_diags *d)
{
  if (!a || !b) return AMO_ENOMEM;
  if ((a->length || a->quoted) && (b->length || b->quoted)) return AMO_OK;
  return amo_error(d, n->at, NULL, "'%.*s' has nothing on its %s", (int)length, op,
                   a->length ? "right" : "left");
}

/// `a < b`, of which [from, op) is a and [op + length, to) is b.
static amo_status compare(amo_study *s, const amo_yaml *n, const char *from, const char *op, size_t length,
                          const char *to, amo_diags *d, amo_expectation *e)
{
  const amo_yaml *other = amo_expect_part(&s->arena, n, op + length, to);
  e->value = amo_expect_part(&s->arena, n, from, op);
  amo_status st = need_both(n, e->value, other, op, length, d);
  if (st == AMO_OK) set_condition(e, op, other);
  return st;
}

static amo_status new_parts(amo_study *s, amo_expectation *e, const amo_yaml *n, size_t count, bool any)
{
  e->part = amo_arena_alloc(&s->arena, count * sizeof *e->part);
  if (!e->part) return AMO_ENOMEM;
  e->parts = count;
  e->any = any;
  e->value = n;
  for (size_t i = 0; i < count; i++) e->part[i] = amo_expect_blank(n);
  return AMO_OK;
}

/// `a < b <= c`: each comparison is one of its own.
static amo_status parse_chain(amo_study *s, const amo_yaml *n, amo_diags *d, amo_expectation *e)
{
  size_t length = 0, next = 0, count = 1;
  const char *op = amo_statement_comparison(n->text, &length), *from = n->text, *after = NULL;
  size_t width = length;
  for (const char *p = op; (p = amo_statement_comparison(p + width, &width)) != NULL;) count++;
  if (count == 1) return compare(s, n, from, op, length, n->text + n->length, d, e);
  amo_status st = new_parts(s, e, n, count, false);
  for (size_t i = 0; i < count && st == AMO_OK; i++) {
    after = amo_statement_comparison(op + length, &next);
    st = compare(s, n, from, op, length, after ? after : n->text + n->length, d, &e->part[i]);
    from = op + length;
    op = after;
    length = next;
  }
  return st;
}

/// `x in [a, b]`
static amo_status parse_between(amo_study *s, const amo_yaml *n, const char *in, amo_diags *d,
                                amo_expectation *e)
{
  const amo_yaml *range = amo_expect_part(&s->arena, n, in + 2, n->text + n->length);
  e->value = amo_expect_part(&s->arena, n, n->text, in);
  if (!e->value || !range) return AMO_ENOMEM;
  const char *comma = range->length ? amo_statement_comma(range->text + 1) : NULL;
  if (!amo_statement_enclosed(range->text, range->length, '[') || !comma || amo_statement_comma(comma + 1))
    return amo_error(d, range->at, "x in [1, 2]", "'in' needs a range of two values");
  e->at_least = amo_expect_part(&s->arena, range, range->text + 1, comma);
  e->at_most = amo_expect_part(&s->arena, range, comma + 1, range->text + range->length - 1);
  amo_status st = need_both(n, e->value, e->at_least, "in", 2, d);
  return st == AMO_OK ? need_both(n, e->value, e->at_most, "in", 2, d) : st;
}

/// `x is y`, `x is not y`
static amo_status parse_is(amo_study *s, const amo_yaml *n, const char *is, amo_diags *d, amo_expectation *e)
{
  const char *rest = is + 2;
  while (isspace((unsigned char)*rest)) rest++;
  const bool denied = !strncmp(rest, "not ", 4);
  const amo_yaml *other = amo_expect_part(&s->arena, n, denied ? rest + 4 : rest, n->text + n->length);
  e->value = amo_expect_part(&s->arena, n, n->text, is);
  amo_status st = need_both(n, e->value, other, "is", 2, d);
  if (st == AMO_OK) *(denied ? &e->differs : &e->equals) = other;
  return st;
}

static amo_status parse_comparison(amo_study *s, const amo_yaml *n, amo_diags *d, amo_expectation *e)
{
  size_t length = 0;
  const char *word = NULL;
  if (amo_statement_comparison(n->text, &length)) return parse_chain(s, n, d, e);
  if ((word = amo_statement_word(n->text, "in")) != NULL) return parse_between(s, n, word, d, e);
  if ((word = amo_statement_word(n->text, "is")) != NULL) return parse_is(s, n, word, d, e);
  e->value = n;
  return AMO_OK;
}

// ---- and, or, not ----

/// `a WORD b WORD c`
static amo_status parse_list(amo_study *s, const amo_yaml *n, const char *word, int depth, amo_diags *d,
                             amo_expectation *e)
{
  const size_t length = strlen(word);
  size_t count = 1;
  for (const char *p = n->text; (p = amo_statement_word(p, word)) != NULL; p += length) count++;
  amo_status st = new_parts(s, e, n, count, !strcmp(word, "or"));
  const char *from = n->text;
  for (size_t i = 0; i < count && st == AMO_OK; i++) {
    const char *to = i + 1 < count ? amo_statement_word(from, word) : n->text + n->length;
    const amo_yaml *part = amo_expect_part(&s->arena, n, from, to);
    if (!part) return AMO_ENOMEM;
    st = parse(s, part, depth + 1, d, &e->part[i]);
    from = to + length;
  }
  return st;
}

/// What is denied: an equality becomes its opposite, a value alone must be false, the rest keeps a flag.
static amo_status parse_not(amo_study *s, const amo_yaml *n, int depth, amo_diags *d, amo_expectation *e)
{
  const amo_yaml *rest = amo_expect_part(&s->arena, n, n->text + 3, n->text + n->length);
  if (!rest) return AMO_ENOMEM;
  amo_status st = parse(s, rest, depth + 1, d, e);
  if (st != AMO_OK) return st;
  if (e->parts || amo_expect_nothing(e)) {
    e->denied = !e->denied && e->parts;
    if (!e->parts) e->equals = word_node(&s->arena, n, "false");
    return e->parts || e->equals ? AMO_OK : AMO_ENOMEM;
  }
  const amo_yaml *same = e->equals;
  if (same || e->differs) {
    e->equals = e->differs;
    e->differs = same;
  } else {
    e->denied = !e->denied;
  }
  return AMO_OK;
}

static bool says_not(const char *text)
{
  return !strncmp(text, "not", 3) && (isspace((unsigned char)text[3]) || text[3] == '(');
}

/// Does a statement stand in the brackets, or an expression?
static bool is_statement(const char *text)
{
  size_t length;
  return amo_statement_comparison(text, &length) || amo_statement_word(text, "and") ||
         amo_statement_word(text, "or") || amo_statement_word(text, "in") || amo_statement_word(text, "is") ||
         says_not(text);
}

static amo_status parse(amo_study *s, const amo_yaml *n, int depth, amo_diags *d, amo_expectation *e)
{
  *e = amo_expect_blank(n);
  if (depth > MAX_DEPTH) return amo_error(d, n->at, NULL, "the statement is nested too deeply");
  if (!n->length) return amo_error(d, n->at, NULL, "the expectation is empty");
  if (amo_statement_word(n->text, "or")) return parse_list(s, n, "or", depth, d, e);
  if (amo_statement_word(n->text, "and")) return parse_list(s, n, "and", depth, d, e);
  if (says_not(n->text)) return parse_not(s, n, depth, d, e);
  if (amo_statement_enclosed(n->text, n->length, '(')) {
    const amo_yaml *inside = amo_expect_part(&s->arena, n, n->text + 1, n->text + n->length - 1);
    if (!inside) return AMO_ENOMEM;
    if (is_statement(inside->text)) return parse(s, inside, depth + 1, d, e);
  }
  return parse_comparison(s, n, d, e);
}

/// `a and b` is two expectations.
static amo_status add_all(amo_study *s, const amo_expectation *e, amo_diags *d)
{
  if (!e->parts || e->any || e->denied) return amo_expect_add(s, *e, d);
  amo_status worst = AMO_OK;
  for (size_t i = 0; i < e->parts; i++) {
    amo_status st = add_all(s, &e->part[i], d);
    if (st != AMO_OK) worst = st;
  }
  return worst;
}

amo_status amo_expect_statement(amo_study *s, const amo_yaml *n, amo_diags *d)
{
  amo_expectation e;
  if (amo_yaml_is_null(n)) return amo_error(d, n->at, NULL, "the expectation is empty");
  amo_status st = parse(s, n, 0, d, &e);
  return st == AMO_OK ? add_all(s, &e, d) : st;
}

amo_status amo_expect_split(amo_study *s, amo_expectation *e, const amo_yaml *n, amo_diags *d)
{
  amo_expectation read;
  amo_status st = parse(s, n, 0, d, &read);
  if (st != AMO_OK) return st;
  read.name = e->name;
  read.source = e->source;
  read.note = e->note;
  read.tolerance = e->tolerance;
  read.rel = e->rel;
  read.abs = e->abs;
  read.own_tolerance = e->own_tolerance;
  read.at = e->at;
  *e = read;
  return AMO_OK;
}

amo_status amo_expect_ordering(amo_study *s, amo_expectation *e, const amo_yaml *n, bool *found)
{
  size_t length = 0;
  const char *op = n->kind == AMO_YAML_SCALAR ? amo_statement_comparison(n->text, &length) : NULL;
  *found = op && op == n->text;
  if (!*found) return AMO_OK;
  const amo_yaml *other = amo_expect_part(&s->arena, n, op + length, n->text + n->length);
  if (!other) return AMO_ENOMEM;
  set_condition(e, op, other);
  return AMO_OK;
}
