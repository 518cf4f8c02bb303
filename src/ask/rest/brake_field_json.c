// SPDX-License-Identifier: Apache-2.0
// The field of a part (explore/brake/field.h) as JSON, and the grid that its options ask for.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ask/number.h"
#include "ask/rest/brake_json.h"
#include "ask/rest/brake_points.h"
#include "explore/brake/field.h"
#include "result/json.h"

// ---- structure ----

static void add_place(cJSON *o, const char *name, const amo_brake_place *p)
{
  cJSON *both = p->there ? cJSON_AddObjectToObject(o, name) : cJSON_AddNullToObject(o, name);
  if (!p->there) return;
  cJSON_AddItemToObject(both, "at", amo_vector_json(p->at, 2));
  cJSON_AddItemToObject(both, "in_part", amo_vector_json(p->in_part, 2));
}

static void add_class(cJSON *o, amo_brake_class kind, amo_brake_class source)
{
  cJSON_AddStringToObject(o, "class", amo_brake_class_name(kind));
  cJSON_AddStringToObject(o, "source", amo_brake_class_name(source));
}

static void add_parallel(cJSON *o, const amo_brake_lines *x)
{
  static const char *const word[] = {"line", "everywhere", "nowhere"};
  cJSON_AddStringToObject(o, "parallel", word[x->parallel]);
  if (x->parallel != AMO_PARALLEL_LINE) {
    add_class(o, x->kind, x->source);
    return;
  }
  cJSON *line = cJSON_AddObjectToObject(o, "line");
  add_place(line, "through", &x->through);
  cJSON_AddItemToObject(line, "along", amo_vector_json(x->along, 2));
  cJSON *list = cJSON_AddArrayToObject(line, "intervals");
  for (size_t i = 0; i < x->intervals; i++) {
    cJSON *one = cJSON_CreateObject();
    add_place(one, "from", &x->interval[i].from);
    add_place(one, "to", &x->interval[i].to);
    add_class(one, x->interval[i].kind, x->interval[i].source);
    cJSON_AddItemToArray(list, one);
  }
}

static void add_lines(cJSON *o, const amo_brake_lines *x)
{
  static const char *const name[AMO_BRAKE_POLES] = {"a", "b", "A_plus", "A_minus", "B"};
  cJSON *poles = cJSON_AddObjectToObject(o, "poles");
  for (int k = 0; k < AMO_BRAKE_POLES; k++) add_place(poles, name[k], &x->pole[k]);
  add_parallel(o, x);
  if (!x->centre.there) {
    cJSON_AddNullToObject(o, "right_angle");
    return;
  }
  cJSON *circle = cJSON_AddObjectToObject(o, "right_angle");
  add_place(circle, "centre", &x->centre);
  amo_json_add(circle, "radius", x->radius);
}

// ---- the grid ----

static amo_status read_size(const amo_call *call, amo_brake_grid *g)
{
  const char *text = amo_opt_text(call->opt, "size");
  char *end = NULL;
  const long nx = strtol(text, &end, 10), ny = *end == 'x' ? strtol(end + 1, &end, 10) : 0;
  if (*end || nx < 2 || ny < 2 || nx > 1000 || ny > 1000)
    return amo_error(call->diags, (amo_at){0}, NULL, "--size needs NxM, each from 2 to 1000, got '%s'", text);
  g->n[0] = (size_t)nx, g->n[1] = (size_t)ny;
  return AMO_OK;
}

static amo_status read_range(const amo_call *call, amo_brake_grid *g)
{
  const char *text = amo_opt_text(call->opt, "range");
  char part[4][128];
  if (!text) return AMO_OK;
  if (sscanf(text, " %127[^:,]:%127[^:,],%127[^:,]:%127[^:,]", part[0], part[1], part[2], part[3]) != 4)
    return amo_error(call->diags, (amo_at){0}, NULL,
                     "--range needs X0:X1,Y0:Y1 in the axes of the part, got '%s'", text);
  for (int k = 0; k < 4; k++) {
    amo_status st = amo_number_eval(part[k], (amo_at){0}, call->values, call->diags,
                                    k % 2 ? &g->to[k / 2] : &g->from[k / 2]);
    if (st != AMO_OK) return st;
  }
  for (int k = 0; k < 2; k++)
    if (!(g->from[k] < g->to[k]))
      return amo_error(call->diags, (amo_at){0}, NULL, "--range must ascend, got '%s'", text);
  return AMO_OK;
}

static void add_grid(cJSON *o, const amo_brake_field *f)
{
  const amo_brake_grid *g = &f->grid;
  const double size[2] = {(double)g->n[0], (double)g->n[1]};
  cJSON *box = cJSON_AddArrayToObject(o, "range");
  for (int k = 0; k < 2; k++) cJSON_AddItemToArray(box, amo_json_pair(g->from[k], g->to[k]));
  cJSON_AddItemToObject(o, "size", amo_vector_json(size, 2));
  cJSON *count = cJSON_AddObjectToObject(o, "counts");
  for (int k = 0; k < 3; k++)
    cJSON_AddNumberToObject(count, amo_brake_class_name((amo_brake_class)k), (double)f->counts[k]);
  amo_json_add(o, "psi_min", f->least);
  amo_json_add(o, "psi_max", f->most);
  cJSON *psi = cJSON_AddArrayToObject(o, "psi"), *kind = cJSON_AddArrayToObject(o, "classes");
  for (size_t j = 0; j < g->n[1]; j++) {
    cJSON *row = cJSON_CreateArray(), *words = cJSON_CreateArray();
    for (size_t i = 0; i < g->n[0]; i++) {
      cJSON_AddItemToArray(row, amo_json_number(f->psi[j * g->n[0] + i]));
      cJSON_AddItemToArray(words, cJSON_CreateString(amo_brake_class_name(f->kind[j * g->n[0] + i])));
    }
    cJSON_AddItemToArray(psi, row);
    cJSON_AddItemToArray(kind, words);
  }
}

static amo_status find_part(const amo_brake_run *r, const char *name, const amo_moving_point **part)
{
  *part = NULL;
  if (amo_material_find(r->call, "field", name, strlen(name)) < 0) return AMO_EINPUT;
  for (size_t i = 0; i < r->spots->count && !*part; i++)
    if (!strcmp(r->spots->spot[i].name, name)) *part = &r->spots->spot[i];
  if (*part && (*part)->turns) return AMO_OK;
  return amo_error(r->call->diags, (amo_at){0}, "a body, or a point with an angle",
                   "--field: '%s' has no axes of its own: a field needs a part that turns or may turn", name);
}

amo_status amo_brake_field_json(const amo_brake_run *r, cJSON *result)
{
  const char *name = amo_opt_text(r->call->opt, "field");
  const amo_moving_point *part;
  amo_brake_grid g = {{0}, {0}, {0}};
  amo_brake_field f;
  amo_status st = find_part(r, name, &part);
  if (st == AMO_OK) st = read_size(r->call, &g);
  if (st == AMO_OK) amo_brake_range(r->spots, part, &g);
  if (st == AMO_OK) st = read_range(r->call, &g);
  if (st == AMO_OK) st = amo_brake_field_find(r->brake, r->spots, part, &g, r->tol, r->size, &f);
  if (st != AMO_OK) return st;
  cJSON *o = cJSON_AddObjectToObject(result, "field");
  cJSON_AddStringToObject(o, "part", name);
  cJSON_AddItemToObject(o, "origin", amo_vector_json(part->origin, 2));
  amo_json_add(o, "angle", part->turned);
  if (f.structured) add_lines(o, &f.lines);
  add_grid(o, &f);
  amo_brake_field_free(&f);
  return AMO_OK;
}
