// SPDX-License-Identifier: Apache-2.0
/// Inside of amo_figure, and the three steps of writing one: script, data, gnuplot.
#ifndef AMO_PLOT_FIGURE_IMPL_H
#define AMO_PLOT_FIGURE_IMPL_H

#include "base/mem.h"
#include "base/text.h"
#include "plot/figure.h"

struct amo_figure {
  amo_arena arena;
  const char *title;
  amo_panel *panel, *last;
  int panels, columns;
  double width, height;  // points; 0 = choose
  bool failed;           // out of memory while building
};

typedef enum amo_figure_format { AMO_FIGURE_SVG, AMO_FIGURE_PNG, AMO_FIGURE_PDF } amo_figure_format;

/// Names of the three files; all in `folder`, relative names in the script.
typedef struct amo_figure_names {
  char *folder;                  // "." or "a/b"
  char *figure, *script, *data;  // without the folder
  amo_figure_format format;
} amo_figure_names;

/// The gnuplot script: sets its output from amo_out if that exists, else from `names`.
void amo_figure_script(const amo_figure *f, const amo_figure_names *names, amo_text *out);
/// All series, as blocks separated by two blank lines in the order of the script's `index`.
void amo_figure_data(const amo_figure *f, amo_text *out);
/// 'text' as a gnuplot string; control characters are shown as \xNN.
void amo_gp_quote(amo_text *out, const char *s);
/// A file's name as a gnuplot string, taken literally. A relative one begins with "./": to gnuplot a name that begins
/// with '|' or '<' is a command for the shell, '-', '+', '$' and '~' have meanings too. No control characters in it.
void amo_gp_name(amo_text *out, const char *s);

/// Run `gnuplot script` in `folder`, output to `temporary`. AMO_EUNSUPPORTED with a message if gnuplot is
/// missing or fails.
amo_status amo_gnuplot_run(const char *folder, const char *script, const char *temporary, amo_diags *diags);

#endif
