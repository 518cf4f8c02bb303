// SPDX-License-Identifier: Apache-2.0
/// Parameters: numbers, or expressions of other parameters; values and their bounds.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"

static const char *own_text(amo_loader *ld, const amo_lazy *l, const char *key)
{
  const amo_yaml *n = amo_yaml_get(l->bounds, key);
  const char *s = "";
  if (n && amo_yaml_string(n, key, ld->diags, &s) != AMO_OK) amo_load_fail(ld, AMO_EINPUT);
  return s;
}

static void parse_all(amo_loader *ld)
{
  amo_model *m = ld->m;
  for (uint32_t k = 0; k < m->np; k++) {
    amo_lazy *l = &ld->params.item[k];
    amo_node v = amo_lazy_value(ld, l);
    double number = 0.0;
    if (v != AMO_NODE_NONE && !amo_node_const(ld->dag, v, &number)) m->param[k].expr = v;
    m->file.param[k] = number;
    if (!amo_sym_make(&m->param[k].sym, l->name, own_text(ld, l, "unit"), own_text(ld, l, "doc")))
      amo_load_fail(ld, AMO_ENOMEM);
  }
}

/// Derived values by one program over the plain ones.
static amo_status derive(amo_loader *ld)
{
  amo_model *m = ld->m;
  amo_node *root = amo_zalloc(m->np, sizeof *root);
  double *value = amo_zalloc(m->np, sizeof *value);
  double *leaf = amo_zalloc(ld->inner.count, sizeof *leaf);
  size_t n = 0;
  amo_status st = root && value && leaf ? AMO_OK : AMO_ENOMEM;
  for (uint32_t k = 0; st == AMO_OK && k < m->np; k++) {
    leaf[m->leaf.param + k] = m->file.param[k];
    if (m->param[k].expr != AMO_NODE_NONE) root[n++] = m->param[k].expr;
  }
  if (st == AMO_OK && n) st = amo_constant_values(ld->dag, root, n, leaf, ld->inner.count, value);
  n = 0;
  for (uint32_t k = 0; st == AMO_OK && k < m->np; k++)
    if (m->param[k].expr != AMO_NODE_NONE) m->file.param[k] = value[n++];
  free(root);
  free(value);
  free(leaf);
  return st;
}

/// root: [4 np] scratch. Bounds of all parameters, numbers or expressions of parameters: [2 k] least, [2 k + 1] largest.
static void read_bounds(amo_loader *ld, amo_node *root, double *bound)
{
  static const char *const key[2] = {"min", "max"};
  size_t n = 0, np = ld->m->np;
  double *leaf = amo_zalloc(ld->inner.count, sizeof *leaf);
  amo_node *given = root + 2 * np;
  if (leaf && np) memcpy(leaf + ld->m->leaf.param, ld->m->file.param, np * sizeof *leaf);
  for (size_t i = 0; i < 2 * np; i++) {
    const amo_lazy *l = &ld->params.item[i / 2];
    const amo_yaml *node = amo_yaml_get(l->bounds, key[i % 2]);
    amo_expr_in in = {.what = key[i % 2], .index = l->index, .i = l->i};
    amo_node v = node ? amo_load_expr(ld, node, &in) : AMO_NODE_NONE;
    bound[i] = i % 2 ? INFINITY : -INFINITY;
    root[i] = v;
    if (v != AMO_NODE_NONE) given[n++] = v;
  }
  double *value = amo_zalloc(n, sizeof *value);
  amo_status st = leaf && value ? AMO_OK : AMO_ENOMEM;
  if (st == AMO_OK && n) st = amo_constant_values(ld->dag, given, n, leaf, ld->inner.count, value);
  n = 0;
  for (size_t i = 0; st == AMO_OK && i < 2 * np; i++)
    if (root[i] != AMO_NODE_NONE) bound[i] = value[n++];
  if (st != AMO_OK) amo_load_fail(ld, st);
  free(value);
  free(leaf);
}

static void check_one(amo_loader *ld, uint32_t k, double least, double most)
{
  const amo_lazy *l = &ld->params.item[k];
  double v = ld->m->file.param[k];
  bool positive = false;
  const amo_yaml *flag = amo_yaml_get(l->bounds, "positive");
  if (!isfinite(v)) {
    amo_load_fail(ld, amo_error(ld->diags, l->at, NULL, "parameter %s is not a finite number", l->name));
    return;
  }
  if (flag && amo_yaml_bool(flag, "positive", ld->diags, &positive) != AMO_OK) amo_load_fail(ld, AMO_EINPUT);
  ld->m->param[k].least = positive ? fmax(least, 0.0) : least;
  ld->m->param[k].most = most;
  if (positive && !(v > 0.0))
    amo_load_fail(ld, amo_error(ld->diags, l->at, NULL, "parameter %s must be > 0, got %g", l->name, v));
  if (!(v >= least))
    amo_load_fail(ld,
                  amo_error(ld->diags, l->at, NULL, "parameter %s must be >= %g, got %g", l->name, least, v));
  if (!(v <= most))
    amo_load_fail(ld,
                  amo_error(ld->diags, l->at, NULL, "parameter %s must be <= %g, got %g", l->name, most, v));
}

static void check_all(amo_loader *ld)
{
  size_t np = ld->m->np;
  amo_node *root = amo_zalloc(4 * np, sizeof *root);
  double *bound = amo_zalloc(2 * np, sizeof *bound);
  if (root && bound) {
    read_bounds(ld, root, bound);
    for (uint32_t k = 0; k < np; k++) check_one(ld, k, bound[2 * k], bound[2 * k + 1]);
  } else {
    amo_load_fail(ld, AMO_ENOMEM);
  }
  free(root);
  free(bound);
}

void amo_load_parameters(amo_loader *ld)
{
  parse_all(ld);
  for (size_t k = 0; k < ld->params.count; k++)  // without every value nothing can be computed
    if (ld->params.item[k].stage != 2) return;
  amo_status st = derive(ld);
  if (st != AMO_OK) amo_load_fail(ld, st);
  if (st == AMO_OK) check_all(ld);
}

void amo_load_definitions(amo_loader *ld)
{
  for (size_t k = 0; k < ld->defs.count; k++)
    amo_lazy_value(ld, &ld->defs.item[k]);  // unused ones are checked too
}
