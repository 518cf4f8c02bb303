// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "study/contour_impl.h"
#include "study/json.h"
#include "study/show.h"
#include "study/number.h"

static amo_status trace_numbers(amo_tracer *t, const char *levels)
{
  const amo_call *call = t->m->call;
  char *copy = amo_strdup(levels), *rest = NULL;
  amo_status st = copy ? AMO_OK : AMO_ENOMEM;
  for (char *one = copy ? strtok_r(copy, ",", &rest) : NULL; one && st == AMO_OK;
       one = strtok_r(NULL, ",", &rest)) {
    st = amo_number_eval(one, (amo_at){0}, call->values, call->diags, &t->level);
    if (st == AMO_OK) amo_trace_all(t);
    if (st == AMO_OK) st = t->status;
  }
  free(copy);
  return st;
}

static bool wanted(const char *levels, const char *word)
{
  size_t n = strlen(word);
  for (const char *at = levels; (at = strstr(at, word)) != NULL; at += n)
    if ((at == levels || at[-1] == ',' || at[-1] == ' ') && (!at[n] || at[n] == ',' || at[n] == ' '))
      return true;
  return false;
}

static amo_status trace_words(amo_tracer *t, const char *levels)
{
  const amo_plane *m = t->m;
  bool all = !strcmp(levels, "all") || !strcmp(levels, "auto"), any = false;
  t->level = NAN;
  for (size_t w = 0; w < m->nwords && t->status == AMO_OK; w++) {
    if (!all && !wanted(levels, m->words[w])) continue;
    any = true;
    t->word = m->words[w];
    amo_trace_all(t);
    if (all && m->nwords == 2) break;  // the border of one is that of the other
  }
  if (!any && !all)
    return amo_error(m->call->diags, (amo_at){0}, "all, or a verdict that occurs",
                     "--contours: '%s' does not occur on this map", levels);
  return t->status;
}

amo_status amo_contours_trace(const amo_plane *m, const char *levels, amo_contours *out)
{
  const amo_axis axis[2] = {m->x, m->y};
  amo_tracer t = {.m = m, .out = out, .finest = 1e-13};
  *out = (amo_contours){0};
  t.longest = 0.8 / (double)(m->nx > m->ny ? m->nx - 1 : m->ny - 1);
  t.longest = fmax(fmin(t.longest, 0.02), 1e-3);
  t.seen = amo_zalloc(2 * m->nx * m->ny, sizeof *t.seen);
  amo_status st = t.seen ? amo_probe_new(m->call, m->of, axis, 2, false, m->call->diags, &t.p) : AMO_ENOMEM;
  bool numbers = false;
  for (size_t i = 0; i < m->nx * m->ny; i++) numbers |= m->word[i] < 0;
  if (st == AMO_OK)
    st = numbers ? trace_numbers(&t, strcmp(levels, "all") != 0 ? levels : "0") : trace_words(&t, levels);
  amo_probe_free(t.p);
  free(t.seen);
  if (st != AMO_OK) amo_contours_free(out);
  return st;
}

void amo_contours_free(amo_contours *c)
{
  for (size_t i = 0; i < c->count; i++) {
    free(c->item[i].x);
    free(c->item[i].y);
  }
  free(c->item);
  *c = (amo_contours){0};
}

amo_status amo_contours_csv(const amo_contours *c, const amo_plane *m, const char *path)
{
  amo_file_writer w = {0};
  amo_status st = amo_file_stream_begin(path, m->call->diags, &w);
  if (st != AMO_OK) return st;
  fputs("curve,level,", w.stream), amo_show_field(m->x.name, w.stream);
  fputc(',', w.stream), amo_show_field(m->y.name, w.stream), fputc('\n', w.stream);
  for (size_t i = 0; i < c->count; i++)
    for (size_t k = 0; k < c->item[i].points; k++) {
      char level[32] = "", x[32], y[32];
      if (!isnan(c->item[i].level)) amo_number_text(c->item[i].level, level);
      amo_number_text(c->item[i].x[k], x);
      amo_number_text(c->item[i].y[k], y);
      fprintf(w.stream, "%zu,", i + 1), amo_show_field(*level ? level : c->item[i].word, w.stream);
      fprintf(w.stream, ",%s,%s\n", x, y);
    }
  return amo_file_write_commit(&w, m->call->diags);
}
