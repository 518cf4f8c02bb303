// SPDX-License-Identifier: Apache-2.0
/// Kinetic friction that falls to a minimum and rises again: static - slope*s*(1 - (s/speed)^2/3) (Le xuan Anh 1990, eq. 8.38).
#include "law/law.h"

enum { STATIC, SLOPE, SPEED };

static const amo_law_field fields[] = {
    [STATIC] = {"static", true, false, AMO_LAW_POSITIVE, "limit in stick, and friction at s = 0"},
    [SLOPE] = {"slope", true, false, AMO_LAW_NONNEGATIVE,
               "how fast friction falls at s = 0, per sliding speed"},
    [SPEED] = {"speed", true, false, AMO_LAW_POSITIVE, "sliding speed of the least friction [m/s]"},
    {0},
};

static void build(const amo_law_in *in, amo_law_out *out)
{
  amo_dag *d = in->dag;
  const amo_node *f = in->field, third = amo_const(d, 1.0 / 3.0), one = amo_const(d, 1.0);
  const amo_node square = amo_op1(d, AMO_OP_SQR, amo_div(d, in->s, f[SPEED]));
  const amo_node bend = amo_sub(d, one, amo_mul(d, third, square));
  const amo_node drop = amo_mul(d, amo_mul(d, f[SLOPE], f[SPEED]), amo_const(d, 2.0 / 3.0));
  out->bound = f[STATIC];
  out->kinetic = amo_sub(d, f[STATIC], amo_mul(d, amo_mul(d, f[SLOPE], in->s), bend));
  out->least = amo_sub(d, f[STATIC], drop);
}

const amo_law amo_law_cubic = {
    .type = "cubic",
    .doc = "kinetic friction that falls to a minimum and rises again",
    .formula = "stick |F| <= static*N, slip |F| = (static - slope*s + slope*s^3/(3*speed^2))*N",
    .field = fields,
    .build = build,
};
