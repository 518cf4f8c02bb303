// SPDX-License-Identifier: Apache-2.0
// A trajectory as an HDF5 file, written beside its place and then moved there.
#include <stdlib.h>

#include "base/file.h"
#include "base/text.h"
#include "explore/trajectory.h"
#include "result/h5.h"

typedef struct table_row {
  double t;
  int contact, from, to;
} table_row;

static bool put_columns(void *ctx, const amo_h5 *group)
{
  const amo_trajectory *t = ctx;
  bool ok = true;
  for (size_t i = 0; ok && i < t->columns && !amo_file_interrupted(); i++) {
    const amo_column *c = &t->column[i];
    const amo_h5_numbers n = {.name = c->name,
                              .unit = c->unit,
                              .axes = 1,
                              .size = {t->rows},
                              .type = AMO_H5_DOUBLE,
                              .value = c->value};
    if (amo_trajectory_column(t, c->name) == c)  // a second one of the name is dropped
      ok = amo_h5_put_numbers(group, &n);
  }
  return ok;
}

static bool put_events(const amo_h5 *file, const amo_trajectory *t)
{
  static const amo_h5_member member[] = {{"t", offsetof(table_row, t), AMO_H5_DOUBLE},
                                         {"contact", offsetof(table_row, contact), AMO_H5_INT},
                                         {"from", offsetof(table_row, from), AMO_H5_INT},
                                         {"to", offsetof(table_row, to), AMO_H5_INT}};
  table_row *rows = calloc(t->events + 1, sizeof *rows);
  for (size_t i = 0; rows && i < t->events; i++)
    rows[i] = (table_row){t->event[i].t, t->event[i].contact, t->event[i].from, t->event[i].to};
  const bool ok = rows && amo_h5_put_table(file, "/events", member, 4, sizeof *rows, rows, t->events);
  free(rows);
  return ok;
}

static bool put_contacts(const amo_h5 *file, const amo_model *m)
{
  amo_text names = {0};
  for (size_t i = 0; i < amo_model_contacts(m); i++)
    amo_text_printf(&names, "%s%s", i ? "\n" : "", amo_model_contact(m, i).name);
  char *text = amo_text_take(&names);
  bool ok = text && amo_h5_put_text(file, "contacts", text);
  free(text);
  return ok;
}

typedef struct h5_record {
  const amo_trajectory *t;
  const amo_model *m;
  const char *const *about;
} h5_record;

static bool put_all(void *ctx, const amo_h5 *file)
{
  const h5_record *r = ctx;
  bool ok = amo_h5_put_group(file, "/trajectory", put_columns, (void *)(size_t)r->t) &&
            put_events(file, r->t) && put_contacts(file, r->m);
  for (const char *const *a = r->about; ok && a && a[0] && a[1]; a += 2)
    ok = amo_h5_put_text(file, a[0], a[1]);
  return ok;
}

amo_status amo_trajectory_h5(const amo_trajectory *t, const amo_model *m, const char *const *about,
                             const char *path, amo_diags *diags)
{
  h5_record r = {t, m, about};
  return amo_h5_write(path, put_all, &r, diags);
}
