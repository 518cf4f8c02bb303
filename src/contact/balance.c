// SPDX-License-Identifier: Apache-2.0
/// Making the workspace of the balance, and questions about it.
#include <math.h>
#include <stdlib.h>

#include "contact/balance_impl.h"

static void build_mass_index(amo_balance *b)
{
  const amo_model *m = b->m;
  for (uint32_t e = 0; e < m->nmass; e++) {
    b->mass_fixed[e] = amo_prog_is_fixed(m->step, m->mass[e].reg);
    b->mass_first[m->mass[e].row + 1]++;
    if (m->mass[e].row != m->mass[e].col) b->mass_first[m->mass[e].col + 1]++;
  }
  for (uint32_t i = 0; i < m->nq; i++) b->mass_first[i + 1] += b->mass_first[i];
  uint32_t *fill = b->order;  // scratch before the first arrange
  for (uint32_t i = 0; i < m->nq; i++) fill[i] = b->mass_first[i];
  for (uint32_t e = 0; e < m->nmass; e++) {
    b->mass_entry[fill[m->mass[e].row]++] = e;
    if (m->mass[e].row != m->mass[e].col) b->mass_entry[fill[m->mass[e].col]++] = e;
  }
}

amo_status amo_balance_new(const amo_model *m, amo_balance **out)
{
  *out = NULL;
  amo_balance *b = calloc(1, sizeof *b);
  if (b == NULL) return AMO_ENOMEM;
  size_t nq = m->nq + 1u, nr = 3u * (size_t)m->nc + m->ng + 1u;
  b->m = m;
  b->singular = -1;
  b->length = 1.0;
  AMO_TAKE(&b->memory, uint32_t, nq, &b->parent, &b->order, &b->local, &b->block_of);
  AMO_TAKE(&b->memory, row, nr, &b->rowlist);
  AMO_TAKE(&b->memory, block, nq, &b->blocks);
  AMO_TAKE(&b->memory, uint32_t, 2 * (nq + nr), &b->perm);
  AMO_TAKE(&b->memory, uint32_t, nr, &b->spring_tie);
  AMO_TAKE(&b->memory, double, (m->nc + 1u) * (AMO_MAX_ORDER + 1u), &b->slack);
  AMO_TAKE(&b->memory, double, 2 * (nq + nr), &b->rhs);
  AMO_TAKE(&b->memory, bool, nr, &b->loose, &b->spare, &b->carried);
  AMO_TAKE(&b->memory, long, nr, &b->leader);
  AMO_TAKE(&b->memory, double, nr, &b->reach, &b->tie_scale, &b->peak);
  AMO_TAKE(&b->memory, signed char, nr, &b->limit);
  AMO_TAKE(&b->memory, double, nq, &b->coord_scale);
  AMO_TAKE(&b->memory, bool, m->nmass + 1u, &b->mass_fixed);
  AMO_TAKE(&b->memory, uint32_t, nq + 1u, &b->mass_first);
  AMO_TAKE(&b->memory, uint32_t, 2u * m->nmass + 1u, &b->mass_entry);
  if (b->memory.failed) {
    amo_balance_free(b);
    return AMO_ENOMEM;
  }
  build_mass_index(b);
  amo_balance_forget_shares(b);
  *out = b;
  return AMO_OK;
}

void amo_balance_free(amo_balance *b)
{
  if (b == NULL) return;
  amo_sharing_free(b->sharing);
  free(b->lu);
  free(b->spring);
  amo_arena_free(&b->memory);
  free(b);
}

void amo_balance_over(amo_balance *b, double length)
{
  b->length = length > 0.0 && isfinite(length) ? length : 1.0;
}

bool amo_balance_is_free(const amo_balance *b)
{
  return b->free;
}
long amo_balance_singular(const amo_balance *b)
{
  return b->singular;
}
bool amo_balance_indeterminate(const amo_balance *b, uint32_t c)
{
  return b->loose[c] && !b->carried[c];
}

bool amo_balance_dependent(const amo_balance *b, uint32_t c)
{
  return b->loose[c];
}

void amo_balance_forget_shares(amo_balance *b)
{
  for (uint32_t c = 0; c < b->m->nc; c++) {
    b->carried[c] = false;
    b->leader[c] = -1;
    b->limit[c] = 0;
    b->reach[c] = 0.0;
  }
}

bool amo_balance_carried(const amo_balance *b, uint32_t c, double *reach)
{
  *reach = b->reach[c];
  return b->carried[c];
}

long amo_balance_leader(const amo_balance *b, uint32_t c, int *side)
{
  *side = b->limit[c];
  return b->leader[c];
}

bool amo_balance_spare(const amo_balance *b, uint32_t c)
{
  return b->spare[c];
}
