// SPDX-License-Identifier: Apache-2.0
/// Rows and events of a quasi-static path.
#ifndef AMO_QUASISTATIC_RECORD_H
#define AMO_QUASISTATIC_RECORD_H

#include "amontons/quasistatic.h"
#include "quasistatic/conditions.h"

amo_status amo_record_new(const amo_statics *s, amo_quasistatic **out);
/// The state k in these modes as a row. The statics must be at it.
amo_status amo_record_row(amo_quasistatic *p, amo_statics *s, const amo_qs_known *k, const amo_qs_mode *mode);
amo_status amo_record_event(amo_quasistatic *p, const amo_statics *s, const double *y, uint32_t contact,
                            int from, int to, bool jump, size_t answers);

#endif
