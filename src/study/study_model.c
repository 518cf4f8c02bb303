// SPDX-License-Identifier: Apache-2.0
/// The model of a run: a file, or the mapping written in the study itself. An inline model is handed to
/// the one model loader as the study's own text with everything else blanked out, so that mistakes in
/// it are reported at their line and column in the study file.
#include <stdlib.h>
#include <string.h>

#include "study/run.h"

static size_t offset_of(const char *text, size_t size, int line, int column)
{
  size_t i = 0;
  for (int l = 1; i < size && l < line; i++)
    if (text[i] == '\n') l++;
  for (int c = 1; i < size && c < column && text[i] != '\n'; c++) {
    do i++;
    while (i < size && ((unsigned char)text[i] & 0xc0) == 0x80);  // columns count characters
  }
  return i;
}

/// End of a flow mapping "{...}" that begins at `i`; quotes are respected.
static size_t flow_end(const char *text, size_t size, size_t i)
{
  int depth = 0;
  char quote = 0;
  for (; i < size; i++) {
    char c = text[i];
    if (quote) {
      if (c == quote) quote = 0;
    } else if (c == '"' || (c == '\'' && i && strchr(" ,:{[\n", text[i - 1]))) {
      quote = c;
    } else if (c == '{' || c == '[') {
      depth++;
    } else if ((c == '}' || c == ']') && --depth == 0) {
      return i + 1;
    }
  }
  return size;
}

/// A block mapping ends at the first line that is indented less than its first key.
static size_t block_end(const char *text, size_t size, size_t start, int column)
{
  size_t i = start;
  while (i < size) {
    while (i < size && text[i] != '\n') i++;
    if (i < size) i++;
    size_t k = i;
    while (k < size && text[k] == ' ') k++;
    bool empty = k >= size || text[k] == '\n' || text[k] == '\r' || text[k] == '#';
    if (!empty && k - i + 1 < (size_t)column) return i;
  }
  return size;
}

static char *cut_model(const amo_study *s, const amo_yaml *model, size_t *size)
{
  size_t start = offset_of(s->text, s->size, model->at.line, model->at.column);
  bool flow = start < s->size && s->text[start] == '{';
  size_t end =
      flow ? flow_end(s->text, s->size, start) : block_end(s->text, s->size, start, model->at.column);
  char *out = malloc(end + 2);
  if (!out) return NULL;
  for (size_t i = 0; i < start; i++) out[i] = s->text[i] == '\n' ? '\n' : ' ';
  memcpy(out + start, s->text + start, end - start);
  out[end] = '\n';
  out[end + 1] = 0;
  *size = end + 1;
  return out;
}

static bool readable(const char *path)
{
  FILE *f = path ? fopen(path, "rb") : NULL;
  if (f) fclose(f);
  return f != NULL;
}

/// A path is tried beside the study first, then from the working directory; ".yaml" may be left out.
amo_status amo_study_find_file(const amo_study *s, const char *what, const char *text, amo_at at,
                               amo_diags *d, const char **path, amo_arena *a)
{
  const char *folder[2] = {text[0] == '/' ? "" : s->directory, ""};
  const char *ending[2] = {"", ".yaml"};
  for (int i = 0; i < 4; i++) {
    *path = amo_arena_printf(a, "%s%s%s", folder[i / 2], text, ending[i % 2]);
    if (!*path) return AMO_ENOMEM;
    if (readable(*path)) return AMO_OK;
  }
  amo_error(d, at, "paths are relative to the study file, then to the working directory",
            "cannot read the %s '%s'", what, text);
  *path = text;
  return AMO_EIO;
}

amo_status amo_study_find_model(const amo_study *s, const amo_yaml *model, amo_diags *d, const char **path,
                                amo_arena *a)
{
  return amo_study_find_file(s, "model", model->text, model->at, d, path, a);
}

amo_status amo_study_model(const amo_study *s, const amo_yaml *model, const amo_setting *set, size_t nset,
                           amo_diags *d, amo_model **out, amo_arena *a)
{
  const char *path = "";
  if (!model) return AMO_OK;  // a verb that needs none
  if (model->kind == AMO_YAML_MAP) {
    size_t size = 0;
    char *text = cut_model(s, model, &size);
    if (!text) return AMO_ENOMEM;
    amo_status st = amo_model_parse(s->path, text, size, set, nset, d, out);
    free(text);
    return st;
  }
  amo_status st = amo_yaml_expect(model, AMO_YAML_SCALAR, "model", d);
  if (st != AMO_OK) return st;
  st = amo_study_find_model(s, model, d, &path, a);
  return st == AMO_OK ? amo_model_load(path, set, nset, d, out) : st;
}
