// SPDX-License-Identifier: Apache-2.0
#include "study/model_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"

typedef struct namer {
  const amo_model *m;
  char buffer[8][160];  // names made up on the fly; the printer may hold a few at once
  int next;
} namer;

static const char *made(namer *n, const char *name, const char *suffix)
{
  char *b = n->buffer[n->next++ % 8];
  snprintf(b, sizeof n->buffer[0], "%s%s", name, suffix);
  return b;
}

static const char *leaf_name(void *ctx, uint32_t leaf)
{
  namer *n = ctx;
  const amo_model *m = n->m;
  const amo_leaves *l = &m->leaf;
  if (leaf - l->param < m->np) return m->param[leaf - l->param].sym.name;
  if (leaf == l->t) return "t";
  if (leaf - l->q < m->nq) return m->q_sym[leaf - l->q].name;
  if (leaf - l->u < m->nq) return m->u_sym[leaf - l->u].name;
  if (leaf - l->z < m->nz) return m->extra[leaf - l->z].sym.name;
  if (leaf - l->sigma < m->nc) return made(n, m->contact[leaf - l->sigma].sym.name, ".sign");
  if (leaf == l->eps) return "eps";
  if (leaf - l->acc < m->nq) return made(n, m->u_sym[leaf - l->acc].name, "'");
  if (leaf - l->lambda < m->nc) return made(n, m->contact[leaf - l->lambda].sym.name, ".force");
  if (leaf - l->multiplier < m->ng) return made(n, m->constraint[leaf - l->multiplier].sym.name, ".force");
  for (uint32_t c = 0; c < m->nc; c++) {
    const amo_contact *k = &m->contact[c];
    if (!k->spatial) continue;
    if (leaf - l->xi - k->xi < 2) return made(n, k->sym.name, leaf - l->xi == k->xi ? ".xi1" : ".xi2");
    if (leaf - l->traction - k->xi < 2)
      return made(n, k->sym.name, leaf - l->traction == k->xi ? ".force1" : ".force2");
  }
  if (leaf - l->reaction < m->nc) return made(n, m->contact[leaf - l->reaction].sym.name, ".reaction");
  return "?";
}

char *amo_model_text(const amo_model *m, amo_node n, size_t max_chars)
{
  namer names = {.m = m};
  if (n == AMO_NODE_NONE) return amo_strdup("");
  return amo_node_text(m->dag, n, leaf_name, &names, max_chars);
}

char *amo_model_label(const amo_model *m, const char *path)
{
  if (m->name && *m->name) return amo_strdup(m->name);
  const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path, *dot = strrchr(base, '.');
  return amo_strndup(base, dot && dot > base ? (size_t)(dot - base) : strlen(base));
}

/// Forces without friction: h holds the friction of slipping contacts behind the signs of slip.
static amo_node without_friction(const amo_model *m, amo_node h)
{
  amo_node *repl = amo_zalloc(m->leaf.count, sizeof *repl);
  if (!repl) return AMO_NODE_NONE;
  for (uint32_t c = 0; c < m->nc; c++) repl[m->leaf.sigma + c] = amo_const(m->dag, 0.0);
  amo_node n = amo_subst(m->dag, h, repl, m->leaf.count);
  free(repl);
  return n;
}

static amo_node inertia(const amo_model *m, uint32_t i)
{
  amo_node sum = amo_const(m->dag, 0.0);
  for (uint32_t k = 0; k < m->nmass; k++) {
    const amo_entry *e = &m->mass[k];
    uint32_t other = e->row == i ? e->col : e->row;  // lower triangle of a symmetric matrix
    if (e->row != i && e->col != i) continue;
    sum = amo_add(m->dag, sum, amo_mul(m->dag, e->node, amo_leaf(m->dag, m->leaf.acc + other)));
  }
  return sum;
}

/// What the force in `leaf` does to coordinate i through a row.
static amo_node through_row(const amo_model *m, const amo_entry *row, uint32_t n, uint32_t i, uint32_t leaf)
{
  amo_node sum = amo_const(m->dag, 0.0);
  for (uint32_t k = 0; k < n; k++)
    if (row[k].col == i) sum = amo_add(m->dag, sum, amo_mul(m->dag, row[k].node, amo_leaf(m->dag, leaf)));
  return sum;
}

static amo_node forces(const amo_model *m, uint32_t i)
{
  amo_dag *d = m->dag;
  amo_node sum = without_friction(m, m->h[i]);
  for (uint32_t c = 0; c < m->nc; c++) {
    const amo_contact *k = &m->contact[c];
    sum = amo_add(d, sum, through_row(m, k->n, k->nn, i, m->leaf.reaction + c));
    for (uint32_t a = 0; k->spatial && a < 2; a++)
      sum = amo_add(d, sum, through_row(m, k->axis[a].w, k->axis[a].nw, i, m->leaf.traction + k->xi + a));
    if (!k->spatial) sum = amo_add(d, sum, through_row(m, k->w, k->nw, i, m->leaf.lambda + c));
  }
  for (uint32_t g = 0; g < m->ng; g++)
    sum = amo_add(d, sum, through_row(m, m->constraint[g].g, m->constraint[g].ng, i, m->leaf.multiplier + g));
  return sum;
}

char *amo_model_equation(const amo_model *m, uint32_t i, size_t max_chars)
{
  amo_text t = {0};
  char *left = amo_model_text(m, inertia(m, i), max_chars),
       *right = amo_model_text(m, forces(m, i), max_chars);
  amo_text_printf(&t, "%s = %s", left ? left : "?", right ? right : "?");
  free(left);
  free(right);
  return amo_text_take(&t);
}
