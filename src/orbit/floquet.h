// SPDX-License-Identifier: Apache-2.0
/// Eigenvalues of a monodromy matrix, and what they say.
#ifndef AMO_ORBIT_FLOQUET_H
#define AMO_ORBIT_FLOQUET_H

#include "amontons/orbit.h"

/// Eigenvalues of the ns x ns matrix (columns), largest first; those beyond `rank` are exactly zero. scale [ns]: sizes
/// of the states. vector: may be NULL, else [ns] real eigenvector (real part) for the eigenvalue nearest to `near`.
amo_status amo_floquet(const double *matrix, const double *scale, size_t ns, size_t rank, amo_multiplier *out,
                       double near, double *vector);
/// Rank of the matrix, at most `bound`: singular values below rounding do not count where the bound is less than ns.
size_t amo_floquet_rank(const double *matrix, const double *scale, size_t ns, size_t bound);
/// For qsort: largest first; pairs stay together, positive imaginary part first.
int amo_multiplier_descending(const void *a, const void *b);

#endif
