// SPDX-License-Identifier: Apache-2.0
#include "tiles/desk.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

enum { NOBODY = -1, ME = 0 };

static const double patience = 2.0;  // times the longest time of a tile
static const double between_looks =
    0.005;  // s between two looks for what is overdue: all tiles are looked at

static bool of_slice(const amo_desk *d, size_t tile)
{
  return d->slice.count < 2 || tile % d->slice.count == d->slice.index;
}

amo_status amo_desk_make(amo_desk *d, bool *done, size_t count, amo_slice slice)
{
  *d = (amo_desk){.count = count, .done = done, .slice = slice, .silent = NOBODY};
  d->holder = amo_zalloc(count, sizeof *d->holder);
  d->mine = amo_zalloc(count, sizeof *d->mine);
  d->since = amo_zalloc(count, sizeof *d->since);
  if (!d->holder || !d->mine || !d->since) {
    amo_desk_free(d);
    return AMO_ENOMEM;
  }
  for (size_t i = 0; i < count; i++) {
    d->holder[i] = NOBODY;
    d->total += of_slice(d, i);
    d->left += of_slice(d, i) && !done[i];
  }
  return AMO_OK;
}

void amo_desk_free(amo_desk *d)
{
  free(d->holder);
  free(d->mine);
  free(d->since);
  *d = (amo_desk){0};
}

static void hand_out(amo_desk *d, int rank, double now, size_t tile)
{
  d->holder[tile] = rank;
  d->mine[tile] = rank == ME;
  d->since[tile] = now;
}

/// The tile that another rank has had for longest, if that is too long.
static bool overdue(amo_desk *d, int rank, double now, size_t *tile)
{
  if (now - d->looked < between_looks) return false;
  d->looked = now;
  double oldest = now - patience * d->longest;
  bool found = false;
  for (size_t i = 0; i < d->count && d->longest > 0.0; i++) {
    if (d->done[i] || d->holder[i] == NOBODY || d->holder[i] == rank || d->mine[i]) continue;
    if (!(d->since[i] < oldest)) continue;
    oldest = d->since[i];
    *tile = i;
    found = true;
  }
  return found;
}

bool amo_desk_take(amo_desk *d, int rank, double now, size_t *tile)
{
  if (d->left == 0) return false;
  while (d->next < d->count && (d->done[d->next] || d->holder[d->next] != NOBODY || !of_slice(d, d->next)))
    d->next++;
  const bool fresh = d->next < d->count;
  if (fresh) *tile = d->next;
  if (!fresh && !overdue(d, rank, now, tile)) return false;
  if (!fresh) d->silent = d->holder[*tile];
  if (d->silent == rank) d->silent = NOBODY;
  hand_out(d, rank, now, *tile);
  return true;
}

bool amo_desk_put(amo_desk *d, int rank, double now, size_t tile)
{
  // what a thread of ours computes is put in its place by that thread
  if (tile >= d->count || d->done[tile] || (d->mine[tile] && rank != ME)) return false;
  if (d->holder[tile] == rank) d->longest = fmax(d->longest, now - d->since[tile]);
  d->done[tile] = true;
  d->mine[tile] = false;
  d->left -= of_slice(d, tile);
  return true;
}

void amo_desk_lost(amo_desk *d, int rank)
{
  for (size_t i = 0; i < d->count; i++)
    if (!d->done[i] && d->holder[i] == rank) {
      d->holder[i] = NOBODY;
      d->mine[i] = false;
    }
  d->next = 0;
}
