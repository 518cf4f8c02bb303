// SPDX-License-Identifier: Apache-2.0
/// AMO_LANES lanes: maps and ensembles.
#define W       8
#define NAME(x) x##8
#include "base/clones.h"
#include "expr/kernels.inc"

_Static_assert(W == AMO_LANES, "the wide kernels have AMO_LANES lanes");
