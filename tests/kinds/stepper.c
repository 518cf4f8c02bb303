// SPDX-License-Identifier: Apache-2.0
/// Time stepping of a mass in space with contacts of any kind, as a second method: small steps, and in each one problem of
/// impulses for all contacts together, solved by projected Gauss-Seidel. Nothing is located, no mode is chosen.
///
///   M (u+ - u-) = h F(t) + sum (n P + W Q)
///   guide n.u+ = 0; support, where closed, n.u+ + e n.u- >= 0, P >= 0, one of them zero; pressed P given;
///   compliant P = -h (c g + d g'), of a support only while it is closed and never pulling; |Q| <= mu |P|, against W.u+
///
/// Reads from standard input: three masses; three times the constant, amplitude and frequency of a force; three places, three
/// velocities; the number of contacts, and for each of them its kind (pressed, guide, support), normal (3) and offset (gap = n.q -
/// offset), number of slip rows (1 or 2) and two of them (3 each), mu, restitution, given normal force, stiffness, damping;
/// until, step. Prints places and velocities at the end.
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 8, SWEEPS = 5000 };

typedef struct {
  char kind[16];
  double n[3], offset;
  int rows;
  double w[2][3];
  double mu, restitution, press, stiffness, damping;
  double before;              // gap rate at the beginning of the step
  double normal, tangent[2];  // impulses; first guess of the next step
  bool given;                 // the normal impulse is known in this step
} contact;

typedef struct {
  double mass[3], force[3][3], q[3], u[3];
  contact contact[MOST];
  int contacts;
  double until, step;
} scene;

static bool numbers(double *out, int count)
{
  for (int i = 0; i < count; i++)
    if (scanf("%lf", &out[i]) != 1) return false;
  return true;
}

static bool read_scene(scene *s)
{
  if (!numbers(s->mass, 3) || !numbers(s->force[0], 9) || !numbers(s->q, 3) || !numbers(s->u, 3))
    return false;
  if (scanf("%d", &s->contacts) != 1 || s->contacts > MOST) return false;
  for (int k = 0; k < s->contacts; k++) {
    contact *c = &s->contact[k];
    double values[5];
    if (scanf("%15s", c->kind) != 1 || !numbers(c->n, 3) || !numbers(&c->offset, 1)) return false;
    if (scanf("%d", &c->rows) != 1 || !numbers(c->w[0], 6) || !numbers(values, 5)) return false;
    c->mu = values[0], c->restitution = values[1], c->press = values[2], c->stiffness = values[3],
    c->damping = values[4];
  }
  return numbers(&s->until, 1) && numbers(&s->step, 1) && s->step > 0;
}

static double dot(const double *a, const double *b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void push(scene *s, const double *row, double impulse)
{
  for (int i = 0; i < 3; i++) s->u[i] += row[i] * impulse / s->mass[i];
}

static double yields(const scene *s, const double *row)
{
  return row[0] * row[0] / s->mass[0] + row[1] * row[1] / s->mass[1] + row[2] * row[2] / s->mass[2];
}

/// Is the contact there in this step? Sets what is known of its normal impulse.
static bool closed(const scene *s, contact *c)
{
  double gap = dot(c->n, s->q) - c->offset;
  bool support = !strcmp(c->kind, "support");
  c->before = dot(c->n, s->u);
  c->given = !strcmp(c->kind, "pressed") || c->stiffness > 0;
  if (support && gap > 0) {
    c->normal = c->tangent[0] = c->tangent[1] = 0;
    return false;
  }
  if (!c->given) return true;
  c->normal = s->step * c->press;
  if (c->stiffness > 0) c->normal = -s->step * (c->stiffness * gap + c->damping * c->before);
  if (support) c->normal = fmax(0, c->normal);
  return true;
}

static double sweep(scene *s, contact *c)
{
  double change = 0;
  if (!c->given) {
    bool support = !strcmp(c->kind, "support");
    double rate = dot(c->n, s->u) + (support ? c->restitution * c->before : 0);
    double normal = c->normal - rate / yields(s, c->n);
    if (support) normal = fmax(0, normal);
    change = fabs(normal - c->normal);
    push(s, c->n, normal - c->normal), c->normal = normal;
  }
  double bound = c->mu * fabs(c->normal), stiff = 0, next[2] = {0, 0};
  for (int k = 0; k < c->rows; k++) stiff = fmax(stiff, yields(s, c->w[k]));
  for (int k = 0; k < c->rows; k++) next[k] = c->tangent[k] - dot(c->w[k], s->u) / stiff;
  double size = hypot(next[0], next[1]);
  for (int k = 0; k < c->rows; k++) {
    if (size > bound) next[k] *= bound / size;
    change += fabs(next[k] - c->tangent[k]);
    push(s, c->w[k], next[k] - c->tangent[k]), c->tangent[k] = next[k];
  }
  return change;
}

static void step(scene *s, double t)
{
  double h = s->step;
  for (int i = 0; i < 3; i++) s->q[i] += h / 2 * s->u[i];
  contact *active[MOST];
  int count = 0;
  for (int k = 0; k < s->contacts; k++)
    if (closed(s, &s->contact[k])) active[count++] = &s->contact[k];
  for (int i = 0; i < 3; i++)
    s->u[i] += h * (s->force[i][0] + s->force[i][1] * sin(s->force[i][2] * (t + h / 2))) / s->mass[i];
  for (int k = 0; k < count; k++) {
    push(s, active[k]->n, strcmp(active[k]->kind, "pressed") ? active[k]->normal : 0);
    for (int i = 0; i < active[k]->rows; i++) push(s, active[k]->w[i], active[k]->tangent[i]);
  }
  for (int k = 0; k < SWEEPS && count; k++) {
    double change = 0;
    for (int i = 0; i < count; i++) change += sweep(s, active[i]);
    if (change <= 1e-13 * h / 1e-4) break;
  }
  for (int i = 0; i < 3; i++) s->q[i] += h / 2 * s->u[i];
}

int main(void)
{
  static scene s;
  if (!read_scene(&s)) {
    fprintf(stderr, "stepper: the scene cannot be read\n");
    return 2;
  }
  long steps = lround(s.until / s.step);
  for (long k = 0; k < steps; k++) step(&s, (double)k * s.step);
  printf("%.12g %.12g %.12g %.12g %.12g %.12g\n", s.q[0], s.q[1], s.q[2], s.u[0], s.u[1], s.u[2]);
  return 0;
}
