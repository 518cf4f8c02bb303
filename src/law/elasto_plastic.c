// SPDX-License-Identifier: Apache-2.0
/// Elasto-plastic friction (Dupont, Hayward, Armstrong, Altpeter 2002): LuGre's bristles that bend without sliding up to a deflection z_ba,
///   z' = v (1 - alpha(z, v) z/z_ss),   z_ss = g(|v|)/sigma0 in the direction of v,
/// alpha = 0 below z_ba and while the bristles unbend, 1 beyond z_ss, half a sine between. A load that stays below makes it creep no more.
#include "law/bristle.h"

enum { SIGMA0, SIGMA1, SIGMA2, KINETIC, STATIC, SPEED, EXPONENT, BREAKAWAY };

static const amo_law_field fields[] = {
    [SIGMA0] = {"sigma0", true, false, AMO_LAW_POSITIVE, "stiffness of the bristles [1/m; in: force N/m]"},
    [SIGMA1] =
        {"sigma1", false, true, AMO_LAW_NONNEGATIVE,
         "their damping, constant or of the sliding speed s [s/m; in: force N s/m]; none if not given"},
    [SIGMA2] = {"sigma2", false, true, AMO_LAW_NONNEGATIVE,
                "viscous part per sliding speed [s/m; in: force N s/m]; none if not given"},
    [KINETIC] = {"kinetic", true, true, AMO_LAW_POSITIVE,
                 "Coulomb level, or any curve of s: steady friction without the viscous part"},
    [STATIC] = {"static", false, false, AMO_LAW_POSITIVE,
                "steady friction at s = 0, above `kinetic` by a Stribeck peak; needs `speed`"},
    [SPEED] = {"speed", false, false, AMO_LAW_POSITIVE, "Stribeck speed [m/s]"},
    [EXPONENT] = {"exponent", false, false, AMO_LAW_POSITIVE, "shape of the peak; 2 if not given"},
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
  const amo_node level = amo_stribeck_level(d, f[STATIC], f[KINETIC], size, f[SPEED], f[EXPONENT]);
  const amo_node most = amo_div(d, level, f[SIGMA0]);
  const amo_node along = amo_select(d, amo_op1(d, AMO_OP_SEAM, in->s), z, amo_neg(d, z));
  const amo_node share = amo_mul(d, alpha(d, along, f[BREAKAWAY], most), amo_div(d, along, most));
  const amo_node rate = amo_mul(d, in->s, amo_sub(d, amo_const(d, 1.0), share));
  out->kinetic = amo_mul(d, f[SIGMA0], z);
  if (f[SIGMA1] != AMO_NODE_NONE) out->kinetic = amo_add(d, out->kinetic, amo_mul(d, f[SIGMA1], rate));
  if (f[SIGMA2] != AMO_NODE_NONE) out->kinetic = amo_add(d, out->kinetic, amo_mul(d, f[SIGMA2], in->s));
  out->state[0].slip = rate;
  out->state[0].stick = amo_const(d, 0.0);
  out->state[0].steady = most;
  out->rest = AMO_YIELDS;
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
