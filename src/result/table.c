// SPDX-License-Identifier: Apache-2.0
#include "result/table.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/// Characters on the screen: bytes that continue a UTF-8 character do not count.
static size_t shown(const char *s)
{
  size_t n = 0;
  for (; *s; s++) n += ((unsigned char)*s & 0xC0) != 0x80;
  return n;
}

void amo_table_head(amo_table *t, const char *text)
{
  if (t->columns == AMO_TABLE_COLUMNS) return;
  const char *copy = amo_arena_str(&t->arena, text, strlen(text));
  t->head[t->columns++] = copy ? copy : "<";
}

void amo_table_cell(amo_table *t, const char *fmt, ...)
{
  va_list ap;
  va_start(ap, fmt);
  const char *text = amo_arena_vprintf(&t->arena, fmt, ap);
  va_end(ap);
  if (AMO_ROOM(t->cell, t->cells, t->capacity)) t->cell[t->cells++] = text ? text : "";
}

void amo_table_end_row(amo_table *t)
{
  while (t->columns && t->cells % t->columns) {
    size_t before = t->cells;
    amo_table_cell(t, "%s", "");
    if (t->cells == before) return;  // out of memory
  }
}

/// `*blanks` are owed to the line; they are printed only if text follows.
static void put(FILE *out, const char *text, char align, size_t width, size_t *blanks)
{
  size_t pad = width - shown(text);
  *blanks += 2 + (align == '>' ? pad : 0);
  if (*text) {
    fprintf(out, "%*s%s", (int)*blanks, "", text);
    *blanks = 0;
  }
  if (align != '>') *blanks += pad;
}

static void put_row(const amo_table *t, const char *const *cell, size_t columns, const size_t *width,
                    FILE *out)
{
  size_t blanks = 0;
  for (size_t c = 0; c < columns; c++) put(out, cell[c], t->head[c][0], width[c], &blanks);
  fprintf(out, "\n");
}

void amo_table_print(amo_table *t, FILE *out, int wide)
{
  size_t width[AMO_TABLE_COLUMNS] = {0}, total = 0, columns = t->columns;
  for (size_t c = 0; c < columns; c++) width[c] = shown(t->head[c] + 1);
  for (size_t i = 0; i < t->cells; i++) {
    size_t c = i % columns, n = shown(t->cell[i]);
    if (n > width[c]) width[c] = n;
  }
  for (size_t c = 0; c < t->columns; c++) {
    total += width[c] + 2;
    if (wide > 0 && total > (size_t)wide && columns > c && c > 1) columns = c;
  }
  const char *head[AMO_TABLE_COLUMNS];
  bool headed = false;
  for (size_t c = 0; c < columns; c++) {
    head[c] = t->head[c] + 1;
    headed = headed || *head[c];
  }
  if (headed) put_row(t, head, columns, width, out);
  for (size_t i = 0; t->columns && i + t->columns <= t->cells; i += t->columns)
    put_row(t, t->cell + i, columns, width, out);
  free(t->cell);
  amo_arena_free(&t->arena);
  *t = (amo_table){0};
}
