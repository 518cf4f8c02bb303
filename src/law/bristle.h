// SPDX-License-Identifier: Apache-2.0
/// What laws of presliding share. They never stick: before it slides a contact gives way like bristles that bend.
#ifndef AMO_LAW_BRISTLE_H
#define AMO_LAW_BRISTLE_H

#include "law/law.h"

/// |x| of something that passes zero without an event.
amo_node amo_size_of(amo_dag *d, amo_node x);
/// |x|^exponent with the sign of x; exponent NONE: x itself.
amo_node amo_signed_power(amo_dag *d, amo_node x, amo_node exponent);
/// kinetic + (static - kinetic) exp(-(size/speed)^exponent); without `high` (static) or speed that of kinetic alone.
amo_node amo_stribeck_level(amo_dag *d, amo_node high, amo_node kinetic, amo_node size, amo_node speed,
                            amo_node exponent);

#endif
