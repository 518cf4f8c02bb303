// SPDX-License-Identifier: Apache-2.0
/// Power spectral density of evenly spaced samples: Welch's averages of windowed segments.
///
///   amo_spectrum_opts o = amo_spectrum_opts_default();
///   o.segment = 8192;
///   static double x[100000];  // samples, 1000 a second
///   amo_spectrum *s = NULL;
///   if (amo_spectrum_new(x, 100000, 1000, &o, &s) == AMO_OK) printf("%g\n", s->resolution);
///   amo_spectrum_free(s);
#ifndef AMONTONS_SPECTRUM_H
#define AMONTONS_SPECTRUM_H

#include <stddef.h>

#include "amontons/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum amo_taper {
  AMO_WINDOW_RECTANGULAR,      // none
  AMO_WINDOW_HANN,             // raised cosine
  AMO_WINDOW_HAMMING,          // raised cosine, lower first side lobes
  AMO_WINDOW_BLACKMAN,         // three terms
  AMO_WINDOW_BLACKMAN_HARRIS,  // four terms, side lobes below -92 dB
  AMO_WINDOW_FLAT_TOP          // five terms: the height of a line wherever it lies between bins
} amo_taper;

/// What is taken off: nothing, the mean, a straight line.
typedef enum amo_detrend { AMO_DETREND_NONE, AMO_DETREND_MEAN, AMO_DETREND_LINEAR } amo_detrend;

typedef struct amo_spectrum_opts {
  size_t size;          // sizeof(amo_spectrum_opts), set by amo_spectrum_opts_init
  amo_taper window;     // what each segment is multiplied by
  amo_detrend detrend;  // taken off each segment
  size_t segment;       // samples of a segment, a power of two; 0: the largest that gives 8 segments or more
  double overlap;       // of neighbouring segments, 0 to 0.95
} amo_spectrum_opts;

/// Hann window, mean taken off, half overlap.
AMO_API void amo_spectrum_opts_init(amo_spectrum_opts *o, size_t size);
static inline amo_spectrum_opts amo_spectrum_opts_default(void)
{
  amo_spectrum_opts o;
  amo_spectrum_opts_init(&o, sizeof o);
  return o;
}

/// One-sided: the sum of psd * resolution is the mean square of the windowed samples.
typedef struct amo_spectrum {
  size_t segments, bins;   // bins = segment/2 + 1, bin k at k * resolution
  double rate;             // samples per unit of time
  double resolution;       // distance of bins
  double bandwidth;        // equivalent noise bandwidth of the window
  double power;            // sum of psd * resolution
  double mean_square;      // of the windowed samples, summed in time
  double mean;             // of all samples
  double variance;         // of all samples
  double *psd;             // [bins] units of the samples squared, times the unit of time
  amo_spectrum_opts opts;  // as used
} amo_spectrum;

/// A line of the spectrum. For a pure tone frequency and power are exact up to leakage from other lines.
typedef struct amo_peak {
  size_t bin;        // the highest of the line
  double frequency;  // between the bins, from the shape of the window
  double power;      // mean square within the main lobe
} amo_peak;

/// AMO_ERANGE: an option out of range, fewer samples than a segment, or a sample that is not finite.
AMO_API amo_status amo_spectrum_new(const double *x, size_t n, double rate, const amo_spectrum_opts *opts,
                                    amo_spectrum **out);
AMO_API void amo_spectrum_free(amo_spectrum *s);  // accepts NULL

/// Local maxima by falling power, none within the main lobe of a stronger one. Returns how many there are, at most `room`.
AMO_API size_t amo_spectrum_peaks(const amo_spectrum *s, amo_peak *peak, size_t room);
/// Part of the power that lies in the `lines` strongest bins and their `reach` neighbours on each side, each bin
/// counted once: near 1 for a line spectrum. The lobe of frequency zero (what is left of the mean) is left out.
AMO_API double amo_spectrum_share(const amo_spectrum *s, size_t lines, size_t reach);
/// Geometric over arithmetic mean of the psd between two frequencies: 1 for white noise, near 0 for lines.
AMO_API double amo_spectrum_flatness(const amo_spectrum *s, double from, double to);

#ifdef __cplusplus
}
#endif
#endif
