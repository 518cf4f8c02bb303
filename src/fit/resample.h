// SPDX-License-Identifier: Apache-2.0
/// Fits done many times: from several starts, because a sum of squares may have several valleys; with resampled data, as a check of
/// standard errors that does not believe in the linear formula (bootstrap). Random numbers are the same on every machine.
#ifndef AMO_FIT_RESAMPLE_H
#define AMO_FIT_RESAMPLE_H

#include <stdint.h>

#include "fit/least_squares.h"
#include "tiles/tiles.h"

/// A search, amo_fit_solve or another.
typedef amo_status (*amo_fit_search)(void *ctx, const amo_residuals *source,
                                     const amo_fit_parameter *parameter, const amo_fit_opts *opts,
                                     amo_fit **out);

/// The best of `count` searches: the first from the starts given, the others from points between the bounds, or (without them) some 30 %
/// around the starts. search NULL: amo_fit_solve. As amo_fit_solve.
amo_status amo_fit_starts(const amo_residuals *source, const amo_fit_parameter *parameter,
                          const amo_fit_opts *opts, size_t count, uint64_t seed, amo_fit_search search,
                          void *ctx, amo_fit **out);

typedef struct amo_bootstrap {
  size_t n, count;        // parameters; fits that came to an end
  double *value;          // [n][count] of each parameter, in ascending order
  double *se;             // [n] standard deviation of them
  double *low, *high;     // [n] quantiles at opts.level
  amo_tiles_end reached;  // fits that are known; unless it is whole, there is nothing above
} amo_bootstrap;

/// `count` fits from the outcome f. cases: rows are drawn anew; else residuals are, within their group, and put on what the model says. Each fit
/// is a tile. how: NULL: all of them, here. AMO_ENOANSWER: fewer than two came to an end.
amo_status amo_fit_bootstrap(const amo_residuals *source, const amo_fit_parameter *parameter,
                             const amo_fit_opts *opts, const amo_fit *f, bool cases, size_t count,
                             uint64_t seed, const amo_tiles_how *how, amo_diags *diags, amo_bootstrap *out);
void amo_bootstrap_free(amo_bootstrap *b);  // harmless when empty

#endif
