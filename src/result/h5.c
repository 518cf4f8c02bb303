// SPDX-License-Identifier: Apache-2.0
#include "result/h5.h"

#include <errno.h>
#include <string.h>

#include "base/file.h"

bool amo_h5_put_attribute(hid_t object, const char *name, const char *text)
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

bool amo_h5_put_text(hid_t file, const char *name, const char *text)
{
  if (strlen(text) < 60000) return amo_h5_put_attribute(file, name, text);
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

/// Chunks are packed where the library can; bytes of equal weight stand together before (shuffle), which numbers gain by.
static hid_t layout(const amo_h5_numbers *n)
{
  hid_t how = H5Pcreate(H5P_DATASET_CREATE);
  if (how < 0 || n->chunk[0] == 0 || n->size[0] == 0) return how;
  bool ok = H5Pset_chunk(how, n->axes, n->chunk) >= 0;
  if (ok && H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0)
    ok = H5Pset_shuffle(how) >= 0 && H5Pset_deflate(how, 4) >= 0;
  if (ok) return how;
  H5Pclose(how);
  return H5I_INVALID_HID;
}

bool amo_h5_put_numbers(hid_t where, const amo_h5_numbers *n)
{
  bool ok = false;
  hid_t space = H5Screate_simple(n->axes, n->size, NULL), how = layout(n), set = H5I_INVALID_HID;
  if (space >= 0 && how >= 0) set = H5Dcreate2(where, n->name, n->file, space, H5P_DEFAULT, how, H5P_DEFAULT);
  if (set >= 0)
    ok = (n->size[0] == 0 || H5Dwrite(set, n->memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, n->value) >= 0) &&
         amo_h5_put_attribute(set, "unit", n->unit) &&
         (!n->meaning || amo_h5_put_attribute(set, "meaning", n->meaning));
  if (set >= 0) H5Dclose(set);
  if (how >= 0) H5Pclose(how);
  if (space >= 0) H5Sclose(space);
  return ok;
}

static bool write_all(const char *path, bool (*put)(void *ctx, hid_t file), void *ctx)
{
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  if (file < 0) return false;
  const bool ok = put(ctx, file);
  return H5Fclose(file) >= 0 && ok;
}

amo_status amo_h5_write(const char *path, bool (*put)(void *ctx, hid_t file), void *ctx, amo_diags *diags)
{
  H5E_auto2_t report = NULL;
  void *report_data = NULL;
  amo_file_place place = {0};
  amo_status st = amo_file_place_begin(path, false, diags, &place);
  if (st != AMO_OK) return st;
  H5Eget_auto2(H5E_DEFAULT, &report, &report_data);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);  // the library prints; we report
  errno = 0;
  if (write_all(place.temporary, put, ctx)) {
    st = amo_file_place_commit(&place, diags);
  } else {
    const int e = errno;
    amo_error(diags, (amo_at){0}, NULL, "cannot write '%s': %s", path, e ? strerror(e) : "HDF5 refused");
    st = AMO_EIO;
  }
  amo_file_place_abort(&place);
  H5Eset_auto2(H5E_DEFAULT, report, report_data);
  return st;
}
