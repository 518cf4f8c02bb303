// SPDX-License-Identifier: Apache-2.0
// Numbers among the options: plain, or expressions of the model's parameters.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "expr/parse.h"
#include "ask/number.h"
#include "ask/options_impl.h"

static amo_node resolve(const amo_scope *s, amo_dag *d, const amo_name *name, bool *reported)
{
  const amo_values *v = s->ctx;
  (void)reported;
  if (!v) return AMO_NODE_NONE;
  const amo_model *m = v->model;
  size_t full = name->length;
  for (size_t i = 0; i < amo_model_parameters(m); i++) {
    const char *known = amo_model_parameter(m, i).name;
    if (name->indices) {  // the parser splits m[2]; the model's table spells it out
      char text[128];
      int n = snprintf(text, sizeof text, "%.*s[%ld]", (int)full, name->text, name->index[0]);
      if (name->indices == 1 && n > 0 && (size_t)n < sizeof text && !strcmp(text, known))
        return amo_const(d, v->param[i]);
    } else if (!name->primes && strlen(known) == full && !memcmp(known, name->text, full)) {
      return amo_const(d, v->param[i]);
    }
  }
  return AMO_NODE_NONE;
}

static const char *known_name(const amo_scope *s, size_t i)
{
  const amo_values *v = s->ctx;
  const amo_model *m = v ? v->model : NULL;
  return m && i < amo_model_parameters(m) ? amo_model_parameter(m, i).name : NULL;
}

static bool integer(const amo_scope *s, const char *text, size_t length, long *value)
{
  (void)s, (void)text, (void)length, (void)value;
  return false;
}

amo_status amo_number_eval(const char *text, amo_at at, const amo_values *v, amo_diags *diags, double *out)
{
  if (amo_decimal(text, out) && isfinite(*out)) return AMO_OK;
  amo_scope scope = {
      .ctx = (void *)(uintptr_t)v, .resolve = resolve, .known = known_name, .integer = integer};
  amo_node n = AMO_NODE_NONE;
  amo_dag *d = amo_dag_new(0);
  if (!d) return AMO_ENOMEM;
  if (!at.line) at.file = amo_diags_source(diags, "command line", text, strlen(text));
  if (!at.line) at.line = at.column = 1;
  amo_status st = amo_parse(d, text, strlen(text), at, &scope, diags, &n);
  if (st == AMO_OK && !amo_node_const(d, n, out))  // parameters are constants here, so all folds
    st = amo_error(diags, at, NULL, "'%s' is not a number", text);
  amo_dag_free(d);
  return st;
}

static amo_status resolve_one(amo_options *o, amo_opt_value *v, const amo_values *values, amo_diags *diags)
{
  bool number = v->def->type == AMO_OPT_NUMBER || v->def->type == AMO_OPT_INTEGER;
  if (!number || !v->text) return AMO_OK;
  amo_at at = v->at;
  if (!at.line && !amo_decimal(v->text, &v->number))  // messages then show the text under the option's name
    at = (amo_at){amo_diags_source(diags, amo_opt_shown(o, v), v->text, strlen(v->text)), 1, 1, 1};
  amo_status st = amo_number_eval(v->text, at, values, diags, &v->number);
  return st == AMO_OK ? amo_opt_check(o, v, v->number, diags) : st;
}

amo_status amo_options_resolve(amo_options *o, const amo_values *v, amo_diags *diags)
{
  amo_status st = AMO_OK;
  for (size_t i = 0; i < o->count; i++) {
    amo_status one = resolve_one(o, &o->value[i], v, diags);
    if (one != AMO_OK) st = one;
  }
  return st;
}
