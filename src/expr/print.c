// SPDX-License-Identifier: Apache-2.0
/// Readable text of an expression. Works on a list of pending pieces instead of recursion, and stops
/// when the text is long enough: a small DAG may stand for an astronomically long formula.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expr/dag_impl.h"

/// P_UNSIGNED: like P_PRODUCT, but the minus of the number that the product begins with is dropped.
enum { P_UNSIGNED = -1, P_SUM = 1, P_PRODUCT, P_FACTOR, P_POWER, P_ATOM };

typedef struct piece {
  const char *text;  // NULL: print `node`, in parentheses if it binds weaker than `prec`
  amo_node node;
  int prec;
} piece;

typedef struct printer {
  const amo_dag *d;
  amo_leaf_namer namer;
  void *ctx;
  char *out;
  size_t length, max;
  piece *todo;  // last one first
  size_t count, capacity;
  bool full, failed;
} printer;

static void put(printer *p, const char *text)
{
  const size_t n = strlen(text);
  if (p->length + n > p->max) {
    p->full = true;
    return;
  }
  memcpy(p->out + p->length, text, n + 1);
  p->length += n;
}

static void push(printer *p, const char *text, amo_node node, int prec)
{
  if (p->count == p->capacity) {
    const size_t capacity = p->capacity ? 2 * p->capacity : 64;
    piece *todo = realloc(p->todo, capacity * sizeof *todo);
    if (!todo) {
      p->failed = true;
      return;
    }
    p->todo = todo;
    p->capacity = capacity;
  }
  p->todo[p->count++] = (piece){text, node, prec};
}

static void put_number(printer *p, double v)
{
  char buf[40];
  for (int digits = 15; digits <= 17; digits++) {  // the shortest that reads back the same
    snprintf(buf, sizeof buf, "%.*g", digits, v);
    if (strtod(buf, NULL) == v) break;
  }
  put(p, buf);
}

static void put_leaf(printer *p, uint32_t leaf)
{
  const char *name = p->namer ? p->namer(p->ctx, leaf) : NULL;
  char buf[24];
  snprintf(buf, sizeof buf, "$%u", (unsigned)leaf);
  put(p, name ? name : buf);
}

static int precedence(const amo_cell *c)
{
  switch (c->op) {
    case AMO_OP_CONST: return c->u.value < 0.0 ? P_PRODUCT : P_ATOM;
    case AMO_OP_ADD:
    case AMO_OP_SUB:
    case AMO_OP_NEG: return P_SUM;
    case AMO_OP_MUL:
    case AMO_OP_DIV: return P_PRODUCT;
    case AMO_OP_SQR:
    case AMO_OP_POW: return P_POWER;
    default: return P_ATOM;
  }
}

static void infix(printer *p, const amo_cell *c, int left, const char *mark, int right)
{
  push(p, NULL, c->u.arg[1], right);
  push(p, mark, AMO_NODE_NONE, 0);
  push(p, NULL, c->u.arg[0], left);
}

/// Does the text of a product begin with a negative number: -9.81*m*y?
static bool has_leading_minus(const printer *p, amo_node n)
{
  const amo_cell *c = &p->d->cell[n];
  while (c->op == AMO_OP_MUL || c->op == AMO_OP_DIV) c = &p->d->cell[c->u.arg[0]];
  return c->op == AMO_OP_CONST && c->u.value < 0.0;
}

/// A term behind a minus. Its own minus turns the sign instead of standing beside it.
static void negated(printer *p, amo_node n, const char *plus, const char *minus)
{
  const amo_cell *c = &p->d->cell[n];
  const bool negative = c->op == AMO_OP_NEG, number = !negative && has_leading_minus(p, n);
  push(p, NULL, negative ? c->u.arg[0] : n, number ? P_UNSIGNED : P_PRODUCT);
  push(p, negative || number ? plus : minus, AMO_NODE_NONE, 0);
}

static void sum(printer *p, const amo_cell *c, bool minus)
{
  const amo_node b = c->u.arg[1];
  const amo_cell *right = &p->d->cell[b];
  if (minus) {
    negated(p, b, " + ", " - ");
  } else if (right->op == AMO_OP_NEG || has_leading_minus(p, b)) {
    const bool negative = right->op == AMO_OP_NEG;
    push(p, NULL, negative ? right->u.arg[0] : b, negative ? P_PRODUCT : P_UNSIGNED);
    push(p, " - ", AMO_NODE_NONE, 0);
  } else {
    push(p, NULL, b, P_SUM);
    push(p, " + ", AMO_NODE_NONE, 0);
  }
  push(p, NULL, c->u.arg[0], P_SUM);
}

static void call(printer *p, const amo_cell *c, const char *name)
{
  push(p, ")", AMO_NODE_NONE, 0);
  for (int i = amo_op_arity((amo_op)c->op) - 1; i >= 0; i--) {
    push(p, NULL, c->u.arg[i], P_SUM);
    push(p, i > 0 ? ", " : "(", AMO_NODE_NONE, 0);
  }
  push(p, name, AMO_NODE_NONE, 0);
}

// a-b > 0 reads better as a > b.
static void comparison(printer *p, const amo_cell *c, const char *mark)
{
  const amo_cell *a = &p->d->cell[c->u.arg[0]];
  const bool difference = a->op == AMO_OP_SUB;
  push(p, ")", AMO_NODE_NONE, 0);
  if (difference)
    push(p, NULL, a->u.arg[1], P_SUM);
  else
    push(p, "0", AMO_NODE_NONE, 0);
  push(p, mark, AMO_NODE_NONE, 0);
  push(p, NULL, difference ? a->u.arg[0] : c->u.arg[0], P_SUM);
  push(p, "(", AMO_NODE_NONE, 0);
}

static void expand(printer *p, const amo_cell *c)
{
  static const char *const name[AMO_OP_COUNT] = {
#define AMO_OP_TEXT(op, arity, text) text,
      AMO_OP_LIST(AMO_OP_TEXT)
#undef AMO_OP_TEXT
  };
  switch (c->op) {
    case AMO_OP_CONST: put_number(p, c->u.value); break;
    case AMO_OP_LEAF: put_leaf(p, c->u.leaf); break;
    case AMO_OP_ADD: sum(p, c, false); break;
    case AMO_OP_SUB: sum(p, c, true); break;
    case AMO_OP_MUL: infix(p, c, P_PRODUCT, "*", P_FACTOR); break;
    case AMO_OP_DIV: infix(p, c, P_PRODUCT, "/", P_FACTOR); break;
    case AMO_OP_POW: infix(p, c, P_ATOM, "^", P_ATOM); break;
    case AMO_OP_SQR:
      push(p, "^2", AMO_NODE_NONE, 0);
      push(p, NULL, c->u.arg[0], P_ATOM);
      break;
    case AMO_OP_NEG: negated(p, c->u.arg[0], "", "-"); break;
    case AMO_OP_POS: comparison(p, c, " > "); break;
    case AMO_OP_NONNEG:
    case AMO_OP_SEAM: comparison(p, c, " >= "); break;
    case AMO_OP_SELECT: call(p, c, "if"); break;
    default: call(p, c, name[c->op]); break;
  }
}

/// A sum of many terms is walked through from its last one; of far more than there is room for, the first are left out.
static bool too_deep(const printer *p)
{
  return p->count > 10 * p->max;
}

static void print_next(printer *p)
{
  const piece x = p->todo[--p->count];
  if (x.text || too_deep(p)) {
    put(p, x.text ? x.text : "...");
    return;
  }
  const amo_cell *c = &p->d->cell[x.node];
  if (x.prec == P_UNSIGNED) {
    if (c->op == AMO_OP_CONST)
      put_number(p, -c->u.value);
    else
      infix(p, c, P_UNSIGNED, c->op == AMO_OP_MUL ? "*" : "/", P_FACTOR);
    return;
  }
  if (precedence(c) < x.prec) {
    push(p, ")", AMO_NODE_NONE, 0);
    push(p, NULL, x.node, 0);
    push(p, "(", AMO_NODE_NONE, 0);
    return;
  }
  expand(p, c);
}

char *amo_node_text(const amo_dag *d, amo_node n, amo_leaf_namer namer, void *ctx, size_t max_chars)
{
  printer p = {.d = d, .namer = namer, .ctx = ctx, .max = max_chars ? max_chars : 4096};
  p.out = calloc(p.max + 4, 1);
  if (!p.out) return NULL;
  if (n == AMO_NODE_NONE)
    put(&p, "(none)");
  else
    push(&p, NULL, n, 0);
  while (p.count > 0 && !p.full && !p.failed) print_next(&p);
  free(p.todo);
  if (p.failed) {
    free(p.out);
    return NULL;
  }
  if (p.full) {
    const size_t keep = p.max > 3 ? p.max - 3 : 0;
    if (p.length > keep) p.length = keep;
    memcpy(p.out + p.length, p.max >= 3 ? "..." : "", p.max >= 3 ? 4 : 1);
  }
  return p.out;
}
