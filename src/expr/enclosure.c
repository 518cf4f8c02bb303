// SPDX-License-Identifier: Apache-2.0
#include "expr/enclosure.h"

#include "expr/program_impl.h"

#define ADD amo_interval_add
#define SUB amo_interval_sub
#define MUL amo_interval_mul
#define DIV amo_interval_div

typedef amo_interval range;

static const range none = {0.0, 0.0}, one = {1.0, 1.0};

static range number(double x)
{
  return (range){x, x};
}

// ---- values ----

static range sign_of(uint32_t op, range a)
{
  if (op == AMO_OP_ABS) return amo_interval_abs(a);
  if (op == AMO_OP_POS) return (range){a.lo > 0.0, a.hi > 0.0};
  if (op == AMO_OP_NONNEG || op == AMO_OP_SEAM) return (range){a.lo >= 0.0, a.hi >= 0.0};
  return (range){a.lo > 0.0 ? 1.0 : a.lo == 0.0 ? 0.0 : -1.0, a.hi < 0.0 ? -1.0 : a.hi == 0.0 ? 0.0 : 1.0};
}

/// A switching operator whose branch is held.
static range held_sign(uint32_t op, range a, signed char branch)
{
  if (op == AMO_OP_ABS) return MUL(number(branch), a);
  if (op == AMO_OP_SIGN) return number(branch);
  return number(op == AMO_OP_POS ? branch > 0 : branch >= 0);
}

static range choose(range condition, range yes, range no)
{
  if (amo_interval_is_zero(condition)) return no;
  return amo_interval_has_zero(condition) ? amo_interval_hull(yes, no) : yes;
}

static range product(const range *a, const range *b, int k)
{
  range sum = none;
  for (int j = 0; j <= k; j++) sum = ADD(sum, MUL(a[j], b[k - j]));
  return sum;
}

static bool is_whole(range exponent)
{
  return amo_interval_thin(exponent) && amo_power_is_whole(exponent.lo);
}

/// See amo_power_ladder.
static range ladder(const range *a, range *h, double exponent, int k, size_t stride)
{
  unsigned n = (unsigned)exponent;
  const range *square = a, *result = NULL;
  if (n == 0) return k == 0 ? one : none;
  for (size_t i = 0;; i++) {
    if (n & 1u) {
      range *partial = h + (AMO_LADDER + i - 1) * stride;
      if (result) partial[k] = product(result, square, k);
      result = result ? partial : square;
    }
    n >>= 1;
    if (n == 0) return result[k];
    range *next = h + i * stride;
    next[k] = product(square, square, k);
    square = next;
  }
}

static range value_hidden(const amo_instr *in, range *reg, size_t stride)
{
  const range a = reg[in->a * stride], b = reg[in->b * stride];
  switch (in->op) {
    case AMO_V_INVERSE: return DIV(one, a);
    case AMO_V_COPY: return a;
    case AMO_V_ONE_PLUS: return ADD(one, amo_interval_sqr(a));
    case AMO_V_ONE_MINUS: return SUB(one, amo_interval_sqr(a));
    case AMO_V_CATHETUS: return amo_interval_sqrt(SUB(one, amo_interval_sqr(a)));
    case AMO_V_HYPOTENUSE: return amo_interval_sqrt(ADD(one, amo_interval_sqr(a)));
    case AMO_V_NORM: return ADD(amo_interval_sqr(a), amo_interval_sqr(b));
    case AMO_V_LADDER:
      if (is_whole(b)) (void)ladder(reg + in->a * stride, reg + in->dst * stride, b.lo, 0, stride);
      return reg[in->dst * stride];
    case AMO_V_ONE: return one;
    default: return none;
  }
}

static range value_of(const amo_instr *in, range *reg, size_t stride, const signed char *branch)
{
  const range a = reg[in->a * stride], b = reg[in->b * stride];
  switch (in->op) {
    case AMO_OP_ADD: return ADD(a, b);
    case AMO_OP_SUB: return SUB(a, b);
    case AMO_OP_MUL: return MUL(a, b);
    case AMO_OP_DIV: return DIV(a, b);
    case AMO_OP_NEG: return amo_interval_neg(a);
    case AMO_OP_SQR: return amo_interval_sqr(a);
    case AMO_OP_POW: return amo_interval_pow(a, b);
    case AMO_OP_SQRT: return amo_interval_sqrt(a);
    case AMO_OP_EXP: return amo_interval_exp(a);
    case AMO_OP_LOG: return amo_interval_log(a);
    case AMO_OP_SIN: return amo_interval_sin(a);
    case AMO_OP_COS: return amo_interval_cos(a);
    case AMO_OP_TAN: return amo_interval_tan(a);
    case AMO_OP_ASIN: return amo_interval_asin(a);
    case AMO_OP_ACOS: return amo_interval_acos(a);
    case AMO_OP_ATAN: return amo_interval_atan(a);
    case AMO_OP_ATAN2: return amo_interval_atan2(a, b);
    case AMO_OP_SINH: return amo_interval_sinh(a);
    case AMO_OP_COSH: return amo_interval_cosh(a);
    case AMO_OP_TANH: return amo_interval_tanh(a);
    case AMO_OP_ASINH: return amo_interval_asinh(a);
    case AMO_OP_ABS:
    case AMO_OP_SIGN:
    case AMO_OP_POS:
    case AMO_OP_NONNEG:
    case AMO_OP_SEAM:
      return branch && in->h != AMO_NO_SLOT ? held_sign(in->op, a, branch[in->h]) : sign_of(in->op, a);
    case AMO_OP_SELECT: return choose(a, b, reg[in->h * stride]);
    default: return value_hidden(in, reg, stride);
  }
}

static void values(const amo_list *code, range *reg, size_t stride, const signed char *branch)
{
  for (size_t i = 0; i < code->count; i++)
    reg[code->item[i].dst * stride] = value_of(&code->item[i], reg, stride, branch);
}

// ---- recurrences, as in kernels.inc ----

/// sum over j = lo..hi of a_j b_(k-j)
static range convolve(const range *a, const range *b, int k, int lo, int hi)
{
  range sum = none;
  for (int j = lo; j <= hi; j++) sum = ADD(sum, MUL(a[j], b[k - j]));
  return sum;
}

/// sum over j = lo..hi of j a_j b_(k-j), divided by k
static range integrate(const range *a, const range *b, int k, int lo, int hi)
{
  range sum = none;
  for (int j = lo; j <= hi; j++) sum = ADD(sum, MUL(number(j), MUL(a[j], b[k - j])));
  return DIV(sum, number(k));
}

/// Coefficient k of a^2 without the terms below j = lo.
static range square(const range *a, int k, int lo)
{
  range sum = convolve(a, a, k, lo, (k - 1) / 2);
  sum = ADD(sum, sum);
  return k % 2 == 0 ? ADD(sum, amo_interval_sqr(a[k / 2])) : sum;
}

static range divide(const range *a, const range *b, const range *d, range inverse, int k)
{
  const range sum = convolve(b, d, k, 1, k);
  return MUL(a ? SUB(a[k], sum) : amo_interval_neg(sum), inverse);
}

static range root(const range *d, const range *a, int k)
{
  const range rest = SUB(a[k], square(d, k, 1));
  return amo_interval_is_zero(rest) ? rest : DIV(rest, ADD(d[0], d[0]));
}

/// a^r where the series of a begins with zero exactly: nothing before order r m, no series after.
static range power_at_zero(const range *a, double r, int k)
{
  int m = 1;
  while (m <= k && amo_interval_is_zero(a[m])) m++;
  return r > 0.0 && (m > k || k < r * m) ? none : amo_interval_whole();
}

static range power(const range *a, const range *d, range exponent, int k)
{
  range sum = none;
  if (amo_interval_is_zero(a[0])) return power_at_zero(a, exponent.lo, k);
  for (int j = 1; j <= k; j++) {
    const range factor = SUB(MUL(ADD(exponent, one), number(j)), number(k));
    sum = ADD(sum, MUL(factor, MUL(a[j], d[k - j])));
  }
  return DIV(sum, MUL(number(k), a[0]));
}

/// Instructions with a companion series.
static void companions(const amo_instr *in, range *d, range *b, range *h, const range *a, int k)
{
  const double sign = in->op == AMO_J_SINHCOSH || in->op == AMO_J_TAN || in->op == AMO_J_ASIN ? 1.0 : -1.0;
  switch (in->op) {
    case AMO_J_SINCOS:
    case AMO_J_SINHCOSH: {
      const range x = integrate(a, b, k, 1, k), y = integrate(a, d, k, 1, k);
      d[k] = x;
      b[k] = MUL(number(sign), y);
      break;
    }
    case AMO_J_TAN:
    case AMO_J_TANH:
      d[k] = integrate(a, h, k, 1, k);
      h[k] = MUL(number(sign), square(d, k, 0));
      break;
    case AMO_J_ASIN:
    case AMO_J_ACOS:
      d[k] = DIV(SUB(MUL(number(sign), a[k]), integrate(d, h, k, 1, k - 1)), h[0]);
      h[k] = MUL(number(-sign), integrate(d, a, k, 1, k));
      break;
    case AMO_J_ASINH:
      d[k] = DIV(SUB(a[k], integrate(d, h, k, 1, k - 1)), h[0]);
      h[k] = integrate(d, a, k, 1, k);
      break;
    case AMO_J_ATAN:
      d[k] = DIV(SUB(a[k], integrate(d, h, k, 1, k - 1)), h[0]);
      h[k] = square(a, k, 0);
      break;
    default: {  // AMO_J_ATAN2
      const range turn = SUB(integrate(a, b, k, 1, k), integrate(b, a, k, 1, k));
      d[k] = DIV(SUB(turn, integrate(d, h, k, 1, k - 1)), h[0]);
      h[k] = ADD(square(b, k, 0), square(a, k, 0));
    }
  }
}

static range linear(const amo_instr *in, const range *jet, size_t stride, int k)
{
  range sum = MUL(jet[in->a * stride + (size_t)k], jet[in->b * stride]);
  if (in->op >= AMO_J_LINEAR2) sum = ADD(sum, MUL(jet[in->h * stride + (size_t)k], jet[in->x * stride]));
  if (in->op >= AMO_J_LINEAR3) sum = ADD(sum, MUL(jet[in->y * stride + (size_t)k], jet[in->z * stride]));
  return sum;
}

static void jet_step(const amo_instr *in, range *jet, size_t stride, int k, const signed char *branch)
{
  range *d = jet + in->dst * stride, *b = jet + in->b * stride;
  const range *a = jet + in->a * stride;
  range *h = in->h == AMO_NO_SLOT || in->op == AMO_J_ABS ? NULL : jet + in->h * stride;
  switch (in->op) {
    case AMO_J_ZERO: d[k] = none; break;
    case AMO_J_COPY: d[k] = a[k]; break;
    case AMO_J_NEG: d[k] = amo_interval_neg(a[k]); break;
    case AMO_J_ADD: d[k] = ADD(a[k], b[k]); break;
    case AMO_J_SUB: d[k] = SUB(a[k], b[k]); break;
    case AMO_J_MUL: d[k] = product(a, b, k); break;
    case AMO_J_SQR: d[k] = square(a, k, 0); break;
    case AMO_J_DIV: d[k] = divide(a, b, d, h[0], k); break;
    case AMO_J_RECIPROCAL: d[k] = divide(NULL, b, d, h[0], k); break;
    case AMO_J_SQRT: d[k] = root(d, a, k); break;
    case AMO_J_EXP: d[k] = integrate(a, d, k, 1, k); break;
    case AMO_J_LOG: d[k] = MUL(SUB(a[k], integrate(d, a, k, 1, k - 1)), h[0]); break;
    case AMO_J_POW:
      d[k] = h && is_whole(b[0]) ? ladder(a, h, b[0].lo, k, stride) : power(a, d, b[0], k);
      break;
    case AMO_J_ABS: d[k] = MUL(number(branch[in->h]), a[k]); break;
    case AMO_J_SELECT: d[k] = choose(a[0], b[k], h[k]); break;
    case AMO_J_LINEAR1:
    case AMO_J_LINEAR2:
    case AMO_J_LINEAR3: d[k] = linear(in, jet, stride, k); break;
    default: companions(in, d, b, h, a, k);
  }
}

// ---- programs ----

void amo_enclose_prepare(const amo_prog *p, amo_interval *jet, int order)
{
  const size_t stride = (size_t)order + 1;
  for (size_t i = 0; i < p->constants; i++) jet[(p->nleaf + i) * stride] = amo_interval_of(p->constant[i]);
  values(&p->fixed, jet, stride, NULL);
}

void amo_enclose_order(const amo_prog *p, amo_interval *jet, int order, int k, const signed char *branch)
{
  const size_t stride = (size_t)order + 1;
  if (k == 0) {
    values(&p->value, jet, stride, branch);
    values(&p->seed, jet, stride, branch);
    return;
  }
  for (size_t i = 0; i < p->jet.count; i++) jet_step(&p->jet.item[i], jet, stride, k, branch);
}

void amo_enclose_finish(const amo_prog *p, amo_interval *jet, int order, const signed char *branch)
{
  for (size_t i = 0; i < p->tail.count; i++)
    for (int k = 1; k <= order; k++) jet_step(&p->tail.item[i], jet, (size_t)order + 1, k, branch);
}
