// SPDX-License-Identifier: Apache-2.0
/// A map from C: the growth rate of steady sliding over the speed of a belt and the slope of its friction, once as a value of
/// a verb and once by a function of our own, with the border of stability as a curve.
///
///   cc -std=c17 map.c $(pkg-config --cflags --libs amontons) -lm -o map && ./map
#include <amontons/amontons.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char belt[] =
    "amontons: 1\n"
    "parameters: {v: 0.5, d: 0.1}\n"
    "coordinates: [x]\n"
    "particles: {block: {mass: 1, at: [x, 0]}}\n"
    "springs: {spring: {along: x, stiffness: 1}}\n"
    "dampers: {damper: {along: x, damping: d}}\n"
    "contacts: {belt: {pressed: 1, slip: x' - v, law: {type: curve, static: 1, kinetic: 1/(1 + 3*s)}}}\n";

/// Whatever you like may stand here; it is called by several threads at once, so it keeps its work to itself.
static void growth(void *ctx, const double *at, amo_diags *diags, amo_reading *out)
{
  const amo_model *m = ctx;
  amo_values *v = NULL;
  amo_steady *s = NULL;
  amo_steady_opts o = amo_steady_opts_default();
  if (amo_values_new(m, &v) == AMO_OK && amo_values_set(v, 0, at[0]) == AMO_OK &&
      amo_values_set(v, 1, at[1]) == AMO_OK) {
    o.values = v;
    if (amo_steady_find(m, &o, diags, &s) == AMO_OK) {
      out->kind = AMO_READ_NUMBER;
      out->measured = true;  // its sign is a verdict
      out->number = s->growth;
    }
  }
  amo_steady_free(s);
  amo_values_free(v);
}

static int draw(const amo_probe *p, double *sum)
{
  amo_plane_opts o = amo_plane_opts_default();
  amo_plane *m = NULL;
  amo_contours border = {0};
  const double zero = 0.0;
  o.nx = 40, o.ny = 16, o.threads = 2;
  if (amo_plane_run(p, &o, NULL, &m) != AMO_OK) return 1;
  for (size_t j = o.ny; j-- > 0;) {
    for (size_t i = 0; i < o.nx; i++) putchar(m->number[j * o.nx + i] > 0.0 ? '#' : '.');
    putchar('\n');
  }
  if (amo_contours_of_numbers(m, p, &zero, 1, NULL, &border) != AMO_OK || border.count != 1) return 1;
  const amo_contour *c = &border.item[0];
  printf("%s: the border has %zu points, from (%.4f, %.4f) to (%.4f, %.4f)\n", p->of, c->points, c->x[0],
         c->y[0], c->x[c->points - 1], c->y[c->points - 1]);
  *sum = 0.0;  // on it the damper takes what the friction gives, d = 3/(1 + 3 v)^2
  for (size_t i = 0; i < c->points; i++) *sum += fabs(c->y[i] - 3.0 / pow(1.0 + 3.0 * c->x[i], 2));
  amo_contours_free(&border);
  amo_plane_free(m);
  return 0;
}

int main(void)
{
  amo_model *m = NULL;
  amo_axis axis[2];
  amo_probe verb = {0};
  double off[2] = {1.0, 1.0};
  amo_status st = amo_model_parse("belt", belt, strlen(belt), NULL, 0, NULL, &m);
  if (st == AMO_OK) st = amo_axis_of(m, "v", 0.1, 2.0, NULL, &axis[0]);
  if (st == AMO_OK) st = amo_axis_of(m, "d", 0.0, 0.6, NULL, &axis[1]);
  if (st == AMO_OK) st = amo_probe_of(m, NULL, "steady.growth", NULL, axis, 2, false, NULL, &verb);
  if (st != AMO_OK) return 1;
  const amo_probe own = {.of = "growth", .axis = {axis[0], axis[1]}, .axes = 2, .ctx = m, .read = growth};
  const int failed = draw(&verb, &off[0]) + draw(&own, &off[1]);
  amo_probe_free(&verb);
  amo_model_free(m);
  return failed || off[0] > 1e-6 || off[1] > 1e-6;
}
