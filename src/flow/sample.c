// SPDX-License-Identifier: Apache-2.0
/// Everything about one instant: state, contacts, accelerations, outputs, energies.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "flow/sim.h"

amo_status amo_sample_new(const amo_model *m, amo_sample **out)
{
  if (out == NULL) return AMO_ERANGE;
  *out = NULL;
  if (m == NULL) return AMO_ERANGE;
  amo_sample *p = calloc(1, sizeof *p);
  if (p == NULL) return AMO_ENOMEM;
  size_t ns = 2u * m->nq + m->nz + 1u, nc = m->nc + 1u;
  p->state = calloc(ns, sizeof(double));
  p->mode = calloc(nc, sizeof(int));
  p->slip = calloc(nc, sizeof(double));
  p->force = calloc(nc, sizeof(double));
  p->bound = calloc(nc, sizeof(double));
  p->normal = calloc(nc, sizeof(double));
  p->gap = calloc(nc, sizeof(double));
  p->traction = calloc(m->nxi + 1u, sizeof(double));
  p->acceleration = calloc(m->nq + 1u, sizeof(double));
  p->multiplier = calloc(m->ng + 1u, sizeof(double));
  p->output = calloc(m->nout + 1u, sizeof(double));
  if (!p->state || !p->mode || !p->slip || !p->force || !p->bound || !p->normal || !p->gap || !p->traction ||
      !p->acceleration || !p->multiplier || !p->output) {
    amo_sample_free(p);
    return AMO_ENOMEM;
  }
  *out = p;
  return AMO_OK;
}

void amo_sample_free(amo_sample *p)
{
  if (p == NULL) return;
  free(p->state);
  free(p->mode);
  free(p->slip);
  free(p->force);
  free(p->bound);
  free(p->normal);
  free(p->gap);
  free(p->traction);
  free(p->acceleration);
  free(p->multiplier);
  free(p->output);
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
  amo_prog_prepare1(m->report, r);
  amo_prog_eval1(m->report, r, s->report_branch);
  for (uint32_t i = 0; i < m->nout; i++) p->output[i] = r[m->r_output[i]];
  p->kinetic = r[m->r_kinetic_energy];
  p->potential = r[m->r_potential_energy];
}

void amo_sim_dense(const amo_sim *s, double t, double *state)
{
  // a step without length may still be an event: its series know the state before
  if (s->t > s->start || (s->opt.method == AMO_METHOD_EVENT && s->stats.steps > 0))
    s->ops->dense(s, t, state);
  else
    memcpy(state, s->y, (2u * s->m->nq + s->m->nz) * sizeof *state);
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
    memcpy(p->state, s->y, (2u * m->nq + m->nz) * sizeof *p->state);
  } else {
    p->t = t < s->start ? s->start : t > s->t ? s->t : t;
    amo_sim_dense(s, p->t, p->state);
  }
  return amo_sample_complete(s, at_end, p);
}
