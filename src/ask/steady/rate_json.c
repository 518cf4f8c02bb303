// SPDX-License-Identifier: Apache-2.0
// The rate problem at a state (explore/rates/rates.h) as JSON.
#include <math.h>
#include <stdlib.h>

#include "ask/steady/quasistatic_json.h"
#include "result/json.h"

static void add_friction(cJSON *o, const char *name, int axes, const double *L)
{
  if (axes == 2)
    cJSON_AddItemToObject(o, name, amo_json_pair(L[0], L[1]));
  else
    amo_json_add(o, name, L[0]);
}

static cJSON *solution_json(const amo_rate_state *r, const amo_rate_solution *x)
{
  const amo_statics *s = r->s;
  cJSON *o = cJSON_CreateObject(), *modes = cJSON_AddObjectToObject(o, "modes");
  cJSON *rates = cJSON_AddObjectToObject(o, "rates"), *normal = cJSON_AddObjectToObject(o, "reactions");
  cJSON *friction = cJSON_AddObjectToObject(o, "friction"), *speed = cJSON_AddObjectToObject(o, "speeds");
  cJSON *angle = cJSON_AddObjectToObject(o, "angles");
  for (uint32_t i = 0; i < s->nq; i++) amo_json_add(rates, s->m->sym.q[i].name, x->rate[i]);
  for (uint32_t c = 0; c < s->nc; c++) {
    const amo_contact *k = &s->m->contact[c];
    const double a = amo_rate_angle(s, x, c);
    amo_json_add_mode(modes, k->sym.name, amo_qs_number(s, c, &x->mode[c]));
    amo_json_add(normal, k->sym.name, x->rate[s->nq + c]);
    add_friction(friction, k->sym.name, amo_rate_axes(r, c), x->rate + s->nq + s->nc + 2 * c);
    amo_json_add(speed, k->sym.name, amo_rate_speed(s, x, c));
    if (!isnan(a)) amo_json_add(angle, k->sym.name, a);
  }
  if (s->nc == 1) {
    cJSON_AddStringToObject(o, "kind", amo_rate_word(s, 0, &x->mode[0]));
    amo_json_add(o, "speed", amo_json_get(speed, s->m->contact[0].sym.name));
    amo_json_add(o, "R", x->rate[s->nq]);
    if (amo_rate_axes(r, 0) == 2) amo_json_add(o, "angle", amo_json_get(angle, s->m->contact[0].sym.name));
  }
  amo_json_add(o, "margin", fmin(x->margin, 1e300));
  return o;
}

static void add_equilibria(cJSON *o, const amo_rate_equilibria *e)
{
  cJSON *set = cJSON_AddObjectToObject(o, "equilibria");
  cJSON_AddItemToObject(set, "focus", amo_json_pair(e->focus[0], e->focus[1]));
  amo_json_add(set, "R0", e->R0);
  amo_json_add(set, "eccentricity", e->eccentricity);
  cJSON_AddBoolToObject(set, "empty", e->empty);
  amo_json_add_or(set, "area", e->area, "unbounded");
  cJSON_AddItemToObject(set, "centre", amo_json_pair(e->centre[0], e->centre[1]));
}

static amo_status contact_json(amo_rate_state *r, uint32_t c, cJSON *o)
{
  static const char *const place[] = {"apart", "inside", "edge", "vertex"};
  const amo_contact *k = &r->s->m->contact[c];
  const int axes = amo_rate_axes(r, c);
  amo_rate_contact x;
  const amo_status st = amo_rate_contact_find(r, c, &x);
  if (st != AMO_OK) return st;
  cJSON_AddStringToObject(o, "place", place[r->at[c].place]);
  amo_json_add(o, "reaction", x.reaction);
  add_friction(o, "friction", axes, x.friction);
  amo_json_add(o, "bound", x.bound);
  if (amo_has_gap(k)) amo_json_add(o, "gap", r->s->gap[c]);
  if (!x.responds) return AMO_OK;
  amo_json_add(o, "X_min", x.X_min);
  amo_json_add(o, "X_min_angle", x.X_min_angle);
  amo_json_add(o, "D_min", x.D_min);
  if (axes == 2) add_equilibria(o, &x.equilibria);
  if (!x.on_edge) return AMO_OK;
  if (axes == 2) amo_json_add(o, "angle", x.angle);
  amo_json_add(o, "direction", axes == 2 ? x.angle : r->at[c].d[0]);
  amo_json_add(o, "X", x.X);
  amo_json_add(o, "drive", x.drive);
  amo_json_add(o, "speed", x.speed);
  if (axes == 2) amo_json_add(o, "turn", x.turn);
  return AMO_OK;
}

amo_status amo_rate_json(const amo_call *call, double t, amo_rate_state *r, cJSON **result)
{
  const amo_model *m = call->model;
  cJSON *o = *result = cJSON_CreateObject();
  char *words = amo_rate_words(r);
  amo_status st = words ? AMO_OK : AMO_ENOMEM;
  cJSON_AddStringToObject(o, "model", amo_model_name(m));
  amo_json_add(o, "t", t);
  cJSON *state = cJSON_AddObjectToObject(o, "state");
  for (uint32_t i = 0; i < m->nq; i++) amo_json_add(state, m->sym.q[i].name, r->known.y[i]);
  cJSON_AddBoolToObject(o, "equilibrium", !r->beyond);
  cJSON_AddStringToObject(o, "class", r->all.count == 0 ? "none" : r->all.count == 1 ? "unique" : "several");
  cJSON_AddNumberToObject(o, "count", (double)r->all.count);
  cJSON_AddStringToObject(o, "answers", words ? words : "");
  cJSON_AddBoolToObject(o, "border", r->all.border);
  cJSON_AddNumberToObject(o, "order", r->s->lead);
  cJSON *list = cJSON_AddArrayToObject(o, "solutions");
  for (size_t i = 0; i < r->all.count; i++) cJSON_AddItemToArray(list, solution_json(r, &r->all.item[i]));
  cJSON *contacts = cJSON_AddObjectToObject(o, "contacts");
  for (uint32_t c = 0; st == AMO_OK && c < m->nc; c++)
    st = contact_json(r, c, cJSON_AddObjectToObject(contacts, m->contact[c].sym.name));
  if (m->nc == 1) {
    amo_json_add(o, "X_min", amo_json_get(contacts->child, "X_min"));
    amo_json_add(o, "D_min", amo_json_get(contacts->child, "D_min"));
  }
  free(words);
  return st;
}
