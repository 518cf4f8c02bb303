// SPDX-License-Identifier: Apache-2.0
/// One lane: the integrator's innermost loop.
#define W       1
#define NAME(x) x##1
#define CLONES
#include "expr/kernels.inc"
