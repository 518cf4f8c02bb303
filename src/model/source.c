// SPDX-License-Identifier: Apache-2.0
#include "model/source.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/compiled.h"
#include "model/yaml.h"

amo_status amo_source_keep(amo_model_source *s, const char *name, const char *text, size_t size,
                           const amo_setting *set, size_t nset)
{
  s->name = amo_strdup(name);
  s->text = amo_zalloc(size + 1, 1);
  s->set = amo_zalloc(nset, sizeof *s->set);
  if (!s->name || !s->text || !s->set) return AMO_ENOMEM;
  if (size) memcpy(s->text, text, size);
  s->size = size;
  for (; s->nset < nset; s->nset++) {
    s->set[s->nset] = (amo_setting){amo_strdup(set[s->nset].name), amo_strdup(set[s->nset].text)};
    if (!s->set[s->nset].name || !s->set[s->nset].text) return AMO_ENOMEM;
  }
  return AMO_OK;
}

void amo_source_free(amo_model_source *s)
{
  for (size_t i = 0; i < s->nset; i++) {
    free((char *)(uintptr_t)s->set[i].name);
    free((char *)(uintptr_t)s->set[i].text);
  }
  free(s->set);
  free(s->name);
  free(s->text);
}

static bool among(const amo_setting *set, size_t n, const char *name)
{
  for (size_t i = 0; i < n; i++)
    if (set[i].name && !strcmp(set[i].name, name)) return true;
  return false;
}

amo_status amo_model_with(const amo_model *m, const amo_setting *set, size_t nset, amo_diags *diags,
                          amo_model **out)
{
  if (!out) return AMO_ERANGE;
  *out = NULL;
  if (!m || !m->source.text || (nset && !set)) return AMO_ERANGE;
  const amo_model_source *s = &m->source;
  size_t n = 0;
  amo_setting *all = amo_zalloc(s->nset + nset, sizeof *all);
  if (!all) return AMO_ENOMEM;
  for (size_t i = 0; i < s->nset; i++)
    if (!among(set, nset, s->set[i].name)) all[n++] = s->set[i];
  if (nset) memcpy(all + n, set, nset * sizeof *set);
  amo_status st = amo_model_parse(s->name, s->text, s->size, all, n + nset, diags, out);
  free(all);
  if (st == AMO_OK && strcmp((*out)->name, m->name) != 0) {  // it goes by the name of its file
    char *name = amo_strdup(m->name);
    if (name) free((*out)->name), (*out)->name = name;
  }
  return st;
}

// ---- what can be set ----

/// "x[2]'" is of the family "x'".
static bool same_or_family(const char *element, const char *name)
{
  const size_t n = strcspn(element, "[");
  const char *rest = strchr(element, ']');
  return !strcmp(element, name) || (rest && strlen(name) == n + strlen(rest + 1) &&
                                    !strncmp(element, name, n) && !strcmp(name + n, rest + 1));
}

static bool is_size(const amo_model_source *s, const char *name)
{
  amo_yaml_doc *doc = NULL;
  bool found = false;
  if (s->text && amo_yaml_parse(s->name, s->text, s->size, NULL, &doc) == AMO_OK)
    found = amo_yaml_get(amo_yaml_get(amo_yaml_root(doc), "sizes"), name) != NULL;
  amo_yaml_free(doc);
  return found;
}

bool amo_model_settable(const amo_model *m, const char *name)
{
  if (!m || !name) return false;
  for (size_t i = 0; i < amo_model_parameters(m); i++)
    if (same_or_family(amo_model_parameter(m, i).name, name)) return true;
  for (size_t i = 0; i < amo_model_states(m); i++)
    if (same_or_family(amo_model_state(m, i).name, name)) return true;
  return is_size(&m->source, name);
}
