// SPDX-License-Identifier: Apache-2.0
// Cycles and branches through the public interface: closed forms, multiple shooting against single shooting, what is
// refused, random belts and oscillators against long simulations.
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

#include "orbit/forcing.h"
#include "orbit/predictor.h"
#include "support/motion.h"
#include "support/near.h"

static const double pi = 3.14159265358979323846;

static const char block[] =
    "amontons: 1\nparameters: {m: 1, k: 1, Fs: 1, Fst: 1, delta: 3, v: 0.2}\ncoordinates: [x]\n"
    "particles: {block: {mass: m, at: [x, 0]}}\nenergy: {potential: k/2*x^2}\n"
    "contacts:\n  belt: {pressed: 1, slip: x' - v, law: {type: curve, static: Fst, "
    "kinetic: Fs/(1 + delta*s)}}\ninitial: {x: 1.1}\n";

static amo_cycle *find(const amo_model *m, const amo_cycle_opts *o, const double *start)
{
  amo_cycle *c = NULL;
  amo_cycle_opts plain = amo_cycle_opts_default();
  assert_int_equal(amo_cycle_find(m, o ? o : &plain, start, NULL, &c), AMO_OK);
  return c;
}

// Static peak without falling friction: t_slip = 2 (pi - atan(w A/v))/w, t_stick = 2A/v, A = (Fst - Fs)/k.
static void closed_form(void **state)
{
  (void)state;
  static const double row[][4] = {{1.2, 0.2, 1, 1}, {1.5, 0.3, 4, 1}, {1.1, 0.05, 2, 3}, {2.0, 1.0, 1, 0.5}};
  for (int i = 0; i < 4; i++) {
    char text[1024];
    const double Fst = row[i][0], v = row[i][1], k = row[i][2], m = row[i][3];
    snprintf(
        text, sizeof text,
        "amontons: 1\nparameters: {m: %g, k: %g}\ncoordinates: [x]\nparticles: {b: {mass: m, at: [x, 0]}}\n"
        "energy: {potential: k/2*x^2}\ncontacts:\n  belt: {pressed: 1, slip: x' - %g, law: {type: stiction, "
        "static: %g, kinetic: 1}}\n",
        m, k, v, Fst);
    amo_model *model = motion_model(text);
    assert_non_null(model);
    amo_cycle *c = find(model, NULL, NULL);
    const double w = sqrt(k / m), a = (Fst - 1) / k;
    const double slip = 2 * (pi - atan(w * a / v)) / w, stick = 2 * a / v;
    assert_near(c->period, slip + stick, 1e-11 * (slip + stick));
    assert_near(c->stick[0], stick / (slip + stick), 1e-11);
    assert_true(c->stable);
    assert_near(c->multiplier[0].re, 1.0, 1e-9);
    assert_true(c->multiplier[1].abs == 0.0);
    assert_int_equal(c->zeros, 1);
    assert_int_equal(c->events, 2);
    amo_cycle_free(c);
    amo_model_free(model);
  }
}

static void multiple_shooting(void **state)
{
  (void)state;
  amo_model *m = motion_model(block);
  amo_cycle_opts o = amo_cycle_opts_default();
  o.period = 12;
  for (o.segments = 1; o.segments <= 5; o.segments += 2) {
    amo_cycle *c = find(m, &o, (double[]){1.1, 0});
    assert_near(c->period, 12.001031294830578647, 1e-10);
    assert_true(c->residual < 1e-9);
    amo_cycle_free(c);
  }
  amo_model_free(m);
}

static void refusals(void **state)
{
  (void)state;
  amo_model *m = motion_model(block);
  amo_cycle *c = NULL;
  amo_cycle_opts o = amo_cycle_opts_default();
  o.period = 12;
  assert_int_equal(amo_cycle_find(m, &o, (double[]){0.625, 0}, NULL, &c), AMO_ENOANSWER);  // equilibrium
  assert_null(c);
  o.period = -1;
  assert_int_equal(amo_cycle_find(m, &o, NULL, NULL, &c), AMO_EINPUT);
  o.period = 0;
  o.accuracy = 0;
  assert_int_equal(amo_cycle_find(m, &o, NULL, NULL, &c), AMO_EINPUT);
  o = amo_cycle_opts_default();
  o.perturbation = 0;
  assert_int_equal(amo_cycle_find(m, &o, NULL, NULL, &c), AMO_EINPUT);
  o = amo_cycle_opts_default();
  o.forcing = 3;  // nothing depends on time
  assert_int_equal(amo_cycle_find(m, &o, NULL, NULL, &c), AMO_EINPUT);
  amo_model_free(m);
  // friction at rest: comes to rest, no cycle
  m = motion_model(
      "amontons: 1\nparameters: {k: 1}\ncoordinates: [x]\nparticles: {b: {mass: 1, at: [x, 0]}}\n"
      "energy: {potential: k/2*x^2}\ncontacts:\n  floor: {pressed: 1, slip: x', law: {type: coulomb, mu: "
      "0.2}}\ninitial: {x: 3}\n");
  o = amo_cycle_opts_default();
  assert_int_equal(amo_cycle_find(m, &o, NULL, NULL, &c), AMO_ENOANSWER);
  amo_model_free(m);
  // decaying oscillation without contact
  m = motion_model(
      "amontons: 1\nparameters: {k: 1}\ncoordinates: [x]\nparticles: {b: {mass: 1, at: [x, 0]}}\n"
      "energy: {potential: k/2*x^2}\nforces: {x: -0.1*x'}\ninitial: {x: 3}\n");
  assert_int_equal(amo_cycle_find(m, &o, NULL, NULL, &c), AMO_ENOANSWER);
  amo_model_free(m);
}

// A forced linear oscillator: amplitude and multipliers exp(-d T +- i w T) are known.
static void forced(void **state)
{
  (void)state;
  amo_model *m = motion_model("amontons: 1\nparameters: {w: 0.7, d: 0.1}\ncoordinates: [x]\n"
                              "particles: {b: {mass: 1, at: [x, 0]}}\nenergy: {potential: x^2/2}\n"
                              "forces: {x: -2*d*x' + cos(w*t)}\n");
  amo_cycle *c = find(m, NULL, NULL);
  const double w = 0.7, d = 0.1, T = 2 * pi / w;
  assert_true(c->forced);
  assert_near(c->period, T, 1e-12 * T);
  assert_near(c->multiplier[0].abs, exp(-d * T), 1e-10);
  assert_near(fabs(atan2(c->multiplier[0].im, c->multiplier[0].re)),
              fabs(remainder(sqrt(1 - d * d) * T, 2 * pi)), 1e-9);
  const double gain = 1 / hypot(1 - w * w, 2 * d * w);
  assert_near(hypot(c->state[0], c->state[1] / w), gain, 1e-9);
  amo_cycle_free(c);
  amo_model_free(m);
}

// Van der Pol against its known period at mu = 1, and its multiplier exp(-integral).
static void van_der_pol(void **state)
{
  (void)state;
  amo_model *m = motion_model("amontons: 1\nparameters: {mu: 1}\ncoordinates: [x]\n"
                              "particles: {b: {mass: 1, at: [x, 0]}}\nenergy: {potential: x^2/2}\n"
                              "forces: {x: mu*(1 - x^2)*x'}\ninitial: {x: 0.5}\n");
  amo_cycle *c = find(m, NULL, NULL);
  assert_near(c->period, 6.6632868593231301896996820305, 1e-11);
  assert_true(c->stable);
  assert_int_equal(c->zeros, 0);
  amo_cycle_free(c);
  amo_model_free(m);
}

static const amo_special *special(const amo_branch *b, amo_special_type type, size_t which)
{
  for (size_t i = 0; i < b->specials; i++)
    if (b->special[i].type == type && which-- == 0) return &b->special[i];
  fail_msg("no %s on the branch", amo_special_name(type));
  return NULL;
}

static amo_branch *follow(const amo_model *m, amo_branch_opts o, const char *parameter, double from,
                          double to)
{
  amo_branch *b = NULL;
  o.parameter = (size_t)amo_model_find_parameter(m, parameter);
  o.from = from;
  o.to = to;
  assert_int_equal(amo_branch_follow(m, &o, NULL, NULL, &b), AMO_OK);
  return b;
}

// The two speeds at which crossing begins and stick ends (40-digit values of the specification).
static void borders(void **state)
{
  (void)state;
  amo_model *m = motion_model(block);
  amo_branch *b = follow(m, amo_branch_opts_default(), "v", 0.2, 5);
  assert_int_equal(b->specials, 2);
  assert_near(special(b, AMO_SPECIAL_CROSSING, 0)->at.value, 0.6419889457496, 1e-9);
  assert_near(special(b, AMO_SPECIAL_NO_STICK, 0)->at.value, 4.423833286953, 1e-8);
  assert_near(b->point[b->points - 1].value, 5, 0);
  assert_near(b->point[b->points - 1].period, 6.30501256585, 1e-9);
  // the first border as delta goes to 2, too: the same as on a branch at delta = 2
  amo_branch_opts o = amo_branch_opts_default();
  amo_locus *l = NULL;
  o.parameter = (size_t)amo_model_find_parameter(m, "v");
  o.from = 0.2;
  o.to = 5;
  assert_int_equal(
      amo_locus_follow(m, &o, &b->special[0], (size_t)amo_model_find_parameter(m, "delta"), 2, 4, &l),
      AMO_OK);
  assert_int_equal(l->points, 5);
  assert_near(l->other[4], 2, 0);
  assert_near(l->value[4], 0.762383150326, 1e-9);
  amo_locus_free(l);
  amo_branch_free(b);
  // the other way round: the same borders, and stick begins where it ended
  b = follow(m, amo_branch_opts_default(), "v", 5, 0.2);
  assert_near(special(b, AMO_SPECIAL_STICK, 0)->at.value, 4.423833286953, 1e-8);
  assert_near(b->point[b->points - 1].period, 12.001031294830578647, 1e-9);
  amo_branch_free(b);
  amo_model_free(m);
}

// Den Hartog's motion without stops ends where the velocity touches zero between the reversals (closed form, the root found
// apart); the short stop that begins there changes its kind soon. From both sides.
static void touching(void **state)
{
  (void)state;
  amo_model *m = motion_model("amontons: 1\nparameters: {w: 0.5}\ncoordinates: [x]\n"
                              "particles: {b: {mass: 1, at: [x, 0]}}\nenergy: {potential: x^2/2}\n"
                              "forces: {x: cos(w*t)}\n"
                              "contacts: {floor: {pressed: 1, slip: x', law: {type: coulomb, mu: 0.3}}}\n");
  amo_branch *b = follow(m, amo_branch_opts_default(), "w", 0.85, 0.3);
  assert_near(special(b, AMO_SPECIAL_STICK, 0)->at.value, 0.4814782470150, 1e-9);
  assert_near(special(b, AMO_SPECIAL_CROSSING, 0)->at.value, 0.480723, 3e-6);
  assert_near(b->point[b->points - 1].value, 0.3, 0);
  amo_branch_free(b);
  b = follow(m, amo_branch_opts_default(), "w", 0.3, 0.85);
  assert_near(special(b, AMO_SPECIAL_NO_STICK, 0)->at.value, 0.4814782470150, 1e-9);
  assert_near(special(b, AMO_SPECIAL_CROSSING, 0)->at.value, 0.480723, 3e-6);
  amo_branch_free(b);
  amo_model_free(m);
}

// Subcritical Hopf with a fifth-order term: p + r^2 - r^4 = 0 for the amplitude, fold at p = -1/4, Hopf at p = 0.
static void fold_and_hopf(void **state)
{
  (void)state;
  amo_model *m = motion_model("amontons: 1\nparameters: {p: 0.5}\nstates:\n"
                              "  x: {rate: \"p*x - y + (x^2 + y^2)*x - (x^2 + y^2)^2*x\", initial: 1.2}\n"
                              "  y: {rate: \"x + p*y + (x^2 + y^2)*y - (x^2 + y^2)^2*y\", initial: 0}\n"
                              "coordinates: [q]\nparticles: {b: {mass: 1, at: [q, 0]}}\n"
                              "energy: {potential: q^2/2}\nforces: {q: -2*q' + x}\n");
  assert_non_null(m);
  amo_branch *b = follow(m, amo_branch_opts_default(), "p", 0.5, -0.5);
  const amo_special *f = special(b, AMO_SPECIAL_FOLD, 0), *h = special(b, AMO_SPECIAL_HOPF, 0);
  assert_near(f->at.value, -0.25, 1e-9);
  assert_near(hypot(f->at.state[2], f->at.state[3]), sqrt(0.5), 1e-4);
  assert_near(h->at.value, 0.0, 1e-9);
  amo_branch_free(b);
  amo_branch_opts o = amo_branch_opts_default();
  o.kind = AMO_BRANCH_STEADY;
  b = NULL;
  o.parameter = 0;
  o.from = -0.5;
  o.to = 0.5;
  assert_int_equal(amo_branch_follow(m, &o, (double[]){0, 0, 0.01, 0}, NULL, &b), AMO_OK);
  assert_near(special(b, AMO_SPECIAL_HOPF, 0)->at.value, 0.0, 1e-9);
  assert_true(b->point[0].stable);
  assert_false(b->point[b->points - 1].stable);
  amo_branch_free(b);
  amo_model_free(m);
}

// Duffing in a double well, forced: symmetry of the response breaks, and periods double.
static void duffing(void **state)
{
  (void)state;
  amo_model *m = motion_model("amontons: 1\nparameters: {F: 0.5, w: 1.2, d: 0.15}\ncoordinates: [x]\n"
                              "particles: {b: {mass: 1, at: [x, 0]}}\nenergy: {potential: x^4/4 - x^2/2}\n"
                              "forces: {x: -2*d*x' + F*cos(w*t)}\ninitial: {x: 1}\n");
  amo_branch_opts o = amo_branch_opts_default();
  o.branches = true;
  amo_branch *b = follow(m, o, "F", 0.05, 0.4);
  const amo_special *f = special(b, AMO_SPECIAL_FLIP, 0);
  double nearest = INFINITY;
  for (size_t i = 0; i < 2; i++)
    nearest = fmin(nearest, hypot(f->at.multiplier[i].re + 1, f->at.multiplier[i].im));
  assert_true(nearest < 1e-8);
  double doubled = 0.0;
  for (size_t i = 0; i < b->points; i++)
    if (b->point[i].branch > 0) doubled = b->point[i].period;
  assert_near(doubled, 2 * 2 * pi / 1.2, 1e-9);
  amo_branch_free(b);
  amo_model_free(m);
}

// A smooth branch through two folds: the polynomial through the last points is so near that one step of Newton's method is the rule.
static void looks_of_a_branch(void **state)
{
  (void)state;
  amo_model *m = motion_model("amontons: 1\nparameters: {w: 4}\ncoordinates: [x]\nparticles: {p: {mass: 1, "
                              "at: [x, 0]}}\nenergy: {potential: x^4/4}\n"
                              "forces: {x: -0.2*x' + 2*cos(w*t)}\ninitial: {x: 1}\n");
  amo_branch *b = follow(m, amo_branch_opts_default(), "w", 4, 1.2);
  int folds = 0;
  for (size_t i = 0; i < b->specials; i++) folds += b->special[i].type == AMO_SPECIAL_FOLD;
  assert_int_equal(folds, 2);
  assert_near(b->special[0].at.value, 1.6456007957, 1e-9);
  assert_near(b->special[1].at.value, 2.9523837962, 1e-9);
  assert_true(b->points > 100);
  assert_true((double)b->effort.trajectories < 3.0 * (double)b->points);
  amo_branch_free(b);
  amo_model_free(m);
}

// The polynomial through three points and their directions is exact for a graph of degree five, whatever the lengths of the steps and
// the scales; beyond a point from which the curve came back it says nothing.
static void predictor(void **state)
{
  (void)state;
  const double scale[2] = {2.0, 0.5}, at[] = {-0.9, -0.5, 0.0};
  amo_predictor p;
  double x[2], tangent[2], matrix[2], work[2];
  assert_int_equal(amo_predictor_make(&p, 2), AMO_OK);
  assert_int_equal(amo_predictor_next(&p, scale, 0.1, x), AMO_ENOANSWER);
  for (int i = 0; i < 3; i++) {  // y = s^5 - s^2 in scaled units, along s at 0
    const double s = at[i], slope = 5 * pow(s, 4) - 2 * s, size = hypot(1.0, slope);
    x[0] = scale[0] * s, x[1] = scale[1] * (pow(s, 5) - s * s);
    tangent[0] = 1.0 / size, tangent[1] = slope / size;
    matrix[0] = 1.0 + s, matrix[1] = 3.0 - s * s;
    assert_false(amo_predictor_matrix(&p, scale, 0.1, work, matrix));  // of two points or fewer
    amo_predictor_keep(&p, x, tangent, scale, matrix);
  }
  assert_int_equal(amo_predictor_next(&p, scale, 0.1, x), AMO_OK);
  assert_near(x[0] / scale[0], 0.1, 1e-14);
  assert_near(x[1] / scale[1], pow(0.1, 5) - 0.01, 1e-13);
  assert_true(amo_predictor_matrix(&p, scale, 0.1, work, matrix));
  assert_near(matrix[0], 1.1, 1e-14);
  assert_near(matrix[1], 2.99, 1e-14);
  amo_predictor_forget(&p);
  assert_false(amo_predictor_matrix(&p, scale, 0.1, work, matrix));
  x[0] = 1.0, x[1] = 0.0, tangent[0] = -1.0, tangent[1] = 0.0;
  amo_predictor_keep(&p, x, tangent, scale, NULL);
  x[0] = 0.0, tangent[0] = 1.0;
  amo_predictor_keep(&p, x, tangent, scale, NULL);
  assert_int_equal(amo_predictor_next(&p, scale, 0.5, x), AMO_OK);
  assert_near(x[0], 0.5 * scale[0], 1e-14);  // along the tangent alone
  amo_predictor_free(&p);
}

// T = 2 pi/(a^2 + 1): what follows from a chosen parameter counts, and so does a phase that the parameter shifts.
static void period_of_the_forcing(void **state)
{
  (void)state;
  amo_model *m = motion_model("amontons: 1\nparameters: {a: 1.5, w: a^2 + 1}\ncoordinates: [x]\nparticles: "
                              "{p: {mass: 1, at: [x, 0]}}\n"
                              "energy: {potential: x^2}\nforces: {x: \"cos(w*t + a^3)\"}\n");
  assert_non_null(m);
  amo_values v = *amo_values_or_file(NULL, m);
  const double along[] = {1.0, 3.0}, w = 3.25;
  amo_forced *f = NULL;
  amo_forcing kind;
  double period = 0.0;
  v.t0 = 0.7;
  assert_int_equal(amo_forced_new(m, &f), AMO_OK);
  assert_int_equal(amo_forced_at(f, &v, &kind, &period), AMO_OK);
  assert_int_equal(kind, AMO_PERIODIC);
  assert_near(period, 2 * pi / w, 1e-14);
  assert_near(amo_forced_slope(f, &v, along, period), -2 * pi / (w * w) * 3.0, 1e-14);
  amo_forced_free(f);
  amo_model_free(m);
}

// A pendulum by its angle, by a constraint and by a guide: the same multipliers, the same folds.
static void ties(void **state)
{
  (void)state;
  static const char *const text[] = {
      "amontons: 1\nparameters: {F: 0.5, w: 0.8}\ncoordinates: [a]\n"
      "particles: {p: {mass: 1, at: [\"sin(a)\", \"-cos(a)\"]}}\ngravity: 1\n"
      "forces: {a: \"F*cos(w*t)*cos(a) - 0.2*a'\"}\n"
      "contacts: {pin: {pressed: 1, slip: \"a'\", law: {type: coulomb, mu: 0.05}}}\ninitial: {a: 0.5}\n",
      "amontons: 1\nparameters: {F: 0.5, w: 0.8}\ncoordinates: [x, y]\nparticles: {p: {mass: 1, at: [x, "
      "y]}}\n"
      "gravity: 1\nconstraints: {rod: x^2 + y^2 = 1}\nforces: {x: \"F*cos(w*t) - 0.2*x'\", y: \"-0.2*y'\"}\n"
      "contacts: {pin: {pressed: 1, slip: \"x'*(-y) + y'*x\", law: {type: coulomb, mu: 0.05}}}\n"
      "initial: {x: \"sin(0.5)\", y: \"-cos(0.5)\"}\n",
      "amontons: 1\nparameters: {F: 0.5, w: 0.8}\ncoordinates: [r, a]\n"
      "particles: {p: {mass: 1, at: [\"r*sin(a)\", \"-r*cos(a)\"]}}\ngravity: 1\n"
      "forces: {a: \"F*cos(w*t)*cos(a)*r - 0.2*a'\"}\n"
      "contacts:\n  rod: {guide: r = 1, slip: \"a'\", law: {type: coulomb, mu: 0}}\n"
      "  pin: {pressed: 1, slip: \"a'\", law: {type: coulomb, mu: 0.05}}\ninitial: {r: 1, a: 0.5}\n"};
  double re = 0.0, fold = 0.0;
  for (int i = 0; i < 3; i++) {
    amo_model *m = motion_model(text[i]);
    assert_non_null(m);
    amo_cycle *c = find(m, NULL, NULL);
    assert_int_equal(c->multipliers, 2);
    assert_true(c->stable);
    if (i == 0) re = c->multiplier[0].re;
    assert_near(c->multiplier[0].re, re, 1e-9);
    amo_cycle_free(c);
    amo_branch *b = follow(m, amo_branch_opts_default(), "F", 0.5, 0.9);
    const double at = special(b, AMO_SPECIAL_FOLD, 0)->at.value;
    if (i == 0) fold = at;
    assert_near(at, fold, 1e-9);
    amo_branch_free(b);
    amo_model_free(m);
  }
}

// The cycle that the search finds is the one a long simulation ends on; its matrix predicts how it is approached.
static void random_belts(void **state)
{
  (void)state;
  uint64_t seed = 7;
  int found = 0;
  for (int k = 0; k < 8; k++) {
    char text[1024];
    double r[4];
    for (int i = 0; i < 4; i++) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      r[i] = (double)(seed >> 11) / 9007199254740992.0;
    }
    snprintf(text, sizeof text,
             "amontons: 1\nparameters: {k: %.4f, c: %.4f}\ncoordinates: [a, b]\n"
             "energy: {kinetic: a'^2/2 + b'^2*%.4f, potential: k/2*a^2 + k/3*b^2 + c/2*(a - b)^2}\nforces: "
             "{b: -0.2*b'}\ncontacts:\n"
             "  A: {pressed: 1, slip: a' - %.4f, law: {type: curve, static: 1, kinetic: 1/(1 + 2*s)}}\n",
             0.5 + r[0], 0.2 + r[1], 0.3 + r[2], 0.1 + 0.3 * r[3]);
    amo_model *m = motion_model(text);
    amo_cycle *c = NULL;
    amo_cycle_opts o = amo_cycle_opts_default();
    if (amo_cycle_find(m, &o, NULL, NULL, &c) == AMO_OK) {
      amo_sim *s = motion_sim(m, 1e-13);
      assert_int_equal(amo_sim_start(s, c->t, c->state), AMO_OK);
      assert_int_equal(amo_sim_run(s, c->t + c->period, NULL, NULL), AMO_OK);
      for (size_t i = 0; i < 4; i++) assert_near(amo_sim_state(s)[i], c->state[i], 1e-8 * c->size[i]);
      if (c->trivial < c->multipliers) assert_near(c->multiplier[c->trivial].re, 1.0, 1e-6);
      amo_sim_free(s);
      found++;
    }
    amo_cycle_free(c);
    amo_model_free(m);
  }
  assert_true(found >= 5);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(closed_form),  cmocka_unit_test(multiple_shooting),
                                     cmocka_unit_test(refusals),     cmocka_unit_test(forced),
                                     cmocka_unit_test(van_der_pol),  cmocka_unit_test(borders),
                                     cmocka_unit_test(touching),     cmocka_unit_test(fold_and_hopf),
                                     cmocka_unit_test(duffing),      cmocka_unit_test(looks_of_a_branch),
                                     cmocka_unit_test(predictor),    cmocka_unit_test(ties),
                                     cmocka_unit_test(random_belts), cmocka_unit_test(period_of_the_forcing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
