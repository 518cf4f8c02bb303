// SPDX-License-Identifier: Apache-2.0
// quasistatic: equilibria under slowly changing loads, and all answers of the rate problem.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "amontons/quasistatic.h"
#include "base/mem.h"
#include "plot/figure.h"
#include "result/json.h"
#include "ask/steady/quasistatic_json.h"
#include "ask/sim_options.h"
#include "ask/motion/simulate.h"
#include "ask/contact/solutions_json.h"
#include "result/table.h"

// clang-format off
static const amo_opt_def opts[] = {
    {"until", AMO_OPT_NUMBER, "T", NULL, NULL, "follow the loads until this time", 0, 0},
    {"rate", AMO_OPT_FLAG, NULL, NULL, NULL, "all answers at the start, for the loads' rates there (without --until)", 0, 0},
    {"sectors", AMO_OPT_TEXT, "C1,C2", NULL, NULL, "the answers in every direction of these two parameters", 0, 0},
    AMO_STATE_OPT,
    {"time", AMO_OPT_NUMBER, "T", NULL, NULL, "time at the start, instead of the model's", 0, 0},
    {"tol", AMO_OPT_NUMBER, "TOL", "1e-11", NULL, "relative accuracy per step", 1e-15, 0.1},
    {"max-step", AMO_OPT_NUMBER, "H", NULL, NULL, "longest step; a 200th of the whole if not given", 1e-300, INFINITY},
    {"no-jumps", AMO_OPT_FLAG, NULL, NULL, NULL, "stop where no continuous answer exists", 0, 0},
    {"unstable", AMO_OPT_FLAG, NULL, NULL, NULL, "ask also where the stiffness without friction is not positive", 0, 0},
    {"csv", AMO_OPT_FILE, "FILE", NULL, NULL, "write the path as CSV; - is standard output", 0, 0},
    {"plot", AMO_OPT_FILE, "FILE", NULL, NULL, "draw the path: .svg, .png or .pdf; the gnuplot script stays beside it", 0, 0},
    {"plot-x", AMO_OPT_TEXT, "EXPR", NULL, NULL, "abscissa of the figure: a column or an expression of columns", 0, 0},
    {"plot-y", AMO_OPT_TEXT, "EXPRS", NULL, NULL, "ordinates of the figure, separated by commas", 0, 0},
    {NULL, AMO_OPT_FLAG, NULL, NULL, NULL, NULL, 0, 0}};
// clang-format on

// ---- figure ----

static amo_status draw(const amo_call *call, const amo_trajectory *t, const char *file)
{
  const amo_model *m = call->model;
  const char *x = amo_opt_text(call->opt, "plot-x"), *y = amo_opt_text(call->opt, "plot-y");
  if (!x) x = m->drawing.x && !y ? m->drawing.x : "t";
  if (!y)
    y = m->drawing.y && x != NULL && strcmp(x, "t") != 0 ? m->drawing.y : m->nq > 0 ? m->sym.q[0].name : "t";
  amo_figure *f = amo_figure_new(amo_model_name(m));
  double *px = amo_zalloc(t->rows, sizeof *px), *py = amo_zalloc(t->rows, sizeof *py);
  char *names = amo_strdup(y), *rest = NULL, *label = amo_trajectory_label(t, x);
  char *up = amo_trajectory_label(t, strchr(y, ',') ? "" : y);
  amo_panel *p = f && label && up ? amo_figure_panel(f, "", label, up) : NULL;
  amo_status st = f && p && px && py && names && label
                      ? amo_trajectory_eval(t, call->values, x, call->diags, px)
                      : AMO_ENOMEM;
  for (char *one = st == AMO_OK ? strtok_r(names, ",", &rest) : NULL; one && st == AMO_OK;
       one = strtok_r(NULL, ",", &rest)) {
    while (*one == ' ') one++;
    st = amo_trajectory_eval(t, call->values, one, call->diags, py);
    if (st == AMO_OK && !amo_panel_series(p, AMO_STYLE_LINE, strchr(y, ',') ? one : "", px, py, t->rows))
      st = AMO_ENOMEM;
  }
  if (st == AMO_OK) st = amo_figure_write(f, file, call->diags);
  amo_figure_free(f);
  free(px);
  free(py);
  free(names);
  free(label);
  free(up);
  return st;
}

// ---- the verb ----

typedef struct watcher {
  const amo_call *call;
  double from, to;
} watcher;

static int on_step(void *ctx, double t)
{
  const watcher *w = ctx;
  if (w->call->progress && w->to > w->from)
    w->call->progress(w->call->progress_ctx, (t - w->from) / (w->to - w->from));
  return w->call->interrupted && *w->call->interrupted;
}

static amo_status follow(const amo_call *call, double t, const double *state, cJSON **result)
{
  amo_quasistatic_opts o = amo_quasistatic_opts_default();
  amo_quasistatic *p = NULL;
  const char *csv = amo_opt_text(call->opt, "csv"), *plot = amo_opt_text(call->opt, "plot");
  o.start = t;
  o.state = state;
  o.values = call->values;
  o.until = amo_opt_number(call->opt, "until");
  o.tol = amo_opt_number(call->opt, "tol");
  o.max_step = amo_opt_given(call->opt, "max-step") ? amo_opt_number(call->opt, "max-step") : 0.0;
  o.unstable = amo_opt_flag(call->opt, "unstable");
  o.jumps = !amo_opt_flag(call->opt, "no-jumps");
  amo_status st = amo_span_check(call->opt, t, o.until, call->diags);
  if (st != AMO_OK) return st;
  watcher w = {call, t, o.until};
  o.on_step = on_step;
  o.ctx = &w;
  st = amo_quasistatic_run(call->model, &o, call->diags, &p);
  amo_trajectory *rows = NULL;
  if (st == AMO_OK) *result = amo_path_json(call, p);
  if (st == AMO_OK && (csv || plot || call->recorded)) st = amo_path_trajectory(call->model, p, &rows);
  if (st == AMO_OK && csv) st = amo_trajectory_csv(rows, csv, call->diags);
  if (st == AMO_OK && plot) st = draw(call, rows, plot);
  if (st == AMO_OK && p->violation >= 1e-8) st = AMO_EAUDIT;
  amo_quasistatic_free(p);
  if (call->recorded)
    *call->recorded = rows;
  else
    amo_trajectory_free(rows);
  return st;
}

static amo_status ask(const amo_call *call, double t, const double *state, cJSON **result)
{
  amo_rate_state r;
  size_t axis[2];
  const char *plane = amo_opt_text(call->opt, "sectors");
  amo_status st = plane ? amo_sectors_axes(call, plane, axis) : AMO_OK;
  if (st == AMO_OK)
    st = amo_rate_state_find(call->values, t, state, amo_opt_flag(call->opt, "unstable"), call->diags, &r);
  if (st != AMO_OK) return st;
  st = amo_rate_json(call, t, &r, result);
  amo_rate_state_free(&r);
  return st == AMO_OK && plane ? amo_sectors_json(call, t, state, axis, *result) : st;
}

static amo_status run(const amo_call *call, cJSON **result)
{
  double t = 0.0, *state = amo_zalloc(amo_model_states(call->model), sizeof *state);
  const char *plot = amo_opt_text(call->opt, "plot");
  bool until = amo_opt_given(call->opt, "until"),
       rate = amo_opt_flag(call->opt, "rate") || amo_opt_text(call->opt, "sectors");
  *result = NULL;
  if (!state) return AMO_ENOMEM;
  amo_status st = amo_state_at_rest(call, "quasistatic", &t, state);
  if (st == AMO_OK && call->model->nq == 0)
    st = amo_error(call->diags, (amo_at){0}, "ask 'steady'",
                   "the model has states only: no coordinate on which loads could act");
  if (st == AMO_OK && until && rate)
    st = amo_error(call->diags, (amo_at){0}, "ask twice",
                   "--rate and --sectors look at one state, --until follows the loads");
  if (st == AMO_OK && (amo_opt_text(call->opt, "csv") || plot) && !until)
    st = amo_error(call->diags, (amo_at){0}, NULL, "--csv and --plot are of a path; give --until too");
  if (st == AMO_OK) st = amo_plot_given(call);
  if (st == AMO_OK && plot) st = amo_figure_check_name(plot, call->diags);
  if (st == AMO_OK) st = until ? follow(call, t, state, result) : ask(call, t, state, result);
  free(state);
  return st;
}

// ---- text ----

static const char *word(const cJSON *mode)
{
  if (cJSON_IsString(mode)) return mode->valuestring;
  return mode->valuedouble == 0.0 ? "stick" : mode->valuedouble > 0.0 ? "slip+" : "slip-";
}

static void print_events(const cJSON *events, FILE *out, int wide)
{
  const cJSON *e = NULL, *x = NULL;
  amo_table t = {0};
  amo_table_head(&t, ">t"), amo_table_head(&t, "<contact"), amo_table_head(&t, "<from"),
      amo_table_head(&t, "<to");
  amo_table_head(&t, "<how"), amo_table_head(&t, "<state after");
  cJSON_ArrayForEach(e, events)
  {
    char text[256] = "";
    size_t n = 0;
    amo_table_cell(&t, "%.12g", amo_json_get(e, "t"));
    amo_table_cell(&t, "%s", amo_json_text(e, "contact"));
    amo_table_cell(&t, "%s", word(cJSON_GetObjectItemCaseSensitive(e, "from")));
    amo_table_cell(&t, "%s", word(cJSON_GetObjectItemCaseSensitive(e, "to")));
    amo_table_cell(&t, "%s", cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(e, "jump")) ? "jump" : "");
    cJSON_ArrayForEach(x, cJSON_GetObjectItemCaseSensitive(e, "state")) if (n < sizeof text) n +=
        (size_t)snprintf(text + n, sizeof text - n, "%s%s = %.9g", n ? ", " : "", x->string, x->valuedouble);
    amo_table_cell(&t, "%s", text);
  }
  amo_table_print(&t, out, wide);
}

static void print_path(const cJSON *r, FILE *out, int wide)
{
  const cJSON *x = NULL, *events = cJSON_GetObjectItemCaseSensitive(r, "events");
  const cJSON *final = cJSON_GetObjectItemCaseSensitive(r, "final");
  const cJSON *audit = cJSON_GetObjectItemCaseSensitive(r, "audit");
  fprintf(out, "%s: %s", amo_json_text(r, "model"), amo_json_text(r, "status"));
  if (*amo_json_text(r, "reason")) fprintf(out, " (%s)", amo_json_text(r, "reason"));
  fprintf(out, "\n\n");
  if (cJSON_GetArraySize(events) > 0)
    print_events(events, out, wide);
  else
    fprintf(out, "no event\n");
  fprintf(out, "\nat t = %.10g:", amo_json_get(final, "t"));
  cJSON_ArrayForEach(x, cJSON_GetObjectItemCaseSensitive(final, "state"))
      fprintf(out, " %s = %.12g", x->string, x->valuedouble);
  cJSON_ArrayForEach(x, cJSON_GetObjectItemCaseSensitive(final, "modes"))
      fprintf(out, ", %s: %s", x->string, word(x));
  fprintf(out, "\naudit  %s: conditions to %.2g\n",
          cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(audit, "ok")) ? "passed" : "FAILED",
          amo_json_get(audit, "violation"));
}

static void print_rate(const cJSON *r, FILE *out, int wide)
{
  const cJSON *x = NULL, *y = NULL, *sectors = cJSON_GetObjectItemCaseSensitive(r, "sectors");
  amo_table t = {0}, s = {0};
  fprintf(out, "%s: %s (%s)\n\n", amo_json_text(r, "model"), amo_json_text(r, "class"),
          amo_json_text(r, "answers"));
  if (cJSON_IsFalse(cJSON_GetObjectItemCaseSensitive(r, "equilibrium")))
    fprintf(out, "not an equilibrium: a contact would have to hold more than it can\n\n");
  amo_table_head(&t, "<contact"), amo_table_head(&t, "<where"), amo_table_head(&t, ">reaction");
  amo_table_head(&t, ">bound"), amo_table_head(&t, ">least X"), amo_table_head(&t, ">least D");
  cJSON_ArrayForEach(x, cJSON_GetObjectItemCaseSensitive(r, "contacts"))
  {
    amo_table_cell(&t, "%s", x->string);
    amo_table_cell(&t, "%s", amo_json_text(x, "place"));
    amo_table_cell(&t, "%.10g", amo_json_get(x, "reaction"));
    amo_table_cell(&t, "%.10g", amo_json_get(x, "bound"));
    amo_table_cell(&t, "%.10g", amo_json_get(x, "X_min"));
    amo_table_cell(&t, "%.10g", amo_json_get(x, "D_min"));
  }
  amo_table_print(&t, out, wide);
  int n = 0;
  cJSON_ArrayForEach(x, cJSON_GetObjectItemCaseSensitive(r, "solutions"))
  {
    fprintf(out, "\nanswer %d:", ++n);
    cJSON_ArrayForEach(y, cJSON_GetObjectItemCaseSensitive(x, "modes"))
        fprintf(out, " %s %s", y->string, word(y));
    fprintf(out, "; rates");
    cJSON_ArrayForEach(y, cJSON_GetObjectItemCaseSensitive(x, "rates"))
        fprintf(out, " %s %.10g", y->string, y->valuedouble);
    cJSON_ArrayForEach(y, cJSON_GetObjectItemCaseSensitive(x, "reactions"))
        fprintf(out, ", reaction of %s %.10g", y->string, y->valuedouble);
  }
  if (n) fprintf(out, "\n");
  if (!sectors) return;
  fprintf(out, "\n");
  amo_table_head(&s, ">from [deg]"), amo_table_head(&s, ">to [deg]"), amo_table_head(&s, "<answers");
  cJSON_ArrayForEach(x, sectors)
  {
    amo_table_cell(&s, "%.10g", amo_json_get(x, "from"));
    amo_table_cell(&s, "%.10g", amo_json_get(x, "to"));
    amo_table_cell(&s, "%s", amo_json_text(x, "answers"));
  }
  amo_table_print(&s, out, wide);
}

static void print(const cJSON *result, FILE *out, int wide)
{
  if (cJSON_HasObjectItem(result, "events"))
    print_path(result, out, wide);
  else
    print_rate(result, out, wide);
}

const amo_verb amo_verb_quasistatic = {
    .name = "quasistatic",
    .summary = "equilibria under slowly changing loads; all answers of the rate problem",
    .at_rest = true,
    .no_creep = true,
    .usage = "MODEL [options]",
    .description =
        "Without inertia and damping. Without --until: the rate problem at a state that is in equilibrium, "
        "for the "
        "rates at which the model's loads change in time there. Every answer is listed: contacts stick, "
        "slip, open; "
        "none and several are results. For each contact also where its forces stand (inside the friction "
        "cone, at "
        "its edge, at its vertex: no force), the least stiffness X against slip over all directions (X < 0: "
        "slip in "
        "that direction has no continuous quasi-static answer, and answers are not unique) and the least "
        "determinant D of spatial contacts (D < 0: stick and opening may both be possible). --sectors C1,C2 "
        "varies "
        "the direction of load rates in the plane of two parameters.\n\n"
        "With --until: follows the loads through all events. Where several answers exist stick is taken (a "
        "system "
        "at rest stays so) and the status is nonunique. Where none exists the contact jumps apart, at "
        "constant "
        "load, if there is an equilibrium apart; otherwise the path ends with status discontinuity: what "
        "follows "
        "is dynamic, ask 'simulate'. It begins in stick where friction can hold the state, on a surface that "
        "moves too; elsewhere where the contact slides in equilibrium.\n\n"
        "A contact without friction (mu = 0) never sticks and has no direction of slip to keep: its mode "
        "says which "
        "way it moves (0: not at all), and only opening and closing are events.",
    .example = "amontons quasistatic models/klarbring-mass.yaml --set mu=1.25 --sectors C1,C2\n"
               "amontons quasistatic models/spatial-mass-load.yaml --set C1=0.5 C2=0.3 mu=0.5 --until 4",
    .opts = opts,
    .no_ends = true,
    .no_joints = true,
    .run = run,
    .print = print};
