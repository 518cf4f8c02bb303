// SPDX-License-Identifier: Apache-2.0
/// Dahl (1968): friction F that rises with the displacement like the stress of a solid with its strain,
///   dF/dx = stiffness |1 - F sgn(x')/mu|^exponent sgn(1 - F sgn(x')/mu).
/// The state is the deflection z = F/stiffness. With an exponent below 1 friction reaches its level after a finite displacement.
#include "law/bristle.h"

enum { MU, STIFFNESS, EXPONENT, VISCOUS };

static const amo_law_field fields[] = {
    [MU] = {"mu", true, false, AMO_LAW_POSITIVE, "friction of steady sliding"},
    [STIFFNESS] = {"stiffness", true, false, AMO_LAW_POSITIVE,
                   "rise of friction with the displacement where there is none [1/m; in: force N/m]"},
    [EXPONENT] = {"exponent", false, false, AMO_LAW_POSITIVE, "shape of the rise; 1 if not given"},
    [VISCOUS] = {"viscous", false, true, AMO_LAW_NONNEGATIVE,
                 "viscous part per sliding speed [s/m; in: force N s/m]; none if not given"},
    {0},
};

static void build(const amo_law_in *in, amo_law_out *out)
{
  amo_dag *d = in->dag;
  const amo_node *f = in->field, one = amo_const(d, 1.0);
  const amo_node spring = amo_mul(d, f[STIFFNESS], in->state[0]), part = amo_div(d, spring, f[MU]);
  const amo_node along = amo_select(d, amo_op1(d, AMO_OP_SEAM, in->s), part, amo_neg(d, part));
  const amo_node left = amo_sub(d, one, along);  // of the way to its level
  out->kinetic = spring;
  if (f[VISCOUS] != AMO_NODE_NONE) out->kinetic = amo_add(d, spring, amo_mul(d, f[VISCOUS], in->s));
  out->state[0].slip = amo_mul(d, in->s, amo_signed_power(d, left, f[EXPONENT]));
  out->state[0].stick = amo_const(d, 0.0);
  out->state[0].steady = amo_div(d, f[MU], f[STIFFNESS]);
  out->rest = AMO_YIELDS;
}

const amo_law amo_law_dahl = {
    .type = "dahl",
    .doc = "friction that rises with the displacement to a constant level",
    .formula = "F = (stiffness*z + viscous*v)*N, z' = v*|r|^exponent*sgn(r), r = 1 - stiffness*z*sgn(v)/mu",
    .field = fields,
    .states = {"z"},
    .both_ways = true,
    .build = build,
};
