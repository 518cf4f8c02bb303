// SPDX-License-Identifier: Apache-2.0
#include "amontons/spectrum.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/options.h"
#include "orbit/fft.h"
#include "orbit/window.h"

enum { LEAST_SEGMENT = 16, WANTED_SEGMENTS = 8 };

AMO_OPTS_INIT(amo_spectrum_opts, .window = AMO_WINDOW_HANN, .detrend = AMO_DETREND_MEAN, .overlap = 0.5)

// ---- Welch's averages ----

typedef struct spectrum_work {
  amo_fft fft;
  double *window, *z;
  double window_power;  // sum of squares of the window
} spectrum_work;

static bool make_work(spectrum_work *w, const amo_spectrum *s)
{
  const size_t n = s->opts.segment;
  w->window = amo_zalloc(n, sizeof *w->window);
  w->z = amo_zalloc(2 * n, sizeof *w->z);
  if (!amo_fft_make(&w->fft, n) || !w->window || !w->z) return false;
  for (size_t i = 0; i < n; i++) {
    w->window[i] = amo_window_value(s->opts.window, (double)i / (double)n);
    w->window_power += w->window[i] * w->window[i];
  }
  return true;
}

static void free_work(spectrum_work *w)
{
  amo_fft_free(&w->fft);
  free(w->window);
  free(w->z);
}

/// Mean and slope of a stretch, the latter about its middle.
static void fit_line(const double *x, size_t n, double *mean, double *slope)
{
  double sum = 0.0, moment = 0.0, inertia = 0.0;
  const double middle = 0.5 * (double)(n - 1);
  for (size_t i = 0; i < n; i++) sum += x[i];
  *mean = sum / (double)n;
  for (size_t i = 0; i < n; i++) {
    const double t = (double)i - middle;
    moment += t * (x[i] - *mean);
    inertia += t * t;
  }
  *slope = moment / inertia;
}

static void add_segment(amo_spectrum *s, spectrum_work *w, const double *x)
{
  const size_t n = s->opts.segment;
  double mean = 0.0, slope = 0.0, square = 0.0;
  if (s->opts.detrend != AMO_DETREND_NONE) fit_line(x, n, &mean, &slope);
  if (s->opts.detrend != AMO_DETREND_LINEAR) slope = 0.0;
  for (size_t i = 0; i < n; i++) {
    const double v = w->window[i] * (x[i] - mean - slope * ((double)i - 0.5 * (double)(n - 1)));
    w->z[2 * i] = v;
    w->z[2 * i + 1] = 0.0;
    square += v * v;
  }
  amo_fft_run(&w->fft, w->z);
  const double scale = 1.0 / (s->rate * w->window_power * (double)s->segments);
  for (size_t k = 0; k < s->bins; k++) {
    const double re = w->z[2 * k], im = w->z[2 * k + 1], sides = k == 0 || 2 * k == n ? 1.0 : 2.0;
    s->psd[k] += sides * scale * (re * re + im * im);
  }
  s->mean_square += square / (w->window_power * (double)s->segments);
}

static void add_moments(amo_spectrum *s, const double *x, size_t n)
{
  for (size_t i = 0; i < n; i++) s->mean += x[i] / (double)n;
  for (size_t i = 0; i < n; i++) s->variance += (x[i] - s->mean) * (x[i] - s->mean) / (double)n;
}

static amo_status transform(amo_spectrum *s, const double *x, size_t n, size_t hop)
{
  spectrum_work w = {0};
  s->psd = amo_zalloc(s->bins, sizeof *s->psd);
  amo_status st = s->psd && make_work(&w, s) ? AMO_OK : AMO_ENOMEM;
  if (st == AMO_OK) {
    double sum = 0.0;
    for (size_t i = 0; i < s->opts.segment; i++) sum += w.window[i];
    s->bandwidth = s->rate * w.window_power / (sum * sum);
    for (size_t i = 0; i < s->segments; i++) add_segment(s, &w, x + i * hop);
    for (size_t k = 0; k < s->bins; k++) s->power += s->psd[k] * s->resolution;
    add_moments(s, x, n);
  }
  free_work(&w);
  return st;
}

/// The largest power of two that leaves the wanted number of segments, or the least allowed.
static size_t choose_segment(size_t n, double overlap)
{
  size_t best = LEAST_SEGMENT;
  while (2.0 * (double)best * (1.0 + (WANTED_SEGMENTS - 1) * (1.0 - overlap)) <= (double)n) best *= 2;
  return best;
}

amo_status amo_spectrum_new(const double *x, size_t n, double rate, const amo_spectrum_opts *opts,
                            amo_spectrum **out)
{
  if (!out) return AMO_ERANGE;
  *out = NULL;
  if (!x) return AMO_ERANGE;
  amo_spectrum_opts o = amo_spectrum_opts_default();
  const amo_status taken = amo_opts_take(&o, sizeof o, opts);
  if (taken != AMO_OK) return taken;
  if (!(o.overlap >= 0.0 && o.overlap <= 0.95) || !(rate > 0.0 && isfinite(rate))) return AMO_ERANGE;
  if ((int)o.window < 0 || o.window > AMO_WINDOW_FLAT_TOP) return AMO_ERANGE;
  if (o.segment == 0) o.segment = choose_segment(n, o.overlap);
  if (o.segment < LEAST_SEGMENT || (o.segment & (o.segment - 1)) || o.segment > n) return AMO_ERANGE;
  for (size_t i = 0; i < n; i++)
    if (!isfinite(x[i])) return AMO_ERANGE;
  amo_spectrum *s = amo_zalloc(1, sizeof *s);
  if (!s) return AMO_ENOMEM;
  size_t hop = (size_t)nearbyint((double)o.segment * (1.0 - o.overlap));
  if (hop == 0) hop = 1;
  *s = (amo_spectrum){.opts = o, .rate = rate, .bins = o.segment / 2 + 1};
  s->segments = (n - o.segment) / hop + 1;
  s->resolution = rate / (double)o.segment;
  amo_status st = transform(s, x, n, hop);
  if (st != AMO_OK) {
    amo_spectrum_free(s);
    return st;
  }
  *out = s;
  return AMO_OK;
}

void amo_spectrum_free(amo_spectrum *s)
{
  if (!s) return;
  free(s->psd);
  free(s);
}
