// SPDX-License-Identifier: Apache-2.0
/// Numbers from expressions, for values that are needed once (parameters, initial state, checks).
#include <stdlib.h>
#include <string.h>

#include "model/loader.h"

amo_status amo_constant_values(const amo_dag *d, const amo_node *root, size_t n, const double *leaf,
                               uint32_t nleaf, double *out)
{
  amo_prog *p = NULL;
  double *reg = NULL;
  bool *fixed = amo_zalloc(nleaf, sizeof *fixed);
  amo_status st = fixed ? amo_prog_compile(d, root, n, fixed, nleaf, &p) : AMO_ENOMEM;
  if (st != AMO_OK) goto done;
  reg = amo_zalloc(amo_prog_registers(p), sizeof *reg);
  if (!reg) {
    st = AMO_ENOMEM;
    goto done;
  }
  memcpy(reg, leaf, nleaf * sizeof *reg);
  amo_prog_prepare1(p, reg);
  amo_prog_eval1(p, reg, NULL);
  for (size_t i = 0; i < n; i++) out[i] = reg[amo_prog_root(p, i)];
done:
  free(reg);
  free(fixed);
  amo_prog_free(p);
  return st;
}
