// SPDX-License-Identifier: Apache-2.0
// Expressions of columns, evaluated in every row: what plots and studies draw.
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "expr/parse.h"
#include "expr/program.h"
#include "explore/trajectory.h"

typedef struct column_names {
  const amo_trajectory *t;
  const amo_values *v;
} column_names;

/// In path mode a name keeps its indices in the text; only trailing primes are counted apart.
static bool is_name(const amo_name *n, const char *known)
{
  size_t len = strlen(known), primes = (size_t)n->primes;
  if (len != n->length + primes || memcmp(known, n->text, n->length) != 0) return false;
  for (size_t i = n->length; i < len; i++)
    if (known[i] != '\'') return false;
  return true;
}

static amo_node resolve(const amo_scope *s, amo_dag *d, const amo_name *name, bool *reported)
{
  const column_names *n = s->ctx;
  (void)reported;
  for (size_t i = 0; i < n->t->columns; i++)
    if (is_name(name, n->t->column[i].name)) return amo_leaf(d, (uint32_t)i);
  for (size_t i = 0; i < amo_model_parameters(n->v->model); i++)
    if (is_name(name, amo_model_parameter(n->v->model, i).name)) return amo_const(d, n->v->param[i]);
  return AMO_NODE_NONE;
}

static const char *known(const amo_scope *s, size_t i)
{
  const column_names *n = s->ctx;
  if (i < n->t->columns) return n->t->column[i].name;
  i -= n->t->columns;
  return i < amo_model_parameters(n->v->model) ? amo_model_parameter(n->v->model, i).name : NULL;
}

amo_status amo_trajectory_program(const amo_trajectory *t, const amo_values *v, const char *source,
                                  const char *text, amo_diags *diags, amo_prog **out)
{
  column_names n = {t, v};
  amo_scope scope = {.ctx = &n, .resolve = resolve, .known = known, .paths = true};
  amo_node root = AMO_NODE_NONE;
  bool *fixed = amo_zalloc(t->columns, sizeof *fixed);
  amo_dag *d = amo_dag_new(0);
  amo_at at = {amo_diags_source(diags, source, text, strlen(text)), 1, 1, 0};
  amo_status st = d && fixed ? amo_parse(d, text, strlen(text), at, &scope, diags, &root) : AMO_ENOMEM;
  if (st == AMO_OK) st = amo_prog_compile(d, &root, 1, fixed, (uint32_t)t->columns, out);
  amo_dag_free(d);
  free(fixed);
  return st;
}

static amo_status evaluate(const amo_trajectory *t, const amo_prog *p, double *value)
{
  double *reg = amo_zalloc(amo_prog_registers(p), sizeof *reg);
  if (!reg) return AMO_ENOMEM;
  amo_prog_prepare1(p, reg);
  for (size_t r = 0; r < t->rows; r++) {
    for (size_t c = 0; c < t->columns; c++) reg[c] = t->column[c].value[r];
    amo_prog_eval1(p, reg, NULL);
    value[r] = reg[amo_prog_root(p, 0)];
  }
  free(reg);
  return AMO_OK;
}

amo_status amo_trajectory_eval(const amo_trajectory *t, const amo_values *v, const char *text,
                               amo_diags *diags, double *value)
{
  const amo_column *c = amo_trajectory_column(t, text);
  amo_prog *p = NULL;
  if (c) {
    if (t->rows) memcpy(value, c->value, t->rows * sizeof *value);
    return AMO_OK;
  }
  amo_status st = amo_trajectory_program(t, v, text, text, diags, &p);
  if (st == AMO_OK) st = evaluate(t, p, value);
  amo_prog_free(p);
  return st;
}

char *amo_trajectory_label(const amo_trajectory *t, const char *text)
{
  amo_text label = {0};
  const amo_column *c = amo_trajectory_column(t, text);
  amo_text_str(&label, text);
  if (c && *c->unit) amo_text_printf(&label, " [%s]", c->unit);
  return amo_text_take(&label);
}
