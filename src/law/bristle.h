// SPDX-License-Identifier: Apache-2.0
/// What laws of presliding share. They never stick: before it slides a contact gives way like bristles that bend.
#ifndef AMO_LAW_BRISTLE_H
#define AMO_LAW_BRISTLE_H

#include "law/law.h"

/// Fields of bristles with damping that slide along a Stribeck curve, the first of LuGre's and of the elasto-plastic law.
enum {
  AMO_BRISTLE_SIGMA0,
  AMO_BRISTLE_SIGMA1,
  AMO_BRISTLE_SIGMA2,
  AMO_BRISTLE_KINETIC,
  AMO_BRISTLE_STATIC,
  AMO_BRISTLE_SPEED,
  AMO_BRISTLE_EXPONENT,
  AMO_BRISTLES
};
#define AMO_BRISTLE_FIELDS                                                                                \
  [AMO_BRISTLE_SIGMA0] = {"sigma0", true, false, AMO_LAW_POSITIVE,                                        \
                          "stiffness of the bristles [1/m; in: force N/m]"},                              \
  [AMO_BRISTLE_SIGMA1] =                                                                                  \
      {"sigma1", false, true, AMO_LAW_NONNEGATIVE,                                                        \
       "their damping, constant or of the sliding speed s [s/m; in: force N s/m]; none if not given"},    \
  [AMO_BRISTLE_SIGMA2] = {"sigma2", false, true, AMO_LAW_NONNEGATIVE,                                     \
                          "viscous part per sliding speed [s/m; in: force N s/m]; none if not given"},    \
  [AMO_BRISTLE_KINETIC] = {"kinetic", true, true, AMO_LAW_POSITIVE,                                       \
                           "Coulomb level, or any curve of s: steady friction without the viscous part"}, \
  [AMO_BRISTLE_STATIC] = {"static", false, false, AMO_LAW_POSITIVE,                                       \
                          "steady friction at s = 0, above `kinetic` by a Stribeck peak; needs `speed`"}, \
  [AMO_BRISTLE_SPEED] = {"speed", false, false, AMO_LAW_POSITIVE, "Stribeck speed [m/s]"},                \
  [AMO_BRISTLE_EXPONENT] = {"exponent", false, false, AMO_LAW_POSITIVE, "shape of the peak; 2 if not given"}

/// The steady friction of such bristles at the sliding speed |s| = size, the viscous part apart.
amo_node amo_bristle_level(const amo_law_in *in, amo_node size);
/// What such a law gives whose bristles bend at this rate, and whose steady deflection is this.
void amo_bristle_law(const amo_law_in *in, amo_node rate, amo_node steady, amo_law_out *out);

/// |x| of something that passes zero without an event.
amo_node amo_size_of(amo_dag *d, amo_node x);
/// |x|^exponent with the sign of x; exponent NONE: x itself.
amo_node amo_signed_power(amo_dag *d, amo_node x, amo_node exponent);

/// kinetic + (static - kinetic) exp(-(size/speed)^exponent); without `high` (static) or speed that of kinetic alone.
amo_node amo_stribeck_level(amo_dag *d, amo_node high, amo_node kinetic, amo_node size, amo_node speed,
                            amo_node exponent);

#endif
