// SPDX-License-Identifier: Apache-2.0
#include "explore/rest/region.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "contact/linear.h"
#include "explore/rest/rest_state.h"

enum { MOST_CORNERS = 64 };

/// A convex polygon (two loads) or an interval (one; y = 0).
typedef struct polygon {
  double x[MOST_CORNERS], y[MOST_CORNERS];
  int n;
} polygon;

typedef struct region {
  amo_region seen;  // what the caller sees; first, so that one pointer serves both
  amo_arena memory;
  uint32_t contacts;
  amo_region_piece *piece;
  amo_region_line *line;
  amo_region_area *several;
  double (*vertex)[2];
  size_t piece_cap, line_cap, several_cap, vertex_cap;
} region;

// ---- polygons ----

static double value(const double c[3], double x, double y)
{
  return c[0] + c[1] * x + c[2] * y;
}

/// Where the border crosses an edge, at the part f of it; on edges along an axis from the border's own equation, so
/// that no digit is lost to the size of the frame.
static void meet(const double c[3], double f, const double edge[4], double *x, double *y)
{
  *x = edge[1] == edge[3] && c[1] != 0.0 ? -(c[0] + c[2] * edge[1]) / c[1] + 0.0
                                         : edge[0] + f * (edge[2] - edge[0]);
  *y = edge[0] == edge[2] && c[2] != 0.0 ? -(c[0] + c[1] * edge[0]) / c[2] + 0.0
                                         : edge[1] + f * (edge[3] - edge[1]);
  if (edge[1] == edge[3]) *y = edge[1];
  if (edge[0] == edge[2]) *x = edge[0];
}

/// The part with c >= 0 (Sutherland and Hodgman). What is below rounding of its terms is on the border.
static polygon cut(const polygon *p, const double c[3])
{
  polygon out = {.n = 0};
  for (int i = 0; i < p->n; i++) {
    int j = (i + 1) % p->n;
    double u = value(c, p->x[i], p->y[i]), v = value(c, p->x[j], p->y[j]);
    double size = fabs(c[0]) + fabs(c[1] * p->x[i]) + fabs(c[2] * p->y[i]);
    if (fabs(u) <= 4e-16 * size) u = 0.0;
    if (u >= 0.0 && out.n < MOST_CORNERS) {
      out.x[out.n] = p->x[i];
      out.y[out.n++] = p->y[i];
    }
    if (((u > 0.0 && v < 0.0) || (u < 0.0 && v > 0.0)) && out.n < MOST_CORNERS) {
      meet(c, u / (u - v), (const double[4]){p->x[i], p->y[i], p->x[j], p->y[j]}, &out.x[out.n],
           &out.y[out.n]);
      out.n++;
    }
  }
  return out;
}

/// Neighbours that are the same corner up to rounding become one.
static void tidy(polygon *p, const amo_region *r)
{
  double size[2] = {r->axis[0].to - r->axis[0].from, r->axes > 1 ? r->axis[1].to - r->axis[1].from : 1.0};
  int n = 0;
  for (int i = 0; i < p->n; i++) {
    int j = (i + 1) % p->n;
    if (p->n > 1 && fabs(p->x[i] - p->x[j]) <= 1e-14 * size[0] && fabs(p->y[i] - p->y[j]) <= 1e-14 * size[1])
      continue;
    p->x[n] = p->x[i];
    p->y[n++] = p->y[i];
  }
  p->n = n;
}

static double measure(const polygon *p, size_t axes)
{
  double area = 0.0;
  if (axes == 1) return p->n == 2 ? fabs(p->x[1] - p->x[0]) : 0.0;
  for (int i = 0; i < p->n; i++) {
    int j = (i + 1) % p->n;
    area += 0.5 * (p->x[i] * p->y[j] - p->x[j] * p->y[i]);
  }
  return fabs(area);
}

static polygon whole(const amo_region *r)
{
  const amo_axis *x = &r->axis[0], *y = &r->axis[1];
  if (r->axes == 1) return (polygon){{x->from, x->to}, {0}, 2};
  return (polygon){{x->from, x->to, x->to, x->from}, {y->from, y->from, y->to, y->to}, 4};
}

static polygon both(const polygon *a, const polygon *b, size_t axes)
{
  polygon out = *a;
  if (axes == 1) {
    out.x[0] = fmax(fmin(a->x[0], a->x[1]), fmin(b->x[0], b->x[1]));
    out.x[1] = fmin(fmax(a->x[0], a->x[1]), fmax(b->x[0], b->x[1]));
    out.n = out.x[0] < out.x[1] ? 2 : 0;
    return out;
  }
  double turn = 0.0;  // orientation of b
  for (int i = 0; i < b->n; i++) {
    int j = (i + 1) % b->n;
    turn += b->x[i] * b->y[j] - b->x[j] * b->y[i];
  }
  for (int i = 0; i < b->n; i++) {
    int j = (i + 1) % b->n;
    double s = turn < 0.0 ? -1.0 : 1.0, dx = s * (b->x[j] - b->x[i]), dy = s * (b->y[j] - b->y[i]);
    const double c[3] = {dy * b->x[i] - dx * b->y[i], -dy, dx};
    out = cut(&out, c);
  }
  return out;
}

static polygon polygon_of(const amo_region_area *a)
{
  polygon p = {.n = (int)a->corners};
  memcpy(p.x, a->x, a->corners * sizeof *p.x);
  memcpy(p.y, a->y, a->corners * sizeof *p.y);
  return p;
}

static bool keep_area(region *r, const polygon *p, amo_region_area *out)
{
  double *x, *y;
  AMO_TAKE(&r->memory, double, (size_t)p->n + 1, &x, &y);
  if (r->memory.failed) return false;
  memcpy(x, p->x, (size_t)p->n * sizeof *x);
  memcpy(y, p->y, (size_t)p->n * sizeof *y);
  *out = (amo_region_area){(size_t)p->n, x, y};
  return true;
}

// ---- collecting ----

/// A border of the rest region as c0 + c1 x + c2 y = 0, scaled so that (c1, c2) has length 1.
static amo_status add_line(region *r, const amo_affine *f)
{
  const double length = hypot(f->c[1], f->c[2]);
  amo_region_line l = {.contact = f->contact, .what = (amo_region_border)f->what};
  if (!(length > 0.0)) return AMO_OK;
  const double sign = f->c[1] < 0.0 || (f->c[1] == 0.0 && f->c[2] < 0.0) ? -1.0 : 1.0;
  for (int i = 0; i < 3; i++) l.c[i] = sign * f->c[i] / length + 0.0;
  for (size_t k = 0; k < r->seen.lines; k++) {
    bool same = true;
    for (int i = 0; i < 3; i++) same &= !(fabs(r->line[k].c[i] - l.c[i]) > 1e-12);
    if (same) return AMO_OK;
  }
  if (!AMO_ROOM(r->line, r->seen.lines, r->line_cap)) return AMO_ENOMEM;
  r->line[r->seen.lines++] = l;
  return AMO_OK;
}

static amo_status keep(void *ctx, const amo_piece *piece)
{
  region *r = ctx;
  const uint32_t nc = r->contacts;
  amo_status st = AMO_OK;
  polygon p = whole(&r->seen);
  bool rest = true;
  for (uint32_t c = 0; c < nc; c++) rest &= piece->mode[c] == 0;
  if (rest && !piece->held) return AMO_OK;
  for (size_t i = 0; st == AMO_OK && i < piece->faces; i++) {
    p = cut(&p, piece->face[i].c);
    if (rest && piece->face[i].what <= AMO_FACE_LIMIT_MINUS) st = add_line(r, &piece->face[i]);
  }
  tidy(&p, &r->seen);
  if (st != AMO_OK || !(measure(&p, r->seen.axes) > 0.0)) return st;
  signed char *mode, *sign;
  amo_region_piece kept = {.rest = rest};
  AMO_TAKE(&r->memory, signed char, nc + 1u, &mode, &sign);
  if (!keep_area(r, &p, &kept.area) || !AMO_ROOM(r->piece, r->seen.pieces, r->piece_cap)) return AMO_ENOMEM;
  memcpy(mode, piece->mode, nc);
  memcpy(sign, piece->reaction_sign, nc);
  kept.mode = mode, kept.reaction_sign = sign;
  r->piece[r->seen.pieces++] = kept;
  return AMO_OK;
}

// ---- what follows from the pieces ----

static bool is_known_vertex(const region *r, const polygon *frame, double x, double y)
{
  const amo_axis *axis = r->seen.axis;
  for (int j = 0; j < frame->n; j++)
    if (x == frame->x[j] && y == frame->y[j]) return true;
  for (size_t k = 0; k < r->seen.vertices; k++)
    if (fabs(r->vertex[k][0] - x) <= 1e-13 * (axis[0].to - axis[0].from) &&
        fabs(r->vertex[k][1] - y) <= 1e-13 * (axis[1].to - axis[1].from))
      return true;
  return false;
}

/// Corners of the rest region that are not corners of the frame: where its borders meet.
static amo_status find_vertices(region *r)
{
  const polygon frame = whole(&r->seen);
  for (size_t i = 0; i < r->seen.pieces; i++) {
    const amo_region_area *a = &r->piece[i].area;
    for (size_t k = 0; r->piece[i].rest && k < a->corners; k++) {
      if (is_known_vertex(r, &frame, a->x[k], a->y[k])) continue;
      if (!AMO_ROOM(r->vertex, r->seen.vertices, r->vertex_cap)) return AMO_ENOMEM;
      r->vertex[r->seen.vertices][0] = a->x[k];
      r->vertex[r->seen.vertices++][1] = a->y[k];
    }
  }
  return AMO_OK;
}

static bool same_corners(const double *a, const double *b, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (fabs(a[i] - b[i]) > fmax(fabs(a[i]), fabs(b[i])) * DBL_EPSILON) return false;
  return true;
}

/// Two slips (one for each sign of the reaction) often share their region.
static amo_status add_several(region *r, const polygon *p)
{
  amo_region_area a;
  for (size_t i = 0; i < r->seen.severals; i++) {
    const amo_region_area *b = &r->several[i];
    if (b->corners == (size_t)p->n && same_corners(b->x, p->x, b->corners) &&
        same_corners(b->y, p->y, b->corners))
      return AMO_OK;
  }
  if (!keep_area(r, p, &a) || !AMO_ROOM(r->several, r->seen.severals, r->several_cap)) return AMO_ENOMEM;
  r->several[r->seen.severals++] = a;
  return AMO_OK;
}

/// Where rest and motion are both possible, and how much of the frame rest covers.
static amo_status find_several(region *r)
{
  const size_t axes = r->seen.axes;
  const polygon frame = whole(&r->seen);
  amo_status st = AMO_OK;
  double share = 0.0;
  for (size_t i = 0; st == AMO_OK && i < r->seen.pieces; i++) {
    if (!r->piece[i].rest) continue;
    const polygon mine = polygon_of(&r->piece[i].area);
    share += measure(&mine, axes);
    for (size_t j = 0; st == AMO_OK && j < r->seen.pieces; j++) {
      if (r->piece[j].rest) continue;
      const polygon other = polygon_of(&r->piece[j].area);
      polygon p = both(&mine, &other, axes);
      tidy(&p, &r->seen);
      if (measure(&p, axes) > 1e-13 * measure(&frame, axes)) st = add_several(r, &p);
    }
  }
  r->seen.share = share / measure(&frame, axes);
  return st;
}

amo_status amo_region_of(const amo_values *v, double t, const double *state, bool started,
                         const amo_axis *axis, size_t axes, const char **why, amo_region **out)
{
  region *r = amo_zalloc(1, sizeof *r);
  amo_linear *l = NULL;
  amo_point *p = NULL;
  size_t param[2] = {0};
  *out = NULL;
  *why = "";
  if (!r) return AMO_ENOMEM;
  r->contacts = v->model->nc;
  r->seen.axes = axes;
  for (size_t i = 0; i < axes; i++) param[i] = axis[i].index, r->seen.axis[i] = axis[i];
  amo_status st = amo_linear_new(v->model, param, axes, started, why, &l);
  if (st == AMO_OK) st = amo_point_new(v->model, &p);
  if (st == AMO_OK) {
    amo_point_parameters(p, v->param);
    st = amo_linear_visit(l, p, t, state, why, keep, r);
  }
  if (st == AMO_OK && axes > 1) st = find_vertices(r);
  if (st == AMO_OK) st = find_several(r);
  amo_point_free(p);
  amo_linear_free(l);
  r->seen.piece = r->piece;
  r->seen.line = r->line;
  r->seen.several = r->several;
  r->seen.vertex = (const double(*)[2])r->vertex;
  if (st == AMO_OK)
    *out = &r->seen;
  else
    amo_region_free(&r->seen);
  return st;
}

void amo_region_free(amo_region *seen)
{
  region *r = (region *)(void *)seen;
  if (!r) return;
  free(r->piece);
  free(r->line);
  free(r->several);
  free(r->vertex);
  amo_arena_free(&r->memory);
  free(r);
}

amo_status amo_region_find(const amo_model *m, const amo_rest_opts *opts, const amo_axis *axis, size_t axes,
                           amo_diags *diags, amo_region **out)
{
  double t, *state = NULL;
  const amo_values *v;
  const char *why = "";
  if (!m || !axis || !out || axes < 1 || axes > 2) return AMO_ERANGE;
  *out = NULL;
  for (size_t i = 0; i < axes; i++)
    if (axis[i].kind != AMO_AXIS_PARAMETER || axis[i].index >= m->np || !(axis[i].from < axis[i].to))
      return AMO_ERANGE;
  amo_status st = amo_rest_start(m, opts, &v, &t, &state);
  if (st == AMO_OK) st = amo_region_of(v, t, state, !opts || !opts->state, axis, axes, &why, out);
  free(state);
  if (st == AMO_ELIMIT) amo_error(diags, (amo_at){0}, NULL, "too many contacts to enumerate");
  if (st == AMO_ENOANSWER)
    amo_error(diags, (amo_at){0}, NULL,
              "a region needs parameters that enter the loads linearly and nothing else: %s", why);
  return st;
}
