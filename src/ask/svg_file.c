// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "ask/svg_file.h"

#include <strings.h>
#include <string.h>

#include "base/file.h"

amo_status amo_svg_path_check(const amo_call *call, const char *option, const char *path)
{
  size_t n = strlen(path);
  if (!strcmp(path, "-")) return AMO_OK;
  if (n < 5 || strcasecmp(path + n - 4, ".svg") != 0)
    return amo_error(call->diags, (amo_at){0}, "rsvg-convert and inkscape make other formats from it",
                     "a drawing is SVG: --%s must end in .svg, got '%s'", option, path);
  return AMO_OK;
}
