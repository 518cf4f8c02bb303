// SPDX-License-Identifier: Apache-2.0
// Forces of the contacts as arrows: where they act, which way, and how large.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "ask/describe/draw.h"

#define LONGEST  80.0  // px
#define SHORTEST 16.0

/// The force direction f at the point (x, y) whose generalised force is `row`: J' f = row, J = d(x,y)/dq. False
/// where no unit vector does it: then the contact does not act on this point.
static bool direction(const amo_scene *c, amo_node x, amo_node y, const amo_entry *row, uint32_t entries,
                      double *fx, double *fy)
{
  const amo_model *m = c->m;
  uint32_t n = m->nq;
  amo_node *node = amo_zalloc(3 * (size_t)n, sizeof *node);
  double *v = amo_zalloc(3 * (size_t)n, sizeof *v), xx = 0, xy = 0, yy = 0, bx = 0, by = 0, miss = 0;
  bool good = false;
  if (!node || !v) goto done;
  for (uint32_t j = 0; j < n; j++) {
    node[3 * j] = amo_diff(m->dag, x, m->leaf.q + j);
    node[3 * j + 1] = amo_diff(m->dag, y, m->leaf.q + j);
    node[3 * j + 2] = amo_const(m->dag, 0.0);
  }
  for (uint32_t e = 0; e < entries; e++) node[3 * row[e].col + 2] = row[e].node;
  if (amo_scene_values(c, node, 3 * (size_t)n, v) != AMO_OK) goto done;
  for (uint32_t j = 0; j < n; j++) {
    const double *w = v + 3 * j;
    xx += w[0] * w[0], xy += w[0] * w[1], yy += w[1] * w[1], bx += w[0] * w[2], by += w[1] * w[2];
  }
  double det = xx * yy - xy * xy, trace = xx + yy;
  bool full = det > 1e-12 * trace * trace;  // else the point moves along one direction only
  *fx = full ? (yy * bx - xy * by) / det : bx / trace;
  *fy = full ? (xx * by - xy * bx) / det : by / trace;
  for (uint32_t j = 0; j < n; j++)
    miss = fmax(miss, fabs(v[3 * j] * *fx + v[3 * j + 1] * *fy - v[3 * j + 2]));
  good = miss < 1e-9 && fabs(hypot(*fx, *fy) - 1) < 1e-9;
done:
  free(node);
  free(v);
  return good;
}

/// By a shape of the model; by the geometry of a guide; by the part it is said to act on.
bool amo_draw_contact(const amo_scene *c, uint32_t k, amo_contact_place *out)
{
  const amo_contact *contact = &c->m->contact[k];
  *out = (amo_contact_place){NAN, NAN, NAN, NAN, NAN, NAN, false};
  for (uint32_t i = 0; i < c->s->shapes; i++) {
    const double *v = c->shape[i];
    if (c->s->shape[i].kind != AMO_SHAPE_CONTACT || c->s->shape[i].contact != k) continue;
    double t = hypot(v[2], v[3]), n = hypot(v[4], v[5]);
    *out = (amo_contact_place){v[0], v[1], v[2] / t, v[3] / t, v[4] / n, v[5] / n, false};
    return isfinite(v[0]) && isfinite(v[1]) && t > 0 && n > 0;
  }
  for (int pass = 0; pass < 2; pass++)
    for (uint32_t i = 0; i < c->s->count; i++) {
      const amo_drawn *d = &c->s->item[i];
      if (d->kind != (pass ? AMO_DRAWN_CONTACT : AMO_DRAWN_GUIDE) || strcmp(d->name, contact->sym.name))
        continue;
      if (d->x1 == AMO_NODE_NONE) return false;
      out->x = c->item[5 * i];
      out->y = c->item[5 * i + 1];
      out->at_foot = pass == 1 && !c->s->shapes && !amo_draw_is_traced(c, i);
      if (!direction(c, d->x1, d->y1, contact->w, contact->nw, &out->tx, &out->ty)) out->tx = out->ty = NAN;
      if (contact->kind == AMO_PRESSED ||
          !direction(c, d->x1, d->y1, contact->n, contact->nn, &out->nx, &out->ny))
        out->nx = out->ny = NAN;
      if (!pass && !isfinite(out->nx) &&
          d->curve == AMO_NODE_NONE) {  // the line itself moves with the coordinates
        double size = hypot(c->item[5 * i + 2], c->item[5 * i + 3]);
        out->tx = c->item[5 * i + 2] / size, out->ty = c->item[5 * i + 3] / size;
        out->nx = -out->ty, out->ny = out->tx;
      }
      return isfinite(out->x) && isfinite(out->y);
    }
  return false;
}

/// Where on the page: the foot of a block, the point itself otherwise.
static bool on_page(const amo_scene *c, uint32_t k, const amo_contact_place *p, double *x, double *y)
{
  for (uint32_t i = 0; i < c->s->count && (p->at_foot || c->spread); i++) {
    if (c->s->item[i].kind != AMO_DRAWN_CONTACT || strcmp(c->s->item[i].name, c->m->contact[k].sym.name))
      continue;
    *x = c->place[i].x1;
    *y = c->place[i].y1 + 0.5 * AMO_BLOCK_H;
    return isfinite(*x) && isfinite(*y);
  }
  *x = amo_scene_x(c, p->x);
  *y = amo_scene_y(c, p->y);
  return !c->spread && isfinite(*x) && isfinite(*y);
}

static void arrow(amo_svg *svg, double x, double y, double fx, double fy, double force, double largest,
                  const char *word)
{
  char text[48];
  if (!(fabs(force) > 1e-12 * largest) || !isfinite(fx)) return;
  double length = fmax(SHORTEST, LONGEST * fabs(force) / largest), sign = force < 0 ? -1 : 1;
  snprintf(text, sizeof text, "%s = %.4g", word, fabs(force));
  amo_ink_force(svg, x, y, sign * fx, -sign * fy, length, AMO_RED, text);
}

/// Forces written in the section `draw` that depend on the reactions; their largest, or their arrows.
static double written_forces(const amo_scene *c, double largest, amo_svg *svg)
{
  double most = largest;
  for (uint32_t i = 0; i < c->s->shapes; i++) {
    const amo_shape *s = &c->s->shape[i];
    const double *v = c->shape[i];
    if (!amo_draw_is_result(c, s)) continue;
    double x = amo_scene_x(c, v[0]), y = amo_scene_y(c, v[1]);
    const char *word = s->label ? s->label : s->name;
    double size = s->kind == AMO_SHAPE_FORCE ? hypot(v[2], v[3]) : 0;
    if (isfinite(size)) most = fmax(most, size);
    if (svg && size > 0 && isfinite(size)) arrow(svg, x, y, v[2] / size, v[3] / size, size, largest, word);
    if (svg && s->kind == AMO_SHAPE_MOMENT && fabs(v[2]) > 0) {
      char text[80];
      snprintf(text, sizeof text, "%s = %.4g", word, fabs(v[2]));
      amo_ink_moment(svg, x, y, v[2], text);
    }
  }
  return most;
}

void amo_draw_reactions(const amo_scene *c, amo_svg *svg)
{
  const amo_solutions *s = c->solutions;
  double largest = 0;
  if (!s || s->chosen < 0) return;
  const amo_solution *x = &s->item[s->chosen];
  for (uint32_t k = 0; k < c->m->nc; k++) {
    if (c->m->contact[k].kind != AMO_PRESSED) largest = fmax(largest, fabs(x->reaction[k]));
    largest = fmax(largest, fabs(x->lambda[k]));
  }
  largest = written_forces(c, largest, NULL);
  for (uint32_t k = 0; k < c->m->nc && largest > 0; k++) {
    amo_contact_place p;
    double px = 0, py = 0;
    if (!amo_draw_contact(c, k, &p) || !on_page(c, k, &p, &px, &py)) continue;
    if (c->m->contact[k].kind != AMO_PRESSED) arrow(svg, px, py, p.nx, p.ny, x->reaction[k], largest, "R");
    arrow(svg, px, py, p.tx, p.ty, x->lambda[k], largest, "F");
  }
  if (largest > 0) written_forces(c, largest, svg);
}
