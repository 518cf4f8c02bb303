// SPDX-License-Identifier: Apache-2.0
// statistics: samples and proportions.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "amontons/moments.h"
#include "base/mem.h"
#include "base/record.h"
#include "ask/fit/breakdowns.h"
#include "result/json.h"
#include "result/table.h"

// clang-format off
static const amo_opt_def opts[] = {
    {"record", AMO_OPT_INPUT, "FILE", NULL, NULL, "the table, as the word after the verb", 0, 0},
    {"of", AMO_OPT_TEXT, "COLUMN", NULL, NULL, "column of the values; the first if absent", 0, 0},
    {"by", AMO_OPT_TEXT, "COLUMN", NULL, NULL, "column by which rows are grouped: statistics of each group, tests for differences and for a trend", 0, 0},
    {"frequency", AMO_OPT_TEXT, "COLUMN", NULL, NULL, "column that says how often each value was found, as counts or (with --size) as parts of the whole", 0, 0},
    {"size", AMO_OPT_NUMBER, "N", NULL, NULL, "size of the sample whose parts --frequency has", 1, 1e300},
    {"width", AMO_OPT_NUMBER, "W", "0", NULL, "width of the groups whose middles the values are (Sheppard's correction)", 0, 1e300},
    {"successes", AMO_OPT_NUMBER, "K", NULL, NULL, "a proportion: K of --trials N", 0, 1e300},
    {"trials", AMO_OPT_NUMBER, "N", NULL, NULL, "a proportion: --successes K of N", 1, 1e300},
    {"level", AMO_OPT_NUMBER, "P", "0.95", NULL, "of the intervals", 1e-6, 0.999999},
    {"units", AMO_OPT_CHOICE, "UNITS", "SI", "SI|file", "columns in SI by the units of the head, or as the file has them", 0, 0},
    {NULL, AMO_OPT_FLAG, NULL, NULL, NULL, NULL, 0, 0}};
// clang-format on

static cJSON *moments_json(const amo_moments *m, double width)
{
  cJSON *o = cJSON_CreateObject();
  amo_json_add(o, "n", m->n);
  amo_json_add(o, "sum", m->sum);
  amo_json_add(o, "mean", m->mean);
  amo_json_add(o, "population", m->population);
  amo_json_add_or(o, "variance", m->variance, "one value");
  amo_json_add_or(o, "sd", m->deviation, "one value");
  if (width > 0) amo_json_add_or(o, "sheppard", m->sheppard, "one value");
  amo_json_add_or(o, "variance_of_mean", m->of_mean, "one value");
  amo_json_add_or(o, "se", m->se, "one value");
  cJSON_AddItemToObject(o, "interval", amo_json_pair(m->low, m->high));
  cJSON_AddItemToObject(o, "normal_interval", amo_json_pair(m->normal_low, m->normal_high));
  amo_json_add(o, "min", m->least);
  amo_json_add(o, "max", m->largest);
  return o;
}

typedef struct stats_table {
  double *x, *by, *weight;  // [rows]; NULL: not asked for
  size_t rows, missing;
} stats_table;

static int by_group(const void *a, const void *b)
{
  const double x = **(const double *const *)a, y = **(const double *const *)b;
  return (x > y) - (x < y);
}

/// Rows in the order of their groups.
static amo_status sort_rows(stats_table *t)
{
  const double **order = amo_zalloc(t->rows, sizeof *order);
  double *copy = amo_zalloc(2 * t->rows, sizeof *copy);
  if (order && copy) {
    for (size_t i = 0; i < t->rows; i++) order[i] = &t->by[i];
    qsort(order, t->rows, sizeof *order, by_group);
    for (size_t i = 0; i < t->rows; i++) copy[i] = *order[i], copy[t->rows + i] = t->x[order[i] - t->by];
    memcpy(t->by, copy, t->rows * sizeof *copy);
    memcpy(t->x, copy + t->rows, t->rows * sizeof *copy);
  }
  const bool done = order && copy;
  free(order), free(copy);
  return done ? AMO_OK : AMO_ENOMEM;
}

/// The columns, without rows that lack a number.
static amo_status read_table(const amo_call *call, const char *path, amo_record *r, stats_table *t)
{
  const char *of = amo_opt_text(call->opt, "of"), *by = amo_opt_text(call->opt, "by"),
             *w = amo_opt_text(call->opt, "frequency");
  const char *want[3] = {of ? of : "1", by ? by : w, w};
  const amo_record_opts how = {.gaps = true, .units = !strcmp(amo_opt_text(call->opt, "units"), "SI")};
  if (by && w) return amo_error(call->diags, (amo_at){0}, NULL, "--by and --frequency do not go together");
  amo_status st = amo_record_read(path, want, by || w ? 2 : 1, (amo_at){0}, &how, call->diags, r);
  if (st != AMO_OK) return st;
  const size_t n = r->rows;
  double *x = r->value, *y = by || w ? r->value + n : NULL;
  for (size_t i = 0; i < n; i++) {
    if (!isfinite(x[i]) || (y && !isfinite(y[i]))) {
      t->missing++;
      continue;
    }
    x[t->rows] = x[i];
    if (y) y[t->rows] = y[i];
    t->rows++;
  }
  t->x = x, t->by = by ? y : NULL, t->weight = w ? y : NULL;
  if (t->missing)
    amo_warn(call->diags, (amo_at){0}, NULL, "%s: %zu rows lack a number and were left out", path,
             t->missing);
  if (t->rows == 0) return amo_error(call->diags, (amo_at){0}, NULL, "%s has no rows of numbers", path);
  return by ? sort_rows(t) : AMO_OK;
}

static amo_status add_groups(const stats_table *t, double level, cJSON *o)
{
  cJSON *list = cJSON_AddArrayToObject(o, "groups");
  amo_moments m;
  int up = 0, down = 0;
  double before = NAN;
  for (size_t i = 0, j; i < t->rows; i = j) {
    for (j = i; j < t->rows && t->by[j] == t->by[i]; j++) continue;
    amo_status st = amo_moments_of(t->x + i, NULL, j - i, 0, 0, level, &m);
    if (st != AMO_OK) return st;
    cJSON *one = moments_json(&m, 0);
    amo_json_add(one, "at", t->by[i]);
    cJSON_AddItemToArray(list, one);
    up += m.mean > before, down += m.mean < before;
    before = m.mean;
  }
  amo_group_test g;
  if (amo_groups_test(t->by, t->x, t->rows, &g) != AMO_OK) return AMO_OK;  // one group
  amo_json_add(o, "pure_error", g.within);
  amo_json_add(o, "between", g.between);
  amo_json_add_or(o, "F", g.fisher, "one value in each group");
  amo_json_add_or(o, "F_p", g.fisher_p, "one value in each group");
  amo_json_add(o, "trend", g.trend);
  amo_json_add(o, "trend_p", g.trend_p);
  cJSON_AddStringToObject(o, "means",
                          up == 0 && down > 0   ? "fall"
                          : down == 0 && up > 0 ? "rise"
                                                : "neither");
  return AMO_OK;
}

static amo_status of_table(const amo_call *call, const char *path, cJSON *o)
{
  amo_record r = {0};
  stats_table t = {0};
  amo_moments m;
  const double level = amo_opt_number(call->opt, "level"), width = amo_opt_number(call->opt, "width");
  const double size = amo_opt_given(call->opt, "size") ? amo_opt_number(call->opt, "size") : 0;
  amo_status st = read_table(call, path, &r, &t);
  if (st == AMO_OK) st = amo_moments_of(t.x, t.weight, t.rows, size, width, level, &m);
  if (st == AMO_ERANGE)
    st = amo_error(call->diags, (amo_at){0}, NULL, "%s: frequencies must not be negative", path);
  if (st == AMO_OK) {
    cJSON_AddStringToObject(o, "record", path);
    cJSON_AddStringToObject(o, "of", r.column[0].name);
    cJSON_AddStringToObject(o, "unit", r.column[0].unit);
    cJSON_AddNumberToObject(o, "missing", (double)t.missing);
    cJSON *all = moments_json(&m, width);
    for (cJSON *c = all->child; c; c = all->child)
      cJSON_AddItemToObject(o, c->string, cJSON_DetachItemViaPointer(all, c));
    cJSON_Delete(all);
    if (t.by) st = add_groups(&t, level, o);
  }
  amo_record_free(&r);
  return st;
}

static amo_status of_proportion(const amo_call *call, cJSON *o)
{
  amo_proportion p;
  if (!amo_opt_given(call->opt, "successes") || !amo_opt_given(call->opt, "trials"))
    return amo_error(call->diags, (amo_at){0}, "--successes 198 --trials 200",
                     "a proportion needs successes and trials");
  const double k = amo_opt_number(call->opt, "successes"), n = amo_opt_number(call->opt, "trials");
  if (amo_proportion_of(k, n, amo_opt_number(call->opt, "level"), &p) != AMO_OK)
    return amo_error(call->diags, (amo_at){0}, NULL, "%g of %g is no proportion", k, n);
  cJSON *j = cJSON_AddObjectToObject(o, "proportion");
  amo_json_add(j, "p", p.p);
  cJSON_AddItemToObject(j, "wilson", amo_json_pair(p.wilson[0], p.wilson[1]));
  cJSON_AddItemToObject(j, "clopper_pearson", amo_json_pair(p.clopper_pearson[0], p.clopper_pearson[1]));
  return AMO_OK;
}

static amo_status run(const amo_call *call, cJSON **result)
{
  const amo_setting *record = NULL;
  const size_t n = amo_opt_settings(call->opt, "record", &record);
  const bool proportion = amo_opt_given(call->opt, "successes") || amo_opt_given(call->opt, "trials");
  if (n > 1 || (n == 0 && !proportion))
    return amo_error(call->diags, (amo_at){0}, "amontons statistics TABLE --of COLUMN",
                     "statistics needs one table, or a proportion");
  cJSON *o = cJSON_CreateObject();
  amo_json_add(o, "level", amo_opt_number(call->opt, "level"));
  amo_status st = n ? of_table(call, record[0].text, o) : AMO_OK;
  if (st == AMO_OK && proportion) st = of_proportion(call, o);
  if (st == AMO_OK)
    *result = o;
  else
    cJSON_Delete(o);
  return st;
}

static double end_of(const cJSON *o, const char *name, int i)
{
  const cJSON *v = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(o, name), i);
  return cJSON_IsNumber(v) ? v->valuedouble : NAN;
}

static void print_groups(const cJSON *r, FILE *out, int wide)
{
  amo_table t = {0};
  const cJSON *g = NULL, *groups = cJSON_GetObjectItemCaseSensitive(r, "groups");
  static const char *const head[] = {">group", ">n", ">mean", ">sd", ">low", ">high"};
  if (groups == NULL) return;
  for (size_t i = 0; i < sizeof head / sizeof *head; i++) amo_table_head(&t, head[i]);
  cJSON_ArrayForEach(g, groups)
  {
    const double cell[] = {amo_json_get(g, "at"), amo_json_get(g, "n"),     amo_json_get(g, "mean"),
                           amo_json_get(g, "sd"), end_of(g, "interval", 0), end_of(g, "interval", 1)};
    for (size_t i = 0; i < sizeof cell / sizeof *cell; i++) amo_table_cell(&t, "%.6g", cell[i]);
    amo_table_end_row(&t);
  }
  fputc('\n', out);
  amo_table_print(&t, out, wide);
  fprintf(
      out,
      "\ndifferences: F = %.4g, probability %.2g by chance; trend z = %.4g, probability %.2g; means: %s\n",
      amo_json_get(r, "F"), amo_json_get(r, "F_p"), amo_json_get(r, "trend"), amo_json_get(r, "trend_p"),
      amo_json_text(r, "means"));
}

static void print(const cJSON *r, FILE *out, int wide)
{
  const cJSON *p = cJSON_GetObjectItemCaseSensitive(r, "proportion");
  const double level = 100 * amo_json_get(r, "level");
  if (cJSON_HasObjectItem(r, "mean"))
    fprintf(out, "%s of %s: n = %.6g, mean %.8g, sd %.6g, se %.4g, %g %% interval %.8g .. %.8g\n",
            amo_json_text(r, "of"), amo_json_text(r, "record"), amo_json_get(r, "n"), amo_json_get(r, "mean"),
            amo_json_get(r, "sd"), amo_json_get(r, "se"), level, end_of(r, "interval", 0),
            end_of(r, "interval", 1));
  print_groups(r, out, wide);
  if (p)
    fprintf(out, "proportion %.6g, %g %% intervals: Wilson %.6f .. %.6f, Clopper and Pearson %.6f .. %.6f\n",
            amo_json_get(p, "p"), level, end_of(p, "wilson", 0), end_of(p, "wilson", 1),
            end_of(p, "clopper_pearson", 0), end_of(p, "clopper_pearson", 1));
}

const amo_verb amo_verb_statistics = {
    .name = "statistics",
    .summary = "means, variances and intervals of samples; groups; proportions",
    .usage = "[TABLE] [options]",
    .description = "Mean, variance (n - 1), variance of the mean, Student's and the normal interval of a "
                   "column; of values that were found several times "
                   "(--frequency, with Sheppard's correction for --width); of groups of rows (--by), with "
                   "tests for differences between groups and for a "
                   "trend across them (Jonckheere). Proportions with the intervals of Wilson and of Clopper "
                   "and Pearson.",
    .example = "amontons statistics gallery/records/anh-table7.1.csv --of x --by v --units file\n"
               "amontons statistics --successes 198 --trials 200",
    .opts = opts,
    .subject = AMO_OF_RECORD,
    .main = "mean",
    .run = run,
    .print = print};
