// SPDX-License-Identifier: Apache-2.0
/// The inside of a program, shared by the compiler and the kernels.
///
/// Several instruction lists describe the same registers. The *value* list computes every register from
/// plain numbers; with a larger stride the same list computes coefficient 0 of jets, which is why the
/// two agree bit for bit. The *jet* list holds one recurrence per register for coefficients k >= 1,
/// specialised for operands that are constant in time; chains of sums, differences and factors that
/// are constant in time become one linear combination (linear.c). Recurrences that carry a companion series
/// (sine its cosine, arc tangent its 1 + a^2) keep it in a hidden register; the *seed* list, in
/// value instructions, gives coefficient 0 of the hidden registers.
#ifndef AMO_EXPR_PROGRAM_IMPL_H
#define AMO_EXPR_PROGRAM_IMPL_H

#include <stdatomic.h>

#include "expr/program.h"

/// How a register changes in time.
enum { AMO_FIXED, AMO_STEADY, AMO_VARYING };
// STEADY: changes only when a branch flips (sign(v)); its jet is its coefficient 0.

/// Value instructions beyond the operations of the DAG, for hidden registers: 1/a, a, 1 + a^2, 1 - a^2, sqrt(1 - a^2),
/// sqrt(1 + a^2), a^2 + b^2, powers of a for a whole exponent b (see AMO_LADDER), 1, 0.
// clang-format off
#define AMO_V_LIST(X)                                                                             \
  X(INVERSE) X(COPY) X(ONE_PLUS) X(ONE_MINUS) X(CATHETUS) X(HYPOTENUSE) X(NORM) X(LADDER) X(ONE) X(ZERO)
// clang-format on
enum {
  AMO_V_BEFORE = AMO_OP_COUNT - 1,
#define AMO_V_ENUM(name) AMO_V_##name,
  AMO_V_LIST(AMO_V_ENUM)
#undef AMO_V_ENUM
};

/// Jet instructions. S is a series of the argument(s); "0" marks operands of which only
/// coefficient 0 exists.
// clang-format off
#define AMO_J_LIST(X)                                            \
  X(ZERO) X(COPY) X(NEG) X(ADD) X(SUB)                           \
  X(LINEAR1)    /* a*b0 */                                       \
  X(LINEAR2)    /* a*b0 + h*x0 */                                \
  X(LINEAR3)    /* a*b0 + h*x0 + y*z0 */                         \
  X(ABS)        /* h: switch */                                  \
  X(SELECT)     /* a0 != 0 ? b : h */                            \
  X(MUL) X(SQR)                                                  \
  X(DIV)        /* h0 = 1/b0 */                                  \
  X(RECIPROCAL) /* a0/b, h0 = 1/b0 */                            \
  X(SQRT) X(EXP)                                                 \
  X(LOG)        /* h0 = 1/a0 */                                  \
  X(SINCOS)     /* dst, b */                                     \
  X(SINHCOSH)   /* dst, b */                                     \
  X(TAN) X(TANH) X(ASIN) X(ACOS) X(ASINH) X(ATAN) X(ATAN2)       \
  X(POW)        /* exponent b0, h: ladder or AMO_NO_SLOT */
// clang-format on
enum {
#define AMO_J_ENUM(name) AMO_J_##name,
  AMO_J_LIST(AMO_J_ENUM)
#undef AMO_J_ENUM
  // series only; LAST: the operand in front is the result of the instruction before
  AMO_J_INTEGRAL /* d_(k+1) = a_k/(k+1) */,
  AMO_J_INTEGRAL_LAST,
  AMO_J_LINEAR1_LAST,
  AMO_J_LINEAR2_LAST,
  AMO_J_RECIPROCAL_LAST
};

#include "expr/instr.inc"

typedef struct amo_list {
  amo_instr *item;
  size_t count, capacity;
} amo_list;

struct amo_prog {
  uint32_t nleaf, registers;
  double *constant;  // registers nleaf ..
  uint32_t constants;
  amo_list fixed, value, seed;
  amo_list jet, tail;  // recurrences for every order; those that can wait until all orders are there
  uint32_t *root;
  size_t roots;
  uint32_t *switch_register;
  amo_node *switch_node;
  unsigned char *switch_kind;  // AMO_SWITCH_...
  uint32_t switches;
  unsigned char *kind;  // [registers] FIXED, STEADY, VARYING
  size_t kind_capacity;
  size_t instructions;
  bool tail_reads_jet;                        // some tail instruction uses a register of the jet list
  _Atomic(const amo_code *) code[AMO_CODES];  // the first ones are set, and stay
};

// ---- the kernels; `stride` doubles lie between registers ----
void amo_kernel_values1(const amo_list *code, double *reg, size_t stride, const signed char *branch);
void amo_kernel_values8(const amo_list *code, double *reg, size_t stride, const signed char *branch);
void amo_kernel_jets1(const amo_list *code, double *jet, size_t stride, int k, const signed char *branch);
void amo_kernel_jets8(const amo_list *code, double *jet, size_t stride, int k, const signed char *branch);
void amo_kernel_tail1(const amo_list *code, double *jet, size_t stride, int order, const signed char *branch);
void amo_kernel_tail8(const amo_list *code, double *jet, size_t stride, int order, const signed char *branch);

/// Code bound to an order and a width: operands are offsets into the jet, not registers.
typedef struct amo_bound {
  amo_list start;     // values at order 0
  amo_list code;      // for each order; one lane: with the integrals
  amo_list integral;  // dst = integral of a
  uint32_t carried;   // one lane: leaf whose next coefficient the first instruction takes over from the last
} amo_bound;

/// Coefficients 0 of bound code.
void amo_kernel_start1(const amo_bound *code, double *jet, size_t stride, const signed char *branch);
void amo_kernel_start8(const amo_bound *code, double *jet, size_t stride, const signed char *branch);
/// Coefficients 1..order-1 of bound code and, with each order k, coefficient k+1 of the integrals.
void amo_kernel_series1(const amo_bound *code, double *jet, size_t stride, int order,
                        const signed char *branch);
void amo_kernel_series8(const amo_bound *code, double *jet, size_t stride, int order,
                        const signed char *branch);

/// The recurrences of powers, one lane; successive coefficients of a lane lie `step` doubles apart.
double amo_power_coefficient(const double *a, const double *d, double exponent, int k, size_t step);
bool amo_power_is_whole(double exponent);
/// Coefficient k of a^n through the ladder at `h`, whose registers lie `stride` apart.
double amo_power_ladder(const double *a, double *h, double exponent, int k, size_t step, size_t stride);

#endif
