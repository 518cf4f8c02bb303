// SPDX-License-Identifier: Apache-2.0
#include "explore/rates/rates.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "quasistatic/conditions.h"

void amo_rate_state_free(amo_rate_state *r)
{
  amo_rates_free(&r->all);
  amo_statics_free(r->s);
  free(r->at);
  *r = (amo_rate_state){0};
}

/// All answers at the equilibrium, if there is one.
static amo_status answers_at(amo_rate_state *r, const amo_qs_mode *mode)
{
  amo_qs_places(r->s, &r->known, mode, r->at);
  r->beyond = amo_qs_beyond(r->s, &r->known, mode) >= 0;
  if (r->beyond) return AMO_OK;
  const amo_status st = amo_rates_find(r->s, &r->known, r->at, &r->all);
  return st == AMO_OK && r->all.count == 0 && r->all.singular ? AMO_ENOANSWER : st;
}

amo_status amo_rate_state_find(const amo_values *v, double t, const double *state, bool unstable,
                               amo_diags *diags, amo_rate_state *out)
{
  const amo_model *m = v->model;
  *out = (amo_rate_state){.at = amo_zalloc(m->nc, sizeof *out->at)};
  amo_qs_mode *mode = amo_zalloc(m->nc, sizeof *mode);
  bool said = false;
  amo_status st = amo_statics_new(v, &out->s);
  if (st == AMO_OK) st = out->at && mode ? amo_qs_known_new(out->s, &out->known) : AMO_ENOMEM;
  if (st == AMO_OK) {
    memcpy(out->known.y, state, m->nq * sizeof *state);
    st = amo_qs_begin(out->s, t, &out->known, mode);
  }
  if (st == AMO_OK && !unstable) {
    st = amo_statics_require_stable(out->s, diags);
    said = st != AMO_OK;
  }
  if (st == AMO_OK) st = answers_at(out, mode);
  if (st == AMO_ENOANSWER && !said)
    amo_error(diags, (amo_at){0}, "every coordinate needs a stiffness or a contact that holds it",
              "the stiffness is singular: nothing holds what would move");
  if (st == AMO_ELIMIT) amo_error(diags, (amo_at){0}, NULL, "too many contacts to enumerate all answers");
  free(mode);
  if (st != AMO_OK) amo_rate_state_free(out);
  return st;
}

// ---- answers ----

const char *amo_rate_word(const amo_statics *s, uint32_t c, const amo_qs_mode *mode)
{
  const int number = amo_qs_number(s, c, mode);
  if (number == AMO_MODE_OPEN) return "open";
  if (number == 0) return "stick";
  return s->m->contact[c].spatial ? "slip" : number < 0 ? "slip-" : "slip+";
}

char *amo_rate_words(const amo_rate_state *r)
{
  const amo_statics *s = r->s;
  amo_text t = {0};
  for (size_t i = 0; i < r->all.count; i++) {
    if (i) amo_text_str(&t, s->nc == 1 ? "+" : ", ");
    for (uint32_t c = 0; c < s->nc; c++) {
      if (c) amo_text_str(&t, " ");
      if (s->nc > 1) amo_text_printf(&t, "%s:", s->m->contact[c].sym.name);
      amo_text_str(&t, amo_rate_word(s, c, &r->all.item[i].mode[c]));
    }
  }
  if (r->all.count == 0) amo_text_str(&t, "none");
  return amo_text_take(&t);
}

int amo_rate_axes(const amo_rate_state *r, uint32_t c)
{
  return r->s->m->contact[c].spatial ? 2 : 1;
}

static bool slips(const amo_statics *s, const amo_rate_solution *x, uint32_t c)
{
  return x->mode[c].kind == AMO_QS_SLIP && amo_qs_number(s, c, &x->mode[c]) != 0;
}

double amo_rate_speed(const amo_statics *s, const amo_rate_solution *x, uint32_t c)
{
  return slips(s, x, c) ? amo_statics_speed(s, x->rate, c, x->mode[c].d) : 0.0;
}

double amo_rate_angle(const amo_statics *s, const amo_rate_solution *x, uint32_t c)
{
  if (!slips(s, x, c) || !s->m->contact[c].spatial) return NAN;
  const double a = atan2(x->mode[c].d[1], x->mode[c].d[0]);
  return a < 0.0 ? a + 2.0 * acos(-1.0) : a;
}

// ---- one contact ----

static amo_rate_equilibria equilibria(const amo_statics *s, const double *y, uint32_t c,
                                      const amo_slip_response *r)
{
  const double *F = r->force, det = F[0] * F[3] - F[1] * F[2], *L = y + s->nq + s->nc + 2 * c;
  const double need[2] = {-L[0], -L[1]};  // what the springs lack
  const double q[2] = {(r->normal[0] * F[3] - r->normal[1] * F[2]) / det,
                       (r->normal[1] * F[0] - r->normal[0] * F[1]) / det};
  const double size = hypot(q[0], q[1]), e = r->mu * size,
               R0 = y[s->nq + c] + q[0] * need[0] + q[1] * need[1];
  const double shift[2] = {(F[3] * need[0] - F[1] * need[1]) / det, (F[0] * need[1] - F[2] * need[0]) / det};
  const bool empty = e < 1.0 && R0 < 0.0, ellipse = e < 1.0 && !empty;
  const double out = ellipse && size > 0.0 ? -e * r->mu * R0 / (1.0 - e * e) / size : ellipse ? 0.0 : NAN;
  const double yc[2] = {out * q[0], out * q[1]};
  const double move[2] = {(F[3] * yc[0] - F[1] * yc[1]) / det, (F[0] * yc[1] - F[2] * yc[0]) / det};
  return (amo_rate_equilibria){.R0 = R0,
                               .eccentricity = e,
                               .empty = empty,
                               .focus = {shift[0], shift[1]},
                               .area = ellipse
                                           ? acos(-1.0) * pow(r->mu * R0, 2) * pow(1.0 - e * e, -1.5) / det
                                       : empty ? 0.0
                                               : NAN,
                               .centre = {shift[0] - move[0], shift[1] - move[1]}};
}

/// The other contacts hold as they can.
static amo_status respond(const amo_rate_state *r, uint32_t c, amo_slip_response *p)
{
  amo_statics *s = r->s;
  amo_qs_mode *held = amo_zalloc(s->nc, sizeof *held);
  if (!held) return AMO_ENOMEM;
  for (uint32_t i = 0; i < s->nc; i++) {
    held[i] = amo_qs_holding(s, i);
    if (r->at[i].place == AMO_QS_APART) held[i].kind = AMO_QS_OPEN;
    if (amo_has_gap(&s->m->contact[i]) && r->known.y[s->nq + i] < 0.0) held[i].reaction_sign = -1.0;
  }
  const amo_status st = amo_statics_response(s, r->known.y, held, c, NULL, p);
  free(held);
  return st;
}

static void look_along(amo_rate_state *r, uint32_t c, const amo_slip_response *p, amo_rate_contact *out)
{
  const double *d = r->at[c].d, e[2] = {-d[1], d[0]};
  out->on_edge = true;
  out->angle = atan2(d[1], d[0]);
  out->X = amo_slip_along(p, d);
  out->drive = -(d[0] * p->force0[0] + d[1] * p->force0[1] + p->mu * p->normal0);
  out->speed = out->drive / out->X;
  if (r->s->m->contact[c].spatial)
    out->turn = -(e[0] * p->force0[0] + e[1] * p->force0[1] + out->speed * amo_slip_across(p, d)) /
                amo_statics_bound(r->s, r->known.y, c);
}

amo_status amo_rate_contact_find(amo_rate_state *r, uint32_t c, amo_rate_contact *out)
{
  amo_statics *s = r->s;
  const amo_contact *k = &s->m->contact[c];
  const double *y = r->known.y, *L = y + s->nq + s->nc + 2 * c;
  amo_slip_response p;
  *out = (amo_rate_contact){.reaction = amo_has_gap(k) ? y[s->nq + c]
                                                       : amo_expansion_register(s->x, k->r_reaction, 0),
                            .friction = {L[0], L[1]},
                            .bound = amo_statics_bound(s, y, c)};
  const amo_status st = respond(r, c, &p);
  if (st != AMO_OK) return st == AMO_ENOMEM ? st : AMO_OK;
  out->responds = true;
  out->X_min = amo_slip_least(&p, &out->X_min_angle, &out->D_min);
  if (k->spatial) out->equilibria = equilibria(s, y, c, &p);
  if (r->at[c].place == AMO_QS_EDGE && !amo_statics_frictionless(s, c)) look_along(r, c, &p, out);
  return AMO_OK;
}
