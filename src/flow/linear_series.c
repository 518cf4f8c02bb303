// SPDX-License-Identifier: Apache-2.0
#include "flow/linear_series.h"

#include <stdlib.h>
#include <string.h>

#include "contact/balance_cache.h"
#include "expr/lanes.h"

enum { SPARE = 8 };  // modes kept beyond those of the lanes

struct amo_linear_series {
  amo_arena memory;
  amo_lanes_system system;  // of the lanes
  int forces;               // row of the first force, after accelerations and rates
  size_t padded;            // rows of a matrix that is kept
  double *matrix;           // the system's
  amo_balance_cache *kept;  // balances
  double *found;            // [count] matrices that go with them, as those of a system with one lane
  int count, *at;           // at[W]: the lane's
  bool registers;           // conditions need more than states and unknowns
};

// ---- which models ----

static bool applies(const amo_model *m)
{
  return m->njoint == 0 && amo_balance_cache_applies(m) && amo_prog_switches(m->step) == 0 &&
         amo_jet_is_linear(m->step);
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

void amo_linear_series_free(struct amo_linear_series *w)
{
  if (w == NULL) return;
  amo_balance_cache_free(w->kept);
  amo_arena_free(&w->memory);
  free(w);
}

/// Unknowns: accelerations, rates, then all forces.
static void find_unknowns(const amo_flow *f, struct amo_linear_series *w)
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
    s->integral[2 * m->nq + i] = amo_prog_is_fixed(m->step, reg) ? AMO_SYSTEM_ZERO : s->states + n;
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

amo_status amo_linear_series_new(const amo_flow *f, struct amo_linear_series **out)
{
  const amo_model *m = f->m;
  *out = NULL;
  if (!applies(m) || f->givens > 0 || f->ns > AMO_SYSTEM_MAX ||
      m->nq + m->nz + 2u * m->nc + m->ng > AMO_SYSTEM_MAX)
    return AMO_OK;
  struct amo_linear_series *w = *out = calloc(1, sizeof *w);
  if (w == NULL) return AMO_ENOMEM;
  w->system.states = (int)f->ns;
  for (uint32_t i = 0; i < f->ns; i++) w->system.y[i] = f->state[i];
  find_unknowns(f, w);
  w->padded = ((size_t)w->system.rows + 3) / 4 * 4;
  w->count = f->W + SPARE;
  w->registers = needs_registers(m);
  AMO_TAKE(&w->memory, double, w->padded *(f->ns + 1u) * (size_t)f->W, &w->matrix);
  AMO_TAKE(&w->memory, double, w->padded *(f->ns + 1u) * (size_t)w->count, &w->found);
  AMO_TAKE(&w->memory, int, (size_t)f->W, &w->at);
  if (w->memory.failed) return AMO_ENOMEM;
  w->system.matrix = w->matrix;
  for (int l = 0; l < f->W; l++) w->at[l] = -1;
  return amo_balance_cache_new(m, w->count, &w->kept);
}

// ---- modes and parameters to balance and matrix ----

static amo_span registers_of(const amo_flow *f, int lane)
{
  return (amo_span){f->jet + lane, amo_flow_item(f), (size_t)f->W};
}

static double *matrix_of(const amo_flow *f, int lane)
{
  return f->uniform->found + (size_t)f->uniform->at[lane] * f->uniform->padded * (f->ns + 1u);
}

static void give_matrix(amo_flow *f, int lane)
{
  const struct amo_linear_series *w = f->uniform;
  const double *from = matrix_of(f, lane);
  const size_t W = (size_t)f->W, rows = (size_t)w->system.rows;
  if (W == 1) {
    f->uniform->system.matrix = from;
    return;
  }
  for (size_t c = 0; c <= f->ns; c++)
    for (size_t r = 0; r < rows; r++) w->matrix[(c * rows + r) * W + (size_t)lane] = from[c * w->padded + r];
}

void amo_linear_series_arrange(amo_flow *f, int lane)
{
  struct amo_linear_series *w = f->uniform;
  const amo_lane *l = &f->lane[lane];
  w->at[lane] = -1;
  w->at[lane] =
      amo_balance_cache_find(w->kept, l->mode, l->reaction_sign, registers_of(f, lane), w->at, f->W);
  f->balance[lane] = amo_balance_cache_balance(w->kept, w->at[lane]);
  if (!amo_balance_cache_is_fresh(w->kept, w->at[lane])) give_matrix(f, lane);
}

amo_status amo_linear_series_status(const amo_flow *f, int lane)
{
  return amo_balance_cache_factor(f->uniform->kept, f->uniform->at[lane], registers_of(f, lane));
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
  const struct amo_linear_series *w = f->uniform;
  const amo_lanes_system *s = &w->system;
  double *matrix = matrix_of(f, lane);
  const size_t W = (size_t)f->W, at = W + (size_t)lane;
  for (int i = w->forces; i < s->rows; i++) s->x[i][at] = 0.0;  // not all are unknowns in these modes
  amo_balance_solve(f->balance[lane], registers_of(f, lane), amo_flow_results(f, lane), 1);
  for (int i = 0; i < s->rows; i++) matrix[column * w->padded + (size_t)i] = s->x[i][at];
}

/// The first lane of each new set of modes finds its matrix.
void amo_linear_series_prepare(amo_flow *f)
{
  struct amo_linear_series *w = f->uniform;
  int finder[AMO_LANES], finders = 0;
  for (int l = 0; l < f->W; l++) {
    if (w->at[l] < 0 || !amo_balance_cache_is_fresh(w->kept, w->at[l])) continue;
    (void)amo_linear_series_status(f, l);
    finder[finders++] = l;
  }
  for (uint32_t c = 0; finders > 0 && c <= f->ns; c++) {
    set_unit(f, c);
    amo_flow_evaluate_order(f, 1);
    for (int i = 0; i < finders; i++)
      if (amo_linear_series_status(f, finder[i]) == AMO_OK) find_column(f, finder[i], c);
  }
  for (int l = 0; finders > 0 && l < f->W; l++)
    for (int i = 0; i < finders; i++)
      if (w->at[l] == w->at[finder[i]]) give_matrix(f, l);
}

void amo_linear_series_expand(amo_flow *f)
{
  amo_lanes_linear(&f->uniform->system, f->P, f->W);
  for (int k = 1; f->uniform->registers && k <= f->P; k++) amo_flow_evaluate_order(f, k);
}
