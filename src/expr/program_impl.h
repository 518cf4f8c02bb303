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

#include "expr/program.h"

#define AMO_NO_SLOT UINT32_MAX

/// How a register changes in time.
enum { AMO_FIXED, AMO_STEADY, AMO_VARYING };
// STEADY: changes only when a branch flips (sign(v)); its jet is its coefficient 0.

/// Value instructions beyond the operations of the DAG, for hidden registers.
enum {
  AMO_V_INVERSE = AMO_OP_COUNT,  // 1/a
  AMO_V_COPY,
  AMO_V_ONE_PLUS,    // 1 + a^2
  AMO_V_ONE_MINUS,   // 1 - a^2
  AMO_V_CATHETUS,    // sqrt(1 - a^2)
  AMO_V_HYPOTENUSE,  // sqrt(1 + a^2)
  AMO_V_NORM,        // a^2 + b^2
  AMO_V_LADDER,      // powers of a for a whole exponent b, see AMO_LADDER
  AMO_V_ONE,         // 1
  AMO_V_ZERO         // 0
};

/// Jet instructions. S is a series of the argument(s); "0" marks operands of which only
/// coefficient 0 exists.
enum {
  AMO_J_ZERO,
  AMO_J_COPY,
  AMO_J_NEG,
  AMO_J_ADD,
  AMO_J_SUB,
  AMO_J_MUL,
  AMO_J_SQR,
  AMO_J_DIV /* h0 = 1/b0 */,
  AMO_J_RECIPROCAL /* a0/b, h0 = 1/b0 */,
  AMO_J_SQRT,
  AMO_J_EXP,
  AMO_J_LOG /* h0 = 1/a0 */,
  AMO_J_SINCOS /* dst, b */,
  AMO_J_SINHCOSH /* dst, b */,
  AMO_J_TAN,
  AMO_J_TANH,
  AMO_J_ASIN,
  AMO_J_ACOS,
  AMO_J_ASINH,
  AMO_J_ATAN,
  AMO_J_ATAN2,
  AMO_J_POW /* exponent b0, h: ladder or AMO_NO_SLOT */,
  AMO_J_ABS /* h: switch */,
  AMO_J_SELECT /* a0 != 0 ? b : h */,
  AMO_J_LINEAR1 /* a*b0 */,
  AMO_J_LINEAR2 /* a*b0 + h*x0 */,
  AMO_J_LINEAR3 /* a*b0 + h*x0 + y*z0 */,
  // series kernels only; LAST: the operand in front is the result of the instruction before
  AMO_J_INTEGRAL /* d_(k+1) = a_k/(k+1) */,
  AMO_J_INTEGRAL_LAST,
  AMO_J_LINEAR1_LAST,
  AMO_J_LINEAR2_LAST,
  AMO_J_RECIPROCAL_LAST
};

/// Hidden registers of a power whose exponent is known only at run time: if it turns out to be a
/// whole number 0..64 the series is multiplied out (a^2, a^4, .. a^64, and the partial products),
/// because the general recurrence divides by a and breaks down near a = 0.
#define AMO_LADDER           6
#define AMO_LADDER_REGISTERS (2u * AMO_LADDER)

typedef struct amo_instr {
  uint32_t op, dst, a, b;
  uint32_t h;  // third operand, hidden register or switch
  uint32_t x, y, z;
} amo_instr;

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
  bool tail_reads_jet;  // some tail instruction uses a register of the jet list
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
