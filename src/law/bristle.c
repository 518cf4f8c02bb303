// SPDX-License-Identifier: Apache-2.0
#include "law/bristle.h"

amo_node amo_size_of(amo_dag *d, amo_node x)
{
  return amo_select(d, amo_op1(d, AMO_OP_SEAM, x), x, amo_neg(d, x));
}

amo_node amo_signed_power(amo_dag *d, amo_node x, amo_node exponent)
{
  double r;
  if (exponent == AMO_NODE_NONE || (amo_node_const(d, exponent, &r) && r == 1.0)) return x;
  const amo_node up = amo_op2(d, AMO_OP_POW, amo_size_of(d, x), exponent);
  return amo_select(d, amo_op1(d, AMO_OP_SEAM, x), up, amo_neg(d, up));
}

amo_node amo_stribeck_level(amo_dag *d, amo_node high, amo_node kinetic, amo_node size, amo_node speed,
                            amo_node exponent)
{
  if (high == AMO_NODE_NONE || speed == AMO_NODE_NONE) return kinetic;
  if (exponent == AMO_NODE_NONE) exponent = amo_const(d, 2.0);
  const amo_node power = amo_op2(d, AMO_OP_POW, amo_div(d, size, speed), exponent);
  const amo_node bell = amo_op1(d, AMO_OP_EXP, amo_neg(d, power));
  return amo_add(d, kinetic, amo_mul(d, amo_sub(d, high, kinetic), bell));
}

amo_node amo_bristle_level(const amo_law_in *in, amo_node size)
{
  const amo_node *f = in->field;
  return amo_stribeck_level(in->dag, f[AMO_BRISTLE_STATIC], f[AMO_BRISTLE_KINETIC], size,
                            f[AMO_BRISTLE_SPEED], f[AMO_BRISTLE_EXPONENT]);
}

void amo_bristle_law(const amo_law_in *in, amo_node rate, amo_node steady, amo_law_out *out)
{
  amo_dag *d = in->dag;
  const amo_node *f = in->field, damping = f[AMO_BRISTLE_SIGMA1], viscous = f[AMO_BRISTLE_SIGMA2];
  out->kinetic = amo_mul(d, f[AMO_BRISTLE_SIGMA0], in->state[0]);
  if (damping != AMO_NODE_NONE) out->kinetic = amo_add(d, out->kinetic, amo_mul(d, damping, rate));
  if (viscous != AMO_NODE_NONE) out->kinetic = amo_add(d, out->kinetic, amo_mul(d, viscous, in->s));
  out->state[0].slip = rate;
  out->state[0].stick = amo_const(d, 0.0);
  out->state[0].steady = steady;
  out->rest = AMO_YIELDS;
}
