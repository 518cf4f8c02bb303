// SPDX-License-Identifier: Apache-2.0
/// Forces that the balance leaves open (a ladder between floor and wall, two pads on one disc): is there a share
/// that every contact can carry? A small linear programme.
#ifndef AMO_CONTACT_SHARE_H
#define AMO_CONTACT_SHARE_H

#include <stdbool.h>
#include <stddef.h>

/// Most room t with a_i . y + t <= b_i for all i (rows of a: [rows][n]); y is free. start: any y to begin with.
/// True and y, *room if the room is bounded by `most` or less; false without memory.
bool amo_most_room(size_t rows, size_t n, const double *a, const double *b, double most, double *y,
                   double *room);

#endif
