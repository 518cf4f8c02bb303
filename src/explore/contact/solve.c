// SPDX-License-Identifier: Apache-2.0
#include "explore/contact/solve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/options.h"

struct amo_contact_search {
  amo_arena memory;
  amo_solutions *found;
  amo_point *point;
  double *state;                   // [states]
  amo_contact_solution *solution;  // [capacity]
  size_t capacity;
  amo_contact_answer answer;
};

const char *amo_class_name(amo_class kind)
{
  static const char *const name[] = {"unique", "several", "none", "degenerate"};
  return (size_t)kind < sizeof name / sizeof *name ? name[kind] : "";
}

static amo_status find(amo_solutions *s, amo_point *p, const amo_values *v, double t, const double *state,
                       amo_diags *diags)
{
  amo_point_parameters(p, v->param);
  amo_status st = amo_solutions_find(s, p, t, state, NULL);
  const long lawless = st == AMO_OK ? amo_point_lawless(p) : -1;
  if (lawless >= 0)
    st = amo_error(diags, (amo_at){0}, "form: regularised holds at rest, too",
                   "contact %s is at rest, of which its law, the logarithm of the speed, says nothing",
                   p->m->contact[lawless].sym.name);
  if (st == AMO_ELIMIT)
    amo_error(diags, (amo_at){0}, "ask at a state where fewer contacts rest",
              "separate mechanisms have too many solutions to list all combinations of them");
  const long undefined = st == AMO_ENOANSWER ? amo_undefined_at(p->m, p->reg, 1) : -1;
  char what[AMO_UNDEFINED_TEXT];
  if (undefined >= 0) amo_undefined_name(p->m, undefined, what, sizeof what);
  if (undefined >= 0)
    amo_error(diags, (amo_at){0}, "look for divisions by zero, roots or logarithms of negative numbers",
              "%s has no finite value at this state", what);
  else if (st == AMO_ENOANSWER)
    amo_error(diags, (amo_at){0}, NULL, "the mass matrix is singular at this state");
  return st;
}

amo_status amo_solutions_at(const amo_values *v, double t, const double *state, amo_diags *diags,
                            amo_solutions **out)
{
  amo_point *p = NULL;
  amo_status st = *out == NULL ? amo_solutions_new(v->model, out) : AMO_OK;
  if (st == AMO_OK) st = amo_point_new(v->model, &p);
  if (st == AMO_OK) st = find(*out, p, v, t, state, diags);
  amo_point_free(p);
  return st;
}

// ---- the public face ----

AMO_OPTS_INIT(amo_contact_opts, )

static amo_status make(const amo_model *m, const amo_contact_opts *o, amo_contact_search *s)
{
  double *stiffness;
  AMO_TAKE(&s->memory, double, m->nc + 1u, &stiffness);
  AMO_TAKE(&s->memory, double, amo_model_states(m) + 1u, &s->state);
  if (s->memory.failed) return AMO_ENOMEM;
  for (uint32_t c = 0; c < m->nc; c++) {
    stiffness[c] = o->stiffness ? o->stiffness[c] : 1.0;
    if (!(stiffness[c] > 0.0 && isfinite(stiffness[c]))) return AMO_ERANGE;
  }
  amo_status st = amo_solutions_new(m, &s->found);
  if (st == AMO_OK) st = amo_point_new(m, &s->point);
  if (st != AMO_OK) return st;
  s->found->assesses = o->assess;
  if (o->stiffness || o->assess) s->found->stiffness = stiffness;
  s->answer = (amo_contact_answer){.state = s->state,
                                   .contacts = m->nc,
                                   .coordinates = m->nq,
                                   .constraints = m->ng,
                                   .why = "",
                                   .chosen = -1};
  return AMO_OK;
}

amo_status amo_contact_search_new(const amo_model *m, const amo_contact_opts *opts, amo_contact_search **out)
{
  if (!m || !out) return AMO_ERANGE;
  amo_contact_opts all = amo_contact_opts_default();
  amo_status st = amo_opts_take(&all, sizeof all, opts);
  if (st != AMO_OK) return st;
  amo_contact_search *s = amo_zalloc(1, sizeof *s);
  st = s ? make(m, &all, s) : AMO_ENOMEM;
  *out = st == AMO_OK ? s : NULL;
  if (st != AMO_OK) amo_contact_search_free(s);
  return st;
}

void amo_contact_search_free(amo_contact_search *s)
{
  if (!s) return;
  amo_solutions_free(s->found);
  amo_point_free(s->point);
  free(s->solution);
  amo_arena_free(&s->memory);
  free(s);
}

const amo_solutions *amo_contact_search_solutions(const amo_contact_search *s)
{
  return s->found;
}

static amo_contact_solution view(const amo_solution *x)
{
  return (amo_contact_solution){.mode = x->mode,
                                .reaction_sign = x->reaction_sign,
                                .loose = x->loose,
                                .reaction = x->reaction,
                                .friction = x->lambda,
                                .traction = x->traction,
                                .acceleration = x->acc,
                                .multiplier = x->multiplier,
                                .soft = x->stable,
                                .eigenvalues = x->eigenvalues,
                                .re = x->re,
                                .im = x->im,
                                .growth = x->growth,
                                .damping = x->damping};
}

amo_status amo_contact_search_at(amo_contact_search *s, const amo_values *v, double t, const double *state,
                                 amo_diags *diags, const amo_contact_answer **out)
{
  if (!s || !state || !out || (v && v->model != s->found->m)) return AMO_ERANGE;
  const amo_model *m = s->found->m;
  amo_contact_answer *a = &s->answer;
  *out = NULL;
  a->t = t;
  memcpy(s->state, state, amo_model_states(m) * sizeof *state);
  amo_status st = find(s->found, s->point, v ? v : amo_model_values(m), t, state, diags);
  if (st != AMO_OK) return st;
  for (a->count = 0; a->count < s->found->count; a->count++) {
    if (!AMO_ROOM(s->solution, a->count, s->capacity)) return AMO_ENOMEM;
    s->solution[a->count] = view(&s->found->item[a->count]);
  }
  a->solution = s->solution;
  a->influence = s->found->influence;
  a->kind = s->found->kind;
  a->border = s->found->border;
  a->zero_reaction = s->found->zero_reaction;
  a->complete = s->found->complete;
  a->chosen = s->found->chosen;
  a->why = s->found->why;
  *out = a;
  return AMO_OK;
}
