// SPDX-License-Identifier: Apache-2.0
#include "orbit/invariance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static const double NOTHING = AMO_FAINT;  // of the largest part of a form: rounding of its coefficients

// ---- reduced forms ----

static bool echelon_make(amo_echelon *e, size_t columns)
{
  *e = (amo_echelon){.columns = columns,
                     .row = amo_zalloc(columns * columns, sizeof *e->row),
                     .row_of = amo_zalloc(columns, sizeof *e->row_of)};
  for (size_t c = 0; e->row_of && c < columns; c++) e->row_of[c] = -1;
  return e->row && e->row_of;
}

static void subtract(double *a, double factor, const double *b, size_t n)
{
  for (size_t i = 0; i < n; i++) a[i] -= factor * b[i];
}

/// One form more; `form` is scratch. Its own column is the first in which it is not nothing.
static void echelon_add(amo_echelon *e, double *form)
{
  const size_t n = e->columns;
  double size = 0.0;
  size_t own = 0;
  if (e->rank == n) return;
  for (size_t c = 0; c < n; c++) size = fmax(size, fabs(form[c]));
  for (size_t c = 0; c < n; c++)
    if (form[c] != 0.0 && e->row_of[c] >= 0) subtract(form, form[c], e->row + (size_t)e->row_of[c] * n, n);
  while (own < n && !(fabs(form[own]) > NOTHING * size)) own++;
  if (own == n) return;
  double *mine = e->row + e->rank * n;
  for (size_t c = own; c < n; c++) mine[c] = fabs(form[c]) > NOTHING * size ? form[c] / form[own] : 0.0;
  for (size_t r = 0; r < e->rank; r++) subtract(e->row + r * n, e->row[r * n + own], mine, n);
  e->row_of[own] = (long)e->rank++;
}

double amo_echelon_null(const amo_echelon *e, size_t own, size_t c)
{
  if (e->row_of[c] < 0) return c == own;
  const double x = e->row[(size_t)e->row_of[c] * e->columns + own];
  return x == 0.0 ? 0.0 : -x;
}

// ---- through the expressions ----

/// What is known of a node: a number, a form plus what does not change along with it, or (neither) just some value.
typedef struct shape {
  double number;  // NaN: none
  double *form;   // [columns]; NULL: none
} shape;

typedef struct reading {
  const amo_model *m;
  const double *param;
  amo_invariance *v;
  bool *used;    // [nodes]
  shape *shape;  // [nodes]
  double *work;  // [columns]
  bool failed;
} reading;

static void hold(reading *r, const double *form)
{
  const size_t n = r->v->all.columns;
  if (!form) return;
  memcpy(r->work, form, n * sizeof *form);
  echelon_add(&r->v->held, r->work);
  memcpy(r->work, form, n * sizeof *form);
  echelon_add(&r->v->all, r->work);
}

static void turn(reading *r, const double *form)
{
  amo_invariance *v = r->v;
  const size_t n = v->all.columns;
  double *grown = amo_grow(v->wave, &v->capacity, (v->waves + 1) * n, sizeof *grown);
  if (!grown) {
    r->failed = true;
    return;
  }
  v->wave = grown;
  memcpy(v->wave + v->waves++ * n, form, n * sizeof *form);
  memcpy(r->work, form, n * sizeof *form);
  echelon_add(&v->all, r->work);
}

/// a x + b y as a form of node n; nothing where all of it cancels.
static void combine(reading *r, amo_node n, double a, const double *x, double b, const double *y)
{
  const size_t columns = r->v->all.columns;
  double *form = amo_zalloc(columns, sizeof *form);
  bool any = false;
  if (!form) {
    r->failed = true;
    return;
  }
  for (size_t c = 0; c < columns; c++) {
    const double p = x ? a * x[c] : 0.0, q = y ? b * y[c] : 0.0;
    form[c] = fabs(p + q) > NOTHING * fmax(fabs(p), fabs(q)) ? p + q : 0.0;
    any |= form[c] != 0.0;
  }
  if (any)
    r->shape[n].form = form;
  else
    free(form);
}

static void read_leaf(reading *r, amo_node n, uint32_t leaf)
{
  const amo_leaves *l = &r->m->leaf;
  const uint32_t nq = r->m->nq, nz = r->m->nz;
  size_t column = SIZE_MAX;
  if (leaf - l->param < r->m->np && leaf >= l->param) r->shape[n].number = r->param[leaf - l->param];
  if (leaf >= l->q && leaf - l->q < nq) column = leaf - l->q;
  if (leaf >= l->z && leaf - l->z < nz) column = nq + (leaf - l->z);
  if (leaf == l->t) column = nq + nz;
  if (column == SIZE_MAX) return;
  r->shape[n].form = amo_zalloc(r->v->all.columns, sizeof(double));
  if (r->shape[n].form)
    r->shape[n].form[column] = 1.0;
  else
    r->failed = true;
}

static double number_of(amo_op op, double a, double b)
{
  switch (op) {
    case AMO_OP_ADD: return a + b;
    case AMO_OP_SUB: return a - b;
    case AMO_OP_MUL: return a * b;
    case AMO_OP_DIV: return a / b;
    case AMO_OP_NEG: return -a;
    case AMO_OP_SQR: return a * a;
    case AMO_OP_SQRT: return sqrt(a);
    case AMO_OP_POW: return pow(a, b);
    case AMO_OP_SIN: return sin(a);
    case AMO_OP_COS: return cos(a);
    default: return NAN;
  }
}

/// A sum, or a multiple by a number, has a form again.
static bool stays_linear(reading *r, amo_node n, amo_op op, const shape *a, const shape *b)
{
  if (op == AMO_OP_ADD)
    combine(r, n, 1.0, a->form, 1.0, b->form);
  else if (op == AMO_OP_SUB)
    combine(r, n, 1.0, a->form, -1.0, b->form);
  else if (op == AMO_OP_NEG)
    combine(r, n, -1.0, a->form, 0.0, NULL);
  else if (op == AMO_OP_MUL && isfinite(a->number))
    combine(r, n, a->number, b->form, 0.0, NULL);
  else if (op == AMO_OP_MUL && isfinite(b->number))
    combine(r, n, b->number, a->form, 0.0, NULL);
  else if (op == AMO_OP_DIV && isfinite(b->number) && b->number != 0.0)
    combine(r, n, 1.0 / b->number, a->form, 0.0, NULL);
  else
    return false;
  return true;
}

static void read_node(reading *r, amo_node n)
{
  const amo_dag *d = r->m->dag;
  const amo_op op = amo_node_op(d, n);
  const int args = amo_equations_arity(d, n);
  uint32_t leaf = 0;
  shape arg[3] = {{NAN, NULL}, {NAN, NULL}, {NAN, NULL}};
  bool forms = false;
  r->shape[n] = (shape){NAN, NULL};
  if (amo_node_const(d, n, &r->shape[n].number)) return;
  if (amo_node_leaf(d, n, &leaf)) {
    read_leaf(r, n, leaf);
    return;
  }
  for (int i = 0; i < args; i++) {
    arg[i] = r->shape[amo_node_arg(d, n, i)];
    forms |= arg[i].form != NULL;
  }
  if (!forms)
    r->shape[n].number = number_of(op, arg[0].number, arg[1].number);
  else if (!stays_linear(r, n, op, &arg[0], &arg[1])) {
    const bool wave = op == AMO_OP_SIN || op == AMO_OP_COS || op == AMO_OP_TAN;
    if (wave) turn(r, arg[0].form);
    for (int i = 0; !wave && i < args; i++) hold(r, arg[i].form);
  }
}

/// Arguments have smaller numbers than their users: one sweep down for what is needed, one up for what it is.
static void read_all(reading *r)
{
  const amo_dag *d = r->m->dag;
  const amo_node size = (amo_node)amo_dag_size(d);
  bool *root = r->used + size + 1;
  amo_equations_mark(r->m, root);
  memcpy(r->used, root, (size_t)size + 1);
  for (amo_node n = size; n > 0; n--)
    for (int i = 0; r->used[n] && i < amo_equations_arity(d, n); i++) r->used[amo_node_arg(d, n, i)] = true;
  for (amo_node n = 1; n <= size && !r->failed; n++) {
    if (!r->used[n]) continue;
    read_node(r, n);
    if (root[n]) hold(r, r->shape[n].form);
    if (r->v->held.rank == r->v->held.columns) return;  // nothing can be shifted
  }
}

amo_status amo_invariance_find(const amo_model *m, const double *param, amo_invariance *v)
{
  const size_t columns = (size_t)m->nq + m->nz + 1, size = amo_dag_size(m->dag) + 1;
  *v = (amo_invariance){0};
  bool ok = echelon_make(&v->held, columns);
  ok = echelon_make(&v->all, columns) && ok;
  reading r = {.m = m, .param = param, .v = v, .used = amo_zalloc(2 * size, sizeof(bool))};
  r.shape = amo_zalloc(size, sizeof *r.shape);
  r.work = amo_zalloc(columns, sizeof *r.work);
  ok = ok && r.used && r.shape && r.work;
  if (ok) read_all(&r);
  for (size_t n = 0; r.shape && n < size; n++) free(r.shape[n].form);
  free(r.used);
  free(r.shape);
  free(r.work);
  return ok && !r.failed ? AMO_OK : AMO_ENOMEM;
}

void amo_invariance_free(amo_invariance *v)
{
  free(v->held.row);
  free(v->held.row_of);
  free(v->all.row);
  free(v->all.row_of);
  free(v->wave);
}
