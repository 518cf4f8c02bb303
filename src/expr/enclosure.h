// SPDX-License-Identifier: Apache-2.0
/// A register program in intervals: values, or power series with interval coefficients by the same recurrences as the
/// kernels. If the leaves contain a state then every coefficient contains that of the exact series there, so a box of
/// states gives bounds of every derivative over the box.
///
/// jet: [registers][order+1]. Must be zero before first use: coefficients that no recurrence computes stay zero.
#ifndef AMO_EXPR_ENCLOSURE_H
#define AMO_EXPR_ENCLOSURE_H

#include "expr/interval.h"
#include "expr/program.h"

/// Constants and what depends on fixed leaves only; again whenever one of those changed.
void amo_enclose_prepare(const amo_prog *p, amo_interval *jet, int order);
/// Coefficient k of what is needed at every order, from coefficients 0..k of the leaves; k = 0 fills every register.
/// branch: [switches], held as in a step.
void amo_enclose_order(const amo_prog *p, amo_interval *jet, int order, int k, const signed char *branch);
/// Coefficients 1..order of the rest.
void amo_enclose_finish(const amo_prog *p, amo_interval *jet, int order, const signed char *branch);

#endif
