// SPDX-License-Identifier: Apache-2.0
// What stands out of a spectrum.
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "amontons/spectrum.h"
#include "base/mem.h"
#include "orbit/window.h"

static size_t lower(size_t bin, size_t by)
{
  return bin > by ? bin - by : 0;
}

static size_t upper(const amo_spectrum *s, size_t bin, size_t by)
{
  return bin + by < s->bins ? bin + by : s->bins - 1;
}

typedef struct rank {
  double psd;
  size_t bin;
} rank;

static int falling(const void *a, const void *b)
{
  const rank *x = a, *y = b;
  if (x->psd != y->psd) return x->psd < y->psd ? 1 : -1;
  return x->bin < y->bin ? -1 : x->bin > y->bin;
}

/// Bins by falling power, and marks for those that are spent.
typedef struct order {
  rank *rank;
  bool *taken;
} order;

static bool make_order(order *o, const amo_spectrum *s)
{
  o->rank = amo_zalloc(s->bins, sizeof *o->rank);
  o->taken = amo_zalloc(s->bins, sizeof *o->taken);
  if (!o->rank || !o->taken) return false;
  for (size_t k = 0; k < s->bins; k++) o->rank[k] = (rank){s->psd[k], k};
  qsort(o->rank, s->bins, sizeof *o->rank, falling);
  return true;
}

static void free_order(order *o)
{
  free(o->rank);
  free(o->taken);
}

/// Take the bins around one; returns the power of those that were free.
static double take(const amo_spectrum *s, bool *taken, size_t bin, size_t reach)
{
  double power = 0.0;
  for (size_t k = lower(bin, reach); k <= upper(s, bin, reach); k++) {
    if (!taken[k]) power += s->psd[k] * s->resolution;
    taken[k] = true;
  }
  return power;
}

static bool is_peak(const amo_spectrum *s, size_t k)
{
  return k > 0 && k + 1 < s->bins && s->psd[k] >= s->psd[k - 1] && s->psd[k] >= s->psd[k + 1];
}

static amo_peak shape(const amo_spectrum *s, size_t k)
{
  const bool up = s->psd[k + 1] >= s->psd[k - 1];
  const size_t low = up ? k : k - 1, reach = (size_t)amo_window_terms(s->opts.window) + 1;
  const double place = amo_window_place(s->opts.window, sqrt(s->psd[low + 1] / s->psd[low]));
  amo_peak p = {.bin = k, .frequency = ((double)low + place) * s->resolution};
  for (size_t i = lower(k, reach); i <= upper(s, k, reach); i++) p.power += s->psd[i] * s->resolution;
  return p;
}

size_t amo_spectrum_peaks(const amo_spectrum *s, amo_peak *peak, size_t room)
{
  order o = {0};
  size_t n = 0;
  const bool made = s && peak && make_order(&o, s);
  for (size_t i = 0; made && i < s->bins && n < room; i++) {
    const size_t k = o.rank[i].bin;
    if (o.taken[k] || !(s->psd[k] > 0.0) || !is_peak(s, k)) continue;
    take(s, o.taken, k, (size_t)amo_window_terms(s->opts.window));
    peak[n++] = shape(s, k);
  }
  free_order(&o);
  return n;
}

double amo_spectrum_share(const amo_spectrum *s, size_t lines, size_t reach)
{
  order o = {0};
  double power = 0.0;
  size_t n = 0;
  const bool made = s && s->bins > 0 && make_order(&o, s);
  const double total =
      made ? s->power - take(s, o.taken, 0, (size_t)amo_window_terms(s->opts.window) - 1) : 0.0;
  for (size_t i = 0; made && i < s->bins && n < lines; i++) {
    if (o.taken[o.rank[i].bin]) continue;
    power += take(s, o.taken, o.rank[i].bin, reach);
    n++;
  }
  free_order(&o);
  return total > 0.0 ? power / total : NAN;
}

double amo_spectrum_flatness(const amo_spectrum *s, double from, double to)
{
  double sum = 0.0, logs = 0.0;
  size_t n = 0;
  for (size_t k = 0; s && k < s->bins; k++) {
    const double f = (double)k * s->resolution;
    if (f < from || f > to) continue;
    sum += s->psd[k];
    logs += log(s->psd[k]);
    n++;
  }
  return n && sum > 0.0 ? exp(logs / (double)n) / (sum / (double)n) : NAN;
}
