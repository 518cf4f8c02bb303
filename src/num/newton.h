// SPDX-License-Identifier: Apache-2.0
/// Newton's method: steps until the equations hold or the steps count no more, each shortened where that is wanted until it
/// makes the equations smaller.
#ifndef AMO_NUM_NEWTON_H
#define AMO_NUM_NEWTON_H

#include <stddef.h>

#include "amontons/status.h"

typedef struct amo_newton {
  /// The equations at x; *size: how far from zero they are, in the problem's own measure. Where they have no values:
  /// AMO_ENOANSWER, and a shorter step is tried.
  amo_status (*look)(void *ctx, const double *x, double *size);
  /// The step that solves the linear equations at x, which was looked at last; *length: what it moves, relative to x;
  /// *size: may be measured anew, with what is known at x.
  amo_status (*step)(void *ctx, const double *x, double *step, double *length, double *size);
  void *ctx;
  size_t n;
  double *move, *trial;  // [n] work
  double enough;         // solved: size up to this
  double still;          // solved: length of a step up to this, or
  double crawl;          // below this and not shorter than the last
  double ignored;        // sizes up to this need not become smaller
  int most;              // steps
  int halvings;          // of a step that makes the equations larger; 0: it is taken all the same
  int steps;             // out: taken
  double part;           // out: of the last step
} amo_newton;

/// x is replaced. AMO_ENOANSWER: not solved in `most` steps, or no part of a step makes the equations smaller; x is the best
/// so far, but what was looked at last may be another.
amo_status amo_newton_solve(amo_newton *p, double *x);

#endif
