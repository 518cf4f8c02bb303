// SPDX-License-Identifier: Apache-2.0
/// Discrete Fourier transform of a power of two of complex doubles, in place.
#ifndef AMO_ORBIT_FFT_H
#define AMO_ORBIT_FFT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct amo_fft {
  size_t n;
  double *twiddle;  // [n] cos and sin of -2 pi k/n, k < n/2
} amo_fft;

bool amo_fft_make(amo_fft *f, size_t n);  // false: out of memory
void amo_fft_free(amo_fft *f);
/// z: [n] pairs of real and imaginary part; X_k = sum_j z_j exp(-2 pi i j k/n).
void amo_fft_run(const amo_fft *f, double *z);

#endif
