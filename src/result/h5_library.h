// SPDX-License-Identifier: Apache-2.0
/// HDF5, loaded while the program runs: it brings 35 libraries along (network, cryptography), whose loading takes longer than most
/// answers.
#ifndef AMO_RESULT_H5_LIBRARY_H
#define AMO_RESULT_H5_LIBRARY_H

#include <hdf5.h>

#include "amontons/diag.h"

// clang-format off
#define AMO_H5_FUNCTIONS(F) \
  F(H5open) F(H5Acreate2) F(H5Awrite) F(H5Aclose) F(H5Dcreate2) \
  F(H5Dwrite) F(H5Dclose) F(H5Eget_auto2) F(H5Eset_auto2) F(H5Fcreate) \
  F(H5Fclose) F(H5Gcreate2) F(H5Gclose) F(H5Pcreate) F(H5Pclose) \
  F(H5Pset_chunk) F(H5Pset_shuffle) F(H5Pset_deflate) F(H5Screate) F(H5Screate_simple) \
  F(H5Sclose) F(H5Tcopy) F(H5Tcreate) F(H5Tinsert) F(H5Tset_size) \
  F(H5Tset_cset) F(H5Tclose) F(H5Zfilter_avail)
// clang-format on

/// Names that hdf5.h hides behind macros which call the library: X(member, symbol).
#define AMO_H5_IDS(X)                   \
  X(text, H5T_C_S1_g)                   \
  X(native_double, H5T_NATIVE_DOUBLE_g) \
  X(native_int, H5T_NATIVE_INT_g)       \
  X(file_double, H5T_IEEE_F64LE_g)      \
  X(file_int, H5T_STD_I32LE_g)          \
  X(new_dataset, H5P_CLS_DATASET_CREATE_ID_g)

typedef struct amo_h5_library {
#define MEMBER(name) __typeof__(&name) name;
  AMO_H5_FUNCTIONS(MEMBER)
#undef MEMBER
#define MEMBER(member, symbol) hid_t member;
  AMO_H5_IDS(MEMBER)
#undef MEMBER
} amo_h5_library;

/// `name`: of the shared library, AMO_HDF5_LIBRARY but in tests. Once loaded it stays until the process ends.
amo_status amo_h5_load(const char *name, amo_h5_library *out, amo_diags *diags);

#endif
