// SPDX-License-Identifier: Apache-2.0
// Fields of limits and map.
#include "base/field_rows.h"
#include "result/fields.h"

// clang-format off
static const amo_field sound[] = {
    FIELD("ok", "boolean", "", "did all pass? Exit status 1 if not"),
    FIELD("failed", "integer", "", "how many failed"),
    {0}};

const amo_field amo_fields_limits[] = {
    FIELD("model", "text", "", "name of the model"),
    FIELD("vary", "text", "", "what is varied"),
    FIELD("range", "list", "of PARAMETER", "[from, to]"),
    FIELD("range[]", "number", "of PARAMETER", "an end"),
    FIELD("of", "text", "", "the verdict or number"),
    FIELD("by_sign", "boolean", "", "the value is a measured number (not a count, sign or mode): its sign counts; with `--level`, that of its distance from the level"),
    WORDS("how", "word", "`exact`: from the linear structure of the contact problem; `bracketed`: samples, watched quantities, bisection", "exact|bracketed"),
    FIELD("first", "text", "", "the verdict at the beginning"),
    FIELD("count", "integer", "", "number of changes"),
    FIELD("values", "list", "", "every change"),
    FIELD("values[].at", "number", "of PARAMETER", "where"),
    FIELD("values[].from", "text", "", "verdict before"),
    FIELD("values[].to", "text", "", "verdict after"),
    WORDS("values[].how", "word", "`open`: interrupted; `unsettled`: verdicts come and go, and no single value is the limit", "exact|bracketed|open|unsettled"),
    FIELD("values[].between", "?list", "of PARAMETER", "of `open` and `unsettled`: the change lies between these two"),
    FIELD("values[].between[]", "number", "of PARAMETER", "an end"),
    FIELD("values[].on", "?text", "", "the verdict at the limit itself where it is neither"),
    FIELD("unsettled", "list", "of PARAMETER", "ranges [low, high] in which verdicts come and go (noise of a search, or changes finer than samples) with one verdict on both sides: no limits are told there"),
    FIELD("unsettled[]", "list", "of PARAMETER", "a range"),
    FIELD("unsettled[][]", "number", "of PARAMETER", "an end"),
    FIELD("explored", "boolean", "", "false: more might happen between samples than was looked at; `--points` helps"),
    FIELD("finished", "boolean", "", "false after an interruption"),
    FIELD("reached", "?number|null", "of PARAMETER", "after an interruption: samples were taken up to this value"),
    FIELD("extrema", "?list", "", "with `--extrema`: where the number is least or largest"),
    FIELD("extrema[].at", "number", "of PARAMETER", "where"),
    FIELD("extrema[].value", "number", "", "the number there"),
    WORDS("extrema[].kind", "word", "what it is", "least|largest"),
    FIELD("extrema[].width", "number|null", "of PARAMETER", "how well the place is known"),
    FIELD("evaluations", "integer", "", "how often the verb was asked"),
    GROUP("audit", "group", "of the motions that the verb followed", sound),
    {0}};

static const amo_field axis[] = {
    FIELD("name", "text", "", "what is varied"),
    FIELD("from", "number", "of PARAMETER", "its beginning"),
    FIELD("to", "number", "of PARAMETER", "its end"),
    FIELD("points", "integer", "", "number of values"),
    {0}};

const amo_field amo_fields_map[] = {
    FIELD("model", "text", "", "name of the model"),
    FIELD("of", "text", "", "the verdict or number"),
    GROUP("x", "group", "axis to the right", axis),
    GROUP("y", "?group", "axis upwards", axis),
    FIELD("cells", "integer", "", "points that are finished, which `counts` are of"),
    FIELD("counts", "group", "", "points by verdict or whole number"),
    FIELD("counts.VALUE", "integer", "", "how many"),
    FIELD("fractions", "group", "", "shares of verdicts"),
    FIELD("fractions.VALUE", "group", "", "of one"),
    FIELD("fractions.VALUE.value", "number", "", "its share"),
    FIELD("fractions.VALUE.low", "number", "", "lower end of Wilson's interval of 95 %"),
    FIELD("fractions.VALUE.high", "number", "", "upper end of it"),
    FIELD("min", "?number|null", "", "least number"),
    FIELD("max", "?number|null", "", "largest number"),
    FIELD("finished", "boolean", "", "false after an interruption, and of one part of a job array"),
    FIELD("rows", "integer", "", "rows of which all points are finished"),
    FIELD("slice", "?text", "", "with `--part`: which part of the map is done"),
    FIELD("part", "?text", "", "of a map that is not finished: the file that keeps what it has"),
    FIELD("file", "text|null", "", "table written by `--csv`"),
    FIELD("h5", "?text", "", "file written by `--h5`"),
    FIELD("plot", "?text", "", "figure written by `--plot`"),
    FIELD("contours", "?list", "", "with `--contours`: traced boundaries"),
    FIELD("contours[].level", "?number", "", "of a number: its level"),
    FIELD("contours[].verdict", "?text", "", "of a verdict: which"),
    FIELD("contours[].closed", "boolean", "", "the line returns to its beginning"),
    FIELD("contours[].count", "integer", "", "number of points"),
    FIELD("contours[].points", "list", "of PARAMETER", "polyline"),
    FIELD("contours[].points[]", "list", "of PARAMETER", "[x, y]"),
    FIELD("contours[].points[][]", "number", "of PARAMETER", "a coordinate"),
    FIELD("contours_file", "?text", "", "where the contours were written"),
    FIELD("svg", "?text", "", "with `--draw`: the map drawn, with its legend"),
    GROUP("audit", "group", "of the cells; one whose motion fails has the value \"audit failed\"", sound),
    {0}};
