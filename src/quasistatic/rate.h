// SPDX-License-Identifier: Apache-2.0
/// The quasi-static rate problem: ALL ways in which contacts may go on under loads that change at given rates. None,
/// one, several are results.
#ifndef AMO_QUASISTATIC_RATE_H
#define AMO_QUASISTATIC_RATE_H

#include "quasistatic/statics.h"

/// Where the forces of a contact stand.
typedef enum amo_qs_place {
  AMO_QS_APART,   // gap open
  AMO_QS_INSIDE,  // below the bound: sticks
  AMO_QS_EDGE,    // at the bound; d: the direction in which it would slip
  AMO_QS_VERTEX   // touching without force: may do anything
} amo_qs_place;

typedef struct amo_qs_at {
  amo_qs_place place;
  double d[2];
} amo_qs_at;

typedef struct amo_rate_solution {
  amo_qs_mode *mode;  // [nc]
  double *rate;       // [ny]
  double margin;      // least of the conditions, in units of their own size; 0: on the border
} amo_rate_solution;

typedef struct amo_rate_set {
  amo_rate_solution *item;
  size_t count, capacity;
  bool border;  // none holds strictly: those that hold on the border are listed
} amo_rate_set;

/// How a closed contact is taken to hold at first: by stick, or without friction by nothing.
amo_qs_mode amo_qs_holding(const amo_statics *s, uint32_t c);
/// Contacts without friction slip the way that the rates say.
void amo_qs_face(const amo_statics *s, const double *rate, amo_qs_mode *mode);
/// Modes in which to look for equilibrium: open gaps are open, surfaces that move past each other rub, the rest holds.
void amo_qs_resting_modes(const amo_statics *s, const bool *open, amo_qs_mode *mode);
/// A contact whose friction in equilibrium would be beyond its bound (or that would have to pull); -1: none.
long amo_qs_beyond(const amo_statics *s, const double *y, const bool *open, double tol);
/// Places of all contacts at state y; `open`: which gaps are open. tol: relative size of forces that are none.
void amo_qs_places(const amo_statics *s, const double *y, const bool *open, double tol, amo_qs_at *at);
/// All solutions at the state of the last amo_statics_at. Stick before slip before opening.
/// AMO_ELIMIT: too many contacts at once, or two spatial ones without force.
amo_status amo_rates_find(amo_statics *s, const double *y, const amo_qs_at *at, amo_rate_set *out);
void amo_rates_free(amo_rate_set *r);  // of what is in it

/// Zeros of the direction equation of a spatial contact without force, ascending angles [rad]; at most `room`.
size_t amo_vertex_directions(const amo_slip_response *r, double *angle, size_t room);

#endif
