// SPDX-License-Identifier: Apache-2.0
#include "quasistatic/rate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "contact/blocks.h"
#include "contact/ways.h"

enum { COMBINATIONS = 4096, SWEEPS = 200 };

typedef struct rate_search {
  amo_statics *s;
  amo_qs_known known;  // the state is the caller's, the rates are of the modes at hand
  const amo_qs_at *at;
  amo_blocks blocks;
  amo_ways ways;
  uint32_t block;     // that is looked at; blocks.count: coordinates without contacts
  bool *in;           // [ny] unknowns of it
  amo_qs_mode *mode;  // [nc]
  amo_rate_set found;
} rate_search;

// ---- one combination ----

void amo_rates_free(amo_rate_set *r)
{
  amo_arena_free(&r->memory);
  free(r->item);
  *r = (amo_rate_set){0};
}

static amo_status keep(amo_rate_set *r, const amo_statics *s, const amo_qs_mode *mode, const amo_qs_known *k,
                       double margin)
{
  const size_t n = s->ny;
  if (!AMO_ROOM(r->item, r->count, r->capacity)) return AMO_ENOMEM;
  amo_rate_solution *x = &r->item[r->count++];
  x->margin = margin;
  AMO_TAKE(&r->memory, amo_qs_mode, s->nc, &x->mode);
  AMO_TAKE(&r->memory, double, n, &x->rate, &x->error);
  if (r->memory.failed) return AMO_ENOMEM;
  memcpy(x->mode, mode, s->nc * sizeof *x->mode);
  memcpy(x->rate, k->rate, n * sizeof *x->rate);
  memcpy(x->error, k->rate_error, n * sizeof *x->error);
  return AMO_OK;
}

/// Is there a way already with the same rates? What slips without force is then said to be open: it has no direction to keep.
static bool is_listed(rate_search *q)
{
  const double *rate = q->known.rate, *error = q->known.rate_error;
  for (size_t i = 0; i < q->found.count; i++) {
    amo_rate_solution *x = &q->found.item[i];
    bool same = true;
    for (size_t k = 0; same && k < q->s->ny; k++) same = fabs(rate[k] - x->rate[k]) <= error[k] + x->error[k];
    for (uint32_t c = 0; same && c < q->s->nc; c++)
      if (x->mode[c].kind == AMO_QS_SLIP && q->mode[c].kind == AMO_QS_OPEN) x->mode[c] = q->mode[c];
    if (same) return true;
  }
  return false;
}

/// Solve in the modes at hand and keep what holds, on the border or within.
static amo_status try_modes(rate_search *q)
{
  amo_statics *s = q->s;
  double margin = INFINITY;
  amo_status st = amo_statics_arrange(s, q->known.y, q->mode, q->in);
  if (st == AMO_ENOANSWER) return q->found.singular = true, AMO_OK;
  if (st != AMO_OK) return st;
  amo_statics_rates(s, q->known.rate, q->known.rate_error);
  for (uint32_t c = 0; c < s->nc; c++) {
    if (q->blocks.of[c] != q->block || q->at[c].place == AMO_QS_APART) continue;
    amo_qs_condition x[AMO_QS_CONDITIONS];
    for (size_t i = 0, n = amo_qs_conditions(s, &q->known, c, &q->mode[c], x); i < n; i++) {
      if (q->at[c].place == AMO_QS_VERTEX || (q->at[c].place == AMO_QS_EDGE && x[i].value < 0.0))
        x[i].value = 0.0;
      const int sign = amo_qs_sign(&x[i]);
      if (sign < 0) return AMO_OK;
      if (fabs(x[i].value) > x[i].error) continue;
      margin = fmin(margin, sign == 0 ? 0.0 : x[i].slope * amo_statics_rounding(s) / x[i].slope_error);
    }
  }
  return is_listed(q) ? AMO_OK : keep(&q->found, s, q->mode, &q->known, margin);
}

// ---- directions of spatial contacts without force ----

/// Contacts whose direction is open: each in turn takes the nearest of those that the others leave it, until they stay.
static amo_status settle_directions(rate_search *q, const uint32_t *open, size_t count)
{
  double d[AMO_VERTEX_DIRECTIONS][2], turned = 1.0;
  for (int sweep = 0; turned > amo_statics_rounding(q->s); sweep++) {
    if (sweep == SWEEPS) return AMO_ENOANSWER;
    turned = 0.0;
    for (size_t i = 0; i < count; i++) {
      amo_qs_mode *mode = &q->mode[open[i]];
      amo_slip_response r;
      amo_status st = amo_statics_response(q->s, q->known.y, q->mode, open[i], q->in, &r);
      const size_t n = st == AMO_OK ? amo_vertex_directions(&r, d) : 0;
      if (n == 0) return st == AMO_OK ? AMO_ENOANSWER : st;
      size_t near = 0;
      double least = INFINITY;
      for (size_t j = 0; j < n; j++) {
        const double away = hypot(d[j][0] - mode->d[0], d[j][1] - mode->d[1]);
        if (away < least) near = j, least = away;
      }
      memcpy(mode->d, d[near], sizeof mode->d);
      turned = fmax(turned, least);
    }
  }
  return AMO_OK;
}

/// All directions of the contacts from `i` on, the later ones held meanwhile; then all at once.
static amo_status try_directions(rate_search *q, const uint32_t *open, size_t count, size_t i)
{
  double d[AMO_VERTEX_DIRECTIONS][2];
  amo_slip_response r;
  amo_status st = AMO_OK;
  if (i == count) {
    if (count > 1) st = settle_directions(q, open, count);
    return st == AMO_OK ? try_modes(q) : st;
  }
  amo_qs_mode *mode = &q->mode[open[i]];
  for (size_t j = i; j < count; j++) q->mode[open[j]].kind = AMO_QS_STICK;
  st = amo_statics_response(q->s, q->known.y, q->mode, open[i], q->in, &r);
  q->found.singular |= st == AMO_ENOANSWER;
  for (size_t j = 0, n = st == AMO_OK ? amo_vertex_directions(&r, d) : 0; st == AMO_OK && j < n; j++) {
    *mode = (amo_qs_mode){AMO_QS_SLIP, mode->reaction_sign, {d[j][0], d[j][1]}};
    st = try_directions(q, open, count, i + 1);
  }
  return st == AMO_ENOANSWER ? AMO_OK : st;
}

// ---- one block ----

static void add_slip(rate_search *q, uint32_t c, int reaction_sign)
{
  const bool vertex = q->at[c].place == AMO_QS_VERTEX, planar = !amo_turns(&q->s->m->contact[c]);
  amo_ways_add(&q->ways, c, planar && !vertex && q->at[c].d[0] < 0.0 ? -1 : 1, reaction_sign);
  if (vertex && planar) amo_ways_add(&q->ways, c, -1, reaction_sign);
}

/// Stick, slip, opening as far as the place allows.
static void list_ways(rate_search *q, uint32_t c)
{
  const amo_qs_at *at = &q->at[c];
  const amo_contact *t = &q->s->m->contact[c];
  const bool vertex = at->place == AMO_QS_VERTEX, smooth = amo_statics_frictionless(q->s, c);
  const int reaction_sign = amo_has_gap(t) && !amo_can_open(t) && q->known.y[q->s->nq + c] < 0.0 ? -1 : 1;
  amo_ways_clear(&q->ways, c);
  if (at->place != AMO_QS_APART && !smooth) amo_ways_add(&q->ways, c, 0, 1);
  if (smooth ? at->place != AMO_QS_APART : vertex || at->place == AMO_QS_EDGE) add_slip(q, c, reaction_sign);
  if (!smooth && vertex && amo_is_two_sided(t)) add_slip(q, c, -reaction_sign);
  if (amo_can_open(t) && (vertex || at->place == AMO_QS_APART)) amo_ways_add(&q->ways, c, AMO_MODE_OPEN, 1);
}

/// The combination at hand; contacts whose direction is open are listed.
static size_t take_modes(rate_search *q, uint32_t *open)
{
  size_t n = 0;
  for (uint32_t c = 0; c < q->s->nc; c++) {
    const amo_way w = amo_ways_now(&q->ways, c);
    const bool spatial = amo_turns(&q->s->m->contact[c]), slips = w.mode != 0 && w.mode != AMO_MODE_OPEN;
    const amo_qs_kind kind = w.mode == AMO_MODE_OPEN ? AMO_QS_OPEN : slips ? AMO_QS_SLIP : AMO_QS_STICK;
    q->mode[c] = (amo_qs_mode){kind, w.reaction_sign, {w.mode < 0 ? -1.0 : 1.0, 0.0}};
    if (spatial) memcpy(q->mode[c].d, q->at[c].d, sizeof q->at[c].d);
    if (slips && spatial && q->at[c].place == AMO_QS_VERTEX && q->blocks.of[c] == q->block &&
        !amo_statics_frictionless(q->s, c))
      open[n++] = c;
  }
  return n;
}

static void take_unknowns(rate_search *q)
{
  const amo_statics *s = q->s;
  const uint32_t nq = s->nq, nc = s->nc, b = q->block;
  for (uint32_t i = 0; i < nq; i++) {
    const uint32_t of = amo_blocks_of(&q->blocks, i);
    q->in[i] = of == b || (of == UINT32_MAX && b == q->blocks.count);
  }
  for (uint32_t c = 0; c < nc; c++)
    q->in[nq + c] = q->in[nq + nc + 2 * c] = q->in[nq + nc + 2 * c + 1] = q->blocks.of[c] == b;
  for (uint32_t g = 0; g < s->ng; g++)
    q->in[nq + 3 * nc + g] =
        s->m->constraint[g].ng > 0 ? q->in[s->m->constraint[g].g[0].col] : b == q->blocks.count;
}

static amo_status visit_block(rate_search *q, uint32_t *open)
{
  amo_status st = amo_ways_total(&q->ways, q->blocks.of, q->block) > COMBINATIONS ? AMO_ELIMIT : AMO_OK;
  take_unknowns(q);
  for (bool more = true; st == AMO_OK && more; more = amo_ways_next(&q->ways, q->blocks.of, q->block)) {
    const size_t n = take_modes(q, open);
    st = n > 0 ? try_directions(q, open, n, 0) : try_modes(q);
  }
  return st;
}

/// Every answer of the blocks before with every one of this block; those that hold strictly, if there are any.
static amo_status combine(rate_search *q, amo_rate_set *out)
{
  const amo_rate_set *found = &q->found;
  amo_rate_set all = {.border = out->border, .singular = out->singular || found->singular};
  bool strict = false;
  for (size_t j = 0; j < found->count; j++) strict |= found->item[j].margin > 0.0;
  all.border |= found->count > 0 && !strict;
  amo_status st = out->count * found->count > COMBINATIONS ? AMO_ELIMIT : AMO_OK;
  for (size_t i = 0; st == AMO_OK && i < out->count * found->count; i++) {
    const amo_rate_solution *a = &out->item[i / found->count], *b = &found->item[i % found->count];
    if (strict && !(b->margin > 0.0)) continue;
    for (size_t k = 0; k < q->s->ny; k++) {
      q->known.rate[k] = q->in[k] ? b->rate[k] : a->rate[k];
      q->known.rate_error[k] = q->in[k] ? b->error[k] : a->error[k];
    }
    for (uint32_t c = 0; c < q->s->nc; c++)
      q->mode[c] = q->blocks.of[c] == q->block ? b->mode[c] : a->mode[c];
    amo_qs_face(q->s, &q->known, q->mode);
    st = keep(&all, q->s, q->mode, &q->known, fmin(a->margin, b->margin));
  }
  amo_rates_free(&q->found);
  amo_rates_free(out);
  *out = all;
  return st;
}

static amo_status visit(rate_search *q, uint32_t *open, bool *acts, amo_rate_set *out)
{
  amo_status st = keep(out, q->s, q->mode, &q->known, INFINITY);
  for (uint32_t c = 0; c < q->s->nc; c++) acts[c] = q->at[c].place != AMO_QS_APART, list_ways(q, c);
  amo_blocks_divide(&q->blocks, acts);
  for (q->block = 0; st == AMO_OK && q->block <= q->blocks.count; q->block++) {
    st = visit_block(q, open);
    if (st == AMO_OK) st = combine(q, out);
  }
  return st;
}

amo_status amo_rates_find(amo_statics *s, const amo_qs_known *k, const amo_qs_at *at, amo_rate_set *out)
{
  rate_search q = {.s = s, .known = *k, .at = at};
  amo_arena memory = {0};
  uint32_t *open;
  bool *acts;
  *out = (amo_rate_set){0};
  AMO_TAKE(&memory, uint32_t, s->nc, &open);
  AMO_TAKE(&memory, bool, s->nc, &acts);
  AMO_TAKE(&memory, bool, s->ny, &q.in);
  AMO_TAKE(&memory, amo_qs_mode, s->nc, &q.mode);
  AMO_TAKE(&memory, double, s->ny, &q.known.rate, &q.known.rate_error);
  amo_status st = memory.failed ? AMO_ENOMEM : amo_blocks_new(s->m, &q.blocks);
  q.blocks.stiffness = s->K;
  if (st == AMO_OK) st = amo_ways_new(s->nc, &q.ways);
  if (st == AMO_OK) st = visit(&q, open, acts, out);
  if (st != AMO_OK) amo_rates_free(out);
  amo_rates_free(&q.found);
  amo_blocks_free(&q.blocks);
  amo_ways_free(&q.ways);
  amo_arena_free(&memory);
  return st;
}

// ---- a choice ----

static bool is_refused(const amo_statics *s, const amo_qs_mode *mode, const amo_qs_mode *refused,
                       size_t count)
{
  for (size_t i = 0; i < count; i++, refused += s->nc) {
    bool same = true;
    for (uint32_t c = 0; c < s->nc; c++)
      same &= amo_qs_number(s, c, &mode[c]) == amo_qs_number(s, c, &refused[c]);
    if (same) return true;
  }
  return false;
}

long amo_rates_least(const amo_statics *s, const amo_rate_set *r, const amo_qs_mode *refused, size_t count)
{
  long best = -1;
  double least = INFINITY;
  for (size_t i = 0; i < r->count; i++) {
    const double *v = r->item[i].rate;
    double work = 0.0;  // of the springs
    for (size_t k = 0; k < (size_t)s->nq * s->nq; k++) work += v[k / s->nq] * s->K[k] * v[k % s->nq];
    if (is_refused(s, r->item[i].mode, refused, count) || !(work < least)) continue;
    best = (long)i, least = work;
  }
  return best;
}
