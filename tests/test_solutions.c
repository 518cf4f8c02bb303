// SPDX-License-Identifier: Apache-2.0
/// The list of solutions of one frictional pair against an enumeration written here from the formulas of the book
/// (Le xuan Anh, (2.59)-(2.63), (2.75)), on random problems and on the borders between their classes.
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
#include "support/near.h"
#include "support/probe.h"

enum { PROBLEMS = 200000, TURNED = 20000, MOST = 8 };

// ---- a problem and its solutions by hand ----

typedef struct problem {
  double A, A12, A22, hdA, B, Q1, Q2, p, mu, v;  // v: rate of q
} problem;

typedef struct answer {
  int direction, reaction_sign, stable;  // 0: rest; sign of R; as amo_solution
  double R, a;
} answer;

typedef struct answers {
  answer item[MOST];
  int count;
} answers;

static int sign(double x)
{
  return (x > 0.0) - (x < 0.0);
}

typedef struct pair {
  double X, Y, L, R0, size;
} pair;

static pair pair_of(const problem *k)
{
  double X = k->Q1 - k->hdA * k->v * k->v, Y = k->Q2 - k->B * k->v * k->v;
  return (pair){X, Y, k->p * k->A12 / k->A, k->A12 / k->A * X - Y, fabs(k->A12 / k->A * X) + fabs(Y)};
}

static void add(answers *s, answer x)
{
  assert_true(s->count < MOST);
  s->item[s->count++] = x;
}

/// Slip that way with both signs of the reaction; at rest it must also accelerate that way.
static void slips(const problem *k, int direction, answers *s)
{
  pair f = pair_of(k);
  for (int reaction_sign = -1; reaction_sign <= 1; reaction_sign += 2) {
    double factor = 1.0 + direction * reaction_sign * k->mu * f.L;
    double R = f.R0 / factor, a = (f.X + direction * reaction_sign * k->mu * k->p * f.Y) / factor / k->A;
    if (factor == 0.0 || sign(R) != reaction_sign || (k->v == 0.0 && sign(a) != direction)) continue;
    add(s, (answer){direction, reaction_sign, factor > 0.0, R, a});
  }
  if (f.R0 == 0.0 && (k->v != 0.0 || sign(f.X) == direction))
    add(s, (answer){direction, 0, -1, 0.0, f.X / k->A});
}

static answers brute_force(const problem *k)
{
  answers s = {.count = 0};
  if (k->v == 0.0 && fabs(k->Q1) <= k->mu * k->p * fabs(k->Q2))
    add(&s, (answer){0, sign(-k->Q2), -1, -k->Q2, 0.0});
  for (int direction = -1; direction <= 1; direction += 2)
    if (k->v == 0.0 || sign(k->v) == direction) slips(k, direction, &s);
  return s;
}

/// Distance to the nearest border between classes, relative: there two right programs may differ by rounding.
static double margin(const problem *k)
{
  pair f = pair_of(k);
  double x = fabs(k->mu * fabs(f.L) - 1.0) / (1.0 + k->mu * fabs(f.L)), y = fabs(f.R0) / f.size;
  double rest = k->mu * k->p * fabs(k->Q2);
  double z = k->v == 0.0 ? fabs(fabs(k->Q1) - rest) / (fabs(k->Q1) + rest) : 1.0;
  return fmin(x, fmin(y, z));
}

// ---- the same by the engine ----

typedef struct engine {
  amo_model *m;
  amo_point *p;
  amo_solutions *s;
  double param[9];
} engine;

static int open_engine(void **state)
{
  engine *e = calloc(1, sizeof *e);
  if (!e) return -1;
  e->m = probe_file("generic-pair.yaml", NULL, 0);
  assert_int_equal(e->m->np, 9);
  assert_int_equal(amo_point_new(e->m, &e->p), AMO_OK);
  assert_int_equal(amo_solutions_new(e->m, &e->s), AMO_OK);
  *state = e;
  return 0;
}

static int close_engine(void **state)
{
  engine *e = *state;
  amo_solutions_free(e->s);
  amo_point_free(e->p);
  amo_model_free(e->m);
  free(e);
  return 0;
}

static void put(engine *e, const char *name, double value)
{
  for (uint32_t i = 0; i < e->m->np; i++)
    if (!strcmp(e->m->param[i].sym.name, name)) {
      e->param[i] = value;
      return;
    }
  fail_msg("no parameter %s", name);
}

static answers by_engine(engine *e, const problem *k)
{
  const double state[4] = {0.0, 0.0, k->v, 0.0};
  put(e, "A", k->A), put(e, "A12", k->A12), put(e, "A22", k->A22), put(e, "hdA", k->hdA), put(e, "B", k->B);
  put(e, "Q1", k->Q1), put(e, "Q2", k->Q2), put(e, "p", k->p), put(e, "mu", k->mu);
  amo_point_parameters(e->p, e->param);
  assert_int_equal(amo_solutions_find(e->s, e->p, 0.0, state, NULL), AMO_OK);
  answers s = {.count = 0};
  for (size_t i = 0; i < e->s->count; i++) {
    const amo_solution *x = &e->s->item[i];
    add(&s, (answer){x->mode[0], x->reaction_sign[0], x->stable, x->reaction[0], x->acc[0]});
    assert_near(x->acc[1], 0.0, 1e-10 * (1.0 + fabs(x->acc[0])) * (1.0 + fabs(k->A12)));
  }
  return s;
}

// ---- comparing ----

static int by_signs(const void *a, const void *b)
{
  const answer *x = a, *y = b;
  return x->direction != y->direction ? x->direction - y->direction : x->reaction_sign - y->reaction_sign;
}

static void show(const char *who, const problem *k, const answers *s)
{
  print_error(
      "%s: A=%.17g A12=%.17g A22=%.17g hdA=%.17g B=%.17g Q1=%.17g Q2=%.17g p=%.17g mu=%.17g q'=%.17g\n", who,
      k->A, k->A12, k->A22, k->hdA, k->B, k->Q1, k->Q2, k->p, k->mu, k->v);
  for (int i = 0; i < s->count; i++)
    print_error("  slip %+d press %+d stable %+d R %.17g q'' %.17g\n", s->item[i].direction,
                s->item[i].reaction_sign, s->item[i].stable, s->item[i].R, s->item[i].a);
}

static bool same_number(double got, double want, double tol)
{
  return fabs(got - want) <= tol * (1.0 + fabs(want));
}

/// Same solutions, in any order. Values to `tol`, less where k = 1 + s mu L nearly vanishes.
static bool same(const problem *k, answers got, answers want, double tol)
{
  bool ok = got.count == want.count;
  qsort(got.item, (size_t)got.count, sizeof(answer), by_signs);
  qsort(want.item, (size_t)want.count, sizeof(answer), by_signs);
  for (int i = 0; ok && i < got.count; i++) {
    const answer *x = &got.item[i], *y = &want.item[i];
    double factor = y->direction ? 1.0 + y->direction * y->reaction_sign * k->mu * pair_of(k).L : 1.0;
    double t = tol * fmax(1.0, 1e-3 / fabs(factor));
    ok = x->direction == y->direction && x->reaction_sign == y->reaction_sign && x->stable == y->stable &&
         same_number(x->R, y->R, t) && same_number(x->a, y->a, t);
  }
  if (!ok) show("got", k, &got), show("expected", k, &want);
  return ok;
}

// ---- random problems ----

static uint64_t seed = 1;

static double uniform(double low, double high)
{
  seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
  uint64_t x = seed ^ (seed >> 33);
  return low + (high - low) * ((double)(x >> 11) / 9007199254740992.0);
}

static problem random_problem(void)
{
  problem k = {.A = exp(uniform(-2, 2)), .A12 = uniform(-3, 3), .hdA = uniform(-2, 2), .B = uniform(-2, 2)};
  k.A22 = k.A12 * k.A12 / k.A + exp(uniform(-2, 2));
  k.Q1 = uniform(-5, 5), k.Q2 = uniform(-5, 5), k.p = exp(uniform(-1.5, 1.5));
  k.mu = uniform(0, 1) < 0.1 ? 0.0 : exp(uniform(-3, 4));  // to 55
  k.v = uniform(0, 1) < 0.4 ? 0.0 : uniform(-3, 3);
  return k;
}

static void enumeration(void **state)
{
  engine *e = *state;
  int wrong = 0, skipped = 0, of_count[MOST] = {0};
  seed = 11;
  for (int i = 0; i < PROBLEMS && wrong < 5; i++) {
    problem k = random_problem();
    if (margin(&k) < 1e-10) {
      skipped++;
      continue;
    }
    answers got = by_engine(e, &k), want = brute_force(&k);
    wrong += !same(&k, got, want, 1e-10);
    of_count[want.count]++;
  }
  print_message("solutions of %d problems: none %d, one %d, two %d, three %d; too close to a border: %d\n",
                PROBLEMS, of_count[0], of_count[1], of_count[2], of_count[3], skipped);
  assert_int_equal(wrong, 0);
  assert_true(skipped < PROBLEMS / 1000);
  for (int n = 0; n <= 3; n++) assert_true(of_count[n] > PROBLEMS / 200);  // every class has been met
}

// Slips and tangential impact together, or solutions at rest, are odd in number; Theorems 1 to 3 say how many.
static void parity(void **state)
{
  engine *e = *state;
  seed = 12;
  for (int i = 0; i < PROBLEMS / 2; i++) {
    problem k = random_problem();
    pair f = pair_of(&k);
    if (margin(&k) < 1e-10) continue;
    answers got = by_engine(e, &k);
    const amo_influence *in = &e->s->influence[0];
    bool paradox = k.mu * fabs(f.L) > 1.0;
    double x = k.Q1, y = k.p * k.Q2;
    assert_near(in->L, f.L, 1e-10 * (1.0 + fabs(f.L)));
    assert_near(in->R0, f.R0, 1e-10 * (1.0 + fabs(f.R0)));
    assert_near(in->mu, k.mu, 0.0);
    int want;
    if (k.v != 0.0) {
      assert_near(in->impulse_normal, -k.A12 * k.v, 1e-10 * (1.0 + fabs(k.A12 * k.v)));
      assert_near(in->impulse_tangent, -k.A * k.v / k.p, 1e-10 * (1.0 + fabs(k.A * k.v / k.p)));
      int impact = fabs(in->impulse_tangent) <= k.mu * fabs(in->impulse_normal);
      assert_int_equal(impact, paradox);
      assert_int_equal((got.count + impact) % 2, 1);
      want = !paradox ? 1 : sign(k.v) == sign(f.R0) * sign(f.L) ? 2 : 0;
    } else {
      assert_int_equal(got.count % 2, 1);
      want =
          paradox && fabs(x) <= k.mu * fabs(y) && sign(x) == sign(f.L * y) && fabs(y) < fabs(f.L * x) ? 3 : 1;
    }
    if (got.count != want) show("parity", &k, &got);
    assert_int_equal(got.count, want);
    assert_int_equal(e->s->kind, want == 0 ? AMO_NONE : want == 1 ? AMO_UNIQUE : AMO_SEVERAL);
  }
}

// ---- what must not matter ----

typedef struct turn {
  const char *what;
  double q, m, force, mass;  // q = q*s; normal m -> m*normal (+1, -1); units of force; masses (with forces)
} turn;

/// The same problem in the variable s with q = c s, and so on.
static problem turned(const problem *k, const turn *t)
{
  double c = t->q, f = t->force * t->mass;
  return (problem){.A = c * c * k->A * t->mass,
                   .A12 = c * t->m * k->A12 * t->mass,
                   .A22 = k->A22 * t->mass,
                   .hdA = c * c * c * k->hdA * f,
                   .B = c * c * t->m * k->B * f,
                   .Q1 = c * k->Q1 * f,
                   .Q2 = t->m * k->Q2 * f,
                   .p = fabs(c) * k->p,
                   .mu = k->mu,
                   .v = k->v / c};
}

static void invariance(void **state)
{
  static const turn turns[] = {{"normal", 1, -1, 1, 1},      {"coordinate", -1, 1, 1, 1},
                               {"scale of q", 3.7, 1, 1, 1}, {"force", 1, 1, 13.0, 1},
                               {"mass", 1, 1, 1, 0.07},      {"power of 2", 0.25, 1, 1, 1},
                               {"all", -0.3, -1, 0.4, 21.0}};
  engine *e = *state;
  int wrong = 0;
  seed = 13;
  for (int i = 0; i < TURNED && wrong < 5; i++) {
    problem k = random_problem();
    if (margin(&k) < 1e-9) continue;
    answers was = by_engine(e, &k);
    for (size_t j = 0; j < sizeof turns / sizeof *turns; j++) {
      const turn *t = &turns[j];
      problem other = turned(&k, t);
      answers want = was, got = by_engine(e, &other);
      for (int n = 0; n < want.count; n++) {
        answer *x = &want.item[n];
        x->direction *= sign(t->q), x->reaction_sign *= (int)t->m;
        x->R *= t->m * t->force * t->mass, x->a *= t->force / t->q;
      }
      if (same(&other, got, want, 1e-10)) continue;
      print_error("turn: %s\n", t->what);
      wrong++;
    }
  }
  assert_int_equal(wrong, 0);
}

// ---- stability and choice ----

// Rest where it is possible, else the stable slip with the sign that R has without friction; none when there is none.
static void choice(void **state)
{
  engine *e = *state;
  seed = 14;
  for (int i = 0; i < PROBLEMS / 4; i++) {
    problem k = random_problem();
    if (margin(&k) < 1e-10) continue;
    answers got = by_engine(e, &k);
    pair f = pair_of(&k);
    bool rest = k.v == 0.0 && fabs(k.Q1) <= k.mu * k.p * fabs(k.Q2);
    assert_true(e->s->why && *e->s->why);
    assert_int_equal(e->s->chosen >= 0, got.count > 0);
    for (int n = 0; n < got.count; n++) {
      const answer *x = &got.item[n];
      double factor = 1.0 + x->direction * x->reaction_sign * k.mu * f.L;
      assert_int_equal(x->stable, x->direction == 0 ? -1 : factor > 0.0);
      if (x->direction) assert_int_equal(x->stable, x->reaction_sign == sign(f.R0));
    }
    if (got.count == 0) continue;
    const answer *x = &got.item[e->s->chosen];
    if (rest)
      assert_int_equal(x->direction, 0);
    else
      assert_true(x->stable == 1 && x->reaction_sign == sign(f.R0));
    // Pulled along sign Q1, and friction never exceeds its bound.
    if (!rest && k.v == 0.0) assert_int_equal(x->direction, sign(k.Q1));
    for (size_t n = 0; n < e->s->count; n++)
      assert_true(fabs(e->s->item[n].lambda[0]) <= k.mu * fabs(e->s->item[n].reaction[0]) * (1 + 1e-10));
  }
}

// ---- borders ----

/// A continuum of reactions; without any load at rest there is none.
static bool degenerate(const problem *k)
{
  pair f = pair_of(k);
  return f.R0 == 0.0 && k->mu * fabs(f.L) == 1.0 && (k->v != 0.0 || k->Q1 != 0.0);
}

// Small binary fractions: every term is exact, so that borders are met, and are decided exactly.
static void all_borders(engine *e, bool starting)
{
  static const double half[] = {-2, -1, -0.5, 0, 0.5, 1, 2}, part[] = {0, 0.5, 1, 2, 4};
  int wrong = 0, total = 0, continua = 0, none = 0, twofold = 0;
  for (int i = 0; i < 7 * 7 * 7 * 5 * 3; i++) {
    const int a = i % 7, x = i / 7 % 7, y = i / 49 % 7, u = i / 343 % 5, v = i / 1715 - 1;
    problem k = {
        .A = 1, .A12 = half[a], .A22 = 5, .Q1 = half[x], .Q2 = half[y], .p = 1, .mu = part[u], .v = v};
    if (starting != (v == 0 && pair_of(&k).R0 == 0.0)) continue;
    answers want = brute_force(&k), got = by_engine(e, &k);
    total++;
    if (degenerate(&k)) {
      continua++;
      if (e->s->kind != AMO_DEGENERATE && ++wrong < 6) show("not called degenerate", &k, &got);
    } else {
      none += want.count == 0, twofold += want.count == 2 && v == 0;
      wrong += wrong < 6 ? !same(&k, got, want, 1e-10) : got.count != want.count;
    }
  }
  print_message(
      "borders: %d problems, %d degenerate, %d without solution, %d with rest and one slip; %d wrong\n",
      total, continua, none, twofold, wrong);
  assert_int_equal(wrong, 0);
}

static void borders(void **state)
{
  all_borders(*state, false);
}

// R0 = 0 at rest: a slip without reaction may begin, beside rest where mu |L| >= 1 (there the two slips coincide).
static void borders_of_start(void **state)
{
  all_borders(*state, true);
}

// No slip along the motion: friction does no work and nothing can be paradoxical.
static void no_slip(void **state)
{
  engine *e = *state;
  seed = 15;
  for (int i = 0; i < 1000; i++) {
    problem k = random_problem();
    k.p = 0.0;
    pair f = pair_of(&k);
    answers got = by_engine(e, &k);
    assert_int_equal(got.count, 1);
    assert_near(got.item[0].R, f.R0, 1e-10 * (1.0 + fabs(f.R0)));
    assert_near(got.item[0].a, f.X / k.A, 1e-10 * (1.0 + fabs(f.X / k.A)));
    assert_int_equal(e->s->kind, AMO_UNIQUE);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(enumeration), cmocka_unit_test(parity),  cmocka_unit_test(invariance),
      cmocka_unit_test(choice),      cmocka_unit_test(borders), cmocka_unit_test(borders_of_start),
      cmocka_unit_test(no_slip),
  };
  return cmocka_run_group_tests_name("solutions", tests, open_engine, close_engine);
}
