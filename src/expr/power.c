// SPDX-License-Identifier: Apache-2.0
/// Powers a^r where r does not change in time.
#include <math.h>

#include "expr/program_impl.h"
#include "expr/power.inc"

size_t amo_prog_broken(const amo_prog *p, amo_broken *list, size_t most)
{
  size_t n = 0;
  for (size_t i = 0; i < p->value.count; i++) {
    const amo_instr *in = &p->value.item[i];
    const bool root = in->op == AMO_OP_SQRT, power = in->op == AMO_OP_POW && p->kind[in->b] == AMO_FIXED;
    if ((!root && !power) || p->kind[in->a] != AMO_VARYING) continue;
    if (n < most) list[n] = (amo_broken){in->dst, in->a, root ? AMO_NO_EXPONENT : in->b};
    n++;
  }
  return n;
}
