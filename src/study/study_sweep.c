// SPDX-License-Identifier: Apache-2.0
/// Sweeps: `over: {v: [0.1, 0.2], x: [1, 2]}` (walked together), `over: {v: {from: 0, to: 1, count: 11}}`,
/// or `over: [{x: 1}, {x: 2, v: 0.3}]`.
#include <math.h>
#include <string.h>

#include "study/run.h"
#include "study/study.h"
#include "study/study_load.h"
#include "study/keys.h"

#define MAX_ITEMS 100000

static amo_status range_item(amo_arena *a, const amo_yaml *range, double value, amo_yaml **out)
{
  amo_yaml *n = amo_arena_alloc(a, sizeof *n);
  if (!n) return AMO_ENOMEM;
  *n = (amo_yaml){.kind = AMO_YAML_SCALAR, .at = range->at, .key = range->key};
  n->text = amo_arena_printf(a, "%.17g", value);
  if (!n->text) return AMO_ENOMEM;
  n->length = strlen(n->text);
  *out = n;
  return AMO_OK;
}

/// A number, or an expression of numbers: 2*pi.
static amo_status constant(const amo_yaml *n, const char *what, amo_diags *d, double *out)
{
  if (!n || n->kind != AMO_YAML_SCALAR || amo_yaml_number(n, what, NULL, out) == AMO_OK)
    return amo_yaml_number(n, what, d, out);
  amo_study_result none = {.root = cJSON_CreateObject(), .scratch = cJSON_CreateArray()};
  amo_status st = none.root && none.scratch ? amo_value_number(&none, n, NULL, out) : AMO_ENOMEM;
  cJSON_Delete(none.root);
  cJSON_Delete(none.scratch);
  if (st == AMO_OK && isfinite(*out)) return AMO_OK;
  return amo_error(d, n->at, "for example  to: 2*pi", "%s must be a number, not '%s'", what, n->text);
}

/// {from, to, count, log} as a list of scalars.
static amo_status expand_range(amo_arena *a, const amo_yaml *range, amo_diags *d, const amo_yaml **out)
{
  double from = 0.0, to = 0.0;
  long count = 0;
  bool log_scale = false;
  if (amo_yaml_only_of(range, "a range", amo_study_keys, "over.NAME", d) != AMO_OK ||
      constant(amo_yaml_get(range, "from"), "from", d, &from) != AMO_OK ||
      constant(amo_yaml_get(range, "to"), "to", d, &to) != AMO_OK ||
      amo_yaml_integer(amo_yaml_get(range, "count"), "count", d, &count) != AMO_OK)
    return AMO_EINPUT;
  const amo_yaml *log_node = amo_yaml_get(range, "log");
  if (log_node && amo_yaml_bool(log_node, "log", d, &log_scale) != AMO_OK) return AMO_EINPUT;
  if (count < 2 || count > MAX_ITEMS)
    return amo_error(d, range->at, NULL, "count must be 2 to %d", MAX_ITEMS);
  if (log_scale && !(from > 0.0 && to > 0.0))
    return amo_error(d, range->at, NULL, "a logarithmic range needs positive ends");
  amo_yaml *list = amo_arena_alloc(a, sizeof *list);
  if (!list) return AMO_ENOMEM;
  *list = (amo_yaml){.kind = AMO_YAML_LIST, .text = "", .at = range->at, .key = range->key};
  amo_yaml *last = NULL;
  for (long i = 0; i < count; i++) {
    double s = (double)i / (double)(count - 1);
    double v = i == count - 1 ? to : log_scale ? from * pow(to / from, s) : from + (to - from) * s;
    amo_yaml *n = NULL;
    if (range_item(a, range, v, &n) != AMO_OK) return AMO_ENOMEM;
    if (last)
      last->next = n;
    else
      list->first = n;
    last = n;
    list->count++;
  }
  *out = list;
  return AMO_OK;
}

static amo_status expand_map(amo_arena *a, const amo_yaml *over, amo_diags *d, const amo_yaml ***items,
                             size_t *count)
{
  for (const amo_yaml *c = over->first; c; c = c->next) {
    const amo_yaml *list = c;
    amo_status st = AMO_OK;
    if (c->kind == AMO_YAML_MAP)
      st = expand_range(a, c, d, &list);
    else
      st = amo_yaml_expect(c, AMO_YAML_LIST, c->key->text, d);
    if (st != AMO_OK) return st;
    if (!list->count)
      return amo_error(d, c->key->at, NULL, "'%s' has no values: nothing would be run", c->key->text);
    if (*items && list->count != *count)
      return amo_error(d, c->key->at, "the lists of a sweep are walked together",
                       "'%s' has %zu values, the others have %zu", c->key->text, list->count, *count);
    if (!*items) {
      *count = list->count;
      *items = amo_arena_alloc(a, (list->count + 1) * sizeof **items);
      if (!*items) return AMO_ENOMEM;
    }
    const amo_yaml *v = list->first;
    for (size_t i = 0; i < *count; i++, v = v->next) {
      amo_yaml *map = (amo_yaml *)(size_t)(*items)[i];
      if (!map) {
        map = amo_arena_alloc(a, sizeof *map);
        if (!map) return AMO_ENOMEM;
        *map = (amo_yaml){.kind = AMO_YAML_MAP, .text = "", .at = over->at};
        (*items)[i] = map;
      }
      if (!amo_yaml_append(a, map, c->key->text, v)) return AMO_ENOMEM;
    }
  }
  return AMO_OK;
}

amo_status amo_sweep_expand(amo_arena *a, const amo_yaml *over, amo_diags *d, const amo_yaml ***items,
                            size_t *count)
{
  *items = NULL;
  *count = 0;
  if (!over) {
    *count = 1;
    *items = amo_arena_alloc(a, sizeof **items);
    return *items ? AMO_OK : AMO_ENOMEM;
  }
  if (over->kind != AMO_YAML_SCALAR && !over->count)
    return amo_error(d, amo_yaml_at(over), "for example  over: {v: [0.1, 0.2]}",
                     "the sweep is empty: nothing would "
                     "be run");
  if (over->kind == AMO_YAML_MAP) return expand_map(a, over, d, items, count);
  amo_status st = amo_yaml_expect(over, AMO_YAML_LIST, "over", d);
  if (st != AMO_OK) return st;
  *items = amo_arena_alloc(a, (over->count + 1) * sizeof **items);
  if (!*items) return AMO_ENOMEM;
  for (const amo_yaml *c = over->first; c; c = c->next) {
    if (amo_yaml_expect(c, AMO_YAML_MAP, "an item of over", d) != AMO_OK) st = AMO_EINPUT;
    (*items)[(*count)++] = c;
  }
  return st;
}
