// SPDX-License-Identifier: Apache-2.0
/// Shared by the files of the statics.
#ifndef AMO_QUASISTATIC_STATICS_IMPL_H
#define AMO_QUASISTATIC_STATICS_IMPL_H

#include "quasistatic/statics.h"

/// The bound of a guide goes with |R|.
static inline double amo_pressing(const amo_statics *s, const double *y, uint32_t c)
{
  return s->m->contact[c].kind == AMO_GUIDE && y[s->nq + c] < 0.0 ? -1.0 : 1.0;
}

/// Matrix and right-hand side of the rates, or (correct) of Newton's step.
void amo_statics_assemble(amo_statics *s, const double *y, const amo_qs_mode *mode, bool correct);

#endif
