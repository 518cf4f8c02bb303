// SPDX-License-Identifier: Apache-2.0
/// Work that is cut into tiles. The answer of a tile depends on its number and on nothing else; so threads, slices of a job
/// array and ranks may share them out in any way, a tile may be computed twice, and what a killed run had finished may be taken
/// from its file: the answers are the same bits.
#ifndef AMO_TILES_TILES_H
#define AMO_TILES_TILES_H

#include "amontons/diag.h"
#include "amontons/ranks.h"
#include "base/text.h"

/// The work.
typedef struct amo_tiles {
  const char *of;               // "map": first word of the files, and for messages
  const char *piece;            // "fit": what people call a tile
  unsigned long long identity;  // of all that decides answers; 0: unknown, so that none can be kept
  size_t count;
  bool *done;  // [count] all false at the beginning; those whose answers are in their places
  void *ctx;   // of the functions below
  /// May be NULL: the work belongs to one thread, and ctx is its worker. What a thread computes with.
  amo_status (*begin)(void *ctx, void **worker);
  void (*end)(void *worker);
  /// Compute a tile and put its answer in its place. Called for each tile by one thread. AMO_EINTR: it was cut short.
  amo_status (*compute)(void *worker, size_t tile);
  /// The answer of a tile that is done, as text without line ends. Called one at a time, like `read`.
  void (*write)(void *ctx, size_t tile, amo_text *out);
  /// Put an answer from elsewhere in its place; text is overwritten. false: that is no answer.
  bool (*read)(void *ctx, size_t tile, char *text);
} amo_tiles;

/// How it is done.
typedef struct amo_tiles_how {
  int threads;             // 0: one for each processor that this process may use; of several ranks, one
  const char *kept;        // file of finished tiles, gone on from; NULL: none
  const char *command;     // of the user, for that file; NULL: not known
  amo_slice slice;         // which tiles
  const amo_ranks *ranks;  // who helps; NULL: nobody
  volatile int *stop;      // may be NULL: nonzero ends it. Set in a rank whose help is no longer wanted
  int (*progress)(void *ctx, double fraction);  // may be NULL; nonzero ends it
  void *ctx;                                    // of progress
} amo_tiles_how;

enum { AMO_TILES_THREADS = 256 };  // at most

/// How far it came.
typedef struct amo_tiles_end {
  size_t finished;  // all that are done,
  size_t kept;      // and how many of them were taken from the file
  bool whole;       // every tile is done, and this is the process that has the answer
} amo_tiles_end;

/// @return AMO_OK: the tiles of the slice are done (rank 0), or no more help is wanted; AMO_EINTR: interrupted, out tells of what
///         is done; AMO_EINPUT: the file is something else; AMO_EIO, AMO_ENOMEM, and what `begin` and `compute` fail with.
amo_status amo_tiles_run(const amo_tiles *t, const amo_tiles_how *how, amo_diags *diags, amo_tiles_end *out);

/// Files of slices as one. What is missing, twice and different, or of another question is told by name.
/// AMO_ENOANSWER: tiles are missing; the file holds the others. AMO_EINPUT, AMO_EIO, AMO_ENOMEM: nothing was written.
typedef struct amo_merged {
  char of[32];             // first word of the files
  size_t count, finished;  // tiles of the question; of them those that the files hold
  size_t twice;            // in several files, with the same answer
} amo_merged;
amo_status amo_tiles_merge(const char *const *path, size_t paths, const char *out, amo_diags *diags,
                           amo_merged *merged);

#endif
