// SPDX-License-Identifier: Apache-2.0
/// Numbers at the initial state: ranges of constants, constraints, mass matrix.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/model.h"

#define LARGEST_ENVELOPE ((size_t)1 << 24)

/// Values of all leaves at the initial state. sigma = 0: every contact sticks.
static double *initial_leaves(const amo_loader *ld)
{
  const amo_model *m = ld->m;
  double *leaf = amo_zalloc(ld->leaves, sizeof *leaf);
  if (!leaf) return NULL;
  memcpy(leaf + m->leaf.param, m->param_value, m->np * sizeof *leaf);
  memcpy(leaf + m->leaf.q, m->initial, m->nq * sizeof *leaf);
  memcpy(leaf + m->leaf.u, m->initial + m->nq, m->nq * sizeof *leaf);
  memcpy(leaf + m->leaf.z, m->initial + 2 * (size_t)m->nq, m->nz * sizeof *leaf);
  leaf[m->leaf.t] = m->t0;
  leaf[m->leaf.eps] = 1.0;
  return leaf;
}

static void judge(amo_loader *ld, const amo_check *c, double v)
{
  static const char *const text[] = {"finite", "> 0", ">= 0", ">= 1"};
  bool ok = isfinite(v);
  if (c->relation == AMO_IS_POSITIVE) ok = ok && v > 0.0;
  if (c->relation == AMO_IS_NONNEGATIVE || c->relation == AMO_IS_ABOVE_KINETIC) ok = ok && v >= 0.0;
  if (c->relation == AMO_IS_AT_LEAST_ONE) ok = ok && v >= 1.0;
  if (ok) return;
  if (c->warning) {
    amo_warn(ld->diags, c->at, c->hint, "%s is %g", c->what, v);
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
  size_t n = ld->nchecks;
  amo_node *root = amo_zalloc(n, sizeof *root);
  double *value = amo_zalloc(n, sizeof *value);
  amo_status st = root && value ? AMO_OK : AMO_ENOMEM;
  for (size_t i = 0; st == AMO_OK && i < n; i++) root[i] = amo_load_sub(ld, ld->check[i].node);
  if (st == AMO_OK && n) st = amo_constant_values(ld->dag, root, n, leaf, ld->leaves, value);
  for (size_t i = 0; st == AMO_OK && i < n; i++) {
    bool again = i && ld->check[i].at.line == ld->check[i - 1].at.line &&
                 ld->check[i].at.column == ld->check[i - 1].at.column &&
                 ld->check[i].relation == ld->check[i - 1].relation && ld->status != AMO_OK;
    if (!again) judge(ld, &ld->check[i], value[i]);  // a family is blamed once
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
    if (isfinite(m->initial[i])) continue;
    const char *name = i < m->nq               ? m->q_sym[i].name
                       : i < 2 * (size_t)m->nq ? m->u_sym[i - m->nq].name
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
                        "the force on %s is not a finite number at the initial state", m->q_sym[i].name));
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
    s.position += w * fabs(m->initial[e[k].col]);
    s.speed += w * fabs(m->initial[m->nq + e[k].col]);
    s.largest = fmax(s.largest, w);
  }
  return s;
}

static bool vanishes(double x, double size)
{
  return fabs(x) <= 1e-9 * size;  // false for NaN
}

static void check_constraints(amo_loader *ld, const double *reg)
{
  const amo_model *m = ld->m;
  for (uint32_t i = 0; i < m->ng; i++) {
    const amo_constraint *g = &m->constraint[i];
    row_size size = size_of_row(m, g->g, g->ng, reg);
    amo_at at = ld->constraint[i].item.node->at;
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
    const bool guide = c->kind == AMO_GUIDE;
    row_size size = size_of_row(m, c->n, c->nn, reg);
    amo_at at = amo_yaml_get(ld->contact[i].item.node, guide ? "guide" : "support")->at;
    amo_status st = AMO_OK;
    if (!guide && reg[c->r_gap] > 1e-9 * size.position) continue;  // open
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

/// Cholesky in the envelope of the lower triangle, rows scaled to unit diagonal. Returns the first
/// row whose pivot vanishes, n if all are positive, n + 1 without memory. row[i] points at column
/// first[i].
static uint32_t factor(uint32_t n, double **row, const uint32_t *first)
{
  for (uint32_t i = 0; i < n; i++) {
    double *a = row[i];
    double pivot = a[i - first[i]];
    for (uint32_t j = first[i]; j < i; j++) {
      double s = a[j - first[i]];
      const double *b = row[j];
      for (uint32_t k = first[i] > first[j] ? first[i] : first[j]; k < j; k++)
        s -= a[k - first[i]] * b[k - first[j]];
      s /= b[j - first[j]];
      a[j - first[i]] = s;
      pivot -= s * s;
    }
    if (!(pivot > 1e-13)) return i;
    a[i - first[i]] = sqrt(pivot);
  }
  return n;
}

static void report_singular(amo_loader *ld, const double *row, uint32_t first, uint32_t bad)
{
  amo_text names = {0};
  for (uint32_t j = first; j <= bad; j++)
    if (j == bad || row[j - first] != 0.0)
      amo_text_printf(&names, "%s%s", names.size ? ", " : "", ld->m->q_sym[j].name);
  amo_load_fail(ld, amo_error(ld->diags, amo_yaml_at(amo_yaml_get(ld->root, "coordinates")), NULL,
                              "the mass matrix is singular at the initial state (coordinates %s)",
                              names.data ? names.data : ""));
  amo_text_free(&names);
}

static amo_status check_mass(amo_loader *ld, const double *reg)
{
  const amo_model *m = ld->m;
  uint32_t n = m->nq, bad = n;
  size_t total = 0;
  amo_status st = AMO_OK;
  uint32_t *first = amo_zalloc(n, sizeof *first);
  double *diag = amo_zalloc(n, sizeof *diag), **row = amo_zalloc(n, sizeof *row), *data = NULL;
  if (!first || !diag || !row) {
    st = AMO_ENOMEM;
    goto done;
  }
  for (uint32_t i = 0; i < n; i++) first[i] = i;
  for (uint32_t k = 0; k < m->nmass; k++) {
    const amo_entry *e = &m->mass[k];
    if (e->col < first[e->row]) first[e->row] = e->col;
    if (e->row == e->col) diag[e->row] = reg[e->reg];
  }
  for (uint32_t i = 0; i < n; i++) total += i - first[i] + 1;
  if (total > LARGEST_ENVELOPE) goto done;  // too costly to test; the integrator will find out
  data = amo_zalloc(total, sizeof *data);
  if (!data) {
    st = AMO_ENOMEM;
    goto done;
  }
  total = 0;
  for (uint32_t i = 0; i < n; i++) {
    row[i] = data + total;
    total += i - first[i] + 1;
    if (bad == n && !(diag[i] > 0.0 && isfinite(diag[i]))) bad = i;
  }
  for (uint32_t k = 0; bad == n && k < m->nmass; k++) {
    const amo_entry *e = &m->mass[k];
    row[e->row][e->col - first[e->row]] = reg[e->reg] / sqrt(diag[e->row] * diag[e->col]);
  }
  if (bad == n) bad = factor(n, row, first);
  if (bad < n) report_singular(ld, row[bad], first[bad], bad);
done:
  free(first);
  free(diag);
  free(row);
  free(data);
  return st;
}

void amo_load_validate(amo_loader *ld)
{
  double *leaf = initial_leaves(ld), *reg = leaf ? run_step(ld->m, leaf) : NULL;
  amo_status st = reg ? AMO_OK : AMO_ENOMEM;
  if (st == AMO_OK) check_initial(ld);
  if (st == AMO_OK && ld->status == AMO_OK) st = run_checks(ld, leaf);
  if (st == AMO_OK && ld->status == AMO_OK) {
    check_constraints(ld, reg);
    check_guides(ld, reg);
    st = check_mass(ld, reg);
    if (ld->status == AMO_OK) check_forces(ld, reg);
  }
  if (st != AMO_OK) amo_load_fail(ld, st);
  free(leaf);
  free(reg);
}
