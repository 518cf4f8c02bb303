// SPDX-License-Identifier: Apache-2.0
/// From terms to the compiled system: prescribed coordinates are moved to the right-hand side and
/// replaced by functions of time, friction of slipping contacts enters h, powers are collected.
///
/// With p running over prescribed coordinates the equations of the free ones are
///   sum_j M_ij u_j' = h_i + q_nc_i - sum_p M_ip u_p' + contacts + constraints
/// and those of the prescribed ones give the drive
///   D_p = sum_j M_pj u_j' - h_p - q_nc_p - sum_c W_cp lambda_c - sum_g G_gp Lambda_g.
/// (the reaction R_c of a guide acts like a Lambda_g, with its row n_c).
/// supplied_power is everything in d(T+V)/dt that is not lambda_c (W_c . u), R_c (n_c . u) or Lambda_g (G_g . u)
/// with the rows over free coordinates. These three are for the audit to add: n_c . u and G_g . u vanish unless
/// the guide or constraint is moved, by time or by a prescribed coordinate, and are its power then.
///   sum_i q_nc_i u_i + explicit_power + sum_p u_p (sum_j M_pj u_j' - h_p - q_nc_p).
#include <stdlib.h>

#include "model/model.h"

typedef struct assembly {
  amo_loader *ld;
  amo_node *inertia;  // [coordinates] sum_j M_pj u_j' of prescribed ones
  amo_node *moved;    // [coordinates] sum_p M_ip u_p' of free ones
} assembly;

amo_node amo_load_sub(amo_loader *ld, amo_node n)
{
  return (ld->coords.given || ld->loading) && n != AMO_NODE_NONE
             ? amo_subst(ld->dag, n, ld->rules.substitute, ld->inner.count)
             : n;
}

static void set_motions(amo_loader *ld)
{
  for (size_t i = 0; i < ld->coords.count; i++) {
    const amo_coord *c = &ld->coords.item[i];
    if (!c->prescribed) continue;
    ld->rules.substitute[ld->inner.q + c->number] = c->motion[0];
    ld->rules.substitute[ld->inner.u + c->number] = c->motion[1];
    ld->rules.substitute[ld->inner.acc + c->number] = c->motion[2];
  }
}

static int by_row(const void *pa, const void *pb)
{
  const amo_entry *a = pa, *b = pb;
  if (a->row != b->row) return a->row < b->row ? -1 : 1;
  return a->col < b->col ? -1 : a->col > b->col;
}

static bool row_has(const amo_row *r, uint32_t coord)
{
  for (uint32_t i = 0; i < r->count; i++)
    if (r->coord[i] == coord) return true;
  return false;
}

static bool guided_or_constrained(const amo_loader *ld, uint32_t coord)
{
  for (size_t k = 0; k < ld->constraints.count; k++)
    if (row_has(&ld->constraints.item[k].row, coord)) return true;
  for (size_t k = 0; k < ld->contacts.count; k++)
    if (row_has(&ld->contacts.item[k].normal, coord)) return true;
  return false;
}

static bool rubs(const amo_loader *ld, uint32_t coord)
{
  for (size_t k = 0; k < ld->contacts.count; k++)
    if (row_has(&ld->contacts.item[k].row, coord)) return true;
  return false;
}

/// A coordinate without inertia gets a zero on the diagonal, if a guide or constraint may determine it.
static amo_status complete_mass(amo_loader *ld, size_t *cap)
{
  amo_model *m = ld->m;
  for (uint32_t i = 0; i < ld->coords.count; i++) {
    const amo_coord *c = &ld->coords.item[i];
    bool found = false;
    if (amo_is_given(c)) continue;
    for (size_t k = 0; k < ld->mech.row[i].count; k++) found |= ld->mech.row[i].item[k].col == i;
    if (found) continue;
    if (guided_or_constrained(ld, i)) {
      if (!AMO_ROOM(m->mass, m->nmass, *cap)) return AMO_ENOMEM;
      m->mass[m->nmass++] = (amo_entry){.row = c->number, .col = c->number, .node = amo_const(ld->dag, 0.0)};
      continue;
    }
    if (rubs(ld, i) && !ld->coords.massless) {
      ld->again = ld->coords.item[i].massless = true;
      continue;
    }
    if (ld->status == AMO_OK)  // after other mistakes this would only confuse
      amo_error(ld->diags, c->at,
                "add a particle or body whose position depends on it, a term in energy.kinetic, a guide or "
                "constraint that determines it, or a contact whose friction does",
                "coordinate %s has no inertia", c->name);
    amo_load_fail(ld, AMO_EINPUT);
  }
  if (m->nmass) qsort(m->mass, m->nmass, sizeof *m->mass, by_row);
  return ld->again ? AMO_EINPUT : AMO_OK;  // read once more, with these as states
}

static amo_status assemble_mass(assembly *a)
{
  amo_loader *ld = a->ld;
  amo_model *m = ld->m;
  amo_dag *d = ld->dag;
  size_t cap = 0;
  for (uint32_t i = 0; i < ld->mech.n; i++) {
    amo_mass_row *row = &ld->mech.row[i];
    bool fi = !amo_is_given(&ld->coords.item[i]);
    for (size_t k = 0; k < row->count; k++) {
      uint32_t j = row->item[k].col;
      bool fj = !amo_is_given(&ld->coords.item[j]);
      amo_node v = row->item[k].node;
      if (fi && fj) {
        if (!AMO_ROOM(m->mass, m->nmass, cap)) return AMO_ENOMEM;
        m->mass[m->nmass++] = (amo_entry){
            .row = ld->coords.item[i].number, .col = ld->coords.item[j].number, .node = amo_load_sub(ld, v)};
        continue;
      }
      amo_node vi = amo_mul(d, v, amo_load_motion(ld, j, 2)), vj = amo_mul(d, v, amo_load_motion(ld, i, 2));
      amo_node *own = fi ? a->moved : a->inertia, *other = fj ? a->moved : a->inertia;
      own[i] = amo_add(d, own[i], vi);
      if (i != j) other[j] = amo_add(d, other[j], vj);
    }
  }
  return complete_mass(ld, &cap);
}

static amo_status free_row(amo_loader *ld, const amo_row *r, amo_entry **out, uint32_t *count)
{
  *out = amo_zalloc(r->count, sizeof **out);
  if (!*out) return AMO_ENOMEM;
  for (uint32_t i = 0; i < r->count; i++) {
    const amo_coord *c = &ld->coords.item[r->coord[i]];
    if (amo_is_given(c)) continue;
    (*out)[(*count)++] = (amo_entry){.col = c->number, .node = amo_load_sub(ld, r->value[i])};
  }
  return AMO_OK;
}

/// Friction of contact k on the coordinates of its row.
static void add_friction(amo_loader *ld, uint32_t k)
{
  amo_model *m = ld->m;
  amo_dag *d = ld->dag;
  const amo_contact *c = &m->contact[k];
  amo_node sigma = amo_leaf(d, m->leaf.sigma + k), zero = amo_const(d, 0.0);
  amo_node force = amo_neg(d, amo_mul(d, sigma, c->kinetic)), smooth = c->kinetic_smooth;
  force = amo_select(d, sigma, force, zero);  // stick: nothing, and no NaN from s = 0
  if (c->drag != AMO_NODE_NONE) force = smooth = amo_neg(d, c->drag);
  for (uint32_t i = 0; i < c->nw; i++) {
    amo_node *h = &m->h[c->w[i].col], *hs = &m->h_smooth[c->w[i].col];
    *h = amo_add(d, *h, amo_mul(d, force, c->w[i].node));
    *hs = amo_add(d, *hs, amo_mul(d, smooth, c->w[i].node));
  }
}

static amo_status assemble_contacts(amo_loader *ld)
{
  amo_status st = AMO_OK;
  for (uint32_t k = 0; st == AMO_OK && k < ld->m->nc; k++) {
    amo_contact *c = &ld->m->contact[k];
    amo_node *all[] = {&c->slip,          &c->zeta,
                       &c->normal,        &c->bound,
                       &c->kinetic,       &c->kinetic_smooth,
                       &c->kinetic_slope, &c->kinetic_smooth_slope,
                       &c->gap,           &c->gap_rate,
                       &c->gap_zeta,      &c->restitution,
                       &c->spare,         &c->bound_by,
                       &c->kinetic_by,    &c->within,
                       &c->side,          &c->reaction,
                       &c->drag,          &c->stick_force,
                       &c->yield,         &c->slow};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) *all[i] = amo_load_sub(ld, *all[i]);
    for (int i = 0; i < AMO_LAW_TOLD; i++) c->told[i].value = amo_load_sub(ld, c->told[i].value);
    for (uint32_t i = 0; i < c->nroom; i++) c->room[i] = amo_load_sub(ld, c->room[i]);
    st = free_row(ld, &ld->contacts.item[k].row, &c->w, &c->nw);
    for (int a = 0; st == AMO_OK && a < 2; a++) {
      c->axis[a].slip = amo_load_sub(ld, c->axis[a].slip);
      c->axis[a].zeta = amo_load_sub(ld, c->axis[a].zeta);
      st = free_row(ld, &ld->contacts.item[k].axis[a], &c->axis[a].w, &c->axis[a].nw);
    }
    if (st == AMO_OK) st = free_row(ld, &ld->contacts.item[k].normal, &c->n, &c->nn);
    if (st == AMO_OK && !amo_has_gap(c)) add_friction(ld, k);  // of guides: R is not known here
    if (c->drag != AMO_NODE_NONE) c->nw = 0;                   // a force like any other: it ties nothing
  }
  for (uint32_t k = 0; st == AMO_OK && k < ld->m->ng; k++) {
    amo_constraint *g = &ld->m->constraint[k];
    g->residual = amo_load_sub(ld, g->residual);
    g->rate = amo_load_sub(ld, g->rate);
    g->zeta = amo_load_sub(ld, g->zeta);
    st = free_row(ld, &ld->constraints.item[k].row, &g->g, &g->ng);
  }
  for (uint32_t k = 0; k < ld->m->nz; k++) {
    ld->m->extra[k].rate = amo_load_sub(ld, ld->m->extra[k].rate);
    ld->m->extra[k].reset = amo_load_sub(ld, ld->m->extra[k].reset);
  }
  return st;
}

/// What the force in `leaf` does to coordinate i through row r.
static amo_node through_row(amo_loader *ld, const amo_row *r, uint32_t i, uint32_t leaf)
{
  amo_dag *d = ld->dag;
  amo_node sum = amo_const(d, 0.0);
  for (uint32_t k = 0; k < r->count; k++)
    if (r->coord[k] == i) sum = amo_add(d, sum, amo_mul(d, amo_leaf(d, leaf), r->value[k]));
  return sum;
}

/// What contacts and constraints do to prescribed coordinate i.
static amo_node reactions_on(amo_loader *ld, uint32_t i)
{
  amo_dag *d = ld->dag;
  const amo_leaves *l = &ld->m->leaf;
  amo_node sum = amo_const(d, 0.0);
  for (uint32_t c = 0; c < ld->m->nc; c++) {
    const amo_contact *k = &ld->m->contact[c];
    for (uint32_t a = 0; a < amo_axes(k); a++)
      sum = amo_add(d, sum, through_row(ld, &ld->contacts.item[c].axis[a], i, l->traction + k->xi + a));
    if (!amo_turns(k)) sum = amo_add(d, sum, through_row(ld, &ld->contacts.item[c].row, i, l->lambda + c));
    sum = amo_add(d, sum, through_row(ld, &ld->contacts.item[c].normal, i, l->reaction + c));
  }
  for (uint32_t g = 0; g < ld->m->ng; g++)
    sum = amo_add(d, sum, through_row(ld, &ld->constraints.item[g].row, i, l->multiplier + g));
  return sum;
}

static void assemble_power(assembly *a)
{
  amo_loader *ld = a->ld;
  amo_mech *me = &ld->mech;
  amo_dag *d = ld->dag;
  amo_node power = me->explicit_power;
  for (uint32_t i = 0; i < me->n; i++) {
    amo_node u = amo_load_motion(ld, i, 1);
    power = amo_add(d, power, amo_mul(d, me->q_nc[i], u));
    if (!amo_is_given(&ld->coords.item[i])) continue;
    amo_node net = amo_sub(d, a->inertia[i], amo_add(d, me->h[i], me->q_nc[i]));
    power = amo_add(d, power, amo_mul(d, u, net));
    if (ld->coords.item[i].massless) continue;
    amo_prescribed *p = &ld->m->prescribed.item[ld->coords.item[i].number];
    for (int k = 0; k < 3; k++)
      *(k == 0 ? &p->position : k == 1 ? &p->velocity : &p->acceleration) = ld->coords.item[i].motion[k];
    p->drive = amo_load_sub(ld, amo_sub(d, net, reactions_on(ld, i)));
  }
  ld->m->report.supplied = amo_load_sub(ld, power);
  ld->m->report.kinetic = amo_load_sub(ld, me->kinetic);
  ld->m->report.potential = amo_load_sub(ld, me->potential);
}

void amo_load_assemble(amo_loader *ld)
{
  uint32_t n = ld->mech.n;
  if (ld->status != AMO_OK) return;
  assembly a = {
      .ld = ld, .inertia = amo_zalloc(n, sizeof(amo_node)), .moved = amo_zalloc(n, sizeof(amo_node))};
  amo_status st = a.inertia && a.moved ? AMO_OK : AMO_ENOMEM;
  set_motions(ld);
  amo_load_massless(ld);
  for (uint32_t i = 0; st == AMO_OK && i < n; i++) a.inertia[i] = a.moved[i] = amo_const(ld->dag, 0.0);
  if (st == AMO_OK) st = assemble_mass(&a);
  for (uint32_t i = 0; st == AMO_OK && i < n; i++) {
    if (amo_is_given(&ld->coords.item[i])) continue;
    amo_node force = amo_add(ld->dag, ld->mech.h[i], ld->mech.q_nc[i]);
    force = amo_load_sub(ld, amo_sub(ld->dag, force, a.moved[i]));
    ld->m->h[ld->coords.item[i].number] = ld->m->h_smooth[ld->coords.item[i].number] = force;
  }
  if (st == AMO_OK) st = assemble_contacts(ld);
  if (st == AMO_OK) assemble_power(&a);
  if (st == AMO_OK) amo_elements_work(ld);
  if (st == AMO_OK) st = amo_assemble_schematic(ld);
  if (st == AMO_OK) amo_load_materials(ld);
  if (st == AMO_OK && !ld->m->nq && ld->coords.count && !ld->coords.massless)
    st = amo_error(ld->diags, amo_yaml_get(ld->root, "coordinates")->at,
                   "state one motion as a constraint, like x = a*sin(w*t): its multiplier is then the force "
                   "of the drive",
                   "every coordinate is prescribed: nothing is free to move");
  if (st != AMO_OK) amo_load_fail(ld, st);
  free(a.inertia);
  free(a.moved);
}
