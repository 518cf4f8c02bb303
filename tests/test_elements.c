// SPDX-License-Identifier: Apache-2.0
// Friction whose stick gives, and elements in parallel (generalised Maxwell slip): motions against another integration that keeps its own
// account of who sticks, against springs and sliders without mass written out, and closed forms of driven contacts.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "amontons/amontons.h"
#include "support/motion.h"
#include "support/near.h"
#include "support/split_ode.h"

// ---- a block on a rough place, shaken, under a normal force that varies ----

typedef struct law {
  const char *text;  // law, and what stands beside it in the contact
  int elements;
  long double k[3], share[3], attraction;  // attraction 0: at once
  long double high, low, speed;            // K(s) = low + (high - low) exp(-(s/speed)^2)
  bool held_high;  // an element that sticks holds up to share*high, whatever the speed
  long double viscous;
} law;

static long double level(const law *l, int i, long double speed)
{
  return l->share[i] * (l->low + (l->high - l->low) * expl(-powl(speed / l->speed, 2)));
}

/// Signs: of the slip, then 1 of an element that sticks, -1 of one that slips.
static long double friction(const law *l, int i, long double slip, long double z, const int *sign)
{
  if (sign[1 + i] > 0 || l->attraction > 0) return l->k[i] * z;
  return (z > 0 ? 1 : -1) * level(l, i, fabsl(slip));
}

static void rates(const void *ctx, long double t, const long double *y, const int *sign, long double *rate)
{
  const law *l = ctx;
  const long double slip = y[1] - 0.1L, N = 2 + 0.5L * sinl(t) - 0.3L * y[0];
  long double sum = l->viscous * slip, all = 0;
  for (int i = 0; i < l->elements; i++) all += l->share[i];
  for (int i = 0; i < l->elements; i++) {
    const long double side = y[2 + i] > 0 ? 1 : -1;
    sum += friction(l, i, slip, y[2 + i], sign);
    rate[2 + i] = sign[1 + i] > 0     ? slip
                  : l->attraction > 0 ? side * l->attraction * l->share[i] / all / l->k[i] *
                                            (1 - side * l->k[i] * y[2 + i] / level(l, i, fabsl(slip)))
                                      : 0;
  }
  rate[0] = y[1];
  rate[1] = -y[0] + 1.5L * cosl(1.3L * t) - N * sum;
}

/// Of an element that sticks: what its bound has over its force, along the slip. Of one that slips: positive once the slip has turned.
static long double quantity(const void *ctx, int i, long double t, const long double *y, const int *sign)
{
  const law *l = ctx;
  const long double slip = y[1] - 0.1L;
  (void)t;
  if (i == 0) return slip;
  const long double z = y[1 + i], side = z > 0 ? 1 : -1;
  if (sign[i] < 0) return -side * slip;
  return (l->held_high ? l->share[i - 1] * l->high : level(l, i - 1, fabsl(slip))) -
         sign[0] * l->k[i - 1] * z;
}

static const char text_of_block[] =
    "amontons: 1\ncoordinates: [x%s]\nparticles: {b: {mass: 1, at: [x, %s]}}\nsprings: {s: {along: x, "
    "stiffness: 1}}\nforces: {x: 1.5*cos(1.3*t)%s}\ncontacts: {c: {%s, slip: \"x' - 0.1\", %s}}\ninitial: "
    "{x: 0.7, x': 0.9}\n";

#define FALLS "0.6 + 0.4*exp(-(s/0.3)^2)"
static const law laws[] = {
    {.text = "law: {type: maxwell-slip, elements: {a: {stiffness: 9, limit: 0.1}, b: {stiffness: 3, limit: "
             "0.15}, c: {stiffness: 1, limit: 0.07}}}",
     .elements = 3,
     .k = {9, 3, 1},
     .share = {0.1L, 0.15L, 0.07L},
     .high = 1,
     .low = 1,
     .speed = 1},
    {.text = "law: {type: maxwell-slip, elements: {a: {stiffness: 9, limit: 0.1}, b: {stiffness: 3, limit: "
             "0.15}, c: {stiffness: 1, limit: 0.07}}, curve: " FALLS ", attraction: 2, viscous: 0.03}",
     .elements = 3,
     .k = {9, 3, 1},
     .share = {0.1L, 0.15L, 0.07L},
     .attraction = 2,
     .high = 1,
     .low = 0.6L,
     .speed = 0.3L,
     .viscous = 0.03L},
    {.text = "law: {type: stribeck, static: 0.3, kinetic: 0.2, speed: 0.3}, stick: {stiffness: 7}",
     .elements = 1,
     .k = {7},
     .share = {1},
     .high = 0.3L,
     .low = 0.2L,
     .speed = 0.3L,
     .held_high = true},
    {.text =
         "law: {type: coulomb, mu: 0.3}, stick: {elements: {a: {stiffness: 7, share: 0.4}, b: {stiffness: "
         "2, share: 0.6}}}",
     .elements = 2,
     .k = {7, 2},
     .share = {0.4L, 0.6L},
     .high = 0.3L,
     .low = 0.3L,
     .speed = 1,
     .held_high = true},
};

// a coordinate more, its position, its load, and what presses: the same normal force three times
static const char *const gap[][4] = {
    {"", "0", "", "pressed: \"2 + 0.5*sin(t) - 0.3*x\""},
    {", y", "y", ", y: -2 - 0.5*sin(t) + 0.3*x", "guide: y"},
    {", y", "y", ", y: -2 - 0.5*sin(t) + 0.3*x", "support: y"},
};

static void motions(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
    const split_ode ode = {2 + laws[i].elements, 1 + laws[i].elements, rates, quantity, &laws[i]};
    long double y[SPLIT_STATES] = {0.7L, 0.9L};
    int sign[SPLIT_SIGNS] = {1, 1, 1, 1};
    split_ode_run(&ode, y, sign, 0, 12, 0.02L);
    for (size_t g = 0; g < 3; g++) {
      char text[2048];
      snprintf(text, sizeof text, text_of_block, gap[g][0], gap[g][1], gap[g][2], gap[g][3], laws[i].text);
      amo_model *m = motion_model(text);
      assert_non_null(m);
      amo_sim *s = motion_sim(m, 1e-12);
      assert_int_equal(motion_advance(s, 12.0), AMO_OK);
      assert_true(motion_audit(s));
      const size_t n = g == 0 ? 1 : 2;
      assert_near(amo_sim_state(s)[0], (double)y[0], 1e-9);
      assert_near(amo_sim_state(s)[n], (double)y[1], 1e-9);
      for (int e = 0; e < laws[i].elements; e++)
        if (sign[1 + e] > 0) assert_near(amo_sim_state(s)[2 * n + (size_t)e], (double)y[2 + e], 1e-10);
      amo_sim_free(s);
      amo_model_free(m);
    }
  }
}

// ---- a spring and a slider without mass, written out ----

static const char by_hand[] = "amontons: 1\ncoordinates: [x, y]\nparticles: {b: {mass: 1, at: [x, "
                              "0]}}\nsprings: {s: {along: x, stiffness: 1}, "
                              "shear: {along: x - y, stiffness: 8}}\nforces: {x: 1.5*cos(0.7*t)}\ncontacts: "
                              "{c: {pressed: 1, slip: y' - "
                              "0.3, law: {%s}}}\ninitial: {x: 0.2, x': 0.5, y: 0.2}\n";
static const char as_stick[] =
    "amontons: 1\ncoordinates: [x]\nparticles: {b: {mass: 1, at: [x, 0]}}\nsprings: {s: {along: x, "
    "stiffness: 1}}\n"
    "forces: {x: 1.5*cos(0.7*t)}\ncontacts: {c: {pressed: 1, slip: x' - 0.3, stick: {stiffness: 8}, law: "
    "{%s}}}\ninitial: {x: 0.2, x': 0.5}\n";

static void springs_before_sliders(void **state)
{
  (void)state;
  static const char *const text_of_law[] = {
      "type: coulomb, mu: 0.4, in: force",
      "type: stiction, static: 0.6, kinetic: 0.4, in: force",
      "type: coulomb, mu: 0.4 + 0.2*sin(2*t), in: force",
      "type: stiction, static: 0.7 + 0.1*cos(t), kinetic: 0.4 + 0.2*sin(2*t), in: force",
      "type: aging, static: 0.5, kinetic: 0.4, growth: 2, rate: 2, in: force",
  };
  for (size_t i = 0; i < sizeof text_of_law / sizeof *text_of_law; i++) {
    const char *const form[] = {by_hand, as_stick};
    double x[2], u[2];
    size_t events[2];
    for (int j = 0; j < 2; j++) {
      char text[2048];
      snprintf(text, sizeof text, form[j], text_of_law[i]);
      amo_model *m = motion_model(text);
      assert_non_null(m);
      amo_sim *s = motion_sim(m, 1e-12);
      assert_int_equal(motion_advance(s, 40.0), AMO_OK);
      assert_true(motion_audit(s));
      x[j] = amo_sim_state(s)[0];
      u[j] = amo_sim_state(s)[1];
      events[j] = (size_t)amo_sim_stats(s)->events;
      amo_sim_free(s);
      amo_model_free(m);
    }
    assert_int_equal(events[0], events[1]);
    assert_true(events[0] > 10);
    assert_near(x[1], x[0], 1e-11);
    assert_near(u[1], u[0], 1e-11);
  }
}

// ---- driven contacts, closed forms ----

/// Friction after a drive of the surface under a block that is held.
static double friction_after(const char *contact, const char *drive, double t)
{
  char text[2048];
  snprintf(
      text, sizeof text,
      "amontons: 1\ncoordinates: [x, X]\nprescribed: {X: \"%s\"}\nparticles: {b: {mass: 1, at: [x, 0]}}\n"
      "contacts: {c: {pressed: 3, slip: X', %s}}\n",
      drive, contact);
  amo_model *m = motion_model(text);
  assert_non_null(m);
  amo_sim *s = motion_sim(m, 1e-12);
  assert_int_equal(motion_advance(s, t), AMO_OK);
  assert_true(motion_audit(s));
  amo_sample *p = NULL;
  assert_int_equal(amo_sample_new(m, &p), AMO_OK);
  assert_int_equal(amo_sim_sample(s, t, true, p), AMO_OK);
  const double force = -p->force[0];
  amo_sample_free(p);
  amo_sim_free(s);
  amo_model_free(m);
  return force;
}

static double play(double z, double to, double most)
{
  return fmin(most, fmax(-most, z + to));
}

/// Sixteen elements along a path with reversals: each is the clamped sum of its displacements.
static void elements_remember(void **state)
{
  (void)state;
  static const double turn[] = {0.21, -0.13, 0.05, -0.3, 0.4};
  double z[16] = {0}, sum = 0.0;
  char drive[400] = "", part[80];
  for (int j = 0; j < 5; j++) {
    snprintf(part, sizeof part, "%s%g*clamp(t - %d, 0, 1)", j ? " + " : "", turn[j], j);
    strcat(drive, part);
    for (int i = 0; i < 16; i++) z[i] = play(z[i], turn[j], 0.01 * (i + 1) / (2.0 - 0.1 * i));
    if (j == 1) continue;
    sum = 0.0;
    for (int i = 0; i < 16; i++) sum += 3.0 * (2.0 - 0.1 * i) * z[i];
    assert_near(
        friction_after("law: {type: maxwell-slip, elements: {\"e[i=0..15]\": {stiffness: 2 - 0.1*i, limit: "
                       "0.01*(i + 1)}}}",
                       drive, j + 1.0),
        sum, 1e-12);
  }
}

/// To and fro by sin(t): k z + c z' up to the static friction, Stribeck's curve from there, and springs that begin at its end.
static void damped_stick(void **state)
{
  (void)state;
  static const char stick[] =
      "law: {type: stribeck, static: 0.3, kinetic: 0.2, speed: 0.5}, stick: {stiffness: 0.4, damping: 0.15}";
  assert_near(friction_after(stick, "sin(t)", 0.3), 3 * (0.4 * sin(0.3) + 0.15 * cos(0.3)), 1e-12);
  const double slides = cos(1.2) / 0.5;
  assert_near(friction_after(stick, "sin(t)", 1.2), 3 * (0.2 + 0.1 * exp(-slides * slides)), 1e-12);
  assert_near(friction_after(stick, "sin(t)", 1.8), 3 * (0.3 + 0.4 * (sin(1.8) - 1) + 0.15 * cos(1.8)),
              1e-12);
}

/// Where a ball with back spin is after some bounces, by its floor's law; a box that is thrown flat onto its corners.
static void thrown(const char *friction_law, bool box, double end, double *out, size_t n)
{
  static const char *const body[] = {
      "bodies: {ball: {mass: 1, inertia: 0.004, at: [x, y], angle: p}}\ncontacts:\n  floor: {support: y - "
      "0.1, slip: x' + 0.1*p', restitution: 0.6, %s}\ninitial: {y: 0.6, x': 1, p': -60}\n",
      "bodies: {box: {mass: 1, inertia: 0.04, at: [x, y], angle: p}}\ncontacts:\n"
      "  left: {support: {point: {on: box, at: [-0.3, -0.2]}, line: {through: [0, 0], along: [1, 0]}}, %s}\n"
      "  right: {support: {point: {on: box, at: [0.3, -0.2]}, line: {through: [0, 0], along: [1, 0]}}, %s}\n"
      "initial: {x: 0.2, y: 0.5, x': 0.5, p': 1}\n"};
  char text[2048];
  int used = snprintf(text, sizeof text, "amontons: 1\ncoordinates: [x, y, p]\ngravity: 9.81\n");
  snprintf(text + used, sizeof text - (size_t)used, body[box], friction_law, friction_law);
  amo_model *m = motion_model(text);
  assert_non_null(m);
  amo_sim *s = motion_sim(m, 1e-12);
  assert_int_equal(motion_advance(s, end), AMO_OK);
  assert_true(motion_audit(s));
  for (size_t i = 0; i < n; i++) out[i] = amo_sim_state(s)[i];
  amo_sim_free(s);
  amo_model_free(m);
}

/// An impact is too short for a contact to give way: it sticks or slides in it as the rigid one does. Bounces are those of the rigid
/// contact exactly; a slide after them ends nearer to its end the stiffer the stick is.
static void struck(void **state)
{
  (void)state;
  static const char rigid[] = "law: {type: stiction, static: 0.36, kinetic: 0.3}",
                    lugre[] = "law: {type: lugre, static: 0.36, kinetic: 0.3, speed: 1e-3, sigma0: 2e4}",
                    gives[] = "law: {type: stiction, static: 0.36, kinetic: 0.3}, stick: {stiffness: %g, "
                              "damping: 0.05}";
  char friction_law[200];
  double expected[6], got[6];
  thrown(rigid, false, 1.2, expected, 6);
  thrown(lugre, false, 1.2, got, 6);
  for (int i = 0; i < 6; i++) assert_near(got[i], expected[i], 1e-11 * (1.0 + fabs(expected[i])));
  snprintf(friction_law, sizeof friction_law, gives, 2e4);
  thrown(friction_law, false, 1.2, got, 6);
  for (int i = 0; i < 6; i++) assert_near(got[i], expected[i], 1e-11 * (1.0 + fabs(expected[i])));
  assert_true(fabs(expected[5]) < 30.0);  // the bounces have taken most of its spin
  double off[3];
  thrown(rigid, true, 2.0, expected, 3);
  for (int k = 0; k < 3; k++) {
    snprintf(friction_law, sizeof friction_law, gives, 2e4 * pow(10, k));
    thrown(friction_law, true, 2.0, got, 3);
    off[k] = fabs(got[0] - expected[0]);
    assert_near(got[1], 0.2, 1e-12);
  }
  assert_true(off[0] < 1e-4 && off[1] < 0.3 * off[0] && off[2] < 0.3 * off[1]);
}

/// Preliminary displacement behind a stick that gives is that of a slider without mass behind a spring, written out: reversible by the spring,
/// irreversible while the force grows, by creep; a pause of the drive ends the irreversible part until the contact has broken away.
static void yields_before_it_slides(void **state)
{
  (void)state;
  static const char head[] =
      "amontons: 1\nparameters: {m: 1.5, c: 9e5, d: 150, kc: 5.6e7, v: 2.3e-5, F0: 85, A: 19.3, beta: "
      "0.003}\n"
      "definitions: {drive: \"v*t - if(t > 0.75, v*(t - 0.75), 0) + if(t > 0.85, v*(t - 0.85), 0)\"}\n"
      "coordinates: [x%s]\nparticles: {body: {mass: m, at: [x, 0]}}\n"
      "springs: {drive: {along: drive - x, stiffness: c}%s}\n"
      "dampers: {drive: {along: drive - x, damping: d}}\n"
      "contacts: {guide: {pressed: 1, slip: %s, law: {type: breakaway, in: force, level: F0, excess: A, "
      "beta: beta}, "
      "preliminary: {above: F0 + 0.1*A, irreversible: \"2*18.5e-6*(F - F0 - 0.1*A)/(0.9*A)^2\"%s}%s}}\n"
      "initial: {x: -0.9*F0/c, x': v, %s}\n";
  static const char *const creep[] = {"", ", creep: \"2e-8*(F - F0)\""};
  for (int i = 0; i < 2; i++) {
    char beside[2000], within[2000];
    snprintf(beside, sizeof beside, head, ", p", ", contact: {along: x - p, stiffness: kc}", "p'", creep[i],
             "", "p: -0.9*F0/c - 0.9*F0/kc");
    snprintf(within, sizeof within, head, "", "", "x'", creep[i], ", stick: {stiffness: kc}",
             "guide.stick.z: 0.9*F0/kc");
    amo_model *a = motion_model(beside), *b = motion_model(within);
    amo_sim *sa = motion_sim(a, 1e-12), *sb = motion_sim(b, 1e-12);
    double least = INFINITY, most = 0;
    for (int k = 1; k <= 20; k++) {
      assert_int_equal(amo_sim_run(sa, 0.1 * k, NULL, NULL), AMO_OK);
      assert_int_equal(amo_sim_run(sb, 0.1 * k, NULL, NULL), AMO_OK);
      const double *ya = amo_sim_state(sa), *yb = amo_sim_state(sb);
      const size_t p = (size_t)amo_model_find_state(a, "p"),
                   z = (size_t)amo_model_find_state(b, "guide.stick.z");
      const int ma = amo_sim_mode(sa, 0), mb = amo_sim_mode(sb, 1);
      if (fabs(ya[0] - yb[0]) > 1e-11 || fabs(ya[0] - ya[p] - yb[z]) > 1e-11 || ma != mb)
        fail_msg("t = %g: x %.15g and %.15g, z %.9g and %.9g, modes %d and %d", 0.1 * k, ya[0], yb[0],
                 ya[0] - ya[p], yb[z], ma, mb);
      least = fmin(least, yb[z]), most = fmax(most, yb[z]);
    }
    assert_true(most > 1.2 * least);  // it has broken away
    assert_true(amo_sim_audit(sb)->ok);
    amo_sim_free(sa), amo_sim_free(sb);
    amo_model_free(a), amo_model_free(b);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(motions),
                                     cmocka_unit_test(springs_before_sliders),
                                     cmocka_unit_test(elements_remember),
                                     cmocka_unit_test(damped_stick),
                                     cmocka_unit_test(struck),
                                     cmocka_unit_test(yields_before_it_slides)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
