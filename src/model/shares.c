// SPDX-License-Identifier: Apache-2.0
/// What part of a generalised force each particle and body takes up: with accelerations acc that a force causes,
/// part i carries m_i (sum_j dr_i/dq_j acc_j), a body also the moment inertia * (sum_j dangle/dq_j acc_j). Painleve's
/// friction forces are these for the accelerations that friction adds.
#include <stdlib.h>
#include <string.h>

#include "model/model.h"

enum { MOST_COORDINATES = 100 };  // beyond: a question about single particles is not asked

static amo_node carried(amo_loader *ld, amo_node mass, amo_node place, const amo_node *rate)
{
  amo_node along = amo_total(ld->dag, place, rate, ld->inner.count);
  return amo_load_sub(ld, amo_mul(ld->dag, mass, along));
}

static amo_status take_part(amo_loader *ld, const amo_part *p, const amo_node *rate, amo_share *s,
                            amo_node *root, size_t *n)
{
  s->first = (uint32_t)*n;
  s->dims = (uint32_t)p->dims;
  s->body = p->body;
  for (int k = 0; k < p->dims; k++) root[(*n)++] = carried(ld, p->mass, p->r[k], rate);
  if (p->body) root[(*n)++] = carried(ld, p->inertia, p->angle, rate);
  return amo_sym_make(&s->sym, p->name, "", "") ? AMO_OK : AMO_ENOMEM;
}

void amo_load_shares(amo_loader *ld)
{
  amo_model *m = ld->m;
  if (ld->status != AMO_OK || ld->parts.count == 0 || m->nq > MOST_COORDINATES) return;
  amo_node *rate = amo_zalloc(ld->inner.count, sizeof *rate),
           *root = amo_zalloc(4 * ld->parts.count, sizeof *root);
  size_t n = 0;
  m->shares.item = amo_zalloc(ld->parts.count, sizeof *m->shares.item);
  amo_status st = rate && root && m->shares.item ? AMO_OK : AMO_ENOMEM;
  for (uint32_t i = 0; st == AMO_OK && i < m->nq; i++)
    rate[m->leaf.q + i] = amo_leaf(ld->dag, m->leaf.acc + i);
  for (size_t i = 0; st == AMO_OK && i < ld->parts.count; i++)
    if (ld->parts.item[i].mass != AMO_NODE_NONE)  // a point without mass bears nothing
      st = take_part(ld, &ld->parts.item[i], rate, &m->shares.item[m->shares.count++], root, &n);
  if (st == AMO_OK) st = amo_dag_status(ld->dag);
  if (st == AMO_OK && n) st = amo_prog_compile(ld->dag, root, n, m->fixed, m->leaf.count, &m->shares.prog);
  free(rate);
  free(root);
  if (st != AMO_OK) amo_load_fail(ld, st);
}
