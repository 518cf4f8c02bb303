// SPDX-License-Identifier: Apache-2.0
// map: any verdict or number over a plane of parameters and initial states.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/text.h"
#include "plot/figure.h"
#include "result/json.h"
#include "ask/axis_option.h"
#include "ask/map/map_files.h"
#include "ask/map/verb_probe.h"
#include "ask/number.h"
#include "ask/sim_options.h"
#include "ask/tiles_options.h"
#include "ask/motion/simulate.h"
#include "result/table.h"

// clang-format off
static const amo_opt_def opts[] = {
    {"x", AMO_OPT_TEXT, "NAME=FROM:TO", NULL, NULL, "across: parameter, state or time t, and its range", 0, 0},
    {"y", AMO_OPT_TEXT, "NAME=FROM:TO", NULL, NULL, "upwards: the same", 0, 0},
    {"of", AMO_OPT_TEXT, "VERB.VALUE", "contact.class", NULL, "any text, number or boolean of a verb's --json", 0, 0},
    {"with", AMO_OPT_SETTINGS, "OPTION=VALUE ...", NULL, NULL, "options of that verb", 0, 0},
    AMO_STATE_OPT,
    {"nx", AMO_OPT_INTEGER, "N", "200", NULL, "points across, ends included", 2, 100000},
    {"ny", AMO_OPT_INTEGER, "N", "200", NULL, "points upwards, ends included", 2, 100000},
    {"size", AMO_OPT_TEXT, "NXxNY", NULL, NULL, "both in one, as 300x200", 0, 0},
    {"contours", AMO_OPT_TEXT, "LEVELS", NULL, NULL, "trace the curves on which the number has these values (0, 0.5); of verdicts: all, or the verdicts wanted", 0, 0},
    {"contours-csv", AMO_OPT_FILE, "FILE", NULL, NULL, "the curves: curve,level,x,y; - is standard output", 0, 0},
    {"threads", AMO_OPT_INTEGER, "N", "0", NULL, "0: one for each processor that the process may use (under mpirun: one)", 0, 256},
    AMO_TILES_OPTS("tile"),
    {"csv", AMO_OPT_FILE, "FILE", NULL, NULL, "the grid: x,y,value; - is standard output; FILE.part keeps what is finished until it is done", 0, 0},
    {"h5", AMO_OPT_FILE, "FILE", NULL, NULL, "the grid as HDF5, in chunks, with units, meaning and what was asked; FILE.part as with --csv", 0, 0},
    {"draw", AMO_OPT_FLAG, NULL, NULL, NULL, "put the drawing of the map into the result (svg)", 0, 0},
    {"plot", AMO_OPT_FILE, "FILE", NULL, NULL, "picture (.svg, .png, .pdf); the gnuplot script stays beside it", 0, 0},
    {NULL, AMO_OPT_FLAG, NULL, NULL, NULL, NULL, 0, 0}};
// clang-format on

static amo_status read_size(const amo_call *call, size_t *nx, size_t *ny)
{
  const char *size = amo_opt_text(call->opt, "size");
  unsigned a = 0, b = 0;
  char rest = 0;
  *nx = (size_t)amo_opt_integer(call->opt, "nx");
  *ny = (size_t)amo_opt_integer(call->opt, "ny");
  if (size) {
    if (sscanf(size, "%6ux%6u%c", &a, &b, &rest) != 2 || a < 2 || b < 2 || a > 100000 || b > 100000)
      return amo_error(call->diags, (amo_at){0}, NULL,
                       "--size needs NXxNY with 2 to 100000 points each, got '%s'", size);
    *nx = a;
    *ny = b;
  }
  if (*nx * *ny > (size_t)100000000)
    return amo_error(call->diags, (amo_at){0}, NULL, "%zu x %zu points are more than 10^8", *nx, *ny);
  return AMO_OK;
}

/// The file beside which finished tiles are kept.
static const char *main_file(const amo_call *call)
{
  const char *csv = amo_opt_text(call->opt, "csv");
  return csv ? csv : amo_opt_text(call->opt, "h5");
}

/// One look in the middle says what is wrong with --of before all threads find out.
static amo_status try_once(const amo_call *call, const amo_probe *p)
{
  amo_reading r;
  double corner[2] = {p->axis[0].from, p->axis[1].from}, middle[2];
  for (int i = 0; i < 2; i++) middle[i] = 0.5 * (p->axis[i].from + p->axis[i].to);
  amo_probe_read(p, corner, NULL, &r);
  if (r.kind == AMO_READ_FAILED) amo_probe_read(p, middle, NULL, &r);
  const size_t before = amo_diags_errors(call->diags);
  if (r.kind == AMO_READ_FAILED) amo_probe_read(p, middle, call->diags, &r);
  if (call->interrupted && *call->interrupted) return AMO_EINTR;
  return amo_diags_errors(call->diags) > before ? AMO_EINPUT : AMO_OK;
}

static void add_counts(cJSON *o, const amo_plane *m)
{
  double value[AMO_PLANE_NUMBERS];
  size_t n = amo_plane_discrete(m) ? amo_plane_numbers(m, value, AMO_PLANE_NUMBERS) : 0,
         cells = m->nx * m->ny;
  cJSON *counts = cJSON_AddObjectToObject(o, "counts");
  for (size_t w = 0; w < m->nwords; w++) {
    size_t k = 0;
    for (size_t i = 0; i < cells; i++) k += m->word[i] == (int)w;
    cJSON_AddNumberToObject(counts, m->words[w], (double)k);
  }
  for (size_t v = 0; v < n; v++) {
    size_t k = 0;
    char text[32];
    for (size_t i = 0; i < cells; i++) k += m->word[i] == AMO_CELL_NUMBER && m->number[i] == value[v];
    amo_number_text(value[v], text);
    cJSON_AddNumberToObject(counts, text, (double)k);
  }
}

/// Share of one count with Wilson's interval of 95 %: what a grid of independent samples would leave open.
static cJSON *fraction_json(double k, double n)
{
  const double z = 1.959963984540054, p = k / n, middle = (p + z * z / (2 * n)) / (1 + z * z / n);
  const double half = z / (1 + z * z / n) * sqrt(p * (1 - p) / n + z * z / (4 * n * n));
  cJSON *o = cJSON_CreateObject();
  amo_json_add(o, "value", p);
  amo_json_add(o, "low", fmax(0.0, middle - half));
  amo_json_add(o, "high", fmin(1.0, middle + half));
  return o;
}

static void add_fractions(cJSON *o, double cells)
{
  const cJSON *k = NULL;
  cJSON *all = cJSON_AddObjectToObject(o, "fractions");
  cJSON_ArrayForEach(k, cJSON_GetObjectItemCaseSensitive(o, "counts"))
      cJSON_AddItemToObject(all, k->string, fraction_json(k->valuedouble, cells));
}

static void add_extremes(cJSON *o, const amo_plane *m)
{
  double least = INFINITY, most = -INFINITY;
  for (size_t i = 0; i < m->nx * m->ny; i++)
    if (m->word[i] == AMO_CELL_NUMBER) {
      least = fmin(least, m->number[i]);
      most = fmax(most, m->number[i]);
    }
  if (least > most) return;
  amo_json_add(o, "min", least);
  amo_json_add(o, "max", most);
}

static void add_axis(cJSON *o, const char *name, const amo_axis *a, size_t n)
{
  cJSON *x = cJSON_AddObjectToObject(o, name);
  cJSON_AddStringToObject(x, "name", a->name);
  amo_json_add(x, "from", a->from);
  amo_json_add(x, "to", a->to);
  cJSON_AddNumberToObject(x, "points", (double)n);
}

/// part: the file that keeps what an interrupted map has, NULL: none.
/// slice: of a job array, done; NULL: none.
static void add_end(cJSON *o, const amo_call *call, const amo_plane *m, bool whole, const char *part,
                    const char *slice)
{
  const char *csv = amo_opt_text(call->opt, "csv"), *plot = amo_opt_text(call->opt, "plot"),
             *h5 = amo_opt_text(call->opt, "h5");
  cJSON_AddBoolToObject(o, "finished", whole);
  cJSON_AddNumberToObject(o, "rows", (double)m->rows);
  if (!whole && slice) cJSON_AddStringToObject(o, "slice", slice);
  if (!whole && part) cJSON_AddStringToObject(o, "part", part);
  cJSON_AddItemToObject(o, "file", whole && csv ? cJSON_CreateString(csv) : cJSON_CreateNull());
  if (whole && h5) cJSON_AddStringToObject(o, "h5", h5);
  if (whole && plot) cJSON_AddStringToObject(o, "plot", plot);
}

static cJSON *result_json(const amo_call *call, const amo_plane *m, const char *part, const char *slice)
{
  const size_t cells = m->cells;
  cJSON *o = cJSON_CreateObject();
  cJSON_AddStringToObject(o, "model", amo_model_name(call->model));
  cJSON_AddStringToObject(o, "of", amo_opt_text(call->opt, "of"));
  add_axis(o, "x", &m->x, m->nx);
  add_axis(o, "y", &m->y, m->ny);
  cJSON_AddNumberToObject(o, "cells", (double)cells);
  add_counts(o, m);
  add_fractions(o, (double)cells);
  add_extremes(o, m);
  add_end(o, call, m, m->whole, part, slice);
  cJSON *audit = cJSON_AddObjectToObject(o, "audit");
  cJSON_AddBoolToObject(audit, "ok", amo_plane_unsound(m) == 0);
  cJSON_AddNumberToObject(audit, "failed", (double)amo_plane_unsound(m));
  return o;
}

static amo_status tell_audit(const amo_plane *m, amo_diags *diags)
{
  const size_t failed = amo_plane_unsound(m);
  if (failed == 0) return AMO_OK;
  amo_error(diags, (amo_at){0}, "a smaller tol in --with may help",
            "the motions of %zu of %zu cells fail their audit; these have no value", failed, m->nx * m->ny);
  return AMO_EAUDIT;
}

static void add_contours(cJSON *o, const amo_contours *c)
{
  cJSON *all = cJSON_AddArrayToObject(o, "contours");
  for (size_t i = 0; i < c->count; i++) {
    const amo_contour *k = &c->item[i];
    cJSON *one = cJSON_CreateObject(), *points = NULL;
    cJSON_AddItemToArray(all, one);
    if (isnan(k->level))
      cJSON_AddStringToObject(one, "verdict", k->word);
    else
      amo_json_add(one, "level", k->level);
    cJSON_AddBoolToObject(one, "closed", k->closed);
    cJSON_AddNumberToObject(one, "count", (double)k->points);
    points = cJSON_AddArrayToObject(one, "points");
    for (size_t p = 0; p < k->points; p++) cJSON_AddItemToArray(points, amo_json_pair(k->x[p], k->y[p]));
  }
}

static amo_status write_files(const amo_call *call, const amo_chart *c, const amo_tiles_place *place)
{
  const char *csv = amo_opt_text(call->opt, "csv"), *plot = amo_opt_text(call->opt, "plot"),
             *h5 = amo_opt_text(call->opt, "h5");
  amo_status st = csv ? amo_chart_csv(c, csv) : AMO_OK;
  if (st == AMO_OK && h5) st = amo_chart_h5(c, h5);
  if (st == AMO_OK && plot) st = amo_chart_plot(c, plot);
  if (st == AMO_OK && place->own) remove(place->file);
  return st;
}

static amo_status check_call(const amo_call *call)
{
  const char *plot = amo_opt_text(call->opt, "plot");
  if (!amo_opt_text(call->opt, "x") || !amo_opt_text(call->opt, "y"))
    return amo_error(call->diags, (amo_at){0}, "--x NAME=FROM:TO --y NAME=FROM:TO",
                     "map needs two axes and their ranges");
  return plot ? amo_figure_check_name(plot, call->diags) : AMO_OK;
}

static amo_status add_drawing(cJSON *o, const amo_chart *c)
{
  char *svg = amo_chart_svg(c);
  if (!svg) return AMO_ENOMEM;
  cJSON_AddStringToObject(o, "svg", svg);
  free(svg);
  return AMO_OK;
}

// ---- contours ----

static amo_status trace_numbers(const amo_call *call, const amo_plane *m, const amo_probe *p,
                                const char *levels, amo_contours *out)
{
  double *level = amo_zalloc(strlen(levels) + 1, sizeof *level);
  char *copy = amo_strdup(levels), *rest = NULL;
  size_t n = 0;
  amo_status st = copy && level ? AMO_OK : AMO_ENOMEM;
  for (char *one = st == AMO_OK ? strtok_r(copy, ",", &rest) : NULL; one && st == AMO_OK;
       one = strtok_r(NULL, ",", &rest))
    st = amo_number_eval(one, (amo_at){0}, call->values, call->diags, &level[n++]);
  if (st == AMO_OK) st = amo_contours_of_numbers(m, p, level, n, amo_call_stop(call), out);
  free(copy);
  free(level);
  return st;
}

static bool wanted(const char *levels, const char *word)
{
  size_t n = strlen(word);
  for (const char *at = levels; (at = strstr(at, word)) != NULL; at += n)
    if ((at == levels || at[-1] == ',' || at[-1] == ' ') && (!at[n] || at[n] == ',' || at[n] == ' '))
      return true;
  return false;
}

static amo_status trace_words(const amo_call *call, const amo_plane *m, const amo_probe *p,
                              const char *levels, amo_contours *out)
{
  const bool all = !strcmp(levels, "all") || !strcmp(levels, "auto");
  size_t *index = amo_zalloc(m->nwords, sizeof *index), n = 0;
  if (!index) return AMO_ENOMEM;
  for (size_t w = 0; w < m->nwords; w++)
    if (all || wanted(levels, m->words[w])) index[n++] = w;
  if (all && n == 2) n = 1;  // the border of one is that of the other
  amo_status st = n || all ? amo_contours_of_words(m, p, index, n, amo_call_stop(call), out)
                           : amo_error(call->diags, (amo_at){0}, "all, or a verdict that occurs",
                                       "--contours: '%s' does not occur on this map", levels);
  free(index);
  return st;
}

/// `levels`: numbers separated by commas; for maps of verdicts the verdicts whose border is wanted ("all": every one).
static amo_status trace(const amo_call *call, const amo_plane *m, const amo_probe *p, const char *levels,
                        amo_contours *out)
{
  bool numbers = false;
  for (size_t i = 0; i < m->nx * m->ny; i++) numbers |= m->word[i] < 0;
  return numbers ? trace_numbers(call, m, p, strcmp(levels, "all") != 0 ? levels : "0", out)
                 : trace_words(call, m, p, levels, out);
}

// ---- the verb ----

/// What is told of a whole map besides its counts.
static amo_status add_whole(const amo_chart *c, const amo_probe *p, amo_contours *curves,
                            const amo_tiles_place *place, cJSON *result)
{
  const amo_call *call = c->call;
  const char *levels = amo_opt_text(call->opt, "contours"), *file = amo_opt_text(call->opt, "contours-csv");
  amo_status st = AMO_OK;
  if (levels || file) st = trace(call, c->plane, p, levels ? levels : "all", curves);
  if (st == AMO_OK && file) st = amo_chart_contours_csv(c, file);
  if (st == AMO_OK) st = write_files(call, c, place);
  if (st == AMO_OK && (levels || file)) add_contours(result, curves);
  if (st == AMO_OK && file) cJSON_AddStringToObject(result, "contours_file", file);
  if (st == AMO_OK && amo_opt_flag(call->opt, "draw")) st = add_drawing(result, c);
  return st == AMO_OK ? tell_audit(c->plane, call->diags) : st;
}

static amo_status answer(const amo_call *call, const amo_probe *p, const amo_plane_opts *how,
                         const amo_tiles_place *place, cJSON **result)
{
  amo_plane *m = NULL;
  amo_contours curves = {0};
  amo_status st = amo_plane_run(p, how, call->diags, &m);
  const amo_chart chart = {m, call->model, p->of, &curves, call->diags, call};
  if (st == AMO_OK && (!strcmp(p->of, "attractor") || !strcmp(p->of, "attractor.label")))
    st = amo_plane_merge(m);
  if (m && (st == AMO_OK || st == AMO_EINTR))
    *result = result_json(call, m, how->part, st == AMO_OK ? amo_opt_text(call->opt, "part") : NULL);
  if (st == AMO_OK && m->whole) st = add_whole(&chart, p, &curves, place, *result);
  if (st == AMO_EINPUT) {  // what was asked of the points was a mistake: there is no answer
    cJSON_Delete(*result);
    *result = NULL;
  }
  amo_contours_free(&curves);
  amo_plane_free(m);
  return st;
}

static amo_status run(const amo_call *call, cJSON **result)
{
  amo_axis axis[2];
  amo_probe p = {0};
  amo_tiles_place place = {0};
  amo_plane_opts how = amo_plane_opts_default();
  *result = NULL;
  amo_status st = check_call(call);
  if (st == AMO_OK) st = amo_axis_read(call, "x", amo_opt_text(call->opt, "x"), &axis[0]);
  if (st == AMO_OK) st = amo_axis_read(call, "y", amo_opt_text(call->opt, "y"), &axis[1]);
  if (st == AMO_OK && !strcmp(axis[0].name, axis[1].name))
    st = amo_error(call->diags, (amo_at){0}, NULL, "--x and --y both vary '%s'", axis[0].name);
  if (st == AMO_OK) st = read_size(call, &how.nx, &how.ny);
  if (st == AMO_OK) st = amo_tiles_place_read(call, main_file(call), &place);
  if (st == AMO_OK) st = amo_verb_probe(call, amo_opt_text(call->opt, "of"), axis, 2, false, call->diags, &p);
  if (st == AMO_OK) st = try_once(call, &p);
  if (st == AMO_OK) {
    how.threads = (int)amo_opt_integer(call->opt, "threads");
    how.part = place.file;
    how.slice = place.slice;
    how.ranks = call->ranks;
    how.command = call->command;
    how.stop = amo_call_stop(call);
    how.progress = amo_call_progress;
    how.ctx = (void *)(uintptr_t)call;
    st = answer(call, &p, &how, &place, result);
  }
  amo_probe_free(&p);
  free(place.file);
  return st;
}

static void print_interrupted(const cJSON *result, const cJSON *x, const cJSON *y, FILE *out)
{
  const char *part = amo_json_text(result, "part");
  const double cells = amo_json_get(result, "cells"),
               all = amo_json_get(x, "points") * amo_json_get(y, "points");
  fprintf(out, "\nNOT FINISHED: %.0f of %.0f points%s\n", cells, all,
          cells > 0 ? "; what is said above is of these" : "");
  if (*part)
    fprintf(out, "they are kept in %s; the same command goes on from them\n", part);
  else
    fprintf(out, "they are lost; with --csv FILE they are kept, and the same command goes on from them\n");
  if (*amo_json_text(result, "slice"))
    fprintf(out, "part %s is done; `amontons merge` joins the parts\n", amo_json_text(result, "slice"));
}

static void print(const cJSON *result, FILE *out, int wide)
{
  const cJSON *x = NULL, *counts = cJSON_GetObjectItemCaseSensitive(result, "counts");
  const cJSON *ax = cJSON_GetObjectItemCaseSensitive(result, "x"),
              *ay = cJSON_GetObjectItemCaseSensitive(result, "y");
  double cells = amo_json_get(result, "cells");
  fprintf(out, "%s: %s over %s and %s, %.0f x %.0f points\n", amo_json_text(result, "model"),
          amo_json_text(result, "of"), amo_json_text(ax, "name"), amo_json_text(ay, "name"),
          amo_json_get(ax, "points"), amo_json_get(ay, "points"));
  if (cJSON_GetArraySize(counts) > 0) {
    amo_table t = {0};
    fprintf(out, "\n");
    amo_table_head(&t, "<value"), amo_table_head(&t, ">points"), amo_table_head(&t, ">share");
    cJSON_ArrayForEach(x, counts)
    {
      amo_table_cell(&t, "%s", x->string);
      amo_table_cell(&t, "%.0f", x->valuedouble);
      amo_table_cell(&t, "%.2f %%", 100.0 * x->valuedouble / cells);
    }
    amo_table_print(&t, out, wide);
  }
  if (cJSON_HasObjectItem(result, "min"))
    fprintf(out, "\nfrom %.10g to %.10g\n", amo_json_get(result, "min"), amo_json_get(result, "max"));
  if (cJSON_HasObjectItem(result, "contours"))
    fprintf(out, "%d boundary curve%s\n",
            cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(result, "contours")),
            cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(result, "contours")) == 1 ? "" : "s");
  if (cJSON_IsFalse(cJSON_GetObjectItemCaseSensitive(result, "finished")))
    print_interrupted(result, ax, ay, out);
  if (*amo_json_text(result, "file")) fprintf(out, "grid in %s\n", amo_json_text(result, "file"));
  if (*amo_json_text(result, "h5")) fprintf(out, "grid in %s\n", amo_json_text(result, "h5"));
  if (*amo_json_text(result, "contours_file"))
    fprintf(out, "boundaries in %s\n", amo_json_text(result, "contours_file"));
  if (*amo_json_text(result, "plot")) fprintf(out, "picture in %s\n", amo_json_text(result, "plot"));
}

const amo_verb amo_verb_map = {
    .name = "map",
    .summary = "a verdict or number over a plane of parameters or states",
    .usage = "MODEL --x NAME=FROM:TO --y NAME=FROM:TO [options]",
    .description =
        "Evaluates any value that a verb prints with --json over a grid of two parameters, "
        "initial states or time, and "
        "counts the verdicts, or tells the least and the largest number. \"no answer\": the verb "
        "had none there, or "
        "its result no such value.\n\n"
        "--of attractor tells which attractor each initial state reaches; cycles whose numbers agree to a "
        "thousandth are one. fractions gives the share of each verdict with the interval of 95 % that as "
        "many "
        "independent samples would leave open.\n\n"
        "Tiles (rows, or pieces of rows) are shared out to threads, to the processes of mpirun, or to the "
        "runs of a job array (--part); "
        "the "
        "result is the same for any number of them. With --csv, --h5 or --keep the finished tiles are kept "
        "in "
        "a "
        "file, and the same command goes on from there after an interruption; those of it that are damaged "
        "are "
        "computed again. docs/many.md tells how clusters are used.\n\n"
        "--contours traces curves on which the number has a given value (or between verdicts), point by "
        "point with a predictor and a corrector: each point lies on the curve to rounding. The grid says "
        "only where to begin.",
    .example = "amontons map models/trammel.yaml --x theta=0:1.57 --y \"theta'=-3:3\" --of contact.class "
               "--size 60x40",
    .opts = opts,
    .run = run,
    .print = print};
