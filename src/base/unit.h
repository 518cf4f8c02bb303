// SPDX-License-Identifier: Apache-2.0
/// Units as people write them behind the name of a column: kN, mm/s, N*s/m, m/s^2, 1/s, um.
#ifndef AMO_BASE_UNIT_H
#define AMO_BASE_UNIT_H

#include <stdbool.h>
#include <stddef.h>

/// The factor to SI (kN: 1000), and the SI unit as text ("N", "m/s"; `size` characters at most). False: no unit that we know.
bool amo_unit_si(const char *text, size_t length, double *factor, char *si, size_t size);

#endif
