// SPDX-License-Identifier: Apache-2.0
/// Figures: panels of curves, drawn by gnuplot run as a separate program. Beside `out.svg` stay `out.gp`
/// (the script) and `out.dat` (the numbers), so that anyone can restyle a figure by hand.
///
///   amo_figure *f = amo_figure_new("Block on a belt");
///   amo_panel *p = amo_figure_panel(f, "", "x [m]", "x' [m/s]");
///   amo_panel_series(p, AMO_STYLE_LINE, "computed", x, v, n);
///   amo_panel_mark(p, 1.2, 0.0, "slip starts");
///   st = amo_figure_write(f, "out.svg", diags);
///   amo_figure_free(f);
///
/// Everything is copied into the figure. Out of memory is sticky: builders return NULL, builders accept
/// NULL, and amo_figure_write reports it.
#ifndef AMO_PLOT_FIGURE_H
#define AMO_PLOT_FIGURE_H

#include <stdbool.h>
#include <stddef.h>

#include "amontons/diag.h"

typedef enum amo_series_style {
  AMO_STYLE_LINE,
  AMO_STYLE_DASHED,
  AMO_STYLE_POINTS,       // filled circles
  AMO_STYLE_OPEN_POINTS,  // open circles
  AMO_STYLE_STEPS,        // staircase
  AMO_STYLE_LINE_POINTS,  // line with small dots at the data
  AMO_STYLE_DOTS          // tiny dots: clouds, maps
} amo_series_style;

/// Colours, safe for colour-blind readers (Okabe-Ito). AUTO takes the next one of the panel.
typedef enum amo_colour {
  AMO_COLOUR_AUTO = -1,
  AMO_COLOUR_BLUE,
  AMO_COLOUR_ORANGE,
  AMO_COLOUR_GREEN,
  AMO_COLOUR_PINK,
  AMO_COLOUR_SKY,
  AMO_COLOUR_AMBER,
  AMO_COLOUR_BLACK,
  AMO_COLOUR_GREY,
  AMO_COLOUR_COUNT
} amo_colour;

typedef struct amo_figure_series {
  struct amo_figure_series *next;
  amo_series_style style;
  amo_colour colour;    // change after amo_panel_series if wanted
  double width;         // line width or point size, relative: 1 is normal
  const char *label;    // "" = not in the key
  const double *x, *y;  // a NaN in either breaks the line
  size_t n;
} amo_figure_series;

typedef struct amo_note {  // a text (and a dot, if `mark`) at data coordinates
  struct amo_note *next;
  double x, y;
  const char *text;
  bool mark;
} amo_note;

typedef struct amo_band {  // shaded stretch of the x axis (stick phases), or of y if `of_y`
  struct amo_band *next;
  double from, to;
  bool of_y;
} amo_band;

typedef struct amo_rule {  // thin straight line across the panel: x = at, or y = at
  struct amo_rule *next;
  bool vertical;
  double at;
  const char *label;  // "" = none
} amo_rule;

typedef enum amo_figure_key {
  AMO_KEY_AUTO,
  AMO_KEY_OFF,
  AMO_KEY_TOP_LEFT,
  AMO_KEY_TOP_RIGHT,
  AMO_KEY_BOTTOM_LEFT,
  AMO_KEY_BOTTOM_RIGHT,
  AMO_KEY_OUTSIDE
} amo_figure_key;

typedef struct amo_panel {
  struct amo_panel *next;
  struct amo_figure *figure;
  const char *title, *x_label, *y_label;
  double x_min, x_max, y_min, y_max;  // NaN = automatic (the default)
  bool x_log, y_log;
  bool equal;          // same scale on both axes
  amo_figure_key key;  // AUTO: shown (top right) when any series has a label
  amo_figure_series *series, *last_series;
  amo_note *note;
  amo_band *band;
  amo_rule *rule;
} amo_panel;

typedef struct amo_figure amo_figure;

amo_figure *amo_figure_new(const char *title);  // title "" = none
void amo_figure_free(amo_figure *f);            // accepts NULL
/// Panels fill rows from the left; columns = 0 (default) chooses: 1, 2, 2x2, 3x2 ...
void amo_figure_columns(amo_figure *f, int columns);
/// Size in points (1/72 inch) of the whole figure; 0 chooses from the number of panels.
void amo_figure_size(amo_figure *f, double width, double height);

amo_panel *amo_figure_panel(amo_figure *f, const char *title, const char *x_label, const char *y_label);
amo_figure_series *amo_panel_series(amo_panel *p, amo_series_style style, const char *label, const double *x,
                                    const double *y, size_t n);
void amo_panel_text(amo_panel *p, double x, double y, const char *text);  // text only
void amo_panel_mark(amo_panel *p, double x, double y, const char *text);  // dot and text
void amo_panel_band(amo_panel *p, double from, double to);
void amo_panel_rule(amo_panel *p, bool vertical, double at, const char *label);

/// Is `path` a name that amo_figure_write would take? For asking before a long run.
amo_status amo_figure_check_name(const char *path, amo_diags *diags);
/// Write the figure; the ending of `path` (.svg, .png, .pdf) chooses the format. Figure, .gp and .dat
/// appear complete or not at all. AMO_EINPUT: unknown ending, nothing to draw; AMO_EIO: not writable;
/// AMO_EUNSUPPORTED: gnuplot is missing or failed (then .gp and .dat are there); each with a message.
amo_status amo_figure_write(const amo_figure *f, const char *path, amo_diags *diags);

#endif
