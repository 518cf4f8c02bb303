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
  size_t *basis;     // [amo_room_basis], of amo_best n + 1 more
  const bool *held;  // [rows] or NULL
} amo_room;

size_t amo_room_work(size_t rows, size_t n);
size_t amo_room_basis(size_t rows, size_t n);

/// *count of rows (`rows`: t = most) that hold with equality at every best y: those whose loss would give more room. tight [n + 1]
/// and count may be NULL.
double amo_most_room(const amo_room *p, double *y, size_t *tight, size_t *count);

/// Least y'Qy/2 + c'y with a_i . y <= b_i for all i.
typedef struct amo_least {
  size_t rows, n;
  const double *a, *b;  // [rows][n], [rows]
  const double *q, *c;  // [n][n] positive definite, [n]
  double *work;         // [amo_least_work]
} amo_least;

size_t amo_least_work(size_t rows, size_t n);
/// *count of rows that keep y from being smaller, into bound [n]. False: no answer.
bool amo_least_point(const amo_least *p, double *y, size_t *bound, size_t *count);

/// Most room, and of all y that have it the least by Q and c (see amo_least).
typedef struct amo_best {
  amo_room room;  // work: [amo_best_work]
  const double *q, *c;
} amo_best;

size_t amo_best_work(size_t rows, size_t n);
/// The room. *least: y'Qy/2 + c'y. y follows from *count independent equations, a_i . y + t = b_i (`rows`: t = most), equation [n + 1],
/// and from being least; the first *tight of them are those of amo_most_room.
double amo_best_point(const amo_best *p, double *y, double *least, size_t *equation, size_t *count,
                      size_t *tight);

#endif
