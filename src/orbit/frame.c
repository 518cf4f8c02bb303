// SPDX-License-Identifier: Apache-2.0
#include "orbit/frame.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "num/rounding.h"

static double dot(const double *a, const double *b, const double *weight, size_t ns)
{
  double sum = 0.0;
  for (size_t i = 0; i < ns; i++) sum += weight[i] * weight[i] * a[i] * b[i];
  return sum;
}

void amo_frame_random(double *y, size_t columns, size_t ns)
{
  uint64_t seed = 20240229;
  for (size_t i = 0; i < columns * ns; i++) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    y[i] = (double)(seed >> 11) / 4503599627370496.0 - 1.0;
  }
}

size_t amo_frame_orthonormalise(double *y, size_t columns, size_t ns, const double *weight, double *growth)
{
  const double lost = AMO_NOTHING;  // rounding of a column that was a combination of the earlier ones
  size_t left = 0;
  for (size_t j = 0; j < columns; j++) {
    double *a = y + j * ns;
    const double before = sqrt(dot(a, a, weight, ns));
    for (int twice = 0; twice < 2; twice++)  // the second pass takes off what rounding has left
      for (size_t k = 0; k < left; k++) {
        const double *b = y + k * ns, along = dot(a, b, weight, ns);
        for (size_t i = 0; i < ns; i++) a[i] -= along * b[i];
      }
    const double after = sqrt(dot(a, a, weight, ns));
    growth[j] = after > lost * before ? after : 0.0;
    if (growth[j] == 0.0) continue;
    for (size_t i = 0; i < ns; i++) y[left * ns + i] = a[i] / after;
    left++;
  }
  return left;
}
