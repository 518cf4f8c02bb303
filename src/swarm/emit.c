// SPDX-License-Identifier: Apache-2.0
#include "amontons/emit.h"
#include "base/options.h"

#include <string.h>

#include "expr/program.h"
#include "swarm/swarm.h"

enum { USUAL_ORDER = 16, LEAST_ORDER = 8 };

AMO_OPTS_INIT(amo_emit_opts, .order = USUAL_ORDER)

amo_status amo_emit_program(const amo_model *m, const amo_emit_opts *opts, amo_diags *diags, char **source)
{
  amo_emit_opts o = amo_emit_opts_default();
  if (!m || !source) return AMO_ERANGE;
  *source = NULL;
  amo_status st = amo_opts_take(&o, sizeof o, opts);
  if (st != AMO_OK) return st;
  const bool known = o.target == AMO_EMIT_C || o.target == AMO_EMIT_CUDA;
  if (!known || o.order < LEAST_ORDER || o.order > AMO_MAX_ORDER) return AMO_ERANGE;
  const char *why = amo_swarm_refuses(m);
  if (why) {
    amo_error(diags, (amo_at){0},
              "docs/swarm.md lists what such a program can do; simulate and ensembles do the rest",
              "this model cannot become a program of its own: %s", why);
    return AMO_EUNSUPPORTED;
  }
  amo_text t = {0};
  st = amo_swarm_write(m, o.order, o.target == AMO_EMIT_CUDA ? AMO_SWARM_CUDA : AMO_SWARM_CPU, &t);
  if (st == AMO_OK && !(*source = amo_text_take(&t))) st = AMO_ENOMEM;
  amo_text_free(&t);
  return st;
}
