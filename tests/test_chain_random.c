// SPDX-License-Identifier: Apache-2.0
// Random chains of 2 to 6 blocks on the belt against brute force (support/oracle_chain.h): same modes at the start, same
// sequence of modes of every block, event times and final state equal within the brute force's own error estimate.
// ctest: timeout 600
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/motion.h"
#include "support/oracle_chain.h"
#include "support/random.h"

enum { SYSTEMS = 24 };
static const double T_END = 20.0, STEP = 2e-4;  // the oracle's coarsest step; its finest is a quarter

static uint64_t seed = 20240229;

static double uniform(double lo, double hi)
{
  return random_uniform(&seed, lo, hi);
}

static oracle_chain random_chain(int n)
{
  oracle_chain c = {.n = n, .delta = uniform(0.0, 4.0), .v = uniform(0.1, 0.5)};
  for (int i = 0; i < n; i++) {
    c.m[i] = uniform(0.5, 2.0);
    c.ground[i] = uniform(0.5, 2.0);
    c.coupling[i] = uniform(0.2, 2.0);
    c.Fs[i] = uniform(0.5, 1.5);
    c.x[i] = uniform(-1.5, 1.5);
    c.u[i] = uniform(0.0, 1.0) < 0.25 ? c.v : uniform(-1.0, 1.0);  // a quarter begins without slip
  }
  return c;
}

// The chain written out block by block.
static void write_blocks(const oracle_chain *c, text *t)
{
  put(t, "amontons: 1\nname: random-chain\nparameters: {delta: %.17g, v: %.17g}\ncoordinates: [", c->delta,
      c->v);
  for (int i = 0; i < c->n; i++) put(t, "%sx%d", i ? ", " : "", i + 1);
  put(t, "]\nparticles:\n");
  for (int i = 0; i < c->n; i++) put(t, "  b%d: {mass: %.17g, at: [x%d, 0]}\n", i + 1, c->m[i], i + 1);
  put(t, "energy:\n  potential: ");
  for (int i = 0; i < c->n; i++) put(t, "%s%.17g/2*x%d^2", i ? " + " : "", c->ground[i], i + 1);
  for (int i = 0; i + 1 < c->n; i++) put(t, " + %.17g/2*(x%d - x%d)^2", c->coupling[i], i + 2, i + 1);
  put(t, "\ncontacts:\n");
  for (int i = 0; i < c->n; i++)
    put(t,
        "  c%d: {pressed: 1, slip: x%d' - v, law: {type: curve, static: %.17g, kinetic: %.17g/(1 + "
        "delta*s)}}\n",
        i + 1, i + 1, c->Fs[i], c->Fs[i]);
  put(t, "initial: {x1: 0}\n");
}

static void put_family(text *t, const char *name, const double *value, int n)
{
  put(t, "  %s[1..N]: [", name);
  for (int i = 0; i < n; i++) put(t, "%s%.17g", i ? ", " : "", value[i]);
  put(t, "]\n");
}

// The same chain by families and sums.
static void write_families(const oracle_chain *c, text *t)
{
  put(t, "amontons: 1\nname: random-chain\nsizes: {N: %d}\nparameters:\n  delta: %.17g\n  v: %.17g\n", c->n,
      c->delta, c->v);
  put_family(t, "m", c->m, c->n);
  put_family(t, "g", c->ground, c->n);
  put_family(t, "c", c->coupling, c->n);
  put_family(t, "Fs", c->Fs, c->n);
  put(t, "coordinates: [\"x[1..N]\"]\n"
         "particles:\n"
         "  block[i=1..N]: {mass: \"m[i]\", at: [\"x[i]\", 0]}\n"
         "energy:\n"
         "  potential: sum(i=1..N, g[i]/2*x[i]^2) + sum(i=1..N-1, c[i]/2*(x[i+1] - x[i])^2)\n"
         "contacts:\n"
         "  belt[i=1..N]: {pressed: 1, slip: \"x[i]' - v\", law: {type: curve, static: \"Fs[i]\", kinetic: "
         "\"Fs[i]/(1 + delta*s)\"}}\n"
         "initial:\n  x[1]: 0\n");
}

// The last digits that double precision leaves to the engine itself.
static double own(double scale)
{
  return 1e-11 * fmax(1.0, fabs(scale));
}

typedef struct tally {
  double horizon, worst_state, worst_time;
  int events, crossings;
} tally;

static void compare_events(int k, const oracle_chain *c, const oracle_result *r, const motion *m, tally *sum)
{
  for (int b = 0; b < c->n; b++) {
    size_t j = 0;
    for (int i = 0; i < r->run.events; i++) {
      const oracle_event *o = &r->run.event[i];
      if (o->block != b) continue;
      while (j < m->events && m->event[j].contact != b) j++;
      if (j == m->events)
        fail_msg("system %d block %d: brute force has %d -> %d at %.10g, engine has no more events", k, b + 1,
                 o->from, o->to, o->t);
      const motion_event *e = &m->event[j++];
      const double d = fabs(e->t - o->t);
      if (e->from != o->from || e->to != o->to || !(d <= r->time_error + own(o->t)))
        fail_msg("system %d block %d: brute force %d -> %d at %.12g +- %.1e, engine %d -> %d at %.12g", k,
                 b + 1, o->from, o->to, o->t, r->time_error, e->from, e->to, e->t);
      sum->worst_time = fmax(sum->worst_time, d / r->time_error);
      sum->events++;
      sum->crossings += o->from * o->to < 0;
    }
    while (j < m->events && m->event[j].contact != b) j++;
    if (j < m->events)
      fail_msg("system %d block %d: engine has %d -> %d at %.12g, brute force has no more events", k, b + 1,
               m->event[j].from, m->event[j].to, m->event[j].t);
  }
}

static void compare(int k, const oracle_chain *c, tally *sum)
{
  static oracle_result r;
  static motion got;
  static text t;
  double start[2 * ORACLE_BLOCKS];
  oracle_chain_solve(c, T_END, STEP, &r);
  assert_false(r.run.overflow);
  sum->horizon += r.t_end;
  t.n = 0;
  if (k % 2)
    write_families(c, &t);
  else
    write_blocks(c, &t);
  amo_model *m = motion_model(t.at);
  assert_non_null(m);
  amo_sim *s = motion_sim(m, 1e-12);
  assert_non_null(s);
  memcpy(start, c->x, sizeof(double) * (size_t)c->n);
  memcpy(start + c->n, c->u, sizeof(double) * (size_t)c->n);
  assert_int_equal(amo_sim_start(s, 0.0, start), AMO_OK);
  for (int i = 0; i < c->n; i++) assert_int_equal(amo_sim_mode(s, (size_t)i), r.run.start[i]);
  assert_int_equal(motion_run(s, 2 * (size_t)c->n, r.t_end, &got), AMO_OK);
  compare_events(k, c, &r, &got, sum);
  const double *end = amo_sim_state(s);
  for (int i = 0; i < 2 * c->n; i++) {
    const double want = i < c->n ? r.run.x[i] : r.run.u[i - c->n], d = fabs(end[i] - want);
    if (!(d <= r.state_error + own(want)))
      fail_msg("system %d state %d at t = %g: brute force %.12g +- %.1e, engine %.12g", k, i, r.t_end, want,
               r.state_error, end[i]);
    sum->worst_state = fmax(sum->worst_state, d / r.state_error);
  }
  assert_true(motion_audit(s));
  amo_sim_free(s);
  amo_model_free(m);
}

// The oracle itself against published event times (two blocks from rest, CV14 of the specification).
static void oracle_knows_two_blocks(void **state)
{
  (void)state;
  static const oracle_event want[] = {{0.20141009701, 1, -1, 0}, {0.26145877036, 0, -1, 0},
                                      {5.1792205014, 0, 0, -1},  {6.1855887931, 1, 0, -1},
                                      {9.5828734151, 1, -1, 0},  {10.203812944, 0, -1, 0}};
  const oracle_chain c = {
      .n = 2, .m = {1, 1}, .ground = {1, 1}, .coupling = {1.2}, .Fs = {1, 1.3}, .delta = 3, .v = 0.2};
  static oracle_result r;
  oracle_chain_solve(&c, 11.0, STEP, &r);
  assert_int_equal(r.run.events, 6);
  assert_true(r.time_error < 1e-7);
  for (int i = 0; i < 6; i++) {
    assert_int_equal(r.run.event[i].block, want[i].block);
    assert_int_equal(r.run.event[i].from, want[i].from);
    assert_int_equal(r.run.event[i].to, want[i].to);
    if (!(fabs(r.run.event[i].t - want[i].t) <= r.time_error + 1e-9))
      fail_msg("event %d: %.12g, published %.12g, estimated error %.1e", i, r.run.event[i].t, want[i].t,
               r.time_error);
  }
}

static void random_chains_agree_with_brute_force(void **state)
{
  (void)state;
  tally sum = {0};
  for (int k = 0; k < SYSTEMS; k++) {
    const oracle_chain c = random_chain(2 + k % 5);
    compare(k, &c, &sum);
  }
  print_message("%d systems, %.1f %% of the time compared, %d events, %d of them slip-slip; "
                "largest difference / estimate: state %.2f, event time %.2f\n",
                SYSTEMS, 100.0 * sum.horizon / (SYSTEMS * T_END), sum.events, sum.crossings, sum.worst_state,
                sum.worst_time);
  assert_true(sum.horizon > 0.9 * SYSTEMS * T_END);  // the oracle's own doubts must stay rare
  assert_true(sum.events > 10 * SYSTEMS);
  assert_true(sum.crossings > SYSTEMS / 2);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(oracle_knows_two_blocks),
      cmocka_unit_test(random_chains_agree_with_brute_force),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
