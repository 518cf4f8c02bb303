// SPDX-License-Identifier: Apache-2.0
/// The search that prunes against the one that visits every combination of modes: the same solutions of random blocks of guides,
/// supports and pressed contacts, at rest and moving, with general numbers and with small ones that meet on borders (there only where
/// both were decided in the same precision: the more combinations are visited, the more often one of them is not told in double).
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "contact/solutions.h"
#include "support/probe.h"

enum { PROBLEMS = 800, MOST_CONTACTS = 5, COORDINATES = 3 };

static uint64_t seed;

static unsigned draw(unsigned n)
{
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(seed >> 33) % n;
}

static double number(bool general)
{
  return general ? (draw(4001) - 2000.0) / 1000.0 + draw(1000) * 1e-7 : (double)draw(5) - 2.0;
}

static void put_row(char *text, size_t size, const double *r, const char *rate)
{
  const size_t n = strlen(text);
  snprintf(text + n, size - n, "%.17g*x%s + %.17g*y%s + %.17g*f%s", r[0], rate, r[1], rate, r[2], rate);
}

/// Normal and slip of a contact, not parallel.
static void draw_rows(bool general, double n[3], double w[3])
{
  do {
    for (int i = 0; i < 3; i++) {
      n[i] = number(general);
      w[i] = number(general);
    }
  } while (n[0] * w[1] == n[1] * w[0] && n[1] * w[2] == n[2] * w[1] && n[0] * w[2] == n[2] * w[0]);
}

/// A block of contacts on three coordinates; true: of general numbers.
static bool write_problem(char *text, size_t size)
{
  const bool general = draw(2), moving = draw(3) == 0;
  const unsigned contacts = 2 + draw(MOST_CONTACTS - 1);
  snprintf(text, size,
           "amontons: 1\nname: block\ncoordinates: [x, y, f]\nenergy: {kinetic: \"(x'^2 + y'^2 + f'^2)/2\"}\n"
           "forces: {x: %.17g, y: %.17g, f: %.17g}\ncontacts:\n",
           number(general), number(general), number(general));
  for (unsigned c = 0; c < contacts; c++) {
    const unsigned kind = draw(5);
    double normal[3], slip[3];
    draw_rows(general, normal, slip);
    size_t n = strlen(text);
    snprintf(text + n, size - n, "  c%u: {%s: \"", c, kind < 2 ? "guide" : kind < 4 ? "support" : "pressed");
    if (kind < 4)
      put_row(text, size, normal, "");
    else
      strcat(text, "1");
    strcat(text, "\", slip: \"");
    put_row(text, size, slip, "'");
    n = strlen(text);
    snprintf(text + n, size - n, "%s\", law: {type: coulomb, mu: %.17g}}\n", moving && draw(2) ? " + 1" : "",
             fabs(number(general)));
  }
  return general;
}

typedef struct engine {
  amo_model *m;
  amo_point *p;
  amo_solutions *s;
  amo_status status;
} engine;

static engine solve(const char *text, double few)
{
  const double state[2 * COORDINATES] = {0};
  engine e = {.m = probe_text(text, NULL, 0)};
  assert_int_equal(amo_point_new(e.m, &e.p), AMO_OK);
  assert_int_equal(amo_solutions_new(e.m, &e.s), AMO_OK);
  e.s->few = few;
  e.status = amo_solutions_find(e.s, e.p, 0.0, state, NULL);
  return e;
}

static void release(engine *e)
{
  amo_solutions_free(e->s);
  amo_point_free(e->p);
  amo_model_free(e->m);
}

static bool same_solution(const amo_model *m, const amo_solution *x, const amo_solution *y)
{
  if (memcmp(x->mode, y->mode, m->nc) != 0) return false;
  for (uint32_t k = 0; k < COORDINATES; k++)  // of a continuum another one may be shown
    if (!x->picked && fabs(x->acc[k] - y->acc[k]) > 1e-9 * (1.0 + fabs(x->acc[k]))) return false;
  for (uint32_t c = 0; c < m->nc; c++)  // what is not determined may be shared in another way
    if (!x->loose[c] && fabs(x->reaction[c] - y->reaction[c]) > 1e-9 * (1.0 + fabs(x->reaction[c])))
      return false;
  return true;
}

/// On borders who visits all also keeps supports that open with an acceleration of nothing.
static bool same(bool general, const engine *a, const engine *b)
{
  if (a->status != b->status) return false;
  if (a->status != AMO_OK || (!general && a->s->exact != b->s->exact)) return true;
  if ((general && a->s->count != b->s->count) || !a->s->complete) return false;
  for (size_t i = 0; i < a->s->count; i++) {
    bool found = false;
    for (size_t j = 0; j < b->s->count && !found; j++)
      found = same_solution(a->m, &a->s->item[i], &b->s->item[j]);
    if (!found) return false;
  }
  return true;
}

static void show(const engine *e)
{
  print_error("status %d class %d\n", (int)e->status, (int)e->s->kind);
  for (size_t i = 0; e->status == AMO_OK && i < e->s->count; i++) {
    const amo_solution *x = &e->s->item[i];
    for (uint32_t c = 0; c < e->m->nc; c++) print_error("  %+d R %.12g", x->mode[c], x->reaction[c]);
    print_error("  acc %.12g %.12g %.12g\n", x->acc[0], x->acc[1], x->acc[2]);
  }
}

static void test_same_solutions(void **state)
{
  (void)state;
  const char *given = getenv("PRUNED_PROBLEMS");
  const long problems = given ? atol(given) : PROBLEMS;
  long solutions = 0, wrong = 0;
  for (long i = 0; i < problems; i++) {
    char text[4096];
    seed = (uint64_t)i * 7919u + 17u;
    const bool general = write_problem(text, sizeof text);
    engine pruned = solve(text, 0.0), all = solve(text, INFINITY);
    if (!same(general, &pruned, &all)) {
      show(&pruned);
      show(&all);
      print_error("%zu solutions for %zu of problem %ld:\n%s\n", pruned.s->count, all.s->count, i, text);
      wrong++;
    }
    solutions += (long)all.s->count;
    release(&pruned);
    release(&all);
  }
  assert_int_equal(wrong, 0);
  assert_true(solutions > problems / 2);
}

/// Where the bound is reached what is found is a part of all, and said to be.
static void test_bound(void **state)
{
  (void)state;
  const double rest[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
  amo_model *m = probe_file("table.yaml", NULL, 0);
  amo_point *p = NULL;
  amo_solutions *s = NULL;
  assert_int_equal(amo_point_new(m, &p), AMO_OK);
  amo_point_parameters(p, amo_model_parameter_values(m));
  assert_int_equal(amo_solutions_new(m, &s), AMO_OK);
  assert_int_equal(amo_solutions_find(s, p, 0.0, rest, NULL), AMO_OK);
  assert_true(s->complete);
  assert_int_equal(s->count, 1);
  s->most_nodes = 2;
  assert_int_equal(amo_solutions_find(s, p, 0.0, rest, NULL), AMO_OK);
  assert_false(s->complete);
  assert_true(s->count <= 1);
  amo_solutions_free(s);
  amo_point_free(p);
  amo_model_free(m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_solutions), cmocka_unit_test(test_bound)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
