// SPDX-License-Identifier: Apache-2.0
// Passes that are kept, and after how many of them they repeat.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "amontons/section.h"
#include "base/mem.h"

amo_status amo_returns_add(amo_returns *r, double t, const double *state)
{
  if (!r || !state) return AMO_ERANGE;
  if (!AMO_ROOM(r->t, r->count, r->capacity)) return AMO_ENOMEM;
  double *p = amo_grow(r->state, &r->state_capacity, (r->count + 1) * r->states, sizeof *p);
  if (!p && r->states) return AMO_ENOMEM;
  r->state = p;
  r->t[r->count] = t;
  if (r->states) memcpy(r->state + r->count * r->states, state, r->states * sizeof *state);
  r->count++;
  return AMO_OK;
}

void amo_returns_free(amo_returns *r)
{
  if (!r) return;
  free(r->t);
  free(r->state);
  *r = (amo_returns){.states = r->states};
}

static bool repeats(const amo_returns *r, size_t i, size_t k, const double *scale, double tol)
{
  const double *a = r->state + i * r->states, *b = r->state + k * r->states;
  for (size_t j = 0; j < r->states; j++)
    if (!(fabs(a[j] - b[j]) <= tol * scale[j])) return false;
  return true;
}

/// What a state at pass i differs from that k passes earlier.
static double step(const amo_returns *r, size_t i, size_t k, size_t state)
{
  return r->state[i * r->states + state] - r->state[(i - k) * r->states + state];
}

typedef enum tendency { LEVEL, SHRINKS, VANISHES } tendency;

/// Differences of passes `part` apart, over a window of p passes that ends `back` passes before the last.
static double apart(const amo_returns *r, size_t p, size_t part, size_t back, const double *scale)
{
  double sum = 0.0;
  for (size_t k = 1; k <= p; k++)
    for (size_t j = 0; j < r->states; j++) {
      const double x = step(r, r->count - back - k, part, j) / scale[j];
      if (scale[j] > 0.0) sum += x * x;
    }
  return sqrt(sum);
}

/// Passes agree p apart; do they also tend to agree `part` apart, of which p is a multiple? A motion that settles with a
/// multiplier near -1 agrees every second time long before it agrees every time. The differences in three windows are
/// carried on to their limit (Aitken), which is nothing if they vanish as a geometric series does.
static tendency tends_to(const amo_returns *r, size_t p, size_t part, const double *scale)
{
  if (r->count < 3 * p + part) return LEVEL;
  const double now = apart(r, p, part, 0, scale), before = apart(r, p, part, p, scale),
               first = apart(r, p, part, 2 * p, scale);
  const double bend = now - 2.0 * before + first, move = now - before;
  if (!(now < 0.999 * before)) return LEVEL;
  return bend != 0.0 && fabs(now - move * move / bend) <= 0.1 * now ? VANISHES : SHRINKS;
}

size_t amo_returns_turns(const amo_returns *r, const double *scale, double tol, size_t most, double *period)
{
  if (!r || !scale || !period) return 0;
  *period = NAN;
  for (size_t p = 1; p <= most && 3 * p <= r->count; p++) {
    bool all = true;
    for (size_t i = 0; i < 2 * p && all; i++)
      all = repeats(r, r->count - 1 - i, r->count - 1 - i - p, scale, tol);
    if (!all) continue;
    size_t part = 1;
    tendency found = LEVEL;
    for (; part < p; part++)
      if (p % part == 0 && (found = tends_to(r, p, part, scale)) != LEVEL) break;
    if (found == SHRINKS) return 0;  // not yet to be told
    // over p passes what settles has cancelled out best
    *period = (r->t[r->count - 1] - r->t[r->count - 1 - p]) / (double)(p / part);
    return part;
  }
  return 0;
}
