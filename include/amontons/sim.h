// SPDX-License-Identifier: Apache-2.0
/// Motion in time: stepping a model through slip, stick and their events.
///
///   amo_sim *s;
///   amo_sim_new(model, NULL, NULL, &s);
///   while (amo_sim_time(s) < 50 && amo_sim_step(s, 50) == AMO_OK)
///     for (size_t i = 0; i < amo_sim_new_events(s); i++) use(amo_sim_new_event(s, i));
///   amo_sim_free(s);
///
/// An amo_sim is one thread's business; a model may be shared by many. Stepping allocates nothing.
#ifndef AMONTONS_SIM_H
#define AMONTONS_SIM_H

#include <stdbool.h>
#include <stddef.h>

#include "amontons/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum amo_method {
  AMO_METHOD_EVENT,   // exact modes, events located; the reference
  AMO_METHOD_SWITCH,  // stick band |slip| <= eta, one standard solver, no restarts (Leine et al. 1998)
  AMO_METHOD_SMOOTH,  // arctan friction of steepness eps, stiff solver
  AMO_METHOD_EULER    // explicit Euler with the fixed step max_step, nothing located (Cho and Barber 1998)
} amo_method;

typedef enum amo_stepper {
  AMO_STEPPER_TAYLOR,  // event: power series of the motion, order chosen from tol
  AMO_STEPPER_RK8,     // event: Dormand-Prince 8(5,3) with 7th-order dense output
  AMO_STEPPER_RKF45,   // switch: classical Fehlberg pair, the one whose steps the paper counts
  AMO_STEPPER_BDF,     // smooth: SUNDIALS CVODE
  AMO_STEPPER_RADAU,   // event: implicit, collocation at Radau's points, wherever the equations are smooth
  AMO_STEPPER_AUTO     // event: taylor, and radau where series crawl; the default
} amo_stepper;

/// Whether the steps of a model are compiled by the system's C compiler (CC, or cc): the same answers, bit for bit, in less time.
/// The result is kept in the user's cache; see `amontons help cache`. Where that is not possible the library interprets.
typedef enum amo_compile {
  AMO_COMPILE_AUTO,   // in the background, once a model has been stepped for about a tenth of a second
  AMO_COMPILE_NEVER,  // nothing is compiled or loaded for this run
  AMO_COMPILE_WAIT    // before the first step
} amo_compile;
/// Who moves the trajectories of an ensemble.
typedef enum amo_engine {
  AMO_ENGINE_AUTO,  // from 10,000 trajectories on a program compiled for the model, if it is of its kind and there is a compiler
  AMO_ENGINE_STEPS,    // the engine that moves single motions, with the bits of a single motion
  AMO_ENGINE_PROGRAM,  // such a program, or AMO_EUNSUPPORTED (the model, max_step), AMO_EIO (no compiler)
  AMO_ENGINE_GPU       // the same by nvcc on a graphics processor
} amo_engine;

/// Settings. Get defaults from amo_sim_opts_default() and change what you need.
typedef struct amo_sim_opts {
  size_t size;          // sizeof(amo_sim_opts), set by amo_sim_opts_init
  amo_method method;    // how motions are computed
  amo_stepper stepper;  // ignored unless it fits the method
  double tol;           // relative accuracy per step, in (1e-16, 0.1)
  int order;            // Taylor order; 0 chooses it from tol
  double max_step;      // > 0; infinity = no limit
  double eta;           // switch: half width of the stick band [slip unit]
  double kappa;         // switch: centring rate in stick [1/s]; 0 = lowest natural frequency
  double eps;           // smooth: steepness [1/slip unit]
  const double
      *weight;      // switch: [states] factors that make states comparable in the error norm; NULL: all 1
  bool audit;       // check every step (contact conditions, energy); costs about as much as stepping
  bool certify;     // event: prove every step, see amo_sim_proof; costs many times the stepping
  long max_steps;   // a run that needs more ends with AMO_ELIMIT
  long max_events;  // the same of events
  const amo_values *values;  // what the model is asked with; NULL: amo_model_values. Must outlive the run
  bool whole;                // event: one step for all of the model, however loosely its parts hang together
  amo_compile compile;       // event
  amo_engine engine;         // ensembles
} amo_sim_opts;

AMO_API void amo_sim_opts_init(amo_sim_opts *o, size_t size);
static inline amo_sim_opts amo_sim_opts_default(void)
{
  amo_sim_opts o;
  amo_sim_opts_init(&o, sizeof o);
  return o;
}

/// Modes of a contact: sign of the slip velocity (spatial contacts: 1), 0 = stick; of supports also open.
enum { AMO_STICK = 0, AMO_SLIP_FORWARD = 1, AMO_SLIP_BACKWARD = -1, AMO_OPEN = 2 };

typedef enum amo_event_kind {
  AMO_EVENT_MODE,      // contact changed its mode from -> to
  AMO_EVENT_SWITCH,    // a branch of an expression (if, abs, programme) changed; contact = -1
  AMO_EVENT_STOP,      // the motion cannot go on; see amo_sim_message
  AMO_EVENT_REACTION,  // the reaction of a guide changed its sign from -> to
  AMO_EVENT_IMPACT,    // a slip had no continuation and stopped at once; to: what followed
  AMO_EVENT_JAM,       // friction of a guide grew beyond all bounds and stopped the slip; to: what followed
  AMO_EVENT_TOUCH  // a support was struck and is as before: open again at once, or closed on a surface set in motion
} amo_event_kind;

typedef struct amo_event {
  amo_event_kind kind;  // what happened
  double t;             // time
  int contact;          // -1 when it is not about a contact
  int from, to;         // modes before and after; of a reaction its signs
  double impulse;       // normal impulse of the contact at this event; 0 without impact
  bool accumulation;    // bounces of this support end here: it strikes without restitution
  const char *why;      // of a slip that stops at once; NULL of other events
} amo_event;

/// Did the contact of this event change its mode from -> to?
static inline bool amo_event_changes_mode(const amo_event *e)
{
  return e->kind == AMO_EVENT_MODE ||
         ((e->kind == AMO_EVENT_IMPACT || e->kind == AMO_EVENT_JAM) && e->from != e->to);
}

typedef struct amo_audit {
  bool ok;  // everything below is as small as tol promises
  double
      contact_violation;  // worst violation of the friction conditions, relative to the bound or speed scale
  double energy_error;    // worst |T+V - initial - supplied + dissipated|, relative to the largest energy met
  double
      state_error;  // worst |z - initial - integral of its rate| of further states, relative to their sizes
  double constraint_violation;  // worst residual of a constraint or guide, relative to its terms
  double dissipated;            // work lost in the contacts [J]
  double supplied;              // work of loads, dampers, drives and moving surfaces [J]
  double energy;                // T+V now
  double worst_time;            // where contact_violation was met
  long impacts;                 // instants at which velocities jumped, each held against the laws of impact
  double impact_violation;      // worst violation of these, relative to the largest speeds and impulses met
  double impact_gain;           // largest energy that an impact brought (Newton's law allows it), relative
  int held;          // contact first held by kinetic friction where its static friction had let go; -1: none
  double held_time;  // when; NaN: never
} amo_audit;

/// A step that could not be proven.
typedef struct amo_unproven {
  double t, h;    // where the proof stopped, in a step of length h
  char why[112];  // in words
} amo_unproven;

enum { AMO_UNPROVEN_TOLD = 8 };  // no more of them are kept

/// What has been proven of the steps of a run: each by itself, from its computed start. The exact motion in the modes of
/// the step exists, its error stays below the bound, and no condition changes its sign before the event that ends the step.
typedef struct amo_proof {
  long steps, proven;     // of positive length; those whose proof succeeded
  double error;           // largest proven bound of the error of a state in such a step, relative to its size
  double error_absolute;  // the same bound in the unit of that state
  double error_time;      // start of that step
  double event_error;     // largest proven bound of the error of the time at which an event ends its step [s]
  int state;              // that state; -1: no error at all
  size_t told;            // of `unproven`
  amo_unproven unproven[AMO_UNPROVEN_TOLD];  // [told] the first of them
} amo_proof;

/// Where a large model is stepped cluster by cluster (see amo_sim_opts.whole) the counts are those of all clusters together.
typedef struct amo_stats {
  long steps, rejected;            // accepted and rejected steps
  long implicit;                   // steps by radau, of the accepted ones
  long rhs;                        // right-hand sides (Taylor: coefficients of the whole system)
  long jacobians, factorisations;  // of the stiff methods
  long events;                     // of all kinds
  double min_event_gap;            // smallest time between two events; infinity if fewer than two
  bool one_of_many;  // at the start the laws allowed a continuum of motions: this is one of them
} amo_stats;

typedef struct amo_sim amo_sim;  // a motion under way

/// @param opts  NULL for defaults. Rejected (AMO_EINPUT, message in diags) when out of range.
AMO_API amo_status amo_sim_new(const amo_model *m, const amo_sim_opts *opts, amo_diags *diags, amo_sim **out);
AMO_API void amo_sim_free(amo_sim *s);

/// Start again at time t from `state` (NULL: the initial state of opts.values). Contacts whose slip is zero
/// get their mode from the balance of forces of all contacts together.
AMO_API amo_status amo_sim_start(amo_sim *s, double t, const double *state);
/// Change parameter i (amo_model_parameter order) of this simulation only; call amo_sim_start after.
AMO_API amo_status amo_sim_parameter(amo_sim *s, size_t i, double value);

/// One step: ends at a step end chosen for accuracy, at an event, or at t_end, whichever is first.
/// AMO_OK; AMO_ENOANSWER when the motion cannot go on (amo_sim_message says why); AMO_ELIMIT.
AMO_API amo_status amo_sim_step(amo_sim *s, double t_end);
/// Steps to t_end; calls `on_step` (may be NULL) after every step; it returns nonzero to stop (AMO_EINTR).
AMO_API amo_status amo_sim_run(amo_sim *s, double t_end, int (*on_step)(void *ctx, amo_sim *s), void *ctx);

AMO_API double amo_sim_time(const amo_sim *s);               // now
AMO_API double amo_sim_step_start(const amo_sim *s);         // the last step covers [step_start, time]
AMO_API const double *amo_sim_state(const amo_sim *s);       // at time(); model's state order
AMO_API int amo_sim_mode(const amo_sim *s, size_t contact);  // at time(), after events
AMO_API size_t amo_sim_new_events(const amo_sim *s);         // events at the end of the last step
AMO_API const amo_event *amo_sim_new_event(const amo_sim *s,
                                           size_t i);  // number i of them; NULL out of range

/// Everything at a time t within the last step, seen from inside the step (modes before its final events);
/// at_end: after the events of time() instead.
typedef struct amo_sample {
  double t;                   // time
  double *state;              // [states]
  int *mode;                  // [contacts]
  double *slip;               // [contacts] slip velocity
  double *force;              // [contacts] friction force along +slip on the body
  double *bound;              // [contacts] largest force at stick
  double *normal;             // [contacts]
  double *gap;                // [contacts] of guides and supports; 0 for the others
  double *traction;           // [2 per spatial contact] friction forces along its two axes
  double *acceleration;       // [coordinates]
  double *multiplier;         // [constraints]
  double *output;             // [outputs]
  double kinetic, potential;  // energies [J]
} amo_sample;

AMO_API amo_status amo_sample_new(const amo_model *m,
                                  amo_sample **out);  // to be filled; AMO_ERANGE, AMO_ENOMEM
AMO_API void amo_sample_free(amo_sample *p);
AMO_API amo_status amo_sim_sample(amo_sim *s, double t, bool at_end,
                                  amo_sample *p);  // AMO_ERANGE: t outside the last step

AMO_API const amo_audit *amo_sim_audit(const amo_sim *s);  // of all steps until now
AMO_API const amo_stats *amo_sim_stats(const amo_sim *s);  // effort until now
AMO_API const amo_proof *amo_sim_proof(const amo_sim *s);  // NULL without opts.certify
/// Is the present state final? Proved, not guessed, and only for linear mechanisms of supports under loads that are
/// constant or grow linearly: stick for ever (nothing moves and the load rate lies in the cone of friction of every
/// contact), open for ever (the quasi-static gap does not shrink and the energy about it cannot close it).
typedef enum amo_fate_kind { AMO_FATE_UNDECIDED, AMO_FATE_STICK, AMO_FATE_OPEN } amo_fate_kind;
AMO_API amo_fate_kind amo_sim_fate(amo_sim *s);
/// Why the last call did not return AMO_OK; "" if it did.
AMO_API const char *amo_sim_message(const amo_sim *s);

/// Many trajectories of one model, AMO_LANES at a time on this thread. Event method, Taylor stepper.
typedef struct amo_ensemble {
  size_t count;         // trajectories
  const double *state;  // [count][states] initial states; NULL: that of opts.values for all
  const double
      *parameter;       // [count][parameters]; derived ones are computed; NULL: those of opts.values for all
  double t0, t_end;     // from, to
  double *final_state;  // [count][states]; may be NULL
  signed char *final_mode;  // [count][contacts]; may be NULL
  long *events;             // [count]; may be NULL
  amo_status *status;       // [count]; may be NULL
  unsigned char *fate;      // [count] amo_fate_kind; may be NULL. Trajectories end when it is decided
  double *final_time;       // [count]; may be NULL
  /// Called at each mode event; may be NULL.
  void (*on_event)(void *ctx, size_t trajectory, const amo_event *e, const double *state);
  void *ctx;
  volatile int
      *stop;  // may be NULL: set it to nonzero to end; trajectories that are not finished get AMO_EINTR
} amo_ensemble;
AMO_API amo_status amo_ensemble_run(const amo_model *m, const amo_sim_opts *opts, const amo_ensemble *e);
/// Which engine moves an ensemble of this many trajectories: what AMO_ENGINE_AUTO means here. For those who hand over an ensemble in
/// parts, so that its answers do not hang on the size of the parts. May compile.
AMO_API amo_engine amo_ensemble_engine(const amo_model *m, const amo_sim_opts *opts, size_t count);

#ifdef __cplusplus
}
#endif
#endif
