// SPDX-License-Identifier: Apache-2.0
#include "study/statement.h"

#include <ctype.h>
#include <string.h>

/// Walks over a text and knows what stands inside quotes and brackets.
typedef struct scan {
  int depth;
  bool quoted;
} scan;

/// Is the character at p outside of everything? Brackets themselves are not.
static bool outside(scan *s, const char *p)
{
  if (*p == '"') s->quoted = !s->quoted;
  if (s->quoted || *p == '"') return false;
  if (strchr("([", *p)) s->depth++;
  if (strchr(")]", *p)) {
    s->depth--;
    return false;
  }
  return s->depth == 0;
}

const char *amo_statement_comparison(const char *from, size_t *length)
{
  scan s = {0};
  for (const char *p = from; *p; p++) {
    if (!outside(&s, p) || !strchr("=<>!", *p) || (*p == '!' && p[1] != '=')) continue;
    *length = p[1] == '=' ? 2 : 1;
    return p;
  }
  return NULL;
}

const char *amo_statement_word(const char *from, const char *word)
{
  scan s = {0};
  size_t n = strlen(word);
  for (const char *p = from; *p; p++) {
    if (!outside(&s, p) || strncmp(p, word, n) != 0 || p == from) continue;
    bool before = isspace((unsigned char)p[-1]) || p[-1] == ')';
    bool after = isspace((unsigned char)p[n]) || p[n] == '(' || p[n] == '[';
    if (before && after) return p;
  }
  return NULL;
}

const char *amo_statement_comma(const char *from)
{
  scan s = {0};
  for (const char *p = from; *p; p++)
    if (outside(&s, p) && *p == ',') return p;
  return NULL;
}

bool amo_statement_enclosed(const char *text, size_t length, char open)
{
  scan s = {0};
  if (length < 2 || *text != open) return false;
  for (size_t i = 0; i < length; i++) {
    outside(&s, text + i);
    if (s.depth == 0 && !s.quoted) return i == length - 1;
  }
  return false;
}
