// SPDX-License-Identifier: Apache-2.0
#include "quasistatic/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

signed char amo_qs_number(const amo_qs_mode *mode)
{
  if (mode->kind == AMO_QS_OPEN) return AMO_MODE_OPEN;
  if (mode->kind == AMO_QS_STICK || (mode->d[0] == 0.0 && mode->d[1] == 0.0)) return 0;
  return mode->d[0] < 0.0 && mode->d[1] == 0.0 ? -1 : 1;
}

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

/// Equilibrium, and each contact's law in its mode.
static double violation(const amo_statics *s, const double *y, const amo_qs_mode *mode)
{
  double worst = 0.0, size = 1e-300;
  for (uint32_t i = 0; i < s->nq; i++) size = fmax(size, s->size[i]);
  if (size < 1e-290) return 0.0;
  for (uint32_t i = 0; i < s->nq; i++) worst = fmax(worst, fabs(s->f[i]) / size);
  for (uint32_t c = 0; c < s->nc; c++) {
    const double *L = y + s->nq + s->nc + 2 * c, bound = amo_statics_bound(s, y, c);
    double off = hypot(L[0], L[1]) - bound;
    if (mode[c].kind == AMO_QS_SLIP && bound > 0.0)
      off = fabs(mode[c].d[0] * L[0] + mode[c].d[1] * L[1] + bound);
    worst = fmax(worst, off / size);
    if (s->m->contact[c].kind == AMO_SUPPORT) worst = fmax(worst, -y[s->nq + c] / size);
  }
  return worst;
}

amo_status amo_record_row(amo_quasistatic *p, const amo_statics *s, const double *y, const amo_qs_mode *mode)
{
  if (!room(p)) return AMO_ENOMEM;
  size_t r = p->rows++, nc = p->contacts;
  p->t[r] = s->t;
  memcpy(p->q + r * p->coordinates, y, p->coordinates * sizeof *y);
  for (uint32_t c = 0; c < nc; c++) {
    const bool gap = amo_has_gap(&s->m->contact[c]);
    p->normal[r * nc + c] = gap ? y[s->nq + c] : amo_expansion_register(s->x, s->m->contact[c].r_normal, 0);
    p->gap[r * nc + c] = gap ? s->gap[c] : 0.0;
    p->bound[r * nc + c] = amo_statics_bound(s, y, c);
    p->mode[r * nc + c] = amo_qs_number(&mode[c]);
    memcpy(p->friction + 2 * (r * nc + c), y + s->nq + nc + 2 * c, 2 * sizeof *y);
  }
  p->violation = fmax(p->violation, violation(s, y, mode));
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
