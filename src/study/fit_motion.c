// SPDX-License-Identifier: Apache-2.0
// Residuals of a motion: a model beside a record of it.
#include "study/fit.h"

amo_status amo_fit_motion(const amo_call *call, amo_fit_source **out)
{
  *out = NULL;
  return amo_error(call->diags, (amo_at){0}, NULL, "fit of a model to a motion is not in this version");
}
