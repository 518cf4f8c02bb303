// SPDX-License-Identifier: Apache-2.0
/// The `expect:` section: a list of expectations, or a mapping from value to what it equals.
#include <string.h>

#include "study/study_load.h"

/// Spellings of one key, the first is the one the manual uses.
typedef struct synonyms {
  const char *word[5];
} synonyms;

static const synonyms value_words = {{"value", "that", "quantity"}};
static const synonyms equals_words = {{"equals", "equal", "is", "expected"}};
static const synonyms differs_words = {{"not", "differs"}};
static const synonyms below_words = {{"below", "less_than", "lt"}};
static const synonyms above_words = {{"above", "greater_than", "gt"}};
static const synonyms least_words = {{"at_least", "min", "ge"}};
static const synonyms most_words = {{"at_most", "max", "le"}};
static const synonyms between_words = {{"between", "within", "range"}};
static const synonyms tolerance_words = {{"tolerance", "tol"}};
static const synonyms relative_words = {{"rel", "relative", "rtol"}};
static const synonyms absolute_words = {{"abs", "absolute", "atol"}};
static const synonyms name_words = {{"case", "name", "id", "label"}};
static const synonyms source_words = {{"source", "from"}};
static const synonyms note_words = {{"note", "why", "doc"}};

static const char *const expect_keys[] = {
    "value",    "that",      "quantity",  "equals", "equal",    "is",           "expected", "not",
    "differs",  "below",     "less_than", "lt",     "above",    "greater_than", "gt",       "at_least",
    "min",      "ge",        "at_most",   "max",    "le",       "between",      "within",   "range",
    "contains", "tolerance", "tol",       "rel",    "relative", "rtol",         "abs",      "absolute",
    "atol",     "case",      "name",      "id",     "label",    "source",       "from",     "note",
    "why",      "doc",       NULL};

static const amo_yaml *pick(const amo_yaml *n, const synonyms *s)
{
  for (int i = 0; i < 5 && s->word[i]; i++) {
    const amo_yaml *v = amo_yaml_get(n, s->word[i]);
    if (v) return v;
  }
  return NULL;
}

static void pick_text(const amo_yaml *n, const synonyms *s, const char **out, amo_diags *d)
{
  const amo_yaml *v = pick(n, s);
  if (v) amo_yaml_string(v, s->word[0], d, out);
}

static bool flag(const amo_yaml *n, const char *word)
{
  return n && n->kind == AMO_YAML_SCALAR && !strcmp(n->text, word);
}

static amo_status positive(const amo_yaml *n, const char *what, amo_diags *d, double *out)
{
  if (!n) return AMO_OK;
  amo_status st = amo_yaml_number(n, what, d, out);
  if (st == AMO_OK && *out < 0.0) st = amo_error(d, n->at, NULL, "%s must be >= 0", what);
  return st;
}

/// `tolerance: t` alone, or with `relative: true/false` or `absolute: true` saying what t is;
/// or `rel:` and `abs:` with numbers.
static amo_status load_tolerance(amo_expectation *e, const amo_yaml *n, amo_diags *d)
{
  const amo_yaml *rel = pick(n, &relative_words), *abs = pick(n, &absolute_words);
  bool make_relative = flag(rel, "true") || flag(abs, "false");
  bool make_absolute = flag(abs, "true") || flag(rel, "false");
  e->rel = e->abs = e->tolerance = -1.0;
  amo_status st = positive(pick(n, &tolerance_words), "tolerance", d, &e->tolerance);
  if (flag(rel, "true") || flag(rel, "false")) rel = NULL;
  if (flag(abs, "true") || flag(abs, "false")) abs = NULL;
  if (st == AMO_OK) st = positive(rel, "rel", d, &e->rel);
  if (st == AMO_OK) st = positive(abs, "abs", d, &e->abs);
  if (make_relative && e->tolerance >= 0.0) e->rel = e->tolerance;
  if (make_absolute && e->tolerance >= 0.0) e->abs = e->tolerance;
  return st;
}

static amo_status check_between(const amo_yaml *n, amo_diags *d)
{
  if (!n) return AMO_OK;
  if (n->kind == AMO_YAML_LIST && n->count == 2) return AMO_OK;
  return amo_error(d, n->at, "write  between: [low, high]", "between needs two values");
}

static amo_status add(amo_study *s, amo_expectation e)
{
  if (!AMO_ROOM(s->expect, s->expects, s->expect_cap)) return AMO_ENOMEM;
  s->expect[s->expects++] = e;
  return AMO_OK;
}

static amo_expectation blank(const amo_yaml *n)
{
  amo_expectation e = {.rel = -1.0, .abs = -1.0, .tolerance = -1.0, .name = "", .source = "", .note = ""};
  e.at = amo_yaml_at(n);
  return e;
}

static amo_status load_one(amo_study *s, const amo_yaml *n, const amo_yaml *value, amo_diags *d)
{
  amo_expectation e = blank(n);
  amo_status st = amo_yaml_only(n, "an expectation", expect_keys, d);
  e.value = value ? value : pick(n, &value_words);
  if (!e.value)
    return amo_error(d, n->at, "for example  value: simulate.final.state.x", "the expectation has no value");
  e.at = e.value->at;
  e.equals = pick(n, &equals_words);
  e.differs = pick(n, &differs_words);
  e.below = pick(n, &below_words);
  e.above = pick(n, &above_words);
  e.at_least = pick(n, &least_words);
  e.at_most = pick(n, &most_words);
  e.between = pick(n, &between_words);
  e.contains = amo_yaml_get(n, "contains");
  pick_text(n, &name_words, &e.name, d);
  pick_text(n, &source_words, &e.source, d);
  pick_text(n, &note_words, &e.note, d);
  if (load_tolerance(&e, n, d) != AMO_OK || check_between(e.between, d) != AMO_OK) st = AMO_EINPUT;
  return st == AMO_OK ? add(s, e) : st;
}

/// Where `a == b` or `a != b` divides a statement, outside quotes and brackets; NULL if it does not.
static const char *find_comparison(const char *text)
{
  int depth = 0;
  bool quoted = false;
  for (const char *p = text; *p; p++) {
    if (*p == '"') quoted = !quoted;
    if (quoted) continue;
    if (strchr("([", *p)) depth++;
    if (strchr(")]", *p)) depth--;
    if (depth == 0 && (p[0] == '=' || p[0] == '!') && p[1] == '=') return p;
  }
  return NULL;
}

/// The part [from, to) of a scalar as a scalar of its own, blanks cut off, position kept.
static const amo_yaml *part_of(amo_arena *a, const amo_yaml *n, const char *from, const char *to)
{
  while (from < to && *from == ' ') from++;
  while (to > from && to[-1] == ' ') to--;
  amo_yaml *part = amo_arena_alloc(a, sizeof *part);
  if (!part) return NULL;
  *part = *n;
  part->length = (size_t)(to - from);
  part->text = amo_arena_str(a, from, part->length);
  part->at.column += (int)(from - n->text);
  part->at.length = (int)part->length;
  part->key = part->next = NULL;
  return part->text ? part : NULL;
}

/// `- simulate.stats.steps < 200`: an expression that must be true. Equality is `equals`, with its
/// tolerance, because real numbers are hardly ever the same to the last bit.
static amo_status load_statement(amo_study *s, const amo_yaml *n)
{
  amo_expectation e = blank(n);
  const char *op = find_comparison(n->text);
  e.value = op ? part_of(&s->arena, n, n->text, op) : n;
  const amo_yaml *other = op ? part_of(&s->arena, n, op + 2, n->text + n->length) : NULL;
  if (!e.value || (op && !other)) return AMO_ENOMEM;
  if (op && *op == '=')
    e.equals = other;
  else if (op)
    e.differs = other;
  return add(s, e);
}

/// `simulate.final.state.x: 0.5` or `simulate.final.state.x: {equals: 0.5, tolerance: 1e-9}`.
static amo_status load_pair(amo_study *s, const amo_yaml *n, amo_diags *d)
{
  if (n->kind == AMO_YAML_MAP) return load_one(s, n, n->key, d);
  amo_expectation e = blank(n);
  e.value = n->key;
  e.equals = n;
  return add(s, e);
}

/// `- simulate.final.state.x: 0.5`: a list of pairs is as clear as a mapping of them.
static bool is_pair(const amo_yaml *n)
{
  if (!amo_yaml_is(n, AMO_YAML_MAP) || n->count != 1) return false;
  for (size_t i = 0; expect_keys[i]; i++)
    if (!strcmp(n->first->key->text, expect_keys[i])) return false;
  return true;
}

static amo_status load_item(amo_study *s, const amo_yaml *c, amo_diags *d)
{
  if (c->kind == AMO_YAML_SCALAR) return load_statement(s, c);
  if (is_pair(c)) return load_pair(s, c->first, d);
  if (c->kind == AMO_YAML_MAP) return load_one(s, c, NULL, d);
  return amo_yaml_expect(c, AMO_YAML_MAP, "an expectation", d);
}

amo_status amo_study_load_expectations(amo_study *s, const amo_yaml *root, amo_diags *d)
{
  const amo_yaml *list = amo_yaml_get(root, "expect");
  amo_status worst = AMO_OK;
  if (amo_yaml_is_null(list)) return AMO_OK;
  if (list->kind == AMO_YAML_SCALAR) return load_statement(s, list);
  if (list->kind == AMO_YAML_MAP && pick(list, &value_words)) return load_one(s, list, NULL, d);
  for (const amo_yaml *c = list->first; c; c = c->next) {
    amo_status st = list->kind == AMO_YAML_MAP ? load_pair(s, c, d) : load_item(s, c, d);
    if (st != AMO_OK) worst = st;
  }
  const amo_yaml *name = amo_yaml_get(root, "case");
  if (name && name->kind == AMO_YAML_SCALAR)
    for (size_t i = 0; i < s->expects; i++)
      if (!s->expect[i].name[0]) s->expect[i].name = name->text;
  return worst;
}
