// SPDX-License-Identifier: Apache-2.0
/// The inside of the derivatives, shared by the files that make, evaluate and use them.
#ifndef AMO_CONTACT_DERIVATIVE_IMPL_H
#define AMO_CONTACT_DERIVATIVE_IMPL_H

#include "contact/derivative.h"

enum { L = AMO_LANES, REG = 2 * AMO_LANES };  // one register: two coefficients for each lane

/// Modes and parameters of a place, and its blocks, if they are not those of the last one.
void amo_derivative_arrange(amo_derivative *d, const amo_place *at);
/// Its branches; states and time must be known.
void amo_derivative_branches(amo_derivative *d, const amo_place *at);
/// Every lane on its own side of each seam; values must be known. Did any side change?
bool amo_derivative_seams(amo_derivative *d);
/// State, time and branches of a place, and the program at order 0.
void amo_derivative_load(amo_derivative *d, const amo_place *at);
/// First coefficients of the leaves along direction j, times x: in one lane, or (-1) in all.
void amo_derivative_turn(amo_derivative *d, uint32_t j, int lane, double x);
/// The program along the directions from `first`, one in a lane; how many. `finish`: what conditions need, too.
uint32_t amo_derivative_begin(amo_derivative *d, uint32_t first, bool finish);
void amo_derivative_end(amo_derivative *d, uint32_t first, uint32_t count);

#endif
