// SPDX-License-Identifier: Apache-2.0
/// Judging an expectation: what came out, what was expected, how far apart, how far is allowed.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "study/expect_load.h"
#include "result/json.h"
#include "result/fields.h"
#include "study/statement.h"

#define DEFAULT_TOLERANCE 1e-8

typedef struct judge {
  amo_study_result *r;
  const amo_expectation *e;
  amo_diags *diags;
  cJSON *out;
  double difference, allowed;  // of the comparison that came nearest to failing
  bool numeric;                // difference and allowed are meaningful
} judge;

static amo_status compare(judge *j, const cJSON *actual, const amo_yaml *expected, bool *same);

/// The allowed distance for an expected number b; docs/study.md, "Tolerances".
static double allowed_for(const amo_expectation *e, double b)
{
  if (e->rel >= 0.0 || e->abs >= 0.0) return fmax(fmax(e->abs, 0.0), fmax(e->rel, 0.0) * fabs(b));
  double tol = e->tolerance >= 0.0 ? e->tolerance : DEFAULT_TOLERANCE;
  return b == 0.0 ? tol : tol * fabs(b);
}

static void note_number(judge *j, double difference, double allowed)
{
  // Among several numbers (a list) keep the one that is worst relative to what is allowed.
  double now = j->allowed > 0.0 ? j->difference / j->allowed : j->difference > 0.0 ? INFINITY : 0.0;
  double new = allowed > 0.0 ? difference / allowed : difference > 0.0 ? INFINITY : 0.0;
  if (j->numeric && new < now) return;
  j->difference = difference;
  j->allowed = allowed;
  j->numeric = true;
}

static bool mode_word(const amo_yaml *n, double a, bool *same);

/// An expected number, and nothing that only looks like one: a comparison is 0 or 1, `1 +- 0.1` is 0.9.
static amo_status expected_number(judge *j, const amo_yaml *n, double *out)
{
  size_t length = 0;
  if (n->kind == AMO_YAML_SCALAR && amo_expect_margin_sign(n->text, &length))
    return amo_error(j->diags, n->at, "write the tolerance beside the list:  {equals: [...], abs: 0.1}",
                     "a tolerance cannot stand here");
  if (n->kind == AMO_YAML_SCALAR && amo_statement_comparison(n->text, &length))
    return amo_error(j->diags, n->at, NULL, "a comparison is no number to compare with");
  return amo_value_number(j->r, n, j->diags, out);
}

static amo_status compare_number(judge *j, double a, const amo_yaml *expected, bool *same)
{
  double b = 0.0;
  bool named = cJSON_HasObjectItem(j->r->root, expected->text);  // a definition called `slip` wins
  if (!named && mode_word(expected, a, same)) return AMO_OK;
  if (amo_yaml_is_null(expected)) {
    *same = false;
    return AMO_OK;
  }
  amo_status st = expected_number(j, expected, &b);
  if (st != AMO_OK) return st;
  double allowed = allowed_for(j->e, b), difference = fabs(a - b);
  note_number(j, difference, allowed);
  *same = difference <= allowed;
  if (!cJSON_HasObjectItem(j->out, "expected")) cJSON_AddItemToObject(j->out, "expected", amo_json_number(b));
  return AMO_OK;
}

/// Modes are numbers in the results (0 stick, 1 and -1 slip); people write words.
static bool mode_word(const amo_yaml *n, double a, bool *same)
{
  static const struct {
    const char *word;
    double low, high;  // of the mode; low > high: anything but 0
  } modes[] = {{"stick", 0, 0}, {"slip+", 1, 1}, {"slip-", -1, -1}, {"slip", 1, -1}};
  if (a != 0.0 && a != 1.0 && a != -1.0) return false;
  for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++)
    if (!strcmp(n->text, modes[i].word)) {
      *same = modes[i].low > modes[i].high ? a != 0.0 : a == modes[i].low;
      return true;
    }
  return false;
}

/// Texts compare as written; failing that, the expected side may be a path to another text.
static amo_status compare_string(judge *j, const char *a, const amo_yaml *expected, bool *same)
{
  const cJSON *v = NULL;
  *same = !strcmp(a, expected->text);
  if (*same || expected->quoted) return AMO_OK;
  amo_diags *quiet = NULL;  // "is it a path?" is a question, not a mistake
  if (amo_value_eval(j->r, expected, quiet, &v) == AMO_OK && cJSON_IsString(v))
    *same = !strcmp(a, v->valuestring);
  return AMO_OK;
}

static amo_status compare_list(judge *j, const cJSON *actual, const amo_yaml *expected, bool *same)
{
  size_t n = (size_t)cJSON_GetArraySize(actual);
  *same = true;
  if (!cJSON_IsArray(actual)) return amo_error(j->diags, expected->at, NULL, "the value is not a list");
  if (n != expected->count)
    return amo_error(j->diags, expected->at, NULL, "the list has %zu items, expected %zu", n,
                     expected->count);
  const cJSON *c = actual->child;
  size_t i = 0;
  for (const amo_yaml *x = expected->first; x; x = x->next, c = c->next, i++) {
    bool one = false;
    amo_status st = compare(j, c, x, &one);
    if (st != AMO_OK) return st;
    if (!one && *same) {
      char *text = cJSON_PrintUnformatted(c);
      amo_error(j->diags, x->at, NULL, "item %zu is %s, expected %s", i, text ? text : "?",
                x->kind == AMO_YAML_SCALAR ? x->text : "a list");
      cJSON_free(text);
      *same = false;
    }
  }
  return AMO_OK;
}

static amo_status compare_map(judge *j, const cJSON *actual, const amo_yaml *expected, bool *same)
{
  *same = true;
  if (!cJSON_IsObject(actual))
    return amo_error(j->diags, expected->at, NULL, "the value is not a group of values");
  for (const amo_yaml *x = expected->first; x; x = x->next) {
    const cJSON *c = cJSON_GetObjectItemCaseSensitive(actual, x->key->text);
    bool one = false;
    if (!c) return amo_error(j->diags, x->key->at, NULL, "the value has no '%s'", x->key->text);
    amo_status st = compare(j, c, x, &one);
    if (st != AMO_OK) return st;
    if (!one) {
      amo_error(j->diags, x->key->at, NULL, "'%s' differs", x->key->text);
      *same = false;
    }
  }
  return AMO_OK;
}

/// Two results: numbers within the tolerance, lists item by item, groups by the names of the expected one.
static bool same_result(judge *j, const cJSON *a, const cJSON *b)
{
  const cJSON *x = NULL, *y = NULL;
  if (cJSON_IsNumber(a) && cJSON_IsNumber(b)) {
    double difference = fabs(a->valuedouble - b->valuedouble), allowed = allowed_for(j->e, b->valuedouble);
    note_number(j, difference, allowed);
    return difference <= allowed;
  }
  if (cJSON_IsArray(a) && cJSON_IsArray(b)) {
    for (x = a->child, y = b->child; x && y; x = x->next, y = y->next)
      if (!same_result(j, x, y)) return false;
    return !x && !y;
  }
  if (cJSON_IsObject(a) && cJSON_IsObject(b)) {
    cJSON_ArrayForEach(y, b)
    {
      x = cJSON_GetObjectItemCaseSensitive(a, y->string);
      if (!x || !same_result(j, x, y)) return false;
    }
    return true;
  }
  return cJSON_Compare(a, b, true);
}

/// A list or a group against the path of another one.
static amo_status compare_path(judge *j, const cJSON *actual, const amo_yaml *expected, bool *same)
{
  const cJSON *other = NULL;
  bool list = cJSON_IsArray(actual), word = false;
  const bool single = amo_study_truth(expected, &word);
  amo_status st = single ? AMO_OK : amo_value_eval(j->r, expected, j->diags, &other);
  if (st != AMO_OK) return st;
  if (list ? !cJSON_IsArray(other) : !cJSON_IsObject(other))
    return amo_error(j->diags, expected->at, list ? "name one of them, as in [0]" : NULL,
                     "the value is %s and cannot equal a single value",
                     list ? "a list" : "a group of values");
  *same = same_result(j, actual, other);
  if (!*same && list && cJSON_GetArraySize(actual) != cJSON_GetArraySize(other))
    amo_error(j->diags, expected->at, NULL, "the list has %d items, expected %d", cJSON_GetArraySize(actual),
              cJSON_GetArraySize(other));
  return AMO_OK;
}

/// true and false count as 1 and 0, and equal no other number.
static amo_status compare_truth(judge *j, bool yes, const amo_yaml *expected, bool *same)
{
  double b = 0.0;
  *same = false;
  if (amo_yaml_is_null(expected)) return AMO_OK;
  amo_status st = expected_number(j, expected, &b);
  if (st != AMO_OK) return st;
  if (b != 0.0 && b != 1.0)
    return amo_error(j->diags, expected->at, NULL, "the value is true or false and can never equal %g", b);
  *same = yes == (b == 1.0);
  return AMO_OK;
}

static amo_status compare(judge *j, const cJSON *actual, const amo_yaml *expected, bool *same)
{
  if (expected->kind == AMO_YAML_LIST) return compare_list(j, actual, expected, same);
  if (expected->kind == AMO_YAML_MAP) return compare_map(j, actual, expected, same);
  if (cJSON_IsNull(actual)) {
    *same = amo_yaml_is_null(expected);
    return AMO_OK;
  }
  if (cJSON_IsString(actual)) return compare_string(j, actual->valuestring, expected, same);
  if (cJSON_IsBool(actual)) {
    bool yes = cJSON_IsTrue(actual), wanted = false;
    if (amo_study_truth(expected, &wanted)) {
      *same = yes == wanted;
      return AMO_OK;
    }
    return compare_truth(j, yes, expected, same);
  }
  const cJSON *one = amo_json_single(actual);
  if (cJSON_IsNumber(one)) return compare_number(j, one->valuedouble, expected, same);
  return compare_path(j, actual, expected, same);
}

// ---- orderings: no tolerance, the border is part of the statement ----

static amo_status order(judge *j, const cJSON *actual, const amo_yaml *border, const char *word, bool *ok)
{
  double b = 0.0;
  if (!border) return AMO_OK;
  actual = amo_json_single(actual);
  if (!cJSON_IsNumber(actual) && !cJSON_IsBool(actual))
    return amo_error(j->diags, border->at,
                     cJSON_IsArray(actual)    ? "name one of them: [0], [-1], max(...)"
                     : cJSON_IsString(actual) ? "texts are equal or not: a == holds or a == starts"
                                              : NULL,
                     "the value is not a number but %s",
                     cJSON_IsArray(actual)    ? "a list"
                     : cJSON_IsObject(actual) ? "a group of values"
                     : cJSON_IsString(actual) ? "a text"
                                              : "nothing (null)");
  double a = cJSON_IsNumber(actual) ? actual->valuedouble : cJSON_IsTrue(actual) ? 1.0 : 0.0;
  amo_status st = expected_number(j, border, &b);
  if (st != AMO_OK) return st;
  bool holds = !strcmp(word, "<")    ? a < b
               : !strcmp(word, ">")  ? a > b
               : !strcmp(word, "<=") ? a <= b
                                     : a >= b;
  *ok = *ok && holds;
  char text[160];
  const cJSON *said = cJSON_GetObjectItemCaseSensitive(j->out, "expected");
  snprintf(text, sizeof text, "%s%s%s%s %.10g (difference %.3g)",
           cJSON_IsString(said) ? said->valuestring : "", cJSON_IsString(said) ? ", " : "",
           j->e->denied ? "not " : "", word, b, a - b);
  cJSON_DeleteItemFromObject(j->out, "expected");
  cJSON_AddStringToObject(j->out, "expected", text);
  return AMO_OK;
}

static amo_status judge_orders(judge *j, const cJSON *actual, bool *ok)
{
  const amo_expectation *e = j->e;
  amo_status st = order(j, actual, e->below, "<", ok);
  if (st == AMO_OK) st = order(j, actual, e->above, ">", ok);
  if (st == AMO_OK) st = order(j, actual, e->at_most, "<=", ok);
  if (st == AMO_OK) st = order(j, actual, e->at_least, ">=", ok);
  if (st == AMO_OK && e->between) {
    st = order(j, actual, e->between->first, ">=", ok);
    if (st == AMO_OK) st = order(j, actual, e->between->first->next, "<=", ok);
  }
  return st;
}

static bool text_contains(const cJSON *v, const char *part)
{
  if (cJSON_IsString(v)) return strstr(v->valuestring, part) != NULL;
  const cJSON *c = NULL;
  if (cJSON_IsArray(v)) cJSON_ArrayForEach(c, v) if (text_contains(c, part)) return true;
  return false;
}

static amo_status judge_contains(judge *j, const cJSON *actual, bool *ok)
{
  if (!j->e->contains) return AMO_OK;
  if (!cJSON_IsString(actual) && !cJSON_IsArray(actual))
    return amo_error(j->diags, j->e->contains->at, NULL, "only a text or a list of texts can contain a text");
  *ok = *ok && text_contains(actual, j->e->contains->text);
  return AMO_OK;
}

/// The last key of the path that is looked at.
static const char *last_key(const amo_yaml *value)
{
  const char *dot = value->kind == AMO_YAML_SCALAR ? strrchr(value->text, '.') : NULL;
  return dot ? dot + 1 : value->text;
}

/// "It is not this" must be a statement: of nothing, or of a word that can never come, it always holds.
static amo_status check_denial(judge *j, const cJSON *actual)
{
  const amo_yaml *n = j->e->differs;
  const cJSON *v = NULL;
  double number = 0.0;
  if (cJSON_IsNull(actual) && !amo_yaml_is_null(n))
    return amo_error(j->diags, n->at, "a value that is there:  != null", "the result has no value here");
  if (!cJSON_IsString(actual) || n->kind != AMO_YAML_SCALAR || n->quoted || amo_yaml_is_null(n))
    return AMO_OK;
  if (amo_decimal(n->text, &number))
    return amo_error(j->diags, n->at, NULL, "the value is a text and can never equal a number");
  char *words = amo_path_words(j->e->value->text);
  amo_status st = AMO_OK;
  if (words && !amo_words_have(words, n->text, n->length) && strcmp(n->text, actual->valuestring) != 0 &&
      !(amo_value_eval(j->r, n, NULL, &v) == AMO_OK && cJSON_IsString(v)))
    st = amo_error(j->diags, n->at, words, "'%s' can never be '%s'", last_key(j->e->value), n->text);
  free(words);
  return st;
}

/// Only a boolean is a statement by itself; a number says nothing without one to compare it with.
static amo_status judge_alone(judge *j, const cJSON *actual, bool *ok)
{
  *ok = cJSON_IsTrue(actual);
  if (cJSON_IsBool(actual)) return AMO_OK;
  return amo_error(j->diags, j->e->at, "add  equals: ...",
                   "there is nothing to compare with: the value is %s",
                   cJSON_IsNumber(actual)   ? "a number"
                   : cJSON_IsString(actual) ? "a text"
                   : cJSON_IsNull(actual)   ? "null"
                   : cJSON_IsArray(actual)  ? "a list"
                                            : "a group of values");
}

static amo_status judge_value(judge *j, const cJSON *actual, bool *ok)
{
  const amo_expectation *e = j->e;
  amo_status st = AMO_OK;
  bool same = false;
  *ok = true;
  if (amo_expect_nothing(e)) return judge_alone(j, actual, ok);
  if (e->equals) {
    st = compare(j, actual, e->equals, &same);
    *ok = same;
  }
  if (st == AMO_OK) st = judge_orders(j, actual, ok);
  if (st == AMO_OK && e->differs) st = check_denial(j, actual);
  if (st == AMO_OK && e->differs) {
    st = compare(j, actual, e->differs, &same);
    *ok = *ok && !same;
    j->numeric = false;
    if (!e->equals) cJSON_DeleteItemFromObject(j->out, "expected");  // say_expected says "not ..."
  }
  if (st == AMO_OK) st = judge_contains(j, actual, ok);
  if (e->denied) *ok = !*ok;
  return st;
}

// ---- the record ----

/// `eigenvalues[0]: {re: 0, abs: 0.9}`: is abs what is expected, or the tolerance? Where a word of the check is
/// a key of the result too, the mapping must say `equals` (or another word that cannot be a key).
static amo_status check_words(judge *j)
{
  const amo_expectation *e = j->e;
  const cJSON *group = NULL;
  const amo_yaml *doubtful = NULL;
  if (!e->group || amo_value_eval(j->r, e->group, NULL, &group) != AMO_OK || !cJSON_IsObject(group))
    return AMO_OK;
  bool described = e->value == e->group;
  for (const amo_yaml *c = e->words->first; c; c = c->next) {
    const char *word = c->key->text;
    bool key = cJSON_GetObjectItemCaseSensitive(group, word) != NULL;
    if (!key && described && (amo_expect_is_condition(word) || !strcmp(word, "value"))) return AMO_OK;
    if (key && (described ? amo_expect_is_word(word) : amo_expect_is_aside(word))) doubtful = c;
  }
  if (!doubtful) return AMO_OK;
  return amo_error(j->diags, doubtful->key->at, "write  {path: ..., equals: {...}, tolerance: ...}",
                   "'%s' is a key of the result and a word of the check", doubtful->key->text);
}

/// A value may be a list of expressions; it is judged as the list of their values.
static amo_status evaluate(judge *j, const cJSON **actual)
{
  const amo_yaml *v = j->e->value;
  if (v->kind != AMO_YAML_LIST) return amo_value_eval(j->r, v, j->diags, actual);
  cJSON *list = cJSON_CreateArray();
  if (!list) return AMO_ENOMEM;
  cJSON_AddItemToArray(j->r->scratch, list);
  for (const amo_yaml *c = v->first; c; c = c->next) {
    const cJSON *item = NULL;
    amo_status st = amo_value_eval(j->r, c, j->diags, &item);
    if (st != AMO_OK) return st;
    cJSON_AddItemReferenceToArray(list, (cJSON *)(size_t)item);
  }
  *actual = list;
  return AMO_OK;
}

static char *value_text(const amo_yaml *v)
{
  amo_text t = {0};
  if (v->kind == AMO_YAML_SCALAR) amo_text_add(&t, v->text, v->length);
  for (const amo_yaml *c = v->kind == AMO_YAML_LIST ? v->first : NULL; c; c = c->next) {
    amo_text_str(&t, c == v->first ? "[" : ", ");
    amo_text_add(&t, c->text, c->length);
    if (!c->next) amo_text_str(&t, "]");
  }
  return amo_text_take(&t);
}

/// The expected value as written, where no number stands for it already.
static void say_expected(cJSON *out, const amo_expectation *e)
{
  if (cJSON_HasObjectItem(out, "expected") && !(e->equals && e->equals->kind != AMO_YAML_SCALAR)) return;
  cJSON_DeleteItemFromObject(out, "expected");
  amo_text t = {0};
  if (e->denied) amo_text_str(&t, "not ");
  if (e->equals) {
    char *s = value_text(e->equals);
    amo_text_str(&t, s ? s : "");
    free(s);
    if (e->equals->kind == AMO_YAML_MAP) amo_text_str(&t, "{...}");
  } else if (e->differs) {
    amo_text_printf(&t, "not %s", e->differs->text);
  } else if (e->contains) {
    amo_text_printf(&t, "contains \"%s\"", e->contains->text);
  } else {
    amo_text_str(&t, "true");
  }
  cJSON_AddStringToObject(out, "expected", t.data ? t.data : "");
  amo_text_free(&t);
}

static void say_messages(cJSON *out, const amo_diags *d)
{
  amo_text t = {0};
  const amo_diag *first = amo_diags_count(d) ? amo_diags_get(d, 0) : NULL;
  if (first && first->at.line > 0) {
    char at[64];
    snprintf(at, sizeof at, "%d:%d", first->at.line, first->at.column);
    cJSON_AddStringToObject(out, "message_at", at);
  }
  for (size_t i = 0; i < amo_diags_count(d); i++) {
    const amo_diag *g = amo_diags_get(d, i);
    amo_text_printf(&t, "%s%s%s%s%s", i ? "; " : "", g->message, g->hint ? " (" : "", g->hint ? g->hint : "",
                    g->hint ? ")" : "");
  }
  if (t.size) cJSON_AddStringToObject(out, "message", t.data);
  amo_text_free(&t);
}

static void say_about(cJSON *out, const amo_expectation *e)
{
  char at[64];
  char *text = value_text(e->value);
  cJSON_AddStringToObject(out, "value", text ? text : "");
  free(text);
  if (e->name[0]) cJSON_AddStringToObject(out, "case", e->name);
  if (e->source[0]) cJSON_AddStringToObject(out, "source", e->source);
  if (e->note[0]) cJSON_AddStringToObject(out, "note", e->note);
  snprintf(at, sizeof at, "%d:%d", e->at.line, e->at.column);
  cJSON_AddStringToObject(out, "at", at);
}

/// Where a run failed there is nothing to compare; its failure is said once, with the run.
static bool not_judged(const judge *j, amo_status st)
{
  const cJSON *run = j->r->touched;
  if (!run || (cJSON_IsFalse(run) && st == AMO_OK)) return false;
  amo_text t = {0};
  cJSON_DeleteItemFromObject(j->out, "actual");
  cJSON_DeleteItemFromObject(j->out, "expected");
  amo_text_printf(&t, "not judged, because the run '%s' failed",
                  cJSON_IsString(run) ? run->valuestring : run->string);
  cJSON_AddBoolToObject(j->out, "ok", false);
  cJSON_AddBoolToObject(j->out, "judged", false);
  cJSON_AddStringToObject(j->out, "message", t.data ? t.data : "");
  amo_text_free(&t);
  return true;
}

/// `a or b`: every part is looked at, also where one is enough; a mistake in any of them is one of the whole.
static amo_status judge_parts(judge *j, bool *ok)
{
  const amo_expectation *e = j->e;
  cJSON *list = cJSON_AddArrayToObject(j->out, "parts");
  size_t held = 0;
  amo_status st = AMO_OK;
  for (size_t i = 0; i < e->parts; i++) {
    cJSON *c = amo_expect_judge(j->r, &e->part[i]);
    if (!c || !list) {
      cJSON_Delete(c);
      return AMO_ENOMEM;
    }
    cJSON_AddItemToArray(list, c);
    const cJSON *message = cJSON_GetObjectItemCaseSensitive(c, "message");
    held += cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(c, "ok")) ? 1 : 0;
    if (cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(c, "mistake")))
      st =
          amo_error(j->diags, e->part[i].at, NULL, "%s", cJSON_IsString(message) ? message->valuestring : "");
    if (cJSON_IsFalse(cJSON_GetObjectItemCaseSensitive(c, "judged"))) return AMO_ENOANSWER;
  }
  *ok = e->any ? held > 0 : held == e->parts;
  if (e->denied) *ok = !*ok;
  cJSON_AddBoolToObject(j->out, "actual", *ok);
  return st;
}

static amo_status judge_leaf(judge *j, bool *ok)
{
  const cJSON *actual = NULL;
  const size_t before = j->r->references;
  amo_status st = evaluate(j, &actual);
  if (st != AMO_OK) return st;
  cJSON *copy = cJSON_Duplicate(actual, true);
  cJSON_AddItemToObject(j->out, "actual", copy ? copy : cJSON_CreateNull());
  st = check_words(j);
  if (st == AMO_OK) st = judge_value(j, actual, ok);
  if (st == AMO_OK && j->r->references == before)
    st = amo_error(j->diags, j->e->at, "address a result, for example  simulate.final.state.x",
                   "nothing in this expectation is a result");
  if (st == AMO_OK && amo_expect_is_blind(j->r, j->e))
    st = amo_error(j->diags, j->e->at, NULL,
                   "it does not depend on the result: both sides change with it alike");
  return st;
}

cJSON *amo_expect_judge(amo_study_result *r, const amo_expectation *e)
{
  judge j = {.r = r, .e = e, .diags = amo_diags_new(), .out = cJSON_CreateObject()};
  bool ok = false;
  if (!j.diags || !j.out) goto done;
  say_about(j.out, e);
  r->touched = NULL;
  amo_status st = e->parts ? judge_parts(&j, &ok) : judge_leaf(&j, &ok);
  if (not_judged(&j, st)) goto done;
  ok = ok && st == AMO_OK;
  say_expected(j.out, e);
  if (j.numeric) {
    cJSON_AddItemToObject(j.out, "difference", amo_json_number(j.difference));
    cJSON_AddItemToObject(j.out, "allowed", amo_json_number(j.allowed));
  }
  cJSON_AddBoolToObject(j.out, "ok", ok);
  if (st != AMO_OK) cJSON_AddBoolToObject(j.out, "mistake", true);
  if (!ok) say_messages(j.out, j.diags);
done:
  amo_diags_free(j.diags);
  return j.out;
}
