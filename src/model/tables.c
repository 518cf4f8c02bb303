// SPDX-License-Identifier: Apache-2.0
/// Definitions that are measured: `pull: {table: {file: pull.csv, columns: [time, force], of: t, interpolation: linear}}`.
/// Between the points of the record lie straight lines, cubic polynomials (the natural spline) or the value before; one switch a point,
/// found by halves. Outside of the record there is no value: a run that leaves it stops there.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/record.h"
#include "model/model.h"
#include "model/keys.h"

enum { MOST_ROWS = 2000 };  // each is a switch of the model: time grows as their square

typedef enum way { LINEAR, CUBIC, HOLD } way;

typedef struct table {
  amo_loader *ld;
  way way;
  amo_node x;             // where it is read
  size_t n;               // points
  const double *at, *is;  // [n]
  double *bend;           // [n] second derivatives of the spline
} table;

/// The natural spline through the points: second derivatives, zero at both ends.
static amo_status bend(table *t)
{
  const size_t n = t->n;
  double *c = t->bend = amo_zalloc(2 * n, sizeof *c), *d = c + n;
  if (c == NULL) return AMO_ENOMEM;
  for (size_t i = 1; i + 1 < n; i++) {  // one sweep: d holds the upper diagonal
    const double left = t->at[i] - t->at[i - 1], right = t->at[i + 1] - t->at[i];
    const double turn = (t->is[i + 1] - t->is[i]) / right - (t->is[i] - t->is[i - 1]) / left;
    const double pivot = 2.0 * (left + right) - left * d[i - 1];
    d[i] = right / pivot;
    c[i] = (6.0 * turn - left * c[i - 1]) / pivot;
  }
  if (n > 1) c[n - 1] = 0.0;
  for (size_t i = n - 1; i-- > 1;) c[i] -= d[i] * c[i + 1];
  return AMO_OK;
}

/// Between points i and i + 1, as a polynomial of the way from point i.
static amo_node piece(const table *t, size_t i)
{
  amo_dag *d = t->ld->dag;
  const double h = t->at[i + 1] - t->at[i], rise = (t->is[i + 1] - t->is[i]) / h;
  const amo_node s = amo_sub(d, t->x, amo_const(d, t->at[i])), first = amo_const(d, t->is[i]);
  if (t->way == HOLD) return first;
  if (t->way == LINEAR) return amo_add(d, first, amo_mul(d, amo_const(d, rise), s));
  const double m0 = t->bend[i], m1 = t->bend[i + 1];
  const double a[3] = {rise - h * (2.0 * m0 + m1) / 6.0, 0.5 * m0, (m1 - m0) / (6.0 * h)};
  amo_node sum = amo_const(d, a[2]);
  for (int k = 1; k >= 0; k--) sum = amo_add(d, amo_const(d, a[k]), amo_mul(d, sum, s));
  return amo_add(d, first, amo_mul(d, sum, s));
}

/// a >= b. What passes continuously from piece to piece is no event of its own.
static amo_node not_below(const table *t, amo_node a, amo_node b)
{
  return amo_op1(t->ld->dag, t->way == HOLD ? AMO_OP_NONNEG : AMO_OP_SEAM, amo_sub(t->ld->dag, a, b));
}

/// Between points lo and hi.
static amo_node between(const table *t, size_t lo, size_t hi)
{
  if (hi - lo == 1) return piece(t, lo);
  const size_t middle = (lo + hi) / 2;
  const amo_node beyond = not_below(t, t->x, amo_const(t->ld->dag, t->at[middle]));
  return amo_select(t->ld->dag, beyond, between(t, middle, hi), between(t, lo, middle));
}

/// A root that has no value outside of the record.
static amo_node whole(const table *t)
{
  amo_dag *d = t->ld->dag;
  const amo_node first = amo_const(d, t->at[0]), last = amo_const(d, t->at[t->n - 1]);
  const amo_node before = amo_op1(d, AMO_OP_SQRT, amo_sub(d, t->x, first));
  const amo_node after = amo_op1(d, AMO_OP_SQRT, amo_sub(d, last, t->x));
  const amo_node inside = amo_select(d, not_below(t, last, t->x), between(t, 0, t->n - 1), after);
  return amo_select(d, not_below(t, t->x, first), inside, before);
}

static amo_status check_rows(const table *t, const char *path, const char *column, amo_at at)
{
  amo_diags *diags = t->ld->diags;
  if (t->n < 2) return amo_error(diags, at, NULL, "%s has %zu rows: a table needs two", path, t->n);
  if (t->n > MOST_ROWS)
    return amo_error(diags, at, "take every tenth row, say", "%s has %zu rows, and a table at most %d", path,
                     t->n, MOST_ROWS);
  for (size_t i = 1; i < t->n; i++)
    if (!(t->at[i - 1] < t->at[i]))
      return amo_error(diags, at, NULL,
                       "column '%s' of %s must grow from row to row, but %.12g follows %.12g", column, path,
                       t->at[i], t->at[i - 1]);
  return AMO_OK;
}

/// Files lie beside the model that names them.
static const char *path_of(amo_loader *ld, const amo_yaml *file)
{
  const char *model = file->at.file, *slash = model ? strrchr(model, '/') : NULL;
  if (file->text[0] == '/' || slash == NULL) return file->text;
  return amo_arena_printf(&ld->arena, "%.*s/%s", (int)(slash - model), model, file->text);
}

static amo_status read_columns(amo_loader *ld, const amo_yaml *n, const char *column[2])
{
  if (!amo_yaml_is(n, AMO_YAML_LIST) || n->count != 2)
    return amo_error(ld->diags, amo_yaml_at(n), "columns: [time, force]",
                     "columns of a table: first where, then what");
  size_t i = 0;
  amo_status st = AMO_OK;
  for (const amo_yaml *c = n->first; st == AMO_OK && c; c = c->next)
    st = amo_yaml_string(c, "a column", ld->diags, &column[i++]);
  return st;
}

static amo_status build(table *t, const amo_yaml *node, amo_node *out)
{
  static const char *const ways[] = {"linear", "cubic", "hold", NULL};
  amo_loader *ld = t->ld;
  const amo_yaml *file = amo_yaml_get(node, "file"), *how = amo_yaml_get(node, "interpolation");
  const char *column[2] = {"", ""}, *path = NULL;
  amo_record record = {0};
  int chosen = LINEAR;
  amo_status st = amo_yaml_expect(file, AMO_YAML_SCALAR, "file of a table", ld->diags);
  if (st == AMO_OK) st = read_columns(ld, amo_yaml_get(node, "columns"), column);
  if (st == AMO_OK) st = amo_yaml_choice(how, "interpolation of a table", ways, ld->diags, &chosen);
  if (st == AMO_OK && (path = path_of(ld, file)) == NULL) st = AMO_ENOMEM;
  if (st == AMO_OK) st = amo_record_read(path, column, 2, file->at, NULL, ld->diags, &record);
  if (st == AMO_EIO || st == AMO_ELIMIT)
    (void)amo_error(ld->diags, file->at, "it is looked for beside the model", "the table cannot be read");
  t->way = (way)chosen;
  t->n = record.rows;
  t->at = record.value;
  t->is = record.value + record.rows;
  if (st == AMO_OK) st = check_rows(t, path, column[0], file->at);
  if (st == AMO_OK && t->way == CUBIC) st = bend(t);
  if (st == AMO_OK) *out = whole(t);
  free(t->bend);
  amo_record_free(&record);
  return st;
}

amo_node amo_load_table(amo_loader *ld, const amo_yaml *node, amo_node of)
{
  static const char *const keys[] = {"file", "columns", "of", "interpolation", NULL};
  table t = {.ld = ld, .x = of};
  amo_node out = AMO_NODE_NONE;
  amo_status st = amo_yaml_only_of(node, "table", amo_model_keys, "definitions.NAME.table", ld->diags);
  for (const char *const *key = keys; st == AMO_OK && *key; key++)
    if (!amo_yaml_get(node, *key))
      st = amo_error(ld->diags, amo_yaml_at(node),
                     "table: {file: pull.csv, columns: [time, force], of: t, interpolation: linear}",
                     "the table has no '%s'", *key);
  if (st == AMO_OK) st = build(&t, node, &out);
  if (st != AMO_OK) amo_load_fail(ld, st);
  return out;
}
