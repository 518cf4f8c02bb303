// SPDX-License-Identifier: Apache-2.0
/// Static friction that grows with the time of rest (Leine et al. 1998, eq. 18).
#include "law/law.h"

enum { STATIC, KINETIC, GROWTH, RATE, DECAY };

static const amo_law_field fields[] = {
    [STATIC] = {"static", true, false, AMO_LAW_NONNEGATIVE, "limit when stick has just begun"},
    [KINETIC] = {"kinetic", true, true, AMO_LAW_ANY,
                 "friction in slip, an expression of the sliding speed s"},
    [GROWTH] = {"growth", true, false, AMO_LAW_AT_LEAST_ONE,
                "ratio of the limit after long rest to `static`"},
    [RATE] = {"rate", true, false, AMO_LAW_NONNEGATIVE, "how fast the limit grows [1/s]"},
    [DECAY] = {"decay", false, false, AMO_LAW_NONNEGATIVE,
               "how fast slip forgets the time of rest [1/s]; without it the time restarts from 0 when stick "
               "begins"},
    {0},
};

static void build(const amo_law_in *in, amo_law_out *out)
{
  amo_dag *d = in->dag;
  const amo_node *f = in->field, time = in->state[0];
  const amo_node one = amo_const(d, 1.0), zero = amo_const(d, 0.0);
  const amo_node decayed = amo_op1(d, AMO_OP_EXP, amo_neg(d, amo_mul(d, f[RATE], time)));
  const amo_node grown = amo_mul(d, amo_sub(d, f[GROWTH], one), amo_sub(d, one, decayed));
  out->bound = amo_mul(d, f[STATIC], amo_add(d, one, grown));
  out->kinetic = f[KINETIC];
  out->state[0].stick = one;
  if (f[DECAY] == AMO_NODE_NONE) {  // the limit decay -> infinity
    out->state[0].slip = zero;
    out->state[0].reset = zero;
  } else {
    out->state[0].slip = amo_neg(d, amo_mul(d, f[DECAY], time));
  }
}

const amo_law amo_law_aging = {
    .type = "aging",
    .doc = "static friction that grows with the time of rest",
    .formula = "stick |F| <= static*(1 + (growth-1)*(1 - exp(-rate*t_stick)))*N, slip |F| = kinetic(s)*N; "
               "t_stick' = 1 in stick, -decay*t_stick in slip",
    .field = fields,
    .states = {"t_stick"},
    .build = build,
};
