// SPDX-License-Identifier: Apache-2.0
/// The direction of a spatial slip, xi = gamma/|gamma|, as a series.
#ifndef AMO_CONTACT_SLIP_DIRECTION_H
#define AMO_CONTACT_SLIP_DIRECTION_H

#include "model/compiled.h"

/// Coefficient `order` of the two direction leaves of contact k, from those of its slip: coefficient j of register r is
/// jet[r*reg + j*ord]. speed[j*ord]: those of |gamma|, kept from order to order. still: a direction [2] that they keep; NULL: that of the slip.
void amo_slip_direction(const amo_model *m, const amo_contact *k, double *jet, size_t reg, size_t ord,
                        double *speed, int order, const double *still);

#endif
