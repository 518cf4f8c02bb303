// SPDX-License-Identifier: Apache-2.0
#include "plot/figure_layout.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LETTER      7.5    // px, mean width of a letter
#define LINE        15.0   // px, height of a line of text
#define SIDES       95.0   // px beside the area: label, numbers
#define TOPS        105.0  // px above and below it: title, key, numbers, label
#define TIC_GAP     14.0   // px between the numbers of two tics
#define KEY_SAMPLE  58.0   // px of a line and the gaps of an entry of the key
#define DOT         4.0    // px, radius of a mark
#define TEXT_COST   40.0   // for a px^2 of covered text, in px of way
#define OUTSIDE     60.0   // for a px of text beyond the area
#define CURVE_COST  4.0    // for a px of covered curve
#define MOST_POINTS 4000   // of a curve that are looked at

// ---- tics ----

static bool show(const amo_figure_series *s, size_t i)
{
  return isfinite(s->x[i]) && isfinite(s->y[i]);
}

static void reach(amo_axis_span *a, double v)
{
  if (!isfinite(v) || (a->log_scale && !(v > 0.0))) return;
  a->lo = fmin(a->lo, v);
  a->hi = fmax(a->hi, v);
}

static double longest_number(double lo, double hi, double step)
{
  char text[40];
  size_t longest = 1;
  const double from = ceil(lo / step - 1e-9);
  for (int i = 0; i < 40 && (from + i) * step <= hi + 1e-9 * step; i++) {
    // 0.1 + 0.2 would show its last digits
    snprintf(text, sizeof text, "%.8g", (double)(from + i) * step);
    if (strlen(text) > longest) longest = strlen(text);
  }
  return LETTER * (double)longest;
}

/// The least step of 1, 2, 5 times a power of ten whose numbers have room beside each other.
static double tic_step(const amo_axis_span *a, double width, bool beside)
{
  const double range = a->hi - a->lo;
  if (a->log_scale || !(range > 0.0) || !isfinite(range)) return 0.0;
  double power = pow(10.0, floor(log10(range)) - 2.0);
  for (int i = 0; i < 15; i++) {
    static const double part[] = {1.0, 2.0, 5.0};
    const double step = part[i % 3] * power * pow(10.0, i / 3);
    const double room = width * step / range;
    const double need = beside ? fmax(longest_number(a->lo, a->hi, step) + TIC_GAP, width / 9.0)
                               : fmax(2.2 * LINE, width / 9.0);
    if (room >= need) return step;
  }
  return 0.0;
}

static void settle(amo_axis_span *a, double min, double max, double width, bool beside)
{
  if (!(a->lo <= a->hi)) a->lo = 0.0, a->hi = 1.0;
  if (!isnan(min)) a->lo = min;
  if (!isnan(max)) a->hi = max;
  a->step = tic_step(a, width, beside);
  if (a->step <= 0.0) return;
  // automatic ends lie on tics
  if (isnan(min)) a->lo = a->step * floor(a->lo / a->step + 1e-9);
  if (isnan(max)) a->hi = a->step * ceil(a->hi / a->step - 1e-9);
}

double amo_layout_step(double lo, double hi, double length, bool beside)
{
  const amo_axis_span a = {lo, hi, false, 0.0};
  return tic_step(&a, length, beside);
}

amo_layout amo_layout_of(const amo_panel *p, double width, double height)
{
  amo_layout l = {.width = fmax(width - SIDES, 60.0), .height = fmax(height - TOPS, 60.0)};
  l.x = (amo_axis_span){INFINITY, -INFINITY, p->x_log, 0.0};
  l.y = (amo_axis_span){INFINITY, -INFINITY, p->y_log, 0.0};
  for (const amo_figure_series *s = p->series; s; s = s->next)
    for (size_t i = 0; i < s->n; i++)
      if (show(s, i)) reach(&l.x, s->x[i]), reach(&l.y, s->y[i]);
  for (const amo_note *k = p->note; k; k = k->next) reach(&l.x, k->x), reach(&l.y, k->y);
  settle(&l.x, p->x_min, p->x_max, l.width, true);
  settle(&l.y, p->y_min, p->y_max, l.height, false);
  return l;
}

// ---- texts of marks ----

typedef struct box {
  double x0, y0, x1, y1;  // px, y upwards
} box;

static double part_of(const amo_axis_span *a, double v)
{
  if (a->log_scale) return a->hi > a->lo && v > 0.0 ? log(v / a->lo) / log(a->hi / a->lo) : 0.0;
  return a->hi > a->lo ? (v - a->lo) / (a->hi - a->lo) : 0.5;
}

static double letters(const char *text)
{
  double n = 0.0;
  for (; *text; text++) n += ((unsigned char)*text & 0xc0) != 0x80;
  return n;
}

static double shared(const box *a, const box *b)
{
  const double w = fmin(a->x1, b->x1) - fmax(a->x0, b->x0), h = fmin(a->y1, b->y1) - fmax(a->y0, b->y0);
  return w > 0.0 && h > 0.0 ? w * h : 0.0;
}

/// Length of the stretch between two points that lies inside the box, by a few samples.
static double covered(const box *b, double x0, double y0, double x1, double y1)
{
  const double length = hypot(x1 - x0, y1 - y0);
  if (fmax(x0, x1) < b->x0 || fmin(x0, x1) > b->x1 || fmax(y0, y1) < b->y0 || fmin(y0, y1) > b->y1)
    return 0.0;
  const int n = (int)fmin(ceil(length / 3.0) + 1.0, 60.0);
  int inside = 0;
  for (int i = 0; i <= n; i++) {
    const double s = (double)i / n, x = x0 + s * (x1 - x0), y = y0 + s * (y1 - y0);
    inside += x >= b->x0 && x <= b->x1 && y >= b->y0 && y <= b->y1;
  }
  return fmax(length, 3.0) * inside / (n + 1);
}

static double curves_under(const amo_layout *l, const amo_panel *p, const box *b)
{
  double sum = 0.0;
  for (const amo_figure_series *s = p->series; s; s = s->next) {
    const size_t every = s->n / MOST_POINTS + 1;
    double x = NAN, y = NAN;
    for (size_t i = 0; i < s->n; i += every) {
      const double u = show(s, i) ? l->width * part_of(&l->x, s->x[i]) : NAN;
      const double v = show(s, i) ? l->height * part_of(&l->y, s->y[i]) : NAN;
      if (!isnan(u)) sum += covered(b, isnan(x) ? u : x, isnan(y) ? v : y, u, v);
      x = u, y = v;
    }
  }
  return sum;
}

static double outside(const amo_layout *l, const box *b)
{
  return fmax(0.0, -b->x0) + fmax(0.0, b->x1 - l->width) + fmax(0.0, -b->y0) + fmax(0.0, b->y1 - l->height);
}

typedef struct placed {
  box text[AMO_MOST_NOTES], dot[AMO_MOST_NOTES];
  size_t n, dots;
} placed;

static double cost(const amo_layout *l, const amo_panel *p, const placed *done, const box *b)
{
  double sum = OUTSIDE * outside(l, b) + CURVE_COST * curves_under(l, p, b);
  for (size_t i = 0; i < done->n; i++) sum += TEXT_COST * shared(b, &done->text[i]);
  for (size_t i = 0; i < done->dots; i++) sum += TEXT_COST * shared(b, &done->dot[i]);
  return sum;
}

static box text_box(double x, double y, double w, bool right)
{
  return (box){right ? x - w : x, y - 0.5 * LINE, right ? x : x + w, y + 0.5 * LINE};
}

static amo_note_place place(const amo_layout *l, const amo_panel *p, placed *done, const amo_note *k)
{
  const double x = l->width * part_of(&l->x, k->x), y = l->height * part_of(&l->y, k->y);
  const double w = LETTER * letters(k->text);
  amo_note_place best = {0};
  double least = INFINITY;
  box chosen = {0};
  for (int right = 0; right < 2; right++)
    for (int row = -6; row <= 6; row++)
      for (int column = 0; column <= 4; column++) {
        const double dx = (right ? -1.0 : 1.0) * (2.0 * DOT + 12.0 * column) * (row || column ? 1.0 : 1.5);
        const double dy = 0.7 * LINE * row;
        const box b = text_box(x + dx, y + dy, w, right);
        // up and to the right is where it is looked for
        const double now = cost(l, p, done, &b) + hypot(dx, dy) + (right ? 4.0 : 0.0) + (row < 0 ? 2.0 : 0.0);
        if (now >= least) continue;
        least = now;
        chosen = b;
        best = (amo_note_place){dx / l->width, dy / l->height, right, false};
      }
  if (done->n < AMO_MOST_NOTES) done->text[done->n++] = chosen;
  return best;
}

int amo_layout_key(const amo_layout *l, const amo_panel *p)
{
  double longest = 0.0;
  int entries = 0;
  for (const amo_figure_series *s = p->series; s; s = s->next) {
    if (!*s->label) continue;
    longest = fmax(longest, letters(s->label));
    entries++;
  }
  const int fit = (int)(l->width / (LETTER * longest + KEY_SAMPLE));
  return fit >= entries ? 0 : fit > 1 ? fit : 1;
}

/// Marks that lie on each other and say the same are one.
static bool is_said(const amo_layout *l, const amo_panel *p, const amo_note *k)
{
  for (const amo_note *o = p->note; o && o != k; o = o->next) {
    const double dx = l->width * (part_of(&l->x, o->x) - part_of(&l->x, k->x));
    const double dy = l->height * (part_of(&l->y, o->y) - part_of(&l->y, k->y));
    if (!strcmp(o->text, k->text) && hypot(dx, dy) < 2.0 * DOT) return true;
  }
  return false;
}

void amo_layout_notes(const amo_layout *l, const amo_panel *p, amo_note_place *out)
{
  placed done = {0};
  size_t i = 0;
  for (const amo_note *k = p->note; k; k = k->next) {
    const double x = l->width * part_of(&l->x, k->x), y = l->height * part_of(&l->y, k->y);
    if (k->mark && done.dots < AMO_MOST_NOTES)
      done.dot[done.dots++] = (box){x - DOT, y - DOT, x + DOT, y + DOT};
  }
  for (const amo_note *k = p->note; k && i < AMO_MOST_NOTES; k = k->next, i++)
    out[i] = k->mark && *k->text && !is_said(l, p, k) ? place(l, p, &done, k)
                                                      : (amo_note_place){.said = k->mark && is_said(l, p, k)};
}
