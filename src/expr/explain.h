// SPDX-License-Identifier: Apache-2.0
/// Does a series tell all that its function does over a step? The coefficients of exp(-(s/w)^2) far out, or of tanh(s/w),
/// are zero to all digits: the series says that nothing happens, while the argument runs into the middle of it. The range of the
/// argument over the step is known from its own series, and that of the function over this range is known
/// exactly. What exceeds, many times, the variation that the series of the result shows is *unexplained*; so is a
/// difference between series and function at the end and in the middle of the step. Both are carried on to everything that depends on them.
#ifndef AMO_EXPR_EXPLAIN_H
#define AMO_EXPR_EXPLAIN_H

#include "expr/program.h"

typedef struct amo_explain amo_explain;

/// For jets of this order and width. *out is NULL where all that varies is made of sums, products, sines and cosines: nothing
/// in it can be flat and then rise. The program must outlive it.
amo_status amo_explain_new(const amo_prog *p, int order, int lanes, amo_explain **out);
void amo_explain_free(amo_explain *x);
/// May this register have an unexplained part?
bool amo_explain_concerns(const amo_explain *x, uint32_t reg);
/// Look at a lane's series over [0, h]. power: h^k of the lane at power[k*lanes], or NULL. True if something is unexplained.
/// Three numbers beyond the last of jet and power are read (not used) where there is one lane. Allocates nothing.
bool amo_explain_look(amo_explain *x, const double *jet, int lane, double h, const double *power);
/// Then: the unexplained part of a register, in its own unit, up to infinity. Zero where not concerned.
double amo_explain_missing(const amo_explain *x, uint32_t reg);
/// Then: how far the series of a register goes from zero on the step, at most.
double amo_explain_size(const amo_explain *x, uint32_t reg);

#endif
