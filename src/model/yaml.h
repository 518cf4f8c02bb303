// SPDX-License-Identifier: Apache-2.0
/// A YAML text as a tree that remembers where everything stands. Used by models and studies.
/// Deliberately a small YAML: one document, no anchors, aliases or tags, keys are scalars and unique,
/// bounded depth and size. Whatever is refused is refused with its position.
#ifndef AMO_MODEL_YAML_H
#define AMO_MODEL_YAML_H

#include <stdbool.h>
#include <stddef.h>

#include "amontons/diag.h"
#include "base/field.h"

#define AMO_YAML_DEPTH 64
#define AMO_YAML_NODES 1000000

typedef enum amo_yaml_kind { AMO_YAML_SCALAR, AMO_YAML_LIST, AMO_YAML_MAP } amo_yaml_kind;

/// Children are linked in the order of the file:
///   for (const amo_yaml *c = n->first; c; c = c->next) ... c->key->text (in a mapping) ...
typedef struct amo_yaml amo_yaml;
struct amo_yaml {
  amo_yaml_kind kind;
  bool quoted;          // scalar in quotes or a block of text
  const char *text;     // scalar: NUL-terminated (never holds a NUL); "" for collections
  size_t length;        // of text
  amo_at at;            // first character of the scalar's text, or of the collection
  const amo_yaml *key;  // in a mapping: the key (a scalar); else NULL
  const amo_yaml *first, *next;
  size_t count;  // children
};

typedef struct amo_yaml_doc amo_yaml_doc;

/// Parse. `file` names the text in messages (the text is registered with diags for carets).
/// @return AMO_OK and *out; AMO_EINPUT (reported), AMO_ELIMIT (reported), AMO_ENOMEM.
amo_status amo_yaml_parse(const char *file, const char *text, size_t size, amo_diags *diags,
                          amo_yaml_doc **out);
const amo_yaml *amo_yaml_root(const amo_yaml_doc *doc);
void amo_yaml_free(amo_yaml_doc *doc);  // accepts NULL

/// The value of a key, or NULL (absent, `map` is NULL or no mapping).
const amo_yaml *amo_yaml_get(const amo_yaml *map, const char *key);
bool amo_yaml_is_null(const amo_yaml *n);  // absent, empty, ~ or null
bool amo_yaml_is(const amo_yaml *n, amo_yaml_kind kind);
/// The position to complain about a mapping's entry: its key if it has one, else itself.
amo_at amo_yaml_at(const amo_yaml *n);

/// Reports expressions that were cut at a comma because they stand in {...} or [...] without quotes.
amo_status amo_yaml_uncut(const amo_yaml *n, amo_diags *diags);

// ---- readers that report: on a mistake they return AMO_EINPUT and leave *out alone ----
/// `what` names the thing in messages ("model", "contact belt").
amo_status amo_yaml_expect(const amo_yaml *n, amo_yaml_kind kind, const char *what, amo_diags *d);
/// Every key of `map` must be in the NULL-terminated list `known`; reports all that are not.
amo_status amo_yaml_only(const amo_yaml *map, const char *what, const char *const *known, amo_diags *d);
/// The same with the keys that a table has at a place: "springs.NAME".
amo_status amo_yaml_only_of(const amo_yaml *map, const char *what, const amo_field *table, const char *place,
                            amo_diags *d);
amo_status amo_yaml_string(const amo_yaml *n, const char *what, amo_diags *d, const char **out);
amo_status amo_yaml_bool(const amo_yaml *n, const char *what, amo_diags *d, bool *out);
/// A plain finite number (no expression).
amo_status amo_yaml_number(const amo_yaml *n, const char *what, amo_diags *d, double *out);
amo_status amo_yaml_integer(const amo_yaml *n, const char *what, amo_diags *d, long *out);
/// One of the NULL-terminated words; *out is its index.
amo_status amo_yaml_choice(const amo_yaml *n, const char *what, const char *const *words, amo_diags *d,
                           int *out);

/// amo_nearest over a NULL-terminated list; for "did you mean".
const char *amo_yaml_nearest(const char *text, const char *const *known);
/// "a, b, c" of a NULL-terminated list; caller frees. NULL on out of memory.
char *amo_yaml_join(const char *const *words);

#endif
