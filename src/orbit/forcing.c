// SPDX-License-Identifier: Apache-2.0
#include "orbit/forcing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "orbit/equations.h"
#include "orbit/half_turn.h"

typedef struct survey {
  const amo_model *m;
  bool *used;       // [nodes] reachable from the equations without passing an angle in time
  bool *timed;      // [nodes] contains t
  amo_node *angle;  // arguments of sin and cos that contain t
  size_t angles, capacity;
  bool otherwise;  // t occurs outside of them
} survey;

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

/// Rates of the angles at time t, states at their initial values.
static void rates_at(const survey *s, const amo_prog *p, double *jet, signed char *branch,
                     const amo_values *v, double t, double *rate)
{
  const amo_model *m = s->m;
  amo_load_leaves(m, jet, 2, v->param, t, v->initial);
  jet[2 * m->leaf.t + 1] = 1.0;
  amo_jet_prepare1(p, jet, 1);
  amo_jet_eval1(p, jet, 1, 0, NULL);
  for (uint32_t i = 0; i < amo_prog_switches(p); i++)
    branch[i] = jet[2 * amo_prog_switch_register(p, i)] > 0.0 ? 1 : -1;
  amo_jet_eval1(p, jet, 1, 1, branch);
  for (size_t i = 0; i < s->angles; i++) rate[i] = jet[2 * amo_prog_root(p, i) + 1];
}

/// The common turn of all angles may be twice the time after which the equations are the same.
static amo_status shorten(const survey *s, const double *rate, double *period)
{
  long *turns = amo_zalloc(s->angles + 1, sizeof *turns);
  bool same = false;
  if (!turns) return AMO_ENOMEM;
  for (size_t i = 0; i < s->angles; i++) turns[i] = lround(fabs(rate[i]) * *period / 6.283185307179586477);
  amo_status st = amo_half_turn(s->m, s->angle, turns, s->angles, &same);
  if (st == AMO_OK && same) *period *= 0.5;
  free(turns);
  return st;
}

static amo_status measure(survey *s, const amo_values *v, amo_forcing *kind, double *period)
{
  const amo_model *m = s->m;
  amo_prog *p = NULL;
  bool *fixed = amo_zalloc(m->leaf.count, sizeof *fixed);
  amo_status st =
      fixed ? amo_prog_compile(m->dag, s->angle, s->angles, fixed, m->leaf.count, &p) : AMO_ENOMEM;
  double *jet =
      st == AMO_OK ? amo_zalloc(2u * amo_prog_registers(p) + 2 * s->angles + 2u, sizeof *jet) : NULL;
  signed char *branch = st == AMO_OK ? amo_zalloc(amo_prog_switches(p), 1) : NULL;
  if (st == AMO_OK && (!jet || !branch)) st = AMO_ENOMEM;
  if (st == AMO_OK) {
    double *a = jet + 2u * amo_prog_registers(p), *b = a + s->angles;
    rates_at(s, p, jet, branch, v, v->t0, a);
    rates_at(s, p, jet, branch, v, v->t0 + 1.7, b);
    bool steady = true;
    for (size_t i = 0; i < s->angles; i++)
      steady &= a[i] != 0.0 && fabs(a[i] - b[i]) <= AMO_NOTHING * fabs(a[i]);
    *kind = steady && amo_equations_common_turn(a, s->angles, period) ? AMO_PERIODIC : AMO_TIME_DEPENDENT;
    if (*kind == AMO_PERIODIC) st = shorten(s, a, period);
  }
  free(fixed);
  free(jet);
  free(branch);
  amo_prog_free(p);
  return st;
}

amo_status amo_forcing_of(const amo_values *v, amo_forcing *kind, double *period)
{
  const amo_model *m = v->model;
  const size_t size = amo_dag_size(m->dag) + 1;
  survey s = {.m = m, .used = amo_zalloc(size, sizeof(bool)), .timed = amo_zalloc(size, sizeof(bool))};
  amo_status st = s.used && s.timed ? sweep(&s) : AMO_ENOMEM;
  *period = 0.0;
  *kind = s.otherwise ? AMO_TIME_DEPENDENT : AMO_AUTONOMOUS;
  if (st == AMO_OK && !s.otherwise && s.angles > 0) st = measure(&s, v, kind, period);
  free(s.used);
  free(s.timed);
  free(s.angle);
  return st;
}
