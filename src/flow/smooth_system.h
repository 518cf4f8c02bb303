// SPDX-License-Identifier: Apache-2.0
/// The smoothed system: friction -kinetic(|slip|) (2/pi) atan(eps slip), an ordinary (stiff) differential
/// equation, with its exact Jacobian by first-order series.
#ifndef AMO_FLOW_SMOOTH_SYSTEM_H
#define AMO_FLOW_SMOOTH_SYSTEM_H

#include "model/compiled.h"

typedef struct amo_smooth amo_smooth;

amo_status amo_smooth_new(const amo_model *m, amo_smooth **out);
void amo_smooth_free(amo_smooth *s);
void amo_smooth_parameters(amo_smooth *s, const double *param, double eps);
/// Rates of y [states]. AMO_ENOANSWER: singular mass matrix.
amo_status amo_smooth_rates(amo_smooth *s, double t, const double *y, double *dy);
/// Column-major Jacobian d(dy)/dy [states][states].
amo_status amo_smooth_jacobian(amo_smooth *s, double t, const double *y, double *jac);
/// At the state evaluated last.
double amo_smooth_slip(const amo_smooth *s, uint32_t contact);
double amo_smooth_force(const amo_smooth *s, uint32_t contact);
double amo_smooth_slope(const amo_smooth *s, uint32_t contact);  // d force / d slip

#endif
