// SPDX-License-Identifier: Apache-2.0
/// Conditions of a mode on a piece of a step: none may change its sign but at the event that ends the step. The list is that
/// of events.c.
#include <math.h>
#include <stdio.h>

#include "flow/proof_impl.h"

enum { HALVINGS = 12 };  // of a piece, in the search for the sign of one condition

static const amo_interval none = {0.0, 0.0};

/// A condition g > 0 as sum_k g_k s^k on the piece, the last coefficient over all of it.
typedef struct proof_condition {
  amo_interval *g;  // [degree + 1]
  int degree;
  bool last;      // the piece ends with the step, where the condition may come to zero
  double window;  // then: how far from the end of the step its zero may be
  double off;     // how far it may be, as found
  double to;      // length of the piece
} proof_condition;

static void add_register(const amo_prover *p, const amo_enclosed_series *x, uint32_t reg, double factor,
                         amo_interval *out)
{
  const amo_interval f = amo_interval_of(factor);
  const int top = amo_prog_is_fixed(p->m->step, reg) ? 0 : p->N;
  for (int k = 0; k <= top; k++)
    out[k] = amo_interval_add(out[k], amo_interval_mul(f, x->jet[reg * x->stride + (size_t)k]));
}

static void add_series(const amo_prover *p, const amo_interval *s, double factor, amo_interval *out)
{
  const amo_interval f = amo_interval_of(factor);
  for (int k = 0; k <= p->N; k++) out[k] = amo_interval_add(out[k], amo_interval_mul(f, s[k]));
}

/// What a sticking contact can hold: its bound, or coefficient times reaction.
static void add_bound(const amo_prover *p, const amo_enclosed_series *x, uint32_t c, amo_interval *out)
{
  const amo_contact *k = &p->m->contact[c];
  if (!amo_has_gap(k)) {
    add_register(p, x, k->r_bound, 1.0, out);
    return;
  }
  const amo_interval *r = x->reaction + c * x->stride, *mu = x->jet + k->r_bound * x->stride;
  const double sign = p->point.reaction[c * x->stride].hi < 0.0 ? -1.0 : 1.0;
  const bool fixed = amo_prog_is_fixed(p->m->step, k->r_bound);
  for (int i = 0; i <= p->N; i++)
    for (int j = 0; j <= (fixed ? 0 : i); j++)
      out[i] = amo_interval_add(out[i],
                                amo_interval_mul(amo_interval_of(sign), amo_interval_mul(mu[j], r[i - j])));
}

/// The series of a condition that must stay positive.
static void read(const amo_prover *p, const amo_enclosed_series *x, const amo_condition *y, amo_interval *out)
{
  const amo_model *m = p->m;
  const uint32_t i = y->index;
  for (int k = 0; k <= p->N; k++) out[k] = none;
  if (y->what == AMO_IS_SWITCH) {
    add_register(p, x, amo_prog_switch_register(m->step, i), y->side, out);
    return;
  }
  const amo_contact *c = &m->contact[i];
  if (y->what == AMO_IS_SLIP) add_register(p, x, c->r_slip, y->side, out);
  if (y->what == AMO_IS_GAP) add_register(p, x, c->r_gap, y->side, out);
  if (y->what == AMO_IS_REACTION) add_series(p, x->reaction + i * x->stride, y->side, out);
  if (y->what != AMO_IS_MARGIN) return;
  add_bound(p, x, i, out);
  if (p->balance != NULL && !amo_is_massless(c))
    add_series(p, x->lambda + i * x->stride, -y->side, out);
  else
    add_register(p, x, c->r_stick, -y->side, out);
}

/// Does the condition fall from [from] on, to a single simple zero at the end of the step?
static bool ends(proof_condition *c, double from, double to)
{
  const amo_interval all = {from, to};
  const double slope = -amo_interval_poly_slope(c->g, c->degree, all).hi;
  if (!(slope > 0.0) || !(amo_interval_poly(c->g, c->degree, amo_interval_of(from)).lo > 0.0)) return false;
  c->off = amo_interval_size(amo_interval_poly(c->g, c->degree, amo_interval_of(to))) / slope;
  return c->off <= c->window;
}

/// Is the condition positive on [from, to], but for a zero at the end of the step?
static bool positive(proof_condition *c, double from, double to, int halvings)
{
  if (amo_interval_poly_range(c->g, c->degree, from, to).lo > 0.0) return true;
  const bool at_end = c->last && to == c->to;
  if (at_end && ends(c, from, to)) return true;
  if (halvings == 0) return false;
  const double middle = from + 0.5 * (to - from);
  return positive(c, from, middle, halvings - 1) && positive(c, middle, to, halvings - 1);
}

/// A condition that begins at its limit begins there exactly, and so do those of its derivatives that cannot be told
/// from zero: what is left is s^n times a series that must be positive.
static void strip(proof_condition *c)
{
  int n = 1;
  while (n < 4 && amo_interval_has_zero(c->g[n])) n++;
  c->g += n;
  c->degree -= n;
}

/// By amo_quantity.
static const char *const said[] = {"the slip of contact %s",   "the margin of contact %s",
                                   "the margin of contact %s", "the reaction of contact %s",
                                   "the gap of contact %s",    "the normal force of contact %s",
                                   "a switching argument%s"};

/// How far from the end of a step the zero of a condition may be: that of an event by its error, of another by rounding.
static double window(const amo_prover *p, bool hit)
{
  return (hit ? 1e4 * p->f->opt.tol : AMO_NOTHING) * (p->l->h + fabs(p->l->start));
}

static bool is_nothing(const proof_condition *c)
{
  for (int k = 0; k <= c->degree; k++)
    if (!amo_interval_is_zero(c->g[k])) return false;
  return true;
}

/// Did this condition end the step?
static bool is_hit(const amo_prover *p, const amo_condition *x)
{
  for (size_t k = 0; k < p->l->hits; k++) {
    const amo_condition *h = &p->l->hit[k];
    if (h->index != x->index || h->what != x->what) continue;
    if (x->what != AMO_IS_MARGIN || h->to == x->to) return true;
  }
  return false;
}

static bool holds(amo_prover *p, const amo_condition *x, bool fresh)
{
  char name[80];
  const bool hit = is_hit(p, x);
  read(p, &p->box, x, p->part);
  if (p->part[0].lo > 0.0) return true;  // over all of the piece at once
  read(p, &p->point, x, p->sum);
  p->sum[p->N] = p->part[p->N];
  proof_condition c = {p->sum, p->N, p->last, window(p, hit), 0.0, p->length};
  if (fresh && p->s0 == 0.0) strip(&c);
  if (fresh && is_nothing(&c)) return true;  // stays at its limit
  if (positive(&c, 0.0, p->length, HALVINGS)) {
    if (hit && p->last) p->event_error = fmax(p->event_error, c.off);
    return true;
  }
  snprintf(name, sizeof name, said[x->what],
           x->what == AMO_IS_SWITCH ? "" : p->m->contact[x->index].sym.name);
  return amo_prover_fails(p, "%s may reach zero", name);
}

/// Identically zero, without any rounding?
static bool vanishes(const amo_prover *p, const amo_condition *x)
{
  read(p, &p->box, x, p->part);
  for (int k = 0; k <= p->N; k++)
    if (!amo_interval_is_zero(p->part[k])) return false;
  return true;
}

/// Does the contact stick at its very limit to begin with? By the same measure as events.c.
static bool at_limit(const amo_prover *p, const amo_condition *x)
{
  for (int k = 0; k <= p->N; k++) p->part[k] = none;
  add_bound(p, &p->point, x->index, p->part);
  const double bound = amo_interval_size(p->part[0]);
  read(p, &p->point, x, p->part);
  return amo_interval_size(p->part[0]) <= AMO_BORDER * bound;
}

/// Does it begin at its limit?
static bool is_fresh(const amo_prover *p, const amo_condition *x)
{
  const amo_lane *l = p->l;
  switch (x->what) {
    case AMO_IS_SLIP: return l->fresh[x->index];
    case AMO_IS_REACTION: return l->reaction_fresh[x->index];
    case AMO_IS_GAP: return l->gap_zeros[x->index] > 0;
    case AMO_IS_SWITCH: return l->switch_fresh[x->index];
    default: return p->s0 == 0.0 && at_limit(p, x);
  }
}

static bool condition_holds(amo_prover *p, const amo_condition *x)
{
  const amo_contact *k = &p->m->contact[x->index];
  const bool held = x->what == AMO_IS_SLIP && p->l->step_mode[x->index] == 0;
  // what others hold rests only while its slip stays zero; what touches without load has no reaction
  if ((held || x->what == AMO_IS_REACTION) && vanishes(p, x)) return true;
  if (held) return amo_prover_fails(p, "contact %s rests without being held", k->sym.name);
  return holds(p, x, is_fresh(p, x));
}

/// Beyond its ends the gap of a support may be anything; what is under it stays there.
static bool gap_holds(amo_prover *p, amo_condition *x)
{
  const amo_contact *k = &p->m->contact[x->index];
  if (amo_has_ends(k) && p->box.jet[k->r_within * p->stride].hi <= 0.0) return true;
  if (amo_has_ends(k) && p->box.jet[k->r_gap * p->stride].hi < 0.0) x->side = -1;
  return condition_holds(p, x);
}

static bool contact_holds(amo_prover *p, uint32_t c)
{
  const amo_contact *k = &p->m->contact[c];
  const amo_lane *l = p->l;
  amo_condition list[AMO_MOST_CONDITIONS];
  const int n = amo_conditions(k, c, l->step_mode[c], l->step_reaction_sign[c], AMO_HELD_BY_FRICTION, list);
  for (int i = 0; i < n; i++)
    if (!(list[i].what == AMO_IS_GAP ? gap_holds(p, &list[i]) : condition_holds(p, &list[i]))) return false;
  if (amo_has_gap(k) || k->r_reaction == AMO_NO_REGISTER || k->r_side != AMO_NO_REGISTER) return true;
  if (p->box.jet[k->r_reaction * p->stride].lo >= 0.0) return true;
  return amo_prover_fails(p, "the normal force of contact %s may be negative", k->sym.name);
}

bool amo_prover_conditions(amo_prover *p)
{
  for (uint32_t c = 0; c < p->m->nc; c++)
    if (!contact_holds(p, c)) return false;
  for (uint32_t i = 0; i < p->nsw; i++) {
    if (p->l->step_branch[i] == 0) {
      if (amo_interval_is_zero(p->box.jet[amo_prog_switch_register(p->m->step, i) * p->stride])) continue;
      return amo_prover_fails(p, "a switching argument may leave zero");
    }
    const amo_condition x = {.what = AMO_IS_SWITCH, .index = i, .side = p->l->step_branch[i]};
    if (!holds(p, &x, is_fresh(p, &x))) return false;
  }
  return true;
}
