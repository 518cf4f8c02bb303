// SPDX-License-Identifier: Apache-2.0
#include "orbit/start_slopes.h"

#include <stdlib.h>

#include "base/mem.h"

struct amo_start_slopes {
  const amo_model *m;
  amo_prog *prog;  // nothing fixed
  double *jet;
  signed char *branch;
};

amo_status amo_start_slopes_new(const amo_model *m, amo_start_slopes **out)
{
  amo_start_slopes *s = *out = amo_zalloc(1, sizeof *s);
  if (!s) return AMO_ENOMEM;
  bool *fixed = amo_zalloc(m->leaf.count, sizeof *fixed);
  const uint32_t ns = 2 * m->nq + m->nz;
  amo_status st =
      fixed ? amo_prog_compile(m->dag, m->start.state, ns, fixed, m->leaf.count, &s->prog) : AMO_ENOMEM;
  free(fixed);
  if (st != AMO_OK) return st;
  s->m = m;
  s->jet = amo_zalloc(2 * (size_t)amo_prog_registers(s->prog) + 2, sizeof *s->jet);
  s->branch = amo_zalloc(amo_prog_switches(s->prog) + 1u, 1);
  return s->jet && s->branch ? AMO_OK : AMO_ENOMEM;
}

void amo_start_slopes_free(amo_start_slopes *s)
{
  if (!s) return;
  amo_prog_free(s->prog);
  free(s->jet);
  free(s->branch);
  free(s);
}

void amo_start_slopes_along(amo_start_slopes *s, const double *param, const double *rate, double *value,
                            double *slope)
{
  const amo_model *m = s->m;
  double *jet = s->jet;
  for (uint32_t i = 0; i < m->np; i++) {
    jet[2 * (m->leaf.param + i)] = param[i];
    jet[2 * (m->leaf.param + i) + 1] = rate[i];
  }
  amo_jet_prepare1(s->prog, jet, 1);
  amo_jet_take_branches1(s->prog, jet, 1, s->branch);
  amo_jet_eval1(s->prog, jet, 1, 1, s->branch);
  for (uint32_t i = 0; i < 2 * m->nq + m->nz; i++) {
    const uint32_t reg = amo_prog_root(s->prog, i);
    if (value) value[i] = jet[2 * reg];
    slope[i] = amo_prog_is_fixed(s->prog, reg) ? 0.0 : jet[2 * reg + 1];
  }
}
