// SPDX-License-Identifier: Apache-2.0
#include "contact/unsolved.h"

#include <math.h>
#include <stdio.h>

static bool defined(amo_span v, uint32_t reg)
{
  return isfinite(v.base[reg * v.reg]);
}

static bool all_defined(amo_span v, const amo_entry *entry, uint32_t n)
{
  for (uint32_t i = 0; i < n; i++)
    if (!defined(v, entry[i].reg)) return false;
  return true;
}

const char *amo_unsolved(const amo_model *m, amo_span v, long coordinate, char text[AMO_UNSOLVED_TEXT])
{
  for (uint32_t c = 0; c < m->nc; c++) {
    const amo_contact *k = &m->contact[c];
    const bool directed = all_defined(v, k->w, k->nw) && all_defined(v, k->n, k->nn);
    if (directed && defined(v, k->r_kinetic)) continue;
    snprintf(text, AMO_UNSOLVED_TEXT, "the %s of contact %s is undefined or beyond all bounds",
             directed ? "coefficient of friction" : "direction", k->sym.name);
    return text;
  }
  for (uint32_t i = 0; i < m->nmass; i++) {
    if (defined(v, m->mass[i].reg)) continue;
    snprintf(text, AMO_UNSOLVED_TEXT, "the inertia of coordinate %s is undefined or beyond all bounds",
             m->sym.q[m->mass[i].row].name);
    return text;
  }
  if (coordinate < 0) return "the mass matrix is singular";
  snprintf(text, AMO_UNSOLVED_TEXT, "the mass matrix is singular (coordinate %s)", m->sym.q[coordinate].name);
  return text;
}
