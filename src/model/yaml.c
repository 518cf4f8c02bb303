// SPDX-License-Identifier: Apache-2.0
/// libyaml events to a tree with positions.
#include "model/yaml.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "base/mem.h"
#include "base/text.h"

struct amo_yaml_doc {
  amo_arena arena;
  const amo_yaml *root;
};

typedef struct level {  // an open collection
  amo_yaml *node, *last;
  amo_yaml *key;  // mapping: key read, value awaited
} level;

typedef struct builder {
  amo_yaml_doc *doc;
  amo_diags *diags;
  const char *file, *text;
  size_t size, nodes;
  level stack[AMO_YAML_DEPTH];
  int depth;
  int documents;
} builder;

static amo_at place(const builder *b, yaml_mark_t start, yaml_mark_t end)
{
  amo_at at = {b->file, (int)start.line + 1, (int)start.column + 1, 1};
  if (end.line == start.line && end.column > start.column) at.length = (int)(end.column - start.column);
  return at;
}

/// Where the text of a scalar begins: after the quote, or on the line below `|`.
static amo_at scalar_place(const builder *b, const yaml_event_t *e)
{
  amo_at at = place(b, e->start_mark, e->end_mark);
  switch (e->data.scalar.style) {
    case YAML_SINGLE_QUOTED_SCALAR_STYLE:
    case YAML_DOUBLE_QUOTED_SCALAR_STYLE:
      at.column++;
      at.length = at.length > 2 ? at.length - 2 : 1;
      break;
    case YAML_LITERAL_SCALAR_STYLE:
    case YAML_FOLDED_SCALAR_STYLE:
      at.line++;
      at.column = 1;
      at.length = 1;
      break;
    default: break;
  }
  return at;
}

static amo_status check_encoding(builder *b)
{
  int line = 1, column = 1;
  for (size_t i = 0; i < b->size;) {
    size_t len = amo_utf8_length(b->text + i, b->size - i);
    unsigned char c = (unsigned char)b->text[i];
    amo_at at = {b->file, line, column, 1};
    if (!len) return amo_error(b->diags, at, "save the file as UTF-8", "byte 0x%02X is not UTF-8 text", c);
    if (len == 1 && (c < 0x20 || c == 0x7F) && c != '\t' && c != '\n' && c != '\r')
      return amo_error(b->diags, at, NULL, "control character 0x%02X is not allowed", c);
    column++;
    if (c == '\n') {
      line++;
      column = 1;
    }
    i += len;
  }
  return AMO_OK;
}

static amo_status new_node(builder *b, amo_yaml_kind kind, amo_at at, amo_yaml **out)
{
  if (++b->nodes > AMO_YAML_NODES) {
    amo_error(b->diags, at, NULL, "more than %d values in one file", AMO_YAML_NODES);
    return AMO_ELIMIT;
  }
  amo_yaml *n = amo_arena_alloc(&b->doc->arena, sizeof *n);
  if (!n) return AMO_ENOMEM;
  n->kind = kind;
  n->at = at;
  n->text = "";
  *out = n;
  return AMO_OK;
}

static amo_status attach(builder *b, amo_yaml *n)
{
  if (!b->depth) {
    b->doc->root = n;
    return AMO_OK;
  }
  level *l = &b->stack[b->depth - 1];
  if (l->node->kind == AMO_YAML_MAP && !l->key) {
    if (n->kind != AMO_YAML_SCALAR)
      return amo_error(b->diags, n->at, "put names with brackets in quotes: \"x[1]\"",
                       "a key must be a plain name");
    l->key = n;
    return AMO_OK;
  }
  n->key = l->key;
  l->key = NULL;
  if (l->last)
    l->last->next = n;
  else
    l->node->first = n;
  l->last = n;
  l->node->count++;
  return AMO_OK;
}

static amo_status open_level(builder *b, amo_yaml_kind kind, const yaml_event_t *e)
{
  amo_yaml *n = NULL;
  amo_at at = place(b, e->start_mark, e->end_mark);
  if (b->depth >= AMO_YAML_DEPTH) {
    amo_error(b->diags, at, NULL, "nested deeper than %d levels", AMO_YAML_DEPTH);
    return AMO_ELIMIT;
  }
  amo_status st = new_node(b, kind, at, &n);
  if (st == AMO_OK) st = attach(b, n);
  if (st == AMO_OK) b->stack[b->depth++] = (level){.node = n};
  return st;
}

static int by_key(const void *pa, const void *pb)
{
  const amo_yaml *a = *(const amo_yaml *const *)pa, *b = *(const amo_yaml *const *)pb;
  int c = strcmp(a->key->text, b->key->text);
  if (c) return c;
  if (a->at.line != b->at.line) return a->at.line < b->at.line ? -1 : 1;
  return a->at.column < b->at.column ? -1 : a->at.column > b->at.column;
}

/// Sorting keeps this n log n, also for a hostile mapping with a million keys.
static amo_status check_unique(builder *b, const amo_yaml *map)
{
  amo_status st = AMO_OK;
  if (map->count < 2) return AMO_OK;
  const amo_yaml **v = amo_zalloc(map->count, sizeof *v);
  if (!v) return AMO_ENOMEM;
  size_t n = 0;
  for (const amo_yaml *c = map->first; c; c = c->next) v[n++] = c;
  qsort(v, n, sizeof *v, by_key);
  for (size_t i = 1; i < n; i++) {
    if (strcmp(v[i]->key->text, v[i - 1]->key->text) != 0) continue;
    st = amo_error(b->diags, v[i]->key->at, NULL, "'%s' is given twice; first in line %d", v[i]->key->text,
                   v[i - 1]->key->at.line);
  }
  free(v);
  return st;
}

static amo_status close_level(builder *b)
{
  const amo_yaml *n = b->stack[--b->depth].node;
  return n->kind == AMO_YAML_MAP ? check_unique(b, n) : AMO_OK;
}

static amo_status add_scalar(builder *b, const yaml_event_t *e)
{
  amo_yaml *n = NULL;
  amo_status st = new_node(b, AMO_YAML_SCALAR, scalar_place(b, e), &n);
  if (st != AMO_OK) return st;
  const char *value = (const char *)e->data.scalar.value;
  size_t length = e->data.scalar.length;
  if (memchr(value, '\0', length))  // "\0" in double quotes
    return amo_error(b->diags, n->at, NULL, "text must not contain the character NUL");
  n->text = amo_arena_str(&b->doc->arena, value, length);
  if (!n->text) return AMO_ENOMEM;
  n->length = length;
  n->quoted = e->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
  return attach(b, n);
}

/// Anchors would allow a small file to describe an enormous tree, and tags mean nothing here.
static amo_status refuse_extras(builder *b, const yaml_event_t *e, const void *anchor, const void *tag)
{
  amo_at at = place(b, e->start_mark, e->end_mark);
  if (anchor)
    return amo_error(b->diags, at, "write the value out, or use definitions",
                     "anchors (&name) and aliases (*name) are not supported");
  if (tag) return amo_error(b->diags, at, NULL, "tags (!name) are not supported");
  return AMO_OK;
}

static amo_status handle(builder *b, const yaml_event_t *e)
{
  amo_status st = AMO_OK;
  switch (e->type) {
    case YAML_DOCUMENT_START_EVENT:
      if (++b->documents > 1)
        return amo_error(b->diags, place(b, e->start_mark, e->end_mark),
                         "several studies in one file:  studies: [{...}, {...}]",
                         "a file holds one document only; remove the second '---'");
      return AMO_OK;
    case YAML_ALIAS_EVENT: return refuse_extras(b, e, e->data.alias.anchor, NULL);
    case YAML_SCALAR_EVENT:
      st = refuse_extras(b, e, e->data.scalar.anchor, e->data.scalar.tag);
      return st == AMO_OK ? add_scalar(b, e) : st;
    case YAML_SEQUENCE_START_EVENT:
      st = refuse_extras(b, e, e->data.sequence_start.anchor, e->data.sequence_start.tag);
      return st == AMO_OK ? open_level(b, AMO_YAML_LIST, e) : st;
    case YAML_MAPPING_START_EVENT:
      st = refuse_extras(b, e, e->data.mapping_start.anchor, e->data.mapping_start.tag);
      return st == AMO_OK ? open_level(b, AMO_YAML_MAP, e) : st;
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT: return close_level(b);
    default: return AMO_OK;
  }
}

static size_t line_offset(const builder *b, size_t line)
{
  size_t i = 0;
  for (; line && i < b->size; i++)
    if (b->text[i] == '\n') line--;
  return i;
}

static amo_status syntax_error(builder *b, const yaml_parser_t *p)
{
  if (p->error == YAML_MEMORY_ERROR) return AMO_ENOMEM;
  amo_at at = place(b, p->problem_mark, p->problem_mark);
  const char *problem = p->problem ? p->problem : "not YAML";
  bool flow = strstr(problem, "',' or ']'") || strstr(problem, "',' or '}'");
  const char *hint = flow ? "inside [...] or {...}, put what contains brackets or ': ' in quotes: "
                            "\"x[1..N]\""
                          : NULL;
  size_t i = line_offset(b, p->problem_mark.line);
  if (i < b->size && b->text[i] == '\t') hint = "indent with blanks, not tabs";
  if (p->context)
    return amo_error(b->diags, at, hint, "YAML: %s (%s, begun in line %d)", problem, p->context,
                     (int)p->context_mark.line + 1);
  return amo_error(b->diags, at, hint, "YAML: %s", problem);
}

static amo_status run(builder *b, yaml_parser_t *p)
{
  amo_status first = AMO_OK;  // duplicate keys let us go on and find the other mistakes
  for (bool more = true; more;) {
    yaml_event_t e;
    if (!yaml_parser_parse(p, &e)) return syntax_error(b, p);
    amo_status st = handle(b, &e);
    more = e.type != YAML_STREAM_END_EVENT;
    bool close = e.type == YAML_MAPPING_END_EVENT;
    yaml_event_delete(&e);
    if (st != AMO_OK && !(close && st == AMO_EINPUT)) return st;
    if (st != AMO_OK) first = st;
  }
  return first;
}

amo_status amo_yaml_parse(const char *file, const char *text, size_t size, amo_diags *diags,
                          amo_yaml_doc **out)
{
  yaml_parser_t parser;
  amo_status st = AMO_ENOMEM;
  *out = NULL;
  if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {  // the byte order mark some editors write
    text += 3;
    size -= 3;
  }
  builder *b = calloc(1, sizeof *b);
  amo_yaml_doc *doc = calloc(1, sizeof *doc);
  if (!b || !doc || !yaml_parser_initialize(&parser)) {
    free(b);
    free(doc);
    return AMO_ENOMEM;
  }
  b->doc = doc;
  b->diags = diags;
  b->text = text;
  b->size = size;
  b->file = amo_diags_source(diags, file, text, size);
  st = check_encoding(b);
  if (st != AMO_OK) goto done;
  yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
  yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
  st = run(b, &parser);
  if (st == AMO_OK && !doc->root) {
    amo_at at = {b->file, 1, 1, 1};
    st = amo_error(diags, at, NULL, "the file is empty");
  }
  if (st == AMO_OK) st = amo_yaml_uncut(doc->root, diags);
done:
  yaml_parser_delete(&parser);
  free(b);
  if (st == AMO_OK)
    *out = doc;
  else
    amo_yaml_free(doc);
  return st;
}

const amo_yaml *amo_yaml_root(const amo_yaml_doc *doc)
{
  return doc ? doc->root : NULL;
}

void amo_yaml_free(amo_yaml_doc *doc)
{
  if (!doc) return;
  amo_arena_free(&doc->arena);
  free(doc);
}
