// SPDX-License-Identifier: Apache-2.0
/// Who computes which tile: the desk at which tiles are handed out. Not locked.
///
/// A rank that is given a tile may be killed, and MPI need not say so. But a tile may be computed twice: one that is out for
/// more than twice as long as any took, while somebody has nothing to do, is handed out again.
#ifndef AMO_TILES_DESK_H
#define AMO_TILES_DESK_H

#include "tiles/tiles.h"

typedef struct amo_desk {
  size_t count, next;  // tiles before `next` are done, handed out, or of other slices
  size_t total, left;  // tiles of the slice; of them those that are not done
  bool *done;          // [count]
  amo_slice slice;
  int *holder;     // [count] who was given it last, NOBODY
  bool *mine;      // [count] a thread of this process computes it
  double *since;   // [count] when it was handed out, s
  double longest;  // time that a tile took, s
  double looked;   // when what is overdue was looked for, s
  int silent;      // a rank whose tile was handed out again and that has not been heard of since; -1: none
} amo_desk;

amo_status amo_desk_make(amo_desk *d, bool *done, size_t count, amo_slice slice);
void amo_desk_free(amo_desk *d);
/// A tile for somebody. false: there is none now; d->left tells whether any is still out.
bool amo_desk_take(amo_desk *d, int rank, double now, size_t *tile);
/// Is an answer of this rank wanted? Then the tile is done.
bool amo_desk_put(amo_desk *d, int rank, double now, size_t tile);
/// What a rank has is handed out anew; it will not come.
void amo_desk_lost(amo_desk *d, int rank);

#endif
