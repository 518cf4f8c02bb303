// SPDX-License-Identifier: Apache-2.0
// spectrum: power spectral density of a quantity of the motion.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "plot/figure.h"
#include "ask/longrun/chaos.h"
#include "ask/number.h"
#include "ask/motion/spectrum_run.h"

// clang-format off
static const amo_opt_def opts[] = {
    {"of", AMO_OPT_TEXT, "EXPR", NULL, NULL, "a column of simulate or an expression of columns; the first coordinate if absent", 0, 0},
    {"until", AMO_OPT_NUMBER, "T", "100", NULL, "end of the record", 0, 0},
    AMO_WATCHED_RUN_OPTS,
    {"points", AMO_OPT_INTEGER, "N", "16384", NULL, "samples, evenly spaced from after to until", 16, 1e8},
    {"rate", AMO_OPT_NUMBER, "F", NULL, NULL, "samples per unit of time, instead of points; with both, the record ends after points/rate", 1e-300, INFINITY},
    {"segment", AMO_OPT_INTEGER, "N", NULL, NULL, "samples of a segment, a power of two; the largest that gives 8 segments if absent", 16, 1e8},
    {"overlap", AMO_OPT_NUMBER, "PART", "0.5", NULL, "of neighbouring segments", 0, 0.95},
    {"window", AMO_OPT_CHOICE, "WINDOW", "hann", "rectangular|hann|hamming|blackman|blackman-harris|flat-top", "taper of the segments", 0, 0},
    {"detrend", AMO_OPT_CHOICE, "WHAT", "mean", "none|mean|linear", "what is taken off each segment", 0, 0},
    {"peaks", AMO_OPT_INTEGER, "N", "20", NULL, "strongest lines to list, and to count in share", 1, AMO_PSD_PEAKS},
    {"reach", AMO_OPT_INTEGER, "BINS", "3", NULL, "share: bins on each side that belong to a line", 0, 1000},
    {"band", AMO_OPT_TEXT, "FROM:TO", NULL, NULL, "frequencies for the flatness; all but zero if absent", 0, 0},
    {"samples", AMO_OPT_FLAG, NULL, NULL, NULL, "put frequency and psd into the JSON result", 0, 0},
    {"csv", AMO_OPT_FILE, "FILE", NULL, NULL, "write frequency and psd as CSV; - is standard output", 0, 0},
    {"plot", AMO_OPT_FILE, "FILE", NULL, NULL, "draw the psd: .svg, .png or .pdf; the gnuplot script stays beside it", 0, 0},
    {NULL, AMO_OPT_FLAG, NULL, NULL, NULL, NULL, 0, 0}};
// clang-format on

static int index_of(const char *const *names, int n, const char *text)
{
  for (int i = 0; i < n; i++)
    if (!strcmp(names[i], text)) return i;
  return 0;  // options have checked the choice
}

// ---- options ----

/// Two of points, rate and until decide the third.
static amo_status read_grid(amo_psd_run *r)
{
  const amo_options *o = r->j.call->opt;
  amo_diags *d = r->j.call->diags;
  double points = (double)amo_opt_integer(o, "points");
  const double length = r->j.until - r->j.after;
  if (amo_opt_given(o, "rate") && amo_opt_given(o, "points")) {
    if (amo_opt_given(o, "until"))
      return amo_error(d, (amo_at){0}, NULL, "give two of points, rate and until, not all three");
    r->rate = amo_opt_number(o, "rate");
    r->j.until = r->j.after + points / r->rate;
  } else if (amo_opt_given(o, "rate")) {
    r->rate = amo_opt_number(o, "rate");
    points = floor(length * r->rate * (1.0 + 1e-12));
    if (!(points >= 16 && points <= 1e8))
      return amo_error(d, (amo_at){0}, NULL, "rate = %g gives %g samples; 16 to 1e8 are possible", r->rate,
                       points);
  } else {
    r->rate = points / length;
  }
  r->n = (size_t)points;
  return AMO_OK;
}

static amo_status read_band(amo_psd_run *r)
{
  const char *text = amo_opt_text(r->j.call->opt, "band");
  char part[2][128], rest = 0;
  r->band[0] = 0.5 * r->rate / (double)r->n;  // above zero
  r->band[1] = INFINITY;
  if (!text) return AMO_OK;
  int n = sscanf(text, "%127[^:]:%127[^:]%c", part[0], part[1], &rest);
  for (int i = 0; n == 2 && i < n; i++) {
    amo_status st = amo_number_eval(part[i], (amo_at){0}, r->j.call->values, r->j.call->diags, &r->band[i]);
    if (st != AMO_OK) return st;
  }
  if (n == 2 && r->band[0] >= 0.0 && r->band[1] > r->band[0]) return AMO_OK;
  return amo_error(r->j.call->diags, (amo_at){0}, "for example 20:2000",
                   "band needs FROM:TO, two frequencies, ascending, got '%s'",
                   amo_opt_text(r->j.call->opt, "band"));
}

static amo_status check_segment(const amo_psd_run *r)
{
  const amo_options *o = r->j.call->opt;
  if (!amo_opt_given(o, "segment")) return AMO_OK;
  const long n = amo_opt_integer(o, "segment");
  if (n & (n - 1))
    return amo_error(r->j.call->diags, (amo_at){0}, "for example 8192",
                     "segment must be a power of two, got %ld", n);
  if ((size_t)n > r->n)
    return amo_error(r->j.call->diags, (amo_at){0}, NULL,
                     "a segment of %ld samples is longer than the record of %zu", n, r->n);
  return AMO_OK;
}

static amo_status prepare(amo_psd_run *r, const amo_call *c)
{
  const char *of = amo_opt_text(c->opt, "of");
  amo_status st = amo_watched_run_begin(c, &r->j);
  if (!of && amo_model_states(c->model)) of = amo_model_state(c->model, 0).name;
  if (st == AMO_OK && !of)
    st = amo_error(c->diags, (amo_at){0}, "--of EXPR",
                   "the model has no coordinate; say what the spectrum is of");
  r->of = of;
  if (st == AMO_OK) st = amo_signal_new(c->values, "--of", of, c->diags, &r->signal);
  if (st == AMO_OK) st = read_grid(r);
  if (st == AMO_OK) st = read_band(r);
  if (st == AMO_OK) st = check_segment(r);
  const char *plot = amo_opt_text(c->opt, "plot");
  if (st == AMO_OK && plot) st = amo_figure_check_name(plot, c->diags);
  if (st == AMO_OK && !(r->x = amo_zalloc(r->n, sizeof *r->x))) st = AMO_ENOMEM;
  return st;
}

// ---- the record ----

static int on_step(void *ctx, amo_watched_run *j)
{
  amo_psd_run *r = ctx;
  const double end = amo_sim_time(j->sim);
  while (r->next < r->n) {
    const double t = j->after + (double)r->next / r->rate;
    if (t > end && end < j->until) return 0;
    if ((j->status = amo_sim_sample(j->sim, t, false, j->sample)) != AMO_OK) return 2;
    const double x = amo_signal_value(r->signal, j->sample);
    if (!isfinite(x)) {
      j->status = AMO_ENOANSWER;
      amo_error(j->call->diags, (amo_at){0}, NULL, "%s is not a finite number at t = %.9g", r->of, t);
      return 2;
    }
    r->x[r->next++] = x;
  }
  return 0;
}

static amo_status transform(amo_psd_run *r)
{
  const amo_options *o = r->j.call->opt;
  amo_spectrum_opts s = amo_spectrum_opts_default();
  s.window = (amo_taper)index_of(amo_psd_windows, 6, amo_opt_text(o, "window"));
  s.detrend = (amo_detrend)index_of(amo_psd_detrends, 3, amo_opt_text(o, "detrend"));
  s.overlap = amo_opt_number(o, "overlap");
  s.segment = amo_opt_given(o, "segment") ? (size_t)amo_opt_integer(o, "segment") : 0;
  return amo_spectrum_new(r->x, r->n, r->rate, &s, &r->spectrum);
}

/// Power near the end of the scale means that there is more beyond it, folded back.
static void warn_of_aliases(const amo_psd_run *r)
{
  const amo_spectrum *s = r->spectrum;
  double high = 0.0;
  for (size_t k = s->bins - 1 - s->bins / 10; k < s->bins; k++) high += s->psd[k] * s->resolution;
  if (high > 1e-3 * s->power)
    amo_warn(r->j.call->diags, (amo_at){0}, "sample faster: --rate or --points",
             "%.2g %% of the power lies in the highest tenth of the frequencies: higher ones are folded into "
             "the spectrum",
             100.0 * high / s->power);
}

static amo_status run(const amo_call *call, cJSON **result)
{
  amo_psd_run r = {0};
  *result = NULL;
  amo_status st = prepare(&r, call);
  r.j.on_step = on_step;
  r.j.ctx = &r;
  if (st == AMO_OK) st = amo_watched_run_run(&r.j);
  if (st == AMO_OK) st = transform(&r);
  if (st == AMO_OK) {
    warn_of_aliases(&r);
    *result = amo_psd_json(&r);
    st = amo_psd_files(&r);
    amo_status audit = amo_watched_run_audit(&r.j, *result);
    if (st == AMO_OK) st = audit;
  }
  amo_spectrum_free(r.spectrum);
  amo_signal_free(r.signal);
  amo_watched_run_end(&r.j);
  free(r.x);
  return st;
}

const amo_verb amo_verb_spectrum = {
    .name = "spectrum",
    .summary = "power spectral density of a quantity, with its lines",
    .usage = "MODEL [options]",
    .description = "Samples a quantity of the motion evenly from the dense output (events do not disturb the "
                   "grid), and averages the "
                   "squared transforms of windowed, overlapping segments (Welch). The psd is one-sided, in "
                   "squared units per unit of "
                   "frequency: its sum times the resolution is the power, and how well that agrees with the "
                   "mean square in time is "
                   "told (parseval_error).\n\n"
                   "Lines are local maxima; their frequency is found between the bins from the shape of the "
                   "window, their power "
                   "within its main lobe. share is the part of the power in the strongest lines (reach bins "
                   "to each side), flatness "
                   "the geometric over the arithmetic mean of the psd in a band: lines give a share near 1 "
                   "and no flatness, noise "
                   "and chaos the opposite.",
    .example =
        "amontons spectrum models/block-on-belt.yaml --after 50 --until 650 --points 8192 --segment 4096\n"
        "amontons spectrum models/violin-string.yaml --set d=0.25e-3 --after 0.1 --rate 40000 --points 65536 "
        "--plot psd.svg",
    .opts = opts,
    .run = run,
    .print = amo_psd_print};
