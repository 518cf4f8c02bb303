// SPDX-License-Identifier: Apache-2.0
// ctest: slow timeout 600
// limits against a fine sampling of the same verb (by map, which knows nothing of limits): over random mechanisms no
// change is missed and none invented. Arguments: how many problems, seed, another program (an older one).
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

#include <cjson/cJSON.h>

enum { FINE = 797, MOST_TEXT = 1 << 20 };

static uint64_t seed = 20240917u;
static int problems = 100;
static const char *program = AMO_PROGRAM;

static double uniform(double from, double to)
{
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return from + (to - from) * (double)(seed >> 11) / 9007199254740992.0;
}

static int pick(int n)
{
  return (int)uniform(0.0, n) % n;
}

// ---- problems ----

typedef struct problem {
  char model[512], of[128], rest[512];  // rest: options of both verbs
  char only[64];                        // options of limits alone
  char name[16];
  double from, to, level;
  char text[2048];  // of the model, where it is none of ours
} problem;

static void block_on_belt(problem *p)
{
  static const char *const vary[] = {"Fs", "k", "x", "v"};
  static const double low[] = {0.05, 0.05, -3.0, 0.05}, high[] = {3.0, 3.0, 3.0, 1.5};
  const int which = pick(4);
  snprintf(p->model, sizeof p->model, "%s/models/block-on-belt.yaml", AMO_SOURCE_DIR);
  strcpy(p->of, pick(2) ? "rest.verdict" : "steady.verdict");
  strcpy(p->name, vary[which]);
  p->from = low[which], p->to = high[which];
  snprintf(p->rest, sizeof p->rest, "--set m=%.4f delta=%.4f%s", uniform(0.5, 2.0), uniform(0.5, 5.0),
           which == 3 ? "" : " v=0.3");
}

static void generic_pair(problem *p)
{
  static const char *const vary[] = {"p", "mu", "Q1", "Q2", "B"};
  static const double low[] = {0.05, 0.01, -6.0, -6.0, -3.0}, high[] = {4.0, 4.0, 6.0, 6.0, 3.0};
  static const char *const of[] = {"contact.class", "contact.count", "rest.verdict"};
  const int which = pick(5);
  snprintf(p->model, sizeof p->model, "%s/models/generic-pair.yaml", AMO_SOURCE_DIR);
  strcpy(p->of, of[pick(3)]);
  strcpy(p->name, vary[which]);
  p->from = low[which], p->to = high[which];
  snprintf(p->rest, sizeof p->rest, "--set A12=%.4f hdA=%.4f %s%.4f%s", uniform(-1.3, 1.3),
           uniform(-0.5, 0.5), which == 1 ? "p=" : "mu=", uniform(0.2, 2.5),
           !strncmp(p->of, "contact", 7) ? (pick(2) ? " --at \"q'=1\"" : " --at \"q'=-1\"") : "");
}

static void painleve(problem *p)
{
  static const char *const vary[] = {"mu", "phi", "P1", "P2"};
  static const double low[] = {0.05, 0.1, -4.0, -4.0}, high[] = {3.0, 1.5, 4.0, 4.0};
  const int which = pick(4);
  snprintf(p->model, sizeof p->model, "%s/models/painleve-klein.yaml", AMO_SOURCE_DIR);
  strcpy(p->of, pick(2) ? "rest.verdict" : "contact.class");
  strcpy(p->name, vary[which]);
  p->from = low[which], p->to = high[which];
  snprintf(p->rest, sizeof p->rest, "--set %s%.4f %s%.4f%s", which == 0 ? "phi=" : "mu=", uniform(0.2, 1.4),
           which == 3 ? "P1=" : "P2=", uniform(-2.0, 2.0),
           !strcmp(p->of, "contact.class") ? " --at \"q'=1\"" : "");
}

static const char *write_model(problem *p, const char *text)
{
  snprintf(p->model, sizeof p->model, "random-limits.yaml");
  FILE *f = fopen(p->model, "w");
  assert_non_null(f);
  fputs(text, f);
  snprintf(p->text, sizeof p->text, "%s", text);
  fclose(f);
  return p->model;
}

/// Two blocks with a spring between them on a slope that may be a belt.
static void two_blocks(problem *p)
{
  static const char *const vary[] = {"F", "a", "mu1", "mu2", "x"};
  static const double low[] = {-20.0, -0.9, 0.02, 0.02, -2.0}, high[] = {20.0, 0.9, 1.2, 1.2, 2.0};
  char text[2048];
  const int which = pick(5);
  snprintf(text, sizeof text,
           "amontons: 1\nname: two\n"
           "parameters: {F: %.3f, a: %.3f, mu1: %.3f, mu2: %.3f, k: %.3f, v: %.3f, g: 9.81}\n"
           "coordinates: [x, y]\n"
           "particles: {p: {mass: 1, at: [x, 0]}, q: {mass: %.3f, at: [y, 0]}}\n"
           "springs: {s: {along: x - y, stiffness: k}}\n"
           "forces: {x: F - g*sin(a), y: -%.3f*g*sin(a)}\n"
           "contacts:\n  one: {pressed: g*cos(a), slip: x' - v, law: {type: coulomb, mu: mu1}}\n"
           "  two: {pressed: g*cos(a), slip: y' - v, law: {type: curve, static: 1.2*mu2, kinetic: mu2}}\n",
           uniform(-4, 4), uniform(-0.4, 0.4), uniform(0.1, 0.8), uniform(0.1, 0.8), uniform(1, 20),
           pick(2) ? uniform(-1, 1) : 0.0, uniform(0.5, 2), uniform(0.5, 2));
  write_model(p, text);
  strcpy(p->of, pick(3) ? "rest.verdict" : "rest.direction");
  strcpy(p->name, vary[which]);
  p->from = low[which], p->to = high[which];
}

/// A body between two guides (a drawer, a carriage): two contacts, whose reactions load each other.
static void drawer(problem *p)
{
  static const char *const vary[] = {"P", "G", "e", "mu1", "mu2", "l", "h"};
  static const double low[] = {-6.0, -6.0, -3.0, 0.01, 0.01, 0.1, -2.0},
                      high[] = {6.0, 6.0, 3.0, 2.0, 2.0, 3.0, 2.0};
  char text[2048];
  const int which = pick(7);
  snprintf(text, sizeof text,
           "amontons: 1\nname: drawer\n"
           "parameters: {P: %.3f, G: %.3f, e: %.3f, mu1: %.3f, mu2: %.3f, l: %.3f, h: %.3f}\n"
           "coordinates: [x, y, a]\n"
           "energy: {kinetic: (x'^2 + y'^2 + %.3f*a'^2)/2}\n"
           "forces: {x: P, y: -G, a: P*e}\n"
           "contacts:\n  one: {guide: y + l*a, slip: x' - h*a', law: {type: coulomb, mu: mu1}}\n"
           "  two: {guide: y - l*a, slip: x' + h*a', law: {type: coulomb, mu: mu2}}\n",
           uniform(-3, 3), uniform(-3, 3), uniform(-2, 2), uniform(0.05, 1.2), uniform(0.05, 1.2),
           uniform(0.3, 2), uniform(-1, 1), uniform(0.3, 2));
  write_model(p, text);
  const int of = pick(3);
  strcpy(p->of, of == 0 ? "rest.verdict" : of == 1 ? "contact.class" : "contact.count");
  strcpy(p->rest, of == 0 ? "" : pick(2) ? "--at \"x'=1\"" : "--at \"x'=-1\"");
  strcpy(p->name, vary[which]);
  p->from = low[which], p->to = high[which];
}

/// Two blocks on one belt whose friction falls with speed, damped: steady sliding, or rest on the belt.
static void two_on_belt(problem *p)
{
  static const char *const vary[] = {"kc", "delta", "v", "c", "m"};
  static const double low[] = {0.0, 0.0, 0.02, 0.0, 0.1}, high[] = {5.0, 5.0, 3.0, 2.0, 5.0};
  char text[2048];
  const int which = pick(5);
  snprintf(text, sizeof text,
           "amontons: 1\nname: pair\n"
           "parameters: {kc: %.3f, delta: %.3f, v: %.3f, c: %.3f, m: %.3f}\n"
           "coordinates: [x, y]\n"
           "energy: {kinetic: (x'^2 + m*y'^2)/2, potential: (x^2 + %.3f*y^2 + kc*(x - y)^2)/2}\n"
           "forces: {x: \"-c*x'\", y: \"-%.3f*c*y'\"}\n"
           "contacts:\n  one: {pressed: 1, slip: x' - v, law: {type: curve, static: 1, kinetic: 1/(1 + "
           "delta*s)}}\n"
           "  two: {pressed: 1, slip: y' - v, law: {type: curve, static: %.3f, kinetic: 1/(1 + delta*s)}}\n"
           "initial: {x: %.3f, y: %.3f}\n",
           uniform(0, 3), uniform(0.2, 4), uniform(0.05, 2), uniform(0, 1.5), uniform(0.3, 3),
           uniform(0.3, 3), uniform(0, 2), uniform(1, 1.5), uniform(-1.5, 1.5), uniform(-1.5, 1.5));
  write_model(p, text);
  strcpy(p->of, pick(3) ? "steady.verdict" : "rest.verdict");
  strcpy(p->name, vary[which]);
  p->from = low[which], p->to = high[which];
}

/// A sum of waves, with a corner or a peak now and then, against zero, against a level, or its least and largest values.
static void number(problem *p)
{
  char text[1024], extra[96] = "";
  if (pick(2)) snprintf(extra, sizeof extra, " + abs(a - %.4f)", uniform(-2.5, 2.5));
  if (!pick(3))
    snprintf(extra, sizeof extra, " + 3*exp(-((a - %.4f)/%.4f)^2)", uniform(-2.5, 2.5), uniform(0.04, 0.3));
  snprintf(text, sizeof text,
           "amontons: 1\nname: number\nparameters: {a: 0}\ncoordinates: [x]\n"
           "particles: {p: {mass: 1, at: [x, 0]}}\n"
           "outputs: {f: \"%.4f*sin(%.4f*a + %.4f) + %.4f*cos(%.4f*a)%s\"}\n",
           uniform(0.5, 2), uniform(0.5, 9), uniform(0, 6), uniform(0.1, 2), uniform(0.5, 15), extra);
  write_model(p, text);
  strcpy(p->of, "evaluate.outputs.f");
  strcpy(p->name, "a");
  p->from = -3.0, p->to = 3.0;
  const int kind = pick(3);
  if (kind == 1) p->level = uniform(-2, 3);
  if (kind == 1) snprintf(p->only, sizeof p->only, "--level %.17g", p->level);
  if (kind == 2) strcpy(p->only, "--extrema");
}

static void make(problem *p)
{
  static void (*const kind[])(problem *) = {block_on_belt, generic_pair, painleve, two_blocks,
                                            drawer,        two_on_belt,  number};
  *p = (problem){0};
  kind[pick(7)](p);
}

// ---- both answers ----

static char *output_of(const char *command)
{
  char *text = malloc(MOST_TEXT);
  assert_non_null(text);
  FILE *f = popen(command, "r");
  assert_non_null(f);
  const size_t n = fread(text, 1, MOST_TEXT - 1, f);
  text[n] = '\0';
  pclose(f);
  return text;
}

typedef struct fine {
  double x[FINE], number[FINE];  // number: of a verdict that is one
  char verdict[FINE][32];
  size_t count;
} fine;

static double sign_of(char *verdict, double level)
{
  char *end = NULL;
  const double v = strtod(verdict, &end) - level;
  if (end == verdict || *end) return NAN;
  strcpy(verdict, v > 0.0 ? "positive" : v < 0.0 ? "negative" : "zero");
  return v + level;
}

static void read_fine(const problem *p, const char *text, bool by_sign, fine *out)
{
  out->count = 0;
  for (const char *line = strchr(text, '\n'); line && line[1] && out->count < FINE;
       line = strchr(line + 1, '\n')) {
    double x = 0.0, y = 0.0;
    char verdict[32] = "";
    if (sscanf(line + 1, "%lf,%lf,%31[^\n]", &x, &y, verdict) != 3 || y != 0.0) continue;
    out->number[out->count] = by_sign ? sign_of(verdict, p->level) : NAN;
    out->x[out->count] = x;
    strcpy(out->verdict[out->count++], verdict);
  }
  if (out->count != FINE)
    fail_msg("no fine sampling of %s by %s %s: %zu\n%s\n%.400s", p->of, p->name, p->rest, out->count, p->text,
             text);
}

/// Is there a limit, or a range called unsettled, between a and b?
static bool told(const cJSON *result, double a, double b)
{
  const cJSON *v = NULL;
  const double slack = 1e-9 * (fabs(a) + fabs(b));
  cJSON_ArrayForEach(v, cJSON_GetObjectItem(result, "values"))
  {
    const double at = cJSON_GetObjectItem(v, "at")->valuedouble;
    if (at >= a - slack && at <= b + slack) return true;
  }
  cJSON_ArrayForEach(v, cJSON_GetObjectItem(
                            result, "unsettled")) if (cJSON_GetArrayItem(v, 0)->valuedouble <= b &&
                                                      cJSON_GetArrayItem(v, 1)->valuedouble >= a) return true;
  return false;
}

static int missed(const cJSON *result, const fine *f)
{
  int n = 0;
  for (size_t i = 0; i + 1 < f->count; i++)
    n += strcmp(f->verdict[i], f->verdict[i + 1]) != 0 && !told(result, f->x[i], f->x[i + 1]);
  return n;
}

/// The fine verdict at the sample next to `at` on one side, unless another limit lies in between or the range ends.
static const char *beside(const fine *f, double at, double other, int side)
{
  for (size_t k = 0; k < f->count; k++) {
    const size_t i = side > 0 ? k : f->count - 1 - k;
    const double d = side * (f->x[i] - at);
    if (d > 1e-7 * (1.0 + fabs(at)))
      return side * (other - f->x[i]) > 1e-7 * (1.0 + fabs(at)) ? f->verdict[i] : NULL;
  }
  return NULL;
}

static int invented(const cJSON *result, const fine *f)
{
  const cJSON *all = cJSON_GetObjectItem(result, "values"), *v = NULL;
  int n = 0;
  cJSON_ArrayForEach(v, all)
  {
    const cJSON *before = v->prev && v->prev->next ? v->prev : NULL, *after = v->next;
    const double at = cJSON_GetObjectItem(v, "at")->valuedouble;
    const char *from = cJSON_GetObjectItem(v, "from")->valuestring,
               *to = cJSON_GetObjectItem(v, "to")->valuestring;
    const char *a = beside(f, at, before ? cJSON_GetObjectItem(before, "at")->valuedouble : -INFINITY, -1);
    const char *b = beside(f, at, after ? cJSON_GetObjectItem(after, "at")->valuedouble : INFINITY, 1);
    n += (a && strcmp(a, from) != 0) || (b && strcmp(b, to) != 0);
  }
  return n;
}

static bool turns(const fine *f, size_t i)
{
  return i > 0 && i + 1 < f->count &&
         (f->number[i] - f->number[i - 1]) * (f->number[i + 1] - f->number[i]) < 0.0;
}

/// Turns of the fine samples without an extremum, and extrema where the fine samples do not turn.
static void compare_extrema(const cJSON *result, const fine *f, int *misses, int *inventions)
{
  const cJSON *all = cJSON_GetObjectItem(result, "extrema"), *v = NULL;
  for (size_t i = 1; all && i + 1 < f->count; i++) {
    bool told_of = !turns(f, i);
    cJSON_ArrayForEach(v, all)
    {
      const double at = cJSON_GetObjectItem(v, "at")->valuedouble;
      told_of |= at >= f->x[i - 1] && at <= f->x[i + 1];
    }
    *misses += !told_of;
  }
  cJSON_ArrayForEach(v, all)
  {
    const double at = cJSON_GetObjectItem(v, "at")->valuedouble;
    bool turn = false;
    for (size_t i = 1; i + 1 < f->count; i++) turn |= turns(f, i) && at >= f->x[i - 1] && at <= f->x[i + 1];
    *inventions += !turn;
  }
}

static void try_one(const problem *p, int *misses, int *inventions)
{
  char command[2048];
  snprintf(command, sizeof command, "'%s' limits %s --vary '%s=%.17g:%.17g' --of %s %s %s --json 2>/dev/null",
           program, p->model, p->name, p->from, p->to, p->of, p->rest, p->only);
  char *text = output_of(command);
  cJSON *result = cJSON_Parse(text);
  if (!result) fail_msg("no answer: %s", command);
  char grid[2048];
  snprintf(grid, sizeof grid,
           "'%s' map %s --x '%s=%.17g:%.17g' --y '%s=0:1' --size %dx2 --of %s %s --csv - 2>/dev/null",
           AMO_PROGRAM, p->model, p->name, p->from, p->to, "t", FINE, p->of, p->rest);
  char *sampled = output_of(grid);
  fine *f = malloc(sizeof *f);
  assert_non_null(f);
  read_fine(p, sampled, cJSON_IsTrue(cJSON_GetObjectItem(result, "by_sign")), f);
  int m = missed(result, f), i = invented(result, f);
  compare_extrema(result, f, &m, &i);
  if (m || i) print_message("%d missed, %d invented: %s\n%s\n", m, i, command, p->text);
  *misses += m, *inventions += i;
  free(f);
  free(text);
  free(sampled);
  cJSON_Delete(result);
}

static void no_change_is_missed_or_invented(void **state)
{
  (void)state;
  int misses = 0, inventions = 0;
  for (int i = 0; i < problems; i++) {
    problem p;
    make(&p);
    try_one(&p, &misses, &inventions);
  }
  remove("random-limits.yaml");
  print_message("%d problems: %d changes missed, %d invented\n", problems, misses, inventions);
  assert_int_equal(misses, 0);
  assert_int_equal(inventions, 0);
}

int main(int argc, char **argv)
{
  if (argc > 1) problems = atoi(argv[1]);
  if (argc > 2) seed = strtoull(argv[2], NULL, 10);
  if (argc > 3) program = argv[3];
  const struct CMUnitTest tests[] = {cmocka_unit_test(no_change_is_missed_or_invented)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
