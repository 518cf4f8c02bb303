// SPDX-License-Identifier: Apache-2.0
/// Most room in a set of half planes: random problems against all their corners.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/near.h"

#include "num/programme.h"

enum { ROWS = 6 };

static uint64_t seed = 88172645463325252u;
static double uniform(double lo, double hi)
{
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return lo + (hi - lo) * (double)(seed >> 11) / 9007199254740992.0;
}

static double room_at(const double *a, const double *b, double most, double y, double z)
{
  double room = most;
  for (int i = 0; i < ROWS; i++) room = fmin(room, b[i] - a[2 * i] * y - a[2 * i + 1] * z);
  return room;
}

/// The best corner: three of the conditions (one of them may be room <= most) hold with equality.
static double best_corner(const double *a, const double *b, double most)
{
  double best = -INFINITY;
  for (int i = 0; i <= ROWS; i++)
    for (int j = 0; j < i; j++)
      for (int k = 0; k < j; k++) {
        const int row[3] = {i, j, k};
        double m[3][4];
        for (int r = 0; r < 3; r++) {
          bool top = row[r] == ROWS;
          m[r][0] = top ? 0.0 : a[2 * row[r]];
          m[r][1] = top ? 0.0 : a[2 * row[r] + 1];
          m[r][2] = 1.0;
          m[r][3] = top ? most : b[row[r]];
        }
        double y[3], det = 0.0;
        for (int c = 0; c < 3; c++)
          det += m[0][c] * (m[1][(c + 1) % 3] * m[2][(c + 2) % 3] - m[1][(c + 2) % 3] * m[2][(c + 1) % 3]);
        if (fabs(det) < 1e-9) continue;
        for (int c = 0; c < 3; c++) {
          double n[3][3];
          for (int r = 0; r < 3; r++)
            for (int s = 0; s < 3; s++) n[r][s] = s == c ? m[r][3] : m[r][s];
          y[c] = 0.0;
          for (int s = 0; s < 3; s++)
            y[c] += n[0][s] * (n[1][(s + 1) % 3] * n[2][(s + 2) % 3] - n[1][(s + 2) % 3] * n[2][(s + 1) % 3]);
          y[c] /= det;
        }
        if (y[2] <= room_at(a, b, most, y[0], y[1]) + 1e-9) best = fmax(best, y[2]);
      }
  return best;
}

/// The conditions named as tight hold with equality, and without any of them there is more room.
static void check_tight(const double *a, const double *b, double most, const double *y, double room,
                        const size_t *tight, size_t count)
{
  assert_true(count > 0);
  for (size_t e = 0; e < count; e++) {
    const size_t i = tight[e];
    assert_near(i < ROWS ? b[i] - a[2 * i] * y[0] - a[2 * i + 1] * y[1] : most, room, 1e-9);
    if (i == ROWS) continue;
    double looser[ROWS];
    for (int k = 0; k < ROWS; k++) looser[k] = b[k] + (k == (int)i ? 1e-3 : 0.0);
    assert_true(best_corner(a, looser, most) > room + 1e-13);
  }
}

static void corners(void **state)
{
  (void)state;
  double *work = calloc(amo_room_work(ROWS, 2), sizeof *work);
  size_t *basis = calloc(amo_room_basis(ROWS, 2), sizeof *basis), tight[3], count;
  for (int trial = 0; trial < 5000; trial++) {
    double a[2 * ROWS], b[ROWS], y[2], room;
    for (int i = 0; i < 2 * ROWS; i++) a[i] = uniform(-1, 1);
    for (int i = 0; i < ROWS; i++) b[i] = uniform(-1, 1);
    room = amo_most_room(&(amo_room){ROWS, 2, a, b, 10.0, work, basis, NULL}, y, tight, &count);
    assert_near(room_at(a, b, 10.0, y[0], y[1]), room, 1e-9);
    assert_near(room, best_corner(a, b, 10.0), 1e-8);
    check_tight(a, b, 10.0, y, room, tight, count);
  }
  free(work);
  free(basis);
}

/// Of random half planes that leave something the least point: by the conditions for it.
static void least_points(void **state)
{
  (void)state;
  double *work = calloc(amo_least_work(ROWS, 2), sizeof *work);
  for (int trial = 0; trial < 3000; trial++) {
    double a[2 * ROWS], b[ROWS], y[2], q[4], c[2], most = 0.0;
    size_t bound[2], count;
    const double inside[2] = {uniform(-1, 1), uniform(-1, 1)}, p = uniform(0.2, 2), r = uniform(-0.4, 0.4);
    for (int i = 0; i < 2 * ROWS; i++) a[i] = uniform(-1, 1);
    for (int i = 0; i < ROWS; i++) b[i] = a[2 * i] * inside[0] + a[2 * i + 1] * inside[1] + uniform(0, 0.3);
    q[0] = p, q[1] = q[2] = r * p, q[3] = uniform(0.5, 2) * p;
    c[0] = uniform(-2, 2), c[1] = uniform(-2, 2);
    assert_true(amo_least_point(&(amo_least){ROWS, 2, a, b, q, c, work}, y, bound, &count));
    // no condition is broken, and what the slope of the sum pushes against are those that bind it
    double slope[2] = {q[0] * y[0] + q[1] * y[1] + c[0], q[2] * y[0] + q[3] * y[1] + c[1]}, u[2] = {0, 0};
    for (int i = 0; i < ROWS; i++) most = fmax(most, a[2 * i] * y[0] + a[2 * i + 1] * y[1] - b[i]);
    assert_true(most < 1e-9);
    const double *x = a + 2 * bound[0], *z = a + 2 * bound[1];
    if (count == 1) u[0] = -(slope[0] * x[0] + slope[1] * x[1]) / (x[0] * x[0] + x[1] * x[1]);
    if (count == 2) {
      const double det = x[0] * z[1] - x[1] * z[0];
      u[0] = -(slope[0] * z[1] - slope[1] * z[0]) / det;
      u[1] = -(x[0] * slope[1] - x[1] * slope[0]) / det;
    }
    for (size_t e = 0; e < count; e++) {
      assert_true(u[e] > -1e-9);
      for (int j = 0; j < 2; j++) slope[j] += u[e] * a[2 * bound[e] + (size_t)j];
    }
    assert_true(fabs(slope[0]) < 1e-7 && fabs(slope[1]) < 1e-7);
  }
  free(work);
}

static void without_freedom(void **state)
{
  (void)state;
  double b[] = {3.0, -1.0, 2.0}, room, y[1], work[64];
  size_t basis[8], tight[1], count;
  assert_true(amo_room_work(3, 0) <= 64 && amo_room_basis(3, 0) <= 8);
  room = amo_most_room(&(amo_room){3, 0, NULL, b, 10.0, work, basis, NULL}, y, tight, &count);
  assert_near(room, -1.0, 0.0);
  assert_int_equal(count, 1);
  assert_int_equal(tight[0], 1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(corners), cmocka_unit_test(least_points),
                                     cmocka_unit_test(without_freedom)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
