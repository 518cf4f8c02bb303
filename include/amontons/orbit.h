// SPDX-License-Identifier: Apache-2.0
/// Periodic motion: limit cycles and forced responses, with their Floquet multipliers.
///
///   amo_cycle_opts o = amo_cycle_opts_default();
///   amo_cycle *c = NULL;
///   if (amo_cycle_find(model, &o, NULL, NULL, &c) == AMO_OK) printf("period %g\n", c->period);
///   amo_cycle_free(c);
#ifndef AMONTONS_ORBIT_H
#define AMONTONS_ORBIT_H

#include "amontons/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { AMO_CYCLE_STEPS = 10000000 };  // most steps of a search where amo_cycle_opts.sim says nothing

typedef struct amo_cycle_opts {
  size_t size;  // sizeof(amo_cycle_opts), set by amo_cycle_opts_init
  const amo_sim_opts
      *sim;  // method, tolerance, values; NULL: defaults, with AMO_CYCLE_STEPS. The audit is not used
  double
      period;  // guess: shoot from the state itself; 0: let the motion settle and see after what time it repeats
  double forcing;       // period of what depends on time; 0: taken from the model
  int periods;          // forced: the motion repeats after so many of them; 0: found out
  double transient;     // time to let pass before anything else
  double accuracy;      // defect of the periodicity, relative to the size of each state
  int iterations;       // most Newton steps
  int segments;         // arcs of multiple shooting; 1: single shooting
  double perturbation;  // method switch: absolute change of the states for the derivatives
  bool damped;          // halve Newton steps that do not help
  volatile int *stop;   // may be NULL: set it to nonzero to end the search (AMO_EINTR)
} amo_cycle_opts;
AMO_API void amo_cycle_opts_init(amo_cycle_opts *o, size_t size);
static inline amo_cycle_opts amo_cycle_opts_default(void)
{
  amo_cycle_opts o;
  amo_cycle_opts_init(&o, sizeof o);
  return o;
}

/// Whose a multiplier is.
typedef enum amo_multiplier_kind {
  AMO_MULTIPLIER_OWN,    // of a disturbance of the cycle
  AMO_MULTIPLIER_PHASE,  // 1: of a start a little later, where the model does not depend on time
  AMO_MULTIPLIER_SHIFT   // 1: of a coordinate that nothing depends on
} amo_multiplier_kind;

typedef struct amo_multiplier {
  double re, im, abs;        // real and imaginary part, size
  double error;              // how well it is known
  amo_multiplier_kind kind;  // whose it is
} amo_multiplier;

/// What the own multipliers say of a cycle, each within its error.
typedef enum amo_stability {
  AMO_STABLE,   // all lie inside the unit circle
  AMO_NEUTRAL,  // none lies outside, one or more on it: a family of cycles, conservative motion, a bifurcation
  AMO_UNSTABLE  // one lies outside
} amo_stability;
AMO_API const char *amo_stability_name(amo_stability s);  // "stable", "neutral", "unstable"

/// Effort of a search or of an arc.
typedef struct amo_cycle_effort {
  long trajectories, steps, rejected;   // arcs; accepted and rejected steps
  long rhs, jacobians, factorisations;  // as in amo_stats
} amo_cycle_effort;

/// A Newton iterate: where it stood, and where the full step would have led.
typedef struct amo_cycle_iterate {
  double period;             // where it stood
  double residual;           // largest defect there
  double damping;            // part of the step that was taken, 0 to 1
  double proposed_period;    // after the full step
  double *state, *proposed;  // [states]
  double *matrix;            // [states][states] by columns, NULL if it was not needed
  amo_cycle_effort effort;   // of its arc
} amo_cycle_iterate;

typedef struct amo_cycle {
  size_t states, contacts;     // of the model
  double period;               // the shortest after which the motion repeats
  int multiple;                // the period that the iteration found is this many times longer
  bool forced;                 // period given by the forcing; then there is no multiplier 1 of the phase
  double forcing;              // its period; 0 if not forced
  double t;                    // time at the start
  double *state;               // [states] at the start
  double *matrix;              // [states][states] column j: d state(T) / d state_j(0)
  amo_multiplier *multiplier;  // [multipliers] largest first
  size_t multipliers;          // states less what constraints and guides determine
  size_t zeros;                // that are exactly zero because contacts stick
  size_t trivial;  // number of the multiplier 1 of an autonomous system; = multipliers when there is none
  amo_stability verdict;                  // by the own multipliers
  bool stable;                            // verdict == AMO_STABLE
  bool grazing;                           // an event without crossing: multipliers do not exist there
  double residual;                        // largest defect of the state after a period
  int iterations;                         // Newton steps
  amo_cycle_iterate *iterate;             // [iterations + 1]
  amo_cycle_effort effort, final_effort;  // of the whole search; of the last arc
  size_t events;                          // over one period
  amo_event *event;                       // [events] over one period (event method)
  double *event_state;                    // [events][states] just after
  double *stick;                          // [contacts] fraction of the period in stick
  double *size;                           // [states] largest magnitude along the cycle
  double *drift;  // [states] by how much the motion has moved on after a period; 0: it comes back
  bool *shifts;   // [states] may it move on: nothing depends on it, or it has made whole turns
} amo_cycle;

/// @param start  [states], NULL: the model's initial state
/// AMO_ENOANSWER: there is no cycle, or none was found; the reason is in `diags`.
AMO_API amo_status amo_cycle_find(const amo_model *m, const amo_cycle_opts *o, const double *start,
                                  amo_diags *diags, amo_cycle **out);
AMO_API void amo_cycle_free(amo_cycle *c);  // accepts NULL

typedef enum amo_branch_kind {
  AMO_BRANCH_CYCLES,  // periodic motion
  AMO_BRANCH_STEADY   // steady sliding: all rates zero, every contact slips
} amo_branch_kind;

typedef struct amo_branch_opts {
  size_t size;                  // sizeof(amo_branch_opts), set by amo_branch_opts_init
  amo_branch_kind kind;         // what is followed
  const amo_cycle_opts *cycle;  // how the first cycle is found, event method; NULL for defaults
  size_t parameter;             // number of the parameter that varies; not one computed from others
  double from, to;              // starts at `from`, ends where the parameter leaves the range
  double step,
      max_step;   // along the branch; 1 is the whole range, or states and periods changed by their own size
  int points;     // most points of each branch
  bool branches;  // follow those that bifurcate (period doubling, symmetry breaking, Hopf), too
  volatile int *stop;  // as in amo_cycle_opts
} amo_branch_opts;
AMO_API void amo_branch_opts_init(amo_branch_opts *o, size_t size);
static inline amo_branch_opts amo_branch_opts_default(void)
{
  amo_branch_opts o;
  amo_branch_opts_init(&o, sizeof o);
  return o;
}

typedef struct amo_branch_point {
  double value;                // of the parameter
  double period;               // 0: steady
  double t;                    // time at the state: what is driven in time is there at that time only
  double *state;               // [states] a point of the cycle
  double *low, *high;          // [coordinates] range; without coordinates: [states]
  amo_multiplier *multiplier;  // [multipliers] multipliers of cycles, eigenvalues of steady states
  size_t multipliers;          // states less what constraints and guides determine
  bool stable;                 // all own multipliers inside the circle, all eigenvalues left of the axis
  int branch;                  // 0: the first; others bifurcate from it
  char *signature;             // what happens during a period: "belt 0- belt -0"; modes of a steady state
} amo_branch_point;

typedef enum amo_special_type {
  AMO_SPECIAL_FOLD,      // the branch turns back
  AMO_SPECIAL_FLIP,      // period doubling
  AMO_SPECIAL_TORUS,     // Neimark-Sacker
  AMO_SPECIAL_BRANCH,    // another branch crosses (symmetry breaking, transcritical)
  AMO_SPECIAL_HOPF,      // steady states: an oscillation begins to grow
  AMO_SPECIAL_STICK,     // a stick phase begins to exist along the branch
  AMO_SPECIAL_NO_STICK,  // a stick phase ceases to exist
  AMO_SPECIAL_CROSSING,  // slip begins or ceases to pass through zero without stick
  AMO_SPECIAL_BORDER,    // another change of what happens during a period
  AMO_SPECIAL_FLUTTER  // steady states: two undamped frequencies meet, and one of their motions begins to grow
} amo_special_type;
/// "fold", "period-doubling", "neimark-sacker", "branch-point", "hopf", "stick-begins", "stick-ends", "crossing",
/// "border"
AMO_API const char *amo_special_name(amo_special_type type);

/// Which way the cycles of a Hopf point go.
typedef enum amo_criticality {
  AMO_HOPF_UNKNOWN,        // not computed, or no derivative there
  AMO_HOPF_SUPERCRITICAL,  // they surround unstable steady states and attract (as far as the pair decides)
  AMO_HOPF_SUBCRITICAL,    // they surround stable ones and repel
  AMO_HOPF_DEGENERATE      // terms of third order do not decide
} amo_criticality;
/// "unknown", "supercritical", "subcritical", "degenerate"
AMO_API const char *amo_criticality_name(amo_criticality c);

typedef struct amo_special {
  amo_special_type type;  // what happens there
  amo_branch_point at;    // the point of the branch
  double width;           // of the last bracket of the parameter
  char *after;            // signature on the other side
  // hopf:
  double frequency;             // [rad/s] of the oscillation that begins
  double lyapunov;              // first Lyapunov coefficient (eigenvector of length 1); NaN: not known
  amo_criticality criticality;  // from the branch of cycles where it was followed, else from the coefficient
  int cycles;                   // number of that branch; 0: not followed
} amo_special;

typedef struct amo_branch {
  size_t states, coordinates;         // of the model
  amo_branch_point *point;            // in the order of the branches, each along its length
  size_t points, point_capacity;      // how many; of the array
  amo_special *special;               // [specials] along the branches
  size_t specials, special_capacity;  // how many; of the array
  int branches;                       // besides the first
  char **ended;                       // [ends] why each branch ends, the first one first
  size_t ends, end_capacity;          // how many; of the array
  amo_cycle_effort effort;            // of all branches
} amo_branch;

/// AMO_ENOANSWER: there is no first point, reason in `diags`. A branch that cannot be followed further ends there.
/// AMO_EINTR: stopped; *out holds what was followed until then, NULL if there was nothing yet.
AMO_API amo_status amo_branch_follow(const amo_model *m, const amo_branch_opts *o, const double *start,
                                     amo_diags *diags, amo_branch **out);
AMO_API void amo_branch_free(amo_branch *b);  // accepts NULL

/// Where a special point lies as a second parameter changes, too.
typedef struct amo_locus {
  size_t points;          // how many
  double *value, *other;  // [points] of the first and of the second parameter
  char ended[120];        // "" if it reached the end of the range
} amo_locus;

/// From a special point of a branch (of the first branch's kind, o) to the value `to` of parameter `other` in at most
/// `points` steps; the point is located anew at each.
AMO_API amo_status amo_locus_follow(const amo_model *m, const amo_branch_opts *o, const amo_special *from,
                                    size_t other, double to, int points, amo_locus **out);
AMO_API void amo_locus_free(amo_locus *l);  // accepts NULL

#ifdef __cplusplus
}
#endif
#endif
