// SPDX-License-Identifier: Apache-2.0
/// Free flight of a linear mechanism: with all supports open,
///   M q'' + B q' + K q = F0 + F1 t,    gap_c = n_c q + g0_c + g1_c t,
/// with constant matrices. Known only where the expressions say so for every state.
#include <stdlib.h>

#include "model/model.h"

/// Places of the parts among the roots of the program.
static size_t place_parts(amo_flight *f, const amo_model *m)
{
  const uint32_t n = m->nq, nn = n * n;
  f->mass = 0;
  f->stiffness = f->mass + nn;
  f->damping = f->stiffness + nn;
  f->force = f->damping + nn;
  f->force_rate = f->force + n;
  f->normal = f->force_rate + n;
  f->gap = f->normal + m->nc * n;
  f->gap_rate = f->gap + m->nc;
  return f->gap_rate + m->nc;
}

/// Does n depend on parameters only?
static bool constant(const amo_model *m, amo_node n)
{
  return !amo_node_depends(m->dag, n, m->leaf.t, m->leaf.count - m->leaf.t);
}

/// n at t = 0, q = 0, u = 0.
static amo_node at_origin(const amo_model *m, amo_node n)
{
  amo_node *repl = amo_zalloc(m->leaf.count, sizeof *repl);
  if (!repl) return AMO_NODE_NONE;
  for (uint32_t i = m->leaf.t; i < m->leaf.z; i++) repl[i] = amo_const(m->dag, 0.0);
  n = amo_subst(m->dag, n, repl, m->leaf.count);
  free(repl);
  return n;
}

static void collect(const amo_model *m, const amo_flight *f, amo_node *root)
{
  amo_dag *d = m->dag;
  const uint32_t n = m->nq;
  for (size_t i = 0; i < (size_t)n * n; i++) root[f->mass + i] = amo_const(d, 0.0);
  for (uint32_t e = 0; e < m->nmass; e++)
    root[f->mass + m->mass[e].row * n + m->mass[e].col] =
        root[f->mass + m->mass[e].col * n + m->mass[e].row] = m->mass[e].node;
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < n; j++) {
      root[f->stiffness + i * n + j] = amo_neg(d, amo_diff(d, m->h[i], m->leaf.q + j));
      root[f->damping + i * n + j] = amo_neg(d, amo_diff(d, m->h[i], m->leaf.u + j));
    }
    root[f->force + i] = at_origin(m, m->h[i]);
    root[f->force_rate + i] = amo_diff(d, m->h[i], m->leaf.t);
  }
  for (uint32_t c = 0; c < m->nc; c++) {
    const amo_contact *k = &m->contact[c];
    for (uint32_t j = 0; j < n; j++) root[f->normal + c * n + j] = amo_diff(d, k->gap, m->leaf.q + j);
    root[f->gap + c] = at_origin(m, k->gap);
    root[f->gap_rate + c] = amo_diff(d, k->gap, m->leaf.t);
  }
}

amo_status amo_find_flight(amo_model *m)
{
  bool supports = m->nc > 0 && m->nz == 0 && m->ng == 0 && m->nq <= 64;
  for (uint32_t c = 0; c < m->nc; c++) supports &= amo_can_open(&m->contact[c]);
  if (!supports) return AMO_OK;
  amo_flight *f = amo_zalloc(1, sizeof *f);
  if (!f) return AMO_ENOMEM;
  m->flight = f;
  const size_t n = place_parts(f, m);
  amo_node *root = amo_zalloc(n, sizeof *root);
  f->reg = amo_zalloc(n, sizeof *f->reg);
  if (!root || !f->reg) {
    free(root);
    return AMO_ENOMEM;
  }
  collect(m, f, root);
  amo_status st = amo_dag_status(m->dag);
  f->linear = st == AMO_OK;
  for (size_t i = 0; i < n; i++) f->linear = f->linear && constant(m, root[i]);
  if (f->linear) st = amo_prog_compile(m->dag, root, n, m->fixed, m->leaf.count, &f->prog);
  for (size_t i = 0; f->prog && i < n; i++) f->reg[i] = amo_prog_root(f->prog, i);
  free(root);
  return st;
}

void amo_flight_free(amo_flight *f)
{
  if (!f) return;
  amo_prog_free(f->prog);
  free(f->reg);
  free(f);
}
