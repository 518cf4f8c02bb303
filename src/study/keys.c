// SPDX-License-Identifier: Apache-2.0
#include "study/keys.h"

#include <string.h>

#include "base/field_rows.h"

// clang-format off

/// What a run may say beside its question, in a study or under `runs`.
#define RUN_KEYS                                                                                           \
  FIELD("verb", "?text|group|list", "", "the question: `simulate`, with its options beside it; instead of `simulate: {...}`"), \
  FIELD("analysis", "?text|group|list", "", "the same as `verb`"),                                         \
  FIELD("run", "?text|group|list", "", "the same as `verb`"),                                              \
  FIELD("options", "?group|null", "", "options of the question"),                                          \
  FIELD("settings", "?group|null", "", "options and settings"),                                            \
  FIELD("set", "?group|null", "", "values of parameters, sizes and initial states"),                       \
  FIELD("set.NAME", "any", "", "a value, `{value:, unit:}`, or a group of settings"),                      \
  FIELD("parameters", "?group|null", "", "the same as `set`"),                                             \
  FIELD("params", "?group|null", "", "the same as `set`"),                                                 \
  FIELD("initial", "?group|null", "", "the same as `set`, for initial states"),                            \
  FIELD("initial_state", "?group|null", "", "the same as `initial`"),                                      \
  FIELD("initial_conditions", "?group|null", "", "the same as `initial`"),                                 \
  FIELD("sizes", "?group|null", "", "the same as `set`, for sizes of families"),                           \
  FIELD("over", "?group|list", "", "a sweep: values, or a range, for each name; or a list of settings"),   \
  FIELD("over.NAME", "expression|list|group", "", "values of one name"),                                   \
  FIELD("over.NAME[]", "any", "", "a value"),                                                              \
  FIELD("over.NAME.from", "?expression", "", "first value"),                                               \
  FIELD("over.NAME.to", "?expression", "", "last value"),                                                  \
  FIELD("over.NAME.count", "?integer", "", "how many"),                                                    \
  FIELD("over.NAME.log", "?boolean", "", "equal quotients instead of differences"),                        \
  FIELD("sweep", "?group|list|text|null", "", "the same as `over`; with a key `vary` the question"),       \
  FIELD("model", "?text|group", "", "model file, beside the study; or the model itself"),                  \
  FIELD("fails", "?any", "", "`true`: it must fail; `allowed`: it may"),                                   \
  FIELD("error", "?text", "", "it must fail with this in its message"),                                    \
  FIELD("expect_error", "?any", "", "the same as `error` or `fails`"),                                     \
  FIELD("exit", "?integer", "", "it must end with this exit status: 1 or 2"),                              \
  FIELD("title", "?text", "", "title"),                                                                    \
  FIELD("source", "?text", "", "where the result comes from"),                                             \
  FIELD("note", "?text", "", "remark"),                                                                    \
  FIELD("doc", "?text", "", "remark"),                                                                     \
  FIELD("name", "?text", "", "name"),                                                                      \
  FIELD("id", "?text|list", "", "name")

static const amo_field run[] = {
    RUN_KEYS,
    FIELD("type", "?text", "", "the same as `verb`"),
    FIELD("label", "?text", "", "name"),
    FIELD("case", "?text", "", "name"),
    {0}};

static const amo_field axis[] = {
    FIELD("label", "?text", "", "label"),
    FIELD("min", "?expression", "", "where it begins"),
    FIELD("max", "?expression", "", "where it ends"),
    FIELD("log", "?boolean", "", "logarithmic"),
    {0}};

static const amo_field panel[] = {
    FIELD("x", "?expression|group", "", "label of the axis"),
    FIELD("y", "?expression|group", "", "label of the axis"),
    FIELD("curves", "?list", "", "what is drawn"),
    FIELD("curves[].run", "?text", "", "run that `x` and `y` are columns or lists of"),
    FIELD("curves[].item", "?integer", "", "which one of a sweep"),
    FIELD("curves[].each", "?text", "", "a sweep or a list of a result: one point for each item"),
    FIELD("curves[].contours", "?text", "", "a run of `map` with `contours`"),
    FIELD("curves[].points", "?list", "", "numbers as they are: [[0, 1], [1, 2]]"),
    FIELD("curves[].x", "?expression", "", "to the right"),
    FIELD("curves[].y", "?expression", "", "upwards"),
    FIELD("curves[].from", "?expression", "", "beginning of the time window"),
    FIELD("curves[].to", "?expression", "", "end of the time window"),
    WORDS("curves[].only", "?word", "the points where the integrator stepped", "steps"),
    WORDS("curves[].style", "?word", "how it is drawn", "line|dashed|points|open|steps|line-points|dots"),
    WORDS("curves[].colour", "?word", "colour", "blue|orange|green|pink|sky|amber|black|grey"),
    WORDS("curves[].color", "?word", "colour", "blue|orange|green|pink|sky|amber|black|grey"),
    FIELD("curves[].label", "?expression", "", "text of the legend"),
    FIELD("curves[].width", "?number", "", "width of the line"),
    FIELD("marks", "?list", "", "dots with a text"),
    FIELD("marks[].x", "expression", "", "to the right"),
    FIELD("marks[].y", "expression", "", "upwards"),
    FIELD("marks[].text", "?expression", "", "the text"),
    FIELD("lines", "?list", "", "thin lines across"),
    FIELD("lines[].x", "?expression", "", "an upright line"),
    FIELD("lines[].y", "?expression", "", "a level line"),
    FIELD("lines[].label", "?expression", "", "its text"),
    FIELD("stick", "?group", "", "shade the times of stick"),
    FIELD("stick.run", "?text", "", "the run"),
    FIELD("stick.contact", "?text", "", "the contact"),
    FIELD("stick.from", "?expression", "", "where the time axis starts"),
    FIELD("equal", "?boolean", "", "the same scale on both axes"),
    WORDS("key", "?word", "place of the legend", "auto|off|top-left|top-right|bottom-left|bottom-right|outside"),
    FIELD("title", "?text", "", "title"),
    FIELD("columns", "?integer", "", "panels side by side"),
    FIELD("size", "?list", "", "[width, height] in points"),
    FIELD("name", "?text", "", "name"),
    FIELD("caption", "?text", "", "text below"),
    GROUP("x", "?group", "with bounds", axis),
    GROUP("y", "?group", "with bounds", axis),
    {0}};

/// A drawing of the mechanism instead of panels.
static const amo_field drawn[] = {
    FIELD("draw", "?text|boolean", "", "`true`, or a run: the sketch made by it"),
    FIELD("item", "?integer", "", "which one of a sweep"),
    FIELD("animate", "?expression", "", "seconds: the sketches of a sweep follow one another"),
    FIELD("columns", "?integer", "", "sketches side by side"),
    FIELD("title", "?text", "", "title"),
    FIELD("caption", "?text", "", "text below"),
    FIELD("name", "?text", "", "name"),
    {0}};

static const amo_field figure[] = {
    FIELD("title", "?text", "", "title"),
    FIELD("columns", "?integer", "", "panels side by side"),
    FIELD("size", "?list", "", "[width, height] in points"),
    FIELD("panels", "?list", "", "panels; a figure of one panel may hold its keys itself"),
    FIELD("draw", "?text|boolean", "", "`true`, or a run: the sketch made by it"),
    FIELD("name", "?text", "", "name"),
    FIELD("caption", "?text", "", "text below"),
    {0}};

static const amo_field shown[] = {
    FIELD("what", "?expression", "", "what"),
    FIELD("ours", "?expression", "", "our value, an expression of results"),
    FIELD("value", "?expression", "", "the same as `ours`"),
    FIELD("source", "?expression", "", "the source's value"),
    FIELD("note", "?text", "", "remark"),
    {0}};

const amo_field amo_study_keys[] = {
    RUN_KEYS,
    FIELD("amontons", "?integer", "", "version of the language of models: 1"),
    FIELD("study", "?text|list", "", "id of the study"),
    FIELD("ids", "?list", "", "ids of the study"),
    FIELD("kind", "?text", "", "what kind of result it is"),
    FIELD("case", "?text", "", "name"),
    FIELD("comment", "?text", "", "remark"),
    FIELD("description", "?text", "", "remark"),
    FIELD("analyses", "?group|list", "", "the same as `runs`"),
    FIELD("runs", "?group|list", "", "questions by name"),
    GROUP("runs.NAME", "group|text|null", "a question", run),
    GROUP("runs[]", "group|text", "a question", run),
    FIELD("define", "?group", "", "names for values, used below"),
    FIELD("define.NAME", "expression", "", "an expression of results"),
    FIELD("expect", "?any", "", "expectations: a list, or a mapping `path: expected`"),
    FIELD("expectations", "?any", "", "the same as `expect`"),
    FIELD("shown", "?group|list", "", "rows for the report"),
    GROUP("shown[]", "group", "a row", shown),
    FIELD("figure", "?group|list", "", "a figure, or several"),
    FIELD("figures", "?group|list", "", "the same as `figure`"),
    {0}};

const amo_field amo_figure_keys[] = {
    GROUP("figure", "?group", "a figure of panels", figure),
    GROUP("panel", "?group", "a panel", panel),
    GROUP("drawn", "?group", "a drawing of the mechanism", drawn),
    {0}};

static int same_word(void *ctx, const char *key)
{
  return !strcmp(ctx, key);
}

bool amo_study_has_key(const char *place, const char *word)
{
  return amo_fields_at(amo_study_keys, place, same_word, (void *)(size_t)word) != 0;
}
