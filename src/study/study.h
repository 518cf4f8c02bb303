// SPDX-License-Identifier: Apache-2.0
/// Studies: a model, settings, analyses, expectations and a figure, in one file (docs/study.md).
/// One machinery serves `amontons test` (anyone's expectations), `amontons reproduce` (the gallery
/// of the sources) and the project's own tests.
///
///   load (study_load.c) -> run (run.c) -> judge (expect.c) -> print, figures, page (report*.c)
#ifndef AMO_STUDY_STUDY_H
#define AMO_STUDY_STUDY_H

#include <cjson/cJSON.h>
#include <signal.h>
#include <stdio.h>

#include "base/mem.h"
#include "model/yaml.h"
#include "explore/trajectory.h"
#include "ask/verb.h"

typedef struct amo_study_run {
  const char *name;  // how expectations address it
  const amo_verb *verb;
  const char *verb_name;
  const amo_yaml *options;   // the verb's options as a mapping (merged; may be synthetic); `set` included
  const amo_yaml *model;     // path (scalar) or the model itself (mapping)
  const amo_yaml *mixed[2];  // `settings:` of study and run: options and settings of the model together
  const amo_yaml *units;     // {setting: unit} where a setting says one
  const amo_yaml *over;      // sweep: mapping name -> values, or list of settings; NULL = one run
  bool fails;                // failure is what the study expects
  bool may_fail;             // failure or not, the results count
  long exit;                 // expected exit status when it fails, -1 = any
  const char *error;         // text the message must contain, NULL = any
  amo_at at;
} amo_study_run;

/// Tolerances: the comparison holds when |a - b| <= max(abs, rel*|b|), b being the expected value.
typedef struct amo_expectation amo_expectation;
struct amo_expectation {
  const amo_yaml *value;  // an expression of results, or a list of them
  const amo_yaml *equals, *differs, *below, *above, *at_least, *at_most, *between, *contains;
  double rel, abs;     // negative = not given
  double tolerance;    // relative; absolute where the expected value is 0
  const char *name;    // case id or label, "" if none
  const char *source;  // where the expected value comes from, "" if not said
  const char *note;
  bool own_tolerance;     // it was said for this expectation, not for several together
  amo_expectation *part;  // `a or b`, `a < b < c`: what it is made of; the conditions above are unused then
  size_t parts;
  bool any;     // one of the parts is enough
  bool denied;  // the contrary is expected
  // `path: {abs: 0.9}`: path, and the mapping some keys of which were taken for words of the check. Where the
  // result has a key of that name, nobody can tell which was meant.
  const amo_yaml *group, *words;
  amo_at at;
};

/// A row for the report where the source prints another value than ours (errata).
typedef struct amo_shown {
  const char *what, *source, *note;
  const amo_yaml *ours;
} amo_shown;

typedef struct amo_definition {
  const char *name;
  const amo_yaml *value;
} amo_definition;

typedef struct amo_study amo_study;
struct amo_study {
  amo_study *next;  // of the same file; it borrows doc and text from the first
  bool borrowed, unknown_keys;
  bool top_run;  // a run takes `over`, `fails`, ... from the top of the file
  amo_arena arena;
  amo_yaml_doc *doc;
  const char *path;  // of the file
  char *text;        // the file itself; inline models are cut out of it
  size_t size;
  const char *directory;  // paths in the file are relative to it ("" = here)
  const char **id;        // at least one
  size_t ids;
  const char *title, *source, *note, *kind;
  amo_study_run *run;
  size_t runs, run_cap;
  amo_definition *define;
  size_t defines, define_cap;
  amo_expectation *expect;
  size_t expects, expect_cap;
  amo_shown *shown;
  size_t showns, shown_cap;
  const amo_yaml *figure;  // mapping or list of mappings, NULL if none
};

/// Load and check a study file. All mistakes are reported. AMO_EIO, AMO_EINPUT, ...; *out NULL then.
/// A file with several studies is refused.
amo_status amo_study_load(const char *path, amo_diags *diags, amo_study **out);
/// All studies of a file, linked by `next`; free the first one.
amo_status amo_study_load_all(const char *path, amo_diags *diags, amo_study **out);
/// The same from a text in memory; `path` names it in messages, and models are looked for beside it.
amo_status amo_study_parse(const char *path, const char *text, size_t size, amo_diags *diags,
                           amo_study **out);
void amo_study_free(amo_study *s);  // accepts NULL

/// Trajectories kept for figures, one per simulate run (and per item of a sweep).
typedef struct amo_recorded {
  const char *run;
  long item;  // index in the sweep; 0 for a plain run
  amo_trajectory *trajectory;
  amo_model *model;  // of the run; expressions of columns may use its parameters
} amo_recorded;

typedef struct amo_study_result {
  cJSON *root;        // {run name: result or list of results, ..., definitions}
  cJSON *aliases;     // {verb: result} where one run of another name asks that verb
  const cJSON *only;  // the result of the only run: paths may start inside it
  size_t references;  // results used so far by expressions
  const amo_definition *define;
  size_t defines;
  unsigned other;  // which other numbers stand in the place of results (expect_blind.c); 0: none
  cJSON *scratch;  // lists made while evaluating
  cJSON *checks;   // list of judged expectations, see amo_expect_judge
  amo_recorded *recorded;
  size_t recordeds, recorded_cap;
  cJSON *broken_runs;    // {run: was it one, not a sweep; definition: the run it rests on} of what failed
  const cJSON *touched;  // the first of them that an expression has used; reset by who evaluates
  size_t passed, failed;
  size_t unjudged;  // expectations that only repeat that a run failed
  bool broken;      // a run failed that was not expected to
  bool bad_input;   // ... because a model or an option is faulty
  double seconds;
} amo_study_result;

typedef struct amo_study_opts {
  bool record;                                   // keep trajectories for figures
  volatile sig_atomic_t *interrupted;            // may be NULL
  void (*progress)(void *ctx, double fraction);  // may be NULL
  void *progress_ctx;
} amo_study_opts;

/// Run everything and judge the expectations. AMO_OK when the study could be run (whatever the
/// verdicts); AMO_EINPUT when options or models are faulty (reported), AMO_EINTR, AMO_ENOMEM.
amo_status amo_study_execute(const amo_study *s, const amo_study_opts *o, amo_diags *diags,
                             amo_study_result *out);
void amo_study_result_free(amo_study_result *r);

/// "reproduced" (all expectations hold), "differs", "failed" (a run failed), "no expectations".
const char *amo_study_verdict(const amo_study_result *r);

// ---- expectations (value.c, expect.c) ----
/// Evaluate an expression of results. Single paths give any JSON value, everything else a number.
/// *out belongs to r.
amo_status amo_value_eval(amo_study_result *r, const amo_yaml *text, amo_diags *diags, const cJSON **out);
amo_status amo_value_number(amo_study_result *r, const amo_yaml *text, amo_diags *diags, double *out);
/// Would an expectation hold (or fail) whatever the results are, because both sides change with them alike?
bool amo_expect_is_blind(amo_study_result *r, const amo_expectation *e);
/// A number in the place of result x at `key`; x itself where r->other is 0.
double amo_expect_other(const amo_study_result *r, const void *key, double x);
/// Judge one expectation: {ok, value, case, actual, expected, difference, tolerance, message, at, source}.
cJSON *amo_expect_judge(amo_study_result *r, const amo_expectation *e);

// ---- figures (study_figure.c) ----
/// Draw the study's figures as DIR/ID.svg (ID-2.svg, ...). `files` (a list) gets {file, caption} of each.
amo_status amo_study_figures(const amo_study *s, amo_study_result *r, const char *dir, amo_diags *diags,
                             cJSON *files);

// ---- printing (report.c, report_html.c) ----
void amo_study_print(const amo_study *s, const amo_study_result *r, FILE *out, bool verbose);
cJSON *amo_study_json(const amo_study *s, const amo_study_result *r);

/// One self-contained page. entries: list of amo_study_json objects, each with `figures`:
/// [{file, caption}] (SVG files, read in).
amo_status amo_report_write(const char *path, const cJSON *entries, amo_diags *diags);

// ---- verbs without a model; the command line calls them with what follows the verb ----
/// @return exit status 0, 1, 2. `program`: argv[0], to find the gallery beside the executable.
int amo_test_main(int argc, char *const *argv, FILE *out, FILE *err, volatile sig_atomic_t *interrupted);
int amo_reproduce_main(const char *program, int argc, char *const *argv, FILE *out, FILE *err,
                       volatile sig_atomic_t *interrupted);
extern const amo_opt_def amo_test_opts[], amo_reproduce_opts[];  // help: amo_verb_test, ... in study_verbs.h

#endif
