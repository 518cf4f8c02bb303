// SPDX-License-Identifier: Apache-2.0
/// A law written by the user, with memory of its own.
#include "law/law.h"

enum { STATIC, KINETIC };

static const amo_law_field fields[] = {
    [STATIC] = {"static", true, false, AMO_LAW_ANY, "limit in stick, an expression of the law's states"},
    [KINETIC] = {"kinetic", true, true, AMO_LAW_ANY,
                 "friction in slip, an expression of s and the law's states"},
    {0},
};

static void build(const amo_law_in *in, amo_law_out *out)
{
  out->bound = in->field[STATIC];
  out->kinetic = in->field[KINETIC];
}

const amo_law amo_law_general = {
    .type = "general",
    .doc = "any law with states named by the model: states: {theta: {stick:, slip:, initial:, reset:}}",
    .formula = "stick |F| <= static*N, slip |F| = kinetic*N; theta' = stick or slip",
    .field = fields,
    .user_states = true,
    .build = build,
};
