// SPDX-License-Identifier: Apache-2.0
/// Quasi-static motion: a sequence of equilibria under loads that change slowly, through stick, slip, opening and
/// closing, with instantaneous jumps where no continuous answer exists.
///
///   amo_quasistatic_opts o = amo_quasistatic_opts_default();
///   o.until = 10;
///   amo_quasistatic *p;
///   amo_status st = amo_quasistatic_run(model, &o, NULL, &p);
///   amo_quasistatic_free(p);
#ifndef AMONTONS_QUASISTATIC_H
#define AMONTONS_QUASISTATIC_H

#include <stdbool.h>
#include <stddef.h>

#include "amontons/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum amo_quasistatic_status {
  AMO_QUASISTATIC_OK,         // one answer all the way
  AMO_QUASISTATIC_NONUNIQUE,  // several answers somewhere: stick was taken
  AMO_QUASISTATIC_DISCONTINUITY,  // ended: slip that is forced has no continuous answer, and no jump leads to rest
  AMO_QUASISTATIC_NONE            // ended: no answer at all
} amo_quasistatic_status;

typedef struct amo_quasistatic_event {
  double t;        // time
  size_t contact;  // its number
  int from, to;    // 0 stick, +1/-1 slip (spatial: 1), 2 open
  bool jump;       // instantaneous, at constant load
  size_t answers;  // of the rate problem there
  double *q;       // [coordinates] after it; owned by the result
} amo_quasistatic_event;

typedef struct amo_quasistatic {
  size_t coordinates, contacts;   // of the model
  size_t rows, events;            // how many
  double *t;                      // [rows]
  double *q;                      // [rows][coordinates]
  double *normal;                 // [rows][contacts]
  double *friction;               // [rows][2 contacts] along the slip, or along both axes of spatial contacts
  double *gap;                    // [rows][contacts]
  double *bound;                  // [rows][contacts] largest friction
  signed char *mode;              // [rows][contacts]; rows at events come twice, before and after
  signed char *start;             // [contacts] mode at the beginning
  amo_quasistatic_event *event;   // [events] in order of time
  amo_quasistatic_status status;  // how far the path is one
  double violation;               // largest violation of equilibrium and of the friction conditions, relative
  char reason[160];               // why it ended early; "" if it did not
  size_t capacity, event_capacity;  // of the arrays
  double scale;                     // the largest displacement that loads could have caused on the way
} amo_quasistatic;

typedef struct amo_quasistatic_opts {
  size_t size;          // sizeof(amo_quasistatic_opts), set by amo_quasistatic_opts_init
  double start, until;  // start NaN: the time of the values
  const double
      *state;  // [states] coordinates at the start; NULL: those of the values. Velocities are not read
  const amo_values *values;             // what the model is asked with; NULL: amo_model_values
  double tol;                           // of a step, relative
  double max_step;                      // 0: a 200th of the whole
  long max_steps;                       // a path that needs more ends with status NONE
  int (*on_step)(void *ctx, double t);  // may be NULL; nonzero stops the run (AMO_EINTR)
  void *ctx;                            // of on_step
  bool unstable;                        // go on where the stiffness without friction is not positive
  bool jumps;                           // jump where there is no continuous answer; else stop there
} amo_quasistatic_opts;

AMO_API void amo_quasistatic_opts_init(amo_quasistatic_opts *o, size_t size);
static inline amo_quasistatic_opts amo_quasistatic_opts_default(void)
{
  amo_quasistatic_opts o;
  amo_quasistatic_opts_init(&o, sizeof o);
  return o;
}

/// AMO_OK also when it ended early: see status. AMO_ENOANSWER: no equilibrium at the start (diags says why).
AMO_API amo_status amo_quasistatic_run(const amo_model *m, const amo_quasistatic_opts *opts, amo_diags *diags,
                                       amo_quasistatic **out);
AMO_API void amo_quasistatic_free(amo_quasistatic *p);

#ifdef __cplusplus
}
#endif

#endif
