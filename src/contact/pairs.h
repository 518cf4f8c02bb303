// SPDX-License-Identifier: Apache-2.0
/// What several slipping pairs do to each other, whatever the loads: each guide presses on one side or the other, each
/// support presses or opens, and in every such pattern the problem is linear. Determinants of all patterns tell whether
/// the answer is unique for every load, how many there are, and how much more friction would end that.
#ifndef AMO_CONTACT_PAIRS_H
#define AMO_CONTACT_PAIRS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "amontons/status.h"
#include "base/mem.h"

/// A number and how far it may be off.
typedef struct amo_known {
  double value, error;
} amo_known;

/// The problem: gaps accelerate by  normal R + tangent T + free,  T = -slip mu |R|.
typedef struct amo_pairs_problem {
  size_t n;
  const amo_known *normal;   // [n][n] acceleration of gap i by a unit of reaction j
  const amo_known *tangent;  // [n][n] by a unit of friction force j
  const amo_known *open;     // [n] without reactions
  const amo_known *mu;       // [n]
  const signed char *slip;   // [n] sign of the slip velocity
  const bool *one_sided;     // [n] supports
} amo_pairs_problem;

/// Solutions that are not isolated, in one pattern: convex combinations of vertices plus multiples of rays.
typedef struct amo_continuum {
  size_t pattern, vertices, rays;
  double *at;  // [vertices + rays][n] reactions
} amo_continuum;

/// Pattern p: contact j presses towards its normal (bit j of p is 0), or else away from it, or is open.
typedef struct amo_pairs {
  amo_arena memory;
  size_t n;
  uint32_t *contact;     // [n] in the model
  signed char *slip;     // [n]
  bool *one_sided;       // [n]
  double *influence;     // [n][n] L: what a unit of friction force j adds to reaction i
  double *inertia;       // [n][n] of the gaps: the inverse of `normal`
  double *frictionless;  // [n] reactions without friction
  double *determinant;   // [2^n] relative to that without friction; 0: not to be told from zero
  bool unique;           // for every load
  bool
      has_degree;  // no determinant vanishes: the number of solutions, counted with the signs of their determinants,
  int degree;       //   is the same for every load
  double critical;  // factor of all mu at which the first determinant vanishes; INFINITY: none does
  size_t critical_pattern;
  amo_continuum *continuum;  // [continua]
  size_t continua;
} amo_pairs;

/// Most pairs of one problem, for which all patterns are looked at.
enum { AMO_MOST_PAIRS = 12 };

/// AMO_ENOANSWER: gaps that depend on each other, so that reactions are not determined; AMO_ELIMIT: too many pairs.
amo_status amo_pairs_assess(const amo_pairs_problem *p, amo_pairs *out);
void amo_pairs_free(amo_pairs *p);

#endif
