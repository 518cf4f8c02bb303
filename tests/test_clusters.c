// SPDX-License-Identifier: Apache-2.0
/// Models that fall apart into clusters go by steps of these: the same motion as by one step for all, to what the tolerance promises.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "amontons/amontons.h"
#include "flow/stretch.h"

enum { MOST_EVENTS = 4000, MOST_STATES = 1000 };

// clang-format off
#define CHAIN(extra, force, law)                                                                                 \
  "amontons: 1\nname: chain\nsizes: {N: 30}\nparameters: {m: 1, k: 1, kc: 0.7, Fs: 1, v: 0.2}\n"                  \
  "coordinates:\n  x[1..N]: {}\nparticles:\n  block[i=1..N]: {mass: 'm*(1 + 0.1*sin(i))', at: ['x[i]', 0]}\n"      \
  "springs:\n  ground[i=1..N]: {along: 'x[i]', stiffness: k}\n  link[i=1..N-1]: {along: 'x[i+1] - x[i]', "       \
  "stiffness: kc}\n" extra force "contacts:\n  belt[i=1..N]: {pressed: 1, slip: \"x[i]' - v\", law: " law "}\n"

// clang-format on

static const char weakening[] = CHAIN("", "", "{type: curve, static: Fs, kinetic: Fs/(1 + 3*s)}");
static const char falling[] = CHAIN("", "", "{type: curve, static: Fs, kinetic: 0.6*Fs}");
static const char damped[] = CHAIN("dampers:\n  link[i=1..N-1]: {along: 'x[i+1] - x[i]', damping: 0.05}\n",
                                   "", "{type: curve, static: Fs, kinetic: Fs/(1 + 3*s)}");
static const char hardening[] = CHAIN("", "energy: {potential: 'sum(i=1..N-1, 0.1*(x[i+1] - x[i])^4)'}\n",
                                      "{type: curve, static: Fs, kinetic: 0.6*Fs}");

static const char bristles[] = CHAIN(
    "", "", "{type: lugre, sigma0: 20, sigma1: 0.5, kinetic: 0.6*Fs, static: Fs, speed: 0.1, in: force}");
// what drives it switches on and off, and pulls only one way
static const char switched[] =
    CHAIN("", "forces:\n  x[i=1..N]: 0.3*if(sin(2*t + i) > 0, 1, -1) + 0.2*max(x[i], 0)\n",
          "{type: curve, static: Fs, kinetic: Fs/(1 + 3*s)}");
// clusters of two coordinates with a tie, two contacts each
static const char tied[] =
    "amontons: 1\nname: tied\nsizes: {N: 30}\nparameters: {k: 1, kc: 0.7, v: 0.2}\n"
    "coordinates:\n  x[1..N]: {}\n  y[1..N]: {}\nparticles:\n  a[i=1..N]: {mass: 1, at: ['x[i]', 0]}\n"
    "  b[i=1..N]: {mass: 0.5, at: ['y[i]', 1]}\nconstraints:\n  gear[i=1..N]: \"y[i] = 2*x[i]\"\n"
    "springs:\n  ground[i=1..N]: {along: 'x[i]', stiffness: k}\n  link[i=1..N-1]: {along: 'y[i+1] - x[i]', "
    "stiffness: kc}\ncontacts:\n  belt[i=1..N]: {pressed: 1, slip: \"x[i]' - v\", law: {type: curve, static: "
    "1, "
    "kinetic: 1/(1 + 3*s)}}\n";
// no friction at all
static const char free_chain[] =
    "amontons: 1\nname: free\nsizes: {N: 30}\nparameters: {k: 1, kc: 0.7}\n"
    "coordinates:\n  x[1..N]: {}\nparticles:\n  a[i=1..N]: {mass: 1, at: ['x[i]', 0]}\n"
    "springs:\n  ground[i=1..N]: {along: 'x[i]', stiffness: k}\n  link[i=1..N-1]: {along: 'x[i+1] - x[i]', "
    "stiffness: kc}\n";
// everybody acts on everybody
static const char connected[] =
    "amontons: 1\nname: connected\nsizes: {N: 30}\nparameters: {k: 1, kc: 0.02}\n"
    "coordinates:\n  x[1..N]: {}\nparticles:\n  a[i=1..N]: {mass: 1, at: ['x[i]', 0]}\n"
    "energy: {potential: \"sum(i=1..N, k/2*x[i]^2) + sum(i=1..N, sum(j=1..N, kc/2*(x[i] - x[j])^2))\"}\n"
    "contacts:\n  belt[i=1..N]: {pressed: 1, slip: \"x[i]' - 0.2\", law: {type: curve, static: 1, "
    "kinetic: 1/(1 + 3*s)}}\n";

typedef struct record {
  amo_event event[MOST_EVENTS];
  size_t count;
  double state[MOST_STATES];
  double middle[MOST_STATES];  // at half of the time
  bool audited;
} record;

static record by_clusters, by_whole;

static amo_model *load(const char *text, const amo_setting *set, size_t n)
{
  amo_diags *d = amo_diags_new();
  amo_model *m = NULL;
  if (amo_model_parse("test.yaml", text, strlen(text), set, n, d, &m) != AMO_OK) {
    char *say = amo_diags_render(d);
    fail_msg("%s", say);
    free(say);
  }
  amo_diags_free(d);
  return m;
}

static amo_sim *make(const amo_model *m, bool whole, bool audit)
{
  amo_sim_opts o = amo_sim_opts_default();
  amo_sim *s = NULL;
  o.whole = whole;
  o.audit = audit;
  assert_int_equal(amo_sim_new(m, &o, NULL, &s), AMO_OK);
  return s;
}

static double random_number(uint64_t *seed)
{
  *seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
  return (double)(*seed >> 11) / 9007199254740992.0;
}

static void random_state(const amo_model *m, uint64_t seed, double *y)
{
  const size_t n = amo_model_coordinates(m);
  memset(y, 0, amo_model_states(m) * sizeof *y);
  for (size_t i = 0; i < n; i++) y[i] = 1.8 * random_number(&seed) - 0.9;
}

static void run_with(const amo_model *m, const amo_sim_opts *o, const double *start, double until, record *r)
{
  amo_sim *s = NULL;
  assert_int_equal(amo_sim_new(m, o, NULL, &s), AMO_OK);
  assert_int_equal(amo_sim_start(s, 0.0, start), AMO_OK);
  r->count = 0;
  double half = 0.5 * until;
  while (amo_sim_time(s) < until) {
    if (amo_sim_step(s, amo_sim_time(s) < half ? half : until) != AMO_OK) fail_msg("%s", amo_sim_message(s));
    for (size_t i = 0; i < amo_sim_new_events(s) && r->count < MOST_EVENTS; i++)
      r->event[r->count++] = *amo_sim_new_event(s, i);
    if (amo_sim_time(s) == half) memcpy(r->middle, amo_sim_state(s), amo_model_states(m) * sizeof(double));
  }
  memcpy(r->state, amo_sim_state(s), amo_model_states(m) * sizeof(double));
  r->audited = amo_sim_audit(s)->ok;
  amo_sim_free(s);
}

static void run(const amo_model *m, bool whole, const double *start, double until, record *r)
{
  amo_sim_opts o = amo_sim_opts_default();
  o.whole = whole;
  run_with(m, &o, start, until, r);
}

static double distance(const double *a, const double *b, size_t n)
{
  double d = 0.0;
  for (size_t i = 0; i < n; i++) d = fmax(d, fabs(a[i] - b[i]));
  return d;
}

/// The same events within `slack` of each other; those at one time may come in another order.
static void assert_same_events(const record *a, const record *b, double slack)
{
  static bool told[MOST_EVENTS];
  assert_int_equal(a->count, b->count);
  memset(told, 0, sizeof told);
  for (size_t i = 0; i < a->count; i++) {
    size_t j = 0;
    const amo_event *x = &a->event[i];
    while (j < b->count && (told[j] || b->event[j].contact != x->contact || b->event[j].from != x->from ||
                            b->event[j].to != x->to || !(fabs(b->event[j].t - x->t) < slack)))
      j++;
    if (j == b->count) fail_msg("event %zu of contact %d at %.15g is not there", i, x->contact, x->t);
    told[j] = true;
    if (i > 0) assert_true(a->event[i].t >= a->event[i - 1].t);
  }
}

static void compare(const char *text, const char *size, const char *kc, double until, uint64_t seed,
                    size_t least)
{
  const amo_setting set[] = {{"N", size}, {"kc", kc}};
  amo_model *m = load(text, set, 2);
  static double start[MOST_STATES];
  const size_t ns = amo_model_states(m);
  random_state(m, seed, start);
  run(m, false, start, until, &by_clusters);
  run(m, true, start, until, &by_whole);
  assert_true(by_clusters.count >= least && by_clusters.count < MOST_EVENTS);
  assert_same_events(&by_clusters, &by_whole, 1e-9);
  assert_true(distance(by_clusters.middle, by_whole.middle, ns) < 1e-9);
  assert_true(distance(by_clusters.state, by_whole.state, ns) < 1e-9);
  assert_true(by_clusters.audited && by_whole.audited);
  // not the same numbers: they came by other steps
  assert_true(memcmp(by_clusters.state, by_whole.state, ns * sizeof(double)) != 0);
  amo_model_free(m);
}

static void same_as_whole(void **state)
{
  (void)state;
  static const char *const size[] = {"26", "37", "50"};
  for (uint64_t seed = 1; seed <= 12; seed++) {
    compare(weakening, size[seed % 3], "0.7", 8.0, seed, 50);
    compare(falling, size[seed % 3], "0.7", 8.0, seed, 20);
  }
}

static void same_with_stiff_links(void **state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= 4; seed++) compare(weakening, "40", "16", 3.0, seed, 100);
}

static void same_with_dampers(void **state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= 4; seed++) compare(damped, "40", "0.7", 8.0, seed, 50);
}

static void same_with_hardening_links(void **state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= 4; seed++) compare(hardening, "40", "0.7", 8.0, seed, 20);
}

static void same_with_memory(void **state)
{
  (void)state;
  compare(bristles, "26", "0.7", 2.0, 3, 0);
  assert_int_equal(by_clusters.count, 0);
}

static void same_with_switches(void **state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= 3; seed++) compare(switched, "30", "0.7", 5.0, seed, 100);
}

static void same_with_ties(void **state)
{
  (void)state;
  static double start[MOST_STATES];
  for (uint64_t seed = 1; seed <= 3; seed++) {
    amo_model *m = load(tied, NULL, 0);
    const size_t n = amo_model_coordinates(m) / 2, ns = amo_model_states(m);
    random_state(m, seed, start);
    for (size_t i = 0; i < n; i++) start[n + i] = 2.0 * start[i];
    run(m, false, start, 6.0, &by_clusters);
    run(m, true, start, 6.0, &by_whole);
    assert_true(by_clusters.count > 30);
    assert_same_events(&by_clusters, &by_whole, 1e-9);
    assert_true(distance(by_clusters.state, by_whole.state, ns) < 1e-9);
    assert_true(memcmp(by_clusters.state, by_whole.state, ns * sizeof(double)) != 0);
    assert_true(by_clusters.audited && by_whole.audited);
    amo_model_free(m);
  }
}

/// Linear and without friction: the energy of the whole is kept, and found by the audit.
static void keeps_energy(void **state)
{
  (void)state;
  amo_model *m = load(free_chain, NULL, 0);
  static double start[MOST_STATES];
  random_state(m, 7, start);
  double energy = 0.0;
  for (size_t i = 0; i < 30; i++) energy += 0.5 * start[i] * start[i];
  for (size_t i = 0; i + 1 < 30; i++) energy += 0.35 * (start[i + 1] - start[i]) * (start[i + 1] - start[i]);
  run(m, false, start, 40.0, &by_clusters);
  run(m, true, start, 40.0, &by_whole);
  assert_true(distance(by_clusters.state, by_whole.state, 60) < 1e-9);
  amo_sim *s = make(m, false, true);
  assert_int_equal(amo_sim_start(s, 0.0, start), AMO_OK);
  assert_int_equal(amo_sim_run(s, 40.0, NULL, NULL), AMO_OK);
  assert_true(fabs(amo_sim_audit(s)->energy - energy) < 1e-11 * energy);
  assert_true(amo_sim_audit(s)->ok && amo_sim_audit(s)->energy_error < 1e-11);
  amo_sim_free(s);
  amo_model_free(m);
}

/// Errors go with the tolerance, and no tolerance brings events that are none: where a contact has left its limit by series of its
/// neighbours that were good to the tolerance only, it may not find itself within it by better ones.
static void follows_the_tolerance(void **state)
{
  (void)state;
  const amo_setting set[] = {{"N", "60"}};
  amo_model *m = load(weakening, set, 1);
  static double start[MOST_STATES];
  const size_t ns = amo_model_states(m);
  for (uint64_t seed = 1; seed <= 4; seed++) {
    random_state(m, seed, start);
    amo_sim_opts o = amo_sim_opts_default();
    o.tol = 1e-14;
    o.whole = true;
    run_with(m, &o, start, 6.0, &by_whole);
    o.whole = false;
    for (o.tol = 1e-4; o.tol > 1e-13; o.tol *= 1e-2) {
      run_with(m, &o, start, 6.0, &by_clusters);
      assert_int_equal(by_clusters.count, by_whole.count);
      assert_true(by_clusters.audited);
      assert_true(distance(by_clusters.state, by_whole.state, ns) < 10.0 * o.tol);
    }
  }
  amo_model_free(m);
}

/// A chain that is its own mirror image moves as one.
static void mirrors(void **state)
{
  (void)state;
  static const char text[] =
      "amontons: 1\nname: mirror\nsizes: {N: 41}\nparameters: {kc: 0.7}\ncoordinates:\n  x[1..N]: {}\n"
      "particles:\n  a[i=1..N]: {mass: 1, at: ['x[i]', 0]}\nsprings:\n  ground[i=1..N]: {along: 'x[i]', "
      "stiffness: 1}\n"
      "  link[i=1..N-1]: {along: 'x[i+1] - x[i]', stiffness: kc}\ncontacts:\n  belt[i=1..N]: {pressed: 1, "
      "slip: "
      "\"x[i]' - 0.2\", law: {type: curve, static: 1, kinetic: 1/(1 + 3*s)}}\n";
  amo_model *m = load(text, NULL, 0);
  static double start[MOST_STATES];
  random_state(m, 11, start);
  for (size_t i = 0; i < 41; i++) start[i] = start[40 - i];
  run(m, false, start, 6.0, &by_clusters);
  size_t alone = 0;
  for (size_t i = 0; i < by_clusters.count; i++) {
    const amo_event *e = &by_clusters.event[i];
    bool found = false;
    for (size_t j = 0; j < by_clusters.count; j++) {
      const amo_event *o = &by_clusters.event[j];
      found |= o->contact == 40 - e->contact && o->to == e->to && fabs(o->t - e->t) < 1e-10;
    }
    assert_true(found);
    alone += e->contact == 20;
  }
  assert_true(alone > 0 && by_clusters.count > 4 * alone);
  for (size_t i = 0; i < 20; i++) assert_true(fabs(by_clusters.state[i] - by_clusters.state[40 - i]) < 1e-10);
  amo_model_free(m);
}

/// All blocks begin alike: each moves as a single one, and all events come at once, each time.
static void all_at_once(void **state)
{
  (void)state;
  static const char text[] =
      "amontons: 1\nname: one\nsizes: {N: 200}\nparameters: {kc: 0.7}\ncoordinates:\n  x[1..N]: {}\n"
      "particles:\n  a[i=1..N]: {mass: 1, at: ['x[i]', 0]}\nsprings:\n  ground[i=1..N]: {along: 'x[i]', "
      "stiffness: 1}\n"
      "  link[i=1..N-1]: {along: 'x[i+1] - x[i]', stiffness: kc}\ncontacts:\n  belt[i=1..N]: {pressed: 1, "
      "slip: "
      "\"x[i]' - 0.2\", law: {type: curve, static: 1, kinetic: 1/(1 + 3*s)}}\n";
  const amo_setting one[] = {{"N", "1"}};
  static double start[MOST_STATES];
  amo_model *m = load(text, NULL, 0), *single = load(text, one, 1);
  for (size_t i = 0; i < 200; i++) start[i] = 1.1;
  run(single, false, (const double[]){1.1, 0.0}, 30.0, &by_whole);
  run(m, false, start, 30.0, &by_clusters);
  assert_true(by_whole.count >= 4);
  assert_int_equal(by_clusters.count, 200 * by_whole.count);
  for (size_t i = 0; i < by_clusters.count; i++)
    assert_true(fabs(by_clusters.event[i].t - by_whole.event[i / 200].t) < 1e-9);
  assert_true(by_clusters.audited);
  amo_model_free(m);
  amo_model_free(single);
}

/// Within steps, before and after events: everything an instant shows.
static void same_samples(void **state)
{
  (void)state;
  amo_model *m = load(weakening, NULL, 0);
  static double start[MOST_STATES];
  random_state(m, 5, start);
  amo_sim *a = make(m, false, false), *b = make(m, true, false);
  amo_sample *x = NULL, *y = NULL;
  assert_int_equal(amo_sample_new(m, &x), AMO_OK);
  assert_int_equal(amo_sample_new(m, &y), AMO_OK);
  assert_int_equal(amo_sim_start(a, 0.0, start), AMO_OK);
  assert_int_equal(amo_sim_start(b, 0.0, start), AMO_OK);
  long looked = 0;
  for (double t = 0.0; t < 6.0; t += 0.0173) {
    while (amo_sim_time(a) < t) assert_int_equal(amo_sim_step(a, 10.0), AMO_OK);
    while (amo_sim_time(b) < t) assert_int_equal(amo_sim_step(b, 10.0), AMO_OK);
    if (t < amo_sim_step_start(a) || t < amo_sim_step_start(b)) continue;
    assert_int_equal(amo_sim_sample(a, t, false, x), AMO_OK);
    assert_int_equal(amo_sim_sample(b, t, false, y), AMO_OK);
    assert_true(distance(x->state, y->state, amo_model_states(m)) < 1e-10);
    assert_true(distance(x->force, y->force, 30) < 1e-9);
    assert_true(distance(x->acceleration, y->acceleration, 30) < 1e-9);
    assert_memory_equal(x->mode, y->mode, 30 * sizeof *x->mode);
    looked++;
  }
  assert_true(looked > 200);
  amo_sample_free(x);
  amo_sample_free(y);
  amo_sim_free(a);
  amo_sim_free(b);
  amo_model_free(m);
}

/// A run begun again gives the same bits, and so does another simulation; the audit does not change the motion.
static void same_bits_again(void **state)
{
  (void)state;
  amo_model *m = load(weakening, NULL, 0);
  static double start[MOST_STATES], first[MOST_STATES];
  random_state(m, 5, start);
  amo_sim *a = make(m, false, false), *b = make(m, false, true);
  const size_t bytes = amo_model_states(m) * sizeof(double);
  for (int i = 0; i < 2; i++) {
    assert_int_equal(amo_sim_start(a, 0.0, start), AMO_OK);
    assert_int_equal(amo_sim_run(a, 5.0, NULL, NULL), AMO_OK);
    if (i == 0) memcpy(first, amo_sim_state(a), bytes);
    assert_memory_equal(first, amo_sim_state(a), bytes);
  }
  assert_int_equal(amo_sim_start(b, 0.0, start), AMO_OK);
  assert_int_equal(amo_sim_run(b, 5.0, NULL, NULL), AMO_OK);
  assert_memory_equal(first, amo_sim_state(b), bytes);
  amo_sim_free(a);
  amo_sim_free(b);
  amo_model_free(m);
}

/// Where everybody acts on everybody, and where an event reaches all, nothing is cut: the same bits as the whole.
static void stays_whole(void **state)
{
  (void)state;
  static double start[MOST_STATES];
  const amo_setting few[] = {{"N", "12"}};
  amo_model *model[] = {load(connected, NULL, 0), load(weakening, few, 1)};
  for (size_t i = 0; i < 2; i++) {
    random_state(model[i], 3, start);
    run(model[i], false, start, 3.0, &by_clusters);
    run(model[i], true, start, 3.0, &by_whole);
    assert_true(by_whole.count > 10);
    assert_memory_equal(by_clusters.state, by_whole.state, amo_model_states(model[i]) * sizeof(double));
    amo_model_free(model[i]);
  }
}

// every block has a strength, a mass and a weakening of its own
#define UNEVEN(parameter, strength)                                                                          \
  "amontons: 1\nname: uneven\nsizes: {N: 300}\nparameters: {v: 0.2" parameter                                \
  "}\ncoordinates:\n  x[1..N]: {}\n"                                                                         \
  "particles:\n  a[i=1..N]: {mass: '1 + 0.1*sin(i)', at: ['x[i]', 0]}\nsprings:\n  ground[i=1..N]: "         \
  "{along: 'x[i]', stiffness: 1}\n  link[i=1..N-1]: {along: 'x[i+1] - x[i]', stiffness: 0.7}\ncontacts:\n  " \
  "belt[i=1..N]: {pressed: 1, slip: \"x[i]' - v\", law: {type: curve, static: '" strength                    \
  "', kinetic: '" strength "/(1 + (3 + sin(i))*s)'}}\n"

/// Numbers that stand in the text may differ from block to block like parameters: clusters are no kind of their own for that.
static void same_with_numbers_of_its_own(void **state)
{
  (void)state;
  static double start[MOST_STATES];
  amo_model *text = load(UNEVEN("", "(1 + 0.2*cos(7*i))"), NULL, 0);
  amo_model *parameters = load(UNEVEN(", 'F[i=1..N]': '1 + 0.2*cos(7*i)'", "F[i]"), NULL, 0);
  random_state(text, 4, start);
  amo_sim *s = make(text, false, true);
  assert_true(amo_sim_in_parts(s));
  amo_sim_free(s);
  run(text, false, start, 0.6, &by_clusters);
  run(parameters, false, start, 0.6, &by_whole);
  assert_true(by_clusters.count > 100 && by_clusters.audited);
  assert_int_equal(by_clusters.count, by_whole.count);
  assert_true(distance(by_clusters.state, by_whole.state, 600) < 1e-11);
  assert_true(distance(by_clusters.middle, by_whole.middle, 600) < 1e-11);
  amo_model_free(text);
  amo_model_free(parameters);
  static const char fewer[] = UNEVEN("", "(1 + 0.2*cos(7*i))");
  const amo_setting set[] = {{"N", "40"}};
  amo_model *m = load(fewer, set, 1);
  random_state(m, 5, start);
  run(m, false, start, 2.0, &by_clusters);
  run(m, true, start, 2.0, &by_whole);
  assert_int_equal(by_clusters.count, by_whole.count);
  assert_true(distance(by_clusters.state, by_whole.state, 80) < 1e-9);
  amo_model_free(m);
}

/// Where series crawl the whole goes on, by implicit steps.
static void joins_where_it_crawls(void **state)
{
  (void)state;
  static const char stiff[] = CHAIN("dampers:\n  ground[i=1..N]: {along: 'x[i]', damping: 1e4}\n", "",
                                    "{type: curve, static: Fs, kinetic: 0.6*Fs}");
  amo_model *m = load(stiff, NULL, 0);
  static double start[MOST_STATES];
  random_state(m, 5, start);
  run(m, false, start, 20.0, &by_clusters);
  run(m, true, start, 20.0, &by_whole);
  assert_true(distance(by_clusters.state, by_whole.state, amo_model_states(m)) < 1e-9);
  assert_true(by_clusters.audited && by_whole.audited);
  amo_sim *s = make(m, false, true);
  assert_int_equal(amo_sim_start(s, 0.0, start), AMO_OK);
  assert_int_equal(amo_sim_run(s, 20.0, NULL, NULL), AMO_OK);
  assert_true(amo_sim_stats(s)->implicit > 0);
  amo_sim_free(s);
  amo_model_free(m);
}

/// Exponents are those of the whole.
static void shows_the_whole_to_lyapunov(void **state)
{
  (void)state;
  amo_model *m = load(free_chain, NULL, 0);
  amo_sim *s = make(m, false, false);
  amo_lyapunov *l = NULL;
  assert_int_equal(amo_lyapunov_new(m, 1.0, 5.0, 4, &l), AMO_OK);
  assert_int_equal(amo_lyapunov_start(l, s), AMO_OK);
  amo_lyapunov_free(l);
  amo_sim_free(s);
  amo_model_free(m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(same_as_whole),
      cmocka_unit_test(same_with_stiff_links),
      cmocka_unit_test(same_with_dampers),
      cmocka_unit_test(same_with_hardening_links),
      cmocka_unit_test(same_with_memory),
      cmocka_unit_test(same_with_switches),
      cmocka_unit_test(same_with_ties),
      cmocka_unit_test(keeps_energy),
      cmocka_unit_test(follows_the_tolerance),
      cmocka_unit_test(mirrors),
      cmocka_unit_test(all_at_once),
      cmocka_unit_test(same_samples),
      cmocka_unit_test(same_bits_again),
      cmocka_unit_test(stays_whole),
      cmocka_unit_test(joins_where_it_crawls),
      cmocka_unit_test(shows_the_whole_to_lyapunov),
      cmocka_unit_test(same_with_numbers_of_its_own),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
