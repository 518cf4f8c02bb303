// SPDX-License-Identifier: Apache-2.0
/// The initial state: `initial:`, then the states' own `initial`, then zero; settings win.
#include <stdio.h>
#include <string.h>

#include "model/model.h"
#include "model/keys.h"

/// Column of the state that element i of a key names; -1 and a report if there is none.
static long column_of(amo_loader *ld, const amo_key *k, bool indexed, long i, amo_at at)
{
  const amo_model *m = ld->m;
  const amo_entry_name *e = amo_names_find(&ld->names, k->base, strlen(k->base));
  if (e && e->kind == AMO_NAME_STATE && !k->primes) {
    if (e->indexed != indexed || (indexed && (i < e->lo || i >= e->lo + e->count))) {
      amo_load_fail(ld, amo_error(ld->diags, at, NULL, "no such element of '%s'", k->base));
      return -1;
    }
    return (long)(2 * m->nq + e->first) + (indexed ? i - e->lo : 0);
  }
  if (k->primes > 1) {
    amo_load_fail(ld, amo_error(ld->diags, at, NULL, "accelerations have no initial value"));
    return -1;
  }
  uint32_t c = amo_load_coordinate(ld, k->base, indexed, i, at);
  if (c == UINT32_MAX) return -1;
  if (ld->coords.item[c].prescribed) {
    amo_load_fail(ld, amo_error(ld->diags, at, NULL, "%s is prescribed: it has no initial value",
                                ld->coords.item[c].name));
    return -1;
  }
  if (ld->coords.item[c].massless) return (long)(2 * m->nq + ld->coords.item[c].state);
  return (long)(ld->coords.item[c].number + (k->primes ? m->nq : 0));
}

/// A value, or {guess: value}: where to begin looking for what guides and constraints ask.
static void put(amo_loader *ld, long column, const amo_yaml *n, const char *index, long i)
{
  amo_expr_in in = {.what = "an initial value", .index = index, .i = i};
  const amo_yaml *guess = amo_yaml_is(n, AMO_YAML_MAP) ? amo_yaml_get(n, "guess") : NULL;
  if (guess && amo_yaml_only_of(n, "an initial value", amo_model_keys, "initial.NAME", ld->diags) != AMO_OK)
    amo_load_fail(ld, AMO_EINPUT);
  amo_node v = amo_load_expr(ld, guess ? guess : n, &in);
  if (column < 0 || v == AMO_NODE_NONE) return;
  ld->m->start.state[column] = v;
  ld->initial.given[column] = !guess;
}

/// The initial speed of a coordinate without mass is none of its states; laws may begin with it.
static bool put_speed(amo_loader *ld, const amo_key *k, bool indexed, long i, const amo_yaml *n)
{
  const amo_entry_name *e = amo_names_find(&ld->names, k->base, strlen(k->base));
  if (!e || e->kind != AMO_NAME_COORDINATE || k->primes != 1) return false;
  const uint32_t c = amo_load_coordinate(ld, k->base, indexed, i, n->at);
  if (c == UINT32_MAX || !ld->coords.item[c].massless) return false;
  amo_expr_in in = {.what = "an initial value", .index = k->index, .i = i};
  ld->coords.item[c].begins = amo_load_expr(ld, n, &in);
  return true;
}

/// x: 1, x: [1, 2], x[i=1..N]: i, x[2]: 3, each also with a prime.
static void load_key(amo_loader *ld, const amo_yaml *c)
{
  amo_key k;
  amo_status st = amo_key_parse(ld, c->key, &k);
  if (st != AMO_OK) {
    amo_load_fail(ld, st);
    return;
  }
  const amo_entry_name *e = amo_names_find(&ld->names, k.base, strlen(k.base));
  bool whole = e && e->indexed && !k.indexed;  // the name of a family alone means all of it
  long lo = whole ? e->lo : k.lo, hi = whole ? e->lo + e->count - 1 : k.hi;
  bool list = c->kind == AMO_YAML_LIST;
  const amo_yaml *item = list ? c->first : c;
  if (list && (long)c->count != hi - lo + 1) {
    amo_load_fail(ld, amo_error(ld->diags, c->at, NULL, "%s has %ld elements but %zu values are given",
                                k.base, hi - lo + 1, c->count));
    return;
  }
  for (long i = lo; i <= hi; i++) {
    const bool speed = put_speed(ld, &k, whole || k.indexed, i, item);
    if (speed && list) item = item->next;
    if (speed) continue;
    long column = column_of(ld, &k, whole || k.indexed, i, c->key->at);
    if (column < 0) return;
    put(ld, column, item, k.index, i);
    if (ld->m->start.state[column] == AMO_NODE_NONE) return;
    if (list) item = item->next;
  }
}

static long law_state(const amo_loader *ld, const char *name)
{
  for (size_t i = 0; i < ld->states.count; i++)
    if (ld->states.item[i].contact >= 0 && strcmp(ld->states.item[i].item.name, name) == 0)
      return (long)(2 * ld->m->nq + i);
  return -1;
}

static amo_node load_time(amo_loader *ld, const amo_yaml *c)
{
  amo_expr_in in = {.what = "the initial time"};
  amo_node v = amo_load_expr(ld, c, &in);
  return v;
}

static void apply_setting(amo_loader *ld, long column, const char *name, const char *family)
{
  const char *set = amo_setting_for(ld, name, family);
  if (!set) return;
  const char *file = amo_arena_printf(&ld->arena, "--set %s", name);
  if (!file) {
    amo_load_fail(ld, AMO_ENOMEM);
    return;
  }
  amo_at at = {amo_diags_source(ld->diags, file, set, strlen(set)), 1, 1, (int)strlen(set)};
  amo_expr_in in = {.what = "an initial value"};
  amo_node v = amo_load_text(ld, set, strlen(set), at, &in);
  if (v == AMO_NODE_NONE) return;
  if (column < 0)
    ld->initial.time = v;
  else
    ld->m->start.state[column] = v;
  if (column >= 0) ld->initial.given[column] = true;
}

/// "x" for "x[2]" and "x'" for "x[2]'"; NULL for a name without index.
static const char *family_of(amo_loader *ld, const char *name)
{
  const char *open = strchr(name, '['), *close = open ? strchr(open, ']') : NULL;
  if (!close || strchr(name, '.')) return NULL;
  return amo_arena_printf(&ld->arena, "%.*s%s", (int)(open - name), name, close + 1);
}

/// Does the call itself give initial values? Then the file's own ones are only where to begin.
static bool starts_elsewhere(const amo_loader *ld)
{
  const amo_model *m = ld->m;
  for (size_t i = 0; i < ld->settings.count; i++) {
    for (uint32_t k = 0; k < m->nq; k++)
      if (!strcmp(ld->settings.item[i].name, m->sym.q[k].name) ||
          !strcmp(ld->settings.item[i].name, m->sym.u[k].name))
        return true;
  }
  return false;
}

static void apply_settings(amo_loader *ld)
{
  amo_model *m = ld->m;
  if (!ld->settings.count) return;
  if (starts_elsewhere(ld))
    memset(ld->initial.given, 0, ((size_t)2 * m->nq + m->nz) * sizeof *ld->initial.given);
  for (uint32_t i = 0; i < m->nq; i++) {
    apply_setting(ld, i, m->sym.q[i].name, family_of(ld, m->sym.q[i].name));
    apply_setting(ld, m->nq + i, m->sym.u[i].name, family_of(ld, m->sym.u[i].name));
  }
  for (uint32_t i = 0; i < m->nz; i++)
    apply_setting(ld, 2 * m->nq + i, m->extra[i].sym.name, family_of(ld, m->extra[i].sym.name));
  apply_setting(ld, -1, "time", NULL);
}

/// Memories of laws that follow from how everything else begins, where they are not stated.
static void follow_state(amo_loader *ld)
{
  amo_model *m = ld->m;
  const size_t n = (size_t)2 * m->nq + m->nz;
  amo_node *start = amo_arena_alloc(&ld->arena, ld->inner.count * sizeof *start);
  if (!start) {
    amo_load_fail(ld, AMO_ENOMEM);
    return;
  }
  start[m->leaf.t] = ld->initial.time;
  for (uint32_t i = 0; i < ld->coords.count; i++) {
    const amo_coord *c = &ld->coords.item[i];
    for (int k = 0; c->prescribed && k < 3; k++)
      start[(k == 0   ? ld->inner.q
             : k == 1 ? ld->inner.u
                      : ld->inner.acc) +
            c->number] = amo_subst(ld->dag, c->motion[k], start, m->leaf.t + 1);
    if (c->massless) start[ld->inner.u + c->number] = c->begins;
    const amo_node at = c->massless ? m->start.state[2 * m->nq + c->state] : AMO_NODE_NONE;
    if (c->massless) start[ld->inner.q + c->number] = at == AMO_NODE_NONE ? amo_const(ld->dag, 0.0) : at;
  }
  for (uint32_t i = 0; i < n; i++)
    if (i < 2 * m->nq || m->extra[i - 2 * m->nq].initial == AMO_NODE_NONE)
      start[amo_state_leaf(m, i)] =
          m->start.state[i] == AMO_NODE_NONE ? amo_const(ld->dag, 0.0) : m->start.state[i];
  for (uint32_t c = 0; c < m->nc; c++) {
    const amo_contact *k = &m->contact[c];
    start[m->leaf.sigma + c] =
        amo_is_massless(k) || amo_slip_rows(k) > 1
            ? amo_const(ld->dag, 1.0)
            : amo_op1(ld->dag, AMO_OP_SIGN, amo_subst(ld->dag, k->slip, start, ld->inner.count));
  }
  for (uint32_t i = 0; i < m->nz; i++) {
    amo_node *x = &m->start.state[2 * m->nq + i];
    if (m->extra[i].initial != AMO_NODE_NONE && *x == AMO_NODE_NONE)
      *x = amo_subst(ld->dag, m->extra[i].initial, start, ld->inner.count);
    if (*x != AMO_NODE_NONE && amo_node_depends(ld->dag, *x, ld->inner.q, ld->inner.count - ld->inner.q))
      amo_load_fail(ld, amo_error(ld->diags, amo_yaml_at(ld->states.item[i].item.node),
                                  "state it, or the initial speed: initial: {x': v}",
                                  "%s has no initial value: the speed of what has no mass follows from it",
                                  m->extra[i].sym.name));
  }
}

void amo_load_initial(amo_loader *ld)
{
  const amo_yaml *map = amo_yaml_get(ld->root, "initial");
  size_t n = (size_t)2 * ld->m->nq + ld->m->nz;
  ld->initial.given = amo_zalloc(n + 1, sizeof *ld->initial.given);
  if (!ld->initial.given) {
    amo_load_fail(ld, AMO_ENOMEM);
    return;
  }
  for (size_t i = 0; i < ld->states.count; i++) {  // a state may bring its own value
    const amo_decl *s = &ld->states.item[i];
    const amo_yaml *own = amo_yaml_get(s->item.node, "initial");
    if (s->moves) continue;
    bool user = s->contact < 0 ||
                (ld->contacts.item[s->contact].law && ld->contacts.item[s->contact].law->user_states);
    if (own && user) put(ld, (long)(2 * ld->m->nq + i), own, s->item.index, s->item.i);
  }
  ld->initial.time = amo_const(ld->dag, 0.0);
  if (!amo_yaml_is_null(map)) {
    if (amo_yaml_expect(map, AMO_YAML_MAP, "initial", ld->diags) != AMO_OK) amo_load_fail(ld, AMO_EINPUT);
    for (const amo_yaml *c = map->first; c && map->kind == AMO_YAML_MAP; c = c->next) {
      long z = law_state(ld, c->key->text);
      if (strcmp(c->key->text, "time") == 0)
        ld->initial.time = load_time(ld, c);
      else if (z >= 0)
        put(ld, z, c, NULL, 0);
      else
        load_key(ld, c);
    }
  }
  memcpy(ld->m->start.stated, ld->initial.given, n * sizeof *ld->initial.given);
  apply_settings(ld);
  follow_state(ld);
  for (size_t i = 0; i < n; i++)
    if (ld->m->start.state[i] == AMO_NODE_NONE) ld->m->start.state[i] = amo_const(ld->dag, 0.0);
}
