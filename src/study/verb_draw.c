// SPDX-License-Identifier: Apache-2.0
// draw: the mechanism as a schematic.
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "study/draw.h"
#include "study/json.h"
#include "study/simulate.h"

// clang-format off
static const amo_opt_def opts[] = {
    {"out", AMO_OPT_FILE, "FILE", NULL, NULL,
     "write the drawing here (.svg) instead of to standard output", 0, 0},
    {NULL, AMO_OPT_FLAG, NULL, NULL, NULL, NULL, 0, 0}};
// clang-format on

static amo_status write_file(const char *path, const char *text, amo_diags *diags)
{
  amo_file_writer w = {0};
  amo_status st = amo_file_write_begin(path, diags, &w);
  if (st != AMO_OK) return st;
  fputs(text, w.stream);
  return amo_file_write_commit(&w, diags);
}

static bool is_svg(const char *path)
{
  size_t n = strlen(path);
  return n > 4 && (!strcmp(path + n - 4, ".svg") || !strcmp(path + n - 4, ".SVG"));
}

static amo_status run(const amo_call *call, cJSON **result)
{
  const amo_model *m = call->model;
  const char *path = amo_opt_text(call->opt, "out");
  const char *title = m->title && *m->title ? m->title : m->name;
  amo_place *place = NULL;
  amo_svg svg = {0};
  char *text = NULL;
  *result = NULL;
  if (path && !is_svg(path))
    return amo_error(call->diags, (amo_at){0}, "rsvg-convert and inkscape make other formats from it",
                     "a drawing is SVG: --out must end in .svg, got '%s'", path);
  if (path && *call->model_path && amo_file_same(path, call->model_path))
    return amo_error(call->diags, (amo_at){0}, NULL, "--out '%s' would overwrite the model", path);
  amo_status st = amo_draw_layout(m, &place);
  if (st == AMO_ENOANSWER)
    amo_error(call->diags, (amo_at){0},
              "particles, bodies, springs, loads and contacts have a place; energies do not",
              "nothing to draw: the model has no part with a place");
  if (st != AMO_OK) goto done;
  amo_draw_shapes(m, place, &svg);
  if (!svg.any) {
    amo_error(call->diags, (amo_at){0}, NULL, "nothing to draw: no part of the model has a finite place");
    st = AMO_ENOANSWER;
    goto done;
  }
  text = amo_svg_finish(&svg, title ? title : "");
  if (!text) st = AMO_ENOMEM;
  if (st == AMO_OK && path) st = write_file(path, text, call->diags);
  if (st != AMO_OK) goto done;
  *result = cJSON_CreateObject();
  cJSON_AddNumberToObject(*result, "items", m->schematic->count);
  if (path) cJSON_AddStringToObject(*result, "file", path);
  cJSON_AddStringToObject(*result, "svg", text);
done:
  free(text);
  free(place);
  amo_text_free(&svg.body);
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

const amo_verb amo_verb_draw = {
    .name = "draw",
    .summary = "the mechanism as a schematic (SVG)",
    .usage = "MODEL [options]",
    .description =
        "Draws masses, springs, dashpots, loads and contact surfaces at the initial state. Where things "
        "would lie on top of one another they are spread along a line.",
    .example = "amontons draw models/block-on-belt.yaml --out block.svg",
    .opts = opts,
    .run = run,
    .print = print};
