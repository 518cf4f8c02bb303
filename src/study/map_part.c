// SPDX-License-Identifier: Apache-2.0
// A line that says what the file is of, then for each row "row <tab> value <tab> ... <tab> #sum": what was cut off or
// altered does not have its sum.
#include "study/map_part.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "study/json.h"

#define TITLE "amontons map "
#define START 14695981039346656037ULL  // FNV-1a

static unsigned long long hash(unsigned long long h, const void *data, size_t n)
{
  const unsigned char *p = data;
  for (size_t i = 0; i < n; i++) h = (h ^ p[i]) * 1099511628211ULL;
  return h;
}

static unsigned long long hash_text(unsigned long long h, const char *s)
{
  return hash(h, s, strlen(s) + 1);
}

static unsigned long long hash_settings(unsigned long long h, const amo_options *o, const char *name)
{
  const amo_setting *set = NULL;
  size_t n = amo_opt_settings(o, name, &set);
  h = hash_text(h, name);
  for (size_t i = 0; i < n; i++) h = hash_text(hash_text(h, set[i].name), set[i].text);
  return h;
}

/// Everything that decides the grid.
static unsigned long long fingerprint(const amo_plane *m)
{
  unsigned long long h = hash_text(START, AMO_VERSION);
  const amo_axis *axis[2] = {&m->x, &m->y};
  const char *path = m->call->model_path;
  char *text = NULL;
  size_t size = 0;
  if (path && *path && strncmp(path, "/dev/", 5) != 0 &&
      amo_file_read(path, AMO_MODEL_BYTES, NULL, &text, &size) == AMO_OK)
    h = hash(h, text, size);
  free(text);
  h = hash_text(h, amo_model_name(m->call->model));
  h = hash_text(h, m->of);
  for (int i = 0; i < 2; i++) {
    h = hash_text(h, axis[i]->name);
    h = hash(hash(h, &axis[i]->from, sizeof(double)), &axis[i]->to, sizeof(double));
  }
  h = hash_settings(hash_settings(hash_settings(h, m->call->opt, "set"), m->call->opt, "at"), m->call->opt,
                    "with");
  h = hash(h, m->call->values->param, m->call->model->np * sizeof(double));
  h = hash(h, &m->nx, sizeof m->nx);
  return hash(h, &m->ny, sizeof m->ny);
}

/// A value as it stands in the part file. Numbers are marked, since a text may look like one.
static bool take_cell(amo_plane *m, size_t i, char *text)
{
  m->number[i] = NAN;
  if (text[0] == '=') {
    char *end = NULL;
    m->word[i] = AMO_CELL_NUMBER;
    m->number[i] = strtod(text + 1, &end);
    return end != text + 1 && !*end;
  }
  if (text[0] != '"') return false;
  m->word[i] = amo_plane_word(m, text + 1);
  return m->word[i] >= 0;
}

/// Cuts the sum off a line; false where it is not that of the rest.
static bool sum_holds(char *line)
{
  char *mark = strrchr(line, '\t'), expected[24];
  if (!mark) return false;
  snprintf(expected, sizeof expected, "\t#%016llx", hash(START, line, (size_t)(mark - line)));
  bool same = !strcmp(mark, expected);
  *mark = '\0';
  return same;
}

static bool take_values(amo_plane *m, size_t j, char *tab)
{
  for (size_t i = 0; i < m->nx; i++) {
    if (!tab) return false;
    char *text = tab + 1;
    tab = strchr(text, '\t');
    if (tab) *tab = '\0';
    if (!take_cell(m, j * m->nx + i, text)) return false;
  }
  return !tab;
}

static bool take_row(amo_plane *m, char *line)
{
  char *end = NULL;
  if (!sum_holds(line)) return false;
  unsigned long j = strtoul(line, &end, 10);
  if (*end != '\t' || j >= m->ny || m->done[j] || !take_values(m, j, end)) return false;
  m->done[j] = true;
  m->resumed++;
  return true;
}

/// How many lines were not whole rows. The last one has no end if it was being written when the run died.
static size_t take_rows(amo_plane *m, char *text, const char *stop)
{
  size_t damaged = 0;
  for (char *line = text; line < stop;) {
    char *end = memchr(line, '\n', (size_t)(stop - line));
    if (end) *end = '\0';
    if (!end || strlen(line) != (size_t)(end - line) || !take_row(m, line)) damaged++;
    line = end ? end + 1 : (char *)stop;
  }
  return damaged;
}

static amo_status resume(amo_plane *m, const char *part, const char *head)
{
  const amo_at nowhere = {0};
  char *text = NULL;
  size_t size = 0, damaged = 0, n = strlen(head);
  amo_status st = AMO_OK;
  if (amo_file_read(part, (size_t)1 << 33, NULL, &text, &size) != AMO_OK || !size) goto done;
  if (strncmp(text, TITLE, strlen(TITLE)) != 0)
    st = amo_error(m->call->diags, nowhere, "move it away, or name another --csv",
                   "'%s' is in the way: finished rows are kept there, but it is not of a map", part);
  else if (size < n || memcmp(text, head, n) != 0)
    amo_warn(m->call->diags, nowhere, NULL,
             "'%s' was left by another map, model or version: its rows are not used", part);
  else
    damaged = take_rows(m, text + n, text + size);
  if (damaged)
    amo_warn(m->call->diags, nowhere, NULL, "%zu row%s of '%s' %s damaged or not complete: computed again",
             damaged, damaged == 1 ? "" : "s", part, damaged == 1 ? "is" : "are");
done:
  free(text);
  return st;
}

void amo_part_write(const amo_plane *m, size_t j, FILE *out)
{
  amo_text line = {0};
  char value[128];
  amo_text_printf(&line, "%zu", j);
  for (size_t i = j * m->nx; i < (j + 1) * m->nx; i++) {
    amo_plane_cell_text(m, i, value);
    amo_text_printf(&line, "\t%c%s", m->word[i] >= 0 ? '"' : '=', value);
  }
  char *text = amo_text_take(&line);
  if (text) fprintf(out, "%s\t#%016llx\n", text, hash(START, text, strlen(text)));
  free(text);
}

/// What was taken, without what was broken; the old file is there until the new one is.
static amo_status write_anew(const amo_plane *m, const char *part, const char *head)
{
  amo_file_writer w = {0};
  amo_status st = amo_file_write_begin(part, m->call->diags, &w);
  if (st != AMO_OK) return st;
  fputs(head, w.stream);
  for (size_t j = 0; j < m->ny; j++)
    if (m->done[j]) amo_part_write(m, j, w.stream);
  return amo_file_write_commit(&w, m->call->diags);
}

amo_status amo_part_failed(const amo_plane *m, const char *part)
{
  amo_error(m->call->diags, (amo_at){0}, NULL, "cannot write '%s': %s", part, strerror(errno));
  return AMO_EIO;
}

amo_status amo_part_open(amo_plane *m, const char *part, FILE **out)
{
  char head[96];
  snprintf(head, sizeof head, TITLE "%016llx\n", fingerprint(m));
  amo_status st = resume(m, part, head);
  if (st != AMO_OK) return st;
  st = write_anew(m, part, head);
  if (st != AMO_OK) return st;
  *out = fopen(part, "a");
  if (!*out) st = amo_part_failed(m, part);
  return st;
}
