// SPDX-License-Identifier: Apache-2.0
#include "result/show.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static bool is_safe(const char *s)
{
  while (*s >= ' ' && *s <= '~') s++;  // mostly all of it
  for (size_t n = strlen(s), length; n; s += length, n -= length) {
    length = amo_utf8_length(s, n);
    if (!length || !amo_utf8_printable(s, length)) return false;
  }
  return true;
}

/// Caller frees; NULL: out of memory.
static char *made_safe(const char *s)
{
  amo_text t = {0};
  while (*s) {
    size_t n = strcspn(s, "\n\t");
    amo_text_safe(&t, s, n);
    s += n;
    if (*s) amo_text_add(&t, " ", 1), s++;
  }
  return amo_text_take(&t);
}

void amo_show_text(const char *text, FILE *out)
{
  char *safe = is_safe(text) ? NULL : made_safe(text);
  fputs(safe ? safe : is_safe(text) ? text : "?", out);
  free(safe);
}

void amo_show_field_text(const char *text, amo_text *out)
{
  char *safe = made_safe(text);
  const char *s = safe ? safe : "?";
  const bool quote = strpbrk(s, ",\"") != NULL;
  if (quote) amo_text_add(out, "\"", 1);
  for (; *s; s++) amo_text_add(out, *s == '"' ? "\"\"" : s, *s == '"' ? 2 : 1);
  if (quote) amo_text_add(out, "\"", 1);
  free(safe);
}

void amo_show_field(const char *text, FILE *out)
{
  amo_text t = {0};
  amo_show_field_text(text, &t);
  fputs(t.data && !t.failed ? t.data : "", out);
  amo_text_free(&t);
}

static void show_key(cJSON *v)
{
  if (!v->string || is_safe(v->string)) return;
  char *safe = made_safe(v->string), *copy = safe ? cJSON_malloc(strlen(safe) + 1) : NULL;
  if (copy) strcpy(copy, safe);
  if (!(v->type & cJSON_StringIsConst)) cJSON_free(v->string);
  v->type &= ~cJSON_StringIsConst;
  v->string = copy;
  free(safe);
}

void amo_show_json(cJSON *v)
{
  for (; v; v = v->next) {
    show_key(v);
    if (v->string && !strcmp(v->string, "svg")) continue;  // a document, made safe where it was drawn
    if (cJSON_IsString(v) && !is_safe(v->valuestring)) {
      char *safe = made_safe(v->valuestring);
      cJSON_SetValuestring(v, safe ? safe : "?");
      free(safe);
    }
    if (v->child) amo_show_json(v->child);
  }
}
