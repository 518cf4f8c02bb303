// SPDX-License-Identifier: Apache-2.0
#include "result/h5.h"

#include <errno.h>
#include <string.h>

#include "base/file.h"
#include "result/h5_library.h"

/// Text of a fixed length.
static hid_t text_type(const amo_h5_library *h, const char *text)
{
  const hid_t type = h->H5Tcopy(h->text);
  if (type < 0) return type;
  if (h->H5Tset_size(type, strlen(text) + 1) >= 0 && h->H5Tset_cset(type, H5T_CSET_UTF8) >= 0) return type;
  h->H5Tclose(type);
  return H5I_INVALID_HID;
}

static bool put_attribute(const amo_h5_library *h, hid_t object, const char *name, const char *text)
{
  bool ok = false;
  const hid_t type = text_type(h, text), space = h->H5Screate(H5S_SCALAR);
  hid_t attribute = H5I_INVALID_HID;
  if (type >= 0 && space >= 0) attribute = h->H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  if (attribute >= 0) ok = h->H5Awrite(attribute, type, text) >= 0;
  if (attribute >= 0) h->H5Aclose(attribute);
  if (space >= 0) h->H5Sclose(space);
  if (type >= 0) h->H5Tclose(type);
  return ok;
}

bool amo_h5_put_text(const amo_h5 *file, const char *name, const char *text)
{
  const amo_h5_library *h = file->library;
  if (strlen(text) < 60000) return put_attribute(h, file->id, name, text);
  const hid_t type = h->H5Tcopy(h->text), space = h->H5Screate(H5S_SCALAR);
  hid_t set = H5I_INVALID_HID;
  bool ok = false;
  if (type >= 0 && space >= 0 && h->H5Tset_size(type, strlen(text) + 1) >= 0)
    set = h->H5Dcreate2(file->id, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (set >= 0) ok = h->H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0;
  if (set >= 0) h->H5Dclose(set);
  if (space >= 0) h->H5Sclose(space);
  if (type >= 0) h->H5Tclose(type);
  return ok;
}

/// Chunks are packed where the library can; bytes of equal weight stand together before (shuffle), which numbers gain by.
static hid_t layout(const amo_h5_library *h, const amo_h5_numbers *n)
{
  const hid_t how = h->H5Pcreate(h->new_dataset);
  if (how < 0 || n->chunk[0] == 0 || n->size[0] == 0) return how;
  const hsize_t chunk[2] = {n->chunk[0], n->chunk[1]};
  bool ok = h->H5Pset_chunk(how, n->axes, chunk) >= 0;
  if (ok && h->H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0)
    ok = h->H5Pset_shuffle(how) >= 0 && h->H5Pset_deflate(how, 4) >= 0;
  if (ok) return how;
  h->H5Pclose(how);
  return H5I_INVALID_HID;
}

static hid_t in_memory(const amo_h5_library *h, amo_h5_type type)
{
  return type == AMO_H5_INT ? h->native_int : h->native_double;
}

static hid_t in_file(const amo_h5_library *h, amo_h5_type type)
{
  return type == AMO_H5_INT ? h->file_int : h->file_double;
}

bool amo_h5_put_numbers(const amo_h5 *where, const amo_h5_numbers *n)
{
  const amo_h5_library *h = where->library;
  const hsize_t size[2] = {n->size[0], n->size[1]};
  const hid_t space = h->H5Screate_simple(n->axes, size, NULL), how = layout(h, n);
  hid_t set = H5I_INVALID_HID;
  bool ok = false;
  if (space >= 0 && how >= 0)
    set = h->H5Dcreate2(where->id, n->name, in_file(h, n->type), space, H5P_DEFAULT, how, H5P_DEFAULT);
  if (set >= 0)
    ok = (size[0] == 0 ||
          h->H5Dwrite(set, in_memory(h, n->type), H5S_ALL, H5S_ALL, H5P_DEFAULT, n->value) >= 0) &&
         put_attribute(h, set, "unit", n->unit) &&
         (!n->meaning || put_attribute(h, set, "meaning", n->meaning));
  if (set >= 0) h->H5Dclose(set);
  if (how >= 0) h->H5Pclose(how);
  if (space >= 0) h->H5Sclose(space);
  return ok;
}

bool amo_h5_put_table(const amo_h5 *where, const char *name, const amo_h5_member *member, int members,
                      size_t row_size, const void *rows, size_t n)
{
  const amo_h5_library *h = where->library;
  const hsize_t size = n;
  const hid_t type = h->H5Tcreate(H5T_COMPOUND, row_size), space = h->H5Screate_simple(1, &size, NULL);
  hid_t set = H5I_INVALID_HID;
  bool ok = type >= 0 && space >= 0;
  for (int i = 0; ok && i < members; i++)
    ok = h->H5Tinsert(type, member[i].name, member[i].offset, in_memory(h, member[i].type)) >= 0;
  if (ok) set = h->H5Dcreate2(where->id, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  ok = set >= 0 && (n == 0 || h->H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, rows) >= 0);
  if (set >= 0) h->H5Dclose(set);
  if (space >= 0) h->H5Sclose(space);
  if (type >= 0) h->H5Tclose(type);
  return ok;
}

bool amo_h5_put_group(const amo_h5 *file, const char *name, bool (*put)(void *ctx, const amo_h5 *group),
                      void *ctx)
{
  const amo_h5_library *h = file->library;
  const amo_h5 group = {h, h->H5Gcreate2(file->id, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)};
  if (group.id < 0) return false;
  const bool ok = put(ctx, &group);
  h->H5Gclose(group.id);
  return ok;
}

static bool write_all(const amo_h5_library *h, const char *path, bool (*put)(void *ctx, const amo_h5 *file),
                      void *ctx)
{
  const unsigned anew = 2;  // H5F_ACC_TRUNC, behind whose name stand calls of the library
  const amo_h5 file = {h, h->H5Fcreate(path, anew, H5P_DEFAULT, H5P_DEFAULT)};
  if (file.id < 0) return false;
  const bool ok = put(ctx, &file);
  return h->H5Fclose(file.id) >= 0 && ok;
}

amo_status amo_h5_write(const char *path, bool (*put)(void *ctx, const amo_h5 *file), void *ctx,
                        amo_diags *diags)
{
  amo_h5_library h;
  H5E_auto2_t report = NULL;
  void *report_data = NULL;
  amo_file_place place = {0};
  amo_status st = amo_file_place_begin(path, false, diags, &place);
  if (st != AMO_OK) return st;
  if ((st = amo_h5_load(AMO_HDF5_LIBRARY, &h, diags)) != AMO_OK) {
    amo_file_place_abort(&place);
    return st;
  }
  h.H5Eget_auto2(H5E_DEFAULT, &report, &report_data);
  h.H5Eset_auto2(H5E_DEFAULT, NULL, NULL);  // the library prints; we report
  errno = 0;
  if (write_all(&h, place.temporary, put, ctx)) {
    st = amo_file_place_commit(&place, diags);
  } else {
    const int e = errno;
    amo_error(diags, (amo_at){0}, NULL, "cannot write '%s': %s", path, e ? strerror(e) : "HDF5 refused");
    st = AMO_EIO;
  }
  amo_file_place_abort(&place);
  h.H5Eset_auto2(H5E_DEFAULT, report, report_data);
  return st;
}
