// SPDX-License-Identifier: Apache-2.0
/// Turning points of a long record: maxima and minima that stand out of the noise, with a window of samples around them that does not
/// grow with the record.
#ifndef AMO_FIT_OSCILLOGRAM_H
#define AMO_FIT_OSCILLOGRAM_H

#include "amontons/breakdowns.h"
#include "base/record.h"
#include "fit/survey.h"

/// Samples in memory. The k-th sample of the record is the one at k - first.
typedef struct amo_trace {
  double *t, *x, *v;  // time, force of the spring (N), speed of the drive (NAN: not known)
  size_t *line;
  size_t n, capacity, first;
} amo_trace;

typedef struct amo_oscillogram amo_oscillogram;
/// A monotone stretch has ended: from sample `from` (an extremum) to sample `to`, falling or rising.
typedef amo_status (*amo_on_stretch)(void *ctx, const amo_oscillogram *o, size_t from, size_t to,
                                     bool falling);

struct amo_oscillogram {
  const char *path;
  const amo_breakdown_opts *opts;
  amo_diags *diags;
  amo_survey survey;
  double least;  // N: smaller ups and downs are noise
  amo_trace trace;
  bool rising;         // seeking a maximum
  size_t best, begin;  // the highest (lowest) sample so far; the turning point before it
  size_t keep;         // samples before this one are not needed any more; set by whoever follows
};

/// The first pass: the survey, and `least`. Mistakes of the record are reported.
amo_status amo_oscillogram_survey(amo_oscillogram *o);
/// One more pass over the record. `every` (may be NULL) is called after each block.
amo_status amo_oscillogram_pass(amo_oscillogram *o, amo_on_stretch each, amo_status (*every)(void *ctx),
                                void *ctx);
void amo_oscillogram_free(amo_oscillogram *o);

static inline double amo_trace_t(const amo_trace *w, size_t k)
{
  return w->t[k - w->first];
}
static inline double amo_trace_x(const amo_trace *w, size_t k)
{
  return w->x[k - w->first];
}
static inline size_t amo_trace_end(const amo_trace *w)
{
  return w->first + w->n;
}
/// The steep middle of the stretch between samples from and to: all but a tenth of its height at both ends, which noise and stick may
/// stretch at will. Samples *a to *b - 1. Returns how long an arc would last that is so long in its middle.
double amo_trace_core(const amo_trace *w, size_t from, size_t to, size_t *a, size_t *b);
/// The first sample not before t, between samples lo and hi.
size_t amo_trace_find(const amo_trace *w, double t, size_t lo, size_t hi);

#endif
