// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "base/file.h"
#include "base/text.h"
#include "result/json.h"
#include "result/show.h"
#include "explore/trajectory.h"

static void put_name(FILE *out, const amo_column *c)
{
  amo_text t = {0};
  amo_text_str(&t, c->name);
  if (*c->unit) amo_text_printf(&t, " [%s]", c->unit);
  amo_show_field(t.data ? t.data : c->name, out);
  amo_text_free(&t);
}

amo_status amo_trajectory_csv(const amo_trajectory *t, const char *path, amo_diags *diags)
{
  amo_file_writer w = {0};
  amo_status st = amo_file_stream_begin(path, diags, &w);
  if (st != AMO_OK) return st;
  for (size_t c = 0; c < t->columns; c++) {
    if (c) fputc(',', w.stream);
    put_name(w.stream, &t->column[c]);
  }
  fputc('\n', w.stream);
  for (size_t r = 0; r < t->rows && !ferror(w.stream) && !amo_file_interrupted(); r++) {
    for (size_t c = 0; c < t->columns; c++) {
      double x = t->column[c].value[r];
      if (c) fputc(',', w.stream);
      if (isfinite(x)) fprintf(w.stream, "%.17g", x);  // an empty field is "not known"
    }
    fputc('\n', w.stream);
  }
  return amo_file_write_commit(&w, diags);
}

static void put_value(FILE *out, double x)
{
  fputc(',', out);
  if (isfinite(x)) fprintf(out, "%.17g", x);
}

amo_status amo_trajectory_events_csv(const amo_trajectory *t, const amo_model *m, const char *path,
                                     amo_diags *diags)
{
  amo_file_writer w = {0};
  amo_status st = amo_file_stream_begin(path, diags, &w);
  if (st != AMO_OK) return st;
  fputs("t,kind,contact,from,to,slip,force\n", w.stream);
  for (size_t i = 0; i < t->events && !ferror(w.stream) && !amo_file_interrupted(); i++) {
    const amo_event *e = &t->event[i];
    fprintf(w.stream, "%.17g,%s,", e->t, amo_json_event_kind(m, e));
    if (e->contact >= 0) amo_show_field(amo_model_contact(m, (size_t)e->contact).name, w.stream);
    fprintf(w.stream, ",%d,%d", e->from, e->to);
    put_value(w.stream, t->event_slip[i]);
    put_value(w.stream, t->event_force[i]);
    fputc('\n', w.stream);
  }
  return amo_file_write_commit(&w, diags);
}
