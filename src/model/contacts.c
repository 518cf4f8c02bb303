// SPDX-License-Identifier: Apache-2.0
/// Contacts with friction: slip, normal force, and the law's expressions put together.
#include <stdio.h>
#include <string.h>

#include "law/bristle.h"
#include "model/model.h"
#include "model/rows.h"
#include "model/keys.h"

#define TWO_OVER_PI 0.63661977236758134308

/// A law with its fields at hand; built for several sliding speeds s.
typedef struct law_reader {
  amo_loader *ld;
  const amo_decl *c;
  const amo_yaml *node;  // the law's mapping
  amo_node state[AMO_LAW_STATES];
  amo_node scale;            // normal force, or 1 (law in forces; guides, whose reaction comes later)
  amo_node normal;           // where it is given
  amo_node friction;         // where a coordinate without mass asks for it
  uint32_t follows;          // the contact whose modes the law follows: its own, or an element of it
  int word[AMO_LAW_FIELDS];  // of fields that are words
  bool failed;
} law_reader;

static amo_node law_expr(law_reader *r, const amo_yaml *n, const char *what, amo_node s, bool quiet)
{
  amo_local local[AMO_LAW_STATES + 1];
  size_t k = 0;
  if (s != AMO_NODE_NONE) local[k++] = (amo_local){"s", s};
  for (size_t i = 0; i < r->c->nstates; i++)
    local[k++] = (amo_local){r->ld->states.item[r->c->first_state + i].local, r->state[i]};
  amo_expr_in in = amo_item_scope(&r->c->item, what, AMO_ON_STATE);
  in.local = local;
  in.locals = k;
  in.quiet = quiet;
  amo_node v = amo_load_expr(r->ld, n, &in);
  if (v == AMO_NODE_NONE) r->failed = true;
  return v;
}

/// The field as written; NULL where it is left out.
static const amo_yaml *field_of(const law_reader *r, const amo_law_field *f)
{
  const amo_yaml *n = amo_yaml_get(r->node, f->name);
  return amo_yaml_is(n, AMO_YAML_SCALAR) && f->absent && !strcmp(n->text, f->absent) ? NULL : n;
}

static uint32_t loading_leaf(const law_reader *r)
{
  return r->ld->inner.loading + r->follows;
}

/// Build the law for sliding speed s. Texts are parsed again for each s: cheaper than substituting,
/// and the results share all that does not depend on s. A table that begins at s = 0 does not switch there.
static amo_law_out build_law(law_reader *r, amo_node s, bool quiet)
{
  amo_node field[AMO_LAW_FIELDS] = {0};
  amo_law_out out = {0};
  const amo_law *law = r->c->law;
  const amo_node size = law->both_ways ? amo_size_of(r->ld->dag, s) : s;
  amo_dag_assume_nonnegative(r->ld->dag, size);
  for (int i = 0; law->field[i].name; i++) {
    const amo_yaml *n = field_of(r, &law->field[i]);
    bool curve = law->field[i].curve;  // the others were read by check_fields before
    if (n && !law->field[i].words)
      field[i] = law_expr(r, n, law->field[i].name, curve ? size : AMO_NODE_NONE, quiet || !curve);
  }
  amo_dag_assume_nonnegative(r->ld->dag, AMO_NODE_NONE);
  if (r->failed) return out;
  amo_law_in in = {.dag = r->ld->dag,
                   .field = field,
                   .s = s,
                   .state = r->state,
                   .normal = r->normal,
                   .loading = amo_leaf(r->ld->dag, loading_leaf(r)),
                   .word = r->word,
                   .friction = r->friction};
  law->build(&in, &out);
  out.bound = amo_mul(r->ld->dag, r->scale, out.bound);
  out.kinetic = amo_mul(r->ld->dag, r->scale, out.kinetic);
  return out;
}

static void check_fields(law_reader *r)
{
  static const amo_relation relation[] = {AMO_IS_FINITE, AMO_IS_NONNEGATIVE, AMO_IS_POSITIVE,
                                          AMO_IS_AT_LEAST_ONE, AMO_IS_FRACTION};
  amo_loader *ld = r->ld;
  const amo_law *law = r->c->law;
  const char *known[AMO_LAW_FIELDS + 4] = {"type", "in"};
  size_t k = 2;
  if (law->user_states) known[k++] = "states";
  if (law->elements) known[k++] = "elements";
  for (int i = 0; law->field[i].name; i++) known[k++] = law->field[i].name;
  char title[AMO_WHAT], what[AMO_WHAT];
  amo_say(title, "law '", law->type, "' of contact ", r->c->item.name);
  if (!r->c->item.again && amo_yaml_only(r->node, title, known, ld->diags) != AMO_OK) r->failed = true;
  for (int i = 0; law->field[i].name; i++) {
    const amo_law_field *f = &law->field[i];
    const amo_yaml *n = field_of(r, f);
    amo_say(what, f->name, " of contact ", r->c->item.name);
    if (n && f->words) {
      if (amo_yaml_choice(n, what, f->words, ld->diags, &r->word[i]) != AMO_OK) r->failed = true;
    } else if (n && !f->curve) {
      amo_node v = law_expr(r, n, f->name, AMO_NODE_NONE, false);
      amo_load_check(ld, v, relation[f->range], n->at, what, NULL);
    } else if (!n && f->required) {
      amo_error(ld->diags, r->node->at, f->doc, "%s has no '%s'", title, f->name);
      r->failed = true;
    }
  }
}

static void load_states(law_reader *r, amo_law_out *out)
{
  amo_loader *ld = r->ld;
  amo_node sigma = amo_leaf(ld->dag, ld->m->leaf.sigma + r->follows);
  for (size_t i = 0; i < r->c->nstates; i++) {
    const amo_decl *d = &ld->states.item[r->c->first_state + i];
    amo_extra *x = &ld->m->extra[r->c->first_state + i];
    if (r->c->law->user_states) {
      const amo_yaml *n = d->item.node, *reset = amo_yaml_get(n, "reset");
      const amo_yaml *stick = amo_yaml_get(n, "stick"), *slip = amo_yaml_get(n, "slip");
      if (amo_yaml_expect(n, AMO_YAML_MAP, d->item.name, ld->diags) != AMO_OK ||
          amo_yaml_only_of(n, d->item.name, amo_law_state_keys, "NAME", ld->diags) != AMO_OK)
        r->failed = true;
      if (!stick || !slip) {
        amo_error(ld->diags, n->key->at, NULL, "law state %s needs its rates 'stick' and 'slip'",
                  d->item.name);
        r->failed = true;
        continue;
      }
      amo_node s = amo_mul(ld->dag, sigma, ld->m->contact[r->c - ld->contacts.item].slip);
      out->state[i].stick = law_expr(r, stick, "rate in stick", amo_const(ld->dag, 0.0), false);
      out->state[i].slip = law_expr(r, slip, "rate in slip", s, false);
      if (reset) out->state[i].reset = law_expr(r, reset, "reset", AMO_NODE_NONE, false);
    }
    x->rate = amo_select(ld->dag, sigma, out->state[i].slip, out->state[i].stick);
    x->reset = out->state[i].reset;
    x->initial = out->state[i].initial;
    const uint32_t leaf = ld->m->leaf.z + (uint32_t)(r->c->first_state + i);
    ld->rules.zeta[leaf] = ld->rules.full[leaf] = x->rate;
  }
}

/// Static friction must not lie below kinetic friction at rest. One that changes with time or motion may fall below
/// it on the way: what leaves rest there would be held at once, so that kinetic friction is the bound.
static void check_static(law_reader *r, amo_contact *k)
{
  amo_loader *ld = r->ld;
  amo_dag *d = ld->dag;
  const amo_yaml *stat = amo_yaml_get(r->node, "static");
  amo_node kinetic = build_law(r, amo_const(d, 0.0), true).kinetic;
  if (k->bound == kinetic || kinetic == AMO_NODE_NONE) return;
  // A relative allowance, so that static == kinetic(0) passes whatever the rounding.
  amo_node room = amo_mul(d, amo_const(d, AMO_SAME), amo_op1(d, AMO_OP_ABS, kinetic));
  amo_node margin = amo_add(d, amo_sub(d, k->bound, kinetic), room);
  amo_check *check =
      amo_load_check(ld, margin, AMO_IS_ABOVE_KINETIC, stat ? stat->at : r->node->at, r->c->item.name, NULL);
  if (!amo_node_depends(d, k->bound, ld->m->leaf.t, ld->m->leaf.z - ld->m->leaf.t) &&
      !amo_node_depends(d, k->bound, loading_leaf(r), 1))
    return;
  if (check) check->warning = true;
  k->bound = amo_select(d, amo_op1(d, AMO_OP_POS, margin), k->bound, kinetic);
  k->spare = margin;
}

/// No friction curve may push forwards.
static void check_curve(law_reader *r, const amo_law_out *law)
{
  amo_loader *ld = r->ld;
  const amo_yaml *kin = amo_yaml_get(r->node, "kinetic");
  static const double speed[] = {0.0, 1e-3, 1e-2, 0.1, 1.0, 10.0, 100.0, 1000.0};
  for (size_t i = 0; kin && i < sizeof speed / sizeof *speed; i++) {
    amo_law_out at_speed = build_law(r, amo_const(ld->dag, speed[i]), true);
    if (at_speed.kinetic == law->kinetic) break;  // no curve
    if (amo_load_find_check(ld, at_speed.kinetic, AMO_IS_NONNEGATIVE, kin->at)) continue;
    char what[AMO_WHAT];
    snprintf(what, sizeof what, "kinetic friction of contact %s at sliding speed %g", r->c->item.name,
             speed[i]);
    amo_check *check = amo_load_check(ld, at_speed.kinetic, AMO_IS_NONNEGATIVE, kin->at, what,
                                      "friction opposes slip: the curve should stay >= 0");
    if (check) check->warning = true;
  }
}

/// kinetic_smooth = -K(|v|)*(2/pi)*atan(eps*v), and slopes with respect to the slip speed.
static void smooth(law_reader *r, amo_contact *k)
{
  amo_loader *ld = r->ld;
  amo_dag *d = ld->dag;
  amo_node sigma = amo_leaf(d, ld->m->leaf.sigma + (uint32_t)(k - ld->m->contact));
  amo_node eps = amo_leaf(d, ld->m->leaf.eps), s = amo_leaf(d, ld->inner.sliding);
  amo_node v = k->slip, size = amo_op1(d, AMO_OP_ABS, v), one = amo_const(d, 1.0);
  amo_node c = amo_const(d, TWO_OVER_PI), ev = amo_mul(d, eps, v);
  amo_node step = amo_mul(d, c, amo_op1(d, AMO_OP_ATAN, ev));
  amo_node curve = build_law(r, size, true).kinetic;
  amo_node slope = amo_diff(d, build_law(r, s, true).kinetic, ld->inner.sliding);
  amo_node *repl = ld->rules.substitute;
  repl[ld->inner.sliding] = amo_mul(d, sigma, v);
  k->kinetic_slope = amo_neg(d, amo_subst(d, slope, repl, ld->inner.count));
  repl[ld->inner.sliding] = size;
  amo_node along = amo_subst(d, slope, repl, ld->inner.count);
  repl[ld->inner.sliding] = AMO_NODE_NONE;
  k->kinetic_smooth = amo_neg(d, amo_mul(d, curve, step));
  amo_node rise = amo_div(d, amo_mul(d, c, eps), amo_add(d, one, amo_op1(d, AMO_OP_SQR, ev)));
  amo_node bend = amo_mul(d, amo_mul(d, along, amo_op1(d, AMO_OP_SIGN, v)), step);
  k->kinetic_smooth_slope = amo_neg(d, amo_add(d, amo_mul(d, curve, rise), bend));
}

/// Friction with the law's states as in steady sliding.
static amo_node settled(const law_reader *r, const amo_law_out *law)
{
  amo_loader *ld = r->ld;
  amo_node *z = ld->rules.substitute + ld->m->leaf.z + r->c->first_state;
  for (size_t i = 0; i < r->c->nstates; i++) z[i] = law->state[i].steady;
  const amo_node friction = amo_subst(ld->dag, law->kinetic, ld->rules.substitute, ld->inner.count);
  memset(z, 0, r->c->nstates * sizeof *z);
  return friction;
}

/// A law that never sticks is smooth as it is. One that says nothing of rest cannot begin there.
static void take_rest(law_reader *r, amo_contact *k, const amo_law_out *law)
{
  amo_loader *ld = r->ld;
  k->rest = law->rest;
  if (k->rest == AMO_STICKS) {
    check_static(r, k);
    check_curve(r, law);
    return;
  }
  if (k->rest == AMO_YIELDS) {
    k->slow = settled(r, law);
    const amo_law_out held = build_law(r, amo_const(ld->dag, 0.0), true);
    k->bound = settled(r, &held);
  }
  const amo_law_out through = build_law(r, k->slip, true);
  k->kinetic_smooth = amo_neg(ld->dag, through.kinetic);
  k->kinetic_smooth_slope = k->kinetic_slope;
  if (amo_never_sticks(k)) return;
  const char *what = amo_arena_printf(&ld->arena, "sliding speed of contact %s", r->c->item.name);
  amo_load_check(ld, amo_op1(ld->dag, AMO_OP_ABS, k->slip), AMO_IS_POSITIVE, r->node->at, what,
                 "its law has the logarithm of the speed; form: regularised holds at rest, too");
}

/// What asks for a normal force that is given: there must be one.
static void check_normal(law_reader *r, const amo_contact *k)
{
  const char *field = r->c->law->needs_normal;
  const amo_yaml *n = field ? amo_yaml_get(r->node, field) : NULL;
  if (!n) return;
  r->normal = k->normal;
  if (r->scale == k->normal && k->normal != AMO_NODE_NONE) return;
  amo_error(r->ld->diags, n->key->at, "pressed: N, and a law in coefficients",
            "'%s' of contact %s needs a normal force that is given", field, r->c->item.name);
  r->failed = true;
}

/// The law as an element has it, and its bound: the one that follows the speed does so while the element sticks.
static amo_law_out law_of_element(law_reader *r, amo_node slip, bool quiet)
{
  amo_dag *d = r->ld->dag;
  const amo_node sigma = amo_leaf(d, r->ld->m->leaf.sigma + r->follows), one = amo_const(d, 1.0);
  amo_law_out law = build_law(r, amo_mul(d, sigma, slip), quiet);
  if (r->c->law->elements && !r->failed)
    law.bound = build_law(r, amo_size_of(d, amo_select(d, sigma, one, slip)), true).bound;
  return law;
}

static amo_status refuse_elements(const law_reader *r, const amo_law_out *law)
{
  const amo_decl *c = r->c;
  if (law->rest != AMO_STICKS)
    return amo_error(r->ld->diags, amo_yaml_get(c->item.node, "stick")->key->at, NULL,
                     "law '%s' of contact %s never sticks: it gives by itself", c->law->type, c->item.name);
  if (c->elements == 1 || c->nstates == 0) return AMO_OK;
  return amo_error(r->ld->diags, amo_yaml_get(c->item.node, "stick")->key->at, "leave 'elements' out",
                   "the memory of law '%s' of contact %s can follow one stick only", c->law->type,
                   c->item.name);
}

/// A law whose friction elements share. The contact never sticks itself: they do.
static amo_status load_elements(law_reader *r, amo_contact *k)
{
  amo_loader *ld = r->ld;
  amo_dag *d = ld->dag;
  const amo_decl *c = r->c;
  const amo_node scale = r->scale;
  amo_shared_friction sum = amo_load_shares_of(ld, c);
  amo_law_out law = {0};
  sum.scale = scale;
  r->scale = amo_const(d, 1.0);
  for (size_t i = 0; i < c->elements; i++) {
    r->follows = (uint32_t)(c->first_element + i);
    amo_contact *part = &ld->m->contact[r->follows];
    law = law_of_element(r, k->slip, i > 0);
    if (!r->failed && i == 0) load_states(r, &law);
    if (r->failed || refuse_elements(r, &law) != AMO_OK) return AMO_EINPUT;
    part->bound = law.bound;
    part->kinetic = law.kinetic;
    if (!c->law->elements) check_static(r, part);
    amo_load_element(ld, c, i, &sum);
  }
  r->follows = (uint32_t)(k - ld->m->contact);
  r->scale = amo_mul(d, scale, sum.shares);
  smooth(r, k);
  const amo_node per_speed = build_law(r, amo_size_of(d, k->slip), true).beside;
  const amo_node beside = per_speed == AMO_NODE_NONE ? amo_const(d, 0.0)
                                                     : amo_mul(d, scale, amo_mul(d, per_speed, k->slip)),
                 sigma = amo_leaf(d, ld->m->leaf.sigma + r->follows);
  k->rest = AMO_YIELDS;
  k->kinetic = amo_add(d, amo_mul(d, scale, sum.friction), beside);
  k->slow = amo_add(d, build_law(r, amo_mul(d, sigma, k->slip), true).kinetic, amo_mul(d, sigma, beside));
  k->bound = build_law(r, amo_const(d, 0.0), true).bound;
  ld->loading |= amo_node_depends(d, k->bound, loading_leaf(r), 1);
  check_curve(r, &law);
  return amo_dag_status(d);
}

static amo_status load_law(amo_loader *ld, amo_decl *c, amo_contact *k)
{
  static const char *const words[] = {"coefficient", "force", NULL};
  law_reader r = {.ld = ld,
                  .c = c,
                  .node = amo_yaml_get(c->item.node, "law"),
                  .scale = k->normal,
                  .follows = (uint32_t)(k - ld->m->contact)};
  const amo_yaml *in = amo_yaml_get(r.node, "in");
  int unit = 0;
  if (!c->law) return AMO_EINPUT;
  k->law_type = amo_strdup(c->law->type);
  if (!k->law_type) return AMO_ENOMEM;
  for (size_t i = 0; i < c->nstates; i++)
    r.state[i] = amo_leaf(ld->dag, ld->m->leaf.z + (uint32_t)(c->first_state + i));
  if (in && amo_yaml_choice(in, "'in' of a law", words, ld->diags, &unit) != AMO_OK) r.failed = true;
  const bool reacts = amo_has_gap(k) || k->npressing > 0;
  if (unit == 1 && reacts) {
    amo_error(ld->diags, in->at, "leave 'in' out: the coefficient is multiplied by the reaction",
              "the law of %s %s must be given as a coefficient, not as a force", amo_contact_kind_name(k),
              c->item.name);
    r.failed = true;
  }
  if (unit == 1 || reacts) r.scale = amo_const(ld->dag, 1.0);
  if ((c->law->both_ways || c->elements) && (amo_slip_rows(k) > 1 || k->npressing > 0)) {
    amo_error(ld->diags, r.node->at, "a pressed contact, guide or support with one slip velocity",
              "%s '%s' of contact %s is not known for %s",
              c->law->both_ways || c->law->elements ? "law" : "a stick that gives, with law", c->law->type,
              c->item.name, k->npressing > 0 ? "joints" : "slip in a plane");
    r.failed = true;
  }
  if (c->law->elements && !c->elements) {
    amo_error(ld->diags, r.node->at, "elements: {a: {stiffness: 100, limit: 0.2}}",
              "law '%s' of contact %s has no elements", c->law->type, c->item.name);
    r.failed = true;
  }
  check_fields(&r);
  check_normal(&r, k);
  long massless;
  if (amo_massless_of(ld, c, k, &massless) != AMO_OK) r.failed = true;
  if (massless >= 0)
    r.friction =
        amo_div(ld->dag, amo_leaf(ld->dag, ld->inner.drag + (uint32_t)(k - ld->m->contact)), r.scale);
  if (c->elements && massless >= 0)
    return amo_error(ld->diags, r.node->at, "give it a mass, or let it rub on a body behind a spring",
                     "the stick of contact %s gives, and it rubs on what has no mass", c->item.name);
  if (c->elements) {
    amo_load_preliminary(ld, c, k);
    return r.failed ? AMO_EINPUT : load_elements(&r, k);
  }
  amo_node sigma = amo_leaf(ld->dag, ld->m->leaf.sigma + (uint32_t)(k - ld->m->contact));
  bool twice = r.failed;
  amo_law_out law = build_law(&r, amo_mul(ld->dag, sigma, k->slip), false);
  if (!r.failed) load_states(&r, &law);
  if (r.failed || twice) return AMO_EINPUT;
  k->bound = law.bound;
  k->kinetic = law.kinetic;
  c->speed = law.speed;
  memcpy(k->told, law.told, sizeof k->told);
  smooth(&r, k);
  take_rest(&r, k, &law);
  ld->loading |= amo_node_depends(ld->dag, law.bound, loading_leaf(&r), 1);
  char what[AMO_WHAT];
  amo_say(what, "the least kinetic friction of contact ", c->item.name);
  if (law.least != AMO_NODE_NONE) amo_load_check(ld, law.least, AMO_IS_NONNEGATIVE, r.node->at, what, NULL);
  amo_joint_law(ld, k);
  amo_load_preliminary(ld, c, k);
  return amo_dag_status(ld->dag);
}

/// A joint is a pressed contact whose normal force is found.
static amo_status contact_kind(amo_loader *ld, const amo_item *it, amo_contact_kind *kind)
{
  static const char *const word[] = {"pressed", "guide", "support", "joint"};
  const amo_yaml *found[4];
  long first = -1;
  for (int i = 0; i < 4; i++) {
    found[i] = amo_yaml_get(it->node, word[i]);
    if (found[i] && first >= 0)
      return amo_error(ld->diags, found[i]->key->at,
                       "a pressed contact is given its normal force, guides, supports and joints find it",
                       "contact %s is both '%s' and '%s'", it->name, word[first], word[i]);
    if (found[i]) first = i;
  }
  if (first < 0)
    return amo_error(
        ld->diags, amo_yaml_at(it->node),
        "pressed: N, guide: h for a two-sided contact, support: h for a one-sided one, or joint: [x, y] for "
        "the size of constraint forces",
        "contact %s has no normal force ('pressed', 'guide', 'support' or 'joint')", it->name);
  *kind = first == 3 || amo_is_wire(it->node) ? AMO_PRESSED : (amo_contact_kind)first;
  return AMO_OK;
}

void amo_load_draw_contact(amo_loader *ld, const amo_decl *c, const amo_yaml *slip)
{
  const amo_yaml *on = amo_yaml_get(c->item.node, "on");
  const amo_part *p = on ? amo_load_part(ld, on, &c->item) : ld->parts.count == 1 ? &ld->parts.item[0] : NULL;
  amo_drawn d = {.kind = AMO_DRAWN_CONTACT};
  const char *minus = slip ? strrchr(slip->text, '-') : NULL;
  if (p) {
    d.x1 = p->r[0];
    d.y1 = p->r[1];
  }
  if (minus && minus > slip->text && minus[1] == ' ' && !strpbrk(minus + 2, "'*/+() ")) {
    d.speed_label = amo_strdup(minus + 2);
    if (!d.speed_label) amo_load_fail(ld, AMO_ENOMEM);
  }
  amo_load_draw(ld, d, c->item.name, c->item.name);
}

/// A normal force that would pull, or is chosen to be none, means that the surfaces have parted: no friction until it presses again.
static void part(amo_dag *d, amo_contact *k)
{
  const amo_node none = amo_const(d, 0.0);
  amo_node presses = amo_node_presence(d, k->normal);
  if (presses == AMO_NODE_NONE) {
    presses = amo_op1(d, AMO_OP_POS, amo_node_signed_part(d, k->normal));
    k->normal = amo_select(d, presses, k->normal, none);
  }
  k->side = amo_select(d, presses, amo_const(d, 1.0), none);
  k->parts = !amo_node_const(d, k->side, NULL);
  if (!k->parts) k->side = AMO_NODE_NONE;
}

/// The given normal force.
static amo_status load_pressed(amo_loader *ld, const amo_item *it, amo_contact *k)
{
  const amo_yaml *n = amo_yaml_get(it->node, "pressed");
  char what[AMO_WHAT];
  amo_say(what, "normal force of contact ", it->name);
  amo_expr_in in = amo_item_scope(it, what, AMO_ON_STATE);
  k->normal = amo_load_expr(ld, n, &in);
  amo_load_check(ld, k->normal, AMO_IS_NONNEGATIVE, n->at, what, NULL);
  if (k->normal == AMO_NODE_NONE) return AMO_EINPUT;
  if (amo_node_depends(ld->dag, k->normal, ld->m->leaf.t, ld->inner.count - ld->m->leaf.t)) part(ld->dag, k);
  return AMO_OK;
}

/// An end stop: a gap and nothing that could rub.
static bool is_smooth(const amo_decl *c, const amo_contact *k)
{
  const amo_yaml *n = c->item.node;
  return amo_has_gap(k) && k->slip == AMO_NODE_NONE && !amo_yaml_get(n, "slip") && !amo_yaml_get(n, "law") &&
         !amo_yaml_is(amo_yaml_get(n, k->kind == AMO_SUPPORT ? "support" : "guide"), AMO_YAML_MAP);
}

static amo_status load_smooth_law(amo_loader *ld, amo_contact *k)
{
  k->bound = k->kinetic = amo_const(ld->dag, 0.0);
  k->kinetic_smooth = k->kinetic_slope = k->kinetic_smooth_slope = k->bound;
  k->law_type = amo_strdup("smooth");
  return k->law_type ? amo_dag_status(ld->dag) : AMO_ENOMEM;
}

/// Slip as written, and its row. A guide by geometry has brought its slip already.
static amo_status load_slip(amo_loader *ld, amo_decl *c, amo_contact *k)
{
  const amo_item *it = &c->item;
  const amo_yaml *slip = amo_yaml_get(it->node, "slip");
  const amo_yaml *guide = amo_yaml_get(it->node, k->kind == AMO_SUPPORT ? "support" : "guide");
  char what[AMO_WHAT];
  amo_say(what, "slip of contact ", it->name);
  if (is_smooth(c, k)) {
    k->slip = k->zeta = amo_const(ld->dag, 0.0);
    return AMO_OK;
  }
  if (!slip && k->slip == AMO_NODE_NONE && !amo_yaml_is(guide, AMO_YAML_MAP))
    return amo_error(ld->diags, amo_yaml_at(it->node), "slip: x' - v", "contact %s has no slip velocity",
                     it->name);
  if (amo_yaml_is(slip, AMO_YAML_LIST)) return amo_load_slip_pair(ld, c, slip, k);
  amo_expr_in in = amo_item_scope(it, what, AMO_ON_STATE);
  if (slip) k->slip = amo_load_expr(ld, slip, &in);
  if (k->slip == AMO_NODE_NONE) return AMO_EINPUT;
  amo_status st = amo_row_make(ld, k->slip, slip ? slip->at : guide->at, what, false, &c->row);
  k->zeta = c->row.zeta;
  if (st == AMO_OK && amo_has_gap(k) && amo_slip_along_normal(ld, c))
    st = amo_error(ld->diags, slip ? slip->at : guide->at, "slip is the velocity along the guide, like q'",
                   "the slip of contact %s runs along the normal of its %s", it->name, guide->key->text);
  if (st == AMO_OK) amo_load_draw_contact(ld, c, slip);
  return st;
}

/// The worst of two; running out of memory is worse than a mistake.
static amo_status worse(amo_status a, amo_status b)
{
  return a == AMO_OK || a == AMO_EINPUT ? b != AMO_OK ? b : a : a;
}

static amo_status load_contact(amo_loader *ld, amo_decl *c, amo_contact *k)
{
  const amo_item *it = &c->item;
  if (it->node->kind != AMO_YAML_MAP) return AMO_EINPUT;
  amo_status st =
      it->again ? AMO_OK : amo_yaml_only_of(it->node, it->name, amo_model_keys, "contacts.NAME", ld->diags);
  amo_status kind = contact_kind(ld, it, &k->kind);
  const amo_yaml *bounce = amo_yaml_get(it->node, "restitution");
  if (kind == AMO_OK)
    kind = k->kind == AMO_GUIDE              ? amo_load_guide(ld, c, "guide", k)
           : k->kind == AMO_SUPPORT          ? amo_load_support(ld, c, k)
           : amo_is_wire(it->node)           ? amo_load_wire(ld, c, k)
           : amo_yaml_get(it->node, "joint") ? amo_load_joint(ld, it, k)
                                             : load_pressed(ld, it, k);
  if (bounce && k->kind != AMO_SUPPORT)
    kind = amo_error(ld->diags, bounce->key->at, "only what can part can bounce: use support",
                     "contact %s is no support and has no restitution", it->name);
  const amo_yaml *end = amo_yaml_get(it->node, "while");
  if (end && k->kind != AMO_SUPPORT)
    kind = amo_error(ld->diags, end->key->at, "only what can part can end: use support",
                     "contact %s is no support and has no 'while'", it->name);
  const bool smooth_one = is_smooth(c, k);
  k->parts |= k->kind == AMO_SUPPORT;
  amo_status slip = load_slip(ld, c, k);
  if (kind == AMO_OK && slip == AMO_OK) kind = amo_load_compliance(ld, c, k);
  if (k->reaction == AMO_NODE_NONE) k->reaction = k->normal;
  const bool whole = kind == AMO_OK && slip == AMO_OK;
  if (!whole) {  // the mistakes of the law are still worth telling
    k->slip = amo_const(ld->dag, 1.0);
    k->normal = amo_const(ld->dag, 1.0);
  }
  amo_status law = AMO_EINPUT;
  if (smooth_one)
    law = load_smooth_law(ld, k);
  else if (amo_yaml_get(it->node, "law"))
    law = load_law(ld, c, k);
  else
    amo_error(ld->diags, amo_yaml_at(it->node), "law: {type: coulomb, mu: 0.3}",
              "contact %s has no friction law", it->name);
  return worse(worse(st, kind), worse(slip, law));
}

/// The contacts that are joints, or those that are not.
static void load_contacts(amo_loader *ld, bool joints)
{
  const amo_yaml *bad = NULL;  // the other elements of a faulty family would only repeat the message
  for (uint32_t i = 0; i < ld->m->nc; i++) {
    if (bad == ld->contacts.item[i].item.node || ld->contacts.item[i].part_of) continue;
    if ((amo_yaml_get(ld->contacts.item[i].item.node, "joint") != NULL) != joints) continue;
    amo_status st = load_contact(ld, &ld->contacts.item[i], &ld->m->contact[i]);
    if (st != AMO_OK) bad = ld->contacts.item[i].item.node;
    if (st != AMO_OK) amo_load_fail(ld, st);
  }
}

void amo_load_contacts(amo_loader *ld)
{
  ld->rules.substitute = amo_arena_alloc(&ld->arena, ld->inner.count * sizeof *ld->rules.substitute);
  if (!ld->rules.substitute) {
    amo_load_fail(ld, AMO_ENOMEM);
    return;
  }
  load_contacts(ld, false);
  load_contacts(ld, true);  // they name others
  for (uint32_t i = 0; i < ld->m->nc; i++) ld->m->njoint += ld->m->contact[i].npressing > 0;
}
