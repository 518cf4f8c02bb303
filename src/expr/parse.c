// SPDX-License-Identifier: Apache-2.0
/// Operator precedence parsing on explicit stacks.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expr/dag_impl.h"
#include "expr/parse_impl.h"

void amo_parser_error(amo_parser *p, const amo_token *tok, const char *hint, const char *fmt, ...)
{
  char buf[256];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(buf, sizeof buf, fmt, ap);
  va_end(ap);
  amo_source_error(&p->t, tok->offset, tok->length, hint, "%s", buf);
  if (p->t.reports > AMO_MAX_REPORTS) p->stop = true;
}

static void fail(amo_parser *p, const amo_token *tok, const char *hint, const char *message)
{
  amo_parser_error(p, tok, hint, "%s", message);
  p->stop = true;
}

void amo_next(amo_parser *p)
{
  amo_lex(&p->t, &p->tok);
  if (p->tok.kind == AMO_T_BAD) p->stop = true;
}

static void *grown(amo_parser *p, void *array, size_t *capacity, size_t item)
{
  const size_t more = *capacity ? 2 * *capacity : 32;
  void *bigger = realloc(array, more * item);
  if (bigger)
    *capacity = more;
  else
    p->stop = p->no_memory = true;
  return bigger ? bigger : array;
}

void amo_push_value(amo_parser *p, amo_node node, bool truth)
{
  if (p->values == p->value_capacity) p->value = grown(p, p->value, &p->value_capacity, sizeof *p->value);
  if (p->no_memory) return;
  p->value[p->values++] = (amo_value){node, truth};
}

void amo_push_frame(amo_parser *p, amo_frame f)
{
  const bool nests =
      f.kind <= AMO_F_LOOP || f.kind == AMO_F_SIGN || f.kind == AMO_F_NOT || f.kind == AMO_F_POWER;
  if (nests && ++p->nesting > AMO_MAX_NESTING) {
    amo_parser_error(p, &f.tok, NULL, "nested deeper than %d levels", AMO_MAX_NESTING);
    p->stop = true;
    return;
  }
  if (p->frames == p->frame_capacity) p->frame = grown(p, p->frame, &p->frame_capacity, sizeof *p->frame);
  if (p->no_memory) return;
  p->frame[p->frames++] = f;
}

// ---- applying operators ----

static void need_truth(amo_parser *p, const amo_frame *f, const amo_value *v)
{
  if (v->truth || v->node == AMO_NODE_NONE) return;
  amo_parser_error(p, &f->tok, "compare first: x > 0", "'%.*s' joins conditions, not numbers",
                   amo_shown(f->tok.length), p->t.text + f->tok.offset);
}

static amo_node compare(amo_dag *d, amo_token_kind kind, amo_node a, amo_node b)
{
  const bool swap = kind == AMO_T_GT || kind == AMO_T_GE;
  const amo_node margin = swap ? amo_sub(d, a, b) : amo_sub(d, b, a);
  if (kind == AMO_T_EQ || kind == AMO_T_NE) return AMO_NODE_NONE;  // reported when read
  return amo_op1(d, kind == AMO_T_LT || kind == AMO_T_GT ? AMO_OP_POS : AMO_OP_NONNEG, margin);
}

static amo_node combine(amo_parser *p, const amo_frame *f, const amo_value *a, const amo_value *b)
{
  amo_dag *d = p->d;
  switch (f->kind) {
    case AMO_F_OR:
    case AMO_F_AND:
      need_truth(p, f, a);
      need_truth(p, f, b);
      return f->kind == AMO_F_OR ? amo_truth_or(d, a->node, b->node) : amo_truth_and(d, a->node, b->node);
    case AMO_F_COMPARE: return compare(d, f->tok.kind, a->node, b->node);
    case AMO_F_SUM: return amo_op2(d, f->tok.kind == AMO_T_PLUS ? AMO_OP_ADD : AMO_OP_SUB, a->node, b->node);
    case AMO_F_PRODUCT:
      return amo_op2(d, f->tok.kind == AMO_T_OVER ? AMO_OP_DIV : AMO_OP_MUL, a->node, b->node);
    default: return amo_op2(d, AMO_OP_POW, a->node, b->node);
  }
}

static void apply(amo_parser *p)
{
  const amo_frame f = p->frame[--p->frames];
  amo_value *b = &p->value[p->values - 1];
  if (f.kind == AMO_F_SIGN || f.kind == AMO_F_NOT) {
    p->nesting--;
    if (f.kind == AMO_F_NOT) need_truth(p, &f, b);
    b->node = f.kind == AMO_F_NOT ? amo_truth_not(p->d, b->node) : amo_neg(p->d, b->node);
    b->truth = f.kind == AMO_F_NOT;
    return;
  }
  if (f.kind == AMO_F_POWER) p->nesting--;
  amo_value *a = b - 1;
  a->node = combine(p, &f, a, b);
  a->truth = f.kind == AMO_F_OR || f.kind == AMO_F_AND || f.kind == AMO_F_COMPARE;
  p->values--;
}

// Apply everything waiting that binds at least as tight as `kind`, down to the nearest bracket.
static void reduce(amo_parser *p, amo_frame_kind kind)
{
  while (p->frames > 0) {
    const amo_frame *top = &p->frame[p->frames - 1];
    if (top->kind <= AMO_F_LOOP || top->kind < kind) return;
    if (top->kind == AMO_F_POWER && kind == AMO_F_POWER) return;  // right associative
    apply(p);
  }
}

// ---- brackets ----

static amo_node rate_of(amo_parser *p, const amo_frame *f, amo_node n)
{
  const char *why = "nothing moves here";
  if (n == AMO_NODE_NONE) return n;
  amo_node r = p->scope->rate ? p->scope->rate(p->scope, p->d, n, &why) : AMO_NODE_NONE;
  if (r == AMO_NODE_NONE && amo_dag_status(p->d) == AMO_OK)
    amo_parser_error(p, &f->tok, NULL, "rate cannot be taken: %s", why);
  return r;
}

/// Is this diff(f, name) in a scope that knows what follows from the name?
static bool by_name(const amo_parser *p, const amo_frame *f, uint32_t *leaf)
{
  return f->function && amo_function_derives(f->function) && p->scope && p->scope->diff &&
         p->value[f->base].node != AMO_NODE_NONE && amo_node_leaf(p->d, p->value[f->base + 1].node, leaf);
}

/// Derivatives of derivatives multiply: what they add to the DAG stays in proportion to what was written. One more
/// derivative is a small multiple of its argument, so it is enough to look after each.
static void count_derived(amo_parser *p, const amo_frame *f, size_t before)
{
  amo_dag *d = p->d;
  d->derived += d->size - before;
  if (d->size == before || d->derived <= AMO_MAX_DERIVED + AMO_DERIVED_SHARE * (d->size - d->derived)) return;
  amo_parser_error(p, &f->tok, "take fewer derivatives of one another",
                   "too large: the derivatives down to here have %zu operations", d->derived);
  p->stop = true;
}

static void close_call(amo_parser *p, const amo_frame *f)
{
  const size_t n = p->values - f->base, before = p->d->size;
  uint32_t leaf = 0;
  amo_value r = {AMO_NODE_NONE, true};
  const char *wrong = f->function ? amo_function_arguments(f->function, n) : NULL;
  if (wrong) {
    const bool whole = strchr(wrong, '(') != NULL;
    amo_parser_error(p, &f->tok, NULL, "%.*s%s%s, here are %zu", whole ? 0 : (int)f->tok.length,
                     p->t.text + f->tok.offset, whole ? "" : " ", wrong, n);
  } else if (f->function && amo_function_is_rate(f->function)) {
    r = (amo_value){.node = rate_of(p, f, p->value[f->base].node)};
  } else if (by_name(p, f, &leaf)) {
    r = (amo_value){.node = p->scope->diff(p->scope, p->d, p->value[f->base].node, leaf)};
  } else if (f->function) {
    amo_call_error error = {NULL, NULL, -1};
    r = amo_function_build(p->d, f->function, &p->value[f->base], n, &error);
    if (error.message && p->value[f->base + (size_t)error.argument].node != AMO_NODE_NONE)
      amo_parser_error(p, &f->tok, error.hint, "%s (argument %d of %.*s)", error.message, error.argument + 1,
                       (int)f->tok.length, p->t.text + f->tok.offset);
  }
  if (f->function && amo_function_derives(f->function)) count_derived(p, f, before);
  p->values = f->base;
  amo_push_value(p, r.node, r.truth || r.node == AMO_NODE_NONE);
}

static void close_bracket(amo_parser *p)
{
  reduce(p, AMO_F_OR);
  if (p->frames == 0) {
    fail(p, &p->tok, NULL, "unexpected ')': there is no '(' to close");
    return;
  }
  const amo_frame f = p->frame[p->frames - 1];
  if (f.kind == AMO_F_LOOP && amo_loop_close(p)) return;  // the body again
  p->frames--;
  p->nesting--;
  if (f.kind == AMO_F_CALL) close_call(p, &f);
  amo_next(p);
}

static void comma(amo_parser *p, bool *want)
{
  reduce(p, AMO_F_OR);
  amo_frame *f = p->frames > 0 ? &p->frame[p->frames - 1] : NULL;
  if (!f || f->kind == AMO_F_PAREN) {
    fail(p, &p->tok, NULL, "unexpected ',': only the arguments of a function are separated so");
  } else if (f->kind == AMO_F_LOOP) {
    fail(p, &p->tok, NULL, "one expression follows the range of a sum or product");
  } else {
    f->arguments++;
    *want = true;
    amo_next(p);
  }
}

// ---- the two positions: a value is wanted, or an operator is ----

static void want_value(amo_parser *p, bool *want)
{
  const amo_token tok = p->tok;
  const amo_frame *top = p->frames > 0 ? &p->frame[p->frames - 1] : NULL;
  switch (tok.kind) {
    case AMO_T_NUMBER:
      amo_push_value(p, amo_const(p->d, tok.value), tok.value == 0.0 || tok.value == 1.0);
      *want = false;
      break;
    case AMO_T_NAME: {
      const size_t frames = p->frames;
      amo_parse_name(p);  // reads on by itself
      *want = p->frames > frames;
      return;
    }
    case AMO_T_OPEN: amo_push_frame(p, (amo_frame){.kind = AMO_F_PAREN, .tok = tok}); break;
    case AMO_T_MINUS: amo_push_frame(p, (amo_frame){.kind = AMO_F_SIGN, .tok = tok}); break;
    case AMO_T_NOT: amo_push_frame(p, (amo_frame){.kind = AMO_F_NOT, .tok = tok}); break;
    case AMO_T_PLUS: break;
    case AMO_T_CLOSE:
      if (top && top->kind == AMO_F_CALL && top->arguments == 0) {  // f()
        *want = false;
        close_bracket(p);
        return;
      }
      fail(p, &tok, NULL, "expected a value before ')'");
      return;
    case AMO_T_END: fail(p, &tok, NULL, "expected a value, but the expression ends"); return;
    default:
      amo_parser_error(p, &tok, tok.kind == AMO_T_TIMES ? "powers are written x^2" : NULL,
                       "expected a value, found '%.*s'", amo_shown(tok.length), p->t.text + tok.offset);
      p->stop = true;
      return;
  }
  if (!p->stop) amo_next(p);
}

static amo_frame_kind operator_kind(amo_token_kind kind)
{
  switch (kind) {
    case AMO_T_PLUS:
    case AMO_T_MINUS: return AMO_F_SUM;
    case AMO_T_TIMES:
    case AMO_T_OVER: return AMO_F_PRODUCT;
    case AMO_T_CARET: return AMO_F_POWER;
    case AMO_T_LT:
    case AMO_T_LE:
    case AMO_T_GT:
    case AMO_T_GE:
    case AMO_T_EQ:
    case AMO_T_NE: return AMO_F_COMPARE;
    case AMO_T_AND: return AMO_F_AND;
    case AMO_T_OR: return AMO_F_OR;
    default: return AMO_F_PAREN;  // not an operator
  }
}

static void binary(amo_parser *p, amo_frame_kind kind, bool *want)
{
  const amo_token tok = p->tok;
  reduce(p, kind == AMO_F_COMPARE ? AMO_F_SUM : kind);
  const amo_frame *top = p->frames > 0 ? &p->frame[p->frames - 1] : NULL;
  if (kind == AMO_F_COMPARE && top && top->kind == AMO_F_COMPARE) {
    fail(p, &tok, "write a < b and b < c", "comparisons cannot be chained");
    return;
  }
  if (tok.kind == AMO_T_EQ || tok.kind == AMO_T_NE)
    amo_parser_error(p, &tok, "use <, <=, > or >=", "real numbers are not compared with '%.2s'",
                     p->t.text + tok.offset);
  amo_push_frame(p, (amo_frame){.kind = kind, .tok = tok});
  *want = true;
  if (!p->stop) amo_next(p);
}

// "2x", "a b", "2(x)": the reader meant a product. Report, then read on as if it were one.
static void missing_operator(amo_parser *p, bool *want)
{
  char hint[160] = "write the operator: 2*x";
  const amo_token tok = p->tok;
  if (tok.kind != AMO_T_OPEN)
    snprintf(hint, sizeof hint,
             "products are written with '*': 2*%.*s; a unit stands beside its value: {value: 2, unit: %.*s}",
             amo_shown(tok.length), p->t.text + tok.offset, amo_shown(tok.length), p->t.text + tok.offset);
  amo_parser_error(p, &tok, hint, "missing operator before '%.*s'", amo_shown(tok.length),
                   p->t.text + tok.offset);
  reduce(p, AMO_F_PRODUCT);
  amo_push_frame(p, (amo_frame){.kind = AMO_F_PRODUCT, .tok = tok});
  *want = true;
}

static void want_operator(amo_parser *p, bool *want)
{
  const amo_frame_kind kind = operator_kind(p->tok.kind);
  if (kind != AMO_F_PAREN) {
    binary(p, kind, want);
    return;
  }
  switch (p->tok.kind) {
    case AMO_T_CLOSE:
      close_bracket(p);
      // A loop that reads its body again wants a value next.
      *want = p->frames > 0 && p->frame[p->frames - 1].kind == AMO_F_LOOP &&
              p->values == p->frame[p->frames - 1].base;
      return;
    case AMO_T_COMMA: comma(p, want); return;
    case AMO_T_NUMBER:
    case AMO_T_NAME:
    case AMO_T_OPEN: missing_operator(p, want); return;
    default:
      amo_parser_error(p, &p->tok, NULL, "unexpected '%.*s'", amo_shown(p->tok.length),
                       p->t.text + p->tok.offset);
      p->stop = true;
  }
}

static amo_node finish(amo_parser *p)
{
  reduce(p, AMO_F_OR);
  if (p->frames > 0) {
    fail(p, &p->frame[p->frames - 1].tok, NULL, "missing ')': this bracket is never closed");
    return AMO_NODE_NONE;
  }
  return p->value[0].node;
}

static amo_node parse_all(amo_parser *p)
{
  bool want = true;
  amo_next(p);
  if (p->tok.kind == AMO_T_END) {
    fail(p, &p->tok, NULL, "empty expression");
    return AMO_NODE_NONE;
  }
  while (!p->stop && amo_dag_status(p->d) == AMO_OK) {
    if (want)
      want_value(p, &want);
    else if (p->tok.kind == AMO_T_END)
      return finish(p);
    else
      want_operator(p, &want);
  }
  return AMO_NODE_NONE;
}

amo_status amo_parse(amo_dag *d, const char *text, size_t length, amo_at at, const amo_scope *scope,
                     amo_diags *diags, amo_node *out)
{
  amo_parser p = {.d = d, .scope = scope, .t = amo_source_open(text, length, at, diags)};
  const amo_token all = {.length = length < 40 ? length : 40};
  p.t.paths = scope && scope->paths;
  *out = AMO_NODE_NONE;
  if (length > AMO_MAX_TEXT) {
    amo_parser_error(&p, &all, NULL, "expression longer than %zu bytes", AMO_MAX_TEXT);
    return AMO_EINPUT;
  }
  const amo_node n = parse_all(&p);
  free(p.value);
  free(p.frame);
  free(p.loop);
  if (p.no_memory) amo_dag_fail(d, AMO_ENOMEM);
  if (amo_dag_status(d) != AMO_OK) {
    amo_parser_error(&p, &all, NULL, "%s while reading this expression",
                     amo_dag_status(d) == AMO_ELIMIT ? "too many operations" : "out of memory");
    return amo_dag_status(d);
  }
  if (p.t.reports > 0 || n == AMO_NODE_NONE) return AMO_EINPUT;
  *out = n;
  return AMO_OK;
}
