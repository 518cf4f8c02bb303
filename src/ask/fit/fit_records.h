// SPDX-License-Identifier: Apache-2.0
/// Records of motions as fit reads them: time, measured columns, their noise.
#ifndef AMO_ASK_FIT_FIT_RECORDS_H
#define AMO_ASK_FIT_FIT_RECORDS_H

#include "base/mem.h"
#include "ask/verb.h"

typedef struct amo_fit_record {
  const char *path;
  size_t rows;
  double *t;          // [rows] ascending
  double *value;      // [columns][rows] NaN: no number
  double *sigma;      // [columns][rows] standard deviations; NULL: not known
  const char **unit;  // [columns]
} amo_fit_record;

typedef struct amo_fit_records {
  amo_arena memory;
  size_t count, columns;
  amo_fit_record *item;  // [count]
  const char **name;     // [columns] in the records
  const char **text;     // [columns] what they are in the model
  const char **sigma;    // [columns] noise: a number or the name of a column; NULL: not known
  bool known;            // the noise is known
} amo_fit_records;

/// By the options record, time, measure, sigma. Everything that is wrong is reported.
amo_status amo_fit_records_read(const amo_call *call, amo_fit_records *out);
void amo_fit_records_free(amo_fit_records *r);

#endif
