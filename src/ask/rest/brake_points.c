// SPDX-License-Identifier: Apache-2.0
#include "ask/rest/brake_points.h"

#include <ctype.h>
#include <string.h>

#include "expr/parse.h"
#include "ask/number.h"

// ---- names in the expressions of a point ----

typedef struct names {
  const amo_model *m;
} names;

/// The name as the model's tables spell it: x[2] with its index.
static bool is_name(const amo_name *n, const char *known)
{
  char text[160];
  int len = n->indices == 1 ? snprintf(text, sizeof text, "%.*s[%ld]", (int)n->length, n->text, n->index[0])
                            : snprintf(text, sizeof text, "%.*s", (int)n->length, n->text);
  return n->indices <= 1 && !n->primes && len > 0 && (size_t)len < sizeof text && !strcmp(text, known);
}

static amo_node resolve(const amo_scope *s, amo_dag *d, const amo_name *name, bool *reported)
{
  const names *n = s->ctx;
  const amo_model *m = n->m;
  (void)reported;
  for (uint32_t i = 0; i < m->nq; i++)
    if (is_name(name, m->sym.q[i].name)) return amo_leaf(d, m->leaf.q + i);
  for (uint32_t i = 0; i < m->np; i++)
    if (is_name(name, m->param[i].sym.name)) return amo_leaf(d, m->leaf.param + i);
  if (is_name(name, "t") || is_name(name, "time")) return amo_leaf(d, m->leaf.t);
  return AMO_NODE_NONE;
}

static const char *known(const amo_scope *s, size_t i)
{
  const names *n = s->ctx;
  if (i < n->m->nq) return n->m->sym.q[i].name;
  return i - n->m->nq < n->m->np ? n->m->param[i - n->m->nq].sym.name : NULL;
}

static bool integer(const amo_scope *s, const char *text, size_t length, long *value)
{
  (void)s, (void)text, (void)length, (void)value;
  return false;
}

// ---- texts ----

typedef struct brake_piece {
  const char *text;
  size_t length;
} brake_piece;

static brake_piece trim(brake_piece p)
{
  while (p.length && isspace((unsigned char)*p.text)) p.text++, p.length--;
  while (p.length && isspace((unsigned char)p.text[p.length - 1])) p.length--;
  return p;
}

/// The parts of "[a, f(b, c)]": up to `most`, or 0 if it is no list.
static size_t split(brake_piece p, brake_piece *out, size_t most)
{
  p = trim(p);
  if (p.length < 2 || p.text[0] != '[' || p.text[p.length - 1] != ']') return 0;
  size_t n = 0, start = 1;
  int depth = 0;
  for (size_t i = 1; i < p.length; i++) {
    char c = p.text[i];
    depth += c == '(' || c == '[';
    depth -= c == ')' || (c == ']' && i + 1 < p.length);
    if (depth > 0 || (c != ',' && i + 1 < p.length)) continue;
    if (n == most) return most + 1;
    out[n++] = trim((brake_piece){p.text + start, i - start});
    start = i + 1;
  }
  return n;
}

static const char *material_name(void *ctx, size_t i)
{
  const amo_model *m = ctx;
  return i < m->materials.count ? m->materials.item[i].name : NULL;
}

long amo_material_find(const amo_call *call, const char *option, const char *name, size_t length)
{
  const amo_model *m = call->model;
  for (uint32_t i = 0; i < m->materials.count; i++)
    if (strlen(m->materials.item[i].name) == length && !memcmp(m->materials.item[i].name, name, length))
      return (long)i;
  const char *near = amo_nearest(name, length, material_name, (void *)(uintptr_t)m);
  amo_error(
      call->diags, (amo_at){0}, "a part of the model, PART[a, b] in its axes, or [x, y] of the coordinates",
      near ? "--%s: the model has no part '%.*s'; did you mean '%s'?" : "--%s: the model has no part '%.*s'",
      option, length > 100 ? 100 : (int)length, name, near ? near : "");
  return -1;
}

static amo_status number(const amo_call *call, brake_piece p, double *out)
{
  char text[256];
  if (p.length >= sizeof text)
    return amo_error(call->diags, (amo_at){0}, NULL, "--point: an expression is too long");
  memcpy(text, p.text, p.length);
  text[p.length] = '\0';
  return amo_number_eval(text, (amo_at){0}, call->values, call->diags, out);
}

static amo_status on_part(const amo_call *call, amo_moving_points *s, const char *name, brake_piece part,
                          brake_piece at)
{
  brake_piece x[2];
  double place[2];
  part = trim(part);
  long i = amo_material_find(call, "point", part.text, part.length);
  if (i < 0) return AMO_EINPUT;
  if (!at.length) return amo_moving_points_add_material(s, name, (uint32_t)i, NULL);
  if (split(at, x, 2) != 2)
    return amo_error(call->diags, (amo_at){0}, NULL,
                     "--point %s: a point in the axes of a part is [a, b], got '%.*s'", name, (int)at.length,
                     at.text);
  if (!call->model->materials.item[i].turns)
    return amo_error(call->diags, (amo_at){0}, NULL, "--point %s: '%s' has no axes of its own, only a place",
                     name, call->model->materials.item[i].name);
  amo_status st = number(call, x[0], &place[0]);
  if (st == AMO_OK) st = number(call, x[1], &place[1]);
  return st == AMO_OK ? amo_moving_points_add_material(s, name, (uint32_t)i, place) : st;
}

static amo_status by_expressions(const amo_call *call, amo_moving_points *s, const char *name, brake_piece p)
{
  brake_piece x[3];
  size_t n = split(p, x, 3);
  names ctx = {call->model};
  amo_scope scope = {.ctx = &ctx, .resolve = resolve, .known = known, .integer = integer};
  amo_node r[3] = {0};
  amo_status st = AMO_OK;
  if (n < 2 || n > 3)
    return amo_error(call->diags, (amo_at){0}, NULL, "--point %s: a point is [x, y] or [x, y, z], got '%.*s'",
                     name, p.length > 200 ? 200 : (int)p.length, p.text);
  for (size_t k = 0; k < 3; k++) r[k] = amo_const(s->dag, 0.0);
  for (size_t k = 0; k < n; k++) {
    amo_at at = {amo_diags_source(call->diags, "--point", p.text, p.length), 1, 1 + (int)(x[k].text - p.text),
                 0};
    amo_status one = x[k].length
                         ? amo_parse(s->dag, x[k].text, x[k].length, at, &scope, call->diags, &r[k])
                         : amo_error(call->diags, at, NULL, "--point %s: an expression is missing", name);
    if (one != AMO_OK) st = one;
  }
  return st == AMO_OK ? amo_moving_points_add(s, name, (int)n, r) : st;
}

/// The value of a key in "{on: crank, at: [0.1, 0]}".
static brake_piece value_of(brake_piece p, const char *key)
{
  size_t n = strlen(key);
  int depth = 0;
  for (size_t i = 1; i + n < p.length; i++) {
    depth += p.text[i] == '[';
    depth -= p.text[i] == ']';
    if (depth || strncmp(p.text + i, key, n) != 0 || p.text[i + n] != ':') continue;
    size_t from = i + n + 1, to = from;
    for (depth = 0; to + 1 < p.length && (depth || p.text[to] != ','); to++)
      depth += (p.text[to] == '[') - (p.text[to] == ']');
    return trim((brake_piece){p.text + from, to - from});
  }
  return (brake_piece){"", 0};
}

static amo_status add_one(const amo_call *call, amo_moving_points *s, const char *name, brake_piece p)
{
  p = trim(p);
  if (p.length && *p.text == '[') return by_expressions(call, s, name, p);
  if (p.length && *p.text == '{') return on_part(call, s, name, value_of(p, "on"), value_of(p, "at"));
  const char *comma = p.length ? memchr(p.text, ',', p.length) : NULL, *open = comma;
  for (int depth = 0; open && open > p.text && (*open != '[' || depth); open--)
    depth += (*open == ']' || *open == ')') - ((*open == '[' || *open == '(') && depth > 0);
  if (!open || *open != '[') return on_part(call, s, name, p, (brake_piece){"", 0});
  brake_piece part = trim((brake_piece){p.text, (size_t)(open - p.text)});
  if (part.length && part.text[part.length - 1] == '@') part.length--;
  return on_part(call, s, name, part, (brake_piece){open, p.length - (size_t)(open - p.text)});
}

amo_status amo_brake_points_read(const amo_call *call, amo_moving_points *s)
{
  const amo_model *m = call->model;
  const amo_setting *set = NULL;
  size_t n = amo_opt_settings(call->opt, "point", &set), own = 0;
  amo_status st = AMO_OK;
  for (size_t i = 0; i < n; i++) {
    amo_status one = add_one(call, s, set[i].name, (brake_piece){set[i].text, strlen(set[i].text)});
    if (one != AMO_OK) st = one;
  }
  own = s->count;
  for (uint32_t i = 0; st == AMO_OK && i < m->materials.count; i++) {
    bool taken = false;
    for (size_t k = 0; k < own; k++) taken |= !strcmp(s->spot[k].name, m->materials.item[i].name);
    if (!taken) st = amo_moving_points_add_material(s, m->materials.item[i].name, i, NULL);
  }
  return st == AMO_OK ? amo_moving_points_compile(s) : st;
}
