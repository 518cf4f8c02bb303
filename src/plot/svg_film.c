// SPDX-License-Identifier: Apache-2.0
#include "plot/svg_film.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

#define GAP 12.0  // px between frames of a strip

typedef struct picture {
  double width, height, box[4];
  const char *inside;
  size_t length;
} picture;

static bool open_picture(const char *svg, picture *p)
{
  const char *size = strstr(svg, " width=\""), *box = strstr(svg, " viewBox=\""), *end = NULL;
  p->inside = box ? strchr(box, '>') : NULL;
  for (const char *s = p->inside; s && (s = strstr(s, "</svg>")); s++) end = s;
  if (!size || !end || sscanf(size, " width=\"%lf\" height=\"%lf\"", &p->width, &p->height) != 2)
    return false;
  if (sscanf(box, " viewBox=\"%lf %lf %lf %lf\"", &p->box[0], &p->box[1], &p->box[2], &p->box[3]) != 4)
    return false;
  p->length = (size_t)(end - ++p->inside);
  return true;
}

/// Visible in its share of the time only.
static void flicker(amo_text *t, size_t i, size_t frames, double seconds)
{
  amo_text_printf(t,
                  "<animate attributeName=\"visibility\" calcMode=\"discrete\" dur=\"%.6gs\" "
                  "repeatCount=\"indefinite\" values=\"",
                  seconds);
  for (size_t k = 0; k < frames; k++) amo_text_printf(t, "%s%s", k ? ";" : "", k == i ? "visible" : "hidden");
  amo_text_str(t, "\"/>\n");
}

char *amo_svg_film(const char *const *frame, size_t frames, int columns, double seconds)
{
  amo_text body = {0}, all = {0};
  double wide = 0, high = 0, cell_w = 0, cell_h = 0;
  bool film = seconds > 0, good = frames > 0;
  size_t in_row = columns > 0 ? (size_t)columns : frames;
  picture p;
  for (size_t i = 0; i < frames && good; i++) {
    good = open_picture(frame[i], &p);
    cell_w = good ? fmax(cell_w, p.width + GAP) : 0;
    cell_h = good ? fmax(cell_h, p.height + GAP) : 0;
  }
  for (size_t i = 0; i < frames && good; i++) {
    open_picture(frame[i], &p);
    double x = film ? 0 : cell_w * (double)(i % in_row), y = film ? 0 : cell_h * (double)(i / in_row);
    wide = fmax(wide, x + p.width);
    high = fmax(high, y + p.height);
    amo_text_printf(&body, "<g visibility=\"%s\">\n", film && i ? "hidden" : "visible");
    if (film) flicker(&body, i, frames, seconds);
    amo_text_printf(
        &body, "<svg x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" viewBox=\"%.2f %.2f %.2f %.2f\">",
        x, y, p.width, p.height, p.box[0], p.box[1], p.box[2], p.box[3]);
    amo_text_add(&body, p.inside, p.length);
    amo_text_str(&body, "</svg>\n</g>\n");
  }
  amo_text_printf(
      &all,
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.2f %.2f\" "
      "font-family=\"Helvetica, Arial, sans-serif\">\n"
      "<rect width=\"%.2f\" height=\"%.2f\" fill=\"white\"/>\n",
      wide, high, wide, high, wide, high);
  char *inside = amo_text_take(&body);
  if (inside && good) amo_text_str(&all, inside);
  amo_text_str(&all, "</svg>\n");
  bool ready = inside && good && !all.failed;
  free(inside);
  if (ready) return amo_text_take(&all);
  amo_text_free(&all);
  return NULL;
}
