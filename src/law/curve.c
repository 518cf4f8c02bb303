// SPDX-License-Identifier: Apache-2.0
/// Any curve over the sliding speed.
#include "law/law.h"

enum { STATIC, KINETIC };

static const amo_law_field fields[] = {
    [STATIC] = {"static", true, false, AMO_LAW_NONNEGATIVE, "limit in stick; not below kinetic at s = 0"},
    [KINETIC] = {"kinetic", true, true, AMO_LAW_ANY,
                 "friction in slip, an expression of the sliding speed s"},
    {0},
};

static void build(const amo_law_in *in, amo_law_out *out)
{
  out->bound = in->field[STATIC];
  out->kinetic = in->field[KINETIC];
}

const amo_law amo_law_curve = {
    .type = "curve",
    .doc = "kinetic friction as a function of the sliding speed",
    .formula = "stick |F| <= static*N, slip |F| = kinetic(s)*N",
    .field = fields,
    .build = build,
};
