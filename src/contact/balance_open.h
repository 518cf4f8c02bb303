// SPDX-License-Identifier: Apache-2.0
/// Forces along slips that depend on other ties (inside of the balance): what each changes.
#ifndef AMO_CONTACT_BALANCE_OPEN_H
#define AMO_CONTACT_BALANCE_OPEN_H

#include "contact/balance_impl.h"
#include "contact/share.h"

/// The dependent slips of a block that move nothing, and what a unit of each changes, orders 0..orders-1, into b->sharing; stressed:
/// so may the shares of reactions that depend on each other, whatever springs would make of them. AMO_ENOMEM where there is no room for them.
amo_status amo_open_find(amo_balance *b, const block *bl, amo_span v, amo_result r, int orders,
                         bool stressed);
/// Do all ties, and the friction that comes with some, stay the same combinations of coordinates?
bool amo_open_is_still(const amo_balance *b, const block *bl);
/// Coefficient j of the friction that a series of reactions R brings; `known`: without that of R_j.
double amo_open_friction(const amo_balance *b, const row *ro, amo_span v, const double *R, int j, bool known);

static inline double amo_open_coefficient(const amo_balance *b, amo_span v, uint32_t reg, int k)
{
  return k > 0 && amo_prog_is_fixed(b->m->step, reg) ? 0.0 : v.base[reg * v.reg + (size_t)k * v.ord];
}

static inline double amo_open_force(const amo_balance *b, const block *bl, amo_result r, long tie, int j)
{
  return amo_balance_force(&b->rowlist[bl->row + (size_t)tie], r)[(size_t)j * r.ord];
}

#endif
