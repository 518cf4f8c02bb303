// SPDX-License-Identifier: Apache-2.0
/// The contact problem where one or two parameters enter the loads only linearly: masses, rows and coefficients
/// do not know them. Every combination of modes and signs then has accelerations and forces that are affine in
/// the parameters, and exists in a convex region bounded by straight lines.
#ifndef AMO_CONTACT_LINEAR_H
#define AMO_CONTACT_LINEAR_H

#include "contact/solutions.h"

#define AMO_LINEAR_MOST 2

typedef enum amo_face_kind {
  AMO_FACE_LIMIT_PLUS,   // bound - friction >= 0
  AMO_FACE_LIMIT_MINUS,  // bound + friction >= 0
  AMO_FACE_REACTION,     // the reaction has the assumed sign
  AMO_FACE_START         // the slip begins along its direction
} amo_face_kind;

/// c[0] + c[1] x + c[2] y, in the values of the parameters. `contact` and `what` say what it means.
typedef struct amo_affine {
  double c[1 + AMO_LINEAR_MOST];
  uint32_t contact;
  amo_face_kind what;
} amo_affine;

/// One combination: it is a solution where all faces are >= 0.
typedef struct amo_piece {
  const signed char *mode, *reaction_sign;  // [nc]; the sign also in stick, 0: not asked
  const amo_affine *face;
  size_t faces;
  bool held;  // nothing accelerates (only asked where all contacts stick)
} amo_piece;

typedef struct amo_linear amo_linear;

/// Parameters by index. AMO_ENOANSWER: something else than the loads depends on them; *why says what.
/// `started`: the initial state is in use, so it must not depend on them either.
amo_status amo_linear_new(const amo_model *m, const size_t *param, size_t n, bool started, const char **why,
                          amo_linear **out);
void amo_linear_free(amo_linear *l);  // accepts NULL
/// Visit every combination at a state; `point` has the parameters. The visitor may stop with a status.
typedef amo_status (*amo_piece_visitor)(void *ctx, const amo_piece *piece);
/// AMO_ENOANSWER: no linear structure here (*why); AMO_ELIMIT: too many combinations.
amo_status amo_linear_visit(amo_linear *l, amo_point *p, double t, const double *state, const char **why,
                            amo_piece_visitor visit, void *ctx);

#endif
