// SPDX-License-Identifier: Apache-2.0
/// The audit of impacts sees every falsehood: velocities, impulses and modes of true impacts are changed one at a time.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "flow/flow.h"
#include "flow/sim.h"
#include "support/motion.h"

static const char thrown_box[] = "amontons: 1\nparameters: {m: 1, a: 0.2, b: 0.1, mu: 0.3, e: "
                                 "0.5}\ncoordinates: [x, y, p]\ngravity: 9.81\n"
                                 "bodies: {box: {mass: m, inertia: m*(a^2 + b^2)/12, at: [x, y], angle: p}}\n"
                                 "contacts:\n"
                                 "  l: {support: {point: {on: box, at: [-a/2, -b/2]}, line: {through: [0, "
                                 "0], along: 0}}, restitution: e, law: "
                                 "{type: coulomb, mu: mu}}\n"
                                 "  r: {support: {point: {on: box, at: [a/2, -b/2]}, line: {through: [0, 0], "
                                 "along: 0}}, restitution: e, law: "
                                 "{type: coulomb, mu: mu}}\n"
                                 "initial: {y: 0.3, p: 0.4, x': 1.5, p': -2}\n";

enum { STATES = 6, CONTACTS = 2 };

/// The next impact: states before and after.
static bool next_impact(amo_sim *s, double *before, double *after)
{
  while (amo_sim_time(s) < 2.0) {
    assert_int_equal(amo_sim_step(s, 2.0), AMO_OK);
    if (s->events == 0 || !amo_sim_flow(s)->lane[0].struck) continue;
    s->ops->dense(s, s->t, before);
    memcpy(after, s->y, STATES * sizeof *after);
    return true;
  }
  return false;
}

static double violation(amo_sim *s, const double *before, const double *after)
{
  amo_impact_sizes sizes = {0};
  return amo_impact_judge(amo_sim_flow(s), 0, before, after, &sizes).violation;
}

static void falsified_impacts_are_seen(void **state)
{
  (void)state;
  amo_model *m = motion_model(thrown_box);
  amo_sim *s = motion_sim(m, 1e-12);
  double before[STATES], after[STATES];
  int impacts = 0;
  for (; impacts < 4 && next_impact(s, before, after); impacts++) {
    double *impulse = amo_sim_flow(s)->lane[0].impulse;
    signed char *mode = amo_sim_flow(s)->lane[0].impact_mode;
    assert_true(violation(s, before, after) < 1e-11);
    for (int i = STATES / 2; i < STATES; i++) {  // velocities
      const double true_one = after[i];
      after[i] += 1e-6;
      assert_true(violation(s, before, after) > 1e-8);
      after[i] = true_one;
    }
    for (int c = 0; c < 2 * CONTACTS; c++) {  // impulses, normal and of friction: another size, another sign
      const double true_one = impulse[c];
      if (true_one == 0.0) continue;
      impulse[c] *= 1.0 + 1e-6;
      assert_true(violation(s, before, after) > 1e-8);
      impulse[c] = -true_one;
      assert_true(violation(s, before, after) > 1e-3);
      impulse[c] = true_one;
    }
    for (int c = 0; c < CONTACTS; c++) {  // one that slides is said to stand still
      const signed char true_one = mode[c];
      if (true_one == 0 || true_one == AMO_MODE_OPEN) continue;
      mode[c] = 0;
      assert_true(violation(s, before, after) > 1e-3);
      mode[c] = true_one;
    }
    assert_true(violation(s, before, after) < 1e-11);
  }
  assert_int_equal(impacts, 4);
  amo_sim_free(s);
  amo_model_free(m);
}

static void impacts_are_counted(void **state)
{
  (void)state;
  amo_model *m = motion_model(thrown_box);
  amo_sim *s = motion_sim(m, 1e-12);
  double before[STATES], after[STATES];
  long impacts = 0;
  while (next_impact(s, before, after)) impacts++;
  assert_true(impacts > 4);
  assert_int_equal(amo_sim_audit(s)->impacts, impacts);
  assert_true(motion_audit(s));
  amo_sim_free(s);
  amo_model_free(m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(falsified_impacts_are_seen),
      cmocka_unit_test(impacts_are_counted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
