// SPDX-License-Identifier: Apache-2.0
/// One value of any verb's result as a function of parameters, initial states and time: what `limits`
/// follows along a line and `map` over a plane. The model is shared; a probe has its own values.
#ifndef AMO_STUDY_MAP_PROBE_H
#define AMO_STUDY_MAP_PROBE_H

#include "contact/batch.h"
#include "model/complete.h"
#include "study/map_long_time.h"
#include "study/verb.h"

#define AMO_PROBE_AXES   2
#define AMO_PROBE_WATCH  48
#define AMO_PROBE_BRANCH 48

enum { AMO_WATCH_NUMBER = 1 };  // among the watched quantities: the value itself, where it is measured

typedef enum amo_axis_kind { AMO_AXIS_PARAMETER, AMO_AXIS_STATE, AMO_AXIS_TIME } amo_axis_kind;

typedef struct amo_axis {
  char name[128];
  double from, to;
  amo_axis_kind kind;
  size_t index;  // of the parameter or state
} amo_axis;

/// "M=-2000:2000"; `option` is named in messages.
amo_status amo_axis_read(const amo_call *call, const char *option, const char *text, amo_axis *out);
/// Value i of n along the axis, ends included.
double amo_axis_value(const amo_axis *a, size_t i, size_t n);

typedef enum amo_reading_kind {
  AMO_READ_FAILED,  // the verb gave no answer there, or its result has no such value
  AMO_READ_TEXT,    // text, boolean, null
  AMO_READ_NUMBER
} amo_reading_kind;

typedef struct amo_reading {
  amo_reading_kind kind;
  char text[96];  // of every kind but numbers
  double number;
  bool measured;  // a number on a continuous scale; false: a count, a sign, a code
  bool missing;   // failed, though the verb answered: its result has no such value
  bool unsound;   // the motion that the value rests on fails its audit
  double
      watch[AMO_PROBE_WATCH];  // continuous quantities whose zeros go with changes of verdicts; NaN: unknown
  size_t watched;
  double branch[AMO_PROBE_BRANCH];  // reactions and accelerations of the solutions, as far as they exist here
  size_t branches;
} amo_reading;

typedef struct amo_probe {
  const amo_call *call;
  amo_values values;                      // what the verb is asked with: param, whole
  double *param_scratch;                  // [parameters]
  double *param, *start, *state, *whole;  // whole: the state with what follows from guides and constraints
  bool *given;                            // [states] chosen by an axis or by --at
  double t;
  const amo_verb *verb;
  const char *path;  // of the value in the verb's result
  amo_options *opt;
  amo_axis axis[AMO_PROBE_AXES];
  size_t axes;
  bool at, watch, allowed;  // allowed: the requirements of the model are met
  amo_complete *complete;   // NULL: nothing follows
  enum { AMO_PROBE_JSON, AMO_PROBE_CLASS, AMO_PROBE_COUNT, AMO_PROBE_L, AMO_PROBE_MU_L, AMO_PROBE_R0 } fast;
  uint32_t contact;       // of L, mu_L, R0
  amo_batch *batch;       // of the fast ones
  amo_long_times *fates;  // long-time states; NULL: not asked for
} amo_probe;

/// `of` = "contact.class", options of that verb from the call's --with. `watch`: fill amo_reading.watch.
amo_status amo_probe_new(const amo_call *call, const char *of, const amo_axis *axis, size_t axes, bool watch,
                         amo_diags *diags, amo_probe **out);
void amo_probe_free(amo_probe *p);  // accepts NULL
/// Read at value[axes]. Reasons for AMO_READ_FAILED go to `diags` (may be NULL).
void amo_probe_read(amo_probe *p, const double *value, amo_diags *diags, amo_reading *out);
/// How many places are best read at once.
size_t amo_probe_chunk(const amo_probe *p);
/// The same at n <= amo_probe_chunk(p) <= AMO_LONG_TIMES places at once, without reasons; value [n][axes].
void amo_probe_read_lanes(amo_probe *p, const double *value, size_t n, amo_reading *out);

#endif
