// SPDX-License-Identifier: Apache-2.0
// The path of a point of a mechanism that its guides and constraints leave one freedom: from the state both ways, by
// steps along the tangent of all conditions together, each corrected by Newton's method.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "num/solve.h"
#include "ask/describe/draw.h"

enum { MOST = AMO_TRACED, ROOTS = MOST * (MOST + 1) + 2 * (MOST + 1) };  // coordinates

typedef struct tracer {
  const amo_scene *c;
  uint32_t n;  // coordinates; n - 1 conditions
  amo_node node[ROOTS];
  double value[ROOTS];
  double along[MOST];  // tangent, of length 1
} tracer;

/// Rows: each condition and its derivatives; last the point's x and y and theirs.
static void add_row(tracer *t, uint32_t *rows, amo_node f)
{
  amo_node *row = t->node + (*rows)++ * (t->n + 1);
  row[0] = f;
  for (uint32_t j = 0; j < t->n; j++) row[1 + j] = amo_diff(t->c->m->dag, f, t->c->m->leaf.q + j);
}

static bool begin(tracer *t, const amo_scene *c, amo_node x, amo_node y)
{
  const amo_model *m = c->m;
  uint32_t conditions = 0, rows = 0;
  for (uint32_t k = 0; k < m->nc; k++) conditions += m->contact[k].gap != AMO_NODE_NONE;
  for (uint32_t g = 0; g < m->ng; g++) conditions += m->constraint[g].residual != AMO_NODE_NONE;
  if (m->nq > MOST || conditions + 1 != m->nq) return false;
  *t = (tracer){.c = c, .n = m->nq};
  for (uint32_t k = 0; k < m->nc; k++)
    if (m->contact[k].gap != AMO_NODE_NONE) add_row(t, &rows, m->contact[k].gap);
  for (uint32_t g = 0; g < m->ng; g++)
    if (m->constraint[g].residual != AMO_NODE_NONE) add_row(t, &rows, m->constraint[g].residual);
  add_row(t, &rows, x);
  add_row(t, &rows, y);
  return true;
}

static bool look(tracer *t)
{
  if (amo_scene_values(t->c, t->node, (t->n + 1) * (t->n + 1), t->value) != AMO_OK) return false;
  for (uint32_t i = 0; i < (t->n + 1) * (t->n + 1); i++)
    if (!isfinite(t->value[i])) return false;
  return true;
}

/// Solves for dq: the conditions change by `by` of their values, and dq has the part `forward` along the tangent.
static bool move(tracer *t, double by, double forward, double *dq)
{
  double a[MOST * MOST];
  for (uint32_t i = 0; i + 1 < t->n; i++) {
    const double *row = t->value + i * (t->n + 1);
    memcpy(a + i * t->n, row + 1, t->n * sizeof *a);
    dq[i] = by * row[0];
  }
  memcpy(a + (t->n - 1) * t->n, t->along, t->n * sizeof *a);
  dq[t->n - 1] = forward;
  return amo_solve(a, t->n, dq, 1) == AMO_OK;
}

/// The tangent, on the side of the last one; at first any direction that is not normal to it.
static bool tangent(tracer *t, bool first)
{
  double dq[MOST], size = 0;
  bool good = !first && move(t, 0.0, 1.0, dq);
  for (uint32_t j = 0; first && !good && j < t->n; j++) {
    memset(t->along, 0, sizeof t->along);
    t->along[j] = 1;
    good = move(t, 0.0, 1.0, dq);
  }
  for (uint32_t j = 0; good && j < t->n; j++) size = hypot(size, dq[j]);
  for (uint32_t j = 0; good && j < t->n; j++) t->along[j] = dq[j] / size;
  return good && size > 0;
}

static int one_way(tracer *t, double sign, double pace, int most, double *xy)
{
  const uint32_t n = t->n;
  double *q = t->c->leaf + t->c->m->leaf.q, start[MOST], dq[MOST];
  int count = 0;
  memcpy(start, q, n * sizeof *q);
  bool good = look(t) && tangent(t, true);
  for (uint32_t j = 0; j < n; j++) t->along[j] *= sign;
  while (good && count < most) {
    double dx = 0, dy = 0;
    for (uint32_t j = 0; j < n; j++) {
      dx += t->value[(n - 1) * (n + 1) + 1 + j] * t->along[j];
      dy += t->value[n * (n + 1) + 1 + j] * t->along[j];
    }
    double speed = hypot(dx, dy);
    if (!(speed > 1e-9)) break;  // a dead point
    for (uint32_t j = 0; j < n; j++) q[j] += pace / speed * t->along[j];
    for (int k = 0; k < 3 && (good = look(t) && move(t, -1.0, 0.0, dq)); k++)
      for (uint32_t j = 0; j < n; j++) q[j] += dq[j];
    good = good && look(t) && tangent(t, false);
    if (!good) break;
    xy[2 * count] = t->value[(n - 1) * (n + 1)];
    xy[2 * count++ + 1] = t->value[n * (n + 1)];
  }
  memcpy(q, start, n * sizeof *q);
  return count;
}

int amo_draw_trace(const amo_scene *c, amo_node x, amo_node y, double reach, int most, double *xy)
{
  tracer *t = amo_zalloc(1, sizeof *t);
  int half = (most - 1) / 2, back = 0, n = 0;
  if (t && begin(t, c, x, y) && look(t)) {
    const double here[2] = {t->value[(t->n - 1) * (t->n + 1)], t->value[t->n * (t->n + 1)]};
    back = one_way(t, -1, reach / half, half, xy);
    for (int i = 0, k = back - 1; i < k; i++, k--)  // from the far end to here
      for (int d = 0; d < 2; d++) {
        double swap = xy[2 * i + d];
        xy[2 * i + d] = xy[2 * k + d], xy[2 * k + d] = swap;
      }
    memcpy(xy + 2 * back, here, sizeof here);
    n = back + 1 + one_way(t, 1, reach / half, half, xy + 2 * (back + 1));
  }
  free(t);
  return n;
}
