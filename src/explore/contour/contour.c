// SPDX-License-Identifier: Apache-2.0
#include "explore/contour/contour_impl.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

static amo_status begin(amo_tracer *t, const amo_plane *m, const amo_probe *p, volatile int *stop,
                        amo_contours *out)
{
  if (!out) return AMO_ERANGE;
  *out = (amo_contours){0};
  if (!m || !p || !p->read || p->axes != 2) return AMO_ERANGE;
  *t = (amo_tracer){.m = m, .p = p, .out = out, .level = NAN, .finest = 1e-13, .stop = stop};
  t->longest = 0.8 / (double)(m->nx > m->ny ? m->nx - 1 : m->ny - 1);
  t->longest = fmax(fmin(t->longest, 0.02), 1e-3);
  t->seen = amo_zalloc(2 * m->nx * m->ny, sizeof *t->seen);
  return t->seen ? AMO_OK : AMO_ENOMEM;
}

static amo_status end(amo_tracer *t)
{
  free(t->seen);
  if (t->status != AMO_OK) amo_contours_free(t->out);
  return t->status;
}

amo_status amo_contours_of_numbers(const amo_plane *m, const amo_probe *p, const double *level, size_t levels,
                                   volatile int *stop, amo_contours *out)
{
  amo_tracer t;
  amo_status st = level || !levels ? begin(&t, m, p, stop, out) : AMO_ERANGE;
  if (st != AMO_OK) return st;
  for (size_t i = 0; i < levels && t.status == AMO_OK; i++) {
    t.level = level[i];
    amo_trace_all(&t);
  }
  return end(&t);
}

amo_status amo_contours_of_words(const amo_plane *m, const amo_probe *p, const size_t *index, size_t words,
                                 volatile int *stop, amo_contours *out)
{
  amo_tracer t;
  amo_status st = index || !words ? begin(&t, m, p, stop, out) : AMO_ERANGE;
  if (st != AMO_OK) return st;
  for (size_t i = 0; i < words && t.status == AMO_OK; i++) {
    if (index[i] >= m->nwords) {
      t.status = AMO_ERANGE;
      break;
    }
    t.word = m->words[index[i]];
    amo_trace_all(&t);
  }
  return end(&t);
}

void amo_contours_free(amo_contours *c)
{
  if (!c) return;
  for (size_t i = 0; i < c->count; i++) {
    free(c->item[i].x);
    free(c->item[i].y);
  }
  free(c->item);
  *c = (amo_contours){0};
}
