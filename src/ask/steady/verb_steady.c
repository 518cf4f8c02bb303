// SPDX-License-Identifier: Apache-2.0
// steady: steady sliding, its eigenvalues and the criteria of its stability.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "amontons/steady.h"
#include "base/mem.h"
#include "result/json.h"
#include "ask/number.h"
#include "ask/sim_options.h"
#include "ask/motion/simulate.h"
#include "ask/contact/solutions_json.h"
#include "ask/steady/steady_json.h"
#include "result/table.h"

// clang-format off
static const amo_opt_def opts[] = {
    AMO_STATE_OPT,
    {"time", AMO_OPT_NUMBER, "T", NULL, NULL, "time, instead of the model's start", 0, 0},
    {"modes", AMO_OPT_SETTINGS, "\"belt=slip-\"", NULL, NULL, "stick, slip, slip+, slip- or open for each contact named", 0, 0},
    {"all", AMO_OPT_FLAG, NULL, NULL, NULL, "every steady state that is found, in all modes, from speeds of all sizes", 0, 0},
    {"search", AMO_OPT_SETTINGS, "x=FROM:TO", NULL, NULL, "states from which to begin as well, with --all", 0, 0},
    {"points", AMO_OPT_INTEGER, "N", "21", NULL, "beginnings along each range of --search", 2, 10000},
    {NULL, AMO_OPT_FLAG, NULL, NULL, NULL, NULL, 0, 0}};
// clang-format on

enum { MAX_RANGES = 2, MAX_STARTS = 100000, MAX_MODES = 4096 };

// ---- what was asked ----

static amo_status mode_of(const amo_call *call, const amo_setting *set, double slip, int *mode)
{
  static const struct {
    const char *word;
    int mode;
  } known[] = {{"stick", 0},     {"slip+", 1},       {"forward", 1},      {"slip-", -1},
               {"backward", -1}, {"open", AMO_OPEN}, {"apart", AMO_OPEN}, {"separation", AMO_OPEN},
               {"0", 0},         {"1", 1},           {"+1", 1},           {"-1", -1}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (!strcmp(set->text, known[i].word)) return *mode = known[i].mode, AMO_OK;
  if (!strcmp(set->text, "slip")) return *mode = slip < 0.0 ? -1 : 1, AMO_OK;
  return amo_error(call->diags, (amo_at){0}, "stick, slip, slip+, slip- or open",
                   "--modes: %s cannot be '%s'", set->name, set->text);
}

/// Modes of all contacts, as many as are named; the others stick where they do not move. *given: any was named.
static amo_status read_modes(const amo_call *call, const double *state, int *mode, bool *given)
{
  const amo_model *m = call->model;
  const amo_setting *set = NULL;
  size_t n = amo_opt_settings(call->opt, "modes", &set);
  amo_steady_slips(call->values, amo_opt_given(call->opt, "time") ? amo_opt_number(call->opt, "time") : NAN,
                   state, mode);
  *given = n > 0;
  for (size_t i = 0; i < n; i++) {
    long c = amo_model_find_contact(m, set[i].name);
    if (c < 0)
      return amo_error(call->diags, (amo_at){0}, NULL, "--modes: the model has no contact '%s'", set[i].name);
    amo_status st = mode_of(call, &set[i], mode[c], &mode[c]);
    if (st == AMO_OK && mode[c] == -1 && m->contact[c].spatial)
      st = amo_error(call->diags, (amo_at){0}, "its direction is found",
                     "--modes: %s slips in a plane, so it can only be 'slip'", set[i].name);
    if (st != AMO_OK) return st;
  }
  return AMO_OK;
}

typedef struct search_range {
  size_t state;
  double from, to;
} search_range;

static amo_status read_ranges(const amo_call *call, search_range *r, size_t *count)
{
  const amo_setting *set = NULL;
  *count = amo_opt_settings(call->opt, "search", &set);
  if (*count > MAX_RANGES)
    return amo_error(call->diags, (amo_at){0}, NULL, "--search takes at most %d states", MAX_RANGES);
  if (*count && !amo_opt_flag(call->opt, "all"))
    return amo_error(call->diags, (amo_at){0}, "add --all", "--search is for --all");
  for (size_t i = 0; i < *count; i++) {
    long s = amo_model_find_state(call->model, set[i].name);
    const char *colon = strchr(set[i].text, ':');
    char from[256];
    if (s < 0)
      return amo_error(call->diags, (amo_at){0}, NULL, "--search: the model has no state '%s'", set[i].name);
    if (!colon || (size_t)(colon - set[i].text) >= sizeof from)
      return amo_error(call->diags, (amo_at){0}, NULL, "--search needs STATE=FROM:TO, got '%s=%s'",
                       set[i].name, set[i].text);
    memcpy(from, set[i].text, (size_t)(colon - set[i].text));
    from[colon - set[i].text] = '\0';
    r[i].state = (size_t)s;
    amo_status st = amo_number_eval(from, (amo_at){0}, call->values, call->diags, &r[i].from);
    if (st == AMO_OK) st = amo_number_eval(colon + 1, (amo_at){0}, call->values, call->diags, &r[i].to);
    if (st != AMO_OK) return st;
  }
  return AMO_OK;
}

// ---- all of them ----

static bool same(const amo_steady *a, const amo_steady *b)
{
  for (size_t i = 0; i < a->states; i++)
    if (fabs(a->state[i] - b->state[i]) > 1e-7 * (1.0 + fabs(a->state[i]))) return false;
  return !memcmp(a->mode, b->mode, a->contacts * sizeof *a->mode);
}

typedef struct collection {
  amo_steady **item;
  size_t count, capacity;
} collection;

static bool is_known(const collection *all, const amo_steady *s)
{
  for (size_t i = 0; i < all->count; i++)
    if (same(all->item[i], s)) return true;
  return false;
}

/// Does a start a little faster lead to the same motion? Where friction does not care for the speed, any speed may be
/// steady, and none of them stands for itself.
static bool stands_alone(const amo_call *call, const amo_steady_opts *o, const amo_steady *s)
{
  const size_t n = amo_model_states(call->model), nq = amo_model_coordinates(call->model);
  double *start = amo_zalloc(n + 1, sizeof *start);
  amo_steady_opts p = *o;
  amo_steady *again = NULL;
  if (!start) return false;
  memcpy(start, s->state, n * sizeof *start);
  for (size_t i = nq; i < 2 * nq; i++) start[i] *= 1.001;
  p.start = start;
  p.mode = s->mode;
  bool alone = amo_steady_find(call->model, &p, NULL, &again) == AMO_OK;
  for (size_t i = nq; alone && i < 2 * nq; i++)
    alone = fabs(again->state[i] - s->state[i]) <= 1e-6 * fabs(s->state[i]) + 1e-12;
  amo_steady_free(again);
  free(start);
  return alone;
}

static amo_status collect(collection *all, amo_steady *s)
{
  if (is_known(all, s)) {
    amo_steady_free(s);
    return AMO_OK;
  }
  if (!AMO_ROOM(all->item, all->count, all->capacity)) {
    amo_steady_free(s);
    return AMO_ENOMEM;
  }
  all->item[all->count++] = s;
  return AMO_OK;
}

/// Mode number `code` in base 4: stick, forward, backward, apart. False: this model has no such.
static bool mode_number(const amo_model *m, size_t code, int *mode)
{
  static const int value[4] = {0, 1, -1, AMO_OPEN};
  for (uint32_t c = 0; c < m->nc; c++, code /= 4) {
    mode[c] = value[code % 4];
    if (mode[c] == AMO_OPEN && !m->contact[c].parts) return false;
    if (mode[c] == -1 && m->contact[c].spatial) return false;
  }
  return true;
}

static amo_status every_mode(const amo_call *call, const amo_steady_opts *o, int *mode, collection *all)
{
  size_t codes = 1;
  for (uint32_t c = 0; c < call->model->nc; c++) codes = codes > MAX_MODES ? codes : 4 * codes;
  if (codes > MAX_MODES)
    return amo_error(call->diags, (amo_at){0}, "name modes with --modes",
                     "too many contacts to try all modes");
  amo_status st = AMO_OK;
  for (size_t k = 0; k < codes && (st == AMO_OK || st == AMO_ENOANSWER); k++) {
    amo_steady_opts p = *o;
    amo_steady *s = NULL;
    if (call->interrupted && *call->interrupted) return AMO_EINTR;
    if (!o->mode && !mode_number(call->model, k, mode)) continue;
    p.mode = mode;
    st = amo_steady_find(call->model, &p, NULL, &s);
    if (st == AMO_OK) st = collect(all, s);
    if (o->mode) break;
  }
  return st == AMO_ENOANSWER ? AMO_OK : st;
}

/// From a start that nobody asked for, slipping as it moves there: what it leads to must stand for itself.
static amo_status in_its_modes(const amo_call *call, const amo_steady_opts *o, int *mode, collection *all)
{
  amo_steady_opts p = *o;
  amo_steady *s = NULL;
  if (!o->mode) amo_steady_slips(call->values, o->t, o->start, mode);
  p.mode = mode;
  amo_status st = amo_steady_find(call->model, &p, NULL, &s);
  if (st == AMO_ENOANSWER) return AMO_OK;
  if (st == AMO_OK && (is_known(all, s) || stands_alone(call, o, s))) return collect(all, s);
  amo_steady_free(s);
  return st;
}

/// Where friction is a curved function of speed, several speeds may be steady, and which of them a start leads to is
/// chance: begin at speeds of all sizes, of each coordinate and of all together.
static amo_status every_speed(const amo_call *call, amo_steady_opts *o, double *start, int *mode,
                              collection *all)
{
  enum { RUNGS = 17, MOST = 4 };
  const size_t nq = amo_model_coordinates(call->model), n = amo_model_states(call->model);
  const size_t ways = nq > 1 && nq <= MOST ? nq + 1 : nq > 0;
  double *own = amo_zalloc(n + 1, sizeof *own);
  amo_status st = own ? AMO_OK : AMO_ENOMEM;
  if (own) memcpy(own, start, n * sizeof *own);
  for (size_t k = 0; st == AMO_OK && k < 2 * RUNGS * ways; k++) {
    const size_t way = k / (2 * RUNGS), rung = k % (2 * RUNGS) / 2;
    const double speed = (k % 2 ? -1.0 : 1.0) * pow(10.0, 0.5 * (double)rung - 5.0);
    memcpy(start, own, n * sizeof *own);
    for (size_t i = 0; i < nq; i++)
      if (way == 0 || way == i + 1) start[nq + i] = speed;
    if (call->interrupted && *call->interrupted) st = AMO_EINTR;
    if (st == AMO_OK) st = in_its_modes(call, o, mode, all);
  }
  if (own) memcpy(start, own, n * sizeof *own);
  free(own);
  return st;
}

static amo_status every_start(const amo_call *call, amo_steady_opts *o, double *start, int *mode,
                              collection *all)
{
  search_range r[MAX_RANGES];
  size_t ranges = 0, points = (size_t)amo_opt_integer(call->opt, "points"), total = 1;
  amo_status st = read_ranges(call, r, &ranges);
  for (size_t i = 0; i < ranges; i++) total *= points;
  if (st == AMO_OK && total > MAX_STARTS)
    st = amo_error(call->diags, (amo_at){0}, "fewer --points", "%zu beginnings are too many", total);
  if (st == AMO_OK) st = every_mode(call, o, mode, all);
  if (st == AMO_OK) st = every_speed(call, o, start, mode, all);
  for (size_t k = 0; st == AMO_OK && ranges && k < total; k++) {
    for (size_t i = 0, code = k; i < ranges; i++, code /= points)
      start[r[i].state] = r[i].from + (r[i].to - r[i].from) * (double)(code % points) / (double)(points - 1);
    st = every_mode(call, o, mode, all);
    if (call->progress) call->progress(call->progress_ctx, (double)(k + 1) / (double)total);
  }
  return st;
}

// ---- the verb ----

static amo_status run_all(const amo_call *call, amo_steady_opts *o, double *start, int *mode, cJSON **result)
{
  collection all = {0};
  amo_status st = every_start(call, o, start, mode, &all);
  if (st == AMO_OK && all.count == 0) {
    amo_error(call->diags, (amo_at){0}, "begin elsewhere with --at or --search", "no steady state was found");
    st = AMO_ENOANSWER;
  }
  if (st == AMO_OK) {
    *result = amo_steady_json(call->model, all.item[0]);
    cJSON *list = cJSON_AddArrayToObject(*result, "states");
    for (size_t i = 0; i < all.count; i++)
      cJSON_AddItemToArray(list, amo_steady_json(call->model, all.item[i]));
    cJSON_AddNumberToObject(*result, "count", (double)all.count);
  }
  for (size_t i = 0; i < all.count; i++) amo_steady_free(all.item[i]);
  free(all.item);
  return st;
}

static amo_status run_one(const amo_call *call, const amo_steady_opts *o, cJSON **result)
{
  amo_steady *s = NULL;
  amo_status st = amo_steady_find(call->model, o, call->diags, &s);
  if (st == AMO_OK) *result = amo_steady_json(call->model, s);
  amo_steady_free(s);
  return st;
}

static amo_status run(const amo_call *call, cJSON **result)
{
  const amo_model *m = call->model;
  amo_steady_opts o = amo_steady_opts_default();
  bool given = false;
  double *start = amo_zalloc(amo_model_states(m), sizeof *start);
  int *mode = amo_zalloc(m->nc, sizeof *mode);
  *result = NULL;
  amo_status st = start && mode ? amo_state_at(call, &o.t, start) : AMO_ENOMEM;
  search_range unused[MAX_RANGES];
  size_t ranges = 0;
  if (st == AMO_OK) st = read_modes(call, start, mode, &given);
  if (st == AMO_OK) st = read_ranges(call, unused, &ranges);  // mistakes are told before the search
  o.start = start;
  o.values = call->values;
  o.mode = given ? mode : NULL;
  if (st == AMO_OK)
    st = amo_opt_flag(call->opt, "all") ? run_all(call, &o, start, mode, result) : run_one(call, &o, result);
  free(start);
  free(mode);
  return st;
}

const amo_verb amo_verb_steady = {
    .name = "steady",
    .summary = "steady sliding: eigenvalues, criteria, growth rate",
    .usage = "MODEL [options]",
    .description =
        "Finds a motion in which nothing changes: velocities are constant, no coordinate accelerates, no "
        "force "
        "changes (the block that rests in its spring while the belt slips under it; a mass dragged at "
        "constant "
        "speed by a load that grows). The search begins at the initial state, in the modes that contacts "
        "have "
        "there, then in all others. Contacts that stick stay sticking.\n\n"
        "There the equations of motion are linearised with exact derivatives (slope of the friction curve, "
        "change "
        "of normal forces, turning of the slip direction): eigenvalues, the coefficients a1, a2, ... of the "
        "characteristic polynomial, Hurwitz's determinants H1, H2, ... (the last is the last coefficient), "
        "growth "
        "and frequency of what grows fastest. Stable: every eigenvalue has a negative real part; positions "
        "that "
        "nothing depends on are left out.\n\n"
        "For a slipping contact also its quasi-static stiffness against slip, friction keeping its "
        "direction: X "
        "along the slip, Y across it, D the determinant, G = X*Y - D. X < 0: no continuous quasi-static "
        "slip; "
        "D < 0: several quasi-static answers. criteria.code adds 1 if the last determinant but one is "
        "negative "
        "(oscillations grow), 2 if D < 0, 4 if X < 0.",
    .example = "amontons steady models/block-on-belt.yaml --set v=0.5\n"
               "amontons limits models/block-on-belt.yaml --of steady.stable --vary v=0.05:2",
    .opts = opts,
    .no_joints = true,
    .run = run,
    .print = amo_steady_print};
