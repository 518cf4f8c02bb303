// SPDX-License-Identifier: Apache-2.0
/// Linear combinations: 1 + d*s*(u - v) with fixed d, s, v varies in time as (d*s)*u, one instruction
/// per order instead of four. The factor of an unselected side is 0, which the kernels take literally. A combination of too many terms is built from partial ones.
#include "expr/compile_impl.h"

/// Blocks that are alike have the same factors: each is computed once.
static uint32_t fixed_register(amo_compiler *c, uint32_t op, uint32_t a, uint32_t b, uint32_t h)
{
  const amo_list *list = &c->p->fixed;
  uint64_t key = amo_mix64(amo_mix64((uint64_t)a << 32 | b) + ((uint64_t)h << 32 | op)) | 1u;
  uint32_t at;
  for (; amo_map_get(&c->factors, key, &at); key += 2) {
    const amo_instr *in = &list->item[at];
    if (in->op == op && in->a == a && in->b == b && in->h == h) return in->dst;
  }
  const uint32_t r = amo_new_register(c, AMO_FIXED);
  if (!amo_map_put(&c->factors, key, (uint32_t)list->count)) c->status = AMO_ENOMEM;
  amo_emit(c, &c->p->fixed, (amo_instr){.op = op, .dst = r, .a = a, .b = b, .h = h});
  return r;
}

static bool is_fixed(const amo_compiler *c, amo_node n)
{
  return c->kind[n] == AMO_FIXED;
}

// A node as a term of its own; nothing if it is constant in time.
static amo_form alone(const amo_compiler *c, amo_node n)
{
  amo_form f = {0};
  if (c->kind[n] != AMO_VARYING) return f;
  f.terms = 1;
  f.base[0] = n;
  f.factor[0] = c->one;
  return f;
}

// What a node contributes to a user: its own terms, or itself once.
static amo_form terms_of(const amo_compiler *c, amo_node n)
{
  const amo_form f = amo_form_at(c, n);
  return f.terms > 0 ? f : alone(c, n);
}

static void scale(amo_compiler *c, amo_form *f, uint32_t op, uint32_t other)
{
  for (uint32_t i = 0; i < f->terms; i++) {
    if (op == AMO_OP_NEG)
      f->factor[i] = fixed_register(c, AMO_OP_NEG, f->factor[i], 0, AMO_NO_SLOT);
    else if (op == AMO_OP_MUL && f->factor[i] == c->one)
      f->factor[i] = other;
    else
      f->factor[i] = fixed_register(c, op, f->factor[i], other, AMO_NO_SLOT);
  }
}

// f += g, equal bases merged. False when it would take too many terms.
static bool add(amo_compiler *c, amo_form *f, const amo_form *g)
{
  for (uint32_t i = 0; i < g->terms; i++) {
    uint32_t j = 0;
    while (j < f->terms && f->base[j] != g->base[i]) j++;
    if (j == AMO_TERMS) return false;
    if (j < f->terms) {
      f->factor[j] = fixed_register(c, AMO_OP_ADD, f->factor[j], g->factor[i], AMO_NO_SLOT);
    } else {
      f->base[f->terms] = g->base[i];
      f->factor[f->terms++] = g->factor[i];
    }
  }
  return true;
}

static amo_form sum(amo_compiler *c, amo_node a, amo_node b, bool minus)
{
  amo_form f = terms_of(c, a), g = terms_of(c, b);
  if (minus) scale(c, &g, AMO_OP_NEG, 0);
  if (add(c, &f, &g)) return f;
  f = alone(c, a);  // too many: the operands themselves become terms
  g = alone(c, b);
  if (minus) scale(c, &g, AMO_OP_NEG, 0);
  (void)add(c, &f, &g);
  return f;
}

static amo_form choice(amo_compiler *c, amo_node cond, amo_node yes, amo_node no)
{
  amo_form f = terms_of(c, yes), g = terms_of(c, no);
  for (uint32_t i = 0; i < f.terms; i++)
    f.factor[i] = fixed_register(c, AMO_OP_SELECT, c->reg[cond], f.factor[i], c->zero);
  for (uint32_t i = 0; i < g.terms; i++)
    g.factor[i] = fixed_register(c, AMO_OP_SELECT, c->reg[cond], c->zero, g.factor[i]);
  if (!add(c, &f, &g)) f.terms = 0;
  return f;
}

static amo_form form_of(amo_compiler *c, amo_node n)
{
  const amo_cell *x = &c->d->cell[n];
  const amo_node a = x->u.arg[0], b = x->u.arg[1];
  amo_form f = {0};
  switch (x->op) {
    case AMO_OP_ADD: return sum(c, a, b, false);
    case AMO_OP_SUB: return sum(c, a, b, true);
    case AMO_OP_NEG:
      f = terms_of(c, a);
      scale(c, &f, AMO_OP_NEG, 0);
      return f;
    case AMO_OP_MUL:
      if (!is_fixed(c, a) && !is_fixed(c, b)) return f;
      f = terms_of(c, is_fixed(c, a) ? b : a);
      scale(c, &f, AMO_OP_MUL, c->reg[is_fixed(c, a) ? a : b]);
      return f;
    case AMO_OP_DIV:
      if (!is_fixed(c, b)) return f;
      f = terms_of(c, a);
      scale(c, &f, AMO_OP_DIV, c->reg[b]);
      return f;
    case AMO_OP_SELECT: return is_fixed(c, a) ? choice(c, a, b, x->u.arg[2]) : f;
    default: return f;
  }
}

void amo_find_forms(amo_compiler *c)
{
  c->one = fixed_register(c, AMO_V_ONE, 0, 0, 0);
  c->zero = fixed_register(c, AMO_V_ZERO, 0, 0, 0);
  for (amo_node n = 1; n <= c->last && c->status == AMO_OK; n++)
    if (c->used[n] && c->kind[n] == AMO_VARYING && c->reg[n] >= c->first_varying)
      c->form[c->reg[n] - c->first_varying] = form_of(c, n);
}
