// SPDX-License-Identifier: Apache-2.0
// describe: what the engine understood of a model.
#include <stdlib.h>
#include <string.h>

#include "ask/describe/describe.h"
#include "result/json.h"
#include "ask/describe/model_text.h"
#include "ask/motion/simulate.h"

#define MAX_CHARS 400  // of one formula

static const amo_opt_def opts[] = {{NULL, AMO_OPT_FLAG, NULL, NULL, NULL, NULL, 0, 0}};

static void add_text(cJSON *o, const char *name, char *text)
{
  cJSON_AddStringToObject(o, name, text ? text : "");
  free(text);
}

static void add_formula(cJSON *o, const char *name, const amo_model *m, amo_node n)
{
  if (n != AMO_NODE_NONE) add_text(o, name, amo_model_text(m, n, MAX_CHARS));
}

static void add_symbol(cJSON *o, const amo_sym *s)
{
  if (s->unit && *s->unit) cJSON_AddStringToObject(o, "unit", s->unit);
  if (s->doc && *s->doc) cJSON_AddStringToObject(o, "doc", s->doc);
}

static cJSON *parameters(const amo_values *v)
{
  const amo_model *m = v->model;
  cJSON *all = cJSON_CreateObject();
  for (uint32_t i = 0; i < m->np; i++) {
    cJSON *o = cJSON_AddObjectToObject(all, m->param[i].sym.name);
    amo_json_add(o, "value", v->param[i]);
    add_symbol(o, &m->param[i].sym);
    add_formula(o, "formula", m, m->param[i].expr);
  }
  return all;
}

static cJSON *states(const amo_values *v)
{
  const amo_model *m = v->model;
  cJSON *all = cJSON_CreateObject();
  for (uint32_t i = 0; i < 2 * m->nq + m->nz; i++) {
    const amo_extra *z = i < 2 * m->nq ? NULL : &m->extra[i - 2 * m->nq];
    const amo_sym *s = z ? &z->sym : i < m->nq ? &m->sym.q[i] : &m->sym.u[i - m->nq];
    cJSON *o = cJSON_AddObjectToObject(all, s->name);
    cJSON_AddStringToObject(o, "kind", z ? "extra" : i < m->nq ? "coordinate" : "velocity");
    amo_json_add(o, "initial", v->initial[i]);
    add_symbol(o, s);
    if (!z) continue;
    add_formula(o, "rate", m, z->rate);
    add_formula(o, "reset", m, z->reset);
    if (z->contact >= 0) cJSON_AddStringToObject(o, "contact", m->contact[z->contact].sym.name);
  }
  return all;
}

static cJSON *contacts(const amo_model *m)
{
  cJSON *all = cJSON_CreateObject();
  for (uint32_t i = 0; i < m->nc; i++) {
    const amo_contact *c = &m->contact[i];
    cJSON *o = cJSON_AddObjectToObject(all, c->sym.name);
    cJSON_AddStringToObject(o, "law", c->law_type ? c->law_type : "");
    add_symbol(o, &c->sym);
    if (c->spatial) {
      cJSON *pair = cJSON_AddArrayToObject(o, "slip");
      for (int a = 0; a < 2; a++) {
        char *text = amo_model_text(m, c->axis[a].slip, MAX_CHARS);
        cJSON_AddItemToArray(pair, cJSON_CreateString(text ? text : ""));
        free(text);
      }
    } else {
      add_formula(o, "slip", m, c->slip);
    }
    cJSON_AddStringToObject(o, "kind", amo_contact_kind_name(c));
    add_formula(o, c->kind == AMO_SUPPORT ? "support" : "guide", m, c->gap);
    if (c->kind == AMO_SUPPORT) add_formula(o, "restitution", m, c->restitution);
    add_formula(o, "normal", m, c->normal);
    add_formula(o, "bound", m, c->bound);
    add_formula(o, "kinetic", m, c->kinetic);
  }
  return all;
}

static cJSON *constraints(const amo_model *m)
{
  cJSON *all = cJSON_CreateObject();
  for (uint32_t i = 0; i < m->ng; i++) {
    const amo_constraint *c = &m->constraint[i];
    cJSON *o = cJSON_AddObjectToObject(all, c->sym.name);
    cJSON_AddStringToObject(o, "level", c->velocity_level ? "velocity" : "position");
    add_symbol(o, &c->sym);
    add_formula(o, "zero", m, c->velocity_level ? c->rate : c->residual);
  }
  return all;
}

static cJSON *outputs(const amo_model *m)
{
  cJSON *all = cJSON_CreateObject();
  for (uint32_t i = 0; i < m->nout; i++) {
    cJSON *o = cJSON_AddObjectToObject(all, m->output[i].sym.name);
    add_symbol(o, &m->output[i].sym);
    add_formula(o, "formula", m, m->output[i].node);
  }
  return all;
}

static cJSON *prescribed(const amo_model *m)
{
  cJSON *all = cJSON_CreateObject();
  for (uint32_t i = 0; i < m->prescribed.count; i++) {
    cJSON *o = cJSON_AddObjectToObject(all, m->prescribed.item[i].sym.name);
    add_symbol(o, &m->prescribed.item[i].sym);
    add_formula(o, "position", m, m->prescribed.item[i].position);
  }
  return all;
}

/// Each guide holds one coordinate, like a constraint.
static uint32_t guides(const amo_model *m)
{
  uint32_t n = 0;
  for (uint32_t i = 0; i < m->nc; i++) n += m->contact[i].kind == AMO_GUIDE;
  return n;
}

static amo_status run(const amo_call *call, cJSON **result)
{
  const amo_model *m = call->model;
  cJSON *o = cJSON_CreateObject();
  if (!o) return AMO_ENOMEM;
  char *name = amo_model_label(m);
  cJSON_AddStringToObject(o, "name", name ? name : "");
  free(name);
  cJSON_AddStringToObject(o, "title", m->title ? m->title : "");
  cJSON_AddNumberToObject(o, "degrees_of_freedom", (double)m->nq - (double)m->ng - (double)guides(m));
  cJSON_AddItemToObject(o, "parameters", parameters(call->values));
  cJSON_AddItemToObject(o, "states", states(call->values));
  cJSON *equations = cJSON_AddObjectToObject(o, "equations");
  amo_status st = amo_model_equations(m, MAX_CHARS, equations);
  cJSON_AddItemToObject(o, "contacts", contacts(m));
  cJSON_AddItemToObject(o, "constraints", constraints(m));
  cJSON_AddItemToObject(o, "prescribed", prescribed(m));
  cJSON_AddItemToObject(o, "outputs", outputs(m));
  cJSON *energy = cJSON_AddObjectToObject(o, "energy");
  add_formula(energy, "kinetic", m, m->report.kinetic);
  add_formula(energy, "potential", m, m->report.potential);
  amo_json_add(o, "t0", call->values->t0);
  *result = o;
  return st == AMO_OK ? amo_dag_status(m->dag) : st;
}

const amo_verb amo_verb_describe = {
    .name = "describe",
    .summary = "what the engine understood: equations, contacts, laws, parameters",
    .usage = "MODEL [options]",
    .description =
        "Shows the model as it was understood: parameters with values and units, coordinates and their "
        "initial "
        "values, the equations of motion found by Lagrange's method, each contact with its slip velocity and "
        "friction law, constraints, outputs.",
    .example = "amontons describe models/block-on-belt.yaml",
    .opts = opts,
    .run = run,
    .print = amo_describe_print};
