// SPDX-License-Identifier: Apache-2.0
#include "ask/describe/model_text.h"

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

/// Of the two axes of a spatial contact.
static const char *axis_name(namer *n, uint32_t xi, const char *first, const char *second)
{
  for (uint32_t c = xi / 2; c < n->m->nc; c++) {  // each spatial contact before it has two
    const amo_contact *k = &n->m->contact[c];
    if (k->spatial && xi - k->xi < 2) return made(n, k->sym.name, xi == k->xi ? first : second);
  }
  return "?";
}

static const char *leaf_name(void *ctx, uint32_t leaf)
{
  namer *n = ctx;
  const amo_model *m = n->m;
  const amo_leaves *l = &m->leaf;
  if (leaf - l->param < m->np) return m->param[leaf - l->param].sym.name;
  if (leaf == l->t) return "t";
  if (leaf - l->q < m->nq) return m->sym.q[leaf - l->q].name;
  if (leaf - l->u < m->nq) return m->sym.u[leaf - l->u].name;
  if (leaf - l->z < m->nz) return m->extra[leaf - l->z].sym.name;
  if (leaf - l->sigma < m->nc) return made(n, m->contact[leaf - l->sigma].sym.name, ".sign");
  if (leaf == l->eps) return "eps";
  if (leaf - l->acc < m->nq) return made(n, m->sym.u[leaf - l->acc].name, "'");
  if (leaf - l->lambda < m->nc) return made(n, m->contact[leaf - l->lambda].sym.name, ".force");
  if (leaf - l->multiplier < m->ng) return made(n, m->constraint[leaf - l->multiplier].sym.name, ".force");
  if (leaf - l->reaction < m->nc) return made(n, m->contact[leaf - l->reaction].sym.name, ".reaction");
  if (leaf - l->xi < m->nxi) return axis_name(n, leaf - l->xi, ".xi1", ".xi2");
  if (leaf - l->traction < m->nxi) return axis_name(n, leaf - l->traction, ".force1", ".force2");
  return "?";
}

char *amo_model_text(const amo_model *m, amo_node n, size_t max_chars)
{
  namer names = {.m = m};
  if (n == AMO_NODE_NONE) return amo_strdup("");
  return amo_node_text(m->dag, n, leaf_name, &names, max_chars);
}

char *amo_model_label(const amo_model *m)
{
  const char *path = m->source.name ? m->source.name : "";
  if (m->name && *m->name) return amo_strdup(m->name);
  const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path, *dot = strrchr(base, '.');
  return amo_strndup(base, dot && dot > base ? (size_t)(dot - base) : strlen(base));
}

/// Forces without friction: h holds the friction of slipping contacts behind the signs of slip.
static amo_status without_friction(const amo_model *m, amo_node *force)
{
  amo_node *repl = amo_zalloc(m->leaf.count, sizeof *repl);
  if (!repl) return AMO_ENOMEM;
  for (uint32_t c = 0; c < m->nc; c++) repl[m->leaf.sigma + c] = amo_const(m->dag, 0.0);
  for (uint32_t i = 0; i < m->nq; i++) force[i] = amo_subst(m->dag, m->h[i], repl, m->leaf.count);
  free(repl);
  return AMO_OK;
}

static void add_product(const amo_model *m, amo_node *sum, amo_node factor, uint32_t leaf)
{
  *sum = amo_add(m->dag, *sum, amo_mul(m->dag, factor, amo_leaf(m->dag, leaf)));
}

static void add_inertia(const amo_model *m, amo_node *sum)
{
  for (uint32_t i = 0; i < m->nq; i++) sum[i] = amo_const(m->dag, 0.0);
  for (uint32_t k = 0; k < m->nmass; k++) {
    const amo_entry *e = &m->mass[k];  // lower triangle of a symmetric matrix
    add_product(m, &sum[e->row], e->node, m->leaf.acc + e->col);
    if (e->row != e->col) add_product(m, &sum[e->col], e->node, m->leaf.acc + e->row);
  }
}

/// What the force in `leaf` does through a row.
static void add_row(const amo_model *m, amo_node *force, const amo_entry *row, uint32_t n, uint32_t leaf)
{
  for (uint32_t k = 0; k < n; k++) add_product(m, &force[row[k].col], row[k].node, leaf);
}

static void add_reactions(const amo_model *m, amo_node *force)
{
  for (uint32_t c = 0; c < m->nc; c++) {
    const amo_contact *k = &m->contact[c];
    add_row(m, force, k->n, k->nn, m->leaf.reaction + c);
    for (uint32_t a = 0; k->spatial && a < 2; a++)
      add_row(m, force, k->axis[a].w, k->axis[a].nw, m->leaf.traction + k->xi + a);
    if (!k->spatial) add_row(m, force, k->w, k->nw, m->leaf.lambda + c);
  }
  for (uint32_t g = 0; g < m->ng; g++)
    add_row(m, force, m->constraint[g].g, m->constraint[g].ng, m->leaf.multiplier + g);
}

static char *equation(const amo_model *m, amo_node inertia, amo_node force, size_t max_chars)
{
  amo_text t = {0};
  char *left = amo_model_text(m, inertia, max_chars), *right = amo_model_text(m, force, max_chars);
  amo_text_printf(&t, "%s = %s", left ? left : "?", right ? right : "?");
  free(left);
  free(right);
  return amo_text_take(&t);
}

amo_status amo_model_equations(const amo_model *m, size_t max_chars, cJSON *out)
{
  amo_node *inertia = amo_zalloc(m->nq, sizeof *inertia), *force = amo_zalloc(m->nq, sizeof *force);
  amo_status st = inertia && force ? without_friction(m, force) : AMO_ENOMEM;
  if (st == AMO_OK) {
    add_inertia(m, inertia);
    add_reactions(m, force);
  }
  for (uint32_t i = 0; st == AMO_OK && i < m->nq; i++) {
    char *text = equation(m, inertia[i], force[i], max_chars);
    cJSON_AddStringToObject(out, m->sym.q[i].name, text ? text : "");
    free(text);
  }
  free(inertia);
  free(force);
  return st;
}
