// SPDX-License-Identifier: Apache-2.0
/// Everything about one instant: state, contacts, accelerations, outputs, energies.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "flow/sim.h"

typedef struct owned_sample {
  amo_sample sample;  // first: its address is that of the whole
  amo_arena memory;
} owned_sample;

amo_status amo_sample_new(const amo_model *m, amo_sample **out)
{
  if (out == NULL) return AMO_ERANGE;
  *out = NULL;
  if (m == NULL) return AMO_ERANGE;
  owned_sample *o = calloc(1, sizeof *o);
  if (o == NULL) return AMO_ENOMEM;
  amo_sample *p = *out = &o->sample;
  AMO_TAKE(&o->memory, double, 2u * m->nq + m->nz, &p->state);
  AMO_TAKE(&o->memory, int, m->nc, &p->mode);
  AMO_TAKE(&o->memory, double, m->nc, &p->slip, &p->force, &p->bound, &p->normal, &p->gap);
  AMO_TAKE(&o->memory, double, m->nxi, &p->traction);
  AMO_TAKE(&o->memory, double, m->nq, &p->acceleration);
  AMO_TAKE(&o->memory, double, m->ng, &p->multiplier);
  AMO_TAKE(&o->memory, double, m->nout, &p->output);
  if (!o->memory.failed) return AMO_OK;
  amo_sample_free(p);
  *out = NULL;
  return AMO_ENOMEM;
}

void amo_sample_free(amo_sample *p)
{
  if (p == NULL) return;
  amo_arena_free(&((owned_sample *)p)->memory);
  free(p);
}

void amo_sample_report(amo_sim *s, amo_sample *p)
{
  const amo_model *m = s->m;
  double *r = s->report;
  memcpy(r + m->leaf.param, s->param, m->np * sizeof *r);
  r[m->leaf.t] = p->t;
  memcpy(r + m->leaf.q, p->state, m->nq * sizeof *r);
  memcpy(r + m->leaf.u, p->state + m->nq, m->nq * sizeof *r);
  memcpy(r + m->leaf.z, p->state + 2 * m->nq, m->nz * sizeof *r);
  for (uint32_t c = 0; c < m->nc; c++) r[m->leaf.sigma + c] = amo_sigma((signed char)p->mode[c]);
  r[m->leaf.eps] = s->opt.eps;
  memcpy(r + m->leaf.acc, p->acceleration, m->nq * sizeof *r);
  memcpy(r + m->leaf.lambda, p->force, m->nc * sizeof *r);
  memcpy(r + m->leaf.multiplier, p->multiplier, m->ng * sizeof *r);
  memcpy(r + m->leaf.reaction, p->normal, m->nc * sizeof *r);
  memcpy(r + m->leaf.traction, p->traction, m->nxi * sizeof *r);
  amo_prog_prepare1(m->report.prog, r);
  amo_prog_eval1(m->report.prog, r, s->report_branch);
  for (uint32_t i = 0; i < m->nout; i++) p->output[i] = r[m->report.r_output[i]];
  p->kinetic = r[m->report.r_kinetic];
  p->potential = r[m->report.r_potential];
}

void amo_sim_dense(const amo_sim *s, double t, double *state)
{
  // a step without length may still be an event: its series know the state before
  if (s->t > s->start || (s->opt.method == AMO_METHOD_EVENT && s->stats.steps > 0))
    s->ops->dense(s, t, state);
  else
    memcpy(state, amo_sim_state(s), (2u * s->m->nq + s->m->nz) * sizeof *state);
}

amo_status amo_sample_complete(amo_sim *s, bool at_end, amo_sample *p)
{
  for (uint32_t c = 0; c < s->m->nc; c++) p->mode[c] = at_end ? s->mode[c] : s->step_mode[c];
  amo_status st = s->ops->forces(s, at_end, p);
  if (st == AMO_OK) amo_sample_report(s, p);
  return st;
}

amo_status amo_sim_sample(amo_sim *s, double t, bool at_end, amo_sample *p)
{
  if (s == NULL || p == NULL) return AMO_ERANGE;
  const amo_model *m = s->m;
  if (!s->started) return amo_sim_fail(s, AMO_ERANGE, "call amo_sim_start after a parameter has changed");
  // the ends of the step as the caller reckons them, from - n dt, may differ in the last digits
  const double slack = AMO_SAME * (s->t - s->start) + AMO_LAST_DIGITS * (fabs(s->t) + fabs(s->start));
  if (!at_end && !(t >= s->start - slack && t <= s->t + slack))
    return amo_sim_fail(s, AMO_ERANGE, "t = %.17g lies outside the last step, from %.17g to %.17g", t,
                        s->start, s->t);
  if (at_end) {
    p->t = s->t;
    memcpy(p->state, amo_sim_state(s), (2u * m->nq + m->nz) * sizeof *p->state);
  } else {
    p->t = t < s->start ? s->start : t > s->t ? s->t : t;
    amo_sim_dense(s, p->t, p->state);
  }
  return amo_sample_complete(s, at_end, p);
}
