// SPDX-License-Identifier: Apache-2.0
/// How fast a place (a coordinate, or a state where there are no coordinates) moves within the last step.
#ifndef AMO_ORBIT_COURSE_H
#define AMO_ORBIT_COURSE_H

#include "flow/flow.h"
#include "num/poly.h"

/// Rate of place q, s after the start of the step.
static inline double amo_course_rate(const amo_flow *f, uint32_t q, double s)
{
  const int degree = s == 0.0 ? 0 : f->P;
  if (f->m->nq > 0) return amo_poly_value(f->state[f->m->nq + q], (size_t)f->W, degree, s);
  double rate = 0.0;
  for (int k = degree > 1 ? degree : 1; k > 0; k--)
    rate = rate * s + k * f->state[q][(size_t)k * (size_t)f->W];
  return rate;
}

#endif
