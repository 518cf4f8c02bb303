// SPDX-License-Identifier: Apache-2.0
/// Bouc (1967) and Wen (1976): hysteresis z' = A v - beta |v| |z|^(n-1) z - gamma v |z|^n, force stiffness z. The largest
/// deflection is (A/(beta + gamma))^(1/n).
#include "law/bristle.h"

enum { STIFFNESS, BETA, GAMMA, N, A, VISCOUS };

static const amo_law_field fields[] = {
    [STIFFNESS] = {"stiffness", true, false, AMO_LAW_POSITIVE,
                   "friction per deflection z [1/m; in: force N/m]"},
    [BETA] = {"beta", true, false, AMO_LAW_ANY, "shape [1/m^n]"},
    [GAMMA] = {"gamma", true, false, AMO_LAW_ANY, "shape [1/m^n]"},
    [N] = {"n", false, false, AMO_LAW_AT_LEAST_ONE,
           "exponent >= 1, whole or not: how sudden it yields; 1 if not given"},
    [A] = {"A", false, false, AMO_LAW_POSITIVE, "deflection per slip at z = 0; 1 if not given"},
    [VISCOUS] = {"viscous", false, true, AMO_LAW_NONNEGATIVE,
                 "viscous part per sliding speed [s/m; in: force N s/m]; none if not given"},
    {0},
};

static void build(const amo_law_in *in, amo_law_out *out)
{
  amo_dag *d = in->dag;
  const amo_node *f = in->field, z = in->state[0], s = in->s;
  const amo_node one = amo_const(d, 1.0), n = f[N] != AMO_NODE_NONE ? f[N] : one;
  const amo_node odd = amo_signed_power(d, z, n), z_back = amo_op1(d, AMO_OP_SEAM, z);
  const amo_node even = amo_select(d, z_back, odd, amo_neg(d, odd));
  const amo_node free = f[A] != AMO_NODE_NONE ? amo_mul(d, f[A], s) : s;
  const amo_node loss = amo_mul(d, f[BETA], amo_mul(d, amo_size_of(d, s), odd));
  out->kinetic = amo_mul(d, f[STIFFNESS], z);
  if (f[VISCOUS] != AMO_NODE_NONE) out->kinetic = amo_add(d, out->kinetic, amo_mul(d, f[VISCOUS], s));
  out->state[0].slip = amo_sub(d, amo_sub(d, free, loss), amo_mul(d, f[GAMMA], amo_mul(d, s, even)));
  out->state[0].stick = amo_const(d, 0.0);
  out->state[0].steady =
      amo_op2(d, AMO_OP_POW, amo_div(d, f[A] != AMO_NODE_NONE ? f[A] : one, amo_add(d, f[BETA], f[GAMMA])),
              amo_div(d, one, n));
  out->rest = AMO_YIELDS;
}

const amo_law amo_law_bouc_wen = {
    .type = "bouc-wen",
    .doc = "hysteresis of yielding parts, smooth or sudden",
    .formula = "F = (stiffness*z + viscous*v)*N, z' = A*v - beta*|v|*|z|^(n-1)*z - gamma*v*|z|^n",
    .field = fields,
    .states = {"z"},
    .both_ways = true,
    .build = build,
};
