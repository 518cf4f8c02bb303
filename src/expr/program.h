// SPDX-License-Identifier: Apache-2.0
/// A register program: DAG roots compiled to a flat list of instructions in SSA form, evaluated for
/// one lane or AMO_LANES lanes at once, as plain values or as Taylor jets (truncated power series in
/// time). Every kernel performs the same scalar operations in the same order for each lane, so
/// results are bit-identical for any number of lanes. Evaluation allocates nothing.
///
/// Registers: [0, nleaf) are the inputs (leaves), then constants, then "fixed" registers (functions of
/// fixed leaves only, e.g. parameters; computed once per run), then varying ones, then hidden ones
/// that the jets need.
#ifndef AMO_EXPR_PROGRAM_H
#define AMO_EXPR_PROGRAM_H

#include "expr/dag.h"

#define AMO_LANES     8   // width of the wide kernels
#define AMO_MAX_ORDER 40  // highest jet order

typedef struct amo_prog amo_prog;

/// Compile `roots`. `fixed[l]` true: leaf l is constant during a run (parameter).
amo_status amo_prog_compile(const amo_dag *d, const amo_node *roots, size_t nroots, const bool *fixed,
                            uint32_t nleaf, amo_prog **out);

/// What of a root is needed as a series: nothing but its value, its coefficients once all leaves' are
/// known (amo_jet_finish), or coefficient k at every order k.
enum { AMO_STAGE_VALUE, AMO_STAGE_FINISH, AMO_STAGE_ORDER };
/// The same with a stage per root. Switching arguments are at least AMO_STAGE_FINISH.
amo_status amo_prog_compile_staged(const amo_dag *d, const amo_node *roots, const unsigned char *stage,
                                   size_t nroots, const bool *fixed, uint32_t nleaf, amo_prog **out);
void amo_prog_free(amo_prog *p);

uint32_t amo_prog_registers(const amo_prog *p);
uint32_t amo_prog_root(const amo_prog *p, size_t i);  // register that holds root i
/// Is there more than sums, multiples and sines: products, quotients, powers, functions of what varies?
bool amo_prog_multiplies(const amo_prog *p);
bool amo_prog_is_fixed(const amo_prog *p, uint32_t reg);  // constant, parameter, or function of them
size_t amo_prog_instructions(const amo_prog *p);          // varying ones, for reports
bool amo_prog_reads(const amo_prog *p, uint32_t leaf,
                    uint32_t leaves);  // does any value depend on one of these?
/// Join (base/join.h) every register with those it is computed from, as far as they depend on something that moves.
/// moves[registers]: in, leaves that do; out, all registers that do.
void amo_prog_join(const amo_prog *p, uint32_t *parent, bool *moves);
/// Switching arguments: register of the i-th one. Branch arrays have one entry per switch.
uint32_t amo_prog_switches(const amo_prog *p);
uint32_t amo_prog_switch_register(const amo_prog *p, uint32_t i);
amo_node amo_prog_switch_node(const amo_prog *p,
                              uint32_t i);  // the argument itself: the same in every program

/// What the sign of a switching argument decides.
enum {
  AMO_SWITCH_CHOICE,  // the value of abs, sign, if, ...
  AMO_SWITCH_SEAM,    // which of two expressions of one smooth function is used
  AMO_SWITCH_FOLD  // nothing: the argument is a square root, whose series goes on to negative values where the root
                   // itself turns. Its branch is always 1.
};
int amo_prog_switch_kind(const amo_prog *p, uint32_t i);

/// A root or power a^r of an argument that varies; r of a power is known at run time only.
typedef struct amo_broken {
  uint32_t result, argument;  // registers
  uint32_t exponent;          // register; AMO_NO_EXPONENT: a square root
} amo_broken;
#define AMO_NO_EXPONENT UINT32_MAX
/// How many there are; the first `most` of them into list.
size_t amo_prog_broken(const amo_prog *p, amo_broken *list, size_t most);

// ---- values. reg: [registers] (1 lane) or [registers][AMO_LANES]. Leaves must be filled. ----
/// Fill constant and fixed registers; again whenever a fixed leaf changed.
void amo_prog_prepare1(const amo_prog *p, double *reg);
void amo_prog_prepare8(const amo_prog *p, double *reg);
/// Evaluate the varying registers. branch: NULL (use the actual signs) or [switches] (x AMO_LANES)
/// entries in {-1, 0, 1} that override the sign of each switching argument.
void amo_prog_eval1(const amo_prog *p, double *reg, const signed char *branch);
void amo_prog_eval8(const amo_prog *p, double *reg, const signed char *branch);

// ---- jets. jet: [registers][order+1] or [registers][order+1][AMO_LANES]; c_k = f^(k)(t0)/k!. ----
// Fixed registers use coefficient 0 only (higher ones are never read).
void amo_jet_prepare1(const amo_prog *p, double *jet, int order);
void amo_jet_prepare8(const amo_prog *p, double *jet, int order);
/// Coefficient k of what the AMO_STAGE_ORDER roots need, from coefficients 0..k of the leaves. Call with
/// k = 0, 1, ..., in turn; k = 0 fills every register. branch as above (required, not NULL).
void amo_jet_eval1(const amo_prog *p, double *jet, int order, int k, const signed char *branch);
/// The actual signs of the switching arguments, at values that lie `stride` apart. Did any change?
bool amo_jet_read_branches(const amo_prog *p, const double *jet, size_t stride, signed char *branch);
/// Values (order 0) on these branches. Arguments may contain switches themselves: evaluated as often as it takes.
void amo_jet_take_branches1(const amo_prog *p, double *jet, int order, signed char *branch);
void amo_jet_eval8(const amo_prog *p, double *jet, int order, int k, const signed char *branch);
/// Whether amo_jet_finish reads coefficient `order` of registers that amo_jet_eval computes.
bool amo_jet_finish_needs_order(const amo_prog *p);
/// Is every register that amo_jet_eval computes a linear combination, with fixed factors, of leaves that vary? Coefficients
/// k >= 1 then depend on coefficients k of leaves alone.
bool amo_jet_is_linear(const amo_prog *p);
/// Coefficients 1..order of what the AMO_STAGE_FINISH roots and the switches need besides.
void amo_jet_finish1(const amo_prog *p, double *jet, int order, const signed char *branch);
void amo_jet_finish8(const amo_prog *p, double *jet, int order, const signed char *branch);

// ---- series: an explicit system d(leaf)/dt = root, all orders in one call ----
typedef struct amo_integral {
  uint32_t leaf;  // a state
  uint32_t rate;  // register of its rate
} amo_integral;

typedef struct amo_series amo_series;

/// Bind a program to an order and a width (1 or AMO_LANES). The program must outlive it.
amo_status amo_series_new(const amo_prog *p, const amo_integral *integral, size_t n, int order, int lanes,
                          amo_series **out);
void amo_series_free(amo_series *s);
/// From coefficient 0 of the leaves: coefficients 0..order of the states, of what AMO_STAGE_FINISH roots
/// and switches need (prepare must have run), and 0..order-1 of the rates.
void amo_series_run(const amo_series *s, double *jet, const signed char *branch);

// ---- compiled code (room emit) ----
/// What the kernels do for one program, order and width, compiled: the same bits. It works on registers and jets that lie as
/// they do for the kernels, so that either may take over from the other at any time.
typedef struct amo_code {
  int order, lanes;
  void (*prepare)(double *reg, size_t stride);  // amo_prog_prepare, amo_jet_prepare; NULL: the interpreter
  void (*values)(double *reg, const signed char *branch);               // amo_prog_eval
  void (*start)(double *jet, const signed char *branch);                // amo_jet_eval at k = 0
  void (*coefficients)(double *jet, int k, const signed char *branch);  // and above
  void (*finish)(double *jet, const signed char *branch);               // amo_jet_finish
  void (*series)(double *jet, const signed char *branch);               // amo_series_run; NULL: none
  /// The same, coefficients 0..order-1 of accelerations [q][order + 1] as forces over masses, without the finish; NULL: none.
  void (*free_series)(double *jet, double *acc, const signed char *branch);
} amo_code;

enum { AMO_CODES = 8 };  // no more are used of one program
/// From now on the functions above use it, in all threads. It must outlive the program. False: no room.
bool amo_prog_use_code(amo_prog *p, const amo_code *code);
/// That for this order (0: any) and width; NULL: there is none.
const amo_code *amo_prog_code(const amo_prog *p, int order, int lanes);

#endif
