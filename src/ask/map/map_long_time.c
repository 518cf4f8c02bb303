// SPDX-License-Identifier: Apache-2.0
#include "ask/map/map_long_time.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "flow/flow.h"
#include "ask/sim_options.h"
#include "swarm/swarm.h"

enum { WORTH = 4096 };  // places after which a program of the model's own is asked for: more will follow

struct amo_long_times {
  amo_flow *flow;
  double *param, *state, *scratch;  // [AMO_LONG_TIMES][np], [AMO_LONG_TIMES][states], [np]
  size_t np, ns;
  double t0, until;
  size_t asked;            // places so far
  const amo_swarm *swarm;  // NULL: not yet, or none
};

amo_status amo_long_times_new(const amo_values *v, const amo_options *opt, amo_long_times **out)
{
  const amo_model *m = v->model;
  amo_sim_opts o;
  double one_start;  // all fates begin at one time
  *out = NULL;
  if (m->flight == NULL || !amo_node_const(m->dag, m->start.time, &one_start) ||
      !amo_opt_flag(opt, "settle") || amo_opt_given(opt, "from") || amo_opt_given(opt, "stop-events"))
    return AMO_OK;
  if (amo_sim_opts_read(v, opt, true, NULL, &o) != AMO_OK || o.method != AMO_METHOD_EVENT ||
      (o.stepper != AMO_STEPPER_TAYLOR && o.stepper != AMO_STEPPER_AUTO))
    return AMO_OK;
  amo_long_times *f = amo_zalloc(1, sizeof *f);
  if (!f) return AMO_ENOMEM;
  f->np = m->np;
  f->ns = amo_model_states(m);
  f->t0 = v->t0;
  f->until = amo_opt_number(opt, "until");
  f->param = amo_zalloc(AMO_LONG_TIMES * f->np, sizeof *f->param);
  f->state = amo_zalloc(AMO_LONG_TIMES * f->ns, sizeof *f->state);
  f->scratch = amo_zalloc(f->np, sizeof *f->scratch);
  amo_status st = f->param && f->state && f->scratch ? amo_flow_new(m, &o, AMO_LANES, &f->flow) : AMO_ENOMEM;
  if (st != AMO_OK) {
    amo_long_times_free(f);
    return st;
  }
  *out = f;
  return AMO_OK;
}

void amo_long_times_free(amo_long_times *f)
{
  if (!f) return;
  amo_flow_free(f->flow);
  free(f->param);
  free(f->state);
  free(f->scratch);
  free(f);
}

void amo_long_times_put(amo_long_times *f, size_t i, const double *param, const double *state)
{
  memcpy(f->param + i * f->np, param, f->np * sizeof *param);
  memcpy(f->state + i * f->ns, state, f->ns * sizeof *state);
}

void amo_long_times_run(amo_long_times *f, size_t n, volatile sig_atomic_t *stop,
                        const char *out[AMO_LONG_TIMES])
{
  static const char *const word[] = {"undecided", "stick", "open"};
  unsigned char fate[AMO_LONG_TIMES];
  amo_status status[AMO_LONG_TIMES];
  amo_ensemble e = {.count = n,
                    .state = f->state,
                    .parameter = f->param,
                    .t0 = f->t0,
                    .t_end = f->until,
                    .fate = fate,
                    .status = status,
                    .stop = (volatile int *)stop};
  if (f->flow->opt.compile != AMO_COMPILE_NEVER && f->asked < WORTH && (f->asked += n) >= WORTH)
    (void)amo_swarm_get(f->flow->m, f->flow->P, AMO_SWARM_CPU, &f->swarm);  // without one the engine goes on
  if (!f->swarm || amo_swarm_ensemble(f->swarm, f->flow, &e, f->scratch) != AMO_OK)
    amo_flow_ensemble(f->flow, &e, f->scratch);
  for (size_t i = 0; i < n; i++) out[i] = status[i] == AMO_OK ? word[fate[i]] : NULL;
}
