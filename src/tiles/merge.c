// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "tiles/kept.h"

static const size_t most_bytes = (size_t)1 << 33;

/// One of the files.
typedef struct part {
  const char *path;
  char *text, *command;  // command lies in text
  amo_kept_head head;
  size_t damaged;  // lines
} part;

typedef struct merge {
  part *item;
  size_t parts;
  char **answer;  // [count] in the text of a part
  size_t *owner;  // [count] which
  amo_merged *out;
  amo_diags *diags;
} merge;

static const amo_at nowhere = {0};

/// The head ends where the lines begin.
static amo_status open_part(part *p, const char *path, amo_diags *diags, size_t *size)
{
  p->path = path;
  amo_status st = amo_file_read(path, most_bytes, diags, &p->text, size);
  if (st != AMO_OK) return st;
  char *end = memchr(p->text, '\n', *size);
  if (!end || !amo_kept_head_read(p->text, &p->head) || !p->head.count)
    return amo_error(diags, nowhere, "files that --part or --keep wrote", "'%s' holds no finished tiles",
                     path);
  *end = '\0';
  char *tab = strchr(p->text, '\t');
  p->command = tab ? tab + 1 : end;
  return AMO_OK;
}

static bool same_question(const part *a, const part *b)
{
  return !strcmp(a->head.of, b->head.of) && a->head.identity == b->head.identity &&
         a->head.count == b->head.count;
}

static amo_status other_question(const merge *w, const part *p)
{
  return amo_error(w->diags, nowhere, NULL,
                   "'%s' (%s) and '%s' (%s) are of different questions, models or versions", w->item[0].path,
                   *w->item[0].command ? w->item[0].command : w->item[0].head.of, p->path,
                   *p->command ? p->command : p->head.of);
}

static amo_status take(merge *w, size_t k, size_t tile, char *answer)
{
  if (!w->answer[tile]) {
    w->answer[tile] = answer;
    w->owner[tile] = k;
    w->out->finished++;
    return AMO_OK;
  }
  w->out->twice++;
  if (!strcmp(w->answer[tile], answer)) return AMO_OK;
  return amo_error(w->diags, nowhere, "one of them was made by another build, or altered",
                   "'%s' and '%s' have different answers of number %zu", w->item[w->owner[tile]].path,
                   w->item[k].path, tile);
}

static amo_status take_lines(merge *w, size_t k, char *line, const char *stop)
{
  amo_status st = AMO_OK;
  while (st == AMO_OK && line < stop) {
    size_t tile;
    char *answer, *end = memchr(line, '\n', (size_t)(stop - line));
    if (end) *end = '\0';
    if (end && strlen(line) == (size_t)(end - line) && amo_kept_line_read(line, &tile, &answer) &&
        tile < w->out->count)
      st = take(w, k, tile, answer);
    else
      w->item[k].damaged++;
    line = end ? end + 1 : (char *)(size_t)stop;
  }
  if (w->item[k].damaged)
    amo_warn(w->diags, nowhere, NULL, "%zu line%s of '%s' %s damaged or not complete", w->item[k].damaged,
             w->item[k].damaged == 1 ? "" : "s", w->item[k].path, w->item[k].damaged == 1 ? "is" : "are");
  return st;
}

static amo_status take_part(merge *w, size_t k, const char *path)
{
  part *p = &w->item[k];
  size_t size = 0;
  amo_status st = open_part(p, path, w->diags, &size);
  if (st != AMO_OK) return st;
  if (k == 0) {
    snprintf(w->out->of, sizeof w->out->of, "%s", p->head.of);
    w->out->count = p->head.count;
    w->answer = amo_zalloc(p->head.count, sizeof *w->answer);
    w->owner = amo_zalloc(p->head.count, sizeof *w->owner);
    if (!w->answer || !w->owner) return AMO_ENOMEM;
  } else if (!same_question(&w->item[0], p)) {
    return other_question(w, p);
  }
  return take_lines(w, k, p->text + strlen(p->text) + 1, p->text + size);
}

// ---- what is missing ----

static bool given(const merge *w, size_t index, size_t count)
{
  for (size_t k = 0; k < w->parts; k++)
    if (w->item[k].head.slice.index == index && w->item[k].head.slice.count == count) return true;
  return false;
}

/// The parts of the job array that no file is of, where all files are of one array.
static void add_absent_parts(const merge *w, amo_text *out)
{
  const size_t count = w->item[0].head.slice.count;
  const char *before = "no file is of part ";
  for (size_t k = 0; k < w->parts; k++)
    if (w->item[k].head.slice.count != count) return;
  for (size_t i = 0; i < count; i++) {
    if (given(w, i, count)) continue;
    amo_text_printf(out, "%s%zu/%zu", before, i + 1, count);
    before = ", ";
  }
}

static amo_status tell_missing(const merge *w)
{
  enum { SHOWN = 8 };
  const size_t missing = w->out->count - w->out->finished;
  amo_text numbers = {0}, parts = {0};
  size_t shown = 0;
  for (size_t i = 0; i < w->out->count && shown < SHOWN; i++)
    if (!w->answer[i]) amo_text_printf(&numbers, "%s%zu", shown++ ? ", " : "", i);
  add_absent_parts(w, &parts);
  amo_error(w->diags, nowhere, parts.data ? parts.data : "the same command with --keep computes them",
            "%zu of %zu tiles are missing: number %s%s", missing, w->out->count,
            numbers.data ? numbers.data : "", missing > shown ? ", ..." : "");
  amo_text_free(&numbers);
  amo_text_free(&parts);
  return AMO_ENOANSWER;
}

static amo_status write_all(const merge *w, const char *path)
{
  amo_file_writer f = {0};
  amo_kept_head head = w->item[0].head;
  amo_status st = amo_file_write_begin(path, w->diags, &f);
  if (st != AMO_OK) return st;
  head.slice = (amo_slice){.count = 1};
  amo_kept_head_write(&head, w->item[0].command, f.stream);
  for (size_t i = 0; i < w->out->count; i++)
    if (w->answer[i]) amo_kept_write(i, w->answer[i], f.stream);
  return amo_file_write_commit(&f, w->diags);
}

amo_status amo_tiles_merge(const char *const *path, size_t paths, const char *out, amo_diags *diags,
                           amo_merged *merged)
{
  merge w = {.item = amo_zalloc(paths, sizeof *w.item), .parts = paths, .out = merged, .diags = diags};
  *merged = (amo_merged){0};
  amo_status st = w.item ? AMO_OK : AMO_ENOMEM;
  for (size_t k = 0; st == AMO_OK && k < paths; k++) st = take_part(&w, k, path[k]);
  if (st == AMO_OK) st = write_all(&w, out);
  if (st == AMO_OK && merged->twice)
    amo_warn(diags, nowhere, NULL, "%zu tiles stand in more than one file, with the same answers",
             merged->twice);
  if (st == AMO_OK && merged->finished < merged->count) st = tell_missing(&w);
  for (size_t k = 0; w.item && k < paths; k++) free(w.item[k].text);
  free(w.item);
  free(w.answer);
  free(w.owner);
  return st;
}
