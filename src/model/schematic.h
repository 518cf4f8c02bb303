// SPDX-License-Identifier: Apache-2.0
/// What a model looks like: its own geometry, kept for drawings.
#ifndef AMO_MODEL_SCHEMATIC_H
#define AMO_MODEL_SCHEMATIC_H

#include "expr/dag.h"

typedef struct amo_drawn {  // one drawn thing
  enum {
    AMO_DRAWN_PARTICLE,
    AMO_DRAWN_BODY,
    AMO_DRAWN_SPRING,
    AMO_DRAWN_DAMPER,
    AMO_DRAWN_CONTACT,
    AMO_DRAWN_LOAD
  } kind;
  char *name;               // particle, spring, contact ... name
  char *label;              // text to print beside it, e.g. the stiffness or mass expression as written
  amo_node x1, y1, x2, y2;  // position (and second end of a spring, or direction of a load); NONE = unknown
  amo_node angle;           // of a body
  char *speed_label;        // contact: the given speed as written ("v"), NULL if none
} amo_drawn;

typedef struct amo_schematic {
  amo_drawn *item;
  uint32_t count;
} amo_schematic;

#endif
