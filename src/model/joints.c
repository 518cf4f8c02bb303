// SPDX-License-Identifier: Apache-2.0
/// Joints: the normal force of a contact is the size of reactions that are there anyway, the multipliers of constraints
/// (a pin, a ball) or the reactions of guides and supports (rolling resistance):
///   N = |(Lambda_1 .. Lambda_m)|,   m = 1 .. 3.
/// Such a contact is a pressed one whose normal force is an unknown, in the leaf `reaction` of the contact; the balance of
/// forces finds it (contact/joints.c).
#include <stdio.h>
#include <string.h>

#include "model/model.h"
#include "model/rows.h"

static const char *reaction_known(void *ctx, size_t i)
{
  const amo_loader *ld = ctx;
  if (i < ld->constraints.count) return ld->constraints.item[i].item.name;
  i -= ld->constraints.count;
  return i < ld->contacts.count ? ld->contacts.item[i].item.name : NULL;
}

static long find(const amo_decl *d, size_t n, const char *name)
{
  for (size_t i = 0; i < n; i++)
    if (strcmp(d[i].item.name, name) == 0) return (long)i;
  return -1;
}

static amo_status unknown(amo_loader *ld, const amo_yaml *n, const char *name)
{
  const char *near = amo_nearest(name, strlen(name), reaction_known, ld);
  if (near)
    return amo_error(ld->diags, n->at, NULL, "there is no constraint or contact '%s'; did you mean '%s'?",
                     name, near);
  return amo_error(ld->diags, n->at, "joint: [closeX, closeY] names constraints",
                   "there is no constraint or contact '%s'", name);
}

static amo_status add_constraint(amo_loader *ld, const amo_yaml *n, const char *owner, uint32_t g,
                                 amo_contact *k)
{
  if (ld->m->constraint[g].velocity_level)
    return amo_error(ld->diags, n->at, "name constraints between positions, in metres",
                     "joint %s: constraint %s is stated in velocities, its multiplier presses nothing", owner,
                     ld->constraints.item[g].item.name);
  k->pressing[k->npressing++] = (amo_presser){.item = g};
  return AMO_OK;
}

/// Another contact: its reaction joins the others; a given normal force is taken over.
static amo_status add_contact(amo_loader *ld, const amo_yaml *n, const char *owner, bool alone, uint32_t c,
                              amo_contact *k)
{
  const amo_contact *other = &ld->m->contact[c];
  const char *name = ld->contacts.item[c].item.name;
  const bool itself = strcmp(owner, name) == 0;
  if (amo_yaml_get(ld->contacts.item[c].item.node, "joint") || other->npressing > 0)
    return amo_error(ld->diags, n->at, "name the constraints, guides or supports that press both",
                     "joint %s names %s%s", owner, itself ? "itself" : "the joint ", itself ? "" : name);
  if (amo_has_gap(other)) {
    k->pressing[k->npressing++] = (amo_presser){.of_contact = true, .item = c};
    return AMO_OK;
  }
  if (!alone)
    return amo_error(ld->diags, n->at, "give it a joint of its own",
                     "joint %s: the normal force of %s is given, not a reaction", owner, name);
  k->normal = other->normal;
  k->parts = other->parts;
  if (k->parts) k->side = other->side;
  return k->normal == AMO_NODE_NONE ? AMO_EINPUT : AMO_OK;
}

static amo_status add(amo_loader *ld, const amo_item *it, const amo_yaml *n, bool alone, amo_contact *k)
{
  char name[160];
  amo_status st = amo_load_indexed_name(ld, n, "a constraint or contact", it, name, sizeof name);
  if (st != AMO_OK) return st;
  const long g = find(ld->constraints.item, ld->constraints.count, name),
             c = find(ld->contacts.item, ld->contacts.count, name);
  for (uint32_t i = 0; i < k->npressing; i++)
    if (k->pressing[i].item == (uint32_t)(g >= 0 ? g : c) && k->pressing[i].of_contact == (g < 0))
      return amo_error(ld->diags, n->at, NULL, "joint %s names %s twice", it->name, name);
  if (g >= 0) return add_constraint(ld, n, it->name, (uint32_t)g, k);
  return c >= 0 ? add_contact(ld, n, it->name, alone, (uint32_t)c, k) : unknown(ld, n, name);
}

amo_status amo_load_joint(amo_loader *ld, const amo_item *it, amo_contact *k)
{
  const amo_yaml *joint = amo_yaml_get(it->node, "joint");
  if (!amo_yaml_is(joint, AMO_YAML_LIST)) {
    amo_status st = add(ld, it, joint, true, k);
    if (st != AMO_OK) return st;
  } else if (joint->count < 1 || joint->count > AMO_MOST_PRESSING) {
    return amo_error(ld->diags, joint->at, "a pin has two, a ball three",
                     "joint %s must name 1 to %d constraints, got %zu", it->name, AMO_MOST_PRESSING,
                     (size_t)joint->count);
  } else {
    amo_status worst = AMO_OK;  // all that is wrong with the list is told
    for (const amo_yaml *n = joint->first; n; n = n->next) {
      amo_status st = add(ld, it, n, joint->count == 1, k);
      if (st != AMO_OK) worst = st;
    }
    if (worst != AMO_OK) return worst;
  }
  if (k->npressing > 0) k->normal = amo_leaf(ld->dag, ld->m->leaf.reaction + (uint32_t)(k - ld->m->contact));
  return AMO_OK;
}

void amo_joint_law(amo_loader *ld, amo_contact *k)
{
  amo_node *all[] = {&k->bound, &k->kinetic, &k->kinetic_smooth, &k->kinetic_slope, &k->kinetic_smooth_slope};
  if (k->npressing == 0) return;
  k->bound_by = k->bound;
  k->kinetic_by = k->kinetic;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) *all[i] = amo_mul(ld->dag, k->normal, *all[i]);
}
