// SPDX-License-Identifier: Apache-2.0
/// The file of finished tiles: a line that says what it is of,
///   amontons map IDENTITY COUNT PART/PARTS <tab> command of the user
/// then for each tile "number <tab> answer <tab> #sum": what was cut off or altered does not have its sum.
#ifndef AMO_TILES_KEPT_H
#define AMO_TILES_KEPT_H

#include <stdio.h>

#include "tiles/tiles.h"

typedef struct amo_kept_head {
  char of[32];
  unsigned long long identity;
  size_t count;
  amo_slice slice;
} amo_kept_head;

/// The first line; false: it is of no such file.
bool amo_kept_head_read(const char *text, amo_kept_head *out);
/// Cut a line "number <tab> answer <tab> #sum" up. false: it is not whole.
bool amo_kept_line_read(char *line, size_t *tile, char **answer);

/// Take the whole tiles of an earlier run, say which were not, and leave the file open for more. AMO_EINPUT: the file there is
/// something else; AMO_EIO.
amo_status amo_kept_open(const amo_tiles *t, const amo_tiles_how *how, amo_diags *diags, size_t *taken,
                         FILE **out);
void amo_kept_head_write(const amo_kept_head *h, const char *command, FILE *out);
void amo_kept_write(size_t tile, const char *answer, FILE *out);
/// Says why (errno); AMO_EIO.
amo_status amo_kept_failed(const char *path, amo_diags *diags);

#endif
