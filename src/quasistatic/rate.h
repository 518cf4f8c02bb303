// SPDX-License-Identifier: Apache-2.0
/// The quasi-static rate problem: ALL ways in which contacts may go on under loads that change at given rates. None,
/// one, several are results.
#ifndef AMO_QUASISTATIC_RATE_H
#define AMO_QUASISTATIC_RATE_H

#include "quasistatic/conditions.h"

typedef struct amo_rate_solution {
  amo_qs_mode *mode;     // [nc]
  double *rate, *error;  // [ny]
  double margin;         // least of the conditions, in units of their own size; 0: on the border
} amo_rate_solution;

typedef struct amo_rate_set {
  amo_arena memory;  // of the items
  amo_rate_solution *item;
  size_t count, capacity;
  bool border;    // none holds strictly: those that hold on the border are listed
  bool singular;  // modes were left out in which nothing holds what moves
} amo_rate_set;

/// All solutions at the state k of the last amo_statics_at, contacts at these places. Stick before slip before opening; ways
/// that are the same motion with the same forces are one. Contacts that springs do not join are decided by themselves.
/// AMO_ELIMIT: too many contacts at once.
amo_status amo_rates_find(amo_statics *s, const amo_qs_known *k, const amo_qs_at *at, amo_rate_set *out);
void amo_rates_free(amo_rate_set *r);  // of what is in it
/// The one that moves least and is not among those refused (`refused` sets of modes [nc]); -1: none left.
long amo_rates_least(const amo_statics *s, const amo_rate_set *r, const amo_qs_mode *refused, size_t count);

enum { AMO_VERTEX_DIRECTIONS = 13 };
/// Directions in which a spatial contact without force may begin to slip. Their number.
size_t amo_vertex_directions(const amo_slip_response *r, double d[][2]);

#endif
