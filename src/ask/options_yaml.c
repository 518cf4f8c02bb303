// SPDX-License-Identifier: Apache-2.0
// Options from a section of a study file.
#include <string.h>

#include "base/text.h"
#include "ask/options_impl.h"

/// A list or a mapping as one line.
static void flow_text(const amo_yaml *n, amo_text *out)
{
  if (n->kind == AMO_YAML_SCALAR) {
    amo_text_add(out, n->text, n->length);
    return;
  }
  bool map = n->kind == AMO_YAML_MAP;
  amo_text_str(out, map ? "{" : "[");
  for (const amo_yaml *c = n->first; c; c = c->next) {
    if (map) amo_text_printf(out, "%s: ", c->key->text);
    flow_text(c, out);
    if (c->next) amo_text_str(out, ", ");
  }
  amo_text_str(out, map ? "}" : "]");
}

/// A range: "0:1", [0, 1] or {from: 0, to: 1}.
static bool range_text(const amo_yaml *n, amo_text *out)
{
  const amo_yaml *from = NULL, *to = NULL;
  if (n->kind == AMO_YAML_SCALAR) {
    amo_text_add(out, n->text, n->length);
    return n->length > 0;
  }
  if (n->kind == AMO_YAML_LIST && n->count == 2) {
    from = n->first;
    to = n->first->next;
  } else if (n->kind == AMO_YAML_MAP && n->count == 2) {
    from = amo_yaml_get(n, "from") ? amo_yaml_get(n, "from") : amo_yaml_get(n, "min");
    to = amo_yaml_get(n, "to") ? amo_yaml_get(n, "to") : amo_yaml_get(n, "max");
  }
  if (!amo_yaml_is(from, AMO_YAML_SCALAR) || !amo_yaml_is(to, AMO_YAML_SCALAR)) return false;
  amo_text_printf(out, "%s:%s", from->text, to->text);
  return true;
}

/// What is one word on the command line may be a mapping or a list here: vary: {mu: [0, 1]}, size: [30, 20].
static bool one_word(const amo_yaml *n, amo_text *out)
{
  if (n->kind == AMO_YAML_MAP && n->count == 1) {
    amo_text_printf(out, "%s=", n->first->key->text);
    return range_text(n->first, out);
  }
  if (n->kind != AMO_YAML_LIST || n->count == 0) return false;
  for (const amo_yaml *c = n->first; c; c = c->next) {
    if (c->kind != AMO_YAML_SCALAR) return false;
    amo_text_printf(out, "%s%s", c == n->first ? "" : "x", c->text);
  }
  return true;
}

static amo_status read_word(amo_options *o, amo_opt_value *v, const amo_yaml *n, amo_diags *diags)
{
  amo_text text = {0};
  bool read = one_word(n, &text);
  amo_status st = text.failed ? AMO_ENOMEM
                  : read      ? amo_opt_store(o, v, text.data, n->at, diags)
                         : amo_error(diags, amo_yaml_at(n), NULL, "'%s' needs a single value", v->def->name);
  amo_text_free(&text);
  return st;
}

static amo_status read_settings(amo_options *o, amo_opt_value *v, const amo_yaml *n, amo_diags *diags)
{
  amo_status st = AMO_OK;
  if (n->kind == AMO_YAML_SCALAR) return amo_opt_store(o, v, n->text, n->at, diags);
  if (n->kind == AMO_YAML_LIST && v->def->choices) {
    amo_text text = {0};
    flow_text(n, &text);
    amo_status st1 = text.failed ? AMO_ENOMEM : amo_opt_store(o, v, text.data, n->at, diags);
    amo_text_free(&text);
    return st1;
  }
  if (n->kind == AMO_YAML_LIST) {  // as words on the command line: [k=2, c=3]
    for (const amo_yaml *c = n->first; c && st == AMO_OK; c = c->next) st = read_settings(o, v, c, diags);
    return st;
  }
  if (n->kind != AMO_YAML_MAP)
    return amo_error(diags, n->at, NULL, "%s must be a mapping such as {k: 2}", v->def->name);
  v->at = n->at;
  v->given = true;
  for (const amo_yaml *c = n->first; c; c = c->next) {
    amo_status one = AMO_OK;
    if (c->kind != AMO_YAML_SCALAR && c->first &&
        v->def->choices) {  // a point: [x, y], {on: body, at: [x, y]}
      amo_text text = {0};
      flow_text(c, &text);
      one = text.failed || !text.data
                ? AMO_ENOMEM
                : amo_opt_store_pair(o, v, c->key->text, c->key->length, text.data, strlen(text.data));
      amo_text_free(&text);
    } else if (c->kind != AMO_YAML_SCALAR) {
      amo_text text = {0};
      one = !range_text(c, &text) ? amo_error(diags, amo_yaml_at(c), "a number, a range 0:1 or [0, 1]",
                                              "cannot read the value of '%s'", c->key->text)
            : text.failed         ? AMO_ENOMEM
                          : amo_opt_store_pair(o, v, c->key->text, c->key->length, text.data, text.size);
      amo_text_free(&text);
    } else if (amo_yaml_is_null(c))
      one = amo_error(diags, amo_yaml_at(c), NULL, "'%s' needs a value", c->key->text);
    else
      one = amo_opt_store_pair(o, v, c->key->text, c->key->length, c->text, c->length);
    if (one != AMO_OK) st = one;
  }
  return st;
}

/// One text or a list of texts.
static amo_status read_list(amo_options *o, amo_opt_value *v, const amo_yaml *n, amo_diags *diags)
{
  amo_status st = AMO_OK;
  const bool list = n->kind == AMO_YAML_LIST && n->count > 0;
  for (const amo_yaml *c = list ? n->first : n; c; c = list ? c->next : NULL) {
    if (c->kind != AMO_YAML_SCALAR || amo_yaml_is_null(c))
      return amo_error(diags, amo_yaml_at(c), NULL, "'%s' needs a text or a list of texts", v->def->name);
    amo_status one = amo_opt_store(o, v, c->text, c->at, diags);
    if (one != AMO_OK) st = one;
  }
  return st;
}

static amo_status read_entry(amo_options *o, const amo_yaml *n, amo_diags *diags)
{
  bool flag = false;
  amo_opt_value *v = amo_options_value(o, n->key->text);
  if (!v) return amo_opt_unknown(o, n->key->text, "", n->key->at, diags);
  if (v->def->type == AMO_OPT_FILE)
    return amo_error(diags, n->key->at, "the study decides where its files go",
                     "'%s' names an output file and works on the command line only", n->key->text);
  if (v->def->type == AMO_OPT_SETTINGS) return read_settings(o, v, n, diags);
  if (amo_opt_repeats(v->def)) return read_list(o, v, n, diags);
  if (n->kind != AMO_YAML_SCALAR && v->def->type == AMO_OPT_TEXT) return read_word(o, v, n, diags);
  if (n->kind != AMO_YAML_SCALAR || amo_yaml_is_null(n))
    return amo_error(diags, amo_yaml_at(n), NULL, "'%s' needs a single value", v->def->name);
  if (v->def->type == AMO_OPT_FLAG) {
    amo_status st = amo_yaml_bool(n, v->def->name, diags, &flag);
    return st == AMO_OK ? amo_opt_store(o, v, flag ? "true" : "false", n->at, diags) : st;
  }
  return amo_opt_store(o, v, n->text, n->at, diags);
}

amo_status amo_options_from_yaml(const amo_verb *verb, const amo_yaml *node, amo_diags *diags,
                                 amo_options **out)
{
  amo_status st = AMO_OK;
  *out = NULL;
  amo_options *o = amo_options_new(verb->opts);
  if (!o) return AMO_ENOMEM;
  if (!amo_yaml_is_null(node)) {
    st = amo_yaml_expect(node, AMO_YAML_MAP, verb->name, diags);
    if (st == AMO_OK)
      for (const amo_yaml *c = node->first; c; c = c->next) {
        amo_status one = read_entry(o, c, diags);
        if (one != AMO_OK) st = one;
      }
  }
  if (st == AMO_OK)
    *out = o;
  else
    amo_options_free(o);
  return st;
}
