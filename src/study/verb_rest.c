// SPDX-License-Identifier: Apache-2.0
// rest: does a mechanism at rest hold, start, or may it do either?
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "study/json.h"
#include "study/region.h"
#include "study/rest_ranges.h"
#include "study/rest_state.h"
#include "study/sim_options.h"
#include "study/simulate.h"
#include "study/solutions_json.h"
#include "study/svg_file.h"
#include "study/theorem_json.h"

// clang-format off
static const amo_opt_def opts[] = {
    AMO_STATE_OPT,
    {"time", AMO_OPT_NUMBER, "T", NULL, NULL, "time, instead of the model's start", 0, 0},
    {"region", AMO_OPT_SETTINGS, "NAME=FROM:TO ...", NULL, NULL, "one or two loads: the whole region in which it rests", 0, 0},
    {"plot", AMO_OPT_FILE, "FILE", NULL, NULL, "draw the region (.svg); - is standard output", 0, 0},
    {"draw", AMO_OPT_FLAG, NULL, NULL, NULL, "put the drawing of the region into the result (svg)", 0, 0},
    {NULL, AMO_OPT_FLAG, NULL, NULL, NULL, NULL, 0, 0}};
// clang-format on

/// Is there a contact, switches of expressions apart?
static bool has_contact(const amo_model *m)
{
  for (uint32_t c = 0; c < m->nc; c++)
    if (m->contact[c].rest != AMO_SWITCHES) return true;
  return false;
}

/// Nothing slips. Supports may be open: the body may stand on others.
static bool rests(const amo_model *m, const amo_solution *x)
{
  for (uint32_t c = 0; c < m->nc; c++)
    if (x->mode[c] != 0 && x->mode[c] != AMO_MODE_OPEN && m->contact[c].rest != AMO_SWITCHES) return false;
  return true;
}

/// Does the mechanism move on although every contact holds? Then the contacts do not hold it: they do not move
/// along (p = 0). What holding contacts and moving guides themselves ask is no motion of its own.
static amo_status free_motion(const amo_solutions *s, amo_point *p, const signed char *stick, bool *unheld)
{
  const amo_model *m = p->m;
  const double *acc = p->acc;
  double *along = amo_zalloc(m->nq + 1u, sizeof *along), size = 0.0, moving = 0.0;
  if (!along) return AMO_ENOMEM;
  for (size_t i = 0; i < s->count; i++)
    if (rests(m, &s->item[i])) acc = s->item[i].acc;
  amo_status st = amo_rest_asked(p, stick, true, along);
  for (uint32_t i = 0; st == AMO_OK && i < m->nq; i++) {
    double mass = p->reg[p->diagonal[i]];
    if (mass > 0.0) size = fmax(size, fabs(p->reg[m->r_h[i]] / mass));
    moving = fmax(moving, fabs(acc[i] - along[i]));
  }
  *unheld = moving > 1e-9 * size;
  free(along);
  return st == AMO_ENOANSWER ? AMO_OK : st;
}

/// The solution that holds, if forces are open in it: what is shown is the share that it was found with.
static const amo_solution *shared_hold(const amo_solutions *s)
{
  for (size_t i = 0; i < s->count; i++)
    for (uint32_t c = 0; rests(s->m, &s->item[i]) && c < s->m->nc; c++)
      if (s->item[i].loose[c] & AMO_LOOSE_REACTION) return &s->item[i];
  return NULL;
}

/// Between which limits forces lie that the motion does not determine.
static amo_status add_ranges(const amo_solutions *s, amo_point *p, const signed char *stick, cJSON *o)
{
  bool open = false;
  for (size_t i = 0; i < s->count; i++)
    for (uint32_t c = 0; rests(s->m, &s->item[i]) && c < s->m->nc; c++) open |= s->item[i].loose[c] != 0;
  if (!open) return AMO_OK;
  cJSON *shares = cJSON_CreateArray();
  const amo_status st = amo_rest_ranges(p, stick, shares);
  cJSON_AddItemToObject(o, "shares", st == AMO_OK ? shares : cJSON_CreateNull());
  if (st == AMO_OK) return st;
  cJSON_Delete(shares);
  if (st == AMO_EUNSUPPORTED)
    cJSON_AddStringToObject(o, "shares_reason", "not for friction in a plane, joints, or more than 8 guides");
  return st == AMO_EUNSUPPORTED ? AMO_OK : st;
}

/// Reserve of the holding force, relative to its limit: 1 unloaded, 0 at the limit, negative beyond.
/// *unheld: the mechanism accelerates although no contact slips (the contact does not move along: p = 0).
static amo_status margins(const amo_call *call, double t, const double *state, const amo_solutions *s,
                          cJSON *o, double *least, bool *unheld)
{
  const amo_model *m = call->model;
  amo_point *p = NULL;
  signed char *stick = amo_zalloc(m->nc + 1u, 1);
  cJSON *all = cJSON_AddObjectToObject(o, "contacts");
  const amo_solution *x = shared_hold(s);
  amo_status st = stick ? amo_point_new(m, &p) : AMO_ENOMEM;
  *least = INFINITY;
  if (st == AMO_OK) {
    amo_point_parameters(p, call->values->param);
    amo_point_registers(p, t, state, stick);
    amo_rest_modes(m, p, stick);
    st = amo_point_evaluate(p, t, state, stick);
  }
  for (uint32_t c = 0; st == AMO_OK && c < m->nc; c++) {
    if (m->contact[c].rest == AMO_SWITCHES) continue;  // holds nothing
    const bool holds = stick[c] == 0 && m->contact[c].nw > 0;
    const double needed = x ? x->lambda[c] : p->lambda[c], reaction = x ? x->reaction[c] : p->reaction[c];
    const double bound = x && amo_has_gap(&m->contact[c]) ? p->reg[m->contact[c].r_bound] * fabs(reaction)
                                                          : amo_point_bound(p, c);
    double margin = bound > 0.0 ? 1.0 - fabs(needed) / bound : needed == 0.0 ? 0.0 : -INFINITY;
    cJSON *k = cJSON_AddObjectToObject(all, m->contact[c].sym.name);
    if (!holds) margin = NAN;
    amo_json_add(k, "needed", needed);
    amo_json_add(k, "bound", bound);
    amo_json_add(k, "reaction", reaction);
    amo_json_add_or(k, "margin", margin, stick[c] != 0 ? "the support is open" : "there is no friction");
    *least = fmin(*least, margin);  // a NaN does not count
  }
  if (st == AMO_OK) st = free_motion(s, p, stick, unheld);
  if (st == AMO_OK && !*unheld) st = add_ranges(s, p, stick, o);
  amo_point_free(p);
  free(stick);
  return st;
}

static const char *verdict_of(const amo_solutions *s, bool unheld, int *direction)
{
  size_t holding = 0;
  *direction = 0;
  for (size_t i = 0; i < s->count; i++) {
    bool hold = rests(s->m, &s->item[i]) && !unheld;
    holding += hold;
    for (uint32_t c = 0; !hold && *direction == 0 && c < s->m->nc; c++)
      if (s->item[i].mode[c] != AMO_MODE_OPEN && s->m->contact[c].rest != AMO_SWITCHES)
        *direction = s->item[i].mode[c];
  }
  if (s->count == 1 && holding == 1) return "holds";
  if (s->count > 1 || s->kind == AMO_DEGENERATE) return "several";  // or one of many
  return s->count == 1 ? "starts" : "none";
}

static amo_status add_region(const amo_call *call, double t, const double *state, cJSON *o)
{
  const char *path = amo_opt_text(call->opt, "plot");
  const amo_setting *set = NULL;
  char *text = NULL;
  const bool draw = amo_opt_flag(call->opt, "draw");
  if (amo_opt_settings(call->opt, "region", &set) == 0)
    return path || draw ? amo_error(call->diags, (amo_at){0}, "--region M=-50:50 P=-100:100",
                                    "--plot and --draw are for the region of --region")
                        : AMO_OK;
  amo_status st = path ? amo_svg_path_check(call, "plot", path) : AMO_OK;
  if (st == AMO_OK) st = amo_region_json(call, t, state, o);
  if (st != AMO_OK || !(path || draw)) return st;
  st = amo_region_plot(call, cJSON_GetObjectItemCaseSensitive(o, "region"), &text);
  if (st == AMO_OK && path) st = amo_file_write_text(path, text, call->diags);
  if (st == AMO_OK && draw) cJSON_AddStringToObject(o, "svg", text);
  free(text);
  return st;
}

static amo_status run(const amo_call *call, cJSON **result)
{
  double t = 0.0, least = NAN, *state = amo_zalloc(amo_model_states(call->model), sizeof *state);
  amo_solutions *s = NULL;
  *result = NULL;
  if (!state) return AMO_ENOMEM;
  amo_status st = amo_state_at_rest(call, "rest", &t, state);
  if (st == AMO_OK && !has_contact(call->model))
    st = amo_error(call->diags, (amo_at){0}, NULL, "the model has no contact that could hold it");
  if (st == AMO_OK) st = amo_rest_state(call->values, t, state);
  if (st == AMO_OK) st = amo_solutions_at(call, t, state, &s);
  if (st == AMO_OK) {
    int direction;
    cJSON *o = *result = cJSON_CreateObject();
    bool unheld = false;
    cJSON_AddStringToObject(o, "model", amo_model_name(call->model));
    st = margins(call, t, state, s, o, &least, &unheld);
    cJSON_AddStringToObject(o, "verdict", verdict_of(s, unheld, &direction));
    cJSON_AddNumberToObject(o, "direction", direction);
    amo_json_add(o, "margin", least);
    amo_theorem_add(s, o);
    amo_solutions_add_complete(o, s);
    cJSON_AddItemToObject(o, "solutions", amo_solutions_list_json(s));
    if (st == AMO_OK) st = add_region(call, t, state, o);
  }
  if (st != AMO_OK) {
    cJSON_Delete(*result);
    *result = NULL;
  }
  amo_solutions_free(s);
  free(state);
  return st;
}

static void print_range(const cJSON *range, const char *name, FILE *out)
{
  const cJSON *low = cJSON_GetArrayItem(range, 0), *high = cJSON_GetArrayItem(range, 1);
  if (range != NULL)
    fprintf(out, ", %s %.10g to %.10g", name, cJSON_IsNumber(low) ? low->valuedouble : -INFINITY,
            cJSON_IsNumber(high) ? high->valuedouble : INFINITY);
}

static void print_share(const cJSON *share, FILE *out)
{
  const cJSON *x = NULL;
  fprintf(out, "it holds with any share of forces in");
  cJSON_ArrayForEach(x, share)
  {
    fprintf(out, "%s %s", x == share->child ? "" : ";", x->string);
    print_range(cJSON_GetObjectItemCaseSensitive(x, "reaction"), "reaction", out);
    print_range(cJSON_GetObjectItemCaseSensitive(x, "friction"), "friction", out);
  }
  fprintf(out, "\n");
}

static void print(const cJSON *result, FILE *out, int wide)
{
  const cJSON *x = NULL;
  int direction = (int)amo_json_get(result, "direction");
  const char *verdict = amo_json_text(result, "verdict");
  fprintf(out, "%s: %s", amo_json_text(result, "model"), verdict);
  const cJSON *solutions = cJSON_GetObjectItemCaseSensitive(result, "solutions");
  if (cJSON_GetArraySize(solutions) > 1)  // those that rest come first
    fprintf(out,
            strstr(amo_json_text(solutions->child, "kind"), "slip") == NULL
                ? ", it may rest or move: %d solutions"
                : ", it may move in %d ways",
            cJSON_GetArraySize(solutions));
  else if (direction != 0)
    fprintf(out, ", motion towards %s slip", direction > 0 ? "positive" : "negative");
  fprintf(out, "\n");
  cJSON_ArrayForEach(x, cJSON_GetObjectItemCaseSensitive(result, "contacts"))
  {
    if (isnan(amo_json_get(x, "margin")))
      fprintf(out, "%s: %s\n", x->string, amo_json_text(x, "margin_reason"));
    else
      fprintf(out, "%s: needs %.10g of at most %.10g to hold (margin %.4g)\n", x->string,
              amo_json_get(x, "needed"), amo_json_get(x, "bound"), amo_json_get(x, "margin"));
  }
  cJSON_ArrayForEach(x, cJSON_GetObjectItemCaseSensitive(result, "shares")) print_share(x, out);
  x = cJSON_GetObjectItemCaseSensitive(result, "source");
  if (x && strcmp(amo_json_text(x, "enumeration"), "differs") == 0)
    fprintf(out, "Theorem %d as printed by Le xuan Anh says %s: not so\n", (int)amo_json_get(x, "theorem"),
            amo_json_text(x, "verdict"));
  fprintf(out, "\n");
  amo_solutions_print(result, out, wide);
  const cJSON *region = cJSON_GetObjectItemCaseSensitive(result, "region");
  if (region) amo_region_print(region, out);
}

const amo_verb amo_verb_rest = {
    .name = "rest",
    .summary = "does it hold, start, or may it do either?",
    .usage = "MODEL [options]",
    .description =
        "Takes the mechanism at rest and lists every solution: rest, and slip in either direction. Verdict: "
        "holds, "
        "starts (with the direction of slip), several, or none. The margin is the reserve of each contact's "
        "holding force relative to its limit: 1 unloaded, 0 at the limit, negative beyond it. Where rest "
        "does not "
        "determine all forces it tells between which limits each of them lies.\n\n"
        "With --region the whole region of one or two loads in which rest is possible: exact intervals or "
        "polygons, found "
        "from the linear structure of the contact problem, with the part in which slip is possible too. The "
        "parameters "
        "must enter the loads linearly and nothing else.",
    .example = "amontons rest models/painleve-klein.yaml --set P1=1 P2=0.2\n"
               "amontons rest models/link-mechanism.yaml --region M=-100:100 P=-400:400",
    .main = "verdict",
    .at_rest = true,
    .opts = opts,
    .run = run,
    .print = print};
