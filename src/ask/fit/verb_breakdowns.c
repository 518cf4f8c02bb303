// SPDX-License-Identifier: Apache-2.0
// breakdowns: from an oscillogram to forces, loading rates and contact times, cycle by cycle.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "amontons/breakdowns.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/record.h"
#include "plot/figure.h"
#include "ask/fit/breakdowns.h"
#include "result/json.h"
#include "ask/options_impl.h"
#include "result/table.h"

// clang-format off
static const amo_opt_def opts[] = {
    {"record", AMO_OPT_INPUT, "FILE", NULL, NULL, "the record, as the word after the verb; repeatable", 0, 0},
    {"time", AMO_OPT_TEXT, "COLUMN", NULL, NULL, "column of times; t, time or the first if absent", 0, 0},
    {"force", AMO_OPT_TEXT, "COLUMN", NULL, NULL, "column of the force of the spring; F, force or the second if absent", 0, 0},
    {"stretch", AMO_OPT_TEXT, "COLUMN", NULL, NULL, "column of the stretch of the spring, instead of its force", 0, 0},
    {"drive", AMO_OPT_TEXT, "COLUMN", NULL, NULL, "column of the speed of the drive", 0, 0},
    {"speed", AMO_OPT_NUMBER, "V", NULL, NULL, "speed of the drive, m/s; without it and without --drive it is found from the stick beside each slip", 0, 0},
    {"stiffness", AMO_OPT_NUMBER, "C", NULL, NULL, "of the spring, N/m", 0, 0},
    {"mass", AMO_OPT_NUMBER, "M", NULL, NULL, "of the slider, kg; without it the frequency is found from the slips", 0, 0},
    {"damping", AMO_OPT_NUMBER, "D", "0", NULL, "of a damper between drive and slider, N s/m: it carries part of the contact force", 0, INFINITY},
    {"scheme", AMO_OPT_CHOICE, "SCHEME", "a", "a|b", "a: the drive moves the spring; b: it moves the guide, and the spring's end stands still", 0, 0},
    {"csv", AMO_OPT_FILE, "FILE", NULL, NULL, "write the cycles as CSV (fit reads it); - is standard output", 0, 0},
    {"plot", AMO_OPT_FILE, "FILE", NULL, NULL, "draw forces over loading rate and time: .svg, .png or .pdf", 0, 0},
    {NULL, AMO_OPT_FLAG, NULL, NULL, NULL, NULL, 0, 0}};
// clang-format on

/// One number of a cycle: key in JSON and CSV, unit, place.
typedef struct cycle_number {
  const char *name, *unit;
  size_t offset;
} cycle_number;

#define OF(field) offsetof(amo_breakdown, field)
static const cycle_number numbers[] = {
    {"t", "s", OF(t)},
    {"F_plus", "N", OF(F_plus)},
    {"F_minus", "N", OF(F_minus)},
    {"sliding", "N", OF(sliding)},
    {"f", "N/s", OF(rate)},
    {"T", "s", OF(contact)},
    {"v", "m/s", OF(v)},
    {"F_plus_se", "N", OF(F_plus_se)},
    {"F_minus_se", "N", OF(F_minus_se)},
    {"f_se", "N/s", OF(rate_se)},
    {"t_set_up", "s", OF(t_set_up)},
    {"v_set_up", "m/s", OF(v_set_up)},
    {"amplitude", "m", OF(amplitude)},
    {"naive_plus", "N", OF(naive_plus)},
    {"naive_minus", "N", OF(naive_minus)},
    {NULL, NULL, 0},
};
#undef OF

static const char *const flaw_name[AMO_BREAKDOWN_FLAWS] = {"no_stop", "no_stick", "cut", "shape"};
static const char *const flaw_text[AMO_BREAKDOWN_FLAWS] = {
    "no stop: half range < v/omega", "no stick beside them that tells the speed of the drive",
    "a hole in the record", "no arc of the record's frequency"};

static double number_of(const amo_breakdown *c, const cycle_number *n)
{
  double x;
  memcpy(&x, (const char *)c + n->offset, sizeof x);
  return x;
}

amo_status amo_record_pick(const char *path, const char *const *names, const char *otherwise,
                           amo_diags *diags, const char **out)
{
  amo_record_stream *s = NULL;
  const amo_record_opts how = {.gaps = true};
  *out = otherwise;
  amo_status st = amo_record_open(path, NULL, 0, (amo_at){0}, &how, diags, &s);
  for (; st == AMO_OK && *names; names++)
    if (amo_record_has(s, *names)) {
      *out = *names;
      break;
    }
  amo_record_close(s);
  return st;
}

/// Columns that were not named, as the head calls them.
static amo_status pick_columns(const char *path, amo_diags *diags, amo_breakdown_opts *o)
{
  static const char *const times[] = {"t", "time", "Time", NULL}, *const forces[] = {"F", "force", "Force",
                                                                                     NULL};
  amo_status st = AMO_OK;
  if (o->time == NULL) st = amo_record_pick(path, times, "1", diags, &o->time);
  if (st == AMO_OK && o->force == NULL && o->stretch == NULL)
    st = amo_record_pick(path, forces, "2", NULL, &o->force);
  if (st == AMO_OK && o->drive && isfinite(o->speed))
    st = amo_error(diags, (amo_at){0}, NULL, "the speed of the drive is a column or a number, not both");
  return st;
}

static void read_options(const amo_options *opt, amo_breakdown_opts *o)
{
  *o = amo_breakdown_opts_default();
  o->time = amo_opt_text(opt, "time");
  o->force = amo_opt_text(opt, "force");
  o->stretch = amo_opt_text(opt, "stretch");
  o->drive = amo_opt_text(opt, "drive");
  if (amo_opt_given(opt, "speed")) o->speed = amo_opt_number(opt, "speed");
  if (amo_opt_given(opt, "stiffness")) o->stiffness = amo_opt_number(opt, "stiffness");
  if (amo_opt_given(opt, "mass")) o->mass = amo_opt_number(opt, "mass");
  o->damping = amo_opt_number(opt, "damping");
  o->moving_guide = !strcmp(amo_opt_text(opt, "scheme"), "b");
}

static cJSON *cycle_json(const amo_breakdown *c)
{
  cJSON *o = cJSON_CreateObject();
  for (const cycle_number *n = numbers; n->name; n++)
    amo_json_put(o, n->name, amo_json_number(number_of(c, n)));
  amo_json_put(o, "rate_of_drive", cJSON_CreateBool(c->rate_of_drive));
  amo_json_put(o, "coarse", cJSON_CreateBool(c->coarse));
  amo_json_put(o, "samples", cJSON_CreateNumber((double)c->samples));
  amo_json_put(o, "line", cJSON_CreateNumber((double)c->line));
  return o;
}

static size_t rejected_of(const amo_breakdowns *b)
{
  size_t n = 0;
  for (int i = 0; i < AMO_BREAKDOWN_FLAWS; i++) n += b->rejected[i];
  return n;
}

static cJSON *result_json(const char *path, const amo_breakdowns *b, const amo_breakdown_opts *o)
{
  cJSON *r = cJSON_CreateObject();
  cJSON_AddStringToObject(r, "record", path);
  cJSON_AddNumberToObject(r, "rows", (double)b->rows);
  cJSON_AddNumberToObject(r, "missing", (double)b->missing);
  amo_json_add(r, "from", b->from);
  amo_json_add(r, "to", b->to);
  amo_json_add(r, "interval", b->interval);
  amo_json_add(r, "noise", b->noise);
  amo_json_add(r, "least_fall", b->least_fall);
  amo_json_add(r, "omega", b->omega);
  amo_json_add(r, "omega_se", b->omega_se);
  amo_json_add(r, "mass", o->stiffness / (b->omega * b->omega));
  amo_json_add(r, "kappa", b->kappa);
  amo_json_add_or(r, "kappa_se", b->kappa_se, "the slips have too few samples");
  amo_json_add_or(r, "misfit", b->misfit, "no arc was fitted");
  amo_json_add_or(r, "corner", b->corner, "no arc was fitted");
  cJSON_AddBoolToObject(r, "gradual", b->gradual);
  amo_json_add_or(r, "bias_plus", b->bias_plus, "no cycle");
  amo_json_add_or(r, "bias_minus", b->bias_minus, "no cycle");
  cJSON_AddNumberToObject(r, "found", (double)b->cycles);
  cJSON_AddNumberToObject(r, "slips", (double)(b->cycles + rejected_of(b)));
  cJSON *rejected = cJSON_AddObjectToObject(r, "rejected");
  for (int i = 0; i < AMO_BREAKDOWN_FLAWS; i++)
    cJSON_AddNumberToObject(rejected, flaw_name[i], (double)b->rejected[i]);
  cJSON *cycles = cJSON_AddArrayToObject(r, "cycles");
  for (size_t i = 0; i < b->cycles; i++) cJSON_AddItemToArray(cycles, cycle_json(&b->cycle[i]));
  return r;
}

static void warn(const char *path, const amo_breakdowns *b, amo_diags *d)
{
  size_t coarse = 0;
  for (size_t i = 0; i < b->cycles; i++) coarse += b->cycle[i].coarse;
  for (int i = 0; i < AMO_BREAKDOWN_FLAWS; i++)
    if (b->rejected[i])
      amo_warn(d, (amo_at){0}, "leaving out weak cycles biases a fit",
               "%s: %zu of %zu slips give no cycle: %s", path, b->rejected[i], b->cycles + rejected_of(b),
               flaw_text[i]);
  if (coarse)
    amo_warn(d, (amo_at){0}, "sample at least twelve times in a period of the slider",
             "%s: %zu slips have too few samples for an arc; their forces come from the last sample before "
             "and the first after",
             path, coarse);
  if (b->gradual)
    amo_warn(d, (amo_at){0}, "break-down is then known less well",
             "%s: slips begin gradually, as under friction that falls with the sliding speed; break-downs "
             "were fitted so",
             path);
  else if (b->misfit > 3)
    amo_warn(d, (amo_at){0}, "friction that depends on the sliding speed, or another mass",
             "%s: the slips are no arcs of one frequency (residuals %.3g times the noise); each end was "
             "fitted for itself",
             path, b->misfit);
}

static amo_status write_csv(const char *path, const amo_breakdowns *b, amo_diags *d)
{
  amo_file_writer w;
  amo_status st = amo_file_stream_begin(path, d, &w);
  if (st != AMO_OK) return st;
  for (const cycle_number *n = numbers; n->name; n++)
    fprintf(w.stream, "%s%s [%s]", n == numbers ? "" : ",", n->name, n->unit);
  fputc('\n', w.stream);
  for (size_t i = 0; i < b->cycles; i++)
    for (const cycle_number *n = numbers; n->name; n++) {
      char text[32] = "";
      const double x = number_of(&b->cycle[i], n);
      if (isfinite(x)) amo_number_text(x, text);
      fprintf(w.stream, "%s%s%s", n == numbers ? "" : ",", text, n[1].name ? "" : "\n");
    }
  return amo_file_write_commit(&w, d);
}

static amo_status draw(const char *path, const amo_breakdowns *b, amo_diags *d)
{
  amo_figure *f = amo_figure_new("");
  const cycle_number *over[2] = {&numbers[4], &numbers[0]};
  static const int shown[] = {1, 2, 3};
  static const char *const label[] = {"break-down", "set-up", "sliding"};
  double *x = amo_zalloc(2 * b->cycles + 1, sizeof *x), *y = x + b->cycles;
  for (int p = 0; x && p < 2; p++) {
    char name[32];
    snprintf(name, sizeof name, "%s [%s]", over[p]->name, over[p]->unit);
    amo_panel *panel = amo_figure_panel(f, "", name, "force [N]");
    for (int k = 0; k < 3; k++) {
      for (size_t i = 0; i < b->cycles; i++)
        x[i] = number_of(&b->cycle[i], over[p]), y[i] = number_of(&b->cycle[i], &numbers[shown[k]]);
      amo_panel_series(panel,
                       k == 2 ? AMO_STYLE_DOTS
                       : k    ? AMO_STYLE_OPEN_POINTS
                              : AMO_STYLE_POINTS,
                       label[k], x, y, b->cycles);
    }
  }
  amo_status st = x ? amo_figure_write(f, path, d) : AMO_ENOMEM;
  amo_figure_free(f);
  free(x);
  return st;
}

// ---- as a table for fits ----

const char *amo_cycle_number(size_t i)
{
  return i < sizeof numbers / sizeof *numbers ? numbers[i].name : NULL;
}

static amo_status fill_table(const amo_breakdowns *b, amo_record *out)
{
  const size_t columns = sizeof numbers / sizeof *numbers - 1;
  *out = (amo_record){.rows = b->cycles, .columns = columns};
  out->value = amo_zalloc(columns * b->cycles, sizeof *out->value);
  out->column = amo_zalloc(columns, sizeof *out->column);
  if (out->value == NULL || out->column == NULL) return AMO_ENOMEM;
  for (size_t k = 0; k < columns; k++) {
    snprintf(out->column[k].name, sizeof out->column[k].name, "%s", numbers[k].name);
    snprintf(out->column[k].unit, sizeof out->column[k].unit, "%s", numbers[k].unit);
    for (size_t i = 0; i < b->cycles; i++)
      out->value[k * b->cycles + i] = number_of(&b->cycle[i], &numbers[k]);
  }
  return AMO_OK;
}

amo_status amo_cycles_table(const char *path, const amo_setting *set, size_t n, amo_diags *diags,
                            amo_record *out)
{
  amo_breakdown_opts how;
  amo_breakdowns *b = NULL;
  amo_options *o = amo_options_new(opts);
  amo_status st = o ? AMO_OK : AMO_ENOMEM;
  *out = (amo_record){0};
  for (size_t i = 0; i < n && st == AMO_OK; i++) {
    amo_opt_value *v = amo_options_value(o, set[i].name);
    st = v && v->def->type != AMO_OPT_FILE ? amo_opt_store(o, v, set[i].text, (amo_at){0}, diags)
                                           : amo_opt_unknown(o, set[i].name, "", (amo_at){0}, diags);
  }
  if (st == AMO_OK) st = amo_options_resolve(o, NULL, diags);
  if (st == AMO_OK) read_options(o, &how);
  if (st == AMO_OK) st = pick_columns(path, diags, &how);
  if (st == AMO_OK) st = amo_breakdowns_read(path, &how, diags, &b);
  if (st == AMO_OK) warn(path, b, diags);
  if (st == AMO_OK) st = fill_table(b, out);
  if (st != AMO_OK) amo_record_free(out);
  amo_breakdowns_free(b);
  amo_options_free(o);
  return st;
}

static amo_status run(const amo_call *call, cJSON **result)
{
  const amo_setting *record = NULL;
  const char *csv = amo_opt_text(call->opt, "csv"), *plot = amo_opt_text(call->opt, "plot");
  amo_breakdown_opts o;
  amo_breakdowns *b = NULL;
  if (amo_opt_settings(call->opt, "record", &record) != 1)
    return amo_error(call->diags, (amo_at){0}, NULL,
                     "breakdowns needs one record: amontons breakdowns RECORD --stiffness C");
  read_options(call->opt, &o);
  amo_status st = pick_columns(record[0].text, call->diags, &o);
  if (st == AMO_OK && plot) st = amo_figure_check_name(plot, call->diags);
  if (st == AMO_OK) st = amo_breakdowns_read(record[0].text, &o, call->diags, &b);
  if (st == AMO_OK) {
    warn(record[0].text, b, call->diags);
    *result = result_json(record[0].text, b, &o);
    if (csv) st = write_csv(csv, b, call->diags);
    if (st == AMO_OK && plot && b->cycles) st = draw(plot, b, call->diags);
    if (st == AMO_OK && b->cycles == 0)
      st = (amo_error(call->diags, (amo_at){0}, NULL, "%s: no cycle of stick and slip was found",
                      record[0].text),
            AMO_ENOANSWER);
  }
  amo_breakdowns_free(b);
  return st;
}

static void print(const cJSON *r, FILE *out, int wide)
{
  amo_table t = {0};
  const cJSON *c = NULL;
  fprintf(out, "%s: %.0f samples from %.6g to %.6g s, noise %.3g N\n", amo_json_text(r, "record"),
          amo_json_get(r, "rows"), amo_json_get(r, "from"), amo_json_get(r, "to"), amo_json_get(r, "noise"));
  fprintf(out, "slips: omega = %.8g rad/s", amo_json_get(r, "omega"));
  if (amo_json_get(r, "omega_se") > 0) fprintf(out, " +- %.2g", amo_json_get(r, "omega_se"));
  if (amo_json_get(r, "kappa") != 0)
    fprintf(out, ", decay kappa = %.4g +- %.2g 1/s", amo_json_get(r, "kappa"), amo_json_get(r, "kappa_se"));
  fprintf(out, "\n\n");
  static const char *const shown[] = {"t", "F_plus", "F_minus",    "sliding",    "f",
                                      "T", "v",      "naive_plus", "naive_minus"};
  amo_table_head(&t, ">#");
  for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
    char head[24];
    snprintf(head, sizeof head, ">%s", shown[i]);
    amo_table_head(&t, head);
  }
  int k = 0;
  cJSON_ArrayForEach(c, cJSON_GetObjectItemCaseSensitive(r, "cycles"))
  {
    if (++k > 100) break;
    amo_table_cell(&t, "%d", k);
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
      const double x = amo_json_get(c, shown[i]);
      if (isfinite(x))
        amo_table_cell(&t, "%.6g", x);
      else
        amo_table_cell(&t, "-");
    }
    amo_table_end_row(&t);
  }
  amo_table_print(&t, out, wide);
  fprintf(out, "\n%.0f of %.0f slips give a cycle", amo_json_get(r, "found"), amo_json_get(r, "slips"));
  fprintf(out, "; the extrema of the record are off by %.4g N at break-down, %.4g N at set-up on average\n",
          amo_json_get(r, "bias_plus"), amo_json_get(r, "bias_minus"));
}

const amo_verb amo_verb_breakdowns = {
    .name = "breakdowns",
    .summary = "forces at break-down and set-up from a record of stick-slip",
    .usage = "RECORD --stiffness C [options]",
    .description = "A slider is pulled through a spring; the record is the force of the spring (or its "
                   "stretch) against time. For every slip: the "
                   "contact force at break-down F_plus and at set-up F_minus, the sliding force, the loading "
                   "rate f just before break-down, the contact "
                   "time T before it, the speed v of the drive. Not from the extrema of the record, which "
                   "are biased by the motion and by the "
                   "noise: an arc is fitted between them, and break-down and set-up are where it has the "
                   "slope of the stick beside it. What is rejected "
                   "is counted, by reason.\n\nColumns have units in the head (t [s], F [kN]); gaps are "
                   "allowed. The record is read in blocks and may be "
                   "longer than memory. docs/records.md tells more.",
    .example = "amontons breakdowns gallery/records/anh-R1.csv --stiffness 7e5 --mass 100 --drive v",
    .opts = opts,
    .subject = AMO_OF_RECORD,
    .main = "found",
    .run = run,
    .print = print};
