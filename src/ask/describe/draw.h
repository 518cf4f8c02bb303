// SPDX-License-Identifier: Apache-2.0
/// A schematic of a model at a state. draw_scene.c: numbers of everything drawn, and where it goes on the page;
/// draw_ink.c: symbols; draw_shapes.c: masses, links, surfaces, loads; draw_guides.c: lines and curves of guides;
/// draw_hints.c: the section `draw`; draw_reactions.c: forces of the contacts; draw_json.c: places as numbers.
#ifndef AMO_ASK_DESCRIBE_DRAW_H
#define AMO_ASK_DESCRIBE_DRAW_H

#include <cjson/cJSON.h>

#include "contact/solutions.h"
#include "model/compiled.h"
#include "model/schematic.h"
#include "plot/svg.h"

#define AMO_BLOCK_W 72.0  // px
#define AMO_BLOCK_H 48.0
#define AMO_DOT     9.0  // radius of a mass point
#define AMO_TRACED  8    // coordinates of the largest mechanism whose paths are traced

#define AMO_INK    "#333333"
#define AMO_BLUE   "#0072B2"
#define AMO_ORANGE "#D55E00"
#define AMO_GREEN  "#009E73"
#define AMO_RED    "#B0245A"

typedef struct amo_draw_place {  // of one item, in px, y downwards; NaN where unknown
  double x1, y1, x2, y2;
  bool fixed1, fixed2;  // spring ends that are on the ground
} amo_draw_place;

typedef struct amo_view {  // part of the plane to show, in units of the model
  double x0, x1, y0, y1;
} amo_view;

typedef struct amo_scene {
  const amo_model *m;
  const amo_schematic *s;
  double *leaf;              // [s->leaves] values at the state
  double *item;              // [5*count] x1, y1, x2, y2, angle of the items, in units of the model
  double **shape;            // [shapes][nodes] numbers of the shapes
  amo_draw_place *place;     // [count]
  double x0, y0, scale;      // px = (x - x0)*scale, py = -(y - y0)*scale
  bool spread;               // things lie in a row: positions on the page are not to scale
  double width, height;      // px that the geometry covers
  const amo_view *window;    // NULL: as large as needed
  amo_solutions *solutions;  // of the contact problem; NULL: no reactions
} amo_scene;

/// Everything at (t, state). window may be NULL. AMO_ENOANSWER: nothing has a place. Takes over `solutions` (may be
/// NULL) in any case; forces that depend on them are NaN where there is none.
amo_status amo_scene_new(const amo_values *v, double t, const double *state, const amo_view *window,
                         amo_solutions *solutions, amo_scene **out);
void amo_scene_free(amo_scene *c);
/// Values of expressions at the state of the scene.
amo_status amo_scene_values(const amo_scene *c, const amo_node *node, size_t n, double *out);
double amo_scene_x(const amo_scene *c, double x);
double amo_scene_y(const amo_scene *c, double y);
/// The particle or body an end (x, y) is attached to, or -1.
long amo_draw_owner(const amo_schematic *s, amo_node x, amo_node y);
/// Is this mass drawn as a point? (There are shapes, or it runs on the line or curve of a guide.)
bool amo_draw_as_point(const amo_scene *c, uint32_t item);
/// The whole picture.
void amo_draw_scene(const amo_scene *c, amo_svg *svg);

// ---- symbols (draw_ink.c) ----
extern const amo_pen amo_pen_ink, amo_pen_thin;
void amo_ink_ground(amo_svg *s, double x, double y, double dx, double dy, double half);
/// Hatching along a path, on the right-hand side of its direction (y downwards: below for a path to the right).
void amo_ink_hatch(amo_svg *s, const double *xy, int points);
void amo_ink_spring(amo_svg *s, double x1, double y1, double x2, double y2, double across);
void amo_ink_dashpot(amo_svg *s, double x1, double y1, double x2, double y2, double across);
/// Bent arrow about (x, y); positive is counter-clockwise.
void amo_ink_moment(amo_svg *s, double x, double y, double sign, const char *label);
void amo_ink_force(amo_svg *s, double x, double y, double dx, double dy, double length, const char *colour,
                   const char *label);

// ---- parts of the picture ----
void amo_draw_guides(const amo_scene *c, amo_svg *svg);
void amo_draw_hints_below(const amo_scene *c, amo_svg *svg);
void amo_draw_hints_above(const amo_scene *c, amo_svg *svg);
void amo_draw_reactions(const amo_scene *c, amo_svg *svg);

/// Where contact k acts, and its directions of positive slip and reaction (unit vectors, units of the model);
/// NaN directions where the model does not tell. False: it has no place.
typedef struct amo_contact_place {
  double x, y, tx, ty, nx, ny;
  bool at_foot;  // (x, y) is the middle of a block; the contact is at its lower edge
} amo_contact_place;
bool amo_draw_contact(const amo_scene *c, uint32_t k, amo_contact_place *out);

/// The path of the point (x, y) that guides and constraints allow, up to `reach` both ways in at most `most` points
/// (units of the model); their number, 0 where the mechanism has another number of freedoms than one.
int amo_draw_trace(const amo_scene *c, amo_node x, amo_node y, double reach, int most, double *xy);
/// Item i is a contact on a part along a curve or slope that only tracing finds.
bool amo_draw_is_traced(const amo_scene *c, uint32_t i);

/// A force or moment that depends on the solution of the contact problem.
bool amo_draw_is_result(const amo_scene *c, const amo_shape *s);

/// parts{}, shapes{}, reactions{}
void amo_draw_json(const amo_scene *c, cJSON *result);

#endif
