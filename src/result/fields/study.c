// SPDX-License-Identifier: Apache-2.0
// Fields of test and reproduce.
#include "base/field_rows.h"
#include "result/fields.h"

// clang-format off
static const amo_field expectation[] = {
    FIELD("value", "text", "", "what is looked at, as written; the name of a run or definition"),
    FIELD("at", "?text", "", "line:column of the expectation in the file"),
    FIELD("ok", "boolean", "", "does it hold?"),
    FIELD("actual", "?any", "", "the value found"),
    FIELD("expected", "?any", "", "what it should be: a number, a text, or conditions in words"),
    FIELD("difference", "?number|null", "", "of numbers: how far they are apart"),
    FIELD("allowed", "?number|null", "", "and how far they may be"),
    FIELD("case", "?text", "", "as the study says"),
    FIELD("source", "?text", "", "where the expected value comes from, as the study says"),
    FIELD("note", "?text", "", "as the study says"),
    FIELD("mistake", "?boolean", "", "true: it could not be judged, because the study asks wrongly (a path that leads nowhere, a text compared with a number)"),
    FIELD("message", "?text", "", "why"),
    FIELD("message_at", "?text", "", "line:column of the place that is meant"),
    FIELD("judged", "?boolean", "", "false: a run that it rests on failed"),
    FIELD("run", "?boolean", "", "true: this is not an expectation but a run that failed, or did not although it should"),
    GROUP("parts", "?list", "of `a or b`, `a < b < c`: the same fields of each part", expectation),
    {0}};

static const amo_field study[] = {
    FIELD("study", "?text", "", "its id"),
    FIELD("ids", "?list", "", "all its ids"),
    FIELD("ids[]", "text", "", "one of them"),
    FIELD("file", "text", "", "its file"),
    FIELD("models", "?list", "", "the model files of its runs"),
    FIELD("models[]", "text", "", "one of them"),
    FIELD("title", "?text", "", "as the study says"),
    FIELD("source", "?text", "", "as the study says"),
    FIELD("note", "?text", "", "as the study says"),
    WORDS("verdict", "word", "`failed`: a run failed", "reproduced|differs|failed|no expectations"),
    FIELD("passed", "integer", "", "expectations that hold"),
    FIELD("failed", "integer", "", "expectations that do not"),
    FIELD("not_judged", "?integer", "", "expectations that only repeat that a run failed"),
    FIELD("seconds", "?number", "s", "the time it took"),
    FIELD("message", "?text", "", "of a file that is no study: its first mistake"),
    GROUP("expectations", "?list", "every expectation, definition without a value, and run that did not end as expected", expectation),
    FIELD("shown", "?list", "", "rows for the report"),
    FIELD("shown[].what", "text", "", "what"),
    FIELD("shown[].ours", "?any", "", "our value"),
    FIELD("shown[].source", "text", "", "the source's"),
    FIELD("shown[].note", "text", "", "remark"),
    FIELD("unnoticed", "?list", "", "with `--mutate`: changes of the study that no expectation noticed"),
    FIELD("unnoticed[].value", "text", "", "the expectation"),
    FIELD("unnoticed[].at", "text", "", "where it stands"),
    FIELD("unnoticed[].changed", "text", "", "to what it was changed"),
    FIELD("unnoticed[].weak", "boolean", "", "only its tolerance is wide"),
    {0}};

const amo_field amo_fields_test[] = {
    FIELD("passed", "integer", "", "expectations that hold, of all studies"),
    FIELD("failed", "integer", "", "expectations that do not"),
    FIELD("not_judged", "?integer", "", "expectations that only repeat that a run failed"),
    FIELD("without_expectations", "?integer", "", "studies that expect nothing"),
    GROUP("studies", "list", "one entry a study", study),
    {0}};

const amo_field amo_fields_reproduce[] = {
    FIELD("reproduced", "integer", "", "how many studies were"),
    FIELD("not_reproduced", "integer", "", "how many were not"),
    FIELD("interrupted", "?boolean", "", "true if it was interrupted"),
    GROUP("results", "list", "one entry a study", study),
    FIELD("results[].figures", "?list", "", "its figures"),
    FIELD("results[].figures[].file", "text", "", "where it is"),
    FIELD("results[].figures[].caption", "text", "", "what it shows"),
    {0}};
