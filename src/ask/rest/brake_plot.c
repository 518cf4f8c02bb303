// SPDX-License-Identifier: Apache-2.0
// The points of a mechanism, each with the forces that cannot move it, and the field of a part behind them.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "ask/rest/brake_json.h"
#include "ask/describe/draw.h"
#include "result/json.h"

#define PAGE 620.0  // px: longer side of what is drawn

typedef struct page {
  amo_svg svg;
  double x0, y0, scale;  // px = (x - x0)*scale, y upwards
  double fan;            // px: radius of a stagnation angle
  bool field;
  double size;  // of what is seen, in units of the model
} page;

static const amo_pen thin = {"#555555", "none", 1.1, NULL};

static double px(const page *p, double x)
{
  return (x - p->x0) * p->scale;
}

static double py(const page *p, double y)
{
  return -(y - p->y0) * p->scale;
}

static const char *colour_of(const char *kind)
{
  return !strcmp(kind, "self-braking") ? "#D55E00" : !strcmp(kind, "ambiguous") ? "#CC79A7" : "#0072B2";
}

static void vector(const cJSON *list, double v[2])
{
  const cJSON *x = cJSON_GetArrayItem(list, 0), *y = cJSON_GetArrayItem(list, 1);
  v[0] = cJSON_IsNumber(x) ? x->valuedouble : NAN;
  v[1] = cJSON_IsNumber(y) ? y->valuedouble : NAN;
}

static void get_vector(const cJSON *o, const char *name, double v[2])
{
  vector(cJSON_GetObjectItemCaseSensitive(o, name), v);
}

// ---- the field ----

/// From pale (0) to deep (pi).
static void shade(double psi, char out[8])
{
  static const int pale[3] = {0xf4, 0xf8, 0xfb}, deep[3] = {0xe6, 0x8a, 0x2e};
  double f = fmin(fmax(psi / AMO_PI, 0.0), 1.0);
  int c[3];
  for (int k = 0; k < 3; k++) c[k] = (int)lround(pale[k] + f * (deep[k] - pale[k]));
  snprintf(out, 8, "#%02x%02x%02x", c[0] & 255, c[1] & 255, c[2] & 255);
}

typedef struct axes {
  double o[2], c, s;
} axes;

static axes axes_of(const cJSON *field)
{
  axes a;
  double angle = amo_json_get(field, "angle");
  get_vector(field, "origin", a.o);
  a.c = cos(angle);
  a.s = sin(angle);
  return a;
}

static void to_page(const page *p, const axes *a, double x, double y, double *out)
{
  out[0] = px(p, a->o[0] + a->c * x - a->s * y);
  out[1] = py(p, a->o[1] + a->s * x + a->c * y);
}

static void draw_grid(page *p, const cJSON *field)
{
  const axes a = axes_of(field);
  const cJSON *rows = cJSON_GetObjectItemCaseSensitive(field, "psi"), *row = NULL, *cell = NULL;
  double rx[2], ry[2];
  vector(cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(field, "range"), 0), rx);
  vector(cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(field, "range"), 1), ry);
  int nx = cJSON_GetArraySize(cJSON_GetArrayItem(rows, 0)), ny = cJSON_GetArraySize(rows), j = 0;
  double dx = (rx[1] - rx[0]) / (nx - 1), dy = (ry[1] - ry[0]) / (ny - 1);
  cJSON_ArrayForEach(row, rows)
  {
    int i = 0;
    cJSON_ArrayForEach(cell, row)
    {
      char fill[8];
      double xy[8], x = rx[0] + i * dx, y = ry[0] + j * dy;
      to_page(p, &a, x - dx / 2, y - dy / 2, xy), to_page(p, &a, x + dx / 2, y - dy / 2, xy + 2);
      to_page(p, &a, x + dx / 2, y + dy / 2, xy + 4), to_page(p, &a, x - dx / 2, y + dy / 2, xy + 6);
      shade(cJSON_IsNumber(cell) ? cell->valuedouble : 0.0, fill);
      amo_svg_path(&p->svg, xy, 4, true, (amo_pen){fill, fill, 0.6, NULL});
      i++;
    }
    j++;
  }
}

/// The stretch of the line through a place that lies in the field's range: Liang and Barsky's clipping.
static void stretch(const cJSON *field, const double *through, const double *along, double s[2])
{
  const axes a = axes_of(field);
  const double from[2] = {through[0] - a.o[0], through[1] - a.o[1]};
  const double own[2] = {a.c * from[0] + a.s * from[1], -a.s * from[0] + a.c * from[1]};
  const double way[2] = {a.c * along[0] + a.s * along[1], -a.s * along[0] + a.c * along[1]};
  s[0] = -INFINITY;
  s[1] = INFINITY;
  for (int k = 0; k < 2; k++) {
    double range[2];
    vector(cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(field, "range"), k), range);
    if (fabs(way[k]) < 1e-12) {
      if (own[k] < range[0] || own[k] > range[1]) s[1] = -INFINITY;
      continue;
    }
    double u = (range[0] - own[k]) / way[k], v = (range[1] - own[k]) / way[k];
    s[0] = fmax(s[0], fmin(u, v));
    s[1] = fmin(s[1], fmax(u, v));
  }
}

/// Where an end of an interval lies along the line.
static double end_of(const cJSON *end, const double *through, const double *along, double infinite)
{
  double at[2];
  get_vector(end, "at", at);
  return isnan(at[0]) ? infinite : (at[0] - through[0]) * along[0] + (at[1] - through[1]) * along[1];
}

static void draw_line(page *p, const cJSON *field)
{
  const cJSON *line = cJSON_GetObjectItemCaseSensitive(field, "line"), *x = NULL;
  double through[2], along[2], seen[2];
  if (!line) return;
  get_vector(cJSON_GetObjectItemCaseSensitive(line, "through"), "at", through);
  get_vector(line, "along", along);
  stretch(field, through, along, seen);
  cJSON_ArrayForEach(x, cJSON_GetObjectItemCaseSensitive(line, "intervals"))
  {
    const char *kind = amo_json_text(x, "class");
    double a = fmax(end_of(cJSON_GetObjectItemCaseSensitive(x, "from"), through, along, -INFINITY), seen[0]);
    double b = fmin(end_of(cJSON_GetObjectItemCaseSensitive(x, "to"), through, along, INFINITY), seen[1]);
    if (a < b)
      amo_svg_line(&p->svg, px(p, through[0] + a * along[0]), py(p, through[1] + a * along[1]),
                   px(p, through[0] + b * along[0]), py(p, through[1] + b * along[1]),
                   (amo_pen){colour_of(kind), "none", strcmp(kind, "debraking") ? 4.0 : 1.6, NULL});
  }
}

static void draw_poles(page *p, const cJSON *field)
{
  static const char *const name[] = {"A_plus", "A_minus", "B"}, *const text[] = {"A+", "A−", "B"};
  for (int k = 0; k < 3; k++) {
    const cJSON *pole =
        cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(field, "poles"), name[k]);
    double c[2], seen[2];
    get_vector(pole, "at", c);
    if (isnan(c[0])) continue;
    stretch(field, c, (const double[2]){1.0, 0.0}, seen);
    if (seen[0] > 0.0 || seen[1] < 0.0) continue;
    amo_svg_circle(&p->svg, px(p, c[0]), py(p, c[1]), 3.5, (amo_pen){"#333333", "#ffffff", 1.5, NULL});
    amo_svg_label_at(&p->svg, px(p, c[0]) - 8, py(p, c[1]) + 5, "end", "#333333", false, text[k]);
  }
}

/// Where the stagnation angle is a right one; left out where it leaves the page.
static void draw_circle(page *p, const cJSON *field, double size)
{
  const cJSON *circle = cJSON_GetObjectItemCaseSensitive(field, "right_angle");
  double c[2], radius = amo_json_get(circle, "radius");
  get_vector(cJSON_GetObjectItemCaseSensitive(circle, "centre"), "at", c);
  if (radius > 0.0 && radius < 0.6 * size)
    amo_svg_circle(&p->svg, px(p, c[0]), py(p, c[1]), radius * p->scale, thin);
}

// ---- the mechanism ----

/// The directions F with (F.n_plus)(F.n_minus) <= 0: a double sector about the direction across a.
static void draw_fan(page *p, const cJSON *o, double x, double y, const char *kind)
{
  enum { STEPS = 40 };
  const char *pale = !strcmp(kind, "self-braking") ? "#f7d9c6"
                     : !strcmp(kind, "ambiguous")  ? "#f2dce8"
                                                   : "#cfe3f1";
  double n[2], m[2], psi = amo_json_get(o, "psi"), xy[2 * STEPS + 4];
  get_vector(o, "n_plus", n);
  get_vector(o, "n_minus", m);
  if (!(psi > 0.0)) return;
  if (strcmp(kind, "debraking") != 0) {
    amo_svg_circle(&p->svg, x, y, p->fan, (amo_pen){colour_of(kind), pale, 1.2, NULL});
    return;
  }
  double from = atan2(n[0], -n[1]), to = atan2(m[0], -m[1]), turn = remainder(to - from, 2.0 * AMO_PI);
  if (isnan(turn)) return;
  for (int side = 0; side < 2; side++) {
    xy[0] = x, xy[1] = y;
    for (int i = 0; i <= STEPS; i++) {
      double angle = from + side * AMO_PI + turn * i / STEPS;
      xy[2 * i + 2] = x + p->fan * cos(angle);
      xy[2 * i + 3] = y - p->fan * sin(angle);
    }
    amo_svg_path(&p->svg, xy, STEPS + 2, true, (amo_pen){colour_of(kind), pale, 1.2, NULL});
  }
}

static void draw_arrow(page *p, double x, double y, const double *v, double unit, const char *colour)
{
  if (hypot(v[0], v[1]) * unit > 1.0)
    amo_svg_arrow(&p->svg, x, y, x + unit * v[0], y - unit * v[1], (amo_pen){colour, "none", 1.6, NULL});
}

/// Two names for one place would lie on top of each other.
static bool named_before(const cJSON *points, const cJSON *o)
{
  const cJSON *x = NULL;
  double at[2], other[2];
  get_vector(o, "at", at);
  cJSON_ArrayForEach(x, points)
  {
    if (x == o) return false;
    get_vector(x, "at", other);
    if (at[0] == other[0] && at[1] == other[1]) return true;
  }
  return false;
}

/// Stagnation angles of neighbours must not cover each other.
static void choose_fan(page *p, const cJSON *points)
{
  const cJSON *x = NULL, *y = NULL;
  double a[2], b[2], least = INFINITY;
  cJSON_ArrayForEach(x, points) for (y = x->next; y; y = y->next)
  {
    get_vector(x, "at", a);
    get_vector(y, "at", b);
    double far = hypot(a[0] - b[0], a[1] - b[1]) * p->scale;
    if (far > 4.0) least = fmin(least, far);
  }
  p->fan = fmin(p->fan, fmax(0.42 * least, 15.0));
}

static void draw_points(page *p, const cJSON *points)
{
  const cJSON *o = NULL;
  double longest[2] = {0.0, 0.0}, v[2];
  cJSON_ArrayForEach(o, points) for (int k = 0; k < 2; k++)
  {
    get_vector(o, k ? "b" : "a", v);
    if (isfinite(v[0])) longest[k] = fmax(longest[k], hypot(v[0], v[1]));
  }
  cJSON_ArrayForEach(o, points)
  {
    double at[2];
    get_vector(o, "at", at);
    draw_fan(p, o, px(p, at[0]), py(p, at[1]), amo_json_text(o, "class"));
  }
  cJSON_ArrayForEach(o, points)
  {
    const char *kind = amo_json_text(o, "class");
    double at[2], x, y;
    char label[256];
    get_vector(o, "at", at);
    x = px(p, at[0]);
    y = py(p, at[1]);
    for (int k = 0; k < 2; k++) {
      get_vector(o, k ? "b" : "a", v);
      if (isfinite(v[0]) && longest[k] > 0.0)
        draw_arrow(p, x, y, v, fmax(1.35 * p->fan, 24.0) / longest[k], k ? "#009E73" : "#333333");
    }
    amo_svg_circle(&p->svg, x, y, 5.0, (amo_pen){"#ffffff", colour_of(kind), 1.2, NULL});
    snprintf(label, sizeof label, "%s: %.4g°", o->string, amo_json_get(o, "psi_deg"));
    if (!named_before(points, o))
      amo_svg_label_at(&p->svg, x, y + (amo_json_get(o, "psi") > 0.0 ? p->fan : 8.0) + 18, "middle",
                       p->field ? "#222222" : colour_of(kind), false, label);
  }
}

/// What colours and arrows mean, below the drawing.
static void draw_key(page *p)
{
  static const char *const kind[] = {"self-braking", "ambiguous", "debraking"};
  double x = p->svg.x_min, y = p->svg.y_max + 26;
  for (int k = 0; k < 3; k++) {
    amo_svg_circle(&p->svg, x + 6, y - 5, 5.0, (amo_pen){"#ffffff", colour_of(kind[k]), 1.2, NULL});
    amo_svg_text(&p->svg, x + 16, y, "start", colour_of(kind[k]), false, kind[k]);
    x += 122;
  }
  amo_svg_text(&p->svg, p->svg.x_min, y + 22, "start", "#333333", false,
               "sectors: forces that cannot move it; arrows: motion (black), lift (green)");
}

// ---- the page ----

static void include(const double *at, double lo[2], double hi[2])
{
  for (int k = 0; k < 2; k++)
    if (isfinite(at[k])) lo[k] = fmin(lo[k], at[k]), hi[k] = fmax(hi[k], at[k]);
}

/// Everything that must be seen, and the scale that brings it to the page.
static void fit(page *p, const amo_brake_run *r, const cJSON *result, amo_view *seen)
{
  const cJSON *o = NULL, *field = cJSON_GetObjectItemCaseSensitive(result, "field");
  double lo[2] = {INFINITY, INFINITY}, hi[2] = {-INFINITY, -INFINITY}, v[2];
  amo_scene *scene = NULL;
  cJSON_ArrayForEach(o, cJSON_GetObjectItemCaseSensitive(result, "points"))
  {
    get_vector(o, "at", v);
    include(v, lo, hi);
  }
  for (int k = 0; field && k < 4; k++) {
    const axes a = axes_of(field);
    double rx[2], ry[2];
    vector(cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(field, "range"), 0), rx);
    vector(cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(field, "range"), 1), ry);
    const double x = rx[k & 1], y = ry[k >> 1],
                 at[2] = {a.o[0] + a.c * x - a.s * y, a.o[1] + a.s * x + a.c * y};
    include(at, lo, hi);
  }
  if (amo_scene_new(r->call->values, r->t, r->state, NULL, NULL, &scene) == AMO_OK && !scene->spread &&
      !field) {
    const double from[2] = {scene->x0, scene->y0};
    const double to[2] = {scene->x0 + scene->width / scene->scale, scene->y0 + scene->height / scene->scale};
    include(from, lo, hi);
    include(to, lo, hi);
  }
  amo_scene_free(scene);
  double size = fmax(hi[0] - lo[0], hi[1] - lo[1]);
  if (!(size > 0.0)) size = 1.0;
  *seen = (amo_view){lo[0], fmax(hi[0], lo[0] + 0.3 * size), lo[1], fmax(hi[1], lo[1] + 0.3 * size)};
  p->size = size;
}

amo_status amo_brake_plot(const amo_brake_run *r, const cJSON *result, char **text)
{
  const cJSON *field = cJSON_GetObjectItemCaseSensitive(result, "field");
  page p = {.scale = 1.0, .field = field != NULL, .fan = field ? 24.0 : 46.0};
  amo_view seen;
  amo_scene *scene = NULL;
  fit(&p, r, result, &seen);
  amo_status st = amo_scene_new(r->call->values, r->t, r->state, &seen, NULL, &scene);
  if (st != AMO_OK && st != AMO_ENOANSWER) return st;
  p.x0 = scene ? scene->x0 : seen.x0;
  p.y0 = scene ? scene->y0 : seen.y0;
  p.scale = scene ? scene->scale : PAGE / p.size;
  if (field) draw_grid(&p, field);
  if (scene) amo_draw_scene(scene, &p.svg);
  if (field) {
    draw_circle(&p, field, p.size);
    draw_line(&p, field);
  }
  choose_fan(&p, cJSON_GetObjectItemCaseSensitive(result, "points"));
  draw_points(&p, cJSON_GetObjectItemCaseSensitive(result, "points"));
  if (field) draw_poles(&p, field);
  draw_key(&p);
  *text = amo_svg_finish(&p.svg, amo_model_name(r->call->model));
  amo_scene_free(scene);
  return *text ? AMO_OK : AMO_ENOMEM;
}
