// SPDX-License-Identifier: Apache-2.0
/// The register programs of a model: step, report, start.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"

typedef struct roots {
  amo_node *node;
  uint32_t **reg;  // where to note the register; NULL: nowhere
  unsigned char *stage;
  size_t count, node_cap, reg_cap, stage_cap;
  bool failed;
} roots;

static void add(roots *r, amo_node n, unsigned char stage, uint32_t *reg)
{
  if (reg) *reg = AMO_NO_REGISTER;
  if (n == AMO_NODE_NONE || r->failed) return;
  if (!AMO_ROOM(r->node, r->count, r->node_cap) || !AMO_ROOM(r->reg, r->count, r->reg_cap) ||
      !AMO_ROOM(r->stage, r->count, r->stage_cap)) {
    r->failed = true;
    return;
  }
  r->node[r->count] = n;
  r->stage[r->count] = stage;
  r->reg[r->count++] = reg;
}

static amo_status finish(roots *r, const amo_dag *d, const bool *fixed, uint32_t nleaf, amo_prog **out)
{
  amo_status st =
      r->failed ? AMO_ENOMEM : amo_prog_compile_staged(d, r->node, r->stage, r->count, fixed, nleaf, out);
  for (size_t i = 0; st == AMO_OK && i < r->count; i++)
    if (r->reg[i]) *r->reg[i] = amo_prog_root(*out, i);
  free(r->node);
  free(r->reg);
  free(r->stage);
  return st;
}

/// The balance of forces is needed at every order of a series, slips and bounds once it is known.
amo_status amo_compile_step(amo_model *m)
{
  roots r = {0};
  const unsigned char solver = m->plain ? AMO_STAGE_VALUE : AMO_STAGE_ORDER;
  for (uint32_t i = 0; i < m->nmass; i++) add(&r, m->mass[i].node, solver, &m->mass[i].reg);
  for (uint32_t i = 0; i < m->nq; i++) add(&r, m->h[i], solver, &m->r_h[i]);
  for (uint32_t i = 0; i < m->nq; i++) add(&r, m->acc[i], AMO_STAGE_ORDER, &m->r_acc[i]);
  for (uint32_t i = 0; i < m->nc; i++) {
    amo_contact *c = &m->contact[i];
    add(&r, c->slip, AMO_STAGE_FINISH, &c->r_slip);
    add(&r, c->zeta, solver, &c->r_zeta);
    add(&r, c->stick_force, AMO_STAGE_FINISH, &c->r_stick);
    add(&r, c->yield, AMO_STAGE_VALUE, &c->r_yield);
    add(&r, c->reaction, AMO_STAGE_VALUE, &c->r_reaction);
    add(&r, c->side, AMO_STAGE_VALUE, &c->r_side);
    add(&r, c->bound, AMO_STAGE_FINISH, &c->r_bound);
    add(&r, c->slow, AMO_STAGE_VALUE, &c->r_slow);
    add(&r, c->spare, AMO_STAGE_VALUE, &c->r_spare);
    add(&r, c->bound_by, AMO_STAGE_VALUE, &c->r_bound_by);
    add(&r, c->kinetic_by, AMO_STAGE_ORDER, &c->r_kinetic_by);
    add(&r, c->kinetic, amo_has_gap(c) ? AMO_STAGE_ORDER : AMO_STAGE_VALUE, &c->r_kinetic);
    add(&r, c->gap, amo_can_open(c) ? AMO_STAGE_FINISH : AMO_STAGE_VALUE, &c->r_gap);
    add(&r, c->within, AMO_STAGE_FINISH, &c->r_within);
    for (uint32_t k = 0; k < c->nroom; k++) add(&r, c->room[k], AMO_STAGE_FINISH, &c->r_room[k]);
    add(&r, c->gap_rate, AMO_STAGE_VALUE, &c->r_gap_rate);
    add(&r, c->restitution, AMO_STAGE_VALUE, &c->r_restitution);
    for (uint32_t a = 0; a < amo_axes(c); a++) {
      amo_slip_axis *x = &c->axis[a];
      add(&r, x->slip, AMO_STAGE_ORDER, &x->r_slip);
      add(&r, x->zeta, AMO_STAGE_ORDER, &x->r_zeta);
      for (uint32_t k = 0; k < x->nw; k++) add(&r, x->w[k].node, AMO_STAGE_ORDER, &x->w[k].reg);
    }
    add(&r, c->gap_zeta, AMO_STAGE_ORDER, &c->r_gap_zeta);
    for (uint32_t k = 0; k < c->nn; k++) add(&r, c->n[k].node, AMO_STAGE_ORDER, &c->n[k].reg);
    for (uint32_t k = 0; k < c->nw; k++) add(&r, c->w[k].node, solver, &c->w[k].reg);
  }
  for (uint32_t i = 0; i < m->ng; i++) {
    amo_constraint *g = &m->constraint[i];
    add(&r, g->residual, AMO_STAGE_VALUE, &g->r_residual);
    add(&r, g->rate, AMO_STAGE_VALUE, &g->r_rate);
    add(&r, g->zeta, AMO_STAGE_ORDER, &g->r_zeta);
    for (uint32_t k = 0; k < g->ng; k++) add(&r, g->g[k].node, AMO_STAGE_ORDER, &g->g[k].reg);
  }
  for (uint32_t i = 0; i < m->nz; i++) {
    add(&r, m->extra[i].rate, AMO_STAGE_ORDER, &m->extra[i].r_rate);
    add(&r, m->extra[i].reset, AMO_STAGE_VALUE, &m->extra[i].r_reset);
  }
  for (size_t i = 0; i < r.count; i++)
    if (r.stage[i] < m->stage) r.stage[i] = m->stage;
  return finish(&r, m->dag, m->fixed, m->leaf.count, &m->step);
}

amo_status amo_compile_report(amo_model *m)
{
  roots r = {0};
  m->report.r_output = amo_zalloc(m->nout, sizeof *m->report.r_output);
  if (!m->report.r_output) return AMO_ENOMEM;
  for (uint32_t i = 0; i < m->nout; i++) add(&r, m->output[i].node, AMO_STAGE_VALUE, &m->report.r_output[i]);
  add(&r, m->report.kinetic, AMO_STAGE_VALUE, &m->report.r_kinetic);
  add(&r, m->report.potential, AMO_STAGE_VALUE, &m->report.r_potential);
  add(&r, m->report.supplied, AMO_STAGE_VALUE, &m->report.r_supplied);
  return finish(&r, m->dag, m->fixed, m->leaf.count, &m->report.prog);
}

static amo_status compile_start(amo_model *m)
{
  roots r = {0};
  for (uint32_t i = 0; i < m->np; i++) add(&r, m->param[i].expr, AMO_STAGE_VALUE, NULL);
  for (size_t i = 0; i < (size_t)2 * m->nq + m->nz; i++) add(&r, m->start.state[i], AMO_STAGE_VALUE, NULL);
  for (uint32_t i = 0; i < m->start.nrequire; i++) add(&r, m->start.require[i], AMO_STAGE_VALUE, NULL);
  add(&r, m->start.time, AMO_STAGE_VALUE, NULL);
  return finish(&r, m->dag, m->fixed, m->leaf.count, &m->start.prog);
}

void amo_load_programs(amo_loader *ld)
{
  amo_model *m = ld->m;
  for (uint32_t i = 0; i < m->np; i++) m->fixed[m->leaf.param + i] = true;
  m->fixed[m->leaf.eps] = true;
  for (uint32_t c = 0; c < m->nc; c++) m->fixed[m->leaf.sigma + c] = true;  // modes: constant in a step
  m->start.time = ld->initial.time;
  amo_status st = amo_compile_step(m);
  if (st == AMO_OK) st = amo_find_mechanisms(m);
  if (st == AMO_OK) st = amo_compile_report(m);
  if (st == AMO_OK) st = compile_start(m);
  if (st == AMO_OK) st = amo_find_flight(m);
  if (st == AMO_OK) st = amo_expanded_new(&m->expanded);
  if (st == AMO_OK) st = amo_kept_new(&m->kept);
  if (st == AMO_OK) amo_values_follow(&m->file);
  if (st != AMO_OK) amo_load_fail(ld, st);
}
