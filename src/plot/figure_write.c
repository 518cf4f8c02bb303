// SPDX-License-Identifier: Apache-2.0
// Writing a figure: names of the three files, then data, script, and gnuplot's picture, in this order.
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "plot/figure_impl.h"

static void free_names(amo_figure_names *n)
{
  free(n->folder);
  free(n->figure);
  free(n->script);
  free(n->data);
}

static char *with_ending(const char *base, size_t stem, const char *ending)
{
  size_t n = strlen(ending);
  char *s = malloc(stem + n + 1);
  if (!s) return NULL;
  memcpy(s, base, stem);
  memcpy(s + stem, ending, n + 1);
  return s;
}

static amo_status make_names(const char *path, amo_diags *diags, amo_figure_names *out)
{
  static const char *const ending[] = {".svg", ".png", ".pdf"};
  amo_at nowhere = {0};
  const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path, *dot = strrchr(base, '.');
  size_t stem = dot ? (size_t)(dot - base) : strlen(base);
  int format = -1;
  for (const char *p = path; *p; p++)  // a line break would end the comment of the script that names the file
    if ((unsigned char)*p < 0x20 || *p == 0x7f)
      return amo_error(diags, nowhere, NULL, "a figure's name must not hold control characters: '%s'", path);
  for (int i = 0; dot && i < 3; i++)
    if (!strcasecmp(dot, ending[i])) format = i;
  if (format < 0 || !stem)
    return amo_error(diags, nowhere, NULL, "a figure's name must end in .svg, .png or .pdf, got '%s'", path);
  out->format = (amo_figure_format)format;
  out->folder = slash ? amo_strndup(path, slash == path ? 1 : (size_t)(slash - path)) : amo_strdup(".");
  out->figure = amo_strdup(base);
  out->script = with_ending(base, stem, ".gp");
  out->data = with_ending(base, stem, ".dat");
  return out->folder && out->figure && out->script && out->data ? AMO_OK : AMO_ENOMEM;
}

static char *join(const char *folder, const char *name)
{
  amo_text t = {0};
  amo_text_printf(&t, "%s/%s", folder, name);
  return amo_text_take(&t);
}

static amo_status write_text(const char *folder, const char *name, amo_text *text, amo_diags *diags)
{
  char *path = join(folder, name), *data = amo_text_take(text);
  amo_status st = path && data ? amo_file_write_text(path, data, diags) : AMO_ENOMEM;
  free(path);
  free(data);
  return st;
}

/// gnuplot runs in the figure's folder; a temporary file beside a link's target has a path from the root.
static const char *seen_from_folder(const char *temporary)
{
  const char *slash = strrchr(temporary, '/');
  return temporary[0] == '/' || !slash ? temporary : slash + 1;
}

static amo_status draw(const amo_figure_names *names, amo_file_place *place, amo_diags *diags)
{
  char *script = join(".", names->script);
  if (!script) return AMO_ENOMEM;
  amo_status st = amo_gnuplot_run(names->folder, script, seen_from_folder(place->temporary), diags);
  if (st == AMO_OK) st = amo_file_place_commit(place, diags);
  free(script);
  return st;
}

static bool is_empty(const amo_figure *f)
{
  for (const amo_panel *p = f->panel; p; p = p->next)
    for (const amo_figure_series *s = p->series; s; s = s->next)
      for (size_t i = 0; i < s->n; i++)
        if (isfinite(s->x[i]) && isfinite(s->y[i])) return false;
  return true;
}

amo_status amo_figure_check_name(const char *path, amo_diags *diags)
{
  amo_figure_names names = {0};
  amo_status st = make_names(path, diags, &names);
  free_names(&names);
  return st;
}

amo_status amo_figure_write(const amo_figure *f, const char *path, amo_diags *diags)
{
  amo_figure_names names = {0};
  amo_file_place place = {0};
  amo_text data = {0}, script = {0};
  if (!f || f->failed) return AMO_ENOMEM;
  amo_status st = make_names(path, diags, &names);
  if (st == AMO_OK && is_empty(f))
    st = amo_error(diags, (amo_at){0}, NULL, "nothing to draw in '%s': no finite point in any curve", path);
  if (st == AMO_OK) st = amo_file_place_begin(path, false, diags, &place);
  if (st != AMO_OK) goto done;
  amo_figure_data(f, &data);
  amo_figure_script(f, &names, &script);
  st = write_text(names.folder, names.data, &data, diags);
  if (st == AMO_OK) st = write_text(names.folder, names.script, &script, diags);
  if (st == AMO_OK) st = draw(&names, &place, diags);
done:
  amo_file_place_abort(&place);
  amo_text_free(&data);
  amo_text_free(&script);
  free_names(&names);
  return st;
}
