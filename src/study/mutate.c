// SPDX-License-Identifier: Apache-2.0
#include "study/mutate.h"

#include <math.h>
#include <string.h>

#include "result/json.h"
#include "result/show.h"
#include "study/study_load.h"

#define MOST_ITEMS 40  // of a list or a group that are changed one by one

typedef struct mutation {
  amo_study_result *r;
  amo_arena arena;
  cJSON *survivors;
  size_t tried;
  const amo_expectation *whole;  // what is judged; `part` of it is changed
  amo_expectation *part;
} mutation;

// ---- one change ----

static void report(mutation *m, const char *changed, bool weak)
{
  cJSON *c = cJSON_CreateObject();
  char at[64];
  snprintf(at, sizeof at, "%d:%d", m->whole->at.line, m->whole->at.column);
  cJSON_AddStringToObject(c, "value",
                          m->whole->value->kind == AMO_YAML_SCALAR ? m->whole->value->text : "a list");
  cJSON_AddStringToObject(c, "at", at);
  cJSON_AddStringToObject(c, "changed", changed);
  cJSON_AddBoolToObject(c, "weak", weak);
  cJSON_AddItemToArray(m->survivors, c);
}

/// Judge the whole with the part as it now stands: it must not hold.
static void try(mutation *m, const char *changed)
{
  cJSON *c = amo_expect_judge(m->r, m->whole);
  m->tried++;
  if (!c || cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(c, "ok"))) report(m, changed, false);
  cJSON_Delete(c);
}

static const amo_yaml *node(mutation *m, const amo_yaml *like, const char *text, bool quoted)
{
  amo_yaml *n = amo_arena_alloc(&m->arena, sizeof *n);
  if (!n) return like;
  *n = *like;
  n->kind = AMO_YAML_SCALAR;
  n->quoted = quoted;
  n->text = amo_arena_str(&m->arena, text, strlen(text));
  if (!n->text) return like;
  n->length = strlen(text);
  n->first = NULL;
  n->count = 0;
  return n;
}

static const amo_yaml *number_node(mutation *m, const amo_yaml *like, double x)
{
  char text[32];
  snprintf(text, sizeof text, "%.17g", x);
  return node(m, like, text, false);
}

// ---- what is expected to be equal ----

/// The relative and absolute tolerance that count for an expected number b.
static void tolerances(const amo_expectation *e, double b, double *rel, double *abs)
{
  const double tolerance = e->tolerance >= 0.0 ? e->tolerance : 1e-8;
  const bool given = e->rel >= 0.0 || e->abs >= 0.0;
  *rel = given ? fmax(e->rel, 0.0) : b == 0.0 ? 0.0 : tolerance;
  *abs = given ? fmax(e->abs, 0.0) : b == 0.0 ? tolerance : 0.0;
}

/// A step that leads out of the tolerance of b, whatever value was within it. Relative tolerances grow with b.
static double step_from(const amo_expectation *e, double b)
{
  double rel, abs;
  tolerances(e, b, &rel, &abs);
  const double allowed = fmax(abs, rel * fabs(b));
  return 2.5 * allowed / (1.0 - fmin(rel, 0.9)) + 1e-12 * fabs(b) +
         (b == 0.0 && allowed == 0.0 ? 1e-12 : 0.0);
}

/// Is 0 as good as the expected number?
static bool accepts_zero(const amo_expectation *e, double b)
{
  double rel, abs;
  tolerances(e, b, &rel, &abs);
  return b != 0.0 && abs >= fabs(b);
}

/// Replace the scalar at *place by something else.
static void change_scalar(mutation *m, const amo_yaml **place)
{
  const amo_yaml *old = *place;
  double b = 0.0;
  bool yes = false;
  if (amo_study_truth(old, &yes)) {
    *place = node(m, old, yes ? "false" : "true", false);
    try(m, yes ? "true to false" : "false to true");
  } else if (!old->quoted && !amo_yaml_is_null(old) && amo_value_number(m->r, old, NULL, &b) == AMO_OK) {
    const double step = step_from(m->part, b);
    *place = number_node(m, old, b + step);
    try(m, "the expected number up");
    *place = number_node(m, old, b - step);
    try(m, "the expected number down");
    if (accepts_zero(m->part, b)) report(m, "its tolerance is larger than the expected number", true);
  } else {
    *place = node(m, old, "no such text", true);
    try(m, "the expected word to another");
  }
  *place = old;
}

/// Items of a list or a group one by one, inside copies of it.
static void change_members(mutation *m, const amo_yaml **place)
{
  const amo_yaml *old = *place;
  size_t i = 0;
  const size_t every = old->count / MOST_ITEMS + 1;
  for (const amo_yaml *c = old->first; c; c = c->next, i++) {
    if (i % every || c->kind != AMO_YAML_SCALAR) continue;
    amo_yaml *copy = amo_arena_alloc(&m->arena, sizeof *copy), *last = NULL, *changed = NULL;
    if (!copy) return;
    *copy = *old;
    for (const amo_yaml *k = old->first; k; k = k->next) {
      amo_yaml *item = amo_yaml_copy_entry(&m->arena, k);
      if (!item) return;
      *(last ? &last->next : &copy->first) = item;
      if (k == c) changed = item;
      last = item;
    }
    *place = copy;
    const amo_yaml *spot = changed;
    // a changed scalar takes the place of the item in the copy
    const amo_yaml *next = changed->next, *key = changed->key;
    double b = 0.0;
    const bool number = !c->quoted && amo_value_number(m->r, c, NULL, &b) == AMO_OK;
    *changed =
        *(number ? number_node(m, spot, b + step_from(m->part, b)) : node(m, spot, "no such text", true));
    changed->next = next;
    changed->key = key;
    try(m, "one of the expected values");
  }
  *place = old;
}

static void change_equal(mutation *m, const amo_yaml **place, const cJSON *actual)
{
  const bool scalar = (*place)->kind == AMO_YAML_SCALAR;
  const cJSON *one = amo_json_single(actual);
  // another result that is a list or a group has no number to change; a mode may be a word for a number
  if (scalar && (cJSON_IsArray(one) || cJSON_IsObject(one))) return;
  if (!scalar)
    change_members(m, place);
  else if (cJSON_IsNumber(one) && (!strncmp((*place)->text, "slip", 4) || !strcmp((*place)->text, "stick"))) {
    const amo_yaml *old = *place;
    *place = node(m, old, one->valuedouble == 0.0 ? "slip" : "stick", false);
    try(m, "the expected mode to another");
    *place = old;
  } else
    change_scalar(m, place);
}

/// "Not this" becomes "not what it is".
static void change_denial(mutation *m, const cJSON *actual)
{
  const amo_yaml *old = m->part->differs;
  const cJSON *one = amo_json_single(actual);
  if (cJSON_IsNumber(one))
    m->part->differs = number_node(m, old, one->valuedouble);
  else if (cJSON_IsString(one))
    m->part->differs = node(m, old, one->valuestring, true);
  else if (cJSON_IsBool(one))
    m->part->differs = node(m, old, cJSON_IsTrue(one) ? "true" : "false", false);
  else if (cJSON_IsNull(one))
    m->part->differs = node(m, old, "null", false);
  else
    return;
  try(m, "not this, to not what it is");
  m->part->differs = old;
}

// ---- orders ----

/// Move a border to the wrong side of the value. sign: 1 where the value must lie below it.
static void change_border(mutation *m, const amo_yaml **place, double a, double sign)
{
  const amo_yaml *old = *place;
  if (!old) return;
  if (m->part->denied) sign = -sign;
  *place = number_node(m, old, a - sign * (1e-9 * fabs(a) + 1e-12));
  try(m, "the border past the value");
  *place = old;
}

/// Borders that no result can cross: there are never fewer than no items.
static void check_border(mutation *m, const amo_yaml *border, bool strict)
{
  static const char *const never_negative[] = {"length(", "count(", "size(", "len(", "abs("};
  const amo_yaml *v = m->part->value;
  double b = 0.0;
  if (!border || v->kind != AMO_YAML_SCALAR || amo_value_number(m->r, border, NULL, &b) != AMO_OK) return;
  for (size_t i = 0; i < sizeof never_negative / sizeof *never_negative; i++)
    if (!strncmp(v->text, never_negative[i], strlen(never_negative[i])) && !strpbrk(v->text, "+-/<>") &&
        (b < 0.0 || (b == 0.0 && !strict)))
      report(m, "holds for every result: it is never negative", false);
}

static void change_orders(mutation *m, const cJSON *actual)
{
  const cJSON *one = amo_json_single(actual);
  amo_expectation *e = m->part;
  if (!cJSON_IsNumber(one)) return;
  const double a = one->valuedouble;
  check_border(m, e->above, true);
  check_border(m, e->at_least, false);
  change_border(m, &e->below, a, 1.0);
  change_border(m, &e->at_most, a, 1.0);
  change_border(m, &e->above, a, -1.0);
  change_border(m, &e->at_least, a, -1.0);
  if (!e->between) return;
  amo_yaml pair = *e->between, low = *pair.first, high = *pair.first->next;
  const amo_yaml *old = e->between;
  const double far = 1.0 + fabs(a);
  low = *number_node(m, old->first, a + 1e-9 * far), high = *number_node(m, old->first, a + far);
  low.next = &high, high.next = NULL, pair.first = &low;
  e->between = &pair;
  try(m, "the range above the value");
  low = *number_node(m, old->first, a - far), high = *number_node(m, old->first, a - 1e-9 * far);
  low.next = &high, high.next = NULL;
  try(m, "the range below the value");
  e->between = old;
}

// ---- an expectation ----

static void change_leaf(mutation *m)
{
  amo_expectation *e = m->part;
  cJSON *c = amo_expect_judge(m->r, e);
  const cJSON *actual = cJSON_GetObjectItemCaseSensitive(c, "actual");
  if (actual && cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(c, "ok"))) {
    if (e->equals) change_equal(m, &e->equals, actual);
    if (e->differs) change_denial(m, actual);
    change_orders(m, actual);
    if (e->contains) {
      const amo_yaml *old = e->contains;
      e->contains = node(m, old, "no such text", true);
      try(m, "the contained text to another");
      e->contains = old;
    }
    if (!e->equals && !e->differs && !e->below && !e->above && !e->at_least && !e->at_most && !e->between &&
        !e->contains && cJSON_IsTrue(actual)) {
      e->equals = node(m, e->value, "false", false);
      try(m, "true to false");
      e->equals = NULL;
    }
  }
  cJSON_Delete(c);
}

/// Of `a or b` one part may change unseen; where a single one holds, or all must, each change must be seen.
static void change_parts(mutation *m, const amo_expectation *e)
{
  size_t held = 0;
  for (size_t i = 0; i < e->parts; i++) {
    cJSON *c = amo_expect_judge(m->r, &e->part[i]);
    held += cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(c, "ok")) ? 1 : 0;
    cJSON_Delete(c);
  }
  if (e->denied || (e->any && held > 1)) return;
  for (size_t i = 0; i < e->parts; i++) {
    if (e->part[i].parts) continue;
    m->part = &e->part[i];
    change_leaf(m);
  }
}

size_t amo_study_mutate(const amo_study *s, amo_study_result *r, cJSON *survivors)
{
  mutation m = {.r = r, .survivors = survivors};
  for (size_t i = 0; i < s->expects; i++) {
    amo_expectation e = s->expect[i];
    m.whole = &e;
    m.part = &e;
    if (e.parts)
      change_parts(&m, &e);
    else
      change_leaf(&m);
  }
  amo_arena_free(&m.arena);
  return m.tried;
}

size_t amo_mutate_report(const amo_study *s, amo_study_result *r, FILE *out, cJSON *entry, size_t *changes)
{
  cJSON *list = cJSON_CreateArray(), *c = NULL;
  size_t unnoticed = 0;
  if (!list) return 0;
  *changes += amo_study_mutate(s, r, list);
  cJSON_ArrayForEach(c, list)
  {
    const bool weak = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(c, "weak"));
    unnoticed += weak ? 0 : 1;
    if (!out) continue;
    fprintf(out, "  %s  ", weak ? "weak" : "SAME");
    amo_show_text(s->path, out), fprintf(out, ":%s: ", amo_json_text(c, "at"));
    amo_show_text(amo_json_text(c, "value"), out), fprintf(out, ": %s\n", amo_json_text(c, "changed"));
  }
  if (entry)
    cJSON_AddItemToObject(entry, "unnoticed", list);
  else
    cJSON_Delete(list);
  return unnoticed;
}
