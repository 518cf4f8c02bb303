// SPDX-License-Identifier: Apache-2.0
// draw: the mechanism as a schematic.
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "study/draw.h"
#include "study/json.h"
#include "study/number.h"
#include "study/sim_options.h"
#include "study/simulate.h"
#include "study/solutions_json.h"
#include "study/svg_file.h"

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

static amo_status read_window(const amo_call *call, amo_view *w)
{
  const char *text = amo_opt_text(call->opt, "window");
  char part[4][128], rest = 0;
  double *const to[4] = {&w->x0, &w->x1, &w->y0, &w->y1};
  int n = sscanf(text, " %127[^,],%127[^,],%127[^,],%127[^,]%c", part[0], part[1], part[2], part[3], &rest);
  for (int i = 0; n == 4 && i < n; i++) {
    amo_status st = amo_number_eval(part[i], (amo_at){0}, call->values, call->diags, to[i]);
    if (st != AMO_OK) return st;
  }
  if (n != 4 || !(w->x1 > w->x0) || !(w->y1 > w->y0))
    return amo_error(call->diags, (amo_at){0}, "--window=-1,2,0,1.5 shows -1 <= x <= 2, 0 <= y <= 1.5",
                     "--window needs four numbers X0,X1,Y0,Y1 with X0 < X1 and Y0 < Y1, got '%s'", text);
  return AMO_OK;
}

/// All solutions of the contact problem; without `on` it is no mistake that there are none to draw.
static amo_status find_reactions(const amo_call *call, double t, const double *state, amo_solutions **out)
{
  uint32_t nc = call->model->nc;
  const char *when = amo_opt_text(call->opt, "reactions");
  bool asked = !strcmp(when, "on");
  amo_call quiet = *call;
  if (!strcmp(when, "off") || (!nc && !call->model->ng) || (!asked && nc > MOST_CONTACTS)) return AMO_OK;
  if (!asked && !(quiet.diags = amo_diags_new())) return AMO_ENOMEM;
  amo_status st = amo_solutions_at(&quiet, t, state, out);
  if (!asked) amo_diags_free(quiet.diags);
  if (st == AMO_OK || asked || st == AMO_ENOMEM) return st;
  amo_solutions_free(*out);
  *out = NULL;
  return AMO_OK;
}

/// A line below the picture where the reactions shown are not the only ones, or do not exist.
static void note(const amo_scene *c, amo_svg *svg, cJSON *result)
{
  static const char *const word[] = {"unique", "several", "none", "degenerate"};
  const amo_solutions *s = c->solutions;
  char text[160] = "";
  if (!s) return;
  cJSON_AddStringToObject(result, "class", word[s->kind]);
  if (s->chosen < 0)
    snprintf(text, sizeof text, "no solution of the contact problem here");
  else if (s->count > 1)
    snprintf(text, sizeof text, "reactions of solution %ld of %zu: %s", s->chosen + 1, s->count, s->why);
  else
    return;
  cJSON_AddStringToObject(result, "note", text);
  amo_svg_text(svg, svg->x_min, svg->y_max + 24, "start", AMO_RED, false, text);
}

static amo_status draw(const amo_call *call, const amo_view *window, cJSON *result)
{
  const amo_model *m = call->model;
  const char *path = amo_opt_text(call->opt, "out"), *title = m->title && *m->title ? m->title : m->name;
  amo_scene *scene = NULL;
  amo_solutions *solutions = NULL;
  amo_svg svg = {0};
  char *text = NULL;
  double t = 0, *state = amo_zalloc(amo_model_states(m), sizeof *state);
  amo_status st = state ? amo_state_at(call, &t, state) : AMO_ENOMEM;
  if (st == AMO_OK) st = find_reactions(call, t, state, &solutions);
  if (st == AMO_OK)
    st = amo_scene_new(call->values, t, state, window, solutions, &scene);
  else
    amo_solutions_free(solutions);
  if (st == AMO_ENOANSWER)
    amo_error(
        call->diags, (amo_at){0},
        "particles, bodies, springs, loads, contacts and the section 'draw' have a place; energies do not",
        "nothing to draw: the model has no part with a place");
  if (st != AMO_OK) goto done;
  amo_draw_scene(scene, &svg);
  if (!svg.any) {
    amo_error(call->diags, (amo_at){0}, NULL, "nothing to draw: no part of the model has a finite place");
    st = AMO_ENOANSWER;
    goto done;
  }
  cJSON_AddNumberToObject(result, "items", m->drawing.schematic->count + m->drawing.schematic->shapes);
  note(scene, &svg, result);
  amo_draw_json(scene, result);
  text = amo_svg_finish(&svg, title ? title : "");
  if (!text) st = AMO_ENOMEM;
  if (st == AMO_OK && path) st = amo_file_write_text(path, text, call->diags);
  if (st != AMO_OK) goto done;
  if (path) cJSON_AddStringToObject(result, "file", path);
  cJSON_AddStringToObject(result, "svg", text);
done:
  free(text);
  free(state);
  amo_scene_free(scene);
  amo_svg_free(&svg);
  return st;
}

static amo_status run(const amo_call *call, cJSON **result)
{
  const char *path = amo_opt_text(call->opt, "out");
  amo_view window;
  bool cut = amo_opt_given(call->opt, "window");
  *result = NULL;
  if (path && amo_svg_path_check(call, "out", path) != AMO_OK) return AMO_EINPUT;
  if (cut && read_window(call, &window) != AMO_OK) return AMO_EINPUT;
  cJSON *o = cJSON_CreateObject();
  amo_status st = o ? draw(call, cut ? &window : NULL, o) : AMO_ENOMEM;
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
