// SPDX-License-Identifier: Apache-2.0
#include "tiles/kept.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/hash.h"

static const size_t most_bytes = (size_t)1 << 33;

bool amo_kept_head_read(const char *text, amo_kept_head *out)
{
  *out = (amo_kept_head){.slice.count = 1};
  size_t number = 1;
  const int found = sscanf(text, "amontons %31s %16llx %zu %zu/%zu", out->of, &out->identity, &out->count,
                           &number, &out->slice.count);
  out->slice.index = number - 1;
  return found >= 1;
}

void amo_kept_head_write(const amo_kept_head *h, const char *command, FILE *out)
{
  const size_t parts = h->slice.count ? h->slice.count : 1;
  fprintf(out, "amontons %s %016llx %zu %zu/%zu\t%s\n", h->of, h->identity, h->count, h->slice.index + 1,
          parts, command && !strchr(command, '\n') ? command : "");
}

/// Cuts the sum off a line; false where it is not that of the rest.
static bool sum_holds(char *line)
{
  char *mark = strrchr(line, '\t'), expected[24];
  if (!mark) return false;
  snprintf(expected, sizeof expected, "\t#%016llx", amo_hash(AMO_HASH, line, (size_t)(mark - line)));
  const bool same = !strcmp(mark, expected);
  *mark = '\0';
  return same;
}

bool amo_kept_line_read(char *line, size_t *tile, char **answer)
{
  char *end = NULL;
  if (!sum_holds(line)) return false;
  *tile = strtoul(line, &end, 10);
  if (end == line || *end != '\t') return false;
  *answer = end + 1;
  return true;
}

void amo_kept_write(size_t tile, const char *answer, FILE *out)
{
  amo_text line = {0};
  amo_text_printf(&line, "%zu\t", tile);
  amo_text_str(&line, answer);
  if (!line.failed) amo_text_printf(&line, "\t#%016llx\n", amo_hash(AMO_HASH, line.data, line.size));
  if (!line.failed) fwrite(line.data, 1, line.size, out);
  amo_text_free(&line);
}

amo_status amo_kept_failed(const char *path, amo_diags *diags)
{
  amo_error(diags, (amo_at){0}, NULL, "cannot write '%s': %s", path, strerror(errno));
  return AMO_EIO;
}

static bool take_line(const amo_tiles *t, char *line)
{
  size_t tile;
  char *answer;
  if (!amo_kept_line_read(line, &tile, &answer) || tile >= t->count || t->done[tile]) return false;
  return t->done[tile] = t->read(t->ctx, tile, answer);
}

/// How many lines behind the head were not whole tiles. The last one has no end if it was being written when the run died.
static size_t take_lines(const amo_tiles *t, char *text, const char *stop, size_t *taken)
{
  size_t damaged = 0;
  const char *head = memchr(text, '\n', (size_t)(stop - text));
  for (char *line = head ? text + (head - text) + 1 : text; head && line < stop;) {
    char *end = memchr(line, '\n', (size_t)(stop - line));
    if (end) *end = '\0';
    const bool whole = end && strlen(line) == (size_t)(end - line) && take_line(t, line);
    *taken += whole;
    damaged += !whole;
    line = end ? end + 1 : (char *)stop;
  }
  return damaged;
}

static amo_status resume(const amo_tiles *t, const char *path, amo_diags *diags, size_t *taken)
{
  const amo_at nowhere = {0};
  char *text = NULL;
  size_t size = 0, damaged = 0;
  amo_kept_head head;
  amo_status st = AMO_OK;
  if (amo_file_read(path, most_bytes, NULL, &text, &size) != AMO_OK || !size) goto done;
  if (!amo_kept_head_read(text, &head) || strcmp(head.of, t->of) != 0)
    st = amo_error(diags, nowhere, "move it away, or name another file",
                   "'%s' is in the way: finished %ss are kept there, but it is not of a %s", path, t->piece,
                   t->of);
  else if (head.identity != t->identity || head.count != t->count)
    amo_warn(diags, nowhere, NULL, "'%s' was left by another %s, model or version: its %ss are not used",
             path, t->of, t->piece);
  else
    damaged = take_lines(t, text, text + size, taken);
  if (damaged)
    amo_warn(diags, nowhere, NULL, "%zu %s%s of '%s' %s damaged or not complete: computed again", damaged,
             t->piece, damaged == 1 ? "" : "s", path, damaged == 1 ? "is" : "are");
done:
  free(text);
  return st;
}

/// What was taken, without what was broken; the old file is there until the new one is.
static amo_status write_anew(const amo_tiles *t, const amo_tiles_how *how, amo_diags *diags)
{
  amo_file_writer w = {0};
  amo_kept_head head = {.identity = t->identity, .count = t->count, .slice = how->slice};
  amo_status st = amo_file_write_begin(how->kept, diags, &w);
  if (st != AMO_OK) return st;
  snprintf(head.of, sizeof head.of, "%s", t->of);
  amo_kept_head_write(&head, how->command, w.stream);
  for (size_t i = 0; i < t->count; i++) {
    amo_text answer = {0};
    if (!t->done[i]) continue;
    t->write(t->ctx, i, &answer);
    if (!answer.failed) amo_kept_write(i, answer.data ? answer.data : "", w.stream);
    amo_text_free(&answer);
  }
  return amo_file_write_commit(&w, diags);
}

amo_status amo_kept_open(const amo_tiles *t, const amo_tiles_how *how, amo_diags *diags, size_t *taken,
                         FILE **out)
{
  amo_status st = resume(t, how->kept, diags, taken);
  if (st == AMO_OK) st = write_anew(t, how, diags);
  if (st != AMO_OK) return st;
  *out = fopen(how->kept, "a");
  return *out ? AMO_OK : amo_kept_failed(how->kept, diags);
}
