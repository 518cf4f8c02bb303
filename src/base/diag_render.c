// SPDX-License-Identifier: Apache-2.0
/// Diagnostics as text for a terminal.
#include <stdlib.h>
#include <string.h>

#include "base/diag_list.h"
#include "base/text.h"

#define SHOWN 88  // characters of a source line shown at most

typedef struct line_view {
  const char *text;
  size_t size;
} line_view;

static const amo_source_text *source_of(const amo_diags *d, const char *file)
{
  const amo_source_text *s = file ? d->source : NULL;
  while (s && s->file != file) s = s->next;
  return s;
}

static bool find_line(const amo_source_text *s, int line, line_view *out)
{
  if (!s || !s->text || line < 1) return false;
  const char *p = s->text, *end = s->text + s->size;
  for (int n = 1; n < line; n++) {
    p = memchr(p, '\n', (size_t)(end - p));
    if (!p) return false;
    p++;
  }
  const char *stop = memchr(p, '\n', (size_t)(end - p));
  size_t size = (size_t)((stop ? stop : end) - p);
  if (size && p[size - 1] == '\r') size--;
  *out = (line_view){p, size};
  return true;
}

/// One shown character per column: tabs become blanks, what cannot be shown becomes '?'.
static void show_char(amo_text *t, const char *s, size_t length)
{
  if (length == 1 && s[0] == '\t')
    amo_text_add(t, " ", 1);
  else if (length && amo_utf8_printable(s, length))
    amo_text_add(t, s, length);
  else
    amo_text_add(t, "?", 1);
}

static size_t count_chars(line_view v)
{
  size_t n = 0;
  for (size_t i = 0; i < v.size; n++) {
    size_t len = amo_utf8_length(v.text + i, v.size - i);
    i += len ? len : 1;
  }
  return n;
}

static void show_source(amo_text *t, const amo_source_text *s, const amo_at *at)
{
  line_view v;
  if (!find_line(s, at->line, &v)) return;
  size_t chars = count_chars(v), column = at->column > 0 ? (size_t)at->column - 1 : 0;
  size_t length = at->length > 0 ? (size_t)at->length : 1;
  if (column > chars) column = chars;
  size_t first = 0;
  if (chars > SHOWN && column + 20 > SHOWN) first = column - SHOWN / 2;
  size_t last = chars - first > SHOWN ? first + SHOWN : chars;
  amo_text_printf(t, "%5d | %s", at->line, first ? "..." : "");
  for (size_t i = 0, n = 0; i < v.size && n < last; n++) {
    size_t len = amo_utf8_length(v.text + i, v.size - i);
    if (n >= first) show_char(t, v.text + i, len);
    i += len ? len : 1;
  }
  amo_text_printf(t, "%s\n      | ", last < chars ? "..." : "");
  amo_text_fill(t, ' ', column - first + (first ? 3 : 0));
  amo_text_add(t, "^", 1);
  size_t room = last > column ? last - column : 1;
  if (length > room) length = room;
  amo_text_fill(t, '~', length - 1);
  amo_text_add(t, "\n", 1);
}

static void show(amo_text *t, const amo_diags *d, const amo_diag *e)
{
  static const char *const word[] = {"note", "warning", "error"};
  if (e->at.file) {
    amo_text_safe(t, e->at.file, strlen(e->at.file));
    if (e->at.line > 0) amo_text_printf(t, ":%d:%d", e->at.line, e->at.column);
    amo_text_str(t, ": ");
  }
  amo_text_printf(t, "%s: ", word[e->severity]);
  amo_text_safe(t, e->message, strlen(e->message));
  amo_text_str(t, "\n");
  show_source(t, source_of(d, e->at.file), &e->at);
  if (e->hint) {
    amo_text_str(t, "      hint: ");
    amo_text_safe(t, e->hint, strlen(e->hint));
    amo_text_str(t, "\n");
  }
}

typedef struct ranked {
  int file, line, column;
  size_t i;
} ranked;

static int by_place(const void *pa, const void *pb)
{
  const ranked *a = pa, *b = pb;
  if (a->file != b->file) return a->file < b->file ? -1 : 1;
  if (a->line != b->line) return a->line < b->line ? -1 : 1;
  if (a->column != b->column) return a->column < b->column ? -1 : 1;
  return a->i < b->i ? -1 : a->i > b->i;
}

char *amo_diags_render(const amo_diags *d)
{
  amo_text t = {0};
  size_t n = amo_diags_count(d);
  ranked *order = amo_zalloc(n, sizeof *order);
  if (!order) return NULL;
  for (size_t i = 0; i < n; i++) {
    const amo_diag *e = &d->item[i];
    const amo_source_text *s = source_of(d, e->at.file);
    order[i] = (ranked){s ? s->order : d->sources, e->at.line, e->at.column, i};
  }
  qsort(order, n, sizeof *order, by_place);
  for (size_t i = 0; i < n; i++) show(&t, d, &d->item[order[i].i]);
  if (d && d->dropped) amo_text_printf(&t, "note: %zu more messages are not shown\n", d->dropped);
  free(order);
  return amo_text_take(&t);
}
