// SPDX-License-Identifier: Apache-2.0
// Sectors of load rates. The answers change only where a condition of some answer passes zero; those directions are bracketed and
// bisected.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "explore/rates/rates.h"
#include "num/bracket.h"

enum { DIRECTIONS = 1440 };

typedef struct fan {
  const amo_rate_plane *plane;
  amo_diags *diags;
  amo_values values;  // those of the plane, with parameters of its own
  double size;
  amo_status status;
  amo_rate_sectors *out;
} fan;

/// The answers for rates in this direction; caller frees.
static char *look(fan *f, double angle)
{
  const amo_rate_plane *p = f->plane;
  amo_rate_state r;
  f->values.param[p->axis[0]] = f->size * cos(angle);
  f->values.param[p->axis[1]] = f->size * sin(angle);
  amo_model_derive(f->values.model, f->values.param);
  if (f->status == AMO_OK)
    f->status = amo_rate_state_find(&f->values, p->t, p->state, p->unstable, f->diags, &r);
  if (f->status != AMO_OK) return amo_strdup("");
  char *words = amo_rate_words(&r);
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

static void add_sector(fan *f, double from, double to, const char *words)
{
  amo_rate_sectors *o = f->out;
  char *own = amo_strdup(words);
  if (own && AMO_ROOM(o->item, o->count, o->capacity)) {
    o->item[o->count++] = (amo_rate_sector){from, to, own};
    return;
  }
  free(own);
  f->status = AMO_ENOMEM;
}

/// Sectors under construction: a new one begins wherever the answers change.
typedef struct sector_sweep {
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
      add_sector(f, w->from, edge, w->last);
    w->from = edge;
    free(w->last);
    w->last = next;
    x0 = beyond;
  }
  free(there);
}

static void all_round(fan *f)
{
  const double turn = 2.0 * acos(-1.0), step = turn / DIRECTIONS, begin = 1e-3 * step;
  sector_sweep w = {NAN, NAN, look(f, begin)};
  for (int i = 1; i <= DIRECTIONS && f->status == AMO_OK; i++) {
    go_to(f, &w, begin + (i - 1) * step, begin + i * step);
    if (f->plane->stop && *f->plane->stop) f->status = AMO_EINTR;
  }
  if (isnan(w.from))
    add_sector(f, 0.0, turn, w.last ? w.last : "");
  else
    add_sector(f, w.from, w.first + turn, w.last ? w.last : "");
  free(w.last);
}

amo_status amo_rate_sectors_find(const amo_rate_plane *p, amo_diags *diags, amo_rate_sectors *out)
{
  const amo_model *m = p->values->model;
  fan f = {.plane = p, .diags = diags, .values = *p->values, .out = out};
  *out = (amo_rate_sectors){0};
  double *param = f.values.param = amo_zalloc(m->np, sizeof *param);
  if (!param) return AMO_ENOMEM;
  memcpy(param, p->values->param, m->np * sizeof *param);
  f.size = hypot(param[p->axis[0]], param[p->axis[1]]);
  if (!(f.size > 0.0)) f.size = 1.0;
  all_round(&f);
  free(param);
  return f.status;
}

void amo_rate_sectors_free(amo_rate_sectors *s)
{
  for (size_t i = 0; i < s->count; i++) free(s->item[i].answers);
  free(s->item);
  *s = (amo_rate_sectors){0};
}
