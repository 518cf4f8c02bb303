// SPDX-License-Identifier: Apache-2.0
#include "ask/orbit/branch_plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "plot/figure.h"
#include "plot/axis_label.h"

/// What is drawn of a point: amplitude of the first coordinate, its least and largest value (together with steady
/// states), the period.
typedef enum quantity { AMPLITUDE, LOW, HIGH, PERIOD } quantity;

static double height(const amo_branch_point *p, quantity what)
{
  switch (what) {
    case AMPLITUDE: return 0.5 * (p->high[0] - p->low[0]);
    case LOW: return p->low[0];
    case HIGH: return p->high[0];
    case PERIOD: break;
  }
  return p->period > 0.0 ? p->period : NAN;
}

/// Points of one stability; a gap where it changes or another branch begins.
static size_t part(const amo_branch *b, bool stable, quantity what, double *x, double *y)
{
  size_t n = 0;
  for (size_t i = 0; i < b->points; i++) {
    const amo_branch_point *p = &b->point[i], *before = i ? &b->point[i - 1] : p;
    if (p->branch != before->branch && n) x[n] = y[n] = NAN, n++;
    const bool mine = p->stable == stable, joins = before->stable == stable && before->branch == p->branch;
    if (mine || joins) {  // the stretch that leads out belongs to it
      x[n] = p->value;
      y[n++] = height(p, what);
    }
    if (!mine && joins) x[n] = y[n] = NAN, n++;
  }
  return n;
}

static void draw(const amo_branch *b, amo_panel *panel, quantity what, double *x, double *y)
{
  for (int stable = 1; stable >= 0; stable--) {
    const size_t n = part(b, stable, what, x, y);
    const char *label = what == LOW ? "" : stable ? "stable" : "unstable";
    amo_figure_series *s =
        amo_panel_series(panel, stable ? AMO_STYLE_LINE : AMO_STYLE_DASHED, label, x, y, n);
    if (s) s->colour = stable ? AMO_COLOUR_BLUE : AMO_COLOUR_ORANGE;
  }
  for (size_t i = 0; what != LOW && i < b->specials && i < 40; i++)
    if (isfinite(height(&b->special[i].at, what)))
      amo_panel_mark(panel, b->special[i].at.value, height(&b->special[i].at, what),
                     amo_special_name(b->special[i].type));
}

amo_status amo_branch_plot(const amo_model *m, const amo_branch *b, const char *parameter, const char *path,
                           amo_diags *diags)
{
  double *x = amo_zalloc(4 * b->points + 4, sizeof *x), *y = x ? x + 2 * b->points + 2 : NULL;
  if (!x) return AMO_ENOMEM;
  const bool steady = b->points && !(b->point[0].period > 0.0);
  bool cycles = false;
  for (size_t i = 0; i < b->points; i++) cycles |= b->point[i].period > 0.0;
  amo_figure *f = amo_figure_new(amo_model_name(m));
  char label[200], across[200], period[40];
  amo_label(m, steady ? "" : "amplitude of ", amo_model_state(m, 0).name, label, sizeof label);
  amo_label(m, "", parameter, across, sizeof across);
  snprintf(period, sizeof period, *amo_label_unit(m, "t") ? "period [%s]" : "period", amo_label_unit(m, "t"));
  if (b->coordinates) {
    amo_panel *panel = amo_figure_panel(f, "", across, label);
    draw(b, panel, steady ? HIGH : AMPLITUDE, x, y);
    if (steady && cycles) draw(b, panel, LOW, x, y);
  }
  if (cycles) draw(b, amo_figure_panel(f, "", across, period), PERIOD, x, y);
  amo_status st = amo_figure_write(f, path, diags);
  amo_figure_free(f);
  free(x);
  return st;
}
