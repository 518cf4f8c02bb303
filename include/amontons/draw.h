// SPDX-License-Identifier: Apache-2.0
/// The mechanism as a schematic: SVG text.
///
///   char *svg = NULL;
///   if (amo_draw(model, NULL, NULL, &svg) == AMO_OK) puts(svg);
///   free(svg);
///
/// Threads may draw side by side; the model is only read.
#ifndef AMONTONS_DRAW_H
#define AMONTONS_DRAW_H

#include "amontons/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum amo_draw_arrows {
  AMO_DRAW_ARROWS_AUTO,  // forces of the contacts as arrows where the contact problem can be solved
  AMO_DRAW_ARROWS_ON,    // where it cannot, that is a mistake
  AMO_DRAW_ARROWS_OFF    // never
} amo_draw_arrows;

/// How it is drawn. Get it from amo_draw_opts_default() and change what you need; later versions may add fields at the end.
typedef struct amo_draw_opts {
  size_t size;                // sizeof(amo_draw_opts), set by amo_draw_opts_init
  double t;                   // time; NaN: that of the values
  const double *state;        // [states]; NULL: the initial state of the values
  const amo_values *values;   // what the model is asked with; NULL: amo_model_values
  amo_draw_arrows reactions;  // arrows
  const double *window;       // [4] x0, x1, y0, y1 to show, in units of the model; NULL: as large as needed
} amo_draw_opts;

AMO_API void amo_draw_opts_init(amo_draw_opts *o, size_t size);
static inline amo_draw_opts amo_draw_opts_default(void)
{
  amo_draw_opts o;
  amo_draw_opts_init(&o, sizeof o);
  return o;
}

/// *svg is the caller's (free()). AMO_ENOANSWER: nothing has a place (diags says so); AMO_ERANGE: a window without width.
AMO_API amo_status amo_draw(const amo_model *m, const amo_draw_opts *opts, amo_diags *diags, char **svg);

#ifdef __cplusplus
}
#endif
#endif
