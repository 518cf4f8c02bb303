// SPDX-License-Identifier: Apache-2.0
#include "study/branch_plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "plot/figure.h"

/// Amplitude of the first coordinate (its value on a steady branch), or the period.
static double height(const amo_branch_point *p, bool period)
{
  if (period) return p->period;
  return p->period > 0.0 ? 0.5 * (p->high[0] - p->low[0]) : p->state[0];
}

/// Points of one stability; a gap where it changes or another branch begins.
static size_t part(const amo_branch *b, bool stable, bool period, double *x, double *y)
{
  size_t n = 0;
  for (size_t i = 0; i < b->points; i++) {
    const amo_branch_point *p = &b->point[i], *before = i ? &b->point[i - 1] : p;
    if (p->branch != before->branch && n) x[n] = y[n] = NAN, n++;
    const bool mine = p->stable == stable, joins = before->stable == stable && before->branch == p->branch;
    if (mine || joins) {  // the stretch that leads out belongs to it
      x[n] = p->value;
      y[n++] = height(p, period);
    }
    if (!mine && joins) x[n] = y[n] = NAN, n++;
  }
  return n;
}

static void draw(const amo_branch *b, amo_panel *panel, bool period, double *x, double *y)
{
  for (int stable = 1; stable >= 0; stable--) {
    const size_t n = part(b, stable, period, x, y);
    amo_series *s = amo_panel_series(panel, stable ? AMO_STYLE_LINE : AMO_STYLE_DASHED,
                                     stable ? "stable" : "unstable", x, y, n);
    if (s) s->colour = stable ? AMO_COLOUR_BLUE : AMO_COLOUR_ORANGE;
  }
  for (size_t i = 0; i < b->specials && i < 40; i++)
    amo_panel_mark(panel, b->special[i].at.value, height(&b->special[i].at, period),
                   amo_special_name(b->special[i].type));
}

amo_status amo_branch_plot(const amo_model *m, const amo_branch *b, const char *parameter, const char *path,
                           amo_diags *diags)
{
  double *x = amo_zalloc(4 * b->points + 4, sizeof *x), *y = x ? x + 2 * b->points + 2 : NULL;
  if (!x) return AMO_ENOMEM;
  const bool cycles = b->points && b->point[0].period > 0.0;
  amo_figure *f = amo_figure_new(amo_model_name(m));
  char label[200];
  snprintf(label, sizeof label, "%s%s", cycles ? "amplitude of " : "", amo_model_state(m, 0).name);
  if (b->coordinates) draw(b, amo_figure_panel(f, "", parameter, label), false, x, y);
  if (cycles) draw(b, amo_figure_panel(f, "", parameter, "period"), true, x, y);
  amo_status st = amo_figure_write(f, path, diags);
  amo_figure_free(f);
  free(x);
  return st;
}
