// SPDX-License-Identifier: Apache-2.0
/// Guides whose slip is a vector: all questions about one state have one answer.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "contact/solutions.h"
#include "amontons/evaluate.h"
#include "support/motion.h"
#include "support/near.h"
#include "support/probe.h"

enum { STATES = 300, RUNS = 100, NUMBERS = 8 };

static double any(double from, double to)
{
  static uint64_t seed = 20261116;
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return from + (to - from) * (double)(seed >> 11) / 9007199254740992.0;
}

/// An elliptic pendulum in space, in any state of slip.
static amo_model *random_pendulum(void)
{
  static const struct {
    const char *name;
    double from, to;
  } range[NUMBERS] = {{"chi", 0, 6.28}, {"theta", 0.3, 1.5}, {"theta'", -3, 3}, {"psi'", -3, 3},
                      {"psi", -3, 3},   {"M1", 0.02, 0.5},   {"mu", 0.3, 3},    {"v", 0.1, 3}};
  char text[NUMBERS][32];
  amo_setting set[NUMBERS];
  for (int i = 0; i < NUMBERS; i++) {
    snprintf(text[i], sizeof text[i], "%.17g", any(range[i].from, range[i].to));
    set[i] = (amo_setting){range[i].name, text[i]};
  }
  return probe_file("elliptic-pendulum-spatial.yaml", set, NUMBERS);
}

/// Of several solutions the one that `contact` chooses is that of `evaluate` and of the first instant of a run.
static void one_state_one_answer(void **state)
{
  (void)state;
  int several = 0, none = 0;
  for (int i = 0; i < STATES; i++) {
    amo_model *m = random_pendulum();
    amo_solutions *all = NULL;
    amo_point *p = NULL;
    amo_evaluation *e = NULL;
    assert_int_equal(amo_point_new(m, &p), AMO_OK);
    assert_int_equal(amo_solutions_new(m, &all), AMO_OK);
    assert_int_equal(amo_evaluation_new(m, &e), AMO_OK);
    amo_point_parameters(p, m->file.param);
    assert_int_equal(amo_solutions_find(all, p, 0.0, m->file.initial, NULL), AMO_OK);
    const amo_status st = amo_evaluate(m, NULL, 0.0, NULL, e, NULL);
    if (all->kind == AMO_NONE) {
      assert_int_equal(st, AMO_ENOANSWER);
      none++;
    } else {
      const amo_solution *x = &all->item[all->chosen];
      assert_int_equal(st, AMO_OK);
      assert_near(e->sample->normal[0], x->reaction[0], 1e-9 * (1.0 + fabs(x->reaction[0])));
      for (uint32_t k = 0; k < m->nq; k++)
        assert_near(e->sample->acceleration[k], x->acc[k], 1e-9 * (1.0 + fabs(x->acc[k])));
      several += all->kind == AMO_SEVERAL;
    }
    amo_evaluation_free(e);
    amo_solutions_free(all);
    amo_point_free(p);
    amo_model_free(m);
  }
  assert_true(several > STATES / 20 && none > STATES / 20);
}

/// Runs go on through stops, wherever they begin.
static void runs_go_on(void **state)
{
  (void)state;
  int jams = 0;
  for (int i = 0; i < RUNS; i++) {
    amo_model *m = random_pendulum();
    amo_sim *s = motion_sim(m, 1e-12);
    while (amo_sim_time(s) < 0.5) {
      if (amo_sim_step(s, 0.5) != AMO_OK) fail_msg("run %d: %s", i, amo_sim_message(s));
      for (size_t k = 0; k < amo_sim_new_events(s); k++)
        jams += amo_sim_new_event(s, k)->kind == AMO_EVENT_JAM ||
                amo_sim_new_event(s, k)->kind == AMO_EVENT_IMPACT;
    }
    assert_true(motion_audit(s));
    amo_sim_free(s);
    amo_model_free(m);
  }
  assert_true(jams > RUNS / 10);
}

/// theta' at 0.02, after a slip that has turned into the region without solution; c = NULL: of rigid bodies.
static double after_stop(const char *chi, const char *c)
{
  const amo_setting set[] = {
      {"chi", chi}, {"theta'", "0.5"}, {"psi'", "-0.7"}, {"c", c}, {"d", "2*0.3*sqrt(c*0.4)"}};
  amo_model *m = c == NULL ? probe_file("elliptic-pendulum-spatial.yaml", set, 3)
                           : probe_file("elliptic-pendulum-spatial-soft.yaml", set, 5);
  amo_sim *s = motion_sim(m, 1e-12);
  assert_int_equal(motion_advance(s, 0.02), AMO_OK);
  assert_int_equal(amo_sim_mode(s, 0), 0);
  assert_true(motion_audit(s));
  const double out = amo_sim_state(s)[7];
  amo_sim_free(s);
  amo_model_free(m);
  return out;
}

/// A slip that turns into the region without solution stops there at once, as on a plane that yields ever less.
static void stop_is_the_limit(void **state)
{
  (void)state;
  static const char *const chi[] = {"0.8", "1.2", "1.6"};
  for (int i = 0; i < 3; i++) {
    const double rigid = after_stop(chi[i], NULL);
    const double off = fabs(after_stop(chi[i], "1e8") - rigid),
                 less = fabs(after_stop(chi[i], "1e10") - rigid);
    assert_true(off < 1e-3 && less < 0.3 * off);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_state_one_answer),
      cmocka_unit_test(runs_go_on),
      cmocka_unit_test(stop_is_the_limit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
