// SPDX-License-Identifier: Apache-2.0
// A frame of small changes is carried along by the linearised flow and made orthonormal after every step; the logarithms
// of what that takes add up to the exponents (Benettin, Shimada). Where a contact begins to stick a direction is lost.
#include "amontons/lyapunov.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "flow/saltation.h"
#include "flow/sim.h"
#include "flow/tangent.h"
#include "model/complete.h"
#include "orbit/frame.h"
#include "orbit/scale.h"

struct amo_lyapunov {
  const amo_model *m;
  double after, until;
  size_t ns, blocks, block;
  amo_tangent *tangent;
  amo_tangent *jump;  // identity before an event: the jump itself, for the sum rule
  amo_scale scale;
  double *weight;             // [ns] metric of the frame
  double *growth;             // [ns] of the last step
  double *step;               // [ns] its logarithm
  double *sum;                // [ns] logarithms in the present block
  double *mean;               // [blocks][ns]
  double *length;             // [blocks]
  double *state, *matrix;     // scratch
  double volume;              // divergence and jumps since `after`
  double begun, block_start;  // times
  bool started, averaging;
  const char *message;
  amo_lyapunov_result result;
};

amo_status amo_lyapunov_new(const amo_model *m, double after, double until, size_t blocks, amo_lyapunov **out)
{
  *out = NULL;
  if (!(until > after) || blocks < 2) return AMO_ERANGE;
  if (amo_complete_needed(m)) return AMO_EUNSUPPORTED;
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
  amo_status st = amo_tangent_new(m, NULL, 0, &l->tangent);
  if (st == AMO_OK) st = amo_tangent_new(m, NULL, 0, &l->jump);
  if (st == AMO_OK) st = amo_scale_make(&l->scale, m);
  for (size_t i = 0; i < sizeof part / sizeof *part; i++)
    if (!(*part[i] = amo_zalloc(ns, sizeof **part[i]))) st = AMO_ENOMEM;
  l->matrix = amo_zalloc(ns * ns, sizeof *l->matrix);
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
  amo_tangent_free(l->tangent);
  amo_tangent_free(l->jump);
  amo_scale_free(&l->scale);
  void *const all[] = {l->weight, l->growth, l->step,           l->sum, l->mean, l->length,
                       l->state,  l->matrix, l->result.exponent};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
  free(l);
}

const char *amo_lyapunov_message(const amo_lyapunov *l)
{
  return l->message;
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
  amo_place at = {
      .y = l->state, .mode = lane->step_mode, .press = lane->step_press, .branch = lane->step_branch};
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
  amo_tangent_begin(l->jump, f, 0);
  amo_status st = amo_tangent_jump(l->jump, f, 0);
  if (st != AMO_OK) return st;
  memcpy(l->matrix, l->jump->y, l->ns * l->ns * sizeof *l->matrix);
  l->volume += amo_frame_log_det(l->matrix, l->ns);
  return AMO_OK;
}

static amo_status add_volume(amo_lyapunov *l, const amo_flow *f)
{
  if (l->tangent->columns < l->ns) return AMO_OK;  // lost: there is no rule to check
  amo_status st = add_divergence(l, f);
  return st == AMO_OK ? add_jump(l, f) : st;
}

// ---- growth ----

static void orthonormalise(amo_lyapunov *l)
{
  amo_tangent *g = l->tangent;
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

/// Take off every column what would make a sticking contact slip: such a change is lost at once.
static amo_status keep_sticks(amo_lyapunov *l, const amo_flow *f)
{
  const amo_lane *lane = &f->lane[0];
  amo_derivative *d = l->jump->at;
  const amo_place at = {lane->t, lane->y, lane->mode, lane->press, lane->branch};
  size_t ties = 0;
  amo_status st = amo_derivative_conditions(d, &at);
  for (uint32_t c = 0; st == AMO_OK && c < l->m->nc; c++)
    if (lane->mode[c] == AMO_STICK && ties < l->ns)
      memcpy(l->matrix + ties++ * l->ns, d->slip[c].d, l->ns * sizeof *l->matrix);
  for (size_t i = 0; i < l->ns; i++) l->state[i] = 1.0;
  ties = amo_frame_orthonormalise(l->matrix, ties, l->ns, l->state, l->growth);
  for (size_t k = 0; k < ties; k++)
    for (size_t j = 0; j < l->tangent->columns; j++) {
      const double *tie = l->matrix + k * l->ns;
      double *y = l->tangent->y + j * l->ns, along = 0.0;
      for (size_t i = 0; i < l->ns; i++) along += tie[i] * y[i];
      for (size_t i = 0; i < l->ns; i++) y[i] -= along * tie[i];
    }
  return st;
}

/// As many columns as there are directions: those that were lost on the way are filled up again, since the motion may
/// stick no more.
static amo_status fill_up(amo_lyapunov *l, const amo_flow *f)
{
  amo_tangent *g = l->tangent;
  amo_frame_random(g->y + g->columns * l->ns, l->ns - g->columns, l->ns);
  g->columns = g->rank = (uint32_t)l->ns;
  amo_status st = keep_sticks(l, f);
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
  const amo_flow *f = amo_sim_flow(s);
  if (!f) {
    l->message = "Lyapunov exponents need the method event";
    return AMO_EUNSUPPORTED;
  }
  l->started = true;
  l->result.autonomous = true;
  amo_tangent_begin(l->tangent, f, 0);
  amo_tangent_begin(l->jump, f, 0);
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
  const amo_flow *f = amo_sim_flow(s);
  if (!l->started || !f) return AMO_ERANGE;
  amo_scale_step(&l->scale, s);
  amo_status st = l->averaging ? add_volume(l, f) : AMO_OK;
  if (st == AMO_OK) st = amo_tangent_follow(l->tangent, f, 0);
  if (st != AMO_OK) return failed(l, st);
  const amo_derivative *d = l->tangent->at;
  for (size_t i = 0; i < l->ns; i++) l->result.autonomous &= d->df[(d->n - 1) * l->ns + i] == 0.0;
  orthonormalise(l);
  if (l->averaging) {
    l->result.events += (long)f->lane[0].events;
    share_out(l, f->lane[0].start, f->lane[0].t);
  } else if (f->lane[0].t >= l->after) {
    st = begin_averages(l, f);
  }
  return st == AMO_OK ? AMO_OK : failed(l, st);
}

// ---- the result ----

static double block_value(const amo_lyapunov *l, size_t b, size_t from, size_t to)
{
  double x = 0.0;
  for (size_t j = from; j < to; j++) x += l->mean[b * l->ns + j];
  return x;
}

/// Mean and standard error of the blocks. Neighbours are correlated: what the frame's lengths swing up in one block they
/// swing back in the next, which is no error of the mean; correlation in chaos counts the other way.
static amo_exponent average(const amo_lyapunov *l, size_t from, size_t to)
{
  const double n = (double)l->block;
  double mean = 0.0, time = 0.0, square = 0.0, product = 0.0, last = 0.0;
  for (size_t b = 0; b < l->block; b++) {
    mean += block_value(l, b, from, to) * l->length[b];
    time += l->length[b];
  }
  mean /= time;
  for (size_t b = 0; b < l->block; b++) {
    const double x = block_value(l, b, from, to) - mean;
    square += x * x;
    product += x * last;
    last = x;
  }
  return (amo_exponent){mean, sqrt(fmax(square + 2.0 * product, 0.25 * square) / (n * (n - 1.0)))};
}

static int falling(const void *a, const void *b)
{
  const double x = ((const amo_exponent *)a)->value, y = ((const amo_exponent *)b)->value;
  return x < y ? 1 : x > y ? -1 : 0;
}

/// The number of exponents that together do not contract, and the part of the next one that does.
static double kaplan_yorke(const amo_lyapunov_result *r)
{
  double sum = 0.0;
  for (size_t j = 0; j < r->count; j++) {
    const double x = r->exponent[j].value;
    // a zero exponent comes out as a small number: within its error it does not contract
    const double effective = fabs(x) <= 3.0 * r->exponent[j].error ? 0.0 : x;
    if (sum + effective < 0.0) return (double)j + (isfinite(x) ? sum / -x : 0.0);
    sum += effective;
  }
  return (double)r->count;
}

amo_status amo_lyapunov_finish(amo_lyapunov *l, const amo_lyapunov_result **out)
{
  amo_lyapunov_result *r = &l->result;
  *out = NULL;
  if (l->block < 2) {
    l->message = "too little time for averages";
    return AMO_ENOANSWER;
  }
  r->count = l->ns;
  r->finite = l->tangent->columns;
  r->blocks = l->block;
  r->time = l->block_start - l->begun;
  r->grazing = l->tangent->grazing;
  r->together = l->tangent->together;
  for (size_t j = 0; j < r->count; j++)
    r->exponent[j] = j < r->finite ? average(l, j, j + 1) : (amo_exponent){-INFINITY, 0.0};
  qsort(r->exponent, r->finite, sizeof *r->exponent, falling);
  const amo_exponent all = average(l, 0, r->finite);
  r->sum = all.value;
  r->sum_error = all.error;
  r->divergence = r->finite == r->count ? l->volume / r->time : NAN;
  r->kaplan_yorke = r->count ? kaplan_yorke(r) : NAN;
  *out = r;
  return AMO_OK;
}
