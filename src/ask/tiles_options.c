// SPDX-License-Identifier: Apache-2.0
#include "ask/tiles_options.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"

static amo_status read_slice(const amo_call *call, amo_slice *out)
{
  const char *part = amo_opt_text(call->opt, "part");
  unsigned number = 1, count = 1;
  char rest = 0;
  if (part && (sscanf(part, "%9u/%9u%c", &number, &count, &rest) != 2 || number < 1 || number > count))
    return amo_error(call->diags, (amo_at){0}, "--part 1/8, 2/8, ... 8/8 for a job array of eight",
                     "--part needs I/N with I from 1 to N, got '%s'", part);
  *out = (amo_slice){.index = number - 1, .count = count};
  return AMO_OK;
}

/// Tiles can be kept only in a real file.
static bool is_stream(const char *file)
{
  return !strcmp(file, "-") || !strncmp(file, "/dev/", 5);
}

static char *name_beside(const char *file, amo_slice s)
{
  amo_text t = {0};
  amo_text_printf(&t, "%s.part", file);
  if (s.count > 1) amo_text_printf(&t, ".%zu-of-%zu", s.index + 1, s.count);
  return amo_text_take(&t);
}

amo_status amo_tiles_place_read(const amo_call *call, const char *beside, amo_tiles_place *out)
{
  const char *keep = amo_opt_text(call->opt, "keep");
  *out = (amo_tiles_place){0};
  amo_status st = read_slice(call, &out->slice);
  if (st != AMO_OK) return st;
  if (keep && is_stream(keep))
    return amo_error(call->diags, (amo_at){0}, "name a file",
                     "--keep: what is done cannot be read back from '%s'", keep);
  out->own = !keep && beside && !is_stream(beside);
  if (out->slice.count > 1 && !keep && !out->own)
    return amo_error(call->diags, (amo_at){0}, "--keep FILE",
                     "--part: a part of the answer has to be kept in a file");
  if (keep || out->own) {
    out->file = keep ? amo_strdup(keep) : name_beside(beside, out->slice);
    if (!out->file) return AMO_ENOMEM;
  }
  return AMO_OK;
}
