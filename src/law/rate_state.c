// SPDX-License-Identifier: Apache-2.0
/// Rate-and-state friction (Dieterich, Ruina; Linker and Dieterich for normal forces that vary). Of the state theta the law
/// carries zeta = theta + (alpha/b) ln(N/normal): its rate has no rate of the normal force, so that steps of that need no
/// rule of their own. Without alpha both are the same.
#include "law/bristle.h"

enum { MU, A, B, LENGTH, SPEED, ALPHA, NORMAL, B2, LENGTH2, THETA, THETA2, EVOLUTION, FORM };
enum { SLIP, AGING };       // words of evolution
enum { REGULARISED, LOG };  // words of form

static const char *const evolutions[] = {"slip", "aging", NULL}, *const forms[] = {"regularised", "log",
                                                                                   NULL};

static const amo_law_field fields[] = {
    [MU] = {"mu", true, false, AMO_LAW_ANY, "steady coefficient at the reference speed"},
    [A] = {"a", true, false, AMO_LAW_POSITIVE, "direct effect of the speed"},
    [B] = {"b", true, false, AMO_LAW_NONNEGATIVE, "effect of the state"},
    [LENGTH] = {"length", true, false, AMO_LAW_POSITIVE, "slip over which the state evolves [m]"},
    [SPEED] = {"speed", true, false, AMO_LAW_POSITIVE, "reference speed [m/s]"},
    [ALPHA] = {"alpha", false, false, AMO_LAW_NONNEGATIVE,
               "part of the response to the normal force that evolves"},
    [NORMAL] = {"normal", false, false, AMO_LAW_POSITIVE, "normal force at which zeta is theta (1)"},
    [B2] = {"b2", false, false, AMO_LAW_ANY, "effect of a second state"},
    [LENGTH2] = {"length2", false, false, AMO_LAW_POSITIVE, "slip over which the second state evolves [m]"},
    [THETA] = {"theta", false, false, AMO_LAW_ANY, "initial state, or steady: at the initial speed", NULL,
               "steady"},
    [THETA2] = {"theta2", false, false, AMO_LAW_ANY, "initial second state, or steady", NULL, "steady"},
    [EVOLUTION] = {"evolution", false, false, AMO_LAW_ANY, "slip or aging", evolutions},
    [FORM] = {"form", false, false, AMO_LAW_ANY, "regularised (through zero speed) or log (sliding only)",
              forms},
    {0},
};

/// What its parts share.
typedef struct rate_state {
  amo_dag *d;
  const amo_node *f;
  amo_node s, size, theta, theta2;
  amo_node level;  // (mu + b theta + b2 theta2)/a
  amo_node rise;   // friction over a
  bool log;
} rate_state;

static amo_node ratio_log(const rate_state *r, amo_node s)
{
  return amo_op1(r->d, AMO_OP_LOG, amo_div(r->d, s, r->f[SPEED]));
}

/// asinh(s/(2 speed) exp(level)), the exponential in two halves: it may be beyond all numbers where the speed is next to none.
static amo_node regularised(const rate_state *r)
{
  amo_dag *d = r->d;
  const amo_node half = amo_op1(d, AMO_OP_EXP, amo_mul(d, amo_const(d, 0.5), r->level));
  const amo_node part = amo_div(d, r->s, amo_mul(d, amo_const(d, 2.0), r->f[SPEED]));
  return amo_op1(d, AMO_OP_ASINH, amo_mul(d, amo_mul(d, part, half), half));
}

/// The slip velocity for a friction: 2 speed sinh(rise) exp(-level) without numbers that are too large or cancel, or the exponential.
static amo_node speed_of(const rate_state *r)
{
  amo_dag *d = r->d;
  const amo_node up = amo_op1(d, AMO_OP_EXP, amo_sub(d, r->rise, r->level));
  if (r->log) return amo_mul(d, r->f[SPEED], up);
  const amo_node down = amo_op1(d, AMO_OP_EXP, amo_neg(d, amo_add(d, r->rise, r->level)));
  return amo_mul(d, r->f[SPEED], amo_mul(d, amo_op1(d, AMO_OP_TANH, r->rise), amo_add(d, up, down)));
}

/// |s| times the logarithm of the sliding speed over the reference speed, as the form has it: s asinh(...) - |s| level.
static amo_node speed_times_log(const rate_state *r)
{
  amo_dag *d = r->d;
  if (r->log) return amo_mul(d, r->s, amo_sub(d, r->rise, r->level));
  return amo_sub(d, amo_mul(d, r->s, r->rise), amo_mul(d, r->size, r->level));
}

static amo_law_state evolution(const rate_state *r, int word, amo_node theta, amo_node length)
{
  amo_dag *d = r->d;
  const amo_node zero = amo_const(d, 0.0);
  if (word == SLIP)
    return (amo_law_state){
        .stick = zero,
        .slip = amo_neg(d, amo_div(d, amo_add(d, speed_times_log(r), amo_mul(d, r->size, theta)), length))};
  const amo_node heals =
      amo_mul(d, amo_div(d, r->f[SPEED], length), amo_op1(d, AMO_OP_EXP, amo_neg(d, theta)));
  return (amo_law_state){.stick = heals, .slip = amo_sub(d, heals, amo_div(d, r->size, length))};
}

/// The initial state: as given, or steady at the speed there is.
static amo_node initial(const rate_state *r, amo_node given, amo_node s)
{
  if (given != AMO_NODE_NONE) return given;
  return amo_neg(r->d, ratio_log(r, amo_op1(r->d, AMO_OP_ABS, s)));
}

static void build(const amo_law_in *in, amo_law_out *out)
{
  amo_dag *d = in->dag;
  const amo_node *f = in->field;
  rate_state r = {.d = d, .f = f, .s = in->s, .theta = in->state[0], .log = in->word[FORM] == LOG};
  amo_node shift = AMO_NODE_NONE;  // zeta - theta
  if (f[ALPHA] != AMO_NODE_NONE) {
    const amo_node n = f[NORMAL] == AMO_NODE_NONE ? in->normal : amo_div(d, in->normal, f[NORMAL]);
    shift = amo_mul(d, amo_div(d, f[ALPHA], f[B]), amo_op1(d, AMO_OP_LOG, n));
    r.theta = amo_sub(d, r.theta, shift);
  }
  r.level = amo_add(d, f[MU], amo_mul(d, f[B], r.theta));
  if (f[B2] != AMO_NODE_NONE) r.level = amo_add(d, r.level, amo_mul(d, f[B2], in->state[1]));
  r.level = amo_div(d, r.level, f[A]);
  if (in->friction != AMO_NODE_NONE) {
    r.rise = amo_div(d, in->friction, f[A]);
    r.s = out->speed = speed_of(&r);
  } else {
    r.rise = r.log ? amo_add(d, r.level, ratio_log(&r, r.s)) : regularised(&r);
  }
  // slip reverses without an event
  r.size = r.log ? r.s : amo_size_of(d, r.s);
  out->kinetic = in->friction != AMO_NODE_NONE ? in->friction : amo_mul(d, f[A], r.rise);
  out->bound = amo_const(d, 0.0);
  out->rest = r.log && in->friction == AMO_NODE_NONE ? AMO_UNKNOWN : AMO_CREEPS;
  out->state[0] = evolution(&r, in->word[EVOLUTION], r.theta, f[LENGTH]);
  out->state[0].initial = initial(&r, f[THETA], in->s);
  if (shift != AMO_NODE_NONE) out->state[0].initial = amo_add(d, out->state[0].initial, shift);
  if (f[B2] != AMO_NODE_NONE) {
    out->state[1] = evolution(&r, in->word[EVOLUTION], in->state[1], f[LENGTH2]);
    out->state[1].initial = initial(&r, f[THETA2], in->s);
  }
  out->told[0] = (amo_law_told){"theta", r.theta};
  out->told[1] = (amo_law_told){"mu", out->kinetic};
}

const amo_law amo_law_rate_state = {
    .type = "rate-and-state",
    .doc = "friction that depends on speed and history; it never sticks",
    .formula =
        "F = a*asinh(v/(2*speed)*exp((mu + b*theta + b2*theta2)/a))*N, or (mu + a*ln(s/speed) + b*theta + "
        "b2*theta2)*N; theta' = -(s/length)*(ln(s/speed) + theta) - alpha*N'/(b*N) (slip), "
        "(speed/length)*exp(-theta) - s/length - alpha*N'/(b*N) (aging)",
    .field = fields,
    .states = {"theta", "theta2"},
    .state_with = {NULL, "b2"},
    .state_renamed = {{"alpha", "zeta"}},
    .needs_normal = "alpha",
    .build = build,
};
