// SPDX-License-Identifier: Apache-2.0
/// What a mode promises, written once: the quantities of a contact that must not be negative as long as it stays in a mode.
/// Who decides modes, looks for events, proves or differentiates them reads this list, each in its own arithmetic.
#ifndef AMO_CONTACT_CONDITIONS_H
#define AMO_CONTACT_CONDITIONS_H

#include "contact/point.h"

typedef enum amo_quantity {
  AMO_IS_SLIP,      // side * slip velocity
  AMO_IS_MARGIN,    // bound - side * friction, of a contact that sticks
  AMO_IS_CONE,      // bound^2 - |friction|^2, of a spatial one
  AMO_IS_REACTION,  // side * reaction
  AMO_IS_GAP,       // of an open support
  AMO_IS_PRESSING,  // size of the reactions that press a joint: it turns about where it passes zero
  AMO_IS_SWITCH     // side * argument of a branch in the expressions
} amo_quantity;

typedef struct amo_condition {
  amo_quantity what;
  uint32_t index;    // contact, or switch
  signed char side;  // see above
  signed char to;    // mode that the contact tends to where the condition ends; of a margin 0: either way
} amo_condition;

/// What is left to the bound of a contact that sticks?
static inline bool amo_is_room(const amo_condition *x)
{
  return x->what == AMO_IS_MARGIN || x->what == AMO_IS_CONE;
}

/// Does it speak of the friction of its contact?
static inline bool amo_is_friction(const amo_condition *x)
{
  return x->what == AMO_IS_SLIP || amo_is_room(x);
}

enum { AMO_MOST_CONDITIONS = 5 };

/// Who holds a contact that sticks.
typedef enum amo_hold {
  AMO_HELD_BY_FRICTION,
  AMO_HELD_TOGETHER,  // by its friction and others: it may move as they do
  AMO_HELD_BY_OTHERS  // whatever its friction, which is not determined
} amo_hold;

/// The conditions of contact c in a mode; returns how many. reaction_sign: of the reaction for which its friction is written.
int amo_conditions(const amo_contact *k, uint32_t c, signed char mode, signed char reaction_sign,
                   amo_hold hold, amo_condition *out);

/// Its value at an evaluated point; not for switches.
double amo_condition_value(const amo_point *p, const amo_condition *x);

#endif
