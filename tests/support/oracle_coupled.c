// SPDX-License-Identifier: Apache-2.0
#include "support/oracle_coupled.h"

#include <math.h>
#include <string.h>

enum { SWEEPS = 100000 };
static const double STILL = 1e-9;  // an acceleration that Gauss-Seidel leaves to a contact which holds

typedef struct work {
  const coupled *c;
  double inv[COUPLED_N][COUPLED_N];   // M^-1
  double back[COUPLED_C][COUPLED_N];  // M^-1 W^T, by contact
  double G[COUPLED_C][COUPLED_C];
  double x[COUPLED_N], u[COUPLED_N], x1[COUPLED_N], u1[COUPLED_N];  // at the start and end of a trial step
  double mean[COUPLED_C], force[COUPLED_C];  // impulse/h; force at the end. Warm starts
  double accel[COUPLED_C];                   // slip accelerations at the end
  int mode[COUPLED_C];
  bool lost;
} work;

static int sign(double a)
{
  return (a > 0.0) - (a < 0.0);
}

static double clamp(double a, double limit)
{
  return fmin(fmax(a, -limit), limit);
}

// Gauss-Jordan; M is positive definite.
static void invert(const coupled *c, double inv[COUPLED_N][COUPLED_N])
{
  double a[COUPLED_N][COUPLED_N];
  memcpy(a, c->M, sizeof a);
  for (int i = 0; i < c->n; i++)
    for (int j = 0; j < c->n; j++) inv[i][j] = i == j;
  for (int p = 0; p < c->n; p++) {
    const double d = a[p][p];
    for (int j = 0; j < c->n; j++) {
      a[p][j] /= d;
      inv[p][j] /= d;
    }
    for (int i = 0; i < c->n; i++) {
      const double f = a[i][p];
      for (int j = 0; i != p && j < c->n; j++) {
        a[i][j] -= f * a[p][j];
        inv[i][j] -= f * inv[p][j];
      }
    }
  }
}

static double along(const coupled *c, int k, const double *v)
{
  double sum = 0.0;
  for (int i = 0; i < c->n; i++) sum += c->W[k][i] * v[i];
  return sum;
}

static double slip(const coupled *c, int k, const double *u)
{
  return along(c, k, u) - c->belt[k];
}

static double friction(const coupled *c, int k, double speed)
{
  return c->kinetic[k] / (1.0 + c->delta[k] * fmax(0.0, speed));
}

// Accelerations by the springs alone at x.
static void spring_acceleration(const work *w, const double *x, double *a)
{
  double f[COUPLED_N];
  for (int i = 0; i < w->c->n; i++) {
    f[i] = 0.0;
    for (int j = 0; j < w->c->n; j++) f[i] -= w->c->K[i][j] * x[j];
  }
  for (int i = 0; i < w->c->n; i++) {
    a[i] = 0.0;
    for (int j = 0; j < w->c->n; j++) a[i] += w->inv[i][j] * f[j];
  }
}

// Slip acceleration of contact k: that of the springs plus that of all contact forces.
static double pushed(const work *w, int k, double free_k, const double *force)
{
  for (int j = 0; j < w->c->nc; j++) free_k += w->G[k][j] * force[j];
  return free_k;
}

// One step of length h with the modes as they are: x1, u1, mean forces. Contacts in stick may be over their bound.
static void advance(work *w, double h)
{
  const coupled *c = w->c;
  double mid[COUPLED_N] = {0}, a[COUPLED_N], free_k[COUPLED_C], s0[COUPLED_C];
  for (int i = 0; i < c->n; i++) mid[i] = w->x[i] + 0.5 * h * w->u[i];
  spring_acceleration(w, mid, a);
  for (int k = 0; k < c->nc; k++) {
    free_k[k] = along(c, k, a);
    s0[k] = slip(c, k, w->u);
  }
  double change = 1.0;
  for (int sweep = 0; sweep < SWEEPS && change > 1e-14; sweep++) {
    change = 0.0;
    for (int k = 0; k < c->nc; k++) {
      const double s1 = s0[k] + h * pushed(w, k, free_k[k], w->mean);
      double next = w->mean[k] - s1 / (h * w->G[k][k]);
      if (w->mode[k] != 0)
        next = -w->mode[k] * friction(c, k, 0.5 * w->mode[k] * (s0[k] + s1));
      else
        next = clamp(next, c->hold[k]);
      change = fmax(change, fabs(next - w->mean[k]));
      w->mean[k] = next;
    }
    // what rounding of s0 leaves in s0/h
    if (change < 1e-15 / h) break;
  }
  w->lost |= change > fmax(1e-14, 1e-15 / h);
  for (int i = 0; i < c->n; i++) {
    double du = a[i];
    for (int k = 0; k < c->nc; k++) du += w->back[k][i] * w->mean[k];
    w->u1[i] = w->u[i] + h * du;
    w->x1[i] = mid[i] + 0.5 * h * w->u1[i];
  }
}

// Forces and slip accelerations at (x, u): contacts with mode 0 get the force, within +-hold, that leaves the least
// acceleration; the others have the friction of their speed.
static void balance(work *w, const double *x, const double *u)
{
  const coupled *c = w->c;
  double a[COUPLED_N], free_k[COUPLED_C], change = 1.0;
  spring_acceleration(w, x, a);
  for (int k = 0; k < c->nc; k++) {
    free_k[k] = along(c, k, a);
    if (w->mode[k] != 0) w->force[k] = -w->mode[k] * friction(c, k, w->mode[k] * slip(c, k, u));
  }
  for (int sweep = 0; sweep < SWEEPS && change > 1e-14; sweep++) {
    change = 0.0;
    for (int k = 0; k < c->nc; k++) {
      if (w->mode[k] != 0) continue;
      const double next = clamp(w->force[k] - pushed(w, k, free_k[k], w->force) / w->G[k][k], c->hold[k]);
      change = fmax(change, fabs(next - w->force[k]));
      w->force[k] = next;
    }
  }
  w->lost |= change > 1e-14;
  for (int k = 0; k < c->nc; k++) w->accel[k] = pushed(w, k, free_k[k], w->force);
}

// Tries a step of length h; does a contact contradict its mode at the end?
static bool contradicted(work *w, double h)
{
  advance(w, h);
  for (int k = 0; k < w->c->nc; k++)
    if (w->mode[k] * slip(w->c, k, w->u1) < 0.0) return true;
  balance(w, w->x1, w->u1);
  for (int k = 0; k < w->c->nc; k++)
    if (w->mode[k] == 0 && fabs(w->accel[k]) > STILL) return true;
  return false;
}

static void accept(work *w)
{
  memcpy(w->x, w->x1, sizeof w->x);
  memcpy(w->u, w->u1, sizeof w->u);
}

// New modes at (x, u), where contacts whose slip is zero are free to choose. Whether there is a doubt: with
// static > kinetic, friction that drops when a contact breaks away may make others change too.
static bool choose(work *w, const bool *zero)
{
  const coupled *c = w->c;
  int old[COUPLED_C], moved = 0;
  memcpy(old, w->mode, sizeof old);
  for (int k = 0; k < c->nc; k++)
    if (zero[k]) w->mode[k] = 0;
  balance(w, w->x, w->u);
  bool drops = false, rest = false;
  for (int k = 0; k < c->nc; k++) {
    if (!zero[k] || fabs(w->accel[k]) <= 0.5 * STILL) continue;
    w->mode[k] = sign(w->accel[k]);
    moved++;
    drops |= c->hold[k] > c->kinetic[k];
    rest |= old[k] == 0;
  }
  for (int k = 0; k < c->nc; k++) drops |= zero[k] && c->hold[k] > c->kinetic[k];
  if (!drops || moved == 0) return false;
  balance(w, w->x, w->u);  // with what the new slips really have
  for (int k = 0; k < c->nc; k++)
    if (zero[k] && (w->mode[k] == 0 ? fabs(w->accel[k]) > STILL : w->mode[k] * w->accel[k] <= 0.0))
      return true;
  int arrived = 0;
  for (int k = 0; k < c->nc; k++) arrived += zero[k] && old[k] != 0;
  return moved > 1 || (arrived && rest);
}

static void record(coupled_run *r, double t, int contact, int from, int to)
{
  if (r->events == COUPLED_EVENTS)
    r->lost = true;
  else
    r->event[r->events++] = (coupled_event){t, contact, from, to};
}

// The part of a step until the first contradiction, then the new modes there. The time used.
static double step_to_event(work *w, double t, double h, coupled_run *r)
{
  double lo = 0.0, hi = h;
  bool zero[COUPLED_C];
  int old[COUPLED_C];
  while (hi - lo > 1e-14 * fmax(1.0, t)) {
    const double half = 0.5 * (lo + hi);
    if (contradicted(w, half))
      hi = half;
    else
      lo = half;
  }
  contradicted(w, hi);
  for (int k = 0; k < w->c->nc; k++) {
    zero[k] = w->mode[k] == 0 || w->mode[k] * slip(w->c, k, w->u1) < 0.0;
    old[k] = w->mode[k];
  }
  accept(w);
  if (choose(w, zero)) r->cascade = fmin(r->cascade, t + hi);
  for (int k = 0; k < w->c->nc; k++)
    if (old[k] != w->mode[k]) record(r, t + hi, k, old[k], w->mode[k]);
  return hi;
}

static void prepare(work *w, const coupled *c)
{
  memset(w, 0, sizeof *w);
  w->c = c;
  invert(c, w->inv);
  for (int k = 0; k < c->nc; k++)
    for (int i = 0; i < c->n; i++)
      for (int j = 0; j < c->n; j++) w->back[k][i] += w->inv[i][j] * c->W[k][j];
  for (int k = 0; k < c->nc; k++)
    for (int j = 0; j < c->nc; j++) w->G[k][j] = along(c, k, w->back[j]);
  memcpy(w->x, c->x, sizeof w->x);
  memcpy(w->u, c->u, sizeof w->u);
}

void oracle_coupled_run(const coupled *c, double t_end, long steps, coupled_run *r)
{
  const double h = t_end / (double)steps;
  work w;
  bool zero[COUPLED_C];
  memset(r, 0, sizeof *r);
  r->cascade = INFINITY;
  prepare(&w, c);
  for (int k = 0; k < c->nc; k++) {
    w.mode[k] = fabs(slip(c, k, w.u)) < 1e-14 ? 0 : sign(slip(c, k, w.u));
    zero[k] = w.mode[k] == 0;
  }
  if (choose(&w, zero)) r->cascade = 0.0;
  memcpy(r->start, w.mode, sizeof r->start);
  for (long i = 0; i < steps && !r->lost && !isfinite(r->cascade); i++) {
    double t = (double)i * h, left = h;
    while (left > 0.0 && !r->lost && !isfinite(r->cascade)) {
      if (!contradicted(&w, left)) {
        accept(&w);
        break;
      }
      const double used = step_to_event(&w, t, left, r);
      t += used;
      left -= used;
    }
    r->lost |= w.lost;
  }
  memcpy(r->x, w.x, sizeof r->x);
  memcpy(r->u, w.u, sizeof r->u);
  memcpy(r->end, w.mode, sizeof r->end);
}

static int of_contact(const coupled_run *r, int contact, const coupled_event **list)
{
  int n = 0;
  for (int i = 0; i < r->events; i++)
    if (r->event[i].contact == contact) list[n++] = &r->event[i];
  return n;
}

// First time at which the modes of two runs differ (infinity: equal); *apart: largest distance of equal events.
static double first_difference(const coupled *c, const coupled_run *a, const coupled_run *b, double *apart)
{
  const coupled_event *ea[COUPLED_EVENTS], *eb[COUPLED_EVENTS];
  double first = INFINITY;
  *apart = 0.0;
  for (int k = 0; k < c->nc; k++) {
    const int na = of_contact(a, k, ea), nb = of_contact(b, k, eb);
    if (a->start[k] != b->start[k]) first = 0.0;
    for (int i = 0; i < na || i < nb; i++) {
      if (i < na && i < nb && ea[i]->to == eb[i]->to && ea[i]->from == eb[i]->from) {
        *apart = fmax(*apart, fabs(ea[i]->t - eb[i]->t));
        continue;
      }
      if (i < na) first = fmin(first, ea[i]->t);
      if (i < nb) first = fmin(first, eb[i]->t);
      break;
    }
  }
  return first;
}

static double state_difference(const coupled *c, const coupled_run *a, const coupled_run *b)
{
  double d = 0.0;
  for (int i = 0; i < c->n; i++) d = fmax(d, fmax(fabs(a->x[i] - b->x[i]), fabs(a->u[i] - b->u[i])));
  return d;
}

static double finest_error(double d1, double d2)
{
  return 2.0 * fmax(d1, 4.0 * d2) / 0.75 / 16.0;
}

void oracle_coupled_solve(const coupled *c, double t_end, double h, coupled_result *r)
{
  static coupled_run a, b;  // large; tests are single-threaded
  r->cascade = false;
  for (int attempt = 0; attempt < 20; attempt++) {
    const long steps = (long)ceil(t_end / h);
    double apart1, apart2;
    oracle_coupled_run(c, t_end, steps, &a);
    oracle_coupled_run(c, t_end, 2 * steps, &b);
    oracle_coupled_run(c, t_end, 4 * steps, &r->run);
    const double d1 = state_difference(c, &a, &b), d2 = state_difference(c, &b, &r->run);
    const double cascade = fmin(a.cascade, fmin(b.cascade, r->run.cascade));
    double differ = fmin(first_difference(c, &a, &b, &apart1), first_difference(c, &b, &r->run, &apart2));
    r->t_end = t_end;
    r->state_error = finest_error(d1, d2);
    r->time_error = finest_error(apart1, apart2);
    r->order = log2(d1 / d2);
    if (a.lost || b.lost || r->run.lost) break;
    r->cascade |= cascade < differ;
    differ = fmin(differ, cascade);
    for (int i = 0; !isfinite(differ) && i < r->run.events;
         i++)  // too close to the end to be told from one after it
      if (r->run.event[i].t > t_end - 100.0 * r->time_error) differ = r->run.event[i].t;
    if (!isfinite(differ)) return;
    t_end = 0.98 * differ - 10.0 * h;
    if (t_end < 100.0 * h) break;
  }
  r->t_end = 0.0;  // the oracle has no answer
}
