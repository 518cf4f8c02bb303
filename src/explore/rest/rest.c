// SPDX-License-Identifier: Apache-2.0
// Does a mechanism at rest hold, start, or may it do either?
#include "explore/rest/rest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/options.h"
#include "explore/rest/region.h"
#include "explore/rest/rest_ranges.h"
#include "explore/rest/rest_state.h"

typedef struct resting {
  amo_rest seen;  // what the caller sees; first, so that one pointer serves both
  amo_contact_search *search;
  double *state;
} resting;

/// Is there a contact, switches of expressions apart?
static bool has_contact(const amo_model *m)
{
  for (uint32_t c = 0; c < m->nc; c++)
    if (!amo_is_on_nothing(&m->contact[c])) return true;
  return false;
}

/// Nothing slips. Supports may be open: the body may stand on others.
static bool rests(const amo_model *m, const amo_solution *x)
{
  for (uint32_t c = 0; c < m->nc; c++)
    if (x->mode[c] != 0 && x->mode[c] != AMO_MODE_OPEN && !amo_is_on_nothing(&m->contact[c])) return false;
  return true;
}

/// Does the mechanism move on although every contact holds? Then the contacts do not hold it: they do not move
/// along (p = 0). What holding contacts and moving guides themselves ask is no motion of its own.
static amo_status free_motion(const amo_solutions *s, amo_point *p, const signed char *stick, bool *unheld)
{
  const amo_model *m = p->m;
  const double *acc = p->acc;
  double *along = amo_zalloc(m->nq + 1u, sizeof *along), size = 0.0, moving = 0.0;
  if (!along) return AMO_ENOMEM;
  for (size_t i = 0; i < s->count; i++)
    if (rests(m, &s->item[i])) acc = s->item[i].acc;
  amo_status st = amo_rest_asked(p, stick, true, along);
  for (uint32_t i = 0; st == AMO_OK && i < m->nq; i++) {
    double mass = p->reg[p->diagonal[i]];
    if (mass > 0.0) size = fmax(size, fabs(p->reg[m->r_h[i]] / mass));
    moving = fmax(moving, fabs(acc[i] - along[i]));
  }
  *unheld = moving > AMO_BORDER * size;
  free(along);
  return st == AMO_ENOANSWER ? AMO_OK : st;
}

/// The solution that holds, if forces are open in it: what is shown is the share that it was found with.
static const amo_solution *shared_hold(const amo_solutions *s)
{
  for (size_t i = 0; i < s->count; i++)
    for (uint32_t c = 0; rests(s->m, &s->item[i]) && c < s->m->nc; c++)
      if (s->item[i].loose[c] & AMO_LOOSE_REACTION ||
          (s->item[i].loose[c] && amo_slip_rows(&s->m->contact[c]) > 1))
        return &s->item[i];
  return NULL;
}

/// Between which limits forces lie that the motion does not determine.
static amo_status find_ranges(const amo_solutions *s, amo_point *p, const signed char *stick, amo_rest *r)
{
  for (size_t i = 0; i < s->count; i++)
    for (uint32_t c = 0; rests(s->m, &s->item[i]) && c < s->m->nc; c++) r->open |= s->item[i].loose[c] != 0;
  if (!r->open) return AMO_OK;
  const amo_status st = amo_rest_ranges(p, stick, &r->share, &r->shares);
  r->ranged = st == AMO_OK;
  return st == AMO_EUNSUPPORTED ? AMO_OK : st;
}

/// A contact to which a share leaves nothing is not near any limit: others hold.
static bool idle(const amo_model *m, const amo_solution *x, uint32_t c)
{
  double most = 0.0;
  for (uint32_t k = 0; x && k < m->nc; k++) most = fmax(most, fabs(x->reaction[k]));
  return x && amo_has_gap(&m->contact[c]) && fabs(x->reaction[c]) <= AMO_NOTHING * most;
}

/// Reserve of the holding force, relative to its limit: 1 unloaded, 0 at the limit, negative beyond.
static amo_rest_contact judge(const amo_point *p, uint32_t c, const signed char *stick, const amo_solution *x)
{
  const amo_contact *k = &p->m->contact[c];
  amo_rest_contact r = {.needed = x ? x->lambda[c] : p->lambda[c],
                        .reaction = x ? x->reaction[c] : p->reaction[c],
                        .open = stick[c] != 0,
                        .holds = stick[c] == 0 && k->nw > 0};
  r.bound = x && amo_has_gap(k) ? p->reg[k->r_bound] * fabs(r.reaction) : amo_point_bound(p, c);
  r.margin = !r.holds || idle(p->m, x, c) ? NAN
             : r.bound > 0.0              ? 1.0 - fabs(r.needed) / r.bound
             : r.needed == 0.0            ? 0.0
                                          : -INFINITY;
  return r;
}

static amo_status find_margins(const amo_values *v, const amo_solutions *s, amo_rest *r)
{
  const amo_model *m = v->model;
  amo_point *p = NULL;
  signed char *stick = amo_zalloc(m->nc + 1u, 1);
  const amo_solution *x = shared_hold(s);
  amo_status st = stick ? amo_point_new(m, &p) : AMO_ENOMEM;
  r->margin = INFINITY;
  if (st == AMO_OK) {
    amo_point_parameters(p, v->param);
    amo_point_registers(p, r->t, r->state, stick);
    amo_rest_modes(m, p, stick);
    st = amo_point_evaluate(p, r->t, r->state, stick);
  }
  for (uint32_t c = 0; st == AMO_OK && c < m->nc; c++) {
    if (amo_is_on_nothing(&m->contact[c])) continue;  // holds nothing
    r->contact[c] = judge(p, c, stick, x);
    r->margin = fmin(r->margin, r->contact[c].margin);  // a NaN does not count
  }
  if (st == AMO_OK) st = free_motion(s, p, stick, &r->unheld);
  if (st == AMO_OK && !r->unheld) st = find_ranges(s, p, stick, r);
  amo_point_free(p);
  free(stick);
  return st;
}

static void find_verdict(const amo_solutions *s, amo_rest *r)
{
  size_t holding = 0;
  for (size_t i = 0; i < s->count; i++) {
    bool hold = rests(s->m, &s->item[i]) && !r->unheld;
    holding += hold;
    for (uint32_t c = 0; !hold && r->direction == 0 && c < s->m->nc; c++)
      if (s->item[i].mode[c] != AMO_MODE_OPEN && !amo_is_on_nothing(&s->m->contact[c]))
        r->direction = s->item[i].mode[c];
  }
  const bool several = s->count > 1 || s->kind == AMO_DEGENERATE;  // or one of many
  r->verdict = s->count == 1 && holding == 1 ? AMO_REST_HOLDS
               : several                     ? AMO_REST_SEVERAL
               : s->count == 1               ? AMO_REST_STARTS
                                             : AMO_REST_NONE;
}

const char *amo_rest_verdict_name(amo_rest_verdict verdict)
{
  static const char *const name[] = {"holds", "starts", "several", "none"};
  return (size_t)verdict < sizeof name / sizeof *name ? name[verdict] : "";
}

AMO_OPTS_INIT(amo_rest_opts, .t = NAN)

amo_status amo_rest_start(const amo_model *m, const amo_rest_opts *opts, const amo_values **v, double *t,
                          double **state)
{
  amo_rest_opts o = amo_rest_opts_default();
  const amo_status st = amo_opts_take(&o, sizeof o, opts);
  if (st != AMO_OK) return st;
  *v = o.values ? o.values : amo_model_values(m);
  *t = isnan(o.t) ? (*v)->t0 : o.t;
  if ((*v)->model != m) return AMO_ERANGE;
  *state = amo_zalloc(amo_model_states(m), sizeof **state);
  if (!*state) return AMO_ENOMEM;
  memcpy(*state, o.state ? o.state : (*v)->initial, amo_model_states(m) * sizeof **state);
  return amo_rest_state(*v, *t, *state);
}

amo_status amo_rest_find(const amo_model *m, const amo_rest_opts *opts, amo_diags *diags, amo_rest **out)
{
  if (!m || !out) return AMO_ERANGE;
  *out = NULL;
  if (!has_contact(m))
    return amo_error(diags, (amo_at){0}, NULL, "the model has no contact that could hold it");
  const amo_values *v = NULL;
  resting *r = amo_zalloc(1, sizeof *r);
  if (!r) return AMO_ENOMEM;
  r->seen.contacts = m->nc;
  r->seen.contact = amo_zalloc(m->nc, sizeof *r->seen.contact);
  amo_status st = r->seen.contact ? amo_rest_start(m, opts, &v, &r->seen.t, &r->state) : AMO_ENOMEM;
  r->seen.state = r->state;
  if (st == AMO_OK) st = amo_contact_search_new(m, NULL, &r->search);
  if (st == AMO_OK) st = amo_contact_search_at(r->search, v, r->seen.t, r->state, diags, &r->seen.all);
  if (st == AMO_OK) st = find_margins(v, amo_contact_search_solutions(r->search), &r->seen);
  if (st == AMO_OK) find_verdict(amo_contact_search_solutions(r->search), &r->seen);
  if (st == AMO_OK)
    *out = &r->seen;
  else
    amo_rest_free(&r->seen);
  return st;
}

const amo_solutions *amo_rest_solutions(const amo_rest *r)
{
  return amo_contact_search_solutions(((const resting *)(const void *)r)->search);
}

void amo_rest_free(amo_rest *seen)
{
  resting *r = (resting *)(void *)seen;
  if (!r) return;
  amo_contact_search_free(r->search);
  free(r->seen.contact);
  free(r->seen.share);
  free(r->state);
  free(r);
}
