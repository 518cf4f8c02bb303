// SPDX-License-Identifier: Apache-2.0
#include "model/vary.h"

#include <stdlib.h>
#include <string.h>

#include "model/mechanics.h"
#include "model/model.h"

static bool copy(void *to, const void *from, size_t count, size_t size)
{
  void *p = amo_zalloc(count, size);
  if (p && count) memcpy(p, from, count * size);
  *(void **)to = p;
  return p != NULL;
}

/// Parameters computed from a chosen one vary with it.
static amo_status mark_dependent(amo_vary *v, const amo_model *m)
{
  amo_leafset set = {0};
  amo_status st = AMO_OK;
  for (uint32_t i = 0; st == AMO_OK && i < m->np; i++) {
    if (m->param[i].expr == AMO_NODE_NONE) continue;
    st = amo_leaves_of(&set, m->dag, m->param[i].expr);
    for (size_t k = 0; st == AMO_OK && k < set.count; k++)
      if (set.leaf[k] >= m->leaf.param && set.leaf[k] < m->leaf.param + m->np)
        v->moves[i] |= v->moves[set.leaf[k] - m->leaf.param];
  }
  amo_leafset_free(&set);
  return st;
}

static amo_status compile_derived(amo_vary *v, const amo_model *m)
{
  amo_node *root = amo_zalloc(m->np, sizeof *root);
  bool *fixed = amo_zalloc(m->leaf.count, sizeof *fixed);
  size_t n = 0;
  for (uint32_t i = 0; root && i < m->np; i++)
    if (m->param[i].expr != AMO_NODE_NONE) root[n++] = m->param[i].expr;
  amo_status st = root && fixed ? AMO_OK : AMO_ENOMEM;
  if (st == AMO_OK && n > 0) st = amo_prog_compile(m->dag, root, n, fixed, m->leaf.count, &v->derive);
  free(root);
  free(fixed);
  return st;
}

static amo_status build(amo_vary *v, const amo_model *m, const uint32_t *param, size_t n)
{
  v->view = *m;
  v->view.stage = AMO_STAGE_FINISH;
  v->np = (uint32_t)n;
  v->moves = amo_zalloc(m->np, sizeof *v->moves);
  v->view.fixed = NULL;
  bool ok = amo_places_own(&v->view, m);
  ok = copy(&v->view.fixed, m->fixed, m->leaf.count, sizeof *m->fixed) && ok;
  ok = copy(&v->param, param, n, sizeof *param) && ok;
  if (!ok || !v->moves) return AMO_ENOMEM;
  for (size_t i = 0; i < n; i++) {
    if (param[i] >= m->np || m->param[param[i]].expr != AMO_NODE_NONE) return AMO_ERANGE;
    v->moves[param[i]] = true;
  }
  amo_status st = n > 0 ? mark_dependent(v, m) : AMO_OK;
  if (st == AMO_OK && n > 0) st = compile_derived(v, m);
  for (uint32_t i = 0; i < m->np; i++) v->view.fixed[m->leaf.param + i] = !v->moves[i];
  return st == AMO_OK ? amo_compile_step(&v->view) : st;
}

amo_status amo_vary_new(const amo_model *m, const uint32_t *param, size_t n, amo_vary **out)
{
  *out = NULL;
  amo_vary *v = amo_zalloc(1, sizeof *v);
  if (!v) return AMO_ENOMEM;
  amo_status st = build(v, m, param, n);
  if (st != AMO_OK) {
    amo_vary_free(v);
    return st;
  }
  *out = v;
  return AMO_OK;
}

void amo_vary_free(amo_vary *v)
{
  if (!v) return;
  amo_places_free(&v->view);
  free(v->view.fixed);
  amo_prog_free(v->derive);
  free(v->param);
  free(v->moves);
  free(v);
}

// Registers with two coefficients each, then the signs of the switching arguments.
size_t amo_vary_work(const amo_vary *v)
{
  return v->derive ? 2u * (size_t)amo_prog_registers(v->derive) + amo_prog_switches(v->derive) + 1u : 1u;
}

static void derive(const amo_vary *v, double *work)
{
  signed char *branch = (signed char *)(work + 2u * (size_t)amo_prog_registers(v->derive));
  amo_jet_prepare1(v->derive, work, 1);
  amo_jet_eval1(v->derive, work, 1, 0, NULL);
  for (uint32_t i = 0; i < amo_prog_switches(v->derive); i++) {
    const double x = work[2 * amo_prog_switch_register(v->derive, i)];
    branch[i] = (signed char)((x > 0.0) - (x < 0.0));
  }
  amo_jet_eval1(v->derive, work, 1, 1, branch);
}

void amo_vary_direction(const amo_vary *v, const double *value, uint32_t i, double *work, double *rate)
{
  const amo_model *m = &v->view;
  size_t n = 0;
  memset(rate, 0, m->np * sizeof *rate);
  rate[v->param[i]] = 1.0;
  if (!v->derive) return;
  memset(work, 0, amo_vary_work(v) * sizeof *work);
  for (uint32_t k = 0; k < m->np; k++) {
    work[2 * (m->leaf.param + k)] = value[k];
    work[2 * (m->leaf.param + k) + 1] = rate[k];
  }
  derive(v, work);
  for (uint32_t k = 0; k < m->np; k++) {
    if (m->param[k].expr == AMO_NODE_NONE) continue;
    const uint32_t reg = amo_prog_root(v->derive, n++);
    rate[k] = amo_prog_is_fixed(v->derive, reg) ? 0.0 : work[2 * reg + 1];
  }
}
