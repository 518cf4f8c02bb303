// SPDX-License-Identifier: Apache-2.0
/// Study file to amo_study. Accepts several natural spellings (docs/study.md lists them); whatever it
/// does not know is an error with a suggestion, and all mistakes are reported in one go.
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "study/study.h"
#include "study/study_load.h"

static const char *const study_keys[] = {
    "study",   "id",    "ids",   "name",         "title", "source",   "note",   "doc",   "kind",
    "case",    "model", "set",   "runs",         "over",  "define",   "expect", "shown", "figure",
    "figures", "fails", "error", "expect_error", "exit",  "amontons", NULL};

// ---- identity ----

static const char *file_stem(amo_study *s)
{
  const char *slash = strrchr(s->path, '/'), *base = slash ? slash + 1 : s->path;
  const char *dot = strrchr(base, '.');
  return amo_arena_str(&s->arena, base, dot && dot > base ? (size_t)(dot - base) : strlen(base));
}

static amo_status load_ids(amo_study *s, const amo_yaml *root, amo_diags *d)
{
  const amo_yaml *one = amo_yaml_get(root, "study"), *many = amo_yaml_get(root, "ids");
  if (!one) one = amo_yaml_get(root, "id");
  if (!one) one = amo_yaml_get(root, "name");
  if (one && one->kind == AMO_YAML_LIST) many = one, one = NULL;
  if (many && amo_yaml_expect(many, AMO_YAML_LIST, "ids", d) != AMO_OK) return AMO_EINPUT;
  size_t n = many ? many->count : 0;
  s->id = amo_arena_alloc(&s->arena, (n + 1) * sizeof *s->id);
  if (!s->id) return AMO_ENOMEM;
  if (one && amo_yaml_string(one, "study", d, &s->id[s->ids]) == AMO_OK) s->ids++;
  for (const amo_yaml *c = many ? many->first : NULL; c; c = c->next)
    if (amo_yaml_string(c, "id", d, &s->id[s->ids]) == AMO_OK) s->ids++;
  if (!s->ids) s->id[s->ids++] = file_stem(s);
  return s->id[0] ? AMO_OK : AMO_ENOMEM;
}

static void load_text(const amo_yaml *root, const char *key, const char **out, amo_diags *d)
{
  const amo_yaml *n = amo_yaml_get(root, key);
  if (n) amo_yaml_string(n, key, d, out);
}

// ---- definitions, shown rows ----

static amo_status load_definitions(amo_study *s, const amo_yaml *n, amo_diags *d)
{
  if (!n) return AMO_OK;
  amo_status st = amo_yaml_expect(n, AMO_YAML_MAP, "define", d);
  if (st != AMO_OK) return st;
  for (const amo_yaml *c = n->first; c; c = c->next) {
    if (amo_yaml_expect(c, AMO_YAML_SCALAR, c->key->text, d) != AMO_OK) st = AMO_EINPUT;
    if (!AMO_ROOM(s->define, s->defines, s->define_cap)) return AMO_ENOMEM;
    s->define[s->defines++] = (amo_definition){c->key->text, c};
  }
  return st;
}

static amo_status load_shown_row(amo_study *s, const amo_yaml *n, const char *what, amo_diags *d)
{
  static const char *const keys[] = {"what", "ours", "value", "source", "note", NULL};
  amo_shown row = {what ? what : "", "", "", NULL};
  amo_status st = amo_yaml_expect(n, AMO_YAML_MAP, "a shown row", d);
  if (st == AMO_OK) st = amo_yaml_only(n, "a shown row", keys, d);
  if (st != AMO_OK) return st;
  load_text(n, "what", &row.what, d);
  load_text(n, "source", &row.source, d);
  load_text(n, "note", &row.note, d);
  row.ours = amo_yaml_get(n, "ours");
  if (!row.ours) row.ours = amo_yaml_get(n, "value");
  if (!AMO_ROOM(s->shown, s->showns, s->shown_cap)) return AMO_ENOMEM;
  s->shown[s->showns++] = row;
  return AMO_OK;
}

static amo_status load_shown(amo_study *s, const amo_yaml *n, amo_diags *d)
{
  amo_status worst = AMO_OK;
  if (!n) return AMO_OK;
  bool single = amo_yaml_get(n, "ours") || amo_yaml_get(n, "source");
  if (n->kind == AMO_YAML_MAP && single) return load_shown_row(s, n, NULL, d);
  if (n->kind == AMO_YAML_SCALAR) return amo_yaml_expect(n, AMO_YAML_LIST, "shown", d);
  for (const amo_yaml *c = n->first; c; c = c->next) {
    amo_status st = load_shown_row(s, c, c->key ? c->key->text : NULL, d);
    if (st != AMO_OK) worst = st;
  }
  return worst;
}

// ---- the whole file ----

/// Known keys: ours and the names of the verbs, so that a misspelt verb gets its suggestion too.
static amo_status check_keys(const amo_yaml *root, amo_diags *d)
{
  const char *known[96];
  size_t n = 0;
  for (size_t i = 0; study_keys[i]; i++) known[n++] = study_keys[i];
  for (const amo_verb *const *v = amo_verbs(); *v && n < 95; v++) known[n++] = (*v)->name;
  known[n] = NULL;
  return amo_yaml_only(root, "a study", known, d);
}

static amo_status load_sections(amo_study *s, const amo_yaml *root, amo_diags *d)
{
  amo_status st = amo_yaml_expect(root, AMO_YAML_MAP, "a study", d);
  if (st != AMO_OK) return st;
  amo_status part[] = {
      check_keys(root, d),
      load_ids(s, root, d),
      amo_study_load_runs(s, root, d),
      load_definitions(s, amo_yaml_get(root, "define"), d),
      amo_study_load_expectations(s, root, d),
      load_shown(s, amo_yaml_get(root, "shown"), d),
  };
  load_text(root, "title", &s->title, d);
  load_text(root, "source", &s->source, d);
  load_text(root, "doc", &s->note, d);
  load_text(root, "note", &s->note, d);
  load_text(root, "kind", &s->kind, d);
  s->figure = amo_yaml_get(root, "figure");
  if (!s->figure) s->figure = amo_yaml_get(root, "figures");
  for (size_t i = 0; i < sizeof part / sizeof part[0]; i++)
    if (part[i] != AMO_OK) st = part[i];
  return st;
}

static void set_path(amo_study *s, const char *path)
{
  const char *slash = strrchr(path, '/');
  s->path = amo_arena_str(&s->arena, path, strlen(path));
  s->directory = amo_arena_str(&s->arena, path, slash ? (size_t)(slash - path) + 1 : 0);
  s->title = s->source = s->note = s->kind = "";
}

amo_status amo_study_load(const char *path, amo_diags *diags, amo_study **out)
{
  *out = NULL;
  amo_study *s = amo_zalloc(1, sizeof *s);
  if (!s) return AMO_ENOMEM;
  set_path(s, path);
  size_t before = amo_diags_errors(diags);
  amo_status st = s->path && s->directory ? AMO_OK : AMO_ENOMEM;
  if (st == AMO_OK) st = amo_file_read(path, AMO_MODEL_BYTES, diags, &s->text, &s->size);
  if (st == AMO_OK) st = amo_yaml_parse(path, s->text, s->size, diags, &s->doc);
  if (st == AMO_OK) st = load_sections(s, amo_yaml_root(s->doc), diags);
  if (st == AMO_OK && amo_diags_errors(diags) > before) st = AMO_EINPUT;
  if (st == AMO_OK)
    *out = s;
  else
    amo_study_free(s);
  return st;
}

void amo_study_free(amo_study *s)
{
  if (!s) return;
  amo_yaml_free(s->doc);
  free(s->text);
  free(s->run);
  free(s->define);
  free(s->expect);
  free(s->shown);
  amo_arena_free(&s->arena);
  free(s);
}
