// SPDX-License-Identifier: Apache-2.0
#include "flow/from_rest.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "flow/direction.h"
#include "num/orthogonal.h"
#include "num/solve.h"

/// [xi x gamma] at order k + 1, with gamma_{j+1} = rate_j/(j+1) and gamma_0 = 0; rate[j][axis] known for j <= k.
static double sideways(const amo_flow *f, uint32_t c, int k, double (*rate)[2])
{
  const double *x = amo_flow_series(f, 0, f->m->leaf.xi + f->m->contact[c].xi), *y = x + amo_flow_item(f);
  double sum = 0.0;
  for (int i = 0; i <= k; i++) sum += (x[i] * rate[k - i][1] - y[i] * rate[k - i][0]) / (k - i + 1);
  return sum;
}

/// Coefficient j of the direction: `y` across the first direction; along it what keeps |xi| = 1.
static void set_direction(amo_flow *f, uint32_t c, int j, double y)
{
  const double *x1 = amo_flow_series(f, 0, f->m->leaf.xi + f->m->contact[c].xi), *x2 = x1 + amo_flow_item(f);
  double along = 0.0;
  for (int i = 1; i < j; i++) along -= 0.5 * (x1[i] * x1[j - i] + x2[i] * x2[j - i]);
  amo_direction_set(f, c, j, along * x1[0] - y * x2[0], along * x2[0] + y * x1[0]);
}

/// Where friction at its limit still balances all other forces, a slip acceleration that is rounding of them is none: with the wrong sign it
/// would let the slip begin backwards, where no power of its speed is defined. Contacts of one body follow each other: a few passes.
static void drop_rounding(amo_flow *f)
{
  for (int pass = 0; pass < 8; pass++)
    for (uint32_t c = 0; c < f->m->nc; c++) {
      amo_starting *s = &f->starting[c];
      if (!s->begins) continue;
      if (pass == 0)
        s->at_limit |= hypot(s->rate[0][0], s->rate[0][1]) <= 16.0 * DBL_EPSILON * amo_direction_scale(f, c);
      if (!s->at_limit) continue;
      amo_direction_rate(f, c, 0, s->rate[0]);
      for (uint32_t a = 0; a < 2; a++) {
        const amo_slip_axis *x = &f->m->contact[c].axis[a];
        double square = 0.0;
        for (uint32_t e = 0; e < x->nw; e++)
          square += *amo_flow_series(f, 0, x->w[e].reg) * *amo_flow_series(f, 0, x->w[e].reg);
        for (uint32_t e = 0; e < x->nw; e++)
          f->acc[x->w[e].col * amo_flow_item(f)] -=
              *amo_flow_series(f, 0, x->w[e].reg) * s->rate[0][a] / square;
        s->rate[0][a] = 0.0;
      }
    }
}

/// The contacts of one mechanism, by rank.
static size_t members(amo_flow *f, uint32_t mechanism, amo_starting **out)
{
  size_t n = 0;
  for (uint32_t c = 0; c < f->m->nc; c++)
    if (f->starting[c].begins && f->starting[c].mechanism == mechanism)
      out[f->starting[c].rank] = &f->starting[c], n++;
  return n;
}

/// Turns of the directions together that press nothing sideways, where there are more contacts than ways to move sideways: how the slips
/// across depend on them is told at the next order only, by the slip ahead.
static void find_free_turns(amo_flow *f, uint32_t mechanism)
{
  amo_starting *s[AMO_MOST_TOGETHER] = {0};
  double a[AMO_MOST_TOGETHER * AMO_MOST_TOGETHER], z[AMO_MOST_TOGETHER * AMO_MOST_TOGETHER] = {0};
  const size_t n = members(f, mechanism, s);
  double size = 0.0, most = 0.0, ahead = 0.0;
  size_t rank = n;
  for (size_t i = 0; i < n; i++) {
    size = fmax(size, amo_direction_scale(f, (uint32_t)(s[i] - f->starting)));
    ahead = fmax(ahead, fabs(s[i]->turn));
    for (size_t j = 0; j < n; j++) {
      a[i * n + j] = s[i]->by[j];
      most = fmax(most, fabs(s[i]->by[j]));
    }
  }
  const bool limit = ahead <= AMO_ROUGH * size;
  if (limit && most <= AMO_ROUGH * size) {  // it turns about a point: there is no way sideways
    rank = 0;
    for (size_t i = 0; i < n; i++) z[i * n + i] = 1.0;
  } else if (limit && amo_null_space(a, n, n, AMO_ROUGH, z, &rank) != AMO_OK) {
    rank = n;
  }
  for (size_t i = 0; i < n; i++) {
    s[i]->limit = limit;
    s[i]->free_turns = (int)(n - rank);
    for (size_t r = rank; r < n; r++) s[i]->free[r - rank] = z[i * n + r];
  }
}

/// The coefficients of the directions of one mechanism for which every slip stays parallel to its own direction.
static void align(amo_flow *f, uint32_t mechanism, int k)
{
  amo_starting *s[AMO_MOST_TOGETHER] = {0};
  double matrix[4 * AMO_MOST_TOGETHER * AMO_MOST_TOGETHER] = {0}, y[2 * AMO_MOST_TOGETHER] = {0};
  const size_t n = members(f, mechanism, s), extra = k - s[0]->late > 1 ? (size_t)s[0]->free_turns : 0;
  const size_t r = (size_t)s[0]->free_turns, all = n + r;
  for (size_t i = 0; i < n; i++) {
    double *row = matrix + i * all;
    for (size_t j = 0; j < n; j++) row[j] = s[i]->by[j] / (k + 1);
    row[i] -= s[i]->turn;
    for (size_t j = 0; j < r; j++) {
      if (j < extra) row[n + j] = s[i]->later[j];
      matrix[(n + j) * all + i] = s[i]->free[j];
      if (j >= extra)
        row[n + j] = s[i]->free[j];  // no order below: what is left across is no motion of these contacts
    }
    y[i] = -s[i]->at;
  }
  if (amo_solve(matrix, all, y, 1) != AMO_OK) memset(y, 0, sizeof y);
  for (size_t i = 0; i < n; i++) {
    s[i]->y = isnan(s[i]->at) ? 0.0 : s[i]->y + y[i];
    for (size_t j = 0; j < extra; j++) s[i]->before += s[i]->free[j] * y[n + j];
  }
}

/// Expand order k with the directions at hand, and tell how the slips go.
static void attempt(amo_flow *f, int k)
{
  bool again = false;
  for (uint32_t c = 0; c < f->m->nc; c++) {
    const amo_starting *s = &f->starting[c];
    const int j = k - s->late;
    if (!s->begins || j <= 0) continue;
    if (j > 1 && s->free_turns > 0) set_direction(f, c, j - 1, s->before);
    set_direction(f, c, j, s->y);
    again |= s->late > 0 || (j > 1 && s->free_turns > 0);
  }
  if (again) amo_flow_expand_order(f, k - 1);
  amo_flow_expand_order(f, k);
  for (uint32_t c = 0; c < f->m->nc; c++)
    if (f->starting[c].begins) amo_direction_rate(f, c, k, f->starting[c].rate[k]);
}

static double across(amo_flow *f, uint32_t c, int k)
{
  return k > f->starting[c].late ? sideways(f, c, k, f->starting[c].rate) : 0.0;
}

/// Before the attempts at order k.
static void prepare(amo_flow *f, int k)
{
  for (uint32_t c = 0; c < f->m->nc; c++) {
    amo_starting *s = &f->starting[c];
    const double *x = f->lane[0].xi + f->m->contact[c].xi, *rate = s->rate[s->late];
    if (!s->begins) continue;
    s->turn = k > s->late ? (x[0] * rate[0] + x[1] * rate[1]) / (s->late + 1) : 0.0;
    s->before = s->y;
    s->at = s->y = 0.0;
    if (k == 0)
      amo_direction_set(f, c, 0, x[0], x[1]);
    else
      set_direction(f, c, k, 0.0);
  }
}

/// How the slips across depend on the coefficients of the directions: tried one at a time in each mechanism, at the first order.
static void probe_turns(amo_flow *f, int k)
{
  const uint32_t nc = f->m->nc;
  int most = 0;
  for (uint32_t c = 0; c < nc; c++)
    if (f->starting[c].begins && k - f->starting[c].late == 1 && f->starting[c].rank >= most)
      most = f->starting[c].rank + 1;
  for (int i = 0; i < most; i++) {
    for (uint32_t c = 0; c < nc; c++)
      if (k - f->starting[c].late == 1) f->starting[c].y = i == f->starting[c].rank ? 1.0 : 0.0;
    attempt(f, k);
    for (uint32_t c = 0; c < nc; c++) {
      amo_starting *s = &f->starting[c];
      if (!s->begins || k - s->late != 1) continue;
      s->by[i] = (k + 1) * (across(f, c, k) - s->at + (i == s->rank ? s->turn : 0.0));
      s->y = 0.0;
    }
  }
}

/// The same for free turns at the order below. |xi| = 1 makes it quadratic where that is the first: so both ways.
static void probe_free_turns(amo_flow *f, int k)
{
  const uint32_t nc = f->m->nc;
  int most = 0;
  for (uint32_t c = 0; c < nc; c++)
    if (f->starting[c].begins && f->starting[c].free_turns > most) most = f->starting[c].free_turns;
  for (int i = 0; i < most; i++)
    for (int side = 1; side >= -1; side -= 2) {
      for (uint32_t c = 0; c < nc; c++)
        if (i < f->starting[c].free_turns) f->starting[c].before += side * f->starting[c].free[i];
      attempt(f, k);
      for (uint32_t c = 0; c < nc; c++) {
        amo_starting *s = &f->starting[c];
        if (!s->begins || i >= s->free_turns) continue;
        s->later[i] = side > 0 ? 0.5 * across(f, c, k) : s->later[i] - 0.5 * across(f, c, k);
        s->before -= side * s->free[i];
      }
    }
}

/// The slips across as the directions at hand have them; is any of a contact whose directions are sought?
static bool read_slips(amo_flow *f, int k)
{
  bool any = false;
  for (uint32_t c = 0; c < f->m->nc; c++) {
    amo_starting *s = &f->starting[c];
    if (s->begins) s->at = across(f, c, k);
    if (k == 1) s->drawn = hypot(s->rate[1][0], s->rate[1][1]);
    any |= s->begins && k > s->late;
  }
  return any;
}

static void align_all(amo_flow *f, int k)
{
  for (uint32_t c = 0; c < f->m->nc; c++) {
    const amo_starting *s = &f->starting[c];
    if (!s->begins || s->rank != 0 || k <= s->late) continue;
    if (k - s->late == 1) find_free_turns(f, s->mechanism);
    align(f, s->mechanism, k);
  }
}

/// Contacts that begin at their limits are drawn on by loads that change. Directions that do not fit a motion show there: a slip stays
/// across, or nothing goes ahead because friction turns instead.
static bool goes_ahead(amo_flow *f)
{
  double most = 0.0;
  for (uint32_t c = 0; c < f->m->nc; c++)
    if (f->starting[c].begins && f->starting[c].limit) most = fmax(most, f->starting[c].drawn);
  for (uint32_t c = 0; c < f->m->nc; c++) {
    const amo_starting *s = &f->starting[c];
    const double *x = f->lane[0].xi + f->m->contact[c].xi;
    if (!s->begins || !s->limit) continue;
    if (fabs(across(f, c, 1)) > 1e-3 * most) return false;
    if (x[0] * s->rate[1][0] + x[1] * s->rate[1][1] < AMO_ROUGH * most) return false;
  }
  return true;
}

static bool turns_freely(const amo_flow *f)
{
  for (uint32_t c = 0; c < f->m->nc; c++)
    if (f->starting[c].begins && f->starting[c].free_turns > 0) return true;
  return false;
}

static void expand_order(amo_flow *f, int k)
{
  prepare(f, k);
  attempt(f, k);
  const bool sought = read_slips(f, k);
  if (k == 0) drop_rounding(f);
  if (!sought) return;
  probe_turns(f, k);
  const int rounds = k == 2 && turns_freely(f) ? 6 : 1;  // Newton's method where it is quadratic
  for (int round = 0; round < rounds; round++) {
    if (k > 1) probe_free_turns(f, k);
    align_all(f, k);
    attempt(f, k);
    if (rounds > 1) (void)read_slips(f, k);
  }
  if (k == 1 && !goes_ahead(f)) f->lane[0].status = AMO_ENOANSWER;
}

void amo_expand_from_rest(amo_flow *f)
{
  const uint32_t nc = f->m->nc;
  for (uint32_t c = 0; c < nc; c++) {
    f->starting[c].late = amo_has_gap(&f->m->contact[c]) && f->lane[0].reaction_fresh[c] ? 1 : 0;
    f->starting[c].free_turns = 0;
    f->starting[c].limit = false;
    f->starting[c].y = 0.0;
  }
  for (int k = 0; k < f->P; k++) {
    expand_order(f, k);
    amo_flow_next_coefficients(f, k);
  }
  for (uint32_t c = 0; c < nc; c++)
    if (f->starting[c].begins) set_direction(f, c, f->P, 0.0);
}
