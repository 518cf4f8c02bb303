// SPDX-License-Identifier: Apache-2.0
/// Value expressions of expectations. Paths into the results are read here, replaced in the text by
/// names of the same length (so that error positions stay right), and the rest goes through the one
/// expression parser of the project.
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "expr/parse.h"
#include "result/json.h"
#include "result/json_path.h"
#include "study/study.h"

typedef struct hole {  // a stretch of text that stands for a result
  size_t offset, length;
  const cJSON *value;
  const void *key;  // what it is made of
} hole;

typedef struct evaluation {
  amo_study_result *r;
  amo_json_path path;
  char *text;  // our copy, with the holes overwritten
  amo_at at;
  amo_diags *diags;
  hole *hole;
  size_t holes, cap;
  size_t known_run;
} evaluation;

static bool ident_char(char c)
{
  return isalnum((unsigned char)c) || c == '_';
}

static cJSON *keep_number(amo_study_result *r, double x)
{
  cJSON *n = cJSON_CreateNumber(x);
  if (n) cJSON_AddItemToArray(r->scratch, n);
  return n;
}

// ---- functions of a list: length, min, max, sum, mean, first, last ----

static const char *const list_functions[] = {"length", "count", "len",   "size", "min", "max",
                                             "sum",    "mean",  "first", "last", NULL};

static amo_status number_of(const cJSON *v, amo_at at, amo_diags *diags, double *out)
{
  v = amo_json_single(v);
  if (cJSON_IsNumber(v))
    *out = v->valuedouble;
  else if (cJSON_IsBool(v))
    *out = cJSON_IsTrue(v) ? 1.0 : 0.0;
  else
    return amo_error(diags, at, NULL, "this is %s, not a number",
                     cJSON_IsString(v)  ? "a text"
                     : cJSON_IsNull(v)  ? "null (the result has no value here)"
                     : cJSON_IsArray(v) ? "a list"
                                        : "a group of values");
  return AMO_OK;
}

static amo_status fold_list(evaluation *e, const char *name, const cJSON *list, amo_at at, const cJSON **out)
{
  int n = cJSON_GetArraySize(list);
  if (!strcmp(name, "length") || !strcmp(name, "count") || !strcmp(name, "len") || !strcmp(name, "size")) {
    *out = keep_number(e->r, n);
    return *out ? AMO_OK : AMO_ENOMEM;
  }
  if (!n) return amo_error(e->diags, at, NULL, "%s() of an empty list", name);
  if (!strcmp(name, "first") || !strcmp(name, "last")) {
    *out = cJSON_GetArrayItem(list, name[0] == 'f' ? 0 : n - 1);
    return AMO_OK;
  }
  double low = INFINITY, high = -INFINITY, sum = 0.0;
  const cJSON *c = NULL;
  cJSON_ArrayForEach(c, list)
  {
    double x = 0.0;
    amo_status st = number_of(c, at, e->diags, &x);
    if (st != AMO_OK) return st;
    low = fmin(low, x);
    high = fmax(high, x);
    sum += x;
  }
  double y = !strcmp(name, "min") ? low : !strcmp(name, "max") ? high : !strcmp(name, "sum") ? sum : sum / n;
  *out = keep_number(e->r, y);
  return *out ? AMO_OK : AMO_ENOMEM;
}

static amo_at at_offset(const evaluation *e, size_t offset, size_t length)
{
  amo_at at = e->at;
  at.column += (int)offset;
  at.length = length ? (int)length : 1;
  return at;
}

/// A path or a call ends where it ends: what sticks to it (`length(events)5`) belongs to nothing.
static amo_status check_end(const evaluation *e, size_t end)
{
  const char *rest = e->text + end;
  size_t n = 0;
  if (!*rest || !(ident_char(*rest) || strchr(".[({\"'", *rest) || (unsigned char)*rest >= 0x80))
    return AMO_OK;
  while (rest[n] && !isspace((unsigned char)rest[n])) n++;
  return amo_error(e->diags, at_offset(e, end, n), NULL, "'%.*s' does not belong to what stands before it",
                   (int)n, rest);
}

static amo_status add_hole(evaluation *e, size_t offset, size_t length, const cJSON *value, const void *key)
{
  amo_status st = check_end(e, offset + length);
  if (st != AMO_OK) return st;
  if (!AMO_ROOM(e->hole, e->holes, e->cap)) return AMO_ENOMEM;
  e->hole[e->holes++] = (hole){offset, length, value, key};
  e->r->references++;
  memset(e->text + offset, 'p', length);
  return AMO_OK;
}

/// Note that the path at offset i leads into a run that failed.
static void note_broken(evaluation *e, size_t i)
{
  const cJSON *top = amo_json_path_top(&e->path, e->text + i), *c = NULL;
  cJSON_ArrayForEach(c, e->r->broken_runs)
  {
    const cJSON *run = cJSON_GetObjectItemCaseSensitive(e->r->root, c->string);
    if (!e->r->touched && run && (top == run || (top && top->child && top->child == run->child)))
      e->r->touched = c;
  }
}

/// `length(path)` and friends with exactly one path inside. Leaves *used 0 if it is something else
/// (min(a, b) of numbers is the expression parser's).
static amo_status list_call(evaluation *e, size_t i, size_t *used)
{
  *used = 0;
  for (size_t k = 0; list_functions[k]; k++) {
    size_t n = strlen(list_functions[k]), j = i + n, length = 0;
    if (strncmp(e->text + i, list_functions[k], n) != 0 || ident_char(e->text[j])) continue;
    while (e->text[j] == ' ') j++;
    if (e->text[j] != '(') return AMO_OK;
    do j++;
    while (e->text[j] == ' ');
    if (!amo_json_path_starts(&e->path, e->text + j)) return AMO_OK;
    note_broken(e, j);
    const cJSON *v = NULL;
    amo_status st = amo_json_path_follow(&e->path, e->text + j, at_offset(e, j, 0), e->diags, &length, &v);
    *used = j + length - i;  // said once
    if (st != AMO_OK) return st;
    *used = 0;
    size_t end = j + length;
    while (e->text[end] == ' ') end++;
    if (e->text[end] != ')' || !(cJSON_IsArray(v) || (k < 2 && cJSON_IsObject(v)))) return AMO_OK;
    const char *key = (const char *)v + k;  // a function of a list
    st = fold_list(e, list_functions[k], v, at_offset(e, i, end + 1 - i), &v);
    if (st == AMO_OK) st = add_hole(e, i, end + 1 - i, v, key);
    *used = end + 1 - i;
    return st;
  }
  return AMO_OK;
}

static const cJSON *find_parameter(const cJSON *root, const char *name, size_t n, double *value,
                                   bool *differs);

/// A path begins here. A bare word that is a parameter of the model stays one, even if the only run's
/// result has a key of that name (`L`, `t`).
static bool path_begins(const evaluation *e, size_t i)
{
  const char *text = e->text + i;
  double x = 0.0;
  bool differs = false;
  if (i && e->text[i - 1] == '.') return false;
  size_t n = amo_json_path_starts(&e->path, text);
  if (!n || text[n] == '.' || text[n] == '[') return n > 0;
  amo_json_path named = {.root = e->path.root};
  return amo_json_path_starts(&named, text) || !find_parameter(e->r->root, text, n, &x, &differs);
}

static amo_status find_holes(evaluation *e)
{
  amo_status worst = AMO_OK;
  for (size_t i = 0; e->text[i];) {
    size_t used = 0;
    char before = i ? e->text[i - 1] : ' ';
    if (!(isalpha((unsigned char)e->text[i]) || e->text[i] == '_') || ident_char(before)) {
      i++;
      continue;
    }
    if (path_begins(e, i)) note_broken(e, i);
    amo_status st = list_call(e, i, &used);
    if (st == AMO_OK && !used && path_begins(e, i)) {
      const cJSON *v = NULL;
      st = amo_json_path_follow(&e->path, e->text + i, at_offset(e, i, 0), e->diags, &used, &v);
      if (st == AMO_OK) st = add_hole(e, i, used, v, v);
    }
    if (st != AMO_OK) worst = st;
    i += used ? used : 1;
    if (!used)
      while (ident_char(e->text[i]) || e->text[i] == '\'') i++;
  }
  return worst;
}

// ---- the rest of the expression ----

/// A bare name: a parameter of the models, if all runs that have it agree on its value.
static const cJSON *find_parameter(const cJSON *root, const char *name, size_t n, double *value,
                                   bool *differs)
{
  const cJSON *found = NULL;
  const cJSON *run = NULL, *p = NULL;
  cJSON_ArrayForEach(run, root)
  {
    const cJSON *first = cJSON_IsArray(run) ? run->child : run;
    cJSON_ArrayForEach(p, cJSON_GetObjectItemCaseSensitive(first, "parameters"))
    {
      const cJSON *v = cJSON_IsObject(p) ? cJSON_GetObjectItemCaseSensitive(p, "value") : p;
      if (!p->string || strlen(p->string) != n || strncmp(p->string, name, n) != 0 || !cJSON_IsNumber(v))
        continue;
      if (found && v->valuedouble != *value) *differs = true;
      *value = v->valuedouble;
      if (!found) found = v;
    }
  }
  return found;
}

/// The number of a hole. Where other numbers stand for results that of a definition is made of those.
static amo_status number_in(evaluation *e, const hole *h, amo_at at, double *out)
{
  amo_study_result *r = e->r;
  for (size_t i = 0; r->other && i < r->defines; i++)
    if (h->value == cJSON_GetObjectItemCaseSensitive(r->root, r->define[i].name))
      return amo_value_number(r, r->define[i].value, e->diags, out);
  amo_status st = number_of(h->value, at, e->diags, out);
  *out = amo_expect_other(r, h->key, *out);
  return st;
}

static amo_node resolve(const amo_scope *s, amo_dag *d, const amo_name *name, bool *reported)
{
  evaluation *e = s->ctx;
  bool inside = name->text >= e->text && name->text < e->text + strlen(e->text);
  size_t offset = inside ? (size_t)(name->text - e->text) : (size_t)(name->at.column - e->at.column);
  for (size_t i = 0; i < e->holes; i++) {
    if (e->hole[i].offset != offset) continue;
    double x = 0.0;
    *reported = true;
    if (number_in(e, &e->hole[i], at_offset(e, offset, e->hole[i].length), &x) != AMO_OK)
      return AMO_NODE_NONE;
    return amo_const(d, x);
  }
  double x = 0.0;
  bool differs = false;
  const cJSON *place = find_parameter(e->r->root, name->text, name->length, &x, &differs);
  if (!place) return AMO_NODE_NONE;
  e->r->references++;
  if (!differs) return amo_const(d, amo_expect_other(e->r, place, x));
  *reported = true;
  amo_error(e->diags, name->at, "write RUN.parameters.NAME", "the runs have different values of '%.*s'",
            (int)name->length, name->text);
  return AMO_NODE_NONE;
}

static const char *known(const amo_scope *s, size_t i)
{
  const evaluation *e = s->ctx;
  const cJSON *c = cJSON_GetArrayItem(e->r->root, (int)i);
  return c ? c->string : NULL;
}

static bool no_integer(const amo_scope *s, const char *text, size_t length, long *value)
{
  (void)s, (void)text, (void)length, (void)value;
  return false;
}

static amo_status compute(evaluation *e, const cJSON **out)
{
  amo_scope scope = {.ctx = e, .resolve = resolve, .known = known, .integer = no_integer};
  amo_dag *dag = amo_dag_new(0);
  amo_node node = AMO_NODE_NONE;
  double x = 0.0;
  if (!dag) return AMO_ENOMEM;
  amo_status st = amo_parse(dag, e->text, strlen(e->text), e->at, &scope, e->diags, &node);
  if (st == AMO_OK && !amo_node_const(dag, node, &x))
    st = amo_error(e->diags, e->at, NULL, "this is not a number");
  amo_dag_free(dag);
  if (st != AMO_OK) return st;
  if (!isfinite(x)) return amo_error(e->diags, e->at, NULL, "the value is not a finite number");
  *out = keep_number(e->r, x);
  return *out ? AMO_OK : AMO_ENOMEM;
}

/// The text is one path and nothing else: its value may be of any kind.
static bool single_hole(const evaluation *e)
{
  if (e->holes != 1) return false;
  for (size_t i = 0; e->text[i]; i++) {
    bool covered = i >= e->hole[0].offset && i < e->hole[0].offset + e->hole[0].length;
    if (!covered && !isspace((unsigned char)e->text[i])) return false;
  }
  return true;
}

amo_status amo_value_eval(amo_study_result *r, const amo_yaml *text, amo_diags *diags, const cJSON **out)
{
  evaluation e = {.r = r, .path = {r->root, r->scratch, r->aliases, r->only}, .at = text->at, .diags = diags};
  if (text->kind != AMO_YAML_SCALAR)
    return amo_error(diags, text->at, NULL, "expected an expression of results");
  e.text = amo_strndup(text->text, text->length);
  if (!e.text) return AMO_ENOMEM;
  amo_status st = find_holes(&e);
  if (st == AMO_OK && single_hole(&e) && !r->other)
    *out = e.hole[0].value;
  else if (st == AMO_OK)
    st = compute(&e, out);
  // a result that does not exist lacks the words that paths of an only run begin with
  if (st != AMO_OK && r->only && !r->touched) r->touched = r->broken_runs->child;
  free(e.hole);
  free(e.text);
  return st;
}

amo_status amo_value_number(amo_study_result *r, const amo_yaml *text, amo_diags *diags, double *out)
{
  const cJSON *v = NULL;
  amo_status st = amo_value_eval(r, text, diags, &v);
  return st == AMO_OK ? number_of(v, text->at, diags, out) : st;
}
