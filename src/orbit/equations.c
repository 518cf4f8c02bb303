// SPDX-License-Identifier: Apache-2.0
#include "orbit/equations.h"

#include <math.h>

static void want(bool *used, amo_node n)
{
  if (n != AMO_NODE_NONE) used[n] = true;
}

static void want_row(bool *used, const amo_entry *row, uint32_t n)
{
  for (uint32_t i = 0; i < n; i++) want(used, row[i].node);
}

static void mark_contact(const amo_contact *k, bool *used)
{
  const amo_node all[] = {k->slip,     k->zeta,  k->normal,      k->bound,  k->kinetic,  k->gap,  k->gap_rate,
                          k->gap_zeta, k->spare, k->restitution, k->within, k->reaction, k->side, k->drag};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) want(used, all[i]);
  want_row(used, k->w, k->nw);
  want_row(used, k->n, k->nn);
  for (uint32_t a = 0; a < amo_axes(k); a++) {
    want(used, k->axis[a].slip);
    want(used, k->axis[a].zeta);
    want_row(used, k->axis[a].w, k->axis[a].nw);
  }
}

void amo_equations_mark(const amo_model *m, bool *used)
{
  want_row(used, m->mass, m->nmass);
  for (uint32_t i = 0; i < m->nq; i++) want(used, m->h[i]);
  for (uint32_t i = 0; i < m->nz; i++) want(used, m->extra[i].rate), want(used, m->extra[i].reset);
  for (uint32_t c = 0; c < m->nc; c++) mark_contact(&m->contact[c], used);
  for (uint32_t g = 0; g < m->ng; g++) {
    const amo_constraint *k = &m->constraint[g];
    want(used, k->residual), want(used, k->rate), want(used, k->zeta);
    want_row(used, k->g, k->ng);
  }
}

int amo_equations_arity(const amo_dag *d, amo_node n)
{
  static const int count[] = {
#define ARITY(name, arity, text) arity,
      AMO_OP_LIST(ARITY)
#undef ARITY
  };
  return count[amo_node_op(d, n)];
}

bool amo_equations_common_turn(const double *rate, size_t n, double *period)
{
  const double turn = 6.283185307179586477;
  for (int k = 1; k <= 64; k++) {
    bool all = true;
    *period = k * turn / fabs(rate[0]);
    for (size_t i = 0; i < n; i++) {
      const double turns = *period * fabs(rate[i]) / turn;
      all &= fabs(turns - nearbyint(turns)) <= AMO_SAME * turns && turns > 0.5;
    }
    if (all) return true;
  }
  return false;
}
