// SPDX-License-Identifier: Apache-2.0
#include "num/retrace.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/clones.h"

#define real double
#define EPS  DBL_EPSILON
#define ROOT sqrt
#define FABS fabs
#include "num/bounded.inc"

enum { W = AMO_RETRACE_LANES, MOST_LINES = 1 << 13, TABLE = 1 << 14, LOOK_EVERY = 8 };

static const uint32_t none = UINT32_MAX;

/// One operation or question. While it is recorded operands are lines, and places of lanes when it is finished.
typedef struct line {
  uint8_t op;
  bool answer;           // of a question
  uint32_t a, b, c, to;  // of what is given: a is the register
} line;

/// Values and bounds of one number in all lanes.
typedef struct lanes {
  double v[W], e[W];
} lanes;

struct amo_retrace {
  line *line;
  size_t count, cap;
  num *at;  // [count] what the lines gave when they were recorded; constants are lines that hold them
  size_t at_cap;
  uint32_t *table;  // [TABLE] lines by what they do; NULL: finished
  bool failed;
  uint32_t *result;  // [results] line, then place; none: not a number
  size_t results;
  lanes *lane;  // [places], constants filled in
};

enum { CONSTANT = AMO_RETRACE_IS_FINITE + 1 };  // a line that stands for a constant

static bool is_question(const line *l)
{
  return l->op >= AMO_RETRACE_IS_NOTHING && l->op <= AMO_RETRACE_IS_FINITE;
}

amo_status amo_retrace_new(size_t results, amo_retrace **out)
{
  amo_retrace *t = *out = amo_zalloc(1, sizeof *t);
  if (t == NULL) return AMO_ENOMEM;
  t->table = amo_zalloc(TABLE, sizeof *t->table);
  t->result = amo_zalloc(results, sizeof *t->result);
  for (size_t k = 0; t->result != NULL && k < results; k++) t->result[k] = none;
  t->results = results;
  if (t->table != NULL && t->result != NULL) return AMO_OK;
  amo_retrace_free(t);
  *out = NULL;
  return AMO_ENOMEM;
}

void amo_retrace_free(amo_retrace *t)
{
  if (t == NULL) return;
  free(t->line);
  free(t->at);
  free(t->table);
  free(t->result);
  free(t->lane);
  free(t);
}

// ---- recording ----

static size_t hash(const line *l, const num *x)
{
  uint64_t bits[2] = {0, 0}, h = l->op + 2u * l->answer;
  if (l->op == CONSTANT) memcpy(bits, x, sizeof bits);
  const uint64_t part[] = {l->a, l->b, l->c, bits[0], bits[1]};
  for (size_t i = 0; i < sizeof part / sizeof *part; i++)
    h = (h ^ part[i]) * 0x9e3779b97f4a7c15u, h ^= h >> 29;
  return h % TABLE;
}

static bool does_same(const amo_retrace *t, uint32_t i, const line *l, const num *x)
{
  const line *k = &t->line[i];
  return k->op == l->op && k->a == l->a && k->b == l->b && k->c == l->c &&
         (l->op != CONSTANT || memcmp(&t->at[i], x, sizeof *x) == 0);
}

/// The line that does this, a new one where there is none yet.
static uint32_t put(amo_retrace *t, line l, num x)
{
  size_t h = hash(&l, &x);
  for (; t->table[h] != 0; h = (h + 1) % TABLE)
    if (does_same(t, t->table[h] - 1, &l, &x)) return t->table[h] - 1;
  t->failed |=
      t->count >= MOST_LINES || !AMO_ROOM(t->line, t->count, t->cap) || !AMO_ROOM(t->at, t->count, t->at_cap);
  if (t->failed) return 0;
  t->line[t->count] = l;
  t->at[t->count] = x;
  t->table[h] = (uint32_t)++t->count;
  return (uint32_t)t->count - 1;
}

static num plain(amo_traced x)
{
  return (num){x.value, x.bound};
}

static uint32_t line_of(amo_retrace *t, amo_traced x)
{
  return x.tape != NULL ? x.line : put(t, (line){.op = CONSTANT}, plain(x));
}

static num apply(amo_retrace_op op, num a, num b, num c)
{
  switch (op) {
    case AMO_RETRACE_ADD: return add(a, b);
    case AMO_RETRACE_SUB: return sub(a, b);
    case AMO_RETRACE_MUL: return mul(a, b);
    case AMO_RETRACE_QUOTIENT: return quotient(a, b);
    case AMO_RETRACE_ROOT: return root(a);
    case AMO_RETRACE_NEGATIVE: return negative(a);
    case AMO_RETRACE_ABSOLUTE: return absolute(a);
    case AMO_RETRACE_LESS_PRODUCT: return less_product(a, b, c);
    case AMO_RETRACE_VALUE_OF: return value_of(a);
    case AMO_RETRACE_BOUND_OF: return bound_of(a);
    case AMO_RETRACE_BOUNDED_BY: return bounded_by(a, b);
    case AMO_RETRACE_LARGER: return larger(a, b);
    case AMO_RETRACE_SMALLER: return smaller(a, b);
    case AMO_RETRACE_POWER_NEAR: return power_near(a);
    default: return exactly(shown(a));
  }
}

static bool answer_of(amo_retrace_op question, num a, num b)
{
  switch (question) {
    case AMO_RETRACE_IS_NOTHING: return is_nothing(a);
    case AMO_RETRACE_IS_CERTAIN: return is_certain(a, 1);
    case AMO_RETRACE_IS_POSITIVE: return side(a, 1) > 0;
    case AMO_RETRACE_IS_NEGATIVE: return side(a, 1) < 0;
    case AMO_RETRACE_IS_ABOVE: return above(a, b);
    case AMO_RETRACE_VANISHES: return vanishes(a);
    default: return is_finite(a);
  }
}

amo_traced amo_retrace_given(amo_retrace *t, uint32_t at, double value, double bound)
{
  return (amo_traced){t, put(t, (line){.op = AMO_RETRACE_GIVEN, .a = at}, (num){value, bound}), value, bound};
}

/// The line with its operands, of the tape of whichever has one; *tape NULL: all are constants.
static line operands(amo_retrace_op op, amo_traced a, amo_traced b, amo_traced c, amo_retrace **tape)
{
  amo_retrace *t = *tape = a.tape != NULL ? a.tape : b.tape != NULL ? b.tape : c.tape;
  if (t == NULL) return (line){.op = op};
  return (line){.op = (uint8_t)op, .a = line_of(t, a), .b = line_of(t, b), .c = line_of(t, c)};
}

amo_traced amo_retrace_do(amo_retrace_op op, amo_traced a, amo_traced b, amo_traced c)
{
  const num x = apply(op, plain(a), plain(b), plain(c));
  amo_retrace *t;
  const line l = operands(op, a, b, c, &t);
  return (amo_traced){t, t != NULL ? put(t, l, x) : 0, x.v, x.e};
}

bool amo_retrace_ask(amo_retrace_op question, amo_traced a, amo_traced b)
{
  amo_retrace *t;
  line l = operands(question, a, b, (amo_traced){.value = 0}, &t);
  l.answer = answer_of(question, plain(a), plain(b));
  if (t != NULL) put(t, l, exactly(0));
  return l.answer;
}

void amo_retrace_result(amo_retrace *t, size_t k, amo_traced x)
{
  const line l = {.op = AMO_RETRACE_SHOWN, .a = line_of(t, x)};
  t->result[k] = put(t, l, exactly(shown(plain(x))));
}

// ---- finishing ----

/// Lines that answers and results need, from last to first: when each is read last (none: never).
static void find_last(const amo_retrace *t, uint32_t *last)
{
  for (size_t i = 0; i < t->count; i++) last[i] = none;
  for (size_t k = 0; k < t->results; k++)
    if (t->result[k] != none) last[t->result[k]] = (uint32_t)t->count;
  for (size_t i = t->count; i-- > 0;) {
    const line *l = &t->line[i];
    if (!is_question(l) && last[i] == none) continue;
    if (l->op == AMO_RETRACE_GIVEN || l->op == CONSTANT) continue;
    const uint32_t from[] = {l->a, l->b, l->c};
    for (int k = 0; k < 3; k++)
      if (last[from[k]] == none) last[from[k]] = (uint32_t)i;
  }
}

/// Places of what lines give, used again after they were read last; constants keep theirs, which come first.
static uint32_t find_places(amo_retrace *t, const uint32_t *last, uint32_t *place, uint32_t *unused)
{
  uint32_t places = 0, n = 0;
  for (size_t i = 0; i < t->count; i++)
    if (t->line[i].op == CONSTANT && last[i] != none) place[i] = places++;
  for (size_t i = 0; i < t->count; i++) {
    const line *l = &t->line[i];
    const bool reads = l->op != CONSTANT && l->op != AMO_RETRACE_GIVEN && (is_question(l) || last[i] != none);
    const uint32_t from[] = {l->a, l->b, l->c};
    if (!is_question(l) && l->op != CONSTANT && last[i] != none) place[i] = n > 0 ? unused[--n] : places++;
    for (int k = 0; reads && k < 3; k++) {
      const bool twice = (k > 0 && from[k] == from[0]) || (k > 1 && from[k] == from[1]);
      if (last[from[k]] == i && !twice && t->line[from[k]].op != CONSTANT) unused[n++] = place[from[k]];
    }
  }
  return places;
}

/// Only lines that are needed stay, with places for operands.
static void keep_lines(amo_retrace *t, const uint32_t *last, const uint32_t *place)
{
  size_t n = 0;
  for (size_t i = 0; i < t->count; i++) {
    line l = t->line[i];
    if (l.op == CONSTANT && last[i] != none)
      for (size_t k = 0; k < W; k++) t->lane[place[i]].v[k] = t->at[i].v, t->lane[place[i]].e[k] = t->at[i].e;
    if (l.op == CONSTANT || (!is_question(&l) && last[i] == none)) continue;
    if (l.op != AMO_RETRACE_GIVEN) l.a = place[l.a], l.b = place[l.b], l.c = place[l.c];
    if (!is_question(&l)) l.to = place[i];
    t->line[n++] = l;
  }
  for (size_t k = 0; k < t->results; k++)
    if (t->result[k] != none) t->result[k] = place[t->result[k]];
  t->count = n;
}

amo_status amo_retrace_finish(amo_retrace *t)
{
  if (t->failed) return AMO_ELIMIT;
  uint32_t *last = amo_zalloc(3 * t->count, sizeof *last);
  amo_status st = last != NULL ? AMO_OK : AMO_ENOMEM;
  if (st == AMO_OK) {
    uint32_t *place = last + t->count;
    find_last(t, last);
    t->lane = amo_zalloc(find_places(t, last, place, place + t->count), sizeof *t->lane);
    if (t->lane != NULL)
      keep_lines(t, last, place);
    else
      st = AMO_ENOMEM;
  }
  free(last);
  free(t->table);
  free(t->at);
  t->table = NULL;
  t->at = NULL;
  return st;
}

// ---- replay ----

/// What a line gives is never in the place of what it reads.
#define EACH(expression)                                 \
  _Pragma("GCC unroll 1") for (size_t k = 0; k < W; k++) \
  {                                                      \
    const num a = {x->v[k], x->e[k]}, r = (expression);  \
    to->v[k] = r.v;                                      \
    to->e[k] = r.e;                                      \
  }                                                      \
  break
#define B ((num){y->v[k], y->e[k]})
#define C ((num){z->v[k], z->e[k]})
static inline __attribute__((always_inline)) void run(const line *l, lanes *all, const double *reg,
                                                      const double *err)
{
  lanes *restrict to = &all[l->to];
  const lanes *x = &all[l->a], *y = &all[l->b], *z = &all[l->c];
  switch ((amo_retrace_op)l->op) {
    case AMO_RETRACE_ADD: EACH(add(a, B));
    case AMO_RETRACE_SUB: EACH(sub(a, B));
    case AMO_RETRACE_MUL: EACH(mul(a, B));
    case AMO_RETRACE_QUOTIENT: EACH(quotient(a, B));
    case AMO_RETRACE_ROOT: EACH(root(a));
    case AMO_RETRACE_NEGATIVE: EACH(negative(a));
    case AMO_RETRACE_ABSOLUTE: EACH(absolute(a));
    case AMO_RETRACE_LESS_PRODUCT: EACH(less_product(a, B, C));
    case AMO_RETRACE_VALUE_OF: EACH(value_of(a));
    case AMO_RETRACE_BOUND_OF: EACH(bound_of(a));
    case AMO_RETRACE_BOUNDED_BY: EACH(bounded_by(a, B));
    case AMO_RETRACE_LARGER: EACH(larger(a, B));
    case AMO_RETRACE_SMALLER: EACH(smaller(a, B));
    case AMO_RETRACE_POWER_NEAR: EACH(power_near(a));
    case AMO_RETRACE_SHOWN: EACH(exactly(shown(a)));
    default:
      memcpy(to->v, reg + (size_t)l->a * W, sizeof to->v);
      memcpy(to->e, err + (size_t)l->a * W, sizeof to->e);
  }
}
#undef EACH

#define EACH(expression)                                     \
  _Pragma("GCC unroll 1") for (size_t k = 0; k < W; k++)     \
  {                                                          \
    const num a = {x->v[k], x->e[k]};                        \
    same[k] &= (expression) == l->answer ? ~(uint64_t)0 : 0; \
  }                                                          \
  break
static inline __attribute__((always_inline)) void ask(const line *l, const lanes *all,
                                                      uint64_t *restrict same)
{
  const lanes *x = &all[l->a], *y = &all[l->b];
  switch ((amo_retrace_op)l->op) {
    case AMO_RETRACE_IS_NOTHING: EACH(is_nothing(a));
    case AMO_RETRACE_IS_CERTAIN: EACH(magnitude(a.v) > a.e);
    case AMO_RETRACE_IS_POSITIVE: EACH(a.v > a.e);
    case AMO_RETRACE_IS_NEGATIVE: EACH(-a.v > a.e);
    case AMO_RETRACE_IS_ABOVE: EACH(above(a, B));
    case AMO_RETRACE_VANISHES: EACH(vanishes(a));
    default: EACH(magnitude(a.v) <= DBL_MAX);
  }
}
#undef EACH
#undef B
#undef C

static unsigned bits(const uint64_t *same)
{
  unsigned all = 0;
  for (unsigned k = 0; k < W; k++) all |= (unsigned)(same[k] & 1u) << k;
  return all;
}

CLONES unsigned amo_retrace_run(amo_retrace *t, const double *reg, const double *err, unsigned asked)
{
  uint64_t same[W];
  int questions = 0;
  for (unsigned k = 0; k < W; k++) same[k] = asked >> k & 1u ? ~(uint64_t)0 : 0;
  for (size_t i = 0; i < t->count; i++) {
    const line *l = &t->line[i];
    if (!is_question(l)) {
      run(l, t->lane, reg, err);
      continue;
    }
    ask(l, t->lane, same);
    if (++questions % LOOK_EVERY == 0 && bits(same) == 0) return 0;
  }
  return bits(same);
}

double amo_retrace_read(const amo_retrace *t, size_t k, size_t lane)
{
  return k < t->results && t->result[k] != none ? t->lane[t->result[k]].v[lane] : (double)NAN;
}

size_t amo_retrace_length(const amo_retrace *t)
{
  return t->count;
}
