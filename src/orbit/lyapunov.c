// SPDX-License-Identifier: Apache-2.0
// A frame of small changes is carried along by the linearised flow and made orthonormal after every step; the logarithms
// of what that takes add up to the exponents (Benettin, Shimada). Where a contact begins to stick a direction is lost.
#include "orbit/lyapunov_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "flow/variation.h"
#include "flow/clusters.h"
#include "flow/sim.h"
#include "num/solve.h"
#include "orbit/frame.h"

amo_status amo_lyapunov_new(const amo_model *m, double after, double until, size_t blocks, amo_lyapunov **out)
{
  if (!out) return AMO_ERANGE;
  *out = NULL;
  if (!m || !(until > after) || !isfinite(until) || blocks < 2) return AMO_ERANGE;
  amo_lyapunov *l = amo_zalloc(1, sizeof *l);
  if (!l) return AMO_ENOMEM;
  const size_t ns = amo_model_states(m);
  l->m = m;
  l->after = after;
  l->until = until;
  l->ns = ns;
  l->blocks = blocks;
  l->message = "";
  double **const part[] = {&l->weight, &l->growth, &l->step, &l->sum, &l->state};
  amo_status st = amo_variation_new(m, NULL, 0, &l->tangent);
  if (st == AMO_OK) st = amo_variation_new(m, NULL, 0, &l->jump);
  if (st == AMO_OK) st = amo_scale_make(&l->scale, m);
  for (size_t i = 0; i < sizeof part / sizeof *part; i++)
    if (!(*part[i] = amo_zalloc(ns + 4u * m->nc + 2u * m->ng, sizeof **part[i]))) st = AMO_ENOMEM;
  const size_t rows = ns + 4u * m->nc + 2u * m->ng;
  l->matrix = amo_zalloc(rows * ns, sizeof *l->matrix);
  l->mean = amo_zalloc(blocks * ns, sizeof *l->mean);
  l->length = amo_zalloc(blocks, sizeof *l->length);
  l->result.exponent = amo_zalloc(ns, sizeof *l->result.exponent);
  if (st == AMO_OK && (!l->matrix || !l->mean || !l->length || !l->result.exponent)) st = AMO_ENOMEM;
  if (st != AMO_OK) {
    amo_lyapunov_free(l);
    return st;
  }
  *out = l;
  return AMO_OK;
}

void amo_lyapunov_free(amo_lyapunov *l)
{
  if (!l) return;
  amo_variation_free(l->tangent);
  amo_variation_free(l->jump);
  amo_scale_free(&l->scale);
  void *const all[] = {l->weight, l->growth, l->step,           l->sum, l->mean, l->length,
                       l->state,  l->matrix, l->result.exponent};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
  free(l);
}

const char *amo_lyapunov_message(const amo_lyapunov *l)
{
  return l ? l->message : "";
}

// ---- the sum rule: volumes ----

/// Integral of the divergence over the last step, by ten Gauss points.
static amo_status add_divergence(amo_lyapunov *l, const amo_flow *f)
{
  static const double x[] = {0.1488743389816312, 0.4333953941292472, 0.6794095682990244, 0.8650633666889845,
                             0.9739065285171717};
  static const double w[] = {0.2955242247147529, 0.2692667193099963, 0.2190863625159820, 0.1494513491505806,
                             0.0666713443086881};
  const amo_lane *lane = &f->lane[0];
  amo_derivative *d = l->jump->at;
  amo_place at = {.y = l->state,
                  .mode = lane->step_mode,
                  .reaction_sign = lane->step_reaction_sign,
                  .branch = lane->step_branch};
  for (int i = 0; i < 10 && lane->h > 0.0; i++) {
    const double s = 0.5 * lane->h * (1.0 + (i < 5 ? x[i] : -x[i - 5]));
    amo_flow_dense(f, 0, s, l->state);
    at.t = lane->start + s;
    amo_status st = amo_derivative_rates(d, &at);
    if (st != AMO_OK) return st;
    double trace = 0.0;
    for (size_t k = 0; k < l->ns; k++) trace += d->df[k * l->ns + k];
    l->volume += 0.5 * lane->h * w[i % 5] * trace;
  }
  return AMO_OK;
}

/// The jump of the columns at the events of the last step, and how it changes volumes.
static amo_status add_jump(amo_lyapunov *l, const amo_flow *f)
{
  if (f->lane[0].hits == 0) return AMO_OK;
  amo_variation_begin(l->jump, f, 0);
  amo_status st = amo_variation_jump(l->jump, f, 0);
  if (st != AMO_OK) return st;
  memcpy(l->matrix, l->jump->y, l->ns * l->ns * sizeof *l->matrix);
  double size;
  (void)amo_determinant(l->matrix, l->ns, &size);
  l->volume += size;
  return AMO_OK;
}

static amo_status add_volume(amo_lyapunov *l, const amo_flow *f)
{
  if (l->tangent->columns < l->ns - l->ties) return AMO_OK;  // lost: there is no rule to check
  amo_status st = add_divergence(l, f);
  return st == AMO_OK ? add_jump(l, f) : st;
}

// ---- growth ----

static void orthonormalise(amo_lyapunov *l)
{
  amo_variation *g = l->tangent;
  const size_t columns = g->columns;
  size_t left = amo_frame_orthonormalise(g->y, columns, l->ns, l->weight, l->growth), kept = 0;
  if (left > g->rank) left = g->rank;
  g->columns = (uint32_t)left;
  for (size_t j = 0; j < columns && kept < left; j++) {
    if (l->growth[j] == 0.0) continue;
    l->step[kept] = log(l->growth[j]);
    l->sum[kept] = l->sum[j];
    for (size_t b = 0; kept != j && b < l->block; b++) l->mean[b * l->ns + kept] = l->mean[b * l->ns + j];
    kept++;
  }
}

static void close_block(amo_lyapunov *l, double t)
{
  const double length = t - l->block_start;
  for (size_t j = 0; j < l->tangent->columns; j++) {
    l->mean[l->block * l->ns + j] = l->sum[j] / length;
    l->sum[j] = 0.0;
  }
  l->length[l->block++] = length;
  l->block_start = t;
}

/// Growth of the last step to the block, or blocks, in which it lies.
static void share_out(amo_lyapunov *l, double start, double end)
{
  double from = start;
  while (l->block < l->blocks && from < end) {
    double border = l->begun + (l->until - l->begun) * (double)(l->block + 1) / (double)l->blocks;
    if (l->block + 1 == l->blocks) border = l->until;
    const double to = fmin(border, end);
    for (size_t j = 0; j < l->tangent->columns; j++) l->sum[j] += l->step[j] * (to - from) / (end - start);
    if (to >= border) close_block(l, border);
    from = to;
  }
}

// ---- the frame at a state ----

/// Rows that changes must not move: what guides, constraints and closed supports keep, and the slips of sticking
/// contacts (a change of those is lost at once). Orthonormal, into l->matrix; returns how many, those of the ties first.
static amo_status kept_rows(amo_lyapunov *l, const amo_flow *f, bool sticks, size_t *rows)
{
  const amo_lane *lane = &f->lane[0];
  amo_derivative *d = l->jump->at;
  const amo_place at = {lane->t,      lane->y,     lane->mode, lane->reaction_sign,
                        lane->branch, lane->fresh, lane->xi,   true};
  amo_status st = amo_derivative_conditions(d, &at);
  *rows = 0;
  if (st != AMO_OK) return st;
  for (uint32_t c = 0; c < l->m->nc; c++)
    l->result.autonomous &=
        d->gap[c].d[d->n - 1] == 0.0;  // a support that moves counts where it is open, too
  for (size_t i = 0; i < l->ns; i++) l->state[i] = 1.0;
  for (uint32_t i = 0; i < d->ties; i++) {
    memcpy(l->matrix + (*rows)++ * l->ns, d->tie[i].d, l->ns * sizeof *l->matrix);
    if (i + 1 == d->lasting)
      *rows = l->ties = amo_frame_orthonormalise(l->matrix, *rows, l->ns, l->state, l->growth);
  }
  for (uint32_t c = 0; sticks && c < l->m->nc; c++)
    for (uint32_t a = 0; lane->mode[c] == AMO_STICK && a < amo_slip_rows(&l->m->contact[c]); a++) {
      const amo_gradient *slip =
          amo_turns(&l->m->contact[c]) ? &d->axis[l->m->contact[c].xi + a] : &d->slip[c];
      memcpy(l->matrix + (*rows)++ * l->ns, slip->d, l->ns * sizeof *l->matrix);
    }
  *rows = amo_frame_orthonormalise(l->matrix, *rows, l->ns, l->state, l->growth);
  return AMO_OK;
}

/// Take off every column what would move those rows.
static amo_status project(amo_lyapunov *l, const amo_flow *f, bool sticks)
{
  size_t rows = 0;
  amo_status st = kept_rows(l, f, sticks, &rows);
  for (size_t k = 0; k < rows; k++)
    for (size_t j = 0; j < l->tangent->columns; j++) {
      const double *row = l->matrix + k * l->ns;
      double *y = l->tangent->y + j * l->ns, along = 0.0;
      for (size_t i = 0; i < l->ns; i++) along += row[i] * y[i];
      for (size_t i = 0; i < l->ns; i++) y[i] -= along * row[i];
    }
  return st;
}

/// As many columns as there are directions: those that were lost on the way are filled up again, since the motion may
/// stick no more.
static amo_status fill_up(amo_lyapunov *l, const amo_flow *f)
{
  amo_variation *g = l->tangent;
  amo_frame_random(g->y + g->columns * l->ns, l->ns - g->columns, l->ns);
  g->columns = g->rank = (uint32_t)l->ns;
  amo_status st = project(l, f, true);
  orthonormalise(l);
  g->rank = g->columns;
  memset(l->sum, 0, l->ns * sizeof *l->sum);
  return st;
}

/// From here on growth counts, measured by the size that the motion has shown.
static amo_status begin_averages(amo_lyapunov *l, const amo_flow *f)
{
  l->averaging = true;
  l->begun = l->block_start = f->lane[0].t;
  for (size_t i = 0; i < l->ns; i++) l->weight[i] = l->scale.size[i] > 0.0 ? 1.0 / l->scale.size[i] : 1.0;
  return fill_up(l, f);
}

amo_status amo_lyapunov_start(amo_lyapunov *l, amo_sim *s)
{
  if (!l || !s || s->m != l->m) return AMO_ERANGE;
  const amo_status whole = amo_cluster_join(s);
  if (whole != AMO_OK) return whole;
  amo_flow *f = amo_sim_flow(s);
  if (!f) {
    l->message = "Lyapunov exponents need the method event";
    return AMO_EUNSUPPORTED;
  }
  l->started = true;
  f->may_be_implicit = f->lane[0].implicit =
      false;  // all directions are to be seen, those that decay fast too
  l->result.autonomous = true;
  amo_variation_begin(l->tangent, f, 0);
  amo_variation_begin(l->jump, f, 0);
  l->tangent->columns = 0;
  for (size_t i = 0; i < l->ns; i++) l->weight[i] = 1.0;
  return amo_sim_time(s) >= l->after ? begin_averages(l, f) : fill_up(l, f);
}

static amo_status failed(amo_lyapunov *l, amo_status st)
{
  l->message = l->tangent->message[0] ? l->tangent->message : amo_status_text(st);
  return st;
}

amo_status amo_lyapunov_step(amo_lyapunov *l, amo_sim *s)
{
  if (!l || !s || s->m != l->m) return AMO_ERANGE;
  const amo_flow *f = amo_sim_flow(s);
  if (!l->started || !f) return AMO_ERANGE;
  amo_scale_step(&l->scale, s);
  amo_status st = l->averaging ? add_volume(l, f) : AMO_OK;
  if (st == AMO_OK) st = amo_variation_follow(l->tangent, f, 0);
  if (st != AMO_OK) return failed(l, st);
  const amo_derivative *d = l->tangent->at;
  for (size_t i = 0; i < l->ns; i++) l->result.autonomous &= d->df[(d->n - 1) * l->ns + i] == 0.0;
  if (d->most_ties && (st = project(l, f, false)) != AMO_OK)
    return failed(l, st);  // rounding would grow off them
  orthonormalise(l);
  if (l->averaging) {
    l->result.events += (long)f->lane[0].events;
    share_out(l, f->lane[0].start, f->lane[0].t);
  } else if (f->lane[0].t >= l->after) {
    st = begin_averages(l, f);
  }
  return st == AMO_OK ? AMO_OK : failed(l, st);
}
