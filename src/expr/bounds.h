// SPDX-License-Identifier: Apache-2.0
/// How far a register may be from the true value: a bound for each, carried along with the instructions
/// (running error analysis). It grows where digits cancel and where a function is steep, so that "zero up to
/// rounding" can be asked of any expression without choosing a tolerance. The bound is of first order in the
/// unit roundoff, with the products of bounds where they are cheap.
#ifndef AMO_EXPR_BOUNDS_H
#define AMO_EXPR_BOUNDS_H

#include "expr/program.h"

/// Bounds `err` of the registers `reg`, which have been evaluated. Leaves' bounds must be filled.
/// prepare: constants and fixed registers; bound: varying ones.
void amo_bound_prepare1(const amo_prog *p, const double *reg, double *err);
void amo_bound_prepare8(const amo_prog *p, const double *reg, double *err);
void amo_bound1(const amo_prog *p, const double *reg, double *err);
void amo_bound8(const amo_prog *p, const double *reg, double *err);

/// All registers (constant, fixed, varying) and their bounds in long double, one lane, from the leaves.
void amo_long_eval(const amo_prog *p, long double *reg, long double *err);

/// A state that fulfils a condition (a gap, a rate that is zero) was rounded on its way here: what is within so many bounds of
/// zero fulfils it.
enum { AMO_FULFILLED = 16 };

/// What rounding alone may have made of one register, generously: leaves are taken to be off by a few units in the last
/// place. The only measure of smallness where all terms of an expression cancel. err: scratch for all registers.
double amo_rounding_of(const amo_prog *p, const double *reg, uint32_t leaves, uint32_t target, double *err);

/// Uncertainty of a number that was given: none where its digits end early (a whole number, a binary
/// fraction), else half a unit in the last place, since it stands for a decimal or a rounded result.
double amo_given_error(double x);

#endif
