// SPDX-License-Identifier: Apache-2.0
/// What rooms above make of a model once and keep with it.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"

typedef struct kept {
  struct kept *next;
  char *key;
  void *item;
  void (*free)(void *item);
} kept;

struct amo_kept {
  pthread_mutex_t lock;
  kept *first;
};

amo_status amo_kept_new(struct amo_kept **out)
{
  *out = amo_zalloc(1, sizeof **out);
  if (!*out) return AMO_ENOMEM;
  pthread_mutex_init(&(*out)->lock, NULL);
  return AMO_OK;
}

void amo_kept_free(struct amo_kept *k)
{
  if (!k) return;
  for (kept *x = k->first, *next; x; x = next) {
    next = x->next;
    x->free(x->item);
    free(x->key);
    free(x);
  }
  pthread_mutex_destroy(&k->lock);
  free(k);
}

static kept *find(const struct amo_kept *k, const char *key)
{
  kept *x = k->first;
  while (x && strcmp(x->key, key) != 0) x = x->next;
  return x;
}

static amo_status add(const amo_model *m, const char *key, const amo_keeping *how, void **out)
{
  kept *x = amo_zalloc(1, sizeof *x);
  amo_status st = x && (x->key = amo_strdup(key)) ? how->make(m, how->ctx, &x->item) : AMO_ENOMEM;
  if (st != AMO_OK) {
    if (x) free(x->key);
    free(x);
    return st;
  }
  x->free = how->free;
  x->next = m->kept->first;
  m->kept->first = x;
  *out = x->item;
  return AMO_OK;
}

amo_status amo_model_keep(const amo_model *m, const char *key, const amo_keeping *how, void **out)
{
  pthread_mutex_lock(&m->kept->lock);
  const kept *x = find(m->kept, key);
  amo_status st = AMO_OK;
  if (x)
    *out = x->item;
  else
    st = add(m, key, how, out);
  pthread_mutex_unlock(&m->kept->lock);
  return st;
}
