// SPDX-License-Identifier: Apache-2.0
/// First pass: the names of everything, so that the leaves of expressions can be numbered.
#include <stdlib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/model.h"
#include "model/keys.h"

// ---- sizes ----

/// Of sizes and whole numbers; 1.5 is told apart from an expression that is wrong.
static amo_status whole_number(amo_loader *ld, const char *name, const char *text, size_t length, amo_at at,
                               long *out)
{
  char *end = NULL;
  double value = strtod(text, &end);
  if (end == text + length && end != text && value != floor(value))
    return amo_error(ld->diags, at, NULL, "size %s must be a whole number, got %s", name, text);
  return amo_load_integer(ld, text, length, at, out);
}

/// There may be so many elements.
static void expect_elements(amo_loader *ld, size_t elements)
{
  if (elements > ld->most_elements) ld->most_elements = elements;
  amo_dag_allow(ld->dag, AMO_SIZE_SHARE * elements);
}

static void one_size(amo_loader *ld, const amo_yaml *c)
{
  amo_key k;
  long value = 0;
  amo_status st = amo_key_parse(ld, c->key, &k);
  if (st == AMO_OK && (k.indexed || k.primes))
    st = amo_error(ld->diags, c->key->at, NULL, "a size is a single whole number");
  const char *set = st == AMO_OK ? amo_setting_for(ld, k.base, NULL) : NULL;
  const bool named = st == AMO_OK;
  amo_at where = c->at;
  if (st == AMO_OK && set) {
    const char *file = amo_arena_printf(&ld->arena, "--set %s", k.base);
    if (!file) amo_load_fail(ld, AMO_ENOMEM);
    where = (amo_at){amo_diags_source(ld->diags, file ? file : "--set", set, strlen(set)), 1, 1,
                     (int)strlen(set)};
    st = whole_number(ld, k.base, set, strlen(set), where, &value);
  } else if (st == AMO_OK) {
    st = amo_yaml_expect(c, AMO_YAML_SCALAR, k.base, ld->diags);
    if (st == AMO_OK) st = whole_number(ld, k.base, c->text, c->length, c->at, &value);
  }
  const long most = set ? AMO_MOST_SIZE : AMO_MAX_ELEMENTS;
  if (st == AMO_OK && (value < 0 || value > most))
    st = amo_error(ld->diags, where, NULL, "size %s must be between 0 and %ld, got %ld", k.base, most, value);
  if (st == AMO_OK && set) expect_elements(ld, AMO_SIZE_SHARE * (size_t)value);
  if (st == AMO_EINPUT && named) {  // known by name, so that its users are not blamed
    amo_load_fail(ld, st);
    value = 1;
    st = AMO_OK;
  }
  if (st == AMO_OK && !AMO_ROOM(ld->sizes.item, ld->sizes.count, ld->sizes.cap)) st = AMO_ENOMEM;
  if (st == AMO_OK) {
    ld->sizes.item[ld->sizes.count] = value;
    st = amo_names_add(ld, (amo_entry_name){.name = k.base,
                                            .kind = AMO_NAME_SIZE,
                                            .count = 1,
                                            .first = (uint32_t)ld->sizes.count++,
                                            .at = c->key->at});
  }
  if (st != AMO_OK) amo_load_fail(ld, st);
}

void amo_load_sizes(amo_loader *ld)
{
  const amo_yaml *map = amo_yaml_get(ld->root, "sizes");
  if (amo_yaml_is_null(map)) return;
  amo_status st = amo_yaml_expect(map, AMO_YAML_MAP, "sizes", ld->diags);
  if (st != AMO_OK) amo_load_fail(ld, st);
  for (const amo_yaml *c = st == AMO_OK ? map->first : NULL; c; c = c->next) one_size(ld, c);
}

// ---- parameters and definitions ----

static bool count_element(amo_loader *ld, amo_at at)
{
  if (++ld->elements <= ld->most_elements) return true;
  amo_error(ld->diags, at, NULL, "families have more than %zu elements in all", ld->most_elements);
  amo_load_fail(ld, AMO_ELIMIT);
  return false;
}

static amo_status add_lazy(amo_loader *ld, bool param, amo_lazy l, const amo_key *k)
{
  amo_lazies *to = param ? &ld->params : &ld->defs;
  const char *set = param ? amo_setting_for(ld, l.name, k->indexed ? k->base : NULL) : NULL;
  amo_status st = AMO_OK;
  if (!count_element(ld, l.node->at)) return AMO_ELIMIT;
  if (set) {
    const char *file = amo_arena_printf(&ld->arena, "--set %s", l.name);
    l.text = amo_arena_str(&ld->arena, set, strlen(set));
    if (!file || !l.text) return AMO_ENOMEM;
    l.length = strlen(set);
    l.at = (amo_at){amo_diags_source(ld->diags, file, set, l.length), 1, 1, (int)l.length};
  } else {
    st = amo_yaml_expect(l.node, AMO_YAML_SCALAR, l.name, ld->diags);
    l.text = l.node->text;
    l.length = l.node->length;
    l.at = l.node->at;
  }
  if (st != AMO_OK) l.stage = 3;
  if (!AMO_ROOM(to->item, to->count, to->cap)) return AMO_ENOMEM;
  to->item[to->count++] = l;
  return st;
}

/// m: 1, m[1..N]: 1, m[i=1..N]: i*a, m: [1, 2], m[1..2]: [1, 2]; also below `value:`.
static amo_status add_family(amo_loader *ld, bool param, const amo_yaml *c, const amo_yaml *value,
                             const amo_yaml *bounds, amo_key k)
{
  bool list = amo_yaml_is(value, AMO_YAML_LIST);
  if (list && !k.indexed) {
    k.indexed = true;
    k.lo = 1;
    k.hi = (long)value->count;
  }
  long count = k.indexed ? k.hi - k.lo + 1 : 1;
  if (list && (long)value->count != count)
    return amo_error(ld->diags, value->at, NULL, "%s has %ld elements but %zu values are given", k.base,
                     count, value->count);
  amo_entry_name e = {.name = k.base,
                      .kind = param ? AMO_NAME_PARAMETER : AMO_NAME_DEFINITION,
                      .indexed = k.indexed,
                      .lo = k.lo,
                      .count = count < 0 ? 0 : count,
                      .first = (uint32_t)(param ? ld->params.count : ld->defs.count),
                      .at = c->key->at};
  amo_status st = amo_names_add(ld, e);
  if (st != AMO_OK) return st;
  const amo_yaml *item = list ? value->first : value;
  for (long i = k.lo; i < k.lo + count; i++) {
    amo_lazy l = {
        .node = item, .name = amo_element_name(ld, &k, i), .index = k.index, .i = i, .bounds = bounds};
    if (!l.name) return AMO_ENOMEM;
    amo_status one = add_lazy(ld, param, l, &k);
    if (one != AMO_OK) st = one;
    if (one != AMO_OK && one != AMO_EINPUT) return one;
    if (list) item = item->next;
  }
  return st;
}

static void declare_lazy(amo_loader *ld, const char *section, bool param)
{
  const char *place = param ? "parameters.NAME" : "definitions.NAME";
  const amo_yaml *map = amo_yaml_get(ld->root, section);
  if (amo_yaml_is_null(map)) return;
  if (amo_yaml_expect(map, AMO_YAML_MAP, section, ld->diags) != AMO_OK) {
    amo_load_fail(ld, AMO_EINPUT);
    return;
  }
  for (const amo_yaml *c = map->first; c; c = c->next) {
    amo_key k;
    const amo_yaml *value = c, *bounds = NULL;
    amo_status st = amo_key_parse(ld, c->key, &k);
    if (st == AMO_OK && k.primes)
      st = amo_error(ld->diags, c->key->at, NULL, "'%s' must not have primes", c->key->text);
    if (st == AMO_OK && c->kind == AMO_YAML_MAP) {
      bounds = c;
      st = amo_yaml_only_of(c, k.base, amo_model_keys, place, ld->diags);
      const amo_yaml *table = param ? NULL : amo_yaml_get(c, "table");
      value = table ? amo_yaml_get(table, "of") : amo_yaml_get(c, "value");
      if (table && !value)
        st = amo_error(ld->diags, c->key->at, "of: t", "the table of %s has no 'of': where it is read",
                       k.base);
      else if (!value)
        st = amo_error(ld->diags, c->key->at, NULL, "%s has no value", k.base);
    }
    if (st == AMO_OK && k.indexed && !k.ranged && !amo_yaml_is(value, AMO_YAML_LIST))
      st = amo_error(ld->diags, c->key->at, "declare the family at once: m[1..N]: [1, 2, 3]",
                     "elements of a family cannot be declared one by one");
    if (st == AMO_OK) st = add_family(ld, param, c, value, bounds, k);
    if (st != AMO_OK) amo_load_fail(ld, st);
    if (st != AMO_OK && st != AMO_EINPUT) return;
  }
}

// ---- coordinates ----

static const char *text_of(amo_loader *ld, const amo_yaml *map, const char *key)
{
  const amo_yaml *n = amo_yaml_get(map, key);
  const char *s = "";
  if (n && amo_yaml_string(n, key, ld->diags, &s) != AMO_OK) amo_load_fail(ld, AMO_EINPUT);
  return s;
}

static void declare_coordinate(amo_loader *ld, const amo_yaml *key, const amo_yaml *info)
{
  amo_key k;
  amo_status st = amo_yaml_expect(key, AMO_YAML_SCALAR, "a coordinate", ld->diags);
  if (st == AMO_OK) st = amo_key_parse(ld, key, &k);
  if (st == AMO_OK && k.primes)
    st = amo_error(ld->diags, key->at, NULL,
                   "write the coordinate without prime; velocities come by themselves");
  if (st == AMO_OK && !amo_yaml_is_null(info)) {
    st = amo_yaml_expect(info, AMO_YAML_MAP, "a coordinate", ld->diags);
    if (st == AMO_OK) st = amo_yaml_only_of(info, k.base, amo_model_keys, "coordinates.NAME", ld->diags);
  }
  if (st == AMO_OK)
    st = amo_names_add(ld, (amo_entry_name){.name = k.base,
                                            .kind = AMO_NAME_COORDINATE,
                                            .indexed = k.indexed,
                                            .lo = k.lo,
                                            .count = k.hi < k.lo ? 0 : k.hi - k.lo + 1,
                                            .first = (uint32_t)ld->coords.count,
                                            .at = key->at});
  for (long i = k.lo; st == AMO_OK && i <= k.hi; i++) {
    amo_coord c = {.name = amo_element_name(ld, &k, i), .at = key->at};
    c.unit = text_of(ld, info, "unit");
    c.doc = text_of(ld, info, "doc");
    if (!count_element(ld, key->at)) return;
    if (!c.name || !AMO_ROOM(ld->coords.item, ld->coords.count, ld->coords.cap))
      st = AMO_ENOMEM;
    else
      ld->coords.item[ld->coords.count++] = c;
  }
  if (st != AMO_OK) amo_load_fail(ld, st);
}

static void declare_coordinates(amo_loader *ld)
{
  const amo_yaml *n = amo_yaml_get(ld->root, "coordinates");
  if (amo_yaml_is_null(n)) {
    /* A model may be of first-order states alone: a controller, a phase plane. */
    if (!amo_yaml_is_null(amo_yaml_get(ld->root, "states"))) return;
    amo_at at = n ? n->at : (amo_at){ld->root->at.file, 1, 1, 1};
    amo_load_fail(
        ld, amo_error(ld->diags, at, "coordinates: [x]", "the model has neither coordinates nor states"));
    return;
  }
  if (n->kind == AMO_YAML_SCALAR) declare_coordinate(ld, n, NULL);
  for (const amo_yaml *c = n->first; c; c = c->next)
    declare_coordinate(ld, n->kind == AMO_YAML_MAP ? c->key : c, n->kind == AMO_YAML_MAP ? c : NULL);
}

static const char *coordinate_known(void *ctx, size_t i)
{
  const amo_loader *ld = ctx;
  if (i >= ld->names.count) return NULL;
  return ld->names.item[i].kind == AMO_NAME_COORDINATE ? ld->names.item[i].name : "";
}

uint32_t amo_load_coordinate(amo_loader *ld, const char *base, bool indexed, long i, amo_at at)
{
  const amo_entry_name *e = amo_names_find(&ld->names, base, strlen(base));
  if (!e || e->kind != AMO_NAME_COORDINATE) {
    const char *near = amo_nearest(base, strlen(base), coordinate_known, ld);
    if (near && *near)
      amo_error(ld->diags, at, NULL, "'%s' is not a coordinate; did you mean '%s'?", base, near);
    else
      amo_error(ld->diags, at, NULL, "'%s' is not a coordinate", base);
  } else if (e->indexed != indexed) {
    amo_error(ld->diags, at, NULL,
              indexed ? "'%s' is a single coordinate and takes no index"
                      : "'%s' is a family of coordinates: write an index",
              base);
  } else if (indexed && (i < e->lo || i >= e->lo + e->count)) {
    amo_error(ld->diags, at, NULL, "index %ld of '%s' is outside %ld..%ld", i, base, e->lo,
              e->lo + e->count - 1);
  } else {
    return e->first + (uint32_t)(indexed ? i - e->lo : 0);
  }
  amo_load_fail(ld, AMO_EINPUT);
  return UINT32_MAX;
}

static amo_status declare_prescribed(amo_loader *ld, const amo_item *it, void *ctx)
{
  (void)ctx;
  size_t n = strcspn(it->name, "[");
  const char *base = amo_arena_str(&ld->arena, it->name, n);
  if (!base) return AMO_ENOMEM;
  uint32_t c = amo_load_coordinate(ld, base, it->name[n] == '[', it->i, it->node->key->at);
  if (c == UINT32_MAX) return AMO_EINPUT;
  ld->coords.item[c].prescribed = it->node;
  ld->coords.item[c].p_index = it->index;
  ld->coords.item[c].p_i = it->i;
  return AMO_OK;
}

// ---- states, contacts, constraints ----

amo_status amo_add_decl(amo_decls *to, amo_decl d)
{
  if (!AMO_ROOM(to->item, to->count, to->cap)) return AMO_ENOMEM;
  to->item[to->count++] = d;
  return AMO_OK;
}

static amo_status declare_state(amo_loader *ld, const amo_item *it, void *ctx)
{
  (void)ctx;
  size_t n = strcspn(it->name, "[");
  const char *base = amo_arena_str(&ld->arena, it->name, n);
  if (!base) return AMO_ENOMEM;
  bool indexed = it->name[n] == '[';
  amo_entry_name *e = amo_names_find(&ld->names, base, n);
  amo_status st = AMO_OK;
  if (e && e->kind == AMO_NAME_STATE && indexed && e->indexed && it->i == e->lo + e->count)
    e->count++;
  else
    st = amo_names_add(ld, (amo_entry_name){.name = base,
                                            .kind = AMO_NAME_STATE,
                                            .indexed = indexed,
                                            .lo = it->i,
                                            .count = 1,
                                            .first = (uint32_t)ld->states.count,
                                            .at = it->node->key->at});
  if (st != AMO_OK) return st;
  return amo_add_decl(&ld->states, (amo_decl){.item = *it, .contact = -1});
}

static const char *law_known(void *ctx, size_t i)
{
  (void)ctx;
  const amo_law *l = amo_law_at(i);
  return l ? l->type : NULL;
}

static amo_status refuse_law(amo_loader *ld, const amo_item *it, const amo_yaml *law, const amo_yaml *type)
{
  amo_text list = {0};
  amo_status st;
  amo_text_str(&list, "known laws: ");
  for (size_t i = 0; amo_law_at(i); i++) amo_text_printf(&list, "%s%s", i ? ", " : "", amo_law_at(i)->type);
  const char *near = type ? amo_nearest(type->text, type->length, law_known, NULL) : NULL;
  if (!type)
    st = amo_error(ld->diags, law->at, list.data, "the law of contact %s has no type", it->name);
  else if (near)
    st = amo_error(ld->diags, type->at, list.data, "unknown law '%s'; did you mean '%s'?", type->text, near);
  else
    st = amo_error(ld->diags, type->at, list.data, "unknown law '%.60s'", type->text);
  amo_text_free(&list);
  return st;
}

static amo_status find_law(amo_loader *ld, const amo_item *it, const amo_law **out)
{
  const amo_yaml *law = amo_yaml_get(it->node, "law"), *type = amo_yaml_get(law, "type");
  if (!law) return AMO_OK;  // reported when the contact is read
  if (law->kind == AMO_YAML_SCALAR)
    return amo_error(ld->diags, law->at, "law: {type: coulomb, mu: 0.3}", "a law is a mapping with its type");
  if (amo_yaml_expect(law, AMO_YAML_MAP, "law", ld->diags) != AMO_OK) return AMO_EINPUT;
  if (!amo_yaml_is(type, AMO_YAML_SCALAR)) return refuse_law(ld, it, law, NULL);
  *out = amo_law_find(type->text);
  return *out ? AMO_OK : refuse_law(ld, it, law, type);
}

/// The i-th state of a law, as these fields have it; NULL: it is not there.
static const char *law_state_name(const amo_law *law, int i, const amo_yaml *fields)
{
  if (law->state_with[i] && !amo_yaml_get(fields, law->state_with[i])) return NULL;
  const char *with = law->state_renamed[i].with;
  return with && amo_yaml_get(fields, with) ? law->state_renamed[i].name : law->states[i];
}

static amo_status declare_law_states(amo_loader *ld, amo_decl *c, long number)
{
  const amo_yaml *own =
      c->law && c->law->user_states ? amo_yaml_get(amo_yaml_get(c->item.node, "law"), "states") : NULL;
  amo_status st = AMO_OK;
  c->first_state = ld->states.count;
  if (own && amo_yaml_expect(own, AMO_YAML_MAP, "states of a law", ld->diags) != AMO_OK) return AMO_EINPUT;
  if (own && own->count > AMO_LAW_STATES)
    return amo_error(ld->diags, own->at, NULL, "a law may have %d states at most", AMO_LAW_STATES);
  const amo_yaml *n = own ? own->first : NULL;
  for (int i = 0; st == AMO_OK && (n || (c->law && i < AMO_LAW_STATES && c->law->states[i])); i++) {
    amo_decl d = {.item = c->item, .contact = number};
    d.local = n ? n->key->text : law_state_name(c->law, i, amo_yaml_get(c->item.node, "law"));
    if (!d.local) continue;
    d.item.node = n ? n : c->item.node;
    d.item.name = amo_arena_printf(&ld->arena, "%s.%s", c->item.name, d.local);
    if (!d.item.name) return AMO_ENOMEM;
    st = amo_add_decl(&ld->states, d);
    if (n) n = n->next;
  }
  c->nstates = ld->states.count - c->first_state;
  c->pause = ld->states.count;
  amo_decl pause = {.item = c->item, .contact = number, .local = amo_preliminary_state(c)};
  if (st != AMO_OK || !pause.local) return st;
  pause.item.name = amo_arena_printf(&ld->arena, "%s.%s", c->item.name, pause.local);
  return pause.item.name ? amo_add_decl(&ld->states, pause) : AMO_ENOMEM;
}

static amo_status declare_contact(amo_loader *ld, const amo_item *it, void *ctx)
{
  (void)ctx;
  amo_decl d = {.item = *it};
  amo_status st = amo_yaml_expect(it->node, AMO_YAML_MAP, it->name, ld->diags);
  if (st == AMO_OK) st = find_law(ld, it, &d.law);
  amo_status keep = amo_add_decl(&ld->contacts, d);
  return keep != AMO_OK ? keep : st;
}

static amo_status declare_constraint(amo_loader *ld, const amo_item *it, void *ctx)
{
  (void)ctx;
  return amo_add_decl(&ld->constraints, (amo_decl){.item = *it, .contact = -1});
}

// ---- leaves ----

static void number_leaves(amo_loader *ld)
{
  amo_model *m = ld->m;
  amo_leaves *l = &m->leaf;
  for (size_t i = 0; i < ld->coords.count; i++)
    if (ld->coords.item[i].prescribed) ld->coords.item[i].number = ld->coords.given++;
  m->prescribed.count = ld->coords.given;
  for (size_t i = 0; i < ld->coords.count; i++)
    if (!ld->coords.item[i].prescribed)
      ld->coords.item[i].number = ld->coords.item[i].massless ? ld->coords.given++ : m->nq++;
  m->np = (uint32_t)ld->params.count;
  m->nz = (uint32_t)ld->states.count;
  m->nc = (uint32_t)ld->contacts.count;
  m->ng = (uint32_t)ld->constraints.count;
  l->param = 0;
  l->t = m->np;
  l->q = l->t + 1;
  l->u = l->q + m->nq;
  l->z = l->u + m->nq;
  l->sigma = l->z + m->nz;
  l->eps = l->sigma + m->nc + AMO_MOST_SWITCHES;  // switches may join the contacts
  for (size_t i = 0; i < ld->contacts.count; i++)
    if (amo_yaml_is(amo_yaml_get(ld->contacts.item[i].item.node, "slip"), AMO_YAML_LIST)) m->nxi += 2;
  l->xi = l->eps + 1;
  l->acc = l->xi + m->nxi;
  l->lambda = l->acc + m->nq;
  l->multiplier = l->lambda + m->nc + AMO_MOST_SWITCHES;
  l->reaction = l->multiplier + m->ng;
  l->traction = l->reaction + m->nc + AMO_MOST_SWITCHES;
  l->count = l->traction + m->nxi;
  ld->inner.q = l->count;
  ld->inner.u = ld->inner.q + ld->coords.given;
  ld->inner.acc = ld->inner.u + ld->coords.given;
  ld->inner.drag = ld->inner.acc + ld->coords.given;
  ld->inner.loading = ld->inner.drag + m->nc;
  ld->inner.sliding = ld->inner.loading + m->nc;
  ld->inner.place = ld->inner.sliding + 1;
  ld->inner.count = ld->inner.place + 3;
}

static bool allocate(amo_model *m)
{
  m->param = amo_zalloc(m->np, sizeof *m->param);
  m->file.model = m;
  m->file.param = amo_zalloc(m->np, sizeof *m->file.param);
  m->sym.q = amo_zalloc(m->nq, sizeof *m->sym.q);
  m->sym.u = amo_zalloc(m->nq, sizeof *m->sym.u);
  m->extra = amo_zalloc(m->nz, sizeof *m->extra);
  m->contact = amo_zalloc(m->nc + AMO_MOST_SWITCHES, sizeof *m->contact);
  m->constraint = amo_zalloc(m->ng, sizeof *m->constraint);
  m->prescribed.item = amo_zalloc(m->prescribed.count, sizeof *m->prescribed.item);
  m->file.initial = amo_zalloc((size_t)2 * m->nq + m->nz, sizeof *m->file.initial);
  m->start.state = amo_zalloc((size_t)2 * m->nq + m->nz, sizeof *m->start.state);
  m->start.stated = amo_zalloc((size_t)2 * m->nq + m->nz + 1, sizeof *m->start.stated);
  m->h = amo_zalloc(m->nq, sizeof *m->h);
  m->h_smooth = amo_zalloc(m->nq, sizeof *m->h_smooth);
  m->r_h = amo_zalloc(m->nq, sizeof *m->r_h);
  m->fixed = amo_zalloc(m->leaf.count, sizeof *m->fixed);
  return m->param && m->file.param && m->sym.q && m->sym.u && m->extra && m->contact && m->constraint &&
         m->prescribed.item && m->file.initial && m->start.stated && m->start.state && m->h && m->h_smooth &&
         m->r_h && m->fixed;
}

/// Symbols of coordinates, states, contacts and constraints.
static bool name_symbols(amo_loader *ld)
{
  amo_model *m = ld->m;
  bool ok = true;
  for (size_t i = 0; ok && i < ld->coords.count; i++) {
    const amo_coord *c = &ld->coords.item[i];
    const char *prime = amo_arena_printf(&ld->arena, "%s'", c->name);
    const char *rate = *c->unit ? amo_arena_printf(&ld->arena, "%s/s", c->unit) : "";
    if (c->massless) continue;
    if (c->prescribed)
      ok = amo_sym_make(&m->prescribed.item[c->number].sym, c->name, c->unit, c->doc);
    else
      ok = prime && rate && amo_sym_make(&m->sym.q[c->number], c->name, c->unit, c->doc) &&
           amo_sym_make(&m->sym.u[c->number], prime, rate, "");
  }
  for (size_t i = 0; ok && i < ld->states.count; i++) {
    const amo_decl *s = &ld->states.item[i];
    bool own = s->contact < 0 && !s->moves && s->item.node->kind == AMO_YAML_MAP;
    m->extra[i].contact = s->contact;
    const char *unit = s->moves ? s->moves->unit : own ? text_of(ld, s->item.node, "unit") : "";
    const char *doc = s->moves ? s->moves->doc : own ? text_of(ld, s->item.node, "doc") : "";
    ok = amo_sym_make(&m->extra[i].sym, s->item.name, unit, doc);
  }
  for (size_t i = 0; ok && i < ld->contacts.count; i++) {
    const amo_yaml *n = ld->contacts.item[i].item.node;
    ok = amo_sym_make(&m->contact[i].sym, ld->contacts.item[i].item.name, "", text_of(ld, n, "doc"));
  }
  for (size_t i = 0; ok && i < ld->constraints.count; i++)
    ok = amo_sym_make(&m->constraint[i].sym, ld->constraints.item[i].item.name, "", "");
  return ok;
}

static void declare_parameters(amo_loader *ld)
{
  declare_lazy(ld, "parameters", true);
}

static void declare_definitions(amo_loader *ld)
{
  declare_lazy(ld, "definitions", false);
}

static void declare_others(amo_loader *ld)
{
  amo_load_each(ld, "prescribed", declare_prescribed, NULL);
  amo_load_each(ld, "states", declare_state, NULL);
  amo_load_each(ld, "contacts", declare_contact, NULL);
  const size_t written = ld->contacts.count;
  for (size_t i = 0; i < written && !amo_load_hopeless(ld); i++) {
    amo_declare_elements(ld, i);
    amo_decl *c = &ld->contacts.item[i];
    amo_status st = declare_law_states(ld, c, (long)(c->elements == 1 ? c->first_element : i));
    if (st != AMO_OK) amo_load_fail(ld, st);
  }
  for (uint32_t i = 0; i < ld->coords.count && ld->coords.massless; i++) {
    amo_coord *c = &ld->coords.item[i];
    c->massless = ld->coords.massless[i];
    c->state = (uint32_t)ld->states.count;
    amo_decl d = {.item = {.node = ld->root, .name = c->name}, .contact = -1, .moves = c};
    if (c->massless && amo_add_decl(&ld->states, d) != AMO_OK) amo_load_fail(ld, AMO_ENOMEM);
  }
  amo_load_each(ld, "constraints", declare_constraint, NULL);
  for (size_t i = 0; i < ld->contacts.count && !amo_load_hopeless(ld); i++) {
    amo_status st = amo_declare_wire(ld, &ld->contacts.item[i], (long)i);
    if (st != AMO_OK) amo_load_fail(ld, st);
  }
}

void amo_load_declare(amo_loader *ld)
{
  void (*const part[])(amo_loader *) = {declare_parameters, declare_definitions, declare_coordinates,
                                        declare_others};
  for (size_t i = 0; i < sizeof part / sizeof *part && !amo_load_hopeless(ld); i++) part[i](ld);
  if (amo_load_hopeless(ld)) return;  // names may be known whose elements are not
  number_leaves(ld);
  if (!allocate(ld->m) || !name_symbols(ld)) amo_load_fail(ld, AMO_ENOMEM);
}
