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

#endif
