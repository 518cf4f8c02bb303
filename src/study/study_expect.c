// SPDX-License-Identifier: Apache-2.0
/// The `expect:` section. An expectation may be a statement, `path: expected`, or a mapping with a path
/// and conditions (docs/study.md lists the forms); a mapping of values becomes one expectation per value.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "study/statement.h"
#include "study/study_load.h"

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

static bool is_keyword(const char *word)
{
  for (size_t i = 0; all_words[i]; i++)
    if (in_list(word, all_words[i])) return true;
  return false;
}

static bool has_condition(const amo_yaml *n)
{
  for (size_t i = 0; conditions[i]; i++)
    if (amo_yaml_first_of(n, conditions[i])) return true;
  return false;
}

/// The value of the one spelling that is used; two of them contradict each other.
static const amo_yaml *pick(const amo_yaml *n, const char *const *words, amo_diags *d)
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

// ---- pieces of text ----

/// The part [from, to) of a scalar as a scalar of its own, blanks cut off, position kept. A part that is
/// wholly in quotes is a text.
static const amo_yaml *part_of(amo_arena *a, const amo_yaml *n, const char *from, const char *to)
{
  while (from < to && isspace((unsigned char)*from)) from++;
  while (to > from && isspace((unsigned char)to[-1])) to--;
  bool quoted = to - from >= 2 && (*from == '"' || *from == '\'') && to[-1] == *from;
  if (quoted) from++, to--;
  amo_yaml *part = amo_arena_alloc(a, sizeof *part);
  if (!part) return NULL;
  *part = *n;
  part->length = (size_t)(to - from);
  part->text = amo_arena_str(a, from, part->length);
  part->at.column += (int)(from - n->text);
  part->at.length = (int)part->length;
  part->quoted = quoted;
  part->key = part->next = NULL;
  return part->text ? part : NULL;
}

static const amo_yaml *word_node(amo_arena *a, const amo_yaml *like, const char *text)
{
  amo_yaml *n = amo_arena_alloc(a, sizeof *n);
  if (!n) return NULL;
  *n = (amo_yaml){.kind = AMO_YAML_SCALAR, .text = text, .length = strlen(text), .at = like->at};
  return n;
}

// ---- tolerances ----

/// A number >= 0; with `percent` also "1 %", which makes it relative.
static amo_status positive(const amo_yaml *n, const char *what, amo_diags *d, double *out, bool *percent)
{
  if (!n) return AMO_OK;
  size_t length = n->length;
  if (percent && n->kind == AMO_YAML_SCALAR && length > 1 && n->text[length - 1] == '%') {
    char *end = NULL;
    *out = strtod(n->text, &end) / 100.0;
    while (*end == ' ') end++;
    *percent = end == n->text + length - 1 && end != n->text;
    if (*percent && *out >= 0.0) return AMO_OK;
  }
  amo_status st = amo_yaml_number(n, what, d, out);
  if (st == AMO_OK && *out < 0.0) st = amo_error(d, n->at, NULL, "%s must be >= 0, got %s", what, n->text);
  return st;
}

/// `tolerance: t` alone, or with `relative: true/false` or `absolute: true` saying what t is;
/// `rel:` and `abs:` with numbers, also as `tolerance: {rel: ..., abs: ...}`; `within: t` is absolute.
static amo_status load_tolerance(amo_expectation *e, const amo_yaml *n, amo_diags *d)
{
  const amo_yaml *tolerance = pick(n, tolerance_words, d), *within = amo_yaml_get(n, "within");
  if (amo_yaml_is(tolerance, AMO_YAML_MAP)) {
    static const char *const keys[] = {"rel", "relative", "rtol", "abs", "absolute", "atol", NULL};
    amo_status st = amo_yaml_only(tolerance, "a tolerance", keys, d);
    return st == AMO_OK ? load_tolerance(e, tolerance, d) : st;
  }
  const amo_yaml *rel = pick(n, relative_words, d), *abs = pick(n, absolute_words, d);
  bool percent = false, yes = false, make_relative = false, make_absolute = false;
  amo_status st = positive(tolerance, "tolerance", d, &e->tolerance, &percent);
  if (rel && amo_study_truth(rel, &yes)) {
    make_relative = yes, make_absolute = !yes;
    rel = NULL;
  }
  if (abs && amo_study_truth(abs, &yes)) {
    make_absolute = yes, make_relative = !yes;
    abs = NULL;
  }
  if (st == AMO_OK) st = positive(rel, "rel", d, &e->rel, NULL);
  if (st == AMO_OK) st = positive(abs, "abs", d, &e->abs, NULL);
  if (st == AMO_OK && within && within->kind != AMO_YAML_LIST)
    st = positive(within, "within", d, &e->abs, NULL);
  if ((make_relative || percent) && e->tolerance >= 0.0) e->rel = e->tolerance;
  if (make_absolute && !percent && e->tolerance >= 0.0) e->abs = e->tolerance;
  return st;
}

/// `0.0355 +- 0.001`: the expected value and its absolute tolerance.
static amo_status split_margin(amo_study *s, amo_expectation *e, amo_diags *d)
{
  static const char *const signs[] = {"+/-", "+-", "\xC2\xB1", NULL};
  if (!amo_yaml_is(e->equals, AMO_YAML_SCALAR)) return AMO_OK;
  for (size_t i = 0; signs[i]; i++) {
    const char *at = strstr(e->equals->text, signs[i]);
    if (!at || at == e->equals->text) continue;
    const amo_yaml *margin =
        part_of(&s->arena, e->equals, at + strlen(signs[i]), e->equals->text + e->equals->length);
    if (!margin) return AMO_ENOMEM;
    double plain = 0.0;
    if (!amo_decimal(margin->text, &plain)) continue;  // 1 +- x is a difference
    e->equals = part_of(&s->arena, e->equals, e->equals->text, at);
    return e->equals ? positive(margin, "the tolerance after +-", d, &e->abs, NULL) : AMO_ENOMEM;
  }
  return AMO_OK;
}

// ---- one expectation ----

static bool nothing(const amo_expectation *e)
{
  return !e->equals && !e->differs && !e->below && !e->above && !e->at_least && !e->at_most && !e->between &&
         !e->contains;
}

static amo_status add(amo_study *s, amo_expectation e, amo_diags *d)
{
  bool empty = e.equals && e.equals->kind == AMO_YAML_SCALAR && !e.equals->quoted && !e.equals->length;
  if (empty || (e.equals && e.equals->kind == AMO_YAML_MAP && !e.equals->count))
    return amo_error(d, e.at, "for no value write  null", "there is nothing to compare with");
  if (nothing(&e) && (e.tolerance >= 0.0 || e.rel >= 0.0 || e.abs >= 0.0))
    return amo_error(d, e.at, "add  equals: NUMBER", "there is nothing to compare with");
  amo_status st = split_margin(s, &e, d);
  if (st != AMO_OK) return st;
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

static amo_status load_about(amo_expectation *e, const amo_yaml *n, amo_diags *d)
{
  pick_text(n, name_words, &e->name, d);
  pick_text(n, source_words, &e->source, d);
  pick_text(n, note_words, &e->note, d);
  return load_tolerance(e, n, d);
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
  e->equals = pick(n, equals_words, d);
  if (value_is_expected && value && e->equals)
    return amo_error(d, value->key->at, NULL, "'value' and '%s' both say what to expect",
                     e->equals->key->text);
  if (value_is_expected && value) e->equals = value;
  e->differs = pick(n, differs_words, d);
  e->below = pick(n, below_words, d);
  e->above = pick(n, above_words, d);
  e->at_least = pick(n, least_words, d);
  e->at_most = pick(n, most_words, d);
  e->between = pick(n, between_words, d);
  e->contains = pick(n, contains_words, d);
  if (!e->between && amo_yaml_is(within, AMO_YAML_LIST)) e->between = within;
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

// ---- statements ----

static void set_condition(amo_expectation *e, const char *op, const amo_yaml *other)
{
  if (*op == '=')
    e->equals = other;
  else if (*op == '!')
    e->differs = other;
  else if (*op == '<')
    *(op[1] == '=' ? &e->at_most : &e->below) = other;
  else
    *(op[1] == '=' ? &e->at_least : &e->above) = other;
}

/// Split `a < b`, `a == b`, `not a` into value and condition, so that both sides can be shown. Equality has
/// its tolerance, because real numbers are hardly ever the same to the last bit.
static amo_status split_statement(amo_study *s, amo_expectation *e, const amo_yaml *n)
{
  size_t length = 0;
  const char *op = amo_statement_comparison(n->text, &length);
  e->value = n;
  if (op) {
    const amo_yaml *other = part_of(&s->arena, n, op + length, n->text + n->length);
    e->value = part_of(&s->arena, n, n->text, op);
    if (!e->value || !other) return AMO_ENOMEM;
    set_condition(e, op, other);
  } else if (!strncmp(n->text, "not ", 4)) {
    e->value = part_of(&s->arena, n, n->text + 4, n->text + n->length);
    e->equals = word_node(&s->arena, n, "false");
    if (!e->value || !e->equals) return AMO_ENOMEM;
  }
  return AMO_OK;
}

static amo_status load_statement(amo_study *s, const amo_yaml *n, amo_diags *d);

/// `a and b`, `a < b < c`: each part is a statement of its own. The second begins at `again`.
static amo_status load_both(amo_study *s, const amo_yaml *n, const char *end, const char *again, amo_diags *d)
{
  const amo_yaml *first = part_of(&s->arena, n, n->text, end);
  const amo_yaml *second = part_of(&s->arena, n, again, n->text + n->length);
  if (!first || !second) return AMO_ENOMEM;
  amo_status a = load_statement(s, first, d), b = load_statement(s, second, d);
  return a != AMO_OK ? a : b;
}

/// `x in [a, b]`
static amo_status load_between(amo_study *s, const amo_yaml *n, const char *in, amo_diags *d)
{
  const amo_yaml *range = part_of(&s->arena, n, in + 2, n->text + n->length);
  amo_expectation e = blank(n);
  e.value = part_of(&s->arena, n, n->text, in);
  if (!e.value || !range) return AMO_ENOMEM;
  const char *comma = range->length ? amo_statement_comma(range->text + 1) : NULL;
  if (!amo_statement_enclosed(range->text, range->length, '[') || !comma)
    return amo_error(d, range->at, "x in [1, 2]", "'in' needs a range");
  e.at_least = part_of(&s->arena, range, range->text + 1, comma);
  e.at_most = part_of(&s->arena, range, comma + 1, range->text + range->length - 1);
  return e.at_least && e.at_most ? add(s, e, d) : AMO_ENOMEM;
}

/// `x is y`; or a whole condition with `or`, which is true or not.
static amo_status load_equal(amo_study *s, const amo_yaml *n, const char *is, amo_diags *d)
{
  amo_expectation e = blank(n);
  e.value = is ? part_of(&s->arena, n, n->text, is) : n;
  e.equals = is ? part_of(&s->arena, n, is + 2, n->text + n->length) : word_node(&s->arena, n, "1");
  return e.value && e.equals ? add(s, e, d) : AMO_ENOMEM;
}

static amo_status load_statement(amo_study *s, const amo_yaml *n, amo_diags *d)
{
  amo_expectation e = blank(n);
  size_t length = 0, next = 0;
  if (amo_yaml_is_null(n)) return amo_error(d, n->at, NULL, "the expectation is empty");
  if (amo_statement_enclosed(n->text, n->length, '(')) {
    const amo_yaml *inside = part_of(&s->arena, n, n->text + 1, n->text + n->length - 1);
    if (!inside) return AMO_ENOMEM;
    size_t ignored;
    if (amo_statement_comparison(inside->text, &ignored)) return load_statement(s, inside, d);
  }
  const bool denied = !strncmp(n->text, "not ", 4) && amo_statement_comparison(n->text, &length);
  if (denied || amo_statement_word(n->text, "or")) return load_equal(s, n, NULL, d);
  const char *word = amo_statement_word(n->text, "and");
  if (word) return load_both(s, n, word, word + 3, d);
  const char *op = amo_statement_comparison(n->text, &length);
  const char *chain = op ? amo_statement_comparison(op + length, &next) : NULL;
  if (chain) return load_both(s, n, chain, op + length, d);
  if (!op && (word = amo_statement_word(n->text, "in")) != NULL) return load_between(s, n, word, d);
  if (!op && (word = amo_statement_word(n->text, "is")) != NULL) return load_equal(s, n, word, d);
  amo_status st = split_statement(s, &e, n);
  return st == AMO_OK ? add(s, e, d) : st;
}

/// {value: ..., conditions}: `path`, `quantity` name what is looked at; without them `value` does.
static amo_status load_one(amo_study *s, const amo_yaml *n, amo_diags *d)
{
  amo_expectation e = blank(n);
  amo_status st = only_keywords(n, d);
  const amo_yaml *path = pick(n, path_words, d), *value = amo_yaml_get(n, "value");
  e.value = path ? path : value;
  if (!e.value)
    return amo_error(d, n->at, "for example  value: simulate.final.state.x", "the expectation has no value");
  e.at = e.value->at;
  if (load_conditions(&e, n, path != NULL, d) != AMO_OK || load_about(&e, n, d) != AMO_OK) st = AMO_EINPUT;
  if (st == AMO_OK && nothing(&e) && e.value->kind == AMO_YAML_SCALAR) st = split_statement(s, &e, e.value);
  return st == AMO_OK ? add(s, e, d) : st;
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
  amo_status worst = load_about(&base, n, d);
  size_t values = 0;
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
  const amo_yaml *inside = pick(n, path_words, d), *value = amo_yaml_get(n, "value");
  bool address = strpbrk(path->text, ".[(") != NULL;
  if (!inside && value && has_condition(n) && !address) inside = value;
  if (inside && address)
    return amo_error(d, inside->key->at, NULL, "'%s' and '%s' both say what to look at", path->text,
                     inside->text);
  amo_status st = only_keywords(n, d);
  e.value = inside ? inside : path;
  if (inside) e.name = path->text;
  if (load_conditions(&e, n, inside != value, d) != AMO_OK || load_about(&e, n, d) != AMO_OK) st = AMO_EINPUT;
  if (st == AMO_OK && nothing(&e))
    st = amo_error(d, path->at, "add  equals: NUMBER", "there is nothing to compare with");
  return st == AMO_OK ? add(s, e, d) : st;
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
  size_t length = 0;
  const char *op = n->kind == AMO_YAML_SCALAR ? amo_statement_comparison(n->text, &length) : NULL;
  if (op && op == n->text) {  // path: "> 0.5"
    const amo_yaml *other = part_of(&s->arena, n, op + length, n->text + n->length);
    if (!other) return AMO_ENOMEM;
    set_condition(&base, op, other);
  } else {
    base.equals = n;
  }
  return add(s, base, d);
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
  amo_expectation base = blank(n);
  amo_status worst = AMO_OK;
  size_t pairs = 0;
  for (const amo_yaml *c = n->first; c; c = c->next)
    if (!is_keyword(c->key->text) && (any || looks_like_path(s, c->key->text))) pairs++;
  if (!pairs) return load_one(s, n, d);
  if (has_condition(n) || amo_yaml_get(n, "value") || amo_yaml_first_of(n, path_words)) {
    worst = only_keywords(n, d);
    return worst == AMO_OK ? AMO_EINPUT : worst;
  }
  if (load_about(&base, n, d) != AMO_OK) return AMO_EINPUT;
  for (const amo_yaml *c = n->first; c; c = c->next) {
    if (is_keyword(c->key->text)) continue;
    amo_status st =
        any || looks_like_path(s, c->key->text) ? load_pair(s, c->key, c, base, d) : only_keywords(n, d);
    if (st != AMO_OK) worst = st;
  }
  return worst;
}

static amo_status load_item(amo_study *s, const amo_yaml *c, amo_diags *d)
{
  if (c->kind == AMO_YAML_SCALAR) return load_statement(s, c, d);
  if (c->kind == AMO_YAML_MAP) return load_pairs(s, c, c->count == 1, d);
  return amo_yaml_expect(c, AMO_YAML_MAP, "an expectation", d);
}

/// A mapping is one expectation if it says `value:` or `path:`, else a mapping of pairs.
static amo_status load_all(amo_study *s, const amo_yaml *list, amo_diags *d)
{
  amo_status worst = AMO_OK;
  if (list->kind == AMO_YAML_SCALAR) return load_statement(s, list, d);
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
  const amo_yaml *list = pick(root, words, d), *name = amo_yaml_get(root, "case");
  if (amo_yaml_is_null(list)) return AMO_OK;
  amo_status st = load_all(s, list, d);
  if (name && name->kind == AMO_YAML_SCALAR)
    for (size_t i = 0; i < s->expects; i++)
      if (!s->expect[i].name[0]) s->expect[i].name = name->text;
  return st;
}
