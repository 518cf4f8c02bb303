// SPDX-License-Identifier: Apache-2.0
/// Inside of amo_options, shared by the two readers (argv, YAML) and the evaluation of numbers.
#ifndef AMO_ASK_OPTIONS_IMPL_H
#define AMO_ASK_OPTIONS_IMPL_H

#include "base/mem.h"
#include "ask/options.h"

typedef struct amo_opt_value {
  const amo_opt_def *def;
  bool given;
  const char *text;  // as written; the default's text when not given; NULL = absent
  amo_at at;         // where it was written; line 0 on the command line
  double number;     // after amo_options_resolve
  amo_setting *setting;
  size_t settings, setting_cap;
} amo_opt_value;

struct amo_options {
  amo_arena arena;       // copies of texts
  amo_opt_value *value;  // one for each definition
  size_t count;
};

/// May it be given several times?
static inline bool amo_opt_repeats(const amo_opt_def *d)
{
  return d->type == AMO_OPT_SETTINGS || d->type == AMO_OPT_INPUT || d->type == AMO_OPT_LINES;
}

amo_options *amo_options_new(const amo_opt_def *opts);               // all absent; NULL when out of memory
amo_opt_value *amo_options_value(amo_options *o, const char *name);  // NULL if unknown
/// How messages call an option: "--until" on the command line, "until" in a file.
const char *amo_opt_shown(amo_options *o, const amo_opt_value *v);

/// Store `text`; checks what can be checked without a model (choices, plain numbers and their range).
amo_status amo_opt_store(amo_options *o, amo_opt_value *v, const char *text, amo_at at, amo_diags *diags);
/// Store "a=1, b=2".
amo_status amo_opt_store_pairs(amo_options *o, amo_opt_value *v, const char *text, amo_at at,
                               amo_diags *diags);
amo_status amo_opt_store_pair(amo_options *o, amo_opt_value *v, const char *name, size_t n, const char *text,
                              size_t length);
/// Report an option that does not exist, with the nearest one that does.
amo_status amo_opt_unknown(const amo_options *o, const char *name, const char *dashes, amo_at at,
                           amo_diags *diags);
/// Range and integer checks of a value that is known.
amo_status amo_opt_check(amo_options *o, const amo_opt_value *v, double x, amo_diags *diags);

#endif
