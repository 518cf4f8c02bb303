// SPDX-License-Identifier: Apache-2.0
#include "orbit/forcing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "orbit/equations.h"
#include "orbit/half_turn.h"

enum { WIDTH = 3 };  // coefficients of a register: a mixed derivative is one of second order

struct amo_forced {
  const amo_model *m;
  bool *used;       // [nodes] reachable from the equations without passing an angle in time
  bool *timed;      // [nodes] contains t
  amo_node *angle;  // arguments of sin and cos that contain t
  size_t angles, capacity;
  bool otherwise;  // t occurs outside of them
  amo_prog *prog;  // the angles
  double *jet, *rate;
  signed char *branch;
  long *turns, *turned;  // [angles] in the common turn; those for which `same` was found
  bool known, same;      // half of that leaves the equations as they are
};

typedef struct amo_forced survey;

/// Arguments have smaller numbers than their users: one sweep up, one down.
static amo_status sweep(survey *s)
{
  const amo_dag *d = s->m->dag;
  const size_t size = amo_dag_size(d);
  for (amo_node n = 1; n <= size; n++) {
    uint32_t leaf = 0;
    s->timed[n] = amo_node_leaf(d, n, &leaf) && leaf == s->m->leaf.t;
    for (int i = 0; i < amo_equations_arity(d, n); i++) s->timed[n] |= s->timed[amo_node_arg(d, n, i)];
  }
  amo_equations_mark(s->m, s->used);
  for (amo_node n = (amo_node)size; n > 0; n--) {
    if (!s->used[n] || !s->timed[n]) continue;
    const amo_op op = amo_node_op(d, n);
    if (op == AMO_OP_SIN || op == AMO_OP_COS) {
      if (!AMO_ROOM(s->angle, s->angles, s->capacity)) return AMO_ENOMEM;
      s->angle[s->angles++] = amo_node_arg(d, n, 0);
      continue;
    }
    s->otherwise |= op == AMO_OP_LEAF;
    for (int i = 0; i < amo_equations_arity(d, n); i++) s->used[amo_node_arg(d, n, i)] = true;
  }
  return AMO_OK;
}

static amo_status compile(survey *s)
{
  const amo_model *m = s->m;
  bool *fixed = amo_zalloc(m->leaf.count, sizeof *fixed);
  amo_status st =
      fixed ? amo_prog_compile(m->dag, s->angle, s->angles, fixed, m->leaf.count, &s->prog) : AMO_ENOMEM;
  free(fixed);
  if (st != AMO_OK) return st;
  s->jet = amo_zalloc(WIDTH * (amo_prog_registers(s->prog) + 1u), sizeof *s->jet);
  s->rate = amo_zalloc(2 * s->angles, sizeof *s->rate);
  s->branch = amo_zalloc(amo_prog_switches(s->prog), 1);
  s->turns = amo_zalloc(2 * s->angles, sizeof *s->turns);
  if (!s->jet || !s->rate || !s->branch || !s->turns) return AMO_ENOMEM;
  s->turned = s->turns + s->angles;
  return AMO_OK;
}

amo_status amo_forced_new(const amo_model *m, amo_forced **out)
{
  survey *s = *out = amo_zalloc(1, sizeof *s);
  const size_t size = amo_dag_size(m->dag) + 1;
  if (!s) return AMO_ENOMEM;
  s->m = m;
  s->used = amo_zalloc(size, sizeof *s->used);
  s->timed = amo_zalloc(size, sizeof *s->timed);
  amo_status st = s->used && s->timed ? sweep(s) : AMO_ENOMEM;
  if (st == AMO_OK && !s->otherwise && s->angles > 0) st = compile(s);
  if (st == AMO_OK) return st;
  amo_forced_free(s);
  *out = NULL;
  return st;
}

void amo_forced_free(amo_forced *s)
{
  if (!s) return;
  amo_prog_free(s->prog);
  free(s->used);
  free(s->timed);
  free(s->angle);
  free(s->jet);
  free(s->rate);
  free(s->branch);
  free(s->turns);
  free(s);
}

/// The angles as series, time and all parameters (by `along`, or NULL) changing together, states at their initial values.
static void expand(survey *s, const amo_values *v, double t, const double *along, double sign)
{
  const amo_model *m = s->m;
  const amo_prog *p = s->prog;
  double *jet = s->jet;
  amo_load_leaves(m, jet, WIDTH, v->param, t, v->initial);
  jet[WIDTH * m->leaf.t + 1] = 1.0;
  for (uint32_t i = 0; i < m->np; i++) jet[WIDTH * (m->leaf.param + i) + 1] = along ? sign * along[i] : 0.0;
  amo_jet_prepare1(p, jet, WIDTH - 1);
  amo_jet_eval1(p, jet, WIDTH - 1, 0, NULL);
  for (uint32_t i = 0; i < amo_prog_switches(p); i++)
    s->branch[i] = jet[WIDTH * amo_prog_switch_register(p, i)] > 0.0 ? 1 : -1;
  for (int k = 1; k < WIDTH; k++) amo_jet_eval1(p, jet, WIDTH - 1, k, s->branch);
}

static void rates_at(survey *s, const amo_values *v, double t, double *rate)
{
  expand(s, v, t, NULL, 0.0);
  for (size_t i = 0; i < s->angles; i++) rate[i] = s->jet[WIDTH * amo_prog_root(s->prog, i) + 1];
}

/// All angles make whole turns in the period: by what the rate of one changes. Its mixed derivative is half the difference of the
/// second coefficients along two lines.
double amo_forced_slope(amo_forced *s, const amo_values *v, const double *along, double period)
{
  if (!s->prog) return 0.0;
  const double *angle = s->jet + WIDTH * (size_t)amo_prog_root(s->prog, 0);
  expand(s, v, v->t0, along, -1.0);
  const double first = angle[1], second = angle[2];
  expand(s, v, v->t0, along, 1.0);
  return -period * (angle[2] - second) / (angle[1] + first);
}

/// The common turn of all angles may be twice the time after which the equations are the same.
static amo_status shorten(survey *s, double *period)
{
  for (size_t i = 0; i < s->angles; i++)
    s->turns[i] = lround(fabs(s->rate[i]) * *period / 6.283185307179586477);
  amo_status st = AMO_OK;
  if (!s->known || memcmp(s->turns, s->turned, s->angles * sizeof *s->turns) != 0) {
    st = amo_half_turn(s->m, s->angle, s->turns, s->angles, &s->same);
    memcpy(s->turned, s->turns, s->angles * sizeof *s->turns);
    s->known = st == AMO_OK;
  }
  if (st == AMO_OK && s->same) *period *= 0.5;
  return st;
}

amo_status amo_forced_at(amo_forced *s, const amo_values *v, amo_forcing *kind, double *period)
{
  *period = 0.0;
  *kind = s->otherwise ? AMO_TIME_DEPENDENT : AMO_AUTONOMOUS;
  if (!s->prog) return AMO_OK;
  double *a = s->rate, *b = a + s->angles;
  rates_at(s, v, v->t0, a);
  rates_at(s, v, v->t0 + 1.7, b);
  bool steady = true;
  for (size_t i = 0; i < s->angles; i++)
    steady &= a[i] != 0.0 && fabs(a[i] - b[i]) <= AMO_NOTHING * fabs(a[i]);
  *kind = steady && amo_equations_common_turn(a, s->angles, period) ? AMO_PERIODIC : AMO_TIME_DEPENDENT;
  return *kind == AMO_PERIODIC ? shorten(s, period) : AMO_OK;
}

amo_status amo_forcing_of(const amo_values *v, amo_forcing *kind, double *period)
{
  amo_forced *s = NULL;
  amo_status st = amo_forced_new(v->model, &s);
  *period = 0.0;
  *kind = AMO_AUTONOMOUS;
  if (st == AMO_OK) st = amo_forced_at(s, v, kind, period);
  amo_forced_free(s);
  return st;
}
