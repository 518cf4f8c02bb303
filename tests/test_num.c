// SPDX-License-Identifier: Apache-2.0
// Numerical methods by what must hold of their answers: small residuals against the sizes of the terms, the conditions of Penrose,
// exact integers, the same bits in other units.
#include <complex.h>
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "num/bracket.h"
#include "num/eigen.h"
#include "num/hurwitz.h"
#include "num/legendre.h"
#include "num/newton.h"
#include "num/orthogonal.h"
#include "num/poly.h"
#include "num/random.h"
#include "num/rounding.h"
#include "num/solve.h"
#include "support/near.h"

enum { MOST = 90 };

static uint64_t seed = 20261116;

static double uniform(double a, double b)
{
  seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
  return a + (b - a) * (double)(seed >> 11) / 9007199254740992.0;
}

static void fill(double *a, size_t count)
{
  for (size_t i = 0; i < count; i++) a[i] = uniform(-1.0, 1.0);
}

/// Largest |a x - b| over the sum of the sizes of its terms, a [rows][n].
static double residual(const double *a, size_t rows, size_t n, const double *x, const double *b)
{
  double worst = 0.0;
  for (size_t i = 0; i < rows; i++) {
    double sum = -b[i], size = fabs(b[i]);
    for (size_t j = 0; j < n; j++) {
      sum += a[i * n + j] * x[j];
      size += fabs(a[i * n + j] * x[j]);
    }
    worst = fmax(worst, size > 0.0 ? fabs(sum) / size : 0.0);
  }
  return worst;
}

/// out [m][n] := a [m][k] b [k][n].
static void multiply(const double *a, const double *b, size_t m, size_t k, size_t n, double *out)
{
  for (size_t i = 0; i < m; i++)
    for (size_t j = 0; j < n; j++) {
      out[i * n + j] = 0.0;
      for (size_t l = 0; l < k; l++) out[i * n + j] += a[i * k + l] * b[l * n + j];
    }
}

static void solves(void **state)
{
  (void)state;
  static double a[MOST * MOST], lu[MOST * MOST], b[2 * MOST], x[2 * MOST];
  for (size_t n = 1; n <= MOST; n += n < 10 ? 1 : 20)
    for (int k = 0; k < 20; k++) {
      fill(a, n * n), fill(b, 2 * n);
      memcpy(lu, a, n * n * sizeof *a), memcpy(x, b, 2 * n * sizeof *b);
      assert_int_equal(amo_solve(lu, n, x, 2), AMO_OK);
      assert_true(residual(a, n, n, x, b) < 8.0 * (double)n * DBL_EPSILON);
      assert_true(residual(a, n, n, x + n, b + n) < 8.0 * (double)n * DBL_EPSILON);
    }
}

// Rows in other units: the same bits.
static void solves_in_any_units(void **state)
{
  (void)state;
  double a[36], b[6], c[36], d[6];
  for (int k = 0; k < 200; k++) {
    fill(a, 36), fill(b, 6);
    for (int i = 0; i < 6; i++) {
      const int power = (int)uniform(-900.0, 900.0);
      for (int j = 0; j < 6; j++) c[6 * i + j] = ldexp(a[6 * i + j], power);
      d[i] = ldexp(b[i], power);
    }
    assert_int_equal(amo_solve(a, 6, b, 1), AMO_OK);
    assert_int_equal(amo_solve(c, 6, d, 1), AMO_OK);
    assert_memory_equal(b, d, sizeof b);
  }
}

/// Rows of whole numbers, far from each other, the last one a sum of multiples of the others.
static void dependent_rows(double *a, size_t n)
{
  for (size_t i = 0; i < n * n; i++) a[i] = floor(uniform(-9.0, 10.0)) + (i / n == i % n ? 40.0 : 0.0);
  for (size_t j = 0; j < n; j++) a[(n - 1) * n + j] = 0.0;
  for (size_t i = 0; i + 1 < n; i++)
    for (size_t j = 0; j < n; j++) a[(n - 1) * n + j] += (double)(i % 3 + 1) * a[i * n + j];
}

static void knows_singular(void **state)
{
  (void)state;
  double a[100], b[10], nan[4] = {1, 2, NAN, 3};
  for (size_t n = 2; n <= 10; n++)
    for (int k = 0; k < 100; k++) {
      dependent_rows(a, n), fill(b, n);
      assert_int_equal(amo_solve(a, n, b, 1), AMO_ENOANSWER);
    }
  assert_int_equal(amo_solve(nan, 2, b, 1), AMO_ENOANSWER);
}

static void inverts(void **state)
{
  (void)state;
  double a[64], work[64], inverse[64], unit[64];
  for (int k = 0; k < 300; k++) {
    const size_t n = 1 + (size_t)k % 8;
    fill(a, n * n);
    for (size_t i = 0; i < n; i++) a[i * n + i] += 4.0;  // far from singular
    memcpy(work, a, sizeof a);
    assert_int_equal(amo_invert(work, n, inverse), AMO_OK);
    multiply(a, inverse, n, n, n, unit);
    for (size_t i = 0; i < n * n; i++) assert_near(unit[i], i / n == i % n, 1e-13);
  }
}

// Products of shears have determinant 1, whatever they look like; an exchange of rows changes its sign.
static void determinants(void **state)
{
  (void)state;
  double a[25], b[25], size;
  for (int k = 0; k < 200; k++) {
    for (int i = 0; i < 25; i++) a[i] = i / 5 == i % 5;
    for (int s = 0; s < 6; s++) {
      const int to = (int)uniform(0, 5), from = (to + 1 + (int)uniform(0, 4)) % 5;
      const double by = floor(uniform(-2.0, 3.0));
      for (int j = 0; j < 5; j++) a[5 * to + j] += by * a[5 * from + j];
    }
    memcpy(b, a, sizeof a);
    for (int j = 0; j < 5; j++) b[j] = 1e150 * a[15 + j], b[15 + j] = 1e-140 * a[j];
    assert_near(amo_determinant(a, 5, &size), 1.0, 1e-11);
    assert_near(size, 0.0, 1e-11);
    assert_near(amo_determinant(b, 5, &size) / 1e10, -1.0, 1e-11);
    assert_near(size, log(1e10), 1e-11);
  }
  dependent_rows(a, 5);
  amo_determinant(a, 5, &size);
  assert_true(size == -INFINITY);
}

static void definite(void **state)
{
  (void)state;
  double b[36], a[36];
  for (int k = 0; k < 200; k++) {
    fill(b, 36);
    for (int i = 0; i < 36; i++) {
      a[i] = i / 6 == i % 6 ? 0.1 : 0.0;
      for (int l = 0; l < 6; l++) a[i] += b[6 * (i / 6) + l] * b[6 * (i % 6) + l];
    }
    const size_t row = (size_t)k % 6;
    const double own = a[7 * row];
    memcpy(b, a, sizeof a);
    assert_int_equal(amo_cholesky(b, 6, AMO_CANCELLED), 6);
    memcpy(b, a, sizeof a);
    b[7 * row] = -own;
    assert_int_equal(amo_cholesky(b, 6, AMO_CANCELLED), row);
  }
}

/// a [rows][n] of this rank.
static void of_rank(double *a, size_t rows, size_t n, size_t rank)
{
  double l[64], r[64];
  fill(l, rows * rank), fill(r, rank * n);
  multiply(l, r, rows, rank, n, a);
}

static void assert_symmetric(const double *a, size_t n)
{
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < i; j++) assert_near(a[i * n + j], a[j * n + i], 1e-9);
}

// A X A = A, X A X = X, A X and X A symmetric.
static void penrose(void **state)
{
  (void)state;
  for (int k = 0; k < 300; k++) {
    const size_t rows = 1 + (size_t)k % 7, n = 1 + (size_t)(k / 7) % 7, less = rows < n ? rows : n;
    const size_t rank = 1 + (size_t)uniform(0.0, (double)less) % less;
    double a[49], x[49], ax[49], xa[49], back[49];
    of_rank(a, rows, n, rank);
    assert_int_equal(amo_pseudo_inverse(a, rows, n, 1e-10, x), AMO_OK);
    multiply(a, x, rows, n, rows, ax);
    multiply(x, a, n, rows, n, xa);
    assert_symmetric(ax, rows);
    assert_symmetric(xa, n);
    multiply(ax, a, rows, rows, n, back);
    for (size_t i = 0; i < rows * n; i++) assert_near(back[i], a[i], 1e-9);
  }
}

static void null_spaces(void **state)
{
  (void)state;
  for (int k = 0; k < 300; k++) {
    const size_t rows = 1 + (size_t)k % 5, n = 1 + (size_t)(k / 5) % 7, less = rows < n ? rows : n;
    const size_t wanted = 1 + (size_t)uniform(0.0, (double)less) % less;
    double a[35], copy[35], z[49], transposed[49], unit[49], image[35];
    size_t rank;
    of_rank(a, rows, n, wanted);
    memcpy(copy, a, sizeof a);
    assert_int_equal(amo_null_space(copy, rows, n, 1e-10, z, &rank), AMO_OK);
    assert_int_equal(rank, wanted);
    memcpy(transposed, z, sizeof z);
    amo_transpose(transposed, n);
    multiply(transposed, z, n, n, n, unit);
    for (size_t i = 0; i < n * n; i++) assert_near(unit[i], i / n == i % n, 1e-13);
    multiply(a, z, rows, n, n, image);
    for (size_t i = 0; i < rows; i++)
      for (size_t j = rank; j < n; j++) assert_near(image[i * n + j], 0.0, 1e-13);
  }
}

// A direction that the matrix only stretches comes first, and the rest is what the matrix does to what is normal to it.
static void turns(void **state)
{
  (void)state;
  double a[25], b[25], v[5], known[5], before = 0.0, after = 0.0;
  fill(a, 25), fill(v, 5);
  double square = 0.0, image[5];
  for (int i = 0; i < 5; i++) square += v[i] * v[i];
  multiply(a, v, 5, 5, 1, image);
  for (int i = 0; i < 25; i++) a[i] += (3.0 * v[i / 5] - image[i / 5]) * v[i % 5] / square;  // a v = 3 v
  memcpy(b, a, sizeof a), memcpy(known, v, sizeof v);
  assert_int_equal(amo_turn(b, 5, known, 1), AMO_OK);
  assert_near(b[0], 3.0, 1e-13);
  for (int i = 1; i < 5; i++) assert_near(b[5 * i], 0.0, 1e-13);
  for (int i = 0; i < 25; i++) before += a[i] * a[i], after += b[i] * b[i];
  assert_near(before, after, 1e-12);
}

// a x = w x and y* a = w y*.
static void eigenvectors(void **state)
{
  (void)state;
  for (int k = 0; k < 200; k++) {
    const size_t n = 1 + (size_t)k % 8;
    double a[64], copy[64], re[8], im[8], left[64], right[64];
    fill(a, n * n);
    memcpy(copy, a, sizeof a);
    assert_int_equal(amo_eigen(copy, n, re, im, left, right), AMO_OK);
    for (size_t i = 0; i < n; i++) {
      const bool pair = im[i] != 0.0;
      for (size_t r = 0; r < n; r++) {
        double complex x =
            -(re[i] + I * im[i]) * (right[i * n + r] + (pair ? I * right[(i + 1) * n + r] : 0.0));
        double complex y =
            -(re[i] + I * im[i]) * (left[i * n + r] - (pair ? I * left[(i + 1) * n + r] : 0.0));
        for (size_t c = 0; c < n; c++) {
          x += a[r * n + c] * (right[i * n + c] + (pair ? I * right[(i + 1) * n + c] : 0.0));
          y += a[c * n + r] * (left[i * n + c] - (pair ? I * left[(i + 1) * n + c] : 0.0));
        }
        assert_near(cabs(x), 0.0, 1e-12);
        assert_near(cabs(y), 0.0, 1e-12);
      }
      if (pair) assert_true(im[i] > 0.0);
      i += pair;
    }
  }
}

static void shifted(void **state)
{
  (void)state;
  for (int k = 0; k < 100; k++) {
    double a[25], part[10];
    amo_complex x[5], b[5], shift = uniform(-1, 1) + I * uniform(-1, 1);
    const bool adjoint = k % 2;
    fill(a, 25), fill(part, 10);
    for (int i = 0; i < 5; i++) x[i] = b[i] = part[i] + I * part[5 + i];
    assert_int_equal(amo_solve_shifted(a, 5, shift, adjoint, x), AMO_OK);
    for (int i = 0; i < 5; i++) {
      amo_complex sum = -b[i] - (adjoint ? conj(shift) : shift) * x[i];
      double size = 1.0;
      for (int j = 0; j < 5; j++) {
        sum += (adjoint ? a[5 * j + i] : a[5 * i + j]) * x[j];
        size += cabs(x[j]);
      }
      assert_true(cabs(sum) < 1e-14 * size);
    }
  }
}

/// Coefficients of (x - root_1)...(x - root_n).
static void multiply_out(const double *root, int n, double *c)
{
  for (int i = 0; i <= n; i++) c[i] = i == 0;
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i >= 0; i--) c[i] = (i > 0 ? c[i - 1] : 0.0) - root[k] * (i <= k ? c[i] : 0.0);
}

// Wilkinson's polynomial with its roots brought to [-1, 1]: all of them, each to what its coefficients tell. Roots outside do
// not count; double ones are found once.
static void polynomials(void **state)
{
  (void)state;
  double root[20], c[21], found[20];
  for (int n = 1; n <= 12; n++) {
    for (int k = 0; k < n; k++) root[k] = (2.0 * k + 1.0) / n - 1.0;
    multiply_out(root, n, c);
    assert_int_equal(amo_poly_zeros(c, n, found), n);
    for (int k = 0; k < n; k++) assert_near(found[k], root[k], 1e-16 * exp(2.2 * n));
  }
  for (int i = 0; i < 200; i++) {
    double inside[3];
    for (int k = 0; k < 3; k++) root[k] = inside[k] = -0.9 + 0.6 * k + uniform(0.0, 0.4);
    root[3] = uniform(1.1, 3.0), root[4] = -root[3] - 1.0;
    multiply_out(root, 5, c);
    assert_int_equal(amo_poly_zeros(c, 5, found), 3);
    for (int k = 0; k < 3; k++) assert_near(found[k], inside[k], 1e-12);
  }
  multiply_out((double[]){0.25, 0.25, -0.5}, 3, c);
  assert_int_equal(amo_poly_zeros(c, 3, found), 2);
  assert_near(found[0], -0.5, 1e-15);
  assert_near(found[1], 0.25, 1e-7);
}

// (s + 1)(s + 2)...(s + n): all determinants positive; one root moved over: not all.
static void hurwitz(void **state)
{
  (void)state;
  for (size_t n = 1; n <= 6; n++)
    for (int over = 0; over < 2; over++) {
      double m[36] = {0}, a[6], h[6];
      bool positive = true;
      for (size_t i = 0; i < n; i++) m[i * n + i] = over && i == 0 ? 0.5 : -1.0 - (double)i;
      assert_int_equal(amo_characteristic(m, n, a), AMO_OK);
      assert_int_equal(amo_hurwitz(a, n, h), AMO_OK);
      for (size_t i = 0; i < n; i++) positive &= h[i] > 0.0;
      assert_int_equal(positive, !over);
    }
}

// ---- along a line ----

static double cubic(double x, double root)
{
  return (x - root) * (x * x + 0.1);
}

static void halves(void **state)
{
  (void)state;
  for (int i = 0; i < 200; i++) {
    const double edge = i % 5 ? uniform(-1.0, 3.0) : 0.0;  // rounding of zero has no end
    amo_bracket k = {3.0, -1.0, 0};
    int looks = 0;
    for (double x; amo_bracket_next(&k, &x); looks++) *(x > edge ? &k.a : &k.b) = x;
    assert_true(k.b <= edge && k.a >= edge && looks <= 64);
    assert_true(k.a - k.b <= fmax(4.0 * DBL_EPSILON * fabs(edge), ldexp(4.0, -64)));
  }
}

static void zeros(void **state)
{
  (void)state;
  for (int kind = 0; kind < 3; kind++)
    for (int i = 0; i < 200; i++) {
      const double root = uniform(0.01, 0.99);
      amo_zero z = {.a = 0.0, .b = 1.0};
      int looks = 0;
      for (double x = 0.0;; looks++) {
        const double far = x - root;  // smooth; a jump; flat beside a wall
        const double f = kind == 0   ? cubic(x, root)
                         : kind == 1 ? (far < 0.0 ? -1.0 : 1.0)
                                     : expm1(40.0 * far);
        if (looks == 0) z.fa = f;
        if (looks == 1) z.fb = f;
        if (looks > 1 && f == 0.0) z.a = z.b = x;
        if (looks > 1 && f != 0.0) amo_zero_take(&z, x, f);
        x = 1.0;
        if (looks > 0 && (z.b - z.a < 1e-12 || !amo_zero_next(&z, &x))) break;
      }
      assert_true(z.a <= root && root <= z.b && z.b - z.a < 1e-12);
      assert_true(looks < (kind == 0 ? 30 : 170));
    }
}

static void valleys(void **state)
{
  (void)state;
  for (int corner = 0; corner < 2; corner++)
    for (int i = 0; i < 200; i++) {
      const double lowest = uniform(-0.9, 0.9), first = -1.0 + 2.0 * AMO_GOLDEN;
      int looks = 0;
      double x = first, f = corner ? fabs(x - lowest) : cosh(x - lowest);
      amo_valley v = amo_valley_of(-1.0, 1.0, x, f, 1e-8);
      for (; amo_valley_next(&v, &x); looks++)
        amo_valley_take(&v, x, corner ? fabs(x - lowest) : cosh(x - lowest));
      assert_near(v.best.x, lowest, 4e-8);
      assert_true(v.a <= lowest + 2e-8 && lowest <= v.b + 2e-8);
      assert_true(looks < (corner ? 90 : 40));
    }
}

// ---- Newton ----

typedef struct curve {  // x^2 + y^2 = 4, x y = 1, or atan x = 0, from which whole steps lead away
  bool arctangent;
  double f[2], d[4];
  int looks;
} curve;

static amo_status look(void *ctx, const double *x, double *size)
{
  curve *c = ctx;
  c->looks++;
  if (c->arctangent) {
    c->f[0] = atan(x[0]), c->d[0] = 1.0 / (1.0 + x[0] * x[0]);
    *size = fabs(c->f[0]);
    return fabs(x[0]) > 1e3 ? AMO_ENOANSWER : AMO_OK;
  }
  c->f[0] = x[0] * x[0] + x[1] * x[1] - 4.0, c->f[1] = x[0] * x[1] - 1.0;
  c->d[0] = 2 * x[0], c->d[1] = 2 * x[1], c->d[2] = x[1], c->d[3] = x[0];
  *size = hypot(c->f[0], c->f[1]);
  return AMO_OK;
}

static amo_status step(void *ctx, const double *x, double *move, double *length, double *size)
{
  const curve *c = ctx;
  const size_t n = c->arctangent ? 1 : 2;
  double d[4];
  (void)size;
  memcpy(d, c->d, sizeof d);
  for (size_t i = 0; i < n; i++) move[i] = -c->f[i];
  const amo_status st = amo_solve(d, n, move, 1);
  *length = fabs(move[0]) / (1.0 + fabs(x[0]));
  return st;
}

static void newton(void **state)
{
  (void)state;
  double x[2] = {2.0, 0.3}, work[4];
  curve c = {0};
  amo_newton p = {look, step, &c, .n = 2, .move = work, .trial = work + 2, .enough = 1e-13, .most = 9};
  assert_int_equal(amo_newton_solve(&p, x), AMO_OK);
  assert_near(x[0] * x[0] + x[1] * x[1], 4.0, 1e-12);
  assert_near(x[0] * x[1], 1.0, 1e-12);
  assert_int_equal(c.looks, p.steps + 1);
  x[0] = 2.0, x[1] = 0.3, p.most = 2;
  assert_int_equal(amo_newton_solve(&p, x), AMO_ENOANSWER);
  c = (curve){.arctangent = true};
  p = (amo_newton){look,           step,           &c,        .n = 1, .move = work, .trial = work + 2,
                   .enough = -1.0, .still = 1e-15, .most = 40};
  x[0] = 3.0;
  assert_int_equal(amo_newton_solve(&p, x), AMO_ENOANSWER);
  x[0] = 3.0, p.halvings = 10;
  assert_int_equal(amo_newton_solve(&p, x), AMO_OK);
  assert_near(x[0], 0.0, 1e-15);
}

// Case self-anh-rng, and the moments of many.
static void random_numbers(void **state)
{
  (void)state;
  static const double uniforms[] = {0.566561575172, 0.745781757263, 0.971002753587};
  static const double normals[] = {-0.0342673217919, -1.29260853324, -2.50006749337, 0.911466586409};
  amo_random r = {.state = 1}, other = {.state = 1}, many = {.state = 7};
  for (int i = 0; i < 3; i++) assert_near(amo_random_uniform(&r), uniforms[i], 1e-12);
  for (int i = 0; i < 4; i++) assert_near(amo_random_normal(&other), normals[i], 1e-11);
  double sum = 0.0, square = 0.0, fourth = 0.0;
  enum { COUNT = 100000 };
  for (int i = 0; i < COUNT; i++) {
    const double x = amo_random_normal(&many);
    sum += x, square += x * x, fourth += x * x * x * x;
  }
  assert_near(sum / COUNT, 0.0, 4.0 / sqrt(COUNT));
  assert_near(square / COUNT, 1.0, 4.0 * sqrt(2.0 / COUNT));
  assert_near(fourth / COUNT, 3.0, 4.0 * sqrt(96.0 / COUNT));
}

// Gauss's rule with n points is exact to degree 2n - 1 and no further; the powers of Legendre's polynomials are their values.
static void legendre(void **state)
{
  (void)state;
  for (size_t n = 1; n <= 12; n++) {
    double x[12], w[12], c[12][12] = {{0.0}}, sum[2] = {0.0, 0.0}, p[13];
    amo_gauss_points(n, x, w);
    for (size_t i = 0; i < n; i++)
      for (int k = 0; k < 2; k++) sum[k] += w[i] * pow(x[i], (double)(2 * n - 1 + (size_t)k));
    assert_near(sum[0], 1.0 / (2.0 * (double)n), 1e-14);
    assert_true(fabs(sum[1] - 1.0 / (2.0 * (double)n + 1.0)) > 1e-17 * pow(16.0, (double)(12 - n)));
    double flat[12 * 12] = {0.0};
    amo_legendre_powers(n, flat);
    for (size_t k = 0; k < n; k++)
      for (size_t j = 0; j < n; j++) c[k][j] = flat[k * n + j];
    amo_legendre_values(2.0 * 0.3 - 1.0, n, p);
    for (size_t j = 0; j < n; j++) {
      double value = 0.0;
      for (size_t k = n; k-- > 0;) value = value * 0.3 + c[k][j];
      assert_near(value, p[j], 1e-11);
    }
  }
}

static void values_together(void **state)
{
  (void)state;
  const double c[] = {0.3, 9.0, -1.7, 9.0, 0.4, 9.0, 2.2, 9.0};
  double x[7], out[14];
  for (int i = 0; i < 7; i++) x[i] = 0.13 * i - 0.2;
  amo_poly_values(c, 2, 3, x, 7, out, 2);
  for (int i = 0; i < 7; i++) assert_true(out[2 * i] == amo_poly_value(c, 2, 3, x[i]));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(solves),         cmocka_unit_test(solves_in_any_units),
      cmocka_unit_test(knows_singular), cmocka_unit_test(inverts),
      cmocka_unit_test(determinants),   cmocka_unit_test(definite),
      cmocka_unit_test(penrose),        cmocka_unit_test(null_spaces),
      cmocka_unit_test(turns),          cmocka_unit_test(eigenvectors),
      cmocka_unit_test(shifted),        cmocka_unit_test(polynomials),
      cmocka_unit_test(hurwitz),        cmocka_unit_test(halves),
      cmocka_unit_test(zeros),          cmocka_unit_test(valleys),
      cmocka_unit_test(newton),         cmocka_unit_test(random_numbers),
      cmocka_unit_test(legendre),       cmocka_unit_test(values_together),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
