// SPDX-License-Identifier: Apache-2.0
/// Options of every verb that moves a model in time or looks at one state of it.
#ifndef AMO_ASK_SIM_OPTIONS_H
#define AMO_ASK_SIM_OPTIONS_H

#include <math.h>

#include "ask/verb.h"

// clang-format off
/// Rows of a verb's table: what the right-hand side is.
/// Defaults as in amo_sim_opts_default (a test compares).
#define AMO_METHOD_OPTS                                                                                     \
  {"method", AMO_OPT_CHOICE, "METHOD", "event", "event|switch|smooth|euler",                                \
   "event: exact modes, events located; switch: stick band (Leine 1998); smooth: arctan friction; "          \
   "euler: explicit, step --max-step, nothing located (Cho and Barber 1998)", 0, 0},                          \
  {"eta", AMO_OPT_NUMBER, "ETA", "1e-6", NULL, "switch: half width of the stick band, a slip velocity",     \
   1e-14, INFINITY},                                                                                        \
  {"kappa", AMO_OPT_NUMBER, "KAPPA", "0", NULL,                                                             \
   "switch: centring rate in stick [1/s]; 0: the lowest natural frequency", 0, 1e300},                      \
  {"eps", AMO_OPT_NUMBER, "EPS", "1e6", NULL, "smooth: steepness of the arctan", 1e-300, INFINITY}

/// Rows of a verb's table: how it is integrated.
#define AMO_STEPPING_OPTS                                                                                   \
  {"tol", AMO_OPT_NUMBER, "TOL", "1e-12", NULL, "relative accuracy per step", 1e-15, 0.1},                  \
  {"stepper", AMO_OPT_CHOICE, "STEPPER", NULL, "auto|taylor|radau|rk8|rkf45|bdf",                                     \
   "integrator for event: auto (taylor, and radau where that crawls), taylor, radau (implicit), rk8; for switch rkf45, for smooth bdf", 0, 0},                      \
  {"order", AMO_OPT_INTEGER, "P", "0", NULL, "order of the Taylor series; 0 chooses it from tol", 0, 40},   \
  {"compile", AMO_OPT_CHOICE, "WHEN", "auto", "auto|never|wait",                                            \
   "let the C compiler (CC, or cc) make the steps faster, with the same answers: auto in the background, once it is worth its while; " \
   "wait before the first step", 0, 0},                                                                      \
  {"max-step", AMO_OPT_NUMBER, "H", NULL, NULL, "longest step", 1e-300, INFINITY},                          \
  {"max-steps", AMO_OPT_INTEGER, "N", NULL, NULL, "give up after this many steps", 1, 9e15},                \
  {"max-events", AMO_OPT_INTEGER, "N", NULL, NULL, "give up after this many events", 1, 9e15}

#define AMO_STATE_OPT                                                                                       \
  {"at", AMO_OPT_SETTINGS, "\"x=1, x'=0\"", NULL, NULL, "state, instead of the model's initial one", 0, 0}
// clang-format on

/// Settings of a simulation. `stepping`: the verb's table has AMO_STEPPING_OPTS too.
amo_status amo_sim_opts_read(const amo_values *v, const amo_options *o, bool stepping, amo_diags *diags,
                             amo_sim_opts *out);
/// Can a run from `from` to `until` be made? Times must have digits left, and `max-step` steps must end.
amo_status amo_span_check(const amo_options *o, double from, double until, amo_diags *diags);
/// The initial state with the entries of `at` changed; state: [amo_model_states].
amo_status amo_state_read(const amo_values *v, const amo_options *o, amo_diags *diags, double *state);
/// The same without that: only what `at` says. given [states]: which values it names.
amo_status amo_state_values(const amo_values *v, const amo_options *o, amo_diags *diags, double *state,
                            bool *given);

const char *amo_method_name(amo_method method);

#endif
