// SPDX-License-Identifier: Apache-2.0
#include "ask/steady/steady_json.h"

#include <math.h>
#include <string.h>

#include "contact/expansion.h"
#include "result/json.h"
#include "result/table.h"

void amo_steady_slips(const amo_values *v, double t, const double *state, int *mode)
{
  const amo_model *m = v->model;
  amo_expansion *x = NULL;
  signed char stick[64] = {0};
  memset(mode, 0, m->nc * sizeof *mode);
  if (m->nc > sizeof stick || amo_expansion_new(m, 1, &x) != AMO_OK) return;
  amo_expansion_parameters(x, v->param);
  amo_expansion_registers(x, isnan(t) ? v->t0 : t, state, stick);
  for (uint32_t c = 0; c < m->nc; c++) {
    const amo_contact *k = &x->m->contact[c];
    double slip = k->spatial ? hypot(amo_expansion_register(x, k->axis[0].r_slip, 0),
                                     amo_expansion_register(x, k->axis[1].r_slip, 0))
                             : amo_expansion_register(x, k->r_slip, 0);
    mode[c] = amo_mode_of(k, slip, slip == 0.0);
    if (amo_expansion_is_apart(x, c)) mode[c] = AMO_OPEN;
  }
  amo_expansion_free(x);
}

// ---- JSON ----

static void add_contacts(cJSON *o, const amo_model *m, const amo_steady *s)
{
  cJSON *modes = cJSON_AddObjectToObject(o, "modes"), *all = cJSON_AddObjectToObject(o, "contacts");
  for (size_t c = 0; c < s->contacts; c++) {
    const char *name = m->contact[c].sym.name;
    const amo_slip_stiffness *k = &s->stiffness[c];
    cJSON *x = cJSON_AddObjectToObject(all, name);
    amo_json_add_mode(modes, name, s->mode[c]);
    amo_json_add(x, "slip", s->slip[c]);
    if (m->contact[c].spatial) amo_json_add(x, "angle", s->angle[c]);
    amo_json_add(x, "normal", s->normal[c]);
    amo_json_add(x, "reaction", s->normal[c]);
    amo_json_add(x, "friction", s->friction[c]);
    amo_json_add(x, "X", k->X);
    amo_json_add(x, "Y", k->Y);
    amo_json_add(x, "G", k->G);
    amo_json_add(x, "D", k->D);
  }
}

/// The contact that slips, if there is one and no other; else -1.
static long slipping(const amo_steady *s)
{
  long found = -1;
  for (size_t c = 0; c < s->contacts; c++) {
    if (s->mode[c] == 0 || s->mode[c] == AMO_MODE_OPEN) continue;
    if (found >= 0) return -1;
    found = (long)c;
  }
  return found;
}

static void add_criteria(cJSON *o, const amo_steady *s)
{
  cJSON *c = cJSON_AddObjectToObject(o, "criteria");
  const double *group[2] = {s->a, s->H};
  char name[32];
  for (int g = 0; g < 2; g++)
    for (size_t i = 0; group[g] && i < s->order; i++) {
      snprintf(name, sizeof name, "%c%zu", g == 0 ? 'a' : 'H', i + 1);
      amo_json_add(c, name, group[g][i]);
    }
  long k = slipping(s);
  const amo_slip_stiffness none = {NAN, NAN, NAN, NAN}, *x = k >= 0 ? &s->stiffness[k] : &none;
  amo_json_add(c, "X", x->X);
  amo_json_add(c, "Y", x->Y);
  amo_json_add(c, "G", x->G);
  amo_json_add(c, "D", x->D);
  bool hurwitz = s->H != NULL;
  for (size_t i = 0; hurwitz && i < s->order; i++) hurwitz = s->H[i] > 0.0;
  if (s->H) {
    cJSON_AddBoolToObject(c, "hurwitz", hurwitz);
    cJSON_AddBoolToObject(c, "agree", hurwitz == s->stable);
  }
  bool osc = s->H && s->order > 1 && s->H[s->order - 2] < 0.0;
  cJSON_AddBoolToObject(c, "oscillates", osc);
  cJSON_AddBoolToObject(c, "nonunique", x->D < 0.0);
  cJSON_AddBoolToObject(c, "no_continuous_slip", x->X < 0.0);
  cJSON_AddNumberToObject(c, "code", (osc ? 1 : 0) + (x->D < 0.0 ? 2 : 0) + (x->X < 0.0 ? 4 : 0));
}

static const char *verdict_of(const amo_steady *s)
{
  return s->growth < 0.0 ? "stable" : s->growth > 0.0 ? "unstable" : "neutral";
}

cJSON *amo_steady_json(const amo_model *m, const amo_steady *s)
{
  cJSON *o = cJSON_CreateObject(), *state = NULL, *all = NULL;
  cJSON_AddStringToObject(o, "model", amo_model_name(m));
  amo_json_add(o, "t", s->t);
  state = cJSON_AddObjectToObject(o, "state");
  for (size_t i = 0; i < s->states; i++) amo_json_add(state, amo_model_state(m, i).name, s->state[i]);
  add_contacts(o, m, s);
  cJSON_AddBoolToObject(o, "stable", s->stable);
  cJSON_AddStringToObject(o, "verdict", verdict_of(s));
  amo_json_add(o, "growth", s->growth);
  amo_json_add(o, "frequency", s->frequency);
  all = cJSON_AddArrayToObject(o, "eigenvalues");
  for (size_t i = 0; i < s->order; i++) {
    cJSON *e = cJSON_CreateObject();
    amo_json_add(e, "re", s->re[i]);
    amo_json_add(e, "im", s->im[i]);
    amo_json_add(e, "error", s->error[i]);
    cJSON_AddItemToArray(all, e);
  }
  add_criteria(o, s);
  cJSON_AddNumberToObject(o, "order", (double)s->order);
  cJSON_AddNumberToObject(o, "neutral", (double)s->neutral);
  cJSON_AddNumberToObject(o, "locked", (double)s->locked);
  cJSON_AddBoolToObject(o, "frozen", s->frozen);
  amo_json_add(o, "residual", s->residual);
  return o;
}

// ---- text ----

static void print_one(const cJSON *s, FILE *out, int wide)
{
  const cJSON *x = NULL, *contacts = cJSON_GetObjectItemCaseSensitive(s, "contacts");
  amo_table t = {0}, e = {0};
  cJSON_ArrayForEach(x, cJSON_GetObjectItemCaseSensitive(s, "state"))
      fprintf(out, "%s = %.15g\n", x->string, x->valuedouble);
  fprintf(out, "\n");
  if (cJSON_GetArraySize(contacts) > 0) {
    static const char *const head[] = {"slip", "normal", "friction", "X", "Y", "D"};
    amo_table_head(&t, "<contact");
    for (size_t i = 0; i < sizeof head / sizeof *head; i++) {
      char text[16];
      snprintf(text, sizeof text, ">%s", head[i]);
      amo_table_head(&t, text);
    }
    cJSON_ArrayForEach(x, contacts)
    {
      amo_table_cell(&t, "%s", x->string);
      for (size_t i = 0; i < sizeof head / sizeof *head; i++) {
        double v = amo_json_get(x, head[i]);
        if (isnan(v))
          amo_table_cell(&t, "-");
        else
          amo_table_cell(&t, "%.10g", v);
      }
    }
    amo_table_print(&t, out, wide);
    fprintf(out, "\n");
  }
  amo_table_head(&e, ">eigenvalue re"), amo_table_head(&e, ">im");
  cJSON_ArrayForEach(x, cJSON_GetObjectItemCaseSensitive(s, "eigenvalues"))
  {
    amo_table_cell(&e, "%.12g", amo_json_get(x, "re"));
    amo_table_cell(&e, "%.12g", amo_json_get(x, "im"));
  }
  amo_table_print(&e, out, wide);
  fprintf(out, "\n");
  cJSON_ArrayForEach(x, cJSON_GetObjectItemCaseSensitive(s, "criteria"))
  {
    if (cJSON_IsNumber(x) && strcmp(x->string, "code") != 0)
      fprintf(out, "%s = %.12g\n", x->string, x->valuedouble);
  }
  if (cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(s, "frozen")))
    fprintf(out,
            "the linearised equations change along this motion: these are the eigenvalues of one instant\n");
}

static void print_head(const cJSON *s, const char *model, FILE *out)
{
  double growth = amo_json_get(s, "growth"), frequency = amo_json_get(s, "frequency");
  fprintf(out, "%s: steady motion is %s", model, amo_json_text(s, "verdict"));
  if (!isnan(growth)) fprintf(out, ", growth rate %.10g", growth);
  if (frequency > 0.0) fprintf(out, " at %.10g rad/s", frequency);
  fprintf(out, "\n\n");
}

void amo_steady_print(const cJSON *result, FILE *out, int wide)
{
  const cJSON *all = cJSON_GetObjectItemCaseSensitive(result, "states"), *s = NULL;
  const char *model = amo_json_text(result, "model");
  if (!all) {
    print_head(result, model, out);
    print_one(result, out, wide);
    return;
  }
  fprintf(out, "%s: %d steady motion%s\n", model, cJSON_GetArraySize(all),
          cJSON_GetArraySize(all) == 1 ? "" : "s");
  cJSON_ArrayForEach(s, all)
  {
    fprintf(out, "\n");
    print_head(s, model, out);
    print_one(s, out, wide);
  }
}
