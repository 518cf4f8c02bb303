// SPDX-License-Identifier: Apache-2.0
// Building a figure: panels, curves and marks, all copied into one arena.
#include "plot/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot/figure_impl.h"

static void *take(amo_figure *f, size_t size)
{
  void *p = f->failed ? NULL : amo_arena_alloc(&f->arena, size);
  if (!p) f->failed = true;
  return p;
}

static const char *copy(amo_figure *f, const char *s)
{
  char *p = f->failed ? NULL : amo_arena_str(&f->arena, s ? s : "", s ? strlen(s) : 0);
  if (!p) f->failed = true;
  return p ? p : "";
}

amo_figure *amo_figure_new(const char *title)
{
  amo_figure *f = amo_zalloc(1, sizeof *f);
  if (f) f->title = copy(f, title);
  return f;
}

void amo_figure_free(amo_figure *f)
{
  if (!f) return;
  amo_arena_free(&f->arena);
  free(f);
}

void amo_figure_columns(amo_figure *f, int columns)
{
  if (f) f->columns = columns;
}

void amo_figure_size(amo_figure *f, double width, double height)
{
  if (!f) return;
  f->width = width;
  f->height = height;
}

amo_panel *amo_figure_panel(amo_figure *f, const char *title, const char *x_label, const char *y_label)
{
  amo_panel *p = f ? take(f, sizeof *p) : NULL;
  if (!p) return NULL;
  p->figure = f;
  p->title = copy(f, title);
  p->x_label = copy(f, x_label);
  p->y_label = copy(f, y_label);
  p->x_min = p->x_max = p->y_min = p->y_max = NAN;
  if (f->last)
    f->last->next = p;
  else
    f->panel = p;
  f->last = p;
  f->panels++;
  return p;
}

amo_figure_series *amo_panel_series(amo_panel *p, amo_series_style style, const char *label, const double *x,
                                    const double *y, size_t n)
{
  if (!p) return NULL;
  amo_figure *f = p->figure;
  amo_figure_series *s = take(f, sizeof *s);
  double *data = take(f, 2 * n * sizeof *data + 1);
  if (!s || !data) return NULL;
  if (n) {
    memcpy(data, x, n * sizeof *x);
    memcpy(data + n, y, n * sizeof *y);
  }
  *s = (amo_figure_series){.style = style,
                           .colour = AMO_COLOUR_AUTO,
                           .width = 1.0,
                           .label = copy(f, label),
                           .x = data,
                           .y = data + n,
                           .n = n};
  if (p->last_series)
    p->last_series->next = s;
  else
    p->series = s;
  p->last_series = s;
  return s;
}

static void note(amo_panel *p, double x, double y, const char *text, bool mark)
{
  amo_note *k = p ? take(p->figure, sizeof *k) : NULL;
  if (!k) return;
  *k = (amo_note){.next = p->note, .x = x, .y = y, .text = copy(p->figure, text), .mark = mark};
  p->note = k;
}

void amo_panel_text(amo_panel *p, double x, double y, const char *text)
{
  note(p, x, y, text, false);
}

void amo_panel_mark(amo_panel *p, double x, double y, const char *text)
{
  note(p, x, y, text, true);
}

void amo_panel_band(amo_panel *p, double from, double to)
{
  amo_band *b = p ? take(p->figure, sizeof *b) : NULL;
  if (!b) return;
  *b = (amo_band){.next = p->band, .from = from, .to = to};
  p->band = b;
}

void amo_panel_rule(amo_panel *p, bool vertical, double at, const char *label)
{
  amo_rule *r = p ? take(p->figure, sizeof *r) : NULL;
  if (!r) return;
  *r = (amo_rule){.next = p->rule, .vertical = vertical, .at = at, .label = copy(p->figure, label)};
  p->rule = r;
}
