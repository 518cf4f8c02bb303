// SPDX-License-Identifier: Apache-2.0
/// Small helpers for tests of motion: a model from text, a run with all its events and the states there.
#ifndef SUPPORT_MOTION_H
#define SUPPORT_MOTION_H

#include <stdbool.h>
#include <stddef.h>

#include <amontons/amontons.h>

enum { MOTION_STATES = 16, MOTION_EVENTS = 4096 };

typedef struct motion_event {
  double t;
  int contact, from, to;
  double state[MOTION_STATES];  // just after the event
} motion_event;

typedef struct motion {
  motion_event event[MOTION_EVENTS];
  size_t events;
} motion;

/// Load a model from text; on mistakes prints them and returns NULL.
amo_model *motion_model(const char *text);
/// A simulation at this tolerance, audit on; NULL (with the reason printed) on failure.
amo_sim *motion_sim(const amo_model *m, double tol);
/// Run to t_end from where the simulation stands, collecting mode events with the first `states` states. Prints the reason when not AMO_OK.
amo_status motion_run(amo_sim *s, size_t states, double t_end, motion *out);
/// The same, thrown away.
amo_status motion_advance(amo_sim *s, double t_end);
/// Whether the run passed its audit so far; prints the audit when not.
bool motion_audit(const amo_sim *s);

#endif
