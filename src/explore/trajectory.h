// SPDX-License-Identifier: Apache-2.0
/// A recorded run: sampled columns plus events, the one thing that CSV, HDF5 and plots are made from.
/// Points at events appear twice: just before and just after.
#ifndef AMO_EXPLORE_TRAJECTORY_H
#define AMO_EXPLORE_TRAJECTORY_H

#include "amontons/amontons.h"

typedef struct amo_column {
  char *name, *unit;  // "t" [s], "x", "x'", "x''", "belt.slip", "belt.force", "belt.bound", "belt.mode",
                      // outputs, "energy"
  double *value;      // [rows]
} amo_column;

typedef struct amo_trajectory {
  amo_column *column;
  size_t columns, rows, capacity;
  size_t *number;  // [columns] among all of the model, whose order is that of a new trajectory
  amo_event *event;
  size_t events, event_capacity, slip_capacity, force_capacity;
  double *
      event_state;  // [event_states][states]: the first events only, when there are very many or the model is large
  size_t event_states, event_state_capacity;
  size_t states, coordinates, contacts, outputs;
  double *event_slip, *event_force;  // [events] of the event's contact, just after; NaN without a contact
  signed char *initial_mode;         // [contacts] at the start of the run
  bool *is_step_end;  // [rows] true where the integrator put a step end (points of the paper's figures)
} amo_trajectory;

/// Columns for `m` if there are to be rows, of which there are none yet.
amo_status amo_trajectory_new(const amo_model *m, bool rows, amo_trajectory **out);
void amo_trajectory_free(amo_trajectory *t);  // accepts NULL
/// Column by name, or NULL.
const amo_column *amo_trajectory_column(const amo_trajectory *t, const char *name);

/// From now on these columns only, in this order, behind t: names with commas between them. Before the first row.
amo_status amo_trajectory_choose(amo_trajectory *t, const char *names, amo_diags *diags);

/// Append a sample as a row. AMO_ELIMIT beyond 2 GiB of numbers.
amo_status amo_trajectory_row(amo_trajectory *t, const amo_sample *p, bool is_step_end);
/// Append an event; slip and friction of its contact and the state are those just after it.
/// @param state  may be NULL if the state is not kept
amo_status amo_trajectory_event(amo_trajectory *t, const amo_event *e, double slip, double force,
                                const double *state);
/// Is the state of the next event kept? Of large models that of the first events only.
bool amo_trajectory_keeps_state(const amo_trajectory *t);

struct amo_prog;
/// An expression of columns and parameters as a program whose leaf i is column i. `source` stands for it in messages.
amo_status amo_trajectory_program(const amo_trajectory *t, const amo_values *v, const char *source,
                                  const char *text, amo_diags *diags, struct amo_prog **out);
/// Values of an expression of columns and parameters in every row ("x - v*t", "belt.force").
/// @param value  [rows], written only on success
amo_status amo_trajectory_eval(const amo_trajectory *t, const amo_values *v, const char *text,
                               amo_diags *diags, double *value);
/// Axis label of such an expression: "x [m]" if it is a column with a unit, else the text. Caller frees.
char *amo_trajectory_label(const amo_trajectory *t, const char *text);

/// Header `t [s],x [m],...`; 17 digits; mode columns as -1, 0, 1. Complete or not at all.
amo_status amo_trajectory_csv(const amo_trajectory *t, const char *path, amo_diags *diags);
/// A line for each event: time, kind, contact, modes before and after, slip and friction just after.
amo_status amo_trajectory_events_csv(const amo_trajectory *t, const amo_model *m, const char *path,
                                     amo_diags *diags);
/// HDF5: /trajectory/<column> with attribute unit, /events (compound t, contact, from, to), and the
/// texts of `about` ("name", text pairs ending with NULL) as attributes of the file.
amo_status amo_trajectory_h5(const amo_trajectory *t, const amo_model *m, const char *const *about,
                             const char *path, amo_diags *diags);

// ---- recording ----
/// Which points become rows: every dt from `from`, both sides of events (unless even), and (if steps) step ends.
typedef struct amo_recorder {
  amo_trajectory *trajectory;
  amo_sample *sample;  // scratch, of the same model
  bool rows;           // false: events only
  bool steps, even;
  double from, dt;
  double next;  // number of the next grid point
  bool begun;
} amo_recorder;

/// Call after every amo_sim_step (or from on_step).
amo_status amo_recorder_step(amo_recorder *r, amo_sim *s, double t_end);

#endif
