// SPDX-License-Identifier: Apache-2.0
/// A curve that first rises and then falls: F0*(1 + h*(s/v1)*exp(1 - s/v1)), its top at s = v1.
#include "law/law.h"

enum { LEVEL, HEIGHT, SPEED, STATIC };

static const amo_law_field fields[] = {
    [LEVEL] = {"level", true, false, AMO_LAW_NONNEGATIVE, "friction at s = 0 and for large s"},
    [HEIGHT] = {"height", true, false, AMO_LAW_ANY, "relative height of the hump"},
    [SPEED] = {"speed", true, false, AMO_LAW_POSITIVE, "sliding speed at the top [m/s]"},
    [STATIC] = {"static", false, false, AMO_LAW_NONNEGATIVE, "limit in stick; `level` if not given"},
    {0},
};

static void build(const amo_law_in *in, amo_law_out *out)
{
  amo_dag *d = in->dag;
  const amo_node *f = in->field, one = amo_const(d, 1.0);
  const amo_node ratio = amo_div(d, in->s, f[SPEED]);
  const amo_node bell = amo_mul(d, ratio, amo_op1(d, AMO_OP_EXP, amo_sub(d, one, ratio)));
  out->kinetic = amo_mul(d, f[LEVEL], amo_add(d, one, amo_mul(d, f[HEIGHT], bell)));
  out->bound = f[STATIC] != AMO_NODE_NONE ? f[STATIC] : f[LEVEL];
}

const amo_law amo_law_hump = {
    .type = "hump",
    .doc = "kinetic friction with a maximum at a finite speed",
    .formula = "stick |F| <= static*N, slip |F| = level*(1 + height*(s/speed)*exp(1 - s/speed))*N",
    .field = fields,
    .build = build,
};
