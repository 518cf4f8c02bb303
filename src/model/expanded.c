// SPDX-License-Identifier: Apache-2.0
/// The model compiled for derivatives: see amo_model_expanded. Only what carries registers is copied; names and
/// expressions stay with the model.
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"

struct amo_expanded {
  amo_model *_Atomic model;  // NULL until somebody asks
};

amo_status amo_expanded_new(struct amo_expanded **out)
{
  *out = amo_zalloc(1, sizeof **out);
  return *out ? AMO_OK : AMO_ENOMEM;
}

void amo_places_free(amo_model *x)
{
  for (uint32_t c = 0; x->contact && c < x->nc; c++) {
    free(x->contact[c].n);
    free(x->contact[c].w);
    free(x->contact[c].axis[0].w);
    free(x->contact[c].axis[1].w);
  }
  for (uint32_t g = 0; x->constraint && g < x->ng; g++) free(x->constraint[g].g);
  free(x->contact);
  free(x->constraint);
  free(x->extra);
  free(x->mass);
  free(x->r_h);
  free(x->r_acc);
  amo_prog_free(x->step);
}

static void free_copy(amo_model *x)
{
  if (!x) return;
  amo_places_free(x);
  free(x->acc);
  free(x);
}

void amo_expanded_free(struct amo_expanded *e)
{
  if (!e) return;
  free_copy(e->model);
  free(e);
}

static void *copy(const void *from, size_t count, size_t size, bool *failed)
{
  void *to = amo_zalloc(count, size);
  if (to && count) memcpy(to, from, count * size);
  *failed |= !to;
  return to;
}

static bool copy_ties(amo_model *x, const amo_model *m)
{
  bool failed = false;
  x->contact = copy(m->contact, m->nc, sizeof *m->contact, &failed);
  x->constraint = copy(m->constraint, m->ng, sizeof *m->constraint, &failed);
  for (uint32_t c = 0; x->contact && c < m->nc; c++) {
    amo_contact *k = &x->contact[c];
    k->n = copy(k->n, k->nn, sizeof *k->n, &failed);
    k->w = copy(k->w, k->nw, sizeof *k->w, &failed);
    for (int a = 0; a < 2; a++) k->axis[a].w = copy(k->axis[a].w, k->axis[a].nw, sizeof *k->w, &failed);
  }
  for (uint32_t g = 0; x->constraint && g < m->ng; g++)
    x->constraint[g].g = copy(x->constraint[g].g, x->constraint[g].ng, sizeof(amo_entry), &failed);
  return !failed;
}

bool amo_places_own(amo_model *x, const amo_model *m)
{
  bool failed = false;
  x->step = NULL;
  x->contact = NULL;
  x->constraint = NULL;
  x->extra = copy(m->extra, m->nz, sizeof *m->extra, &failed);
  x->mass = copy(m->mass, m->nmass, sizeof *m->mass, &failed);
  x->r_h = copy(m->r_h, m->nq, sizeof *m->r_h, &failed);
  x->r_acc = copy(m->r_acc, m->nq, sizeof *m->r_acc, &failed);
  return copy_ties(x, m) && !failed;
}

static amo_status expand(const amo_model *m, amo_model **out)
{
  bool failed = false;
  amo_model *x = *out = copy(m, 1, sizeof *m, &failed);
  if (!x) return AMO_ENOMEM;
  x->plain = false;
  x->stage = AMO_STAGE_ORDER;
  x->acc = amo_zalloc(m->nq, sizeof *x->acc);  // no explicit form
  if (!amo_places_own(x, m) || !x->acc) return AMO_ENOMEM;
  return amo_compile_step(x);
}

/// Threads that ask at the same time may each make one; the first is kept.
amo_status amo_model_expanded(const amo_model *m, const amo_model **out)
{
  amo_model *kept = atomic_load(&m->expanded->model), *made = NULL;
  amo_status st = kept ? AMO_OK : expand(m, &made);
  if (!kept && st == AMO_OK && atomic_compare_exchange_strong(&m->expanded->model, &kept, made)) {
    kept = made;
    made = NULL;
  }
  free_copy(made);
  *out = kept;
  return st;
}
