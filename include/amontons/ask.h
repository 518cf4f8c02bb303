// SPDX-License-Identifier: Apache-2.0
/// One door for every question: what `amontons VERB MODEL --json` answers, from memory to memory.
///
///   amo_answer *a = NULL;
///   if (amo_ask(model, NULL, "contact", "{at: {q': 1}}", NULL, diags, &a) == AMO_OK)
///     printf("%s\n", amo_answer_text(a, "class"));
///   amo_answer_free(a);
///
/// Names of verbs, options and values of the answer are those of the command line: docs/cli.md lists the options,
/// docs/json.md the values. Options that name output files belong to the command line and are refused here. Models and values may
/// be shared by threads that ask; an answer belongs to one thread at a time. Nothing is printed, nothing is kept between calls.
#ifndef AMONTONS_ASK_H
#define AMONTONS_ASK_H

#include <stdbool.h>
#include <stddef.h>

#include "amontons/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct amo_answer amo_answer;  // what was answered; one thread's business at a time

/// How a question is asked. Get it from amo_ask_opts_default() and change what you need: later versions may add fields at the
/// end, and `size` says which of them the caller knows.
typedef struct amo_ask_opts {
  size_t size;  // sizeof(amo_ask_opts), set by amo_ask_opts_init
  volatile int
      *stop;  // may be NULL: set it to nonzero (from another thread or a signal) to end with AMO_EINTR
  /// May be NULL. Told the part that is done, 0 to 1, by questions that take long; nonzero ends with AMO_EINTR.
  /// May be called from threads of the question, one at a time.
  int (*progress)(void *ctx, double fraction);
  void *ctx;    // of progress
  bool record;  // keep the motion of `simulate` and the path of `quasistatic` as columns of the answer
} amo_ask_opts;

AMO_API void amo_ask_opts_init(amo_ask_opts *o, size_t size);
static inline amo_ask_opts amo_ask_opts_default(void)
{
  amo_ask_opts o;
  amo_ask_opts_init(&o, sizeof o);
  return o;
}

/// Ask `verb` of a model.
/// @param m        NULL where the verb needs none (statistics, breakdowns, fit of a relation)
/// @param v        what it is asked with; NULL: amo_model_values(m)
/// @param options  a mapping in YAML or JSON, as in a study: "until: 50", "{\"at\": {\"x\": 1}}"; NULL: all as they are.
///                 `set` reads the model again with further settings (amo_model_with); not together with v
/// @param opts     NULL for defaults
/// @return AMO_OK; AMO_EAUDIT, AMO_ENOANSWER, AMO_ELIMIT and AMO_EINTR may come with an answer that says how far it got;
///         AMO_EINPUT, AMO_ERANGE, AMO_EUNSUPPORTED, AMO_ENOMEM, AMO_EIO come with *out = NULL. Reasons are in diags.
AMO_API amo_status amo_ask(const amo_model *m, const amo_values *v, const char *verb, const char *options,
                           const amo_ask_opts *opts, amo_diags *diags, amo_answer **out);
AMO_API void amo_answer_free(amo_answer *a);  // accepts NULL

/// The whole answer as JSON, the text of --json. Owned by the answer; NULL: out of memory.
AMO_API const char *amo_answer_json(amo_answer *a);
/// The answer as the command line tells it to a person, for `width` columns (0: no limit). Caller frees; NULL: out of memory.
AMO_API char *amo_answer_print(const amo_answer *a, int width);

/// One value by its path in docs/json.md: "events[0].t", "final.state.x'". NaN: there is none, or it is no number.
AMO_API double amo_answer_number(const amo_answer *a, const char *path);
/// A text, NULL: there is none. True and false are the texts "true" and "false". Owned by the answer.
AMO_API const char *amo_answer_text(const amo_answer *a, const char *path);
/// Number of elements of a list or entries of a group, 0 of anything else.
AMO_API size_t amo_answer_count(const amo_answer *a, const char *path);
/// A list of numbers ("events[*].t") as an array, null as NaN. Owned by the answer, valid until it is freed.
/// AMO_ENOANSWER: the path leads to nothing, or to something else than numbers.
AMO_API amo_status amo_answer_numbers(amo_answer *a, const char *path, const double **out, size_t *count);

/// A column of a recorded motion (amo_ask_opts.record).
typedef struct amo_answer_column {
  const char *name, *unit;  // "x'" and "m/s"; the unit may be ""
  const double *value;      // [rows] owned by the answer
  size_t rows;              // of the column
} amo_answer_column;

AMO_API size_t amo_answer_columns(const amo_answer *a);  // how many
/// Column i; all zero when i is out of range.
AMO_API amo_answer_column amo_answer_column_at(const amo_answer *a, size_t i);

/// The verbs, their options, defaults, helps and examples as JSON: what interfaces in other languages are made from. Caller
/// frees; NULL: out of memory.
AMO_API char *amo_verbs_json(void);

#ifdef __cplusplus
}
#endif
#endif
