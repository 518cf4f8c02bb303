// SPDX-License-Identifier: Apache-2.0
#include "expr/lex.h"

#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_digit(char c)
{
  return c >= '0' && c <= '9';
}
static bool is_alpha(char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
static bool is_word(char c)
{
  return is_alpha(c) || is_digit(c);
}

// The character at i, NUL beyond the end (a NUL in the text is an unexpected character anyway).
static char peek(const amo_source *t, size_t i)
{
  return i < t->length ? t->text[i] : '\0';
}

int amo_shown(size_t length)
{
  return length < 48 ? (int)length : 48;
}

amo_source amo_source_open(const char *text, size_t length, amo_at at, amo_diags *diags)
{
  amo_source t = {.text = text, .length = length, .at = at, .diags = diags};
  const char *newline = length > 0 ? memchr(text, '\n', length) : NULL;
  t.newline = newline ? (size_t)(newline - text) : length;
  return t;
}

amo_at amo_source_at(amo_source *t, size_t offset, size_t length)
{
  amo_at at = t->at;
  size_t start = 0;
  for (size_t i = t->newline; i < offset && i < t->length; i++) {
    if (t->text[i] != '\n') continue;
    start = i + 1;
    at.line++;
    at.column = 1;
  }
  // Every name asks for its position: charge the search, or many names on many lines cost a square.
  if (offset > t->newline) t->tokens += (long)((offset - t->newline) / 16);
  at.column += (int)(offset - start);
  at.length = length > 0 ? (int)length : 1;
  return at;
}

void amo_source_error(amo_source *t, size_t offset, size_t length, const char *hint, const char *fmt, ...)
{
  char buf[320];
  va_list ap;
  if (t->reports++ >= AMO_MAX_REPORTS) return;
  va_start(ap, fmt);
  vsnprintf(buf, sizeof buf, fmt, ap);
  va_end(ap);
  amo_error(t->diags, amo_source_at(t, offset, length), hint, "%s", buf);
}

// ---- numbers ----

// 1 1.5 .5 1e-3; in "1..3" the dots belong to the range.
static size_t number_end(const amo_source *t, size_t i)
{
  while (is_digit(peek(t, i))) i++;
  if (peek(t, i) == '.' && peek(t, i + 1) != '.') {
    i++;
    while (is_digit(peek(t, i))) i++;
  }
  if (peek(t, i) == 'e' || peek(t, i) == 'E') {
    size_t j = i + 1;
    if (peek(t, j) == '+' || peek(t, j) == '-') j++;
    if (is_digit(peek(t, j))) {
      while (is_digit(peek(t, j))) j++;
      i = j;
    }
  }
  return i;
}

/// 0x10, 0b1, 0o7: other languages' numbers, which would read as a product without its sign here.
static bool other_base(amo_source *t, amo_token *out)
{
  const char c = (char)(peek(t, t->pos + 1) | 0x20);
  if (peek(t, t->pos) != '0' || (c != 'x' && c != 'b' && c != 'o') || !is_word(peek(t, t->pos + 2)))
    return false;
  size_t end = t->pos;
  while (is_word(peek(t, end))) end++;
  out->kind = AMO_T_BAD;
  out->length = end - t->pos;
  amo_source_error(t, t->pos, out->length, "write it in decimal digits, as 16 or 1.6e1",
                   "'%.*s' is not a decimal number", amo_shown(out->length), t->text + t->pos);
  t->pos = end;
  return true;
}

static void lex_number(amo_source *t, amo_token *out)
{
  char buf[400];
  if (other_base(t, out)) return;
  const size_t end = number_end(t, t->pos), n = end - t->pos;
  out->kind = AMO_T_NUMBER;
  out->length = n;
  t->pos = end;
  if (n >= sizeof buf) {
    amo_source_error(t, out->offset, n, NULL, "number with %zu characters is too long", n);
    out->kind = AMO_T_BAD;
    return;
  }
  memcpy(buf, t->text + out->offset, n);
  buf[n] = '\0';
  char *dot = strchr(buf, '.');
  if (dot) *dot = *localeconv()->decimal_point;  // strtod follows the embedder's locale, we do not
  out->value = strtod(buf, NULL);
  if (!isfinite(out->value)) {
    amo_source_error(t, out->offset, n, "the largest number is about 1.8e308", "number is too large");
    out->kind = AMO_T_BAD;
  }
}

// ---- names ----

// In paths the brackets belong to the name: runs.final.x[2]  or  x[-1].
static size_t bracket_end(const amo_source *t, size_t i)
{
  size_t j = i + 1;
  if (peek(t, j) == '-') j++;
  while (is_word(peek(t, j))) j++;
  return j > i + 1 && peek(t, j) == ']' ? j + 1 : i;
}

static size_t name_end(const amo_source *t, size_t i)
{
  for (;;) {
    size_t j = i;
    while (is_word(peek(t, j)) || (peek(t, j) == '.' && is_word(peek(t, j + 1)))) j++;
    if (t->paths) {
      if (peek(t, j) == '[') j = bracket_end(t, j);
      size_t q = j;
      while (peek(t, q) == '\'') q++;  // inner primes: x'.mean
      if (q > j && peek(t, q) == '.' && is_word(peek(t, q + 1))) j = q;
    }
    if (j == i || !t->paths) return j;
    i = j;
  }
}

static void lex_name(amo_source *t, amo_token *out)
{
  static const struct {
    const char *text;
    amo_token_kind kind;
  } keyword[] = {{"and", AMO_T_AND}, {"or", AMO_T_OR}, {"not", AMO_T_NOT}};
  const size_t end = name_end(t, t->pos);
  out->kind = AMO_T_NAME;
  out->length = end - t->pos;
  t->pos = end;
  for (size_t i = 0; i < sizeof keyword / sizeof keyword[0]; i++)
    if (strlen(keyword[i].text) == out->length &&
        memcmp(keyword[i].text, t->text + out->offset, out->length) == 0)
      out->kind = keyword[i].kind;
}

// ---- signs ----

/// .inf and .nan, as YAML writes them.
static bool not_finite(amo_source *t, amo_token *out)
{
  static const char *const word[] = {"inf", "nan"}, *const hint[] = {"write a large finite number",
                                                                     "values are finite numbers"};
  for (size_t i = 0; i < 2; i++) {
    size_t n = 0;
    while (n < 3 && (peek(t, t->pos + 1 + n) | 0x20) == word[i][n]) n++;
    if (peek(t, t->pos) != '.' || n < 3 || is_word(peek(t, t->pos + 4))) continue;
    amo_source_error(t, t->pos, 4, hint[i], "'.%s' is not a value here", word[i]);
    out->kind = AMO_T_BAD;
    out->length = 4;
    t->pos += 4;
    return true;
  }
  return false;
}

static void lex_bad(amo_source *t, amo_token *out)
{
  if (not_finite(t, out)) return;
  const unsigned char c = (unsigned char)t->text[t->pos];
  const char *hint = NULL;
  if (c == '&')
    hint = "write 'and'";
  else if (c == '|')
    hint = "write 'or', or abs(x)";
  else if (c == '!')
    hint = "write 'not'";
  else if (c == '%')
    hint = "there is no remainder operator";
  else if (c == '\'')
    hint = "a prime follows the name it differentiates: x'";
  else if (c == 0xc2 && (unsigned char)peek(t, t->pos + 1) == 0xb0)
    hint = "angles are in radians: 30*pi/180";
  else if (c >= 0x80)
    hint = "expressions use ASCII letters: write mu, pi, *";
  size_t n = 1;
  while (c >= 0xc0 && n < 4 && ((unsigned char)peek(t, t->pos + n) & 0xc0) == 0x80) n++;
  if (c >= 0xc0 && n > 1)
    amo_source_error(t, t->pos, 1, hint, "unexpected character '%.*s'", (int)n, t->text + t->pos);
  else if (c >= 0x20 && c < 0x7f)
    amo_source_error(t, t->pos, 1, hint, "unexpected character '%c'", c);
  else
    amo_source_error(t, t->pos, 1, hint, "unexpected byte 0x%02x", c);
  out->kind = AMO_T_BAD;
  out->length = n;
  t->pos += n;
}

static void lex_sign(amo_source *t, amo_token *out)
{
  static const struct {
    char text[3];
    amo_token_kind kind;
  } sign[] = {{"<=", AMO_T_LE},     {">=", AMO_T_GE},   {"==", AMO_T_EQ},   {"!=", AMO_T_NE},
              {"..", AMO_T_RANGE},  {"<", AMO_T_LT},    {">", AMO_T_GT},    {"=", AMO_T_ASSIGN},
              {"+", AMO_T_PLUS},    {"-", AMO_T_MINUS}, {"*", AMO_T_TIMES}, {"/", AMO_T_OVER},
              {"^", AMO_T_CARET},   {"(", AMO_T_OPEN},  {")", AMO_T_CLOSE}, {"[", AMO_T_INDEX},
              {"]", AMO_T_UNINDEX}, {",", AMO_T_COMMA}};
  for (size_t i = 0; i < sizeof sign / sizeof sign[0]; i++) {
    const size_t n = strlen(sign[i].text);
    if (peek(t, t->pos) != sign[i].text[0] || (n == 2 && peek(t, t->pos + 1) != sign[i].text[1])) continue;
    out->kind = sign[i].kind;
    out->length = n;
    t->pos += n;
    return;
  }
  lex_bad(t, out);
}

void amo_lex(amo_source *t, amo_token *out)
{
  char c;
  while ((c = peek(t, t->pos)) == ' ' || c == '\t' || c == '\n' || c == '\r') t->pos++;
  *out = (amo_token){.kind = AMO_T_END, .offset = t->pos, .length = 0};
  if (t->pos >= t->length) return;
  if (++t->tokens > AMO_MAX_TOKENS) {
    amo_source_error(t, t->pos, 1, NULL, "sums in this expression take more than %ld steps to read",
                     AMO_MAX_TOKENS);
    out->kind = AMO_T_BAD;
    return;
  }
  if (is_digit(c) || (c == '.' && is_digit(peek(t, t->pos + 1))))
    lex_number(t, out);
  else if (is_alpha(c))
    lex_name(t, out);
  else
    lex_sign(t, out);
}
