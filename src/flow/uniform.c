// SPDX-License-Identifier: Apache-2.0
#include "flow/uniform.h"

#include <stdlib.h>
#include <string.h>

#include "flow/lanes.h"

enum { SPARE = 8 };  // modes kept beyond those of the lanes

typedef struct known {
  bool used, fresh;  // fresh: without factors and matrix yet
  signed char *mode, *press;
  double *param;
  amo_balance *balance;
  amo_status status;  // of the factors
  double *matrix;     // as that of a system with one lane
} known;

struct amo_uniform {
  amo_lanes_system system;  // of the lanes
  int forces;               // row of the first force, after accelerations and rates
  size_t padded;            // rows of a matrix that is kept
  double *matrix;           // the system's
  known *item;              // [count]
  int count, next, *at;     // at[W]: the lane's
  bool registers;           // conditions need more than states and unknowns
};

// ---- which models ----

static bool entries_fixed(const amo_model *m, const amo_entry *e, uint32_t n)
{
  for (uint32_t i = 0; i < n; i++)
    if (!amo_prog_is_fixed(m->step, e[i].reg)) return false;
  return true;
}

static bool applies(const amo_model *m)
{
  if (m->plain || m->nxi > 0 || amo_prog_switches(m->step) > 0 || !amo_jet_is_linear(m->step)) return false;
  if (!entries_fixed(m, m->mass, m->nmass)) return false;
  for (uint32_t c = 0; c < m->nc; c++) {
    const amo_contact *k = &m->contact[c];
    if (!entries_fixed(m, k->w, k->nw) || !entries_fixed(m, k->n, k->nn)) return false;
    if (amo_has_gap(k) && !amo_prog_is_fixed(m->step, k->r_kinetic)) return false;
  }
  for (uint32_t g = 0; g < m->ng; g++)
    if (!entries_fixed(m, m->constraint[g].g, m->constraint[g].ng)) return false;
  return true;
}

static bool is_computed(const amo_model *m, uint32_t reg)
{
  return reg >= m->leaf.count && !amo_prog_is_fixed(m->step, reg);
}

static bool needs_registers(const amo_model *m)
{
  for (uint32_t c = 0; c < m->nc; c++) {
    const amo_contact *k = &m->contact[c];
    if (is_computed(m, k->r_slip) || is_computed(m, k->r_bound) ||
        (amo_has_gap(k) && is_computed(m, k->r_gap)))
      return true;
  }
  return amo_jet_finish_needs_order(m->step);
}

// ---- memory ----

static bool make_known(const amo_model *m, size_t entries, known *k)
{
  k->mode = calloc(m->nc + 1u, 1);
  k->press = calloc(m->nc + 1u, 1);
  k->param = calloc(m->np + 1u, sizeof *k->param);
  k->matrix = calloc(entries, sizeof *k->matrix);
  return k->mode && k->press && k->param && k->matrix && amo_balance_new(m, &k->balance) == AMO_OK;
}

static void free_known(known *k)
{
  free(k->mode);
  free(k->press);
  free(k->param);
  free(k->matrix);
  amo_balance_free(k->balance);
}

void amo_uniform_free(struct amo_uniform *w)
{
  if (w == NULL) return;
  for (int i = 0; w->item != NULL && i < w->count; i++) free_known(&w->item[i]);
  free(w->item);
  free(w->at);
  free(w->matrix);
  free(w);
}

/// Unknowns: accelerations, rates, then all forces.
static void find_unknowns(const amo_flow *f, struct amo_uniform *w)
{
  const amo_model *m = f->m;
  const size_t it = amo_flow_item(f);
  amo_lanes_system *s = &w->system;
  int n = 0;
  for (uint32_t q = 0; q < m->nq; q++) {
    s->integral[q] = (int)(m->nq + q);
    s->integral[m->nq + q] = s->states + n;
    s->x[n++] = f->acc + q * it;
  }
  for (uint32_t i = 0; i < m->nz; i++) {
    const uint32_t reg = m->extra[i].r_rate;
    s->integral[2 * m->nq + i] = amo_prog_is_fixed(m->step, reg) ? -1 : s->states + n;
    if (!amo_prog_is_fixed(m->step, reg)) s->x[n++] = f->jet + reg * it;
  }
  w->forces = n;
  for (uint32_t c = 0; c < m->nc; c++) {
    s->x[n++] = f->lambda + c * it;
    if (amo_has_gap(&m->contact[c])) s->x[n++] = f->reaction + c * it;
  }
  for (uint32_t g = 0; g < m->ng; g++) s->x[n++] = f->multiplier + g * it;
  s->rows = n;
}

amo_status amo_uniform_new(const amo_flow *f, struct amo_uniform **out)
{
  const amo_model *m = f->m;
  *out = NULL;
  if (!applies(m) || f->ns > AMO_SYSTEM_MAX || m->nq + m->nz + 2u * m->nc + m->ng > AMO_SYSTEM_MAX)
    return AMO_OK;
  struct amo_uniform *w = *out = calloc(1, sizeof *w);
  if (w == NULL) return AMO_ENOMEM;
  w->system.states = (int)f->ns;
  for (uint32_t i = 0; i < f->ns; i++) w->system.y[i] = f->state[i];
  find_unknowns(f, w);
  w->padded = ((size_t)w->system.rows + 3) / 4 * 4;
  w->count = f->W + SPARE;
  w->registers = needs_registers(m);
  w->system.matrix = w->matrix = calloc(w->padded * (f->ns + 1u) * (size_t)f->W, sizeof *w->matrix);
  w->item = calloc((size_t)w->count, sizeof *w->item);
  w->at = calloc((size_t)f->W, sizeof *w->at);
  if (!w->matrix || !w->item || !w->at) return AMO_ENOMEM;
  for (int i = 0; i < w->count; i++)
    if (!make_known(m, w->padded * (f->ns + 1u), &w->item[i])) return AMO_ENOMEM;
  for (int l = 0; l < f->W; l++) w->at[l] = -1;
  return AMO_OK;
}

// ---- modes and parameters to balance and matrix ----

static double parameter(const amo_flow *f, int lane, uint32_t i)
{
  return *amo_flow_series(f, lane, f->m->leaf.param + i);
}

static bool belongs(const amo_flow *f, const known *k, int lane)
{
  const amo_lane *l = &f->lane[lane];
  if (!k->used || memcmp(k->mode, l->mode, f->m->nc) != 0 || memcmp(k->press, l->press, f->m->nc) != 0)
    return false;
  for (uint32_t i = 0; i < f->m->np; i++)
    if (k->param[i] != parameter(f, lane, i)) return false;
  return true;
}

static bool in_use(const amo_flow *f, int item)
{
  for (int l = 0; l < f->W; l++)
    if (f->uniform->at[l] == item) return true;
  return false;
}

static int find(const amo_flow *f, int lane)
{
  for (int i = 0; i < f->uniform->count; i++)
    if (belongs(f, &f->uniform->item[i], lane)) return i;
  return -1;
}

/// The one that has been there longest makes room.
static int replace(amo_flow *f, int lane)
{
  struct amo_uniform *w = f->uniform;
  const amo_lane *l = &f->lane[lane];
  while (in_use(f, w->next)) w->next = (w->next + 1) % w->count;
  const int i = w->next;
  known *k = &w->item[i];
  w->next = (w->next + 1) % w->count;
  k->used = k->fresh = true;
  memcpy(k->mode, l->mode, f->m->nc);
  memcpy(k->press, l->press, f->m->nc);
  for (uint32_t p = 0; p < f->m->np; p++) k->param[p] = parameter(f, lane, p);
  amo_balance_arrange(k->balance, l->mode, l->press);
  return i;
}

static void give_matrix(amo_flow *f, int lane)
{
  const struct amo_uniform *w = f->uniform;
  const double *from = w->item[w->at[lane]].matrix;
  const size_t W = (size_t)f->W, rows = (size_t)w->system.rows;
  if (W == 1) {
    f->uniform->system.matrix = from;
    return;
  }
  for (size_t c = 0; c <= f->ns; c++)
    for (size_t r = 0; r < rows; r++) w->matrix[(c * rows + r) * W + (size_t)lane] = from[c * w->padded + r];
}

void amo_uniform_arrange(amo_flow *f, int lane)
{
  struct amo_uniform *w = f->uniform;
  w->at[lane] = -1;
  const int i = find(f, lane);
  w->at[lane] = i >= 0 ? i : replace(f, lane);
  f->balance[lane] = w->item[w->at[lane]].balance;
  if (!w->item[w->at[lane]].fresh) give_matrix(f, lane);
}

amo_status amo_uniform_status(const amo_flow *f, int lane)
{
  return f->uniform->item[f->uniform->at[lane]].status;
}

/// Coefficients 1 of states and time, the same for all lanes: column `one` of the unit matrix.
static void set_unit(amo_flow *f, uint32_t one)
{
  const size_t W = (size_t)f->W;
  double *time = f->jet + f->m->leaf.t * amo_flow_item(f);
  for (size_t l = 0; l < W; l++) {
    for (uint32_t i = 0; i < f->ns; i++) f->state[i][W + l] = i == one ? 1.0 : 0.0;
    time[W + l] = one == f->ns ? 1.0 : 0.0;
  }
}

static void find_column(amo_flow *f, int lane, uint32_t column)
{
  const struct amo_uniform *w = f->uniform;
  const amo_lanes_system *s = &w->system;
  const known *k = &w->item[w->at[lane]];
  const size_t W = (size_t)f->W, it = amo_flow_item(f), at = W + (size_t)lane;
  for (int i = w->forces; i < s->rows; i++) s->x[i][at] = 0.0;  // not all are unknowns in these modes
  const amo_result r = {
      f->acc + lane, f->lambda + lane, f->multiplier + lane, f->reaction + lane, f->traction + lane, it, W,
      NULL};
  amo_balance_solve(k->balance, (amo_span){f->jet + lane, it, W}, r, 1);
  for (int i = 0; i < s->rows; i++) k->matrix[column * w->padded + (size_t)i] = s->x[i][at];
}

/// The first lane of each new set of modes finds its matrix.
void amo_uniform_prepare(amo_flow *f)
{
  struct amo_uniform *w = f->uniform;
  int finder[AMO_LANES], finders = 0;
  for (int l = 0; l < f->W; l++) {
    known *k = w->at[l] >= 0 ? &w->item[w->at[l]] : NULL;
    if (k == NULL || !k->fresh) continue;
    k->fresh = false;
    k->status = amo_balance_factor(k->balance, (amo_span){f->jet + l, amo_flow_item(f), (size_t)f->W});
    finder[finders++] = l;
  }
  for (uint32_t c = 0; finders > 0 && c <= f->ns; c++) {
    set_unit(f, c);
    amo_flow_evaluate_order(f, 1);
    for (int i = 0; i < finders; i++)
      if (amo_uniform_status(f, finder[i]) == AMO_OK) find_column(f, finder[i], c);
  }
  for (int l = 0; finders > 0 && l < f->W; l++)
    for (int i = 0; i < finders; i++)
      if (w->at[l] == w->at[finder[i]]) give_matrix(f, l);
}

void amo_uniform_expand(amo_flow *f)
{
  amo_lanes_linear(&f->uniform->system, f->P, f->W);
  for (int k = 1; f->uniform->registers && k <= f->P; k++) amo_flow_evaluate_order(f, k);
}
