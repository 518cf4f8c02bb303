// SPDX-License-Identifier: Apache-2.0
/// Eigenvalues of a monodromy matrix, and what they say.
#ifndef AMO_ORBIT_FLOQUET_H
#define AMO_ORBIT_FLOQUET_H

#include "amontons/orbit.h"

/// Eigenvalues of the ns x ns matrix (columns), largest first; those beyond `rank` are exactly zero. scale [ns]: sizes
/// of the states. vector: may be NULL, else [ns] real eigenvector (real part) for the eigenvalue nearest to `near`.
amo_status amo_floquet(const double *matrix, const double *scale, size_t ns, size_t rank, amo_multiplier *out,
                       double near, double *vector);
/// Number of the multiplier nearest to 1.
size_t amo_floquet_trivial(const amo_multiplier *m, size_t n);
/// Are all multipliers but `except` inside the unit circle?
bool amo_floquet_stable(const amo_multiplier *m, size_t n, size_t except);

#endif
