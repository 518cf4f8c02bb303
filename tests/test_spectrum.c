// SPDX-License-Identifier: Apache-2.0
// Spectra against signals whose spectrum is known, the transform against its definition, and the sum rule on all.
// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include <math.h>
#include <stdlib.h>

#include "amontons/spectrum.h"
#include "orbit/fft.h"
#include "orbit/window.h"
#include "support/near.h"

#define PI 3.14159265358979323846

static uint64_t seed = 4711;
static double random_in(double a, double b)
{
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return a + (b - a) * (double)(seed >> 11) / 9007199254740992.0;
}

static double normal(void)
{
  return sqrt(-2.0 * log(random_in(1e-12, 1.0))) * cos(2.0 * PI * random_in(0.0, 1.0));
}

static void transform_by_definition(void **state)
{
  (void)state;
  for (size_t n = 1; n <= 256; n *= 2) {
    double z[512], want[512] = {0};
    amo_fft f;
    assert_true(amo_fft_make(&f, n));
    for (size_t i = 0; i < 2 * n; i++) z[i] = random_in(-1.0, 1.0);
    for (size_t k = 0; k < n; k++)
      for (size_t j = 0; j < n; j++) {
        const double a = -2.0 * PI * (double)((j * k) % n) / (double)n;
        want[2 * k] += z[2 * j] * cos(a) - z[2 * j + 1] * sin(a);
        want[2 * k + 1] += z[2 * j] * sin(a) + z[2 * j + 1] * cos(a);
      }
    amo_fft_run(&f, z);
    for (size_t i = 0; i < 2 * n; i++) assert_near(z[i], want[i], 1e-12 * (double)n);
    amo_fft_free(&f);
  }
}

// Two tones between bins, in every window: frequencies far below the resolution, powers from amplitudes.
static void tones(void **state)
{
  (void)state;
  static const double close[] = {2e-3, 2e-5, 5e-3, 1e-5, 1e-7, 1e-6};  // leakage of each window, in bins
  enum { N = 8192 };
  double *x = malloc(N * sizeof *x);
  const double rate = 100.0, f1 = 12.3456, f2 = 31.41592;
  for (size_t i = 0; i < N; i++)
    x[i] =
        5.0 + 2.0 * sin(2.0 * PI * f1 * (double)i / rate + 0.3) + 0.5 * cos(2.0 * PI * f2 * (double)i / rate);
  for (int w = AMO_WINDOW_RECTANGULAR; w <= AMO_WINDOW_FLAT_TOP; w++) {
    amo_spectrum_opts o = amo_spectrum_opts_default();
    amo_spectrum *s;
    amo_peak p[2];
    o.window = (amo_taper)w;
    o.segment = 2048;
    assert_int_equal(amo_spectrum_new(x, N, rate, &o, &s), AMO_OK);
    assert_int_equal(s->segments, 7);
    assert_near(s->resolution, rate / 2048, 0);
    assert_near(s->power / s->mean_square, 1.0, 1e-13);
    assert_int_equal(amo_spectrum_peaks(s, p, 2), 2);
    const double bin = s->resolution,
                 leak = w == AMO_WINDOW_RECTANGULAR || w == AMO_WINDOW_HAMMING ? 0.1 : 1e-3;
    assert_near(p[0].frequency, f1, 10.0 * close[w] * bin);
    assert_near(p[1].frequency, f2, 40.0 * close[w] * bin);
    assert_near(p[0].power, 2.0, 2.0 * leak);
    assert_near(p[1].power, 0.125, 0.125 * leak);
    amo_spectrum_free(s);
  }
  free(x);
}

// White noise of variance q: psd 2q/rate on average, flat, and the share of a few bins is their number.
static void noise(void **state)
{
  (void)state;
  enum { N = 1 << 18 };
  double *x = malloc(N * sizeof *x), mean = 0.0;
  for (size_t i = 0; i < N; i++) x[i] = 3.0 * normal();
  amo_spectrum_opts o = amo_spectrum_opts_default();
  amo_spectrum *s;
  o.segment = 512;
  assert_int_equal(amo_spectrum_new(x, N, 50.0, &o, &s), AMO_OK);
  for (size_t k = 2; k + 2 < s->bins; k++) mean += s->psd[k] / (double)(s->bins - 4);
  assert_near(mean, 2.0 * 9.0 / 50.0, 0.36 * 0.02);
  assert_near(s->power, s->variance, 0.02 * s->variance);
  assert_true(amo_spectrum_flatness(s, 1.0, 24.0) > 0.99);
  assert_true(amo_spectrum_share(s, 20, 0) < 0.1);
  assert_near(amo_spectrum_share(s, s->bins, 0), 1.0, 1e-12);
  assert_near(s->bandwidth, 1.5 * s->resolution, 1e-12);  // Hann: 1.5 bins
  amo_spectrum_free(s);
  free(x);
}

// A straight line is gone after detrending, and only then.
static void trends(void **state)
{
  (void)state;
  double x[1024];
  amo_spectrum *s;
  amo_spectrum_opts o = amo_spectrum_opts_default();
  for (int i = 0; i < 1024; i++) x[i] = 7.0 + 0.1 * i;
  o.detrend = AMO_DETREND_LINEAR;
  assert_int_equal(amo_spectrum_new(x, 1024, 1.0, &o, &s), AMO_OK);
  assert_true(s->power < 1e-20);
  amo_spectrum_free(s);
  o.detrend = AMO_DETREND_NONE;
  assert_int_equal(amo_spectrum_new(x, 1024, 1.0, &o, &s), AMO_OK);
  assert_true(s->power > 100.0);
  assert_true(s->segments >= 8);
  amo_spectrum_free(s);
}

// The place between bins and the lobe it is read from agree with a transform of the window itself.
static void lobes(void **state)
{
  (void)state;
  for (int w = AMO_WINDOW_RECTANGULAR; w <= AMO_WINDOW_FLAT_TOP; w++)
    for (double x = -2.37; x < 3.0; x += 0.41) {
      double re = 0.0, im = 0.0;
      enum { N = 20000 };
      for (int i = 0; i < N; i++) {
        const double t = (i + 0.5) / N, v = amo_window_value((amo_taper)w, t) / N;
        re += v * cos(2.0 * PI * x * t);
        im += v * sin(2.0 * PI * x * t);
      }
      assert_near(amo_window_lobe((amo_taper)w, x), hypot(re, im), 1e-7);
    }
  for (int w = AMO_WINDOW_RECTANGULAR; w <= AMO_WINDOW_FLAT_TOP; w++)
    for (double x = 0.1; x < 1.0; x += 0.2) {
      const double ratio = amo_window_lobe((amo_taper)w, 1.0 - x) / amo_window_lobe((amo_taper)w, x);
      assert_near(amo_window_place((amo_taper)w, ratio), x, 1e-9);
    }
}

static void bad_input(void **state)
{
  (void)state;
  double x[64] = {0};
  amo_spectrum *s;
  amo_spectrum_opts o = amo_spectrum_opts_default();
  o.segment = 48;
  assert_int_equal(amo_spectrum_new(x, 64, 1.0, &o, &s), AMO_ERANGE);
  o.segment = 128;
  assert_int_equal(amo_spectrum_new(x, 64, 1.0, &o, &s), AMO_ERANGE);
  o.segment = 64;
  assert_int_equal(amo_spectrum_new(x, 64, 0.0, &o, &s), AMO_ERANGE);
  o.overlap = 1.0;
  assert_int_equal(amo_spectrum_new(x, 64, 1.0, &o, &s), AMO_ERANGE);
  o.overlap = 0.0;
  x[3] = NAN;
  assert_int_equal(amo_spectrum_new(x, 64, 1.0, &o, &s), AMO_ERANGE);
  x[3] = 0.0;
  assert_int_equal(amo_spectrum_new(x, 64, 1.0, &o, &s), AMO_OK);  // silence has no lines
  amo_peak p;
  assert_int_equal(amo_spectrum_peaks(s, &p, 1), 0);
  assert_true(isnan(amo_spectrum_share(s, 3, 1)) && isnan(amo_spectrum_flatness(s, 0.1, 0.4)));
  amo_spectrum_free(s);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(transform_by_definition),
                                     cmocka_unit_test(tones),
                                     cmocka_unit_test(noise),
                                     cmocka_unit_test(trends),
                                     cmocka_unit_test(lobes),
                                     cmocka_unit_test(bad_input)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
