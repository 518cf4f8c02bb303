// SPDX-License-Identifier: Apache-2.0
// The table itself: columns of a model, rows, events.
#include "explore/trajectory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "expr/parse.h"
#include "model/compiled.h"

#define MAX_NUMBERS ((size_t)1 << 28)  // 2 GiB of rows
// Numbers of states kept for events: of large models those of the first ones only, which then cost about as much as finding them.
enum { SMALL_MODEL = 64 };
static const size_t most_event_numbers = (size_t)1 << 22, most_of_large_model = (size_t)1 << 16;

/// Of all columns of a model, in the order of add_columns.
static double value_of(const amo_trajectory *t, const amo_sample *p, size_t i)
{
  if (i == 0) return p->t;
  i -= 1;
  if (i < t->states) return p->state[i];
  i -= t->states;
  if (i < t->coordinates) return p->acceleration[i];
  i -= t->coordinates;
  if (i < 4 * t->contacts) {
    const size_t c = i / 4;
    return i % 4 == 0 ? p->slip[c] : i % 4 == 1 ? p->force[c] : i % 4 == 2 ? p->bound[c] : p->mode[c];
  }
  i -= 4 * t->contacts;
  return i < t->outputs ? p->output[i] : p->kinetic + p->potential;
}

static bool add_column(amo_trajectory *t, const char *name, const char *suffix, const char *unit)
{
  amo_column *c = &t->column[t->columns];
  t->number[t->columns] = t->columns;
  size_t n = strlen(name) + strlen(suffix) + 1;
  c->name = amo_zalloc(n, 1);
  c->unit = amo_strdup(unit);
  if (c->name) snprintf(c->name, n, "%s%s", name, suffix);
  t->columns++;
  return c->name && c->unit;
}

/// Models that name no unit at all are dimensionless; then time and energy have none either.
static bool has_units(const amo_model *m)
{
  for (size_t i = 0; i < amo_model_states(m); i++)
    if (*amo_model_state(m, i).unit) return true;
  return false;
}

static bool is_angle(const char *unit)
{
  return !strcmp(unit, "rad") || !strcmp(unit, "1") || !strcmp(unit, "-");
}

/// Unit of a contact's slip velocity and of its friction. That of the coordinates that slide, where these state one, agree
/// and come in without a factor; lengths where nothing in the model is an angle; else it is not known: an angle times
/// a parameter may be a length.
static void contact_units(const amo_model *m, const amo_contact *c, bool lengths, char slip[40],
                          const char **force)
{
  const char *unit = NULL;
  bool known = !c->spatial && c->nw > 0;
  for (uint32_t k = 0; known && k < c->nw; k++) {
    const char *q = m->sym.q[c->w[k].col].unit;
    known = amo_node_const(m->dag, c->w[k].node, NULL) && *q && strlen(q) < 32 && (!unit || !strcmp(unit, q));
    unit = q;
  }
  if (!known) unit = lengths ? "m" : NULL;
  snprintf(slip, 40, "%s%s", unit ? unit : "", unit ? "/s" : "");
  *force = !unit ? "" : !strcmp(unit, "m") ? "N" : is_angle(unit) ? "N m" : "";
}

static bool add_columns(amo_trajectory *t, const amo_model *m)
{
  bool units = has_units(m), lengths = true, ok = add_column(t, "t", "", units ? "s" : "");
  for (uint32_t i = 0; i < m->nq; i++) lengths = lengths && !strcmp(m->sym.q[i].unit, "m");
  size_t nq = amo_model_coordinates(m);
  for (size_t i = 0; i < amo_model_states(m); i++) {
    amo_symbol s = amo_model_state(m, i);
    ok = ok && add_column(t, s.name, "", s.unit);
  }
  for (size_t i = 0; i < nq; i++) {
    char unit[64] = "";
    const char *q = amo_model_state(m, i).unit;
    if (*q && strlen(q) < 32) snprintf(unit, sizeof unit, "%s/s^2", q);
    ok = ok && add_column(t, amo_model_state(m, nq + i).name, "'", unit);
  }
  for (size_t i = 0; i < amo_model_contacts(m); i++) {
    static const char *const part[] = {".slip", ".force", ".bound", ".mode"};
    char slip[40] = "";
    const char *force = "";
    if (units) contact_units(m, &m->contact[i], lengths, slip, &force);
    for (int k = 0; k < 4; k++)
      ok = ok && add_column(t, amo_model_contact(m, i).name, part[k], k == 3 ? "" : k == 0 ? slip : force);
  }
  for (size_t i = 0; i < amo_model_outputs(m); i++) {
    amo_symbol s = amo_model_output(m, i);
    ok = ok && add_column(t, s.name, "", s.unit);
  }
  return ok && add_column(t, "energy", "", units ? "J" : "");
}

amo_status amo_trajectory_new(const amo_model *m, bool rows, amo_trajectory **out)
{
  size_t count =
      2 + amo_model_states(m) + amo_model_coordinates(m) + 4 * amo_model_contacts(m) + amo_model_outputs(m);
  amo_trajectory *t = amo_zalloc(1, sizeof *t);
  *out = NULL;
  if (!t) return AMO_ENOMEM;
  t->states = amo_model_states(m);
  t->contacts = amo_model_contacts(m);
  t->coordinates = amo_model_coordinates(m);
  t->outputs = amo_model_outputs(m);
  t->column = amo_zalloc(rows ? count : 1, sizeof *t->column);
  t->number = amo_zalloc(rows ? count : 1, sizeof *t->number);
  t->initial_mode = amo_zalloc(t->contacts, 1);
  if (!t->column || !t->number || !t->initial_mode || (rows && !add_columns(t, m))) {
    amo_trajectory_free(t);
    return AMO_ENOMEM;
  }
  *out = t;
  return AMO_OK;
}

static void free_column(amo_column *c)
{
  free(c->name);
  free(c->unit);
  free(c->value);
}

void amo_trajectory_free(amo_trajectory *t)
{
  if (!t) return;
  for (size_t i = 0; t->column && i < t->columns; i++) free_column(&t->column[i]);
  free(t->column);
  free(t->number);
  free(t->event);
  free(t->event_state);
  free(t->event_slip);
  free(t->event_force);
  free(t->initial_mode);
  free(t->is_step_end);
  free(t);
}

const amo_column *amo_trajectory_column(const amo_trajectory *t, const char *name)
{
  for (size_t i = 0; i < t->columns; i++)
    if (!strcmp(t->column[i].name, name)) return &t->column[i];
  return NULL;
}

static const char *name_of(void *ctx, size_t i)
{
  const amo_trajectory *t = ctx;
  return i < t->columns ? t->column[i].name : NULL;
}

/// The number of the column of this name; t->columns, and told: there is none.
static size_t find_column(amo_trajectory *t, const char *name, amo_diags *diags)
{
  size_t i = 0;
  while (i < t->columns && strcmp(t->column[i].name, name) != 0) i++;
  if (i < t->columns) return i;
  const char *near = amo_nearest(name, strlen(name), name_of, t);
  amo_error(diags, (amo_at){0}, NULL,
            near ? "there is no column '%s'; did you mean '%s'?" : "there is no column '%s'", name, near);
  return i;
}

static void keep_columns(amo_trajectory *t, const size_t *chosen, size_t n, amo_column *column, bool *kept)
{
  for (size_t i = 0; i < n; i++) {
    column[i] = t->column[chosen[i]];
    kept[chosen[i]] = true;
  }
  for (size_t i = 0; i < t->columns; i++)
    if (!kept[i]) free_column(&t->column[i]);
  free(t->column);
  t->column = column;
  for (size_t i = 0; i < n; i++) t->number[i] = chosen[i];
  t->columns = n;
}

amo_status amo_trajectory_choose(amo_trajectory *t, const char *names, amo_diags *diags)
{
  size_t most = 2, n = 1;
  for (const char *c = names; *c; c++) most += *c == ',';
  size_t *chosen = amo_zalloc(most, sizeof *chosen);  // the first one is t
  amo_column *column = amo_zalloc(most, sizeof *column);
  bool *kept = amo_zalloc(t->columns, sizeof *kept);
  char *text = amo_strdup(names), *rest = text;
  amo_status st = chosen && column && kept && text ? AMO_OK : AMO_ENOMEM;
  for (char *name; st == AMO_OK && (name = strtok_r(rest, ", ", &rest)) != NULL;) {
    const size_t i = find_column(t, name, diags);
    bool again = i == 0;  // t is there already
    for (size_t k = 1; k < n; k++) again |= chosen[k] == i;
    if (i == t->columns) st = AMO_EINPUT;
    if (st == AMO_OK && !again) chosen[n++] = i;
  }
  if (st == AMO_OK)
    keep_columns(t, chosen, n, column, kept);
  else
    free(column);
  free(chosen);
  free(kept);
  free(text);
  return st;
}

static amo_status grow_rows(amo_trajectory *t)
{
  size_t cap = t->capacity ? 2 * t->capacity : 1024;
  if (cap * t->columns > MAX_NUMBERS) return AMO_ELIMIT;
  for (size_t i = 0; i < t->columns; i++) {
    double *p = realloc(t->column[i].value, cap * sizeof *p);
    if (!p) return AMO_ENOMEM;
    t->column[i].value = p;
  }
  bool *flag = realloc(t->is_step_end, cap * sizeof *flag);
  if (!flag) return AMO_ENOMEM;
  t->is_step_end = flag;
  t->capacity = cap;
  return AMO_OK;
}

amo_status amo_trajectory_row(amo_trajectory *t, const amo_sample *p, bool is_step_end)
{
  amo_status st = t->rows < t->capacity ? AMO_OK : grow_rows(t);
  if (st != AMO_OK) return st;
  const size_t row = t->rows++;
  t->is_step_end[row] = is_step_end;
  for (size_t c = 0; c < t->columns; c++) t->column[c].value[row] = value_of(t, p, t->number[c]);
  return AMO_OK;
}

bool amo_trajectory_keeps_state(const amo_trajectory *t)
{
  const size_t most = t->states <= SMALL_MODEL ? most_event_numbers : most_of_large_model;
  return t->event_states == t->events && (t->event_states + 1) * t->states <= most;
}

static amo_status keep_state(amo_trajectory *t, const double *state)
{
  const size_t need = (t->event_states + 1) * t->states;
  double *p = amo_grow(t->event_state, &t->event_state_capacity, need, sizeof *p);
  if (!p) return AMO_ENOMEM;
  t->event_state = p;
  if (t->states) memcpy(p + t->event_states * t->states, state, t->states * sizeof *p);
  t->event_states++;
  return AMO_OK;
}

amo_status amo_trajectory_event(amo_trajectory *t, const amo_event *e, double slip, double force,
                                const double *state)
{
  size_t n = t->events;
  if (!AMO_ROOM(t->event, n, t->event_capacity) || !AMO_ROOM(t->event_slip, n, t->slip_capacity) ||
      !AMO_ROOM(t->event_force, n, t->force_capacity))
    return AMO_ENOMEM;
  if (amo_trajectory_keeps_state(t) && keep_state(t, state) != AMO_OK) return AMO_ENOMEM;
  t->event[n] = *e;
  t->event_slip[n] = slip;
  t->event_force[n] = force;
  t->events++;
  return AMO_OK;
}
