// SPDX-License-Identifier: Apache-2.0
/// The finished rows of a map, kept in a file while it runs, so that the same command goes on from them.
#ifndef AMO_STUDY_MAP_PART_H
#define AMO_STUDY_MAP_PART_H

#include <stdio.h>

#include "study/map.h"

/// Takes the whole rows of an earlier run of the same map, says which were not, and leaves the file open for more.
/// AMO_EINPUT: the file there is something else; AMO_EIO.
amo_status amo_part_open(amo_plane *m, const char *path, FILE **out);
void amo_part_write(const amo_plane *m, size_t j, FILE *out);
/// Says why (errno); AMO_EIO.
amo_status amo_part_failed(const amo_plane *m, const char *path);

#endif
