// SPDX-License-Identifier: Apache-2.0
/// The verdict on one point: Theorems 4 to 6 of Le xuan Anh, with Coulomb's inequality kept (rest needs
/// |F.a| <= mu p |F.b| with or without paradoxes) and the printed verdict beside it.
#include <float.h>
#include <math.h>

#include "explore/brake/brake.h"

static double dot(const double *u, const double *v)
{
  return u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
}

static double cross(const double *u, const double *v)
{
  const double x = u[1] * v[2] - u[2] * v[1], y = u[2] * v[0] - u[0] * v[2], z = u[0] * v[1] - u[1] * v[0];
  return sqrt(x * x + y * y + z * z);
}

static double size_of(const double *u)
{
  return sqrt(dot(u, u));
}

static void combine(const double *a, double f, const double *b, double *out)
{
  for (int k = 0; k < 3; k++) out[k] = a[k] + f * b[k];
}

/// Opening of the double wedge (F.u)(F.v) <= 0. A plane that has vanished leaves every force in it.
static double opening(const double *u, const double *v, bool parallel, double zero)
{
  if (size_of(u) <= zero || size_of(v) <= zero) return AMO_PI;
  if (parallel) return dot(u, v) < 0.0 ? AMO_PI : 0.0;
  return atan2(cross(u, v), dot(u, v));
}

const char *amo_brake_class_name(amo_brake_class kind)
{
  static const char *const name[] = {"self-braking", "ambiguous", "debraking", "both"};
  return (unsigned)kind < sizeof name / sizeof *name ? name[kind] : "?";
}

/// 1/|L| <= kappa up to rounding, and so on: borders belong to rest.
static bool at_most(double x, double y, double tol)
{
  return x <= y * (1.0 + fmin(tol, AMO_NOTHING)) + DBL_MIN;
}

static void classify(amo_braking *x, const amo_rough *r, double tol, bool a_zero, bool b_zero)
{
  const bool paradox = r->mu_kinetic * fabs(r->L) > 1.0 + 8.0 * DBL_EPSILON;
  x->kind = x->source = paradox ? AMO_BRAKE_BOTH : AMO_BRAKE_MOVES;
  if (a_zero) {
    x->kind = x->source = AMO_BRAKE_SELF;
  } else if (x->parallel && !b_zero && at_most(x->kappa, r->mu, tol)) {
    const bool certain = !paradox || at_most(x->kappa * fabs(r->L), 1.0, tol) || dot(x->a, x->b) * r->L < 0.0;
    x->kind = certain ? AMO_BRAKE_SELF : AMO_BRAKE_AMBIGUOUS;
    x->source = certain ? AMO_BRAKE_SELF : AMO_BRAKE_MOVES;
  } else {
    x->kind = AMO_BRAKE_MOVES;
  }
}

/// Rest is the only solution between the planes of a + sigma mu p b and a - sigma p b/|L|, sigma the sign of L.
static double sure(const amo_braking *x, const amo_rough *r, double zero)
{
  if (r->mu != r->mu_kinetic) return NAN;  // slip begins below the static limit
  if (!(r->mu * fabs(r->L) > 1.0 + 8.0 * DBL_EPSILON)) return x->psi;
  if (x->kind == AMO_BRAKE_SELF) return AMO_PI;
  if (x->kind == AMO_BRAKE_AMBIGUOUS) return 0.0;
  double u[3], v[3], sigma = r->L > 0.0 ? 1.0 : -1.0;
  combine(x->a, sigma * r->mu * r->p, x->b, u);
  combine(x->a, -sigma * r->p / fabs(r->L), x->b, v);
  return opening(u, v, x->parallel, zero);
}

amo_braking amo_braking_of(const double a[3], const double b[3], amo_rough r, double tol, double size)
{
  amo_braking x = {.gamma = NAN, .margin = NAN, .kappa = NAN};
  const double f = r.mu * r.p;
  for (int k = 0; k < 3; k++) {
    x.a[k] = a[k];
    x.b[k] = b[k];
  }
  const double la = size_of(a), lb = size_of(b), c = f * lb, zero = tol * (la + c);
  const bool a_zero = la <= tol * size, b_zero = lb == 0.0 || c <= 1e-2 * tol * la;
  x.parallel = a_zero || b_zero || cross(a, b) <= tol * la * lb;
  combine(a, f, b, x.n_plus);
  combine(a, -f, b, x.n_minus);
  if (lb > 0.0 && r.p > 0.0) x.kappa = la / (r.p * lb);
  if (x.parallel && c > 0.0) x.gamma = dot(a, b) / (f * lb * lb);
  classify(&x, &r, tol, a_zero, b_zero);
  if (x.parallel && !a_zero) x.margin = isnan(x.gamma) ? -INFINITY : 1.0 - fabs(x.gamma);
  if (a_zero) x.margin = 1.0;
  const bool held = x.kind == AMO_BRAKE_SELF || x.kind == AMO_BRAKE_AMBIGUOUS;
  x.psi = held ? AMO_PI : opening(x.n_plus, x.n_minus, x.parallel, zero * 1e-3);
  x.phi = AMO_PI - x.psi;
  x.psi_sure = sure(&x, &r, zero);
  x.psi_ambiguous = x.psi - x.psi_sure;
  const double root =
      sqrt(fmax((la * la + c * c) * (la * la + c * c) - 4.0 * f * f * dot(a, b) * dot(a, b), 0.0));
  const bool open = !(root > tol * (la * la + c * c));
  x.cos_psi = open ? NAN : (la * la - c * c) / root;
  return x;
}
