// SPDX-License-Identifier: Apache-2.0
#include "quasistatic/conditions.h"

#include <math.h>

#include "contact/conditions.h"

amo_status amo_qs_known_new(amo_statics *s, amo_qs_known *k)
{
  AMO_TAKE(&s->memory, double, s->ny, &k->y, &k->error, &k->rate, &k->rate_error);
  return s->memory.failed ? AMO_ENOMEM : AMO_OK;
}

static amo_qs_condition gap_of(const amo_statics *s, const amo_qs_known *k, uint32_t c)
{
  const double *row = s->n + c * s->nq;
  const double rounding =
      amo_statics_rounding(s) * (fabs(s->gap[c]) + amo_statics_dot(row, k->y, s->nq, true));
  return (amo_qs_condition){s->gap[c], rounding + amo_statics_dot(row, k->error, s->nq, true),
                            s->gap_t[c] + amo_statics_dot(row, k->rate, s->nq, false),
                            amo_statics_dot(row, k->rate_error, s->nq, true)};
}

/// bound - |friction|. Without friction its size begins to grow as the rate of friction says.
static amo_qs_condition room_of(const amo_statics *s, const amo_qs_known *k, uint32_t c)
{
  const size_t n = s->nq, at = n + s->nc + 2 * c;
  const bool gap = amo_has_gap(&s->m->contact[c]);
  const double *L = k->y + at, *dL = k->rate + at, force = hypot(L[0], L[1]), mu = s->mu[c];
  const double off = hypot(k->error[at], k->error[at + 1]), R = gap ? k->y[n + c] : 1.0;
  const double dR = gap ? k->rate[n + c] : 0.0, error = gap ? k->error[n + c] : 0.0;
  amo_qs_condition x = {.value = mu * fabs(R) - force, .error = off + mu * error};
  x.error += amo_statics_rounding(s) * (mu * fabs(R) + force);
  x.slope = fabs(R) * (s->mu_t[c] + amo_statics_dot(s->mu_q + c * n, k->rate, n, false));
  x.slope += mu * (fabs(R) > error ? copysign(dR, R * dR) : fabs(dR));
  x.slope -= force > off ? (L[0] * dL[0] + L[1] * dL[1]) / force : hypot(dL[0], dL[1]);
  x.slope_error = hypot(k->rate_error[at], k->rate_error[at + 1]) + mu * (gap ? k->rate_error[n + c] : 0.0) +
                  fabs(R) * amo_statics_dot(s->mu_q + c * n, k->rate_error, n, true) +
                  (force > off ? off / force * hypot(dL[0], dL[1]) : 0.0);
  return x;
}

static amo_qs_condition speed_of(const amo_statics *s, const amo_qs_known *k, uint32_t c, const double d[2])
{
  amo_qs_condition x = {.slope = amo_statics_speed(s, k->rate, c, d)};
  for (size_t a = 0; a < 2; a++)
    x.slope_error += fabs(d[a]) * (amo_statics_dot(s->w + (2 * c + a) * s->nq, k->rate_error, s->nq, true) +
                                   amo_statics_rounding(s) * fabs(s->c[2 * c + a]));
  return x;
}

size_t amo_qs_conditions(const amo_statics *s, const amo_qs_known *k, uint32_t c, const amo_qs_mode *mode,
                         amo_qs_condition out[AMO_QS_CONDITIONS])
{
  const size_t R = s->nq + c;
  const bool slips = mode->kind == AMO_QS_SLIP, smooth = slips && amo_statics_frictionless(s, c);
  const signed char number = mode->kind == AMO_QS_OPEN ? AMO_MODE_OPEN : slips && !smooth;
  amo_condition list[AMO_MOST_CONDITIONS];
  size_t n = 0;
  for (int i = 0, all = amo_conditions(&s->m->contact[c], c, number, (signed char)mode->reaction_sign,
                                       AMO_HELD_BY_FRICTION, list);
       i < all; i++) {
    if (list[i].what == AMO_IS_GAP) out[n++] = gap_of(s, k, c);
    if (list[i].what == AMO_IS_REACTION)
      out[n++] = (amo_qs_condition){list[i].side * k->y[R], k->error[R], list[i].side * k->rate[R],
                                    k->rate_error[R]};
    if (list[i].what == AMO_IS_SLIP && number == 1) out[n++] = speed_of(s, k, c, mode->d);
    if (amo_is_room(&list[i]) && list[i].side > 0 && !smooth) out[n++] = room_of(s, k, c);
  }
  return n;
}

int amo_qs_sign(const amo_qs_condition *x)
{
  if (fabs(x->value) > x->error) return x->value > 0.0 ? 1 : -1;
  if (fabs(x->slope) > x->slope_error) return x->slope > 0.0 ? 1 : -1;
  return 0;
}

void amo_qs_places(const amo_statics *s, const amo_qs_known *k, const amo_qs_mode *mode, amo_qs_at *at)
{
  for (uint32_t c = 0; c < s->nc; c++) {
    const size_t f = s->nq + s->nc + 2 * c, R = s->nq + c;
    const bool gap = amo_has_gap(&s->m->contact[c]);
    const double *L = k->y + f, force = hypot(L[0], L[1]), off = hypot(k->error[f], k->error[f + 1]);
    const amo_qs_condition open = gap_of(s, k, c), room = room_of(s, k, c);
    at[c] = (amo_qs_at){AMO_QS_INSIDE, {1.0, 0.0}};
    if (force > off) at[c].d[0] = -L[0] / force, at[c].d[1] = -L[1] / force;
    if (mode[c].kind == AMO_QS_OPEN)
      at[c].place = open.value > open.error ? AMO_QS_APART : AMO_QS_VERTEX;
    else if (force <= off && (gap ? fabs(k->y[R]) <= k->error[R] : s->mu[c] <= room.error))
      at[c].place = AMO_QS_VERTEX;
    else if (room.value <= room.error)
      at[c].place = AMO_QS_EDGE;
  }
}

signed char amo_qs_number(const amo_statics *s, uint32_t c, const amo_qs_mode *mode)
{
  if (mode->kind == AMO_QS_OPEN) return AMO_MODE_OPEN;
  if (mode->kind == AMO_QS_STICK || (mode->d[0] == 0.0 && mode->d[1] == 0.0)) return 0;
  return mode->d[0] < 0.0 && !amo_turns(&s->m->contact[c]) ? -1 : 1;
}

amo_qs_mode amo_qs_holding(const amo_statics *s, uint32_t c)
{
  const bool smooth = amo_statics_frictionless(s, c);
  return (amo_qs_mode){smooth ? AMO_QS_SLIP : AMO_QS_STICK, 1.0, {!smooth, 0.0}};
}

/// Where the surfaces of a contact move past each other while its bodies are at rest, they rub; false: they do not.
static bool rubs(const amo_statics *s, uint32_t c, amo_qs_mode *mode)
{
  const double *v = s->c + 2 * c, speed = s->lead == 1 ? hypot(v[0], v[1]) : 0.0;
  if (speed > 0.0) *mode = (amo_qs_mode){AMO_QS_SLIP, 1.0, {v[0] / speed, v[1] / speed}};
  return speed > 0.0;
}

amo_status amo_qs_begin(amo_statics *s, double t, amo_qs_known *k, amo_qs_mode *mode)
{
  amo_status st = amo_statics_at(s, t, k->y);
  for (uint32_t c = 0; st == AMO_OK && c < s->nc; c++) {
    const amo_qs_condition gap = gap_of(s, k, c);
    mode[c] = amo_qs_holding(s, c);
    if (amo_can_open(&s->m->contact[c]) && gap.value > gap.error) mode[c].kind = AMO_QS_OPEN;
  }
  for (uint32_t left = s->nc; st == AMO_OK; left--) {
    st = amo_statics_settle(s, t, k->y, mode);
    if (st == AMO_OK) st = amo_qs_rates(s, k, mode);
    const long c = st == AMO_OK && left > 0 ? amo_qs_beyond(s, k, mode) : -1;
    if (c < 0 || mode[c].kind != AMO_QS_STICK || !rubs(s, (uint32_t)c, &mode[c])) break;
  }
  return st;
}

long amo_qs_beyond(const amo_statics *s, const amo_qs_known *k, const amo_qs_mode *mode)
{
  for (uint32_t c = 0; c < s->nc; c++) {
    amo_qs_condition x[AMO_QS_CONDITIONS];
    for (size_t n = amo_qs_conditions(s, k, c, &mode[c], x), i = 0; i < n; i++)
      if (x[i].value < -x[i].error) return (long)c;
  }
  return -1;
}

amo_status amo_qs_rates(amo_statics *s, amo_qs_known *k, const amo_qs_mode *mode)
{
  amo_status st = amo_statics_arrange(s, k->y, mode, NULL);
  if (st != AMO_OK) return st;
  amo_statics_rates(s, k->rate, k->rate_error);
  for (size_t i = 0; i < s->ny; i++) k->error[i] = amo_statics_rounding(s) * s->scale[i];
  return AMO_OK;
}

void amo_qs_face(const amo_statics *s, const amo_qs_known *k, amo_qs_mode *mode)
{
  for (uint32_t c = 0; c < s->nc; c++) {
    if (mode[c].kind != AMO_QS_SLIP || !amo_statics_frictionless(s, c)) continue;
    double v[2], speed, error = 0.0;
    for (int a = 0; a < 2; a++) {
      const double d[2] = {a == 0, a == 1};
      v[a] = amo_statics_speed(s, k->rate, c, d);
      error = hypot(error, speed_of(s, k, c, d).slope_error);
    }
    speed = hypot(v[0], v[1]);
    for (int a = 0; a < 2; a++) mode[c].d[a] = speed > error ? v[a] / speed : 0.0;
  }
}
