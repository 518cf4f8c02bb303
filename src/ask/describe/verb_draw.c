// SPDX-License-Identifier: Apache-2.0
// draw: the mechanism as a schematic.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "amontons/draw.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/options.h"
#include "ask/describe/draw.h"
#include "result/json.h"
#include "ask/number.h"
#include "ask/sim_options.h"
#include "ask/motion/simulate.h"
#include "ask/contact/solutions_json.h"
#include "ask/svg_file.h"

#define MOST_CONTACTS 64  // with reactions drawn

// clang-format off
static const amo_opt_def opts[] = {
    AMO_STATE_OPT,
    {"time", AMO_OPT_NUMBER, "T", NULL, NULL, "time, instead of the model's start", 0, 0},
    {"reactions", AMO_OPT_CHOICE, "WHEN", "auto", "auto|on|off",
     "forces of the contacts as arrows; auto: where the contact problem can be solved", 0, 0},
    {"window", AMO_OPT_TEXT, "X0,X1,Y0,Y1", NULL, NULL,
     "part of the plane to show, in units of the model, so that several drawings have one scale", 0, 0},
    {"out", AMO_OPT_FILE, "FILE", NULL, NULL,
     "write the drawing here (.svg) instead of to standard output (-)", 0, 0},
    {NULL, AMO_OPT_FLAG, NULL, NULL, NULL, NULL, 0, 0}};
// clang-format on

static amo_status read_window(const amo_call *call, double w[4])
{
  const char *text = amo_opt_text(call->opt, "window");
  char part[4][128], rest = 0;
  int n = sscanf(text, " %127[^,],%127[^,],%127[^,],%127[^,]%c", part[0], part[1], part[2], part[3], &rest);
  for (int i = 0; n == 4 && i < n; i++) {
    amo_status st = amo_number_eval(part[i], (amo_at){0}, call->values, call->diags, &w[i]);
    if (st != AMO_OK) return st;
  }
  if (n != 4 || !(w[1] > w[0]) || !(w[3] > w[2]))
    return amo_error(call->diags, (amo_at){0}, "--window=-1,2,0,1.5 shows -1 <= x <= 2, 0 <= y <= 1.5",
                     "--window needs four numbers X0,X1,Y0,Y1 with X0 < X1 and Y0 < Y1, got '%s'", text);
  return AMO_OK;
}

/// All solutions of the contact problem; without `on` it is no mistake that there are none to draw.
static amo_status find_reactions(const amo_values *v, double t, const double *state, amo_draw_arrows when,
                                 amo_diags *diags, amo_solutions **out)
{
  const amo_model *m = v->model;
  const bool asked = when == AMO_DRAW_ARROWS_ON;
  amo_diags *quiet = asked ? NULL : amo_diags_new();
  if (when == AMO_DRAW_ARROWS_OFF || (!m->nc && !m->ng) || (!asked && m->nc > MOST_CONTACTS)) {
    amo_diags_free(quiet);
    return AMO_OK;
  }
  amo_status st = asked || quiet ? amo_solutions_at(v, t, state, asked ? diags : quiet, out) : AMO_ENOMEM;
  amo_diags_free(quiet);
  if (st == AMO_OK || asked || st == AMO_ENOMEM) return st;
  amo_solutions_free(*out);
  *out = NULL;
  return AMO_OK;
}

/// A line below the picture where the reactions shown are not the only ones, or do not exist.
static void note(const amo_scene *c, amo_svg *svg, cJSON *result)
{
  const amo_solutions *s = c->solutions;
  char text[160] = "";
  if (!s) return;
  if (result) cJSON_AddStringToObject(result, "class", amo_class_name(s->kind));
  if (s->chosen < 0)
    snprintf(text, sizeof text, "no solution of the contact problem here");
  else if (s->count > 1)
    snprintf(text, sizeof text, "reactions of solution %ld of %zu: %s", s->chosen + 1, s->count, s->why);
  else
    return;
  if (result) cJSON_AddStringToObject(result, "note", text);
  amo_svg_text(svg, svg->x_min, svg->y_max + 24, "start", AMO_RED, false, text);
}

/// The picture as text; what is on it also into `result`, where there is one.
static amo_status draw(const amo_values *v, double t, const double *state, const amo_draw_opts *o,
                       amo_diags *diags, cJSON *result, char **text)
{
  const amo_model *m = v->model;
  const char *title = m->title && *m->title ? m->title : m->name;
  const double *w = o->window;
  const amo_view window = w ? (amo_view){w[0], w[1], w[2], w[3]} : (amo_view){0};
  amo_scene *scene = NULL;
  amo_solutions *solutions = NULL;
  amo_svg svg = {0};
  amo_status st = find_reactions(v, t, state, o->reactions, diags, &solutions);
  if (st == AMO_OK)
    st = amo_scene_new(v, t, state, w ? &window : NULL, solutions, &scene);
  else
    amo_solutions_free(solutions);
  if (st == AMO_ENOANSWER)
    amo_error(
        diags, (amo_at){0},
        "particles, bodies, springs, loads, contacts and the section 'draw' have a place; energies do not",
        "nothing to draw: the model has no part with a place");
  if (st == AMO_OK) {
    amo_draw_scene(scene, &svg);
    if (!svg.any) {
      amo_error(diags, (amo_at){0}, NULL, "nothing to draw: no part of the model has a finite place");
      st = AMO_ENOANSWER;
    }
  }
  if (st == AMO_OK && result)
    cJSON_AddNumberToObject(result, "items", m->drawing.schematic->count + m->drawing.schematic->shapes);
  if (st == AMO_OK) note(scene, &svg, result);
  if (st == AMO_OK && result) amo_draw_json(scene, result);
  if (st == AMO_OK && !(*text = amo_svg_finish(&svg, title ? title : ""))) st = AMO_ENOMEM;
  amo_scene_free(scene);
  amo_svg_free(&svg);
  return st;
}

AMO_OPTS_INIT(amo_draw_opts, .t = NAN)

amo_status amo_draw(const amo_model *m, const amo_draw_opts *how, amo_diags *diags, char **svg)
{
  if (!m || !svg) return AMO_ERANGE;
  *svg = NULL;
  amo_draw_opts o = amo_draw_opts_default();
  const amo_status st = amo_opts_take(&o, sizeof o, how);
  if (st != AMO_OK) return st;
  const amo_values *v = o.values ? o.values : amo_model_values(m);
  if (v->model != m || (o.window && !(o.window[1] > o.window[0] && o.window[3] > o.window[2])))
    return AMO_ERANGE;
  return draw(v, isnan(o.t) ? v->t0 : o.t, o.state ? o.state : v->initial, &o, diags, NULL, svg);
}

static amo_status answer(const amo_call *call, const double *window, cJSON *result)
{
  const char *path = amo_opt_text(call->opt, "out"), *when = amo_opt_text(call->opt, "reactions");
  amo_draw_opts o = amo_draw_opts_default();
  char *text = NULL;
  double t = 0, *state = amo_zalloc(amo_model_states(call->model), sizeof *state);
  o.window = window;
  o.reactions = !strcmp(when, "on")    ? AMO_DRAW_ARROWS_ON
                : !strcmp(when, "off") ? AMO_DRAW_ARROWS_OFF
                                       : AMO_DRAW_ARROWS_AUTO;
  amo_status st = state ? amo_state_at(call, &t, state) : AMO_ENOMEM;
  if (st == AMO_OK) st = draw(call->values, t, state, &o, call->diags, result, &text);
  if (st == AMO_OK && path) st = amo_file_write_text(path, text, call->diags);
  if (st == AMO_OK && path) cJSON_AddStringToObject(result, "file", path);
  if (st == AMO_OK) cJSON_AddStringToObject(result, "svg", text);
  free(text);
  free(state);
  return st;
}

static amo_status run(const amo_call *call, cJSON **result)
{
  const char *path = amo_opt_text(call->opt, "out");
  double window[4];
  bool cut = amo_opt_given(call->opt, "window");
  *result = NULL;
  if (path && amo_svg_path_check(call, "out", path) != AMO_OK) return AMO_EINPUT;
  if (cut && read_window(call, window) != AMO_OK) return AMO_EINPUT;
  cJSON *o = cJSON_CreateObject();
  amo_status st = o ? answer(call, cut ? window : NULL, o) : AMO_ENOMEM;
  if (st == AMO_OK)
    *result = o;
  else
    cJSON_Delete(o);
  return st;
}

static void print(const cJSON *result, FILE *out, int wide)
{
  (void)wide;
  const char *path = amo_json_text(result, "file");
  if (*path)
    fprintf(out, "%s\n", path);
  else
    fputs(amo_json_text(result, "svg"), out);
}

const amo_verb amo_verb_draw = {.name = "draw",
                                .summary = "the mechanism as a schematic (SVG)",
                                .usage = "MODEL [options]",
                                .description =
                                    "Draws masses, springs, dashpots, loads, guides and contact surfaces at "
                                    "a state, what the model's section "
                                    "'draw' adds, and the reactions of its contacts as arrows with their "
                                    "sizes. Where things without such a "
                                    "section would lie on top of one another they are spread along a line.",
                                .example = "amontons draw models/block-on-belt.yaml --out block.svg\n"
                                           "amontons draw models/crank.yaml --at phi=2 --out crank.svg",
                                .opts = opts,
                                .run = run,
                                .print = print};
