// SPDX-License-Identifier: Apache-2.0
/// What results are made of: one table of fields for each question. docs/json.md, the JSON Schema of every answer, what
/// amo_verbs_json tells, and the keys and words that paths of studies are checked against all follow from these tables.
#ifndef AMO_RESULT_FIELDS_H
#define AMO_RESULT_FIELDS_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/field.h"

typedef struct amo_result_table {
  const char *verb;
  const char *intro;  // a paragraph above the table, NULL: none
  const amo_field *field;
} amo_result_table;

/// The tables in the order of the document; ends with verb == NULL.
const amo_result_table *amo_result_tables(void);
const amo_field *amo_result_fields(const char *verb);  // NULL: there is no such question

/// Keys of the items of lists of this name; false where no result has such a list.
bool amo_items_known(const char *list);
bool amo_items_have(const char *list, const char *key, size_t n);
char *amo_items_keys(const char *list);  // separated by blanks; caller frees, NULL: out of memory

/// Words that a field at the end of such a path ("simulate.events[0].kind") can hold, of whatever question, separated by '|'.
/// NULL: there is none such, or it may be any text. Caller frees.
char *amo_path_words(const char *path);
/// The field that somebody may mean by a key that a result does not have: of that name, else of the nearest one, inside what is
/// called `parent` (NULL: at the top). `verb`: of which question; any other word: of all. NULL: there is none.
const amo_field *amo_field_meant(const char *verb, const char *parent, const char *key, size_t n);
const char *amo_field_key(const amo_field *f);  // last key of its path

/// A JSON Schema (draft 7) of a table. `reasons`: beside a key there may be one with _reason behind it. Caller deletes.
cJSON *amo_fields_schema(const char *title, const amo_field *table, bool reasons);
/// The schema of what a question answers, NULL: there is no such question. Caller deletes.
cJSON *amo_result_schema(const char *verb);
/// The fields as a list of {path, type, unit, doc, words, ...}: for amo_verbs_json.
cJSON *amo_fields_json(const amo_field *table);
/// docs/json.md. Caller frees; NULL: out of memory.
char *amo_fields_markdown(void);

extern const amo_field amo_fields_describe[], amo_fields_draw[], amo_fields_emit[], amo_fields_simulate[],
    amo_fields_evaluate[], amo_fields_contact[], amo_fields_rest[], amo_fields_brake[], amo_fields_limits[],
    amo_fields_map[], amo_fields_steady[], amo_fields_quasistatic[], amo_fields_cycle[],
    amo_fields_continue[], amo_fields_sensitivity[], amo_fields_spectrum[], amo_fields_poincare[],
    amo_fields_lyapunov[], amo_fields_attractor[], amo_fields_sweep[], amo_fields_fit[],
    amo_fields_breakdowns[], amo_fields_statistics[], amo_fields_test[], amo_fields_reproduce[];
// shared by several
extern const amo_field amo_fields_audit[], amo_fields_event[], amo_fields_range[], amo_fields_solution[];

#endif
