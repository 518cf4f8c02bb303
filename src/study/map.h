// SPDX-License-Identifier: Apache-2.0
/// A value of any verb over a plane: rows are shared out to threads; what was computed is kept in a part
/// file, so that a killed run goes on where it stopped. The grid is the same for any number of threads.
#ifndef AMO_STUDY_MAP_H
#define AMO_STUDY_MAP_H

#include "study/map_probe.h"

#define AMO_CELL_UNSOUND \
  "audit failed"  // the text of cells whose motion fails its audit, whatever their value

enum { AMO_CELL_NUMBER = -1, AMO_CELL_OPEN = -2 };  // not a text; not computed

typedef struct amo_plane {
  const amo_call *call;
  const char *of;
  amo_axis x, y;
  size_t nx, ny;
  bool *done;      // [ny] rows
  double *number;  // [ny][nx] NaN where the value is a text
  int *word;       // [ny][nx] index into words, or one of the two below
  char **words;    // texts that occur, sorted by amo_plane_run
  size_t nwords, words_cap;
  size_t rows;                          // finished, of ny
  size_t resumed;                       // of them taken from the part file
  const struct amo_contours *contours;  // to be drawn over it; NULL: none
} amo_plane;

amo_status amo_plane_new(const amo_call *call, const char *of, const amo_axis *x, const amo_axis *y,
                         size_t nx, size_t ny, amo_plane **out);
void amo_plane_free(amo_plane *m);  // accepts NULL
/// Compute all rows that are not done. part: file of finished rows (NULL: none).
/// AMO_EINTR: interrupted; the plane and the part file hold the rows that are finished.
amo_status amo_plane_run(amo_plane *m, int threads, const char *part);
/// x,y,value with a head line.
amo_status amo_plane_csv(const amo_plane *m, const char *path);
amo_status amo_plane_plot(const amo_plane *m, const char *path);
/// The same as SVG text; caller frees. NULL on out of memory.
char *amo_plane_svg(const amo_plane *m);

/// Index of a text, new ones added; -2 when out of memory.
int amo_plane_word(amo_plane *m, const char *text);
/// Cells whose motion fails its audit.
size_t amo_plane_unsound(const amo_plane *m);
void amo_plane_cell_text(const amo_plane *m, size_t i, char out[128]);

/// Whole numbers, few of them: regions, like texts.
bool amo_plane_discrete(const amo_plane *m);
/// Distinct whole numbers, ascending, at most `room`; returns how many there are (room + 1: more).
size_t amo_plane_numbers(const amo_plane *m, double *out, size_t room);
#define AMO_PLANE_NUMBERS 64

/// Texts that differ only by numbers, and in them by less than a thousandth, become one (the first of them).
amo_status amo_plane_merge(amo_plane *m);

#endif
