// SPDX-License-Identifier: Apache-2.0
/// Numbers for the names of a model: parameters, initial state, initial time.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"

const amo_values *amo_model_values(const amo_model *m)
{
  return m ? &m->file : NULL;
}

amo_status amo_values_new(const amo_model *m, amo_values **out)
{
  if (!out) return AMO_ERANGE;
  *out = NULL;
  if (!m) return AMO_ERANGE;
  amo_values *v = amo_zalloc(1, sizeof *v);
  if (!v) return AMO_ENOMEM;
  const size_t ns = amo_model_states(m);
  *v = m->file;
  v->param = amo_zalloc(m->np, sizeof *v->param);
  v->initial = amo_zalloc(ns, sizeof *v->initial);
  if (!v->param || !v->initial) {
    amo_values_free(v);
    return AMO_ENOMEM;
  }
  memcpy(v->param, m->file.param, m->np * sizeof *v->param);
  memcpy(v->initial, m->file.initial, ns * sizeof *v->initial);
  *out = v;
  return AMO_OK;
}

void amo_values_free(amo_values *v)
{
  if (!v) return;
  free(v->param);
  free(v->initial);
  free(v);
}

amo_status amo_values_set(amo_values *v, size_t i, double value)
{
  if (!v || i >= v->model->np || !isfinite(value) || v->model->param[i].expr != AMO_NODE_NONE)
    return AMO_ERANGE;
  v->param[i] = value;
  return amo_values_follow(v) ? AMO_OK : AMO_ENOANSWER;
}

/// Derived parameters into `value`. `reg`: registers of the start program.
static void derive(const amo_model *m, double *value, double *reg)
{
  memcpy(reg + m->leaf.param, value, m->np * sizeof *reg);
  amo_prog_prepare1(m->start.prog, reg);
  amo_prog_eval1(m->start.prog, reg, NULL);
  size_t n = 0;
  for (uint32_t i = 0; i < m->np; i++)
    if (m->param[i].expr != AMO_NODE_NONE) value[i] = reg[amo_prog_root(m->start.prog, n++)];
}

void amo_model_derive(const amo_model *m, double *value)
{
  double *reg = amo_zalloc(amo_prog_registers(m->start.prog), sizeof *reg);
  if (reg) derive(m, value, reg);
  for (uint32_t i = 0; !reg && i < m->np; i++)
    if (m->param[i].expr != AMO_NODE_NONE) value[i] = NAN;
  free(reg);
}

void amo_values_follow_lanes(amo_values *v, bool *allowed, double *reg)
{
  enum { W = AMO_LANES };
  const amo_model *m = v->model;
  const amo_prog *p = m->start.prog;
  const size_t ns = amo_model_states(m);
  size_t n = 1;
  for (int pass = 0; pass < 2 && n > 0; pass++) {  // what uses derived parameters is right the second time
    n = 0;
    for (uint32_t i = 0; i < m->np; i++)
      for (size_t l = 0; l < W; l++) reg[(m->leaf.param + i) * W + l] = v[l].param[i];
    amo_prog_prepare8(p, reg);
    amo_prog_eval8(p, reg, NULL);
    for (uint32_t i = 0; i < m->np; i++) {
      if (m->param[i].expr == AMO_NODE_NONE) continue;
      for (size_t l = 0; l < W; l++) v[l].param[i] = reg[amo_prog_root(p, n) * W + l];
      n++;
    }
  }
  for (size_t l = 0; l < W; l++) {
    allowed[l] = true;
    for (size_t i = 0; i < ns; i++) v[l].initial[i] = reg[amo_prog_root(p, n + i) * W + l];
    for (uint32_t i = 0; allowed[l] && i < m->np; i++) allowed[l] = isfinite(v[l].param[i]);
    for (uint32_t i = 0; allowed[l] && i < m->start.nrequire; i++) {
      const double holds = reg[amo_prog_root(p, n + ns + i) * W + l];
      allowed[l] = holds != 0.0 && !isnan(holds);
    }
    v[l].t0 = reg[amo_prog_root(p, n + ns + m->start.nrequire) * W + l];
  }
}

bool amo_values_follow(amo_values *v)
{
  const amo_model *m = v->model;
  const size_t ns = amo_model_states(m);
  double *reg = amo_zalloc(amo_prog_registers(m->start.prog), sizeof *reg);
  bool allowed = reg != NULL;
  size_t n = 0;
  for (uint32_t i = 0; i < m->np; i++) n += m->param[i].expr != AMO_NODE_NONE;
  if (reg) derive(m, v->param, reg);
  if (reg && n > 0) derive(m, v->param, reg);  // what uses derived parameters is right the second time
  for (size_t i = 0; v->initial && i < ns; i++)
    v->initial[i] = reg ? reg[amo_prog_root(m->start.prog, n + i)] : NAN;
  for (uint32_t i = 0; allowed && i < m->np; i++) allowed = isfinite(v->param[i]);
  for (uint32_t i = 0; allowed && i < m->start.nrequire; i++) {
    const double holds = reg[amo_prog_root(m->start.prog, n + ns + i)];
    allowed = holds != 0.0 && !isnan(holds);
  }
  v->t0 = reg ? reg[amo_prog_root(m->start.prog, n + ns + m->start.nrequire)] : NAN;
  free(reg);
  return allowed;
}
