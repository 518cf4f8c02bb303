// SPDX-License-Identifier: Apache-2.0
/// Work shared by several processes. A map (or a bootstrap) is cut into tiles; the answer of a tile depends on its number and on
/// nothing else, so that it does not matter which process computes it, nor whether two of them do.
///
/// Without MPI: a slice. Each process computes every count-th tile, and `amontons merge` joins their files.
///
///   amo_plane_opts o = amo_plane_opts_default();
///   o.slice = (amo_slice){.index = 1, .count = 4};  // the second of four
///   o.part = "second.part";
///
/// With MPI (or whatever else carries messages): ranks. Rank 0 hands out tiles and has the answer in the end; the others
/// compute what they are given, and their question ends with AMO_OK and an answer that is not whole.
#ifndef AMONTONS_RANKS_H
#define AMONTONS_RANKS_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Tiles index, index + count, index + 2 count, ... count 0: all of them.
typedef struct amo_slice {
  size_t index, count;  // this part, of so many
} amo_slice;

/// Processes that can send messages to each other. Messages are lines of text and need not come in order. Called by one thread.
typedef struct amo_ranks {
  int rank, size;  // this process, 0 to size - 1
  void *ctx;       // of the functions below
  /// Does not wait until anybody receives it. false: it cannot be sent.
  bool (*send)(void *ctx, int to, const char *bytes, size_t n);
  /// A message that has come, for free(), with a NUL behind its n bytes. false: there is none now.
  bool (*receive)(void *ctx, int *from, char **bytes, size_t *n);
} amo_ranks;

#ifdef __cplusplus
}
#endif
#endif
