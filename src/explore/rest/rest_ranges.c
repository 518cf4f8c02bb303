// SPDX-License-Identifier: Apache-2.0
/// Equilibrium is linear in the forces, x = x0 + N y, and for given signs of the reactions so are Coulomb's conditions: the least and the
/// largest of each force are linear programmes in y.
#include "explore/rest/rest_ranges.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "num/orthogonal.h"
#include "num/programme.h"
#include "explore/rest/rest_state.h"

enum { MOST_GUIDES = 8 };
static const double beyond = 1e9;  // times the loads: without limit

typedef struct forces {
  const amo_point *p;
  const signed char *stick;
  size_t n, rows, guides;
  size_t *reaction, *friction;  // [nc] their places in x; n: there is none
  double size;                  // of the loads
  double *x0, *z;               // x = x0 + z[:, rank..] y
  size_t rank;
  double *a, *b, *y, *work;  // conditions a y <= b; one that is fulfilled
  size_t *basis;
} forces;

static void place_forces(forces *f)
{
  const amo_model *m = f->p->m;
  for (uint32_t c = 0; c < m->nc; c++) {
    const bool acts = f->stick[c] == 0, gap = amo_has_gap(&m->contact[c]);
    f->reaction[c] = acts && gap ? f->n++ : SIZE_MAX;
    f->friction[c] = acts && m->contact[c].nw > 0 ? f->n++ : SIZE_MAX;
    f->guides += acts && gap && !amo_can_open(&m->contact[c]);
    f->rows += acts ? 3 : 0;
  }
  f->n += m->ng;
}

static void put_row(const forces *f, double *matrix, size_t column, const amo_entry *row, uint32_t n)
{
  for (uint32_t e = 0; e < n; e++) matrix[row[e].col * f->n + column] += f->p->reg[row[e].reg];
}

/// Forces that balance the loads; AMO_ENOANSWER: none do.
static amo_status balance_loads(forces *f, amo_arena *memory)
{
  const amo_model *m = f->p->m;
  const size_t n = f->n, rows = m->nq, longest = rows > n ? rows : n;
  double *matrix, *copy, *load, *asked;
  AMO_TAKE(memory, double, rows *n + 1, &matrix, &copy);
  AMO_TAKE(memory, double, longest + 1, &load, &f->x0);
  AMO_TAKE(memory, double, n *n + 1, &f->z);
  AMO_TAKE(memory, double, rows + 1, &asked);
  if (memory->failed) return AMO_ENOMEM;
  for (uint32_t c = 0; c < m->nc; c++) {
    const amo_contact *k = &m->contact[c];
    if (f->reaction[c] != SIZE_MAX) put_row(f, matrix, f->reaction[c], k->n, k->nn);
    if (f->friction[c] != SIZE_MAX) put_row(f, matrix, f->friction[c], k->w, k->nw);
  }
  for (uint32_t g = 0; g < m->ng; g++)
    put_row(f, matrix, n - m->ng + g, m->constraint[g].g, m->constraint[g].ng);
  amo_status st = amo_rest_asked((amo_point *)f->p, f->stick, true, asked);
  if (st != AMO_OK) return st;
  for (uint32_t i = 0; i < rows; i++) load[i] = -f->p->reg[m->r_h[i]];
  for (uint32_t e = 0; e < m->nmass; e++) {
    load[m->mass[e].row] += f->p->reg[m->mass[e].reg] * asked[m->mass[e].col];
    if (m->mass[e].row != m->mass[e].col)
      load[m->mass[e].col] += f->p->reg[m->mass[e].reg] * asked[m->mass[e].row];
  }
  for (size_t i = 0; i < rows; i++) {  // rows of size 1, whatever their units
    double most = 0.0;
    for (size_t j = 0; j < n; j++) most = fmax(most, fabs(matrix[i * n + j]));
    for (size_t j = 0; most > 0.0 && j < n; j++) matrix[i * n + j] /= most;
    f->x0[i] = load[i] /= most > 0.0 ? most : 1.0;
    f->size = fmax(f->size, fabs(load[i]));
  }
  if (f->size == 0.0) f->size = 1.0;  // without loads forces may only hold each other
  memcpy(copy, matrix, rows * n * sizeof *copy);
  st = amo_least_squares(matrix, rows, n, AMO_CANCELLED, f->x0, 1);
  if (st == AMO_OK) st = amo_null_space(copy, rows, n, AMO_CANCELLED, f->z, &f->rank);
  for (size_t i = 0; st == AMO_OK && i < rows; i++) {
    double left = -load[i];
    for (size_t j = 0; j < n; j++) left += matrix[i * n + j] * f->x0[j];
    if (fabs(left) > AMO_SAME * f->size) return AMO_ENOANSWER;
  }
  return st;
}

/// a[row] y <= b[row] for  factor[0] x[at[0]] + factor[1] x[at[1]] <= most.
static void put_condition(forces *f, size_t row, const size_t *at, const double *factor, double most)
{
  const size_t free = f->n - f->rank;
  f->b[row] = most;
  for (size_t k = 0; k < free; k++) f->a[row * free + k] = 0.0;
  for (int i = 0; i < 2; i++) {
    if (at[i] == SIZE_MAX) continue;
    f->b[row] -= factor[i] * f->x0[at[i]];
    for (size_t k = 0; k < free; k++) f->a[row * free + k] += factor[i] * f->z[at[i] * f->n + f->rank + k];
  }
}

static int sign_of(const forces *f, uint32_t c, size_t pattern)
{
  size_t guide = 0;
  if (amo_can_open(&f->p->m->contact[c])) return 1;
  for (uint32_t i = 0; i < c; i++) guide += f->reaction[i] != SIZE_MAX && !amo_can_open(&f->p->m->contact[i]);
  return pattern >> guide & 1 ? -1 : 1;
}

/// Coulomb's conditions with these signs; is there a share of the loads that fulfils them? Then it is f->y, and b is what is left to it.
static bool is_possible(forces *f, size_t pattern)
{
  const amo_model *m = f->p->m;
  const size_t free = f->n - f->rank;
  size_t rows = 0;
  for (uint32_t c = 0; c < m->nc; c++) {
    const amo_contact *k = &m->contact[c];
    if (f->stick[c] != 0) continue;
    const size_t at[2] = {f->reaction[c], f->friction[c]};
    const double sign = sign_of(f, c, pattern), bound = f->p->reg[amo_bound_register(k)] * (k->nw > 0);
    for (int side = -1; side <= 1; side++) {
      const double by = !amo_has_gap(k) ? 0.0 : -sign * (side == 0 ? 1.0 : bound);
      if (side == 0 && !amo_has_gap(k)) continue;
      if (side != 0 && k->nw == 0) continue;
      put_condition(f, rows++, at, (double[2]){by, side}, amo_has_gap(k) ? 0.0 : bound);
    }
  }
  f->rows = rows;
  const double room =
      amo_most_room(&(amo_room){rows, free, f->a, f->b, f->size, f->work, f->basis, NULL}, f->y, NULL, NULL);
  if (!(room >= -AMO_SAME * f->size)) return false;
  for (size_t i = 0; i < rows; i++) {
    for (size_t k = 0; k < free; k++) f->b[i] -= f->a[i * free + k] * f->y[k];
    f->b[i] = fmax(f->b[i], 0.0);
  }
  return true;
}

/// The largest of side * x[at] over all shares; INFINITY: there is none.
static double largest(forces *f, size_t at, double side, bool *held, double *further)
{
  const size_t free = f->n - f->rank;
  double now = f->x0[at];
  for (size_t k = 0; k < free; k++) {
    now += f->z[at * f->n + f->rank + k] * f->y[k];
    f->a[f->rows * free + k] = -side * f->z[at * f->n + f->rank + k];
  }
  f->b[f->rows] = 0.0;
  const double most = beyond * f->size;
  const double more = amo_most_room(&(amo_room){f->rows + 1, free, f->a, f->b, most, f->work, f->basis, held},
                                    further, NULL, NULL);
  const double x = side * now + fmax(more, 0.0);
  return more >= 0.5 * most ? INFINITY : fabs(x) <= AMO_NOTHING * f->size ? 0.0 : x;
}

static bool is_zero(const double range[2])
{
  return range[0] == 0.0 && range[1] == 0.0;
}

/// The ranges of one combination of signs. False: with a reaction that is always zero; the other sign tells it.
static bool find_ranges(forces *f, size_t pattern, bool *held, double *further, amo_rest_range *out)
{
  const amo_model *m = f->p->m;
  for (uint32_t c = 0; c < m->nc; c++) {
    const size_t at[2] = {f->reaction[c], f->friction[c]};
    double *const range[2] = {out[c].reaction, out[c].friction};
    for (int i = 0; i < 2; i++) {
      const bool acts = at[i] != SIZE_MAX;
      range[i][0] = acts ? -largest(f, at[i], -1.0, held, further) : NAN;
      range[i][1] = acts ? largest(f, at[i], 1.0, held, further) : NAN;
      if (i == 0 && is_zero(range[i]) && sign_of(f, c, pattern) < 0) return false;
    }
  }
  return true;
}

static amo_status look(forces *f, amo_arena *memory, amo_rest_range **share, size_t *shares)
{
  const size_t free = f->n - f->rank, rows = f->rows + 1, nc = f->p->m->nc;
  size_t capacity = 0;
  double *further;
  bool *held;
  AMO_TAKE(memory, double, rows *free + 1, &f->a);
  AMO_TAKE(memory, double, rows, &f->b);
  AMO_TAKE(memory, double, free + 1, &f->y, &further);
  AMO_TAKE(memory, double, amo_room_work(rows, free), &f->work);
  AMO_TAKE(memory, size_t, amo_room_basis(rows, free), &f->basis);
  AMO_TAKE(memory, bool, rows, &held);
  if (memory->failed) return AMO_ENOMEM;
  for (size_t pattern = 0; pattern >> f->guides == 0; pattern++) {
    if (!is_possible(f, pattern)) continue;
    amo_rest_range *all = amo_grow(*share, &capacity, (*shares + 1) * nc, sizeof *all);
    if (!all) return AMO_ENOMEM;
    *share = all;
    for (size_t i = 0; i < rows; i++) held[i] = i < f->rows;
    if (find_ranges(f, pattern, held, further, all + *shares * nc)) ++*shares;
  }
  return AMO_OK;
}

amo_status amo_rest_ranges(amo_point *p, const signed char *stick, amo_rest_range **share, size_t *shares)
{
  const amo_model *m = p->m;
  amo_arena memory = {0};
  forces f = {.p = p, .stick = stick};
  *share = NULL, *shares = 0;
  for (uint32_t c = 0; c < m->nc; c++)
    if (stick[c] == 0 && (amo_slip_rows(&m->contact[c]) > 1 || m->contact[c].npressing > 0))
      return AMO_EUNSUPPORTED;
  AMO_TAKE(&memory, size_t, m->nc + 1u, &f.reaction, &f.friction);
  amo_status st = memory.failed ? AMO_ENOMEM : AMO_OK;
  if (st == AMO_OK) place_forces(&f);
  if (st == AMO_OK && f.guides > MOST_GUIDES) st = AMO_EUNSUPPORTED;
  if (st == AMO_OK) st = balance_loads(&f, &memory);
  if (st == AMO_OK) st = look(&f, &memory, share, shares);
  amo_arena_free(&memory);
  return st == AMO_ENOANSWER ? AMO_OK : st;
}
