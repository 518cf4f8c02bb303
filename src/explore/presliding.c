// SPDX-License-Identifier: Apache-2.0
// Contacts that give way before they slide: how long they do. Elements stick or slip, so that such a contact slides as a whole once all of them
// slip. Bristles have no such border; they bend as long as more than half of the slip v goes into their deflection z, z'/v >= 1/2, which is
// for LuGre's and Dahl's law where the deflection along the slip has not reached half of that of steady sliding. Within a step z' and v are polynomials.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "explore/statistics.h"
#include "law/law.h"
#include "num/bracket.h"
#include "num/rounding.h"

static bool has_elements(const amo_model *m, uint32_t c)
{
  for (uint32_t i = c + 1; i < m->nc; i++)
    if (m->contact[i].part_of == c + 1) return true;
  return false;
}

/// Number of the deflection among the further states.
static bool find_deflection(const amo_model *m, uint32_t c, size_t *state)
{
  const amo_law *law = amo_law_find(m->contact[c].law_type);
  amo_arena names = {0};
  const char *name = law && law->states[0]
                         ? amo_arena_printf(&names, "%s.%s", m->contact[c].sym.name, law->states[0])
                         : NULL;
  const long i = name ? amo_model_find_state(m, name) : -1;
  amo_arena_free(&names);
  *state = (size_t)(i - 2 * (long)m->nq);
  return i >= 0;
}

amo_status amo_presliding_new(amo_statistics *s)
{
  const amo_model *m = s->model;
  s->giving = amo_zalloc(s->contacts, sizeof *s->giving);
  if (!s->giving) return AMO_ENOMEM;
  for (uint32_t c = 0; c < s->contacts; c++) {
    amo_giving *g = &s->giving[c];
    if (m->contact[c].rest != AMO_YIELDS) continue;
    g->kind = has_elements(m, c)                      ? AMO_GIVES_BY_ELEMENTS
              : find_deflection(m, c, &g->deflection) ? AMO_GIVES_BY_BRISTLES
                                                      : AMO_GIVES_SOMEHOW;
  }
  return AMO_OK;
}

void amo_presliding_note(amo_giving *g, bool gives, double t, double duration)
{
  if (!(duration > AMO_CANCELLED * fabs(t))) return;
  g->phases += gives && !g->now;
  g->now = gives;
  if (gives) g->time += duration;
}

typedef struct sign_changes {
  double at[2 * AMO_STEP_POINTS + 2];
  size_t n;
} sign_changes;

static int ascending(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double between(const amo_statistics *s, const double *row, double x)
{
  return amo_row_between(row, s->samples->place, s->barycentric, x);
}

/// Where the polynomial through the points of the step changes its sign.
static void add_zeros(const amo_statistics *s, const double *row, sign_changes *out)
{
  const amo_step_samples *p = s->samples;
  for (int i = 0; i + 1 < p->points; i++) {
    if (!(row[i] < 0 && row[i + 1] > 0) && !(row[i] > 0 && row[i + 1] < 0)) continue;
    amo_zero z = {.a = p->place[i], .b = p->place[i + 1], .fa = row[i], .fb = row[i + 1]};
    double x = p->place[i];
    while (amo_zero_next(&z, &x)) {
      const double f = between(s, row, x);
      if (f == 0) break;
      amo_zero_take(&z, x, f);
    }
    out->at[out->n++] = x;
  }
}

static void look_at_bristles(amo_statistics *s, amo_giving *g, const double *slip, const double *rate)
{
  const amo_step_samples *p = s->samples;
  double left[AMO_STEP_POINTS] = {0};  // of the deflection's rate, beyond half of the slip
  sign_changes z = {.at = {0}, .n = 1};
  for (int i = 0; i < p->points; i++) left[i] = rate[i] - 0.5 * slip[i];
  add_zeros(s, slip, &z);
  add_zeros(s, left, &z);
  z.at[z.n++] = 1;
  qsort(z.at, z.n, sizeof *z.at, ascending);
  for (size_t i = 0; i + 1 < z.n; i++) {
    const double middle = 0.5 * (z.at[i] + z.at[i + 1]);
    const bool bends = between(s, left, middle) * between(s, slip, middle) >= 0;
    amo_presliding_note(g, bends, p->from + p->length, (z.at[i + 1] - z.at[i]) * p->length);
  }
}

/// Number of a deflection among the further states of a part.
static size_t in_part(const amo_statistics *s, const amo_stretch *x, size_t deflection)
{
  const size_t before = 2 * (size_t)x->sim->m->nq;
  size_t i = before;
  while (x->state[i] != 2 * s->coordinates + deflection) i++;
  return i - before;
}

void amo_presliding_take(amo_statistics *s, const amo_sim *sim, const amo_stretch *part)
{
  const size_t contacts = part != NULL ? part->contacts : s->contacts;
  for (size_t c = 0; c < contacts; c++) {
    amo_giving *g = &s->giving[part != NULL ? part->contact[c] : c];
    if (g->kind != AMO_GIVES_BY_BRISTLES || sim->step_mode[c] == AMO_OPEN) continue;
    const size_t z = part != NULL ? in_part(s, part, g->deflection) : g->deflection;
    look_at_bristles(s, g, amo_step_row(s->samples->slip, c), amo_step_row(s->samples->rate, z));
  }
}
