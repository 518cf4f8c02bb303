// SPDX-License-Identifier: Apache-2.0
// amontons cache: the folder of compiled code.
#include "emit/cache.h"

#include <stdlib.h>
#include <string.h>

#include "ask/options.h"
#include "cli/command.h"
#include "result/json.h"

typedef struct seen {
  char *folder;     // NULL: there is none
  const char *why;  // then
  bool off;
  amo_cache_state state;
} seen;

static amo_status look(seen *s, amo_diags *d)
{
  const amo_status st = amo_cache_folder(&s->folder, &s->why);
  s->off = st == AMO_EUNSUPPORTED;
  if (s->folder != NULL) amo_cache_look(s->folder, &s->state);
  if (s->off || st == AMO_OK) return AMO_OK;
  if (st == AMO_EIO)
    amo_error(d, (amo_at){0}, "AMONTONS_CACHE=FOLDER names another, AMONTONS_CACHE=off does without",
              "nothing is compiled: the folder of the cache is not fit for it: %s", s->why);
  return st;
}

static amo_status clear(const seen *s, amo_diags *d)
{
  if (s->folder == NULL || amo_cache_clear(s->folder)) return AMO_OK;
  (void)amo_error(d, (amo_at){0}, NULL, "some files in %s cannot be removed", s->folder);
  return AMO_EIO;
}

static void show_json(const seen *s)
{
  cJSON *o = cJSON_CreateObject();
  if (s->folder != NULL) {
    cJSON_AddStringToObject(o, "folder", s->folder);
    cJSON_AddNumberToObject(o, "libraries", (double)s->state.files);
    cJSON_AddNumberToObject(o, "bytes", (double)s->state.bytes);
    cJSON_AddNumberToObject(o, "most_bytes", (double)s->state.most);
  } else {
    cJSON_AddNullToObject(o, "folder");
  }
  char *text = amo_json_print(o);
  if (text != NULL) fputs(text, stdout);
  free(text);
  cJSON_Delete(o);
}

static void show_text(const seen *s)
{
  if (s->off)
    puts("switched off (AMONTONS_CACHE=off): nothing is compiled");
  else
    printf("%s: %zu compiled %s, %.1f of at most %.0f MB\n", s->folder, s->state.files,
           s->state.files == 1 ? "library" : "libraries", (double)s->state.bytes / 1048576.0,
           (double)s->state.most / 1048576.0);
}

int amo_run_cache(const amo_cli *cli, const amo_command *self, int argc, char *const *argv)
{
  const char *word[64] = {NULL};
  size_t words = 0;
  amo_options *o = NULL;
  seen s = {0};
  amo_diags *d = amo_diags_new();
  (void)cli;
  amo_status st = argc < 64 ? amo_options_from_argv(self->opts, argc, argv, d, word, &words, &o) : AMO_EINPUT;
  const bool clears = words == 1 && strcmp(word[0], "clear") == 0;
  if (st == AMO_OK && (words > 1 || (words == 1 && !clears && strcmp(word[0], "show") != 0)))
    st = amo_error(d, (amo_at){0}, NULL, "usage: amontons cache [show | clear]");
  if (st == AMO_OK) st = look(&s, d);
  if (st == AMO_OK && clears) st = clear(&s, d);
  if (st == AMO_OK && clears && s.folder != NULL) amo_cache_look(s.folder, &s.state);
  if (st == AMO_OK) amo_opt_flag(o, "json") ? show_json(&s) : show_text(&s);
  amo_say(d, false);
  free(s.folder);
  amo_options_free(o);
  amo_diags_free(d);
  return amo_finish_output(amo_exit_code(st));
}
