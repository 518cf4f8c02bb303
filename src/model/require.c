// SPDX-License-Identifier: Apache-2.0
/// `require`: conditions on parameters and the initial state without which the model makes no sense.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/model.h"
#include "model/keys.h"

/// Initial values in the place of states: a condition is then a function of parameters alone, so that it can be
/// asked again for other values (maps, limits).
static amo_node at_start(amo_loader *ld, amo_node n)
{
  const amo_model *m = ld->m;
  amo_node *repl = amo_zalloc(ld->inner.count, sizeof *repl);
  if (!repl) {
    amo_load_fail(ld, AMO_ENOMEM);
    return AMO_NODE_NONE;
  }
  memcpy(repl + m->leaf.q, m->start.state, m->nq * sizeof *repl);
  memcpy(repl + m->leaf.u, m->start.state + m->nq, m->nq * sizeof *repl);
  memcpy(repl + m->leaf.z, m->start.state + 2 * (size_t)m->nq, m->nz * sizeof *repl);
  repl[m->leaf.t] = ld->initial.time;
  amo_node v = amo_subst(ld->dag, amo_load_sub(ld, n), repl, ld->inner.count);
  free(repl);
  return v;
}

static void load_one(amo_loader *ld, const amo_yaml *n)
{
  const amo_yaml *text = n, *message = NULL;
  const char *why = NULL;
  if (n->kind == AMO_YAML_MAP) {
    if (amo_yaml_only_of(n, "a requirement", amo_model_keys, "require[]", ld->diags) != AMO_OK)
      amo_load_fail(ld, AMO_EINPUT);
    text = amo_yaml_get(n, "condition");
    message = amo_yaml_get(n, "message") ? amo_yaml_get(n, "message") : amo_yaml_get(n, "doc");
    if (!text) {
      amo_load_fail(ld, amo_error(ld->diags, n->at, NULL, "a requirement needs a condition"));
      return;
    }
  }
  if (message && amo_yaml_string(message, "message", ld->diags, &why) != AMO_OK)
    amo_load_fail(ld, AMO_EINPUT);
  amo_expr_in in = {.what = "a requirement", .on = AMO_ON_STATE};
  amo_node v = amo_load_expr(ld, text, &in);
  if (v == AMO_NODE_NONE) return;
  if (!strpbrk(text->text, "<>")) {
    amo_load_fail(ld, amo_error(ld->diags, text->at, "write a comparison, as in l > r",
                                "'%.80s' is no condition", text->text));
    return;
  }
  amo_demand d = {.node = v, .start = at_start(ld, v), .text = text->text, .why = why, .at = text->at};
  if (!AMO_ROOM(ld->demands.item, ld->demands.count, ld->demands.cap))
    amo_load_fail(ld, AMO_ENOMEM);
  else
    ld->demands.item[ld->demands.count++] = d;
}

void amo_load_require(amo_loader *ld)
{
  const amo_yaml *list = amo_yaml_get(ld->root, "require");
  if (amo_yaml_is_null(list)) return;
  if (list->kind == AMO_YAML_LIST)
    for (const amo_yaml *n = list->first; n; n = n->next) load_one(ld, n);
  else
    load_one(ld, list);
  amo_model *m = ld->m;
  m->start.require = amo_zalloc(ld->demands.count, sizeof *m->start.require);
  if (!m->start.require) {
    amo_load_fail(ld, AMO_ENOMEM);
    return;
  }
  for (size_t i = 0; i < ld->demands.count; i++)
    m->start.require[m->start.nrequire++] = ld->demands.item[i].start;
}

static void name_value(amo_text *t, amo_loader *ld, amo_node n, uint32_t leaf, const char *name, double value)
{
  if (!amo_node_depends(ld->dag, n, leaf, 1)) return;
  if (t->size < 200)
    amo_text_printf(t, "%s%s = %.10g", t->size ? ", " : "", name, value);
  else if (t->data[t->size - 1] != '.')
    amo_text_str(t, ", ...");
}

static void refuse(amo_loader *ld, const amo_demand *d)
{
  const amo_model *m = ld->m;
  amo_text values = {0};
  for (uint32_t i = 0; i < m->np; i++)
    name_value(&values, ld, d->node, m->leaf.param + i, m->param[i].sym.name, m->file.param[i]);
  for (uint32_t i = 0; i < m->nq; i++) {
    name_value(&values, ld, d->node, m->leaf.q + i, m->sym.q[i].name, m->file.initial[i]);
    name_value(&values, ld, d->node, m->leaf.u + i, m->sym.u[i].name, m->file.initial[m->nq + i]);
  }
  for (uint32_t i = 0; i < m->nz; i++)
    name_value(&values, ld, d->node, m->leaf.z + i, m->extra[i].sym.name, m->file.initial[2 * m->nq + i]);
  amo_load_fail(ld, amo_error(ld->diags, d->at, d->why, "the model requires %.200s, but %s", d->text,
                              values.data ? values.data : "this is never so"));
  amo_text_free(&values);
}

void amo_load_demands(amo_loader *ld)
{
  const amo_model *m = ld->m;
  double *leaf = amo_zalloc(ld->inner.count, sizeof *leaf),
         *value = amo_zalloc(m->start.nrequire, sizeof *value);
  amo_status st = leaf && value ? AMO_OK : AMO_ENOMEM;
  if (st == AMO_OK && m->start.nrequire) {
    memcpy(leaf + m->leaf.param, m->file.param, m->np * sizeof *leaf);
    st = amo_constant_values(ld->dag, m->start.require, m->start.nrequire, leaf, ld->inner.count, value);
  }
  for (uint32_t i = 0; st == AMO_OK && i < m->start.nrequire; i++)
    if (!(value[i] != 0.0) || isnan(value[i])) refuse(ld, &ld->demands.item[i]);
  free(leaf);
  free(value);
  if (st != AMO_OK) amo_load_fail(ld, st);
}
