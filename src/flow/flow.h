// SPDX-License-Identifier: Apache-2.0
/// The event-driven engine: W trajectories ("lanes") of one model advanced together. The expansion of
/// the motion into power series is shared work on all lanes; step sizes, events and modes are each
/// lane's own. W = 1 is amo_sim, W = AMO_LANES the ensemble; a lane's numbers do not depend on W.
#ifndef AMO_FLOW_FLOW_H
#define AMO_FLOW_FLOW_H

#include <float.h>
#include <math.h>

#include "amontons/sim.h"
#include "contact/conditions.h"
#include "contact/point.h"
#include "model/compiled.h"
#include "num/larger.h"
#include "num/poly.h"

/// mode, press and branch lie one after the other, so do those of the step, and so do fresh, reaction_fresh, gap_zeros and
/// switch_fresh, each with room for one more: a group is copied or cleared as one.
/// What the series of a lane say of a contact whose force the balance leaves open; see contact/balance.h.
typedef struct amo_lane_share {
  bool carried;
  double reach;
  long leader;
  int side;
} amo_lane_share;

typedef struct amo_lane {
  bool active;
  double t, start, h;               // the last step covers [start, t], h = t - start
  double *y;                        // [ns] state at t
  signed char *mode;                // [nc] at t, after events
  signed char *step_mode;           // [nc] during the last step
  signed char *reaction_sign;       // [nc] sign of the reaction of guides
  signed char *step_reaction_sign;  // [nc] during the last step
  bool *stressed;          // [nc] its modes need a stress inside that no spring makes (balance_share)
  bool *reaction_fresh;    // [nc] the reaction is exactly zero at the start of the next step
  signed char *gap_zeros;  // [nc] open supports: leading coefficients of the gap that are zero then
  double *gap_scale;       // [nc] largest gap met so far
  double *closed_at;       // [nc] when it was closed last, of an open one; NaN: never
  double *
      impulse;  // [2 nc + nxi + ng] at the present event: normal; of friction, planar and along axes; of constraints
  double stilled;         // sum of the gap rates that are rounding of the gaps, and were made zero with them
  bool *accumulated;      // [nc] its bounces have ended: it strikes without restitution
  bool shares;            // there are open forces
  amo_lane_share *share;  // [nc] then: of the last expansion
  bool struck;            // velocities jumped at t: an impact, or a stop of guides
  signed char *impact_mode, *impact_reaction_sign;  // [nc] what each contact did in it
  double *impact_xi;                                // [nxi] directions in which spatial contacts slid in it
  double *impact_u;                                 // [nq] velocities that its impulses left
  double *xi;         // [nxi] directions in which spatial contacts begin to slip
  amo_event special;  // what happened to a guide at t besides changes of mode
  bool has_special;
  bool pending;              // it happened at the start: the first step tells it and nothing else
  signed char *branch;       // [nsw] at t, after events
  signed char *step_branch;  // [nsw] during the last step
  bool *fresh;               // [nc] slip velocity is exactly zero at the start of the next step
  bool *switch_fresh;        // [nsw]
  double *scale;             // [ns] largest magnitude met so far
  double *weight;            // [ns] 1 / size against which errors are measured, from the scales
  bool weighed;              // weights are those of the scales
  bool unscaled;             // some state has no size yet: it has been zero until now
  double *release_scale;     // [nc] accelerations below this are rounding (only where fresh)
  double *condition_scale;   // [nc + nsw] largest slip and switching argument met so far
  long doomed;               // coordinate whose inertia is gone at the end of the step; -1: none
  double rhythm;             // length of the last unhindered step; 0 = unknown
  double pace;               // length of the last step whose series was not a polynomial; 0 = none yet
  double trial, reached;     // length that the series allows; what is left of it before the first event
  bool stepping;             // takes part in the step under way
  bool leading;              // the step goes by the leading coefficients of its series
  double *leading_size;      // [ns] then: sizes of the states
  bool interpolated;         // the series of this step are polynomials through points of it
  int degree;                // of the series of this step
  bool implicit;             // the next step is to be implicit, or the present one is
  double implicit_pace;      // then: its length
  double *decay;             // [ns] then: how fast an error of a state decays by its own rate [1/s]
  double least;              // implicit steps that are not longer than this are not worth it
  double crawled;            // length of a step by series that was found to crawl; 0: the last one did not
  int waited, patience;      // steps by series since such were last tried, and before they are tried again
  amo_condition *hit;        // [3 nc + nsw] what ended the step
  size_t hits;
  bool touched;      // in the last step a condition came to zero, as far as it is known, and turned
  amo_event *event;  // [nc + nsw] events at t
  size_t events;
  int stalled;        // events in a row without progress in time
  int crawling;       // steps in a row that lead nowhere
  int creeping;       // and that lead almost nowhere
  double longest;     // step of the run
  double last_event;  // time of the last event; NaN if none
  bool rearrange;     // modes changed: new blocks, new fixed registers
  amo_stats stats;
  amo_status status;
  char message[256];
} amo_lane;

struct amo_prover;
struct amo_explained;
struct amo_implicit;
struct amo_joints;
struct amo_rk8;
struct amo_solutions;
struct amo_decider;
struct amo_linear_series;
struct amo_vanish;

enum { AMO_MOST_TOGETHER = 32 };  // spatial contacts of one mechanism that begin to slip at one instant

/// A spatial contact that begins to slip from rest, and what is known of its direction order by order.
typedef struct amo_starting {
  bool begins;
  bool at_limit;  // friction at its limit balances all other forces: the slip begins without acceleration
  bool limit;     // so it is for its whole mechanism
  uint32_t mechanism;            // of several, that begin together
  int rank;                      // among them
  int late;                      // 1: the reaction begins with zero too
  double rate[AMO_POLY_MAX][2];  // slip acceleration along its axes
  double by
      [AMO_MOST_TOGETHER];  // how the slip across depends on a coefficient of each direction of the mechanism
  int free_turns;           // of the directions of the mechanism together, that press nothing sideways
  double free[AMO_MOST_TOGETHER],
      later[AMO_MOST_TOGETHER];  // its part in them; what they do to the slip across
  double drawn;                  // size of its rate at order 1, before directions turn
  double turn, at, y, before;    // of the order at hand; the coefficient of the order below
} amo_starting;

/// Where the series of a contact lie, lane 0; the others follow. A fixed one has coefficient 0 only.
typedef struct amo_watch {
  const double *slip, *bound, *stick;
  bool slip_fixed, bound_fixed, stick_fixed;
  bool slip_own;  // not just a combination of states: its series has its own range
} amo_watch;

/// Order of series that tell the first coefficients of conditions (of a gap: the second), and how they change.
enum { AMO_FEW_ORDERS = 3 };

typedef struct amo_flow {
  amo_arena memory;
  const amo_model *m;
  amo_sim_opts opt;
  uint32_t ns, nsw;                              // states, switches
  int W, P;                                      // lanes, order
  double *jet;                                   // [registers][P+1][W]
  double *acc, *lambda, *multiplier, *reaction;  // [n][P+1][W]
  double *traction, *speed;                      // [nxi][P+1][W] stick forces along axes; [nc] sliding speeds
  double *slack;                                 // [nc][P+1][W] see amo_result
  amo_lane *lane;                                // [W]
  struct amo_joints **joints;                    // [W]; NULL: there are none
  amo_balance **balance;                         // [W]; unused when plain (then lambda, acc are too)
  struct amo_linear_series *uniform;             // linear motion: owns the balances; NULL otherwise
  amo_point *point;                              // values at one state, for decisions
  struct amo_rk8 *rk8;                           // the other stepper
  bool may_be_implicit;                          // steps of this engine
  struct amo_implicit *implicit;                 // and the third; NULL until it is needed
  struct amo_explained *explained;               // what may deceive the series; NULL: nothing
  struct amo_vanish *vanish;                     // roots and powers, which have zeros; NULL: none
  bool checks_rates;                             // the end of every step is held against the rates there
  struct amo_solutions *solutions;               // models with guides or supports; NULL otherwise
  bool jams;                                     // there are guides, whose slips may
  struct amo_long_time *fate;                    // the same
  struct amo_decider *decider;                   // work of decisions by series; NULL until they are needed
  struct amo_flow *trials[2];                    // motion in modes on trial: first orders, all orders
  struct amo_flow *trial;                        // the one that ran last
  bool is_trial;                                 // this is such a one
  bool is_short;                                 // with the first orders only
  struct amo_prover *prover;                     // proves every step; NULL: nobody asked for it
  bool asks_rounding;                            // trial: bounds of rounding are needed
  double *rounding;        // trial: [registers] bounds of what rounding has made of them
  bool by_values;          // trial: conditions that are zero within their bounds hold, whatever follows
  amo_starting *starting;  // trial: [nc] spatial contacts that begin to slip from rest
  uint32_t starts;         // how many do
  signed char *branch;     // [nsw][W] gathered for the kernels
  double *param;           // [np][W]
  amo_standing *standing;  // [nc] scratch
  double *switch_value;    // [nsw] scratch
  signed char *guess;      // [nc] scratch: modes before a decision
  double *jump;        // [4 nc] scratch: slips, gaps, their rates, and whether surfaces face, before a switch
  double *within;      // [ns] scratch: a state within the step
  double *size;        // [ns] scratch: what errors of the states are measured against
  double *error;       // [registers of the step program] scratch: how well each is known
  double **state;      // [ns] series of the states
  amo_watch *watch;    // [nc]
  double *power;       // [P+1][W] powers of the present step
  double *leading;     // [2 ns] scratch
  amo_series *series;  // plain models: no solver between the orders; NULL otherwise
  uint32_t givens;     // the last of the states, whose course is told from outside
  const double
      *given;  // [givens][given_order + 1] their series about the lane's time, one lane; NULL: they stay
  int given_order;
  double *
      end;  // [registers][W] models whose rates are checked without a balance: at the end of the step; NULL: others
  double *ending;      // [ns][W] states at the ends of the steps, among those where there are such
  bool at_end;         // they are known
  double interpreted;  // work of expansions since it was last told (flow/faster.h)
} amo_flow;

amo_status amo_flow_new(const amo_model *m, const amo_sim_opts *opt, int W, amo_flow **out);
void amo_flow_free(amo_flow *f);
/// The order of series that costs least for an accuracy.
int amo_flow_order_for(double tol);
/// Memory of one more lane that this engine can be given.
void amo_lane_make(const amo_flow *f, amo_lane *l, amo_arena *memory);
void amo_flow_parameters(amo_flow *f, int lane, const double *param);
/// Put a lane at (t, state) and decide its modes.
amo_status amo_flow_start(amo_flow *f, int lane, double t, const double *state);
/// Power series of all lanes at their present states.
void amo_flow_expand(amo_flow *f);
/// The same where the next step goes by series: what comes before amo_flow_advance.
void amo_flow_prepare(amo_flow *f);
/// Its first orders only (models that need the balance), conditions left out.
void amo_flow_expand_to(amo_flow *f, int orders);
/// All of order k from the lower orders, and what it says of the next.
void amo_flow_expand_order(amo_flow *f, int k);
void amo_flow_next_coefficients(amo_flow *f, int k);
/// Coefficient k of the step program.
void amo_flow_evaluate_order(amo_flow *f, int k);
/// The halves of amo_flow_expand, for whoever goes through the orders himself: states and modes; what waits for all orders.
void amo_flow_open_series(amo_flow *f);
void amo_flow_close_series(amo_flow *f);
/// Where the unknowns of a lane's balance lie.
amo_result amo_flow_results(const amo_flow *f, int lane);
/// The point in the lane's place: its parameters, branches, signs of reactions and directions of slip.
void amo_flow_place_point(const amo_flow *f, int lane);
/// What the simulation shows of its one lane; and forces at a sample in the lane's modes, `branch` NULL: by actual signs.
amo_status amo_flow_publish(const amo_flow *f, amo_sim *s, amo_status st);
amo_status amo_flow_forces(amo_flow *f, amo_sim *s, bool at_end, const signed char *branch, amo_sample *p);
/// After expand: one step of every active lane, at most to t_end, events handled. Sets the lanes' status.
void amo_flow_advance(amo_flow *f, double t_end);
/// The two halves of it, one lane: how far, and what ends the step (reached, hits); then to `end`, where it leads or earlier: an
/// event that was found beyond is forgotten.
void amo_flow_plan(amo_flow *f, double t_end);
double amo_flow_planned_end(const amo_flow *f, double t_end);
void amo_flow_land(amo_flow *f, double end, bool as_planned);
/// All trajectories of e on the lanes of f; scratch [np].
void amo_flow_ensemble(amo_flow *f, const amo_ensemble *e, double *scratch);
/// State at start + s in the last step.
void amo_flow_dense(const amo_flow *f, int lane, double s, double *y);
/// The same at count such s, none of them zero: y [count][ns].
void amo_flow_dense_along(const amo_flow *f, int lane, const double *s, size_t count, double *y);

// ---- shared between the files of the engine ----
/// How far the series may be trusted; INFINITY for polynomial motion, NaN when not finite.
double amo_flow_trusted_length(amo_flow *f, int lane);
/// A polynomial of the part of a step of length h in the place of a series of a lane.
void amo_flow_write_powers(const amo_flow *f, double *series, const double *power, int degree, double h);
/// What errors of the states are measured against, from the largest values met so far.
void amo_flow_weigh(const amo_flow *f, amo_lane *l);
/// The same of all lanes at once, length[W].
void amo_flow_trusted_lengths(amo_flow *f, double *length);
/// The longest step of polynomial motion that stays within the range of numbers.
double amo_flow_polynomial_length(const amo_flow *f, int lane);
/// Shorten the trial step to where an inertia that changes in time would vanish.
void amo_flow_watch_masses(amo_flow *f, int lane);
/// Earliest exit in (0, h]: fills hits, returns its time offset, or h when nothing happens.
double amo_flow_first_event(amo_flow *f, int lane, double h);
/// Does contact c stick without any force, and tell by its side when its normal force ends? Then its bound does not matter.
bool amo_flow_is_idle(const amo_flow *f, int lane, uint32_t c);
/// The error to which conditions are known, relative to their size: that of the motion.
static inline double amo_flow_resolution(const amo_flow *f)
{
  return 30.0 * amo_larger(f->opt.tol, AMO_ROUNDED);
}
/// How far beyond its zero, relative to its size, a square root that turns is followed: the state is then off by the
/// square of that, which is rounding.
static const double amo_fold_margin = 3e-8;
/// Does the series of this square root (a switch of kind AMO_SWITCH_FOLD) say whether it turns? Near a simple zero of its
/// argument it has none: r r'' is there of the size of r'^2.
bool amo_flow_may_fold(const amo_flow *f, int lane, uint32_t i);
/// The series of a lane whose spatial contact begins to slip from rest, where the direction of slip is not that of a
/// velocity: taken from the trial.
amo_status amo_flow_start_slips(amo_flow *f, int lane);
/// After a step without event: a spatial slip that has all but stopped stops. It gets there in finite time but in
/// ever smaller steps, because its direction still turns.
void amo_flow_watch_stops(amo_flow *f, int lane);
/// Models with guides, after a step without event: does the slip jam?
amo_status amo_flow_watch_guides(amo_flow *f, int lane);
/// The slip of a guide jams where the lane is.
amo_status amo_flow_jam(amo_flow *f, int lane, uint32_t contact);
/// The first step after a start with an event of its own: no time passes.
void amo_flow_tell_start(amo_flow *f, int lane);
/// An impact makes what decides branches jump, where it depends on velocities: what it was, as evaluated, is noted; then branches and
/// sides of contacts whose normal force is given are those of the new velocities.
void amo_flow_note_switches(amo_flow *f);
void amo_flow_follow_impact(amo_flow *f, int lane, amo_standing *standing);
/// Modes and branches after the hits at the lane's new state.
amo_status amo_flow_resolve(amo_flow *f, int lane);
amo_status amo_flow_fail(amo_lane *l, amo_status st, const char *fmt, ...) AMO_PRINTF(3, 4);

/// Coefficients per quantity.
static inline size_t amo_flow_item(const amo_flow *f)
{
  return (size_t)(f->P + 1) * (size_t)f->W;
}

static inline const double *amo_flow_series(const amo_flow *f, int lane, uint32_t reg)
{
  return f->jet + (size_t)reg * (size_t)(f->P + 1) * (size_t)f->W + (size_t)lane;
}

/// Stick force of contact c: solved for, or a register of the program. *fixed: constant in time.
static inline double *amo_flow_stick_force(const amo_flow *f, int lane, uint32_t c, bool *fixed)
{
  const size_t it = (size_t)(f->P + 1) * (size_t)f->W;
  const uint32_t reg = f->m->contact[c].r_stick;
  const bool given = f->series != NULL || amo_is_massless(&f->m->contact[c]);
  *fixed = given && amo_prog_is_fixed(f->m->step, reg);
  return given ? f->jet + reg * it + (size_t)lane : f->lambda + c * it + (size_t)lane;
}

/// Do the series of contact c show a share of forces that the balance leaves open? *reach as amo_balance_carried.
static inline bool amo_flow_carried(const amo_flow *f, int lane, uint32_t c, double *reach)
{
  const amo_lane *l = &f->lane[lane];
  *reach = 0.0;
  if (f->series != NULL) return false;
  if (l->interpolated) return amo_balance_carried(f->point->balance, c, reach);
  if (l->shares) *reach = l->share[c].reach;
  return l->shares && l->share[c].carried;
}

/// Who holds contact c in stick?
static inline amo_hold amo_flow_hold(const amo_flow *f, int lane, uint32_t c)
{
  if (f->series != NULL || amo_is_massless(&f->m->contact[c])) return AMO_HELD_BY_FRICTION;
  const amo_balance *b = f->lane[lane].interpolated ? f->point->balance : f->balance[lane];
  if (!amo_balance_dependent(b, c)) return AMO_HELD_BY_FRICTION;
  return amo_balance_indeterminate(b, c) ? AMO_HELD_BY_OTHERS : AMO_HELD_TOGETHER;
}

/// See amo_balance_leader.
static inline long amo_flow_leader(const amo_flow *f, int lane, uint32_t c, int *side)
{
  const amo_lane *l = &f->lane[lane];
  *side = 0;
  if (f->series != NULL || l->mode[c] != 0) return -1;
  if (l->interpolated) return amo_balance_leader(f->point->balance, c, side);
  if (l->shares) *side = l->share[c].side;
  return l->shares ? l->share[c].leader : -1;
}

/// What is rounding of the coefficients of a condition over a length h, relative to the largest of them: an event late in
/// a run is known only to the rounding of its time.
static inline double amo_lane_rounding(const amo_lane *l, double h)
{
  return amo_larger(AMO_NOTHING, 8.0 * DBL_EPSILON * fabs(l->t) / h);
}

/// Below this, of the size of what it is made of, the value of a condition is rounding.
static inline double amo_value_rounding(const amo_lane *l, double h)
{
  return amo_larger(8e-12, amo_lane_rounding(l, h));
}

/// Relative difference of forces that is rounding: at an event they are known to the rounding of its time only.
static inline double amo_flow_slack(const amo_flow *f, const amo_lane *l)
{
  const double length = l->rhythm > 0.0 ? l->rhythm : l->pace > 0.0 ? l->pace : INFINITY;
  const double least =
      f->opt.stepper == AMO_STEPPER_RK8 ? AMO_FAINT : AMO_NOTHING;  // its events are good to fewer digits
  return amo_larger(least, amo_lane_rounding(l, length));
}

#endif
