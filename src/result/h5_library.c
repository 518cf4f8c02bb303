// SPDX-License-Identifier: Apache-2.0
#include "result/h5_library.h"

#include <dlfcn.h>

/// C has no conversion from what dlsym returns to a function.
#define LOOK_UP(name)                       \
  out->name = (union {                      \
                void *object;               \
                __typeof__(&name) function; \
              }){dlsym(handle, #name)}      \
                  .function;                \
  whole &= out->name != NULL;

/// Types are numbers which the library deals out when it is opened.
#define READ(member, symbol)                        \
  id = dlsym(handle, #symbol);                      \
  out->member = id != NULL ? *id : H5I_INVALID_HID; \
  whole &= id != NULL;

static bool find(void *handle, amo_h5_library *out)
{
  bool whole = true;
  AMO_H5_FUNCTIONS(LOOK_UP)
  if (!whole || out->H5open() < 0) return false;
  const hid_t *id;
  AMO_H5_IDS(READ)
  return whole;
}

amo_status amo_h5_load(const char *name, amo_h5_library *out, amo_diags *diags)
{
  void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  const char *why = handle != NULL ? "it lacks functions that we call" : dlerror();
  const bool good = handle != NULL && find(handle, out);
  if (!good)
    amo_error(diags, (amo_at){0}, "install HDF5 (Debian: libhdf5-103-1), or write CSV",
              "HDF5 cannot be loaded: %s: %s", name, why);
  if (handle != NULL) dlclose(handle);
  return good ? AMO_OK : AMO_EUNSUPPORTED;
}
