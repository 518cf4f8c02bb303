// SPDX-License-Identifier: Apache-2.0
/// Right-hand side of the switch model.
#ifndef AMO_FLOW_SWITCH_RATES_H
#define AMO_FLOW_SWITCH_RATES_H

#include "contact/point.h"

typedef struct amo_switch amo_switch;

amo_status amo_switch_new(const amo_model *m, double eta, amo_switch **out);
void amo_switch_free(amo_switch *s);
void amo_switch_parameters(amo_switch *s, const double *param);
void amo_switch_kappa(amo_switch *s, double kappa);
/// Rates dy [states] (may be NULL) at (t, y); mode [contacts] (may be NULL): 0 in stick, else slip sign
/// (transition counts as slip against the force).
amo_status amo_switch_rates(amo_switch *s, double t, const double *y, double *dy, signed char *mode);
const amo_point *amo_switch_point(const amo_switch *s);  // as evaluated last
double amo_switch_force(const amo_switch *s, uint32_t contact);
signed char *amo_switch_mode(amo_switch *s);  // scratch for callers

#endif
