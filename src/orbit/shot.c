// SPDX-License-Identifier: Apache-2.0
#include "orbit/shot.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "flow/sim.h"

amo_status amo_shooter_fail(amo_shooter *s, amo_status st, const char *fmt, ...)
{
  va_list args;
  va_start(args, fmt);
  vsnprintf(s->message, sizeof s->message, fmt, args);
  va_end(args);
  return st;
}

static amo_status build(amo_shooter *s, const uint32_t *param, size_t np)
{
  s->param_index = amo_zalloc(np, sizeof *s->param_index);
  s->param = amo_zalloc(s->m->np, sizeof *s->param);
  if (!s->param_index || !s->param) return AMO_ENOMEM;
  if (np) memcpy(s->param_index, param, np * sizeof *param);
  s->values = *amo_values_or_file(s->opt.values, s->m);
  memcpy(s->param, s->values.param, s->m->np * sizeof *s->param);
  s->values.param = s->param;
  return s->ops->make(s);
}

amo_status amo_shooter_new(const amo_model *m, const amo_sim_opts *opt, const uint32_t *param, size_t np,
                           double xi, amo_diags *diags, amo_shooter **out)
{
  *out = NULL;
  amo_status st = amo_sim_check_options(opt, diags);
  if (st != AMO_OK) return st;
  amo_shooter *s = amo_zalloc(1, sizeof *s);
  if (!s) return AMO_ENOMEM;
  s->m = m;
  s->opt = *opt;
  s->opt.audit = false;
  s->ns = 2 * m->nq + m->nz;
  s->np = (uint32_t)np;
  s->xi = xi;
  s->ops = opt->method == AMO_METHOD_SWITCH   ? &amo_shoot_switch
           : opt->method == AMO_METHOD_SMOOTH ? &amo_shoot_smooth
                                              : &amo_shoot_event;
  st = build(s, param, np);
  if (st != AMO_OK) {
    if (s->message[0]) amo_error(diags, (amo_at){0}, NULL, "%s", s->message);
    amo_shooter_free(s);
    return st;
  }
  *out = s;
  return AMO_OK;
}

void amo_shooter_free(amo_shooter *s)
{
  if (!s) return;
  if (s->impl) s->ops->destroy(s);
  free(s->param_index);
  free(s->param);
  free(s);
}

void amo_shooter_set(amo_shooter *s, uint32_t i, double value)
{
  s->param[i] = value;
  amo_model_derive(s->m, s->param);
}

amo_status amo_shot_new(const amo_shooter *s, amo_shot **out)
{
  const size_t ns = s->ns;
  amo_shot *x = *out = amo_zalloc(1, sizeof *x);
  if (!x) return AMO_ENOMEM;
  x->end = amo_zalloc(ns * (ns + s->np + 6), sizeof *x->end);
  if (!x->end) {
    free(x);
    *out = NULL;
    return AMO_ENOMEM;
  }
  x->leave = x->end + ns;
  x->arrive = x->leave + ns;
  x->size = x->arrive + ns;
  x->low = x->size + ns;
  x->high = x->low + ns;
  x->matrix = x->high + ns;
  x->sensitivity = x->matrix + ns * ns;
  return AMO_OK;
}

void amo_shot_free(amo_shot *x)
{
  if (!x) return;
  free(x->end);
  free(x->event);
  free(x);
}

bool amo_shot_note(amo_shot *x, const amo_event *e)
{
  if (!AMO_ROOM(x->event, x->events, x->capacity)) return false;
  x->event[x->events++] = *e;
  return true;
}

static void add(amo_effort *to, const amo_effort *x)
{
  to->trajectories += x->trajectories;
  to->steps += x->steps;
  to->rejected += x->rejected;
  to->rhs += x->rhs;
  to->jacobians += x->jacobians;
  to->factorisations += x->factorisations;
  to->events += x->events;
}

amo_status amo_shoot(amo_shooter *s, double t0, const double *y0, double duration, bool derivatives,
                     amo_shot *out)
{
  s->last = (amo_effort){0};
  s->message[0] = '\0';
  out->events = 0;
  out->rank = s->ns;
  out->ties = 0;
  out->grazing = out->together = false;
  out->points = 0;
  for (uint32_t i = 0; i < s->ns; i++) {
    out->size[i] = fabs(y0[i]);
    out->low[i] = out->high[i] = y0[i];
    if (!isfinite(y0[i])) return amo_shooter_fail(s, AMO_ENOANSWER, "a state is not finite");
  }
  amo_status st = s->ops->run(s, t0, y0, duration, derivatives, out);
  add(&s->total, &s->last);
  return st;
}
