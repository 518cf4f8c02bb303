// SPDX-License-Identifier: Apache-2.0
// Residuals of a relation between columns of a table.
#include "study/fit.h"

amo_status amo_fit_relation(const amo_call *call, amo_fit_source **out)
{
  *out = NULL;
  return amo_error(call->diags, (amo_at){0}, NULL, "fit needs a model");
}
