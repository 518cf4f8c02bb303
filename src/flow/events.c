// SPDX-License-Identifier: Apache-2.0
/// When does the present mode end? Every condition that holds the mode together is a power series that
/// must stay positive: slip along its sign, the two margins of a sticking contact, the sign of each switch.
#include <math.h>

#include "flow/flow.h"

/// A condition scaled to [0, 1]: a[k] = c_k h^k, stripped of the leading coefficients that are zero
/// because the condition starts exactly at its limit.
typedef struct condition {
  double a[AMO_POLY_MAX];
  int degree;
} condition;

static void scale_to_step(condition *g, double h)
{
  double power = 1.0;
  for (int k = 0; k <= g->degree; k++) {
    g->a[k] *= power;
    power *= h;
  }
}

static double largest_from(const condition *g, int first)
{
  double x = 0.0;
  for (int k = first; k <= g->degree; k++) x = fmax(x, fabs(g->a[k]));
  return x;
}

/// Drop the first `n` coefficients (they are zero up to rounding), then any that do not count against
/// the rest; what remains has the sign of the condition right after the start.
static void strip(condition *g, int n)
{
  double rest = largest_from(g, n);
  while (n < g->degree && fabs(g->a[n]) <= 1e-12 * rest) n++;
  for (int k = n; k <= g->degree; k++) g->a[k - n] = g->a[k];
  g->degree -= n;
}

/// A lane's coefficients of a register; fixed registers are constants.
static void read_series(const amo_flow *f, int lane, uint32_t reg, double factor, int degree, double *a, bool add)
{
  const double *c = amo_flow_series(f, lane, reg);
  bool fixed = amo_prog_is_fixed(f->m->step, reg);
  for (int k = 0; k <= degree; k++) {
    double x = fixed && k > 0 ? 0.0 : factor * c[(size_t)k * (size_t)f->W];
    a[k] = add ? a[k] + x : x;
  }
}

static double exit_time(condition *g, double h)
{
  if (g->a[0] == 0.0 && g->degree == 0) return INFINITY;  // identically at the limit: nothing happens
  double x = amo_poly_first_exit(g->a, g->degree);
  return x > 1.0 ? INFINITY : x * h;
}

static double slip_exit(const amo_flow *f, int lane, uint32_t c, double h)
{
  const amo_lane *l = &f->lane[lane];
  condition g = {.degree = f->P};
  read_series(f, lane, f->m->contact[c].r_slip, l->mode[c], f->P, g.a, false);
  // left its stick without a drop of force: the slip then starts with t^2
  bool no_kick = fabs(g.a[1]) <= l->release_scale[c] * (l->interpolated ? 1e4 : 1.0);
  scale_to_step(&g, h);
  if (l->fresh[c]) strip(&g, no_kick ? 2 : 1);
  return exit_time(&g, h);
}

/// Margin bound - side*lambda of a sticking contact.
static double margin_exit(const amo_flow *f, int lane, uint32_t c, int side, double h)
{
  condition g = {.degree = f->P - 1};
  bool fixed;
  const double *lam = amo_flow_stick_force(f, lane, c, &fixed);
  for (int k = 0; k <= g.degree; k++) g.a[k] = fixed && k > 0 ? 0.0 : -side * lam[(size_t)k * (size_t)f->W];
  read_series(f, lane, f->m->contact[c].r_bound, 1.0, g.degree, g.a, true);
  double bound = *amo_flow_series(f, lane, f->m->contact[c].r_bound);
  scale_to_step(&g, h);
  if (fabs(g.a[0]) <= 1e-11 * bound) {
    if (largest_from(&g, 1) <= 1e-13 * bound) return INFINITY;  // stays at the limit: holds
    strip(&g, 1);
  } else {
    // leave a rounding later, not earlier: the friction of slip must not push the contact back
    g.a[0] += (f->lane[lane].interpolated ? 1e-12 : 1e-14) * bound;
  }
  return exit_time(&g, h);
}

static double stick_exit(const amo_flow *f, int lane, uint32_t c, double h, signed char *to)
{
  double up = margin_exit(f, lane, c, 1, h), down = margin_exit(f, lane, c, -1, h);
  *to = up <= down ? -1 : 1;
  return fmin(up, down);
}

/// A contact that nothing free can hold (imposed motion) rests only while its slip stays zero.
static double idle_exit(const amo_flow *f, int lane, uint32_t c, double h, signed char *to)
{
  condition g = {.degree = f->P};
  read_series(f, lane, f->m->contact[c].r_slip, 1.0, f->P, g.a, false);
  scale_to_step(&g, h);
  double rest = largest_from(&g, 1);
  if (rest <= 1e-14 * f->lane[lane].release_scale[c]) return INFINITY;
  strip(&g, 1);
  *to = g.a[0] > 0.0 ? 1 : -1;
  return 0.0;
}

static double switch_exit(const amo_flow *f, int lane, uint32_t i, double h)
{
  const amo_lane *l = &f->lane[lane];
  condition g = {.degree = f->P};
  uint32_t reg = amo_prog_switch_register(f->m->step, i);
  read_series(f, lane, reg, l->branch[i] == 0 ? 1.0 : l->branch[i], f->P, g.a, false);
  scale_to_step(&g, h);
  if (l->branch[i] == 0) return largest_from(&g, 0) == 0.0 ? INFINITY : 0.0;
  if (l->switch_fresh[i]) {
    if (largest_from(&g, 1) == 0.0) return INFINITY;
    strip(&g, 1);
  }
  return exit_time(&g, h);
}

/// Keep the earliest; what happens within rounding of it happens together.
static void note(amo_lane *l, double *best, double window, double at, amo_hit hit)
{
  if (!(at <= *best + (l->hits > 0 ? window : 0.0))) return;
  if (at < *best - window) l->hits = 0;
  *best = l->hits == 0 ? at : fmin(*best, at);
  l->hit[l->hits++] = hit;
}

double amo_flow_first_event(amo_flow *f, int lane, double h)
{
  const amo_model *m = f->m;
  amo_lane *l = &f->lane[lane];
  double best = h, window = 1e-13 * h + 4e-16 * fabs(l->t);
  l->hits = 0;
  for (uint32_t c = 0; c < m->nc; c++) {
    signed char to = 0;
    double reach = l->hits > 0 ? fmin(best + window, h) : best;
    if (reach <= 0.0) reach = window > 0.0 ? window : h;
    double at = l->mode[c] != 0               ? slip_exit(f, lane, c, reach)
                : m->contact[c].nw == 0       ? idle_exit(f, lane, c, reach, &to)
                                              : stick_exit(f, lane, c, reach, &to);
    note(l, &best, window, at, (amo_hit){c, false, to});
  }
  for (uint32_t i = 0; i < f->nsw; i++) {
    double reach = best > 0.0 ? best : h;
    note(l, &best, window, switch_exit(f, lane, i, reach), (amo_hit){i, true, 0});
  }
  return best;
}
