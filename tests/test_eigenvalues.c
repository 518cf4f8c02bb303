// SPDX-License-Identifier: Apache-2.0
// Eigenvalues with their errors, on random matrices whose spectrum is known exactly: blocks of small dyadic numbers, mixed
// by shears with whole coefficients and scaled by powers of two, so that no entry is rounded. Every eigenvalue lies within
// the error told; real parts that are zero are called zero, others are not unless the error says that nobody can know.
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "num/eigen.h"

enum { MOST = 8 };

static uint64_t seed = 480211;
static int matrices = 20000;

static double uniform(double a, double b)
{
  seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
  return a + (b - a) * (double)(seed >> 11) / 9007199254740992.0;
}

static int pick(int n)
{
  return (int)uniform(0.0, n) % n;
}

typedef struct known {
  size_t n;
  double a[MOST * MOST];
  double re[MOST], im[MOST];
  int mixing;  // shears: more of them, worse conditioned
} known;

static double dyadic(void)
{
  return (double)(pick(65) - 32) / 8.0;
}

/// Blocks on the diagonal: real values and pairs; a third of the real parts are zero; some values are repeated, with
/// vectors of their own or without.
static void make_blocks(known *k)
{
  memset(k->a, 0, sizeof k->a);
  for (size_t i = 0; i < k->n;) {
    const bool pair = i + 1 < k->n && pick(2), again = i > 0 && !pair && k->im[i - 1] == 0.0 && !pick(8);
    const double re = again ? k->re[i - 1] : pick(3) ? dyadic() : 0.0, im = pair ? (1 + pick(32)) / 8.0 : 0.0;
    k->a[i * k->n + i] = k->re[i] = re, k->im[i] = im;
    if (again && pick(2)) k->a[(i - 1) * k->n + i] = 1.0;
    if (pair) {
      k->a[(i + 1) * k->n + i + 1] = k->re[i + 1] = re, k->im[i + 1] = -im;
      k->a[i * k->n + i + 1] = im, k->a[(i + 1) * k->n + i] = -im;
    }
    i += pair ? 2 : 1;
  }
}

/// A := (1 + c e_i e_j') A (1 - c e_i e_j'), exact as long as the entries stay small.
static void shear(known *k, size_t i, size_t j, double c)
{
  for (size_t r = 0; r < k->n; r++) k->a[i * k->n + r] += c * k->a[j * k->n + r];
  for (size_t r = 0; r < k->n; r++) k->a[r * k->n + j] -= c * k->a[r * k->n + i];
}

static void make_known(known *k)
{
  k->n = 2 + (size_t)pick(MOST - 1);
  k->mixing = pick(3 * (int)k->n);
  make_blocks(k);
  for (int m = 0; m < k->mixing; m++) {
    const size_t i = (size_t)pick((int)k->n), j = (size_t)pick((int)k->n);
    if (i != j) shear(k, i, j, pick(2) ? 1.0 : -1.0);
  }
  for (size_t i = 0; i < k->n; i++) {  // units of states
    const double unit = ldexp(1.0, pick(61) - 30);
    for (size_t j = 0; j < k->n; j++) k->a[i * k->n + j] *= unit, k->a[j * k->n + i] /= unit;
  }
}

static double apart(const known *k, double re, double im, size_t i)
{
  return hypot(re - k->re[i], im - k->im[i]);
}

/// The true value nearest to (re, im) that no other has taken.
static size_t nearest(const known *k, double re, double im, bool *taken)
{
  size_t best = MOST;
  for (size_t i = 0; i < k->n; i++)
    if (!taken[i] && (best == MOST || apart(k, re, im, i) < apart(k, re, im, best))) best = i;
  taken[best] = true;
  return best;
}

static bool alone(const known *k, size_t i)
{
  for (size_t j = 0; j < k->n; j++)
    if (j != i && apart(k, k->re[i], k->im[i], j) < 0.05) return false;
  return true;
}

typedef struct tally {
  int values, outside, wrong_zero, wrong_sign, vague, simple;
  double worst;  // true error over the error told
} tally;

/// The value that is known best of those not yet seen.
static size_t surest(const double *error, size_t n, bool *seen)
{
  size_t best = n;
  for (size_t i = 0; i < n; i++)
    if (!seen[i] && (best == n || error[i] < error[best])) best = i;
  seen[best] = true;
  return best;
}

static void check(const known *k, tally *t)
{
  double re[MOST], im[MOST], error[MOST];
  bool taken[MOST] = {false}, seen[MOST] = {false};
  assert_int_equal(amo_eigenvalues_judged(k->a, NULL, k->n, re, im, error), AMO_OK);
  for (size_t j = 0; j < k->n; j++) {
    const size_t i = surest(error, k->n, seen), is = nearest(k, re[i], im[i], taken);
    const double off = apart(k, re[i], im[i], is);
    t->values++;
    t->outside += off > error[i];
    if (off > error[i])
      print_message("n %zu, %d shears: (%g, %g) off by %g, error told %g\n", k->n, k->mixing, k->re[is],
                    k->im[is], off, error[i]);
    t->worst = fmax(t->worst, error[i] > 0.0 ? off / error[i] : off > 0.0 ? INFINITY : 0.0);
    t->wrong_zero += k->re[is] == 0.0 && re[i] != 0.0;
    t->wrong_sign += re[i] != 0.0 && re[i] * k->re[is] < 0.0;
    if (!alone(k, is)) continue;
    t->simple++;
    t->vague += re[i] == 0.0 && k->re[is] != 0.0;
  }
}

static void spectra_are_known_within_their_errors(void **state)
{
  (void)state;
  tally t = {0};
  for (int i = 0; i < matrices; i++) {
    known k;
    make_known(&k);
    check(&k, &t);
  }
  print_message("%d eigenvalues: %d outside their errors (at worst %.3g of the error told), %d zero real "
                "parts missed, %d "
                "signs wrong; of %d that stand alone %d not told from zero\n",
                t.values, t.outside, t.worst, t.wrong_zero, t.wrong_sign, t.simple, t.vague);
  assert_int_equal(t.outside, 0);
  assert_int_equal(t.wrong_zero, 0);
  assert_int_equal(t.wrong_sign, 0);
  assert_true(t.vague <= t.simple / 10000);
}

int main(int argc, char **argv)
{
  if (argc > 1) matrices = atoi(argv[1]);
  if (argc > 2) seed = strtoull(argv[2], NULL, 10);
  const struct CMUnitTest tests[] = {cmocka_unit_test(spectra_are_known_within_their_errors)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
