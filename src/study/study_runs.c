// SPDX-License-Identifier: Apache-2.0
/// The runs of a study: verbs at the top of the file, `analysis:`, and the named ones under `runs:`.
/// All spellings end in one place, load_call.
#include <stdlib.h>
#include <string.h>

#include "ask/options.h"
#include "study/study_load.h"
#include "study/keys.h"

static const char *const verb_words[] = {"verb", "analysis", "type", "run", NULL};
static const char *const set_words[] = {"set",           "parameters",         "params", "initial",
                                        "initial_state", "initial_conditions", "sizes",  NULL};
static const char *const name_words[] = {"name", "id", "label", "case", NULL};
static const char *const over_words[] = {"over", "sweep", NULL};

static bool in_list(const char *word, const char *const *list)
{
  for (size_t i = 0; list[i]; i++)
    if (!strcmp(word, list[i])) return true;
  return false;
}

bool amo_study_is_verb(const char *word)
{
  return amo_verb_find(word) != NULL;
}

/// `sweep: {v: [1, 2]}` walks values, as `over` does; `sweep: {vary: v=1:2}` is the verb.
static bool is_walk(const amo_yaml *n)
{
  return !strcmp(n->key->text, "sweep") && (n->kind == AMO_YAML_LIST || n->kind == AMO_YAML_MAP) &&
         !amo_yaml_get(n, "vary");
}

static bool names_verb(const amo_yaml *n)
{
  return n->key && amo_verb_find(n->key->text) && !is_walk(n);
}

static const amo_yaml *find_over(const amo_yaml *holder)
{
  for (const amo_yaml *c = holder->first; c; c = c->next)
    if (c->key && in_list(c->key->text, over_words) && (strcmp(c->key->text, "sweep") != 0 || is_walk(c)))
      return c;
  return NULL;
}

/// Is `word` an option of any verb? Then `settings: {word: ...}` means the option.
bool amo_study_is_option(const char *word)
{
  if (in_list(word, set_words)) return false;
  for (const amo_verb *const *v = amo_verbs(); *v;
       v++)  // mass, speed, ... of verbs without a model are names of models
    if ((*v)->subject != AMO_OF_RECORD && amo_opt_find((*v)->opts, word)) return true;
  return false;
}

// ---- options and settings of a call, from everywhere they may stand ----

typedef struct call {
  amo_study *s;
  const amo_yaml *root;     // the study
  const amo_yaml *run;      // mapping of the run, NULL if it has none
  const amo_yaml *section;  // `simulate: {...}`, NULL if there is none
  bool loose;               // options may stand in the run's mapping itself
  const char *name, *verb;
  amo_at at;
  amo_yaml *options, *set;  // collected
  amo_yaml *units;          // units that settings say: {name: unit}
  amo_diags *d;
} call;

/// A key of a run that is no option; at the top of the file also the keys of the study.
static bool is_ours(const char *word, bool top)
{
  return amo_study_has_key("runs.NAME", word) || (top && amo_study_is_key(word));
}

static amo_yaml *empty_map(amo_study *s, amo_at at)
{
  amo_yaml *map = amo_arena_alloc(&s->arena, sizeof *map);
  if (map) *map = (amo_yaml){.kind = AMO_YAML_MAP, .text = "", .at = at};
  return map;
}

static amo_status put(call *c, amo_yaml *map, const amo_yaml *n)
{
  return amo_yaml_put(&c->s->arena, map, n->key, n) ? AMO_OK : AMO_ENOMEM;
}

/// Settings may be grouped (`set: {parameters: {...}, initial: {...}}`) and carry units ({value:, unit:}).
static amo_status put_setting(call *c, const amo_yaml *n)
{
  static const char *const keys[] = {"value", "unit", "units", "doc", "note", "source", "comment", NULL};
  static const char *const unit_words[] = {"unit", "units", NULL};
  const amo_yaml *value = amo_yaml_get(n, "value"), *unit = amo_yaml_first_of(n, unit_words);
  if (n->kind == AMO_YAML_MAP && value) {
    amo_status st = amo_yaml_only(n, "a setting", keys, c->d);
    amo_yaml *copy = amo_yaml_copy_entry(&c->s->arena, value);
    if (!copy) return AMO_ENOMEM;
    copy->key = n->key;
    if (unit && !amo_yaml_put(&c->s->arena, c->units, n->key, unit)) return AMO_ENOMEM;
    return st == AMO_OK ? put(c, c->set, copy) : st;
  }
  if (n->kind != AMO_YAML_MAP || !in_list(n->key->text, set_words)) return put(c, c->set, n);
  amo_status st = AMO_OK;
  for (const amo_yaml *k = n->first; k && st == AMO_OK; k = k->next) st = put(c, c->set, k);
  return st;
}

static amo_status put_settings(call *c, const amo_yaml *n)
{
  amo_status st = AMO_OK;
  if (amo_yaml_is_null(n)) return AMO_OK;
  if (n->kind != AMO_YAML_MAP)
    return amo_error(c->d, n->at, NULL, "%s must be a mapping such as {k: 2}", n->key ? n->key->text : "set");
  for (const amo_yaml *k = n->first; k && st == AMO_OK; k = k->next) st = put_setting(c, k);
  return st;
}

/// `options:` holds options only; in `settings:` what no verb knows as an option belongs to the model.
static amo_status put_options(call *c, const amo_yaml *n, bool mixed, bool shared)
{
  amo_status st = AMO_OK;
  const amo_verb *verb = amo_verb_find(c->verb);
  if (amo_yaml_is_null(n)) return AMO_OK;
  if (n->kind != AMO_YAML_MAP) return amo_yaml_expect(n, AMO_YAML_MAP, n->key->text, c->d);
  for (const amo_yaml *k = n->first; k && st == AMO_OK; k = k->next) {
    bool option = amo_study_is_option(k->key->text);
    if (in_list(k->key->text, set_words))
      st = put_settings(c, k);
    else if (mixed && !option)
      st = put_setting(c, k);
    else if (!shared || !option || (verb && amo_opt_find(verb->opts, k->key->text)))
      st = put(c, c->options, k);  // options of the study that only other verbs have are not this run's
  }
  return st;
}

/// What a mapping (study or run) says beside the verb's own section.
static amo_status collect_from(call *c, const amo_yaml *map, bool shared)
{
  amo_status st = AMO_OK;
  for (size_t i = 0; set_words[i] && st == AMO_OK; i++) st = put_settings(c, amo_yaml_get(map, set_words[i]));
  if (st == AMO_OK) st = put_options(c, amo_yaml_get(map, "settings"), true, shared);
  if (st == AMO_OK) st = put_options(c, amo_yaml_get(map, "options"), false, shared);
  return st;
}

static amo_status collect_section(call *c)
{
  amo_status st = AMO_OK;
  const amo_verb *verb = amo_verb_find(c->verb);
  for (const amo_yaml *k = c->section->first; k && st == AMO_OK; k = k->next) {
    const char *word = k->key->text;
    bool own = verb && strcmp(word, "set") != 0 && amo_opt_find(verb->opts, word);
    if (!own && in_list(word, set_words))
      st = put_settings(c, k);
    else if (!own && (!strcmp(word, "options") || !strcmp(word, "settings")))
      st = put_options(c, k, word[0] == 's', false);
    else
      st = put(c, c->options, k);
  }
  return st;
}

static amo_status collect_loose(call *c)
{
  amo_status st = AMO_OK;
  const amo_verb *verb = amo_verb_find(c->verb);
  for (const amo_yaml *k = c->run->first; k && st == AMO_OK; k = k->next) {
    const char *word = k->key->text;
    bool own = verb && !in_list(word, set_words) && amo_opt_find(verb->opts, word);
    if (k != c->section && (own || !is_ours(word, c->run == c->root))) st = put(c, c->options, k);
  }
  return st;
}

static amo_status collect(call *c, bool own_model)
{
  amo_status st = AMO_OK;
  c->options = empty_map(c->s, c->section ? c->section->at : c->at);
  c->set = empty_map(c->s, c->at);
  c->units = empty_map(c->s, c->at);
  if (!c->options || !c->set || !c->units) return AMO_ENOMEM;
  // The study's settings belong to the study's model; a run with its own model starts afresh.
  if (!own_model) st = collect_from(c, c->root, true);
  if (st == AMO_OK && c->run && c->run != c->root) st = collect_from(c, c->run, false);
  if (st == AMO_OK && c->run && c->loose) st = collect_loose(c);
  if (st == AMO_OK && amo_yaml_is(c->section, AMO_YAML_MAP)) st = collect_section(c);
  if (st == AMO_OK && c->set->count && !amo_yaml_append(&c->s->arena, c->options, "set", c->set))
    st = AMO_ENOMEM;
  return st;
}

// ---- a run ----

/// Words that say together what they cannot both mean.
static void check_failure(const amo_study_run *r, const amo_yaml *fails, const amo_yaml *error,
                          const amo_yaml *exit_status, amo_diags *d)
{
  const amo_yaml *other = error ? error : exit_status;
  if (error && r->error && !r->error[0])
    amo_error(d, error->at, "part of the message that must come", "error needs a text");
  if (exit_status && (r->exit < 0 || r->exit > 2))
    amo_error(d, exit_status->at, "0 done, 1 no answer, 2 bad input", "exit must be 0, 1 or 2");
  if (fails && other && (r->may_fail || !r->fails))
    amo_error(d, amo_yaml_at(other), NULL, "'%s' is of a run that fails, and fails is '%s'", other->key->text,
              fails->text);
  if (exit_status && r->exit == 0 && (r->fails || error))
    amo_error(d, exit_status->at, NULL, "a run that fails does not end with status 0");
}

/// Does `n` fail on purpose? `fails: true`, `fails: allowed`, `error: text`, `exit: 2`.
static void load_failure(amo_study_run *r, const amo_yaml *n, amo_diags *d)
{
  static const char *const error_words[] = {"error", "expect_error", NULL};
  const amo_yaml *fails = amo_yaml_get(n, "fails"), *error = amo_yaml_first_of(n, error_words);
  const amo_yaml *exit_status = amo_yaml_get(n, "exit");
  bool yes = false;
  r->exit = -1;
  if (amo_yaml_get(n, "error") && amo_yaml_get(n, "expect_error"))
    amo_error(d, amo_yaml_get(n, "expect_error")->key->at, NULL,
              "'error' and 'expect_error' mean the same; give one of them");
  if (fails) {
    if (amo_yaml_is(fails, AMO_YAML_SCALAR) && !strcmp(fails->text, "allowed"))
      r->may_fail = true;
    else if (amo_study_truth(fails, &yes))
      r->fails = yes;
    else
      amo_error(d, amo_yaml_at(fails), "for a text in the message write  error: TEXT",
                "fails must be true, false or allowed");
  }
  if (error) amo_yaml_string(error, "error", d, &r->error);
  if (exit_status) amo_yaml_integer(exit_status, "exit", d, &r->exit);
  check_failure(r, fails, error, exit_status, d);
  if (error || r->exit > 0) r->fails = true;
}

static amo_status add_run(amo_study *s, amo_study_run run, amo_diags *d)
{
  for (size_t i = 0; i < s->runs; i++)
    if (!strcmp(s->run[i].name, run.name))
      return amo_error(d, run.at, "give each a name:  {name: slow, simulate: {...}}",
                       "there are two runs named '%s'", run.name);
  if (!run.model && run.verb->subject == AMO_OF_MODEL)
    return amo_error(d, run.at, "add  model: FILE", "the run '%s' has no model", run.name);
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

static amo_status load_call(call *c)
{
  amo_study_run r = {.name = c->name, .at = c->at, .verb = amo_verb_find(c->verb), .verb_name = c->verb};
  const amo_yaml *settings = amo_yaml_get(c->root, "settings");
  r.model = c->run && c->run != c->root ? amo_yaml_get(c->run, "model") : NULL;
  if (r.model) settings = NULL;
  amo_status st = collect(c, r.model != NULL);
  if (st != AMO_OK) return st;
  r.mixed[0] = settings;
  r.mixed[1] = c->run && c->run != c->root ? amo_yaml_get(c->run, "settings") : NULL;
  if (!r.model) r.model = amo_yaml_get(c->root, "model");
  if (r.verb && r.verb->subject == AMO_OF_RECORD) r.model = NULL;
  const amo_yaml *holder = c->run ? c->run : c->root;
  r.over = find_over(holder);
  r.options = c->options;
  r.units = c->units;
  if (holder == c->root) c->s->top_run = true;
  load_failure(&r, holder, c->d);
  st = add_run(c->s, r, c->d);
  return st == AMO_OK ? check_options(&r, c->d) : st;
}

/// The verb of a run: `verb: simulate`, or the one key that names a verb. NULL if it says none.
static const char *find_verb(const amo_yaml *n, const amo_yaml **section)
{
  *section = NULL;
  for (const amo_yaml *c = n->first; c; c = c->next)
    if (in_list(c->key->text, verb_words) && c->kind == AMO_YAML_SCALAR) return c->text;
  for (const amo_yaml *c = n->first; c; c = c->next)
    if (names_verb(c)) {
      *section = c;
      return c->key->text;
    }
  return NULL;
}

static amo_status no_such_verb(const amo_yaml *n, const char *verb, amo_diags *d)
{
  const char *known[64];
  size_t k = 0;
  for (const amo_verb *const *v = amo_verbs(); *v && k < 63; v++) known[k++] = (*v)->name;
  known[k] = NULL;
  const char *near = amo_yaml_nearest(verb, known);
  return near ? amo_error(d, n->at, NULL, "there is no verb '%s'; did you mean '%s'?", verb, near)
              : amo_error(d, n->at, "amontons --help lists them", "there is no verb '%s'", verb);
}

/// A verb's section may be a mapping, empty, or `true`.
static amo_status check_section(const amo_yaml *section, amo_diags *d)
{
  bool yes = false;
  if (!section || amo_yaml_is_null(section) || section->kind == AMO_YAML_MAP) return AMO_OK;
  if (amo_study_truth(section, &yes) && yes) return AMO_OK;
  return amo_yaml_expect(section, AMO_YAML_MAP, section->key->text, d);
}

/// A mapping that says its verb inside. `name` NULL: it has one of its own, or is named by its verb.
static amo_status load_run(amo_study *s, const amo_yaml *root, const amo_yaml *n, const char *name,
                           amo_diags *d)
{
  call c = {.s = s, .root = root, .run = n, .loose = true, .at = amo_yaml_at(n), .d = d};
  const amo_yaml *own = amo_yaml_first_of(n, name_words);
  c.verb = find_verb(n, &c.section);
  if (!c.verb)
    return amo_error(d, amo_yaml_at(n), "for example  simulate: {until: 10}",
                     "the run does not say what to do");
  if (!amo_study_is_verb(c.verb)) return no_such_verb(n, c.verb, d);
  c.name = name ? name : own && own->kind == AMO_YAML_SCALAR ? own->text : c.verb;
  amo_status st = check_section(c.section, d);
  return st == AMO_OK ? load_call(&c) : st;
}

static amo_status load_section(amo_study *s, const amo_yaml *root, const amo_yaml *section, amo_diags *d)
{
  const char *verb = section->key->text;
  call c = {.s = s, .root = root, .section = section, .name = verb, .verb = verb, .d = d};
  c.at = section->key->at;
  amo_status st = check_section(section, d);
  return st == AMO_OK ? load_call(&c) : st;
}

static bool says_verb(const amo_yaml *n)
{
  const amo_yaml *section = NULL;
  return amo_yaml_is(n, AMO_YAML_MAP) && find_verb(n, &section);
}

/// `runs: {a: simulate}` and `analyses: [simulate]`.
static amo_status load_word(amo_study *s, const amo_yaml *root, const amo_yaml *n, amo_diags *d)
{
  call c = {.s = s, .root = root, .verb = n->text, .at = amo_yaml_at(n), .d = d};
  if (!amo_study_is_verb(n->text)) return no_such_verb(n, n->text, d);
  c.name = n->key ? n->key->text : n->text;
  return load_call(&c);
}

/// An entry of `runs:` or `analysis:`, in a mapping or a list.
static amo_status load_entry(amo_study *s, const amo_yaml *root, const amo_yaml *n, amo_diags *d)
{
  bool verb_key = n->key && names_verb(n);
  if (verb_key && !says_verb(n)) return load_section(s, root, n, d);
  if (n->kind == AMO_YAML_SCALAR && !amo_yaml_is_null(n)) return load_word(s, root, n, d);
  amo_status st = amo_yaml_expect(n, AMO_YAML_MAP, n->key ? n->key->text : "a run", d);
  return st == AMO_OK ? load_run(s, root, n, n->key ? n->key->text : NULL, d) : st;
}

/// `runs: ...`, `analysis: ...`: one verb, one run, a mapping of runs or a list of runs.
static amo_status load_group(amo_study *s, const amo_yaml *root, const amo_yaml *n, amo_diags *d)
{
  amo_status worst = AMO_OK;
  bool single = amo_yaml_is(n, AMO_YAML_MAP) && amo_yaml_first_of(n, verb_words) &&
                amo_yaml_first_of(n, verb_words)->kind == AMO_YAML_SCALAR;
  if (amo_yaml_is_null(n)) return AMO_OK;
  if (single) return load_run(s, root, n, NULL, d);
  if (n->kind == AMO_YAML_SCALAR) {  // analysis: simulate, with the options beside it
    call c = {.s = s, .root = root, .run = root, .loose = true, .name = n->text, .verb = n->text};
    c.at = n->at;
    c.d = d;
    return amo_study_is_verb(n->text) ? load_call(&c) : no_such_verb(n, n->text, d);
  }
  for (const amo_yaml *k = n->first; k; k = k->next) {
    amo_status st = load_entry(s, root, k, d);
    if (st != AMO_OK) worst = st;
  }
  return worst;
}

/// Options of the study must be options of one of its runs.
static amo_status check_shared(const amo_study *s, const amo_yaml *options, amo_diags *d)
{
  amo_status st = AMO_OK;
  for (const amo_yaml *k = amo_yaml_is(options, AMO_YAML_MAP) ? options->first : NULL; k; k = k->next) {
    bool used = !amo_study_is_option(k->key->text);
    for (size_t i = 0; i < s->runs && !used; i++)
      used = amo_yaml_get(s->run[i].options, k->key->text) || !s->run[i].verb;
    if (!used) st = amo_error(d, k->key->at, NULL, "no run of the study has the option '%s'", k->key->text);
  }
  return st;
}

/// What only a run at the top of the file takes from there must have one that does.
static amo_status check_top(const amo_study *s, const amo_yaml *root, amo_diags *d)
{
  static const char *const words[] = {"over", "sweep", "fails", "error", "expect_error", "exit", NULL};
  amo_status st = AMO_OK;
  for (size_t i = 0; words[i]; i++) {
    const amo_yaml *n = amo_yaml_get(root, words[i]);
    if (!n || s->top_run || (!strcmp(words[i], "sweep") && !is_walk(n))) continue;
    st = amo_error(d, n->key->at, "write it inside the run",
                   "'%s' belongs to no run: all of them have entries of "
                   "their own",
                   words[i]);
  }
  for (size_t i = 0; i < s->runs; i++)
    for (size_t k = 0; k < s->runs; k++)
      if (strcmp(s->run[i].verb_name, s->run[i].name) != 0 && !strcmp(s->run[k].verb_name, s->run[i].name))
        st = amo_error(d, s->run[i].at, "another name",
                       "a run of '%s' cannot be named '%s' where another run is one of that verb",
                       s->run[i].verb_name, s->run[i].name);
  const amo_yaml *over = amo_yaml_get(root, "over"), *sweep = amo_yaml_get(root, "sweep");
  if (over && sweep && is_walk(sweep))
    st = amo_error(d, sweep->key->at, NULL, "'over' and 'sweep' mean the same; give one of them");
  return st;
}

amo_status amo_study_load_runs(amo_study *s, const amo_yaml *root, amo_diags *d)
{
  static const char *const groups[] = {"verb", "analysis", "analyses", "run", "runs", NULL};
  size_t before = amo_diags_errors(d);
  amo_status worst = AMO_OK;
  for (const amo_yaml *c = root->first; c; c = c->next) {
    amo_status st = AMO_OK;
    if (in_list(c->key->text, groups))
      st = load_group(s, root, c, d);
    else if (names_verb(c))
      st = load_section(s, root, c, d);
    if (st != AMO_OK) worst = st;
  }
  if (worst != AMO_OK) return worst;
  worst = check_top(s, root, d);
  if (check_shared(s, amo_yaml_get(root, "options"), d) != AMO_OK) worst = AMO_EINPUT;
  if (check_shared(s, amo_yaml_get(root, "settings"), d) != AMO_OK) worst = AMO_EINPUT;
  if (!s->runs && !s->unknown_keys && amo_diags_errors(d) == before)
    return amo_error(d, root->at, "add a verb, for example  simulate: {until: 10}", "the study runs nothing");
  return worst;
}
