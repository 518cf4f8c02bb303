// SPDX-License-Identifier: Apache-2.0
#include "support/probe.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"

#ifndef AMO_SOURCE_DIR
#define AMO_SOURCE_DIR "."
#endif

amo_model *probe_text(const char *text, const amo_setting *set, size_t nset)
{
  amo_diags *d = amo_diags_new();
  amo_model *m = NULL;
  amo_status st = amo_model_parse("test.yaml", text, strlen(text), set, nset, d, &m);
  if (st != AMO_OK) {
    char *s = amo_diags_render(d);
    print_error("%s", s);
    free(s);
  }
  assert_int_equal(st, AMO_OK);
  amo_diags_free(d);
  return m;
}

amo_model *probe_file(const char *name, const amo_setting *set, size_t nset)
{
  char path[512];
  snprintf(path, sizeof path, AMO_SOURCE_DIR "/models/%s", name);
  amo_diags *d = amo_diags_new();
  amo_model *m = NULL;
  amo_status st = amo_model_load(path, set, nset, d, &m);
  char *s = amo_diags_render(d);
  assert_string_equal(s, "");  // no warnings either
  free(s);
  assert_int_equal(st, AMO_OK);
  amo_diags_free(d);
  return m;
}

void probe_refuse(const char *text, size_t size, const amo_setting *set, size_t nset, amo_status status,
                  const char *want)
{
  amo_diags *d = amo_diags_new();
  amo_model *m = NULL;
  amo_status st = amo_model_parse("bad.yaml", text, size, set, nset, d, &m);
  char *s = amo_diags_render(d);
  if (st != status || !strstr(s, want)) print_error("wanted '%s', got %s:\n%s", want, amo_status_name(st), s);
  assert_int_equal(st, status);
  assert_null(m);
  assert_non_null(strstr(s, want));
  free(s);
  amo_diags_free(d);
}

probe probe_new(const amo_model *m)
{
  probe p = {m, amo_zalloc(m->leaf.count, sizeof(double)),
             amo_zalloc(amo_prog_registers(m->step), sizeof(double))};
  assert_non_null(p.leaf);
  assert_non_null(p.reg);
  memcpy(p.leaf + m->leaf.param, m->file.param, m->np * sizeof(double));
  for (uint32_t i = 0; i < m->nq; i++) {
    p.leaf[m->leaf.q + i] = m->file.initial[i];
    p.leaf[m->leaf.u + i] = m->file.initial[m->nq + i];
  }
  for (uint32_t i = 0; i < m->nz; i++) p.leaf[m->leaf.z + i] = m->file.initial[2 * m->nq + i];
  p.leaf[m->leaf.t] = m->file.t0;
  p.leaf[m->leaf.eps] = 100.0;
  return p;
}

void probe_eval(probe *p)
{
  memcpy(p->reg, p->leaf, p->m->leaf.count * sizeof(double));
  amo_prog_prepare1(p->m->step, p->reg);
  amo_prog_eval1(p->m->step, p->reg, NULL);
}

void probe_free(probe *p)
{
  free(p->leaf);
  free(p->reg);
}

double probe_value(const probe *p, amo_node n)
{
  amo_prog *prog = NULL;
  assert_int_equal(amo_prog_compile(p->m->dag, &n, 1, p->m->fixed, p->m->leaf.count, &prog), AMO_OK);
  double *reg = amo_zalloc(amo_prog_registers(prog), sizeof *reg);
  memcpy(reg, p->leaf, p->m->leaf.count * sizeof *reg);
  amo_prog_prepare1(prog, reg);
  amo_prog_eval1(prog, reg, NULL);
  double v = reg[amo_prog_root(prog, 0)];
  free(reg);
  amo_prog_free(prog);
  return v;
}

void probe_near(double got, double want, double tol)
{
  if (!(fabs(got - want) <= tol * (1.0 + fabs(want)))) {
    print_error("got %.17g, want %.17g\n", got, want);
    fail();
  }
}

double probe_param(const amo_model *m, const char *name)
{
  for (uint32_t i = 0; i < m->np; i++)
    if (strcmp(m->param[i].sym.name, name) == 0) return m->file.param[i];
  fail_msg("no parameter %s", name);
  return 0.0;
}

double probe_mass(const probe *p, uint32_t i, uint32_t j)
{
  double sum = 0.0;
  for (uint32_t k = 0; k < p->m->nmass; k++)
    if (p->m->mass[k].row == i && p->m->mass[k].col == j) sum += p->reg[p->m->mass[k].reg];
  return sum;
}

/// Gauss with pivoting, in place.
static void solve(double *a, double *b, size_t n)
{
  for (size_t c = 0; c < n; c++) {
    size_t p = c;
    for (size_t i = c + 1; i < n; i++)
      if (fabs(a[i * n + c]) > fabs(a[p * n + c])) p = i;
    assert_true(a[p * n + c] != 0.0);
    for (size_t j = 0; j < n; j++) {
      double x = a[c * n + j];
      a[c * n + j] = a[p * n + j];
      a[p * n + j] = x;
    }
    double x = b[c];
    b[c] = b[p];
    b[p] = x;
    for (size_t i = c + 1; i < n; i++) {
      double f = a[i * n + c] / a[c * n + c];
      for (size_t j = c; j < n; j++) a[i * n + j] -= f * a[c * n + j];
      b[i] -= f * b[c];
    }
  }
  for (size_t i = n; i-- > 0;) {
    for (size_t j = i + 1; j < n; j++) b[i] -= a[i * n + j] * b[j];
    b[i] /= a[i * n + i];
  }
}

/// One row of the equations below: what a constraint or guide adds. Returns the next row.
static size_t tie_row(const probe *p, const amo_entry *e, uint32_t count, double zeta, double *a, double *b,
                      size_t N, size_t row)
{
  for (uint32_t i = 0; i < count; i++) {
    a[row * N + e[i].col] = p->reg[e[i].reg];
    a[e[i].col * N + row] = -p->reg[e[i].reg];
  }
  b[row] = -zeta;
  return row + 1;
}

void probe_accelerate(probe *p)
{
  const amo_model *m = p->m;
  size_t n = m->nq, N = n + m->ng, row = n;
  for (uint32_t c = 0; c < m->nc; c++) N += m->contact[c].kind == AMO_GUIDE;
  double *a = amo_zalloc(N * N, sizeof *a), *b = amo_zalloc(N, sizeof *b);
  probe_eval(p);
  for (uint32_t k = 0; k < m->nmass; k++) {
    const amo_entry *e = &m->mass[k];
    a[e->row * N + e->col] = a[e->col * N + e->row] = p->reg[e->reg];
  }
  for (size_t i = 0; i < n; i++) b[i] = p->reg[m->r_h[i]];
  for (uint32_t k = 0; k < m->ng; k++) {
    const amo_constraint *c = &m->constraint[k];
    row = tie_row(p, c->g, c->ng, p->reg[c->r_zeta], a, b, N, row);
  }
  for (uint32_t k = 0; k < m->nc; k++) {
    const amo_contact *c = &m->contact[k];
    if (c->kind != AMO_GUIDE) {
      p->leaf[m->leaf.lambda + k] = -p->leaf[m->leaf.sigma + k] * p->reg[c->r_kinetic];
      continue;
    }
    row = tie_row(p, c->n, c->nn, p->reg[c->r_gap_zeta], a, b, N, row);
    for (uint32_t i = 0; i < c->nw; i++) b[c->w[i].col] += p->leaf[m->leaf.lambda + k] * p->reg[c->w[i].reg];
  }
  solve(a, b, N);
  memcpy(p->leaf + m->leaf.acc, b, n * sizeof *b);
  memcpy(p->leaf + m->leaf.multiplier, b + n, m->ng * sizeof *b);
  row = n + m->ng;
  for (uint32_t k = 0; k < m->nc; k++)
    if (m->contact[k].kind == AMO_GUIDE) p->leaf[m->leaf.reaction + k] = b[row++];
  free(a);
  free(b);
}

static double random_unit(uint64_t *s)
{
  *s = *s * 6364136223846793005u + 1442695040888963407u;
  return (double)(*s >> 11) / 9007199254740992.0 * 2.0 - 1.0;
}

static amo_node *all_rates(const amo_model *m)
{
  amo_node *rate = amo_zalloc(m->leaf.count, sizeof *rate);
  rate[m->leaf.t] = amo_const(m->dag, 1.0);
  for (uint32_t i = 0; i < m->nq; i++) {
    rate[m->leaf.q + i] = amo_leaf(m->dag, m->leaf.u + i);
    rate[m->leaf.u + i] = amo_leaf(m->dag, m->leaf.acc + i);
  }
  for (uint32_t i = 0; i < m->nz; i++) rate[m->leaf.z + i] = m->extra[i].rate;
  return rate;
}

/// Power of a force that acts through a row; its size is added to `scale`.
static double row_power(const probe *p, const amo_entry *e, uint32_t n, double force, double *scale)
{
  double sum = 0.0;
  for (uint32_t k = 0; k < n; k++) {
    double part = force * p->reg[e[k].reg] * p->leaf[p->m->leaf.u + e[k].col];
    sum += part;
    *scale += fabs(part);
  }
  return sum;
}

static void identity_at(probe *p, const amo_node *rate, amo_node energy)
{
  const amo_model *m = p->m;
  double flow = probe_value(p, m->report.supplied), scale = fabs(flow) + 1.0;
  for (uint32_t i = 0; i < m->nq; i++) scale += fabs(p->reg[m->r_h[i]] * p->leaf[m->leaf.u + i]);
  for (uint32_t c = 0; c < m->nc; c++) {
    const amo_contact *k = &m->contact[c];
    double slip = p->reg[k->r_zeta];
    for (uint32_t i = 0; i < k->nw; i++) slip += p->reg[k->w[i].reg] * p->leaf[m->leaf.acc + k->w[i].col];
    probe_near(probe_value(p, amo_total(m->dag, k->slip, rate, m->leaf.count)), slip, 1e-12);
    flow += row_power(p, k->w, k->nw, p->leaf[m->leaf.lambda + c], &scale);
    flow += row_power(p, k->n, k->nn, p->leaf[m->leaf.reaction + c], &scale);
    if (k->kind != AMO_GUIDE) continue;
    probe_near(probe_value(p, amo_total(m->dag, k->gap, rate, m->leaf.count)), p->reg[k->r_gap_rate], 1e-12);
    probe_near(probe_value(p, amo_total(m->dag, k->gap_rate, rate, m->leaf.count)), 0.0, 1e-11 * scale);
  }
  for (uint32_t c = 0; c < m->ng; c++) {
    const amo_constraint *g = &m->constraint[c];
    flow += row_power(p, g->g, g->ng, p->leaf[m->leaf.multiplier + c], &scale);
    probe_near(probe_value(p, amo_total(m->dag, g->rate, rate, m->leaf.count)), 0.0, 1e-11 * scale);
  }
  double change = probe_value(p, energy);
  if (!(fabs(change - flow) <= 1e-12 * scale))
    fail_msg("%s: dE/dt %.17g, power %.17g", m->name, change, flow);
}

void probe_identity(amo_model *m)
{
  amo_node *rate = all_rates(m);
  amo_node energy =
      amo_total(m->dag, amo_add(m->dag, m->report.kinetic, m->report.potential), rate, m->leaf.count);
  uint64_t seed = 12345;
  for (int trial = 0; trial < 10; trial++) {
    probe p = probe_new(m);
    for (uint32_t i = m->leaf.t; i < m->leaf.sigma; i++) {
      bool position = i >= m->leaf.q && i < m->leaf.u;  // stays where the geometry closes
      p.leaf[i] += (position ? 0.05 : 0.5) * random_unit(&seed);
    }
    probe_eval(&p);
    for (uint32_t c = 0; c < m->nc; c++) {
      p.leaf[m->leaf.sigma + c] = p.reg[m->contact[c].r_slip] > 0 ? 1.0 : -1.0;
      p.leaf[m->leaf.lambda + c] = random_unit(&seed);  // of guides: any friction will do
    }
    probe_accelerate(&p);
    identity_at(&p, rate, energy);
    probe_free(&p);
  }
  free(rate);
}
