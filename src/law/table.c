// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "law/law.h"

static const amo_law *const families[] = {
    &amo_law_coulomb,   &amo_law_stiction, &amo_law_curve,          &amo_law_aging,
    &amo_law_hump,      &amo_law_stribeck, &amo_law_general,        &amo_law_rate_state,
    &amo_law_breakaway, &amo_law_cubic,    &amo_law_lagged,         &amo_law_dahl,
    &amo_law_lugre,     &amo_law_bouc_wen, &amo_law_elasto_plastic, &amo_law_maxwell_slip,
};

const amo_law *amo_law_at(size_t i)
{
  return i < sizeof families / sizeof *families ? families[i] : NULL;
}

const amo_law *amo_law_find(const char *type)
{
  for (size_t i = 0; amo_law_at(i); i++)
    if (strcmp(families[i]->type, type) == 0) return families[i];
  return NULL;
}
