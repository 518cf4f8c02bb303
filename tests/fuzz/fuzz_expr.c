// SPDX-License-Identifier: Apache-2.0
/// Any bytes as an expression: parse, differentiate, print, compile, evaluate as values and as
/// power series. Nothing may crash, hang or leak, and one lane gives the same bits as many.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "expr/parse.h"
#include "expr/program.h"

enum { LEAVES = 4, ORDER = 6 };  // leaves: x, x', t, k
static const char *const NAMES[LEAVES] = {"x", "x'", "t", "k"};

static amo_node resolve(const amo_scope *s, amo_dag *d, const amo_name *name, bool *reported)
{
  (void)s, (void)reported;
  if (name->length != 1 || name->indices > 1) return AMO_NODE_NONE;
  char c = name->text[0];
  if (c == 'x' && name->primes < 2) return amo_leaf(d, (uint32_t)name->primes);
  if (name->primes) return AMO_NODE_NONE;
  return c == 't' ? amo_leaf(d, 2) : c == 'k' ? amo_leaf(d, 3) : AMO_NODE_NONE;
}

static const char *known(const amo_scope *s, size_t i)
{
  (void)s;
  return i < LEAVES ? NAMES[i] : NULL;
}

static bool integer(const amo_scope *s, const char *text, size_t length, long *value)
{
  (void)s;
  *value = 5;
  return length == 1 && text[0] == 'N';
}

static const char *leaf_name(void *ctx, uint32_t leaf)
{
  (void)ctx;
  return leaf < LEAVES ? NAMES[leaf] : "?";
}

static const double VALUE[LEAVES] = {0.7, -0.3, 2.0, 1.5};

static void must_equal(double a, double b)
{
  if (memcmp(&a, &b, sizeof a) != 0 && !(isnan(a) && isnan(b))) abort();
}

/// Values on one lane and on many; `one` holds the registers afterwards.
static void check_values(const amo_prog *p, size_t nroots, double *one, double *many)
{
  for (size_t l = 0; l < LEAVES; l++) {
    one[l] = VALUE[l];
    for (size_t j = 0; j < AMO_LANES; j++) many[l * AMO_LANES + j] = VALUE[l];
  }
  amo_prog_prepare1(p, one);
  amo_prog_eval1(p, one, NULL);
  amo_prog_prepare8(p, many);
  amo_prog_eval8(p, many, NULL);
  for (size_t i = 0; i < nroots; i++) {
    uint32_t r = amo_prog_root(p, i);
    must_equal(one[r], many[(size_t)r * AMO_LANES + 3]);
  }
}

/// Power series with every varying leaf moving at unit speed, branches as the values have them.
static void check_jets(const amo_prog *p, size_t nroots, const double *value, double *one, double *many)
{
  enum { W = AMO_LANES, N = ORDER + 1 };
  signed char branch[64], wide[64 * W];
  uint32_t switches = amo_prog_switches(p);
  if (switches > 64) return;
  for (uint32_t i = 0; i < switches; i++) {
    double x = value[amo_prog_switch_register(p, i)];
    branch[i] = (signed char)((x > 0) - (x < 0));
    memset(wide + (size_t)i * W, branch[i], W);
  }
  for (size_t l = 0; l < LEAVES; l++)
    for (size_t k = 0; k < 2 && (k == 0 || l < 3); k++) {
      one[l * N + k] = k ? 1.0 : VALUE[l];
      for (size_t j = 0; j < W; j++) many[(l * N + k) * W + j] = one[l * N + k];
    }
  amo_jet_prepare1(p, one, ORDER);
  amo_jet_prepare8(p, many, ORDER);
  for (int k = 0; k <= ORDER; k++) {
    amo_jet_eval1(p, one, ORDER, k, branch);
    amo_jet_eval8(p, many, ORDER, k, wide);
  }
  for (size_t i = 0; i < nroots; i++) {
    size_t r = amo_prog_root(p, i);
    size_t top = amo_prog_is_fixed(p, (uint32_t)r) ? 0 : ORDER;
    for (size_t k = 0; k <= top; k++) must_equal(one[r * N + k], many[(r * N + k) * W + 5]);
  }
}

static void evaluate(const amo_dag *d, const amo_node *roots, size_t nroots)
{
  static const bool fixed[LEAVES] = {false, false, false, true};
  amo_prog *p = NULL;
  if (amo_prog_compile(d, roots, nroots, fixed, LEAVES, &p) != AMO_OK) return;
  size_t n = amo_prog_registers(p);
  double *value = calloc(n, sizeof *value);
  double *jet = calloc(n * (ORDER + 1), sizeof *jet);
  size_t wide = n * (ORDER + 1) * AMO_LANES * sizeof(double);
  double *many = aligned_alloc(64, wide);
  if (value && jet && many) {
    memset(many, 0, wide);
    check_values(p, nroots, value, many);
    memset(many, 0, wide);
    check_jets(p, nroots, value, jet, many);
  }
  free(value);
  free(jet);
  free(many);
  amo_prog_free(p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  amo_diags *diags = amo_diags_new();
  amo_dag *d = amo_dag_new(20000);
  if (diags && d) {
    const char *text = (const char *)data;
    amo_scope scope = {.resolve = resolve, .known = known, .integer = integer, .paths = size % 7 == 0};
    amo_at at = {.file = amo_diags_source(diags, "fuzz", text, size), .line = 1, .column = 1};
    amo_node root[3] = {AMO_NODE_NONE};
    if (amo_parse(d, text, size, at, &scope, diags, &root[0]) == AMO_OK) {
      root[1] = amo_diff(d, root[0], 0);
      root[2] = amo_diff(d, root[1], 1);
      free(amo_node_text(d, root[2], leaf_name, NULL, 1000));
      if (amo_dag_status(d) == AMO_OK) evaluate(d, root, 3);
    } else if (!amo_diags_errors(diags) && amo_dag_status(d) == AMO_OK) {
      abort();  // refused without a word
    }
    free(amo_diags_render(diags));
  }
  amo_dag_free(d);
  amo_diags_free(diags);
  return 0;
}
