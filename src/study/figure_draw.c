// SPDX-License-Identifier: Apache-2.0
/// A figure made of sketches: `draw: RUN` shows what the verb `draw` made in that run. Of a sweep all items are shown:
/// side by side (`columns` in a row), `item: k` one of them, or `animate: seconds` one after the other.
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "plot/svg_film.h"
#include "study/figure_curve.h"
#include "study/keys.h"

/// The sketch in a result of `draw`, or NULL.
static const char *sketch(const cJSON *result)
{
  const cJSON *svg = cJSON_GetObjectItemCaseSensitive(result, "svg");
  return cJSON_IsString(svg) ? svg->valuestring : NULL;
}

static amo_status write_film(amo_figure_job *j, const amo_yaml *n, const cJSON *list, const char *path)
{
  const amo_yaml *columns = amo_yaml_get(n, "columns"), *animate = amo_yaml_get(n, "animate");
  size_t count = (size_t)cJSON_GetArraySize(list), k = 0;
  const char **frame = calloc(count + 1, sizeof *frame);
  double seconds = 0.0;
  long row = 0;
  amo_status st = frame ? AMO_OK : AMO_ENOMEM;
  if (st == AMO_OK && columns) st = amo_yaml_integer(columns, "columns", j->diags, &row);
  if (st == AMO_OK && animate) st = amo_yaml_number(animate, "animate", j->diags, &seconds);
  const cJSON *one = NULL;
  cJSON_ArrayForEach(one, list)
  {
    if (st == AMO_OK && !(frame[k++] = sketch(one)))
      st = amo_error(j->diags, n->at, NULL, "item %zu of the sweep made no drawing", k - 1);
  }
  char *film = st == AMO_OK ? amo_svg_film(frame, count, (int)row, seconds) : NULL;
  if (st == AMO_OK && !film) st = AMO_ENOMEM;
  if (st == AMO_OK) st = amo_file_write_text(path, film, j->diags);
  free(film);
  free(frame);
  return st;
}

amo_status amo_draw_schematic(amo_figure_job *j, const amo_yaml *n, const char *path)
{
  const amo_yaml *draw = amo_yaml_get(n, "draw"), *item = amo_yaml_get(n, "item");
  const char *name = draw->kind == AMO_YAML_SCALAR && strcmp(draw->text, "true") != 0 ? draw->text : "draw";
  const cJSON *result = cJSON_GetObjectItemCaseSensitive(j->r->root, name);
  long k = 0;
  amo_status st = amo_yaml_only_of(n, "a drawn figure", amo_figure_keys, "drawn", j->diags);
  if (st == AMO_OK && item) st = amo_yaml_integer(item, "item", j->diags, &k);
  if (st != AMO_OK) return st;
  if (cJSON_IsArray(result) && !item) return write_film(j, n, result, path);
  if (cJSON_IsArray(result)) result = cJSON_GetArrayItem(result, (int)k);
  const char *svg = sketch(result);
  if (!svg)
    return amo_error(j->diags, draw->at, "figure: {draw: RUN}, where RUN is a run of the verb draw",
                     "the run '%s' made no drawing", name);
  return amo_file_write_text(path, svg, j->diags);
}
