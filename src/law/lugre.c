// SPDX-License-Identifier: Apache-2.0
/// LuGre (Canudas de Wit, Olsson, Astrom, Lischinsky 1995): bristles with stiffness and damping whose steady deflection is that of
/// a Stribeck curve g(s). Per unit of the normal force, as all laws: with a normal force that varies the deflection z evolves by
/// the slip alone.
#include "law/bristle.h"

static const amo_law_field fields[] = {AMO_BRISTLE_FIELDS, {0}};

static void build(const amo_law_in *in, amo_law_out *out)
{
  amo_dag *d = in->dag;
  const amo_node stiffness = in->field[AMO_BRISTLE_SIGMA0], size = amo_size_of(d, in->s);
  const amo_node level = amo_bristle_level(in, size), spring = amo_mul(d, stiffness, in->state[0]);
  const amo_node rate = amo_sub(d, in->s, amo_mul(d, size, amo_div(d, spring, level)));
  amo_bristle_law(in, rate, amo_div(d, level, stiffness), out);
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
