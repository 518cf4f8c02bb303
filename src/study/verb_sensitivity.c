// SPDX-License-Identifier: Apache-2.0
// sensitivity: how the motion changes with its start and with parameters.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "flow/variation.h"
#include "orbit/consistent.h"
#include "orbit/floquet.h"
#include "orbit/shot.h"
#include "study/cycle.h"
#include "study/json.h"
#include "study/orbit_json.h"
#include "study/sim_options.h"

// clang-format off
static const amo_opt_def opts[] = {
    {"until", AMO_OPT_NUMBER, "T", "10", NULL, "time at the end", 0, 0},
    {"for", AMO_OPT_TEXT, "NAMES", NULL, NULL, "parameters for which there are derivatives, \"k, v\"; event method", 0, 0},
    {"samples", AMO_OPT_INTEGER, "N", "0", NULL, "also the matrix at N equal times; event method", 0, 1e6},
    {"differences", AMO_OPT_NUMBER, "H", NULL, NULL, "also central differences of the motion with this step, to compare", 1e-300, INFINITY},
    {"perturbation", AMO_OPT_NUMBER, "XI", "1e-4", NULL, "switch: absolute change of states for derivatives", -INFINITY, INFINITY},
    AMO_STATE_OPT,
    AMO_METHOD_OPTS,
    AMO_STEPPING_OPTS,
    {NULL, AMO_OPT_FLAG, NULL, NULL, NULL, NULL, 0, 0}};
// clang-format on

enum { MOST_PARAMETERS = 64 };

typedef struct sensitivity_job {
  const amo_call *call;
  const amo_model *m;
  amo_sim_opts opt;
  uint32_t param[MOST_PARAMETERS];
  size_t np, ns;
  double *start, t0, until;
  cJSON *result;
} sensitivity_job;

static amo_status add_parameter(sensitivity_job *j, const char *text, size_t n)
{
  char name[128];
  amo_diags *d = j->call->diags;
  if (n == 0 || n >= sizeof name || j->np == MOST_PARAMETERS)
    return amo_error(d, (amo_at){0}, "for example --for \"k, v\"",
                     "--for needs names of parameters, at most %d", MOST_PARAMETERS);
  memcpy(name, text, n);
  name[n] = '\0';
  const long i = amo_model_find_parameter(j->m, name);
  if (i < 0) return amo_error(d, (amo_at){0}, NULL, "the model has no parameter '%s'", name);
  if (j->m->param[i].expr != AMO_NODE_NONE)
    return amo_error(d, (amo_at){0}, "vary what it is made of", "'%s' follows from other parameters", name);
  for (size_t k = 0; k < j->np; k++)
    if (j->param[k] == (uint32_t)i)
      return amo_error(d, (amo_at){0}, NULL, "--for names '%s' more than once", name);
  j->param[j->np++] = (uint32_t)i;
  return AMO_OK;
}

/// Names separated by commas or blanks.
static amo_status read_parameters(sensitivity_job *j)
{
  const char *p = amo_opt_text(j->call->opt, "for");
  amo_status st = AMO_OK;
  for (bool more = p != NULL; more && st == AMO_OK;) {
    p += strspn(p, " ");
    const size_t n = strcspn(p, ", ");
    st = add_parameter(j, p, n);
    p += n;
    p += strspn(p, " ");
    more = *p != '\0';
    if (*p == ',') p++;
  }
  return st;
}

static void add_columns(const sensitivity_job *j, cJSON *o, const double *y)
{
  cJSON_AddItemToObject(o, "matrix", amo_orbit_matrix_json(y, j->ns, j->ns));
  if (j->np == 0) return;
  cJSON *all = cJSON_AddObjectToObject(o, "parameters");
  for (size_t i = 0; i < j->np; i++)
    cJSON_AddItemToObject(all, amo_model_parameter(j->m, j->param[i]).name,
                          amo_orbit_state_json(j->m, y + (j->ns + i) * j->ns));
}

static void add_eigenvalues(const sensitivity_job *j, const double *matrix, size_t rank)
{
  double *one = amo_zalloc(j->ns, sizeof *one);
  amo_multiplier *mu = amo_zalloc(j->ns, sizeof *mu);
  for (size_t i = 0; one && i < j->ns; i++) one[i] = 1.0;
  if (one && mu && amo_floquet(matrix, one, j->ns, rank, mu, 1.0, NULL) == AMO_OK)
    cJSON_AddItemToObject(j->result, "eigenvalues", amo_orbit_multipliers_json(mu, j->ns));
  free(one);
  free(mu);
}

// ---- event method ----

static void note_event(sensitivity_job *j, cJSON *list, const amo_variation *g, const amo_lane *l)
{
  for (size_t i = 0; i < l->events; i++) {
    cJSON *e = amo_orbit_event_json(j->m, &l->event[i], 0.0, l->y), *before = cJSON_CreateObject();
    add_columns(j, before, g->y_before);
    cJSON_AddItemToObject(e, "before", before);
    add_columns(j, e, g->y);
    cJSON_AddItemToArray(list, e);
  }
}

static void note_sample(sensitivity_job *j, cJSON *list, const amo_variation *g, const amo_lane *l)
{
  cJSON *o = cJSON_CreateObject();
  amo_json_add(o, "t", l->t);
  cJSON_AddItemToObject(o, "state", amo_orbit_state_json(j->m, l->y));
  add_columns(j, o, g->y);
  cJSON_AddItemToArray(list, o);
}

static amo_status drive(sensitivity_job *j, amo_flow *f, amo_variation *g)
{
  const long n = amo_opt_integer(j->call->opt, "samples");
  cJSON *events = cJSON_AddArrayToObject(j->result, "events");
  cJSON *samples = n > 0 ? cJSON_AddArrayToObject(j->result, "samples") : NULL;
  const amo_lane *l = &f->lane[0];
  amo_status st = AMO_OK;
  if (samples) note_sample(j, samples, g, l);
  for (long k = 1; st == AMO_OK && k <= (n > 0 ? n : 1); k++) {
    const double end = n > 0 && k < n ? j->t0 + (j->until - j->t0) * (double)k / (double)n : j->until;
    while (st == AMO_OK && l->t < end) {
      amo_flow_prepare(f);
      amo_flow_advance(f, end);
      st = l->status;
      if (st == AMO_OK) st = amo_variation_follow(g, f, 0);
      if (st == AMO_OK && l->events > 0) note_event(j, events, g, l);
      if (j->call->interrupted && *j->call->interrupted) st = AMO_EINTR;
    }
    if (st == AMO_OK && samples) note_sample(j, samples, g, l);
  }
  return st;
}

/// The lane at its start, columns of the directions that exist there.
static amo_status begin(sensitivity_job *j, amo_flow *f, amo_variation *g)
{
  const amo_lane *l = &f->lane[0];
  amo_consistent *c = NULL;
  amo_status st = amo_flow_start(f, 0, j->t0, j->start);
  if (st == AMO_OK) st = amo_consistent_new(g->at, &c);
  if (st != AMO_OK) return st;
  amo_variation_begin(g, f, 0);
  if (c) {
    const amo_place at = {l->t, l->y, l->mode, l->reaction_sign, l->branch, l->fresh, l->xi};
    st = amo_consistent_find(c, g->at, &at, l->y);
    if (st == AMO_OK) amo_consistent_begin(c, g);
  }
  amo_consistent_free(c);
  return st == AMO_OK ? amo_variation_hold(g, f, 0) : st;
}

static amo_status by_events(sensitivity_job *j)
{
  amo_flow *f = NULL;
  amo_variation *g = NULL;
  amo_status st = amo_variation_new(j->m, j->param, j->np, &g);
  if (st == AMO_OK) st = amo_flow_new(j->m, &j->opt, 1, &f);
  if (st == AMO_OK) st = begin(j, f, g);
  if (st == AMO_OK) st = drive(j, f, g);
  if (st == AMO_OK) {
    cJSON_AddItemToObject(j->result, "state", amo_orbit_state_json(j->m, f->lane[0].y));
    add_columns(j, j->result, g->y);
    cJSON_AddNumberToObject(j->result, "rank", g->rank);
    cJSON_AddBoolToObject(j->result, "grazing", g->grazing);
    cJSON_AddBoolToObject(j->result, "one_sided", g->grazing || g->one_sided);
    cJSON_AddBoolToObject(j->result, "together", g->together);
    if (g->grazing || g->one_sided)
      amo_warn(j->call->diags, (amo_at){0}, NULL,
               "the derivative is one-sided: %s; changes to the other side have another one",
               g->grazing ? "an event is touched without being crossed"
                          : "the start lies on a border of modes");
    if (g->together)
      amo_warn(j->call->diags, (amo_at){0}, NULL,
               "several events happened at once; the derivative depends on their order, and one was taken");
    add_eigenvalues(j, g->y, g->rank);
  } else if (st != AMO_EINTR && st != AMO_ENOMEM) {
    amo_error(j->call->diags, (amo_at){0}, NULL, "%s",
              g && g->message[0] ? g->message
              : f                ? f->lane[0].message
                                 : "");
  }
  amo_variation_free(g);
  amo_flow_free(f);
  return st;
}

// ---- the other methods, and differences ----

static amo_status by_shooting(sensitivity_job *j)
{
  amo_shooter *s = NULL;
  amo_shot *shot = NULL;
  const double length = j->until - j->t0;
  amo_status st = amo_shooter_new(j->m, &j->opt, j->param, j->np,
                                  amo_opt_number(j->call->opt, "perturbation"), j->call->diags, &s);
  if (st == AMO_OK) st = amo_shot_new(s, &shot);
  if (st == AMO_OK) st = amo_shoot(s, j->t0, j->start, length, false, shot);
  if (st == AMO_OK) st = amo_shoot(s, j->t0, j->start, length, true, shot);
  if (st == AMO_OK) {
    cJSON_AddItemToObject(j->result, "state", amo_orbit_state_json(j->m, shot->end));
    cJSON_AddItemToObject(j->result, "matrix", amo_orbit_matrix_json(shot->matrix, j->ns, j->ns));
    add_eigenvalues(j, shot->matrix, j->ns);
  } else if (s && s->message[0]) {
    amo_error(j->call->diags, (amo_at){0}, NULL, "%s", s->message);
  }
  amo_shot_free(shot);
  amo_shooter_free(s);
  return st;
}

static amo_status end_state(const sensitivity_job *j, amo_sim *sim, size_t k, double shift, double *out)
{
  double *y = amo_zalloc(j->ns, sizeof *y);
  if (!y) return AMO_ENOMEM;
  memcpy(y, j->start, j->ns * sizeof *y);
  y[k] += shift;
  amo_status st = amo_sim_start(sim, j->t0, y);
  if (st == AMO_OK) st = amo_sim_run(sim, j->until, NULL, NULL);
  if (st == AMO_OK) memcpy(out, amo_sim_state(sim), j->ns * sizeof *out);
  free(y);
  return st;
}

static amo_status add_differences(sensitivity_job *j)
{
  const double h = amo_opt_number(j->call->opt, "differences");
  double *d = amo_zalloc(j->ns * (j->ns + 1), sizeof *d);
  amo_sim *sim = NULL;
  amo_status st = d ? amo_sim_new(j->m, &j->opt, j->call->diags, &sim) : AMO_ENOMEM;
  for (size_t k = 0; st == AMO_OK && k < j->ns; k++) {
    double *up = d + k * j->ns, *down = d + j->ns * j->ns;
    st = end_state(j, sim, k, h, up);
    if (st == AMO_OK) st = end_state(j, sim, k, -h, down);
    for (size_t i = 0; i < j->ns; i++) up[i] = (up[i] - down[i]) / (2 * h);
  }
  if (st == AMO_OK) cJSON_AddItemToObject(j->result, "differences", amo_orbit_matrix_json(d, j->ns, j->ns));
  amo_sim_free(sim);
  free(d);
  return st;
}

static amo_status run(const amo_call *call, cJSON **result)
{
  sensitivity_job j = {
      .call = call, .m = call->model, .ns = amo_model_states(call->model), .t0 = call->values->t0};
  *result = NULL;
  amo_status st = amo_sim_opts_read(call->values, call->opt, true, call->diags, &j.opt);
  j.opt.audit = false;
  j.until = amo_opt_number(call->opt, "until");
  j.start = amo_zalloc(j.ns, sizeof *j.start);
  if (!j.start) return AMO_ENOMEM;
  if (st == AMO_OK) st = amo_state_read(call->values, call->opt, call->diags, j.start);
  if (st == AMO_OK) st = read_parameters(&j);
  if (st == AMO_OK) st = amo_span_check(call->opt, j.t0, j.until, call->diags);
  j.result = cJSON_CreateObject();
  cJSON_AddStringToObject(j.result, "model", amo_model_name(j.m));
  cJSON_AddStringToObject(j.result, "method", amo_method_name(j.opt.method));
  amo_json_add(j.result, "t", j.until);
  if (st == AMO_OK) st = j.opt.method == AMO_METHOD_EVENT ? by_events(&j) : by_shooting(&j);
  if (st == AMO_OK && amo_opt_given(call->opt, "differences")) st = add_differences(&j);
  free(j.start);
  if (st == AMO_OK)
    *result = j.result;
  else
    cJSON_Delete(j.result);
  return st;
}

static void print_matrix(const cJSON *m, const cJSON *state, FILE *out)
{
  const cJSON *row = NULL, *x = NULL, *name = state ? state->child : NULL;
  cJSON_ArrayForEach(row, m)
  {
    fprintf(out, "  %-10s", name ? name->string : "");
    cJSON_ArrayForEach(x, row) fprintf(out, " %16.10g", x->valuedouble);
    fprintf(out, "\n");
    if (name) name = name->next;
  }
}

static void print(const cJSON *result, FILE *out, int wide)
{
  const cJSON *state = cJSON_GetObjectItemCaseSensitive(result, "state"), *p = NULL, *x = NULL;
  (void)wide;
  fprintf(out, "%s: derivative of the state at t = %.10g with respect to the state at the start\n",
          amo_json_text(result, "model"), amo_json_get(result, "t"));
  print_matrix(cJSON_GetObjectItemCaseSensitive(result, "matrix"), state, out);
  cJSON_ArrayForEach(p, cJSON_GetObjectItemCaseSensitive(result, "parameters"))
  {
    fprintf(out, "with respect to %s\n", p->string);
    cJSON_ArrayForEach(x, p) fprintf(out, "  %-10s %16.10g\n", x->string, x->valuedouble);
  }
  fprintf(out, "eigenvalues: ");
  amo_orbit_print_multipliers(cJSON_GetObjectItemCaseSensitive(result, "eigenvalues"), out);
  fprintf(out, "\n");
}

const amo_verb amo_verb_sensitivity = {
    .name = "sensitivity",
    .summary = "how the motion changes with its start and with parameters",
    .usage = "MODEL --until T [options]",
    .description = "The derivative of the state at the end with respect to the state at the start (the "
                   "fundamental matrix) and to "
                   "parameters, exact through slip, stick and every event: the variational equation between "
                   "events, and at an "
                   "event the jump that follows from the condition that ends the mode. Where stick begins "
                   "the matrix loses a "
                   "rank. With the methods switch and smooth: what these methods give.",
    .example = "amontons sensitivity models/block-on-belt.yaml --until 8 --for \"k, v\"",
    .opts = opts,
    .no_joints = true,
    .run = run,
    .print = print};
