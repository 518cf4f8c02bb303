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
