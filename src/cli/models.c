// SPDX-License-Identifier: Apache-2.0
// amontons models, amontons new: the examples that come with the program.
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ask/options.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/command.h"
#include "model/yaml.h"
#include "result/json.h"
#include "result/show.h"
#include "study/study_verbs.h"

/// An example: read as text, for its title and its group.
typedef struct example {
  char *path, *text;
  size_t size;
  amo_yaml_doc *doc;
  const char *name, *title, *group;  // name: of the file, without its ending
} example;

/// What its contacts find the normal force from; the last kind that one of them is.
static const char *group_of(const amo_yaml *root)
{
  static const char *const kind[] = {"pressed", "guide", "support", "joint"};
  static const char *const title[] = {"normal forces that are given", "guides: reactions are found",
                                      "supports: contacts that open", "joints: forces of constraints press"};
  const amo_yaml *all = amo_yaml_get(root, "contacts");
  int last = -1;
  for (const amo_yaml *c = amo_yaml_is(all, AMO_YAML_MAP) ? all->first : NULL; c; c = c->next)
    for (int i = 0; i < 4; i++)
      if (amo_yaml_get(c, kind[i]) && i > last) last = i;
  return last >= 0 ? title[last] : "without contacts";
}

static void example_free(example *e)
{
  amo_yaml_free(e->doc);
  free(e->text);
  free(e->path);
  free((char *)(size_t)e->name);
}

static amo_status example_read(char *path, amo_diags *d, example *e)
{
  const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path, *dot = strrchr(base, '.');
  amo_text name = {0};
  amo_text_add(&name, base, dot ? (size_t)(dot - base) : strlen(base));
  *e = (example){.path = path, .name = amo_text_take(&name), .title = "", .group = ""};
  amo_status st = e->name ? amo_file_read(path, AMO_MODEL_BYTES, d, &e->text, &e->size) : AMO_ENOMEM;
  if (st == AMO_OK) st = amo_yaml_parse(path, e->text, e->size, d, &e->doc);
  if (st != AMO_OK) return st;
  const amo_yaml *title = amo_yaml_get(amo_yaml_root(e->doc), "title");
  if (amo_yaml_is(title, AMO_YAML_SCALAR)) e->title = title->text;
  e->group = group_of(amo_yaml_root(e->doc));
  return AMO_OK;
}

/// All examples; *count of them, also on failure. Caller frees each and the list.
static amo_status examples(const amo_cli *cli, amo_diags *d, example **out, size_t *count)
{
  char *folder = amo_models_find(cli->program, d), **path = folder ? amo_gallery_files(folder, d) : NULL;
  amo_status st = folder ? AMO_OK : AMO_EINPUT;
  size_t n = 0;
  while (path && path[n]) n++;
  *out = path ? calloc(n + 1, sizeof **out) : NULL;
  if (st == AMO_OK && !*out) st = AMO_ENOMEM;
  for (size_t i = 0; i < n; i++)
    if (st == AMO_OK)
      st = example_read(path[i], d, &(*out)[(*count)++]);
    else
      free(path[i]);
  free(path);
  free(folder);
  return st;
}

static void examples_free(example *e, size_t count)
{
  for (size_t i = 0; i < count; i++) example_free(&e[i]);
  free(e);
}

// ---- models ----

static void list_json(const example *e, size_t count)
{
  cJSON *all = cJSON_CreateArray();
  for (size_t i = 0; i < count; i++) {
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "name", e[i].name);
    cJSON_AddStringToObject(o, "title", e[i].title);
    cJSON_AddStringToObject(o, "group", e[i].group);
    cJSON_AddStringToObject(o, "file", e[i].path);
    cJSON_AddItemToArray(all, o);
  }
  char *text = amo_json_print(all);
  if (text) fputs(text, stdout);
  free(text);
  cJSON_Delete(all);
}

static void list_text(const example *e, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    bool first = true;
    for (size_t k = 0; k < i; k++) first = first && strcmp(e[k].group, e[i].group) != 0;
    if (!first) continue;
    printf("%s%s\n", i ? "\n" : "", e[i].group);
    for (size_t k = i; k < count; k++)
      if (!strcmp(e[k].group, e[i].group))
        printf("  %-30s ", e[k].name), amo_show_text(e[k].title, stdout), putchar('\n');
  }
}

int amo_run_models(const amo_cli *cli, const amo_command *self, int argc, char *const *argv)
{
  const char *word[64] = {NULL};
  size_t words = 0, count = 0;
  example *e = NULL;
  amo_options *o = NULL;
  amo_diags *d = amo_diags_new();
  amo_status st = argc < 64 ? amo_options_from_argv(self->opts, argc, argv, d, word, &words, &o) : AMO_EINPUT;
  if (st == AMO_OK && words)
    st = amo_error(d, (amo_at){0}, NULL, "models takes no argument, got '%s'", word[0]);
  if (st == AMO_OK) st = examples(cli, d, &e, &count);
  if (st == AMO_OK) amo_opt_flag(o, "json") ? list_json(e, count) : list_text(e, count);
  amo_say(d, false);
  examples_free(e, count);
  amo_options_free(o);
  amo_diags_free(d);
  return amo_finish_output(amo_exit_code(st));
}

// ---- new ----

/// The example of that name; "models/trammel.yaml" is `trammel`.
static amo_status example_find(const example *e, size_t count, const char *wanted, amo_diags *d,
                               const example **out)
{
  const char *slash = strrchr(wanted, '/'), *base = slash ? slash + 1 : wanted, *dot = strstr(base, ".yaml");
  const size_t n = dot ? (size_t)(dot - base) : strlen(base);
  const char **name = calloc(count + 1, sizeof *name);
  *out = NULL;
  if (!name) return AMO_ENOMEM;
  for (size_t i = 0; i < count; i++) {
    name[i] = e[i].name;
    if (strlen(e[i].name) == n && !strncmp(e[i].name, base, n)) *out = &e[i];
  }
  const char *near = *out ? NULL : amo_yaml_nearest(base, name);
  free(name);
  if (*out) return AMO_OK;
  return near ? amo_error(d, (amo_at){0}, NULL, "there is no example '%s'; did you mean '%s'?", wanted, near)
              : amo_error(d, (amo_at){0}, "amontons models lists them", "there is no example '%s'", wanted);
}

static amo_status copy_example(const amo_cli *cli, const example *e, const char *file, amo_diags *d)
{
  amo_text t = {0};
  struct stat there;
  char *schema = amo_installed_file(cli->program, "schema/model.json");
  if (schema) amo_text_printf(&t, "# yaml-language-server: $schema=%s\n", schema);
  amo_text_printf(&t, "# From the example '%s' of Amontons " AMO_VERSION ".\n", e->name);
  amo_text_add(&t, e->text, e->size);
  char *text = amo_text_take(&t);
  amo_status st = text ? AMO_OK : AMO_ENOMEM;
  if (st == AMO_OK && strcmp(file, "-") != 0 && lstat(file, &there) == 0)
    st = amo_error(d, (amo_at){0}, "give another name", "'%s' is there already", file);
  if (st == AMO_OK) st = amo_file_write_text(file, text, d);
  free(schema);
  free(text);
  return st;
}

int amo_run_new(const amo_cli *cli, const amo_command *self, int argc, char *const *argv)
{
  const char *word[64] = {NULL};
  const example *from = NULL;
  size_t words = 0, count = 0;
  example *e = NULL;
  amo_options *o = NULL;
  amo_text file = {0};
  amo_diags *d = amo_diags_new();
  amo_status st = argc < 64 ? amo_options_from_argv(self->opts, argc, argv, d, word, &words, &o) : AMO_EINPUT;
  if (st == AMO_OK && (words < 1 || words > 2))
    st = amo_error(d, (amo_at){0}, "amontons models lists the templates",
                   "usage: amontons new TEMPLATE [FILE]");
  if (st == AMO_OK) st = examples(cli, d, &e, &count);
  if (st == AMO_OK) st = example_find(e, count, word[0], d, &from);
  if (st == AMO_OK) {
    if (words > 1)
      amo_text_str(&file, word[1]);
    else
      amo_text_printf(&file, "%s.yaml", from->name);
    st = file.failed ? AMO_ENOMEM : copy_example(cli, from, file.data, d);
  }
  if (st == AMO_OK && strcmp(file.data, "-") != 0) printf("%s: %s\n", file.data, from->title);
  amo_say(d, false);
  amo_text_free(&file);
  examples_free(e, count);
  amo_options_free(o);
  amo_diags_free(d);
  return amo_finish_output(amo_exit_code(st));
}
