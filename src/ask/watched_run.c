// SPDX-License-Identifier: Apache-2.0
#include "ask/watched_run.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "model/compiled.h"
#include "ask/audit.h"

static amo_status read_times(amo_watched_run *j)
{
  const amo_options *o = j->call->opt;
  j->from = amo_opt_given(o, "from") ? amo_opt_number(o, "from") : j->call->values->t0;
  j->after = amo_opt_known(o, "after") && amo_opt_given(o, "after") ? amo_opt_number(o, "after") : j->from;
  if (j->after < j->from) j->after = j->from;
  if (!amo_opt_known(o, "until") || !amo_opt_text(o, "until")) return AMO_OK;
  j->until = amo_opt_number(o, "until");
  if (!(j->until > j->after))
    return amo_error(j->call->diags, (amo_at){0}, NULL,
                     "until must be later than %s: until = %.15g, %s = %.15g",
                     j->after > j->from ? "after" : "the start", j->until,
                     j->after > j->from ? "after" : "start", j->after);
  return amo_span_check(o, j->from, j->until, j->call->diags);
}

amo_status amo_watched_run_begin(const amo_call *call, amo_watched_run *j)
{
  return amo_watched_run_begin_in_steps(call, 1, j);
}

amo_status amo_watched_run_begin_in_steps(const amo_call *call, long least, amo_watched_run *j)
{
  *j = (amo_watched_run){.call = call};
  amo_status st = amo_sim_opts_read(call->values, call->opt, true, call->diags, &j->opts),
             times = read_times(j);
  if (st == AMO_OK) st = times;
  if (st == AMO_OK && least > 1)
    j->opts.max_step = fmin(j->opts.max_step, (j->until - j->from) / (double)least);
  j->start = amo_zalloc(amo_model_states(call->model), sizeof *j->start);
  if (!j->start) return AMO_ENOMEM;
  amo_status state = amo_state_read(call->values, call->opt, call->diags, j->start);
  if (st == AMO_OK) st = state;
  if (st == AMO_OK) st = amo_sample_new(call->model, &j->sample);
  if (st == AMO_OK) st = amo_sim_new(call->model, &j->opts, call->diags, &j->sim);
  return st;
}

static int on_step(void *ctx, amo_sim *s)
{
  amo_watched_run *j = ctx;
  const amo_call *c = j->call;
  if (c->progress) c->progress(c->progress_ctx, (amo_sim_time(s) - j->from) / (j->until - j->from));
  j->interrupted = c->interrupted && *c->interrupted;
  return j->interrupted ? 2 : j->on_step ? j->on_step(j->ctx, j) : 0;
}

amo_status amo_watched_run_run(amo_watched_run *j)
{
  amo_diags *d = j->call->diags;
  amo_status st = amo_sim_start(j->sim, j->from, j->start);
  if (st != AMO_OK) {
    amo_error(d, (amo_at){0}, NULL, "the motion cannot start: %s", amo_sim_message(j->sim));
    return st;
  }
  if (j->on_start && (st = j->on_start(j->ctx, j)) != AMO_OK) return st;
  if (j->after > j->from)
    st = amo_sim_run(j->sim, fmin(j->after, j->until), on_step, j);  // a step ends there
  if (st == AMO_OK) st = amo_sim_run(j->sim, j->until, on_step, j);
  if (st == AMO_EINTR) return j->interrupted ? AMO_EINTR : j->status;
  if (st != AMO_OK)
    amo_error(d, (amo_at){0}, NULL, "stopped at t = %.12g: %s", amo_sim_time(j->sim),
              amo_sim_message(j->sim)[0] ? amo_sim_message(j->sim) : amo_status_text(st));
  return st;
}

void amo_watched_run_end(amo_watched_run *j)
{
  amo_sim_free(j->sim);
  amo_sample_free(j->sample);
  free(j->start);
}

amo_status amo_watched_run_audit(const amo_watched_run *j, cJSON *result)
{
  const amo_audit *a = amo_sim_audit(j->sim);
  cJSON_AddItemToObject(result, "audit", amo_audit_json(a));
  return amo_audit_tell(a, "the motion", j->call->diags);
}
