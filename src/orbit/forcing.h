// SPDX-License-Identifier: Apache-2.0
/// After what time do the equations themselves repeat?
#ifndef AMO_ORBIT_FORCING_H
#define AMO_ORBIT_FORCING_H

#include "model/compiled.h"

typedef enum amo_forcing { AMO_AUTONOMOUS, AMO_PERIODIC, AMO_TIME_DEPENDENT } amo_forcing;

/// AMO_PERIODIC with *period when time occurs only as sin and cos of angles that grow steadily, with frequencies in a
/// ratio of small whole numbers; half of that where the equations are the same after half of it. AMO_TIME_DEPENDENT when it
/// occurs otherwise.
amo_status amo_forcing_of(const amo_values *v, amo_forcing *kind, double *period);

/// The same for many values of the parameters: what the equations alone tell is found once. The model must outlive it.
typedef struct amo_forced amo_forced;
amo_status amo_forced_new(const amo_model *m, amo_forced **out);
void amo_forced_free(amo_forced *s);
amo_status amo_forced_at(amo_forced *s, const amo_values *v, amo_forcing *kind, double *period);
/// What the period of the last amo_forced_at changes by where all parameters change by `along` [model np]; 0 where there is none.
double amo_forced_slope(amo_forced *s, const amo_values *v, const double *along, double period);

#endif
