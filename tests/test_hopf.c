// SPDX-License-Identifier: Apache-2.0
// From Hopf points of steady states to their cycles: closed forms of the point, of the first Lyapunov coefficient and of
// the amplitude; which way the cycles go, on and beyond the onset of stick.
// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "amontons/orbit.h"
#include "support/motion.h"
#include "support/near.h"

static amo_branch *follow(const amo_model *m, const char *parameter, double from, double to, bool branches)
{
  amo_branch *b = NULL;
  amo_branch_opts o = amo_branch_opts_default();
  o.kind = AMO_BRANCH_STEADY;
  o.parameter = (size_t)amo_model_find_parameter(m, parameter);
  o.from = from;
  o.to = to;
  o.branches = branches;
  assert_int_equal(amo_branch_follow(m, &o, NULL, NULL, &b), AMO_OK);
  return b;
}

static const amo_special *special(const amo_branch *b, amo_special_type type)
{
  for (size_t i = 0; i < b->specials; i++)
    if (b->special[i].type == type) return &b->special[i];
  fail_msg("no %s on the branch", amo_special_name(type));
  return NULL;
}

// r' = p r + r^3 - r^5 in the plane, and a damped oscillator that follows: cycles at p = r^4 - r^2, a fold at -1/4. The
// oscillator has half the amplitude, so that a unit eigenvector has |q_x|^2 = 1/2.5, and l1 = 4 |q_x|^2.
static void normal_form(void **state)
{
  (void)state;
  amo_model *m = motion_model("amontons: 1\nparameters: {p: 0.5}\nstates:\n"
                              "  x: {rate: \"p*x - y + (x^2 + y^2)*x - (x^2 + y^2)^2*x\", initial: 0}\n"
                              "  y: {rate: \"x + p*y + (x^2 + y^2)*y - (x^2 + y^2)^2*y\", initial: 0}\n"
                              "coordinates: [q]\nparticles: {b: {mass: 1, at: [q, 0]}}\n"
                              "energy: {potential: q^2/2}\nforces: {q: -2*q' + x}\n");
  amo_branch *b = follow(m, "p", -0.5, 0.5, true);
  const amo_special *h = special(b, AMO_SPECIAL_HOPF);
  assert_near(h->at.value, 0, 1e-11);
  assert_near(h->frequency, 1, 1e-11);
  assert_near(h->lyapunov, 1.6, 1e-9);
  assert_int_equal(h->criticality, AMO_HOPF_SUBCRITICAL);
  assert_int_equal(h->cycles, 1);
  assert_near(special(b, AMO_SPECIAL_FOLD)->at.value, -0.25, 1e-9);
  for (size_t i = 0; i < b->points; i++) {
    const amo_branch_point *p = &b->point[i];
    if (p->branch != 1) continue;
    const double r2 = p->state[2] * p->state[2] + p->state[3] * p->state[3];
    assert_near(p->value, r2 * r2 - r2, 1e-9);
    assert_int_equal(p->stable, r2 > 0.5);
  }
  assert_near(b->point[b->points - 1].value, 0.5, 0);
  amo_branch_free(b);
  amo_model_free(m);
}

static const char belt[] =
    "amontons: 1\nparameters: {m: %g, k: %g, d: %g, s0: %g, v: 1}\ncoordinates: [x]\n"
    "particles: {p: {mass: m, at: [x, 0]}}\nsprings: {s: {along: x, stiffness: k}}\n"
    "dampers: {d: {along: x, damping: d}}\ncontacts:\n"
    "  belt: {pressed: 1, slip: x' - v, law: {type: curve, static: 1, kinetic: 0.5 + 0.5*exp(-s/s0)}}\n";

// Friction that falls exponentially, with damping: v_H = s0 log(b/(s0 d)), always subcritical; the cycles turn back where
// they begin to stick, and from there on attract.
static void exponential(void **state)
{
  (void)state;
  static const double row[][4] = {{1, 1, 0.2, 1}, {2, 8, 0.5, 0.3}, {0.5, 3, 0.1, 2}};
  for (int i = 0; i < 3; i++) {
    char text[1024];
    const double mass = row[i][0], k = row[i][1], d = row[i][2], s0 = row[i][3], w = sqrt(k / mass);
    const double v = s0 * log(0.5 / (s0 * d)), cubic = d / (6 * s0 * s0 * mass);
    snprintf(text, sizeof text, belt, mass, k, d, s0);
    amo_model *m = motion_model(text);
    amo_branch *b = follow(m, "v", 2.5 * v, 0.2 * v, true);
    const amo_special *h = special(b, AMO_SPECIAL_HOPF), *s = special(b, AMO_SPECIAL_STICK);
    assert_near(h->at.value, v, 1e-10 * v);
    assert_near(h->frequency, w, 1e-9 * w);
    assert_near(h->lyapunov, 1.5 * cubic * w / (1 + w * w), 1e-9 * cubic);
    assert_int_equal(h->criticality, AMO_HOPF_SUBCRITICAL);
    assert_true(s->at.value > v && s->width < 1e-8 * v);
    for (size_t j = 0; j < b->points; j++) {
      const amo_branch_point *p = &b->point[j];
      if (p->branch != 1) continue;
      assert_int_equal(p->stable, p->signature[0] != '\0');
      assert_true(p->value <= s->at.value + 1e-9);
    }
    assert_near(b->point[b->points - 1].value, 0.2 * v, 0);
    amo_branch_free(b);
    amo_model_free(m);
  }
}

static const char drive[] =
    "amontons: 1\nparameters: {m: 100, c: 1e6, F0: 450, eps: %g, lam: %g, gam: %g, v: 0.0015}\n"
    "coordinates: [z]\nparticles: {p: {mass: m, at: [z, 0]}}\nsprings: {s: {along: z, stiffness: c}}\n"
    "dampers: {d: {along: z, damping: lam*m}}\ncontacts:\n  guide: {pressed: 1, slip: z' + v, law: {type: "
    "curve, in: force, static: F0, kinetic: F0 - m*eps*s + m*eps*s^3/(3*gam^2)}}\n";

// Falling cubic characteristic: v_H = gam sqrt(1 - lam/eps); a -> 2/w sqrt(v_H^2 - v^2) as v -> v_H; the cycle touches rest
// near 2/sqrt(5) v_H and goes on with stick. Against the cycle that `cycle` finds without knowing of the branch.
static void falling_cubic(void **state)
{
  (void)state;
  static const double row[][3] = {{2, 0.5, 0.0022}, {30, 6, 0.0022}, {2, 0, 0.0015}};
  for (int i = 0; i < 3; i++) {
    char text[1024];
    const double eps = row[i][0], lam = row[i][1], gam = row[i][2], w = 100, v = gam * sqrt(1 - lam / eps);
    snprintf(text, sizeof text, drive, eps, lam, gam);
    amo_model *m = motion_model(text);
    amo_branch *b = follow(m, "v", 1.2 * v, 0.5 * v, true);
    const amo_special *h = special(b, AMO_SPECIAL_HOPF), *s = special(b, AMO_SPECIAL_STICK);
    assert_near(h->at.value, v, 1e-10 * v);
    assert_int_equal(h->criticality, AMO_HOPF_SUPERCRITICAL);
    assert_true(h->lyapunov < 0);
    assert_near(s->at.value, 2 / sqrt(5) * v, 5e-3 * v);
    for (size_t j = 0; j < b->points; j++) {
      const amo_branch_point *p = &b->point[j];
      if (p->branch != 1) continue;
      assert_true(p->stable);
      assert_int_equal(p->signature[0] == '\0', p->value > s->at.value);
      if (p->value < 0.99 * v || p->value > (1 - 1e-4) * v) continue;
      assert_near(0.5 * (p->high[0] - p->low[0]) / (2 / w * sqrt(v * v - p->value * p->value)), 1,
                  i == 1 ? 5e-3 : 1e-4);
    }
    amo_branch_free(b);
    amo_model_free(m);
  }
}

// The onset of stick as the specification has it (shooting from the touching point), for the same law with a jump at
// rest: the cycles break off there.
static void breaks_off(void **state)
{
  (void)state;
  amo_model *m = motion_model(
      "amontons: 1\nparameters: {m: 100, c: 1e6, F0: 450, A: 420, beta: 0.003, eps: 2, lam: 0.5, "
      "gam: 0.0022, v: 0.0015}\ncoordinates: [z]\nparticles: {p: {mass: m, at: [z, 0]}}\n"
      "springs: {s: {along: z, stiffness: c}}\ndampers: {d: {along: z, damping: lam*m}}\ncontacts:\n"
      "  guide: {pressed: 1, slip: z' + v, law: {type: curve, in: force, static: F0 + A*exp(-beta*c*v), "
      "kinetic: F0 - m*eps*s + m*eps*s^3/(3*gam^2)}}\ninitial: {z: -F0/c, z': -v}\n");
  amo_branch *b = follow(m, "v", 0.0022, 0.001, true);
  assert_near(special(b, AMO_SPECIAL_HOPF)->at.value, 0.00190525588833, 1e-13);
  assert_near(special(b, AMO_SPECIAL_STICK)->at.value, 0.00170412373084, 3e-12);
  assert_non_null(strstr(b->ended[1], "breaks off"));
  assert_near(b->point[b->points - 1].value, 0.00170412373084, 3e-12);
  amo_branch_free(b);
  // and the branch with stick from below, up to where the released motion no longer stops
  amo_branch_opts o = amo_branch_opts_default();
  o.parameter = (size_t)amo_model_find_parameter(m, "v");
  o.from = 0.001;
  o.to = 0.0022;
  b = NULL;
  assert_int_equal(amo_branch_follow(m, &o, NULL, NULL, &b), AMO_OK);
  assert_near(special(b, AMO_SPECIAL_NO_STICK)->at.value, 0.00180006341995, 2e-12);
  amo_branch_free(b);
  amo_model_free(m);
}

// A rail makes the block's mass depend on its place: constrained and in one coordinate the same point, the same cycles.
static void constrained(void **state)
{
  (void)state;
  static const char *const text[] = {
      "amontons: 1\nparameters: {v: 2, d: 0.2}\ncoordinates: [x]\n"
      "particles: {p: {mass: 1, at: [x, 0.1*x^2]}}\nenergy: {potential: x^2/2}\nforces: {x: -d*x'}\n"
      "contacts:\n  belt: {pressed: 1, slip: x' - v, law: {type: curve, static: 1, kinetic: 0.5 + "
      "0.5*exp(-s)}}\n",
      "amontons: 1\nparameters: {v: 2, d: 0.2}\ncoordinates: [x, y]\nparticles: {p: {mass: 1, at: [x, y]}}\n"
      "constraints: {rail: y = 0.1*x^2}\nenergy: {potential: x^2/2}\nforces: {x: -d*x'}\n"
      "contacts:\n  belt: {pressed: 1, slip: x' - v, law: {type: curve, static: 1, kinetic: 0.5 + "
      "0.5*exp(-s)}}\n"};
  double stick[2], period[2], frequency[2];
  for (int i = 0; i < 2; i++) {
    amo_model *m = motion_model(text[i]);
    amo_branch *b = follow(m, "v", 2, 0.4, true);
    const amo_special *h = special(b, AMO_SPECIAL_HOPF);
    assert_near(h->at.value, log(2.5), 1e-11);
    assert_int_equal(h->at.multipliers, 2);
    assert_int_equal(h->criticality, AMO_HOPF_SUBCRITICAL);
    assert_int_equal(isnan(h->lyapunov), i);
    frequency[i] = h->frequency;
    stick[i] = special(b, AMO_SPECIAL_STICK)->at.value;
    period[i] = b->point[b->points - 1].period;
    amo_branch_free(b);
    amo_model_free(m);
  }
  assert_near(frequency[0], frequency[1], 1e-10);
  assert_near(stick[0], stick[1], 1e-9);
  assert_near(stick[0], 1.05020127, 1e-8);  // shooting from the touching point with another integrator
  assert_near(period[0], period[1], 1e-8);
}

// Rate-and-state friction with inertia (dry, spring along the slip): kappa_cr = (B - A)(1 + M/A), and the aging and the
// slip law differ in direction. The specification's coefficients are those of the amplitude of the force, r' = l1 r^3.
static void rate_and_state(void **state)
{
  (void)state;
  static const char *const law[] = {"-exp(phi)*(phi + th)", "exp(-th) - exp(phi)"};
  for (int i = 0; i < 2; i++) {
    char text[1024];
    snprintf(text, sizeof text,
             "amontons: 1\nparameters: {kappa: 1, M: 0.001, A: 0.0145, B: 0.016}\n"
             "coordinates: [unused]\nparticles: {b: {mass: 1, at: [unused, 0]}}\nforces: {unused: "
             "\"-unused - unused'\"}\nstates:\n"
             "  f: {rate: \"kappa*(1 - exp(phi))\", initial: 0}\n"
             "  phi: {rate: \"(f - A*phi - B*th)/(M*exp(phi))\", initial: 0}\n"
             "  th: {rate: \"%s\", initial: 0}\n",
             law[i]);
    amo_model *m = motion_model(text);
    assert_non_null(m);
    const double critical = (0.016 - 0.0145) * (1 + 0.001 / 0.0145);
    amo_branch *b = follow(m, "kappa", 1.02 * critical, 0.99 * critical, true);
    const amo_special *h = special(b, AMO_SPECIAL_HOPF);
    assert_near(h->at.value, critical, 1e-10 * critical);
    assert_near(h->frequency, sqrt(critical / (0.001 + 0.0145)), 1e-8);
    const double w2 = h->frequency * h->frequency, phi2 = w2 / (critical * critical);
    const double f2 = 1 / (1 + phi2 + phi2 / (1 + w2));  // |q_f|^2 of the unit eigenvector
    assert_near(h->lyapunov * h->frequency / (4 * f2), i == 0 ? -52.42096908 : 15.10768191, 1e-6);
    assert_int_equal(h->criticality, i == 0 ? AMO_HOPF_SUPERCRITICAL : AMO_HOPF_SUBCRITICAL);
    assert_int_equal(h->lyapunov < 0, i == 0);
    assert_int_equal(h->cycles, 1);
    amo_branch_free(b);
    amo_model_free(m);
  }
}

// Van der Pol's oscillator is linear at its Hopf point: no direction.
static void upright(void **state)
{
  (void)state;
  amo_model *m =
      motion_model("amontons: 1\nparameters: {mu: 0.5}\ncoordinates: [x]\n"
                   "particles: {p: {mass: 1, at: [x, 0]}}\nforces: {x: \"mu*(1 - x^2)*x' - x\"}\n");
  amo_branch *b = follow(m, "mu", -0.5, 0.5, true);
  assert_int_equal(b->specials, 1);
  assert_int_equal(special(b, AMO_SPECIAL_HOPF)->criticality, AMO_HOPF_DEGENERATE);
  for (size_t i = 0; i < b->points; i++)
    if (b->point[i].branch == 1) assert_near(b->point[i].value, 0, 1e-9);
  amo_branch_free(b);
  amo_model_free(m);
}

// A fault with regularised rate-and-state friction: rates 18 powers of ten apart. w = V/Dc sqrt((b - a)/a).
static void slow_fault(void **state)
{
  (void)state;
  amo_model *m = motion_model(
      "amontons: 1\nparameters: {m: 1e4, eta: 4.6e6, k: 1.5e7, sig: 50e6, mu0: 0.6, a: 0.01, b: 0.015, Dc: "
      "0.008, V0: 1e-6, V: 1e-9}\ncoordinates: [z]\n"
      "energy: {kinetic: m*z'^2/2, potential: k*z^2/2}\nforces: {z: -eta*(z' + V)}\ncontacts:\n"
      "  fault:\n    pressed: sig\n    slip: z' + V\n    law:\n      type: general\n      static: 0\n"
      "      kinetic: a*log(s/(2*V0)*exp((mu0 + b*log(V0*theta/Dc))/a) + sqrt(1 + (s/(2*V0)*exp((mu0 + "
      "b*log(V0*theta/Dc))/a))^2))\n"
      "      states: {theta: {stick: 1, slip: 1 - s*theta/Dc, initial: Dc/V}}\n"
      "initial: {z: -mu0*sig/k + 0.01}\n");
  assert_non_null(m);
  amo_branch *b = follow(m, "k", 1e7, 1e8, false);
  const amo_special *h = special(b, AMO_SPECIAL_HOPF);
  assert_near(h->at.value, 3.125e7, 10.0);
  assert_near(h->frequency, 1e-9 / 0.008 * sqrt(0.5), 1e-12);
  amo_branch_free(b);
  amo_model_free(m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(normal_form),   cmocka_unit_test(exponential),
                                     cmocka_unit_test(falling_cubic), cmocka_unit_test(breaks_off),
                                     cmocka_unit_test(constrained),   cmocka_unit_test(rate_and_state),
                                     cmocka_unit_test(upright),       cmocka_unit_test(slow_fault)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
