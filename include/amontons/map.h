// SPDX-License-Identifier: Apache-2.0
/// A value over a plane: tiles (rows or pieces of them) are shared out to threads, slices of a job array or ranks, and the grid is the same
/// for any number of them. Finished tiles may
/// be kept in a file, so that a killed run goes on where it stopped. Borders between verdicts, and curves on which a number
/// has a value, are traced point by point to rounding.
///
///   static void height(void *ctx, const double *at, amo_diags *diags, amo_reading *out)  // a function of our own
///   {
///     (void)ctx, (void)diags;
///     out->kind = AMO_READ_NUMBER, out->measured = true;
///     out->number = at[0] * at[0] + at[1] * at[1];
///   }
///
///   amo_probe p = {.of = "height", .axes = 2, .read = height};
///   p.axis[0] = (amo_axis){.name = "x", .from = -2, .to = 2, .kind = AMO_AXIS_OWN};
///   p.axis[1] = (amo_axis){.name = "y", .from = -2, .to = 2, .kind = AMO_AXIS_OWN};
///   amo_plane_opts o = amo_plane_opts_default();
///   o.nx = o.ny = 40;
///   amo_plane *m = NULL;
///   amo_contours c = {0};
///   const double level = 1.0;
///   if (amo_plane_run(&p, &o, NULL, &m) == AMO_OK) amo_contours_of_numbers(m, &p, &level, 1, NULL, &c);
///   for (size_t i = 0; i < c.count; i++) printf("%zu points, %s\n", c.item[i].points, c.item[i].closed ? "closed" : "open");
///   amo_contours_free(&c);
///   amo_plane_free(m);
#ifndef AMONTONS_MAP_H
#define AMONTONS_MAP_H

#include "amontons/probe.h"
#include "amontons/ranks.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The text of cells whose motion fails its audit, whatever their value.
#define AMO_CELL_UNSOUND "audit failed"

enum { AMO_CELL_NUMBER = -1, AMO_CELL_OPEN = -2 };  // not a text; not computed

/// The grid. Cell (i, j) lies at amo_axis_value(&x, i, nx), amo_axis_value(&y, j, ny), and has the index j*nx + i.
typedef struct amo_plane {
  amo_axis x, y;             // across, upwards
  size_t nx, ny;             // points, ends included
  bool *done;                // [ny] rows that are finished
  double *number;            // [ny][nx] NaN where the value is a text
  int *word;                 // [ny][nx] index into words, or AMO_CELL_NUMBER, AMO_CELL_OPEN
  char **words;              // [nwords] texts that occur, in alphabetical order
  size_t nwords, words_cap;  // how many; of the array
  size_t rows;               // finished, of ny
  size_t cells;              // finished, of nx*ny
  size_t resumed;            // tiles taken from the file of an earlier run
  bool whole;                // all cells are here; false also in a rank that only helped
} amo_plane;

/// How it is asked. Get it from amo_plane_opts_default() and change what you need; later versions may add fields at the end.
typedef struct amo_plane_opts {
  size_t size;    // sizeof(amo_plane_opts), set by amo_plane_opts_init
  size_t nx, ny;  // points, ends included, 2 to 100000 each and at most 10^8 cells
  int threads;    // 0: one for each processor; at most 256
  const char
      *part;  // file of finished tiles, made and gone on from; the caller removes it. NULL: none is kept
  volatile int
      *stop;  // may be NULL: set it to nonzero (from another thread or a signal) to end with AMO_EINTR
  /// May be NULL. Told the part that is done, 0 to 1, by any of the threads, one at a time; nonzero ends it.
  int (*progress)(void *ctx, double fraction);
  void *ctx;               // of progress
  amo_slice slice;         // tiles that are computed; those of others may stand in `part`
  const amo_ranks *ranks;  // processes that share the work; NULL: this one alone
  const char *command;     // what the user asked, noted in `part`; may be NULL
} amo_plane_opts;

AMO_API void amo_plane_opts_init(amo_plane_opts *o, size_t size);
static inline amo_plane_opts amo_plane_opts_default(void)
{
  amo_plane_opts o;
  amo_plane_opts_init(&o, sizeof o);
  return o;
}

/// Read a probe with two axes at every point. opts: NULL for defaults. The probe is read on this thread and, through its
/// copies, on others.
/// @return AMO_OK: the tiles of the slice are done; AMO_EINTR: interrupted, *out and the part file hold those that are finished; AMO_EINPUT: the file `part`
///         is something else; AMO_EIO, AMO_ERANGE, AMO_ENOMEM. *out is NULL unless the status is AMO_OK or AMO_EINTR.
AMO_API amo_status amo_plane_run(const amo_probe *p, const amo_plane_opts *opts, amo_diags *diags,
                                 amo_plane **out);
AMO_API void amo_plane_free(amo_plane *m);  // accepts NULL

/// Cells whose motion fails its audit.
AMO_API size_t amo_plane_unsound(const amo_plane *m);
/// Whole numbers, few of them: regions, like texts.
AMO_API bool amo_plane_discrete(const amo_plane *m);
/// Distinct numbers, ascending, at most `room`; returns how many there are (room + 1: more).
AMO_API size_t amo_plane_numbers(const amo_plane *m, double *out, size_t room);
/// Texts that differ only by numbers, and in them by less than a thousandth, become one (the first of them).
AMO_API amo_status amo_plane_merge(amo_plane *m);

/// One curve.
typedef struct amo_contour {
  double level;               // of a number; NaN: the border of a verdict
  char word[AMO_PROBE_TEXT];  // that verdict; "" of numbers
  bool closed;                // the last point is the first again
  double *x, *y;              // [points] values of the axes
  size_t points, capacity;    // how many; of the arrays
} amo_contour;

typedef struct amo_contours {
  amo_contour *item;       // [count]
  size_t count, capacity;  // how many; of the array
  size_t evaluations;      // readings taken
} amo_contours;

/// Curves on which the number has one of the levels: predictor along the last direction, corrector across it by root
/// finding, so that every point lies on the curve to rounding, whatever the grid. The grid only says where to begin.
/// stop: may be NULL, nonzero ends with AMO_EINTR. *out is empty unless the status is AMO_OK.
AMO_API amo_status amo_contours_of_numbers(const amo_plane *m, const amo_probe *p, const double *level,
                                           size_t levels, volatile int *stop, amo_contours *out);
/// Borders of the verdicts words[index[k]] of the plane, each found by bisection.
AMO_API amo_status amo_contours_of_words(const amo_plane *m, const amo_probe *p, const size_t *index,
                                         size_t words, volatile int *stop, amo_contours *out);
AMO_API void amo_contours_free(amo_contours *c);  // accepts NULL

#ifdef __cplusplus
}
#endif
#endif
