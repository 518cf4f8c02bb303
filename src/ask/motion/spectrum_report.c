// SPDX-License-Identifier: Apache-2.0
// The result of `spectrum`: JSON, files, and text for a person.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "plot/figure.h"
#include "ask/audit.h"
#include "result/json.h"
#include "ask/motion/spectrum_run.h"
#include "result/table.h"

const char *const amo_psd_windows[6] = {"rectangular",     "hann",    "hamming", "blackman",
                                        "blackman-harris", "flat-top"};
const char *const amo_psd_detrends[3] = {"none", "mean", "linear"};

static void add_peaks(cJSON *o, const amo_psd_run *r)
{
  static const char *const none = "there is no line";
  amo_peak peak[AMO_PSD_PEAKS];
  size_t n = amo_spectrum_peaks(r->spectrum, peak, (size_t)amo_opt_integer(r->j.call->opt, "peaks"));
  cJSON *list = cJSON_AddArrayToObject(o, "peaks");
  for (size_t i = 0; i < n; i++) {
    cJSON *p = cJSON_CreateObject();
    amo_json_add(p, "frequency", peak[i].frequency);
    amo_json_add(p, "power", peak[i].power);
    amo_json_add(p, "amplitude", sqrt(2.0 * peak[i].power));
    amo_json_add(p, "psd", r->spectrum->psd[peak[i].bin]);
    amo_json_add(p, "bin_frequency", (double)peak[i].bin * r->spectrum->resolution);
    cJSON_AddItemToArray(list, p);
  }
  amo_json_add_or(o, "strongest", n ? peak[0].frequency : NAN, none);
}

static void add_samples(cJSON *o, const amo_spectrum *s)
{
  cJSON *f = cJSON_AddArrayToObject(o, "frequency"), *p = cJSON_AddArrayToObject(o, "psd");
  for (size_t k = 0; k < s->bins; k++) {
    cJSON_AddItemToArray(f, amo_json_number((double)k * s->resolution));
    cJSON_AddItemToArray(p, amo_json_number(s->psd[k]));
  }
}

cJSON *amo_psd_json(const amo_psd_run *r)
{
  const amo_spectrum *s = r->spectrum;
  const amo_options *opt = r->j.call->opt;
  cJSON *o = cJSON_CreateObject(), *band = NULL;
  cJSON_AddStringToObject(o, "model", amo_model_name(r->j.call->model));
  cJSON_AddStringToObject(o, "of", r->of);
  cJSON_AddStringToObject(o, "unit", amo_signal_unit(r->signal));
  amo_json_add(o, "from", r->j.after);
  amo_json_add(o, "until", r->j.until);
  amo_json_add(o, "rate", s->rate);
  cJSON_AddNumberToObject(o, "count", (double)r->n);
  cJSON_AddStringToObject(o, "window", amo_psd_windows[s->opts.window]);
  cJSON_AddStringToObject(o, "detrend", amo_psd_detrends[s->opts.detrend]);
  cJSON_AddNumberToObject(o, "segment", (double)s->opts.segment);
  cJSON_AddNumberToObject(o, "segments", (double)s->segments);
  amo_json_add(o, "overlap", s->opts.overlap);
  amo_json_add(o, "resolution", s->resolution);
  amo_json_add(o, "bandwidth", s->bandwidth);
  amo_json_add(o, "nyquist", 0.5 * s->rate);
  amo_json_add(o, "mean", s->mean);
  amo_json_add(o, "variance", s->variance);
  amo_json_add(o, "power", s->power);
  amo_json_add_or(o, "parseval_error", fabs(s->power - s->mean_square) / s->mean_square, "there is no power");
  add_peaks(o, r);
  amo_json_add_or(
      o, "share",
      amo_spectrum_share(s, (size_t)amo_opt_integer(opt, "peaks"), (size_t)amo_opt_integer(opt, "reach")),
      "there is no power");
  amo_json_add_or(o, "flatness", amo_spectrum_flatness(s, r->band[0], r->band[1]), "no power in the band");
  band = cJSON_AddArrayToObject(o, "band");
  cJSON_AddItemToArray(band, amo_json_number(r->band[0]));
  cJSON_AddItemToArray(band, amo_json_number(fmin(r->band[1], 0.5 * s->rate)));
  if (amo_opt_flag(opt, "samples")) add_samples(o, s);
  return o;
}

static void units(const amo_psd_run *r, char frequency[64], char psd[160])
{
  const char *x = amo_signal_unit(r->signal), *t = amo_signal_time_unit(r->signal);
  snprintf(frequency, 64, "%s", *t ? "frequency [Hz]" : "frequency");
  if (!*t || !*x)
    snprintf(psd, 160, "psd");
  else
    snprintf(psd, 160, strpbrk(x, "/ ^*") ? "psd [(%.60s)^2/Hz]" : "psd [%.60s^2/Hz]", x);
}

static amo_status write_csv(const amo_psd_run *r, const char *path)
{
  char f[64], p[160];
  amo_file_writer w = {0};
  amo_status st = amo_file_stream_begin(path, r->j.call->diags, &w);
  if (st != AMO_OK) return st;
  units(r, f, p);
  fprintf(w.stream, "%s,%s\n", f, p);
  for (size_t k = 0; k < r->spectrum->bins; k++)
    fprintf(w.stream, "%.17g,%.17g\n", (double)k * r->spectrum->resolution, r->spectrum->psd[k]);
  return amo_file_write_commit(&w, r->j.call->diags);
}

static amo_status draw(const amo_psd_run *r, const char *path)
{
  char f[64], p[160];
  const amo_spectrum *s = r->spectrum;
  double *x = amo_zalloc(s->bins, sizeof *x), *y = amo_zalloc(s->bins, sizeof *y);
  amo_figure *figure = amo_figure_new(amo_model_name(r->j.call->model));
  amo_status st = x && y ? AMO_OK : AMO_ENOMEM;
  for (size_t k = 0; st == AMO_OK && k < s->bins; k++) {
    x[k] = (double)k * s->resolution;
    y[k] = s->psd[k] > 0.0 ? s->psd[k] : NAN;
  }
  units(r, f, p);
  if (st == AMO_OK) {
    char title[256];
    snprintf(title, sizeof title, "%.100s: %s window, %zu segment%s of %zu", r->of,
             amo_psd_windows[s->opts.window], s->segments, s->segments == 1 ? "" : "s", s->opts.segment);
    amo_panel *panel = amo_figure_panel(figure, title, f, p);
    amo_panel_series(panel, AMO_STYLE_LINE, "", x, y, s->bins);
    if (panel) panel->y_log = true;
    st = amo_figure_write(figure, path, r->j.call->diags);
  }
  amo_figure_free(figure);
  free(x);
  free(y);
  return st;
}

amo_status amo_psd_files(const amo_psd_run *r)
{
  const char *csv = amo_opt_text(r->j.call->opt, "csv"), *plot = amo_opt_text(r->j.call->opt, "plot");
  amo_status st = csv ? write_csv(r, csv) : AMO_OK, one = plot ? draw(r, plot) : AMO_OK;
  return st == AMO_OK ? one : st;
}

void amo_psd_print(const cJSON *o, FILE *out, int wide)
{
  const cJSON *p = NULL;
  fprintf(out, "%s: spectrum of %s, %.0f samples from t = %.9g to %.9g\n", amo_json_text(o, "model"),
          amo_json_text(o, "of"), amo_json_get(o, "count"), amo_json_get(o, "from"),
          amo_json_get(o, "until"));
  fprintf(out, "%s window, %.0f segments of %.0f, resolution %.6g, up to %.6g\n", amo_json_text(o, "window"),
          amo_json_get(o, "segments"), amo_json_get(o, "segment"), amo_json_get(o, "resolution"),
          amo_json_get(o, "nyquist"));
  fprintf(out, "power %.9g, variance of the record %.9g, sum rule to %.1e\n", amo_json_get(o, "power"),
          amo_json_get(o, "variance"), amo_json_get(o, "parseval_error"));
  fprintf(out, "the strongest lines hold %.6g of the power, flatness %.4g\n\n", amo_json_get(o, "share"),
          amo_json_get(o, "flatness"));
  amo_table t = {0};
  amo_table_head(&t, ">frequency"), amo_table_head(&t, ">amplitude"), amo_table_head(&t, ">power");
  cJSON_ArrayForEach(p, cJSON_GetObjectItemCaseSensitive(o, "peaks"))
  {
    amo_table_cell(&t, "%.9g", amo_json_get(p, "frequency"));
    amo_table_cell(&t, "%.6g", amo_json_get(p, "amplitude"));
    amo_table_cell(&t, "%.6g", amo_json_get(p, "power"));
  }
  amo_table_print(&t, out, wide);
  amo_audit_print(o, out);
}
