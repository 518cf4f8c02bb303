// SPDX-License-Identifier: Apache-2.0
// brake: which points of a mechanism at rest are self-braking, and which forces cannot move it.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "ask/rest/brake_json.h"
#include "ask/rest/brake_points.h"
#include "explore/brake/field.h"
#include "result/json.h"
#include "ask/sim_options.h"
#include "ask/motion/simulate.h"
#include "ask/contact/solutions_json.h"
#include "ask/svg_file.h"
#include "result/table.h"

// clang-format off
static const amo_opt_def opts[] = {
    AMO_STATE_OPT,
    {"time", AMO_OPT_NUMBER, "T", NULL, NULL, "time, instead of the model's start", 0, 0},
    {"point", AMO_OPT_SETTINGS, "NAME=[x, y]", NULL, "P", "more points: [x, y] of the coordinates, PART, or PART[a, b] in its axes", 0, 0},
    {"field", AMO_OPT_TEXT, "PART", NULL, NULL, "all points of a body (or of a point with an angle)", 0, 0},
    {"size", AMO_OPT_TEXT, "NxM", "41x41", NULL, "grid of the field", 0, 0},
    {"range", AMO_OPT_TEXT, "X0:X1,Y0:Y1", NULL, NULL, "range of the field, in the axes of the part", 0, 0},
    {"tol", AMO_OPT_NUMBER, "TOL", "1e-10", NULL, "relative difference that is rounding", 1e-15, 0.1},
    {"plot", AMO_OPT_FILE, "FILE", NULL, NULL, "draw the points, their stagnation angles and the field (.svg); - is standard output", 0, 0},
    {"draw", AMO_OPT_FLAG, NULL, NULL, NULL, "put the drawing into the result (svg), for figures of studies", 0, 0},
    {NULL, AMO_OPT_FLAG, NULL, NULL, NULL, NULL, 0, 0}};
// clang-format on

static amo_status draw(const amo_brake_run *r, cJSON *o)
{
  const char *path = amo_opt_text(r->call->opt, "plot");
  char *text = NULL;
  if (!path && !amo_opt_flag(r->call->opt, "draw")) return AMO_OK;
  amo_status st = path ? amo_svg_path_check(r->call, "plot", path) : AMO_OK;
  if (st == AMO_OK) st = amo_brake_plot(r, o, &text);
  if (st == AMO_OK && path) st = amo_file_write_text(path, text, r->call->diags);
  if (st == AMO_OK && amo_opt_flag(r->call->opt, "draw")) cJSON_AddStringToObject(o, "svg", text);
  free(text);
  return st;
}

static amo_status answer(amo_brake_run *r, cJSON **result)
{
  const amo_call *call = r->call;
  amo_status st = amo_brake_at(r->brake, call->values->param, r->t, r->state);
  if (st == AMO_ENOANSWER)
    amo_error(call->diags, (amo_at){0},
              "brake needs friction that holds the mechanism, one contact for each motion",
              "self-braking is not defined here: %s", amo_brake_reason(r->brake));
  if (st != AMO_OK) return st;
  amo_moving_points_evaluate(r->spots, call->values->param, r->t, r->state);
  r->size = amo_brake_size(r->brake, r->spots);
  cJSON *o = *result = cJSON_CreateObject();
  amo_brake_head_json(r, o);
  cJSON *points = cJSON_AddObjectToObject(o, "points"), *self = cJSON_CreateArray();
  for (size_t i = 0; i < r->spots->count; i++) {
    cJSON *one = amo_brake_point_json(r, &r->spots->spot[i]);
    cJSON_AddItemToObject(points, r->spots->spot[i].name, one);
    if (!strcmp(amo_json_text(one, "class"), "self-braking"))
      cJSON_AddItemToArray(self, cJSON_CreateString(r->spots->spot[i].name));
  }
  cJSON_AddItemToObject(o, "self_braking", self);
  if (amo_opt_text(call->opt, "field")) st = amo_brake_field_json(r, o);
  if (st == AMO_OK) st = draw(r, o);
  return st;
}

static amo_status run(const amo_call *call, cJSON **result)
{
  const amo_model *m = call->model;
  amo_brake_run r = {.call = call, .tol = amo_opt_number(call->opt, "tol")};
  *result = NULL;
  r.state = amo_zalloc(amo_model_states(m), sizeof *r.state);
  amo_status st = r.state ? amo_state_at_rest(call, "brake", &r.t, r.state) : AMO_ENOMEM;
  if (st == AMO_OK) memset(r.state + m->nq, 0, m->nq * sizeof *r.state);
  if (st == AMO_OK) st = amo_moving_points_new(m, &r.spots);
  if (st == AMO_OK) st = amo_brake_points_read(call, r.spots);
  if (st == AMO_OK && r.spots->count == 0)
    st = amo_error(call->diags, (amo_at){0}, "--point \"[x, y]\"",
                   "the model has no part; say which point is meant");
  if (st == AMO_OK) st = amo_brake_new(m, &r.brake);
  if (st == AMO_OK) st = answer(&r, result);
  if (st != AMO_OK) {
    cJSON_Delete(*result);
    *result = NULL;
  }
  amo_brake_free(r.brake);
  amo_moving_points_free(r.spots);
  free(r.state);
  return st;
}

// ---- for a person ----

static void print_contacts(const cJSON *result, FILE *out)
{
  const cJSON *c = NULL;
  cJSON_ArrayForEach(c, cJSON_GetObjectItemCaseSensitive(result, "contacts"))
  {
    fprintf(out, "%s: slip %.10g per unit of %s", c->string, amo_json_get(c, "p"), amo_json_text(c, "per"));
    if (cJSON_GetObjectItemCaseSensitive(c, "mu"))
      fprintf(out, ", mu = %.10g, mu|L| = %.10g%s\n", amo_json_get(c, "mu"), amo_json_get(c, "mu_L"),
              cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(c, "paradox")) ? " (paradoxes)" : "");
    else
      fprintf(out, ", pressed: holds %.10g along the slip\n", amo_json_get(c, "bound"));
  }
}

static void print_field(const cJSON *f, FILE *out)
{
  const cJSON *x = NULL, *line = cJSON_GetObjectItemCaseSensitive(f, "line");
  const char *where = amo_json_text(f, "parallel");
  fprintf(out, "\nAll points of %s: ", amo_json_text(f, "part"));
  if (!strcmp(where, "line"))
    fprintf(out, "off one line every point is debraking; along it (in the axes of the part)\n");
  else if (*where)
    fprintf(out, "%s (a and b are parallel %s)\n", amo_json_text(f, "class"), where);
  else
    fprintf(out, "several rough contacts, see the grid\n");
  cJSON_ArrayForEach(x, cJSON_GetObjectItemCaseSensitive(line, "intervals"))
  {
    const cJSON *end[2] = {cJSON_GetObjectItemCaseSensitive(x, "from"),
                           cJSON_GetObjectItemCaseSensitive(x, "to")};
    for (int k = 0; k < 2; k++) {
      const cJSON *at = cJSON_GetObjectItemCaseSensitive(end[k], "in_part");
      if (at)
        fprintf(out, "%s(%.6g, %.6g)", k ? " to " : "  ", cJSON_GetArrayItem(at, 0)->valuedouble,
                cJSON_GetArrayItem(at, 1)->valuedouble);
      else
        fprintf(out, "%sinfinity", k ? " to " : "  ");
    }
    fprintf(out, ": %s\n", amo_json_text(x, "class"));
  }
}

static void print(const cJSON *result, FILE *out, int wide)
{
  const cJSON *x = NULL, *field = cJSON_GetObjectItemCaseSensitive(result, "field");
  amo_table t = {0};
  fprintf(out, "%s at rest\n", amo_json_text(result, "model"));
  print_contacts(result, out);
  fprintf(out, "\n");
  amo_table_head(&t, "<point"), amo_table_head(&t, "<class"), amo_table_head(&t, ">stagnation angle");
  amo_table_head(&t, ">of it sure"), amo_table_head(&t, ">gamma"), amo_table_head(&t, "<in print");
  cJSON_ArrayForEach(x, cJSON_GetObjectItemCaseSensitive(result, "points"))
  {
    double sure = amo_json_get(x, "psi_sure"), gamma = amo_json_get(x, "gamma");
    amo_table_cell(&t, "%s", x->string);
    amo_table_cell(&t, "%s", amo_json_text(x, "class"));
    amo_table_cell(&t, "%.6f deg", amo_json_get(x, "psi_deg"));
    amo_table_cell(&t, isnan(sure) ? "-" : "%.6f deg", sure * (180.0 / AMO_PI));
    amo_table_cell(&t, isnan(gamma) ? "-" : "%.10g", gamma);
    amo_table_cell(&t, "%s",
                   cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(x, "source_differs"))
                       ? amo_json_text(x, "source")
                       : "same");
  }
  amo_table_print(&t, out, wide);
  if (field) print_field(field, out);
}

const amo_verb amo_verb_brake = {
    .name = "brake",
    .summary = "self-braking points, and forces that cannot move a mechanism at rest",
    .at_rest = true,
    .usage = "MODEL [options]",
    .description =
        "Takes the mechanism at rest, held by friction, and asks of each point which forces acting there "
        "alone can "
        "move it. Self-braking: none can. Debraking: some can; the stagnation angle is that of the "
        "directions which "
        "cannot, of any size. Ambiguous: Painleve's paradox, with every force it may rest and may slip. "
        "Verdicts "
        "follow Coulomb's inequality; where a printed theorem says otherwise it stands beside.\n\n"
        "Points are all particles, bodies and points of the model and those of --point. Coordinates that "
        "--at does "
        "not name follow, so that the mechanism stays assembled. With a field all points of a rigid part are "
        "classified, exactly: off one line every point is debraking, on it classes change at poles.",
    .example = "amontons brake models/link-mechanism.yaml --at phi=1.1\n"
               "amontons brake models/crank.yaml --at phi=1.2 --set mu=1 --point \"pin=crank[r/2, 0]\"\n"
               "amontons map models/crank.yaml --x phi=0.1:3.1 --y mu=0.1:2 --of "
               "brake.points.crank.class --size 8x8",
    .opts = opts,
    .no_joints = true,
    .run = run,
    .print = print};
