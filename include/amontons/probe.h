// SPDX-License-Identifier: Apache-2.0
/// A value that depends on one or two numbers: what `limits` follows along a line and `map` over a plane. It is a value of a
/// verb's answer ("contact.class", "rest.margin"), or a function of the caller's own.
///
///   amo_axis mu;
///   amo_probe p;
///   amo_status st = amo_axis_of(model, "mu", 0.2, 3, NULL, &mu);
///   if (st == AMO_OK) st = amo_probe_of(model, NULL, "contact.class", "at: {q': 1}", &mu, 1, true, NULL, &p);
///   amo_reading r;
///   const double at = 0.5;
///   if (st == AMO_OK) amo_probe_read(&p, &at, NULL, &r);
///   if (st == AMO_OK && r.kind == AMO_READ_TEXT) puts(r.text);
///   if (st == AMO_OK) amo_probe_free(&p);
///
/// A probe belongs to one thread at a time; the model and the values behind it may be shared, and must outlive it.
#ifndef AMONTONS_PROBE_H
#define AMONTONS_PROBE_H

#include <stdbool.h>
#include <stddef.h>

#include "amontons/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum amo_axis_kind {
  AMO_AXIS_PARAMETER,  // of the model
  AMO_AXIS_STATE,      // an initial value
  AMO_AXIS_TIME,       // the time at which a state is looked at
  AMO_AXIS_OWN         // something that only the caller's function knows
} amo_axis_kind;

/// What is varied, and from where to where.
typedef struct amo_axis {
  char name[128];      // "mu", "x'", "t"
  double from, to;     // both ends belong to it; finite, from < to
  amo_axis_kind kind;  // what is varied
  size_t index;        // of the parameter or state; 0 of others
} amo_axis;

/// The parameter, state or time (t) of a model called `name`. AMO_EINPUT: there is none, it follows from other parameters, or
/// the range does not ascend (diags says which).
AMO_API amo_status amo_axis_of(const amo_model *m, const char *name, double from, double to, amo_diags *diags,
                               amo_axis *out);
/// Value i of n along the axis, ends included.
AMO_API double amo_axis_value(const amo_axis *a, size_t i, size_t n);

enum {
  AMO_PROBE_AXES = 2,     // at most
  AMO_PROBE_WATCH = 48,   // watched quantities, at most
  AMO_PROBE_BRANCH = 48,  // quantities of solutions, at most
  AMO_PROBE_LANES = 64,   // places read at once, at most
  AMO_PROBE_TEXT = 96,    // bytes of a text, its end included
  AMO_WATCH_NUMBER = 1    // among the watched quantities: the value itself, where it is measured
};

typedef enum amo_reading_kind {
  AMO_READ_FAILED,  // there is no answer there, or it has no such value
  AMO_READ_TEXT,    // a text; true, false and null are texts
  AMO_READ_NUMBER   // a number
} amo_reading_kind;

/// What was read at one place. A function of the caller's own sets kind and text or number; the rest may stay as it is.
typedef struct amo_reading {
  amo_reading_kind kind;      // what was read
  char text[AMO_PROBE_TEXT];  // of every kind but numbers; "no answer" where it failed
  double number;              // NaN of every other kind
  bool measured;  // a number on a continuous scale, whose sign is a verdict; false: a count, a sign, a code
  bool missing;   // failed, though there was an answer: it has no such value
  bool unsound;   // the motion that the value rests on fails its audit
  double
      watch[AMO_PROBE_WATCH];  // continuous quantities whose zeros go with changes of the value; NaN: unknown
  size_t watched;              // how many
  double branch[AMO_PROBE_BRANCH];  // reactions and accelerations of the solutions, as far as they exist here
  size_t branches;                  // how many
} amo_reading;

/// A probe is made by amo_probe_of, or filled in by the caller: name, axes, read, and ctx where `read` needs it.
typedef struct amo_probe {
  const char *of;                 // what is read, for messages and head lines; must outlive the probe
  amo_axis axis[AMO_PROBE_AXES];  // what is varied
  size_t axes;                    // 1 or 2
  void *ctx;                      // of the functions below
  /// The value at value[axes]. *out comes as a failed reading without reason; reasons go to diags, which may be NULL.
  void (*read)(void *ctx, const double *value, amo_diags *diags, amo_reading *out);
  /// May be NULL. The same at n <= lanes places at once, without reasons: value [n][axes], out [n].
  void (*read_lanes)(void *ctx, const double *value, size_t n, amo_reading *out);
  size_t lanes;  // how many places are best read at once, at most AMO_PROBE_LANES; 0: one
  /// One more of its kind for another thread, freed before this one. NULL: `read` may be called from many threads at once.
  amo_status (*copy)(const struct amo_probe *p, struct amo_probe *out);
  void (*free)(void *ctx);  // may be NULL: there is nothing to free
  /// May be NULL. The place that was read last: model, parameters, state (initial) and time (t0).
  const amo_values *(*place)(void *ctx);
  bool decided;  // the set of all solutions of the contact problem at that place decides the value,
  bool at_rest;  // taken at rest
  unsigned long long
      identity;  // of all that decides readings, axes apart; 0: unknown, so that no row can be kept
} amo_probe;

/// A value of a verb's answer.
/// @param v        NULL: amo_model_values(m)
/// @param of       "contact.class": verb and path of the value as in docs/json.md; "rest": the main value of that verb
/// @param options  NULL, or a mapping in YAML or JSON with `at` (the state) and `with` (options of the verb), as for `map`
/// @param watch    also fill in the watched quantities and branches, which `limits` wants
/// @return AMO_OK and *out, to be freed with amo_probe_free; AMO_EINPUT, AMO_ERANGE, AMO_ENOMEM with nothing to free.
AMO_API amo_status amo_probe_of(const amo_model *m, const amo_values *v, const char *of, const char *options,
                                const amo_axis *axis, size_t axes, bool watch, amo_diags *diags,
                                amo_probe *out);
AMO_API void amo_probe_free(amo_probe *p);  // accepts NULL and a probe that is all zero

/// Read at value[axes]. Reasons for AMO_READ_FAILED go to diags (may be NULL).
AMO_API void amo_probe_read(const amo_probe *p, const double *value, amo_diags *diags, amo_reading *out);
/// How many places are best read at once: at least 1, at most AMO_PROBE_LANES.
AMO_API size_t amo_probe_chunk(const amo_probe *p);
/// The same at n <= amo_probe_chunk(p) places, without reasons; value [n][axes], out [n].
AMO_API void amo_probe_read_lanes(const amo_probe *p, const double *value, size_t n, amo_reading *out);

#ifdef __cplusplus
}
#endif
#endif
