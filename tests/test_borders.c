// SPDX-License-Identifier: Apache-2.0
/// Borders between the answers are met where the given numbers lie on them, decimals included, and are told apart from
/// their neighbourhood on both sides: mu|L| = 1, R0 = 0, friction at its bound, a slip that vanishes along the motion.
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
#include "expr/bounds.h"
#include "support/near.h"
#include "support/probe.h"

typedef struct case_ {
  amo_model *m;
  amo_point *p;
  amo_solutions *s;
} scene;

static scene open_scene(const char *file, const amo_setting *set, size_t n)
{
  scene x = {.m = probe_file(file, set, n)};
  assert_int_equal(amo_point_new(x.m, &x.p), AMO_OK);
  assert_int_equal(amo_solutions_new(x.m, &x.s), AMO_OK);
  amo_point_parameters(x.p, x.m->file.param);
  assert_int_equal(amo_solutions_find(x.s, x.p, x.m->file.t0, x.m->file.initial, NULL), AMO_OK);
  return x;
}

static void close_scene(scene *x)
{
  amo_solutions_free(x->s);
  amo_point_free(x->p);
  amo_model_free(x->m);
}

/// Modes of the first contact in all solutions, as '0', '+', '-' in order.
static void modes_of(const scene *x, char *out)
{
  size_t n = 0;
  for (; n < x->s->count && n < 15; n++)
    out[n] = x->s->item[n].mode[0] == 0 ? '0' : x->s->item[n].mode[0] > 0 ? '+' : '-';
  out[n] = '\0';
}

// ---- a number with digits: p/q of whole numbers as a decimal text, moved by a relative distance ----

static void decimal(long whole, int digits, char out[40])
{
  char text[40];
  int n = snprintf(text, sizeof text, "%0*ld", digits + 1, whole);
  snprintf(out, 40, "%.*s.%s", n - digits, text, text + n - digits);
}

static void moved(const char *decimal_text, const char *by, char out[120])
{
  snprintf(out, 120, "%s%s", decimal_text, by);
}

static uint64_t seed = 1;

static long whole(long low, long high)
{
  seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
  return low + (long)((seed >> 33) % (uint64_t)(high - low + 1));
}

// ---- block: S = mu m g is still rest ----

static void expect_block(const char *mu, const char *m, const char *g, const char *S, const char *by,
                         const char *want)
{
  char force[120], got[16];
  moved(S, by, force);
  const amo_setting set[] = {{"mu", mu}, {"m", m}, {"g", g}, {"S", force}};
  scene x = open_scene("block-on-plane.yaml", set, 4);
  modes_of(&x, got);
  if (strcmp(got, want) != 0)
    fail_msg("mu %s m %s g %s S %s: modes '%s', expected '%s'", mu, m, g, force, got, want);
  close_scene(&x);
}

static void holding_limit(void **state)
{
  (void)state;
  seed = 3;
  for (int i = 0; i < 300; i++) {
    long mu = whole(1, 99), m = whole(1, 999), g = whole(1, 999);
    char tmu[40], tm[40], tg[40], tS[40];
    decimal(mu, 2, tmu), decimal(m, 1, tm), decimal(g, 2, tg), decimal(mu * m * g, 5, tS);
    expect_block(tmu, tm, tg, tS, "", "0");
    expect_block(tmu, tm, tg, tS, "*(1 - 1e-13)", "0");
    expect_block(tmu, tm, tg, tS, "*(1 + 1e-13)", "+");
    expect_block(tmu, tm, tg, tS, "*(1 + 2e-15)", "+");
    expect_block(tmu, tm, tg, tS, "*-1", "0");
    expect_block(tmu, tm, tg, tS, "*-(1 + 1e-13)", "-");
  }
}

// From far to the last digit, on both sides: one answer at each distance, and the right one.
static void approach(void **state)
{
  (void)state;
  for (int k = 1; k <= 14; k++) {
    char by[40];
    snprintf(by, sizeof by, "*(1 + 1e-%d)", k);
    expect_block("0.3", "1.7", "9.81", "5.0031", by, "+");
    snprintf(by, sizeof by, "*(1 - 1e-%d)", k);
    expect_block("0.3", "1.7", "9.81", "5.0031", by, "0");
  }
}

// Whole numbers are exact, so that one unit in the last place is told from the border.
static void last_place(void **state)
{
  (void)state;
  char next[40], before[40];
  snprintf(next, sizeof next, "%.17g", nextafter(6.0, 7.0));
  snprintf(before, sizeof before, "%.17g", nextafter(6.0, 5.0));
  expect_block("0.5", "3", "4", "6", "", "0");
  expect_block("0.5", "3", "4", next, "", "+");
  expect_block("0.5", "3", "4", before, "", "0");
}

// ---- Painleve-Klein: mu M2 tan(phi) = M1 + M2, and R0 = 0 ----

static scene klein(const char *phi, const char *mu, const char *M1, const char *M2, const char *P1,
                   const char *P2)
{
  const amo_setting set[] = {{"phi", phi}, {"mu", mu}, {"M1", M1}, {"M2", M2}, {"P1", P1}, {"P2", P2}};
  return open_scene("painleve-klein.yaml", set, 6);
}

static void paradox_border(void **state)
{
  (void)state;
  seed = 5;
  for (int i = 0; i < 200; i++) {
    long a = whole(1, 99), b = whole(1, 99), t = whole(1, 40);  // mu = (M1 + M2)/(M2 t), tan(phi) = t
    char M1[40], M2[40], phi[40], mu[80];
    decimal(a, 2, M1), decimal(b, 2, M2);
    snprintf(phi, sizeof phi, "atan(%ld)", t);
    for (int side = -1; side <= 1; side++) {
      snprintf(mu, sizeof mu, "%ld/%ld*(1 %s 1e-13)", a + b, b * t, side < 0 ? "-" : "+ 1e-99 +");
      if (side == 0) snprintf(mu, sizeof mu, "%ld/%ld", a + b, b * t);
      for (int pull = 0; pull < 2; pull++) {
        // q' = 1, L > 0; R0 > 0 for a force on M1: R0/2 on the border; < 0 on M2: none from the border on
        scene x = klein(phi, mu, M1, M2, pull ? "0" : "1", pull ? "1" : "0");
        size_t want = pull ? (side < 0 ? 1u : 0u) : side > 0 ? 2u : 1u;
        if (x.s->border != (side == 0) || x.s->count != want)
          fail_msg("phi %s mu %s M1 %s M2 %s pull %d: border %d count %zu", phi, mu, M1, M2, pull,
                   x.s->border, x.s->count);
        if (side == 0 && !pull)
          assert_near(x.s->item[0].reaction[0], x.s->influence[0].R0 / 2, 1e-12 * fabs(x.s->influence[0].R0));
        close_scene(&x);
      }
    }
  }
}

static void vanishing_reaction(void **state)
{
  (void)state;
  seed = 7;
  for (int i = 0; i < 200; i++) {
    long a = whole(1, 99), b = whole(1, 99), c = whole(1, 99);  // M2 P1 = M1 P2
    char M1[40], M2[40], P1[40], P2[40];
    decimal(a, 2, M1), decimal(b, 2, M2), decimal(a * c, 4, P1), decimal(b * c, 4, P2);
    for (int side = -1; side <= 1; side++) {
      char force[120];
      moved(P2, side < 0 ? "*(1 - 1e-13)" : side > 0 ? "*(1 + 1e-13)" : "", force);
      scene x = klein("1.2", "0.2", M1, M2, P1, force);
      int sign = (x.s->influence[0].R0 > 0) - (x.s->influence[0].R0 < 0);
      if (x.s->zero_reaction != (side == 0) || sign != -side || x.s->count != 1)
        fail_msg("M1 %s M2 %s P1 %s P2 %s: R0 %g, %zu solutions", M1, M2, P1, force, x.s->influence[0].R0,
                 x.s->count);
      close_scene(&x);
    }
  }
}

// ---- the pole of a mesh: no slip at this instant, but the motion makes it begin at once, and friction goes with it ----

static void mesh_pole(void **state)
{
  (void)state;
  static const struct {
    const char *p0;
    int mode;
    double R;
  } row[] = {{"tan(alpha)", 1, 256.7012805955},
             {"tan(alpha)*(1 - 1e-13)", 1, 256.7012805955},
             {"tan(alpha)*(1 + 1e-13)", -1, 276.0934219}};
  for (size_t i = 0; i < 3; i++) {
    const amo_setting set[] = {{"p0", row[i].p0}, {"M1", "25"}, {"w0", "2"}};
    scene x = open_scene("epicyclic-pair.yaml", set, 3);
    assert_int_equal(x.s->count, 1);
    assert_int_equal(x.s->item[0].mode[0], row[i].mode);
    assert_near(x.s->item[0].reaction[0], row[i].R, 1e-9 * row[i].R);
    close_scene(&x);
  }
  const amo_setting still[] = {{"p0", "tan(alpha)"}, {"M1", "25"}, {"w0", "0"}};
  scene x = open_scene("epicyclic-pair.yaml", still, 3);
  assert_int_equal(x.s->count, 1);
  assert_near(x.s->item[0].acc[0], 0.0, 0.0);
  close_scene(&x);
}

// ---- bounds hold: double against long double, and long double against what is known ----

static void bounds_hold(void **state)
{
  (void)state;
  static const char *const file[] = {
      "trammel.yaml",        "link-mechanism.yaml", "crank.yaml",
      "epicyclic-pair.yaml", "gear-pair.yaml",      "stacker-elastic.yaml",
      "lecornu-disc.yaml",   "hump.yaml",           "geared-eccentric-disc.yaml"};
  double tightest = INFINITY;
  seed = 9;
  for (size_t f = 0; f < sizeof file / sizeof *file; f++) {
    amo_model *m = probe_file(file[f], NULL, 0);
    const uint32_t n = amo_prog_registers(m->step), leaves = m->leaf.sigma + m->nc;
    double *reg = calloc(n, sizeof *reg), *err = calloc(n, sizeof *err);
    long double *lreg = calloc(n, sizeof *lreg), *lerr = calloc(n, sizeof *lerr);
    for (int k = 0; k < 200; k++) {
      memcpy(reg + m->leaf.param, m->file.param, m->np * sizeof *reg);
      for (uint32_t i = m->leaf.t; i < m->leaf.sigma; i++)
        reg[i] = (double)whole(1, 1000000) / 500000.0 + 1e-3;
      for (uint32_t i = m->leaf.sigma; i < leaves; i++) reg[i] = whole(0, 1) ? 1.0 : -1.0;
      for (uint32_t i = 0; i < leaves;
           i++) {  // the true leaf lies anywhere within the error of the given one
        err[i] = i < m->leaf.sigma ? amo_given_error(reg[i]) : 0.0;
        lreg[i] = reg[i] + (long double)err[i] * (long double)whole(-1000, 1000) / 1000.0L;
        lerr[i] = 0.0L;
      }
      amo_prog_prepare1(m->step, reg);
      amo_prog_eval1(m->step, reg, NULL);
      amo_bound_prepare1(m->step, reg, err);
      amo_bound1(m->step, reg, err);
      amo_long_eval(m->step, lreg, lerr);
      for (uint32_t i = leaves; i < n; i++) {
        double off = (double)fabsl(lreg[i] - reg[i]);
        if (!isfinite(reg[i]) || !(lerr[i] < INFINITY)) continue;
        if (!(off <= err[i] * (1 + 1e-9) + (double)lerr[i] + 1e-18 * fabs(reg[i])))
          fail_msg("%s register %u: %.17g is off by %g, bound %g", file[f], i, reg[i], off, err[i]);
        if (off > 0) tightest = fmin(tightest, err[i] / off);
      }
    }
    free(reg), free(err), free(lreg), free(lerr);
    amo_model_free(m);
  }
  print_message("bounds hold; the tightest was %.3g times the error\n", tightest);
  assert_true(tightest < 10.0);  // not so wide that they say nothing
}

// ---- redundant guides: the motion is unique where there is no friction; forces are not ----

static void redundant_guides(void **state)
{
  (void)state;
  static const char text[] = "amontons: 1\n"
                             "parameters: {m: 2, g: 10, mu: 0.3, S: 3}\n"
                             "coordinates: [x, y]\n"
                             "gravity: g\n"
                             "particles: {block: {mass: m, at: [x, y]}}\n"
                             "loads: {S: {on: block, force: [S, 0]}}\n"
                             "contacts:\n"
                             "  A: {guide: y, slip: x', law: {type: coulomb, mu: mu}}\n"
                             "  B: {guide: 2*y, slip: x', law: {type: coulomb, mu: mu}}\n"
                             "initial: {x': 1}\n";
  static const char *const mu[] = {"0", "0.3"};
  for (int i = 0; i < 2; i++) {
    const amo_setting set[] = {{"mu", mu[i]}};
    scene x = {.m = probe_text(text, set, 1)};
    assert_int_equal(amo_point_new(x.m, &x.p), AMO_OK);
    assert_int_equal(amo_solutions_new(x.m, &x.s), AMO_OK);
    amo_point_parameters(x.p, x.m->file.param);
    assert_int_equal(amo_solutions_find(x.s, x.p, 0.0, x.m->file.initial, NULL), AMO_OK);
    assert_int_equal(x.s->count, 1);
    assert_int_equal(x.s->kind, i == 0 ? AMO_UNIQUE : AMO_DEGENERATE);
    for (int c = 0; c < 2; c++) assert_true(x.s->item[0].loose[c] & AMO_LOOSE_REACTION);
    assert_near(x.s->item[0].reaction[0] + 2 * x.s->item[0].reaction[1], 20.0, 1e-12);
    if (i == 0) assert_near(x.s->item[0].acc[0], 1.5, 1e-15);
    close_scene(&x);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(holding_limit), cmocka_unit_test(approach),
      cmocka_unit_test(last_place),    cmocka_unit_test(paradox_border),
      cmocka_unit_test(mesh_pole),     cmocka_unit_test(vanishing_reaction),
      cmocka_unit_test(bounds_hold),   cmocka_unit_test(redundant_guides),
  };
  return cmocka_run_group_tests_name("borders", tests, NULL, NULL);
}
