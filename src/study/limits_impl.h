// SPDX-License-Identifier: Apache-2.0
/// The inside of limits: one search, shared by the exact way (limits_exact.c) and the bracketing one (limits.c).
#ifndef AMO_STUDY_LIMITS_IMPL_H
#define AMO_STUDY_LIMITS_IMPL_H

#include "study/limits.h"

typedef struct sample {
  double x;
  amo_reading r;
  char verdict[96];
} sample;

typedef struct search {
  amo_probe *p;
  amo_limits *out;
  double tol, range;
  double level;  // subtracted from numbers
  sample *grid;  // ascending in x
  size_t count, capacity;
  bool failed;  // out of memory
} search;

sample amo_limits_look(search *s, double x);
void amo_limits_name(const search *s, sample *a);  // the verdict of a reading
/// NULL: out of memory (s->failed).
amo_limit *amo_limits_record(search *s, double at, const sample *a, const sample *b);
/// By the structure of the contact problem, where the parameter enters the loads only, and linearly. AMO_ENOANSWER:
/// it does not, or the verdict is not one of the contact problem: bracket instead.
amo_status amo_limits_exact(search *s);

/// Where the number is least or largest between samples.
amo_status amo_limits_extrema(search *s);

#endif
