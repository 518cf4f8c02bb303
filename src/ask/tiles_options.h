// SPDX-License-Identifier: Apache-2.0
/// Options of questions that are cut into tiles (tiles/tiles.h).
#ifndef AMO_ASK_TILES_OPTIONS_H
#define AMO_ASK_TILES_OPTIONS_H

#include "ask/verb.h"
#include "tiles/tiles.h"

// clang-format off
#define AMO_TILES_OPTS(what) \
    {"part", AMO_OPT_TEXT, "I/N", NULL, NULL, "one of N runs of a job array: only every N-th " what ", from the I-th on; `amontons merge` joins their files", 0, 0}, \
    {"keep", AMO_OPT_FILE, "FILE", NULL, NULL, "finished " what "s are kept in FILE, and the same command goes on from there", 0, 0}
// clang-format on

/// With the file that keeps tiles: the one of `keep`, else BESIDE.part (of a slice BESIDE.part.I-of-N) where `beside` is a real file,
/// which is `own` then: to be removed when all is done. Both file names are the caller's to free.
typedef struct amo_tiles_place {
  amo_slice slice;
  char *file;  // NULL: none
  bool own;
} amo_tiles_place;
amo_status amo_tiles_place_read(const amo_call *call, const char *beside, amo_tiles_place *out);

#endif
