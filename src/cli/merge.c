// SPDX-License-Identifier: Apache-2.0
// amontons merge: the files of a job array as one.
#include <stdlib.h>

#include "ask/options.h"
#include "base/file.h"
#include "base/mem.h"
#include "cli/command.h"
#include "result/show.h"
#include "tiles/tiles.h"

/// The file that is written may be one of those that are read only where it holds what they hold: it is replaced whole.
static amo_status check(const char *const *word, size_t words, const char *out, amo_diags *d)
{
  if (!words) return amo_error(d, (amo_at){0}, NULL, "merge needs files: amontons merge FILE... --out FILE");
  if (!out) return amo_error(d, (amo_at){0}, "--out FILE", "merge needs the file to write");
  for (size_t i = 0; i < words; i++)
    for (size_t k = 0; k < i; k++)
      if (amo_file_same(word[i], word[k]))
        return amo_error(d, (amo_at){0}, NULL, "'%s' is named twice", word[i]);
  return AMO_OK;
}

static void tell(const amo_merged *m, size_t files, const char *out)
{
  printf("%s: %zu of %zu tiles from %zu file%s in ", m->of, m->finished, m->count, files,
         files == 1 ? "" : "s");
  amo_show_text(out, stdout);
  printf("\n");
}

int amo_run_merge(const amo_cli *cli, const amo_command *self, int argc, char *const *argv)
{
  (void)cli;
  size_t words = 0;
  amo_options *o = NULL;
  amo_merged m = {0};
  amo_status st = AMO_ENOMEM;
  amo_diags *d = amo_diags_new();
  const char **word = amo_zalloc((size_t)argc + 1, sizeof *word);
  if (!d || !word) goto done;
  st = amo_options_from_argv(self->opts, argc, argv, d, word, &words, &o);
  if (st == AMO_OK) st = check(word, words, amo_opt_text(o, "out"), d);
  if (st == AMO_OK) st = amo_tiles_merge(word, words, amo_opt_text(o, "out"), d, &m);
  if (st == AMO_OK || st == AMO_ENOANSWER) tell(&m, words, amo_opt_text(o, "out"));
done:
  if (st == AMO_ENOMEM) fprintf(stderr, "error: out of memory\n");
  if (d) amo_say(d, false);
  amo_options_free(o);
  amo_diags_free(d);
  free(word);
  return amo_finish_output(amo_exit_code(st));
}
