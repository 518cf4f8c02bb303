// SPDX-License-Identifier: Apache-2.0
/// The arrays of a cluster's own model; expressions are still those of the whole.
#include <stdlib.h>
#include <string.h>

#include "model/clusters_impl.h"
#include "model/model.h"

// ---- the expressions of a model, in one order ----

static void each_entry(amo_entry *e, uint32_t n, amo_node_visit visit, void *ctx)
{
  for (uint32_t i = 0; i < n; i++) visit(ctx, &e[i].node);
}

static void each_of_contact(amo_contact *k, amo_node_visit visit, void *ctx)
{
  amo_node *const part[] = {&k->slip,     &k->zeta,     &k->normal,   &k->bound,       &k->kinetic, &k->slow,
                            &k->reaction, &k->side,     &k->bound_by, &k->kinetic_by,  &k->spare,   &k->gap,
                            &k->gap_rate, &k->gap_zeta, &k->within,   &k->restitution, &k->yield,   &k->drag};
  for (size_t i = 0; i < sizeof part / sizeof *part; i++) visit(ctx, part[i]);
  for (uint32_t i = 0; i < k->nroom; i++) visit(ctx, &k->room[i]);
  each_entry(k->n, k->nn, visit, ctx);
  each_entry(k->w, k->nw, visit, ctx);
}

void amo_model_each_node(amo_model *x, amo_node_visit visit, void *ctx)
{
  each_entry(x->mass, x->nmass, visit, ctx);
  for (uint32_t i = 0; i < x->nq; i++) visit(ctx, &x->h[i]);
  for (uint32_t c = 0; c < x->nc; c++) each_of_contact(&x->contact[c], visit, ctx);
  for (uint32_t g = 0; g < x->ng; g++) {
    amo_constraint *k = &x->constraint[g];
    visit(ctx, &k->residual);
    visit(ctx, &k->rate);
    visit(ctx, &k->zeta);
    each_entry(k->g, k->ng, visit, ctx);
  }
  for (uint32_t i = 0; i < x->nz; i++) {
    visit(ctx, &x->extra[i].rate);
    visit(ctx, &x->extra[i].reset);
  }
}

// ---- a draft: arrays of the cluster, expressions still those of the whole ----

static void *copy(const void *from, size_t count, size_t size)
{
  void *to = amo_zalloc(count, size);
  if (to && count) memcpy(to, from, count * size);
  return to;
}

void amo_draft_free(amo_model *x)
{
  if (!x) return;
  for (uint32_t c = 0; x->contact && c < x->nc; c++) {
    free(x->contact[c].n);
    free(x->contact[c].w);
  }
  for (uint32_t g = 0; x->constraint && g < x->ng; g++) free(x->constraint[g].g);
  void *const all[] = {x->contact,   x->constraint, x->extra,        x->mass,           x->h,     x->acc,
                       x->r_h,       x->r_acc,      x->fixed,        x->param,          x->sym.q, x->sym.u,
                       x->mechanism, x->file.param, x->file.initial, x->report.r_output};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
  amo_expanded_free(x->expanded);
  amo_prog_free(x->step);
  amo_prog_free(x->report.prog);
  free(x);
}

static void localise(const amo_clusters *x, amo_entry *e, uint32_t n)
{
  for (uint32_t i = 0; i < n; i++) {
    e[i].col = x->place[e[i].col];
    if (e[i].row < x->m->nq) e[i].row = x->place[e[i].row];
  }
}

/// Number of `item` in a sorted list.
static uint32_t number_in(const uint32_t *list, uint32_t n, uint32_t item)
{
  uint32_t i = 0;
  while (i < n && list[i] != item) i++;
  return i;
}

static bool draft_contact(const amo_clusters *x, const amo_cluster *a, const amo_cluster_size *size,
                          uint32_t i, amo_contact *k)
{
  *k = x->m->contact[a->contact[i]];
  k->n = copy(k->n, k->nn, sizeof *k->n);
  k->w = copy(k->w, k->nw, sizeof *k->w);
  if (!k->n || !k->w) return false;
  for (uint32_t e = 0; e < k->nn; e++) k->n[e].row = x->m->nq;  // unused
  for (uint32_t e = 0; e < k->nw; e++) k->w[e].row = x->m->nq;
  localise(x, k->n, k->nn);
  localise(x, k->w, k->nw);
  for (uint32_t e = 0; e < k->npressing; e++)
    k->pressing[e].item = k->pressing[e].of_contact ? number_in(a->contact, size->nc, k->pressing[e].item)
                                                    : number_in(a->constraint, size->ng, k->pressing[e].item);
  if (k->part_of > 0) k->part_of = number_in(a->contact, size->nc, k->part_of - 1u) + 1u;
  k->chain = i;
  k->kinetic_smooth = k->kinetic_slope = k->kinetic_smooth_slope = k->stick_force = AMO_NODE_NONE;
  memset(k->told, 0, sizeof k->told);
  return true;
}

static bool draft_masses(const amo_clusters *x, uint32_t c, amo_model *d, const uint32_t *first_mass)
{
  const amo_model *m = x->m;
  const amo_cluster *a = &x->item[c];
  for (uint32_t i = 0; i < d->nq; i++)
    d->nmass += first_mass[a->coordinate[i] + 1u] - first_mass[a->coordinate[i]];
  d->mass = amo_zalloc(d->nmass, sizeof *d->mass);
  if (!d->mass) return false;
  uint32_t n = 0;
  for (uint32_t i = 0; i < d->nq; i++)
    for (uint32_t e = first_mass[a->coordinate[i]]; e < first_mass[a->coordinate[i] + 1u]; e++)
      d->mass[n++] = m->mass[e];
  localise(x, d->mass, d->nmass);
  return true;
}

bool amo_draft_new(const amo_cutting *k, uint32_t c, const amo_cluster_size *size, amo_model **out)
{
  const amo_clusters *x = k->x;
  const amo_model *m = k->m;
  const amo_cluster *a = &x->item[c];
  amo_model *d = *out = amo_zalloc(1, sizeof *d);
  if (!d) return false;
  d->nq = size->nq;
  d->nz = size->nz + size->given;
  d->nc = size->nc;
  d->ng = size->ng;
  d->light = m->light;
  d->h = amo_zalloc(d->nq, sizeof *d->h);
  d->contact = amo_zalloc(d->nc, sizeof *d->contact);
  d->constraint = amo_zalloc(d->ng, sizeof *d->constraint);
  d->extra = amo_zalloc(d->nz, sizeof *d->extra);
  if (!d->h || !d->contact || !d->constraint || !d->extra || !draft_masses(x, c, d, k->first_mass))
    return false;
  for (uint32_t i = 0; i < d->nq; i++) d->h[i] = m->h[a->coordinate[i]];
  for (uint32_t i = 0; i < d->nc; i++) {
    if (!draft_contact(x, a, size, i, &d->contact[i])) return false;
    d->njoint += d->contact[i].npressing > 0;
  }
  for (uint32_t i = 0; i < d->ng; i++) {
    amo_constraint *g = &d->constraint[i];
    *g = m->constraint[a->constraint[i]];
    g->g = copy(g->g, g->ng, sizeof *g->g);
    if (!g->g) return false;
    for (uint32_t e = 0; e < g->ng; e++) g->g[e].row = m->nq;
    localise(x, g->g, g->ng);
  }
  for (uint32_t i = 0; i < size->nz; i++) {
    d->extra[i] = m->extra[a->extra[i]];
    if (d->extra[i].contact >= 0)
      d->extra[i].contact = (long)number_in(a->contact, size->nc, (uint32_t)d->extra[i].contact);
  }
  for (uint32_t i = size->nz; i < d->nz; i++) d->extra[i] = (amo_extra){.contact = -1, .given = true};
  return true;
}
