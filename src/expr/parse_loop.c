// SPDX-License-Identifier: Apache-2.0
/// sum(i=1..N, body) and product(...). The body is read once for every value of i, because the names
/// in it mean something else each time; the reader simply goes back to where the body begins.
#include <stdlib.h>

#include "expr/integer.h"
#include "expr/parse_impl.h"

static bool expect(amo_parser *p, amo_token_kind kind, const char *what)
{
  amo_lex(&p->t, &p->tok);
  if (p->tok.kind == kind) return true;
  if (p->tok.kind != AMO_T_BAD)
    amo_parser_error(p, &p->tok, "the form is sum(i=1..N, expression)", "expected %s", what);
  p->stop = true;
  return false;
}

static bool read_range(amo_parser *p, amo_loop *l, const amo_token *name)
{
  const amo_integers names = {.ctx = p, .lookup = amo_bound_integer};
  long count = 0;
  if (!expect(p, AMO_T_NAME, "the variable of the sum")) return false;
  l->name = p->tok.offset;
  l->name_length = p->tok.length;
  if (!expect(p, AMO_T_ASSIGN, "'=' after the variable of the sum")) return false;
  if (!amo_read_integer(&p->t, &names, &l->i)) return false;
  if (!expect(p, AMO_T_RANGE, "'..' between the ends of the range")) return false;
  if (!amo_read_integer(&p->t, &names, &l->hi)) return false;
  if (!expect(p, AMO_T_COMMA, "',' after the range")) return false;
  if (l->hi >= l->i && (__builtin_sub_overflow(l->hi, l->i, &count) || count >= AMO_MAX_TERMS)) {
    amo_parser_error(p, name, NULL, "more than %ld terms", AMO_MAX_TERMS);
    return false;
  }
  l->body = p->t.pos;
  return true;
}

// An empty range: step over the body, which may not even make sense for any i.
static void skip_body(amo_parser *p, const amo_token *name, amo_node empty)
{
  int depth = 1;
  while (depth > 0) {
    amo_next(p);
    if (p->stop) return;
    if (p->tok.kind == AMO_T_END) {
      amo_parser_error(p, name, NULL, "missing ')': this bracket is never closed");
      p->stop = true;
      return;
    }
    if (p->tok.kind == AMO_T_OPEN) depth++;
    if (p->tok.kind == AMO_T_CLOSE) depth--;
  }
  amo_push_value(p, empty, false);
  amo_next(p);
}

void amo_loop_open(amo_parser *p, const amo_token *name, bool product)
{
  amo_loop l = {.product = product, .acc = amo_const(p->d, product ? 1.0 : 0.0)};
  l.reports = p->t.reports;
  if (!read_range(p, &l, name)) {
    p->stop = true;
    return;
  }
  if (l.hi < l.i) {
    skip_body(p, name, l.acc);
    return;
  }
  if (p->loops == p->loop_capacity) {
    const size_t capacity = p->loop_capacity ? 2 * p->loop_capacity : 8;
    amo_loop *bigger = realloc(p->loop, capacity * sizeof *bigger);
    if (!bigger) {
      p->stop = p->no_memory = true;
      return;
    }
    p->loop = bigger;
    p->loop_capacity = capacity;
  }
  p->loop[p->loops++] = l;
  amo_push_frame(p, (amo_frame){.kind = AMO_F_LOOP, .tok = *name, .base = p->values});
  if (!p->stop) amo_next(p);
}

bool amo_loop_close(amo_parser *p)
{
  amo_loop *l = &p->loop[p->loops - 1];
  const amo_frame *f = &p->frame[p->frames - 1];
  const amo_node term = p->value[p->values - 1].node;
  l->acc = amo_op2(p->d, l->product ? AMO_OP_MUL : AMO_OP_ADD, l->acc, term);
  const bool again = l->i < l->hi && p->t.reports == l->reports;
  if (again && ++p->terms >= AMO_MAX_TERMS) {
    amo_parser_error(p, &f->tok, NULL, "more than %ld terms", AMO_MAX_TERMS);
    p->stop = true;
    return true;
  }
  if (again) {
    p->values--;
    l->i++;
    p->t.pos = l->body;
    amo_next(p);
    return true;
  }
  p->value[p->values - 1] = (amo_value){l->acc, l->acc == AMO_NODE_NONE};
  p->loops--;
  return false;
}
