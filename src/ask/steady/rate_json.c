// SPDX-License-Identifier: Apache-2.0
// The rate problem at a state.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "quasistatic/conditions.h"
#include "result/json.h"
#include "ask/steady/quasistatic_json.h"

void amo_rate_state_free(amo_rate_state *r)
{
  amo_rates_free(&r->all);
  amo_statics_free(r->s);
  free(r->at);
  *r = (amo_rate_state){0};
}

amo_status amo_rate_state_find(const amo_call *call, double t, const double *state, amo_rate_state *out)
{
  const amo_model *m = call->model;
  *out = (amo_rate_state){.at = amo_zalloc(m->nc, sizeof *out->at)};
  amo_qs_mode *mode = amo_zalloc(m->nc, sizeof *mode);
  bool said = false;
  amo_status st = amo_statics_new(call->values, &out->s);
  if (st == AMO_OK) st = out->at && mode ? amo_qs_known_new(out->s, &out->known) : AMO_ENOMEM;
  if (st == AMO_OK) {
    memcpy(out->known.y, state, m->nq * sizeof *state);
    st = amo_qs_begin(out->s, t, &out->known, mode);
  }
  if (st == AMO_OK && !amo_opt_flag(call->opt, "unstable")) {
    st = amo_statics_require_stable(out->s, call->diags);
    said = st != AMO_OK;
  }
  if (st == AMO_OK) {
    amo_qs_places(out->s, &out->known, mode, out->at);
    out->beyond = amo_qs_beyond(out->s, &out->known, mode) >= 0;
    if (!out->beyond) st = amo_rates_find(out->s, &out->known, out->at, &out->all);
  }
  if (st == AMO_OK && !out->beyond && out->all.count == 0 && out->all.singular) st = AMO_ENOANSWER;
  if (st == AMO_ENOANSWER && !said)
    amo_error(call->diags, (amo_at){0}, "every coordinate needs a stiffness or a contact that holds it",
              "the stiffness is singular: nothing holds what would move");
  if (st == AMO_ELIMIT)
    amo_error(call->diags, (amo_at){0}, NULL, "too many contacts to enumerate all answers");
  free(mode);
  if (st != AMO_OK) amo_rate_state_free(out);
  return st;
}

// ---- words ----

static const char *word_of(const amo_statics *s, uint32_t c, const amo_qs_mode *mode)
{
  const int number = amo_qs_number(s, c, mode);
  if (number == AMO_MODE_OPEN) return "open";
  if (number == 0) return "stick";
  return s->m->contact[c].spatial ? "slip" : number < 0 ? "slip-" : "slip+";
}

char *amo_rate_words(const amo_statics *s, const amo_rate_set *all)
{
  amo_text t = {0};
  for (size_t i = 0; i < all->count; i++) {
    if (i) amo_text_str(&t, s->nc == 1 ? "+" : ", ");
    for (uint32_t c = 0; c < s->nc; c++) {
      if (c) amo_text_str(&t, " ");
      if (s->nc > 1) amo_text_printf(&t, "%s:", s->m->contact[c].sym.name);
      amo_text_str(&t, word_of(s, c, &all->item[i].mode[c]));
    }
  }
  if (all->count == 0) amo_text_str(&t, "none");
  return amo_text_take(&t);
}

// ---- one solution ----

static void add_friction(cJSON *o, const char *name, const amo_contact *k, const double *L)
{
  if (!k->spatial) {
    amo_json_add(o, name, L[0]);
    return;
  }
  cJSON *pair = cJSON_AddArrayToObject(o, name);
  for (int a = 0; a < 2; a++) cJSON_AddItemToArray(pair, amo_json_number(L[a]));
}

static cJSON *solution_json(const amo_statics *s, const amo_rate_solution *x)
{
  cJSON *o = cJSON_CreateObject(), *modes = cJSON_AddObjectToObject(o, "modes");
  cJSON *rates = cJSON_AddObjectToObject(o, "rates"), *normal = cJSON_AddObjectToObject(o, "reactions");
  cJSON *friction = cJSON_AddObjectToObject(o, "friction"), *speed = cJSON_AddObjectToObject(o, "speeds");
  cJSON *angle = cJSON_AddObjectToObject(o, "angles");
  for (uint32_t i = 0; i < s->nq; i++) amo_json_add(rates, s->m->sym.q[i].name, x->rate[i]);
  for (uint32_t c = 0; c < s->nc; c++) {
    const amo_contact *k = &s->m->contact[c];
    const amo_qs_mode *mode = &x->mode[c];
    const bool slips = mode->kind == AMO_QS_SLIP && amo_qs_number(s, c, mode) != 0;
    amo_json_add_mode(modes, k->sym.name, amo_qs_number(s, c, mode));
    amo_json_add(normal, k->sym.name, x->rate[s->nq + c]);
    add_friction(friction, k->sym.name, k, x->rate + s->nq + s->nc + 2 * c);
    amo_json_add(speed, k->sym.name, slips ? amo_statics_speed(s, x->rate, c, mode->d) : 0.0);
    if (!slips || !k->spatial) continue;
    double a = atan2(mode->d[1], mode->d[0]);
    amo_json_add(angle, k->sym.name, a < 0.0 ? a + 2.0 * acos(-1.0) : a);
  }
  if (s->nc == 1) {
    cJSON_AddStringToObject(o, "kind", word_of(s, 0, &x->mode[0]));
    amo_json_add(o, "speed", amo_json_get(speed, s->m->contact[0].sym.name));
    amo_json_add(o, "R", x->rate[s->nq]);
    if (s->m->contact[0].spatial) amo_json_add(o, "angle", amo_json_get(angle, s->m->contact[0].sym.name));
  }
  amo_json_add(o, "margin", fmin(x->margin, 1e300));
  return o;
}

// ---- one contact ----

/// Positions that hold under these loads: a conic with one focus where friction is not needed.
static void add_equilibria(cJSON *o, const amo_statics *s, const double *y, uint32_t c,
                           const amo_slip_response *r)
{
  const double *F = r->force, det = F[0] * F[3] - F[1] * F[2], *L = y + s->nq + s->nc + 2 * c;
  const double need[2] = {-L[0], -L[1]};  // what the springs lack
  double q[2] = {(r->normal[0] * F[3] - r->normal[1] * F[2]) / det,
                 (r->normal[1] * F[0] - r->normal[0] * F[1]) / det};
  double size = hypot(q[0], q[1]), e = r->mu * size, R0 = y[s->nq + c] + q[0] * need[0] + q[1] * need[1];
  double shift[2] = {(F[3] * need[0] - F[1] * need[1]) / det, (F[0] * need[1] - F[2] * need[0]) / det};
  bool empty = e < 1.0 && R0 < 0.0, ellipse = e < 1.0 && !empty;
  cJSON *set = cJSON_AddObjectToObject(o, "equilibria"), *focus = cJSON_AddArrayToObject(set, "focus");
  amo_json_add(set, "R0", R0);
  amo_json_add(set, "eccentricity", e);
  cJSON_AddBoolToObject(set, "empty", empty);
  for (int a = 0; a < 2; a++) cJSON_AddItemToArray(focus, amo_json_number(shift[a]));
  amo_json_add_or(set, "area",
                  ellipse ? acos(-1.0) * pow(r->mu * R0, 2) * pow(1.0 - e * e, -1.5) / det
                  : empty ? 0.0
                          : NAN,
                  "unbounded");
  cJSON *centre = cJSON_AddArrayToObject(set, "centre");
  double out = ellipse && size > 0.0 ? -e * r->mu * R0 / (1.0 - e * e) / size : ellipse ? 0.0 : NAN;
  double yc[2] = {out * q[0], out * q[1]};
  double move[2] = {(F[3] * yc[0] - F[1] * yc[1]) / det, (F[0] * yc[1] - F[2] * yc[0]) / det};
  for (int a = 0; a < 2; a++) cJSON_AddItemToArray(centre, amo_json_number(shift[a] - move[a]));
}

static amo_status contact_json(amo_rate_state *r, uint32_t c, cJSON *o)
{
  static const char *const place[] = {"apart", "inside", "edge", "vertex"};
  amo_statics *s = r->s;
  const amo_contact *k = &s->m->contact[c];
  const amo_qs_at *at = &r->at[c];
  amo_slip_response p;
  cJSON_AddStringToObject(o, "place", place[at->place]);
  amo_json_add(o, "reaction",
               amo_has_gap(k) ? r->known.y[s->nq + c] : amo_expansion_register(s->x, k->r_reaction, 0));
  add_friction(o, "friction", k, r->known.y + s->nq + s->nc + 2 * c);
  amo_json_add(o, "bound", amo_statics_bound(s, r->known.y, c));
  if (amo_has_gap(k)) amo_json_add(o, "gap", s->gap[c]);
  amo_qs_mode *held = amo_zalloc(s->nc, sizeof *held);
  if (!held) return AMO_ENOMEM;
  for (uint32_t i = 0; i < s->nc; i++) {
    held[i] = amo_qs_holding(s, i);
    if (r->at[i].place == AMO_QS_APART) held[i].kind = AMO_QS_OPEN;
    if (amo_has_gap(&s->m->contact[i]) && r->known.y[s->nq + i] < 0.0) held[i].reaction_sign = -1.0;
  }
  const amo_status st = amo_statics_response(s, r->known.y, held, c, NULL, &p);
  free(held);
  if (st != AMO_OK) return AMO_OK;
  double angle = 0.0, det = 0.0, least = amo_slip_least(&p, &angle, &det);
  amo_json_add(o, "X_min", least);
  amo_json_add(o, "X_min_angle", angle);
  amo_json_add(o, "D_min", det);
  if (k->spatial) add_equilibria(o, s, r->known.y, c, &p);
  if (at->place != AMO_QS_EDGE || amo_statics_frictionless(s, c)) return AMO_OK;
  const double *d = at->d, e[2] = {-d[1], d[0]}, X = amo_slip_along(&p, d);
  double drive = -(d[0] * p.force0[0] + d[1] * p.force0[1] + p.mu * p.normal0), speed = drive / X;
  if (k->spatial) amo_json_add(o, "angle", atan2(d[1], d[0]));
  amo_json_add(o, "direction", k->spatial ? atan2(d[1], d[0]) : d[0]);
  amo_json_add(o, "X", X);
  amo_json_add(o, "drive", drive);
  amo_json_add(o, "speed", speed);
  if (k->spatial)
    amo_json_add(o, "turn",
                 -(e[0] * p.force0[0] + e[1] * p.force0[1] + speed * amo_slip_across(&p, d)) /
                     amo_statics_bound(s, r->known.y, c));
  return AMO_OK;
}

cJSON *amo_rate_json(const amo_call *call, double t, amo_rate_state *r)
{
  const amo_model *m = call->model;
  cJSON *o = cJSON_CreateObject(), *list = NULL, *contacts = NULL, *state = NULL;
  char *words = amo_rate_words(r->s, &r->all);
  cJSON_AddStringToObject(o, "model", amo_model_name(m));
  amo_json_add(o, "t", t);
  state = cJSON_AddObjectToObject(o, "state");
  for (uint32_t i = 0; i < m->nq; i++) amo_json_add(state, m->sym.q[i].name, r->known.y[i]);
  cJSON_AddBoolToObject(o, "equilibrium", !r->beyond);
  cJSON_AddStringToObject(o, "class", r->all.count == 0 ? "none" : r->all.count == 1 ? "unique" : "several");
  cJSON_AddNumberToObject(o, "count", (double)r->all.count);
  cJSON_AddStringToObject(o, "answers", words ? words : "");
  cJSON_AddBoolToObject(o, "border", r->all.border);
  cJSON_AddNumberToObject(o, "order", r->s->lead);
  list = cJSON_AddArrayToObject(o, "solutions");
  for (size_t i = 0; i < r->all.count; i++) cJSON_AddItemToArray(list, solution_json(r->s, &r->all.item[i]));
  contacts = cJSON_AddObjectToObject(o, "contacts");
  for (uint32_t c = 0; c < m->nc; c++)
    contact_json(r, c, cJSON_AddObjectToObject(contacts, m->contact[c].sym.name));
  if (m->nc == 1) {
    const cJSON *k = contacts->child;
    amo_json_add(o, "X_min", amo_json_get(k, "X_min"));
    amo_json_add(o, "D_min", amo_json_get(k, "D_min"));
  }
  free(words);
  return o;
}
