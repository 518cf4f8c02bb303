// SPDX-License-Identifier: Apache-2.0
#include "amontons/diag.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag_list.h"
#include "base/text.h"

amo_diags *amo_diags_new(void)
{
  return calloc(1, sizeof(amo_diags));
}

void amo_diags_free(amo_diags *d)
{
  if (!d) return;
  amo_arena_free(&d->arena);
  free(d->item);
  free(d);
}

size_t amo_diags_count(const amo_diags *d)
{
  return d ? d->count : 0;
}

size_t amo_diags_errors(const amo_diags *d)
{
  return d ? d->errors : 0;
}

const amo_diag *amo_diags_get(const amo_diags *d, size_t i)
{
  return d && i < d->count ? &d->item[i] : NULL;
}

static amo_source_text *find_source(amo_source_text *s, const char *file)
{
  while (s && strcmp(s->file, file) != 0) s = s->next;
  return s;
}

const char *amo_diags_source(amo_diags *d, const char *file, const char *text, size_t size)
{
  if (!d || !file) return NULL;
  amo_source_text *s = find_source(d->source, file);
  if (!s) {
    s = amo_arena_alloc(&d->arena, sizeof *s);
    if (!s) return NULL;
    s->file = amo_arena_str(&d->arena, file, strlen(file));
    if (!s->file) return NULL;
    s->order = d->sources++;
    s->next = d->source;
    d->source = s;
  }
  if (text) {
    s->text = amo_arena_str(&d->arena, text, size);  // carets are simply left out if this fails
    s->size = s->text ? size : 0;
  }
  return s->file;
}

/// Positions may come from any amo_at; what is kept must not dangle.
static amo_at interned(amo_diags *d, amo_at at)
{
  if (at.file) at.file = amo_diags_source(d, at.file, NULL, 0);
  return at;
}

static void report(amo_diags *d, amo_severity severity, amo_at at, const char *hint, const char *fmt,
                   va_list ap)
{
  if (!d) return;
  if (severity == AMO_ERROR) d->errors++;
  if (d->count >= AMO_DIAGS_KEPT) {
    d->dropped++;
    return;
  }
  va_list again;
  va_copy(again, ap);
  amo_diag e = {.severity = severity, .at = interned(d, at)};
  e.message = amo_arena_vprintf(&d->arena, fmt, again);
  va_end(again);
  if (!e.message) e.message = "(out of memory for the message)";
  if (hint) e.hint = amo_arena_str(&d->arena, hint, strlen(hint));
  if (!AMO_ROOM(d->item, d->count, d->cap)) {
    d->dropped++;
    return;
  }
  d->item[d->count++] = e;
}

amo_status amo_error(amo_diags *d, amo_at at, const char *hint, const char *fmt, ...)
{
  va_list ap;
  va_start(ap, fmt);
  report(d, AMO_ERROR, at, hint, fmt, ap);
  va_end(ap);
  return AMO_EINPUT;
}

void amo_warn(amo_diags *d, amo_at at, const char *hint, const char *fmt, ...)
{
  va_list ap;
  va_start(ap, fmt);
  report(d, AMO_WARNING, at, hint, fmt, ap);
  va_end(ap);
}
