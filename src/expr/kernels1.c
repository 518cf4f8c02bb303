// SPDX-License-Identifier: Apache-2.0
/// One lane: the integrator's innermost loop.
#include "base/clones.h"

#define W       1
#define NAME(x) x##1
#include "expr/kernels.inc"
