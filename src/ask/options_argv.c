// SPDX-License-Identifier: Apache-2.0
// Options from a command line.
#include <ctype.h>
#include <string.h>

#include "ask/options_impl.h"

/// Does a word look like name=value? Then it belongs to the --set before it.
static bool is_pair(const char *s)
{
  if (!isalpha((unsigned char)*s) && *s != '_') return false;
  while (isalnum((unsigned char)*s) || (*s && strchr("_.[]'-", *s))) s++;
  return *s == '=';
}

typedef struct argv_reader {
  amo_options *o;
  int argc, i;
  char *const *argv;
  amo_diags *diags;
} argv_reader;

static amo_status read_flag(argv_reader *r, amo_opt_value *v, const char *value)
{
  amo_at nowhere = {0};
  if (!value) value = "true";
  if (strcmp(value, "true") && strcmp(value, "false"))
    return amo_error(r->diags, nowhere, NULL, "%s takes no value, got '%s'", amo_opt_shown(r->o, v), value);
  return amo_opt_store(r->o, v, value, nowhere, r->diags);
}

/// A word that starts with "--" and a letter is an option, never the value of the one before it.
static bool is_value(const char *s)
{
  return !(s[0] == '-' && s[1] == '-');
}

static amo_status read_option(argv_reader *r, const char *word)
{
  amo_at nowhere = {0};
  const char *equal = strchr(word, '=');
  size_t n = equal ? (size_t)(equal - word) : strlen(word);
  const char *name = amo_arena_str(&r->o->arena, word, n), *value = equal ? equal + 1 : NULL;
  if (!name) return AMO_ENOMEM;
  amo_opt_value *v = amo_options_value(r->o, name);
  if (!v) {
    // "--untill 5": the 5 is the lost option's value, not a word of its own
    if (!equal && r->i + 2 < r->argc && is_value(r->argv[r->i + 1]) && !is_value(r->argv[r->i + 2])) r->i++;
    return amo_opt_unknown(r->o, name, "--", nowhere, r->diags);
  }
  if (v->def->type == AMO_OPT_FLAG) return read_flag(r, v, value);
  if (v->given && !amo_opt_repeats(v->def))
    amo_warn(r->diags, nowhere, NULL, "--%s is given more than once; the last one counts", name);
  if (!value) {
    if (r->i + 1 >= r->argc || !is_value(r->argv[r->i + 1]))
      return amo_error(r->diags, nowhere, NULL, "--%s needs a value: --%s %s", name, name, v->def->metavar);
    value = r->argv[++r->i];
  }
  amo_status st = amo_opt_store(r->o, v, value, nowhere, r->diags);
  while (v->def->type == AMO_OPT_SETTINGS && r->i + 1 < r->argc &&
         (is_pair(r->argv[r->i + 1]) || (v->def->choices && *r->argv[r->i + 1] == '['))) {
    amo_status more = amo_opt_store_pairs(r->o, v, r->argv[++r->i], nowhere, r->diags);
    if (more != AMO_OK) st = more;
  }
  return st;
}

amo_status amo_options_from_argv(const amo_opt_def *opts, int argc, char *const *argv, amo_diags *diags,
                                 const char **words, size_t *nwords, amo_options **out)
{
  amo_status st = AMO_OK;
  amo_at nowhere = {0};
  bool open = true;  // until "--"
  argv_reader r = {amo_options_new(opts), argc, 0, argv, diags};
  *out = NULL;
  *nwords = 0;
  if (!r.o) return AMO_ENOMEM;
  for (; r.i < argc; r.i++) {
    const char *w = argv[r.i];
    amo_status one = AMO_OK;
    if (open && !strcmp(w, "--"))
      open = false;
    else if (open && w[0] == '-' && w[1] == '-')
      one = read_option(&r, w + 2);
    else if (open && w[0] == '-' && w[1])
      one = amo_error(diags, nowhere, NULL, "unknown option '%s'; options start with two dashes", w);
    else
      words[(*nwords)++] = w;
    if (one != AMO_OK) st = one;
  }
  if (st == AMO_OK)
    *out = r.o;
  else
    amo_options_free(r.o);
  return st;
}
