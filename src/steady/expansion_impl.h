// SPDX-License-Identifier: Apache-2.0
#ifndef AMO_STEADY_EXPANSION_IMPL_H
#define AMO_STEADY_EXPANSION_IMPL_H

#include "steady/expansion.h"

static inline size_t amo_width(const amo_expansion *x)
{
  return (size_t)x->order + 1;
}

#endif
