// SPDX-License-Identifier: Apache-2.0
/// Verbs: the questions a user can ask of a model. One table per verb yields the command line options,
/// --help, the man page, shell completion, and the keys of a study's `simulate: {...}` section, so none
/// of them can disagree. A verb computes a JSON result; printing and files are the callers' business.
#ifndef AMO_ASK_VERB_H
#define AMO_ASK_VERB_H

#include <cjson/cJSON.h>
#include <signal.h>
#include <stdio.h>

#include "amontons/amontons.h"

typedef enum amo_opt_type {
  AMO_OPT_FLAG,    // --audit / audit: true
  AMO_OPT_NUMBER,  // a real; expressions of parameters allowed ("2*pi/w")
  AMO_OPT_INTEGER,
  AMO_OPT_TEXT,
  AMO_OPT_CHOICE,    // one of `choices`
  AMO_OPT_SETTINGS,  // name=value pairs, repeatable: --set k=2 m=3 / set: {k: 2}
  AMO_OPT_FILE,      // output file name (CLI only; refused in studies)
  AMO_OPT_INPUT,  // input file, repeatable: --record a.csv --record b.csv / record: [a.csv, b.csv], beside the study
  AMO_OPT_LINES  // a text, repeatable: --relation "y = a*x" / relation: ["y = a*x", "y = b"]
} amo_opt_type;

typedef struct amo_opt_def {
  const char *name;  // "until"
  amo_opt_type type;
  const char *metavar;   // "T"
  const char *fallback;  // default as text, NULL = none (absent)
  const char
      *choices;  // "event|switch|smooth" for AMO_OPT_CHOICE; of settings: name of a value "[...]" given bare
  const char *help;  // one line
  double min, max;   // numbers: allowed closed range; min == max == 0: any finite
} amo_opt_def;

typedef struct amo_options amo_options;  // parsed values for one call

bool amo_opt_known(const amo_options *o, const char *name);  // does the verb have this option?
bool amo_opt_given(const amo_options *o, const char *name);
double amo_opt_number(const amo_options *o, const char *name);  // default applied
long amo_opt_integer(const amo_options *o, const char *name);
bool amo_opt_flag(const amo_options *o, const char *name);
const char *amo_opt_text(const amo_options *o, const char *name);  // text, choice, file; NULL if absent
/// Settings, and what is repeatable (without names: `text` alone counts).
size_t amo_opt_settings(const amo_options *o, const char *name, const amo_setting **out);

typedef struct amo_call {
  const amo_model *model;    // loaded with the call's --set; NULL: the verb needs none and none was given
  const amo_values *values;  // what it is asked with
  const amo_options *opt;
  amo_diags *diags;
  volatile sig_atomic_t *interrupted;            // may be NULL; set by Ctrl-C
  void (*progress)(void *ctx, double fraction);  // may be NULL
  void *progress_ctx;
  struct amo_trajectory **recorded;  // where a recorded motion or path goes; NULL: it is not wanted
  const char
      *wanted;  // the one value that is read of the result (path in it): others may be left out; NULL: all
  int depth;    // how many limits and maps ask this question, one inside another
  const amo_ranks *ranks;  // processes that share its work; NULL: this one alone
  const char *command;     // the whole command line; NULL: it was asked in another way
} amo_call;

/// How a question of the library that this one asks is to be told of interruption and to tell of progress.
volatile int *amo_call_stop(const amo_call *call);
int amo_call_progress(void *call, double fraction);  // ctx: the call; never ends it

/// What stands behind the verb: a model, perhaps a model, or the first file of the verb's option `record`.
typedef enum amo_subject { AMO_OF_MODEL, AMO_OF_MODEL_OR_NONE, AMO_OF_RECORD } amo_subject;

typedef struct amo_verb {
  const char *name;
  const char *summary;      // one line for the list of verbs
  const char *usage;        // "MODEL [options]"
  const char *description;  // paragraphs for --help and the man page
  const char *example;      // shell lines; a test runs them
  const amo_opt_def *opts;  // ends with name == NULL
  amo_subject subject;
  const char *main;  // the value that `--of VERB` means, NULL: there is none
  bool at_rest;      // it asks about a mechanism that does not move: a stated velocity is a mistake
  bool no_ends,      // it does not follow supports to their ends
      no_creep,      // laws that never stick
      no_joints;  // it needs what is not known of joints: derivatives of the motion, equilibria without inertia
  /// AMO_OK with *result; AMO_ENOANSWER / AMO_EAUDIT may come with a *result that says how far it got.
  amo_status (*run)(const amo_call *call, cJSON **result);
  /// The result for a person. `wide`: terminal columns.
  void (*print)(const cJSON *result, FILE *out, int wide);
} amo_verb;

/// All model verbs (describe, simulate, evaluate, ...), NULL-terminated.
const amo_verb *const *amo_verbs(void);
const amo_verb *amo_verb_find(const char *name);
/// Its `run`, for models that it knows.
amo_status amo_verb_run(const amo_verb *v, const amo_call *call, cJSON **result);

#endif
