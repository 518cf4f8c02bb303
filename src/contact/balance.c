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
  b->parent = calloc(nq, sizeof *b->parent);
  b->order = calloc(nq, sizeof *b->order);
  b->local = calloc(nq, sizeof *b->local);
  b->rowlist = calloc(nr, sizeof *b->rowlist);
  b->blocks = calloc(nq, sizeof *b->blocks);
  b->perm = calloc(2 * (nq + nr), sizeof *b->perm);
  b->rhs = calloc(2 * (nq + nr), sizeof *b->rhs);
  b->block_of = calloc(nq, sizeof *b->block_of);
  b->loose = calloc(nr, sizeof *b->loose);
  b->spare = calloc(nr, sizeof *b->spare);
  b->share = calloc(nr, sizeof *b->share);
  b->ratio = calloc(nr, sizeof *b->ratio);
  b->carried = calloc(nr, sizeof *b->carried);
  b->leader = calloc(nr, sizeof *b->leader);
  b->limit = calloc(nr, sizeof *b->limit);
  b->reach = calloc(nr, sizeof *b->reach);
  b->coord_scale = calloc(nq, sizeof *b->coord_scale);
  b->tie_scale = calloc(nr, sizeof *b->tie_scale);
  b->peak = calloc(nr, sizeof *b->peak);
  b->mass_fixed = calloc(m->nmass + 1u, sizeof *b->mass_fixed);
  b->mass_first = calloc(nq + 1u, sizeof *b->mass_first);
  b->mass_entry = calloc(2u * m->nmass + 1u, sizeof *b->mass_entry);
  if (!b->parent || !b->order || !b->local || !b->rowlist || !b->blocks || !b->perm || !b->rhs ||
      !b->block_of || !b->loose || !b->spare || !b->share || !b->ratio || !b->carried || !b->leader ||
      !b->limit || !b->reach || !b->coord_scale || !b->tie_scale || !b->peak || !b->mass_fixed ||
      !b->mass_first || !b->mass_entry) {
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
  free(b->parent);
  free(b->order);
  free(b->local);
  free(b->rowlist);
  free(b->blocks);
  free(b->perm);
  free(b->rhs);
  free(b->block_of);
  free(b->loose);
  free(b->spare);
  free(b->share);
  free(b->ratio);
  free(b->carried);
  free(b->leader);
  free(b->limit);
  free(b->reach);
  amo_sharing_free(b->sharing);
  free(b->coord_scale);
  free(b->tie_scale);
  free(b->peak);
  free(b->mass_fixed);
  free(b->mass_first);
  free(b->mass_entry);
  free(b->lu);
  free(b);
}

void amo_balance_over(amo_balance *b, double length)
{
  b->length = length > 0.0 && isfinite(length) ? length : 1.0;
}

long amo_balance_singular(const amo_balance *b)
{
  return b->singular;
}
bool amo_balance_indeterminate(const amo_balance *b, uint32_t c)
{
  return b->loose[c] && b->share[c] < 0 && !b->carried[c];
}

bool amo_balance_dependent(const amo_balance *b, uint32_t c)
{
  return b->loose[c];
}

long amo_balance_share(const amo_balance *b, uint32_t c, double *ratio)
{
  *ratio = b->ratio[c];
  return b->share[c];
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

bool amo_balance_loose(const amo_balance *b, uint32_t c)
{
  return b->loose[c] || b->spare[c];
}
