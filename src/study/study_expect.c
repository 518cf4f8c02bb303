// SPDX-License-Identifier: Apache-2.0
/// The `expect:` section. An expectation may be a statement, `path: expected`, or a mapping with a path
/// and conditions (docs/study.md lists the forms); a mapping of values becomes one expectation per value.
#include <string.h>

#include "study/expect_load.h"

static const char *const path_words[] = {"path", "quantity", "that", "of", NULL};
static const char *const equals_words[] = {"equals", "equal", "is", "expected", "near", "approx", "eq", NULL};
static const char *const differs_words[] = {"not", "differs", NULL};
static const char *const below_words[] = {"below", "less_than", "lt", NULL};
static const char *const above_words[] = {"above", "greater_than", "gt", NULL};
static const char *const least_words[] = {"at_least", "min", "ge", NULL};
static const char *const most_words[] = {"at_most", "max", "le", NULL};
static const char *const between_words[] = {"between", "range", NULL};
static const char *const contains_words[] = {"contains", NULL};
static const char *const within_words[] = {"within", NULL};
static const char *const value_words[] = {"value", NULL};
static const char *const tolerance_words[] = {"tolerance", "tol", NULL};
static const char *const relative_words[] = {"rel", "relative", "rtol", NULL};
static const char *const absolute_words[] = {"abs", "absolute", "atol", NULL};
static const char *const name_words[] = {"case", "name", "id", "label", NULL};
static const char *const source_words[] = {"source", "from", "where", NULL};
static const char *const note_words[] = {"note", "why", "doc", "comment", NULL};
static const char *const unit_words[] = {"unit", "units", NULL};

static const char *const *const conditions[] = {equals_words,  differs_words,  below_words,
                                                above_words,   least_words,    most_words,
                                                between_words, contains_words, NULL};
static const char *const *const all_words[] = {value_words,    path_words,     equals_words, differs_words,
                                               below_words,    above_words,    least_words,  most_words,
                                               between_words,  contains_words, within_words, tolerance_words,
                                               relative_words, absolute_words, name_words,   source_words,
                                               note_words,     unit_words,     NULL};

/// Beside the numbers of `final.state: {x: 1, x': 2, tolerance: 1e-6}` these are not values. `from`, `name`
/// and the like are: results have keys of these names.
static const char *const aside_words[] = {
    "tolerance", "tol",  "rel", "relative", "rtol",    "abs",  "absolute", "atol", "within", "source",
    "where",     "note", "why", "doc",      "comment", "unit", "units",    "case", NULL};

/// First keys of results; alone they are paths where the study has one run.
static const char *const result_words[] = {"class", "verdict", "direction", "margin", "chosen",
                                           "count", "exit",    "message",   "border", NULL};

static bool in_list(const char *word, const char *const *list)
{
  for (size_t i = 0; list[i]; i++)
    if (!strcmp(word, list[i])) return true;
  return false;
}

bool amo_expect_is_word(const char *word)
{
  for (size_t i = 0; all_words[i]; i++)
    if (in_list(word, all_words[i])) return true;
  return false;
}

bool amo_expect_is_aside(const char *word)
{
  return in_list(word, aside_words);
}

bool amo_expect_is_condition(const char *word)
{
  for (size_t i = 0; conditions[i]; i++)
    if (in_list(word, conditions[i])) return true;
  return false;
}

static bool has_condition(const amo_yaml *n)
{
  for (size_t i = 0; conditions[i]; i++)
    if (amo_yaml_first_of(n, conditions[i])) return true;
  return false;
}

const amo_yaml *amo_expect_pick(const amo_yaml *n, const char *const *words, amo_diags *d)
{
  const amo_yaml *found = NULL;
  for (size_t i = 0; words[i]; i++) {
    const amo_yaml *v = amo_yaml_get(n, words[i]);
    if (found && v)
      amo_error(d, v->key->at, NULL, "'%s' and '%s' mean the same; give one of them", found->key->text,
                words[i]);
    if (!found) found = v;
  }
  return found;
}

static void pick_text(const amo_yaml *n, const char *const *words, const char **out, amo_diags *d)
{
  const amo_yaml *v = amo_yaml_first_of(n, words);
  if (v && !amo_yaml_is_null(v)) amo_yaml_string(v, words[0], d, out);
}

// ---- one expectation ----

bool amo_expect_nothing(const amo_expectation *e)
{
  return !e->equals && !e->differs && !e->below && !e->above && !e->at_least && !e->at_most && !e->between &&
         !e->contains;
}

static bool has_tolerance(const amo_expectation *e)
{
  return e->tolerance >= 0.0 || e->rel >= 0.0 || e->abs >= 0.0;
}

static amo_status check_operand(const amo_yaml *n, bool margin_allowed, amo_diags *d)
{
  size_t length = 0;
  if (!n) return AMO_OK;
  if ((n->kind == AMO_YAML_SCALAR && !n->quoted && !n->length) || (n->kind == AMO_YAML_MAP && !n->count))
    return amo_error(d, amo_yaml_at(n), "for no value write  null", "there is nothing to compare with");
  if (!margin_allowed && n->kind == AMO_YAML_SCALAR && amo_expect_margin_sign(n->text, &length))
    return amo_error(d, n->at, NULL, "an order has no tolerance; move its border instead");
  return AMO_OK;
}

static amo_status check_operands(const amo_expectation *e, amo_diags *d)
{
  const amo_yaml *border[] = {e->below, e->above, e->at_least, e->at_most};
  amo_status worst = check_operand(e->equals, true, d);
  if (check_operand(e->differs, true, d) != AMO_OK) worst = AMO_EINPUT;
  for (size_t i = 0; i < sizeof border / sizeof *border; i++)
    if (check_operand(border[i], false, d) != AMO_OK) worst = AMO_EINPUT;
  for (const amo_yaml *c = e->between ? e->between->first : NULL; c; c = c->next)
    if (check_operand(c, false, d) != AMO_OK) worst = AMO_EINPUT;
  return worst;
}

/// A value that is compared with itself always holds.
static amo_status check_tautology(const amo_expectation *e, amo_diags *d)
{
  const amo_yaml *side[] = {e->equals, e->at_least, e->at_most, e->between ? e->between->first : NULL,
                            e->between ? e->between->first->next : NULL};
  for (size_t i = 0; e->value->kind == AMO_YAML_SCALAR && i < sizeof side / sizeof *side; i++)
    if (amo_yaml_is(side[i], AMO_YAML_SCALAR) && !side[i]->quoted && !strcmp(side[i]->text, e->value->text))
      return amo_error(d, e->at, NULL, "'%s' is compared with itself", e->value->text);
  return AMO_OK;
}

static amo_status check_one(amo_study *s, amo_expectation *e, amo_diags *d)
{
  const char *nothing_here = "there is nothing to compare with";
  amo_status st = AMO_OK;
  for (size_t i = 0; i < e->parts && st == AMO_OK; i++) {
    if (has_tolerance(e)) {
      e->part[i].tolerance = e->tolerance;
      e->part[i].rel = e->rel;
      e->part[i].abs = e->abs;
      e->part[i].own_tolerance = e->own_tolerance;
    }
    st = check_one(s, &e->part[i], d);
  }
  if (e->parts || st != AMO_OK) return st;
  if (e->contains && (e->contains->kind != AMO_YAML_SCALAR || !e->contains->length))
    return amo_error(d, amo_yaml_at(e->contains), NULL, "contains needs one text");
  st = check_operands(e, d);
  if (st != AMO_OK) return st;
  if (amo_expect_nothing(e) && has_tolerance(e))
    return amo_error(d, e->at, "add  equals: NUMBER", "%s", nothing_here);
  if (e->own_tolerance && !e->equals && !e->differs)
    return amo_error(d, e->at, "orders and texts have none", "the tolerance belongs to  equals  or  not");
  st = amo_expect_margin(s, e, d);
  return st == AMO_OK ? check_tautology(e, d) : st;
}

amo_status amo_expect_add(amo_study *s, amo_expectation e, amo_diags *d)
{
  amo_status st = check_one(s, &e, d);
  if (st != AMO_OK) return st;
  if (!AMO_ROOM(s->expect, s->expects, s->expect_cap)) return AMO_ENOMEM;
  s->expect[s->expects++] = e;
  return AMO_OK;
}

amo_expectation amo_expect_blank(const amo_yaml *n)
{
  amo_expectation e = {.rel = -1.0, .abs = -1.0, .tolerance = -1.0, .name = "", .source = "", .note = ""};
  e.at = amo_yaml_at(n);
  return e;
}

static bool names_tolerance(const amo_yaml *n)
{
  static const char *const words[] = {"tolerance", "tol",      "rel",  "relative", "rtol",
                                      "abs",       "absolute", "atol", NULL};
  return amo_yaml_first_of(n, words) || amo_yaml_is(amo_yaml_get(n, "within"), AMO_YAML_SCALAR);
}

static amo_status load_about(amo_expectation *e, const amo_yaml *n, amo_diags *d)
{
  pick_text(n, name_words, &e->name, d);
  pick_text(n, source_words, &e->source, d);
  pick_text(n, note_words, &e->note, d);
  e->own_tolerance = names_tolerance(n);
  return amo_expect_tolerance(e, n, d);
}

static amo_status check_between(const amo_yaml *n, amo_diags *d)
{
  if (!n || (n->kind == AMO_YAML_LIST && n->count == 2)) return AMO_OK;
  return amo_error(d, n->at, "write  between: [low, high]", "between needs two values");
}

/// Conditions of a mapping; `value` counts as `equals` where the path is said otherwise.
static amo_status load_conditions(amo_expectation *e, const amo_yaml *n, bool value_is_expected, amo_diags *d)
{
  const amo_yaml *value = amo_yaml_get(n, "value"), *within = amo_yaml_get(n, "within");
  e->equals = amo_expect_pick(n, equals_words, d);
  if (value_is_expected && value && e->equals)
    return amo_error(d, value->key->at, NULL, "'value' and '%s' both say what to expect",
                     e->equals->key->text);
  if (value_is_expected && value) e->equals = value;
  e->differs = amo_expect_pick(n, differs_words, d);
  e->below = amo_expect_pick(n, below_words, d);
  e->above = amo_expect_pick(n, above_words, d);
  e->at_least = amo_expect_pick(n, least_words, d);
  e->at_most = amo_expect_pick(n, most_words, d);
  e->between = amo_expect_pick(n, between_words, d);
  e->contains = amo_expect_pick(n, contains_words, d);
  if (e->between && amo_yaml_is(within, AMO_YAML_LIST))
    return amo_error(d, within->key->at, NULL, "'within' and '%s' are two ranges; give one of them",
                     e->between->key->text);
  if (amo_yaml_is(within, AMO_YAML_LIST)) e->between = within;
  return check_between(e->between, d);
}

static amo_status only_keywords(const amo_yaml *n, amo_diags *d)
{
  const char *known[96];
  size_t k = 0;
  for (size_t i = 0; all_words[i]; i++)
    for (size_t j = 0; all_words[i][j] && k < 95; j++) known[k++] = all_words[i][j];
  known[k] = NULL;
  return amo_yaml_only(n, "an expectation", known, d);
}

/// {value: ..., conditions}: `path`, `quantity` name what is looked at; without them `value` does.
static amo_status load_one(amo_study *s, const amo_yaml *n, amo_diags *d)
{
  amo_expectation e = amo_expect_blank(n);
  amo_status st = only_keywords(n, d);
  const amo_yaml *path = amo_expect_pick(n, path_words, d), *value = amo_yaml_get(n, "value");
  e.value = path ? path : value;
  if (!e.value)
    return amo_error(d, n->at, "for example  value: simulate.final.state.x", "the expectation has no value");
  e.at = e.value->at;
  if (load_conditions(&e, n, path != NULL, d) != AMO_OK || load_about(&e, n, d) != AMO_OK) st = AMO_EINPUT;
  if (st == AMO_OK && amo_expect_nothing(&e) && e.value->kind == AMO_YAML_SCALAR)
    st = amo_expect_split(s, &e, e.value, d);
  return st == AMO_OK ? amo_expect_add(s, e, d) : st;
}

// ---- path: expected ----

static amo_status load_pair(amo_study *s, const amo_yaml *path, const amo_yaml *n, amo_expectation base,
                            amo_diags *d);

static const amo_yaml *longer_path(amo_study *s, const amo_yaml *path, const amo_yaml *key)
{
  bool odd = strpbrk(key->text, " \"") != NULL;
  amo_yaml *n = amo_arena_alloc(&s->arena, sizeof *n);
  if (!n) return NULL;
  *n = *path;
  n->at = key->at;
  n->text = amo_arena_printf(&s->arena, odd ? "%s.\"%s\"" : "%s.%s", path->text, key->text);
  if (!n->text) return NULL;
  n->length = strlen(n->text);
  return n;
}

/// `final.state: {x: 1, x': 2}`: one expectation per value.
static amo_status load_values(amo_study *s, const amo_yaml *path, const amo_yaml *n, amo_expectation base,
                              amo_diags *d)
{
  static const char *const unclear[] = {"abs", "absolute", "atol", "rel", "relative", "rtol", "within", NULL};
  const amo_yaml *word = amo_yaml_first_of(n, unclear);
  if (word)
    return amo_error(d, word->key->at,
                     "the tolerance of them all:  tolerance: {abs: 1e-3}; a value:  \"path.abs\": 1",
                     "'%s' among values may be one of them or their tolerance", word->key->text);
  amo_status worst = load_about(&base, n, d);
  size_t values = 0;
  base.own_tolerance = false;  // shared by the values
  base.group = path;
  base.words = n;
  for (const amo_yaml *c = n->first; c && worst == AMO_OK; c = c->next) {
    if (in_list(c->key->text, aside_words)) continue;
    const amo_yaml *inner = longer_path(s, path, c->key);
    if (!inner) return AMO_ENOMEM;
    values++;
    worst = load_pair(s, inner, c, base, d);
  }
  if (!values && worst == AMO_OK)
    worst = amo_error(d, path->at, "for example  {equals: 1, tolerance: 1e-6}",
                      "there is nothing to compare with");
  return worst;
}

/// `path: {equals: 1, tolerance: 1e-9}`; a label may stand in the place of the path if one is given inside.
static amo_status load_described(amo_study *s, const amo_yaml *path, const amo_yaml *n, amo_expectation e,
                                 amo_diags *d)
{
  const amo_yaml *inside = amo_expect_pick(n, path_words, d), *value = amo_yaml_get(n, "value");
  bool address = strpbrk(path->text, ".[(") != NULL;
  if (!inside && value && has_condition(n) && !address) inside = value;
  if (inside && address)
    return amo_error(d, inside->key->at, NULL, "'%s' and '%s' both say what to look at", path->text,
                     inside->text);
  amo_status st = only_keywords(n, d);
  e.value = inside ? inside : path;
  if (inside) e.name = path->text;
  if (!inside) e.group = path, e.words = n;
  if (load_conditions(&e, n, inside != value, d) != AMO_OK || load_about(&e, n, d) != AMO_OK) st = AMO_EINPUT;
  if (st == AMO_OK && amo_expect_nothing(&e))
    st = amo_error(d, path->at, "add  equals: NUMBER", "there is nothing to compare with");
  return st == AMO_OK ? amo_expect_add(s, e, d) : st;
}

static amo_status load_pair(amo_study *s, const amo_yaml *path, const amo_yaml *n, amo_expectation base,
                            amo_diags *d)
{
  base.at = path->at;
  base.value = path;
  if (n->kind == AMO_YAML_MAP) {
    bool described = has_condition(n) || amo_yaml_get(n, "value") || amo_yaml_first_of(n, path_words) ||
                     amo_yaml_is(amo_yaml_get(n, "within"), AMO_YAML_LIST);
    return described ? load_described(s, path, n, base, d) : load_values(s, path, n, base, d);
  }
  bool order = false;
  amo_status st = amo_expect_ordering(s, &base, n, &order);
  if (!order) base.equals = n;
  return st == AMO_OK ? amo_expect_add(s, base, d) : st;
}

static bool looks_like_path(const amo_study *s, const char *word)
{
  if (strpbrk(word, ".[(") || in_list(word, result_words)) return true;
  for (size_t i = 0; i < s->runs; i++)
    if (!strcmp(s->run[i].name, word)) return true;
  for (size_t i = 0; i < s->defines; i++)
    if (!strcmp(s->define[i].name, word)) return true;
  return false;
}

/// {path: expected, ..., tolerance: t}: pairs with what they share. `any`: every word that is not ours is a
/// path; else it must look like one, so that a misspelt key is not taken for a path.
static amo_status load_pairs(amo_study *s, const amo_yaml *n, bool any, amo_diags *d)
{
  amo_expectation base = amo_expect_blank(n);
  amo_status worst = AMO_OK;
  size_t pairs = 0;
  for (const amo_yaml *c = n->first; c; c = c->next)
    if (!amo_expect_is_word(c->key->text) && (any || looks_like_path(s, c->key->text))) pairs++;
  if (!pairs) return load_one(s, n, d);
  if (has_condition(n) || amo_yaml_get(n, "value") || amo_yaml_first_of(n, path_words)) {
    worst = only_keywords(n, d);
    return worst == AMO_OK ? AMO_EINPUT : worst;
  }
  if (load_about(&base, n, d) != AMO_OK) return AMO_EINPUT;
  base.own_tolerance = false;  // shared by the pairs
  for (const amo_yaml *c = n->first; c; c = c->next) {
    if (amo_expect_is_word(c->key->text)) continue;
    amo_status st =
        any || looks_like_path(s, c->key->text) ? load_pair(s, c->key, c, base, d) : only_keywords(n, d);
    if (st != AMO_OK) worst = st;
  }
  return worst;
}

static amo_status load_item(amo_study *s, const amo_yaml *c, amo_diags *d)
{
  if (c->kind == AMO_YAML_SCALAR) return amo_expect_statement(s, c, d);
  if (c->kind == AMO_YAML_MAP) return load_pairs(s, c, c->count == 1, d);
  return amo_yaml_expect(c, AMO_YAML_MAP, "an expectation", d);
}

/// A mapping is one expectation if it says `value:` or `path:`, else a mapping of pairs.
static amo_status load_all(amo_study *s, const amo_yaml *list, amo_diags *d)
{
  amo_status worst = AMO_OK;
  if (list->kind == AMO_YAML_SCALAR) return amo_expect_statement(s, list, d);
  if (list->kind == AMO_YAML_MAP) {
    bool one = amo_yaml_get(list, "value") || amo_yaml_first_of(list, path_words);
    return one ? load_one(s, list, d) : load_pairs(s, list, true, d);
  }
  for (const amo_yaml *c = list->first; c; c = c->next) {
    amo_status st = load_item(s, c, d);
    if (st != AMO_OK) worst = st;
  }
  return worst;
}

amo_status amo_study_load_expectations(amo_study *s, const amo_yaml *root, amo_diags *d)
{
  static const char *const words[] = {"expect", "expectations", NULL};
  const amo_yaml *list = amo_expect_pick(root, words, d), *name = amo_yaml_get(root, "case");
  if (!list) return AMO_OK;
  if (amo_yaml_is_null(list) || (list->kind != AMO_YAML_SCALAR && !list->count))
    return amo_error(d, list->key->at, NULL, "'%s' says nothing; leave it out or state what is expected",
                     list->key->text);
  amo_status st = load_all(s, list, d);
  if (name && name->kind == AMO_YAML_SCALAR)
    for (size_t i = 0; i < s->expects; i++)
      if (!s->expect[i].name[0]) s->expect[i].name = name->text;
  return st;
}
