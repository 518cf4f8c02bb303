// SPDX-License-Identifier: Apache-2.0
// Places of labels: one after the other, each at the cheapest of the places on a grid about the one it was meant for.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "plot/svg_impl.h"

#define ROWS        7  // of the grid to either side
#define COLUMNS     10
#define ROW         8.0  // px
#define COLUMN      10.0
#define LETTER      8.0  // px, mean width
#define MOST_LABELS 300  // in a larger crowd none is legible, wherever it goes
#define MOST_BOXES  20000
#define GAP         2.0    // px of free space beside a text
#define TEXT_COST   100.0  // px of way that one px^2 of covered text is worth
#define STROKE_COST 3.0    // the same for one px of a covered line

struct amo_svg_label {
  double x, y;
  const char *anchor, *colour;
  bool italic;
  char *text;
};

void amo_svg_note(amo_svg *s, amo_svg_boxes *list, amo_svg_box box)
{
  if (list->count >= MOST_BOXES) return;
  if (AMO_ROOM(list->item, list->count, list->cap))
    list->item[list->count++] = box;
  else
    s->body.failed = true;
}

amo_svg_box amo_svg_text_box(double x, double y, const char *anchor, const char *text)
{
  double letters = 0.0;
  for (const char *c = text; *c; c++) letters += ((unsigned char)*c & 0xc0) != 0x80;  // UTF-8: first bytes
  double w = LETTER * letters, left = !strcmp(anchor, "middle") ? w / 2 : !strcmp(anchor, "end") ? w : 0.0;
  return (amo_svg_box){x - left - GAP, y - 12, x - left + w + GAP, y + 3};
}

void amo_svg_label_at(amo_svg *s, double x, double y, const char *anchor, const char *colour, bool italic,
                      const char *text)
{
  char *copy = amo_strdup(text);
  if (copy && AMO_ROOM(s->label, s->labels, s->label_cap)) {
    s->label[s->labels++] = (amo_svg_label){x, y, anchor, colour, italic, copy};
    amo_svg_reach_text(s, x, y, anchor, text);
    return;
  }
  free(copy);
  s->body.failed = true;
}

static double shared_area(const amo_svg_box *a, const amo_svg_box *b)
{
  double w = fmin(a->x1, b->x1) - fmax(a->x0, b->x0), h = fmin(a->y1, b->y1) - fmax(a->y0, b->y0);
  return w > 0 && h > 0 ? w * h : 0.0;
}

/// How much of a stroke lies in a box: Liang and Barsky's clipping.
static double covered_length(const amo_svg_box *a, const amo_svg_box *stroke)
{
  const double from[2] = {stroke->x0, stroke->y0},
               way[2] = {stroke->x1 - stroke->x0, stroke->y1 - stroke->y0};
  const double lo[2] = {a->x0, a->y0}, hi[2] = {a->x1, a->y1};
  double enter = 0.0, leave = 1.0;
  for (int k = 0; k < 2; k++) {
    if (way[k] == 0.0) {
      if (from[k] < lo[k] || from[k] > hi[k]) return 0.0;
      continue;
    }
    double u = (lo[k] - from[k]) / way[k], v = (hi[k] - from[k]) / way[k];
    enter = fmax(enter, fmin(u, v));
    leave = fmin(leave, fmax(u, v));
  }
  return leave > enter ? (leave - enter) * hypot(way[0], way[1]) : 0.0;
}

static double cost_of(const amo_svg *s, const amo_svg_box *box, double so_far, double limit)
{
  for (size_t i = 0; i < s->texts.count && so_far < limit; i++)
    so_far += TEXT_COST * shared_area(box, &s->texts.item[i]);
  for (size_t i = 0; i < s->strokes.count && so_far < limit; i++)
    so_far += STROKE_COST * covered_length(box, &s->strokes.item[i]);
  return so_far;
}

static bool on_page(const amo_svg *s, const amo_svg_box *b)
{
  return b->x0 >= s->x_min - AMO_SVG_MARGIN && b->x1 <= s->x_max + AMO_SVG_MARGIN &&
         b->y0 >= s->y_min - AMO_SVG_MARGIN && b->y1 <= s->y_max + AMO_SVG_MARGIN;
}

static void place(amo_svg *s, amo_svg_label *l)
{
  const amo_svg_box meant = amo_svg_text_box(l->x, l->y, l->anchor, l->text);
  double least = cost_of(s, &meant, 0.0, INFINITY), dx = 0.0, dy = 0.0;
  for (int row = -ROWS; row <= ROWS; row++)
    for (int column = -COLUMNS; column <= COLUMNS; column++) {
      double x = COLUMN * column, y = ROW * row, way = hypot(x, y);
      amo_svg_box box = {meant.x0 + x, meant.y0 + y, meant.x1 + x, meant.y1 + y};
      if (way >= least || !on_page(s, &box)) continue;
      double cost = cost_of(s, &box, way, least);
      if (cost < least) least = cost, dx = x, dy = y;
    }
  l->x += dx;
  l->y += dy;
}

void amo_svg_place_labels(amo_svg *s)
{
  for (size_t i = 0; i < s->labels; i++) {
    amo_svg_label *l = &s->label[i];
    if (s->labels <= MOST_LABELS) place(s, l);
    amo_svg_put_text(s, l->x, l->y, l->anchor, l->colour, l->italic, l->text);
  }
}

void amo_svg_free(amo_svg *s)
{
  for (size_t i = 0; i < s->labels; i++) free(s->label[i].text);
  free(s->label);
  free(s->strokes.item);
  free(s->texts.item);
  amo_text_free(&s->body);
  *s = (amo_svg){0};
}
