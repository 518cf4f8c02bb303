// SPDX-License-Identifier: Apache-2.0
#include "contact/relax.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static const double settled = AMO_CANCELLED;  // change of a force in one sweep, of the largest
static const double enough = AMO_SAME;        // the same where rounding of the rates allows no more
static const double unclear = 1e-7;  // of the largest force, and of what it could do: may as well be zero

amo_status amo_relax_new(const amo_model *m, amo_relax **out)
{
  const size_t nc = m->nc + 1u;
  amo_relax *w = *out = amo_zalloc(1, sizeof *w);
  if (w == NULL) return AMO_ENOMEM;
  w->m = m;
  AMO_TAKE(&w->memory, amo_cone, nc, &w->cone);
  AMO_TAKE(&w->memory, const amo_entry *, 3 * nc, &w->entry);
  AMO_TAKE(&w->memory, uint32_t, 3 * nc, &w->entries);
  AMO_TAKE(&w->memory, double, 6 * nc + 2 * (m->nxi + m->ng) + m->nq + 1u, &w->scratch);
  AMO_TAKE(&w->memory, signed char, nc, &w->mode, &w->reaction_sign);
  return w->memory.failed ? AMO_ENOMEM : AMO_OK;
}

void amo_relax_free(amo_relax *w)
{
  if (w == NULL) return;
  amo_arena_free(&w->answers);
  amo_arena_free(&w->memory);
  free(w);
}

void amo_relax_begin(amo_relax *w)
{
  w->count = w->rows = 0;
}

static void add_row(amo_relax *w, const amo_entry *entry, uint32_t n)
{
  w->entry[w->rows] = entry;
  w->entries[w->rows++] = n;
}

amo_cone *amo_relax_add(amo_relax *w, const amo_point *p, uint32_t c)
{
  const amo_contact *k = &w->m->contact[c];
  amo_cone *x = &w->cone[w->count++];
  *x = (amo_cone){.contact = c, .row = w->rows, .one_sided = amo_can_open(k)};
  if (amo_has_gap(k)) {
    add_row(w, k->n, k->nn);
    x->normals = 1;
  }
  for (uint32_t a = 0; a < amo_slip_rows(k); a++) {
    const uint32_t n = amo_turns(k) ? k->axis[a].nw : k->nw;
    if (n == 0) continue;
    add_row(w, amo_turns(k) ? k->axis[a].w : k->w, n);
    x->axes++;
  }
  x->bound = p->reg[k->r_bound];
  x->kinetic = p->reg[k->r_kinetic];
  return x;
}

/// The balance without the contacts: only constraints tie.
static amo_status arrange(amo_relax *w, amo_point *p)
{
  for (uint32_t c = 0; c < w->m->nc; c++) {
    w->mode[c] = amo_can_open(&w->m->contact[c]) ? AMO_MODE_OPEN : 1;
    w->reaction_sign[c] = AMO_FREED;
  }
  return amo_point_arrange(p, w->mode, w->reaction_sign);
}

static amo_result result_of(const amo_relax *w, double *acc, const double *extra, const amo_rates *jump)
{
  double *lambda = w->scratch, *reaction = lambda + w->m->nc, *traction = reaction + w->m->nc;
  return (amo_result){acc, lambda, traction + w->m->nxi, reaction, traction, 1, 0, extra, jump, NULL};
}

amo_status amo_relax_free_motion(amo_relax *w, amo_point *p, double *acc)
{
  amo_status st = arrange(w, p);
  if (st == AMO_OK) amo_balance_solve(p->balance, (amo_span){p->reg, 1, 0}, result_of(w, acc, NULL, NULL), 0);
  return st;
}

static amo_status reserve(amo_relax *w)
{
  if (w->rows <= w->capacity) return AMO_OK;
  amo_arena_free(&w->answers);
  AMO_TAKE(&w->answers, double, w->rows *(w->m->nq + 1u), &w->response);
  AMO_TAKE(&w->answers, double, (size_t)w->rows * w->rows, &w->matrix);
  w->capacity = w->answers.failed ? 0 : w->rows;
  return w->answers.failed ? AMO_ENOMEM : AMO_OK;
}

/// How every row answers a unit of force along every other.
static amo_status respond(amo_relax *w, amo_point *p)
{
  const uint32_t nq = w->m->nq;
  amo_status st = reserve(w);
  if (st == AMO_OK) st = arrange(w, p);
  if (st != AMO_OK) return st;
  const size_t ties = w->m->nc + w->m->nxi + w->m->ng;
  double *none = w->scratch + w->m->nc + ties, *unit = none + ties;
  memset(none, 0, ties * sizeof *none);
  // no tie of a contact is arranged: only the constraints are asked for their rates
  const amo_rates still = {none, none, none, none};
  for (uint32_t r = 0; r < w->rows; r++) {
    memset(unit, 0, nq * sizeof *unit);
    for (uint32_t e = 0; e < w->entries[r]; e++) unit[w->entry[r][e].col] += p->reg[w->entry[r][e].reg];
    amo_balance_solve(p->balance, (amo_span){p->reg, 1, 0},
                      result_of(w, w->response + (size_t)r * nq, unit, &still), 0);
  }
  for (uint32_t i = 0; i < w->rows; i++)
    for (uint32_t j = 0; j < w->rows; j++) {
      double sum = 0.0;
      for (uint32_t e = 0; e < w->entries[i]; e++)
        sum += p->reg[w->entry[i][e].reg] * w->response[(size_t)j * nq + w->entry[i][e].col];
      w->matrix[(size_t)i * w->rows + j] = sum;
    }
  return AMO_OK;
}

static void change_force(amo_relax *w, double *rate, uint32_t row, double *force, double to)
{
  const double more = to - *force;
  *force = to;
  for (uint32_t i = 0; i < w->rows; i++) rate[i] += w->matrix[(size_t)i * w->rows + row] * more;
}

/// What a unit of normal force does to its own gap. In slip friction goes with it, unless that would turn the answer round.
static double ease_of(const amo_relax *w, const amo_cone *x)
{
  const double *row = w->matrix + (size_t)x->row * w->rows, bare = row[x->row];
  double ease = bare;
  for (uint32_t a = 0; x->moving && a < x->axes; a++)
    ease -= x->direction[a] * x->kinetic * row[x->row + 1 + a] * (x->force[0] < 0.0 ? -1.0 : 1.0);
  return ease > 0.1 * bare ? ease : bare;
}

/// The normal force that its own gap asks for.
static void reaction_sign(amo_relax *w, double *rate, amo_cone *x)
{
  if (x->normals == 0) return;
  const double ease = ease_of(w, x);
  if (!(ease > 0.0)) return;
  double to = x->force[0] - rate[x->row] / ease;
  if (x->one_sided && to < 0.0) to = 0.0;
  change_force(w, rate, x->row, &x->force[0], to);
}

/// The friction that its own slip asks for, within its cone.
static void rub(amo_relax *w, double *rate, amo_cone *x)
{
  const double load = x->normals > 0 ? fabs(x->force[0]) : 1.0;
  double to[2] = {0}, size = 0.0;
  for (uint32_t a = 0; a < x->axes; a++) {
    const uint32_t r = x->row + x->normals + a;
    const double ease = w->matrix[(size_t)r * w->rows + r];
    if (x->moving)
      to[a] = -x->direction[a] * x->kinetic * load;
    else if (ease > 0.0)
      to[a] = x->force[1 + a] - rate[r] / ease;
    size = hypot(size, to[a]);
  }
  const double most = x->bound * load, part = !x->moving && size > most ? most / size : 1.0;
  for (uint32_t a = 0; a < x->axes; a++)
    change_force(w, rate, x->row + x->normals + a, &x->force[1 + a], part * to[a]);
}

static double largest(const amo_relax *w)
{
  double most = 0.0;
  for (uint32_t i = 0; i < w->count; i++)
    for (int j = 0; j < 3; j++) most = fmax(most, fabs(w->cone[i].force[j]));
  return most;
}

static double sweep(amo_relax *w, double *rate)
{
  double change = 0.0;
  for (uint32_t i = 0; i < w->count; i++) {
    amo_cone *x = &w->cone[i];
    const double before[3] = {x->force[0], x->force[1], x->force[2]};
    reaction_sign(w, rate, x);
    rub(w, rate, x);
    for (int j = 0; j < 3; j++) change = fmax(change, fabs(x->force[j] - before[j]));
  }
  return change;
}

static void find_noise(amo_relax *w, const double *rate)
{
  double fastest = 0.0, stiffest = 0.0;
  for (uint32_t i = 0; i < w->rows; i++) {
    fastest = fmax(fastest, fabs(rate[i]));
    const double ease = w->matrix[(size_t)i * w->rows + i];
    if (ease > 0.0) stiffest = fmax(stiffest, 1.0 / ease);
  }
  w->noise = 8.0 * DBL_EPSILON * fastest;
  w->floor = w->noise * stiffest;
}

amo_status amo_relax_start(amo_relax *w, amo_point *p)
{
  amo_status st = respond(w, p);
  if (st != AMO_OK) return st;
  for (uint32_t i = 0; i < w->count; i++) {
    const amo_cone *x = &w->cone[i];
    for (uint32_t a = 0; a < x->normals + x->axes; a++)
      w->scratch[x->row + a] = x->asked[x->normals == 0 ? 1 + a : a];
  }
  find_noise(w, w->scratch);
  return AMO_OK;
}

amo_status amo_relax_sweep(amo_relax *w, int sweeps)
{
  double *rate = w->scratch;  // [rows]
  double change = INFINITY, most = 0.0;
  for (int i = 0; i < sweeps && !(change <= settled * most); i++) {
    change = sweep(w, rate);
    most = largest(w);
    if (!isfinite(most)) return AMO_ENOANSWER;
  }
  for (uint32_t i = 0; i < w->count; i++) {
    amo_cone *x = &w->cone[i];
    for (uint32_t a = 0; a < x->normals + x->axes; a++)
      x->rate[x->normals == 0 ? 1 + a : a] = rate[x->row + a];
  }
  w->settled = change <= enough * most + w->floor;
  return AMO_OK;
}

/// Can the rate of a row not be told from zero?
static bool still(const amo_relax *w, const amo_cone *x, uint32_t i, double most)
{
  const uint32_t r = x->row + i;
  double reach = 0.0;
  for (uint32_t j = 0; j < w->rows; j++) reach = fmax(reach, fabs(w->matrix[(size_t)r * w->rows + j]));
  return fabs(x->rate[x->normals == 0 ? 1 + i : i]) <= unclear * most * reach + w->noise;
}

/// Friction of a contact that is closed, its reaction of sign `sign`.
static void propose_friction(const amo_relax *w, const amo_cone *x, amo_ways *out, double most, int sign)
{
  const uint32_t c = x->contact;
  const bool planar = !amo_turns(&w->m->contact[c]);
  if (x->moving) {
    amo_ways_add(out, c, planar && x->direction[0] < 0.0 ? -1 : 1, sign);
    return;
  }
  const double size = hypot(x->force[1], x->force[2]);
  const double bound = x->bound * (x->normals > 0 ? fabs(x->force[0]) : 1.0);
  bool rests = true;
  for (uint32_t a = 0; a < x->axes; a++) rests &= still(w, x, x->normals + a, most);
  const bool within = size < bound * (1.0 - unclear) || x->axes == 0;
  if (within || rests) amo_ways_add(out, c, 0, sign);
  if (within && bound > unclear * most) return;
  const int ahead = planar && (size > 0.0 ? x->force[1] > 0.0 : x->rate[1] < 0.0) ? -1 : 1;
  amo_ways_add(out, c, ahead, sign);
  if (planar && rests && !(size > unclear * most)) amo_ways_add(out, c, -ahead, sign);
}

void amo_relax_propose(const amo_relax *w, amo_ways *out)
{
  const double most = largest(w);
  for (uint32_t i = 0; i < w->count; i++) {
    const amo_cone *x = &w->cone[i];
    const bool slack = x->normals > 0 && fabs(x->force[0]) <= unclear * most + w->floor;
    amo_ways_clear(out, x->contact);
    if (x->one_sided && slack) amo_ways_add(out, x->contact, AMO_MODE_OPEN, 1);
    if (x->one_sided && slack && !still(w, x, 0, most)) continue;
    propose_friction(w, x, out, most, !x->one_sided && x->force[0] < 0.0 ? -1 : 1);
    if (!x->one_sided && slack) propose_friction(w, x, out, most, x->force[0] < 0.0 ? 1 : -1);
  }
}
