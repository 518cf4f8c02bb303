// SPDX-License-Identifier: Apache-2.0
/// Options that may grow: their first field is their size, a size_t, which says what the caller's version has of them.
#ifndef AMO_BASE_OPTIONS_H
#define AMO_BASE_OPTIONS_H

#include <stddef.h>

#include "amontons/status.h"

/// The defaults `all` for a caller with room for `size` bytes: he gets what he knows of, fields that only he knows are zero, and the
/// size is his.
void amo_opts_give(void *to, size_t size, const void *all, size_t known);

/// The function TYPE_init of a header, with the defaults that are not zero: AMO_OPTS_INIT(amo_limits_opts, .points = 400)
#define AMO_OPTS_INIT(type, ...)                        \
  void type##_init(type *o, size_t size)                \
  {                                                     \
    const type all = {.size = sizeof all, __VA_ARGS__}; \
    amo_opts_give(o, size, &all, sizeof all);           \
  }

/// What a caller `given` has set, over the defaults in `all`; NULL: nothing. His size may be smaller (an older version: the rest stays as it
/// is) or larger. AMO_ERANGE: options that were not begun by their _init; AMO_EUNSUPPORTED: he has set a field that this version does not have.
amo_status amo_opts_take(void *all, size_t known, const void *given);

#endif
