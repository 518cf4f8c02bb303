// SPDX-License-Identifier: Apache-2.0
#include "explore/brake/brake.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

amo_status amo_brake_new(const amo_model *m, amo_brake **out)
{
  if (!out) return AMO_ERANGE;
  *out = NULL;
  if (!m) return AMO_ERANGE;
  amo_brake *b = *out = amo_zalloc(1, sizeof *b);
  if (!b) return AMO_ENOMEM;
  b->m = m;
  b->why = "";
  AMO_TAKE(&b->memory, amo_held, m->nc, &b->held);
  AMO_TAKE(&b->memory, signed char, m->nc, &b->mode);
  AMO_TAKE(&b->memory, double, m->nq, &b->base, &b->unit);
  AMO_TAKE(&b->memory, double, (size_t)m->nc + m->ng, &b->zero, &b->gap);
  AMO_TAKE(&b->memory, double, amo_model_states(m), &b->state);
  AMO_TAKE(&b->memory, double, m->np, &b->param);
  for (uint32_t c = 0; b->held && c < m->nc; c++)
    AMO_TAKE(&b->memory, double, m->nq, &b->held[c].motion, &b->held[c].lift);
  amo_status st = b->memory.failed ? AMO_ENOMEM : AMO_OK;
  if (st == AMO_OK) st = amo_point_new(m, &b->point);
  if (st == AMO_OK) st = amo_solutions_new(m, &b->solutions);
  if (st != AMO_OK) {
    amo_brake_free(b);
    *out = NULL;
    return st;
  }
  return AMO_OK;
}

void amo_brake_free(amo_brake *b)
{
  if (!b) return;
  amo_solutions_free(b->solutions);
  amo_point_free(b->point);
  amo_arena_free(&b->memory);
  free(b);
}

static amo_status refuse(amo_brake *b, const char *why)
{
  b->why = why;
  return AMO_ENOANSWER;
}

/// Accelerations with an extra generalised force; smooth contacts and the one that is looked at slip freely.
static amo_status respond(amo_brake *b, const double *force, double *out)
{
  amo_point *p = b->point;
  memset(p->reaction_sign, 0, b->m->nc);
  amo_status st = amo_point_solve(p, b->mode, force);
  if (st == AMO_OK) memcpy(out, p->acc, b->m->nq * sizeof *out);
  return st == AMO_ENOANSWER ? refuse(b, "the mass matrix is singular at this state") : st;
}

static double mass_scale(const amo_brake *b, uint32_t i)
{
  double m = b->point->reg[b->point->diagonal[i]];
  return m > 0.0 ? sqrt(m) : 1.0;
}

/// The only motion that is left while contact h slips freely: the response to any force that works on it.
/// The response to a force on coordinate i is z z_i/(z M z), so that two of them must be parallel.
static amo_status find_motion(amo_brake *b, amo_held *h)
{
  const amo_model *m = b->m;
  double best = 0.0, *force = b->point->extra;
  amo_status st = respond(b, NULL, b->base);
  for (int pass = 0; st == AMO_OK && pass < 2; pass++)  // the one that moves best, then are others parallel?
    for (uint32_t i = 0; st == AMO_OK && i < m->nq; i++) {
      memset(force, 0, m->nq * sizeof *force);
      force[i] = 1.0;
      st = respond(b, force, b->unit);
      double own = 0.0, rest = 0.0, all = 0.0;
      for (uint32_t k = 0; k < m->nq; k++) b->unit[k] -= b->base[k];
      own = b->unit[i] * mass_scale(b, i) * mass_scale(b, i);  // at most 1; 0: the coordinate cannot move
      if (pass == 0 && own > best) {
        best = own;
        h->per = i;
        memcpy(h->motion, b->unit, m->nq * sizeof *h->motion);
      }
      if (pass == 0 || !(best > 0.0)) continue;
      double factor = b->unit[h->per] / h->motion[h->per];
      for (uint32_t k = 0; k < m->nq; k++) {
        rest = fmax(rest, fabs(b->unit[k] - factor * h->motion[k]) * mass_scale(b, k));
        all = fmax(all, fabs(h->motion[k]) * mass_scale(b, k));
      }
      if (rest * mass_scale(b, i) > AMO_SAME && rest > AMO_SAME * all)
        return refuse(b, "more than one motion is left that friction does not hold");
    }
  if (st != AMO_OK) return st;
  if (!(best > AMO_NOTHING))
    return refuse(b, "the friction forces at rest are not determined: other contacts hold it");
  double largest = 0.0;
  for (uint32_t k = 0; k < m->nq; k++) largest = fmax(largest, fabs(h->motion[k]) * mass_scale(b, k));
  for (h->per = 0; fabs(h->motion[h->per]) * mass_scale(b, h->per) <= AMO_SAME * largest;) h->per++;
  double one = h->motion[h->per];
  for (uint32_t k = 0; k < m->nq; k++) h->motion[k] /= one;
  return AMO_OK;
}

/// Slip per unit of the motion, with sign; what is below rounding of its terms is zero.
static double slip_along(const amo_brake *b, const amo_held *h)
{
  const amo_contact *k = &b->m->contact[h->contact];
  double sum = 0.0, size = 0.0;
  for (uint32_t e = 0; e < k->nw; e++) {
    double x = b->point->reg[k->w[e].reg] * h->motion[k->w[e].col];
    sum += x;
    size += fabs(x);
  }
  return fabs(sum) <= AMO_ROUNDED * size ? 0.0 : sum;
}

static amo_status find_lift(amo_brake *b, amo_held *h)
{
  const amo_model *m = b->m;
  memset(h->lift, 0, m->nq * sizeof *h->lift);
  if (m->contact[h->contact].kind != AMO_GUIDE) return AMO_OK;
  memset(b->gap, 0, m->nc * sizeof *b->gap);
  b->gap[h->contact] = -1.0;  // a violation of minus one is removed by lifting by one
  amo_status st = amo_point_project(
      b->point, b->mode, (amo_rates){.slip = b->zero, .axis = b->zero, .constraint = b->zero, .gap = b->gap},
      h->lift);
  return st == AMO_ENOANSWER ? refuse(b, "the mass matrix is singular at this state") : st;
}

static amo_status look_at(amo_brake *b, amo_held *h)
{
  const bool guide = b->m->contact[h->contact].kind == AMO_GUIDE;
  amo_influence f = {0};
  amo_point_registers(b->point, b->t, b->state, b->mode);
  h->bound = guide ? NAN : b->point->reg[b->m->contact[h->contact].r_bound];
  h->rough = (amo_rough){.mu = guide ? b->point->reg[b->m->contact[h->contact].r_bound] : 0.0};
  b->mode[h->contact] = 1;
  amo_status st = find_motion(b, h);
  double slip = st == AMO_OK ? slip_along(b, h) : 0.0;
  if (st == AMO_OK && guide)
    st = amo_solutions_influence(b->solutions, b->point, b->t, b->state, b->mode, h->contact, &f);
  if (st == AMO_ENOANSWER && !*b->why) refuse(b, "the mass matrix is singular at this state");
  b->mode[h->contact] = 0;
  if (st != AMO_OK) return st;
  amo_point_registers(b->point, b->t, b->state, b->mode);
  h->rough.p = fabs(slip);
  h->rough.L = slip < 0.0 ? -f.L : f.L;
  h->rough.mu_kinetic = guide ? f.mu : 0.0;
  return find_lift(b, h);
}

amo_status amo_brake_at(amo_brake *b, const double *param, double t, const double *state)
{
  if (!b || !state || !isfinite(t)) return AMO_ERANGE;
  const amo_model *m = b->m;
  amo_status st = AMO_OK;
  b->why = "";
  b->count = 0;
  b->t = t;
  memcpy(b->param, param ? param : m->file.param, m->np * sizeof *b->param);
  memcpy(b->state, state, amo_model_states(m) * sizeof *b->state);
  memset(b->state + m->nq, 0, m->nq * sizeof *b->state);
  memset(b->mode, 0, m->nc);
  amo_point_parameters(b->point, b->param);
  amo_point_registers(b->point, t, b->state, b->mode);
  for (uint32_t c = 0; c < m->nc; c++) {
    if (m->contact[c].kind == AMO_SUPPORT || m->contact[c].spatial)
      return refuse(b, "it is a matter of guides and pressed contacts, not of one-sided or spatial ones");
    bool rough = b->point->reg[m->contact[c].r_bound] > 0.0;
    if (rough && !amo_slip_is_zero(b->point, c, 8.0))
      return refuse(b, "a contact slides although the coordinates rest (a surface moves)");
    b->mode[c] = !rough;
    if (rough) b->held[b->count++].contact = c;
  }
  if (b->count == 0) return refuse(b, "no contact has friction here");
  for (uint32_t i = 0; st == AMO_OK && i < b->count; i++) st = look_at(b, &b->held[i]);
  if (st != AMO_OK) b->count = 0;
  return st;
}

const char *amo_brake_reason(const amo_brake *b)
{
  return b ? b->why : "";
}

size_t amo_brake_contacts(const amo_brake *b)
{
  return b ? b->count : 0;
}

size_t amo_brake_contact(const amo_brake *b, size_t i)
{
  return b && i < b->count ? b->held[i].contact : SIZE_MAX;
}

amo_rough amo_brake_rough(const amo_brake *b, size_t i)
{
  return b && i < b->count ? b->held[i].rough : (amo_rough){0};
}

void amo_brake_vectors(const amo_brake *b, const amo_held *h, const double *jacobian, double a[3],
                       double lift[3])
{
  const uint32_t nq = b->m->nq;
  for (size_t k = 0; k < 3; k++) {
    a[k] = lift[k] = 0.0;
    for (uint32_t q = 0; q < nq; q++) {
      a[k] += jacobian[k * nq + q] * h->motion[q];
      lift[k] += jacobian[k * nq + q] * h->lift[q];
    }
  }
}

void amo_brake_point(const amo_brake *b, const double *jacobian, double tol, double size, amo_braking *out)
{
  for (uint32_t i = 0; i < b->count; i++) {
    double a[3], lift[3];
    amo_brake_vectors(b, &b->held[i], jacobian, a, lift);
    out[i] = amo_braking_of(a, lift, b->held[i].rough, tol, size);
  }
}

amo_brake_class amo_brake_together(const amo_braking *x, size_t n, bool source)
{
  amo_brake_class worst = AMO_BRAKE_SELF;
  for (size_t i = 0; i < n; i++) {
    amo_brake_class kind = source ? x[i].source : x[i].kind;
    if (kind > worst) worst = kind;
  }
  return worst;
}

static int ascending(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static bool holds_along(const amo_braking *x, size_t n, double angle)
{
  const double f[2] = {cos(angle), sin(angle)};
  for (size_t i = 0; i < n; i++) {
    double u = f[0] * x[i].n_plus[0] + f[1] * x[i].n_plus[1],
           v = f[0] * x[i].n_minus[0] + f[1] * x[i].n_minus[1];
    if (x[i].psi < AMO_PI && u * v > 0.0) return false;
  }
  return true;
}

/// The borders of all wedges cut the half circle of directions into sectors; friction holds in whole ones.
double amo_brake_angle(const amo_braking *x, size_t n)
{
  if (n == 1) return x[0].psi;
  double *border = amo_zalloc(2 * n + 2, sizeof *border), sum = 0.0;
  size_t count = 0;
  if (!border) return NAN;
  border[count++] = 0.0;
  border[count++] = AMO_PI;
  for (size_t i = 0; i < n; i++)
    for (int k = 0; k < 2; k++) {
      const double *u = k ? x[i].n_minus : x[i].n_plus;
      double angle = fmod(atan2(u[0], -u[1]) + 2.0 * AMO_PI, AMO_PI);
      border[count++] = angle;
    }
  qsort(border, count, sizeof *border, ascending);
  for (size_t i = 0; i + 1 < count; i++)
    if (border[i + 1] - border[i] > AMO_ROUNDED && holds_along(x, n, 0.5 * (border[i] + border[i + 1])))
      sum += border[i + 1] - border[i];
  free(border);
  return sum;
}

amo_status amo_brake_part(amo_brake *b, const char *part, const double *at, double tol, amo_braking *out)
{
  if (!b || !part || !out || isnan(tol)) return AMO_ERANGE;
  const amo_model *m = b->m;
  amo_moving_points *s = NULL;
  uint32_t i = 0;
  while (i < m->materials.count && strcmp(m->materials.item[i].name, part) != 0) i++;
  if (i == m->materials.count || b->count == 0 || (at && !m->materials.item[i].turns)) return AMO_EINPUT;
  amo_status st = amo_moving_points_new(m, &s);
  if (st == AMO_OK) st = amo_moving_points_add_material(s, part, i, at);
  if (st == AMO_OK) st = amo_moving_points_compile(s);
  if (st == AMO_OK) {
    amo_moving_points_evaluate(s, b->param, b->t, b->state);
    amo_brake_point(b, s->spot[0].jacobian, tol, 0.0, out);
  }
  amo_moving_points_free(s);
  return st;
}
