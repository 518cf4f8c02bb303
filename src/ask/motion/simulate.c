// SPDX-License-Identifier: Apache-2.0
// The simulate verb: drive the engine, record, judge, hand over.
#include "ask/motion/simulate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "model/compiled.h"
#include "ask/sim_options.h"
#include "ask/motion/simulate_run.h"

static amo_status read_times(amo_run *r)
{
  const amo_options *o = r->call->opt;
  amo_diags *d = r->call->diags;
  amo_at nowhere = {0};
  r->from = amo_opt_given(o, "from") ? amo_opt_number(o, "from") : r->call->values->t0;
  r->until = amo_opt_number(o, "until");
  amo_status st = amo_span_check(o, r->from, r->until, d);
  if (st != AMO_OK) return st;
  if (amo_opt_given(o, "after") && !(amo_opt_number(o, "after") < r->until))
    return amo_error(d, nowhere, NULL, "after must be earlier than until = %g, got %g", r->until,
                     amo_opt_number(o, "after"));
  if (amo_opt_given(o, "dt") && amo_opt_given(o, "points"))
    return amo_error(d, nowhere, NULL, "give points or dt, not both");
  r->recorder.from = r->from;
  r->recorder.dt = amo_opt_given(o, "dt") ? amo_opt_number(o, "dt")
                                          : (r->until - r->from) / (double)amo_opt_integer(o, "points");
  if (r->recorder.rows && (r->until - r->from) / r->recorder.dt > 1e8)
    return amo_error(d, nowhere, NULL, "dt = %g gives more than 1e8 samples", r->recorder.dt);
  r->stop_events = amo_opt_given(o, "stop-events") ? amo_opt_integer(o, "stop-events") : 0;
  return AMO_OK;
}

amo_status amo_plot_given(const amo_call *c)
{
  if (amo_opt_text(c->opt, "plot") || (!amo_opt_given(c->opt, "plot-x") && !amo_opt_given(c->opt, "plot-y")))
    return AMO_OK;
  return amo_error(c->diags, (amo_at){0}, NULL,
                   "plot-x and plot-y say what --plot FILE draws; give --plot too");
}

static amo_status check_plot(const amo_run *r)
{
  const char *plot = amo_opt_text(r->call->opt, "plot");
  return plot ? amo_run_plot_check(r, plot) : amo_plot_given(r->call);
}

static amo_status choose_columns(const amo_run *r)
{
  const amo_call *c = r->call;
  const char *names = amo_opt_text(c->opt, "columns");
  if (!names) return AMO_OK;
  if (!r->recorder.rows)
    return amo_error(c->diags, (amo_at){0}, NULL,
                     "columns says what --csv, --h5 or --samples hold; give one of them too");
  return amo_trajectory_choose(r->trajectory, names, c->diags);
}

/// Is anything wanted that is collected on the way: extrema, means, what contacts did?
static bool wants_collected(const amo_call *c)
{
  static const char *const others[] = {"ended", "long_time", "initial", "events", "final", "audit", "stats"};
  for (size_t i = 0; c->wanted && i < sizeof others / sizeof *others; i++) {
    const size_t n = strlen(others[i]);
    if (!strncmp(c->wanted, others[i], n) && (c->wanted[n] == '.' || c->wanted[n] == '[' || !c->wanted[n]))
      return false;
  }
  return true;
}

static amo_status prepare(amo_run *r, bool record)
{
  const amo_call *c = r->call;
  double after = amo_opt_given(c->opt, "after") ? amo_opt_number(c->opt, "after") : -INFINITY;
  r->recorder.rows = record;
  r->recorder.steps = amo_opt_flag(c->opt, "steps");
  r->recorder.even = amo_opt_flag(c->opt, "even");
  r->reason = "";
  amo_status st = amo_sim_opts_read(c->values, c->opt, true, c->diags, &r->opts), times = read_times(r);
  if (st == AMO_OK) st = times;
  r->opts.certify = amo_opt_flag(c->opt, "certify");
  r->settle = amo_opt_flag(c->opt, "settle");
  r->collects = wants_collected(c);
  r->start = amo_zalloc(amo_model_states(c->model), sizeof *r->start);
  if (!r->start) return AMO_ENOMEM;
  amo_status state = amo_state_read(c->values, c->opt, c->diags, r->start);
  if (st == AMO_OK) st = state;
  if (st == AMO_OK) st = amo_trajectory_new(c->model, record, &r->trajectory);
  if (st == AMO_OK) st = choose_columns(r);
  if (st == AMO_OK) st = check_plot(r);
  if (st == AMO_OK) st = amo_sample_new(c->model, &r->recorder.sample);
  if (st == AMO_OK) st = amo_sim_new(c->model, &r->opts, c->diags, &r->sim);
  if (st == AMO_OK) st = amo_statistics_new(r->sim, after, &r->statistics);
  r->recorder.trajectory = r->trajectory;
  return st;
}

static long count_modes(const amo_sim *s)
{
  long n = 0;
  for (size_t i = 0; i < amo_sim_new_events(s); i++) n += amo_event_changes_mode(amo_sim_new_event(s, i));
  return n;
}

static int on_step(void *ctx, amo_sim *s)
{
  amo_run *r = ctx;
  amo_status st = amo_recorder_step(&r->recorder, s, r->until);
  if (st == AMO_OK && r->collects) st = amo_statistics_step(r->statistics);
  if (st != AMO_OK) {
    r->end = AMO_END_FAILED;
    r->status = st;
    return 1;
  }
  r->mode_events += count_modes(s);
  if (r->call->progress)
    r->call->progress(r->call->progress_ctx, (amo_sim_time(s) - r->from) / (r->until - r->from));
  if (r->call->interrupted && *r->call->interrupted) {
    r->end = AMO_END_INTERRUPTED;
    return 1;
  }
  if (r->stop_events && r->mode_events >= r->stop_events) {
    r->end = AMO_END_EVENTS;
    return 1;
  }
  if (r->settle && amo_sim_fate(s) != AMO_FATE_UNDECIDED) {
    r->end = AMO_END_SETTLED;
    return 1;
  }
  return 0;
}

static amo_status drive(amo_run *r)
{
  amo_at nowhere = {0};
  amo_diags *d = r->call->diags;
  amo_status st = amo_sim_start(r->sim, r->from, r->start);
  if (st != AMO_OK) {
    amo_error(d, nowhere, NULL, "the motion cannot start: %s", amo_sim_message(r->sim));
    return st;
  }
  r->started = true;
  if (r->settle && amo_sim_fate(r->sim) != AMO_FATE_UNDECIDED)
    r->end = AMO_END_SETTLED;  // at once
  else
    st = amo_sim_run(r->sim, r->until, on_step, r);
  if (r->end == AMO_END_EVENTS || r->end == AMO_END_SETTLED) return r->status = AMO_OK;
  if (r->end == AMO_END_INTERRUPTED) {
    r->reason = "interrupted";
    return r->status = AMO_EINTR;
  }
  if (r->end == AMO_END_FAILED) {
    r->reason =
        r->status == AMO_ELIMIT ? "too many samples to keep; use fewer points" : amo_status_text(r->status);
  } else if (st != AMO_OK) {
    r->end = AMO_END_FAILED;
    r->status = st;
    r->reason = amo_sim_message(r->sim);
  }
  if (*r->reason) amo_error(d, nowhere, NULL, "stopped at t = %.12g: %s", amo_sim_time(r->sim), r->reason);
  return r->status;
}

static void warn_of_flaws(const amo_run *r)
{
  const amo_audit *a = amo_sim_audit(r->sim);
  const amo_statistics *s = r->statistics;
  char name[256], why[128];
  for (size_t c = 0; r->collects && c < s->columns; c++) {
    const char *reason = amo_statistics_reason(s, c, why, sizeof why);
    if (*reason)
      amo_warn(r->call->diags, (amo_at){0}, NULL, "no extrema and no mean of '%s': %s",
               amo_statistics_name(s, c, name, sizeof name), reason);
  }
  if (amo_sim_stats(r->sim)->one_of_many)
    amo_warn(r->call->diags, (amo_at){0}, "'contact' tells what is possible",
             "the laws of friction allow a continuum of motions at the start: this is one of them");
  if (a->held >= 0)
    amo_warn(
        r->call->diags, (amo_at){0}, NULL,
        "contact %s was held by its kinetic friction at s = 0 where its static friction had fallen below it, "
        "first seen at t = %.6g",
        amo_model_contact(r->call->model, (size_t)a->held).name, a->held_time);
}

static void release(amo_run *r)
{
  amo_sim_free(r->sim);
  amo_statistics_free(r->statistics);
  amo_sample_free(r->recorder.sample);
  amo_trajectory_free(r->trajectory);
  free(r->start);
}

static amo_status write_h5(const amo_run *r, const char *path)
{
  char settings[256];
  const amo_model *m = r->call->model;
  snprintf(settings, sizeof settings, "method=%s tol=%.17g from=%.17g until=%.17g",
           amo_method_name(r->opts.method), r->opts.tol, r->from, r->until);
  const char *about[] = {"program",  "Amontons " AMO_VERSION,
                         "name",     amo_model_name(m),
                         "settings", settings,
                         "model",    m->source.text ? m->source.text : "",
                         NULL};
  return amo_trajectory_h5(r->trajectory, m, about, path, r->call->diags);
}

/// An interrupted run writes nothing: a file that looks whole must be whole.
static amo_status write_files(const amo_run *r)
{
  const amo_options *o = r->call->opt;
  const char *csv = amo_opt_text(o, "csv"), *h5 = amo_opt_text(o, "h5"), *plot = amo_opt_text(o, "plot"),
             *events = amo_opt_text(o, "events");
  amo_status st = AMO_OK, one = AMO_OK;
  if (r->end == AMO_END_INTERRUPTED) {
    if (csv || h5 || plot || events)
      amo_warn(r->call->diags, (amo_at){0}, NULL, "interrupted: no file was written");
    return AMO_OK;
  }
  if (csv && (one = amo_trajectory_csv(r->trajectory, csv, r->call->diags)) != AMO_OK) st = one;
  if (h5 && (one = write_h5(r, h5)) != AMO_OK) st = one;
  if (events &&
      (one = amo_trajectory_events_csv(r->trajectory, r->call->model, events, r->call->diags)) != AMO_OK)
    st = one;
  if (plot && (one = amo_run_plot(r, plot)) != AMO_OK) st = one;
  return st;
}

amo_status amo_simulate(const amo_call *call, cJSON **result)
{
  const amo_options *o = call->opt;
  amo_run r = {.call = call};
  bool record = call->recorded || amo_opt_text(o, "csv") || amo_opt_text(o, "h5") ||
                amo_opt_text(o, "plot") || amo_opt_flag(o, "samples");
  *result = NULL;
  amo_status st = prepare(&r, record), files = AMO_OK;
  if (st != AMO_OK) goto done;
  st = drive(&r);
  if (!r.started) goto done;
  warn_of_flaws(&r);
  *result = amo_run_json(&r);
  if (!*result) st = AMO_ENOMEM;
  files = write_files(&r);
  if (st == AMO_OK) st = files;
  if (st == AMO_OK && !amo_sim_audit(r.sim)->ok) st = AMO_EAUDIT;
  if (call->recorded) {
    *call->recorded = r.trajectory;
    r.trajectory = NULL;
  }
done:
  release(&r);
  return st;
}
