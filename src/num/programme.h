// SPDX-License-Identifier: Apache-2.0
/// Forces that the balance leaves open (a ladder between floor and wall, two pads on one disc): is there a share
/// that every contact can carry? A small linear programme.
#ifndef AMO_NUM_PROGRAMME_H
#define AMO_NUM_PROGRAMME_H

#include <stdbool.h>
#include <stddef.h>

/// Most room t <= most with a_i . y + t <= b_i for all i; y is free. Where held: a_i . y <= b_i with b_i >= 0.
typedef struct amo_room {
  size_t rows, n;
  const double *a, *b;  // [rows][n], [rows]
  double most;
  double *work;      // [amo_room_work]
  size_t *basis;     // [amo_room_basis]
  const bool *held;  // [rows] or NULL
} amo_room;

size_t amo_room_work(size_t rows, size_t n);
size_t amo_room_basis(size_t rows, size_t n);

/// What holds with equality at the best y besides: row i (i < rows), t = most (rows), y_k = 0 (rows + 1 + k). Those n + 1
/// equations determine y and t; active [n + 1] may be NULL.
double amo_most_room(const amo_room *p, double *y, size_t *active);

#endif
