// SPDX-License-Identifier: Apache-2.0
#include "orbit/drift.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "orbit/invariance.h"

/// Column of the invariance -> state; the last column is time.
static uint32_t state_of(const amo_model *m, size_t column)
{
  return (uint32_t)(column < m->nq ? column : column + m->nq);
}

static void take_direction(const amo_model *m, const amo_echelon *e, size_t own, double *along)
{
  for (size_t c = 0; c + 1 < e->columns; c++) along[state_of(m, c)] = amo_echelon_null(e, own, c);
}

static bool period_of(const amo_invariance *v, size_t own, double *rate, double *period)
{
  size_t n = 0;
  for (size_t k = 0; k < v->waves; k++) {
    double x = 0.0, size = 0.0;
    for (size_t c = 0; c < v->held.columns; c++) {
      const double part = v->wave[k * v->held.columns + c] * amo_echelon_null(&v->held, own, c);
      x += part;
      size = fmax(size, fabs(part));
    }
    if (fabs(x) > AMO_FAINT * size) rate[n++] = x;
  }
  return n > 0 && amo_equations_common_turn(rate, n, period);
}

static void take_all(amo_drift *d, const amo_model *m, const amo_invariance *v, double *rate)
{
  const size_t time = v->all.columns - 1;
  for (size_t c = 0; c < time; c++) {
    if (v->all.row_of[c] >= 0) continue;
    take_direction(m, &v->all, c, d->along + d->frees * d->ns);
    d->pivot[d->frees++] = state_of(m, c);
  }
  for (size_t c = 0; c < time; c++) {
    const size_t n = d->frees + d->turns;
    if (v->held.row_of[c] >= 0 || v->all.row_of[c] < 0 || !period_of(v, c, rate, &d->period[n])) continue;
    take_direction(m, &v->held, c, d->along + n * d->ns);
    d->pivot[n] = state_of(m, c);
    d->turns++;
  }
  d->steady = v->all.row_of[time] < 0;
  if (d->steady) take_direction(m, &v->all, time, d->velocity);
}

amo_status amo_drift_find(const amo_model *m, const double *param, amo_drift **out)
{
  amo_invariance v;
  amo_drift *d = *out = amo_zalloc(1, sizeof *d);
  if (!d) return AMO_ENOMEM;
  d->nq = m->nq;
  d->ns = 2 * m->nq + m->nz;
  amo_status st = amo_invariance_find(m, param, &v);
  const size_t most = st == AMO_OK ? v.held.columns - v.held.rank : 0;
  double *rate = amo_zalloc(st == AMO_OK ? v.waves : 0, sizeof *rate);
  d->along = amo_zalloc(most * d->ns, sizeof *d->along);
  d->pivot = amo_zalloc(most, sizeof *d->pivot);
  d->period = amo_zalloc(most, sizeof *d->period);
  d->velocity = amo_zalloc(d->ns, sizeof *d->velocity);
  if (st == AMO_OK && (!rate || !d->along || !d->pivot || !d->period || !d->velocity)) st = AMO_ENOMEM;
  if (st == AMO_OK) take_all(d, m, &v, rate);
  amo_invariance_free(&v);
  free(rate);
  if (st == AMO_OK) return AMO_OK;
  amo_drift_free(d);
  *out = NULL;
  return st;
}

void amo_drift_free(amo_drift *d)
{
  if (!d) return;
  free(d->along);
  free(d->pivot);
  free(d->period);
  free(d->velocity);
  free(d);
}

/// r less c times a direction; its own state exactly 0 where c is its value.
static void take_out(const amo_drift *d, size_t k, double c, double *r, double *drift)
{
  const double *along = d->along + k * d->ns;
  for (uint32_t i = 0; i < d->ns; i++) {
    r[i] -= c * along[i];
    if (drift) drift[i] += c * along[i];
  }
}

/// The drive's way and free shifts.
static void take_free(const amo_drift *d, bool autonomous, double time, double *r, double *drift)
{
  for (uint32_t i = 0; autonomous && i < d->ns; i++) {
    r[i] -= time * d->velocity[i];
    if (drift) drift[i] += time * d->velocity[i];
  }
  for (size_t k = 0; k < d->frees; k++) take_out(d, k, r[d->pivot[k]], r, drift);
}

static void take_turns(const amo_drift *d, double *r, double *drift)
{
  for (size_t k = d->frees; k < d->frees + d->turns; k++)
    take_out(d, k, d->period[k] * nearbyint(r[d->pivot[k]] / d->period[k]), r, drift);
}

void amo_drift_remove(const amo_drift *d, bool autonomous, double time, double *r, double *drift)
{
  if (drift) memset(drift, 0, d->ns * sizeof *drift);
  take_free(d, autonomous, time, r, drift);
  take_turns(d, r, drift);
}

void amo_drift_straighten(const amo_drift *d, bool autonomous, double time, double *y)
{
  take_free(d, autonomous, time, y, NULL);
}

void amo_drift_fold(const amo_drift *d, bool autonomous, double time, double *y)
{
  take_free(d, autonomous, time, y, NULL);
  take_turns(d, y, NULL);
}

void amo_drift_project(const amo_drift *d, bool autonomous, uint32_t first, double *rate)
{
  for (uint32_t i = 0; autonomous && i < d->nq; i++) rate[first + i] -= d->velocity[i];
  const uint32_t places = d->nq ? d->nq : d->ns;
  for (size_t k = 0; k < d->frees; k++) {
    const uint32_t own = d->pivot[k];
    const double *along = d->along + k * d->ns;
    if (own >= places) continue;
    const double c = rate[first + own];
    for (uint32_t i = 0; i < places; i++) rate[first + i] -= c * along[i];
  }
}
