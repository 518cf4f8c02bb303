// SPDX-License-Identifier: Apache-2.0
#include "swarm/loaded.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "emit/library.h"
#include "swarm/swarm.h"

static amo_status load(const char *source, amo_swarm_target target, amo_swarm *s)
{
  const amo_compiler_language language = target == AMO_SWARM_CUDA ? AMO_COMPILER_CUDA : AMO_COMPILER_C_FUSED;
  amo_compiler_run run;
  amo_compiler_run_init(&run);
  amo_status st = amo_library_open(&run, language, source, "swarm_key", &s->handle);
  amo_compiler_run_free(&run);
  if (st == AMO_OK) *(void **)&s->run = dlsym(s->handle, "swarm_run");
  return st == AMO_OK && !s->run ? AMO_EIO : st;
}

static void close_swarm(void *item)
{
  amo_swarm *s = item;
  if (s->handle) dlclose(s->handle);
  free(s);
}

typedef struct wish {
  int order;
  amo_swarm_target target;
} wish;

static amo_status open_swarm(const amo_model *m, const void *ctx, void **out)
{
  const wish *w = ctx;
  amo_text source = {0};
  amo_swarm *s = amo_zalloc(1, sizeof *s);
  amo_status st = s ? amo_swarm_write(m, w->order, w->target, &source) : AMO_ENOMEM;
  if (st == AMO_OK) st = load(source.data, w->target, s);
  amo_text_free(&source);
  if (st == AMO_OK)
    *out = s;
  else if (s)
    close_swarm(s);
  return st;
}

amo_status amo_swarm_get(const amo_model *m, int order, amo_swarm_target target, const amo_swarm **out)
{
  const wish w = {order, target};
  const amo_keeping how = {open_swarm, close_swarm, &w};
  char key[64];
  void *item = NULL;
  snprintf(key, sizeof key, "swarm %d %d", order, (int)target);
  *out = NULL;
  if (amo_swarm_refuses(m)) return AMO_EUNSUPPORTED;
  const amo_status st = amo_model_keep(m, key, &how, &item);
  if (st == AMO_OK) *out = item;
  return st;
}
