// SPDX-License-Identifier: Apache-2.0
/// Loading a model: the stages in order, and what they share.
#include "model/loader.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "emit/emitted.h"
#include "model/model.h"
#include "model/rows.h"
#include "model/keys.h"

void amo_load_fail(amo_loader *ld, amo_status st)
{
  if (ld->status == AMO_OK || ld->status == AMO_EINPUT) ld->status = st;
}

void amo_say_(char to[AMO_WHAT], const char *const *part)
{
  size_t n = 0;
  for (; *part; part++)
    for (const char *p = *part; *p && n + 1 < AMO_WHAT; p++) to[n++] = *p;
  to[n] = '\0';
}

bool amo_load_hopeless(const amo_loader *ld)
{
  return ld->status != AMO_OK && ld->status != AMO_EINPUT;
}

static amo_status each_element(amo_loader *ld, const amo_yaml *c, const amo_key *k, amo_item_fn fn, void *ctx)
{
  for (long i = k->lo; i <= k->hi; i++) {
    amo_item it = {
        .node = c, .index = k->index, .i = i, .name = amo_element_name(ld, k, i), .again = i > k->lo};
    if (!it.name) return AMO_ENOMEM;
    if (++ld->elements > ld->most_elements) {
      amo_error(ld->diags, c->key->at, NULL, "families have more than %zu elements in all",
                ld->most_elements);
      return AMO_ELIMIT;
    }
    amo_status st = fn(ld, &it, ctx);
    if (st != AMO_OK) return st;  // the other elements would only repeat the message
  }
  return AMO_OK;
}

/// A list where names do not matter: its elements are spring1, spring2, ...
static bool may_be_list(const char *section)
{
  static const char *const list[] = {"springs", "dampers", "loads", "constraints"};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++)
    if (!strcmp(section, list[i])) return true;
  return false;
}

static void each_of_list(amo_loader *ld, const char *section, const amo_yaml *list, amo_item_fn fn, void *ctx)
{
  int k = 0, stem = (int)strlen(section) - 1;  // without the s of the plural
  for (const amo_yaml *c = list->first; c; c = c->next) {
    amo_item it = {.node = c, .name = amo_arena_printf(&ld->arena, "%.*s%d", stem, section, ++k)};
    amo_status st = it.name ? fn(ld, &it, ctx) : AMO_ENOMEM;
    if (st != AMO_OK) amo_load_fail(ld, st);
    if (st != AMO_OK && st != AMO_EINPUT) return;
  }
}

void amo_load_each(amo_loader *ld, const char *section, amo_item_fn fn, void *ctx)
{
  const amo_yaml *map = amo_yaml_get(ld->root, section);
  if (amo_yaml_is(map, AMO_YAML_LIST) && may_be_list(section) && !amo_load_hopeless(ld))
    each_of_list(ld, section, map, fn, ctx);
  else
    amo_load_each_of(ld, map, section, fn, ctx);
}

void amo_load_each_of(amo_loader *ld, const amo_yaml *map, const char *section, amo_item_fn fn, void *ctx)
{
  if (amo_yaml_is_null(map) || amo_load_hopeless(ld)) return;
  if (amo_yaml_expect(map, AMO_YAML_MAP, section, ld->diags) != AMO_OK) {
    amo_load_fail(ld, AMO_EINPUT);
    return;
  }
  for (const amo_yaml *c = map->first; c; c = c->next) {
    amo_key k;
    amo_status st = amo_key_parse(ld, c->key, &k);
    if (st == AMO_OK && k.primes)
      st = amo_error(ld->diags, c->key->at, NULL, "a name in '%s' has no primes", section);
    if (st == AMO_OK) st = each_element(ld, c, &k, fn, ctx);
    if (st != AMO_OK) amo_load_fail(ld, st);
    if (st != AMO_OK && st != AMO_EINPUT) return;
  }
}

/// One mistake, and not one for each key.
static bool is_study(amo_loader *ld)
{
  const amo_yaml *model = amo_yaml_get(ld->root, "model");
  if (!model) return false;
  amo_load_fail(ld, amo_error(ld->diags, model->key->at, "amontons test FILE  asks what it asks",
                              "this is a study, not a model"));
  return true;
}

static void head(amo_loader *ld)
{
  const char *text = "";
  const amo_yaml *version = amo_yaml_get(ld->root, "amontons");
  if (amo_yaml_only_of(ld->root, "the model", amo_model_keys, "", ld->diags) != AMO_OK)
    amo_load_fail(ld, AMO_EINPUT);
  if (!version) {
    amo_at top = {ld->root->at.file, 1, 1, 1};
    amo_load_fail(ld, amo_error(ld->diags, top, "begin the file with: amontons: 1",
                                "the version of the model language is missing"));
  } else if (!amo_yaml_is(version, AMO_YAML_SCALAR) || strcmp(version->text, "1") != 0) {
    amo_load_fail(ld,
                  amo_error(ld->diags, version->at, NULL,
                            "this program reads version 1 of the model language, not '%s'", version->text));
  }
  const amo_yaml *name = amo_yaml_get(ld->root, "name"), *title = amo_yaml_get(ld->root, "title");
  const amo_yaml *doc = amo_yaml_get(ld->root, "doc");
  if (name && amo_yaml_string(name, "name", ld->diags, &text) != AMO_OK) amo_load_fail(ld, AMO_EINPUT);
  ld->m->name = amo_strdup(text);
  text = "";
  if (title && amo_yaml_string(title, "title", ld->diags, &text) != AMO_OK) amo_load_fail(ld, AMO_EINPUT);
  ld->m->title = amo_strdup(text);
  if (doc && !amo_yaml_is(doc, AMO_YAML_SCALAR))
    amo_load_fail(ld, amo_error(ld->diags, doc->at, NULL, "doc must be text"));
  if (!ld->m->name || !ld->m->title) amo_load_fail(ld, AMO_ENOMEM);
}

static void stages(amo_loader *ld)
{
  void (*const early[])(amo_loader *) = {head,
                                         amo_load_sizes,
                                         amo_load_declare,
                                         amo_load_parameters,
                                         amo_load_prescribed,
                                         amo_load_states,
                                         amo_load_definitions,
                                         amo_load_parts,
                                         amo_load_springs,
                                         amo_load_forces,
                                         amo_load_constraints,
                                         amo_load_contacts,
                                         amo_load_drawings,
                                         amo_load_assemble,
                                         amo_load_switches,
                                         amo_load_loading,
                                         amo_load_outputs,
                                         amo_load_initial,
                                         amo_load_require};
  void (*const late[])(amo_loader *) = {amo_load_programs, amo_load_demands, amo_load_validate,
                                        amo_load_shares};
  if (is_study(ld)) return;
  for (size_t i = 0; i < sizeof early / sizeof *early && !amo_load_hopeless(ld) && !ld->again; i++) {
    early[i](ld);
    if (ld->mech.status != AMO_OK) amo_load_fail(ld, ld->mech.status);
    if (amo_dag_status(ld->dag) != AMO_OK) amo_load_fail(ld, amo_dag_status(ld->dag));
  }
  if (!amo_load_hopeless(ld) && !ld->again) amo_settings_check(ld);
  for (size_t i = 0; i < sizeof late / sizeof *late && ld->status == AMO_OK; i++) late[i](ld);
  if (ld->status == AMO_ELIMIT && !amo_diags_errors(ld->diags))
    amo_error(ld->diags, (amo_at){ld->root->at.file, 0, 0, 0}, NULL,
              "the equations of this model are too large");
}

static void loader_free(amo_loader *ld)
{
  amo_mech_free(&ld->mech);
  amo_names_free(&ld->names);
  amo_drawings_free(ld);
  amo_map_free(&ld->parts.by_name);
  amo_map_free(&ld->checks.known);
  amo_map_free(&ld->texts.known);
  for (size_t i = 0; i < ld->contacts.count; i++) {
    amo_row_free(&ld->contacts.item[i].row);
    amo_row_free(&ld->contacts.item[i].normal);
    for (int a = 0; a < 2; a++) amo_row_free(&ld->contacts.item[i].axis[a]);
  }
  for (size_t i = 0; i < ld->constraints.count; i++) amo_row_free(&ld->constraints.item[i].row);
  void *const all[] = {ld->settings.used, ld->sizes.item,  ld->params.item,   ld->defs.item,
                       ld->coords.item,   ld->parts.item,  ld->contacts.item, ld->constraints.item,
                       ld->initial.given, ld->states.item, ld->checks.item,   ld->demands.item,
                       ld->texts.item};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
  amo_arena_free(&ld->arena);
  free(ld);
}

/// The coordinates that no kinetic energy depends on.
static amo_status without_mass(const amo_loader *ld, bool **massless)
{
  *massless = amo_zalloc(ld->coords.count, sizeof **massless);
  for (uint32_t i = 0; *massless && i < ld->coords.count; i++) (*massless)[i] = ld->coords.item[i].massless;
  return *massless ? AMO_OK : AMO_ENOMEM;
}

/// Which coordinates have no mass shows only when all is read: `massless` keeps it for the second time. AMO_OK, or *again is set.
static amo_status build_once(const amo_yaml *root, const amo_setting *set, size_t nset, amo_diags *diags,
                             bool **massless, bool *again, amo_model **out)
{
  amo_loader *ld = calloc(1, sizeof *ld);
  if (!ld) return AMO_ENOMEM;
  ld->diags = diags;
  ld->root = root;
  ld->coords.massless = *massless;
  ld->most_elements = AMO_MAX_ELEMENTS;
  ld->settings.item = set;
  ld->settings.count = nset;
  ld->settings.used = amo_zalloc(nset, sizeof *ld->settings.used);
  ld->m = calloc(1, sizeof *ld->m);
  ld->dag = ld->m ? ld->m->dag = amo_dag_new(0) : NULL;
  if (!ld->settings.used || !ld->dag || amo_emitted_new(&ld->m->emitted) != AMO_OK)
    ld->status = AMO_ENOMEM;
  else if (amo_yaml_expect(root, AMO_YAML_MAP, "a model", diags) != AMO_OK)
    ld->status = AMO_EINPUT;
  else
    stages(ld);
  amo_status st = ld->status;
  *again = ld->again && st != AMO_ENOMEM;
  if (*again) st = without_mass(ld, massless);
  if (st == AMO_OK && !*again)
    *out = ld->m;
  else
    amo_model_free(ld->m);
  loader_free(ld);
  return st;
}

static amo_status build(const amo_yaml *root, const amo_setting *set, size_t nset, amo_diags *diags,
                        amo_model **out)
{
  bool *massless = NULL, again;
  amo_status st = build_once(root, set, nset, diags, &massless, &again, out);
  if (st == AMO_OK && again) st = build_once(root, set, nset, diags, &massless, &again, out);
  free(massless);
  return st;
}

static bool settings_given(const amo_setting *set, size_t n)
{
  for (size_t i = 0; set && i < n; i++)
    if (!set[i].name || !set[i].text) return false;
  return set || !n;
}

amo_status amo_model_parse(const char *name, const char *text, size_t size, const amo_setting *set,
                           size_t nset, amo_diags *diags, amo_model **out)
{
  amo_yaml_doc *doc = NULL;
  if (!out) return AMO_ERANGE;
  *out = NULL;
  if (!name || (!text && size) || !settings_given(set, nset)) return AMO_ERANGE;
  if (size > AMO_MODEL_BYTES) {
    amo_error(diags, (amo_at){0}, NULL, "%s is larger than %zu MB", name, AMO_MODEL_BYTES >> 20);
    return AMO_ELIMIT;
  }
  amo_status st = amo_yaml_parse(name, text ? text : "", size, diags, &doc);
  if (st == AMO_OK) st = build(amo_yaml_root(doc), set, nset, diags, out);
  amo_yaml_free(doc);
  if (st == AMO_OK) st = amo_source_keep(&(*out)->source, name, text, size, set, nset);
  if (st == AMO_OK) return AMO_OK;
  amo_model_free(*out);
  *out = NULL;
  return st;
}

/// A model without a name goes by its file's.
static amo_status name_by_file(amo_model *m, const char *path)
{
  const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path, *dot = strrchr(base, '.');
  char *name = amo_strndup(base, dot && dot > base ? (size_t)(dot - base) : strlen(base));
  if (!name) return AMO_ENOMEM;
  free(m->name);
  m->name = name;
  return AMO_OK;
}

amo_status amo_model_load(const char *path, const amo_setting *set, size_t nset, amo_diags *diags,
                          amo_model **out)
{
  char *text = NULL;
  size_t size = 0;
  if (!out) return AMO_ERANGE;
  *out = NULL;
  if (!path || !settings_given(set, nset)) return AMO_ERANGE;
  amo_status st = amo_file_read(path, AMO_MODEL_BYTES, diags, &text, &size);
  if (st == AMO_OK) st = amo_model_parse(path, text, size, set, nset, diags, out);
  if (st == AMO_OK && !*(*out)->name) st = name_by_file(*out, path);
  if (st != AMO_OK) {
    amo_model_free(*out);
    *out = NULL;
  }
  free(text);
  return st;
}
