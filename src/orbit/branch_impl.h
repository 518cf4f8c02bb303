// SPDX-License-Identifier: Apache-2.0
/// A branch being followed, shared by what follows it, what it consists of, and what locates its special points.
#ifndef AMO_ORBIT_BRANCH_IMPL_H
#define AMO_ORBIT_BRANCH_IMPL_H

#include "amontons/orbit.h"
#include "orbit/curve.h"
#include "orbit/drift.h"
#include "orbit/hopf.h"
#include "orbit/predictor.h"
#include "orbit/shot.h"

/// What decides between two points whether something special lies between them.
typedef struct amo_signs {
  int flips, pluses,
      pairs;     // multipliers beyond -1, beyond +1, pairs beyond the unit circle (or the imaginary axis)
  int unstable;  // steady states: eigenvalues to the right of the axis
  int neutral;   // steady states: eigenvalues on it
  double flip;   // product of (multiplier + 1): changes sign at a period doubling
  double plus;   // product of (multiplier - 1): changes sign at a branch point
  double pair;   // product of (size of a pair - 1): changes sign at a Neimark-Sacker point
  double along;  // component of the tangent along the parameter: changes sign at a fold
} amo_signs;

typedef struct amo_follower amo_follower;

typedef struct amo_problem {
  amo_curve_ops curve;
  /// The point at x, which the curve has just looked at. `out` is allocated; its strings are the caller's.
  amo_status (*judge)(amo_follower *w, const double *x, amo_branch_point *out, amo_signs *signs);
  /// After a point: the same solution stated in the best way for the next step (may be NULL). Where points before it were stated
  /// otherwise the predictor forgets them.
  amo_status (*restate)(amo_follower *w, double *x, double *tangent);
} amo_problem;

extern const amo_problem amo_problem_cycles, amo_problem_steady;

/// One solution along the branch.
typedef struct amo_stop {
  double *x, *tangent;  // [n+1]
  amo_branch_point point;
  amo_signs signs;
} amo_stop;

/// Where another branch begins.
typedef struct amo_seed {
  amo_special_type type;
  double *x, *direction;   // [n+1] point, and where to look for the other branch (scaled)
  double *phase, *anchor;  // [ns]
  double *scale;           // [n+1]
  double t0;
  // Hopf points:
  amo_hopf hopf;
  double
      reach;  // times the eigenvector: oscillation at which the first slip comes to zero; INFINITY: none does
  double growth;   // sign of d(real part of the pair)/d(parameter)
  size_t special;  // in the list of the result
} amo_seed;

/// What a caller has set, over the defaults, with all that it points at.
typedef struct amo_branch_known {
  amo_branch_opts branch;
  amo_cycle_opts cycle;
  amo_sim_opts sim;
} amo_branch_known;
amo_status amo_branch_opts_take(const amo_branch_opts *given, amo_branch_known *k);

struct amo_follower {
  const amo_model *m;
  double *idle;     // [idles][ns] steady states: directions on which nothing depends, of length 1
  double *idle_at;  // [ns] where the motion is held along them
  size_t idles;
  const amo_branch_opts *o;
  amo_diags *diags;
  const amo_problem *problem;
  amo_shooter *shooter;
  amo_shot *shot;
  amo_drift *drift;  // shifts that the equations do not notice, at the parameter looked at last
  amo_curve *curve;
  amo_predictor predictor;  // from the points up to `here`
  bool autonomous;
  int periods;                // forced: of the forcing
  struct amo_forced *forced;  // its period at other values of the parameter; made when first wanted
  double t0;
  double *phase;        // [ns] normal of the phase condition, and
  double *anchor;       // [ns] its point
  double *state_scale;  // [ns]
  amo_stop here, next, trial, left, right;
  amo_branch *out;
  bool broken;  // the branch ends at the special point located last: what follows is another one
  int branch;   // being followed
  int root;     // the one whose bifurcations are followed, too
  amo_seed *seed;
  size_t seeds, seed_capacity;
  // steady states
  struct amo_derivative *derivative;
  signed char *mode, *reaction_sign, *switches;
  char message[256];
};

// ---- branch.c ----
/// Shooter and vectors at the first value of the parameter.
amo_status amo_follower_prepare(amo_follower *w);
/// Where the search begins: `start`, or (NULL) the model's initial state for the parameter at hand, so that guides and constraints hold.
amo_status amo_follower_start(amo_follower *w, const double *start, double *y);
/// The curve and the stops, once it is known how many unknowns there are.
amo_status amo_follower_unfold(amo_follower *w);
void amo_follower_release(amo_follower *w);
/// The branch from w->here to its end.
amo_status amo_follower_follow(amo_follower *w);
/// Solve in the plane through x normal to `direction`, and judge: into s.
amo_status amo_follower_solve(amo_follower *w, const double *x, const double *direction, amo_stop *s,
                              int *steps);
size_t amo_follower_unknowns(const amo_follower *w);
amo_status amo_stop_new(const amo_follower *w, amo_stop *s);
void amo_stop_free(amo_stop *s);
amo_status amo_stop_copy(const amo_follower *w, const amo_stop *from, amo_stop *to);
amo_status amo_point_new_copy(const amo_follower *w, const amo_branch_point *from, amo_branch_point *to);
void amo_point_release(amo_branch_point *p);

// ---- branch_special.c ----
/// Everything special between two neighbouring stops, into w->out. May find that they are not neighbours: w->broken.
amo_status amo_follower_locate(amo_follower *w, const amo_stop *a, const amo_stop *b, int depth);

/// The branch cannot be followed beyond w->here. Is it because something else happens in a period from there on? Then
/// w->broken, and where is recorded.
amo_status amo_follower_lost(amo_follower *w);

// ---- branch_seed.c ----
/// Note where a branch of cycles leaves at this special point, if the matrices tell.
amo_status amo_follower_seed(amo_follower *w, amo_special_type type, const amo_stop *at);
/// Follow all branches that were noted.
amo_status amo_follower_seeds(amo_follower *w);
void amo_seed_release(amo_seed *s);

// ---- branch_hopf.c ----
/// The oscillation of the special point recorded last, a Hopf point between these two; a seed if branches are wanted.
amo_status amo_hopf_note(amo_follower *w, const amo_stop *left, const amo_stop *right);
/// The cycles that begin there.
amo_status amo_hopf_follow(amo_follower *w, amo_seed *s);

// ---- branch_cycle.c ----
/// First cycle of a branch at the present parameter, from a cycle already found.
amo_status amo_cycles_begin(amo_follower *w, const amo_cycle *c);

/// What happens during the period that was shot last, whatever its start; the caller's to free.
char *amo_cycles_signature(const amo_follower *w, double period);

// ---- branch_steady.c ----
/// The state at which the search for the first steady state begins, into w->here.
amo_status amo_steady_begin(amo_follower *w, const double *start);
/// A steady state that slides otherwise than assumed: once more with the directions it has.
amo_status amo_steady_agree(amo_follower *w, const double *direction);

#endif
