// SPDX-License-Identifier: Apache-2.0
/// `--set name=value`: finding the setting for a name, and complaining about names nobody has.
#include <string.h>

#include "base/text.h"
#include "model/model.h"

const char *amo_setting_for(amo_loader *ld, const char *name, const char *base)
{
  const char *text = NULL;
  for (size_t i = 0; i < ld->settings.count; i++) {  // later ones win, an element wins over its family
    bool own = strcmp(ld->settings.item[i].name, name) == 0;
    bool family = base && strcmp(ld->settings.item[i].name, base) == 0;
    if (!own && !family) continue;
    ld->settings.used[i] = true;
    if (own || !text) text = ld->settings.item[i].text;
  }
  return text;
}

/// Names that can be set, one after another, for suggestions.
static const char *settable(void *ctx, size_t i)
{
  const amo_loader *ld = ctx;
  if (i < ld->names.count) {
    const amo_entry_name *e = &ld->names.item[i];
    return e->kind == AMO_NAME_DEFINITION ? "" : e->name;
  }
  i -= ld->names.count;
  if (ld->m->extra && i < ld->m->nz) return ld->m->extra[i].sym.name ? ld->m->extra[i].sym.name : "";
  return NULL;
}

void amo_settings_check(amo_loader *ld)
{
  for (size_t i = 0; i < ld->settings.count; i++) {
    if (ld->settings.used[i]) continue;
    const char *name = ld->settings.item[i].name;
    amo_text list = {0};
    size_t length = strcspn(name, "'[");
    const char *near = amo_nearest(name, length, settable, ld);
    amo_text_str(&list, "known: ");
    for (size_t k = 0; settable(ld, k) && list.size < 200; k++) {
      const char *s = settable(ld, k);
      if (*s) amo_text_printf(&list, "%s%s", list.size > 7 ? ", " : "", s);
    }
    amo_at at = {.file = amo_diags_source(ld->diags, "--set", NULL, 0)};
    if (near && *near)
      amo_error(ld->diags, at, list.data, "the model has no '%.80s' to set; did you mean '%s'?", name, near);
    else
      amo_error(ld->diags, at, list.data, "the model has no '%.80s' to set", name);
    amo_load_fail(ld, AMO_EINPUT);
    amo_text_free(&list);
  }
}
