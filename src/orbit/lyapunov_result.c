// SPDX-License-Identifier: Apache-2.0
// From growth in blocks of time to exponents, their errors, and the dimension they imply.
#include <math.h>
#include <stdlib.h>

#include "orbit/lyapunov_impl.h"

static double block_value(const amo_lyapunov *l, size_t b, size_t from, size_t to)
{
  double x = 0.0;
  for (size_t j = from; j < to; j++) x += l->mean[b * l->ns + j];
  return x;
}

/// Mean and standard error of the blocks. Neighbours are correlated: what the frame's lengths swing up in one block they
/// swing back in the next, which is no error of the mean; correlation in chaos counts the other way.
static amo_exponent average(const amo_lyapunov *l, size_t from, size_t to)
{
  const double n = (double)l->block;
  double mean = 0.0, time = 0.0, square = 0.0, product = 0.0, last = 0.0;
  for (size_t b = 0; b < l->block; b++) {
    mean += block_value(l, b, from, to) * l->length[b];
    time += l->length[b];
  }
  mean /= time;
  for (size_t b = 0; b < l->block; b++) {
    const double x = block_value(l, b, from, to) - mean;
    square += x * x;
    product += x * last;
    last = x;
  }
  return (amo_exponent){mean, sqrt(fmax(square + 2.0 * product, 0.25 * square) / (n * (n - 1.0)))};
}

static int falling(const void *a, const void *b)
{
  const double x = ((const amo_exponent *)a)->value, y = ((const amo_exponent *)b)->value;
  return x < y ? 1 : x > y ? -1 : 0;
}

/// The number of exponents that together do not contract, and the part of the next one that does.
static double kaplan_yorke(const amo_lyapunov_result *r)
{
  double sum = 0.0;
  for (size_t j = 0; j < r->count; j++) {
    const double x = r->exponent[j].value;
    // a zero exponent comes out as a small number: within its error it does not contract
    const double effective = fabs(x) <= 3.0 * r->exponent[j].error ? 0.0 : x;
    if (sum + effective < 0.0) return (double)j + (isfinite(x) ? sum / -x : 0.0);
    sum += effective;
  }
  return (double)r->count;
}

/// The weights are those of the sizes when averages began.
static double growth(const amo_lyapunov *l)
{
  double most = 0.0;
  for (size_t i = 0; i < l->ns; i++)
    if (l->scale.size[i] > 0.0) most = fmax(most, log(l->scale.size[i] * l->weight[i]));
  return most;
}

amo_status amo_lyapunov_finish(amo_lyapunov *l, const amo_lyapunov_result **out)
{
  if (!l || !out) return AMO_ERANGE;
  amo_lyapunov_result *r = &l->result;
  *out = NULL;
  if (l->block < 2) {
    l->message = "too little time for averages";
    return AMO_ENOANSWER;
  }
  r->count = l->ns - l->ties;
  r->finite = l->tangent->columns;
  r->blocks = l->block;
  r->time = l->block_start - l->begun;
  r->growth = growth(l);
  r->grazing = l->tangent->grazing;
  r->together = l->tangent->together;
  for (size_t j = 0; j < r->count; j++)
    r->exponent[j] = j < r->finite ? average(l, j, j + 1) : (amo_exponent){-INFINITY, 0.0};
  qsort(r->exponent, r->finite, sizeof *r->exponent, falling);
  const amo_exponent all = average(l, 0, r->finite);
  r->sum = all.value;
  r->sum_error = all.error;
  r->divergence = r->finite == r->count ? l->volume / r->time : NAN;
  r->kaplan_yorke = r->count ? kaplan_yorke(r) : NAN;
  *out = r;
  return AMO_OK;
}
