// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static bool reserve(amo_text *t, size_t more)
{
  if (t->failed) return false;
  if (more > SIZE_MAX - t->size - 1) {
    t->failed = true;
    return false;
  }
  char *p = amo_grow(t->data, &t->cap, t->size + more + 1, 1);
  if (!p) {
    t->failed = true;
    return false;
  }
  t->data = p;
  return true;
}

void amo_text_add(amo_text *t, const char *s, size_t n)
{
  if (!reserve(t, n)) return;
  if (n) memcpy(t->data + t->size, s, n);
  t->size += n;
  t->data[t->size] = '\0';
}

void amo_text_str(amo_text *t, const char *s)
{
  amo_text_add(t, s, strlen(s));
}

void amo_text_fill(amo_text *t, char c, size_t n)
{
  if (!reserve(t, n)) return;
  memset(t->data + t->size, c, n);
  t->size += n;
  t->data[t->size] = '\0';
}

void amo_text_printf(amo_text *t, const char *fmt, ...)
{
  va_list ap, again;
  va_start(ap, fmt);
  va_copy(again, ap);
  int n = vsnprintf(NULL, 0, fmt, ap);
  va_end(ap);
  if (n < 0) {
    t->failed = true;
  } else if (reserve(t, (size_t)n)) {
    vsnprintf(t->data + t->size, (size_t)n + 1, fmt, again);
    t->size += (size_t)n;
  }
  va_end(again);
}

static uint32_t code_of(const char *s, size_t len)
{
  unsigned char c = (unsigned char)s[0];
  uint32_t code = len == 1 ? c : c & (0xFFu >> (len + 1));
  for (size_t i = 1; i < len; i++) code = code << 6 | ((unsigned char)s[i] & 0x3Fu);
  return code;
}

size_t amo_utf8_length(const char *s, size_t n)
{
  static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
  if (!n) return 0;
  unsigned char c = (unsigned char)s[0];
  if (c < 0x80) return 1;
  size_t len = c >= 0xF0 ? 4 : c >= 0xE0 ? 3 : 2;
  if (c < 0xC2 || c > 0xF4 || len > n) return 0;
  for (size_t i = 1; i < len; i++)
    if (((unsigned char)s[i] & 0xC0) != 0x80) return 0;
  uint32_t code = code_of(s, len);
  if (code < least[len] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return 0;
  return len;
}

/// Marks without ink that turn the direction of what follows, end a line or hide: a reader would see another text
/// than the one that is there.
static bool is_hidden(uint32_t code)
{
  static const uint32_t range[][2] = {{0x00AD, 0x00AD}, {0x061C, 0x061C}, {0x180E, 0x180E},
                                      {0x200B, 0x200F}, {0x2028, 0x202E}, {0x2060, 0x206F},
                                      {0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB}, {0xE0000, 0xE007F}};
  for (size_t i = 0; i < sizeof range / sizeof *range; i++)
    if (code >= range[i][0] && code <= range[i][1]) return true;
  return false;
}

bool amo_utf8_printable(const char *s, size_t length)
{
  if (!length) return false;
  uint32_t code = code_of(s, length);
  return code >= 0x20 && !(code >= 0x7F && code < 0xA0) && !is_hidden(code);
}

void amo_text_safe(amo_text *t, const char *s, size_t n)
{
  for (size_t i = 0; i < n;) {
    size_t len = amo_utf8_length(s + i, n - i);
    if (len && amo_utf8_printable(s + i, len))
      amo_text_add(t, s + i, len);
    else if (len > 1)
      amo_text_printf(t, "\\u%04X", (unsigned)code_of(s + i, len));
    else
      amo_text_printf(t, "\\x%02X", (unsigned char)s[i]);
    i += len ? len : 1;
  }
}

void amo_text_json(amo_text *t, const char *s, size_t n)
{
  for (size_t i = 0; i < n;) {
    size_t len = amo_utf8_length(s + i, n - i);
    uint32_t code = len ? code_of(s + i, len) : 0xFFFD;  // not UTF-8: JSON must be
    if (code == '"' || code == '\\')
      amo_text_printf(t, "\\%c", (char)code);
    else if (code == '\n' || code == '\t')
      amo_text_str(t, code == '\n' ? "\\n" : "\\t");
    else if (len && amo_utf8_printable(s + i, len))
      amo_text_add(t, s + i, len);
    else if (code >= 0x10000)
      amo_text_printf(t, "\\u%04x\\u%04x", (unsigned)(0xD7C0 + (code >> 10)),
                      (unsigned)(0xDC00 + (code & 0x3FF)));
    else
      amo_text_printf(t, "\\u%04x", (unsigned)code);
    i += len ? len : 1;
  }
}

char *amo_text_take(amo_text *t)
{
  amo_text_add(t, "", 0);  // an empty text is "", not NULL
  char *p = t->failed ? NULL : t->data;
  if (t->failed) free(t->data);
  *t = (amo_text){0};
  return p;
}

void amo_text_free(amo_text *t)
{
  free(t->data);
  *t = (amo_text){0};
}

bool amo_decimal(const char *s, double *out)
{
  char *end = NULL;
  if (!*s || strspn(s, "+-.0123456789eE") != strlen(s)) return false;
  *out = strtod(s, &end);
  return end != s && !*end;
}

void amo_number_text(double x, char out[32])
{
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(out, 32, "%.*g", digits, x);
    if (strtod(out, NULL) == x) return;
  }
}
