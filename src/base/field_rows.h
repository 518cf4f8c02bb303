// SPDX-License-Identifier: Apache-2.0
/// Rows of tables of fields, for the files that hold such tables.
#ifndef AMO_BASE_FIELD_ROWS_H
#define AMO_BASE_FIELD_ROWS_H

#include "base/field.h"

#define FIELD(path, type, unit, doc)  \
  {                                   \
    path, type, unit, doc, NULL, NULL \
  }
#define WORDS(path, type, doc, words) \
  {                                   \
    path, type, "", doc, words, NULL  \
  }  // one of a list of words
#define GROUP(path, type, doc, inside) \
  {                                    \
    path, type, "", doc, NULL, inside  \
  }  // with the fields of another table inside
#define FIELDS_OF(inside)             \
  {                                   \
    "", "group", "", "", NULL, inside \
  }  // the fields of another table, here
#define HEADING(doc)                \
  {                                 \
    "", NULL, NULL, doc, NULL, NULL \
  }

#endif
