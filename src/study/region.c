// SPDX-License-Identifier: Apache-2.0
#include "study/region.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "contact/linear.h"
#include "study/json.h"
#include "study/map_probe.h"

enum { MOST_CORNERS = 64 };

/// A convex polygon (two loads) or an interval (one; y = 0).
typedef struct polygon {
  double x[MOST_CORNERS], y[MOST_CORNERS];
  int n;
} polygon;

typedef struct kept {  // a solution with its region
  polygon area;
  signed char *mode, *reaction_sign;
  bool rest;
} kept;

typedef struct region {
  const amo_call *call;
  amo_axis axis[2];
  size_t axes;
  kept *item;
  size_t count, capacity;
  cJSON *lines;
} region;

// ---- polygons ----

static double value(const double c[3], double x, double y)
{
  return c[0] + c[1] * x + c[2] * y;
}

/// Where the border crosses an edge, at the part f of it; on edges along an axis from the border's own equation, so
/// that no digit is lost to the size of the frame.
static void meet(const double c[3], double f, const double edge[4], double *x, double *y)
{
  *x = edge[1] == edge[3] && c[1] != 0.0 ? -(c[0] + c[2] * edge[1]) / c[1] + 0.0
                                         : edge[0] + f * (edge[2] - edge[0]);
  *y = edge[0] == edge[2] && c[2] != 0.0 ? -(c[0] + c[1] * edge[0]) / c[2] + 0.0
                                         : edge[1] + f * (edge[3] - edge[1]);
  if (edge[1] == edge[3]) *y = edge[1];
  if (edge[0] == edge[2]) *x = edge[0];
}

/// The part with c >= 0 (Sutherland and Hodgman). What is below rounding of its terms is on the border.
static polygon cut(const polygon *p, const double c[3])
{
  polygon out = {.n = 0};
  for (int i = 0; i < p->n; i++) {
    int j = (i + 1) % p->n;
    double u = value(c, p->x[i], p->y[i]), v = value(c, p->x[j], p->y[j]);
    double size = fabs(c[0]) + fabs(c[1] * p->x[i]) + fabs(c[2] * p->y[i]);
    if (fabs(u) <= 4e-16 * size) u = 0.0;
    if (u >= 0.0 && out.n < MOST_CORNERS) {
      out.x[out.n] = p->x[i];
      out.y[out.n++] = p->y[i];
    }
    if (((u > 0.0 && v < 0.0) || (u < 0.0 && v > 0.0)) && out.n < MOST_CORNERS) {
      meet(c, u / (u - v), (const double[4]){p->x[i], p->y[i], p->x[j], p->y[j]}, &out.x[out.n],
           &out.y[out.n]);
      out.n++;
    }
  }
  return out;
}

/// Neighbours that are the same corner up to rounding become one.
static void tidy(polygon *p, const region *r)
{
  double size[2] = {r->axis[0].to - r->axis[0].from, r->axes > 1 ? r->axis[1].to - r->axis[1].from : 1.0};
  int n = 0;
  for (int i = 0; i < p->n; i++) {
    int j = (i + 1) % p->n;
    if (p->n > 1 && fabs(p->x[i] - p->x[j]) <= 1e-14 * size[0] && fabs(p->y[i] - p->y[j]) <= 1e-14 * size[1])
      continue;
    p->x[n] = p->x[i];
    p->y[n++] = p->y[i];
  }
  p->n = n;
}

static double measure(const polygon *p, size_t axes)
{
  double area = 0.0;
  if (axes == 1) return p->n == 2 ? fabs(p->x[1] - p->x[0]) : 0.0;
  for (int i = 0; i < p->n; i++) {
    int j = (i + 1) % p->n;
    area += 0.5 * (p->x[i] * p->y[j] - p->x[j] * p->y[i]);
  }
  return fabs(area);
}

static polygon whole(const region *r)
{
  const amo_axis *x = &r->axis[0], *y = &r->axis[1];
  if (r->axes == 1) return (polygon){{x->from, x->to}, {0}, 2};
  return (polygon){{x->from, x->to, x->to, x->from}, {y->from, y->from, y->to, y->to}, 4};
}

// ---- collecting ----

static const char *const face_name[] = {"limit +", "limit -", "reaction", "start"};

static bool same_line(const cJSON *line, const double *c)
{
  const cJSON *k = cJSON_GetObjectItemCaseSensitive(line, "coefficients");
  for (int i = 0; i < 3; i++)
    if (fabs(cJSON_GetArrayItem(k, i)->valuedouble - c[i]) > 1e-12) return false;
  return true;
}

/// A border of the rest region as c0 + c1 x + c2 y = 0, scaled so that (c1, c2) has length 1.
static void add_line(region *r, const amo_affine *f)
{
  const double length = hypot(f->c[1], f->c[2]);
  const cJSON *x = NULL;
  double c[3];
  if (!(length > 0.0)) return;
  const double sign = f->c[1] < 0.0 || (f->c[1] == 0.0 && f->c[2] < 0.0) ? -1.0 : 1.0;
  for (int i = 0; i < 3; i++) c[i] = sign * f->c[i] / length + 0.0;
  cJSON_ArrayForEach(x, r->lines) if (same_line(x, c)) return;
  cJSON *o = cJSON_CreateObject(), *list = cJSON_AddArrayToObject(o, "coefficients");
  for (int i = 0; i < 3; i++) cJSON_AddItemToArray(list, amo_json_number(c[i]));
  if (r->axes == 1) amo_json_add(o, "at", -c[0] / c[1]);
  cJSON_AddStringToObject(o, "contact", r->call->model->contact[f->contact].sym.name);
  cJSON_AddStringToObject(o, "what", face_name[f->what]);
  cJSON_AddItemToArray(r->lines, o);
}

static amo_status keep(void *ctx, const amo_piece *piece)
{
  region *r = ctx;
  const uint32_t nc = r->call->model->nc;
  polygon p = whole(r);
  bool rest = true;
  for (uint32_t c = 0; c < nc; c++) rest &= piece->mode[c] == 0;
  if (rest && !piece->held) return AMO_OK;
  for (size_t i = 0; i < piece->faces; i++) {
    p = cut(&p, piece->face[i].c);
    if (rest && piece->face[i].what <= AMO_FACE_LIMIT_MINUS) add_line(r, &piece->face[i]);
  }
  tidy(&p, r);
  if (!(measure(&p, r->axes) > 0.0)) return AMO_OK;
  if (!AMO_ROOM(r->item, r->count, r->capacity)) return AMO_ENOMEM;
  kept *k = &r->item[r->count];
  *k = (kept){.area = p, .mode = amo_zalloc(2u * (size_t)nc, 1), .rest = rest};
  if (!k->mode) return AMO_ENOMEM;
  k->reaction_sign = k->mode + nc;
  memcpy(k->mode, piece->mode, nc);
  memcpy(k->reaction_sign, piece->reaction_sign, nc);
  r->count++;
  return AMO_OK;
}

// ---- JSON ----

static cJSON *corners_json(const polygon *p, size_t axes)
{
  cJSON *list = cJSON_CreateArray();
  for (int i = 0; i < p->n; i++) {
    cJSON *corner = axes == 1 ? amo_json_number(p->x[i]) : cJSON_CreateArray();
    if (axes > 1) {
      cJSON_AddItemToArray(corner, amo_json_number(p->x[i]));
      cJSON_AddItemToArray(corner, amo_json_number(p->y[i]));
    }
    cJSON_AddItemToArray(list, corner);
  }
  return list;
}

static cJSON *signs_json(const amo_model *m, const signed char *sign)
{
  cJSON *o = cJSON_CreateObject();
  for (uint32_t c = 0; c < m->nc; c++) cJSON_AddNumberToObject(o, m->contact[c].sym.name, sign[c]);
  return o;
}

static cJSON *item_json(const region *r, const kept *k)
{
  cJSON *o = cJSON_CreateObject();
  cJSON_AddStringToObject(o, "kind", k->rest ? "rest" : "motion");
  cJSON_AddItemToObject(o, "modes", signs_json(r->call->model, k->mode));
  cJSON_AddItemToObject(o, "signs", signs_json(r->call->model, k->reaction_sign));
  cJSON_AddItemToObject(o, r->axes == 1 ? "interval" : "polygon", corners_json(&k->area, r->axes));
  return o;
}

static polygon both(const polygon *a, const polygon *b, size_t axes)
{
  polygon out = *a;
  if (axes == 1) {
    out.x[0] = fmax(fmin(a->x[0], a->x[1]), fmin(b->x[0], b->x[1]));
    out.x[1] = fmin(fmax(a->x[0], a->x[1]), fmax(b->x[0], b->x[1]));
    out.n = out.x[0] < out.x[1] ? 2 : 0;
    return out;
  }
  double turn = 0.0;  // orientation of b
  for (int i = 0; i < b->n; i++) {
    int j = (i + 1) % b->n;
    turn += b->x[i] * b->y[j] - b->x[j] * b->y[i];
  }
  for (int i = 0; i < b->n; i++) {
    int j = (i + 1) % b->n;
    double s = turn < 0.0 ? -1.0 : 1.0, dx = s * (b->x[j] - b->x[i]), dy = s * (b->y[j] - b->y[i]);
    const double c[3] = {dy * b->x[i] - dx * b->y[i], -dy, dx};
    out = cut(&out, c);
  }
  return out;
}

/// Corners of the rest region that are not corners of the frame: where its borders meet.
static void vertices_json(const region *r, cJSON *list)
{
  polygon frame = whole(r);
  for (size_t i = 0; i < r->count; i++)
    for (int k = 0; r->item[i].rest && k < r->item[i].area.n; k++) {
      const polygon *p = &r->item[i].area;
      bool known = false;
      const cJSON *x = NULL;
      for (int j = 0; j < frame.n; j++) known |= p->x[k] == frame.x[j] && p->y[k] == frame.y[j];
      cJSON_ArrayForEach(x, list) known |=
          fabs(cJSON_GetArrayItem(x, 0)->valuedouble - p->x[k]) <=
              1e-13 * (r->axis[0].to - r->axis[0].from) &&
          fabs(cJSON_GetArrayItem(x, 1)->valuedouble - p->y[k]) <= 1e-13 * (r->axis[1].to - r->axis[1].from);
      if (known) continue;
      cJSON *v = cJSON_CreateArray();
      cJSON_AddItemToArray(v, amo_json_number(p->x[k]));
      cJSON_AddItemToArray(v, amo_json_number(p->y[k]));
      cJSON_AddItemToArray(list, v);
    }
}

/// Two slips (one for each sign of the reaction) often share their region.
static void add_once(cJSON *list, cJSON *corners)
{
  const cJSON *x = NULL;
  cJSON_ArrayForEach(x, list) if (cJSON_Compare(x, corners, true))
  {
    cJSON_Delete(corners);
    return;
  }
  cJSON_AddItemToArray(list, corners);
}

static cJSON *region_json(region *r)
{
  cJSON *o = cJSON_CreateObject(), *holds = NULL, *several = NULL, *all = NULL;
  const polygon frame = whole(r);
  double share = 0.0;
  for (size_t k = 0; k < r->axes; k++) {
    cJSON *a = cJSON_AddObjectToObject(o, k ? "y" : "x");
    cJSON_AddStringToObject(a, "name", r->axis[k].name);
    amo_json_add(a, "from", r->axis[k].from);
    amo_json_add(a, "to", r->axis[k].to);
  }
  cJSON_AddStringToObject(o, "how", "exact");
  cJSON_AddItemToObject(o, "lines", r->lines);
  if (r->axes > 1) vertices_json(r, cJSON_AddArrayToObject(o, "vertices"));
  holds = cJSON_AddArrayToObject(o, "holds");
  several = cJSON_AddArrayToObject(o, "several");
  all = cJSON_AddArrayToObject(o, "solutions");
  for (size_t i = 0; i < r->count; i++) {
    const kept *k = &r->item[i];
    cJSON_AddItemToArray(all, item_json(r, k));
    if (!k->rest) continue;
    share += measure(&k->area, r->axes);
    cJSON_AddItemToArray(holds, corners_json(&k->area, r->axes));
    for (size_t j = 0; j < r->count; j++) {
      polygon p = r->item[j].rest ? (polygon){.n = 0} : both(&k->area, &r->item[j].area, r->axes);
      tidy(&p, r);
      if (measure(&p, r->axes) > 1e-13 * measure(&frame, r->axes))
        add_once(several, corners_json(&p, r->axes));
    }
  }
  amo_json_add(o, "share", share / measure(&frame, r->axes));
  return o;
}

// ---- reading and running ----

static amo_status read_axes(region *r)
{
  const amo_setting *set = NULL;
  size_t n = amo_opt_settings(r->call->opt, "region", &set);
  if (n > 2)
    return amo_error(r->call->diags, (amo_at){0}, NULL, "--region takes one or two loads, got %zu", n);
  for (size_t i = 0; i < n; i++) {
    char text[512];
    snprintf(text, sizeof text, "%s=%s", set[i].name, set[i].text);
    amo_status st = amo_axis_read(r->call, "region", text, &r->axis[i]);
    if (st != AMO_OK) return st;
    if (r->axis[i].kind != AMO_AXIS_PARAMETER)
      return amo_error(r->call->diags, (amo_at){0}, "loads are parameters of the model",
                       "--region: '%s' is a state", r->axis[i].name);
  }
  r->axes = n;
  return AMO_OK;
}

static amo_status refuse(const region *r, amo_status st, const char *why)
{
  if (st == AMO_ELIMIT)
    return amo_error(r->call->diags, (amo_at){0}, NULL, "--region: too many contacts to enumerate");
  if (st != AMO_ENOANSWER) return st;
  amo_error(r->call->diags, (amo_at){0}, "amontons map --of rest.verdict draws any region by samples",
            "--region needs parameters that enter the loads linearly and nothing else: %s", why);
  return AMO_EINPUT;
}

amo_status amo_region_json(const amo_call *call, double t, const double *state, cJSON *result)
{
  const amo_model *m = call->model;
  region r = {.call = call};
  amo_linear *l = NULL;
  amo_point *p = NULL;
  const char *why = "";
  size_t param[2] = {0};
  const amo_setting *at = NULL;
  amo_status st = read_axes(&r);
  for (size_t i = 0; st == AMO_OK && i < r.axes; i++) param[i] = r.axis[i].index;
  bool started = amo_opt_settings(call->opt, "at", &at) < m->nq;
  if (st == AMO_OK) st = amo_linear_new(m, param, r.axes, started, &why, &l);
  st = refuse(&r, st, why);
  if (st == AMO_OK) st = amo_point_new(m, &p);
  if (st == AMO_OK) {
    r.lines = cJSON_CreateArray();
    amo_point_parameters(p, call->values->param);
    st = amo_linear_visit(l, p, t, state, &why, keep, &r);
    st = refuse(&r, st, why);
    if (st == AMO_OK)
      cJSON_AddItemToObject(result, "region", region_json(&r));
    else
      cJSON_Delete(r.lines);
  }
  for (size_t i = 0; i < r.count; i++) free(r.item[i].mode);
  free(r.item);
  amo_point_free(p);
  amo_linear_free(l);
  return st;
}

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
