// SPDX-License-Identifier: Apache-2.0
/// Where loads jump into a region with two solutions, a slip goes to the one that contacts which yield ever less come to from
/// the reaction before the jump: it goes on, it lifts off, or it stops at once.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "amontons/evaluate.h"
#include "support/motion.h"

enum { JUMPS = 60 };

typedef struct jump {
  const char *kind;  // of the contact
  double slip;       // velocity
  double load[2];    // before and after
  double mu[2];
  double reaction;   // before, of the contact that yields
  double stiffness;  // 0: rigid
} jump;

static double any(double from, double to)
{
  static uint64_t seed = 8;
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return from + (to - from) * (double)(seed >> 11) / 9007199254740992.0;
}

/// Painleve's and Klein's scheme, two masses joined by a rod with tan(phi) = 4: mu |L| = 2 mu, Wnn = 1/9.
static amo_model *scheme(const jump *x)
{
  char text[1200], soft[120] = "";
  if (x->stiffness > 0.0)
    snprintf(soft, sizeof soft, ", stiffness: %.17g, damping: %.17g", x->stiffness,
             0.04 * sqrt(x->stiffness / 9.0));
  snprintf(
      text, sizeof text,
      "amontons: 1\nname: scheme\nparameters: {phi: atan(4)}\ncoordinates: [q, h]\nparticles:\n"
      "  M1: {mass: 1, at: [q, h]}\n  M2: {mass: 1, at: [q + sqrt(1 - (sin(phi) - h)^2), sin(phi)]}\n"
      "loads:\n  P1: {on: M1, force: [\"if(t < 0.01, %.17g, %.17g)\", 0]}\n  P2: {on: M2, force: [1, 0]}\n"
      "contacts:\n  I: {%s: h, slip: q', law: {type: coulomb, mu: \"if(t < 0.01, %.17g, %.17g)\"}%s}\n"
      "initial: {q': %.17g, h: %.17g}\n",
      x->load[0], x->load[1], x->kind, x->mu[0], x->mu[1], soft, x->slip,
      x->stiffness > 0.0 ? -x->reaction / x->stiffness : 0.0);
  return motion_model(text);
}

/// Reaction of the rigid contact at the start; 0: there is none, or no answer.
static double reaction_before(const jump *x)
{
  amo_model *m = scheme(x);
  amo_evaluation *e = NULL;
  assert_int_equal(amo_evaluation_new(m, &e), AMO_OK);
  const double out = amo_evaluate(m, NULL, 0.0, NULL, e, NULL) == AMO_OK ? e->sample->normal[0] : 0.0;
  amo_evaluation_free(e);
  amo_model_free(m);
  return out;
}

/// q' a moment after the jump. *why: of a stop, where it is asked for.
static double after(const jump *x, const char **why)
{
  amo_model *m = scheme(x);
  amo_sim *s = motion_sim(m, 1e-12);
  if (why != NULL) *why = NULL;
  while (amo_sim_time(s) < 0.012) {
    assert_int_equal(amo_sim_step(s, 0.012), AMO_OK);
    for (size_t i = 0; why != NULL && i < amo_sim_new_events(s); i++)
      if (amo_sim_new_event(s, i)->why != NULL) *why = amo_sim_new_event(s, i)->why;
  }
  assert_true(motion_audit(s));
  const double out = amo_sim_state(s)[2];
  amo_sim_free(s);
  amo_model_free(m);
  return out;
}

/// Rigid contacts do what stiff ones tend to.
static void follows(jump x)
{
  const char *why;
  const double rigid = after(&x, &why);
  x.stiffness = 1e8;
  const double off = fabs(after(&x, NULL) - rigid);
  x.stiffness = 1e10;
  const double less = fabs(after(&x, NULL) - rigid);
  if (!(less < 0.02 && less <= off + 1e-3))
    fail_msg("%s, loads %g to %g, reaction %g: off by %g, then %g (%s)", x.kind, x.load[0], x.load[1],
             x.reaction, off, less, why != NULL ? why : "no stop");
}

static bool is_outside(const jump *x)
{
  const char *why;
  (void)after(x, &why);
  return why != NULL && strstr(why, "basin") != NULL;
}

/// Beyond mu |L| = 1 throughout: the stable slip of before leads to the stable slip of after, or past the separatrix.
static void guides_remember(void **state)
{
  (void)state;
  int outside = 0, inside = 0;
  for (int i = 0; i < JUMPS; i++) {
    jump x = {"guide", i % 2 == 0 ? 1.0 : -1.0, {any(-40, 40), any(-10, 10)}, {0.8, 0.8}, 0.0, 0.0};
    x.reaction = reaction_before(&x);
    if (x.reaction == 0.0) continue;
    is_outside(&x) ? outside++ : inside++;
    follows(x);
  }
  print_message("%d outside, %d inside\n", outside, inside);
  assert_true(outside >= 3 && inside >= 3);
}

/// A support that had one answer: with more friction it lifts off, or stops its slip though nothing collides.
static void supports_remember(void **state)
{
  (void)state;
  int outside = 0, inside = 0;
  for (int i = 0; i < JUMPS; i++) {
    jump x = {"support", -1.0, {any(-1, 12), any(-60, 0)}, {0.3, 0.8}, 0.0, 0.0};
    x.reaction = reaction_before(&x);
    if (!(x.reaction > 0.0)) continue;
    is_outside(&x) ? outside++ : inside++;
    follows(x);
  }
  print_message("%d outside, %d inside\n", outside, inside);
  assert_true(outside >= 3 && inside >= 3);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(guides_remember),
      cmocka_unit_test(supports_remember),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
