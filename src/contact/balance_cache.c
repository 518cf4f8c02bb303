// SPDX-License-Identifier: Apache-2.0
#include "contact/balance_cache.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

typedef struct item {
  bool used, fresh;
  signed char *mode, *reaction_sign;
  double *param;
  amo_balance *balance;
  amo_status status;  // of the factors
} item;

struct amo_balance_cache {
  amo_arena memory;
  const amo_model *m;
  item *item;
  int count, next;
};

bool amo_balance_cache_applies(const amo_model *m)
{
  if (m->plain || m->nxi > 0 || !amo_row_is_fixed(m, m->mass, m->nmass)) return false;
  for (uint32_t c = 0; c < m->nc; c++) {
    const amo_contact *k = &m->contact[c];
    if (!amo_row_is_fixed(m, k->w, k->nw) || !amo_row_is_fixed(m, k->n, k->nn)) return false;
    if (amo_has_gap(k) && !amo_prog_is_fixed(m->step, k->r_kinetic)) return false;
  }
  for (uint32_t g = 0; g < m->ng; g++)
    if (!amo_row_is_fixed(m, m->constraint[g].g, m->constraint[g].ng)) return false;
  return true;
}

amo_status amo_balance_cache_new(const amo_model *m, int count, amo_balance_cache **out)
{
  amo_balance_cache *k = *out = calloc(1, sizeof *k);
  if (k == NULL) return AMO_ENOMEM;
  k->m = m;
  AMO_TAKE(&k->memory, item, (size_t)count, &k->item);
  k->count = k->item ? count : 0;
  for (int i = 0; i < k->count; i++) {
    item *x = &k->item[i];
    AMO_TAKE(&k->memory, signed char, m->nc + 1u, &x->mode, &x->reaction_sign);
    AMO_TAKE(&k->memory, double, m->np + 1u, &x->param);
    if (amo_balance_new(m, &x->balance) != AMO_OK) return AMO_ENOMEM;
  }
  return k->memory.failed ? AMO_ENOMEM : AMO_OK;
}

void amo_balance_cache_free(amo_balance_cache *k)
{
  if (k == NULL) return;
  for (int i = 0; i < k->count; i++) amo_balance_free(k->item[i].balance);
  amo_arena_free(&k->memory);
  free(k);
}

static double parameter(const amo_balance_cache *k, amo_span v, uint32_t i)
{
  return v.base[(k->m->leaf.param + i) * v.reg];
}

static bool belongs(const amo_balance_cache *k, const item *x, const signed char *mode,
                    const signed char *reaction_sign, amo_span v)
{
  if (!x->used || memcmp(x->mode, mode, k->m->nc) != 0 ||
      memcmp(x->reaction_sign, reaction_sign, k->m->nc) != 0)
    return false;
  for (uint32_t i = 0; i < k->m->np; i++)
    if (x->param[i] != parameter(k, v, i)) return false;
  return true;
}

static bool is_held(int i, const int *held, int n)
{
  for (int j = 0; j < n; j++)
    if (held[j] == i) return true;
  return false;
}

static int replace(amo_balance_cache *k, const signed char *mode, const signed char *reaction_sign,
                   amo_span v, const int *held, int n)
{
  while (is_held(k->next, held, n)) k->next = (k->next + 1) % k->count;
  const int i = k->next;
  item *x = &k->item[i];
  k->next = (k->next + 1) % k->count;
  x->used = x->fresh = true;
  memcpy(x->mode, mode, k->m->nc);
  memcpy(x->reaction_sign, reaction_sign, k->m->nc);
  for (uint32_t p = 0; p < k->m->np; p++) x->param[p] = parameter(k, v, p);
  amo_balance_arrange(x->balance, mode, reaction_sign);
  return i;
}

int amo_balance_cache_find(amo_balance_cache *k, const signed char *mode, const signed char *reaction_sign,
                           amo_span v, const int *held, int n)
{
  for (int i = 0; i < k->count; i++)
    if (belongs(k, &k->item[i], mode, reaction_sign, v)) return i;
  return replace(k, mode, reaction_sign, v, held, n);
}

amo_balance *amo_balance_cache_balance(const amo_balance_cache *k, int i)
{
  return k->item[i].balance;
}

bool amo_balance_cache_is_fresh(const amo_balance_cache *k, int i)
{
  return k->item[i].fresh;
}

amo_status amo_balance_cache_factor(amo_balance_cache *k, int i, amo_span v)
{
  item *x = &k->item[i];
  if (x->fresh) x->status = amo_balance_factor(x->balance, v);
  x->fresh = false;
  return x->status;
}
