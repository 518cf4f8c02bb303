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

static bool put_column(hid_t group, const amo_column *c, hsize_t rows)
{
  const amo_h5_numbers n = {.name = c->name,
                            .unit = c->unit,
                            .axes = 1,
                            .size = {rows},
                            .memory = H5T_NATIVE_DOUBLE,
                            .file = H5T_IEEE_F64LE,
                            .value = c->value};
  return amo_h5_put_numbers(group, &n);
}

static bool put_columns(hid_t file, const amo_trajectory *t)
{
  hid_t group = H5Gcreate2(file, "/trajectory", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  bool ok = group >= 0;
  for (size_t i = 0; ok && i < t->columns && !amo_file_interrupted(); i++)
    if (amo_trajectory_column(t, t->column[i].name) == &t->column[i])  // a second one of the name is dropped
      ok = put_column(group, &t->column[i], t->rows);
  if (group >= 0) H5Gclose(group);
  return ok;
}

static bool put_events(hid_t file, const amo_trajectory *t)
{
  bool ok = false;
  hsize_t n = t->events;
  table_row *rows = calloc(t->events + 1, sizeof *rows);
  hid_t type = H5Tcreate(H5T_COMPOUND, sizeof *rows), space = H5Screate_simple(1, &n, NULL),
        set = H5I_INVALID_HID;
  for (size_t i = 0; rows && i < t->events; i++)
    rows[i] = (table_row){t->event[i].t, t->event[i].contact, t->event[i].from, t->event[i].to};
  if (rows && type >= 0 && space >= 0 &&
      H5Tinsert(type, "t", offsetof(table_row, t), H5T_NATIVE_DOUBLE) >= 0 &&
      H5Tinsert(type, "contact", offsetof(table_row, contact), H5T_NATIVE_INT) >= 0 &&
      H5Tinsert(type, "from", offsetof(table_row, from), H5T_NATIVE_INT) >= 0 &&
      H5Tinsert(type, "to", offsetof(table_row, to), H5T_NATIVE_INT) >= 0)
    set = H5Dcreate2(file, "/events", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (set >= 0) ok = n == 0 || H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, rows) >= 0;
  if (set >= 0) H5Dclose(set);
  if (space >= 0) H5Sclose(space);
  if (type >= 0) H5Tclose(type);
  free(rows);
  return ok;
}

static bool put_contacts(hid_t file, const amo_model *m)
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

static bool put_all(void *ctx, hid_t file)
{
  const h5_record *r = ctx;
  bool ok = put_columns(file, r->t) && put_events(file, r->t) && put_contacts(file, r->m);
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
