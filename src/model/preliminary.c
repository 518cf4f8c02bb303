// SPDX-License-Identifier: Apache-2.0
/// Preliminary displacement: what the stick of a contact gives way before it breaks. With F the friction on it,
///   slip = (C_r + C_i) F' + creep,
/// C_r the reversible compliance; C_i the irreversible one, followed only while |F| grows above F* and has done so without a
/// pause; creep a speed above F* (Le xuan Anh 1990, chapter 7). The memory is a clock, the time for which |F| has been
/// above F* and did not grow: any at all, and C_i is gone until stick begins anew.
#include "model/model.h"
#include "model/keys.h"

const char *amo_preliminary_state(const amo_decl *c)
{
  return amo_yaml_get(amo_yaml_get(c->item.node, "preliminary"), "irreversible") ? "pause" : NULL;
}

/// Behind a stick that gives the spring is the reversible part.
static void check_stick(amo_loader *ld, const amo_decl *c, const amo_contact *k, const amo_yaml *n)
{
  const amo_yaml *stick = amo_yaml_get(c->item.node, "stick");
  const char *why = c->elements == 0                 ? NULL
                    : c->elements > 1 || !stick      ? "needs a stick of one spring"
                    : amo_yaml_get(stick, "damping") ? "goes with a stick without damping"
                    : amo_yaml_get(n, "reversible")  ? "has its reversible part in the stiffness of the stick"
                    : amo_has_gap(k)                 ? "needs a normal force that is given"
                                                     : NULL;
  if (why)
    amo_load_fail(ld, amo_error(ld->diags, n->key->at, NULL, "the preliminary displacement of contact %s %s",
                                c->item.name, why));
}

void amo_load_preliminary(amo_loader *ld, amo_decl *c, const amo_contact *k)
{
  static const char *const keys[] = {"reversible", "irreversible", "above", "creep", NULL};
  amo_preliminary_law *p = &c->preliminary;
  amo_node *const field[] = {&p->reversible, &p->irreversible, &p->above, &p->creep};
  const amo_yaml *n = amo_yaml_get(c->item.node, "preliminary");
  if (!n) return;
  p->is_there = true;
  if (amo_yaml_expect(n, AMO_YAML_MAP, "preliminary", ld->diags) != AMO_OK ||
      amo_yaml_only_of(n, "preliminary", amo_model_keys, "contacts.NAME.preliminary", ld->diags) != AMO_OK)
    amo_load_fail(ld, AMO_EINPUT);
  const amo_node drag = amo_leaf(ld->dag, ld->inner.drag + (uint32_t)(k - ld->m->contact));
  const amo_local local = {"F", amo_op1(ld->dag, AMO_OP_ABS, drag)};
  for (int i = 0; i < 4; i++) {
    const amo_yaml *value = amo_yaml_get(n, keys[i]);
    const char *what = amo_arena_printf(&ld->arena, "%s of contact %s", keys[i], c->item.name);
    amo_expr_in in = amo_item_scope(&c->item, what ? what : keys[i], AMO_ON_STATE);
    if (field[i] != &p->above) in.local = &local, in.locals = 1;
    if (value) *field[i] = amo_load_expr(ld, value, &in);
    if (value && i % 2 == 0) amo_load_check(ld, *field[i], AMO_IS_NONNEGATIVE, value->at, what, NULL);
  }
  if (p->above == AMO_NODE_NONE) p->above = amo_const(ld->dag, 0.0);
  check_stick(ld, c, k, n);
}

/// The clock of interruptions: runs while |F| is above F* and does not grow, is set back when stick begins.
static void set_clock(amo_loader *ld, const amo_give_way *g, amo_node runs)
{
  const uint32_t z = (uint32_t)ld->contacts.item[g->contact].pause;
  amo_extra *x = &ld->m->extra[z];
  const amo_node none = amo_const(ld->dag, 0.0);
  x->rate = amo_select(ld->dag, amo_leaf(ld->dag, ld->m->leaf.sigma + g->mode), none, runs);
  x->reset = none;
  ld->rules.full[ld->m->leaf.z + z] = ld->rules.zeta[ld->m->leaf.z + z] = x->rate;
}

amo_preliminary_way amo_preliminary(amo_loader *ld, const amo_give_way *g)
{
  amo_dag *d = ld->dag;
  const amo_decl *c = &ld->contacts.item[g->contact];
  const amo_preliminary_law *p = &c->preliminary;
  const amo_node none = amo_const(d, 0.0), one = amo_const(d, 1.0);
  amo_preliminary_way way = {none, none};
  if (!p->is_there) return way;
  const amo_node side = amo_op1(d, AMO_OP_SIGN, g->drag);
  const amo_node over = amo_sub(d, amo_mul(d, side, g->drag), amo_load_sub(ld, p->above));
  const amo_node slips = amo_leaf(d, ld->m->leaf.sigma + g->mode);
  const amo_node above = amo_op1(d, AMO_OP_POS, amo_select(d, slips, amo_const(d, -1.0), over));
  if (p->reversible != AMO_NODE_NONE) way.compliance = amo_load_sub(ld, p->reversible);
  if (p->creep != AMO_NODE_NONE)
    way.speed = amo_select(d, above, amo_mul(d, side, amo_load_sub(ld, p->creep)), none);
  if (p->irreversible != AMO_NODE_NONE) {
    // the sign of F' is that of the rate with the slider held, but for what it creeps
    const amo_node moved = amo_sub(d, way.speed, g->rest);
    const amo_node rate = amo_mul(d, side, amo_add(d, g->rate, amo_mul(d, g->slope, moved)));
    const amo_node grows = amo_op1(d, AMO_OP_POS, amo_select(d, above, rate, amo_const(d, -1.0)));
    const amo_node clock = amo_leaf(d, ld->m->leaf.z + (uint32_t)c->pause);
    const amo_node whole =
        amo_select(d, amo_op1(d, AMO_OP_POS, clock), none, amo_load_sub(ld, p->irreversible));
    if (!g->alone)
      amo_load_fail(ld, amo_error(ld->diags, amo_yaml_get(c->item.node, "preliminary")->at, NULL,
                                  "the irreversible displacement of contact %s needs a slider that no other "
                                  "slider without mass acts on",
                                  c->item.name));
    set_clock(ld, g, amo_select(d, above, amo_select(d, grows, none, one), none));
    way.compliance =
        amo_add(d, way.compliance, amo_select(d, above, amo_select(d, grows, whole, none), none));
  }
  way.speed = amo_add(d, way.speed, amo_mul(d, way.compliance, g->rate));
  return way;
}

void amo_preliminary_check(amo_loader *ld)
{
  for (uint32_t c = 0; c < ld->contacts.count; c++) {
    const amo_yaml *n = amo_yaml_get(ld->contacts.item[c].item.node, "preliminary");
    if (!n || amo_is_slider(&ld->m->contact[c]) || ld->contacts.item[c].elements) continue;
    amo_load_fail(ld, amo_error(ld->diags, n->key->at, "stick: {stiffness: K} beside it: its reversible part",
                                "contact %s rubs on what has a mass, or never sticks: it has no preliminary "
                                "displacement",
                                ld->m->contact[c].sym.name));
  }
}
