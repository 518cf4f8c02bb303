// SPDX-License-Identifier: Apache-2.0
/// LuGre (Canudas de Wit, Olsson, Astrom, Lischinsky 1995): bristles with stiffness and damping whose steady deflection is that of
/// a Stribeck curve g(s). Per unit of the normal force, as all laws: with a normal force that varies the deflection z evolves by
/// the slip alone.
#include "law/bristle.h"

enum { SIGMA0, SIGMA1, SIGMA2, KINETIC, STATIC, SPEED, EXPONENT };

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
    {0},
};

static void build(const amo_law_in *in, amo_law_out *out)
{
  amo_dag *d = in->dag;
  const amo_node *f = in->field, z = in->state[0], size = amo_size_of(d, in->s);
  const amo_node level = amo_stribeck_level(d, f[STATIC], f[KINETIC], size, f[SPEED], f[EXPONENT]);
  const amo_node spring = amo_mul(d, f[SIGMA0], z);
  const amo_node rate = amo_sub(d, in->s, amo_mul(d, size, amo_div(d, spring, level)));
  out->kinetic = spring;
  if (f[SIGMA1] != AMO_NODE_NONE) out->kinetic = amo_add(d, out->kinetic, amo_mul(d, f[SIGMA1], rate));
  if (f[SIGMA2] != AMO_NODE_NONE) out->kinetic = amo_add(d, out->kinetic, amo_mul(d, f[SIGMA2], in->s));
  out->state[0].slip = rate;
  out->state[0].stick = amo_const(d, 0.0);
  out->state[0].steady = amo_div(d, level, f[SIGMA0]);
  out->rest = AMO_YIELDS;
}

const amo_law amo_law_lugre = {
    .type = "lugre",
    .doc = "bristles that bend and then slide along a Stribeck curve",
    .formula = "F = (sigma0*z + sigma1*z' + sigma2*v)*N, z' = v - sigma0*|v|*z/g, "
               "g = kinetic + (static-kinetic)*exp(-(|v|/speed)^exponent)",
    .field = fields,
    .states = {"z"},
    .both_ways = true,
    .build = build,
};
