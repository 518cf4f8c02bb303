// SPDX-License-Identifier: Apache-2.0
// The report of a fit.
#include "study/fit.h"

amo_status amo_fit_report(const amo_fit_source *s, const amo_fit *f, const cJSON *result, const char *path,
                          amo_diags *d)
{
  (void)s, (void)f, (void)result;
  return amo_error(d, (amo_at){0}, NULL, "cannot write '%s'", path);
}
