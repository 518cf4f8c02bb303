// SPDX-License-Identifier: Apache-2.0
#include "num/newton.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/// From x along p->move to p->trial; *size: of the equations before and after.
static amo_status advance(amo_newton *p, const double *x, double *size)
{
  amo_status st = AMO_ENOANSWER;
  p->part = 1.0;
  for (int cut = 0; cut <= p->halvings; cut++, p->part *= 0.5) {
    double there = NAN;
    for (size_t i = 0; i < p->n; i++) p->trial[i] = x[i] + p->part * p->move[i];
    st = p->look(p->ctx, p->trial, &there);
    if (st == AMO_EINTR || st == AMO_ENOMEM) return st;
    const bool better = p->halvings == 0 || there <= p->ignored || there < *size;
    if (st == AMO_OK && better) {
      *size = there;
      return AMO_OK;
    }
  }
  return st == AMO_OK ? AMO_ENOANSWER : st;
}

amo_status amo_newton_solve(amo_newton *p, double *x)
{
  double size = NAN, last = INFINITY;
  amo_status st = p->look(p->ctx, x, &size);
  for (p->steps = 0; st == AMO_OK && !(size <= p->enough); p->steps++) {
    double length = INFINITY;
    if (p->steps >= p->most || !isfinite(size)) return AMO_ENOANSWER;
    st = p->step(p->ctx, x, p->move, &length, &size);
    if (st == AMO_OK) st = advance(p, x, &size);
    if (st != AMO_OK) return st;
    memcpy(x, p->trial, p->n * sizeof *x);
    length *= p->part;
    if (length <= p->still || (length < p->crawl && length >= last)) return AMO_OK;
    last = length;
  }
  return st;
}
