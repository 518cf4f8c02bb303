// SPDX-License-Identifier: Apache-2.0
// Painleve's friction forces: what each particle would have to bear for the mechanism to move without friction as it
// does with it, rho_i = m_i (a_i - a_i without friction).
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "result/json.h"
#include "ask/contact/solutions_json.h"

/// Accelerations with no friction at any contact; guides and constraints stay.
static amo_status without_friction(const amo_values *v, double t, const double *state, double *acc)
{
  const amo_model *m = v->model;
  amo_point *p = NULL;
  signed char *mode = amo_zalloc(m->nc + 1u, 1);
  amo_status st = mode ? amo_point_new(m, &p) : AMO_ENOMEM;
  if (st == AMO_OK) {
    amo_point_parameters(p, v->param);
    amo_point_registers(p, t, state, mode);  // as if all stuck: no friction of slip in the forces
    memset(p->reaction_sign, 0, m->nc);
    memset(mode, 1, m->nc);  // and none of stick either
    st = amo_point_solve(p, mode, NULL);
  }
  if (st == AMO_OK) memcpy(acc, p->acc, m->nq * sizeof *acc);
  amo_point_free(p);
  free(mode);
  return st;
}

static cJSON *forces_json(const amo_model *m, const double *reg)
{
  cJSON *all = cJSON_CreateObject();
  for (uint32_t i = 0; i < m->shares.count; i++) {
    const amo_share *s = &m->shares.item[i];
    cJSON *v = cJSON_AddArrayToObject(all, s->sym.name);
    for (uint32_t k = 0; k < s->dims + (s->body ? 1u : 0u); k++)
      cJSON_AddItemToArray(v, amo_json_number(reg[amo_prog_root(m->shares.prog, s->first + k)]));
  }
  return all;
}

amo_status amo_painleve_add(const amo_call *call, const amo_solutions *s, double t, const double *state,
                            cJSON *list)
{
  const amo_model *m = call->model;
  if (!m->shares.prog) return AMO_OK;
  double *bare = amo_zalloc(m->nq, sizeof *bare),
         *reg = amo_zalloc(amo_prog_registers(m->shares.prog), sizeof *reg);
  amo_status st = bare && reg ? without_friction(call->values, t, state, bare) : AMO_ENOMEM;
  for (size_t i = 0; st == AMO_OK && i < s->count; i++) {
    amo_load_leaves(m, reg, 1, call->values->param, t, state);
    for (uint32_t k = 0; k < m->nq; k++) reg[m->leaf.acc + k] = s->item[i].acc[k] - bare[k];
    amo_prog_prepare1(m->shares.prog, reg);
    amo_prog_eval1(m->shares.prog, reg, NULL);
    cJSON_AddItemToObject(cJSON_GetArrayItem(list, (int)i), "painleve", forces_json(m, reg));
  }
  free(bare);
  free(reg);
  return st == AMO_ENOANSWER ? AMO_OK : st;  // without friction there may be no motion to compare with
}
