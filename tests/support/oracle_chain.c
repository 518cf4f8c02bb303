// SPDX-License-Identifier: Apache-2.0
#include "support/oracle_chain.h"

#include <math.h>
#include <string.h>

static int sign(double a)
{
  return (a > 0.0) - (a < 0.0);
}

static double spring_force(const oracle_chain *c, const double *x, int i)
{
  double f = -c->ground[i] * x[i];
  if (i + 1 < c->n) f += c->coupling[i] * (x[i + 1] - x[i]);
  if (i > 0) f -= c->coupling[i - 1] * (x[i] - x[i - 1]);
  return f;
}

static void record(oracle_run *r, double t, int block, int from, int to)
{
  if (r->events == ORACLE_EVENTS) {
    r->overflow = true;
    return;
  }
  r->event[r->events++] = (oracle_event){t, block, from, to};
}

// Slip speed s under the frozen force f for a time h in slip direction sigma, friction at the mean speed (implicit
// midpoint, solved by fixed point: contraction factor h Fs delta/(2 m), tiny).
static double slide(const oracle_chain *c, int i, double f, double s, int sigma, double h)
{
  double s1 = s;
  for (int it = 0; it < 50; it++) {
    const double speed = fmax(0.0, 0.5 * sigma * (s + s1));
    const double next = s + h / c->m[i] * (f - sigma * c->Fs[i] / (1.0 + c->delta * speed));
    if (next == s1) break;
    s1 = next;
  }
  return s1;
}

// One block through one step with frozen spring force f: the slip speed at the end, changes of mode recorded.
// `before` is the frozen force of the step before, for the time at which the bound was passed in stick.
static double step_block(const oracle_chain *c, int i, double f, double before, double s, int *mode, double t,
                         double h, oracle_run *r)
{
  if (*mode == 0) {
    if (fabs(f) <= c->Fs[i]) return 0.0;
    // the force passed the bound between the midpoints of the two steps: straight line for the time
    const double bound = copysign(c->Fs[i], f), w = f == before ? 1.0 : (bound - before) / (f - before);
    *mode = sign(f);
    record(r, t - 0.5 * h + h * fmin(fmax(w, 0.0), 1.0), i, 0, *mode);
    return slide(c, i, f, 0.0, *mode, h);
  }
  double s1 = slide(c, i, f, s, *mode, h);
  if (s1 * *mode > 0.0) return s1;
  const double part = s == s1 ? 0.0 : s / (s - s1);  // of the step, until the slip speed is zero
  const int from = *mode;
  *mode = fabs(f) <= c->Fs[i] ? 0 : sign(f);
  if (*mode == from) return s1;  // cannot be: friction alone cannot reverse the slip
  record(r, t + part * h, i, from, *mode);
  return *mode == 0 ? 0.0 : slide(c, i, f, 0.0, *mode, (1.0 - part) * h);
}

void oracle_chain_run(const oracle_chain *c, double t_end, long steps, oracle_run *r)
{
  const double h = t_end / (double)steps;
  double x[ORACLE_BLOCKS], s[ORACLE_BLOCKS], mid[ORACLE_BLOCKS], before[ORACLE_BLOCKS];
  int mode[ORACLE_BLOCKS];
  memset(r, 0, sizeof *r);
  for (int i = 0; i < c->n; i++) {
    x[i] = c->x[i];
    s[i] = c->u[i] - c->v;
  }
  for (int i = 0; i < c->n; i++) {
    before[i] = spring_force(c, x, i);
    mode[i] = sign(s[i]);
    if (mode[i] == 0 && fabs(before[i]) > c->Fs[i]) mode[i] = sign(before[i]);
    r->start[i] = mode[i];
  }
  for (long k = 0; k < steps; k++) {
    const double t = (double)k * h;
    for (int i = 0; i < c->n; i++) mid[i] = x[i] + 0.5 * h * (s[i] + c->v);
    for (int i = 0; i < c->n; i++) {
      const double f = spring_force(c, mid, i);
      const double s1 = step_block(c, i, f, before[i], s[i], &mode[i], t, h, r);
      x[i] = mid[i] + 0.5 * h * (s1 + c->v);
      s[i] = s1;
      before[i] = f;
    }
  }
  for (int i = 0; i < c->n; i++) {
    r->x[i] = x[i];
    r->u[i] = s[i] + c->v;
  }
}

// Events of one block in order; the count.
static int of_block(const oracle_run *r, int block, const oracle_event **list)
{
  int n = 0;
  for (int k = 0; k < r->events; k++)
    if (r->event[k].block == block) list[n++] = &r->event[k];
  return n;
}

// First time at which the mode sequences of two runs differ; infinity if they are equal.
static double first_difference(const oracle_chain *c, const oracle_run *a, const oracle_run *b)
{
  const oracle_event *ea[ORACLE_EVENTS], *eb[ORACLE_EVENTS];
  double first = INFINITY;
  for (int i = 0; i < c->n; i++) {
    const int na = of_block(a, i, ea), nb = of_block(b, i, eb);
    for (int k = 0; k < na || k < nb; k++) {
      if (k < na && k < nb && ea[k]->to == eb[k]->to && ea[k]->from == eb[k]->from) continue;
      if (k < na) first = fmin(first, ea[k]->t);
      if (k < nb) first = fmin(first, eb[k]->t);
      break;
    }
  }
  return first;
}

static double state_difference(const oracle_chain *c, const oracle_run *a, const oracle_run *b)
{
  double d = 0.0;
  for (int i = 0; i < c->n; i++) d = fmax(d, fmax(fabs(a->x[i] - b->x[i]), fabs(a->u[i] - b->u[i])));
  return d;
}

static double time_difference(const oracle_chain *c, const oracle_run *a, const oracle_run *b)
{
  const oracle_event *ea[ORACLE_EVENTS], *eb[ORACLE_EVENTS];
  double d = 0.0;
  for (int i = 0; i < c->n; i++) {
    const int n = of_block(a, i, ea);
    (void)of_block(b, i, eb);
    for (int k = 0; k < n; k++) d = fmax(d, fabs(ea[k]->t - eb[k]->t));
  }
  return d;
}

static double finest_error(double d1, double d2)
{
  return 2.0 * fmax(d1, 4.0 * d2) / 0.75 / 16.0;
}

// The last event if it lies too close to the end to be told from one after it; infinity if none does.
static double doubtful_event(const oracle_run *r, double t_end, double error)
{
  double t = INFINITY;
  for (int k = 0; k < r->events; k++)
    if (r->event[k].t > t_end - 100.0 * error) t = fmin(t, r->event[k].t);
  return t;
}

void oracle_chain_solve(const oracle_chain *c, double t_end, double h, oracle_result *r)
{
  static oracle_run a, b;  // large; tests are single-threaded
  for (int attempt = 0; attempt < 50; attempt++) {
    const long steps = (long)ceil(t_end / h);
    oracle_chain_run(c, t_end, steps, &a);
    oracle_chain_run(c, t_end, 2 * steps, &b);
    oracle_chain_run(c, t_end, 4 * steps, &r->run);
    const double d1 = state_difference(c, &a, &b), d2 = state_difference(c, &b, &r->run);
    r->t_end = t_end;
    r->state_error = finest_error(d1, d2);
    r->order = log2(d1 / d2);
    double differ = fmin(first_difference(c, &a, &b), first_difference(c, &b, &r->run));
    if (!isfinite(differ)) {
      r->time_error = finest_error(time_difference(c, &a, &b), time_difference(c, &b, &r->run));
      differ = doubtful_event(&r->run, t_end, r->time_error);
    }
    if (!isfinite(differ)) return;
    t_end = fmax(0.98 * differ - 10.0 * h, 10.0 * h);
  }
  r->t_end = 0.0;  // the oracle has no answer
}
