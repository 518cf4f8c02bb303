// SPDX-License-Identifier: Apache-2.0
/// What is collected of a motion whose parts go on their own: the same numbers as from steps of the whole, at a cost that does not grow
/// with the model.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "explore/statistics.h"
#include "explore/trajectory.h"
#include "flow/stretch.h"

// clang-format off
#define CHAIN(extra, law)                                                                                        \
  "amontons: 1\nname: chain\nsizes: {N: 30}\nparameters: {m: 1, k: 1, kc: 0.7, Fs: 1, v: 0.2}\n"                  \
  "coordinates:\n  x[1..N]: {}\nparticles:\n  block[i=1..N]: {mass: 'm*(1 + 0.1*sin(i))', at: ['x[i]', 0]}\n"      \
  "springs:\n  ground[i=1..N]: {along: 'x[i]', stiffness: k}\n  link[i=1..N-1]: {along: 'x[i+1] - x[i]', "       \
  "stiffness: kc}\n" extra "contacts:\n  belt[i=1..N]: {pressed: 1, slip: \"x[i]' - v\", law: " law "}\n"
// clang-format on

static const char weakening[] = CHAIN("", "{type: curve, static: Fs, kinetic: Fs/(1 + 3*s)}");
static const char bristles[] =
    CHAIN("", "{type: lugre, sigma0: 20, sigma1: 0.5, kinetic: 0.6*Fs, static: Fs, speed: 0.1, in: force}");
static const char told[] = CHAIN("outputs: {stretched: 'x[3] - x[2]', mean: 'sum(i=1..N, x[i])/N'}\n",
                                 "{type: curve, static: Fs, kinetic: Fs/(1 + 3*s)}");
static const char one_size[] =
    "amontons: 1\nname: chain\nsizes: {N: 30}\nparameters: {kc: 0.7}\ncoordinates:\n  x[1..N]: {}\n"
    "particles:\n  block[i=1..N]: {mass: 1, at: ['x[i]', 0]}\nsprings:\n  ground[i=1..N]: {along: 'x[i]', "
    "stiffness: 1}\n  link[i=1..N-1]: {along: 'x[i+1] - x[i]', stiffness: kc}\ncontacts:\n  belt[i=1..N]: "
    "{pressed: 1, slip: \"x[i]' - 0.2\", law: {type: curve, static: 1, kinetic: 1/(1 + 3*s)}}\n";

typedef struct run {
  amo_model *m;
  amo_sim *s;
  amo_statistics *st;
  amo_recorder r;
  double until;
} run;

static int on_step(void *ctx, amo_sim *s)
{
  run *r = ctx;
  assert_int_equal(amo_recorder_step(&r->r, s, r->until), AMO_OK);
  assert_int_equal(amo_statistics_step(r->st), AMO_OK);
  return 0;
}

static void make_run(const char *text, const char *size, bool whole, double after, run *r)
{
  const amo_setting set[] = {{"N", size}};
  amo_sim_opts o = amo_sim_opts_default();
  *r = (run){.until = 0.0};
  assert_int_equal(amo_model_parse("parts.yaml", text, strlen(text), set, 1, NULL, &r->m), AMO_OK);
  o.whole = whole;
  assert_int_equal(amo_sim_new(r->m, &o, NULL, &r->s), AMO_OK);
  assert_int_equal(amo_statistics_new(r->s, after, &r->st), AMO_OK);
  r->r = (amo_recorder){.rows = false, .dt = 1.0};
  assert_int_equal(amo_trajectory_new(r->m, false, &r->r.trajectory), AMO_OK);
  assert_int_equal(amo_sample_new(r->m, &r->r.sample), AMO_OK);
  uint64_t seed = 5;
  const size_t n = amo_model_coordinates(r->m);
  double *y = calloc(amo_model_states(r->m), sizeof *y);
  for (size_t i = 0; i < n; i++) {
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    y[i] = 1.8 * ((double)(seed >> 11) / 9007199254740992.0) - 0.9;
  }
  assert_int_equal(amo_sim_start(r->s, 0.0, y), AMO_OK);
  free(y);
}

static void free_run(run *r)
{
  amo_sim_free(r->s);
  amo_statistics_free(r->st);
  amo_sample_free(r->r.sample);
  amo_trajectory_free(r->r.trajectory);
  amo_model_free(r->m);
}

static void move(run *r, double until)
{
  r->until = until;
  if (amo_sim_run(r->s, until, on_step, r) != AMO_OK) fail_msg("%s", amo_sim_message(r->s));
  assert_true(amo_sim_audit(r->s)->ok);
}

static void assert_near(double a, double b, double slack)
{
  if (!(fabs(a - b) <= slack)) fail_msg("%.17g is not %.17g", a, b);
}

static void assert_same_statistics(const amo_statistics *a, const amo_statistics *b)
{
  char name[64];
  assert_near(a->duration, b->duration, 1e-12);
  for (size_t c = 0; c < a->columns; c++) {
    if (fabs(a->min[c].value - b->min[c].value) > 1e-9 || fabs(a->max[c].value - b->max[c].value) > 1e-9)
      fail_msg("%s: from %.12g to %.12g, not from %.12g to %.12g",
               amo_statistics_name(a, c, name, sizeof name), a->min[c].value, a->max[c].value,
               b->min[c].value, b->max[c].value);
    assert_near(a->sum[c], b->sum[c], 1e-8);
    assert_near(a->sum_square[c], b->sum_square[c], 1e-8);
    assert_false(a->flaw[c].kind);
  }
  for (size_t i = 0; i < a->contacts; i++) {
    assert_near(a->stick[i], b->stick[i], 1e-9);
    assert_near(a->open[i], b->open[i], 1e-9);
    assert_int_equal(a->giving[i].kind, b->giving[i].kind);
    assert_int_equal(a->giving[i].phases, b->giving[i].phases);
    assert_near(a->giving[i].time, b->giving[i].time, 1e-9);
  }
}

static void compare(const char *text, const char *size, double after, double until)
{
  run by_parts, by_whole;
  make_run(text, size, false, after, &by_parts);
  make_run(text, size, true, after, &by_whole);
  assert_true(amo_sim_in_parts(by_parts.s) && !amo_sim_in_parts(by_whole.s));
  move(&by_parts, until);
  move(&by_whole, until);
  assert_same_statistics(by_parts.st, by_whole.st);
  const amo_trajectory *a = by_parts.r.trajectory, *b = by_whole.r.trajectory;
  assert_int_equal(a->events, b->events);
  for (size_t i = 0; i < a->events; i++) {
    if (a->event[i].contact != b->event[i].contact) continue;  // two at one time, the other way round
    assert_near(a->event_slip[i], b->event_slip[i], 1e-9);
    assert_near(a->event_force[i], b->event_force[i], 1e-8);
  }
  free_run(&by_parts);
  free_run(&by_whole);
}

static void same_numbers(void **state)
{
  (void)state;
  compare(weakening, "30", -INFINITY, 12.0);
  compare(weakening, "50", 3.21, 9.0);
}

static void same_numbers_with_memory(void **state)
{
  (void)state;
  compare(bristles, "26", -INFINITY, 2.0);
}

static void same_outputs(void **state)
{
  (void)state;
  compare(told, "30", -INFINITY, 4.0);
}

/// Seconds of processor time for an event, all that is collected included.
static double time_of_event(const char *size, size_t events)
{
  run r;
  make_run(one_size, size, false, -INFINITY, &r);
  double least = INFINITY;
  for (int i = 0; i < 4; i++) {
    const clock_t begin = clock();
    const size_t before = r.r.trajectory->events;
    while (r.r.trajectory->events < before + events) {
      assert_int_equal(amo_sim_step(r.s, 1e9), AMO_OK);
      on_step(&r, r.s);
    }
    least = fmin(least, (double)(clock() - begin) / CLOCKS_PER_SEC / (double)events);
  }
  free_run(&r);
  return least;
}

static void an_event_costs_what_it_touches(void **state)
{
  (void)state;
  const double few = time_of_event("250", 250), many = time_of_event("4000", 250);
  if (!(many < 5.0 * few))
    fail_msg("%.1f us for an event among 250 blocks, %.1f among 4000", 1e6 * few, 1e6 * many);
}

/// The energies of many blocks that hardly move are balanced to what a block has, not to the rounding of the sum of all.
static void balance_of_many(void **state)
{
  (void)state;
  run r;
  make_run(one_size, "20000", false, -INFINITY, &r);
  double *y = calloc(amo_model_states(r.m), sizeof *y);
  for (size_t i = 0; i < amo_model_coordinates(r.m); i++) y[i] = 0.7;
  y[7] = 0.9;
  assert_int_equal(amo_sim_start(r.s, 0.0, y), AMO_OK);
  free(y);
  move(&r, 1e-3);
  assert_true(amo_sim_audit(r.s)->energy_error < 1e-10);
  free_run(&r);
}

// ---- the chain of Burridge and Knopoff, written by hand ----

enum { BLOCKS = 40, BY_HAND_EVENTS = 2000 };

typedef struct hand {
  double x[BLOCKS], u[BLOCKS];
  int mode[BLOCKS];
} hand;

/// Force of all springs.
static double load_of(const hand *h, int i)
{
  const double left = i > 0 ? h->x[i - 1] - h->x[i] : 0.0,
               right = i + 1 < BLOCKS ? h->x[i + 1] - h->x[i] : 0.0;
  return 16.0 * (left + right) - h->x[i];
}

static double rate_of(const hand *h, int i)
{
  const double slip = h->u[i] + 0.01;
  return h->mode[i] == 0 ? 0.0 : load_of(h, i) - h->mode[i] * 0.99 / (1.0 + 5.0 * h->mode[i] * slip / 0.99);
}

/// Runge and Kutta's step.
static hand stepped(const hand *h, double dt)
{
  static const double at[] = {0.0, 0.5, 0.5, 1.0}, weight[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  hand next = *h, now = *h;
  double kx[BLOCKS] = {0}, ku[BLOCKS] = {0};
  for (int stage = 0; stage < 4; stage++) {
    for (int i = 0; i < BLOCKS; i++) {
      now.x[i] = h->x[i] + at[stage] * dt * kx[i];
      now.u[i] = h->u[i] + at[stage] * dt * ku[i];
    }
    for (int i = 0; i < BLOCKS; i++) {
      kx[i] = now.u[i], ku[i] = rate_of(&now, i);
      next.x[i] += weight[stage] * dt * kx[i];
      next.u[i] += weight[stage] * dt * ku[i];
    }
  }
  return next;
}

/// Whose mode does not hold any more; -1: all do.
static int who_changes(const hand *h)
{
  for (int i = 0; i < BLOCKS; i++)
    if (h->mode[i] == 0 ? fabs(load_of(h, i)) > 1.0 : h->mode[i] * (h->u[i] + 0.01) < 0.0) return i;
  return -1;
}

/// On to the next change of a mode or to `until`; whose it was.
static int by_hand(hand *h, double *t, double until)
{
  const double most = 2e-4;
  for (;;) {
    const double dt = fmin(most, until - *t);
    hand next = stepped(h, dt);
    if (who_changes(&next) < 0) {
      *h = next, *t += dt;
      if (*t >= until) return -1;
      continue;
    }
    double low = 0.0, high = dt;
    while (high - low > 1e-15) {
      const double middle = 0.5 * (low + high);
      next = stepped(h, middle);
      if (who_changes(&next) < 0)
        low = middle;
      else
        high = middle;
      if (middle == low && 0.5 * (low + high) == middle) break;
    }
    next = stepped(h, high);
    const int i = who_changes(&next);
    const double load = load_of(&next, i);
    next.mode[i] = load > 1.0 ? 1 : load < -1.0 ? -1 : 0;
    next.u[i] = -0.01;
    *h = next, *t += high;
    return i;
  }
}

/// Stick-slip of a chain as the file in models/ has it: the same slips, one after the other, as by forty lines of C.
static void chain_by_hand(void **state)
{
  (void)state;
  const amo_setting set[] = {{"N", "40"}};
  amo_model *m;
  amo_sim *s;
  assert_int_equal(amo_model_load(AMO_SOURCE_DIR "/models/burridge-knopoff.yaml", set, 1, NULL, &m), AMO_OK);
  assert_int_equal(amo_sim_new(m, NULL, NULL, &s), AMO_OK);
  assert_true(amo_sim_in_parts(s));
  hand h = {0};
  double t = 0.0;
  for (int i = 0; i < BLOCKS; i++) h.x[i] = amo_sim_state(s)[i], h.u[i] = -0.01;
  for (int i = 0; i < BLOCKS; i++) assert_near(amo_sim_state(s)[BLOCKS + i], -0.01, 0.0);
  const double until = 60.0;
  size_t events = 0;
  while (amo_sim_time(s) < until) {
    assert_int_equal(amo_sim_step(s, until), AMO_OK);
    for (size_t k = 0; k < amo_sim_new_events(s); k++, events++) {
      const amo_event *e = amo_sim_new_event(s, k);
      assert_int_equal(by_hand(&h, &t, until), e->contact);
      assert_near(t, e->t, 1e-6);
      assert_int_equal(h.mode[e->contact], e->to);
    }
  }
  assert_int_equal(by_hand(&h, &t, until), -1);
  for (int i = 0; i < BLOCKS; i++) assert_near(h.x[i], amo_sim_state(s)[i], 1e-6);
  assert_true(events > 100);
  amo_sim_free(s);
  amo_model_free(m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(same_numbers),    cmocka_unit_test(same_numbers_with_memory),
      cmocka_unit_test(same_outputs),    cmocka_unit_test(an_event_costs_what_it_touches),
      cmocka_unit_test(balance_of_many), cmocka_unit_test(chain_by_hand),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
