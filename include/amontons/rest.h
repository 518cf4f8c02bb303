// SPDX-License-Identifier: Apache-2.0
/// Does a mechanism at rest hold, start, or may it do either? With the reserve of every contact, the limits of forces that
/// rest does not determine, and the whole region of loads in which it holds.
///
///   amo_rest *r = NULL;
///   if (amo_rest_find(model, NULL, NULL, &r) == AMO_OK) printf("%s, margin %g\n", amo_rest_verdict_name(r->verdict), r->margin);
///   amo_rest_free(r);
///
/// Rest is rest of the contacts: on a belt or a lift the bodies go along. Threads may ask side by side; a result belongs to
/// whoever has it.
#ifndef AMONTONS_REST_H
#define AMONTONS_REST_H

#include "amontons/contact.h"
#include "amontons/probe.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How it is asked. Get it from amo_rest_opts_default() and change what you need; later versions may add fields at the end.
typedef struct amo_rest_opts {
  size_t size;  // sizeof(amo_rest_opts), set by amo_rest_opts_init
  double t;     // time; NaN: that of the values
  const double
      *state;  // [states] coordinates and further states, velocities are not read; NULL: that of the values
  const amo_values *values;  // what the model is asked with; NULL: amo_model_values
} amo_rest_opts;

AMO_API void amo_rest_opts_init(amo_rest_opts *o, size_t size);
static inline amo_rest_opts amo_rest_opts_default(void)
{
  amo_rest_opts o;
  amo_rest_opts_init(&o, sizeof o);
  return o;
}

typedef enum amo_rest_verdict {
  AMO_REST_HOLDS,    // rest is the only solution
  AMO_REST_STARTS,   // motion is
  AMO_REST_SEVERAL,  // it may do either, or move in several ways
  AMO_REST_NONE      // no solution
} amo_rest_verdict;
AMO_API const char *amo_rest_verdict_name(amo_rest_verdict verdict);  // "holds", "starts", "several", "none"

/// One contact at rest.
typedef struct amo_rest_contact {
  double needed;    // friction force that holding takes, along +slip [N]
  double bound;     // the largest there is [N]
  double reaction;  // normal force [N]
  double
      margin;  // reserve relative to the bound: 1 unloaded, 0 at the limit, negative beyond; NaN where nothing holds, or others hold all
  bool open;   // a support that is open
  bool holds;  // it takes part: it is closed and has friction
} amo_rest_contact;

/// Limits of the forces of one contact: least and largest, infinite where there is none; NaN: it has no such force.
typedef struct amo_rest_range {
  double reaction[2];  // [N]
  double friction[2];  // [N]
} amo_rest_range;

typedef struct amo_rest {
  double t;                   // time
  const double *state;        // [states] at rest
  amo_rest_verdict verdict;   // by all solutions
  int direction;              // sign of the slip of the first solution that moves, 0: none does
  double margin;              // least of all contacts that hold; infinite: none does
  bool unheld;                // it moves although every contact holds: no contact takes part in that motion
  size_t contacts;            // of the model
  amo_rest_contact *contact;  // [contacts]; of contacts that are switches of expressions all zero
  bool open;                  // rest does not determine all forces
  bool ranged;    // then: limits of them are known (not for friction in a plane, joints, or many guides)
  size_t shares;  // combinations of signs of reactions with which rest is possible
  amo_rest_range *share;          // [shares][contacts]
  const amo_contact_answer *all;  // every solution
} amo_rest;

/// opts: NULL for defaults. AMO_EINPUT: no contact could hold it; as amo_contact_search_at otherwise. *out = NULL then.
AMO_API amo_status amo_rest_find(const amo_model *m, const amo_rest_opts *opts, amo_diags *diags,
                                 amo_rest **out);
AMO_API void amo_rest_free(amo_rest *r);  // accepts NULL

// ---- the region of loads ----

/// A convex polygon in the plane of two loads, or an interval of one (two corners, y = 0).
typedef struct amo_region_area {
  size_t corners;       // of the polygon
  const double *x, *y;  // [corners] values of the loads, in order around it
} amo_region_area;

typedef enum amo_region_border {
  AMO_REGION_LIMIT_PLUS,   // friction at its bound along +slip
  AMO_REGION_LIMIT_MINUS,  // against it
  AMO_REGION_REACTION,     // the reaction passes zero
  AMO_REGION_START         // a slip begins
} amo_region_border;

/// A border of rest, c[0] + c[1] x + c[2] y = 0 with (c[1], c[2]) of length 1.
typedef struct amo_region_line {
  double c[3];             // coefficients of the line
  size_t contact;          // in the model
  amo_region_border what;  // what happens there
} amo_region_line;

/// One solution and where it exists.
typedef struct amo_region_piece {
  bool rest;                         // nothing moves
  const signed char *mode;           // [contacts] 0 stick, +1/-1 slip, 2 open
  const signed char *reaction_sign;  // [contacts] 0: not asked
  amo_region_area area;              // of loads
} amo_region_piece;

typedef struct amo_region {
  amo_axis axis[2];  // the loads and their ranges
  size_t axes;       // 1 or 2
  double share;  // part of the range in which rest is possible, 0 to 1 (where pieces of rest overlap, more)
  size_t pieces, lines, severals, vertices;  // how many of each
  const amo_region_piece *piece;             // [pieces] rest and motion
  const amo_region_line *line;               // [lines] borders of rest
  const amo_region_area *several;            // [severals] where rest and motion are both possible
  const double (
      *vertex)[2];  // [vertices] corners of rest that are no corners of the range; of two loads only
} amo_region;

/// The region of one or two parameters that enter the loads only, and linearly: exact, without samples. It is taken at the
/// state that amo_rest_find would take. AMO_ENOANSWER: something else depends on them (diags says what); AMO_ELIMIT: too many
/// contacts; AMO_ERANGE: no axes, or axes that are no parameters.
AMO_API amo_status amo_region_find(const amo_model *m, const amo_rest_opts *opts, const amo_axis *axis,
                                   size_t axes, amo_diags *diags, amo_region **out);
AMO_API void amo_region_free(amo_region *r);  // accepts NULL

#ifdef __cplusplus
}
#endif
#endif
