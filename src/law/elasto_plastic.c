// SPDX-License-Identifier: Apache-2.0
/// Elasto-plastic friction (Dupont, Hayward, Armstrong, Altpeter 2002): LuGre's bristles that bend without sliding up to a deflection z_ba,
///   z' = v (1 - alpha(z, v) z/z_ss),   z_ss = g(|v|)/sigma0 in the direction of v,
/// alpha = 0 below z_ba and while the bristles unbend, 1 beyond z_ss, half a sine between. A load that stays below makes it creep no more.
#include "law/bristle.h"

enum { BREAKAWAY = AMO_BRISTLES };

static const amo_law_field fields[] = {
    AMO_BRISTLE_FIELDS,
    [BREAKAWAY] = {"breakaway", true, false, AMO_LAW_NONNEGATIVE,
                   "deflection z_ba up to which nothing slides [m]; below the steady one"},
    {0},
};

/// The share of the slip that slides, less z/z_ss: alpha for a deflection `along` the slip.
static amo_node alpha(amo_dag *d, amo_node along, amo_node least, amo_node most)
{
  const amo_node one = amo_const(d, 1.0), half = amo_const(d, 0.5);
  const amo_node middle = amo_mul(d, half, amo_add(d, least, most));
  const amo_node turn =
      amo_div(d, amo_mul(d, amo_const(d, 3.14159265358979323846), amo_sub(d, along, middle)),
              amo_sub(d, most, least));
  const amo_node rises = amo_mul(d, half, amo_add(d, one, amo_op1(d, AMO_OP_SIN, turn)));
  const amo_node past = amo_op1(d, AMO_OP_SEAM, amo_sub(d, along, most));
  const amo_node yields = amo_op1(d, AMO_OP_SEAM, amo_sub(d, along, least));
  return amo_select(d, yields, amo_select(d, past, one, rises), amo_const(d, 0.0));
}

static void build(const amo_law_in *in, amo_law_out *out)
{
  amo_dag *d = in->dag;
  const amo_node *f = in->field, z = in->state[0], size = amo_size_of(d, in->s);
  const amo_node most = amo_div(d, amo_bristle_level(in, size), f[AMO_BRISTLE_SIGMA0]);
  const amo_node along = amo_select(d, amo_op1(d, AMO_OP_SEAM, in->s), z, amo_neg(d, z));
  const amo_node share = amo_mul(d, alpha(d, along, f[BREAKAWAY], most), amo_div(d, along, most));
  amo_bristle_law(in, amo_mul(d, in->s, amo_sub(d, amo_const(d, 1.0), share)), most, out);
}

const amo_law amo_law_elasto_plastic = {
    .type = "elasto-plastic",
    .doc = "bristles that bend without sliding up to a deflection, then as LuGre",
    .formula = "F = (sigma0*z + sigma1*z' + sigma2*v)*N, z' = v*(1 - alpha*z*sgn(v)*sigma0/g), alpha = 0 for "
               "z*sgn(v) "
               "< breakaway, 1 beyond g/sigma0, half a sine between",
    .field = fields,
    .states = {"z"},
    .both_ways = true,
    .build = build,
};
