// SPDX-License-Identifier: Apache-2.0
/// Instructions of a register program as statements of C.
#include <stdio.h>
#include <string.h>

#include "swarm/write_impl.h"

static bool is_leaf(const amo_writer *w, uint32_t reg, uint32_t first, uint32_t count, uint32_t *i)
{
  *i = reg - first;
  (void)w;
  return reg >= first && *i < count;
}

/// The state that a leaf is, or none.
static bool is_state(const amo_writer *w, uint32_t reg, uint32_t *i)
{
  const amo_model *m = w->m;
  if (is_leaf(w, reg, m->leaf.q, m->nq, i)) return true;
  if (is_leaf(w, reg, m->leaf.u, m->nq, i)) return *i += m->nq, true;
  if (is_leaf(w, reg, m->leaf.z, m->nz, i)) return *i += 2 * m->nq, true;
  return false;
}

void amo_swarm_series_name(const amo_writer *w, uint32_t reg, char out[64])
{
  uint32_t i;
  if (is_state(w, reg, &i))
    snprintf(out, 64, "c[%u]", i);
  else if (reg == w->m->leaf.t)
    snprintf(out, 64, "tt");
  else
    snprintf(out, 64, "r%u", reg);
}

bool amo_swarm_is_number(const amo_writer *w, const amo_instr *in)
{
  return w->p->kind[in->dst] == AMO_FIXED && (in->op == AMO_V_ONE || in->op == AMO_V_ZERO);
}

/// A fixed register that is 1 or 0 whatever the parameters.
static const char *number_of(const amo_writer *w, uint32_t reg)
{
  const amo_list *code = &w->p->fixed;
  for (size_t i = 0; i < code->count; i++)
    if (code->item[i].dst == reg && amo_swarm_is_number(w, &code->item[i]))
      return code->item[i].op == AMO_V_ONE ? "S(1.0)" : "S(0.0)";
  return NULL;
}

void amo_swarm_value(const amo_writer *w, uint32_t reg, char out[64])
{
  const amo_model *m = w->m;
  const char *number = number_of(w, reg);
  uint32_t i;
  if (number)
    snprintf(out, 64, "%s", number);
  else if (is_leaf(w, reg, m->leaf.param, m->np, &i))
    snprintf(out, 64, "L->p[%u]", i);
  else if (is_leaf(w, reg, m->leaf.sigma, m->nc, &i))
    snprintf(out, 64, "L->sigma[%u]", i);
  else if (reg == m->leaf.eps)
    snprintf(out, 64, "S(0.0)");
  else if (is_leaf(w, reg, w->p->nleaf, w->p->constants, &i))
    snprintf(out, 64, "S(%.17g)", w->p->constant[i]);
  else if (reg >= w->p->nleaf && w->p->kind[reg] == AMO_FIXED && w->fixed[reg] != AMO_NO_SLOT)
    snprintf(out, 64, "L->f[%u]", w->fixed[reg]);
  else if (reg >= w->p->nleaf && w->p->kind[reg] != AMO_VARYING)
    snprintf(out, 64, "s%u", reg);
  else {
    amo_swarm_series_name(w, reg, out);
    strcat(out, "[0]");
  }
}

void amo_swarm_declare(const amo_writer *w)
{
  for (uint32_t r = w->p->nleaf + w->p->constants; r < w->p->registers; r++) {
    if (w->p->kind[r] == AMO_VARYING)
      amo_text_printf(w->to, "  V r%u[1];\n", r);
    else if (w->p->kind[r] == AMO_STEADY)
      amo_text_printf(w->to, "  V s%u = S(0.0);\n", r);
  }
}

// ---- values ----

static const char *const plain_function[AMO_OP_COUNT] = {
    [AMO_OP_SQRT] = "sqrt",  [AMO_OP_EXP] = "exp",   [AMO_OP_LOG] = "log",   [AMO_OP_SIN] = "sin",
    [AMO_OP_COS] = "cos",    [AMO_OP_TAN] = "tan",   [AMO_OP_ASIN] = "asin", [AMO_OP_ACOS] = "acos",
    [AMO_OP_ATAN] = "atan",  [AMO_OP_SINH] = "sinh", [AMO_OP_COSH] = "cosh", [AMO_OP_TANH] = "tanh",
    [AMO_OP_ASINH] = "asinh"};

/// What the sign of a decides, by the branch of a switch or (none) by itself.
static void write_choice(const amo_writer *w, const amo_instr *in, const char *a)
{
  char sign[64];
  if (in->h != AMO_NO_SLOT)
    snprintf(sign, sizeof sign, "L->b[%u]", in->h);
  else
    snprintf(sign, sizeof sign, "%s", a);
  switch (in->op) {
    case AMO_OP_ABS: amo_text_printf(w->to, "SEL(LT(%s, S(0.0)), S(0.0) - %s, %s)", sign, a, a); break;
    case AMO_OP_SIGN:
      amo_text_printf(w->to, "SEL(GT(%s, S(0.0)), S(1.0), SEL(LT(%s, S(0.0)), S(-1.0), S(0.0)))", sign, sign);
      break;
    case AMO_OP_POS: amo_text_printf(w->to, "SEL(GT(%s, S(0.0)), S(1.0), S(0.0))", sign); break;
    default: amo_text_printf(w->to, "SEL(GE(%s, S(0.0)), S(1.0), S(0.0))", sign); break;
  }
}

static void write_value(const amo_writer *w, const amo_instr *in)
{
  char d[64], a[64], b[64], h[64] = "";
  amo_swarm_value(w, in->dst, d);
  amo_swarm_value(w, in->a, a);
  amo_swarm_value(w, in->b, b);
  if (in->op == AMO_OP_SELECT) amo_swarm_value(w, in->h, h);
  amo_text_printf(w->to, "  %s = ", d);
  switch (in->op) {
    case AMO_OP_ADD: amo_text_printf(w->to, "%s + %s", a, b); break;
    case AMO_OP_SUB: amo_text_printf(w->to, "%s - %s", a, b); break;
    case AMO_OP_MUL: amo_text_printf(w->to, "%s * %s", a, b); break;
    case AMO_OP_DIV: amo_text_printf(w->to, "%s / %s", a, b); break;
    case AMO_OP_NEG: amo_text_printf(w->to, "S(0.0) - %s", a); break;
    case AMO_OP_SQR: amo_text_printf(w->to, "%s * %s", a, a); break;
    case AMO_OP_POW: amo_text_printf(w->to, "F(pow)(%s, %s)", a, b); break;
    case AMO_OP_ATAN2: amo_text_printf(w->to, "F(atan2)(%s, %s)", a, b); break;
    case AMO_OP_ABS:
    case AMO_OP_SIGN:
    case AMO_OP_POS:
    case AMO_OP_NONNEG:
    case AMO_OP_SEAM: write_choice(w, in, a); break;
    case AMO_OP_SELECT: amo_text_printf(w->to, "SEL(NE(%s, S(0.0)), %s, %s)", a, b, h); break;
    case AMO_V_INVERSE: amo_text_printf(w->to, "S(1.0) / %s", a); break;
    case AMO_V_COPY: amo_text_printf(w->to, "%s", a); break;
    case AMO_V_ONE_PLUS: amo_text_printf(w->to, "S(1.0) + %s * %s", a, a); break;
    case AMO_V_ONE_MINUS: amo_text_printf(w->to, "S(1.0) - %s * %s", a, a); break;
    case AMO_V_CATHETUS: amo_text_printf(w->to, "F(sqrt)(S(1.0) - %s * %s)", a, a); break;
    case AMO_V_HYPOTENUSE: amo_text_printf(w->to, "F(hypot)(S(1.0), %s)", a); break;
    case AMO_V_NORM: amo_text_printf(w->to, "%s * %s + %s * %s", a, a, b, b); break;
    case AMO_V_ONE: amo_text_str(w->to, "S(1.0)"); break;
    case AMO_V_ZERO:
    case AMO_V_LADDER: amo_text_str(w->to, "S(0.0)"); break;
    default: amo_text_printf(w->to, "F(%s)(%s)", plain_function[in->op], a); break;
  }
  amo_text_str(w->to, ";\n");
}

void amo_swarm_write_values(const amo_writer *w, const amo_list *code)
{
  for (size_t i = 0; i < code->count; i++)
    if (!amo_swarm_is_number(w, &code->item[i])) write_value(w, &code->item[i]);
}

// ---- recurrences ----

/// Terms of a sum, each a part of a series times a factor; the first is added last. Where a factor hangs on modes, 0 switches the series
/// off whatever it is.
static void write_linear(const amo_writer *w, const amo_instr *in, const char *part)
{
  const uint32_t series[] = {in->a, in->h, in->y}, factor[] = {in->b, in->x, in->z};
  const int n = in->op >= AMO_J_LINEAR3 ? 3 : in->op >= AMO_J_LINEAR2 ? 2 : 1;
  char a[64], f[64];
  uint32_t unused;
  for (int i = 0; i < n; i++) {
    amo_swarm_series_name(w, series[i], a);
    amo_swarm_value(w, factor[i], f);
    const bool given = is_leaf(w, factor[i], w->m->leaf.param, w->m->np, &unused) ||
                       is_leaf(w, factor[i], w->p->nleaf, w->p->constants, &unused);
    if (strcmp(f, "S(1.0)") == 0)
      amo_text_printf(w->to, "PLUS(%s[k], %s, ", a, part);
    else
      amo_text_printf(w->to, given ? "PLUS(%s[k], %s * %s, " : "PLUS_IF(%s[k], %s, %s, ", a, f, part);
  }
  amo_text_str(w->to, "S(0.0))");
  for (int i = 1; i < n; i++) amo_text_str(w->to, ")");
}

void amo_swarm_write_part(const amo_writer *w, uint32_t reg, const char *part)
{
  char v[96];
  for (size_t i = 0; i < w->p->jet.count; i++) {
    const amo_instr *in = &w->p->jet.item[i];
    if (in->dst != reg || in->op < AMO_J_LINEAR1 || in->op > AMO_J_LINEAR3) continue;
    write_linear(w, in, part);
    return;
  }
  amo_swarm_coefficient(w, reg, v);
  amo_text_printf(w->to, "%s * %s", v, part);
}

static void write_jet(const amo_writer *w, const amo_instr *in)
{
  char d[64], a[64], b[64], h[64] = "", a0[64], b0[64], h0[64] = "";
  amo_swarm_series_name(w, in->dst, d);
  amo_swarm_series_name(w, in->a, a);
  amo_swarm_series_name(w, in->b, b);
  amo_swarm_value(w, in->a, a0);
  amo_swarm_value(w, in->b, b0);
  if (in->op != AMO_J_ABS && in->h != AMO_NO_SLOT && in->h < w->p->registers) {
    amo_swarm_series_name(w, in->h, h);
    amo_swarm_value(w, in->h, h0);
  }
  amo_text *t = w->to;
  switch (in->op) {
    case AMO_J_ZERO: amo_text_printf(t, "%s[k] = S(0.0)", d); break;
    case AMO_J_COPY: amo_text_printf(t, "%s[k] = %s[k]", d, a); break;
    case AMO_J_NEG: amo_text_printf(t, "%s[k] = S(0.0) - %s[k]", d, a); break;
    case AMO_J_ADD: amo_text_printf(t, "%s[k] = %s[k] + %s[k]", d, a, b); break;
    case AMO_J_SUB: amo_text_printf(t, "%s[k] = %s[k] - %s[k]", d, a, b); break;
    case AMO_J_LINEAR1:
    case AMO_J_LINEAR2:
    case AMO_J_LINEAR3: amo_text_printf(t, "%s[k] = ", d), write_linear(w, in, "S(1.0)"); break;
    case AMO_J_ABS:
      amo_text_printf(t, "%s[k] = SEL(LT(L->b[%u], S(0.0)), S(0.0) - %s[k], %s[k])", d, in->h, a, a);
      break;
    case AMO_J_SELECT: amo_text_printf(t, "%s[k] = SEL(NE(%s, S(0.0)), %s[k], %s[k])", d, a0, b, h); break;
    case AMO_J_MUL: amo_text_printf(t, "N(j_mul)(%s, %s, %s, k)", d, a, b); break;
    case AMO_J_SQR: amo_text_printf(t, "N(j_sqr)(%s, %s, k)", d, a); break;
    case AMO_J_DIV: amo_text_printf(t, "N(j_div)(%s, %s, %s, %s, k)", d, a, b, h0); break;
    case AMO_J_RECIPROCAL: amo_text_printf(t, "N(j_reciprocal)(%s, %s, %s, k)", d, b, h0); break;
    case AMO_J_SQRT: amo_text_printf(t, "N(j_sqrt)(%s, %s, k)", d, a); break;
    case AMO_J_EXP: amo_text_printf(t, "N(j_exp)(%s, %s, k)", d, a); break;
    case AMO_J_LOG: amo_text_printf(t, "N(j_log)(%s, %s, %s, k)", d, a, h0); break;
    case AMO_J_SINCOS: amo_text_printf(t, "N(j_sincos)(%s, %s, %s, -1.0, k)", d, b, a); break;
    case AMO_J_SINHCOSH: amo_text_printf(t, "N(j_sincos)(%s, %s, %s, 1.0, k)", d, b, a); break;
    case AMO_J_TAN: amo_text_printf(t, "N(j_tan)(%s, %s, %s, 1.0, k)", d, h, a); break;
    case AMO_J_TANH: amo_text_printf(t, "N(j_tan)(%s, %s, %s, -1.0, k)", d, h, a); break;
    case AMO_J_ASIN: amo_text_printf(t, "N(j_asin)(%s, %s, %s, 1.0, -1.0, k)", d, h, a); break;
    case AMO_J_ACOS: amo_text_printf(t, "N(j_asin)(%s, %s, %s, -1.0, -1.0, k)", d, h, a); break;
    case AMO_J_ASINH: amo_text_printf(t, "N(j_asin)(%s, %s, %s, 1.0, 1.0, k)", d, h, a); break;
    case AMO_J_ATAN: amo_text_printf(t, "N(j_atan)(%s, %s, %s, k)", d, h, a); break;
    case AMO_J_ATAN2: amo_text_printf(t, "N(j_atan2)(%s, %s, %s, %s, k)", d, h, a, b); break;
    default: amo_text_printf(t, "N(j_pow)(%s, %s, %s, k)", d, a, b0); break;  // AMO_J_POW
  }
  amo_text_str(t, ";\n");
}

void amo_swarm_write_jet(const amo_writer *w, const amo_instr *in, const char *indent)
{
  amo_text_str(w->to, indent);
  write_jet(w, in);
}
