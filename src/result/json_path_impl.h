// SPDX-License-Identifier: Apache-2.0
/// A path on its way into a result; parts of json_path.c and json_bracket.c.
#ifndef AMO_RESULT_JSON_PATH_IMPL_H
#define AMO_RESULT_JSON_PATH_IMPL_H

#include "result/json_path.h"

typedef struct amo_json_walk {
  const amo_json_path *p;
  const char *text;
  size_t pos;  // how far the text has been read
  amo_at at;   // of the text
  amo_diags *diags;
  const cJSON *top;    // the result the path leads into
  const char *list;    // key of the list that items are selected from, NULL: none yet
  const cJSON *whole;  // that list with all its items
} amo_json_walk;

/// Place of `length` characters of the path.
amo_at amo_walk_at(const amo_json_walk *w, size_t pos, size_t length);
/// Can this character stand in a bare key?
bool amo_walk_word(char c);
/// A list of our own, and a reference to an item in it.
cJSON *amo_walk_list(const amo_json_walk *w);
void amo_walk_refer(cJSON *list, const cJSON *item);
/// Read `key.key...` at w->pos inside *node.
amo_status amo_walk_keys(amo_json_walk *w, const cJSON **node);
/// Can items of the list that is read have a key text[pos, pos + n)? Asked where it has none: the tables of fields know.
amo_status amo_walk_item_key(const amo_json_walk *w, size_t pos, size_t n);
/// Read one bracket at w->pos: an index, [*], a range or a filter. *many: the result is a list of items.
amo_status amo_walk_bracket(amo_json_walk *w, const cJSON **node, bool *many);

#endif
