// SPDX-License-Identifier: Apache-2.0
#include "ask/contact/solutions_json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "result/json.h"
#include "ask/sim_options.h"
#include "ask/motion/simulate.h"
#include "result/table.h"

amo_status amo_state_at(const amo_call *call, double *t, double *state)
{
  *t = amo_opt_given(call->opt, "time") ? amo_opt_number(call->opt, "time") : call->values->t0;
  return amo_state_read(call->values, call->opt, call->diags, state);
}

amo_status amo_motion_refuse(const amo_call *call, const char *verb, const double *state)
{
  const amo_model *m = call->model;
  const amo_setting *at = NULL;
  for (size_t i = 0, n = amo_opt_settings(call->opt, "at", &at); i < n; i++) {
    long k = amo_model_find_state(m, at[i].name);
    if (k >= (long)m->nq && k < (long)(2 * m->nq) && state[k] != 0.0)
      return amo_error(call->diags, (amo_at){0}, "give a state without motion, or ask 'contact'",
                       "%s asks about a mechanism at rest, but %s = %g", verb, at[i].name, state[k]);
  }
  return AMO_OK;
}

amo_status amo_state_at_rest(const amo_call *call, const char *verb, double *t, double *state)
{
  amo_status st = amo_state_at(call, t, state);
  return st == AMO_OK ? amo_motion_refuse(call, verb, state) : st;
}

static cJSON *per_contact(const amo_model *m, const double *value)
{
  cJSON *o = cJSON_CreateObject();
  for (uint32_t c = 0; c < m->nc; c++) amo_json_add(o, m->contact[c].sym.name, value[c]);
  return o;
}

static cJSON *accelerations(const amo_model *m, const double *acc)
{
  cJSON *o = cJSON_CreateObject();
  for (uint32_t i = 0; i < m->nq; i++) {
    char name[256];
    snprintf(name, sizeof name, "%s'", m->sym.u[i].name);
    amo_json_add(o, name, acc[i]);
  }
  return o;
}

static const char *kind_of(const amo_solutions *s, const amo_solution *x)
{
  bool stick = false, slip = false, zero = false, open = false;
  for (uint32_t c = 0; c < s->m->nc; c++) {
    open |= x->mode[c] == AMO_OPEN;
    stick |= x->mode[c] == 0;
    slip |= x->mode[c] != 0 && x->mode[c] != AMO_OPEN;
    zero |= s->m->contact[c].kind == AMO_GUIDE && x->mode[c] != 0 && x->reaction_sign[c] == 0 &&
            !(x->loose[c] & AMO_LOOSE_REACTION);
  }
  if (open && !slip) return stick ? "stick and open" : "open";
  if (open) return stick ? "stick, slip and open" : "slip and open";
  return zero ? "zero-reaction" : stick && slip ? "stick and slip" : stick ? "stick" : "slip";
}

/// Are the forces determined by the motion? Otherwise which are not; what is shown is one choice of many.
static void add_forces(cJSON *o, const amo_model *m, const amo_solution *x)
{
  cJSON *open = cJSON_CreateObject();
  for (uint32_t c = 0; c < m->nc; c++) {
    const bool friction = (x->loose[c] & AMO_LOOSE_FRICTION) != 0,
               reaction = (x->loose[c] & AMO_LOOSE_REACTION) != 0;
    if (friction || reaction)
      cJSON_AddStringToObject(open, m->contact[c].sym.name,
                              friction && reaction ? "reaction and friction"
                              : reaction           ? "reaction"
                                                   : "friction");
  }
  cJSON_AddStringToObject(o, "forces", cJSON_GetArraySize(open) > 0 ? "indeterminate" : "determined");
  cJSON_AddItemToObject(o, "indeterminate", open);
}

/// Friction of spatial contacts along their axes, where there are any.
static void add_traction(cJSON *o, const amo_model *m, const amo_solution *x)
{
  cJSON *all = m->nxi > 0 ? cJSON_AddObjectToObject(o, "traction") : NULL;
  for (uint32_t c = 0; c < m->nc; c++)
    if (m->contact[c].spatial)
      cJSON_AddItemToObject(all, m->contact[c].sym.name,
                            amo_json_pair(x->traction[2 * c], x->traction[2 * c + 1]));
}

cJSON *amo_solutions_list_json(const amo_solutions *s)
{
  const amo_model *m = s->m;
  cJSON *all = cJSON_CreateArray();
  for (size_t i = 0; i < s->count; i++) {
    const amo_solution *x = &s->item[i];
    cJSON *o = cJSON_CreateObject(), *modes = cJSON_CreateObject(), *ties = cJSON_CreateObject();
    cJSON_AddItemToArray(all, o);
    cJSON_AddStringToObject(o, "kind", kind_of(s, x));
    for (uint32_t c = 0; c < m->nc; c++) amo_json_add_mode(modes, m->contact[c].sym.name, x->mode[c]);
    for (uint32_t g = 0; g < m->ng; g++) amo_json_add(ties, m->constraint[g].sym.name, x->multiplier[g]);
    cJSON_AddItemToObject(o, "modes", modes);
    cJSON_AddItemToObject(o, "reactions", per_contact(m, x->reaction));
    cJSON_AddItemToObject(o, "friction", per_contact(m, x->lambda));
    add_traction(o, m, x);
    cJSON_AddItemToObject(o, "accelerations", accelerations(m, x->acc));
    cJSON_AddItemToObject(o, "multipliers", ties);
    if (x->stable == AMO_SOFT_UNDECIDED)
      cJSON_AddNullToObject(o, "stable");
    else
      cJSON_AddBoolToObject(o, "stable", x->stable == AMO_SOFT_CENTRE);
    amo_pairs_add(o, s, x);
    if (m->nc == 1) amo_json_add(o, "R", x->reaction[0]);
    add_forces(o, m, x);
  }
  return all;
}

void amo_solutions_add_complete(cJSON *o, const amo_solutions *s)
{
  cJSON_AddBoolToObject(o, "complete", s->complete);
}

cJSON *amo_solutions_contacts_json(const amo_solutions *s)
{
  cJSON *all = cJSON_CreateObject();
  for (uint32_t c = 0; c < s->m->nc; c++) {
    const amo_influence *f = &s->influence[c];
    const amo_solution *x = s->chosen >= 0 ? &s->item[s->chosen] : NULL;
    bool guide = amo_has_gap(&s->m->contact[c]);
    cJSON *o = cJSON_AddObjectToObject(all, s->m->contact[c].sym.name);
    cJSON_AddStringToObject(o, "kind", amo_contact_kind_name(&s->m->contact[c]));
    if (!guide) continue;
    amo_json_add(o, "L", f->L);
    amo_json_add(o, "mu", f->mu);
    amo_json_add(o, "mu_L", f->mu * fabs(f->L));
    amo_json_add(o, "mu_critical", f->L != 0.0 ? 1.0 / fabs(f->L) : NAN);
    amo_json_add(o, "R0", f->R0);
    // textbook shortcut R = R0: its error relative to the reaction of the chosen solution
    amo_json_add(o, "shortcut_error",
                 x != NULL && x->reaction[c] != 0.0 ? (f->R0 - x->reaction[c]) / x->reaction[c] : NAN);
    double basin[2];
    const int slip = (f->impulse_tangent < 0.0) - (f->impulse_tangent > 0.0);
    if (slip != 0 && amo_influence_basin(f, slip, amo_can_open(&s->m->contact[c]), basin))
      cJSON_AddItemToObject(o, "basin", amo_json_pair(basin[0], basin[1]));
    if (f->mu * fabs(f->L) < 1.0 - 1e-15 || f->impulse_tangent == 0.0) continue;
    cJSON *impact = cJSON_AddObjectToObject(o, "impact");
    amo_json_add(impact, "normal", f->impulse_normal);
    amo_json_add(impact, "tangent", f->impulse_tangent);
  }
  return all;
}

static const char *stability_word(const cJSON *solution)
{
  const cJSON *stable = cJSON_GetObjectItemCaseSensitive(solution, "stable");
  const cJSON *told = cJSON_GetObjectItemCaseSensitive(solution, "compliance");
  return cJSON_IsNull(stable)                               ? "-"
         : cJSON_IsTrue(stable)                             ? "yes"
         : told == NULL                                     ? "no"
         : !strcmp(amo_json_text(told, "class"), "flutter") ? "no (flutter)"
                                                            : "no (saddle)";
}

static void print_solutions(const cJSON *result, FILE *out, int wide)
{
  const cJSON *x = NULL, *y = NULL;
  amo_table t = {0};
  int n = 0;
  amo_table_head(&t, ">#"), amo_table_head(&t, "<kind"), amo_table_head(&t, "<contact"),
      amo_table_head(&t, ">mode");
  amo_table_head(&t, ">reaction"), amo_table_head(&t, ">friction"), amo_table_head(&t, "<stable");
  cJSON_ArrayForEach(x, cJSON_GetObjectItemCaseSensitive(result, "solutions"))
  {
    const cJSON *reaction = cJSON_GetObjectItemCaseSensitive(x, "reactions")->child;
    const cJSON *friction = cJSON_GetObjectItemCaseSensitive(x, "friction")->child;
    n++;
    cJSON_ArrayForEach(y, cJSON_GetObjectItemCaseSensitive(x, "modes"))
    {
      amo_table_cell(&t, "%d", n);
      amo_table_cell(&t, "%s", amo_json_text(x, "kind"));
      amo_table_cell(&t, "%s", y->string);
      if (cJSON_IsString(y))
        amo_table_cell(&t, "%s", y->valuestring);
      else
        amo_table_cell(&t, "%+d", (int)y->valuedouble);
      amo_table_cell(&t, "%.10g", amo_json_next(&reaction, y->string));
      amo_table_cell(&t, "%.10g", amo_json_next(&friction, y->string));
      amo_table_cell(&t, "%s", stability_word(x));
    }
  }
  amo_table_print(&t, out, wide);
  n = 0;
  cJSON_ArrayForEach(x, cJSON_GetObjectItemCaseSensitive(result, "solutions"))
  {
    fprintf(out, "%s%d:", n == 0 ? "\naccelerations  " : "               ", n + 1);
    n++;
    cJSON_ArrayForEach(y, cJSON_GetObjectItemCaseSensitive(x, "accelerations"))
        fprintf(out, " %s = %.10g", y->string, y->valuedouble);
    fprintf(out, "\n");
  }
}

static void print_indeterminate(const cJSON *solution, int number, FILE *out)
{
  const cJSON *x = NULL;
  cJSON_ArrayForEach(x, cJSON_GetObjectItemCaseSensitive(solution, "indeterminate"))
      fprintf(out, "\n%d: the motion does not determine the %s of %s; the value is one of many\n", number,
              x->valuestring, x->string);
}

void amo_solutions_print(const cJSON *result, FILE *out, int wide)
{
  const cJSON *x = NULL;
  int n = 0;
  if (cJSON_IsFalse(cJSON_GetObjectItemCaseSensitive(result, "complete")))
    fprintf(out, "not complete: contacts that act on each other have too many combinations to look at all; "
                 "what is listed "
                 "are solutions, there may be more\n\n");
  const bool none = cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(result, "solutions")) == 0;
  if (!none) print_solutions(result, out, wide);
  cJSON_ArrayForEach(x, cJSON_GetObjectItemCaseSensitive(result, "solutions"))
      print_indeterminate(x, ++n, out);
  cJSON_ArrayForEach(x, cJSON_GetObjectItemCaseSensitive(result, "contacts"))
  {
    const cJSON *impact = cJSON_GetObjectItemCaseSensitive(x, "impact");
    if (strcmp(amo_json_text(x, "kind"), "pressed") == 0 || !isfinite(amo_json_get(x, "R0"))) continue;
    if (!isfinite(amo_json_get(x, "L"))) {
      fprintf(out, "\n%s: R0 = %.10g without friction\n", x->string, amo_json_get(x, "R0"));
      continue;
    }
    char critical[32];
    snprintf(critical, sizeof critical, isfinite(amo_json_get(x, "mu_critical")) ? "%.10g" : "none",
             amo_json_get(x, "mu_critical"));
    fprintf(out, "\n%s: mu|L| = %.10g (L = %.10g, critical mu = %s), R0 = %.10g without friction\n",
            x->string, amo_json_get(x, "mu_L"), amo_json_get(x, "L"), critical, amo_json_get(x, "R0"));
    if (impact)
      fprintf(out, "  %s: impulses %.10g normal, %.10g tangential\n",
              none ? "the slip stops at once" : "an instant stop is possible too",
              amo_json_get(impact, "normal"), amo_json_get(impact, "tangent"));
    const cJSON *basin = cJSON_GetObjectItemCaseSensitive(x, "basin");
    if (basin == NULL) continue;
    const cJSON *from = cJSON_GetArrayItem(basin, 0), *to = cJSON_GetArrayItem(basin, 1);
    fprintf(out, "  after a jump of loads it comes about unless R was between %.10g and %.10g before\n",
            cJSON_IsNumber(from) ? from->valuedouble : -INFINITY,
            cJSON_IsNumber(to) ? to->valuedouble : INFINITY);
  }
}
