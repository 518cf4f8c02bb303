// SPDX-License-Identifier: Apache-2.0
/// Parsing of a verb's options, from a command line or from a section of a study file.
/// Two steps, because numbers may be expressions of the model's parameters ("2*pi/w") and the model
/// is loaded with the `set` option that is among them:
///   parse (argv or yaml) -> load model with amo_opt_settings(o, "set", ...) -> amo_options_resolve.
#ifndef AMO_ASK_OPTIONS_H
#define AMO_ASK_OPTIONS_H

#include "model/yaml.h"
#include "ask/verb.h"

/// Options that every verb has besides its own table: `set`. Ends with name == NULL.
const amo_opt_def *amo_common_opts(void);

/// Definition of option `name` for this table (common ones included), or NULL.
const amo_opt_def *amo_opt_find(const amo_opt_def *opts, const char *name);

/// From argv[0..argc): "--name value", "--name=value", "--flag". Words that are no options go to
/// `words` in order (borrowed pointers; room for argc). "--" ends the options.
/// All mistakes are reported; AMO_EINPUT then and *out = NULL.
amo_status amo_options_from_argv(const amo_opt_def *opts, int argc, char *const *argv, amo_diags *diags,
                                 const char **words, size_t *nwords, amo_options **out);

/// From a YAML mapping (NULL or empty scalar: all defaults). Keys are option names; AMO_OPT_FILE options
/// are refused. All mistakes are reported with their positions; AMO_EINPUT then and *out = NULL.
amo_status amo_options_from_yaml(const amo_verb *verb, const amo_yaml *node, amo_diags *diags,
                                 amo_options **out);

/// Evaluate numbers (parameters of `m` may be used; m may be NULL: plain expressions) and check ranges.
/// Must be called before amo_opt_number/integer are used.
amo_status amo_options_resolve(amo_options *o, const amo_values *v, amo_diags *diags);

/// Every input file by another name, where `find` (of a study, say) knows one. `find` reports what is missing.
amo_status amo_options_inputs(amo_options *o,
                              amo_status (*find)(void *ctx, const char *text, amo_at at, const char **path),
                              void *ctx);
/// One more file or text for a repeatable option, before those that were given.
amo_status amo_options_put_first(amo_options *o, const char *name, const char *text, amo_diags *diags);

void amo_options_free(amo_options *o);  // accepts NULL

#endif
