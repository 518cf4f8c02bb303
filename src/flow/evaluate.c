// SPDX-License-Identifier: Apache-2.0
#include "amontons/evaluate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/options.h"
#include "contact/blocks.h"
#include "contact/point.h"
#include "flow/frequency.h"
#include "flow/sim.h"
#include "flow/smooth_system.h"
#include "flow/switch_rates.h"

amo_status amo_evaluation_new(const amo_model *m, amo_evaluation **out)
{
  if (out) *out = NULL;
  if (!m || !out) return AMO_ERANGE;
  amo_evaluation *e = calloc(1, sizeof *e);
  amo_arena *keeps = calloc(2, sizeof *keeps);  // for good, and for one question
  if (e != NULL) e->memory = keeps;
  if (e == NULL || keeps == NULL) {
    free(e), free(keeps);
    return AMO_ENOMEM;
  }
  AMO_TAKE(keeps, double, 2u * m->nq + m->nz + 1u, &e->rates);
  AMO_TAKE(keeps, double, m->nc + 1u, &e->needed, &e->slope);
  amo_status st = amo_sample_new(m, &e->sample);
  if (keeps->failed) st = AMO_ENOMEM;
  if (st != AMO_OK) {
    amo_evaluation_free(e);
    return st;
  }
  *out = e;
  return AMO_OK;
}

void amo_evaluation_free(amo_evaluation *e)
{
  if (e == NULL) return;
  amo_sample_free(e->sample);
  for (int i = 0; i < 2; i++) amo_arena_free((amo_arena *)e->memory + i);
  free(e->memory);
  free(e);
}

static amo_arena *scratch(const amo_evaluation *e)
{
  return (amo_arena *)e->memory + 1;
}

/// Contacts that may be asked about together, by number: one of each block, all contacts taken as closed. Joints are asked
/// one by one, as there may be no answer. Returns how many numbers there are.
static amo_status number_contacts(const amo_model *m, uint32_t *number, uint32_t *numbers)
{
  amo_blocks b;
  amo_arena memory = {0};
  bool *acts;
  uint32_t *size;
  amo_status st = amo_blocks_new(m, &b);
  AMO_TAKE(&memory, bool, m->nc, &acts);
  AMO_TAKE(&memory, uint32_t, m->nc, &size);
  if (memory.failed) st = AMO_ENOMEM;
  if (st == AMO_OK) memset(acts, true, m->nc * sizeof *acts);
  if (st == AMO_OK) amo_blocks_divide(&b, acts);
  for (uint32_t c = *numbers = 0; st == AMO_OK && c < m->nc; c++) {
    number[c] = m->njoint > 0 ? c : size[b.of[c]]++;
    if (number[c] >= *numbers) *numbers = number[c] + 1;
  }
  amo_blocks_free(&b);
  amo_arena_free(&memory);
  return st;
}

/// Stick force of each contact with the others as they are.
static amo_status find_needed(amo_point *p, amo_evaluation *e, signed char *mode)
{
  const uint32_t nc = p->m->nc;
  uint32_t numbers = 0, *number = amo_arena_alloc(scratch(e), (nc + 1u) * sizeof *number);
  amo_status st = number ? number_contacts(p->m, number, &numbers) : AMO_ENOMEM;
  for (uint32_t n = 0; st == AMO_OK && n < numbers; n++) {
    for (uint32_t c = 0; c < nc; c++) mode[c] = number[c] == n ? 0 : (signed char)e->sample->mode[c];
    st = amo_point_evaluate(p, e->sample->t, e->sample->state, mode);
    for (uint32_t c = 0; c < nc; c++)
      if (number[c] == n) e->needed[c] = st == AMO_OK ? p->lambda[c] : NAN;
    if (st == AMO_ENOANSWER) st = AMO_OK;  // nothing would: the friction of other joints would grow with it
  }
  return st;
}

/// A spatial slip that begins has the direction of its friction.
static void face_slips(amo_point *p, const amo_sample *now)
{
  for (uint32_t c = 0; c < p->m->nc; c++) {
    double *xi = p->xi + p->m->contact[c].xi;
    const double *f = now->traction + p->m->contact[c].xi, size = -now->force[c];
    if (amo_slip_rows(&p->m->contact[c]) == 2 && size > 0.0) xi[0] = -f[0] / size, xi[1] = -f[1] / size;
  }
}

/// What would hold each contact; then the rates in the decided modes.
static amo_status exact_system(const amo_sim *s, amo_evaluation *e)
{
  const amo_model *m = s->m;
  amo_point *p;
  signed char *mode;
  AMO_TAKE(scratch(e), signed char, m->nc + 1u, &mode);
  amo_status st = amo_point_new(m, &p);
  if (mode == NULL) st = AMO_ENOMEM;
  if (st == AMO_OK) amo_point_parameters(p, s->param);
  for (uint32_t c = 0; st == AMO_OK && c < m->nc; c++)
    p->reaction_sign[c] = (signed char)(e->sample->normal[c] < 0.0 ? -1 : 1);
  if (st == AMO_OK) face_slips(p, e->sample);
  if (st == AMO_OK) st = find_needed(p, e, mode);
  for (uint32_t k = 0; st == AMO_OK && k < m->nc; k++) mode[k] = (signed char)e->sample->mode[k];
  if (st == AMO_OK) st = amo_point_evaluate(p, e->sample->t, e->sample->state, mode);
  for (uint32_t i = 0; st == AMO_OK && s->opt.method == AMO_METHOD_EVENT && i < amo_model_states(m); i++)
    e->rates[i] = amo_point_rate(p, i);
  amo_point_free(p);
  return st;
}

static amo_status switch_system(const amo_sim *s, amo_evaluation *e)
{
  amo_switch *w = NULL;
  double kappa = s->opt.kappa;
  amo_status st = AMO_OK;
  if (kappa == 0.0) st = amo_lowest_frequency(s->m, s->param, e->sample->t, e->sample->state, &kappa);
  if (st == AMO_OK) st = amo_switch_new(s->m, s->opt.eta, &w);
  if (st == AMO_OK) {
    amo_switch_parameters(w, s->param);
    amo_switch_kappa(w, kappa);
    st = amo_switch_rates(w, e->sample->t, e->sample->state, e->rates, NULL);
  }
  amo_switch_free(w);
  return st;
}

static amo_status smooth_system(const amo_sim *s, amo_evaluation *e)
{
  amo_smooth *w = NULL;
  amo_status st = amo_smooth_new(s->m, &w);
  if (st == AMO_OK) {
    amo_smooth_parameters(w, s->param, s->opt.eps);
    st = amo_smooth_rates(w, e->sample->t, e->sample->state, e->rates);
    for (uint32_t c = 0; st == AMO_OK && c < s->m->nc; c++) e->slope[c] = amo_smooth_slope(w, c);
  }
  amo_smooth_free(w);
  return st;
}

/// Slopes of the friction curves in the decided modes; 0 in stick, where there is no curve.
static amo_status curve_slopes(const amo_sim *s, amo_evaluation *e)
{
  const amo_model *m = s->m;
  amo_node *root = amo_arena_alloc(scratch(e), (m->nc + 1u) * sizeof *root);
  amo_prog *prog = NULL;
  double *reg = NULL;
  amo_status st = root != NULL ? AMO_OK : AMO_ENOMEM;
  for (uint32_t c = 0; st == AMO_OK && c < m->nc; c++) root[c] = m->contact[c].kinetic_slope;
  if (st == AMO_OK) st = amo_prog_compile(m->dag, root, m->nc, m->fixed, m->leaf.count, &prog);
  if (st == AMO_OK) reg = amo_arena_alloc(scratch(e), (amo_prog_registers(prog) + 1u) * sizeof *reg);
  if (st == AMO_OK && reg == NULL) st = AMO_ENOMEM;
  if (st == AMO_OK) {
    amo_load_leaves(m, reg, 1, s->param, e->sample->t, e->sample->state);
    for (uint32_t c = 0; c < m->nc; c++) reg[m->leaf.sigma + c] = amo_sigma((signed char)e->sample->mode[c]);
    amo_prog_prepare1(prog, reg);
    amo_prog_eval1(prog, reg, NULL);
    for (uint32_t c = 0; c < m->nc; c++)
      e->slope[c] = e->sample->mode[c] == 0 ? 0.0 : reg[amo_prog_root(prog, c)];
  }
  amo_prog_free(prog);
  return st;
}

/// Did velocities jump at once? Then the state that was asked about has no acceleration. Settling moves them by
/// rounding only, of what moves: also of the surface that a body at rest slips on.
static bool jumps(const amo_model *m, const double *asked, const amo_sample *now)
{
  double size = 0.0, change = 0.0;
  for (uint32_t i = m->nq; i < 2 * m->nq; i++) {
    size = fmax(size, fmax(fabs(asked[i]), fabs(now->state[i])));
    change = fmax(change, fabs(now->state[i] - asked[i]));
  }
  for (uint32_t c = 0; c < m->nc; c++) size = fmax(size, fabs(now->slip[c]));
  return change > AMO_SAME * size;
}

amo_status amo_evaluate(const amo_model *m, const amo_sim_opts *opts, double t, const double *state,
                        amo_evaluation *out, amo_diags *diags)
{
  if (!m || !out || !out->memory) return AMO_ERANGE;
  amo_sim_opts o = amo_sim_opts_default();
  amo_status st = amo_opts_take(&o, sizeof o, opts);
  if (st != AMO_OK) return st;
  o.audit = false;
  amo_arena_free(scratch(out));
  amo_sim *s;
  st = amo_sim_new(m, &o, diags, &s);
  if (st != AMO_OK) return st;
  st = amo_sim_start(s, t, state);
  if (st == AMO_OK) st = amo_sim_sample(s, t, true, out->sample);
  if (st == AMO_OK && jumps(m, state != NULL ? state : s->values.initial, out->sample)) {
    amo_sim_free(s);
    amo_error(diags, (amo_at){0}, "'contact' lists what is possible, 'simulate' shows what follows",
              "no acceleration exists at this state: velocities jump at once, by an impact or a stop");
    return AMO_ENOANSWER;
  }
  if (st == AMO_OK) st = exact_system(s, out);
  if (st == AMO_OK) st = o.method == AMO_METHOD_SMOOTH ? smooth_system(s, out) : curve_slopes(s, out);
  if (st == AMO_OK && o.method == AMO_METHOD_SWITCH) st = switch_system(s, out);
  if (st != AMO_OK)
    amo_error(diags, (amo_at){0}, NULL, "%s",
              amo_sim_message(s)[0] ? amo_sim_message(s)
              : st == AMO_ENOANSWER
                  ? "the forces at this state are not determined: 'contact' tells one of many"
                  : amo_status_text(st));
  amo_sim_free(s);
  return st;
}
