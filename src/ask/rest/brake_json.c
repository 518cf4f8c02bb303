// SPDX-License-Identifier: Apache-2.0
#include "ask/rest/brake_json.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "result/json.h"

#define DEGREES (180.0 / AMO_PI)

cJSON *amo_vector_json(const double *v, int dims)
{
  cJSON *list = cJSON_CreateArray();
  for (int k = 0; k < dims; k++) cJSON_AddItemToArray(list, amo_json_number(v[k]));
  return list;
}

static cJSON *by_coordinate(const amo_model *m, const double *x)
{
  cJSON *o = cJSON_CreateObject();
  for (uint32_t i = 0; i < m->nq; i++) amo_json_add(o, m->sym.q[i].name, x[i]);
  return o;
}

static void contact_json(const amo_brake_run *r, const amo_held *h, cJSON *o)
{
  const amo_model *m = r->call->model;
  const bool guide = m->contact[h->contact].kind == AMO_GUIDE;
  cJSON_AddStringToObject(o, "kind", guide ? "guide" : "pressed");
  cJSON_AddStringToObject(o, "per", m->sym.q[h->per].name);
  amo_json_add(o, "p", h->rough.p);
  if (guide) {
    amo_json_add(o, "mu", h->rough.mu);
    amo_json_add(o, "L", h->rough.L);
    amo_json_add(o, "mu_L", h->rough.mu_kinetic * fabs(h->rough.L));
    cJSON_AddBoolToObject(o, "paradox", h->rough.mu_kinetic * fabs(h->rough.L) > 1.0);
  } else {
    amo_json_add(o, "bound", h->bound);
  }
  cJSON_AddItemToObject(o, "motion", by_coordinate(m, h->motion));
  if (guide) cJSON_AddItemToObject(o, "lift", by_coordinate(m, h->lift));
}

void amo_brake_head_json(const amo_brake_run *r, cJSON *o)
{
  const amo_model *m = r->call->model;
  cJSON *state = cJSON_CreateObject(), *all = cJSON_CreateObject();
  cJSON_AddStringToObject(o, "model", amo_model_name(m));
  amo_json_add(o, "t", r->t);
  for (uint32_t i = 0; i < m->nq; i++) amo_json_add(state, m->sym.q[i].name, r->state[i]);
  cJSON_AddItemToObject(o, "state", state);
  for (uint32_t i = 0; i < r->brake->count; i++)
    contact_json(r, &r->brake->held[i],
                 cJSON_AddObjectToObject(all, m->contact[r->brake->held[i].contact].sym.name));
  cJSON_AddItemToObject(o, "contacts", all);
  if (r->brake->count != 1) return;
  cJSON_AddStringToObject(o, "contact", m->contact[r->brake->held[0].contact].sym.name);
  contact_json(r, &r->brake->held[0], o);
}

static void braking_json(const amo_braking *x, int dims, const amo_held *h, cJSON *o)
{
  const double length = sqrt(x->a[0] * x->a[0] + x->a[1] * x->a[1] + x->a[2] * x->a[2]);
  cJSON_AddItemToObject(o, "a", amo_vector_json(x->a, dims));
  cJSON_AddItemToObject(o, "b", amo_vector_json(x->b, dims));
  cJSON_AddBoolToObject(o, "parallel", x->parallel);
  amo_json_add_or(o, "kappa", x->kappa,
                  "the point does not move with the lift, or the contact not with the motion");
  amo_json_add_or(o, "gamma", x->gamma, "a and b are not parallel, or b is zero");
  amo_json_add(o, "margin", x->margin);
  amo_json_add(o, "cos_psi", x->cos_psi);
  cJSON_AddItemToObject(o, "n_plus", amo_vector_json(x->n_plus, dims));
  cJSON_AddItemToObject(o, "n_minus", amo_vector_json(x->n_minus, dims));
  if (!isnan(h->bound) && length > 0.0) amo_json_add(o, "force_limit", h->bound * h->rough.p / length);
}

static void angles_json(double psi, double sure, cJSON *o)
{
  amo_json_add(o, "psi", psi);
  amo_json_add(o, "phi", AMO_PI - psi);
  amo_json_add(o, "psi_deg", psi * DEGREES);
  amo_json_add(o, "phi_deg", (AMO_PI - psi) * DEGREES);
  amo_json_add_or(o, "psi_sure", sure, "static and kinetic friction differ, or several contacts are rough");
  amo_json_add(o, "psi_ambiguous", psi - sure);
}

cJSON *amo_brake_point_json(const amo_brake_run *r, const amo_moving_point *spot)
{
  const uint32_t n = r->brake->count;
  const amo_model *m = r->call->model;
  amo_braking *x = amo_zalloc(n, sizeof *x);
  cJSON *o = cJSON_CreateObject();
  if (!x) return o;
  amo_brake_point(r->brake, spot->jacobian, r->tol, r->size, x);
  amo_brake_class kind = amo_brake_together(x, n, false), source = amo_brake_together(x, n, true);
  cJSON_AddItemToObject(o, "at", amo_vector_json(spot->place, spot->dims));
  cJSON_AddStringToObject(o, "class", amo_brake_class_name(kind));
  cJSON_AddStringToObject(o, "source", amo_brake_class_name(source));
  cJSON_AddBoolToObject(o, "source_differs", kind != source);
  if (n == 1) {
    angles_json(x[0].psi, x[0].psi_sure, o);
    braking_json(&x[0], spot->dims, &r->brake->held[0], o);
  } else {
    cJSON *all = cJSON_CreateObject();
    angles_json(spot->dims == 2 ? amo_brake_angle(x, n) : NAN, NAN, o);
    for (uint32_t i = 0; i < n; i++) {
      cJSON *one = cJSON_AddObjectToObject(all, m->contact[r->brake->held[i].contact].sym.name);
      cJSON_AddStringToObject(one, "class", amo_brake_class_name(x[i].kind));
      angles_json(x[i].psi, x[i].psi_sure, one);
      braking_json(&x[i], spot->dims, &r->brake->held[i], one);
    }
    cJSON_AddItemToObject(o, "contacts", all);
  }
  free(x);
  return o;
}
