// SPDX-License-Identifier: Apache-2.0
/// The runs of a study: verbs at the top of the file, and the named ones under `runs:`.
#include <stdlib.h>
#include <string.h>

#include "study/options.h"
#include "study/study_load.h"

static const char *const run_keys[] = {"name", "verb",  "model",        "set",   "over", "fails",
                                       "exit", "error", "expect_error", "title", "doc",  NULL};

static bool in_list(const char *word, const char *const *list)
{
  for (size_t i = 0; list[i]; i++)
    if (!strcmp(word, list[i])) return true;
  return false;
}

/// The verb of a run: `verb: simulate`, or the one key that names a verb.
static const amo_verb *find_verb(const amo_yaml *n, const amo_yaml **section, amo_diags *d)
{
  const amo_yaml *v = amo_yaml_get(n, "verb");
  *section = NULL;
  if (v) {
    const amo_verb *verb = v->kind == AMO_YAML_SCALAR ? amo_verb_find(v->text) : NULL;
    if (!verb) amo_error(d, v->at, NULL, "there is no verb '%s'", v->text);
    return verb;
  }
  for (const amo_yaml *c = n->first; c; c = c->next) {
    const amo_verb *verb = amo_verb_find(c->key->text);
    if (verb) {
      *section = c;
      return verb;
    }
  }
  amo_error(d, amo_yaml_at(n), "for example  simulate: {until: 10}", "the run does not say what to do");
  return NULL;
}

/// Does `n` fail on purpose? `fails: true`, `fails: allowed`, `error: text`, `exit: 2`.
static void load_failure(amo_study_run *r, const amo_yaml *n, amo_diags *d)
{
  const amo_yaml *fails = amo_yaml_get(n, "fails"), *error = amo_yaml_get(n, "error");
  const amo_yaml *exit_status = amo_yaml_get(n, "exit");
  if (!error) error = amo_yaml_get(n, "expect_error");
  r->exit = -1;
  if (fails && fails->kind == AMO_YAML_SCALAR) {
    if (!strcmp(fails->text, "true") || !strcmp(fails->text, "yes"))
      r->fails = true;
    else if (!strcmp(fails->text, "allowed"))
      r->may_fail = true;
    else if (strcmp(fails->text, "false") != 0 && strcmp(fails->text, "no") != 0)
      amo_error(d, fails->at, "for a text in the message write  error: TEXT",
                "fails must be true, false or allowed");
  }
  if (error && amo_yaml_string(error, "error", d, &r->error) == AMO_OK) r->fails = true;
  if (exit_status && amo_yaml_integer(exit_status, "exit", d, &r->exit) == AMO_OK && r->exit != 0)
    r->fails = true;
}

/// Keys of a run that are neither ours nor the verb's section are options of the verb.
static amo_yaml *loose_options(amo_study *s, const amo_yaml *n, const amo_yaml *section)
{
  amo_yaml *map = amo_arena_alloc(&s->arena, sizeof *map);
  if (!map) return NULL;
  *map = (amo_yaml){.kind = AMO_YAML_MAP, .text = "", .at = n->at};
  for (const amo_yaml *c = n->first; c; c = c->next)
    if (c != section && !in_list(c->key->text, run_keys) && !amo_yaml_append(&s->arena, map, c->key->text, c))
      return NULL;
  return map;
}

/// Options of the call: the section's and the loose ones, with the settings of study, run and section merged.
static const amo_yaml *merged_options(amo_study *s, const amo_yaml *study_set, const amo_yaml *n,
                                      const amo_yaml *section)
{
  amo_arena *a = &s->arena;
  const amo_yaml *loose = n ? loose_options(s, n, section) : NULL;
  const amo_yaml *all = amo_yaml_merged(a, section, loose);
  const amo_yaml *set = amo_yaml_merged(a, study_set, amo_yaml_get(n, "set"));
  if (set) set = amo_yaml_merged(a, set, amo_yaml_get(section, "set"));
  if (!all || !set) return NULL;
  if (!set->count) return all;
  amo_yaml *options = amo_arena_alloc(a, sizeof *options);
  if (!options) return NULL;
  *options = (amo_yaml){.kind = AMO_YAML_MAP, .text = "", .at = all->at};
  for (const amo_yaml *c = all->first; c; c = c->next)
    if (strcmp(c->key->text, "set") != 0 && !amo_yaml_append(a, options, c->key->text, c)) return NULL;
  return amo_yaml_append(a, options, "set", set) ? options : NULL;
}

static amo_status add_run(amo_study *s, amo_study_run run, amo_diags *d)
{
  for (size_t i = 0; i < s->runs; i++)
    if (!strcmp(s->run[i].name, run.name))
      return amo_error(d, run.at, NULL, "there are two runs named '%s'", run.name);
  if (!run.model) return amo_error(d, run.at, "add  model: FILE", "the run '%s' has no model", run.name);
  if (!run.options) return AMO_ENOMEM;
  if (!AMO_ROOM(s->run, s->runs, s->run_cap)) return AMO_ENOMEM;
  s->run[s->runs++] = run;
  return AMO_OK;
}

/// Options are parsed once here only for their mistakes; run.c parses them again for every item of a sweep.
static amo_status check_options(const amo_study_run *r, amo_diags *d)
{
  amo_options *o = NULL;
  amo_status st = amo_options_from_yaml(r->verb, r->options, d, &o);
  amo_options_free(o);
  return st;
}

static amo_status load_run(amo_study *s, const amo_yaml *root, const amo_yaml *n, const char *name,
                           amo_diags *d)
{
  amo_study_run r = {.name = name, .at = amo_yaml_at(n)};
  const amo_yaml *section = NULL;
  amo_yaml bare = {.kind = AMO_YAML_MAP, .text = "", .at = n->at};
  if (n->kind == AMO_YAML_SCALAR && amo_verb_find(n->text)) {  // runs: {a: simulate}
    r.verb = amo_verb_find(n->text);
    n = &bare;
  } else {
    amo_status st = amo_yaml_expect(n, AMO_YAML_MAP, name, d);
    if (st != AMO_OK) return st;
    r.verb = find_verb(n, &section, d);
  }
  if (!r.verb) return AMO_EINPUT;
  r.model = amo_yaml_get(n, "model");
  // The study's settings belong to the study's model; a run with its own model starts afresh.
  const amo_yaml *shared = r.model ? NULL : amo_yaml_get(root, "set");
  if (!r.model) r.model = amo_yaml_get(root, "model");
  r.over = amo_yaml_get(n, "over");
  r.options = merged_options(s, shared, n, section);
  load_failure(&r, n, d);
  amo_status st = add_run(s, r, d);
  return st == AMO_OK ? check_options(&r, d) : st;
}

static amo_status load_top_verb(amo_study *s, const amo_yaml *root, const amo_yaml *section, amo_diags *d)
{
  amo_study_run r = {.name = section->key->text, .at = section->key->at};
  r.verb = amo_verb_find(r.name);
  r.model = amo_yaml_get(root, "model");
  r.over = amo_yaml_get(root, "over");
  if (!amo_yaml_is_null(section) && section->kind != AMO_YAML_MAP && strcmp(section->text, "true") != 0)
    return amo_yaml_expect(section, AMO_YAML_MAP, r.name, d);
  r.options =
      merged_options(s, amo_yaml_get(root, "set"), NULL, section->kind == AMO_YAML_MAP ? section : NULL);
  load_failure(&r, root, d);
  amo_status st = add_run(s, r, d);
  return st == AMO_OK ? check_options(&r, d) : st;
}

static amo_status load_listed_run(amo_study *s, const amo_yaml *root, const amo_yaml *n, amo_diags *d)
{
  const amo_yaml *name = amo_yaml_get(n, "name");
  if (!name || name->kind != AMO_YAML_SCALAR)
    return amo_error(d, n->at, "for example  - {name: slow, simulate: {until: 10}}", "the run has no name");
  return load_run(s, root, n, name->text, d);
}

amo_status amo_study_load_runs(amo_study *s, const amo_yaml *root, amo_diags *d)
{
  const amo_yaml *runs = amo_yaml_get(root, "runs");
  amo_status worst = AMO_OK;
  for (const amo_yaml *c = root->first; c; c = c->next) {
    if (!amo_verb_find(c->key->text)) continue;
    amo_status st = load_top_verb(s, root, c, d);
    if (st != AMO_OK) worst = st;
  }
  if (runs && runs->kind == AMO_YAML_SCALAR) return amo_yaml_expect(runs, AMO_YAML_MAP, "runs", d);
  for (const amo_yaml *c = runs ? runs->first : NULL; c; c = c->next) {
    amo_status st = c->key ? load_run(s, root, c, c->key->text, d) : load_listed_run(s, root, c, d);
    if (st != AMO_OK) worst = st;
  }
  if (!s->runs && worst == AMO_OK)
    return amo_error(d, root->at, "add a verb, for example  simulate: {until: 10}", "the study runs nothing");
  return worst;
}
