// SPDX-License-Identifier: Apache-2.0
/// An orthonormal frame of directions in state space, measured by weights.
#ifndef AMO_ORBIT_FRAME_H
#define AMO_ORBIT_FRAME_H

#include <stdbool.h>
#include <stddef.h>

/// Directions that nothing prefers: the same in every run.
void amo_frame_random(double *y, size_t columns, size_t ns);

/// Make y [columns][ns] orthonormal in the inner product sum weight_i^2 a_i b_i, first columns first. growth[j]: length
/// of column j after the earlier ones are taken off; 0 where it is nothing but their rounding, and then the column is
/// removed and those behind it move up. Returns the columns that are left.
size_t amo_frame_orthonormalise(double *y, size_t columns, size_t ns, const double *weight, double *growth);

#endif
