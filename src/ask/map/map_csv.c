// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/text.h"
#include "ask/map/map_files.h"
#include "result/show.h"

/// A row of the grid; across: the numbers across with their commas, word: texts as fields.
static void add_row(const amo_plane *m, size_t j, char *const *across, char *const *word, amo_text *out)
{
  char y[34], number[32];
  amo_number_text(amo_axis_value(&m->y, j, m->ny), y);
  strcat(y, ",");
  for (size_t i = 0; i < m->nx; i++) {
    const size_t k = j * m->nx + i;
    if (m->word[k] < 0) amo_number_text(m->number[k], number);
    amo_text_str(out, across[i]);
    amo_text_str(out, y);
    amo_text_str(out, m->word[k] < 0 ? number : word[m->word[k]]);
    amo_text_add(out, "\n", 1);
  }
}

/// What is the same in every row: numbers across, then words.
static char **list_fields(const amo_plane *m)
{
  char **field = amo_zalloc(m->nx + m->nwords, sizeof *field);
  bool made = field != NULL;
  for (size_t i = 0; made && i < m->nx + m->nwords; i++) {
    amo_text t = {0};
    char x[32];
    if (i < m->nx) {
      amo_number_text(amo_axis_value(&m->x, i, m->nx), x);
      amo_text_str(&t, x);
      amo_text_str(&t, ",");
    } else {
      amo_show_field_text(m->words[i - m->nx], &t);
    }
    made = (field[i] = amo_text_take(&t)) != NULL;
  }
  for (size_t i = 0; field && !made && i < m->nx + m->nwords; i++) free(field[i]);
  if (!made) free(field);
  return made ? field : NULL;
}

amo_status amo_chart_csv(const amo_chart *c, const char *path)
{
  const amo_plane *m = c->plane;
  amo_file_writer w = {0};
  char **field = list_fields(m);
  amo_status st = field ? amo_file_stream_begin(path, c->diags, &w) : AMO_ENOMEM;
  if (st == AMO_OK) {
    amo_show_field(m->x.name, w.stream), fputc(',', w.stream);
    amo_show_field(m->y.name, w.stream), fputc(',', w.stream);
    amo_show_field(c->of, w.stream), fputc('\n', w.stream);
  }
  amo_text row = {0};
  for (size_t j = 0; st == AMO_OK && j < m->ny; j++) {
    row.size = 0;
    add_row(m, j, field, field + m->nx, &row);
    if (row.failed)
      st = AMO_ENOMEM;
    else
      fwrite(row.data, 1, row.size, w.stream);
  }
  amo_text_free(&row);
  for (size_t i = 0; field && i < m->nx + m->nwords; i++) free(field[i]);
  free(field);
  if (st == AMO_OK) return amo_file_write_commit(&w, c->diags);
  amo_file_write_abort(&w);
  return st;
}

amo_status amo_chart_contours_csv(const amo_chart *chart, const char *path)
{
  const amo_contours *c = chart->contours;
  amo_file_writer w = {0};
  amo_status st = amo_file_stream_begin(path, chart->diags, &w);
  if (st != AMO_OK) return st;
  fputs("curve,level,", w.stream), amo_show_field(chart->plane->x.name, w.stream);
  fputc(',', w.stream), amo_show_field(chart->plane->y.name, w.stream), fputc('\n', w.stream);
  for (size_t i = 0; i < c->count; i++)
    for (size_t k = 0; k < c->item[i].points; k++) {
      char level[32] = "", x[32], y[32];
      if (!isnan(c->item[i].level)) amo_number_text(c->item[i].level, level);
      amo_number_text(c->item[i].x[k], x);
      amo_number_text(c->item[i].y[k], y);
      fprintf(w.stream, "%zu,", i + 1), amo_show_field(*level ? level : c->item[i].word, w.stream);
      fprintf(w.stream, ",%s,%s\n", x, y);
    }
  return amo_file_write_commit(&w, chart->diags);
}
