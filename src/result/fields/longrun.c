// SPDX-License-Identifier: Apache-2.0
// Fields of poincare, lyapunov, attractor and sweep.
#include "base/field_rows.h"
#include "result/fields.h"

// clang-format off
const amo_field amo_fields_poincare[] = {
    FIELD("model", "text", "", "name of the model"),
    FIELD("section", "text", "", "where"),
    FIELD("of", "text", "", "what"),
    FIELD("count", "integer", "", "number of passes"),
    FIELD("finished", "boolean", "", "false after an interruption: the passes so far"),
    FIELD("turns", "integer|null", "", "passes per period"),
    FIELD("period", "number|null", "s", "its length"),
    FIELD("min", "number|null", "of NAME", "least value of the quantity at the passes"),
    FIELD("max", "number|null", "of NAME", "largest value"),
    FIELD("points", "list", "", "every pass"),
    FIELD("points[].t", "number", "s", "time"),
    FIELD("points[].value", "number|null", "of NAME", "the quantity"),
    FIELD("points[].state", "group", "of STATE", "states"),
    FIELD("points[].state.STATE", "number", "of STATE", "each of them"),
    FIELD("return_map", "list", "", "every pass but the last"),
    FIELD("return_map[].value", "number|null", "of NAME", "the quantity at the pass"),
    FIELD("return_map[].next", "number|null", "of NAME", "and at the next"),
    FIELD("return_map[].time", "number", "s", "time between them"),
    GROUP("audit", "group", "of the motion", amo_fields_audit),
    {0}};

static const amo_field exponent[] = {
    FIELD("value", "number|null", "1/s", "its value; null where the direction is lost"),
    FIELD("error", "number|null", "1/s", "how well it is known"),
    {0}};

const amo_field amo_fields_lyapunov[] = {
    FIELD("model", "text", "", "name of the model"),
    WORDS("verdict", "word", "in a word", "regular|unbounded|chaos|undecided"),
    GROUP("exponents", "list", "falling", exponent),
    GROUP("largest", "?group", "the largest of them", exponent),
    GROUP("nearest_zero", "?group", "the one nearest to zero", exponent),
    FIELD("finite", "integer", "", "how many are finite"),
    FIELD("lost", "integer", "", "how many directions are lost"),
    FIELD("sum", "number|null", "1/s", "of the finite ones"),
    FIELD("sum_error", "number|null", "1/s", "how well it is known"),
    FIELD("divergence", "number|null", "1/s", "mean divergence plus jumps; null where directions are lost"),
    FIELD("kaplan_yorke", "number|null", "", "dimension"),
    FIELD("time", "number", "s", "of the averages"),
    FIELD("growth", "number", "", "logarithm of what the motion itself has grown by in that time, from its size before"),
    FIELD("blocks", "integer", "", "of the averages"),
    FIELD("events", "integer", "", "met on the way"),
    FIELD("finished", "boolean", "", "false after an interruption: the blocks that were complete"),
    FIELD("autonomous", "boolean", "", "rates do not depend on time"),
    FIELD("grazing", "boolean", "", "an event was only touched"),
    GROUP("audit", "group", "of the motion", amo_fields_audit),
    {0}};

const amo_field amo_fields_attractor[] = {
    FIELD("model", "text", "", "name of the model"),
    WORDS("kind", "word", "what it is", "rest|steady|sliding|cycle|chaos|undecided"),
    FIELD("label", "text", "", "the attractor in words, for maps"),
    FIELD("why", "?text", "", "if undecided"),
    FIELD("period", "number|null", "s", "of a cycle"),
    FIELD("turns", "integer|null", "", "of a cycle: turning points of the first coordinate that moves (0: known by its events; of a forced motion: of the first coordinate)"),
    FIELD("sticks", "integer|null", "", "of a cycle: begun sticks per period"),
    FIELD("events", "integer|null", "", "of a cycle: changes of mode per period"),
    FIELD("drift", "?group", "of STATE", "of a cycle whose first coordinate moves on while everything else comes back: by how much in a period; of steady motion: its speed"),
    FIELD("drift.STATE", "number", "of STATE", "of each"),
    FIELD("settled", "number|null", "s", "when it was reached"),
    FIELD("range", "group", "", "of the first coordinate"),
    FIELD("range.of", "text", "", "its name"),
    FIELD("range.min", "number|null", "of STATE", "least value"),
    FIELD("range.max", "number|null", "of STATE", "largest value"),
    GROUP("exponent", "group", "largest Lyapunov exponent, where it was computed", exponent),
    GROUP("audit", "group", "of the motion", amo_fields_audit),
    {0}};

static const amo_field way[] = {
    FIELD("at", "number", "of PARAMETER", "value of the parameter"),
    WORDS("kind", "word", "what was found", "still|cycle|irregular|no pass"),
    FIELD("turns", "integer|null", "", "passes per period"),
    FIELD("period", "number|null", "s", "its length"),
    FIELD("passes", "integer", "", "passes seen"),
    FIELD("points", "list", "of NAME", "the quantity at the passes; of a cycle, one period"),
    FIELD("points[]", "number|null", "of NAME", "at a pass"),
    FIELD("min", "number|null", "of NAME", "least value of the quantity in all the time"),
    FIELD("max", "number|null", "of NAME", "largest value"),
    FIELD("audit_ok", "boolean", "", "did the motion at this value pass its audit?"),
    {0}};

static const amo_field line[] = {
    FIELD("x", "list", "of PARAMETER", "values of the parameter"),
    FIELD("x[]", "number", "of PARAMETER", "one of them"),
    FIELD("y", "list", "of NAME", "the quantity"),
    FIELD("y[]", "number|null", "of NAME", "one value"),
    {0}};

const amo_field amo_fields_sweep[] = {
    FIELD("model", "text", "", "name of the model"),
    FIELD("vary", "text", "", "name of the parameter"),
    FIELD("section", "text", "", "where"),
    FIELD("of", "text", "", "what"),
    FIELD("finished", "boolean", "", "false after an interruption: the values so far"),
    GROUP("up", "?list", "upwards: one entry for each value, in order of the parameter", way),
    GROUP("down", "?list", "downwards: one entry for each value, in order of the parameter", way),
    FIELD("hysteresis", "?group", "", "do the ways differ?"),
    FIELD("hysteresis.found", "boolean", "", "they do"),
    FIELD("hysteresis.from", "number|null", "of PARAMETER", "least value where they do"),
    FIELD("hysteresis.to", "number|null", "of PARAMETER", "largest value where they do"),
    FIELD("hysteresis.width", "number|null", "of PARAMETER", "sum of the ranges"),
    FIELD("hysteresis.resolution", "number|null", "of PARAMETER", "distance of the values"),
    FIELD("hysteresis.ranges", "list", "of PARAMETER", "stretches"),
    FIELD("hysteresis.ranges[].from", "number", "of PARAMETER", "beginning"),
    FIELD("hysteresis.ranges[].to", "number", "of PARAMETER", "end"),
    FIELD("diagram", "group", "", "all points as lists, for figures"),
    GROUP("diagram.up", "?group", "upwards", line),
    GROUP("diagram.down", "?group", "downwards", line),
    GROUP("audit", "group", "of all values, the worst of each number; exit status 1 if one fails", amo_fields_audit),
    {0}};
