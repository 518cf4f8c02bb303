// SPDX-License-Identifier: Apache-2.0
#include "base/options.h"

#include <string.h>

void amo_opts_give(void *to, size_t size, const void *all, size_t known)
{
  if (to == NULL || size < sizeof size) return;
  memset(to, 0, size);
  memcpy(to, all, size < known ? size : known);
  memcpy(to, &size, sizeof size);
}

amo_status amo_opts_take(void *all, size_t known, const void *given)
{
  size_t size;
  if (given == NULL) return AMO_OK;
  memcpy(&size, given, sizeof size);
  if (size < sizeof size) return AMO_ERANGE;
  for (size_t i = known; i < size; i++)
    if (((const unsigned char *)given)[i] != 0) return AMO_EUNSUPPORTED;
  memcpy(all, given, size < known ? size : known);
  memcpy(all, &known, sizeof known);
  return AMO_OK;
}
