// SPDX-License-Identifier: Apache-2.0
#include "ask/rest/region_json.h"

#include <stdlib.h>
#include <string.h>

#include "explore/rest/region.h"
#include "result/json.h"
#include "ask/axis_option.h"

static cJSON *corners_json(const amo_region_area *a, size_t axes)
{
  cJSON *list = cJSON_CreateArray();
  for (size_t i = 0; i < a->corners; i++)
    cJSON_AddItemToArray(list, axes == 1 ? amo_json_number(a->x[i]) : amo_json_pair(a->x[i], a->y[i]));
  return list;
}

static cJSON *signs_json(const amo_model *m, const signed char *sign)
{
  cJSON *o = cJSON_CreateObject();
  for (size_t c = 0; c < amo_model_contacts(m); c++)
    cJSON_AddNumberToObject(o, amo_model_contact(m, c).name, sign[c]);
  return o;
}

static cJSON *piece_json(const amo_model *m, const amo_region_piece *k, size_t axes)
{
  cJSON *o = cJSON_CreateObject();
  cJSON_AddStringToObject(o, "kind", k->rest ? "rest" : "motion");
  cJSON_AddItemToObject(o, "modes", signs_json(m, k->mode));
  cJSON_AddItemToObject(o, "signs", signs_json(m, k->reaction_sign));
  cJSON_AddItemToObject(o, axes == 1 ? "interval" : "polygon", corners_json(&k->area, axes));
  return o;
}

static cJSON *line_json(const amo_model *m, const amo_region_line *l, size_t axes)
{
  static const char *const what[] = {"limit +", "limit -", "reaction", "start"};
  cJSON *o = cJSON_CreateObject(), *list = cJSON_AddArrayToObject(o, "coefficients");
  for (int i = 0; i < 3; i++) cJSON_AddItemToArray(list, amo_json_number(l->c[i]));
  if (axes == 1) amo_json_add(o, "at", -l->c[0] / l->c[1]);
  cJSON_AddStringToObject(o, "contact", amo_model_contact(m, l->contact).name);
  cJSON_AddStringToObject(o, "what", what[l->what]);
  return o;
}

static cJSON *region_json(const amo_model *m, const amo_region *r)
{
  cJSON *o = cJSON_CreateObject(), *list = NULL;
  for (size_t k = 0; k < r->axes; k++) {
    cJSON *a = cJSON_AddObjectToObject(o, k ? "y" : "x");
    cJSON_AddStringToObject(a, "name", r->axis[k].name);
    amo_json_add(a, "from", r->axis[k].from);
    amo_json_add(a, "to", r->axis[k].to);
  }
  cJSON_AddStringToObject(o, "how", "exact");
  list = cJSON_AddArrayToObject(o, "lines");
  for (size_t i = 0; i < r->lines; i++) cJSON_AddItemToArray(list, line_json(m, &r->line[i], r->axes));
  if (r->axes > 1) list = cJSON_AddArrayToObject(o, "vertices");
  for (size_t i = 0; i < r->vertices; i++)
    cJSON_AddItemToArray(list, amo_json_pair(r->vertex[i][0], r->vertex[i][1]));
  list = cJSON_AddArrayToObject(o, "holds");
  for (size_t i = 0; i < r->pieces; i++)
    if (r->piece[i].rest) cJSON_AddItemToArray(list, corners_json(&r->piece[i].area, r->axes));
  list = cJSON_AddArrayToObject(o, "several");
  for (size_t i = 0; i < r->severals; i++) cJSON_AddItemToArray(list, corners_json(&r->several[i], r->axes));
  list = cJSON_AddArrayToObject(o, "solutions");
  for (size_t i = 0; i < r->pieces; i++) cJSON_AddItemToArray(list, piece_json(m, &r->piece[i], r->axes));
  amo_json_add(o, "share", r->share);
  return o;
}

// ---- asking ----

static amo_status read_axes(const amo_call *call, amo_axis *axis, size_t *axes)
{
  const amo_setting *set = NULL;
  size_t n = amo_opt_settings(call->opt, "region", &set);
  if (n > 2) return amo_error(call->diags, (amo_at){0}, NULL, "--region takes one or two loads, got %zu", n);
  for (size_t i = 0; i < n; i++) {
    char text[512];
    snprintf(text, sizeof text, "%s=%s", set[i].name, set[i].text);
    amo_status st = amo_axis_read(call, "region", text, &axis[i]);
    if (st != AMO_OK) return st;
    if (axis[i].kind != AMO_AXIS_PARAMETER)
      return amo_error(call->diags, (amo_at){0}, "loads are parameters of the model",
                       "--region: '%s' is a state", axis[i].name);
  }
  *axes = n;
  return AMO_OK;
}

static amo_status refuse(const amo_call *call, amo_status st, const char *why)
{
  if (st == AMO_ELIMIT)
    return amo_error(call->diags, (amo_at){0}, NULL, "--region: too many contacts to enumerate");
  if (st != AMO_ENOANSWER) return st;
  amo_error(call->diags, (amo_at){0}, "amontons map --of rest.verdict draws any region by samples",
            "--region needs parameters that enter the loads linearly and nothing else: %s", why);
  return AMO_EINPUT;
}

amo_status amo_region_json(const amo_call *call, double t, const double *state, cJSON *result)
{
  amo_axis axis[2];
  size_t axes = 0;
  amo_region *r = NULL;
  const amo_setting *at = NULL;
  const char *why = "";
  amo_status st = read_axes(call, axis, &axes);
  const bool started = amo_opt_settings(call->opt, "at", &at) < amo_model_coordinates(call->model);
  if (st == AMO_OK) st = amo_region_of(call->values, t, state, started, axis, axes, &why, &r);
  st = refuse(call, st, why);
  if (st == AMO_OK) cJSON_AddItemToObject(result, "region", region_json(call->model, r));
  amo_region_free(r);
  return st;
}

// ---- in words ----

static void print_corner(const cJSON *c, FILE *out)
{
  if (cJSON_IsArray(c))
    fprintf(out, " (%.10g, %.10g)", cJSON_GetArrayItem(c, 0)->valuedouble,
            cJSON_GetArrayItem(c, 1)->valuedouble);
  else
    fprintf(out, " %.10g", c->valuedouble);
}

void amo_region_print(const cJSON *result, FILE *out)
{
  const cJSON *p = NULL, *c = NULL;
  const char *x = amo_json_text(cJSON_GetObjectItemCaseSensitive(result, "x"), "name");
  const cJSON *second = cJSON_GetObjectItemCaseSensitive(result, "y");
  fprintf(out, "\nrest is possible for %.6g %% of the given range of %s%s%s\n",
          100.0 * amo_json_get(result, "share"), x, second ? " and " : "",
          second ? amo_json_text(second, "name") : "");
  static const char *const group[] = {"holds", "several"}, *const text[] = {"rest", "rest or slip"};
  for (int k = 0; k < 2; k++) cJSON_ArrayForEach(p, cJSON_GetObjectItemCaseSensitive(result, group[k]))
    {
      fprintf(out, "  %s:", text[k]);
      cJSON_ArrayForEach(c, p) print_corner(c, out);
      fprintf(out, "\n");
    }
}
