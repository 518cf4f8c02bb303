// SPDX-License-Identifier: Apache-2.0
#include "support/split_ode.h"

#include <string.h>

enum { COLUMNS = 8, HALVINGS = 70 };

/// One step of length h by extrapolation of midpoint sums with 2, 4, ..., 16 parts.
static void step(const split_ode *o, const long double *y, const int *sign, long double t, long double h,
                 long double *out)
{
  long double table[COLUMNS][SPLIT_STATES], a[SPLIT_STATES], b[SPLIT_STATES], rate[SPLIT_STATES];
  for (int j = 0; j < COLUMNS; j++) {
    const int parts = 2 * (j + 1);
    const long double d = h / parts;
    memcpy(a, y, sizeof a);
    o->rates(o->ctx, t, y, sign, rate);
    for (int i = 0; i < o->states; i++) b[i] = y[i] + d * rate[i];
    for (int k = 1; k < parts; k++) {
      o->rates(o->ctx, t + k * d, b, sign, rate);
      for (int i = 0; i < o->states; i++) {
        const long double next = a[i] + 2 * d * rate[i];
        a[i] = b[i];
        b[i] = next;
      }
    }
    o->rates(o->ctx, t + h, b, sign, rate);
    for (int i = 0; i < o->states; i++) {
      long double x = (a[i] + b[i] + d * rate[i]) / 2;
      for (int k = 1; k <= j; k++) {
        const long double ratio = (long double)(parts * parts) / (4 * (j + 1 - k) * (j + 1 - k));
        const long double before = table[k - 1][i];
        table[k - 1][i] = x;
        x += (x - before) / (ratio - 1);
      }
      table[j][i] = x;
    }
  }
  for (int i = 0; i < o->states; i++) out[i] = table[COLUMNS - 1][i];
}

/// The first quantity that has changed its sign; -1: none.
static int changed(const split_ode *o, const long double *y, const int *sign, long double t)
{
  for (int i = 0; i < o->signs; i++)
    if (sign[i] * o->quantity(o->ctx, i, t, y, sign) < 0) return i;
  return -1;
}

void split_ode_run(const split_ode *o, long double *y, int *sign, long double t, long double end,
                   long double most)
{
  long double h = 1e-9L * most, next[SPLIT_STATES] = {0};
  while (t < end) {
    if (h > most) h = most;
    if (h > end - t) h = end - t;
    step(o, y, sign, t, h, next);
    int i = changed(o, next, sign, t + h);
    if (i >= 0 &&
        h > 1e-12L * most) {  // a power may have its singular point there: come near in ever shorter steps
      h /= 2;
      continue;
    }
    if (i >= 0) {
      long double low = 0, high = h;
      for (int k = 0; k < HALVINGS; k++) {
        const long double middle = (low + high) / 2;
        step(o, y, sign, t, middle, next);
        const int now = changed(o, next, sign, t + middle);
        if (now >= 0) i = now;
        *(now >= 0 ? &high : &low) = middle;
      }
      h = high;
      step(o, y, sign, t, h, next);
      sign[i] = -sign[i];
    }
    memcpy(y, next, (unsigned)o->states * sizeof *y);
    t += h;
    h = i >= 0 ? 1e-9L * most : 1.5L * h;
  }
}
