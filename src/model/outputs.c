// SPDX-License-Identifier: Apache-2.0
/// Named outputs: the user's, then motion and drive force of each prescribed coordinate.
#include <stdlib.h>
#include <string.h>

#include "model/model.h"
#include "model/keys.h"

static amo_status add_output(amo_loader *ld, const char *name, const char *unit, const char *doc, amo_node n)
{
  size_t *cap = &ld->output_cap;
  if (!AMO_ROOM(ld->m->output, ld->m->nout, *cap)) return AMO_ENOMEM;
  amo_output *o = &ld->m->output[ld->m->nout];
  *o = (amo_output){.node = amo_load_sub(ld, n)};
  ld->m->nout++;  // counted first, so that a symbol made by half is released too
  return amo_sym_make(&o->sym, name, unit, doc) ? AMO_OK : AMO_ENOMEM;
}

static amo_status load_output(amo_loader *ld, const amo_item *it, void *ctx)
{
  (void)ctx;
  const amo_yaml *n = it->node, *unit = NULL, *doc = NULL;
  const char *what = amo_arena_printf(&ld->arena, "output %s", it->name);
  if (!what) return AMO_ENOMEM;
  for (uint32_t i = 0; i < ld->m->nq; i++)
    if (strcmp(ld->m->sym.q[i].name, it->name) == 0)
      return amo_error(ld->diags, amo_yaml_at(n), NULL,
                       "'%s' is a coordinate already; name the output otherwise", it->name);
  if (n->kind == AMO_YAML_MAP) {
    if (amo_yaml_only_of(n, what, amo_model_keys, "outputs.NAME", ld->diags) != AMO_OK)
      amo_load_fail(ld, AMO_EINPUT);
    unit = amo_yaml_get(n, "unit");
    doc = amo_yaml_get(n, "doc");
    n = amo_yaml_get(n, "value");
    if (!n) return amo_error(ld->diags, amo_yaml_at(it->node), NULL, "%s has no value", what);
  }
  amo_expr_in in = amo_item_scope(it, what, AMO_ON_ALL);
  amo_node v = amo_load_expr(ld, n, &in);
  if (v == AMO_NODE_NONE) return AMO_EINPUT;
  return add_output(ld, it->name, unit ? unit->text : "", doc ? doc->text : "", v);
}

static void add_prescribed(amo_loader *ld)
{
  for (size_t i = 0; i < ld->coords.count; i++) {
    const amo_coord *c = &ld->coords.item[i];
    if (!c->prescribed) continue;
    const char *rate = amo_arena_printf(&ld->arena, "%s'", c->name);
    const char *drive = amo_arena_printf(&ld->arena, "%s.drive", c->name);
    amo_node force = ld->m->prescribed.item[c->number].drive;
    amo_status st = rate && drive ? AMO_OK : AMO_ENOMEM;
    if (st == AMO_OK) st = add_output(ld, c->name, c->unit, c->doc, c->motion[0]);
    if (st == AMO_OK) st = add_output(ld, rate, "", "", c->motion[1]);
    if (st == AMO_OK) st = add_output(ld, drive, "N", "force of the drive", force);
    if (st != AMO_OK) amo_load_fail(ld, st);
  }
}

static void load_plot(amo_loader *ld)
{
  static const char *const keys[] = {"x", "y", NULL};
  const amo_yaml *n = amo_yaml_get(ld->root, "plot");
  if (amo_yaml_is_null(n)) return;
  if (amo_yaml_expect(n, AMO_YAML_MAP, "plot", ld->diags) != AMO_OK ||
      amo_yaml_only_of(n, "plot", amo_model_keys, "plot", ld->diags) != AMO_OK)
    amo_load_fail(ld, AMO_EINPUT);
  for (int i = 0; i < 2; i++) {
    const amo_yaml *axis = amo_yaml_get(n, keys[i]);
    const char *text = NULL;
    char **out = i ? &ld->m->drawing.y : &ld->m->drawing.x;
    if (!axis) continue;
    if (amo_yaml_string(axis, "plot axis", ld->diags, &text) != AMO_OK)
      amo_load_fail(ld, AMO_EINPUT);
    else if (!(*out = amo_strdup(text)))
      amo_load_fail(ld, AMO_ENOMEM);
  }
}

void amo_load_outputs(amo_loader *ld)
{
  load_plot(ld);
  ld->outputs = true;
  amo_load_each(ld, "outputs", load_output, NULL);
  ld->outputs = false;
  if (ld->status == AMO_OK) add_prescribed(ld);
}
