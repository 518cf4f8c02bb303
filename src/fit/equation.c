// SPDX-License-Identifier: Apache-2.0
#include "fit/equation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "expr/parse.h"
#include "expr/program.h"
#include "num/bracket.h"

struct amo_equation {
  amo_arena memory;
  amo_equation_names given;
  const char *text;
  const char *name[AMO_EQUATION_UNKNOWNS];
  size_t n;
  amo_dag *dag;
  amo_node left, right;
  bool *uses, *right_uses;  // [columns]
  bool linear[AMO_EQUATION_UNKNOWNS];
  amo_prog
      *prog;    // roots: left, right, derivatives of right by the unknowns, then by the columns that it uses
  double *reg;  // [registers][AMO_LANES]
  bool measured;  // the left side is being read: it holds no unknown
};

// Leaves: columns, then unknowns.
static uint32_t leaf_of(const amo_equation *r, size_t unknown)
{
  return (uint32_t)(r->given.columns + unknown);
}

static bool is_name(const amo_name *n, const char *known)
{
  return !n->primes && !n->indices && strlen(known) == n->length && !memcmp(known, n->text, n->length);
}

static amo_node resolve(const amo_scope *s, amo_dag *d, const amo_name *name, bool *reported)
{
  amo_equation *r = s->ctx;
  (void)reported;
  if (name->primes || name->indices) return AMO_NODE_NONE;
  for (size_t i = 0; i < r->given.columns; i++)
    if (is_name(name, r->given.column[i])) return amo_leaf(d, (uint32_t)i);
  for (size_t i = 0; i < r->given.sets; i++)
    if (is_name(name, r->given.set[i])) return amo_const(d, r->given.set_value[i]);
  for (size_t i = 0; i < r->n; i++)
    if (is_name(name, r->name[i])) return amo_leaf(d, leaf_of(r, i));
  if (r->given.unknowns || r->measured || r->n == AMO_EQUATION_UNKNOWNS) return AMO_NODE_NONE;
  if ((r->name[r->n] = amo_arena_str(&r->memory, name->text, name->length)) == NULL) return AMO_NODE_NONE;
  return amo_leaf(d, leaf_of(r, r->n++));
}

static const char *known(const amo_scope *s, size_t i)
{
  const amo_equation *r = s->ctx;
  if (i < r->given.columns) return r->given.column[i];
  i -= r->given.columns;
  if (i < r->given.sets) return r->given.set[i];
  i -= r->given.sets;
  return i < r->n ? r->name[i] : NULL;
}

static bool integer(const amo_scope *s, const char *text, size_t length, long *value)
{
  (void)s, (void)text, (void)length, (void)value;
  return false;
}

/// Both sides of the equality sign.
static amo_status parse_sides(amo_equation *r, amo_diags *diags)
{
  const amo_scope scope = {.ctx = r, .resolve = resolve, .known = known, .integer = integer};
  const char *equal = strchr(r->text, '=');
  amo_at at = {amo_diags_source(diags, "relation", r->text, strlen(r->text)), 1, 1, 1};
  if (equal == NULL || strchr(equal + 1, '=') != NULL)
    return amo_error(diags, at, "for example F = F0 + A*exp(-beta*f)",
                     "a relation has one equality sign, not '%s'", r->text);
  r->measured = true;
  amo_status st = amo_parse(r->dag, r->text, (size_t)(equal - r->text), at, &scope, diags, &r->left);
  r->measured = false;
  at.column = (int)(equal - r->text) + 2;
  if (st == AMO_OK) st = amo_parse(r->dag, equal + 1, strlen(equal + 1), at, &scope, diags, &r->right);
  return st;
}

/// The largest set, in their order, in which the right side is linear.
static void find_linear(amo_equation *r)
{
  for (size_t i = 0; i < r->n; i++) {
    const amo_node slope = amo_diff(r->dag, r->right, leaf_of(r, i));
    bool linear = !amo_node_depends(r->dag, slope, leaf_of(r, i), 1);
    for (size_t k = 0; linear && k < i; k++)
      linear = !r->linear[k] || !amo_node_depends(r->dag, slope, leaf_of(r, k), 1);
    r->linear[i] = linear;
  }
}

static amo_status compile(amo_equation *r)
{
  const uint32_t leaves = leaf_of(r, r->n);
  amo_node *root = amo_zalloc(leaves + 2u, sizeof *root);
  size_t roots = 2;
  if (root == NULL) return AMO_ENOMEM;
  root[0] = r->left, root[1] = r->right;
  for (size_t i = 0; i < r->n; i++) root[roots++] = amo_diff(r->dag, r->right, leaf_of(r, i));
  for (size_t c = 0; c < r->given.columns; c++)
    if (r->right_uses[c]) root[roots++] = amo_diff(r->dag, r->right, (uint32_t)c);
  amo_status st = amo_dag_status(r->dag);
  bool *fixed = amo_zalloc(leaves, sizeof *fixed);
  if (st == AMO_OK && fixed == NULL) st = AMO_ENOMEM;
  if (st == AMO_OK) st = amo_prog_compile(r->dag, root, roots, fixed, leaves, &r->prog);
  free(fixed);
  free(root);
  if (st != AMO_OK) return st;
  r->reg = amo_arena_alloc(&r->memory, (size_t)amo_prog_registers(r->prog) * AMO_LANES * sizeof *r->reg);
  if (r->reg == NULL) return AMO_ENOMEM;
  amo_prog_prepare8(r->prog, r->reg);
  return AMO_OK;
}

amo_status amo_equation_new(const char *text, const amo_equation_names *names, amo_diags *diags,
                            amo_equation **out)
{
  *out = NULL;
  amo_equation *r = amo_zalloc(1, sizeof *r);
  if (r == NULL) return AMO_ENOMEM;
  r->given = *names;
  r->text = amo_arena_str(&r->memory, text, strlen(text));
  r->dag = amo_dag_new(0);
  r->uses = amo_arena_alloc(&r->memory, names->columns + 1);
  r->right_uses = amo_arena_alloc(&r->memory, names->columns + 1);
  amo_status st = r->text && r->dag && r->uses && r->right_uses ? AMO_OK : AMO_ENOMEM;
  for (size_t i = 0; st == AMO_OK && i < names->unknowns; i++) r->name[r->n++] = names->unknown[i];
  if (st == AMO_OK) st = parse_sides(r, diags);
  for (size_t i = 0; st == AMO_OK && i < names->columns; i++) {
    r->right_uses[i] = amo_node_depends(r->dag, r->right, (uint32_t)i, 1);
    r->uses[i] = r->right_uses[i] || amo_node_depends(r->dag, r->left, (uint32_t)i, 1);
  }
  if (st == AMO_OK) find_linear(r);
  if (st == AMO_OK) st = compile(r);
  if (st == AMO_OK)
    *out = r;
  else
    amo_equation_free(r);
  return st;
}

void amo_equation_free(amo_equation *r)
{
  if (r == NULL) return;
  amo_prog_free(r->prog);
  amo_dag_free(r->dag);
  amo_arena_free(&r->memory);
  free(r);
}

size_t amo_equation_unknowns(const amo_equation *r)
{
  return r->n;
}

const char *const *amo_equation_names_of(const amo_equation *r)
{
  return r->name;
}

const char *amo_equation_text(const amo_equation *r)
{
  return r->text;
}

const char *amo_equation_column(const amo_equation *r, size_t column)
{
  return column < r->given.columns ? r->given.column[column] : NULL;
}

bool amo_equation_uses(const amo_equation *r, size_t column)
{
  return r->uses[column];
}

bool amo_equation_right_uses(const amo_equation *r, size_t column)
{
  return r->right_uses[column];
}

bool amo_equation_is_linear(const amo_equation *r, size_t unknown)
{
  return r->linear[unknown];
}

/// Roots of the program for all rows, to[k] of root first + k.
static amo_status evaluate_roots(amo_equation *r, const amo_equation_rows *t, const double *p, size_t first,
                                 double *const *to, size_t roots)
{
  double *reg = r->reg;
  bool finite = true;
  for (size_t i = 0; i < r->n; i++)
    for (int l = 0; l < AMO_LANES; l++) reg[leaf_of(r, i) * AMO_LANES + (uint32_t)l] = p[i];
  for (size_t row = 0; row < t->rows && finite; row += AMO_LANES) {
    const size_t lanes = t->rows - row < AMO_LANES ? t->rows - row : AMO_LANES;
    for (size_t c = 0; c < r->given.columns; c++)
      for (size_t l = 0; r->uses[c] && l < AMO_LANES; l++)
        reg[c * AMO_LANES + l] = t->value[c * t->rows + row + (l < lanes ? l : lanes - 1)];
    amo_prog_eval8(r->prog, reg, NULL);
    for (size_t k = 0; k < roots; k++) {
      const double *from = reg + (size_t)amo_prog_root(r->prog, first + k) * AMO_LANES;
      for (size_t l = 0; to[k] && l < lanes; l++) {
        to[k][row + l] = from[l];
        finite &= isfinite(from[l]) != 0;
      }
    }
  }
  return finite ? AMO_OK : AMO_ENOANSWER;
}

amo_status amo_equation_evaluate(amo_equation *r, const amo_equation_rows *t, const double *p, double *left,
                                 double *right, double *gradient)
{
  double *to[AMO_EQUATION_UNKNOWNS + 2] = {left, right};
  for (size_t i = 0; gradient && i < r->n; i++) to[2 + i] = gradient + i * t->rows;
  return evaluate_roots(r, t, p, 0, to, r->n + 2);
}

amo_status amo_equation_slope(amo_equation *r, const amo_equation_rows *t, const double *p, size_t column,
                              double *slope)
{
  size_t root = r->n + 2;
  for (size_t c = 0; c < column; c++) root += r->right_uses[c];
  return evaluate_roots(r, t, p, root, (double *const[]){slope}, 1);
}

// ---- predictions ----

typedef struct implicit {
  amo_prog *prog;  // roots: right - left, its derivatives by the unknowns, and by the quantity itself
  double *reg;
  uint32_t own;  // leaf of the quantity
} implicit;

static double look(implicit *q, double x)
{
  q->reg[q->own] = x;
  amo_prog_eval1(q->prog, q->reg, NULL);
  return q->reg[amo_prog_root(q->prog, 0)];
}

/// A root of right(x) - x: the first change of sign on a scale from small to large, positive values first.
static bool solve(implicit *q, double *x)
{
  for (int sign = 1; sign >= -1; sign -= 2) {
    double a = 0, fa = look(q, 0);
    if (fa == 0) return *x = 0, true;
    for (int k = -160; k <= 160; k++) {
      const double b = sign * pow(10, 0.125 * k), fb = look(q, b);
      if (isfinite(fa) && isfinite(fb) && (fa > 0) != (fb > 0)) {
        amo_zero z = a < b ? (amo_zero){.a = a, .b = b, .fa = fa, .fb = fb}
                           : (amo_zero){.a = b, .b = a, .fa = fb, .fb = fa};
        for (int i = 0; i < 200 && amo_zero_next(&z, x); i++) {
          const double f = look(q, *x);
          if (f == 0) break;
          amo_zero_take(&z, *x, f);
        }
        return true;
      }
      a = b, fa = fb;
    }
  }
  return false;
}

static amo_status prepare(implicit *q, amo_equation *r, uint32_t own)
{
  amo_node root[AMO_EQUATION_UNKNOWNS + 2];
  const uint32_t leaves = leaf_of(r, r->n);
  q->own = own;
  root[0] = amo_sub(r->dag, r->right, amo_leaf(r->dag, own));
  for (size_t i = 0; i < r->n; i++) root[1 + i] = amo_diff(r->dag, root[0], leaf_of(r, i));
  root[1 + r->n] = amo_diff(r->dag, root[0], own);
  bool fixed[2 * AMO_EQUATION_UNKNOWNS] = {false};
  amo_status st = amo_dag_status(r->dag);
  if (st == AMO_OK) st = amo_prog_compile(r->dag, root, r->n + 2, fixed, leaves, &q->prog);
  if (st == AMO_OK && (q->reg = amo_zalloc(amo_prog_registers(q->prog), sizeof *q->reg)) == NULL)
    st = AMO_ENOMEM;
  return st;
}

static amo_status evaluate(implicit *q, const amo_equation *r, bool explicit_, const double *p,
                           const double *covariance, const char *text, amo_diags *diags, amo_prediction *out)
{
  const size_t n = r->n;
  for (size_t i = 0; i < n; i++) q->reg[leaf_of(r, i)] = p[i];
  amo_prog_prepare1(q->prog, q->reg);
  out->value = explicit_ ? look(q, 0) : NAN;
  if ((!explicit_ && !solve(q, &out->value)) || !isfinite(out->value))
    return amo_error(diags, (amo_at){0}, NULL, "the prediction '%s' has no value", text), AMO_ENOANSWER;
  (void)look(q, out->value);
  const double own = explicit_ ? -1 : q->reg[amo_prog_root(q->prog, 1 + n)];
  double variance = 0;
  for (size_t i = 0; i < n; i++) out->gradient[i] = -q->reg[amo_prog_root(q->prog, 1 + i)] / own;
  for (size_t i = 0; covariance && i < n; i++)
    for (size_t k = 0; k < n; k++)
      if (out->gradient[i] != 0 && out->gradient[k] != 0)
        variance += out->gradient[i] * covariance[i * n + k] * out->gradient[k];
  out->se = covariance ? sqrt(variance) : NAN;
  return AMO_OK;
}

amo_status amo_predict(const char *text, const amo_equation_names *names, const double *p,
                       const double *covariance, amo_diags *diags, amo_prediction *out)
{
  const char *own[1] = {out->name};
  const char *equal = strchr(text, '=');
  size_t n = equal ? (size_t)(equal - text) : 0;
  while (n > 0 && text[n - 1] == ' ') n--;
  while (n > 0 && *text == ' ') text++, n--;
  if (n == 0 || n >= sizeof out->name)
    return amo_error(diags, (amo_at){0}, "for example v_m = 2*A/c",
                     "a prediction is written NAME = EXPRESSION, not '%s'", text);
  memset(out, 0, sizeof *out);
  memcpy(out->name, text, n);
  amo_equation_names mine = *names;  // the quantity itself is the only column
  mine.column = own, mine.columns = 1;
  amo_equation *r = NULL;
  implicit q = {0};
  amo_status st = amo_equation_new(text, &mine, diags, &r);
  if (st == AMO_OK) st = prepare(&q, r, 0);
  if (st == AMO_OK) st = evaluate(&q, r, !r->right_uses[0], p, covariance, text, diags, out);
  amo_prog_free(q.prog);
  free(q.reg);
  amo_equation_free(r);
  return st;
}
