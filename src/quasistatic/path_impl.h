// SPDX-License-Identifier: Apache-2.0
/// Inside of a quasi-static path: steps between events (path_step.c), decisions at them (path.c).
#ifndef AMO_QUASISTATIC_PATH_IMPL_H
#define AMO_QUASISTATIC_PATH_IMPL_H

#include "amontons/quasistatic.h"
#include "quasistatic/rate.h"

enum { AMO_PATH_STAGES = 3, AMO_PATH_REFUSED = 16 };

typedef struct amo_path {
  amo_statics *s;
  amo_quasistatic *out;
  amo_quasistatic_opts o;
  double t, h;
  amo_qs_known here, there;   // at t; at a trial
  int lead;                   // order of the rates here: see amo_statics
  double *stage, *velocity;   // [AMO_PATH_STAGES][ny], [AMO_PATH_STAGES][nq]
  double *matrix, *step;      // [AMO_PATH_STAGES ny]^2, [AMO_PATH_STAGES ny]
  amo_qs_mode *mode, *trial;  // [nc]
  amo_qs_mode *refused;       // [AMO_PATH_REFUSED][nc] that ended as soon as they began
  size_t refusals;
  bool turned;    // an expression has come to its switching point at a trial
  amo_qs_at *at;  // [nc]
} amo_path;

/// The length of time that cannot be told from none here.
double amo_path_instant(const amo_path *p, double h);
/// From here by h into there.y, in the modes at hand; *error relative to the tolerance. AMO_ENOANSWER: none is found.
amo_status amo_path_step(amo_path *p, double h, double *error);
/// Rates and errors at time t and state k->y, contacts slip against their friction there (`mode`).
amo_status amo_path_rates(amo_path *p, double t, amo_qs_known *k, amo_qs_mode *mode);
/// After a step by h: the longest part of it in which every condition of the modes holds, where *at is the first instant
/// after it; false: all of it. there is left at that instant.
bool amo_path_first_event(amo_path *p, double h, double *at);

#endif
