// SPDX-License-Identifier: Apache-2.0
#include "expr/explain.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clones.h"
#include "expr/program_impl.h"

/// The range of an argument is found from sizes of coefficients, which is generous: a variation is unexplained beyond this
/// many times what the series shows.
static const double generous = 4.0;
/// A denominator that falls to less than this part of its first value within a step is looked at.
static const double falls = 1.0 / 8.0;
/// What a quotient may be, in terms of the size of its series.
static const double quotient_generous = 16.0;
/// Nothing, as far as steps go.
static const double nothing = 1e-280;

enum { BEYOND = 3 };  // numbers that may be read (not used) beyond the last of a series or of powers

struct amo_explain {
  const amo_prog *p;
  int order;
  size_t step, stride;  // between coefficients of a lane; between registers
  amo_instr *code;      // recurrences that concern us, in order
  unsigned char *top;   // [count] coefficients known of their results: 0..top
  size_t count;
  bool *concerned;  // [registers]
  double *missing;  // [registers]
  size_t *source;   // [sources] those of them that do not only carry on what they read
  double *alone;    // [sources] what is missing of them if nothing is of what they read
  size_t sources;
  bool found;                               // the last look found something
  const double *power;                      // of the step
  bool bounded;                             // they are finite
  double own[AMO_MAX_ORDER + 1 + BEYOND];   // powers, where the caller has none that lie side by side
  double half[AMO_MAX_ORDER + 1 + BEYOND];  // powers of 1/2
  const double *jet;                        // of the lane looked at
};

// ---- which instructions ----

static bool can_deceive(uint32_t op)
{
  switch (op) {
    case AMO_J_DIV:
    case AMO_J_RECIPROCAL:
    case AMO_J_SQRT:
    case AMO_J_EXP:
    case AMO_J_LOG:
    case AMO_J_SINHCOSH:
    case AMO_J_TAN:
    case AMO_J_TANH:
    case AMO_J_ASIN:
    case AMO_J_ACOS:
    case AMO_J_ASINH:
    case AMO_J_ATAN:
    case AMO_J_ATAN2:
    case AMO_J_POW: return true;
    default: return false;
  }
}

static bool has_two_results(uint32_t op)
{
  return op == AMO_J_SINCOS || op == AMO_J_SINHCOSH;
}

static bool reads_concerned(const amo_explain *x, const amo_instr *in)
{
  const bool *c = x->concerned;
  switch (in->op) {
    case AMO_J_ZERO: return false;
    case AMO_J_ADD:
    case AMO_J_SUB:
    case AMO_J_MUL:
    case AMO_J_DIV:
    case AMO_J_ATAN2: return c[in->a] || c[in->b];
    case AMO_J_RECIPROCAL: return c[in->b];
    case AMO_J_SELECT: return c[in->b] || c[in->h];
    case AMO_J_LINEAR2: return c[in->a] || c[in->h];
    case AMO_J_LINEAR3: return c[in->a] || c[in->h] || c[in->y];
    default: return c[in->a];
  }
}

static void collect(amo_explain *x, const amo_list *list, int top)
{
  for (size_t i = 0; i < list->count; i++) {
    const amo_instr *in = &list->item[i];
    if (!can_deceive(in->op) && !reads_concerned(x, in)) continue;
    x->top[x->count] = (unsigned char)top;
    if (can_deceive(in->op)) x->source[x->sources++] = x->count;
    x->code[x->count++] = *in;
    x->concerned[in->dst] = true;
    if (has_two_results(in->op)) x->concerned[in->b] = true;
  }
}

amo_status amo_explain_new(const amo_prog *p, int order, int lanes, amo_explain **out)
{
  *out = NULL;
  amo_explain *x = calloc(1, sizeof *x);
  if (!x) return AMO_ENOMEM;
  x->p = p;
  x->order = order;
  x->step = (size_t)lanes;
  x->stride = (size_t)(order + 1) * (size_t)lanes;
  for (int k = 0; k < AMO_MAX_ORDER + 1 + BEYOND; k++) x->half[k] = ldexp(1.0, -k);
  x->code = malloc((p->jet.count + p->tail.count + 1) * sizeof *x->code);
  x->top = malloc(p->jet.count + p->tail.count + 1);
  x->source = malloc((p->jet.count + p->tail.count + 1) * sizeof *x->source);
  x->alone = malloc((p->jet.count + p->tail.count + 1) * sizeof *x->alone);
  x->concerned = calloc(p->registers + 1u, sizeof *x->concerned);
  x->missing = calloc(p->registers + 1u, sizeof *x->missing);
  if (!x->code || !x->top || !x->source || !x->alone || !x->concerned || !x->missing) {
    amo_explain_free(x);
    return AMO_ENOMEM;
  }
  collect(x, &p->jet, order - 1);
  collect(x, &p->tail, order);
  if (x->count > 0)
    *out = x;
  else
    amo_explain_free(x);
  return AMO_OK;
}

void amo_explain_free(amo_explain *x)
{
  if (!x) return;
  free(x->code);
  free(x->top);
  free(x->source);
  free(x->alone);
  free(x->concerned);
  free(x->missing);
  free(x);
}

bool amo_explain_concerns(const amo_explain *x, uint32_t reg)
{
  return x != NULL && x->concerned[reg];
}

// ---- what a series says of the step ----

typedef struct span {
  double first, low, high;  // first value; bounds of all
  double middle, last;      // values at half the step and at its end
} span;

static const double *series(const amo_explain *x, uint32_t reg)
{
  return x->jet + (size_t)reg * x->stride;
}

// Sums run in four parts at every width, so that a lane's bits do not depend on it; one lane does the four at once.
typedef double quad __attribute__((vector_size(32)));
typedef double quad_any __attribute__((vector_size(32), aligned(8), may_alias));
typedef long long bits __attribute__((vector_size(32)));

static double total(const double part[4])
{
  return (part[0] + part[1]) + (part[2] + part[3]);
}

/// One lane. Terms beyond the last are masked: what lies there may be anything.
CLONES static void measure_one(const double *c, const double *power, const double *half, int top, span *out)
{
  static const bits mask[4] = {{-1, -1, -1, -1}, {-1, 0, 0, 0}, {-1, -1, 0, 0}, {-1, -1, -1, 0}};
  quad up = {0}, down = {0}, middle = {0};
  for (int k = 1; k <= top; k += 4) {
    quad term = *(const quad_any *)(c + k) * *(const quad_any *)(power + k);
    if (k + 3 > top) term = (quad)((bits)term & mask[top & 3]);
    const bits falling = term < 0.0;
    down += (quad)(falling & (bits)term);
    up += (quad)(~falling & (bits)term);
    middle += term * *(const quad_any *)(half + k);
  }
  const double u = (up[0] + up[1]) + (up[2] + up[3]), d = (down[0] + down[1]) + (down[2] + down[3]);
  const double m = (middle[0] + middle[1]) + (middle[2] + middle[3]);
  *out = (span){c[0], c[0] + d, c[0] + u, c[0] + m, c[0] + (d + u)};
}

/// Sum of the sizes of the terms of one lane: how far a series goes from its first value, at most.
CLONES static double swing_one(const double *c, const double *power, int top)
{
  static const bits mask[4] = {{-1, -1, -1, -1}, {-1, 0, 0, 0}, {-1, -1, 0, 0}, {-1, -1, -1, 0}};
  int k = (top - 1) / 4 * 4 + 1;
  quad sum = *(const quad_any *)(c + k) * *(const quad_any *)(power + k);
  sum = (quad)((bits)sum & mask[top & 3] & LLONG_MAX);  // all but the sign
  for (k -= 4; k > 0; k -= 4)
    sum += (quad)((bits)(*(const quad_any *)(c + k) * *(const quad_any *)(power + k)) & LLONG_MAX);
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/// Powers beyond the range of numbers.
static void measure_any(const amo_explain *x, const double *c, int top, span *out)
{
  double up[4] = {0}, down[4] = {0}, middle[4] = {0};
  for (int k = 1; k <= top; k++) {
    const double term = c[k] == 0.0 ? 0.0 : c[k] * x->power[k];
    const int part = (k - 1) & 3;
    if (term < 0.0)
      down[part] += term;
    else
      up[part] += term;  // NaN too
    middle[part] += term * x->half[k];
  }
  const double u = total(up), d = total(down);
  *out = (span){c[0], c[0] + d, c[0] + u, c[0] + total(middle), c[0] + (d + u)};
}

/// Room for a series, and for what is read beyond it.
typedef struct side_by_side {
  double c[AMO_MAX_ORDER + 1 + BEYOND];
} side_by_side;

/// The coefficients of a register side by side: one lane has them so.
static const double *coefficients(const amo_explain *x, uint32_t reg, int top, side_by_side *room)
{
  const double *c = series(x, reg);
  if (x->step == 1) return c;
  for (int k = 0; k <= top; k++) room->c[k] = c[(size_t)k * x->step];
  for (int k = 1; k <= BEYOND; k++) room->c[top + k] = 0.0;
  return room->c;
}

static span measure(const amo_explain *x, uint32_t reg, int top)
{
  const double first = *series(x, reg);
  span s = {first, first, first, first, first};
  side_by_side room;
  if (x->p->kind[reg] != AMO_VARYING) return s;
  const double *c = coefficients(x, reg, top, &room);
  if (x->bounded)
    measure_one(c, x->power, x->half, top, &s);
  else
    measure_any(x, c, top, &s);
  return s;
}

static double swing(const span *s)
{
  return s->high - s->low;
}

static double larger(double a, double b)
{
  return a > b ? a : b;
}

static double size_of(const span *s)
{
  return larger(fabs(s->low), fabs(s->high));
}

/// What is not a number is unbounded.
static double bounded(double e)
{
  return e <= nothing ? 0.0 : e <= DBL_MAX ? e : INFINITY;
}

/// A factor 0 switches a term off even if it is infinite.
static double times(double e, double factor)
{
  return e == 0.0 || factor == 0.0 ? 0.0 : e * fabs(factor);
}

// ---- functions of one argument ----

static double function(uint32_t op, double a, double exponent)
{
  switch (op) {
    case AMO_J_SQRT: return sqrt(a);
    case AMO_J_EXP: return exp(a);
    case AMO_J_LOG: return a > 0.0 ? log(a) : -INFINITY;
    case AMO_J_SINHCOSH: return sinh(a);
    case AMO_J_TAN: return tan(a);
    case AMO_J_TANH: return tanh(a);
    case AMO_J_ASIN: return asin(a);
    case AMO_J_ACOS: return acos(a);
    case AMO_J_ASINH: return asinh(a);
    case AMO_J_ATAN: return atan(a);
    default: return pow(a, exponent);
  }
}

/// |d result/d argument|.
static double slope(uint32_t op, double a, double r, double exponent)
{
  switch (op) {
    case AMO_J_SQRT: return 0.5 / r;
    case AMO_J_EXP: return r;
    case AMO_J_LOG: return 1.0 / a;
    case AMO_J_SINHCOSH: return sqrt(1.0 + r * r);
    case AMO_J_TAN: return 1.0 + r * r;
    case AMO_J_ASIN:
    case AMO_J_ACOS: return 1.0 / sqrt(1.0 - a * a);
    case AMO_J_TANH: return 1.0 - r * r;
    case AMO_J_ASINH: return 1.0 / hypot(1.0, a);
    case AMO_J_ATAN: return 1.0 / (1.0 + a * a);
    default: return fabs(exponent * r / a);
  }
}

/// The part of an argument's range where the function is defined. Roots and powers end at zero: whether the motion
/// really goes beyond is for events to say, since ranges are generous.
static void keep_to_domain(uint32_t op, double exponent, double *low, double *high)
{
  if (op == AMO_J_SQRT || (op == AMO_J_POW && exponent > 0.0 && exponent != floor(exponent))) {
    *low = larger(*low, 0.0);
    *high = larger(*high, 0.0);
  }
  if (op == AMO_J_ASIN || op == AMO_J_ACOS) {
    *low = fmin(fmax(*low, -1.0), 1.0);
    *high = fmin(fmax(*high, -1.0), 1.0);
  }
}

static bool has_pole(uint32_t op, double exponent, double low, double high)
{
  const double pi = 3.14159265358979323846;
  if (op == AMO_J_POW && exponent < 0.0) return low <= 0.0 && high >= 0.0;
  return op == AMO_J_TAN && floor(low / pi + 0.5) != floor(high / pi + 0.5);
}

/// How far the function may be from `first` for arguments in [low, high]; all are monotone but for poles and even powers,
/// which are so on either side.
static double reach(uint32_t op, double exponent, double low, double high, double first)
{
  keep_to_domain(op, exponent, &low, &high);
  if (!(low <= high) || has_pole(op, exponent, low, high)) return INFINITY;
  const double a = fabs(function(op, low, exponent) - first), b = fabs(function(op, high, exponent) - first);
  return a <= b || !(b <= a) ? b : a;
}

/// Difference of series and function at one point beyond what rounding may make of it.
static double defect(uint32_t op, double exponent, double a, double r, double rounding_a, double size_r)
{
  double low = a, high = a;
  keep_to_domain(op, exponent, &low, &high);
  const double f = function(op, low, exponent), d = fabs(f - r);
  const double steep = slope(op, low, f, exponent);
  const double rounding = 8.0 * DBL_EPSILON * (size_r + times(steep, rounding_a));
  return d <= rounding ? 0.0 : d;
}

static double explain_function(const amo_explain *x, uint32_t op, uint32_t arg, uint32_t dst, int top,
                               double exponent)
{
  const span a = measure(x, arg, top), r = measure(x, dst, top);
  const double away = reach(op, exponent, a.low, a.high, r.first), more = x->missing[arg];
  double e =
      away - generous * swing(&r) - 8.0 * DBL_EPSILON * size_of(&r);  // less than its rounding is nothing
  if (swing(&a) > 0.0) {
    const double size_a = size_of(&a), size_r = size_of(&r);
    e = larger(e, defect(op, exponent, a.last, r.last, size_a, size_r));
    e = larger(e, defect(op, exponent, a.middle, r.middle, size_a, size_r));
  }
  e = bounded(e);
  if (more > 0.0)
    e += bounded(reach(op, exponent, a.low - more, a.high + more, r.first) - away) +
         times(more, slope(op, a.first, r.first, exponent));
  return away <= DBL_MAX ? e : INFINITY;
}

// ---- the other instructions ----

static double explain_product(const amo_explain *x, const amo_instr *in, int top)
{
  const double ea = x->missing[in->a], eb = x->missing[in->b];
  if (ea == 0.0 && eb == 0.0) return 0.0;
  const span a = measure(x, in->a, top), b = measure(x, in->b, top);
  return times(ea, size_of(&b)) + times(eb, size_of(&a)) + times(ea, eb);
}

static double explain_quotient(const amo_explain *x, const amo_instr *in, int top)
{
  const bool whole = in->op == AMO_J_DIV;  // the numerator varies too
  const double ea = whole ? x->missing[in->a] : 0.0, eb = x->missing[in->b];
  const span b = measure(x, in->b, top);
  const double least = (b.first > 0.0 ? b.low : -b.high) - eb;
  if (ea == 0.0 && eb == 0.0 && least >= falls * fabs(b.first)) return 0.0;
  if (!(least > 0.0)) return INFINITY;
  const span r = measure(x, in->dst, top), a = measure(x, in->a, top);
  const double most = size_of(&a) / least;
  return bounded(most - quotient_generous * (fabs(r.first) + swing(&r))) + (ea + times(eb, most)) / least;
}

static double explain_arc2(const amo_explain *x, const amo_instr *in, int top)
{
  const span y = measure(x, in->a, top), v = measure(x, in->b, top), r = measure(x, in->dst, top);
  const double ey = x->missing[in->a], ev = x->missing[in->b];
  const double dy = larger(larger(y.low, -y.high), 0.0), dv = larger(larger(v.low, -v.high), 0.0);
  const double from = hypot(dy, dv), turn = (ey + ev) / from;
  if (!(from > 0.0)) return INFINITY;
  const double away = 2.0 * hypot(swing(&y), swing(&v)) / from;
  return bounded(away - quotient_generous * (swing(&r) + 0.1)) + turn;
}

static double explain_power(const amo_explain *x, const amo_instr *in, int top)
{
  const double n = series(x, in->b)[0], e = x->missing[in->a];
  if (!amo_power_is_whole(n)) return explain_function(x, AMO_J_POW, in->a, in->dst, top, n);
  if (e == 0.0 || n == 0.0) return 0.0;
  const span a = measure(x, in->a, top);
  return n * e * pow(size_of(&a) + e, n - 1.0);
}

static double missing_of(const amo_explain *x, const amo_instr *in, int top)
{
  const double *e = x->missing;
  switch (in->op) {
    case AMO_J_ZERO: return 0.0;
    case AMO_J_ADD:
    case AMO_J_SUB: return e[in->a] + e[in->b];
    case AMO_J_MUL: return explain_product(x, in, top);
    case AMO_J_SQR:
      return e[in->a] == 0.0 ? 0.0 : explain_product(x, &(amo_instr){.a = in->a, .b = in->a}, top);
    case AMO_J_DIV:
    case AMO_J_RECIPROCAL: return explain_quotient(x, in, top);
    case AMO_J_ATAN2: return explain_arc2(x, in, top);
    case AMO_J_POW: return explain_power(x, in, top);
    case AMO_J_SELECT: return series(x, in->a)[0] != 0.0 ? e[in->b] : e[in->h];
    case AMO_J_LINEAR1: return times(e[in->a], series(x, in->b)[0]);
    case AMO_J_LINEAR2: return times(e[in->a], series(x, in->b)[0]) + times(e[in->h], series(x, in->x)[0]);
    case AMO_J_LINEAR3:
      return times(e[in->a], series(x, in->b)[0]) + times(e[in->h], series(x, in->x)[0]) +
             times(e[in->y], series(x, in->z)[0]);
    case AMO_J_COPY:
    case AMO_J_NEG:
    case AMO_J_ABS:
    case AMO_J_SINCOS: return e[in->a];
    default: return explain_function(x, in->op, in->a, in->dst, top, 0.0);
  }
}

/// Powers side by side: given, those of a lane among others, or h^k.
static const double *take_powers(amo_explain *x, double h, const double *power)
{
  double p = 1.0;
  if (power != NULL && x->step == 1) return power;
  for (int k = 0; k <= x->order; k++, p *= h) x->own[k] = power != NULL ? power[(size_t)k * x->step] : p;
  return x->own;
}

/// A quotient whose denominator surely keeps its size: quick, and mostly so.
static bool divides_safely(const amo_explain *x, const amo_instr *in, int top)
{
  side_by_side room;
  if ((in->op != AMO_J_DIV && in->op != AMO_J_RECIPROCAL) || x->p->kind[in->b] != AMO_VARYING) return false;
  const double *c = coefficients(x, in->b, top, &room);
  return swing_one(c, x->power, top) <= (1.0 - falls) * fabs(c[0]);  // no for NaN
}

/// Does any source show something, as long as there is nothing to carry on? Mostly not.
static bool finds_any(amo_explain *x)
{
  bool any = false;
  for (size_t i = 0; i < x->sources; i++) {
    const size_t k = x->source[i];
    x->alone[i] = 0.0;
    if (divides_safely(x, &x->code[k], x->top[k])) continue;
    x->alone[i] = bounded(missing_of(x, &x->code[k], x->top[k]));
    any |= x->alone[i] > 0.0;
  }
  return any;
}

/// Is all of what an instruction reads known? Of those that can deceive.
static bool reads_all(const amo_explain *x, const amo_instr *in)
{
  const bool two = in->op == AMO_J_DIV || in->op == AMO_J_ATAN2;
  return (in->op == AMO_J_RECIPROCAL || x->missing[in->a] == 0.0) &&
         (!(two || in->op == AMO_J_RECIPROCAL) || x->missing[in->b] == 0.0);
}

/// From the sources to everything that depends on them, in order.
static void carry_on(amo_explain *x)
{
  size_t next = 0;  // source
  for (size_t i = 0; i < x->count; i++) {
    const amo_instr *in = &x->code[i];
    const bool source = next < x->sources && x->source[next] == i;
    const size_t own = next;
    next += source;
    // what is undefined misses nothing: where it is in use, a rate or condition is undefined too, and that is told
    double e = 0.0;
    if (!isnan(*series(x, in->dst)))
      e = source && reads_all(x, in) ? x->alone[own] : bounded(missing_of(x, in, x->top[i]));
    x->missing[in->dst] = e;
    if (has_two_results(in->op)) x->missing[in->b] = e;
  }
}

bool amo_explain_look(amo_explain *x, const double *jet, int lane, double h, const double *power)
{
  x->jet = jet + lane;
  x->power = take_powers(x, h, power);
  x->bounded = x->power[x->order] <= DBL_MAX;
  if (x->found) memset(x->missing, 0, x->p->registers * sizeof *x->missing);
  x->found = finds_any(x);
  if (x->found) carry_on(x);
  return x->found;
}

double amo_explain_missing(const amo_explain *x, uint32_t reg)
{
  return x->missing[reg];
}

double amo_explain_size(const amo_explain *x, uint32_t reg)
{
  const span s = measure(x, reg, x->order - 1);
  return size_of(&s);
}
