// SPDX-License-Identifier: Apache-2.0
/// Friction that follows its curve with a delay (Kudinov, Vulfson, Elyasberg): tau*phi' = kinetic(s) - phi.
#include "law/law.h"

enum { STATIC, KINETIC, TAU };

static const amo_law_field fields[] = {
    [STATIC] = {"static", true, false, AMO_LAW_NONNEGATIVE, "limit in stick, to which friction tends there"},
    [KINETIC] = {"kinetic", true, true, AMO_LAW_ANY,
                 "what friction in slip tends to, an expression of the sliding speed s"},
    [TAU] = {"tau", true, false, AMO_LAW_POSITIVE, "delay [s]"},
    {0},
};

static void build(const amo_law_in *in, amo_law_out *out)
{
  amo_dag *d = in->dag;
  const amo_node *f = in->field, phi = in->state[0];
  out->bound = f[STATIC];
  out->kinetic = phi;
  out->state[0] = (amo_law_state){.stick = amo_div(d, amo_sub(d, f[STATIC], phi), f[TAU]),
                                  .slip = amo_div(d, amo_sub(d, f[KINETIC], phi), f[TAU]),
                                  .initial = f[KINETIC]};
}

const amo_law amo_law_lagged = {
    .type = "lagged",
    .doc = "kinetic friction that follows its curve with a delay",
    .formula =
        "stick |F| <= static*N, slip |F| = phi*N; tau*phi' = kinetic(s) - phi in slip, static - phi in stick",
    .field = fields,
    .states = {"phi"},
    .build = build,
};
