// SPDX-License-Identifier: Apache-2.0
// Sectors of load rates: all directions in the plane of two parameters, and what may happen in each. The answers
// change only where a condition of some answer passes zero; those directions are bracketed and bisected.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "num/bracket.h"
#include "result/json.h"
#include "ask/steady/quasistatic_json.h"

enum { DIRECTIONS = 1440 };

typedef struct fan {
  const amo_call *call;
  double t;
  const double *state;
  amo_values values;  // the call's, with parameters of its own
  size_t axis[2];
  double size;
  amo_status status;
} fan;

/// The answers for rates in this direction; caller frees.
static char *look(fan *f, double angle)
{
  amo_call call = *f->call;
  amo_rate_state r;
  char *words = NULL;
  f->values.param[f->axis[0]] = f->size * cos(angle);
  f->values.param[f->axis[1]] = f->size * sin(angle);
  amo_model_derive(f->call->model, f->values.param);
  call.values = &f->values;
  if (f->status == AMO_OK) f->status = amo_rate_state_find(&call, f->t, f->state, &r);
  if (f->status != AMO_OK) return amo_strdup("");
  words = amo_rate_words(r.s, &r.all);
  amo_rate_state_free(&r);
  if (!words) f->status = AMO_ENOMEM;
  return words ? words : amo_strdup("");
}

static double edge_between(fan *f, double a, double b, const char *left)
{
  amo_bracket k = {a, b, 0};
  for (double x; amo_bracket_next(&k, &x);) {
    char *words = look(f, x);
    *(words && !strcmp(words, left) ? &k.a : &k.b) = x;
    free(words);
  }
  return 0.5 * (k.a + k.b);
}

static void add_sector(cJSON *list, double from, double to, const char *words)
{
  const double degree = 180.0 / acos(-1.0);
  cJSON *o = cJSON_CreateObject();
  amo_json_add(o, "from", from * degree);
  amo_json_add(o, "to", to * degree);
  cJSON_AddStringToObject(o, "answers", words);
  cJSON_AddItemToArray(list, o);
}

/// Sectors under construction: a new one begins wherever the answers change.
typedef struct sector_sweep {
  cJSON *list;
  double from, first;
  char *last;
} sector_sweep;

/// From x0, where the answers are w->last, to x1. A thin sector between the two is found by looking just beyond
/// each edge.
static void go_to(fan *f, sector_sweep *w, double x0, double x1)
{
  char *there = look(f, x1);
  for (int i = 0; i < 8 && there && w->last && strcmp(there, w->last) != 0 && f->status == AMO_OK; i++) {
    double edge = edge_between(f, x0, x1, w->last), beyond = edge + 1e-9;
    char *next = beyond < x1 ? look(f, beyond) : amo_strdup(there);
    if (isnan(w->from))
      w->first = edge;
    else
      add_sector(w->list, w->from, edge, w->last);
    w->from = edge;
    free(w->last);
    w->last = next;
    x0 = beyond;
  }
  free(there);
}

static void all_round(fan *f, cJSON *list)
{
  const double turn = 2.0 * acos(-1.0), step = turn / DIRECTIONS, begin = 1e-3 * step;
  sector_sweep w = {list, NAN, NAN, look(f, begin)};
  for (int i = 1; i <= DIRECTIONS && f->status == AMO_OK; i++) {
    go_to(f, &w, begin + (i - 1) * step, begin + i * step);
    if (f->call->interrupted && *f->call->interrupted) f->status = AMO_EINTR;
  }
  if (isnan(w.from))
    add_sector(list, 0.0, turn, w.last ? w.last : "");
  else
    add_sector(list, w.from, w.first + turn, w.last ? w.last : "");
  free(w.last);
}

amo_status amo_sectors_axes(const amo_call *call, const char *plane, size_t axis[2])
{
  char name[2][64] = {"", ""}, rest = 0;
  if (sscanf(plane, " %63[^, ] , %63[^, ] %c", name[0], name[1], &rest) != 2)
    return amo_error(call->diags, (amo_at){0}, "--sectors C1,C2", "--sectors needs two parameters, got '%s'",
                     plane);
  for (int k = 0; k < 2; k++) {
    const long i = amo_model_find_parameter(call->model, name[k]);
    if (i < 0)
      return amo_error(call->diags, (amo_at){0}, NULL, "--sectors: the model has no parameter '%s'", name[k]);
    if (call->model->param[i].expr != AMO_NODE_NONE)
      return amo_error(call->diags, (amo_at){0}, NULL, "--sectors: '%s' follows from other parameters",
                       name[k]);
    axis[k] = (size_t)i;
  }
  if (axis[0] != axis[1]) return AMO_OK;
  return amo_error(call->diags, (amo_at){0}, NULL, "--sectors needs two different parameters, got '%s' twice",
                   name[0]);
}

amo_status amo_sectors_json(const amo_call *call, double t, const double *state, const size_t axis[2],
                            cJSON *result)
{
  const amo_model *m = call->model;
  fan f = {.call = call, .t = t, .state = state, .values = *call->values, .axis = {axis[0], axis[1]}};
  double *param = f.values.param = amo_zalloc(m->np, sizeof *param);
  if (!param) return AMO_ENOMEM;
  memcpy(param, call->values->param, m->np * sizeof *param);
  f.size = hypot(param[axis[0]], param[axis[1]]);
  if (!(f.size > 0.0)) f.size = 1.0;
  all_round(&f, cJSON_AddArrayToObject(result, "sectors"));
  free(param);
  return f.status;
}
