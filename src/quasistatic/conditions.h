// SPDX-License-Identifier: Apache-2.0
/// What a mode promises (contact/conditions.h), as values and rates with their errors: answers of the rate problem, events of a
/// path, jumps and the audit read this.
#ifndef AMO_QUASISTATIC_CONDITIONS_H
#define AMO_QUASISTATIC_CONDITIONS_H

#include "quasistatic/statics.h"

/// A state, its rates, and how far each may be from the truth; [ny] each.
typedef struct amo_qs_known {
  double *y, *error, *rate, *rate_error;
} amo_qs_known;

amo_status amo_qs_known_new(amo_statics *s, amo_qs_known *k);  // lives as long as s

/// A quantity and its rate, each with its error.
typedef struct amo_qs_condition {
  double value, error, slope, slope_error;
} amo_qs_condition;

enum { AMO_QS_CONDITIONS = 2 };  // of a contact, at most

/// Of slip the speed along its direction is the slope: slip itself begins at zero. Their number.
size_t amo_qs_conditions(const amo_statics *s, const amo_qs_known *k, uint32_t c, const amo_qs_mode *mode,
                         amo_qs_condition out[AMO_QS_CONDITIONS]);
/// Sign of the first coefficient that is not zero within its error; 0: none.
int amo_qs_sign(const amo_qs_condition *x);

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

/// Places of contacts that have been in these modes: what is closed is not apart.
void amo_qs_places(const amo_statics *s, const amo_qs_known *k, const amo_qs_mode *mode, amo_qs_at *at);
/// 0 stick, +1/-1 slip (spatial: 1), 2 open.
signed char amo_qs_number(const amo_statics *s, uint32_t c, const amo_qs_mode *mode);
/// How a closed contact is taken to hold at first: by stick, or without friction by nothing.
amo_qs_mode amo_qs_holding(const amo_statics *s, uint32_t c);
/// Equilibrium to begin with, k->y in and out: open gaps are open, the rest holds; what cannot hold on a surface that moves rubs on it.
/// Errors are those of rounding. AMO_ENOANSWER: none.
amo_status amo_qs_begin(amo_statics *s, double t, amo_qs_known *k, amo_qs_mode *mode);
/// A contact that cannot hold what these modes ask of it in equilibrium; -1: none.
long amo_qs_beyond(const amo_statics *s, const amo_qs_known *k, const amo_qs_mode *mode);
/// Rates of the state k->y in these modes, and the errors of both. AMO_ENOANSWER: singular.
amo_status amo_qs_rates(amo_statics *s, amo_qs_known *k, const amo_qs_mode *mode);
/// Contacts without friction slip the way that the rates say.
void amo_qs_face(const amo_statics *s, const amo_qs_known *k, amo_qs_mode *mode);

#endif
