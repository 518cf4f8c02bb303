// SPDX-License-Identifier: Apache-2.0
#include "ask/axis_option.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "explore/probe/axis.h"
#include "model/compiled.h"
#include "ask/number.h"

/// Do the requirements of the model hold with this value of a parameter?
static bool allowed_at(const amo_values *v, size_t index, double x)
{
  const amo_model *m = v->model;
  double *value = amo_zalloc(m->np + 1u, sizeof *value);
  if (!value) return true;
  memcpy(value, v->param, m->np * sizeof *value);
  value[index] = x;
  bool allowed = amo_values_follow(&(amo_values){m, value, NULL, 0.0});
  free(value);
  return allowed;
}

/// The loader knows the bounds of parameters: ask it at an end of the range.
static amo_status check_end(const amo_call *call, const amo_axis *a, double x)
{
  amo_model *m = NULL;
  char text[32];
  if (call->depth > 0 || !call->model->source.text)
    return AMO_OK;                                            // the values at hand are not those of the file
  if (!allowed_at(call->values, a->index, x)) return AMO_OK;  // no answer there, and that is one
  amo_number_text(x, text);
  const amo_setting end = {a->name, text};
  amo_status st = amo_model_with(call->model, &end, 1, NULL, &m);
  if (st != AMO_OK) st = amo_model_with(call->model, &end, 1, call->diags, &m);
  amo_model_free(m);
  return st;
}

amo_status amo_axis_read(const amo_call *call, const char *option, const char *text, amo_axis *out)
{
  const char *equal = text ? strchr(text, '=') : NULL, *colon = equal ? strchr(equal, ':') : NULL;
  char from[256], before[64];
  *out = (amo_axis){0};
  if (!colon || equal == text || (size_t)(equal - text) >= sizeof out->name ||
      (size_t)(colon - equal) > sizeof from)
    return amo_error(call->diags, (amo_at){0}, NULL, "--%s needs NAME=FROM:TO, got '%s'", option,
                     text ? text : "");
  size_t name = (size_t)(equal - text);
  while (name > 0 && text[name - 1] == ' ') name--;
  while (name > 0 && *text == ' ') text++, name--;
  memcpy(out->name, text, name);
  memcpy(from, equal + 1, (size_t)(colon - equal - 1));
  from[colon - equal - 1] = '\0';
  snprintf(before, sizeof before, "--%.50s: ", option);
  amo_status st = amo_axis_find(call->model, before, call->diags, out);
  if (st == AMO_OK) st = amo_number_eval(from, (amo_at){0}, call->values, call->diags, &out->from);
  if (st == AMO_OK) st = amo_number_eval(colon + 1, (amo_at){0}, call->values, call->diags, &out->to);
  if (st == AMO_OK && !(isfinite(out->from) && isfinite(out->to) && out->from < out->to))
    st =
        amo_error(call->diags, (amo_at){0}, NULL, "--%s: the range must ascend, got '%s'", option, equal + 1);
  if (st == AMO_OK && out->kind == AMO_AXIS_PARAMETER) st = check_end(call, out, out->from);
  if (st == AMO_OK && out->kind == AMO_AXIS_PARAMETER) st = check_end(call, out, out->to);
  return st;
}
