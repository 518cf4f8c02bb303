// SPDX-License-Identifier: Apache-2.0
// A quasi-static path as JSON and as a trajectory.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "result/json.h"
#include "ask/steady/quasistatic_json.h"

static cJSON *modes_json(const amo_model *m, const signed char *mode)
{
  cJSON *o = cJSON_CreateObject();
  for (uint32_t c = 0; c < m->nc; c++) amo_json_add_mode(o, m->contact[c].sym.name, mode[c]);
  return o;
}

static cJSON *coordinates_json(const amo_model *m, const double *q)
{
  cJSON *o = cJSON_CreateObject();
  for (uint32_t i = 0; i < m->nq; i++) amo_json_add(o, m->sym.q[i].name, q[i]);
  return o;
}

static const char *kind_of(const amo_quasistatic_event *e)
{
  if (e->jump) return "jump";
  if (e->to == AMO_OPEN) return "opening";
  if (e->from == AMO_OPEN) return "closing";
  return e->from == AMO_STICK ? "stick-slip" : e->to == AMO_STICK ? "slip-stick" : "slip-slip";
}

static cJSON *event_json(const amo_model *m, const amo_quasistatic_event *e)
{
  cJSON *o = cJSON_CreateObject();
  amo_json_add(o, "t", e->t);
  cJSON_AddStringToObject(o, "contact", m->contact[e->contact].sym.name);
  amo_json_add_mode(o, "from", e->from);
  amo_json_add_mode(o, "to", e->to);
  cJSON_AddStringToObject(o, "kind", kind_of(e));
  cJSON_AddBoolToObject(o, "jump", e->jump);
  cJSON_AddNumberToObject(o, "answers", (double)e->answers);
  cJSON_AddItemToObject(o, "state", coordinates_json(m, e->q));
  return o;
}

cJSON *amo_path_json(const amo_call *call, const amo_quasistatic *p)
{
  static const char *const word[] = {"ok", "nonunique", "discontinuity", "none"};
  const amo_model *m = call->model;
  cJSON *o = cJSON_CreateObject(), *list = NULL, *final = NULL, *audit = NULL, *normal = NULL;
  size_t last = p->rows - 1;
  cJSON_AddStringToObject(o, "model", amo_model_name(m));
  cJSON_AddStringToObject(o, "status", word[p->status]);
  if (p->reason[0]) cJSON_AddStringToObject(o, "reason", p->reason);
  cJSON_AddItemToObject(o, "start", modes_json(m, p->start));
  list = cJSON_AddArrayToObject(o, "events");
  for (size_t i = 0; i < p->events; i++) cJSON_AddItemToArray(list, event_json(m, &p->event[i]));
  final = cJSON_AddObjectToObject(o, "final");
  amo_json_add(final, "t", p->t[last]);
  cJSON_AddItemToObject(final, "state", coordinates_json(m, p->q + last * p->coordinates));
  cJSON_AddItemToObject(final, "modes", modes_json(m, p->mode + last * p->contacts));
  normal = cJSON_AddObjectToObject(final, "reactions");
  for (uint32_t c = 0; c < m->nc; c++)
    amo_json_add(normal, m->contact[c].sym.name, p->normal[last * p->contacts + c]);
  audit = cJSON_AddObjectToObject(o, "audit");
  cJSON_AddBoolToObject(audit, "ok", p->violation < 1e-8);
  amo_json_add(audit, "violation", p->violation);
  cJSON_AddNumberToObject(o, "count", (double)p->events);
  cJSON_AddNumberToObject(o, "rows", (double)p->rows);
  return o;
}

// ---- trajectory ----

static amo_status add(amo_trajectory *t, const char *name, const char *part, const char *unit,
                      const double *value, size_t step)
{
  amo_column *c = &t->column[t->columns++];
  size_t n = strlen(name) + strlen(part) + 1;
  c->name = amo_zalloc(n, 1);
  c->unit = amo_strdup(unit);
  c->value = amo_zalloc(t->rows, sizeof *c->value);
  if (!c->name || !c->unit || !c->value) return AMO_ENOMEM;
  snprintf(c->name, n, "%s%s", name, part);
  for (size_t i = 0; value && i < t->rows; i++) c->value[i] = value[i * step];
  return AMO_OK;
}

static amo_status add_contact(amo_trajectory *t, const amo_model *m, const amo_quasistatic *p, uint32_t c)
{
  const char *name = m->contact[c].sym.name;
  const size_t nc = p->contacts;
  amo_status st = add(t, name, ".normal", "", p->normal + c, nc);
  if (st == AMO_OK)
    st = add(t, name, m->contact[c].spatial ? ".force1" : ".force", "", p->friction + 2 * c, 2 * nc);
  if (st == AMO_OK && m->contact[c].spatial)
    st = add(t, name, ".force2", "", p->friction + 2 * c + 1, 2 * nc);
  if (st == AMO_OK) st = add(t, name, ".bound", "", p->bound + c, nc);
  if (st == AMO_OK) st = add(t, name, ".gap", "", p->gap + c, nc);
  if (st == AMO_OK) st = add(t, name, ".mode", "", NULL, 0);
  for (size_t i = 0; st == AMO_OK && i < t->rows; i++)
    t->column[t->columns - 1].value[i] = p->mode[i * nc + c];
  return st;
}

amo_status amo_path_trajectory(const amo_model *m, const amo_quasistatic *p, amo_trajectory **out)
{
  amo_trajectory *t = *out = amo_zalloc(1, sizeof *t);
  if (!t) return AMO_ENOMEM;
  t->rows = p->rows;
  t->contacts = m->nc;
  t->coordinates = m->nq;
  t->states = amo_model_states(m);
  t->column = amo_zalloc(1 + m->nq + 7u * (size_t)m->nc, sizeof *t->column);
  t->initial_mode = amo_zalloc(m->nc, 1);
  t->is_step_end = amo_zalloc(p->rows, sizeof *t->is_step_end);
  amo_status st = t->column && t->initial_mode && t->is_step_end ? AMO_OK : AMO_ENOMEM;
  if (st == AMO_OK) st = add(t, "t", "", "", p->t, 1);
  for (uint32_t i = 0; st == AMO_OK && i < m->nq; i++)
    st = add(t, m->sym.q[i].name, "", m->sym.q[i].unit, p->q + i, p->coordinates);
  for (uint32_t c = 0; st == AMO_OK && c < m->nc; c++) st = add_contact(t, m, p, c);
  if (st == AMO_OK) {
    memset(t->is_step_end, true, p->rows * sizeof *t->is_step_end);
    memcpy(t->initial_mode, p->start, m->nc);
    return AMO_OK;
  }
  amo_trajectory_free(t);
  *out = NULL;
  return st;
}
