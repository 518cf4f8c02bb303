// SPDX-License-Identifier: Apache-2.0
/// Arcs of the switch model; derivatives by differences of runs from perturbed states, the perturbation absolute:
///   matrix_ij = (end_i(y0 + xi e_j) - end_i(y0)) / xi
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "flow/frequency.h"
#include "flow/sim.h"
#include "flow/switch_rates.h"
#include "orbit/shot.h"

typedef struct banded {
  amo_sim *sim;
  amo_switch *rates;
  double *start, *end;
} banded;

static amo_status make(amo_shooter *s)
{
  banded *b = s->impl = calloc(1, sizeof *b);
  if (!b) return AMO_ENOMEM;
  if (s->np > 0)
    return amo_shooter_fail(s, AMO_EUNSUPPORTED, "method switch has no sensitivities to parameters");
  b->start = calloc(2u * s->ns + 2u, sizeof *b->start);
  if (!b->start) return AMO_ENOMEM;
  b->end = b->start + s->ns;
  amo_status st = amo_sim_new(s->m, &s->opt, NULL, &b->sim);
  if (st == AMO_EUNSUPPORTED) return amo_shooter_fail(s, st, "method switch does not know guides");
  return st == AMO_OK ? amo_switch_new(s->m, s->opt.eta, &b->rates) : st;
}

static void destroy(amo_shooter *s)
{
  banded *b = s->impl;
  amo_sim_free(b->sim);
  amo_switch_free(b->rates);
  free(b->start);
  free(b);
}

static amo_status one_run(amo_shooter *s, double t0, const double *y0, double duration, amo_shot *out,
                          double *end)
{
  banded *b = s->impl;
  memcpy(b->sim->param, s->param, s->m->np * sizeof *s->param);
  amo_status st = amo_sim_start(b->sim, t0, y0);
  while (st == AMO_OK && amo_sim_time(b->sim) < t0 + duration) {
    st = amo_sim_step(b->sim, t0 + duration);
    for (uint32_t i = 0; out && i < s->ns; i++) out->size[i] = fmax(out->size[i], fabs(b->sim->y[i]));
    for (size_t i = 0; out && i < b->sim->events; i++)
      if (!amo_shot_note(out, &b->sim->event[i])) st = AMO_ENOMEM;
    if (st == AMO_OK && s->stop && *s->stop) st = AMO_EINTR;
  }
  const amo_stats *n = amo_sim_stats(b->sim);
  s->last.trajectories++;
  s->last.steps += n->steps;
  s->last.rejected += n->rejected;
  s->last.rhs += n->rhs;
  if (st != AMO_OK) return amo_shooter_fail(s, st, "%s", amo_sim_message(b->sim));
  memcpy(end, amo_sim_state(b->sim), s->ns * sizeof *end);
  return AMO_OK;
}

static amo_status end_rates(amo_shooter *s, double t0, const double *y0, double duration, amo_shot *out)
{
  banded *b = s->impl;
  double kappa = s->opt.kappa;
  amo_status st = AMO_OK;
  if (kappa == 0.0) st = amo_lowest_frequency(s->m, s->param, t0, y0, &kappa);
  amo_switch_parameters(b->rates, s->param);
  amo_switch_kappa(b->rates, kappa);
  if (st == AMO_OK) st = amo_switch_rates(b->rates, t0, y0, out->leave, NULL);
  return st == AMO_OK ? amo_switch_rates(b->rates, t0 + duration, out->end, out->arrive, NULL) : st;
}

static amo_status run(amo_shooter *s, double t0, const double *y0, double duration, bool derivatives,
                      amo_shot *out)
{
  banded *b = s->impl;
  amo_status st = AMO_OK;
  if (!derivatives) {
    st = one_run(s, t0, y0, duration, out, out->end);
    return st == AMO_OK ? end_rates(s, t0, y0, duration, out) : st;
  }
  for (uint32_t j = 0; st == AMO_OK && j < s->ns; j++) {  // the arc itself has been run
    memcpy(b->start, y0, s->ns * sizeof *y0);
    b->start[j] += s->xi;
    st = one_run(s, t0, b->start, duration, NULL, b->end);
    for (uint32_t i = 0; st == AMO_OK && i < s->ns; i++)
      out->matrix[j * s->ns + i] = (b->end[i] - out->end[i]) / s->xi;
  }
  return st;
}

const amo_shooter_ops amo_shoot_switch = {make, destroy, run};
