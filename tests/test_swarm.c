// SPDX-License-Identifier: Apache-2.0
// ctest: slow
/// Programs written for one model move its ensembles as the engine does: the same modes and numbers of events, the same states within
/// what the tolerance promises, the same fates; and what they do not decide is the engine's.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unistd.h>

#include <cmocka.h>

#include "emit/cache.h"
#include "support/motion.h"
#include "support/random.h"
#include "swarm/swarm.h"

enum { COUNT = 600, MOST = 24 };

typedef struct result {
  double state[COUNT * MOST], time[COUNT];
  signed char mode[COUNT * MOST];
  long events[COUNT];
  amo_status status[COUNT];
  unsigned char fate[COUNT];
  long heard;  // changes of modes that were told
} result;

static result by_steps, by_program;

static void hear(void *ctx, size_t trajectory, const amo_event *e, const double *state)
{
  result *r = ctx;
  assert_true(trajectory < COUNT && e->from != e->to && isfinite(state[0]));
  r->heard++;
}

static void move(const amo_model *m, amo_engine engine, double until, bool settle, const double *y,
                 const double *p, result *r)
{
  amo_sim_opts o = amo_sim_opts_default();
  o.tol = 1e-10;
  o.engine = engine;
  r->heard = 0;
  const amo_ensemble e = {.count = COUNT,
                          .state = y,
                          .parameter = p,
                          .t_end = until,
                          .final_state = r->state,
                          .final_mode = r->mode,
                          .events = r->events,
                          .status = r->status,
                          .fate = settle ? r->fate : NULL,
                          .final_time = r->time,
                          .on_event = hear,
                          .ctx = r};
  assert_int_equal(amo_ensemble_run(m, &o, &e), AMO_OK);
}

/// Starts about that of the model, each state by a part of itself, or of one.
static void scatter_starts(const amo_model *m, uint64_t *seed, double part, double *y)
{
  const size_t ns = amo_model_states(m);
  for (size_t i = 0; i < COUNT * ns; i++) {
    const double x = amo_model_initial(m)[i % ns];
    y[i] = x + part * (x != 0.0 ? fabs(x) : 1.0) * random_uniform(seed, -1.0, 1.0);
  }
}

static void agree(const amo_model *m, bool settle, double tolerance)
{
  const size_t ns = amo_model_states(m), nc = amo_model_contacts(m);
  for (size_t i = 0; i < COUNT; i++) {
    assert_int_equal(by_program.status[i], by_steps.status[i]);
    if (by_steps.status[i] != AMO_OK) continue;
    assert_memory_equal(by_program.mode + i * nc, by_steps.mode + i * nc, nc);
    if (settle) {  // when a last state is seen to be one is each engine's own
      assert_int_equal(by_program.fate[i], by_steps.fate[i]);
      continue;
    }
    assert_int_equal(by_program.events[i], by_steps.events[i]);
    for (size_t k = 0; k < ns; k++) {
      const double a = by_program.state[i * ns + k], b = by_steps.state[i * ns + k];
      if (!(fabs(a - b) <= tolerance * (1.0 + fabs(b))))
        fail_msg("trajectory %zu, state %zu: %.17g, %.17g", i, k, a, b);
    }
  }
  if (!settle) assert_int_equal(by_program.heard, by_steps.heard);
}

static void compare(amo_model *m, double until, double part, double tolerance)
{
  static double y[COUNT * MOST];
  uint64_t seed = 11;
  assert_null(amo_swarm_refuses(m));
  assert_true(amo_model_states(m) <= MOST);
  scatter_starts(m, &seed, part, y);
  move(m, AMO_ENGINE_STEPS, until, false, y, NULL, &by_steps);
  move(m, AMO_ENGINE_PROGRAM, until, false, y, NULL, &by_program);
  agree(m, false, tolerance);
  amo_model_free(m);
}

static amo_model *from_file(const char *name)
{
  char path[512];
  amo_model *m;
  snprintf(path, sizeof path, AMO_SOURCE_DIR "/models/%s.yaml", name);
  assert_int_equal(amo_model_load(path, NULL, 0, NULL, &m), AMO_OK);
  return m;
}

static void models_move_as_by_the_engine(void **state)
{
  (void)state;
  static const struct {
    const char *name;
    double until, part, tolerance;
  } all[] = {{"block-on-belt", 40, 0.5, 1e-8},
             {"block-aging", 10, 0.1, 1e-7},
             {"stribeck-belt", 6, 0.3, 1e-7},
             {"hump", 10, 0.3, 1e-7},
             {"forced-coulomb", 20, 0.5, 1e-7},
             {"two-blocks", 10, 0.2, 1e-6},
             {"duffing", 10, 0.2, 1e-7},
             {"pid", 10, 0.2, 1e-7},
             {"shear-rig", 3, 0.1, 1e-7},
             {"drive-spring-slider-jump", 5, 0.2, 1e-7},
             {"van-der-pol", 8, 0.3, 1e-7},
             {"relief-valve", 8, 0.02, 1e-6},
             {"drive-spring-slider-lag", 5, 0.1, 1e-7},
             {"bouncing-table", 1, 0.1, 1e-6},
             {"prescribed-slider", 5, 0.1, 1e-6}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    print_message("%s\n", all[i].name);
    compare(from_file(all[i].name), all[i].until, all[i].part, all[i].tolerance);
  }
}

/// A mass above a rough plane whose normal force hangs on its displacement: impacts, slip, stick, lift-off, and what lasts.
static void fates_are_equal(void **state)
{
  (void)state;
  static double y[COUNT * 4];
  uint64_t seed = 3;
  const amo_setting set[] = {{"mu", "1.25"}, {"C1", "-0.7451280178851305"}, {"C2", "-0.6669214623646301"}};
  amo_model *m;
  assert_int_equal(amo_model_load(AMO_SOURCE_DIR "/models/klarbring-mass.yaml", set, 3, NULL, &m), AMO_OK);
  for (size_t i = 0; i < COUNT; i++) {
    y[4 * i] = y[4 * i + 1] = 0.0;
    y[4 * i + 2] = random_uniform(&seed, -24.0, 8.0);
    y[4 * i + 3] = random_uniform(&seed, 0.0, 8.0);
  }
  for (int settle = 0; settle < 2; settle++) {
    const double until = settle ? 1000.0 : 6.0;
    move(m, AMO_ENGINE_STEPS, until, settle, y, NULL, &by_steps);
    move(m, AMO_ENGINE_PROGRAM, until, settle, y, NULL, &by_program);
    agree(m, settle, 1e-7);
  }
  amo_model_free(m);
}

/// Parameters of their own, a derived one among them; borders met exactly are the engine's.
static void parameters_differ(void **state)
{
  (void)state;
  static double y[COUNT * 2], p[COUNT * 4];
  uint64_t seed = 8;
  amo_model *m = motion_model(
      "amontons: 1\nparameters: {k: 1, mu: 0.3, N: k*mu, v: 0.2}\ncoordinates: [x]\n"
      "particles: {b: {mass: 1, at: [x, 0]}}\nsprings: {s: {along: x, stiffness: k}}\n"
      "contacts: {belt: {pressed: N, slip: x' - v, law: {type: curve, static: 1.5*mu, kinetic: mu}}}\n");
  for (size_t i = 0; i < COUNT; i++) {
    memcpy(p + 4 * i, amo_model_parameter_values(m), 4 * sizeof *p);
    p[4 * i] = random_uniform(&seed, 0.5, 2.0);
    p[4 * i + 1] = random_uniform(&seed, 0.1, 0.6);
    p[4 * i + 3] = i % 50 == 0 ? 0.0 : random_uniform(&seed, -0.3, 0.3);
    y[2 * i] = i % 7 == 0 ? 0.0 : random_uniform(&seed, -1.0, 1.0);
    y[2 * i + 1] = i % 5 == 0 ? p[4 * i + 3] : random_uniform(&seed, -1.0, 1.0);
  }
  move(m, AMO_ENGINE_STEPS, 20.0, false, y, p, &by_steps);
  move(m, AMO_ENGINE_PROGRAM, 20.0, false, y, p, &by_program);
  agree(m, false, 1e-7);
  amo_model_free(m);
}

/// A start at the very limit of stick: the slip that begins there is an event, and the program's own.
static void starts_at_the_limit(void **state)
{
  (void)state;
  static double y[COUNT * 2];
  amo_model *m = from_file("block-on-belt");
  for (size_t i = 0; i < COUNT; i++) y[2 * i] = 1.0, y[2 * i + 1] = 0.2;
  move(m, AMO_ENGINE_STEPS, 30.0, false, y, NULL, &by_steps);
  move(m, AMO_ENGINE_PROGRAM, 30.0, false, y, NULL, &by_program);
  agree(m, false, 1e-8);
  amo_model_free(m);
}

/// Two pads, a guide, a support and a switch in one model.
static void kinds_together(void **state)
{
  (void)state;
  compare(
      motion_model(
          "amontons: 1\nparameters: {mu: 0.4, g: 9.81}\ncoordinates: [x, y, s, w]\n"
          "particles: {a: {mass: 1.2, at: [x, y]}, b: {mass: 0.7, at: [s, 0]}, c: {mass: 0.5, at: [w, 0]}}\n"
          "gravity: [0, -g]\n"
          "springs: {k: {along: x - s, stiffness: 30}, l: {along: w - s, stiffness: 20}}\n"
          "forces: {x: 2*sin(3*t), s: 'if(s > 0.1, -3*(s - 0.1), 0)'}\n"
          "initial: {y: 0.3, x': 1}\n"
          "contacts:\n"
          "  floor: {support: y, slip: x', restitution: 0, law: {type: coulomb, mu: mu}}\n"
          "  pad: {pressed: 3, slip: s' - 0.2, law: {type: stribeck, static: 0.5, kinetic: 0.3, speed: "
          "0.1}}\n"),
      4.0, 0.3, 1e-6);
}

/// Drives whose speed changes: a belt under a mass that stands alone, a table that shakes in both directions.
static void drives_accelerate(void **state)
{
  (void)state;
  compare(motion_model(
              "amontons: 1\nparameters: {v: 0.2}\ncoordinates: [x]\nparticles: {b: {mass: 1.3, at: [x, 0]}}\n"
              "springs: {s: {along: x, stiffness: 20}}\ninitial: {x: 0.1, x': 0.1}\n"
              "contacts: {belt: {pressed: 1, slip: x' - v - 0.1*sin(2*t), law: {type: stribeck, static: "
              "6, kinetic: 4, speed: 0.1}}}\n"),
          5.0, 0.3, 1e-6);
  compare(
      motion_model("amontons: 1\ncoordinates: [x, y]\nparticles: {b: {mass: 1.3, at: [x, y]}}\n"
                   "springs: {s: {along: x + y/3, stiffness: 20}}\ninitial: {x: 0.1, y: 0.5, x': 0.1}\n"
                   "forces: {y: -9.81 - 3*sin(3*t)}\n"
                   "contacts: {table: {support: y - 0.01*sin(4*t), slip: x' - 0.3*cos(2*t), restitution: 0, "
                   "law: {type: coulomb, mu: 0.3}}}\n"),
      3.0, 0.3, 1e-6);
}

static void what_it_cannot_do_is_refused(void **state)
{
  (void)state;
  amo_model *m = from_file("rough-pin");
  amo_sim_opts o = amo_sim_opts_default();
  const amo_ensemble e = {.count = 1, .t_end = 0.1};
  assert_string_equal(amo_swarm_refuses(m), "it has constraints");
  o.engine = AMO_ENGINE_PROGRAM;
  assert_int_equal(amo_ensemble_run(m, &o, &e), AMO_EUNSUPPORTED);
  o.engine = AMO_ENGINE_AUTO;
  assert_int_equal(amo_ensemble_run(m, &o, &e), AMO_OK);
  amo_model_free(m);
  m = from_file("block-on-belt");
  assert_int_equal(amo_ensemble_engine(m, &o, 20000), AMO_ENGINE_PROGRAM);
  o.compile = AMO_COMPILE_NEVER;
  assert_int_equal(amo_ensemble_engine(m, &o, 20000), AMO_ENGINE_STEPS);
  o.engine = AMO_ENGINE_PROGRAM;
  o.max_step = 0.1;
  assert_int_equal(amo_ensemble_run(m, &o, &e), AMO_EUNSUPPORTED);
  amo_model_free(m);
}

int main(void)
{
  char folder[] = "/tmp/test-swarm-XXXXXX";  // a cache of its own
  if (mkdtemp(folder) == NULL || setenv("AMONTONS_CACHE", folder, 1) != 0) return 1;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(models_move_as_by_the_engine),
      cmocka_unit_test(fates_are_equal),
      cmocka_unit_test(parameters_differ),
      cmocka_unit_test(starts_at_the_limit),
      cmocka_unit_test(kinds_together),
      cmocka_unit_test(drives_accelerate),
      cmocka_unit_test(what_it_cannot_do_is_refused),
  };
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  (void)amo_cache_clear(folder);
  rmdir(folder);
  return failed;
}
