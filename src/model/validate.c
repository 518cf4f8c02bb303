// SPDX-License-Identifier: Apache-2.0
/// Numbers at the initial state: ranges of constants, constraints, guides.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/complete.h"
#include "model/model.h"

/// Values of all leaves at the initial state. sigma = 0: every contact sticks.
static double *initial_leaves(const amo_loader *ld)
{
  const amo_model *m = ld->m;
  double *leaf = amo_zalloc(ld->inner.count, sizeof *leaf);
  if (!leaf) return NULL;
  amo_load_leaves(m, leaf, 1, m->file.param, m->file.t0, m->file.initial);
  leaf[m->leaf.eps] = 1.0;
  return leaf;
}

static void judge(amo_loader *ld, const amo_check *c, double v)
{
  static const char *const text[] = {"finite", "> 0", ">= 0", ">= 1", "in 0 to 1"};
  bool ok = isfinite(v);
  if (c->relation == AMO_IS_POSITIVE) ok = ok && v > 0.0;
  if (c->relation == AMO_IS_NONNEGATIVE || c->relation == AMO_IS_ABOVE_KINETIC) ok = ok && v >= 0.0;
  if (c->relation == AMO_IS_AT_LEAST_ONE) ok = ok && v >= 1.0;
  if (c->relation == AMO_IS_FRACTION) ok = ok && v >= 0.0 && v <= 1.0;
  if (ok) return;
  if (c->relation == AMO_IS_ABOVE_KINETIC && !isfinite(v)) {
    amo_error(
        ld->diags, c->at,
        "friction must have a value where sliding begins: log(1 + s/s0) or log(max(s, s0)) with a small "
        "speed s0 instead of log(s/s0)",
        "friction of contact %s is not a finite number at s = 0", c->what);
    amo_load_fail(ld, AMO_EINPUT);
    return;
  }
  if (c->warning && c->relation == AMO_IS_ABOVE_KINETIC) {
    amo_warn(ld->diags, c->at, NULL,
             "static friction of contact %s is below its kinetic friction at s = 0 (by %g), which holds it "
             "instead",
             c->what, -v);
    return;
  }
  if (c->warning) {
    amo_warn(ld->diags, c->at, c->hint, isnan(v) ? "%s is undefined" : "%s is %g", c->what, v);
    return;
  }
  if (c->relation == AMO_IS_ABOVE_KINETIC)
    amo_error(ld->diags, c->at, NULL,
              "static friction of contact %s is below its kinetic friction at s = 0 (by %g)", c->what, -v);
  else
    amo_error(ld->diags, c->at, c->hint, "%s must be %s, got %g", c->what, text[c->relation], v);
  amo_load_fail(ld, AMO_EINPUT);
}

static amo_status run_checks(amo_loader *ld, const double *leaf)
{
  size_t n = ld->checks.count;
  amo_node *root = amo_zalloc(n, sizeof *root);
  double *value = amo_zalloc(n, sizeof *value);
  amo_status st = root && value ? AMO_OK : AMO_ENOMEM;
  for (size_t i = 0; st == AMO_OK && i < n; i++) root[i] = amo_load_sub(ld, ld->checks.item[i].node);
  if (st == AMO_OK && n) st = amo_constant_values(ld->dag, root, n, leaf, ld->inner.count, value);
  for (size_t i = 0; st == AMO_OK && i < n; i++) {
    bool again = i && ld->checks.item[i].at.line == ld->checks.item[i - 1].at.line &&
                 ld->checks.item[i].at.column == ld->checks.item[i - 1].at.column &&
                 ld->checks.item[i].relation == ld->checks.item[i - 1].relation && ld->status != AMO_OK;
    if (!again) judge(ld, &ld->checks.item[i], value[i]);  // a family is blamed once
  }
  free(root);
  free(value);
  return st;
}

static void check_initial(amo_loader *ld)
{
  const amo_model *m = ld->m;
  amo_at at = amo_yaml_at(amo_yaml_get(ld->root, "initial"));
  for (size_t i = 0; i < (size_t)2 * m->nq + m->nz; i++) {
    if (isfinite(m->file.initial[i])) continue;
    const char *name = i < m->nq               ? m->sym.q[i].name
                       : i < 2 * (size_t)m->nq ? m->sym.u[i - m->nq].name
                                               : m->extra[i - 2 * (size_t)m->nq].sym.name;
    amo_load_fail(ld, amo_error(ld->diags, at, NULL, "the initial value of %s is not a finite number", name));
  }
}

/// Registers of the step program at the initial state.
static double *run_step(const amo_model *m, const double *leaf)
{
  double *reg = amo_zalloc(amo_prog_registers(m->step), sizeof *reg);
  if (!reg) return NULL;
  memcpy(reg, leaf, m->leaf.count * sizeof *reg);
  amo_prog_prepare1(m->step, reg);
  amo_prog_eval1(m->step, reg, NULL);
  return reg;
}

static void check_forces(amo_loader *ld, const double *reg)
{
  const amo_model *m = ld->m;
  amo_at at = amo_yaml_at(amo_yaml_get(ld->root, "coordinates"));
  for (uint32_t i = 0; i < m->nq; i++)
    if (!isfinite(reg[m->r_h[i]]))
      amo_load_fail(
          ld, amo_error(ld->diags, at, "look for divisions by zero, roots or logarithms of negative numbers",
                        "the force on %s is not a finite number at the initial state", m->sym.q[i].name));
}

/// Sizes of the terms of a row at the initial state, as a measure for what counts as zero.
typedef struct row_size {
  double position, speed, largest;
} row_size;

static row_size size_of_row(const amo_model *m, const amo_entry *e, uint32_t n, const double *reg)
{
  row_size s = {1.0, 1.0, 0.0};
  for (uint32_t k = 0; k < n; k++) {
    double w = fabs(reg[e[k].reg]);
    s.position += w * fabs(m->file.initial[e[k].col]);
    s.speed += w * fabs(m->file.initial[m->nq + e[k].col]);
    s.largest = fmax(s.largest, w);
  }
  return s;
}

static bool vanishes(double x, double size)
{
  return fabs(x) <= AMO_SAME * size;  // false for NaN
}

static void check_constraints(amo_loader *ld, const double *reg)
{
  const amo_model *m = ld->m;
  for (uint32_t i = 0; i < m->ng; i++) {
    const amo_constraint *g = &m->constraint[i];
    row_size size = size_of_row(m, g->g, g->ng, reg);
    amo_at at = ld->constraints.item[i].item.node->at;
    double off = g->velocity_level ? 0.0 : reg[g->r_residual], rate = reg[g->r_rate];
    if (!vanishes(off, size.position))
      amo_load_fail(ld, amo_error(ld->diags, at, "change `initial` so that the constraint holds",
                                  "the initial state violates constraint %s by %g", g->sym.name, off));
    else if (!vanishes(rate, size.speed))
      amo_load_fail(ld, amo_error(ld->diags, at, "change the initial velocities so that the constraint holds",
                                  "the initial velocities violate constraint %s by %g", g->sym.name, rate));
  }
}

static void check_guides(amo_loader *ld, const double *reg)
{
  const amo_model *m = ld->m;
  for (uint32_t i = 0; i < m->nc; i++) {
    const amo_contact *c = &m->contact[i];
    if (!amo_has_gap(c)) continue;
    const bool guide = amo_is_two_sided(c);
    row_size size = size_of_row(m, c->n, c->nn, reg);
    amo_at at = amo_yaml_get(ld->contacts.item[i].item.node, guide ? "guide" : "support")->at;
    amo_status st = AMO_OK;
    if (!guide && amo_is_apart(c, reg[c->r_gap], AMO_SAME * size.position, amo_is_within(c, reg, 1)))
      continue;
    if (!guide && !vanishes(reg[c->r_gap], size.position))
      st = amo_error(ld->diags, at, "a support is a gap >= 0",
                     "the initial state penetrates support %s: gap %g", c->sym.name, reg[c->r_gap]);
    else if (!vanishes(reg[c->r_gap], size.position))
      st = amo_error(ld->diags, at, "give consistent initial values", "initial state is off guide %s: gap %g",
                     c->sym.name, reg[c->r_gap]);
    else if (guide && !vanishes(reg[c->r_gap_rate], size.speed))
      st = amo_error(ld->diags, at, "give consistent initial velocities",
                     "initial velocities lead off guide %s: gap rate %g", c->sym.name, reg[c->r_gap_rate]);
    else if (!(size.largest > 0.0 && isfinite(size.largest)))
      st = amo_error(ld->diags, at, "a guide like x^2 = 0 has no normal on itself: write x = 0",
                     "%s %s has no normal at the initial state: the derivatives of its gap vanish",
                     guide ? "guide" : "support", c->sym.name);
    if (st != AMO_OK) amo_load_fail(ld, st);
  }
}

/// Initial values that the file leaves open follow from guides and constraints. What cannot be is said afterwards.
static amo_status complete_start(amo_loader *ld)
{
  amo_complete *c = NULL;
  amo_model *m = ld->m;
  if (!amo_complete_needed(m)) return AMO_OK;
  size_t n = 2 * (size_t)m->nq + m->nz;
  double *state = amo_zalloc(n, sizeof *state);
  amo_status st = state ? amo_complete_new(m, &c) : AMO_ENOMEM;
  if (st == AMO_OK) {
    memcpy(state, m->file.initial, n * sizeof *state);
    if (amo_complete_state(c, m->file.param, m->file.t0, state, ld->initial.given) == AMO_OK)
      memcpy(m->file.initial, state, n * sizeof *state);
  }
  amo_complete_free(c);
  free(state);
  return st;
}

void amo_load_validate(amo_loader *ld)
{
  amo_status done = complete_start(ld);
  if (done != AMO_OK) amo_load_fail(ld, done);
  double *leaf = initial_leaves(ld), *reg = leaf ? run_step(ld->m, leaf) : NULL;
  amo_status st = reg ? AMO_OK : AMO_ENOMEM;
  if (st == AMO_OK) check_initial(ld);
  if (st == AMO_OK && ld->status == AMO_OK) st = run_checks(ld, leaf);
  if (st == AMO_OK && ld->status == AMO_OK) {
    check_constraints(ld, reg);
    check_guides(ld, reg);
    st = amo_load_check_inertia(ld, reg);
    if (ld->status == AMO_OK) check_forces(ld, reg);
  }
  if (st != AMO_OK) amo_load_fail(ld, st);
  free(leaf);
  free(reg);
}
