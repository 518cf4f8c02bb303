// SPDX-License-Identifier: Apache-2.0
/// How small is nothing? Every comparison with rounding takes its measure from here, times the size of what is compared: sizes
/// of terms, never of their sum. From what one rounding leaves (2^-53) to what two ways of finding a number may differ by.
#ifndef AMO_NUM_ROUNDING_H
#define AMO_NUM_ROUNDING_H

#define AMO_LAST_DIGITS 4e-16  // of a number: the next numbers but one
#define AMO_ROUNDED     1e-14  // of the terms: what some ten roundings leave of them
#define AMO_CANCELLED \
  1e-13  // of the terms of a long sum, of an elimination in rows of size 1: what is left where they cancel
#define AMO_NOTHING 1e-12  // of the terms of what a balance of forces was solved for: less is zero
#define AMO_BORDER  1e-11  // of what it is measured by: a condition nearer to its border is on it
#define AMO_FAINT   1e-10  // of the largest: hardly there, and not to be built upon
#define AMO_SAME    1e-9   // relative: numbers found in different ways that differ by less are the same
#define AMO_ROUGH \
  1e-8  // relative: the square root of rounding, what values tell about the place of their extremum

#endif
