// SPDX-License-Identifier: Apache-2.0
/// Coordinates without mass. The balance of forces on such a coordinate x, rubbed by one contact of slip W x' + r,
///   F + W lambda = 0
/// gives the friction, drag = -lambda = F/W, whatever the contact does: x is a state, and no unknown of the balance of the others.
/// Its rate follows from the law, x' = (slip - r)/W, where that gives the slip for a friction (it never sticks). Otherwise
/// x' = -r/W in stick; in slip the drag stays at the kinetic friction, and its derivative by time gives
///   sum_j dF/dx_j x_j' = -dF/dt - ...        (rows of sticking contacts: W x' = -r, or what they give way: preliminary.c)
/// This linear system is eliminated once, in expressions, whatever the modes: rows that stick are unit rows,
/// and the stiffness of those that slip is positive definite.
#include <stdlib.h>
#include <string.h>

#include "base/join.h"
#include "model/model.h"

static amo_node row_value(const amo_row *r, uint32_t coordinate)
{
  for (uint32_t i = 0; i < r->count; i++)
    if (r->coord[i] == coordinate) return r->value[i];
  return AMO_NODE_NONE;
}

amo_status amo_massless_of(amo_loader *ld, const amo_decl *c, const amo_contact *k, long *coordinate)
{
  *coordinate = -1;
  const amo_at at = amo_yaml_at(c->item.node);
  for (uint32_t e = 0; e < c->row.count; e++) {
    const uint32_t i = c->row.coord[e];
    const char *name = ld->coords.item[i].name;
    if (!ld->coords.item[i].massless || c->row.value[e] == AMO_NODE_NONE) continue;
    if (*coordinate >= 0)
      return amo_error(ld->diags, at, "give one of them a mass",
                       "contact %s rubs on %s and %s, both without mass", c->item.name,
                       ld->coords.item[*coordinate].name, name);
    if (amo_reacts(k) || amo_slip_rows(k) > 1)
      return amo_error(ld->diags, at, "pressed: N and one slip velocity, or a mass for the coordinate",
                       "contact %s rubs on %s, which has no mass: its normal force must be given",
                       c->item.name, name);
    *coordinate = (long)i;
  }
  return AMO_OK;
}

/// A coordinate without mass with what decides its velocity.
typedef struct slider {
  uint32_t coord, contact, z;
  amo_node force, w, rest;  // F, W and r, velocities of sliders left as they are
} slider;

typedef struct sliders {
  amo_loader *ld;
  slider *item;
  uint32_t count;
  amo_node *a, *b;  // [count][count], [count] the system of their velocities
} sliders;

static amo_node *velocity_rule(amo_loader *ld, const slider *s)
{
  return &ld->rules.substitute[ld->inner.u + ld->coords.item[s->coord].number];
}

/// The one contact that rubs on a coordinate; reports if there is none, or more.
static bool find_contact(amo_loader *ld, uint32_t i, uint32_t *contact)
{
  const amo_coord *c = &ld->coords.item[i];
  uint32_t found = 0;
  for (uint32_t k = 0; k < ld->m->nc; k++)
    if (row_value(&ld->contacts.item[k].row, i) != AMO_NODE_NONE) {
      *contact = k;
      found++;
    }
  if (found == 1) return true;
  amo_load_fail(
      ld, amo_error(ld->diags, c->at, "give it a mass, or one contact whose slip is its velocity",
                    found ? "coordinate %s has no mass and more than one contact: nothing says how they share"
                          : "coordinate %s has no mass, and no friction decides its velocity",
                    c->name));
  return false;
}

/// The velocities of all coordinates without mass, as leaves, follow those of prescribed ones.
static bool depends_on_velocity(const sliders *x, amo_node n)
{
  const uint32_t before = x->ld->m->prescribed.count;
  return amo_node_depends(x->ld->dag, n, x->ld->inner.u + before, x->ld->coords.given - before);
}

static void take_slider(amo_loader *ld, uint32_t i, uint32_t contact, slider *s)
{
  amo_dag *d = ld->dag;
  *s = (slider){.coord = i, .contact = contact, .z = ld->m->leaf.z + ld->coords.item[i].state};
  s->force = amo_load_sub(ld, amo_add(d, ld->mech.h[i], ld->mech.q_nc[i]));
  s->w = amo_load_sub(ld, row_value(&ld->contacts.item[contact].row, i));
  amo_node *v = velocity_rule(ld, s), kept = *v;
  *v = amo_const(d, 0.0);
  s->rest = amo_load_sub(ld, ld->m->contact[contact].slip);
  *v = kept;
  ld->rules.substitute[ld->inner.drag + contact] = amo_div(d, s->force, s->w);
}

static void refuse(const sliders *x, const slider *s, const char *hint, const char *why)
{
  amo_loader *ld = x->ld;
  amo_load_fail(ld, amo_error(ld->diags, ld->coords.item[s->coord].at, hint, "coordinate %s has no mass, %s",
                              ld->coords.item[s->coord].name, why));
}

static void set_velocity(const sliders *x, const slider *s, amo_node v)
{
  amo_loader *ld = x->ld;
  const uint32_t z = s->z - ld->m->leaf.z;
  *velocity_rule(ld, s) = ld->coords.item[s->coord].motion[1] = v;
  ld->m->extra[z].rate = ld->rules.full[s->z] = ld->rules.zeta[s->z] = v;
}

static void creep(const sliders *x, const slider *s)
{
  amo_loader *ld = x->ld;
  amo_contact *k = &ld->m->contact[s->contact];
  if (depends_on_velocity(x, s->force) || depends_on_velocity(x, s->rest)) {
    refuse(x, s, "without dampers its law can be solved for the speed; with them give it a small mass",
           "and the force on it depends on velocities of such coordinates");
    return;
  }
  if (ld->contacts.item[s->contact].speed == AMO_NODE_NONE) {
    refuse(x, s, "give it a mass", "and its law cannot be solved for the speed");
    return;
  }
  k->slip = amo_load_sub(ld, ld->contacts.item[s->contact].speed);
  set_velocity(x, s, amo_div(ld->dag, amo_sub(ld->dag, k->slip, s->rest), s->w));
}

/// Does no other slider act on slider i?
static bool is_alone(const sliders *x, uint32_t i)
{
  const amo_node force = amo_load_sub(x->ld, x->item[i].force);
  for (uint32_t j = 0; j < x->count; j++)
    if (j != i && !amo_node_zero(x->ld->dag, amo_diff(x->ld->dag, force, x->item[j].z))) return false;
  return true;
}

/// What the stick of slider i gives way, as its slip: compliance times the rate of the drag, and a speed.
static amo_preliminary_way preliminary(const sliders *x, uint32_t i)
{
  amo_loader *ld = x->ld;
  amo_dag *d = ld->dag;
  const slider *s = &x->item[i];
  amo_give_way give = {.drag = amo_div(d, amo_load_sub(ld, s->force), s->w),
                       .contact = s->contact,
                       .mode = s->contact,
                       .alone = is_alone(x, i)};
  give.rate = amo_total(d, give.drag, ld->rules.full, ld->inner.count);
  give.slope = amo_div(d, amo_diff(d, give.drag, s->z), s->w);
  give.rest = amo_load_sub(ld, s->rest);
  return amo_preliminary(ld, &give);
}

/// Entry j of the row of slider i in stick: its slip, less what the drag of the others makes it give way.
static amo_node stuck(const sliders *x, uint32_t i, uint32_t j, const amo_preliminary_way *way)
{
  amo_dag *d = x->ld->dag;
  const slider *s = &x->item[i];
  const amo_node own = i == j ? s->w : amo_const(d, 0.0),
                 drag = amo_div(d, amo_load_sub(x->ld, s->force), s->w);
  return amo_sub(d, own, amo_mul(d, way->compliance, amo_diff(d, drag, x->item[j].z)));
}

/// Row i of the system, of a contact that sticks or slips: see above.
static void make_row(const sliders *x, uint32_t i)
{
  amo_loader *ld = x->ld;
  amo_dag *d = ld->dag;
  const slider *s = &x->item[i];
  const amo_node sigma = amo_leaf(d, ld->m->leaf.sigma + s->contact);
  const amo_node kinetic = amo_load_sub(ld, ld->m->contact[s->contact].kinetic),
                 force = amo_load_sub(ld, s->force);
  const amo_node excess = amo_sub(d, force, amo_mul(d, s->w, amo_mul(d, sigma, kinetic)));
  if (depends_on_velocity(x, force)) {
    refuse(x, s, "give it a mass", "and the force on it depends on velocities of such coordinates");
    return;
  }
  const amo_node rest = amo_total(d, excess, ld->rules.full, ld->inner.count);
  const amo_preliminary_way way = preliminary(x, i);
  if (!is_alone(x, i) && amo_load_sub(ld, ld->m->contact[s->contact].bound) != kinetic) {
    refuse(x, s, "static and kinetic friction must be the same there",
           "and breaks away from a friction that is larger than that of its slip: it would jump, and others "
           "with it");
    return;
  }
  if (depends_on_velocity(x, kinetic) || amo_node_depends(d, rest, ld->m->leaf.acc, ld->m->nq)) {
    refuse(x, s, "there friction may depend on time and place, or be of a law that never sticks",
           "and its friction depends on a speed");
    return;
  }
  for (uint32_t j = 0; j < x->count; j++) {
    const slider *o = &x->item[j];
    const amo_node slope = amo_neg(d, amo_diff(d, excess, o->z));
    if (i == j && amo_node_zero(d, slope))
      refuse(x, s, "a spring that moves with it, or a mass", "and in slip nothing decides its velocity");
    if (i != j && amo_node_zero(d, slope)) continue;
    x->a[i * x->count + j] = amo_select(d, sigma, slope, stuck(x, i, j, &way));
  }
  x->b[i] = amo_select(d, sigma, rest, amo_sub(d, way.speed, amo_load_sub(ld, s->rest)));
}

/// Which velocities depend on each other.
static void join_chains(const sliders *x)
{
  amo_contact *contact = x->ld->m->contact;
  uint32_t *parent = amo_arena_alloc(&x->ld->arena, x->ld->m->nc * sizeof *parent);
  if (!parent) return;  // the arena knows
  for (uint32_t c = 0; c < x->ld->m->nc; c++) parent[c] = c;
  for (uint32_t i = 0; i < x->count; i++)
    for (uint32_t j = 0; j < x->count; j++)
      if (x->a[(size_t)i * x->count + j] != AMO_NODE_NONE)
        amo_join(parent, x->item[i].contact, x->item[j].contact);
  for (uint32_t i = 0; i < x->count; i++)
    contact[x->item[i].contact].chain = amo_root(parent, x->item[i].contact);
}

void amo_eliminate(amo_dag *d, uint32_t n, amo_node *a, amo_node *b)
{
  for (uint32_t k = 0; k < n; k++)
    for (uint32_t i = k + 1; i < n; i++) {
      amo_node *row = a + (size_t)i * n, *pivot = a + (size_t)k * n;
      if (row[k] == AMO_NODE_NONE) continue;
      const amo_node factor = amo_div(d, row[k], pivot[k]);
      for (uint32_t j = k + 1; j < n; j++) {
        if (pivot[j] == AMO_NODE_NONE) continue;
        const amo_node less = amo_mul(d, factor, pivot[j]);
        row[j] = row[j] == AMO_NODE_NONE ? amo_neg(d, less) : amo_sub(d, row[j], less);
      }
      b[i] = amo_sub(d, b[i], amo_mul(d, factor, b[k]));
    }
  for (uint32_t i = n; i-- > 0;) {
    for (uint32_t j = i + 1; j < n; j++)
      if (a[(size_t)i * n + j] != AMO_NODE_NONE)
        b[i] = amo_sub(d, b[i], amo_mul(d, a[(size_t)i * n + j], b[j]));
    b[i] = amo_div(d, b[i], a[(size_t)i * n + i]);
  }
}

/// Contacts that stick and slip.
static amo_status jump_and_hold(const sliders *x)
{
  amo_loader *ld = x->ld;
  amo_dag *d = ld->dag;
  for (uint32_t i = 0; i < x->count; i++) make_row(x, i);
  if (ld->status != AMO_OK) return AMO_OK;
  join_chains(x);
  amo_eliminate(d, x->count, x->a, x->b);
  for (uint32_t i = 0; i < x->count; i++) {
    const slider *s = &x->item[i];
    amo_contact *k = &ld->m->contact[s->contact];
    const amo_node sigma = amo_leaf(d, ld->m->leaf.sigma + s->contact);
    const amo_node slip = amo_add(d, amo_mul(d, s->w, x->b[i]), amo_load_sub(ld, s->rest));
    k->slip = amo_select(d, sigma, slip, amo_const(d, 0.0));
    set_velocity(x, s, x->b[i]);
  }
  return amo_dag_status(d);
}

/// Sliders of one sort, those that creep or the others; what is known of a contact.
static amo_status sort(const sliders *all, bool creeping, sliders *x)
{
  x->ld = all->ld;
  AMO_TAKE(&all->ld->arena, slider, all->count + 1u, &x->item);
  if (!x->item) return AMO_ENOMEM;
  for (uint32_t i = 0; i < all->count; i++)
    if (amo_never_sticks(&all->ld->m->contact[all->item[i].contact]) == creeping)
      x->item[x->count++] = all->item[i];
  if (creeping) return AMO_OK;
  AMO_TAKE(&all->ld->arena, amo_node, (size_t)x->count * x->count + 1u, &x->a);
  AMO_TAKE(&all->ld->arena, amo_node, x->count + 1u, &x->b);
  return x->a && x->b ? AMO_OK : AMO_ENOMEM;
}

static amo_status solve(const sliders *all)
{
  amo_loader *ld = all->ld;
  sliders creeping = {0}, others = {0};
  amo_status st = sort(all, true, &creeping);
  if (st == AMO_OK) st = sort(all, false, &others);
  for (uint32_t i = 0; st == AMO_OK && i < creeping.count; i++) creep(all, &creeping.item[i]);
  if (st == AMO_OK && ld->status == AMO_OK && others.count) st = jump_and_hold(&others);
  for (uint32_t i = 0; st == AMO_OK && ld->status == AMO_OK && i < all->count; i++) {
    amo_coord *c = &ld->coords.item[all->item[i].coord];
    amo_contact *k = &ld->m->contact[all->item[i].contact];
    k->drag = ld->rules.substitute[ld->inner.drag + all->item[i].contact];
    k->stick_force = amo_neg(ld->dag, k->drag);
    if (amo_never_sticks(k)) k->chain = all->item[i].contact;
    k->yield = amo_diff(ld->dag, k->drag, all->item[i].z);
    k->slider = 2 * ld->m->nq + all->item[i].z - ld->m->leaf.z;
    k->zeta = amo_const(ld->dag, 0.0);
    c->motion[2] = amo_load_sub(ld, amo_total(ld->dag, c->motion[1], ld->rules.full, ld->inner.count));
    ld->rules.substitute[ld->inner.acc + c->number] = c->motion[2];
  }
  return st;
}

void amo_load_massless(amo_loader *ld)
{
  sliders x = {.ld = ld};
  AMO_TAKE(&ld->arena, slider, ld->coords.count, &x.item);
  if (!x.item) {
    amo_load_fail(ld, AMO_ENOMEM);
    return;
  }
  for (uint32_t i = 0; i < ld->coords.count; i++) {
    amo_coord *c = &ld->coords.item[i];
    uint32_t contact;
    if (!c->massless) continue;
    c->motion[0] = amo_leaf(ld->dag, ld->m->leaf.z + c->state);
    ld->rules.substitute[ld->inner.q + c->number] = c->motion[0];
    if (find_contact(ld, i, &contact)) x.item[x.count++] = (slider){.coord = i, .contact = contact};
  }
  for (uint32_t i = 0; i < x.count; i++) take_slider(ld, x.item[i].coord, x.item[i].contact, &x.item[i]);
  if (ld->status != AMO_OK || !x.count) return;
  amo_status st = solve(&x);
  if (st != AMO_OK) amo_load_fail(ld, st);
}
