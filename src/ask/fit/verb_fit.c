// SPDX-License-Identifier: Apache-2.0
// fit: parameters from measured records.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "fit/resample.h"
#include "ask/fit/fit.h"
#include "ask/tiles_options.h"
#include "result/json.h"

// clang-format off
static const amo_opt_def opts[] = {
    {"record", AMO_OPT_INPUT, "FILE", NULL, NULL, "record, CSV with a head; repeatable", 0, 0},
    {"vary", AMO_OPT_TEXT, "NAMES", NULL, NULL, "what is to be found: parameters and initial values with starts and bounds, \"k, mu=0.3:0..1, x\"", 0, 0},
    {"measure", AMO_OPT_SETTINGS, "COLUMN=EXPR", NULL, NULL, "what a column of the record is in the model; columns that have the name of a quantity of the model if absent", 0, 0},
    {"time", AMO_OPT_TEXT, "COLUMN", NULL, NULL, "column of the time; t or time, else the first, if absent", 0, 0},
    {"sigma", AMO_OPT_SETTINGS, "COLUMN=SIGMA", NULL, NULL, "known noise of a column: its standard deviation, or the column that has it", 0, 0},
    {"each", AMO_OPT_TEXT, "NAMES", NULL, NULL, "of --vary: what every record has its own of", 0, 0},
    {"own", AMO_OPT_LINES, "\"2: v=0.2\"", NULL, NULL, "settings of one record, by its number or file; repeatable", 0, 0},
    {"relation", AMO_OPT_LINES, "EQUATION", NULL, NULL, "without a model: a relation of columns and unknowns, \"F = F0 + A*exp(-beta*f)\"; repeatable", 0, 0},
    {"breakdowns", AMO_OPT_SETTINGS, "stiffness=C ...", NULL, NULL, "relations: the records are oscillograms, and rows are their cycles; options of breakdowns (stiffness, mass, drive, ...)", 0, 0},
    {"units", AMO_OPT_CHOICE, "UNITS", "SI", "SI|file", "relations: columns in SI by the units of the head, or as the file has them", 0, 0},
    {"predict", AMO_OPT_LINES, "\"NAME = EXPR\"", NULL, NULL, "what follows from the unknowns, with its error; of relations, NAME may stand on the right too (the equation is solved)", 0, 0},
    {"prior", AMO_OPT_SETTINGS, "\"k=2 +- 0.1\"", NULL, NULL, "what is known of an unknown beforehand: value and standard deviation", 0, 0},
    {"loss", AMO_OPT_CHOICE, "LOSS", "squares", "squares|huber|cauchy|tukey", "how residuals count; the others forgive outliers", 0, 0},
    {"level", AMO_OPT_NUMBER, "P", "0.95", NULL, "of the intervals", 1e-6, 0.999999},
    {"starts", AMO_OPT_INTEGER, "N", "1", NULL, "search from N starts, the best counts: the one given, others between the bounds or around it", 1, 10000},
    {"bootstrap", AMO_OPT_INTEGER, "N", "0", NULL, "standard errors and intervals from N resampled records, too", 0, 100000},
    AMO_TILES_OPTS("resampled fit"),
    {"resample", AMO_OPT_CHOICE, "WHAT", "residuals", "residuals|cases", "what the bootstrap draws", 0, 0},
    {"seed", AMO_OPT_INTEGER, "SEED", "1", NULL, "of random numbers", 0, 9e15},
    {"out", AMO_OPT_FILE, "FILE", NULL, NULL, "write measured, model and residuals as CSV; - is standard output", 0, 0},
    {"report", AMO_OPT_FILE, "FILE", NULL, NULL, "write one HTML page with figures", 0, 0},
    {"tol", AMO_OPT_NUMBER, "TOL", "1e-12", NULL, "of motions: relative accuracy per step", 1e-15, 0.1},
    {NULL, AMO_OPT_FLAG, NULL, NULL, NULL, NULL, 0, 0}};
// clang-format on

static amo_status search(amo_fit_source *s, const amo_call *call, const amo_fit_opts *o, amo_fit **f)
{
  amo_diags *d = call->diags;
  amo_status st = s->solve
                      ? s->solve(s, o, d, f)
                      : amo_fit_starts(&s->of, s->parameter, o, (size_t)amo_opt_integer(call->opt, "starts"),
                                       (uint64_t)amo_opt_integer(call->opt, "seed"), NULL, NULL, f);
  if (st == AMO_ERANGE && s->of.rows < s->of.n)
    amo_error(d, (amo_at){0}, s->of.rows ? NULL : "the measured columns hold no number that could be read",
              "%zu numbers are too few for %zu unknowns", s->of.rows, s->of.n);
  else if (st == AMO_ERANGE)
    amo_error(d, (amo_at){0}, NULL, "the start of a parameter lies outside its bounds");
  if (st == AMO_ELIMIT) {
    amo_warn(d, (amo_at){0}, "try other starts, bounds or priors", "the search has not come to an end");
    st = AMO_OK;
  }
  return st;
}

/// How the resampled fits are done: which, by whom, and where they are kept.
static amo_status read_how(const amo_call *call, amo_tiles_place *place, amo_tiles_how *how)
{
  amo_status st = amo_tiles_place_read(call, NULL, place);
  *how = (amo_tiles_how){.kept = place->file,
                         .command = call->command,
                         .slice = place->slice,
                         .ranks = call->ranks,
                         .stop = amo_call_stop(call),
                         .progress = amo_call_progress,
                         .ctx = (void *)(uintptr_t)call};
  return st;
}

static void add_errors(const amo_fit_source *s, const amo_bootstrap *b, cJSON *result)
{
  cJSON *all = cJSON_GetObjectItemCaseSensitive(result, "parameters");
  for (size_t i = 0; i < b->n; i++) {
    cJSON *to = cJSON_AddObjectToObject(cJSON_GetObjectItemCaseSensitive(all, s->of.name[i]), "bootstrap");
    amo_json_add(to, "se", b->se[i]);
    amo_json_add(to, "low", b->low[i]);
    amo_json_add(to, "high", b->high[i]);
  }
}

/// How far the resampled fits came, where that is not the end.
static void add_reached(const amo_bootstrap *b, size_t count, const char *file, cJSON *result)
{
  cJSON *o = cJSON_AddObjectToObject(result, "bootstrap");
  cJSON_AddNumberToObject(o, "finished", (double)b->reached.finished);
  cJSON_AddNumberToObject(o, "count", (double)count);
  if (file) cJSON_AddStringToObject(o, "part", file);
}

/// parameters.NAME.bootstrap beside the linear errors. *whole: all of it is known here.
static amo_status resample(const amo_fit_source *s, const amo_fit *f, const amo_call *call,
                           const amo_fit_opts *o, cJSON *result, bool *whole)
{
  const size_t count = (size_t)amo_opt_integer(call->opt, "bootstrap");
  const bool cases = !strcmp(amo_opt_text(call->opt, "resample"), "cases");
  amo_bootstrap b = {0};
  amo_fit_opts own = *o;
  amo_tiles_place place = {0};
  amo_tiles_how how;
  amo_status st = read_how(call, &place, &how);
  *whole = count == 0 && (!call->ranks || call->ranks->rank == 0);
  if (st != AMO_OK || count == 0) {
    free(place.file);
    return st;
  }
  own.known = isinf(f->freedom);
  own.tol = 1e-4;  // of a standard error
  st = amo_fit_bootstrap(&s->of, s->parameter, &own, f, cases, count,
                         (uint64_t)amo_opt_integer(call->opt, "seed"), &how, call->diags, &b);
  *whole = b.reached.whole;
  if (st == AMO_OK && *whole) add_errors(s, &b, result);
  if ((st == AMO_OK || st == AMO_EINTR) && !*whole) add_reached(&b, count, place.file, result);
  if (st == AMO_OK && *whole && b.count < count)
    amo_warn(call->diags, (amo_at){0}, NULL, "%zu of %zu resampled fits did not come to an end",
             count - b.count, count);
  amo_bootstrap_free(&b);
  free(place.file);
  return st == AMO_ENOANSWER ? amo_error(call->diags, (amo_at){0}, NULL, "no resampled fit came to an end")
                             : st;
}

/// What was said so far, and the values as settings for other commands.
static void add_texts(const amo_fit_source *s, const amo_fit *f, const amo_call *call, cJSON *result)
{
  amo_text set = {0};
  cJSON *list = cJSON_AddArrayToObject(result, "warnings");
  for (size_t i = 0; i < amo_diags_count(call->diags); i++) {
    const amo_diag *g = amo_diags_get(call->diags, i);
    if (g->severity == AMO_WARNING) cJSON_AddItemToArray(list, cJSON_CreateString(g->message));
  }
  for (size_t i = 0; i < f->n; i++)
    amo_text_printf(&set, "%s%s=%.12g", i ? ", " : "", s->of.name[i], f->value[i]);
  cJSON_AddStringToObject(result, "set", set.data ? set.data : "");
  amo_text_free(&set);
}

static amo_status write_files(const amo_fit_source *s, const amo_fit *f, const cJSON *result,
                              const amo_call *call)
{
  const char *csv = amo_opt_text(call->opt, "out"), *report = amo_opt_text(call->opt, "report");
  amo_status st = csv ? amo_fit_csv(s, f, csv, call->diags) : AMO_OK;
  return st == AMO_OK && report ? amo_fit_report(s, f, result, report, call->diags) : st;
}

/// Asked before anything is searched for.
static amo_status check_resampling(const amo_call *call)
{
  const bool shared = amo_opt_given(call->opt, "part") || amo_opt_given(call->opt, "keep");
  if (!shared || amo_opt_integer(call->opt, "bootstrap") > 0) return AMO_OK;
  return amo_error(call->diags, (amo_at){0}, "--bootstrap N",
                   "--part and --keep are of resampled fits, and there are none");
}

static amo_status run(const amo_call *call, cJSON **result)
{
  amo_fit_source *s = NULL;
  amo_fit_opts o;
  amo_fit *f = NULL;
  amo_status st = check_resampling(call);
  if (st == AMO_OK) st = amo_fit_read_opts(call, &o);
  if (st == AMO_OK) st = call->model ? amo_fit_motion(call, &s) : amo_fit_relation(call, &s);
  if (st == AMO_OK) st = search(s, call, &o, &f);
  if (st == AMO_OK) {
    amo_fit_warn(s, f, call->diags);
    *result = amo_fit_json(s, f, &o);
    if (s->tell) st = s->tell(s, f, *result, call->diags);
    bool whole = false;
    if (st == AMO_OK) st = resample(s, f, call, &o, *result, &whole);
    add_texts(s, f, call, *result);
    if (st == AMO_OK && whole) st = write_files(s, f, *result, call);
  }
  amo_fit_free(f);
  if (s) s->free(s);
  return st;
}

static void print(const cJSON *r, FILE *out, int wide)
{
  const cJSON *p = NULL;
  (void)wide;
  fprintf(out, "%s: %.0f numbers, ", amo_json_text(r, "model"), amo_json_get(r, "n"));
  if (isfinite(amo_json_get(r, "residual")))
    fprintf(out, "residual standard deviation %.6g\n\n", amo_json_get(r, "residual"));
  else
    fprintf(out, "no more than there are unknowns: residuals say nothing of the noise\n\n");
  fprintf(out, "  %-16s %16s %12s   %g %% interval\n", "", "value", "se", 100.0 * amo_json_get(r, "level"));
  cJSON_ArrayForEach(p, cJSON_GetObjectItemCaseSensitive(r, "parameters"))
  {
    fprintf(out, "  %-16s %16.8g ", p->string, amo_json_get(p, "value"));
    if (isfinite(amo_json_get(p, "se")))
      fprintf(out, "%12.3g   %.8g .. %.8g", amo_json_get(p, "se"), amo_json_get(p, "low"),
              amo_json_get(p, "high"));
    else
      fprintf(out, "%12s   %s", "-", amo_json_text(p, "se_reason"));
    fprintf(out, "%s%s\n", *amo_json_text(p, "unit") ? "  " : "", amo_json_text(p, "unit"));
  }
  amo_fit_print_relations(r, out);
  const cJSON *b = cJSON_GetObjectItemCaseSensitive(r, "bootstrap");
  if (b)
    fprintf(out, "\nNOT FINISHED: %.0f of %.0f resampled fits%s%s\n", amo_json_get(b, "finished"),
            amo_json_get(b, "count"), *amo_json_text(b, "part") ? "; they are kept in " : "",
            amo_json_text(b, "part"));
  fprintf(out, "\nuse them:  --set \"%s\"\n", amo_json_text(r, "set"));
}

const amo_verb amo_verb_fit = {.name = "fit",
                               .summary = "parameters from measured records, with what they are worth",
                               .usage = "[MODEL] --record FILE --vary NAMES [options]",
                               .description =
                                   "The values of parameters and initial values with which a model does what "
                                   "was measured, by least squares with exact derivatives "
                                   "through stick, slip and every event; with standard errors, intervals, "
                                   "and what the record does not determine. A record is a "
                                   "table of text with a line that names its columns: one of them is the "
                                   "time, the others are quantities of the model (x, x', an "
                                   "output, CONTACT.force) or expressions of them. Long records are fitted "
                                   "from their beginning on. Bounds that the model states "
                                   "for its parameters hold. Without a model: a relation of columns.\n\n"
                                   "The fits of --bootstrap may be shared out to the processes of mpirun or "
                                   "to the runs of a job array (--part, docs/many.md); with --keep they "
                                   "are kept in a file from which the same command goes on.",
                               .example = "amontons fit models/block-on-belt.yaml --record "
                                          "models/block-on-belt.csv --vary \"k=1.2, Fs=0.8, delta=2.5\"",
                               .opts = opts,
                               .subject = AMO_OF_MODEL_OR_NONE,
                               .no_joints = true,
                               .run = run,
                               .print = print};
