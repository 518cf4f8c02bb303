// SPDX-License-Identifier: Apache-2.0
/// Tables that describe trees of keys: results (room result), model files (room model) and studies. What reads and writes
/// them, documents and schemas follow from the same tables.
#ifndef AMO_BASE_FIELD_H
#define AMO_BASE_FIELD_H

#include <stdbool.h>
#include <stddef.h>

typedef struct amo_field {
  /// "events[].t". A part in capitals (CONTACT, STATE, NAME, ...: four letters or more) stands for any name, # for a whole
  /// number ("criteria.a#"). "": the fields `inside` stand here themselves; without a type, a heading of the document, `doc`.
  /// NULL ends a table.
  const char *path;
  /// number, integer, text, expression (a number or a text), word (one of `words`), boolean, mode (-1, 0, 1 or "open"), list, vector (a list of two or three), group, any; several are separated by
  /// '|', null is one of them. A '?' in front: it may be absent.
  const char *type;
  const char
      *unit;  // of numbers, of all below it in a list or group: "s"; "of STATE"; NULL or "": it has none
  const char *doc;
  const char *words;  // of words: "stick-slip|slip-stick"
  const struct amo_field
      *inside;  // fields of a group, or of the items of a list, told where several have them
} amo_field;

/// Calls `each` with every field of a table, those inside of others too, by its whole path. Nonzero ends it and is returned.
/// A table inside itself (parts of an expectation) is entered once.
typedef int (*amo_field_visit)(void *ctx, const char *path, const amo_field *f);
int amo_fields_each(const amo_field *table, amo_field_visit each, void *ctx);

/// Is this part of a path (n characters) a stand-in for names?
bool amo_field_is_name(const char *part, size_t n);
bool amo_field_may_be(const amo_field *f, const char *type);  // is `type` one of its types?

/// Calls `each` with every key that may stand at a place of a table ("springs.NAME"; "": at the top), not deeper. Nonzero ends
/// it and is returned.
int amo_fields_at(const amo_field *table, const char *place, int (*each)(void *ctx, const char *key),
                  void *ctx);

/// Is word[0..n) one of words separated by '|'?
bool amo_words_have(const char *words, const char *word, size_t n);

#endif
