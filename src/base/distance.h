// SPDX-License-Identifier: Apache-2.0
/// Edit distance for "did you mean".
#ifndef AMO_BASE_DISTANCE_H
#define AMO_BASE_DISTANCE_H

#include <stddef.h>

/// Insertions, deletions, replacements and swaps of neighbours that turn a into b; values above
/// `limit` are reported as limit + 1. Texts over 64 bytes count as far apart. Allocates nothing.
size_t amo_edit_distance(const char *a, size_t na, const char *b, size_t nb, size_t limit);

#endif
