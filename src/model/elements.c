// SPDX-License-Identifier: Apache-2.0
/// Friction that gives before it slides: elements in parallel, each a spring behind a slider without mass that takes its share of the
/// law (one element: a stick that gives; several: generalised Maxwell slip, Al-Bender, Lampaert and Swevers 2005). With gamma the slip
/// velocity of the surfaces and z the deflection, an element
///   sticks   z' = gamma,                 friction k z + c gamma, up to its share of the law's bound (z' less, by what the slider gives
///                                        way before it breaks: preliminary.c)
///   slips    friction +-K(|gamma|), its share of the law's friction, or k z where that follows K with a delay,
///            (k z)' = +-C share (1 - |k z|/K)
/// A slip ends where the slider stands, gamma = +-K'/k; where K depends on the speed, or k z follows it, where the surfaces do. Which of
/// both an element does is no function of the state: each is a contact on nothing, whose friction is given, as that of a slider
/// without mass (massless.c), while the contact itself never sticks and has the sum of all as its friction.
#include <string.h>

#include "law/bristle.h"
#include "model/model.h"
#include "model/keys.h"

/// What all elements of a contact have in common, as written; NULL: it has none.
static const amo_yaml *common_of(const amo_decl *c)
{
  return amo_yaml_get(c->item.node, c->law && c->law->elements ? "law" : "stick");
}

static amo_status declare_element(amo_loader *ld, const amo_item *it, void *ctx)
{
  const size_t whole = *(size_t *)ctx, number = ld->contacts.count;
  const char *name = ld->contacts.item[whole].item.name;
  amo_decl part = {.item = *it, .part_of = whole + 1};
  amo_decl deflection = {.item = *it, .contact = (long)number, .local = "z"};
  part.item.name = amo_arena_printf(&ld->arena, "%s.%s", name, it->name);
  deflection.item.name = amo_arena_printf(&ld->arena, "%s.%s.z", name, it->name);
  if (!part.item.name || !deflection.item.name) return AMO_ENOMEM;
  part.first_state = ld->states.count;
  part.nstates = 1;
  if (amo_yaml_expect(it->node, AMO_YAML_MAP, part.item.name, ld->diags) != AMO_OK) return AMO_EINPUT;
  amo_status st = amo_add_decl(&ld->states, deflection);
  if (st == AMO_OK) st = amo_add_decl(&ld->contacts, part);
  if (st == AMO_OK) ld->contacts.item[whole].elements++;
  return st;
}

void amo_declare_elements(amo_loader *ld, size_t number)
{
  const amo_yaml *common = common_of(&ld->contacts.item[number]), *list = amo_yaml_get(common, "elements");
  ld->contacts.item[number].first_element = ld->contacts.count;
  if (list) {
    amo_load_each_of(ld, list, "elements", declare_element, &number);
  } else if (common && common == amo_yaml_get(ld->contacts.item[number].item.node, "stick")) {
    const amo_item one = {.node = common, .name = "stick"};
    amo_status st = declare_element(ld, &one, &number);
    if (st != AMO_OK) amo_load_fail(ld, st);
  }
}

/// An expression of an element, or of all of them; NONE where it is not given.
static amo_node expression(amo_loader *ld, const amo_decl *c, const amo_decl *of, const amo_yaml *map,
                           const char *key, bool quiet)
{
  const amo_yaml *n = amo_yaml_get(map, key);
  const char *what = amo_arena_printf(&ld->arena, "%s of %s", key, of->item.name);
  const amo_local index = {c->item.index ? c->item.index : "", amo_const(ld->dag, (double)c->item.i)};
  amo_expr_in in = amo_item_scope(&of->item, what ? what : key, AMO_ON_STATE);
  in.local = &index;
  in.locals = c->item.index ? 1 : 0;
  in.quiet = quiet;
  if (!n) return AMO_NODE_NONE;
  const amo_node v = amo_load_expr(ld, n, &in);
  if (!quiet)
    amo_load_check(ld, v, strcmp(key, "damping") ? AMO_IS_POSITIVE : AMO_IS_NONNEGATIVE, n->at, what, NULL);
  return v;
}

/// What an element takes of the law.
static amo_node share_of(amo_loader *ld, const amo_decl *c, const amo_decl *e, bool quiet)
{
  if (!amo_yaml_get(common_of(c), "elements")) return amo_const(ld->dag, 1.0);
  return expression(ld, c, e, e->item.node, c->law && c->law->elements ? "limit" : "share", quiet);
}

static void check_keys(amo_loader *ld, const amo_decl *c, const amo_decl *e)
{
  const bool several = amo_yaml_get(common_of(c), "elements") != NULL, own = several && c->law->elements;
  const amo_field *table = own ? amo_law_element_keys : amo_model_keys;
  const char *place = own ? "NAME" : several ? "contacts.NAME.stick.elements.NAME" : "contacts.NAME.stick";
  const char *const needed[] = {"stiffness", own ? "limit" : "share"};
  if (amo_yaml_only_of(e->item.node, e->item.name, table, place, ld->diags) != AMO_OK)
    amo_load_fail(ld, AMO_EINPUT);
  for (int i = 0; i < 1 + several; i++)
    if (!amo_yaml_get(e->item.node, needed[i]))
      amo_load_fail(ld, amo_error(ld->diags, amo_yaml_at(e->item.node), NULL, "%s has no '%s'", e->item.name,
                                  needed[i]));
}

amo_shared_friction amo_load_shares_of(amo_loader *ld, const amo_decl *c)
{
  static const char *const keys[] = {"elements", "attraction", NULL};
  const amo_yaml *common = common_of(c);
  amo_shared_friction sum = {.friction = amo_const(ld->dag, 0.0), .shares = amo_const(ld->dag, 0.0)};
  if (!c->law->elements && amo_yaml_get(common, "elements") &&
      amo_yaml_only(common, "stick", keys, ld->diags) != AMO_OK)
    amo_load_fail(ld, AMO_EINPUT);
  sum.attraction = expression(ld, c, c, common, "attraction", false);
  for (size_t i = 0; i < c->elements; i++) {
    const amo_decl *e = &ld->contacts.item[c->first_element + i];
    check_keys(ld, c, e);
    sum.shares = amo_add(ld->dag, sum.shares, share_of(ld, c, e, false));
  }
  return sum;
}

/// The rate of loading of an element that sticks, for laws that ask for it.
static void put_loading(amo_loader *ld, amo_contact *part, uint32_t number, amo_node force, amo_node rate,
                        amo_node normal)
{
  amo_dag *d = ld->dag;
  const amo_node along = amo_select(d, amo_op1(d, AMO_OP_SEAM, force), rate, amo_neg(d, rate));
  const amo_node grows = amo_select(d, amo_op1(d, AMO_OP_POS, along), along, amo_const(d, 0.0));
  amo_node *put = amo_arena_alloc(&ld->arena, ld->inner.count * sizeof *put);
  if (!put) return;  // the arena knows
  put[ld->inner.loading + number] = amo_mul(d, normal, grows);
  part->bound = amo_subst(d, part->bound, put, ld->inner.count);
  part->spare = amo_subst(d, part->spare, put, ld->inner.count);
}

/// How fast the spring of an element that sticks bends: as the surfaces move, but for what the slider behind it gives way (preliminary.c).
static amo_node bends(amo_loader *ld, const amo_decl *c, uint32_t number, amo_node force, amo_node slip)
{
  amo_dag *d = ld->dag;
  const amo_decl *e = &ld->contacts.item[number];
  const uint32_t whole = (uint32_t)(c - ld->contacts.item), leaf = ld->m->leaf.z + (uint32_t)e->first_state;
  if (!c->preliminary.is_there) return slip;
  const amo_node per_z = amo_diff(d, force, leaf);
  const amo_give_way give = {.drag = force,
                             .rate = amo_mul(d, per_z, slip),
                             .slope = amo_neg(d, per_z),
                             .rest = amo_const(d, 0.0),
                             .contact = whole,
                             .mode = number,
                             .alone = true};
  const amo_preliminary_way way = amo_preliminary(ld, &give);
  const amo_node soft = amo_add(d, amo_const(d, 1.0), amo_mul(d, way.compliance, per_z));
  amo_node *put = amo_arena_alloc(&ld->arena, ld->inner.count * sizeof *put);
  if (!put) return slip;  // the arena knows
  put[ld->inner.drag + whole] = force;
  if (amo_preliminary_state(c)) {
    amo_extra *clock = &ld->m->extra[c->pause];
    clock->rate = amo_subst(d, clock->rate, put, ld->inner.count);
    const size_t z = ld->m->leaf.z + c->pause;
    ld->rules.full[z] = ld->rules.zeta[z] = clock->rate;
  }
  return amo_subst(d, amo_sub(d, slip, amo_div(d, way.speed, soft)), put, ld->inner.count);
}

/// Where the bound falls with the speed it holds against the way the surfaces move: a spring that unbends does not break.
static amo_node bound_along(amo_loader *ld, amo_node bound, amo_node force, amo_node slip, amo_node slips)
{
  amo_dag *d = ld->dag;
  const amo_node one = amo_const(d, 1.0);  // no seams where the element slips
  if (!amo_node_depends(d, bound, ld->m->leaf.u, ld->m->nq) &&
      !amo_node_depends(d, bound, ld->inner.u, ld->coords.given))
    return bound;
  const amo_node forth = amo_op1(d, AMO_OP_SEAM, amo_select(d, slips, one, slip));
  const amo_node along = amo_select(d, forth, force, amo_neg(d, force));
  return amo_select(d, amo_op1(d, AMO_OP_SEAM, amo_select(d, slips, one, along)), bound,
                    amo_sub(d, bound, along));
}

/// How fast the friction of slip changes, where that does not ask for accelerations.
static amo_node rate_of(amo_loader *ld, amo_node kinetic)
{
  const amo_node rate = amo_total(ld->dag, kinetic, ld->rules.full, ld->inner.count);
  return amo_node_depends(ld->dag, kinetic, ld->m->leaf.u, ld->m->nq) ||
                 amo_node_depends(ld->dag, kinetic, ld->inner.u, ld->coords.given)
             ? amo_const(ld->dag, 0.0)
             : rate;
}

static bool name_part(amo_loader *ld, amo_contact *part, const amo_decl *c, uint32_t number, bool jumps)
{
  const amo_node one = amo_const(ld->dag, 1.0), zero = amo_const(ld->dag, 0.0);
  part->part_of = (uint32_t)(c - ld->contacts.item) + 1;
  part->chain = jumps ? part->part_of - 1 : number;
  part->normal = part->reaction = one;
  part->zeta = part->kinetic_slope = part->kinetic_smooth = part->kinetic_smooth_slope = zero;
  part->law_type = amo_strdup(c->law->type);
  return part->law_type != NULL;
}

void amo_load_element(amo_loader *ld, const amo_decl *c, size_t i, amo_shared_friction *sum)
{
  amo_dag *d = ld->dag;
  const uint32_t number = (uint32_t)(c->first_element + i);
  const amo_decl *e = &ld->contacts.item[number];
  amo_contact *part = &ld->m->contact[number];
  const amo_contact *whole = &ld->m->contact[c - ld->contacts.item];
  const uint32_t state = (uint32_t)e->first_state, leaf = ld->m->leaf.z + state;
  const amo_node sigma = amo_leaf(d, ld->m->leaf.sigma + number), zero = amo_const(d, 0.0);
  const amo_node closed = amo_leaf(d, ld->m->leaf.sigma + (uint32_t)(c - ld->contacts.item)),
                 one = amo_const(d, 1.0);
  const amo_node share = share_of(ld, c, e, true), slip = whole->slip;
  const amo_node k = expression(ld, c, e, e->item.node, "stiffness", false),
                 damping = expression(ld, c, e, e->item.node, "damping", false);
  if (k == AMO_NODE_NONE || share == AMO_NODE_NONE) return;
  const amo_node spring = amo_mul(d, k, amo_leaf(d, leaf)), damped = amo_mul(d, damping, slip);
  const amo_node held = damping == AMO_NODE_NONE ? spring : amo_add(d, spring, damped);
  const amo_node kinetic = amo_mul(d, share, part->kinetic), level = amo_mul(d, sigma, kinetic);
  const bool follows = sum->attraction != AMO_NODE_NONE;
  const amo_node pace = follows ? amo_div(d, amo_mul(d, sum->attraction, share), amo_mul(d, sum->shares, k))
                                : amo_mul(d, sigma, slip);
  const amo_node missing = amo_sub(d, one, amo_div(d, amo_mul(d, sigma, spring), kinetic));
  const amo_node slides = amo_select(d, kinetic, amo_mul(d, amo_mul(d, sigma, pace), missing), zero);
  const amo_node left = follows ? zero : amo_div(d, amo_mul(d, sigma, rate_of(ld, kinetic)), k);
  const bool jumps = !follows && (damping != AMO_NODE_NONE || part->bound != part->kinetic);
  const amo_node gives = bends(ld, c, number, amo_mul(d, sum->scale, spring), slip);
  put_loading(ld, part, number, held, amo_mul(d, k, gives),
              whole->normal == AMO_NODE_NONE ? one : whole->normal);
  part->bound = bound_along(ld, amo_mul(d, share, part->bound), held, slip, sigma);
  part->kinetic = follows ? amo_select(d, sigma, amo_mul(d, sigma, spring), amo_size_of(d, spring)) : kinetic;
  part->drag = amo_select(d, sigma, follows ? spring : level, held);
  part->stick_force = amo_neg(d, part->drag);
  part->yield = k;
  part->slider = 2 * ld->m->nq + state;
  part->slip = amo_select(d, sigma, amo_sub(d, slip, left), zero);
  amo_extra *z = &ld->m->extra[state];
  z->rate = amo_select(d, closed, amo_select(d, sigma, slides, gives), zero);
  if (!follows) z->reset = amo_div(d, level, k);
  ld->rules.full[leaf] = ld->rules.zeta[leaf] = z->rate;
  sum->friction = amo_add(d, sum->friction, part->drag);
  if (!name_part(ld, part, c, number, jumps)) amo_load_fail(ld, AMO_ENOMEM);
}

void amo_elements_work(amo_loader *ld)
{
  amo_model *m = ld->m;
  for (uint32_t c = 0; c < m->nc; c++)
    if (m->contact[c].part_of)
      m->report.supplied = amo_add(m->dag, m->report.supplied,
                                   amo_mul(m->dag, amo_leaf(m->dag, m->leaf.lambda + c), m->contact[c].slip));
}
