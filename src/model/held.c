// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "model/model.h"

static bool gives_way(const amo_model *m)
{
  for (uint32_t c = 0; c < m->nc; c++)
    if (m->contact[c].rest == AMO_YIELDS) return true;
  return false;
}

amo_status amo_model_held(const amo_model *m, amo_model **own, const amo_model **out)
{
  *own = NULL;
  *out = m;
  if (!gives_way(m)) return AMO_OK;
  amo_model *x = amo_zalloc(1, sizeof *x);
  amo_contact *contact = amo_zalloc(m->nc, sizeof *contact);
  if (!x || !contact) {
    free(x);
    free(contact);
    return AMO_ENOMEM;
  }
  *x = *m;
  memcpy(contact, m->contact, m->nc * sizeof *contact);
  x->contact = contact;
  x->file.model = x;
  for (uint32_t c = 0; c < m->nc; c++) {
    amo_contact *k = &contact[c];
    if (k->part_of) k->rest = AMO_CREEPS;  // nothing is asked of it
    if (k->rest != AMO_YIELDS) continue;
    k->rest = AMO_STICKS;
    k->kinetic = k->slow;
    k->r_kinetic = k->r_slow;
  }
  *own = x;
  *out = x;
  return AMO_OK;
}

void amo_held_free(amo_model *own)
{
  if (!own) return;
  free(own->contact);
  free(own);
}
