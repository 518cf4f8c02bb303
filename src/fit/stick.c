// SPDX-License-Identifier: Apache-2.0
#include "fit/stick.h"

#include <math.h>

enum { LEAST = 4, CORNER = 3 };  // samples; standard deviations

typedef struct line_sums {
  double n, t, x, tt, tx;
} line_sums;

static void add(line_sums *s, double t, double x)
{
  s->n++, s->t += t, s->x += x, s->tt += t * t, s->tx += t * x;
}

/// Does the drive go at v at sample k, to 2 %, or is it not known?
static bool as_fast(const amo_trace *w, double v, size_t k)
{
  return !(fabs(w->v[k - w->first] - v) > 0.02 * fabs(v));
}

static size_t at(size_t a, size_t b, bool at_end, size_t i)
{
  return at_end ? b - 1 - i : a + i;
}

/// The first n samples from the end, a line with a corner in the place where that helps most: the drive has changed its speed there, or the
/// stick begins. What the line beyond the corner does has no part in the slope; a corner too small to be seen would bend it all the same.
static void heed_corner(const amo_trace *w, size_t a, size_t b, bool at_end, size_t n, double noise,
                        amo_stick_line *out)
{
  const double t0 = amo_trace_t(w, at(a, b, at_end, 0)), x0 = amo_trace_x(w, at(a, b, at_end, 0));
  line_sums all = {0}, far = {0};  // all samples; those beyond the corner
  double best = CORNER * noise * CORNER * noise;
  for (size_t i = 0; i < n; i++) {
    const size_t k = at(a, b, at_end, i);
    add(&all, amo_trace_t(w, k) - t0, amo_trace_x(w, k) - x0);
  }
  const double tt = all.tt - all.t * all.t / all.n, tx = all.tx - all.t * all.x / all.n;
  for (size_t i = n; i-- > LEAST;) {
    const size_t k = at(a, b, at_end, i);
    const double t = amo_trace_t(w, k) - t0;
    add(&far, t, amo_trace_x(w, k) - x0);
    const double h = far.t - far.n * t;  // sums of the hinge, t_j - t beyond the corner, about its mean
    const double hh = far.tt - 2 * t * far.t + far.n * t * t - h * h / all.n;
    const double th = far.tt - t * far.t - all.t * h / all.n, xh = far.tx - t * far.x - all.x * h / all.n;
    const double det = tt * hh - th * th, bend = (xh * tt - tx * th) / det;
    if (!(det > 0) || !(bend * bend * det / tt > best)) continue;
    best = bend * bend * det / tt;
    *out = (amo_stick_line){
        .slope = (tx * hh - xh * th) / det, .slope_se = noise * sqrt(hh / det), .samples = i};
  }
}

bool amo_stick_line_fit(const amo_trace *w, size_t a, size_t b, bool at_end, double v, double noise,
                        amo_stick_line *out)
{
  size_t n = 0;
  while (n < (b > a ? b - a : 0) && as_fast(w, v, at_end ? b - 1 - n : a + n)) n++;
  if (n < LEAST) return false;
  line_sums s = {0};
  const double t0 = amo_trace_t(w, at_end ? b - 1 : a), x0 = amo_trace_x(w, at_end ? b - 1 : a);
  size_t used = 0, next = LEAST;
  for (;;) {
    for (; used < next; used++) {
      const size_t k = at_end ? b - 1 - used : a + used;
      add(&s, amo_trace_t(w, k) - t0, amo_trace_x(w, k) - x0);
    }
    const double mean = s.t / s.n, spread = s.tt - s.t * mean;
    out->slope = (s.tx - s.x * mean) / spread;
    out->slope_se = noise / sqrt(spread);
    out->samples = used;
    size_t more = used / 2 < 2 ? 2 : used / 2;  // is what follows on the same line?
    if (more > n - used) more = n - used;
    if (more < 2) break;
    double off = 0, far = 0;
    for (size_t i = used; i < used + more; i++) {
      const size_t k = at_end ? b - 1 - i : a + i;
      const double t = amo_trace_t(w, k) - t0;
      off += (amo_trace_x(w, k) - x0 - (s.x / s.n + out->slope * (t - mean))) / (double)more;
      far += (t - mean) / (double)more;
    }
    const double doubt = noise * sqrt(1 / (double)more + 1 / s.n + far * far / spread);
    next = used + more;
    if (fabs(off) > 4 * doubt) break;
  }
  heed_corner(w, a, b, at_end, next < n ? next : n, noise, out);
  return true;
}
