// SPDX-License-Identifier: Apache-2.0
#include "orbit/fft.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

bool amo_fft_make(amo_fft *f, size_t n)
{
  const double pi = 3.14159265358979323846;
  f->n = n;
  f->twiddle = amo_zalloc(n, sizeof *f->twiddle);
  for (size_t k = 0; f->twiddle && k < n / 2; k++) {
    f->twiddle[2 * k] = cos(2.0 * pi * (double)k / (double)n);
    f->twiddle[2 * k + 1] = -sin(2.0 * pi * (double)k / (double)n);
  }
  return f->twiddle != NULL;
}

void amo_fft_free(amo_fft *f)
{
  free(f->twiddle);
  f->twiddle = NULL;
}

static void swap(double *a, double *b)
{
  for (int i = 0; i < 2; i++) {
    double x = a[i];
    a[i] = b[i];
    b[i] = x;
  }
}

/// Element k to the place whose number has the bits of k in reverse.
static void reverse_bits(double *z, size_t n)
{
  for (size_t k = 1, r = 0; k < n; k++) {
    size_t bit = n >> 1;
    for (; r & bit; bit >>= 1) r ^= bit;
    r |= bit;
    if (k < r) swap(z + 2 * k, z + 2 * r);
  }
}

void amo_fft_run(const amo_fft *f, double *z)
{
  const size_t n = f->n;
  reverse_bits(z, n);
  for (size_t half = 1; half < n; half *= 2) {
    const size_t stride = n / (2 * half);
    for (size_t start = 0; start < n; start += 2 * half)
      for (size_t k = 0; k < half; k++) {
        double *a = z + 2 * (start + k), *b = a + 2 * half;
        const double c = f->twiddle[2 * k * stride], s = f->twiddle[2 * k * stride + 1];
        const double re = c * b[0] - s * b[1], im = c * b[1] + s * b[0];
        b[0] = a[0] - re;
        b[1] = a[1] - im;
        a[0] += re;
        a[1] += im;
      }
  }
}
