// SPDX-License-Identifier: Apache-2.0
#include "flow/switch_rates.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct amo_switch {
  amo_arena memory;
  const amo_model *m;
  amo_point *point;
  double eta, kappa;
  signed char *mode, *shown;
  bool *transition;  // [nc]
  double *force;     // [nc]
  double *extra, *gap, *du;
};

amo_status amo_switch_new(const amo_model *m, double eta, amo_switch **out)
{
  amo_switch *s = calloc(1, sizeof *s);
  *out = s;
  if (s == NULL) return AMO_ENOMEM;
  s->m = m;
  s->eta = eta;
  s->kappa = 1.0;
  size_t nc = m->nc + 1u, nq = m->nq + 1u;
  AMO_TAKE(&s->memory, signed char, nc, &s->mode, &s->shown);
  AMO_TAKE(&s->memory, bool, nc, &s->transition);
  AMO_TAKE(&s->memory, double, nc, &s->force);
  AMO_TAKE(&s->memory, double, nq, &s->extra, &s->du);
  AMO_TAKE(&s->memory, double, nc + m->ng, &s->gap);
  if (s->memory.failed) return AMO_ENOMEM;
  return amo_point_new(m, &s->point);
}

void amo_switch_free(amo_switch *s)
{
  if (s == NULL) return;
  amo_point_free(s->point);
  amo_arena_free(&s->memory);
  free(s);
}

void amo_switch_parameters(amo_switch *s, const double *param)
{
  amo_point_parameters(s->point, param);
}
void amo_switch_kappa(amo_switch *s, double kappa)
{
  s->kappa = kappa;
}
const amo_point *amo_switch_point(const amo_switch *s)
{
  return s->point;
}
double amo_switch_force(const amo_switch *s, uint32_t c)
{
  return s->force[c];
}
signed char *amo_switch_mode(amo_switch *s)
{
  return s->shown;
}

/// Slipping contacts by the sign of their slip; those inside the band are tried as sticking.
static amo_status try_stick(amo_switch *s, double t, const double *y)
{
  const amo_model *m = s->m;
  memset(s->mode, 0, m->nc);
  amo_point_registers(s->point, t, y, s->mode);
  for (uint32_t c = 0; c < m->nc; c++) {
    double slip = s->point->reg[m->contact[c].r_slip];
    s->mode[c] = amo_mode_of(&m->contact[c], slip, fabs(slip) <= s->eta);
    s->transition[c] = false;
  }
  return amo_point_evaluate(s->point, t, y, s->mode);
}

/// Contacts that would need more than their bound slip under the bound itself.
static amo_status release(amo_switch *s, double t, const double *y)
{
  const amo_model *m = s->m;
  bool any = false;
  for (uint32_t c = 0; c < m->nc; c++) {
    double bound = s->point->reg[m->contact[c].r_bound], need = s->point->lambda[c];
    if (s->mode[c] != 0 || !(fabs(need) > bound)) continue;
    s->transition[c] = any = true;
    s->mode[c] = need > 0.0 ? -1 : 1;
    s->force[c] = need > 0.0 ? bound : -bound;
  }
  if (!any) return AMO_OK;
  amo_point_registers(s->point, t, y, s->mode);
  memset(s->extra, 0, m->nq * sizeof *s->extra);
  for (uint32_t c = 0; c < m->nc; c++) {
    if (!s->transition[c]) continue;
    const amo_contact *k = &m->contact[c];
    double more = s->force[c] + s->mode[c] * s->point->reg[k->r_kinetic];
    for (uint32_t e = 0; e < k->nw; e++) s->extra[k->w[e].col] += s->point->reg[k->w[e].reg] * more;
  }
  return amo_point_solve(s->point, s->mode, s->extra);
}

static void collect(amo_switch *s, double *dy)
{
  const amo_model *m = s->m;
  const amo_point *p = s->point;
  memset(s->gap, 0, (m->nc + m->ng) * sizeof *s->gap);
  for (uint32_t c = 0; c < m->nc; c++) {
    if (!s->transition[c]) s->force[c] = p->lambda[c];
    if (s->mode[c] == 0) s->gap[c] = p->reg[m->contact[c].r_slip];
  }
  if (dy == NULL) return;
  amo_point_project(s->point, s->mode, (amo_rates){.slip = s->gap, .constraint = s->gap + m->nc}, s->du);
  for (uint32_t i = 0; i < m->nq; i++) {
    dy[i] = p->reg[m->leaf.u + i] + s->du[i];
    dy[m->nq + i] = p->acc[i] + s->kappa * s->du[i];
  }
  for (uint32_t i = 0; i < m->nz; i++) dy[2 * m->nq + i] = p->reg[m->extra[i].r_rate];
}

amo_status amo_switch_rates(amo_switch *s, double t, const double *y, double *dy, signed char *mode)
{
  s->point->branch = NULL;
  amo_status st = try_stick(s, t, y);
  if (st == AMO_OK) st = release(s, t, y);
  if (st != AMO_OK) return st;
  collect(s, dy);
  if (mode != NULL) memmove(mode, s->mode, s->m->nc);
  return AMO_OK;
}
