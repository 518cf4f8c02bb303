// SPDX-License-Identifier: Apache-2.0
/// Inside of a quasi-static path: steps between events (path_step.c), decisions at them (path.c).
#ifndef AMO_QUASISTATIC_PATH_IMPL_H
#define AMO_QUASISTATIC_PATH_IMPL_H

#include "amontons/quasistatic.h"
#include "quasistatic/rate.h"

enum { AMO_PATH_STAGES = 7 };

typedef struct amo_path {
  amo_statics *s;
  amo_quasistatic *out;
  amo_quasistatic_opts o;
  double slack;  // of guards, relative: not zero where the answer holds on the border of its conditions only
  double t, h, *y;
  double *k, *trial, *there;  // [AMO_PATH_STAGES][ny], [ny], [ny]
  amo_qs_mode *mode;
  amo_qs_at *at;
  bool *open;
  double *guard;  // [guards]
  uint32_t switches, guards;
} amo_path;

/// From (t, y) by h into `to`, in the modes at hand; *error relative to the tolerance.
amo_status amo_path_step(amo_path *p, double h, double *to, double *error);
/// Numbers that are positive while the modes last: two a contact, one a switch of an expression, at (t, y).
amo_status amo_path_guards(amo_path *p, double t, const double *y, double *g);
/// Longest part of the step h in which every guard holds; false: all of it.
bool amo_path_first_event(amo_path *p, double h, double *at);

#endif
