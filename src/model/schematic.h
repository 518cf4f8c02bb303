// SPDX-License-Identifier: Apache-2.0
/// What a model looks like: its own geometry, kept for drawings, and the shapes of its section `draw`.
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
    AMO_DRAWN_LOAD,
    AMO_DRAWN_MOMENT,
    AMO_DRAWN_GUIDE  // the line or curve of a guide by geometry
  } kind;
  char *name;               // particle, spring, contact ... name
  char *label;              // text to print beside it, e.g. the stiffness or mass expression as written
  amo_node x1, y1, x2, y2;  // position (and second end of a spring, or direction of a load); NONE = unknown
                            // guide: its point; direction of the line, or origin of the curve's axes
                            // moment: where; its value
  amo_node angle;           // of a body; of the axes of a curve
  amo_node curve;           // guide: F(X,Y) of the leaves `place`, `place` + 1; NONE for a line
  char *speed_label;        // contact: the given speed as written ("v"), NULL if none
} amo_drawn;

/// Kinds of shapes, with what their expressions are.
#define AMO_SHAPE_LIST(X)                                                     \
  X(LINE, "line")     /* x, y of every point */                               \
  X(SPRING, "spring") /* the same, two points */                              \
  X(DAMPER, "damper")                                                         \
  X(ARROW, "arrow")                                                           \
  X(CIRCLE, "circle")   /* x, y, radius */                                    \
  X(CURVE, "curve")     /* x, y of the leaf `s`; first and last value of s */ \
  X(BLOCK, "block")     /* x, y, width, height, angle */                      \
  X(POINT, "point")     /* x, y */                                            \
  X(FORCE, "force")     /* x, y, components */                                \
  X(MOMENT, "moment")   /* x, y, value, counter-clockwise */                  \
  X(CONTACT, "contact") /* x, y, direction of positive slip, direction of positive R */

typedef enum amo_shape_kind {
#define AMO_SHAPE_ENUM(id, word) AMO_SHAPE_##id,
  AMO_SHAPE_LIST(AMO_SHAPE_ENUM)
#undef AMO_SHAPE_ENUM
} amo_shape_kind;

typedef enum amo_shape_style {
  AMO_SHAPE_SOLID,
  AMO_SHAPE_THIN,
  AMO_SHAPE_DASHED,
  AMO_SHAPE_GROUND
} amo_shape_style;

typedef struct amo_shape {  // one entry of the section `draw`
  amo_shape_kind kind;
  amo_shape_style style;
  char *name, *label;
  amo_node *node;
  uint32_t nodes;
  uint32_t contact;  // AMO_SHAPE_CONTACT: its number
} amo_shape;

typedef struct amo_schematic {
  amo_drawn *item;
  uint32_t count;
  amo_shape *shape;
  uint32_t shapes;
  uint32_t s, place, leaves;  // leaves that only drawings use
} amo_schematic;

void amo_schematic_free(amo_schematic *s);

#endif
