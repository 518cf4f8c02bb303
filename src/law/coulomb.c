// SPDX-License-Identifier: Apache-2.0
/// Amontons and Coulomb: one number.
#include "law/law.h"

enum { MU };

static const amo_law_field fields[] = {
    [MU] = {"mu", true, false, AMO_LAW_NONNEGATIVE, "friction coefficient, the same in stick and slip"},
    {0},
};

static void build(const amo_law_in *in, amo_law_out *out)
{
  out->bound = in->field[MU];
  out->kinetic = in->field[MU];
}

const amo_law amo_law_coulomb = {
    .type = "coulomb",
    .doc = "constant friction",
    .formula = "stick |F| <= mu*N, slip |F| = mu*N",
    .field = fields,
    .build = build,
};
