// SPDX-License-Identifier: Apache-2.0
/// Static friction that falls with the rate of loading, grows with the time of rest, or both (Le xuan Anh 1990, eqs 6.20 and
/// 1.40; Dorfman).
#include "law/law.h"

enum { LEVEL, EXCESS, BETA, LOADING, RATE, PART, KINETIC };

static const amo_law_field fields[] = {
    [LEVEL] = {"level", true, false, AMO_LAW_POSITIVE, "limit of quick loading, or of no rest"},
    [EXCESS] = {"excess", true, false, AMO_LAW_NONNEGATIVE, "what slow loading after long rest adds"},
    [BETA] = {"beta", false, false, AMO_LAW_NONNEGATIVE,
              "how fast the excess falls with the rate of loading [s/N]"},
    [LOADING] = {"loading", false, false, AMO_LAW_ANY,
                 "rate of loading [N/s] where it is not that of the force at rest"},
    [RATE] = {"rate", false, false, AMO_LAW_NONNEGATIVE,
              "how fast the excess grows with the time of rest [1/s]"},
    [PART] = {"part", false, false, AMO_LAW_FRACTION,
              "part of the excess that has to grow; all if not given"},
    [KINETIC] = {"kinetic", false, true, AMO_LAW_ANY,
                 "friction in slip, an expression of the sliding speed s; `level` if not given"},
    {0},
};

static amo_node decay(amo_dag *d, amo_node rate, amo_node x)
{
  return amo_op1(d, AMO_OP_EXP, amo_neg(d, amo_mul(d, rate, x)));
}

static void build(const amo_law_in *in, amo_law_out *out)
{
  amo_dag *d = in->dag;
  const amo_node *f = in->field, one = amo_const(d, 1.0), zero = amo_const(d, 0.0);
  amo_node excess = f[EXCESS];
  if (f[BETA] != AMO_NODE_NONE)
    excess = amo_mul(d, excess, decay(d, f[BETA], f[LOADING] != AMO_NODE_NONE ? f[LOADING] : in->loading));
  if (f[RATE] != AMO_NODE_NONE) {
    const amo_node left = decay(d, f[RATE], in->state[0]);
    const amo_node missing = f[PART] != AMO_NODE_NONE ? amo_mul(d, f[PART], left) : left;
    excess = amo_mul(d, excess, amo_sub(d, one, missing));
    out->state[0] = (amo_law_state){.stick = one, .slip = zero, .reset = zero};
  }
  out->bound = amo_add(d, f[LEVEL], excess);
  out->kinetic = f[KINETIC] != AMO_NODE_NONE ? f[KINETIC] : f[LEVEL];
}

const amo_law amo_law_breakaway = {
    .type = "breakaway",
    .doc = "static friction of the rate of loading, of the time of rest, or of both",
    .formula =
        "stick |F| <= (level + excess*exp(-beta*f)*(1 - part*exp(-rate*t_stick)))*N, f = d|F|/dt where that "
        "grows, else 0; slip |F| = kinetic(s)*N; t_stick' = 1 in stick",
    .field = fields,
    .states = {"t_stick"},
    .state_with = {"rate"},
    .build = build,
};
