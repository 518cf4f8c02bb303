// SPDX-License-Identifier: Apache-2.0
/// Simplex method on the tableau. Problems have a handful of rows.
#include "num/programme.h"

#include <math.h>

#include "num/rounding.h"
#include "num/solve.h"

/// Rows 0..rows-1: conditions, row `rows`: what is gained per unit. Columns: y+, y-, t - t0, slacks, right side.
typedef struct tableau {
  size_t rows, columns;
  double *x;
  size_t *basis;
} tableau;

static tableau shape(size_t rows, size_t n)
{
  return (tableau){.rows = rows + 1, .columns = 2 * n + 1 + rows + 1};
}

size_t amo_room_work(size_t rows, size_t n)
{
  const tableau t = shape(rows, n);
  return (t.rows + 1) * (t.columns + 1);
}

size_t amo_room_basis(size_t rows, size_t n)
{
  return shape(rows, n).rows + 1;
}

static double *at(const tableau *t, size_t row, size_t column)
{
  return &t->x[row * (t->columns + 1) + column];
}

static void pivot(tableau *t, size_t row, size_t column)
{
  double p = *at(t, row, column);
  for (size_t j = 0; j <= t->columns; j++) *at(t, row, j) /= p;
  for (size_t i = 0; i <= t->rows; i++) {
    double f = *at(t, i, column);
    if (i == row || f == 0.0) continue;
    for (size_t j = 0; j <= t->columns; j++) *at(t, i, j) -= f * *at(t, row, j);
    *at(t, i, column) = 0.0;
    if (i < t->rows && *at(t, i, t->columns) < 0.0) *at(t, i, t->columns) = 0.0;  // rounding
  }
  t->basis[row] = column;
}

/// The variable with the most gain; late in the game the first with any (Bland), so that it ends. columns: none.
static size_t entering(const tableau *t, bool late)
{
  size_t column = t->columns;
  double most = AMO_BORDER;
  for (size_t j = 0; j < t->columns; j++) {
    if (!(*at(t, t->rows, j) > most)) continue;
    column = j;
    if (late) break;
    most = *at(t, t->rows, j);
  }
  return column;
}

/// Of rows that end the growth together the one with the largest entry: small ones are rounding, or make it grow.
static size_t leaving(const tableau *t, size_t column)
{
  size_t row = t->rows;
  double least = INFINITY;
  for (size_t i = 0; i < t->rows; i++) {
    const double d = *at(t, i, column), rest = *at(t, i, t->columns);
    if (!(d > AMO_BORDER)) continue;
    const double off = rest / d - least;
    if (off > AMO_CANCELLED || (off > -AMO_CANCELLED && d <= *at(t, row, column))) continue;
    least = fmin(least, rest / d);
    row = i;
  }
  return row;
}

/// One exchange; false at the optimum, or where the gain has no end.
static bool improve(tableau *t, bool late)
{
  const size_t column = entering(t, late), row = column < t->columns ? leaving(t, column) : t->rows;
  if (row == t->rows) return false;
  pivot(t, row, column);
  return true;
}

/// y = 0 with the room it has; returns that.
static double begin(const amo_room *p, tableau *t)
{
  const size_t n = p->n;
  double start = p->most;
  for (size_t i = 0; i < p->rows; i++)
    if (p->held == NULL || !p->held[i]) start = fmin(start, p->b[i]);
  for (size_t i = 0; i < (t->rows + 1) * (t->columns + 1); i++) t->x[i] = 0.0;
  for (size_t i = 0; i < t->rows; i++) {
    for (size_t j = 0; i < p->rows && j < n; j++) {
      *at(t, i, j) = p->a[i * n + j];
      *at(t, i, n + j) = -p->a[i * n + j];
    }
    const bool held = p->held != NULL && i < p->rows && p->held[i];
    *at(t, i, 2 * n) = held ? 0.0 : 1.0;
    *at(t, i, 2 * n + 1 + i) = 1.0;
    *at(t, i, t->columns) = held ? fmax(p->b[i], 0.0) : (i < p->rows ? p->b[i] : p->most) - start;
    t->basis[i] = 2 * n + 1 + i;
  }
  *at(t, t->rows, 2 * n) = 1.0;
  return start;
}

static bool in_basis(const tableau *t, size_t column)
{
  for (size_t i = 0; i < t->rows; i++)
    if (t->basis[i] == column) return true;
  return false;
}

/// Conditions whose slack would cost room.
static size_t list_tight(const tableau *t, size_t n, size_t *tight)
{
  size_t count = 0;
  for (size_t i = 0; i < t->rows && count <= n; i++)
    if (!in_basis(t, 2 * n + 1 + i) && *at(t, t->rows, 2 * n + 1 + i) < -AMO_BORDER) tight[count++] = i;
  return count;
}

double amo_most_room(const amo_room *p, double *y, size_t *tight, size_t *count)
{
  const size_t n = p->n;
  tableau t = shape(p->rows, n);
  t.x = p->work;
  t.basis = p->basis;
  double room = begin(p, &t);
  for (size_t steps = 0; steps < 1000 && improve(&t, steps > 100); steps++) {}
  for (size_t j = 0; j < n; j++) y[j] = 0.0;
  for (size_t i = 0; i < t.rows; i++) {
    double value = *at(&t, i, t.columns);
    if (t.basis[i] < n) y[t.basis[i]] += value;
    if (t.basis[i] >= n && t.basis[i] < 2 * n) y[t.basis[i] - n] -= value;
    if (t.basis[i] == 2 * n) room += value;
  }
  if (tight != NULL) *count = list_tight(&t, n, tight);
  return room;
}

// ---- the least point ----

/// As a problem of least squares with u >= 0 (Lawson and Hanson): rows of size 1 in the metric of Q, violated by d at the point
/// without conditions; K = a Q^-1 a' + d d', least u'Ku/2 - d'u. The point follows from u/(1 - d'u).
typedef struct dual {
  size_t rows, count;
  double *k, *d, *u, *scale, *matrix, *s;
  double size;  // of d before
  size_t *in;
} dual;

size_t amo_least_work(size_t rows, size_t n)
{
  return 2 * n * n + rows * n + 2 * rows * rows + 4 * rows;
}

static double product(const double *x, const double *y, size_t n)
{
  double sum = 0.0;
  for (size_t i = 0; i < n; i++) sum += x[i] * y[i];
  return sum;
}

static bool set_up(const amo_least *p, dual *m, double *inverse, double *y, double *qa)
{
  const size_t n = p->n, r = m->rows;
  for (size_t i = 0; i < n * n; i++) inverse[n * n + i] = p->q[i];
  if (amo_invert(inverse + n * n, n, inverse) != AMO_OK) return false;
  for (size_t j = 0; j < n; j++) y[j] = -product(inverse + j * n, p->c, n);
  for (size_t i = 0; i < r; i++) {
    const double *a = p->a + i * n;
    for (size_t j = 0; j < n; j++) qa[i * n + j] = product(inverse + j * n, a, n);
    const double own = product(a, qa + i * n, n);
    m->scale[i] = own > 0.0 ? 1.0 / sqrt(own) : 0.0;
    m->d[i] = (product(a, y, n) - p->b[i]) * m->scale[i];
    m->u[i] = 0.0;
    m->size = fmax(m->size, fabs(m->d[i]));
  }
  for (size_t i = 0; m->size > 0.0 && i < r; i++) m->d[i] /= m->size;
  for (size_t i = 0; i < r; i++)
    for (size_t k = 0; k < r; k++)
      m->k[i * r + k] = product(p->a + i * n, qa + k * n, n) * m->scale[i] * m->scale[k] + m->d[i] * m->d[k];
  return true;
}

/// The condition that is violated most; rows: none.
static size_t most_violated(const dual *m)
{
  double most = AMO_NOTHING;
  size_t which = m->rows;
  for (size_t i = 0; i < m->rows; i++) {
    const double w = m->d[i] - product(m->k + i * m->rows, m->u, m->rows);
    if (m->u[i] > 0.0 || !(w > most)) continue;
    most = w;
    which = i;
  }
  return which;
}

/// Multipliers of those that are in, as equations; back to where one of them vanishes, which leaves. False: dependent.
static bool settle(dual *m)
{
  while (m->count > 0) {
    double step = 1.0;
    size_t kept = 0;
    for (size_t i = 0; i < m->count; i++) {
      m->s[i] = m->d[m->in[i]];
      for (size_t k = 0; k < m->count; k++) m->matrix[i * m->count + k] = m->k[m->in[i] * m->rows + m->in[k]];
    }
    if (amo_solve(m->matrix, m->count, m->s, 1) != AMO_OK) return false;
    for (size_t i = 0; i < m->count; i++) {
      const double u = m->u[m->in[i]];
      if (!(m->s[i] > 0.0)) step = fmin(step, u > 0.0 ? u / (u - m->s[i]) : 0.0);
    }
    for (size_t i = 0; i < m->count; i++) {
      double *u = &m->u[m->in[i]];
      *u += step * (m->s[i] - *u);
      if (!(m->s[i] > 0.0) && !(*u > AMO_LAST_DIGITS * fabs(m->s[i])))
        *u = 0.0;
      else
        m->in[kept++] = m->in[i];
    }
    if (step == 1.0) return true;
    if (kept == m->count) return false;
    m->count = kept;
  }
  return true;
}

bool amo_least_point(const amo_least *p, double *y, size_t *bound, size_t *count)
{
  enum { MOST = 128 };
  const size_t n = p->n, r = p->rows;
  size_t in[MOST];
  if (r > MOST) return false;
  double *inverse = p->work, *qa = inverse + 2 * n * n;
  dual m = {.rows = r, .k = qa + r * n, .in = in};
  m.matrix = m.k + r * r;
  m.d = m.matrix + r * r;
  m.u = m.d + r;
  m.scale = m.u + r;
  m.s = m.scale + r;
  if (!set_up(p, &m, inverse, y, qa)) return false;
  size_t next = most_violated(&m);
  for (size_t pass = 0; next < r && pass < 4 * r + 4; pass++, next = most_violated(&m)) {
    m.in[m.count++] = next;
    if (m.count > n + 1 || !settle(&m)) return false;
  }
  const double left = 1.0 - product(m.d, m.u, r);
  if (!(left > AMO_NOTHING)) return false;
  *count = 0;
  for (size_t i = 0; i < m.count && *count < n; i++) bound[(*count)++] = m.in[i];
  for (size_t i = 0; i < r; i++)
    for (size_t j = 0; j < n; j++) y[j] -= m.size * m.u[i] * m.scale[i] / left * qa[i * n + j];
  return true;
}

// ---- the best point ----

size_t amo_best_work(size_t rows, size_t n)
{
  const size_t room = amo_room_work(rows, n), least = amo_least_work(rows, n);
  return (room > least ? room : least) + rows + (n + 1) * (n + 1) + n + 1;
}

/// Is row i of the equations independent of those before? It is kept then, and orthogonal to them.
static void keep_equation(const amo_room *p, size_t i, double *kept, size_t *equation, size_t *count)
{
  const size_t n = p->n, width = n + 1;
  double *row = kept + *count * width;
  for (size_t k = 0; k < n; k++) row[k] = i < p->rows ? p->a[i * n + k] : 0.0;
  row[n] = 1.0;
  const double size = product(row, row, width);
  for (size_t e = 0; e < *count; e++) {
    const double *x = kept + e * width, along = product(row, x, width);
    if (equation[e] == i) return;
    for (size_t k = 0; k < width; k++) row[k] -= along * x[k];
  }
  const double left = product(row, row, width);
  if (!(left > AMO_ROUGH * size)) return;
  for (size_t k = 0; k < width; k++) row[k] /= sqrt(left);
  equation[(*count)++] = i;
}

/// y'Qy/2 + c'y
static double half_square(const amo_best *p, const double *y)
{
  const size_t n = p->room.n;
  double sum = product(p->c, y, n);
  for (size_t k = 0; k < n; k++) sum += 0.5 * y[k] * product(p->q + k * n, y, n);
  return sum;
}

/// Does y satisfy a_i . y <= left_i? Where Q is nearly singular the least point may miss by more than rounding.
static bool is_within(const amo_room *p, const double *left, const double *y)
{
  for (size_t i = 0; i < p->rows; i++)
    if (!(product(p->a + i * p->n, y, p->n) <= left[i] + AMO_ROUGH)) return false;
  return true;
}

double amo_best_point(const amo_best *p, double *y, double *least, size_t *equation, size_t *count,
                      size_t *tight)
{
  const amo_room *m = &p->room;
  const size_t n = m->n;
  size_t *bound = m->basis, bounds = 0;
  const double room = amo_most_room(m, y, equation, tight);
  double *left = m->work + amo_best_work(m->rows, n) - m->rows, *kept = left - (n + 1) * (n + 2);
  for (size_t i = 0; i < m->rows; i++)  // as well as y has it: less is rounding
    left[i] = fmax(m->b[i] - room, product(m->a + i * n, y, n));
  for (size_t k = 0; k < n; k++) kept[k] = y[k];
  const bool found =
      amo_least_point(&(amo_least){m->rows, n, m->a, left, p->q, p->c, m->work}, y, bound, &bounds);
  *least = half_square(p, y);
  if (!found || !is_within(m, left, y))
    for (size_t k = 0; k < n; k++) y[k] = kept[k];  // any that has most room
  *count = 0;
  for (size_t i = 0; i < *tight; i++) keep_equation(m, equation[i], kept, equation, count);
  *tight = *count;
  for (size_t i = 0; i < bounds && *count <= n; i++) keep_equation(m, bound[i], kept, equation, count);
  return room;
}
