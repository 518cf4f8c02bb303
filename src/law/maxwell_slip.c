// SPDX-License-Identifier: Apache-2.0
/// Generalised Maxwell slip (Lampaert, Al-Bender, Swevers 2003): elements in parallel, each a spring behind a slider that holds up to its
/// limit. `curve` lets all limits fall with the sliding speed, `attraction` makes the friction of elements that slip follow it
/// with a delay, dF/dt = sgn(v)*attraction*(a - F/s(v)), a the part that an element has of all limits. Without both this is Iwan's model.
/// The elements themselves are model/elements.c.
#include "law/law.h"

enum { CURVE, ATTRACTION, VISCOUS };

static const amo_law_field fields[] = {
    [CURVE] = {"curve", false, true, AMO_LAW_POSITIVE,
               "what limits are multiplied by at the sliding speed s; 1 if not given"},
    [ATTRACTION] =
        {"attraction", false, false, AMO_LAW_POSITIVE,
         "how fast the friction of what slips follows its limit [1/s; in: force N/s]; at once if not given"},
    [VISCOUS] = {"viscous", false, true, AMO_LAW_NONNEGATIVE,
                 "viscous part per sliding speed [s/m; in: force N s/m]; none if not given"},
    {0},
};

static void build(const amo_law_in *in, amo_law_out *out)
{
  const amo_node curve = in->field[CURVE];
  out->bound = out->kinetic = curve != AMO_NODE_NONE ? curve : amo_const(in->dag, 1.0);
  out->beside = in->field[VISCOUS];
}

const amo_law amo_law_maxwell_slip = {
    .type = "maxwell-slip",
    .doc = "springs in parallel, each behind a slider: generalised Maxwell slip",
    .formula = "F = (sum of k*z + viscous*v)*N; stick z' = v up to |k*z| = limit*curve(|v|), slip k*z = "
               "limit*curve(|v|)*sgn(v), or "
               "with attraction (k*z)' = attraction*sgn(v)*(limit/sum - |k*z|/(sum*curve)) until v = 0",
    .field = fields,
    .elements = true,
    .build = build,
};
