// SPDX-License-Identifier: Apache-2.0
/// Stribeck: from the static level down to the Coulomb level, plus a viscous part.
#include "law/bristle.h"

enum { STATIC, KINETIC, SPEED, EXPONENT, VISCOUS };

static const amo_law_field fields[] = {
    [STATIC] = {"static", true, false, AMO_LAW_NONNEGATIVE, "limit in stick and friction at s = 0"},
    [KINETIC] = {"kinetic", true, false, AMO_LAW_NONNEGATIVE,
                 "Coulomb level, reached for s well above `speed`"},
    [SPEED] = {"speed", true, false, AMO_LAW_POSITIVE, "Stribeck speed [m/s]"},
    [EXPONENT] = {"exponent", false, false, AMO_LAW_POSITIVE, "shape; 2 if not given"},
    [VISCOUS] = {"viscous", false, false, AMO_LAW_NONNEGATIVE,
                 "viscous part per sliding speed; none if not given"},
    {0},
};

static void build(const amo_law_in *in, amo_law_out *out)
{
  amo_dag *d = in->dag;
  const amo_node *f = in->field;
  amo_node k = amo_stribeck_level(d, f[STATIC], f[KINETIC], in->s, f[SPEED], f[EXPONENT]);
  if (f[VISCOUS] != AMO_NODE_NONE) k = amo_add(d, k, amo_mul(d, f[VISCOUS], in->s));
  out->kinetic = k;
  out->bound = f[STATIC];
}

const amo_law amo_law_stribeck = {
    .type = "stribeck",
    .doc = "static level falling to the Coulomb level, with viscous part",
    .formula = "stick |F| <= static*N, slip |F| = (kinetic + (static-kinetic)*exp(-(s/speed)^exponent) + "
               "viscous*s)*N",
    .field = fields,
    .build = build,
};
