// SPDX-License-Identifier: Apache-2.0
/// Two numbers: an isolated static peak above constant kinetic friction.
#include "law/law.h"

enum { STATIC, KINETIC };

static const amo_law_field fields[] = {
    [STATIC] = {"static", true, false, AMO_LAW_NONNEGATIVE, "limit in stick; not below kinetic"},
    [KINETIC] = {"kinetic", true, false, AMO_LAW_NONNEGATIVE, "friction in slip"},
    {0},
};

static void build(const amo_law_in *in, amo_law_out *out)
{
  out->bound = in->field[STATIC];
  out->kinetic = in->field[KINETIC];
}

const amo_law amo_law_stiction = {
    .type = "stiction",
    .doc = "constant static and constant kinetic friction",
    .formula = "stick |F| <= static*N, slip |F| = kinetic*N",
    .field = fields,
    .build = build,
};
