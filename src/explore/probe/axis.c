// SPDX-License-Identifier: Apache-2.0
#include "explore/probe/axis.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "expr/parse.h"
#include "model/compiled.h"

static const char *axis_name(void *ctx, size_t i)
{
  const amo_model *m = ctx;
  if (i < amo_model_parameters(m)) return amo_model_parameter(m, i).name;
  i -= amo_model_parameters(m);
  return i < amo_model_states(m) ? amo_model_state(m, i).name : NULL;
}

amo_status amo_axis_find(const amo_model *m, const char *before, amo_diags *diags, amo_axis *a)
{
  const long param = amo_model_find_parameter(m, a->name), state = amo_model_find_state(m, a->name);
  if (param >= 0) {
    a->kind = AMO_AXIS_PARAMETER;
    a->index = (size_t)param;
    if (m->param[param].expr == AMO_NODE_NONE) return AMO_OK;
    return amo_error(diags, (amo_at){0}, "set it to a number with --set, or vary what it is made of",
                     "%s'%s' follows from other parameters", before, a->name);
  }
  if (state >= 0 || !strcmp(a->name, "t")) {
    a->kind = state >= 0 ? AMO_AXIS_STATE : AMO_AXIS_TIME;
    a->index = state >= 0 ? (size_t)state : 0;
    return AMO_OK;
  }
  const char *near = amo_nearest(a->name, strlen(a->name), axis_name, (void *)(uintptr_t)m);
  if (near)
    return amo_error(diags, (amo_at){0}, NULL, "%sthe model has no '%s'; did you mean '%s'?", before, a->name,
                     near);
  return amo_error(diags, (amo_at){0}, NULL, "%sthe model has no parameter or state '%s'", before, a->name);
}

amo_status amo_axis_of(const amo_model *m, const char *name, double from, double to, amo_diags *diags,
                       amo_axis *out)
{
  if (!m || !name || !out) return AMO_ERANGE;
  *out = (amo_axis){.from = from, .to = to};
  if (snprintf(out->name, sizeof out->name, "%s", name) >= (int)sizeof out->name)
    return amo_error(diags, (amo_at){0}, NULL, "the name of an axis is too long");
  if (!(isfinite(from) && isfinite(to) && from < to))
    return amo_error(diags, (amo_at){0}, NULL, "the range of '%s' must ascend, got %g to %g", name, from, to);
  return amo_axis_find(m, "", diags, out);
}

double amo_axis_value(const amo_axis *a, size_t i, size_t n)
{
  if (!a) return NAN;
  if (i == 0 || n < 2) return a->from;
  if (i == n - 1) return a->to;
  double f = (double)i / (double)(n - 1);
  return a->from * (1.0 - f) + a->to * f;
}
