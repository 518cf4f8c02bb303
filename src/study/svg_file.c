// SPDX-License-Identifier: Apache-2.0
#include "study/svg_file.h"

#include <string.h>

#include "base/file.h"

amo_status amo_svg_path_check(const amo_call *call, const char *option, const char *path)
{
  size_t n = strlen(path);
  if (n < 5 || strcmp(path + n - 4, ".svg") != 0)
    return amo_error(call->diags, (amo_at){0}, "rsvg-convert and inkscape make other formats from it",
                     "a drawing is SVG: --%s must end in .svg, got '%s'", option, path);
  if (*call->model_path && amo_file_same(path, call->model_path))
    return amo_error(call->diags, (amo_at){0}, NULL, "--%s '%s' would overwrite the model", option, path);
  return AMO_OK;
}

amo_status amo_svg_save(const char *path, const char *text, amo_diags *diags)
{
  amo_file_writer w = {0};
  amo_status st = amo_file_write_begin(path, diags, &w);
  if (st != AMO_OK) return st;
  fputs(text, w.stream);
  return amo_file_write_commit(&w, diags);
}
