// SPDX-License-Identifier: Apache-2.0
/// Study file to amo_study. Accepts several natural spellings (docs/study.md lists them); whatever it
/// does not know is an error with a suggestion, and all mistakes are reported in one go.
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "study/study.h"
#include "study/study_load.h"
#include "study/keys.h"

static const char *const group_words[] = {"studies", "cases", NULL};

bool amo_study_is_key(const char *word)
{
  return amo_study_has_key("", word);
}

bool amo_study_truth(const amo_yaml *n, bool *out)
{
  static const char *const words[] = {"false", "true", "no", "yes", "off", "on"};
  if (!amo_yaml_is(n, AMO_YAML_SCALAR)) return false;
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    if (!strcasecmp(n->text, words[i])) {
      *out = i % 2 == 1;
      return true;
    }
  return false;
}

// ---- identity ----

/// Ids become file names of figures and words of commands.
static bool good_id(const char *id)
{
  if (!id[0] || id[0] == '.') return false;
  for (const char *p = id; *p; p++)
    if (!(isalnum((unsigned char)*p) && (unsigned char)*p < 0x80) && !strchr("._-", *p)) return false;
  return true;
}

static const char *file_stem(amo_study *s)
{
  const char *slash = strrchr(s->path, '/'), *base = slash ? slash + 1 : s->path;
  const char *dot = strrchr(base, '.');
  char *stem = amo_arena_str(&s->arena, base, dot && dot > base ? (size_t)(dot - base) : strlen(base));
  for (char *p = stem; p && *p; p++) {
    char one[2] = {*p == '.' && p == stem ? ' ' : *p, 0};
    if (!good_id(one) && *p != '.') *p = '-';
    if (*p == '.' && p == stem) *p = '-';
  }
  return stem;
}

static amo_status add_id(amo_study *s, const amo_yaml *n, amo_diags *d)
{
  const char *id = NULL;
  amo_status st = amo_yaml_string(n, "id", d, &id);
  if (st != AMO_OK) return st;
  if (!good_id(id))
    return amo_error(d, n->at,
                     "letters, digits, '.', '_' and '-', not starting with '.'; other texts are a title",
                     "'%s' cannot be an id", id);
  s->id[s->ids++] = id;
  return AMO_OK;
}

static amo_status load_ids(amo_study *s, const amo_yaml *root, amo_diags *d)
{
  static const char *const words[] = {"study", "id", NULL};
  const amo_yaml *one = amo_yaml_first_of(root, words), *many = amo_yaml_get(root, "ids");
  const amo_yaml *name = amo_yaml_get(root, "name");
  amo_status st = AMO_OK;
  // A name that cannot be an id is a title.
  if (!one && amo_yaml_is(name, AMO_YAML_SCALAR) && good_id(name->text)) one = name;
  if (name && name != one && name->kind == AMO_YAML_SCALAR) s->title = name->text;
  if (one && one->kind == AMO_YAML_LIST) many = one, one = NULL;
  if (many && amo_yaml_expect(many, AMO_YAML_LIST, "ids", d) != AMO_OK) return AMO_EINPUT;
  size_t n = many ? many->count : 0;
  s->id = amo_arena_alloc(&s->arena, (n + 2) * sizeof *s->id);
  if (!s->id) return AMO_ENOMEM;
  if (one && add_id(s, one, d) != AMO_OK) st = AMO_EINPUT;
  for (const amo_yaml *c = many ? many->first : NULL; c; c = c->next)
    if (add_id(s, c, d) != AMO_OK) st = AMO_EINPUT;
  if (!s->ids) s->id[s->ids++] = file_stem(s);
  return s->id[0] ? st : AMO_ENOMEM;
}

static void load_text(const amo_yaml *root, const char *key, const char **out, amo_diags *d)
{
  const amo_yaml *n = amo_yaml_get(root, key);
  if (n) amo_yaml_string(n, key, d, out);
}

// ---- definitions, shown rows ----

/// Does `word` stand in a scalar of the tree, as a word?
static bool mentions(const amo_yaml *n, const char *word)
{
  const size_t length = strlen(word);
  for (const char *p = n->text; (p = strstr(p, word)) != NULL; p++) {
    bool before = p > n->text && (isalnum((unsigned char)p[-1]) || p[-1] == '_' || p[-1] == '.');
    if (!before && !isalnum((unsigned char)p[length]) && p[length] != '_') return true;
  }
  for (const amo_yaml *c = n->first; c; c = c->next)
    if ((c->key && mentions(c->key, word)) || mentions(c, word)) return true;
  return false;
}

/// In the study itself or, where studies share their definitions, in any of them.
static bool is_used(const amo_study *s, const amo_yaml *root, const amo_yaml *def)
{
  static const char *const places[] = {"expect", "expectations", "figure", "figures",
                                       "shown",  "define",       NULL};
  const char *name = def->key->text;
  for (size_t i = 0; places[i]; i++) {
    const amo_yaml *n = amo_yaml_get(root, places[i]);
    bool inside = n && !strcmp(places[i], "define");
    if (n && !inside && mentions(n, name)) return true;
    for (const amo_yaml *c = inside ? n->first : NULL; c; c = c->next)
      if (c != def && mentions(c, name)) return true;
  }
  const amo_yaml *file = amo_yaml_root(s->doc), *group = amo_yaml_first_of(file, group_words);
  return group && mentions(group, name);
}

/// A name that paths and expressions can use, and that means nothing else.
static amo_status check_name(const amo_study *s, const amo_yaml *key, amo_diags *d)
{
  static const char *const taken[] = {"and", "or", "not", "in", "is", "true", "false", "null", "pi", NULL};
  const char *name = key->text;
  bool good = isalpha((unsigned char)name[0]) || name[0] == '_';
  for (const char *p = name; *p; p++) good = good && (isalnum((unsigned char)*p) || *p == '_');
  if (!good)
    return amo_error(d, key->at, "letters, digits and '_'", "'%s' cannot be the name of a value", name);
  bool used = false;
  for (size_t i = 0; taken[i]; i++) used = used || !strcmp(name, taken[i]);
  for (size_t i = 0; i < s->runs; i++)
    used = used || !strcmp(name, s->run[i].name) || !strcmp(name, s->run[i].verb_name);
  if (used) return amo_error(d, key->at, "another name", "'%s' means something else already", name);
  return AMO_OK;
}

static amo_status load_definitions(amo_study *s, const amo_yaml *root, amo_diags *d)
{
  const amo_yaml *n = amo_yaml_get(root, "define");
  if (!n) return AMO_OK;
  amo_status st = amo_yaml_expect(n, AMO_YAML_MAP, "define", d);
  if (st != AMO_OK) return st;
  for (const amo_yaml *c = n->first; c; c = c->next) {
    if (amo_yaml_expect(c, AMO_YAML_SCALAR, c->key->text, d) != AMO_OK) st = AMO_EINPUT;
    if (check_name(s, c->key, d) != AMO_OK) st = AMO_EINPUT;
    if (!is_used(s, root, c))
      st = amo_error(d, c->key->at, NULL, "the definition '%s' is used nowhere", c->key->text);
    if (!AMO_ROOM(s->define, s->defines, s->define_cap)) return AMO_ENOMEM;
    s->define[s->defines++] = (amo_definition){c->key->text, c};
  }
  return st;
}

static amo_status load_shown_row(amo_study *s, const amo_yaml *n, const char *what, amo_diags *d)
{
  amo_shown row = {what ? what : "", "", "", NULL};
  amo_status st = amo_yaml_expect(n, AMO_YAML_MAP, "a shown row", d);
  if (st == AMO_OK) st = amo_yaml_only_of(n, "a shown row", amo_study_keys, "shown[]", d);
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

/// Options of a verb given as `verb: simulate` may stand beside it.
static const amo_verb *top_verb(const amo_yaml *root)
{
  static const char *const words[] = {"verb", "analysis", "run", NULL};
  const amo_yaml *v = amo_yaml_first_of(root, words);
  return amo_yaml_is(v, AMO_YAML_SCALAR) ? amo_verb_find(v->text) : NULL;
}

enum { MOST_WORDS = 191 };

typedef struct key_words {
  const char *word[MOST_WORDS + 1];
  size_t count;
} key_words;

static int add_key(void *ctx, const char *key)
{
  key_words *k = ctx;
  if (k->count < MOST_WORDS) k->word[k->count++] = key;
  return 0;
}

/// Known keys: ours and the names of the verbs, so that a misspelt verb gets its suggestion too.
static amo_status check_keys(amo_study *s, const amo_yaml *root, amo_diags *d)
{
  key_words k = {.count = 0};
  amo_fields_at(amo_study_keys, "", add_key, &k);
  for (const amo_verb *const *v = amo_verbs(); *v; v++) add_key(&k, (*v)->name);
  const amo_verb *verb = top_verb(root);
  for (size_t i = 0; verb && verb->opts[i].name; i++) add_key(&k, verb->opts[i].name);
  amo_status st = amo_yaml_only(root, "a study", k.word, d);
  s->unknown_keys = st != AMO_OK;
  return st;
}

static amo_status load_sections(amo_study *s, const amo_yaml *root, amo_diags *d)
{
  amo_status st = amo_yaml_expect(root, AMO_YAML_MAP, "a study", d);
  if (st != AMO_OK) return st;
  amo_status part[6];
  part[0] = check_keys(s, root, d);
  part[1] = load_ids(s, root, d);
  part[2] = amo_study_load_runs(s, root, d);
  part[3] = load_definitions(s, root, d);
  part[4] = amo_study_load_expectations(s, root, d);
  part[5] = load_shown(s, amo_yaml_get(root, "shown"), d);
  load_text(root, "title", &s->title, d);
  load_text(root, "source", &s->source, d);
  load_text(root, "description", &s->note, d);
  load_text(root, "doc", &s->note, d);
  load_text(root, "note", &s->note, d);
  load_text(root, "kind", &s->kind, d);
  s->figure = amo_yaml_get(root, "figure");
  if (s->figure && amo_yaml_get(root, "figures"))
    amo_error(d, amo_yaml_get(root, "figures")->key->at, NULL,
              "'figure' and 'figures' mean the same; give one of them");
  if (!s->figure) s->figure = amo_yaml_get(root, "figures");
  for (size_t i = 0; i < sizeof part / sizeof part[0]; i++)
    if (part[i] != AMO_OK) st = part[i];
  return st;
}

// ---- several studies in one file ----

static bool names_a_run(const char *word)
{
  static const char *const words[] = {"verb", "run", "runs", "analysis", "analyses", NULL};
  for (size_t i = 0; words[i]; i++)
    if (!strcmp(word, words[i])) return true;
  return amo_study_is_verb(word);
}

static bool has_runs(const amo_yaml *n)
{
  for (const amo_yaml *c = n->first; c; c = c->next)
    if (names_a_run(c->key->text)) return true;
  return false;
}

static bool is_word(const char *word, const char *const *list)
{
  for (size_t i = 0; list[i]; i++)
    if (!strcmp(word, list[i])) return true;
  return false;
}

/// What stands beside `studies:` holds for all of them: the model, settings, sources, and the runs of
/// those that have none of their own.
static const amo_yaml *inherit(amo_study *s, const amo_yaml *root, const amo_yaml *item)
{
  static const char *const own[] = {"studies", "cases", "study",    "id", "ids",
                                    "name",    "title", "amontons", NULL};
  static const char *const merged[] = {"set", "parameters", "initial", "settings", "options", NULL};
  amo_yaml *map = amo_arena_alloc(&s->arena, sizeof *map);
  if (!map) return NULL;
  *map = (amo_yaml){.kind = AMO_YAML_MAP, .text = "", .at = item->at, .key = item->key};
  bool runs = has_runs(item);
  for (const amo_yaml *c = amo_yaml_is(root, AMO_YAML_MAP) ? root->first : NULL; c; c = c->next) {
    if (is_word(c->key->text, own) || (runs && names_a_run(c->key->text))) continue;
    if (!amo_yaml_put(&s->arena, map, c->key, c)) return NULL;
  }
  for (const amo_yaml *c = item->first; c; c = c->next) {
    const amo_yaml *base = amo_yaml_get(map, c->key->text), *value = c;
    if (base && is_word(c->key->text, merged)) value = amo_yaml_merged(&s->arena, base, c);
    if (!value || !amo_yaml_put(&s->arena, map, c->key, value)) return NULL;
  }
  return map;
}

/// An item without an id of its own: its key, its case, or its number in the file.
static void name_item(amo_study *s, const amo_yaml *item, size_t number)
{
  static const char *const words[] = {"study", "id", "ids", NULL};
  const amo_yaml *name = amo_yaml_get(item, "name"), *test = amo_yaml_get(item, "case");
  if (amo_yaml_first_of(item, words) || (amo_yaml_is(name, AMO_YAML_SCALAR) && good_id(name->text))) return;
  if (item->key)
    s->id[0] = item->key->text;
  else if (amo_yaml_is(test, AMO_YAML_SCALAR) && good_id(test->text))
    s->id[0] = test->text;
  else
    s->id[0] = amo_arena_printf(&s->arena, "%s-%zu", file_stem(s), number);
}

static void set_path(amo_study *s, const char *path)
{
  const char *slash = strrchr(path, '/');
  s->path = amo_arena_str(&s->arena, path, strlen(path));
  s->directory = amo_arena_str(&s->arena, path, slash ? (size_t)(slash - path) + 1 : 0);
  s->title = s->source = s->note = s->kind = "";
}

static amo_study *new_study(const char *path)
{
  amo_study *s = amo_zalloc(1, sizeof *s);
  if (!s) return NULL;
  set_path(s, path);
  if (s->path && s->directory) return s;
  amo_study_free(s);
  return NULL;
}

/// A byte order mark is not part of the text; positions would be one off.
static void drop_mark(amo_study *s)
{
  if (s->size < 3 || memcmp(s->text, "\xEF\xBB\xBF", 3) != 0) return;
  memmove(s->text, s->text + 3, s->size - 2);  // with the NUL behind the text
  s->size -= 3;
}

static amo_status load_item(amo_study *s, const amo_yaml *root, const amo_yaml *item, size_t number,
                            amo_diags *d)
{
  amo_status st = amo_yaml_expect(item, AMO_YAML_MAP, "a study", d);
  if (st != AMO_OK) return st;
  const amo_yaml *whole = inherit(s, root, item);
  if (!whole) return AMO_ENOMEM;
  st = load_sections(s, whole, d);
  if (!s->id) return st;
  name_item(s, item, number);
  if (!s->id[0]) return AMO_ENOMEM;
  if (item->key && !good_id(s->id[0]))
    st = amo_error(d, item->key->at, NULL, "'%s' cannot be an id", item->key->text);
  return st;
}

static amo_status load_items(amo_study *first, const amo_yaml *root, const amo_yaml *list, amo_diags *d)
{
  amo_status worst = AMO_OK;
  amo_study *last = first;
  size_t number = 1;
  if (!list->count) return amo_error(d, list->at, NULL, "there is no study in this list");
  if (amo_yaml_get(root, "expect") || amo_yaml_get(root, "expectations"))
    return amo_error(d, root->at, NULL, "expectations stand inside the studies of the list, not beside it");
  for (const amo_yaml *c = list->first; c; c = c->next, number++) {
    amo_study *s = c == list->first ? first : new_study(first->path);
    if (!s) return AMO_ENOMEM;
    if (s != first) {
      s->borrowed = true;
      s->doc = first->doc;
      s->text = first->text;
      s->size = first->size;
      last->next = s;
      last = s;
    }
    amo_status st = load_item(s, root, c, number, d);
    if (st != AMO_OK) worst = st;
  }
  return worst;
}

static amo_status load_root(amo_study *s, const amo_yaml *root, amo_diags *d)
{
  const amo_yaml *group = amo_yaml_first_of(root, group_words), *other = amo_yaml_get(root, "cases");
  const amo_yaml *coordinates = amo_yaml_get(root, "coordinates");
  if (coordinates && !amo_yaml_get(root, "model"))  // one mistake, and not one for each key
    return amo_error(
        d, coordinates->key->at,
        "ask it something (amontons simulate FILE), or write a study that names it (model: FILE)",
        "this is a model, not a study");
  if (group && other && other != group)
    return amo_error(d, other->key->at, NULL, "'studies' and 'cases' mean the same; give one of them");
  if (root->kind == AMO_YAML_LIST) return load_items(s, NULL, root, d);
  if (group && group->kind != AMO_YAML_SCALAR) return load_items(s, root, group, d);
  return load_sections(s, root, d);
}

/// `s` with its text read in; it is handed over or freed.
static amo_status load_text_of(amo_study *s, amo_diags *diags, amo_study **out)
{
  size_t before = amo_diags_errors(diags);
  drop_mark(s);
  amo_status st = amo_yaml_parse(s->path, s->text, s->size, diags, &s->doc);
  if (st == AMO_OK) st = load_root(s, amo_yaml_root(s->doc), diags);
  if (st == AMO_OK && amo_diags_errors(diags) > before) st = AMO_EINPUT;
  if (st == AMO_OK)
    *out = s;
  else
    amo_study_free(s);
  return st;
}

amo_status amo_study_parse(const char *path, const char *text, size_t size, amo_diags *diags, amo_study **out)
{
  *out = NULL;
  amo_study *s = new_study(path);
  if (s) s->text = malloc(size + 1);
  if (!s || !s->text) {
    amo_study_free(s);
    return AMO_ENOMEM;
  }
  if (size) memcpy(s->text, text, size);
  s->text[size] = 0;
  s->size = size;
  return load_text_of(s, diags, out);
}

amo_status amo_study_load_all(const char *path, amo_diags *diags, amo_study **out)
{
  *out = NULL;
  amo_study *s = new_study(path);
  if (!s) return AMO_ENOMEM;
  amo_status st = amo_file_read(path, AMO_MODEL_BYTES, diags, &s->text, &s->size);
  if (st == AMO_OK) return load_text_of(s, diags, out);
  amo_study_free(s);
  return st;
}

amo_status amo_study_load(const char *path, amo_diags *diags, amo_study **out)
{
  amo_status st = amo_study_load_all(path, diags, out);
  if (st != AMO_OK || !(*out)->next) return st;
  st = amo_error(diags, amo_yaml_root((*out)->doc)->at, "amontons test takes files with several studies",
                 "one study per file is expected here");
  amo_study_free(*out);
  *out = NULL;
  return st;
}

static void free_one(amo_study *s)
{
  if (!s->borrowed) {
    amo_yaml_free(s->doc);
    free(s->text);
  }
  free(s->run);
  free(s->define);
  free(s->expect);
  free(s->shown);
  amo_arena_free(&s->arena);
  free(s);
}

void amo_study_free(amo_study *s)
{
  amo_study *next = s ? s->next : NULL;
  for (; s; s = next) {
    next = s->next;
    free_one(s);
  }
}
