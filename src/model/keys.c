// SPDX-License-Identifier: Apache-2.0
#include "model/keys.h"

#include "base/field_rows.h"

// clang-format off

/// A point: the name of a part, [x, y], or a place in the axes of a body.
#define POINT(path, type, doc)                                                                             \
  FIELD(path, type "text|vector|group", "m", doc ": a part, `[x, y]`, or `{on: body, at: [a, b]}`"),         \
  FIELD(path "[]", "expression", "m", "a coordinate"),                                                     \
  FIELD(path ".on", "?text|vector", "", "the part"),                                                       \
  FIELD(path ".on[]", "expression", "m", "a coordinate"),                                                  \
  FIELD(path ".at", "?vector", "m", "place in the axes of the body"),                                        \
  FIELD(path ".at[]", "expression", "m", "a coordinate")

#define POINTS(path, type, doc)                                                                            \
  FIELD(path, type "list", "", doc),                                                                       \
  POINT(path "[]", "", "a point")

#define VECTOR(path, type, unit, doc)                                                                      \
  FIELD(path, type "vector", unit, doc),                                                                   \
  FIELD(path "[]", "expression", unit, "a component")

#define DOC FIELD("doc", "?text", "", "what it is")

static const amo_field spring[] = {
    POINTS("between", "?", "its two ends"),
    FIELD("along", "?expression", "m", "instead of `between`: the elongation itself"),
    FIELD("stiffness", "expression", "N/m", "coefficient, >= 0"),
    FIELD("rest", "?expression", "m", "length without force, 0 if not given"),
    POINTS("drawn", "?", "where to draw a spring given by `along`"),
    DOC, {0}};

static const amo_field damper[] = {
    POINTS("between", "?", "its two ends"),
    FIELD("along", "?expression", "m", "instead of `between`: the elongation itself"),
    FIELD("damping", "expression", "N s/m", "coefficient, >= 0"),
    POINTS("drawn", "?", "where to draw a damper given by `along`"),
    DOC, {0}};

static const amo_field load[] = {
    FIELD("on", "text|vector", "", "the part, or a point `[x, y]` that needs no mass"),
    FIELD("on[]", "expression", "m", "a coordinate"),
    VECTOR("at", "?", "m", "a point in the axes of the body"),
    VECTOR("force", "?", "N", "the force"),
    FIELD("moment", "?expression", "N m", "moment on a body"),
    FIELD("follower", "?boolean", "", "the force is given in the axes of the body"),
    DOC, {0}};

/// Geometry of a guide or support.
#define GEOMETRY(path)                                                                                     \
  POINT(path ".point", "?", "the point that is held"),                                                     \
  FIELD(path ".line", "?group", "", "the line it is held on"),                                             \
  POINT(path ".line.through", "", "a point of it"),                                                        \
  FIELD(path ".line.along", "expression|list", "", "its angle from +x [rad], or a vector along it"),       \
  FIELD(path ".line.along[]", "expression", "", "a component"),                                            \
  FIELD(path ".curve", "?expression|list", "", "a curve of X and Y (`Y = a*X^2`), or two surfaces of X, Y, Z"), \
  FIELD(path ".curve[]", "expression", "", "a surface"),                                                   \
  FIELD(path ".of", "?text", "", "the part that carries the curve"),                                       \
  POINTS(path ".segment", "?", "from point to point, the free side to the left")

static const amo_field contact[] = {
    FIELD("pressed", "?expression", "N", "a given normal force; where it is negative the surfaces part"),
    FIELD("guide", "?expression|list|group", "m", "a two-sided constraint `g = 0` whose reaction presses, two for a curve in space, or geometry"),
    FIELD("guide[]", "expression", "m", "a distance"),
    GEOMETRY("guide"),
    FIELD("support", "?expression|group", "m", "a gap `g >= 0` whose reaction presses, or geometry"),
    GEOMETRY("support"),
    FIELD("joint", "?text|list", "", "constraints (one to three), or a guide or support, whose forces press"),
    FIELD("joint[]", "text", "", "one of them"),
    FIELD("slip", "?expression|list", "m/s", "slip velocity, linear in velocities; two for a spatial contact"),
    FIELD("slip[]", "expression", "m/s", "a component"),
    FIELD("law", "?group", "", "friction law"),
    POINT("on", "?", "where to draw it"),
    FIELD("restitution", "?expression", "", "of supports: Newton's coefficient, 0 to 1"),
    FIELD("stiffness", "?expression|group", "N/m", "makes a guide or support compliant"),
    FIELD("stiffness.k", "expression", "", "R = k (-g)^exponent"),
    FIELD("stiffness.exponent", "?expression", "", ">= 1; 1.5 for spheres (Hertz)"),
    FIELD("stiffness.loss", "?expression", "s/m", "damping of Hunt and Crossley, >= 0"),
    FIELD("damping", "?expression", "N s/m", "beside `stiffness`"),
    FIELD("while", "?expression|list", "", "of supports: conditions for the surfaces to meet"),
    FIELD("while[]", "expression", "", "a condition"),
    FIELD("stick", "?group", "", "a stick that gives: a spring, or elements in parallel, before it slips"),
    FIELD("stick.stiffness", "?expression", "N/m", "of the spring"),
    FIELD("stick.damping", "?expression", "N s/m", "beside it, >= 0"),
    FIELD("stick.attraction", "?expression", "1/s", "how fast the friction of slip follows its law"),
    FIELD("stick.elements", "?group", "", "several in parallel"),
    FIELD("stick.elements.NAME", "group", "", "one of them"),
    FIELD("stick.elements.NAME.stiffness", "expression", "N/m", "of its spring"),
    FIELD("stick.elements.NAME.damping", "?expression", "N s/m", "beside it, >= 0"),
    FIELD("stick.elements.NAME.share", "expression", "", "what it takes of the friction of the law"),
    FIELD("stick.elements.NAME.doc", "?text", "", "what it is"),
    FIELD("preliminary", "?group", "", "how it gives way before it breaks away; F is the size of the friction"),
    FIELD("preliminary.reversible", "?expression", "m/N", "compliance"),
    FIELD("preliminary.irreversible", "?expression", "m/N", "compliance while F grows above `above`"),
    FIELD("preliminary.above", "?expression", "N", "force, 0 if not given"),
    FIELD("preliminary.creep", "?expression", "m/s", "speed above `above`"),
    DOC, {0}};

static const amo_field shape[] = {
    POINTS("line", "?", "a rod, or any polygon"),
    POINTS("spring", "?", "between two points"),
    POINTS("damper", "?", "between two points"),
    POINTS("arrow", "?", "between two points"),
    POINT("circle", "?", "centre of a wheel, a pitch circle"),
    VECTOR("curve", "?", "m", "expressions of `s`, which runs from `from` to `to`"),
    POINT("block", "?", "a box about this point"),
    POINT("point", "?", "a joint, with its name"),
    VECTOR("force", "?", "N", "an arrow at `at`"),
    FIELD("moment", "?expression", "N m", "an arrow at `at`"),
    FIELD("contact", "?text", "", "the contact that acts at `at`"),
    FIELD("radius", "?expression", "m", "of a circle"),
    VECTOR("size", "?", "m", "of a block: width and height"),
    FIELD("angle", "?expression", "rad", "of a block"),
    FIELD("from", "?expression", "", "of a curve: first s, 0 if not given"),
    FIELD("to", "?expression", "", "of a curve: last s, 1 if not given"),
    POINT("at", "?", "where a force, moment or contact acts"),
    VECTOR("along", "?", "", "of a contact: direction of positive friction"),
    VECTOR("normal", "?", "", "of a contact: direction of positive reaction"),
    WORDS("style", "?word", "how it is drawn", "solid|thin|dashed|ground"),
    FIELD("label", "?text", "", "a text beside it"),
    DOC, {0}};

static const amo_field value[] = {
    FIELD("value", "?expression|list", "", "the value, or those of a family"),
    FIELD("value[]", "expression", "", "of an element"),
    FIELD("unit", "?text", "", "its unit"),
    DOC, {0}};

const amo_field amo_model_keys[] = {
    FIELD("amontons", "integer", "", "version of this language: 1"),
    FIELD("name", "?text", "", "name of the model"),
    FIELD("title", "?text", "", "title of the model"),
    FIELD("doc", "?text", "", "text about the model"),
    FIELD("units", "?any", "", "free notes about units; not read"),
    FIELD("sizes", "?group|null", "", "whole numbers fixed at load, for families"),
    FIELD("sizes.NAME", "expression", "", "one of them"),
    FIELD("parameters", "?group|null", "", "numbers, and expressions of other parameters; `m[i=1..N]` is a family"),
    FIELD("parameters.NAME", "expression|list|group", "", "value, or values of a family"),
    FIELD("parameters.NAME[]", "expression", "", "of an element"),
    GROUP("parameters.NAME", "group", "with unit, text and bounds", value),
    FIELD("parameters.NAME.min", "?expression", "", "least value allowed"),
    FIELD("parameters.NAME.max", "?expression", "", "largest value allowed"),
    FIELD("parameters.NAME.positive", "?boolean", "", "it must be positive"),
    FIELD("definitions", "?group|null", "", "names for expressions of the state"),
    FIELD("definitions.NAME", "expression|list|group", "", "the expression, or those of a family"),
    FIELD("definitions.NAME[]", "expression", "", "of an element"),
    GROUP("definitions.NAME", "group", "with unit and text", value),
    FIELD("definitions.NAME.table", "?group", "", "values measured, from a file"),
    FIELD("definitions.NAME.table.file", "text", "", "file beside the model"),
    FIELD("definitions.NAME.table.columns", "list", "", "where, then what: names in the first line, or numbers from 1"),
    FIELD("definitions.NAME.table.columns[]", "expression", "", "a column"),
    FIELD("definitions.NAME.table.of", "expression", "", "what is looked up: `t`, `x`"),
    WORDS("definitions.NAME.table.interpolation", "word", "between the rows", "linear|cubic|hold"),
    FIELD("coordinates", "?text|list|group|null", "", "the generalised coordinates; velocities are `x'`, accelerations `x''`"),
    FIELD("coordinates[]", "text", "", "a coordinate"),
    FIELD("coordinates.NAME", "group|null", "", "with unit and text"),
    FIELD("coordinates.NAME.unit", "?text", "", "its unit"),
    FIELD("coordinates.NAME.doc", "?text", "", "what it is"),
    FIELD("particles", "?group|null", "", "points with mass"),
    FIELD("particles.NAME", "group", "", "one of them"),
    FIELD("particles.NAME.mass", "expression", "kg", "its mass, > 0"),
    VECTOR("particles.NAME.at", "", "m", "where it is: `[x, y]` or `[x, y, z]`"),
    FIELD("particles.NAME.doc", "?text", "", "what it is"),
    FIELD("bodies", "?group|null", "", "planar bodies"),
    FIELD("bodies.NAME", "group", "", "one of them"),
    FIELD("bodies.NAME.mass", "expression", "kg", "its mass, > 0"),
    FIELD("bodies.NAME.inertia", "expression", "kg m^2", "about the centre of mass"),
    VECTOR("bodies.NAME.at", "", "m", "centre of mass"),
    FIELD("bodies.NAME.angle", "expression", "rad", "how it is turned"),
    FIELD("bodies.NAME.doc", "?text", "", "what it is"),
    FIELD("points", "?group|null", "", "places without mass"),
    FIELD("points.NAME", "vector|group", "m", "`[x, y]`, or with axes: a plate or link"),
    FIELD("points.NAME[]", "expression", "m", "a coordinate"),
    VECTOR("points.NAME.at", "", "m", "where it is"),
    FIELD("points.NAME.angle", "?expression", "rad", "how its axes are turned"),
    FIELD("points.NAME.doc", "?text", "", "what it is"),
    FIELD("gravity", "?expression|list|null", "m/s^2", "a number (acts along -y), or a vector"),
    FIELD("gravity[]", "expression", "m/s^2", "a component"),
    FIELD("springs", "?group|list|null", "", "springs, between points or along expressions"),
    GROUP("springs.NAME", "group", "one of them", spring),
    GROUP("springs[]", "group", "without a name", spring),
    FIELD("dampers", "?group|list|null", "", "dampers, between points or along expressions"),
    GROUP("dampers.NAME", "group", "one of them", damper),
    GROUP("dampers[]", "group", "without a name", damper),
    FIELD("energy", "?group|null", "", "energies written out"),
    FIELD("energy.kinetic", "?expression", "J", "T(q,q',t), added to that of the parts"),
    FIELD("energy.potential", "?expression", "J", "V(q,t)"),
    FIELD("energy.dissipation", "?expression", "W", "Rayleigh's function R; its force is -dR/dq'"),
    FIELD("forces", "?group|null", "", "generalised forces on coordinates"),
    FIELD("forces.NAME", "expression|list", "", "on one of them"),
    FIELD("forces.NAME[]", "expression", "", "of an element"),
    FIELD("loads", "?group|list|null", "", "forces and moments on parts"),
    GROUP("loads.NAME", "group", "one of them", load),
    GROUP("loads[]", "group", "without a name", load),
    FIELD("constraints", "?group|list|null", "", "ideal constraints: `x^2 + y^2 = l^2`, or linear in velocities"),
    FIELD("constraints.NAME", "expression", "", "one of them"),
    FIELD("constraints[]", "expression", "", "without a name"),
    FIELD("prescribed", "?group|null", "", "coordinates whose motion is given"),
    FIELD("prescribed.NAME", "expression", "", "the motion, a function of t"),
    FIELD("states", "?group|null", "", "first-order states (controllers)"),
    FIELD("states.NAME", "expression|group", "", "one of them, or its rate alone"),
    FIELD("states.NAME.rate", "expression", "", "its rate"),
    FIELD("states.NAME.initial", "?expression", "", "its initial value"),
    FIELD("states.NAME.unit", "?text", "", "its unit"),
    FIELD("states.NAME.doc", "?text", "", "what it is"),
    FIELD("contacts", "?group|null", "", "contacts with dry friction"),
    GROUP("contacts.NAME", "group", "one of them", contact),
    FIELD("initial", "?group|null", "", "the initial state; what is not named is 0 or follows from guides and constraints"),
    FIELD("initial.NAME", "expression|list|group", "", "initial value of a state, or `time`"),
    FIELD("initial.NAME[]", "expression", "", "of an element"),
    FIELD("initial.NAME.guess", "expression", "", "where to begin looking"),
    FIELD("outputs", "?group|null", "", "named quantities to record"),
    FIELD("outputs.NAME", "expression|group", "", "the expression"),
    FIELD("outputs.NAME.value", "expression", "", "the expression"),
    FIELD("outputs.NAME.unit", "?text", "", "its unit"),
    FIELD("outputs.NAME.doc", "?text", "", "what it is"),
    FIELD("require", "?list|expression|group|null", "", "conditions without which the model makes no sense"),
    FIELD("require[]", "expression|group", "", "a condition"),
    FIELD("require[].condition", "expression", "", "a condition"),
    FIELD("require[].message", "?text", "", "what is told where it does not hold"),
    FIELD("require[].doc", "?text", "", "the same"),
    FIELD("plot", "?group|null", "", "axes to plot by default"),
    FIELD("plot.x", "?text", "", "a column"),
    FIELD("plot.y", "?text", "", "a column"),
    FIELD("draw", "?group|null", "", "shapes that `amontons draw` shows besides"),
    GROUP("draw.NAME", "group", "one of them", shape),
    {0}};

const amo_field amo_law_state_keys[] = {
    FIELD("NAME", "group", "", "a state of the law"),
    FIELD("NAME.stick", "expression", "", "its rate in stick"),
    FIELD("NAME.slip", "expression", "", "its rate in slip"),
    FIELD("NAME.initial", "?expression", "", "its initial value"),
    FIELD("NAME.reset", "?expression", "", "value taken when stick begins"),
    FIELD("NAME.doc", "?text", "", "what it is"),
    {0}};

const amo_field amo_law_element_keys[] = {
    FIELD("NAME", "group", "", "an element of the law"),
    FIELD("NAME.stiffness", "expression", "1/m", "of its spring"),
    FIELD("NAME.limit", "expression", "", "its friction where it slips"),
    FIELD("NAME.damping", "?expression", "s/m", "beside the spring, >= 0"),
    FIELD("NAME.doc", "?text", "", "what it is"),
    {0}};
