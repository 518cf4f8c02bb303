// SPDX-License-Identifier: Apache-2.0
// A trajectory as an HDF5 file, written beside its place and then moved there.
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "study/trajectory.h"

typedef struct table_row {
  double t;
  int contact, from, to;
} table_row;

static bool put_attribute(hid_t object, const char *name, const char *text)
{
  bool ok = false;
  hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR), attribute = H5I_INVALID_HID;
  if (type >= 0 && space >= 0 && H5Tset_size(type, strlen(text) + 1) >= 0 &&
      H5Tset_cset(type, H5T_CSET_UTF8) >= 0)
    attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  if (attribute >= 0) ok = H5Awrite(attribute, type, text) >= 0;
  if (attribute >= 0) H5Aclose(attribute);
  if (space >= 0) H5Sclose(space);
  if (type >= 0) H5Tclose(type);
  return ok;
}

/// Attributes hold at most 64 kB, so long texts (a model) become datasets.
static bool put_text(hid_t file, const char *name, const char *text)
{
  if (strlen(text) < 60000) return put_attribute(file, name, text);
  hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR), set = H5I_INVALID_HID;
  bool ok = false;
  if (type >= 0 && space >= 0 && H5Tset_size(type, strlen(text) + 1) >= 0)
    set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (set >= 0) ok = H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0;
  if (set >= 0) H5Dclose(set);
  if (space >= 0) H5Sclose(space);
  if (type >= 0) H5Tclose(type);
  return ok;
}

static bool put_column(hid_t group, const amo_column *c, hsize_t rows)
{
  bool ok = false;
  hid_t space = H5Screate_simple(1, &rows, NULL), set = H5I_INVALID_HID;
  if (space >= 0)
    set = H5Dcreate2(group, c->name, H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (set >= 0)
    ok = (rows == 0 || H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, c->value) >= 0) &&
         put_attribute(set, "unit", c->unit);
  if (set >= 0) H5Dclose(set);
  if (space >= 0) H5Sclose(space);
  return ok;
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
  bool ok = text && put_text(file, "contacts", text);
  free(text);
  return ok;
}

static bool write_all(const char *path, const amo_trajectory *t, const amo_model *m, const char *const *about)
{
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  if (file < 0) return false;
  bool ok = put_columns(file, t) && put_events(file, t) && put_contacts(file, m);
  for (; ok && about && about[0] && about[1]; about += 2) ok = put_text(file, about[0], about[1]);
  return H5Fclose(file) >= 0 && ok;
}

amo_status amo_trajectory_h5(const amo_trajectory *t, const amo_model *m, const char *const *about,
                             const char *path, amo_diags *diags)
{
  H5E_auto2_t report = NULL;
  void *report_data = NULL;
  amo_file_place place = {0};
  amo_status st = amo_file_place_begin(path, false, diags, &place);
  if (st != AMO_OK) return st;
  H5Eget_auto2(H5E_DEFAULT, &report, &report_data);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);  // the library prints; we report
  errno = 0;
  if (write_all(place.temporary, t, m, about)) {
    st = amo_file_place_commit(&place, diags);
  } else {
    int e = errno;
    amo_error(diags, (amo_at){0}, NULL, "cannot write '%s': %s", path, e ? strerror(e) : "HDF5 refused");
    st = AMO_EIO;
  }
  amo_file_place_abort(&place);
  H5Eset_auto2(H5E_DEFAULT, report, report_data);
  return st;
}
