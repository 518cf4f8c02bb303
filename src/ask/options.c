// SPDX-License-Identifier: Apache-2.0
// Values of options: storing with the checks that need no model, and reading back.
#include "ask/options.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/distance.h"
#include "base/text.h"
#include "ask/options_impl.h"

// clang-format off
static const amo_opt_def common[] = {
    {"set", AMO_OPT_SETTINGS, "NAME=VALUE ...", NULL, NULL,
     "change parameters, sizes or initial values of the model", 0, 0},
    {NULL, AMO_OPT_FLAG, NULL, NULL, NULL, NULL, 0, 0}};
// clang-format on

const amo_opt_def *amo_common_opts(void)
{
  return common;
}

const amo_opt_def *amo_opt_find(const amo_opt_def *opts, const char *name)
{
  for (const amo_opt_def *d = opts; d && d->name; d++)
    if (!strcmp(d->name, name)) return d;
  for (const amo_opt_def *d = common; d->name; d++)
    if (!strcmp(d->name, name)) return d;
  return NULL;
}

static size_t count_defs(const amo_opt_def *opts)
{
  size_t n = 0;
  while (opts && opts[n].name) n++;
  return n;
}

amo_options *amo_options_new(const amo_opt_def *opts)
{
  size_t own = count_defs(opts), shared = count_defs(common);
  amo_options *o = amo_zalloc(1, sizeof *o);
  if (!o) return NULL;
  o->value = amo_zalloc(own + shared, sizeof *o->value);
  if (!o->value) {
    free(o);
    return NULL;
  }
  for (size_t i = 0; i < own; i++) o->value[o->count++].def = &opts[i];
  for (size_t i = 0; i < shared; i++)
    if (amo_opt_find(opts, common[i].name) == &common[i]) o->value[o->count++].def = &common[i];
  for (size_t i = 0; i < o->count; i++) {
    amo_opt_value *v = &o->value[i];
    v->text = v->def->fallback;
    v->number = NAN;
  }
  return o;
}

void amo_options_free(amo_options *o)
{
  if (!o) return;
  for (size_t i = 0; i < o->count; i++) free(o->value[i].setting);
  free(o->value);
  amo_arena_free(&o->arena);
  free(o);
}

amo_opt_value *amo_options_value(amo_options *o, const char *name)
{
  for (size_t i = 0; i < o->count; i++)
    if (!strcmp(o->value[i].def->name, name)) return &o->value[i];
  return NULL;
}

const char *amo_opt_shown(amo_options *o, const amo_opt_value *v)
{
  if (v->at.line) return v->def->name;
  const char *s = amo_arena_printf(&o->arena, "--%s", v->def->name);
  return s ? s : v->def->name;
}

amo_status amo_opt_unknown(const amo_options *o, const char *name, const char *dashes, amo_at at,
                           amo_diags *diags)
{
  const char *best = NULL;
  size_t n = strlen(name), limit = n < 4 ? 1 : n / 3, least = limit + 1;
  for (size_t i = 0; i < o->count; i++) {
    const char *known = o->value[i].def->name;
    size_t far = amo_edit_distance(name, n, known, strlen(known), limit);
    if (far < least) {
      least = far;
      best = known;
    }
  }
  if (!best) return amo_error(diags, at, NULL, "unknown option '%s%s'", dashes, name);
  return amo_error(diags, at, NULL, "unknown option '%s%s'; did you mean '%s%s'?", dashes, name, dashes,
                   best);
}

static bool is_choice(const char *choices, const char *text)
{
  size_t n = strlen(text);
  for (const char *p = choices; *p;) {
    size_t len = strcspn(p, "|");
    if (len == n && !memcmp(p, text, n)) return true;
    p += len;
    if (*p == '|') p++;
  }
  return false;
}

amo_status amo_opt_check(amo_options *o, const amo_opt_value *v, double x, amo_diags *diags)
{
  const amo_opt_def *d = v->def;
  if (!isfinite(x))
    return amo_error(diags, v->at, NULL, "%s must be a finite number, got '%s'", amo_opt_shown(o, v),
                     v->text);
  if (d->type == AMO_OPT_INTEGER && fabs(x) > 9e15)
    return amo_error(diags, v->at, NULL, "%s is too large a number: '%s'", amo_opt_shown(o, v), v->text);
  if (d->type == AMO_OPT_INTEGER && x != floor(x))
    return amo_error(diags, v->at, NULL, "%s must be a whole number, got '%s'", amo_opt_shown(o, v), v->text);
  if (d->min == 0 && d->max == 0) return AMO_OK;
  if (x < d->min && !(d->max < INFINITY))
    return amo_error(diags, v->at, NULL, "%s must be at least %g, got %g", amo_opt_shown(o, v), d->min, x);
  if (x < d->min || x > d->max)
    return amo_error(diags, v->at, NULL, "%s must be between %g and %g, got %g", amo_opt_shown(o, v), d->min,
                     d->max, x);
  return AMO_OK;
}

static amo_status check_file_name(amo_options *o, const amo_opt_value *v, const char *text, amo_diags *diags)
{
  if (!*text) return amo_error(diags, v->at, NULL, "%s needs a file name", amo_opt_shown(o, v));
  for (const char *p = text; *p; p++)  // names end up in scripts and lists, where a line break has a meaning
    if ((unsigned char)*p < 0x20 || *p == 0x7f)
      return amo_error(diags, v->at, NULL, "%s: a file name must not hold control characters, got '%s'",
                       amo_opt_shown(o, v), text);
  return AMO_OK;
}

/// A decimal number, or a word for one that is not finite.
static bool is_number(const char *text, double *out)
{
  char *end = NULL;
  *out = strtod(text, &end);
  return end != text && !*end && (!isfinite(*out) || amo_decimal(text, out));
}

amo_status amo_opt_store(amo_options *o, amo_opt_value *v, const char *text, amo_at at, amo_diags *diags)
{
  v->given = true;
  v->at = at;
  v->text = amo_arena_str(&o->arena, text, strlen(text));
  if (!v->text) return AMO_ENOMEM;
  switch (v->def->type) {
    case AMO_OPT_SETTINGS: return amo_opt_store_pairs(o, v, text, at, diags);
    case AMO_OPT_CHOICE:
      if (is_choice(v->def->choices, text)) return AMO_OK;
      return amo_error(diags, at, NULL, "%s must be one of %s, got '%s'", amo_opt_shown(o, v),
                       v->def->choices, text);
    case AMO_OPT_NUMBER:
    case AMO_OPT_INTEGER:
      if (!is_number(text, &v->number)) {  // an expression: amo_options_resolve knows the parameters
        v->number = NAN;
        if (*text) return AMO_OK;
        return amo_error(diags, at, NULL, "%s needs a number", amo_opt_shown(o, v));
      }
      return amo_opt_check(o, v, v->number, diags);
    case AMO_OPT_FILE: return check_file_name(o, v, text, diags);
    case AMO_OPT_INPUT: {
      amo_status st = check_file_name(o, v, text, diags);
      return st == AMO_OK ? amo_opt_store_pair(o, v, "", 0, text, strlen(text)) : st;
    }
    case AMO_OPT_LINES: return amo_opt_store_pair(o, v, "", 0, text, strlen(text));
    case AMO_OPT_TEXT: return AMO_OK;
    case AMO_OPT_FLAG: return AMO_OK;
  }
  return AMO_OK;
}

amo_status amo_opt_store_pair(amo_options *o, amo_opt_value *v, const char *name, size_t n, const char *text,
                              size_t length)
{
  if (!AMO_ROOM(v->setting, v->settings, v->setting_cap)) return AMO_ENOMEM;
  amo_setting s = {amo_arena_str(&o->arena, name, n), amo_arena_str(&o->arena, text, length)};
  if (!s.name || !s.text) return AMO_ENOMEM;
  v->setting[v->settings++] = s;
  v->given = true;
  return AMO_OK;
}

static const char *trim(const char *p, size_t *n)
{
  while (*n && isspace((unsigned char)*p)) p++, --*n;
  while (*n && isspace((unsigned char)p[*n - 1])) --*n;
  return p;
}

static amo_status store_one(amo_options *o, amo_opt_value *v, const char *p, size_t n, amo_at at,
                            amo_diags *diags)
{
  p = trim(p, &n);
  const char *equal = n ? memchr(p, '=', n) : NULL;
  size_t nn = equal ? (size_t)(equal - p) : 0, nv = equal ? n - nn - 1 : 0;
  const char *name = trim(p, &nn), *value = equal ? trim(equal + 1, &nv) : p;
  if (!equal && n && v->def->choices && (*p == '[' || *p == '{'))  // a value whose name does not matter
    return amo_opt_store_pair(o, v, v->def->choices, strlen(v->def->choices), p, n);
  if (!nn || !nv)
    return amo_error(diags, at, NULL, "%s expects NAME=VALUE, got '%.*s'", amo_opt_shown(o, v),
                     n > 200 ? 200 : (int)n, p);
  for (size_t i = 0; i < v->settings; i++)  // which one was meant is not ours to guess
    if (strlen(v->setting[i].name) == nn && !memcmp(v->setting[i].name, name, nn))
      return amo_error(diags, at, NULL, "%s gives '%s' more than once: %s, then %.*s", amo_opt_shown(o, v),
                       v->setting[i].name, v->setting[i].text, (int)nv, value);
  return amo_opt_store_pair(o, v, name, nn, value, nv);
}

amo_status amo_opt_store_pairs(amo_options *o, amo_opt_value *v, const char *text, amo_at at,
                               amo_diags *diags)
{
  amo_status st = AMO_OK;
  const char *start = text;
  int depth = 0;  // commas inside f(a, b) and x[1,2] do not separate
  for (const char *p = text;; p++) {
    if (*p == '(' || *p == '[' || *p == '{') depth++;
    if (*p == ')' || *p == ']' || *p == '}') depth--;
    if (*p && !(*p == ',' && depth <= 0)) continue;
    amo_status one = store_one(o, v, start, (size_t)(p - start), at, diags);
    if (one != AMO_OK) st = one;
    if (!*p) return st;
    start = p + 1;
  }
}

amo_status amo_options_inputs(amo_options *o,
                              amo_status (*find)(void *ctx, const char *text, amo_at at, const char **path),
                              void *ctx)
{
  amo_status st = AMO_OK;
  for (size_t i = 0; i < o->count; i++)
    for (size_t k = 0; o->value[i].def->type == AMO_OPT_INPUT && k < o->value[i].settings; k++) {
      const char *path = NULL;
      amo_setting *s = &o->value[i].setting[k];
      amo_status one = find(ctx, s->text, o->value[i].at, &path);
      if (one == AMO_OK && (s->text = amo_arena_str(&o->arena, path, strlen(path))) == NULL) one = AMO_ENOMEM;
      if (one != AMO_OK) st = one;
    }
  return st;
}

amo_status amo_options_put_first(amo_options *o, const char *name, const char *text, amo_diags *diags)
{
  amo_opt_value *v = amo_options_value(o, name);
  amo_status st = amo_opt_store(o, v, text, (amo_at){0}, diags);
  if (st != AMO_OK) return st;
  const amo_setting added = v->setting[v->settings - 1];
  memmove(v->setting + 1, v->setting, (v->settings - 1) * sizeof *v->setting);
  v->setting[0] = added;
  return AMO_OK;
}

// ---- reading back ----

static const amo_opt_value *find_value(const amo_options *o, const char *name)
{
  for (size_t i = 0; i < o->count; i++)
    if (!strcmp(o->value[i].def->name, name)) return &o->value[i];
  return NULL;
}

static const amo_opt_value *must(const amo_options *o, const char *name)
{
  const amo_opt_value *v = find_value(o, name);
  assert(v && "option is in the verb's table");
  return v ? v : &o->value[0];
}

bool amo_opt_known(const amo_options *o, const char *name)
{
  return find_value(o, name) != NULL;
}

bool amo_opt_given(const amo_options *o, const char *name)
{
  return must(o, name)->given;
}

double amo_opt_number(const amo_options *o, const char *name)
{
  return must(o, name)->number;
}

long amo_opt_integer(const amo_options *o, const char *name)
{
  double x = must(o, name)->number;
  return isfinite(x) ? (long)x : 0;
}

bool amo_opt_flag(const amo_options *o, const char *name)
{
  const amo_opt_value *v = must(o, name);
  return v->text && !strcmp(v->text, "true");
}

const char *amo_opt_text(const amo_options *o, const char *name)
{
  return must(o, name)->text;
}

size_t amo_opt_settings(const amo_options *o, const char *name, const amo_setting **out)
{
  const amo_opt_value *v = must(o, name);
  *out = v->setting;
  return v->settings;
}
