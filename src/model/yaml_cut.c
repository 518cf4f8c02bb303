// SPDX-License-Identifier: Apache-2.0
/// Expressions that YAML cut at a comma: in {pressed: N0*min(t/tau, 1)} the value ends at the comma, and `1)` is the
/// next key. What is left of it makes no sense to any reader, so it is found here, by its brackets.
#include "model/yaml.h"

/// Brackets that a text opens and does not close (> 0), or closes without having opened them (< 0).
static int unclosed(const amo_yaml *n)
{
  int depth = 0;
  if (n->kind != AMO_YAML_SCALAR || n->quoted) return 0;
  for (const char *c = n->text; *c; c++) depth += (*c == '(') - (*c == ')');
  return depth;
}

/// The entry in which the brackets that `n` opens are closed again, NULL if there is none. Between the two, what the
/// commas cut off looks like keys without values, or like further items of a list.
static const amo_yaml *end_of_cut(const amo_yaml *n)
{
  int depth = unclosed(n);
  if (depth <= 0) return NULL;
  for (const amo_yaml *c = n->next; c; c = c->next) {
    if (c->key && !amo_yaml_is_null(c)) return NULL;
    depth += unclosed(c->key ? c->key : c);
    if (depth <= 0) return depth == 0 ? c : NULL;
  }
  return NULL;
}

amo_status amo_yaml_uncut(const amo_yaml *n, amo_diags *diags)
{
  amo_status st = AMO_OK;
  for (const amo_yaml *c = n ? n->first : NULL; c; c = c->next) {
    const amo_yaml *end = end_of_cut(c);
    if (!end) {
      amo_status inner = amo_yaml_uncut(c, diags);
      if (st == AMO_OK) st = inner;
      continue;
    }
    st =
        amo_error(diags, c->at, "inside {...} and [...] put expressions with commas in quotes: \"min(a, b)\"",
                  "the comma ends this expression: '%.60s'", c->text);
    c = end;
  }
  return st;
}
