// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "ask/map/map_files.h"
#include "base/mem.h"
#include "base/text.h"
#include "model/compiled.h"
#include "result/h5.h"

static const uint64_t chunk_cells = 1 << 16;  // half a megabyte of numbers: whole rows while they are shorter

static const char *unit_of(const amo_model *m, const amo_axis *a)
{
  const char *unit = a->kind == AMO_AXIS_PARAMETER ? amo_model_parameter(m, a->index).unit
                     : a->kind == AMO_AXIS_STATE   ? amo_model_state(m, a->index).unit
                                                   : "s";
  return unit ? unit : "";
}

static bool put_axis(const amo_h5 *file, const amo_chart *c, const char *name, const amo_axis *a, size_t n)
{
  double *value = amo_zalloc(n, sizeof *value);
  if (!value) return false;
  for (size_t i = 0; i < n; i++) value[i] = amo_axis_value(a, i, n);
  const amo_h5_numbers set = {.name = name,
                              .unit = unit_of(c->model, a),
                              .meaning = a->name,
                              .axes = 1,
                              .size = {n},
                              .type = AMO_H5_DOUBLE,
                              .value = value};
  const bool ok = amo_h5_put_numbers(file, &set);
  free(value);
  return ok;
}

static bool put_cells(const amo_h5 *file, const amo_chart *c)
{
  const amo_plane *m = c->plane;
  const uint64_t across = m->nx < chunk_cells ? m->nx : chunk_cells, rows = chunk_cells / across;
  amo_h5_numbers set = {.name = "number",
                        .unit = "",
                        .meaning = c->of,
                        .axes = 2,
                        .size = {m->ny, m->nx},
                        .chunk = {rows < m->ny ? rows : m->ny, across},
                        .type = AMO_H5_DOUBLE,
                        .value = m->number};
  if (!amo_h5_put_numbers(file, &set)) return false;
  if (m->nwords == 0) return true;
  set.name = "verdict";
  set.meaning = "line of `verdicts`, from 0; -1: see number";
  set.type = AMO_H5_INT;
  set.value = m->word;
  return amo_h5_put_numbers(file, &set);
}

/// One a line, in the order of their numbers.
static bool put_verdicts(const amo_h5 *file, const amo_plane *m)
{
  amo_text words = {0};
  for (size_t i = 0; i < m->nwords; i++) amo_text_printf(&words, "%s%s", i ? "\n" : "", m->words[i]);
  const bool ok = !words.failed && amo_h5_put_text(file, "verdicts", words.data ? words.data : "");
  amo_text_free(&words);
  return ok;
}

/// "name=value unit" of every parameter, one a line.
static bool put_values(const amo_h5 *file, const amo_chart *c)
{
  amo_text list = {0};
  for (size_t i = 0; i < amo_model_parameters(c->model); i++)
    amo_text_printf(&list, "%s%s=%.17g %s", i ? "\n" : "", amo_model_parameter(c->model, i).name,
                    c->call->values->param[i], amo_model_parameter(c->model, i).unit);
  const bool ok = !list.failed && amo_h5_put_text(file, "values", list.data ? list.data : "");
  amo_text_free(&list);
  return ok;
}

static bool put_all(void *ctx, const amo_h5 *file)
{
  const amo_chart *c = ctx;
  const char *source = c->model->source.text;
  return put_axis(file, c, "x", &c->plane->x, c->plane->nx) &&
         put_axis(file, c, "y", &c->plane->y, c->plane->ny) && put_cells(file, c) &&
         put_verdicts(file, c->plane) && put_values(file, c) &&
         amo_h5_put_text(file, "program", "Amontons " AMO_VERSION) &&
         amo_h5_put_text(file, "name", amo_model_name(c->model)) &&
         amo_h5_put_text(file, "command", c->call->command ? c->call->command : "") &&
         amo_h5_put_text(file, "model", source ? source : "");
}

amo_status amo_chart_h5(const amo_chart *c, const char *path)
{
  return amo_h5_write(path, put_all, (void *)(size_t)c, c->diags);
}
