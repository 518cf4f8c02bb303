// SPDX-License-Identifier: Apache-2.0
// The rest region as a picture: where rest is the only answer, where slip is one too, and the borders.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot/svg.h"
#include "result/json.h"
#include "ask/rest/region_json.h"

#define WIDE 460.0
#define HIGH 380.0

typedef struct region_page {
  amo_svg svg;
  double from[2], to[2];
} region_page;

static double px(const region_page *p, double x)
{
  return WIDE * (x - p->from[0]) / (p->to[0] - p->from[0]);
}

static double py(const region_page *p, double y)
{
  return HIGH * (1.0 - (y - p->from[1]) / (p->to[1] - p->from[1]));
}

static void draw_areas(region_page *p, const cJSON *list, const char *fill)
{
  const cJSON *area = NULL, *c = NULL;
  cJSON_ArrayForEach(area, list)
  {
    double xy[128];
    int n = 0;
    if (cJSON_IsNumber(cJSON_GetArrayItem(area, 0))) {  // one load: a band
      double a = cJSON_GetArrayItem(area, 0)->valuedouble, b = cJSON_GetArrayItem(area, 1)->valuedouble;
      amo_svg_rect(&p->svg, px(p, fmin(a, b)), 0, fabs(px(p, b) - px(p, a)), HIGH, 0,
                   (amo_pen){"none", fill, 0, NULL});
      continue;
    }
    cJSON_ArrayForEach(c, area)
    {
      if (n == 64) break;
      xy[2 * n] = px(p, cJSON_GetArrayItem(c, 0)->valuedouble);
      xy[2 * n + 1] = py(p, cJSON_GetArrayItem(c, 1)->valuedouble);
      n++;
    }
    amo_svg_path(&p->svg, xy, n, true, (amo_pen){"#0072B2", fill, 1.4, NULL});
  }
}

/// About five round numbers.
static double step_of(double range)
{
  double power = pow(10.0, floor(log10(range / 5.0))), f = range / 5.0 / power;
  return power * (f < 1.5 ? 1.0 : f < 3.5 ? 2.0 : f < 7.5 ? 5.0 : 10.0);
}

static void draw_axis(region_page *p, int k, const char *name)
{
  static const amo_pen thin = {"#333333", "none", 1.0, NULL};
  double step = step_of(p->to[k] - p->from[k]);
  char text[32];
  for (double v = ceil(p->from[k] / step) * step; v <= p->to[k] + 1e-9 * step; v += step) {
    if (fabs(v) < 1e-9 * step) v = 0.0;
    snprintf(text, sizeof text, "%.6g", v);
    if (k == 0) {
      amo_svg_line(&p->svg, px(p, v), HIGH, px(p, v), HIGH - 6, thin);
      amo_svg_text(&p->svg, px(p, v), HIGH + 20, "middle", "#333333", false, text);
    } else {
      amo_svg_line(&p->svg, 0, py(p, v), 6, py(p, v), thin);
      amo_svg_text(&p->svg, -8, py(p, v) + 5, "end", "#333333", false, text);
    }
  }
  if (k == 0)
    amo_svg_text(&p->svg, 0.5 * WIDE, HIGH + 44, "middle", "#333333", true, name);
  else
    amo_svg_text(&p->svg, -8, -12, "end", "#333333", true, name);
}

static void draw_key(region_page *p)
{
  static const char *const text[] = {"rest", "rest or slip", "it starts"}, *const fill[] = {"#cfe3f1",
                                                                                            "#E69F00",
                                                                                            "#ffffff"};
  for (int k = 0; k < 3; k++) {
    amo_svg_rect(&p->svg, WIDE + 18, 10 + 26 * k, 16, 16, 2, (amo_pen){"#333333", fill[k], 0.8, NULL});
    amo_svg_text(&p->svg, WIDE + 42, 23 + 26 * k, "start", "#333333", false, text[k]);
  }
}

amo_status amo_region_plot(const amo_call *call, const cJSON *region, char **text)
{
  const cJSON *axis[2] = {cJSON_GetObjectItemCaseSensitive(region, "x"),
                          cJSON_GetObjectItemCaseSensitive(region, "y")};
  region_page p = {.from = {0.0, 0.0}, .to = {1.0, 1.0}};
  for (int k = 0; k < 2 && axis[k]; k++) {
    p.from[k] = amo_json_get(axis[k], "from");
    p.to[k] = amo_json_get(axis[k], "to");
  }
  draw_areas(&p, cJSON_GetObjectItemCaseSensitive(region, "holds"), "#cfe3f1");
  draw_areas(&p, cJSON_GetObjectItemCaseSensitive(region, "several"), "#E69F00");
  amo_svg_rect(&p.svg, 0, 0, WIDE, HIGH, 0, (amo_pen){"#333333", "none", 1.4, NULL});
  for (int k = 0; k < 2 && axis[k]; k++) draw_axis(&p, k, amo_json_text(axis[k], "name"));
  draw_key(&p);
  *text = amo_svg_finish(&p.svg, amo_model_name(call->model));
  return *text ? AMO_OK : AMO_ENOMEM;
}
