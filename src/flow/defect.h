// SPDX-License-Identifier: Apache-2.0
/// Does a step do what its equations say? The length of a step is judged by the last coefficients of its series. They may be zero by
/// chance while what follows is not: t^30, sin(t^12) or x^31 near zero show nothing in 22 orders. At the end of the step the
/// derivative of the series must be the rate there, which is evaluated once.
#ifndef AMO_FLOW_DEFECT_H
#define AMO_FLOW_DEFECT_H

#include "flow/flow.h"

/// Can coefficients be missing in the series of this model? Not in those of linear ones, nor of sines of time. Directions of spatial slip are
/// not looked at: at the end of a slip they have no rate.
bool amo_defect_matters(const amo_flow *f);
/// Plain models: parameters, modes and branches of all lanes have been set in the jets.
void amo_defect_prepare(amo_flow *f);
/// Plain models: at the end of the step of each lane, whose length h and its powers are in place, do the rates agree? A lane of which this is
/// not sure is looked at by itself.
void amo_defect_agrees(amo_flow *f, const double *h, bool *agrees);
/// The longest of h, h/2, h/4, ... at whose end the rates agree; each refusal counts as a rejected step.
double amo_defect_length(amo_flow *f, int lane, double h);

#endif
