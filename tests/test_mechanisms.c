// SPDX-License-Identifier: Apache-2.0
/// Random mechanisms of one degree of freedom: particles on random smooth curves r_i(q), coupled by an ideal linkage,
/// one of them in a rough guide. Checked against Newton's equations of every particle with the forces of the linkage
/// and of the guide as unknowns, written and solved here.
// ctest: timeout 300
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
#include "support/probe.h"

enum { MOST = 4, UNKNOWNS = 4 * MOST + 4, MECHANISMS = 60, STATES = 8, RUNS = 24, IMPACTS = 20, TEXT = 8192 };

static const double gravity = 9.81;

// ---- a random mechanism ----

typedef struct wave {  // a + b x + c sin(w x + f)
  double a, b, c, w, f;
} wave;

typedef struct particle {
  double mass;
  wave at[2], lift[2];  // r = at(q) + h lift(q)
} particle;

typedef struct mechanism {
  int n;
  particle part[MOST];  // part[0] is in the guide; its place is not at[] but:
  bool curved;          // guide Y = shape(X), X = along(q); else a straight line through `origin` at `angle`
  wave along, shape;
  double origin[2], angle, lift[2];
  double mu, spring, load;
} mechanism;

static uint64_t seed = 1;

static double uniform(double low, double high)
{
  seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
  uint64_t x = seed ^ (seed >> 33);
  return low + (high - low) * ((double)(x >> 11) / 9007199254740992.0);
}

static wave random_wave(double slope, double swing)
{
  return (wave){uniform(-1, 1), uniform(-slope, slope), uniform(-swing, swing), uniform(0.5, 1.5),
                uniform(-3, 3)};
}

static mechanism random_mechanism(double mu_low, double mu_high)
{
  mechanism m = {.n = 1 + (int)uniform(0, MOST), .curved = uniform(0, 1) < 0.5};
  for (int i = 0; i < m.n; i++) {
    m.part[i].mass = exp(uniform(-1, 1));
    for (int d = 0; d < 2; d++) m.part[i].at[d] = random_wave(1, 1), m.part[i].lift[d] = random_wave(1, 1);
  }
  m.along = random_wave(0, 0.4);
  m.along.b = uniform(0, 1) < 0.5 ? 1.0 : -1.0;  // always moves: |c w| <= 0.6
  m.shape = random_wave(0.2, 0.3);
  m.origin[0] = uniform(-1, 1), m.origin[1] = uniform(-1, 1);
  m.angle = m.curved ? 0.0 : uniform(-3, 3);
  double oblique = uniform(-0.8, 0.8), stretch = uniform(0.5, 2);
  m.lift[0] = stretch * (-sin(m.angle) + oblique * cos(m.angle));
  m.lift[1] = stretch * (cos(m.angle) + oblique * sin(m.angle));
  m.mu = uniform(mu_low, mu_high);
  m.spring = uniform(5, 20), m.load = uniform(-5, 5);
  return m;
}

// ---- as a model ----

static void append(char *text, const char *format, ...)
{
  size_t at = strlen(text);
  va_list list;
  va_start(list, format);
  int n = vsnprintf(text + at, TEXT - at, format, list);
  va_end(list);
  assert_true(n >= 0 && (size_t)n < TEXT - at);
}

static void write_wave(char *text, const wave *f, const char *x)
{
  append(text, "(%.17g + (%.17g)*%s + (%.17g)*sin(%.17g*%s + (%.17g)))", f->a, f->b, x, f->c, f->w, x, f->f);
}

static void write_slider(char *text, const mechanism *m)
{
  append(text, "  P0: {mass: %.17g, at: [", m->part[0].mass);
  for (int d = 0; d < 2; d++) {
    if (m->curved)
      append(text, d == 0 ? "s" : "shape");
    else
      append(text, "%.17g + (%.17g)*s", m->origin[d], d == 0 ? cos(m->angle) : sin(m->angle));
    append(text, " + (%.17g)*h%s", m->lift[d], d == 0 ? ", " : "]}\n");
  }
}

static amo_model *as_model(const mechanism *m)
{
  char text[TEXT] = "amontons: 1\nname: random\ncoordinates: [q, h]\ndefinitions:\n  s: ";
  write_wave(text, &m->along, "q");
  append(text, "\n  shape: ");
  write_wave(text, &m->shape, "s");
  append(text, "\ngravity: %.17g\nparticles:\n", gravity);
  write_slider(text, m);
  for (int i = 1; i < m->n; i++) {
    append(text, "  P%d: {mass: %.17g, at: [", i, m->part[i].mass);
    for (int d = 0; d < 2; d++) {
      write_wave(text, &m->part[i].at[d], "q");
      append(text, " + h*");
      write_wave(text, &m->part[i].lift[d], "q");
      append(text, d == 0 ? ", " : "]}\n");
    }
  }
  append(text,
         "energy: {potential: %.17g/2*q^2}\nforces: {q: %.17g}\ncontacts:\n  I:\n    guide: {point: P0, ",
         m->spring, m->load);
  if (m->curved) {
    append(text, "curve: Y = ");
    write_wave(text, &m->shape, "X");
    append(text, "}\n");
  } else {
    append(text, "line: {through: [%.17g, %.17g], along: %.17g}}\n", m->origin[0], m->origin[1], m->angle);
  }
  append(text, "    law: {type: coulomb, mu: %.17g}\n", m->mu);
  return probe_text(text, NULL, 0);
}

// ---- by Newton ----

static void wave_at(const wave *f, double x, double y[3])  // value, first and second derivative
{
  y[0] = f->a + f->b * x + f->c * sin(f->w * x + f->f);
  y[1] = f->b + f->c * f->w * cos(f->w * x + f->f);
  y[2] = -f->c * f->w * f->w * sin(f->w * x + f->f);
}

typedef struct place {  // of one particle: dr/dq, d2r/dq2, dr/dh on the guide
  double first[2], second[2], lift[2];
} place;

typedef struct geometry {
  place at[MOST];
  double tangent[2], normal[2];  // of the guide
} geometry;

static geometry geometry_at(const mechanism *m, double q)
{
  geometry g;
  double s[3], f[3], y[3];
  wave_at(&m->along, q, s);
  wave_at(&m->shape, s[0], f);
  double t[2] = {cos(m->angle), sin(m->angle)};
  if (m->curved) t[0] = 1.0 / hypot(1.0, f[1]), t[1] = f[1] / hypot(1.0, f[1]);
  for (int d = 0; d < 2; d++) {
    g.tangent[d] = t[d];
    g.at[0].first[d] = s[1] * (!m->curved ? t[d] : d == 0 ? 1.0 : f[1]);
    g.at[0].second[d] = !m->curved ? s[2] * t[d] : d == 0 ? s[2] : f[1] * s[2] + f[2] * s[1] * s[1];
    g.at[0].lift[d] = m->lift[d];
    for (int i = 1; i < m->n; i++) {
      wave_at(&m->part[i].at[d], q, y);
      g.at[i].first[d] = y[1], g.at[i].second[d] = y[2];
      wave_at(&m->part[i].lift[d], q, y);
      g.at[i].lift[d] = y[0];
    }
  }
  g.normal[0] = -t[1], g.normal[1] = t[0];
  return g;
}

/// Gauss with partial pivoting.
static void solve(double a[UNKNOWNS][UNKNOWNS + 1], int n)
{
  for (int c = 0; c < n; c++) {
    int best = c;
    for (int i = c + 1; i < n; i++)
      if (fabs(a[i][c]) > fabs(a[best][c])) best = i;
    for (int j = c; j <= n && best != c; j++) {
      double x = a[c][j];
      a[c][j] = a[best][j], a[best][j] = x;
    }
    for (int i = c + 1; i < n; i++) {
      double f = a[i][c] / a[c][c];
      for (int j = c; j <= n && f != 0.0; j++) a[i][j] -= f * a[c][j];
    }
  }
  for (int i = n; i-- > 0;) {
    for (int j = i + 1; j < n; j++) a[i][n] -= a[i][j] * a[j][n];
    a[i][n] /= a[i][i];
  }
}

typedef struct force {
  double acc, R, T;  // of q; along the normal; friction along the tangent
} force;

/// Unknown: accelerations of the particles, forces of the linkage on them, q'', h'', R, T. `way` and `press`: signs of
/// slip and reaction that give T = -way press mu R; way 0: q'' = 0 instead.
static force newton(const mechanism *m, double q, double v, int way, int reaction_sign)
{
  double a[UNKNOWNS][UNKNOWNS + 1] = {{0}};
  geometry g = geometry_at(m, q);
  const int k = 2 * m->n, S = k, Q = 2 * k, H = Q + 1, R = Q + 2, T = Q + 3, n = Q + 4;
  for (int j = 0; j < k; j++) {
    const int i = j / 2, d = j % 2;
    a[j][j] = m->part[i].mass, a[j][S + j] = -1.0;  // Newton
    if (i == 0) a[j][R] = -g.normal[d], a[j][T] = -g.tangent[d];
    a[j][n] = d == 1 ? -m->part[i].mass * gravity : 0.0;
    a[k + j][j] = 1.0, a[k + j][Q] = -g.at[i].first[d], a[k + j][H] = -g.at[i].lift[d];  // kinematics
    a[k + j][n] = g.at[i].second[d] * v * v;
    a[Q][S + j] = g.at[i].first[d],
             a[H][S + j] = g.at[i].lift[d];  // the linkage does no work but of spring and load
  }
  a[Q][n] = m->load - m->spring * q;
  a[R][H] = 1.0;
  if (way == 0)
    a[T][Q] = 1.0;
  else
    a[T][T] = 1.0, a[T][R] = way * reaction_sign * m->mu;
  solve(a, n);
  return (force){a[Q][n], a[R][n], a[T][n]};
}

static int sign(double x)
{
  return (x > 0.0) - (x < 0.0);
}

/// Slip of the point along the tangent per unit of q'.
static double slip_rate(const mechanism *m, double q)
{
  geometry g = geometry_at(m, q);
  return g.at[0].first[0] * g.tangent[0] + g.at[0].first[1] * g.tangent[1];
}

typedef struct entry {
  int way, reaction_sign;
  force f;
} entry;

/// All that fulfil Coulomb's conditions; `least` is how clearly the least clear verdict was decided.
static int all_of(const mechanism *m, double q, double v, entry *out, double *least)
{
  int n = 0;
  *least = INFINITY;
  if (v == 0.0) {
    force f = newton(m, q, v, 0, 0);
    *least = fabs(fabs(f.T) - m->mu * fabs(f.R));
    if (fabs(f.T) <= m->mu * fabs(f.R)) out[n++] = (entry){0, sign(f.R), f};
  }
  for (int way = -1; way <= 1; way += 2)
    for (int reaction_sign = -1; reaction_sign <= 1; reaction_sign += 2) {
      force f = newton(m, q, v, way, reaction_sign);
      if (v != 0.0 && sign(v * slip_rate(m, q)) != way) continue;
      *least = fmin(*least, fmin(fabs(f.R), v == 0.0 ? fabs(f.acc) : INFINITY));
      if (sign(f.R) == reaction_sign && (v != 0.0 || sign(f.acc * slip_rate(m, q)) == way))
        out[n++] = (entry){way, reaction_sign, f};
    }
  return n;
}

// ---- at a state ----

typedef struct worst {
  double acc, R, T;
  int compared, of_count[6];
} worst;

static void compare(const amo_solutions *s, const entry *want, int n, worst *w)
{
  w->of_count[n]++;
  assert_int_equal(s->count, n);
  for (int i = 0; i < n; i++) {
    const amo_solution *x = NULL;
    for (size_t j = 0; j < s->count; j++)
      if (s->item[j].mode[0] == want[i].way && s->item[j].reaction_sign[0] == want[i].reaction_sign)
        x = &s->item[j];
    assert_non_null(x);
    const force *f = &want[i].f;
    const double scale = 1.0 + fabs(f->acc) + fabs(f->R) + fabs(f->T);
    w->acc = fmax(w->acc, fabs(x->acc[0] - f->acc) / scale);
    w->R = fmax(w->R, fabs(x->reaction[0] - f->R) / scale);
    w->T = fmax(w->T, fabs(x->lambda[0] - f->T) / scale);
    w->compared++;
  }
}

static void solutions(void **state)
{
  (void)state;
  worst w = {0};
  seed = 21;
  for (int i = 0; i < MECHANISMS; i++) {
    mechanism k = random_mechanism(0, i % 3 ? 1 : 6);
    amo_model *m = as_model(&k);
    amo_point *p;
    amo_solutions *s;
    assert_int_equal(amo_point_new(m, &p), AMO_OK);
    assert_int_equal(amo_solutions_new(m, &s), AMO_OK);
    amo_point_parameters(p, m->file.param);
    for (int j = 0; j < STATES; j++) {
      const double at[4] = {uniform(-2, 2), 0.0, j % 3 == 0 ? 0.0 : uniform(-3, 3), 0.0};
      entry want[6];
      double least;
      int n = all_of(&k, at[0], at[2], want, &least);
      if (least < 1e-9) continue;
      assert_int_equal(amo_solutions_find(s, p, 0.0, at, NULL), AMO_OK);
      compare(s, want, n, &w);
    }
    amo_solutions_free(s);
    amo_point_free(p);
    amo_model_free(m);
  }
  print_message("%d mechanisms, %d solutions: q'' to %.1e, reaction to %.1e, friction to %.1e (states with "
                "none %d, one %d, "
                "two %d, three %d)\n",
                MECHANISMS, w.compared, w.acc, w.R, w.T, w.of_count[0], w.of_count[1], w.of_count[2],
                w.of_count[3]);
  assert_true(w.compared > MECHANISMS * STATES / 2);
  assert_true(w.of_count[0] && w.of_count[1] && w.of_count[2] && w.of_count[3]);
  assert_true(w.acc < 1e-10 && w.R < 1e-10 && w.T < 1e-10);
}

// ---- in motion ----

typedef struct track {
  double t, q, v;
  int way, reaction_sign;  // way 0: at rest
  int stops, turns;
  bool paradox;  // met a state with no or several solutions: not followed
} track;

static void derivative(const mechanism *m, const track *k, double q, double v, double d[2])
{
  d[0] = v;
  d[1] = newton(m, q, v, k->way, k->reaction_sign).acc;
}

static track rk4(const mechanism *m, const track *k, double dt)
{
  double a[2], b[2], c[2], d[2];
  derivative(m, k, k->q, k->v, a);
  derivative(m, k, k->q + dt / 2 * a[0], k->v + dt / 2 * a[1], b);
  derivative(m, k, k->q + dt / 2 * b[0], k->v + dt / 2 * b[1], c);
  derivative(m, k, k->q + dt * c[0], k->v + dt * c[1], d);
  track r = *k;
  r.t += dt;
  r.q += dt / 6 * (a[0] + 2 * b[0] + 2 * c[0] + d[0]);
  r.v += dt / 6 * (a[1] + 2 * b[1] + 2 * c[1] + d[1]);
  return r;
}

static void decide(const mechanism *m, track *k)
{
  entry e[6];
  double least;
  int n = all_of(m, k->q, k->v, e, &least);
  k->paradox |= n != 1;
  if (n > 0) k->way = e[0].way, k->reaction_sign = e[0].reaction_sign;
}

static bool stopped(const mechanism *m, const track *k)
{
  return k->v * slip_rate(m, k->q) * k->way < 0.0;
}

static bool turned(const mechanism *m, const track *k)
{
  return newton(m, k->q, k->v, k->way, k->reaction_sign).R * k->reaction_sign < 0.0;
}

/// Step, or the part of it before slip or reaction change their sign; then the signs are decided anew.
static void advance(const mechanism *m, track *k, double dt)
{
  const track start = *k;
  entry e[6];
  double low = 0.0, high = dt, least;
  *k = rk4(m, &start, dt);
  if (!stopped(m, k) && !turned(m, k)) {
    k->paradox |= all_of(m, k->q, k->v, e, &least) != 1;
    return;
  }
  for (int i = 0; i < 60; i++) {
    double middle = 0.5 * (low + high);
    *k = rk4(m, &start, middle);
    if (stopped(m, k) || turned(m, k))
      high = middle;
    else
      low = middle;
  }
  *k = rk4(m, &start, high);
  if (stopped(m, k)) {
    k->v = 0.0, k->stops++;
    decide(m, k);
  } else {
    k->reaction_sign = -k->reaction_sign, k->turns++;
  }
}

static void follow(const mechanism *m, track *k, double until)
{
  const double dt = 5e-4;
  while (k->way != 0 && !k->paradox && k->t < until) advance(m, k, fmin(dt, until - k->t));
  if (k->way == 0) k->t = until;
}

static void motions(void **state)
{
  (void)state;
  int runs = 0, stops = 0, turns = 0, rests = 0, tried = 0;
  double off = 0.0;
  seed = 22;
  for (tried = 0; runs < RUNS && tried < 10 * RUNS; tried++) {
    mechanism k = random_mechanism(0.05, 0.6);
    track r = {.q = uniform(-1, 1), .v = uniform(0, 1) < 0.3 ? 0.0 : uniform(-3, 3)}, end;
    const double start[4] = {r.q, 0.0, r.v, 0.0};
    decide(&k, &r);
    end = r;
    follow(&k, &end, 3.0);
    if (end.paradox || r.paradox) continue;
    amo_model *m = as_model(&k);
    amo_sim *s = motion_sim(m, 1e-12);
    assert_non_null(s);
    assert_int_equal(amo_sim_start(s, 0.0, start), AMO_OK);
    for (int i = 1; i <= 6; i++) {
      follow(&k, &r, 0.5 * i);
      assert_int_equal(motion_advance(s, 0.5 * i), AMO_OK);
      const double *x = amo_sim_state(s);
      off = fmax(off, fmax(fabs(x[0] - r.q), fabs(x[2] - r.v)));
      assert_near(x[0], r.q, 1e-8);
      assert_near(x[2], r.v, 1e-8 * (1.0 + fabs(r.v)));
      assert_near(x[1], 0.0, 1e-12);  // stays on the guide
      assert_near(x[3], 0.0, 1e-11);
      assert_int_equal(amo_sim_mode(s, 0), r.way);
    }
    assert_true(motion_audit(s));
    runs++, stops += r.stops, turns += r.turns, rests += r.way == 0;
    amo_sim_free(s);
    amo_model_free(m);
  }
  print_message("%d motions of %d (the others meet a paradox): %d stops, %d changes of sign of the reaction, "
                "%d at rest in the "
                "end; off by %.1e\n",
                runs, tried, stops, turns, rests, off);
  assert_int_equal(runs, RUNS);
  assert_true(stops > RUNS && turns > 0 && rests > 0);
}

// A slip that no reaction fits stops at once, where it is; then the mechanism rests if it can.
static void impacts(void **state)
{
  (void)state;
  int met = 0, held = 0;
  seed = 23;
  for (int i = 0; met < IMPACTS && i < 100 * IMPACTS; i++) {
    mechanism k = random_mechanism(1, 6);
    track r = {.q = uniform(-1, 1), .v = uniform(-3, 3)};
    const double start[4] = {r.q, 0.0, r.v, 0.0};
    entry e[6];
    double least;
    if (all_of(&k, r.q, r.v, e, &least) != 0 || least < 1e-6) continue;
    r.v = 0.0;
    int n = all_of(&k, r.q, r.v, e, &least);
    assert_true(n == 1 || n == 3);
    r.way = e[0].way, r.reaction_sign = e[0].reaction_sign;  // rest comes first
    follow(&k, &r, 0.1);
    if (r.paradox) continue;
    amo_model *m = as_model(&k);
    amo_sim *s = motion_sim(m, 1e-12);
    assert_non_null(s);
    if (amo_sim_start(s, 0.0, start) != AMO_OK)
      fail_msg("start with q = %.17g, q' = %.17g, mu = %.17g: %s", start[0], start[2], k.mu,
               amo_sim_message(s));
    assert_int_equal(motion_advance(s, 0.1), AMO_OK);
    assert_near(amo_sim_state(s)[0], r.q, 1e-8);
    assert_near(amo_sim_state(s)[2], r.v, 1e-8);
    assert_int_equal(amo_sim_mode(s, 0), r.way);
    met++, held += r.way == 0;
    amo_sim_free(s);
    amo_model_free(m);
  }
  print_message("%d impacts, %d at rest after it\n", met, held);
  assert_int_equal(met, IMPACTS);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(solutions), cmocka_unit_test(motions),
                                     cmocka_unit_test(impacts)};
  return cmocka_run_group_tests_name("mechanisms", tests, NULL, NULL);
}
