// SPDX-License-Identifier: Apache-2.0
#include "explore/rest/rest_state.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void amo_rest_modes(const amo_model *m, const amo_point *p, signed char *mode)
{
  for (uint32_t c = 0; c < m->nc; c++) {
    const amo_contact *k = &m->contact[c];
    mode[c] = k->rest == AMO_SWITCHES ? amo_mode_of(k, p->reg[k->r_slip], p->reg[k->r_slip] == 0.0) : 0;
    if (amo_has_parted(k, p->reg) ||
        (amo_can_open(k) && amo_is_apart(k, p->reg[k->r_gap], AMO_SAME, amo_is_within(k, p->reg, 1))))
      mode[c] = AMO_MODE_OPEN;
  }
}

amo_status amo_rest_asked(amo_point *p, const signed char *mode, bool rates, double *du)
{
  const amo_model *m = p->m;
  double *slip = amo_zalloc(2u * m->nc + m->ng + m->nxi + 1u, sizeof *slip);
  if (!slip) return AMO_ENOMEM;
  double *gap = slip + m->nc, *constraint = gap + m->nc, *axis = constraint + m->ng;
  for (uint32_t c = 0; c < m->nc; c++) {
    const amo_contact *k = &m->contact[c];
    slip[c] = mode[c] == 0 ? p->reg[rates ? k->r_zeta : k->r_slip] : 0.0;
    for (uint32_t a = 0; k->spatial && mode[c] == 0 && a < 2; a++)
      axis[k->xi + a] = p->reg[rates ? k->axis[a].r_zeta : k->axis[a].r_slip];
    gap[c] = amo_has_gap(k) && mode[c] == 0 ? p->reg[rates ? k->r_gap_zeta : k->r_gap_rate] : 0.0;
  }
  for (uint32_t g = 0; g < m->ng; g++)
    constraint[g] = p->reg[rates ? m->constraint[g].r_zeta : m->constraint[g].r_rate];
  amo_status st = amo_point_project(p, mode, (amo_rates){slip, axis, constraint, gap}, du);
  free(slip);
  return st;
}

amo_status amo_rest_state(const amo_values *v, double t, double *state)
{
  const amo_model *m = v->model;
  amo_point *p = NULL;
  signed char *mode = amo_zalloc(m->nc + 1u, 1);
  double *du = amo_zalloc(m->nq + 1u, sizeof *du);
  amo_status st = mode && du ? amo_point_new(m, &p) : AMO_ENOMEM;
  memset(state + m->nq, 0, m->nq * sizeof *state);
  if (st == AMO_OK) {
    amo_point_parameters(p, v->param);
    amo_point_registers(p, t, state, mode);
    amo_rest_modes(m, p, mode);
    st = amo_rest_asked(p, mode, false, du);
  }
  for (uint32_t i = 0; st == AMO_OK && i < m->nq; i++) state[m->nq + i] += du[i];
  amo_point_free(p);
  free(mode);
  free(du);
  return st == AMO_ENOANSWER ? AMO_OK : st;
}
