// SPDX-License-Identifier: Apache-2.0
/// Windows that are sums of cosines: w(t) = sum_m (-1)^m a_m cos(2 pi m t), 0 <= t < 1.
#ifndef AMO_ORBIT_WINDOW_H
#define AMO_ORBIT_WINDOW_H

#include "amontons/spectrum.h"

double amo_window_value(amo_taper w, double t);
int amo_window_terms(amo_taper w);  // the main lobe reaches this many bins to each side
/// |transform| at `x` bins from the line, that of the line itself being a_0.
double amo_window_lobe(amo_taper w, double x);
/// Where between two bins a pure tone lies: ratio = amplitude in the upper bin over that in the lower; 0 to 1.
double amo_window_place(amo_taper w, double ratio);

#endif
