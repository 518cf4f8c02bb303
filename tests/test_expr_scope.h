// SPDX-License-Identifier: Apache-2.0
/// A small world of names for the tests of expressions: x y z v vary, a b n are fixed, q[1..5] vary,
/// x' is v, N = 5 is a size.
#ifndef AMO_TEST_EXPR_SCOPE_H
#define AMO_TEST_EXPR_SCOPE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "amontons/diag.h"
#include "expr/dag.h"
#include "expr/parse.h"
#include "expr/program.h"

enum { LEAVES = 12, FIRST_Q = 7 };
static const char *const world_name[] = {"x", "y", "z", "v", "a", "b", "n", "q", "theta", NULL};
static const bool world_fixed[LEAVES] = {0, 0, 0, 0, 1, 1, 1};

static inline amo_node world_resolve(const amo_scope *s, amo_dag *d, const amo_name *name, bool *reported)
{
  (void)s;
  for (uint32_t i = 0; i < FIRST_Q; i++) {
    if (strlen(world_name[i]) != name->length || memcmp(world_name[i], name->text, name->length) != 0)
      continue;
    if (name->primes == 1 && i == 0) return amo_leaf(d, 3);
    return name->primes == 0 && name->indices == 0 ? amo_leaf(d, i) : AMO_NODE_NONE;
  }
  if (name->length == 1 && name->text[0] == 'q' && name->indices == 1) {
    if (name->index[0] >= 1 && name->index[0] <= 5)
      return amo_leaf(d, FIRST_Q + (uint32_t)name->index[0] - 1);
    amo_error((amo_diags *)s->ctx, name->at, NULL, "index %ld outside 1..5", name->index[0]);
    *reported = true;
  }
  return AMO_NODE_NONE;
}

static inline const char *world_known(const amo_scope *s, size_t i)
{
  (void)s;
  return world_name[i];
}

static inline bool world_integer(const amo_scope *s, const char *text, size_t length, long *value)
{
  (void)s;
  *value = 5;
  return length == 1 && text[0] == 'N';
}

typedef struct world {
  amo_dag *d;
  amo_diags *g;
  amo_scope scope;
} world;

static inline world world_new(void)
{
  world w = {.d = amo_dag_new(0), .g = amo_diags_new()};
  w.scope = (amo_scope){.ctx = w.g, .resolve = world_resolve, .known = world_known, .integer = world_integer};
  assert_non_null(w.d);
  assert_non_null(w.g);
  return w;
}

static inline void world_free(world *w)
{
  amo_dag_free(w->d);
  amo_diags_free(w->g);
}

static inline amo_status world_parse(world *w, const char *text, size_t length, amo_node *out)
{
  const amo_at at = {.file = amo_diags_source(w->g, "test", "", 0), .line = 1, .column = 1};
  return amo_parse(w->d, text, length, at, &w->scope, w->g, out);
}

static inline amo_node world_node(world *w, const char *text)
{
  amo_node n = AMO_NODE_NONE;
  if (world_parse(w, text, strlen(text), &n) != AMO_OK) {
    const amo_diag *first = amo_diags_get(w->g, 0);
    fail_msg("'%s': column %d: %s", text, first ? first->at.column : 0,
             first ? first->message : "no diagnostic");
  }
  return n;
}

static inline amo_prog *world_compile(const world *w, const amo_node *root, size_t n)
{
  amo_prog *p = NULL;
  assert_int_equal(amo_prog_compile(w->d, root, n, world_fixed, LEAVES, &p), AMO_OK);
  return p;
}

static inline void *make(size_t count, size_t size)
{
  void *p = calloc(count ? count : 1, size);
  assert_non_null(p);
  return p;
}

/// Value of one expression at a point.
static inline double world_value(const world *w, amo_node n, const double leaf[LEAVES])
{
  amo_prog *p = world_compile(w, &n, 1);
  double *reg = make(amo_prog_registers(p), sizeof *reg);
  memcpy(reg, leaf, LEAVES * sizeof *reg);
  amo_prog_prepare1(p, reg);
  amo_prog_eval1(p, reg, NULL);
  const double v = reg[amo_prog_root(p, 0)];
  free(reg);
  amo_prog_free(p);
  return v;
}

/// Jet [order+1] of one expression along leaf series [LEAVES][order+1]; branches are the signs at t0.
static inline void world_jet(const world *w, amo_node n, const double *leaf, int order, double *out)
{
  amo_prog *p = world_compile(w, &n, 1);
  const size_t m = (size_t)order + 1, r = amo_prog_root(p, 0);
  double *jet = make(amo_prog_registers(p) * m, sizeof *jet);
  double *reg = make(amo_prog_registers(p), sizeof *reg);
  signed char *branch = make(amo_prog_switches(p), 1);
  for (size_t l = 0; l < LEAVES; l++) reg[l] = leaf[l * m];
  amo_prog_prepare1(p, reg);
  amo_prog_eval1(p, reg, NULL);
  for (uint32_t i = 0; i < amo_prog_switches(p); i++) {
    const double a = reg[amo_prog_switch_register(p, i)];
    branch[i] = (signed char)((a > 0.0) - (a < 0.0));
  }
  memcpy(jet, leaf, LEAVES * m * sizeof *jet);
  amo_jet_prepare1(p, jet, order);
  for (int k = 0; k <= order; k++) amo_jet_eval1(p, jet, order, k, branch);
  memset(out, 0, m * sizeof *out);
  memcpy(out, jet + r * m, (amo_prog_is_fixed(p, (uint32_t)r) ? 1 : m) * sizeof *out);
  free(jet);
  free(reg);
  free(branch);
  amo_prog_free(p);
}

#endif
