// SPDX-License-Identifier: Apache-2.0
// Sticking contacts whose forces the balance leaves open: their motion against that of one contact which can hold what
// they hold together, and the load at which they give way against the least of all mechanisms.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "contact/solutions.h"
#include "support/motion.h"
#include "support/near.h"
#include "support/random.h"

static uint64_t seed = 1699;

static double uniform(double lo, double hi)
{
  return random_uniform(&seed, lo, hi);
}

static int integer(int lo, int hi)
{
  return lo + (int)uniform(0.0, hi - lo + 1);
}

static amo_sim *begin(const text *t, amo_model **m)
{
  *m = motion_model(t->at);
  assert_non_null(*m);
  amo_sim *s = motion_sim(*m, 1e-12);
  assert_non_null(s);
  return s;
}

static void end(amo_sim *s, amo_model *m)
{
  amo_sim_free(s);
  amo_model_free(m);
}

// ---- many pads against one ----

enum { MOST = 5 };

typedef struct pads {
  int n;
  double mu[MOST], N[MOST], swing[MOST], phase[MOST], ratio[MOST];
  int law;
  double mass[2], k[3], force[2], w[2], other, v, x, u;
} pads;

static pads random_pads(int law)
{
  pads p = {.n = integer(2, MOST), .law = law, .other = uniform(0.1, 0.6), .v = uniform(0.0, 0.3)};
  for (int i = 0; i < p.n; i++) {
    p.mu[i] = uniform(0.1, 1.0);
    p.N[i] = uniform(0.1, 1.0);
    p.swing[i] = uniform(0.0, 0.6);
    p.phase[i] = uniform(0.0, 6.0);
    p.ratio[i] = law == 1 ? 1.0 : uniform(0.5, 2.0);  // a curve of the speed knows the ratio
    if (uniform(0.0, 1.0) < 0.5) p.ratio[i] = -p.ratio[i];
  }
  for (int i = 0; i < 2; i++) {
    p.mass[i] = uniform(0.5, 2.0);
    p.force[i] = uniform(0.5, 2.5);
    p.w[i] = uniform(0.3, 2.0);
  }
  for (int i = 0; i < 3; i++) p.k[i] = uniform(0.3, 3.0);
  p.x = uniform(-1.0, 1.0);
  p.u = uniform(0.0, 1.0) < 0.5 ? p.v : uniform(-1.0, 1.0);
  return p;
}

static void write_bodies(const pads *p, text *t)
{
  put(t, "amontons: 1\nname: pads\nparameters: {v: %.17g}\ncoordinates: [x, y]\n", p->v);
  put(t, "particles: {a: {mass: %.17g, at: [x, 0]}, b: {mass: %.17g, at: [y, 1]}}\n", p->mass[0], p->mass[1]);
  put(t, "energy: {potential: %.17g/2*x^2 + %.17g/2*(x - y)^2 + %.17g/2*y^2}\n", p->k[0], p->k[1], p->k[2]);
  put(t, "forces: {x: %.17g*sin(%.17g*t), y: %.17g*sin(%.17g*t)}\n", p->force[0], p->w[0], p->force[1],
      p->w[1]);
  put(t, "initial: {x: %.17g, x': %.17g}\ncontacts:\n", p->x, p->u);
  put(t, "  other: {pressed: 1, slip: y', law: {type: coulomb, mu: %.17g}}\n", p->other);
}

static void put_law(text *t, int law, double mu)
{
  put(t, "law: {static: %.17g, ", mu);
  if (law == 0) put(t, "type: stiction, kinetic: %.17g}}\n", 0.7 * mu);
  if (law == 1) put(t, "type: curve, kinetic: %.17g/(1 + 2*s)}}\n", 0.9 * mu);
  if (law == 2) put(t, "type: aging, growth: 1.5, rate: 2, kinetic: %.17g}}\n", 0.8 * mu);
}

static void write_many(const pads *p, text *t)
{
  write_bodies(p, t);
  for (int i = 0; i < p->n; i++) {
    put(t, "  pad%d: {pressed: %.17g*(1 + %.17g*sin(t + %.17g)), slip: %.17g*(x' - v), ", i, p->N[i],
        p->swing[i], p->phase[i], p->ratio[i]);
    put_law(t, p->law, p->mu[i]);
  }
}

static void write_one(const pads *p, text *t)
{
  write_bodies(p, t);
  put(t, "  pad: {pressed: 0");
  for (int i = 0; i < p->n; i++)
    put(t, " + %.17g*(1 + %.17g*sin(t + %.17g))", fabs(p->ratio[i]) * p->mu[i] * p->N[i], p->swing[i],
        p->phase[i]);
  put(t, ", slip: x' - v, ");
  put_law(t, p->law, 1.0);
}

/// Events of the other body and of the pads: every change of the one pad is one of all pads at the same time.
static void compare(const pads *p, const motion *many, const motion *one, int trial)
{
  size_t j = 0;
  for (size_t i = 0; i < one->events; i++) {
    const motion_event *o = &one->event[i];
    const int copies = o->contact == 0 ? 1 : p->n;
    for (int c = 0; c < copies; c++, j++) {
      if (j >= many->events) fail_msg("trial %d: events end after %zu", trial, j);
      const motion_event *e = &many->event[j];
      const double sign = e->contact == 0 || p->ratio[e->contact - 1] > 0.0 ? 1.0 : -1.0;
      if ((e->contact == 0) != (o->contact == 0) || e->from * sign != o->from || e->to * sign != o->to ||
          fabs(e->t - o->t) > 1e-9)
        fail_msg("trial %d: one pad %d: %d -> %d at %.12g, many %d: %d -> %d at %.12g", trial, o->contact,
                 o->from, o->to, o->t, e->contact, e->from, e->to, e->t);
    }
  }
  if (j != many->events) fail_msg("trial %d: %zu events too many", trial, many->events - j);
}

static void many_pads_are_one(void **state)
{
  (void)state;
  static motion many, one;
  size_t events = 0;
  for (int trial = 0; trial < 90; trial++) {
    const pads p = random_pads(trial % 3);
    text a = {.n = 0}, b = {.n = 0};
    amo_model *ma, *mb;
    write_many(&p, &a);
    write_one(&p, &b);
    amo_sim *sa = begin(&a, &ma), *sb = begin(&b, &mb);
    assert_int_equal(motion_run(sa, 4, 15.0, &many), AMO_OK);
    assert_int_equal(motion_run(sb, 4, 15.0, &one), AMO_OK);
    compare(&p, &many, &one, trial);
    for (int i = 0; i < 4; i++) assert_near(amo_sim_state(sa)[i], amo_sim_state(sb)[i], 1e-9);
    assert_true(motion_audit(sa) && motion_audit(sb));
    events += one.events;
    end(sa, ma);
    end(sb, mb);
  }
  assert_true(events > 500);
}

// ---- a table on two feet: reactions are determined, friction is not ----

static void put_pull(text *t, double push, double w, double k)
{
  put(t, "%.17g*sin(%.17g*t) - %.17g*x", push, w, k);
}

static void feet_are_one(void **state)
{
  (void)state;
  static motion many, one;
  for (int trial = 0; trial < 60; trial++) {
    const double mu1 = uniform(0.1, 0.6), mu2 = uniform(0.1, 0.6), W = uniform(5, 10), V = uniform(0, 4),
                 at = uniform(-0.9, 0.9), w = uniform(0.5, 2.0), push = uniform(2, 8), k = uniform(0.5, 4.0);
    text a = {.n = 0}, b = {.n = 0};
    put(&a,
        "amontons: 1\nname: table\ncoordinates: [x, y, phi]\n"
        "bodies: {top: {mass: 1, inertia: 0.3, at: [x, y], angle: phi}}\n"
        "loads:\n  V: {on: top, at: [%.17g, 0], force: [0, -%.17g*(1 + sin(1.3*t))]}\n"
        "  F: {on: top, force: [",
        at, V);
    put_pull(&a, push, w, k);
    put(&a, ", -%.17g]}\ncontacts:\n", W);
    for (int i = 0; i < 2; i++)
      put(&a,
          "  foot%d: {%s: {point: {on: top, at: [%d, 0]}, line: {through: [0, 0], along: 0}}, law: {type: "
          "stiction, static: %.17g, kinetic: %.17g}}\n",
          i, trial % 2 ? "guide" : "support", 2 * i - 1, i ? mu2 : mu1, 0.8 * (i ? mu2 : mu1));
    put(&b,
        "amontons: 1\nname: block\ncoordinates: [x]\nparticles: {p: {mass: 1, at: [x, 0]}}\nforces: {x: ");
    put_pull(&b, push, w, k);
    put(&b,
        "}\ncontacts:\n  c: {pressed: %.17g*%.17g + %.17g*(1 + sin(1.3*t)), slip: x', law: {type: stiction, "
        "static: 1, kinetic: 0.8}}\n",
        W / 2, mu1 + mu2, V / 2 * (mu1 * (1 - at) + mu2 * (1 + at)));
    amo_model *ma, *mb;
    amo_sim *sa = begin(&a, &ma), *sb = begin(&b, &mb);
    assert_int_equal(motion_run(sa, 6, 15.0, &many), AMO_OK);
    assert_int_equal(motion_run(sb, 2, 15.0, &one), AMO_OK);
    assert_int_equal(many.events, 2 * one.events);
    for (size_t i = 0; i < many.events; i++) {
      assert_near(many.event[i].t, one.event[i / 2].t, 1e-10);
      assert_int_equal(many.event[i].to, one.event[i / 2].to);
    }
    assert_near(amo_sim_state(sa)[0], amo_sim_state(sb)[0], 1e-10);
    assert_near(amo_sim_state(sa)[3], amo_sim_state(sb)[1], 1e-10);
    assert_true(motion_audit(sa) && motion_audit(sb));
    end(sa, ma);
    end(sb, mb);
  }
}

// ---- a plate held by contacts in all directions: the least of all mechanisms ----

enum { DOF = 3, HOLDS = 7 };

typedef struct plate {
  int n;
  double row[HOLDS][DOF], bound[HOLDS], load[DOF], more[DOF];
} plate;

static plate random_plate(void)
{
  plate p = {.n = integer(4, HOLDS)};
  for (int i = 0; i < p.n; i++) {
    for (int j = 0; j < DOF; j++) p.row[i][j] = uniform(-1, 1);
    p.bound[i] = uniform(0.2, 2.0);
  }
  for (int j = 0; j < DOF; j++) {
    p.more[j] = uniform(-1, 1);
    p.load[j] = uniform(-0.1, 0.1);
  }
  return p;
}

static double dot(const double *a, const double *b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// Is the load held at first, in every motion in which two contacts do not slip?
static bool holds_at_first(const plate *p)
{
  for (int i = 0; i < p->n; i++)
    for (int j = 0; j < i; j++) {
      const double *a = p->row[i], *b = p->row[j];
      const double u[DOF] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
      double held = 0.0;
      for (int k = 0; k < p->n; k++) held += p->bound[k] * fabs(dot(p->row[k], u));
      if (fabs(dot(p->load, u)) > 0.9 * held) return false;
    }
  return true;
}

/// Time at which the load does as much work in a motion as friction at its bounds can take; of all motions in which two
/// contacts do not slip the one that comes first.
static double first_mechanism(const plate *p, double *motion_found)
{
  double first = INFINITY;
  for (int i = 0; i < p->n; i++)
    for (int j = 0; j < i; j++) {
      const double *a = p->row[i], *b = p->row[j];
      double u[DOF] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
      const double sign = dot(p->more, u) < 0.0 ? -1.0 : 1.0;
      double held = 0.0;
      for (int k = 0; k < DOF; k++) u[k] *= sign;
      for (int k = 0; k < p->n; k++) held += k == i || k == j ? 0.0 : p->bound[k] * fabs(dot(p->row[k], u));
      const double t = (held - dot(p->load, u)) / dot(p->more, u);
      if (!(t < first)) continue;
      first = t;
      memcpy(motion_found, u, sizeof u);
    }
  return first;
}

static void write_plate(const plate *p, text *t)
{
  put(t, "amontons: 1\nname: plate\ncoordinates: [x, y, z]\nenergy: {kinetic: 1/2*x'^2 + 0.7/2*y'^2 + "
         "1.3/2*z'^2}\n");
  put(t, "forces: {x: %.17g + %.17g*t, y: %.17g + %.17g*t, z: %.17g + %.17g*t}\ncontacts:\n", p->load[0],
      p->more[0], p->load[1], p->more[1], p->load[2], p->more[2]);
  for (int i = 0; i < p->n; i++)
    put(t, "  c%d: {pressed: %.17g, slip: %.17g*x' + %.17g*y' + %.17g*z', law: {type: coulomb, mu: 1}}\n", i,
        p->bound[i], p->row[i][0], p->row[i][1], p->row[i][2]);
}

/// Does the search for all solutions find rest at time t?
static bool rests(amo_model *m, double t)
{
  amo_solutions *all;
  amo_point *p;
  const double zero[2 * DOF] = {0};
  bool any = false;
  assert_int_equal(amo_solutions_new(m, &all), AMO_OK);
  assert_int_equal(amo_point_new(m, &p), AMO_OK);
  amo_point_parameters(p, m->file.param);
  assert_int_equal(amo_solutions_find(all, p, t, zero, NULL), AMO_OK);
  for (size_t i = 0; i < all->count; i++) {
    bool stick = true;
    for (uint32_t c = 0; c < m->nc; c++) stick &= all->item[i].mode[c] == 0;
    any |= stick;
  }
  amo_point_free(p);
  amo_solutions_free(all);
  return any;
}

static void plates_give_way(void **state)
{
  (void)state;
  static motion out;
  for (int trial = 0; trial < 200; trial++) {
    plate p = random_plate();
    while (!holds_at_first(&p)) p = random_plate();
    double u[DOF] = {0};
    const double at = first_mechanism(&p, u);
    text t = {.n = 0};
    amo_model *m;
    write_plate(&p, &t);
    amo_sim *s = begin(&t, &m);
    assert_int_equal(motion_run(s, 6, 1.02 * at, &out), AMO_OK);
    if (out.events == 0) fail_msg("trial %d: holds beyond %.12g", trial, at);
    assert_near(out.event[0].t, at, 1e-10 * at);
    size_t leaving = 0;
    for (size_t i = 0; i < out.events && out.event[i].t == out.event[0].t; i++, leaving++) {
      const double slip = dot(p.row[out.event[i].contact], u);
      if (out.event[i].from != 0 || out.event[i].to * slip <= 0.0)
        fail_msg("trial %d: contact %d goes %d -> %d, the mechanism slips with %.3g", trial,
                 out.event[i].contact, out.event[i].from, out.event[i].to, slip);
    }
    assert_int_equal(leaving, p.n - 2);
    assert_true(motion_audit(s));
    if (trial < 40) assert_true(rests(m, 0.9999 * at) && !rests(m, 1.0001 * at));
    end(s, m);
  }
}

// ---- by hand ----

/// Two pads hold 1 and 2; the pull grows to 5 and goes back to -5.
static void ramp_and_back(void **state)
{
  (void)state;
  static motion out;
  text t = {.n = 0};
  amo_model *m;
  put(&t, "amontons: 1\nname: ramp\ncoordinates: [x]\nparticles: {p: {mass: 1, at: [x, 0]}}\n"
          "forces: {x: \"table(t, 0,0, 10,5, 30,-5)\"}\ncontacts:\n"
          "  A: {pressed: 10, slip: x', law: {type: coulomb, mu: 0.1}}\n"
          "  B: {pressed: 5, slip: -x', law: {type: coulomb, mu: 0.4}}\n");
  amo_sim *s = begin(&t, &m);
  assert_int_equal(motion_run(s, 2, 28.0, &out), AMO_OK);
  // held to 3; u = (t-6)^2/4 is 4 at t = 10, then 4 + 2 T - T^2/4 until T = 4 + 4 sqrt(2); held to -3
  const double at[] = {6.0, 14.0 + 4.0 * sqrt(2.0), 26.0};
  assert_int_equal(out.events, 6);
  for (size_t i = 0; i < 6; i++) assert_near(out.event[i].t, at[i / 2], 1e-10);
  assert_near(amo_sim_state(s)[1], -1.0, 1e-10);  // -(t-26)^2/4
  assert_true(motion_audit(s));
  end(s, m);
}

/// A rod between two walls is wedged if the line between its ends lies in both cones of friction, whatever its load:
/// reactions are not determined either. Otherwise it falls, without any reaction.
static void wedged_rod(void **state)
{
  (void)state;
  static motion out;
  static const struct {
    double theta, mu;
    bool holds;
  } row[] = {{0.1, 0.11, true}, {0.1, 0.09, false}, {-0.3, 0.4, true}, {0.3, 0.3, false}};
  for (int i = 0; i < 8; i++) {
    text t = {.n = 0};
    amo_model *m;
    const char *kind = i % 2 ? "guide" : "support";
    put(&t,
        "amontons: 1\nname: rod\nparameters: {theta: %g, mu: %g}\ncoordinates: [x, y, phi]\ngravity: 10\n"
        "bodies: {rod: {mass: 1, inertia: 1/3, at: [x, y], angle: phi}}\n"
        "loads: {P: {on: rod, force: [0, -100*t]}}\ninitial: {phi: theta}\ncontacts:\n",
        row[i / 2].theta, row[i / 2].mu);
    for (int side = -1; side <= 1; side += 2)
      put(&t,
          "  %s: {%s: {point: {on: rod, at: [%d, 0]}, line: {through: [%d*cos(theta), 0], along: [0, %d]}}, "
          "law: {type: coulomb, mu: mu}}\n",
          side < 0 ? "left" : "right", kind, side, side, side);
    amo_sim *s = begin(&t, &m);
    assert_int_equal(motion_run(s, 6, 1.0, &out), AMO_OK);
    assert_near(amo_sim_state(s)[1], row[i / 2].holds ? 0.0 : -5.0 - 100.0 / 6.0, 1e-9);
    assert_true(motion_audit(s));
    end(s, m);
  }
}

/// A table on three feet in a row: reactions are not determined, but what they hold together is where mu is the same.
static void three_feet(void **state)
{
  (void)state;
  static motion out;
  for (int i = 0; i < 2; i++) {
    text t = {.n = 0};
    amo_model *m;
    put(&t, "amontons: 1\nname: table\ncoordinates: [x, y, phi]\ngravity: 10\n"
            "bodies: {top: {mass: 1, inertia: 1, at: [x, y], angle: phi}}\n"
            "loads: {P: {on: top, force: [t, 0]}}\ncontacts:\n");
    for (int k = 0; k < 3; k++)
      put(&t,
          "  foot%d: {%s: {point: {on: top, at: [%d, 0]}, line: {through: [0, 0], along: 0}}, "
          "law: {type: coulomb, mu: 0.3}}\n",
          k, i ? "guide" : "support", k - 1);
    amo_sim *s = begin(&t, &m);
    assert_int_equal(motion_run(s, 6, 5.0, &out), AMO_OK);
    assert_int_equal(out.events, 3);
    assert_near(out.event[0].t, 3.0, 1e-10);
    assert_near(amo_sim_state(s)[3], 2.0, 1e-10);  // (t - 3)^2/2
    assert_true(motion_audit(s));
    end(s, m);
  }
}

/// With different friction the motion depends on the share of the weight, which is that of equal springs.
static void uneven_feet(void **state)
{
  (void)state;
  static motion out;
  static const int order[2][3] = {{0, 1, 2}, {2, 0, 1}};
  for (int i = 0; i < 2; i++) {
    text t = {.n = 0};
    amo_model *m;
    put(&t, "amontons: 1\nname: table\ncoordinates: [x, y, phi]\ngravity: 10\n"
            "bodies: {top: {mass: 1, inertia: 1, at: [x, y], angle: phi}}\n"
            "loads: {P: {on: top, at: [0.3, 0], force: [t, -10]}}\ncontacts:\n");
    for (int j = 0; j < 3; j++) {
      const int k = order[i][j];
      put(&t,
          "  foot%d: {support: {point: {on: top, at: [%d, 0]}, line: {through: [0, 0], along: 0}}, "
          "law: {type: coulomb, mu: 0.%d}}\n",
          k, k - 1, k == 2 ? 5 : k + 2);
    }
    amo_sim *s = begin(&t, &m);
    assert_int_equal(motion_run(s, 6, 10.0, &out), AMO_OK);
    // reactions of equal springs: 20/3 (1 + 0.225 (k - 1)), with mu 0.2, 0.3, 0.5; the load moves along
    const double hold = 20.0 / 3.0 * (0.2 * 0.775 + 0.3 + 0.5 * 1.225);
    assert_int_equal(out.events, 3);
    assert_near(out.event[0].t, hold, 1e-10);
    assert_near(amo_sim_state(s)[3], (10.0 - hold) * (10.0 - hold) / 2.0, 1e-9);
    assert_true(motion_audit(s));
    end(s, m);
  }
}

/// A box on a box, the upper one pushed: what the pairs of corners hold is shared by each pair alone, and the one that has nothing left
/// to hold with leaves, whatever the other still has.
static void pairs_of_corners(void **state)
{
  (void)state;
  static motion out;
  for (int first = 0; first < 2; first++) {  // order of the contacts
    text t = {.n = 0};
    amo_model *m;
    put(&t,
        "amontons: 1\nname: boxes\ncoordinates: [x0, y0, p0, x1, y1, p1]\ngravity: 10\ninitial: {y0: 0.05, "
        "y1: 0.15}\n"
        "bodies: {b0: {mass: 1, inertia: 0.01, at: [x0, y0], angle: p0}, b1: {mass: 1, inertia: 0.01, at: "
        "[x1, y1], angle: p1}}\nloads: {P: {on: b1, force: [t, 0]}}\ncontacts:\n");
    for (int i = 0; i < 2; i++) {
      const int k = i ^ first;
      for (int side = 0; side < 2; side++)
        put(&t,
            "  c%d%d: {support: {point: {on: b%d, at: [%s, -0.05]}, line: {through: %s, along: %s}}, "
            "law: {type: coulomb, mu: %s}}\n",
            k, side, k, side ? "0.1" : "-0.1", k ? "{on: b0, at: [0, 0.05]}" : "[0, 0]", k ? "p0" : "0",
            k ? "0.4" : "0.8");
    }
    amo_sim *s = begin(&t, &m);
    assert_int_equal(motion_run(s, 12, 4.2, &out), AMO_OK);
    assert_int_equal(out.events, 2);
    assert_near(out.event[0].t, 4.0, 1e-10);
    assert_near(out.event[1].t, 4.0, 1e-10);
    assert_near(amo_sim_state(s)[3], 0.2 * 0.2 * 0.2 / 6.0, 1e-12);  // (t - 4)^3/6
    assert_near(amo_sim_state(s)[0], 0.0, 1e-15);
    assert_true(motion_audit(s));
    end(s, m);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(many_pads_are_one), cmocka_unit_test(feet_are_one),
                                     cmocka_unit_test(plates_give_way),   cmocka_unit_test(ramp_and_back),
                                     cmocka_unit_test(wedged_rod),        cmocka_unit_test(three_feet),
                                     cmocka_unit_test(uneven_feet),       cmocka_unit_test(pairs_of_corners)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
