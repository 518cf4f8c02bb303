// SPDX-License-Identifier: Apache-2.0
/// The jet list: one recurrence per varying register, specialised for operands that do not vary.
#include "expr/compile_impl.h"

static bool varies(const amo_compiler *c, uint32_t reg)
{
  return c->p->kind[reg] == AMO_VARYING;
}

static void emit(amo_compiler *c, uint32_t op, uint32_t dst, uint32_t a, uint32_t b, uint32_t h)
{
  amo_emit(c, c->out, (amo_instr){.op = op, .dst = dst, .a = a, .b = b, .h = h});
}

// A hidden register whose coefficient 0 is the value instruction op(a, b).
static uint32_t seeded(amo_compiler *c, uint32_t op, int kind, uint32_t a, uint32_t b)
{
  const uint32_t h = amo_new_register(c, kind);
  amo_emit(c, kind == AMO_FIXED ? &c->p->fixed : &c->p->seed,
           (amo_instr){.op = op, .dst = h, .a = a, .b = b, .h = AMO_NO_SLOT});
  return h;
}

static bool shared(const amo_compiler *c, int what, uint32_t reg, uint32_t *h)
{
  return amo_map_get(&c->hidden[what], (uint64_t)reg + 1, h);
}

static uint32_t share(amo_compiler *c, int what, uint32_t reg, uint32_t h)
{
  if (!amo_map_put(&c->hidden[what], (uint64_t)reg + 1, h)) c->status = AMO_ENOMEM;
  return h;
}

// 1/a_0: a division per coefficient would cost more than all the rest of a short recurrence.
static uint32_t inverse(amo_compiler *c, uint32_t a)
{
  uint32_t h = 0;
  if (shared(c, AMO_H_INVERSE, a, &h)) return h;
  const int kind = c->p->kind[a] == AMO_FIXED ? AMO_FIXED : AMO_STEADY;
  return share(c, AMO_H_INVERSE, a, seeded(c, AMO_V_INVERSE, kind, a, 0));
}

// A series for a register that has only a value: rare instructions then need no variants.
static uint32_t lift(amo_compiler *c, uint32_t a)
{
  uint32_t h = 0;
  if (varies(c, a)) return a;
  if (shared(c, AMO_H_LIFT, a, &h)) return h;
  h = seeded(c, AMO_V_COPY, AMO_VARYING, a, 0);
  emit(c, AMO_J_ZERO, h, 0, 0, 0);
  return share(c, AMO_H_LIFT, a, h);
}

static uint32_t logarithm(amo_compiler *c, uint32_t a)
{
  uint32_t h = 0;
  if (shared(c, AMO_H_LOG, a, &h)) return h;
  h = seeded(c, AMO_OP_LOG, c->p->kind[a], a, 0);
  if (varies(c, a)) emit(c, AMO_J_LOG, h, a, 0, inverse(c, a));
  return share(c, AMO_H_LOG, a, h);
}

static void sum(amo_compiler *c, uint32_t op, uint32_t dst, uint32_t a, uint32_t b)
{
  if (!varies(c, b))
    emit(c, AMO_J_COPY, dst, a, 0, 0);
  else if (!varies(c, a))
    emit(c, op == AMO_OP_ADD ? AMO_J_COPY : AMO_J_NEG, dst, b, 0, 0);
  else
    emit(c, op == AMO_OP_ADD ? AMO_J_ADD : AMO_J_SUB, dst, a, b, 0);
}

static void product(amo_compiler *c, uint32_t dst, uint32_t a, uint32_t b)
{
  if (!varies(c, b))
    emit(c, AMO_J_LINEAR1, dst, a, b, 0);
  else if (!varies(c, a))
    emit(c, AMO_J_LINEAR1, dst, b, a, 0);
  else
    emit(c, AMO_J_MUL, dst, a, b, 0);
}

static void quotient(amo_compiler *c, uint32_t dst, uint32_t a, uint32_t b)
{
  const uint32_t h = inverse(c, b);
  if (!varies(c, b))
    emit(c, AMO_J_LINEAR1, dst, a, h, 0);
  else
    emit(c, varies(c, a) ? AMO_J_DIV : AMO_J_RECIPROCAL, dst, a, b, h);
}

static uint32_t ladder(amo_compiler *c, uint32_t a, uint32_t b)
{
  const uint32_t h = amo_new_register(c, AMO_VARYING);
  for (uint32_t i = 1; i < AMO_LADDER_REGISTERS; i++) amo_new_register(c, AMO_VARYING);
  amo_emit(c, &c->p->seed, (amo_instr){.op = AMO_V_LADDER, .dst = h, .a = a, .b = b});
  return h;
}

static void power(amo_compiler *c, amo_node n, uint32_t dst, uint32_t a, uint32_t b)
{
  if (!varies(c, b)) {
    const bool literal = amo_node_const(c->d, amo_node_arg(c->d, n, 1), NULL);
    emit(c, AMO_J_POW, dst, a, b, literal ? AMO_NO_SLOT : ladder(c, a, b));
    return;
  }
  // a^b = exp(b log a), with coefficient 0 from pow() itself.
  const uint32_t l = logarithm(c, a);
  const uint32_t g = seeded(c, AMO_OP_MUL, AMO_VARYING, b, l);
  product(c, g, b, l);
  emit(c, AMO_J_EXP, dst, g, 0, 0);
}

// sin(a) and cos(a) advance together; the partner is hidden if the program does not need it itself.
static void pair(amo_compiler *c, amo_node n, uint32_t jet, amo_op first, amo_op second)
{
  const amo_node arg = amo_node_arg(c->d, n, 0);
  const bool is_first = amo_node_op(c->d, n) == first;
  const amo_op other = is_first ? second : first;
  const uint32_t dst = c->reg[n], a = c->reg[arg];
  const amo_node partner = amo_dag_find(c->d, other, arg);
  uint32_t h = 0;
  if (partner != AMO_NODE_NONE && partner <= c->last && c->used[partner]) {
    if (partner < n) return;  // emitted with the partner
    h = c->reg[partner];
  } else {
    h = seeded(c, other, AMO_VARYING, a, 0);
  }
  emit(c, jet, is_first ? dst : h, a, is_first ? h : dst, 0);
}

static void with_series(amo_compiler *c, uint32_t jet, uint32_t seed, uint32_t dst, uint32_t a,
                        uint32_t seed_of)
{
  emit(c, jet, dst, a, 0, seeded(c, seed, AMO_VARYING, seed_of, 0));
}

static void arc2(amo_compiler *c, uint32_t dst, uint32_t y, uint32_t x)
{
  y = lift(c, y);
  x = lift(c, x);
  const uint32_t h = seeded(c, AMO_V_NORM, AMO_VARYING, y, x);
  emit(c, AMO_J_ATAN2, dst, y, x, h);
}

static void choose(amo_compiler *c, uint32_t dst, uint32_t cond, uint32_t yes, uint32_t no)
{
  yes = lift(c, yes);
  no = lift(c, no);
  emit(c, AMO_J_SELECT, dst, cond, yes, no);
}

static void combination(amo_compiler *c, amo_node n)
{
  const amo_form f = amo_form_at(c, n);
  amo_instr in = {
      .op = AMO_J_LINEAR1 + f.terms - 1, .dst = c->reg[n], .a = c->reg[f.base[0]], .b = f.factor[0]};
  if (f.terms > 1) {
    in.h = c->reg[f.base[1]];
    in.x = f.factor[1];
  }
  if (f.terms > 2) {
    in.y = c->reg[f.base[2]];
    in.z = f.factor[2];
  }
  amo_emit(c, c->out, in);
}

void amo_compile_jet(amo_compiler *c, amo_node n)
{
  if (amo_form_at(c, n).terms > 0) {
    combination(c, n);
    return;
  }
  const amo_cell *x = &c->d->cell[n];
  const int arity = amo_op_arity((amo_op)x->op);
  if (arity == 0) return;
  const uint32_t d = c->reg[n], a = c->reg[x->u.arg[0]], b = arity > 1 ? c->reg[x->u.arg[1]] : 0;
  switch (x->op) {
    case AMO_OP_ADD:
    case AMO_OP_SUB: sum(c, x->op, d, a, b); break;
    case AMO_OP_MUL: product(c, d, a, b); break;
    case AMO_OP_DIV: quotient(c, d, a, b); break;
    case AMO_OP_NEG: emit(c, AMO_J_NEG, d, a, 0, 0); break;
    case AMO_OP_SQR: emit(c, AMO_J_SQR, d, a, 0, 0); break;
    case AMO_OP_POW: power(c, n, d, a, b); break;
    case AMO_OP_SQRT: emit(c, AMO_J_SQRT, d, a, 0, 0); break;
    case AMO_OP_EXP: emit(c, AMO_J_EXP, d, a, 0, 0); break;
    case AMO_OP_LOG: emit(c, AMO_J_LOG, d, a, 0, inverse(c, a)); break;
    case AMO_OP_SIN:
    case AMO_OP_COS: pair(c, n, AMO_J_SINCOS, AMO_OP_SIN, AMO_OP_COS); break;
    case AMO_OP_SINH:
    case AMO_OP_COSH: pair(c, n, AMO_J_SINHCOSH, AMO_OP_SINH, AMO_OP_COSH); break;
    case AMO_OP_TAN: with_series(c, AMO_J_TAN, AMO_V_ONE_PLUS, d, a, d); break;
    case AMO_OP_TANH: with_series(c, AMO_J_TANH, AMO_V_ONE_MINUS, d, a, d); break;
    case AMO_OP_ASIN: with_series(c, AMO_J_ASIN, AMO_V_CATHETUS, d, a, a); break;
    case AMO_OP_ACOS: with_series(c, AMO_J_ACOS, AMO_V_CATHETUS, d, a, a); break;
    case AMO_OP_ASINH: with_series(c, AMO_J_ASINH, AMO_V_HYPOTENUSE, d, a, a); break;
    case AMO_OP_ATAN: with_series(c, AMO_J_ATAN, AMO_V_ONE_PLUS, d, a, a); break;
    case AMO_OP_ATAN2: arc2(c, d, a, b); break;
    case AMO_OP_ABS: emit(c, AMO_J_ABS, d, a, 0, c->slot[x->u.arg[0]] - 1u); break;
    case AMO_OP_SELECT: choose(c, d, a, b, c->reg[x->u.arg[2]]); break;
    default: break;
  }
}
