// SPDX-License-Identifier: Apache-2.0
/// Time stepping of planar scenes, as a second method: Moreau and Jean's midpoint scheme. Nothing is located: in every step
/// the contacts that are closed at its middle share one problem of impulses, solved by projected Gauss-Seidel.
///
///   M (u+ - u-) = h F + sum (n P + w Q),  n.u+ + e n.u- >= 0, P >= 0, one of them zero;  |Q| <= mu P, against w.u+
///
/// Reads a scene from standard input, one item a line (angles in radians, body -1 is the ground):
///   gravity GX GY | shake A W                          all points and lines of the ground move up by A sin(W t)
///   body M J X Y PHI VX VY OMEGA
///   point BODY A B  BASE PX PY ANGLE  MU E             a point of BODY above a line of BASE
///   disc BODY RADIUS  BASE PX PY ANGLE  MU E           a disc about the centre of BODY above a line of BASE
///   pair BODY RADIUS  BODY RADIUS  MU E                two discs
///   edge BODY A B  X Y  MU E                           a point of BODY outside the table x <= X, y <= Y
///   post BODY A B  X Y  MU E                           a box of half sizes A, B outside the point X, Y of the ground
///   segment BODY A B  BASE PX PY QX QY  MU E           a point of BODY above the segment PQ of BASE, not beside or under it
///   gone T                                             the contact before this is taken away at time T
///   run UNTIL STEP
/// and prints the state of every body at the end, one a line.
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double TOUCHES =
    1e-12;  // a gap that is rounding of places: bodies put down side by side touch [m]
static const double OVERLAP = 1e-7;  // what is left of the overlap that a step makes [m]
enum { MOST_BODIES = 64, MOST_CONTACTS = 512, SWEEPS = 2000 };

typedef struct {
  double mass, inertia;
  double q[3], u[3];  // place and angle; velocities
} body;

typedef enum { POINT, DISC, PAIR, EDGE, POST, SEGMENT } shape;

typedef struct {
  shape shape;
  int one, two;          // the body above, the base; -1: ground
  double a, b;           // point in the axes of `one`; a: radius of its disc
  double px, py, angle;  // line in the axes of the base; px: radius of its disc
  double mu, restitution;
  double gone;    // from this time on it is not there
  double length;  // of a segment
  double along;   // place on it
  bool under;     // came from beside, below it
  double gap;
  double n[2][3], w[2][3];  // d gap rate / d velocities, d slip / d velocities, of both bodies
  double drift_n, drift_w;  // what a moving ground adds to gap rate and slip
  double before;            // gap rate at the beginning of the step
  double normal, tangent;   // impulses; kept as the first guess of the next step
} contact;

typedef struct {
  body body[MOST_BODIES];
  contact contact[MOST_CONTACTS];
  int bodies, contacts;
  double gravity[2], amplitude, frequency, until, step;
} scene;

static bool read_contact(const char *what, contact *c)
{
  if (!strcmp(what, "point")) {
    c->shape = POINT;
    return scanf("%d %lf %lf %d %lf %lf %lf %lf %lf", &c->one, &c->a, &c->b, &c->two, &c->px, &c->py,
                 &c->angle, &c->mu, &c->restitution) == 9;
  }
  if (!strcmp(what, "disc")) {
    c->shape = DISC;
    return scanf("%d %lf %d %lf %lf %lf %lf %lf", &c->one, &c->a, &c->two, &c->px, &c->py, &c->angle, &c->mu,
                 &c->restitution) == 8;
  }
  if (!strcmp(what, "pair")) {
    c->shape = PAIR;
    return scanf("%d %lf %d %lf %lf %lf", &c->one, &c->a, &c->two, &c->px, &c->mu, &c->restitution) == 6;
  }
  if (!strcmp(what, "segment")) {
    double qx, qy;
    c->shape = SEGMENT;
    if (scanf("%d %lf %lf %d %lf %lf %lf %lf %lf %lf", &c->one, &c->a, &c->b, &c->two, &c->px, &c->py, &qx,
              &qy, &c->mu, &c->restitution) != 10)
      return false;
    c->angle = atan2(qy - c->py, qx - c->px), c->length = hypot(qx - c->px, qy - c->py);
    return true;
  }
  c->shape = strcmp(what, "edge") ? POST : EDGE;
  return scanf("%d %lf %lf %lf %lf %lf %lf", &c->one, &c->a, &c->b, &c->px, &c->py, &c->mu,
               &c->restitution) == 7;
}

static bool read_scene(scene *s)
{
  char what[16];
  while (scanf("%15s", what) == 1) {
    contact c = {.one = -1, .two = -1, .gone = INFINITY};
    if (!strcmp(what, "gravity")) {
      if (scanf("%lf %lf", &s->gravity[0], &s->gravity[1]) != 2) return false;
    } else if (!strcmp(what, "shake")) {
      if (scanf("%lf %lf", &s->amplitude, &s->frequency) != 2) return false;
    } else if (!strcmp(what, "gone")) {
      if (!s->contacts || scanf("%lf", &s->contact[s->contacts - 1].gone) != 1) return false;
    } else if (!strcmp(what, "run")) {
      if (scanf("%lf %lf", &s->until, &s->step) != 2) return false;
    } else if (!strcmp(what, "body")) {
      body b;
      if (s->bodies == MOST_BODIES || scanf("%lf %lf %lf %lf %lf %lf %lf %lf", &b.mass, &b.inertia, &b.q[0],
                                            &b.q[1], &b.q[2], &b.u[0], &b.u[1], &b.u[2]) != 8)
        return false;
      s->body[s->bodies++] = b;
    } else {
      bool got = read_contact(what, &c);
      if (!got || s->contacts == MOST_CONTACTS || c.one >= s->bodies || c.two >= s->bodies) return false;
      s->contact[s->contacts++] = c;
    }
  }
  return s->step > 0;
}

/// A point of a body (of the ground, at height `lift`) in space.
static void place(const scene *s, int which, double a, double b, double lift, double out[2])
{
  if (which < 0) {
    out[0] = a, out[1] = b + lift;
    return;
  }
  const double *q = s->body[which].q, c = cos(q[2]), d = sin(q[2]);
  out[0] = q[0] + c * a - d * b, out[1] = q[1] + d * a + c * b;
}

/// The row of d (direction . velocity of a point at p of the body) / d velocities.
static void row(const scene *s, int which, const double p[2], const double direction[2], double sign,
                double out[3])
{
  out[0] = out[1] = out[2] = 0;
  if (which < 0) return;
  const double *q = s->body[which].q;
  out[0] = sign * direction[0], out[1] = sign * direction[1];
  out[2] = sign * ((p[0] - q[0]) * direction[1] - (p[1] - q[1]) * direction[0]);
}

/// Gap and rows at the present places, the ground at height `lift` with velocity `rate`.
static void look(const scene *s, contact *c, double lift, double rate)
{
  double p[2], t[2], n[2], base[2];
  if (c->shape == PAIR) {
    const double *x = s->body[c->one].q, *y = s->body[c->two].q;
    double far = hypot(x[0] - y[0], x[1] - y[1]);
    n[0] = (x[0] - y[0]) / far, n[1] = (x[1] - y[1]) / far;
    t[0] = n[1], t[1] = -n[0];
    c->gap = far - c->a - c->px;
    p[0] = y[0] + c->px * n[0], p[1] = y[1] + c->px * n[1];
  } else if (c->shape == EDGE) {
    place(s, c->one, c->a, c->b, lift, p);
    bool top = p[1] - c->py - lift >= p[0] - c->px;
    n[0] = top ? 0 : 1, n[1] = top ? 1 : 0;
    t[0] = n[1], t[1] = -n[0];
    c->gap = top ? p[1] - c->py - lift : p[0] - c->px;
  } else if (c->shape == POST) {
    const double *q = s->body[c->one].q, cs = cos(q[2]), sn = sin(q[2]);
    place(s, -1, c->px, c->py, lift, p);
    double u = cs * (p[0] - q[0]) + sn * (p[1] - q[1]), v = cs * (p[1] - q[1]) - sn * (p[0] - q[0]);
    bool side = fabs(u) - c->a > fabs(v) - c->b;
    double out = copysign(1, side ? u : v);
    n[0] = side ? -out * cs : out * sn, n[1] = side ? -out * sn : -out * cs;
    t[0] = n[1], t[1] = -n[0];
    c->gap = side ? fabs(u) - c->a : fabs(v) - c->b;
  } else {
    double turn = c->angle + (c->two < 0 ? 0 : s->body[c->two].q[2]);
    t[0] = cos(turn), t[1] = sin(turn), n[0] = -t[1], n[1] = t[0];
    place(s, c->two, c->px, c->py, lift, base);
    if (c->shape == POINT || c->shape == SEGMENT) {
      place(s, c->one, c->a, c->b, lift, p);
    } else {
      p[0] = s->body[c->one].q[0] - c->a * n[0], p[1] = s->body[c->one].q[1] - c->a * n[1];
    }
    c->gap = n[0] * (p[0] - base[0]) + n[1] * (p[1] - base[1]);
    c->along = t[0] * (p[0] - base[0]) + t[1] * (p[1] - base[1]);
  }
  row(s, c->one, p, n, 1, c->n[0]), row(s, c->one, p, t, 1, c->w[0]);
  row(s, c->two, p, n, -1, c->n[1]), row(s, c->two, p, t, -1, c->w[1]);
  double ground = ((c->one < 0) - (c->two < 0)) * rate;
  c->drift_n = ground * n[1], c->drift_w = ground * t[1];
}

static double along(const scene *s, const contact *c, const double r[2][3])
{
  double sum = 0;
  for (int i = 0; i < 3; i++) {
    if (c->one >= 0) sum += r[0][i] * s->body[c->one].u[i];
    if (c->two >= 0) sum += r[1][i] * s->body[c->two].u[i];
  }
  return sum;
}

/// Velocities change by an impulse along a row; gives nothing back.
static void push(scene *s, const contact *c, const double r[2][3], double impulse)
{
  int which[2] = {c->one, c->two};
  for (int k = 0; k < 2; k++) {
    if (which[k] < 0) continue;
    body *b = &s->body[which[k]];
    b->u[0] += r[k][0] * impulse / b->mass, b->u[1] += r[k][1] * impulse / b->mass;
    b->u[2] += r[k][2] * impulse / b->inertia;
  }
}

/// 1/mass seen along a row.
static double yields(const scene *s, const contact *c, const double r[2][3])
{
  int which[2] = {c->one, c->two};
  double sum = 0;
  for (int k = 0; k < 2; k++) {
    if (which[k] < 0) continue;
    const body *b = &s->body[which[k]];
    sum += (r[k][0] * r[k][0] + r[k][1] * r[k][1]) / b->mass + r[k][2] * r[k][2] / b->inertia;
  }
  return sum;
}

static double sweep(scene *s, contact *c)
{
  double rate = along(s, c, c->n) + c->drift_n + c->restitution * c->before;
  double normal = fmax(0, c->normal - rate / yields(s, c, c->n));
  double change = normal - c->normal;
  push(s, c, c->n, change), c->normal = normal;
  double slip = along(s, c, c->w) + c->drift_w, bound = c->mu * normal;
  double tangent = fmin(bound, fmax(-bound, c->tangent - slip / yields(s, c, c->w)));
  double other = tangent - c->tangent;
  push(s, c, c->w, other), c->tangent = tangent;
  return fabs(change) + fabs(other);
}

/// Is a point beside its segment, or under it? It is above as long as it came from above, or entered at its height but for what
/// steps of this length miss; where it leaves within the step it has left.
static bool passes(const scene *s, contact *c, bool first)
{
  if (c->shape != SEGMENT) return false;
  double next = c->along + s->step * (along(s, c, c->w) + c->drift_w);
  bool beside = c->along < 0 || c->along > c->length || next < 0 || next > c->length;
  if (c->gap > 0) c->under = false;
  if ((beside || first) && c->gap < -1e-3) c->under = true;
  return beside || c->under;
}

/// What closes within a step overlaps by what it went on; bodies are moved apart by that, each by its mass. (A corner that slides off
/// an edge would be caught by it otherwise, however fine the steps.)
static void move_apart(scene *s, contact *c, double lift)
{
  look(s, c, lift, 0);
  double by = (-OVERLAP - c->gap) / yields(s, c, c->n);
  int which[2] = {c->one, c->two};
  for (int k = 0; k < 2 && by > 0; k++) {
    if (which[k] < 0) continue;
    body *b = &s->body[which[k]];
    b->q[0] += c->n[k][0] * by / b->mass, b->q[1] += c->n[k][1] * by / b->mass;
    b->q[2] += c->n[k][2] * by / b->inertia;
  }
}

static void step(scene *s, double t)
{
  double h = s->step, middle = t + h / 2;
  double lift = s->amplitude * sin(s->frequency * middle);
  double rate = s->amplitude * s->frequency * cos(s->frequency * middle);
  for (int b = 0; b < s->bodies; b++)
    for (int i = 0; i < 3; i++) s->body[b].q[i] += h / 2 * s->body[b].u[i];
  contact *closed[MOST_CONTACTS];
  int count = 0;
  for (int k = 0; k < s->contacts; k++) {
    contact *c = &s->contact[k];
    look(s, c, lift, rate);
    if (passes(s, c, t == 0) || c->gap > TOUCHES || t >= c->gone) {
      c->normal = c->tangent = 0;
      continue;
    }
    c->before = along(s, c, c->n) + c->drift_n;
    closed[count++] = c;
  }
  for (int b = 0; b < s->bodies; b++)
    for (int i = 0; i < 2; i++) s->body[b].u[i] += h * s->gravity[i];
  double size = 0;
  for (int k = 0; k < count; k++) {
    push(s, closed[k], closed[k]->n, closed[k]->normal), push(s, closed[k], closed[k]->w, closed[k]->tangent);
    size += closed[k]->normal;
  }
  for (int k = 0; k < SWEEPS && count; k++) {
    double change = 0;
    for (int i = 0; i < count; i++) change += sweep(s, closed[i]);
    if (change <= 1e-10 * (size + change) + 1e-16) break;
  }
  for (int b = 0; b < s->bodies; b++)
    for (int i = 0; i < 3; i++) s->body[b].q[i] += h / 2 * s->body[b].u[i];
  double top = s->amplitude * sin(s->frequency * (t + h));
  for (int i = 0; i < count; i++) move_apart(s, closed[i], top);
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
  for (int b = 0; b < s.bodies; b++) {
    for (int i = 0; i < 3; i++) printf("%.12g ", s.body[b].q[i]);
    for (int i = 0; i < 3; i++) printf("%.12g%c", s.body[b].u[i], i < 2 ? ' ' : '\n');
  }
  return 0;
}
