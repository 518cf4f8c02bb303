// SPDX-License-Identifier: Apache-2.0
// Output files, looked at before the run: a mistake should not cost an hour, a model or another result.
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "cli/command.h"
#include "ask/options.h"

static const char *file_of(const amo_opt_def *d, const amo_options *o)
{
  return d->type == AMO_OPT_FILE ? amo_opt_text(o, d->name) : NULL;
}

bool amo_takes_stdout(const amo_opt_def *opts, const amo_options *o)
{
  for (const amo_opt_def *d = opts; d && d->name; d++) {
    const char *path = file_of(d, o);
    if (path && (!strcmp(path, "-") || !strcmp(path, "/dev/stdout") || !strcmp(path, "/dev/fd/1")))
      return true;
  }
  return false;
}

/// Script and data of a figure lie beside it, under its name.
static bool lies_beside(const char *figure, const char *other)
{
  static const char *const ending[] = {".gp", ".dat"};
  const char *dot = strrchr(figure, '.');
  bool same = false;
  for (int i = 0; dot && i < 2 && !same; i++) {
    amo_text t = {0};
    amo_text_add(&t, figure, (size_t)(dot - figure));
    amo_text_str(&t, ending[i]);
    char *path = amo_text_take(&t);
    same = path && amo_file_same(path, other);
    free(path);
  }
  return same;
}

static bool collide(const amo_opt_def *d, const char *path, const char *other)
{
  return amo_file_same(path, other) || (!strcmp(d->name, "plot") && lies_beside(path, other));
}

amo_status amo_files_check(const amo_opt_def *opts, const amo_options *o, const char *model, amo_diags *diags)
{
  for (const amo_opt_def *d = opts; d && d->name; d++) {
    const char *path = file_of(d, o);
    if (!path) continue;
    if (model && collide(d, path, model))
      return amo_error(diags, (amo_at){0}, NULL, "--%s '%s' would overwrite the model", d->name, path);
    const amo_setting *input = NULL;
    for (const amo_opt_def *e = opts; e->name; e++)
      for (size_t i = 0, n = e->type == AMO_OPT_INPUT ? amo_opt_settings(o, e->name, &input) : 0; i < n; i++)
        if (collide(d, path, input[i].text))
          return amo_error(diags, (amo_at){0}, NULL, "--%s '%s' would overwrite what is read", d->name, path);
    for (const amo_opt_def *e = opts; e->name; e++) {
      const char *other = e != d ? file_of(e, o) : NULL;
      if (other && collide(d, path, other))
        return amo_error(diags, (amo_at){0}, NULL, "--%s '%s' and --%s '%s' would write the same file",
                         d->name, path, e->name, other);
    }
  }
  return AMO_OK;
}
