// SPDX-License-Identifier: Apache-2.0
#include "quasistatic/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

amo_status amo_record_new(const amo_statics *s, amo_quasistatic **out)
{
  amo_quasistatic *p = *out = amo_zalloc(1, sizeof *p);
  if (!p) return AMO_ENOMEM;
  p->coordinates = s->nq;
  p->contacts = s->nc;
  p->start = amo_zalloc(s->nc, 1);
  return p->start ? AMO_OK : AMO_ENOMEM;
}

void amo_quasistatic_free(amo_quasistatic *p)
{
  if (!p) return;
  for (size_t i = 0; i < p->events; i++) free(p->event[i].q);
  void *const all[] = {p->t, p->q, p->normal, p->friction, p->gap, p->bound, p->mode, p->start, p->event};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
  free(p);
}

static bool grow(void *array, size_t rows, size_t width, size_t item)
{
  void **at = array;
  void *more = realloc(*at, rows * (width > 0 ? width : 1) * item);
  if (more) *at = more;
  return more != NULL;
}

static bool room(amo_quasistatic *p)
{
  if (p->rows < p->capacity) return true;
  size_t n = p->capacity > 0 ? 2 * p->capacity : 256, nc = p->contacts;
  bool ok = grow(&p->t, n, 1, sizeof(double)) && grow(&p->q, n, p->coordinates, sizeof(double)) &&
            grow(&p->normal, n, nc, sizeof(double)) && grow(&p->friction, n, 2 * nc, sizeof(double)) &&
            grow(&p->gap, n, nc, sizeof(double)) && grow(&p->bound, n, nc, sizeof(double)) &&
            grow(&p->mode, n, nc, 1);
  if (ok) p->capacity = n;
  return ok;
}

/// What is left of the rows, and what conditions lack, relative to what loads could do on the way (they may cancel here).
static double violation(const amo_statics *s, amo_qs_known k, const amo_qs_mode *mode, double *most)
{
  const double force = amo_statics_force(s);
  double worst = 0.0;
  for (size_t i = 0; i < s->ny; i++) *most = fmax(*most, s->scale[i] / (i < s->nq ? 1.0 : force));
  for (size_t i = 0; i < s->ny; i++) s->scale[i] = *most * (i < s->nq ? 1.0 : force);
  k.error = s->scale;
  for (size_t i = 0; i < s->ny; i++) {
    double size = 0.0;
    for (size_t j = 0; j < s->ny; j++) size += fabs(s->still[i * s->ny + j]) * s->scale[j];
    if (size > 0.0) worst = fmax(worst, fabs(s->rest[i]) / size);
  }
  for (uint32_t c = 0; c < s->nc; c++) {
    amo_qs_condition x[AMO_QS_CONDITIONS];
    for (size_t i = 0, n = amo_qs_conditions(s, &k, c, &mode[c], x); i < n; i++)
      if (x[i].error > 0.0) worst = fmax(worst, -x[i].value / x[i].error);
  }
  return worst;
}

amo_status amo_record_row(amo_quasistatic *p, amo_statics *s, const amo_qs_known *k, const amo_qs_mode *mode)
{
  if (!room(p)) return AMO_ENOMEM;
  const double *y = k->y;
  size_t r = p->rows++, nc = p->contacts;
  p->t[r] = s->t;
  memcpy(p->q + r * p->coordinates, y, p->coordinates * sizeof *y);
  for (uint32_t c = 0; c < nc; c++) {
    const bool gap = amo_has_gap(&s->m->contact[c]);
    p->normal[r * nc + c] = gap ? y[s->nq + c] : amo_expansion_register(s->x, s->m->contact[c].r_reaction, 0);
    p->gap[r * nc + c] = gap ? s->gap[c] : 0.0;
    p->bound[r * nc + c] = amo_statics_bound(s, y, c);
    p->mode[r * nc + c] = amo_qs_number(s, c, &mode[c]);
    memcpy(p->friction + 2 * (r * nc + c), y + s->nq + nc + 2 * c, 2 * sizeof *y);
  }
  if (amo_statics_arrange(s, y, mode, NULL) == AMO_OK)
    p->violation = fmax(p->violation, violation(s, *k, mode, &p->scale));
  return AMO_OK;
}

amo_status amo_record_event(amo_quasistatic *p, const amo_statics *s, const double *y, uint32_t contact,
                            int from, int to, bool jump, size_t answers)
{
  if (!AMO_ROOM(p->event, p->events, p->event_capacity)) return AMO_ENOMEM;
  double *q = amo_zalloc(s->nq, sizeof *q);
  if (!q) return AMO_ENOMEM;
  memcpy(q, y, s->nq * sizeof *q);
  p->event[p->events++] = (amo_quasistatic_event){s->t, contact, from, to, jump, answers, q};
  return AMO_OK;
}
