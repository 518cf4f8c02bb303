// SPDX-License-Identifier: Apache-2.0
#include "expr/bounds.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "expr/program_impl.h"

double amo_given_error(double x)
{
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return (bits & 0xfffff) == 0 ? 0.0 : fabs(x) * (DBL_EPSILON / 2);
}

#define INLINE  static inline __attribute__((always_inline))
#define FABS    fabs
#define ROOT    sqrt
#define EPS     DBL_EPSILON
#define real    double
#define W       1
#define NAME(x) x##_1
#include "expr/bounds.inc"
#undef W
#undef NAME
#define W       8
#define NAME(x) x##_8
#include "expr/bounds.inc"
#undef W
#undef NAME
#undef FABS
#undef ROOT
#undef EPS
#undef real

void amo_bound_prepare1(const amo_prog *p, const double *reg, double *err)
{
  bound_constants_1(p, err);
  bound_list_1(&p->fixed, reg, err);
}

CLONES void amo_bound_prepare8(const amo_prog *p, const double *reg, double *err)
{
  bound_constants_8(p, err);
  bound_list_8(&p->fixed, reg, err);
}

void amo_bound1(const amo_prog *p, const double *reg, double *err)
{
  bound_list_1(&p->value, reg, err);
}

CLONES void amo_bound8(const amo_prog *p, const double *reg, double *err)
{
  bound_list_8(&p->value, reg, err);
}

// ---- long double ----

#define FABS    fabsl
#define ROOT    sqrtl
#define EPS     LDBL_EPSILON
#define real    long double
#define W       1
#define NAME(x) x##_long
#include "expr/bounds.inc"
#undef real

static long double value_long(const amo_instr *in, const long double *reg)
{
  const long double a = reg[in->a];
  switch (in->op) {
    case AMO_OP_ADD: return a + reg[in->b];
    case AMO_OP_SUB: return a - reg[in->b];
    case AMO_OP_MUL: return a * reg[in->b];
    case AMO_OP_DIV: return a / reg[in->b];
    case AMO_OP_NEG: return -a;
    case AMO_OP_SQR: return a * a;
    case AMO_OP_POW: return powl(a, reg[in->b]);
    case AMO_OP_SQRT: return sqrtl(a);
    case AMO_OP_EXP: return expl(a);
    case AMO_OP_LOG: return logl(a);
    case AMO_OP_SIN: return sinl(a);
    case AMO_OP_COS: return cosl(a);
    case AMO_OP_TAN: return tanl(a);
    case AMO_OP_ASIN: return asinl(a);
    case AMO_OP_ACOS: return acosl(a);
    case AMO_OP_ATAN: return atanl(a);
    case AMO_OP_ATAN2: return atan2l(a, reg[in->b]);
    case AMO_OP_SINH: return sinhl(a);
    case AMO_OP_COSH: return coshl(a);
    case AMO_OP_TANH: return tanhl(a);
    case AMO_OP_ASINH: return asinhl(a);
    case AMO_OP_ABS: return fabsl(a);
    case AMO_OP_SIGN: return a > 0 ? 1 : a < 0 ? -1 : a;
    case AMO_OP_POS: return a > 0 ? 1 : a == a ? 0 : a;
    case AMO_OP_NONNEG:
    case AMO_OP_SEAM: return a >= 0 ? 1 : a == a ? 0 : a;
    case AMO_OP_SELECT: return a == 0 ? reg[in->h] : a == a ? reg[in->b] : a;
    default: return NAN;
  }
}

static void run_long(const amo_list *code, long double *reg, long double *err)
{
  for (size_t i = 0; i < code->count; i++) reg[code->item[i].dst] = value_long(&code->item[i], reg);
  bound_list_long(code, reg, err);
}

void amo_long_eval(const amo_prog *p, long double *reg, long double *err)
{
  for (size_t i = 0; i < p->constants; i++) reg[p->nleaf + i] = p->constant[i];
  bound_constants_long(p, err);
  run_long(&p->fixed, reg, err);
  run_long(&p->value, reg, err);
}

double amo_rounding_of(const amo_prog *p, const double *reg, uint32_t leaves, uint32_t target, double *err)
{
  for (uint32_t i = 0; i < leaves; i++) err[i] = 4.0 * amo_given_error(reg[i]);
  amo_bound_prepare1(p, reg, err);
  amo_bound1(p, reg, err);
  return AMO_FULFILLED * err[target];
}
